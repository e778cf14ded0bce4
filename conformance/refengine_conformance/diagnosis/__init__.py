"""Explains a run's faults: which rules the engine follows, and the smallest games."""
