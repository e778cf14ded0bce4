"""Explanations of rulings: why an act is allowed or not, and what follows from it."""
