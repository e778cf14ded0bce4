"""Tests of chapter 1: cards, sets of cards, and what each card costs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refengine import WHOLE_PACK, Card, CardSet, Rank, Suit, card
from refengine import cards as cards_written
from refengine.chapters.cards import (
    ACE_OR_KING_OF_SPADES,
    CLUBS,
    DIAMONDS,
    EMPTY,
    HEARTS,
    PACK,
    QUEEN,
    RANKS,
    SPADES,
    SUITS,
    Mask,
    all_of,
    bonus_in,
    card_at,
    cards_in,
    count,
    lowest,
    number_of,
    numbers_of,
    penalty_cards,
    points_of,
    rank_of,
    suit_of,
)
from tests.support.refusing import malformed
from tests.support.strategies import card_sets, cards, hearts

ALL = range(52)
numbers = st.sets(st.integers(0, 51))


def text_of(number: int) -> str:
    return "23456789TJQKA"[number % 13] + "CDSH"[number // 13]


def mask_of(chosen: set[int]) -> Mask:
    return Mask(sum(2**number for number in chosen))


# Masks beside plain integers


@pytest.mark.parametrize("number", ALL)
def test_each_card_is_one_bit_in_the_order_of_the_book(number: int) -> None:
    assert card_at(number) == 2**number
    assert number_of(card_at(number)) == number
    assert rank_of(number) == number % 13
    assert count(card_at(number)) == 1
    assert lowest(card_at(number)) == card_at(number)
    assert numbers_of(card_at(number)) == [number]
    suit = {13 * (number // 13) + rank for rank in range(13)}
    assert suit_of(card_at(number)) == mask_of(suit)


def test_suits_and_the_pack_are_the_bits_of_their_cards() -> None:
    for place, suit in enumerate((CLUBS, DIAMONDS, SPADES, HEARTS)):
        assert suit == mask_of(set(range(13 * place, 13 * place + 13)))
        assert count(suit) == 13
    assert mask_of(set(ALL)) == PACK
    assert count(PACK) == 52
    assert EMPTY == 0
    assert SUITS == "CDSH"
    assert RANKS == "23456789TJQKA"
    named = {text_of(number): card_at(number) for number in ALL}
    assert named["QS"] == QUEEN
    assert named["KS"] | named["AS"] == ACE_OR_KING_OF_SPADES


@given(chosen=numbers)
def test_masks_count_and_list_like_sets_of_integers(chosen: set[int]) -> None:
    mask = mask_of(chosen)
    assert count(mask) == len(chosen)
    assert numbers_of(mask) == sorted(chosen)
    assert cards_in(tuple(chosen)) == mask
    assert lowest(mask) == (2 ** min(chosen) if chosen else 0)


@given(piles=st.lists(numbers, max_size=5))
def test_all_of_piles_is_their_union(piles: list[set[int]]) -> None:
    assert all_of(tuple(map(mask_of, piles))) == mask_of(set().union(*piles))


# What cards cost


@given(
    chosen=card_sets(),
    heart_points=st.integers(0, 9),
    queen_points=st.integers(0, 20),
)
def test_points_are_those_of_hearts_and_queen_and_of_no_other_card(
    chosen: CardSet, heart_points: int, queen_points: int
) -> None:
    ruleset = hearts(
        heart_points=heart_points, queen_points=queen_points, bonus_card="JD"
    )
    texts = str(chosen).split()
    held = sum(one[1] == "H" for one in texts)
    queen = "QS" in texts
    points = heart_points * held + queen_points * queen
    assert points_of(ruleset.rules, chosen.mask) == points
    penalty = CardSet.of_mask(penalty_cards(ruleset.rules))
    assert (card("QS") in penalty) == (queen_points != 0)
    assert (card("2H") in penalty) == (heart_points != 0)
    assert len(penalty) == 13 * (heart_points != 0) + (queen_points != 0)


@pytest.mark.parametrize(
    ("removed", "points"), [("", 26), ("2H", 25), ("2H 3H", 24), ("QS", 13)]
)
def test_the_points_in_play_are_those_of_the_cards_in_play(
    removed: str, points: int
) -> None:
    in_play = WHOLE_PACK - CardSet(removed)
    assert points_of(hearts().rules, in_play.mask) == points


@pytest.mark.parametrize("bonus", ["none", "JD", "TD"])
def test_the_bonus_card_is_the_one_the_option_names(bonus: str) -> None:
    rules = hearts(bonus_card=bonus).rules
    found = [one.value for one in WHOLE_PACK if bonus_in(rules, CardSet([one]).mask)]
    assert found == ([] if bonus == "none" else [bonus])


# Cards as users hold them


def test_cards_come_in_the_order_of_suits_and_then_of_ranks() -> None:
    assert [one.value for one in WHOLE_PACK] == [text_of(number) for number in ALL]
    assert [one.number for one in WHOLE_PACK] == list(ALL)
    assert [suit.value for suit in Suit] == list("CDSH")
    assert [rank.value for rank in Rank] == list("23456789TJQKA")


@given(one=cards())
def test_a_card_is_its_rank_and_its_suit(one: Card) -> None:
    assert one.rank.value + one.suit.value == one.value == str(one)
    assert card(one.value) is Card(one.value) is one
    assert repr(one) == f"Card('{one.value}')"
    assert one in CardSet([one])


@pytest.mark.parametrize(
    ("kind", "text"), [(Card, "QX"), (Card, ""), (Suit, "s"), (Rank, "1")]
)
def test_what_is_no_card_suit_or_rank_is_malformed(
    kind: type[Card] | type[Suit] | type[Rank], text: str
) -> None:
    error = malformed(kind, text)
    assert repr(text) in error.found
    assert kind.__name__.lower() in error.allowed


# Sets of cards


@given(one=card_sets(), other=card_sets())
def test_card_sets_have_the_algebra_of_sets(one: CardSet, other: CardSet) -> None:
    assert set(one & other) == set(one) & set(other)
    assert set(one | other) == set(one) | set(other)
    assert set(one - other) == set(one) - set(other)
    assert set(one ^ other) == set(one) ^ set(other)
    assert (one <= other) == (set(one) <= set(other))
    assert (one >= other) == (set(one) >= set(other))
    assert len(one) == len(set(one))
    assert bool(one) == bool(set(one))


@given(chosen=card_sets())
def test_a_card_set_is_written_in_the_order_of_the_book(chosen: CardSet) -> None:
    numbers_seen = [one.number for one in chosen]
    assert numbers_seen == sorted(numbers_seen)
    assert str(chosen) == " ".join(one.value for one in chosen)
    assert cards_written(str(chosen)) == chosen
    assert repr(chosen) == f"CardSet('{chosen}')"


@given(chosen=card_sets())
def test_suits_part_a_card_set(chosen: CardSet) -> None:
    parts = [chosen.of_suit(suit) for suit in Suit]
    assert sum(map(len, parts)) == len(chosen)
    for suit, part in zip(Suit, parts, strict=True):
        assert all(one.suit is suit for one in part)
        assert part <= chosen


def test_a_card_set_shows_its_notation_to_pretty_printers() -> None:
    shown: list[str] = []

    class Recorder:
        def text(self, obj: str) -> None:
            shown.append(obj)

    CardSet("QS 2C")._repr_pretty_(Recorder(), cycle=False)
    assert shown == ["CardSet('2C QS')"]


@pytest.mark.parametrize(
    ("given_cards", "found"),
    [
        ("2C 2C", "2C twice"),
        ("2C  3C", "''"),
        ("2C,3C", "'2C,3C'"),
        ("10C", "'10C'"),
        ([Card("2C"), Card("2C")], "2C twice"),
        (["2C", "2C"], "2C twice"),
        (["2C 3C"], "'2C 3C'"),
    ],
)
def test_what_is_no_set_of_cards_is_malformed(given_cards: Any, found: str) -> None:
    assert malformed(CardSet, given_cards).found == found
