"""Every reader of the project with its seeds, and what it owes to any input at all.

A reader takes bytes from outside. It ends with a value or with one of the documented
errors (`Malformed`, `Refused`; `FormError` for the answers of an adapter), whose text
is one line; and what it accepts holds what was promised: written and read again it is
the same, it can be replayed, shown and played to its end. `fault_of` says what is
wrong with a reader on one input.

Seeds are lines of the corpus and of the examples; `spoiled` makes inputs of them that
are nearly right, which is where faults of readers are.
"""

from __future__ import annotations

import io
import json
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import attrs
from msgspec import UNSET

from conformance import answers
from conformance.known import Entry
from refengine import wire
from refengine.acts import Play
from refengine.annotate import annotated
from refengine.book import SPEC
from refengine.byhand import ByHand
from refengine.byhand import opened as opened_by_hand
from refengine.cardset import CardSet
from refengine.citing import cited
from refengine.commanding import read_option
from refengine.convert import converted, openspiel_card
from refengine.errors import Malformed
from refengine.exchange import failures, is_report
from refengine.explain import explain, ruling_fields
from refengine.fields import ruleset_fields, start_of, state_fields, view_fields
from refengine.games import as_trace, moments, read_game
from refengine.minideals import check_mini, read_mini, write_mini
from refengine.notation import read_card, read_sequence, read_set, write_sequence
from refengine.options import BY_NAME
from refengine.playing import read_act
from refengine.reading import Citation
from refengine.replaying import judged
from refengine.rulesets import Ruleset, profile_of_toml
from refengine.serve import Session
from refengine.setups import Setup
from refengine.showing import shown_trace
from refengine.state import State
from refengine.trace import (
    allowed_ruleset,
    read_log,
    read_trace,
    replay,
    replay_log,
    spec_version,
    trace_id,
    write_trace,
)
from refengine.verdicts import Refused

_FOLDER: Final = Path(__file__).resolve().parent
_GAMES: Final = 200  # of a mini-deal or of a request: more take long, no fault
_ACTS: Final = 40  # of a position that is played on
_LONGEST: Final = 1_000  # characters of a message
_SEEDS: Final = 48

_OPS: Final = tuple(op.encode() for op in wire.OPS)

CLEAR: Final = (Malformed, Refused, answers.FormError)


@attrs.frozen
class Reader:
    """A reader by name: what it does with bytes, and its seeds.

    `lines` says that an input is JSON, so that its parts can be changed.
    """

    name: str
    read: Callable[[bytes], None]
    seeds: Callable[[], tuple[bytes, ...]]
    lines: bool = True


def fault_of(reader: Reader, data: bytes) -> str:
    """What is wrong with the reader on this input, in one line; nothing where all is.

    It begins with the kind of the error and the place in the source that raised it.
    """
    try:
        reader.read(data)
    except CLEAR as error:
        return _unclear(error)
    except Exception as error:  # everything else is what is looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        return f"{type(error).__name__} at {place}: {str(error)!r:.200}"
    return ""


def _unclear(error: Exception) -> str:
    text = str(error)
    if not text or "\n" in text or len(text) > _LONGEST:
        return f"an unclear message of {type(error).__name__}: {text!r:.300}"
    try:
        text.encode()
    except UnicodeEncodeError:
        return f"a message of {type(error).__name__} that cannot be printed: {text!r}"
    return ""


def _holds(claim: bool, said: str) -> None:
    if not claim:
        raise AssertionError(said)


# The readers


def _text(data: bytes) -> str:
    """As the command line gives it."""
    return data.decode("utf-8", "surrogateescape")


def read_notation(data: bytes) -> None:
    """A card, a sequence and a set from the same text."""
    text = _text(data)
    numbers = read_sequence(text)
    _holds(write_sequence(numbers) == text, "written it is not the same")
    read_set(text)
    if len(numbers) == 1:
        _holds(numbers == (read_card(text),), "another card")


def read_citation(data: bytes) -> None:
    """A citation, with all that it leaves out left out again."""
    citation = Citation.read(_text(data))
    _holds(Citation.read(str(citation)) == citation, "written it is not the same")
    json.dumps(cited(_text(data)).fields())


