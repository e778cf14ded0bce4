"""Tests of reports: every format contains every case, whatever an adapter says."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refengine.errors import Malformed
from refengine.formats.trace import read_trace
from refengine_conformance.commands import conform_run_command
from refengine_conformance.data import data
from refengine_conformance.report import reports
from refengine_conformance.report.findings import findings_of_run, other_failed_cases
from refengine_conformance.report.html_report import html
from refengine_conformance.report.reports import (
    FORMATS,
    jsonl,
    junit,
    markdown,
    read_target,
    text,
    write_report,
)
from refengine_conformance.report.run_in_words import percent
from refengine_conformance.runner import results, runs
from refengine_conformance.runner.results import Case, Fault, Outcome
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import Selection
from tests.support import places
from tests.support.commands import Runner
from tests.support.html_tags import Tags
from tests.support.runs import failing, fault_at, run_of

FAULT = Fault(2, "refuse", ("5.3",), "may seat 1 play 3H?", "refused by 5.3", "ok")
CASES = (
    Case("t-1", "probe", Outcome.FAIL, "estmesh-hearts", (FAULT,)),
    *(Case(f"t-{one}", "step", one, "openspiel-hearts", note="n") for one in Outcome),
)


def case_of(trace: str, *clauses: str) -> Case:
    """A failed case with one wrong answer, which goes against these clauses."""
    fault = attrs.evolve(FAULT, clauses=clauses)
    return Case(trace, "probe", Outcome.FAIL, "estmesh-hearts", (fault,))


LOST = Case("t-4", "legal", Outcome.CRASH, "estmesh-hearts", note="gone")
LISTED = Case("t-7", "step", Outcome.KNOWN, "estmesh-hearts")
MENDED = Case("t-6", "step", Outcome.KNOWN_BUT_PASSES, "estmesh-hearts")
FOUND = run_of(
    *CASES,
    adapter=("node", "my engine.js"),
    selection={"tier": "smoke"},
    card=results.EngineCard(
        "acme", "2.3", "Rust", ("any",), ("any",), ("step", "probe")
    ),
    faults=("bye: still running",),
    stale=("t-9: matches nothing",),
    stderr="panicked\n",
)


def found_in(*cases: Case, **more: Any) -> Run:
    """A copy of the run `FOUND` with these cases only, and without its other faults."""
    return attrs.evolve(FOUND, **{"cases": cases, "faults": (), "stale": (), **more})


WRITTEN = ("text", "jsonl", "junit", "markdown", "html")
TEXTS = st.text(
    st.characters(codec="utf-8") | st.sampled_from("\0\x1b\ud800\ufffe|`<&]"),
    max_size=9,
)


def test_json_lines_have_a_head_every_case_and_a_foot() -> None:
    lines = [json.loads(line) for line in jsonl(FOUND).splitlines()]
    assert lines[0]["report"] == 1
    assert lines[0]["card"]["name"] == "acme"
    cases = [line["case"] for line in lines if "case" in line]
    assert cases == [case.id for case in CASES]
    assert lines[1]["faults"][0]["clauses"] == ["5.3"]
    assert lines[-1]["exit"] == FOUND.exit_code == 2
    assert lines[-1]["pass_rate"] == "2/8"
    assert lines[-1]["coverage"] == "8/11"
    assert sum(lines[-1]["outcomes"].values()) == len(CASES)


def test_junit_counts_what_it_holds() -> None:
    root = Xml.fromstring(junit(FOUND))
    tests = root.findall("./testsuite/testcase")
    assert len(tests) == len(CASES) + 1
    assert root.get("tests") == str(len(tests))
    for suite in root.findall("testsuite"):
        for tag, name in (("failure", "failures"), ("error", "errors")):
            there = len(suite.findall(f"testcase/{tag}"))
            assert there == int(suite.get(name, "0"))
        assert len(suite.findall("testcase")) == int(suite.get("tests", ""))
    assert len(root.findall("./testsuite/testcase/failure")) == 3
    assert len(root.findall("./testsuite/testcase/skipped")) == 4


def test_junit_names_a_game_by_what_it_is_about() -> None:
    case = attrs.evolve(CASES[0], about="a revoke \x1b claimed")
    (test,) = Xml.fromstring(junit(attrs.evolve(FOUND, cases=(case,)))).findall(
        "./testsuite[@name='estmesh-hearts']/testcase"
    )
    assert test.get("name") == "a revoke \\x1b claimed (t-1)"
    assert test.get("classname") == "probe"


def test_junit_says_why_a_case_was_lost_and_that_a_known_failure_passes() -> None:
    late = attrs.evolve(CASES[0], outcome=Outcome.TIMEOUT, note="no answer within 2 s")
    root = Xml.fromstring(junit(found_in(late, MENDED)))
    (error,) = root.iter("error")
    (failure,) = root.iter("failure")
    assert error.get("message") == "timeout: no answer within 2 s"
    assert "expected refused by 5.3, got ok" in (error.text or "")
    said = "known_but_passes: a known failure, as listed, was expected"
    assert failure.get("message") == said


def test_junit_says_of_a_known_loss_how_it_was_lost() -> None:
    said = "no answer within 2 s"
    known = attrs.evolve(CASES[0], outcome=Outcome.KNOWN, note=said)
    (skipped,) = Xml.fromstring(junit(found_in(known))).iter("skipped")
    assert skipped.get("message") == f"known: {said}"


def test_junit_says_where_a_wrong_answer_was_if_it_was_at_a_step() -> None:
    whole = Fault(0, "open", (), "a game that may begin", "ok", "refused")
    case = attrs.evolve(CASES[0], faults=(FAULT, whole))
    (failure,) = Xml.fromstring(junit(found_in(case))).iter("failure")
    assert (failure.text or "").splitlines() == [
        "step 2, refuse (5.3): may seat 1 play 3H? expected refused by 5.3, got ok",
        "open: a game that may begin expected ok, got refused",
    ]


@pytest.mark.parametrize(("clause", "told"), [("5.3", True), ("0.10", False)])
def test_other_games_are_no_excuse_where_the_reading_of_the_book_is_broken(
    clause: str, told: bool
) -> None:
    case = case_of("t-1", clause)
    (fault,) = case.faults
    example = runs.Example(line="{}", fault=fault, right_under=("heartsgame-tiles",))
    found = attrs.evolve(FOUND, cases=(case,), examples={clause: example})
    assert clause in text(found)
    assert ("right under" in text(found)) is told


def test_the_summary_names_clause_example_and_command() -> None:
    said = text(FOUND)
    for part in (
        "5.3 Follow suit",
        "1 wrong answer in 1 of 8 games (acts to refuse 1)",
        "t-1, step 2",
        "Hearts as the Estmesh tutorial has it (estmesh-hearts)",
        "expected:    refused by 5.3",
        "got:         ok",
        "refengine conform run --trace t-1 -- node 'my engine.js'",
        "pass rate 25% (2 of 8 scored cases)",
        "coverage 72.7% (8 of 11 applicable cases)",
        "partial: tier smoke",
        "the conversation: bye: still running",
        "known failures: t-9: matches nothing",
        "    | panicked",
    ):
        assert part in said
    assert "5.3 Follow suit" in markdown(FOUND)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (found_in(CASES[0]), "1 clause not kept: 5.3 Follow suit"),
        (
            found_in(CASES[0], case_of("t-2", "5.5")),
            "2 clauses not kept: 5.3 Follow suit, 5.5 No points on the first trick",
        ),
        (
            found_in(case_of("t-3")),
            "1 wrong answer for which no clause could be named",
        ),
        (
            found_in(case_of("t-3"), case_of("t-5")),
            "2 wrong answers for which no clause could be named",
        ),
        (
            found_in(CASES[0], LOST),
            "1 clause not kept: 5.3 Follow suit; conversation lost: crash when asked "
            '"what is due?"',
        ),
        (found_in(CASES[1]), "all right in 1 game"),
        (
            found_in(CASES[1], LISTED),
            "nothing new is wrong in 2 games; 1 case fails as listed",
        ),
        (
            found_in(CASES[1], stale=FOUND.stale),
            "1 entry of the known failures does not apply",
        ),
        (found_in(MENDED), "1 known failure passes"),
        (
            found_in(CASES[0], MENDED, MENDED),
            "1 clause not kept: 5.3 Follow suit; 2 known failures pass",
        ),
        (found_in(), "too little was asked to tell"),
        (
            found_in(CASES[0], bugs=("x",)),
            "an internal error; 1 clause not kept: 5.3 Follow suit",
        ),
        (found_in(CASES[0], unreadable=("x",)), "something could not be read"),
    ],
)
def test_the_last_line_says_what_came_of_it(found: Run, said: str) -> None:
    assert text(found).splitlines()[-1].startswith(said)
    assert said in markdown(found).splitlines()[2]


def test_many_clauses_are_named_by_their_numbers() -> None:
    numbers = ("5.3", "5.4", "5.5", "5.6", "5.7", "6.1", "8.1")
    found = found_in(*(case_of(f"t-{number}", number) for number in numbers))
    last = text(found).splitlines()[-1]
    assert last.startswith("7 clauses not kept: ")
    assert all(number in last for number in numbers)
    assert len(last) < 200


def test_nothing_scored_is_never_a_rate() -> None:
    empty = attrs.evolve(FOUND, cases=())
    assert "pass rate none" in text(empty)
    assert "no case was scored" in text(empty)


@given(whole=st.integers(1, 10**6), part=st.integers(0, 10**6))
def test_only_all_is_a_hundred_percent(whole: int, part: int) -> None:
    part = min(part, whole)
    assert (percent(part, whole) == "100%") == (part == whole)


def test_what_a_format_cannot_hold_is_shown_all_the_same() -> None:
    found = found_in(failing("a\rb\x00c\ud800d", "probe", FAULT))
    assert 'name="a\ufffdb\ufffdc\ufffdd"' in junit(found)
    assert r"\~\~e\~\~" in markdown(attrs.evolve(found, faults=("~~e~~",)))


@pytest.mark.parametrize(
    ("name", "shown"),
    [("# mine", r"\# mine"), ("- mine", r"\- mine"), ("1. mine", r"1\. mine")],
)
def test_the_name_of_an_adapter_makes_no_heading_and_no_list(
    name: str, shown: str
) -> None:
    assert FOUND.card is not None
    card = attrs.evolve(FOUND.card, name=name)
    lines = markdown(attrs.evolve(FOUND, card=card)).splitlines()
    assert any(line.startswith(shown) for line in lines)
    assert not any(line.startswith(name) for line in lines)


def test_code_in_a_clause_stands_in_markdown_as_it_is() -> None:
    """Text between backticks cannot be escaped; special characters elsewhere are."""
    said = markdown(found_in(case_of("t-1", "8.5")))
    assert "`self_minus`" in said
    assert "self\\_minus" not in said
    assert reports._md("a_b `c_d*` ` e", with_code=True) == "a\\_b `c_d*` \\` e"


@settings(max_examples=30, deadline=None)
@given(said=TEXTS, name=TEXTS, note=TEXTS)
def test_whatever_an_adapter_says_every_report_is_well_formed(
    said: str, name: str, note: str
) -> None:
    fault = attrs.evolve(FAULT, got=said, asked=note)
    card = attrs.evolve(FOUND.card, name=name) if FOUND.card else None
    cases = (
        Case("t-1", "probe", Outcome.FAIL, "estmesh-hearts", (fault,)),
        Case("t-2", "step", Outcome.CRASH, note=note),
    )
    found = attrs.evolve(FOUND, cases=cases, card=card, stderr=said, stopped=note)
    for line in jsonl(found).removesuffix("\n").split("\n"):
        json.loads(line)
    Xml.fromstring(junit(found))
    assert Tags(html(found)).open == []
    assert text(found).count("probe") >= 1
    assert "## 5.3" in markdown(found)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_report_is_written_where_it_is_asked_for(name: str, tmp_path: Path) -> None:
    path = tmp_path / "report"
    assert read_target(f"{name}:{path}") == (name, str(path))
    write_report(FOUND, name, str(path), print)
    assert path.read_text("utf-8") == FORMATS[name](FOUND)
    said: list[str] = []
    write_report(FOUND, name, "-", said.append)
    assert said == [FORMATS[name](FOUND)]


@pytest.mark.parametrize("given", ["jsonl", "jsonl:", "pdf:x", ":x", ""])
def test_a_report_of_no_known_format_is_refused(given: str) -> None:
    with pytest.raises(Malformed, match="FORMAT:FILE"):
        read_target(given)


def test_a_report_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="cannot be written: no such folder"):
        write_report(FOUND, "text", str(tmp_path / "no" / "folder"), print)


@pytest.mark.parametrize(
    ("asked", "ends"), [(found_in(CASES[0]), 3), (found_in(CASES[0], bugs=("x",)), 70)]
)
def test_the_report_on_a_further_table_replaces_nothing_that_is_read(
    asked: Run, ends: int, folder: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [(asked, Selection(()))] * 2
    asking = conform_run_command._Asking
    monkeypatch.setattr(asking, "tables", lambda *given: tables)
    (folder / "report-2.jsonl").touch()
    files = ("--known", "report-2.jsonl", "--report", "jsonl:report.jsonl")
    words = ("--no-shrink", "--no-infer", "--format", "none", "--", "x")
    code, _, said = run("conform", "run", *files, *words)
    assert (code, "a file that this run reads" in said) == (ends, True)
    assert (folder / "report.jsonl").stat().st_size
    assert not (folder / "report-2.jsonl").stat().st_size


def test_of_an_adapter_that_never_began_the_reason_is_all_that_is_said() -> None:
    untold = tuple(Case(f"t-{one}", "step", Outcome.NOT_RUN) for one in range(9))
    said = "hello: the adapter ended with exit code 1"
    found = found_in(*untold, card=None, stopped=said)
    lines = text(found).splitlines()
    assert lines[0] == f"the run was stopped: {said}"
    assert "| panicked" in lines[2]
    assert lines[-1].startswith("the run did not finish")
    assert len(lines) == 4


def test_the_command_to_repeat_a_finding_has_all_limits() -> None:
    limits = results.Limits(op=3, batch=60, hello=120)
    said = text(attrs.evolve(FOUND, limits=limits))
    assert "--limit-op 3 --limit-batch 60 --limit-hello 120 -- node" in said


@pytest.mark.parametrize(
    ("question", "before", "then"), [("open", None, None), ("told", 0, 1)]
)
def test_a_question_about_a_beginning_or_what_follows_an_act_is_placed(
    question: str, before: int | None, then: int | None
) -> None:
    line = (places.TRACES / "deal.jsonl").read_text("utf-8").splitlines()[0]
    trace = read_trace(line.encode())
    wrong = fault_at(0 if question == "open" else 2, question, "5.3")
    case = failing(trace.id, "step", wrong)
    (finding,) = findings_of_run(run_of(case, lines={trace.id: line}))
    facts = dict(finding.facts)
    acts = [f"seat {one.act.seat}: {one.act}" for one in trace.steps]
    assert facts.get("acts before") == (None if before is None else acts[before])
    assert facts.get("then") == (None if then is None else acts[then])


@pytest.mark.parametrize("made_from", ["", "t-2", "its own"])
def test_a_small_game_is_made_from_the_one_that_was_made_smaller(
    made_from: str,
) -> None:
    """It need not be the game of the group's first example."""
    line = (places.TRACES / "deal.jsonl").read_text("utf-8").splitlines()[0]
    own = read_trace(line.encode()).id
    made_from = own if made_from == "its own" else made_from
    fault = fault_at(2, "legal", "5.3")
    example = runs.Example(line, fault, made_from=made_from)
    found = run_of(failing("t-1", "legal", fault), examples={"5.3": example})
    (finding,) = findings_of_run(found)
    facts = dict(finding.facts)
    source = made_from or "t-1"
    made = f", made from {source}" if source != own else ""
    assert facts["game"] == f"{own}, step 2{made}"
    assert facts["again"] == f"refengine conform run --trace {source} -- x"


