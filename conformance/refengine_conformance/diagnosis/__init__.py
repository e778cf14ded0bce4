"""After a run: rules that explain the engine, and the smallest game for each fault."""
