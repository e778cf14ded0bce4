import io
import json
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refengine import Irregular, Legal, Refused, State, Verdict
from refengine.formats import fields
from refengine.formats.protocol import CAPABILITIES
from refengine.formats.schemas import schema as made_schema
from refengine.formats.serve import Session, serve
from refengine.formats.trace import (
    Step,
    Trace,
    applied,
    read_trace,
    replay,
    write_trace,
)
from tests.support.depth import depth
from tests.support.schema_check import fits
from tests.support.strategies import moments, openings, some_act
from tests.support.traces_made import some_trace

schema = cache(made_schema)
MOON: dict[str, Any] = {
    "ruleset": {"profile": "estmesh-hearts", "players": 4},
    "setup": {"dealer": 3, "deal": 4, "hands": ["2C", "QS", "2H", "3H"]},
}


class Talk:
    """A conversation with our engine in which each message is checked by its schema."""

    def __init__(self, **opened: Any) -> None:
        self.session = Session()
        self.seq = 0
        if opened:
            self.ask("open", **opened)

    def ask(self, op: str, **more: Any) -> Any:
        self.seq += 1
        request = {"seq": self.seq, "op": op, **more}
        assert fits(request, schema("request"))
        answer = self.raw(json.dumps(request).encode())
        assert answer.pop("seq") == self.seq
        return answer

    def raw(self, line: bytes) -> Any:
        answer = self.session.handle(line)
        assert answer is not None
        plain = json.loads(answer)
        assert fits(plain, schema("answer"))
        return plain


def test_the_reference_says_what_it_can_do() -> None:
    answer = Talk().ask("hello", protocol=1)["ok"]

    assert fits(answer, schema("ok of hello"))
    assert "any" == answer["profiles"] == answer["players"]
    assert list(CAPABILITIES) == answer["capabilities"]
    assert "unsupported" in Talk().ask("hello", protocol=2)


def test_a_seat_is_told_of_the_last_act_what_it_may_know() -> None:
    talk = Talk()
    assert "no open game" in talk.ask("event", seat=0)["error"]
    passing = {"pass_cycle": ["left"], "pass_count": 1}
    opened = {**MOON, "ruleset": {**MOON["ruleset"], "options": passing}}
    assert talk.ask("open", **opened) == {"ok": {}}
    assert "no act yet" in talk.ask("event", seat=0)["error"]
    talk.ask("step", seat=1, act={"pass": "QS"})
    own = {"kind": "pass", "seat": 1, "act": {"pass": "QS"}}
    for seat, told in ((1, own), (2, {"kind": "pass", "seat": 1})):
        answer = talk.ask("event", seat=seat)
        assert answer == {"ok": told}
        assert fits(answer["ok"], schema("ok of event"))
    assert "refused" in talk.ask("step", seat=1, act={"pass": "QS"})
    talk.ask("probe", seat=0, act={"pass": "2C"})
    assert talk.ask("event", seat=1) == {"ok": own}
    assert "seat" in talk.ask("event", seat=4)["error"]
    talk.ask("open", **opened)
    assert "no act yet" in talk.ask("event", seat=1)["error"]


def test_a_game_over_the_protocol() -> None:
    talk = Talk(**MOON)

    assert talk.ask("legal") == {"ok": {"turn": [0], "play": "2C"}}
    assert talk.ask("step", seat=0, act={"play": "2H"}) == {
        "refused": {"clauses": ["5.7"]}
    }
    assert talk.ask("probe", seat=0, act={"play": "2C"}) == {"ok": {}}
    assert talk.ask("observe")["ok"]["turn"] == [0]
    for seat, card in enumerate(["2C", "QS", "2H", "3H"]):
        assert talk.ask("step", seat=seat, act={"play": card}) == {"ok": {}}
    assert talk.ask("legal")["ok"] == {
        "turn": [0],
        "moon": ["self_minus", "others_plus"],
    }
    assert talk.ask("step", seat=0, act={"moon": "self_minus"}) == {"ok": {}}
    assert talk.ask("observe")["ok"]["score"] == [-15, 0, 0, 0]
    assert talk.ask("legal")["ok"] == {"turn": [], "over": True}


