"""Tests of chapter 7: revokes, their correction, claims and penalties."""

from typing import Any

import pytest

from refengine import (
    CardSet,
    Claim,
    Deal,
    Draw,
    Irregular,
    MoonChoice,
    Play,
    QuitTrick,
    Refused,
    Retract,
    RevokeNote,
    Ruleset,
    State,
    card,
    new_deal,
    new_match,
)
from tests.support.playing import cards_played, played_deal
from tests.support.refusing import refused
from tests.support.strategies import broken, hearts


def rules(until: str = "trick_quitted", players: int = 3, **options: Any) -> Ruleset:
    base: dict[str, Any] = {"revoke_ends_deal": False, "revoke_points": 13}
    base |= {"revokes": "penalised", "revoke_until": until}
    return hearts(players, **{**base, **options})


HANDS = ["2C 9D TD", "5C 6D 3H", "KC JD 8S"]


def revoked(until: str = "trick_quitted", **options: Any) -> State:
    """A deal of three tricks; in the first, seat 1 discarded 3H while holding 5C."""
    return played_deal(rules(until, **options), HANDS, "2C 3H")


def states_of(state: State) -> list[str]:
    return [note.state for note in state.revokes]


# What a revoke is


def test_a_failure_to_follow_is_accepted_where_revokes_are_penalised() -> None:
    state = new_deal(rules(), ["2C 9D", "5C 3H", "KC 8S"]).play("2C")
    assert state.verdict(Play(1, "3H")) == Irregular(("5.3",))
    assert Play(1, "3H") not in state.legal
    assert state.legal.cards == CardSet("5C")
    after = state.play("3H")
    assert after.hearts_broken
    assert after.revokes == (RevokeNote(1, 1, "open"),)
    assert after.turn == (2,)


def test_a_failure_to_follow_is_refused_where_revokes_are_rejected() -> None:
    state = new_deal(hearts(3), ["2C 9D", "5C 3H", "KC 8S"]).play("2C")
    assert refused(state.play, "3H").clauses == ("5.3",)


@pytest.mark.parametrize(
    ("options", "act", "clauses"),
    [
        ({"first_trick_points": "barred"}, Play(1, "3H"), ("5.3", "5.5")),
        ({"first_trick_points": "barred"}, Play(1, "QS"), ("5.3", "5.5")),
        ({}, Play(1, "9C"), ("5.7",)),
        ({}, Play(2, "KC"), ("2.3",)),
    ],
)
def test_no_other_illegal_act_is_accepted(
    options: dict[str, Any], act: Play, clauses: tuple[str, ...]
) -> None:
    state = new_deal(rules(**options), ["2C 9D TD", "5C QS 3H", "KC JD 8S"]).play("2C")
    assert isinstance(state.verdict(act), Refused)
    assert broken(state, act) == clauses


def test_a_heart_led_too_early_is_no_revoke() -> None:
    state = new_deal(rules(opening_card="any"), ["2C 9H", "3C 4C", "5C 6C"])
    assert isinstance(state.verdict(Play(0, "9H")), Refused)


def test_playing_instead_of_drawing_is_no_revoke_nor_is_drawing() -> None:
    ruleset = Ruleset("pokerwiner-domino", 2)
    state = new_deal(ruleset, ["5C 6D", "2D 3H"], dealer=1, stock="7C").play("5C")
    assert isinstance(state.verdict(Play(1, "2D")), Refused)
    able = new_deal(ruleset, ["5C 6D", "2C 3H"], dealer=1, stock="7C").play("5C")
    assert isinstance(able.verdict(Draw(1)), Refused)
    assert isinstance(able.verdict(Play(1, "3H")), Irregular)
    assert cards_played(state, "draw 7C 2D 6D").revokes == ()


def test_to_play_another_suit_when_the_stock_has_run_out_is_no_revoke() -> None:
    ruleset = Ruleset("pokerwiner-domino", 2)
    hands = ["5C 6D", "2D 3H"]
    state = played_deal(ruleset, hands, "5C draw 7S", dealer=1, stock="7S")
    assert state.revokes == ()


