"""The registry of clauses, derived from the book and from the source of the engine.

`refengine conform registry` writes `refengine/lawbook/registry.json`; with `--check` it
compares instead, and says where the book and the source disagree. The version is that
of the newest entry of `spec/CHANGES.md`, its first heading `## `. The numbers of 1.0.0
are permanent: where `spec/registry-1.0.0.json` exists, every number in it keeps its
title and kind. A withdrawn clause keeps its heading, and has the kind `withdrawn` and
the one sentence `Withdrawn in 1.1.0.`
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs

from refengine.errors import Malformed
from refengine.lawbook import formal, reading
from refengine.lawbook.book import SPEC
from refengine.lawbook.options import BY_NAME, Option, Value
from refengine.lawbook.reading import WITHDRAWN, Passage

PACKAGE: Final = Path(reading.__file__).resolve().parents[1]
JSON: Final = "registry.json"
PERMANENT: Final = "registry-1.0.0.json"
NEEDS_FUNCTION: Final = ("permit", "forbid", "effect")
NEEDS_BITES: Final = ("define", "unspecified")

_VERSION: Final = re.compile(r"^## ([0-9]+\.[0-9]+\.[0-9]+)\b", re.MULTILINE)
_SOURCE: Final = re.compile(r"^\| ([a-z][a-z0-9-]*) \| ", re.MULTILINE)
_OPTION_CLAUSE: Final = "0.4"
_GONE: Final = re.compile(r"Withdrawn in [0-9]+\.[0-9]+\.[0-9]+\.")
_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@attrs.frozen
class ClauseClaim:
    """A function, method, class or module, and the clauses that its docstring names."""

    function: str
    clauses: tuple[str, ...]


@attrs.frozen
class Evidence:
    """Everything that the registry is derived from and checked against.

    `unreadable` says what could not be read; `permanent` are the entries that must not
    change: none before the first edition.
    """

    version: str
    passages: tuple[Passage, ...]
    claims: tuple[ClauseClaim, ...]
    sources: tuple[str, ...]
    permanent: tuple[dict[str, Any], ...]
    unreadable: tuple[str, ...]


def gather_evidence(spec: Path, package: Path) -> Evidence:
    """The evidence in the folder of the book and the folder of the package.

    Raises Malformed if the book itself cannot be read.
    """
    claims: list[ClauseClaim] = []
    unreadable: list[str] = []
    # A module is named by its stem, which is unique, so that what is recorded about its
    # functions stays with them when it moves.
    for path in sorted(package.rglob("*.py"), key=lambda path: path.stem):
        module = path.stem
        try:
            for name, docstring in _docstrings(path.read_text("utf-8"), module):
                try:
                    named = reading.claims(docstring)
                except Malformed as fault:
                    unreadable.append(f"{name}: {fault}")
                else:
                    claims.extend([ClauseClaim(name, named)] if named else [])
        except SyntaxError as fault:
            unreadable.append(f"{module}: line {fault.lineno} is not Python")
    permanent = spec / PERMANENT
    return Evidence(
        version=version_of((spec / "CHANGES.md").read_text("utf-8")),
        passages=reading.read_book(spec),
        claims=tuple(claims),
        sources=tuple(_source_ids((spec / "sources.md").read_text("utf-8"))),
        permanent=tuple(_entries(permanent)) if permanent.is_file() else (),
        unreadable=tuple(unreadable),
    )


def version_of(changes: str) -> str:
    """The version of the book: that of the newest entry of the bulletin.

    Raises Malformed if it has no entry.
    """
    found = _VERSION.search(changes)
    if found is None:
        raise Malformed("no entry", "## 1.0.0 (2026-11-21)", "CHANGES.md")
    return found[1]


def _source_ids(sources: str) -> list[str]:
    return [name for name in _SOURCE.findall(sources) if name != "id"]


def _entries(path: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["clauses"]
    return entries


def _docstrings(source: str, module: str) -> Iterator[tuple[str, str]]:
    """Everything that has a docstring, in source order, with that docstring."""
    yield from _documented(module, ast.parse(source))


def _documented(name: str, node: ast.Module | _Definition) -> Iterator[tuple[str, str]]:
    docstring = ast.get_docstring(node)
    if docstring:
        yield name, docstring
    for child in _definitions(node):
        yield from _documented(f"{name}.{child.name}", child)


def _definitions(node: ast.AST) -> Iterator[_Definition]:
    """The definitions directly under this one, including those within an `if`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Definition):
            yield child
        else:
            yield from _definitions(child)