def test_an_irregular_act_says_what_it_breaks() -> None:
    setup = {"dealer": 3, "deal": 4, "hands": ["2C 2D", "3C 3H", "4C 4D", "5C 5D"]}
    talk = Talk(ruleset={"profile": "dominorules-tiles", "players": 4}, setup=setup)
    talk.ask("step", seat=0, act={"play": "2C"})
    seen = talk.ask("observe")

    assert talk.ask("probe", seat=1, act={"play": "3H"}) == {"ok": {"breaks": ["5.3"]}}
    assert seen == talk.ask("observe")
    assert talk.ask("step", seat=1, act={"play": "3H"}) == {"ok": {"breaks": ["5.3"]}}
    assert talk.ask("step", seat=1, act={"retract": "3H"}) == {"ok": {}}


def test_what_was_drawn_in_the_turn_is_seen_after_the_play() -> None:
    setup = {"dealer": 0, "deal": 1, "hands": ["2C 2S", "5D 5H"], "stock": "3C 4H"}
    talk = Talk(ruleset={"profile": "pokerwiner-domino", "players": 2}, setup=setup)
    talk.ask("step", seat=1, act={"play": "5H"})
    talk.ask("step", seat=0, act={"draw": 1})
    talk.ask("step", seat=0, act={"draw": 1})
    assert talk.ask("observe", seat=0)["ok"]["drew"] == "3C 4H"
    talk.ask("step", seat=0, act={"play": "4H"})

    assert talk.ask("observe")["ok"]["drew"] == "3C 4H"


def test_openings_that_clauses_forbid_are_refused() -> None:
    talk = Talk(**MOON)
    assert talk.ask(
        "open", ruleset={"profile": "estmesh-hearts", "players": 5}, match={}
    ) == {"refused": {"clauses": ["2.6"]}}
    assert talk.ask(
        "open", ruleset=MOON["ruleset"], setup={**MOON["setup"], "hands": ["2C"] * 4}
    ) == {"refused": {"clauses": ["3.12f"]}}
    assert "no open game" in talk.ask("legal")["error"]


@pytest.mark.parametrize(
    ("seq", "line", "key", "found"),
    [
        (7, b'{"seq":7,"op":"fly"}', "unsupported", "the op 'fly'"),
        (7, b'{"seq":7}', "error", "found no op"),
        (7, b'{"seq":7,"op":3}', "error", "op: found 3"),
        (7, b'{"seq":7,"op":"legal","x":1}', "error", "found the key 'x'"),
        (7, b'{"seq":7,"op":"open","ruleset":{}}', "error", "ruleset: found no"),
        (7, b'{"seq":7,"op":"observe","seat":4}', "error", "found seat 4"),
        (7, b'{"seq":7,"op":"step","seat":0,"act":{}}', "error", "act: found"),
        (
            *(7, b'{"seq":7,"op":"step","seat":9,"act":{"play":"2C"}}', "error"),
            "seat: found seat 9",
        ),
        (
            *(7, b'{"seq":7,"op":"step","seat":0,"act":{"play":"1C"}}', "error"),
            "act.play: found '1C'",
        ),
        (
            *(None, b'{"seq":7,"op":"legal","op":"legal"}', "error"),
            "found the key 'op' twice",
        ),
        (None, b'{"seq":"a","op":"legal"}', "error", 'seq: found "a"'),
        (None, b'{"seq":true,"op":"legal"}', "error", "seq: found true"),
        (None, b'{"op":"legal"}', "error", "found no seq"),
        (None, b"[", "error", "found no JSON"),
        (None, b"[1]", "error", "found a list"),
        (None, b"\xff", "error", "found byte 0xff"),
    ],
)
def test_a_bad_request_is_answered_and_the_next_one_served(
    seq: int | None, line: bytes, key: str, found: str
) -> None:
    talk = Talk(**MOON)
    answer = talk.raw(line)

    assert {*answer} == ({key} if seq is None else {"seq", key})
    assert answer.get("seq") == seq
    assert found in answer[key]
    assert talk.ask("legal") == {"ok": {"turn": [0], "play": "2C"}}


