"""Theorems on chapter 4: passing neither loses nor duplicates a card.

They cover passes in a direction, scatters, mixes, and the cards then picked up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from refengine.chapters import passing
from refengine.chapters.layout import Packet
from refengine.chapters.settings import ACROSS, LEFT, MIX, RIGHT, SCATTER, Rules
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
    a_flag,
    a_mask,
    assume,
    formula_of,
    is_partition,
    no_card_shared,
    ranged_number,
    replace_names,
    set_of_one_card,
    term_of,
    union_of_sets,
    z3,
)
from refengine_conformance.proofs.theorem import (
    Theorem,
    implies,
    unread_fields,
    z3_flag,
)


def _pass_keeps(way: int) -> Callable[[SymbolicDeal], Any]:
    """The claim that each packet passed reaches the next seat that does not forward.

    `way` is the direction of the pass. Every card passed is received by exactly one
    seat, and no other card is received.
    """

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
        step = {LEFT: 1, RIGHT: -1, ACROSS: deal.seats // 2}[way]
        arrives = []
        for seat, pile in enumerate(deal.taken):
            for distance in range(1, deal.seats + 1):
                *between, to = [
                    (seat + step * place) % deal.seats
                    for place in range(1, distance + 1)
                ]
                goes = z3.And(*[unseen[one] for one in between], z3.Not(unseen[to]))
                there = pile.term & ~term_of(received[to]) == 0
                arrives.append(z3.Implies(goes, there))
        return implies(
            z3_flag(*nothing, *no_card_shared(deal.taken)),
            z3_flag(*arrives, is_partition(received, union_of_sets(deal.taken))),
        )

    return claim


def _scatter_keeps(deal: SymbolicDeal) -> Any:
    """Claim that each card of a scatter reaches the seat to which it is addressed.

    The claim covers only scatters in which no card is passed twice.
    """
    places = deal.places
    cards = {
        (seat, to): ranged_number(f"from {seat} to {to}", 0, 51)
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
    received = passing.exchange(SCATTER, tuple(packets))
    sets = {way: set_of_one_card(card) for way, card in cards.items()}
    passed = list(sets.values())
    addressed = [
        union_of_sets([card for (_, to), card in sets.items() if to == seat])
        for seat in places
    ]
    return implies(
        z3_flag(*no_card_shared(passed)),
        z3_flag(
            is_partition(received, union_of_sets(passed)),
            *[
                term_of(hand) == wanted
                for hand, wanted in zip(received, addressed, strict=True)
            ],
        ),
    )


def _always_equal(first: Any, second: Any) -> bool:
    """Whether two terms are equal for all values of their symbols."""
    solver = z3.SolverFor("QF_BV")
    return bool(solver.check(first != second) == z3.unsat)


class Counting:
    """A stand-in for `count`: a number for each set, known only through lemmas.

    The lemmas hold for all finite sets: only the empty set has 0 elements, a union has
    as many elements as its two sets together, less those that the two share, and equal
    sets have the same number.
    """

    def __init__(self) -> None:
        self._numbers: list[tuple[Any, Number]] = []

    def __call__(self, cards: Any) -> Number:
        """The number of cards in a set, which is the same for equal sets."""
        term = z3.simplify(term_of(cards))
        for known, number in self._numbers:
            if known.eq(term) or _always_equal(known, term):
                return number
        number = ranged_number(f"count {len(self._numbers)}", 0, 52)
        assume((number.term == 0) == (term == 0))
        self._numbers.append((term, number))
        return number

    def assume_union(self, first: Any, second: Any) -> None:
        """Assume the lemma on the union of two sets for these two."""
        one, other = term_of(first), term_of(second)
        whole, shared = self(Bits(one | other)), self(Bits(one & other))
        sizes = self(Bits(one)).term + self(Bits(other)).term
        assume(whole.term + shared.term == sizes)

    def assume_equal_sets_count_alike(self, first: Any, second: Any) -> None:
        """Assume, for these two sets, the lemma that equal sets are of equal size."""
        numbers = self(first).term == self(second).term
        assume(z3.Implies(term_of(first) == term_of(second), numbers))

    def assume_unions(self, sets: Sequence[Any]) -> None:
        """Assume the lemma on unions for each set and the union of those before it."""
        for place, cards in enumerate(sets):
            self.assume_union(Bits(union_of_sets(sets[:place])), cards)


def _mix_keeps(deal: SymbolicDeal) -> Any:
    """Claim that a mix that is not refused gives back each card of the pile once.

    The symbolic sets `deal.taken` serve as the cards that the seats put into the pile.
    """
    rules = deal.options.rules(deal.seats)
    counting = Counting()
    packets = tuple([Packet(cast(Any, pile), (), False) for pile in deal.taken])
    back = tuple([a_mask(f"back {seat}") for seat in deal.places])
    kitty, new_kitty = deal.kitty, a_mask("new kitty")
    with replace_names(passing, count=counting):
        pile = passing.mix_pile(rules, packets, cast(Any, kitty))
        if passing.wrong_hands_back(packets, cast(Any, back)):
            return True
        if passing.wrong_kitty_back(rules, cast(Any, kitty), cast(Any, new_kitty)):
            return True
        if passing.not_the_pile(pile, cast(Any, back), cast(Any, new_kitty)):
            return True
        kitty_joins = bool(rules.mix_kitty)
    given = [kitty, *deal.taken] if kitty_joins else deal.taken
    returned = [new_kitty, *back]
    counting.assume_unions(given)
    counting.assume_unions(returned)
    counting.assume_equal_sets_count_alike(
        Bits(union_of_sets(given)), Bits(union_of_sets(returned))
    )
    return implies(
        z3_flag(*no_card_shared(given)),
        z3_flag(is_partition(returned, union_of_sets(given))),
    )


def _cards_picked_up(
    deal: SymbolicDeal,
    rules: Rules,
    received: Sequence[Any],
    new_kitty: Any,
    mixed: bool,
) -> list[Any]:
    """The sets of cards with which play begins once all seats have picked theirs up.

    These are the hands, the kitty, and each card of the stock. The seats put down the
    sets in `deal.taken` and pick up those in `received`; after a mix, the kitty is
    `new_kitty`.
    """
    packets = tuple([Packet(cast(Any, pile), (), False) for pile in deal.taken])
    dealt = Dealt(
        tuple(cast(Any, deal.hands)),
        cast(Any, deal.stock),
        cast(Any, deal.kitty),
        MIX,
        packets,
        (),
    )
    fields = {"rules": rules, "dealt": dealt, "sheet": DealStart(0, 1, (), False)}
    core = Core(**(unread_fields(Core, "core") | fields))
    begun: list[tuple[Any, ...]] = []
    with replace_names(
        stepping,
        first_position=lambda *given: begun.append(given),
        _with=lambda *_, **__: core,
    ):
        if mixed:
            stepping.after_mix(core, tuple(received), new_kitty)
        else:
            stepping._with_received(core, tuple(received), cast(Any, deal.kitty))
    _, hands, stock, kitty, _ = begun[0]
    return [*hands, *[set_of_one_card(card) for card in stock], kitty]


def _picked_up(deal: SymbolicDeal) -> Any:
    """Claim that the cards make up the pack once all seats have picked theirs up.

    The symbolic sets `deal.taken` serve as the cards that the seats put down: what they
    pass, or what they put into the pile of a mix.
    """
    rules = deal.options.rules(deal.seats)
    received = [a_mask(f"received {seat}") for seat in deal.places]
    new_kitty = a_mask("new kitty")
    mixed = bool(a_flag("a mix"))
    after = _cards_picked_up(deal, rules, received, new_kitty, mixed)
    kitty_joins = mixed and bool(rules.mix_kitty)
    put_down = [*deal.taken, deal.kitty] if kitty_joins else deal.taken
    dealt_back = [*received, new_kitty] if kitty_joins else received
    cards = [set_of_one_card(card) for card in deal.stock]
    given = z3_flag(
        is_partition([*deal.hands, *cards, deal.kitty], deal.pack.term),
        *[
            passed.term & ~hand.term == 0
            for passed, hand in zip(deal.taken, deal.hands, strict=True)
        ],
        is_partition(dealt_back, union_of_sets(put_down)),
    )
    return implies(given, z3_flag(is_partition(after, deal.pack.term)))


def theorems() -> list[Theorem]:
    """The theorems about passes, scatters and mixes, and about picking up the cards."""
    return [
        *[
            Theorem(
                f"a pass {name} moves each card once, to the next who does not forward",
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
