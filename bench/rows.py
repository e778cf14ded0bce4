"""The rows of the benchmark table: our work, and the yardstick it is compared with."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final

import orjson

from bench import many_tables, positions
from bench.measuring import Row, Task, task
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
except ImportError:  # no wheel for this platform: OpenSpiel's rows are left out
    pyspiel = None

ROLLOUTS = 40
PLAYS = 52  # in a deal of four hands of thirteen cards


@cache
def _their_states() -> tuple[Any, ...]:
    return tuple(positions.theirs(seed) for seed in range(positions.DEALS))


# Random playouts


@task("random playouts")
def playouts() -> float:
    """Play each of the twenty deals to its end at random, `ROLLOUTS` times."""
    plays = 0
    seed = started(2026)
    for state in positions.states():
        end = inside.playouts([state.core], ROLLOUTS, seed)
        seed = end.seed
        plays += end.acts
    return plays


@task("our random playouts, a new position for each play")
def playouts_kept() -> float:
    """Do what `playouts` does, but make a new position object for each play.

    It is the yardstick for work that, unlike `playouts`, has to keep positions.
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


@task("OpenSpiel, rollouts of its tree search in C++")
def rollouts() -> float:
    """Play the same deals as `playouts`, with the random rollouts of OpenSpiel in C++.

    They are started by a tree search that is limited to one simulation: it evaluates
    only the first position of a deal, by `ROLLOUTS` random rollouts to the end of the
    deal.
    """
    game = positions.openspiel()
    for state in _their_states():
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 10, False, 1, False)
        bot.mcts_search(state)
    return positions.DEALS * ROLLOUTS * PLAYS


# Worlds of a seat

WORLDS = 50  # for each record


@cache
def _first_leads() -> tuple[Worlds, ...]:
    """For each deal, the possible worlds, as seen by the seat that is about to lead.

    A world is a way in which the unseen cards may lie.
    """
    return tuple(
        Worlds(SeatRecord.of(state, state.seat_in_turn)) for state in positions.states()
    )


@task("worlds of a seat as states, each played out")
def worlds_played() -> float:
    """Draw `WORLDS` possible worlds for each deal as states, and play each out once."""
    seed = started(2026)
    for number, worlds in enumerate(_first_leads()):
        for world in worlds.draw(WORLDS, number):
            seed = playout(world.core, seed).seed
    return positions.DEALS * WORLDS


@task("our random playouts")
def playouts_alone() -> float:
    """Make as many playouts as `worlds_played` does, and return how many there were."""
    seed = started(2026)
    for state in positions.states():
        for _ in range(WORLDS):
            seed = playout(state.core, seed).seed
    return positions.DEALS * WORLDS


# One move at a time


@task("one move at a time, by numbers")
def moves() -> float:
    """Play the twenty deals at random, with a new state for each play.

    Cards are given by their numbers.
    """
    chance = Random(1).random
    for begun in positions.states():
        state = begun
        while numbers := state.legal_numbers():
            state = state.play_number(numbers[int(chance() * len(numbers))])
    return positions.DEALS * PLAYS


@task("one move at a time, by cards")
def friendly_moves() -> float:
    """Do what `moves` does, but with card objects instead of card numbers."""
    chance = Random(1).random
    for begun in positions.states():
        state = begun
        while cards := list(state.legal.cards):
            state = state.play(cards[int(chance() * len(cards))])
    return positions.DEALS * PLAYS


@task("OpenSpiel, legal_actions() and child()")
def their_moves() -> float:
    """Do in OpenSpiel what `moves` does; its states keep their history too."""
    chance = Random(1).random
    for begun in _their_states():
        state = begun
        while not state.is_terminal():
            actions = state.legal_actions()
            state = state.child(actions[int(chance() * len(actions))])
    return positions.DEALS * PLAYS


# Looking

LOOKS = 50  # by each seat
# A look took 13.9 microseconds, 12.6 times as long as in OpenSpiel, when views were put
# together in Python. The goal is to be four times as fast as that.
FOUR_LOOKS = 4 / 12.6


@cache
def _half_way() -> tuple[tuple[Any, Any], ...]:
    """The twenty deals after half their plays, each as our state and as OpenSpiel's."""
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


