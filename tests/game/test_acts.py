"""Tests of acts as values: how they are made, written and rejected."""

from typing import Any

import attrs
import numpy as np
import pytest

from refengine import Card, CardSet, Malformed
from refengine.game import acts
from tests.support.refusing import malformed

WRITTEN: list[tuple[acts.Act, str, str, str]] = [
    (acts.Cut(0, "5H"), "Cut(0, '5H')", "cut 5H", "cut 5H"),
    (acts.Deal(1, ["2C", "3C"]), "Deal(1, ['2C', '3C'])", "deal", "deal 2C, 3C"),
    (
        acts.Deal(1, ["", "3C"], "5C 4C", "2H"),
        "Deal(1, ['', '3C'], stock='5C 4C', kitty='2H')",
        "deal",
        "deal no cards, 3C",
    ),
    (acts.Pass(2, "QS 2C"), "Pass(2, '2C QS')", "pass 2C QS", "pass 2C QS"),
    (
        acts.Scatter(0, {2: "KH", 1: "QS"}),
        "Scatter(0, {1: 'QS', 2: 'KH'})",
        "scatter 1:QS 2:KH",
        "scatter 1:QS 2:KH",
    ),
    (acts.Pass(2, ""), "Pass(2, '')", "pass ", "pass no cards"),
    (acts.Scatter(0, {}), "Scatter(0, {})", "scatter ", "scatter no cards"),
    (acts.PassUnseen(3), "PassUnseen(3)", "forward", "pass on unseen what comes"),
    (
        acts.Mix(0, ["2C", ""]),
        "Mix(0, ['2C', ''])",
        "mix",
        "give back 2C, no cards from the mix",
    ),
    (
        acts.Mix(0, ["2C"], "3C"),
        "Mix(0, ['2C'], kitty='3C')",
        "mix",
        "give back 2C from the mix",
    ),
    (acts.Draw(4), "Draw(4)", "draw", "draw"),
    (acts.Play(5, "QS"), "Play(5, 'QS')", "QS", "play QS"),
    (acts.Retract(1, "QS"), "Retract(1, 'QS')", "retract QS", "take back QS"),
    (acts.QuitTrick(1), "QuitTrick(1)", "quit", "turn a trick face down"),
    (
        acts.Claim(0, 1, 3),
        "Claim(0, against=1, trick=3)",
        "claim 1 3",
        "claim a revoke of seat 1 in trick 3",
    ),
    (
        acts.MoonChoice(0, "self_minus"),
        "MoonChoice(0, 'self_minus')",
        "moon self_minus",
        "choose moon self_minus",
    ),
    (acts.MoonChoice(0, 2), "MoonChoice(0, 2)", "moon one 2", "choose moon one 2"),
]


@pytest.mark.parametrize(("act", "shown", "text", "phrase"), WRITTEN)
def test_an_act_is_written_as_notation_as_text_and_in_words(
    act: acts.Act, shown: str, text: str, phrase: str
) -> None:
    assert repr(act) == shown
    assert str(act) == text
    assert act.phrase == phrase


def test_cards_are_given_as_notation_or_as_cards() -> None:
    queen, king = Card("QS"), Card("KH")
    assert acts.Play(0, "QS") == acts.Play(0, queen)
    assert (
        acts.Pass(0, "QS KH")
        == acts.Pass(0, [queen, king])
        == acts.Pass(0, CardSet("KH QS"))
    )
    assert acts.Deal(0, ["QS"], "KH 2C") == acts.Deal(
        0, [CardSet("QS")], [king, Card("2C")]
    )
    assert acts.Deal(0, (["QS", "KH"][i] for i in (0, 1))) == acts.Deal(0, ["QS", "KH"])
    assert acts.Scatter(0, {1: queen}) == acts.Scatter(0, {1: "QS"})
    assert acts.Scatter(0, {1: queen}).cards == ((1, queen),)
    assert acts.Deal(0, ["QS"], iter([queen, king])).stock == (queen, king)


def test_a_stock_keeps_its_order_and_sets_have_none() -> None:
    assert acts.Deal(0, ["2C 3C"], "5C 4C") != acts.Deal(0, ["3C 2C"], "4C 5C")
    assert acts.Deal(0, ["2C 3C"]) == acts.Deal(0, ["3C 2C"])


def test_acts_of_different_kinds_or_seats_differ() -> None:
    assert len({act for act, *_ in WRITTEN}) == len(WRITTEN)
    assert acts.Play(0, "QS") != acts.Play(1, "QS")


def test_an_act_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        acts.Play(0, "QS").card = Card("KS")  # type: ignore[misc]  # that is the point


SEAT = "a seat, a whole number from 0 to 12"


