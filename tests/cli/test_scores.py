"""Tests of `refengine scores`, the command that checks score sheets."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from refengine.cli import files
from tests.support import places
from tests.support.commands import Run, Runner, error_of, run_given
from tests.support.html_tags import Tags

PAGE = (places.DOCS / "rulings.md").read_text("utf-8")
COMMON = ("--profile", "common-hearts")
RIGHT = "Anna,Ben,Carl,Dora\n13,5,8,0\n0,26,26,26\n"


@pytest.fixture
def scores(run: Runner, folder: Path) -> Runner:
    """The exit code and output of `refengine scores` for a sheet with this text."""

    def call(text: str | bytes, *words: str) -> Run:
        content = text if isinstance(text, bytes) else text.encode()
        (folder / "sheet").write_bytes(content)
        return run("scores", "sheet", *words)

    return call


@pytest.mark.interpreted("about a page of the checkout")
def test_the_page_shows_what_is_printed(scores: Runner) -> None:
    _, _, rest = PAGE.partition("$ cat friday.txt\n")
    text, _, rest = rest.partition("$ refengine scores friday.txt ")
    words, _, rest = rest.partition("\n")
    code, out, _ = scores(text, *words.split())
    assert out == rest.partition("```")[0]
    assert code == 1


def test_a_right_sheet_ends_with_0_and_names_the_games(scores: Runner) -> None:
    code, out, _ = scores(RIGHT)
    assert code == 0
    assert out.startswith(
        "Possible under Hearts as most people play it (common-hearts)"
    )
    assert "row 2: Anna shot the moon [8.3]\n" in out
    assert "cannot be right" not in out


def test_a_wrong_sheet_is_told_by_the_nearest_game(scores: Runner) -> None:
    code, out, _ = scores("Anna,Ben,Carl,Dora\n13,5,8,0\n13,5,8,0\n13,5,9,0\n")
    assert code == 1
    assert out.startswith(
        "Possible under no game of the book; the nearest is Hearts as"
    )
    assert "row 3: 27 points, 1 too many: no deal gives that [8.1, 8.9]\n" in out
    assert out.endswith("1 of 3 rows cannot be right\n")
    code, _, err = scores(f"{RIGHT}total,31,34,26\n", "--points")  # one is missing
    assert (code, "sheet:4: found total; " in err) == (3, True)
    code, out, _ = scores("deal,A,B,C\n1,13,5,8\n2,0,26,0\nsum,13,31,9\n")
    assert code == 1
    assert "\nthe total of C is 8, not 9 [9.1]\n" in out


CLUB = """\
Winter evenings;;;;;
Table A;12.01.2024;Weber;Klein;Lang;Sauer
1;links;-5;-13;-8;0
2;rechts;0;-1;-4;-21
3;gegenüber;-26;0;-26;-26
4;keine;-3;-6;-15;-2
Summe;;-34;-20;-53;-49
Schnitt;;-8,50;-5,00;-13,25;-12,25
;;;;;
Table B;26.01.2024;Weber;Brandt;Klein;Sauer
1;links;0;-18;-2;-6
2;links;-12;-12;-1;-1
"""


def test_each_table_of_a_file_is_a_match_of_its_own(scores: Runner) -> None:
    """No deal can score 12, 12, 1 and 1: one player has the queen, which costs 13."""
    code, out, _ = scores(CLUB, *COMMON)
    assert code == 1
    first, _, second = out.partition("\n\nTable 2, from line 11 on\n")
    assert first.startswith("Table 1, from line 3 on\nUnder Hearts as most people play")
    assert "row 3: Klein shot the moon [8.3]" in first
    assert "cannot be right" not in first
    assert "row 2: passed left, where right comes after left [4.1]\n" in second
    assert "row 2: no deal gives these scores together" in second
    assert second.endswith("1 of 2 rows cannot be right\n")
    code, out, _ = scores(CLUB, *COMMON, "--json")
    told = [json.loads(line) for line in out.splitlines()]
    assert [one["possible"] for one in told] == [True, False]
    assert [one["names"][1] for one in told] == ["Klein", "Brandt"]
    assert [row["line"] for row in told[1]["rows"]] == [11, 12]
    code, out, err = scores(CLUB.replace("-12;-1;-1", "-12;6½;-1"))
    assert (code, out) == (3, "")
    assert "sheet:12: found 6½" in err


def test_a_page_has_all_tables(scores: Runner) -> None:
    scores(CLUB, *COMMON, "--report", "html:page.html")
    page = Path("page.html").read_text("utf-8")
    heads = ["<h1>Table 1, from line 3 on</h1>", "<h1>Table 2, from line 11 on</h1>"]
    assert [page.count(one) for one in (*heads, "<table>")] == [1, 1, 2]


def test_who_wins_is_told_where_the_match_is_over(scores: Runner) -> None:
    moons = "Anna,Ben,Carl,Dora\n" + "26,26,26,0\n" * 4
    _, out, _ = scores(moons, *COMMON)
    said = "The match is over, and Dora wins: Anna 104, Ben 104, Carl 104 and Dora 0."
    assert f"{said} [9.5]\n" in " ".join(out.split("\n  "))
    _, out, _ = scores("Anna,Ben,Carl\n13,13,0\n", "--profile", "pokerwiner-hearts")
    assert "The match is over, and Carl wins: " in out
    both = "A,B,C,D\n50,0,0,0\n" + "0,0,13,13\n"
    _, out, _ = scores(both, *COMMON, "--totals")
    assert "The match goes on" in out
    nine = ("--option", "limit=none", "--option", "deals=9")
    _, out, _ = scores("A,B,C,D\n0,0,13,13\n", *COMMON, *nine)
    assert "The match goes on: A 0, B 0, C 13 and D 13. [9.4]" in out
    tie = "A,B,C,D\n" + "26,26,0,26\n26,26,26,0\n" * 2
    _, out, _ = scores(tie, *COMMON)
    assert "C and D share the win" in " ".join(out.split())
    _, out, _ = scores(tie, *COMMON, "--option", "ties=play_on")
    assert "The match goes on: A 104, B 104, C 52 and D 52. [9.6]" in out


def test_as_json_it_is_one_object(scores: Runner) -> None:
    code, out, _ = scores(RIGHT, "--json", "--points")
    found = json.loads(out)
    assert code == 0
    assert found["ruleset"] == {"profile": "common-hearts", "players": 4}
    assert (found["possible"], found["running"]) == (True, False)
    assert found["rows"][1] == {
        "row": 2,
        "line": 3,
        "score": [0, 26, 26, 26],
        "totals": [13, 31, 34, 26],
        "remarks": [{"text": "Anna shot the moon", "clauses": ["8.3"], "wrong": False}],
    }
    assert (found["over"], found["winners"]) == (False, [])
    games = {one["ruleset"]["profile"]: one["wrong"] for one in found["rulesets"]}
    assert games["common-hearts"] == []
    assert games["pokerwiner-hearts"] == [2]
    code, out, _ = scores(RIGHT, "--json", "--profile", "pokerwiner-hearts")
    assert code == 1
    assert "rulesets" not in json.loads(out)


def test_who_won_is_left_open_if_it_depends_on_which_total_is_wrong(
    scores: Runner,
) -> None:
    text = "Anna,Ben,Carl,Dora\n0,0,13,13\n4,4,26,19\n9,9,39,21\n"
    limit = (*COMMON, "--option", "limit=20", "--totals")
    code, out, _ = scores(text, *limit)
    assert code == 1
    end = "The match was over after row 2; who won depends on which total is wrong."
    stands = "As written: Anna 4, Ben 4, Carl 26 and Dora 19. [9.5]"
    assert f"{end} {stands}" in " ".join(out.split())
    assert json.loads(scores(text, *limit, "--json")[1])["winners"] == []


def test_a_page_shows_the_whole_sheet_and_what_is_told(
    scores: Runner, tmp_path: Path
) -> None:
    text = "Pass,Anna,<Ben>,Carl,Dora,Note\nleft,13,5,8,0,a & b\nright,9,0,8,8,\n"
    code, out, err = scores(text, *COMMON, "--report", "html:page.html")
    assert (code, out, err) == (1, scores(text, *COMMON)[1], "")
    page = Tags((tmp_path / "page.html").read_text("utf-8"))
    assert (page.open, page.loads) == ([], [])
    shown = " ".join("".join(page.words).split())
    assert "<Ben>" in shown
    assert "\u201ca & b\u201d" in shown
    assert "25 points, 1 too few: no deal gives that [8.1, 8.9]" in shown
    assert "The match goes on: Anna 22, <Ben> 5, Carl 16 and Dora 8. [9.3]" in shown
    assert scores(text, "--report", "html:-")[1].startswith("<!doctype html>") is False
    assert "<!doctype html>" in scores(text, "--report", "html:-")[1]


def test_a_page_of_a_sheet_without_a_slip_has_no_column_for_remarks(
    scores: Runner, tmp_path: Path
) -> None:
    text = "A,B,C,D\n13 (13),5 (5),8 (8),0 (0)\n4 (17),9 (14),13 (21),0 (0)\n"
    code, out, _ = scores(text, "--report", "html:page.html")
    assert code == 0
    assert "the points of each deal, and running totals beside them" in out
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "cannot be right" not in page
    assert "told" not in page.partition("<body")[2]
    scores("A,B,C,D\n13,5,8,0\nTotal,13,5,8,1\n", "--report", "html:page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "the total of D is 0, not 1" in page


def test_a_page_counts_on_from_the_last_number_of_a_deal(scores: Runner) -> None:
    text = "Deal,A,B,C,D\n5,13,5,8,0\n,0,0,13,13\n7,13,13,0,0\n"
    scores(text, *COMMON, "--report", "html:page.html")
    page = Path("page.html").read_text("utf-8")
    heads = [f'<th scope="row">{deal}</th>' for deal in (5, 6, 7)]
    assert [page.count(one) for one in heads] == [1, 1, 1]


def test_a_page_for_which_there_is_no_room_is_told_behind_what_was_found(
    scores: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(name: str, content: bytes) -> None:
        raise OSError(28, "No space left on device", name)

    monkeypatch.setattr("refengine.formats.whole_files.write_file", full)
    code, out, err = scores(RIGHT, "--report", "html:page.html")
    assert code == 3
    assert out == scores(RIGHT)[1]
    assert err == ("refengine: page.html: cannot be written: no space left on device\n")


@pytest.mark.parametrize(
    ("report", "said"),
    [
        ("page.html", "found 'page.html'; allowed: html:FILE"),
        ("text:page", "found 'text:page'; allowed: html:FILE"),
        ("html:", "found 'html:'; allowed: html:FILE"),
        ("html:sheet", "found a file that this run reads"),
        ("html:nowhere/page", "cannot be written: there is no folder nowhere"),
    ],
)
def test_a_page_that_cannot_be_written_is_told_first(
    scores: Runner, report: str, said: str
) -> None:
    assert said in error_of(scores, RIGHT, "--report", report)
    assert Path("sheet").read_text("utf-8") == RIGHT


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_sheet_may_be_packed(scores: Runner, pack: Callable[[bytes], bytes]) -> None:
    assert scores(pack(RIGHT.encode())) == scores(RIGHT)


def test_standard_input_is_read() -> None:
    code, out, _ = run_given("scores", "-", given=RIGHT.encode())
    assert (code, "Possible under" in out) == (0, True)


@pytest.mark.parametrize(
    ("content", "words", "said"),
    [
        (
            RIGHT.encode("utf-16"),
            (),
            "sheet: found text in UTF-16; allowed: text in UT",
        ),
        (b"1\x002,3\n", (), "sheet: found text in another encoding, or no text"),
        (
            b"no numbers\n",
            (),
            "sheet: found no row of numbers; allowed: a row for each",
        ),
        (b"A,B\n1,2\n3,x y\n", (), "sheet:3: found x y; allowed: a number"),
        (RIGHT.encode(), ("--option", "limit=50"), "--option needs --profile"),
        (RIGHT.encode(), ("--profile", "black-marie"), "black-marie"),
        (
            b"A,B,C,D,E,F,G\n1,1,1,1,1,1,1\n",
            COMMON,
            "refengine: sheet: found 7 players",
        ),
    ],
)
def test_what_cannot_be_judged_ends_with_3(
    scores: Runner,
    content: bytes,
    words: tuple[str, ...],
    said: str,
) -> None:
    err = error_of(scores, content, *words)
    assert err.startswith("refengine: ")
    assert said in err


def test_a_sheet_is_not_read_without_end(
    scores: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_LARGEST", 10)
    err = error_of(scores, RIGHT)
    assert err == "refengine: sheet: found a larger file; allowed: at most 16 MiB\n"


def test_a_page_does_not_replace_the_file_of_the_club(
    scores: Runner, folder: Path
) -> None:
    club = 'name = "c"\ntitle = "C"\nbase = "common-hearts"\n'
    (folder / "club.toml").write_text(club, "utf-8")
    words = ("--profile", "club.toml", "--report", "html:club.toml")
    assert "a file that this run reads" in error_of(scores, RIGHT, *words)
    assert (folder / "club.toml").read_text("utf-8") == club
