"""The games that a table is asked: built for it, and shown to need their clauses."""
