"""Checking lines straight from their bytes: the fast twin of the readers in `formats`.

This package imports only `chapters` and `machine`, and is compiled. It says only
whether everything in a line is certainly true; if not, the readers in `formats` find
out what is wrong, if anything is.
"""
