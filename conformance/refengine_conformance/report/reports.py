"""The report of a run: text for a terminal, JSON lines, JUnit XML, Markdown, HTML."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final
from xml.etree import ElementTree as Xml

import attrs

from refengine.errors import (
    Malformed,
    harmless_json,
    unusable_file,
)
from refengine.formats.whole_files import write_file
from refengine_conformance.report.findings import (
    Finding,
    findings_of_run,
    inference_sentences,
    verdict,
)
from refengine_conformance.report.html_report import html
from refengine_conformance.report.run_in_words import (
    adapter_errors,
    figures,
    levels,
    partial,
    stderr_if_lost,
    stderr_lines,
    table_lines,
    table_name,
    troubles,
    unscored,
)
from refengine_conformance.runner.driver import stderr_paragraph
from refengine_conformance.runner.results import LOST, Case, Fault, Outcome
from refengine_conformance.runner.runs import Run


def finding_lines(finding: Finding) -> Iterator[str]:
    """The lines of a finding below its heading: counts, clauses, table and facts."""
    yield finding.counts
    for place, (number, title, said) in enumerate(finding.clauses):
        yield from _wrapped(f"{number} {title}. {said}" if place else said)
    if table := finding.table:
        yield ""
        yield from table.splitlines()
        yield ""
    for name, value in finding.facts:
        yield _row(name, value)


def _row(name: str, value: str) -> str:
    """A line with the label of a fact and its value, aligned with those of others."""
    label = f"{name}:"
    return f"{label:<12} {value}"


def _wrapped(text: str) -> list[str]:
    """The text wrapped to 84 characters, with a bar before each line."""
    return textwrap.wrap(
        text, 84, initial_indent="| ", subsequent_indent="| ", break_on_hyphens=False
    )


def head_lines(run: Run) -> Iterator[str]:
    """Lines on the engine tested, the deviations that it declares, and the table."""
    if run.card is not None:
        card = run.card
        yield f"{card.name} {card.version} ({card.language}), HFR {run.spec}"
        for clause, note in card.deviations:
            yield f"says that it deviates from {clause}: {note}"
    if named := table_name(run):
        yield f"the table: {named}"


def text_lines(run: Run) -> Iterator[str]:
    """The lines of the summary for a terminal.

    If the run stopped before the adapter answered `hello`, they say only why.
    """
    if run.card is None and run.stopped:
        yield from troubles(run)
        yield from stderr_paragraph(stderr_if_lost(run))
        yield verdict(run)
        return
    yield from head_lines(run)
    yield from adapter_errors(run)
    for finding in findings_of_run(run):
        yield ""
        yield finding.heading
        yield from (f"    {line}".rstrip() for line in finding_lines(finding))
    if said := stderr_paragraph(stderr_if_lost(run)):
        yield ""
        yield from said
    if sentences := inference_sentences(run):
        yield ""
        for sentence in sentences:
            yield from textwrap.wrap(sentence, 88, break_on_hyphens=False)
    yield ""
    for kind, passed, scored, applicable in levels(run):
        yield f"{kind:10} {passed:>6} of {scored:>6} passed, {applicable:>6} applicable"
    counted = [f"{count} {name}" for name, count in run.counts.items() if count]
    yield ", ".join(counted) or "no cases"
    yield from figures(run)
    for line in table_lines(run):
        yield from textwrap.wrap(
            line, 88, subsequent_indent="    ", break_on_hyphens=False
        )
    yield from unscored(run)
    if run.partial:
        yield f"partial: {partial(run)}"
    yield from troubles(run)
    yield verdict(run)


def text(run: Run) -> str:
    """The summary for a terminal, as one string."""
    return "\n".join(text_lines(run)) + "\n"


# JSON lines


def _json(value: dict[str, Any]) -> str:
    """A value as a line of JSON, with every harmful character escaped."""
    line = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=list)
    return harmless_json(line)


def case_fields(case: Case) -> dict[str, Any]:
    """The fields of a case in its line of `report.jsonl`."""
    found: dict[str, Any] = {
        "case": case.id,
        "outcome": str(case.outcome),
        "profile": case.profile,
    }
    if case.faults:
        found["faults"] = [attrs.asdict(fault) for fault in case.faults]
    for name in ("note", "step", "request"):
        if value := getattr(case, name):
            found[name] = value
    if not case.applicable:
        found["applicable"] = False
    return found


def finding_fields(finding: Finding) -> dict[str, Any]:
    """The fields of a finding in its line of `report.jsonl`."""
    found: dict[str, Any] = {
        "finding": finding.heading,
        "counts": finding.counts,
        "clauses": [
            {"clause": number, "title": title, "text": said}
            for number, title, said in finding.clauses
        ],
        "table": finding.table.splitlines(),
        "facts": dict(finding.facts),
    }
    if finding.line:
        found["example"] = json.loads(finding.line)
    return found


def _table_fields(run: Run) -> dict[str, Any]:
    """The fields `table` and `seed`, from which the run's games can be made again.

    The dictionary is empty if the run was not at a table.
    """
    found = run.at_table
    return {"table": found.table.fields(), "seed": found.seed} if found else {}


def jsonl_lines(run: Run) -> Iterator[str]:
    """The report as JSON lines.

    A line about the run comes first, followed by one for each case, one for each
    finding, one on the rules that may explain them, if any were sought, and a last line
    with the figures.
    """
    card = attrs.asdict(run.card) if run.card is not None else None
    yield _json(
        {
            "report": 1,
            "spec": run.spec,
            "adapter": run.adapter,
            "selection": dict(run.selection),
            "limits": attrs.asdict(run.limits),
            **({"card": card} if card else {}),
            **_table_fields(run),
            **({"stderr": said} if (said := stderr_lines(run)) else {}),
        }
    )
    for case in run.cases:
        yield _json(case_fields(case))
    for finding in findings_of_run(run):
        yield _json(finding_fields(finding))
    if run.inferred is not None:
        inferred = attrs.asdict(run.inferred)
        yield _json({"inference": inference_sentences(run), **inferred})
    yield _json(
        {
            "end": 1,
            **run.fields(),
            **(run.at_table.fields() if run.at_table else {}),
            "unscored": unscored(run),
            "troubles": list(troubles(run, every=True)),
        }
    )


def jsonl(run: Run) -> str:
    """The report as JSON lines, in one string."""
    return "".join(f"{line}\n" for line in jsonl_lines(run))


# JUnit


def junit(run: Run) -> str:
    """The report as JUnit XML: a suite for each profile, a test for each case.

    For a run at a table, it holds only the cases that are applicable.
    """
    if run.at_table is not None:
        cases = tuple(case for case in run.cases if case.applicable)
        run = attrs.evolve(run, cases=cases)
    root = Xml.Element("testsuites", name="refengine conform")
    for profile in dict.fromkeys(case.profile for case in run.cases):
        of_profile = [case for case in run.cases if case.profile == profile]
        _junit_suite(root, profile or "none", of_profile)
    _junit_of_run(root, run)
    failures = sum(case.outcome in _JUNIT["failure"] for case in run.cases)
    root.set("tests", str(len(root.findall("testsuite/testcase"))))
    root.set("failures", str(failures))
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


_JUNIT: Final = {
    "failure": (Outcome.FAIL, Outcome.KNOWN_BUT_PASSES),
    "error": (*LOST, Outcome.ERROR),
    "skipped": (
        Outcome.UNSUPPORTED,
        Outcome.KNOWN,
        Outcome.RETIRED,
        Outcome.NOT_RUN,
    ),
}
"""The outcomes of cases, by the element that a test gets for them; a pass gets none."""


def _junit_suite(root: Xml.Element, name: str, cases: Sequence[Case]) -> None:
    """Add a suite with these cases, and how many of them had which outcome."""
    suite = Xml.SubElement(root, "testsuite", name=name)
    suite.set("tests", str(len(cases)))
    for kind, outcomes in _JUNIT.items():
        number = sum(case.outcome in outcomes for case in cases)
        suite.set(kind if kind == "skipped" else f"{kind}s", str(number))
    for case in cases:
        _junit_case(suite, case)


def _junit_of_run(root: Xml.Element, run: Run) -> None:
    """Add a suite about the run as a whole, unless there is nothing to say about it."""
    told = _junit_told(run)
    troubled = list(troubles(run))
    if not (troubled or told):
        return
    suite = Xml.SubElement(root, "testsuite", name="the run", tests="1")
    suite.set("errors", "1" if troubled else "0")
    test = Xml.SubElement(suite, "testcase", name="the run", classname="run")
    if troubled:
        error = Xml.SubElement(test, "error", message=_clean(troubled[0]))
        error.text = _clean("\n".join(troubled))
    Xml.SubElement(test, "system-out").text = _clean("\n".join(told))


def _junit_told(run: Run) -> list[str]:
    """The lines about the run as a whole.

    First come the engine, the table and the figures of the run. The errors that the
    adapter itself reported, the findings, the rules that may explain them and the end
    of its stderr follow; what limited the choice of games comes last. The list is empty
    if nothing went wrong, unless the run was at a table.
    """
    wrong = adapter_errors(run)
    for finding in findings_of_run(run):
        wrong += ["", finding.heading, *finding_lines(finding)]
        if finding.line:
            wrong.append(_row("trace", finding.line))
    if run.inferred is not None:
        wrong += ["", *inference_sentences(run)]
    if stderr := stderr_lines(run):
        wrong += ["", "the end of the adapter's standard error:", *stderr]
    if not wrong and run.at_table is None:
        return []
    lines = [*head_lines(run), *figures(run), *table_lines(run), *unscored(run), *wrong]
    if run.partial:
        lines.append(f"partial: {partial(run)}")
    return lines


def _junit_case(suite: Xml.Element, case: Case) -> None:
    """Add a case to its suite as a test, with the reason if it did not pass."""
    name = f"{case.about} ({case.trace})" if case.about else case.trace
    test = Xml.SubElement(suite, "testcase", name=_clean(name), classname=case.kind)
    for kind, outcomes in _JUNIT.items():
        if case.outcome in outcomes:
            said = case.note
            if case.outcome is Outcome.KNOWN_BUT_PASSES:
                said = "a known failure, as listed, was expected"
            elif case.faults and not case.note:  # a lost case has a note, shown instead
                first = case.faults[0]
                said = f"expected {first.expected}, got {first.got}"
            message = _clean(f"{case.outcome}: {said}")
            shown = Xml.SubElement(test, kind, message=message)
            shown.text = _clean("\n".join(map(_fault_line, case.faults)))


def _fault_line(fault: Fault) -> str:
    """One line about a wrong answer: its step, question, clauses, and what is wrong."""
    step = f"step {fault.step}, " if fault.step else ""
    clauses = f" ({' '.join(fault.clauses)})" if fault.clauses else ""
    answer = f"{fault.asked} expected {fault.expected}, got {fault.got}"
    return f"{step}{fault.question}{clauses}: {answer}"


# A carriage return matches too, since XML parsers read it as a line feed.
_NOT_XML: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(text: str) -> str:
    """The text with U+FFFD in place of each character that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


