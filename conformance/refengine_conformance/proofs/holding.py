"""The seat in turn holds a card, and so does every seat still to play to the trick.

Because of it, "something legal remains, or a draw is due" (0.12), which is proved of
every hand with a card, holds in every position that play reaches. The invariant is that
of the deal and `still_to_play`: each transition keeps it. Play goes on only while two
seats hold cards and, where a deal may end early, a card that counts is left (5.14,
5.14a).
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, cast

from refengine.chapters.table import SEAT
from refengine.machine import position
from refengine_conformance.proofs.deal import (
    FRESH,
    SymbolicDeal,
    cases_about_deals,
    seat_contracts,
)
from refengine_conformance.proofs.moves import counting_in_hands, trick_end
from refengine_conformance.proofs.symbolic import (
    Bits,
    SymbolicFlag,
    a_number,
    allow_symbolic_card_numbers,
    assume,
    formula_of,
    is_in_range,
    replace_names,
    term_of,
    z3,
)
from refengine_conformance.proofs.theorem import Theorem, implies, z3_flag


def _held(deal: SymbolicDeal) -> list[Any]:
    return [deal.still_to_play(deal.position)]


def _held_in_hand(deal: SymbolicDeal) -> list[Any]:
    return [*_held(deal), *deal.in_hand()]


def _turn_holds(deal: SymbolicDeal) -> Any:
    return SymbolicFlag(deal.hand.term != 0)


def _first(deal: SymbolicDeal) -> Any:
    """That all hands hold a card at first, whoever leads."""
    leader = a_number(f"some leader {next(FRESH)}", 0, deal.seats - 1)
    assume(is_in_range(leader, 0, deal.seats - 1))
    with replace_names(position, opening_leader=lambda rules, hands, dealer: leader):
        begun = position.first_position(
            deal.rules,
            cast(Any, tuple(deal.hands)),
            cast(Any, deal.stock),
            cast(Any, deal.kitty),
            0,
        )
    dealt = z3_flag(*[hand.term != 0 for hand in deal.hands])
    return implies(dealt, SymbolicFlag(deal.still_to_play(begun)))


def _draw(deal: SymbolicDeal) -> Any:
    with allow_symbolic_card_numbers():
        return SymbolicFlag(deal.still_to_play(position.after_draw(deal.position)))


def _next_seat(deal: SymbolicDeal, seat: Any, out: Any) -> Any:
    """The next seat that is not out, as the contract of `next_to_play` has it."""
    after = a_number(f"next seat {next(FRESH)}", 0, deal.seats - 1)
    counterclockwise = formula_of(deal.rules.counterclockwise)
    ways = []
    for step, this_way in ((1, z3.Not(counterclockwise)), (-1, counterclockwise)):
        for first in deal.places:
            for over in range(1, deal.seats + 1):
                passed = [(first + step * one) % deal.seats for one in range(1, over)]
                then = (first + step * over) % deal.seats
                ways.append(
                    z3.And(
                        this_way,
                        term_of(seat, 16) == first,
                        after.term == then,
                        term_of(out) & SEAT[then] == 0,
                        *[term_of(out) & SEAT[one] != 0 for one in passed],
                    )
                )
    assume(z3.Or(*ways))
    return after


def _play(deal: SymbolicDeal) -> Any:
    stand_ins = seat_contracts(deal)
    stand_ins["next_to_play"] = lambda rules, seat, out: _next_seat(deal, seat, out)
    marked = deal.position
    with replace_names(position, _after_trick=lambda *_, **__: marked, **stand_ins):
        after = position.after_play(deal.rules, deal.position, cast(Any, deal.card))
    return True if after is marked else SymbolicFlag(deal.still_to_play(after))


def _trick(deal: SymbolicDeal) -> Any:
    """Also, when play has ended.

    It has when fewer than two hands hold a card, and where deal_ends is
    `no_points_left` also when no hand holds a card that counts; never otherwise.
    """
    after = trick_end(deal, "no_points_left")
    played = deal.played.term | deal.card.term
    holds = [hand.term & ~played != 0 for hand in deal.hands]
    two = z3.Or(*[z3.And(one, other) for one, other in combinations(holds, 2)])
    counts = z3.Or(
        deal.options.has_value("deal_ends", "all_played"),
        counting_in_hands(deal, Bits(played)) != 0,
    )
    goes_on = term_of(after.turn, 16) >= 0
    return z3_flag(deal.still_to_play(after), goes_on == z3.And(two, counts))


def _back(deal: SymbolicDeal) -> Any:
    """With the present hands, which still have everything that they held then."""
    now = SymbolicDeal(deal.seats, "now ")
    back = position.taken_back(deal.position, now.position)
    kept = z3_flag(
        *[a.term & ~b.term == 0 for a, b in zip(deal.hands, now.hands, strict=True)]
    )
    return implies(kept, SymbolicFlag(deal.still_to_play(back)))


def theorems() -> list[Theorem]:
    """A theorem for each transition; the seat in turn is one of those seats."""
    held = "who is still to play holds a card"
    return [
        Theorem(
            "the seat in turn holds a card",
            ("0.12", "5.12", "6.6a"),
            cases_about_deals(_turn_holds, _held, held=False),
        ),
        Theorem(
            f"at the opening lead, {held}",
            ("3.11",),
            cases_about_deals(_first, held=False),
        ),
        Theorem(
            f"after a draw, {held}",
            ("6.4",),
            cases_about_deals(
                _draw,
                lambda deal: [*_held(deal), deal.drawn.term < 2],
                held=False,
            ),
        ),
        Theorem(
            f"after a play, {held}",
            ("5.12", "6.6"),
            cases_about_deals(_play, _held_in_hand, held=False),
        ),
        Theorem(
            f"after a trick, {held}; play goes on while two do and a card counts",
            ("5.14", "5.14a", "6.6", "6.7"),
            cases_about_deals(_trick, _held_in_hand, held=False),
        ),
        Theorem(
            f"after a card is taken back, {held}",
            ("7.5", "7.5a"),
            cases_about_deals(_back, _held, held=False),
        ),
    ]
