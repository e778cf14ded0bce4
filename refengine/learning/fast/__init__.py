"""What the environments share, compiled: chance, choices, and what a seat sees.

It writes into vectors of machine numbers, which numpy reads without a copy.
"""