def test_a_stream_is_served_until_bye() -> None:
    long = b'{"seq":1,"op":"legal","x-a":"' + b"x" * 2**24 + b'"}\n'
    requests = b'{"seq":1,"op":"hello","protocol":1}\n' + long + b'{"op":"bye"}\nrest'
    answers = io.BytesIO()
    serve(io.BytesIO(requests), answers)
    first, second = answers.getvalue().splitlines()

    assert b'"refengine"' in first
    assert b"16 MiB" in second
    session = Session()
    assert session.handle(b'{"seq":1,"op":"bye"}') is None
    assert session.ended


def test_a_stream_may_end_without_bye() -> None:
    answers = io.BytesIO()
    serve(io.BytesIO(b'{"seq":1,"op":"legal"}'), answers)

    assert len(answers.getvalue().splitlines()) == 1


def test_all_games_of_a_small_deal_are_counted() -> None:
    talk = Talk(**MOON)

    answer = talk.ask("enumerate", limit=100)["ok"]
    assert fits(answer, schema("ok of enumerate"))
    assert (answer["games"], answer["plies"]) == (2, [1, 1, 1, 1, 2])
    assert answer["divide"] == {"2C": 2}
    assert talk.ask("enumerate", limit=1)["unsupported"] == "more than 1 game"
    talk.ask("open", ruleset=MOON["ruleset"], match={})
    assert "match" in talk.ask("enumerate", limit=9)["unsupported"]


def bare_step(step: dict[str, Any]) -> dict[str, Any]:
    """The request in a step of a trace, without the answers that the step expects."""
    asked = {name: step[name] for name in ("seat", "act")}
    for name in {"refuse", "irregular"} & {*step}:
        asked[name] = [
            {key: value for key, value in one.items() if key != "clauses"}
            for one in step[name]
        ]
    return asked


def test_a_trace_is_replayed_without_looking_at_what_it_expects() -> None:
    for seed in range(12):
        trace = some_trace(Random(seed), longest=20)
        plain = json.loads(write_trace(trace))
        begins = {"trace", "ruleset", "setup", "match"} & {*plain}
        bare = {name: plain[name] for name in begins}
        bare["steps"] = [bare_step(step) for step in plain["steps"]]
        answer = Talk().ask("replay", trace=bare)["ok"]

        assert fits(answer, schema("ok of replay"))
        assert answer == Talk().ask("replay", trace=plain)["ok"]
        assert len(plain["steps"]) == len(answer["steps"])
        for said, step in zip(plain["steps"], answer["steps"], strict=True):
            legal = said["legal"]
            due = {"play": legal} if isinstance(legal, str) else legal
            assert step["legal"] == due
            assert step["answer"]["ok"].get("breaks") == said.get("breaks")
            for name, key, inner in (
                ("refuse", "refused", "clauses"),
                ("irregular", "ok", "breaks"),
            ):
                expected = [one["clauses"] for one in said.get(name, [])]
                assert [one[key][inner] for one in step.get(name, [])] == expected
            for name, value in said.get("then", {}).items():
                if name != "revokes":
                    assert step["then"][name] == value


def test_a_replay_ends_at_the_first_step_refused() -> None:
    steps = [
        {"seat": 0, "act": {"play": "2C"}},
        {"seat": 1, "act": {"play": "2C"}},
        {"seat": 1, "act": {"play": "QS"}},
    ]
    answer = Talk().ask("replay", trace={"trace": 1, **MOON, "steps": steps})["ok"]

    assert len(answer["steps"]) == 2
    assert answer["steps"][1]["answer"] == {"refused": {"clauses": ["5.7"]}}
    assert "then" not in answer["steps"][1]
    assert answer["end"]["turn"] == [1]


