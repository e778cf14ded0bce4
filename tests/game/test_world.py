"""Tests of possible worlds: states that agree with what one seat knows.

Nothing that the seat does not know may be used to make them.
"""

import random
from random import Random
from typing import Any

import attrs
import pytest

from refengine import (
    CardSet,
    Draw,
    Malformed,
    Pass,
    PassUnseen,
    Refused,
    Retract,
    Ruleset,
    State,
    Suit,
    new_deal,
)
from refengine.errors import EngineBug
from refengine.game.acts import Act
from refengine.game.setups import Match, Setup
from refengine.game.values.cardset import NO_CARDS, WHOLE_PACK
from refengine.game.world import Place, dealt_anew, possible_world
from tests.support.playing import cards_played, played_deal

CASES = [
    Ruleset("estmesh-hearts"),
    Ruleset("estmesh-hearts", 5, {"undealt": "kitty", "pass_cycle": ["scatter"]}),
    Ruleset("estmesh-hearts", 4, {"pass_unseen": True, "pass_cycle": ["left"]}),
    Ruleset(
        "estmesh-hearts",
        4,
        {"undealt": "kitty", "pass_cycle": ["mix"], "mix_kitty": True},
    ),
    Ruleset("heartsgame-tiles", 3),
    Ruleset("gamerules-domino", 3),
    Ruleset("gamerules-domino", 2, {"hearts_or_queen_leader": "any"}),
    Ruleset("pokerwiner-domino", 6),
    Ruleset("pokerwiner-hearts", 13),
    Ruleset(
        "estmesh-hearts",
        4,
        {
            "undealt": "stock",
            "hand_size": 4,
            "all_hearts_leader": "draw",
            "pass_cycle": ["right", "hold"],
        },
    ),
]


TWO = Ruleset("pokerwiner-hearts", 2)
ONE_CARD_EACH = State.open(TWO, Setup(dealer=0, hands=["2C", "3C"]))


def moments(ruleset: Ruleset, rng: Random, acts: int) -> list[State]:
    """The states of a random game during pass, mix and play, when cards are hidden."""
    state = State.open(ruleset, Match(dealer=0))
    found = []
    for _ in range(acts):
        if state.phase in ("pass", "mix", "play"):
            found.append(state)
        if state.over:
            break
        state = state.apply(state.random_act(rng))
    return found


@pytest.mark.parametrize("ruleset", CASES, ids=repr)
def test_a_world_shows_the_seat_what_it_sees_now(ruleset: Ruleset) -> None:
    rng = Random(repr(ruleset))
    for state in moments(ruleset, rng, 150):
        seat = int(rng.random() * ruleset.players)
        world = possible_world(state, seat, rng)
        seen, shown = state.observe(seat), world.observe(seat)
        if state.phase == "play":  # a position has no past
            shown = attrs.evolve(
                shown,
                history=seen.history,
                passed=seen.passed,
                received=seen.received,
            )
            if not state.kitty:  # a kitty that was taken is among the cards taken
                shown = attrs.evolve(shown, points=seen.points)
        assert shown == attrs.evolve(seen, cut=())


def test_a_position_as_found_has_worlds_with_its_kitty_and_its_stock() -> None:
    kitty = Ruleset("estmesh-hearts", 4, {"undealt": "kitty", "pass_cycle": []})
    hands = ["2C 3H", "3C QS", "4D 5S", "KC 2D"]
    found = Setup(dealer=3, hands=hands, kitty="9S", leader=0)
    for seed in range(5):
        world = possible_world(State.open(kitty, found), 1, Random(seed))
        assert len(world.kitty) == 1
        assert world.hands[1] == CardSet("3C QS")
    domino = Ruleset("gamerules-domino", 2)
    stocked = Setup(dealer=1, hands=["2C 3H", "3C QS"], stock="9S 8D", leader=0)
    world = possible_world(State.open(domino, stocked), 1, Random(1))
    assert world.observe(1).stock == 2


