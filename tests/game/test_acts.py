"""Acts as values: how they are made, written and refused."""

from typing import Any

import attrs
import numpy as np
import pytest

from refengine import (
    Act,
    Card,
    CardSet,
    Claim,
    Cut,
    Deal,
    Draw,
    Malformed,
    Mix,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Retract,
    Scatter,
)

WRITTEN: list[tuple[Act, str, str, str]] = [
    (Cut(0, "5H"), "Cut(0, '5H')", "cut 5H", "cut 5H"),
    (Deal(1, ["2C", "3C"]), "Deal(1, ['2C', '3C'])", "deal", "deal 2C, 3C"),
    (
        Deal(1, ["", "3C"], "5C 4C", "2H"),
        "Deal(1, ['', '3C'], stock='5C 4C', kitty='2H')",
        "deal",
        "deal no cards, 3C",
    ),
    (Pass(2, "QS 2C"), "Pass(2, '2C QS')", "pass 2C QS", "pass 2C QS"),
    (
        Scatter(0, {2: "KH", 1: "QS"}),
        "Scatter(0, {1: 'QS', 2: 'KH'})",
        "scatter 1:QS 2:KH",
        "scatter 1:QS 2:KH",
    ),
    (Pass(2, ""), "Pass(2, '')", "pass ", "pass no cards"),
    (Scatter(0, {}), "Scatter(0, {})", "scatter ", "scatter no cards"),
    (PassUnseen(3), "PassUnseen(3)", "forward", "pass on unseen what comes"),
    (
        Mix(0, ["2C", ""]),
        "Mix(0, ['2C', ''])",
        "mix",
        "give back 2C, no cards from the mix",
    ),
    (
        Mix(0, ["2C"], "3C"),
        "Mix(0, ['2C'], kitty='3C')",
        "mix",
        "give back 2C from the mix",
    ),
    (Draw(4), "Draw(4)", "draw", "draw"),
    (Play(5, "QS"), "Play(5, 'QS')", "QS", "play QS"),
    (Retract(1, "QS"), "Retract(1, 'QS')", "retract QS", "take back QS"),
    (QuitTrick(1), "QuitTrick(1)", "quit", "turn a trick face down"),
    (
        Claim(0, 1, 3),
        "Claim(0, against=1, trick=3)",
        "claim 1 3",
        "claim a revoke of seat 1 in trick 3",
    ),
    (
        MoonChoice(0, "self_minus"),
        "MoonChoice(0, 'self_minus')",
        "moon self_minus",
        "choose moon self_minus",
    ),
    (MoonChoice(0, 2), "MoonChoice(0, 2)", "moon one 2", "choose moon one 2"),
]


@pytest.mark.parametrize(("act", "shown", "text", "phrase"), WRITTEN)
def test_an_act_is_written_as_notation_as_text_and_in_words(
    act: Act, shown: str, text: str, phrase: str
) -> None:
    assert repr(act) == shown
    assert str(act) == text
    assert act.phrase == phrase


def test_cards_are_given_as_notation_or_as_cards() -> None:
    queen, king = Card("QS"), Card("KH")
    assert Play(0, "QS") == Play(0, queen)
    assert Pass(0, "QS KH") == Pass(0, [queen, king]) == Pass(0, CardSet("KH QS"))
    assert Deal(0, ["QS"], "KH 2C") == Deal(0, [CardSet("QS")], [king, Card("2C")])
    assert Deal(0, (["QS", "KH"][i] for i in (0, 1))) == Deal(0, ["QS", "KH"])
    assert Scatter(0, {1: queen}) == Scatter(0, {1: "QS"})
    assert Scatter(0, {1: queen}).cards == ((1, queen),)
    assert Deal(0, ["QS"], iter([queen, king])).stock == (queen, king)


def test_a_stock_keeps_its_order_and_sets_have_none() -> None:
    assert Deal(0, ["2C 3C"], "5C 4C") != Deal(0, ["3C 2C"], "4C 5C")
    assert Deal(0, ["2C 3C"]) == Deal(0, ["3C 2C"])


def test_acts_of_different_kinds_or_seats_differ() -> None:
    acts = [act for act, *_ in WRITTEN]
    assert len(set(acts)) == len(acts)
    assert Play(0, "QS") != Play(1, "QS")


def test_an_act_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Play(0, "QS").card = Card("KS")  # type: ignore[misc]  # that is the point


SEAT = "a seat, a whole number from 0 to 12"


