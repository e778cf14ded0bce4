"""Tests that all reports say in the same words what was asked at a table."""

import json
import re

import attrs
import pytest

from refengine.game.rulesets import Ruleset
from refengine_conformance.report.reports import FORMATS, jsonl, junit, text
from refengine_conformance.report.run_in_words import figures
from refengine_conformance.runner.results import Case, EngineCard, Outcome
from refengine_conformance.runner.table import Table
from refengine_conformance.runner.table_figures import Offer, TableFigures
from tests.support.runs import run_of

TABLE = Table(ruleset=Ruleset("estmesh-hearts"), hands="full", starts=["deal"])
ASKED = TableFigures(
    table=TABLE,
    seed=7,
    askable=("5.3", "8.1", "9.5", "9.6"),
    asked=("5.3", "8.1"),
    not_asked=(("9.5", "no deal ends a match"), ("9.6", "no deal ends a match")),
    left_out=(("3.1", "start not declared"), ("6.5", "stock")),
    funnel=(("games of the corpus", 825), ("with other hands", 0), ("dealt anew", 40)),
    offers=(Offer("starts match", 40, ("3.1",)),),
    untold=(("taken", ("5.11", "5.13")),),
)
FOUND = run_of(
    Case("t-1", "step", Outcome.PASS, "estmesh-hearts"),
    Case("t-2", "step", Outcome.UNSUPPORTED, "estmesh-hearts", applicable=False),
    card=EngineCard("acme", "2.3", "Rust", ("any",), ("any",), ("step",)),
    at_table=ASKED,
)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "jsonl"])
def test_every_report_says_what_was_asked_of_the_table(name: str) -> None:
    said = " ".join(FORMATS[name](FOUND).replace("\\", "").split())
    said = re.sub("</?a[^>]*>", "", said)  # a clause is a link
    for part in (
        "(estmesh-hearts), 4 players; whole hands",
        "clauses of this table asked: 2 of 4",
        "not asked: 9.5 The winners, 9.6 Ties played on (no deal ends a match)",
        "left out: 3.1 (start not declared); 6.5 (stock)",
        "declare starts match: up to 40 games more, clause 3.1",
        "tell taken: then 5.11, 5.13 can be judged",
        "of 825 games of the corpus: 40 dealt anew",
    ):
        assert part in said


def test_the_table_is_labelled_once() -> None:
    assert f"\nthe table: {TABLE.said}\n" in text(FOUND)
    assert f">The table</h2><p>{TABLE.said}</p>" in FORMATS["html"](FOUND)


def test_a_report_without_a_table_says_nothing_of_one() -> None:
    plain = attrs.evolve(FOUND, at_table=None)
    assert len(figures(plain)) == 2
    for name in FORMATS:
        assert "clauses of this table" not in FORMATS[name](plain)
    head, *_, end = map(json.loads, jsonl(plain).splitlines())
    assert "table" not in head
    assert end.keys().isdisjoint({"table", "clauses", "funnel", "offers", "seed"})


def test_json_lines_hold_the_figures_by_name() -> None:
    head, *_, end = map(json.loads, jsonl(FOUND).splitlines())
    assert head["table"] == end["table"] == TABLE.fields()
    assert (end["clauses"]["askable"], end["clauses"]["asked"]) == (4, 2)
    assert end["clauses"]["not_asked"][0] == {
        "clause": "9.5",
        "reason": "no deal ends a match",
    }
    assert end["funnel"][0] == {"why": "games of the corpus", "cases": 825}
    assert end["untold"] == [{"field": "taken", "clauses": ["5.11", "5.13"]}]


def test_junit_leaves_out_what_was_not_applicable() -> None:
    assert 'name="t-1"' in junit(FOUND)
    assert 'name="t-2"' not in junit(FOUND)
    assert 'name="t-2"' in junit(attrs.evolve(FOUND, at_table=None))


@pytest.mark.parametrize(("least", "code"), [(None, 0), (50, 0), (50.1, 4), (100, 4)])
def test_fewer_clauses_than_wanted_is_exit_4(least: float | None, code: int) -> None:
    found = attrs.evolve(FOUND, at_table=attrs.evolve(ASKED, least=least))
    assert found.exit_code == code
    assert ("2 of 4 clauses asked; wanted at least" in text(found)) is bool(code)


def test_the_flags_ask_for_the_same_games_again() -> None:
    flags = " ".join(ASKED.flags)
    assert flags.startswith("--profile estmesh-hearts --players 4 --hands full")
    assert flags.endswith("--seed 7")