def test_a_card_drawn_that_follows_may_be_withheld_as_a_revoke() -> None:
    ruleset = Ruleset("pokerwiner-domino", 2)
    state = played_deal(ruleset, ["5C 6D", "2D 3H"], "5C draw 3H", dealer=1, stock="7C")
    assert state.revokes == (RevokeNote(1, 1, "open"),)
    back = state.apply(Retract(1, "3H"))
    assert back.drew == (card("7C"),)
    assert back.legal.cards == CardSet("7C")
    assert back.hands[1] == CardSet("7C 2D 3H")


def test_a_denied_suit_may_be_played_later() -> None:
    state = cards_played(revoked("next_lead"), "KC 8S 9D")
    assert broken(state, Play(1, "5C")) == ()
    assert state.play("5C").hands[1] == CardSet("6D")


# The time for correction


def test_only_the_card_of_a_revoke_of_its_own_is_retracted() -> None:
    state = revoked()
    assert broken(state, Retract(1, "3H")) == ()
    assert broken(state, Retract(0, "2C")) == ("7.3",)
    assert broken(state, Retract(0, "3H")) == ("7.3",)
    assert broken(state, Retract(1, "5C")) == ("7.3",)
    again = state.apply(Retract(1, "3H"))
    assert broken(again, Retract(1, "3H")) == ("7.3",)


def after_each_step(until: str) -> dict[str, tuple[str, ...]]:
    complete = revoked(until).play("KC")
    led = complete.play("8S")
    found = {
        "before the last card": revoked(until),
        "complete": complete,
        "led": led,
        "a trick later": led.play("9D").play("6D"),
    }
    return {step: broken(state, Retract(1, "3H")) for step, state in found.items()}


@pytest.mark.parametrize(
    ("until", "complete"),
    [("trick_complete", ("7.4",)), ("trick_quitted", ()), ("next_lead", ())],
)
def test_each_time_for_correction_ends_where_it_says(
    until: str, complete: tuple[str, ...]
) -> None:
    assert after_each_step(until) == {
        "before the last card": (),
        "complete": complete,
        "led": ("7.4",),
        "a trick later": ("7.4",),
    }


def test_who_plays_last_cannot_correct_until_trick_complete() -> None:
    hands = ["2C 9D", "5C 6D", "KC JD"]
    state = played_deal(rules("trick_complete"), hands, "2C 5C JD")
    assert states_of(state) == ["standing"]
    assert broken(state, Retract(2, "JD")) == ("7.4",)
    assert broken(state, Claim(0, 2, 1)) == ()


def test_a_quit_ends_the_time() -> None:
    state = revoked().play("KC").apply(QuitTrick(2))
    assert broken(state, Retract(1, "3H")) == ("7.4",)
    assert states_of(state) == ["standing"]
    assert state.turn == (2,)


@pytest.mark.parametrize(
    ("until", "late"), [("trick_quitted", ()), ("next_lead", ("7.4",))]
)
def test_a_draw_for_the_lead_ends_the_time_only_until_next_lead(
    until: str, late: tuple[str, ...]
) -> None:
    options = {"revokes": "penalised", "revoke_until": until}
    ruleset = Ruleset("gamerules-domino", 3, options)
    hands = ["2C 9D", "5C 6D", "KC 8H"]
    state = played_deal(ruleset, hands, "2C 6D KC", dealer=2, stock="7H 7S")
    assert broken(state, Retract(1, "6D")) == ()
    drawn = state.draw()
    assert broken(drawn, Retract(1, "6D")) == late
    assert drawn.revokes[0].state == ("standing" if late else "open")
    if not late:
        back = drawn.apply(Retract(1, "6D"))
        assert back.hands[2] == CardSet("KC 7H 8H")
        assert back.legal.cards == CardSet("5C")


def stock_deal(until: str, **options: Any) -> State:
    """The end of a deal: seat 0 leads 2C and drops out, and seat 1 revokes with 3H."""
    base = {"revoke_until": until, "revoke_ends_deal": False, "revoke_points": 5}
    ruleset = Ruleset("pokerwiner-domino", 2, {**base, **options})
    return played_deal(
        ruleset, ["", "5C 3H"], "3H", leader=0, trick="2C", stock="4H 9S", dealer=1
    )


