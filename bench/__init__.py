"""What refengine costs, timed against yardsticks in the same run: `make bench`."""
