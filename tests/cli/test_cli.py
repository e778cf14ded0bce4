"""Tests of the command line: its output and exit codes, in success and failure."""

import importlib.metadata
import importlib.util
import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Sequence
from io import StringIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import cast

import click
import pytest

import refengine
from refengine import Ruleset, State
from refengine.cli.main import main
from refengine.cli.terminal_match import play_match, situation_words
from refengine.formats.generate import Manner, random_deals
from refengine.formats.trace import write_trace
from refengine.formats.whole_files import write_file
from refengine.game.typed import HELP, HELP_LINES, read_act
from refengine.jobs.progress import progress_bar
from refengine.lawbook.book import SPEC, registry
from refengine.lawbook.in_short import in_short
from refengine_conformance.commands.conform_command import TOOLS, run_tool
from tests.support.commands import Runner, error_of
from tests.support.playing import played_deal
from tests.support.refusing import malformed


def test_the_version_says_how_it_runs_and_which_book(run: Runner) -> None:
    code, out, _ = run("--version")
    assert code == 0
    assert refengine.__version__ in out
    assert refengine.__mode__ in out
    assert f"HFR {registry()['version']} (" in out
    assert out.count("\n") == 1


def test_every_command_that_is_listed_is_there_and_no_other() -> None:
    conform = main.get_command(click.Context(main), "conform")
    assert isinstance(conform, click.Group)
    for group in (main, conform):
        context = click.Context(group)
        for name in group.list_commands(context):
            found = group.get_command(context, name)
            assert found is not None
            assert found.name == name
            assert found.get_short_help_str()
        assert group.get_command(context, "nonsense") is None


