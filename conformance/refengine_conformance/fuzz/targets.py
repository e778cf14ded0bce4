"""Every reader of the project with its seeds, and what must be true for any input.

A reader takes bytes from outside. It must end with a value or with one of the
documented errors (`Malformed`, `Refused`; `FormError` for the answers of an adapter),
whose text is one line. A value that it accepts has to be the same when written and read
again, and it must be possible to replay it, show it and play it to its end.
`fault_on_input` says what is wrong with a reader on one input.

Seeds are written here, or are lines of the corpus and the examples. From these,
`spoil_input` makes nearly right inputs, on which readers are most likely to fail.
"""

from __future__ import annotations

import io
import json
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, TypeVar

import attrs
from msgspec import UNSET

from refengine import CardSet, Malformed, Play, Refused, Ruleset, Setup, State
from refengine import json as json_values
from refengine.formats import parsing, protocol, shapes, wire
from refengine.formats.annotate import annotated
from refengine.formats.convert import converted
from refengine.formats.fields import ruleset_fields, start_of, state_fields, view_fields
from refengine.formats.file_lines import lines_of_file
from refengine.formats.logs import read_log, replay_log
from refengine.formats.minideals import (
    check_mini,
    read_asked_mini,
    read_mini,
    write_mini,
)
from refengine.formats.positions import read_position, write_position
from refengine.formats.replaying import judge_line, kind_of
from refengine.formats.serve import Session
from refengine.formats.showing import shown_trace
from refengine.formats.trace import (
    allowed_ruleset,
    read_trace,
    replay,
    trace_id,
    write_trace,
)
from refengine.formats.written.completing_written import completed
from refengine.formats.written.games_written import written_trace
from refengine.formats.written.played_written import trace_written
from refengine.formats.written.reading_written import matches_written, read_written
from refengine.formats.written.writing_written import write_written
from refengine.game.clubs import club_rules_of_toml
from refengine.game.typed import read_act, read_option
from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.citing import look_up_citation
from refengine.lawbook.options import BY_NAME, value_text
from refengine.lawbook.profiles import profile_of_toml
from refengine.lawbook.reading import Citation
from refengine.machine import notation
from refengine.rulings.asking.answer_text import answer_lines
from refengine.rulings.asking.answers import answer_fields
from refengine.rulings.asking.ask import answer
from refengine.rulings.asking.questions import question_fields, read_question
from refengine.rulings.broken_clauses.named_clauses import clauses_against
from refengine.rulings.explain import explain, ruling_fields
from refengine.rulings.failed_case import is_report, wrong_answers
from refengine.rulings.judge import judge_game
from refengine.rulings.standing import stood
from refengine.rulings.submitted_game import game_as_trace, moments_of_game, read_game
from refengine.rulings.typed_position import ByHand, open_typed_position
from refengine_conformance.fuzz import seed_inputs
from refengine_conformance.fuzz.seed_inputs import MOST_GAMES, corpus_lines, spread
from refengine_conformance.runner import answers
from refengine_conformance.runner.known_failures import Entry

T = TypeVar("T")
W = TypeVar("W")

_ACTS: Final = 40  # the most acts applied when a position is played on
_LONGEST: Final = 1_000  # characters in a message
_OPS: Final = (*(op.encode() for op in protocol.OPS), b"view")

CLEAR: Final = (Malformed, Refused, answers.FormError)

Read = Callable[[bytes], None]
Seeds = Callable[[], Sequence[bytes]]


@attrs.frozen
class Reader:
    """A reader with its name, the function that tests it, and its seeds."""

    name: str
    read: Read
    seeds: Seeds


READERS: Final[dict[str, Reader]] = {}


def _reader(name: str, seeds: Seeds) -> Callable[[Read], Read]:
    """A decorator that registers a function in `READERS` under this name.

    `seeds` makes the inputs with which fuzzing starts.
    """

    def add(read: Read) -> Read:
        READERS[name] = Reader(name, read, seeds)
        return read

    return add


