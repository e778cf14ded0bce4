"""Tests that worlds are all the deals that fit a record, drawn with equal chances.

They are compared with every deal that fits (`tests/support/every_deal.py`).
"""

import pickle
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import attrs
import pytest

from refengine import Malformed, Ruleset, SeatRecord, State, card, new_deal, new_match
from refengine.game.acts import Act, Claim, Mix, Pass, PassUnseen, Play, Retract
from refengine.game.setups import Setup
from refengine.game.values.cardset import CardSet, Suit
from refengine.game.verdicts import Refused
from refengine.lawbook.profiles import profile_names
from refengine.worlds.announcements import ImpossibleRecord
from refengine.worlds.sampling import Worlds, worlds
from refengine_conformance.generators.strategies import (
    some_ruleset,
    some_script,
    some_setup,
)
from tests.support.acceptance import acceptances
from tests.support.every_deal import World, every_world, key, too_uneven, ways_to_deal
from tests.support.playing import (
    THREE_HANDS,
    THREE_SCATTERED,
    cards_played,
    some_moment,
)
from tests.support.strategies import domino, hearts

PER_WORLD = 12  # draws for every world there is


def held_against_every_deal(
    state: State, seat: int, record: SeatRecord | None = None, seed: int = 1
) -> tuple[set[World], Worlds]:
    """All worlds of a seat's record, and its `Worlds`, checked to draw them evenly."""
    silent = record is not None
    record = SeatRecord.of(state, seat) if record is None else record
    every = every_world(record, state, silent)
    assert every
    drawn = Worlds(record)
    number = max(60, PER_WORLD * len(every))
    counts = Counter(key(world) for world in drawn.draw(number, seed))

    assert set(counts) <= every
    assert too_uneven(counts, every) <= 1
    return every, drawn


def number_of_worlds(state: State, seat: int, all_fit: bool = False) -> int:
    """The number of worlds; if `all_fit`, every deal that is tried must be one."""
    every, drawn = held_against_every_deal(state, seat)
    assert not all_fit or drawn.drawing.tried == drawn.drawing.fitting
    return len(every)


# What an act shows, one clause after the other; the numbers are worked out by hand.


def after(
    ruleset: Ruleset, hands: Sequence[str], *acts: Act, play: str = "", **beside: Any
) -> State:
    """The state of a deal after these acts and then these plays.

    By default, seat 0 is to the left of the dealer.
    """
    first: dict[str, Any] = {"deal": 4, "dealer": ruleset.players - 1}
    state = new_deal(ruleset, hands, **{**first, **beside}).after(*acts)
    return cards_played(state, play)


FOUR = hearts()


def test_before_any_act_every_deal_of_the_unseen_cards_is_a_world() -> None:
    state = after(FOUR, ["2C 9D", "5C QS", "JD 4S", "7D KC"])
    assert number_of_worlds(state, 0, all_fit=True) == 90  # 6! / (2! 2! 2!)


def test_who_does_not_follow_suit_has_none_of_it() -> None:
    state = after(FOUR, ["2C 3C", "9D QS", "5C 4S", "7C KC"], play="2C 9D")
    # Seat 1 kept QS or 4S; the other four cards fill two hands.
    assert number_of_worlds(state, 0, all_fit=True) == 2 * 6


def test_where_revokes_are_penalised_a_void_shows_nothing() -> None:
    ruleset = hearts(revokes="penalised")
    state = after(ruleset, ["2C 3C", "9D QS", "5C 4S", "7C KC"], play="2C 9D")
    assert number_of_worlds(state, 0) == 5 * 6


@pytest.mark.parametrize("shown", ["claimed", "corrected"])
def test_a_revoke_that_has_come_out_shows_the_suit(shown: str) -> None:
    ruleset = hearts(revokes="penalised", revoke_until="trick_complete")
    state = after(ruleset, ["2C 3C", "9D 6C", "5C QS", "7C TD"], play="2C 9D")
    if shown == "claimed":
        state = cards_played(state, "5C 7C").apply(Claim(2, against=1, trick=1))
    else:
        state = state.apply(Retract(1, "9D"))
    every, _ = held_against_every_deal(state, 0)
    for world in every:
        now = new_deal(ruleset, world.hands, dealer=3, deal=4).after(*world.acts)
        assert now.hands[1].of_suit(Suit.CLUBS)


