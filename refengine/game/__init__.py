"""The values of the public interface: cards, acts, rulesets, setups, states, views."""
