"""The suite as tests of pytest."""