def test_a_heart_led_unbroken_shows_a_hand_of_hearts() -> None:
    ruleset = hearts(opening_leader="left_of_dealer", opening_card="any")
    state = after(ruleset, ["2H 3H", "5H QS", "4H 4S", "7D KC"], play="2H")
    assert number_of_worlds(state, 1, all_fit=True) == 2 * 6  # 3H or 4H beside it


@pytest.mark.parametrize(("option", "number"), [("queen", 18), ("any", 24)])
def test_hearts_and_the_queen_are_as_the_ruleset_has_them(
    option: str, number: int
) -> None:
    ruleset = hearts(
        opening_leader="left_of_dealer",
        opening_card="any",
        hearts_or_queen_leader=option,
    )
    hands = ["2H 3H", "5D 6D", "4H QS", "7H KC"]
    # 3H 4H 7H, and QS where any may be led; six each
    assert number_of_worlds(after(ruleset, hands, play="2H"), 1) == number


def test_a_point_on_a_barred_first_trick_shows_nothing_but_points() -> None:
    ruleset = hearts(first_trick_points="barred")
    state = after(ruleset, ["2C 3C", "QS 5H", "4D 4S", "7H KC"], play="2C QS")
    assert number_of_worlds(state, 0, all_fit=True) == 2 * 6  # 5H or 7H beside it


def test_a_duty_not_done_shows_no_queen() -> None:
    ruleset = hearts(queen_duty="when_safe")
    state = after(ruleset, ["2C 3C", "9D 4S", "5D QS", "7C KC"], play="2C 9D")
    assert number_of_worlds(state, 0) == 2 * 6  # 5D or 4S beside it: no club, no queen


def test_a_queen_that_waited_in_vain_shows_that_nothing_else_was_there() -> None:
    ruleset = hearts(queen_waits="play")
    state = after(ruleset, ["2C", "QS", "5D", "7C"], play="2C QS")
    assert number_of_worlds(state, 0) == 2
    state = after(ruleset, ["2C 3C", "5D QS", "6D 2H", "7C KC"], play="2C 5D")
    # 6D 2H or the queen beside it, and no club
    assert number_of_worlds(state, 0) == 3 * 6


def test_a_draw_shows_that_no_card_of_the_suit_was_there() -> None:
    state = after(
        domino(), ["5C 6D", "2D 3H"], play="5C draw draw 7C", stock="4H 7C KS 8C"
    )
    # 7C was the card drawn last. 8C is in the stock still; of 2D 3H 4H KS one is there
    # with it, in two orders, one was drawn first, and two were dealt.
    assert number_of_worlds(state, 0, all_fit=True) == 4 * 2 * 3


def test_a_draw_for_the_lead_shows_a_hand_of_hearts() -> None:
    ruleset = domino(all_hearts_leader="draw")
    state = after(ruleset, ["2H 3H", "5C 6D"], play="draw draw KS", stock="4H KS 7H 8C")
    # 8C stays in the stock; so does one of the hearts, in two orders.
    assert number_of_worlds(state, 1) == 4 * 2 * 3


def test_the_own_draws_lie_where_they_were_drawn() -> None:
    state = after(domino(), ["5C 6D", "2D 3H"], play="5C draw draw", stock="4H 7C KS")
    every, _ = held_against_every_deal(state, 1)
    assert {world.stock[:2] for world in every} == {(card("4H"), card("7C"))}


def test_the_leader_holds_the_lowest_club_of_any_hand() -> None:
    ruleset = hearts(3, undealt="kitty", removal="none")
    state = after(ruleset, ["3C 9D", "4C QS", "5D 6C"], kitty="2C 7D", deal=3)
    assert state.turn == (0,)
    # Seat 0 has 2C and one of five cards, the others lie two by two; or 2C is in the
    # kitty beside one of the four that are not 3C, 3C is in seat 0 beside another.
    assert number_of_worlds(state, 1) == 5 * 6 + 4 * 3
    # 2C can only be in the kitty; 9D 5D 6C 7D fill one place, two and one.
    assert number_of_worlds(state.play("3C"), 1) == 12


def test_whoever_was_announced_to_lead_has_the_lowest_club() -> None:
    state = after(FOUR, ["2C 9D", "5C QS", "JD 4S", "7D KC"])
    assert number_of_worlds(state, 1, all_fit=True) == 5 * 6


def test_any_club_may_have_opened() -> None:
    """Seat 0 must still hold the two of clubs, or it would not have led."""
    ruleset = hearts(opening_card="any_club")
    state = after(ruleset, ["2C 5C", "4C QS", "JD 4S", "7D KC"], play="5C")
    assert number_of_worlds(state, 1) == 6


# Passes and mixes

