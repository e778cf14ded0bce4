"""Tests of `refengine.json`: values are read back unchanged; bad input is an error."""

import gzip
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, get_type_hints

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import refengine.json as public
from refengine import (
    CardSet,
    Event,
    Match,
    Refused,
    Ruleset,
    Setup,
    View,
    card,
    club_rules,
)
from refengine.errors import Malformed
from refengine.formats import json_types, shapes
from refengine.formats.schemas import schema
from refengine.formats.trace import Trace, read_trace, replay
from refengine.formats.wire import encode
from refengine.game.acts import Act, Mix, Play, Scatter
from refengine.game.values.state import State, new_deal, new_match
from refengine.rulings.standing import stood
from tests.game.test_acts import WRITTEN
from tests.support import refusing
from tests.support.depth import depth
from tests.support.schema_check import fits
from tests.support.strategies import (
    acts,
    domino,
    hearts,
    moments,
    openings,
    some_act,
    some_opening,
    starts,
    states,
)

FOUR = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "7D KC KH"]
SCHEMAS = {
    name: schema(name) for name in ("act", "event", "view", "ruleset", "match", "trace")
}


def shown(plain: Any) -> str:
    """The value as JSON in a layout that another program might use."""
    return json.dumps(plain, indent=1, ensure_ascii=False)


def malformed(read: Callable[[Any], object], data: Any) -> Malformed:
    error = refusing.malformed(read, data)
    assert error.allowed or "is refused: " in error.found
    return error


def comes_back(kind: str, value: object) -> None:
    """Check that a value is written in the form of its kind, and read back the same."""
    plain = getattr(public, f"write_{kind}")(value)
    assert fits(plain, SCHEMAS[kind])
    for data in (plain, shown(plain)):
        assert READ[kind](data) == value


READ: dict[str, Callable[[Any], object]] = {
    "act": lambda data: public.read_act(0, data),
    "act of seat 13": lambda data: public.read_act(13, data),
    "act of a seat far away": lambda data: public.read_act(10**30, data),
    "event": public.read_event,
    "view": public.read_view,
    "ruleset": public.read_ruleset,
    "setup": public.read_setup,
    "match": public.read_match,
    "state": public.read_state,
}


# There and back


@pytest.mark.parametrize("act", [one[0] for one in WRITTEN], ids=str)
def test_an_act_comes_back(act: Act) -> None:
    plain = public.write_act(act)
    assert len(plain) == 1
    assert fits(plain, SCHEMAS["act"])
    for data in (plain, shown(plain), shown(plain).encode(), encode(plain)):
        assert public.read_act(act.seat, data) == act


@settings(max_examples=depth(60), deadline=None)
@given(data=st.data())
def test_any_act_comes_back(data: st.DataObject) -> None:
    act = data.draw(acts(data.draw(openings())))
    assert public.read_act(act.seat, public.write_act(act)) == act
    assert public.read_act(act.seat, shown(public.write_act(act))) == act


def test_a_scatter_may_name_seats_by_numbers() -> None:
    assert public.read_act(0, {"pass": {1: "QS", 2: "KH"}}) == public.read_act(
        0, {"pass": {"1": "QS", "2": "KH"}}
    )


@settings(max_examples=depth(60), deadline=None)
@given(state=states())
def test_a_view_comes_back(state: State) -> None:
    for seat in range(state.ruleset.players):
        comes_back("view", state.observe(seat))


def test_the_views_of_every_phase_come_back() -> None:
    seen: set[str] = set()
    for seed in range(8):
        rng = Random(seed)
        options = {"moon": "choice_one", "pass_cycle": ["mix"], "limit": 20}
        state = new_match(hearts(3, pass_count=1, **options), pack="2C 3C 4C 2H 3H QS")
        while not state.over:
            seen.add(state.legal.due.kind)
            for seat in range(3):
                view = state.observe(seat)
                assert public.read_view(public.write_view(view)) == view
            state = state.apply(state.random_act(rng))
    assert seen == {"cut", "deal", "pass", "mix", "play", "moon"}


def test_a_pass_that_may_be_made_unseen_is_said_to_be_one() -> None:
    options = {"pass_cycle": ["left"], "pass_count": 1, "pass_unseen": True}
    view = new_deal(hearts(2, **options), ["2C 4C", "3C 5D"]).observe(0)
    assert view.legal is not None
    assert view.legal.forward
    assert public.read_view(public.write_view(view)) == view


