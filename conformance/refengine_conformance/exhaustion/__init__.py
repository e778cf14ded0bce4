"""Walks every deal of a few cards through every position in its play."""
