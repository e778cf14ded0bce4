"""Tests of the sheet of house rules: its contents, their order, and its length."""

import re
from functools import partial
from pathlib import Path
from random import Random

import pytest

from refengine import Ruleset
from refengine.cli.sheet_text import LENGTH, WIDTH, sheet_html, sheet_text
from refengine.lawbook.book import clauses
from refengine.lawbook.main_clauses import clauses_of_value, main_clauses
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.profiles import profile_names
from refengine.rulings.house_sheet import HouseSheet, house_sheet
from refengine.rulings.words import option_meaning
from refengine_conformance.generators.strategies import some_ruleset
from tests.support.commands import Runner, error_of
from tests.support.html_tags import Tags


@pytest.fixture
def sheet(run: Runner) -> Runner:
    return partial(run, "house-rules")


def lines_under(text: str, heading: str) -> list[str]:
    """The sentences of a section, each on one line."""
    after = text.split(f"\n{heading}\n")[1].split("\n\n")[0]
    return re.sub(r"\n  ", " ", after).split("\n")


def test_what_differs_stands_first_with_what_the_profile_plays(sheet: Runner) -> None:
    code, out, _ = sheet("--option", "first_trick_points=barred")
    assert code == 0
    heading = "What differs from estmesh-hearts"
    assert lines_under(out, heading) == [
        "- Cards that cost points are kept out of the first trick. [5.5] Instead of: "
        "cards that cost points may be played to the first trick."
    ]
    assert out.index(heading) < out.index("\nThe deal\n")
    assert "5.5" not in out.split("\nThe deal\n")[1]


def test_a_table_that_changes_nothing_plays_its_profile(sheet: Runner) -> None:
    _, out, _ = sheet("--profile", "pokerwiner-hearts", "--players", "5")
    assert "differs" not in out
    assert out.startswith("HOUSE RULES: OLD HEARTS, 5 PLAYERS\nHearts of the old kind")
    assert lines_under(out, "The deal") == [
        "- 5 players are dealt 10 cards each. [2.6, 3.4]",
        "- Taken out of the pack: 2C and 2D. [3.3]",
        "- Play goes round to the left. [2.2]",
    ]
    assert lines_under(out, "The end") == ["- The match is a single deal. [9.4]"]
    assert lines_under(out, "Failing to follow suit")[2:] == [
        "- A failure to follow suit costs all the points there are. [7.9, 7.10]",
        "- A failure to follow suit, once claimed, ends the deal. [7.9, 7.10]",
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("--profile", "gamerules-domino", "--players", "3"),
            "- The cards not dealt are a stock to draw from: 34 cards. [3.6]",
        ),
        (
            ("--option", "undealt=kitty"),
            "- Left for the kitty: 4 cards. [3.7]",
        ),
        (("--option", "bonus_card=JD"), "- The bonus card counts -10. [1.7, 8.7]"),
        (("--option", "heart_points=2"), "- A deal has 39 points in all. [1.6]"),
    ],
)
def test_cards_and_points_are_counted(
    sheet: Runner, words: tuple[str, ...], told: str
) -> None:
    assert told in sheet(*words)[1]


def test_the_foot_is_the_citation_of_the_ruleset(sheet: Runner) -> None:
    changed = {"pass_cycle": ("left", "hold"), "ties": "play_on"}
    _, out, _ = sheet("--option", "ties=play_on", "--option", "pass_cycle=left,hold")
    foot = out.rstrip("\n").split("\n\n")[-1]
    assert foot == f"Cite as {Ruleset('estmesh-hearts', 4, changed).citation}"
    assert foot.endswith(" pass_cycle=left,hold ties=play_on")


def test_a_change_without_effect_is_cited_and_not_told(sheet: Runner) -> None:
    _, out, _ = sheet("--option", "revoke_points=all")
    assert "differs" not in out
    assert out.endswith(" revoke_points=all\n")


def test_three_players_pass_nothing_where_all_would_pass_across(sheet: Runner) -> None:
    """Three players have nobody across (4.1a), so they skip every pass across.

    This holds for the cycle given as an option and for the profile's own.
    """
    words = ("--profile", "common-hearts", "--players", "3")
    _, out, _ = sheet(*words, "--option", "pass_cycle=across")
    assert lines_under(out, "What differs from common-hearts") == [
        "- No cards are passed. [4.1, 4.1a] Instead of: the passes are, in turn: "
        "left, right, hold."
    ]
    assert "3 cards are passed" not in out
    assert "3 cards are passed" in sheet(*words)[1]
    _, same, _ = sheet(*words, "--option", "pass_cycle=left,right,hold")
    assert "differs" not in same
    assert "The passes are, in turn: left, right, hold. [4.1]" in same


def test_a_change_where_the_profile_has_no_such_rule_replaces_nothing() -> None:
    ruleset = Ruleset(
        "estmesh-hearts", 4, {"revokes": "penalised", "revoke_until": "next_lead"}
    )
    changed = house_sheet(ruleset).sections[0].lines
    assert [bool(one.instead) for one in changed] == [True, False]
    assert [one.clauses for one in changed] == [("7.2",), ("7.4", "7.4a")]


def test_it_is_written_where_it_is_told(sheet: Runner, tmp_path: Path) -> None:
    text, page = tmp_path / "sheet.txt", tmp_path / "sheet.html"
    assert sheet("--html", str(page)) == (0, "", "")
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert not text.exists()
    assert sheet("--output", str(text), "--html", str(page)) == (0, "", "")
    assert text.read_text("utf-8") == sheet()[1]


