"""Tests of the rules file of a club, and of the ruleset that it makes."""

import copy
import gzip
import pickle
from pathlib import Path
from typing import Any

import pytest
import zstandard

from refengine import ClubRules, Malformed, Ruleset, club_rules, profile
from refengine.formats.trace import read_trace
from refengine.game.clubs import base_of, club_rules_of_toml, names_file
from refengine.game.typed import read_ruleset
from refengine.lawbook.profile_files import is_profile_file
from tests.support.refusing import malformed, refused

HEAD = 'name = "friday"\ntitle = "Friday"\n'
ESTMESH = f'{HEAD}base = "estmesh-hearts"\n'
OLD = f'{HEAD}base = "pokerwiner-hearts"\n'
FRIDAY = f'{ESTMESH}[options]\nmoon = "others_plus"\nlimit = 50\n'


def test_a_club_makes_a_ruleset_of_its_profile() -> None:
    club = club_rules_of_toml(FRIDAY)
    made = Ruleset("estmesh-hearts", 4, {"moon": "others_plus", "limit": 50})
    assert club.ruleset() == club.ruleset(4) == made
    assert club.ruleset().changed == dict(club.options)
    assert (club.name, club.title, club.base) == ("friday", "Friday", "estmesh-hearts")


def test_more_options_go_on_top_of_those_of_the_club() -> None:
    found = club_rules_of_toml(FRIDAY).ruleset(options={"limit": 75, "sun_points": 52})
    assert found.changed == {"moon": "others_plus", "sun_points": 52, "limit": 75}


def test_an_option_as_its_base_has_it_is_no_difference() -> None:
    club = club_rules_of_toml(f'{ESTMESH}[options]\nmoon = "choice_all"\nlimit = 60')
    assert dict(club.options) == {"limit": 60}


def test_a_club_may_differ_in_nothing() -> None:
    club = club_rules_of_toml(ESTMESH)
    assert club.ruleset() == Ruleset("estmesh-hearts")
    assert dict(club.options) == {}


# Players


def test_a_club_plays_with_the_numbers_of_its_base() -> None:
    club = club_rules_of_toml(OLD)
    assert club.players == profile("pokerwiner-hearts").players
    assert club.usual_players == 4


def test_a_club_may_play_with_fewer_numbers_only() -> None:
    club = club_rules_of_toml(f"{OLD}players = [6, 3, 6]")
    assert (club.players, club.usual_players) == ((6, 3), 6)
    assert club.ruleset().players == 6
    said = str(malformed(club.ruleset, 4))
    assert said == "friday: found 4 players; allowed: 6 or 3"
    said = str(malformed(club_rules_of_toml, f"{ESTMESH}players = [4, 5]"))
    assert said == "players: found 5; allowed: 4, which estmesh-hearts allows"


def test_a_club_with_a_kitty_plays_with_the_numbers_for_a_kitty() -> None:
    club = club_rules_of_toml(f'{ESTMESH}[options]\nundealt = "kitty"')
    assert club.players == tuple(range(3, 11))
    assert club.ruleset(10).players == 10


def test_numbers_that_the_book_refuses_with_the_options_are_left_out() -> None:
    # ten cards each from a stock: five players need 50 of the 52, six would need 60
    stock = 'hand_size = 10\nundealt = "stock"\nremoval = "none"'
    club = club_rules_of_toml(f"{OLD}[options]\n{stock}")
    assert club.players == (2, 3, 4, 5)
    text = f"{OLD}players = [5, 6]\n[options]\n{stock}"
    error = malformed(club_rules_of_toml, text)
    assert (error.where, "3.9c" in error.found) == ("options", True)


# What is wrong


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{ESTMESH}[options]\nlimit = ", "Invalid"),
        (f"{ESTMESH}summary = 'x'", "the key 'summary'; allowed: name, title, base"),
        (HEAD, "no base; allowed: base, which must be given"),
        ('title = "x"', "no name"),
        ('name = "x"\nbase = "estmesh-hearts"', "no title"),
        ('name = "x"\ntitle = 2026-11-30', "title: found 2026-11-30; allowed: text"),
        (f"{HEAD}base = 5", "base: found 5; allowed: text"),
        (f'{HEAD}base = "friday"', 'base: found "friday"; allowed: one of'),
        (f'{HEAD}base = "other.toml"', 'base: found "other.toml"'),
        (ESTMESH.replace("friday", ""), 'name: found ""'),
        (ESTMESH.replace("friday", "openspiel-hearts"), 'name: found "openspiel'),
        (f"{ESTMESH}options = 5", "options: found 5; allowed: a table"),
        (f"{ESTMESH}[options]\nrain = 1", "options: found 'rain'"),
        (f"{ESTMESH}[options]\nmoon = 1", "options.moon: found 1"),
        (f"{ESTMESH}[options]\noptions = 3", "options: found 'options'"),
        (f"{ESTMESH}players = 4", "players: found 4; allowed: a list"),
        (f"{ESTMESH}players = []", "players: found an empty list"),
        (f"{ESTMESH}players = [true]", "players: found true"),
        (f"{ESTMESH}players = [4.0]", "players: found 4.0"),
        (f'{ESTMESH}[options]\nopening_leader = "left_of_dealer"', "5.2a"),
        (f'{ESTMESH}[options]\nlimit = "none"\nties = "play_on"', "9.8"),
    ],
)
def test_a_file_that_is_wrong_is_malformed(text: str, said: str) -> None:
    assert said in str(malformed(club_rules_of_toml, text))


def test_a_file_that_is_nested_too_deeply_is_malformed() -> None:
    text = "options = " + "[" * 5000
    assert "nested too deeply" in str(malformed(club_rules_of_toml, text))
    assert not is_profile_file(text)


