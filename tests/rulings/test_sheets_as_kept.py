"""Tests of score sheets as people keep them: notes, titles and deals after the end."""

import pytest

from refengine import Ruleset
from refengine.cli.scores_text import scores_lines
from refengine.rulings.sheets.judging_sheets import SheetJudgement, judge_sheet
from refengine.rulings.sheets.named_numbers import cells_by_name
from refengine.rulings.sheets.reading_sheets import Sheet, SheetRow, read_sheet

COMMON = Ruleset("common-hearts", 4)
PHONE = """\
hearts at Ben's on saturday

Ann 5, Ben 13, me 8, Carl 0
ben 4, ann 0, me 21 (ouch), carl 1
Ann: 16  Ben: 3  me: 7  Carl: -
pizza arrived
ann 26, ben 0, me 26 and carl 26 - ben shot the moon!!
so: Ann 47 Ben 20 me 62 Carl 27
carl still owes me a fiver
"""
TITLED = """\
HEARTS  -  Gran's house, Boxing Day 2024   (to 100, lowest wins)

        Gran    Tom   Lucy    Dad
  1        3      5     18      0
  2       13      1      4      8   Lucy took all but one
  3        0     26     26     26   she says she didn't mean to
"""


def numbers(text: str) -> list[tuple[int, ...]]:
    """The numbers in each row of this sheet that stands for a deal."""
    return [row.numbers for row in read_sheet(text).rows]


def end_of(judged: SheetJudgement) -> str:
    """The line of the judgement that says how the match ended."""
    text = "\n".join(scores_lines([judged], open_rules=False)).replace("\n  ", " ")
    return next(line for line in text.splitlines() if line.startswith("The match"))


def test_each_number_belongs_to_the_name_before_it() -> None:
    sheet = read_sheet(PHONE)
    assert sheet.names == ("Ann", "Ben", "me", "Carl")
    assert numbers(PHONE) == [
        (5, 13, 8, 0),
        (0, 4, 21, 1),
        (16, 3, 7, 0),
        (26, 0, 26, 26),
    ]
    assert [row.remark for row in sheet.rows] == ["", "ouch", "", "ben shot the moon!!"]
    assert [row.line for row in sheet.rows] == [3, 4, 5, 7]
    assert sheet.sums == (47, 20, 62, 27)
    assert judge_sheet(sheet, COMMON).possible


@pytest.mark.parametrize("name", ["O'Brien", "O\u2019Brien"])
def test_a_name_before_a_number_may_have_either_apostrophe(name: str) -> None:
    sheet = read_sheet(f"{name} 5, Ben 21\n{name} 6, Ben 20\n")
    assert sheet.names == (name, "Ben")


@pytest.mark.parametrize(
    "text",
    [
        "Ann 5, Ben 13\nAnn 5, Carl 13\n",  # not the same players
        "Ann 5, Ann 13\nAnn 5, Ann 13\n",  # one twice
        "Ann 5 then Ben 13\nAnn 5 then Ben 13\n",  # words between
    ],
)
def test_other_lines_with_names_are_no_such_sheet(text: str) -> None:
    assert cells_by_name(text.splitlines()) == []


def test_a_year_in_the_title_is_no_row() -> None:
    assert read_sheet(TITLED).names == ("Gran", "Tom", "Lucy", "Dad")
    assert numbers(TITLED) == [(3, 5, 18, 0), (13, 1, 4, 8), (0, 26, 26, 26)]


def test_a_word_in_a_remark_makes_no_totals_of_a_row() -> None:
    """The words `all` and `mean` label a row of totals only when alone in a cell."""
    rows = "Ann,Ben,Carl,note\n13,13,0,\n3,10,13,\n"
    assert len(read_sheet(f"{rows}8,11,6,mean\n").rows) == 2
    all_three = read_sheet(f"{rows}16,23,13,all\n")
    assert (len(all_three.rows), all_three.sums) == (2, (16, 23, 13))
    grand = read_sheet(f"{rows}16,23,13,Total after two deals\n")
    assert (len(grand.rows), grand.sums) == (2, (16, 23, 13))


def test_a_last_row_of_sums_needs_no_word() -> None:
    rows = "Ann,Ben,Carl,Dora\n13,5,8,0\n0,26,26,26\n4,9,13,0\n"
    sheet = read_sheet(f"{rows}17,40,47,26\n")
    assert (len(sheet.rows), sheet.sums) == (3, (17, 40, 47, 26))
    slip = read_sheet(f"{rows}17,40,48,26\n")  # one of them is wrong
    assert slip.sums == (17, 40, 48, 26)
    assert not judge_sheet(slip, COMMON).possible
    assert len(read_sheet(f"{rows}17,9,0,0\n").rows) == 4


