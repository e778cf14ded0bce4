"""Tests of score sheets: how they are read, and which errors in them are found."""

import re
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refengine import Malformed, Ruleset, State, new_match
from refengine.rulings.sheets import judging_sheets
from refengine.rulings.sheets.fitting_sheets import judge_under_all_rules
from refengine.rulings.sheets.how_scored import how_scored
from refengine.rulings.sheets.judging_sheets import judge_sheet
from refengine.rulings.sheets.reading_sheets import (
    Sheet,
    SheetRow,
    read_sheet,
    read_sheets,
)
from tests.support.playing import SMALLEST_AND_LARGEST
from tests.support.refusing import malformed

COMMON = Ruleset("common-hearts", 4)
NAMES = ("Anna", "Ben", "Carl", "Dora")
DEALS = ((13, 5, 8, 0), (0, 26, 26, 26), (4, 9, 13, 0))

# Reading

COLUMNS = """\
Friday at Anna's

Deal  Anna  Ben  Carl  Dora
1       13    5     8     0
2        0   26    26    26   Anna shot it!
3.       4    9    13     -
"""
COMMAS = "Anna,Ben,Carl,Dora\n13,5,8,0\n0,26,26,26\n4,9,13,\n"
MARKDOWN = """\
| # | **Anna** | Ben | Carl | Dora |
|--:|---------:|----:|-----:|-----:|
| 1 | 13 | 5 | 8 | 0 |
| 2 | 0 | 26* | 26 | 26 |
| 3 | 4 | 9 | 13 | 0 |
"""
LABELLED = f"{COMMAS}Total,17,40,47,26\n"
PLAIN = "Anna,Ben,Carl,Dora\n13,5,8,0\n0,26,26,26\n4,9,13,0\n"


def beside(*cells: object) -> str:
    """The sheet `PLAIN` with these cells as an extra column on the right."""
    rows = zip(PLAIN.splitlines(), cells, strict=True)
    return "".join(f"{row},{cell}\n" for row, cell in rows)


KEPT = {
    "in columns, with a title and remarks": COLUMNS,
    "without a name over the deals": """\
     Anna  Ben  Carl  Dora
1    13     5     8     0
2     0    26    26    26
3     4     9    13     0
""",
    "with words, gaps and sums": """\
Friday at Anna's

Deal  Pass        Anna  Ben  Carl  Dora
1     left          13    5     8     0
2     to the right   0   26    26    26   she did it again!
3                    4    9    13     -
Total               17   40    47    26
""",
    "commas": COMMAS,
    "semicolons, as Windows ends lines": (
        "\ufeffAnna;Ben;Carl;Dora;note\r\n13;5;8;0;\r\n0;26;26;26;moon\r\n4;9;13;0;\r\n"
    ),
    "tabs, and the sum of each row": beside("sum", 26, 78, 26).replace(",", "\t"),
    "Markdown": MARKDOWN,
    "quoted, for the most part": (
        '"Anna","Ben","Carl","Dora"\n"13","5","8","0"\n"0","26","26","26"\n4,9,13,0\n'
    ),
    "single blanks": """\
deal pass Anna Ben Carl Dora
1 left 13 5 8 0
2 right 0 26 26 26
3 across 4 9 13 0
""",
    "single blanks, and dashes for no points": """\
deal pass Anna Ben Carl Dora
1 left 13 5 8 -
2 right - 26 26 26
3 no pass 4 9 13 -
""",
    "single blanks, crosses for no points, and a remark": """\
deal Anna Ben Carl Dora
1 13 5 8 x
2 0 26 26 26 Anna shot it -
3 4 9 13 x
""",
    "single blanks, below the passes of the club": """\
left right across hold
Anna Ben Carl Dora
13 5 8 0
0 26 26 26
4 9 13 0
""",
    "passes by their letters": """\
      Anna   Ben   Carl   Dora
L       13     5      8      0
R        0    26     26     26
-        4     9     13      -
""",
    "slashes": PLAIN.replace(",", "/"),
    "nothing for no points": re.sub(r"\b0\b", "", PLAIN).replace(",", "\t"),
    "an unnamed sum of each row": beside("", 26, 78, 26).replace("3,0", "3,\u2013"),
    "Markdown in bold": MARKDOWN.replace("| 1 | 13 |", "| 1 | **13** |"),
    "decimals": COMMAS.replace("13,5,8,0", "13.0,5.0,8.0,0.0"),
    "the letter O for nought": COMMAS.replace("13,5,8,0", "13,5,8,O"),
    "a short row": COMMAS.replace("13,5,8,0", "13,5,8"),
    "a row of totals": LABELLED,
    "totals out of line": """\
Anna  Ben  Carl  Dora
  13    5     8     0
   0   26    26    26
   4    9    13     0
Total 17 40 47 26
""",
    "decimals with commas": (
        "Anna;Ben;Carl;Dora\n13,0;5,0;8,0;\u2014\n0;26;26;26\n4;9,00;13;0\n"
    ),
    "times, dealers and dates": """\
Round,Time,Minutes,Dealer,Anna,Ben,Carl,Dora,When
1,20:15,12,1,13,5,8,0,20/3
2,20:27,7,2,0,26,26,26,20/3
3,20:34,9,3,4,9,13,0,20/3
""",
    "on two pages": """\
Deal,Anna,Ben,Carl,Dora
1,13,5,8,0
2,0,26,26,26

Deal,Anna,Ben,Carl,Dora
3,4,9,13,0
""",
    "a column of words behind": beside("Snack", "crisps", "", "tea"),
    "a column of words before": (
        "Place,Anna,Ben,Carl,Dora\nKitchen,13,5,8,0\nGarden,0,26,26,26\nAttic,4,9,13,0\n"
    ),
    "a column of checks": beside("check", 26, 78, 26),
    "a remark behind each number": PLAIN.replace("0,26,26,26", "-,26!,26!,26!"),
    "words behind each number": PLAIN.replace(
        "0,26,26,26", "0 (moon),26 (a),26 (b),26 (c)"
    ),
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_a_sheet_is_read_however_it_is_kept(text: str) -> None:
    sheet = read_sheet(text)
    assert sheet.names == NAMES
    assert tuple(row.numbers for row in sheet.rows) == DEALS


def test_what_stands_beside_the_numbers_is_kept() -> None:
    text = (
        "deal,pass,N,E,S,W,remark\n1,left,13,5,8,0,\n2,to the right,0,26,26,26,a moon\n"
        "3,no pass,4,9,13,0 (a protest),\ntotal,,17,40,47,26,\n"
    )
    sheet = read_sheet(text)
    assert sheet.names == ("N", "E", "S", "W")
    assert [row.passed for row in sheet.rows] == ["left", "right", "hold"]
    assert [row.remark for row in sheet.rows] == ["", "a moon", "a protest"]
    assert [row.line for row in sheet.rows] == [2, 3, 4]
    assert sheet.sums == (17, 40, 47, 26)


def test_without_names_players_have_numbers_and_minus_is_minus() -> None:
    sheet = read_sheet("13 5 8 0\n\u221226 0 0 0\n")
    assert sheet.names == ("player 1", "player 2", "player 3", "player 4")
    assert sheet.rows[1].numbers == (-26, 0, 0, 0)


def test_points_that_count_one_two_three_are_still_points() -> None:
    text = "Anna,Ben,Carl\n1,12,13\n2,11,13\n3,23,0\n"
    assert read_sheet(text).names == ("Anna", "Ben", "Carl")
    assert read_sheet("1 -5 9 2\n2 3 9 3\n-5 1 2 3\n").rows[0].numbers == (1, -5, 9, 2)


@pytest.mark.parametrize("head", ["Deal,1,2,3,4", ",1,2,3,4", "Player,1,2,3,4"])
def test_a_line_that_numbers_the_players_is_no_deal(head: str) -> None:
    sheet = read_sheet(f"{head}\n1,13,5,8,0\n2,0,26,26,26\n3,4,9,13,0\n")
    assert tuple(row.numbers for row in sheet.rows) == DEALS
    assert sheet.names == tuple(f"player {place}" for place in (1, 2, 3, 4))
    assert read_sheet(f"{head}\n").rows[0].numbers == (1, 2, 3, 4)


GAP = (
    "     Anna  Ben  Carl  Dora\n1    13     5     8     0\n3     0    26    26    26\n"
)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (COLUMNS, (1, 2, 3)),
        (MARKDOWN, (1, 2, 3)),
        (COMMAS, (0, 0, 0)),
        (GAP, (1, 3)),
        (",Anna,Ben,Carl\n2,13,5,8\n4,0,26,26\n", (2, 4)),
        ("Deal,Anna,Ben\n1,13,13\n1,0,26\n7,4,22\n", (1, 1, 7)),
        ("Round 1;13;5;8\nRound 3;0;26;26\n", (1, 3)),
        ("Game,Anna,Ben\nfirst,13,13\n,0,26\n7,4,22\n", (0, 0, 7)),
    ],
)
def test_the_numbers_of_the_deals_are_kept(text: str, numbers: tuple[int, ...]) -> None:
    assert tuple(row.deal for row in read_sheet(text).rows) == numbers


