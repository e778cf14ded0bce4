"""The matrix: one row for each clause, with all that is known about its strength.

Everything in it is derived: text and code from the registry; the lines in which the
clause fires and those that need it from the index of the corpus; witnesses from its
lines; mutants, theorems, pairs and second opinions from `strength.json`.

A clause is

- `strong` if at least three lines of the corpus fail without it, its mutants were
  measured and none is a gap, and, for a clause that forbids, a line names it for a
  refused act and accepts another act of that kind;
- `covered` if at least one line fails without it and none of its mutants is a gap;
- `reasoned` if it cannot be judged by a line, for a written reason;
- `weak` otherwise.

A clause of procedure says what people at a table do. No act of a game can show it, so
it is counted apart, under `procedure`, and nothing is asked of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs
from msgspec import json

from refengine.lawbook import book
from refengine.lawbook.reading import PROCEDURE
from refengine_conformance.data import data
from refengine_conformance.mutants import source_edits
from refengine_conformance.strength.arguments import reasons_of_clauses
from refengine_conformance.strength.scores import Score

FILE: Final = data("matrix.json")
DEEP: Final = data("deep.json")
CLASSES: Final = ("weak", "covered", "reasoned", "strong")  # from the worst
ENOUGH: Final = 3
_JUDGED: Final = ("permit", "forbid", "effect")
_PAGES: Final = "../refengine/"


@attrs.frozen
class Counts:
    """How many lines a clause fires in, and how many fail without it."""

    fires: int = 0
    necessary: int = 0


@attrs.frozen
class Row:
    """A clause of the book, and how strong the evidence for it is.

    `code` lists functions with file and line, and `necessary` ids of lines. `refused`
    is a line in which the clause is named, and `accepted` one that also accepts an act
    of that kind. `meets` are the clauses met at one decision, `never` those that it
    cannot meet.
    """

    number: str
    title: str
    kind: str
    fingerprint: str
    code: tuple[str, ...]
    fires: int
    necessary: tuple[str, ...]
    profiles: Mapping[str, Counts]
    refused: str
    accepted: str
    mutants: Score
    meets: tuple[str, ...]
    never: tuple[str, ...]
    theorems: tuple[str, ...]
    opinion: str
    level: str
    reason: str

    def fields(self) -> dict[str, Any]:
        """The row as plain JSON values."""
        return attrs.asdict(self)


# What the rows are made from


@cache
def source_places() -> dict[str, str]:
    """For each module, class and function of refengine, its file and line."""
    found: dict[str, str] = {}
    for module in source_edits.module_names():
        found[module] = source_edits.file_of_module(module)
        _note(module, module, source_edits.tree_of_module(module).body, found)
    return found


def _note(
    module: str, scope: str, body: Sequence[ast.stmt], found: dict[str, str]
) -> None:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{scope}.{node.name}"
            found[name] = f"{source_edits.file_of_module(module)}:{node.lineno}"
            if isinstance(node, ast.ClassDef):
                _note(module, name, node.body, found)


@attrs.define
class Seen:
    """What the lines of the corpus show of one clause."""

    fires: int = 0
    necessary: list[str] = attrs.field(factory=list)
    profiles: dict[str, list[int]] = attrs.field(factory=dict)
    refused: str = ""
    accepted: str = ""


def corpus_evidence() -> dict[str, Seen]:
    """What the corpus shows, clause by clause."""
    found = {number: Seen() for number in book.clauses()}
    files: dict[str, list[bytes]] = {}
    for text in (source_edits.CORPUS / "index.jsonl").read_bytes().splitlines():
        entry = json.decode(text)
        for kind in ("fires", "necessary"):
            for number in entry[kind]:
                counts = found[number].profiles.setdefault(entry["profile"], [0, 0])
                counts[kind == "necessary"] += 1
        for number in entry["fires"]:
            found[number].fires += 1
        for number in entry["necessary"]:
            found[number].necessary.append(entry["id"])
        if entry["file"] not in files:
            path = source_edits.CORPUS / entry["file"]
            files[entry["file"]] = path.read_bytes().splitlines()
        if entry["id"].startswith("t-"):
            _witnessed(json.decode(files[entry["file"]][entry["line"] - 1]), found)
    return found


def _witnessed(trace: Mapping[str, Any], found: Mapping[str, Seen]) -> None:
    """Note the clauses that a trace names, and if such an act is legal in it too."""
    legal = {_kind(step["act"]) for step in trace["steps"] if not step.get("breaks")}
    for step in trace["steps"]:
        probes = [*step.get("refuse", ()), *step.get("irregular", ())]
        for probe in [*probes, {"act": step["act"], "clauses": step.get("breaks", ())}]:
            for number in probe["clauses"]:
                one = found[number]
                one.refused = one.refused or trace["id"]
                if _kind(probe["act"]) in legal:
                    one.accepted = one.accepted or trace["id"]


def _kind(act: Mapping[str, Any]) -> str:
    (kind,) = act
    return kind


@cache
def reasons_not_judged() -> dict[str, str]:
    """The clauses that no line can judge, and why."""
    found = reasons_of_clauses()
    for clause in book.clauses().values():
        if clause.kind not in _JUDGED:
            found.setdefault(clause.number, _of_definition(clause))
    return found


def _of_definition(clause: book.Clause) -> str:
    if clause.kind == PROCEDURE:
        return "People at a table do it; no act of a game is judged by it."
    if clause.bites:
        through = ", ".join(clause.bites)
        return f"It says what a word means; it decides through {through}."
    return "It leaves something to the table, so no game is judged by it."


# The rows


def matrix_rows(found: Mapping[str, Any]) -> tuple[Row, ...]:
    """The rows, in the order of the book, from a document of `strength.scores`."""
    shown = corpus_evidence()
    pairs = _pairs(found)
    return tuple(
        _row(clause, shown[clause.number], found, pairs)
        for clause in book.clauses().values()
    )


def _row(
    clause: book.Clause,
    shown: Seen,
    found: Mapping[str, Any],
    pairs: tuple[Mapping[str, set[str]], Mapping[str, set[str]]],
) -> Row:
    number = clause.number
    score = Score(**found["clauses"].get(number, {}))
    reason = reasons_not_judged().get(number, "")
    order = list(book.clauses())
    met, never = (sorted(one.get(number, ()), key=order.index) for one in pairs)
    return Row(
        number=number,
        title=clause.title,
        kind=clause.kind,
        fingerprint=clause.fingerprint,
        code=tuple(f"{name} {source_places()[name]}" for name in clause.functions),
        fires=shown.fires,
        necessary=tuple(shown.necessary),
        profiles={name: Counts(*two) for name, two in sorted(shown.profiles.items())},
        refused=shown.refused,
        accepted=shown.accepted,
        mutants=score,
        meets=tuple(met),
        never=tuple(never),
        theorems=tuple(
            title for title, numbers in found["theorems"].items() if number in numbers
        ),
        opinion="OpenSpiel" if number in found["opinions"] else "",
        level=_level(clause, shown, score, reason),
        reason=reason,
    )


def _level(clause: book.Clause, shown: Seen, score: Score, reason: str) -> str:
    if clause.kind == PROCEDURE:
        return PROCEDURE
    witnessed = clause.kind != "forbid" or (shown.refused and shown.accepted)
    dead = score.mutants and not score.gap  # none at all: they were not measured
    if dead and len(shown.necessary) >= ENOUGH and witnessed:
        return "strong"
    if reason:
        return "reasoned"
    return "covered" if shown.necessary and not score.gap else "weak"


def _pairs(
    found: Mapping[str, Any],
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """For each clause, those that it meets, and those that it can never meet."""
    walk = found["exhaustion"]
    together = [tuple(pair.split("+")) for pair in walk["meet"]]
    apart = [tuple(pair.split("+")) for pair in walk["never"]]
    return _both_ways([*map(tuple, found["meetings"]), *together]), _both_ways(apart)


def _both_ways(pairs: Iterable[Sequence[str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one, other in pairs:
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return found


# What must hold


def baseline_of_rows(all_rows: Iterable[Row]) -> dict[str, Any]:
    """What is kept of each row so that a fall is noticed: its class and its score."""
    return {
        row.number: {
            "class": row.level,
            "necessary": len(row.necessary),
            "killed": f"{row.mutants.of_all:.3f}",
        }
        for row in judged_rows(all_rows)
    }


def judged_rows(all_rows: Iterable[Row]) -> list[Row]:
    """The rows of the clauses by which a game can be judged: all but procedure."""
    return [row for row in all_rows if row.level != PROCEDURE]


def rows_that_fell(
    all_rows: Iterable[Row], before: Mapping[str, Any] | None = None
) -> list[str]:
    """The rows that were in a better class, or killed more, in the last run."""
    if before is None:
        before = json.decode(FILE.read_bytes()) if FILE.is_file() else {}
    wrong: list[str] = []
    for row in judged_rows(all_rows):
        old = before.get(row.number)
        if old is None:
            continue
        if CLASSES.index(row.level) < CLASSES.index(old["class"]):
            wrong.append(f"{row.number} has fallen from {old['class']} to {row.level}")
        if row.mutants.of_all < float(old["killed"]) - 0.0005:
            killed = f"{row.mutants.of_all:.3f}"
            was = old["killed"]
            wrong.append(f"{row.number}: {killed} of its mutants killed, not {was}")
    return wrong


def rows_without_reason(all_rows: Iterable[Row]) -> list[str]:
    """Rows that are not strong and have no reason."""
    return [
        f"{row.number} {row.title} is {row.level}, and no reason is given"
        for row in all_rows
        if row.level in ("weak", "covered")
    ]


# Shown


def class_counts_lines(all_rows: Sequence[Row]) -> list[str]:
    """How many clauses are in each class; those of procedure are counted apart."""
    judged = judged_rows(all_rows)
    counts = dict.fromkeys(reversed(CLASSES), 0)
    for row in judged:
        counts[row.level] += 1
    shown = ", ".join(f"{number} {level}" for level, number in counts.items() if number)
    apart = len(all_rows) - len(judged)
    return [
        f"{len(judged)} clauses: {shown}"
        + (f"; and {apart} of procedure, which people follow" if apart else "")
    ]


def table_lines(all_rows: Sequence[Row]) -> list[str]:
    """The rows for a terminal."""
    head = ("clause", "class", "fires", "needed", "+", "-", "killed", "proofs")
    lines = [_line(*head, "meets", "never", "other", "title")]
    for row in judged_rows(all_rows):
        one = row.mutants
        lines.append(
            _line(
                row.number,
                row.level,
                str(row.fires),
                str(len(row.necessary)),
                "+" if row.accepted else "",
                "-" if row.refused else "",
                f"{one.killed}/{one.mutants - one.equivalent}" if one.mutants else "",
                str(len(row.theorems) or ""),
                str(len(row.meets) or ""),
                str(len(row.never) or ""),
                row.opinion,
                row.title,
            )
        )
    return [*lines, "", *class_counts_lines(all_rows), *last_whole_run()]


def last_whole_run(path: Path = DEEP) -> list[str]:
    """When `make deep` last tried everything, as a line; none if that is not known."""
    if not path.is_file():
        return []
    found = json.decode(path.read_bytes())
    minutes = round(sum(found["seconds"].values()) / 60)
    return [
        f"everything was tried on {found['date']}, at commit {found['commit'][:7]}, in "
        f"{minutes} minutes: all green"
    ]


def _line(*cells: str) -> str:
    widths = (7, 9, 6, 7, 2, 2, 9, 7, 6, 6, 10, 0)
    return "".join(
        f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True)
    ).rstrip()


def row_details(row: Row) -> list[str]:
    """One row in full, for a terminal."""
    one = row.mutants
    pairs = [
        ("class", f"{row.level}{': ' * bool(row.reason)}{row.reason}"),
        ("cite as", f"{row.number}~{row.fingerprint}"),
        ("code", ", ".join(row.code)),
        ("fires in", f"{row.fires} lines"),
        ("needed by", f"{len(row.necessary)} lines: {' '.join(row.necessary[:3])}"),
        ("refused in", row.refused),
        ("accepted in", row.accepted),
        (
            "mutants",
            f"{one.mutants}: {one.killed} killed, {one.equivalent} equivalent, "
            f"{one.accepted} accepted, {one.gap} gaps",
        ),
        ("meets", " ".join(row.meets)),
        ("never meets", " ".join(row.never)),
        ("theorems", "; ".join(row.theorems)),
        ("agrees", row.opinion),
    ]
    lines = [f"{row.number} {row.title}  [{row.kind}]"]
    lines += [f"  {name:12} {value}" for name, value in pairs if value]
    for name, counts in row.profiles.items():
        lines.append(
            f"  {name:20} fires in {counts.fires}, needed by {counts.necessary}"
        )
    return lines


def matrix_markdown(all_rows: Sequence[Row]) -> str:
    """The rows as a page that explains how to read it."""
    lines = [
        "# How strong each clause stands",
        "",
        "One row for each clause of the book, derived by `make strength`.",
        "*Needed by* counts the lines of the corpus that fail when the clause is",
        "switched off; + and − are an act accepted and one refused by it in one line;",
        "*mutants* are changes of its functions that the corpus alone kills, of those",
        "that change anything; *meets* and *never* count the clauses met at one",
        "decision, and those that cannot be.",
        "",
        "| clause | | class | fires in | needed by | + − | mutants | theorems | "
        "meets | never | agrees | code |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in judged_rows(all_rows):
        one = row.mutants
        signs = f"{'+' * bool(row.accepted)}{'−' * bool(row.refused)}"
        code = ", ".join(_linked(one) for one in row.code)
        killed = f"{one.killed}/{one.mutants - one.equivalent}" if one.mutants else ""
        cells = (
            f"{row.number} ~{row.fingerprint}",
            row.title,
            row.level,
            row.fires or "",
            len(row.necessary) or "",
            signs,
            killed,
            len(row.theorems) or "",
            len(row.meets) or "",
            len(row.never) or "",
            row.opinion,
            code,
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    lines += ["", f"{class_counts_lines(all_rows)[0]}."]
    lines += [f"{one[:1].upper()}{one[1:]}." for one in last_whole_run()]
    lines += ["", "## Reasons", ""]
    for row in all_rows:
        if row.level == "reasoned":
            lines.append(f"- {row.number} {row.title}: {row.reason}")
    lines += _procedure_section(all_rows)
    lines += ["", "## By profile", ""]
    names = sorted({name for row in all_rows for name in row.profiles})
    lines.append("Lines of the corpus that fail without the clause, by their profile.")
    lines += [
        "",
        f"| clause | {' | '.join(names)} |",
        "| --- |" + " --- |" * len(names),
    ]
    for row in all_rows:
        if row.profiles:
            counts = [row.profiles.get(name, Counts()).necessary for name in names]
            needed = " | ".join(str(number or "") for number in counts)
            lines.append(f"| {row.number} | {needed} |")
    return "\n".join(lines) + "\n"


def _procedure_section(all_rows: Sequence[Row]) -> list[str]:
    """The clauses that say what people do, as a list; nothing is measured of them."""
    found = [row for row in all_rows if row.level == PROCEDURE]
    said = "What people at a table do. No act of a game is judged by these clauses."
    lines = [f"- {row.number} {row.title}" for row in found]
    return ["", "## Procedure", "", said, "", *lines] if found else []


def _linked(code: str) -> str:
    name, _, place = code.partition(" ")
    file, _, line = place.partition(":")
    return f"[{name}]({_PAGES}{file}{'#L' * bool(line)}{line})"
