"""Rulesets whose options are symbols, so that a proof covers all their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from refengine.chapters.cards import ACE, HEARTS, KING, QUEEN
from refengine.chapters.settings import Rules
from refengine.lawbook.options import (
    BY_NAME,
    OPTIONS,
    Option,
    Value,
    Values,
    lowered,
    value_text,
)
from refengine.machine.notation import read_set
from refengine_conformance.proofs.symbolic import (
    Bits,
    Number,
    SymbolicFlag,
    a_number,
    formula_of,
    is_in_range,
    term_of,
    z3,
)
from refengine_conformance.proofs.theorem import Unread, number_in_model

BASES: Final[dict[str, Value]] = {option.name: option.base for option in OPTIONS}
_MANY: Final = 1000  # larger numbers could overflow the bits of `Number`


def _values(option: Option) -> tuple[Value, ...]:
    """The values of an option that are words or flags."""
    return (False, True) if isinstance(option.base, bool) else option.words


def can_be_symbolic(option: Option) -> bool:
    """Whether an option can be a symbol; lists and large numbers cannot."""
    if isinstance(option.base, tuple):
        return False
    return option.least is None or option.most <= _MANY


MOVING: Final = (
    "players",
    "counterclockwise",
    "left_of_dealer_leads",
    "queen_breaks_hearts",
    "kitty_to",
    "ends_without_points",
    "heart_points",
    "hearts_cost_face",
    "queen_points",
    "king_points",
    "ace_points",
    "bonus_card",
)  # what a play, a draw, the opening leader and the end of play read from a ruleset


class SymbolicOptions:
    """Symbols for the options, and the rules that the engine makes of these symbols.

    A word or a flag is represented by its index among the values of the option, and a
    number by itself; if an option takes both, the words come after the largest
    number. Lists and numbers that can be too large are left out: no decision reads
    them.
    """

    def __init__(self) -> None:
        self._terms: dict[str, Any] = {}
        self.assumptions: list[Any] = []
        for option in filter(can_be_symbolic, OPTIONS):
            number = a_number(option.name)
            least = 0 if option.least is None else option.least
            most = _first_word(option) + len(_values(option)) - 1
            self.assumptions.append(is_in_range(number, least, most))
            self._terms[option.name] = number.term

    def has_value(self, name: str, value: Value) -> Any:
        """Whether the option has this value."""
        return self._terms[name] == _code(BY_NAME[name], value)

    @property
    def penalty(self) -> Any:
        """The penalty cards of clause 1.4, worked out without the engine, as a term."""
        cards = term_of(0)
        for name, own in (
            ("heart_points", HEARTS),
            ("queen_points", QUEEN),
            ("king_points", KING),
            ("ace_points", ACE),
        ):
            cards = cards | z3.If(self.has_value(name, 0), term_of(0), term_of(own))
        return cards

    @property
    def bonus(self) -> Any:
        """The bonus card of clause 1.7, as a term; the empty set if there is none."""
        cards = term_of(0)
        for word in ("JD", "TD"):
            chosen = self.has_value("bonus_card", word)
            cards = z3.If(chosen, term_of(read_set(word)), cards)
        return cards

    def moving(self, players: int) -> Rules:
        """The rules for this number of players, with only the fields in `MOVING` known.

        The other fields are `Unread`, so a proof in which one is read fails.
        """
        fields: dict[str, Any] = {
            name: value if name in MOVING else Unread(name)
            for name, value in vars(self.rules(players)).items()
        }
        return Rules(**fields)

    def rules(self, players: int, **fixed: Value) -> Rules:
        """The rules for this number of players, with symbols for options not `fixed`.

        Options that cannot be symbols are `Unread`. Raises KeyError if one of these, or
        an unknown option, is fixed.
        """
        unknown = fixed.keys() - self._terms.keys()
        if unknown:
            raise KeyError(f"no symbols: {', '.join(sorted(unknown))}")
        names = vars(lowered(players, BASES))
        fields: dict[str, Any] = {name: Unread(name) for name in names}
        fields["players"] = players
        for option in filter(can_be_symbolic, OPTIONS):
            decided = _fields_of(option, self._terms[option.name], fixed)
            for name in decided:
                assert isinstance(fields[name], Unread), f"two options decide {name}"
            fields |= decided
        return Rules(**fields)

    def shown(self, model: Any) -> list[str]:
        """The options that differ from their base values in a model, as NAME=VALUE."""
        changed: list[str] = []
        for option in filter(can_be_symbolic, OPTIONS):
            code = number_in_model(model, self._terms[option.name])
            place = code - _first_word(option)
            value: Value = code if place < 0 else _values(option)[place]
            if value != option.base:
                changed.append(f"{option.name}={value_text(value)}")
        return changed

    def wishes(self) -> list[Any]:
        """For each option, the formula that says it has its base value."""
        return [
            self.has_value(option.name, option.base)
            for option in filter(can_be_symbolic, OPTIONS)
        ]


def _first_word(option: Option) -> int:
    """The code of the option's first value that is a word or a flag."""
    return 0 if option.least is None else option.most + 1


def _code(option: Option, value: Value) -> int:
    """The code, a whole number, that represents this value of the option."""
    if isinstance(value, int) and option.least is not None:
        return value
    return _first_word(option) + _values(option).index(value)


def _lowered_with(name: str, value: Value) -> dict[str, Any]:
    """The fields of the rules in which only this option may not have its base value."""
    return vars(lowered(4, BASES | {name: value}))


def _fields_of(option: Option, term: Any, fixed: Values) -> dict[str, Any]:
    """The fields of the rules that an option decides, as the engine's `lowered` says.

    Their values depend on `term`, which is the symbol of the option, or are constants
    if `fixed` gives the option a value.
    """
    by_code = {
        _code(option, value): _lowered_with(option.name, value)
        for value in _values(option)
    }
    if option.least is not None:
        otherwise = _with_any_number(option, option.least)
    else:
        _, otherwise = by_code.popitem()  # the last word or flag, if no other applies
    decided = {
        name
        for rules in by_code.values()
        for name in otherwise
        if rules[name] != otherwise[name]
    }
    if option.least is not None:
        decided.add(option.name)
    if option.name in fixed:
        chosen = _lowered_with(option.name, fixed[option.name])
        return {name: chosen[name] for name in decided}
    fields: dict[str, Any] = {}
    for name in decided:
        entries = [(code, rules[name]) for code, rules in by_code.items()]
        is_number = option.least is not None and name == option.name
        other = Number(term) if is_number else otherwise[name]
        fields[name] = _chosen(term, entries, other, name)
    return fields


def _with_any_number(option: Option, number: int) -> dict[str, Any]:
    """The fields of the rules if the option is this number, its least.

    For any other number, only the field named as the option differs.
    """
    least = _lowered_with(option.name, number)
    most = _lowered_with(option.name, option.most)
    decided = {name for name in least if least[name] != most[name]}
    assert decided == {option.name}, f"a number decides {decided}"
    return least


def _chosen(
    term: Any, entries: Sequence[tuple[int, Any]], other: Any, field: str
) -> Any:
    """The value of a field from the entry whose code is `term`, or else `other`."""
    kind: Any = Bits if field == "bonus_card" else Number
    as_term: Callable[[Any], Any] = partial(term_of, width=kind.width)
    if isinstance(other, bool):
        kind, as_term = SymbolicFlag, formula_of
    chosen = as_term(other)
    for code, entry in entries:
        chosen = z3.If(term == code, as_term(entry), chosen)
    return kind(chosen)
