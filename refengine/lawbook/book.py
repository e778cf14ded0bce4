"""The law book: where its files are, and its clauses by number."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import attrs

from refengine.errors import Malformed, did_you_mean, shown

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
    """One clause of the book, as the registry holds it.

    `text` holds the binding sentences and `formal` the formal lines. `ruling` gives the
    reason for a ruling and the reading that was not taken; it is empty if the clause is
    not a ruling. `bites` names the clauses in which a definition takes effect, and
    `functions` names the functions whose docstrings claim the clause. `examples` is the
    number of rows in its tables of examples. `part_of` is the clause of which this one
    is a part, or empty: refusals that used to name the whole clause now name its part.
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
    part_of: str = ""

    @classmethod
    def of_json(cls, entry: dict[str, Any]) -> Clause:
        """The clause that an entry in the registry describes."""
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


def version() -> str:
    """The version of the current book."""
    return str(registry()["version"])


@attrs.frozen
class Heading:
    """The heading of a clause: its number, title, kind, options and fingerprint."""

    number: str
    title: str
    kind: str
    options: tuple[str, ...]
    fingerprint: str


def heading_fields() -> dict[str, list[Any]]:
    """The fields of every heading, by the number of its clause, as plain values."""
    return {
        one["number"]: [one["title"], one["kind"], one["options"], one["fingerprint"]]
        for one in registry()["clauses"]
    }


@cache
def headings() -> dict[str, Heading]:
    """The headings of all clauses by number, in the order of the book."""
    return {
        number: Heading(number, title, kind, tuple(options), fingerprint)
        for number, (title, kind, options, fingerprint) in heading_fields().items()
    }


@cache
def clauses() -> Mapping[str, Clause]:
    """All clauses by number, in the order of the book, in a read-only mapping."""
    found = [Clause.of_json(entry) for entry in registry()["clauses"]]
    return MappingProxyType({clause.number: clause for clause in found})


def clause(number: object) -> Clause:
    """The clause with this number, as in `clause("5.3")`.

    Raises Malformed if the book has no such clause.
    """
    found = clauses().get(number) if isinstance(number, str) else None
    if found is None:
        titles = {one.title.lower(): one.number for one in clauses().values()}
        meant = did_you_mean(clauses(), number, titles)
        allowed = f"the number of a clause, such as 5.3 or 5.4b{meant}"
        if isinstance(number, float):  # 5.10 is not 5.1
            allowed = "the number of a clause as text, such as '5.3' or '5.10'"
        raise Malformed(shown(number)[:40], allowed)
    return found


def parts_of(number: str) -> tuple[str, ...]:
    """The numbers of the parts of this clause, in the order of the book.

    The result is empty if the clause has no parts, or if there is no such clause.
    """
    return tuple(one.number for one in clauses().values() if one.part_of == number)


def title(number: str) -> str:
    """The title of the clause with this number; empty if there is no such clause."""
    found = headings().get(number)
    return found.title if found else ""
