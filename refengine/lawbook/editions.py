"""The editions of the book: each published one is frozen in `spec/editions`.

An edition holds what is binding: the clauses, the table of options (0.4), the table of
signs (0.8) and the profiles. It is written once, on the day of its publication, by
`refengine conform edition`. Its hash is then added to EDITIONS by hand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import attrs

from refengine.errors import Malformed
from refengine.lawbook.book import SPEC, version
from refengine.lawbook.canonical import digest_of_value, plain_value
from refengine.lawbook.options import OPTIONS, Option
from refengine.lawbook.profiles import Profile, profile, profile_names
from refengine.lawbook.reading import Passage, plain, read_book

# The SHA-256 of the file of each published edition. No command writes here: what an
# edition says can be changed only by somebody who also changes its line here.
EDITIONS: Final[dict[str, str]] = {
    "1.0.0": "fec34f98c7f212deb2d9982ce1880529b35e73aaec76bcc712456c244ca3b5ac",
    "1.1.0": "51f0bc53a8b4d2726548a994b8286ea2b372c29036be4abccefc2a0b9e04ae98",
}

FOLDER: Final = "editions"
MEMBERS: Final = ("clauses", "options", "signs", "profiles")
_NAMED_BY: Final = {"clauses": "number"}
_SIGN_CLAUSE: Final = "0.8"

Fields = Mapping[str, Any]


class UnknownEdition(Malformed):
    """Raised if there is no edition of the book with a given version."""

    def __init__(self, version: str) -> None:
        super().__init__(f"edition {version}", f"one of {', '.join(EDITIONS)}")
        self.version: Final = version

    def __reduce__(self) -> tuple[object, ...]:
        return UnknownEdition, (self.version,)

    def __str__(self) -> str:
        published = ", ".join(EDITIONS)
        return f"there is no edition {self.version}; published: {published}"


@attrs.frozen
class EditionClause:
    """A clause as an edition prints it; `digest` is its fingerprint (clause 0.5)."""

    number: str
    title: str
    kind: str
    text: str
    digest: str


@attrs.frozen
class Edition:
    """The binding content of an edition, as plain values.

    `members` has the keys `clauses`, `options`, `signs` and `profiles`. Each of its
    values maps the numbers of clauses, or the names of the other members, to fields.
    """

    version: str
    date: str
    members: Mapping[str, Mapping[str, Fields]]

    def clause(self, number: str) -> EditionClause | None:
        """The clause with this number; None if the edition has no such clause."""
        found = self.members["clauses"].get(number)
        return None if found is None else EditionClause(**found)

    def fingerprint(self, kind: str, name: str) -> str:
        """The fingerprint of a member, as clause 0.5 defines it."""
        return digest_of_value(self.members[kind][name])


def version_key(version: str) -> tuple[int, ...]:
    """The numbers of a version, by which versions are sorted."""
    return tuple(map(int, version.split(".")))


def known_versions() -> tuple[str, ...]:
    """All versions of the book: those of the editions, and that of the current book."""
    return tuple(dict.fromkeys((*EDITIONS, version())))


def is_draft(version: str) -> bool:
    """Whether this version of the book has not been published yet."""
    return version not in EDITIONS


@cache
def edition(version: str) -> Edition:
    """The published edition with this version.

    Raises UnknownEdition if there is none, and Malformed if its file is missing or is
    not the file that was published.
    """
    return published_edition(SPEC, version)


def published_edition(spec: Path, version: str) -> Edition:
    """The published edition with this version, from the book in this folder.

    Raises the same errors as `edition`.
    """
    if version not in EDITIONS:
        raise UnknownEdition(version)
    path = spec / FOLDER / f"{version}.json"
    where = f"spec/{FOLDER}/{path.name}"
    if not path.is_file():
        raise Malformed("no file", "the published edition", where)
    found = path.read_bytes()
    digest = hashlib.sha256(found).hexdigest()
    if digest != EDITIONS[version]:
        raise Malformed(
            f"the SHA-256 {digest}",
            f"{EDITIONS[version]}, as the edition was published",
            where,
        )
    return _read(found)


def _read(text: bytes) -> Edition:
    read = json.loads(text)
    members = {
        kind: {
            one[_NAMED_BY.get(kind, "name")]: {
                key: value for key, value in one.items() if key != "fingerprint"
            }
            for one in read[kind]
        }
        for kind in MEMBERS
    }
    return Edition(read["edition"], read["date"], members)


def edition_text(one: Edition) -> str:
    """The text of an edition's file: a line for each member, with its fingerprint."""
    parts = [f'{{\n "edition": {_json(one.version)},\n "date": {_json(one.date)}']
    for kind in MEMBERS:
        rows = [
            _json({**fields, "fingerprint": one.fingerprint(kind, name)})
            for name, fields in one.members[kind].items()
        ]
        parts.append(f' "{kind}": [\n  ' + ",\n  ".join(rows) + "\n ]")
    return ",\n".join(parts) + "\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# The current book as an edition