def test_an_act_that_comes_several_times_is_told_once_with_their_number() -> None:
    line = data("examples", "01-draw.jsonl").read_text("utf-8").rstrip()
    trace = read_trace(line.encode())
    case = failing(trace.id, "legal", fault_at(4, "legal", "5.3"))
    (finding,) = findings_of_run(run_of(case, lines={trace.id: line}))
    told = dict(finding.facts)["acts before"]
    assert told == "seat 0: 5C, seat 1: draw, 2 times"


@pytest.mark.parametrize(
    ("clause", "headings"),
    [
        ("5.3", ["5.3 Follow suit"]),
        ("5.5", ["5.3 Follow suit", "5.5 No points on the first trick"]),
    ],
)
def test_answers_without_a_clause_are_told_with_the_clause_of_their_example(
    clause: str, headings: list[str]
) -> None:
    cases = (
        failing("t-1", "legal", fault_at(1, "legal", "5.3")),
        failing("t-2", "legal", fault_at(2, "legal")),
    )
    example = runs.Example("", fault_at(2, "legal", clause))
    run = run_of(*cases, examples={runs.UNNAMED: example})
    found = findings_of_run(run)
    assert [one.heading for one in found] == headings
    seen_too = "1 wrong answer in 1 game (what is due 1)" if clause == "5.3" else None
    assert dict(found[0].facts).get("seen too") == seen_too
    assert [case for one in found for case in one.cases] == [*cases]
    assert other_failed_cases(run, found) == []


