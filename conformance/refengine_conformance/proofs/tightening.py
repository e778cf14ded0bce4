"""Tightening an option only removes cards at a decision, except as listed here.

Each theorem is about one decision, with all other options at any values. Four need
`unless`: where one clause leaves fewer cards, a later clause may find none that it
could leave, and then takes none away.

- `heart_leads`: on a first trick with points barred and hearts worth nothing, a seat
  holds the queen and a heart. If hearts are held back, 5.4 leaves only the queen, so
  5.5 leaves her too; if hearts are free, 5.5 takes her away and leaves the heart. If
  the queen waits, 5.5b does the same on any trick.
- `hearts_or_queen_leader`: the same holds for a leader who has only hearts and the
  queen, and must lead her (5.4b).
- `first_trick_points`: if the queen has a duty, the bar (5.5) takes her away, so 5.6
  asks for nothing and leaves all other cards; without the bar, she must be played. If
  she waits and costs nothing, and a seat holds her and a heart, the bar leaves only
  her, so 5.5b leaves her too; without the bar, 5.5b leaves the heart.
- `queen_waits`: if she waits in followers' hands too, and has a duty, 5.5b takes her
  away, so 5.6 asks for nothing; if she waits only on leads, she must be played.

What holds without exception is proved for each narrowing clause alone: given the same
allowed cards, it leaves no card at the tighter value that it does not leave at the
looser one.

Over a whole turn, tightening can rightly add a card: if `all_hearts_leader` is `draw`,
a leader with only hearts draws until a card of another suit turns up, and leads that
card, which the looser value would never have brought into the hand. What is proved
instead is that each decision on the way allows nothing but the draw, and that the card
drawn last is the only one that may be led (`legality`, 6.2 and 6.4a).
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
    """Two values of an option: `tight` leaves no card that `loose` does not leave.

    Decisions at which `unless` holds are excepted; `why` describes them in words.
    `clause` is the clause that reads the option.
    """

    option: str
    tight: str
    loose: str
    clause: str
    unless: Callable[[Decision], Any] | None = None
    why: str = ""


def _barred_or_waiting(it: Decision) -> Any:
    """Whether points are barred, or a queen has to wait."""
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
    """The theorem that the tighter value adds no card at any decision.

    Decisions at which `unless` holds are excepted.
    """

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
    """The theorem that the clause alone leaves no extra card at the tighter value."""

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
    """One theorem for each pair, and another for each with a clause in `NARROWING`."""
    return [
        *[_theorem_of_decision(pair) for pair in TIGHTER],
        *[
            _theorem_of_clause(pair)
            for pair in TIGHTER
            if pair.clause in dict(position.NARROWING)
        ],
    ]
