"""Explains the faults of a run: by other rules, and by the smallest game for each."""
