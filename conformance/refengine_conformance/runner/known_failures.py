"""Known failures: a file that says what is expected to fail, why, and until when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import attrs
import msgspec
from msgspec import Meta, UnsetType

from refengine.errors import Malformed, unusable_file
from refengine.formats import file_lines, wire
from refengine.formats.shapes import Line
from refengine.lawbook import book
from refengine.lawbook.clause_names import gone_back
from refengine_conformance.runner.results import (
    KINDS,
    LOST,
    Case,
    Outcome,
    either_way,
)

_DAYS: Final = 90
_LONGEST_REASON: Final = 200

_FAILED: Final = (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT, Outcome.PROTOCOL)


class Entry(Line, frozen=True, kw_only=True):
    """One known failure, named by the id of a trace or by a clause.

    An entry for a clause covers a case if every fault in the case names that clause or
    a part of it. `kind` restricts an entry to one kind of case (`step` and `replay`
    count as one kind), and `outcome` says how the case fails. `why` is the reason,
    `until` the last day on which the entry holds, and `issue` says where the matter is
    tracked.
    """

    id: str | UnsetType = msgspec.UNSET
    clause: str | UnsetType = msgspec.UNSET
    kind: str | UnsetType = msgspec.UNSET
    outcome: str | UnsetType = msgspec.UNSET
    why: Annotated[str, Meta(min_length=1)]
    until: str
    issue: str | UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        """Raise Malformed for a wrong value, for both id and clause, or for neither."""
        unnamed = isinstance(self.id, UnsetType)
        if unnamed == isinstance(self.clause, UnsetType):
            found = "neither id nor clause" if unnamed else "both"
            raise Malformed(found, "either an id or a clause")
        if isinstance(self.clause, str):
            try:
                book.clause(self.clause)
            except Malformed as error:
                raise error.within("clause") from None
        if isinstance(self.kind, str) and self.kind not in KINDS:
            raise Malformed(f"{self.kind!r:.40}", f"one of {', '.join(KINDS)}", "kind")
        if isinstance(self.outcome, str) and self.outcome not in _FAILED:
            allowed = f"one of {', '.join(_FAILED)}"
            raise Malformed(f"{self.outcome!r:.40}", allowed, "outcome")
        if not self.why.strip():
            raise Malformed("no reason", "why it fails", "why")
        _day(self.until)

    @property
    def name(self) -> str:
        """The trace or clause of the entry, and any kind that it has, for messages."""
        about = self.id if isinstance(self.id, str) else f"clause {self.clause}"
        return f"{about} {self.kind}" if isinstance(self.kind, str) else about

    def covers(self, case: Case) -> bool:
        """Whether the entry is about this case, whatever its outcome."""
        kind = case.kind if isinstance(self.kind, UnsetType) else self.kind
        if either_way(kind) != either_way(case.kind):
            return False
        if isinstance(self.id, str):
            return case.trace == self.id
        return bool(case.faults) and all(
            self.clause in {*fault.clauses, *gone_back(fault.clauses)}
            for fault in case.faults
        )

    def explains(self, case: Case) -> bool:
        """Whether the case failed as the entry says.

        An entry for a clause explains a lost conversation only if it names the outcome.
        """
        if case.outcome not in _FAILED or not self.covers(case):
            return False
        if isinstance(self.outcome, str):
            return self.outcome == case.outcome
        return isinstance(self.id, str) or case.outcome not in LOST


def _day(text: str) -> date:
    """The day that `until` names; raises Malformed if it does not name one."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Malformed(f"{text!r:.40}", "a day such as 2027-01-31", "until") from None


def read_known(path: Path) -> tuple[Entry, ...]:
    """The entries in a file of known failures.

    Raises Malformed if the file or one of its lines cannot be read; the error names the
    line.
    """
    try:
        with path.open("rb") as stream:
            return tuple(_entries(path, stream))
    except OSError as error:
        raise unusable_file(error, "read", str(path)) from None


def _entries(path: Path, stream: BinaryIO) -> Iterator[Entry]:
    """Yield the entries in an open file.

    Raises Malformed with the path and, if a line is wrong, its number.
    """
    place = str(path)
    try:
        for number, line in file_lines.numbered_lines_of(stream):
            place = f"{path}:{number}"
            if isinstance(line, Malformed):
                raise line
            if line.strip():
                yield wire.decode(line, Entry)
            place = str(path)  # if the file breaks off now, this line is not at fault
    except Malformed as error:
        raise error.within(place) from None


