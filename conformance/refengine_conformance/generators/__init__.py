"""Rulesets, and games by legal play, for Hypothesis, seeded loops and the corpus."""
