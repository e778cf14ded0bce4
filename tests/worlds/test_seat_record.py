"""Tests that a record gives what its seat knows at every step, and nothing else."""

from functools import reduce
from random import Random
from typing import Any

import attrs
import numpy as np
import pytest

import refengine
from refengine import (
    Deal,
    Malformed,
    Play,
    Refused,
    Retract,
    Ruleset,
    SeatRecord,
    SeenSetup,
    State,
)
from refengine.game import acts
from refengine.game.observe import Event
from refengine.game.setups import Match
from refengine.game.values.cardset import CardSet, card
from refengine.game.values.state import new_deal, new_match
from refengine.worlds.announcements import ImpossibleRecord, Told, opening_for, told
from refengine.worlds.sampling import worlds
from refengine_conformance.generators import strategies
from refengine_conformance.generators.strategies import some_opening, some_script
from tests.support.playing import THREE_HANDS, THREE_SCATTERED, cards_played
from tests.support.refusing import malformed
from tests.support.strategies import domino, hearts


def check_every_step(script: strategies.Script) -> None:
    """Check at every step that each seat's record gives the same view as the state."""
    states = strategies.moments_of(script)
    records = [
        SeatRecord(script.ruleset, seat, opening_for(states[0], seat))
        for seat in range(script.ruleset.players)
    ]
    acts = [move.act for move in script.moves]
    for state, act in zip(states, [*acts, None], strict=True):
        for seat, record in enumerate(records):
            assert record.view == state.observe(seat)
        if act is not None:
            records = [
                record.after(told(state, act, seat))
                for seat, record in enumerate(records)
            ]
    for seat, record in enumerate(records):
        assert record == SeatRecord.of(states[-1], seat)
        fresh = SeatRecord(record.ruleset, seat, record.opening, record.told)
        assert fresh.view == record.view


@pytest.mark.parametrize("name", refengine.profile_names())
def test_the_view_is_that_of_the_state_in_every_profile(name: str) -> None:
    for seed in range(2):
        rng = Random(f"{name} {seed}")
        opening = some_opening(rng, name, 0)
        check_every_step(some_script(rng, opening, 0.3, tries=0, most=60))


@pytest.mark.parametrize("seed", range(25))
def test_the_view_is_that_of_the_state_in_any_ruleset(seed: int) -> None:
    rng = Random(seed)
    opening = some_opening(rng, "", 5)
    check_every_step(some_script(rng, opening, rng.choice((0, 0.4)), tries=0, most=60))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 500))
def test_the_view_is_that_of_the_state_in_many_rulesets(seed: int) -> None:
    rng = Random(seed)
    opening = some_opening(rng, "", 5)
    check_every_step(some_script(rng, opening, rng.choice((0, 0.4)), tries=0, most=120))


def test_the_whole_pack_is_seen_as_well() -> None:
    rng = Random(1)
    state = new_match(Ruleset("estmesh-hearts"), dealer=2)
    record = SeatRecord(state.ruleset, 1, Match(2))
    while state.deal < 3:
        act = state.random_act(rng)
        record = record.after(told(state, act, 1))
        state = state.apply(act)
        if act.kind != "play" or rng.random() < 0.1:
            assert record.view == state.observe(1)


def test_a_record_is_a_value() -> None:
    state = new_deal(hearts(), ["2C 9D", "5C QS", "JD 4S", "7D KC"]).play("2C")
    record = SeatRecord.of(state, 1)
    assert record == SeatRecord.of(state, 1) != SeatRecord.of(state, 2)
    assert hash(record) == hash(SeatRecord.of(state, 1))
    assert "4S" not in repr(record.told)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        record.seat = 2  # type: ignore[misc]  # it is frozen


def test_a_record_in_which_something_is_replaced_knows_what_it_says() -> None:
    empty = SeatRecord(HELD, 0, Match(1, "2C 4C JD"))
    begun = empty.after(hidden("deal", 1, "2C"))
    undealt = attrs.evolve(begun, told=())
    assert undealt == empty
    assert undealt.view == empty.view
    other = Told(hidden("deal", 1, "4C"), leader=2)
    assert attrs.evolve(begun, told=[other]).view.hand == CardSet("4C")


# Without announcements


def silent(record: SeatRecord) -> SeatRecord:
    """A copy of the record with its events, but without any announcements."""
    bare = [one.event for one in record.told]
    return SeatRecord(record.ruleset, record.seat, record.opening, bare)


