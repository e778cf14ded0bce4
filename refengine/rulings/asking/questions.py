"""Questions: what a table asks, read from a JSON value and checked.

`KINDS` lists the keys of each kind of question and the form of the value under each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from refengine.errors import Malformed, one_of, shown, whole_number
from refengine.formats.fields import ruleset_fields
from refengine.game.acts import MOST, to_sequence
from refengine.game.openings_in_words import opening_in_words
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import Card, CardSet
from refengine.game.verdicts import Refused
from refengine.rulings.sentences import ALLOWED
from refengine.rulings.templates import templates

DEFAULT_PROFILE: Final = "estmesh-hearts"

_IN_PLAY: Final = {
    "hand": "cards",
    "trick": "sequence",
    "first_trick": "flag",
    "hearts_broken": "flag",
    "leader": "seat",
    "seat": "seat",
    "drew": "sequence",
    "stock": "size",
}
KINDS: Final[dict[str, dict[str, str]]] = {
    "card": {"card": "card", **_IN_PLAY},
    "hand": _IN_PLAY,
    "draw": _IN_PLAY,
    "pass": {"hand": "cards", "deal": "number", "cards": "sequence", "seat": "seat"},
    "score": {
        "taken": "sets",
        "tricks": "sizes",
        "totals": "totals",
        "reached": "flag",
        "deal": "number",
        "choice": "choice",
        "revokes": "seats",
    },
    "end": {"totals": "totals", "reached": "flag", "deals": "number"},
    "revoke": {"when": "moment", "seat": "seat"},
    "turn": {
        "leader": "seat",
        "trick": "sequence",
        "out": "seats",
        "dealer": "seat",
        "seat": "seat",
    },
    "opening": {"players": "count", "hands": "sizes"},
    "table": {"number": "text", "answers": "texts"},
}
"""The keys of each kind of question, and the form of the value under each."""

NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "card": ("hand", "card"),
    "hand": ("hand",),
    "draw": ("hand",),
    "pass": (),
    "score": ("taken",),
    "end": ("totals",),
    "revoke": ("when",),
    "turn": (),
    "opening": (),
    "table": ("number",),
}
"""The keys that a question of each kind must have."""

MOMENTS: Final = (
    "trick",
    "trick_complete",
    "quitted",
    "next_lead",
    "deal_over",
    "next_deal",
)
"""The moments at which a revoke may be noticed, from its trick to the next deal."""

_FORMS: Final[dict[str, str]] = templates()["forms"]
_BY_SEAT: Final = ("totals", "sets", "sizes")
"""The forms of lists with an entry for each seat."""


@attrs.frozen
class Question:
    """A question: its rules, its kind, and what it says about the situation.

    `given` holds a value for each key that was given, in the form that `KINDS` names.
    If a question about the table names no rules, `named` is false: it is about any.
    """

    rules: Ruleset
    ask: str
    given: Mapping[str, Any]
    named: bool = True

    def has(self, key: str) -> bool:
        """Whether something was given under this key."""
        return key in self.given

    def cards(self, key: str) -> CardSet:
        """The set of cards under this key; empty if nothing was given."""
        return CardSet(self.given.get(key, ""))

    def sequence(self, key: str) -> tuple[Card, ...]:
        """The cards under this key, in order; empty if nothing was given."""
        return to_sequence(self.given.get(key, ""))

    def flag(self, key: str) -> bool:
        """The truth value under this key; false if nothing was given."""
        return bool(self.given.get(key, False))

    def number(self, key: str, default: int) -> int:
        """The number under this key, or the default if nothing was given."""
        found: int = self.given.get(key, default)
        return found

    def numbers(self, key: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """The numbers under this key, or the default if nothing was given."""
        return tuple(self.given.get(key, default))

    def text(self, key: str) -> str:
        """The text under this key; empty if nothing was given."""
        return str(self.given.get(key, ""))


def read_question(value: object) -> Question:
    """The question that a JSON value describes.

    `rules` gives the ruleset as `read_rules` takes it, and `ask` names the kind; the
    other keys are those of that kind.
    Raises Malformed if a key is missing or unknown, a value has the wrong form, a list
    has the wrong length, a card is given twice, a seat is not at the table, or the book
    has no such rules.
    """
    if not isinstance(value, Mapping):
        raise Malformed(shown(value)[:40], ALLOWED["question"])
    ask = value.get("ask")
    if not isinstance(ask, str) or ask not in KINDS:
        raise Malformed(shown(ask)[:40], one_of(KINDS, ask), "ask")
    keys = KINDS[ask]
    for key in value:
        if key not in ("rules", "ask") and key not in keys:
            allowed = one_of(["rules", "ask", *keys], key)
            raise Malformed(f"the key {shown(key)[:40]}", allowed, ask)
    for key in NEEDED[ask]:
        if key not in value:
            raise Malformed("nothing", _form(keys[key]), key)
    said = value.get("rules", {})
    given: dict[str, Any] = {}
    if ask == "opening" and isinstance(said, Mapping):
        usual = said.get("players")
        if "players" not in value and usual is not None:
            value = {**value, "players": _read("count", usual, "rules.players")}
        rules = _rules_for(said, value)
    else:
        rules = read_rules(said)
    for key, form in keys.items():
        if key in value:
            given[key] = _read(form, value[key], key)
            _check_seats(rules, form, given[key], key)
    return Question(rules, ask, given, ask != "table" or "rules" in value)


def question_fields(question: Question) -> dict[str, Any]:
    """The question as plain JSON values."""
    fields: dict[str, Any] = {"ask": question.ask}
    if question.named:
        fields = {"rules": ruleset_fields(question.rules), **fields}
    for key, value in question.given.items():
        fields[key] = list(value) if isinstance(value, tuple) else value
    return fields


# The rules


def read_rules(value: object) -> Ruleset:
    """The ruleset given as `{"profile": …, "players": …, "options": {…}}`.

    If no profile is given, the command line's default is used. Raises Malformed, with
    a message in plain words, if the value has any other form or the book has no such
    rules.
    """
    if not isinstance(value, Mapping):
        raise Malformed(shown(value)[:40], ALLOWED["rules"], "rules")
    for key in value:
        if key not in ("profile", "players", "options"):
            allowed = ALLOWED["rules"]
            raise Malformed(f"the key {shown(key)[:40]}", allowed, "rules")
    profile = value.get("profile", DEFAULT_PROFILE)
    players = value.get("players")
    options = value.get("options", {})
    try:
        return Ruleset(profile, players, options)
    except Refused as refused:
        raise opening_in_words(refused).within("rules") from None
    except Malformed as error:
        raise error.within("rules") from None


def _rules_for(value: Mapping[str, object], asked: Mapping[str, object]) -> Ruleset:
    """The rules for a question about the number of players.

    They are for that number of players if the profile allows it, and otherwise for the
    profile's usual number.
    """
    said = {key: one for key, one in value.items() if key != "players"}
    if "players" not in asked:
        return read_rules(said)
    players = _read("count", asked["players"], "players")
    try:
        return read_rules({**said, "players": players})
    except Malformed as error:
        if error.where != "rules.players":
            raise
        return read_rules(said)


# The forms


def _form(form: str) -> str:
    return f"one of {', '.join(MOMENTS)}" if form == "moment" else _FORMS[form]


def _read(form: str, value: object, key: str) -> Any:
    """The value in this form: a list becomes a tuple, a whole number an `int`.

    Raises Malformed if the value does not have the form.
    """
    value = _plain(value)
    if not _has_form(form, value):
        raise Malformed(shown(value)[:80], _form(form), key)
    try:
        if form == "cards" or form == "card":
            found = CardSet(value)
            if form == "card" and len(found) != 1:
                raise Malformed(shown(value)[:80], _form(form))
        if form == "sequence":
            to_sequence(value)
        if form == "sets" and isinstance(value, list | tuple):
            for one in value:
                CardSet(one)
    except Malformed as error:
        raise error.within(key) from None
    return tuple(value) if isinstance(value, list | tuple) else value


def _plain(value: object) -> object:
    """The value with every whole number as an `int`, even inside a list."""
    if isinstance(value, list | tuple):
        return [_number_or_as_is(one) for one in value]
    return _number_or_as_is(value)


def _number_or_as_is(value: object) -> object:
    number = whole_number(value)
    return value if number is None else number


def _has_form(form: str, value: object) -> bool:
    if form == "flag":
        return isinstance(value, bool)
    if form == "moment":
        return isinstance(value, str) and value in MOMENTS
    if form in ("cards", "sequence", "card", "text"):
        return isinstance(value, str)
    if form in ("seat", "size"):
        return _is_number(value, 0, 52)
    if form in ("number", "count"):
        return _is_number(value, 1, MOST)
    if form == "choice":
        return value in ("self_minus", "others_plus") or _is_number(value, 0, 52)
    if form == "texts":
        return isinstance(value, Mapping) and all(
            isinstance(one, str) for pair in value.items() for one in pair
        )
    if not isinstance(value, list | tuple):
        return False
    if form == "sets":
        return all(isinstance(one, str) for one in value)
    if form == "totals":
        return all(_is_number(one, -MOST, MOST) for one in value)
    return all(_is_number(one, 0, 52) for one in value)


def _is_number(value: object, least: int, most: int) -> bool:
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    return least <= value <= most


def _check_seats(rules: Ruleset, form: str, value: Any, key: str) -> None:
    """Raise Malformed for a seat not at the table, or a list of the wrong length."""
    players = rules.players
    seats: list[int] = []
    if form == "seat" or (form == "choice" and not isinstance(value, str)):
        seats = [value]
    elif form == "seats":
        seats = list(value)
    elif form in _BY_SEAT and key != "hands" and len(value) != players:
        raise Malformed(
            f"{len(value)}", ALLOWED["each seat"].format(players=players), key
        )
    for seat in seats:
        if seat >= players:
            raise Malformed(
                f"seat {seat}", ALLOWED["seat"].format(last=players - 1), key
            )
