"""The rules, a module for each chapter from 1 to 9: small pure functions over masks.

Below the chapters stand the settings that they read, a ruleset lowered to plain values.
A chapter imports only chapters before it. Compiled; nothing here is public.
"""
