"""The options: their names, values, base values and lowering (clause 0.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

import attrs

from refengine.chapters.settings import (
    ACROSS,
    ANY,
    ANY_CLUB,
    CHOICE_ALL,
    CHOICE_ONE,
    HOLD,
    KITTY,
    LEFT,
    LOWEST_CLUB,
    MIX,
    NEXT_LEAD,
    NO_MOON,
    NONE,
    OTHERS_PLUS,
    OTHERS_PLUS_UNLESS_LOSING,
    RIGHT,
    SCATTER,
    SELF_MINUS,
    STOCK,
    TRICK_COMPLETE,
    TRICK_QUITTED,
    Rules,
)
from refengine.errors import Malformed, shown
from refengine.machine.notation import read_set

Value = bool | int | str | tuple[str, ...]
Values = Mapping[str, Value]

PASSES: Final = {
    "left": LEFT,
    "right": RIGHT,
    "across": ACROSS,
    "hold": HOLD,
    "scatter": SCATTER,
    "mix": MIX,
}
_UNDEALT: Final = {"none": NONE, "stock": STOCK, "kitty": KITTY}
_OPENING_CARD: Final = {"lowest_club": LOWEST_CLUB, "any_club": ANY_CLUB, "any": ANY}
_MOON: Final = {
    "none": NO_MOON,
    "choice_all": CHOICE_ALL,
    "choice_one": CHOICE_ONE,
    "self_minus": SELF_MINUS,
    "others_plus": OTHERS_PLUS,
    "others_plus_unless_losing": OTHERS_PLUS_UNLESS_LOSING,
}
_REVOKE_UNTIL: Final = {
    "trick_complete": TRICK_COMPLETE,
    "trick_quitted": TRICK_QUITTED,
    "next_lead": NEXT_LEAD,
}
_ANY_NUMBER: Final = 1_000_000
_LONGEST_CYCLE: Final = 60


def _always(values: Values) -> bool:
    return True


@attrs.frozen
class Option:
    """One option: its base value, the values it takes, and when it has an effect.

    `words` holds the values that are text; `least` and `most` bound those that are
    numbers, and are None if there are none. A flag takes true and false, a cycle a list
    of `words`. `bites` tells from the values of all options whether this one can make a
    difference; it does not depend on the number of players.
    """

    name: str
    base: Value
    words: tuple[str, ...] = ()
    least: int | None = None
    most: int = 0
    bites: Callable[[Values], bool] = _always

    @property
    def allowed(self) -> str:
        """The values that the option takes, in words."""
        if isinstance(self.base, bool):
            return "true or false"
        if isinstance(self.base, tuple):
            return f"a list of at most {_LONGEST_CYCLE} of {', '.join(self.words)}"
        allowed = [f'"{word}"' for word in self.words]
        if self.least is not None:
            allowed.append(f"a whole number from {self.least} to {self.most}")
        return " or ".join(
            [", ".join(allowed[:-1]), allowed[-1]] if allowed[1:] else allowed
        )

    def read(self, value: object) -> Value:
        """The value as the option holds it, with a list made into a tuple.

        Raises Malformed if the option does not take this value.
        """
        if isinstance(self.base, bool):
            fits = isinstance(value, bool)
        elif isinstance(self.base, tuple):
            if not isinstance(value, list | tuple) or len(value) > _LONGEST_CYCLE:
                raise self.malformed(value)
            fits = all(
                isinstance(entry, str) and entry in self.words for entry in value
            )
            value = tuple(value)
        elif isinstance(value, str):
            fits = value in self.words
        elif isinstance(value, int) and not isinstance(value, bool):
            fits = self.least is not None and self.least <= value <= self.most
        else:
            fits = False
        if not fits:
            raise self.malformed(value)
        return cast(Value, value)

    def malformed(self, value: object) -> Malformed:
        """The error for a value that the option does not take."""
        return Malformed(shown(value)[:80], self.allowed, f"options.{self.name}")


def _passes_counted(values: Values) -> bool:
    cycle = cast(tuple[str, ...], values["pass_cycle"])
    return not {"left", "right", "across", "mix"}.isdisjoint(cycle)


def _passes_to_one(values: Values) -> bool:
    cycle = cast(tuple[str, ...], values["pass_cycle"])
    return not {"left", "right", "across"}.isdisjoint(cycle)


def _mixes_kitty(values: Values) -> bool:
    cycle = cast(tuple[str, ...], values["pass_cycle"])
    return "mix" in cycle and values["undealt"] == "kitty"


def _where(name: str, *wanted: Value) -> Callable[[Values], bool]:
    def bites(values: Values) -> bool:
        return values[name] in wanted

    return bites


def _unless(name: str, *unwanted: Value) -> Callable[[Values], bool]:
    def bites(values: Values) -> bool:
        return values[name] not in unwanted

    return bites


def _draws_to_lead(values: Values) -> bool:
    return values["heart_leads"] == "when_broken" and values["undealt"] == "stock"


_broken = _where("heart_leads", "when_broken")
_stock = _where("undealt", "stock")
_revokes = _where("revokes", "penalised")
_limited = _unless("limit", "none")

OPTIONS: Final[tuple[Option, ...]] = (
    Option("direction", "clockwise", ("clockwise", "counterclockwise")),
    Option("removal", "none", ("none", "lowest")),
    Option("hand_size", "all", ("all",), 1, 26),
    Option("undealt", "none", tuple(_UNDEALT)),
    Option("mix_kitty", False, bites=_mixes_kitty),
    Option("pass_count", 3, least=1, most=26, bites=_passes_counted),
    Option("pass_cycle", (), tuple(PASSES)),
    Option("pass_unseen", False, bites=_passes_to_one),
    Option("opening_leader", "lowest_club", ("lowest_club", "left_of_dealer")),
    Option("opening_card", "lowest_club", tuple(_OPENING_CARD)),
    Option("heart_leads", "when_broken", ("when_broken", "free")),
    Option("queen_breaks_hearts", False),
    Option("all_hearts_leader", "lead", ("lead", "draw"), bites=_draws_to_lead),
    Option("hearts_or_queen_leader", "queen", ("queen", "any"), bites=_broken),
    Option("first_trick_points", "allowed", ("allowed", "barred")),
    Option("queen_duty", "no", ("no", "when_safe")),
    Option("survivor_takes_stock", False, bites=_stock),
    Option("no_survivor_stock", "nobody", ("nobody", "last_to_play"), bites=_stock),
    Option("heart_points", 1, least=0, most=1000),
    Option("queen_points", 13, least=0, most=1000),
    Option(
        "bonus_card", "none", ("none", "JD", "TD"), bites=_unless("bonus_points", 0)
    ),
    Option(
        "bonus_points", -10, least=-1000, most=1000, bites=_unless("bonus_card", "none")
    ),
    Option("moon", "none", tuple(_MOON)),
    Option("sun_points", 0, least=0, most=1000, bites=_unless("moon", "none")),
    Option("no_trick_points", 0, least=-1000, most=1000),
    Option("revokes", "rejected", ("rejected", "penalised")),
    Option("revoke_until", "trick_complete", tuple(_REVOKE_UNTIL), bites=_revokes),
    Option("revoke_points", 13, ("all",), 0, 1000, bites=_revokes),
    Option("revoke_ends_deal", False, bites=_revokes),
    Option("limit", "none", ("none",), 1, _ANY_NUMBER),
    Option("limit_rule", "reach", ("reach", "exceed"), bites=_limited),
    Option(
        "exact_limit_becomes",
        "none",
        ("none",),
        -_ANY_NUMBER,
        _ANY_NUMBER,
        bites=_limited,
    ),
    Option("ties", "shared", ("shared", "play_on"), bites=_limited),
    Option("deals", 1, least=1, most=_ANY_NUMBER, bites=_where("limit", "none")),
)
BY_NAME: Final = {option.name: option for option in OPTIONS}


def option_named(name: object) -> Option:
    """The option with this name.

    Raises Malformed if there is none.
    """
    option = BY_NAME.get(name) if isinstance(name, str) else None
    if option is None:
        raise Malformed(shown(name)[:80], f"one of {', '.join(BY_NAME)}", "options")
    return option


def lowered(players: int, values: Values) -> Rules:
    """The rules for this number of players under these values of all options."""

    def number(name: str) -> int:
        value = values[name]
        return value if isinstance(value, int) else 0

    def word(name: str) -> str:
        return cast(str, values[name])

    def flag(name: str, true: Value = True) -> bool:
        return values[name] == true

    bonus = word("bonus_card")
    return Rules(
        players=players,
        counterclockwise=flag("direction", "counterclockwise"),
        removes_lowest=flag("removal", "lowest"),
        hand_size=number("hand_size"),
        undealt=_UNDEALT[word("undealt")],
        mix_kitty=flag("mix_kitty"),
        pass_count=number("pass_count"),
        pass_cycle=tuple(
            PASSES[entry] for entry in cast(tuple[str, ...], values["pass_cycle"])
        ),
        pass_unseen=flag("pass_unseen"),
        left_of_dealer_leads=flag("opening_leader", "left_of_dealer"),
        opening_card=_OPENING_CARD[word("opening_card")],
        hearts_free=flag("heart_leads", "free"),
        queen_breaks_hearts=flag("queen_breaks_hearts"),
        all_hearts_leader_draws=flag("all_hearts_leader", "draw"),
        hearts_or_queen_any=flag("hearts_or_queen_leader", "any"),
        first_trick_barred=flag("first_trick_points", "barred"),
        queen_duty=flag("queen_duty", "when_safe"),
        survivor_takes_stock=flag("survivor_takes_stock"),
        last_to_play_takes_stock=flag("no_survivor_stock", "last_to_play"),
        heart_points=number("heart_points"),
        queen_points=number("queen_points"),
        bonus_card=read_set("" if bonus == "none" else bonus),
        bonus_points=number("bonus_points"),
        moon=_MOON[word("moon")],
        sun_points=number("sun_points"),
        no_trick_points=number("no_trick_points"),
        revokes_penalised=flag("revokes", "penalised"),
        revoke_until=_REVOKE_UNTIL[word("revoke_until")],
        revoke_costs_all=flag("revoke_points", "all"),
        revoke_points=number("revoke_points"),
        revoke_ends_deal=flag("revoke_ends_deal"),
        has_limit=not flag("limit", "none"),
        limit=number("limit"),
        limit_exceeded=flag("limit_rule", "exceed"),
        has_reset=not flag("exact_limit_becomes", "none"),
        reset_to=number("exact_limit_becomes"),
        ties_played_on=flag("ties", "play_on"),
        deals=number("deals"),
    )
