"""Tests of any engine against the law book, and evidence of how strong they are."""
