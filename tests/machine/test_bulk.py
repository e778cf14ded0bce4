"""Tests that fast playouts play the same games as a `State` does, act by act."""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from math import comb, factorial
from random import Random

import pytest

from refengine import Claim, Malformed, Match, Refused, Ruleset, Setup, State, new_deal
from refengine.chapters.cards import Mask, card_at, cards_in, numbers_of
from refengine.chapters.layout import Hand, Piles, Position, Talon
from refengine.chapters.play import add_trick
from refengine.chapters.score import UNSETTLED, moon_choices
from refengine.machine import transpositions
from refengine.machine.core import Core
from refengine.machine.due import position_of
from refengine.machine.ending import ending
from refengine.machine.moving import (
    MovingPiles,
    MovingPosition,
    moving_piles,
    moving_position,
)
from refengine.machine.perft import (
    MOST,
    MOST_COUNTED,
    Games,
    TooManyError,
    divide,
    perft,
)
from refengine.machine.playouts import (
    MOST_DEALS,
    next_random,
    nth,
    played_out,
    playout,
    playouts,
    started,
)
from refengine.machine.position import after_draw, after_play, playable
from refengine.machine.transpositions import Level, Ply, Reached
from tests.support.playing import cards_played
from tests.support.strategies import some_ruleset, some_setup

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
GAMES = [
    (ruleset, pack)
    for ruleset in RULESETS
    for pack in (PACKS if ruleset.players == 4 else [""])
]


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
    assert started(2**80 + 7) == started(7)
    assert 0 < started(-(2**80)) < 2**32


def test_the_nth_card_of_a_set_is_found_in_the_order_of_the_book() -> None:
    numbers = (0, 7, 13, 36, 51)
    cards = cards_in(numbers)
    assert [nth(cards, place) for place in range(5)] == [2**n for n in numbers]


def by_state(state: State, seed: int) -> tuple[tuple[int, ...], int, int]:
    """The score, the number of acts and the last seed of a playout made act by act."""
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


@pytest.mark.parametrize(("ruleset", "pack"), GAMES, ids=repr)
def test_a_playout_is_the_game_that_its_random_numbers_choose(
    ruleset: Ruleset, pack: str
) -> None:
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


# The position that is used again


def in_the_middle(ruleset: Ruleset, acts: int) -> State:
    """A match under this ruleset after this many acts of play."""
    rng = Random(acts)
    state = State.open(ruleset, Match(dealer=0))
    while state.phase != "play" or acts:
        acts -= state.phase == "play"
        state = state.apply(state.random_act(rng))
    return state


@pytest.mark.parametrize("ruleset", RULESETS, ids=repr)
def test_playouts_in_turns_are_those_of_each_position_by_itself(
    ruleset: Ruleset,
) -> None:
    cores = [in_the_middle(ruleset, acts).core for acts in (0, 3, 10)]
    before = [repr(core.fields()) for core in cores]
    kept = [position_of(core) for core in cores]
    expected = [0] * ruleset.players
    acts, seed = 0, int(started(5))
    for number in range(14):
        end = playout(cores[number % 3], seed)
        expected = [sum(both) for both in zip(expected, end.score, strict=True)]
        acts, seed = acts + end.acts, end.seed
    found = playouts(cores, 14, started(5))
    assert (found.deals, found.acts, found.seed) == (14, acts, seed)
    assert found.scores == tuple(expected)
    assert all(position_of(core) is one for core, one in zip(cores, kept, strict=True))
    assert [repr(core.fields()) for core in cores] == before


@pytest.mark.parametrize("ruleset", RULESETS, ids=repr)
def test_a_position_that_moves_ends_as_those_made_anew_do(ruleset: Ruleset) -> None:
    core = in_the_middle(ruleset, 5).core
    position, rules = position_of(core), core.rules
    piles = moving_piles(position.piles)
    moving = moving_position(position)
    for seed in range(1, 20):
        last, acts, after = played_out(rules, position, started(seed))
        moving.go_back(position, piles)
        moved, *others = played_out(rules, moving, started(seed))
        assert moved is moving
        assert others == [acts, after]
        assert moved._key()[:2] == last._key()[:2]
        assert moved.piles._key() == last.piles._key()
        assert moved._key()[3:] == last._key()[3:]
    assert position == position_of(core)
    piles.let_go()
    assert piles.after is None


def test_no_method_changes_a_position_that_does_not_move() -> None:
    position = position_of(in_the_middle(RULESETS[0], 5).core)
    other = moving_position(position)
    before = position._key()
    with pytest.raises((AttributeError, TypeError)):
        MovingPosition.go_back(position, other, other.piles)  # type: ignore[arg-type]  # that is the test
    with pytest.raises((AttributeError, TypeError)):
        MovingPiles.let_go(position.piles)  # type: ignore[arg-type]  # that is the test
    assert position._key() == before


