"""Compact logs: real deals as other programs log them, replayed against the rules."""

from __future__ import annotations

from typing import Any

import attrs
from msgspec import UnsetType

from refengine.errors import Malformed
from refengine.formats import shapes, wire
from refengine.formats.fast.checking import log_agrees
from refengine.formats.fields import (
    act_fields,
    choice_of,
    if_given,
    pass_of,
    ruleset_fields,
    setup_of,
    start_fields,
)
from refengine.formats.normal_form import Json, call_with_place
from refengine.formats.trace import (
    WRITTEN_RULESETS,
    Finding,
    allowed_ruleset,
    applied,
    differences,
    opened,
    verdict_text,
)
from refengine.game.acts import Act, Draw, MoonChoice, Pass, Play, Scatter
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.cardset import CARDS
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.machine.notation import read_sequence


@attrs.frozen(kw_only=True)
class Log:
    """A deal as another program logged it: passes, cards played, and how it ended.

    `seats` says who played each card according to that program; it is empty if the
    program does not say.
    """

    ruleset: Ruleset
    setup: Setup
    passes: tuple[Act, ...] = ()
    plays: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    moon: str | int | None = None
    end: Json = attrs.field(factory=dict)


def read_log(line: bytes) -> Log:
    """The log that a line holds.

    Raises Malformed if the line cannot be read.
    """
    read = wire.decode(line, shapes.LogObject)
    setup = call_with_place("setup", setup_of, read.setup)
    plays = call_with_place("plays", read_sequence, read.plays)
    passes, seats = if_given(read.pass_) or [], if_given(read.seats) or []
    if seats and len(seats) != len(plays):
        raise Malformed(f"{len(seats)} seats", "one for each card played", "seats")
    moon = None if isinstance(read.moon, UnsetType) else choice_of(read.moon)
    end = {
        name: value
        for name, value in (("score", read.score), ("totals", read.totals))
        if not isinstance(value, UnsetType)
    }
    return Log(
        ruleset=allowed_ruleset(read.ruleset),
        setup=setup,
        passes=tuple(
            [
                call_with_place(f"pass[{seat}]", pass_of, seat, packet)
                for seat, packet in enumerate(passes)
            ]
        ),
        plays=plays,
        seats=tuple(seats),
        moon=moon,
        end=end,
    )


def agreed_log(line: bytes) -> bool:
    """Whether a fast check finds that all that a log says is true.

    If the result is False, the log may still be right: `replay_log` decides.
    """
    return log_agrees(line, WRITTEN_RULESETS)


def replay_log(log: Log) -> tuple[list[Finding], State]:
    """What is wrong with a logged deal, and the state in which the replay ended.

    Draws that are due before a play are made. A revoke that the ruleset accepts is not
    a finding. Raises Malformed if a seat is not at the table or the deal cannot begin.
    """
    state = opened(log.ruleset, log.setup)
    for act in log.passes:
        verdict = call_with_place(f"pass[{act.seat}]", state.verdict, act)
        if isinstance(verdict, Refused):
            what = f"pass of seat {act.seat}"
            return [Finding(0, what, "legal", verdict_text(verdict))], state
        state = state.apply(act)
    for place, number in enumerate(log.plays):
        while state.legal.due.kind == "draw":
            state = state.draw()
        seat = log.seats[place] if log.seats else state.seat_in_turn
        act = Play(seat, CARDS[number])
        verdict = call_with_place(f"seats[{place}]", state.verdict, act)
        if isinstance(verdict, Refused):
            what = f"play {act} of seat {seat}"
            return [Finding(place + 1, what, "legal", verdict_text(verdict))], state
        state = applied(state, act, verdict)
    if log.moon is not None:
        act = MoonChoice(state.seat_in_turn, log.moon)
        verdict = call_with_place("moon", state.verdict, act)
        if isinstance(verdict, Refused):
            return [Finding(0, "moon", "legal", verdict_text(verdict))], state
        state = state.apply(act)
    return differences(state, log.end, None, 0, "end of the deal"), state


def write_log(state: State) -> bytes:
    """The compact log of a single deal, complete or in progress.

    Raises Malformed for a match, and if the deal contains anything that a log cannot
    express: a mix, an unseen pass, a pass in progress, a retraction, a quit or a claim.
    """
    found: Json = {"log": 1, "ruleset": ruleset_fields(state.ruleset)}
    found |= start_fields(state.start)
    passes: dict[int, Any] = {}
    plays: list[str] = []
    for act in state.acts:
        match act:
            case Play(_, card):
                plays.append(card.value)
            case Pass() | Scatter():
                passes[act.seat] = act_fields(act)["pass"]
            case MoonChoice():
                found["moon"] = act_fields(act)["moon"]
            case Draw():
                pass  # a log holds no draws: a replay makes them when they are due
            case _:
                raise Malformed(str(act), "what a log can say: write a trace instead")
    if 0 < len(passes) < state.ruleset.players:
        raise Malformed("a pass in progress", "what a log can say: a pass complete")
    if passes:
        found["pass"] = [passes[seat] for seat in sorted(passes)]
    found["plays"] = " ".join(plays)
    if state.score is not None:
        found |= {"score": list(state.score), "totals": list(state.totals)}
    return wire.encode(wire.convert_to_kind(shapes.LogObject, found))
