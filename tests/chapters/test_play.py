"""Tests of chapter 5: leading, following, breaking hearts and winning tricks."""

from typing import Any

import pytest
from hypothesis import given, settings

from refengine import (
    CardSet,
    Deal,
    Play,
    Refused,
    Ruleset,
    State,
    Suit,
    Trick,
    card,
    new_deal,
    new_match,
)
from tests.support.depth import depth
from tests.support.playing import legal, played_deal
from tests.support.strategies import broken, hearts, states


def position(
    hand: str, trick: str = "", *, broken_hearts: bool = False, **options: Any
) -> State:
    """A deal after its first trick: seat 1 has this hand and is to play.

    Seat 1 leads if `trick` is empty; otherwise seat 0 has led its card.
    """
    fillers = ["4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC"]
    ruleset = hearts(3, removal="lowest", **options)
    table = trick.split()
    held = hand.split()
    free = [one for one in fillers if one not in held + table]
    size = len(held)
    first = size - 1 if table else size
    hands = [" ".join(free[:first]), hand, " ".join(free[first : first + size])]
    heart = broken_hearts or any(one[1] == "H" for one in table)
    return new_deal(
        ruleset, hands, leader=0 if table else 1, trick=trick, hearts_broken=heart
    )


# The opening


@pytest.mark.parametrize(
    ("option", "hands", "leader", "cards"),
    [
        ("lowest_club", ["4C 2D", "3C 9C", "5C 3D"], 1, "3C"),
        ("lowest_club", ["AC 2D", "KD 9D", "5H 3D"], 0, "AC"),  # it need not be the two
        ("any_club", ["4C 2D", "3C 9C", "5C 3D"], 1, "3C 9C"),
        ("any", ["4C 2D 3D", "3C QS 2H", "5C 4D 5D"], 1, "3C QS"),
        # Without a club in any hand the seat left of the dealer leads
        ("lowest_club", ["4D 2D", "QS 2H", "5D 3D"], 1, "QS"),
        ("any_club", ["4D 2D", "QS 2H", "5D 3D"], 1, "QS"),
        ("any", ["4D 2D", "QS 2H", "5D 3D"], 1, "QS"),
    ],
)
def test_who_opens_and_with_which_cards(
    option: str, hands: list[str], leader: int, cards: str
) -> None:
    state = new_deal(hearts(3, opening_card=option), hands, dealer=0)
    assert (state.turn, legal(state)) == ((leader,), cards)


@pytest.mark.parametrize("dealer", range(4))
def test_left_of_the_dealer_opens_where_the_option_says_so(dealer: int) -> None:
    for direction in ("clockwise", "counterclockwise"):
        ruleset = Ruleset("pokerwiner-hearts", 4, {"direction": direction})
        state = new_deal(ruleset, ["2C 2H", "3C 3H", "4C 4H", "5C 5H"], dealer=dealer)
        assert state.turn == ((dealer + 1) % 4,)
        assert len(state.legal.cards) == 2


def test_the_opening_card_binds_the_first_lead_only() -> None:
    state = played_deal(hearts(2), ["2C AC KC", "3C 4C 5D"], "2C 4C")
    assert (state.turn, legal(state)) == ((1,), "3C 5D")
    assert broken(new_deal(hearts(2), ["2C AC", "3C 4C"]), Play(0, "AC")) == ("5.2",)


def test_removal_leaves_the_three_of_clubs_to_open() -> None:
    state = new_match(Ruleset("heartsgame-tiles", 3, {"pass_cycle": []}), dealer=0)
    hands: list[list[str]] = [[], [], []]
    pack = [one.value for one in CardSet.of_mask(state.core.pack)]
    for place, one in enumerate(pack):
        hands[place % 3].append(one)
    state = state.apply(Deal(0, [" ".join(hand) for hand in hands]))
    assert legal(state) == "3C"


# Following


def test_whoever_can_follow_suit_may_play_nothing_else() -> None:
    state = position("4C KC QS", "2C")
    assert legal(state) == "4C KC"
    assert broken(state, Play(1, "QS")) == ("5.3",)


def test_whoever_cannot_follow_may_play_anything() -> None:
    assert legal(position("QS 2H 9D", "2C")) == "9D QS 2H"


