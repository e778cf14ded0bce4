"""The values that must be fast: card sets, what is legal, the state. Compiled."""
