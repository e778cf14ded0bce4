"""The room in which an engine is asked which rules it plays."""
