"""Whole numbers of any size, wherever one is taken: the same error in every mode.

Compiled, the rules count in 64 bits; no number may reach them that does not fit.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from refengine import (
    OPTIONS,
    Claim,
    Cut,
    Deal,
    Draw,
    Malformed,
    Match,
    Mix,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Refused,
    Retract,
    Ruleset,
    Scatter,
    Setup,
    card,
    cards,
    clause,
    new_deal,
    new_match,
    profile,
)
from refengine.formats.minideals import enumerate_games
from refengine.game.world import possible_world
from refengine.lawbook.book import SPEC
from refengine.lawbook.profiles import profile_of_toml

HEARTS = Ruleset("estmesh-hearts")
HANDS = ["2C", "QS", "2H", "3H"]
STATE = new_deal(HEARTS, HANDS, dealer=3, deal=4)
SIZES = {
    "beyond 31 bits": 2**31,
    "beyond 63 bits": 2**63,
    "below 64 bits": -(2**63) - 1,
    "beyond 64 bits": 2**64,
    "10**30": 10**30,
    "too long to be written": 10**5000,
    "too long, and negative": -(10**5000),
}

any_size = pytest.mark.parametrize("number", SIZES.values(), ids=SIZES)


def position(**more: object) -> Any:
    """A position in the play of the deal above, with some fields replaced."""
    fields: dict[str, Any] = {"dealer": 3, "deal": 4, "leader": 0, **more}
    return new_deal(HEARTS, HANDS, **fields)


TAKEN: dict[str, Callable[[Any], object]] = {
    "card": card,
    "cards": cards,
    "clause": clause,
    "profile": profile,
    "Ruleset": lambda number: Ruleset(number),
    "options": lambda number: Ruleset("estmesh-hearts", 4, number),
    "new_match dealer": lambda number: new_match(HEARTS, dealer=number),
    "new_match pack": lambda number: new_match(HEARTS, pack=number),
    "Match": lambda number: Match(number),
    "new_deal hands": lambda number: new_deal(HEARTS, number),
    "new_deal hand": lambda number: new_deal(HEARTS, [number] * 4),
    "Setup dealer": lambda number: Setup(dealer=number, hands=HANDS),
    "dealer": lambda number: position(dealer=number),
    "deal": lambda number: position(deal=number),
    "totals": lambda number: position(totals=[number, 0, 0, 0]),
    "all totals": lambda number: position(totals=number),
    "stock": lambda number: position(stock=number),
    "kitty": lambda number: position(kitty=number),
    "limit_reached": lambda number: position(limit_reached=number),
    "leader": lambda number: position(leader=number),
    "trick": lambda number: position(trick=number),
    "out": lambda number: position(out=[number]),
    "all out": lambda number: position(out=number),
    "taken": lambda number: position(taken=[number] * 4),
    "tricks": lambda number: position(tricks=[number, 0, 0, 0]),
    "hearts_broken": lambda number: position(hearts_broken=number),
    "first_trick": lambda number: position(first_trick=number),
    "Cut": lambda number: Cut(number, "2C"),
    "Deal": lambda number: Deal(number, HANDS),
    "Pass": lambda number: Pass(number, "2C"),
    "Scatter": lambda number: Scatter(number, {1: "2C"}),
    "Scatter to": lambda number: Scatter(0, {number: "2C"}),
    "Forward": PassUnseen,
    "Mix": lambda number: Mix(number, HANDS),
    "Draw": Draw,
    "Play": lambda number: Play(number, "2C"),
    "Play card": lambda number: Play(0, number),
    "Retract": lambda number: Retract(number, "2C"),
    "Quit": QuitTrick,
    "Claim": lambda number: Claim(number, 1, 1),
    "Claim against": lambda number: Claim(0, number, 1),
    "Claim trick": lambda number: Claim(0, 1, number),
    "Moon": lambda number: MoonChoice(number, "self_minus"),
    "Moon choice": lambda number: MoonChoice(0, number),
    "State.play": STATE.play,
    "State.play_number": STATE.play_number,
    "State.verdict": STATE.verdict,
    "State.apply": STATE.apply,
    "State.observe": STATE.observe,
    "State.event": lambda number: STATE.event(Play(0, "2C"), number),
    "possible_world": lambda number: possible_world(STATE, number, Random(0)),
}


@any_size
@pytest.mark.parametrize("taking", TAKEN.values(), ids=TAKEN)
def test_a_number_that_is_too_large_is_malformed(
    taking: Callable[[Any], object], number: int
) -> None:
    with pytest.raises(Malformed) as raised:
        taking(number)
    assert str(raised.value)


@any_size
@pytest.mark.parametrize("name", [one.name for one in OPTIONS])
def test_a_value_that_is_too_large_is_malformed(name: str, number: int) -> None:
    with pytest.raises(Malformed, match=rf"options\.{name}"):
        Ruleset("estmesh-hearts", 4, {name: number})


@any_size
def test_a_number_of_players_that_is_too_large_is_refused(number: int) -> None:
    with pytest.raises(Refused) as raised:
        Ruleset("estmesh-hearts", number)
    assert raised.value.clauses == ("2.6",)
    assert "2.6 Number of players" in str(raised.value)


@pytest.mark.parametrize("key", ["players", "usual_players", "players_with_kitty"])
@pytest.mark.parametrize(
    "number", [53, 2**64, -1, 10**5000], ids=["53", "64", "-1", "5000"]
)
def test_a_profile_for_more_players_than_cards_is_malformed(
    key: str, number: int
) -> None:
    text = (SPEC / "profiles" / "estmesh-hearts.toml").read_text("utf-8")
    value = f"{number:#x}" if number > 0 else f"{number}"
    value = value if key == "usual_players" else f"[{value}]"
    lines = [line for line in text.splitlines() if not line.startswith(f"{key} =")]
    with pytest.raises(Malformed, match="from 1 to 52"):
        profile_of_toml("\n".join([f"{key} = {value}", *lines]))


def test_a_profile_with_a_number_too_long_to_be_read_is_malformed() -> None:
    with pytest.raises(Malformed, match="a profile in TOML"):
        profile_of_toml(f"usual_players = {'9' * 5000}")


@pytest.mark.parametrize("number", [-1, 52, -52, 100])
def test_a_number_that_no_card_has_cannot_be_played(number: int) -> None:
    with pytest.raises(Malformed, match="the number of a card, from 0 to 51"):
        STATE.play_number(number)


@pytest.mark.parametrize("number", ["x", "5", None, 1.0, True, [1], b"1"])
def test_what_is_no_number_cannot_be_played(number: Any) -> None:
    with pytest.raises(Malformed, match="the number of a card, from 0 to 51"):
        STATE.play_number(number)


@pytest.mark.parametrize("dealer", ["0", b"0", 0.0, True, [0], -1, 13])
def test_a_dealer_is_a_seat(dealer: Any) -> None:
    hands = STATE.hands
    with pytest.raises(Malformed, match="a seat, a whole number from 0 to 12"):
        new_deal(HEARTS, hands, dealer=dealer)
    with pytest.raises(Malformed, match="a seat, a whole number from 0 to 12"):
        new_match(HEARTS, dealer=dealer)


def test_a_deal_has_a_dealer() -> None:
    none: Any = None
    with pytest.raises(Malformed, match="found None; allowed: a seat"):
        new_deal(HEARTS, STATE.hands, dealer=none)
    assert new_match(HEARTS, dealer=None).phase == "cut"


class Whole:
    """A whole number of another kind, as numpy has them."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


def test_whole_numbers_of_other_kinds_are_numbers() -> None:
    assert new_match(HEARTS, dealer=Whole(2)) == new_match(HEARTS, dealer=2)
    assert new_deal(HEARTS, HANDS, dealer=Whole(3), deal=4) == STATE
    assert STATE.play_number(Whole(0)) == STATE.play("2C")
    with pytest.raises(Malformed, match="from 0 to 51"):
        STATE.play_number(Whole(52))


def test_a_number_is_not_played_where_no_play_is_due() -> None:
    shot = STATE.play("2C").play("QS").play("2H").play("3H")
    over = shot.apply(MoonChoice(0, "self_minus"))
    assert over.over
    for state in (new_match(HEARTS), shot, over):
        with pytest.raises(Refused) as raised:
            state.play_number(0)
        assert raised.value == state.verdict(Play((*state.turn, 0)[0], "2C"))


@pytest.mark.parametrize(
    "limit", [2**63, 10**30, 10**5000], ids=["2**63", "10**30", "10**5000"]
)
def test_games_are_counted_up_to_any_limit(limit: int) -> None:
    assert enumerate_games(STATE, limit).games == 2