@pytest.mark.parametrize("words", [(), ("conform",)])
def test_every_command_tells_what_it_does(words: tuple[str, ...], run: Runner) -> None:
    group = main.get_command(click.Context(main), words[0]) if words else main
    assert isinstance(group, click.Group)
    for name in sorted({*group.commands} - {*TOOLS}):
        code, out, err = run(*words, name, "--help")
        assert (code, err) == (0, ""), name
        assert out.startswith("Usage: "), name


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_tells_what_it_does_and_does_it_not(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_tool(name, ("--help",)) == 0
    out, err = capfd.readouterr()
    assert (err, f"refengine conform {name}" in " ".join(out.split())) == ("", True)


@pytest.mark.parametrize("words", [(), ("conform",)])
def test_help_has_every_command_in_one_line_under_a_heading(
    words: tuple[str, ...], run: Runner
) -> None:
    code, out, _ = run(*words, "--help")
    assert code == 0
    listed = out.partition("Show this message and exit.")[2].strip().splitlines()
    rows = [line for line in listed if line.startswith("  ")]
    headings = [line for line in listed if line and line not in rows]
    assert len(headings) == 3
    assert all(line.endswith(":") for line in headings)
    group = main.get_command(click.Context(main), words[0]) if words else main
    assert isinstance(group, click.Group)
    assert [row.split()[0] for row in rows] == [*group.commands]
    assert all(len(row) <= 80 and row.endswith((".", "?")) for row in rows)


def test_a_command_whose_package_is_not_installed_says_so(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: ())
    said = "refengine: conform is not installed here: pip install refengine-conform\n"
    assert run("conform", "run") == (3, "", said)
    assert "No such command 'whist'" in error_of(run, "whist")


def test_help_and_version_have_the_names_that_people_try(run: Runner) -> None:
    assert run("help") == run("--help")
    assert run("help", "conform", "run") == run("conform", "run", "--help")
    assert run("-V") == run("--version")


def test_what_is_meant_for_an_adapter_comes_after_two_dashes(run: Runner) -> None:
    for name in ("run", "identify"):
        code, _, err = run("conform", name, "python", "my.py", "-p", "3")
        assert code == 3
        assert err.endswith(f"conform {name} -- COMMAND\n")
    assert "--" not in run("explain", "-p")[2]


def test_several_clauses_are_shown_one_after_the_other(run: Runner) -> None:
    one, other = run("rule", "5.3")[1], run("rule", "5.4")[1]
    both = (0, f"{one}\n{other}", "")
    for words in ("5.3 §5.4", "§ 5.3 § 5.4", "§§ 5.3, 5.4", "'§§ 5.3, 5.4'"):
        assert run(f"rule {words}") == both
    _, out, _ = run("rule", "5.3,", "5.4", "--json")
    assert [json.loads(line)["number"] for line in out.splitlines()] == ["5.3", "5.4"]
    assert run("rule", "5.3", "5.99")[0] == 3


def test_what_can_be_said_once_is_not_said_twice(run: Runner) -> None:
    line = "explain --hand QS --option limit=50 --option moon=none"
    assert run(line)[0] == 0
    assert run(f"{line} --hand JD") == (3, "", "refengine: --hand is given twice\n")
    twice = "--option limit=5 --option limit=6"
    for command in ("irregularities --profile heartsgame-tiles", "convert -"):
        assert "--option: found limit twice" in run(f"{command} {twice}")[2]


@pytest.mark.parametrize(
    "line",
    [
        "conform run --log '' -- false",
        "conform run --known '' -- false",
        "conform run --counterexamples '' -- false",
        "conform run --write-known= -- false",
        "conform run --corpus '' -- false",
        "conform deals --output ''",
        "house-rules --html ''",
        "stamp --output '' file",
        *(f"{name} ''" for name in ("replay", "judge", "show", "explain", "stamp")),
        "diff '' file",
    ],
)
def test_an_empty_path_is_no_path(run: Runner, line: str) -> None:
    code, out, err = run(line)
    assert (code, out, err.endswith(": the path is empty\n")) == (3, "", True), err


@pytest.mark.parametrize("words", [(), ("conform",), ("rule", "--help"), ("-h",)])
def test_where_python_leaves_out_docstrings_help_says_so(
    words: tuple[str, ...],
) -> None:
    def under(optimize: str, *words: str) -> tuple[int, str, str]:
        command = [sys.executable, "-P", "-m", "refengine", *words]
        environment = {**os.environ, "PYTHONOPTIMIZE": optimize}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    assert error_of(under, "2", *words) == (
        "refengine: Python leaves out the text of the help under -OO or "
        "PYTHONOPTIMIZE=2: run it without\n"
    )
    assert under("2", "rule", "5.3") == under("", "rule", "5.3")


def test_what_a_revoke_costs_counts_where_the_plus_may_lose_the_match(
    run: Runner,
) -> None:
    """By 9.7 and 7.10 the totals are 80, 89 (50 + 26 + 13) and 121: seat 0 is lowest.

    Without the 13 seat 1 would be lowest with 76, and seat 0 would score minus 26.
    """
    _, out, _ = run(
        "explain --score '2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS / /' --revoked 1 "
        "--totals '80 50 95' --players 3 --profile heartsgame-tiles "
        "--option moon=others_plus_unless_losing --json"
    )
    said = json.loads(out)["headline"]
    assert said.endswith("seat 0 pays nothing, seat 1 pays 39 and seat 2 pays 26.")


def test_a_command_mistyped_is_named(run: Runner) -> None:
    code, _, said = run("profil")
    assert (code, "'profile'" in said) == (3, True)


def test_proofs_are_of_the_source_also_where_it_is_compiled(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[Sequence[str]] = []

    def call(words: Sequence[str], **_: object) -> None:
        called.append(words)

    there = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name: there("json" if name == "z3" else name),
    )
    monkeypatch.setattr(subprocess, "call", call)
    run("conform", "proofs", "--deep")
    run("conform", "registry", "--check")
    assert [[*words[-3:]] for words in called] == [
        [
            "refengine_conformance.mutants.from_source",
            "refengine_conformance.proofs",
            "--deep",
        ],
        ["go-on", "refengine_conformance.lawbook_checks.registry", "--check"],
    ]


def test_every_profile_is_listed_and_shown(run: Runner) -> None:
    code, out, _ = run("profiles")
    assert code == 0
    assert [line.split()[-1] for line in out.splitlines()] == list(
        refengine.profile_names()
    )
    for name in refengine.profile_names():
        code, out, _ = run("profile", name)
        assert code == 0
        assert len(out.splitlines()) == 3 + 2 * len(refengine.OPTIONS)
        assert run("profile", name, "--check")[0] == 0
        code, out, _ = run("profile", name, "--json")
        assert json.loads(out)["options"].keys() == {o.name for o in refengine.OPTIONS}
    code, out, _ = run("profiles", "--json")
    assert len(json.loads(out)) == 11


def test_a_profile_in_a_file_is_checked(run: Runner, tmp_path: Path) -> None:
    text = (SPEC / "profiles" / "gamerules-domino.toml").read_text("utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    assert run("profile", str(path), "--check")[0] == 0
    path.write_text(text.replace("limit = 31", 'limit = "many"'), "utf-8")
    code, _, err = run("profile", str(path), "--check")
    assert (code, err.count("\n")) == (3, 1)
    assert "options.limit: found 'many'" in err
    path.write_text(text.replace("hand_size = 6", 'hand_size = "all"'), "utf-8")
    code, _, err = run("profile", str(path), "--check")
    assert (code, "3.9a" in err) == (3, True)
    assert run("profile", str(tmp_path / "none.toml"))[0] == 3


def test_a_clause_is_shown_with_its_citation(run: Runner) -> None:
    code, out, _ = run("rule", "5.4")
    assert code == 0
    assert out.startswith("5.4 Hearts are not led unbroken")
    assert "cite as: HFR 5.4@" in out
    assert "heart_leads" in out
    assert "Ruling:" in run("rule", "7.1a")[1]
    assert "Ruling:" not in run("rule", "5.3")[1]
    assert json.loads(run("rule", "5.4", "--json")[1])["number"] == "5.4"
    assert "parts: 8.6a, 8.6b\n" in run("rule", "8.6")[1]
    assert "part of: 8.6\n" in run("rule", "8.6b")[1]
    assert json.loads(run("rule", "8.6b", "--json")[1])["part_of"] == "8.6"
    assert "part" not in run("rule", "5.3")[1].rpartition("bites in")[2]


@pytest.mark.parametrize("typed", ["§5.3", "#5.3", "§ 5.3", "5.3"])
def test_a_sign_before_the_number_of_a_clause_counts_for_nothing(
    run: Runner, typed: str
) -> None:
    assert run("rule", typed)[1].startswith("5.3 Follow suit")


@pytest.mark.parametrize("words", [(), ("conform",)], ids=" ".join)
def test_a_command_without_words_shows_its_help_line_by_line(
    run: Runner, words: tuple[str, ...]
) -> None:
    code, out, err = run(*words)
    helped = run(*words, "--help")[1]
    assert (code, out) == (3, "")
    assert err.splitlines() == helped.splitlines()
    assert len(err.splitlines()) > 10


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rule 5.99", "found '5.99'; allowed: the number of a clause"),
        ("profile bridge", "allowed: one of black-maria"),
        ("play --profile bridge", "profile"),
        ("play --option moon", "--option: found 'moon'"),
        ("play --option rain=1", "--option: found 'rain'"),
        ("play --option moon=blue", "--option moon: found 'blue'"),
        ("play --players 9", "2.6 Number of players"),
        ("play --human 4", "--human: found seat 4"),
        ("nonsense", "No such command"),
        ("conform book --hands 0", "0 is not in the range"),
        ("adapter", "Missing option '--language'. Choose from: c, go, js, python"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_3(
    run: Runner, line: str, said: str
) -> None:
    err = error_of(run, line)
    assert said in err
    assert err.startswith("refengine: ")


def test_a_random_match_is_played_to_its_end_and_the_same_again(run: Runner) -> None:
    words = ["play", "--profile", "gamerules-domino", "--seed", "4"]
    code, out, _ = run(*words)
    assert code == 0
    assert out.splitlines()[-1].startswith("the match is over; lowest: seat")
    assert run(*words)[1] == out
    found = json.loads(run(*words, "--json")[1])
    assert max(found["totals"]) >= 31
    assert found["winners"]
    some = json.loads(run("play", "--deals", "1", "--json")[1])
    assert (some["deals"], some["winners"]) == (1, [])
    cycle = run("play", "--option", "pass_cycle=mix,hold", "--deals", "1")[1]
    assert "pass_cycle" in cycle


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (
            RuntimeError("boom"),
            70,
            "refengine: an internal error, please report it: RuntimeError('boom')",
        ),
    ],
)
def test_what_is_not_expected_ends_without_a_traceback(
    run: Runner,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    said: str,
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("refengine.cli.play_command.play_match", fail)
    ended, out, err = run("play")
    assert (ended, out, err.strip()) == (code, "", said)


def test_an_abandoned_question_ends_as_interrupted(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("?\n"))
    assert run("play", "--human", "0")[0] == 130


def test_the_book_is_held_against_the_engine(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = run("conform", "book", "--hands", "50")
    assert code == 0
    assert out.endswith("disagreements: 0\n")
    assert json.loads(run("conform", "book", "--hands", "5", "--json")[1])["hands"] == 5
    from refengine_conformance.lawbook_checks import book_check

    monkeypatch.setitem(
        book_check.NARROWING, "5.3", lambda rules, position, allowed: allowed
    )
    code, out, _ = run("conform", "book", "--hands", "50")
    assert code == 1
    assert "5.3: example row 4C KC QS" in out


def test_openspiel_is_compared_or_its_absence_said(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    from refengine_conformance.corpus_tools import bundled
    from refengine_conformance.openspiel import lockstep, one_deal

    few = list(islice(bundled.bundled_lines(), 5))
    monkeypatch.setattr(bundled, "bundled_lines", lambda: iter(few))

    def missing(*_: object) -> None:
        raise one_deal.NotInstalled

    monkeypatch.setattr(lockstep, "lockstep", missing)
    code, _, err = run("conform", "openspiel", "--deals", "2")
    assert (code, "cannot be imported" in err) == (3, True)
    code, out, _ = run("conform", "all")
    assert code == 0
    assert out.endswith("\nall well, but not compared with OpenSpiel\n")
    monkeypatch.setattr(lockstep, "lockstep", lambda *_: Disagreeing())
    code, out, _ = run("conform", "openspiel", "--jobs", "1")
    assert (code, out) == (1, "seven of nine\n")
    assert json.loads(run("conform", "openspiel", "--json")[1]) == {"found": 2}
    code, out, _ = run("conform", "all")
    assert (code, "something is wrong" in out) == (1, True)


class Disagreeing:
    """A report that has found disagreements."""

    disagreements = (7, 9)

    def lines(self) -> list[str]:
        return ["seven of nine"]

    def fields(self) -> dict[str, int]:
        return {"found": 2}


def test_a_progress_bar_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stderr", Terminal())
    with progress_bar("deals", 10) as moved:
        moved(10)
    assert "deals" in cast(Terminal, sys.stderr).getvalue()


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("QS", "Play(1, 'QS')"),
        ("draw", "Draw(1)"),
        ("forward", "PassUnseen(1)"),
        ("quit", "QuitTrick(1)"),
        ("pass QS KH AH", "Pass(1, 'QS KH AH')"),
        ("scatter 0:QS 2:KH", "Scatter(1, {0: 'QS', 2: 'KH'})"),
        ("retract QS", "Retract(1, 'QS')"),
        ("claim 2 3", "Claim(1, against=2, trick=3)"),
        ("moon self_minus", "MoonChoice(1, 'self_minus')"),
        ("moon one 2", "MoonChoice(1, 2)"),
        ("10h", "Play(1, 'TH')"),
        ("the queen of spades", "Play(1, 'QS')"),
        ("4c 10c 4d", "Pass(1, '4C TC 4D')"),
        ("Pass Q♠ kh", "Pass(1, 'QS KH')"),
        ("turn over", "QuitTrick(1)"),
        ("TURN OVER", "QuitTrick(1)"),
        ("MOON ONE 2", "MoonChoice(1, 2)"),
        ("Moon Self_Minus", "MoonChoice(1, 'self_minus')"),
        ("retract ace of hearts", "Retract(1, 'AH')"),
    ],
)
def test_what_is_typed_is_read_as_an_act(text: str, act: str) -> None:
    assert repr(read_act(1, text)) == act


@pytest.mark.parametrize(
    "text", ["", "QX", "fly away", "pass QS QS", "scatter QS", "claim 2 x", "moon blue"]
)
def test_what_is_not_an_act_is_malformed(text: str) -> None:
    with pytest.raises(refengine.Malformed):
        read_act(1, text)


@pytest.mark.parametrize("text", ["claim 2", "moon", "moon one", "draw 2", "turn"])
def test_an_act_in_none_of_its_forms_is_told_the_forms_of_acts(text: str) -> None:
    error = malformed(read_act, 1, text)
    assert (error.found, error.allowed) == (repr(text), HELP)


def seen_by(
    ruleset: Ruleset,
    answers: list[str],
    deals: int | None = 1,
    humans: frozenset[int] = frozenset({0}),
) -> tuple[State, list[str]]:
    """The end of a game with these humans, and all lines shown to them.

    The players type the answers in turn, and after that legal acts.
    """
    said: list[str] = []

    def hear(line: str) -> None:
        said.append(click.unstyle(line))

    def ask(question: str) -> str:
        if answers:
            return answers.pop(0)
        line = said[-1]
        if line == "you must draw: type draw":
            return "draw"
        if line.startswith("type moon"):
            return "moon self_minus"
        cards = line.partition("may be played: ")[2]
        return cards.split()[0] if cards else line.partition("as in ")[2]

    state = play_match(ruleset, Random(2), humans, deals, hear, ask)
    return state, said


def played(answers: list[str]) -> tuple[State, list[str]]:
    """The end of a match with a human at seat 0, and all lines shown to that player.

    The player types the answers in turn, and after that cards that may be illegal.
    """
    cards = [str(card) for card in refengine.WHOLE_PACK] * 200
    return seen_by(Ruleset("pokerwiner-hearts"), answers + cards, None)


def test_each_of_two_humans_is_shown_what_it_passes() -> None:
    _, said = seen_by(Ruleset("estmesh-hearts"), [], humans=frozenset({0, 1}))
    passed = [line for line in said if line.startswith("seat") and "pass" in line]
    assert [line[:6] for line in passed[:4]] == [f"seat {seat}" for seat in range(4)]
    assert [len(line.split()) for line in passed[:4]] == [6, 6, 3, 3]


def test_a_human_seat_is_told_why_a_card_is_refused() -> None:
    state, said = played(["?", "rule 5.3", "rule 9.99", "banana", "draw"])
    assert state.over
    assert {*HELP_LINES} <= {*said}
    assert refengine.clause("5.3").text in said
    assert any("found '9.99'" in line for line in said)
    assert any("found 'banana'" in line for line in said)
    assert "seat 0 may not draw: 6.3 No other draw" in said
    assert f"  5.7: {in_short('5.7')}" in said
    assert said[-1].startswith("the match is over")


def test_a_pass_is_explained_typed_in_cards_alone_and_what_comes_is_shown() -> None:
    state, said = seen_by(Ruleset("common-hearts"), [])
    assert "deal 1: pass 3 cards to seat 1, on your left; type them, as in" in "".join(
        said
    )
    received = next(line for line in said if line.startswith("seat 0 received"))
    assert len(refengine.CardSet(received.removeprefix("seat 0 received "))) == 3
    assert any(line.startswith("on the table: ") for line in said)
    assert any(line.startswith("the totals are seat 0: ") for line in said)
    assert state.deal == 2


@pytest.mark.parametrize(
    ("cycle", "said"),
    [
        ("right", "pass 3 cards to seat 3, on your right; type them, as in"),
        ("across", "pass 3 cards to seat 2, across; type them, as in"),
        ("mix", "give 3 cards to the mix, as in"),
    ],
)
def test_every_way_to_pass_is_explained(cycle: str, said: str) -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"pass_cycle": [cycle]})
    _, told = seen_by(ruleset, [])
    assert any(f"deal 1: {said}" in line for line in told)
    (got,) = [line for line in told if line.startswith("seat 0 received")]
    assert len(refengine.CardSet(got.removeprefix("seat 0 received "))) == 3


