"""The law book as evidence against which any engine can be tested."""
