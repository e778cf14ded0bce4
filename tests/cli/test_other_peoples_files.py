"""Tests of the messages about files meant for another command or another program."""

from __future__ import annotations

from pathlib import Path

import pytest

from refengine.cli import files
from tests.support.commands import Runner

SHEETS = {
    "on a phone": "Ann 5, Ben 13, me 8, Carl 0\nAnn 0, Ben 4, me 21, Carl 1\n",
    "as CSV": "Ann,Ben,Carl,Dora\n5,13,8,0\n0,4,21,1\n",
}


@pytest.mark.parametrize("command", ["judge", "show"])
@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.usefixtures("folder")
def test_a_score_sheet_is_known_for_one(run: Runner, command: str, sheet: str) -> None:
    Path("sheet").write_text(SHEETS[sheet], "utf-8")
    code, _, err = run(f"{command} sheet")
    said = "found a score sheet; allowed: games; for a score sheet there is "
    assert (code, f"sheet:1: {said}`refengine scores`" in err) == (3, True)


def test_the_json_of_another_program(judge: Runner) -> None:
    code, _, err = judge('{"app": "cards", "games": []}\n')
    assert code == 3
    assert "for a file of another program see `refengine convert --map`" in err


def test_no_leader_of_an_unknown_trick_is_taken_for_granted(judge: Runner) -> None:
    _, _, err = judge("players: A, B, C, D\n2. A: 2C 3C 4C 5C\n")
    assert "trick 1 is not written down" in err
    assert "led first" not in err


@pytest.mark.parametrize(
    ("winner", "said"),
    [
        ("Ben", "Trick 2: Dora has won it, but the record says Ben. [5.10]"),
        ("Dora", "Nothing in it is against these rules."),
    ],
)
def test_who_has_won_a_trick_of_a_whole_deal(
    judge: Runner, winner: str, said: str
) -> None:
    text = "players: Ann, Ben, Carl, Dora\npack: 2C 3C 4C 5C 4D 5D 9D QS\n"
    text += f"1. Ann: 2C 3C 4C 5C -> Dora\n2. Dora: 9D QS 4D 5D -> {winner}\n"
    assert said in " ".join(judge(text, "--profile common-hearts")[1].split())


@pytest.mark.parametrize("flag", ["--option=moon=none", "--players=4"])
def test_flags_of_a_ruleset_need_its_profile(run: Runner, flag: str) -> None:
    code, out, err = run("judge", flag, "nothing.jsonl")
    name, *_ = flag.split("=")
    assert (code, out, err) == (3, "", f"refengine: {name} needs --profile\n")


@pytest.mark.parametrize("command", ["judge", "show"])
def test_of_a_file_that_is_too_large_nothing_is_left_out_in_silence(
    run: Runner,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    content = "1. Ann=2C, Ben=5C, Carl=JC, Dora=KC\n"
    file = tmp_path / "games"
    monkeypatch.setattr(files, "_LARGEST", len(content))
    file.write_text(content, "utf-8")
    _, _, err = run(command, str(file))
    assert "larger" not in err
    file.write_text(content + "\n", "utf-8")
    code, _, err = run(command, str(file))
    assert code == 3
    assert err == (
        f"refengine: {file}: found a larger file; allowed: at most 16 MiB, unless each "
        "line is a game\n"
    )
