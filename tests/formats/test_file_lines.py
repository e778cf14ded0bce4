"""Tests that unusual files are read, or else rejected with a one-line message."""

import gzip
import io
import json
import os
import sys
import tarfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest
import zstandard

from refengine import Malformed
from refengine.formats.file_lines import lines_of_file, numbered_lines_of
from refengine.formats.wire import LONGEST_LINE
from refengine.lawbook import packed_files

LINES = [
    b'{"one":"{[\\\\\\"}"}',
    b'{"two":[1,{"deep":[]}],"three":"]"}',
    b'{"four":{}}',
]
PLAIN = b"".join(line + b"\n" for line in LINES)


def pretty(indent: int | str = 2) -> bytes:
    """The objects of `LINES`, each laid out on several lines."""
    return b"".join(
        json.dumps(json.loads(line), indent=indent).encode() + b"\n" for line in LINES
    )


def listed() -> bytes:
    """The objects of `LINES` in one JSON list, laid out on several lines."""
    return json.dumps([json.loads(line) for line in LINES], indent=2).encode()


def values(data: bytes) -> list[Any]:
    """The values of the lines that are read from a file with these bytes."""
    found = list(lines_of_file(io.BytesIO(data)))
    assert all(isinstance(line, bytes) for line in found)
    return [json.loads(line) for line in found if isinstance(line, bytes)]


SAME = {
    "plain": PLAIN,
    "without a last line end": PLAIN[:-1],
    "as Windows ends lines": PLAIN.replace(b"\n", b"\r\n"),
    "laid out": pretty(),
    "laid out by tabs": pretty("\t"),
    "laid out as Windows does": pretty().replace(b"\n", b"\r\n"),
    "laid out, then plain": pretty() + PLAIN,
    "in a list": listed(),
    "in a list, a line each": b"[\n" + b",\n".join(LINES) + b"\n]\n",
    "in a list on one line": b"[" + b",".join(LINES) + b"]\n",
    "in a list on one line, spaced": b"[" + b" , ".join(LINES) + b" ]",
    "in a list on one line, loosely": b"[ " + b", ".join(LINES) + b" ]\n",
    "the first key beside its brace": b'{ "one":\n  "{[\\\\\\"}"\n}\n' + PLAIN[18:],
}
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "as it is": bytes,
    "gzip": gzip.compress,
    "gzip, in two parts": lambda data: (
        gzip.compress(data[:9]) + gzip.compress(data[9:])
    ),
    "zstd": zstandard.compress,
    "zstd, in two parts": lambda data: (
        zstandard.compress(data[:9]) + zstandard.compress(data[9:])
    ),
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "byte order mark, gzip": lambda data: gzip.compress(b"\xef\xbb\xbf" + data),
}


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("laid_out", SAME)
def test_the_same_objects_are_read(packed: str, laid_out: str) -> None:
    expected = [json.loads(line) for line in LINES]
    found = values(PACKED[packed](SAME[laid_out]))
    assert found == (expected * 2 if "then plain" in laid_out else expected)


def test_an_object_over_several_lines_has_the_number_of_its_first() -> None:
    found = list(numbered_lines_of(io.BytesIO(b"{}\n" + pretty() + b"{}\n")))
    assert [number for number, _ in found] == [1, 2, 5, 14, 17]