def test_a_replay_under_a_ruleset_that_the_book_refuses_is_refused() -> None:
    """As with `open`, the reason is that estmesh-hearts has no game for five (2.6)."""
    trace = {**MOON, "ruleset": {"profile": "estmesh-hearts", "players": 5}}
    refused = {"refused": {"clauses": ["2.6"]}}
    asked = {"trace": 1, **trace, "steps": []}
    assert Talk().ask("replay", trace=asked) == refused


def test_a_replay_that_cannot_begin_is_refused_or_an_error() -> None:
    wrong = {**MOON, "setup": {**MOON["setup"], "hands": ["2C"] * 4}}
    assert Talk().ask("replay", trace={"trace": 1, **wrong, "steps": []}) == {
        "refused": {"clauses": ["3.12f"]}
    }
    steps = [{"seat": 7, "act": {"draw": 1}}]
    answer = Talk().ask("replay", trace={"trace": 1, **MOON, "steps": steps})
    assert answer["error"].startswith("trace.steps[0].seat: found seat 7")
    asked = [{"act": {"draw": 1}, "seat": 7}]
    steps = [{"seat": 0, "act": {"play": "2C"}, "refuse": asked}]
    answer = Talk().ask("replay", trace={"trace": 1, **MOON, "steps": steps})
    assert answer["error"].startswith("trace.steps[0].refuse[0].seat: found seat 7")


def answer_due(verdict: Verdict) -> dict[str, Any]:
    """The answer that the protocol requires to an act with this verdict."""
    match verdict:
        case Legal():
            return {"ok": {}}
        case Irregular(clauses):
            return {"ok": {"breaks": list(clauses)}}
        case Refused(clauses, _):
            return {"refused": {"clauses": list(clauses)}}


@settings(max_examples=depth(25), deadline=None)
@given(openings(), st.integers(0, 2**16))
def test_by_call_by_trace_and_over_the_protocol_a_game_is_the_same(
    opening: State, seed: int
) -> None:
    rng = Random(seed)
    talk = Talk(
        ruleset=fields.ruleset_fields(opening.ruleset, every=True),
        **fields.start_fields(opening.start),
    )
    states = list(moments(opening, rng, 40))
    steps = []
    before = opening
    for state in states[1:]:
        act = state.acts[-1]
        tried = some_act(rng, before)
        verdict = before.verdict(tried)
        answer = talk.ask("probe", seat=tried.seat, act=fields.act_fields(tried))
        assert answer == answer_due(verdict)
        assert talk.ask("legal")["ok"] == fields.due_fields(before.legal.due)
        done = before.verdict(act)
        answer = talk.ask("step", seat=act.seat, act=fields.act_fields(act))
        assert answer == answer_due(done)
        breaks = done.clauses if isinstance(done, Irregular) else ()
        steps.append(Step(act, breaks=breaks))
        assert applied(before, act, done) == state
        before = state
        assert talk.session.state == state
        seen = talk.ask("observe")["ok"]
        assert fits(seen, schema("ok of observe"))
        assert {**fields.state_fields(state), "drew": seen.get("drew")} == {
            "drew": None,
            **seen,
        }
        seat = rng.randrange(state.ruleset.players)
        view = talk.ask("observe", seat=seat)["ok"]
        assert fits(view, schema("ok of observe of a seat"))
        assert fields.view_fields(state.observe(seat)) == view
    trace = Trace(
        ruleset=opening.ruleset,
        start=opening.start,
        steps=tuple(steps),
        end={
            name: value
            for name, value in fields.state_fields(states[-1]).items()
            if name not in ("drew", "revokes")
        },
    )
    assert replay(read_trace(write_trace(trace))) == []


def test_an_op_that_looks_like_a_place_is_unsupported() -> None:
    answer = Session().handle(json.dumps({"seq": 1, "op": " - at `$.a`"}).encode())
    assert answer is not None
    assert {*json.loads(answer)} == {"seq", "unsupported"}