def derive_registry(evidence: Evidence) -> dict[str, Any]:
    """The registry: version, and for each clause the fields of `refengine.Clause`."""
    claimed: dict[str, list[str]] = {}
    for claim in evidence.claims:
        for number in claim.clauses:
            claimed.setdefault(number, []).append(claim.function)
    return {
        "version": evidence.version,
        "clauses": [
            _entry(passage, claimed.get(passage.number, []))
            for passage in evidence.passages
        ],
    }


def _entry(passage: Passage, functions: list[str]) -> dict[str, Any]:
    return {
        "number": passage.number,
        "title": passage.title,
        "kind": passage.kind,
        "options": list(passage.options),
        "sources": list(passage.sources),
        "fingerprint": passage.fingerprint,
        "text": passage.text,
        "formal": list(passage.formal),
        "ruling": passage.ruling,
        "bites": list(passage.bites),
        "functions": functions,
        "examples": len(passage.examples),
    }


def registry_text(registry: dict[str, Any]) -> str:
    """The registry as its file has it."""
    return json.dumps(registry, ensure_ascii=False, indent=2) + "\n"


def find_disagreements(evidence: Evidence) -> list[str]:
    """Where book, source and first edition disagree, a line each."""
    return [
        *evidence.unreadable,
        *_claim_problems(evidence),
        *_reference_problems(evidence),
        *_option_problems(evidence),
        *_source_problems(evidence),
        *_permanence_problems(evidence),
    ]


def _claim_problems(evidence: Evidence) -> Iterator[str]:
    """Clauses without function or bites, and claims that the book does not support."""
    kinds = {passage.number: passage.kind for passage in evidence.passages}
    claimed = {number for claim in evidence.claims for number in claim.clauses}
    for claim in evidence.claims:
        for number in claim.clauses:
            if number not in kinds:
                yield f"{claim.function} claims {number}, which the book does not have"
            elif kinds[number] == WITHDRAWN:
                yield f"{claim.function} claims {number}, which is withdrawn"
    for passage in evidence.passages:
        clause = f"{passage.number} {passage.title} ({passage.kind})"
        if passage.kind in NEEDS_FUNCTION and passage.number not in claimed:
            yield f"{clause}: no function claims it"
        if passage.kind in NEEDS_BITES and not passage.bites:
            yield f"{clause}: it does not say where it bites"
        if passage.kind not in NEEDS_BITES and passage.bites:
            yield f"{clause}: it says where it bites, as only a definition does"


def _reference_problems(evidence: Evidence) -> Iterator[str]:
    """Numbers named by a clause that lead nowhere."""
    kinds = {passage.number: passage.kind for passage in evidence.passages}
    for passage in evidence.passages:
        for number in dict.fromkeys(passage.mentions):
            if number not in kinds:
                yield f"{passage.number} refers to {number}, which does not exist"
            elif kinds[number] == WITHDRAWN:
                yield f"{passage.number} refers to {number}, which is withdrawn"


def _option_problems(evidence: Evidence) -> Iterator[str]:
    """Options that are named but missing, there but unread, or read but unnamed."""
    read = {name for passage in evidence.passages for name in passage.options}
    yield from (
        f"option {name}: no clause reads it" for name in BY_NAME if name not in read
    )
    for passage in evidence.passages:
        for name in passage.options:
            if name not in BY_NAME:
                yield f"{passage.number} names the option {name}, which does not exist"
        for line in passage.formal:
            yield from _formal_problems(passage, line)
        yield from _table_problems(passage, evidence)


def _formal_problems(passage: Passage, line: str) -> Iterator[str]:
    """What is wrong with a formal line in itself."""
    try:
        named = formal.parse_formal_line(line).options
    except Malformed as fault:
        yield f"{passage.number} has a formal line that cannot be read: {fault}"
        return
    for name in named:
        if name not in passage.options:
            yield f"{passage.number} reads {name} in a formal line, not in its list"


