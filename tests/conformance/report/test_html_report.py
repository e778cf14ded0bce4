"""Tests of the HTML report: it is one self-contained page that a browser can open."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import attrs
import pytest

from refengine import Play, Ruleset, Setup
from refengine.formats.trace import Probe, Step, Trace, write_trace
from refengine.lawbook.book import clause
from refengine.lawbook.citing import citation_today
from refengine_conformance.report.html_report import Cited, html
from refengine_conformance.runner import results
from refengine_conformance.runner.results import Case, Fault, Outcome
from refengine_conformance.runner.runs import Example, Run
from tests.support.html_tags import Tags
from tests.support.runs import failing, run_of

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LOST = "t-0000000000000001"


def trace() -> Trace:
    """A game that ends with a heart led by seat 3 against the rules."""
    ruleset = Ruleset("estmesh-hearts", 4, {"pass_cycle": []})
    hands = ["2C 3C", "4C 2D", "5C 3D", "QC 2H"]
    setup = Setup(dealer=3, hands=hands, leader=0, first_trick=True)
    plays = [Play(0, "2C"), Play(1, "4C"), Play(2, "5C"), Play(3, "QC"), Play(3, "2H")]
    tried = (Probe(Play(0, "3C"), ("2.3",)),)
    steps = (Step(act=one, refuse=tried if one.seat == 1 else ()) for one in plays)
    return Trace(ruleset=ruleset, start=setup, steps=tuple(steps), end={})


def run(**more: Any) -> Run:
    line = write_trace(trace()).decode()
    name = line.split('"id":"')[1][:18]
    faults = (
        Fault(2, "refuse", ("2.3",), "may seat 0 play 3C?", "refused by 2.3", "ok"),
        Fault(4, "then.trick", ("5.10",), "trick after step 4?", "seat 3", "<seat 0>"),
    )
    cases = (
        Case(name, "probe", Outcome.FAIL, "estmesh-hearts", faults[:1]),
        Case(name, "observe", Outcome.FAIL, "estmesh-hearts", faults[1:]),
        Case(name, "step", Outcome.PASS, "estmesh-hearts"),
        Case(LOST, "step", Outcome.CRASH, "estmesh-hearts", note="died & <gone>"),
    )
    any_game = (("any",), ("any",), ("step",))
    made = run_of(
        *cases,
        adapter=("node", "my engine.js"),
        selection={"tier": "smoke"},
        card=results.EngineCard("acme <hearts>", "2.1", "JavaScript", *any_game),
        lines={name: line},
        stderr="TypeError: <x>",
    )
    return attrs.evolve(made, **more)


def read(page: str) -> Tags:
    tags = Tags(page)
    assert tags.open == []
    return tags


def test_the_page_is_whole_and_needs_nothing_else() -> None:
    page = read(html(run()))
    assert all(one.startswith("#") for one in page.loads)  # within the page
    assert "script" not in page.seen
    assert page.seen.count("h1") == 1


def test_the_page_shows_clause_text_game_and_command() -> None:
    text = read(html(run())).text
    assert "2.3 Turn" in text
    assert "An act MUST come from a seat that is to act." in text
    assert "may seat 0 play 3C?" in text
    assert "refused by 2.3" in text
    assert "refengine conform run" in text
    assert "'my engine.js'" in text
    assert "hearts not broken" in text
    finding = text.partition("The 2 cases that failed")[0]
    assert "trick after step 4?" not in finding  # the game went astray before
    assert "1 clause not kept: 2.3 Turn" in text
    assert "exit 1" not in text
    assert "died & <gone>" in text
    assert "TypeError: <x>" in text
    assert "acme <hearts> 2.1" in text


def test_every_case_that_failed_is_in_the_page_once() -> None:
    card = run().card
    deviating = attrs.evolve(card, deviations=(("5.3", "not yet"),)) if card else None
    cases = tuple(
        Case(f"t-{outcome}-{kind}", kind, outcome, "black-maria", note="some note")
        for outcome in Outcome
        for kind in ("step", "legal", "hello")
    )
    page = html(run(cases=(*run().cases, *cases), card=deviating))
    found = read(page)
    failed = {"fail", "crash", "timeout", "protocol", "error", "known_but_passes"}
    for case in (*run().cases, *cases):
        rows = page.count(f"<th scope='row'>{case.id}<")
        assert rows == (str(case.outcome) in failed), case.id
    assert "a known failure, as listed" in found.text
    assert "Other cases that failed" in found.text


def test_every_clause_that_is_named_is_told_with_its_citation() -> None:
    page = html(run())
    found = read(page)
    linked = {one for one in found.loads if one.startswith("#clause-")}
    assert linked == {"#clause-2.3"}
    assert page.count('id="clause-2.3"') == 1
    assert str(citation_today(clause("2.3"))) in found.text


@pytest.mark.parametrize(
    "text", ["version 5.3.1", "5.3%", "a5.3", "99.9", "t-5.3", "no answer in 2.5 s"]
)
def test_what_only_looks_like_a_clause_is_no_link(text: str) -> None:
    assert "href" not in Cited().linked(text)


def test_a_clause_is_linked_beside_what_must_be_escaped() -> None:
    linked = '<a href="#clause-5.3">5.3</a> &lt;b&gt;'
    assert Cited().linked("5.3 <b>") == linked


def test_a_case_says_how_many_answers_are_wrong() -> None:
    first = run().cases[0]
    for more, said in ((1, "(and 1 more wrong answer)"), (2, "(and 2 more wrong")):
        several = attrs.evolve(first, faults=first.faults * (more + 1))
        assert said in read(html(run(cases=(several,)))).text


def test_a_case_says_at_which_step_the_conversation_was_lost() -> None:
    lost = Case("t-9", "step", Outcome.CRASH, note="it ended", step=7, request="{}")
    said = read(html(run(cases=(lost,)))).text
    assert "step 7: how does the game go?" in said
    assert "crash: it ended" in said


def test_a_run_without_cases_has_no_table_of_levels() -> None:
    assert "of scored" in html(run())
    assert "of scored" not in html(run(cases=(), lines={}))


def test_a_run_without_faults_says_so() -> None:
    good = run(cases=run().cases[2:3], lines={}, stderr="", selection={})
    text = read(html(good)).text
    assert "All right in 1 game." in text
    assert "no answer that was scored goes against a clause" in text
    assert "Lost conversations" not in text


def test_a_run_in_which_nothing_was_scored_says_so() -> None:
    none = run(cases=(), lines={}, card=None, stopped="the adapter died")
    text = read(html(none)).text
    assert "Nothing was scored." in text
    assert "the run was stopped: the adapter died" in text
    assert "The run did not finish" in text


def test_a_shrunk_game_takes_the_place_of_the_long_one() -> None:
    long = trace()
    short = attrs.evolve(long, steps=long.steps[:2])
    fault = Fault(2, "refuse", ("2.3",), "may seat 0 play 3C now?", "no", "yes")
    small = {"2.3": Example(write_trace(short).decode(), fault)}
    text = read(html(run(examples=small))).text
    assert "may seat 0 play 3C now?" in text
    assert write_trace(short).decode() in text


def test_a_fault_without_clause_or_trace_is_shown_in_words() -> None:
    fault = Fault(0, "games", (), "how many games?", "24", "25")
    case = failing("m-0000000000000001", "enumerate", fault)
    text = read(html(run(cases=(case,), lines={}))).text
    assert "no clause could be named" in text
    assert "how many games?" in text


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    path.write_text(html(run()), "utf-8")
    return path


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_the_page_opens_in_a_browser(page: Path, tmp_path: Path) -> None:
    shot = tmp_path / "shot.png"
    assert CHROMIUM is not None
    quietly = [
        *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"),
        *("--no-first-run", "--disable-background-networking"),
        *("--disable-component-update", "--disable-sync"),
    ]
    seen = ["--window-size=900,1600", f"--screenshot={shot}", page.as_uri()]
    kept = f"--user-data-dir={tmp_path / 'chromium'}"
    command = [CHROMIUM, *quietly, kept, *seen]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert shot.read_bytes().startswith(b"\x89PNG")
    assert shot.stat().st_size > 20_000


def test_a_hello_that_is_wrong_is_no_question_about_a_game() -> None:
    wrong = Case("hello", "hello", Outcome.PROTOCOL, note="hello: field ok.spec: no")
    page = html(run_of(wrong, stopped="hello: field ok.spec: no"))
    assert "how does the game go?" not in page
    assert "<span> ()</span>" not in page
    assert "who are you" in page
