"""The values that must be fast, and are compiled: card sets, legal acts, states."""
