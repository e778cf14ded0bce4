"""The commands of `refengine` that test an engine, found through entry points."""