def test_events_alone_do_wherever_they_say_enough() -> None:
    rng = Random(5)
    state = new_match(Ruleset("estmesh-hearts"), dealer=0)
    record = [silent(SeatRecord.of(state, seat)) for seat in range(4)]
    for _ in range(40):
        act = state.random_act(rng)
        record = [one.after(state.event(act, seat)) for seat, one in enumerate(record)]
        state = state.apply(act)
        for seat in state.turn:
            if state.phase in ("pass", "play"):
                assert record[seat].view == state.observe(seat)


def test_who_leads_is_asked_for_where_it_does_not_follow() -> None:
    ruleset = hearts(3, undealt="kitty", removal="none")
    state = new_deal(ruleset, ["3C 9D", "4C QS", "5D 6C"], kitty="2C 7D", dealer=2)
    for seat in range(3):
        record = SeatRecord.of(state, seat)
        assert isinstance(record.opening, SeenSetup)
        mute = attrs.evolve(record, opening=attrs.evolve(record.opening, leads=None))
        with pytest.raises(Malformed, match="told: found no leader"):
            _ = mute.view
        after = mute.after(told(state, Play(0, "3C"), seat))
        assert after.view == state.play("3C").observe(seat)


def test_who_leads_follows_from_the_lowest_club_and_from_where_it_was_passed() -> None:
    ruleset = hearts(3, pass_cycle=["left"], pass_count=1)
    state = new_deal(ruleset, ["2C 5C", "4C QS", "JD 4S"])
    done = state.after(acts.Pass(0, "2C"), acts.Pass(1, "QS"), acts.Pass(2, "JD"))
    for seat, knows in enumerate((True, True, False)):
        record = silent(SeatRecord.of(done, seat))
        if knows:
            assert record.view == done.observe(seat)
        else:
            with pytest.raises(Malformed, match="no leader"):
                _ = record.view


def test_who_gave_what_in_a_scatter_is_asked_for() -> None:
    ruleset = hearts(3, pass_cycle=["scatter"])
    state = new_deal(ruleset, THREE_HANDS).after(*THREE_SCATTERED)
    record = silent(SeatRecord.of(state, 1))
    with pytest.raises(Malformed, match="who gave which card"):
        _ = record.view
    assert len({world.acts for world in worlds(record, 40)}) > 2


def test_the_totals_are_asked_for_where_a_hand_was_left() -> None:
    start = new_deal(domino(), ["5C 6D", "7C 3S"], dealer=1, stock="4H KS 2H")
    state = cards_played(start, "5C 7C 3S draw draw KS")
    own = silent(SeatRecord.of(state, 0))
    assert own.view == state.observe(0)  # its own hand was left
    with pytest.raises(Malformed, match=r"told\[5\]: found no totals"):
        _ = silent(SeatRecord.of(state, 1)).view


def moon_over_a_stock() -> State:
    """Seat 0 has shot the moon; seat 1 and the stock have one card left each."""
    ruleset = domino(3, moon="choice_all", all_hearts_leader="lead")
    hands = ["AC KC AH", "4C 2H 7D", "5C 6C 3H"]
    state = new_deal(ruleset, hands, dealer=2, stock="8C 9S")
    state = cards_played(state, "AC 4C 5C KC draw 8C 6C AH 2H 3H")
    assert (state.phase, state.turn) == ("moon", (0,))
    return state


def test_a_moon_choice_over_hidden_cards_is_seen_once_it_is_made() -> None:
    state = moon_over_a_stock()
    chosen = acts.MoonChoice(0, "others_plus")
    for seat in range(3):
        record = SeatRecord.of(state, seat)
        assert record.view == state.observe(seat)
        assert {world.phase for world in worlds(record, 5)} == {"moon"}
        after = record.after(told(state, chosen, seat))
        assert after.view == state.apply(chosen).observe(seat)
        assert {world.totals for world in worlds(after, 5)} == {(0, 3, 3)}
    bare = SeatRecord.of(state, 2).after(state.event(chosen, 2))
    with pytest.raises(Malformed, match="no totals"):
        _ = bare.view


@pytest.mark.parametrize("moon", ["none", "self_minus", "choice_all"])
def test_the_totals_are_asked_for_where_nobody_can_have_shot_the_moon(
    moon: str,
) -> None:
    """Seat 1 has one card left, which may be either heart but not both."""
    ruleset = domino(2, moon=moon)
    start = new_deal(ruleset, ["2C", "2H"], dealer=1, stock="4C 3H 6S")
    state = cards_played(start, "2C draw 4C")
    assert state.totals == (0, 1)
    assert SeatRecord.of(state, 0).view == state.observe(0)
    error = malformed(lambda: silent(SeatRecord.of(state, 0)).view)
    assert (error.where, error.found) == ("told[2]", "no totals")


