"""Plays the same deals in OpenSpiel's Hearts and in this engine, and compares them."""