def _table_problems(passage: Passage, evidence: Evidence) -> Iterator[str]:
    """Where the table of options differs from the options and the lists of clauses."""
    if passage.number != _OPTION_CLAUSE:
        return
    table = {row[0]: row[1:] for table in passage.tables for row in table.rows}
    rows = {name: cells[-1] for name, cells in table.items()}
    for name in sorted(BY_NAME.keys() ^ rows.keys()):
        yield f"option {name}: not both in the table of 0.4 and in the engine"
    for name in BY_NAME.keys() & table.keys():
        values, base = table[name][0], table[name][1]
        if values_in_table(values) != values_of_option(BY_NAME[name]):
            yield f"option {name}: 0.4 gives the values {values}, the engine others"
        if base_in_table(base) != BY_NAME[name].base:
            yield f"option {name}: 0.4 gives the base value {base}, the engine another"
    lists = {other.number: other.options for other in evidence.passages}
    for name, cell in rows.items():
        for number in reading.mentions(cell):
            if name not in lists.get(number, (name,)):
                yield f"0.4 says that {number} reads {name}, its list does not"


def values_in_table(cell: str) -> set[str]:
    """The words and the ranges of numbers in a cell of the table of options."""
    parts = cell.replace('"', "").replace("−", "-").removeprefix("a list of ")
    return {part for part in parts.split(", ") if not part.startswith("read ")}


def values_of_option(option: Option) -> set[str]:
    """What the table of options should say of an option of the engine."""
    if isinstance(option.base, bool):
        return {"true", "false"}
    numbers = [] if option.least is None else [f"{option.least} to {option.most}"]
    return {*option.words, *numbers}


def base_in_table(cell: str) -> Value:
    """The base value that a cell of the table of options names."""
    text = cell.replace('"', "").replace("−", "-")
    if text in ("true", "false"):
        return text == "true"
    if text == "the empty list":
        return ()
    return int(text) if text.lstrip("-").isdigit() else text


def _source_problems(evidence: Evidence) -> Iterator[str]:
    """Sources that are named and not listed, or listed and never named."""
    named = {name for passage in evidence.passages for name in passage.sources}
    yield from (
        f"source {name}: no clause names it"
        for name in evidence.sources
        if name not in named
    )
    for passage in evidence.passages:
        for name in passage.sources:
            if name not in evidence.sources:
                yield f"{passage.number} names the source {name}, not in sources.md"


def _permanence_problems(evidence: Evidence) -> Iterator[str]:
    """Numbers of the first edition that are gone, or now mean something else."""
    now = {passage.number: passage for passage in evidence.passages}
    for passage in evidence.passages:
        if passage.kind == WITHDRAWN and not _GONE.fullmatch(passage.text):
            yield f'{passage.number} is withdrawn: its text is "Withdrawn in 1.1.0."'
    for entry in evidence.permanent:
        number, title, kind = entry["number"], entry["title"], entry["kind"]
        if number not in now:
            yield f"{number} {title}: the number is gone, and numbers are permanent"
        elif now[number].title != title:
            yield f"{number} {title}: the number now is {now[number].title!r}"
        elif now[number].kind not in (kind, WITHDRAWN):
            yield f"{number} {title}: of kind {kind}, now {now[number].kind}"


def outdated_lines(evidence: Evidence, committed: str) -> list[str]:
    """Where the committed registry differs from what it should be, a line each."""
    registry = derive_registry(evidence)
    if committed == registry_text(registry):
        return []
    try:
        old = {entry["number"]: entry for entry in json.loads(committed)["clauses"]}
    except (ValueError, KeyError, TypeError):
        return [f"{JSON} cannot be read"]
    new = {entry["number"]: entry for entry in registry["clauses"]}
    lines = [
        f"{JSON}: {number} differs from the book or the source"
        for number in sorted(old.keys() | new.keys())
        if old.get(number) != new.get(number)
    ]
    return lines or [f"{JSON}: differs in version, order or layout"]


def main(
    arguments: list[str] | None = None, spec: Path = SPEC, package: Path = PACKAGE
) -> int:
    """Write or check the registry, and return the exit status: 1 if a check fails."""
    parser = argparse.ArgumentParser(prog="refengine conform registry")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args(arguments).check
    path = package / "lawbook" / JSON
    try:
        evidence = gather_evidence(spec, package)
    except Malformed as fault:
        print(fault, file=sys.stderr)
        return 1
    found = find_disagreements(evidence)
    if check:
        found += outdated_lines(
            evidence, path.read_text("utf-8") if path.is_file() else ""
        )
    else:
        path.write_text(registry_text(derive_registry(evidence)), "utf-8")
    count = f"{len(evidence.passages)} clauses, {len(found)} problems"
    print("\n".join([*found, count]))
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
