"""Lines checked inside the rules, from their bytes: a twin of the readers beside it.

It reaches chapters and machine only, and says nothing but whether all is as a line
says; what is wrong with one is found by the readers beside it. Compiled.
"""
