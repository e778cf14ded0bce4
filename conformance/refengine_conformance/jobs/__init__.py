"""Long work: its journals, the digests of what it depends on, and its processes."""
