"""Games that somebody submits, as traces or logs, played under any ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import SupportsIndex

import attrs

from refengine.errors import Malformed, how_many
from refengine.formats.logs import Log, read_log
from refengine.formats.replaying import kind_of
from refengine.formats.trace import Step, Trace, applied, opened, read_trace
from refengine.game.acts import Act, MoonChoice, Play
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Start
from refengine.game.values.cardset import CARDS
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Refused

Game = Trace | Log


def read_game(line: bytes) -> Game:
    """The trace or the log that a line holds.

    Raises Malformed if the line cannot be read or is something else.
    """
    kind = kind_of(line)
    if kind == "mini":
        raise Malformed("a mini-deal", "a game: a trace or a log")
    return read_trace(line) if kind == "trace" else read_log(line)


def start_of_game(game: Game) -> Start:
    """The match or setup with which a game begins; for a log, it is always a setup."""
    return game.setup if isinstance(game, Log) else game.start


@attrs.frozen
class Moment:
    """An act of a game, the state before it, and its place in the game.

    In a trace, the place is the number of the step, from 1. In a log, it is the number
    of the card played, from 1, or 0 for an act other than a play.
    """

    state: State
    act: Act
    place: int


GoOn = Callable[[State, Act], State | None]
"""A function that gives the state after a refused act, or None to end the game."""


def moments_of_game(
    game: Game, ruleset: Ruleset | None = None, go_on: GoOn | None = None
) -> Iterator[Moment]:
    """The acts of a game under a ruleset, normally up to the first that is refused.

    The default is the ruleset that the game names. Draws, which a log leaves out, are
    filled in when they are due. If `go_on` is given, it returns the state after a
    refused act, or None if the game stops there. Raises Malformed if the game cannot
    begin, or if an act names a seat that is not at the table.
    """
    ruleset = ruleset or game.ruleset
    if isinstance(game, Log):
        yield from _of_log(game, opened(ruleset, game.setup), go_on)
        return
    state = opened(ruleset, game.start)
    for place, step in enumerate(game.steps, 1):
        yield Moment(state, step.act, place)
        after = _next(state, step.act, go_on)
        if after is None:
            return
        state = after


def _next(state: State, act: Act, go_on: GoOn | None) -> State | None:
    """The state after an act; None if it is refused and the game does not go on."""
    verdict = state.verdict(act)
    if not isinstance(verdict, Refused):
        return applied(state, act, verdict)
    return None if go_on is None else go_on(state, act)


def _of_log(log: Log, state: State, go_on: GoOn | None) -> Iterator[Moment]:
    for act in log.passes:
        yield Moment(state, act, 0)
        after = _next(state, act, go_on)
        if after is None:
            return
        state = after
    for place, number in enumerate(log.plays):
        while state.legal.due.kind == "draw":
            drawn = state.draw()
            yield Moment(state, drawn.acts[-1], 0)
            state = drawn
        seat = log.seats[place] if log.seats else state.seat_in_turn
        play = Play(seat, CARDS[number])
        yield Moment(state, play, place + 1)
        after = _next(state, play, go_on)
        if after is None:
            return
        state = after
    if log.moon is not None:
        yield Moment(state, MoonChoice(state.seat_in_turn, log.moon), 0)


def end_of_game(game: Game, ruleset: Ruleset, go_on: GoOn) -> State | None:
    """The state after the last act of a game under a ruleset.

    It is None if the game has no acts or stops at an act that is refused.
    """
    moments = list(moments_of_game(game, ruleset, go_on))
    return _next(moments[-1].state, moments[-1].act, go_on) if moments else None


def game_as_trace(game: Game, ruleset: Ruleset, go_on: GoOn | None = None) -> Trace:
    """The game as a trace under a ruleset, normally up to the first act refused.

    If `go_on` is given, the trace goes as far as `moments_of_game` does with it. An act
    that the ruleset accepts as irregular is marked so, with the clauses that it breaks,
    unless the game names some already. What the game states about its end is kept, even
    if the trace stops before the end. A trace also keeps its edition, to which the
    clauses that it names belong.
    """
    given = list(game.steps) if isinstance(game, Trace) else []
    steps: list[Step] = []
    for one in moments_of_game(game, ruleset, go_on):
        step = given[len(steps)] if given else Step(one.act)
        verdict = one.state.verdict(one.act)
        if isinstance(verdict, Irregular) and not step.breaks:
            step = attrs.evolve(step, breaks=verdict.clauses)
        steps.append(step)
    return Trace(
        ruleset=ruleset,
        start=start_of_game(game),
        steps=tuple(steps),
        end=game.end,
        spec=game.spec if isinstance(game, Trace) else "",
    )


def other_acts_asked(game: Game, moment: Moment) -> tuple[Act, ...]:
    """The acts that a step of a trace probes without making them; none for a log.

    If the step is a play, other plays by the same seat are left out.
    """
    if isinstance(game, Log):
        return ()
    step = game.steps[moment.place - 1]
    cards = {Play(step.act.seat, card) for card in CARDS}
    shown = cards if isinstance(step.act, Play) else set()
    probes = (*step.refuse, *step.irregular)
    return tuple(one.act for one in probes if one.act not in shown)


def moment_at(game: Game, place: SupportsIndex | None) -> Moment:
    """The act at `place`, or the first act that is not legal if `place` is None.

    If `place` is None and all acts are legal, it is the last act. Raises Malformed if
    the game has no acts, has no such place, or ends before it.
    """
    wanted = None if place is None else how_many(place, "--at")
    last, reached = None, 0
    for last in moments_of_game(game):
        reached = max(reached, last.place)
        if wanted is None:
            if not isinstance(last.state.verdict(last.act), Legal):
                return last
        elif last.place == wanted:
            return last
    if last is None:
        raise Malformed("a game without acts", "a game with an act to explain")
    if wanted is not None:
        found = f"place {wanted}; the game is judged up to {reached}"
        raise Malformed(found, "a number from 1", "--at")
    return last
