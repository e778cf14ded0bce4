"""Score sheets as people keep them, checked against the scores that are possible."""
