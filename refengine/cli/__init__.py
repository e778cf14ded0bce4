"""The command line, a module for each command; other packages may add more commands."""
