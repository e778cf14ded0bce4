"""Tests of two kinds of line of edition 1.1.0: seats' events and refused openings."""

import json
from typing import Any

import pytest

from refengine import OPTIONS, Malformed, Pass
from refengine.formats.openings import (
    opening_id,
    opening_of,
    read_opening,
    replay_opening,
    whole_ruleset,
)
from refengine.formats.replaying import judge_line
from refengine.formats.stamping import stamped
from refengine.formats.trace import (
    Told,
    canonical,
    read_trace,
    replay,
    trace_id,
    write_trace,
)
from tests.support.lines import NO_ID, line_of
from tests.support.refusing import malformed

Json = dict[str, Any]
ESTMESH: Json = {"profile": "estmesh-hearts", "players": 4}
PASSING: Json = {
    "ruleset": {**ESTMESH, "options": {"pass_count": 1}},
    "setup": {"dealer": 3, "deal": 1, "hands": ["2C QS", "3C AS", "4C KS", "5C 2H"]},
}
HIDDEN: Json = {"seat": 1, "kind": "pass"}
OWN: Json = {"seat": 0, "kind": "pass", "act": {"pass": "QS"}}


def told_line(*told: Json, spec: str = "1.1.0", act: Any = None, **game: Any) -> bytes:
    step = {"seat": 0, "act": act or {"pass": "QS"}, "told": list(told)}
    head = {"trace": 1, "id": NO_ID, "spec": spec}
    return line_of({**head, **PASSING, **game, "steps": [step]})


def opening_line(*clauses: str, spec: str = "1.1.0", **more: Any) -> bytes:
    head = {"trace": 1, "id": NO_ID, "spec": spec, **PASSING, **more}
    return line_of({"steps": [], "opening": {"clauses": list(clauses)}} | head)


# Told


def test_a_seat_is_told_its_own_pass_and_that_another_has_passed() -> None:
    trace = read_trace(stamped(told_line(HIDDEN, OWN)).line)
    assert trace.steps[0].told == (
        Told(0, "pass", Pass(0, "QS")),
        Told(1, "pass"),
    )
    assert replay(trace) == []
    assert judge_line(write_trace(trace)).outcome == "pass"
    assert read_trace(write_trace(trace)) == trace


def test_what_is_told_enters_the_id_in_the_order_of_the_seats() -> None:
    one, other = read_trace(told_line(HIDDEN, OWN)), read_trace(told_line(OWN, HIDDEN))
    assert trace_id(one) == trace_id(other)
    assert trace_id(one) != trace_id(read_trace(told_line(OWN)))
    assert trace_id(read_trace(told_line())) == trace_id(
        read_trace(told_line(spec="1.0.0"))
    )


@pytest.mark.parametrize(
    ("told", "right"),
    [
        ({**HIDDEN, "act": {"pass": "QS"}}, HIDDEN),
        ({"seat": 0, "kind": "pass"}, OWN),
        ({"seat": 2, "kind": "scatter"}, {**HIDDEN, "seat": 2}),
    ],
    ids=["the act of another", "not the own act", "another kind"],
)
def test_a_seat_that_is_told_something_else_is_a_finding(
    told: Json, right: Json
) -> None:
    (finding,) = replay(read_trace(stamped(told_line(told)).line))
    assert (finding.step, finding.what) == (1, f"told to seat {told['seat']}")
    assert finding.expected == canonical(told).decode()
    assert finding.found == canonical(right).decode()


def test_a_play_is_told_to_everybody_whole() -> None:
    setup = {**PASSING["setup"], "deal": 4}
    told = [{"seat": seat, "kind": "play", "act": {"play": "2C"}} for seat in range(4)]
    line = told_line(*told, act={"play": "2C"}, setup=setup)
    assert judge_line(stamped(line).line).outcome == "pass"


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ([HIDDEN, HIDDEN], "steps[0].told[1]"),
        ([{"seat": 1, "kind": "glance"}], "steps[0].told[0].kind"),
        ([HIDDEN, {"seat": 9, "kind": "pass"}], "steps[0].told[1].seat"),
        ([{"seat": 0, "kind": "pass", "act": {"pass": "XX"}}], "steps[0].told[0].act"),
    ],
    ids=["twice", "no kind", "no seat", "no card"],
)
def test_what_is_told_has_its_form(told: list[Json], where: str) -> None:
    assert malformed(read_trace, told_line(*told)).where.startswith(where)


@pytest.mark.parametrize(
    ("line", "where"),
    [
        (told_line(HIDDEN, spec="1.0.0"), "steps[0].told"),
        (opening_line("3.12f", spec="1.0.0"), "opening"),
    ],
)
def test_edition_1_0_has_neither_key(line: bytes, where: str) -> None:
    error = malformed(judge_line, line)
    assert error.where == where
    assert "no such key before edition 1.1.0" in str(error)


# Openings


