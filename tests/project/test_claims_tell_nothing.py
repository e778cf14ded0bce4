"""Tests that a revoke stays secret until a claim on its trick is answered.

Two deals differ in one card: in the first, a seat holds a card of the suit led and
plays another suit; in the second, it holds another card in its place. All other seats
hold and see the same cards in both. They must also learn the same from views, events
and the answers to all claims (clauses 2.7a, 2.8, 7.7).
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import attrs
import pytest

from refengine import (
    Claim,
    Irregular,
    Legal,
    Play,
    QuitTrick,
    Refused,
    Retract,
    Ruleset,
    State,
    new_deal,
)
from refengine.game.values.cardset import WHOLE_PACK, Card

UNTIL: Final = ("trick_complete", "trick_quitted", "next_lead")


@attrs.frozen
class Pair:
    """The same play in two deals: in one a revoke by `seat`, in the other legal."""

    seat: int
    revoked: State
    plain: State
    trick: int


def answer(state: State, claim: Claim) -> tuple[str, ...]:
    verdict = state.verdict(claim)
    return verdict.clauses if isinstance(verdict, Refused) else ()


def told(pair: Pair, act: Play | QuitTrick | Retract) -> None:
    """Check that an act would tell the other seats the same in both deals."""
    for other in range(pair.plain.ruleset.players):
        if other != pair.seat:
            assert pair.revoked.event(act, other) == pair.plain.event(act, other)


def shown(pair: Pair) -> None:
    for other in range(pair.plain.ruleset.players):
        if other != pair.seat:
            assert pair.revoked.observe(other) == pair.plain.observe(other)


def is_answered(state: State, trick: int) -> bool:
    """Whether ruling 42 requires a truthful answer to a claim about this trick now.

    It does once the time for correction is over or, on the last trick of a deal, once
    its last card has been played.
    """
    done = sum(state.tricks)
    if done < trick:
        return False
    if done > trick or state.phase != "play":
        return True
    until = state.ruleset.options["revoke_until"]
    if until == "trick_complete":
        return True
    assert state.table is not None
    quitted = any(isinstance(act, QuitTrick) for act in state.acts)
    return bool(state.table.cards) or (until == "trick_quitted" and quitted)


def pairs(rng: Random, until: str, players: int) -> Iterator[Pair]:
    """At most one pair: a play in a random game that is a revoke in only one deal."""
    ruleset = Ruleset(
        "heartsgame-tiles",
        players,
        {
            "revoke_until": until,
            "pass_cycle": [],
            "heart_leads": "free",
            "opening_leader": "left_of_dealer",
            "opening_card": "any",
            "revoke_ends_deal": rng.random() < 0.5,
            "direction": rng.choice(["clockwise", "counterclockwise"]),
        },
    )
    size = rng.randint(2, 4)
    pack = rng.sample(list(WHOLE_PACK), players * size + 1)
    hands = [pack[seat * size : (seat + 1) * size] for seat in range(players)]
    spare = pack[-1]
    dealer = rng.randrange(players)
    state = new_deal(ruleset, hands, dealer=dealer)
    for _ in range(rng.randrange(players * size)):
        if state.legal.due.kind != "play" or state.over:
            return
        seat = state.turn[0]
        revoke = next(_revokes(state, spare), None)
        if revoke is None:
            state = state.play(rng.choice(list(state.legal.cards)))
            continue
        card, kept = revoke
        other = [
            [spare if one == kept else one for one in hand] if place == seat else hand
            for place, hand in enumerate(hands)
        ]
        plain = new_deal(ruleset, other, dealer=dealer)
        plain = plain.after(*(act for act in state.acts))
        trick = sum(state.tricks) + 1
        before = Pair(seat, state, plain, trick)
        shown(before)
        told(before, Play(seat, card))
        assert isinstance(state.verdict(Play(seat, card)), Irregular)
        assert isinstance(plain.verdict(Play(seat, card)), Legal)
        yield attrs.evolve(before, revoked=state.play(card), plain=plain.play(card))
        return


def _revokes(state: State, spare: Card) -> Iterator[tuple[Card, Card]]:
    """At most one pair: a card that would revoke, and the only card of the suit led."""
    if state.table is None or not state.table.cards:
        return
    led = state.table.cards[0].suit
    hand = state.hands[state.turn[0]]
    held = [one for one in hand if one.suit is led]
    others = [one for one in hand if one.suit is not led]
    if len(held) == 1 and others and spare.suit is not led:
        yield others[0], held[0]


def check_until_answered(pair: Pair, rng: Random) -> int:
    """Play on in both deals alike, and return how many claims both of them refused."""
    refused = 0
    players = pair.plain.ruleset.players
    while True:
        shown(pair)
        if is_answered(pair.revoked, pair.trick):
            break
        for claimant in range(players):
            if claimant == pair.seat:
                continue
            for against in range(players):
                claim = Claim(claimant, against, pair.trick)
                found = answer(pair.revoked, claim), answer(pair.plain, claim)
                assert found == (("7.7",), ("7.7",))
                refused += 1
        act = _common_act(pair, rng)
        if act is None:
            return refused
        told(pair, act)
        pair = attrs.evolve(
            pair, revoked=pair.revoked.apply(act), plain=pair.plain.apply(act)
        )
    claim = Claim((pair.seat + 1) % players, pair.seat, pair.trick)
    assert answer(pair.revoked, claim) == ()
    assert answer(pair.plain, claim) == ("7.7a",)
    return refused


def _common_act(pair: Pair, rng: Random) -> Play | QuitTrick | None:
    """A random act that is possible in both deals, or None."""
    for seat in range(pair.plain.ruleset.players):
        quit_it = QuitTrick(seat)
        if rng.random() < 0.3 and not isinstance(pair.plain.verdict(quit_it), Refused):
            assert not isinstance(pair.revoked.verdict(quit_it), Refused)
            return quit_it
    if not pair.plain.turn or pair.plain.phase != "play":
        return None
    both = [card for card in pair.plain.legal.cards if card in pair.revoked.legal.cards]
    return Play(pair.plain.turn[0], rng.choice(both)) if both else None


@pytest.mark.parametrize("until", UNTIL)
def test_other_seats_learn_nothing_of_a_revoke_before_a_claim_is_answered(
    until: str,
) -> None:
    """At least a hundred revokes and many refused claims occur under each rule."""
    met = refused = 0
    for seed in range(300):
        rng = Random(f"{until}/{seed}")
        for pair in pairs(rng, until, rng.choice([3, 4, 5])):
            met += 1
            refused += check_until_answered(pair, rng)
    assert met >= 100
    assert refused >= 2000


def test_the_revoker_alone_sees_a_difference() -> None:
    found = [
        pair
        for seed in range(400)
        for pair in pairs(Random(seed), "next_lead", 4)
        if pair.revoked.hands[pair.seat] != pair.plain.hands[pair.seat]
    ]
    assert found
    for pair in found:
        shown(pair)
        assert pair.revoked.observe(pair.seat) != pair.plain.observe(pair.seat)
