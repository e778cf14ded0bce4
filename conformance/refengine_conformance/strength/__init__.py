"""The strength of the evidence: which mutants it kills, and what shows each clause."""
