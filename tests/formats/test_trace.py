import json
from collections.abc import Iterator
from random import Random
from typing import Any

import attrs
import pytest
from hypothesis import given

from refengine import Draw, Malformed, Match, Pass, Play, Ruleset, Setup, State
from refengine.formats import shapes, wire
from refengine.formats.fields import ruleset_fields, start_fields
from refengine.formats.logs import read_log, replay_log, write_log
from refengine.formats.trace import (
    Trace,
    canonical,
    check_version,
    read_trace,
    replay,
    spec_version,
    trace_id,
    trace_of,
    write_trace,
)
from refengine_conformance.data import data
from tests.support import places
from tests.support.depth import depth
from tests.support.lines import changed, line_of, moon_log
from tests.support.refusing import malformed
from tests.support.spoiling import Place, leaves, spoiled_leaf, with_leaf
from tests.support.strategies import starts, states
from tests.support.traces_made import some_trace

EXAMPLES = sorted(data("examples").glob("*.jsonl"))
TRACES = [path for path in EXAMPLES if b'"trace":1' in path.read_bytes()]
BY_HAND = [
    line
    for path in sorted(places.TRACES.glob("*.jsonl"))
    for line in path.read_bytes().splitlines()
]


def example(name: str) -> dict[str, Any]:
    path = next(path for path in EXAMPLES if name in path.name)
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


def read(plain: Any) -> Trace:
    return read_trace(wire.encode(plain))


def read_and_replay(plain: Any) -> Any:
    return replay(read(plain))


def found_in(plain: Any) -> list[str]:
    """The findings when this trace is replayed without regard to its id."""
    return [str(one) for one in replay(attrs.evolve(read(plain), id=""))]


# By hand


@pytest.mark.parametrize("line", BY_HAND, ids=lambda line: json.loads(line)["name"])
def test_a_game_written_from_the_rules_is_as_the_rules_say(line: bytes) -> None:
    assert replay(read_trace(line)) == []


def test_there_are_dozens_of_games_by_hand() -> None:
    assert len(BY_HAND) >= 60


def test_the_examples_replay() -> None:
    assert (len(EXAMPLES), len(TRACES)) == (11, 9)
    for path in TRACES:
        assert replay(read_trace(path.read_bytes())) == []


def test_games_by_hand_are_read_back_as_written() -> None:
    for line in [*BY_HAND, *[path.read_bytes() for path in TRACES]]:
        assert read_trace(line) == read_trace(write_trace(read_trace(line)))


@given(starts())
def test_every_beginning_is_written_and_read(
    beginning: tuple[Ruleset, Match | Setup],
) -> None:
    ruleset, start = beginning
    plain = {"trace": 1, "ruleset": ruleset_fields(ruleset), "steps": []}
    read_back = trace_of(
        wire.convert_to_kind(shapes.BareTrace, {**plain, **start_fields(start)})
    )

    assert ruleset == read_back.ruleset
    assert State.open(ruleset, start) == State.open(ruleset, read_back.start)


# Round trips and ids


@pytest.mark.parametrize("seed", range(40))
def test_a_trace_written_and_read_is_the_same_and_replays(seed: int) -> None:
    trace = some_trace(Random(seed))
    line = write_trace(trace)
    back = read_trace(line)

    assert back == attrs.evolve(trace, id=trace_id(trace), spec=spec_version())
    assert replay(back) == []
    assert line == write_trace(back)


def shuffled(value: Any, rng: Random) -> Any:
    """The value with its keys in another order, and with added keys to be ignored."""
    if isinstance(value, dict):
        items = [(key, shuffled(one, rng)) for key, one in value.items()]
        rng.shuffle(items)
        return {"x-note": [None, 1.5], **dict(items)}
    if isinstance(value, list):
        return [shuffled(one, rng) for one in value]
    return value


@pytest.mark.parametrize("seed", range(10))
def test_the_same_meaning_has_the_same_id(seed: int) -> None:
    rng = Random(seed)
    plain = json.loads(write_trace(some_trace(rng)))
    other = shuffled(plain, rng)
    other["name"] = "another name"
    other["spec"] = "1.1.99"
    other["ruleset"].setdefault("options", {})
    base = Ruleset(other["ruleset"]["profile"], None).options
    for name in ("direction", "moon"):
        other["ruleset"]["options"].setdefault(name, base[name])
    for step in other["steps"]:
        for probe in step.get("refuse", []):
            probe.setdefault("seat", step["seat"])
            probe["clauses"].reverse()
        step.get("refuse", []).reverse()
        step.get("irregular", []).reverse()
        step.setdefault("refuse", [])
        then = step.get("then", {})
        for name in ("turn", "out", "revokes"):
            then.get(name, []).reverse()
        if isinstance(step.get("legal"), str):
            cards = step["legal"].split(" ")
            rng.shuffle(cards)
            step["legal"] = rng.choice([" ".join(cards), {"play": " ".join(cards)}])

    assert plain["id"] == trace_id(read(other))
    assert replay(read(other)) == []