def test_playouts_leave_nothing_for_the_collector() -> None:
    cores = [in_the_middle(RULESETS[0], acts).core for acts in (0, 9)]
    gc.collect()
    gc.disable()
    try:
        playouts(cores, 50, started(1))
        left = gc.collect()
    finally:
        gc.enable()
    assert left == 0


@pytest.mark.parametrize("number", [-1, 2**32, 2**64, 10**5000], ids=int.bit_length)
def test_numbers_of_any_size_are_refused_in_words(number: int) -> None:
    core = in_the_middle(RULESETS[0], 0).core
    seeds = r"seed: found .*; allowed: a whole number from 1 to 4294967295"
    with pytest.raises(Malformed, match=seeds):
        playout(core, number)
    with pytest.raises(Malformed, match=seeds):
        playouts([core], 1, number)
    with pytest.raises(Malformed, match="seed: found 0"):
        playout(core, 0)
    deals = -1 if number < 0 else number + MOST_DEALS
    with pytest.raises(Malformed, match=r"deals: .* from 0 to 1000000000000"):
        playouts([core], deals, 1)
    with pytest.raises(Malformed, match="cores: found 0"):
        playouts([], 1, 1)
    depth = -1 if number < 0 else number
    with pytest.raises(Malformed, match=r"depth: .* from 0 to 10000"):
        perft(core, depth, Games(100))
    with pytest.raises(Malformed, match=r"most: found -1"):
        perft(core, 0, Games(100), -1)
    with pytest.raises(TooManyError):
        perft(core, 0, Games(100), max(number, 0))


# All games


def walked(core: Core, position: Position, depth: int, games: Games) -> None:
    """Count every game from this position, one by one."""
    rules = core.rules
    if position.turn < 0:
        end = ending(rules, core.pack, position, (), core.sheet, UNSETTLED)
        if end.score:
            games.add_games(end.score, 1)
            return
        for choice in moon_choices(rules, end.shooter):
            games.add_acts(games.ply(depth), 1)
            end = ending(rules, core.pack, position, (), core.sheet, choice)
            games.add_games(end.score, 1)
        return
    numbers = numbers_of(playable(rules, position))
    for number in numbers:
        games.add_acts(games.ply(depth), 1)
        walked(core, after_play(rules, position, card_at(number)), depth + 1, games)
    if not numbers:
        games.add_acts(games.ply(depth), 1)
        walked(core, after_draw(position), depth + 1, games)


def small_deals(number: int) -> Iterator[State]:
    """Deals of a few cards under any ruleset, some of them after one or two acts."""
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


def divided(core: Core, limit: int) -> tuple[object, ...]:
    """The counts made by `divide`, after a check of its count for each first card.

    They are those of `perft` if no card is to be played.
    """
    rules, position = core.rules, position_of(core)
    games = Games(limit)
    begun = divide(core, games)
    assert list(begun) == numbers_of(playable(rules, position))
    for number in begun:
        alone = Games(limit)
        walked(core, after_play(rules, position, card_at(number)), 1, alone)
        assert begun[number] == alone.games
    if not begun:
        assert (games.games, games.plies, games.scores) == (0, [], {})
        perft(core, 0, games)
    return games.games, games.plies, games.scores


def telling_deals() -> Iterator[State]:
    """A deal whose positions differ only in the hands, and one only in the kitty."""
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
    """Check the counts of small deals against counting every game.

    The counts are repeated with each of the numbers `kept` of positions remembered.
    """
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
        assert expected == divided(core, highest), state
        for most in kept:
            assert expected == counts(core, highest, most), state
            with pytest.raises(TooManyError):
                counts(core, highest - 1, most)
        compared += 1
    assert compared > number / 5


@pytest.mark.unmeasured
def test_games_counted_together_are_those_walked_one_by_one() -> None:
    check_counts(500, 0, 2, MOST)


@pytest.mark.interpreted("compiled, the numbers are part of the code")
@pytest.mark.unmeasured
def test_positions_with_the_same_number_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transpositions, "_SPREAD", 0)
    check_counts(500, MOST)
    check_arrivals(combinations(range(4), 2))


def between_tricks(piles: Piles, **other: int) -> Position:
    """A position between two tricks, in which everything not named is empty."""
    none = Mask(0)
    return Position(
        hands=(Hand(Mask(other.get("cards", 0))),),
        talon=Talon((), other.get("drawn", 0), none, other.get("kitty_to", -1)),
        piles=piles,
        played=Mask(other.get("played", 0)),
        led=none,
        table=none,
        best=none,
        winner=0,
        leader=other.get("leader", 0),
        turn=0,
        hand=none,
        drew=none,
        out=other.get("out", 0),
        hearts_broken=other.get("hearts_broken", 0) > 0,
        empty=0,
    )


