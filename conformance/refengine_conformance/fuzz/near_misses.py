"""Makes inputs that are nearly right, on which readers are most likely to fail."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

_VALUES: Final[tuple[Any, ...]] = (
    *(0, 1, -1, 2, 3, 4, 7, 13, 14, 52, 2**31 - 1, -(2**31), 2**31, 2**63, 2**64),
    *(10**30, 1.5, True, False, None, [], {}, [[]], [0], {"play": "QS"}),
)
_WORDS: Final = (
    *("", "QS", "2C 3C", "2C 2C", "XX", "x-note", "estmesh-hearts", "5.3", "é"),
    *("cut", "deal", "pass", "mix", "draw", "play", "retract", "quit", "claim", "moon"),
    *("one", "forward", "hands", "stock", "kitty", "seat", "self_minus", "over"),
    "\ud800",
)
_BYTES: Final = (b"", b'"', b"\\", b"\xff", b"0", b" ", b"[")


def spoil_input(
    data: bytes, random: Random, seeds: Sequence[bytes], changes: int = 1
) -> bytes:
    """Change an input at random: the JSON in a line, some bytes, or the order of lines.

    New parts may come from `seeds`. The result is at most a few times as long as the
    input and the longest seed together.
    """
    for _ in range(changes):
        lines = data.splitlines() or [b""]
        place = random.randrange(len(lines))
        if random.random() < 0.8:
            lines[place] = _part_spoiled(lines[place], random, seeds)
        elif random.random() < 0.3:
            lines.insert(random.randrange(len(lines)), lines.pop(place))
        else:
            lines = [_bytes_spoiled(data, random)]
        data = b"\n".join(lines)
    return data


def _bytes_spoiled(data: bytes, random: Random) -> bytes:
    """The data with up to 8 bytes at a random place replaced by one byte or none."""
    start = random.randrange(len(data) + 1)
    end = start + random.choice((0, 1, 1, 2, 8))
    new = random.choice((*_BYTES, bytes([random.randrange(256)])))
    return data[:start] + new + data[end:]


def _part_spoiled(line: bytes, random: Random, seeds: Sequence[bytes]) -> bytes:
    """The line with one part of its JSON changed or, if it has none, some bytes."""
    start = max(0, line.find(b"{"))  # an answer follows the op of its request
    try:
        value = json.loads(line[start:])
        _spoil_part(value, random, random.choice((line, random.choice(seeds))))
        text = json.dumps(value, ensure_ascii=random.random() < 0.5)
    except (ValueError, RecursionError):  # it is not JSON, or has no parts
        return _bytes_spoiled(line, random)
    return line[:start] + text.encode("utf-8", "surrogatepass")


def _spoil_part(value: Any, random: Random, other: bytes) -> None:
    """Remove a random part, move it, or put another part in its place.

    In an object a part is moved to another key; in an array it is moved on by one, and
    a part of `other` comes before it. New parts may come from `other`, a line of JSON.
    Raises ValueError if there is no part.
    """
    holder, key = _some_part(value, random)
    old = holder.pop(key)
    match random.choice(("drop", "move", "alter", "value", "word", "elsewhere")):
        case "drop":
            pass
        case "move" if isinstance(holder, dict):
            holder[random.choice(_WORDS)] = old
        case "move":
            holder[key:key] = [_part_of(other, random), old]
        case "alter":
            _put(holder, key, _another(old, random))
        case "value":
            _put(holder, key, random.choice(_VALUES))
        case "word":
            _put(holder, key, random.choice(_WORDS))
        case _:
            _put(holder, key, _part_of(other, random))


def _put(holder: Any, key: Any, new: Any) -> None:
    """Put a part into an object, or into an array before what has this place now."""
    if isinstance(holder, dict):
        holder[key] = new
    else:
        holder.insert(key, new)


def _part_of(other: bytes, random: Random) -> Any:
    """A random part of a line of JSON; raises ValueError if there is no part."""
    first = other.partition(b"\n")[0]
    holder, key = _some_part(json.loads(first[max(0, first.find(b"{")) :]), random)
    return holder[key]


def _some_part(value: Any, random: Random) -> tuple[Any, Any]:
    """Choose a random part: return the object or array that holds it, and its key.

    Raises ValueError if there are no parts.
    """
    parts = list(_parts(value))
    if not parts:
        raise ValueError
    return random.choice(parts)


def _another(value: Any, random: Random) -> Any:
    """A slightly changed value, if this is a flag, a whole number or a string.

    Any other value, including the empty string, is returned inside a list.
    """
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.choice((-1, 1, 2))
    if isinstance(value, str) and value:
        words = value.split(" ")
        random.shuffle(words)
        return " ".join(random.choice((words, words[1:], [*words, words[0]])))
    return [value]


def _parts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each part of a value: the object or array that holds it, and its key there."""
    if isinstance(value, dict | list):
        keys = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield value, key
            yield from _parts(value[key])
