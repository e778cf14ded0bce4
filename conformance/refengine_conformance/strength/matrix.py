"""The matrix: one row for each clause, with all that is known about its strength.

All its contents are worked out from other files:

- text and code, from the registry;
- the lines in which the clause fires and those that need it, from the index of the
  corpus;
- lines that refuse and accept an act, from the corpus itself;
- mutants, theorems, pairs and second opinions, from `strength.json`.

Each clause is in the first of these classes that fits it:

- `strong` if at least three lines of the corpus fail without it, its mutants were
  measured and none is a gap, and, for a clause that forbids, a line names it for a
  refused act and accepts another act of that kind;
- `reasoned` if there is a written reason why it need not be strong;
- `covered` if at least one line fails without it and none of its mutants is a gap;
- `weak` otherwise.

A clause of procedure says what people at a table do. No act of a game can show it, so
such clauses are counted apart, under `procedure`, and need no evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs
from msgspec import json

from refengine.errors import counted
from refengine.lawbook import book
from refengine.lawbook.reading import (
    PROCEDURE,
    UNSPECIFIED,
    WITHDRAWN,
    place_in_book,
)
from refengine_conformance.data import data
from refengine_conformance.mutants import source_edits
from refengine_conformance.strength.arguments import reasons_of_clauses
from refengine_conformance.strength.scores import Score

FILE: Final = data("matrix.json")
DEEP: Final = data("deep.json")
CLASSES: Final = ("weak", "covered", "reasoned", "strong")  # from worst to best
ENOUGH: Final = 3
_PAGES: Final = "../refengine/"
_ROUNDED: Final = 0.0005  # what rounding a share to three places may add to it


@attrs.frozen
class Counts:
    """The number of lines in which a clause fires, and of those that need it."""

    fires: int = 0
    necessary: int = 0


@attrs.frozen
class Row:
    """A clause of the book, and how strong the evidence for it is.

    `code` lists functions with file and line, and `necessary` the ids of the lines that
    fail without the clause. `refused` is the id of a line in which an act is refused or
    irregular because of the clause, and `accepted` the id of such a line that also
    accepts an act of the same kind. `meets` lists the clauses that fire in the same
    decision as this one, and `never` those that never can.
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

    @property
    def signs(self) -> str:
        """A + if there is an `accepted` line, then a − if there is a `refused` one."""
        return ("+" if self.accepted else "") + ("−" if self.refused else "")

    @property
    def killed(self) -> str:
        """How many of the clause's mutants are killed, out of how many, as in `5/6`.

        Equivalent mutants are not counted. The text is empty if the mutants were not
        measured.
        """
        score = self.mutants
        if not score.mutants:
            return ""
        return f"{score.killed}/{score.mutants - score.equivalent}"


# What the rows are made from


@cache
def source_places() -> dict[str, str]:
    """The file of each module, and the file and line of each class and function."""
    places: dict[str, str] = {}
    for module in source_edits.module_names():
        file = source_edits.file_of_module(module)
        places[module] = file
        tree = source_edits.tree_of_module(module)
        for name, node in source_edits.definitions_in(tree, module):
            places[name] = f"{file}:{node.lineno}"
    return places


@attrs.define
class Seen:
    """What the lines of the corpus show about one clause.

    `fires` counts, for each profile, the lines in which the clause fires, and `needs`
    the lines that fail without it. `necessary`, `refused` and `accepted` are as in a
    `Row`.
    """

    fires: Counter[str] = attrs.field(factory=Counter)
    needs: Counter[str] = attrs.field(factory=Counter)
    necessary: list[str] = attrs.field(factory=list)
    refused: str = ""
    accepted: str = ""


def corpus_evidence() -> dict[str, Seen]:
    """What the lines of the corpus show about each clause, by its number."""
    found = {number: Seen() for number in book.clauses()}
    files: dict[str, list[bytes]] = {}  # `corpus_tools.build` is not in the wheel
    for text in (source_edits.CORPUS / "index.jsonl").read_bytes().splitlines():
        entry = json.decode(text)
        for number in entry["fires"]:
            found[number].fires[entry["profile"]] += 1
        for number in entry["necessary"]:
            found[number].needs[entry["profile"]] += 1
            found[number].necessary.append(entry["id"])
        if entry["file"] not in files:
            path = source_edits.CORPUS / entry["file"]
            files[entry["file"]] = path.read_bytes().splitlines()
        if entry["id"].startswith("t-"):
            trace = json.decode(files[entry["file"]][entry["line"] - 1])
            _note_witness(trace, found)
    return found


