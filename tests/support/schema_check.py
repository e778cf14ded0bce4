"""A validator for the part of JSON Schema 2020-12 that our schemas use."""

import re
from collections.abc import Callable
from typing import Any

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: isinstance(value, bool),
}
NOTES = {"$schema", "$defs", "title", "description"}


def same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def fits(value: Any, schema: Any, defs: Any = None) -> bool:
    """Whether the value is valid by the schema; KeyError for an unknown keyword."""
    if schema is True:
        return True
    defs = schema.get("$defs", {}) if defs is None else defs
    return all(
        KEYWORDS[word](value, wanted, schema, defs)
        for word, wanted in schema.items()
        if word not in NOTES
    )


def _properties(value: Any, wanted: Any, schema: Any, defs: Any) -> bool:
    return not isinstance(value, dict) or all(
        fits(value[key], wanted[key], defs) for key in wanted if key in value
    )


def _patterns(value: Any, wanted: Any, schema: Any, defs: Any) -> bool:
    return not isinstance(value, dict) or all(
        fits(one, inner, defs)
        for pattern, inner in wanted.items()
        for key, one in value.items()
        if re.search(pattern, key)
    )


def _additional(value: Any, wanted: Any, schema: Any, defs: Any) -> bool:
    known = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    return not isinstance(value, dict) or all(
        wanted is not False and fits(value[key], wanted, defs)
        for key in value
        if key not in known and not any(re.search(one, key) for one in patterns)
    )


def _depends(value: Any, wanted: Any, schema: Any, defs: Any) -> bool:
    return not isinstance(value, dict) or all(
        key not in value or all(one in value for one in needed)
        for key, needed in wanted.items()
    )


def _unique(value: Any, wanted: Any, schema: Any, defs: Any) -> bool:
    return not isinstance(value, list) or len({repr(one) for one in value}) == len(
        value
    )


KEYWORDS: dict[str, Callable[[Any, Any, Any, Any], bool]] = {
    "type": lambda value, wanted, schema, defs: TYPES[wanted](value),
    "$ref": lambda value, wanted, schema, defs: fits(
        value, defs[wanted.removeprefix("#/$defs/")], defs
    ),
    "enum": lambda value, wanted, schema, defs: any(same(value, one) for one in wanted),
    "const": lambda value, wanted, schema, defs: same(value, wanted),
    "anyOf": lambda value, wanted, schema, defs: any(
        fits(value, one, defs) for one in wanted
    ),
    "oneOf": lambda value, wanted, schema, defs: (
        sum(fits(value, one, defs) for one in wanted) == 1
    ),
    "required": lambda value, wanted, schema, defs: (
        not isinstance(value, dict) or all(key in value for key in wanted)
    ),
    "pattern": lambda value, wanted, schema, defs: (
        not isinstance(value, str) or bool(re.search(wanted, value))
    ),
    "minimum": lambda value, wanted, schema, defs: (
        type(value) is not int or value >= wanted
    ),
    "maximum": lambda value, wanted, schema, defs: (
        type(value) is not int or value <= wanted
    ),
    "items": lambda value, wanted, schema, defs: (
        not isinstance(value, list) or all(fits(one, wanted, defs) for one in value)
    ),
    "minItems": lambda value, wanted, schema, defs: (
        not isinstance(value, list) or len(value) >= wanted
    ),
    "maxItems": lambda value, wanted, schema, defs: (
        not isinstance(value, list) or len(value) <= wanted
    ),
    "uniqueItems": _unique,
    "dependentRequired": _depends,
    "properties": _properties,
    "patternProperties": _patterns,
    "additionalProperties": _additional,
}