THREE = hearts(3, pass_cycle=["left"], pass_count=1)
LEFT = ["2C 5C", "4C QS", "JD 4S"]


def test_a_pass_that_is_not_complete_is_any_pass_of_those_who_have_passed() -> None:
    state = after(THREE, LEFT, Pass(1, "QS"), deal=1)
    assert number_of_worlds(state, 0) == 6 * 2
    ruleset = THREE.having(pass_unseen=True)
    state = after(ruleset, LEFT, PassUnseen(1), Pass(0, "5C"), deal=1)
    assert number_of_worlds(state, 0) == 6


def test_what_was_passed_stays_with_its_receiver_and_what_others_passed_is_open() -> (
    None
):
    state = after(THREE, LEFT, Pass(0, "5C"), Pass(1, "QS"), Pass(2, "JD"), deal=1)
    # Seat 1 has 5C and one of 4C QS 4S, seat 2 the others; it got either of them.
    assert number_of_worlds(state, 0) == 3 * 2


def test_a_card_passed_on_unseen_is_where_the_ring_has_carried_it() -> None:
    ruleset = THREE.having(pass_unseen=True)
    acts: list[Act] = [Pass(0, "5C"), PassUnseen(1), Pass(2, "JD")]
    state = after(ruleset, LEFT, *acts, deal=1)
    assert "5C" in str(state.hands[2])
    assert number_of_worlds(state, 0) == 3
    for unseen in ((0, 1, 2), (1,), (1, 2)):
        made: list[Act] = [
            PassUnseen(seat) if seat in unseen else Pass(seat, LEFT[seat][:2])
            for seat in range(3)
        ]
        for seat in range(3):
            held_against_every_deal(after(ruleset, LEFT, *made, deal=1), seat)


@pytest.mark.parametrize("passed", [1, 2, 3])
def test_a_scatter_is_known_by_its_givers(passed: int) -> None:
    ruleset = hearts(3, pass_cycle=["scatter"])
    state = after(ruleset, THREE_HANDS, *THREE_SCATTERED[:passed], deal=1)
    every, _ = held_against_every_deal(state, 0)
    if passed == 3:
        silent = [
            attrs.evolve(one, received=None) for one in SeatRecord.of(state, 0).told
        ]
        record = attrs.evolve(SeatRecord.of(state, 0), told=silent)
        more, _ = held_against_every_deal(state, 0, record)
        assert len(more) == 2 * len(every)  # either may have given either card


@pytest.mark.parametrize("acts", [2, 3, 4, 5])
@pytest.mark.parametrize("kitty", ["", "9S"])
@pytest.mark.parametrize("mix_kitty", [True, False])
def test_a_mix_carries_own_cards_to_any_hand_that_got_some_back(
    acts: int, kitty: str, mix_kitty: bool
) -> None:
    players = 2 if kitty else 3
    ruleset = hearts(
        players,
        pass_cycle=["mix"],
        pass_count=1,
        undealt="kitty",
        removal="none",
        mix_kitty=mix_kitty,
    )
    pile = ["5C", "QS", "JD"][:players]
    back = Mix(players - 1, [*pile[1:], pile[0]])
    if mix_kitty and kitty:
        back = Mix(1, ["QS", kitty], "5C")
    given = [Pass(seat, card) for seat, card in enumerate(pile)]
    every_act: list[Act] = [*given, back, Play(0, "2C")]
    made = every_act[: acts - (3 - players)]
    state = after(ruleset, LEFT[:players], *made, deal=1, kitty=kitty)
    held_against_every_deal(state, 0)
    held_against_every_deal(state, 1)


def test_a_kitty_that_was_taken_is_still_unseen() -> None:
    ruleset = hearts(2, undealt="kitty", removal="none")
    state = after(ruleset, ["2C QS 5D", "3C AS 6D"], play="2C 3C AS QS", kitty="2H 3H")
    assert number_of_worlds(state, 0) == 3


# Positions, and the end of play


def test_a_position_has_the_leader_that_its_first_trick_must_have() -> None:
    ruleset = hearts(3, undealt="kitty", removal="none")
    found = Setup(
        dealer=2,
        deal=3,
        hands=["9D", "4C QS", "5D 6C"],
        kitty="2C 7D",
        leader=0,
        trick="3C",
        first_trick=True,
    )
    state = State.open(ruleset, found)
    # 2C is in the kitty as above or, since the lead is no act here, still with seat 0.
    assert number_of_worlds(state, 1) == 12 + 6
    held_against_every_deal(state.play("4C"), 2)


