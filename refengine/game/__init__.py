"""The values that users hold: cards, acts, rulesets, setups, states and views."""
