"""Tests of formal lines: their notation (0.8), and agreement with the functions."""

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refengine.errors import Malformed
from refengine.lawbook import book, formal
from refengine.lawbook.formal import Context, Formal
from refengine.machine.notation import read_sequence, write_sequence
from refengine_conformance.lawbook_checks.book_check import (
    DRAWING,
    LINES,
    NARROWING,
    PASSAGES,
    answer_by_example_row,
    answer_by_formal_lines,
    answer_by_function,
    random_context,
)
from tests.support.refusing import malformed

NAMES = {
    "5.2": "play.opening_card",
    "5.3": "play.follow_suit",
    "5.4": "play.hold_back_hearts",
    "5.5": "play.no_points_at_first",
    "5.5b": "play.hold_back_queen",
    "5.6": "play.play_the_queen",
    "6.1": "draw.must_draw_to_follow",
    "6.2": "draw.must_draw_to_lead",
}
ROWS = [(number, row) for number in LINES for row in PASSAGES[number].examples]


def evaluated(sign: str, context: Context) -> str:
    """The cards of a set that is written in formal signs, listed as text."""
    cards = formal.cards_left_by(
        [formal.parse_formal_line(f"allowed' = {sign}")], context
    )
    return write_sequence(tuple(sorted(cards)))


def holds(sign: str, context: Context) -> bool:
    return formal.must_draw(formal.parse_formal_line(f"must_draw when {sign}"), context)


def test_every_formal_line_is_held_against_the_function_of_its_clause() -> None:
    assert NAMES.keys() == LINES.keys() == NARROWING.keys() | DRAWING.keys()
    for number, name in NAMES.items():
        assert name in book.clause(number).functions
        assert PASSAGES[number].examples


@pytest.mark.parametrize(("number", "row"), ROWS)
def test_function_formal_line_and_example_row_agree(
    number: str, row: tuple[str, ...]
) -> None:
    context = Context.of_example(*row[:3])
    assert answer_by_formal_lines(LINES[number], context) == answer_by_example_row(row)
    assert answer_by_function(number, context) == answer_by_example_row(row)


@pytest.mark.unmeasured
def test_function_and_formal_line_agree_on_thousands_of_hands_and_often_bite() -> None:
    random = Random(5)
    bites = dict.fromkeys(LINES, 0)
    for _ in range(6_000):
        context = random_context(random)
        for number, lines in LINES.items():
            said = answer_by_formal_lines(lines, context)
            assert answer_by_function(number, context) == said, (number, context)
            bites[number] += said is True or said not in (False, context.allowed)
            if isinstance(said, frozenset):
                assert set() < said <= context.allowed, (number, context)
    assert all(often > 60 for often in bites.values()), bites


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [
        ("5.2", "lowest(allowed & clubs)", "allowed & clubs"),
        ("5.2", " and not drew", ""),
        ("5.3", "nonempty(allowed & suit(led), allowed)", "allowed & suit(led)"),
        ("5.4", "not hearts_broken", "hearts_broken"),
        ("5.4", " and not drew", ""),
        ("5.5", "penalty", "hearts"),
        ("5.5b", "not hearts_broken", "hearts_broken"),
        ("5.5b", "leading and queen_waits", "queen_waits"),
        ("5.6", "{KS AS}", "{AS}"),
        ("6.1", " and stock", ""),
        ("6.2", "hand <= hearts", "hand <= hearts | queen"),
    ],
)
def test_a_changed_formal_line_is_caught_by_an_example_row(
    number: str, old: str, new: str
) -> None:
    assert any(old in line for line in PASSAGES[number].formal)
    lines = [
        formal.parse_formal_line(line.replace(old, new))
        for line in PASSAGES[number].formal
    ]
    assert any(
        answer_by_formal_lines(lines, Context.of_example(*row[:3]))
        != answer_by_example_row(row)
        for row in PASSAGES[number].examples
    )


@pytest.mark.parametrize("lines", LINES.values())
def test_the_repr_of_a_formal_line_is_the_line_again(lines: tuple[Formal, ...]) -> None:
    for line in lines:
        assert formal.parse_formal_line(repr(line)) == line
        assert str(line) == line.line


def test_a_formal_line_tells_the_two_forms_apart_and_the_options_it_names() -> None:
    assert not LINES["5.4"][0].must_draw
    assert LINES["5.4"][0].options == ("heart_leads", "hearts_or_queen_leader")
    assert LINES["6.1"][0].must_draw
    assert LINES["6.1"][0].options == ()
    twice = "must_draw when not (undealt) is none and undealt is none"
    assert formal.parse_formal_line(twice).options == ("undealt",)


MIDDLE = Context.of_example("2C 9C KD QS 3H", "4S KS 2H", "stock, bonus_points=-5")
LEADING = Context.of_example("2C 9C", "", "first trick, hearts broken, drew")


