"""The options of clause 0.4, and the `Rules` that follow from their values."""

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
    FIRST_POINTS,
    FIRST_TRICK,
    HOLD,
    KITTY,
    LAST_TRICK,
    LEFT,
    LOWEST,
    LOWEST_CLUB,
    LOWEST_NO_HEARTS,
    MIX,
    NEXT_LEAD,
    NO_MOON,
    NO_REMOVAL,
    NO_WAIT,
    NONE,
    OTHERS_PLUS,
    OTHERS_PLUS_UNLESS_LOSING,
    RIGHT,
    SCATTER,
    SELF_MINUS,
    STOCK,
    TRICK_COMPLETE,
    TRICK_QUITTED,
    WAITS_TO_LEAD,
    WAITS_TO_PLAY,
    Rules,
)
from refengine.errors import Malformed, one_of, shown, whole_number
from refengine.machine.cards_typed import as_written
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
_REMOVAL: Final = {
    "none": NO_REMOVAL,
    "lowest": LOWEST,
    "lowest_no_hearts": LOWEST_NO_HEARTS,
}
_UNDEALT: Final = {"none": NONE, "stock": STOCK, "kitty": KITTY}
_OPENING_CARD: Final = {"lowest_club": LOWEST_CLUB, "any_club": ANY_CLUB, "any": ANY}
_QUEEN_WAITS: Final = {"no": NO_WAIT, "lead": WAITS_TO_LEAD, "play": WAITS_TO_PLAY}
_KITTY_TO: Final = {
    "first_points": FIRST_POINTS,
    "first_trick": FIRST_TRICK,
    "last_trick": LAST_TRICK,
}
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
FIRST_EDITION: Final = "1.0.0"
_SECOND: Final = "1.1.0"
_ANY_NUMBER: Final = 1_000_000
_LONGEST_CYCLE: Final = 60


def _always(values: Values) -> bool:
    return True


@attrs.frozen
class Option:
    """One option: its base value, the values it takes, and when it has an effect.

    `words` holds the possible values that are text; `least` and `most` are the limits
    of those that are numbers, and `least` is None if the option takes no numbers. A
    flag takes true and false, and a cycle takes a list of `words`. `bites` is a
    function that tells from the values of all options whether this option can make a
    difference, whatever the number of players. `born` is the edition that introduced
    the option, and `later` maps each value added since then to the edition that added
    it.
    """

    name: str
    base: Value
    words: tuple[str, ...] = ()
    least: int | None = None
    most: int = 0
    bites: Callable[[Values], bool] = _always
    born: str = FIRST_EDITION
    later: Mapping[str, str] = attrs.field(factory=dict, hash=False)

    def __reduce__(self) -> tuple[object, ...]:
        return option_named, (self.name,)

    def born_with(self, value: Value) -> str:
        """The first edition in which the option takes this value."""
        found = self.later.get(value) if isinstance(value, str) else None
        return found or self.born

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
        """Check a value and return it in the engine's form, with a list as a tuple.

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
        else:
            number = whole_number(value)
            fits = (
                number is not None
                and self.least is not None
                and self.least <= number <= self.most
            )
            value = number if fits else value
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


def _bonus_counts(values: Values) -> bool:
    return (
        values["bonus_points"] != 0
        or values["deal_ends"] == "no_points_left"
        or (values["moon_needs_bonus"] is True and values["moon"] != "none")
    )


def _moon_with_bonus(values: Values) -> bool:
    return values["moon"] != "none" and values["bonus_card"] != "none"


_kitty = _where("undealt", "kitty")
_broken = _where("heart_leads", "when_broken")
_stock = _where("undealt", "stock")
_revokes = _where("revokes", "penalised")
_limited = _unless("limit", "none")

OPTIONS: Final[tuple[Option, ...]] = (
    Option("direction", "clockwise", ("clockwise", "counterclockwise")),
    Option(
        "removal",
        "none",
        tuple(_REMOVAL),
        later={"lowest_no_hearts": _SECOND},
    ),
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
    Option("queen_waits", "no", tuple(_QUEEN_WAITS), born=_SECOND),
    Option("queen_duty", "no", ("no", "when_safe")),
    Option("kitty_to", "first_points", tuple(_KITTY_TO), bites=_kitty, born=_SECOND),
    Option("deal_ends", "all_played", ("all_played", "no_points_left"), born=_SECOND),
    Option("survivor_takes_stock", False, bites=_stock),
    Option("no_survivor_stock", "nobody", ("nobody", "last_to_play"), bites=_stock),
    Option("heart_points", 1, ("face",), 0, 1000, later={"face": _SECOND}),
    Option("queen_points", 13, least=0, most=1000),
    Option("king_points", 0, least=0, most=1000, born=_SECOND),
    Option("ace_points", 0, least=0, most=1000, born=_SECOND),
    Option("bonus_card", "none", ("none", "JD", "TD"), bites=_bonus_counts),
    Option(
        "bonus_points", -10, least=-1000, most=1000, bites=_unless("bonus_card", "none")
    ),
    Option("moon", "none", tuple(_MOON)),
    Option("moon_needs_bonus", False, bites=_moon_with_bonus, born=_SECOND),
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
        from refengine.lawbook.spoken import words_for_options  # late: it reads a file

        allowed = one_of(BY_NAME, name, words_for_options())
        raise Malformed(shown(name)[:80], allowed, "options")
    return option


def value_text(value: object) -> str:
    """The text of an option's value, as in `limit=50`; commas separate list items."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(value)
    return str(value)


