"""Derives the registry of clauses from the book and from the source of the engine.

`refengine conform registry` writes `refengine/lawbook/registry.json`, the rows that the
table of options in 0.4 lacks, and the class of the settings; with `--check` it writes
nothing and compares instead. Either way, it reports where the book and the source
disagree. The version is that of the newest entry in `spec/CHANGES.md`, the one under
the first `## ` heading. What the published editions say must not change; see `frozen`.
A withdrawn clause keeps its heading, and has the kind `withdrawn` and a single
sentence, such as `Withdrawn in 1.1.0.` A clause of kind `procedure` is about people: no
function claims it, and it does not say where it bites.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs

from refengine.errors import Malformed
from refengine.lawbook import editions, formal, reading
from refengine.lawbook.book import SPEC, Clause
from refengine.lawbook.bulletin import (
    PROSE,
    BulletinEntry,
    bulletin_versions,
    read_bulletin,
)
from refengine.lawbook.editions import Edition, edition_of
from refengine.lawbook.options import BY_NAME, Option, Value
from refengine.lawbook.profiles import Profile, profile_of_toml
from refengine.lawbook.reading import PROCEDURE, UNSPECIFIED, WITHDRAWN, Passage
from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.lawbook_checks import option_table, settings_class
from refengine_conformance.lawbook_checks.frozen import frozen_problems, read_editions

PACKAGE: Final = Path(reading.__file__).resolve().parents[1]
JSON: Final = "registry.json"
NEEDS_FUNCTION: Final = ("permit", "forbid", "effect")
DEFINES: Final = "define"
NEEDS_BITES: Final = (DEFINES, UNSPECIFIED)
NAMES_CLAUSES: Final = frozenset({"chapters", "machine", "game"})
"""The rooms that say which clauses an act or the beginning of a game breaks."""

_SOURCE: Final = re.compile(r"^\| ([a-z][a-z0-9-]*) \| ", re.MULTILINE)
_OPTION_CLAUSE: Final = "0.4"
_GONE: Final = re.compile(r"Withdrawn in [0-9]+\.[0-9]+\.[0-9]+\.")
_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@attrs.frozen
class ClauseClaim:
    """A function, method, class or module, and the clauses named in its docstring."""

    function: str
    clauses: tuple[str, ...]


@attrs.frozen
class Evidence:
    """Everything that the registry is made from and checked against.

    `headings` are the versions of the bulletin's prose, the newest first; `entries` are
    its data. `published` holds the editions, the oldest first. `unreadable` says what
    could not be read. `named` pairs each module that names a clause in a refusal with
    the number of the clause.
    """

    headings: tuple[str, ...]
    passages: tuple[Passage, ...]
    profiles: tuple[Profile, ...]
    claims: tuple[ClauseClaim, ...]
    sources: tuple[str, ...]
    entries: tuple[BulletinEntry, ...]
    published: tuple[Edition, ...]
    unreadable: tuple[str, ...]
    named: tuple[tuple[str, str], ...]

    @property
    def version(self) -> str:
        """The version of the book: that of the newest entry of the bulletin."""
        return self.headings[0]

    @property
    def today(self) -> Edition:
        """The current book as an edition, which contains what is binding in it."""
        return edition_of(self.version, "", self.passages, self.profiles)

    @property
    def lost_editions(self) -> tuple[str, ...]:
        """A message about each published edition that could not be read."""
        files = tuple(
            f"spec/{editions.FOLDER}/{one}.json: " for one in editions.EDITIONS
        )
        return tuple(line for line in self.unreadable if line.startswith(files))


def gather_evidence(spec: Path, package: Path) -> Evidence:
    """Read all evidence from the folder of the book and that of the package.

    Raises Malformed if the book itself, which includes the profiles, cannot be read.
    """
    source = _read_source(package)
    published, wrong = read_editions(spec)
    profiles = sorted((spec / "profiles").glob("*.toml"))
    return Evidence(
        headings=versions_of((spec / PROSE).read_text("utf-8")),
        passages=reading.read_book(spec),
        profiles=tuple(map(_profile_in, profiles)),
        claims=tuple(source.claims),
        sources=_source_ids((spec / "sources.md").read_text("utf-8")),
        entries=read_bulletin(spec),
        published=published,
        unreadable=(*source.unreadable, *wrong),
        named=tuple(source.named),
    )


def _profile_in(path: Path) -> Profile:
    """Read a profile from a file.

    Raises Malformed, with the name of the file, if the file does not hold a profile.
    """
    try:
        return profile_of_toml(path.read_text("utf-8"))
    except Malformed as fault:
        raise fault.in_file(path.name) from None


@attrs.define
class _Source:
    """The evidence from the modules of the package; see the same fields of Evidence."""

    claims: list[ClauseClaim] = attrs.Factory(list)
    unreadable: list[str] = attrs.Factory(list)
    named: list[tuple[str, str]] = attrs.Factory(list)


def _read_source(package: Path) -> _Source:
    """Read the evidence in the package's modules, in the order of their names."""
    source = _Source()
    # A module is named by its stem, which is unique, so that what is recorded about its
    # functions stays with them when the module moves.
    for path in sorted(package.rglob("*.py"), key=lambda path: path.stem):
        module = path.stem
        try:
            tree = ast.parse(path.read_text("utf-8"))
        except SyntaxError as fault:
            source.unreadable.append(f"{module}: line {fault.lineno} is not Python")
            continue
        for name, docstring in _documented(module, tree):
            try:
                claimed = reading.claims(docstring)
            except Malformed as fault:
                source.unreadable.append(f"{name}: {fault}")
                continue
            if claimed:
                source.claims.append(ClauseClaim(name, claimed))
        if path.relative_to(package).parts[0] in NAMES_CLAUSES:
            source.named.extend((module, number) for number in _numbers_in(tree))
    return source


