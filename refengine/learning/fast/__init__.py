"""What the environments share, compiled: chance, choices, and what a seat sees.

The modules write into vectors of machine integers, which numpy reads without copying.
"""