def test_a_position_in_mid_deal_is_dealt_as_it_stands() -> None:
    found = Setup(
        dealer=1,
        hands=["5C 6D", "2D 3H"],
        stock="4H 7C",
        leader=0,
        taken=["2S", ""],
        tricks=[1, 0],
    )
    state = State.open(domino(), found)
    assert number_of_worlds(state, 0) == 4 * 3 * 2 // 2 * 1
    held_against_every_deal(state.play("5C").draw(), 0)


def test_the_totals_announced_say_something_of_the_hand_that_was_left() -> None:
    cards = "5C 7C 3S draw draw KS"
    state = after(domino(), ["5C 6D", "7C 3S"], play=cards, stock="4H KS 2H")
    assert (state.over, state.score) == (True, (1, 0))
    # A heart is left in the stock, either one; the other came before or after 6D.
    assert number_of_worlds(state, 1) == 2 * 2


def test_a_moon_that_is_due_to_somebody_is_due_in_every_world() -> None:
    ruleset = domino(
        3, moon="choice_all", queen_points=13, hand_size=2, all_hearts_leader="lead"
    )
    cards = "QS 2S 4S 3H draw draw 3S 2H"
    state = after(ruleset, ["QS 3H", "2S 3S", "2H 4S"], play=cards, stock="5D 6D")
    assert (state.phase, state.turn) == ("moon", (0,))
    for seat in range(3):
        _, drawn = held_against_every_deal(state, seat)
        assert {world.phase for world in drawn.draw(5)} == {"moon"}


def test_a_moon_that_is_due_shows_the_heart_that_was_left() -> None:
    ruleset = domino(moon="choice_all", all_hearts_leader="lead")
    cards = "2C draw draw KC 4D draw 5D 2H AH"
    state = after(ruleset, ["2C 2H", "AH 4D"], play=cards, stock="3H KC 5D 9S")
    assert (state.phase, state.hands[1]) == ("moon", CardSet("3H"))
    every, _ = held_against_every_deal(state, 0)
    # 9S is left in the stock. AH 4D 3H: any of them may have been drawn.
    assert {world.stock[-1] for world in every} == {card("9S")}
    assert len(every) == 3


def test_the_rest_of_the_stock_is_seen_by_who_takes_it_up() -> None:
    ruleset = domino(survivor_takes_stock=True)
    cards = "5C 3C 6C draw 7C"
    state = after(ruleset, ["5C 6C", "3C KS"], play=cards, stock="7C 8D 9D")
    assert (state.over, state.hands[1]) == (True, CardSet("8D 9D KS"))
    assert number_of_worlds(state, 1) == 2  # in either order
    held_against_every_deal(state, 0)


# Every profile, and any ruleset


def some_moments(name: str, number: int) -> list[tuple[State, int]]:
    """Random states of small deals of a profile, each with a seat that observes it."""
    found: list[tuple[State, int]] = []
    rng = Random(name)
    while len(found) < number:
        try:
            ruleset = some_ruleset(rng, name, 0)
            state = State.open(ruleset, some_setup(rng, ruleset))
        except (Malformed, Refused):
            continue
        moves = some_script(rng, state, tries=0, most=rng.randint(1, 9)).moves
        state = state.after(*[move.act for move in moves])
        seat = rng.randrange(ruleset.players)
        if not state.over and 2 < ways_to_deal(state, seat) < 300:
            found.append((state, seat))
    return found


@pytest.mark.parametrize("name", profile_names())
def test_in_every_profile_worlds_are_all_that_fits(name: str) -> None:
    for state, seat in some_moments(name, 3):
        held_against_every_deal(state, seat)


def test_in_a_later_deal_of_a_match_only_that_deal_is_dealt() -> None:
    ruleset = hearts(3, limit=100, pass_cycle=["left", "hold"], pass_count=1)
    rng = Random(3)
    state = new_match(ruleset, dealer=0, pack="2C 3C 4D 5D 6S 7H")
    while state.deal < 3 or state.phase != "play":
        state = state.apply(state.random_act(rng))
    for seat in range(3):
        _, drawn = held_against_every_deal(state, seat)
        for world in drawn.draw(3, 5):
            assert world.totals == state.totals
            assert (world.deal, world.dealer) == (state.deal, state.dealer)


