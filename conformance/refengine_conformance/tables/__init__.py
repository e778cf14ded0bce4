"""Cases for a table: the clauses that can be tested there, and games that test them."""
