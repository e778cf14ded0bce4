"""Searching from what a seat knows: its record, the deals that fit it, and playouts."""
