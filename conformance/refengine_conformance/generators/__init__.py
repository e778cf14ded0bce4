"""Games and rulesets by legal play: for Hypothesis, seeded loops and the corpus."""
