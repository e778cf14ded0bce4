"""Cases for a table: what can be asked of it, and the games that ask it."""
