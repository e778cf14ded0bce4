"""Cases for a table: the clauses that can be tested at it, and the games that do so."""
