"""How strong the evidence is: every mutant tried, every clause in one matrix."""
