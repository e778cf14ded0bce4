"""Makes deals for an engine whose rules are not known.

The cards lie, and are played, in many different ways. Since engines differ in the deals
that they can begin, there are several shapes of deal: whole hands and small ones, with
or without a stock or a kitty.
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
    """The form of a deal: the size of the hands, the pack, and where the rest goes.

    `talon` is `none`, `stock` or `kitty`.
    """

    size: int
    talon: str
    pack: tuple[Card, ...]


def shapes_of_deal(sent: Ruleset, hands: int | str) -> tuple[Shape, ...]:
    """The shapes in which deals are offered to an engine, in order.

    The first is that of the ruleset itself. If `hands` is `any`, others follow: whole
    hands of the 52 cards, and then small hands with a stock.
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
    """The shapes in which the 52 cards are dealt out as far as possible.

    If they cannot be dealt out evenly, the lowest cards are left out, or the cards left
    over form a stock. There may also be a shape with a kitty, which holds the cards
    that are not dealt (3.4a).
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

    If the shape leaves out other cards than the ruleset does, such as the two of clubs
    in place of the two of diamonds (3.3, 3.3a), the table has the cards of the shape.
    """
    own = Table(ruleset=ruleset, hands="full")
    pack = CardSet(shape.pack)
    whole = own.full_hand == shape.size and len(own.whole_pack) == len(pack)
    if whole and pack != own.whole_pack:
        return Table(ruleset=ruleset, hands=shape.size, starts=("deal",), cards=pack)
    hands = "full" if whole else shape.size
    return Table(ruleset=ruleset, hands=hands, starts=("deal",))


def deal_to_lead(sent: Ruleset, shape: Shape, number: int) -> LedDeal:
    """The deal number `number` in this shape, which is the same on every machine.

    Deals with even numbers have dealer 0 and are the first of a match. No deal has
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
