"""Theorems that a clause's formal lines say what the function of the clause does."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from refengine.chapters import draw, play
from refengine.chapters.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    QUEEN,
    SPADES,
    cards_in,
)
from refengine.chapters.settings import Rules
from refengine.lawbook import formal
from refengine.lawbook.book import registry
from refengine.lawbook.formal import Condition, Formal, Set
from refengine.machine import position
from refengine_conformance.lawbook_checks.book_check import LINES
from refengine_conformance.proofs.decision import Decision, decision_theorem
from refengine_conformance.proofs.symbolic import (
    Bits,
    SymbolicFlag,
    formula_of,
    term_of,
    z3,
)
from refengine_conformance.proofs.theorem import SUITS, Theorem, whole_suits_of


def functions_by_clause() -> dict[str, str]:
    """For each clause with formal lines, its function as `module.name`.

    It is the first function that claims the clause and takes no arguments other than
    the rules, the position and the allowed cards, so that it can be called at a
    decision. A clause that has no such function is left out.
    """
    found: dict[str, str] = {}
    for entry in registry()["clauses"]:
        if entry["number"] in LINES:
            for function in entry["functions"]:
                if set(parameters_of(function)) <= {"rules", "position", "allowed"}:
                    found.setdefault(entry["number"], function)
    return found


def function_of(name: str) -> Callable[..., Any]:
    """The function with this name, written `module.function`.

    Raises KeyError for a module other than play, draw and position, and AttributeError
    for an unknown function.
    """
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(
        {"play": play, "draw": draw, "position": position}[module], function
    )
    return found


def parameters_of(name: str) -> tuple[str, ...]:
    """The parameter names of a function, or just `unknown` if they cannot be read."""
    try:
        return tuple(inspect.signature(function_of(name)).parameters)
    except (AttributeError, KeyError, ValueError):
        return ("unknown",)


_FUNCTIONS: Final = functions_by_clause()
# Read from the real functions: a faulty one in their place may name others.
_PARAMETERS: Final = {name: parameters_of(name) for name in _FUNCTIONS.values()}


def answer_of_function(
    clause: str, it: Decision, allowed: Any, rules: Rules | None = None
) -> Any:
    """What the function of the clause returns at this decision.

    It is called with the decision's own rules unless others are given.
    """
    name = _FUNCTIONS[clause]
    given = {
        "rules": rules or it.rules,
        "position": it.position,
        "allowed": allowed,
    }
    return function_of(name)(*[given[key] for key in _PARAMETERS[name]])


class InSymbols:
    """Translates the sets and conditions of formal lines to z3, for one decision.

    Sets become terms, and conditions become formulas. `suit` and `lowest` may be
    applied only to sets whose cards are all of one suit; `sides` holds a formula for
    each such set, which says that it meets this requirement.
    """

    def __init__(self, it: Decision) -> None:
        self._it = it
        self.sides: list[Any] = []

    def cards(self, tree: Set) -> Any:
        """The z3 term for a set in a formal line."""
        match tree:
            case formal.Named(name):
                return self._named(name)
            case formal.Written(numbers):
                return term_of(cards_in(tuple(numbers)))
            case formal.SuitTerm(of):
                return whole_suits_of(Bits(self._of_one_suit(of)))
            case formal.Lowest(of):
                term = self._of_one_suit(of)
                return term & -term
            case formal.Nonempty(first, second):
                term = self.cards(first)
                return z3.If(term != 0, term, self.cards(second))
            case formal.Joined(sign, left, right):
                one, other = self.cards(left), self.cards(right)
                if sign == "&":
                    return one & other
                return one | other if sign == "|" else one & ~other

    def _named(self, name: str) -> Any:
        """The term for the set with this name."""
        it = self._it
        sets = {
            "hand": it.hand,
            "allowed": it.allowed,
            "led": it.first_card,
            "trick": it.trick,
            "clubs": CLUBS,
            "diamonds": DIAMONDS,
            "spades": SPADES,
            "hearts": HEARTS,
            "queen": QUEEN,
            "penalty": Bits(it.options.penalty),
        }
        return term_of(sets[name])

    def _of_one_suit(self, tree: Set) -> Any:
        """The term of a set; records in `sides` that its cards must be of one suit."""
        term = self.cards(tree)
        self.sides.append(z3.Or(*[term & ~term_of(suit) == 0 for suit in SUITS]))
        return term

    def holds(self, tree: Condition) -> Any:
        """The z3 formula for a condition in a formal line."""
        it = self._it
        match tree:
            case formal.Flag(name):
                flags = {
                    "leading": it.leading,
                    "first_trick": it.first,
                    "hearts_broken": it.broken,
                    "stock": it.stock,
                    "drew": it.drew,
                }
                return formula_of(flags[name])
            case formal.Is(option, value):
                return it.options.has_value(option, value)
            case formal.Within(inner, outer):
                return self.cards(inner) & ~self.cards(outer) == 0
            case formal.Holds(of):
                return self.cards(of) != 0
            case formal.Not(of):
                return z3.Not(self.holds(of))
            case formal.And(left, right):
                return z3.And(self.holds(left), self.holds(right))
            case formal.Or(left, right):
                return z3.Or(self.holds(left), self.holds(right))

    def clause(self, lines: Sequence[Formal]) -> Any:
        """The z3 form of all the formal lines of one clause, taken together.

        Lines about a draw give the formula that one of them applies. Other lines give
        the cards left by the first one that applies, or all allowed cards if none does.
        """
        conditions = [
            self.holds(line.when) if line.when is not None else z3.BoolVal(True)
            for line in lines
        ]
        if lines[0].must_draw:
            return z3.Or(*conditions)
        left = self._it.allowed.term
        for line, applies in reversed(list(zip(lines, conditions, strict=True))):
            left = z3.If(applies, self.cards(cast(Set, line.leaves)), left)
        return left


def book_theorem(number: str, lines: Sequence[Formal]) -> Theorem:
    """The theorem that these formal lines say what the function of the clause does."""

    def claim(it: Decision) -> Any:
        in_symbols = InSymbols(it)
        said = in_symbols.clause(lines)
        answer = answer_of_function(number, it, it.allowed)
        in_z3: Callable[[Any], Any] = formula_of if lines[0].must_draw else term_of
        return SymbolicFlag(z3.And(in_z3(answer) == said, *in_symbols.sides))

    name = _FUNCTIONS[number]
    says = "line of {} says" if len(lines) == 1 else "lines of {} say"
    title = f"the formal {says.format(number)} what {name} does"
    return decision_theorem(title, number, claim, usual=False)


def theorems() -> list[Theorem]:
    """A theorem for each clause with formal lines."""
    return [book_theorem(number, lines) for number, lines in LINES.items()]
