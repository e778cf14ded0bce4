"""Deals games of the corpus anew for a table, and plays them at random.

What is kept of a game is its shape: how it begins, how many cards it has, its dealer,
the number of its deal, and the totals before it. A game dealt anew keeps as much of the
shape as the table allows, but has other cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.generate import Manner, random_trace
from refengine.formats.trace import Trace, canonical
from refengine.game.setups import Match, Setup, Start
from refengine.game.shuffling import shuffled
from refengine.game.values.cardset import Card, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine_conformance.runner.table import Table, hands_and_pack
from refengine_conformance.tables.corpus_lines import CorpusLine

_DEALS: Final = Manner(refusals=2)
_MATCHES: Final = Manner(refusals=1, most_acts=160)
"""Enough acts for two deals of whole hands: what is reset shows in the second."""
_BESIDE: Final = {"stock": 6, "kitty": 1}
"""How many cards are left over when hands are small, for a stock and for a kitty."""


def mixed(lines: list[CorpusLine], seed: int) -> list[CorpusLine]:
    """The same lines, in an order that depends on the seed and on their ids alone."""

    def place(line: CorpusLine) -> bytes:
        return sha256(f"{seed}/{line.id}".encode()).digest()

    return sorted(lines, key=place)


def dealt_anew(table: Table, shape: CorpusLine, seed: int) -> Trace | None:
    """A random game at the table in the shape of this line, or None if none fits."""
    key = f"{canonical(table.fields()).decode()}/{seed}/{shape.id}"
    rng = Random(key)
    for start in _starts(table, shape, rng):
        if table.why_not(start):
            continue
        manner = _MATCHES if isinstance(start, Match) else _DEALS
        try:
            return random_trace(table.ruleset, start, rng, manner, f"as {shape.id}")
        except (Refused, Malformed):
            continue
    return None


def _starts(table: Table, shape: CorpusLine, rng: Random) -> Iterator[Start]:
    """Starts with the shape of this game; any with its totals come first.

    There are none if fewer cards are in play than the table needs.
    """
    cards = _cards(table, shape, rng)
    if not cards:
        return
    size = _hand_size(table, shape)
    start, players = shape.start, table.ruleset.players
    if isinstance(start, Match):
        dealer = None if start.dealer is None else start.dealer % players
        pack = CardSet(cards)
        # With a kitty, naming the whole pack may make the hands larger (3.10).
        unnamed = pack == table.whole_pack and size == table.full_hand
        yield Match(dealer, CardSet() if unnamed else pack)
        return
    for setup in _deals(table, start, cards, size):
        if start.leader is None:
            yield setup
        elif (played := _played_on(table, setup, rng)) is not None:
            yield played


def _hand_size(table: Table, shape: CorpusLine) -> int:
    """How many cards a seat is dealt, as the table, the ruleset or the shape says."""
    rules = table.ruleset.rules
    if table.hand is not None:
        return table.hand
    if rules.hand_size and isinstance(shape.start, Match):
        return int(rules.hand_size)
    most = len(table.whole_pack) // rules.players
    return min(most, hands_and_pack(shape.ruleset, shape.start)[0])


def _cards(table: Table, shape: CorpusLine, rng: Random) -> list[Card]:
    """The cards in play in random order, including those that the table needs.

    The list is empty if fewer cards are in play than the table needs.
    """
    if table.whole:
        return shuffled(table.whole_pack, rng)
    players = table.ruleset.players
    beside = _BESIDE.get(str(table.ruleset.options["undealt"]), 0)
    number = min(_hand_size(table, shape) * players + beside, len(table.whole_pack))
    others = shuffled(table.whole_pack - table.cards, rng)
    if len(table.cards) > number:
        return []
    return shuffled(table.cards | CardSet(others[: number - len(table.cards)]), rng)


def _deals(table: Table, shape: Setup, cards: list[Card], size: int) -> Iterator[Setup]:
    """Setups with hands of this size dealt in order, the rest being stock or kitty.

    The first has the totals of the shape, if there is one for each player; another has
    no totals.
    """
    players = table.ruleset.players
    dealt = size * players
    rest = cards[dealt:]
    kitty = table.ruleset.options["undealt"] == "kitty"
    setup = Setup(
        dealer=shape.dealer % players,
        deal=shape.deal,
        hands=[CardSet(cards[at : at + size]) for at in range(0, dealt, size)],
        stock=() if kitty else rest,
        kitty=CardSet(rest) if kitty else CardSet(),
    )
    if shape.totals is not None and len(shape.totals) == players:
        yield attrs.evolve(setup, totals=shape.totals)
    yield setup


def _played_on(table: Table, setup: Setup, rng: Random) -> Setup | None:
    """A position some way into the play of this deal.

    None if the deal cannot begin, or if it ends first: no deal follows it (3.12).
    """
    try:
        state = State.open(table.ruleset, setup)
    except (Refused, Malformed):
        return None
    acts_left = int(rng.random() * sum(map(len, setup.hands)))
    while not state.over and (state.phase != "play" or acts_left > 0):
        if state.phase == "play":
            acts_left -= 1
        state = state.apply(state.random_act(rng))
    return Setup.of(state) if state.phase == "play" else None
