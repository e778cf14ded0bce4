"""Makes seeds, the inputs with which fuzzing starts, from the corpus and the examples.

Short seeds for a single reader are written next to that reader, in `fuzz.targets`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from random import Random
from typing import Final

from refengine.errors import Malformed
from refengine.formats import wire
from refengine.formats.positions import write_position
from refengine.formats.serve import Session
from refengine.formats.showing import shown_trace
from refengine.formats.trace import read_trace, state_at
from refengine.formats.written.games_written import written_trace
from refengine.formats.written.writing_written import write_written
from refengine.game.values.state import State
from refengine.json import write_event, write_view
from refengine_conformance.data import data
from refengine_conformance.runner.spread import first_and_spread

MOST_GAMES: Final = 200  # of a mini-deal or a request: more would only take longer


def spread(lines: Iterable[bytes], number: int = 48) -> tuple[bytes, ...]:
    """At most `number` of these lines: the shortest, and a sample of the longer ones.

    The lines are sorted by length, and the sample is evenly spread.
    """
    ordered = sorted(set(lines), key=lambda line: (len(line), line))
    return tuple(first_and_spread(ordered, number))


@cache
def corpus_lines(kind: str) -> tuple[bytes, ...]:
    """The lines of the corpus and examples whose JSON begins with the key `kind`."""
    start = b'{"%s":' % kind.encode()
    return tuple(
        line
        for folder in ("corpus", "examples")
        for path in sorted(data(folder).glob("*.jsonl"))
        if path.name not in ("index.jsonl", "errata.jsonl")
        for line in path.read_bytes().splitlines()
        if line.replace(b" ", b"").startswith(start)
    )


def traces() -> tuple[bytes, ...]:
    """Some traces of the corpus and the examples."""
    return spread(corpus_lines("trace"))


def parts_of_traces(name: str) -> tuple[bytes, ...]:
    """A part of some traces: their `ruleset`, or their `setup`, as `name` says."""
    lines = [json.loads(line) for line in corpus_lines("trace")]
    return spread([wire.encode(line[name]) for line in lines if name in line])


def conversations() -> list[bytes]:
    """For each of some traces, the requests of a client that plays it act by act."""
    found = []
    for line in traces()[:24]:
        trace = json.loads(line)
        game = {
            name: trace[name] for name in ("ruleset", "setup", "match") if name in trace
        }
        steps = [{"seat": step["seat"], "act": step["act"]} for step in trace["steps"]]
        asked = [{"op": "hello", "protocol": 1}, {"op": "open", **game}]
        for step in steps[:12]:
            asked += [
                {"op": "legal"},
                {"op": "probe", **step},
                {"op": "step", **step},
                {"op": "observe", "seat": step["seat"]},
            ]
        asked += [
            {"op": "replay", "trace": {"trace": 1, **game, "steps": steps}},
            {"op": "observe"},
            {"op": "enumerate", "limit": MOST_GAMES},
            {"op": "bye"},
        ]
        numbered = [{"seq": seq, **one} for seq, one in enumerate(asked, 1)]
        found.append(b"\n".join(map(wire.encode, numbered)))
    return found


def answers_to_requests() -> tuple[bytes, ...]:
    """Some answers of the reference, each preceded by the `op` of its request.

    For an answer that shows what one seat sees, `view` takes the place of the `op`.
    """
    found = []
    for conversation in conversations()[:8]:
        session = Session()
        for line in conversation.splitlines():
            answer = session.handle(line)
            if answer is not None:
                asked = json.loads(line)
                is_view = asked["op"] == "observe" and "seat" in asked
                op = b"view" if is_view else asked["op"].encode()
                found.append(op + b" " + wire.encode(json.loads(answer) | {"seq": 1}))
    return spread(found, 32)


def written_games() -> list[bytes]:
    """Games as people write them down, and traces both written out and shown."""
    tricks = "2C 5C JD KC -> W\n2. W: 7D 9D QS 2H\n♠A 10h ?? Qs!\n"
    named = "players: Ann, Ben, Carl, Dora\nhand Ann: ♣ 2 ♥ K\nscore: Ann 1, Ben 2"
    note = "Ann, Ben, Carl, Dora\n1st: Ann 2c, Ben 5c, Carl Jc, Dora Kc - Dora takes it"
    hands = "Hands:\nN: 2C 9D QH\nE: 5C QS 3H\nS: JD 4S 2H\nTrick 1\nN 2C\nE 5C\nE wins"
    found = [tricks, f"{named}, Carl 3, Dora 20\n", note, hands]
    for line in traces()[:24]:
        with suppress(Malformed):  # a game that cannot begin is not written down
            trace = read_trace(line)
            found.append(write_written(written_trace(trace)))
            found.append("\n".join(shown_trace(trace)))
    return [text.encode() for text in found]


def _moments() -> list[State]:
    """Some states, each from the middle of a trace."""
    found: list[State] = []
    for line in traces():
        with suppress(Malformed):  # a game that cannot begin has no moments
            trace = read_trace(line)
            found.append(state_at(trace, len(trace.steps) // 2))
    return found


def position_lines() -> list[bytes]:
    """Positions from the middle of some games, each written on one line."""
    found = []
    for state in _moments():
        with suppress(Malformed):  # between deals, or after a claim, there is no line
            found.append(write_position(state).encode())
    return found


def views() -> list[bytes]:
    """What seat 1 knows in the middle of some games."""
    return [wire.encode(write_view(state.observe(1))) for state in _moments()]


def events() -> list[bytes]:
    """What seat 1 is told about the next act in some games."""
    rng = Random(0)
    return [
        wire.encode(write_event(state.event(state.random_act(rng), 1)))
        for state in _moments()
        if not state.over
    ]


def openspiel_games() -> list[bytes]:
    """Games as OpenSpiel writes them: a whole one, one cut short, and one with passes.

    The cards are dealt in order, so that each seat holds a whole suit, passes its
    lowest cards and plays the suit upwards.
    """
    pack = [*range(52)]
    passed = [seat + 4 * card for seat in range(4) for card in range(3)]
    games = ([0, *pack, *pack], [0, *pack, *pack[:20]], [1, *pack, *passed])
    return [" ".join(map(str, game)).encode() for game in games]
