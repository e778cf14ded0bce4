"""Tests that all commands that read files accept the same compressions and layouts."""

import gzip
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from refengine import Malformed
from refengine import json as games
from refengine.cli.files import WrittenGames, line_with_id, numbered_games
from refengine.formats.trace import read_trace
from refengine_conformance.data import data
from refengine_conformance.runner.known_failures import read_known
from tests.support.commands import Run, run_given

EXAMPLES = data("examples")
TRACE = (EXAMPLES / "01-draw.jsonl").read_bytes()
MINI = (EXAMPLES / "11-mini.jsonl").read_bytes()
KNOWN = b'{"id":"t0000000000000000","why":"it is known","until":"2027-01-31"}\n'
ACTIONS = b"0 1 2\n"

READERS = {
    "replay": (["replay"], TRACE),
    "replay --json": (["replay", "--json"], TRACE),
    "judge": (["judge"], TRACE),
    "show": (["show"], TRACE),
    "annotate": (["annotate"], TRACE),
    "stamp": (["stamp"], TRACE),
    "explain": (["explain"], TRACE),
    "enumerate": (["enumerate"], MINI),
    "conform run": (["conform", "run", "--format", "text", "--corpus"], TRACE),
}
AFTER = {"conform run": ["--", "builtin:reference"]}


def laid_out(data: bytes) -> bytes:
    """The same JSON values, each laid out on several lines as `jq .` prints them."""
    lines = [json.loads(line) for line in data.splitlines()]
    return b"".join(json.dumps(line, indent=2).encode() + b"\n" for line in lines)


FILES: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "laid out": laid_out,
    "laid out, gzip": lambda data: gzip.compress(laid_out(data)),
}


def read_by(name: str, path: Path, data: bytes) -> Run:
    """The exit code and output of the command `name` for a file of these bytes."""
    path.write_bytes(data)
    return run_given(*READERS[name][0], path, *AFTER.get(name, ()))


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("name", READERS)
def test_every_reader_reads_it(name: str, kind: str, tmp_path: Path) -> None:
    path, plain = tmp_path / "games", READERS[name][1]
    expected = read_by(name, path, plain)
    assert expected[0] == 0, expected
    assert read_by(name, path, FILES[kind](plain)) == expected


@pytest.mark.parametrize("name", READERS)
def test_every_reader_names_what_it_cannot_read(name: str, tmp_path: Path) -> None:
    code, out, err = read_by(name, tmp_path / "games", TRACE.decode().encode("utf-16"))
    assert code == 3
    assert str(tmp_path / "games") in out + err
    assert (out + err).count("found text in UTF-16; allowed: lines in UTF-8") == 1


@pytest.mark.parametrize("name", READERS)
def test_every_reader_says_where_a_file_ends_too_early(
    name: str, tmp_path: Path
) -> None:
    path, plain = tmp_path / "games", READERS[name][1]
    cut = laid_out(plain).rstrip()[:-1]
    code, out, err = read_by(name, path, cut)
    assert code == 3
    assert (out + err).count(str(path)) >= 1
    assert (out + err).count("found the end of the file; allowed: the end of its") == 1


@pytest.mark.parametrize("kind", FILES)
def test_standard_input_is_read_alike(kind: str) -> None:
    code, out, err = run_given("replay", "-", given=FILES[kind](TRACE))
    assert (code, out, err) == (0, "1 as expected, 0 not\n", "")


