"""Records of what a seat knows, deals that fit them, and the search for good acts."""