@pytest.mark.parametrize(
    ("file", "shown"),
    [("01-draw.jsonl", "refengine show game.jsonl"), ("11-mini.jsonl", None)],
)
def test_only_a_game_with_acts_has_a_command_that_shows_it(
    file: str, shown: str | None
) -> None:
    line = data("examples", file).read_text("utf-8").rstrip()
    fault = fault_at(4, "legal", "5.3")
    example = runs.Example(line, fault, file="game.jsonl")
    found = run_of(failing("t-1", "legal", fault), examples={"5.3": example})
    (finding,) = findings_of_run(found)
    assert dict(finding.facts).get("show") == shown
    assert dict(finding.facts)["trace file"] == "game.jsonl"


def test_a_loss_has_a_table_only_where_its_step_is_known() -> None:
    line = (places.TRACES / "deal.jsonl").read_text("utf-8").splitlines()[0]
    trace = read_trace(line.encode())
    for step in (0, 1):
        lost = attrs.evolve(LOST, trace=trace.id, step=step, request='{"op":"legal"}')
        found = attrs.evolve(FOUND, cases=(lost,), lines={trace.id: line})
        (finding,) = findings_of_run(found)
        assert bool(finding.table) == bool(step)
        facts = dict(finding.facts)
        assert facts["sent"] == '{"op":"legal"}'
        assert "acts before" not in facts
