"""Rulings in words: why an act is allowed or not, what follows, and who is right."""
