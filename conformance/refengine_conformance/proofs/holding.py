"""The seat to play holds a card, and so do all seats still to play to the trick.

Therefore "something legal remains, or a draw is due" (0.12), which is proved for every
hand with a card, holds in every position that play reaches. The invariant is that of a
deal together with `still_to_play_hold_cards`, and each transition keeps it. Play goes
on only while at least two seats hold cards and, if a deal may end early, some hand
holds a card that counts (5.14, 5.14a).
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from refengine.chapters.layout import Position
from refengine.machine import position
from refengine_conformance.proofs.deal import (
    FRESH,
    SymbolicDeal,
    cases_about_deals,
    is_first_not_out,
)
from refengine_conformance.proofs.moves import (
    counting_in_hands,
    opening_position,
    play_card,
    stock_left,
    trick_end,
)
from refengine_conformance.proofs.symbolic import (
    Bits,
    SymbolicFlag,
    a_number,
    assume,
    formula_of,
    term_of,
    term_of_number,
    z3,
)
from refengine_conformance.proofs.theorem import Theorem, implies, z3_flag


def _all_hold(deal: SymbolicDeal) -> list[Any]:
    """The assumption that every seat still to play holds a card, as a list."""
    return [deal.still_to_play_hold_cards(deal.position)]


def _all_hold_and_card(deal: SymbolicDeal) -> list[Any]:
    """The assumptions of `_all_hold`, and that the seat to play holds `card`."""
    return [*_all_hold(deal), *deal.in_hand()]


def _turn_holds_card(deal: SymbolicDeal) -> Any:
    """Claim that the seat to play holds a card."""
    return SymbolicFlag(deal.hand.term != 0)


def _all_hold_at_first(deal: SymbolicDeal) -> Any:
    """Claim that every seat still to play holds a card at the opening lead.

    The claim covers any leader, but only deals in which every seat was dealt a card.
    """
    begun = opening_position(deal)
    dealt = z3_flag(*[hand.term != 0 for hand in deal.hands])
    return implies(dealt, SymbolicFlag(deal.still_to_play_hold_cards(begun)))


def _all_hold_after_draw(deal: SymbolicDeal) -> Any:
    """Claim that every seat still to play holds a card after a draw."""
    after = position.after_draw(deal.position)
    return SymbolicFlag(deal.still_to_play_hold_cards(after))


def _next_seat(deal: SymbolicDeal, seat: Any, out: Any) -> Any:
    """The next seat that is not out, which is what `next_to_play` must return."""
    after = a_number(f"next seat {next(FRESH)}", 0, deal.seats - 1)
    counterclockwise = formula_of(deal.rules.counterclockwise)
    ways = []
    for step, this_way in ((1, z3.Not(counterclockwise)), (-1, counterclockwise)):
        for first in deal.places:
            for distance in range(1, deal.seats + 1):
                *skipped, last = [
                    (first + step * place) % deal.seats
                    for place in range(1, distance + 1)
                ]
                ways.append(
                    z3.And(
                        this_way,
                        term_of_number(seat) == first,
                        after.term == last,
                        is_first_not_out(out, skipped, last),
                    )
                )
    assume(z3.Or(*ways))
    return after


def _all_hold_after_play(deal: SymbolicDeal) -> Any:
    """Claim that every seat still to play holds a card after a play within a trick."""

    def next_to_play(rules: Any, seat: Any, out: Any) -> Any:
        return _next_seat(deal, seat, out)

    after = play_card(deal, next_to_play=next_to_play)
    if not isinstance(after, Position):
        return True
    return SymbolicFlag(deal.still_to_play_hold_cards(after))


def _all_hold_after_trick(deal: SymbolicDeal) -> Any:
    """Claim who holds a card after a trick, and when play goes on.

    Every seat still to play holds a card. Play goes on exactly while at least two hands
    hold a card and, if deal_ends is `no_points_left`, some hand holds a card that
    counts. The seats that are out are then exactly those that hold no card.
    """
    after = trick_end(deal, "no_points_left")
    played = deal.played.term | deal.card.term
    holds = [hand.term & ~played != 0 for hand in deal.hands]
    two = z3.Or(*[z3.And(one, other) for one, other in combinations(holds, 2)])
    counts = z3.Or(
        deal.options.has_value("deal_ends", "all_played"),
        counting_in_hands(deal, Bits(played)) != 0,
    )
    goes_on = term_of_number(after.turn) >= 0
    return z3_flag(
        deal.still_to_play_hold_cards(after),
        goes_on == z3.And(two, counts),
        z3.Implies(goes_on, term_of(after.out) == deal.empty_hands(played)),
    )


def _all_hold_after_taking_back(deal: SymbolicDeal) -> Any:
    """Claim that once a card is taken back, every seat still to play holds a card.

    This is claimed only if each hand still holds every card it held before the play.
    """
    now = SymbolicDeal(deal.seats, "now ")
    back = position.taken_back(deal.position, now.position)
    kept = z3_flag(
        *[
            old.term & ~new.term == 0
            for old, new in zip(deal.hands, now.hands, strict=True)
        ]
    )
    return implies(kept, SymbolicFlag(deal.still_to_play_hold_cards(back)))


def theorems() -> list[Theorem]:
    """A theorem about the seat to play, and one for each transition."""
    held = "whoever is still to play holds a card"
    return [
        Theorem(
            "the seat to play holds a card",
            ("0.12", "5.12", "6.6a"),
            cases_about_deals(_turn_holds_card, _all_hold, held=False),
        ),
        Theorem(
            f"at the opening lead, {held}",
            ("3.11",),
            cases_about_deals(_all_hold_at_first, held=False),
        ),
        Theorem(
            f"after a draw, {held}",
            ("6.4",),
            cases_about_deals(
                _all_hold_after_draw,
                lambda deal: [*_all_hold(deal), *stock_left(deal)],
                held=False,
            ),
        ),
        Theorem(
            f"after a play, {held}",
            ("5.12", "6.6"),
            cases_about_deals(_all_hold_after_play, _all_hold_and_card, held=False),
        ),
        Theorem(
            f"after a trick, {held}; play goes on while two do and a card counts",
            ("5.14", "5.14a", "6.6", "6.7"),
            cases_about_deals(_all_hold_after_trick, _all_hold_and_card, held=False),
        ),
        Theorem(
            f"after a card is taken back, {held}",
            ("7.5", "7.5a"),
            cases_about_deals(_all_hold_after_taking_back, _all_hold, held=False),
        ),
    ]
