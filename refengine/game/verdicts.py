"""The three verdicts on an act: legal, irregular, refused.

Clauses 0.7, 0.7a.
"""

from __future__ import annotations

import attrs

from refengine.errors import Malformed, shown
from refengine.game.acts import Act
from refengine.lawbook.book import title


def _to_clauses(value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return tuple(value)
    allowed = 'a tuple of clauses, such as ("5.3",)'
    raise Malformed(shown(value)[:40], allowed, "clauses")


@attrs.frozen
class Legal:
    """The verdict on an act that no clause forbids."""


@attrs.frozen
class Irregular:
    """The verdict on a revoke that clauses forbid but the ruleset accepts (7.2).

    Raises Malformed unless `clauses` is a tuple or a list of strings.
    """

    clauses: tuple[str, ...] = attrs.field(converter=_to_clauses)


class Refused(Exception):
    """The verdict, also raised as an error, that clauses forbid an act or a game.

    `clauses` holds the numbers of these clauses in the order of the book; `what` is the
    act refused, or a phrase for the ruleset or the start of a game. Two refusals are
    equal if their `clauses` and their `what` are. For a ruleset, `asked` holds the
    profile, number of players and option values from which the message is made; for a
    start, it holds the ruleset and the start; and for an act, it is empty.
    """

    __match_args__ = ("clauses", "what")

    def __init__(
        self, clauses: tuple[str, ...], what: Act | str, asked: tuple[object, ...] = ()
    ) -> None:
        super().__init__(clauses, what)
        self.clauses = clauses
        self.what = what
        self.asked = asked

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refused) and self.args == other.args

    def __hash__(self) -> int:
        return hash(self.args)

    def __repr__(self) -> str:
        return f"Refused({self.clauses!r}, {self.what!r})"

    def __str__(self) -> str:
        return "; ".join([self.brief, *self.details])

    @property
    def details(self) -> tuple[str, ...]:
        """Phrases that say why a ruleset or a start is refused, and which changes help.

        For an act that is refused, there are none.
        """
        if not self.asked:
            return ()
        # Imported only now: most refusals are never printed.
        from refengine.game.openings_in_words import why_refused

        return tuple(why_refused(self.clauses, self.asked))

    @property
    def brief(self) -> str:
        """What is refused, and the clauses with their titles."""
        if isinstance(self.what, str):
            subject = f"{self.what} is refused"
        else:
            subject = f"seat {self.what.seat} may not {self.what.phrase}"
        reasons = [f"{number} {title(number)}".strip() for number in self.clauses]
        return f"{subject}: {', '.join(reasons)}"


Verdict = Legal | Irregular | Refused
