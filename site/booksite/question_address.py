"""The address of the ruling page with a question filled in."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote_plus

from refengine.lawbook.options import value_text
from refengine.rulings.asking.questions import KINDS

_KEYS: Final = frozenset(key for keys in KINDS.values() for key in keys)
"""The keys of all questions; some options are called like one of them."""


def question_address(question: dict[str, Any]) -> str:
    """The address for this question, as `site/static/question.js` reads it."""
    rules = question.get("rules", {})
    parts = {"ask": question["ask"]}
    parts |= {key: rules[key] for key in ("profile", "players") if key in rules}
    for name, value in rules.get("options", {}).items():
        listed = isinstance(value, list)
        called = f"rule.{name}" if name in _KEYS else name
        parts[called] = f"{','.join(value)}," if listed else value_text(value)
    for key, value in question.items():
        if key == "answers":
            parts |= {f"if.{name}": said for name, said in value.items()}
        elif key not in ("ask", "rules"):
            parts["people" if key == "players" else key] = _in_address(value)
    return "ask.html#" + "&".join(
        f"{key}={quote_plus(str(value), safe='/,')}" for key, value in parts.items()
    )


def _in_address(value: object) -> str:
    if isinstance(value, list):
        return "/".join(map(str, value))
    return "yes" if value is True else str(value)