def test_totals_that_were_left_out_are_asked_for_in_the_next_deal() -> None:
    """Until then, to leave them out says that a choice is due.

    Seat 1 has taken two of the three hearts and has one card left: as far as seat 0
    sees, it may be the third.
    """
    ruleset = domino(deals=2, moon="choice_all", hand_size=2, all_hearts_leader="lead")
    hands, stock = ["AC 2H", "4H 3S"], "4C 3H 6S"
    begun = new_match(ruleset, dealer=1, pack="4C AC 3S 6S 2H 3H 4H")
    start = begun.apply(Deal(1, hands, stock))
    state = cards_played(start, "AC draw 4C 2H 4H")
    deal = Deal(0, hands, stock)
    assert (state.phase, state.totals) == ("deal", (0, 2))
    bare = silent(SeatRecord.of(state, 0))
    assert bare.view.totals == (0, 0)
    assert {world.phase for world in worlds(bare, 5)} == {"moon"}
    error = malformed(bare.after, state.event(deal, 0))
    assert (error.where, error.found) == ("told[5]", "no totals")
    full = SeatRecord.of(state, 0).after(told(state, deal, 0))
    assert full.view == state.apply(deal).observe(0)


def test_what_follows_the_totals_does_not_need_them_again() -> None:
    ruleset = domino(
        2, revokes="penalised", revoke_until="trick_quitted", all_hearts_leader="lead"
    )
    start = new_deal(ruleset, ["5C 6D", "7C 3S"], dealer=1, stock="4H KS 2H")
    state = cards_played(start, "5C 7C 3S draw draw KS")
    record = SeatRecord.of(state, 1)
    quits = acts.QuitTrick(state.history[-1].winner)
    assert record.after(state.event(quits, 1)).view == state.apply(quits).observe(1)


# What cannot be


def event(act: acts.Act, hand: str) -> Event:
    """An event that shows its act to the record's seat, which then has this hand."""
    return Event(act.kind, act.seat, act, CardSet(hand))


def hidden(kind: str, seat: int, hand: str) -> Event:
    """An event that shows the record's seat only the kind of act and who made it."""
    return Event(kind, seat, None, CardSet(hand))


def after(record: SeatRecord, *events: Event) -> SeatRecord:
    return reduce(SeatRecord.after, events, record)


def plays(hand: str, *pairs: tuple[int, str]) -> list[Event]:
    """The events of these plays, during which the record's seat keeps this hand."""
    return [event(Play(seat, one), hand) for seat, one in pairs]


def impossible(record: SeatRecord, match: str | None = None) -> str:
    """The place named in the error that an impossible record must raise."""
    with pytest.raises(ImpossibleRecord, match=match) as raised:
        _ = record.view
    return raised.value.where


THREE = hearts(3, pass_cycle=["left", "mix", "scatter"], pass_count=1)
PACK = "2C 5C 4C QS JD 4S"


def opening(**more: Any) -> SeenSetup:
    """A deal of two cards each, as seat 0 sees it, with some fields replaced."""
    seen: dict[str, Any] = {"dealer": 2, "hand": "2C 5C", "held": [2, 2, 2]}
    return SeenSetup(**{**seen, "pack": PACK, **more})


def dealt(deal: int = 1, ruleset: Ruleset = THREE, **more: object) -> SeatRecord:
    return SeatRecord(ruleset, 0, opening(deal=deal, **more))


PASSES = [
    event(acts.Pass(0, "5C"), "2C 5C"),
    hidden("pass", 1, "2C 5C"),
    hidden("pass", 2, "2C QS"),
]
HELD = hearts(3)