def test_points_with_a_minus_are_points() -> None:
    sheet = read_sheet("Ann;Ben;Carl;Dora\n-5;-13;-8;0\n0;-1;-4;-21\n-26;0;-26;-26\n")
    assert sheet.negated
    assert sheet.rows[0].numbers == (5, 13, 8, 0)
    judged = judge_sheet(sheet, COMMON)
    assert judged.possible
    said = [*scores_lines([judged], open_rules=False)]
    told = "3 deals; the numbers are the points of each deal, with a minus before them."
    assert told in said
    # One who takes points off with a moon or the jack is no reason to turn all round
    assert not read_sheet("Ann;Ben;Carl\n-10;13;8\n0;0;-26\n").negated
    assert not read_sheet("Ann;Ben;Carl\n0;0;-26\n0;-26;0\n").negated


def test_a_column_that_counts_the_games_is_no_player() -> None:
    for name in ("Partie 2", "Gabe", "Match"):
        sheet = read_sheet(f"{name};Ann;Ben;Carl\n1;5;13;8\n2;0;1;25\n3;9;9;8\n")
        assert sheet.names == ("Ann", "Ben", "Carl")
        assert [row.deal for row in sheet.rows] == [1, 2, 3]


def test_who_won_is_told_by_the_row_that_ended_the_match() -> None:
    """Dora had won after the fourth deal, but after nine her total is the highest."""
    deals = [(26, 26, 26, 0)] * 4 + [(1, 1, 0, 24)] * 5
    rows = tuple(SheetRow(line=at, numbers=one) for at, one in enumerate(deals, 2))
    judged = judge_sheet(Sheet(names=("A", "B", "C", "Dora"), rows=rows), COMMON)
    assert (judged.over, judged.ended, judged.winners) == (True, 4, (3,))
    assert judged.rows[-1].totals[3] == 120
    assert end_of(judged) == (
        "The match was over after row 4, and Dora won: "
        "A 104, B 104, C 104 and Dora 0. [9.5]"
    )
    four = judge_sheet(Sheet(names=("A", "B", "C", "Dora"), rows=rows[:4]), COMMON)
    assert end_of(four).startswith("The match is over, and Dora wins: A 104")


def test_where_deals_are_missing_nobody_is_known_to_have_won() -> None:
    sheet = read_sheet("Deal,Anna,Ben,Carl,Dora\n1,13,5,8,0\n4,4,9,13,0\n")
    four = Ruleset("common-hearts", 4, {"limit": "none", "deals": 4})
    judged = judge_sheet(sheet, four, running=False)
    assert (judged.over, judged.winners) == (True, ())
    unknown = "not known, as deals are missing; without them: Anna 17, Ben 14, Carl 21 "
    assert end_of(judged) == (
        f"The match is over, and who won is {unknown}and Dora 0. [9.5]"
    )
    open_end = judge_sheet(sheet, COMMON, running=False)
    assert end_of(open_end) == (
        f"The match may be over: how it stands is {unknown}and Dora 0. [9.3]"
    )


def test_totals_beside_the_points_go_on_as_written_where_deals_are_missing() -> None:
    first, last = (13, 5, 8, 0), (43, 40, 47, 26)
    rows = (
        SheetRow(line=1, numbers=first, totals=first, deal=1),
        SheetRow(line=2, numbers=(4, 9, 13, 0), totals=last, deal=4),
    )
    sheet = Sheet(names=("A", "B", "C", "Dora"), rows=rows, sums=(43, 40, 47, 27))
    judged = judge_sheet(sheet, COMMON)
    assert [row.totals for row in judged.rows] == [first, last]
    assert end_of(judged).startswith("The match goes on: A 43, B 40, C 47 and Dora 26.")
    assert [one.text for one in judged.remarks] == ["the total of Dora is 26, not 27"]


def test_a_byte_order_mark_is_no_part_of_a_first_label() -> None:
    text = "\ufeff1. Ann 5, Ben 21\n2. Ann 6, Ben 20\n3. Ann 26, Ben 0\n"
    sheet = read_sheet(text)
    assert sheet.names == ("Ann", "Ben")
    assert [row.deal for row in sheet.rows] == [1, 2, 3]


def test_one_point_is_no_points() -> None:
    judged = judge_sheet(read_sheet("Ann,Ben,Carl,Dora\n1,0,0,0\n13,5,8,0\n"), COMMON)
    (remark,) = judged.rows[0].remarks
    assert remark.text == "1 point, 25 too few: no deal gives that"


