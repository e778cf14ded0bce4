"""Who checks the runner: bad adapters, and faults planted in an example engine."""
