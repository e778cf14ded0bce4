"""Environments to learn in; they need the extra `rl`, which nothing else imports."""