# Markdown


def markdown(run: Run) -> str:
    """The report as Markdown, for the summary of a CI job."""
    lines = ["# Conformance", "", f"**{_md(verdict(run))}**", ""]
    for paragraph in (*head_lines(run), *adapter_errors(run)):
        lines += [_md(paragraph), ""]
    lines += [f"- {line}" for line in figures(run)]
    lines += [f"- {_md(line)}" for line in (*table_lines(run), *unscored(run))]
    if run.partial:
        lines.append(f"- partial: {_md(partial(run))}")
    lines += [f"- {_md(line)}" for line in troubles(run)]
    if sentences := inference_sentences(run):
        lines += ["", "## Which rules would explain it", ""]
        lines += [f"- {_md(one, with_code=True)}" for one in sentences]
    for finding in findings_of_run(run):
        lines += _finding_in_markdown(finding)
    if stderr := stderr_lines(run):
        lines += [
            "",
            "## The end of the adapter's standard error",
            *_fenced("\n".join(stderr)),
        ]
    lines += ["", "## Levels", ""]
    lines += ["| capability | passed | scored | applicable |", "|---|--:|--:|--:|"]
    for kind, passed, scored, applicable in levels(run):
        lines.append(f"| {kind} | {passed} | {scored} | {applicable} |")
    lines += ["", "| outcome | cases |", "|---|--:|"]
    lines += [f"| {name} | {count} |" for name, count in run.counts.items() if count]
    return "\n".join(lines) + "\n"


