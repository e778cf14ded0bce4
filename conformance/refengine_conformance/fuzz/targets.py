"""Every reader of the project with its seeds, and what it owes to any input.

A reader takes bytes from outside. It ends with a value or with one of the documented
errors (`Malformed`, `Refused`; `FormError` for the answers of an adapter), whose text
is one line; and what it accepts keeps its promises: it is the same when written and
read again, and it can be replayed, shown and played to its end. `fault_on_input` says
what is wrong with a reader on one input.

Seeds are lines of the corpus and of the examples; `spoil_input` makes nearly right
inputs out of them, which is where readers have their faults.
"""

from __future__ import annotations

import io
import json
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import attrs
from msgspec import UNSET

from refengine.errors import Malformed
from refengine.formats import parsing, protocol, shapes, wire
from refengine.formats.annotate import annotated
from refengine.formats.convert import converted
from refengine.formats.fields import ruleset_fields, start_of, state_fields, view_fields
from refengine.formats.file_lines import lines_of_file
from refengine.formats.logs import read_log, replay_log
from refengine.formats.minideals import check_mini, read_mini, write_mini
from refengine.formats.positions import read_position as read_position_text
from refengine.formats.positions import write_position
from refengine.formats.replaying import judge_line
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
from refengine.game.acts import Play
from refengine.game.clubs import club_rules_of_toml
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.typed import read_act, read_option
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.json import (
    read_event,
    read_state,
    read_view,
    write_event,
    write_state,
    write_view,
)
from refengine.lawbook.citing import look_up_citation
from refengine.lawbook.profiles import profile_of_toml
from refengine.lawbook.reading import Citation
from refengine.machine.notation import (
    read_card,
    read_sequence,
    read_set,
    write_sequence,
)
from refengine.rulings.asking.answer_text import answer_lines
from refengine.rulings.asking.answers import answer_fields
from refengine.rulings.asking.ask import answer
from refengine.rulings.asking.questions import question_fields, read_question
from refengine.rulings.explain import explain, ruling_fields
from refengine.rulings.failed_case import is_report, wrong_answers
from refengine.rulings.standing import stood
from refengine.rulings.submitted_game import game_as_trace, moments_of_game, read_game
from refengine.rulings.typed_position import ByHand
from refengine.rulings.typed_position import open_typed_position as opened_by_hand
from refengine_conformance.data import data
from refengine_conformance.fuzz.seed_inputs import (
    acts_seeds,
    answered_seeds,
    clubs_seeds,
    conversations_seeds,
    corpus_lines,
    entries_seeds,
    events_seeds,
    games_seeds,
    house_rules_seeds,
    logs_seeds,
    minis_seeds,
    parts_of_traces,
    position_lines_seeds,
    profiles_seeds,
    questions_seeds,
    reports_seeds,
    sequences_seeds,
    traces_seeds,
    typed_seeds,
    views_seeds,
    written_seeds,
)
from refengine_conformance.runner import answers
from refengine_conformance.runner.known_failures import Entry

_FOLDER: Final = data()
_GAMES: Final = 200  # games of a mini-deal or a request: more only take long
_ACTS: Final = 40  # acts of a position that is played on
_LONGEST: Final = 1_000  # characters of a message
_SEEDS: Final = 48

_OPS: Final = tuple(op.encode() for op in protocol.OPS)

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


