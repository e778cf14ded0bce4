"""Mini-deals: small deals, and counts of all games that can be played from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, SupportsIndex

import attrs

from refengine.chapters.settings import MIX
from refengine.errors import Malformed
from refengine.formats import shapes, wire
from refengine.formats.fields import ruleset_fields, setup_fields, setup_of
from refengine.formats.normal_form import Json, call_with_place
from refengine.formats.trace import (
    Finding,
    allowed_ruleset,
    check_id,
    check_version,
    id_of,
    opened,
    spec_version,
)
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.state import State
from refengine.machine.notation import CARD_TEXTS
from refengine.machine.perft import Games, TooManyError, divide, perft

LIMIT: Final = 1_000_000


class NotEnumerableError(Exception):
    """Raised for a match, or for rules with a mix, whose games are not enumerated."""


class Count(NamedTuple):
    """Counts of all legal games from a state.

    If several seats are to act, the lowest seat acts first. `plies[k]` is the number of
    sequences of k + 1 acts. `divide` maps each first act to the number of games that
    begin with it, and `scores` maps each score to the number of games that end with it.
    """

    games: int
    plies: tuple[int, ...]
    divide: dict[str, int]
    scores: dict[tuple[int, ...], int]

    def fields(self) -> Json:
        """The counts as the plain values of a line."""
        return {
            "games": self.games,
            "plies": list(self.plies),
            "divide": self.divide,
            "scores": [
                {"score": list(score), "games": games}
                for score, games in sorted(self.scores.items())
            ],
        }


def enumerate_games(state: State, limit: SupportsIndex = LIMIT) -> Count:
    """Count all games that can be played from this state on.

    Raises TooManyError if, for any length, there are more sequences of acts of that
    length than the limit. Raises NotEnumerableError for a match and for a ruleset with
    a mix, and Malformed for a limit that is not a whole number.
    """
    why = why_not_enumerated(state)
    if why:
        raise NotEnumerableError(why)
    counting = Games(limit)
    begun: dict[str, int] = {}
    if state.over:
        _count(state, 0, counting)
    if state.phase == "play":
        for number, games in divide(state.core, counting).items():
            begun[CARD_TEXTS[number]] = games
    if not begun:
        for text, after in followers(state):
            before = counting.games
            counting.add_acts(counting.ply(0), 1)
            _count(after, 1, counting)
            begun[text] = counting.games - before
    return Count(counting.games, tuple(counting.plies), begun, counting.scores)


def why_not_enumerated(state: State) -> str:
    """Why the games from this state on are not enumerated, or empty if they are."""
    if not isinstance(state.start, Setup):
        return "a match is not enumerated, only a deal as found"
    if MIX in state.core.rules.pass_cycle:
        return "rulesets with a mix are not enumerated"
    return ""


def followers(state: State) -> Iterator[tuple[str, State]]:
    """Yield the legal acts of one seat, as text, each with the state after it.

    The seat is the lowest of those that are to act. There is at least one act, unless
    the game is over. Acts are yielded one by one, because a seat may have millions of
    ways to pass, and a caller may stop counting at a limit.
    """
    for act in state.legal:
        if act.seat != state.seat_in_turn:
            return
        yield str(act), state.apply(act)


def _count(state: State, depth: int, games: Games) -> None:
    """Add all games from this state on to `games`; from the play on, `perft` counts."""
    if state.over:
        games.add_games(state.score or (), 1)
    elif state.phase == "play":
        perft(state.core, depth, games)
    else:
        for _, after in followers(state):
            games.add_acts(games.ply(depth), 1)
            _count(after, depth + 1, games)


@attrs.frozen(kw_only=True)
class Mini:
    """A small deal; `counted` holds the counts of its games, or None if unknown.

    `id` is empty if none is given.
    """

    ruleset: Ruleset
    setup: Setup
    counted: Json | None = None
    id: str = ""


def read_mini(line: bytes) -> Mini:
    """The mini-deal that a line holds, with the counts of its games.

    Raises Malformed if the line cannot be read, or if it is for a version of the book
    by which the engine cannot judge.
    """
    read = wire.decode(line, shapes.MiniObject)
    check_version(read.spec)
    check_id(read.id, "m")
    scores: list[Json] = [
        {"score": one.score, "games": one.games} for one in read.scores
    ]
    counted = {
        "games": read.games,
        "plies": read.plies,
        "divide": dict(sorted(read.divide.items())),
        "scores": sorted(scores, key=lambda one: one["score"]),
    }
    return _mini_of(read, counted)


def read_asked_mini(line: bytes) -> Mini:
    """The mini-deal in a line that asks for the counts of its games.

    Any counts that the line gives are ignored, as is its version of the book. Raises
    Malformed if the line cannot be read.
    """
    return _mini_of(wire.decode(line, shapes.MiniAsked), None)


def _mini_of(read: shapes.MiniObject | shapes.MiniAsked, counted: Json | None) -> Mini:
    setup = call_with_place("setup", setup_of, read.setup)
    ruleset = allowed_ruleset(read.ruleset)
    return Mini(ruleset=ruleset, setup=setup, counted=counted, id=read.id)


def mini_fields(mini: Mini, counted: Json) -> Json:
    """The mini-deal as an object, with its id and the version of the book."""
    meaning: Json = {"ruleset": ruleset_fields(mini.ruleset)}
    meaning["setup"] = setup_fields(mini.setup)
    meaning |= counted
    return {"mini": 1, "id": id_of("m", meaning), "spec": spec_version(), **meaning}


def write_mini(mini: Mini, limit: SupportsIndex = LIMIT) -> bytes:
    """The line for a mini-deal, with its games counted, without the line ending.

    Raises Malformed if the deal cannot begin, or if its games are too many or cannot be
    enumerated.
    """
    counted = _counted(mini, limit).fields()
    return wire.encode(
        wire.convert_to_kind(shapes.MiniObject, mini_fields(mini, counted))
    )


def _counted(mini: Mini, limit: SupportsIndex) -> Count:
    state = opened(mini.ruleset, mini.setup)
    try:
        return enumerate_games(state, limit)
    except TooManyError:
        raise Malformed("more games", f"at most {limit}", "setup") from None
    except NotEnumerableError as error:
        raise Malformed(str(error), "a deal without a mix", "ruleset") from None


def check_mini(mini: Mini, limit: SupportsIndex = LIMIT) -> list[Finding]:
    """What is wrong with the counts or the id of a mini-deal, if anything is.

    Raises Malformed as `write_mini` does.
    """
    actual = _counted(mini, limit).fields()
    actual["divide"] = dict(sorted(actual["divide"].items()))
    given = mini.counted or {}
    found = [
        Finding(0, name, str(given.get(name)), str(actual[name]))
        for name in actual
        if given.get(name) != actual[name]
    ]
    expected = mini_fields(mini, actual)["id"]
    if not found and mini.id and mini.id != expected:
        found.append(Finding(0, "id", expected, mini.id))
    return found
