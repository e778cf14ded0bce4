"""Tests that notes and tables in the book are true of every profile they mention.

A new profile can make a sentence about "every profile" false although nobody has
touched the sentence. So each such sentence has an entry here, under its clause.
"""

import re
from collections.abc import Iterator

import pytest

from refengine.lawbook.book import SPEC
from refengine.lawbook.options import BY_NAME
from refengine.lawbook.profiles import Profile, profile, profile_names
from refengine.lawbook.reading import BookTable, plain, read_book

BOOK = {passage.number: passage for passage in read_book(SPEC)}
NAMES = profile_names()
OTHERS = "every other profile"
OF_PROFILES = re.compile(
    r"\b(every|each|all|no|both|other|\w+ other|its two) (other )?(its )?profiles?\b"
    r"|\bprofiles? (have|has|do|does|play|plays)\b",
    re.IGNORECASE,
)

# The clause, an option, and for each value the profiles that its notes name; where the
# list is empty the note speaks of every other profile, or of every one.
SAID: dict[str, tuple[str, dict[object, tuple[str, ...]]]] = {
    "1.7": ("bonus_card", {"TD": ("omnibus-hearts",), "none": ()}),
    "2.2": ("direction", {"counterclockwise": ("heartsgame-tiles",), "clockwise": ()}),
    "3.3": (
        "removal",
        {
            "lowest": (
                *("heartsgame-tiles", "dominorules-tiles", "pokerwiner-hearts"),
                "black-maria",
            ),
            "lowest_no_hearts": ("common-hearts", "omnibus-hearts"),
            "none": (),
        },
    ),
    "3.4": ("hand_size", {6: ("gamerules-domino", "pokerwiner-domino"), "all": ()}),
    "3.6": (
        "undealt",
        {"stock": ("gamerules-domino", "pokerwiner-domino"), "none": ()},
    ),
    "3.7": (
        "undealt",
        {"stock": ("gamerules-domino", "pokerwiner-domino"), "none": ()},
    ),
    "4.4": ("pass_count", {3: ()}),
    "4.9": ("pass_unseen", {False: ()}),
    "5.1": (
        "opening_leader",
        {
            "left_of_dealer": (
                *("gamerules-domino", "pokerwiner-hearts", "pokerwiner-domino"),
                "black-maria",
            ),
            "lowest_club": (),
        },
    ),
    "5.2": (
        "opening_card",
        {
            "any": (
                *("gamerules-domino", "pokerwiner-hearts", "pokerwiner-domino"),
                "black-maria",
            ),
            "lowest_club": (),
        },
    ),
    "5.4": (
        "heart_leads",
        {
            "free": ("pokerwiner-hearts", "pokerwiner-domino", "black-maria"),
            "when_broken": (),
        },
    ),
    "5.4a": ("all_hearts_leader", {"draw": ("gamerules-domino",), "lead": ()}),
    "5.4b": ("hearts_or_queen_leader", {"queen": ()}),
    "5.5": (
        "first_trick_points",
        {
            "barred": (
                *("openspiel-hearts", "common-hearts", "omnibus-hearts"),
                "spot-hearts",
            ),
            "allowed": (),
        },
    ),
    "5.6": ("queen_duty", {"no": ()}),
    "5.9a": (
        "queen_breaks_hearts",
        {True: ("openspiel-hearts", "spot-hearts"), False: ()},
    ),
    "6.8a": ("survivor_takes_stock", {True: ("pokerwiner-domino",), False: ()}),
    "6.8b": (
        "no_survivor_stock",
        {"last_to_play": ("pokerwiner-domino",), "nobody": ()},
    ),
    "7.2": (
        "revokes",
        {
            "penalised": (
                *("heartsgame-tiles", "dominorules-tiles"),
                *("pokerwiner-hearts", "pokerwiner-domino"),
            ),
            "rejected": (),
        },
    ),
    "7.4": (
        "revoke_until",
        {
            "trick_quitted": ("dominorules-tiles",),
            "next_lead": ("pokerwiner-hearts", "pokerwiner-domino"),
            "trick_complete": (),
        },
    ),
    "8.3c": ("moon_needs_bonus", {True: ("omnibus-hearts",), False: ()}),
    "8.4": ("sun_points", {258: ("spot-hearts",), 0: ()}),
    "8.8": ("no_trick_points", {0: ()}),
    "9.2": ("exact_limit_becomes", {"none": ()}),
    "9.5": ("ties", {"shared": ()}),
}
UNNAMED = {"3.7", "7.4"}  # which speak of a value that no profile has, or of a source
ELSEWHERE = {
    "0.1",  # what binds
    "0.4",  # a reading that no profile has
    "1.4",  # the two profiles named before
}