@pytest.mark.parametrize("seat", [-1, 13, "0", 0.0, None, True])
def test_a_seat_is_a_whole_number_at_the_largest_table(seat: Any) -> None:
    makers: list[Any] = [
        lambda: Cut(seat, "2C"),
        lambda: Deal(seat, ["2C"]),
        lambda: Pass(seat, "2C"),
        lambda: Scatter(seat, {}),
        lambda: Scatter(0, {seat: "2C"}),
        lambda: PassUnseen(seat),
        lambda: Mix(seat, ["2C"]),
        lambda: Draw(seat),
        lambda: Play(seat, "2C"),
        lambda: Retract(seat, "2C"),
        lambda: QuitTrick(seat),
        lambda: Claim(seat, 0, 1),
        lambda: Claim(0, seat, 1),
        lambda: MoonChoice(seat, "self_minus"),
    ]
    for make in makers:
        with pytest.raises(Malformed) as malformed:
            make()
        assert malformed.value.found == repr(seat)
        assert malformed.value.allowed == SEAT


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda: Play(0, "XX"), "'XX'"),
        (lambda: Play(0, 5), "5"),
        (lambda: Cut(0, None), "None"),
        (lambda: Retract(0, ["QS"]), "['QS']"),
        (lambda: Pass(0, "QS QS"), "QS twice"),
        (lambda: Pass(0, 5), "5"),
        (lambda: Pass(0, ["QX"]), "'QX'"),
        (lambda: Deal(0, "2C 3C"), "'2C 3C'"),
        (lambda: Deal(0, 5), "5"),
        (lambda: Deal(0, [5]), "5"),
        (lambda: Deal(0, ["2C"], stock=5), "5"),
        (lambda: Deal(0, ["2C"], stock=["2C 3C"]), "'2C 3C'"),
        (lambda: Deal(0, ["2C"], stock="2C 2C"), "2C twice"),
        (lambda: Deal(0, ["2C"], kitty=None), "None"),
        (lambda: Mix(0, None), "None"),
        (lambda: Scatter(0, "QS"), "'QS'"),
        (lambda: Scatter(0, {1: "QS", 2: "QS"}), "QS twice"),
        (lambda: Scatter(0, {1: 5}), "5"),
        (lambda: Scatter(0, [(1, "QS"), (1, "KS")]), "seat 1 twice"),
        (lambda: Scatter(0, [(1, "QS", 2)]), "[(1, 'QS', 2)]"),
        (lambda: Scatter(0, [1, 2]), "[1, 2]"),
        (lambda: Scatter(0, None), "None"),
        (lambda: Claim(0, 1, 0), "0"),
        (lambda: Claim(0, 1, "1"), "'1'"),
        (lambda: Claim(0, 1, True), "True"),
        (lambda: MoonChoice(0, "both"), "'both'"),
        (lambda: MoonChoice(0, None), "None"),
        (lambda: MoonChoice(0, 13), "13"),
    ],
)
def test_what_makes_no_act_is_malformed(make: Any, found: str) -> None:
    with pytest.raises(Malformed) as malformed:
        make()
    assert malformed.value.found == found
    assert malformed.value.allowed


def test_a_message_shows_the_beginning_of_what_is_long() -> None:
    found = "\udcb7" * 5000
    with pytest.raises(Malformed) as caught:
        Play(0, found)
    said = str(caught.value)
    assert len(said) < 200
    assert "…" in said
    assert "allowed" in said
    assert len(Malformed(found, "a card").found) == 5000


def test_a_scatter_is_made_from_its_own_cards() -> None:
    act = Scatter(0, {2: "KH", 1: "QS"})
    assert Scatter(0, act.cards) == Scatter(0, [(2, "KH"), [1, "QS"]]) == act
    assert attrs.evolve(act, seat=3) == Scatter(3, {1: "QS", 2: "KH"})


def test_numbers_of_numpy_are_seats_and_tricks() -> None:
    one: Any = np.int64(1)
    act = Claim(one, one, one)
    assert act == Claim(1, 1, 1)
    assert [type(number) for number in (act.seat, act.against, act.trick)] == [int] * 3
    assert MoonChoice(0, one) == MoonChoice(0, 1)


def test_a_deal_of_no_cards_is_said_once() -> None:
    assert Deal(0, ["", ""]).phrase == "deal no cards"
    assert Deal(0, ["2C", ""]).phrase == "deal 2C, no cards"