def read_ruleset(data: bytes) -> None:
    """A ruleset of a line, in full and with what is changed alone."""
    ruleset = allowed_ruleset(wire.decode(data, wire.Ruleset))
    same = Ruleset(ruleset.profile, ruleset.players, ruleset.changed)
    _holds(same == ruleset, "the options changed make another ruleset")
    line = wire.encode(ruleset_fields(ruleset))
    again = allowed_ruleset(wire.decode(line, wire.Ruleset))
    _holds(again == ruleset, "written it is not the same")


def read_house_rule(data: bytes) -> None:
    """An option as the command line has it."""
    name, value = read_option(_text(data))
    Ruleset("pokerwiner-hearts", 4, {name: value})


def read_profile(data: bytes) -> None:
    """A file of a profile."""
    profile_of_toml(_text(data))


@cache
def _tables(players: int) -> tuple[Ruleset, ...]:
    """Rulesets under which a beginning is opened."""
    plain: dict[str, object] = {"removal": "none"}
    kinds = (
        {"undealt": "stock", "hand_size": 3, "revokes": "rejected"},
        {"undealt": "kitty", "opening_card": "lowest_club"},
        {"revokes": "penalised", "queen_duty": "when_safe", "ties": "play_on"},
    )
    found = []
    for kind in kinds:
        try:
            found.append(Ruleset("pokerwiner-hearts", players, plain | kind))
        except (Malformed, Refused):
            continue
    return tuple(found)


def read_position(data: bytes) -> None:
    """A deal as found, or a position; what can be opened is played on."""
    line = wire.decode(data, wire.Setup)
    start = start_of(line, UNSET)
    assert isinstance(start, Setup)
    refused: Exception | None = None
    for ruleset in _tables(min(max(len(start.hands), 2), 13)):
        try:
            state = State.open(ruleset, start)
        except CLEAR as error:
            refused = error
            continue
        _play_on(state)
    if refused is not None:
        raise refused


def _play_on(state: State) -> None:
    """Do what is due, the first act of those allowed, and look at it from each seat."""
    for _ in range(_ACTS):
        if not state.turn:
            break
        for seat in state.turn:
            view_fields(state.observe(seat))
        act = next(iter(state.legal), None)
        if act is None:
            due = state.legal.due.kind
            _holds(due in ("deal", "mix"), f"nothing can be done, due is {due}")
            break
        state = state.apply(act)
        state_fields(state, None)


def read_trace_line(data: bytes) -> None:
    """A trace: replayed, shown, annotated, and written."""
    trace = read_trace(data)
    line = write_trace(trace)
    ours = attrs.evolve(trace, id=trace_id(trace), spec=spec_version())
    _holds(read_trace(line) == ours, "written it is not the same")
    findings = replay(trace)
    _holds(list(judged(data).findings) == findings, "judged otherwise than replayed")
    if not findings:
        list(shown_trace(trace))
        annotated(trace)


def read_log_line(data: bytes) -> None:
    """A compact log, replayed."""
    replay_log(read_log(data))


def read_mini_line(data: bytes) -> None:
    """A mini-deal: what is counted is checked, what is to be counted is counted."""
    check_mini(read_mini(data, asked=b'"games"' not in data), _GAMES)
    write_mini(read_mini(data, asked=True), _GAMES)


def read_file(data: bytes) -> None:
    """A file of lines of any kind, as `refengine replay` takes it."""
    wrong: Exception | None = None
    for line in wire.lines_of(io.BytesIO(data)):
        try:
            if isinstance(line, Malformed):
                raise line
            if not line.startswith(b'{"mini'):
                judged(line)
        except CLEAR as error:
            wrong = error
    if wrong is not None:
        raise wrong


def read_requests(data: bytes) -> None:
    """A conversation in the protocol: an answer of its form to each request."""
    session = Session()
    for line in data.splitlines():
        if _counts_many(line):
            continue
        before = session.state
        answer = session.handle(line)
        if answer is None:
            _holds(session.ended, "no answer")
            return
        plain = json.loads(answer)
        kinds = plain.keys() & {"ok", "refused", "unsupported", "error"}
        _holds(len(kinds) == 1, "an answer has one of four keys")
        if "error" in kinds:
            _holds("\n" not in plain["error"], "an error is one line")
        if "ok" not in kinds and b"open" not in line:
            _holds(session.state is before, "a request not done has changed the game")