def _note_witness(trace: Mapping[str, Any], found: Mapping[str, Seen]) -> None:
    """Record a trace for the clauses that it shows, unless they have a trace already.

    The trace becomes `refused` for each clause by which it says that an act is refused
    or irregular. It also becomes `accepted` for the clause if another act of the same
    kind is legal in it.
    """
    legal = {
        _kind_of_act(step["act"]) for step in trace["steps"] if not step.get("breaks")
    }
    for step in trace["steps"]:
        probes = [*step.get("refuse", ()), *step.get("irregular", ())]
        for probe in [*probes, {"act": step["act"], "clauses": step.get("breaks", ())}]:
            for number in probe["clauses"]:
                seen = found[number]
                seen.refused = seen.refused or trace["id"]
                if _kind_of_act(probe["act"]) in legal:
                    seen.accepted = seen.accepted or trace["id"]


def _kind_of_act(act: Mapping[str, Any]) -> str:
    """The kind of an act, which is its only key."""
    (kind,) = act
    return kind


@cache
def reasons_not_strong() -> dict[str, str]:
    """The reason why a clause need not be strong, for each clause that has one."""
    reasons = reasons_of_clauses()
    for clause in book.clauses().values():
        if clause.kind not in source_edits.JUDGING_KINDS:
            reasons.setdefault(clause.number, _reason_of_kind(clause))
    return reasons


def _reason_of_kind(clause: book.Clause) -> str:
    """Why no line tests a clause whose kind is not permit, forbid or effect."""
    if clause.kind == PROCEDURE:
        return "People at a table do it; no act of a game is judged by it."
    if clause.kind == WITHDRAWN:
        return "It is withdrawn."
    if clause.kind == UNSPECIFIED:
        return "It leaves something to the table, so no game is judged by it."
    through = ", ".join(clause.bites)
    return f"It says what a word means; it decides through {through}."


# The rows


def matrix_rows(found: Mapping[str, Any]) -> tuple[Row, ...]:
    """The rows, in book order, from a document laid out like `strength.json`."""
    shown = corpus_evidence()
    pairs = {
        kind: [pair.split("+") for pair in found["exhaustion"][kind]]
        for kind in ("meet", "never")
    }
    meets = _partners([*found["meetings"], *pairs["meet"]])
    never = _partners(pairs["never"])
    return tuple(
        _row(clause, shown[clause.number], found, meets, never)
        for clause in book.clauses().values()
    )


def _row(
    clause: book.Clause,
    shown: Seen,
    found: Mapping[str, Any],
    meets: Mapping[str, set[str]],
    never: Mapping[str, set[str]],
) -> Row:
    """The row of a clause.

    `meets` and `never` give, for each clause, the clauses that fire in the same
    decision as it does, and those that never can.
    """
    number = clause.number
    score = Score(**found["clauses"].get(number, {}))
    reason = reasons_not_strong().get(number, "")
    return Row(
        number=number,
        title=clause.title,
        kind=clause.kind,
        fingerprint=clause.fingerprint,
        code=tuple(f"{name} {source_places()[name]}" for name in clause.functions),
        fires=shown.fires.total(),
        necessary=tuple(shown.necessary),
        profiles={
            name: Counts(shown.fires[name], shown.needs[name])
            for name in sorted(shown.fires | shown.needs)
        },
        refused=shown.refused,
        accepted=shown.accepted,
        mutants=score,
        meets=tuple(sorted(meets.get(number, ()), key=place_in_book)),
        never=tuple(sorted(never.get(number, ()), key=place_in_book)),
        theorems=tuple(
            title for title, numbers in found["theorems"].items() if number in numbers
        ),
        opinion="OpenSpiel" if number in found["opinions"] else "",
        level=_level(clause, shown, score, reason),
        reason=reason,
    )


