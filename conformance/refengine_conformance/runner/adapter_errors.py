"""The adapter's own errors: what it answered with `error`, and how often.

An error says that the adapter failed, not that its engine breaks a rule: the game ends
there, and no clause is blamed for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import attrs

from refengine.errors import harmless

_LONGEST: Final = 120
_VARIES: Final = re.compile(r"0x[0-9a-fA-F]+|\d+")
_ASKED: Final = {
    "open": "asked to begin",
    "legal": "asked what is due",
    "probe": "asked about an act",
    "step": "asked to make an act",
    "observe": "asked what is to be seen",
    "event": "asked what a seat was told",
    "replay": "asked to replay it",
    "enumerate": "asked to count its games",
}


@attrs.frozen
class Thrown:
    """An `error` that an adapter answered: the step, the op and the text of the error.

    `step` counts from 1; it is 0 if the error did not come at a step.
    """

    step: int
    op: str
    text: str

    @property
    def message(self) -> str:
        """The first line of the text that is not blank, shortened, or "no message"."""
        lines = (" ".join(line.split()) for line in self.text.splitlines())
        return harmless(next(filter(None, lines), "no message"), _LONGEST)

    @property
    def place(self) -> str:
        """Where it happened, for a reader: the step, if any, and what was asked."""
        step = f"step {self.step}, " if self.step else ""
        return f"{step}{_ASKED.get(self.op, self.op)}"

    @property
    def note(self) -> str:
        """One sentence on how the game ended."""
        return f"the adapter's own error: {self.message} ({self.place})"


@attrs.frozen
class AdapterError:
    """One of the adapter's own errors, how many games it ended, and the first one."""

    message: str
    count: int
    first: str

    @property
    def sentence(self) -> str:
        """One sentence on the error, for a reader."""
        times = "once" if self.count == 1 else f"{self.count} times"
        return f"your adapter failed {times} with {self.message}, first at {self.first}"


def count_errors(errors: Iterable[tuple[str, Thrown]]) -> tuple[AdapterError, ...]:
    """The errors in these pairs of a game's id and its error, the most frequent first.

    Messages that differ only in their numbers, such as a line number or an address,
    count as one error, which is shown with the first of these messages.
    """
    found: dict[str, AdapterError] = {}
    for name, thrown in errors:
        alike = _VARIES.sub("0", thrown.message)
        new = AdapterError(thrown.message, 0, f"{name}, {thrown.place}")
        known = found.get(alike, new)
        found[alike] = attrs.evolve(known, count=known.count + 1)
    return tuple(sorted(found.values(), key=lambda one: -one.count))
