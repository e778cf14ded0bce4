"""The command line, a module for each command; the one room that knows conformance."""