def fault_on_input(reader: Reader, data: bytes) -> str:
    """Try an input on a reader; return the fault as one line, or "" if there is none.

    The line begins with the kind of fault: what is wrong with the message of an
    expected error, or the type of any other error and the place that raised it.
    """
    try:
        reader.read(data)
    except CLEAR as error:
        return _unclear(error)
    except Exception as error:  # anything else is the fault being looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        return f"{type(error).__name__} at {place}: {str(error)!r:.200}"
    return ""


def kind_of_fault(fault: str) -> str:
    """The kind of a fault, its text up to a colon and a space.

    Faults of one kind are reported once.
    """
    return fault.partition(": ")[0]


def _unclear(error: Exception) -> str:
    """What is wrong with the message of an error, or "" if nothing is."""
    text = str(error)
    if not text or "\n" in text or len(text) > _LONGEST:
        return f"an unclear message of {type(error).__name__}: {text!r:.300}"
    try:
        text.encode()
    except UnicodeEncodeError:
        return f"a message of {type(error).__name__} that cannot be printed: {text!r}"
    return ""


def _require(claim: bool, said: str) -> None:
    """Raise an AssertionError with the text `said` if the claim is false."""
    if not claim:
        raise AssertionError(said)


def _check_round_trip(
    value: T, write: Callable[[T], W], read: Callable[[W], T]
) -> None:
    """Raise AssertionError unless a value is the same when written and read again."""
    _require(_read_again(write(value), read) == value, "read again, it differs")


def _read_again(written: W, read: Callable[[W], T]) -> T:
    """Read what was written, and return the value.

    Raises AssertionError if reading raises one of the errors in `CLEAR`, which are
    meant only for input from outside.
    """
    try:
        return read(written)
    except CLEAR as error:
        raise AssertionError(f"what was written cannot be read: {error}") from error


def _text(data: bytes) -> str:
    """The text of these bytes, decoded as Python decodes a command line."""
    return data.decode("utf-8", "surrogateescape")


# The readers


@_reader("trace", seed_inputs.traces)
def _trace(data: bytes) -> None:
    """Read a trace; write, replay, show and annotate it."""
    trace = read_trace(data)
    _check_round_trip(attrs.evolve(trace, id=trace_id(trace)), write_trace, read_trace)
    findings = replay(trace)
    judged = list(judge_line(data).findings)
    _require(judged == findings, "judging and replaying differ")
    if not findings:
        list(shown_trace(trace))
        annotated(trace)


@_reader("log", lambda: corpus_lines("log"))
def _log(data: bytes) -> None:
    """Read a compact log and replay it."""
    replay_log(read_log(data))


@_reader("mini", lambda: spread(corpus_lines("mini"), 12))
def _mini(data: bytes) -> None:
    """Read a mini-deal, check any counts in it, and write it with its counts."""
    read = read_mini if b'"games"' in data else read_asked_mini
    check_mini(read(data), MOST_GAMES)
    write_mini(read_asked_mini(data), MOST_GAMES)


@_reader("file", lambda: [b"\n".join(seed_inputs.traces()[:3])])
def _file(data: bytes) -> None:
    """Read a file of lines as `refengine replay` does, except for any mini-deals."""
    wrong: Exception | None = None
    for line in lines_of_file(io.BytesIO(data)):
        try:
            if isinstance(line, Malformed):
                raise line
            if kind_of(line) != "mini":  # `_mini` counts those, up to MOST_GAMES
                judge_line(line)
        except CLEAR as error:
            wrong = error
    if wrong is not None:
        raise wrong


@_reader("ruleset", lambda: seed_inputs.parts_of_traces("ruleset"))
def _ruleset(data: bytes) -> None:
    """Read a ruleset; made from its changes or read again, it must be the same."""
    ruleset = _read_ruleset(data)
    same = Ruleset(ruleset.profile, ruleset.players, ruleset.changed)
    _require(same == ruleset, "the options changed make another ruleset")
    _check_round_trip(
        ruleset, lambda one: wire.encode(ruleset_fields(one)), _read_ruleset
    )


def _read_ruleset(data: bytes) -> Ruleset:
    return allowed_ruleset(wire.decode(data, shapes.RulesetObject))


