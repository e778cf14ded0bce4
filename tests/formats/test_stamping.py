"""Tests that lines get the right ids and are not changed otherwise."""

import gzip
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from refengine.errors import Malformed
from refengine.formats.stamping import stamped
from refengine.formats.trace import spec_version
from refengine.formats.whole_files import write_file
from refengine_conformance.data import data
from tests.support.commands import run_given as run
from tests.support.lines import line_of

EXAMPLES = data("examples")
DRAW = (EXAMPLES / "01-draw.jsonl").read_bytes()
MINI = (EXAMPLES / "11-mini.jsonl").read_bytes()
LOG = (EXAMPLES / "10-log.jsonl").read_bytes()
IRREGULAR = (EXAMPLES / "04-correction.jsonl").read_bytes()

Json = dict[str, Any]


def line(value: Json) -> bytes:
    return line_of(value) + b"\n"


def edited(given: bytes, **values: object) -> bytes:
    return line(json.loads(given) | values)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.jsonl")), ids=lambda p: p.stem)
def test_a_line_that_is_right_stays_byte_for_byte(path: Path) -> None:
    before = path.read_bytes()
    found = stamped(before)
    assert found.line + b"\n" == before
    assert found.was == found.id
    assert run("stamp", "--check", path) == (0, "", "")


@pytest.mark.parametrize("given", [DRAW, MINI, IRREGULAR])
@pytest.mark.parametrize("was", ["t-0000000000000000", "to be stamped", 7, {}])
def test_any_other_id_is_put_right(given: bytes, was: object) -> None:
    assert stamped(edited(given, id=was)).line == given.rstrip()


@pytest.mark.parametrize("given", [DRAW, MINI])
@pytest.mark.parametrize("missing", [("id",), ("spec",), ("id", "spec")])
def test_what_is_missing_is_put_after_the_kind(
    given: bytes, missing: tuple[str, ...]
) -> None:
    plain = {key: one for key, one in json.loads(given).items() if key not in missing}
    found = stamped(line(plain))
    assert json.loads(found.line) == json.loads(given)
    assert found.line.startswith((b'{"trace":1,"', b'{"mini":1,"'))
    assert set(list(json.loads(found.line))[1:3]) == {"id", "spec"}
    assert (found.was == "") == ("id" in missing)


def test_expectations_stay_as_they_are_also_wrong_ones() -> None:
    plain = json.loads(DRAW)
    plain["steps"][0] |= {"legal": "6D", "then": {"turn": [0], "hearts_broken": True}}
    plain["end"] = {"score": [99, -99]}
    found = json.loads(stamped(line(plain)).line)
    assert found["id"] != plain["id"]
    assert {**found, "id": plain["id"]} == plain
    again = run("replay", "-", given=line(found))
    assert (again[0], "id:" in again[1]) == (1, False)


def test_counts_of_a_mini_deal_stay_as_they_are_also_wrong_ones() -> None:
    wrong = edited(MINI, games=json.loads(MINI)["games"] + 1)
    found = json.loads(stamped(wrong).line)
    assert found["id"] != json.loads(wrong)["id"]
    assert {**found, "id": ""} == json.loads(wrong) | {"id": ""}


def test_order_of_keys_digits_and_escapes_stay_and_white_space_goes() -> None:
    head, _, tail = DRAW.partition(b'"trace":1,')
    strange = b'"x-note": [1.10, 1e400, "\\u0041\t\xc3\xa9", {"id": "t-"}],'.replace(
        b"\t", b" "
    )
    given = head + strange + b' "name" : "Caf\\u00e9" , "trace":1,' + tail
    given = given.replace(b'"name":"draw until you can follow",', b"")
    found = stamped(given)
    kept = b'{"x-note":[1.10,1e400,"\\u0041 \xc3\xa9",{"id":"t-"}],"name":"Caf\\u00e9",'
    assert found.line.startswith(kept + b'"trace":1,"id":"t-')
    assert found.id == json.loads(DRAW)["id"]  # neither key belongs to the meaning


def test_an_escaped_key_is_found_and_no_key_inside_is_mistaken_for_it() -> None:
    given = DRAW.replace(b'"id":"t-', b'"\\u0069d":"t-f')
    found = stamped(given)
    assert b'"\\u0069d":"t-' in found.line
    assert found.line.count(b'"id"') == 0
    assert json.loads(found.line) == json.loads(DRAW)


def test_a_log_has_no_id_and_goes_through() -> None:
    assert stamped(LOG) == (LOG.rstrip(), "", "")


def with_step(given: bytes, place: int, **values: object) -> bytes:
    """The line with these keys of one step replaced; the value `...` removes a key."""
    plain = json.loads(given)
    step = plain["steps"][place] | values
    plain["steps"][place] = {key: one for key, one in step.items() if one is not ...}
    return line(plain)


REVOKE = next(
    place
    for place, step in enumerate(json.loads(IRREGULAR)["steps"])
    if "breaks" in step
)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (with_step(DRAW, 0, act={"play": "AS"}), "steps[0]: found AS of seat 0, ref"),
        (with_step(DRAW, 0, seat=7), "steps[0].seat: found seat 7"),
        (with_step(DRAW, 0, breaks=["5.3"]), "allowed: an irregular act"),
        (with_step(IRREGULAR, REVOKE, breaks=...), "allowed: a legal act"),
        (edited(DRAW, spec="2.0.0"), "spec: found '2.0.0'"),
        (edited(DRAW, spec=1), "spec"),
        (edited(DRAW, rain=1), "rain"),
        (edited(MINI, setup={"dealer": 0, "deal": 1, "hands": ["2C"]}), "setup"),
        (DRAW.replace(b'"id"', b'"x-a":NaN,"id"'), "no JSON"),
        (b"{}\n", "allowed: a line with the key"),
        (b"[\n", "no JSON"),
        (b"\n", "an empty line"),
        (b"\xff\n", "UTF-8"),
        (LOG.replace(b'"log":1', b'"log":2'), "log"),
    ],
)
def test_a_line_that_cannot_be_read_or_played_stops_everything(
    given: bytes, said: str, tmp_path: Path
) -> None:
    with pytest.raises(Malformed):
        stamped(given)
    made = tmp_path / "made.jsonl"
    code, out, err = run("stamp", "-", "--output", made, given=DRAW + given + DRAW)
    assert (code, out) == (3, "")
    assert err.startswith("-:2: ")
    assert said in err
    assert not made.exists()
    assert run("stamp", "-", given=DRAW + given)[:2] == (3, "")