def test_a_world_gives_no_seat_a_suit_it_has_shown_to_be_void_in() -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"pass_cycle": []})
    hands = ["2C 3C 4C 5C", "2D 3D 6C 7C", "4D 5D 8C 9C", "6D 7D TC JC"]
    state = played_deal(ruleset, hands, "2C 6C 8C TC 6D 3C", dealer=3)
    for seed in range(50):
        world = possible_world(state, 1, Random(seed))
        assert not world.hands[0].of_suit(Suit.DIAMONDS)
        assert world.hands[1] == state.hands[1]


def test_the_cards_on_the_table_of_a_position_belong_to_its_first_trick() -> None:
    """Seat 0 has led a club; seat 1 does not follow suit, but seats 2 and 3 do."""
    ruleset = Ruleset("estmesh-hearts", 4, {"pass_cycle": []})
    hands = ["4D 5D", "2H 6D 8S", "3C 3H 9S", "4C 4H TS"]
    found = Setup(dealer=3, hands=hands, leader=0, trick="5C", hearts_broken=True)
    state = cards_played(State.open(ruleset, found), "2H 3C 4C 4D")
    worlds = [possible_world(state, 0, Random(seed)) for seed in range(40)]
    for world in worlds:
        assert not world.hands[1].of_suit(Suit.CLUBS)
    for seat in (2, 3):
        assert any(world.hands[seat].of_suit(Suit.HEARTS) for world in worlds)
        assert any(world.hands[seat].of_suit(Suit.DIAMONDS) for world in worlds)


def test_a_card_on_the_table_of_a_position_shows_no_void() -> None:
    """Seat 1 has not followed suit and holds a club, which nobody judges (3.12a)."""
    ruleset = Ruleset("estmesh-hearts", 4, {"pass_cycle": []})
    hands = ["9C", "8C", "2D 3D", "4C 6C"]
    found = Setup(dealer=3, hands=hands, leader=0, trick="5C 7D")
    state = State.open(ruleset, found)
    for seed in range(5):
        world = possible_world(state, 2, Random(seed))
        assert len(world.hands[1].of_suit(Suit.CLUBS)) == 1
        assert world.hands[2] == state.hands[2]


def test_a_card_that_was_passed_stays_with_its_receiver_until_it_is_played() -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"pass_cycle": ["left"], "pass_count": 1})
    hands = ["2C 3C 4C", "2D 3D 6C", "4D 5D 8C", "6D 7D TC"]
    state = State.open(ruleset, Setup(dealer=3, hands=hands))
    for seat in range(4):
        act = next(act for act in state.legal if act.seat == seat)
        state = state.apply(act)
    given = state.observe(2).passed
    assert isinstance(given, CardSet)
    for seed in range(30):
        assert given <= possible_world(state, 2, Random(seed)).hands[3]


def test_what_a_seat_cannot_know_does_not_change_its_worlds() -> None:
    ruleset = Ruleset("gamerules-domino", 3)
    hands = ["2C 3D", "4C 5D", "6C 7D"]
    swapped = ["2C 3D", "6C 5D", "4C 7D"]
    one = State.open(ruleset, Setup(dealer=2, hands=hands, stock="8C 9D TS"))
    other = State.open(ruleset, Setup(dealer=2, hands=swapped, stock="TS 8C 9D"))
    for seed in range(20):
        world = possible_world(one, 0, Random(seed))
        assert world == possible_world(other, 0, Random(seed))


def test_a_world_while_another_seat_draws_has_it_draw_as_often() -> None:
    ruleset = Ruleset("gamerules-domino", 2)
    start = Setup(dealer=1, hands=["5C 6D", "2D 3H"], stock="4H 7C KS")
    state = State.open(ruleset, start).play("5C").after(Draw(1), Draw(1))
    hands = set()
    for seed in range(200):
        world = possible_world(state, 0, Random(seed))
        assert len(world.drew) == 2
        assert world.drew[0].suit is not Suit.CLUBS
        hands.add(world.hands[1])
    assert len(hands) > 1


