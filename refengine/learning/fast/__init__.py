"""Compiled code that the environments share: chance, choices, what a seat sees.

The modules write into vectors of machine integers, which numpy reads without copying.
"""
