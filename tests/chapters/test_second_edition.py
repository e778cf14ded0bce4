"""Tests of the options that edition 1.1.0 added, alone and in pairs that interact.

The expected values are worked out from rulings 33 to 42 on the sources.
"""

from random import Random
from typing import Any

import pytest

from refengine import (
    CardSet,
    Claim,
    Deal,
    Mix,
    Pass,
    Play,
    QuitTrick,
    Refused,
    Retract,
    Ruleset,
    State,
    new_deal,
    new_match,
)
from refengine.chapters.cards import PACK, Mask, points_of
from refengine.chapters.deal import match_pack
from tests.support.playing import cards_played, legal, played_deal
from tests.support.refusing import refused
from tests.support.strategies import broken, hearts

EARLY: dict[str, Any] = {"deal_ends": "no_points_left"}


# 33: cards taken out, the hearts spared


@pytest.mark.parametrize(
    ("players", "removed"),
    [
        (2, ""),
        (3, "2D"),
        (4, ""),
        (5, "2D 2C"),
        (6, "2D 2C 2S 3D"),
        (7, "2D 2C 2S"),
        (8, "2D 2C 2S 3D"),
        (9, "2D 2C 2S 3D 3C 3S 4D"),
        (10, "2D 2C"),
        (11, "2D 2C 2S 3D 3C 3S 4D 4C"),
        (12, "2D 2C 2S 3D"),
        (13, ""),
    ],
)
def test_low_cards_but_no_hearts_are_taken_out(players: int, removed: str) -> None:
    ruleset = Ruleset("pokerwiner-hearts", players, {"removal": "lowest_no_hearts"})
    gone = Mask(PACK & ~match_pack(ruleset.rules, Mask(0)))
    assert CardSet.of_mask(gone) == CardSet(removed)


def test_the_lowest_club_left_opens() -> None:
    spared = {"removal": "lowest_no_hearts"}
    for players, club in ((3, "2C"), (5, "3C")):
        ruleset = Ruleset("heartsgame-tiles", players, {**spared, "pass_cycle": []})
        match = new_match(ruleset, dealer=0)
        assert legal(match.apply(match.random_act(Random(1)))) == club


def test_nothing_is_taken_out_of_a_named_pack() -> None:
    ruleset = Ruleset(
        "heartsgame-tiles", 3, {"removal": "lowest_no_hearts", "pass_cycle": []}
    )
    state = new_match(ruleset, dealer=0, pack="2D 2C 3H")
    assert state.apply(Deal(0, ["2D", "2C", "3H"])).turn == (1,)


# 34: the queen waits


def waiting(
    option: str, hand: str, trick: str = "", broken_hearts: bool = False, **more: Any
) -> State:
    """A deal after its first trick: seat 1 has this hand and is to play.

    Seat 1 leads if `trick` is empty; otherwise it follows seat 0.
    """
    clubs = ("4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC")
    fillers = [one for one in clubs if one not in trick]
    held, table = hand.split(), trick.split()
    size = len(held)
    first = fillers[: size - 1] if table else fillers[:size]
    hands = [" ".join(first), hand, " ".join(fillers[size : 2 * size])]
    ruleset = hearts(3, removal="lowest", queen_waits=option, **more)
    return new_deal(
        ruleset,
        hands,
        leader=0 if table else 1,
        trick=trick,
        hearts_broken=broken_hearts or "H" in trick,
    )


@pytest.mark.parametrize(
    ("option", "hand", "trick", "left"),
    [
        ("no", "2S QS 3D", "", "2S QS 3D"),
        ("lead", "2S QS 3D", "", "3D 2S"),
        ("play", "2S QS 3D", "", "3D 2S"),
        ("no", "QS 3D", "4C", "3D QS"),
        ("lead", "QS 3D", "4C", "3D QS"),
        ("play", "QS 3D", "4C", "3D"),
        ("play", "QS KS 3D", "4S", "KS"),  # following, she waits all the same
        ("play", "QS 3D", "4S", "QS"),  # follow suit outranks
        ("play", "QS", "4C", "QS"),
        ("lead", "QS", "", "QS"),
        ("play", "QS 3D", "4H", "3D QS"),  # a heart led has broken hearts
    ],
)
def test_the_queen_waits_for_hearts(
    option: str, hand: str, trick: str, left: str
) -> None:
    assert legal(waiting(option, hand, trick)) == str(CardSet(left))


