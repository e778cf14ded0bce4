"""What refengine costs, each row timed with its yardstick in one run: `make bench`."""
