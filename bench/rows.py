"""The rows of the table: our way of doing it, and the yardstick's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import orjson

from bench import many_tables, positions
from bench.measuring import Row, Sample, Work, timed
from refengine.chapters.score import PLUS
from refengine.formats.minideals import LIMIT, enumerate_games
from refengine.formats.replaying import judge_line
from refengine.machine import playouts as inside
from refengine.machine.due import position_of
from refengine.machine.ending import ending
from refengine.machine.perft import Games, perft
from refengine.machine.playouts import played_out, playout, started
from refengine.worlds.sampling import Worlds
from refengine.worlds.seat_record import SeatRecord

try:
    import pyspiel
except ImportError:  # no wheel for this platform: its rows are left out
    pyspiel = None

ROLLOUTS = 40
PLAYS = 52  # of a deal of four hands of thirteen cards


@cache
def _game() -> Any:
    return pyspiel.load_game("hearts", {"pass_cards": False})


@cache
def _their_states() -> tuple[Any, ...]:
    return tuple(positions.theirs(seed, _game()) for seed in range(positions.DEALS))


# Random playouts


def playouts() -> float:
    """Each of the twenty deals played at random to its score, this many times."""
    plays = 0
    seed = started(2026)
    for state in positions.states():
        end = inside.playouts([state.core], ROLLOUTS, seed)
        seed = end.seed
        plays += end.acts
    return plays


def playouts_kept() -> float:
    """The same with a new position for each play, as in everything but a playout.

    It is the yardstick of work whose positions somebody keeps.
    """
    plays = 0
    seed = started(2026)
    for state in positions.states():
        core = state.core
        for _ in range(ROLLOUTS):
            last, acts, seed = played_out(core.rules, position_of(core), seed)
            ending(core.rules, core.pack, last, (), core.sheet, PLUS)
            plays += acts
    return plays


def rollouts() -> float:
    """The same in OpenSpiel: the random rollouts of its tree search, inside C++.

    A search of one simulation evaluates its root, by this many rollouts from there, and
    nothing else; so it makes rollouts times remaining plays.
    """
    for state in _their_states():
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
        bot = pyspiel.MCTSBot(_game(), evaluator, 2.0, 1, 10, False, 1, False)
        bot.mcts_search(state)
    return positions.DEALS * ROLLOUTS * PLAYS


# Worlds of a seat

WORLDS = 50  # of each record


@cache
def _first_leads() -> tuple[Worlds, ...]:
    """What the seat to lead knows of each deal, made ready to deal the rest."""
    return tuple(
        Worlds(SeatRecord.of(state, state.seat_in_turn)) for state in positions.states()
    )


def worlds_played() -> float:
    """Worlds as states, from the first lead of each deal, each played out once."""
    seed = started(2026)
    for number, worlds in enumerate(_first_leads()):
        for world in worlds.draw(WORLDS, number):
            seed = playout(world.core, seed).seed
    return positions.DEALS * WORLDS


def playouts_alone() -> float:
    """As many playouts of the deals as they are; the unit is a whole deal."""
    seed = started(2026)
    for state in positions.states():
        for _ in range(WORLDS):
            seed = playout(state.core, seed).seed
    return positions.DEALS * WORLDS


# One move at a time


def moves() -> float:
    """List the numbers of the legal cards, choose, make the new state."""
    chance = Random(1).random
    for begun in positions.states():
        state = begun
        while numbers := state.legal_numbers():
            state = state.play_number(numbers[int(chance() * len(numbers))])
    return positions.DEALS * PLAYS


def friendly_moves() -> float:
    """The same with cards: what is legal as a set, and the state after a card."""
    chance = Random(1).random
    for begun in positions.states():
        state = begun
        while cards := list(state.legal.cards):
            state = state.play(cards[int(chance() * len(cards))])
    return positions.DEALS * PLAYS


def their_moves() -> float:
    """The same in OpenSpiel, whose states keep their history as ours do."""
    chance = Random(1).random
    for begun in _their_states():
        state = begun
        while not state.is_terminal():
            actions = state.legal_actions()
            state = state.child(actions[int(chance() * len(actions))])
    return positions.DEALS * PLAYS


# Looking

LOOKS = 50  # of each seat
# A look took 13.9 microseconds, 12.6 times as long as theirs, when what is seen was put
# together in Python. Four times as fast as that was asked for.
FOUR_LOOKS = 4 / 12.6


@cache
def _half_way() -> tuple[tuple[Any, Any], ...]:
    """Each of the twenty deals half-way, ours and theirs, from the same plays."""
    rng = Random(1)
    found: list[tuple[Any, Any]] = []
    for begun, other in zip(positions.states(), _their_states(), strict=True):
        ours, theirs = begun, other.clone()
        for _ in range(PLAYS // 2):
            number = rng.choice(ours.legal_numbers())
            ours = ours.play_number(number)
            theirs.apply_action(positions.their_number(number))
        found.append((ours, theirs))
    return tuple(found)


def looks() -> float:
    """What each of the four seats sees, many times."""
    for state, _ in _half_way():
        for _ in range(LOOKS):
            for seat in range(4):
                state.observe(seat)
    return positions.DEALS * LOOKS * 4


def their_looks() -> float:
    """The same in OpenSpiel, as one text, the cheaper of its two forms."""
    for _, state in _half_way():
        for _ in range(LOOKS):
            for seat in range(4):
                state.information_state_string(seat)
    return positions.DEALS * LOOKS * 4


# Lines


def replaying(lines: tuple[bytes, ...]) -> Work:
    """Replay these lines as `refengine replay` does; the unit is a kilobyte."""
    kilobytes = sum(map(len, lines)) / 1000

    def replay() -> float:
        for line in lines:
            assert not judge_line(line).findings
        return kilobytes

    return replay


def parsing(lines: tuple[bytes, ...]) -> Work:
    """Parse these lines as JSON and do nothing with them."""
    kilobytes = sum(map(len, lines)) / 1000

    def parse() -> float:
        for line in lines:
            orjson.loads(line)
        return kilobytes

    return parse


def replaying_logs(lines: tuple[bytes, ...]) -> Work:
    """Replay these compact logs; the unit is a play."""

    def replay() -> float:
        for line in lines:
            assert not judge_line(line).findings
        return len(lines) * PLAYS

    return replay


# All games, and the import


def all_games() -> float:
    """Every game of twenty deals of twelve cards; the unit is an act.

    The acts are counted, not all made: what positions have in common is played once.
    """
    return sum(sum(enumerate_games(state).plies) for state in positions.minis())


def all_games_walked() -> float:
    """The same with every act made."""
    acts = 0
    for state in positions.minis():
        games = Games(LIMIT)
        perft(state.core, 0, games, 0)
        acts += sum(games.plies)
    return acts


def importing(code: str) -> Sample:
    """The seconds that this code takes in a new interpreter."""
    timed_code = (
        "from time import process_time; begun = process_time(); "
        f"{code}; print(process_time() - begun)"
    )
    command = [sys.executable, "-c", timed_code]
    return lambda: float(subprocess.check_output(command))


def rows() -> Iterator[Callable[[], Row]]:
    """The rows in their order, each made when it is measured."""
    if pyspiel is not None:
        yield from _rows_beside_openspiel()
        yield from many_tables.rows(_game())
    yield from _other_rows()


def _rows_beside_openspiel() -> Iterator[Callable[[], Row]]:
    rollout = "OpenSpiel, rollouts of its tree search in C++"
    child = "OpenSpiel, legal_actions() and child()"
    yield lambda: Row(
        name="random playouts",
        unit="play",
        ours=timed(playouts),
        beside=rollout,
        yardstick=timed(rollouts),
        goal=4,
    )
    yield lambda: Row(
        name="one move at a time, by numbers",
        unit="play",
        ours=timed(moves),
        beside=child,
        yardstick=timed(their_moves),
        goal=3,
    )
    yield lambda: Row(
        name="one move at a time, by cards",
        unit="play",
        ours=timed(friendly_moves),
        beside=child,
        yardstick=timed(their_moves),
        goal=1,
    )
    yield lambda: Row(
        name="what a seat sees, half-way through a deal",
        unit="look",
        ours=timed(looks),
        beside="OpenSpiel, information_state_string()",
        yardstick=timed(their_looks),
        goal=FOUR_LOOKS,
    )


def _other_rows() -> Iterator[Callable[[], Row]]:
    kept = "our random playouts, a new position for each play"
    yield lambda: Row(
        name="replay of full traces of a deal",
        unit="kilobyte",
        ours=timed(replaying(positions.traces())),
        beside="orjson.loads of the same bytes",
        yardstick=timed(parsing(positions.traces())),
        goal=2,
        at_most=True,
    )
    yield lambda: Row(
        name="replay of full traces of a match",
        unit="kilobyte",
        ours=timed(replaying(positions.matches())),
        beside="orjson.loads of the same bytes",
        yardstick=timed(parsing(positions.matches())),
        goal=2,
        at_most=True,
    )
    yield lambda: Row(
        name="replay of compact logs",
        unit="play",
        ours=timed(replaying_logs(positions.logs())),
        beside=kept,
        yardstick=timed(playouts_kept),
        goal=1.5,
        at_most=True,
    )
    yield lambda: Row(
        name="replay of other programs' logs",
        unit="play",
        ours=timed(replaying_logs(positions.logs_of_others())),
        beside="the same logs in our form",
        yardstick=timed(replaying_logs(positions.logs())),
        goal=3,
        at_most=True,
    )
    yield lambda: Row(
        name="all games of 12-card deals",
        unit="act",
        ours=timed(all_games),
        beside=kept,
        yardstick=timed(playouts_kept),
        goal=1,
    )
    yield lambda: Row(
        name="the same, each game walked by itself",
        unit="act",
        ours=timed(all_games_walked),
        beside=kept,
        yardstick=timed(playouts_kept),
        goal=None,
    )
    yield lambda: Row(
        name="worlds of a seat as states, each played out",
        unit="world",
        ours=timed(worlds_played),
        beside="our random playouts",
        yardstick=timed(playouts_alone),
        goal=2.5,
        at_most=True,
    )
    yield lambda: Row(
        name="import refengine",
        unit="import",
        ours=importing("import refengine"),
        beside="import chess",
        yardstick=importing("import chess"),
        goal=1,
        at_most=True,
    )
    yield lambda: Row(
        name="import refengine and make a first state",
        unit="import",
        ours=importing(
            "import refengine; refengine.new_match(refengine.Ruleset('estmesh-hearts'))"
        ),
        beside="import chess; chess.Board()",
        yardstick=importing("import chess; chess.Board()"),
        goal=None,
        at_most=True,
    )
