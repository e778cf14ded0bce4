"""After a run: which rules explain an engine, and the smallest game that shows it."""
