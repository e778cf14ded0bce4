"""The clauses that wrong answers about a game go against, inferred from the answers."""
