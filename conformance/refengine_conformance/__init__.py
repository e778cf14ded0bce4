"""The law book as evidence: what any engine can be held against."""
