"""The engine with a fault in it: changes of its source, and processes that load it."""
