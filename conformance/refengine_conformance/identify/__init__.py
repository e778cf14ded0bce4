"""Finds out which rules an engine plays by, from its answers in games."""