def versions_of(changes: str) -> tuple[str, ...]:
    """The versions of the entries of the bulletin, the newest first.

    Raises Malformed if there is none.
    """
    found = bulletin_versions(changes)
    if not found:
        raise Malformed("no entry", "## 1.0.0 (2026-11-21)", PROSE)
    return found


def _source_ids(sources: str) -> tuple[str, ...]:
    """The ids in the tables of `sources.md`, without the heading `id` itself."""
    return tuple(name for name in _SOURCE.findall(sources) if name != "id")


def _numbers_in(tree: ast.Module) -> Iterator[str]:
    """The strings in the source that consist only of a clause number."""
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and reading.is_number(text):
            yield text


def _documented(name: str, node: ast.Module | _Definition) -> Iterator[tuple[str, str]]:
    """The name and docstring of everything that has a docstring, in source order."""
    docstring = ast.get_docstring(node)
    if docstring:
        yield name, docstring
    for child in _definitions(node):
        yield from _documented(f"{name}.{child.name}", child)


def _definitions(node: ast.AST) -> Iterator[_Definition]:
    """The functions and classes directly under this node, also within an `if`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Definition):
            yield child
        else:
            yield from _definitions(child)


def derive_registry(evidence: Evidence) -> dict[str, Any]:
    """The registry: the book's version, and for each clause the fields of `Clause`."""
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
    """The fields of a clause, copied from its passage except for two.

    The two are the names of its functions and the number of its examples.
    """
    made = {"functions": functions, "examples": len(passage.examples)}
    names = [field.name for field in attrs.fields(Clause)]
    return {
        name: made[name] if name in made else getattr(passage, name) for name in names
    }


def registry_text(registry: dict[str, Any]) -> str:
    """The text of the registry's file: its JSON, indented, with a final line break."""
    return json.dumps(registry, ensure_ascii=False, indent=2) + "\n"


def find_disagreements(evidence: Evidence) -> list[str]:
    """A line about each disagreement among book, source, editions and bulletin.

    If an edition cannot be read, the book is not compared with the editions.
    """
    found = [
        *evidence.unreadable,
        *_claim_problems(evidence),
        *_reference_problems(evidence),
        *_part_problems(evidence),
        *_option_problems(evidence),
        *_source_problems(evidence),
        *_withdrawal_problems(evidence),
    ]
    if not evidence.lost_editions:
        found += frozen_problems(
            evidence.published, evidence.today, evidence.entries, evidence.headings
        )
    return found


