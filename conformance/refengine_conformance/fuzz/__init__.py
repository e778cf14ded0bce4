"""Fuzz tests for every reader of the project."""