def test_unbroken_hearts_may_be_discarded() -> None:
    assert broken(position("9D 2H", "2C"), Play(1, "2H")) == ()


def test_a_card_must_be_in_the_hand() -> None:
    state = position("4C KC QS", "2C")
    assert broken(state, Play(1, "AH")) == ("5.7",)
    assert broken(state, Play(1, "2C")) == ("5.7",)
    assert broken(state, Play(0, "KC")) == ("2.3",)


@settings(max_examples=depth(80), deadline=None)
@given(
    state=states(
        queen_duty="no",
        queen_waits="no",
        undealt="none",
        first_trick_points="allowed",
    )
)
def test_followers_follow_and_others_are_free(state: State) -> None:
    if state.phase != "play" or state.table is None or not state.table.cards:
        return
    hand = state.hands[state.turn[0]]
    assert state.legal.cards == (hand.of_suit(state.table.cards[0].suit) or hand)


# Hearts unbroken


@pytest.mark.parametrize(
    ("hand", "options", "lead"),
    [
        ("4C 7S 2H", {}, "4C 7S"),
        ("4C 7S 2H", {"broken_hearts": True}, "4C 7S 2H"),
        ("4C 7S 2H", {"heart_leads": "free"}, "4C 7S 2H"),
        ("2H 9H", {}, "2H 9H"),
        ("QS 2H 9H", {}, "QS"),
        ("QS 2H 9H", {"hearts_or_queen_leader": "any"}, "QS 2H 9H"),
        ("2S QS 2H", {"hearts_or_queen_leader": "any"}, "2S QS"),
        ("2H 9H", {"all_hearts_leader": "draw"}, "2H 9H"),
        ("QS 2H", {"queen_points": 0}, "QS"),
    ],
)
def test_hearts_are_led_unbroken_only_without_another_card(
    hand: str, options: dict[str, Any], lead: str
) -> None:
    state = position(hand, **options)
    assert legal(state) == lead
    for one in CardSet(hand) - CardSet(lead):
        assert broken(state, Play(1, one)) == ("5.4",)


def test_a_heart_breaks_hearts_at_once_led_or_discarded() -> None:
    assert position("9D 2H", "2C").play("2H").hearts_broken
    assert position("2H 9H").play("9H").hearts_broken


def test_a_refused_heart_breaks_nothing() -> None:
    state = position("4C 2H")
    with pytest.raises(Refused):
        state.play("2H")
    assert not state.hearts_broken
    assert state == position("4C 2H")


@pytest.mark.parametrize("option", [True, False])
def test_a_queen_on_the_table_of_a_position_breaks_hearts_where_she_does(
    option: bool,
) -> None:
    # 3.12a: whatever is stated, and here nothing is.
    ruleset = Ruleset("estmesh-hearts", options={"queen_breaks_hearts": option})
    hands = ["9D", "TD 8D", "JD 7D", "QD 6D"]
    state = new_deal(ruleset, hands, leader=0, trick="QS")
    assert state.hearts_broken is option


@pytest.mark.parametrize("option", [True, False])
def test_the_queen_breaks_hearts_where_the_option_says_so(option: bool) -> None:
    for state in (position("9D QS", "2C"), position("9D QS"), position("2S QS", "3S")):
        ruleset = state.ruleset.having(queen_breaks_hearts=option)
        again = State.open(ruleset, state.start)
        assert not again.hearts_broken
        assert again.play("QS").hearts_broken is option


def test_broken_is_stated_where_hearts_are_free() -> None:
    state = position("9D 2H", heart_leads="free")
    assert not state.hearts_broken
    assert state.play("2H").hearts_broken
    assert not state.play("9D").hearts_broken


def test_cards_of_the_kitty_break_nothing() -> None:
    ruleset = hearts(2, undealt="kitty", removal="none")
    state = played_deal(ruleset, ["2C QS", "3C AS"], "2C 3C AS QS", kitty="2H 3H")
    assert state.kitty == CardSet()
    assert state.taken[1] == CardSet("2C 3C QS AS 2H 3H")
    assert not state.hearts_broken


# The first trick


def opening(hand: str, **options: Any) -> State:
    """Seat 0 has led the two of clubs to trick 1; seat 1 is to play from this hand."""
    size = len(hand.split())
    clubs = ["2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C"]
    ruleset = hearts(3, **{"first_trick_points": "barred", **options})
    hands = [" ".join(clubs[:size]), hand, " ".join(clubs[size : 2 * size])]
    return new_deal(ruleset, hands).play("2C")


