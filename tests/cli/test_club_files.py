"""Tests of `--profile FILE`: every command takes its ruleset from a club's file."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from refengine_conformance.data import data
from refengine_conformance.tables import case_set
from refengine_conformance.tables.aimed_games import AimedSet
from refengine_conformance.tables.typed_table import TableFlags
from tests.support.commands import Runner, error_of

FILE = "friday.toml"
TOML = """
name = "friday"
title = "Old Hearts on Friday"
base = "pokerwiner-hearts"
players = [3, 4]

[options]
revoke_points = 20
limit = 50
"""
FLAGS = "--profile pokerwiner-hearts --option revoke_points=20 --option limit=50"
PLAIN = shlex.join((sys.executable, str(data("adapters", "plain_adapter.py"))))


@pytest.fixture(autouse=True)
def _friday(folder: Path) -> None:
    (folder / FILE).write_text(TOML, "utf-8")


@pytest.mark.parametrize(
    "command",
    [
        "generate --seed 3 {}",
        "generate --from deal --seed 3 --players 3 {}",
        "adapter --language python {}",
        "play --seed 1 {}",
        "sheet {}",
        'explain --hand "QS 2H" --trick 2C {}',
        "irregularities {} --option revoke_ends_deal=false",
        "judge --json game.jsonl {}",
        "conform deals --hands 2 --starts deal --deals 3 --clause 5.3 {}",
    ],
)
def test_a_file_says_what_the_flags_say(run: Runner, command: str) -> None:
    _, game, _ = run("generate --profile pokerwiner-hearts --seed 9")
    Path("game.jsonl").write_text(game, "utf-8")
    with_file = run(command.format(f"--profile {FILE}"))
    assert with_file == run(command.format(FLAGS))
    assert with_file[1]
    assert "friday" not in with_file[1]


def test_two_sides_of_a_comparison_may_be_files(run: Runner) -> None:
    code, out, _ = run(f"diff --json --cards 1 pokerwiner-hearts {FILE}")
    shown = json.loads(out)
    assert code == 0
    assert [one["option"] for one in shown] == ["revoke_points", "limit"]
    assert [one["values"] for one in shown] == [["all", 20], ["none", 50]]
    assert run(f"diff {FILE} {FILE}")[1] == "options that differ: 0\n"


def test_an_engine_is_tested_at_the_table_of_a_club(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = AimedSet((), {}, ())
    monkeypatch.setattr(case_set, "aimed_set", lambda *given: nothing)
    words = "conform run {} --hands 2 --starts deal --no-infer --format jsonl -- "
    with_file = run(words.format(f"--profile {FILE}") + PLAIN)
    assert with_file == run(words.format(FLAGS) + PLAIN)
    table = json.loads(with_file[1].splitlines()[-1])["table"]
    assert table["profile"] == "pokerwiner-hearts"
    assert "friday" not in with_file[1]


def test_where_games_are_chosen_by_profile_a_club_is_its_base(run: Runner) -> None:
    assert run(f"matrix --profile {FILE}") == run("matrix --profile pokerwiner-hearts")
    assert TableFlags(profile=FILE).base == "pokerwiner-hearts"
    assert TableFlags().base == ""
    TableFlags(profile=FILE).check_beside("--tier")
    words = f"conform run --tier smoke --format jsonl --profile {FILE} -- {PLAIN}"
    head = json.loads(run(words)[1].splitlines()[0])
    assert head["selection"] == {"tier": "smoke", "profile": "pokerwiner-hearts"}


def test_a_file_is_shown_with_what_differs(run: Runner) -> None:
    code, out, _ = run(f"profile {FILE}")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "Old Hearts on Friday (friday), 3-4 players"
    assert lines[1].endswith("(pokerwiner-hearts), and what differs from it")
    cost = "A failure to follow suit costs 20 points."
    assert lines[2] == f"  Cost of a revoke: 20. {cost}"
    assert lines[5] == "  Points to which a match is played: 50. The match goes to 50."
    assert [line.split()[0] for line in lines[3:5] + lines[6:-2]] == [
        *("revoke_points", "instead", "limit", "instead")
    ]
    written = FLAGS.replace(" --option", " --players 4 --option", 1)
    assert lines[-2] == f"written as: {written}"
    assert lines[-1].startswith("cite as: pokerwiner-hearts/4@")
    assert lines[-1].endswith(" revoke_points=20 limit=50")
    assert run(f"profile --check {FILE}")[1] == (
        "friday: 2 options that differ from pokerwiner-hearts, 3-4 players, all well\n"
    )
    checked = "refengine: --check prints no JSON: leave --json out\n"
    assert run(f"profile --check --json {FILE}") == (3, "", checked)
    found = json.loads(run(f"profile --json {FILE}")[1])
    assert found["changed"] == ["revoke_points", "limit"]
    assert lines[-1] == f"cite as: {found['citation']}"
    assert found["options"]["limit"] == 50
    assert found["options"]["revokes"] == "penalised"


def test_an_option_of_a_club_may_have_no_effect(run: Runner) -> None:
    Path(FILE).write_text(
        TOML.replace("limit = 50", "survivor_takes_stock = true"), "utf-8"
    )
    _, out, _ = run(f"profile {FILE}")
    (line,) = (one for one in out.splitlines() if "survivor_takes_stock  " in one)
    assert "no effect here" in line
    lines = [line for line in TOML.splitlines() if "revoke_points" not in line]
    Path(FILE).write_text("\n".join(lines), "utf-8")
    assert run(f"profile --check {FILE}")[1] == (
        "friday: 1 option that differs from pokerwiner-hearts, 3-4 players, all well\n"
    )


def test_a_club_may_leave_a_number_of_players_out(run: Runner) -> None:
    Path(FILE).write_text(TOML.replace("[3, 4]", "[3, 5, 6]"), "utf-8")
    assert "(friday), 3, 5, 6 players" in run(f"profile {FILE}")[1]
    Path(FILE).write_text(TOML.partition("[options]")[0], "utf-8")
    assert "\n  nothing\n" in run(f"profile {FILE}")[1]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[options]", "[option]", "friday.toml: found the key 'option'; allowed: name"),
        ("pokerwiner-hearts", "whist", 'friday.toml.base: found "whist"'),
        ("limit = 50", "rain = 1", "friday.toml.options: found 'rain'"),
        ("limit = 50", "limit = 0", "friday.toml.options.limit: found 0"),
        ("limit = 50", 'moon = "choice_all"\nheart_points = 0', "8.10"),
        ("[3, 4]", "[3, 14]", "friday.toml.players: found 14"),
        ("[3, 4]", "[3, 4", "friday.toml:7: found "),
        ("[3, 4]", "4", "friday.toml.players: found 4; allowed: a list of whole"),
        ("[3, 4]", "[true]", "friday.toml.players: found true; allowed: a list"),
        ("limit = 50", "queen_waits = true", "queen_waits: found true; allowed: "),
        (
            "[options]",
            'base = "spot-hearts"\n[options]',
            "friday.toml:7: found base a second time; allowed: each once",
        ),
        (
            "pokerwiner-hearts",
            "pokerwiner hearts",
            "spot-hearts; did you mean pokerwiner-hearts?",
        ),
        (
            "base = ",
            "base: ",
            'friday.toml:4: found base: "pokerwiner-hearts"; allowed: key = value, ',
        ),
        (
            '"pokerwiner-hearts"',
            "pokerwiner-hearts",
            "friday.toml:4: found base = pokerwiner-hearts; allowed: text in quotation",
        ),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        "profile {}",
        "play --profile {}",
        "judge game.jsonl --profile {}",
        "matrix --profile {}",
        "diff estmesh-hearts {}",
        "conform deals --profile {}",
        "conform run --profile {} -- none",
        "conform run --tier smoke --profile {} -- none",
    ],
)
def test_a_file_that_is_wrong_gets_one_line_and_exit_code_3(
    run: Runner, command: str, old: str, new: str, said: str
) -> None:
    Path(FILE).write_text(TOML.replace(old, new), "utf-8")
    assert said in error_of(run, command.format(FILE))


def test_a_file_that_is_not_there_or_is_none_gets_one_line(run: Runner) -> None:
    for name in ("none.toml", "."):
        for command in (f"profile {name}", f"play --profile {name}"):
            assert f"{name}: cannot be read: " in error_of(run, command)
    code, _, err = run(f"play --profile {FILE} --players 5")
    assert (code, err) == (3, "refengine: friday: found 5 players; allowed: 3 or 4\n")


@pytest.mark.parametrize("command", ["deals", "rows --what legal"])
def test_a_file_of_a_club_is_not_written_over(command: str, run: Runner) -> None:
    asked = f"conform {command} --profile {FILE} --output {FILE}"
    code, _, said = run(*asked.split())
    assert code == 3
    assert "a file that this run reads" in said
    assert Path(FILE).read_text("utf-8") == TOML