NOBODY = Piles((Mask(0),) * 13, (0,) * 13, 0, True)
FIVE_CARDS = [Mask(2**number) for number in (0, 7, 20, 36, 51)]


def check_arrivals(pairs: Iterable[tuple[int, int]]) -> None:
    """Check how many ways each pair of seats has to win five cards in three tricks."""
    for pair in pairs:
        expected: Counter[tuple[object, ...]] = Counter()
        level = Level()
        for where in product(range(3), repeat=5):
            tricks = [Mask(0)] * 3
            for card, number in zip(FIVE_CARDS, where, strict=True):
                tricks[number] = Mask(tricks[number] | card)
            for winners in product(pair, repeat=3) if all(tricks) else ():
                piles = NOBODY
                way = Reached(between_tricks(piles), Ply(), 1)
                for trick, winner in zip(tricks, winners, strict=True):
                    alone = Level() if piles.done < 2 else level
                    piles = add_trick(piles, trick, winner)
                    alone.arrive(way, between_tricks(piles), Ply())
                    assert alone.newest is not None
                    way = alone.newest
                expected[piles.taken, piles.tricks] += 1
        kept: Counter[tuple[object, ...]] = Counter()
        one = level.newest
        while one is not None:
            piles = one.position.piles
            kept[piles.taken, piles.tricks] += int(one.ways)
            one = one.other
        assert (kept, len(kept)) == (expected, level.size), pair


def test_positions_are_kept_apart_by_what_each_seat_won() -> None:
    check_arrivals(combinations((0, 1, 2, 4, 8, 11, 12), 2))


def test_positions_are_kept_apart_by_all_else_that_the_rules_read() -> None:
    won = add_trick(NOBODY, FIVE_CARDS[0], 3)
    way = Reached(between_tricks(NOBODY), Ply(), 1)
    level = Level()
    for one in (
        {},
        {"played": 1},
        {"leader": 1},
        {"out": 1},
        {"hearts_broken": 1},
        {"drawn": 1},
        {"drawn": 1, "cards": 1},
        {"kitty_to": 1},
    ):
        before = level.size
        for _ in range(2):
            level.arrive(way, between_tricks(won, **one), Ply())
            assert level.size == before + 1


@pytest.mark.interpreted("compiled, the class cannot be watched")
@pytest.mark.parametrize("most", [0, 12])
def test_no_more_positions_are_kept_than_asked_for(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """If all can be kept, each is continued once; if none, once for each way to it."""
    sizes: list[int] = []

    arrive = Level.arrive

    def watched(level: Level, before: Reached, position: Position, ply: Ply) -> None:
        arrive(level, before, position, ply)
        sizes.append(level.size)

    monkeypatch.setattr(Level, "arrive", watched)
    state = new_deal(Ruleset("pokerwiner-hearts", 2), ["2H 3H 4H", "5H 6H 7H"])
    perft(state.core, 0, Games(100), most)
    in_a_trick = 3 * 3
    assert max(sizes) <= most + in_a_trick
    one_by_one = in_a_trick * (1 + 2 * 2 * (1 + 1))
    # After each trick, a position is the cards that are left to either seat.
    together = sum((comb(3, done) * (3 - done)) ** 2 for done in range(3))
    assert len(sizes) == (together if most else one_by_one)


def test_no_more_is_counted_than_its_numbers_can_hold() -> None:
    games = Games(10**30)
    games.add_acts(games.ply(3), MOST_COUNTED)
    assert games.plies == [0, 0, 0, MOST_COUNTED]
    with pytest.raises(TooManyError):
        games.add_acts(games.ply(3), 1)


def test_each_of_the_ways_to_reach_a_position_counts() -> None:
    setup = Setup(dealer=0, hands=["2H 3H 4H 5H 6H 7H", "8H 9H TH JH QH KH"])
    state = State.open(Ruleset("pokerwiner-hearts", 2), setup)
    games = Games(10**6)
    perft(state.core, 0, games)
    plies: list[int] = []
    for place in range(12):  # either has one card fewer after each trick
        plies.append((plies or [1])[-1] * (6 - place // 2))
    assert (games.games, games.plies) == (factorial(6) ** 2, plies)


def scores_by_state(state: State) -> dict[tuple[int, ...], int]:
    """The number of games from this state for each score, counted with `State`."""
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
    state = cards_played(new_deal(ruleset, hands, dealer=3, deal=4), "2C 4D 4C 5C")
    if claimed:
        state = state.apply(Claim(3, against=1, trick=1))
    games = Games(1000)
    perft(state.core, 0, games)
    assert games.scores == scores_by_state(state)
    assert set(games.scores) == {(0, 7 * claimed, 0, 0)}
    assert playout(state.core, started(1)).score == (0, 7 * claimed, 0, 0)
