"""Chapter 8: every card counts for one seat, and no points are lost."""

from __future__ import annotations

from typing import Any, cast

from refengine.chapters import cards, score
from refengine.chapters.score import MINUS, PLUS, Haul
from refengine.machine import ending
from refengine_conformance.proofs.deal import (
    SymbolicDeal,
    cases_about_deals,
    tables_up_to,
)
from refengine_conformance.proofs.passing import Counting
from refengine_conformance.proofs.symbolic import (
    a_number,
    assume,
    is_in_range,
    no_card_shared,
    replace_names,
    term_of,
    union_of_sets,
    z3,
)
from refengine_conformance.proofs.theorem import Theorem, implies, z3_flag

DECK: Any = cards  # as symbols stand for its masks


def _captured(deal: SymbolicDeal) -> Any:
    """That each card counts for one seat, except a kitty or stock that nobody gets."""
    to = a_number("stock to", -1, deal.seats - 1)
    assume(is_in_range(to, -1, deal.seats - 1))
    seat = to.__index__()
    hauls = ending.hauls(deal.rules, deal.position, seat)
    piles = [haul.cards for haul in hauls]
    nobody = z3.BitVecVal(0, 52)
    if seat < 0:
        nobody = union_of_sets(deal.cards_left_in_stock(deal.position))
    lies = z3.If(deal.kitty_to.term < 0, deal.kitty.term, z3.BitVecVal(0, 52))
    counted = deal.pack.term & ~(nobody | lies)
    over = z3_flag(deal.table.term == 0)
    return implies(
        over, z3_flag(*no_card_shared(piles), union_of_sets(piles) == counted)
    )


def _points_add(deal: SymbolicDeal) -> Any:
    """That the points of two disjoint sets add up to those of their union.

    Points are so much for each heart and so much for the queen, and both add up.
    """
    first, second = deal.hands[0], deal.hands[1]
    counting = Counting()
    rules = deal.rules
    hearts = [first & DECK.HEARTS, second & DECK.HEARTS]
    counting.assume_unions(hearts)
    number = [counting(one) for one in (*hearts, (first | second) & DECK.HEARTS)]
    queen = []
    claims = []
    for place, pile in enumerate((first, second, first | second)):
        with replace_names(DECK, count=counting):
            points = term_of(DECK.points_of(rules, cast(Any, pile)), 16)
        held = z3.If(pile.term & DECK.QUEEN != 0, z3.BitVecVal(1, 16), 0)
        queen.append(held)
        own = z3.If(held == 1, term_of(rules.queen_points, 16), 0)
        claims.append(
            points == number[place].term * term_of(rules.heart_points, 16) + own
        )
    return implies(
        z3_flag(*no_card_shared([first, second])),
        z3_flag(
            *claims,
            number[0].term + number[1].term == number[2].term,
            queen[0] + queen[1] == queen[2],
        ),
    )


def _one_of(name: str, values: tuple[int, ...]) -> int:
    """Any of these values, each on a path of its own."""
    place = a_number(name, 0, len(values) - 1)
    assume(is_in_range(place, 0, len(values) - 1))
    return values[place.__index__()]


def _deal_score(deal: SymbolicDeal) -> Any:
    """That the score is the points of the cards or a moon of V, plus three additions.

    The bonus, the points for taking no trick and those for revokes are added.
    """
    rules = deal.options.rules(deal.seats)
    tricks = tuple([a_number(f"tricks {seat}", 0, 52) for seat in deal.places])
    points = [a_number(f"points {seat}") for seat in deal.places]
    worth = a_number("worth")
    revokes = tuple([a_number(f"revokes {seat}") for seat in deal.places])
    extra = [a_number(f"bonus {seat}") for seat in deal.places]
    shooter = _one_of("shooter", (-1, 0))
    settled = _one_of("settled", (MINUS, PLUS, 1))
    given = iter(points)
    more = iter(extra)
    with replace_names(
        score,
        card_score=lambda rules, held: next(given),
        moon_worth=lambda *_: worth,
        bonus=lambda rules, held: next(more),
        int=lambda number: number,
    ):
        found = score.deal_score(
            rules,
            cast(Any, deal.pack),
            tuple(map(Haul, cast(Any, deal.taken), cast(Any, tricks))),
            shooter,
            settled,
            cast(Any, revokes),
        )
    none = [
        z3.If(
            z3.And(number.term == 0, z3.BoolVal(shooter < 0)),
            term_of(rules.no_trick_points, 16),
            0,
        )
        for number in tricks
    ]
    own = sum([one.term for one in [*extra, *revokes]], z3.BitVecVal(0, 16))
    own = sum(none, own)
    moved = {
        MINUS: -worth.term,
        PLUS: worth.term * (deal.seats - 1),
        1: worth.term,
    }[settled]
    if shooter < 0:
        moved = sum([one.term for one in points], z3.BitVecVal(0, 16))
    total = sum([term_of(one, 16) for one in found], z3.BitVecVal(0, 16))
    return z3_flag(total == moved + own)


def theorems() -> list[Theorem]:
    """That the scores of a deal add up to the points in play that somebody gets."""
    return [
        Theorem(
            "each card counts for one seat, or lies where it counts for nobody",
            ("6.8", "6.8a", "6.8b", "8.2"),
            tables_up_to(3, cases_about_deals(_captured, held=False)),
        ),
        Theorem(
            "the points of cards apart are the sum of their points",
            ("1.5", "1.6", "8.1"),
            tables_up_to(2, cases_about_deals(_points_add)),
        ),
        Theorem(
            "a score is points or a moon, with bonus, no trick and revokes",
            ("8.1", "8.5", "8.8", "8.9"),
            tables_up_to(3, cases_about_deals(_deal_score)),
        ),
    ]