def test_what_was_scattered_is_read_in_any_order() -> None:
    hands = ["2C 3C 4C", "5C 6C 7C", "8C 9C TC"]
    state = new_deal(hearts(3, pass_cycle=["scatter"]), hands)
    view = state.apply(Scatter(1, {0: "5C", 2: "6C"})).observe(1)
    plain = public.write_view(view)
    assert plain["passed"] == {"0": "5C", "2": "6C"}
    assert public.read_view({**plain, "passed": {"2": "6C", "0": "5C"}}) == view


@settings(max_examples=depth(40), deadline=None)
@given(opening=openings(), seed=st.integers(0, 999))
def test_an_event_comes_back(opening: State, seed: int) -> None:
    rng = Random(seed)
    state = opening
    while not state.over and len(state.acts) < 40:
        act = some_act(rng, state)
        if isinstance(state.verdict(act), Refused):
            act = state.random_act(rng)
        for seat in range(state.ruleset.players):
            comes_back("event", state.event(act, seat))
        state = state.apply(act)


@settings(max_examples=depth(60), deadline=None)
@given(made=starts())
def test_rulesets_and_beginnings_come_back(
    made: tuple[Ruleset, Match | Setup],
) -> None:
    ruleset, start = made
    comes_back("ruleset", ruleset)
    state = State.open(ruleset, start)
    if isinstance(start, Match):
        comes_back("match", start)
    else:
        again = public.read_setup(shown(public.write_setup(start)))
        assert public.write_setup(again) == public.write_setup(start)
        assert State.open(ruleset, again) == state


@settings(max_examples=depth(60), deadline=None)
@given(state=states(revokes="penalised"), seed=st.integers(0, 99))
def test_a_game_comes_back_with_all_its_past(state: State, seed: int) -> None:
    plain = public.write_state(state)
    assert fits(plain, SCHEMAS["trace"])
    again = public.read_state(plain)
    assert again == state == public.read_state(shown(plain))
    assert again.acts == state.acts
    assert public.write_state(again) == plain
    assert again.revokes == state.revokes
    for one, other in zip(
        moments(again, Random(seed), 10), moments(state, Random(seed), 10), strict=True
    ):
        assert one == other


def test_a_game_is_a_trace_like_any_other() -> None:
    state = new_deal(hearts(2, revokes="penalised"), ["2C 4C", "3C 5D"], dealer=1)
    state = state.play("2C").play("5D")
    plain = public.write_state(state)
    assert plain["steps"] == [
        {"seat": 0, "act": {"play": "2C"}},
        {"seat": 1, "act": {"play": "5D"}, "breaks": ["5.3"]},
    ]
    trace = read_trace(encode(plain))
    assert isinstance(trace, Trace)
    assert replay(trace) == []


# Saved, loaded, taken back