@pytest.mark.parametrize(
    ("deal", "events", "where"),
    [
        (1, [event(Play(0, "2C"), "5C")], "told[0]"),
        (1, [hidden("pass", 1, "2C 5C"), hidden("pass", 1, "2C 5C")], "told[1]"),
        (1, [hidden("pass", 0, "2C 5C")], "told[0]"),
        (1, [hidden("pass", 1, "2C 4C")], "told[0]"),
        (1, [*PASSES[:2], hidden("pass", 2, "2C 5C QS")], "told[2]"),
        (1, [*PASSES[:2], hidden("pass", 2, "4C QS")], "told[2]"),
        (1, [*PASSES, hidden("pass", 2, "2C QS")], "told[3]"),
        (1, [*PASSES, event(acts.Draw(0), "2C QS")], "told[3]"),
        (2, [*PASSES[:2], hidden("pass", 2, "2C QS")], "told[2]"),
        (2, [*PASSES[:2], hidden("pass", 2, "2C"), hidden("pass", 1, "2C")], "told[3]"),
        (2, [*PASSES[:2], hidden("pass", 2, "2C"), hidden("mix", 2, "4S")], "told[3]"),
        (1, [hidden("pass", 9, "2C 5C")], "told[0]"),
        (3, [event(acts.Scatter(0, {5: "5C"}), "2C 5C")], "told[0]"),
        (3, [event(acts.Scatter(0, {1: "5C"}), "2C 5C")], "told[0]"),  # 4.6a
        (3, [event(acts.Pass(0, "5C"), "2C 5C")], "told[0]"),  # a scatter is due
        (1, [event(acts.Scatter(0, {1: "5C", 2: "2C"}), "2C 5C")], "told[0]"),
        (1, [hidden("scatter", 1, "2C 5C")], "told[0]"),
        (1, [event(acts.Pass(0, "2C 5C"), "2C 5C")], "told[0]"),  # 4.4
        (1, [event(acts.Pass(0, "QS"), "2C 5C")], "told[0]"),  # 4.5
        (1, [event(acts.PassUnseen(0), "2C 5C")], "told[0]"),  # 4.9
        (1, [hidden("forward", 1, "2C 5C")], "told[0]"),
        (1, [Event("pass", 0, acts.PassUnseen(0), CardSet("2C 5C"))], "told[0]"),
        (
            2,
            [*PASSES[:2], hidden("pass", 2, "2C"), hidden("mix", 1, "2C 4S")],
            "told[3]",
        ),
    ],
)
def test_a_pass_that_cannot_be_is_named(
    deal: int, events: list[Event], where: str
) -> None:
    assert impossible(after(dealt(deal), *events)) == where


def test_a_card_that_was_passed_on_is_no_longer_in_the_hand() -> None:
    """The card returns only if all other seats pass it on (4.9a)."""
    begun = SeatRecord(THREE, 0, Match(2, PACK)).after(hidden("deal", 2, "2C 5C"))
    record = after(begun, *PASSES[:2], hidden("pass", 2, "2C 5C"))
    assert impossible(record, "another hand") == "told[3]"
    unseen = SeatRecord(THREE.having(pass_unseen=True), 0, Match(2, PACK))
    unseen = unseen.after(hidden("deal", 2, "2C 5C"))
    first = after(unseen, PASSES[0], event(acts.PassUnseen(1), "2C 5C"))
    back = first.after(event(acts.PassUnseen(2), "2C 5C"))
    assert back.view.received == CardSet("5C")
    kept = first.after(event(acts.PassUnseen(2), "2C QS"))
    assert impossible(kept, "another hand") == "told[3]"


def test_unseen_passes_are_told_where_they_are_allowed() -> None:
    """Seat 1 passes on the card from seat 0, which itself gets a card from seat 2."""
    ruleset = THREE.having(pass_unseen=True)
    record = after(dealt(ruleset=ruleset), PASSES[0], hidden("forward", 1, "2C 5C"))
    assert record.view.hand == CardSet("2C 5C")
    forwarded = after(dealt(ruleset=ruleset), event(acts.PassUnseen(0), "2C 5C"))
    assert forwarded.view.hand == CardSet("2C 5C")


def test_of_two_players_the_other_gave_what_came_in_a_scatter() -> None:
    ruleset = Ruleset("pokerwiner-hearts", 2, {"pass_cycle": ["scatter"]})
    state = new_deal(ruleset, ["2C 3C", "4C 5H"], dealer=0)
    state = state.apply(acts.Scatter(0, {1: "2C"}))
    last = told(state, acts.Scatter(1, {0: "4C"}), 0)
    for one in (last, attrs.evolve(last, received=None)):
        view = SeatRecord.of(state, 0).after(one).view
        assert view.received == ((1, card("4C")),)


LED = event(Play(0, "2C"), "5C")


