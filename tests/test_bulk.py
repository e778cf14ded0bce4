"""Playouts inside the rules: the same games as one act at a time."""

from collections.abc import Iterator
from itertools import chain
from math import factorial
from random import Random

import pytest

from refengine import (
    Claim,
    Match,
    Refused,
    Ruleset,
    Setup,
    State,
    bulk,
    new_deal,
)
from refengine.bulk import (
    MOST,
    Games,
    TooManyError,
    next_random,
    nth,
    perft,
    playout,
    started,
)
from refengine.cards import CARD, cards_in, numbers_of
from refengine.core import Core
from refengine.due import position_of
from refengine.ending import ending
from refengine.play import Position
from refengine.position import after_draw, after_play, playable
from refengine.score import UNSETTLED, moon_choices
from tests.strategies import some_ruleset, some_setup

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
        begun = int(started(seed))
        end = playout(state.core, begun)
        assert (end.score, end.acts, end.seed) == by_state(state, begun)


# All games


def walked(core: Core, position: Position, depth: int, games: Games) -> None:
    """Every game from here on, each for itself."""
    rules = core.rules
    if position.turn < 0:
        end = ending(rules, core.pack, position, (), core.sheet, UNSETTLED)
        if end.score:
            games.add_games(end.score, 1)
            return
        for choice in moon_choices(rules, end.shooter):
            games.add_plies(depth, 1)
            end = ending(rules, core.pack, position, (), core.sheet, choice)
            games.add_games(end.score, 1)
        return
    numbers = numbers_of(playable(rules, position))
    for number in numbers:
        games.add_plies(depth, 1)
        walked(core, after_play(rules, position, CARD[number]), depth + 1, games)
    if not numbers:
        games.add_plies(depth, 1)
        walked(core, after_draw(position), depth + 1, games)


def small_deals(number: int) -> Iterator[State]:
    """Deals of a few cards under any ruleset, some of them a few acts on."""
    for seed in range(number):
        rng = Random(seed)
        ruleset = some_ruleset(rng, pass_cycle=[])
        setup = some_setup(rng, ruleset)
        if setup is None or len(setup.hands) * len(setup.hands[0]) > 12:
            continue
        try:
            state = State.open(ruleset, setup)
        except Refused:
            continue
        for _ in range(rng.choice((0, 0, 1, 2))):
            after = state.apply(state.random_act(rng))
            state = state if after.phase != "play" else after
        yield state


def counts(core: Core, limit: int, most: int) -> tuple[object, ...]:
    games = Games(limit)
    perft(core, 0, games, most)
    return games.games, games.plies, games.scores


def telling_deals() -> Iterator[State]:
    """Two deals in which the hands alone, or the kitty alone, tells positions apart."""
    plain: dict[str, object] = {"pass_cycle": [], "opening_card": "any"}
    options = {**plain, "hand_size": 3, "first_trick_points": "allowed"}
    drawn = Ruleset("openspiel-hearts", 4, {**options, "undealt": "stock"})
    hands = ["AD QH KH", "7C TD 4S", "2S 6S 9S", "TC QD 5S"]
    yield State.open(drawn, Setup(dealer=0, hands=hands, stock="TH 6D"))
    options = {**plain, "hand_size": 2, "opening_leader": "left_of_dealer"}
    options |= {"heart_leads": "free", "removal": "none"}
    options |= {"direction": "counterclockwise", "no_survivor_stock": "last_to_play"}
    kitty = Ruleset("dominorules-tiles", 3, {**options, "undealt": "kitty"})
    hands = ["2C 8S KS 2H", "7C 5S QS AS", "3C TD JD AH"]
    yield State.open(kitty, Setup(dealer=0, hands=hands, kitty="4C 2D 3H 4H"))


def check_counts(number: int, *kept: int) -> None:
    """Count small deals with so many positions kept, and walk their games."""
    compared = 0
    for state in chain(telling_deals(), small_deals(number)):
        core = state.core
        limit = 700 if compared > 1 else 3000
        games = Games(limit)
        try:
            walked(core, position_of(core), 0, games)
        except TooManyError:
            for most in kept:
                with pytest.raises(TooManyError):
                    counts(core, limit, most)
            continue
        expected = games.games, games.plies, games.scores
        highest = max(games.plies)
        for most in kept:
            assert expected == counts(core, highest, most), state
            with pytest.raises(TooManyError):
                counts(core, highest - 1, most)
        compared += 1
    assert compared > number / 5


def test_games_counted_together_are_those_walked_one_by_one() -> None:
    check_counts(500, 0, 2, MOST)


@pytest.mark.interpreted("compiled, the numbers are part of the code")
def test_positions_with_the_same_number_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bulk, "_MIXED", 0)
    check_counts(500, MOST)


def test_positions_reached_in_several_ways_are_gone_on_from_once() -> None:
    setup = Setup(dealer=0, hands=["2H 3H 4H 5H 6H 7H", "8H 9H TH JH QH KH"])
    state = State.open(Ruleset("pokerwiner-hearts", 2), setup)
    games = Games(10**6)
    perft(state.core, 0, games)
    plies: list[int] = []
    for place in range(12):  # either has one card fewer after each trick
        plies.append((plies or [1])[-1] * (6 - place // 2))
    assert (games.games, games.plies) == (factorial(6) ** 2, plies)


def scores_by_state(state: State) -> dict[tuple[int, ...], int]:
    """All games from here on by legal plays, one state after the other."""
    if state.over or state.score is not None:
        return {state.score or (): 1}
    found: dict[tuple[int, ...], int] = {}
    for card in state.legal.cards:
        for score, games in scores_by_state(state.play(card)).items():
            found[score] = found.get(score, 0) + games
    return found


@pytest.mark.parametrize("claimed", [False, True])
def test_a_revoke_costs_in_all_games_that_go_on_from_it(claimed: bool) -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"revokes": "penalised", "revoke_points": 7})
    hands = ["2C 3D 7S", "3C 4D 8S", "4C 5D 9S", "5C 6D TS"]
    state = new_deal(ruleset, hands, dealer=3, deal=4)
    for card in ("2C", "4D", "4C", "5C"):
        state = state.play(card)
    if claimed:
        state = state.apply(Claim(3, against=1, trick=1))
    games = Games(1000)
    perft(state.core, 0, games)
    assert games.scores == scores_by_state(state)
    assert set(games.scores) == {(0, 7 * claimed, 0, 0)}
    assert playout(state.core, started(1)).score == (0, 7 * claimed, 0, 0)