def test_on_the_last_trick_the_time_ends_with_a_claim() -> None:
    for until in ("trick_quitted", "next_lead"):
        state = stock_deal(until)
        assert state.over
        assert state.score == (1, 1)  # 3H in the trick; 4H of the stock, in the hand
        assert states_of(state) == ["open"]
        assert broken(state, Retract(1, "3H")) == ()
        assert broken(state, Claim(0, 1, 1)) == ()
        claimed = state.apply(Claim(1, 1, 1))
        assert states_of(claimed) == ["established"]
        assert broken(claimed, Retract(1, "3H")) == ("7.3",)
        assert claimed.score == (1, 1 + 5)


def test_a_claim_on_the_last_trick_ends_the_time_of_every_revoke_in_it() -> None:
    ruleset = rules("next_lead", deal_ends="no_points_left")
    state = played_deal(ruleset, ["2C 9D", "5C 3H", "KC JD"], "2C 3H JD")
    assert state.over  # nobody holds a penalty card
    assert states_of(state) == ["open", "open"]
    assert broken(state, Retract(2, "JD")) == ()
    claimed = state.apply(Claim(0, 1, 1))
    assert states_of(claimed) == ["established", "standing"]
    assert broken(claimed, Retract(2, "JD")) == ("7.4",)
    assert broken(claimed, Claim(0, 2, 1)) == ()


def test_until_trick_complete_the_last_trick_cannot_be_corrected() -> None:
    state = stock_deal("trick_complete")
    assert broken(state, Retract(1, "3H")) == ("7.4",)
    assert broken(state, Claim(0, 1, 1)) == ()


def test_a_correction_undoes_the_end_of_the_deal() -> None:
    state = stock_deal("next_lead")
    assert state.winners == (0, 1)
    back = state.apply(Retract(1, "3H"))
    assert back.phase == "play"
    assert (back.score, back.winners, back.totals) == (None, None, (0, 0))
    assert back.hands == (CardSet(), CardSet("5C 3H"))
    assert [str(one) for one in back.stock] == ["4H", "9S"]
    assert not back.hearts_broken
    again = back.play("5C")
    assert again.score == (0, 1 + 1)
    assert states_of(again) == ["corrected"]


def test_a_stock_that_went_into_a_hand_goes_back_as_it_lay() -> None:
    state = stock_deal("next_lead", survivor_takes_stock=True)
    assert state.hands[1] == CardSet("5C 9S 4H")
    assert state.stock == ()
    back = state.apply(Retract(1, "3H"))
    assert back.hands[1] == CardSet("5C 3H")
    assert [str(one) for one in back.stock] == ["4H", "9S"]


def test_on_the_last_trick_a_quit_ends_the_time_until_trick_quitted_only() -> None:
    state = stock_deal("trick_quitted")
    assert broken(state, QuitTrick(1)) == ("7.6b",)
    closed = state.apply(QuitTrick(0))
    assert closed.over
    assert broken(closed, Retract(1, "3H")) == ("7.4",)
    assert broken(stock_deal("next_lead"), QuitTrick(0)) == ("7.6a",)


def test_the_next_deal_ends_all_time_for_corrections_quits_and_claims() -> None:
    ruleset = rules(players=2, deals=2)
    state = new_match(ruleset, dealer=0, pack="2C 3C 4H 5D")
    state = cards_played(state.apply(Deal(0, ["2C 5D", "3C 4H"])), "2C 4H 5D")
    assert broken(state, Retract(1, "4H")) == ("7.4",)
    state = state.play("3C")
    assert (state.phase, state.score) == ("deal", (1, 0))
    assert broken(state, Claim(0, 1, 1)) == ()
    assert broken(state, QuitTrick(0)) == ()
    claimed = state.apply(Claim(0, 1, 1))
    assert claimed.score == (1, 13)
    dealt = state.apply(Deal(1, ["2C 5D", "3C 4H"]))
    assert broken(dealt, Claim(0, 1, 1)) == ("7.7",)
    assert broken(dealt, QuitTrick(0)) == ("7.6b",)
    assert broken(dealt, Retract(1, "4H")) == ("7.3",)


# What a correction restores


