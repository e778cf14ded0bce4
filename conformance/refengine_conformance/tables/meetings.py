"""Meetings: where what a rule reads makes a difference, derived from its source.

For each function that claims a clause there is a mutant for each thing that it reads or
asks, "X forgets Y" (`mutants.operators`). Where such a mutant answers otherwise, two
rules meet, and a game that shows it is one worth asking. First the games that there are
anyway are looked through; then the ends of their deals are played again with other
totals before them, so that what decides a match is built backwards and not waited for.

All this happens in a worker, where the engine is interpreted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.fields import normal_state_fields
from refengine.formats.trace import canonical
from refengine.game.acts import Act, Play
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine_conformance.generators.strategies import Script, recorded
from refengine_conformance.mutants.answers import first_otherwise
from refengine_conformance.mutants.operators import variants_of_module
from refengine_conformance.mutants.source_edits import module_names
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.candidates import (
    Candidate,
    candidate,
    cycle_of,
    limit_of,
    played_again,
)
from refengine_conformance.tables.steady_random import SteadyRandom

FORGET: Final = ":forget:"
VARIANTS: Final = 48
"""Ends of a deal that are tried, each with other totals before it."""
_NEAR: Final = (0, 0, -1, 1, 9)  # where a total comes to lie beside the limit


def forgetful_mutants(task: None = None) -> list[str]:
    """The mutants of functions that claim a clause, each of which forgets one thing."""
    return [
        one.id
        for module in module_names()
        for one in variants_of_module(module)
        if FORGET in one.id and one.clauses
    ]


# Games as they are


def met_in_games(
    table: Table, seed: int, numbers: Iterable[int], names: Sequence[str]
) -> dict[int, list[str]]:
    """For each of these candidates, the mutants that answer otherwise in it."""
    found = {}
    for number in numbers:
        one = candidate(table, seed, number)
        if one is not None:
            run = partial(_told, one.script)
            found[number] = first_otherwise([run], names)[0]
    return found


def _told(script: Script) -> None:
    """All that a trace of this game tells, by the engine as it is now."""
    recorded(attrs.evolve(script, ruleset=_made_anew(script.ruleset)))


def _made_anew(ruleset: Ruleset) -> Ruleset:
    """The same ruleset, its options read by the engine as it is now."""
    return Ruleset(ruleset.profile, ruleset.players, ruleset.changed)


# Ends of deals, built backwards


@attrs.frozen
class _End:
    """The end of a deal: a moment before it, the acts from there on, and the score."""

    start: Setup
    acts: tuple[Act, ...]
    score: tuple[int, ...]


def met_at_ends(
    table: Table, seed: int, number: int, names: Sequence[str]
) -> dict[int, list[str]]:
    """For each variant of the end of this deal, the mutants first shown by it."""
    one = candidate(table, seed, number)
    end = None if one is None else _end_of(one)
    if end is None:
        return {}
    starts = {
        variant: _varied(table, seed, number, variant, end.start, end.score)
        for variant in range(VARIANTS)
    }
    runs = [partial(_played, table.ruleset, one, end.acts) for one in starts.values()]
    found = first_otherwise(runs, names)
    return {place: some for place, some in zip(starts, found, strict=True) if some}


def deal_with_end(
    table: Table, seed: int, number: int, variant: int
) -> Candidate | None:
    """The whole deal that ends as this variant does; None if it cannot begin so."""
    one = candidate(table, seed, number)
    end = None if one is None else _end_of(one)
    if one is None or end is None or not isinstance(one.script.start, Setup):
        return None
    start = _varied(table, seed, number, variant, one.script.start, end.score)
    try:
        return played_again(table, attrs.evolve(one, plain=False), start)
    except (Malformed, Refused):
        return None


def _end_of(one: Candidate) -> _End | None:
    """The end of the deal; None where the game is not a single deal from its start."""
    script = one.script
    if not isinstance(script.start, Setup) or script.start.leader is not None:
        return None
    state = State.open(script.ruleset, script.start)
    before, acts = script.start, list[Act]()
    last = max(
        (at for at, move in enumerate(script.moves) if isinstance(move.act, Play)),
        default=-1,
    )
    score: tuple[int, ...] | None = None
    for at, move in enumerate(script.moves):
        if at == last and not state.revokes:
            with suppress(Malformed):
                before, acts = Setup.of(state), []
        acts.append(move.act)
        state = state.apply(move.act)
        score = state.score or score
        if state.phase == "deal":
            break
    return None if score is None else _End(before, tuple(acts), score)


def _played(ruleset: Ruleset, start: Setup, acts: Sequence[Act]) -> None:
    """The acts from this start; what cannot begin, or goes on otherwise, tells less."""
    try:
        state = State.open(_made_anew(ruleset), start)
        for act in acts:
            state = state.apply(act)
    except (Malformed, Refused):
        return
    normal_state_fields(state)


def _varied(
    table: Table,
    seed: int,
    number: int,
    variant: int,
    start: Setup,
    score: tuple[int, ...],
) -> Setup:
    """The start with other totals, so that something comes about at its end.

    Totals come to lie at the limit or beside it, alone or several; they are shared, or
    far below; the limit may have been reached before, and the deal may be a later one.
    """
    rng = SteadyRandom(
        canonical([table.fields(), seed, "end", number, variant]).decode()
    )
    limit = limit_of(table)
    level = rng.randrange(max(1, limit - 1))
    after = []
    for _ in score:
        kind = rng.random()
        if kind < 0.35:
            after.append(limit + rng.choice(_NEAR))
        elif kind < 0.7:
            after.append(level + rng.choice((0, 0, 1)))
        else:
            after.append(rng.randrange(-limit // 4, limit))
    totals = tuple(now - points for now, points in zip(after, score, strict=True))
    deals = table.ruleset.options["deals"]
    deal = start.deal
    if isinstance(deals, int) and rng.random() < 2 / 3:
        wanted = [
            one
            for one in range(max(1, deals - 1), deals + 2)
            if (one - deal) % cycle_of(table) == 0
        ]
        deal = rng.choice(wanted) if wanted else deal
    plays_on = table.ruleset.options["ties"] == "play_on"
    reached = plays_on and rng.random() < 1 / 3
    return attrs.evolve(start, totals=totals, limit_reached=reached, deal=deal)
