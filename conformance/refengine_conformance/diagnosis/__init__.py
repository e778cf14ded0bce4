"""After a run: the rules that explain an engine, and the smallest game as proof."""