def test_a_scatter_and_an_unseen_pass_are_explained() -> None:
    scatter = Ruleset("estmesh-hearts", 4, {"pass_cycle": ["scatter"]})
    _, told = seen_by(scatter, ["quit"])
    line = next(one for one in told if one.startswith("deal 1: pass one card to each"))
    hand = next(one for one in told if one.startswith("seat 0 holds")).split()[3:6]
    pairs = " ".join(
        f"{seat}:{card}" for seat, card in zip((1, 2, 3), hand, strict=True)
    )
    assert line.endswith(f"as in scatter {pairs}")
    _, told = seen_by(scatter, [f"scatter {pairs}"])
    got = next(one for one in told if one.startswith("seat 0 received"))
    assert got.count(" from seat ") == 3
    unseen = Ruleset("estmesh-hearts", 4, {"pass_unseen": True})
    _, told = seen_by(unseen, ["forward"])
    assert any("or type forward" in one for one in told)


def test_a_draw_is_asked_for_and_a_moon_is_settled() -> None:
    _, told = seen_by(Ruleset("gamerules-domino", 2), [])
    assert "you must draw: type draw" in told
    lone = Ruleset("estmesh-hearts", 4, {"moon": "choice_all"})
    hands = ["AC AH", "3C 2H", "4C 3H", "5C QS"]
    cards = "3C 4C 5C AC AH 2H 3H QS"
    state = played_deal(lone, hands, cards, dealer=3, deal=4)
    words = [*situation_words(state, 0)]
    assert words[-1] == "type moon self_minus or moon others_plus"
    assert "the totals are seat 0: 0, seat 1: 0" in words[-2]
    to_one = Ruleset("estmesh-hearts", 4, {"moon": "choice_one"})
    other = played_deal(to_one, hands, cards, dealer=3, deal=4)
    words = [*situation_words(other, 0)]
    assert words[-1] == "type moon self_minus or moon one and a seat"


