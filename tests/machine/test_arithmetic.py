"""Tests of masks and random numbers against plain Python integers, in both modes.

When compiled, a mask is a number of 64 bits and a shift may be done in 32, so what is
right in one mode can be wrong in the other. The expected values therefore never come
from the functions under test, and for deals both modes must give the recorded digest.
"""

import ast
import hashlib
import pickle
from collections import Counter
from random import Random
from typing import Any

import pytest

from refengine import Match, Ruleset, State, new_deal
from refengine.chapters.cards import PACK, Mask, count, lowest, numbers_of
from refengine.game.values.cardset import CardSet
from refengine.machine.perft import Games, TooManyError, perft
from refengine.machine.playouts import playouts, started
from tests.support import places

_RNG = Random(5)
SETS = [_RNG.getrandbits(52) for _ in range(500)]
SETS += [_RNG.getrandbits(52) & _RNG.getrandbits(52) & cards for cards in SETS]
DEALS = 10_000
DIGEST = "2a58f65a34eeccac"


def moved_up(source: str) -> list[int]:
    """The lines (by number) that shift a literal or constant left by a variable."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.LShift)
        and not isinstance(node.right, ast.Constant)
        and (isinstance(node.left, ast.Constant) or ast.unparse(node.left).isupper())
    ]


@pytest.mark.interpreted("it reads the source, which the wheel has compiled")
def test_no_literal_is_moved_up_by_a_number_that_is_not_known() -> None:
    """The compiler shifts a literal in 32 bits, whatever its declared type."""
    from tests.project.test_build import (
        COMPILED,  # late: only a checkout has the build hook
    )

    assert moved_up("a = 1 << n\nb = _ONE << n\nc = 1 << 4\nd = n << 1") == [1, 2]
    assert len(COMPILED) > 40
    found = [
        f"{path}:{line}"
        for path in COMPILED
        for line in moved_up((places.ROOT / path).read_text("utf-8"))
    ]
    assert found == []


def test_sets_are_counted_and_listed_as_python_counts_and_lists_them() -> None:
    for cards in [0, PACK, *SETS]:
        held = [number for number in range(52) if cards >> number & 1]
        assert count(Mask(cards)) == len(held)
        assert numbers_of(Mask(cards)) == held
        assert lowest(Mask(cards)) == (2 ** held[0] if held else 0)
        assert [one.number for one in CardSet.of_mask(Mask(cards))] == held


def in_play(ruleset: Ruleset, number: int) -> State:
    rng = Random(number)
    state = State.open(ruleset, Match(dealer=0))
    while state.phase != "play":
        state = state.apply(state.random_act(rng))
    return state


def test_ten_thousand_deals_end_the_same_in_both_modes() -> None:
    digest = hashlib.sha256()
    for name, players in (
        ("estmesh-hearts", 4),
        ("gamerules-domino", 3),
        ("pokerwiner-hearts", 13),
        ("pokerwiner-domino", 8),
        ("openspiel-hearts", 4),
    ):
        cores = [in_play(Ruleset(name, players), number).core for number in range(20)]
        done = playouts(cores, DEALS // 5, started(players))
        digest.update(repr([done.deals, done.acts, *done.scores, done.seed]).encode())
    assert digest.hexdigest()[:16] == DIGEST


def test_legal_cards_are_the_same_in_both_modes() -> None:
    digest = hashlib.sha256()
    for number in range(30):
        state = in_play(Ruleset("estmesh-hearts"), number)
        rng = Random(number)
        while numbers := state.legal_numbers():
            digest.update(bytes(numbers) + b"-")
            state = state.play_number(numbers[int(rng.random() * len(numbers))])
        digest.update(repr(state.score).encode())
    assert digest.hexdigest()[:16] == "29ca9ece9b0afae2"


MINIS: list[tuple[Ruleset, dict[str, Any]]] = [
    (Ruleset("estmesh-hearts").having(pass_cycle=[], moon="choice_all"), {}),
    (
        Ruleset("gamerules-domino", 3).having(pass_cycle=[]),
        {"stock": "2C 3D QH"},
    ),
]


def walked(
    state: State, depth: int, plies: Counter[int], scores: Counter[tuple[int, ...]]
) -> None:
    """Count all games from this state, by score, and all acts, by their depth."""
    if state.over:
        assert state.score is not None
        scores[state.score] += 1
    for act in state.legal:
        plies[depth] += 1
        walked(state.apply(act), depth + 1, plies, scores)


@pytest.mark.parametrize(("ruleset", "more"), MINIS, ids=lambda one: str(one)[:30])
def test_all_games_inside_the_rules_are_those_of_the_states(
    ruleset: Ruleset, more: dict[str, Any]
) -> None:
    hands = ["QS 2H", "3S 4S", "4D 5C", "7C 8C"][: ruleset.players]
    state = new_deal(ruleset, hands, **more)
    games = Games(10_000)
    perft(state.core, 0, games)
    plies: Counter[int] = Counter()
    scores: Counter[tuple[int, ...]] = Counter()
    walked(state, 0, plies, scores)
    assert games.plies == [plies[depth] for depth in range(len(plies))]
    assert games.scores == dict(scores)
    assert games.games == scores.total()


def test_counting_ends_at_its_limit() -> None:
    state = new_deal(
        Ruleset("estmesh-hearts").having(pass_cycle=[]), ["2C", "3C", "4C", "5C"]
    )
    with pytest.raises(TooManyError):
        perft(state.core, 0, Games(0))


def test_values_that_die_deep_in_others_harm_nothing() -> None:
    state = in_play(Ruleset("estmesh-hearts"), 1)
    for _ in range(4):
        state = state.play_number(state.legal_numbers()[0])
        for depth in range(40, 60):
            nest: object = None
            for _ in range(depth):
                nest = (nest, state.play_number(state.legal_numbers()[0]))
            del nest
    again: object = pickle.loads(pickle.dumps(state))
    assert again == state


def test_a_long_past_dies_in_peace() -> None:
    ruleset = Ruleset("estmesh-hearts").having(limit="none", deals=400)
    rng = Random(2)
    state = State.open(ruleset, Match(dealer=0))
    for _ in range(3000):
        state = state.apply(state.random_act(rng))
    assert len(state.acts) == 3000
