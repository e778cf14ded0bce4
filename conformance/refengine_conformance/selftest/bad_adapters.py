"""Bad adapters for the self-test: the reference with one bad habit, chosen by name.

Some habits are harmless, and their adapters must pass.

`python -m refengine_conformance.selftest.bad_adapters NAME` speaks the protocol on the
standard streams. Each function decorated with `Must` is a habit: it takes the session,
the request and the right answer, and returns what to write instead. Its docstring says
what such an adapter does, and the decorator says what must happen to the adapter. A
habit that does not show in the answers, such as not ending, is in `main`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import attrs
from msgspec import json

from refengine.formats.serve import Session
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State

Json = dict[str, Any]
Habit = Callable[[Session, Json, bytes], bytes]
_ASKED_ABOUT_ACTS: Final = ("step", "probe")
_WANTS_REFUSED: Final = b'"refused"'


def _spoiled(answer: bytes, **more: Any) -> bytes:
    """The answer with these values added, replacing any under the same names."""
    return json.encode({**json.decode(answer), **more})


@attrs.frozen
class Must:
    """What must happen to a bad adapter.

    The command ends with the exit code `exit`, and the summary contains `says`. If a
    `kind` is named, some case of that kind has this `outcome`. The traces are put to
    the adapter in these `ways`.
    """

    exit: int
    says: str
    kind: str = ""
    outcome: str = "fail"
    ways: str = "step"

    def __call__(self, habit: Habit) -> Habit:
        """Register a habit, and what must happen to its adapter; return the habit."""
        HABITS[habit.__name__] = habit
        MUSTS[habit.__name__] = self
        return habit


HABITS: Final[dict[str, Habit]] = {}
MUSTS: Final[dict[str, Must]] = {}


def _editing(op: str) -> Callable[[Callable[[Session, Json], None]], Habit]:
    """A decorator that turns a function that edits an answer's `ok` into a habit.

    Only answers to this op are edited; `view` is the op `observe` for a single seat.
    """

    def habit_of(edit: Callable[[Session, Json], None]) -> Habit:
        @wraps(edit)
        def habit(session: Session, request: Json, answer: bytes) -> bytes:
            plain = json.decode(answer)
            is_view = request["op"] == "observe" and "seat" in request
            asked_op = "view" if is_view else request["op"]
            if asked_op != op or "ok" not in plain:
                return answer
            edit(session, plain["ok"])
            return json.encode(plain)

        return habit

    return habit_of


def _state(session: Session) -> State:
    assert session.state is not None
    return session.state


@Must(0, "pass rate 100%", "step", "pass", "both")
def good(session: Session, request: Json, answer: bytes) -> bytes:
    """There is no bad habit at all."""
    return answer


@Must(0, "pass rate 100%", "step", "pass")
def writes_slowly(session: Session, request: Json, answer: bytes) -> bytes:
    """Each answer is sent in three pieces, with much noise on stderr; harmless."""
    sys.stderr.write("noise " * 20_000)
    for piece in (answer[:5], answer[5:9]):
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        time.sleep(0.001)
    return answer[9:]


@Must(0, "pass rate 100%", "step", "pass")
@_editing("observe")
def tells_late(session: Session, ok: Json) -> None:
    """Points, tricks and cards taken are shown only once a deal is over; harmless."""
    if "score" not in ok:
        for name in ("points", "taken", "tricks"):
            ok.pop(name, None)


@Must(0, "pass rate 100%", "step", "pass")
def tells_once(session: Session, request: Json, answer: bytes) -> bytes:
    """Some observed fields are shown only when they have changed; harmless."""
    if request["op"] == "open":
        _told.clear()
    return _without_told(session, request, answer)


@_editing("observe")
def _without_told(session: Session, ok: Json) -> None:
    """Remove each field in `_ONCE` that is the same as in the previous answer."""
    seen: Json = {name: ok.pop(name) for name in _ONCE if name in ok}
    ok |= {name: seen[name] for name in seen if seen[name] != _told.get(name)}
    _told.clear()
    _told.update(seen)


_ONCE: Final = ("trick", "drew", "score", "totals")
_told: Final[Json] = {}


@Must(0, "pass rate 100%", "step", "pass")
@_editing("observe")
def tells_never(session: Session, ok: Json) -> None:
    """Nothing but the turn, the score and the match can be observed; harmless."""
    for name in ok.keys() - {"turn", "score", "match"}:
        del ok[name]


_before: Final[dict[str, State | None]] = {}
"""Under the key `state`, the state before the request that is being answered."""
_bad_packets: Final[dict[Any, bytes]] = {}
"""The packets to be refused in this pass: by seat, the answer that refuses each."""


@Must(0, "pass rate 100%", "step", "pass")
def judges_passes_together(session: Session, request: Json, answer: bytes) -> bytes:
    """Packets are judged only when all seats have passed theirs; harmless.

    A packet that must be refused is accepted, and the last packet to be passed is
    refused instead. To the session, a seat with such a packet has still to pass.
    """
    op, seat = request["op"], request.get("seat")
    if op == "open":
        _bad_packets.clear()
    before = _before.get("state")
    _before["state"] = session.state
    is_packet = op in _ASKED_ABOUT_ACTS and "pass" in request["act"]
    if not is_packet or before is None or before.phase != "pass":
        return answer
    if seat not in before.turn or seat in _bad_packets:
        return answer
    is_last = len(before.turn) - len(_bad_packets) == 1
    if is_last and _bad_packets:
        refusal = next(iter(_bad_packets.values()))
        return _spoiled(refusal, seq=request["seq"])
    if is_last or _WANTS_REFUSED not in answer:
        return answer
    if op == "step":
        _bad_packets[seat] = answer
    return _only_ok(request)


@Must(0, "pass rate 100%", "step", "pass")
def judges_passes_together_without_probe(
    session: Session, request: Json, answer: bytes
) -> bytes:
    """Packets are judged together, and `probe` is not declared; harmless."""
    answer = judges_passes_together(session, request, answer)
    return _without_probe(session, request, answer)


@_editing("hello")
def _without_probe(session: Session, ok: Json) -> None:
    """Remove `probe` from the capabilities declared in `hello`."""
    ok["capabilities"].remove("probe")


@Must(1, "got:         ok", "probe")
def accepts_all(session: Session, request: Json, answer: bytes) -> bytes:
    """Every act is accepted."""
    return _only_ok(request) if _WANTS_REFUSED in answer else answer


def _only_ok(request: Json) -> bytes:
    """The answer `ok` to this request, without any details."""
    return json.encode({"seq": request["seq"], "ok": {}})


@Must(1, "got:         refused", "step")
def refuses_all(session: Session, request: Json, answer: bytes) -> bytes:
    """Every act is refused."""
    if request["op"] in _ASKED_ABOUT_ACTS:
        return json.encode({"seq": request["seq"], "refused": {}})
    return answer


@Must(2, "ended with exit code 1", "probe", "crash")
def crashes_on_refusal(session: Session, request: Json, answer: bytes) -> bytes:
    """The process ends with an error at every act that must be refused."""
    if _WANTS_REFUSED in answer:
        sys.stderr.write("IllegalMove: that card\n")
        sys.stderr.flush()
        os._exit(1)
    return answer


@Must(2, "was killed by SIGABRT", "probe", "crash")
def kills_itself(session: Session, request: Json, answer: bytes) -> bytes:
    """The process aborts at the first probe, as after a failed assertion in C."""
    if request["op"] == "probe":
        os.abort()
    return answer


@Must(2, "your adapter failed 2 times with illegal move", "probe", "error")
def errors_on_refusal(session: Session, request: Json, answer: bytes) -> bytes:
    """An act that must be refused is answered with `error`."""
    if _WANTS_REFUSED in answer:
        return json.encode({"seq": request["seq"], "error": "illegal move"})
    return answer


@Must(2, "DataCloneError", "replay", "error", "replay")
@_editing("replay")
def errors_in_replay(session: Session, ok: Json) -> None:
    """A replay ends in an `error` at its second step, or at its only one."""
    if steps := ok["steps"]:
        first = steps[:1] if len(steps) > 1 else []
        ok["steps"] = [*first, {"answer": {"error": "DataCloneError"}}]
        ok.pop("end", None)


@Must(0, "coverage", "probe", "unsupported")
def unsupported_refusal(session: Session, request: Json, answer: bytes) -> bytes:
    """An act that must be refused is answered with `unsupported`."""
    if _WANTS_REFUSED in answer:
        return json.encode({"seq": request["seq"], "unsupported": "that"})
    return answer


@Must(2, "no answer within 1 s", "probe", "timeout")
def hangs(session: Session, request: Json, answer: bytes) -> bytes:
    """A probe is never answered."""
    if request["op"] == "probe":
        time.sleep(600)
    return answer


@Must(2, "no answer within 1 s", "step", "timeout")
def answers_late(session: Session, request: Json, answer: bytes) -> bytes:
    """A step is answered only after the time limit."""
    if request["op"] == "step":
        time.sleep(3)
    return answer


@Must(2, "nobody asked for: 'DEBUG hello'", "step", "not_run")
def noise(session: Session, request: Json, answer: bytes) -> bytes:
    """A debugging line is written to standard output before each answer."""
    return b"DEBUG %s\n%s" % (str(request["op"]).encode(), answer)


@Must(2, "nobody asked for: 'playing a card'", "step", "protocol")
def noise_later(session: Session, request: Json, answer: bytes) -> bytes:
    """A debugging line is written to standard output before each answer to a step."""
    return b"playing a card\n" + answer if request["op"] == "step" else answer


@Must(2, "as it was sent", "legal", "protocol")
def wrong_seq(session: Session, request: Json, answer: bytes) -> bytes:
    """`legal` is answered with the sequence number of another request."""
    if request["op"] == "legal":
        return _spoiled(answer, seq=request["seq"] + 1)
    return answer


@Must(2, "got the text '1'; wanted the number 1")
def string_seq(session: Session, request: Json, answer: bytes) -> bytes:
    """Each answer has the sequence number of its request as a string."""
    return _spoiled(answer, seq=str(request["seq"]))


@Must(2, "field seq: got no seq", "step", "protocol")
def no_seq(session: Session, request: Json, answer: bytes) -> bytes:
    """The answer to a step has no sequence number."""
    if request["op"] != "step":
        return answer
    plain = json.decode(answer)
    del plain["seq"]
    return json.encode(plain)


@Must(2, "nobody asked for", "step", "protocol")
def extra_line(session: Session, request: Json, answer: bytes) -> bytes:
    """Each answer to a step is sent twice."""
    return answer + b"\n" + answer if request["op"] == "step" else answer


@Must(2, "nobody asked for", "legal", "protocol")
def empty_line(session: Session, request: Json, answer: bytes) -> bytes:
    """An empty line is sent before each answer to `legal`."""
    return b"\n" + answer if request["op"] == "legal" else answer


@Must(2, "in the middle of a line", "legal", "crash")
def dies_half_way(session: Session, request: Json, answer: bytes) -> bytes:
    """The process ends after sending half an answer to `legal`."""
    if request["op"] == "legal":
        sys.stdout.buffer.write(answer[: len(answer) // 2])
        sys.stdout.buffer.flush()
        os._exit(0)
    return answer


@Must(2, "longer than 16 MiB", "legal", "protocol")
def long_line(session: Session, request: Json, answer: bytes) -> bytes:
    """`legal` is answered with a line of more than 100 MB."""
    if request["op"] == "legal":
        for _ in range(100):
            sys.stdout.buffer.write(b"x" * 1_000_000)
    return answer


@Must(2, "wanted UTF-8", "legal", "protocol")
def invalid_utf8(session: Session, request: Json, answer: bytes) -> bytes:
    """The answer to `legal` contains a byte that is not UTF-8."""
    return answer.replace(b'"ok"', b'"o\xff"') if request["op"] == "legal" else answer


@Must(1, "got the keys ok, refused", "step", "protocol")
def two_keys(session: Session, request: Json, answer: bytes) -> bytes:
    """A step is both accepted and refused in the same answer."""
    return _spoiled(answer, ok={}, refused={}) if request["op"] == "step" else answer


@Must(1, "got null", "step", "protocol")
def null_answer(session: Session, request: Json, answer: bytes) -> bytes:
    """The answer to a step is null where an object is required."""
    return _spoiled(answer, ok=None) if request["op"] == "step" else answer


@Must(1, "field ok.play: got a list", "legal", "protocol")
@_editing("legal")
def cards_as_list(session: Session, ok: Json) -> None:
    """The legal cards are given as a list where a string is required."""
    if "play" in ok:
        ok["play"] = ok["play"].split()


@Must(1, "10C", "legal", "protocol")
@_editing("legal")
def no_such_card(session: Session, ok: Json) -> None:
    """The ten of clubs, written `10C`, is given as the only legal card."""
    if "play" in ok:
        ok["play"] = "10C"


@Must(1, "5.2 The opening card", "legal")
@_editing("legal")
def wrong_legal(session: Session, ok: Json) -> None:
    """`legal` is answered with the whole hand, whatever was led."""
    if "play" in ok:
        state = _state(session)
        ok["play"] = str(state.hands[state.turn[0]])


@Must(1, "refused by 3.8", "clauses")
def wrong_clause(session: Session, request: Json, answer: bytes) -> bytes:
    """Every refusal names the same clause."""
    if _WANTS_REFUSED in answer:
        return _spoiled(answer, refused={"clauses": ["3.8"]})
    return answer


@Must(1, "0.10 A refused act changes nothing", "probe")
def changes_on_probe(session: Session, request: Json, answer: bytes) -> bytes:
    """A probe changes the game by playing one of the legal cards."""
    state = session.state
    if request["op"] == "probe" and state is not None and state.legal.cards:
        session.state = state.play(next(iter(state.legal.cards)))
    return answer


@Must(1, "0.10 A refused act changes nothing", "step")
def wipes_on_refusal(session: Session, request: Json, answer: bytes) -> bytes:
    """A refused step restarts the game; a probe, run by different code, does not."""
    state = session.state
    if request["op"] == "step" and state is not None and _WANTS_REFUSED in answer:
        session.state = State.open(state.ruleset, state.start)
    return answer


@Must(1, "wrong answer", "step")
def forgets_to_open(session: Session, request: Json, answer: bytes) -> bytes:
    """Each request to open a game begins the first game once more."""
    if request["op"] == "open" and _first_state:
        session.state = _first_state[0]
    elif request["op"] == "open" and session.state is not None:
        _first_state.append(session.state)
    return answer


_first_state: Final[list[State]] = []


@Must(1, "2.7a What a seat does not know", "views")
@_editing("view")
def leaks_cards(session: Session, ok: Json) -> None:
    """A seat sees the cards of all hands as its own."""
    ok["hand"] = str(CardSet(card for hand in _state(session).hands for card in hand))


@Must(1, "got the key 'hands'", "views", "protocol")
@_editing("view")
def leaks_key(session: Session, ok: Json) -> None:
    """A view contains the hands of all seats."""
    ok["hands"] = [*map(str, _state(session).hands)]


@Must(3, "speaks protocol 2; wanted 1", "step", "not_run")
@_editing("hello")
def other_protocol(session: Session, ok: Json) -> None:
    """The adapter declares another version of the protocol."""
    ok["protocol"] = 2


@Must(2, "ok.capabilities[0]: got 'steps'")
def other_capability(session: Session, request: Json, answer: bytes) -> bytes:
    """The adapter declares a capability that does not exist."""
    return answer.replace(b'"step"', b'"steps"')


@Must(4, "no case was scored", "step", "unsupported")
@_editing("hello")
def no_capabilities(session: Session, ok: Json) -> None:
    """The adapter declares no capabilities, so it is not asked about any game."""
    ok["capabilities"] = []


@Must(1, "an unknown op", "step", "pass")
def knows_everything(session: Session, request: Json, answer: bytes) -> bytes:
    """An op that does not exist is answered with `ok`."""
    return _only_ok(request) if b'"unsupported"' in answer else answer


def _answer_before_being_asked() -> None:
    """Write 199 answers before anything is asked."""
    for seq in range(1, 200):
        line = json.encode({"seq": seq, "ok": {}})
        sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


@Must(2, "hello", "step", "not_run")
def answers_before(session: Session, request: Json, answer: bytes) -> bytes:
    """Many answers are sent before the first request, and none afterwards."""
    time.sleep(600)
    return answer


@Must(2, "flush its output", "step", "not_run")
def never_flushes(session: Session, request: Json, answer: bytes) -> bytes:
    """The answers are right, but `main` writes them only when the input has ended."""
    return answer


@Must(2, "ended with exit code 0", "step", "not_run")
def exits_at_once(session: Session, request: Json, answer: bytes) -> bytes:
    """The process ends before its first answer."""
    os._exit(0)


@Must(1, "bye: still running", "step", "pass")
def ignores_bye(session: Session, request: Json, answer: bytes) -> bytes:
    """The answers are right, but the process goes on running after `bye`."""
    return answer


def main(name: str) -> None:
    """Speak the protocol on the standard streams, with the bad habit of this name."""
    habit, session = HABITS[name], Session()
    unflushed = bytearray()  # what an output buffer would hold until the end
    if name == "answers_before":
        _answer_before_being_asked()
    for line in sys.stdin.buffer:
        answer = session.handle(line)
        if answer is None:
            if name == "ignores_bye":
                time.sleep(600)
            return
        made = habit(session, json.decode(line), answer)
        if name == "never_flushes":
            unflushed += made + b"\n"
            continue
        sys.stdout.buffer.write(made + b"\n")
        sys.stdout.buffer.flush()
    sys.stdout.buffer.write(unflushed)


if __name__ == "__main__":
    main(sys.argv[1])
