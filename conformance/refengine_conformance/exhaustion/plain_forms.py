"""Reduces positions between two tricks to a plain form, without their past.

In plain form, the cards in play are replaced by the lowest cards of their suits, in the
same order (`lowest_equal_cards`), and seat 0 leads.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from refengine.chapters import draw
from refengine.chapters.cards import EMPTY, Mask, card_at, numbers_of
from refengine.chapters.layout import Hand, Piles, Position, Talon
from refengine.chapters.table import SEAT
from refengine_conformance.exhaustion.scope import Cards, lowest_equal_cards


class PlainForm(NamedTuple):
    """What is left of a position between two tricks once it is in plain form.

    Seat 0 leads, and holds the first of the `hands`. The cards of the `stock` are those
    not yet drawn, and a `kitty` that somebody has taken is left out.
    """

    hands: tuple[Mask, ...]
    stock: Cards
    kitty: Mask
    hearts_broken: bool


class _Forms(dict[Mask, Mask]):
    """A cache that maps each set of cards to its plain form.

    `left` are the cards still in play, and `named` those that score by name or rank
    (`scope.named_cards`).
    """

    def __init__(self, left: Mask, named: Cards) -> None:
        super().__init__()
        forms = lowest_equal_cards(numbers_of(left), named)
        self.of_one = {card_at(card): card_at(form) for card, form in forms.items()}

    def __missing__(self, cards: Mask) -> Mask:
        formed = sum([form for card, form in self.of_one.items() if cards & card])
        self[cards] = Mask(formed)
        return self[cards]


@cache
def _forms(left: Mask, named: Cards) -> _Forms:
    """A cache of plain forms for positions in which these cards are still in play."""
    return _Forms(left, named)


def plain_form_of(now: Position, named: Cards = ()) -> PlainForm:
    """The plain form of a position between two tricks.

    Cards taken in tricks are left out. The seats are turned so that seat 0 leads. Cards
    in the same suit, or part of a suit, as a card in `named` are left as they are
    (`lowest_equal_cards`).
    """
    talon = now.talon
    rest = draw.rest_of_stock(talon)
    kitty = talon.kitty if talon.kitty_to < 0 else EMPTY
    played = now.played
    turned = now.hands[now.leader :] + now.hands[: now.leader]
    held = [Mask(hand.cards & ~played) for hand in turned]
    left = Mask(sum(held) + kitty + sum([card_at(card) for card in rest]))
    forms = _forms(left, named)
    return PlainForm(
        tuple([forms[hand] for hand in held]),
        tuple([int(forms[card_at(card)]).bit_length() - 1 for card in rest]),
        forms[kitty],
        bool(now.hearts_broken),
    )


def position_in_plain_form(form: PlainForm) -> Position:
    """The position with this plain form: seat 0 leads, and nothing has been taken."""
    hands, stock, kitty, broken = form
    out = sum([SEAT[seat] for seat, hand in enumerate(hands) if not hand])
    nobody = (EMPTY,) * len(hands)
    return Position(
        hands=tuple([Hand(hand) for hand in hands]),
        talon=Talon(stock, 0, kitty, -1),
        piles=Piles(nobody, (0,) * len(hands), 1, False),
        played=EMPTY,
        led=EMPTY,
        table=EMPTY,
        best=EMPTY,
        winner=0,
        leader=0,
        turn=0,
        hand=hands[0],
        drew=EMPTY,
        out=out,
        hearts_broken=broken,
        empty=out,
    )