def test_a_match_goes_on_from_its_file(tmp_path: Path) -> None:
    rng = Random(5)
    state = new_match(Ruleset("common-hearts", options={"limit": 20}))
    while not state.over:
        if len(state.acts) % 40 == 20:
            public.save(state, tmp_path / "match.jsonl")
            again = public.load(str(tmp_path / "match.jsonl"))
            assert again == state
            assert repr(again) == repr(state)
            state = again
        state = state.apply(state.random_act(rng))
    public.save(state, tmp_path / "match.jsonl")
    assert public.load(tmp_path / "match.jsonl").winners == state.winners
    assert [path.name for path in tmp_path.iterdir()] == ["match.jsonl"]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "no line"),
        (b"{}\n{}\n", "more lines"),
        (b"{}", "no trace"),
        (b"\xff\n", "byte 0xff"),
        (b'"' + b"x" * (16 * 1024 * 1024), "a line of 16777217 bytes"),
    ],
    ids=["empty", "two", "other", "latin", "long"],
)
def test_a_file_that_is_no_game_is_malformed(
    content: bytes, found: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    assert found in malformed(public.load, path).found


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        public.load(tmp_path / "none.jsonl")


def test_a_file_that_ends_in_gz_is_packed(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl.gz"
    state = new_deal(hearts(2), ["2C 4C", "3C 5D"]).play("2C")
    public.save(state, path)
    whole = path.read_bytes()

    assert json.loads(gzip.decompress(whole))["trace"] == 1
    assert public.load(path) == public.load(str(path)) == state
    path.write_bytes(whole[:-12])
    assert malformed(public.load, path).found.startswith("Compressed file ended")
    path.write_bytes(gzip.decompress(whole))
    assert public.load(path) == state


def test_what_cannot_be_saved_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    state = new_deal(hearts(2), ["2C 4C", "3C 5D"])
    public.save(state, path)
    late = stood(state.play("2C"), Play(1, "5D"))
    assert late is not None
    assert malformed(lambda one: public.save(one, path), late).where == "steps[1]"
    assert public.load(path) == state


@settings(max_examples=depth(40), deadline=None)
@given(state=states(20))
def test_every_act_can_be_taken_back(state: State) -> None:
    made = state.acts
    before = State.open(state.ruleset, state.start)
    for number, act in enumerate(made):
        assert public.undo(state, len(made) - number) == before
        assert public.undo(state, len(made) - number).acts == made[:number]
        before = before.apply(act)
    assert before == state
    if made:
        assert public.undo(state) == public.undo(state, 1)


def test_what_follows_a_refused_act_that_stood_is_not_gone_back_to() -> None:
    state = new_deal(hearts(2), ["2C 4C", "3C 5D"]).play("2C")
    late = stood(state, Play(1, "5D"))
    assert late is not None
    assert public.undo(late) == state
    assert malformed(public.undo, late.play("4C")).where == "acts"


@pytest.mark.parametrize(
    "number",
    [0, -1, 3, 2**63, -(2**64), 10**5000, True, 1.0, "1", None],
    ids=["0", "-1", "3", "63", "64", "5000", "True", "1.0", "text", "None"],
)
def test_what_has_not_been_done_is_not_taken_back(number: Any) -> None:
    state = new_deal(hearts(2), ["2C 4C", "3C 5D"]).play("2C").play("3C")
    error = malformed(lambda acts: public.undo(state, acts), number)
    assert error.where == "acts"
    assert "from 1 to the 2" in error.allowed


# What is wrong, and where

VIEW = public.write_view(new_deal(hearts(4), FOUR).play("2C").observe(1))
EVENT = public.write_event(new_deal(hearts(4), FOUR).event(Play(0, "2C"), 1))
GAME = public.write_state(new_deal(hearts(4), FOUR).play("2C").play("5C"))
TRICK = {"leader": 0, "cards": "", "winner": 1}
STEP = {"act": {"play": "9D"}}


@pytest.mark.parametrize(
    ("kind", "data", "where"),
    [
        ("act", {"play": "1C"}, "play"),
        ("act", {"play": "2C", "draw": 1}, ""),
        ("act", {}, ""),
        ("act", {"pass": "QS QS"}, "pass"),
        ("act", {"pass": {"13": "QS"}}, "pass"),
        ("act", {"deal": {"hands": ["", "X"]}}, "deal.hands[1]"),
        ("act", {"claim": {"seat": 1, "trick": 0}}, "claim.trick"),
        ("act", {"moon": {"one": 2**70}}, "moon.one"),
        ("act of seat 13", {"play": "2C"}, "seat"),
        ("act of a seat far away", {"play": "2C"}, "seat"),
        ("act", '{"play": "2C", "play": "2C"}', ""),
        ("act", '{"play": 2.5}', "play"),
        ("act", {"quit": float("nan")}, "quit"),
        ("act", {"play": "\ud800"}, "play"),
        ("act", "\ud800", ""),
        ("act", {"play": CardSet("2C")}, ""),
        ("act", object(), ""),
        ("act", {"quit": 10**5000}, ""),
        ("act", "QS", ""),
        ("act", None, ""),
        ("event", {**EVENT, "kind": "draw"}, "act"),
        ("event", {**EVENT, "kind": "fly"}, "kind"),
        ("event", {**EVENT, "act": {"play": "XX"}}, "act.play"),
        ("event", {**EVENT, "hand": "2C 2C"}, "hand"),
        ("event", {"kind": "play"}, ""),
        ("view", {**VIEW, "hand": "XX"}, "hand"),
        ("view", {**VIEW, "seat": 4}, "seat"),
        ("view", {**VIEW, "held": [1, 2]}, "held"),
        ("view", {**VIEW, "points": [0]}, "points"),
        ("view", {**VIEW, "totals": []}, "held"),
        ("view", {**VIEW, "cut": ["2C"]}, "cut"),
        ("view", {**VIEW, "cut": ["2C", "XX", "", ""]}, "cut"),
        ("view", {**VIEW, "table": {"leader": 4, "cards": ""}}, "table.leader"),
        ("view", {**VIEW, "table": {"leader": 0, "cards": "X"}}, "table.cards"),
        ("view", {**VIEW, "passed": {"4": "2C"}}, "passed"),
        ("view", {**VIEW, "received": {"1": "2X"}}, "received"),
        ("view", {**VIEW, "passed": {"0": "2C", "2": "2C"}}, "passed"),
        ("view", {**VIEW, "cut": ["2C", "2C", "", ""]}, "cut"),
        ("view", {**VIEW, "received": "2X"}, "received"),
        ("view", {**VIEW, "drew": "2C 2C"}, "drew"),
        ("view", {**VIEW, "legal": {"turn": [4], "play": ""}}, "legal.turn"),
        ("view", {**VIEW, "legal": {"turn": [1], "play": "X"}}, "legal.play"),
        ("view", {**VIEW, "legal": {"turn": [1]}}, "legal"),
        ("view", {**VIEW, "legal": {"turn": [1], "moon": [{"one": 9}]}}, "legal.moon"),
        ("view", {**VIEW, "history": [{**TRICK, "winner": 9}]}, "history[0]"),
        ("view", {**VIEW, "history": [{**TRICK, "cards": "Q"}]}, "history[0].cards"),
        ("view", {"seat": 0, "hand": ""}, ""),
        ("ruleset", {"profile": "whist", "players": 4}, "ruleset.profile"),
        ("ruleset", {"profile": "spot-hearts", "players": 0}, "players"),
        ("ruleset", {"profile": "spot-hearts", "players": 9}, "ruleset"),
        ("setup", {"dealer": 0, "deal": 1}, ""),
        ("setup", {"dealer": 0, "deal": 1, "hands": ["2C", "2"]}, "hands[1]"),
        ("match", {"dealer": 13}, "dealer"),
        ("match", {"pack": "2C 2C"}, "match.pack"),
        ("state", {**GAME, "id": "t-0123456789abcdef"}, "id"),
        ("state", {**GAME, "spec": "2.0.0"}, "spec"),
        (
            "state",
            {**GAME, "steps": [{**STEP, "seat": 0}]},
            "steps[0], act 9D of seat 0",
        ),
        ("state", {**GAME, "steps": [{**STEP, "seat": 4}]}, "steps[0].seat"),
        ("state", {**GAME, "end": {"over": True}}, "end.over"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    kind: str, data: Any, where: str
) -> None:
    assert malformed(READ[kind], data).where == where


READERS = list(READ.values())
PLAIN: list[Any] = [
    *(VIEW, EVENT, GAME, {"play": "2C"}),
    public.write_act(Mix(0, ["2C"], "3C")),
    public.write_ruleset(domino(3)),
    public.write_setup(Setup(dealer=0, hands=FOUR)),
    {"dealer": 2, "pack": "2C 3C"},
]
RUBBISH = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["2C", "QS KH", "1", "play", *VIEW, *EVENT, *GAME]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["play", *VIEW, *EVENT, *GAME]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@settings(max_examples=depth(50), deadline=None)
@given(rubbish=RUBBISH)
def test_rubbish_is_malformed_and_nothing_else(rubbish: Any) -> None:
    for read in READERS:
        for data in (rubbish, repr(rubbish), repr(rubbish).encode("utf-8", "replace")):
            with suppress(Malformed):
                read(data)


@settings(max_examples=depth(50), deadline=None)
@given(
    plain=st.sampled_from(PLAIN),
    reading=st.sampled_from(READERS),
    key=st.integers(0, 9),
    rubbish=RUBBISH,
)
def test_what_is_nearly_right_is_read_or_malformed(
    plain: Any, reading: Callable[[Any], object], key: int, rubbish: Any
) -> None:
    name = [*plain][key % len(plain)]
    for data in (plain, {**plain, name: rubbish}, {**plain, f"x-{name}": rubbish}):
        with suppress(Malformed):
            reading(data)


# The types of the objects

TYPED: dict[Any, type[shapes.Line]] = {
    json_types.RulesetJson: shapes.RulesetObject,
    json_types.MatchJson: shapes.MatchObject,
    json_types.SetupJson: shapes.SetupObject,
    json_types.DealtJson: shapes.DealtCards,
    json_types.MixedJson: shapes.MixedCards,
    json_types.ClaimedJson: shapes.Claimed,
    json_types.OneSeatJson: shapes.OneSeat,
    json_types.ActJson: shapes.Act,
    json_types.DueJson: shapes.DueNow,
    json_types.TrickJson: shapes.TrickDone,
    json_types.TableJson: shapes.TableNow,
    json_types.ViewJson: shapes.WholeView,
    json_types.EventJson: shapes.EventObject,
}


@pytest.mark.parametrize("typed", TYPED, ids=lambda kind: kind.__name__)
def test_a_typed_dictionary_has_the_keys_of_its_object(typed: Any) -> None:
    fields = msgspec.structs.fields(TYPED[typed])
    assert typed.__required_keys__ == {
        one.encode_name for one in fields if one.required
    }
    assert {*get_type_hints(typed)} == {one.encode_name for one in fields}


def test_every_typed_dictionary_is_held_to_an_object() -> None:
    made = {
        kind
        for kind in vars(json_types).values()
        if isinstance(kind, type) and hasattr(kind, "__required_keys__")
    }
    assert made - {*TYPED} == {json_types.StepJson, json_types.GameJson}
    for typed, shape in (
        (json_types.StepJson, shapes.StepObject),
        (json_types.GameJson, shapes.TraceObject),
    ):
        names = {one.encode_name for one in msgspec.structs.fields(shape)}
        assert {*get_type_hints(typed)} < names


def test_what_is_written_has_the_type_that_it_says() -> None:
    for seed in range(12):
        rng = Random(seed)
        state = some_opening(rng)
        for _ in range(20):
            if state.over:
                break
            act = state.random_act(rng)
            msgspec.convert(public.write_act(act), json_types.ActJson, strict=True)
            event = public.write_event(state.event(act, 0))
            msgspec.convert(event, json_types.EventJson)
            msgspec.convert(public.write_view(state.observe(0)), json_types.ViewJson)
            state = state.apply(act)
        msgspec.convert(public.write_state(state), json_types.GameJson)


def test_the_face_shows_what_it_promises() -> None:
    assert all(hasattr(public, name) for name in public.__all__)
    assert isinstance(public.read_view(VIEW), View)
    assert isinstance(public.read_event(EVENT), Event)


@pytest.mark.parametrize(
    ("read", "given", "message"),
    [
        (READ["act"], b"null", "found null; allowed: a value"),
        (
            READ["act"],
            b'{"play": "2C',
            "found no JSON: Unterminated string at character 10; "
            "allowed: one JSON object a line",
        ),
        (
            READ["act"],
            object(),
            "found a value of type object; allowed: plain values, or JSON as text",
        ),
        (
            READ["act"],  # what is no plain value, and not what holds it
            {"play": card("2C")},
            "found a value of type Card; allowed: plain values, or JSON as text",
        ),
        (
            public.undo,
            new_match(hearts()),
            "acts: found 1; allowed: nothing: no act has been made",
        ),
    ],
    ids=["null", "no JSON", "an object", "a card", "nothing to undo"],
)
def test_an_error_says_what_is_wrong(
    read: Callable[[Any], object], given: Any, message: str
) -> None:
    assert str(refusing.malformed(read, given)) == message


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        public.save(new_match(hearts()), tmp_path / "none" / "game.jsonl")
    assert error.value.filename == str(tmp_path.resolve() / "none")


def test_numbers_of_numpy_are_seats_and_numbers_of_acts() -> None:
    one: Any = np.int64(1)
    assert public.read_act(one, {"play": "2C"}) == Play(1, "2C")
    state = new_deal(hearts(2), ["2C 4C", "3C 5D"])
    assert public.undo(state.play("2C"), one) == state


def test_a_disk_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    state = new_deal(hearts(2), ["2C 4C", "3C 5D"])
    public.save(state, path)

    def fails(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="no room"):
        public.save(state.play("2C"), path)
    assert public.load(path) == state
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_state_is_not_saved(tmp_path: Path) -> None:
    changed_over: Any = str(tmp_path / "game.json")
    with pytest.raises(Malformed, match="a State, and then a path"):
        public.save(changed_over, changed_over)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_a_name_that_no_file_can_have_is_malformed(name: str) -> None:
    state = new_deal(hearts(2), ["2C 4C", "3C 5D"])
    for asked in (public.load, name), (public.save, state, name), (club_rules, name):
        assert refusing.malformed(*asked).allowed == "the name of a file"


@pytest.mark.parametrize("key", [" - at `$.zzz", "a - at `$.b`", "a` - at `$.play"])
def test_a_key_that_looks_like_a_place_is_malformed(key: str) -> None:
    refusing.malformed(public.read_act, 0, {"play": "2C", key: 1})
