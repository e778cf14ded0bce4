"""Long work: its journal, what a digest covers, and the processes that it runs in."""