@pytest.mark.parametrize("phase", ["cut", "deal", "over"])
def test_there_are_worlds_only_where_something_is_hidden(phase: str) -> None:
    state = {
        "cut": State.open(TWO),
        "deal": State.open(TWO, Match(dealer=1)),
        "over": cards_played(ONE_CARD_EACH, "3C 2C"),
    }[phase]
    with pytest.raises(Malformed, match=f"found the phase {phase}"):
        possible_world(state, 0, Random(1))
    with pytest.raises(Malformed, match="seat 7"):
        possible_world(state, 7, Random(1))


def test_cards_that_have_no_place_are_a_fault_of_ours() -> None:
    places = [Place(1, CardSet("2C")), Place(1, CardSet("2C"))]
    with pytest.raises(EngineBug, match="no place is left for 2C"):
        dealt_anew(CardSet("2C 3C"), places, Random(1))


def test_cards_are_moved_along_until_each_has_a_place() -> None:
    places = [
        Place(1, CardSet("2C 3C")),
        Place(1, CardSet("3C 4C")),
        Place(1, NO_CARDS),
        Place(0, NO_CARDS),
    ]
    for seed in range(60):
        piles = dealt_anew(CardSet("2C 3C 4C"), places, Random(seed))
        assert [str(CardSet(pile)) for pile in piles] == ["4C", "2C", "3C", ""]


@pytest.mark.parametrize("rng", [3, None, "seed", Random, object()])
def test_chance_is_drawn_from_what_draws(rng: Any) -> None:
    with pytest.raises(Malformed, match="allowed: random"):
        ONE_CARD_EACH.random_act(rng)
    with pytest.raises(Malformed, match="allowed: random"):
        possible_world(ONE_CARD_EACH, 0, rng)
    module: Any = random
    acts = [ONE_CARD_EACH.random_act(chance) for chance in (module, Random(1))]
    assert acts[0].seat == acts[1].seat


def test_a_position_that_cannot_be_found_is_a_fault_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> State:
        raise Refused(("3.12a",), "this position")

    monkeypatch.setattr("refengine.game.world._in_play", refuse)
    with pytest.raises(EngineBug, match="no world found for seat 0"):
        possible_world(ONE_CARD_EACH, 0, Random(1))


def test_whoever_drew_until_a_suit_came_has_no_more_of_it() -> None:
    ruleset = Ruleset("gamerules-domino", 2)
    start = Setup(dealer=1, hands=["5C 6D 8C", "2D 3H 4D"], stock="4H 7C KS 9C TC")
    state = State.open(ruleset, start).play("5C").after(Draw(1), Draw(1)).play("7C")
    for seed in range(60):
        world = possible_world(state, 0, Random(seed))
        assert not world.hands[1].of_suit(Suit.CLUBS)


def test_whoever_drew_to_lead_has_nothing_but_hearts_left() -> None:
    ruleset = Ruleset("gamerules-domino", 2, {"all_hearts_leader": "draw"})
    start = Setup(dealer=1, hands=["2H 3H", "5C 6D"], stock="4H 7S KS 9C TD", leader=0)
    state = State.open(ruleset, start).after(Draw(0), Draw(0)).play("7S")
    for seed in range(60):
        world = possible_world(state, 1, Random(seed))
        assert world.hands[0] == world.hands[0].of_suit(Suit.HEARTS)


KITTY = CardSet("2C 3C 4C 5C 6C 7C 8C")
NINE = Ruleset("estmesh-hearts", 9, {"undealt": "kitty"})
NINE_HANDS = [CardSet([*(WHOLE_PACK - KITTY)][at::9]) for at in range(9)]
"""Nine hands whose lowest club is the nine, since the lower ones are in the kitty."""


def test_low_clubs_that_must_lie_in_the_kitty_do() -> None:
    """The nine of clubs was led as the lowest club in any hand (5.1, 5.2)."""
    state = new_deal(NINE, NINE_HANDS, deal=3, kitty=KITTY).play("9C")
    for seed in range(5):
        assert possible_world(state, 4, Random(seed)).kitty == KITTY


