"""Tests of values: cards are ordered, card sets act like sets, and patterns match."""

import copy
import operator
import pickle
from collections.abc import Callable, Iterator, Set
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refengine import (
    WHOLE_PACK,
    Irregular,
    Legal,
    Malformed,
    Play,
    Table,
    Trick,
    new_deal,
)
from refengine.game import acts
from refengine.game.values.cardset import Card, CardSet, Rank, Suit, card, cards
from tests.support.depth import depth
from tests.support.strategies import card_sets, hearts

TEXTS = [rank + suit for suit in "CDSH" for rank in "23456789TJQKA"]
NO_CARDS: list[Any] = [5, None, 1.5, b"QS", "", "Q", "10C", "QS 2C", ["QS"], Suit("S")]


# Cards and ranks


def test_a_card_is_made_from_its_place_in_the_order_of_the_book() -> None:
    assert [Card(number).value for number in range(52)] == TEXTS
    assert all(Card(one.number) is one for one in Card)


def test_a_rank_is_made_from_what_it_counts() -> None:
    assert [Rank(number).value for number in range(2, 15)] == [*"23456789TJQKA"]
    assert [rank.number for rank in Rank] == [*range(2, 15)]


@pytest.mark.parametrize(
    "number",
    [-1, 52, -52, 2**31, 2**64, -(2**64), 10**5000],
    ids=lambda number: hex(number)[:9],
)
def test_a_number_that_no_card_has_makes_none(number: int) -> None:
    with pytest.raises(Malformed, match="a card, one of 2C"):
        Card(number)
    with pytest.raises(Malformed, match="a rank, one of 2 3"):
        Rank(number)


@pytest.mark.parametrize("number", [0, 1, 15, True, False, 2.0, None, "10", "1"])
def test_what_is_no_rank_is_malformed(number: Any) -> None:
    with pytest.raises(Malformed, match="a rank, one of 2 3"):
        Rank(number)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Q♠", "QS"),
        ("qs", "QS"),
        ("sq", "QS"),
        ("QS ", "QS"),
        ("10h", "TH"),
        ("queen of spades", "QS"),
        ("the lady", ""),
        ("0", ""),
        ("", ""),
    ],
)
def test_text_that_is_no_card_is_told_what_it_may_mean(text: str, meant: str) -> None:
    with pytest.raises(Malformed, match="a card, a rank of") as malformed:
        Card(text)
    hint = f"; did you mean {meant}?" if meant else "such as QS"
    assert malformed.value.allowed.endswith(hint)


@pytest.mark.parametrize("number", [True, False, 2.0, None, b"QS"])
def test_a_number_of_a_card_is_a_whole_one(number: Any) -> None:
    with pytest.raises(Malformed, match="a card, one of 2C"):
        Card(number)


@pytest.mark.parametrize("kind", [Card, Rank, Suit])
def test_cards_ranks_and_suits_are_ordered(kind: Any) -> None:
    members = list(kind)
    backwards = members[::-1]
    assert sorted(backwards) == members
    assert min(members) is members[0]
    for low, one in enumerate(members):
        for high, other in enumerate(members):
            assert (one < other) is (low < high)
            assert (one <= other) is (low <= high)
            assert (one > other) is (low > high)
            assert (one >= other) is (low >= high)


@pytest.mark.parametrize("other", [3, "2C", Rank("K"), Suit("H"), None])
@pytest.mark.parametrize(
    "compare", [operator.lt, operator.le, operator.gt, operator.ge]
)
def test_a_card_is_compared_with_cards_alone(
    compare: Callable[[Any, Any], bool], other: Any
) -> None:
    with pytest.raises(TypeError):
        compare(Card("2C"), other)


