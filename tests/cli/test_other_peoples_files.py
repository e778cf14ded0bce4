"""What is said of a file that is another command's, or another program's."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from refengine.cli.main import main

SHEETS = {
    "on a phone": "Ann 5, Ben 13, me 8, Carl 0\nAnn 0, Ben 4, me 21, Carl 1\n",
    "as CSV": "Ann,Ben,Carl,Dora\n5,13,8,0\n0,4,21,1\n",
}


@pytest.mark.parametrize("command", ["judge", "show"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_score_sheet_is_known_for_one(
    command: str, sheet: str, tmp_path: Path
) -> None:
    file = tmp_path / "sheet.txt"
    file.write_text(SHEETS[sheet], "utf-8")
    ran = CliRunner().invoke(main, [command, str(file)])
    assert ran.exit_code == 3
    said = "found a score sheet; allowed: games; for a score sheet there is "
    assert f"{file}:1: {said}`refengine scores`" in ran.stderr


def test_the_json_of_another_program(tmp_path: Path) -> None:
    file = tmp_path / "games.json"
    file.write_text('{"app": "cards", "games": []}\n', "utf-8")
    ran = CliRunner().invoke(main, ["judge", str(file)])
    assert ran.exit_code == 3
    assert "for a file of another program see `refengine convert --map`" in ran.stderr


def test_no_leader_of_an_unknown_trick_is_taken_for_granted(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("players: A, B, C, D\n2. A: 2C 3C 4C 5C\n", "utf-8")
    ran = CliRunner().invoke(main, ["judge", str(file)])
    assert "trick 1 is not written down" in ran.stderr
    assert "led first" not in ran.stderr


@pytest.mark.parametrize(
    ("winner", "said"),
    [
        ("Ben", "Trick 2: Dora has won it, and the record says Ben. [5.10]"),
        ("Dora", "Nothing in it is against these rules."),
    ],
)
def test_who_has_won_a_trick_of_a_whole_deal(
    winner: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(
        "players: Ann, Ben, Carl, Dora\npack: 2C 3C 4C 5C 4D 5D 9D QS\n"
        f"1. Ann: 2C 3C 4C 5C -> Dora\n2. Dora: 9D QS 4D 5D -> {winner}\n",
        "utf-8",
    )
    ran = CliRunner().invoke(main, ["judge", str(file), "--profile", "common-hearts"])
    assert said in " ".join(ran.stdout.split())
