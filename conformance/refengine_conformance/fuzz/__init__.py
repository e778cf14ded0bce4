"""Every reader of the project under fuzz."""
