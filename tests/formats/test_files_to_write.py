"""Tests that a run never writes to a file that it reads, nor twice to the same file."""

import os
from pathlib import Path

import pytest

from refengine.errors import Malformed
from refengine.formats.files_to_write import check_new, check_written

REPORT = "--report"


@pytest.fixture
def games(tmp_path: Path) -> str:
    """The path of a file of games that the run reads."""
    path = tmp_path / "games.jsonl"
    path.write_text("{}\n")
    return str(path)


def test_files_that_are_new_or_old_reports_are_written(games: str) -> None:
    old = Path(games).with_name("old.html")
    old.write_text("<html>")
    written = [(REPORT, str(old)), ("--log", f"{games}.log"), (REPORT, "-")]
    words = ("go", "run", ".", "no such file", "\0", "x" * 5000)
    check_written([*written, (REPORT, "-")], [games, "common-hearts"], words)


def test_what_is_no_file_may_be_named_twice(games: str) -> None:
    check_written([(REPORT, os.devnull)] * 2, [games, os.devnull], ())


def test_the_folder_in_which_an_adapter_runs_is_not_read(games: str) -> None:
    check_written([(REPORT, games)], [], ["go", "run", str(Path(games).parent)])


@pytest.mark.parametrize("way", ["the name", "a link", "another path"])
def test_what_is_read_is_not_written_over(games: str, way: str) -> None:
    path = Path(games)
    link = path.with_name("link.jsonl")
    link.symlink_to(path)
    written = {"a link": str(link), "another path": f"{path.parent}/./{path.name}"}
    target = [(REPORT, written.get(way, games))]
    for read, command in (([games], ["node"]), ([], ["node", games])):
        with pytest.raises(
            Malformed, match=r"--report .*: found a file that this run reads"
        ):
            check_written(target, read, command)


def test_the_games_of_a_folder_are_read_too(games: str) -> None:
    with pytest.raises(Malformed, match="a file that this run reads"):
        check_written([(REPORT, games)], [str(Path(games).parent)], [])


def test_two_things_are_not_written_to_one_file(tmp_path: Path) -> None:
    name = str(tmp_path / "x")
    with pytest.raises(
        Malformed, match=r"--report .*x: found a file that --log names too"
    ):
        check_written([("--log", name), (REPORT, name)], [], [])


def test_a_folder_that_is_not_there_is_noticed_at_once(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=r"there is no folder .*nowhere"):
        check_written([(REPORT, str(tmp_path / "nowhere" / "x"))], [], [])
    with pytest.raises(Malformed, match="it is a folder"):
        check_written([(REPORT, str(tmp_path))], [], [])


def test_a_new_file_has_nothing_in_it(games: str) -> None:
    with pytest.raises(
        Malformed, match=r"games\.jsonl: found a file that is there already"
    ):
        check_new(games, "--write-known")
    Path(games).write_bytes(b"")
    check_new(games, "--write-known")
    check_new(f"{games}.new", "--write-known")


def test_a_name_too_long_for_a_file_is_told_with_its_flag(tmp_path: Path) -> None:
    name = str(tmp_path / ("x" * 300))
    with pytest.raises(
        Malformed, match=r"^--report .*x: cannot be written: file name too long$"
    ):
        check_written([(REPORT, name)], [], [])


def test_what_cannot_be_reached_is_told_by_whoever_reads_it(tmp_path: Path) -> None:
    check_written([], [str(tmp_path / ("x" * 300))], [])


def test_the_manifest_of_a_corpus_is_read_too(games: str) -> None:
    folder = Path(games).parent
    target = [(REPORT, str(folder / "manifest.json"))]
    check_written(target, [str(folder)], [])
    (folder / "index.jsonl").write_text("")
    with pytest.raises(Malformed, match="a file that this run reads"):
        check_written(target, [str(folder)], [])
