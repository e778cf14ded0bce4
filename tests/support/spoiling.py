"""Make traces with one value changed, which no reader may accept as right."""

from collections.abc import Iterator
from random import Random
from typing import Any

from refengine.lawbook.book import clauses
from refengine.machine.notation import CARD_TEXTS

CLAUSES = [number for number, clause in clauses().items() if clause.kind == "forbid"]


WORDS = {
    "phase": ["cut", "deal", "pass", "mix", "play", "moon", "over"],
    "state": ["open", "corrected", "standing", "established"],
    "moon": ["self_minus", "others_plus"],
}


Place = tuple[str | int, ...]


def leaves(value: Any, path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value in the steps and the end of a trace that cannot change unnoticed.

    Each value is preceded by its place.
    """
    if isinstance(value, dict):
        for key, one in value.items():
            if path or key in ("steps", "end"):
                yield from leaves(one, (*path, key))
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from leaves(one, (*path, place))
    elif not is_free(path):
        yield path, value


def is_free(path: Place) -> bool:
    """Whether a value at this place can change without making the trace wrong."""
    probed = (
        path[2] in ("refuse", "irregular") and path[4] != "clauses"
        if path[2:]
        else False
    )
    mark = path[-1] in ("draw", "forward", "quit") or path[-2:] == ("legal", "deal")
    return probed or mark or path[-2:] in (("legal", "mix"), ("legal", "over"))


def spoiled_leaf(rng: Random, path: Place, value: Any) -> Any:
    """A different value of the same type for this place."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        others = [value + 1, value - 1, value + 13]
        return rng.choice([one for one in others if one >= 0 or value < 0])
    for name, words in WORDS.items():
        if path[-1] == name and value in words:
            return rng.choice([one for one in words if one != value])
    if value in CLAUSES:
        return rng.choice([one for one in CLAUSES if one != value])
    cards = value.split(" ") if value else []
    other = rng.choice([card for card in CARD_TEXTS if card not in cards])
    if not cards:
        return other
    place = rng.randrange(len(cards))
    longer = len(cards) > 1 or path[-1] not in (
        "play",
        "cut",
        "retract",
        *map(str, range(13)),
    )
    if longer and rng.random() < 0.3:
        return " ".join(cards[:place] + cards[place + 1 :])
    return " ".join([*cards[:place], other, *cards[place + 1 :]])


def with_leaf(value: Any, path: Place, leaf: Any) -> Any:
    """A copy of the trace with this value at this place."""
    if not path:
        return leaf
    if isinstance(value, dict):
        return {**value, path[0]: with_leaf(value[path[0]], path[1:], leaf)}
    return [
        with_leaf(one, path[1:], leaf) if place == path[0] else one
        for place, one in enumerate(value)
    ]
