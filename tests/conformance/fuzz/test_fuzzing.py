"""Tests of fuzzing: which errors count as clear, and whether faults are found."""

import importlib.util
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from random import Random

import attrs
import pytest

from refengine import Act, Malformed, State
from refengine.formats.serve import Session
from refengine.rulings.explain import Ruling, explain
from refengine_conformance.fuzz import seed_inputs, targets
from refengine_conformance.fuzz.coverage_guided import fuzz_guided
from refengine_conformance.fuzz.fuzz_all import fuzz_drawn, main
from refengine_conformance.fuzz.near_misses import spoil_input
from refengine_conformance.fuzz.targets import READERS, Reader, fault_on_input


@pytest.mark.parametrize("name", READERS)
def test_a_reader_is_well_on_its_seeds_and_on_what_is_nearly_right(name: str) -> None:
    seeds = READERS[name].seeds()
    tried, faults = fuzz_drawn(READERS[name], 60)
    assert faults == []
    assert tried >= 60 + len(seeds)
    accepted = 0
    for seed in seeds:
        try:
            READERS[name].read(seed)
        except targets.CLEAR:
            continue
        accepted += 1
    assert accepted > 0


@pytest.mark.parametrize("players", range(2, 14))
def test_each_kind_of_table_is_allowed_for_each_number_of_players(players: int) -> None:
    assert len(targets.tables_of_each_kind(players)) == 3


def test_a_position_typed_with_a_stock_is_opened_under_the_rules_that_have_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stocks: list[int] = []

    def noted(state: State, act: Act) -> Ruling:
        stocks.append(len(state.stock))
        return explain(state, act)

    monkeypatch.setattr(targets, "explain", noted)
    with pytest.raises(Malformed):  # from the rules that have none
        READERS["byhand"].read(b"QS 2H 3H;2C 5C;;1 2")
    assert stocks == [2, 2, 2]


def test_every_kind_of_request_is_answered_in_a_conversation() -> None:
    """If all requests of an op were malformed, fuzzing would only start from errors."""
    ops = set()
    for conversation in seed_inputs.conversations()[:8]:
        session = Session()
        for line in conversation.splitlines():
            answer = session.handle(line)
            if answer is not None and "ok" in json.loads(answer):
                ops.add(json.loads(line)["op"])
    assert ops >= {"hello", "open", "legal", "probe", "step", "observe", "replay"}


def test_views_are_read_as_views() -> None:
    views = [one for one in READERS["answers"].seeds() if one.startswith(b"view ")]
    assert views
    wrong = views[0].replace(b'"seat":', b'"seat":-')
    with pytest.raises(targets.CLEAR):
        READERS["answers"].read(wrong)


def test_what_is_nothing_at_all_breaks_no_reader() -> None:
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
        assert len(data) < 100_000
        try:
            reader.read(data)
        except targets.CLEAR:
            refused += 1
    assert 20 < refused < 200


def test_a_file_leaves_its_mini_deals_out_wherever_the_key_stands() -> None:
    READERS["file"].read(b'{"mini":"nonsense"}\n {"x-note":1,"mini":2}\n')
    with pytest.raises(targets.CLEAR):
        READERS["file"].read(b'{"mini":"nonsense"}\n{"nonsense":1}\n')


def test_parts_of_a_line_are_taken_away_moved_and_changed() -> None:
    seeds = (b'{"a":[1,2],"b":"x"}', b'{"c":77}')
    found = {spoil_input(seeds[0], Random(number), seeds) for number in range(2000)}
    assert {b'{"a": [1, 2]}', b'{"b": "x"}', b'{"a": [2], "b": "x"}'} <= found
    assert {b'{"b": "x", "seat": [1, 2]}', b'{"b": "x", "a": 77}'} <= found
    assert {b'{"a": [77, 1, 2], "b": "x"}', b'{"a": [1, 3], "b": "x"}'} <= found


def raising(error: Exception) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        if data != b"good":
            raise error

    return read


class Careless(Malformed):
    """An error that prints what was found as it is; `Malformed` itself never does."""

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
    ],
)
def test_a_fault_is_all_but_a_clear_error(error: Exception, fault: str) -> None:
    found = fault_on_input(Reader("one", raising(error), lambda: (b"good",)), b"bad")
    assert fault in found
    assert bool(fault) == bool(found)
    assert "\n" not in found


