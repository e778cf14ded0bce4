"""The rules, one module for each of chapters 1 to 9: small pure functions over masks.

Beneath the chapters lie the settings that they read, a ruleset lowered to plain values.
A chapter imports only the chapters before it. The room is compiled, and nothing in it
is public.
"""
