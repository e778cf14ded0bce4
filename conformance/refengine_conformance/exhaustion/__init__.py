"""Checks the engine in every position that can arise from any deal of a few cards."""