def _claim_problems(evidence: Evidence) -> Iterator[str]:
    """Faults in the claims of functions, and in the notes on where clauses bite."""
    kinds = {passage.number: passage.kind for passage in evidence.passages}
    claimed = {number for claim in evidence.claims for number in claim.clauses}
    for claim in evidence.claims:
        for number in claim.clauses:
            if number not in kinds:
                yield f"{claim.function} claims {number}, which the book does not have"
            elif kinds[number] == WITHDRAWN:
                yield f"{claim.function} claims {number}, which is withdrawn"
            elif kinds[number] == PROCEDURE:
                yield f"{claim.function} claims {number}, which people follow"
    for passage in evidence.passages:
        clause = f"{passage.number} {passage.title} ({passage.kind})"
        if passage.kind in NEEDS_FUNCTION and passage.number not in claimed:
            yield f"{clause}: no function claims it"
        if passage.kind in NEEDS_BITES and not passage.bites:
            yield f"{clause}: it does not say where it bites"
        if passage.kind not in NEEDS_BITES and passage.bites:
            may = "a definition or what is left open"
            yield f"{clause}: it says where it bites, as only {may} does"


def _reference_problems(evidence: Evidence) -> Iterator[str]:
    """References to clauses that do not exist or are withdrawn.

    They may be in other clauses, or in refusals in the source.
    """
    kinds = {passage.number: passage.kind for passage in evidence.passages}
    for passage in evidence.passages:
        for number in dict.fromkeys(passage.mentions):
            if number not in kinds:
                yield f"{passage.number} refers to {number}, which does not exist"
            elif kinds[number] == WITHDRAWN:
                yield f"{passage.number} refers to {number}, which is withdrawn"
    for name, number in dict.fromkeys(evidence.named):
        if number not in kinds:
            yield f"{name} names {number}, which the book does not have"
        elif kinds[number] == WITHDRAWN:
            yield f"{name} names {number}, which is withdrawn"


def _part_problems(evidence: Evidence) -> Iterator[str]:
    """Faults in parts of clauses, and places in the source that name a whole clause.

    A clause that has parts is to be named only by its parts.
    """
    by_number = {passage.number: passage for passage in evidence.passages}
    for passage in evidence.passages:
        parent = by_number.get(passage.part_of)
        if parent is None:
            continue  # it is not a part, or its parent is among the reference problems
        said = f"{passage.number} is a part of {parent.number}, which"
        if parent.part_of:
            yield f"{said} is itself a part of {parent.part_of}"
        if parent.kind not in (DEFINES, WITHDRAWN):  # nobody names the latter
            yield f"{said} is of kind {parent.kind} and can be named itself"
        if passage.number not in reading.mentions(parent.text):
            yield f"{said} does not name it"
    parents = {passage.part_of for passage in evidence.passages if passage.part_of}
    for name, number in evidence.named:
        if number in parents:
            yield f"{name} names {number}, which is named by its parts alone"


def _option_problems(evidence: Evidence) -> Iterator[str]:
    """Faults in the book's options, formal lines and table of options.

    An option may be named but not exist, exist but be read by no clause, or be read by
    a clause that does not name it.
    """
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
        if passage.number == _OPTION_CLAUSE:
            yield from _table_problems(passage, evidence)


def _formal_problems(passage: Passage, line: str) -> Iterator[str]:
    """What is wrong with a formal line, or with the options that it reads."""
    try:
        named = formal.parse_formal_line(line).options
    except Malformed as fault:
        yield f"{passage.number} has a formal line that cannot be read: {fault}"
        return
    for name in named:
        if name not in passage.options:
            yield f"{passage.number} reads {name} in a formal line, not in its list"


def _table_problems(passage: Passage, evidence: Evidence) -> Iterator[str]:
    """Where the table of options in this passage disagrees with engine or clauses."""
    written = [row for table in passage.tables for row in table.rows]
    rows = {name: cells for name, *cells in written}
    for name, times in Counter(name for name, *_ in written).items():
        if times > 1:
            yield f"option {name}: {times} rows in the table of 0.4"
    for name in sorted(BY_NAME.keys() ^ rows.keys()):
        yield f"option {name}: not both in the table of 0.4 and in the engine"
    for name in sorted(BY_NAME.keys() & rows.keys()):
        (values, base, _), option = rows[name], BY_NAME[name]
        if values_in_table(values) != values_of_option(option):
            yield f"option {name}: 0.4 gives the values {values}, the engine others"
        written_base = base_in_table(base)
        # With the types, since for Python true is the same as 1.
        if (type(written_base), written_base) != (type(option.base), option.base):
            yield f"option {name}: 0.4 gives the base value {base}, the engine another"
    lists = {other.number: other.options for other in evidence.passages}
    for name, (_, _, main_clauses) in rows.items():
        for number in reading.mentions(main_clauses):
            if number in lists and name not in lists[number]:
                yield f"0.4 says that {number} reads {name}, its list does not"