@pytest.mark.parametrize(
    ("events", "where"),
    [
        ([event(Play(1, "4C"), "2C 5C")], "told[0]"),  # 0 leads
        ([event(Play(0, "5C"), "2C")], "told[0]"),  # 5.2
        ([event(Play(0, "2C"), "2C 5C")], "told[0]"),
        ([LED, event(Play(1, "5C"), "5C")], "told[1]"),  # its own card
        ([LED, event(Play(2, "QS"), "5C")], "told[1]"),  # 2.3
        ([LED, event(Play(1, "2C"), "5C")], "told[1]"),  # played before
        ([LED, event(acts.Draw(1), "5C")], "told[1]"),
        ([LED, event(acts.Retract(1, "4C"), "5C")], "told[1]"),
        ([LED, event(acts.Retract(0, "2C"), "2C 5C")], "told[0]"),
        ([LED, event(acts.QuitTrick(0), "5C")], "told[1]"),
        ([LED, event(acts.Claim(0, 1, 1), "5C")], "told[1]"),
        ([LED, event(acts.MoonChoice(0, 1), "5C")], "told[1]"),
        ([LED, event(acts.MoonChoice(0, 9), "5C")], "told[1]"),
        ([LED, event(Play(9, "4C"), "5C")], "told[1]"),
        ([LED, hidden("play", 1, "5C")], "told[1]"),
        ([LED, Event("draw", 1, Play(1, "4C"), CardSet("5C"))], "told[1]"),
        ([LED, Event("play", 2, Play(1, "4C"), CardSet("5C"))], "told[1]"),
    ],
)
def test_an_act_that_cannot_be_is_named(events: list[Event], where: str) -> None:
    assert impossible(after(dealt(ruleset=HELD, leads=0), *events)) == where


def test_a_scatter_brings_the_cards_that_came_one_from_each_of_the_others() -> None:
    ruleset = hearts(3, pass_cycle=["scatter"])
    *first, last = THREE_SCATTERED
    state = new_deal(ruleset, THREE_HANDS).after(*first)
    seat = (last.seat + 1) % 3
    said = told(state, last, seat)
    right = said.received or ()
    ace = card("AS")
    others = tuple((giver, ace) for giver, _ in right)
    once_more = (*right, (right[0][0], right[1][1]))
    wrong = (right[:1], others, (*right, (seat, ace)), once_more)
    for received in wrong:
        record = SeatRecord.of(state, seat).after(attrs.evolve(said, received=received))
        impossible(record, "other cards received")
    assert SeatRecord.of(state, seat).after(said).view.received == right


def test_cards_received_are_pairs_of_a_giver_and_a_card() -> None:
    """The card of such a pair may be given in notation, as in acts."""
    last = hidden("scatter", 2, "4C 3C")
    pairs: Any = [[1, "4C"], [2, "3C"]]
    read = Told(last, received=pairs)
    assert read == Told(last, received=((1, card("4C")), (2, card("3C"))))
    assert hash(read) == hash(Told(last, received=read.received))
    for wrong in ("4C", [1], [(1, "XX")], [(13, "4C")], {1: "4C"}, 5):
        malformed(Told, last, received=wrong)


def test_only_a_moon_choice_that_the_rules_give_can_be_made() -> None:
    """The choice can name neither one other seat, as all pay, nor the shooter."""
    record = SeatRecord.of(moon_over_a_stock(), 0)
    for other in (1, 0):
        chosen = event(acts.MoonChoice(0, other), str(record.view.hand))
        assert impossible(record.after(Told(chosen, totals=(0, 3, 3)))) == "told[10]"


def test_a_seat_that_is_announced_is_at_the_table() -> None:
    passed = after(dealt(), *PASSES[:2])
    assert impossible(passed.after(Told(PASSES[2], leader=7)), "seat 7") == "told[2]"
    begun = SeatRecord(HELD, 0, Match(1, "2C 4C JD"))
    for wrong in (Told(hidden("deal", 1, "2C"), leader=7), hidden("deal", 99, "2C")):
        with pytest.raises(ImpossibleRecord, match="a seat from 0 to 2"):
            begun.after(wrong)
    assert impossible(SeatRecord(HELD, 0, Match(dealer=7)), "seat 7") == "opening"


def test_a_leader_that_the_own_hand_rules_out_cannot_be_announced() -> None:
    """Seat 0 holds the two of clubs itself, and so must lead (5.1)."""
    begun = SeatRecord(HELD, 0, Match(2, PACK))
    record = begun.after(Told(hidden("deal", 2, "2C 5C"), leader=1))
    assert impossible(record, "a first lead by seat 1") == "told[0]"
    record = begun.after(hidden("deal", 2, "2C 5C"))
    record = record.after(event(Play(1, "4C"), "2C 5C"))
    assert impossible(record, "a first lead by seat 1") == "told[1]"
    assert impossible(dealt(ruleset=HELD, leads=1)) == "opening"


