"""Games as people write them down, read loosely and written strictly."""
