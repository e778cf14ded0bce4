"""Tests of corrections and claims that interact with something else in a game."""

from __future__ import annotations

import attrs
import pytest

from refengine import (
    CardSet,
    Claim,
    Deal,
    Match,
    Play,
    Retract,
    Ruleset,
    Setup,
    State,
    new_deal,
)
from refengine.game.acts import Act
from refengine_conformance.generators.strategies import Move, Script, moments_of
from refengine_conformance.runner.table import Table
from refengine_conformance.tables import disputes
from refengine_conformance.tables.aiming import number_of_dispute
from refengine_conformance.tables.candidates import Candidate
from refengine_conformance.tables.disputes import disputed, disputes_of
from refengine_conformance.tables.moments import REVOKES
from tests.support.tables import SEED, candidate_at, is_shown, whole

DEAL, MATCH_DEALER = ("deal",), ("match-dealer",)
BOTH = DEAL + MATCH_DEALER
UNTIL_LED = {"revokes": "penalised", "revoke_until": "next_lead"}
KITTY = whole("estmesh-hearts", 4, DEAL, undealt="kitty", **UNTIL_LED)
PLAYED_ON = whole("common-hearts", 4, BOTH, ties="play_on", revokes="penalised")
RESET = whole("heartsgame-tiles", 4, BOTH, exact_limit_becomes=50)
TILES = whole("dominorules-tiles", 4, BOTH)
SELF_MINUS = whole("heartsgame-tiles", 4, BOTH, moon="self_minus")
MATCH = Table(
    ruleset=Ruleset("openspiel-hearts", 4, {"deals": 4, "revokes": "penalised"}),
    starts=MATCH_DEALER,
)
EARLY = whole("pokerwiner-hearts", 4, MATCH_DEALER, deal_ends="no_points_left", deals=3)
THREE = whole("heartsgame-tiles", 3, DEAL)


@attrs.frozen
class Meeting:
    """A kind of dispute, and a table and the number of a game in which it arises."""

    table: Table
    candidate: int
    sort: str

    @property
    def number(self) -> int:
        """The number of the first dispute of this kind in the candidate game."""
        met = disputes_of(self.table, SEED, self.candidate)
        return next(one for one, sorts in met if self.sort in sorts)

    @property
    def game(self) -> Candidate:
        """The game in which that dispute takes place."""
        found = disputed(self.table, SEED, self.candidate, self.number)
        assert found is not None
        return found

    def at_the_act(self) -> tuple[State, Claim | Retract]:
        """The state before the claim or the correction, and that act."""
        (step, *_) = self.game.moments[self.sort]
        state = moments_of(self.game.script)[step - 1]
        act = self.game.script.moves[step - 1].act
        assert isinstance(act, Claim | Retract)
        return state, act


MEETINGS = {
    "correction_leaves_the_kitty_taken": Meeting(
        KITTY, 7, "correction: the kitty taken since, and then by another"
    ),
    "correction_forgets_a_heart_played_after_the_revoke": Meeting(
        TILES, 15, "correction: hearts broken since"
    ),
    "correction_forgets_a_claim_made_meanwhile": Meeting(
        THREE, 3, "correction: a claim since"
    ),
    "claim_rescored_from_the_reset_total": Meeting(
        RESET, 19, "claim: a reset before, the revoker's"
    ),
    "claim_after_the_score_leaves_the_moon": Meeting(
        SELF_MINUS, 79, "claim: beside a moon, on the shooter"
    ),
    "revoke_of_an_earlier_deal_bars_the_moon": Meeting(
        MATCH, 16, "claim: on who shoots the moon in a later deal"
    ),
    "correction_leaves_the_dealer_moved_on": Meeting(
        EARLY, 36, "correction: the deal scored since"
    ),
    "claim_keeps_the_limit_reached": Meeting(
        PLAYED_ON, 135, "claim: limit True, over False, then limit False, over False"
    ),
}
"""By planted fault, a dispute in which it matters what the fault forgets."""


SHOT = "claim_after_the_score_leaves_the_moon"


def is_play(act: object, retract: Retract) -> bool:
    """Whether an act is the play that a correction takes back."""
    return isinstance(act, Play) and (act.seat, act.card) == (
        retract.seat,
        retract.card,
    )


def test_a_correction_gives_back_a_kitty() -> None:
    state, act = MEETINGS["correction_leaves_the_kitty_taken"].at_the_act()
    assert not state.kitty
    assert state.apply(act).kitty