def test_a_lower_club_that_others_must_hold_rules_a_leader_out() -> None:
    """The two of clubs must be in a hand, as there is no stock or kitty (5.1)."""
    record = dealt(ruleset=HELD, hand="4C 5C", leads=0)
    assert impossible(record, "a first lead by seat 0") == "opening"
    state = new_deal(hearts(2), ["3C 9D", "2C QS"], dealer=1)
    told_who = SeatRecord.of(state, 0)
    assert isinstance(told_who.opening, SeenSetup)
    opened = attrs.evolve(told_who.opening, leads=None)
    mute = SeatRecord(state.ruleset, 0, opened)
    assert mute.view == told_who.view == state.observe(0)


def test_a_hand_too_small_for_its_pass_cannot_be() -> None:
    seen = {"hand": "2C", "held": [1, 1, 1], "pack": "2C 4C JD"}
    small = SeatRecord(hearts(3, pass_cycle=["scatter"]), 0, opening(**seen))
    record = small.after(hidden("scatter", 1, "2C"))
    assert impossible(record, r"breaks 4\.11") == "opening"


def test_what_a_ruleset_has_no_place_for_comes_before_a_hand_too_small() -> None:
    """Clauses 3.12d to 3.12h are applied to a setup before 4.11 is (0.7a)."""
    ruleset = hearts(3, pass_cycle=["scatter"])
    small: dict[str, Any] = {"ruleset": ruleset, "hand": "2C", "pack": "2C 4C JD QS"}
    even = dealt(held=[1, 1, 1], **small, kitty=1)
    uneven = dealt(held=[1, 2, 0], **small, stock=1)
    for record, clauses in ((even, "3.12h"), (uneven, "3.12d, 3.12e, 3.12g")):
        impossible(record, f"^opening: found a beginning that breaks {clauses};")


def test_an_own_play_that_was_no_revoke_cannot_be_claimed() -> None:
    ruleset = hearts(3, revokes="penalised")
    events = [LED, *plays("5C", (1, "4C"), (2, "4S")), event(acts.Claim(1, 0, 1), "5C")]
    record = after(dealt(ruleset=ruleset, leads=0), *events)
    assert impossible(record, "found no revoke") == "told[0]"


def test_a_draw_is_one_card_of_a_stock_that_has_one() -> None:
    seen = SeenSetup(
        dealer=1, hand="2D 3H", held=[2, 2], pack="5C 6D 2D 3H 4H", stock=1, leads=0
    )
    record = after(SeatRecord(domino(), 1, seen), *plays("2D 3H", (0, "5C")))
    impossible(after(record, event(acts.Draw(1), "2D 3H")), "0 new cards")
    drawn = after(record, event(acts.Draw(1), "2D 3H 4H"))
    impossible(after(drawn, event(acts.Draw(1), "2D 3H 4H 6D")), "an empty stock")
    other = SeatRecord(domino(), 0, attrs.evolve(seen, hand="5C 6D"))
    draw = event(acts.Draw(1), "6D")
    impossible(after(other, *plays("6D", (0, "5C")), draw, draw), "an empty stock")


def test_a_draw_from_a_stock_that_went_to_a_hand_cannot_be() -> None:
    seen = SeenSetup(
        dealer=1, hand="5C 6C", held=[2, 2], pack="5C 6C 2D 3H", stock=0, leads=0
    )
    record = after(SeatRecord(domino(), 0, seen), *plays("6C", (0, "5C")))
    impossible(after(record, event(acts.Draw(1), "6C")))


def test_totals_that_are_not_those_of_the_deal_cannot_be() -> None:
    state = new_deal(HELD, ["2C", "4C", "JD"], dealer=2).play("2C").play("4C")
    record = SeatRecord.of(state, 0)
    last = told(state, Play(2, "JD"), 0)
    assert record.after(last).view.totals == (0, 0, 0)
    for totals in ((0, 1, 0), (0, 0)):
        wrong = record.after(attrs.evolve(last, totals=totals))
        impossible(wrong, "those of the deal")
    early = attrs.evolve(record.told[-1], totals=(0, 0, 0))
    too_early = attrs.evolve(record, told=(record.told[0], early))
    impossible(too_early, "those of the deal")


