"""Playouts inside the rules: the same games as one act at a time."""

from random import Random

import pytest

from refengine import Match, Ruleset, State
from refengine.bulk import next_random, nth, playout, started
from refengine.cards import cards_in
from refengine.due import position_of

RULESETS = [
    Ruleset("estmesh-hearts"),
    Ruleset("estmesh-hearts", 4, {"moon": "choice_one", "sun_points": 52}),
    Ruleset("openspiel-hearts"),
    Ruleset("gamerules-domino", 3),
    Ruleset("pokerwiner-domino", 8),
    Ruleset("pokerwiner-hearts", 13),
]
# Small packs in which a moon is common, so that choices are made as well.
PACKS = ["", "QS 2H 2C 3C 4C 5C 6C 7C", "QS KS AS 2H 3H 2D 3D 4D"]


def xorshift(seed: int) -> int:
    seed ^= seed << 13 & 0xFFFFFFFF
    seed ^= seed >> 17
    return (seed ^ seed << 5) & 0xFFFFFFFF


def test_the_random_numbers_are_those_of_a_32_bit_xorshift() -> None:
    seed = expected = started(2026)
    seen = set()
    for _ in range(1000):
        seed, expected = next_random(seed), xorshift(expected)
        assert seed == expected
        assert 0 < seed < 2**32
        seen.add(seed)
    assert len(seen) == 1000


def test_every_seed_starts_somewhere_else() -> None:
    assert len({int(started(seed)) for seed in range(1000)}) == 1000
    assert all(0 < started(seed) < 2**32 for seed in range(1000))
    zero = -pow(2654435769, -1, 2**32) % 2**32  # the one seed that mixes to 0
    assert started(zero) == 1


def test_the_nth_card_of_a_set_is_found_in_the_order_of_the_book() -> None:
    numbers = (0, 7, 13, 36, 51)
    cards = cards_in(numbers)
    assert [nth(cards, place) for place in range(5)] == [2**n for n in numbers]


def by_state(state: State, seed: int) -> tuple[tuple[int, ...], int, int]:
    """Score, acts and last seed of the same playout, one act at a time."""
    acts = 0
    while state.score is None:
        acts += 1
        due = state.legal.due
        options = list(state.legal)
        if due.kind == "moon" or len(options) > 1:
            seed = xorshift(seed)
            state = state.apply(options[seed * len(options) >> 32])
        else:
            state = state.apply(options[0])
    return state.score, acts, seed


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("ruleset", RULESETS, ids=repr)
def test_a_playout_is_the_game_that_its_random_numbers_choose(
    ruleset: Ruleset, pack: str
) -> None:
    if pack and (ruleset.players != 4 or ruleset.options["hand_size"] != "all"):
        pack = ""
    if pack:
        ruleset = ruleset.having(pass_cycle=[])
    rng = Random(3)
    for seed in range(1, 30):
        state = State.open(ruleset, Match(dealer=0, pack=pack))
        while state.phase != "play":
            state = state.apply(state.random_act(rng))
        core = state.core
        begun = int(started(seed))
        end = playout(ruleset.rules, core.pack, core.sheet, position_of(core), begun)
        assert (end.score, end.acts, end.seed) == by_state(state, begun)