def test_a_correction_takes_back_a_heart_that_somebody_else_has_played() -> None:
    name = "correction_forgets_a_heart_played_after_the_revoke"
    state, act = MEETINGS[name].at_the_act()
    assert isinstance(act, Retract)
    assert act.card.value[1] != "H"
    assert state.hearts_broken
    assert not state.apply(act).hearts_broken


def test_a_claim_undoes_a_moon_and_a_reset() -> None:
    state, act = MEETINGS[SHOT].at_the_act()
    assert isinstance(act, Claim)
    assert state.score is not None
    points = sum(state.points)
    assert state.score[act.against] in (0, -points)  # 8.5: nothing, or less
    after = state.apply(act).score
    assert after is not None
    assert after[act.against] >= points  # 8.3b: no moon for whoever has revoked
    state, act = MEETINGS["claim_rescored_from_the_reset_total"].at_the_act()
    assert isinstance(act, Claim)
    assert state.totals[act.against] == 50
    assert state.apply(act).totals[act.against] > 100


@pytest.mark.parametrize("fault", MEETINGS)
def test_an_engine_that_forgets_it_is_found_by_the_game(fault: str) -> None:
    met = MEETINGS[fault]
    one = number_of_dispute(met.candidate, met.number)
    assert is_shown(met.table, one, fault)


def test_two_cards_the_other_way_round_make_a_revoke_of_the_shooter() -> None:
    """Exchanged cards make a shooter revoke, which no random game here has shown."""
    met = MEETINGS[SHOT]
    before, one = candidate_at(met.table, met.candidate), met.game
    pairs = list(zip(before.script.moves, one.script.moves, strict=False))
    changed = [(old.act, new.act) for old, new in pairs if old.act != new.act]
    (first, then), (later, at_last) = changed
    assert (first, then) == (at_last, later)
    assert REVOKES["open"] not in before.moments


def test_a_claim_comes_between_a_revoke_and_its_correction() -> None:
    one = MEETINGS["correction_forgets_a_claim_made_meanwhile"].game
    acts = [move.act for move in one.script.moves]
    (at,) = (step for step, act in enumerate(acts) if isinstance(act, Retract))
    claim, retract = acts[at - 1 : at + 1]
    assert isinstance(claim, Claim)
    assert isinstance(retract, Retract)
    played = max(step for step, act in enumerate(acts[:at]) if is_play(act, retract))
    assert played < at - 1


def test_a_revoke_ends_a_deal_early_and_is_corrected() -> None:
    state, act = MEETINGS["correction_leaves_the_dealer_moved_on"].at_the_act()
    assert isinstance(act, Retract)
    assert any(state.hands)
    assert state.score is not None
    assert state.dealer != state.apply(act).dealer
    assert act.card in state.history[-1].cards


@pytest.mark.parametrize("breaks", [True, False])
def test_hearts_are_broken_since_unless_the_card_taken_back_broke_them(
    breaks: bool,
) -> None:
    """A heart breaks hearts; so does the queen if the ruleset says so (5.9, 5.9a)."""
    rules = Ruleset("pokerwiner-hearts", 3, {"queen_breaks_hearts": breaks})
    start = Setup(dealer=2, hands=["2C 3C", "4C QS", "2H 3H"])
    plays = (Play(0, "2C"), Play(1, "QS"), Play(2, "2H"))
    script, act = Script(rules, start, tuple(map(Move, plays))), Retract(1, "QS")
    one = disputes._Dispute(Candidate(0, True, script, {}), 3, (act,), "", ())
    before = moments_of(script)[-1]
    met = [*disputes._met_by_correction(one, before, before.apply(act), act)]
    assert met == ([] if breaks else ["correction: hearts broken since"])


@pytest.mark.parametrize(("left", "takers"), [("5H", {0, 1}), ("5D", {0})])
def test_a_survivor_has_taken_what_stands_in_its_hand(
    left: str, takers: set[int]
) -> None:
    """The rest of the stock counts, too (8.2, 6.8a); the queen is free here (1.4)."""
    rules = Ruleset("pokerwiner-domino", 2, {"hand_size": 2})
    state = new_deal(rules, ["AS AH", "QS 3C"], dealer=1, stock=f"4H {left}")
    state = state.play("AS").play("QS").play("AH").draw().play("4H")
    assert disputes._takers(state) == takers


