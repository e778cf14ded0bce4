"""Fuzzing: what is clear and what is not, faults found again, runs that go on."""

import importlib.util
import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import attrs
import pytest

from refengine import Malformed
from refengine.formats import shapes, wire
from refengine.game.typed import read_act
from refengine.lawbook.profiles import profile_of_toml
from refengine_conformance.fuzz import fuzz_all, targets
from refengine_conformance.fuzz.fuzz_all import (
    Task,
    fuzz_tasks,
    main,
    report_lines,
    try_inputs,
)
from refengine_conformance.fuzz.near_misses import spoil_input
from refengine_conformance.fuzz.targets import READERS, Reader, fault_on_input
from refengine_conformance.jobs.journals import Journal

ROOT = Path(fuzz_all.__file__).parents[1]


@pytest.mark.parametrize("name", READERS)
def test_a_reader_is_well_on_its_seeds_and_on_what_is_nearly_right(name: str) -> None:
    found = try_inputs(Task(name, "spoiled", 1, 0, 60))
    assert found["faults"] == []
    assert found["tried"] >= 60
    accepted = 0
    for seed in READERS[name].seeds():
        try:
            READERS[name].read(seed)
        except targets.CLEAR:
            continue
        accepted += 1
    assert accepted > 0


def test_what_is_nothing_at_all_is_refused_clearly() -> None:
    for reader in READERS.values():
        for data in (b"\xff\xfe", b"\x00", b"{", b"[[[[", b"\n\n"):
            assert fault_on_input(reader, data) == "", (reader.name, data)


def test_what_is_nearly_right_is_sometimes_right_and_sometimes_not() -> None:
    random = Random(1)
    reader = READERS["ruleset"]
    seeds = reader.seeds()
    refused = 0
    for _ in range(200):
        data = spoil_input(random.choice(seeds), random, seeds)
        assert data == data[:100_000]
        try:
            reader.read(data)
        except targets.CLEAR:
            refused += 1
    assert 20 < refused < 200


def raising(error: Exception) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        if data != b"good":
            raise error

    return read


class Careless(Malformed):
    """A message that is printed as it came, which `Malformed` itself never does."""

    def __str__(self) -> str:
        return self.found


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (Careless("two\nlines", "one line"), "unclear message"),
        (Malformed("two\nlines", "one line"), ""),
        (Malformed("much", "x" * 2000), "unclear message"),
        (Malformed("x" * 2000, "less"), ""),
        (Careless("\udcff", "text"), "cannot be printed"),
        (Malformed("\udcff", "text"), ""),
        (KeyError("name"), "KeyError at test_fuzzing.py"),
        (AssertionError("no"), "AssertionError at"),
        (RecursionError(), "RecursionError at"),
        (Malformed("a", "b"), ""),
    ],
)
def test_a_fault_is_all_but_a_clear_error(error: Exception, fault: str) -> None:
    found = fault_on_input(Reader("one", raising(error), lambda: (b"good",)), b"bad")
    assert fault in found
    assert bool(fault) == bool(found)
    assert "\n" not in found


def _planted(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(data: bytes) -> None:
        if b"Q" in data and len(data) > 4:
            raise IndexError("planted")

    planted = attrs.evolve(READERS["notation"], read=read)
    monkeypatch.setitem(READERS, "notation", planted)


@pytest.mark.parametrize("way", ["hypothesis", "spoiled"])
def test_a_planted_fault_is_found_and_tried_again(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    way: str,
) -> None:
    _planted(monkeypatch)
    monkeypatch.setattr(fuzz_all, "WAYS", (way,))
    folder = tmp_path / "faults"
    options = ["--only", "notation", "--number", "400", "--faults", str(folder)]
    assert main(options) == 1
    out = capsys.readouterr().out
    assert "IndexError at" in out
    assert "faults: 1" in out
    (path,) = folder.iterdir()
    assert main(["--replay", str(path)]) == 1
    monkeypatch.undo()
    assert main(["--replay", str(path)]) == 0


def test_a_file_of_no_reader_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path / "nothing-1", tmp_path / "trace-1"):
        assert main(["--replay", str(path)]) == 3
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
def test_the_guided_fuzzer_finds_what_the_others_do_not(tmp_path: Path) -> None:
    found = try_inputs(Task("citation", "guided", 1, 3, 0, (b"HFR 9.8@1.2.3",)))
    assert found["tried"] > 1000
    assert found["faults"] == []
    again = try_inputs(Task("citation", "guided", 2, 1, 0, (b"HFR 9.8@1.2.3",)))
    assert again["tried"] > 100