PLANTED = ("--only", "notation", "--seconds", "0", "--number", "400")


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the reader of cards by one that fails at a Q in more than four bytes."""

    def read(data: bytes) -> None:
        if b"Q" in data and len(data) > 4:
            raise IndexError("planted")

    planted = attrs.evolve(READERS["notation"], read=read, seeds=lambda: [b"2C KC"])
    monkeypatch.setitem(READERS, "notation", planted)


@pytest.mark.usefixtures("planted")
def test_a_planted_fault_is_found_and_tried_again(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    folder = tmp_path / "faults"
    assert main([*PLANTED, "--faults", str(folder)]) == 1
    out = capsys.readouterr().out
    assert "IndexError at" in out
    assert "faults: 1" in out
    (path,) = folder.iterdir()
    assert len(path.read_bytes()) < 20
    assert main(["--replay", str(path)]) == 1
    monkeypatch.undo()
    assert main(["--replay", str(path)]) == 0


def test_cards_that_are_written_otherwise_than_they_were_read_are_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("refengine.machine.notation.write_sequence", lambda _: "")
    fault = fault_on_input(READERS["notation"], b"QS")
    assert "written again, it differs" in fault


def test_a_seed_that_breaks_its_reader_is_a_fault() -> None:
    reader = Reader("one", raising(KeyError("name")), lambda: (b"good", b"bad"))
    tried, ((fault, data),) = fuzz_drawn(reader, 1)
    assert (tried, data) == (2, b"bad")
    assert fault.startswith("KeyError at test_fuzzing.py")


@pytest.mark.parametrize("seeds", [(b"good",), (b"good", b"bad")])
def test_a_fault_that_shows_only_once_is_kept(seeds: tuple[bytes, ...]) -> None:
    broken = iter([KeyError("cold")])

    def read(data: bytes) -> None:
        error = None if data == b"good" else next(broken, None)
        if error is not None:
            raise error

    _, ((fault, _),) = fuzz_drawn(Reader("one", read, lambda: seeds), 50)
    assert fault.startswith("KeyError at test_fuzzing.py")


def test_a_file_of_no_reader_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path / "nothing-1", tmp_path / "trace-1"):
        assert main(["--replay", str(path)]) == 3
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
def test_the_guided_fuzzer_says_how_many_inputs_it_has_tried() -> None:
    tried, faults = fuzz_guided("citation", 3)
    assert tried > 1000
    assert faults == []


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_without_atheris_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name: (name != "atheris" and find(name)) or None,
    )
    assert main(["--only", "citation", "--number", "5", "--jobs", jobs]) == 0
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert captured.out.splitlines()[1] == "citation              0          8  none"
    assert "8 inputs tried" in captured.out
    assert "faults: 0" in captured.out


# What fuzzing has found

RULES = b'{"profile":"estmesh-hearts","players":4'
PROFILE = READERS["profile"].seeds()[0]
PLAYERS = "usual_players"


def _profile_with(key: str, line: str = "") -> bytes:
    """The profile file with the line of a key replaced, or emptied by default."""
    lines = PROFILE.decode().splitlines()
    return "\n".join(
        line if old.startswith(f"{key} =") else old for old in lines
    ).encode()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("ruleset", RULES + b',"a\\nb":1}', r"\\n"),
        ("ruleset", RULES + b',"options":{"a\\nb":1.5}}', r"\\n"),
        ("ruleset", RULES + b',"options":{"a\\nb":{}}}', r"\\n"),
        ("ruleset", RULES + b',"x-\\n":' + b"[" * 17 + b"1" + b"]" * 17 + b"}", r"\\n"),
        *(
            ("profile", _profile_with(key), f"no {key}")
            for key in ("name", "title", "summary", "sources", "players", PLAYERS)
        ),
        *(
            ("profile", _profile_with(PLAYERS, f"{PLAYERS} = {value}"), PLAYERS)
            for value in ("2027-01-31", "1.5", "[4.0]", '"4"', "nan", "0")
        ),
        *(
            ("profile", data, "surrogates not allowed")
            for data in (
                PROFILE.replace(b'title = "', b'title = "\xff'),
                PROFILE + b'"a\xff" = 1\n',
            )
        ),
        ("act", b"x y" * 999, r"^.{,400}$"),
        ("act", b"claim 1 " + b"9" * 999, r"^.{,400}$"),
    ],
)
def test_what_once_broke_a_reader_is_refused_clearly(
    name: str, data: bytes, said: str
) -> None:
    assert fault_on_input(READERS[name], data) == ""
    with pytest.raises(Malformed, match=said):
        READERS[name].read(data)


@pytest.mark.usefixtures("planted")
def test_a_fault_is_told_though_its_input_cannot_be_saved(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "a file"
    folder.write_text("")
    assert main([*PLANTED, "--faults", str(folder)]) == 3
    said = capsys.readouterr()
    assert "IndexError at" in said.out
    assert "cannot be written" in said.err
    assert "faults: 1" in said.out


@pytest.mark.usefixtures("planted")
def test_the_command_to_try_an_input_again_can_be_typed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "my faults"
    assert main([*PLANTED, "--faults", str(folder)]) == 1
    (again,) = re.findall(r"to try again: (.*)", capsys.readouterr().out)
    assert shlex.split(again)[-1] == str(next(folder.iterdir()))


def test_what_was_written_and_cannot_be_read_is_a_fault() -> None:
    def again(written: str) -> str:
        raise Malformed(written, "what was read before")

    def read(_: bytes) -> None:
        targets._check_round_trip("a value", str, again)

    reader = Reader("one", read, lambda: (b"good",))
    assert fault_on_input(reader, b"good").startswith("AssertionError at targets.py")