@task("what a seat sees, half-way through a deal")
def looks() -> float:
    """Ask for what each of the four seats sees, `LOOKS` times in each deal."""
    for state, _ in _half_way():
        for _ in range(LOOKS):
            for seat in range(4):
                state.observe(seat)
    return positions.DEALS * LOOKS * 4


@task("OpenSpiel, information_state_string()")
def their_looks() -> float:
    """Do in OpenSpiel what `looks` does, with strings, the cheaper of its two forms."""
    for _, state in _half_way():
        for _ in range(LOOKS):
            for seat in range(4):
                state.information_state_string(seat)
    return positions.DEALS * LOOKS * 4


# Lines


Lines = tuple[bytes, ...]


def _kilobytes(lines: Lines) -> float:
    return sum(map(len, lines)) / 1000


def _plays(lines: Lines) -> float:
    return len(lines) * PLAYS


def replaying(
    name: str, written: Callable[[], Lines], size: Callable[[Lines], float]
) -> Task:
    """A task that replays the lines that `written` returns, as `refengine replay` does.

    `size` counts the units of work in these lines.
    """

    @task(name)
    def replay() -> float:
        for line in written():
            assert not judge_line(line).findings
        return size(written())

    return replay


def parsing(written: Callable[[], Lines]) -> Task:
    """A task that only parses, as JSON, the lines that `written` returns."""

    @task("orjson.loads of the same bytes")
    def parse() -> float:
        for line in written():
            orjson.loads(line)
        return _kilobytes(written())

    return parse


deals = replaying("replay of full traces of a deal", positions.traces, _kilobytes)
matches = replaying("replay of full traces of a match", positions.matches, _kilobytes)
logs = replaying("replay of compact logs", positions.logs, _plays)
logs_of_others = replaying(
    "replay of other programs' logs", positions.logs_of_others, _plays
)


# All games, and the import


@task("all games of 12-card deals")
def all_games() -> float:
    """Count every game of twenty deals of twelve cards; return the number of acts.

    Positions that several games share are played only once, so fewer acts are applied
    than counted.
    """
    return sum(sum(enumerate_games(state).plies) for state in positions.minis())


@task("the same, each game walked by itself")
def all_games_walked() -> float:
    """Count the same games as `all_games`, but apply every act."""
    acts = 0
    for state in positions.minis():
        games = Games(LIMIT)
        perft(state.core, 0, games, 0)
        acts += sum(games.plies)
    return acts


def importing(code: str, name: str = "") -> Task:
    """A task that times `code` in a new interpreter; its default name is the code."""
    timed_code = (
        "from time import process_time; begun = process_time(); "
        f"{code}; print(process_time() - begun)"
    )
    command = [sys.executable, "-c", timed_code]
    return Task(name or code, lambda: float(subprocess.check_output(command)))


first_state = importing(
    "import refengine; refengine.new_match(refengine.Ruleset('estmesh-hearts'))",
    "import refengine and make a first state",
)


# The table

BESIDE_OPENSPIEL: Final = (
    Row("play", playouts, rollouts, 4),
    Row("play", moves, their_moves, 3),
    Row("play", friendly_moves, their_moves, 1),
    Row("look", looks, their_looks, FOUR_LOOKS),
    Row("choice", many_tables.seen, many_tables.their_views, 100),
    Row("choice", many_tables.unseen, many_tables.their_masks, 4),
)
OTHERS: Final = (
    Row("kilobyte", deals, parsing(positions.traces), 2, at_most=True),
    Row("kilobyte", matches, parsing(positions.matches), 2, at_most=True),
    Row("play", logs, playouts_kept, 1.5, at_most=True),
    Row(
        "play",
        logs_of_others,
        Task("the same logs in our form", logs.sample),
        3,
        at_most=True,
    ),
    Row("act", all_games, playouts_kept, 1),
    Row("act", all_games_walked, playouts_kept),
    Row("world", worlds_played, playouts_alone, 2.5, at_most=True),
    Row(
        "import",
        importing("import refengine"),
        importing("import chess"),
        1,
        at_most=True,
    ),
    Row("import", first_state, importing("import chess; chess.Board()"), at_most=True),
)
ROWS: Final = OTHERS if pyspiel is None else BESIDE_OPENSPIEL + OTHERS
