"""Inferring the direction of the pass from lines that say who passed to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

_SIDES: Final = "nesw"


@attrs.define
class Receivers:
    """The passes of a deal, as far as its lines have said who passed to whom.

    `players` holds the names in the order in which the players sit. If it is empty, the
    lines name points of the compass or numbers of seats. `number` is the number of
    players, or 0 if no line states it. `told` says whether a line has stated the
    direction of the pass.
    """

    players: Sequence[str]
    number: int
    told: bool = False
    given: list[tuple[int, int, int]] = attrs.field(factory=list)

    def add(self, line: int, giver: str, receiver: str) -> None:
        """Note that a player passed to another, if both are known."""
        one, other = self._place(giver), self._place(receiver)
        if min(one, other) >= 0:
            self.given.append((line, one, other))

    def _place(self, who: str) -> int:
        """The seat of a player, or -1 if it is not known."""
        if self.players:
            return self.players.index(who) if who in self.players else -1
        seat = re.fullmatch(r"seat ?(\d{1,2})", who, re.IGNORECASE)
        return int(seat[1]) if seat else _SIDES.find(who[:1].casefold())

    def _size(self) -> int:
        """The number of players: as stated, or those who pass to one another, or 4."""
        if self.number:
            return self.number
        givers = {giver for _, giver, _ in self.given}
        met = givers | {other for _, _, other in self.given}
        return len(met) if givers == met == {*range(len(met))} else len(_SIDES)

    def way(self) -> Iterator[tuple[int, str]]:
        """Yield a line that states the direction of the pass, if it can be inferred.

        Nothing is yielded if a line of the deal states it already, or if not all passes
        went the same way.
        """
        size = self._size()
        steps = {(other - one) % size for _, one, other in self.given}
        words = {1: "left", size - 1: "right", size / 2: "across"}
        if len(steps) == 1 and not self.told and size > 2:
            word = words.get(steps.pop())
            if word is not None:
                self.told = True
                yield self.given[0][0], f"pass: {word}"
        self.given = []

    def begin(self) -> None:
        """Forget the passes of the deal, because another deal begins."""
        self.told, self.given = False, []