@pytest.mark.parametrize("kind", FILES)
def test_a_game_saved_and_the_known_failures_are_read_alike(
    kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(TRACE)
    state = games.load(path)
    path.write_bytes(FILES[kind](TRACE))
    assert games.load(path) == state
    path.write_bytes(KNOWN)
    known = read_known(path)
    path.write_bytes(FILES[kind](KNOWN))
    assert read_known(path) == known


def test_a_trace_is_found_in_a_corpus_that_is_laid_out(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_bytes(laid_out(TRACE))
    line = line_with_id(json.loads(TRACE)["id"], [str(corpus)])
    assert line is not None
    assert read_trace(line) == read_trace(TRACE)
    assert line_with_id("0" * 12, [str(corpus)]) is None


def test_known_failures_in_a_zip_are_named(tmp_path: Path) -> None:
    path = tmp_path / "known.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("known.jsonl", KNOWN)
    with pytest.raises(Malformed, match="found a zip archive"):
        read_known(path)


@pytest.mark.parametrize("kind", ["gzip", "zstd", "byte order mark"])
def test_action_lists_are_read_alike(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "lists"
    path.write_bytes(ACTIONS)
    expected = run_given("convert", path)
    path.write_bytes(FILES[kind](ACTIONS))
    assert run_given("convert", path) == expected


def test_serve_drops_a_byte_order_mark() -> None:
    request = b'{"op":"hello","protocol":1,"seq":7}\n'
    said = run_given("serve", given=b"\xef\xbb\xbf" + request)
    assert said == run_given("serve", given=request)
    assert json.loads(said[1])["seq"] == 7


# Many lines that cannot be read


def errors(err: str) -> list[str]:
    return [line for line in err.splitlines() if "found no object" in line]


MANY = [["replay"], ["show"], ["judge"], ["replay", "--jobs=2"]]


@pytest.mark.parametrize("words", MANY, ids=" ".join)
def test_of_many_unreadable_lines_twenty_are_told(words: list[str]) -> None:
    _, _, err = run_given(*words, "-", given=b"1\n" * 20)
    assert (len(errors(err)), "more" in err) == (20, False)
    _, _, err = run_given(*words, "-", given=b"1\n" * 21)
    assert (len(errors(err)), err.splitlines()[20:]) == (
        20,
        ["1 more line that cannot be read"],
    )
    _, _, err = run_given(*words, "-", given=b"1\n" * 1500)
    assert err.splitlines()[20:] == ["1480 more lines that cannot be read"]


@pytest.mark.parametrize("command", ["replay", "judge"])
def test_with_json_each_unreadable_line_is_told(command: str) -> None:
    _, _, err = run_given(command, "--json", "-", given=b"1\n" * 100)
    assert (len(errors(err)), "more" in err) == (100, False)


def test_a_report_tells_twenty_unreadable_lines_and_json_each(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(TRACE + b"1\n" * 100)

    def told(kind: str) -> Any:
        words = ["conform", "run", "--format", kind, "--corpus", path]
        return run_given(*words, "--", "builtin:reference")[1]

    text = told("text").splitlines()
    assert sum("unreadable: " in line for line in text) == 20
    assert sum("80 more lines that cannot be read" in line for line in text) == 1
    assert told("jsonl").count("unreadable: ") == 100


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b'{"games":[]}\n', 'an object with "games"'),
        (b'{"a":1,"b":2,"c":3}\n', 'an object with "a" and "b" and others'),
        (b"{}\n", "an object without keys"),
        (b"7\n", "no object"),
    ],
)
def test_what_tells_no_game_is_called_by_what_it_is(
    line: bytes, found: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.json"
    path.write_bytes(line)
    for command in ("replay", "judge"):
        code, _, err = run_given(command, path)
        assert (code, f"found {found}; allowed: " in err) == (3, True), err


def test_a_zip_is_named_and_the_next_file_is_judged(tmp_path: Path) -> None:
    book, good = tmp_path / "friday.xlsx", tmp_path / "good.jsonl"
    with zipfile.ZipFile(book, "w") as archive:
        archive.writestr("x", "x")
    good.write_bytes(TRACE)
    code, out, err = run_given("judge", book, good)
    assert code == 3
    assert f"{book}:1: found a zip archive" in err
    assert str(good) in out


def test_a_trace_is_found_whatever_the_order_of_its_keys(tmp_path: Path) -> None:
    corpus = tmp_path / "sorted.jsonl"
    corpus.write_text(json.dumps(json.loads(TRACE), sort_keys=True) + "\n")
    line = line_with_id(json.loads(TRACE)["id"], [str(corpus)])
    assert line is not None
    assert read_trace(line) == read_trace(TRACE)


def test_a_line_is_explained_whatever_stands_above_it(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"{broken\n" + TRACE)
    code, out, err = run_given("explain", path, "--line", 2)
    assert (code, err, bool(out)) == (0, "", True)
    assert run_given("explain", path)[0] == 3


@pytest.mark.parametrize("command", ["explain", "judge", "replay", "show"])
def test_a_pipe_with_a_name_is_read_from_its_beginning(command: str) -> None:
    """As bash passes <(command)."""
    read, write = os.pipe()
    os.write(write, TRACE)
    os.close(write)
    code, out, err = run_given(command, f"/dev/fd/{read}")
    os.close(read)
    assert (code, err, bool(out)) == (0, "", True)


@pytest.mark.parametrize("command", ["explain", "judge"])
def test_bytes_that_are_no_text_are_told_with_their_file(
    command: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.bin"
    path.write_bytes(b"\x01\xff\n")
    code, _, err = run_given(command, path)
    assert (code, f"{path}:1: found byte 0xff" in err) == (3, True), err


@pytest.mark.parametrize(
    "name", ["Elodie", "Élodie", "\ufeffElodie", "\n" * 70 + "Elodie"]
)
def test_a_written_game_may_begin_with_any_letter(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.hearts"
    path.write_text(f"{name} leads 2C; Ben 5C; Carl JC; Dora KC\n", "utf-8")
    [(_, game)] = numbered_games(str(path))
    assert isinstance(game, WrittenGames)


@pytest.mark.parametrize("stamp", ["[12:30] ", "[2026-05-01 12:30:07] "])
def test_a_log_with_stamps_in_brackets_is_written(stamp: str, tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    lines = ["Ann 2C", "Ben 5C", "Carl JC", "Dora KC"]
    path.write_text("".join(f"{stamp}{line}\n" for line in lines))
    [(_, game)] = numbered_games(str(path))
    assert isinstance(game, WrittenGames)


@pytest.mark.parametrize("option", ["limit=soon", "hand_size=5", "pass_cycle=hold"])
def test_convert_refuses_its_options_once(option: str, tmp_path: Path) -> None:
    path = tmp_path / "lists"
    path.write_bytes(ACTIONS * 3)
    code, out, err = run_given("convert", "--option", option, path)
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert "--option" in err
