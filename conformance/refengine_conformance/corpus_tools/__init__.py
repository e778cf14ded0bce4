"""The published corpus: what a line is evidence for, and how lines are chosen."""