def test_low_clubs_lie_in_the_kitty_for_the_seat_that_is_to_lead() -> None:
    """The seat to lead has the lowest club, so nobody holds a lower one (5.1)."""
    state = new_deal(NINE, NINE_HANDS, deal=3, kitty=KITTY)
    any_club = NINE.having(opening_card="any_club")
    led = new_deal(any_club, NINE_HANDS, deal=3, kitty=KITTY).play("9C")
    for seed in range(5):
        assert possible_world(state, 0, Random(seed)).kitty == KITTY
        assert possible_world(led, 0, Random(seed)).kitty == KITTY


@pytest.mark.parametrize(("last", "holder"), [(Pass(3, "6D"), 3), (PassUnseen(3), 0)])
def test_a_card_passed_is_where_the_ring_has_carried_it(last: Act, holder: int) -> None:
    options = {"pass_cycle": ["left"], "pass_count": 1, "pass_unseen": True}
    hands = ["2C 3C 4C", "2D 3D 6C", "4D 5D 8C", "6D 7D TC"]
    state = State.open(
        Ruleset("estmesh-hearts", 4, options), Setup(dealer=3, hands=hands)
    )
    state = state.after(Pass(0, "4C"), Pass(1, "2D"), Pass(2, "4D"), last)
    for seed in range(30):
        assert "4D" in possible_world(state, 2, Random(seed)).hands[holder]


def test_whoever_leads_an_unbroken_heart_has_nothing_but_hearts() -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"pass_cycle": []})
    hands = ["2C 6D 7D", "AC 4H 5H", "3C 8D 9D", "4C TD JD"]
    state = played_deal(ruleset, hands, "2C AC 3C 4C 4H", dealer=3)
    for seed in range(30):
        assert possible_world(state, 2, Random(seed)).hands[1] == CardSet("5H")


def test_where_the_queen_breaks_hearts_a_heart_led_after_her_says_nothing() -> None:
    """Whoever then leads a heart may hold other suits, here a diamond (5.9a, 5.4)."""
    options = {"pass_cycle": [], "queen_breaks_hearts": True}
    ruleset = Ruleset("estmesh-hearts", 4, options)
    hands = ["2C 6D 7D", "AC 4H 5D", "QS 8D 9D", "4C TD JD"]
    state = played_deal(ruleset, hands, "2C AC QS 4C 4H", dealer=3)
    for seed in range(10):
        assert possible_world(state, 3, Random(seed)).hands[1].of_suit(Suit.DIAMONDS)


def test_a_card_that_was_taken_back_stays_in_the_hand_in_which_it_was_seen() -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"pass_cycle": [], "revokes": "penalised"})
    hands = ["2C 3C", "4C 5D", "6C 6D", "7C 7D"]
    state = State.open(ruleset, Setup(dealer=3, hands=hands))
    state = state.play("2C").play("5D").apply(Retract(1, "5D"))
    for seed in range(20):
        assert "5D" in possible_world(state, 2, Random(seed)).hands[1]


def test_a_card_drawn_and_taken_back_is_drawn_again_at_its_place() -> None:
    options = {"revokes": "penalised", "revoke_until": "next_lead"}
    ruleset = Ruleset("gamerules-domino", 2, options)
    start = Setup(dealer=1, hands=["5C 6D", "2D 3H"], stock="4H 7C KS")
    state = State.open(ruleset, start).play("5C").after(Draw(1), Draw(1))
    state = state.play("4H").apply(Retract(1, "4H"))
    for seed in range(20):
        world = possible_world(state, 0, Random(seed))
        assert (len(world.drew), str(world.drew[0])) == (2, "4H")


@pytest.mark.parametrize("opening_card", ["any", "any_club"])
def test_a_lead_that_shows_no_club_leaves_every_club_to_the_kitty(
    opening_card: str,
) -> None:
    options = {"undealt": "kitty", "pass_cycle": [], "opening_card": opening_card}
    ruleset = Ruleset("estmesh-hearts", 4, options)
    hands = ["2D 3D 4D 5D 6D", "2H 3H 4H 5H 6H", "2S 3S 4S 5S 6S", "7D 8D 9D TD JD"]
    state = new_deal(ruleset, hands, dealer=0, kitty=KITTY).play("2H")
    for seed in range(5):
        assert possible_world(state, 2, Random(seed)).kitty == KITTY
