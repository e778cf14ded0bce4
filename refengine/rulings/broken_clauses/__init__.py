"""Inferring which clauses an engine gets wrong from its wrong answers about a game."""
