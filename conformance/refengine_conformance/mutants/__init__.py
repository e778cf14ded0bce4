"""The engine with a fault in it: changes to its source, and processes that load it."""