REFUSED: list[tuple[Json, tuple[str, ...]]] = [
    # A ruleset
    ({"ruleset": {**ESTMESH, "players": 5}}, ("2.6",)),
    (
        {
            "ruleset": ESTMESH
            | {"options": {"limit": "none", "ties": "play_on", "hand_size": 14}}
        },
        ("3.9c", "9.8c"),
    ),
    # A setup: unequal hands, of which one is empty, and a card twice
    (
        {"setup": {"dealer": 0, "deal": 1, "hands": ["2C 3C", "", "2C", "5C"]}},
        ("3.12d", "3.12e", "3.12f"),
    ),
]


@pytest.mark.parametrize(("game", "clauses"), REFUSED)
def test_an_opening_is_refused_by_exactly_the_clauses(
    game: Json, clauses: tuple[str, ...]
) -> None:
    line = stamped(opening_line(*clauses, **game)).line
    opening = read_opening(line)
    assert opening is not None
    assert opening.clauses == clauses
    assert replay_opening(opening) == []
    assert judge_line(line).outcome == "pass"
    (wrong,) = judge_line(stamped(opening_line("4.11", **game)).line).findings
    assert str(wrong) == (
        f"opening: expected refused by 4.11, found refused by {', '.join(clauses)}"
    )


def test_the_whole_ruleset_of_an_opening_names_every_option() -> None:
    opening = read_opening(opening_line("3.12d"))
    assert opening is not None
    ruleset, values = whole_ruleset(opening)
    assert (ruleset["profile"], ruleset["players"]) == ("estmesh-hearts", 4)
    assert [*ruleset["options"]] == [*values] == [option.name for option in OPTIONS]
    assert ruleset["options"]["pass_count"] == 1
    assert ruleset["options"]["pass_cycle"] == ["left", "right", "across", "hold"]


def test_a_match_that_is_refused_and_has_a_name() -> None:
    plain = json.loads(opening_line("3.9e", "3.9g", name="too few cards"))
    del plain["setup"]
    plain["match"] = {"pack": "2C 3C"}
    line = stamped(line_of(plain)).line
    opening = read_opening(line)
    assert opening is not None
    assert opening.name == "too few cards"
    assert replay_opening(opening) == []


def test_a_game_that_begins_is_a_finding() -> None:
    line = stamped(opening_line("3.12f")).line
    (finding,) = judge_line(line).findings
    assert (finding.expected, finding.found) == (
        "refused by 3.12f",
        "a game that begins",
    )


@pytest.mark.parametrize("key", [b"opening", b"\\u006fpening", b"openin\\u0067"])
def test_an_opening_is_found_however_its_key_is_written(key: bytes) -> None:
    line = stamped(opening_line("3.12f")).line.replace(b"opening", key)
    found = opening_of(line)
    assert found is not None
    assert found.clauses == ("3.12f",)
    [finding] = judge_line(line).findings
    assert finding.expected == "refused by 3.12f"


def test_the_id_of_an_opening_is_that_of_its_meaning() -> None:
    options = {"pass_count": 1, "pass_cycle": ["left", "right", "across", "hold"]}
    ruleset = {**PASSING["ruleset"], "options": options}
    one = read_opening(opening_line("3.12f"))
    same = read_opening(opening_line("3.12f", ruleset=ruleset))
    other = read_opening(opening_line("3.12g"))
    plain = read_trace(line_of({**json.loads(told_line()), "steps": []}))
    assert one is not None
    assert same is not None
    assert other is not None
    assert opening_id(one) == opening_id(same)
    assert len({opening_id(one), opening_id(other), trace_id(plain)}) == 3
    (finding, *_) = reversed(judge_line(opening_line("3.12f")).findings)
    assert (finding.what, finding.expected) == ("id", opening_id(one))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"end": {"phase": "pass"}}, "no steps and no end with opening"),
        ({"steps": [{"seat": 0, "act": {"pass": "QS"}}]}, "no steps and no end"),
        ({"opening": {"clauses": []}}, "at least one"),
        ({"opening": {"clauses": ["3.12i"]}}, "a clause number"),
        ({"ruleset": {**ESTMESH, "profile": "whist"}}, "estmesh-hearts"),
        ({"ruleset": {**ESTMESH, "options": {"joker": True}}}, "pass_count"),
    ],
    ids=["an end", "steps", "no clause", "no clause number", "a profile", "an option"],
)
def test_an_opening_has_its_form(change: Json, says: str) -> None:
    plain = json.loads(opening_line("3.12f")) | change
    with pytest.raises(Malformed, match=says):
        read_opening(line_of(plain))


def test_a_reader_of_games_says_that_there_is_none() -> None:
    error = malformed(read_trace, opening_line("3.12f"))
    assert (error.where, "a game that begins" in str(error)) == ("opening", True)
    assert read_opening(told_line(OWN)) is None
    named = {**json.loads(told_line(OWN)), "name": '"opening"'}
    assert judge_line(stamped(line_of(named)).line).outcome == "pass"


def test_a_line_of_another_kind_holds_no_opening() -> None:
    """Neither an `x-` key nor the order of the keys makes a difference."""
    for kind in ("log", "mini"):
        assert opening_of(line_of({"x-of": "opening", kind: 1, **PASSING})) is None
    refused = opening_line("3.12f")
    assert opening_of(refused) == read_opening(refused)
