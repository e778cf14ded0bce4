"""Checks, in one position, that the engine and the book allow the same."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final, cast

import attrs

from refengine.chapters import draw
from refengine.chapters.cards import EMPTY, Mask, card_at, numbers_of
from refengine.chapters.layout import Position
from refengine.chapters.settings import Rules
from refengine.chapters.table import PLAYING
from refengine.lawbook import formal
from refengine.lawbook.formal import Context
from refengine.lawbook.options import Value
from refengine.machine import judging, position
from refengine.machine.core import NO_CUT, NO_RECORD, NOTHING_DEALT, Core, DealStart
from refengine.machine.notation import CARD_TEXTS, write_sequence, write_set
from refengine_conformance.exhaustion.scope import (
    DRAWING,
    NARROWING,
    PACK,
    Cards,
    deciding_options,
)
from refengine_conformance.lawbook_checks.book_check import LINES

_CLAUSES: Final = (*NARROWING, *DRAWING)
"""The clauses consulted at a decision, in the order in which pairs are named."""


class WrongError(Exception):
    """Raised if something that must hold in every position does not hold in one."""


@attrs.frozen
class Verdict:
    """What may be done at a decision: whether to draw, and which cards may be played.

    `cards` are the legal cards and those accepted as revokes. `pairs` are the pairs of
    clauses that both forbid something at this decision.
    """

    draws: bool
    cards: tuple[Mask, ...]
    pairs: frozenset[str]


def verdict_on(
    rules: Rules, values: Mapping[str, Value], now: Position, trick: Cards
) -> Verdict:
    """Work out what may be done in a position, and check the engine against the book.

    Raises WrongError if they disagree, if a card that is not held is legal, or if
    nothing may be done.
    """
    flags = {
        "first_trick": now.piles.first,
        "hearts_broken": now.hearts_broken,
        "stock": draw.stock_holds_cards(now.talon),
        "drew": bool(now.drew),
    }
    given = [flag for flag, holds in flags.items() if holds]
    options = {name: values[name] for name in deciding_options()}
    held = numbers_of(now.hand)
    context = Context(held, held, trick, given, options)
    try:
        return _verdict_in_context(rules, now, context)
    except WrongError as fault:
        where = f"hand {write_set(now.hand)}, trick {write_sequence(trick) or '-'}"
        flags_given = ", ".join(given) or "nothing given"
        raise WrongError(f"{where}, {flags_given}: {fault}") from None


def _verdict_in_context(rules: Rules, now: Position, context: Context) -> Verdict:
    """The verdict in a position, which `context` describes for the formal lines.

    Raises WrongError as `verdict_on` does.
    """
    drawn = [
        number
        for number in DRAWING
        if any(formal.must_draw(line, context) for line in LINES[number])
    ]
    draws = bool(draw.draw_is_due(rules, now))
    legal = position.playable(rules, now)
    if draws != bool(drawn):
        raise WrongError(f"a draw is due by {drawn}, the engine says {draws}")
    if not draws and not legal:
        raise WrongError("deadlock")
    if legal & ~now.hand:
        raise WrongError(f"{write_set(Mask(legal & ~now.hand))} legal, but not held")
    core = _core(rules, now)
    narrowed = {} if drawn else _clauses_ruling_out(context)
    revokes: list[Mask] = []
    named: set[str] = set(drawn)
    for number in PACK:
        held = number in context.hand
        broken = judging.play_breaks(core, now.turn, number)
        not_held = () if held else ("5.7",)
        expected = narrowed.get(number, (*not_held, *drawn))
        _check_clauses(number, broken, expected, bool(legal & card_at(number)))
        if held:
            named |= set(broken)
            if judging.is_irregular(core, broken):
                revokes.append(card_at(number))
    pairs = {
        "+".join(pair) for pair in combinations(sorted(named, key=_CLAUSES.index), 2)
    }
    cards = [card_at(number) for number in numbers_of(legal)]
    return Verdict(draws, (*cards, *revokes), frozenset(pairs))


def _check_clauses(
    number: int, broken: tuple[str, ...], expected: tuple[str, ...], legal: bool
) -> None:
    """Check the clauses that the engine says the play of this card breaks.

    Raises WrongError if they are not the `expected` ones, or if the card is `legal` and
    breaks a clause, or is not and breaks none.
    """
    if broken != expected:
        raise WrongError(
            f"{CARD_TEXTS[number]} breaks {list(broken)}, by the book {list(expected)}"
        )
    if legal == bool(broken):
        said = "legal" if legal else "not legal"
        raise WrongError(f"{CARD_TEXTS[number]} is {said}, and breaks {list(broken)}")


@attrs.frozen
class _UncheckedContext:
    """The parts of a Context that formal lines read; none of them is validated."""

    hand: formal.Cards
    allowed: formal.Cards
    trick: Cards
    flags: frozenset[str]
    options: Mapping[str, Value]
    penalty: formal.Cards


def _with_allowed(context: Context, allowed: formal.Cards) -> Context:
    """The context with these cards allowed, for nothing but evaluating formal lines."""
    unchecked = _UncheckedContext(
        context.hand,
        allowed,
        context.trick,
        context.flags,
        context.options,
        context.penalty,
    )
    return cast(Context, unchecked)


def _clauses_ruling_out(context: Context) -> dict[int, tuple[str, ...]]:
    """For each card of the hand, the narrowing clauses that rule it out (0.7a).

    They are found from the formal lines alone.
    """
    named: dict[int, tuple[str, ...]] = dict.fromkeys(context.hand, ())
    allowed = context.allowed
    for clause in NARROWING:
        lines = LINES[clause]
        left = formal.cards_left_by(lines, _with_allowed(context, allowed))
        for number in context.hand:
            asked = left
            if number not in allowed:
                asked = formal.cards_left_by(
                    lines, _with_allowed(context, allowed | {number})
                )
            if number not in asked:
                named[number] += (clause,)
        allowed = left
    return named


def _core(rules: Rules, now: Position) -> Core:
    """A match that consists only of a deal in play at this position."""
    nobody = tuple(0 for _ in now.hands)
    return Core(
        rules,
        EMPTY,
        True,
        True,
        PLAYING,
        NO_CUT,
        DealStart(0, 1, nobody, False),
        NOTHING_DEALT,
        now,
        NO_RECORD,
        None,
    )