def test_a_correction_takes_back_the_cards_after_the_revoke() -> None:
    before = new_deal(rules(), HANDS).play("2C")
    complete = revoked().play("KC")
    back = complete.apply(Retract(1, "3H"))
    assert back.hands == before.hands
    assert back.table == before.table
    assert (back.turn, back.hearts_broken) == ((1,), False)
    assert back.taken == before.taken
    assert back.tricks == (0, 0, 0)
    assert back.history == ()
    assert states_of(back) == ["corrected"]
    assert back.legal.cards == CardSet("5C")
    again = back.play("5C").play("KC")
    assert again.history[0].winner == 2
    assert again.points == (0, 0, 0)


def test_a_corrected_seat_may_revoke_again() -> None:
    state = revoked().apply(Retract(1, "3H")).play("3H")
    assert states_of(state) == ["corrected", "open"]
    assert states_of(state.apply(Retract(1, "3H"))) == ["corrected", "corrected"]


def test_another_revoke_among_the_cards_taken_back_is_gone() -> None:
    state = revoked().play("JD")
    assert state.revokes == (RevokeNote(1, 1, "open"), RevokeNote(2, 1, "open"))
    back = state.apply(Retract(1, "3H"))
    assert back.revokes == (RevokeNote(1, 1, "corrected"),)
    assert broken(back, Retract(2, "JD")) == ("7.3",)
    one = state.apply(Retract(2, "JD"))
    assert one.revokes == (RevokeNote(1, 1, "open"), RevokeNote(2, 1, "corrected"))
    assert one.turn == (2,)
    both = one.apply(Retract(1, "3H"))
    assert states_of(both) == ["corrected", "corrected"]


def test_a_correction_keeps_what_was_established_in_earlier_tricks() -> None:
    state = played_deal(rules("next_lead"), HANDS, "2C 3H KC JD 9D 5C")
    assert state.revokes == (RevokeNote(1, 1, "standing"), RevokeNote(1, 2, "open"))
    state = state.apply(Claim(0, 1, 1)).apply(Retract(1, "5C"))
    assert states_of(state) == ["established", "corrected"]
    assert state.legal.cards == CardSet("6D")


def test_a_correction_leaves_a_standing_revoke_of_an_earlier_trick() -> None:
    hands = ["2C 9D TS", "5C 6D 3H", "KC JD 8S"]
    state = played_deal(rules("next_lead"), hands, "2C 5C JD 6D 8S TS")
    state = state.apply(Retract(0, "TS"))
    assert states_of(state) == ["standing", "corrected"]
    assert broken(state, Claim(1, 2, 1)) == ()


def test_cards_drawn_stay_drawn_and_count_for_no_turn() -> None:
    ruleset = Ruleset("pokerwiner-domino", 3)
    hands = ["2C 9D", "5C 6D", "8S 7S"]
    state = new_deal(ruleset, hands, dealer=2, stock="4H KC 3S")
    state = state.play("2C").play("6D").draw().draw().play("KC")
    back = state.apply(Retract(1, "6D"))
    assert back.hands[2] == CardSet("KC 7S 8S 4H")
    assert [str(one) for one in back.stock] == ["3S"]
    again = back.play("5C")
    assert again.drew == ()
    assert again.legal.cards == CardSet("KC")
    assert broken(again, Draw(2)) == ("6.3",)


def test_a_kitty_won_with_the_trick_goes_back_with_it() -> None:
    ruleset = rules(undealt="kitty", removal="none")
    state = played_deal(ruleset, ["2C 9D", "5C 3H", "KC 8S"], "2C 3H KC", kitty="QS")
    assert state.taken[2] == CardSet("2C KC QS 3H")
    back = state.apply(Retract(1, "3H"))
    assert back.kitty == CardSet("QS")
    assert not any(back.taken)


# Quitting


def test_the_winner_quits_once_from_the_last_card_to_the_next_lead() -> None:
    state = new_deal(rules(), ["2C 9D", "5C 6D", "KC 8D"])
    assert broken(state, QuitTrick(0)) == ("7.6b",)
    state = state.play("2C").play("5C")
    assert broken(state, QuitTrick(2)) == ("7.6b",)
    state = state.play("KC")
    quits = [broken(state, QuitTrick(seat)) for seat in range(3)]
    assert quits == [("7.6b",), ("7.6b",), ()]
    assert broken(state.apply(QuitTrick(2)), QuitTrick(2)) == ("7.6d",)
    assert broken(state.play("8D"), QuitTrick(2)) == ("7.6c",)
    assert QuitTrick(2) in state.legal
    assert QuitTrick(2) not in list(state.legal)


