"""Finding out which rules an engine plays, from its answers in games."""
