"""What long work leaves behind: a journal, and what a digest of it is made of."""