def values_in_table(cell: str) -> set[str]:
    """The words and the ranges of numbers in a cell of the table of options.

    Notes in the cell on where the option is read are left out.
    """
    typed = _as_typed(cell).removeprefix("a list of ")
    return {part for part in typed.split(", ") if not part.startswith("read ")}


def _as_typed(cell: str) -> str:
    """The text of a cell without quotation marks and with plain minus signs."""
    return cell.replace('"', "").replace("−", "-")


def values_of_option(option: Option) -> set[str]:
    """The values of an option as the table of options should list them."""
    if isinstance(option.base, bool):
        return {"true", "false"}
    numbers = [] if option.least is None else [f"{option.least} to {option.most}"]
    return {*option.words, *numbers}


def base_in_table(cell: str) -> Value:
    """The base value given in a cell of the table of options."""
    text = _as_typed(cell)
    if text in ("true", "false"):
        return text == "true"
    if text == "the empty list":
        return ()
    return int(text) if text.lstrip("-").isdigit() else text


def _source_problems(evidence: Evidence) -> Iterator[str]:
    """Sources that are named but not listed, or listed but never named."""
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


def _withdrawal_problems(evidence: Evidence) -> Iterator[str]:
    """Withdrawn clauses that do not say when they were withdrawn."""
    for passage in evidence.passages:
        if passage.kind == WITHDRAWN and not _GONE.fullmatch(passage.text):
            said = 'its text must say since when, as "Withdrawn in 1.1.0."'
            yield f"{passage.number} is withdrawn: {said}"


def outdated_lines(evidence: Evidence, committed: str) -> list[str]:
    """The differences between the committed registry and the derived one, as lines."""
    derived = registry_text(derive_registry(evidence))
    if committed == derived:
        return []
    try:
        old = _entries_by_number(committed)
    except (ValueError, KeyError, TypeError):
        return [f"{JSON} cannot be read"]
    new = _entries_by_number(derived)
    lines = [
        f"{JSON}: {number} differs from the book or the source"
        for number in {**new, **old}
        if old.get(number) != new.get(number)
    ]
    return lines or [f"{JSON}: differs in version, order or layout"]


def _entries_by_number(text: str) -> dict[str, Any]:
    """The clauses in a registry's text, by number.

    Raises ValueError, KeyError or TypeError if the text is not a registry.
    """
    return {entry["number"]: entry for entry in json.loads(text)["clauses"]}


def _add_option_rows(spec: Path, evidence: Evidence) -> bool:
    """Add a row to the table of 0.4 for each option that has none.

    Returns whether the table was changed.
    """
    path = spec / option_table.FILE
    text = path.read_text("utf-8")
    whole = option_table.with_all_options(text, BY_NAME.values(), evidence.passages)
    if whole == text:
        return False
    path.write_text(whole, "utf-8")
    return True


def _settings_as_lowered(package: Path) -> str:
    """The source that the settings' module should have; see `settings_class`."""
    text, options = (
        (package / name).read_text("utf-8")
        for name in (settings_class.SETTINGS, settings_class.OPTIONS)
    )
    return settings_class.with_all_settings(text, options)


def main(
    arguments: list[str] | None = None, spec: Path = SPEC, package: Path = PACKAGE
) -> int:
    """Write or check the registry, and return the exit status.

    The status is 1 if the check finds a problem or the book cannot be read, else 0.
    """
    parser = ToolArguments(prog="refengine conform registry")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args(arguments).check
    path = package / "lawbook" / JSON
    try:
        evidence = gather_evidence(spec, package)
        if not check and _add_option_rows(spec, evidence):
            evidence = gather_evidence(spec, package)
    except Malformed as fault:
        print(fault, file=sys.stderr)
        return 1
    found = find_disagreements(evidence)
    settings = package / settings_class.SETTINGS
    made = _settings_as_lowered(package)
    if check:
        found += outdated_lines(
            evidence, path.read_text("utf-8") if path.is_file() else ""
        )
        if settings.read_text("utf-8") != made:
            found.append(f"{settings_class.SETTINGS}: Rules is not what lowered gives")
    else:
        path.write_text(registry_text(derive_registry(evidence)), "utf-8")
        settings.write_text(made, "utf-8")
    count = f"{len(evidence.passages)} clauses, {len(found)} problems"
    print("\n".join([*found, count]))
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
