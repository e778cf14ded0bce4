"""A run: what is asked of an adapter, what it answers, what is right."""
