"""Tests of the tables that an engine plays, given by flags or by its `hello`.

They check which games are asked, what is reported, and the exit codes.
"""

import json
import shlex
import sys
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from refengine.errors import Malformed
from refengine.game.values.cardset import CardSet
from refengine_conformance.commands import conform_run_command
from refengine_conformance.data import data
from refengine_conformance.report.reports import jsonl
from refengine_conformance.runner.known_failures import sort_known
from refengine_conformance.runner.results import Case, Outcome
from refengine_conformance.runner.runner import Settings
from refengine_conformance.runner.runner import run as run_corpus
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import (
    BESIDE,
    CORPUS,
    Choice,
    Selection,
    of_corpus,
)
from refengine_conformance.tables import case_set
from refengine_conformance.tables.aimed_games import AimedSet
from refengine_conformance.tables.typed_table import TableFlags
from tests.support import places
from tests.support.commands import Runner
from tests.support.refusing import malformed
from tests.support.runs import failing, fault_at, run_of

PLAIN = (sys.executable, str(data("adapters", "plain_adapter.py")))
WHOLE = ("--hands", "full", "--starts", "deal")
DEALS: dict[str, Any] = {
    "profile": "estmesh-hearts",
    "hands": "full",
    "starts": ["deal"],
}
SOME = "step legal probe observe pass moon.choice"


