"""The law book as data: its clauses, options, profiles, formal lines and citations."""