def fault_on_input(reader: Reader, data: bytes) -> str:
    """What is wrong with the reader on this input, in one line; empty if nothing is.

    It begins with the kind of the error and the place in the source that raised it.
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
    """A citation; what it leaves out is left out again."""
    citation = Citation.read(_text(data))
    _holds(Citation.read(str(citation)) == citation, "written it is not the same")
    json.dumps(look_up_citation(_text(data)).fields())


def read_ruleset(data: bytes) -> None:
    """A ruleset in a line, in full and with only its changes."""
    ruleset = allowed_ruleset(wire.decode(data, shapes.RulesetObject))
    same = Ruleset(ruleset.profile, ruleset.players, ruleset.changed)
    _holds(same == ruleset, "the options changed make another ruleset")
    line = wire.encode(ruleset_fields(ruleset))
    again = allowed_ruleset(wire.decode(line, shapes.RulesetObject))
    _holds(again == ruleset, "written it is not the same")


def read_house_rule(data: bytes) -> None:
    """An option as the command line has it."""
    name, value = read_option(_text(data))
    Ruleset("pokerwiner-hearts", 4, {name: value})


def read_profile(data: bytes) -> None:
    """A file of a profile."""
    profile_of_toml(_text(data))


def read_club(data: bytes) -> None:
    """A file of a club, whose rulesets are those of its profile."""
    club = club_rules_of_toml(_text(data))
    for players in club.players:
        ruleset = club.ruleset(players)
        _holds(ruleset.profile == club.base, "its ruleset has another profile")
        _holds(ruleset.changed == club.options, "its ruleset has other options")


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
    """A deal as found, or a position; whatever can be opened is played on."""
    line = wire.decode(data, shapes.SetupObject)
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
    """Do what is due, by the first act allowed, and look at it from each seat."""
    for _ in range(_ACTS):
        if not state.turn:
            break
        for seat in state.turn:
            view_fields(state.observe(seat))
        act = next(iter(state.legal), None)
        if act is None:
            due = state.legal.due.kind
            _holds(due in ("deal", "mix"), f"nothing can be done, yet due is {due}")
            break
        state = state.apply(act)
        state_fields(state, None)


def read_trace_line(data: bytes) -> None:
    """A trace: replayed, shown, annotated, and written."""
    trace = read_trace(data)
    line = write_trace(trace)
    ours = attrs.evolve(trace, id=trace_id(trace))
    _holds(read_trace(line) == ours, "written it is not the same")
    findings = replay(trace)
    _holds(
        list(judge_line(data).findings) == findings, "judged otherwise than replayed"
    )
    if not findings:
        list(shown_trace(trace))
        annotated(trace)


def read_log_line(data: bytes) -> None:
    """A compact log, replayed."""
    replay_log(read_log(data))


def read_mini_line(data: bytes) -> None:
    """A mini-deal: counts that are given are checked, and missing ones counted."""
    check_mini(read_mini(data, asked=b'"games"' not in data), _GAMES)
    write_mini(read_mini(data, asked=True), _GAMES)


def read_file(data: bytes) -> None:
    """A file of lines of any kind, as `refengine replay` takes it."""
    wrong: Exception | None = None
    for line in lines_of_file(io.BytesIO(data)):
        try:
            if isinstance(line, Malformed):
                raise line
            if not line.startswith(b'{"mini'):
                judge_line(line)
        except CLEAR as error:
            wrong = error
    if wrong is not None:
        raise wrong


def read_requests(data: bytes) -> None:
    """A conversation in the protocol: a well-formed answer to each request."""
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
        plain = parsing.parse_line(line)
    except Malformed:
        return False
    if not isinstance(plain, dict) or plain.get("op") != "enumerate":
        return False
    limit = plain.get("limit", _GAMES + 1)
    return isinstance(limit, int) and limit > _GAMES


def read_answers(data: bytes) -> None:
    """The answer of an adapter, to whatever was asked."""
    op, _, line = data.partition(b" ")
    answers.read_answer(line, op.decode() if op in _OPS else "step", 1, 1)


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
    """A position typed by hand: the hand, and what is given besides, in parts."""
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


def read_asked(data: bytes) -> None:
    """A question in JSON: its answer can be written, and asked again it is the same."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed(str(error), "JSON") from None
    question = read_question(value)
    found = answer(question)
    list(answer_lines(found))
    fields = json.dumps(answer_fields(found))
    again = answer(json.loads(json.dumps(question_fields(question))))
    _holds(json.dumps(answer_fields(again)) == fields, "it is not answered alike")


