"""Makes disputes: corrections and claims of revokes that also affect something else.

In some candidates seats revoke, and now and then a revoke is corrected or claimed. By
chance, however, such an act seldom comes in a situation that makes it difficult, such
as after the deal has been scored, hearts have been broken, the kitty has been taken, or
another claim has been made. So games with revokes are searched for every correction and
claim that could be made in them. Each one that is difficult in such a way is made, and
the deal is played on to its end. A seat that has shot the moon has seldom revoked, so
two of its plays are exchanged. A deal that ends early seldom ends with a revoke, so one
card of its last trick is replaced by another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, islice
from typing import Final

import attrs

from refengine.chapters.cards import card_at
from refengine.chapters.play import breaks_hearts
from refengine.errors import Malformed
from refengine.formats.trace import canonical
from refengine.game.acts import Claim, Deal, Play, Retract
from refengine.game.values.cardset import Card
from refengine.game.values.state import State
from refengine.game.verdicts import Legal, Refused
from refengine.machine.judging import ended_by_claim
from refengine.rulings.broken_clauses.scored_clauses import may_end_early
from refengine_conformance.generators.strategies import Move, Script, moments_of
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.built_ends import VARIANTS, with_variant
from refengine_conformance.tables.candidates import (
    Candidate,
    candidate,
    is_plain,
    with_moments,
)
from refengine_conformance.tables.likings import penalty_cards_under
from refengine_conformance.tables.moments import REVOKES, counting_piles
from refengine_conformance.tables.steady_random import SteadyRandom

_OF_A_GAME: Final = 1000  # the most disputes in one variant of a game
_OF_THE_SHOOTER: Final = VARIANTS  # the variant in which the shooter has revoked
_AT_AN_EARLY_END: Final = VARIANTS + 1  # the variant in whose last trick a seat revokes
_WITHOUT_TOTALS: Final = (0, _OF_THE_SHOOTER, _AT_AN_EARLY_END)
DISPUTES: Final = (VARIANTS + 2) * _OF_A_GAME
"""How many numbers are reserved for the disputes of a game."""

_TOLD: Final = (  # the fields that are asserted after a correction or a claim
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

Acts = tuple[Claim | Retract, ...]


@attrs.frozen
class _Dispute:
    """Corrections and claims that could be made in a game after its first `at` moves.

    `key` seeds the random acts that follow them, and `met` names the difficulties.
    """

    game: Candidate
    at: int
    acts: Acts
    key: str
    met: tuple[str, ...]

    def moves(self) -> tuple[Move, ...]:
        """The moves before the dispute, its acts, and the moves that follow it.

        If all the acts are claims, the game goes on as it did without them while its
        moves are legal. Further acts are random, until the deal ends or there are 200
        moves.
        """
        script, rng = self.game.script, SteadyRandom(self.key)
        state = State.open(script.ruleset, script.start)
        moves = [*script.moves[: self.at], *map(Move, self.acts)]
        for move in moves:
            state = state.apply(move.act)
        if all(isinstance(act, Claim) for act in self.acts):
            for move in script.moves[self.at :]:
                if isinstance(state.verdict(move.act), Refused):
                    break
                moves.append(move)
                state = state.apply(move.act)
        while not state.over and state.phase != "deal" and len(moves) < _MOST_ACTS:
            act = state.random_act(rng)
            moves.append(Move(act))
            state = state.apply(act)
        return tuple(moves)

    def end(self) -> State:
        """The last state of the game with the dispute in it."""
        return moments_of(attrs.evolve(self.game.script, moves=self.moves()))[-1]


def disputes_of(
    table: Table, seed: int, number: int
) -> list[tuple[int, tuple[str, ...]]]:
    """The disputes in game `number` that are difficult (see the top of this module).

    Each is a pair: the number of the dispute, and the names of its difficulties.
    """
    one = candidate(table, seed, number, tried=False)
    if one is None:
        return []
    variants: Iterable[int] = (_OF_THE_SHOOTER, _AT_AN_EARLY_END)
    if REVOKES["open"] in one.moments:
        variants = range(VARIANTS)
    return [
        (variant * _OF_A_GAME + place, dispute.met)
        for variant in variants
        for place, dispute in enumerate(_disputes(table, seed, number, variant))
        if dispute.met
    ]


def disputed(table: Table, seed: int, number: int, dispute: int) -> Candidate | None:
    """The game with this dispute in it, or None if there is no such dispute."""
    variant, place = divmod(dispute, _OF_A_GAME)
    one = next(islice(_disputes(table, seed, number, variant), place, None), None)
    if one is None:
        return None
    script = attrs.evolve(one.game.script, moves=one.moves())
    plain = is_plain_dispute(table, number, dispute)
    bare = Candidate(number, plain, script, {})
    game = with_moments(bare)
    step = one.at + len(one.acts)
    moments = {**dict.fromkeys(one.met, (step,)), **game.moments}
    return attrs.evolve(game, moments=moments)


def is_plain_dispute(table: Table, number: int, dispute: int) -> bool:
    """Whether a dispute belongs to a plain game, one with no totals before it."""
    return dispute // _OF_A_GAME in _WITHOUT_TOTALS and is_plain(table, number)


def places_told(script: Script) -> list[str]:
    """Where fields are asserted after corrections and claims, as in `7 then hands`."""
    return [
        f"{step} then {field}"
        for step, move in enumerate(script.moves, 1)
        if isinstance(move.act, Claim | Retract)
        for field in _TOLD
    ]


def _disputes(table: Table, seed: int, number: int, variant: int) -> Iterator[_Dispute]:
    """The disputes that are possible in a game, with the difficulties of each.

    In every variant but the first, only corrections and claims made after a deal has
    been scored are yielded.
    """
    game = _game(table, seed, number, variant)
    if game is None:
        return
    states = moments_of(game.script)
    place = 0
    for at, state in enumerate(states):
        if variant and not _is_scored(state):
            continue
        for acts in _could_follow(state):
            if place == _OF_A_GAME:
                return
            dispute = variant * _OF_A_GAME + place
            key = canonical([table.fields(), seed, number, "dispute", dispute])
            one = _Dispute(game, at, acts, key.decode(), ())
            yield attrs.evolve(one, met=tuple(dict.fromkeys(_met(states, one))))
            place += 1


def _game(table: Table, seed: int, number: int, variant: int) -> Candidate | None:
    """The game in this variant, or None if it has no such variant or no revoke.

    All variants but the first and the last two change the totals in the setup. The last
    two put a revoke into the game: one by the seat that shot the moon, or one in the
    last trick of a deal that ends early.
    """
    if variant in _WITHOUT_TOTALS:
        one = candidate(table, seed, number, tried=False)
    else:
        one = with_variant(table, seed, number, variant, False)
    if one is None:
        return None
    if variant == _OF_THE_SHOOTER:
        return _shot_by_a_revoker(one)
    if variant == _AT_AN_EARLY_END:
        return _ended_by_a_revoke(one)
    return one if REVOKES["open"] in one.moments else None


def _shot_by_a_revoker(one: Candidate) -> Candidate | None:
    """The same game with two of the shooter's plays exchanged so that one is a revoke.

    The shooter must still shoot the moon; in a match, the revoke is in an earlier deal.
    None if nobody has shot the moon, or if no exchange has this effect.
    """
    shooter = _shooter(moments_of(one.script)[-1])
    if shooter < 0:
        return None
    for moves in _with_plays_swapped(one.script, shooter):
        script = attrs.evolve(one.script, moves=moves)
        with suppress(Malformed, Refused):
            states = moments_of(script)
            notes = (note for state in states for note in state.revokes)
            revoked = any(note.seat == shooter for note in notes)
            if revoked and _shooter(states[-1]) == shooter:
                again = attrs.evolve(one, script=script)
                return with_moments(again)
    return None


def _with_plays_swapped(script: Script, seat: int) -> Iterator[tuple[Move, ...]]:
    """The moves with two plays of a seat exchanged, for each pair that fits.

    Both plays are in the same deal. The two cards differ in suit, and the one that now
    comes first is not a penalty card. The last deal of a match stays as it is.
    """
    moves, penalty = script.moves, penalty_cards_under(script.ruleset.rules)
    deals = [at for at, move in enumerate(moves) if isinstance(move.act, Deal)]
    last = deals[-1] if deals else len(moves)
    plays = [
        (at, move.act)
        for at, move in enumerate(moves[:last])
        if isinstance(move.act, Play) and move.act.seat == seat
    ]
    for (at, play), (later, other) in combinations(plays, 2):
        if other.card in penalty or play.card.suit is other.card.suit:
            continue
        if any(at < deal < later for deal in deals):
            continue
        swapped = [*moves]
        swapped[at], swapped[later] = Move(other), Move(play)
        yield tuple(swapped)


def _ended_by_a_revoke(one: Candidate) -> Candidate | None:
    """The same deal, except that its last trick has a revoke and play still ends early.

    None if the deal does not end early, or if replacing a card of its last trick does
    not lead to a revoke and a score.
    """
    for moves in _with_revoke_at_early_end(one):
        script = attrs.evolve(one.script, moves=moves)
        with suppress(Malformed, Refused):
            end = moments_of(script)[-1]
            last = sum(end.tricks)  # tricks are numbered through the deal (7.1)
            revoked = any(
                note.trick == last and note.state != "corrected" for note in end.revokes
            )
            if revoked and _is_scored(end):
                again = attrs.evolve(one, script=script)
                return with_moments(again)
    return None


def _with_revoke_at_early_end(one: Candidate) -> Iterator[tuple[Move, ...]]:
    """The moves of a deal that ends early, for each way to replace a card of its end.

    The new card is of another suit and not a penalty card; the lead stays as it is.
    """
    moves, states = one.script.moves, moments_of(one.script)
    penalty = penalty_cards_under(one.script.ruleset.rules)
    end = next((at for at, state in enumerate(states) if _is_scored(state)), 0)
    if not end or not _ended_early(states[end]):
        return
    for at in range(end - 1, -1, -1):
        act, on_table = moves[at].act, states[at].table
        if not isinstance(act, Play) or on_table is None:
            continue  # a moon choice, or an act that may follow a revoke
        if not on_table.cards:
            return
        for other in states[at].hands[act.seat] - penalty:
            if other.suit is not act.card.suit:
                revoke = Move(Play(act.seat, other))
                yield (*moves[:at], revoke, *moves[at + 1 : end])


def _ended_early(end: State) -> bool:
    """Whether play ended with cards in hand because no points were left (5.14a).

    A deal that a claim has ended (7.9) did not end in this way.
    """
    by_claim = ended_by_claim(end.core)
    return may_end_early(end) and any(end.hands) and not by_claim


def _could_follow(state: State) -> Iterator[Acts]:
    """The corrections and claims that are legal now, each as a tuple of acts.

    A correction that is still legal after a claim is yielded together with that claim.
    """
    lately: list[Card] = []
    if state.table is not None:
        lately += state.table.cards
    if state.history:
        lately += state.history[-1].cards
    retracts = [Retract(note.seat, card) for note in state.revokes for card in lately]
    claims = [
        Claim((note.seat + 1) % state.ruleset.players, note.seat, note.trick)
        for note in state.revokes
    ]
    for retract in retracts:
        if state.verdict(retract) == Legal():
            yield (retract,)
    for claim in claims:
        if state.verdict(claim) == Legal():
            yield (claim,)
            claimed = state.apply(claim)
            for retract in retracts:
                if claimed.verdict(retract) == Legal():
                    yield (claim, retract)


def _is_scored(state: State) -> bool:
    """Whether the deal of this state has been scored."""
    return state.phase in ("deal", "over") and state.score is not None


def _met(states: Sequence[State], one: _Dispute) -> Iterator[str]:
    """The names of a dispute's difficulties.

    `states` are the states of the game without the dispute.
    """
    before = after = states[one.at]
    for act in one.acts:
        after = after.apply(act)
    last = one.acts[-1]
    if isinstance(last, Retract):
        yield from _met_by_correction(one, before, after, last)
    elif _is_scored(before):
        unscored = (state for state in states[one.at :: -1] if not _is_scored(state))
        yield from _met_after_score(next(unscored).totals, before, after, last)
        # Not by `State.deal`, which between deals is the number of the next one.
        later = states[-1].core.sheet.number > before.core.sheet.number
        shot = later and _shooter(states[-1]) == last.against
        if shot and _shooter(one.end()) == last.against:
            yield "claim: on who shoots the moon in a later deal"
    else:
        end = next(filter(_is_scored, states[one.at :]), None)
        if end is not None and _takers(end) == {last.against}:
            yield "claim: on a seat that takes all penalty cards"


def _takers(end: State) -> set[int]:
    """The seats that have taken penalty cards in a deal that has been scored (8.2)."""
    penalty = penalty_cards_under(end.core.rules)
    return {seat for seat, pile in enumerate(counting_piles(end)) if pile & penalty}


def _met_by_correction(
    one: _Dispute, before: State, after: State, act: Retract
) -> Iterator[str]:
    """The names of the difficulties of a correction, the last act of a dispute."""
    if len(one.acts) > 1:
        yield "correction: a claim since"
    broken = before.hearts_broken and not after.hearts_broken
    if broken and not breaks_hearts(before.core.rules, card_at(act.card.number)):
        yield "correction: hearts broken since"
    if _is_scored(before):
        yield "correction: the deal scored since"
    taker = _taker_of_kitty(before)
    given_back = taker >= 0 and _taker_of_kitty(after) < 0
    if given_back and _taker_of_kitty(one.end()) not in (-1, taker):
        yield "correction: the kitty taken since, and then by another"


def _taker_of_kitty(state: State) -> int:
    """The seat that has taken the kitty, or -1 if none has."""
    position = state.core.position
    return -1 if position is None else int(position.talon.kitty_to)


def _met_after_score(
    totals: Sequence[int], before: State, after: State, act: Claim
) -> Iterator[str]:
    """The names of the difficulties of a claim in a deal that has been scored.

    `totals` are those before the deal; the states are those before and after the claim.
    """
    yield "claim: the deal scored since"
    reached, over = _reached_and_over(before)
    still_reached, still_over = _reached_and_over(after)
    if (reached, over) != (still_reached, still_over):
        yield (
            f"claim: limit {reached}, over {over}, then limit {still_reached}, "
            f"over {still_over}"
        )
    for when, state in (("before", before), ("after", after)):
        score = state.score
        assert score is not None  # in both states the deal has been scored
        for seat, (total, points) in enumerate(zip(totals, score, strict=True)):
            if total + points != state.totals[seat]:
                whose = "the revoker's" if seat == act.against else "another's"
                yield f"claim: a reset {when}, {whose}"
    shooter = _shooter(before)
    if shooter >= 0:
        against = "the shooter" if shooter == act.against else "another"
        yield f"claim: beside a moon, on {against}"
    if over and still_over and before.winners != after.winners:
        yield "claim: others have won"


def _reached_and_over(state: State) -> tuple[bool, bool]:
    """Whether the limit is reached, and whether the match is over, after a scored deal.

    The limit stays reached in a match that is played on after a tie.
    """
    result = state.core.result
    assert result is not None  # the deal has been scored
    return bool(result.reached), bool(result.over)


def _shooter(state: State) -> int:
    """The seat that shot the moon in a deal that has been scored, or -1 if none did."""
    result = state.core.result
    return -1 if result is None else int(result.shooter)