@pytest.mark.parametrize(
    ("sign", "cards"),
    [
        ("hand", "2C 9C KD QS 3H"),
        ("allowed", "2C 9C KD QS 3H"),
        ("led", "4S"),
        ("trick", "4S KS 2H"),
        ("trick & spades", "4S KS"),
        ("hand & diamonds", "KD"),
        ("queen", "QS"),
        ("hand & penalty", "QS 3H"),
        ("{AS 2C}", "2C AS"),
        ("suit(queen) & hand", "QS"),
        ("suit(hand - hand)", ""),
        ("suit(trick & spades) - {2S 3S}", "4S 5S 6S 7S 8S 9S TS JS QS KS AS"),
        ("lowest(hand & clubs)", "2C"),
        ("lowest(hand - hand)", ""),
        ("nonempty(hand & diamonds, hand)", "KD"),
        ("nonempty(led & hand, queen)", "QS"),
        ("(hand - clubs) | queen", "KD QS 3H"),
        ("hand & (clubs - {2C})", "9C"),
        ("hand - (clubs | queen)", "KD 3H"),
        ("hand - clubs - diamonds", "QS 3H"),
        ("{2C} | hand & hearts", "2C 3H"),
        ("({2C} | hand) & hearts", "3H"),
        ("hand-clubs", "KD QS 3H"),
    ],
)
def test_a_set_in_signs_stands_for_these_cards(sign: str, cards: str) -> None:
    assert evaluated(sign, MIDDLE) == cards


@pytest.mark.parametrize(
    "sign",
    [
        "not leading",
        "stock",
        "not first_trick",
        "not drew and not hearts_broken",
        "trick",
        "not (hand - hand)",
        "not hand & suit({AD}) & clubs",
        "led <= spades",
        "not hand <= spades",
        "hand - hand <= hand - hand",
        "(hand & clubs) <= hand",
        "(leading or stock) and not (leading and stock)",
        "stock or leading and leading",
        "not leading or leading",
        "not not stock",
        "heart_points is 1",
        "bonus_points is -5",
        "bonus_card is none and hand_size is all",
        "queen_breaks_hearts is false and not pass_unseen is true",
        "undealt is none",
    ],
)
def test_a_condition_in_signs_holds(sign: str) -> None:
    assert holds(sign, MIDDLE)
    assert not holds(f"not ({sign})", MIDDLE)


def test_flags_hold_as_given_and_leading_when_the_table_is_empty() -> None:
    assert holds("leading and first_trick and hearts_broken and drew", LEADING)
    assert not holds("stock", LEADING)
    assert evaluated("led | trick", LEADING) == ""
    assert LEADING.led is None
    assert MIDDLE.led == read_sequence("4S")[0]


@pytest.mark.parametrize(
    ("given_", "penalty"),
    [
        ("", "QS 3H"),
        ("heart_points=0", "QS"),
        ("heart_points=face", "QS 3H"),
        ("queen_points=0", "3H"),
        ("king_points=10", "QS KS 3H"),
        ("ace_points=7", "QS AS 3H"),
    ],
)
def test_penalty_cards_are_those_that_cost_points(given_: str, penalty: str) -> None:
    context = Context.of_example("2C QS KS AS 3H", "", given_)
    assert evaluated("hand & penalty", context) == penalty


def test_the_first_line_whose_condition_holds_applies_and_none_leaves_all() -> None:
    lines = [
        formal.parse_formal_line("when leading: allowed' = led - led"),
        formal.parse_formal_line("when stock: allowed' = hand & clubs"),
        formal.parse_formal_line("allowed' = hand & hearts"),
    ]
    assert formal.cards_left_by(lines, MIDDLE) == frozenset(read_sequence("2C 9C"))
    assert formal.cards_left_by(lines[:1], MIDDLE) == MIDDLE.allowed
    assert formal.cards_left_by(lines[2:], MIDDLE) == frozenset(read_sequence("3H"))
    assert formal.cards_left_by([], MIDDLE) == MIDDLE.allowed


def test_a_line_is_not_evaluated_as_the_other_form() -> None:
    with pytest.raises(Malformed, match="lines that leave cards"):
        formal.cards_left_by([formal.parse_formal_line("must_draw when stock")], MIDDLE)
    with pytest.raises(Malformed, match="a draw is due"):
        formal.must_draw(formal.parse_formal_line("allowed' = hand"), MIDDLE)


@pytest.mark.parametrize("sign", ["suit(trick)", "lowest(hand)"])
def test_suit_and_lowest_of_several_suits_are_malformed(sign: str) -> None:
    with pytest.raises(Malformed, match="cards of several suits"):
        evaluated(sign, MIDDLE)


