"""The rules, one module for each of chapters 1 to 9: small pure functions over masks.

The functions read the options of a ruleset as plain values (`settings`). A chapter
imports only the chapters before it. The package is compiled, and none of it is public.
"""