@pytest.mark.parametrize(
    ("hand", "options", "free"),
    [
        ("4D QS 2H", {}, "4D"),
        ("4D QS 2H", {"first_trick_points": "allowed"}, "4D QS 2H"),
        ("QS 2H 3H", {}, "QS 2H 3H"),
        ("2H 3H 4H", {}, "2H 3H 4H"),
        ("4D QS 2H", {"queen_points": 0}, "4D QS"),
        ("4D QS 2H", {"heart_points": 0}, "4D 2H"),
        ("JD 2H 3H", {"bonus_card": "JD"}, "JD"),
    ],
)
def test_no_points_go_to_a_barred_first_trick_while_another_card_is_left(
    hand: str, options: dict[str, Any], free: str
) -> None:
    state = opening(hand, **options)
    assert legal(state) == free
    for one in CardSet(hand) - CardSet(free):
        assert broken(state, Play(1, one)) == ("5.5",)


def test_following_suit_outranks_the_bar() -> None:
    ruleset = hearts(2, first_trick_points="barred", opening_card="any")
    state = new_deal(ruleset, ["2C AS", "2D QS"]).play("AS")
    assert legal(state) == "QS"


def test_the_bar_binds_a_leader_who_is_not_forced_to_a_club() -> None:
    ruleset = hearts(2, first_trick_points="barred", opening_card="any")
    state = new_deal(ruleset, ["2C QS 2H", "2D 3D 4D"])
    assert legal(state) == "2C"
    assert broken(state, Play(0, "QS")) == ("5.5",)
    assert broken(state, Play(0, "2H")) == ("5.4", "5.5")
    left = new_deal(ruleset, ["QS 2H", "2D 3D"], dealer=1)
    assert legal(left) == "QS"


def test_the_bar_ends_with_the_first_trick() -> None:
    state = new_deal(hearts(2, first_trick_points="barred"), ["2C 9C 2D", "3C QS 2H"])
    state = state.play("2C").play("3C").play("QS").play("2D")
    assert state.points == (0, 13)


def test_an_act_that_breaks_several_clauses_names_them_all() -> None:
    state = new_deal(
        hearts(2, first_trick_points="barred"), ["2C 3C 4C", "5C 9D 2H"]
    ).play("2C")
    assert broken(state, Play(1, "2H")) == ("5.3", "5.5")
    assert broken(state, Play(1, "9D")) == ("5.3",)


# The duty of the queen


@pytest.mark.parametrize(
    ("hand", "trick", "free"),
    [
        ("4D QS 2H", "2C", "QS"),
        ("QS 2H", "2C", "QS"),
        ("5C QS", "2C", "5C"),
        ("2S QS", "KS", "QS"),
        ("2S QS", "AS", "QS"),
        ("2S QS", "JS", "2S QS"),
        ("5C QS", "AC", "5C"),
        ("4D 2H", "2C", "4D 2H"),
        ("QS 4D", "", "4D QS"),
    ],
)
@pytest.mark.parametrize("queen_points", [0, 13])
def test_the_queen_is_due_when_void_or_covered(
    hand: str, trick: str, free: str, queen_points: int
) -> None:
    state = position(hand, trick, queen_duty="when_safe", queen_points=queen_points)
    assert legal(state) == free
    assert broken(state, Play(1, "QS")) == (
        () if "QS" in free else ("5.7",) if "QS" not in hand else ("5.3",)
    )
    for one in CardSet(hand) - CardSet(free) - CardSet("QS"):
        assert broken(state, Play(1, one)) == ("5.6",)


def test_an_ace_of_an_earlier_trick_makes_no_duty() -> None:
    state = new_deal(
        hearts(2, queen_duty="when_safe", opening_card="any"),
        ["2C AS 3S 4S", "4C 2S QS 5S"],
    )
    state = state.play("2C").play("4C").play("2S").play("AS").play("3S")
    assert legal(state) == "5S QS"


