"""The programs of docs/cookbook.md, each of them complete."""
