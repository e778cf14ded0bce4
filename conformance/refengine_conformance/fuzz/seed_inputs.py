"""Seeds for the readers: lines of the corpus and the examples, and typed input."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, Final

from refengine.errors import Malformed
from refengine.formats import protocol, wire
from refengine.formats.convert import openspiel_card
from refengine.formats.positions import write_position
from refengine.formats.serve import Session
from refengine.formats.showing import shown_trace
from refengine.formats.trace import read_trace
from refengine.formats.written.games_written import written_trace
from refengine.formats.written.writing_written import write_written
from refengine.game.acts import Play
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State
from refengine.json import write_event, write_view
from refengine.lawbook.book import SPEC
from refengine.lawbook.options import BY_NAME
from refengine_conformance.data import data

_FOLDER: Final = data()
_GAMES: Final = 200  # games of a mini-deal or a request: more only take long
_ACTS: Final = 40  # acts of a position that is played on
_LONGEST: Final = 1_000  # characters of a message
_SEEDS: Final = 48

_OPS: Final = tuple(op.encode() for op in protocol.OPS)


def _spread(lines: list[bytes], number: int = _SEEDS) -> tuple[bytes, ...]:
    """Some of these lines: the shortest, and others at equal distances."""
    ordered = sorted(set(lines), key=lambda line: (len(line), line))
    few = ordered[: number // 2]
    rest = ordered[number // 2 :]
    step = max(1, len(rest) // (number // 2))
    return tuple([*few, *rest[::step]][:number])


@cache
def corpus_lines(kind: str) -> tuple[bytes, ...]:
    """Lines of the corpus and of the examples that begin with this key."""
    found = []
    for path in sorted(_FOLDER.glob("corpus/*.jsonl")):
        if path.name not in ("index.jsonl", "errata.jsonl"):
            found += path.read_bytes().splitlines()
    for path in sorted(_FOLDER.glob("examples/*.jsonl")):
        found += path.read_bytes().splitlines()
    start = b'{"%s":' % kind.encode()
    return tuple(line for line in found if line.replace(b" ", b"").startswith(start))


def traces_seeds() -> tuple[bytes, ...]:
    """Traces."""
    return _spread(list(corpus_lines("trace")))


def minis_seeds() -> tuple[bytes, ...]:
    """Mini-deals."""
    return _spread(list(corpus_lines("mini")), 12)


def logs_seeds() -> tuple[bytes, ...]:
    """Compact logs."""
    return corpus_lines("log")


def parts_of_traces(name: str) -> tuple[bytes, ...]:
    """A part of each trace: its ruleset or its setup."""
    lines = [json.loads(line) for line in corpus_lines("trace")]
    return _spread([wire.encode(line[name]) for line in lines if name in line])


def conversations_seeds() -> tuple[bytes, ...]:
    """Each trace as a client would play it, act by act."""
    found = []
    for line in traces_seeds()[:24]:
        trace = json.loads(line)
        start = {key: trace[key] for key in ("setup", "match") if key in trace}
        asked: list[dict[str, Any]] = [
            {"op": "hello", "protocol": 1},
            {"op": "open", "ruleset": trace["ruleset"], **start},
        ]
        for step in trace["steps"][:12]:
            seat, act = step["seat"], step["act"]
            asked += [
                {"op": "legal"},
                {"op": "probe", "seat": seat, "act": act},
                {"op": "step", "seat": seat, "act": act},
                {"op": "observe", "seat": seat},
            ]
        steps = [{key: step[key] for key in ("seat", "act")} for step in trace["steps"]]
        asked += [
            {
                "op": "replay",
                "trace": {"ruleset": trace["ruleset"], **start, "steps": steps},
            },
            {"op": "observe"},
            {"op": "enumerate", "limit": _GAMES},
            {"op": "bye"},
        ]
        numbered = [{"seq": seq, **one} for seq, one in enumerate(asked, 1)]
        found.append(b"\n".join(map(wire.encode, numbered)))
    return tuple(found)


def answered_seeds() -> tuple[bytes, ...]:
    """What the reference answers, each answer after the op that was asked."""
    found: dict[bytes, None] = {}
    for conversation in conversations_seeds()[:8]:
        session = Session()
        for line in conversation.splitlines():
            asked = json.loads(line)
            answer = session.handle(line)
            if answer is not None:
                plain = json.loads(answer) | {"seq": 1}
                found[asked["op"].encode() + b" " + wire.encode(plain)] = None
    return _spread(list(found), 32)


def sequences_seeds() -> tuple[bytes, ...]:
    """Cards in notation."""
    return (b"", b"QS", b"2C 3C AC 2D JD 2S QS KS AS 2H 3H AH", b"TD 9H")


def house_rules_seeds() -> tuple[bytes, ...]:
    """Each option with its base value."""
    found = []
    for option in BY_NAME.values():
        values = option.base if isinstance(option.base, tuple) else (option.base,)
        text = ",".join(map(str, values)).lower()
        found.append(f"{option.name}={text}".encode())
    return tuple(found)


def profiles_seeds() -> tuple[bytes, ...]:
    """The files of the profiles."""
    return tuple(path.read_bytes() for path in sorted(SPEC.glob("profiles/*.toml")))


def clubs_seeds() -> tuple[bytes, ...]:
    """Files of clubs."""
    head = 'name = "friday"\ntitle = "Friday"\nbase = '
    return (
        f'{head}"estmesh-hearts"\n[options]\nmoon = "others_plus"'.encode(),
        f'{head}"pokerwiner-hearts"\nplayers = [3, 4]\n[options]\nlimit = 5'.encode(),
    )


def entries_seeds() -> tuple[bytes, ...]:
    """Known failures."""
    return (
        b'{"id":"t-00753089b1b7d28d","why":"not yet","until":"2027-01-31"}',
        b'{"clause":"5.3","why":"house rule","issue":"#1","until":"2030-12-31"}',
        b'{"id":"t-00753089b1b7d28d","kind":"step","outcome":"crash","why":"a",'
        b'"until":"2027-01-31"}',
    )


def games_seeds() -> tuple[bytes, ...]:
    """Games as OpenSpiel writes them, some played to their end and some not."""
    ruleset = Ruleset("openspiel-hearts", 4, {"pass_cycle": ["hold"]})
    pack = list(range(52))
    Random(1).shuffle(pack)
    hands = [CardSet(map(openspiel_card, pack[seat::4])) for seat in range(4)]
    state = State.open(ruleset, Setup(dealer=3, hands=hands))
    actions = {openspiel_card(number): number for number in pack}
    played = []
    while state.turn:
        act = next(iter(state.legal))
        assert isinstance(act, Play)
        played.append(actions[act.card])
        state = state.apply(act)
    return (
        " ".join(map(str, [0, *pack, *played])).encode(),
        " ".join(map(str, [0, *pack, *played[:20]])).encode(),
        ",".join(map(str, [1, *pack, *pack[:12]])).encode(),
    )


def acts_seeds() -> tuple[bytes, ...]:
    """Acts as people type them."""
    return (
        *(b"2C", b"QS", b"draw", b"pass QS KH AH", b"scatter 1:QS 2:KH 3:AH", b"quit"),
        *(b"forward", b"moon self_minus", b"moon one 2", b"retract QS", b"claim 1 2"),
    )


def typed_seeds() -> tuple[bytes, ...]:
    """Positions as people type them: hand, trick, drawn, leader and stock."""
    return (b"2C 9D QH", b"QS 2H 3H;2C 5C;;1 2", b"JD 4S;;JD;0 3", b"2H 3H;;;2")


def questions_seeds() -> tuple[bytes, ...]:
    """Questions of a table, one of each kind."""
    return (
        b'{"ask":"card","hand":"QS JD 2H","trick":"5C","card":"QS","first_trick":true}',
        b'{"ask":"hand","hand":"4D QS","trick":"2C","seat":2,"stock":0}',
        b'{"rules":{"profile":"gamerules-domino"},"ask":"draw","hand":"4D","trick":"2C"}',
        b'{"ask":"pass","hand":"QS KH AH 2C","cards":"QS KH AH","deal":2}',
        b'{"ask":"score","taken":["QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",'
        b'"","",""],"totals":[9,8,7,6],"tricks":[9,2,1,1],"choice":"others_plus"}',
        b'{"rules":{"profile":"pokerwiner-hearts","players":2},"ask":"score",'
        b'"taken":["",""],"revokes":[1]}',
        b'{"ask":"end","totals":[104,57,88,57]}',
        b'{"rules":{"profile":"dominorules-tiles"},"ask":"revoke","when":"quitted"}',
        b'{"ask":"turn","leader":2,"trick":"5C 9C","out":[1],"seat":3}',
        b'{"ask":"opening","players":5,"hands":[13,13,12,14]}',
        b'{"ask":"table","number":"10.14","answers":{"trick":"yes"}}',
    )


def written_seeds() -> tuple[bytes, ...]:
    """Games as people write them down: in our form, as a table, and a few tricks."""
    traces = [read_trace(line) for line in traces_seeds()[:24]]
    found: list[bytes] = []
    for trace in traces:
        with suppress(Malformed):  # a game that cannot begin is not written down
            found.append(write_written(written_trace(trace)).encode())
            found.append("\n".join(shown_trace(trace)).encode())
    tricks = "2C 5C JD KC -> W\n2. W: 7D 9D QS 2H\n♠A 10h ?? Qs!\n"
    named = "players: Ann, Ben, Carl, Dora\nhand Ann: ♣ 2 ♥ K\nscore: Ann 1, Ben 2"
    note = "Ann, Ben, Carl, Dora\n1st: Ann 2c, Ben 5c, Carl Jc, Dora Kc - Dora takes it"
    hands = "Hands:\nN: 2C 9D QH\nE: 5C QS 3H\nS: JD 4S 2H\nTrick 1\nN 2C\nE 5C\nE wins"
    more = (tricks, f"{named}, Carl 3, Dora 20\n", note, hands)
    return (*found, *map(str.encode, more))


def reports_seeds() -> tuple[bytes, ...]:
    """Lines of a report."""
    return (
        b'{"case":"t-010cb81042ab1f93/step","outcome":"fail","faults":[{"step":1,'
        b'"clauses":["5.3"],"asked":"may seat 1 play QS?","expected":"refused",'
        b'"got":"ok"}]}',
        b'{"report":1,"adapter":["x"]}',
        b'{"case":"m-232c52afd54b9296/enumerate","outcome":"fail","faults":[{"step":0,'
        b'"clauses":[],"asked":"games","expected":"16","got":"17"}]}',
    )


def _moments() -> list[State]:
    """A moment of each of some games of the corpus: half of their acts are made."""
    found: list[State] = []
    for line in traces_seeds():
        with suppress(Malformed):  # a game that cannot begin has no moments
            trace = read_trace(line)
            half = [step.act for step in trace.steps[: len(trace.steps) // 2]]
            found.append(State.open(trace.ruleset, trace.start).after(*half))
    return found


def position_lines_seeds() -> tuple[bytes, ...]:
    """Deals in progress, each on a line."""
    found: list[bytes] = []
    for state in _moments():
        with suppress(Malformed):  # between deals, or after a claim, there is no line
            found.append(write_position(state).encode())
    return tuple(found)


def views_seeds() -> tuple[bytes, ...]:
    """What a seat knows, in the middle of some games."""
    return tuple([wire.encode(write_view(state.observe(1))) for state in _moments()])


def events_seeds() -> tuple[bytes, ...]:
    """What a seat is told when the next act is made."""
    rng = Random(0)
    return tuple(
        [
            wire.encode(write_event(state.event(state.random_act(rng), 1)))
            for state in _moments()
            if not state.over
        ]
    )
