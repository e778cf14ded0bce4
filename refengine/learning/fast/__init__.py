"""What the environments share, compiled: chance, choices, and what a seat sees.

The modules write into vectors of machine numbers, which numpy reads without copying.
"""