def test_a_last_deal_that_looks_much_like_sums_is_a_deal() -> None:
    text = "Anna,Ben,Carl\n19,3,4\n10,2,14\n{}\n"
    assert len(read_sheet(text.format("3,5,18")).rows) == 3
    for sums in ("29,5,18", "28,5,18"):  # one of them is wrong
        sheet = read_sheet(text.format(sums))
        assert (len(sheet.rows), len(sheet.sums)) == (2, 3)


def test_several_tables_are_several_sheets() -> None:
    text = "Anna,Ben,Carl\n13,5,8\n4,9,13\n\nat home\nEva,Finn,Gerd\n13,5,8\n"
    first, second, third = read_sheets(f"{text}\nIda,Jan\n13,13\n")
    assert [row.line for row in first.rows] == [2, 3]
    assert second.names == ("Eva", "Finn", "Gerd")
    assert [(row.line, row.remark) for row in second.rows] == [(7, "")]
    assert (third.names, third.rows[0].line) == (("Ida", "Jan"), 10)
    assert read_sheets("13,5,8\n") == (read_sheet("13,5,8\n"),)


@pytest.mark.parametrize(
    "text",
    [
        "Deal,1,2,3\nAnna,13,0,4\nBen,5,26,9\nCarl,8,26,13\n",
        "Name,Deal 1,Deal 2\nAnna,13,0\nBen,5,26\nCarl,8,26\nTotal,26,52\n",
        "Player,1,2,3\nAnna,13,0,4\nBen,5,26,9\nCarl,8,26,13\n",
    ],
)
def test_a_sheet_on_its_side_is_not_taken_for_deals(text: str) -> None:
    error = malformed(read_sheet, text)
    assert error.where == "line 2"
    assert error.found == "a row for each player, Anna first"


@pytest.mark.parametrize(
    ("text", "where", "found"),
    [
        ("", "", "no row of numbers"),
        (
            "Anna,Ben,Carl\n13,5,8\n4,9,13\n\nEva,Finn,Gerd\n13,5,8\n",
            "line 5",
            "a second table: Eva, Finn, Gerd",
        ),
        (
            "Deal,Anna,Ben\n1,13,5\n2,9,13\n\nDeal,Anna,Ben\n1,13,5\n",
            "line 5",
            "a second table: Deal, Anna, Ben",
        ),
        ("Anna,Ben,Carl,Dora\n=10+3,5,8,0\n=4+9,4,9,0\n", "line 2", "=10+3"),
        ("Anna,Ben,Carl\n5,8,9\n8,0,99999999\n", "line 3", "99999999"),
        ("Anna,Ben,Carl\n5,8,20:15\n8,0,6½\n", "line 3", "6½"),
        ("Anna,Ben\n", "", "no row of numbers"),
        (
            "Dora  Carl  Ann  Ben  Pass  Pass  Deal  total\n"
            "4 (17)  Total  26  50  2  50  4 (17)  left\n"
            "Total  100  moon  4 (17)  5  4 (17)  77  50",
            "line 2",
            "an empty column",
        ),
        ("Deal,Anna,Ben,Carl\n0,0,0,lots\n1,5,8,13\n", "line 2", "lots"),
        ("Deal,Anna,Ben,Carl\nAverage,9,9,8\n", "", "no row of numbers"),
        ("Anna,Ben\n13,5\n1,lots\n2,5\n13,4\n", "line 3", "lots"),
        ("deal,Anna\n1,13\n2,13\n", "", "1 column of numbers"),
        ("A,B,C\n13,13,0\n13,5,6,2\n", "line 3", "2"),
        ("A B C D\n13 5 8 0\n6½ 6½ 13 0\n", "", "rows with different numbers of cells"),
        ("13 5 8 0\n0 26 26 26 26\n", "", "rows with different numbers of cells"),
        ("A,B,C\n13,6½,6½\n13,6,7\n", "line 2", "6½"),
        ("Ann;Ben;Carl\n13;5;8\n4;9;13\n1,000;5;8\n", "line 4", "1,000"),
    ],
)
def test_what_is_no_sheet_is_malformed(text: str, where: str, found: str) -> None:
    error = malformed(read_sheet, text)
    assert (error.where, error.found) == (where, found)


@example("0 ;\n0\x00,0-")
@given(st.text(alphabet="0123456789 -|,;\t\nAB\u2013\"'.*()\x00total", max_size=80))
def test_whatever_is_read_is_a_sheet_or_malformed(text: str) -> None:
    try:
        sheet = read_sheet(text)
    except Malformed:
        return
    assert sheet.rows
    assert all(len(row.numbers) == len(sheet.names) for row in sheet.rows)


