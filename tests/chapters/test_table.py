"""Tests of chapter 2: seats, turns and phases."""

import pytest

from refengine import (
    Act,
    Claim,
    Cut,
    Deal,
    Draw,
    Mix,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Retract,
    Ruleset,
    Scatter,
    State,
    new_deal,
    new_match,
    profile,
    profile_names,
)
from refengine.chapters.table import SEAT, across_from, left_of, next_in_turn, right_of
from tests.support.playing import cards_played
from tests.support.refusing import refused
from tests.support.strategies import broken, hearts

PLAYERS = range(2, 14)


def test_a_seat_is_one_bit_of_a_set_of_seats() -> None:
    assert tuple(2**seat for seat in range(13)) == SEAT


@pytest.mark.parametrize("players", PLAYERS)
def test_left_is_the_next_number_and_right_its_inverse(players: int) -> None:
    for seat in range(players):
        assert left_of(seat, players) == (seat + 1) % players
        assert right_of(left_of(seat, players), players) == seat
        assert left_of(right_of(seat, players), players) == seat


@pytest.mark.parametrize("players", [2, 4, 6, 8, 10, 12])
def test_across_is_half_way_round_and_mutual(players: int) -> None:
    for seat in range(players):
        across = across_from(seat, players)
        assert (across - seat) % players == players // 2
        assert across_from(across, players) == seat


@pytest.mark.parametrize("players", PLAYERS)
def test_play_goes_round_in_its_direction(players: int) -> None:
    clockwise = hearts(players).rules
    other = hearts(players, direction="counterclockwise").rules
    for seat in range(players):
        assert next_in_turn(clockwise, seat) == (seat + 1) % players
        assert next_in_turn(other, seat) == (seat - 1) % players


@pytest.mark.parametrize(
    ("direction", "second"), [("clockwise", 1), ("counterclockwise", 3)]
)
def test_the_seat_after_the_leader_follows_the_direction(
    direction: str, second: int
) -> None:
    ruleset = hearts(direction=direction)
    state = new_deal(ruleset, ["2C", "3C", "4C", "5C"]).play("2C")
    assert state.turn == (second,)


def every_act(seat: int) -> list[tuple[str, Act]]:
    """An act of each kind that belongs to a phase, paired with that phase."""
    return [
        ("cut", Cut(seat, "2C")),
        ("deal", Deal(seat, ["2C", "3C"])),
        ("pass", Pass(seat, "2C")),
        ("pass", Scatter(seat, {})),
        ("pass", PassUnseen(seat)),
        ("mix", Mix(seat, ["2C", "3C"])),
        ("play", Draw(seat)),
        ("play", Play(seat, "2C")),
        ("moon", MoonChoice(seat, "self_minus")),
    ]


def in_every_phase() -> list[State]:
    game = hearts(2, pass_cycle=["mix"], pass_count=1, moon="choice_all")
    match = new_match(game, pack="2C 3C QS 2H")
    dealt = match.after(Cut(0, "2C"), Cut(1, "3C"))
    passing = dealt.apply(Deal(0, ["2C QS", "3C 2H"]))
    mixing = passing.after(Pass(0, "QS"), Pass(1, "2H"))
    playing = mixing.apply(Mix(0, ["2H", "QS"]))
    won = cards_played(playing, "2C 3C QS 2H")
    over = won.apply(MoonChoice(1, "self_minus"))
    return [match, dealt, passing, mixing, playing, won, over]


def test_a_game_goes_through_the_phases_in_their_order() -> None:
    phases = [state.phase for state in in_every_phase()]
    assert phases == ["cut", "deal", "pass", "mix", "play", "moon", "over"]


@pytest.mark.parametrize("place", range(7))
def test_turn_and_phase_are_named_together_and_alone(place: int) -> None:
    state = in_every_phase()[place]
    for seat in (0, 1):
        for phase, act in every_act(seat):
            expected = ["2.3"] * (seat not in state.turn)
            expected += ["2.4"] * (phase != state.phase)
            if expected:
                assert broken(state, act) == tuple(expected)
            else:
                assert not {"2.3", "2.4"} & set(broken(state, act))


@pytest.mark.parametrize("place", range(7))
def test_retractions_quits_and_claims_wait_for_no_turn_but_for_the_play(
    place: int,
) -> None:
    state = in_every_phase()[place]
    early = state.phase in ("cut", "pass", "mix")
    for seat in (0, 1):
        done = 2 if state.phase in ("moon", "over") else 0
        false_claim = ("7.7a",) if done else ("7.7",)
        assert broken(state, Retract(seat, "2C")) == (("2.4",) if early else ("7.3",))
        assert broken(state, QuitTrick(seat)) == (("2.4",) if early else ("7.6a",))
        claim = broken(state, Claim(seat, 0, 1))
        assert claim == (("2.4",) if early else false_claim)


def test_during_cut_and_pass_those_are_due_who_have_not_acted() -> None:
    match, _, passing, *_ = in_every_phase()
    assert match.turn == (0, 1)
    assert match.apply(Cut(1, "QS")).turn == (0,)
    assert passing.turn == (0, 1)
    assert passing.apply(Pass(1, "2H")).turn == (0,)


# As the table of clause 2.6 has them.
ALLOWED = {
    "gamerules-domino": range(2, 5),
    "heartsgame-tiles": range(3, 6),
    "dominorules-tiles": range(3, 6),
    "estmesh-hearts": range(4, 5),
    "pokerwiner-hearts": range(2, 14),
    "pokerwiner-domino": range(2, 9),
    "openspiel-hearts": range(4, 5),
    "spot-hearts": range(4, 5),
    "common-hearts": range(3, 6),
    "omnibus-hearts": range(4, 7),
    "black-maria": range(3, 5),
}
ALLOWED_WITH_KITTY = {**ALLOWED, "estmesh-hearts": range(3, 11)}


@pytest.mark.parametrize("name", profile_names())
def test_a_profile_allows_its_numbers_of_players_and_no_other(name: str) -> None:
    players, with_kitty = ALLOWED[name], ALLOWED_WITH_KITTY[name]
    kitty = {"undealt": "kitty", "removal": "none"}
    for number in range(-1, 20):
        for options, allowed in (({}, players), (kitty, with_kitty)):
            if number in allowed:
                assert Ruleset(name, number, options).players == number
            else:
                assert "2.6" in refused(Ruleset, name, number, options).clauses


def test_a_ruleset_without_a_number_has_the_usual_one() -> None:
    for name in profile_names():
        usual = 3 if name == "black-maria" else 4
        assert Ruleset(name).players == profile(name).usual_players == usual