def test_broken_hearts_free_the_queen() -> None:
    for option in ("lead", "play"):
        state = waiting(option, "2S QS 3D", broken_hearts=True)
        assert legal(state) == "3D 2S QS"


def test_a_heart_discarded_frees_her_for_those_who_play_after() -> None:
    ruleset = hearts(4, queen_waits="play")
    state = new_deal(ruleset, ["2C 3C", "2H 3D", "QS 4D", "5C 6C"])
    assert legal(state.play("2C").play("2H")) == "4D QS"
    assert legal(state.play("2C").play("3D")) == "4D"


def test_a_leader_with_hearts_and_the_queen() -> None:
    assert legal(waiting("lead", "QS 2H")) == "QS"
    choice: dict[str, Any] = {"hearts_or_queen_leader": "any"}
    assert legal(waiting("lead", "QS 2H", **choice)) == "2H"
    assert legal(waiting("lead", "QS 2H", heart_leads="free")) == "2H"
    assert legal(waiting("lead", "QS 2S 2H", heart_leads="free")) == "2S 2H"


def test_she_waits_whatever_she_is_worth() -> None:
    assert legal(waiting("play", "QS 3D", "4C", queen_points=0)) == "3D"


def test_waiting_outranks_the_duty_and_yields_to_the_first_trick() -> None:
    duty: dict[str, Any] = {"queen_duty": "when_safe"}
    assert legal(waiting("play", "QS 3D", "4C", **duty)) == "3D"
    owed = new_deal(
        hearts(4, queen_waits="play", **duty), ["2C 3C", "2H 3D", "QS 4D", "5C 6C"]
    )
    assert legal(owed.play("2C").play("2H")) == "QS"
    barred = hearts(4, queen_waits="play", first_trick_points="barred")
    state = new_deal(barred, ["2C 3C", "QS 2H", "3D 4D", "5C 6C"]).play("2C")
    assert legal(state) == "2H"  # both cost points; she has to wait all the same
    worthless = barred.having(queen_points=0)
    state = new_deal(worthless, ["2C 3C", "QS 2H", "3D 4D", "5C 6C"]).play("2C")
    assert legal(state) == "QS"  # the bar has taken the heart away


def test_a_queen_thrown_by_who_can_follow_breaks_two_clauses() -> None:
    ruleset = hearts(4, queen_waits="play", revokes="penalised")
    state = new_deal(ruleset, ["2C 3C", "QS 4C", "3D 4D", "5C 6C"]).play("2C")
    assert broken(state, Play(1, "QS")) == ("5.3", "5.5b")
    assert isinstance(state.verdict(Play(1, "QS")), Refused)
    leading = hearts(4, queen_waits="lead", revokes="penalised")
    state = new_deal(leading, ["2C 3C", "QS 4C", "3D 4D", "5C 6C"]).play("2C")
    assert broken(state, Play(1, "QS")) == ("5.3",)


def test_her_clause_stands_between_those_of_points_and_duty() -> None:
    ruleset = hearts(
        4, queen_waits="play", first_trick_points="barred", queen_duty="when_safe"
    )
    state = new_deal(ruleset, ["2C 3C", "QS 4D", "3D 5D", "5C 6C"]).play("2C")
    assert broken(state, Play(1, "QS")) == ("5.5", "5.5b")


# 35: the moon with the bonus card


def moon(**options: object) -> State:
    """Seat 0 can win both tricks, the second of which has the jack of diamonds."""
    hands = ["2C AD", "QS 9D", "2H JD", "3H 5D"]
    return new_deal(hearts(4, moon="self_minus", **options), hands)


NEEDED = {"moon_needs_bonus": True, "bonus_card": "JD"}


def test_the_bonus_card_is_needed_where_the_option_says_so() -> None:
    state = cards_played(moon(**NEEDED), "2C QS 2H 3H AD 9D JD 5D")
    assert state.score == (-25, 0, 0, 0)  # V is 15, and the jack counts beside it
    hands = ["2C 3D", "QS 9D", "2H JD", "3H 5D"]
    missed = new_deal(hearts(4, moon="self_minus", **NEEDED), hands)
    assert cards_played(missed, "2C QS 2H 3H 3D 9D JD 5D").score == (15, 0, -10, 0)
    plain = new_deal(hearts(4, moon="self_minus", bonus_card="JD"), hands)
    assert cards_played(plain, "2C QS 2H 3H 3D 9D JD 5D").score == (-15, 0, -10, 0)


