"""Every deal of a few cards, and every position in its play."""
