"""Compiled code that the environments share, for chance, choices and observations.

The modules write into vectors of machine integers, which numpy reads without copying.
"""
