"""Random rulesets and games, for Hypothesis, loops with seeds, and the corpus."""