def test_without_the_bonus_card_in_play_there_is_no_moon() -> None:
    hands = ["2C AD", "QS 9D", "2H 4D", "3H 5D"]
    cards = "2C QS 2H 3H AD 9D 4D 5D"
    without = new_deal(hearts(4, moon="self_minus", **NEEDED), hands)
    assert cards_played(without, cards).score == (15, 0, 0, 0)
    no_bonus = hearts(4, moon="self_minus", moon_needs_bonus=True)
    assert cards_played(new_deal(no_bonus, hands), cards).score == (-15, 0, 0, 0)


# 36: the end of a deal with the last point


def test_a_deal_ends_when_nobody_holds_a_card_that_counts() -> None:
    hands = ["2C AD 3D", "QS 9D 4D", "2H TD 6D", "3H 5D 7D"]
    state = cards_played(new_deal(hearts(4, **EARLY), hands), "2C QS 2H 3H")
    assert (state.over, state.score) == (True, (15, 0, 0, 0))
    choice = hearts(4, moon="choice_all", **EARLY)
    assert cards_played(new_deal(choice, hands), "2C QS 2H 3H").phase == "moon"
    assert state.hands[1] == CardSet("9D 4D")
    assert state.tricks == (1, 0, 0, 0)
    assert broken(state, Play(0, "AD")) == ("2.3", "2.4")


def test_the_bonus_card_holds_a_deal_open_whatever_it_is_worth() -> None:
    hands = ["2C AD 3D", "QS 9D 4D", "2H JD 6D", "3H 5D 7D"]
    for points in (-10, 0):
        ruleset = hearts(4, moon="none", bonus_card="JD", bonus_points=points, **EARLY)
        state = cards_played(new_deal(ruleset, hands), "2C QS 2H 3H")
        assert state.turn == (0,)
        assert not state.over
        assert cards_played(state, "AD 9D JD 5D").score == (15 + points, 0, 0, 0)


def test_one_trick_is_played_where_nothing_counts() -> None:
    hands = ["2C AD", "3C 9D", "4C TD", "5C 5D"]
    state = cards_played(new_deal(hearts(4, **EARLY), hands), "2C 3C 4C 5C")
    assert (state.over, state.score) == (True, (0, 0, 0, 0))


def test_king_and_ace_hold_a_deal_open_where_they_cost() -> None:
    hands = ["2C AD", "3C 9D", "4C KS", "5C 5D"]
    costly = hearts(4, king_points=10, **EARLY)
    assert not cards_played(new_deal(costly, hands), "2C 3C 4C 5C").over
    free = hearts(4, ace_points=7, **EARLY)
    assert cards_played(new_deal(free, hands), "2C 3C 4C 5C").over


def test_a_correction_takes_the_end_back() -> None:
    ruleset = Ruleset(
        "dominorules-tiles", 3, {**EARLY, "pass_cycle": [], "revoke_ends_deal": False}
    )
    hands = ["2C 9D", "5C 3H", "KC JD"]
    state = cards_played(new_deal(ruleset, hands), "2C 3H KC")
    assert state.over  # the heart is gone, and nothing else counts
    assert state.hands[1] == CardSet("5C")
    claimed = state.apply(Claim(0, 1, 1))
    assert claimed.score == (0, 13, 1)
    back = state.apply(Retract(1, "3H"))
    assert (back.over, back.turn, back.hearts_broken) == (False, (1,), False)
    assert not cards_played(back, "5C KC").over
    closed = state.apply(QuitTrick(2))
    assert broken(closed, Retract(1, "3H")) == ("7.4",)


def test_a_position_whose_deal_would_be_over_is_refused() -> None:
    ruleset = hearts(3, removal="lowest", **EARLY)
    hands = ["9D", "TD", "JD"]
    assert refused(new_deal, ruleset, hands, leader=0).clauses == ("3.12b",)
    first = new_deal(ruleset, ["2C", "3C", "4C"], leader=0, first_trick=True)
    assert first.turn == (0,)
    hands = ["9D", "TD 8D", "JD 7D"]
    table = new_deal(ruleset, hands, leader=0, trick="2H", hearts_broken=True)
    assert table.turn == (1,)
    hearts_held = new_deal(ruleset, ["9D", "TD", "2H"], leader=0)
    assert hearts_held.turn == (0,)