def test_a_cell_that_is_too_long_is_malformed() -> None:
    with pytest.raises(Malformed, match="ordinary length"):
        read_sheet(f"1,2,{'x' * 200_000}\n")


def test_a_player_who_has_nothing_but_dashes_is_a_player() -> None:
    assert read_sheet("Anna,Ben,Carl,Dora\n13,5,8,-\n").names == NAMES
    sheet = read_sheet(LABELLED)
    assert sheet.sums == (17, 40, 47, 26)


# Points and totals side by side: 13 5 8 0, a moon of Anna, 4 9 13 0.

SIDE_BY_SIDE = {
    "in turn": """\
Deal  Anna     Ben     Carl     Dora
1     13  13    5   5    8   8    0   0
2      0  13   26  31   26  34   26  26
3      4  17    9  40   13  47    -  26
""",
    "in turn, named": """\
#,Anna,total,Ben,total,Carl,total,Dora,total,note
1,13,13,5,5,8,8,0,0,
2,0,13,26,31,26,34,26,26,
3,4,17,9,40,13,47,-,26,
""",
    "one block and another": """\
Anna,Ben,Carl,Dora,Anna,Ben,Carl,Dora
13,5,8,0,13,5,8,0
0,26,26,26,13,31,34,26
4,9,13,,17,40,47,26
""",
    "in brackets": """\
| Deal | Anna | Ben | Carl | Dora |
| --- | --- | --- | --- | --- |
| 1 | 13 (13) | 5 (5) | 8 (8) | 0 (0) |
| 2 | 0 (13) | 26 (31) | 26 (34) | 26 (26) |
| 3 | 4 (17) | 9 (40) | 13 (47) | (26) |
""",
    "with a stroke": """\
| Deal | Anna | Ben | Carl | Dora |
| --- | --- | --- | --- | --- |
| 1 | 13/13 | 5/5 | 8/8 | 0/0 |
| 2 | 0/13 | 26/31 | 26/34 | 26/26 |
| 3 | 4/17 | 9/40 | 13/47 |/26 |
""",
    "with a stroke, in columns": """\
Deal  Anna    Ben     Carl    Dora
1     13/13   5/5     8/8     0/0
2     0/13    26/31   26/34   26/26
3     4/17    9/40    13/47   0/26
""",
    "in brackets, with a check": """\
| Deal | Anna | Ben | Carl | Dora | Sum |
| --- | --- | --- | --- | --- | --- |
| 1 | 13 (13) | 5 (5) | 8 (8) | 0 (0) | 26 |
| 2 | 0 (13) | 26 (31) | 26 (34) | 26 (26) | 78 |
| 3 | 4 (17) | 9 (40) | 13 (47) | 0 (26) | 26 |
""",
}


@pytest.mark.parametrize("name", SIDE_BY_SIDE)
def test_points_and_totals_may_stand_side_by_side(name: str) -> None:
    sheet = read_sheet(SIDE_BY_SIDE[name])
    assert sheet.has_both
    assert sheet.names == NAMES
    assert tuple(row.numbers for row in sheet.rows) == DEALS
    assert tuple(row.totals for row in sheet.rows) == RUNNING
    assert judge_sheet(sheet, COMMON).possible


@pytest.mark.parametrize("name", SIDE_BY_SIDE)
def test_a_total_that_does_not_follow_is_told_beside_its_points(name: str) -> None:
    text = SIDE_BY_SIDE[name]
    for wrong, right in (("47", "46"), ("34", "35")):
        assert text.count(wrong) == 1
        found = said(read_sheet(text.replace(wrong, right)))
        row, off = (
            ("3", "1 too low from here on")
            if wrong == "47"
            else ("2", "1 too high in this row")
        )
        assert f"{row}: the running total of Carl is {off} 9.1" in found
        assert len(found) == 2  # and a moon


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        ("Anna,Ben,Carl,Dora\n13 (13),5 (5),8 (8),0 (0)\n", (13, 5, 8, 0)),
        ("Anna,Ben,Carl,Dora\n13 (13),5 (5),8 (8),-\n", (13, 5, 8, 0)),
        ("Deal,Anna,Ben,Carl,Dora\n1,13/13,5/5,8/8,0/0\n", (13, 5, 8, 0)),
        (",Anna,Ben,Carl,Dora,Sum\n1,13 (13),5 (5),8 (8),0 (0),26\n", (13, 5, 8, 0)),
        # None follows from 0, but that is for the judge to say
        ("Anna,Ben,Carl,Dora\n13 (23),5 (15),8 (18),0 (10)\n", (23, 15, 18, 10)),
    ],
)
def test_points_and_totals_in_one_cell_need_no_second_row(
    text: str, totals: tuple[int, ...]
) -> None:
    sheet = read_sheet(text)
    [row] = sheet.rows
    assert (sheet.names, row.numbers, row.totals) == (NAMES, DEALS[0], totals)
    assert judge_sheet(sheet, COMMON).possible is (totals == DEALS[0])


def test_who_never_has_points_needs_no_totals_beside_others_in_brackets() -> None:
    rows = "13 (13),5 (5),8 (8),-\n4 (17),9 (14),13 (21),-\n"
    sheet = read_sheet(f"Anna,Ben,Carl,Dora\n{rows}")
    assert [row.totals for row in sheet.rows] == [(13, 5, 8, 0), (17, 14, 21, 0)]
    assert judge_sheet(sheet, COMMON).possible


def test_a_total_that_was_corrected_is_no_second_slip() -> None:
    text = SIDE_BY_SIDE["one block and another"].replace("13,5,8,0\n", "14,5,8,0\n")
    rows = text.replace("13,31", "14,31") + "13,13,0,0,30,53,47,26\n"
    assert said(read_sheet(rows)) == [
        "1: the running total of Anna is 1 too high from here on 9.1",
        "2: Anna shot the moon 8.3",
    ]


TOTALS_BELOW = """\
          Gran   Pete  Lottie   Joe
  1)        4      1      3     18   (Joe dealt first)
   =        4      1      3     18
  2)        -     14     10      2
   =        4     15     13     20
  3)       15      6      0      5
   =       19     21     13     26
  4)        3      3     17      3   -- pies --
   =       22     24     30     28
"""


def test_totals_may_stand_below_their_points() -> None:
    """Joe's third total should be 25, and his fourth is counted on from there (9.1)."""
    sheet = read_sheet(TOTALS_BELOW)
    assert sheet.has_both
    assert [row.numbers for row in sheet.rows] == [
        (4, 1, 3, 18),
        (0, 14, 10, 2),
        (15, 6, 0, 5),
        (3, 3, 17, 3),
    ]
    assert [row.totals[3] for row in sheet.rows] == [18, 20, 26, 28]
    assert [row.deal for row in sheet.rows] == [1, 2, 3, 4]
    assert sheet.rows[3].remark == "-- pies --"
    [wrong] = [row for row in judge_sheet(sheet, COMMON).rows if row.wrong]
    assert wrong.row.deal == 3
    assert wrong.remarks[0].text == "the running total of Joe is 1 too high in this row"


