"""The old names of the modules of `refengine.comparison`."""
