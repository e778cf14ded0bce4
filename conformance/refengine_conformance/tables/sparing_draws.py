"""Makes games of Domino Hearts in which one draw is usually enough.

In a random game, the stock usually runs out before the hands do, so that what the book
says about the cards left in the stock makes no difference. Here the stock is ordered so
that a seat that must draw finds the suit with its first draw, if the stock has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.trace import canonical
from refengine.game.setups import Setup
from refengine.game.values.cardset import Card
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine_conformance.generators.strategies import Move, Script
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.candidates import (
    Candidate,
    candidate,
    is_plain,
    with_moments,
)
from refengine_conformance.tables.steady_random import SteadyRandom

_MOST_ACTS: Final = 200


def with_sparing_draws(table: Table, seed: int, number: int) -> Candidate | None:
    """A random game that begins as this candidate does, but with the stock reordered.

    None if there is no such candidate, if it begins without a stock, or if the game
    cannot be played.
    """
    if table.ruleset.options["undealt"] != "stock":
        return None
    usual = candidate(table, seed, number, tried=False)
    if usual is None:
        return None
    start = usual.script.start
    if not isinstance(start, Setup) or not start.stock:
        return None
    key = canonical([table.fields(), seed, number, "sparing draws"]).decode()
    with suppress(Malformed, Refused):
        script = _played(table, start, SteadyRandom(key))
        bare = Candidate(number, is_plain(table, number), script, {})
        return with_moments(bare)
    return None


def _played(table: Table, start: Setup, rng: SteadyRandom) -> Script:
    """A random game from this beginning, to the end of the deal or for 200 acts.

    When a draw is due, the stock is reordered, and the acts so far are applied again
    from the beginning with that stock.
    """
    state = State.open(table.ruleset, start)
    moves: list[Move] = []
    while not state.over and state.phase != "deal" and len(moves) < _MOST_ACTS:
        if state.legal.due.kind == "draw" and state.table is not None:
            drawn = len(start.stock) - len(state.stock)
            stock = _with_suit_led_next(start.stock, drawn, state.table.cards)
            if stock != start.stock:
                start = attrs.evolve(start, stock=stock)
                acts = [move.act for move in moves]
                state = State.open(table.ruleset, start).after(*acts)
        act = state.random_act(rng)
        moves.append(Move(act))
        state = state.apply(act)
    return Script(table.ruleset, start, tuple(moves))


def _with_suit_led_next(
    stock: tuple[Card, ...], drawn: int, on_table: Sequence[Card]
) -> tuple[Card, ...]:
    """The stock with a card of the suit led put right after the cards already drawn.

    The stock is unchanged if no suit is led, or if it has no card of that suit left.
    """
    if not on_table:
        return stock
    led = on_table[0].suit
    for place in range(drawn, len(stock)):
        if stock[place].suit is led:
            passed_over = stock[drawn:place]
            return (*stock[:drawn], stock[place], *passed_over, *stock[place + 1 :])
    return stock
