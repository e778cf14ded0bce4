"""Makes mutants, which are engines with a fault, and the processes that load them."""