def test_without_atheris_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["--only", "citation", "--number", "5"]) == 0
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert "faults: 0" in captured.out


def test_the_rounds_go_on_from_what_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, tuple[bytes, ...]]] = []

    def doing(task: Task) -> dict[str, object]:
        seen.append((str(task), task.inputs))
        return {"tried": 1, "faults": [], "kept": [f"{task.round:02x}"]}

    monkeypatch.setattr(fuzz_all, "try_inputs", doing)
    tasks = [Task("trace", way, 0, 1, 1) for way in ("guided", "spoiled")]
    found = fuzz_tasks(tasks, 3, Journal(None, ""))
    assert len(found) == 6
    assert ("trace guided 3", (b"\x01", b"\x01", b"\x02", b"\x02")) in seen
    assert ("trace spoiled 3", ()) in seen
    assert "6 inputs tried" in report_lines(found, 1)[-1]


def test_a_killed_run_goes_on_and_gives_the_same_result(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    program = (
        "from refengine_conformance.fuzz import fuzz_all as fuzzing; import sys;"
        "fuzzing.WAYS = ('spoiled',); sys.exit(fuzzing.main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "--number", "3"]
    with subprocess.Popen(
        [*command, "--resume", str(path)], cwd=ROOT, stdout=subprocess.DEVNULL
    ) as running:
        while running.poll() is None:
            if path.exists() and path.read_bytes().count(b"\n") > 3:
                running.kill()
                break
            time.sleep(0.002)
    assert running.returncode == -signal.SIGKILL
    before = path.read_bytes()
    outputs = [
        subprocess.run(
            [*command, *more], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for more in (["--resume", str(path)], [])
    ]
    assert outputs[0][:-1] == outputs[1][:-1]
    assert path.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    keys = [json.loads(line)["key"] for line in path.read_bytes().splitlines()[1:]]
    assert sorted(keys) == sorted(f"{name} spoiled 1" for name in READERS)


# What fuzzing has found


@pytest.mark.parametrize(
    "line",
    [
        b'{"profile":"estmesh-hearts","players":4,"a\\nb":1}',
        b'{"profile":"estmesh-hearts","players":4,"options":{"a\\nb":1.5}}',
        b'{"profile":"estmesh-hearts","players":4,"options":{"a\\nb":{}}}',
        b'{"profile":"estmesh-hearts","players":4,"x-\\n":[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]}',
    ],
)
def test_a_message_about_a_key_of_two_lines_is_one_line(line: bytes) -> None:
    with pytest.raises(Malformed) as caught:
        wire.decode(line, shapes.RulesetObject)
    assert "\n" not in str(caught.value)
    assert "\\n" in str(caught.value)


def profile_text() -> str:
    return READERS["profile"].seeds()[0].decode()


@pytest.mark.parametrize(
    "key", ["name", "title", "summary", "sources", "players", "usual_players"]
)
def test_a_profile_without_a_key_is_malformed(key: str) -> None:
    text = "\n".join(
        line for line in profile_text().splitlines() if not line.startswith(f"{key} =")
    )
    with pytest.raises(Malformed, match=f"no {key}"):
        profile_of_toml(text)


@pytest.mark.parametrize("value", ["2027-01-31", "1.5", "[4.0]", '"4"', "nan", "0"])
def test_a_profile_with_a_wrong_value_is_malformed(value: str) -> None:
    lines = io.StringIO(profile_text()).read().splitlines()
    text = "\n".join(
        f"usual_players = {value}" if line.startswith("usual_players") else line
        for line in lines
    )
    with pytest.raises(Malformed, match="usual_players"):
        profile_of_toml(text)


def test_a_profile_with_half_a_character_is_malformed() -> None:
    half = profile_text().replace('title = "', 'title = "\udcff')
    for text in (half, profile_text() + '"a\udcff" = 1\n'):
        assert "\udcff" in text
        data = text.encode("utf-8", "surrogateescape")
        assert fault_on_input(READERS["profile"], data) == ""
        with pytest.raises(Malformed):
            profile_of_toml(text)


@pytest.mark.parametrize("typed", ["x y" * 999, "claim 1 " + "9" * 999])
def test_a_message_about_a_long_act_is_short(typed: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_act(0, typed)
    assert len(str(caught.value)) < 400