@pytest.mark.parametrize("number", SAID)
def test_a_note_says_of_each_profile_what_it_has(number: str) -> None:
    option, said = SAID[number]
    notes = " ".join(map(plain, BOOK[number].notes))
    named = {name for names in said.values() for name in names}
    rest = [value for value, names in said.items() if not names]
    assert len(rest) == 1
    for name in NAMES:
        value = profile(name).options[option]
        assert name in said.get(value, ()) or (value in rest and name not in named)
    if number not in UNNAMED:
        assert named <= set(re.findall(r"[a-z]+-[a-z]+", notes))
        assert OF_PROFILES.search(notes)
        assert (OTHERS in notes.lower()) is bool(named) or "no other" in notes


def test_every_note_about_all_profiles_is_looked_at() -> None:
    found = {
        number
        for number, passage in BOOK.items()
        if OF_PROFILES.search(" ".join(map(plain, passage.notes)))
    }
    assert found - ELSEWHERE <= SAID.keys() | tables_of_profiles().keys()


# Tables


def tables_of_profiles() -> dict[str, BookTable]:
    """The tables in the book that have a row for each profile, by clause number."""
    return {
        number: table
        for number, passage in BOOK.items()
        for table in passage.tables
        if table.header[0] == "profile"
    }


def rows_of(table: BookTable) -> Iterator[tuple[str, dict[str, str]]]:
    """The profiles in the rows of a table, each with its cells by column heading."""
    left = [*NAMES]
    for row in table.rows:
        names = left if row[0] == OTHERS else row[0].split(", ")
        for name in [*names]:
            left.remove(name)
            yield name, dict(zip(table.header[1:], row[1:], strict=True))


def players_of(cell: str) -> tuple[int, ...]:
    first, _, last = re.fullmatch(r"(\d+)( (?:to|or) (\d+))?", cell).groups()  # type: ignore[union-attr]  # a cell of another form fails too
    return tuple(range(int(first), int(last or first) + 1))


def is_said(one: Profile, column: str, cell: str) -> bool:
    """Whether the profile has the value that this cell gives in this column."""
    cell = cell.partition(":")[0]
    if column == "players":
        numbers, _, more = cell.partition("; with a kitty ")
        numbers, _, usual = numbers.partition(", usually ")
        return (
            one.players == players_of(numbers)
            and one.players_with_kitty == players_of(more or numbers)
            and (not usual or one.usual_players == int(usual))
        )
    if column == "cycle":
        cycle = () if cell == "empty" else tuple(cell.split(", "))
        return one.options["pass_cycle"] == cycle
    value = one.options[column]
    if cell == "none in use":
        return not BY_NAME[column].bites(one.options)
    return cell == (str(value).lower() if isinstance(value, bool) else str(value))


@pytest.mark.parametrize("number", tables_of_profiles())
def test_a_table_of_profiles_has_the_values_of_each(number: str) -> None:
    table = tables_of_profiles()[number]
    rows = dict(rows_of(table))
    for name, cells in rows.items():
        for column, cell in cells.items():
            assert is_said(profile(name), column, cell), (name, column, cell)
    idle = {
        name
        for name in NAMES
        if all(
            column in BY_NAME and not BY_NAME[column].bites(profile(name).options)
            for column in table.header[1:]
        )
    }
    assert set(NAMES) <= rows.keys() | idle


def test_the_clauses_with_tables_of_profiles_are_these() -> None:
    assert {*tables_of_profiles()} == {"1.5", "2.6", "4.1", "7.9", "8.5", "9.3"}


# The profiles and their sources


def listed_sources() -> dict[str, tuple[str, ...]]:
    """For each source, the profiles that the table of sources lists beside it."""
    row = re.compile(r"^\| ([a-z]+[a-z0-9-]*) \|.*\| ([^|]+) \|$", re.MULTILINE)
    return {
        name: tuple(one for one in cell.split(", ") if one in NAMES)
        for name, cell in row.findall(sources_page())
        if name != "id"
    }


def sources_page() -> str:
    return (SPEC / "sources.md").read_text("utf-8")


def test_each_source_is_listed_for_the_profiles_that_name_it() -> None:
    for name, profiles in listed_sources().items():
        assert f"\n**{name}** " in sources_page()
        for one in profiles:
            assert name in profile(one).sources
    for one in NAMES:
        first, *_ = profile(one).sources
        assert one in listed_sources()[first]


def test_a_match_without_a_limit_is_a_ruling() -> None:
    for name in NAMES:
        if profile(name).options["limit"] == "none":
            assert {"limit", "deals"} <= set(profile(name).rulings)
