"""Tests of tables: what an engine declares that it plays, and which games fit."""

import pytest

from refengine import WHOLE_PACK, CardSet, Malformed, Match, Ruleset, Setup, State
from refengine.formats.protocol import TableObject
from refengine_conformance.runner.table import (
    Table,
    hands_and_pack,
    start_kind,
    table_of,
    tables_of,
)
from refengine_conformance.tables.typed_table import TableFlags

PLAIN = Ruleset("estmesh-hearts")
DOMINO = Ruleset("gamerules-domino")


def whole_deal() -> Setup:
    cards = list(WHOLE_PACK)
    return Setup(dealer=0, hands=[CardSet(cards[seat::4]) for seat in range(4)])


def test_whole_hands_mean_the_whole_pack() -> None:
    table = Table(ruleset=PLAIN, hands="full")
    assert (table.hand, table.pack) == (13, "full")
    assert Table(ruleset=PLAIN, hands=13).pack == "any"
    none_removed = Table(ruleset=PLAIN.having(removal="lowest"), hands="full")
    assert none_removed.hand == 13
    assert Table(ruleset=DOMINO, hands="full").hand == 6


def test_three_players_without_the_lowest_card_have_seventeen_each() -> None:
    table = Table(ruleset=Ruleset("pokerwiner-hearts", 3), hands="full")
    assert table.hand == 17
    assert len(table.whole_pack) == 51


def test_what_keeps_a_game_away_from_a_table() -> None:
    table = Table(ruleset=PLAIN, hands="full", starts=("deal", "match-dealer"))
    assert table.why_not(whole_deal()) == ""
    assert table.why_not(Match(dealer=2)) == ""
    assert table.why_not(Match()) == "start"
    small = Setup(dealer=0, hands=["2C", "3C", "4C", "5C"])
    assert table.why_not(small) == "hand"
    assert Table(ruleset=PLAIN, hands=1, pack="any").why_not(small) == ""
    needs = Table(ruleset=PLAIN, hands=1, cards="2C QS")
    assert needs.why_not(small) == "cards"


def test_whole_hands_of_another_pack_are_kept_away() -> None:
    table = Table(ruleset=Ruleset("pokerwiner-hearts", 3), hands="full")
    for pack, why in ((table.whole_pack, ""), (WHOLE_PACK - CardSet("QS"), "pack")):
        hands = [CardSet([*pack][seat::3]) for seat in range(3)]
        assert table.why_not(Setup(dealer=0, hands=hands)) == why


def test_a_position_is_counted_back_into_the_hands_it_came_from() -> None:
    state = State.open(PLAIN.having(pass_cycle=()), whole_deal())
    for _ in range(17):
        state = state.apply(next(iter(state.legal)))
    found = Setup.of(state)
    assert start_kind(found) == "position"
    assert hands_and_pack(state.ruleset, found) == (13, WHOLE_PACK)


def test_where_cards_are_drawn_a_position_came_from_the_hands_of_its_ruleset() -> None:
    hands = ["2C", "3C", "4C", "5C"]
    position = Setup(dealer=3, hands=hands, leader=0, stock="6C")
    assert hands_and_pack(DOMINO, position) == (6, CardSet("2C 3C 4C 5C 6C"))


def test_the_flags_name_the_table_again() -> None:
    ruleset = PLAIN.having(first_trick_points="barred", pass_cycle=("left", "hold"))
    table = Table(ruleset=ruleset, hands="full", starts=("deal",), cards="2C QS")
    assert table.flags() == (
        *("--profile", "estmesh-hearts", "--players", "4"),
        *("--option", "pass_cycle=left,hold"),
        *("--option", "first_trick_points=barred"),
        *("--hands", "full", "--starts", "deal"),
        *("--needs-card", "2C", "--needs-card", "QS"),
    )
    assert str(table) == (
        "estmesh-hearts, 4 players, pass_cycle=left,hold, first_trick_points=barred, "
        "whole hands"
    )


def test_hello_declares_a_table_for_each_number_of_players() -> None:
    declared = TableObject(
        profile="pokerwiner-hearts", players=[3, 4], hands="full", starts=["deal"]
    )
    three, four = tables_of([declared])
    assert (three.ruleset.players, four.ruleset.players) == (3, 4)
    assert three.fields() == {
        "profile": "pokerwiner-hearts",
        "players": [3],
        "options": {},
        "hands": "full",
        "starts": ["deal"],
        "pack": "full",
        "cards": "",
    }
    usual = table_of(TableObject(profile="estmesh-hearts"))
    assert usual == Table(ruleset=PLAIN, hands="any")


def test_a_number_of_players_that_is_repeated_makes_no_second_table() -> None:
    declared = TableObject(profile="pokerwiner-hearts", players=[4, 3, 4])
    found = tables_of([declared])
    assert [table.ruleset.players for table in found] == [4, 3]


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        (TableObject(profile="whist"), "whist"),
        (TableObject(profile="estmesh-hearts", options={"moons": 1}), "moons"),
        (TableObject(profile="estmesh-hearts", hands=14), "14 cards a hand"),
        (
            TableObject(profile="estmesh-hearts", hands=1, pack="full"),
            "found 1 card a hand",
        ),
        (TableObject(profile="estmesh-hearts", hands=12, pack="full"), "12 cards"),
        (TableObject(profile="estmesh-hearts", cards="2C 2C"), "twice"),
        (TableObject(profile="estmesh-hearts", options={"hand_size": 5}), "3.9"),
    ],
)
def test_a_wrong_table_gets_one_clear_message(declared: TableObject, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        table_of(declared)


def test_a_card_that_is_not_in_the_pack_is_named_where_it_was_declared() -> None:
    """For three players, the two of clubs is removed from the pack (3.3)."""
    hello = TableObject(
        profile="pokerwiner-hearts", players=[3], hands="full", cards="2C"
    )
    with pytest.raises(Malformed) as caught:
        tables_of([hello])
    assert caught.value.where == "tables[0].cards"
    with pytest.raises(Malformed) as caught:
        tables_of([TableObject(profile="estmesh-hearts", cards="1C")])
    assert caught.value.where == "tables[0].cards"
    typed = TableFlags(
        profile="pokerwiner-hearts", players=3, hands="full", cards=("2C",)
    )
    with pytest.raises(Malformed) as caught:
        typed.table()
    assert caught.value.where == "--needs-card"


def test_a_whole_pack_is_said_to_make_whole_hands() -> None:
    table = Table(ruleset=PLAIN, pack="full")
    assert str(table) == "estmesh-hearts, 4 players, whole hands"
    assert table.said.endswith("; whole hands")
    numbered = Table(ruleset=PLAIN, hands=13, pack="full")
    assert str(numbered) == "estmesh-hearts, 4 players, 13 cards a hand"
