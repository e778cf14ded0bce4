"""Tests that pictures are complete, have descriptions and do not rely on colour."""

import re
from random import Random
from xml.etree import ElementTree

import pytest

from refengine import (
    WHOLE_PACK,
    Card,
    CardSet,
    Rank,
    Ruleset,
    State,
    Suit,
    cards,
    new_deal,
    new_match,
)
from refengine.pictures import card_name, card_svg, cards_svg, state_svg, trick_svg
from tests.support.strategies import moments, some_opening

pytestmark = pytest.mark.interpreted("about drawings")

SVG = "{http://www.w3.org/2000/svg}"


def read(svg: str) -> ElementTree.Element:
    """The root of the picture, checked to be labelled by a title and a description."""
    tree = ElementTree.fromstring(svg)
    assert tree.tag == f"{SVG}svg"
    assert tree.get("role") == "img"
    labels = tree.get("aria-labelledby", "").split()
    named = {tree.find(f"{SVG}title"), tree.find(f"{SVG}desc")}
    assert {one.get("id") for one in named if one is not None and one.text} == set(
        labels
    )
    return tree


def described(svg: str) -> str:
    found = read(svg).find(f"{SVG}desc")
    assert found is not None
    return found.text or ""


def classes(tree: ElementTree.Element) -> list[str]:
    return [one.get("class", "") for one in tree.iter()]


def game() -> State:
    ruleset = Ruleset("estmesh-hearts")
    hands = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "7D KC KH"]
    return new_deal(ruleset, hands, dealer=0, deal=4)


@pytest.mark.parametrize("card", list(WHOLE_PACK), ids=str)
def test_the_picture_of_a_card_shows_rank_and_suit_and_says_them(card: Card) -> None:
    svg = card_svg(card)
    texts = [one.text for one in read(svg).iter(f"{SVG}text")]
    assert texts == ["10" if card.rank is Rank.TEN else card.rank.value]
    assert described(svg) == f"The {card_name(card)}."


def test_suits_differ_in_shape_and_those_alike_in_being_filled_or_not() -> None:
    shapes = {}
    for suit in Suit:
        tree = read(card_svg(Card(f"7{suit}")))
        paths = list(tree.iter(f"{SVG}path"))
        outlined = any(one.get("class") == "rf-line" for one in paths)
        shapes[suit] = (paths[0].get("d"), outlined)
    assert len({shape for shape, _ in shapes.values()}) == 4
    assert shapes[Suit.CLUBS][1] != shapes[Suit.SPADES][1]
    assert shapes[Suit.DIAMONDS][1] != shapes[Suit.HEARTS][1]


def test_pictures_of_different_cards_differ() -> None:
    assert len({card_svg(card) for card in WHOLE_PACK}) == 52


def test_legal_cards_stand_higher_and_the_others_are_dimmed() -> None:
    svg = cards_svg(cards("2C 9C 3D QS"), legal=cards("2C 9C"))
    tree = read(svg)
    assert classes(tree).count("rf-lit") == 2
    assert classes(tree).count("rf-dim") == 2
    assert "May be played: 2 of clubs, 9 of clubs." in described(svg)
    tops = [
        float(re.findall(r"translate\(\S+ (\S+)\)", one.get("transform", ""))[0])
        for one in tree.iter(f"{SVG}g")
        if one.get("class") in ("rf-lit", "rf-dim")
    ]
    assert tops[0] == tops[1] < tops[2] == tops[3]


def test_cards_keep_the_order_in_which_they_are_given() -> None:
    given = [Card("QS"), Card("2C")]
    svg = cards_svg(given)
    assert described(svg) == "queen of spades, 2 of clubs."
    assert "rf-lit" not in classes(read(svg))


def test_an_empty_set_has_a_picture_too() -> None:
    assert described(cards_svg(CardSet())) == "A set without cards."


def test_a_trick_marks_the_card_that_wins() -> None:
    state = game().play("2C").play("5C").play("JD").play("KC")
    svg = trick_svg(state.history[0])
    assert "Seat 3 wins with the king of clubs." in described(svg)
    assert classes(read(svg)).count("rf-lit") == 1