def test_a_card_cannot_be_played_twice_nor_taken_up_from_nowhere() -> None:
    seen = SeenSetup(dealer=1, hand="3C 4C", held=[2, 2], pack="2C 3C 4C 5C", leads=1)
    record = SeatRecord(hearts(2, opening_card="any"), 0, seen)
    twice = [(1, "2C", "3C 4C"), (0, "4C", "3C"), (0, "3C", ""), (1, "2C", "")]
    events = [event(Play(seat, one), hand) for seat, one, hand in twice]
    assert impossible(after(record, *events), "breaks 5.7") == "told[3]"
    grown = record.after(event(Play(1, "2C"), "3C 4C AS"))
    assert impossible(grown, "found another hand") == "told[0]"


def test_more_cards_seen_in_a_hand_than_it_holds_cannot_be() -> None:
    others = plays("5C", (1, "4C"), (2, "4S"), (1, "QS"), (2, "JD"))
    record = after(dealt(ruleset=HELD, leads=0), LED, *others, *plays("", (0, "5C")))
    assert record.view.totals == (0, 13, 0)
    seen = SeenSetup(
        dealer=1, hand="5C 6D", held=[2, 2], pack="5C 6D 2C 3C 4C 7C", stock=2, leads=0
    )
    many = plays("6D", (0, "5C"), (1, "7C"), (1, "2C"), (1, "3C"))
    impossible(after(SeatRecord(domino(), 0, seen), *many), "cannot all have been")


def test_a_cut_and_a_deal_are_read_as_the_book_has_them() -> None:
    match = SeatRecord(HELD, 0, Match(pack="2C 4C JD"))
    cut = match.after(event(acts.Cut(0, "2C"), ""))
    assert cut.view.cut == (card("2C"), None, None)
    for wrong in (acts.Cut(1, "2C"), acts.Cut(1, "AS"), Play(1, "2C")):
        assert impossible(cut.after(event(wrong, ""))) == "told[1]"
    fine = event(acts.Cut(1, "4C"), "")
    assert cut.after(fine).view.cut == (card("2C"), card("4C"), None)
    no_cards = CardSet()
    for unlike in (
        Event("cut", 2, fine.act, no_cards),
        Event("play", 1, fine.act, no_cards),
        Event("cut", 1, fine.act, CardSet("JD")),
    ):
        assert impossible(cut.after(unlike)) == "told[1]"
    with pytest.raises(ImpossibleRecord, match=r"told\[0\]"):
        match.after(hidden("deal", 0, "2C"))
    begun = SeatRecord(HELD, 0, Match(1, "2C 4C JD"))
    for hand in ("2C 4C", "AS"):
        with pytest.raises(ImpossibleRecord, match=r"told\[0\]"):
            begun.after(hidden("deal", 1, hand))
    with pytest.raises(ImpossibleRecord, match="as in the act"):
        begun.after(Event("deal", 1, acts.Cut(1, "2C"), CardSet("2C")))
    with pytest.raises(Refused):
        _ = SeatRecord(HELD, 0, Match(1, "2C 4C")).view


@pytest.mark.parametrize(
    "wrong",
    [
        {"held": [2, 2]},
        {"held": [3, 2, 2]},
        {"hand": "2C AS"},
        {"pack": PACK + " KS"},
        {"dealer": 3},
        {"leads": 3},
        {"totals": [1, 2]},
        {"limit_reached": True},
        {"trick": "2C"},
        {"out": [1]},
        {"tricks": [1, 0, 0]},
        {"hearts_broken": True},
        {"leader": 0, "tricks": [1, -1, 0]},
        {"leader": 0, "tricks": [53, 0, 0]},
    ],
)
def test_an_opening_fits_its_table_and_itself(wrong: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="opening"):
        _ = dealt(ruleset=HELD, **wrong).view