def read_report(data: bytes) -> None:
    """A line of a report: what in it is to be explained."""
    example = read_trace(corpus_lines("trace")[0])
    if is_report(data):
        wrong_answers(data, lambda name: example)


def read_any_game(data: bytes) -> None:
    """A trace or a log as `refengine explain` and `judge` take it."""
    game = read_game(data)
    found = list(moments_of_game(game))
    if found:
        explain(found[-1].state, found[-1].act)
        game_as_trace(game, game.ruleset)


def read_position_line(data: bytes) -> None:
    """A position on a line: written again, it is the same position."""
    state = read_position_text(data.decode("utf-8", "replace"))
    line = write_position(state)
    again = read_position_text(line)
    _holds(write_position(again) == line, "written it is not the same")
    rng = Random(0)
    while not state.over:
        _holds(again.legal.due == state.legal.due, "it does not go on alike")
        act = state.random_act(rng)
        state, again = state.apply(act), again.apply(act)
    _holds(again.score == state.score, "it is not scored alike")


def read_view_object(data: bytes) -> None:
    """What a seat knows: written, it is the same."""
    view = read_view(data)
    _holds(read_view(write_view(view)) == view, "written it is not the same")


def read_event_object(data: bytes) -> None:
    """What a seat is told: written, it is the same."""
    event = read_event(data)
    _holds(read_event(write_event(event)) == event, "written it is not the same")


def read_saved_game(data: bytes) -> None:
    """A saved game: it goes on, and saved again it is the same."""
    state = read_state(data)
    _holds(read_state(write_state(state)) == state, "written it is not the same")


def read_written_games(data: bytes) -> None:
    """Games as people write them down: written in our form, they are the same.

    What follows from the rest is played as far as it goes, and written again.
    """
    for _, match in matches_written(data.decode("utf-8", "replace")):
        text = write_written(match)
        _holds(read_written(text) == match, "written it is not the same")
        whole = completed(match, Ruleset("common-hearts")).match
        trace = trace_written(whole, stood)
        replay(trace)
        _holds(read_trace(write_trace(trace)).steps == trace.steps, "another trace")
        shown = written_trace(trace)
        _holds(read_written(write_written(shown)) == shown, "shown it is not the same")


READERS: Final = {
    reader.name: reader
    for reader in (
        Reader("trace", read_trace_line, traces_seeds),
        Reader("log", read_log_line, logs_seeds),
        Reader("mini", read_mini_line, minis_seeds),
        Reader("file", read_file, lambda: (b"\n".join(traces_seeds()[:3]),)),
        Reader("ruleset", read_ruleset, lambda: parts_of_traces("ruleset")),
        Reader("option", read_house_rule, house_rules_seeds, lines=False),
        Reader("profile", read_profile, profiles_seeds, lines=False),
        Reader("club", read_club, clubs_seeds, lines=False),
        Reader("position", read_position, lambda: parts_of_traces("setup")),
        Reader("line", read_position_line, position_lines_seeds, lines=False),
        Reader("view", read_view_object, views_seeds),
        Reader("event", read_event_object, events_seeds),
        Reader("saved", read_saved_game, traces_seeds),
        Reader("requests", read_requests, conversations_seeds),
        Reader("answers", read_answers, answered_seeds),
        Reader("known", read_known_line, entries_seeds),
        Reader("notation", read_notation, sequences_seeds, lines=False),
        Reader(
            "citation",
            read_citation,
            lambda: (b"5.3", b"HFR 5.3@1.0.0~ed7a0920", b"HFR 0.7a@1.0.0"),
            lines=False,
        ),
        Reader("game", read_any_game, lambda: (*logs_seeds(), *traces_seeds()[:24])),
        Reader("written", read_written_games, written_seeds, lines=False),
        Reader("report", read_report, reports_seeds),
        Reader("act", read_typed_act, acts_seeds, lines=False),
        Reader("byhand", read_by_hand, typed_seeds, lines=False),
        Reader("question", read_asked, questions_seeds),
        Reader("openspiel", read_actions, games_seeds, lines=False),
    )
}