def test_deals_may_be_numbered_in_any_way_on_the_next_page() -> None:
    names = "Ann,Ben,Carl,Dora\n"
    for mark in ("", "#", "Deal "):
        rows = [f"{mark}1,13,5,8,0\n{mark}2,0,1,25,0\n", f"{mark}3,4,9,0,13\n"]
        sheet = read_sheet(f"{names}{rows[0]}\n{names}{rows[1]}")
        assert [row.deal for row in sheet.rows] == [1, 2, 3]


def test_a_minus_sign_beside_a_name_is_a_minus() -> None:
    told = "Ann \u221226, Ben 0, Cat 0, Dan 0\nAnn 5, Ben 13, Cat 8, Dan 0\n"
    assert read_sheet(told).rows[0].numbers == (-26, 0, 0, 0)


def test_noughts_written_as_dashes_beside_a_sum() -> None:
    sheet = read_sheet("Ann,Ben,Carl,Dora\n13,5,8,-,26\n-,26,26,26,78\n4,9,13,-,26\n")
    assert sheet.names == ("Ann", "Ben", "Carl", "Dora")
    wanted = [(13, 5, 8, 0), (0, 26, 26, 26), (4, 9, 13, 0)]
    assert [row.numbers for row in sheet.rows] == wanted


def test_the_lines_of_a_note_may_be_numbered() -> None:
    told = "{} Ann 5, Ben 13, me 8, Carl 0\n{} ben 4, ann 0, me 21, carl 1\n"
    for marks in (("1.", "2."), ("1)", "2)"), ("#1", "#2")):
        sheet = read_sheet(told.format(*marks))
        assert [row.numbers for row in sheet.rows] == [(5, 13, 8, 0), (0, 4, 21, 1)]
        assert [row.deal for row in sheet.rows] == [1, 2]


HEAD = "Deal,Anna,Ben,Carl,Dora\n"
TWO_DEALS = [(13, 5, 8, 0), (4, 9, 13, 0)]


@pytest.mark.parametrize(
    "rows",
    [
        "1,13,5,8,0\n2,4,9,13,0\nTotal,17,14,21,0\nPlace,3,2,4,1\n",
        "1,13,5,8,0\n2,4,9,13,0\nRank:,3,2,4,1\n",
        "1,13,5,8,0\nSubtotal,13,5,8,0\n2,4,9,13,0\nTotal,17,14,21,0\n",
    ],
)
def test_the_places_of_the_players_are_no_deal(rows: str) -> None:
    assert numbers(HEAD + rows) == TWO_DEALS


@pytest.mark.parametrize("start", ["0", "Start"])
def test_the_noughts_with_which_a_match_begins_are_no_deal(start: str) -> None:
    sheet = read_sheet(f"{HEAD}{start},0,0,0,0\n1,13,5,8,0\n2,17,14,21,0\n")
    judged = judge_sheet(sheet, COMMON)
    assert (judged.possible, judged.running) == (True, True)
    assert [row.score for row in judged.rows] == TWO_DEALS


def test_a_label_below_the_numbers_of_the_deals_need_not_be_lined_up() -> None:
    rows = "1 13 5 8 0\n2 4 9 13 0\nTotal 17 14 21 0\nRank 3 2 4 1\n"
    sheet = read_sheet(f"Deal Anna Ben Carl Dora\n{rows}")
    assert [row.numbers for row in sheet.rows] == TWO_DEALS
    assert [row.deal for row in sheet.rows] == [1, 2]
    assert sheet.sums == (17, 14, 21, 0)
    assert sheet.names == ("Anna", "Ben", "Carl", "Dora")
    unnumbered = "13 5 8 0\n4 9 13 0\nTotal 17 14 21 0\nRank 3 2 4 1\n"
    assert numbers(f"Anna Ben Carl Dora\n{unnumbered}") == TWO_DEALS


def test_a_label_that_reaches_into_the_first_column_is_not_in_it() -> None:
    rows = "   13    5     8     0\n    4    9    13     0\nTotal   14    21     0\n"
    sheet = read_sheet(f" Anna  Ben  Carl  Dora\n{rows}")
    assert sheet.sums == (None, 14, 21, 0)


@pytest.mark.parametrize(
    "text",
    [
        ",Anna,Ben,Carl,Dora\nStart,0,0,0,0\n1,13,5,8,0\n3,17,14,21,0\n",
        "Deal Anna Ben Carl Dora\nStart 0 0 0 0\n1 13 5 8 0\n3 17 14 21 0\n",
    ],
)
def test_a_label_for_the_start_hides_no_numbers_of_deals(text: str) -> None:
    assert [row.deal for row in read_sheet(text).rows] == [1, 3]
