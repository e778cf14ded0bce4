"""Two rulesets compared: the shortest game that they judge differently."""
