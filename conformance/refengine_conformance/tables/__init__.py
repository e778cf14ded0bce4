"""Cases for a table: which clauses can be tested there, and the games that do it."""
