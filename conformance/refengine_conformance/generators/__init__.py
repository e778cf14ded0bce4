"""Rulesets, and games of legal play, for Hypothesis, seeded loops and the corpus."""
