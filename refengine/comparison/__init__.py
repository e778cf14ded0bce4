"""Two rulesets: the shortest game that they judge differently."""
