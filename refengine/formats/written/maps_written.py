"""Maps that say where to find the parts of a game in the files of other programs.

A map is a TOML file with JMESPath expressions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

import attrs
import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.parser import ParsedResult

from refengine.errors import Malformed, harmless, one_of, shown
from refengine.lawbook.profile_files import keys_and_values
from refengine.lawbook.text_files import text_of_file

ITEMS: Final = ("deal", "trick", "play")
_FILE: Final = ("players", "items", "by_match", "by_deal", "by_trick")
_DEAL: Final = (
    *("number", "dealer", "pass", "before", "hands", "passed", "held", "tricks"),
    *("score", "totals", "winners"),
)
_TRICK: Final = ("leader", "cards", "winner", "points")
_PLAY: Final = ("player", "card")
_PLAIN: Final = ("item", "rules", "seats", "first_seat", "deck", "first_card")
KEYS: Final = (*_PLAIN, *_FILE)
_PASS: Final = ("player", "cards")
PARTS: Final = {"deal": _DEAL, "pass": _PASS, "trick": _TRICK, "play": _PLAY}
_WAYS: Final = ("left", "right")

# jmespath does not catch what a slice, an infinite number or deep nesting raises.
_UNUSABLE: Final = (
    JMESPathError,
    ArithmeticError,
    RecursionError,
    TypeError,
    ValueError,
)

_TAKE_EXPRESSIONS: Final = frozenset({"map", "max_by", "min_by", "sort_by"})

Place = str
Entry = tuple[Place, Any]  # an item or a row of a file, after its place


@attrs.frozen
class FilePart:
    """A part of a file that can be read without the others.

    `root` is all of it as plain values. `rows` holds its items, or in a file of rows
    all rows, and `places` the places of those that are items, or None if all are.
    """

    root: Any
    rows: Sequence[Entry]
    places: frozenset[Place] | None = None

    def items(self, rows: Sequence[Entry]) -> list[Entry]:
        """Return those of these rows that are items."""
        return [one for one in rows if self.has_item(one[0])]

    def has_item(self, place: Place) -> bool:
        """Whether what is at this place is an item."""
        return self.places is None or place in self.places


@attrs.frozen(kw_only=True)
class GameMap:
    """Where to find the parts of a game in a file, as `map_of_toml` reads it.

    `item` says what one object, line or row of the file stands for. `paths` holds the
    expressions that lead to the items, to the players (unless the map lists them), to
    the values that tell matches, deals and tricks apart, and to each part of a game.
    Seats are numbered from `first_seat`, to the left if `to_left` is true and otherwise
    to the right. A number can stand for a card of the `deck`, counted from
    `first_card`. `words` says what other values mean.
    """

    item: str
    rules: str
    players: tuple[str, ...]
    paths: Mapping[str, ParsedResult]
    to_left: bool
    first_seat: int
    deck: tuple[str, ...]
    first_card: int
    words: Mapping[str, str]

    def find(self, path: str, value: object) -> Any:
        """What the expression for `path` finds in a value; None if that is empty text.

        The result is also None if the map has no such expression or it finds nothing.
        Raises Malformed if the expression cannot be used here.
        """
        found = self._found(path, value)
        return None if found == "" else found

    def _found(self, path: str, value: object) -> Any:
        """Do as `find` does, but return empty text as it is."""
        expression = self.paths.get(path)
        if expression is None:
            return None
        try:
            return expression.search(value)
        except _UNUSABLE as error:
            raise Malformed(harmless(str(error), 200), "an expression", path) from None

    def finds_something(self, item: object) -> bool:
        """Whether the expressions of the map for parts of an item find anything in it.

        If the items are tricks and the map does not say where their cards are, the
        result says whether the item as a whole is not empty.
        """
        if self.item == "trick" and "trick.cards" not in self.paths:
            return not is_nothing(item)
        # Expressions for what lies further below may be of no use for the item itself
        return self.finds_in(item, ITEMS[: ITEMS.index(self.item) + 1])

    def finds_in(self, value: object, tables: Sequence[str]) -> bool:
        """Whether an expression of one of these tables of the map finds anything."""
        parts = [one for one in self.paths if one.partition(".")[0] in tables]
        return not all(is_nothing(self.find(one, value)) for one in parts)

    def together(
        self, path: str, rows: Sequence[Entry], part: FilePart | None = None
    ) -> list[list[Entry]]:
        """Group rows or items by what `path` leads to in each, in order of occurrence.

        If that is empty text, the row belongs with the row before it: in a spreadsheet,
        a cell that spans several rows belongs to the first of them. If the map does not
        have `path`, all form one group, except that each forms its own if `path` is
        `by_trick`. A row of `part` that is no item, such as a comment, also belongs
        with the row before it if `path` leads to nothing or cannot be used there.
        """
        if path == "by_trick" and path not in self.paths:
            return [[one] for one in rows]
        found: dict[str, list[Entry]] = {}
        key = json.dumps(None)
        for place, row in rows:
            is_item = part is None or part.has_item(place)
            try:
                value = self._found(path, row)
            except Malformed:
                if is_item:
                    raise
                value = None
            if value != "" and (is_item or value is not None):
                key = json.dumps(value, sort_keys=True)
            found.setdefault(key, []).append((place, row))
        return [*found.values()]


def is_nothing(value: object) -> bool:
    """Whether a value is empty, or contains only empty values."""
    of = [*value.values()] if isinstance(value, dict) else value
    return all(map(is_nothing, of)) if isinstance(of, list) else of in (None, "")


def map_names() -> tuple[str, ...]:
    """The names of the maps that come with refengine."""
    folder = resources.files(__package__).joinpath("maps")
    names = (one.name for one in folder.iterdir())
    return tuple(sorted(one.removesuffix(".toml") for one in names))


def game_map(name: str) -> GameMap:
    """The map with this name, or the one in the file at this path.

    Raises Malformed if there is none, or if it is not a map.
    """
    if name in map_names():
        folder = resources.files(__package__).joinpath("maps")
        return map_of_toml(folder.joinpath(f"{name}.toml").read_text("utf-8"))
    if "." not in name and "/" not in name:
        allowed = f"a file of TOML, or {one_of(map_names(), name)}"
        raise Malformed(shown(name)[:60], allowed, "map")
    try:
        return map_of_toml(text_of_file(name))
    except Malformed as error:
        raise error.in_file(name) from None


def map_of_toml(text: str) -> GameMap:
    """The map in TOML text; raises Malformed, naming the key, if the map is wrong."""
    given = keys_and_values(text, (*KEYS, *PARTS, "words"), "a map in TOML")
    item = given.get("item")
    if item not in ITEMS:
        raise Malformed(shown(item)[:60], one_of(ITEMS, item), "item")
    paths: dict[str, ParsedResult] = {}
    for key, value in given.items():
        if key in PARTS:
            if not isinstance(value, dict):
                raise Malformed(shown(value)[:60], f"a table: [{key}]", key)
            for name, path in value.items():
                if name not in PARTS[key]:
                    allowed = one_of(PARTS[key], name)
                    raise Malformed(shown(name)[:60], allowed, key)
                paths[f"{key}.{name}"] = _path(path, f"{key}.{name}")
        elif key in _FILE and not (key == "players" and isinstance(value, list)):
            paths[key] = _path(value, key)
    seats = given.get("seats", "left")
    if seats not in _WAYS:
        raise Malformed(shown(seats)[:60], one_of(_WAYS, seats), "seats")
    return GameMap(
        item=item,
        rules=_text(given, "rules", ""),
        players=_names(given.get("players")),
        paths=paths,
        to_left=seats == "left",
        first_seat=_whole(given, "first_seat"),
        deck=tuple(_text(given, "deck", "").split()),
        first_card=_whole(given, "first_card"),
        words=_words(given.get("words", {})),
    )


def _path(value: object, where: str) -> ParsedResult:
    if not isinstance(value, str):
        raise Malformed(shown(value)[:60], 'an expression, such as "cards"', where)
    try:
        found = jmespath.compile(value)
        is_value = _is_value(found.parsed)
    except _UNUSABLE as error:
        said = harmless(" ".join(str(error).split()), 200)
        raise Malformed(said, "an expression of JMESPath", where) from None
    if not is_value:
        allowed = "an expression with & only in map, max_by, min_by or sort_by"
        raise Malformed(shown(value)[:60], allowed, where)
    return found


def _is_value(node: Any) -> bool:
    """Whether a parsed expression has `&` only where a function takes an expression."""
    if not isinstance(node, dict):
        return True  # a number of a slice, or None
    inner = node["children"]
    if node["type"] == "function_expression" and node["value"] in _TAKE_EXPRESSIONS:
        inner = [
            one["children"][0] if one["type"] == "expref" else one for one in inner
        ]
    return node["type"] != "expref" and all(map(_is_value, inner))


def _text(given: Mapping[str, object], key: str, default: str) -> str:
    value = given.get(key, default)
    if not isinstance(value, str):
        raise Malformed(shown(value)[:60], "a string", key)
    return value


def _whole(given: Mapping[str, object], key: str) -> int:
    value = given.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Malformed(shown(value)[:60], "a whole number", key)
    return value


def _names(value: object) -> tuple[str, ...]:
    """The names of the players that a map lists; empty if the value is not a list."""
    if not isinstance(value, list):
        return ()
    for name in value:
        if not isinstance(name, str):
            raise Malformed(shown(name)[:60], "the name of a player", "players")
    return tuple(value)


def _words(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise Malformed(shown(value)[:60], "a table of words", "words")
    for word, meant in value.items():
        if not isinstance(meant, str):
            raise Malformed(shown(meant)[:60], "what the word means, as a string", word)
    return dict(value)
