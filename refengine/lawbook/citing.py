"""Looking up the clause that a citation names, and whether its wording has changed."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import attrs

from refengine.lawbook import book
from refengine.lawbook.book import SPEC, Clause, clause
from refengine.lawbook.editions import EditionClause, edition, is_draft
from refengine.lawbook.reading import WITHDRAWN, BookTable, Citation, Passage, read_book

_NOT_TAKEN: Final = " Not taken: "


@attrs.frozen
class Cited:
    """The clause that a citation leads to, and whether its wording has changed.

    `true` says whether the version cited has the clause in the wording cited, and
    `same` whether, besides, this is still its wording today. Both are judged by the
    digest or, if only an edition is given, by the edition; if neither is given, both
    are true. `wording` is a sentence that says both. `then` is the clause as the
    edition cited prints it, if the clause reads differently today, and otherwise None.
    """

    citation: Citation
    clause: Clause
    passage: Passage
    true: bool
    same: bool
    wording: str
    then: EditionClause | None = None

    @property
    def in_full(self) -> Citation:
        """The citation of the clause as it reads today."""
        return citation_today(self.clause)

    @property
    def reason(self) -> str:
        """The reason for the ruling; empty if the clause is not a ruling."""
        return self.clause.ruling.partition(_NOT_TAKEN)[0]

    @property
    def not_taken(self) -> str:
        """The reading that was not taken; empty if there is none."""
        return self.clause.ruling.partition(_NOT_TAKEN)[2]

    @property
    def examples(self) -> tuple[BookTable, ...]:
        """The tables of examples in the clause."""
        return tuple(table for table in self.passage.tables if table.of_examples)

    def fields(self) -> dict[str, Any]:
        """The citation, and the clause that it cites, as plain JSON values."""
        return {
            "cited": str(self.citation),
            "in_full": str(self.in_full),
            "true": self.true,
            "same": self.same,
            "wording": self.wording,
            "then": None if self.then is None else attrs.asdict(self.then),
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


def citation_today(one: Clause) -> Citation:
    """The full citation of a clause in the current book."""
    return Citation(one.number, book.version(), one.fingerprint)


def look_up_citation(text: str) -> Cited:
    """The clause that a citation leads to, and whether its wording has changed.

    The citation may be `5.3`, `HFR 5.3@1.0.0` or a form with a digest.
    Raises Malformed if the text is not a citation or the book has no such clause, and
    UnknownEdition if it names an edition that does not exist.
    """
    citation = Citation.read(text)
    found = clause(citation.number)
    then = _printed(citation, found)
    true, same, wording = _wording(citation, found, then)
    if found.kind == WITHDRAWN:
        wording = f"the clause is withdrawn; {wording}"
    other = then is not None and then.digest != found.fingerprint
    passage = passage_of(found.number)
    shown = then if other else None
    return Cited(citation, found, passage, true, same, wording, shown)


def passage_of(number: str) -> Passage:
    """The clause with this number as the book prints it, with its tables and notes.

    Raises Malformed if the book has no such clause.
    """
    return _passages()[clause(number).number]


@cache
def _passages() -> dict[str, Passage]:
    return {passage.number: passage for passage in read_book(SPEC)}


def version_in_words(version: str) -> str:
    """A version of the book, marked as a draft if it is not published."""
    return f"{version}, a draft" if is_draft(version) else version


def _printed(citation: Citation, found: Clause) -> EditionClause | None:
    """The clause as the version cited prints it; None if that version lacks it.

    Raises UnknownEdition if the version is neither published nor the current draft.
    """
    today = book.version()
    if citation.version in (None, today) and is_draft(today):
        return EditionClause(
            found.number, found.title, found.kind, found.text, found.fingerprint
        )
    return edition(citation.version or today).clause(found.number)


def _wording(
    citation: Citation, found: Clause, then: EditionClause | None
) -> tuple[bool, bool, str]:
    """The values of `true`, `same` and `wording` for a Cited.

    A citation that is not true is not the same either.
    """
    today = book.version()
    digest, version = citation.fingerprint, citation.version
    if version is None:
        return True, True, f"no edition is cited; this is the wording of {_today()}"
    if then is None:
        said = f"edition {version} has no clause {found.number}: it was added later"
        return False, False, said
    if digest not in (None, then.digest):
        which = f"the draft {version}" if is_draft(version) else f"edition {version}"
        said = f"{which} has another wording: ~{then.digest}"
        return False, False, said
    if version == today:
        return True, True, f"this is the wording of {_today()}"
    if then.digest == found.fingerprint:
        said = f"the wording of {version} is still that of {_today()}"
        return True, True, said
    said = (
        f"the wording has changed since {version}: it was ~{then.digest} and is now "
        f"~{found.fingerprint} in {_today()}"
    )
    return True, False, said


def _today() -> str:
    return version_in_words(book.version())
