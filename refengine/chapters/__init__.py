"""The rules, one module for each of chapters 1 to 9: small pure functions over masks.

The chapters read the settings, which are a ruleset lowered to plain values. A chapter
imports only the chapters before it. The package is compiled, and none of it is public.
"""
