"""Tightening an option only removes cards at a decision, except as listed here.

Each theorem is about one decision, with any values of all other options. Four need
`unless`: when a clause leaves less, a later clause, which always leaves something, may
have to give up.

- Hearts held back on a barred first trick, hearts worth nothing: of the queen and a
  heart the queen is left alone, and 5.5 has to leave her; with free hearts 5.5 takes
  her away and leaves the heart. So does 5.5b, on any trick, where the queen waits.
- The same where the leader of hearts and the queen may choose (5.4b).
- A first trick barred to points, with the duty of the queen: 5.5 takes the queen away,
  so 5.6 asks for nothing and all other cards are left; without the bar, she is owed.
  With a queen who waits and costs nothing: of her and a heart the bar leaves her alone,
  and 5.5b has to leave her; without the bar, 5.5b leaves the heart.
- A queen who waits in followers' hands too, with her duty: 5.5b takes her away, so 5.6
  asks for nothing; where she waits only to be led, she is owed.

What holds instead is proved of each clause alone: of the same cards allowed, its
tighter value leaves no more than the looser one.

Of a whole turn it is not true, nor should it be: where `all_hearts_leader` is `draw`, a
leader of hearts alone draws until another suit comes and leads that card, which the
looser value would never have brought into the hand. What holds instead is that at each
decision on the way nothing but the draw is open, and that the card that comes is the
only one to lead (`legality`, 6.2 and 6.4a).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import attrs

from refengine.machine import position
from refengine_conformance.proofs.decision import Decision, decision_theorem
from refengine_conformance.proofs.legality import (
    points_are_barred,
    queen_has_to_wait,
)
from refengine_conformance.proofs.lines import answer_of_function
from refengine_conformance.proofs.theorem import Theorem, any_holds, is_subset


@attrs.frozen
class Tighter:
    """Two values of an option, of which `tight` leaves no card that `loose` does not.

    Where `unless` holds it may; `why` says so in words. `clause` reads the option.
    """

    option: str
    tight: str
    loose: str
    clause: str
    unless: Callable[[Decision], Any] | None = None
    why: str = ""


def _barred_or_waiting(it: Decision) -> Any:
    """That points are barred, or that a queen has to wait."""
    return any_holds(points_are_barred(it), queen_has_to_wait(it))


TIGHTER: Final = (
    Tighter("opening_card", "lowest_club", "any_club", "5.2"),
    Tighter("opening_card", "any_club", "any", "5.2"),
    Tighter(
        "heart_leads",
        "when_broken",
        "free",
        "5.4",
        _barred_or_waiting,
        "points barred or a queen who waits",
    ),
    Tighter(
        "hearts_or_queen_leader",
        "queen",
        "any",
        "5.4",
        _barred_or_waiting,
        "points barred or a queen who waits",
    ),
    Tighter(
        "first_trick_points",
        "barred",
        "allowed",
        "5.5",
        lambda it: any_holds(it.is_("queen_duty", "when_safe"), queen_has_to_wait(it)),
        "a duty of the queen, or a queen who waits",
    ),
    Tighter("queen_waits", "lead", "no", "5.5b"),
    Tighter(
        "queen_waits",
        "play",
        "lead",
        "5.5b",
        lambda it: it.is_("queen_duty", "when_safe"),
        "a duty of the queen",
    ),
    Tighter("queen_duty", "when_safe", "no", "5.6"),
    Tighter("all_hearts_leader", "draw", "lead", "6.2"),
)


def _theorem_of_decision(pair: Tighter) -> Theorem:
    """That the tighter value leaves no more cards to play at any decision."""

    def claim(it: Decision) -> Any:
        tight = it.options.rules(4, **{pair.option: pair.tight})
        loose = it.options.rules(4, **{pair.option: pair.loose})
        kept = is_subset(
            position.playable(tight, it.position), position.playable(loose, it.position)
        )
        return kept if pair.unless is None else any_holds(pair.unless(it), kept)

    unless = f", without {pair.why}" if pair.why else ""
    title = f"{pair.option} {pair.tight} leaves no card that {pair.loose} does not"
    return decision_theorem(title + unless, pair.clause, claim)


def _theorem_of_clause(pair: Tighter) -> Theorem:
    """That the clause alone leaves no more allowed cards at the tighter value."""

    def claim(it: Decision) -> Any:
        tight = it.options.rules(4, **{pair.option: pair.tight})
        loose = it.options.rules(4, **{pair.option: pair.loose})
        return is_subset(
            answer_of_function(pair.clause, it, it.allowed, tight),
            answer_of_function(pair.clause, it, it.allowed, loose),
        )

    title = (
        f"{pair.clause} alone leaves no more cards at {pair.tight} than {pair.loose}"
    )
    return decision_theorem(title, pair.clause, claim)


def theorems() -> list[Theorem]:
    """A theorem for each two values, and for each narrowing clause that reads them."""
    return [
        *[_theorem_of_decision(pair) for pair in TIGHTER],
        *[
            _theorem_of_clause(pair)
            for pair in TIGHTER
            if pair.clause in dict(position.NARROWING)
        ],
    ]
