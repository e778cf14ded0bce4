"""Tests of seats' records as lines: written, read back, or rejected with one error."""

import json
from random import Random
from typing import Any

import pytest

from refengine import Malformed, Match, Refused, Ruleset, SeatRecord, new_deal
from refengine.formats.schemas import schema
from refengine.worlds.announcements import told
from refengine.worlds.record_lines import (
    read_record,
    read_told,
    record_fields,
    write_record,
    write_told,
)
from refengine_conformance.generators.strategies import some_opening, some_script
from tests.support.playing import THREE_HANDS, THREE_SCATTERED
from tests.support.refusing import malformed
from tests.support.schema_check import fits
from tests.support.strategies import domino, hearts


def some_record(seed: int) -> SeatRecord:
    """The record of a random seat in a small random game."""
    rng = Random(seed)
    state = some_opening(rng, "", 3)
    moves = some_script(rng, state, 0.2, tries=0, most=rng.randint(0, 40)).moves
    state = state.after(*[move.act for move in moves])
    return SeatRecord.of(state, rng.randrange(state.ruleset.players))


@pytest.mark.parametrize("seed", range(60))
def test_a_record_is_read_back_from_its_line(seed: int) -> None:
    record = some_record(seed)
    line = write_record(record)
    again = read_record(line)
    assert again == record
    assert write_record(again) == line
    assert again.view == record.view
    for one in record.told:
        assert read_told(write_told(one)) == one
    assert record_fields(record) == json.loads(line)
    assert fits(json.loads(line), schema("record"))


def whole() -> dict[str, object]:
    start = new_deal(domino(), ["5C 6D", "2D 3H"], dealer=1, stock="4H 7C KS")
    record = SeatRecord.of(start.play("5C").draw(), 0)
    fields: dict[str, object] = json.loads(write_record(record))
    return fields


SPOILT_SCATTER = {"seat": 0, "kind": "pass", "received": {"1": "ZZ"}}


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"record": 2}, "record"),
        ({"seat": 13}, "seat"),
        ({"seat": 2}, "seat"),
        ({"match": {}}, ""),
        ({"setup": {"dealer": 0}}, "setup"),
        ({"told": [{"seat": 0, "kind": "sing"}]}, "told[0].kind"),
        ({"told": [{"seat": 0, "kind": "play", "act": {"play": "1C"}}]}, "told[0].act"),
        ({"told": [{"seat": 0, "kind": "draw", "hand": "5C 5C"}]}, "told[0].hand"),
        ({"told": [SPOILT_SCATTER]}, "told[0].received"),
        ({"unknown": 1}, ""),
    ],
)
def test_a_line_that_is_no_record_is_refused_with_its_place(
    change: dict[str, object], where: str
) -> None:
    line = json.dumps({**whole(), **change}).encode()
    found = malformed(read_record, line).where
    assert found.startswith(where)
    assert bool(found) == bool(where)


@pytest.mark.parametrize(
    "setup",
    [
        {"phase": "play"},
        {"leader": 1},
        {"hand": "5C 5C"},
        {"pack": "9X"},
        {"trick": "9X"},
        {"stock": 60},
    ],
)
def test_an_opening_that_cannot_be_read_is_named(setup: dict[str, object]) -> None:
    fields = whole()
    fields["setup"] = {**fields["setup"], **setup}  # type: ignore[dict-item]  # an object
    line = json.dumps(fields).encode()
    assert malformed(read_record, line).where.startswith("setup")


def test_a_record_has_one_beginning_and_a_ruleset_of_the_book() -> None:
    fields = whole()
    del fields["setup"]
    with pytest.raises(Malformed, match="neither setup nor match"):
        read_record(json.dumps(fields).encode())
    fields["match"] = {"dealer": 1, "pack": "2C 3C"}
    fields["told"] = []
    assert read_record(json.dumps(fields).encode()).opening == Match(1, "2C 3C")
    fields["ruleset"] = {"profile": "gamerules-domino", "players": 9}
    with pytest.raises(Refused):
        read_record(json.dumps(fields).encode())


def test_a_kitty_and_the_givers_of_a_scatter_are_written() -> None:
    ruleset = hearts(3, pass_cycle=["scatter"], undealt="kitty", removal="none")
    state = new_deal(ruleset, THREE_HANDS, dealer=2, kitty="9S TS")
    record = SeatRecord.of(state.after(*THREE_SCATTERED), 2)
    fields = json.loads(write_record(record))
    assert fields["setup"]["kitty"] == 2
    assert fields["told"][2]["received"] == {"0": "5C", "1": "QS"}
    assert read_record(write_record(record)) == record


def test_what_is_announced_is_written_only_where_it_is() -> None:
    state = new_deal(domino(), ["5C", "2D"], dealer=1, stock="4H 7C")
    plain = json.loads(write_told(told(state, state.random_act(Random(1)), 1)))
    assert plain == {"seat": 0, "kind": "play", "act": {"play": "5C"}, "hand": "2D"}


def test_a_record_is_read_from_bytes_text_and_values_and_from_nothing_else() -> None:
    record = SeatRecord(Ruleset("common-hearts"), 2, Match(dealer=0))
    line = write_record(record)
    assert read_record(line.decode()) == read_record(json.loads(line)) == record
    for wrong in (None, 5, [], {}, object()):
        malformed(read_record, wrong)
        malformed(read_told, wrong)


@pytest.mark.parametrize("opening", [None, 5, "x", {}])
def test_a_record_opens_with_a_match_or_a_deal(opening: Any) -> None:
    with pytest.raises(Malformed, match="a Match or a SeenSetup"):
        SeatRecord(Ruleset("common-hearts"), 0, opening)
