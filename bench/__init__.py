"""What refengine costs, each row beside its yardstick in the same run: `make bench`."""
