"""What refengine costs, each row and its yardstick in the same run: `make bench`."""
