"""The commands of `refengine` that test an engine, found by entry points."""
