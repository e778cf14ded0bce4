"""The bulletin as data: what each version changes in the one before it, and why.

`spec/CHANGES.md` says the same in prose. `spec/changes.toml` has an entry for each
change to what is frozen (clause 0.6), and `refengine conform registry --check` compares
the entries with the editions.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import attrs

from refengine.errors import Malformed, shown
from refengine.lawbook.editions import MEMBERS
from refengine.lawbook.profile_files import keys_and_values

DATA: Final = "changes.toml"
PROSE: Final = "CHANGES.md"
TEXT: Final = "text"
EFFECT: Final = "effect"
WORDS: Final = "words"

_KEYS: Final = ("version", *MEMBERS, "part", "old", "new", "of", "why")
_HEADING: Final = re.compile(r"^## ([0-9]+\.[0-9]+\.[0-9]+)\b", re.MULTILINE)


@attrs.frozen
class BulletinEntry:
    """A change that a version of the book makes, and the reason for it.

    `names` are the members that it changes, such as clauses; `kind` and `part` are as
    in `EditionDifference`. `of` is `effect` if some game comes out differently, and
    otherwise `words`. `old` and `new` are None if the part is the text of clauses,
    which is in the editions.
    """

    version: str
    kind: str
    names: tuple[str, ...]
    part: str
    old: Any
    new: Any
    of: str
    why: str


def bulletin_entries(text: str) -> tuple[BulletinEntry, ...]:
    """The entries of the bulletin's data, from the text of the data file.

    Raises Malformed if the text is not TOML, or if an entry is malformed, for instance
    because it gives no reason.
    """
    try:
        data = keys_and_values(text, ("change",), "the bulletin in TOML")
    except Malformed as error:
        raise error.in_file(DATA) from None
    entries = data.get("change", [])
    if not (isinstance(entries, list) and all(isinstance(it, dict) for it in entries)):
        raise Malformed("a change that is not a table", "[[change]], an entry", DATA)
    return tuple(
        _entry(one, f"{DATA}: change[{place}]") for place, one in enumerate(entries)
    )


def _entry(data: dict[str, Any], where: str) -> BulletinEntry:
    for key in data:
        if key not in _KEYS:
            raise Malformed(f"the key {key!r:.40}", ", ".join(_KEYS), where)
    kinds = [kind for kind in MEMBERS if kind in data]
    if len(kinds) != 1:
        found = ", ".join(kinds) or "none of them"
        raise Malformed(found, f"one of {', '.join(MEMBERS)}", where)
    (kind,) = kinds
    names = data[kind]
    texts = isinstance(names, list) and all(isinstance(one, str) for one in names)
    if not (texts and names and len({*names}) == len(names)):
        raise Malformed(shown(names)[:60], "a list of names, each once", where)
    part = data.get("part", TEXT if kind == "clauses" else "")
    for key in ("version", "why"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise Malformed(f"no {key}", f"{key}, which must be given", where)
    if data.get("of") not in (EFFECT, WORDS):
        allowed = f"of: {EFFECT} or {WORDS}"
        raise Malformed(shown(data.get("of"))[:40], allowed, where)
    wanted = {"part"} if part == TEXT else {"part", "old", "new"}
    if {"part": part, **data}.keys() & {"part", "old", "new"} != wanted or not part:
        allowed = "part, old and new; for the text of clauses neither old nor new"
        raise Malformed(f"part {part!r}", allowed, where)
    return BulletinEntry(
        version=data["version"],
        kind=kind,
        names=tuple(names),
        part=str(part),
        old=data.get("old"),
        new=data.get("new"),
        of=data["of"],
        why=" ".join(data["why"].split()),
    )


def bulletin_versions(changes: str) -> tuple[str, ...]:
    """The versions that have an entry in the bulletin's prose, the newest first."""
    return tuple(_HEADING.findall(changes))


def read_bulletin(spec: Path) -> tuple[BulletinEntry, ...]:
    """The entries of the bulletin's data in this folder; empty if there is no file.

    Raises Malformed as `bulletin_entries` does.
    """
    path = spec / DATA
    return bulletin_entries(path.read_text("utf-8")) if path.is_file() else ()
