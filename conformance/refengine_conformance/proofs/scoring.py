"""Chapter 8: every card counts for one seat, and no points are lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

import attrs

from refengine.chapters import cards as card_functions
from refengine.chapters import play, score
from refengine.chapters.deal import removal_beside_talon
from refengine.chapters.score import MINUS, PLUS, Haul
from refengine.machine import ending
from refengine_conformance.proofs.deal import (
    SymbolicDeal,
    cases_about_deals,
    tables_up_to,
)
from refengine_conformance.proofs.passing import Counting
from refengine_conformance.proofs.symbolic import (
    Bits,
    Number,
    SymbolicFlag,
    a_mask,
    a_number,
    formula_of,
    is_partition,
    merge_paths,
    no_card_shared,
    ranged_number,
    replace_names,
    term_of,
    term_of_number,
    union_of_sets,
    z3,
)
from refengine_conformance.proofs.theorem import (
    Theorem,
    Unread,
    implies,
    z3_flag,
)

T = TypeVar("T")
CARDS: Any = card_functions  # typed Any: symbols take the place of masks


def _captured(deal: SymbolicDeal) -> Any:
    """Claim that each card counts for exactly one seat, unless no seat gets it.

    No seat gets a kitty that no trick wins, or the rest of a stock that no seat takes.
    """
    seat = int(ranged_number("stock to", -1, deal.seats - 1))
    hauls = ending.hauls(deal.rules, deal.position, seat)
    piles = [haul.cards for haul in hauls]
    nobody = term_of(0)
    if seat < 0:
        nobody = union_of_sets(deal.cards_left_in_stock(deal.position))
    lies = z3.If(deal.kitty_to.term < 0, deal.kitty.term, term_of(0))
    counted = deal.pack.term & ~(nobody | lies)
    over = SymbolicFlag(deal.table.term == 0)
    return implies(over, SymbolicFlag(is_partition(piles, counted)))


def _sum_over(cards: Any, worth: Mapping[int, int]) -> Any:
    """The total worth of a set of cards, as a term; `worth` is keyed by card number."""
    term = term_of(cards)
    total = term_of_number(0)
    for card, points in worth.items():
        held = z3.Extract(card, card, term) == 1
        total = total + z3.If(held, term_of_number(points), 0)
    return total


def cards_counted(cards: Any) -> Number:
    """The number of these cards, as a sum in z3.

    This stands in for `cards.count`, which `proofs.enumerated` tests on every set of
    hearts.
    """
    return Number(_sum_over(cards, dict.fromkeys(range(52), 1)))


def faces_added(hearts: Any) -> Number:
    """The sum of the face values of these hearts, from 2 for the two to 14 for the ace.

    This stands in for `cards.faces_of`, which `proofs.enumerated` tests on every set of
    hearts.
    """
    return Number(_sum_over(hearts, {39 + place: place + 2 for place in range(13)}))


def _costs_by_the_book(deal: SymbolicDeal, pile: Bits, number: Any) -> Any:
    """What the cards of a pile cost, as a term; `number` is how many hearts it has.

    Each heart costs the same number of points, or its face value; the queen, king and
    ace of spades each have a cost of their own.
    """
    rules = deal.rules
    hearts = number * term_of_number(rules.heart_points)
    if SymbolicFlag(deal.options.has_value("heart_points", "face")):
        hearts = faces_added(pile & CARDS.HEARTS).term

    def cost(card: int, points: Any) -> Any:
        return z3.If(pile.term & card != 0, term_of_number(points), 0)

    queen = cost(CARDS.QUEEN, rules.queen_points)
    king = cost(CARDS.KING, rules.king_points)
    ace = cost(CARDS.ACE, rules.ace_points)
    return hearts + queen + (king + ace)


def _points_add(deal: SymbolicDeal) -> Any:
    """Claim that the points of two disjoint sets add up to those of their union.

    The points of each set are what its cards cost by the book. The numbers of hearts
    add up, and each heart or high spade is in the union if and only if it is in exactly
    one of the two sets, so that face values and high spades add up too.
    """
    first, second = deal.hands[0], deal.hands[1]
    both = first | second
    counting = Counting()
    counting.assume_unions([first & CARDS.HEARTS, second & CARDS.HEARTS])
    piles = (first, second, both)
    numbers = [counting(pile & CARDS.HEARTS).term for pile in piles]
    claims = []
    for pile, number in zip(piles, numbers, strict=True):
        with replace_names(CARDS, count=counting, faces_of=faces_added):
            points = CARDS.points_of(deal.rules, cast(Any, pile))
        costs = _costs_by_the_book(deal, pile, number)
        claims.append(term_of_number(points) == costs)
    of_first, of_second, of_both = numbers
    singles = [2**card for card in range(39, 52)]
    singles += [CARDS.QUEEN, CARDS.KING, CARDS.ACE]

    def has(pile: Bits, card: int) -> Any:
        return pile.term & card != 0

    return implies(
        z3_flag(*no_card_shared([first, second])),
        z3_flag(
            *claims,
            of_first + of_second == of_both,
            *[
                has(both, card) == z3.Xor(has(first, card), has(second, card))
                for card in singles
            ],
        ),
    )


def _penalty_cards(deal: SymbolicDeal) -> Any:
    """Claim that the penalty cards, and the cards that count, are those of the book.

    The cards that count are the penalty cards and those that score a bonus.
    """
    penalty = term_of(CARDS.penalty_cards(deal.rules))
    counting = term_of(CARDS.cards_that_count(deal.rules))
    options = deal.options
    return z3_flag(
        penalty == options.penalty, counting == options.penalty | options.bonus
    )


def _left_costs_nothing(deal: SymbolicDeal) -> Any:
    """Claim that the cards left in hands by an early end change no score."""
    hands = deal.position.hands
    ends = merge_paths(play.no_points_left)(deal.rules, hands, deal.played)
    left = Bits(union_of_sets(deal.hands) & ~deal.played.term)
    with replace_names(CARDS, count=cards_counted, faces_of=faces_added):
        points = CARDS.points_of(deal.rules, cast(Any, left))
    bonus = CARDS.bonus_in(deal.rules, cast(Any, left))
    return implies(
        ends, z3_flag(term_of_number(points) == 0, z3.Not(formula_of(bonus)))
    )


def _moon_by_the_book(deal: SymbolicDeal) -> tuple[Any, Any]:
    """Whether a moon is in play, and the cards that shooting it takes, as z3 terms."""
    has = deal.options.has_value
    pack = deal.pack.term
    hearts = pack & CARDS.HEARTS
    bonus = z3.If(has("moon_needs_bonus", True), deal.options.bonus, term_of(0))
    moon_in_play = z3.And(
        z3.Not(has("moon", "none")),
        bonus & ~pack == 0,
        z3.If(
            has("queen_points", 0),
            hearts & (hearts - 1) != 0,
            z3.And(hearts != 0, pack & CARDS.QUEEN != 0),
        ),
    )
    return moon_in_play, pack & (deal.options.penalty | bonus)


def _moon(deal: SymbolicDeal) -> Any:
    """Claim that a seat shoots the moon exactly if it took all that the book asks for.

    A barred seat never shoots it. The claim covers only rulesets that 8.10 allows, and
    piles no two of which share a card.
    """
    rules = deal.options.rules(deal.seats)
    has = deal.options.has_value
    piles = [a_mask(f"counts for {seat}") for seat in deal.places]
    hauls = tuple(Haul(cast(Any, pile), cast(Any, Unread("tricks"))) for pile in piles)
    barred = _one_of("barred", ((), (0,), tuple(deal.places)))
    with replace_names(score, count=cards_counted):
        shooter = score.moon_shooter(rules, cast(Any, deal.pack), hauls, barred)
    moon_in_play, wanted = _moon_by_the_book(deal)
    shot = [
        z3.And(moon_in_play, wanted & ~pile.term == 0, z3.BoolVal(seat not in barred))
        for seat, pile in enumerate(piles)
    ]
    allowed = z3_flag(
        z3.Or(has("moon", "none"), z3.Not(has("heart_points", 0))),
        *no_card_shared(piles),
    )
    return implies(
        allowed,
        z3_flag(*[z3.BoolVal(shooter == seat) == one for seat, one in enumerate(shot)]),
    )


def _worth(deal: SymbolicDeal) -> Any:
    """Claim that a sun is worth `sun_points`, and any other moon the points in play.

    A sun is a moon by a seat that took every trick, in a ruleset where `sun_points` is
    not 0.
    """
    rules = deal.options.rules(deal.seats)
    points = a_number("points in play")
    tricks = [ranged_number(f"tricks {seat}", 0, 52) for seat in deal.places]
    hauls = tuple(Haul(cast(Any, Unread("cards")), cast(Any, one)) for one in tricks)
    with replace_names(score, points_of=lambda rules, cards: points):
        worth = score.moon_worth(rules, cast(Any, deal.pack), hauls, 0)
    sun = z3.And(
        z3.Not(deal.options.has_value("sun_points", 0)),
        *[number.term == 0 for number in tricks[1:]],
    )
    wanted = z3.If(sun, term_of_number(rules.sun_points), points.term)
    return SymbolicFlag(term_of_number(worth) == wanted)


def _refused(deal: SymbolicDeal) -> Any:
    """Claim that seven rules refuse exactly the rulesets that their clauses refuse.

    Each of the rules is about a combination of options. Other rules about combinations,
    such as those of 9.8, are not covered.
    """
    rules = deal.options.rules(deal.seats)
    has = deal.options.has_value
    early = has("deal_ends", "no_points_left")
    moon = z3.Not(has("moon", "none"))
    wanted = (
        (play.ends_early_beside_talon, z3.And(early, z3.Not(has("undealt", "none")))),
        (play.ends_early_beside_sun, z3.And(early, z3.Not(has("sun_points", 0)))),
        (
            play.ends_early_beside_no_trick,
            z3.And(early, z3.Not(has("no_trick_points", 0))),
        ),
        (score.moon_without_penalties, z3.And(moon, has("heart_points", 0))),
        (
            play.opening_card_beside_left,
            z3.And(
                has("opening_leader", "left_of_dealer"),
                z3.Not(has("opening_card", "any")),
            ),
        ),
        (
            score.sun_without_moon,
            z3.And(z3.Not(has("sun_points", 0)), has("moon", "none")),
        ),
        (
            removal_beside_talon,
            z3.And(z3.Not(has("removal", "none")), z3.Not(has("undealt", "none"))),
        ),
    )
    return z3_flag(
        *[formula_of(merge_paths(rule)(rules)) == said for rule, said in wanted]
    )


def _one_of(name: str, values: tuple[T, ...]) -> T:
    """Any of these values; the run forks so that each value has a path of its own."""
    return values[int(ranged_number(name, 0, len(values) - 1))]


@attrs.frozen(eq=False)
class _ScoreParts:
    """The parts of which the scores of a deal are made, as symbols for each seat.

    `worth` is what a moon is worth. `shooter` is the seat that shot it, or -1, and
    `settled` how it is settled: MINUS, PLUS, or the seat that gets all the points.
    """

    points: Sequence[Number]
    tricks: Sequence[Number]
    bonus: Sequence[Number]
    revokes: Sequence[Number]
    worth: Number
    shooter: int
    settled: int

    def score_of(self, seat: int, no_trick_points: Any) -> Any:
        """The score of a seat, as the book adds it up, as a term."""
        nothing = term_of_number(0)
        own = self.bonus[seat].term + self.revokes[seat].term
        if self.shooter < 0:
            trickless = self.tricks[seat].term == 0
            none = z3.If(trickless, term_of_number(no_trick_points), nothing)
            return own + self.points[seat].term + none
        if self.settled == MINUS:
            return own - (self.worth.term if seat == self.shooter else nothing)
        if self.settled == PLUS:
            return own + (self.worth.term if seat != self.shooter else nothing)
        return own + (self.worth.term if seat == self.settled else nothing)


def _deal_score(deal: SymbolicDeal) -> Any:
    """Claim that each score is the sum that the book prescribes, whatever its parts.

    If there is a moon, the score is what the moon costs the seat; if not, it is the
    points of the seat's cards plus those for taking no trick. The bonus and the points
    for revokes are added in either case.
    """
    rules = deal.options.rules(deal.seats)
    parts = _ScoreParts(
        points=[a_number(f"points {seat}") for seat in deal.places],
        tricks=[a_number(f"tricks {seat}", 0, 52) for seat in deal.places],
        bonus=[a_number(f"bonus {seat}") for seat in deal.places],
        revokes=[a_number(f"revokes {seat}") for seat in deal.places],
        worth=a_number("worth"),
        shooter=_one_of("shooter", (-1, 0)),
        settled=_one_of("settled", (MINUS, PLUS, 1)),
    )

    def seat_of(held: Any) -> int:
        """The seat whose cards these are."""
        return next(seat for seat, own in enumerate(deal.taken) if own is held)

    with replace_names(
        score,
        card_score=lambda rules, held: parts.points[seat_of(held)],
        moon_worth=lambda *_: parts.worth,
        bonus=lambda rules, held: parts.bonus[seat_of(held)],
        int=lambda number: number,  # the real one would take a path for each value
    ):
        scores = score.deal_score(
            rules,
            cast(Any, deal.pack),
            tuple(map(Haul, cast(Any, deal.taken), cast(Any, parts.tricks))),
            parts.shooter,
            parts.settled,
            cast(Any, tuple(parts.revokes)),
        )
    return z3_flag(
        *[
            term_of_number(one) == parts.score_of(seat, rules.no_trick_points)
            for seat, one in zip(deal.places, scores, strict=True)
        ]
    )


def theorems() -> list[Theorem]:
    """The theorems that seats score as the book says, and that no points are lost."""
    return [
        Theorem(
            "each card counts for one seat, or lies where it counts for nobody",
            ("6.8", "6.8a", "6.8b", "8.2"),
            tables_up_to(3, cases_about_deals(_captured, held=False)),
        ),
        Theorem(
            "the points of cards apart are the sum of their points",
            ("1.5", "1.5a", "1.5b", "1.6", "8.1"),
            tables_up_to(2, cases_about_deals(_points_add)),
        ),
        Theorem(
            "penalty cards are those that cost points, the bonus card counts too",
            ("1.4", "1.5b", "1.7", "5.14a"),
            tables_up_to(2, cases_about_deals(_penalty_cards)),
        ),
        Theorem(
            "what an early end leaves in the hands costs nothing",
            ("5.14a",),
            cases_about_deals(_left_costs_nothing),
        ),
        Theorem(
            "who shoots the moon has taken all that it takes; nobody else has",
            ("8.3", "8.3a", "8.3b", "8.3c"),
            tables_up_to(3, cases_about_deals(_moon)),
        ),
        Theorem(
            "a moon is worth V whatever it needs, a sun its points",
            ("8.3c", "8.4", "8.5"),
            cases_about_deals(_worth),
        ),
        Theorem(
            "combinations are refused as their clauses say",
            ("3.9b", "5.2a", "5.14b", "5.14c", "5.14d", "8.10", "8.10a"),
            tables_up_to(2, cases_about_deals(_refused)),
        ),
        Theorem(
            "a score is points or a moon, with bonus, no trick and revokes",
            ("8.1", "8.5", "8.8", "8.9"),
            tables_up_to(3, cases_about_deals(_deal_score)),
        ),
    ]
