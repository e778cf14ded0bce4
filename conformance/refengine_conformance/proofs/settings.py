"""The options in symbols: all values of all options at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from refengine.chapters.cards import HEARTS, QUEEN
from refengine.chapters.settings import Rules
from refengine.lawbook.options import OPTIONS, Option, Value, lowered
from refengine_conformance.proofs.symbolic import (
    Bits,
    Number,
    SymbolicFlag,
    a_number,
    is_in_range,
    term_of,
    z3,
)
from refengine_conformance.proofs.theorem import Unread, number_in_model

_MANY: Final = 1000  # larger numbers need more bits than a number has here


def _values(option: Option) -> tuple[Value, ...]:
    """The values of an option that are words or flags."""
    return (False, True) if isinstance(option.base, bool) else option.words


def can_be_symbolic(option: Option) -> bool:
    """Whether an option can be a symbol: no list, no number without a bound."""
    if isinstance(option.base, tuple):
        return False
    if option.least is None:
        return True
    return not option.words and abs(option.most) <= _MANY


MOVING: Final = (
    "players",
    "counterclockwise",
    "left_of_dealer_leads",
    "queen_breaks_hearts",
    "heart_points",
    "queen_points",
)  # what a play, a draw and the opening leader read from a ruleset


class Options:
    """All values of all options at once, lowered by the engine itself.

    A word or a flag is its place among the values of the option, a number is itself.
    Lists and numbers without a bound that matters are left out: no decision reads them.
    """

    def __init__(self) -> None:
        self._terms: dict[str, Any] = {}
        self.assumptions: list[Any] = []
        for option in filter(can_be_symbolic, OPTIONS):
            number = a_number(option.name)
            most = option.most if option.least is not None else len(_values(option)) - 1
            self.assumptions.append(is_in_range(number, option.least or 0, most))
            self._terms[option.name] = number.term

    def has_value(self, name: str, value: Value) -> Any:
        """That the option has this value."""
        option = next(one for one in OPTIONS if one.name == name)
        if option.least is not None:
            return self._terms[name] == value
        return self._terms[name] == _values(option).index(value)

    @property
    def penalty(self) -> Any:
        """The penalty cards as clause 1.4 has them, whatever the engine says."""
        hearts = z3.If(self.has_value("heart_points", 0), term_of(0), term_of(HEARTS))
        queen = z3.If(self.has_value("queen_points", 0), term_of(0), term_of(QUEEN))
        return hearts | queen

    def moving(self, players: int) -> Rules:
        """The rules for this number of players, of which only `MOVING` is known.

        A proof that reads more of them fails.
        """
        fields: dict[str, Any] = {
            name: value if name in MOVING else Unread(name)
            for name, value in vars(self.rules(players)).items()
        }
        return Rules(**fields)

    def rules(self, players: int, **fixed: Value) -> Rules:
        """The rules for this number of players with these values and the fixed ones."""
        bases = {option.name: option.base for option in OPTIONS}
        plain = vars(lowered(players, bases))
        fields: dict[str, Any] = {name: Unread(name) for name in plain}
        fields["players"] = players
        for option in filter(can_be_symbolic, OPTIONS):
            name = option.name
            if option.least is not None:
                fields[name] = Number(self._terms[name])
                continue
            lowerings = [
                vars(lowered(players, bases | {name: value}))
                for value in _values(option)
            ]
            for field in plain:
                entries = [lowering[field] for lowering in lowerings]
                if any(entry != plain[field] for entry in entries):
                    fields[field] = (
                        entries[_values(option).index(fixed[name])]
                        if name in fixed
                        else _chosen(self._terms[name], entries, field)
                    )
        return Rules(**fields)

    def shown(self, model: Any) -> list[str]:
        """The options that differ from their base values in a model."""
        found: list[str] = []
        for option in filter(can_be_symbolic, OPTIONS):
            place = number_in_model(model, self._terms[option.name])
            value: Value = place if option.least is not None else _values(option)[place]
            if value != option.base:
                text = str(value).lower() if isinstance(value, bool) else value
                found.append(f"{option.name}={text}")
        return found

    def wishes(self) -> list[Any]:
        """That each option has its base value."""
        return [
            self.has_value(option.name, option.base)
            for option in filter(can_be_symbolic, OPTIONS)
        ]


def _chosen(term: Any, entries: Sequence[Any], field: str) -> Any:
    """The entry at a symbolic place: what an option lowers to."""
    if isinstance(entries[0], bool):
        chosen = z3.BoolVal(entries[-1])
        for place, entry in enumerate(entries[:-1]):
            chosen = z3.If(term == place, z3.BoolVal(entry), chosen)
        return SymbolicFlag(chosen)
    kind = Bits if field == "bonus_card" else Number
    chosen = z3.BitVecVal(entries[-1], kind.wide)
    for place, entry in enumerate(entries[:-1]):
        chosen = z3.If(term == place, z3.BitVecVal(entry, kind.wide), chosen)
    return kind(chosen)