@pytest.mark.parametrize(
    ("line", "column"),
    [
        *(("", 1), ("hand", 1), ("allowed = hand", 1), ("allowed' hand", 1)),
        *(("allowed' = ", 1), ("when leading allowed' = hand", 1)),
        *(("when leading: must_draw", 1), ("must_draw", 1), ("must_draw when", 1)),
        ("must_draw when stock:", 21),
        ("when stock: must_draw when stock: allowed' = hand", 11),
        ("allowed' = hand ^ led", 17),
        ("allowed' = h\u00e4nd", 13),
        ("allowed' = 'KS'", 12),
        # What Python does not read
        ("allowed' = hand hand", 17),
        ("allowed' = hand &", 18),
        ("allowed' = hand - not hand", 19),
        ("allowed' = (hand", 12),
        ("allowed' = hand) | (hand", 16),
        ("allowed' = suit hand", 17),
        ("allowed' = {2C", 13),
        ("when leading and: allowed' = hand", 17),
        ("must_draw when is is is", 16),
        ("must_draw when undealt is", 26),
        ("must_draw when not", 19),
        # What it reads and the book does not have
        ("allowed' = hands", 12),
        ("allowed' = hand & leading", 19),
        ("allowed' = leading | hand", 12),
        ("allowed' = leading", 12),
        ("allowed' = hand << led", 12),
        ("allowed' = suit(leading)", 17),
        ("allowed' = suit(hand, led)", 12),
        ("allowed' = suit(hand, x=led)", 12),
        ("allowed' = nonempty(hand)", 12),
        ("allowed' = nonempty(hand, stock)", 27),
        *(("allowed' = {2C 1C}", 12), ("allowed' = {2C 2C}", 12)),
        *(("allowed' = {2C}{3C}", 12), ("allowed' = {2C, 3C}", 13)),
        *(("allowed' = r{KS}", 13), ("allowed' = {}", 12), ("allowed' = 5", 12)),
        ("must_draw when raining", 16),
        ("must_draw when stock <= hand", 16),
        ("must_draw when hand <= stock", 24),
        ("must_draw when hand <= led <= trick", 16),
        ("must_draw when hand is not led", 16),
        ("must_draw when rain is heavy", 16),
        ("must_draw when stock and undealt is pile", 26),
        ("must_draw when mix_kitty is on", 16),
        ("must_draw when heart_points is -1", 16),
        # Where Python and the book may bind otherwise
        ("allowed' = hand - clubs & queen", 12),
        ("allowed' = hand - clubs | queen", 12),
        ("allowed' = suit(hand & clubs - queen)", 17),
        ("allowed' = hand | (clubs) - queen", 12),
    ],
)
def test_what_is_no_formal_line_is_malformed_with_its_column(
    line: str, column: int
) -> None:
    assert malformed(formal.parse_formal_line, line).where == f"column {column}"


def test_a_line_that_is_too_long_is_malformed_before_it_nests_too_deep() -> None:
    formal.parse_formal_line(f"allowed' = {'(' * 140}hand{')' * 140}")
    formal.parse_formal_line(f"must_draw when {'not ' * 70}stock")
    with pytest.raises(Malformed, match="at most 300"):
        formal.parse_formal_line(f"allowed' = {'(' * 143}hand{')' * 143}")


SIGNS = (
    "when must_draw allowed' = : hand led trick hearts queen penalty {KS} KS ( ) , & "
    "| - <= suit lowest nonempty leading stock undealt is none not and or 5 ^"
)
WORDS = st.sampled_from(SIGNS.split())


@given(st.lists(WORDS, max_size=20).map(" ".join) | st.text(max_size=20))
@example("when leading: allowed' = hand")
def test_any_text_is_a_formal_line_or_malformed(text: str) -> None:
    try:
        line = formal.parse_formal_line(text)
    except Malformed:
        return
    assert formal.parse_formal_line(repr(line)) == line


@pytest.mark.parametrize(
    ("hand", "trick", "given_", "where"),
    [
        ("2C 2C", "", "", "hand"),
        ("2X", "", "", "hand"),
        ("2C", "3C,4C", "", "trick"),
        ("2C", "", "raining", "flags"),
        ("2C", "", "leading", "flags"),
        ("2C", "", "rain=heavy", "given"),
        ("2C", "", "undealt=pile", "given"),
        ("2C", "", "heart_points=1001", "given"),
    ],
)
def test_a_malformed_example_row_is_refused(
    hand: str, trick: str, given_: str, where: str
) -> None:
    assert malformed(Context.of_example, hand, trick, given_).where == where


def test_a_context_takes_only_options_and_values_that_there_are() -> None:
    with pytest.raises(Malformed):
        Context({1}, {1}, options={"rain": "heavy"})
    with pytest.raises(Malformed):
        Context({1}, {1}, options={"undealt": "pile"})
    same = Context({1}, {1}, options={"undealt": "none"})
    assert same == Context({1}, {1})
    assert hash(same) == hash(Context({1}, {1}))
