"""A conformance run: what an adapter is asked, what it answers, and what is right."""