@pytest.mark.parametrize("sign", ["Σ", "∑", "Total"])
def test_a_column_of_sums_is_no_player(sign: str) -> None:
    text = f"deal Ann Ben Carl Dora {sign}\n1 5 8 13 0 26\n2 0 4 0 22 26\n"
    sheet = read_sheet(text)
    assert sheet.names == ("Ann", "Ben", "Carl", "Dora")
    assert judge_sheet(sheet, COMMON).possible
    below = read_sheet(f"Ann Ben Carl Dora\n5 8 13 0\n0 4 0 22\n{sign} 5 12 13 22\n")
    assert below.sums == (5, 12, 13, 22)


def test_the_totals_below_may_be_said_again_at_the_end() -> None:
    rows = ["1,13,5,8,0", ",13,5,8,0", "2,0,26,26,26", ",13,31,34,26", "3,4,9,13,0"]
    rows += [",17,40,47,26", "Total,17,40,47,26"]
    sheet = read_sheet("\n".join(["Deal,A,B,C,D", *rows]))
    assert [row.numbers for row in sheet.rows] == [*DEALS]
    assert [row.totals for row in sheet.rows][-1] == (17, 40, 47, 26)
    assert judge_sheet(sheet, COMMON).possible


def test_rows_of_points_alone_are_deals_each() -> None:
    rows = ["13 5 8 0", "0 13 5 8", "4 9 13 0", "9 4 0 13", "8 8 5 5", "1 1 1 23"]
    assert len(read_sheet("\n".join(["A  B  C  D", *rows])).rows) == 6
    assert len(read_sheet("\n".join(["A  B  C  D", *rows[:4]])).rows) == 4


def test_columns_that_do_not_add_up_are_players_each() -> None:
    for text in (
        "A,B,C,D,E,F,G,H\n3,3,3,3,3,3,4,4\n13,0,3,0,3,0,3,4\n",
        "A,B,C,D\n50,0,0,0\n0,0,13,13\n",
        "A,B,C,D\n13,13,0,0\n0,13,13,0\n",
        "13,13,0,0\n0,13,13,0\n0,0,13,13\n",
    ):
        sheet = read_sheet(text)
        assert len(sheet.names) == text.split("\n", maxsplit=1)[0].count(",") + 1
        assert not sheet.has_both


# Judging


def sheet_of(
    *deals: tuple[int, ...], passes: str = "", sums: tuple[int, ...] = ()
) -> Sheet:
    words = passes.split() or [""] * len(deals)
    rows = (
        SheetRow(line=at, numbers=numbers, passed=word)
        for at, (numbers, word) in enumerate(zip(deals, words, strict=True), 1)
    )
    return Sheet(names=NAMES[: len(deals[0])], rows=tuple(rows), sums=sums)


def said(sheet: Sheet, ruleset: Ruleset = COMMON) -> list[str]:
    """The remarks on a sheet, first by row and then in general, with their clauses."""
    judged = judge_sheet(sheet, ruleset)
    rows = [
        f"{number}: {one.text} {' '.join(one.clauses)}"
        for number, row in enumerate(judged.rows, 1)
        for one in row.remarks
    ]
    return rows + [f"{one.text} {' '.join(one.clauses)}" for one in judged.remarks]


RUNNING = ((13, 5, 8, 0), (13, 31, 34, 26), (17, 40, 47, 26))


def test_a_right_sheet_is_possible_in_points_and_in_totals() -> None:
    for deals, running in ((DEALS, False), (RUNNING, True)):
        judged = judge_sheet(sheet_of(*deals), COMMON)
        assert judged.possible
        assert judged.running == running
        assert judged.rows[-1].totals == (17, 40, 47, 26)
        assert (judged.over, judged.winners) == (False, ())
        assert [row.score for row in judged.rows] == [*DEALS]


@pytest.mark.parametrize(
    ("deals", "wrong"),
    [
        (((13, 5, 8, 0), (4, 9, 11, 0)), "2: 24 points, 2 too few: no deal gives that"),
        (
            ((13, 5, 8, 1), (4, 9, 13, 0)),
            "1: 27 points, 1 too many: no deal gives that",
        ),
        (((26, 0, 0, 0), (4, 9, 13, 0)), "1: Anna has all 26 points, which is a moon"),
        (
            ((12, 12, 2, 0), (4, 9, 13, 0)),
            "1: no deal gives these scores together: in each somebody has 13 points or "
            "more 8.1 8.9",
        ),
        (
            ((13, 5, 8, 0), (17, 24, 21, 0), (17, 37, 34, 0), (30, 45, 39, 0)),
            "2: a running total is 10 too high from here on, that of Ben or Carl",
        ),
        (
            ((13, 5, 8, 0), (18, 14, 21, 0), (22, 22, 34, 0)),
            "2: a running total is 1 too high in this row, that of Anna or Ben 9.1",
        ),
    ],
)
def test_a_slip_is_named(deals: tuple[tuple[int, ...], ...], wrong: str) -> None:
    found = said(sheet_of(*deals))
    assert any(one.startswith(wrong) for one in found), found


def test_one_wrong_total_is_wrong_in_its_row_alone() -> None:
    deals = ((13, 5, 8, 0), (13, 31, 44, 26), (17, 40, 47, 26), (30, 49, 51, 26))
    assert said(sheet_of(*deals)) == [
        "2: the running total of Carl is 10 too high in this row 9.1"
    ]


def test_a_slip_in_one_row_leaves_the_scores_of_both_rows_right() -> None:
    """Anna's total after the second deal should be 17; the third deal is a moon."""
    sheet = sheet_of((13, 5, 8, 0), (27, 14, 21, 0), (17, 40, 47, 26))
    assert said(sheet) == [
        "2: the running total of Anna is 10 too high in this row 9.1",
        "3: Anna shot the moon 8.3",
    ]
    scores = [row.score for row in judge_sheet(sheet, COMMON).rows]
    assert scores == [(13, 5, 8, 0), (4, 9, 13, 0), (0, 26, 26, 26)]


def test_a_slip_that_two_totals_may_hold_is_put_right_in_neither() -> None:
    """Either Anna or Ben has a point too many after the second deal."""
    deals = ((13, 5, 8, 0), (18, 14, 21, 0), (22, 22, 34, 0))
    judged = judge_sheet(sheet_of(*deals), COMMON, running=True)
    assert judged.wrong == (2,)
    assert [row.score for row in judged.rows[1:]] == [(5, 9, 13, 0), (4, 8, 13, 0)]
    assert [row.totals for row in judged.rows] == [*deals]


@pytest.mark.parametrize("options", [{"limit": 20}, {"limit": "none", "deals": 2}])
def test_a_match_can_end_with_a_slip_that_two_totals_may_hold(
    options: dict[str, int | str],
) -> None:
    """Whoever has the point too many, the match is over after the second deal."""
    deals = ((13, 5, 8, 0), (18, 14, 21, 0), (22, 22, 34, 0))
    ruleset = Ruleset("common-hearts", 4, options)
    judged = judge_sheet(sheet_of(*deals), ruleset, running=True)
    assert (judged.ended, judged.winners, judged.wrong) == (2, (3,), (2, 3))


