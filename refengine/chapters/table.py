"""Chapter 2, The table: seats, turns and phases.

A set of seats is a small number with one bit for each seat.
"""

from typing import Final

from mypy_extensions import i64

from refengine.chapters.settings import Rules

SEATS: Final = 13  # the most that any profile allows
SEAT: Final[tuple[i64, ...]] = tuple([i64(2**seat) for seat in range(SEATS)])

# The seats of a table, by its size. Compiled code turns a generator over one of these
# tuples into a tuple without building a list first.
AT_TABLE: Final[tuple[tuple[int, ...], ...]] = tuple(
    [tuple(range(players)) for players in range(SEATS + 1)]
)

# phases
CUTTING: Final = 0
DEALING: Final = 1
PASSING: Final = 2
MIXING: Final = 3
PLAYING: Final = 4
MOON_DUE: Final = 5
OVER: Final = 6
PHASES: Final = ("cut", "deal", "pass", "mix", "play", "moon", "over")

# kinds of act
CUT: Final = 0
DEAL: Final = 1
PASS: Final = 2
FORWARD: Final = 3
REDEAL: Final = 4
DRAW: Final = 5
PLAY: Final = 6
RETRACT: Final = 7
QUIT: Final = 8
CLAIM: Final = 9
MOON: Final = 10


def left_of(seat: i64, players: i64) -> i64:
    """The seat on the left of this one, whatever the direction of play.

    Clause 2.1.
    """
    if seat + 1 < players:
        return seat + 1
    return 0


def right_of(seat: i64, players: i64) -> i64:
    """The seat on the right of this one, whatever the direction of play.

    Clause 2.1.
    """
    if seat > 0:
        return seat - 1
    return players - 1


def across_from(seat: i64, players: i64) -> i64:
    """The seat opposite, at a table with an even number of seats.

    Clause 2.1a.
    """
    return (seat + players // 2) % players


def next_in_turn(rules: Rules, seat: i64) -> i64:
    """The seat whose turn comes after this seat's, in the direction of play.

    Clause 2.2.
    """
    if rules.counterclockwise:
        return right_of(seat, rules.players)
    return left_of(seat, rules.players)


def out_of_turn(kind: i64, due: i64, seat: i64) -> bool:
    """Whether an act of this kind by this seat is out of turn.

    Retractions, quits and claims are not tied to a turn (7.3, 7.6, 7.7). `due` is the
    set of seats that are to act.
    Clause 2.3.
    """
    if kind == RETRACT or kind == QUIT or kind == CLAIM:
        return False
    return (due & SEAT[seat]) == 0


def out_of_phase(kind: i64, phase: i64) -> bool:
    """Whether an act of this kind cannot take place in this phase.

    Clause 2.4.
    """
    if kind == CUT:
        return phase != CUTTING
    if kind == DEAL:
        return phase != DEALING
    if kind == PASS or kind == FORWARD:
        return phase != PASSING
    if kind == REDEAL:
        return phase != MIXING
    if kind == DRAW or kind == PLAY:
        return phase != PLAYING
    if kind == MOON:
        return phase != MOON_DUE
    return phase == CUTTING or phase == PASSING or phase == MIXING


def wrong_number_of_players(players: i64, allowed: tuple[int, ...]) -> bool:
    """Whether the profile does not allow this many players.

    Clause 2.6.
    """
    return players not in allowed
