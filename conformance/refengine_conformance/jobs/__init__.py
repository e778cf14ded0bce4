"""Long work: its journal, what a digest of it covers, and the processes it runs in."""
