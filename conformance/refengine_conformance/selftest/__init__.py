"""Checks of the runner: bad adapters, and engines with faults planted in them."""