@pytest.fixture(autouse=True)
def _few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out games that are built for certain clauses, and most fresh deals.

    The built games take longest. Full runs of the engines are left to
    test_whole_hands.py and to `make engines`.
    """
    nothing = AimedSet((), {}, ())
    monkeypatch.setattr(case_set, "aimed_set", lambda *given: nothing)
    monkeypatch.setattr(case_set, "MOST_SHAPES", 8)


@pytest.fixture
def asked(run: Runner, folder: Path) -> Runner:
    """A function that calls `refengine conform run` in a folder made for one test."""
    return partial(run, "conform", "run")


def declaring(*tables: dict[str, Any], keep: str = SOME) -> tuple[str, ...]:
    """The command that runs our engine as an adapter that declares these tables."""
    script = str(places.ROOT / "tests" / "support" / "tables_adapter.py")
    return sys.executable, script, json.dumps(tables), keep


def of_whole_corpus(command: tuple[str, ...]) -> Run:
    """The result of running the whole published corpus with this adapter."""
    choice = Choice()
    corpus = of_corpus(CORPUS, choice)
    return run_corpus(corpus, Settings(command=command), choice.fields(True))


def lines_of(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.unmeasured
def test_a_report_has_table_clauses_and_funnel(asked: Runner) -> None:
    flags = ("--starts", "deal", "--seed", "5", "--format", "jsonl")
    code, out, _ = asked(*flags, "--", "builtin:reference")
    assert code == 0
    head, *_, end = lines_of(out)
    table = {**DEALS, "players": [4], "options": {}, "hands": "any", "pack": "any"}
    assert head["table"] == end["table"] == {**table, "cards": ""}
    clauses = end["clauses"]
    assert clauses["askable"] - clauses["asked"] == len(clauses["not_asked"])
    assert clauses["asked"] > 20
    assert {*clauses["not_asked"][0]} == {"clause", "reason"}
    assert {one["reason"] for one in clauses["left_out"]} >= {"stock", "kitty"}
    games, *away = end["funnel"]
    assert games["cases"] > 700
    assert all(one["why"] and one["cases"] >= 0 for one in away)
    assert end["seed"] == 5


@pytest.mark.unmeasured
def test_hello_declares_what_flags_say(asked: Runner) -> None:
    words = ("--format", "jsonl", "--no-infer")
    typed = asked(*WHOLE, *words, "--", *declaring())
    declared = asked(*words, "--", *declaring(DEALS))
    assert typed[0] == declared[0] == 0
    one, other = lines_of(typed[1]), lines_of(declared[1])
    assert one[1:] == other[1:]
    assert one[0]["table"] == other[0]["table"]
    seeded = asked("--seed", "2026", *words, "--", *declaring(DEALS))
    assert lines_of(seeded[1])[1:] == other[1:], "a seed alone names no table"


@pytest.mark.unmeasured
def test_the_command_line_replaces_the_tables_of_hello(asked: Runner) -> None:
    adapter = declaring({"profile": "gamerules-domino"})
    _, out, _ = asked(*WHOLE, "--format", "jsonl", "--", *adapter)
    assert lines_of(out)[-1]["table"]["profile"] == "estmesh-hearts"


def test_the_published_corpus_is_asked_whatever_is_declared(asked: Runner) -> None:
    adapter = declaring(DEALS, keep="step legal")
    words = ("--tier", "smoke", "--format", "jsonl")
    code, out, _ = asked(*words, "--profile", "openspiel-hearts", "--", *adapter)
    lines = lines_of(out)
    assert code == 0
    assert lines[0]["selection"] == {"tier": "smoke", "profile": "openspiel-hearts"}
    assert {line["profile"] for line in lines if "case" in line} == {"openspiel-hearts"}
    assert "clauses" not in lines[-1]
    assert "table" not in lines[0]


@pytest.mark.parametrize(
    ("shown", "begins"),
    [("html", "<!doctype html>"), ("markdown", "# Conformance"), ("none", "")],
)
def test_a_run_is_printed_as_any_report(asked: Runner, shown: str, begins: str) -> None:
    words = ("--tier", "smoke", "--profile", "black-maria", "--format", shown)
    code, out, _ = asked(*words, "--", "builtin:reference")
    assert code == 0
    assert out.startswith(begins)
    assert bool(out) == bool(begins)


def test_a_seed_alone_is_that_of_the_usual_table_where_none_is_declared(
    asked: Runner,
) -> None:
    code, out, _ = asked("--seed", "7", "--format", "jsonl", "--", "builtin:reference")
    foot = json.loads(out.splitlines()[-1])
    assert code == 0
    assert (foot["table"]["profile"], foot["seed"]) == ("estmesh-hearts", 7)


@pytest.mark.unmeasured
def test_an_adapter_without_tables_gets_the_published_corpus(asked: Runner) -> None:
    adapter = declaring(keep="wrong")
    found = of_whole_corpus(adapter)
    assert asked("--format", "jsonl", "--", *adapter)[:2] == (4, jsonl(found))
    assert found.exit_code == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--profile", "whist"), "whist"),
        (("--players", "5"), "2.6"),
        (("--option", "moon=eclipse"), "eclipse"),
        (("--option", "undealt=stock"), "3.9a"),
        (("--hands", "many"), "many"),
        (("--hands", "14"), "14 cards a hand"),
        (("--starts", "deal,later"), "later"),
        (("--needs-card", "1C"), "1C"),
        (("--tier", "smoke", "--hands", "full"), "--hands"),
        (("--corpus", "x.jsonl", "--seed", "1"), "--seed"),
        (("--scheduler", "tcp://x", "--players", "4"), "--players"),
    ],
)
def test_a_wrong_table_on_the_command_line_is_exit_3(
    asked: Runner, words: tuple[str, ...], said: str
) -> None:
    code, _, err = asked(*words, "--", "builtin:reference")
    assert code == 3
    assert said in err


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"profile": "whist"}, "whist"),
        ({"profile": "estmesh-hearts", "players": [5]}, "2.6"),
        ({"profile": "estmesh-hearts", "options": {"moon": "eclipse"}}, "eclipse"),
        ({"profile": "estmesh-hearts", "hands": 14}, "14 cards a hand"),
    ],
)
def test_a_wrong_table_in_hello_is_one_clear_message(
    asked: Runner, table: dict[str, Any], said: str
) -> None:
    adapter = declaring(DEALS, table)
    code, out, _ = asked("--format", "text", "--", *adapter)
    assert code == 2
    stopped = [line for line in out.splitlines() if said in line]
    assert len(stopped) == 1
    assert stopped[0].startswith("the run was stopped: hello: field tables[1]")
    _, out, _ = asked("--format", "jsonl", "--", *adapter)
    assert lines_of(out)[-1]["outcomes"]["protocol"] == 1


def test_several_tables_have_a_report_each_and_the_gravest_code(
    asked: Runner, tmp_path: Path
) -> None:
    three = {"profile": "pokerwiner-hearts", "players": [3, 4], "starts": ["deal"]}
    adapter = declaring(DEALS, three)
    report = f"junit:{tmp_path / 'report.xml'}"
    code, out, _ = asked("--format", "jsonl", "--report", report, "--", *adapter)
    ends = [line for line in lines_of(out) if "end" in line]
    tables = [(end["table"]["profile"], *end["table"]["players"]) for end in ends]
    assert tables == [
        ("estmesh-hearts", 4),
        ("pokerwiner-hearts", 3),
        ("pokerwiner-hearts", 4),
    ]
    assert code == 0
    written = sorted(path.name for path in tmp_path.glob("*.xml"))
    assert written == ["report-2.xml", "report-3.xml", "report.xml"]
    unplayed = {"profile": "estmesh-hearts", "hands": 1, "starts": ["position"]}
    code, out, _ = asked("--format", "jsonl", "--", *declaring(DEALS, unplayed))
    exits = [line["exit"] for line in lines_of(out) if "end" in line]
    assert code == 4
    assert exits == [0, 4]


@pytest.mark.unmeasured
def test_too_few_clauses_asked_is_exit_4_and_findings_come_first(asked: Runner) -> None:
    words = ("--starts", "deal", "--format", "text", "--no-shrink", "--at-least", "99")
    code, out, _ = asked(*words, "--", *declaring(keep=f"{SOME} wrong"))
    assert code == 4
    assert "wanted at least 99 percent" in out
    assert out.index("5.3 Follow suit") < out.index("wanted at least")
    fine = ("--starts", "deal", "--format", "none", "--at-least", "50")
    assert asked(*fine, "--", *declaring())[0] == 0


def test_at_least_needs_a_table(asked: Runner) -> None:
    code, _, err = asked(
        "--at-least", "90", "--tier", "smoke", "--", "builtin:reference"
    )
    assert code == 3
    assert "--at-least" in err


@pytest.mark.unmeasured
def test_the_command_that_shows_a_case_again_does(asked: Runner) -> None:
    words = (*WHOLE, "--seed", "7", "--format", "text", "--no-shrink", "--no-infer")
    code, out, _ = asked(*words, "--", *declaring(keep=f"{SOME} wrong"))
    assert code == 1
    again = next(line for line in out.splitlines() if line.startswith("    again:"))
    command = shlex.split(again.partition("again:")[2])
    assert command[:3] == ["refengine", "conform", "run"]
    assert "--seed 7" in again
    assert "--hands full --starts deal" in again
    name = command[command.index("--trace") + 1]
    code, out, _ = asked("--format", "jsonl", "--no-shrink", "--no-infer", *command[3:])
    assert code == 1
    cases = [line["case"] for line in lines_of(out) if "case" in line]
    assert {one.partition("/")[0] for one in cases} == {name}


@pytest.mark.unmeasured
def test_a_smaller_game_can_be_played_at_the_table_too(
    asked: Runner, tmp_path: Path
) -> None:
    words = (*WHOLE, "--clause", "5.3", "--format", "none", "--no-infer")
    code, _, _ = asked(*words, "--", *declaring(keep=f"{SOME} wrong"))
    assert code == 1
    games = [*(tmp_path / "counterexamples").glob("*.jsonl")]
    assert games
    for path in games:
        hands = json.loads(path.read_text("utf-8"))["setup"]["hands"]
        assert [len(hand.split()) for hand in hands] == [13] * 4


@pytest.mark.unmeasured
def test_a_clause_chooses_within_the_set(asked: Runner) -> None:
    words = ("--starts", "deal", "--format", "jsonl", "--clause", "8.1")
    code, out, _ = asked(*words, "--", "builtin:reference")
    some = lines_of(out)
    assert code == 0
    assert some[0]["selection"] == {"clause": "8.1"}
    whole = lines_of(asked(*words[:-2], "--", "builtin:reference")[1])
    assert 10 < some[-1]["cases"] < whole[-1]["cases"]
    reasons = {one["reason"] for one in some[-1]["clauses"]["not_asked"]}
    assert "the games that show it were not chosen" in reasons


@pytest.mark.unmeasured
def test_junit_holds_what_was_applicable(asked: Runner, tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    words = ("--players", "4", "--format", "none", "--report", f"junit:{path}")
    asked(*words, "--profile", "gamerules-domino", "--", *PLAIN)
    assert Xml.parse(path).findall("./testsuite[@name='gamerules-domino']") == []
    asked(*words, "--", *PLAIN)
    assert Xml.parse(path).findall("./testsuite[@name='estmesh-hearts']/testcase")


def test_an_adapter_that_does_not_start_is_reported_as_ever(asked: Runner) -> None:
    nowhere = ("/no/such/adapter",)
    found = of_whole_corpus(nowhere)
    assert asked("--format", "jsonl", "--", *nowhere)[:2] == (2, jsonl(found))
    assert found.exit_code == 2


def test_a_known_failure_of_a_clause_may_show_at_one_table_alone(
    asked: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = failing("t-2", "legal", fault_at(1, "legal", "5.3"))
    played = iter((Case("t-1", "legal", Outcome.PASS), wrong))

    def table(self: Any, *given: object) -> tuple[Run, Selection]:
        found = sort_known((next(played),), self.known, date(2026, 11, 21), False)
        return run_of(*found.cases, stale=found.stale), Selection(())

    monkeypatch.setattr(conform_run_command._Asking, "_table", table)
    monkeypatch.setattr(conform_run_command, "tables_in_hello", lambda *given: (1, 2))
    monkeypatch.setattr(conform_run_command, "case_set", lambda *given: None)
    (folder / "known.jsonl").write_text(
        '{"clause":"5.3","why":"being mended","until":"2099-12-31"}\n', "utf-8"
    )
    words = ("--known", "known.jsonl", "--no-shrink", "--no-infer", "--format", "none")
    assert asked(*words, "--", "x") == (0, "", "")


@pytest.mark.slow  # 20 seconds; the other test of several tables stays
@pytest.mark.unmeasured
def test_known_failures_of_one_table_are_not_stale_at_another(
    asked: Runner, tmp_path: Path
) -> None:
    domino = {"profile": "gamerules-domino", "players": [2], "hands": "full"}
    adapter = declaring(DEALS, domino, keep=f"{SOME} stock wrong")
    known = tmp_path / "known.jsonl"
    brief = ("--no-shrink", "--no-infer", "--format")
    assert asked(*brief, "none", "--write-known", str(known), "--", *adapter)[0] == 1
    code, out, _ = asked(*brief, "jsonl", "--known", str(known), "--", *adapter)
    ends = [line for line in lines_of(out) if "end" in line]
    assert [end["troubles"] for end in ends] == [[], []]
    assert code == 0
    assert all(end["outcomes"]["known"] for end in ends)


@pytest.mark.unmeasured
def test_a_failed_case_of_a_table_is_explained(
    asked: Runner, run: Runner, tmp_path: Path
) -> None:
    report = tmp_path / "report.jsonl"
    words = (*WHOLE, "--seed", "3", "--no-shrink", "--no-infer", "--format", "none")
    told = ("--report", f"jsonl:{report}")
    asked(*words, *told, "--", *declaring(keep=f"{SOME} wrong"))
    code, out, _ = run("explain", str(report))
    assert code == 0
    assert "the engine says ok" in out
    assert "5.3 Follow suit" in out


GAME = next(iter((CORPUS / "smoke.jsonl").read_bytes().splitlines()))
NO_GAME = next(iter((BESIDE / "openings.jsonl").read_bytes().splitlines()))


@pytest.mark.parametrize("line", [GAME, NO_GAME], ids=["a game", "no game"])
def test_whether_a_game_may_begin_is_explained_without_a_ruling(
    line: bytes, run: Runner, tmp_path: Path
) -> None:
    name = json.loads(line)["id"]
    fault = {"step": 0, "question": "open", "asked": "may this match begin?"}
    fault |= {"expected": "refused by 2.6", "got": "ok", "clauses": ["2.6"]}
    report = tmp_path / "report.jsonl"
    report.write_text(json.dumps({"case": f"{name}/openings", "faults": [fault]}))
    code, out, _ = run("explain", str(report))
    assert code == 0
    assert out.splitlines() == [
        f"{name}/openings, the beginning: may this match begin?",
        "  the book says   refused by 2.6",
        "  the engine says ok",
        "",
    ]


@pytest.mark.parametrize("prefix", ["", "hearts-"])
def test_a_seed_alone_names_no_table(prefix: str) -> None:
    alone = TableFlags(seed_given=7, prefix=prefix)
    assert (alone.given, alone.names_table) == ((f"--{prefix}seed",), False)
    assert TableFlags(seed_given=7, players=4, prefix=prefix).names_table


def test_a_card_that_must_be_in_play_is_read_as_people_write_it() -> None:
    typed = TableFlags(cards=("10h", "Q\u2660", "two of clubs"))
    assert typed.table().cards == CardSet("TH QS 2C")
    assert TableFlags(cards=("QS", "QS")).table().cards == CardSet("QS")
    with pytest.raises(Malformed, match="queen of spades"):
        TableFlags(cards=("the joker",)).table()


@pytest.mark.parametrize(
    "typed",
    [TableFlags(profile=""), TableFlags(hands=""), TableFlags(hands="9" * 5000)],
    ids=["no profile", "no hands", "more digits than Python reads"],
)
def test_a_table_flag_without_a_value_or_with_too_long_a_number_is_malformed(
    typed: TableFlags,
) -> None:
    assert malformed(typed.table).where == typed.given[0]
