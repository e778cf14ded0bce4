"""Random traces: matches or deals played at random, perhaps with revokes and probes."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Real
from random import Random
from typing import Final, SupportsIndex

import attrs

from refengine.chapters.passing import cycle_at_table
from refengine.errors import Malformed, any_whole_number, how_many, shown
from refengine.formats.fields import normal_state_fields
from refengine.formats.recording import played_lately, recorded_step
from refengine.formats.trace import Step, Trace
from refengine.game.acts import (
    Act,
    Claim,
    Cut,
    Deal,
    Draw,
    Mix,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Retract,
    Scatter,
)
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup, Start
from refengine.game.shuffling import chosen, random_deal, random_pass, shuffled
from refengine.game.values.cardset import CARDS, WHOLE_PACK, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal

MOST_ACTS: Final = 20_000


def _to_irregular(value: object) -> float:
    """The value as a probability; raises Malformed for anything else, also for NaN."""
    number = None if isinstance(value, bool) else value
    if isinstance(number, Real) and 0 <= number <= 1:  # type: ignore[operator]  # real
        return float(number)
    raise Malformed(shown(value)[:40], "a number from 0 to 1", "irregular")


def _to_refusals(value: object) -> int:
    return how_many(value, "refusals")


def _to_most_acts(value: object) -> int:
    return how_many(value, "most_acts")


@attrs.frozen(kw_only=True)
class Manner:
    """Settings for the making of random traces.

    `irregular` is the probability of a revoke at each play. If it is not 0, some
    revokes are also corrected or claimed, some tricks are quitted, and false claims are
    tried. `refusals` is the number of other acts that are tried before each act. A game
    that has not ended after `most_acts` acts is cut short.
    Raises Malformed if one of them is not such a number.
    """

    irregular: float = attrs.field(default=0.0, converter=_to_irregular)
    refusals: int = attrs.field(default=0, converter=_to_refusals)
    most_acts: int = attrs.field(default=MOST_ACTS, converter=_to_most_acts)


def random_traces(
    ruleset: Ruleset, matches: SupportsIndex, seed: SupportsIndex, manner: Manner
) -> Iterator[Trace]:
    """Yield the traces of `matches` random matches, each of which begins with the cut.

    The same seed gives the same traces. Raises Refused if no match can begin under the
    ruleset. Raises Malformed if `matches` or `seed` is not a whole number, or if
    `matches` is negative.
    """
    source = any_whole_number(seed, "seed")
    for number in range(how_many(matches, "matches")):
        rng = Random(f"{source}/{number}")
        name = f"random match {number} of seed {source}"
        yield random_trace(ruleset, Match(), rng, manner, name)


def random_deals(
    ruleset: Ruleset, deals: SupportsIndex, seed: SupportsIndex, manner: Manner
) -> Iterator[Trace]:
    """Yield the traces of `deals` random single deals of the whole pack, all totals 0.

    The first is deal 1, dealt by seat 0. The deals run through the pass cycle again and
    again and, given enough of them, every seat deals each deal of the cycle. The same
    seed gives the same deals on every platform. Raises Refused if no game can begin
    under the ruleset. Raises Malformed if `deals` or `seed` is not a whole number, or
    if `deals` is negative.
    """
    cycle = max(len(cycle_at_table(ruleset.rules)), 1)
    source = any_whole_number(seed, "seed")
    for number in range(how_many(deals, "deals")):
        rng = Random(f"{source}/deal/{number}")
        name = f"random deal {number} of seed {source}"
        dealer = (number % cycle + number // cycle) % ruleset.players
        match = State.open(ruleset, Match(dealer))
        dealt = random_deal(match.core, dealer, rng)
        setup = Setup(
            dealer=dealer,
            deal=number % cycle + 1,
            hands=dealt.hands,
            stock=dealt.stock,
            kitty=dealt.kitty,
        )
        yield random_trace(ruleset, setup, rng, manner, name)


def random_trace(
    ruleset: Ruleset, start: Start, rng: Random, manner: Manner, name: str = ""
) -> Trace:
    """The trace of a random game, to its end or until `manner` allows no more acts.

    A match that goes on after a last claim (7.8) is played on. Raises Refused if the
    game cannot begin from `start`.
    """
    state = State.open(ruleset, start)
    fields = normal_state_fields(state)
    steps: list[Step] = []

    def record(act: Act) -> State:
        nonlocal fields
        tries = [_tried(state, act, rng, manner) for _ in range(manner.refusals)]
        step, after, fields = recorded_step(state, act, tries, fields)
        steps.append(step)
        return after

    ended = False
    while not ended:
        while not state.over and len(steps) < manner.most_acts:
            state = record(_next_act(state, rng, manner))
        if len(steps) < manner.most_acts:
            claim = _last_claim(state, rng, manner)
            if claim is not None:
                state = record(claim)
        ended = state.over or len(steps) >= manner.most_acts
    return Trace(
        ruleset=ruleset, start=start, steps=tuple(steps), end=fields, name=name
    )


# What is done


def _next_act(state: State, rng: Random, manner: Manner) -> Act:
    """A random accepted act: one that is due or, if `manner` has revokes, another."""
    if manner.irregular > 0:
        act = _beside(state, rng)
        if act is not None:
            return act
        if state.phase == "play" and rng.random() < manner.irregular:
            revokes = _revokes(state)
            if revokes:
                return chosen(revokes, rng)
    return _due_act(state, rng)


def _due_act(state: State, rng: Random) -> Act:
    """A random legal act by one of the seats that are to act."""
    if state.phase == "pass":
        seat = chosen(state.turn, rng)
        return random_pass(state.core, seat, state.legal.due, rng)
    act = state.random_act(rng)
    return Cut(chosen(state.turn, rng), act.card) if isinstance(act, Cut) else act


def _revokes(state: State) -> list[Act]:
    """The plays by the seat whose turn it is that would be accepted as irregular."""
    seat = state.turn[0]
    acts = [Play(seat, card) for card in state.hands[seat]]
    return [act for act in acts if isinstance(state.verdict(act), Irregular)]


def _beside(state: State, rng: Random) -> Act | None:
    """A random retraction, claim or quit that would be accepted, or None."""
    acts: list[Act] = []
    for note in state.revokes:
        if note.state == "open":
            retractions = [Retract(note.seat, card) for card in played_lately(state)]
            acts += [act for act in retractions if rng.random() < 0.15]
        elif note.state == "standing":
            claimant = int(rng.random() * state.ruleset.players)
            if rng.random() < 0.05:
                acts.append(Claim(claimant, note.seat, note.trick))
    if state.history and rng.random() < 0.05:
        acts.append(QuitTrick(state.history[-1].winner))
    accepted = [act for act in acts if isinstance(state.verdict(act), Legal)]
    return accepted[0] if accepted else None


def _last_claim(state: State, rng: Random, manner: Manner) -> Claim | None:
    """A claim that would be accepted now, or None if there is none.

    Whether a claim is looked for is decided at random, and none is if `manner` has no
    revokes.
    """
    if manner.irregular == 0 or rng.random() < 0.5:
        return None
    for note in state.revokes:
        claim = Claim(note.seat, note.seat, note.trick)
        if isinstance(state.verdict(claim), Legal):
            return claim
    return None


# What is tried


def _tried(state: State, act: Act, rng: Random, manner: Manner) -> Act:
    """A random act to try before `act`; it may be legal, irregular or refused."""
    players = state.ruleset.players
    seat = int(rng.random() * players)
    if state.phase == "play" and rng.random() < 0.7:
        mover = state.turn[0]
        hand = list(state.hands[mover])
        if rng.random() < 0.85:
            return Play(mover, chosen(hand, rng))
        if rng.random() < 0.5:
            return Draw(mover)
        return Play(mover, chosen(CARDS, rng))
    if state.phase == "pass" and rng.random() < 0.7:
        return _tried_pass(state, chosen(state.turn, rng), rng)
    return _tried_anything(state, act, seat, rng, manner)


def _tried_pass(state: State, seat: int, rng: Random) -> Act:
    """A random pass of up to four cards, a scatter of as many, or an unseen pass."""
    kind = int(rng.random() * 4)
    if kind == 0:
        return PassUnseen(seat)
    hand = shuffled(state.hands[seat], rng)
    if kind == 1:
        hand = shuffled(WHOLE_PACK, rng)
    number = min(len(hand), int(rng.random() * 5))
    if kind == 3:
        seats = range(state.ruleset.players)
        return Scatter(seat, dict(zip(seats, hand[:number], strict=False)))
    return Pass(seat, CardSet(hand[:number]))


def _tried_anything(
    state: State, act: Act, seat: int, rng: Random, manner: Manner
) -> Act:
    """A random act of almost any kind, which may be legal or not.

    If `manner` has revokes, the act is a claim more than half the time.
    """
    players = state.ruleset.players
    other = int(rng.random() * players)
    if manner.irregular > 0 and rng.random() < 0.5:
        trick = 1 + int(rng.random() * (len(state.history) + 1))
        return Claim(seat, other, trick)
    card = chosen(CARDS, rng)
    choices: tuple[str | int, ...] = ("self_minus", "others_plus", other)
    acts: tuple[Act, ...] = (
        Play(seat, card),
        Draw(seat),
        Cut(seat, card),
        Pass(seat, CardSet([card])),
        PassUnseen(seat),
        QuitTrick(seat),
        Retract(seat, chosen([card, *played_lately(state)], rng)),
        Claim(seat, other, 1 + int(rng.random() * 3)),
        MoonChoice(seat, chosen(choices, rng)),
        _tried_deal(act, seat, rng),
    )
    return chosen(acts, rng)


def _tried_deal(act: Act, seat: int, rng: Random) -> Act:
    """An altered copy of `act` if it is a deal or a mix; otherwise a deal of no cards.

    In the copy, each seat gets the hand that the next seat has in `act`, and the hand
    of the last seat may lack a card.
    """
    hands: tuple[CardSet, ...] = (CardSet(), CardSet())
    if not isinstance(act, Deal | Mix):
        return Deal(seat, hands)
    hands = (*act.hands[1:], act.hands[0] - CardSet([chosen(CARDS, rng)]))
    if isinstance(act, Mix):
        return Mix(act.seat, hands, act.kitty)
    return Deal(act.seat, hands, act.stock, act.kitty)
