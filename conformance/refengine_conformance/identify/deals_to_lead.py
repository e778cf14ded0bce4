"""Deals for an engine whose rules are not known: many layouts and ways of playing.

Engines differ in the deals that they can begin, so there are several shapes of deal:
whole hands and small ones, with or without a stock or a kitty.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

from refengine.chapters.cards import EMPTY
from refengine.chapters.deal import match_pack
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.cardset import WHOLE_PACK, Card, CardSet
from refengine_conformance.identify.led_games import LedDeal
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.layouts import PATTERNS, lay_out
from refengine_conformance.tables.likings import LIKINGS
from refengine_conformance.tables.steady_random import SteadyRandom

_WHOLE: Final = tuple(WHOLE_PACK)
_SMALL: Final = (6, 5, 7, 8, 10)  # cards per seat
_LATER: Final = 6  # every cycle of passes comes round within this many deals
_LOWEST_LEFT_OUT: Final = "pokerwiner-hearts"  # a profile for 2 to 13 players


@attrs.frozen
class Shape:
    """How many cards a seat holds, where the rest go, and which cards are in play.

    `talon` is `none`, `stock` or `kitty`.
    """

    size: int
    talon: str
    pack: tuple[Card, ...]


def shapes_of_deal(sent: Ruleset, hands: int | str) -> tuple[Shape, ...]:
    """The shapes of deal to offer, starting with the ruleset's own.

    If `hands` is `any`, others follow: whole hands of the 52 cards, then small ones
    with a stock.
    """
    own = Table(ruleset=sent, hands="full")
    size = hands if isinstance(hands, int) else own.full_hand
    pack = tuple(own.whole_pack)
    talon = str(sent.options["undealt"]) if size * sent.players < len(pack) else "none"
    found = [Shape(size, talon, pack)]
    if hands == "any":
        found += _whole_hands(sent)
        full = len(WHOLE_PACK) // sent.players
        found += [Shape(one, "stock", _WHOLE) for one in _SMALL if one < full]
    return tuple(dict.fromkeys(found))


def _whole_hands(sent: Ruleset) -> Iterator[Shape]:
    """The shapes in which each seat holds as many of the 52 cards as can be dealt.

    If the pack cannot be dealt out evenly, its lowest cards are left out, or the cards
    left over form a stock. A kitty holds what the hands leave over (3.4a).
    """
    size, over = divmod(len(WHOLE_PACK), sent.players)
    if not over:
        yield Shape(size, "none", _WHOLE)
    else:
        # Not a change to the ruleset sent: some need a kitty at their table (2.6).
        fewer = Ruleset(_LOWEST_LEFT_OUT, sent.players)
        mask = match_pack(fewer.rules, EMPTY)
        yield Shape(size, "none", tuple(CardSet.of_mask(mask)))
    beside = 12 if sent.players == 4 else size
    if beside * sent.players < len(WHOLE_PACK):
        yield Shape(beside, "kitty", _WHOLE)
    if over:
        yield Shape(size, "stock", _WHOLE)


def table_of_shape(ruleset: Ruleset, shape: Shape) -> Table:
    """A table at which deals of this shape are played.

    If the cards that the shape leaves out are not those that the ruleset leaves out,
    such as the two of clubs instead of the two of diamonds (3.3, 3.3a), the table is
    given the shape's cards.
    """
    own = Table(ruleset=ruleset, hands="full")
    pack = CardSet(shape.pack)
    whole = own.full_hand == shape.size and len(own.whole_pack) == len(pack)
    if whole and pack != own.whole_pack:
        return Table(ruleset=ruleset, hands=shape.size, starts=("deal",), cards=pack)
    hands = "full" if whole else shape.size
    return Table(ruleset=ruleset, hands=hands, starts=("deal",))


def deal_to_lead(sent: Ruleset, shape: Shape, number: int) -> LedDeal:
    """The deal with this shape and number, which is the same on every machine.

    Deals with an even number have dealer 0 and are the first of a match. No deal has
    totals.
    """
    players = sent.players
    seed = f"identify {players} {shape.size} {shape.talon} {number}"
    rng = SteadyRandom(seed)
    subject = rng.randrange(players)
    pattern = PATTERNS[number % len(PATTERNS)]
    pack = list(shape.pack)
    hand = pattern(rng, shape.size, pack)
    layout = lay_out(rng, hand, subject, players, shape.size, pack, shape.talon)
    plain = number % 2 == 0
    setup = Setup(
        dealer=0 if plain else rng.randrange(players),
        deal=1 if plain else 1 + (number // 2) % _LATER,
        hands=layout.hands,
        stock=layout.stock,
        kitty=layout.kitty,
    )
    return LedDeal(setup, LIKINGS[number % len(LIKINGS)](subject), seed)
