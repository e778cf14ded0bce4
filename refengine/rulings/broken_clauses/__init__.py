"""The clauses that somebody breaks who has a game wrong, from what they have wrong."""
