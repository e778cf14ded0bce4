"""Maintains the published corpus, and records which rules each line tests."""