def value_typed(option: Option, text: str) -> object:
    """The value that the text stands for, or the text itself if it stands for none.

    `Option.read` says whether the option takes that value.
    """
    if isinstance(option.base, bool):
        flags: dict[str, object] = {"true": True, "false": False}
        return flags.get(text, text)
    if isinstance(option.base, tuple):
        return text.split(",") if text else []
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 12:
        return int(text)
    card = as_written(text)
    return card if card in option.words else text


def lowered(players: int, values: Values) -> Rules:
    """The rules for this number of players, with these values for all the options."""

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
        removal=_REMOVAL[word("removal")],
        hand_size=number("hand_size"),  # 0: all
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
        queen_waits=_QUEEN_WAITS[word("queen_waits")],
        queen_duty=flag("queen_duty", "when_safe"),
        kitty_to=_KITTY_TO[word("kitty_to")],
        ends_without_points=flag("deal_ends", "no_points_left"),
        survivor_takes_stock=flag("survivor_takes_stock"),
        last_to_play_takes_stock=flag("no_survivor_stock", "last_to_play"),
        heart_points=number("heart_points"),  # 0 if they cost their face value
        hearts_cost_face=flag("heart_points", "face"),
        queen_points=number("queen_points"),
        king_points=number("king_points"),
        ace_points=number("ace_points"),
        # a mask of one card, or of none
        bonus_card=read_set("" if bonus == "none" else bonus),
        bonus_points=number("bonus_points"),
        moon=_MOON[word("moon")],
        moon_needs_bonus=flag("moon_needs_bonus"),
        sun_points=number("sun_points"),
        no_trick_points=number("no_trick_points"),
        revokes_penalised=flag("revokes", "penalised"),
        revoke_until=_REVOKE_UNTIL[word("revoke_until")],
        revoke_costs_all=flag("revoke_points", "all"),
        revoke_points=number("revoke_points"),  # 0 if a revoke costs all
        revoke_ends_deal=flag("revoke_ends_deal"),
        has_limit=not flag("limit", "none"),
        limit=number("limit"),
        limit_exceeded=flag("limit_rule", "exceed"),
        has_reset=not flag("exact_limit_becomes", "none"),
        reset_to=number("exact_limit_becomes"),
        ties_played_on=flag("ties", "play_on"),
        deals=number("deals"),
    )
