"""Answers to questions about the rules that come up at a card table.

Each kind of question has its answer as a Python value, as text and as JSON.
"""