def test_nobody_is_named_as_winner_if_that_depends_on_which_total_holds_a_slip() -> (
    None
):
    """The point too many may be Anna's, and she wins; or Ben's, and he does."""
    deals = ((0, 0, 13, 13), (4, 4, 26, 19), (9, 9, 39, 21))
    ruleset = Ruleset("common-hearts", 4, {"limit": 20})
    judged = judge_sheet(sheet_of(*deals), ruleset, running=True)
    assert (judged.over, judged.ended, judged.winners) == (True, 2, ())


@pytest.mark.parametrize("turned", [False, True])
def test_no_match_ends_if_that_depends_on_which_total_holds_a_slip(
    turned: bool,
) -> None:
    """The limit of 27 is reached after the second deal unless that total is wrong."""
    deals = ((5, 13, 8, 0), (14, 27, 12, 0), (22, 31, 25, 0))
    rows = [one[::-1] for one in deals] if turned else deals
    ruleset = Ruleset("common-hearts", 4, {"limit": 27})
    assert judge_sheet(sheet_of(*rows), ruleset, running=True).ended == 3


def test_the_nearest_score_is_named_where_one_of_its_points_is_out_of_reach() -> None:
    nearest = "Anna 26, Ben 26, Carl 26 and Dora 0"
    assert said(sheet_of((26, 26, 25, 1))) == [
        f"1: no deal gives these scores together: the nearest is {nearest} 8.1 8.9"
    ]


def test_a_deal_that_is_not_on_the_sheet_is_told_and_counts_for_the_pass() -> None:
    head = "Deal,Pass,Anna,Ben,Carl,Dora\n1,left,13,5,8,0\n"
    lacking = "2: deal 2 is not on the sheet "
    sheet = read_sheet(f"{head}3,across,4,9,13,0\n")
    assert said(sheet) == [lacking]
    assert judge_sheet(sheet, COMMON).possible
    wrong = "2: passed right, where across comes after right 4.1"
    assert said(read_sheet(f"{head}3,right,4,9,13,0\n")) == [lacking, wrong]
    assert said(read_sheet(f"{head}5,left,4,9,13,0\n")) == [
        "2: deals 2 to 4 are not on the sheet "
    ]


def test_a_match_of_four_deals_is_over_with_deal_four_whatever_is_missing() -> None:
    head = "Deal,Anna,Ben,Carl,Dora\n1,13,5,8,0\n"
    four = Ruleset("common-hearts", 4, {"limit": "none", "deals": 4})
    assert judge_sheet(read_sheet(f"{head}4,4,9,13,0\n"), four).over
    assert not judge_sheet(read_sheet(f"{head}3,4,9,13,0\n"), four).over


def test_totals_behind_a_gap_are_not_held_against_those_before_it() -> None:
    head = "Deal,Anna,Ben,Carl,Dora\n1,13,5,8,0\n"
    sheet = read_sheet(f"{head}3,17,40,47,26\n4,30,45,55,26\n")
    judged = judge_sheet(sheet, COMMON, running=True)
    assert judged.possible
    assert said(read_sheet(f"{head}3,17,40,47,26\n4,31,45,55,26\n"))[1:] == [
        "3: a running total is 1 too high from here on, that of Anna, Ben or Carl 9.1"
    ]


def test_totals_behind_a_gap_do_not_say_which_total_is_wrong() -> None:
    head = "Deal,Anna,Ben,Carl,Dora\n1,13,5,8,0\n2,39,31,8,0\n"
    assert said(read_sheet(f"{head}4,43,40,47,0\n")) == [
        "2: a running total is 26 too low from here on, that of Carl or Dora 9.1",
        "3: deal 3 is not on the sheet ",
    ]


def test_numbers_of_deals_that_do_not_rise_are_wrong() -> None:
    sheet = read_sheet("Deal,Anna,Ben,Carl,Dora\n1,13,5,8,0\n1,4,9,13,0\n2,0,0,13,13\n")
    assert said(sheet) == ["2: deal 1 a second time 4.1"]
    sheet = read_sheet("Deal,Anna,Ben,Carl,Dora\n2,13,5,8,0\n1,4,9,13,0\n")
    assert said(sheet)[1:] == ["2: deal 1 comes after deal 2 4.1"]


def test_the_pass_goes_round() -> None:
    row = (4, 9, 13, 0)
    found = said(sheet_of(row, row, row, row, passes="left left across left"))
    assert found == [
        "2: passed left, where right comes after left 4.1",
        "4: passed left, where a deal without a pass comes after across 4.1",
    ]
    assert said(sheet_of(row, row, row, row, passes="left right across hold")) == []
    assert said(sheet_of(row, passes="hold")) == [
        "1: nothing passed, where the pass goes left 4.1"
    ]
    five = [row] * 5
    found = said(sheet_of(*five, passes="left right across hold hold"))
    assert found == [
        "5: nothing passed, where left comes after a deal without a pass 4.1"
    ]
    old = Ruleset("pokerwiner-hearts", 4, {"moon": "none"})
    assert said(sheet_of(row, passes="left"), old) == [
        "1: passed left, where no cards are passed in this game 4.1"
    ]
    maria = Ruleset("black-maria", 3)
    found = said(sheet_of((13, 10, 20), (7, 20, 16), passes="left hold"), maria)
    assert found == [
        "1: passed left, where the pass goes right 4.1",
        "2: nothing passed, where the pass goes right 4.1",
    ]


def test_the_match_is_over_when_somebody_has_a_hundred() -> None:
    deals = [(26, 26, 26, 0)] * 4
    judged = judge_sheet(sheet_of(*deals), COMMON)
    assert (judged.over, judged.winners) == (True, (3,))
    assert "Dora shot the moon" in judged.rows[0].remarks[0].text
    (late,) = [one for one in said(sheet_of(*deals, (4, 9, 13, 0))) if "over" in one]
    assert late == "5: the match was over before this row: Anna stood at 104 9.3"


def test_a_scatter_and_a_mix_are_passes_too() -> None:
    ruleset = Ruleset("common-hearts", 4, {"pass_cycle": ["scatter", "mix"]})
    row = (4, 9, 13, 0)
    assert said(sheet_of(row, row, row, passes="scatter mix scatter"), ruleset) == []
    assert said(sheet_of(row, row, passes="left scatter"), ruleset) == [
        "1: passed left, where there is a scatter 4.1",
        "2: a scatter, where a mix comes after a scatter 4.1",
    ]


def test_across_is_left_out_for_three() -> None:
    ruleset = Ruleset("common-hearts", 3)
    row = (13, 13, 0)
    assert said(sheet_of(row, row, row, passes="right right across"), ruleset) == [
        "1: passed right, where the pass goes left 4.1",
        "3: passed across, where a deal without a pass comes after right 4.1 4.1a",
    ]


