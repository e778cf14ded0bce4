"""What an adapter says of a position, in normal form, its sets of cards as it has them.

A trace never has a card twice in a hand. An engine may: then that is its answer, and a
wrong one, so that the card has to stand there twice.
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

    Raises Malformed if a word is not a card, or a card is twice in a sequence.
    """
    once: dict[str, list[str] | str] = {}
    twice: Json = {}
    for name in _SETS:
        said: list[str] | str | UnsetType = getattr(line, name)
        if isinstance(said, UnsetType):
            continue
        texts = [said] if isinstance(said, str) else said
        if any(map(_has_twice, texts)):
            all_said = [
                call_with_place(f"{name}[{place}]", _in_order, text)
                for place, text in enumerate(texts)
            ]
            twice[name] = all_said[0] if isinstance(said, str) else all_said
            once[name] = "" if isinstance(said, str) else ["" for _ in said]
    found = normal_fields(structs.replace(line, **once) if once else line)
    return {name: twice.get(name, value) for name, value in found.items()}


def _has_twice(text: str) -> bool:
    words = text.split(" ")
    return len(words) > len({*words})


def _in_order(text: str) -> str:
    """The cards in order, each as often as it is there."""
    words = text.split(" ")
    cards = CardSet(" ".join(dict.fromkeys(words)))
    return " ".join(
        card.value for card in cards for _ in range(words.count(card.value))
    )
