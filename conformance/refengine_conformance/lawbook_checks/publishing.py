"""Writes an edition ready for publication, or lists what the bulletin lacks.

`refengine conform edition 1.1.0` writes `spec/editions/1.1.0.json` from the current
book. The edition is published once a person has put the line that the command prints
into EDITIONS of `refengine/lawbook/editions.py`. `--missing` prints the entries that
`spec/changes.toml` still needs, with their reasons left blank.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.lawbook import editions
from refengine.lawbook.book import SPEC
from refengine.lawbook.bulletin import PROSE, TEXT
from refengine.lawbook.editions import EditionDifference, edition_text
from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.lawbook_checks.frozen import (
    in_words,
    missing_entries,
    not_listed,
    version_problems,
)
from refengine_conformance.lawbook_checks.registry import (
    PACKAGE,
    Evidence,
    find_disagreements,
    gather_evidence,
)

_DATED: Final = r"^## {version} \((\d\d\d\d-\d\d-\d\d)\)$"


def written_edition(version: str, evidence: Evidence, changes: str) -> str:
    """The text of the edition with this version, made from the current book.

    Raises Malformed if the edition is already published, if the book has a different
    version or no date for this one, or if a check of the book fails.
    """
    if version in editions.EDITIONS:
        raise Malformed(f"edition {version}, which is published", "a later version")
    dated = re.search(_DATED.format(version=re.escape(version)), changes, re.MULTILINE)
    if version != evidence.version or dated is None:
        allowed = f"{evidence.version} with its day, the newest entry of spec/{PROSE}"
        raise Malformed(f"version {version}", allowed)
    # An earlier run may have written the file, which is not among the EDITIONS yet.
    new_file = not_listed(f"{version}.json")
    for line in find_disagreements(evidence):
        if line != new_file:
            raise Malformed(line, "a book that `refengine conform registry` passes")
    return edition_text(attrs.evolve(evidence.today, date=dated[1]))


def missing_text(evidence: Evidence) -> str:
    """The missing entries of `spec/changes.toml`, with their reasons left blank.

    If an edition cannot be read, or if the book needs another version number, the text
    says so instead.
    """
    newest = evidence.published[-1:]
    wrong = evidence.lost_editions or tuple(
        line for one in newest for line in version_problems(one, evidence.today)
    )
    if wrong:
        return "\n".join(wrong)
    found = missing_entries(evidence.published, evidence.today, evidence.entries)
    return "\n".join(
        line for one in found for line in _entry_lines(one, evidence.version)
    )


def _entry_lines(found: EditionDifference, version: str) -> Iterator[str]:
    """The lines of an entry for a difference, in TOML.

    If something was removed, which cannot have an entry, there is only a comment.
    """
    if found.new is None:
        member = in_words(found.kind, found.name)
        gone = f"{found.part} of {found.name}" if found.part else member
        yield f"# {gone} is gone, but what an edition has must stay"
        yield ""
        return
    yield "[[change]]"
    yield f'version = "{version}"'
    yield f'{found.kind} = ["{found.name}"]'
    if found.part == TEXT:
        yield from (f"# - {line}" for line in str(found.old).splitlines())
        yield from (f"# + {line}" for line in str(found.new).splitlines())
    else:
        yield f'part = "{found.part}"'
        yield f"old = {_toml(found.old)}"
        yield f"new = {_toml(found.new)}"
    yield 'of = ""'
    yield 'why = ""'
    yield ""


def _toml(value: object) -> str:
    if isinstance(value, dict):
        pairs = ", ".join(f"{key} = {_toml(one)}" for key, one in value.items())
        return f"{{{pairs}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    text = str(value)
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def main(arguments: list[str] | None = None, spec: Path = SPEC) -> int:
    """Write an edition, or print the missing entries; return the exit status.

    It is 1 if entries are missing, and 3 if the book cannot be read or the edition
    cannot be made from it.
    """
    parser = ToolArguments(prog="refengine conform edition")
    parser.add_argument("version", nargs="?", help="the version to be published")
    parser.add_argument(
        "--missing",
        action="store_true",
        help="print the entries that spec/changes.toml lacks",
    )
    chosen = parser.parse_args(arguments)
    if (chosen.version is None) != chosen.missing:
        parser.error("either a version or --missing")
    try:
        evidence = gather_evidence(spec, PACKAGE)
        if chosen.missing:
            lacking = missing_text(evidence)
            print(lacking or f"spec: every change in {evidence.version} has its entry")
            return 1 if lacking else 0
        changes = (spec / PROSE).read_text("utf-8")
        text = written_edition(chosen.version, evidence, changes)
    except Malformed as fault:
        print(fault, file=sys.stderr)
        return 3
    path = spec / editions.FOLDER / f"{chosen.version}.json"
    path.write_text(text, "utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()
    print(
        f"wrote spec/{editions.FOLDER}/{path.name}; it is published with this line in"
    )
    print("EDITIONS of refengine/lawbook/editions.py, put there by hand:")
    print(f'    "{chosen.version}": "{digest}",')
    return 0


if __name__ == "__main__":
    sys.exit(main())
