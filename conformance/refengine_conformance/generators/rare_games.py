"""Games that chance seldom produces, of shapes in which engines have gone wrong.

A shape is a kind of beginning, some options, and a moment that the game must come to.
Random legal games are played until one reaches it; every act that only an engine with a
hole would accept is tried on the way. In a worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import attrs

from refengine.errors import Malformed
from refengine.game.setups import Setup
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.lawbook.profiles import profile
from refengine_conformance.generators.strategies import (
    Script,
    mended,
    moments_of,
    some_match,
    some_script,
    some_setup,
)

TRIES: Final = 300
_PLAIN: Final = {"undealt": "none", "pass_cycle": ()}
_CLAIMED: Final = {**_PLAIN, "revokes": "penalised"}

Options = dict[str, Any]


def _uneven(state: State) -> bool:
    """The moment before a deal."""
    return state.phase == "deal" and not state.history


def _moon_without_sun(state: State) -> bool:
    """All points with one seat, a trick with another, the play over."""
    shooters = [seat for seat, points in enumerate(state.points) if points]
    others = [won for seat, won in enumerate(state.tricks) if seat not in shooters]
    return len(shooters) == 1 and any(others) and state.phase in ("moon", "over")


def _below_the_limit(state: State) -> bool:
    """A match won by one seat alone, with no total at the limit."""
    limit = state.ruleset.options["limit"]
    assert isinstance(limit, int)
    alone = len(state.winners or ()) == 1
    return state.score is not None and alone and max(state.totals) < limit


def _moon(state: State) -> bool:
    """All points with one seat, the play over."""
    return state.phase == "over" and sum(one > 0 for one in state.points) == 1


def _one_of_two_claimed(state: State) -> bool:
    """A deal that a claim has ended, with another revoke in it."""
    fates = [note.state for note in state.revokes]
    return state.phase == "deal" and "established" in fates and "standing" in fates


def _open_revoke(state: State) -> bool:
    return any(note.state == "open" for note in state.revokes)


@attrs.frozen
class Shape:
    """What a game must be like; `start` is `deal`, `one` (a card a seat) or `match`.

    `wild` is the chance of a revoke at each play.
    """

    start: str
    options: Options
    moment: Callable[[State], bool]
    wild: float = 0.0


SHAPES: Final = (
    Shape("match", {"undealt": "none"}, _uneven),
    Shape("match", {"undealt": "stock", "hand_size": 2}, _uneven),
    Shape(
        "deal", {**_PLAIN, "moon": "self_minus", "sun_points": 52}, _moon_without_sun
    ),
    Shape(
        "deal", {**_PLAIN, "moon": "choice_one", "sun_points": 52}, _moon_without_sun
    ),
    Shape("reached", {**_PLAIN, "ties": "play_on", "limit": 30}, _below_the_limit),
    Shape(
        "shared", {**_PLAIN, "moon": "others_plus_unless_losing", "limit": 30}, _moon
    ),
    Shape(
        "match",
        {**_CLAIMED, "revoke_ends_deal": True, "limit": "none", "deals": 2},
        _one_of_two_claimed,
        0.9,
    ),
    Shape("deal", {**_CLAIMED, "revoke_until": "next_lead"}, _open_revoke, 0.7),
    Shape("deal", {**_CLAIMED, "revoke_until": "trick_complete"}, _open_revoke, 0.7),
)


def games_of_rare_shapes(name: str, seed: int, depth: int) -> Iterator[Script]:
    """The given number of games of each shape, the same for the same seed."""
    for place, shape in enumerate(SHAPES):
        for number in range(depth):
            rng = Random(f"{seed}/{name}/shapes/{place}/{number}")
            options = dict(shape.options)
            if profile(name).options["revokes"] == "penalised":
                options.setdefault("revokes", "rejected")
            found = _found(rng, name, shape, options)
            if found is not None:
                yield found


def _found(rng: Random, name: str, shape: Shape, options: Options) -> Script | None:
    for _ in range(TRIES):
        ruleset = mended(name, rng.randrange(3), options)
        try:
            start = _START[shape.start](rng, ruleset)
            state = State.open(ruleset, start)
            script = some_script(rng, state, shape.wild, 0.3, 40, bold=True)
        except (Malformed, Refused):
            continue
        if not any(map(shape.moment, moments_of(script))):
            continue
        return _with_a_win_to_share(script) if shape.start == "shared" else script
    return None


def _reached(rng: Random, ruleset: Any) -> Setup:
    return attrs.evolve(some_setup(rng, ruleset, 2), limit_reached=True)


def _from_nothing(rng: Random, ruleset: Any) -> Setup:
    return attrs.evolve(some_setup(rng, ruleset, 2), totals=None, limit_reached=False)


_START: Final[dict[str, Callable[[Random, Any], Any]]] = {
    "deal": some_setup,
    "match": some_match,
    "reached": _reached,
    "shared": _from_nothing,
}


def _with_a_win_to_share(script: Script) -> Script | None:
    """The same game, with totals under which a plus lets another seat share the win."""
    state = moments_of(script)[-1]
    worth, players = sum(state.points), script.ruleset.players
    if players < 3:
        return None
    shooter = max(range(players), key=lambda seat: state.points[seat])
    totals = [worth] * players
    totals[(shooter + 1) % players] = 0
    assert isinstance(script.start, Setup)
    ruleset = script.ruleset.having(limit=2 * worth)
    return Script(ruleset, attrs.evolve(script.start, totals=totals), script.moves)