def _level(clause: book.Clause, shown: Seen, score: Score, reason: str) -> str:
    """The class of a clause; `procedure` if it asks nothing of an engine."""
    if clause.kind == PROCEDURE:
        return PROCEDURE
    witnessed = clause.kind != "forbid" or (shown.refused and shown.accepted)
    enough = len(shown.necessary) >= ENOUGH
    if score.mutants and not score.gap and enough and witnessed:
        return "strong"
    if reason:
        return "reasoned"
    return "covered" if shown.necessary and not score.gap else "weak"


def _partners(pairs: Iterable[Sequence[str]]) -> dict[str, set[str]]:
    """For each clause in these pairs, the others that it is paired with."""
    partners: dict[str, set[str]] = {}
    for one, other in pairs:
        partners.setdefault(one, set()).add(other)
        partners.setdefault(other, set()).add(one)
    return partners


# What must hold


def baseline_of_rows(all_rows: Iterable[Row]) -> dict[str, Any]:
    """What is recorded about each clause that is not a clause of procedure.

    This is its class, the number of lines that need it, and the share of its mutants
    that is killed. `rows_that_fell` compares the class and the share with a later run.
    """
    return {
        row.number: {
            "class": row.level,
            "necessary": len(row.necessary),
            "killed": f"{row.mutants.of_all:.3f}",
        }
        for row in non_procedure_rows(all_rows)
    }


def non_procedure_rows(all_rows: Iterable[Row]) -> list[Row]:
    """The rows of all clauses except those of procedure, which judge no game."""
    return [row for row in all_rows if row.level != PROCEDURE]


def rows_that_fell(
    all_rows: Iterable[Row], before: Mapping[str, Any] | None = None
) -> list[str]:
    """A sentence for each row whose class, or share of mutants killed, has fallen.

    Rows are compared with those in `before`, or by default with the rows that were
    recorded. The number of lines that need a clause may fall within its class.
    """
    if before is None:
        before = json.decode(FILE.read_bytes()) if FILE.is_file() else {}
    wrong: list[str] = []
    for row in non_procedure_rows(all_rows):
        old = before.get(row.number)
        if old is None:
            continue
        if CLASSES.index(row.level) < CLASSES.index(old["class"]):
            wrong.append(f"{row.number} has fallen from {old['class']} to {row.level}")
        if row.mutants.of_all < float(old["killed"]) - _ROUNDED:
            killed = f"{row.mutants.of_all:.3f}"
            was = old["killed"]
            wrong.append(f"{row.number}: {killed} of its mutants killed, not {was}")
    return wrong


def rows_without_reason(all_rows: Iterable[Row]) -> list[str]:
    """A sentence for each row that is not strong and has no reason."""
    return [
        f"{row.number} {row.title} is {row.level}, and no reason is given"
        for row in all_rows
        if row.level in ("weak", "covered")
    ]


# Shown


def class_counts_line(all_rows: Sequence[Row]) -> str:
    """How many clauses are in each class; those of procedure are counted apart."""
    rows = non_procedure_rows(all_rows)
    counts = dict.fromkeys(reversed(CLASSES), 0)
    for row in rows:
        counts[row.level] += 1
    shown = ", ".join(f"{number} {level}" for level, number in counts.items() if number)
    line = counted(len(rows), "clause")
    if shown:
        line += f": {shown}"
    apart = len(all_rows) - len(rows)
    if apart:
        line += f"; and {apart} of procedure, for people to follow"
    return line


def table_lines(all_rows: Sequence[Row]) -> list[str]:
    """The rows as a table for a terminal, with the number of clauses in each class."""
    head = ("clause", "class", "fires", "needed", "+", "-", "killed", "proofs")
    lines = [_line(*head, "meets", "never", "other", "title")]
    for row in non_procedure_rows(all_rows):
        lines.append(
            _line(
                row.number,
                row.level,
                str(row.fires),
                str(len(row.necessary)),
                "+" if row.accepted else "",
                "-" if row.refused else "",
                row.killed,
                str(len(row.theorems) or ""),
                str(len(row.meets) or ""),
                str(len(row.never) or ""),
                row.opinion,
                row.title,
            )
        )
    return [*lines, "", class_counts_line(all_rows), *last_whole_run()]


