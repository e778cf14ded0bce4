"""Disputes: a revoke that is corrected or claimed where that changes something else.

Chance revokes, and now and then corrects a revoke or claims it. What such an act meets,
a deal that has been scored, hearts broken since, a kitty taken, another claim, it
seldom meets by chance. So games with revokes are gone through for every correction and
claim that could be made in them; those that meet something are made, and the deal is
played on to its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import attrs

from refengine.chapters.match import limit_is_reached
from refengine.formats.trace import canonical
from refengine.game.acts import Claim, Retract
from refengine.game.setups import Setup
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal
from refengine_conformance.generators.strategies import Move, Script
from refengine_conformance.runner.applied import HEARTS, QUEEN
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.built_ends import VARIANTS, with_variant
from refengine_conformance.tables.candidates import (
    Candidate,
    is_plain,
    played_again,
)
from refengine_conformance.tables.moments import REVOKES
from refengine_conformance.tables.steady_random import SteadyRandom

_OF_AN_END: Final = 1000  # disputes of a game with some totals before it
DISPUTES: Final = VARIANTS * _OF_AN_END
"""How many numbers the disputes of a game take at most."""

_TOLD: Final = (
    "phase",
    "turn",
    "dealer",
    "hearts_broken",
    "hands",
    "kitty",
    "revokes",
    "score",
    "totals",
    "match",
)
_MOST_ACTS: Final = 200
_PENALTY: Final = HEARTS | QUEEN

Dispute = tuple[int, Claim | Retract]
"""An act that could be made in a game, and after how many of its moves."""


def disputes_of(
    table: Table, seed: int, number: int
) -> list[tuple[int, tuple[str, ...]]]:
    """The disputes of the game with this number, by their own, with what they meet."""
    found = []
    for variant in range(VARIANTS):
        one = with_variant(table, seed, number, variant, False)
        if one is None or REVOKES["open"] not in one.moments:
            continue
        for place, (_, met) in enumerate(islice(_disputes(one, variant), _OF_AN_END)):
            if met:
                found.append((variant * _OF_AN_END + place, met))
    return found


def disputed(table: Table, seed: int, number: int, dispute: int) -> Candidate | None:
    """The game in which this dispute comes about; None if there is none."""
    variant, place = divmod(dispute, _OF_AN_END)
    one = with_variant(table, seed, number, variant, False)
    for chosen, met in islice(_disputes(one, variant), place, None) if one else ():
        assert one is not None
        assert isinstance(one.script.start, Setup)
        key = canonical([table.fields(), seed, number, "dispute", dispute]).decode()
        moves = _moves(one.script, chosen, SteadyRandom(key))
        script = attrs.evolve(one.script, moves=moves)
        bare = Candidate(number, False, script, {})
        found = played_again(table, bare, one.script.start)
        moments = {**dict.fromkeys(met, (chosen[0] + 1,)), **found.moments}
        plain = is_plain_dispute(table, number, dispute)
        return attrs.evolve(found, plain=plain, moments=moments)
    return None


def is_plain_dispute(table: Table, number: int, dispute: int) -> bool:
    """Whether a dispute is that of a plain game, with no totals before it."""
    return dispute < _OF_AN_END and is_plain(table, number)


def places_told(script: Script) -> list[str]:
    """The places of what a game tells after each of its corrections and claims."""
    return [
        f"{step} then {field}"
        for step, move in enumerate(script.moves, 1)
        if isinstance(move.act, Claim | Retract)
        for field in _TOLD
    ]


def _disputes(
    one: Candidate, variant: int
) -> Iterator[tuple[Dispute, tuple[str, ...]]]:
    """The corrections and claims that a game could have, and what each would meet.

    With other totals before it than usual, only those of the deal as scored.
    """
    states = [State.open(one.script.ruleset, one.script.start)]
    for move in one.script.moves:
        states.append(states[-1].apply(move.act))
    for at, state in enumerate(states):
        if variant and not _is_scored(state):
            continue
        for act in _could_follow(state):
            if state.verdict(act) == Legal():
                met = _met(states[: at + 1], act, states[-1])
                yield (at, act), tuple(dict.fromkeys(met))


def _could_follow(state: State) -> Iterator[Claim | Retract]:
    """The corrections and claims of the revokes of a deal, whether accepted or not."""
    lately = list(state.table.cards) if state.table else []
    lately += state.history[-1].cards if state.history else ()
    for note in state.revokes:
        yield from (Retract(note.seat, card) for card in lately)
        claimant = (note.seat + 1) % state.ruleset.players
        yield Claim(claimant, note.seat, note.trick)


def _is_scored(state: State) -> bool:
    """Whether the deal of this state has been scored."""
    return state.phase in ("deal", "over") and state.score is not None


def _met(states: Sequence[State], act: Claim | Retract, end: State) -> Iterator[str]:
    """What an act meets that is made in the last of these states.

    `end` is the end of the deal without it.
    """
    before = states[-1]
    after = before.apply(act)
    if isinstance(act, Retract):
        broken = before.hearts_broken and not after.hearts_broken
        if broken and act.card not in _PENALTY:
            yield "correction: hearts broken since"
        if _is_scored(before):
            yield "correction: the deal scored since"
        if _kitty_is_taken(before) and not _kitty_is_taken(after):
            yield "correction: the kitty taken since"
        if _is_claimed_since(states, act):
            yield "correction: a claim since"
    elif not _is_scored(before):
        if {seat for seat, one in enumerate(end.taken) if one & _PENALTY} == {
            act.against
        }:
            yield "claim: on a seat that takes all penalty cards"
    else:
        yield from _met_by_score(states, before, after, act)


def _kitty_is_taken(state: State) -> bool:
    position = state.core.position
    return position is not None and position.talon.kitty_to >= 0


def _is_claimed_since(states: Sequence[State], act: Retract) -> bool:
    """Whether a claim was accepted after the card that is taken back was played."""
    since = next(
        (
            state
            for state in reversed(states)
            if act.card in state.hands[act.seat] and state.phase == "play"
        ),
        None,
    )
    return since is not None and _claims(states[-1]) > _claims(since)


def _claims(state: State) -> int:
    """How many revokes of the deal have been claimed."""
    return sum(note.state == "established" for note in state.revokes)


def _met_by_score(
    states: Sequence[State], before: State, after: State, act: Claim
) -> Iterator[str]:
    """What a claim changes of a deal that has been scored."""
    (reached, over), (still_reached, still_over) = _end(before), _end(after)
    yield (
        f"claim: limit {reached}, over {over}, then limit {still_reached}, "
        f"over {still_over}"
    )
    totals = states[0].totals
    for name, state in (("before", before), ("after", after)):
        score = state.score or ()
        sums = [one + two for one, two in zip(totals, score, strict=True)]
        for seat, (one, other) in enumerate(zip(sums, state.totals, strict=True)):
            if one != other:
                whose = "the revoker's" if seat == act.against else "another's"
                yield f"claim: a reset {name}, {whose}"
    if _shooter(before) >= 0:
        against = "the shooter" if _shooter(before) == act.against else "another"
        yield f"claim: beside a moon, on {against}"
    if all(_end(state)[1] for state in (before, after)) and (
        before.winners != after.winners
    ):
        yield "claim: others have won"


def _end(state: State) -> tuple[bool, bool]:
    """Whether the limit is reached by a deal that is scored, and the match over."""
    result = state.core.result
    rules, sheet = state.core.rules, state.core.sheet
    reached = limit_is_reached(rules, state.totals, sheet.reached)
    return reached, result is not None and bool(result.over)


def _shooter(state: State) -> int:
    """The seat that has shot the moon of a deal that is scored; -1 for none."""
    result = state.core.result
    return -1 if result is None else int(result.shooter)


def _moves(script: Script, dispute: Dispute, rng: SteadyRandom) -> tuple[Move, ...]:
    """The moves of a game up to a dispute, and on to the end of the deal.

    After a claim the game goes on as it did, as far as it can.
    """
    at, act = dispute
    state = State.open(script.ruleset, script.start)
    moves = [*script.moves[:at], Move(act)]
    for move in moves:
        state = state.apply(move.act)
    rest = [*script.moves[at:]] if isinstance(act, Claim) else []
    for move in rest:
        if not isinstance(state.verdict(move.act), Legal | Irregular):
            break
        moves.append(move)
        state = state.apply(move.act)
    while not state.over and state.phase != "deal" and len(moves) < _MOST_ACTS:
        following = state.random_act(rng)
        moves.append(Move(following))
        state = state.apply(following)
    return tuple(moves)
