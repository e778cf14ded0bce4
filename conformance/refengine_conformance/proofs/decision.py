"""A symbolic decision of one seat: it stands for every hand, trick and ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from refengine.chapters import draw, play
from refengine.chapters.layout import Piles, Position, Talon
from refengine.lawbook.options import Value
from refengine.machine import position
from refengine_conformance.proofs.settings import SymbolicOptions
from refengine_conformance.proofs.symbolic import (
    Bits,
    Number,
    SymbolicFlag,
    a_flag,
    a_mask,
    formula_of,
    is_one_card,
    merge_clause_functions,
    merge_paths,
    replace_names,
    term_of_number,
    z3,
)
from refengine_conformance.proofs.theorem import (
    Theorem,
    TheoremCase,
    Unread,
    cards_in_model,
    holds_in_model,
    is_subset,
    same_cards,
    unread_fields,
    whole_suits_of,
)


class Decision:
    """A symbolic decision of one seat: any hand, trick, flags and options.

    Apart from the ranges of the options, `assumptions` say only that a trick that is
    not empty contains the one card led to it. `usual` adds that the hand holds a card
    but none of the trick's, that some cards are allowed, all of them in the hand, and
    that `card` and `other` are single cards of the hand.
    """

    def __init__(self) -> None:
        self.options = SymbolicOptions()
        self.hand = a_mask("hand")
        self.allowed = a_mask("allowed")
        self.first_card = a_mask("first card of the trick")
        self.trick = a_mask("trick")
        self.card = a_mask("card")
        self.other = a_mask("other card")
        self.first = a_flag("first trick")
        self.broken = a_flag("hearts broken")
        self.drew = a_flag("drew")
        self.stock = a_flag("stock")
        self.led = Bits(whole_suits_of(self.first_card))
        self.leading = ~SymbolicFlag(self.trick.term != 0)
        self.rules = self.options.rules(4)
        self.position = self.at(self.hand, self.drew)
        self.assumptions = [
            *self.options.assumptions,
            z3.Implies(self.first_card.term != 0, is_one_card(self.first_card)),
            (self.first_card.term == 0) == (self.trick.term == 0),
            is_subset(self.first_card, self.trick).formula,
        ]
        self.usual = [
            *self.assumptions,
            self.hand.term != 0,
            self.hand.term & self.trick.term == 0,
            self.allowed.term != 0,
            is_subset(self.allowed, self.hand).formula,
            is_one_card(self.card),
            is_subset(self.card, self.hand).formula,
            is_one_card(self.other),
            is_subset(self.other, self.hand).formula,
        ]

    def at(self, hand: Any, drew: Any) -> Position:
        """The position at this decision, with this hand for the seat to play.

        What a decision must not depend on is `Unread`, except the card in the stock
        and the newest trick in the piles, which are fixed.
        """
        # A stock of one card, which has already been drawn unless `stock` holds.
        drawn = Number(z3.If(self.stock.formula, term_of_number(0), 1), 0, 1)
        fields = unread_fields(Position, "position")
        kitty: Any = Unread("talon.kitty")
        taken: Any = Unread("piles.taken")
        fields |= {
            "talon": Talon((-1,), cast(Any, drawn), kitty, kitty),
            "piles": Piles(taken, taken, taken, cast(Any, self.first)),
            "led": self.led,
            "table": self.trick,
            "hand": hand,
            "drew": drew,
            "hearts_broken": self.broken,
        }
        return Position(**fields)

    def is_(self, option: str, value: Value) -> SymbolicFlag:
        """Whether an option has this value."""
        return SymbolicFlag(self.options.has_value(option, value))

    @property
    def legal(self) -> Any:
        """The cards that the engine allows to be played."""
        return position.playable(self.rules, self.position)

    @property
    def draws(self) -> SymbolicFlag:
        """Whether a draw is due, according to the engine."""
        return SymbolicFlag(
            formula_of(merge_paths(draw.draw_is_due)(self.rules, self.position))
        )

    def shown(self, model: Any) -> str:
        """The decision that a model of the solver describes, in notation."""
        first = cards_in_model(model, self.first_card)
        rest = cards_in_model(model, Bits(self.trick.term & ~self.first_card.term))
        given = [
            name
            for name, flag in (
                ("first trick", self.first),
                ("hearts broken", self.broken),
                ("drew", self.drew),
                ("stock", self.stock),
            )
            if holds_in_model(model, flag)
        ]
        parts = [f"hand {cards_in_model(model, self.hand) or '-'}"]
        allowed = cards_in_model(model, self.allowed)
        if allowed not in ("", cards_in_model(model, self.hand)):
            parts.append(f"allowed {allowed}")
        parts.append(f"trick {' '.join(filter(None, [first, rest])) or '-'}")
        card = cards_in_model(model, self.card)
        if card:
            parts.append(f"card {card}")
        given += self.options.shown(model)
        return "; ".join([*parts, ", ".join(given) or "nothing given"])

    @property
    def masks(self) -> list[Any]:
        """The hand and the trick, which a counterexample should keep small."""
        return [self.hand, self.trick]

    @property
    def wishes(self) -> list[Any]:
        """Conditions to be met if possible, so that a counterexample looks ordinary."""
        flags = (self.first, self.broken, self.drew, self.stock)
        return [
            same_cards(self.allowed, self.hand).formula,
            *[z3.Not(flag.formula) for flag in flags],
            *self.options.wishes(),
        ]


@contextmanager
def penalty_contract(options: SymbolicOptions) -> Iterator[None]:
    """Let chapter 5 take the penalty cards from clause 1.4, not from `penalty_cards`.

    A separate theorem, in `scoring`, says that the function returns the same cards.
    """
    with replace_names(play, penalty_cards=lambda rules: Bits(options.penalty)):
        yield


def decision_theorem(
    title: str, clauses: str, claim: Callable[[Decision], Any], usual: bool = True
) -> Theorem:
    """A theorem about every decision or, if `usual`, about every usual one.

    `Decision.usual` lists what is assumed about a usual decision.
    """

    def cases(seats: Sequence[int]) -> Iterator[TheoremCase]:
        decision = Decision()
        assuming = decision.usual if usual else decision.assumptions

        def run() -> Any:
            with merge_clause_functions(), penalty_contract(decision.options):
                return claim(decision)

        yield TheoremCase(
            run,
            assuming,
            decision.shown,
            decision.masks,
            decision.wishes,
        )

    return Theorem(title, tuple(clauses.split()), cases)