def _finding_in_markdown(finding: Finding) -> list[str]:
    """A finding as Markdown: its heading, counts, clauses, table, facts and game."""
    lines = ["", f"## {_md(finding.heading)}", "", _md(finding.counts)]
    for number, title, said in finding.clauses:
        lines += ["", f"> **{number} {_md(title)}.** {_md(said, with_code=True)}"]
    if table := finding.table:
        lines += _fenced(table)
    lines += _fenced("\n".join(_row(name, value) for name, value in finding.facts))
    if finding.line:
        lines += ["", "<details><summary>The game as a trace file</summary>"]
        lines += [*_fenced(finding.line, "json"), "", "</details>"]
    return lines


def _fenced(text: str, language: str = "text") -> list[str]:
    """Text as a code block; fences in it, which would end the block, are replaced."""
    return ["", f"```{language}", text.replace("```", "'''"), "```"]


_SIGNS: Final = re.compile(r"[\\`*_\[\]<>|&~]")
_BLOCK: Final = re.compile(r"\A(?:\d+(?=[.)](?: |$))|(?=[#+-]))")
"""The beginning of a paragraph that Markdown would take for a heading or a list."""


def _md(text: str, with_code: bool = False) -> str:
    """The text on one line, with Markdown's characters escaped.

    If `with_code` is true, whatever is between two backticks stays as it is, since
    nothing can be escaped there.
    """
    parts = re.split(r"(`[^`]*`)", text) if with_code else [text]
    for place in range(0, len(parts), 2):
        parts[place] = _SIGNS.sub(r"\\\g<0>", parts[place])
    return _BLOCK.sub(r"\g<0>\\", " ".join("".join(parts).split()))


# Writing


FORMATS: Final[dict[str, Callable[[Run], str]]] = {
    "text": text,
    "jsonl": jsonl,
    "junit": junit,
    "markdown": markdown,
    "html": html,
}


def read_target(given: str, flag: str = "--report") -> tuple[str, str]:
    """The format and the file of `FORMAT:FILE`; `-` is standard output.

    Raises Malformed if `given` does not have this form.
    """
    name, _, file = given.partition(":")
    if name not in FORMATS or not file:
        allowed = f"FORMAT:FILE, FORMAT one of {', '.join(FORMATS)}"
        raise Malformed(f"{given!r:.80}", allowed, flag)
    return name, file


def write_report(run: Run, name: str, file: str, out: Callable[[str], None]) -> None:
    """Write a report of a run to a file, or pass it to `out` if the file is `-`.

    `name` is the format, one of `FORMATS`. Raises Malformed if the file cannot be
    written.
    """
    made = FORMATS[name](run)
    if file == "-":
        out(made)
        return
    try:
        write_file(file, made.encode("utf-8", "replace"))
    except OSError as error:
        raise unusable_file(error, "written", file) from None
