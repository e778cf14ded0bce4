"""Tests of episodes played by choosing numbers, and of the chance in their deals."""

from collections import Counter
from itertools import chain
from random import Random
from typing import Any

import pytest

from refengine import Malformed, Refused, Ruleset, State, profile_names
from refengine.chapters.cards import EMPTY, PACK, cards_in, numbers_of
from refengine.learning.episodes import Episode, Episodes, chance_from
from refengine.learning.fast.chance import dealing, shuffled
from refengine.machine.opening import open_match
from refengine.machine.random_numbers import shuffled_numbers
from tests.support.refusing import malformed
from tests.support.strategies import domino, hearts


def played(episodes: Episodes, seed: int) -> tuple[Episode, list[tuple[int, ...]]]:
    """An episode played to its end with random choices, and the scores of its deals."""
    rng = Random(seed)
    episode = episodes.begun(chance_from(seed))
    scores = []
    while episode.seat is not None:
        episode.choose(rng.choice(episode.choices()))
        if episode.score is not None:
            scores.append(episode.score)
    return episode, scores


@pytest.mark.parametrize("name", profile_names())
def test_a_deal_ends_with_its_score(name: str) -> None:
    episode, scores = played(Episodes(Ruleset(name)), 1)
    assert scores == [episode.state.score]
    assert episode.state.over
    assert not episode.choices()
    with pytest.raises(Malformed, match="none, out of turn"):
        episode.choose(0)


def test_a_match_ends_when_the_state_says_so_and_its_scores_add_up() -> None:
    ruleset = hearts(4, pass_cycle=["mix"], deals=3, undealt="none")
    episode, scores = played(Episodes(ruleset, "match"), 2)
    assert len(scores) == 3
    assert episode.state.totals == tuple(map(sum, zip(*scores, strict=True)))
    assert episode.state.winners is not None
    assert {act.kind for act in episode.state.acts} == {
        *("cut", "deal", "pass", "mix", "play")
    }


def test_a_deal_is_any_of_the_cycle_or_the_one_asked_for() -> None:
    ruleset = Ruleset("common-hearts")
    any_deal = Episodes(ruleset)
    chance = chance_from(4)
    begun = [any_deal.begun(chance).state for _ in range(200)]
    assert Counter(state.deal for state in begun).keys() == {1, 2, 3, 4}
    assert Counter(state.dealer for state in begun).keys() == {0, 1, 2, 3}
    assert {state.phase for state in begun if state.deal == 4} == {"play"}
    third = Episodes(ruleset, deal=3)
    assert {third.begun(chance).state.deal for _ in range(9)} == {3}
    assert {state.totals for state in begun} == {(0, 0, 0, 0)}


def test_the_seats_pass_one_after_the_other_and_only_their_own_packet_shows() -> None:
    episode = Episodes(Ruleset("common-hearts"), deal=1).begun(chance_from(1))
    for seat in range(4):
        for place in range(3):
            assert episode.seat == seat
            assert len(episode.given) == place
            shown = [
                episode.observation(other)["planes"][2].sum() for other in range(4)
            ]
            assert shown == [
                3 if other < seat else place * (other == seat) for other in range(4)
            ]
            assert episode.mask(seat).sum() == 13 - place
            assert not episode.mask((seat + 1) % 4).any()
            episode.choose(episode.choices()[0])
    assert episode.state.phase == "play"


def test_a_wrong_choice_changes_nothing() -> None:
    episode = Episodes(Ruleset("common-hearts"), deal=1).begun(chance_from(1))
    episode.choose(episode.choices()[0])
    before = (episode.state, episode.given, episode.score)
    for wrong in (episode.given[0], 52, 99, -1, "2C", 1.5):
        with pytest.raises(Malformed):
            episode.choose(wrong)
    assert (episode.state, episode.given, episode.score) == before


def test_a_copy_goes_its_own_way_by_the_same_chance() -> None:
    episode = Episodes(domino(3, limit=60), "match").begun(chance_from(7))
    rng = Random(7)
    for _ in range(30):
        episode.choose(rng.choice(episode.choices()))
    copied = episode.copy()
    choices: list[int] = []
    while episode.seat is not None:
        choices.append(rng.choice(episode.choices()))
        episode.choose(choices[-1])
    for number in choices:
        copied.choose(number)
    assert copied.state == episode.state
    assert copied.score == episode.score


