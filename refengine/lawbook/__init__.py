"""The law book as data: clauses, options, profiles, formal lines, citations."""
