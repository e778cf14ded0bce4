"""Compares two rulesets by the shortest game that they judge differently."""