def test_a_suit_has_the_number_of_its_place_in_the_book() -> None:
    assert [Suit(number).value for number in range(4)] == ["C", "D", "S", "H"]
    assert [card.suit.number for card in Card] == [number // 13 for number in range(52)]
    with pytest.raises(Malformed):
        Suit(4)


def named(value: object) -> str:
    """The word for the first pattern that this value matches; empty if none does."""
    match value:
        case Card("QS") | Play(0, Card("QS")):
            return "queen"
        case Suit("H"):
            return "hearts"
        case Rank("T"):
            return "ten"
        case "QS":
            return "text"
    return ""


def test_a_pattern_may_have_notation_within_its_kind() -> None:
    values = [Card("QS"), Play(0, "QS"), Suit("H"), Rank("T"), Card("KS"), "QS"]
    assert [named(one) for one in values] == [
        *("queen", "queen", "hearts", "ten", "", "text"),
    ]


def test_a_card_is_made_from_what_names_it() -> None:
    queen = Card("QS")
    texts: list[Any] = [queen, "QS", np.str_("QS")]
    for text in texts:
        assert card(text) is Card(text) is queen
        assert cards([text]) == CardSet([text]) == {queen}
        assert text in cards("QS")
        assert acts.Pass(1, [text, "KH"]) == acts.Pass(1, "QS KH")
    number: Any = np.int64(36)
    assert Card(number) is Card(36) is queen
    for wrong in (True, 36, -1, 36.0, b"QS", None, ["QS"]):
        with pytest.raises(Malformed, match="a card such as QS"):
            card(wrong)


def test_an_array_without_dimensions_is_no_cards_and_no_hands() -> None:
    """It is an Iterable that cannot be iterated over."""
    array: Any = np.array(3)
    with pytest.raises(Malformed, match="cards such as"):
        CardSet(array)
    with pytest.raises(Malformed, match="a list of sets of cards"):
        new_deal(hearts(2), array)


def test_a_set_of_cards_is_made_from_cards_or_from_a_mask() -> None:
    with pytest.raises(Malformed, match="either cards or a mask"):
        CardSet("3C", mask=1)
    with pytest.raises(Malformed, match="found b'QS'; allowed: cards such as"):
        CardSet(b"QS")
    assert CardSet([], mask=None) == CardSet(mask=0)
    assert cards("QS 2C AS").of_suit("S") == cards("QS AS")


# Sets of cards


class OtherSet(Set[Card]):
    """An implementation of `Set` from outside the library."""

    def __init__(self, inside: Any) -> None:
        self.inside = list(inside)

    def __contains__(self, one: object) -> bool:
        return one in self.inside

    def __iter__(self) -> Iterator[Card]:
        return iter(self.inside)

    def __len__(self) -> int:
        return len(self.inside)


KINDS: dict[str, Callable[[Any], Any]] = {
    "set": set,
    "frozenset": frozenset,
    "keys": lambda inside: dict.fromkeys(inside).keys(),
    "CardSet": CardSet,
    "another": OtherSet,
}
MAKING: list[Callable[[Any, Any], Any]] = [
    operator.and_,
    operator.or_,
    operator.sub,
    operator.xor,
]
COMPARING: list[Callable[[Any, Any], Any]] = [
    operator.le,
    operator.lt,
    operator.ge,
    operator.gt,
    operator.eq,
    operator.ne,
]


def test_in_takes_cards_and_notation() -> None:
    hand = cards("QS 2C")
    assert "QS" in hand
    assert card("QS") in hand
    assert "KS" not in hand
    assert card("KS") not in hand
    for text in TEXTS:
        assert (text in hand) is (text in ("QS", "2C"))


@pytest.mark.parametrize("other", NO_CARDS, ids=repr)
def test_what_is_no_card_is_not_asked_about(other: Any) -> None:
    with pytest.raises(Malformed):
        assert other in cards("QS 2C")


def test_a_card_set_is_a_set() -> None:
    assert isinstance(cards("QS"), Set)
    assert issubclass(CardSet, Set)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=depth(30), deadline=None)
@given(one=card_sets(), inside=st.sets(st.sampled_from(list(WHOLE_PACK))))
def test_every_operator_takes_every_set_of_cards(
    kind: str, one: CardSet, inside: set[Card]
) -> None:
    other, plain = KINDS[kind](sorted(inside)), set(one)
    for compare in COMPARING:
        assert compare(one, other) is compare(plain, inside)
        assert compare(other, one) is compare(inside, plain)
    assert one.isdisjoint(other) is plain.isdisjoint(inside)
    for make in MAKING:
        made, back = make(one, other), make(other, one)
        assert type(made) is CardSet
        assert set(made) == make(plain, inside)
        assert set(back) == make(inside, plain)