def test_a_player_may_leave_and_ask_for_help_and_rules() -> None:
    state, told = seen_by(Ruleset("pokerwiner-hearts"), ["HELP", "rule renege", "Exit"])
    assert (state.over, state.deal) == (False, 1)
    assert {*HELP_LINES} <= {*told}
    assert f"7.1 What a revoke is: {in_short('7.1')}" in told


def test_at_a_table_with_a_human_other_seats_keep_their_cards_to_themselves() -> None:
    _, said = seen_by(Ruleset("common-hearts"), [])
    for act, seats in (("deal", "0-3"), ("pass", "1-3")):
        told = [line for line in said if re.match(f"seat [{seats}]: {act}", line)]
        assert {line.partition(": ")[2] for line in told} == {act}


def test_the_bundled_traces_are_replayed(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = run("conform", "bundled")
    assert out.startswith("bundled and replayed: 1 log, ")
    assert (code, out.splitlines()[-1]) == (0, "disagreements: 0")
    from refengine_conformance.corpus_tools import bundled

    lines = [("here:1", b"rubbish"), ("here:2", b'{"trace":2}')]
    monkeypatch.setattr(bundled, "bundled_lines", lambda: iter(lines))
    code, out, _ = run("conform", "bundled")
    assert (code, out.splitlines()[-1]) == (1, "disagreements: 2")
    found = json.loads(run("conform", "bundled", "--json")[1])
    assert [line[:8] for line in found["disagreements"]] == ["here:1: ", "here:2: "]


@pytest.mark.interpreted("pytest loads an installed plugin in a way of its own")
def test_the_package_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["refengine", "rule", "5.3"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("refengine", run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("5.3 Follow suit")


def test_no_version_is_printed_while_a_line_is_completed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main.make_context("refengine", ["--version"], resilient_parsing=True)
    assert capsys.readouterr().out == ""


def test_the_flags_have_to_fit_the_players_of_the_game_only(
    run: Runner, tmp_path: Path
) -> None:
    """A hand size of 20 suits two players (3.9c), but not four, the usual number."""
    rules = Ruleset("gamerules-domino", 2, {"hand_size": 20})
    (trace,) = random_deals(rules, 1, 0, Manner())
    path = tmp_path / "two.jsonl"
    path.write_bytes(write_trace(trace) + b"\n")
    flags = ("--profile", "gamerules-domino", "--option", "hand_size=20")
    code, _, err = run("judge", str(path), *flags)
    assert (code, err) == (0, "")


def test_a_link_to_itself_is_no_file_to_write(tmp_path: Path) -> None:
    ring = tmp_path / "ring"
    ring.symlink_to(ring)
    with pytest.raises(OSError, match="symbolic links"):
        write_file(ring, b"x")
    assert ring.is_symlink()
