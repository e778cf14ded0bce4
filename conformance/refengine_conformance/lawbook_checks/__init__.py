"""The book held against the source: registry, page of profiles, formal lines."""
