"""The strength of the evidence: trials of every mutant, and a matrix of the clauses."""