def last_whole_run(path: Path = DEEP) -> list[str]:
    """A line that says when `make deep` last tried everything; none if it never did."""
    if not path.is_file():
        return []
    found = json.decode(path.read_bytes())
    minutes = round(sum(found["seconds"].values()) / 60)
    return [
        f"everything was tried on {found['date']}, at commit {found['commit'][:7]}, in "
        f"{minutes} minutes: all green"
    ]


def _line(*cells: str) -> str:
    """A line of the table for a terminal, with these cells in its columns."""
    widths = (7, 9, 6, 7, 2, 2, 9, 7, 6, 6, 10, 0)
    return "".join(
        f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True)
    ).rstrip()


def row_details(row: Row) -> list[str]:
    """One row with all its details, as lines for a terminal."""
    score = row.mutants
    level = f"{row.level}: {row.reason}" if row.reason else row.level
    needed = counted(len(row.necessary), "line")
    if row.necessary:
        needed += f": {' '.join(row.necessary[:3])}"
    pairs = [
        ("class", level),
        ("cite as", f"{row.number}~{row.fingerprint}"),
        ("code", ", ".join(row.code)),
        ("fires in", counted(row.fires, "line")),
        ("needed by", needed),
        ("refused in", row.refused),
        ("accepted in", row.accepted),
        (
            "mutants",
            f"{score.mutants}: {score.killed} killed, {score.equivalent} equivalent, "
            f"{score.accepted} accepted, {counted(score.gap, 'gap')}",
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
    """The rows as a Markdown page that explains how to read them."""
    lines = [
        *_matrix_section(all_rows),
        *_reasons_section(all_rows),
        *_procedure_section(all_rows),
        *_profiles_section(all_rows),
    ]
    return "\n".join(lines) + "\n"


def _matrix_section(all_rows: Sequence[Row]) -> list[str]:
    """The first section of the page: how to read the table, the table, and counts."""
    lines = [
        "# How strong the evidence for each clause is",
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
    for row in non_procedure_rows(all_rows):
        code = ", ".join(_linked(one) for one in row.code)
        cells = (
            f"{row.number} ~{row.fingerprint}",
            row.title,
            row.level,
            row.fires or "",
            len(row.necessary) or "",
            row.signs,
            row.killed,
            len(row.theorems) or "",
            len(row.meets) or "",
            len(row.never) or "",
            row.opinion,
            code,
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    lines += ["", f"{class_counts_line(all_rows)}."]
    lines += [f"{one[:1].upper()}{one[1:]}." for one in last_whole_run()]
    return lines


def _reasons_section(all_rows: Sequence[Row]) -> list[str]:
    """The clauses that need not be strong, each with the reason, if there are any."""
    reasoned = [row for row in all_rows if row.level == "reasoned"]
    listed = [f"- {row.number} {row.title}: {row.reason}" for row in reasoned]
    return ["", "## Reasons", "", *listed] if listed else []


def _procedure_section(all_rows: Sequence[Row]) -> list[str]:
    """The clauses that say what people do, as a list; these are not measured."""
    found = [row for row in all_rows if row.level == PROCEDURE]
    said = "What people at a table do. No act of a game is judged by these clauses."
    lines = [f"- {row.number} {row.title}" for row in found]
    return ["", "## Procedure", "", said, "", *lines] if found else []


def _profiles_section(all_rows: Sequence[Row]) -> list[str]:
    """A table of how many lines of each profile need each clause.

    There is no table if no clause fires in any line.
    """
    names = sorted({name for row in all_rows for name in row.profiles})
    if not names:
        return []
    lines = [
        "",
        "## By profile",
        "",
        "Lines of the corpus that fail without the clause, by their profile.",
        "",
        f"| clause | {' | '.join(names)} |",
        "| --- |" + " --- |" * len(names),
    ]
    for row in all_rows:
        if row.profiles:
            counts = [row.profiles.get(name, Counts()).necessary for name in names]
            needed = " | ".join(str(number or "") for number in counts)
            lines.append(f"| {row.number} | {needed} |")
    return lines


def _linked(code: str) -> str:
    """A link to the place in the source at which a function of a row is defined."""
    name, _, place = code.partition(" ")
    file, _, line = place.partition(":")
    anchor = f"#L{line}" if line else ""
    return f"[{name}]({_PAGES}{file}{anchor})"