def test_the_bar_outranks_the_duty() -> None:
    assert legal(opening("4D QS 2H", queen_duty="when_safe")) == "4D"
    assert broken(opening("4D QS 2H", queen_duty="when_safe"), Play(1, "QS")) == (
        "5.5",
    )
    assert legal(opening("QS 2H 3H", queen_duty="when_safe")) == "QS"
    worthless = opening("4D QS 2H", queen_duty="when_safe", queen_points=0)
    assert legal(worthless) == "QS"


def test_a_revoke_may_break_the_duty_as_well() -> None:
    state = position("2S QS 4D", "KS", queen_duty="when_safe", revokes="penalised")
    assert broken(state, Play(1, "2S")) == ("5.6",)
    assert broken(state, Play(1, "4D")) == ("5.3", "5.6")


# Tricks


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("9C KC 2C TC", 1),
        ("9C AS AH KC", 3),
        ("9C AS AH AD", 0),
        ("2H 3H AH AC", 2),
    ],
)
def test_the_highest_card_of_the_suit_led_wins_and_leads(
    cards: str, winner: int
) -> None:
    played = cards.split()
    more = ["2S", "3S", "4S", "5S"]
    hands = [f"{one} {other}" for one, other in zip(played, more, strict=True)]
    ruleset = hearts(
        opening_leader="left_of_dealer", opening_card="any", heart_leads="free"
    )
    state = new_deal(ruleset, hands, dealer=3)
    for one in played:
        state = state.play(one)
    assert state.history == (Trick(0, tuple(card(one) for one in played), winner),)
    assert state.completed == state.history[0]
    assert state.turn == (winner,)
    assert state.taken[winner] == CardSet(cards)
    assert state.tricks == tuple(int(seat == winner) for seat in range(4))


def test_play_ends_with_the_last_card_and_not_with_the_last_point() -> None:
    state = new_deal(hearts(2), ["2C 4D", "2H 5D"]).play("2C").play("2H")
    assert state.phase == "play"
    assert state.play("4D").play("5D").over


def test_the_kitty_goes_with_the_first_trick_that_holds_a_penalty() -> None:
    ruleset = hearts(2, undealt="kitty", removal="none", bonus_card="JD")
    state = played_deal(ruleset, ["2C 4D 5S", "JD AD 2H"], "2C JD", kitty="9S QS")
    assert state.taken[0] == CardSet("2C JD")
    state = state.play("4D").play("AD")
    assert state.kitty == CardSet("9S QS")
    state = state.play("2H").play("5S")
    assert state.kitty == CardSet()
    assert state.taken[1] == CardSet("4D AD 5S 2H 9S QS")
    assert state.tricks == (1, 2)
    assert state.score == (-10, 14)


def test_a_kitty_nobody_wins_counts_for_nobody() -> None:
    ruleset = hearts(2, undealt="kitty", removal="none")
    state = new_deal(ruleset, ["2C", "JD"], kitty="9S QS").play("2C").play("JD")
    assert state.kitty == CardSet("9S QS")
    assert state.score == (0, 0)


def test_spades_may_be_led_from_the_first_trick_on() -> None:
    state = new_deal(Ruleset("pokerwiner-hearts", 2), ["2S QS", "3C 2H"], dealer=1)
    assert legal(state) == "2S QS"


def test_a_seat_that_was_out_is_passed_over() -> None:
    ruleset = Ruleset("pokerwiner-domino", 4)
    state = new_deal(
        ruleset,
        ["6D 7D", "", "3S 2H", "JC QD"],
        stock="9S",
        dealer=3,
        leader=0,
        trick="5C 9C",
        out=[1],
        taken=["", "2C 3C", "4D 8D", ""],
        tricks=[0, 1, 1, 0],
    )
    assert state.turn == (3,)
    state = state.play("JC")
    assert state.history[-1].cards == (card("5C"), card("9C"), card("JC"))
    assert state.turn == (3,)
    assert state.out == (1,)


def test_suits_have_no_rank_among_themselves() -> None:
    for suit in Suit:
        others = [other for other in Suit if other is not suit]
        hands = [f"2{suit}", *(f"A{other}" for other in others)]
        ruleset = hearts(
            opening_leader="left_of_dealer", opening_card="any", heart_leads="free"
        )
        state = new_deal(ruleset, hands, dealer=3)
        for one in hands:
            state = state.play(one)
        assert state.tricks == (1, 0, 0, 0)