@attrs.frozen
class Sorted:
    """All cases, with the known failures marked, and sentences on stale entries."""

    cases: tuple[Case, ...]
    stale: tuple[str, ...]


def sort_known(
    cases: tuple[Case, ...], entries: tuple[Entry, ...], today: date, partial: bool
) -> Sorted:
    """The cases with the known failures marked, and sentences on stale entries.

    A failure that an entry explains becomes `known`. A case that passes becomes
    `known_but_passes` if an entry names its game by id and explains no failure.

    An entry is stale if it is out of date, or if it covers no case of the run. Covering
    no case is allowed in a `partial` run, as the case may have been left out. It is
    also allowed for a clause if some games ended in an error of the adapter's own or
    were not played, as an answer against the clause may be missing.
    """
    if not entries:
        return Sorted(cases, ())
    found = []
    for case in cases:
        if any(entry.explains(case) for entry in entries):
            found.append(attrs.evolve(case, outcome=Outcome.KNOWN))
        elif _passes_though_listed(case, entries, cases):
            found.append(attrs.evolve(case, outcome=Outcome.KNOWN_BUT_PASSES))
        else:
            found.append(case)
    return Sorted(tuple(found), tuple(_stale(entries, cases, today, partial)))


def _stale(
    entries: Iterable[Entry], cases: tuple[Case, ...], today: date, partial: bool
) -> Iterator[str]:
    """Yield a sentence on each entry that is stale, in the order of the entries."""
    unasked = any(
        case.thrown is not None or case.outcome is Outcome.NOT_RUN for case in cases
    )
    for entry in entries:
        left_out = partial or (unasked and isinstance(entry.clause, str))
        if _day(entry.until) < today:
            yield f"{entry.name}: should have been fixed by {entry.until}"
        elif not left_out and not any(entry.covers(case) for case in cases):
            yield _unmatched(entry)


def _unmatched(entry: Entry) -> str:
    """The sentence to report about an entry that covers no case."""
    return f"{entry.name}: matches nothing; remove the entry"


def stale_at_tables(
    stale: Sequence[tuple[str, ...]], entries: Iterable[Entry]
) -> list[tuple[str, ...]]:
    """The sentences on stale entries for each of several runs at different tables.

    `stale` holds the sentences of each run on its own. A clause may be broken at only
    one table, so an entry for a clause is reported as matching nothing only if that is
    so at all tables.
    """
    by_clause = {_unmatched(one) for one in entries if isinstance(one.clause, str)}
    wrong = {one for one in by_clause if any(one not in said for said in stale)}
    return [tuple(one for one in said if one not in wrong) for said in stale]


def _passes_though_listed(
    case: Case, entries: Iterable[Entry], cases: tuple[Case, ...]
) -> bool:
    """Whether an entry names the game of a case that passes, and explains no failure.

    An entry does not count if a case that it covers ended in an error of the adapter's
    own: the failure may not have been fixed.
    """
    return case.outcome is Outcome.PASS and any(
        isinstance(entry.id, str)
        and entry.covers(case)
        and not any(
            entry.explains(one) or (one.outcome is Outcome.ERROR and entry.covers(one))
            for one in cases
        )
        for entry in entries
    )


def known_failures_text(cases: tuple[Case, ...], today: date) -> bytes:
    """The contents of a file with an entry for each game and kind of case that failed.

    The `why` of each entry says what was wrong.
    """
    until = (today + timedelta(days=_DAYS)).isoformat()
    lines: dict[tuple[str, str], bytes] = {}
    for case in cases:
        failed = case.outcome in _FAILED or case.outcome is Outcome.KNOWN
        if failed and case.kind in KINDS:  # a `hello` is not about a game
            key = case.trace, either_way(case.kind)
            entry = Entry(id=key[0], kind=key[1], why=_reason(case), until=until)
            lines.setdefault(key, wire.encode(entry))
    return b"".join(line + b"\n" for line in lines.values())


def _reason(case: Case) -> str:
    """What was wrong in a case, as the `why` of its entry.

    It is the note of a lost case, and the first fault of any other.
    """
    if case.note or not case.faults:
        return case.note[:_LONGEST_REASON]
    fault = case.faults[0]
    clauses = " ".join(fault.clauses)
    said = f"{clauses} {fault.asked} expected {fault.expected}, got {fault.got}"
    return said[:_LONGEST_REASON].strip()