# 37: where the kitty goes


def kitty(option: str, players: int = 4, **more: Any) -> Ruleset:
    return hearts(
        players, removal="none", undealt="kitty", kitty_to=option, moon="none", **more
    )


@pytest.mark.parametrize(
    ("option", "score"),
    [
        # Seat 3 wins the first trick, seat 0 the second, with the heart, seat 2 the
        # last; the kitty costs 14.
        ("first_points", (15, 0, 0, 0)),
        ("first_trick", (1, 0, 0, 14)),
        ("last_trick", (1, 0, 14, 0)),
    ],
)
def test_the_kitty_counts_for_who_takes_it(option: str, score: tuple[int, ...]) -> None:
    hands = ["2C 3D KD", "3C 2H 6S", "4C 7D 8D", "5C 4D 9D"]
    state = played_deal(kitty(option), hands, "2C 3C 4C 5C", kitty="AH QS")
    assert (not state.kitty) == (option == "first_trick")
    state = cards_played(state, "9D KD 2H 7D")
    assert (not state.kitty) == (option != "last_trick")
    state = cards_played(state, "3D 6S 8D 4D")
    assert not state.kitty
    assert state.tricks == (1, 0, 1, 1)
    assert state.score == score


def test_a_position_in_which_the_kitty_would_be_gone_is_refused() -> None:
    hands = ["9D", "TD", "JD", "QD"]
    ruleset = kitty("first_trick")
    assert refused(new_deal, ruleset, hands, kitty="AH", leader=0).clauses == ("3.12c",)
    assert new_deal(ruleset, hands, leader=0).turn == (0,)
    last = ruleset.having(kitty_to="last_trick")
    assert new_deal(last, hands, kitty="AH", leader=0).kitty == CardSet("AH")


def test_a_mix_changes_the_kitty_that_the_first_trick_takes() -> None:
    ruleset = kitty("first_trick", 3, mix_kitty=True, pass_cycle=["mix"], pass_count=1)
    state = new_deal(ruleset, ["2C 3H", "3C 5D", "4C 7D"], kitty="AH")
    state = state.after(Pass(0, "3H"), Pass(1, "5D"), Pass(2, "7D"))
    dealer = state.turn[0]
    state = state.apply(Mix(dealer, ["AH", "5D", "7D"], "3H"))
    assert not state.hearts_broken  # a heart in a mix breaks nothing
    assert cards_played(state, "2C 3C 4C").taken[2] == CardSet("2C 3C 4C 3H")


# 38 and 39: what cards cost

FACES = {"2H": 2, "3H": 3, "4H": 4, "5H": 5, "6H": 6, "7H": 7, "8H": 8, "9H": 9}
FACES |= {"TH": 10, "JH": 11, "QH": 12, "KH": 13, "AH": 14}


@pytest.mark.parametrize(("card", "points"), list(FACES.items()))
def test_a_heart_may_cost_its_face(card: str, points: int) -> None:
    ruleset = hearts(2, heart_points="face")
    state = new_deal(ruleset, ["2C", card]).play("2C").play(card)
    assert state.score == (points, 0)


def test_all_hearts_by_their_faces_are_a_hundred_and_four() -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"heart_points": "face"})
    assert points_of(ruleset.rules, PACK) == 104 + 13


def test_spot_hearts_have_a_moon_of_all_they_are_worth() -> None:
    hands = ["2C AD", "QS 9D", "2H 4D", "3H 5D"]
    ruleset = hearts(4, moon="self_minus", heart_points="face")
    state = cards_played(new_deal(ruleset, hands), "2C QS 2H 3H AD 9D 4D 5D")
    assert state.score == (-18, 0, 0, 0)


def black_maria(**more: Any) -> Ruleset:
    return hearts(4, king_points=10, ace_points=7, **more)


def test_king_and_ace_of_spades_cost_what_the_options_say() -> None:
    hands = ["2C 9D", "KS 3D", "AS 4D", "2H 5D"]
    state = played_deal(black_maria(moon="none"), hands, "2C KS AS 2H 9D 3D 4D 5D")
    assert state.score == (18, 0, 0, 0)


