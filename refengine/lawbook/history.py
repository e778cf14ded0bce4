"""The history of a clause: each change with the old and new wording and the reasons.

A separate file lists the games of the corpus that come out differently because of a
change; it is computed once, with a build of the older edition.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import cache
from typing import Any, Final

import attrs

from refengine.lawbook import book
from refengine.lawbook.book import SPEC, clause
from refengine.lawbook.bulletin import BulletinEntry, read_bulletin
from refengine.lawbook.editions import (
    EDITIONS,
    FOLDER,
    Edition,
    EditionClause,
    edition,
    edition_today,
    is_draft,
    version_key,
)
from refengine.lawbook.reading import plain

GAMES: Final = "changed-games.json"
MOST_GAMES: Final = 10
"""The most games that a page or a terminal lists; the JSON contains them all."""
_ALIKE: Final = 3
"""A run of fewer unchanged words than this between two changes counts as changed."""


@attrs.frozen
class Run:
    """A run of consecutive words, and whether they are marked as changed."""

    text: str
    changed: bool


@attrs.frozen
class ClauseChange:
    """How one version of the book changed a clause, or introduced it.

    `before` is the clause in `since`, the preceding version; it is None if the clause
    is new in this version, and `since` is empty for the first edition. `why` holds the
    reasons, each preceded by `effect` or `words`. `games` holds the ids of the games of
    the corpus that come out differently; `draft` says whether the version has not been
    published yet.
    """

    version: str
    draft: bool
    since: str
    before: EditionClause | None
    after: EditionClause
    why: tuple[tuple[str, str], ...]
    games: tuple[str, ...]

    @property
    def old(self) -> tuple[Run, ...]:
        """The old wording, if any, as runs of words that were kept or removed."""
        return _runs(self, new=False)

    @property
    def new(self) -> tuple[Run, ...]:
        """The new wording, as runs of words that were kept or added."""
        return _runs(self, new=True)

    def fields(self) -> dict[str, Any]:
        """The change as plain JSON values."""
        return {
            "version": self.version,
            "draft": self.draft,
            "since": self.since,
            "before": None if self.before is None else attrs.asdict(self.before),
            "after": attrs.asdict(self.after),
            "why": [{"of": of, "why": why} for of, why in self.why],
            "games": list(self.games),
        }


def clause_history(number: str) -> tuple[ClauseChange, ...]:
    """The changes to a clause, the newest first; the last is its introduction.

    Raises Malformed if the book has no such clause.
    """
    clause(number)
    found: list[ClauseChange] = []
    before: Edition | None = None
    for after in _versions():
        found += _changes(before, after, number)
        before = after
    return tuple(reversed(found))


@cache
def _versions() -> tuple[Edition, ...]:
    """All editions, the oldest first, followed by the current draft if there is one."""
    found = [edition(version) for version in sorted(EDITIONS, key=version_key)]
    today = book.version()
    return (*found, *([edition_today()] if is_draft(today) else []))


@cache
def _entries() -> tuple[BulletinEntry, ...]:
    return read_bulletin(SPEC)


def _changes(
    before: Edition | None, after: Edition, number: str
) -> Iterator[ClauseChange]:
    """Yield the change that a version made to a clause; nothing if it made none."""
    now = after.clause(number)
    then = None if before is None else before.clause(number)
    if now is None or (then is not None and _reads(then) == _reads(now)):
        return
    why = {
        (entry.of, entry.why): None
        for entry in _entries()
        if entry.version == after.version
        and entry.kind == "clauses"
        and number in entry.names
    }
    yield ClauseChange(
        version=after.version,
        draft=is_draft(after.version),
        since=before.version if before else "",
        before=then,
        after=now,
        why=tuple(why),
        games=changed_games(after.version, number),
    )


def _reads(one: EditionClause) -> tuple[str, ...]:
    return one.title, one.kind, one.digest


def changed_games(version: str, number: str) -> tuple[str, ...]:
    """The ids of the games that come out differently because a clause has changed.

    They are games of the corpus, and `version` made the change. The result is empty if
    there are none, or if they have not been computed.
    """
    found = _games().get(version, {}).get("clauses", {}).get(number, ())
    return tuple(found)


@cache
def _games() -> dict[str, Any]:
    path = SPEC / FOLDER / GAMES
    if not path.is_file():
        return {}
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def _runs(change: ClauseChange, new: bool) -> tuple[Run, ...]:
    """The old wording or, if `new`, the new one, as runs; empty if there is none."""
    if change.before is None:
        return (Run(plain(change.after.text), False),) if new else ()
    old_words = plain(change.before.text).split()
    new_words = plain(change.after.text).split()
    words = new_words if new else old_words
    matcher = SequenceMatcher(None, old_words, new_words, autojunk=False)
    found: list[Run] = []
    codes = matcher.get_opcodes()
    for place, (tag, *ends) in enumerate(codes):
        start, end = ends[2:] if new else ends[:2]
        between = 0 < place < len(codes) - 1
        changed = tag != "equal" or (between and end - start < _ALIKE)
        if found and found[-1].changed and changed:
            start -= len(found.pop().text.split())
        if start < end:
            found.append(Run(" ".join(words[start:end]), changed))
    return tuple(found)


def marked(runs: Iterable[Run]) -> str:
    """The text of the runs, with the changed ones in square brackets."""
    return " ".join(f"[{one.text}]" if one.changed else one.text for one in runs)
