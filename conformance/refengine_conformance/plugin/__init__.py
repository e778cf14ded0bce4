"""The conformance suite as pytest tests."""