def test_another_meaning_has_another_id() -> None:
    plain = example("04-correction")
    ids = {plain["id"]} | {
        trace_id(read(changed(plain, place, value)))
        for place, value in [
            ("steps", plain["steps"][:-1]),
            ("steps[0].legal", ...),
            ("end.over", False),
            ("setup.totals", [1, 0, 0, 0]),
            ("ruleset.options", {"limit": 99}),
        ]
    }
    assert len(ids) == 6


def test_the_canonical_form_is_that_of_rfc_8785() -> None:
    value = {"b": [1, -2, True], "a": {"€": 'q"\\\n\x01', "A": ""}, "aa": []}

    assert canonical(value) == (
        '{"a":{"A":"","€":"q\\"\\\\\\n\\u0001"},"aa":[],"b":[1,-2,true]}'.encode()
    )


def test_a_trace_without_an_end_is_written_without_one() -> None:
    plain = example("02-scatter")

    assert b'"end"' not in write_trace(read(plain))


def test_a_wrong_id_is_a_finding() -> None:
    plain = example("01-draw")
    right = plain["id"]
    plain["id"] = "t-0123456789abcdef"

    assert [f"id: expected {right}, found t-0123456789abcdef"] == [
        str(one) for one in replay(read(plain))
    ]


@pytest.mark.parametrize("bad", ["t-0", "m-0123456789abcdef", "T-0123456789abcdef", ""])
def test_an_id_has_its_form(bad: str) -> None:
    plain = {**example("01-draw"), "id": bad}
    assert malformed(read_and_replay, plain).where == "id"


@pytest.mark.parametrize("spec", ["1.0.0", "1.0.7", "1.1.0", "1.1.3"])
def test_versions_that_can_be_judged(spec: str) -> None:
    check_version(spec)


@pytest.mark.parametrize(
    "spec", ["2.0.0", "0.9.0", "1.2.0", "1.0", "1.0.0-a", "01.0.0", ""]
)
def test_another_version_is_not_judged(spec: str) -> None:
    plain = {**example("01-draw"), "spec": spec}
    assert malformed(read_and_replay, plain).where == "spec"


# What is wrong in a trace


def test_a_wrong_verdict_ends_the_replay_at_its_step() -> None:
    plain = example("04-correction")
    del plain["steps"][1]["breaks"]

    assert found_in(plain) == [
        "step 2, act 3H of seat 1: expected legal, found irregular by 5.3"
    ]
    plain["steps"][1]["act"] = {"play": "9C"}
    plain["steps"][1]["breaks"] = ["5.3"]
    assert found_in(plain) == [
        "step 2, act 9C of seat 1: expected irregular by 5.3, found refused by 5.7"
    ]


def test_everything_expected_of_a_step_is_looked_at() -> None:
    plain = example("08-position")
    step = plain["steps"][0]
    step["legal"] = {"draw": 1}
    step["refuse"][0]["clauses"] = ["6.1"]
    step["irregular"][0]["clauses"] = ["5.4"]
    step["refuse"].append({"act": {"play": "JC"}, "clauses": ["5.3"]})
    step["then"] = {"turn": [1], "score": [0, 0, 0, 0], "drew": "2C"}
    plain["end"] = {"table": {"leader": 0, "cards": ""}}

    assert found_in(plain) == [
        'step 1, legal: expected {"draw":1}, found "JC"',
        "step 1, refuse draw of seat 3: expected refused by 6.1, found refused by 6.3",
        "step 1, refuse JC of seat 3: expected refused by 5.3, found legal",
        "step 1, irregular QD of seat 3: expected irregular by 5.4, "
        "found irregular by 5.3",
        "step 1, then.turn: expected [1], found [3]",
        'step 1, then.drew: expected "2C", found ""',
        "step 1, then.score: expected [0,0,0,0], found nothing",
        'end.table: expected {"cards":"","leader":0}, found {"cards":"","leader":3}',
    ]


