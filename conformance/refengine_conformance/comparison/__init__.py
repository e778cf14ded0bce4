"""Older names of the modules of `refengine.comparison`."""
