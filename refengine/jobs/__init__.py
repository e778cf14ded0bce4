"""Long work in many processes or on many machines, and a bar for its progress."""