@cache
def edition_today() -> Edition:
    """The current book as an edition: the newest one, or the draft of the next."""
    return edition_of(version(), "", read_book(SPEC), map(profile, profile_names()))


def edition_of(
    version: str, date: str, passages: Iterable[Passage], profiles: Iterable[Profile]
) -> Edition:
    """Make an edition from these clauses and profiles, and from the engine's options.

    The table in 0.4 repeats the options; a check makes sure that the two agree.
    """
    book = tuple(passages)
    signs = {
        row[0]: {"name": row[0], "sort": row[1], "meaning": row[2]}
        for passage in book
        if passage.number == _SIGN_CLAUSE
        for table in passage.tables
        for row in table.rows
    }
    members: dict[str, Mapping[str, Fields]] = {
        "clauses": {one.number: clause_fields(one) for one in book},
        "options": {one.name: option_fields(one) for one in OPTIONS},
        "signs": signs,
        "profiles": {one.name: profile_fields(one) for one in profiles},
    }
    return Edition(version, date, MappingProxyType(members))


def clause_fields(one: Passage) -> dict[str, Any]:
    """The fields that an edition holds for a clause."""
    return {
        "number": one.number,
        "title": one.title,
        "kind": one.kind,
        "text": one.text,
        "digest": one.fingerprint,
    }


def option_fields(one: Option) -> dict[str, Any]:
    """The fields that an edition holds for an option: name, values and base value."""
    values: list[Any] = [*one.words]
    if isinstance(one.base, bool):
        values = [True, False]
    elif isinstance(one.base, tuple):
        values = [{"list_of": values}]
    elif one.least is not None:
        values.append({"from": one.least, "to": one.most})
    return {"name": one.name, "values": values, "base": plain_value(one.base)}


def profile_fields(one: Profile) -> dict[str, Any]:
    """The fields that an edition holds for a profile: name, players and options."""
    return {
        "name": one.name,
        "players": list(one.players),
        "players_with_kitty": list(one.players_with_kitty),
        "usual_players": one.usual_players,
        "options": {name: plain_value(value) for name, value in one.options.items()},
    }


def profile_fingerprint(name: str) -> str:
    """The fingerprint of a profile in the current book."""
    return digest_of_value(profile_fields(profile(name)))


# What differs


@attrs.frozen
class EditionDifference:
    """A difference in a member, such as a clause or a profile, between two editions.

    `part` is the key of the member whose value differs or, in a profile, the name of an
    option. It is empty if the newer edition lacks the member, and `markup` if only the
    markup of the text differs.
    """

    kind: str
    name: str
    part: str
    old: Any
    new: Any


def edition_differences(old: Edition, new: Edition) -> list[EditionDifference]:
    """The differences between the members of the old edition and those of the new one.

    Members that the old edition does not have are not compared. An option added since
    then changes an old profile only if its value there is not the base value.
    """
    found: list[EditionDifference] = []
    bases = {name: one["base"] for name, one in new.members["options"].items()}
    for kind in MEMBERS:
        for name, before in old.members[kind].items():
            now = new.members[kind].get(name)
            if now is None:
                found.append(EditionDifference(kind, name, "", before, None))
                continue
            flat, flat_now = _flat(before), _flat(now)
            for part in flat_now:
                flat.setdefault(part, bases.get(part))
            found.extend(
                EditionDifference(kind, name, part, flat[part], flat_now.get(part))
                for part in flat
                if part != "digest" and flat[part] != flat_now.get(part)
            )
    return [_without_markup(one) for one in found]


def _flat(fields: Fields) -> dict[str, Any]:
    return {**fields, **fields.get("options", {}), "options": None}


def _without_markup(one: EditionDifference) -> EditionDifference:
    if one.part == "text" and plain(one.old) == plain(one.new):
        return attrs.evolve(one, part="markup")
    return one