def test_a_limit_that_was_reached_counts_wherever_the_totals_stand() -> None:
    """After a tie for lowest, play goes on and the limit counts as reached (9.6)."""
    options = {"limit": 13, "ties": "play_on", "moon": "self_minus"}
    ruleset = Ruleset("common-hearts", 4, options)
    one, two = (14, 12, 0, 0), (-26, 0, 0, 0)
    assert not judge_sheet(sheet_of(one), ruleset, running=False).over
    judged = judge_sheet(sheet_of(one, two), ruleset, running=False)
    assert judged.possible
    assert judged.rows[-1].totals == (-12, 12, 0, 0)
    assert (judged.over, judged.winners) == (True, (0,))


def test_in_a_tie_played_on_it_is_no_total_that_ended_the_match() -> None:
    """After row 2 one player alone is lowest, which ends the match (9.6)."""
    options = {"limit": 13, "ties": "play_on", "moon": "self_minus"}
    ruleset = Ruleset("common-hearts", 4, options)
    rows = ((20, 6, 0, 0), (-26, 0, 0, 0), (0, 0, 13, 13))
    tied = judge_sheet(sheet_of(rows[0]), ruleset, running=False)
    assert (tied.over, tied.reached) == (False, True)
    assert not judge_sheet(sheet_of((9, 4, 12, 1)), ruleset, running=False).reached
    assert said(sheet_of(*rows), ruleset)[-1] == (
        "3: the match was over before this row: Anna alone had the lowest total 9.6"
    )
    higher = ((20, 6, 0, 0), (0, 13, 6, 7), (0, 0, 13, 13))
    assert said(sheet_of(*higher), ruleset)[-1] == (
        "3: the match was over before this row: Carl alone had the lowest total 9.6"
    )


def test_a_score_of_nothing_is_too_little() -> None:
    """The row is not taken for a moon worth minus 26, which would be too much (8.5)."""
    assert said(sheet_of((0, 0, 0, 0)), Ruleset("estmesh-hearts", 4)) == [
        "1: 0 points, 26 too few: no deal gives that 8.1 8.9"
    ]


def test_the_last_row_has_to_be_the_sum() -> None:
    found = said(sheet_of(*DEALS, sums=(17, 41, 47, 26)))
    assert found[-1] == "the total of Ben is 40, not 41 9.1"


def test_a_revoke_costs_what_the_rules_say() -> None:
    tiles = Ruleset("heartsgame-tiles", 4)
    assert said(sheet_of((13, 5, 8, 13)), tiles) == [
        "1: somebody paid for a revoke 7.10"
    ]
    assert said(sheet_of((2, 3, 8, 26)), tiles) == ["1: Dora paid for a revoke 7.10"]
    two = said(sheet_of((2, 3, 8, 39)), tiles)
    assert two == ["1: Dora paid for two revokes 7.10"]
    ends = Ruleset("dominorules-tiles", 4)
    assert said(sheet_of((0, 0, 0, 13)), ends) == ["1: Dora paid for a revoke 7.9"]
    for more in ((0, 0, 1, 13), (13, 13, 0, 13), (0, 0, 0, 26)):  # 7.9, 7.7b
        assert not judge_sheet(sheet_of(more), ends).possible
    assert not judge_sheet(sheet_of((13, 5, 8, 13)), COMMON).possible


def test_a_moon_is_told_only_if_the_score_can_be_nothing_else() -> None:
    """Taking all penalty cards but not the ten costs the same and is no moon (8.3c)."""
    omnibus = Ruleset("omnibus-hearts", 4, {"moon": "choice_one"})
    assert said(sheet_of((-36, 0, 0, 0)), omnibus) == ["1: Anna shot the moon 8.3"]
    assert said(sheet_of((-10, 26, 0, 0)), omnibus) == []
    # Where the moon does without the jack, that may be Anna's and the moon Carl's.
    options = {"moon": "choice_one", "bonus_card": "JD"}
    estmesh = Ruleset("estmesh-hearts", 4, options)
    found = said(sheet_of((-10, 26, 0, 0)), estmesh)
    assert found == ["1: somebody shot the moon 8.3"]


def test_points_that_only_a_revoke_could_add_are_not_said_to_be_out_of_reach() -> None:
    """A revoke can explain 13, 5, 8 and 13 points, but not 12, 12 and 15 (7.10)."""
    tiles = Ruleset("heartsgame-tiles", 4)
    text = "39 points, 13 too many without a revoke, and no revoke explains them"
    assert said(sheet_of((12, 12, 15, 0)), tiles) == [f"1: {text} 8.1 8.9"]
    assert said(sheet_of((12, 12, 3, 0)), tiles) == [
        "1: 27 points, 1 too many: no deal gives that 8.1 8.9"
    ]


@pytest.mark.parametrize(
    ("moon", "right", "wrong"),
    [
        ("self_minus", ((39, 0, 0, 0), (13, -26, 0, 0)), (-13, 0, 0, 0)),
        ("others_plus", ((39, 0, 0, 0), (39, 26, 26, 0)), (13, 26, 26, 26)),
        ("choice_one", ((39, 0, 0, 0), (13, 26, 0, 0)), (-13, 0, 0, 0)),
    ],
)
def test_whoever_revoked_shot_no_moon(
    moon: str, right: tuple[tuple[int, ...], ...], wrong: tuple[int, ...]
) -> None:
    """Anna scores all that she took and 13 more; another seat's moon counts (8.3b)."""
    tiles = Ruleset("heartsgame-tiles", 4, {"moon": moon})
    for score in right:
        judged = judge_sheet(sheet_of(score), tiles, running=False)
        assert judged.possible, score
    assert not judge_sheet(sheet_of(wrong), tiles, running=False).possible


def test_a_total_of_exactly_the_limit_may_be_set_back() -> None:
    ruleset = Ruleset("common-hearts", 4, {"exact_limit_becomes": 50, "limit": 60})
    deals = ((0, 26, 26, 26), (8, 44, 26, 26), (8, 50, 36, 26))
    judged = judge_sheet(sheet_of(*deals), ruleset, running=True)
    assert judged.possible
    assert judged.rows[2].score == (0, 16, 10, 0)


# Without rules


def test_rules_are_found_for_a_sheet_without_them() -> None:
    black = sheet_of((13, 10, 20), (7, 20, 16))
    assert judge_under_all_rules(black)[0].ruleset.profile == "black-maria"
    minus = judge_under_all_rules(sheet_of((-26, 0, 0, 0), (13, 5, 8, 0)))[0]
    assert minus.possible
    jack = judge_under_all_rules(sheet_of((3, 5, 8, 0), (13, 5, 8, -10)))[0]
    assert jack.possible
    assert jack.ruleset.options["bonus_card"] != "none"
    eight = Sheet(names=tuple("ABCDEFGH"), rows=sheet_of((99,) * 8).rows)
    assert [one.possible for one in judge_under_all_rules(eight)] == [False, False]
    with pytest.raises(Malformed, match="14 players"):
        judge_under_all_rules(Sheet(names=("x",) * 14, rows=()))


