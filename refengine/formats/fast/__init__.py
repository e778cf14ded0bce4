"""Checking lines straight from their bytes: the fast twin of the readers next to it.

It imports chapters and machine only, and says no more than whether everything is as a
line says; if not, the readers next to it find out what is wrong. Compiled.
"""
