"""Score sheets: what people wrote down, held against what a deal can score."""
