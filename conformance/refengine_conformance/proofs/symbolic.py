"""Clause functions run on symbols: masks, flags and numbers that stand for all values.

All that a clause function does with a mask is combine it with `& | ~ -`, compare it and
test it. `Bits`, `SymbolicFlag` and `Number` answer with z3 formulas; a truth test may
fork the run. Each branch is a run of its own: the function, which knows nothing of
this, is called again, and the decisions made so far are repeated first. What a run
returns, together with its decisions, then says what the real source does for every
value on that path.

Proofs need the interpreted source and z3; `why_no_proofs` says which one is missing.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import attrs

import refengine
from refengine.machine import judging, position

z3: Any = (
    importlib.import_module("z3")
    if importlib.util.find_spec("z3") is not None
    else None
)

CARDS_WIDTH: Final = 52
NUMBER_WIDTH: Final = 16
_PATIENCE: Final = 240_000  # milliseconds for one query, enough even on a busy machine


class UndecidedError(Exception):
    """Raised when the solver finds no answer in the time allowed."""


def why_no_proofs() -> str:
    """Why nothing can be proved here, in one line, or empty if proofs are possible."""
    if z3 is None:
        return "z3 is not installed, nothing is proved: pip install z3-solver"
    if refengine.__mode__ != "interpreted":
        return "refengine is compiled here, nothing is proved: proofs need its source"
    return ""


class _Run:
    """One run along one path: its decisions, and those with which other runs begin.

    `prefix` holds the decisions that this run repeats first, `taken` all decisions so
    far, and `open` the prefixes of the paths that are still to be run.
    """

    def __init__(self, prefix: Sequence[bool], assuming: Sequence[Any]) -> None:
        self.prefix = prefix
        self.taken: list[bool] = []
        self.open: list[list[bool]] = []
        self.solver = z3.SolverFor("QF_BV")
        self.solver.set("timeout", _PATIENCE)
        self.solver.add(*assuming)

    def decide(self, formula: Any) -> bool:
        """Whether a formula holds on this path; if that is open, the run forks."""
        formula = z3.simplify(formula)
        if z3.is_true(formula):
            return True
        if z3.is_false(formula):
            return False
        if len(self.taken) < len(self.prefix):
            way = self.prefix[len(self.taken)]
        else:
            way = self.solver.check(formula) != z3.unsat
            if way and self.solver.check(z3.Not(formula)) != z3.unsat:
                self.open.append([*self.taken, False])
        self.taken.append(way)
        self.solver.add(formula if way else z3.Not(formula))
        return way


_running: list[_Run] = []


def _current_run() -> _Run:
    """The run in progress. Raises RuntimeError if there is none."""
    if not _running:
        raise RuntimeError("a symbol is decided or restricted outside a run")
    return _running[-1]


def assume(formula: Any) -> None:
    """Restrict the current run to values for which the formula holds.

    Raises RuntimeError if no run is in progress.
    """
    _current_run().solver.add(formula)


@attrs.frozen
class Path:
    """One path through a run: the value returned, and a solver with its decisions."""

    value: Any
    solver: Any


def paths_of_run(run: Callable[[], Any], assuming: Sequence[Any]) -> Iterator[Path]:
    """Every path through the run that some values may take under these assumptions."""
    waiting: list[list[bool]] = [[]]
    while waiting:
        current = _Run(waiting.pop(), assuming)
        _running.append(current)
        try:
            value = run()
        finally:
            _running.pop()
        waiting.extend(current.open)
        yield Path(value, current.solver)


class SymbolicFlag:
    """A symbolic truth value; testing it may fork the run."""

    def __init__(self, formula: Any) -> None:
        self.formula = formula

    def __bool__(self) -> bool:
        return _current_run().decide(self.formula)

    def __and__(self, other: object) -> SymbolicFlag:
        return SymbolicFlag(z3.And(self.formula, formula_of(other)))

    def __or__(self, other: object) -> SymbolicFlag:
        return SymbolicFlag(z3.Or(self.formula, formula_of(other)))

    def __invert__(self) -> SymbolicFlag:
        return SymbolicFlag(z3.Not(self.formula))

    __rand__ = __and__
    __ror__ = __or__
    __hash__ = None  # type: ignore[assignment] # equality is a formula

    def __eq__(self, other: object) -> SymbolicFlag:  # type: ignore[override] # a formula, not a truth value
        return SymbolicFlag(self.formula == formula_of(other))

    def __ne__(self, other: object) -> SymbolicFlag:  # type: ignore[override] # a formula, not a truth value
        return SymbolicFlag(self.formula != formula_of(other))


class _Word:
    """What masks and numbers have in common: each is a z3 bit-vector."""

    width = CARDS_WIDTH

    def __init__(self, term: Any) -> None:
        self.term = term

    def _of(self, other: Any) -> Any:
        """The other operand as a term of the same width."""
        return term_of(other, self.width)

    def __bool__(self) -> bool:
        return _current_run().decide(self.term != 0)

    def __index__(self) -> int:
        for value in self._values():
            if _current_run().decide(self.term == value):
                return value
        raise IndexError("a symbol that has no value here")

    def _values(self) -> Iterator[int]:
        """The values that the symbol may have as an index.

        Raises TypeError for a set of cards, which cannot be an index.
        """
        raise TypeError("a set of cards is not an index")

    def __neg__(self) -> Any:
        return type(self)(-self.term)

    def __add__(self, other: object) -> Any:
        return type(self)(self.term + self._of(other))

    def __sub__(self, other: object) -> Any:
        return type(self)(self.term - self._of(other))

    def __rsub__(self, other: object) -> Any:
        return type(self)(self._of(other) - self.term)

    def __mul__(self, other: object) -> Any:
        return type(self)(self.term * self._of(other))

    __radd__ = __add__
    __rmul__ = __mul__
    __hash__ = None  # type: ignore[assignment] # equality is a formula

    def __eq__(self, other: object) -> SymbolicFlag:  # type: ignore[override] # a formula, not a truth value
        return SymbolicFlag(self.term == self._of(other))

    def __ne__(self, other: object) -> SymbolicFlag:  # type: ignore[override] # a formula, not a truth value
        return SymbolicFlag(self.term != self._of(other))


class Bits(_Word):
    """A symbolic set of cards, or of seats: an unsigned mask of 52 bits."""

    def __and__(self, other: object) -> Bits:
        return Bits(self.term & self._of(other))

    def __or__(self, other: object) -> Bits:
        return Bits(self.term | self._of(other))

    def __invert__(self) -> Bits:
        return Bits(~self.term)

    __rand__ = __and__
    __ror__ = __or__

    def __lt__(self, other: object) -> SymbolicFlag:
        return SymbolicFlag(z3.ULT(self.term, self._of(other)))

    def __le__(self, other: object) -> SymbolicFlag:
        return SymbolicFlag(z3.ULE(self.term, self._of(other)))

    def __gt__(self, other: object) -> SymbolicFlag:
        return SymbolicFlag(z3.UGT(self.term, self._of(other)))

    def __ge__(self, other: object) -> SymbolicFlag:
        return SymbolicFlag(z3.UGE(self.term, self._of(other)))


class Number(_Word):
    """A small symbolic number; its use as an index forks the run for each value.

    The values that it may have as an index are those from `low` to `high`.
    """

    width = NUMBER_WIDTH

    def __init__(self, term: Any, low: int = -1, high: int = CARDS_WIDTH) -> None:
        super().__init__(term)
        self._low = low
        self._high = high

    def _values(self) -> Iterator[int]:
        yield from range(self._low, self._high + 1)

    def __rrshift__(self, cards: int) -> Bits:
        """The mask `cards`, shifted down by this number of places."""
        places = z3.SignExt(CARDS_WIDTH - NUMBER_WIDTH, self.term)
        return Bits(z3.LShR(term_of(cards), places))

    def __lt__(self, other: object) -> SymbolicFlag:
        return SymbolicFlag(self.term < self._of(other))

    def __le__(self, other: object) -> SymbolicFlag:
        return SymbolicFlag(self.term <= self._of(other))

    def __gt__(self, other: object) -> SymbolicFlag:
        return SymbolicFlag(self.term > self._of(other))

    def __ge__(self, other: object) -> SymbolicFlag:
        return SymbolicFlag(self.term >= self._of(other))


def formula_of(value: Any) -> Any:
    """The formula of a truth value, symbolic or not.

    A symbolic set counts as true if it is not empty, and a symbolic number if not 0.
    Raises TypeError for a z3 formula, whose truth value in Python means something else.
    """
    if isinstance(value, SymbolicFlag):
        return value.formula
    if isinstance(value, _Word):
        return value.term != 0
    if z3.is_expr(value):
        raise TypeError(f"{value} is a formula, not a truth value")
    return z3.BoolVal(bool(value))


def term_of(value: Any, width: int = CARDS_WIDTH) -> Any:
    """The term of a mask or a number, symbolic or not.

    Raises TypeError for any other value.
    """
    if isinstance(value, _Word):
        return value.term
    if isinstance(value, int):
        return z3.BitVecVal(value, width)
    raise TypeError(f"{value!r} is neither a mask nor a number")


def term_of_number(value: Any) -> Any:
    """The term of a number, symbolic or not."""
    return term_of(value, NUMBER_WIDTH)


def a_mask(name: str) -> Bits:
    """A symbol for any set of cards."""
    return Bits(z3.BitVec(name, CARDS_WIDTH))


def a_flag(name: str) -> SymbolicFlag:
    """A symbol for either truth value."""
    return SymbolicFlag(z3.Bool(name))


def a_number(name: str, low: int = -1, high: int = CARDS_WIDTH) -> Number:
    """A symbol for any number; as an index, it takes the values from `low` to `high`.

    To keep it in that range everywhere, assume `is_in_range`, or use `ranged_number`.
    """
    return Number(z3.BitVec(name, NUMBER_WIDTH), low, high)


def ranged_number(name: str, low: int, high: int) -> Number:
    """A symbol for any number from `low` to `high`; restricts the run to that range.

    Raises RuntimeError as `assume` does.
    """
    number = a_number(name, low, high)
    assume(is_in_range(number, low, high))
    return number


def is_in_range(number: Number, low: int, high: int) -> Any:
    """Whether a number lies between `low` and `high`, both included."""
    return z3.And(number.term >= low, number.term <= high)


def is_one_card(cards: Bits) -> Any:
    """Whether a set holds exactly one card."""
    return z3.And(cards.term != 0, cards.term & (cards.term - 1) == 0)


def no_card_shared(sets: Sequence[Any]) -> list[Any]:
    """For each pair of these sets, the formula that the two share no card."""
    terms = [term_of(cards) for cards in sets]
    return [terms[a] & terms[b] == 0 for a in range(len(terms)) for b in range(a)]


def union_of_sets(sets: Sequence[Any]) -> Any:
    """The cards of all these sets, as a term."""
    union = term_of(0)
    for cards in sets:
        union = union | term_of(cards)
    return union


def is_partition(sets: Sequence[Any], whole: Any) -> Any:
    """Whether these sets hold each card of the term `whole` once, and no others."""
    return z3.And(*no_card_shared(sets), union_of_sets(sets) == whole)


def set_of_one_card(number: int | Number) -> Bits:
    """The set of the one card with this number."""
    if isinstance(number, int):
        return Bits(term_of(2**number))
    one = term_of(1)
    return Bits(one << z3.ZeroExt(CARDS_WIDTH - NUMBER_WIDTH, number.term))


@contextmanager
def replace_names(module: Any, **values: Any) -> Iterator[None]:
    """Bind names of a module to these values within a `with` block."""
    before = {name: vars(module)[name] for name in values if name in vars(module)}
    for name, value in values.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for name in values:
            if name in before:
                setattr(module, name, before[name])
            else:
                delattr(module, name)


def can_break_claim(path: Path) -> bool:
    """Whether some values break the claim that the run returned on this path.

    If so, the solver of the path has a model. Raises UndecidedError if the solver finds
    no answer.
    """
    answer = path.solver.check(z3.Not(formula_of(path.value)))
    if answer == z3.unknown:
        raise UndecidedError(path.solver.reason_unknown())
    return bool(answer == z3.sat)


def shrink_model(path: Path, masks: Sequence[Any], wishes: Sequence[Any]) -> Any:
    """A model that breaks the claim of this path, with few cards and many wishes met.

    One after another, cards of the masks are left out and wishes granted, each only if
    the claim can still be broken.
    """
    solver = path.solver
    solver.add(z3.Not(formula_of(path.value)))
    solver.check()
    model = solver.model()

    def grant(wish: Any, model: Any) -> Any:
        """Require the wish from now on, and return a model of it, if there is one.

        If there is none, nothing is required, and `model` is returned.
        """
        if solver.check(wish) != z3.sat:
            return model
        found = solver.model()  # taken first: adding the wish discards it
        solver.add(wish)
        return found

    for mask in masks:
        term = term_of(mask)
        for bit in range(CARDS_WIDTH):
            held = z3.Extract(bit, bit, term) == 1
            if z3.is_true(model.eval(held, model_completion=True)):
                model = grant(z3.Not(held), model)
            else:
                solver.add(z3.Not(held))
    for wish in wishes:
        model = grant(wish, model)
    return model


def merge_paths(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with all its paths joined in one formula, so that no caller forks.

    It must return sets of cards on every path, or truth values on every path.
    """

    def joined(*given: Any) -> Any:
        answers = []
        for path in paths_of_run(lambda: function(*given), ()):
            answers.append((z3.And(*path.solver.assertions()), path.value))
        if len(answers) == 1:
            return answers[0][1]
        are_flags = any(isinstance(value, bool | SymbolicFlag) for _, value in answers)
        in_z3: Callable[[Any], Any] = formula_of if are_flags else term_of
        term = in_z3(answers[-1][1])
        for condition, value in answers[:-1]:
            term = z3.If(condition, in_z3(value), term)
        return SymbolicFlag(term) if are_flags else Bits(term)

    return joined


def merged_functions(module: Any, names: Iterable[str]) -> dict[str, Any]:
    """The functions of a module with these names, by name, with their paths merged."""
    return {name: merge_paths(getattr(module, name)) for name in names}


@contextmanager
def merge_clause_functions() -> Iterator[None]:
    """Let `position` and `judging` call clause functions with their paths merged.

    The effect lasts for a `with` block. In `position`, the functions merged are those
    that `playable` calls and those in `NARROWING`; in `judging`, those of 5.7, 6.1 and
    6.2.
    """
    called = position.playable.__code__.co_names
    names = [name for name in called if inspect.isfunction(vars(position).get(name))]
    table = tuple(
        (number, merge_paths(narrow)) for number, narrow in position.NARROWING
    )
    asked = ("not_in_hand", "must_draw_to_follow", "must_draw_to_lead")
    with (
        replace_names(position, **merged_functions(position, names), NARROWING=table),
        replace_names(judging, **merged_functions(judging, asked)),
    ):
        yield
