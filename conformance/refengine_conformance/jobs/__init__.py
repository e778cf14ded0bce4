"""Long work: its journals, the digests of its source, and its processes."""
