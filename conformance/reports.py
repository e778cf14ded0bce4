"""A run as text: for a terminal, as JSON lines, JUnit XML, Markdown, and HTML."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as Xml

import attrs

from conformance.results import KINDS, Case, Group, Outcome, Run
from refengine.errors import Malformed

_MOST_SHOWN: Final = 20


def percent(part: int, whole: int) -> str:
    """A share in percent; never 100 where something is missing."""
    if not whole:
        return "none"
    share = 1000 * part // whole / 10
    return f"{share:g}%"


def command_text(run: Run, more: tuple[str, ...] = ()) -> str:
    """The command that makes this run again, with more options."""
    words = ["refengine", "conform", "run", *run.source, *more, "--", *run.adapter]
    return shlex.join(words)


def figures(run: Run) -> list[str]:
    """The two figures, never one, in words."""
    return [
        f"pass rate {percent(run.passed, run.scored)}"
        f" ({run.passed} of {run.scored} scored cases)",
        f"coverage {percent(run.scored, run.applicable)}"
        f" ({run.scored} of {run.applicable} applicable cases)",
    ]


def troubles(run: Run) -> Iterator[str]:
    """What went wrong beside the cases, a sentence each."""
    for bug in run.bugs:
        yield f"a fault of ours, please report it: {bug}"
    if run.stopped:
        yield f"the run was stopped: {run.stopped}"
    yield from (f"unreadable: {one}" for one in run.unreadable)
    yield from (f"promised and not there: {one}" for one in run.short)
    if not run.scored:
        yield "no case was scored"
    yield from (f"the conversation: {one}" for one in run.faults)
    yield from (f"known failures: {one}" for one in run.stale)


def capabilities(run: Run) -> Iterator[tuple[str, int, int, int]]:
    """Of each kind of case: passed, scored, applicable."""
    for kind in KINDS:
        cases = attrs.evolve(
            run, cases=tuple(case for case in run.cases if case.kind == kind)
        )
        if cases.cases:
            yield kind, cases.passed, cases.scored, cases.applicable


def example_lines(group: Group) -> list[str]:
    """The example of a group: where, what was asked, expected and got."""
    fault, case = group.fault, group.case
    where = f"step {fault.step}" if fault.step else "the whole"
    return [
        f"{case.trace}, {where}, profile {case.profile}",
        f"asked:    {fault.asked}",
        f"expected: {fault.expected}",
        f"got:      {fault.got}",
        *([f"clauses:  {', '.join(fault.clauses)}"] if len(fault.clauses) > 1 else []),
    ]


def heading(group: Group) -> str:
    """A group in a line: its clause with title, the question, how many."""
    clause = f"{group.clause} {group.title}".strip() or "no clause named"
    answers = "answer" if group.faults == 1 else "answers"
    cases = "case" if group.cases == 1 else "cases"
    many = f"{group.faults} wrong {answers} in {group.cases} {cases}"
    return f"{clause}, asked for {group.question}: {many}"


def text_lines(run: Run) -> Iterator[str]:
    """The summary for a terminal."""
    if run.card is not None:
        card = run.card
        yield f"{card.name} {card.version} ({card.language}), HFR {run.spec}"
        for clause, note in card.deviations:
            yield f"says that it deviates from {clause}: {note}"
    for group in run.groups:
        yield ""
        yield heading(group)
        yield from (f"    {line}" for line in example_lines(group))
        again = command_text(run, ("--trace", group.case.trace))
        yield f"    again:    {again}"
    broken = run.broken
    for case in broken[:_MOST_SHOWN]:
        yield ""
        yield f"{case.outcome}: {case.id}"
        yield f"    {case.note}"
    if len(broken) > _MOST_SHOWN:
        yield f"and {len(broken) - _MOST_SHOWN} more"
    if run.stderr and (broken or run.stopped):
        yield ""
        yield "the end of its standard error:"
        yield from (f"    {line}" for line in run.stderr.splitlines()[-12:])
    yield ""
    for kind, passed, scored, applicable in capabilities(run):
        yield f"{kind:10} {passed:>6} of {scored:>6} passed, {applicable:>6} applicable"
    counted = [f"{count} {name}" for name, count in run.counts.items() if count]
    yield ", ".join(counted) or "no cases"
    yield from figures(run)
    if run.partial:
        yield f"partial: {', '.join(f'{k} {v}' for k, v in run.selection.items())}"
    yield from troubles(run)


def text(run: Run) -> str:
    """The summary for a terminal, as one text."""
    return "\n".join(text_lines(run)) + "\n"


# JSON lines


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=list)


def case_fields(case: Case) -> dict[str, Any]:
    """A case as a line of `report.jsonl`."""
    found: dict[str, Any] = {
        "case": case.id,
        "outcome": str(case.outcome),
        "profile": case.profile,
    }
    if case.faults:
        found["faults"] = [attrs.asdict(fault) for fault in case.faults]
    if case.note:
        found["note"] = case.note
    if not case.applicable:
        found["applicable"] = False
    return found


def jsonl_lines(run: Run) -> Iterator[str]:
    """The report as JSON lines: a head, a line for each case, a foot."""
    card = attrs.asdict(run.card) if run.card is not None else None
    yield _json(
        {
            "report": 1,
            "spec": run.spec,
            "adapter": run.adapter,
            "selection": dict(run.selection),
            "limits": attrs.asdict(run.limits),
            **({"card": card} if card else {}),
        }
    )
    for case in run.cases:
        yield _json(case_fields(case))
    yield _json({"end": 1, **run.fields(), "troubles": list(troubles(run))})


def jsonl(run: Run) -> str:
    """The report as JSON lines, as one text."""
    return "".join(f"{line}\n" for line in jsonl_lines(run))


# JUnit


def junit(run: Run) -> str:
    """The report as JUnit XML: a suite for each profile, a test for each case."""
    counts = run.counts
    root = Xml.Element("testsuites", name="refengine conform")
    profiles = dict.fromkeys(case.profile for case in run.cases)
    for profile in profiles:
        cases = [case for case in run.cases if case.profile == profile]
        suite = Xml.SubElement(root, "testsuite", name=profile or "none")
        suite.set("tests", str(len(cases)))
        for kind, outcomes in _JUNIT.items():
            number = sum(case.outcome in outcomes for case in cases)
            suite.set(kind if kind == "skipped" else f"{kind}s", str(number))
        for case in cases:
            _junit_case(suite, case)
    troubled = list(troubles(run))
    if troubled:
        suite = Xml.SubElement(root, "testsuite", name="the run", tests="1", errors="1")
        test = Xml.SubElement(suite, "testcase", name="the run", classname="run")
        error = Xml.SubElement(test, "error", message=_clean(troubled[0]))
        error.text = _clean("\n".join(troubled))
    root.set("tests", str(len(run.cases)))
    root.set("failures", str(sum(counts[one] for one in _JUNIT["failure"])))
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


_JUNIT: Final = {
    "failure": (Outcome.FAIL, Outcome.KNOWN_BUT_PASSES),
    "error": (Outcome.CRASH, Outcome.TIMEOUT, Outcome.PROTOCOL),
    "skipped": (
        Outcome.UNSUPPORTED,
        Outcome.KNOWN,
        Outcome.RETIRED,
        Outcome.NOT_RUN,
    ),
}


def _junit_case(suite: Xml.Element, case: Case) -> None:
    test = Xml.SubElement(suite, "testcase", name=case.trace, classname=case.kind)
    for kind, outcomes in _JUNIT.items():
        if case.outcome in outcomes:
            first = case.faults[0] if case.faults else None
            said = f"expected {first.expected}, got {first.got}" if first else case.note
            shown = Xml.SubElement(
                test, kind, message=_clean(f"{case.outcome}: {said}")
            )
            shown.text = _clean(
                "\n".join(
                    f"step {fault.step}, {fault.question} ({' '.join(fault.clauses)}): "
                    f"{fault.asked} expected {fault.expected}, got {fault.got}"
                    for fault in case.faults
                )
            )


def _clean(text: str) -> str:
    """The text without what XML cannot hold."""
    return "".join(
        one if one in "\n\t" or (one >= " " and one not in "\ufffe\uffff") else "\ufffd"
        for one in text
        if not "\ud800" <= one <= "\udfff"
    )


# Markdown


def markdown(run: Run) -> str:
    """The report as Markdown, for the summary of a CI job."""
    lines = ["# Conformance", ""]
    if run.card is not None:
        card = run.card
        lines += [f"{_md(card.name)} {_md(card.version)} against HFR {run.spec}.", ""]
    lines += [f"- {line}" for line in figures(run)]
    lines += [f"- {_md(line)}" for line in troubles(run)]
    lines += ["", "| capability | passed | scored | applicable |", "|---|--:|--:|--:|"]
    for kind, passed, scored, applicable in capabilities(run):
        lines.append(f"| {kind} | {passed} | {scored} | {applicable} |")
    lines += ["", "| outcome | cases |", "|---|--:|"]
    lines += [f"| {name} | {count} |" for name, count in run.counts.items() if count]
    for group in run.groups:
        lines += ["", f"## {_md(heading(group))}", "", "```text"]
        lines += [line.replace("```", "'''") for line in example_lines(group)]
        lines += ["```", "", "```sh"]
        lines += [command_text(run, ("--trace", group.case.trace)), "```"]
    wrong = run.broken[:_MOST_SHOWN]
    if wrong:
        lines += ["", "## Lost conversations", ""]
        lines += [f"- {case.outcome} `{case.id}`: {_md(case.note)}" for case in wrong]
    return "\n".join(lines) + "\n"


def _md(text: str) -> str:
    """The text with what Markdown would read as its own made harmless."""
    for sign in "\\`*_[]<>|":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


# Writing


def _html(run: Run) -> str:
    return str(import_module("conformance.html_report").html(run))


FORMATS: Final[dict[str, Callable[[Run], str]]] = {
    "text": text,
    "jsonl": jsonl,
    "junit": junit,
    "markdown": markdown,
    "html": _html,
}


def read_target(given: str) -> tuple[str, str]:
    """The format and the file of `FORMAT:FILE`; `-` is the standard output.

    Raises Malformed where it is not of this form.
    """
    name, sign, file = given.partition(":")
    if name not in FORMATS or not sign or not file:
        allowed = f"FORMAT:FILE, FORMAT one of {', '.join(FORMATS)}"
        raise Malformed(f"{given!r:.80}", allowed, "--report")
    return name, file


def write_report(run: Run, name: str, file: str, out: Callable[[str], None]) -> None:
    """Write a run in this format into a file, or hand it to `out` for `-`.

    Raises Malformed where the file cannot be written.
    """
    made = FORMATS[name](run)
    if file == "-":
        out(made)
        return
    try:
        Path(file).write_text(made, "utf-8", "replace")
    except OSError as error:
        raise Malformed(f"{error.strerror}", "a file to write", file) from None
