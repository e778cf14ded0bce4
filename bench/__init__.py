"""Times refengine against yardsticks measured in the same run: `make bench`."""