@_reader(
    "option",
    lambda: [f"{one.name}={value_text(one.base)}".encode() for one in BY_NAME.values()],
)
def _option(data: bytes) -> None:
    """Read an option as it is typed on the command line."""
    name, value = read_option(_text(data))
    Ruleset("pokerwiner-hearts", 4, {name: value})


@_reader(
    "profile",
    lambda: [path.read_bytes() for path in sorted(SPEC.glob("profiles/*.toml"))],
)
def _profile(data: bytes) -> None:
    """Read a profile's file."""
    profile_of_toml(_text(data))


@_reader(
    "club",
    lambda: [
        b'name = "friday"\ntitle = "Friday"\nbase = ' + rest
        for rest in (
            b'"estmesh-hearts"\n[options]\nmoon = "others_plus"',
            b'"pokerwiner-hearts"\nplayers = [3, 4]\n[options]\nlimit = 5',
        )
    ],
)
def _club(data: bytes) -> None:
    """Read a club's file; its rulesets must have the club's profile and options."""
    club = club_rules_of_toml(_text(data))
    for players in club.players:
        ruleset = club.ruleset(players)
        _require(ruleset.profile == club.base, "its ruleset has another profile")
        _require(ruleset.changed == club.options, "its ruleset has other options")


_KINDS_OF_TABLE: Final[tuple[dict[str, object], ...]] = (
    {"undealt": "stock", "hand_size": 3, "revokes": "rejected"},
    {
        "undealt": "kitty",
        "opening_leader": "lowest_club",
        "opening_card": "lowest_club",
    },
    {"undealt": "kitty", "queen_duty": "when_safe", "limit": 100, "ties": "play_on"},
)


@cache
def tables_of_each_kind(players: int) -> tuple[Ruleset, ...]:
    """Rulesets for this number of players, 2 to 13, with different kinds of deals."""
    return tuple(
        Ruleset("pokerwiner-hearts", players, {"removal": "none", **kind})
        for kind in _KINDS_OF_TABLE
    )


@_reader("position", lambda: seed_inputs.parts_of_traces("setup"))
def _position(data: bytes) -> None:
    """Read a setup; play it on under each of `tables_of_each_kind` that allows it."""
    line = wire.decode(data, shapes.SetupObject)
    start = start_of(line, UNSET)
    assert isinstance(start, Setup)
    refused: Exception | None = None
    for ruleset in tables_of_each_kind(min(max(len(start.hands), 2), 13)):
        try:
            state = State.open(ruleset, start)
        except CLEAR as error:
            refused = error
            continue
        _play_on(state)
    if refused is not None:
        raise refused


def _play_on(state: State) -> None:
    """Repeatedly view a state as each seat to act, and apply its first legal act.

    Stops when no seat is to act, when a deal or a mix is due, which `legal` does not
    list, or after `_ACTS` acts. Raises AssertionError if an act is due and none is
    legal.
    """
    for _ in range(_ACTS):
        if not state.turn:
            break
        for seat in state.turn:
            view_fields(state.observe(seat))
        due = state.legal.due.kind
        if due in ("deal", "mix"):
            break
        act = next(iter(state.legal), None)
        if act is None:
            raise AssertionError(f"nothing can be done, yet {due} is due")
        state = state.apply(act)
        state_fields(state, None)


@_reader("line", seed_inputs.position_lines)
def _position_line(data: bytes) -> None:
    """Read a position from a line; written and read again, it must be unchanged.

    If the same acts are applied to both, the same must be due in both, and they must
    end with the same score.
    """
    state = read_position(data.decode("utf-8", "replace"))
    line = write_position(state)
    again = _read_again(line, read_position)
    _require(write_position(again) == line, "read again, it differs")
    rng = Random(0)
    while not state.over:
        _require(again.legal.due == state.legal.due, "it does not go on alike")
        act = state.random_act(rng)
        state, again = state.apply(act), again.apply(act)
    _require(again.score == state.score, "it is not scored alike")


@_reader("view", seed_inputs.views)
def _view(data: bytes) -> None:
    """Read what a seat knows; written and read again, it must be unchanged."""
    _check_round_trip(
        json_values.read_view(data), json_values.write_view, json_values.read_view
    )


