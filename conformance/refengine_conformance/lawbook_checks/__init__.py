"""The book compared with the source: registry, page of profiles, formal lines."""
