"""The suite as pytest tests."""
