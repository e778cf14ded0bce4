"""Clause 1.9: writing cards down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refengine import Malformed
from refengine.chapters.cards import Mask
from refengine.machine.notation import (
    CARD_TEXTS,
    read_card,
    read_sequence,
    read_set,
    write_sequence,
    write_set,
)


@given(numbers=st.lists(st.integers(0, 51), unique=True))
def test_a_sequence_reads_back_in_its_own_order(numbers: list[int]) -> None:
    assert read_sequence(write_sequence(tuple(numbers))) == tuple(numbers)


@given(numbers=st.lists(st.integers(0, 51), unique=True))
def test_a_set_reads_in_any_order_and_is_written_in_one(numbers: list[int]) -> None:
    mask = Mask(sum(2**number for number in numbers))
    assert read_set(write_sequence(tuple(numbers))) == mask
    assert write_set(mask) == write_sequence(tuple(sorted(numbers)))


def test_every_card_has_a_text_of_rank_and_suit() -> None:
    assert [read_card(text) for text in CARD_TEXTS] == list(range(52))
    ranks = "23456789TJQKA"
    assert tuple(rank + suit for suit in "CDSH" for rank in ranks) == CARD_TEXTS


def test_nothing_is_written_as_nothing() -> None:
    assert read_sequence("") == ()
    assert read_set("") == 0
    assert write_set(Mask(0)) == write_sequence(()) == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1C", "1C"),
        ("CQ", "CQ"),
        ("2C QX", "QX"),
        ("qs", "qs"),
        ("Q♠", "Q♠"),
        (" ", ""),
        ("QS ", ""),
        (" QS", ""),
        ("x" * 99, "x" * 40),
    ],
)
def test_what_is_no_card_is_malformed_and_says_what_was_found(
    text: str, found: str
) -> None:
    with pytest.raises(Malformed) as malformed:
        read_sequence(text)
    assert "such as QS" in malformed.value.allowed
    assert malformed.value.found == repr(found)


def test_a_card_twice_is_malformed() -> None:
    with pytest.raises(Malformed, match="QS twice"):
        read_set("QS 2C QS")


def test_a_fault_says_where_what_and_what_else_would_do() -> None:
    fault = Malformed("13", "a rank", "hands[0]")
    assert str(fault) == "hands[0]: found 13; allowed: a rank"
    assert str(Malformed("13", "a rank")) == "found 13; allowed: a rank"
    assert fault.within("setup").where == "setup.hands[0]"
    assert Malformed("13", "a rank").within("setup").where == "setup"
    assert isinstance(fault, ValueError)


MEANT = {
    "10D": "TD",
    "qs": "QS",
    "♠Q": "QS",
    "Qs,3h": "QS 3H",
    "A♥, Q♠ 10c": "AH QS TC",
    "\uff31\u2660": "QS",
    "\uff11\uff10\uff28": "TH",
    "QSpades": "QS",
    "tenhearts": "TH",
    "qs qs": "QS",
    "queen of spades": "QS",
    "QS  2H": "QS 2H",
}


@pytest.mark.parametrize("text", MEANT)
def test_a_text_that_means_cards_is_answered_with_their_spelling(text: str) -> None:
    with pytest.raises(Malformed, match=rf"; did you mean {MEANT[text]}\?$"):
        read_sequence(text)


@pytest.mark.parametrize("text", ["QX", "1C", "the lady", "", "QS 2H", "Q" * 5000])
def test_a_text_that_means_no_card_is_answered_without(text: str) -> None:
    with pytest.raises(Malformed, match=r"such as QS$"):
        read_card(text)
