"""Checks the current book against published editions, and changes against the bulletin.

If the version of the book is that of the newest edition, nothing in that edition may
differ. If the book is a newer draft, each difference, except in markup, must have an
entry in `spec/changes.toml`, and even then no number or name may disappear. What no
edition contains yet may change freely until it is published.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from refengine.errors import Malformed
from refengine.lawbook import editions
from refengine.lawbook.bulletin import DATA, PROSE, TEXT, BulletinEntry
from refengine.lawbook.canonical import canonical
from refengine.lawbook.editions import (
    Edition,
    EditionDifference,
    edition_differences,
    published_edition,
    version_key,
)

_MARKUP: Final = "markup"
_FILE: Final = f"spec/{DATA}"

_Key = tuple[str, str, str]
"""The kind and the name of a member of an edition, and a part of that member."""


def read_editions(spec: Path) -> tuple[tuple[Edition, ...], list[str]]:
    """The published editions, the oldest first, and the faults found in their files."""
    found: list[Edition] = []
    wrong: list[str] = []
    for version in sorted(editions.EDITIONS, key=version_key):
        try:
            found.append(published_edition(spec, version))
        except Malformed as fault:
            wrong.append(str(fault))
    for path in sorted((spec / editions.FOLDER).glob("*.*.*.json")):
        if path.stem not in editions.EDITIONS:
            wrong.append(not_listed(path.name))
    return tuple(found), wrong


def not_listed(file: str) -> str:
    """The message about a file of an edition that EDITIONS does not list."""
    return (
        f"spec/{editions.FOLDER}/{file} is not among the EDITIONS of "
        "refengine/lawbook/editions.py"
    )


def steps_of(
    published: Sequence[Edition], today: Edition
) -> Iterator[tuple[Edition, Edition]]:
    """Each edition paired with the next; a draft comes after the newest edition."""
    draft = [today] if today.version not in {one.version for one in published} else []
    yield from pairwise([*published, *draft])


def frozen_problems(
    published: Sequence[Edition],
    today: Edition,
    entries: Sequence[BulletinEntry],
    headings: Sequence[str],
) -> Iterator[str]:
    """Faults in the changes between versions, and in the bulletin about them."""
    yield from _heading_problems(published, headings)
    if published:
        yield from version_problems(published[-1], today)
    versions = {after.version for _, after in steps_of(published, today)}
    for entry in entries:
        if entry.version not in versions:
            yield f"{_FILE}: {entry.version} changes no earlier version"
    for before, after in steps_of(published, today):
        yield from _step_problems(before, after, entries)


def version_problems(newest: Edition, today: Edition) -> Iterator[str]:
    """Reasons why the current book can neither follow the newest edition nor be it."""
    if version_key(today.version) < version_key(newest.version):
        yield f"the version {today.version} is older than edition {newest.version}"
    if today.version != newest.version:
        return
    published = f"edition {newest.version}, which is published"
    needs = f"needs a new version in spec/{PROSE}"
    for found in edition_differences(newest, today):
        yield f"{_named(found)} is not that of {published}: a change {needs}"
    for kind in editions.MEMBERS:
        for name in today.members[kind]:
            if name not in newest.members[kind]:
                member = in_words(kind, name)
                yield f"{member} is not in {published}: an addition {needs}"


def _heading_problems(
    published: Sequence[Edition], headings: Sequence[str]
) -> Iterator[str]:
    """Versions that are out of order, missing or unknown in the bulletin's prose."""
    if list(headings) != sorted(set(headings), key=version_key, reverse=True):
        yield f"spec/{PROSE}: its versions are not in order, the newest first"
    known = {one.version for one in published}
    for version in sorted(known - {*headings}):
        yield f"spec/{PROSE}: edition {version} has no entry"
    for version in headings[1:]:
        if version not in known:
            yield f"spec/{PROSE}: {version} is neither the newest entry nor published"


def _step_problems(
    before: Edition, after: Edition, entries: Sequence[BulletinEntry]
) -> Iterator[str]:
    """Differences without a correct entry, and entries without a difference."""
    told: dict[_Key, BulletinEntry] = {}
    for key, entry in _entries_by_key(entries, after.version):
        if key in told:
            yield f"{_FILE}: {after.version} has two entries for {in_words(*key)}"
        told[key] = entry
    for found in edition_differences(before, after):
        if not found.part:
            yield f"{_named(found)} is gone, but {found.kind} of an edition must stay"
            continue
        if found.part == _MARKUP:
            continue
        matching = told.pop(_key_of(found), None)
        if matching is None:
            yield (
                f"{_named(found)} changed in {after.version} without an entry in "
                f"{_FILE} (see `refengine conform edition --missing`)"
            )
        elif not _has_values(matching, found):
            yield (
                f"{_FILE}: {_named(found)} was {found.old!r} and is {found.new!r}, "
                f"not {matching.old!r} and {matching.new!r}"
            )
    for key in told:
        yield (
            f"{_FILE}: {in_words(*key)} did not change between {before.version} and "
            f"{after.version}"
        )


def _entries_by_key(
    entries: Sequence[BulletinEntry], version: str
) -> Iterator[tuple[_Key, BulletinEntry]]:
    """Each entry of this version, once for each member that it names."""
    for entry in entries:
        if entry.version == version:
            for name in entry.names:
                yield (entry.kind, name, entry.part), entry


def _has_values(entry: BulletinEntry, found: EditionDifference) -> bool:
    """Whether an entry gives the old and the new value of a difference, type and all.

    An entry about a text need not give it.
    """
    if found.part == TEXT:
        return True
    said, values = [entry.old, entry.new], [found.old, found.new]
    # As canonical JSON, too: == alone takes True for 1 and False for 0.
    return said == values and canonical(said) == canonical(values)


def missing_entries(
    published: Sequence[Edition], today: Edition, entries: Sequence[BulletinEntry]
) -> list[EditionDifference]:
    """The changes in the draft that have no entry in the bulletin's data.

    They include whatever was removed, although that cannot have an entry.
    """
    told = {key for key, _ in _entries_by_key(entries, today.version)}
    return [
        found
        for before, after in steps_of(published, today)
        if after is today
        for found in edition_differences(before, after)
        if found.part != _MARKUP and _key_of(found) not in told
    ]


def _key_of(found: EditionDifference) -> _Key:
    return found.kind, found.name, found.part


def _named(found: EditionDifference) -> str:
    """The name, in words, of what differs: a member of an edition, or a part of one."""
    return in_words(*_key_of(found))


def in_words(kind: str, name: str, part: str = "") -> str:
    """The name, in words, of a member of an edition or of a part of one."""
    member = f"{kind.removesuffix('s')} {name}"
    return f"{member}: its {part}" if part else member
