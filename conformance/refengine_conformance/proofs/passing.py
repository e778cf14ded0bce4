"""Chapter 4: what comes back is exactly what was passed, scattered or mixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any, cast

from refengine.chapters import passing
from refengine.chapters.layout import Packet
from refengine.chapters.settings import ACROSS, LEFT, MIX, RIGHT, SCATTER
from refengine.machine import stepping
from refengine.machine.core import Core, DealStart, Dealt
from refengine_conformance.proofs.deal import (
    SymbolicDeal,
    cases_about_deals,
    even_tables_only,
    tables_up_to,
)
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
    no_card_shared,
    replace_names,
    set_of_one_card,
    term_of,
    union_of_sets,
    z3,
)
from refengine_conformance.proofs.theorem import Theorem, Unread, implies, z3_flag


def _pass_keeps(way: int) -> Callable[[SymbolicDeal], Any]:
    """That the seats receive the cards that were handed in, each card once."""

    def claim(deal: SymbolicDeal) -> Any:
        packets = [
            Packet(cast(Any, pile), (), cast(Any, a_flag(f"unseen {seat}")))
            for seat, pile in enumerate(deal.taken)
        ]
        unseen = [formula_of(packet.unseen) for packet in packets]
        nothing = [
            z3.Implies(unseen[seat], pile.term == 0)
            for seat, pile in enumerate(deal.taken)
        ]
        received = passing.exchange(way, tuple(packets))
        return implies(
            z3_flag(*nothing, *no_card_shared(deal.taken)),
            z3_flag(
                *no_card_shared(received),
                union_of_sets(received) == union_of_sets(deal.taken),
            ),
        )

    return claim


def _scatter_keeps(deal: SymbolicDeal) -> Any:
    """That different cards addressed to the others all arrive, each at its seat."""
    places = deal.places
    cards = {
        (seat, to): a_number(f"from {seat} to {to}", 0, 51)
        for seat in places
        for to in places
        if to != seat
    }
    packets = [
        Packet(
            cast(Any, a_mask(f"packet {seat}")),
            tuple([cast(Any, cards.get((seat, to), -1)) for to in places]),
            False,
        )
        for seat in places
    ]
    for card in cards.values():
        assume(is_in_range(card, 0, 51))
    received = passing.exchange(SCATTER, tuple(packets))
    sets = {way: set_of_one_card(card) for way, card in cards.items()}
    came = [
        union_of_sets([own for (_, to), own in sets.items() if to == seat])
        for seat in places
    ]
    return implies(
        z3_flag(*no_card_shared(list(sets.values()))),
        z3_flag(
            *no_card_shared(received),
            union_of_sets(received) == union_of_sets(list(sets.values())),
            *[term_of(got) == cards for got, cards in zip(received, came, strict=True)],
        ),
    )


def _always_equal(first: Any, second: Any) -> bool:
    solver = z3.SolverFor("QF_BV")
    return bool(solver.check(first != second) == z3.unsat)


class Counting:
    """A stand-in for `count`: a number for each set, known only through lemmas.

    The lemmas hold of any number of elements: only the empty set has 0, and the number
    of a union is the sum without what both share.
    """

    def __init__(self) -> None:
        self._numbers: list[tuple[Any, Number]] = []

    def __call__(self, cards: Any) -> Number:
        """The number of these cards."""
        term = z3.simplify(term_of(cards))
        for known, number in self._numbers:
            if known.eq(term) or _always_equal(known, term):
                return number
        number = a_number(f"count {len(self._numbers)}", 0, 52)
        assume(is_in_range(number, 0, 52))
        assume((number.term == 0) == (term == 0))
        self._numbers.append((term, number))
        return number

    def assume_union(self, first: Any, second: Any) -> None:
        """Assume the lemma of unions for these sets."""
        one, other = term_of(first), term_of(second)
        whole, shared = self(Bits(one | other)), self(Bits(one & other))
        sizes = self(Bits(one)).term + self(Bits(other)).term
        assume(whole.term + shared.term == sizes)

    def assume_same_size(self, first: Any, second: Any) -> None:
        """Assume that these sets have the same number if they are the same set."""
        numbers = self(first).term == self(second).term
        assume(z3.Implies(term_of(first) == term_of(second), numbers))

    def assume_unions(self, sets: Sequence[Any]) -> None:
        """Assume the lemma of unions for these sets, joined one by one."""
        for place, cards in enumerate(sets):
            self.assume_union(Bits(union_of_sets(sets[:place])), cards)


def _mix_keeps(deal: SymbolicDeal) -> Any:
    """That a mix that is not refused gives back each card of the pile once."""
    rules = deal.options.rules(deal.seats)
    counting = Counting()
    packets = [Packet(cast(Any, pile), (), False) for pile in deal.taken]
    back = [a_mask(f"back {seat}") for seat in deal.places]
    kitty, new = deal.kitty, a_mask("new kitty")
    with replace_names(passing, count=counting):
        whole = tuple(cast(Any, back))
        pile = passing.mix_pile(rules, tuple(packets), cast(Any, kitty))
        if passing.wrong_hands_back(tuple(packets), whole):
            return True
        if passing.wrong_kitty_back(rules, cast(Any, kitty), cast(Any, new)):
            return True
        if passing.not_the_pile(pile, whole, cast(Any, new)):
            return True
        joins = bool(rules.mix_kitty)
    given = [kitty, *deal.taken] if joins else deal.taken
    returned = [new, *back]
    counting.assume_unions(given)
    counting.assume_unions(returned)
    counting.assume_same_size(Bits(union_of_sets(given)), Bits(union_of_sets(returned)))
    return implies(
        z3_flag(*no_card_shared(given)),
        z3_flag(
            *no_card_shared(returned), union_of_sets(returned) == union_of_sets(given)
        ),
    )


def _picked_up(deal: SymbolicDeal) -> Any:
    """That hands without the cards given and with those received make up the pack."""
    rules = deal.options.rules(deal.seats)
    packets = tuple([Packet(cast(Any, pile), (), False) for pile in deal.taken])
    received = [a_mask(f"received {seat}") for seat in deal.places]
    new = a_mask("new kitty")
    fields: dict[str, Any] = dict.fromkeys(signature(Core).parameters, Unread("core"))
    dealt = Dealt(
        tuple(cast(Any, deal.hands)),
        cast(Any, deal.stock),
        cast(Any, deal.kitty),
        MIX,
        packets,
        (),
    )
    sheet = DealStart(0, 1, (), False)
    core = Core(**(fields | {"rules": rules, "dealt": dealt, "sheet": sheet}))
    begun: list[tuple[Any, ...]] = []
    mixed = bool(SymbolicFlag(z3.Bool("a mix")))
    with (
        replace_names(
            stepping,
            first_position=lambda *given: begun.append(given),
            _with=lambda *_, **__: core,
        ),
        replace_names(Core, cut=None, record=None),
    ):
        if mixed:
            stepping.after_mix(core, tuple(cast(Any, received)), cast(Any, new))
        else:
            stepping._with_received(
                core, tuple(cast(Any, received)), cast(Any, deal.kitty)
            )
    _, hands, stock, kitty, _ = begun[0]
    joins = mixed and bool(rules.mix_kitty)
    cards = [set_of_one_card(one) for one in deal.stock]
    pile = union_of_sets(deal.taken) | (deal.kitty.term if joins else 0)
    came = [*received, new] if joins else received
    given = z3_flag(
        *no_card_shared([*deal.hands, *cards, deal.kitty]),
        union_of_sets([*deal.hands, *cards, deal.kitty]) == deal.pack.term,
        *[
            pile.term & ~hand.term == 0
            for pile, hand in zip(deal.taken, deal.hands, strict=True)
        ],
        *no_card_shared(came),
        union_of_sets(came) == pile,
    )
    parts = [*hands, *[set_of_one_card(one) for one in stock], kitty]
    return implies(
        given, z3_flag(*no_card_shared(parts), union_of_sets(parts) == deal.pack.term)
    )


def theorems() -> list[Theorem]:
    """A theorem for each way to pass."""
    return [
        *[
            Theorem(
                f"a pass {name} moves each card once, forwards too",
                ("4.2", "4.8", "4.9b"),
                tables_up_to(6, cases),
            )
            for name, cases in (
                ("left", cases_about_deals(_pass_keeps(LEFT))),
                ("right", cases_about_deals(_pass_keeps(RIGHT))),
                ("across", even_tables_only(cases_about_deals(_pass_keeps(ACROSS)))),
            )
        ],
        Theorem(
            "a scatter moves each card once, to the seat it is addressed to",
            ("4.2", "4.6", "4.8"),
            cases_about_deals(_scatter_keeps),
        ),
        Theorem(
            "a mix gives back each card once",
            ("4.10", "4.10b", "4.10c", "4.10d", "4.10e"),
            cases_about_deals(_mix_keeps),
        ),
        Theorem(
            "picking up what was passed or mixed keeps all the pack",
            ("4.8", "4.10", "4.10b"),
            cases_about_deals(_picked_up),
        ),
    ]
