"""A run on paper: text, JSON lines, JUnit XML, Markdown, HTML."""
