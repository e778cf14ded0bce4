"""Parts of lines in normal form, in which equal values are written the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from msgspec import UnsetType, to_builtins

from refengine.errors import Malformed
from refengine.formats import shapes
from refengine.game.values.cardset import Card, CardSet
from refengine.machine.notation import read_sequence, write_sequence

T = TypeVar("T")

Json = dict[str, Any]

_SEATS: Final = {str(seat): seat for seat in range(13)}


def sequence_text(cards: tuple[Card, ...]) -> str:
    """The cards in the order given, as text."""
    return " ".join([card.value for card in cards])


def call_with_place(where: str, read: Callable[..., T], *values: Any) -> T:
    """Return `read(*values)`, and add the place to any Malformed that it raises."""
    try:
        return read(*values)
    except Malformed as error:
        raise error.within(where) from None


def call_with_places(
    where: str, read: Callable[..., T], parts: Iterable[Any], *more: Any
) -> list[T]:
    """The results of `read` on the parts; a Malformed gets its place in the list."""
    return [
        call_with_place(f"{where}[{at}]", read, one, *more)
        for at, one in enumerate(parts)
    ]


def read_seat(text: str) -> int:
    """The seat that a key names; raises Malformed if it names none."""
    if text not in _SEATS:
        raise Malformed(f"the key {text!r:.40}", "a seat such as 1")
    return _SEATS[text]


def read_sets(texts: list[str], where: str) -> list[CardSet]:
    """The sets of cards in `texts`; raises Malformed, with the place, for a bad one."""
    return call_with_places(where, CardSet, texts)


def read_sequence_text(text: str) -> str:
    """A sequence of cards in normal form; raises Malformed if the text is not one."""
    return write_sequence(read_sequence(text))


def _normal_set(text: str) -> str:
    return str(CardSet(text))


def _normal_sets(texts: list[str]) -> list[str]:
    return [str(one) for one in read_sets(texts, "")]


def _normal_cut(cards: list[str]) -> list[str]:
    return call_with_places("", _normal_card_drawn, cards)


def _normal_card_drawn(card: str) -> str:
    """The card that a seat drew in the cut; empty if it has drawn none."""
    return str(Card(card)) if card else ""


def _normal_passed(passed: str | dict[str, str]) -> str | dict[str, str]:
    if isinstance(passed, str):
        return _normal_set(passed)
    cards = CardSet.checked(passed.values())  # no card goes to two seats
    pairs = sorted(zip(map(read_seat, passed), cards, strict=True))
    return {str(seat): card.value for seat, card in pairs}


def _normal_table(table: Json) -> Json:
    return {
        **table,
        "cards": call_with_place("cards", read_sequence_text, table["cards"]),
    }


def _normal_history(tricks: list[Json]) -> list[Json]:
    return call_with_places("", _normal_table, tricks)


def normal_revokes(notes: list[Json]) -> list[Json]:
    """The revokes of a deal, sorted by trick, then by seat and state."""
    return sorted(notes, key=lambda note: (note["trick"], note["seat"], note["state"]))


def _normal_match(match: Json) -> Json:
    return {
        key: sorted(value) if key == "winners" else value
        for key, value in match.items()
    }


def _normal_due(due: Json) -> Json:
    found = dict(due)
    if "turn" in found:
        found["turn"] = sorted(found["turn"])
    if "play" in found:
        found["play"] = call_with_place("play", _normal_set, found["play"])
    if "moon" in found:
        found["moon"] = _in_order(found["moon"])
    return found


def _in_order(choices: list[Any]) -> list[Any]:
    """The choices for a moon, sorted: `self_minus`, `others_plus`, then the seats."""
    return sorted(
        choices,
        key=lambda one: one["one"] if isinstance(one, dict) else _BEFORE_SEATS[one],
    )


_BEFORE_SEATS: Final = {"self_minus": -2, "others_plus": -1}


def normal_legal(line: str | shapes.DueObject) -> Json | str:
    """What a step says is due, in normal form.

    Raises Malformed if a word is not a card, or a card appears twice.
    """
    if isinstance(line, str):
        return _normal_set(line)
    due = _normal_due(to_builtins(line))
    cards: Json | str = due.get("play", due)
    return cards


def _normal_view(view: Json) -> Json:
    return _normal(view, _VIEW)


def normal_view(line: shapes.ViewObject) -> Json:
    """What one seat sees, in normal form; raises Malformed as `normal_fields` does."""
    return _normal_view(to_builtins(line))


def _normal(given: Json, parts: dict[str, Callable[[Any], Any]]) -> Json:
    """Return the fields, with each one that `parts` names brought into normal form."""
    return {
        name: call_with_place(name, parts[name], value) if name in parts else value
        for name, value in given.items()
    }


_SEATS_UP: Final[Callable[[list[int]], list[int]]] = sorted


_VIEW: Final[dict[str, Callable[[Any], Any]]] = {
    "hand": _normal_set,
    "passed": _normal_passed,
    "received": _normal_passed,
    "drew": read_sequence_text,
    "table": _normal_table,
    "history": _normal_history,
    "legal": _normal_due,
    "cut": _normal_cut,
}


_NORMAL: Final[dict[str, Callable[[Any], Any]]] = {
    "cut": _normal_cut,
    "turn": _SEATS_UP,
    "trick": _normal_table,
    "table": _normal_table,
    "drew": read_sequence_text,
    "out": _SEATS_UP,
    "hands": _normal_sets,
    "taken": _normal_sets,
    "stock": read_sequence_text,
    "kitty": _normal_set,
    "revokes": normal_revokes,
    "match": _normal_match,
    "view": _normal_view,
}


def normal_fields(line: shapes.Fields | UnsetType) -> Json:
    """What a trace asserts, or an engine reports, about one moment, in normal form.

    If nothing is given, the result is empty.
    Raises Malformed if a word is not a card, a card appears twice, or a key is not a
    seat.
    """
    if isinstance(line, UnsetType):
        return {}
    return _normal(to_builtins(line), _NORMAL)