@pytest.mark.parametrize("seat", [-1, 13, "0", 0.0, None, True])
def test_a_seat_is_a_whole_number_at_the_largest_table(seat: Any) -> None:
    makers: list[Any] = [
        lambda: acts.Cut(seat, "2C"),
        lambda: acts.Deal(seat, ["2C"]),
        lambda: acts.Pass(seat, "2C"),
        lambda: acts.Scatter(seat, {}),
        lambda: acts.Scatter(0, {seat: "2C"}),
        lambda: acts.PassUnseen(seat),
        lambda: acts.Mix(seat, ["2C"]),
        lambda: acts.Draw(seat),
        lambda: acts.Play(seat, "2C"),
        lambda: acts.Retract(seat, "2C"),
        lambda: acts.QuitTrick(seat),
        lambda: acts.Claim(seat, 0, 1),
        lambda: acts.Claim(0, seat, 1),
        lambda: acts.MoonChoice(seat, "self_minus"),
    ]
    for make in makers:
        error = malformed(make)
        assert (error.found, error.allowed) == (repr(seat), SEAT)


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda: acts.Play(0, "XX"), "'XX'"),
        (lambda: acts.Play(0, 5), "5"),
        (lambda: acts.Cut(0, None), "None"),
        (lambda: acts.Retract(0, ["QS"]), "['QS']"),
        (lambda: acts.Pass(0, "QS QS"), "QS twice"),
        (lambda: acts.Pass(0, 5), "5"),
        (lambda: acts.Pass(0, ["QX"]), "'QX'"),
        (lambda: acts.Deal(0, "2C 3C"), "'2C 3C'"),
        (lambda: acts.Deal(0, 5), "5"),
        (lambda: acts.Deal(0, [5]), "5"),
        (lambda: acts.Deal(0, ["2C"], stock=5), "5"),
        (lambda: acts.Deal(0, ["2C"], stock=["2C 3C"]), "'2C 3C'"),
        (lambda: acts.Deal(0, ["2C"], stock="2C 2C"), "2C twice"),
        (lambda: acts.Deal(0, ["2C"], kitty=None), "None"),
        (lambda: acts.Mix(0, None), "None"),
        (lambda: acts.Scatter(0, "QS"), "'QS'"),
        (lambda: acts.Scatter(0, {1: "QS", 2: "QS"}), "QS twice"),
        (lambda: acts.Scatter(0, {1: 5}), "5"),
        (lambda: acts.Scatter(0, [(1, "QS"), (1, "KS")]), "seat 1 twice"),
        (lambda: acts.Scatter(0, [(1, "QS", 2)]), "[(1, 'QS', 2)]"),
        (lambda: acts.Scatter(0, [1, 2]), "[1, 2]"),
        (lambda: acts.Scatter(0, None), "None"),
        (lambda: acts.Claim(0, 1, 0), "0"),
        (lambda: acts.Claim(0, 1, "1"), "'1'"),
        (lambda: acts.Claim(0, 1, True), "True"),
        (lambda: acts.MoonChoice(0, "both"), "'both'"),
        (lambda: acts.MoonChoice(0, None), "None"),
        (lambda: acts.MoonChoice(0, 13), "13"),
    ],
)
def test_what_makes_no_act_is_malformed(make: Any, found: str) -> None:
    error = malformed(make)
    assert error.found == found
    assert error.allowed


def test_a_message_shows_the_beginning_of_what_is_long() -> None:
    found = "\udcb7" * 5000
    said = str(malformed(acts.Play, 0, found))
    assert len(said) < 200
    assert "…" in said
    assert "allowed" in said
    assert len(Malformed(found, "a card").found) == 5000


def test_a_scatter_is_made_from_its_own_cards() -> None:
    act = acts.Scatter(0, {2: "KH", 1: "QS"})
    assert acts.Scatter(0, act.cards) == acts.Scatter(0, [(2, "KH"), [1, "QS"]]) == act
    assert attrs.evolve(act, seat=3) == acts.Scatter(3, {1: "QS", 2: "KH"})


def test_numbers_of_numpy_are_seats_and_tricks() -> None:
    one: Any = np.int64(1)
    act = acts.Claim(one, one, one)
    assert act == acts.Claim(1, 1, 1)
    assert [type(number) for number in (act.seat, act.against, act.trick)] == [int] * 3
    assert acts.MoonChoice(0, one) == acts.MoonChoice(0, 1)


def test_a_deal_and_a_mix_of_no_cards_are_said_once() -> None:
    assert acts.Deal(0, ["", ""]).phrase == "deal no cards"
    assert acts.Deal(0, ["2C", ""]).phrase == "deal 2C, no cards"
    assert acts.Mix(0, ["", ""]).phrase == "give back no cards from the mix"