def test_a_dash_is_standard_output(folder: Path) -> None:
    printed = run("stamp", "-", given=DRAW)
    assert run("stamp", "-", "--output", "-", given=DRAW) == printed
    assert [*folder.iterdir()] == []


def test_breaks_that_name_another_clause_are_an_expectation_like_others() -> None:
    given = with_step(IRREGULAR, REVOKE, breaks=["5.4"])
    assert stamped(given).id != json.loads(IRREGULAR)["id"]


def test_without_an_output_the_lines_are_printed() -> None:
    given = edited(DRAW, id="mine") + MINI.rstrip()
    assert run("stamp", "-", given=given) == (0, (DRAW + MINI).decode(), "")


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"{\n" + DRAW + b"[]\n")
    _, _, err = run("stamp", path)
    named = [one.partition(": ")[0] for one in err.splitlines()]
    assert named == [f"{path}:1", f"{path}:3"]


def test_a_file_is_written_whole_with_its_mode_also_over_itself(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(edited(DRAW, id="") + edited(MINI, id="m-1") + LOG)
    path.chmod(0o640)
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    assert run("stamp", path, "--output", link) == (0, "", "")
    assert path.read_bytes() == DRAW + MINI + LOG
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["link.jsonl", "mine.jsonl"]
    new = tmp_path / "new.jsonl"
    assert run("stamp", path, "--output", new)[0] == 0
    usual = tmp_path / "usual"
    usual.touch()
    assert new.stat().st_mode == usual.stat().st_mode


def test_a_file_that_is_packed_stays_packed(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl.gz"
    path.write_bytes(gzip.compress(edited(DRAW, id="")))
    assert run("stamp", path, "--output", path) == (0, "", "")
    assert gzip.decompress(path.read_bytes()) == DRAW


def test_what_is_no_file_is_written_to_by_its_name() -> None:
    """A pipe, such as /dev/stdout or bash's >(command), resolves to no file at all."""
    read, write = os.pipe()
    write_file(f"/dev/fd/{write}", DRAW)
    os.close(write)
    with open(read, "rb") as stream:
        assert stream.read() == DRAW


@pytest.mark.parametrize("sign", ["x", "é"])
def test_a_file_has_as_long_a_name_as_there_can_be(tmp_path: Path, sign: str) -> None:
    path = tmp_path / (sign * (255 // len(sign.encode())))
    write_file(path, DRAW)
    assert path.read_bytes() == DRAW


def test_a_file_that_cannot_be_written_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(one: str, other: Path) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "mine.jsonl"
    path.write_bytes(b"old\n")
    monkeypatch.setattr(os, "replace", full)
    code, _, err = run("stamp", "-", "--output", path, given=DRAW)
    assert (code, "No space left" in err) == (3, True)
    assert path.read_bytes() == b"old\n"
    assert os.listdir(tmp_path) == ["mine.jsonl"]


def test_output_may_be_a_device(tmp_path: Path) -> None:
    assert run("stamp", "-", "--output", os.devnull, given=DRAW) == (0, "", "")
    assert run("stamp", "-", "--output", tmp_path, given=DRAW)[0] == 3


def test_check_names_the_lines_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    given = DRAW + edited(DRAW, id="mine") + MINI
    nameless = {key: one for key, one in json.loads(MINI).items() if key != "id"}
    path.write_bytes(given + line(nameless))
    code, out, err = run("stamp", path, "--check")
    right, mini = json.loads(DRAW)["id"], json.loads(MINI)["id"]
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        f"{path}:2: id: expected {right}, found 'mine'",
        f"{path}:4: id: expected {mini}, found none",
    ]
    assert path.read_bytes() == given + line(nameless)
    assert run("stamp", path, "--check", "--output", path)[0] == 3
    assert run("stamp", "--check", "-", given=edited(DRAW, id="") + b"[\n")[0] == 3
    assert run("stamp", "--check", "-")[0] == 4


def test_the_version_is_that_of_our_book() -> None:
    major, minor, _ = spec_version().split(".")
    older = edited(DRAW, spec=f"{major}.{minor}.99")
    assert stamped(older).line == DRAW.rstrip()


def test_a_line_of_1_0_keeps_its_edition() -> None:
    """The clauses in the line keep the numbers that they had in edition 1.0.0."""
    old = edited(DRAW, spec="1.0.7")
    assert stamped(edited(old, id="mine")).line == old.rstrip()


def test_a_file_is_on_the_disk_before_it_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    sync, replace = os.fsync, os.replace

    def synced(handle: int) -> None:
        done.append(f"sync {os.fstat(handle).st_size}")
        sync(handle)

    def replaced(one: str, other: Path) -> None:
        done.append("replace")
        replace(one, other)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    write_file(tmp_path / "match.jsonl", DRAW)
    assert done == [f"sync {len(DRAW)}", "replace"]  # all of it, nothing in a buffer
