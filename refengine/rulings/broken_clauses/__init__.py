"""The clauses that wrong answers about a game go against, told from the answers."""
