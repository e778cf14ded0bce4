"""Type declarations for TypeScript: games.d.ts, and the JSON forms from their schemas.

Each form becomes a type with its description and, unless `_CALLED` gives it another,
its name. An option takes exactly the values that it has in the book.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from refengine.formats.schemas import Schema, schema

HERE: Final = Path(__file__).resolve().parent
BY_HAND: Final = HERE.parent / "games.d.ts"
# The formats that the functions of games.d.ts take and return.
_ROOTS: Final = ("act", "setup", "match", "ruleset", "view")
_ANSWERS: Final = ("ok of legal", "ok of observe", "ok of event", "ok of enumerate")
_CALLED: Final = {
    "WholeView": "View",
    "DueNow": "Due",
    "Fields": "Observation",
    "EnumerateOk": "Count",
    "EventOk": "Told",
    "MatchNow": "MatchState",
    "TableNow": "Table",
    "TrickDone": "Trick",
}
_PLAIN: Final = {"integer": "number", "string": "string", "boolean": "boolean"}


def declarations() -> str:
    """The text of the declaration file: games.d.ts, then a type for each form."""
    parts: dict[str, Schema] = {}
    for name in (*_ROOTS, *_ANSWERS):
        found = schema(name)
        if "$ref" not in found:
            parts[name.capitalize()] = found
        parts |= {key: one for key, one in found["$defs"].items() if key not in parts}
    del parts["View"]  # of an observation, which asserts only part of it
    said = [_declared(name, part) for name, part in sorted(parts.items())]
    return BY_HAND.read_text("utf-8") + "\n" + "\n".join(said)


def _declared(name: str, part: Schema) -> str:
    comment = f"/** {part['description']} */\n" if "description" in part else ""
    said = f"{comment}export type {_name(name)} = {_type(part)};\n"
    return said.replace("= \n", "=\n")


def _name(name: str) -> str:
    return _CALLED.get(name, name)


def _type(part: Schema, margin: str = "") -> str:
    if "$ref" in part:
        return _name(part["$ref"].rpartition("/")[2])
    if "enum" in part:
        return " | ".join(map(json.dumps, part["enum"]))
    if "const" in part:
        return json.dumps(part["const"])
    if "anyOf" in part:
        return " | ".join(_type(one) for one in part["anyOf"])
    if part["type"] == "array":
        each = _type(part["items"])
        return f"({each})[]" if "|" in each else f"{each}[]"
    if part["type"] == "object":
        return _object(part, margin)
    return _PLAIN[part["type"]]


def _object(part: Schema, margin: str) -> str:
    properties: dict[str, Any] = part.get("properties", {})
    if not properties:
        values = [one for one in part["patternProperties"].values() if one is not True]
        values += [one for one in [part.get("additionalProperties")] if one]
        return f"{{ [key: string]: {_type(values[0])} }}"
    inner = f"{margin}  "
    required = set(part.get("required", ()))
    one_of = [one["required"][0] for one in part.get("oneOf", ())]
    if set(one_of) == properties.keys():
        ways = [_property(key, one, True, inner) for key, one in properties.items()]
        return "".join(f"\n{inner}| {{ {one} }}" for one in ways)
    said = [
        f"{inner}{_property(key, one, key in required, inner)};\n"
        for key, one in properties.items()
    ]
    return f"{{\n{''.join(said)}{margin}}}"


def _property(key: str, part: Schema, required: bool, margin: str) -> str:
    return f"{key}{'' if required else '?'}: {_type(part, margin)}"
