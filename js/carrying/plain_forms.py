"""Request forms and facts about the engine, for the JSON layer in JavaScript.

The forms are the JSON Schemas of the protocol without what the rules check themselves:
which profiles and options exist, and what a card looks like.
"""

from __future__ import annotations

import json
from typing import Any, Final

from refengine import __version__
from refengine.formats.protocol import CAPABILITIES
from refengine.formats.schemas import Schema, schema
from refengine.formats.trace import spec_version
from refengine.lawbook.editions import EDITIONS

_LEFT_OUT: Final = frozenset(("title", "description", "pattern", "$schema"))


def forms() -> Schema:
    """The JSON Schema of all requests, and of all that they contain."""
    found: Schema = _shortened(schema("request"))
    found["$defs"]["Ruleset"]["properties"] |= {
        "profile": {"type": "string"},
        "options": {"type": "object"},
    }
    return found


def _shortened(value: Any) -> Any:
    if isinstance(value, list):
        return [_shortened(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {name: _shortened(inner) for name, inner in one.items()}
        if key in ("properties", "$defs")
        else _shortened(one)
        for key, one in value.items()
        if key not in _LEFT_OUT
    }


def about() -> dict[str, Any]:
    """Facts about this engine: its version, its editions and its capabilities."""
    return {
        "version": __version__,
        "spec": spec_version(),
        "editions": list(EDITIONS),
        "capabilities": list(CAPABILITIES),
    }


def forms_text() -> str:
    """JavaScript that defines `$forms` and `$about` from `forms` and `about`."""
    return f"const $forms = {_written(forms())};\nconst $about = {_written(about())};\n"


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