def test_the_line_at_fault_is_counted_as_toml_counts_it() -> None:
    text = 'title = "a\u2028b"\nname = friday\n'
    assert "line 2: found name = friday" in str(malformed(club_rules_of_toml, text))


@pytest.mark.parametrize("again", ["players = [\n  4,\n]\n", "players = [4]"])
def test_a_key_that_stands_twice_is_named_by_the_line_on_which_it_begins(
    again: str,
) -> None:
    error = malformed(club_rules_of_toml, f"{ESTMESH}players = [4]\n{again}")
    assert (error.where, error.found) == ("line 5", "players a second time")


def test_what_a_clause_forbids_on_top_of_a_club_is_refused() -> None:
    make = club_rules_of_toml(FRIDAY).ruleset
    assert refused(make, options={"exact_limit_becomes": 50}).clauses == ("9.8a",)


def test_a_name_and_a_title_cannot_command_a_terminal() -> None:
    odd = r'"fri\u001b[2Jday"'
    text = f'name = {odd}\ntitle = {odd}\nbase = "estmesh-hearts"\n'
    found = club_rules_of_toml(text)
    assert found.name == found.title == r"fri\x1b[2Jday"


# Files


@pytest.fixture
def friday(tmp_path: Path) -> Path:
    path = tmp_path / "friday.toml"
    path.write_text(FRIDAY, "utf-8")
    return path


def test_a_club_is_read_from_a_file(friday: Path) -> None:
    found = club_rules(friday)
    assert isinstance(found, ClubRules)
    assert found == club_rules(str(friday)) == club_rules_of_toml(FRIDAY)
    friday.write_bytes(b"\xef\xbb\xbf" + FRIDAY.replace("\n", "\r\n").encode())
    assert club_rules(friday) == found  # as an editor on Windows leaves it
    for packed in (gzip.compress, zstandard.compress):
        friday.write_bytes(packed(FRIDAY.encode()))
        assert club_rules(friday) == found


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (FRIDAY.encode("utf-16"), ": found text in UTF-16; allowed: text in UTF-8"),
        (FRIDAY.encode("utf-16-le"), ": found text in UTF-16; allowed"),
        (FRIDAY.encode("utf-16-be"), ": found text in UTF-16; allowed"),
        (FRIDAY.encode("utf-32"), ": found text in UTF-32; allowed"),
        (gzip.compress(FRIDAY.encode())[:-9], "can be read to its end"),
        (gzip.compress(gzip.compress(b"")), ": found a packed file within a packed"),
        (gzip.compress(bytes(2**24 + 1)), ": found a packed file of more than 16 MiB"),
        (b"\x89PNG\r\n\x1a\n\x00", ": found a picture; allowed: text in UTF-8"),
        (
            b"PK\x03\x04" + bytes(30),
            ": found a zip archive, as a spreadsheet or a document is; allowed",
        ),
        (b"%PDF-1.7", ": found a PDF; allowed"),
        (b"version https://git-lfs.github.com/spec/v1\n", ": found a Git LFS pointer"),
        (b"version = 3\n", "version"),
        ("# Müller\n".encode("latin-1"), ": found text in another encoding, or no"),
        (b"name = ", "Invalid"),
        (FRIDAY.replace("50", "-1").encode(), ".options.limit: found -1"),
    ],
)
def test_a_file_that_cannot_be_used_names_itself(
    friday: Path, content: bytes, said: str
) -> None:
    friday.write_bytes(content)
    told = str(malformed(club_rules, friday))
    assert told.startswith(f"{friday}")
    assert said in told


@pytest.mark.parametrize("name", ["none.toml", "", "."])
def test_a_file_that_cannot_be_opened_is_malformed(tmp_path: Path, name: str) -> None:
    with pytest.raises(
        Malformed, match=r"cannot be read: (no such file|is a directory)"
    ):
        club_rules(tmp_path / name)


def test_a_name_that_no_file_can_have_is_malformed() -> None:
    with pytest.raises(Malformed, match="the name of a file"):
        club_rules("fri\0day.toml")


def test_what_is_a_file_and_what_a_profile(
    friday: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(friday.parent)
    Path("rules").write_text(FRIDAY, "utf-8")
    Path("estmesh-hearts").mkdir()
    assert names_file("none.toml")
    assert names_file("rules")
    for name in ("estmesh-hearts", "bridge", "", "x" * 5000, "\0"):
        assert not names_file(name)
    assert base_of("openspiel-hearts") == "openspiel-hearts"
    assert base_of("rules") == base_of("friday.toml") == "estmesh-hearts"
    for name in ("bridge", "none.toml"):
        malformed(base_of, name)


def test_what_is_typed_may_name_a_file(friday: Path) -> None:
    found = read_ruleset(str(friday), None, ("limit=75",))
    assert found == Ruleset("estmesh-hearts", 4, {"moon": "others_plus", "limit": 75})
    for options, where in (("moon=eclipse",), "options.moon"), (("sun=1",), "options"):
        assert malformed(read_ruleset, str(friday), None, options).where == where


def test_no_trace_names_a_file(friday: Path) -> None:
    """Otherwise a line that somebody sends could make a program open a file."""
    assert malformed(Ruleset, str(friday)).where == "profile"
    line = f'{{"trace":1,"ruleset":{{"profile":"{friday}","players":4}}}}'
    malformed(read_trace, line.encode())


def test_a_club_is_copied_pickled_and_kept_in_sets(friday: Path) -> None:
    club = club_rules(friday)
    copies: list[Any] = [copy.deepcopy(club), pickle.loads(pickle.dumps(club))]
    assert copies == [club, club]
    assert {club, *copies} == {club}
    with pytest.raises(TypeError, match="does not support item assignment"):
        copies[0].options["limit"] = 50