def small_moment(rng: Random) -> tuple[State, int]:
    """A random state of a small game, and a random seat that observes it."""
    state = some_moment(rng, rng.randint(1, 20), 5, rng.choice((0.0, 0.4)))
    return state, rng.randrange(state.ruleset.players)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_in_any_ruleset_worlds_are_all_that_fits(seed: int) -> None:
    rng = Random(seed)
    state, seat = small_moment(rng)
    while ways_to_deal(state, seat) >= 10_000:
        state, seat = small_moment(rng)
    held_against_every_deal(state, seat)


# What a world is


@pytest.mark.parametrize("seed", range(12))
def test_a_world_is_a_state_like_any_other(seed: int) -> None:
    state = some_moment(Random(seed), 30)
    for seat in range(state.ruleset.players):
        record = SeatRecord.of(state, seat)
        (world,) = worlds(record, 1, seed)
        seen = attrs.evolve(record.view, cut=(), legal=None)
        assert attrs.evolve(world.observe(seat), cut=(), legal=None) == seen
        assert isinstance(world.start, Setup)
        again = State.open(world.ruleset, world.start).after(*world.acts)
        assert again == world
        assert isinstance(again.start, Setup)
        # the same with nothing left to be looked up
        fields = attrs.fields(Setup)
        plain = Setup(**{one.name: getattr(world.start, one.name) for one in fields})
        assert plain == world.start == plain
        assert hash(plain) == hash(world.start)
        assert repr(plain) == repr(world.start)
        assert repr(again) == repr(world)
        assert pickle.loads(pickle.dumps(world)) == world
        assert world.start.hands == again.start.hands
        assert pickle.loads(pickle.dumps(world.start)) == world.start
        with pytest.raises(AttributeError):
            _ = world.start._nothing  # type: ignore[attr-defined]  # there is none


def test_the_same_seed_gives_the_same_worlds_and_another_one_others() -> None:
    state = new_match(FOUR, dealer=0)
    state = state.apply(state.random_act(Random(1)))
    record = SeatRecord.of(state, 0)
    assert worlds(record, 5, 3) == worlds(record, 5, 3)
    assert worlds(record, 5, 3) == worlds(record, 9, 3)[:5]
    assert worlds(record, 5, 3) != worlds(record, 5, 4)


def test_there_are_no_worlds_before_cards_are_dealt() -> None:
    with pytest.raises(Malformed, match="a record of a deal"):
        worlds(SeatRecord.of(new_match(FOUR), 0), 1)


def test_a_record_that_no_cards_allow_is_impossible() -> None:
    state = after(FOUR, ["2C 3C", "5C QS", "JD 4S", "7D KC"], Play(0, "2C"))
    record = SeatRecord.of(state, 0)
    (line,) = record.told
    wrong = attrs.evolve(line.event, seat=1, act=Play(1, "JD"))
    kept = attrs.evolve(line.event, seat=2, act=Play(2, "QS"))
    last = attrs.evolve(line.event, seat=3, act=Play(3, "4S"))
    record = record.after(wrong).after(kept).after(last)
    with pytest.raises(ImpossibleRecord, match="acts that no cards allow"):
        worlds(record, 1)  # three seats without clubs, and two clubs to hold


def test_a_record_that_no_deal_fits_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("refengine.worlds.sampling.TRIES", 20)
    ruleset = domino(2, revokes="penalised")
    state = after(ruleset, ["5C 6C", "7D 3H"], Play(0, "5C"), stock="4H KS")
    record = SeatRecord.of(state, 0)
    (line,) = record.told
    # With a stock to draw from, that was a revoke, and shows a club that is not there.
    record = record.after(attrs.evolve(line.event, seat=1, act=Play(1, "KS")))
    with pytest.raises(ImpossibleRecord, match="no world in 20 deals"):
        worlds(record, 1)


def test_hardly_a_deal_is_dealt_in_vain() -> None:
    found = list(acceptances(30))
    assert sum(one.share == 1 for one in found) > 27
    assert min(one.share for one in found) > 0.05


def test_worlds_are_those_of_a_record() -> None:
    with pytest.raises(Malformed, match="a SeatRecord"):
        worlds(new_match(FOUR), 1)  # type: ignore[arg-type]  # a state is no record


def test_the_first_leader_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = Ruleset("common-hearts", 4, {"pass_cycle": []})
    state = new_deal(ruleset, ["2C 9D", "5C QS", "JD 4S", "7D KC"], dealer=3)
    record = SeatRecord.of(state, 1)
    assert record.stand_in is not None

    def again(*_: Any) -> set[int]:
        raise AssertionError

    monkeypatch.setattr("refengine.worlds.stand_in.possible_leaders", again)
    assert {world.turn for world in Worlds(record).draw(3)} == {(0,)}
