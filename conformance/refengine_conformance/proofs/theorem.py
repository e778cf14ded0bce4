"""What a theorem is, how it is proved, and the functions that claims are built from."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import attrs

from refengine.chapters.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    SPADES,
    Mask,
)
from refengine.machine.notation import write_set
from refengine_conformance.proofs.symbolic import (
    Path,
    SymbolicFlag,
    UndecidedError,
    can_break_claim,
    formula_of,
    paths_of_run,
    shrink_model,
    term_of,
    z3,
)

SUITS: Final = (CLUBS, DIAMONDS, SPADES, HEARTS)
# The numbers of seats to prove a theorem for: by default, and with `--deep`.
SEATS: Final = (2, 3, 4)
ALL_SEATS: Final = tuple(range(2, 14))


class UnreadError(Exception):
    """Raised when a function reads something that it must not depend on."""


class Unread:
    """A value that must not be read; each operation defined here raises UnreadError."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _fail(self, *_: object) -> Any:
        raise UnreadError(f"it reads {self._name}")

    __bool__ = __index__ = __len__ = __iter__ = __getitem__ = __call__ = _fail
    __and__ = __or__ = __add__ = __sub__ = __rand__ = __ror__ = __radd__ = _fail
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __hash__ = _fail
    __neg__ = __invert__ = __mul__ = __rmul__ = __mod__ = _fail


def unread_fields(kind: Callable[..., object], name: str) -> dict[str, Any]:
    """A dictionary with an `Unread` value for each parameter of the class `kind`.

    `name` is how the text of UnreadError refers to the object: if it is `position`,
    the text speaks of `position.best`.
    """
    fields = inspect.signature(kind).parameters
    return {field: Unread(f"{name}.{field}") for field in fields}


def implies(first: Any, second: Any) -> SymbolicFlag:
    """Whether the second formula holds if the first does."""
    return SymbolicFlag(z3.Implies(formula_of(first), formula_of(second)))


def all_hold(*conditions: Any) -> SymbolicFlag:
    """Whether all these flags hold; a set counts as true unless it is empty."""
    return SymbolicFlag(z3.And(*[formula_of(condition) for condition in conditions]))


def any_holds(*conditions: Any) -> SymbolicFlag:
    """Whether any of these flags holds; a set counts as true unless it is empty."""
    return SymbolicFlag(z3.Or(*[formula_of(condition) for condition in conditions]))


def same_cards(first: Any, second: Any) -> SymbolicFlag:
    """Whether two sets hold the same cards."""
    return SymbolicFlag(term_of(first) == term_of(second))


def is_subset(inner: Any, outer: Any) -> SymbolicFlag:
    """Whether every card of the inner set is in the outer one."""
    return SymbolicFlag(term_of(inner) & ~term_of(outer) == 0)


def z3_flag(*formulas: Any) -> SymbolicFlag:
    """Whether all these z3 formulas hold, as a flag; `all_hold` takes flags."""
    return SymbolicFlag(z3.And(*formulas))


def whole_suits_of(cards: Any) -> Any:
    """All the cards of every suit found among these cards, as a term."""
    term = term_of(cards)
    suits = term_of(0)
    for suit in SUITS:
        suits = suits | z3.If(term & suit != 0, term_of(suit), 0)
    return suits


def number_in_model(model: Any, term: Any) -> int:
    """The value of a term in a model, as a signed number."""
    value: int = model.eval(term, model_completion=True).as_signed_long()
    return value


def cards_in_model(model: Any, cards: Any) -> str:
    """The cards that a set has in a model, in notation; an empty text for no cards."""
    return write_set(Mask(model.eval(term_of(cards), model_completion=True).as_long()))


def holds_in_model(model: Any, flag: Any) -> bool:
    """Whether a flag holds in a model."""
    return bool(z3.is_true(model.eval(formula_of(flag), model_completion=True)))


@attrs.frozen(eq=False)
class TheoremCase:
    """A part of a theorem: what is run, what is assumed, and how a model is shown.

    The search for a small counterexample leaves out as many cards of `masks` as it can
    and, where possible, makes the `wishes` true one after another.
    """

    run: Callable[[], Any]
    assuming: Sequence[Any]
    shown: Callable[[Any], str]
    masks: Sequence[Any] = ()
    wishes: Sequence[Any] = ()


@attrs.frozen(eq=False)
class Theorem:
    """A statement to be proved about the functions of these clauses.

    `title` is the statement in words. `cases` is called with the numbers of seats to
    cover, and returns the cases to prove.
    """

    title: str
    clauses: tuple[str, ...]
    cases: Callable[[Sequence[int]], Iterable[TheoremCase]]


BROKEN: Final = "BROKEN"
"""How `Outcome.failure` begins if an example breaks the theorem."""


@attrs.frozen
class Outcome:
    """The outcome of an attempt to prove a theorem, proved if `failure` is empty.

    Otherwise `failure` says what breaks the theorem, or why it is not proved.
    """

    title: str
    clauses: tuple[str, ...]
    paths: int
    seconds: float
    failure: str

    def __str__(self) -> str:
        head = (
            f"{self.title:<68} {' '.join(self.clauses):<24} {self.paths:6} paths "
            f"{self.seconds:6.2f} s"
        )
        return f"{head}  {self.failure or 'proved'}"


def prove(theorem: Theorem, seats: Sequence[int] = SEATS) -> Outcome:
    """Try to prove a theorem for tables with these numbers of seats.

    The proof ends at the first case that is broken or left undecided. A theorem that
    has no case for any of these tables is not proved.
    """
    start = time.perf_counter()
    paths = 0
    failure = ""
    for case in theorem.cases(seats):
        try:
            for path in paths_of_run(case.run, case.assuming):
                paths += 1
                if can_break_claim(path):
                    failure = _counterexample(case, path)
                    break
        except (UnreadError, UndecidedError) as fault:
            failure = f"not proved: {fault}"
        if failure:
            break
    if not paths and not failure:
        failure = "not proved: it has no case for these tables"
    seconds = time.perf_counter() - start
    return Outcome(theorem.title, theorem.clauses, paths, seconds, failure)


def _counterexample(case: TheoremCase, path: Path) -> str:
    """A small example, in words, that breaks the claim of the case on this path."""
    model = shrink_model(path, case.masks, case.wishes)
    return f"{BROKEN} by {case.shown(model)}"
