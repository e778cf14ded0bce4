"""Lines of our file formats, in layouts and with values that others might write."""

import json
import re
from copy import deepcopy
from typing import Any

NO_ID = f"t-{'0' * 16}"
MOON: dict[str, Any] = {
    "log": 1,
    "ruleset": {"profile": "heartsgame-tiles", "players": 4},
    "setup": {"dealer": 3, "deal": 4, "hands": ["2C", "QS", "2H", "3H"]},
    "plays": "2C 3H 2H QS",
    "moon": {"one": 3},
    "score": [0, 0, 0, 15],
    "totals": [0, 0, 0, 15],
}
"""A log of one trick, played counterclockwise, with which seat 0 shoots the moon."""


def line_of(plain: Any) -> bytes:
    """The value as a line of JSON without spaces, as our writer lays it out."""
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode()


def changed(plain: Any, place: str, value: Any) -> Any:
    """A copy with a new value at a place such as `steps[0].act`; `...` removes it."""
    parts = re.findall(r"\[(\d+)\]|([^.\[]+)", place)
    *path, last = (int(at) if at else name for at, name in parts)
    made = holder = deepcopy(plain)
    for part in path:
        holder = holder[part]
    if value is ...:
        del holder[last]
    else:
        holder[last] = value
    return made


def moon_log(**more: Any) -> bytes:
    """The log `MOON` with these keys set; None leaves a key out."""
    plain = {**MOON, **more}
    return line_of({key: one for key, one in plain.items() if one is not None})


def played_log(profile: str, setup: dict[str, Any], plays: str, **more: Any) -> bytes:
    """A log of this deal; its number is 1 unless the setup has another."""
    ruleset = {"profile": profile, "players": len(setup["hands"])}
    ruleset |= {"options": more.pop("options", {})}
    setup = {"deal": 1, **setup}
    return line_of(
        {"log": 1, "ruleset": ruleset, "setup": setup, "plays": plays} | more
    )


def played_trace(
    profile: str, setup: dict[str, Any], *steps: Any, **more: Any
) -> dict[str, Any]:
    """A trace with these steps and a placeholder for its id.

    A step given as a card is a play by the seat after that of the step before it, or by
    seat 0 if it is the first.
    """
    players = len(setup["hands"])
    ruleset = {"profile": profile, "players": players}
    ruleset |= {"options": more.pop("options", {})}
    made, seat = list[Any](), -1
    for step in steps:
        if isinstance(step, str):
            step = {"seat": (seat + 1) % players, "act": {"play": step}}
        seat = step.get("seat", seat)
        made.append(step)
    head = {"trace": 1, "id": NO_ID, "spec": "1.0.0", "ruleset": ruleset}
    return {**head, "setup": setup, "steps": made, **more}