def test_king_and_ace_are_penalty_cards_in_every_respect() -> None:
    barred = black_maria(first_trick_points="barred")
    state = new_deal(barred, ["2C 9D", "KS 3D", "AS 4D", "2H 5D"]).play("2C")
    assert legal(state) == "3D"
    assert legal(state.play("3D")) == "4D"
    beside = black_maria(undealt="kitty", removal="none")
    hands = ["2C 9D", "KS 3D", "6C 4D", "7C 5D"]
    state = new_deal(beside, hands, kitty="AH")
    assert not cards_played(state, "2C KS 6C 7C").kitty
    plain = beside.having(king_points=0)
    assert cards_played(new_deal(plain, hands, kitty="AH"), "2C KS 6C 7C").kitty


def test_a_moon_needs_king_and_ace_where_they_are_in_play() -> None:
    all_of_them = ["2C AD", "QS KS", "2H 4D", "3H 5D"]
    ruleset = black_maria(moon="self_minus")
    state = cards_played(new_deal(ruleset, all_of_them), "2C QS 2H 3H AD KS 4D 5D")
    assert state.score == (-25, 0, 0, 0)
    missed = ["2C 3D", "QS KS", "2H 4D", "3H 5D"]
    state = cards_played(new_deal(ruleset, missed), "2C QS 2H 3H 3D KS 4D 5D")
    assert state.score == (15, 0, 0, 10)
    absent = ["2C AD", "QS 9D", "2H 4D", "3H 5D"]
    state = cards_played(new_deal(ruleset, absent), "2C QS 2H 3H AD 9D 4D 5D")
    assert state.score == (-15, 0, 0, 0)


def test_the_duty_speaks_of_the_queen_alone() -> None:
    ruleset = black_maria(queen_duty="when_safe")
    state = new_deal(ruleset, ["2C 9D", "KS 3D", "AS 4D", "2H 5D"]).play("2C")
    assert legal(state) == "3D KS"


# 40: the moon by hearts


@pytest.mark.parametrize(
    ("hands", "shot"),
    [
        (["2C AD", "2H 9D", "3H 4D", "5S 5D"], True),
        (["2C AD", "2H 9D", "4S 4D", "5S 5D"], False),  # one heart is no moon
        (["AC AD", "QS 9D", "2H 4D", "3H 5D"], True),
        (["AC AD", "QS 9D", "2H 4D", "5S 5D"], False),
    ],
)
def test_in_a_game_of_hearts_only_a_moon_is_all_the_hearts(
    hands: list[str], shot: bool
) -> None:
    ruleset = hearts(4, queen_points=0, moon="self_minus")
    state = new_deal(ruleset, hands)
    state = cards_played(state, " ".join(hand.split()[0] for hand in hands))
    state = cards_played(state, " ".join(hand.split()[1] for hand in hands))
    number = sum("H" in hand for hand in hands)
    assert state.score == (-number if shot else number, 0, 0, 0)


# 42: a claim tells nothing too early


@pytest.mark.parametrize("revoked", [True, False])
@pytest.mark.parametrize("name", ["dominorules-tiles", "pokerwiner-hearts"])
def test_an_early_claim_is_refused_alike_whether_there_was_a_revoke(
    name: str, revoked: bool
) -> None:
    ruleset = Ruleset(name, 3, {"pass_cycle": []})
    hands = ["2C 9D", "5C 3H" if revoked else "5D 3H", "KC 8S"]
    dealer = 2
    state = new_deal(ruleset, hands, dealer=dealer).play("2C").play("3H")
    for claimant in range(3):
        assert broken(state, Claim(claimant, 1, 1)) == ("7.7",)
    state = state.play("KC")
    for claimant in range(3):
        assert broken(state, Claim(claimant, 1, 1)) == ("7.7",)
        assert broken(state, Claim(claimant, 2, 1)) == ("7.7",)
    state = state.play("8S")
    assert broken(state, Claim(0, 1, 1)) == (() if revoked else ("7.7a",))


def test_where_revokes_are_rejected_a_claim_is_early_in_an_open_trick_only() -> None:
    ruleset = hearts(3, removal="lowest", revoke_until="next_lead")
    state = new_deal(ruleset, ["2C 9D", "5D 3H", "KC 8S"])
    assert broken(state, Claim(0, 1, 1)) == ("7.7",)
    assert broken(cards_played(state, "2C 3H KC"), Claim(0, 1, 1)) == ("7.7a",)
