"""Seats, in the order of their turns."""

from __future__ import annotations

from refengine.chapters.settings import Rules
from refengine.chapters.table import next_in_turn


def round_from(rules: Rules, seat: int) -> list[int]:
    """All seats in the order of their turns, starting with this one (2.2)."""
    seats = [seat]
    while len(seats) < rules.players:
        seats.append(int(next_in_turn(rules, seats[-1])))
    return seats
