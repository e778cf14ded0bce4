"""Inputs that are nearly right, which is where readers have their faults."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final

_WORDS: Final = (
    *(
        "",
        "QS",
        "2C 3C",
        "2C 2C",
        "XX",
        "x-note",
        "estmesh-hearts",
        "5.3",
        "é",
        "\ud800",
    ),
    *("cut", "deal", "pass", "mix", "draw", "play", "retract", "quit", "claim", "moon"),
    *("one", "forward", "hands", "stock", "kitty", "seat", "self_minus", "over"),
)
_PLAIN: Final[tuple[Any, ...]] = (
    *(0, 1, -1, 2, 3, 4, 7, 13, 14, 52, 2**31 - 1, -(2**31), 2**31, 2**63, 2**64),
    *(10**30, 1.5, True, False, None, [], {}, [[]], [0], {"play": "QS"}),
)


def spoil_input(data: bytes, random: Random, others: tuple[bytes, ...] = ()) -> bytes:
    """An input with one to three changes, to bytes or to parts of a JSON line.

    Parts may come from `others`. It is never more than a few times as long as its seed.
    """
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        lines = data.splitlines() or [b""]
        place = random.randrange(len(lines))
        if random.random() < 0.8:
            lines[place] = _part_spoiled(lines[place], random, others)
            data = b"\n".join(lines)
        elif random.random() < 0.3 and len(lines) > 1:
            other = random.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
            data = b"\n".join(lines)
        else:
            data = _bytes_spoiled(data, random)
    return data


def _bytes_spoiled(data: bytes, random: Random) -> bytes:
    start = random.randrange(len(data) + 1)
    end = min(len(data), start + random.choice((0, 1, 1, 2, 8)))
    new = random.choice(
        (b"", bytes([random.randrange(256)]), b'"', b"\\", b"\xff", b"0", b" ", b"[")
    )
    return data[:start] + new + data[end:]


def _part_spoiled(line: bytes, random: Random, others: tuple[bytes, ...]) -> bytes:
    head, brace, body = line.partition(b"{")
    try:
        value = json.loads(brace + body)
    except (ValueError, RecursionError):
        return _bytes_spoiled(line, random)
    holders = list(_holders(value))
    holder = random.choice(holders)
    keys: list[Any] = (
        list(holder) if isinstance(holder, dict) else [*range(len(holder))]
    )
    if not keys:
        return _bytes_spoiled(line, random)
    key = random.choice(keys)
    way = random.randrange(6)
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder.insert(key, holder[random.randrange(len(holder))])
    elif way == 1:
        holder[random.choice(_WORDS)] = holder.pop(key)
    elif way == 2:
        holder[key] = _another(holder[key], random)
    elif way == 3:
        holder[key] = random.choice(_PLAIN)
    elif way == 4:
        holder[key] = random.choice(_WORDS)
    else:
        other = random.choice(holders)
        values = list(other.values()) if isinstance(other, dict) else other
        if others and random.random() < 0.5:
            values = _values_of(random.choice(others), random)
        holder[key] = random.choice(values or [0])
    try:
        return head + json.dumps(value, ensure_ascii=random.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )
    except (ValueError, RecursionError):  # it would contain itself
        return line


def _values_of(line: bytes, random: Random) -> list[Any]:
    try:
        value = json.loads(line.splitlines()[0][line.find(b"{") :])
    except (ValueError, IndexError):
        return []
    holder = random.choice(list(_holders(value)) or [[0]])
    return list(holder.values()) if isinstance(holder, dict) else list(holder)


def _another(value: Any, random: Random) -> Any:
    """A value much like this one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.choice((-1, 1, 2))
    if isinstance(value, str) and value:
        words = value.split(" ")
        random.shuffle(words)
        changed = [*words, words[0]] if random.random() < 0.3 else words[1:]
        return " ".join(random.choice((words, changed)))
    return [value]


def _holders(value: Any) -> Iterator[Any]:
    """Each object and array in a value, itself included."""
    if isinstance(value, dict | list):
        yield value
        for one in value.values() if isinstance(value, dict) else value:
            yield from _holders(one)
