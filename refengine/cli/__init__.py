"""The command line, with a module for each command; other packages may add commands."""