def _counts_many(line: bytes) -> bool:
    """Whether a request asks for more games than a fuzzer has time for."""
    try:
        plain = wire.parsed(line)
    except Malformed:
        return False
    if not isinstance(plain, dict) or plain.get("op") != "enumerate":
        return False
    limit = plain.get("limit", _GAMES + 1)
    return isinstance(limit, int) and limit > _GAMES


def read_answers(data: bytes) -> None:
    """The answer of an adapter, to whatever was asked."""
    op, _, line = data.partition(b" ")
    answers.answer_of(line, op.decode() if op in _OPS else "step", 1, 1)


def read_known_line(data: bytes) -> None:
    """A line of a file of known failures."""
    wire.decode(data, Entry)


def read_actions(data: bytes) -> None:
    """A game of OpenSpiel."""
    _, trace = converted(_text(data), {})
    _holds(not replay(read_trace(write_trace(trace))), "a game that does not replay")


def read_typed_act(data: bytes) -> None:
    """An act as somebody types it, and the ruling on it."""
    state = _opened()
    act = read_act(state.turn[0], _text(data))
    ruling_fields(explain(state, act))


@cache
def _opened() -> State:
    hands = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "7D KC KH"]
    start = Setup(dealer=0, deal=4, hands=hands)
    return State.open(Ruleset("estmesh-hearts", 4, {}), start)


def read_by_hand(data: bytes) -> None:
    """A position typed by hand: the hand, and what is given beside it, in parts."""
    hand, trick, drew, numbers, *_ = [*_text(data).split(";"), "", "", "", ""]
    found = [int(word) for word in numbers.split() if word.isdecimal()][:2]
    leader, stock = [*found, 0, 0][:2]
    for name in ("estmesh-hearts", "gamerules-domino"):
        ruleset = Ruleset(name, 4, {})
        typed = ByHand(
            ruleset=ruleset,
            hand=CardSet(hand),
            trick=trick,
            drew=drew,
            leader=leader,
            stock=stock,
        )
        state = opened_by_hand(typed)
        for card in typed.hand:
            ruling_fields(explain(state, Play(state.turn[0], card)))


def read_report(data: bytes) -> None:
    """A line of a report: what is to be explained of it."""
    example = read_trace(_corpus("trace")[0])
    if is_report(data):
        failures(data, lambda name: example)


def read_any_game(data: bytes) -> None:
    """A trace or a log as `refengine explain` and `judge` take it."""
    game = read_game(data)
    found = list(moments(game))
    if found:
        explain(found[-1].state, found[-1].act)
        as_trace(game, game.ruleset)


# Seeds


