"""Fuzz tests for every function of the project that reads input from outside."""