@_reader("event", seed_inputs.events)
def _event(data: bytes) -> None:
    """Read an event as a seat sees it; written and read again, it must be unchanged."""
    _check_round_trip(
        json_values.read_event(data), json_values.write_event, json_values.read_event
    )


@_reader("saved", seed_inputs.traces)
def _saved(data: bytes) -> None:
    """Read a saved game, and play it on; saved and read again, it must be unchanged."""
    state = json_values.read_state(data)
    _check_round_trip(state, json_values.write_state, json_values.read_state)
    _play_on(state)


@_reader("requests", seed_inputs.conversations)
def _requests(data: bytes) -> None:
    """Send requests to a session of the protocol; each must get a well-formed answer.

    If a request other than `open` is not granted, the game must be as it was before.
    """
    session = Session()
    for line in data.splitlines():
        if _counts_many(line):
            continue
        before = session.state
        answer = session.handle(line)
        if answer is None:
            _require(session.ended, "no answer")
            return
        plain = json.loads(answer)
        kinds = plain.keys() & {"ok", "refused", "unsupported", "error"}
        _require(len(kinds) == 1, "an answer has one of four keys")
        if "error" in kinds:
            _require("\n" not in plain["error"], "an error is one line")
        if "ok" not in kinds and b"open" not in line:
            _require(session.state is before, "a refused request changed the game")


def _counts_many(line: bytes) -> bool:
    """Whether a request asks for more games than a fuzzer has time for."""
    try:
        plain = parsing.parse_line(line)
    except Malformed:
        return False
    if not isinstance(plain, dict) or plain.get("op") != "enumerate":
        return False
    limit = plain.get("limit", MOST_GAMES + 1)
    return isinstance(limit, int) and limit > MOST_GAMES


@_reader("answers", seed_inputs.answers_to_requests)
def _answers(data: bytes) -> None:
    """Read the answer of an adapter to one request; the request's `op` comes first."""
    op, _, line = data.partition(b" ")
    answers.read_answer(line, op.decode() if op in _OPS else "step", 1)


@_reader(
    "known",
    lambda: [
        b'{"id":"t-00753089b1b7d28d","why":"not yet","until":"2027-01-31"}',
        b'{"clause":"5.3","why":"house rule","issue":"#1","until":"2030-12-31"}',
        b'{"id":"t-00753089b1b7d28d","kind":"step","outcome":"crash","why":"a",'
        b'"until":"2027-01-31"}',
    ],
)
def _known(data: bytes) -> None:
    """Read a line from a file that lists the known failures of an engine."""
    wire.decode(data, Entry)


@_reader(
    "notation", lambda: [b"", b"QS", b"2C 3C AC 2D JD 2S QS KS AS 2H 3H AH", b"TD 9H"]
)
def _notation(data: bytes) -> None:
    """Read the same text as a card, as a sequence of cards and as a set of cards."""
    text = _text(data)
    numbers = notation.read_sequence(text)
    _require(notation.write_sequence(numbers) == text, "written again, it differs")
    notation.read_set(text)
    if len(numbers) == 1:
        _require(numbers == (notation.read_card(text),), "another card")


@_reader("citation", lambda: [b"5.3", b"HFR 5.3@1.0.0~ed7a0920", b"HFR 0.7a@1.0.0"])
def _citation(data: bytes) -> None:
    """Read a citation of the book; written and read again, it must be the same.

    It must be possible to write what it cites as JSON.
    """
    _check_round_trip(Citation.read(_text(data)), str, Citation.read)
    json.dumps(look_up_citation(_text(data)).fields())


@_reader("game", lambda: [*corpus_lines("log"), *seed_inputs.traces()[:24]])
def _game(data: bytes) -> None:
    """Read a trace or a log as `refengine explain` and `judge` do.

    A wrong statement in it must be put down to clauses of the book, if to any.
    """
    game = read_game(data)
    found = list(moments_of_game(game))
    if found:
        explain(found[-1].state, found[-1].act)
    judged = judge_game(game)
    if judged.cannot_begin:
        return
    trace = game_as_trace(game, game.ruleset, stood)
    for one in judged.wrong:
        named = clauses_against(trace, one)
        _require({*named} <= clauses().keys(), f"no clauses: {named}")


