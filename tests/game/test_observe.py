"""Tests of what a seat knows and is told (clauses 2.7 and 2.8)."""

from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from refengine import Play, Refused, Ruleset, State, new_deal, new_match
from refengine.formats.fields import act_fields
from refengine.game import acts, tricks
from refengine.game.tricks import Table, Trick
from refengine.game.values.cardset import CardSet, card
from tests.support.depth import depth
from tests.support.playing import A_SUIT_EACH, SUITS_SCATTERED, played_deal
from tests.support.refusing import malformed
from tests.support.strategies import domino, hearts, states

PASSED = [acts.Pass(seat, card) for seat, card in enumerate(("2C", "2D", "2S", "2H"))]


@settings(max_examples=depth(100), deadline=None)
@given(state=states())
def test_a_view_says_what_the_state_is_of_its_own_seat(state: State) -> None:
    for seat in range(state.ruleset.players):
        view = state.observe(seat)
        assert view.seat == seat
        assert view.hand == (state.hands[seat] if state.hands else CardSet())
        assert view.held == tuple(len(hand) for hand in state.hands)
        assert view.stock == len(state.stock)
        assert view.kitty == len(state.kitty)
        assert view.history == state.history
        assert view.table == state.table
        assert view.hearts_broken == state.hearts_broken
        assert view.totals == state.totals
        assert view.cut == state.cut
        assert (view.legal is not None) == (seat in state.turn)
        assert view.legal in (None, state.legal.due)
        in_turn = state.phase == "play" and seat in state.turn
        assert view.drew == (state.drew if in_turn else ())


@settings(max_examples=depth(60), deadline=None)
@given(state=states(undealt="none"))
def test_without_a_kitty_points_seen_are_points_taken(state: State) -> None:
    assert all(
        state.observe(seat).points == state.points
        for seat in range(state.ruleset.players)
    )


def test_a_taken_kitty_is_in_no_points_seen_and_holds_no_cards() -> None:
    ruleset = hearts(2, undealt="kitty", removal="none")
    state = played_deal(ruleset, ["2C QS 5D", "3C AS 6D"], "2C 3C AS QS", kitty="2H 3H")
    assert state.points == (0, 15)
    for seat in (0, 1):
        assert state.observe(seat).points == (0, 13)
        assert state.observe(seat).kitty == 0


def test_before_the_deal_there_is_nothing_to_see() -> None:
    view = new_match(hearts()).observe(2)
    assert (view.hand, view.held, view.points) == (CardSet(), (), ())
    assert (view.stock, view.kitty, view.table, view.history) == (0, 0, None, ())
    assert (view.passed, view.received) == (None, None)
    assert view.cut == (None, None, None, None)
    assert view.legal is not None
    assert view.legal.ways == 52


def test_the_cut_is_seen_by_all() -> None:
    state = new_match(hearts()).apply(acts.Cut(1, "5H"))
    assert state.observe(3).cut == (None, card("5H"), None, None)
    assert state.observe(1).legal is None


def test_a_pass_is_known_to_its_giver_at_once_and_to_its_receiver_when_all_is_in() -> (
    None
):
    state = new_deal(hearts(pass_cycle=["left"], pass_count=1), A_SUIT_EACH)
    assert state.observe(0).passed is None
    given = state.apply(PASSED[0])
    assert given.observe(0).passed == CardSet("2C")
    assert given.observe(0).received is None
    assert given.observe(0).legal is None
    assert given.observe(1).passed is None
    assert given.observe(1).received is None
    assert given.observe(0).hand == CardSet("2C 3C 4C")
    done = given.after(*PASSED[1:])
    assert done.observe(1).received == CardSet("2C")
    assert done.observe(1).passed == CardSet("2D")


def test_a_scatter_tells_who_gave_what() -> None:
    state = new_deal(hearts(pass_cycle=["scatter"]), A_SUIT_EACH)
    state = state.apply(SUITS_SCATTERED[0])
    assert state.observe(0).passed == SUITS_SCATTERED[0].cards
    assert state.observe(1).received is None
    state = state.after(*SUITS_SCATTERED[1:])
    assert state.observe(1).received == (
        (0, card("2C")),
        (2, card("3S")),
        (3, card("3H")),
    )