def test_another_seat_quits_neither_before_nor_after_the_next_lead() -> None:
    state = played_deal(rules(), ["2C 9D", "5C 6D", "KC 8D"], "2C 5C KC")
    assert broken(state.apply(QuitTrick(2)), QuitTrick(0)) == ("7.6b", "7.6d")
    assert broken(state.play("8D"), QuitTrick(0)) == ("7.6b", "7.6c")


def test_there_is_nothing_to_quit_once_a_claim_has_ended_the_deal() -> None:
    ruleset = rules(revoke_ends_deal=True)
    state = new_deal(ruleset, ["2C 9D TD", "5C QS 3H", "KC JD 8S"])
    state = cards_played(state, "2C 3H KC").apply(QuitTrick(2))
    claimed = state.apply(Claim(0, 1, 1))
    assert broken(claimed, QuitTrick(2)) == ("7.6d", "7.6e")
    assert broken(claimed, QuitTrick(0)) == ("7.6b", "7.6d", "7.6e")


@pytest.mark.parametrize("until", ["trick_complete", "next_lead"])
def test_nothing_is_quitted_under_another_time(until: str) -> None:
    assert broken(revoked(until).play("KC"), QuitTrick(2)) == ("7.6a",)


def test_nothing_is_quitted_where_revokes_are_rejected() -> None:
    ruleset = hearts(3, revoke_until="trick_quitted")
    state = played_deal(ruleset, ["2C 9D", "5C 6D", "KC 8D"], "2C 5C KC")
    assert broken(state, QuitTrick(2)) == ("7.6a",)


def test_a_position_has_no_trick_before_it_to_quit() -> None:
    state = new_deal(rules(), ["9D", "6D", "8D"], leader=2, tricks=[0, 0, 1])
    assert broken(state, QuitTrick(2)) == ("7.6b",)
    assert broken(state, Claim(0, 1, 1)) == ("7.7a",)


def test_the_winner_quits_though_another_leads() -> None:
    ruleset = Ruleset("pokerwiner-domino", 3, {"revoke_until": "trick_quitted"})
    state = played_deal(ruleset, ["", "2C 3D", "3C 4D"], "2C 3C", leader=0, trick="AC")
    assert state.turn == (1,)
    assert broken(state, QuitTrick(0)) == ()
    assert broken(state, QuitTrick(1)) == ("7.6b",)


# Claims


def standing() -> State:
    """A deal in which the revoke of seat 1 in trick 1 can no longer be corrected."""
    return cards_played(revoked(), "KC 8S")


@pytest.mark.parametrize("claimant", range(3))
def test_every_seat_may_claim_the_revoker_too(claimant: int) -> None:
    state = standing().apply(Claim(claimant, 1, 1))
    assert states_of(state) == ["established"]
    assert state.turn == (0,)
    assert state.score is None


@pytest.mark.parametrize(
    ("act", "clauses"),
    [
        (Claim(0, 1, 1), ()),
        (Claim(0, 2, 1), ("7.7a",)),
        (Claim(0, 1, 2), ("7.7",)),
        (Claim(0, 1, 3), ("7.7",)),
    ],
)
def test_a_false_claim_and_an_early_one_are_refused(
    act: Claim, clauses: tuple[str, ...]
) -> None:
    assert broken(standing(), act) == clauses


def test_a_claim_is_early_while_the_revoke_can_be_corrected() -> None:
    assert broken(revoked(), Claim(0, 1, 1)) == ("7.7",)
    assert broken(revoked().play("KC"), Claim(0, 1, 1)) == ("7.7",)
    assert broken(revoked().play("KC").apply(QuitTrick(2)), Claim(0, 1, 1)) == ()


def test_each_revoke_is_established_once() -> None:
    state = standing().apply(Claim(0, 1, 1))
    assert broken(state, Claim(0, 1, 1)) == ("7.7a",)
    corrected = cards_played(revoked().apply(Retract(1, "3H")), "5C KC 8S")
    assert broken(corrected, Claim(0, 1, 1)) == ("7.7a",)


def test_an_unclaimed_revoke_costs_nothing() -> None:
    state = cards_played(standing(), "9D 6D JD TD 5C")
    assert state.over
    assert state.score == (0, 0, 1)
    assert states_of(state) == ["standing"]


