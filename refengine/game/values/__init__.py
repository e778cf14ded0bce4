"""Values that are compiled because they must be fast: card sets, legal acts, states."""