# Matches that were played


@pytest.mark.parametrize(("name", "players"), SMALLEST_AND_LARGEST)
def test_the_sheet_of_a_match_that_was_played_is_possible(
    name: str, players: int
) -> None:
    ruleset = Ruleset(name, players, {"revokes": "rejected"})
    for seed in range(3):
        scores, totals, state = match_played(ruleset, seed)
        names = tuple(f"seat {seat}" for seat in range(players))
        for numbers, running in ((scores, False), (totals, True)):
            rows = tuple(
                SheetRow(line=at, numbers=one) for at, one in enumerate(numbers, 1)
            )
            judged = judge_sheet(Sheet(names=names, rows=rows), ruleset, running)
            assert judged.possible, (numbers, judged)
            assert judged.rows[-1].totals == totals[-1]
            assert (judged.over, judged.winners) == (True, state.winners)
        both = tuple(
            SheetRow(line=at, numbers=one, totals=total)
            for at, (one, total) in enumerate(zip(scores, totals, strict=True), 1)
        )
        assert judge_sheet(Sheet(names=names, rows=both), ruleset).possible


def match_played(
    ruleset: Ruleset, seed: int
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]], State]:
    """The scores and the totals of all deals of a random match, and its last state."""
    chance, state = Random(seed), new_match(ruleset)
    scores: list[tuple[int, ...]] = []
    totals: list[tuple[int, ...]] = []
    while not state.over:
        before, state = state, state.apply(state.random_act(chance))
        if state.score is not None and before.score is None:
            scores.append(state.score)
            totals.append(state.totals)
    return scores, totals, state


def test_one_changed_number_is_found_in_plain_hearts() -> None:
    """The scores of a deal always add up to 26 or 78, so every single change shows."""
    chance = Random(11)
    for seed in range(20):
        scores, _, _ = match_played(COMMON, seed)
        at, seat = chance.randrange(len(scores)), chance.randrange(4)
        more = chance.choice([-3, -1, 1, 2, 10])
        row = list(scores[at])
        row[seat] += more
        changed = [*scores[:at], tuple(row), *scores[at + 1 :]]
        judged = judge_sheet(sheet_of(*changed), COMMON, running=False)
        assert at + 1 in judged.wrong


# Sheets that were misread, or judged wrongly


def test_an_empty_first_cell_of_markdown_is_a_cell() -> None:
    text = "|Ann|Ben|Cat|Dan|\n|---|---|---|---|\n|5|8|13|0|\n||8|5|13|\n"
    assert read_sheet(text).rows[1].numbers == (0, 8, 5, 13)


def test_a_word_behind_the_first_number_of_a_row_is_no_label() -> None:
    sheet = read_sheet("Ann,Ben,Carl,Dora\n13,5,8,0\n26 (all),0,0,0\n4,9,13,0\n")
    assert sheet.rows[1].numbers == (26, 0, 0, 0)
    assert sheet.rows[1].remark == "all"


def test_a_moon_written_as_minus_with_a_remark_is_a_deal() -> None:
    sheet = read_sheet("Ann,Ben,Carl,Dora\n13,5,8,0\n-26 (moon),-,-,-\n4,9,13,0\n")
    assert sheet.rows[1].numbers == (-26, 0, 0, 0)
    assert sheet.rows[1].remark == "moon"


def test_names_with_the_numbers_of_the_players_are_no_deal() -> None:
    sheet = read_sheet("1 Ann,2 Ben,3 Carl,4 Dora\n13,5,8,0\n0,26,26,26\n4,9,13,0\n")
    assert [row.numbers for row in sheet.rows] == [*DEALS]


def test_totals_above_a_deal_are_not_the_last() -> None:
    rows = "1,13,5,8,0\n2,4,9,13,0\nTotal after 2 deals,17,14,21,0\n3,0,1,25,0\n"
    sheet = read_sheet(f"Deal,Anna,Ben,Carl,Dora\n{rows}")
    assert (len(sheet.rows), sheet.sums) == (3, ())
    assert judge_sheet(sheet, COMMON).possible


def test_sums_without_a_word_may_stand_beside_their_own_sum() -> None:
    rows = "13,5,8,0,26\n0,26,26,26,78\n4,9,13,0,26\n17,40,47,26,130\n"
    sheet = read_sheet(f"Anna,Ben,Carl,Dora,Sum\n{rows}")
    assert (len(sheet.rows), sheet.sums) == (3, (17, 40, 47, 26))


def test_a_dash_beside_totals_is_no_total_of_nought() -> None:
    text = SIDE_BY_SIDE["in brackets"].replace("| 0 (0) |", "| - |")
    sheet = read_sheet(text.replace("13 (47) | (26)", "13 (47) | -"))
    assert [row.totals for row in sheet.rows] == [*RUNNING]
    assert judge_sheet(sheet, COMMON).possible


@pytest.mark.parametrize(
    ("name", "words"),
    [("Moon", "no yes no"), ("Dealer", "R A L"), ("note", "none none o")],
)
def test_a_word_is_a_pass_only_in_a_column_of_passes(name: str, words: str) -> None:
    sheet = read_sheet(beside(name, *words.split()))
    assert [row.passed for row in sheet.rows] == ["", "", ""]
    assert judge_sheet(sheet, COMMON).possible


def test_a_column_of_passes_may_have_another_name() -> None:
    sheet = read_sheet(beside("Richtung", "links", "rechts", "gegenüber"))
    assert [row.passed for row in sheet.rows] == ["left", "right", "across"]


def test_the_word_total_may_stand_below_numbers_of_deals_without_a_name() -> None:
    rows = "1,13,5,8,0\n2,0,26,26,26\n4,4,9,13,0\nTotal,17,40,47,26\n"
    sheet = read_sheet(f",Anna,Ben,Carl,Dora\n{rows}")
    assert [row.deal for row in sheet.rows] == [1, 2, 4]
    assert sheet.sums == (17, 40, 47, 26)


def test_totals_beside_points_are_not_held_against_a_gap() -> None:
    head = "Deal,Anna,total,Ben,total,Carl,total,Dora,total\n1,13,13,5,5,8,8,0,0\n"
    sheet = read_sheet(f"{head}3,4,17,9,40,13,47,0,26\n4,13,30,5,45,8,55,0,26\n")
    assert sheet.has_both
    assert judge_sheet(sheet, COMMON).possible
    rows = "1,13,5,8,0\n3,4,9,13,0\nTotal,17,40,47,26\n"
    last = read_sheet(f"Deal,Anna,Ben,Carl,Dora\n{rows}")
    assert judge_sheet(last, COMMON).possible