@_reader("written", seed_inputs.written_games)
def _written(data: bytes) -> None:
    """Read games as people write them; written and read again, they must be the same.

    Missing parts that follow from the rest are filled in; the game is then played as
    far as it goes, and written again.
    """
    for _, match in matches_written(data.decode("utf-8", "replace")):
        _check_round_trip(match, write_written, read_written)
        whole = completed(match, Ruleset("common-hearts")).match
        trace = trace_written(whole, stood)
        replay(trace)
        _require(read_trace(write_trace(trace)).steps == trace.steps, "another trace")
        _check_round_trip(written_trace(trace), write_written, read_written)


@_reader(
    "report",
    lambda: [
        b'{"case":"t-010cb81042ab1f93/step","outcome":"fail","faults":[{"step":1,'
        b'"clauses":["5.3"],"asked":"may seat 1 play QS?","expected":"refused",'
        b'"got":"ok"}]}',
        b'{"report":1,"adapter":["x"]}',
        b'{"case":"m-232c52afd54b9296/enumerate","outcome":"fail","faults":[{"step":0,'
        b'"clauses":[],"asked":"games","expected":"16","got":"17"}]}',
    ],
)
def _report(data: bytes) -> None:
    """Read a line of a report, and the wrong answers in it that are to be explained."""
    example = read_trace(corpus_lines("trace")[0])
    if is_report(data):
        wrong_answers(data, lambda name: example)


@_reader(
    "act",
    lambda: [
        *(b"2C", b"QS", b"draw", b"pass QS KH AH", b"scatter 1:QS 2:KH 3:AH", b"quit"),
        *(b"forward", b"moon self_minus", b"moon one 2", b"retract QS", b"claim 1 2"),
    ],
)
def _act(data: bytes) -> None:
    """Read an act as somebody might type it, and give a ruling on it."""
    state = _opened()
    act = read_act(state.turn[0], _text(data))
    ruling_fields(explain(state, act))


@cache
def _opened() -> State:
    """The first state of a deal with hands of three cards, in which acts are judged."""
    hands = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "7D KC KH"]
    start = Setup(dealer=0, deal=4, hands=hands)
    return State.open(Ruleset("estmesh-hearts", 4, {}), start)


@_reader(
    "byhand",
    lambda: [b"2C 9D QH", b"QS 2H 3H;2C 5C;;1 2", b"JD 4S;;JD;0 3", b"2H 3H;;;2"],
)
def _by_hand(data: bytes) -> None:
    """Open a position typed as text: hand, trick, cards drawn, leader and stock."""
    # What is missing at the end is empty, or 0.
    hand, trick, drew, numbers, *_ = [*_text(data).split(";"), "", "", "", ""]
    # Python refuses to read numbers of thousands of digits.
    typed_numbers = [int(word[:12]) for word in numbers.split() if word.isdecimal()]
    leader, stock, *_ = [*typed_numbers, 0, 0]
    refused: Exception | None = None
    for name in ("estmesh-hearts", "gamerules-domino"):
        typed = ByHand(
            ruleset=Ruleset(name, 4, {}),
            hand=CardSet(hand),
            trick=trick,
            drew=drew,
            leader=leader,
            stock=stock,
        )
        try:
            state = open_typed_position(typed)
        except CLEAR as error:
            refused = error
            continue
        for card in typed.hand:
            ruling_fields(explain(state, Play(state.turn[0], card)))
    if refused is not None:
        raise refused


@_reader(
    "question",
    lambda: [
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
    ],
)
def _question(data: bytes) -> None:
    """Read a question from JSON and answer it twice; both answers must be the same."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed(str(error), "JSON") from None
    question = read_question(value)
    found = answer(question)
    list(answer_lines(found))
    fields = json.dumps(answer_fields(found))
    again = answer(json.loads(json.dumps(question_fields(question))))
    _require(json.dumps(answer_fields(again)) == fields, "it is not answered alike")


@_reader("openspiel", seed_inputs.openspiel_games)
def _openspiel(data: bytes) -> None:
    """Convert a game written by OpenSpiel; it must be possible to replay the trace."""
    _, trace = converted(_text(data), {})
    _require(not replay(read_trace(write_trace(trace))), "a game that does not replay")
