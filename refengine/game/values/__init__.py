"""The values that have to be quick: card sets, what is legal, the state. Compiled."""
