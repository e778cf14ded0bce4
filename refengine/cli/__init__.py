"""The command line, a module for each command; only this room imports conformance."""
