"""JSON Schemas (draft 2020-12) of every format, made from the types of its lines.

A schema checks the form; the reader checks the rest: that no card appears twice, that
seats are at the table, that a position is possible, and all the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from refengine.formats import protocol, record_shapes, shapes
from refengine.lawbook.options import OPTIONS, Option
from refengine.lawbook.profiles import profile_names

Schema = dict[str, Any]

_CARD: Final = "[2-9TJQKA][CDSH]"
_PATTERNS: Final = {
    "card": f"^{_CARD}$",
    "card or none": f"^({_CARD})?$",
    "cards": f"^({_CARD}( {_CARD})*)?$",
    "clause": f"^{shapes.CLAUSE}$",
    "spec": f"^{shapes.SPEC}$",
    "trace id": f"^t{shapes.ID}$",
    "mini id": f"^m{shapes.ID}$",
}
_CALLED: Final = {"StepRequest": "DoStep", "RevokeObject": "RevokeNote"}
_REF: Final = "#/$defs/"
_SEAT_KEY: Final = "^([0-9]|1[0-2])$"
_ANSWERS: Final = {f"ok of {op}": kind for op, kind in protocol.OK_OF.items()}
KINDS: Final[dict[str, Any]] = {
    "trace": shapes.TraceObject,
    "log": shapes.LogObject,
    "mini": shapes.MiniObject,
    "ruleset": shapes.RulesetObject,
    "setup": shapes.SetupObject,
    "match": shapes.MatchObject,
    "act": shapes.Act,
    "event": shapes.EventObject,
    "view": shapes.WholeView,
    "record": record_shapes.RecordObject,
    "told": record_shapes.AnnouncedObject,
    "request": protocol.Request,
    "answer": protocol.Answer,
    **_ANSWERS,
}
"""The kinds of object that have a schema, with their types."""


def schema(name: str) -> Schema:
    """The schema of one format, which `name` names as in `KINDS`."""
    (root,), parts = msgspec.json.schema_components(
        [KINDS[name]], ref_template=_REF + "{name}"
    )
    found: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        **_mended(root),
        "$defs": {
            _published(key): _mended_part(_published(key), part)
            for key, part in parts.items()
        },
    }
    return found


def _published(name: str) -> str:
    """The name that the schemas give to the Python type called `name`."""
    if name in _CALLED:
        return _CALLED[name]
    return name.removesuffix("Object").removesuffix("Request")


def _mended_part(name: str, part: Schema) -> Schema:
    found: Schema = _mended(part)
    found["title"] = name
    return {**found, **_MORE[name](found)} if name in _MORE else found


def _mended(value: Any) -> Any:
    """Return a schema, or a part of one, completed with what msgspec leaves out.

    Patterns are added for texts such as cards and clause numbers, and all objects may
    have keys that begin with `x-`.
    """
    if isinstance(value, list):
        return [_mended(one) for one in value]
    if not isinstance(value, dict):
        return value
    found: Schema = {
        key: _mended_under(key, one)
        for key, one in value.items()
        if key not in ("x-is", "default", "discriminator")
    }
    sort = value.get("x-is")
    if sort == "by seat":
        found["patternProperties"] = {_SEAT_KEY: found["additionalProperties"]}
        found["additionalProperties"] = False
    elif sort in _PATTERNS:
        found["pattern"] = _PATTERNS[sort]
    if found.get("items", {}).get("pattern") == _PATTERNS["clause"]:
        found["uniqueItems"] = True
        if value.get("default") != []:  # a refusal need not name any
            found["minItems"] = 1
    if found.get("type") == "object":
        extra = {"^x-": True, **found.get("patternProperties", {})}
        found["patternProperties"] = extra
    return found


def _mended_under(key: str, value: Any) -> Any:
    """Return the value of a key of a schema, completed as `_mended` does."""
    if key == "properties":  # its keys are names, not words of the schema language
        return {name: _mended(part) for name, part in value.items()}
    if key == "$ref":
        return _REF + _published(value.removeprefix(_REF))
    return _mended(value)


def _one_of(*beside: str) -> Callable[[Schema], Schema]:
    """Return a function from a part to a rule: exactly one of its keys not `beside`."""

    def exactly_one(part: Schema) -> Schema:
        keys = [key for key in part["properties"] if key not in beside]
        return {"oneOf": [{"required": [key]} for key in keys]}

    return exactly_one


def _due(part: Schema) -> Schema:
    return {
        **_one_of("turn", "forward")(part),
        "properties": {**part["properties"], "over": {"const": True}},
        "dependentRequired": {"forward": ["pass"]},
    }


def _setup(part: Schema) -> Schema:
    return {"dependentRequired": {"phase": ["leader"], "leader": ["phase"]}}


def _start(part: Schema) -> Schema:
    return {"oneOf": [{"required": ["setup"]}, {"required": ["match"]}]}


def _ruleset(part: Schema) -> Schema:
    options = {
        "type": "object",
        "properties": {option.name: _option_schema(option) for option in OPTIONS},
        "patternProperties": {"^x-": True},
        "additionalProperties": False,
    }
    profiles = {"enum": list(profile_names())}
    more = {"profile": profiles, "options": options}
    return {"properties": {**part["properties"], **more}}


def _option_schema(option: Option) -> Schema:
    if isinstance(option.base, bool):
        return {"type": "boolean"}
    if isinstance(option.base, tuple):
        items = {"enum": list(option.words)}
        return {"type": "array", "items": items, "maxItems": _LONGEST_CYCLE}
    found: list[Schema] = []
    if option.words:
        found.append({"enum": list(option.words)})
    if option.least is not None:
        limits = {"minimum": option.least, "maximum": option.most}
        found.append({"type": "integer", **limits})
    return found[0] if len(found) == 1 else {"anyOf": found}


_LONGEST_CYCLE: Final = 60
_MORE: Final[dict[str, Callable[[Schema], Schema]]] = {
    "Act": _one_of(),
    "Answer": _one_of("seq"),
    "Verdict": _one_of(),
    "Due": _due,
    "DueNow": _due,
    "Setup": _setup,
    "SeenSetup": _setup,
    "Record": _start,
    "Trace": _start,
    "BareTrace": _start,
    "Open": _start,
    "Ruleset": _ruleset,
    "Table": _ruleset,
}
"""What is added to the part of each name, as a function of that part."""
