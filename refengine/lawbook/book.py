"""The law book inside the package: its files, and its clauses by number."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs

from refengine.errors import Malformed, shown

_HERE: Final = Path(__file__).resolve().parent
_PACKAGE: Final = _HERE.parent
# A wheel has the book inside the package; a checkout has it beside the package.
SPEC: Final = next(
    (path for path in (_PACKAGE / "spec", _PACKAGE.parent / "spec") if path.is_dir()),
    _PACKAGE / "spec",
)
REGISTRY: Final = _HERE / "registry.json"


@attrs.frozen
class Clause:
    """One clause of the book, as it is in the registry.

    `text` holds the binding sentences and `formal` the formal lines. `ruling` gives the
    reason for a ruling and the reading not taken; it is empty if the clause is not one.
    `bites` names the clauses in which a definition takes effect, `functions` the
    functions that claim the clause.
    """

    number: str
    title: str
    kind: str
    options: tuple[str, ...]
    sources: tuple[str, ...]
    fingerprint: str
    text: str
    formal: tuple[str, ...]
    ruling: str
    bites: tuple[str, ...]
    functions: tuple[str, ...]
    examples: int

    @classmethod
    def of_json(cls, entry: dict[str, Any]) -> Clause:
        """The clause that an entry of the registry describes."""
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in entry.items()
        }
        return cls(**fields)


@cache
def registry() -> dict[str, Any]:
    """The registry: the `version` of the book and its `clauses`, in order."""
    loaded: dict[str, Any] = json.loads(REGISTRY.read_text("utf-8"))
    return loaded


@cache
def clauses() -> dict[str, Clause]:
    """All clauses by number, in the order of the book."""
    found = [Clause.of_json(entry) for entry in registry()["clauses"]]
    return {clause.number: clause for clause in found}


def clause(number: object) -> Clause:
    """The clause with this number: `clause("5.3")`.

    Raises Malformed if the book has no such clause.
    """
    found = clauses().get(number) if isinstance(number, str) else None
    if found is None:
        raise Malformed(
            shown(number)[:40], "the number of a clause, such as 5.3 or 5.4b"
        )
    return found


def title(number: str) -> str:
    """The title of the clause with this number; empty if there is no such clause."""
    found = clauses().get(number)
    return found.title if found else ""
