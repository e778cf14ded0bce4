"""Sparing draws: games of Domino Hearts in which one draw at a time is enough.

By chance the stock has mostly run out before the hands have, and what the book says of
a stock that is left decides nothing. So the stock is put in such an order that whoever
has to draw draws once, as long as it has the suit at all.
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
    played_again,
)
from refengine_conformance.tables.steady_random import SteadyRandom

_MOST_ACTS: Final = 200


def with_sparing_draws(table: Table, seed: int, number: int) -> Candidate | None:
    """The deal of the candidate with this number, its stock put in order and played.

    None if that is no deal as found with a stock.
    """
    if table.ruleset.options["undealt"] != "stock":
        return None
    one = candidate(table, seed, number, tried=False)
    start = None if one is None else one.script.start
    if not isinstance(start, Setup) or not start.stock:
        return None
    key = canonical([table.fields(), seed, number, "sparing draws"]).decode()
    with suppress(Malformed, Refused):
        script = _played(table, start, SteadyRandom(key))
        bare = Candidate(number, is_plain(table, number), script, {})
        return played_again(table, bare, script.start)
    return None


def _played(table: Table, start: Setup, rng: SteadyRandom) -> Script:
    state = State.open(table.ruleset, start)
    moves: list[Move] = []
    while not state.over and state.phase != "deal" and len(moves) < _MOST_ACTS:
        if state.legal.due.kind == "draw" and state.table is not None:
            drawn = len(start.stock) - len(state.stock)
            stock = _in_order(start.stock, drawn, state.table.cards)
            if stock != start.stock:
                start = attrs.evolve(start, stock=stock)
                state = State.open(table.ruleset, start).after(
                    *(one.act for one in moves)
                )
        act = state.random_act(rng)
        moves.append(Move(act))
        state = state.apply(act)
    return Script(table.ruleset, start, tuple(moves))


def _in_order(
    stock: tuple[Card, ...], drawn: int, on_table: Sequence[Card]
) -> tuple[Card, ...]:
    """The stock with a card of the suit led next, after those drawn already."""
    for place in range(drawn, len(stock)):
        if on_table and stock[place].suit is on_table[0].suit:
            rest = [*stock[drawn:place], *stock[place + 1 :]]
            return (*stock[:drawn], stock[place], *rest)
    return stock