# Penalties


@pytest.mark.parametrize(("points", "cost"), [(13, 13), (0, 0), (5, 5), ("all", 1)])
def test_an_established_revoke_costs_its_points_and_the_deal_goes_on(
    points: int | str, cost: int
) -> None:
    state = cards_played(revoked(revoke_points=points), "KC 8S").apply(Claim(0, 1, 1))
    assert cards_played(state, "9D 6D JD TD 5C").score == (0, cost, 1)


def test_a_claim_after_the_score_scores_anew() -> None:
    state = cards_played(standing(), "9D 6D JD TD 5C")
    after = state.apply(Claim(2, 1, 1))
    assert after.score == after.totals == (0, 13, 1)
    assert state.winners == (0, 1)
    assert after.winners == (0,)


def test_each_established_revoke_costs_once() -> None:
    state = played_deal(rules("trick_complete"), HANDS, "2C 3H KC JD 9D 5C 8S TD 6D")
    assert state.revokes == (RevokeNote(1, 1, "standing"), RevokeNote(1, 2, "standing"))
    state = state.apply(Claim(0, 1, 2))
    assert state.score == (0, 13, 1)
    assert state.apply(Claim(0, 1, 1)).score == (0, 26, 1)


@pytest.mark.parametrize(("points", "cost"), [(13, 13), ("all", 14)])
def test_a_claim_that_ends_the_deal_scores_the_penalty_alone(
    points: int | str, cost: int
) -> None:
    ruleset = rules(
        "trick_complete",
        revoke_ends_deal=True,
        revoke_points=points,
        bonus_card="JD",
        no_trick_points=-5,
        deals=2,
    )
    hands = ["2C 9D TD", "5C QS 3H", "KC JD 8S"]
    state = played_deal(ruleset, hands, "2C 3H KC JD", totals=[1, 2, 3])
    ended_deal = state.apply(Claim(0, 1, 1))
    assert ended_deal.over
    assert ended_deal.score == (0, cost, 0)
    assert ended_deal.totals == (1, 2 + cost, 3)
    assert ended_deal.hands == state.hands
    assert broken(ended_deal, Claim(0, 1, 1)) == ("7.7a", "7.7b")
    assert broken(ended_deal, Claim(0, 1, 2)) == ("7.7", "7.7b")
    assert broken(ended_deal, QuitTrick(2)) == ("7.6a",)


def test_in_a_deal_that_a_claim_has_ended_nothing_is_corrected() -> None:
    ruleset = rules("next_lead", revoke_ends_deal=True)
    state = played_deal(ruleset, HANDS, "2C 3H KC JD 9D 5C").apply(Claim(0, 1, 1))
    assert states_of(state) == ["established", "standing"]
    assert broken(state, Retract(1, "5C")) == ("7.4",)


def test_a_deal_ended_by_a_claim_counts_as_a_deal() -> None:
    ruleset = rules("next_lead", players=2, revoke_ends_deal=True, deals=2)
    state = new_match(ruleset, dealer=0, pack="2C 3C 4H 5D")
    state = cards_played(state.apply(Deal(0, ["2C 5D", "3C 4H"])), "2C 4H 5D")
    state = state.apply(Claim(0, 1, 1))
    assert (state.phase, state.deal, state.dealer) == ("deal", 2, 1)
    assert (state.score, state.totals) == ((0, 13), (0, 13))
    state = cards_played(state.apply(Deal(1, ["2C 5D", "3C 4H"])), "2C 3C 4H 5D")
    assert state.over
    assert state.totals == (0, 14)
    assert state.winners == (0,)


def test_a_claim_after_the_end_takes_the_stock_out_of_no_hand() -> None:
    for ends in (True, False):
        state = stock_deal(
            "trick_complete", revoke_ends_deal=ends, survivor_takes_stock=True
        )
        after = state.apply(Claim(0, 1, 1))
        cards = [one for hand in after.hands for one in hand] + list(after.stock)
        cards += [one for pile in after.taken for one in pile]
        assert len(cards) == len(set(cards)) == 5


# Moons and the end of the match