def archive() -> bytes:
    """A tar archive with one file of games in it."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as packing:
        about = tarfile.TarInfo("games.jsonl")
        about.size = len(PLAIN)
        packing.addfile(about, io.BytesIO(PLAIN))
    return made.getvalue()


NAMED = {
    "UTF-16": PLAIN.decode().encode("utf-16"),
    "UTF-16, the other way": b"\xfe\xff" + PLAIN.decode().encode("utf-16-be"),
    "UTF-16 without a mark": PLAIN.decode().encode("utf-16-le"),
    "UTF-16 without a mark, the other way": PLAIN.decode().encode("utf-16-be"),
    "UTF-32": PLAIN.decode().encode("utf-32"),
    "xz": b"\xfd7zXZ\x00\x00",
    "bzip2": b"BZh91AY&SY",
    "zip": b"PK\x03\x04\x14\x00",
    "7z": b"7z\xbc\xaf\x27\x1c",
    "lz4": b"\x04\x22\x4d\x18",
    "PDF": b"%PDF-1.7\n",
    "HTML": b"<!DOCTYPE html>\n<html>\n</html>\n",
    "a picture, PNG": b"\x89PNG\r\n\x1a\n\x00\x00",
    "a picture, JPEG": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "a picture, GIF": b"GIF89a",
    "RTF": b"{\\rtf1\\ansi Hearts}",
    "colours of a terminal": b"\x1b[1;39m{\x1b[0m\n\x1b[1;39m}\n",
    "Git LFS": b"version https://git-lfs.github.com/spec/v1\n",
    "tar": archive(),
    "tar, packed": gzip.compress(archive()),
    "packed file within": gzip.compress(gzip.compress(PLAIN)),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_file_of_another_kind_is_named_in_one_line(name: str) -> None:
    with pytest.raises(Malformed) as raised:
        list(lines_of_file(io.BytesIO(NAMED[name])))
    assert name.split(",")[0].split(" without")[0] in raised.value.found
    assert "lines in UTF-8" in raised.value.allowed


def test_what_only_begins_as_a_pointer_of_git_lfs_does_is_read() -> None:
    text = b"version: 2\nservices: none\n"
    found = lines_of_file(io.BytesIO(text))
    assert list(found) == text.splitlines(keepends=True)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize("kept", [7, 40, -4])
def test_a_packed_file_that_breaks_off_says_so(pack: Any, kept: int) -> None:
    data = pack(os.urandom(5000).hex().encode())
    with pytest.raises(Malformed, match="a file that can be read to its end"):
        list(lines_of_file(io.BytesIO(data[:kept])))


def test_what_stands_behind_a_packed_file_is_told() -> None:
    found = lines_of_file(io.BytesIO(gzip.compress(PLAIN) + b"garbage"))
    with pytest.raises(Malformed, match="something other than gzip after the end"):
        list(found)


def test_a_packed_file_that_is_damaged_says_so() -> None:
    for data in (gzip.compress(PLAIN), zstandard.compress(PLAIN)):
        spoilt = data[:4] + bytes(byte ^ 255 for byte in data[4:])
        with pytest.raises(Malformed, match="a file that can be read to its end"):
            list(lines_of_file(io.BytesIO(spoilt)))


def test_zstd_without_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(Malformed, match=r"packed by zstd; .*'refengine\[zstd\]'"):
        list(lines_of_file(io.BytesIO(zstandard.compress(PLAIN))))


def test_an_object_over_several_lines_begins_as_ours_do() -> None:
    """Commands look for `{"trace"` at the start before they read a whole line."""
    laid_out = b'{\n  "trace": 1,\n  "steps": [\n    1\n  ]\n}\n'
    assert list(lines_of_file(io.BytesIO(laid_out))) == [
        b'{"trace": 1,"steps": [1 ] }\n'
    ]


# Faults of a line stay faults of that line


def test_what_stands_on_two_lines_does_not_run_together() -> None:
    (line,) = lines_of_file(io.BytesIO(b'{"one": [\n1\n2\n]}\n'))
    assert line == b'{"one": [1 2 ]}\n'


def test_an_object_that_breaks_off_takes_no_other_with_it() -> None:
    broken = b'{"one": 1,\n'
    *found, last = lines_of_file(io.BytesIO(broken + PLAIN + broken + broken))
    assert found == [broken, *PLAIN.splitlines(keepends=True), broken]
    assert isinstance(last, Malformed)
    assert (last.found, "}" in last.allowed) == ("the end of the file", True)


def test_a_list_that_breaks_off_says_so() -> None:
    *found, last = lines_of_file(io.BytesIO(listed()[:-1]))
    assert len(found) == len(LINES)
    assert isinstance(last, Malformed)
    assert "]" in last.allowed


@pytest.mark.parametrize(
    "bare", [b"[1, 2]", b'[{"a":1},]', b"[", b"]", b"1", b"", b"x", b"}"]
)
def test_what_is_no_object_is_a_line_as_ever(bare: bytes) -> None:
    text = bare + b"\n"
    assert list(lines_of_file(io.BytesIO(PLAIN + text + PLAIN))) == [
        *PLAIN.splitlines(keepends=True),
        text,
        *PLAIN.splitlines(keepends=True),
    ]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress])
def test_an_object_over_several_lines_is_as_long_as_a_line_at_most(pack: Any) -> None:
    many = b'"' + b"x" * (1 << 20) + b'",\n'
    long = b"{\n" + many * (LONGEST_LINE // len(many) + 2) + b"}\n"
    error, *rest = lines_of_file(io.BytesIO(pack(long + PLAIN)))
    assert isinstance(error, Malformed)
    assert (error.found, error.allowed) == (
        f"an object of {len(long)} bytes",
        "at most 16 MiB a line",
    )
    assert rest == PLAIN.splitlines(keepends=True)


# Streams


def held_open(data: bytes) -> tuple[BinaryIO, int]:
    """A stream of these bytes that stays open, and the write end of its pipe."""
    reading, writing = os.pipe()
    os.write(writing, data)
    return os.fdopen(reading, "rb"), writing


@pytest.mark.parametrize("begun", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
def test_a_line_is_given_as_soon_as_it_has_come(begun: bytes) -> None:
    stream, writing = held_open(begun + PLAIN)
    lines = lines_of_file(stream)
    assert [next(lines) for _ in LINES] == PLAIN.splitlines(keepends=True)
    os.write(writing, b"{}\n")
    assert next(lines) == b"{}\n"
    os.close(writing)
    assert list(lines) == []
    stream.close()


def test_a_line_of_a_packed_stream_is_given_as_soon_as_it_has_come() -> None:
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as writer:
        writer.write(PLAIN)
        writer.flush()
        stream, writing = held_open(packed.getvalue())
        lines = lines_of_file(stream)
        assert [next(lines) for _ in LINES] == PLAIN.splitlines(keepends=True)
    os.close(writing)
    stream.close()


def test_a_stream_may_come_byte_by_byte() -> None:
    for data in (PLAIN, gzip.compress(PLAIN), b"\xef\xbb\xbf" + pretty()):
        reading, writing = os.pipe()

        def send(data: bytes = data, writing: int = writing) -> None:
            for byte in data:
                os.write(writing, bytes([byte]))
            os.close(writing)

        sender = threading.Thread(target=send)
        sender.start()
        with os.fdopen(reading, "rb") as stream:
            found = [line for line in lines_of_file(stream) if isinstance(line, bytes)]
        sender.join()
        assert list(map(json.loads, found)) == list(map(json.loads, LINES))


def test_bytes_are_unpacked_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few bytes of zstd can hold many zeros, which must not come out all at once."""
    made: list[int] = []
    unpack = packed_files._Unzstd._unpack

    def noted(stream: Any, packed: bytes) -> None:
        unpack(stream, packed)
        made.append(len(stream._ready))

    monkeypatch.setattr(packed_files._Unzstd, "_unpack", noted)
    packed = zstandard.compress(b"0" * (64 << 20))
    number, line = next(numbered_lines_of(io.BytesIO(packed)))
    assert (number, type(line)) == (1, Malformed)
    assert sum(made) == 64 << 20
    assert max(made) < 2 * LONGEST_LINE


def test_a_file_may_be_empty() -> None:
    for data in (b"", gzip.compress(b""), zstandard.compress(b""), b"\xef\xbb\xbf"):
        assert list(lines_of_file(io.BytesIO(data))) == []


# Files by their names


def test_the_name_of_a_file_does_not_matter(tmp_path: Path) -> None:
    for name in ("games.jsonl", "games.jsonl.gz", "games.zst", "games"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(pretty()))
        with path.open("rb") as stream:
            assert len(list(lines_of_file(stream))) == len(LINES)


def test_an_object_that_breaks_off_in_a_list_costs_no_other() -> None:
    text = b'[\n  {\n    "trace": 1,\n  {\n    "mini": 1\n  }\n]\n'
    (first, _), (second, line) = numbered_lines_of(io.BytesIO(text))
    assert (first, second) == (2, 4)
    assert isinstance(line, bytes)
    assert json.loads(line) == {"mini": 1}


def test_a_text_that_does_not_end_runs_to_the_end_of_its_line() -> None:
    r"""Each `\"` in it might begin another text, which is not tried again from each."""
    [found] = lines_of_file(io.BytesIO(b'{"' + b'\\"{' * 200_000 + b",\n"))
    assert isinstance(found, Malformed)
