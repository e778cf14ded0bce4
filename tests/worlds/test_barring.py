"""Tests of the cards that an act rules out: no hand the engine accepts has any.

A hand without such cards is usually accepted, so that few worlds are dealt in vain.
"""

from random import Random

import pytest

from refengine import Malformed, Refused, Ruleset, State, new_deal
from refengine import card as card_of
from refengine.chapters.cards import Mask, card_at, lowest, numbers_of
from refengine.chapters.table import DRAW, PLAY
from refengine.machine.core import Core
from refengine.machine.due import position_of
from refengine.worlds.consistency import barred_by
from refengine.worlds.retelling import TWELVE, Retold, accepted, barring, holding
from refengine_conformance.generators.strategies import some_ruleset, some_setup
from tests.support.strategies import domino, hearts


def hands(rng: Random, number: int) -> list[Mask]:
    """Random hands of one to six cards from the twelve cards of `TWELVE`."""
    cards = [int(one) for one in numbers_of(TWELVE)]
    found = []
    for _ in range(number):
        some = rng.sample(cards, rng.randint(1, 6))
        found.append(Mask(sum(1 << one for one in some)))
    return found


def some_moment(rng: Random) -> Core:
    """The core of a random state during play in a small deal under any ruleset."""
    while True:
        try:
            ruleset = some_ruleset(rng, "", rng.randrange(8))
            state = State.open(ruleset, some_setup(rng, ruleset))
        except (Malformed, Refused):
            continue
        for _ in range(rng.randint(0, 9)):
            if state.over:
                break
            state = state.apply(state.random_act(rng))
        if state.phase == "play":
            return state.core


def check(core: Core, rng: Random, number: int) -> tuple[int, int]:
    """Check that the engine accepts an act only from hands without barred cards.

    Return how many pairs of hand and act had no barred card and how many the engine
    accepted.
    """
    seat = position_of(core).turn
    penalised = core.rules.revokes_penalised
    fitting = right = 0
    for hand in hands(rng, number):
        acts = [Retold(DRAW, seat, 0, 0, False, ())]
        for card in numbers_of(hand):
            acts.append(Retold(PLAY, seat, card, 0, False, ()))
            if penalised:
                acts.append(Retold(PLAY, seat, card, 0, True, ()))
        for act in acts:
            fits = not barred_by(core, act) & hand
            allowed = accepted(holding(core, hand), act)
            assert fits or not allowed
            fitting += fits
            right += allowed
    return fitting, right


@pytest.mark.parametrize("seed", range(12))
def test_no_hand_that_the_engine_accepts_is_lost(seed: int) -> None:
    rng = Random(seed)
    check(some_moment(rng), rng, 12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 400))
def test_no_hand_of_many_is_lost(seed: int) -> None:
    rng = Random(seed)
    check(some_moment(rng), rng, 120)


def test_where_revokes_are_rejected_the_cards_decide_one_by_one() -> None:
    rng = Random(1)
    fitting = right = 0
    for _ in range(6):
        core = some_moment(rng)
        if core.rules.revokes_penalised or core.rules.hearts_or_queen_any:
            continue
        more, allowed = check(core, rng, 8)
        fitting += more
        right += allowed
    assert 0 < right <= fitting
    assert right > 0.9 * fitting


def test_a_card_that_bars_only_beside_others_bars_nothing() -> None:
    """A hand of hearts and the queen may lead any card, unless hearts cost nothing.

    If they do, 5.5 excludes the queen on a barred first trick and leaves the hearts. It
    does not if there is also a king that costs something and is not a heart (5.4b).
    """
    ruleset = hearts(
        opening_leader="left_of_dealer",
        opening_card="any",
        hearts_or_queen_leader="any",
        first_trick_points="barred",
        heart_points=0,
        king_points=10,
    )
    state = State.open(ruleset, some_setup(Random(2), ruleset))
    core = state.core
    seat = position_of(core).turn
    queen = Retold(PLAY, seat, 36, 0, False, ())
    heart, king = card_at(40), card_at(37)
    assert not accepted(holding(core, Mask(card_at(36) | heart)), queen)
    assert accepted(holding(core, Mask(card_at(36) | heart | king)), queen)
    assert not barring(core, queen) & heart


@pytest.mark.parametrize("name", ["gamerules-domino", "estmesh-hearts"])
def test_what_is_remembered_is_what_would_be_found(name: str) -> None:
    more: dict[str, object] = {"limit": "none", "queen_duty": "when_safe"}
    if name == "estmesh-hearts":
        more |= {"revokes": "penalised", "pass_cycle": [], "queen_waits": "play"}
        more |= {"first_trick_points": "barred", "hearts_or_queen_leader": "any"}
    ruleset = Ruleset(name, 4, more)
    rng = Random(7)
    for _ in range(3):
        state = State.open(ruleset, some_setup(rng, ruleset, 4))
        while not state.over:
            if state.phase == "play" and rng.random() < 0.5:
                seat = position_of(state.core).turn
                kinds = [Retold(DRAW, seat, 0, 0, False, ())]
                for card in rng.sample([10, 36, 40, 20], 2):
                    revoked = rng.random() < 0.5
                    kinds.append(Retold(PLAY, seat, card, 0, revoked, ()))
                for act in kinds:
                    assert barred_by(state.core, act) == barring(state.core, act)
            state = state.apply(state.random_act(rng))


def test_moments_that_differ_in_one_thing_are_not_taken_for_each_other() -> None:
    drawing = domino(hearts_or_queen_leader="any", all_hearts_leader="draw")
    start = new_deal(drawing, ["2H 3H", "5D 6D"], dealer=1, stock="QS 5C 6C")
    first = {"opening_leader": "left_of_dealer", "opening_card": "any"}
    duty = hearts(2, queen_duty="when_safe", **first)
    spades = new_deal(duty, ["4S AS", "5S QS"], dealer=1)
    for moments, card in (
        ((start, start.draw()), "2H"),  # what was drawn in the turn
        ((spades.play("4S"), spades.play("AS")), "5S"),  # what lies on the table
    ):
        found = []
        for state in moments:
            seat, number = state.seat_in_turn, card_of(card).number
            act = Retold(PLAY, seat, number, 0, False, ())
            found.append(barring(state.core, act))
            assert barred_by(state.core, act) == found[-1]
        assert found[0] != found[1]


def test_what_is_found_once_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refengine.worlds.consistency._barred", {})
    core = some_moment(Random(3))
    card = lowest(TWELVE)
    act = Retold(PLAY, position_of(core).turn, numbers_of(card)[0], 0, False, ())
    found = barred_by(core, act)
    assert not found & card  # no play bars its own card
    monkeypatch.setattr("refengine.worlds.consistency.barring", lambda *_: TWELVE)
    assert barred_by(core, act) == found
    monkeypatch.setattr("refengine.worlds.consistency._REMEMBERED", 0)
    other = Retold(PLAY, act.seat, 51, 0, False, ())
    assert barred_by(core, other) == TWELVE
    assert barred_by(core, act) == TWELVE  # what was remembered is gone