def _spread(lines: list[bytes], number: int = _SEEDS) -> tuple[bytes, ...]:
    """Some of these lines: the shortest, and others at equal distances."""
    ordered = sorted(set(lines), key=lambda line: (len(line), line))
    few = ordered[: number // 2]
    rest = ordered[number // 2 :]
    step = max(1, len(rest) // (number // 2))
    return tuple([*few, *rest[::step]][:number])


@cache
def _corpus(kind: str) -> tuple[bytes, ...]:
    """Lines of the corpus and of the examples that begin with this key."""
    found = []
    for path in sorted(_FOLDER.glob("corpus/*.jsonl")):
        if path.name not in ("index.jsonl", "errata.jsonl"):
            found += path.read_bytes().splitlines()
    for path in sorted(_FOLDER.glob("examples/*.jsonl")):
        found += path.read_bytes().splitlines()
    start = b'{"%s":' % kind.encode()
    return tuple(line for line in found if line.replace(b" ", b"").startswith(start))


def _traces() -> tuple[bytes, ...]:
    return _spread(list(_corpus("trace")))


def _minis() -> tuple[bytes, ...]:
    return _spread(list(_corpus("mini")), 12)


def _logs() -> tuple[bytes, ...]:
    return _corpus("log")


def _parts(name: str) -> tuple[bytes, ...]:
    """A part of each trace: its ruleset or its setup."""
    lines = [json.loads(line) for line in _corpus("trace")]
    return _spread([wire.encode(line[name]) for line in lines if name in line])


def _conversations() -> tuple[bytes, ...]:
    """Each trace as a client would ask it, act by act."""
    found = []
    for line in _traces()[:24]:
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


def _answered() -> tuple[bytes, ...]:
    """What the reference answers, each behind the op that was asked."""
    found: dict[bytes, None] = {}
    for conversation in _conversations()[:8]:
        session = Session()
        for line in conversation.splitlines():
            asked = json.loads(line)
            answer = session.handle(line)
            if answer is not None:
                plain = json.loads(answer) | {"seq": 1}
                found[asked["op"].encode() + b" " + wire.encode(plain)] = None
    return _spread(list(found), 32)


def _sequences() -> tuple[bytes, ...]:
    return (b"", b"QS", b"2C 3C AC 2D JD 2S QS KS AS 2H 3H AH", b"TD 9H")


def _house_rules() -> tuple[bytes, ...]:
    found = []
    for option in BY_NAME.values():
        values = option.base if isinstance(option.base, tuple) else (option.base,)
        text = ",".join(map(str, values)).lower()
        found.append(f"{option.name}={text}".encode())
    return tuple(found)


def _profiles() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(SPEC.glob("profiles/*.toml")))


def _entries() -> tuple[bytes, ...]:
    return (
        b'{"id":"t-00753089b1b7d28d","why":"not yet","until":"2027-01-31"}',
        b'{"clause":"5.3","why":"house rule","issue":"#1","until":"2030-12-31"}',
        b'{"id":"t-00753089b1b7d28d","kind":"step","outcome":"crash","why":"a",'
        b'"until":"2027-01-31"}',
    )


def _games() -> tuple[bytes, ...]:
    """Games played to their end as OpenSpiel writes them, and others that are not."""
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


def _acts() -> tuple[bytes, ...]:
    return (
        *(b"2C", b"QS", b"draw", b"pass QS KH AH", b"scatter 1:QS 2:KH 3:AH", b"quit"),
        *(b"forward", b"moon self_minus", b"moon one 2", b"retract QS", b"claim 1 2"),
    )


def _typed() -> tuple[bytes, ...]:
    return (b"2C 9D QH", b"QS 2H 3H;2C 5C;;1 2", b"JD 4S;;JD;0 3", b"2H 3H;;;2")


def _reports() -> tuple[bytes, ...]:
    return (
        b'{"case":"t-010cb81042ab1f93/step","outcome":"fail","faults":[{"step":1,'
        b'"clauses":["5.3"],"asked":"may seat 1 play QS?","expected":"refused",'
        b'"got":"ok"}]}',
        b'{"report":1,"adapter":["x"]}',
        b'{"case":"m-232c52afd54b9296/enumerate","outcome":"fail","faults":[{"step":0,'
        b'"clauses":[],"asked":"games","expected":"16","got":"17"}]}',
    )


READERS: Final = {
    reader.name: reader
    for reader in (
        Reader("trace", read_trace_line, _traces),
        Reader("log", read_log_line, _logs),
        Reader("mini", read_mini_line, _minis),
        Reader("file", read_file, lambda: (b"\n".join(_traces()[:3]),)),
        Reader("ruleset", read_ruleset, lambda: _parts("ruleset")),
        Reader("option", read_house_rule, _house_rules, lines=False),
        Reader("profile", read_profile, _profiles, lines=False),
        Reader("position", read_position, lambda: _parts("setup")),
        Reader("requests", read_requests, _conversations),
        Reader("answers", read_answers, _answered),
        Reader("known", read_known_line, _entries),
        Reader("notation", read_notation, _sequences, lines=False),
        Reader(
            "citation",
            read_citation,
            lambda: (b"5.3", b"HFR 5.3b@1.0.0~9f3a21c0", b"HFR 0.7a@1.0.0"),
            lines=False,
        ),
        Reader("game", read_any_game, lambda: (*_logs(), *_traces()[:24])),
        Reader("report", read_report, _reports),
        Reader("act", read_typed_act, _acts, lines=False),
        Reader("byhand", read_by_hand, _typed, lines=False),
        Reader("openspiel", read_actions, _games, lines=False),
    )
}


# Inputs that are nearly right

_WORDS: Final = (
    *(
        "",
        "QS",
        "2C 3C",
        "2C 2C",
        "XX",
        "x-note",
        "estmesh-hearts",
        "5.3",
        "é",
        "\ud800",
    ),
    *("cut", "deal", "pass", "mix", "draw", "play", "retract", "quit", "claim", "moon"),
    *("one", "forward", "hands", "stock", "kitty", "seat", "self_minus", "over"),
)
_PLAIN: Final[tuple[Any, ...]] = (
    *(0, 1, -1, 2, 3, 4, 7, 13, 14, 52, 2**31 - 1, -(2**31), 2**31, 2**63, 2**64),
    *(10**30, 1.5, True, False, None, [], {}, [[]], [0], {"play": "QS"}),
)


def spoiled(data: bytes, random: Random, others: tuple[bytes, ...] = ()) -> bytes:
    """An input with one to three things changed, bytes or parts of a JSON line.

    Parts may come from `others`. It is never longer than a few times its seed.
    """
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        lines = data.splitlines() or [b""]
        place = random.randrange(len(lines))
        if random.random() < 0.8:
            lines[place] = _part_spoiled(lines[place], random, others)
            data = b"\n".join(lines)
        elif random.random() < 0.3 and len(lines) > 1:
            other = random.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
            data = b"\n".join(lines)
        else:
            data = _bytes_spoiled(data, random)
    return data


def _bytes_spoiled(data: bytes, random: Random) -> bytes:
    start = random.randrange(len(data) + 1)
    end = min(len(data), start + random.choice((0, 1, 1, 2, 8)))
    new = random.choice(
        (b"", bytes([random.randrange(256)]), b'"', b"\\", b"\xff", b"0", b" ", b"[")
    )
    return data[:start] + new + data[end:]


def _part_spoiled(line: bytes, random: Random, others: tuple[bytes, ...]) -> bytes:
    head, brace, body = line.partition(b"{")
    try:
        value = json.loads(brace + body)
    except (ValueError, RecursionError):
        return _bytes_spoiled(line, random)
    holders = list(_holders(value))
    holder = random.choice(holders)
    keys: list[Any] = (
        list(holder) if isinstance(holder, dict) else [*range(len(holder))]
    )
    if not keys:
        return _bytes_spoiled(line, random)
    key = random.choice(keys)
    way = random.randrange(6)
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder.insert(key, holder[random.randrange(len(holder))])
    elif way == 1:
        holder[random.choice(_WORDS)] = holder.pop(key)
    elif way == 2:
        holder[key] = _another(holder[key], random)
    elif way == 3:
        holder[key] = random.choice(_PLAIN)
    elif way == 4:
        holder[key] = random.choice(_WORDS)
    else:
        other = random.choice(holders)
        values = list(other.values()) if isinstance(other, dict) else other
        if others and random.random() < 0.5:
            values = _values_of(random.choice(others), random)
        holder[key] = random.choice(values or [0])
    try:
        return head + json.dumps(value, ensure_ascii=random.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )
    except (ValueError, RecursionError):  # it holds itself
        return line


def _values_of(line: bytes, random: Random) -> list[Any]:
    try:
        value = json.loads(line.splitlines()[0][line.find(b"{") :])
    except (ValueError, IndexError):
        return []
    holder = random.choice(list(_holders(value)) or [[0]])
    return list(holder.values()) if isinstance(holder, dict) else list(holder)


def _another(value: Any, random: Random) -> Any:
    """A value much like this one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.choice((-1, 1, 2))
    if isinstance(value, str) and value:
        words = value.split(" ")
        random.shuffle(words)
        changed = [*words, words[0]] if random.random() < 0.3 else words[1:]
        return " ".join(random.choice((words, changed)))
    return [value]


def _holders(value: Any) -> Iterator[Any]:
    """Each object and array in a value, itself included."""
    if isinstance(value, dict | list):
        yield value
        for one in value.values() if isinstance(value, dict) else value:
            yield from _holders(one)