@pytest.mark.parametrize(
    ("parameters", "where"),
    [
        ({"length": "trick"}, "length"),
        ({"length": 1}, "length"),
        ({"length": "match", "deal": 1}, "deal"),
        ({"deal": 0}, "deal"),
        ({"deal": "1"}, "deal"),
    ],
)
def test_other_episodes_are_malformed(parameters: dict[str, Any], where: str) -> None:
    assert malformed(Episodes, Ruleset("common-hearts"), **parameters).where == where


def test_a_ruleset_that_cannot_be_dealt_is_refused_at_once() -> None:
    with pytest.raises(Refused, match=r"4\.11"):
        Episodes(Ruleset("common-hearts", 4, {"pass_count": 14}))


# Chance


@pytest.mark.parametrize("seed", [-1, 1.0, "1", True])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(Malformed, match="a whole number, 0 or more"):
        chance_from(seed)


def test_a_seed_may_be_too_long_to_be_written() -> None:
    """Python refuses to convert a number of 5001 decimal digits to text."""
    episodes = Episodes(hearts())
    seeds = (10**5000, 10**5000, 10**5000 + 1)
    one, again, other = (episodes.begun(chance_from(seed)).state for seed in seeds)
    assert one == again != other


def test_without_a_seed_no_two_are_alike() -> None:
    drawn = [[chance_from(None).below(2**31) for _ in range(4)] for _ in range(20)]
    assert len({tuple(numbers) for numbers in drawn}) == 20


def test_every_card_comes_to_every_place_alike() -> None:
    """Chi-squared with 51 degrees of freedom is at most 98.4 at a level of 10^-4.

    For the sum over all cards, 51/52 of which has 51 * 51 degrees, the limit is 2935.
    """
    chance = chance_from(2026)
    counts = [[0] * 52 for _ in range(52)]
    for _ in range(2600):
        order = shuffled_numbers(PACK, chance)
        assert sorted(order) == [*range(52)]
        for place, number in enumerate(order):
            counts[number][place] += 1
    uneven = [sum((found - 50) ** 2 / 50 for found in places) for places in counts]
    assert max(uneven[number] for number in (0, 17, 36, 51)) < 98.4
    assert sum(uneven) < 2935


def test_every_order_of_four_cards_comes_as_often_as_it_should() -> None:
    """Chi-squared for 24 orders, of 23 degrees, is at most 59.5 at a level of 10^-4."""
    chance = chance_from(11)
    cards = cards_in((3, 20, 36, 51))
    orders = Counter(tuple(shuffled_numbers(cards, chance)) for _ in range(4800))
    assert len(orders) == 24
    assert sum((found - 200) ** 2 / 200 for found in orders.values()) < 59.5


def test_what_is_dealt_is_shuffled_alike() -> None:
    for seed in range(20):
        order = [int(number) for number in shuffled(PACK, chance_from(seed))]
        assert order == shuffled_numbers(PACK, chance_from(seed))


@pytest.mark.parametrize(
    ("ruleset", "sizes"),
    [
        (Ruleset("common-hearts", 4), (13, 0, 0)),
        (Ruleset("gamerules-domino", 3), (6, 34, 0)),
        (Ruleset("estmesh-hearts", 5, {"undealt": "kitty"}), (10, 0, 2)),
        (Ruleset("dominorules-tiles", 3), (17, 0, 0)),
    ],
    ids=repr,
)
def test_a_deal_has_the_sizes_of_the_book_and_every_card_once(
    ruleset: Ruleset, sizes: tuple[int, int, int]
) -> None:
    pack = open_match(ruleset.rules, EMPTY, -1).pack
    cards = dealing(ruleset.rules, pack, False, chance_from(1))
    hand, stock, kitty = sizes
    hands = [numbers_of(one) for one in cards.hands]
    assert [len(one) for one in hands] == [hand] * ruleset.players
    assert (len(cards.stock), len(numbers_of(cards.kitty))) == (stock, kitty)
    dealt = [*chain(*hands), *cards.stock, *numbers_of(cards.kitty)]
    assert sorted(dealt) == numbers_of(pack)


def test_what_an_episode_plays_is_a_game_of_states() -> None:
    episode, _ = played(Episodes(Ruleset("gamerules-domino", 2), "match"), 3)
    state = episode.state
    assert State.open(state.ruleset, state.start).after(*state.acts) == state