@pytest.mark.parametrize("cycle", [[], ["hold"]])
def test_on_a_hold_and_without_a_cycle_nothing_was_passed(cycle: list[str]) -> None:
    view = new_deal(hearts(pass_cycle=cycle), A_SUIT_EACH).observe(0)
    assert (view.passed, view.received) == (None, None)


def test_a_mix_shows_a_seat_what_it_gave_and_got() -> None:
    state = new_deal(hearts(pass_cycle=["mix"], pass_count=1), A_SUIT_EACH, dealer=3)
    state = state.after(*PASSED)
    assert state.observe(3).hand == CardSet("3H 4H")
    assert state.observe(0).received is None
    mixed = state.apply(acts.Mix(3, ["2H", "2S", "2D", "2C"]))
    view = mixed.observe(1)
    assert (view.passed, view.received) == (CardSet("2D"), CardSet("2S"))
    assert view.hand == CardSet("3D 4D 2S")


def test_drawn_cards_are_shown_to_who_drew_them_in_that_turn() -> None:
    state = new_deal(domino(), ["5C 6D", "2D 3H"], dealer=1, stock="4H 7C KS")
    state = state.play("5C").draw().draw()
    assert state.observe(1).drew == (card("4H"), card("7C"))
    assert state.observe(0).drew == ()
    assert state.observe(0).held == (1, 4)
    assert state.observe(0).stock == 1
    assert state.play("7C").observe(1).drew == ()


def test_the_record_of_plays_stays_open() -> None:
    state = played_deal(hearts(2), ["2C 4D 5D", "3C 6D 7D"], "2C 3C 6D 4D 7D")
    for seat in (0, 1):
        view = state.observe(seat)
        assert view.history == (
            Trick(0, (card("2C"), card("3C")), 1),
            Trick(1, (card("6D"), card("4D")), 1),
        )
        assert view.table == Table(1, (card("7D"),))


def test_a_view_says_nothing_of_revokes() -> None:
    ruleset = hearts(2, revokes="penalised")
    state = new_deal(ruleset, ["2C 4D", "3C 3H"]).play("2C").play("3H")
    assert state.revokes
    assert "revoke" not in repr(state.observe(0))


# Events


def public_acts() -> list[tuple[State, acts.Act]]:
    cut = new_match(hearts(2), pack="2C 3C")
    ruleset = hearts(
        2, revokes="penalised", revoke_until="trick_quitted", revoke_ends_deal=False
    )
    state = new_deal(ruleset, ["2C 4D", "3C 3H"]).play("2C")
    revoked = state.play("3H")
    moon = played_deal(hearts(3, moon="choice_all"), ["4C", "QS", "2H"], "4C QS 2H")
    unseen = new_deal(hearts(pass_cycle=["left"], pass_unseen=True), A_SUIT_EACH)
    return [
        (cut, acts.Cut(0, "3C")),
        (state, Play(1, "3C")),
        (state, Play(1, "3H")),
        (revoked, acts.Retract(1, "3H")),
        (revoked, acts.QuitTrick(0)),
        (revoked.play("4D"), acts.Claim(0, 1, 1)),
        (moon, acts.MoonChoice(0, "self_minus")),
        (unseen, acts.PassUnseen(2)),
    ]


@pytest.mark.parametrize(("state", "act"), public_acts())
def test_public_acts_are_told_in_full_to_every_seat(
    state: State, act: acts.Act
) -> None:
    after = state.apply(act)
    for seat in range(state.ruleset.players):
        event = state.event(act, seat)
        assert event.act == act
        assert (event.kind, event.seat) == (next(iter(act_fields(act))), act.seat)
        assert event.hand == after.observe(seat).hand


def test_a_deal_tells_each_seat_its_own_hand() -> None:
    state = new_match(domino(2, hand_size=2), dealer=0, pack="2C 3C 4C 5C 6C")
    deal = acts.Deal(0, ["2C 3C", "4C 5C"], "6C")
    for seat, hand in ((0, "2C 3C"), (1, "4C 5C")):
        event = state.event(deal, seat)
        assert (event.kind, event.seat, event.act) == ("deal", 0, None)
        assert event.hand == CardSet(hand)


