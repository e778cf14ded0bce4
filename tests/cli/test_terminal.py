"""Tests of commands at a terminal: width, colours and the shell's completions."""

import importlib.metadata
import json
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from refengine.cli import main, screen
from refengine.cli.paragraphs import table_lines
from refengine.lawbook.in_short import in_short
from refengine.lawbook.options import BY_NAME
from refengine.rulings.page_width import USUAL_WIDTH, WIDTH
from tests.support.commands import Runner, run_process
from tests.support.places import ROOT

pytestmark = pytest.mark.interpreted("about what is printed, not about the rules")


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """A function that makes standard output a terminal of this many columns."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def of_width(columns: int) -> None:
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        monkeypatch.setenv("COLUMNS", str(columns))

    return of_width


@pytest.mark.parametrize(("columns", "longest"), [(50, 50), (10, 40), (300, 100)])
def test_lines_fit_the_window(
    run: Runner, window: Callable[[int], None], columns: int, longest: int
) -> None:
    window(columns)
    code, out, _ = run("--no-color", "rule", "5.3")
    assert code == 0
    lines = out.splitlines()
    assert longest - 12 < max(map(len, lines[:-1])) <= longest
    code, out, _ = run("explain", "--hand", "QS 2H", "--trick", "5C", "--no-color")
    assert max(map(len, out.splitlines()[:5])) <= longest


def test_a_table_that_is_too_wide_stands_in_blocks() -> None:
    wide = table_lines(("a", "b"), [("1", "22"), ("333", "")])
    assert wide == ["  a    b", "  ---  --", "  1    22", "  333"]
    token = WIDTH.set(8)
    try:
        assert table_lines(("a", "b"), [("1", "22"), ("333", "")]) == [
            *("  1", "    b:", "      22", "  333")
        ]
    finally:
        WIDTH.reset(token)


def test_colours_are_on_in_a_terminal_and_off_where_they_are_not_wanted(
    run: Runner, window: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b" not in run("rule", "5.3")[1]
    assert not screen.has_colours()
    window(80)
    assert "\x1b[1m5.3 Follow suit" in run("rule", "5.3")[1]
    assert "\x1b" not in run("rule", "5.3", "--no-color")[1]
    assert "\x1b" not in run("rule", "5.3", "--json")[1]
    assert run("profile", "--", "--no-color")[0] == 3
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as other:
            other.setenv(name, value)
            assert "\x1b" not in run("rule", "5.3")[1]


GREEN, YELLOW, RED = "\x1b[32m", "\x1b[33m", "\x1b[31m"
BOLD, DIM = "\x1b[1m", "\x1b[2m"
SUIT = "t-ac252cc8712c471f"  # of the corpus: somebody has to follow suit


def plain_and_in_colours(
    run: Runner, window: Callable[[int], None], *words: str
) -> str:
    """The coloured output of a command, whose text is checked against the plain one."""
    code, plain, _ = run(*words)
    assert "\x1b" not in plain
    window(88)
    coloured = run(*words)
    assert click.unstyle(coloured[1]) == plain
    assert coloured[0] == code
    assert run(*words, "--no-color")[1] == plain
    return coloured[1]


@pytest.mark.parametrize(
    ("card", "profile", "colour"),
    [
        ("JD", "common-hearts", GREEN),
        ("QS", "common-hearts", RED),
        ("JD", "pokerwiner-hearts", YELLOW),
    ],
)
def test_a_ruling_has_the_colour_of_its_verdict(
    run: Runner, window: Callable[[int], None], card: str, profile: str, colour: str
) -> None:
    hand = "QS JD 2H" if colour != YELLOW else "JD 4C"
    words = ("--hand", hand, "--trick", "5C", "--first-trick", "--card", card)
    out = plain_and_in_colours(run, window, "explain", *words, "--profile", profile)
    assert out.startswith(colour + BOLD)
    assert f"\n{BOLD}Why" in out
    assert f"{DIM} [" in out
    assert f"  JD  {colour if card == 'JD' else GREEN}{BOLD}" in out


def test_an_answer_without_a_verdict_is_bold(
    run: Runner, window: Callable[[int], None]
) -> None:
    out = plain_and_in_colours(run, window, "explain", "--end", "--totals", "104 1 2 3")
    assert out.startswith(f"{BOLD}The match is over")


def test_a_judgement_names_its_game_in_the_colour_of_what_it_found(
    run: Runner, window: Callable[[int], None], tmp_path: Path
) -> None:
    game = ROOT / "site" / "games" / "whole-deal.jsonl"
    out = plain_and_in_colours(run, window, "judge", str(game))
    assert out.startswith(GREEN + BOLD)
    assert f"\n{BOLD}The same game elsewhere" in out
    wrong = tmp_path / "wrong.jsonl"
    text = game.read_text("utf-8").replace('"play":"4C"', '"play":"3D"', 1)
    wrong.write_text(text, "utf-8")
    assert f"{RED}{BOLD}{wrong}" in run("judge", str(wrong))[1]


def test_a_game_in_the_terminal_has_colours(
    run: Runner, window: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    window(88)
    words = ("play", "--human", "0", "--profile", "pokerwiner-hearts")
    typed = ["draw", "rule 5.3", "quit"]
    monkeypatch.setattr("refengine.cli.play_command.check_input", lambda name: None)
    monkeypatch.setattr("click.prompt", lambda *_, **__: typed.pop(0))
    code, out, _ = run(*words)
    assert code == 0
    assert f"{RED}{BOLD}seat 0 may not draw: 6.3 No other draw" in out
    assert f"{GREEN}{BOLD}may be played: " in out
    assert f"{BOLD}5.3 Follow suit: " in out


@pytest.mark.parametrize(
    ("adapter", "colour", "code"),
    [("builtin:reference", GREEN, 0), ("builtin:mutant:off:5.3", RED, 1)],
)
def test_the_report_of_a_run_ends_in_the_colour_of_its_outcome(
    run: Runner, window: Callable[[int], None], adapter: str, colour: str, code: int
) -> None:
    words = ("conform", "run", "--trace", SUIT, "--no-shrink", "--no-infer")
    asked = (*words, "--format", "text", "--", adapter)
    ended, plain, _ = run(*asked)
    assert (ended, "\x1b" in plain) == (code, False)
    window(88)
    out = run(*asked)[1]
    assert click.unstyle(out) == plain
    assert out.splitlines()[-1].startswith(colour + BOLD)
    assert (f"\n{BOLD}" in out) is bool(code)  # the heading of a finding
    assert "\x1b" not in run(*words, "--no-color", "--format", "text", "--", adapter)[1]
    assert "\x1b" not in run(*words, "--format", "jsonl", "--", adapter)[1]


def test_elsewhere_lines_have_their_usual_width(run: Runner) -> None:
    out = run("rule", "3.12a")[1]
    assert WIDTH.get() == USUAL_WIDTH
    assert max(map(len, out.splitlines())) <= USUAL_WIDTH


def test_a_clause_says_in_short_what_it_means_and_shows_its_table(run: Runner) -> None:
    out = run("rule", "3.3")[1]
    assert " ".join(out.split()).count(in_short("3.3")) == 1
    assert "  5        2C 2D                    10" in out
    assert json.loads(run("rule", "3.3", "--json")[1])["in_short"] == in_short("3.3")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("5.33", "5.3"), ("5.3d", "5.3"), ("50.3", "5.3")],
)
def test_a_clause_that_was_probably_meant_is_named(
    run: Runner, typed: str, meant: str
) -> None:
    code, _, err = run("rule", typed, "--json")
    assert (code, f"did you mean {meant}?" in err) == (3, True)


def completed(words: str, begun: str) -> list[str]:
    """What a shell offers to complete the word begun after these words."""
    found = ShellComplete(main.main, {}, "refengine", "_REFENGINE_COMPLETE")
    return [one.value for one in found.get_completions(words.split(), begun)]


def test_a_shell_completes_clauses_profiles_and_options() -> None:
    assert completed("rule", "5.4") == ["5.4", "5.4a", "5.4b"]
    assert completed("play --profile", "pokerwiner") == [
        *("pokerwiner-domino", "pokerwiner-hearts")
    ]
    assert completed("play --profile", "my") == ["my"]
    assert completed("play --option", "revoke_") == [
        *("revoke_until=", "revoke_points=", "revoke_ends_deal=")
    ]
    assert completed("play --option", "moon=c") == [
        "moon=choice_all",
        "moon=choice_one",
    ]
    assert completed("play --option", "mix_kitty=") == [
        *("mix_kitty=true", "mix_kitty=false")
    ]
    assert completed("play --option", "limits=") == []
    assert BY_NAME["limit"].words == ("none",)
    assert completed("", "ru") == ["rule"]
    assert isinstance(main.main, click.Group)


def test_a_shell_completes_commands_also_where_a_package_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: ())
    assert completed("", "ma") == ["matrix"]
    assert completed("", "") == sorted(main.main.commands)
    assert completed("", "--v") == ["--version"]


def test_a_person_plays_beside_the_json() -> None:
    # In a process of its own: click's runner would print what is typed.
    words = (sys.executable, "-m", "refengine", "play", "--human", "0", "--json")
    done = run_process(*words, input="quit\n")
    assert done.returncode == 0
    assert json.loads(done.stdout)["deals"] == 0
    assert "seat 0 holds" in done.stderr
