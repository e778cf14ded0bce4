"""Tests of the help for people who do not know a command or typed it incompletely."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import click
import numpy
import pytest

from refengine import Ruleset, new_deal
from refengine.cli.main import main
from refengine.cli.usage_examples import EXAMPLES, said_of_missing
from refengine.errors import Malformed, shown
from refengine.formats.positions import read_position, write_position
from refengine.formats.whole_files import write_file
from refengine.lawbook import book
from refengine.lawbook.profile_files import in_toml
from tests.support import places
from tests.support.commands import Runner, error_of


def commands(
    group: click.Group = main, path: str = ""
) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Every command, after the words that call it and followed by a context."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        words = f"{path} {name}".strip()
        if isinstance(found, click.Group):
            yield from commands(found, words)
        else:
            yield words, found, click.Context(found, info_name=words)


def test_every_option_says_what_it_is_and_what_it_is_by_default() -> None:
    asked = 0
    for words, command, context in commands():
        for option in command.params:
            if not isinstance(option, click.Option) or option.hidden:
                continue
            assert option.help, (words, option.opts)
            given = option.get_default(context)
            told = isinstance(given, str | int | float) and given not in ("", False)
            if option.is_flag or not told:
                continue
            record = option.get_help_record(context)
            assert record is not None
            assert "default" in record[1], (words, option.opts)
            asked += 1
    assert asked > 25


def test_a_command_without_what_it_needs_shows_how_it_is_called(run: Runner) -> None:
    needing = {
        words: command
        for words, command, _ in commands()
        if any(
            isinstance(one, click.Argument) and one.required for one in command.params
        )
    }
    assert {*needing} == {*EXAMPLES}
    for words, command in needing.items():
        err = error_of(run, words)
        example = EXAMPLES[words]
        assert err.startswith(f"refengine: {words} needs ")
        assert err.endswith(f", as in refengine {example}\n")
        told = shlex.split(example.removeprefix(words))
        command.make_context(words, told)  # raises where the example is none


def test_the_second_of_two_words_is_named_where_it_is_missing(run: Runner) -> None:
    said = "diff needs SECOND, as in refengine diff common-hearts estmesh-hearts"
    assert run("diff spot-hearts") == (3, "", f"refengine: {said}\n")


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        ("explain --pass --cards QS", "--hand"),
        ("explain --revoke now", "--revoke"),
        ('explain --score "QS / QS / /"', "--score"),
        ('explain --score "QS / / 2C 2C / "', "--score"),
        ("explain --score QS", "--score"),
        ("explain --end", "--totals"),
        ('explain --end --totals "3 4"', "--totals"),
        ("explain --turn --leader 9", "--leader"),
        ('explain --turn --out "7"', "--out"),
        ('explain --hand QS --first-trick --trick "2C 3C 4C 5C"', "--trick"),
        ("explain --table 3.1", "--table"),
        ("explain --table 10.14 --answer x=y", "--answer"),
        ('explain --score "QS / / /" --revoked 9', "--revoked"),
        ("explain --hand QS --players 77", "--players"),
        ("explain --hand QS --option rain=1", "--option"),
        ("explain --hand QS --option limit=0", "--option limit"),
        ("explain --hand QS --profile whist", "--profile"),
        ("explain --hand QS --profile ''", "--profile"),
        ("play --option limit=0", "--option limit"),
        ("play --option limit", "--option"),
        ("play --profile whist", "--profile"),
        ("house-rules --players 77", "--players"),
        ("generate --option undealt=stock", "--option"),
        ("convert --option rain x", "--option"),
        ("conform run --starts late -- x", "--starts"),
        ("conform run --needs-card 2Z -- x", "--needs-card"),
        ("conform run --option limit=0 -- x", "--option limit"),
        ("conform deals --hands 60", "--hands"),
    ],
)
def test_what_is_wrong_is_named_by_the_flag_that_was_typed(
    run: Runner, words: str, flag: str
) -> None:
    assert error_of(run, words).startswith(f"refengine: {flag}: ")


def test_in_json_what_is_wrong_is_named_by_its_key(run: Runner) -> None:
    asked = """explain --question '{"ask": "pass", "cards": "QS"}'"""
    assert run(asked)[2].startswith("refengine: hand: found 0 cards; ")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        *(("show", 0), ("annotate", 0), ("enumerate", 0), ("convert", 0)),
        *(("stamp", 4), ("judge", 4), ("judge --profile spot-hearts --match", 4)),
    ],
)
def test_a_file_without_a_line_is_told(
    run: Runner, command: str, code: int, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    said = f"{empty}: the file is empty\n"
    assert run(f"{command} {empty}") == (code, "", said)


def test_a_game_that_is_not_among_those_asked_is_told(run: Runner) -> None:
    known = "t-3cbe8b1653304ec1"
    asked = "conform run --tier core --format none --no-infer --trace t-zz"
    code, _, err = run(f"{asked} -- builtin:reference")
    assert code == 4
    none = "refengine: no case was scored\n"
    assert err == f"{none}refengine: --trace: none of the games asked is t-zz\n"
    two = run(f"{asked} --trace t-zy -- builtin:reference")[2]
    told = "refengine: --trace: none of the games asked is t-zy or t-zz\n"
    assert two == none + told
    code, _, err = run(f"{asked} --trace {known} -- builtin:reference")
    assert code == 0
    assert err == "refengine: --trace: none of the games asked is t-zz\n"
    beside = "t-2ed4d014b63c1aa0"  # on what a seat is told
    asked = "conform run --tier core --format none --no-infer --trace"
    assert run(f"{asked} {beside} -- builtin:reference") == (0, "", "")


def test_a_number_of_deals_is_one_or_more(run: Runner) -> None:
    assert run("play --deals -1")[0] == 3
    assert run("play --deals 0")[0] == 3


# Files that cannot be written


def test_the_file_that_was_named_is_named_where_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(dir: Path, prefix: str) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied", f"{dir}/{prefix}x1y2")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    page = tmp_path / "page.html"
    with pytest.raises(PermissionError) as refused:
        write_file(page, b"")
    assert (refused.value.filename, refused.value.errno) == (str(page), 13)


# What a message says


def test_messages_show_numbers_of_numpy_as_numbers() -> None:
    assert shown(numpy.int64(2)) == "2"
    with pytest.raises(Exception, match="for 2 players"):
        Ruleset("common-hearts", cast(int, numpy.int64(2)))


def test_a_number_too_long_to_be_shown_is_called_that() -> None:
    assert in_toml(10**5000) == shown(10**5000) == "a number too long to be shown"
    assert in_toml({"a": [1, True]}) == '{"a": [1, true]}'


def test_a_value_nested_too_deeply_to_be_shown_is_called_that() -> None:
    nested: list[object] = []
    for _ in range(200_000):
        nested = [nested]
    assert shown(nested) == "a value nested too deeply to be shown"


def test_a_number_is_no_number_of_a_clause() -> None:
    with pytest.raises(Malformed, match=r"as text, such as '5\.3' or '5\.10'"):
        book.clause(5.10)


def test_one_field_is_one_field() -> None:
    state = new_deal(Ruleset("spot-hearts"), ["2C", "3C", "4C", "5C"], deal=4)
    line = write_position(state)
    ruleset = line.split()[0]
    with pytest.raises(Malformed, match="found 1 field after the ruleset"):
        read_position(f"{ruleset} x")


def test_the_extra_for_learning_is_named_where_it_is_missing(tmp_path: Path) -> None:
    hide = (
        "import sys, importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'librt' else find(name)\n"
        "import refengine.learning.seat_env\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", hide],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    said = "ModuleNotFoundError: refengine.learning needs the extra rl, for librt: pip"
    assert said in done.stderr


@pytest.mark.interpreted("about a file of the checkout")
def test_what_learning_needs_is_what_its_extra_brings() -> None:
    project = tomllib.loads((places.ROOT / "pyproject.toml").read_text("utf-8"))
    extra = project["project"]["optional-dependencies"]["rl"]
    needed = importlib.import_module("refengine.learning")._NEEDED
    assert {re.split("[<>=]", one)[0] for one in extra} == {*needed}


def test_a_command_of_another_package_says_what_it_needs() -> None:
    file = click.Argument(["file"])
    above = click.Context(main, info_name="refengine")
    context = click.Context(click.Command("tally", params=[file]), above, "tally")
    error = click.MissingParameter(ctx=context, param=file)
    assert said_of_missing(error) == "tally needs FILE"


def test_a_choice_of_any_length_is_no_fault_of_ours(run: Runner) -> None:
    words = ("explain", "--score", "QS / / /", "--choice", "9" * 5000)
    code, _, err = run(*words)
    assert (code, "internal error" in err) == (3, False)