@given(chosen=card_sets())
def test_a_card_set_is_equal_to_a_frozenset_and_hashed_like_it(chosen: CardSet) -> None:
    other = frozenset(chosen)
    assert chosen == other
    assert other == chosen
    assert hash(chosen) == hash(other)
    assert {chosen, other, CardSet(other)} == {other}


@pytest.mark.parametrize(
    "other",
    [{"QS"}, frozenset({"QS"}), {5}, ["QS"], "QS", 5, None, {card("KS")}],
)
def test_a_card_set_is_equal_to_nothing_else(other: Any) -> None:
    assert cards("QS") != other
    assert other != cards("QS")


@pytest.mark.parametrize("operate", [*MAKING, *COMPARING[:4]])
def test_an_operator_refuses_a_set_of_anything_else(
    operate: Callable[[Any, Any], Any],
) -> None:
    for texts in ({"QS"}, frozenset({"QS", "2C"})):
        with pytest.raises(Malformed, match="allowed: a Card"):
            operate(cards("QS"), texts)
    with pytest.raises(Malformed, match="allowed: a Card"):
        operate({5}, cards("QS"))


@pytest.mark.parametrize("operate", [*MAKING, *COMPARING[:4]])
@pytest.mark.parametrize("other", [5, "QS", [Card("QS")], None])
def test_an_operator_refuses_what_is_no_set(
    operate: Callable[[Any, Any], Any], other: Any
) -> None:
    with pytest.raises(TypeError, match="a Set of cards"):
        operate(cards("QS"), other)
    with pytest.raises(TypeError, match="a Set of cards"):
        operate(other, cards("QS"))


@pytest.mark.parametrize("operate", [*MAKING, *COMPARING[:4]])
@pytest.mark.parametrize("text", ["QS 2H", "2h, Q♠", ["QS", "2H"]], ids=str)
def test_what_names_cards_is_answered_with_the_set_to_write(
    operate: Callable[[Any, Any], Any], text: Any
) -> None:
    for one, other in ((cards("QS"), text), (text, cards("QS"))):
        with pytest.raises(TypeError, match=r"write CardSet\('QS 2H'\)$"):
            operate(one, other)


@pytest.mark.parametrize(
    "mask",
    [-1, -2, 2**52, 2**62, 2**63, -(2**63), 2**64, 10**30, 10**5000],
    ids=lambda mask: hex(mask)[:9],
)
def test_a_mask_is_of_52_bits(mask: int) -> None:
    with pytest.raises(Malformed, match=r"mask: .*a mask of 52 bits"):
        CardSet(mask=mask)
    with pytest.raises(Malformed, match=r"mask: .*a mask of 52 bits"):
        CardSet.of_mask(mask)


def test_a_copy_is_the_set_itself() -> None:
    hand = cards("QS 2C")
    assert copy.copy(hand) is hand
    assert copy.deepcopy(hand) is hand
    assert pickle.loads(pickle.dumps(hand)) == hand


def test_a_mask_makes_a_set() -> None:
    assert CardSet(mask=2**52 - 1) == WHOLE_PACK
    assert CardSet(mask=0) == CardSet() == cards("")
    assert CardSet(mask=5) == cards("2C 4C")


# Patterns


