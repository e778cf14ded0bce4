"""The fuzzing of every reader of the project."""