def test_what_only_a_deal_has_is_not_there_before_it() -> None:
    plain = {
        "trace": 1,
        "id": "t-0123456789abcdef",
        "spec": "1.1.0",
        "ruleset": {"profile": "common-hearts", "players": 4},
        "match": {},
        "steps": [
            {"seat": 0, "act": {"cut": "2C"}, "then": {"revokes": [], "drew": ""}}
        ],
    }
    assert found_in(plain) == [
        'step 1, then.drew: expected "", found nothing',
        "step 1, then.revokes: expected [], found nothing",
    ]


def test_a_view_is_compared_key_by_key() -> None:
    plain = example("09-view")
    plain["steps"][-1]["then"]["view"]["held"] = [4, 4, 4, 4]
    plain["steps"][-1]["then"]["view"]["drew"] = "2C"

    assert found_in(plain) == [
        "step 5, then.view.held: expected [4,4,4,4], found [3,4,4,4]",
        'step 5, then.view.drew: expected "2C", found nothing',
    ]


REFUSED = "steps[0].refuse[0]"
IRREGULAR = [{"act": {"play": ""}, "clauses": ["5.3"]}]
TRICK = {"leader": 0, "cards": "X", "winner": 0}


@pytest.mark.parametrize(
    ("place", "value", "where"),
    [
        ("ruleset.players", 9, "ruleset"),
        ("ruleset.profile", "whist", "ruleset.profile"),
        ("ruleset.options", {"limit": "x"}, "ruleset.options.limit"),
        ("ruleset.options", {"x": 1}, "ruleset.options"),
        ("setup.hands", ["5C", "2D"] * 2, "setup.hands"),
        ("setup.hands", ["5C", "2D 3D"], "setup"),
        ("setup.hands", ["5C", "5C"], "setup"),
        ("setup.hands", ["5C 5C", "2C 2D"], "setup.hands[0]"),
        ("setup.stock", "XX", "setup.stock"),
        ("setup.kitty", "2C 2C", "setup.kitty"),
        ("setup.kitty", "2C", "setup"),
        ("setup.dealer", 5, "setup.dealer"),
        ("setup.totals", [1], "setup.totals"),
        ("setup.trick", "2C", "setup.trick"),
        ("steps[0].seat", 5, "steps[0].seat"),
        ("steps[0].act", {"play": "5X"}, "steps[0].act.play"),
        ("steps[0].legal", "5C 5C", "steps[0].legal"),
        ("steps[0].legal", {"play": "c"}, "steps[0].legal.play"),
        ("steps[0].breaks", [], "steps[0].breaks"),
        (f"{REFUSED}.act", {"pass": {"01": "2C"}}, f"{REFUSED}.act.pass"),
        (f"{REFUSED}.clauses", ["5"], f"{REFUSED}.clauses"),
        (
            f"{REFUSED}.act",
            {"deal": {"hands": ["2C", "2C 2C"]}},
            f"{REFUSED}.act.deal.hands[1]",
        ),
        ("steps[0].irregular", IRREGULAR, "steps[0].irregular[0].act.play"),
        (f"{REFUSED}.seat", 9, f"{REFUSED}.seat"),
        ("steps[0].then", {"view": {"seat": 7}}, "steps[0].then.view.seat"),
        ("steps[0].then", {"trick": TRICK}, "steps[0].then.trick.cards"),
        ("end.hands", ["2C", "X"], "end.hands[1]"),
        ("end.cut", ["2C", "X"], "end.cut[1]"),
        ("end.view", {"seat": 7}, "end.view.seat"),
        ("end.view", {"seat": 0, "history": [TRICK]}, "end.view.history[0].cards"),
        ("end.view", {"seat": 0, "passed": {"1": "X"}}, "end.view.passed"),
        ("end.view", {"seat": 0, "passed": {"1": ""}}, "end.view.passed"),
        (
            "end.view",
            {"seat": 0, "received": {"1": "2C", "2": "2C"}},
            "end.view.received",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_read_names_its_place(
    place: str, value: Any, where: str
) -> None:
    plain = changed(example("01-draw"), place, value)
    assert malformed(read_and_replay, plain).where == where


@pytest.mark.parametrize(
    ("match", "where", "found"),
    [
        ({"dealer": 0, "pack": "2C 2C"}, "match.pack", ""),
        ({"dealer": 0, "pack": "2C"}, "match", "3.9e"),
        ({"dealer": 7}, "match.dealer", ""),
    ],
    ids=["a card twice", "too few cards", "no such dealer"],
)
def test_a_match_that_cannot_begin_names_its_place(
    match: dict[str, Any], where: str, found: str
) -> None:
    error = malformed(read_and_replay, {**example("07-match"), "match": match})
    assert error.where == where
    assert found in error.found


# Spoilings


def kind_of(path: Place) -> str:
    return ".".join("*" if isinstance(one, int) else one for one in path)


def rejected(plain: Any, path: Place) -> bool:
    """Whether a spoiled trace is rejected with a place named, whatever its id."""
    try:
        findings = replay(attrs.evolve(read(plain), id=""))
    except Malformed as error:
        return error.where != ""
    number = int(path[1]) + 1 if path[0] == "steps" else 0
    if path[0] == "end":
        return any(one.what.startswith("end.") for one in findings)
    # An act that is another one may show only where its effect is stated.
    first = min((one.step or 10**6 for one in findings), default=0)
    return first >= number if path[2] in ("act", "seat") else first == number


def spoilings(
    seed: int, number: int, longest: int = 40
) -> Iterator[tuple[Any, Place, Any]]:
    rng = Random(seed)
    plain = json.loads(write_trace(some_trace(rng, longest)))
    by_kind: dict[str, list[tuple[Place, Any]]] = {}
    for path, value in leaves(plain):
        by_kind.setdefault(kind_of(path), []).append((path, value))
    for _ in range(number if by_kind else 0):
        path, value = rng.choice(by_kind[rng.choice(sorted(by_kind))])
        if path[-1] == "seat" and "claim" in step_act(plain, path):
            continue
        yield plain, path, spoiled_leaf(rng, path, value)


def step_act(plain: Any, path: Place) -> Any:
    return (
        plain["steps"][path[1]]["act"] if path[0] == "steps" and len(path) == 3 else {}
    )


def kinds_rejected(seeds: range, number: int) -> dict[str, int]:
    """The number of changes tried of each kind, after a check that each is rejected."""
    kinds: dict[str, int] = {}
    for seed in seeds:
        for plain, path, leaf in spoilings(seed, number):
            assert rejected(with_leaf(plain, path, leaf), path), (seed, path, leaf)
            kinds[kind_of(path)] = kinds.get(kind_of(path), 0) + 1
    return kinds


def test_a_spoiled_trace_is_rejected_with_the_step_named() -> None:
    kinds = kinds_rejected(range(depth(40)), 18)

    assert sum(kinds.values()) > depth(600)
    assert len(kinds) > depth(50)


@pytest.mark.slow
def test_thousands_of_spoiled_traces_are_rejected() -> None:
    kinds = kinds_rejected(range(100, 400), 30)

    assert sum(kinds.values()) > 8000
    assert len(kinds) > 60


# Logs


def test_the_example_log_replays_and_is_written_back() -> None:
    findings, state = replay_log(read_log(line_of(example("10-log"))))

    assert findings == []
    assert state.over
    assert b'"totals":[0,2]' in write_log(state)
    assert replay_log(read_log(write_log(state)))[0] == []


def findings_of(line: bytes) -> list[str]:
    return [str(one) for one in replay_log(read_log(line))[0]]


def test_a_log_with_a_moon_replays_and_is_written_back() -> None:
    findings, state = replay_log(read_log(moon_log(seats=[0, 3, 2, 1])))

    assert findings == []
    assert b'"moon":{"one":3}' in write_log(state)
    own = {"score": [-15, 0, 0, 0], "totals": None}
    assert findings_of(moon_log(moon="self_minus", **own)) == []


@pytest.mark.parametrize(
    ("more", "finding"),
    [
        (
            {"score": [0, 0, 15, 0]},
            "end of the deal.score: expected [0,0,15,0], found [0,0,0,15]",
        ),
        (
            {"seats": [0, 1, 2, 3]},
            "step 2, play 3H of seat 1: expected legal, found refused by 2.3",
        ),
        (
            {"plays": "2C 4H 2H QS", "moon": None},
            "step 2, play 4H of seat 3: expected legal, found refused by 5.7",
        ),
        ({"moon": "others_plus"}, "moon: expected legal, found refused by 8.6a"),
        (
            {"plays": "2C 3H 2H QS QC"},
            "step 5, play QC of seat 0: expected legal, found refused by 2.4",
        ),
    ],
    ids=["the score", "who played", "a card", "the moon", "a card too many"],
)
def test_what_is_wrong_in_a_log_is_found(more: dict[str, Any], finding: str) -> None:
    assert findings_of(moon_log(**more)) == [finding]


def passing_log(options: Any, hands: list[str], given: list[Any]) -> bytes:
    """A log of heartsgame-tiles that ends after the pass, without any play."""
    more: dict[str, Any] = {
        "ruleset": {"profile": "heartsgame-tiles", "players": 4, "options": options},
        "setup": {"dealer": 3, "deal": 1, "hands": hands},
        "pass": given,
        "plays": "",
    }
    return moon_log(**more, **dict.fromkeys(("moon", "score", "totals")))


def test_a_log_passes_sets() -> None:
    options = {"pass_count": 1}
    hands = ["2C 2D", "3C 3D", "4C 4D", "5C 5D"]
    passed = passing_log(options, hands, ["2C", "3C", "4C", "5C"])
    findings, state = replay_log(read_log(passed))
    assert findings == []
    assert str(state.hands[0]) == "5C 2D"
    assert read_log(passed) == read_log(write_log(state))
    wrong = passing_log(options, hands, ["2D", "3C", "4D", "2H"])
    assert findings_of(wrong) == [
        "pass of seat 3: expected legal, found refused by 4.5"
    ]
    with pytest.raises(Malformed, match=r"^pass\[0\]: found '2X'"):
        read_log(passing_log(options, hands, ["2X"]))


def test_a_log_scatters_a_card_to_each_seat() -> None:
    options = {"pass_cycle": ["scatter"]}
    hands = ["2C 2D 2S", "3C 3D 3S", "4C 4D 4S", "5C 5D 5S"]
    given = [
        {"1": "2C", "2": "2D", "3": "2S"},
        {"0": "3C", "2": "3D", "3": "3S"},
        {"0": "4C", "1": "4D", "3": "4S"},
        {"0": "5C", "1": "5D", "2": "5S"},
    ]
    passed = passing_log(options, hands, given)
    findings, state = replay_log(read_log(passed))
    assert findings == []
    after = ["3C 4C 5C", "2C 4D 5D", "2D 3D 5S", "2S 3S 4S"]
    assert list(map(str, state.hands)) == after
    assert read_log(passed) == read_log(write_log(state))
    wrong = passing_log(options, hands, [{"1": "2C", "2": "2D"}, *given[1:]])
    assert findings_of(wrong) == [
        "pass of seat 0: expected legal, found refused by 4.6a"
    ]


def test_seats_of_a_log_stand_for_each_card() -> None:
    with pytest.raises(Malformed, match="one for each card"):
        read_log(moon_log(seats=[0]))
    with pytest.raises(Malformed, match=r"seats\[1\]"):
        replay_log(read_log(moon_log(seats=[0, 7, 2, 1])))


def test_what_no_log_can_say_is_not_written() -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"pass_count": 1, "pass_unseen": True})
    setup = Setup(dealer=3, hands=["2C", "3C", "4C", "5C"])
    state = State.open(ruleset, setup).apply(Pass(0, "2C"))
    with pytest.raises(Malformed, match="a pass in progress"):
        write_log(state)
    trace = read_trace(EXAMPLES[3].read_bytes())
    corrected = State.open(trace.ruleset, trace.start)
    corrected = corrected.after(*[step.act for step in trace.steps])
    with pytest.raises(Malformed, match="write a trace instead"):
        write_log(corrected)
    with pytest.raises(Malformed, match="found the key 'match'"):
        write_log(State.open(ruleset, Match()))


def test_draws_are_implied() -> None:
    line = line_of(changed({**example("10-log"), "plays": "5C 7C"}, "score", ...))
    _, state = replay_log(read_log(line))

    assert [Play(0, "5C"), Draw(1), Draw(1), Play(1, "7C")] == list(state.acts)


@given(states(most=30, pass_cycle=[], revokes="rejected"))
def test_a_single_deal_goes_through_a_log(state: State) -> None:
    if isinstance(state.start, Setup):
        _, back = replay_log(read_log(write_log(state)))
        while back.legal.due.kind == "draw" and len(back.acts) < len(state.acts):
            back = back.draw()
        assert back == state


def test_only_lines_of_a_kind_are_written() -> None:
    with pytest.raises(Malformed, match="log: found 2; allowed: 1"):
        wire.convert_to_kind(shapes.LogObject, {"log": 2})
