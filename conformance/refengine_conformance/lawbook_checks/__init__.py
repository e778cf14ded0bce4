"""Checks of the book against the engine, and the files that are derived from both."""
