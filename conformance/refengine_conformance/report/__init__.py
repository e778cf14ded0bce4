"""The report of a run: text, JSON lines, JUnit XML, Markdown, HTML."""
