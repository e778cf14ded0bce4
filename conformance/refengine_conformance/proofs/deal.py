"""A symbolic deal: every part of a position, and the invariant that holds for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Any, Final, cast

from refengine.chapters.layout import Hand, Piles, Position, Talon
from refengine.chapters.table import SEAT
from refengine.machine import position
from refengine_conformance.proofs.settings import SymbolicOptions
from refengine_conformance.proofs.symbolic import (
    Bits,
    Number,
    SymbolicFlag,
    a_flag,
    a_mask,
    a_number,
    assume,
    formula_of,
    is_in_range,
    is_one_card,
    is_partition,
    merged_functions,
    set_of_one_card,
    term_of,
    term_of_number,
    union_of_sets,
    z3,
)
from refengine_conformance.proofs.theorem import (
    SUITS,
    TheoremCase,
    cards_in_model,
    holds_in_model,
    is_subset,
    number_in_model,
)

Cases = Callable[[Sequence[int]], Iterator[TheoremCase]]  # for `Theorem.cases`


class SymbolicDeal:
    """A position with a given number of seats, all of whose parts are symbols.

    The stock holds two cards, of which none, one or both have been drawn. Only the
    fields of the rules that `MOVING` lists are known, so each theorem about a deal also
    says that moving the cards depends on no other option. `name` is put before the
    names of the symbols, so that one theorem can compare two different deals. The
    pack, the card and the options have the same names in both.
    """

    def __init__(self, seats: int, name: str = "") -> None:
        self.seats = seats
        self.options = SymbolicOptions()
        self.rules = self.options.moving(seats)
        last = seats - 1
        ranges: list[Any] = []

        def bounded(what: str, low: int, high: int) -> Number:
            made = a_number(f"{name}{what}", low, high)
            ranges.append(is_in_range(made, low, high))
            return made

        self.hands = [a_mask(f"{name}hand {seat}") for seat in range(seats)]
        self.taken = [a_mask(f"{name}taken {seat}") for seat in range(seats)]
        self.played = a_mask(f"{name}played")
        self.table = a_mask(f"{name}table")
        self.kitty = a_mask(f"{name}kitty")
        self.pack = a_mask("pack")
        self.card = a_mask("card")
        self.best = a_mask(f"{name}best")
        self.hand = a_mask(f"{name}hand")
        self.stock = (bounded("stock 0", 0, 51), bounded("stock 1", 0, 51))
        self.drawn = bounded("drawn", 0, 2)
        self.kitty_to = bounded("kitty to", -1, last)
        self.winner = bounded("winner", 0, last)
        self.leader = bounded("leader", 0, last)
        self.turn = bounded("turn", 0, last)
        self.out = a_mask(f"{name}out")
        self.empty = a_mask(f"{name}empty")
        suit_led = bounded("suit led", 0, 4)
        self.broken = a_flag(f"{name}hearts broken")
        self.done = bounded("done", 0, 52)
        self.first = a_flag(f"{name}first trick")
        led = term_of(0)
        for place, suit in enumerate(SUITS, 1):
            led = z3.If(suit_led.term == place, term_of(suit), led)
        self.led = Bits(led)
        self.tricks = [bounded(f"tricks {seat}", 0, 52) for seat in range(seats)]
        self.drew = a_mask(f"{name}drew")
        self.position = self._position()
        self.assumptions = [
            *self.options.assumptions,
            *ranges,
            self.invariant_holds(self.position),
        ]

    def _position(self) -> Position:
        """The position that is made up of these symbols."""
        talon: Any = (self.stock, self.drawn, self.kitty, self.kitty_to)
        piles: Any = (tuple(self.taken), tuple(self.tricks), self.done, self.first)
        fields: dict[str, Any] = {
            "hands": tuple(Hand(cast(Any, hand)) for hand in self.hands),
            "talon": Talon(*talon),
            "piles": Piles(*piles),
            "played": self.played,
            "led": self.led,
            "table": self.table,
            "best": self.best,
            "winner": self.winner,
            "leader": self.leader,
            "turn": self.turn,
            "hand": self.hand,
            "drew": self.drew,
            "out": self.out,
            "hearts_broken": self.broken,
            "empty": self.empty,
        }
        return Position(**fields)

    def are_seats(self, seats: Any) -> Any:
        """Whether every seat in this set is at the table."""
        everybody = sum(SEAT[: self.seats])
        return term_of(seats) & ~term_of(everybody) == 0

    def empty_hands(self, played: Any) -> Any:
        """The set of the seats whose cards are all in `played`, as a z3 term."""
        empty = term_of(0)
        for seat, hand in enumerate(self.hands):
            holds_none = hand.term & ~played == 0
            empty = empty | z3.If(holds_none, term_of(SEAT[seat]), 0)
        return empty

    def cards_left_in_stock(self, where: Position) -> list[Any]:
        """A set for each card of the stock: that card or, once it is drawn, nothing."""
        drawn = term_of_number(where.talon.drawn)
        none = term_of(0)
        return [
            Bits(z3.If(drawn <= place, set_of_one_card(number).term, none))
            for place, number in enumerate(where.talon.stock)
        ]

    def invariant_holds(self, where: Position) -> Any:
        """Whether the cards of this position lie as the invariant of a deal requires.

        The hands (with the cards played from them), the rest of the stock and the kitty
        make up the pack, each card once. Each card played comes from a hand, and lies
        on the table or in a pile; a suit is led exactly while cards lie on the table.
        `hand` is what the seat to play still holds, and `empty` the seats that hold no
        card; if no seat is to play, `hand` and the table are empty. The leader and the
        seat to play are not out.
        """
        hands = [Bits(term_of(hand.cards)) for hand in where.hands]
        piles = [*where.piles.taken, where.table]
        parts = [*hands, *self.cards_left_in_stock(where), where.talon.kitty]
        turn = term_of_number(where.turn)
        played = term_of(where.played)
        held = term_of(where.hand)
        at_turn = [
            z3.Implies(turn == seat, held == hand.term & ~played)
            for seat, hand in enumerate(hands)
        ]
        empty = [
            (term_of(where.empty) & SEAT[seat] != 0) == (hand.term & ~played == 0)
            for seat, hand in enumerate(hands)
        ]
        out = term_of(where.out)
        in_play = [
            z3.Implies(term_of_number(number) == seat, out & SEAT[seat] == 0)
            for number in (where.leader, where.turn)
            for seat in self.places
        ]
        return z3.And(
            *empty,
            self.are_seats(where.empty),
            self.are_seats(where.out),
            *in_play,
            (term_of(where.led) == 0) == (term_of(where.table) == 0),
            is_partition(parts, self.pack.term),
            is_partition(piles, played),
            played & ~union_of_sets(hands) == 0,
            *at_turn,
            z3.Implies(turn < 0, z3.And(held == 0, term_of(where.table) == 0)),
        )

    def still_to_play_hold_cards(self, where: Position) -> Any:
        """Whether every seat yet to play to this trick holds a card.

        These are the seats from the seat to play round to the last one before the
        leader, except those that are out.
        """
        turn, leader = term_of_number(where.turn), term_of_number(where.leader)
        out, played = term_of(where.out), term_of(where.played)
        counterclockwise = formula_of(self.rules.counterclockwise)
        holds = [term_of(hand.cards) & ~played != 0 for hand in where.hands]
        claims = []
        for step, this_way in ((1, z3.Not(counterclockwise)), (-1, counterclockwise)):
            for first in self.places:
                order = [(first + step * place) % self.seats for place in self.places]
                for place, seat in enumerate(order):
                    waiting = [
                        z3.Or(out & SEAT[one] != 0, holds[one]) for one in order[place:]
                    ]
                    here = z3.And(this_way, leader == first, turn == seat)
                    claims.append(z3.Implies(here, z3.And(*waiting)))
        return z3.And(*claims)

    @property
    def places(self) -> range:
        """The numbers of the seats at the table."""
        return range(self.seats)

    def in_hand(self) -> list[Any]:
        """The assumptions that `card` is a single card held by the seat to play."""
        return [is_one_card(self.card), is_subset(self.card, self.hand).formula]

    def shown(self, model: Any) -> str:
        """The deal that a model of the solver describes, in notation."""
        hands = " | ".join(
            cards_in_model(model, Bits(hand.term & ~self.played.term)) or "-"
            for hand in self.hands
        )
        turn = number_in_model(model, self.turn.term)
        leader = number_in_model(model, self.leader.term)
        parts = [
            f"hands {hands}",
            f"trick {cards_in_model(model, self.table) or '-'}",
            f"leader {leader}",
            f"turn {turn}",
        ]
        for name, cards in (("kitty", self.kitty), ("card", self.card)):
            text = cards_in_model(model, cards)
            if text:
                parts.append(f"{name} {text}")
        taken = [cards_in_model(model, pile) or "-" for pile in self.taken]
        if set(taken) != {"-"}:
            parts.append(f"taken {' | '.join(taken)}")
        if holds_in_model(model, self.broken):
            parts.append("hearts broken")
        return "; ".join([*parts, *self.options.shown(model)])

    def case(
        self, run: Callable[[], Any], *assuming: Any, held: bool = True
    ) -> TheoremCase:
        """A case about this deal, under its own assumptions and those given.

        If `held`, it is also assumed that the seat to play holds a card, which
        `proofs.holding` proves.
        """
        masks = [*self.hands, self.kitty, *self.taken, self.table, self.pack]
        wishes = [z3.Not(self.broken.formula), *self.options.wishes()]
        known = [*self.assumptions, *assuming]
        if held:
            known.append(self.hand.term != 0)
        return TheoremCase(run, known, self.shown, masks, wishes)


FRESH: Final = count()  # numbers that make the names of symbols unique


def is_first_not_out(out: Any, skipped: Sequence[int], seat: int) -> Any:
    """Whether this seat is not out, while all those skipped before it are."""
    term = term_of(out)
    return z3.And(term & SEAT[seat] == 0, *[term & SEAT[one] != 0 for one in skipped])


def some_seat(deal: SymbolicDeal, out: Any) -> Any:
    """Any seat that is not out: what `next_to_play` and `next_leader` may return."""
    seat = a_number(f"some seat {next(FRESH)}", 0, deal.seats - 1)
    allowed = [
        z3.And(seat.term == one, term_of(out) & SEAT[one] == 0) for one in deal.places
    ]
    assume(z3.Or(*allowed))
    return seat


def transition_contracts(deal: SymbolicDeal) -> dict[str, Any]:
    """Stand-ins for the functions that a transition calls, by name.

    The next seat is any seat that is not out. A card may or may not break hearts, a
    deal may or may not end early, and a trick may or may not take a kitty not yet
    taken. `suit_led` and `beats` are the real functions with their paths merged.
    """
    return {
        **merged_functions(position, ("suit_led", "beats")),
        "next_to_play": lambda rules, seat, out: some_seat(deal, out),
        "next_leader": lambda winner, out, players: some_seat(deal, out),
        "breaks_hearts": lambda rules, card: a_flag(f"breaks {next(FRESH)}"),
        "no_points_left": lambda rules, hands, played: a_flag(f"ends {next(FRESH)}"),
        "takes_kitty": lambda rules, talon, trick, first, last: SymbolicFlag(
            z3.And(
                a_flag(f"takes {next(FRESH)}").formula,
                talon.kitty_to.term < 0,
                talon.kitty.term != 0,
            )
        ),
    }


def nothing_more(deal: SymbolicDeal) -> list[Any]:
    """Return no assumptions, which leaves only those made about every deal."""
    return []


def cases_about_deals(
    claim: Callable[[SymbolicDeal], Any],
    assuming: Callable[[SymbolicDeal], list[Any]] = nothing_more,
    held: bool = True,
) -> Cases:
    """The cases of a claim about any deal, one for each number of seats.

    `assuming` returns further assumptions; `held` is passed to `SymbolicDeal.case`.
    """

    def cases(seats: Sequence[int]) -> Iterator[TheoremCase]:
        for number in seats:
            deal = SymbolicDeal(number)
            yield deal.case(partial(claim, deal), *assuming(deal), held=held)

    return cases


def even_tables_only(cases: Cases) -> Cases:
    """These cases, but only for tables with an even number of seats."""
    return lambda seats: cases([number for number in seats if number % 2 == 0])


def tables_up_to(most: int, cases: Cases) -> Cases:
    """These cases, but only for tables with at most `most` seats.

    It is used if larger tables would add nothing to what a claim says, or if the claim
    would have too many paths there.
    """
    return lambda seats: cases([number for number in seats if number <= most])
