"""Players' names in rulings on a game that somebody wrote down, in place of seats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Final

_CALLED: ContextVar[tuple[str, ...] | None] = ContextVar("called", default=None)
_SEATS: Final = r"\bseats? (\d{1,2}(?:, \d{1,2})*(?: and \d{1,2})?)\b"
_ONESELF: Final = frozenset({"i", "me", "we", "you"})


@contextmanager
def called(names: Sequence[str]) -> Iterator[None]:
    """In a `with` block, make rulings speak of a written game, with these names."""
    token = _CALLED.set(tuple(names))
    try:
        yield
    finally:
        _CALLED.reset(token)


def is_written() -> bool:
    """Whether rulings now speak of a written game, as in a `with called(...)` block."""
    return _CALLED.get() is not None


def by_name(text: str) -> str:
    """A sentence in which the seats are replaced by the names of their players.

    A player called I, me, we or you becomes, say, `seat 0 (me)`, since `me holds` is
    not English. Names already in the sentence stay, even one like `Seat 2 Ben`.
    """
    names = _CALLED.get() or ()

    def named(found: re.Match[str]) -> str:
        if found[1] is None:  # a name
            return found[0]
        seats = [int(one) for one in re.findall(r"\d+", found[1])]
        if any(seat >= len(names) for seat in seats):
            return found[0]
        return re.sub(r"\d+", lambda one: _name(names, int(one[0])), found[1])

    return _names_and_seats(names).sub(named, text) if names else text


@cache
def _names_and_seats(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern that matches mentions of seats, and names that contain one."""
    like = [name for name in names if re.search(_SEATS, name, re.IGNORECASE)]
    words = [re.escape(name) for name in sorted(like, key=len, reverse=True)]
    known = [rf"(?<!\w){word}(?!\w)" for word in words]
    return re.compile("|".join([*known, _SEATS]), re.IGNORECASE)


def _name(names: Sequence[str], seat: int) -> str:
    name = names[seat]
    return f"seat {seat} ({name})" if name.casefold() in _ONESELF else name
