"""Bad adapters for the self-test: the reference with one bad habit, by its name.

Some habits are harmless, and must stay green.

`main(NAME)` speaks the protocol on the standard streams. Each function below is a
habit: it is given the session, the request and the right answer, and returns what to
write instead.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from msgspec import json

from refengine.formats.serve import Session
from refengine.game.values.state import State

Json = dict[str, Any]
Habit = Callable[[Session, Json, bytes], bytes]
_ASKED_ABOUT_ACTS: Final = ("step", "probe")
_WANTS_REFUSED: Final = b'"refused"'


def _encoded(value: object) -> bytes:
    return json.encode(value)


def _spoiled(answer: bytes, **more: Any) -> bytes:
    """The answer with other values."""
    return _encoded({**json.decode(answer), **more})


def good(session: Session, request: Json, answer: bytes) -> bytes:
    """No bad habit at all."""
    return answer


def writes_slowly(session: Session, request: Json, answer: bytes) -> bytes:
    """Each answer in three pieces, and much noise on stderr, which is allowed."""
    sys.stderr.write("noise " * 20_000)
    for piece in (answer[:5], answer[5:9]):
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        time.sleep(0.001)
    return answer[9:]


def _telling(request: Json, answer: bytes, told: Callable[[Json], Json]) -> bytes:
    """The answer to `observe`, if it is one, with these of its fields."""
    plain = json.decode(answer)
    if request["op"] != "observe" or "seat" in request or "ok" not in plain:
        return answer
    return _encoded({**plain, "ok": told(plain["ok"])})


def tells_late(session: Session, request: Json, answer: bytes) -> bytes:
    """Points and cards taken are told when the deal is over; harmless."""

    def told(ok: Json) -> Json:
        if "score" in ok:
            return ok
        return {name: ok[name] for name in ok.keys() - {"points", "taken", "tricks"}}

    return _telling(request, answer, told)


def tells_once(session: Session, request: Json, answer: bytes) -> bytes:
    """A trick, a draw, a score are told once, in the first answer; harmless."""

    def told(ok: Json) -> Json:
        seen: Json = {name: ok.pop(name) for name in _ONCE if name in ok}
        new = {name: seen[name] for name in seen if seen[name] != _told.get(name)}
        _told.clear()
        _told.update(seen)
        return {**ok, **new}

    if request["op"] == "open":
        _told.clear()
    return _telling(request, answer, told)


_ONCE: Final = ("trick", "drew", "score", "totals")
_told: Final[Json] = {}


def tells_never(session: Session, request: Json, answer: bytes) -> bytes:
    """Nothing is told but whose turn it is, and the end; harmless."""

    def told(ok: Json) -> Json:
        return {name: ok[name] for name in ("turn", "score", "match") if name in ok}

    return _telling(request, answer, told)


def judges_passes_together(session: Session, request: Json, answer: bytes) -> bytes:
    """Packets are looked at when those of all seats are in; harmless.

    A packet that must be refused is accepted, and the pass that completes them is
    refused in its place.
    """
    op, seat = request["op"], request.get("seat")
    if op == "open":
        _bad_packets.clear()
    before = _before.get("state")
    _before["state"] = session.state
    packet = op in _ASKED_ABOUT_ACTS and "pass" in request["act"]
    if not packet or before is None or before.phase != "pass":
        return answer
    if seat not in set(before.turn) - _bad_packets.keys():
        return answer
    if len(before.turn) - len(_bad_packets) == 1:
        bad = next(iter(_bad_packets.values()), None)
        return answer if bad is None else _spoiled(bad, seq=request["seq"])
    if _WANTS_REFUSED not in answer:
        return answer
    if op == "step":
        _bad_packets[seat] = answer
    return _only_ok(request)


def judges_passes_by_step(session: Session, request: Json, answer: bytes) -> bytes:
    """The same of an adapter without `probe`; harmless."""
    if request["op"] != "hello":
        return judges_passes_together(session, request, answer)
    plain = json.decode(answer)
    plain["ok"]["capabilities"].remove("probe")
    return _encoded(plain)


_before: Final[dict[str, State | None]] = {}
_bad_packets: Final[dict[Any, bytes]] = {}


def accepts_all(session: Session, request: Json, answer: bytes) -> bytes:
    """Every act is accepted."""
    return _only_ok(request) if _WANTS_REFUSED in answer else answer


def _only_ok(request: Json) -> bytes:
    return _encoded({"seq": request["seq"], "ok": {}})


def refuses_all(session: Session, request: Json, answer: bytes) -> bytes:
    """Every act is refused."""
    if request["op"] in _ASKED_ABOUT_ACTS:
        return _encoded({"seq": request["seq"], "refused": {}})
    return answer


def crashes_on_refusal(session: Session, request: Json, answer: bytes) -> bytes:
    """An exception for every act that is not legal."""
    if _WANTS_REFUSED in answer:
        sys.stderr.write("IllegalMove: that card\n")
        sys.stderr.flush()
        os._exit(1)
    return answer


def kills_itself(session: Session, request: Json, answer: bytes) -> bytes:
    """A segmentation fault, say, at the first probe."""
    if request["op"] == "probe":
        os.abort()
    return answer


def errors_on_refusal(session: Session, request: Json, answer: bytes) -> bytes:
    """`error` in place of a refusal."""
    if _WANTS_REFUSED in answer:
        return _encoded({"seq": request["seq"], "error": "illegal move"})
    return answer


def errors_in_replay(session: Session, request: Json, answer: bytes) -> bytes:
    """A replay that fails by itself at the second step of each game."""
    if request["op"] != "replay":
        return answer
    plain = json.decode(answer)
    plain["ok"]["steps"] = plain["ok"]["steps"][:2]
    plain["ok"]["steps"][-1] = {"answer": {"error": "DataCloneError"}}
    plain["ok"].pop("end", None)
    return _encoded(plain)


def unsupported_refusal(session: Session, request: Json, answer: bytes) -> bytes:
    """`unsupported` in place of a refusal."""
    if _WANTS_REFUSED in answer:
        return _encoded({"seq": request["seq"], "unsupported": "that"})
    return answer


def hangs(session: Session, request: Json, answer: bytes) -> bytes:
    """No answer to a probe, ever."""
    if request["op"] == "probe":
        time.sleep(600)
    return answer


def answers_late(session: Session, request: Json, answer: bytes) -> bytes:
    """An answer to a step after its time is over."""
    if request["op"] == "step":
        time.sleep(3)
    return answer


def noise(session: Session, request: Json, answer: bytes) -> bytes:
    """Words for the programmer on standard output, from the beginning."""
    return b"DEBUG %s\n%s" % (str(request["op"]).encode(), answer)


def noise_later(session: Session, request: Json, answer: bytes) -> bytes:
    """Words for the programmer on standard output, at each step."""
    return b"playing a card\n" + answer if request["op"] == "step" else answer


def wrong_seq(session: Session, request: Json, answer: bytes) -> bytes:
    """The number of another request."""
    if request["op"] == "legal":
        return _spoiled(answer, seq=request["seq"] + 1)
    return answer


def string_seq(session: Session, request: Json, answer: bytes) -> bytes:
    """The number of the request as text."""
    return _spoiled(answer, seq=str(request["seq"]))


def no_seq(session: Session, request: Json, answer: bytes) -> bytes:
    """No number at all, from the first step on."""
    if request["op"] != "step":
        return answer
    plain = json.decode(answer)
    del plain["seq"]
    return _encoded(plain)


def extra_line(session: Session, request: Json, answer: bytes) -> bytes:
    """Each answer on a step twice."""
    return answer + b"\n" + answer if request["op"] == "step" else answer


def empty_line(session: Session, request: Json, answer: bytes) -> bytes:
    """An empty line before the answer on what is due."""
    return b"\n" + answer if request["op"] == "legal" else answer


def dies_half_way(session: Session, request: Json, answer: bytes) -> bytes:
    """Half of an answer, and the end."""
    if request["op"] == "legal":
        sys.stdout.buffer.write(answer[: len(answer) // 2])
        sys.stdout.buffer.flush()
        os._exit(0)
    return answer


def long_line(session: Session, request: Json, answer: bytes) -> bytes:
    """A line of 100 MB."""
    if request["op"] == "legal":
        for _ in range(100):
            sys.stdout.buffer.write(b"x" * 1_000_000)
    return answer


def invalid_utf8(session: Session, request: Json, answer: bytes) -> bytes:
    """Bytes that are not UTF-8."""
    return answer.replace(b'"ok"', b'"o\xff"') if request["op"] == "legal" else answer


def two_keys(session: Session, request: Json, answer: bytes) -> bytes:
    """Accepted and refused at once."""
    return _spoiled(answer, ok={}, refused={}) if request["op"] == "step" else answer


def null_answer(session: Session, request: Json, answer: bytes) -> bytes:
    """Null where an object is wanted."""
    return _spoiled(answer, ok=None) if request["op"] == "step" else answer


def cards_as_list(session: Session, request: Json, answer: bytes) -> bytes:
    """Cards as a list where one text is wanted."""
    plain = json.decode(answer)
    if request["op"] == "legal" and "play" in plain["ok"]:
        plain["ok"]["play"] = plain["ok"]["play"].split()
    return _encoded(plain)


def no_such_card(session: Session, request: Json, answer: bytes) -> bytes:
    """Ten as two signs."""
    plain = json.decode(answer)
    if request["op"] == "legal" and "play" in plain["ok"]:
        plain["ok"]["play"] = "10C"
    return _encoded(plain)


def wrong_legal(session: Session, request: Json, answer: bytes) -> bytes:
    """The whole hand is legal, whatever was led."""
    plain = json.decode(answer)
    if request["op"] == "legal" and "play" in plain["ok"]:
        assert session.state is not None
        plain["ok"]["play"] = str(session.state.hands[session.state.turn[0]])
    return _encoded(plain)


def wrong_clause(session: Session, request: Json, answer: bytes) -> bytes:
    """The same clause for every refusal."""
    if _WANTS_REFUSED in answer:
        return _spoiled(answer, refused={"clauses": ["3.8"]})
    return answer


def changes_on_probe(session: Session, request: Json, answer: bytes) -> bytes:
    """A probe plays a card."""
    state = session.state
    if request["op"] == "probe" and state is not None and state.legal.cards:
        session.state = state.play(next(iter(state.legal.cards)))
    return answer


def wipes_on_refusal(session: Session, request: Json, answer: bytes) -> bytes:
    """A refused act begins the deal anew; a probe, which is other code, does not."""
    state = session.state
    if request["op"] == "step" and state is not None and _WANTS_REFUSED in answer:
        session.state = State.open(state.ruleset, state.start)
    return answer


def forgets_to_open(session: Session, request: Json, answer: bytes) -> bytes:
    """`open` goes on with the game before."""
    if request["op"] == "open" and _first_state:
        session.state = _first_state[0]
    elif request["op"] == "open" and session.state is not None:
        _first_state.append(session.state)
    return answer


_first_state: list[Any] = []


def leaks_cards(session: Session, request: Json, answer: bytes) -> bytes:
    """A seat sees the cards of all hands as its own."""
    if request["op"] == "observe" and "seat" in request:
        plain = json.decode(answer)
        assert session.state is not None
        plain["ok"]["hand"] = " ".join(str(hand) for hand in session.state.hands)
        return _encoded(plain)
    return answer


def leaks_key(session: Session, request: Json, answer: bytes) -> bytes:
    """A view with all hands in it."""
    if request["op"] == "observe" and "seat" in request:
        plain = json.decode(answer)
        assert session.state is not None
        plain["ok"]["hands"] = [str(hand) for hand in session.state.hands]
        return _encoded(plain)
    return answer


def other_protocol(session: Session, request: Json, answer: bytes) -> bytes:
    """Another version of the protocol."""
    if request["op"] == "hello":
        plain = json.decode(answer)
        plain["ok"]["protocol"] = 2
        return _encoded(plain)
    return answer


def other_capability(session: Session, request: Json, answer: bytes) -> bytes:
    """A capability that does not exist."""
    return answer.replace(b'"step"', b'"steps"')


def no_capabilities(session: Session, request: Json, answer: bytes) -> bytes:
    """Nothing is declared, so nothing is asked."""
    if request["op"] == "hello":
        plain = json.decode(answer)
        plain["ok"]["capabilities"] = []
        return _encoded(plain)
    return answer


def knows_everything(session: Session, request: Json, answer: bytes) -> bytes:
    """`ok` to an op that does not exist."""
    return _only_ok(request) if b'"unsupported"' in answer else answer


def _before_being_asked() -> None:
    """Answers to everything before anything is asked."""
    for seq in range(1, 200):
        line = _encoded({"seq": seq, "ok": {}})
        sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def answers_before(session: Session, request: Json, answer: bytes) -> bytes:
    """Answers to everything before anything is asked; after that it is silent."""
    time.sleep(600)
    return answer


def never_flushes(session: Session, request: Json, answer: bytes) -> bytes:
    """Answers that stay in its buffer."""
    _kept.append(answer)
    time.sleep(600)
    return answer


_kept: list[bytes] = []


def exits_at_once(session: Session, request: Json, answer: bytes) -> bytes:
    """The end before the first answer."""
    os._exit(0)


def ignores_bye(session: Session, request: Json, answer: bytes) -> bytes:
    """It goes on after `bye`."""
    return answer


HABITS: Final[dict[str, Habit]] = {
    habit.__name__: habit
    for habit in (
        good,
        writes_slowly,
        tells_late,
        tells_once,
        tells_never,
        judges_passes_together,
        judges_passes_by_step,
        accepts_all,
        refuses_all,
        crashes_on_refusal,
        kills_itself,
        errors_on_refusal,
        errors_in_replay,
        unsupported_refusal,
        hangs,
        answers_late,
        noise,
        noise_later,
        wrong_seq,
        string_seq,
        no_seq,
        extra_line,
        empty_line,
        dies_half_way,
        long_line,
        invalid_utf8,
        two_keys,
        null_answer,
        cards_as_list,
        no_such_card,
        wrong_legal,
        wrong_clause,
        changes_on_probe,
        wipes_on_refusal,
        forgets_to_open,
        leaks_cards,
        leaks_key,
        other_protocol,
        other_capability,
        no_capabilities,
        knows_everything,
        answers_before,
        never_flushes,
        exits_at_once,
        ignores_bye,
    )
}


def main(name: str) -> None:
    """Speak the protocol with this habit."""
    habit, session = HABITS[name], Session()
    if name == "answers_before":
        _before_being_asked()
    for line in sys.stdin.buffer:
        answer = session.handle(line)
        if answer is None:
            if name == "ignores_bye":
                time.sleep(600)
            return
        made = habit(session, json.decode(line), answer)
        sys.stdout.buffer.write(made + b"\n")
        sys.stdout.buffer.flush()
