"""Example programs, to read and to run."""