def test_a_dash_is_standard_output(sheet: Runner, folder: Path) -> None:
    text, page = sheet()[1], sheet("--html", "-")[1]
    assert page.startswith("<!doctype html>")
    assert sheet("--output", "-") == (0, text, "")
    assert sheet("--html", "-", "--output", "-") == (0, page + text, "")
    assert [*folder.iterdir()] == []


def test_the_name_that_it_had_still_works_and_says_so(run: Runner) -> None:
    code, out, err = run("sheet")
    assert (code, out) == (0, run("house-rules")[1])
    assert "house-rules" in err
    assert "DeprecationWarning" in err


def test_where_it_cannot_be_written_is_told_in_our_words(
    sheet: Runner, tmp_path: Path
) -> None:
    code, out, err = sheet("--html", str(tmp_path / "nowhere" / "sheet.html"))
    assert (code, out) == (3, "")
    assert "cannot be written: there is no folder" in err


def test_a_table_that_the_book_refuses_has_no_sheet(
    sheet: Runner, tmp_path: Path
) -> None:
    page = tmp_path / "sheet.html"
    assert "2.6" in error_of(sheet, "--players", "9", "--html", str(page))
    assert not page.exists()


def many_sheets() -> list[HouseSheet]:
    rng = Random(16)
    return [
        house_sheet(some_ruleset(rng, name, changes))
        for name in profile_names()
        for changes in (0, 1, 3, 9, 30)
        for _ in range(8)
    ]


def test_every_sheet_fits_a_page() -> None:
    lengths = set()
    for sheet in many_sheets():
        lines = sheet_text(sheet).split("\n")
        assert max(map(len, lines)) <= WIDTH
        lengths.add(len(lines))
    assert max(lengths) <= LENGTH


def test_a_long_sheet_leaves_out_what_the_profile_plays() -> None:
    long = house_sheet(everything_changed())
    assert "Instead of" not in sheet_text(long)
    assert '<body class="long">' in sheet_html(long)
    told = sum(len(section.lines) for section in long.sections)
    assert sheet_text(long).count("[") == told > 30


def everything_changed() -> Ruleset:
    """A ruleset that changes as many options of a profile as go together."""
    changed = {
        "direction": "counterclockwise",
        "hand_size": 6,
        "undealt": "stock",
        "pass_count": 2,
        "pass_cycle": ("left",) * 30,
        "pass_unseen": True,
        "opening_card": "any_club",
        "queen_breaks_hearts": True,
        "all_hearts_leader": "draw",
        "hearts_or_queen_leader": "any",
        "first_trick_points": "barred",
        "queen_duty": "when_safe",
        "survivor_takes_stock": True,
        "no_survivor_stock": "last_to_play",
        "heart_points": 2,
        "queen_points": 12,
        "bonus_card": "TD",
        "bonus_points": -5,
        "moon": "others_plus_unless_losing",
        "sun_points": 50,
        "no_trick_points": -5,
        "revokes": "penalised",
        "revoke_until": "next_lead",
        "revoke_points": "all",
        "revoke_ends_deal": True,
        "limit": 50,
        "limit_rule": "exceed",
        "exact_limit_becomes": 0,
        "ties": "play_on",
    }
    return Ruleset("estmesh-hearts", 4, changed)


def test_every_sentence_cites_clauses_of_the_book() -> None:
    for sheet in many_sheets():
        for section in sheet.sections:
            for line in section.lines:
                assert line.clauses
                assert {*line.clauses} <= {*clauses()}
                assert line.text.endswith(".")
                assert line.text[0].isupper() or line.text[0].isdigit()


def test_every_option_has_main_clauses_that_read_it_or_say_where_it_bites() -> None:
    assert list(main_clauses()) == [option.name for option in OPTIONS]
    for name, numbers in main_clauses().items():
        assert {*numbers} <= {*clauses()}
        assert any(name in clauses()[number].options for number in numbers)


@pytest.mark.parametrize(
    ("option", "value", "numbers"),
    [
        ("moon", "choice_one", ("8.5c", "8.6a")),
        ("moon", "others_plus", ("8.5a",)),
        ("opening_leader", "lowest_club", ("5.1",)),
        ("queen_points", 13, ("1.4", "1.5")),
    ],
)
def test_a_value_is_cited_by_the_clause_that_speaks_of_it(
    option: str, value: str | int, numbers: tuple[str, ...]
) -> None:
    assert clauses_of_value(option, value) == numbers


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("deals", 1, "the match is a single deal"),
        ("deals", 2, "without a limit the match has 2 deals"),
        ("queen_points", 0, "the queen of spades costs nothing"),
        ("pass_count", 1, "one card is passed"),
    ],
)
def test_a_number_is_said_as_people_say_it(option: str, value: int, words: str) -> None:
    assert option_meaning(option, value) == words


def test_the_page_says_what_the_text_says_and_loads_nothing() -> None:
    for sheet in many_sheets()[::7]:
        page = Tags(sheet_html(sheet))
        assert page.open == []
        assert page.loads == []
        said = "".join(page.words)
        assert all(one.text in said for part in sheet.sections for one in part.lines)
        assert sheet.foot in said


def test_a_page_and_a_text_do_not_go_into_one_file(run: Runner, folder: Path) -> None:
    said = error_of(run, "house-rules --html page --output ./page")
    assert "a file that --html names too" in said
    assert [*folder.iterdir()] == []


def test_the_rules_that_are_shown_are_not_overwritten(
    run: Runner, folder: Path
) -> None:
    friday = folder / "friday.toml"
    rules = 'name = "friday"\ntitle = "Friday"\nbase = "common-hearts"\n'
    friday.write_text(rules, "utf-8")
    said = error_of(run, "house-rules --profile friday.toml --output friday.toml")
    assert "a file that this run reads" in said
    assert friday.read_text("utf-8") == rules