def test_a_trick_in_progress_and_one_not_begun_are_drawn() -> None:
    state = game()
    assert state.table is not None
    assert described(trick_svg(state.table)) == "Seat 0 is to lead."
    state = state.play("2C")
    assert state.table is not None
    assert described(trick_svg(state.table)).endswith("in order: 2 of clubs.")


def test_a_table_shows_every_hand_and_what_is_due() -> None:
    state = game().play("2C").play("5C")
    svg = state_svg(state)
    said = described(svg)
    for seat, hand in enumerate(state.hands):
        for card in hand:
            assert card_name(card) in said
        assert f"Seat {seat} holds" in said
    assert "seat 2; a card to be played" in said
    assert (
        "Seat 1 holds queen of spades, 3 of hearts and has played the 5 of clubs"
        in said
    )
    assert classes(read(svg)).count("rf-turn") == 1


def test_cards_lie_before_the_seats_that_played_them_counter_clockwise_too() -> None:
    ruleset = Ruleset("heartsgame-tiles", 4)
    state = new_deal(ruleset, ["2C 2D", "3C 3D", "4C 4D", "5C 5D"], dealer=0, deal=4)
    said = described(state_svg(state.play("2C").play("5C")))
    assert "Seat 3 holds 5 of diamonds and has played the 5 of clubs" in said
    assert "Seat 1 holds 3 of clubs, 3 of diamonds;" in said


@pytest.mark.parametrize("seed", range(40))
def test_every_moment_of_any_game_can_be_drawn(seed: int) -> None:
    rng = Random(seed)
    for state in moments(some_opening(rng), rng, 30):
        tree = read(state_svg(state))
        width = float(tree.get("width", "0"))
        right = [
            float(one.get("x", "0")) + float(one.get("width", "0"))
            for one in tree.iter(f"{SVG}rect")
        ]
        assert max(right) <= width


def test_a_match_before_the_first_deal_is_drawn_without_hands() -> None:
    svg = state_svg(new_match(Ruleset("heartsgame-tiles", 3)))
    assert "cut for the deal" in described(svg)


@pytest.mark.parametrize(
    ("totals", "won"),
    [
        ((9, 0, 99, 3), "over, won by seat 1"),
        ((0, 0, 99, 3), "over, won by seats 0 and 1"),
        ((0, 0, 99, 0), "over, won by seats 0, 1 and 3"),
    ],
)
def test_the_end_of_a_match_says_who_has_won(totals: tuple[int, ...], won: str) -> None:
    hands = ["2C", "3C", "4C", "2H"]
    state = new_deal(Ruleset("common-hearts"), hands, dealer=3, deal=4, totals=totals)
    for card in ("2C", "3C", "4C", "2H"):
        assert "won by" not in state_svg(state)
        state = state.play(card)
    svg = state_svg(state)
    assert won in svg
    assert won.capitalize() in described(svg)


def test_the_end_of_a_single_deal_is_described_without_winners() -> None:
    hands = ["2C", "3C", "4C", "2H"]
    state = new_deal(Ruleset("common-hearts"), hands, dealer=3, deal=4)
    for card in hands:
        state = state.play(card)
    assert state.winners is None
    assert "Over." in described(state_svg(state))


def test_pictures_refer_to_nothing_outside() -> None:
    svg = state_svg(game())
    outside = svg.replace("http://www.w3.org/2000/svg", "")
    assert "http" not in outside
    assert "url(" not in outside
    assert "<script" not in outside


def test_dark_colours_are_for_screens_since_paper_is_white() -> None:
    media = re.findall("@media [^{]*", state_svg(game()))
    assert media == ["@media screen and (prefers-color-scheme:dark)"]


def test_cards_tricks_tables_and_states_show_their_pictures() -> None:
    hand = cards("QS 2H")
    assert hand._repr_svg_() == cards_svg(hand)
    state = new_deal(Ruleset("pokerwiner-hearts", 2), ["2C 3C", "4C 5C"])
    assert state._repr_svg_() == state_svg(state)
    led = state.play("4C")
    assert led.table is not None
    assert led.table._repr_svg_() == trick_svg(led.table)
    (trick,) = led.play("2C").history
    assert trick._repr_svg_() == trick_svg(trick)
