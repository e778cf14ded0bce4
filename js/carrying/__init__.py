"""The rules in JavaScript, carried over mechanically from the typed Python source."""
