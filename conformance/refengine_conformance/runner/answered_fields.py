"""What an adapter says of a position, in normal form, with repeated cards kept.

A set of cards in a trace never has a card twice. If one in an engine's answer does, the
answer is wrong, and the card has to be kept twice for that to show.
"""

from __future__ import annotations

from typing import Final

from msgspec import UnsetType, structs

from refengine.formats import shapes
from refengine.formats.normal_form import Json, call_with_place, normal_fields
from refengine.game.values.cardset import CardSet

_SETS: Final = ("hands", "taken", "kitty")


def normal_answer(line: shapes.Fields) -> Json:
    """The fields of an answer in normal form.

    Raises Malformed if a word is not a card, or if a sequence has a card twice.
    """
    emptied: dict[str, list[str] | str] = {}
    with_twice: Json = {}
    for name in _SETS:
        said: list[str] | str | UnsetType = getattr(line, name)
        if isinstance(said, str) and _has_twice(said):
            with_twice[name] = call_with_place(name, _in_order, said)
            emptied[name] = ""
        elif isinstance(said, list) and any(map(_has_twice, said)):
            with_twice[name] = [
                call_with_place(f"{name}[{place}]", _in_order, text)
                for place, text in enumerate(said)
            ]
            emptied[name] = ["" for _ in said]
    found = normal_fields(structs.replace(line, **emptied) if emptied else line)
    return {name: with_twice.get(name, value) for name, value in found.items()}


def _has_twice(text: str) -> bool:
    """Whether the text of a set has a card twice."""
    words = [word for word in text.split(" ") if word]
    return len(words) > len({*words})


def _in_order(text: str) -> str:
    """The cards of a set in order, each as often as the text has it."""
    if not _has_twice(text):
        return str(CardSet(text))
    words = text.split(" ")
    cards = CardSet(" ".join(dict.fromkeys(words)))
    return " ".join(
        card.value for card in cards for _ in range(words.count(card.value))
    )