def moon(until: str = "trick_complete", **options: Any) -> State:
    """Seat 2 took both penalty cards; seat 1 revoked in the first trick, keeping 5C."""
    ruleset = rules(until, **{"moon": "choice_all", **options})
    return played_deal(ruleset, ["2C 9D", "5C QS", "KC 3H"], "2C QS KC 3H 9D 5C")


def test_a_moon_of_another_seat_stands_and_stays_due() -> None:
    state = moon()
    assert (state.phase, state.turn) == ("moon", (2,))
    claimed = state.apply(Claim(0, 1, 1))
    assert (claimed.phase, claimed.turn) == ("moon", (2,))
    chosen = claimed.apply(MoonChoice(2, "self_minus"))
    assert chosen.score == (0, 13, -14)


def test_a_choice_made_by_another_shooter_stands() -> None:
    state = moon().apply(MoonChoice(2, "others_plus"))
    assert state.score == (14, 14, 0)
    assert state.apply(Claim(0, 1, 1)).score == (14, 27, 0)


def moon_of_a_revoker(**options: Any) -> State:
    """Seat 0 revokes with KC in hand, then wins all penalty cards and may choose."""
    ruleset = rules(
        "trick_complete",
        players=2,
        moon="choice_all",
        opening_card="any",
        heart_leads="free",
        **options,
    )
    hands = ["KC QS AS AH", "2C 9S 3C 4H"]
    state = played_deal(ruleset, hands, "2C AS 3C KC AH 4H QS 9S")
    assert (state.phase, state.turn) == ("moon", (0,))
    return state


def test_a_due_choice_of_the_revoker_falls_away() -> None:
    state = moon_of_a_revoker(no_trick_points=-5).apply(Claim(1, 0, 1))
    assert state.over
    assert state.score == (13 + 2 + 13, 0)


def test_a_made_choice_of_the_revoker_falls_away() -> None:
    chosen = moon_of_a_revoker().apply(MoonChoice(0, "others_plus"))
    assert chosen.score == (0, 15)
    assert chosen.apply(Claim(1, 0, 1)).score == (15 + 13, 0)


def test_where_the_claim_ends_the_deal_every_choice_falls_away() -> None:
    ends: dict[str, Any] = {"revoke_ends_deal": True}
    for state in (moon(**ends), moon_of_a_revoker(**ends)):
        note = state.revokes[0]
        claim = Claim(0, note.seat, note.trick)
        expected = [0] * state.ruleset.players
        expected[note.seat] = 13
        assert state.apply(claim).score == tuple(expected)
        made = state.apply(MoonChoice(state.turn[0], "self_minus"))
        assert made.apply(claim).score == tuple(expected)


def first_deal(**options: Any) -> State:
    """The end of a first deal for two: seat 1 has revoked, and seat 0 scores 14."""
    ruleset = rules("trick_complete", players=2, **options)
    state = new_match(ruleset, dealer=0, pack="2C 3C QS 2H")
    return cards_played(state.apply(Deal(0, ["2C QS", "3C 2H"])), "2C 2H QS 3C")


def test_a_finished_match_stays_open_to_claims_and_may_go_on() -> None:
    state = first_deal(limit=14, revoke_points=10, revoke_ends_deal=True)
    assert state.over
    assert state.totals == (14, 0)
    assert state.winners == (1,)
    claimed = state.apply(Claim(0, 1, 1))
    assert (claimed.phase, claimed.turn) == ("deal", (1,))
    assert claimed.totals == (0, 10)
    assert claimed.winners is None
    for act in (Play(0, "2C"), Draw(0), Deal(0, ["2C QS", "3C 2H"])):
        assert broken(state, act) == ("2.3", "2.4")


def test_a_match_that_went_on_may_be_over_after_a_claim() -> None:
    state = first_deal(limit=20, revoke_points=20)
    assert state.phase == "deal"
    claimed = state.apply(Claim(0, 1, 1))
    assert claimed.over
    assert claimed.winners == (0,)


def test_a_claim_and_a_quit_leave_the_turn_alone() -> None:
    state = standing()
    claimed = state.apply(Claim(2, 1, 1))
    assert (claimed.turn, claimed.table) == (state.turn, state.table)
    won = revoked().play("KC")
    quitted = won.apply(QuitTrick(2))
    assert (quitted.turn, quitted.table) == (won.turn, won.table)
