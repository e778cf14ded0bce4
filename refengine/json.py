"""Converting values of the game to JSON and back, saving games, and undoing acts.

The functions that write return plain values (dictionaries, lists, strings, numbers,
Booleans) in the form that `docs/formats.md` describes. The functions that read take
such a value, or JSON as a `str` or as `bytes`.

>>> from refengine import Play, Ruleset, new_deal
>>> from refengine.json import read_act, write_act, write_event
>>> write_act(Play(0, "2C"))
{'play': '2C'}
>>> act = read_act(0, '{"play": "2C"}')
>>> hands = ["2C", "QS", "2H", "3H"]
>>> state = new_deal(Ruleset("estmesh-hearts"), hands, dealer=3, deal=4)
>>> write_event(state.event(act, 1))
{'kind': 'play', 'seat': 0, 'act': {'play': '2C'}, 'hand': 'QS'}

Input that cannot be read raises `refengine.Malformed`, which says where the fault is:

>>> from refengine import Malformed
>>> try:
...     read_act(0, {"claim": {"seat": 1}})
... except Malformed as error:
...     print(error)
claim: found no trick; allowed: trick, which must be given
"""

from __future__ import annotations

from itertools import islice
from os import PathLike
from typing import TypeVar, cast

from msgspec import UNSET

from refengine.errors import Malformed, shown
from refengine.formats import file_lines, shapes, wire
from refengine.formats.fields import (
    act_fields,
    act_of,
    ruleset_fields,
    setup_fields,
    setup_of,
    start_fields,
    start_of,
    view_fields,
)
from refengine.formats.json_types import (
    ActJson,
    EventJson,
    GameJson,
    MatchJson,
    RulesetJson,
    SetupJson,
    ViewJson,
)
from refengine.formats.saved_games import resumed, trace_of_state, undone
from refengine.formats.trace import allowed_ruleset, trace_fields
from refengine.formats.views import event_fields, event_of, view_of
from refengine.formats.whole_files import packed_as_named, write_file
from refengine.game.acts import Act, to_seat
from refengine.game.observe import Event, View
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup
from refengine.game.values.state import State
from refengine.lawbook.text_files import usable_path

__all__ = [
    "ActJson",
    "EventJson",
    "GameJson",
    "MatchJson",
    "RulesetJson",
    "SetupJson",
    "ViewJson",
    "load",
    "read_act",
    "read_event",
    "read_match",
    "read_ruleset",
    "read_setup",
    "read_state",
    "read_view",
    "save",
    "undo",
    "write_act",
    "write_event",
    "write_match",
    "write_ruleset",
    "write_setup",
    "write_state",
    "write_view",
]

T = TypeVar("T")


def _read(data: object, kind: type[T]) -> T:
    return wire.decode(wire.line_of(data), kind)


# One value


def write_act(act: Act) -> ActJson:
    """The act without its seat, as a JSON object with exactly one key."""
    return cast(ActJson, act_fields(act))


def read_act(seat: int, data: object) -> Act:
    """The act of this seat that `data` describes.

    Raises Malformed if `data` is not an act or `seat` is not a seat. It is not checked
    whether any state allows the act.
    """
    try:
        seat = to_seat(seat)
    except Malformed as error:
        raise error.within("seat") from None
    return act_of(seat, _read(data, shapes.Act))


def write_event(event: Event) -> EventJson:
    """The event that `State.event` returns, as a JSON object."""
    return cast(EventJson, event_fields(event))


def read_event(data: object) -> Event:
    """The event that `data` describes: what a seat is told about an act.

    Raises Malformed if `data` is not an event.
    """
    return event_of(_read(data, shapes.EventObject))


def write_view(view: View) -> ViewJson:
    """The view that `State.observe` returns, as a JSON object."""
    return cast(ViewJson, view_fields(view))


def read_view(data: object) -> View:
    """The view that `data` describes: what a seat knows.

    Raises Malformed if `data` is not a view, or not a complete one.
    """
    return view_of(_read(data, shapes.WholeView))


def write_ruleset(ruleset: Ruleset) -> RulesetJson:
    """The ruleset as a JSON object, with the options that differ from its profile."""
    return cast(RulesetJson, ruleset_fields(ruleset))


def read_ruleset(data: object) -> Ruleset:
    """The ruleset that `data` describes.

    Raises Malformed if `data` is not a ruleset, or not one that the book allows.
    """
    return allowed_ruleset(_read(data, shapes.RulesetObject))


def write_setup(setup: Setup) -> SetupJson:
    """The setup of a deal, or of a position in a deal, as a JSON object."""
    return cast(SetupJson, setup_fields(setup))


def read_setup(data: object) -> Setup:
    """The setup that `data` describes: a deal, or a position in a deal.

    Raises Malformed if `data` is neither. Whether the book allows it is checked only by
    `State.open`.
    """
    return setup_of(_read(data, shapes.SetupObject))


def write_match(match: Match) -> MatchJson:
    """The start of a match, as a JSON object."""
    return cast(MatchJson, start_fields(match)["match"])


def read_match(data: object) -> Match:
    """The start of a match that `data` describes.

    Raises Malformed if `data` does not describe the start of a match.
    """
    return cast(Match, start_of(UNSET, _read(data, shapes.MatchObject)))


# A whole game


def write_state(state: State) -> GameJson:
    """The game so far, a deal or a match, as a trace of all its acts.

    Raises Malformed if one of the acts was refused, but the game went on regardless.
    """
    return cast(GameJson, trace_fields(trace_of_state(state)))


def read_state(data: object) -> State:
    """The state at the end of the game that a trace records.

    It is equal to the state that was written. Raises Malformed if `data` is not a
    trace, or if the trace says something untrue about an act, about what follows from
    an act, or about its own id.
    """
    return resumed(wire.line_of(data))


def save(state: State, path: str | PathLike[str]) -> None:
    """Write the game so far to a file, as a trace on one line.

    The file is compressed with gzip if its name ends in `.gz`. A reader finds the old
    file or the new one, never part of one. The call blocks while it writes, so run it
    in a thread if there is an event loop. Raises Malformed as `write_state` does, if
    `state` is not a State or if no file can have this name, and OSError if the file
    cannot be written.
    """
    if not isinstance(state, State):
        raise Malformed(shown(state)[:40], "a State, and then a path", "state")
    line = wire.encode(write_state(state)) + b"\n"
    write_file(usable_path(path), packed_as_named(path, line))


def load(path: str | PathLike[str]) -> State:
    """The game saved in this file, ready to go on as if it had never stopped.

    The file may be compressed with gzip or, if the extra `zstd` is installed, with
    zstd, and the game may be laid out over several lines.
    Raises Malformed if the file does not hold exactly one game, if the game cannot be
    resumed or if no file can have this name, and OSError if the file cannot be read.
    """
    with open(usable_path(path), "rb") as stream:
        lines = list(islice(file_lines.lines_of_file(stream), 2))
    if len(lines) != 1:
        raise Malformed("no line" if not lines else "more lines", "one line, a trace")
    line = lines[0]
    if isinstance(line, Malformed):
        raise line
    return resumed(line)


def undo(state: State, acts: int = 1) -> State:
    """The state as it was before the last `acts` acts.

    >>> from refengine import Ruleset, new_deal
    >>> state = new_deal(Ruleset("estmesh-hearts"), ["2C", "QS", "2H", "3H"], deal=4)
    >>> undo(state.play("2C").play("QS"), 2) == state
    True

    Raises Malformed if `acts` is not a number from 1 to the number of acts so far, or
    if one of the acts that remain was refused, but the game went on regardless.
    """
    return undone(state, acts)