def test_a_pass_is_told_in_full_to_its_giver_only() -> None:
    state = new_deal(hearts(pass_cycle=["left"], pass_count=1), A_SUIT_EACH)
    act = PASSED[0]
    assert state.event(act, 0).act == act
    assert state.event(act, 1).act is None
    assert state.event(act, 1).hand == CardSet(A_SUIT_EACH[1])
    last = state.after(*PASSED[1:])
    assert last.event(act, 1).act is None
    assert last.event(act, 1).hand == CardSet("2C 3D 4D")
    scatter = new_deal(hearts(pass_cycle=["scatter"]), A_SUIT_EACH)
    gifts = SUITS_SCATTERED[0]
    assert scatter.event(gifts, 0).act == gifts
    assert scatter.event(gifts, 1).act is None
    assert scatter.event(gifts, 1).kind == "scatter"


def test_a_mix_is_told_to_nobody_in_full_not_to_the_dealer_either() -> None:
    state = new_deal(hearts(pass_cycle=["mix"], pass_count=1), A_SUIT_EACH, dealer=3)
    state = state.after(*PASSED)
    mix = acts.Mix(3, ["2H", "2S", "2D", "2C"])
    for seat in range(4):
        event = state.event(mix, seat)
        assert event.act is None
        assert event.hand == state.apply(mix).hands[seat]


def test_a_draw_is_told_to_all_and_its_card_to_one() -> None:
    state = new_deal(domino(), ["5C 6D", "2D 3H"], dealer=1, stock="4H 7C").play("5C")
    assert state.event(acts.Draw(1), 1).hand == CardSet("2D 3H 4H")
    other = state.event(acts.Draw(1), 0)
    assert (other.kind, other.act, other.hand) == ("draw", acts.Draw(1), CardSet("6D"))


def test_a_refused_act_has_no_event() -> None:
    state = new_deal(hearts(), A_SUIT_EACH)
    with pytest.raises(Refused):
        state.event(Play(0, "4C"), 0)


@pytest.mark.parametrize("seat", [4, 12, 99])
def test_a_seat_that_is_not_at_the_table_sees_nothing(seat: int) -> None:
    state = new_deal(hearts(), A_SUIT_EACH)
    for look in (state.observe, partial(state.event, Play(0, "2C"))):
        error = malformed(look, seat)
        assert (error.where, error.allowed) == ("seat", "a seat from 0 to 3")


@pytest.mark.parametrize("seat", [-1, "1", 1.5, None, True])
def test_a_seat_that_is_none_sees_nothing(seat: Any) -> None:
    state = new_deal(hearts(), A_SUIT_EACH)
    for look in (state.observe, partial(state.event, Play(0, "2C"))):
        malformed(look, seat)


def test_views_go_through_a_whole_match() -> None:
    rng = Random(3)
    state = new_match(Ruleset("estmesh-hearts", 5, {"undealt": "kitty", "limit": 40}))
    while not state.over:
        state = state.apply(state.random_act(rng))
        held = [len(state.observe(seat).hand) for seat in range(5)]
        assert not state.hands or tuple(held) == state.observe(0).held


def test_games_that_part_each_show_their_own_tricks() -> None:
    state = new_deal(hearts(2), ["2C 4C 2D 4D", "3C 5C 3D 5D"])
    first, second = state.play("2C").play("3C"), state.play("2C").play("5C")
    one = Trick(0, (card("2C"), card("3C")), 1)
    other = Trick(0, (card("2C"), card("5C")), 1)
    assert second.play("3D").play("4D").history == (
        other,
        Trick(1, (card("3D"), card("4D")), 0),
    )
    assert first.observe(0).history == first.observe(1).history == (one,)
    third = Trick(1, (card("3D"), card("2D")), 1)
    assert first.play("3D").play("2D").history == (one, third)
    assert second.history == (other,)
    assert first.history is first.observe(1).history  # made once


def test_what_is_kept_of_tricks_stays_few_and_right() -> None:
    rng = Random(5)
    seen: dict[int, int] = {}
    for _ in range(100):  # of three tricks, so that some are dropped
        state = new_deal(hearts(), A_SUIT_EACH)
        while not state.over:
            state = state.apply(state.random_act(rng))
            history = state.observe(0).history
            assert len(history) == sum(state.tricks)
            played = [act.card for act in state.acts if isinstance(act, Play)]
            assert [one for trick in history for one in trick.cards] == played[
                : 4 * len(history)
            ]
            seen[len(seen)] = len(tricks._KEPT)
    assert max(seen.values()) <= tricks._MOST
