"""What users hold: cards, acts, rulesets, setups, states, views."""
