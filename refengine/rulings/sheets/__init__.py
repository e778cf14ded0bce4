"""Score sheets: what people wrote down, checked against what a deal can score."""
