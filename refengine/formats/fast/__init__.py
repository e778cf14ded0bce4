"""Checks lines straight from their bytes, faster than the readers in `formats` do.

This package imports only `chapters` and `machine`, and is compiled. It says only
whether everything in a line is certainly true; if not, the readers in `formats` find
out what is wrong, if anything is.
"""
