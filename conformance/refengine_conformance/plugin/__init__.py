"""A pytest plugin that runs the conformance suite as tests."""
