"""A citation resolved: the clause it names, and whether its wording is unchanged."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

import attrs

from refengine.errors import Malformed
from refengine.lawbook.book import SPEC, Clause, clause, registry
from refengine.lawbook.reading import WITHDRAWN, BookTable, Citation, Passage, read_book

_NOT_TAKEN: Final = " Not taken: "


@attrs.frozen
class Cited:
    """What a citation leads to.

    `same` says whether the clause still reads as it did when it was cited. This is
    judged by the digest or, if only an edition is given, by the edition; with neither,
    it is true. `wording` says the same in a sentence.
    """

    citation: Citation
    clause: Clause
    passage: Passage
    same: bool
    wording: str

    @property
    def in_full(self) -> Citation:
        """The citation of the clause as it reads today."""
        version = str(registry()["version"])
        return Citation(self.clause.number, version, self.clause.fingerprint)

    @property
    def reason(self) -> str:
        """The reason for the ruling; empty if the sources themselves say it."""
        return self.clause.ruling.partition(_NOT_TAKEN)[0]

    @property
    def not_taken(self) -> str:
        """The reading that was not taken; empty if there is none."""
        return self.clause.ruling.partition(_NOT_TAKEN)[2]

    @property
    def examples(self) -> tuple[BookTable, ...]:
        """The tables of examples."""
        return tuple(table for table in self.passage.tables if table.of_examples)

    def fields(self) -> dict[str, Any]:
        """Everything as plain JSON values."""
        return {
            "cited": str(self.citation),
            "in_full": str(self.in_full),
            "same": self.same,
            "wording": self.wording,
            "number": self.clause.number,
            "title": self.clause.title,
            "kind": self.clause.kind,
            "text": self.clause.text,
            "options": list(self.clause.options),
            "sources": list(self.clause.sources),
            "reason": self.reason,
            "not_taken": self.not_taken,
            "notes": list(self.passage.notes),
            "examples": [attrs.asdict(table) for table in self.examples],
        }


def look_up_citation(text: str) -> Cited:
    """What a citation leads to; it may be `5.3`, `HFR 5.3@1.0.0`, or one with a digest.

    Raises Malformed if the text is not a citation, if the book has no such clause, or
    if it names an edition without a digest and nothing is known here of that edition.
    """
    citation = Citation.read(text)
    found = clause(citation.number)
    same, wording = _wording(citation, found)
    if found.kind == WITHDRAWN:
        wording = f"the clause is withdrawn; {wording}"
    return Cited(citation, found, _passages()[found.number], same, wording)


@cache
def _passages() -> dict[str, Passage]:
    return {passage.number: passage for passage in read_book(SPEC)}


def _wording(citation: Citation, found: Clause) -> tuple[bool, str]:
    today = str(registry()["version"])
    digest, version = citation.fingerprint, citation.version
    if version is None:
        return True, f"no edition is cited; this is the wording of {today}"
    then = _digest_in(version, found.number)
    if digest is None:
        if then is None:
            allowed = f"an edition known here, such as {today}, or a digest behind it"
            raise Malformed(f"edition {version}", allowed)
        digest = then
    if then is not None and digest != then:
        return False, f"edition {version} has no such wording: there it is ~{then}"
    if digest == found.fingerprint:
        return True, f"the wording of {version} is still that of {today}"
    return False, (
        f"the wording has changed since {version}: it was ~{digest} and is now "
        f"~{found.fingerprint}"
    )


def _digest_in(version: str, number: str) -> str | None:
    """The digest of a clause in an edition, None where that edition is not known."""
    return _edition(version).get(number)


@cache
def _edition(version: str) -> dict[str, str]:
    path = SPEC / f"registry-{version}.json"
    if not path.is_file():
        return {}
    entries = json.loads(path.read_text("utf-8"))["clauses"]
    return {one["number"]: one["fingerprint"] for one in entries}
