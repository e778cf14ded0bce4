"""Every kind of question a table asks, and its answer as a value, text and JSON."""
