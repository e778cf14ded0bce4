"""Bring the second engine to the state of a game that our engine plays."""

from typing import Any

from refengine import Ruleset, Setup, State
from refengine.formats.fields import act_fields
from tests.support.oracle import Oracle


def setup_fields(setup: Setup) -> dict[str, Any]:
    """The fields of a setup in the form that the second engine reads."""
    fields: dict[str, Any] = {
        "dealer": setup.dealer,
        "deal": setup.deal,
        "hands": [str(hand) for hand in setup.hands],
        "stock": " ".join(card.value for card in setup.stock),
        "kitty": str(setup.kitty),
        "limit_reached": setup.limit_reached,
    }
    if setup.totals is not None:
        fields["totals"] = list(setup.totals)
    if setup.leader is not None:
        fields |= {
            "phase": "play",
            "leader": setup.leader,
            "trick": " ".join(card.value for card in setup.trick),
            "out": list(setup.out),
            "taken": [str(pile) for pile in setup.taken or ()],
            "tricks": list(setup.tricks or ()),
            "hearts_broken": setup.hearts_broken,
            "first_trick": setup.first_trick,
        }
    return fields


def options_of(ruleset: Ruleset) -> dict[str, Any]:
    """The options of a ruleset in the form that the second engine reads."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in ruleset.options.items()
    }


def oracle_of(state: State) -> Oracle:
    """The second engine at the beginning of the game that led to this state."""
    options = options_of(state.ruleset)
    start = state.start
    if isinstance(start, Setup):
        return Oracle(options, state.ruleset.players, setup=setup_fields(start))
    match: dict[str, Any] = {}
    if start.pack:
        match["pack"] = str(start.pack)
    if start.dealer is not None:
        match["dealer"] = start.dealer
    return Oracle(options, state.ruleset.players, match=match)


def shooters(state: State) -> list[int]:
    """The seats that shot the moon, as determined by the second engine."""
    oracle = oracle_of(state)
    for act in state.acts:
        oracle.step(act.seat, act_fields(act))
    shooter = oracle.shooter()
    return [] if shooter is None else [shooter]