def told(act: acts.Act) -> object:
    """A word for the pattern that an act matches, and the fields that it extracts."""
    match act:
        case acts.Cut(seat, one):
            return "cut", seat, one
        case acts.Deal(seat, hands, stock, kitty):
            return "deal", seat, hands, stock, kitty
        case acts.Pass(seat, given_cards):
            return "pass", seat, given_cards
        case acts.Scatter(seat, ((1, first), (2, second))):
            return "scatter", seat, first, second
        case acts.PassUnseen(seat):
            return "forward", seat
        case acts.Mix(seat, hands, kitty):
            return "mix", seat, hands, kitty
        case acts.Draw(seat):
            return "draw", seat
        case Play(0, Card.QUEEN_OF_SPADES):
            return "the queen"
        case Play(seat, one):
            return "play", seat, one
        case acts.Retract(seat, one):
            return "retract", seat, one
        case acts.QuitTrick(seat):
            return "quit", seat
        case acts.Claim(seat, against, trick):
            return "claim", seat, against, trick
        case acts.MoonChoice(seat, int(other)):
            return "moon one", seat, other
        case acts.MoonChoice(seat, choice):
            return "moon", seat, choice
    return None


@pytest.mark.parametrize(
    ("act", "parts"),
    [
        (acts.Cut(1, "2C"), ("cut", 1, Card("2C"))),
        (acts.Deal(1, ["2C"]), ("deal", 1, (cards("2C"),), (), cards(""))),
        (acts.Pass(2, "2C"), ("pass", 2, cards("2C"))),
        (acts.Scatter(0, {2: "3C", 1: "2C"}), ("scatter", 0, Card("2C"), Card("3C"))),
        (acts.PassUnseen(3), ("forward", 3)),
        (acts.Mix(0, ["2C"]), ("mix", 0, (cards("2C"),), cards(""))),
        (acts.Draw(1), ("draw", 1)),
        (Play(0, "QS"), "the queen"),
        (Play(1, "QS"), ("play", 1, Card("QS"))),
        (acts.Retract(0, "2C"), ("retract", 0, Card("2C"))),
        (acts.QuitTrick(0), ("quit", 0)),
        (acts.Claim(0, 1, 2), ("claim", 0, 1, 2)),
        (acts.MoonChoice(0, 2), ("moon one", 0, 2)),
        (acts.MoonChoice(0, "self_minus"), ("moon", 0, "self_minus")),
    ],
)
def test_acts_match_by_their_parts(act: acts.Act, parts: object) -> None:
    assert told(act) == parts


def test_seats_scores_and_what_lies_on_the_table_match() -> None:
    begun = new_deal(hearts(2, revokes="penalised"), ["2C 4C", "3C 5D"], dealer=1)
    state = begun.play("2C")
    match state.turn, state.table, state.verdict(Play(1, "3C")):
        case (1,), Table(0, (Card.TWO_OF_CLUBS,)), Legal():
            pass
        case _:
            pytest.fail("no match")
    match state.verdict(Play(1, "5D")):
        case Irregular(("5.3",)):
            pass
        case _:
            pytest.fail("no match")
    over = state.play("3C").play("5D").play("4C")
    match over.score, over.winners, over.history[0]:
        case (0, 0), (0, 1), Trick(0, (_, Card.THREE_OF_CLUBS), 1):
            pass
        case _:
            pytest.fail("no match")
    match cards("2C"):
        case CardSet(1):
            pass
        case _:
            pytest.fail("no match")


def test_what_is_no_set_of_cards_is_told_what_to_write() -> None:
    hand: Any = cards("QS 2C")
    with pytest.raises(Malformed, match=r"a Card, such as card\('QS'\)"):
        hand & {"qs"}
    with pytest.raises(TypeError, match=r"not Card\('QS'\); write CardSet\('QS'\)"):
        hand & card("QS")
    with pytest.raises(Malformed, match=r"allowed: a Card$"):
        hand & {7}


def test_a_set_of_cards_is_set_in_a_column_like_text() -> None:
    assert f"{cards('QS 2C'):>8}|{cards('2C'):<4}|" == "   2C QS|2C  |"
    assert f"{cards('2C')}" == "2C"


def test_what_is_no_act_and_no_ruleset_is_told_what_one_is() -> None:
    wrong: Any = "2C"
    hands = ["2C 4C", "3C 5D"]
    with pytest.raises(Malformed, match=r"an act, such as Play\(0, '2C'\)"):
        new_deal(hearts(2), hands).apply(wrong)
    with pytest.raises(Malformed, match=r"a Ruleset, such as Ruleset\('common-"):
        new_deal(wrong, hands)
