"""Positions typed by hand, in which one hand is known and the others are made up.

The made-up hands satisfy what the book requires of a position (3.12a), and nothing that
is said about the known hand depends on them.
"""

from __future__ import annotations

from typing import Final

import attrs

from refengine.chapters.cards import card_at
from refengine.chapters.play import breaks_hearts
from refengine.errors import Malformed, counted, how_many
from refengine.game.acts import Draw, to_seat, to_sequence
from refengine.game.openings_in_words import malformed_opening
from refengine.game.rulesets import Ruleset
from refengine.game.seats import round_from
from refengine.game.setups import Setup
from refengine.game.values.cardset import CARDS, WHOLE_PACK, Card, CardSet, Suit
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.rulings.asking.played_deals import pack_of
from refengine.rulings.sentences import ALLOWED, GRANTED

_STOCK: Final = 4
_PLAIN_FIRST: Final = tuple(
    sorted(CARDS, key=lambda card: (card.suit is Suit.CLUBS, -card.number))
)
"""All cards in the order in which hands are made up: the lowest clubs last."""


def _to_stock(value: object) -> int | None:
    return None if value is None else how_many(value, "stock")


@attrs.frozen(kw_only=True)
class ByHand:
    """A position as somebody typed it, with defaults for what is assumed.

    `trick` holds the cards on the table in the order played, and `drew` the cards of
    the hand that were drawn in this turn. `stock` is the number of cards in the stock;
    if it is None, the number depends on the ruleset. `leader` is the seat that leads or
    led.
    """

    ruleset: Ruleset
    hand: CardSet = attrs.field(converter=CardSet)
    trick: tuple[Card, ...] = attrs.field(default=(), converter=to_sequence)
    leader: int = attrs.field(default=0, converter=to_seat)
    first_trick: bool = False
    hearts_broken: bool = False
    drew: tuple[Card, ...] = attrs.field(default=(), converter=to_sequence)
    stock: int | None = attrs.field(default=None, converter=_to_stock)

    @property
    def has_stock(self) -> bool:
        """Whether the ruleset has a stock."""
        return self.ruleset.options["undealt"] == "stock"

    @property
    def stock_size(self) -> int:
        """The number of cards in the stock."""
        default = _STOCK if self.has_stock else 0
        return default if self.stock is None else self.stock

    @property
    def broken(self) -> bool:
        """Whether hearts are broken, as stated or by a card on the table (5.9)."""
        rules = self.ruleset.rules
        return self.hearts_broken or any(
            breaks_hearts(rules, card_at(card.number)) for card in self.trick
        )

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What is assumed apart from the cards, in one sentence for each point."""
        told = [GRANTED["first trick" if self.first_trick else "other trick"]]
        told.append(GRANTED["broken" if self.broken else "unbroken"])
        if self.has_stock:
            size = counted(self.stock_size, "card")
            told.append(GRANTED["stock"].format(size=size))
        return tuple(told)


def open_typed_position(typed: ByHand) -> State:
    """The state of this position, in which the seat that holds the hand is to act.

    Raises Malformed if a card is given twice or was drawn but is not held, if the hand
    was empty before the draw, if there are too many cards for the trick or the pack, if
    the leader is not at the table, or if the book does not allow the position.
    """
    try:
        state = State.open(typed.ruleset, _setup(typed))
        for card in typed.drew:
            state = state.apply(Draw(state.turn[0]))
            assert card in state.hands[state.turn[0]]
    except Refused as refused:
        if refused.clauses == ("3.12v",):
            raise _led_by_another(typed) from None
        raise malformed_opening(refused) from None
    return state


def _led_by_another(typed: ByHand) -> Malformed:
    """The error if the hand may not lead to the first trick, or if it has to (5.1)."""
    if not typed.trick:
        found = "a hand that does not lead to the first trick: another has a lower club"
        return Malformed(f"{found} (5.1)", ALLOWED["not leading"], "hand")
    found = "the hand that leads to the first trick: no other can have a lower club"
    return Malformed(f"{found} (5.1)", ALLOWED["leading"], "hand")


def _setup(typed: ByHand) -> Setup:
    """The position, with hands and a stock made up for what is not known.

    Raises Malformed if the cards or the leader are impossible at this table.
    """
    _check(typed)
    players = typed.ruleset.players
    hand = CardSet(card for card in typed.hand if card not in typed.drew)
    rest = _unseen(typed)
    sizes = _sizes(typed, len(hand), len(rest))
    hands = [CardSet() for _ in range(players)]
    for place, seat in enumerate(round_from(typed.ruleset.rules, typed.leader)):
        if place == len(typed.trick):
            hands[seat] = hand
        elif place == 0:  # the leader has the lowest clubs, as an opening leader would
            hands[seat] = CardSet(rest[len(rest) - sizes[0] :])
            rest = rest[: len(rest) - sizes[0]]
        else:
            hands[seat] = CardSet(rest[: sizes[place]])
            rest = rest[sizes[place] :]
    return Setup(
        dealer=(typed.leader - 1) % players,
        hands=hands,
        stock=(*typed.drew, *rest[: typed.stock_size]),
        leader=typed.leader,
        trick=typed.trick,
        hearts_broken=typed.broken,
        first_trick=typed.first_trick,
    )


def _check(typed: ByHand) -> None:
    """Raise Malformed if a card is in the wrong place, or if no such seat can lead."""
    players = typed.ruleset.players
    for card in typed.drew:
        if card not in typed.hand:
            raise Malformed(f"{card}", ALLOWED["held"], "drew")
    for card in typed.trick:
        if card in typed.hand:
            raise Malformed(f"{card} on the table and in the hand", ALLOWED["once"])
    if len(typed.trick) >= players:
        raise Malformed(f"{len(typed.trick)} cards", ALLOWED["trick"], "trick")
    if not 0 <= typed.leader < players:
        allowed = ALLOWED["seat"].format(last=players - 1)
        raise Malformed(f"seat {typed.leader}", allowed, "leader")


def _unseen(typed: ByHand) -> list[Card]:
    """The cards neither in the hand nor on the table, in the order of making up hands.

    If one of those is not in the pack of the ruleset, the game has a pack of its own,
    and the whole pack is taken for it.
    """
    used = {*typed.hand, *typed.trick}
    pack = pack_of(typed.ruleset)
    if not all(card in pack for card in used):
        pack = WHOLE_PACK
    return [card for card in _PLAIN_FIRST if card in pack and card not in used]


def _sizes(typed: ByHand, held: int, unseen: int) -> list[int]:
    """The number of cards in each hand, in the order of turns from the leader.

    `held` is the number of cards in the known hand before any draw, and `unseen` that
    of the cards from which the other hands and the stock are made up. Raises Malformed
    if there are too few of either.
    """
    players, asked = typed.ruleset.players, len(typed.trick)
    others = held
    if typed.has_stock:  # others who drew less hold fewer, so as to leave the stock
        left = unseen + asked - typed.stock_size
        others = min(others, max(1, left // (players - 1)))
    sizes = [others - (place < asked) for place in range(players)]
    sizes[asked] = held
    free = unseen - sum(sizes) + held
    if free < 0 or not held:
        found = f"a hand of {counted(held, 'card')} for {players} players"
        raise Malformed(found, ALLOWED["size"], "hand")
    if typed.stock_size > free:
        found = counted(typed.stock_size, "card")
        raise Malformed(found, ALLOWED["stock"].format(number=free), "stock")
    return sizes