def test_the_king_of_spades_is_taken_where_he_costs_something() -> None:
    rules = Ruleset("black-maria", 3, {"pass_cycle": []})
    state = new_deal(rules, ["AC", "2C", "KS"], dealer=2)
    assert disputes._takers(state.play("AC").play("2C").play("KS")) == {0}


def test_where_no_revoke_is_accepted_there_is_no_dispute() -> None:
    for number in (3, 7):
        assert disputes_of(whole("common-hearts", 4, BOTH), SEED, number) == []


def test_an_earlier_revoke_is_none_in_the_last_trick() -> None:
    """In the last trick, nobody but the leader holds a spade, so nobody can revoke."""
    rules = Ruleset("pokerwiner-hearts", 3, {"deal_ends": "no_points_left"})
    start = Setup(dealer=0, hands=["5C 6S TS", "2C 7D 9C", "3C 4D 2H"])
    plays = (
        *(Play(1, "2C"), Play(2, "4D"), Play(0, "5C")),  # seat 2 revokes
        *(Play(0, "6S"), Play(1, "7D"), Play(2, "2H")),
    )
    one = Candidate(0, True, Script(rules, start, tuple(map(Move, plays))), {})
    assert disputes._ended_by_a_revoke(one) is None


def test_a_deal_that_a_claim_has_ended_did_not_end_early() -> None:
    """The claim ends the deal in mid-trick, with points left (5.14a, 7.9)."""
    rules = Ruleset("pokerwiner-hearts", 3, {"deal_ends": "no_points_left"})
    start = Setup(dealer=2, hands=["2C 3C 4D", "4C 5D 2H", "6C 7C 7D"])
    acts: tuple[Act, ...] = (
        *(Play(0, "2C"), Play(1, "5D"), Play(2, "6C")),  # seat 1 revokes
        *(Play(2, "7C"), Play(0, "3C"), Claim(0, 1, 1)),
    )
    one = Candidate(0, True, Script(rules, start, tuple(map(Move, acts))), {})
    assert disputes._ended_by_a_revoke(one) is None


def test_the_last_deal_of_a_match_comes_later_than_the_one_before() -> None:
    """Seat 1 revokes in the first of two deals, and shoots the moon in the second."""
    options = {"deals": 2, "moon": "others_plus", "revoke_ends_deal": False}
    rules = Ruleset("pokerwiner-hearts", 3, options)
    acts: tuple[Act, ...] = (
        Deal(2, ["3C 4C", "5C 6D", "QS 2H"]),
        *(Play(0, "3C"), Play(1, "6D"), Play(2, "QS")),  # seat 1 revokes
        *(Play(0, "4C"), Play(1, "5C"), Play(2, "2H")),
        Deal(0, ["3C 4C", "QS 2H", "5C 6D"]),
        *(Play(1, "QS"), Play(2, "5C"), Play(0, "3C")),
        *(Play(1, "2H"), Play(2, "6D"), Play(0, "4C")),
    )
    start = Match(dealer=2, pack="3C 4C 5C 6D QS 2H")
    script = Script(rules, start, tuple(map(Move, acts)))
    states = moments_of(script)
    assert states[-1].over
    assert states[-1].score == (14, 0, 14)
    game = Candidate(0, False, script, {})
    one = disputes._Dispute(game, 7, (Claim(2, 1, 1),), "", ())
    later = "claim: on who shoots the moon in a later deal"
    assert later in {*disputes._met(states, one)}


def test_a_kitty_that_nobody_takes_again_is_not_taken_by_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The game already has the most acts allowed, so it ends with the correction."""
    monkeypatch.setattr(disputes, "_MOST_ACTS", 3)
    rules = Ruleset(
        "estmesh-hearts",
        3,
        {"undealt": "kitty", "kitty_to": "first_trick", "pass_cycle": [], **UNTIL_LED},
    )
    start = Setup(dealer=2, hands=["2C 3C", "4C 5D", "6C 7D"], kitty="8D")
    plays = (Play(0, "2C"), Play(1, "5D"), Play(2, "6C"))
    script, act = Script(rules, start, tuple(map(Move, plays))), Retract(1, "5D")
    one = disputes._Dispute(Candidate(0, True, script, {}), 3, (act,), "", ())
    before = moments_of(script)[-1]
    after = before.apply(act)
    assert (before.kitty, str(after.kitty)) == (CardSet(), "8D")
    assert not [*disputes._met_by_correction(one, before, after, act)]