@pytest.mark.parametrize(
    "wrong",
    [
        {"held": [2, 53, 2]},
        {"stock": -1},
        {"kitty": True},
        {"totals": [10**40, 0, 0]},
        {"deal": 0},
        {"hearts_broken": 1},
        {"taken": ["2C", "2C 2C", ""]},
        {"held": 2},
        {"totals": 10},
        {"totals": {0: 5, 1: 0, 2: 8}},
        {"held": {2: 2}},
        {"tricks": {1, 2}},
        {"out": [13]},
    ],
)
def test_an_opening_is_made_of_numbers_and_cards(wrong: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        opening(**wrong)


def test_seats_that_are_out_are_told_in_any_order() -> None:
    assert opening(out=[2, 0, 2]) == opening(out=[0, 2]) == opening(out={2, 0})


def test_what_the_book_forbids_to_open_is_impossible() -> None:
    wrong = [
        (dealt(ruleset=HELD, held=[2, 3, 1]), "3.12d"),
        (dealt(ruleset=HELD, held=[2, 2, 1], kitty=1, leads=0), "3.12d, 3.12h"),
        (dealt(ruleset=HELD, held=[2, 2, 2], leader=0, out=[1]), "3.12k"),
        (dealt(ruleset=HELD, held=[2, 2, 1], stock=1, leader=0), "3.12g"),
        (dealt(ruleset=domino(3), held=[2, 2, 1], kitty=1, leader=0), "3.12h"),
    ]
    for record, clauses in wrong:
        impossible(record, f"^opening: found a beginning that breaks {clauses};")


@pytest.mark.parametrize("wrong", [Play(0, "2C"), None, "play 2C"])
def test_what_is_told_is_an_event_or_more(wrong: Any) -> None:
    record = SeatRecord(HELD, 0, Match())
    assert malformed(record.after, wrong).where == "told"
    for every in ([wrong], 5):
        assert malformed(SeatRecord, HELD, 0, Match(), every).where == "told"


def test_a_profile_is_no_ruleset_of_a_record() -> None:
    assert malformed(SeatRecord, "common-hearts", 0, Match()).where == "ruleset"


@pytest.mark.parametrize("seat", [-1, 3, True, "1"])
def test_a_record_is_of_a_seat_at_the_table(seat: object) -> None:
    with pytest.raises(Malformed, match="seat"):
        SeatRecord(HELD, seat, Match())


def test_what_is_told_is_refused_with_the_act() -> None:
    state = new_deal(HELD, ["2C", "4C", "JD"], dealer=2)
    with pytest.raises(Refused):
        told(state, Play(0, "4C"), 1)
    with pytest.raises(Malformed):
        told(state, Play(0, "2C"), 3)
    assert told(state, Play(0, "2C"), 1) == Told(state.event(Play(0, "2C"), 1))


def test_a_deal_and_a_mix_announce_who_leads() -> None:
    match = new_match(HELD, dealer=2, pack="2C 4C JD")
    deal = acts.Deal(2, ["JD", "2C", "4C"])
    assert told(match, deal, 0).leader == 1
    mixing = new_deal(THREE, ["2C 5C", "4C QS", "JD 4S"], deal=2, dealer=2).after(
        acts.Pass(0, "2C"), acts.Pass(1, "4C"), acts.Pass(2, "JD")
    )
    mix = acts.Mix(2, ["4C", "JD", "2C"])
    assert told(mixing, mix, 0).leader == 2


@pytest.mark.parametrize("seat", [0, 3])
def test_a_record_of_a_match_is_the_one_that_grew_act_by_act(seat: int) -> None:
    rng = Random(5)
    state = new_match(Ruleset("common-hearts"), dealer=0)
    grown = SeatRecord(state.ruleset, seat, Match(dealer=0))
    while state.deal < 3:
        act = state.random_act(rng)
        grown = grown.after(told(state, act, seat))
        state = state.apply(act)
    number: Any = np.int64(seat)
    made = SeatRecord.of(state, number)
    assert made == grown
    assert made.view == grown.view == state.observe(seat)
    assert made.core == grown.core


def test_a_card_taken_back_after_the_score_begins_no_deal() -> None:
    revoke = {"revokes": "penalised", "revoke_until": "next_lead"}
    more = {"deal_ends": "no_points_left", "pass_cycle": [], "limit": 100}
    ruleset = hearts(4, **revoke, **more)
    hands = ["2C 3H 9S", "3C 6D 6S", "4C 7D 7S", "5C TD TS"]
    state = State.open(ruleset, Match(3, " ".join(hands))).apply(Deal(3, hands))
    state = cards_played(state, "2C 3C 4C 5C TD 3H 6D 7S")
    assert state.score is not None
    assert state.phase == "deal"
    back = Retract(2, "7S")
    assert told(state, back, 1).leader is None
    record = SeatRecord.of(state, 1).after(told(state, back, 1))
    assert record.view == state.apply(back).observe(1)


def test_no_totals_can_be_told_while_the_own_moon_is_to_be_settled() -> None:
    record = SeatRecord.of(moon_over_a_stock(), 0)
    *before, last = record.told
    told_so = (*before, attrs.evolve(last, totals=(0, 3, 3)))
    impossible(attrs.evolve(record, told=told_so), "before the moon is settled")