def test_a_slip_in_one_row_ends_no_match() -> None:
    deals = ((26, 26, 26, 0), (52, 52, 52, 0), (78, 178, 78, 0), (82, 87, 91, 0))
    judged = judge_sheet(sheet_of(*deals), COMMON, running=True)
    assert (judged.wrong, judged.faults, judged.over) == ((3,), 1, False)


def test_a_running_total_of_exactly_the_limit_is_wrong() -> None:
    """A total of exactly the limit becomes 50, and the match goes on (9.2)."""
    ruleset = Ruleset("common-hearts", 4, {"exact_limit_becomes": 50, "limit": 60})
    deals = ((0, 26, 26, 26), (8, 44, 26, 26), (8, 60, 36, 26))
    judged = judge_sheet(sheet_of(*deals), ruleset, running=True)
    assert (judged.wrong, judged.over) == ((3,), False)


def test_a_moon_that_would_lose_the_match_is_settled_the_other_way() -> None:
    """With the plus, Ben and Carl would have 104, and Anna would win (9.7)."""
    ruleset = Ruleset("common-hearts", 4, {"moon": "others_plus_unless_losing"})
    moons = [(0, 26, 26, 26)] * 3
    plus = judge_sheet(sheet_of(*moons, (26, 26, 26, 0)), ruleset, running=False)
    assert plus.wrong == (4,)
    minus = judge_sheet(sheet_of(*moons, (0, 0, 0, -26)), ruleset, running=False)
    assert minus.possible


@pytest.mark.parametrize("row", ["Total,17,40,,26", "Total,,40,,", "Total,17,40,-,26"])
def test_a_total_that_nobody_wrote_down_is_not_nought(row: str) -> None:
    assert judge_sheet(read_sheet(f"{COMMAS}{row}\n"), COMMON).possible
    wrong = judge_sheet(read_sheet(f"{COMMAS}{row.replace('40', '41')}\n"), COMMON)
    assert [one.text for one in wrong.remarks] == ["the total of Ben is 40, not 41"]


def test_a_total_that_is_too_high_from_some_row_on_is_put_right_to_the_end() -> None:
    """Anna has 30 and not 43 after the third deal: the limit of 40 is not reached."""
    deals = ((13, 5, 8, 0), (39, 18, 8, 0), (43, 27, 21, 0))
    ruleset = Ruleset("common-hearts", 4, {"limit": 40})
    judged = judge_sheet(sheet_of(*deals), ruleset, running=True)
    [remark] = judged.rows[1].remarks
    assert remark.text == "the running total of Anna is 13 too high from here on"
    assert [row.score for row in judged.rows[1:]] == [(13, 13, 0, 0), (4, 9, 13, 0)]
    assert [row.totals for row in judged.rows[1:]] == [(26, 18, 8, 0), (30, 27, 21, 0)]
    assert (judged.wrong, judged.over) == ((2,), False)


BESIDE = "Deal,Anna,total,Ben,total,Carl,total,Dora,total\n1,13,13,5,5,8,8,0,0\n"


def test_totals_that_nobody_wrote_down_after_a_gap_are_not_known() -> None:
    rows = "2,13,26,13,18,0,8,0,0\n3,0,26,13,31,13,21,0,0\n7,4,,9,,13,,0,\n"
    judged = judge_sheet(read_sheet(BESIDE + rows), COMMON)
    assert not judged.totals_known
    later = read_sheet(f"{BESIDE}{rows}8,13,60,5,50,8,40,0,30\n")
    judged = judge_sheet(later, COMMON)
    assert (judged.possible, judged.totals_known) == (True, True)
    assert judged.rows[-1].totals == (60, 50, 40, 30)


def test_a_dash_for_a_total_of_nought_is_written_down() -> None:
    rows = "2,4,17,9,14,13,21,-,-\n3,1,18,12,26,13,34,-,-\n5,13,60,5,50,8,60,-,-\n"
    sheet = read_sheet(f"{BESIDE}{rows}6,5,65,8,58,-,60,13,13\n")
    judged = judge_sheet(sheet, COMMON)
    assert [row.totals for row in judged.rows[3:]] == [
        (60, 50, 60, 0),
        (65, 58, 60, 13),
    ]


SET_BACK = Ruleset("common-hearts", 4, {"exact_limit_becomes": 50, "limit": 60})


def test_a_total_that_nobody_wrote_down_is_no_slip_where_it_is_set_back() -> None:
    """Anna comes to exactly 60, which becomes 50 (9.2)."""
    rows = "2,26,39,0,5,0,8,0,0\n3,21,,5,10,0,8,0,0\n4,4,54,9,19,13,21,0,0\n"
    options = {"exact_limit_becomes": 50, "limit": 60, "moon": "none"}
    judged = judge_sheet(
        read_sheet(BESIDE + rows), Ruleset("common-hearts", 4, options)
    )
    assert judged.possible
    assert judged.rows[-1].totals == (54, 19, 21, 0)


def test_a_total_of_exactly_the_limit_is_wrong_where_deals_are_missing() -> None:
    rows = "4,13,60,5,40,8,30,0,0\n5,4,54,9,49,13,43,0,0\n"
    judged = judge_sheet(read_sheet(BESIDE + rows), SET_BACK)
    assert (judged.wrong, judged.over) == ((2,), False)
    assert judged.rows[1].remarks[-1].clauses == ("9.2",)


@pytest.mark.parametrize(
    ("ruleset", "rows"),
    [
        # In the second deal Anna may have shot the moon, which takes 26 off her total.
        (Ruleset("omnibus-hearts", 4, {"limit": 40}), "1,26,-10,0,0\n3,26,-10,0,0\n"),
        # In the third deal Anna may have scored the point by which Ben now trails.
        (
            Ruleset("common-hearts", 4, {"limit": 26, "ties": "play_on"}),
            "1,0,0,13,13\n2,0,0,13,13\n4,0,1,12,13\n",
        ),
    ],
)
def test_a_match_is_not_over_if_that_depends_on_deals_that_are_missing(
    ruleset: Ruleset, rows: str
) -> None:
    sheet = read_sheet(f"Deal,Anna,Ben,Carl,Dora\n{rows}")
    judged = judge_sheet(sheet, ruleset, running=False)
    assert (judged.over, judged.ended, judged.totals_known) == (False, 0, False)
    assert judged.possible


def test_totals_of_nought_are_not_all_tried_as_set_back() -> None:
    """Nobody can score 100 in one deal, so there is nothing to try."""
    changed = {"exact_limit_becomes": 0, "limit": 100, "revoke_ends_deal": False}
    ruleset = Ruleset("pokerwiner-hearts", 8, changed)
    names = tuple("ABCDEFGH")
    row = SheetRow(line=2, numbers=(10, *[0] * 7))
    sheet = Sheet(names=names, rows=(row,))
    with patch.object(judging_sheets, "how_scored", wraps=how_scored) as tried:
        judge_sheet(sheet, ruleset, running=True)
    assert tried.call_count < 20
