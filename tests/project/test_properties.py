"""Tests of properties that hold at every moment of a game under any ruleset."""

import copy
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import refengine
from refengine import (
    Act,
    CardSet,
    Claim,
    Irregular,
    Legal,
    MoonChoice,
    Play,
    QuitTrick,
    Refused,
    Retract,
    Ruleset,
    Setup,
    State,
    clauses,
)
from refengine_conformance.generators.strategies import may_be_found
from tests.support.second_opinion import shooters
from tests.support.strategies import (
    acts,
    card_sets,
    last_moment,
    moments,
    openings,
    rulesets,
    some_act,
    some_opening,
    states,
    worth,
)

pytestmark = pytest.mark.unmeasured

SOME = settings(max_examples=60, deadline=None)
MANY = settings(max_examples=100, deadline=None)

NAMES = {name: getattr(refengine, name) for name in refengine.__all__}


def evaluated(text: str) -> object:
    return eval(text, dict(NAMES))  # a repr is notation and evaluates back


def number(value: object) -> int:
    assert isinstance(value, int)
    return value


def piles(state: State) -> list[CardSet]:
    found = [*state.hands, *state.taken, state.kitty, CardSet(state.stock)]
    # where a claim ended the deal in mid-trick, these cards lie on no pile
    position = state.core.position
    if position is not None:
        found.append(CardSet.of_mask(position.table))
    if state.phase == "mix":
        packets = [packet for packet in state.core.dealt.packets if packet is not None]
        found += [CardSet.of_mask(packet.cards) for packet in packets]
    return found


@MANY
@given(state=openings(), seed=st.integers(0, 2**16))
def test_every_card_lies_in_exactly_one_place_after_every_act(
    state: State, seed: int
) -> None:
    for moment in moments(state, Random(seed), 80):
        if moment.hands:
            lying = [card for pile in piles(moment) for card in pile]
            assert len(lying) == len(set(lying))
            assert CardSet(lying) == CardSet.of_mask(moment.core.pack)


@MANY
@given(state=openings(), seed=st.integers(0, 2**16))
def test_something_is_due_until_all_is_over(state: State, seed: int) -> None:
    for moment in moments(state, Random(seed), 80):
        assert bool(moment.turn) == bool(moment.legal) == (not moment.over)
        if moment.phase in ("cut", "pass", "moon", "play"):
            assert next(iter(moment.legal)) in moment.legal
        if not moment.over:
            act = moment.random_act(Random(seed))
            assert act in moment.legal
            assert act.seat == moment.turn[0]
        else:
            assert list(moment.legal) == []
            assert moment.winners is not None or isinstance(moment.start, Setup)


@MANY
@given(data=st.data(), state=states())
def test_every_act_is_exactly_one_of_legal_irregular_and_refused(
    data: st.DataObject, state: State
) -> None:
    act = data.draw(acts(state))
    verdict = state.verdict(act)
    assert (act in state.legal) == (verdict == Legal())
    if isinstance(verdict, Irregular):
        assert isinstance(act, Play)
        assert verdict.clauses == ("5.3",)
        assert state.ruleset.options["revokes"] == "penalised"
        assert act.card in state.hands[act.seat]
    if isinstance(verdict, Refused):
        assert verdict.clauses
        assert list(verdict.clauses) == sorted(set(verdict.clauses))
        assert all(clauses()[one].kind == "forbid" for one in verdict.clauses)
        with pytest.raises(Refused) as refused:
            state.apply(act)
        assert refused.value == verdict
    else:
        assert state.apply(act) != state or isinstance(act, QuitTrick)


@SOME
@given(data=st.data(), state=states(revokes="rejected"))
def test_nothing_is_irregular_where_revokes_are_rejected(
    data: st.DataObject, state: State
) -> None:
    act = data.draw(acts(state))
    assert not isinstance(state.verdict(act), Irregular)
    if isinstance(act, Retract | Claim | QuitTrick):
        assert isinstance(state.verdict(act), Refused)


@SOME
@given(state=states(), seed=st.integers(0, 2**16))
def test_acts_listed_are_legal_and_legal_plays_are_listed(
    state: State, seed: int
) -> None:
    if state.phase in ("deal", "mix"):
        return
    if state.phase == "pass" and state.legal.due.ways > 2_000:
        return
    listed = list(state.legal)
    assert all(act in state.legal for act in listed[:200])
    assert len(set(listed)) == len(listed)
    if state.phase == "play":
        legal = [
            card
            for card in refengine.WHOLE_PACK
            if Play(state.turn[0], card) in state.legal
        ]
        assert CardSet(legal) == state.legal.cards
        assert [card.number for card in legal] == state.legal_numbers()
    if state.phase == "pass":
        forward = 1 if state.legal.due.forward else 0
        assert len(listed) == (state.legal.due.ways + forward) * len(state.turn)
    rng = Random(seed)
    for _ in range(10):
        act = some_act(rng, state)
        if act in state.legal:
            assert act in listed or isinstance(act, Retract | Claim | QuitTrick)


@SOME
@given(state=states())
def test_retractions_quits_and_claims_are_never_listed(state: State) -> None:
    if state.phase in ("deal", "mix") or state.legal.due.ways > 2_000:
        return
    assert not any(isinstance(act, Retract | Claim | QuitTrick) for act in state.legal)


@SOME
@given(opening=openings(), seed=st.integers(0, 2**16), length=st.integers(0, 80))
def test_the_same_acts_lead_to_the_same_state(
    opening: State, seed: int, length: int
) -> None:
    state = last_moment(opening, seed, length)
    again = last_moment(State.open(opening.ruleset, opening.start), seed, length)
    assert state == again
    assert repr(state) == repr(again)
    assert opening.after(*state.acts) == state


@SOME
@given(state=states(), seed=st.integers(0, 2**16))
def test_no_act_changes_the_state_it_was_done_in(state: State, seed: int) -> None:
    before = (hash(state), repr(state), str(state), copy.deepcopy(state.core.fields()))
    rng = Random(seed)
    for _ in range(12):
        act = some_act(rng, state)
        if isinstance(state.verdict(act), Refused):
            with pytest.raises(Refused):
                state.apply(act)
        else:
            state.apply(act)
        for seat in range(state.ruleset.players):
            state.observe(seat)
        assert (hash(state), repr(state), str(state), state.core.fields()) == before


# Value semantics


@SOME
@given(state=states())
def test_a_state_is_a_value(state: State) -> None:
    assert evaluated(repr(state)) == state
    packed = pickle.loads(pickle.dumps(state))
    assert packed == state
    assert hash(packed) == hash(state)
    assert packed.acts == state.acts
    assert copy.copy(state) == copy.deepcopy(state) == state
    assert state != repr(state)


@SOME
@given(data=st.data(), state=states())
def test_an_act_is_a_value(data: st.DataObject, state: State) -> None:
    act = data.draw(acts(state))
    assert evaluated(repr(act)) == act
    assert pickle.loads(pickle.dumps(act)) == act
    assert copy.deepcopy(act) == act
    assert len({act, evaluated(repr(act))}) == 1
    assert str(act)
    assert act.phrase


@MANY
@given(ruleset=rulesets())
def test_a_ruleset_is_a_value(ruleset: Ruleset) -> None:
    assert evaluated(repr(ruleset)) == ruleset
    assert pickle.loads(pickle.dumps(ruleset)) == ruleset
    assert copy.copy(ruleset) == ruleset
    assert (
        len({ruleset, Ruleset(ruleset.profile, ruleset.players, ruleset.changed)}) == 1
    )
    assert ruleset != repr(ruleset)


@MANY
@given(cards=card_sets(), others=card_sets())
def test_a_card_set_is_a_value(cards: CardSet, others: CardSet) -> None:
    assert evaluated(repr(cards)) == cards
    assert pickle.loads(pickle.dumps(cards)) == cards
    assert copy.copy(cards) == copy.deepcopy(cards) == cards
    assert (cards == others) == (set(cards) == set(others))
    assert len({cards, CardSet(str(cards))}) == 1


@SOME
@given(state=states())
def test_parts_of_a_state_are_values_too(state: State) -> None:
    parts: list[object] = [state.legal.due, *state.history, *state.revokes, state.table]
    core = state.core
    parts += [core.cut, core.sheet, core.dealt, core.position, core.record, core.result]
    parts += [core.record.last, *core.record.revokes, *core.dealt.packets]
    if core.position is not None:
        parts += [core.position.talon, core.position.piles]
    for part in parts:
        again = pickle.loads(pickle.dumps(part))
        assert again == part
        assert hash(again) == hash(part)
        assert part != "something else"
    assert pickle.loads(pickle.dumps(core)) == core
    assert hash(pickle.loads(pickle.dumps(core))) == hash(core)


# Points


def holdings(state: State) -> list[CardSet]:
    return [hand | pile for hand, pile in zip(state.hands, state.taken, strict=True)]


def added_points(state: State) -> list[int]:
    """The points that the bonus card and established revokes add for each seat."""
    options = state.ruleset.options
    in_play = CardSet.of_mask(state.core.pack)
    cost = options["revoke_points"]
    each = worth(state.ruleset, in_play) if cost == "all" else number(cost)
    added = []
    for seat, held in enumerate(holdings(state)):
        bonus = any(card.value == options["bonus_card"] for card in held)
        revokes = [
            note
            for note in state.revokes
            if (note.seat, note.state) == (seat, "established")
        ]
        added.append(bonus * number(options["bonus_points"]) + len(revokes) * each)
    return added


def check_score(state: State) -> str:
    assert state.score is not None
    options = state.ruleset.options
    seats = range(state.ruleset.players)
    total = worth(state.ruleset, CardSet.of_mask(state.core.pack))
    revokers = [note.seat for note in state.revokes if note.state == "established"]
    if revokers and options["revoke_ends_deal"]:
        cost = options["revoke_points"]
        each = total if cost == "all" else number(cost)
        assert [state.score[seat] for seat in seats if seat not in revokers] == [0] * (
            len(seats) - 1
        )
        assert state.score[revokers[0]] == each
        return "revoke"
    base = [
        score - added
        for score, added in zip(state.score, added_points(state), strict=True)
    ]
    moon = shooters(state)
    if not moon:
        for seat in seats:
            if state.tricks[seat] == 0:
                base[seat] -= number(options["no_trick_points"])
        left = worth(state.ruleset, state.kitty) + worth(
            state.ruleset, CardSet(state.stock)
        )
        assert base == [worth(state.ruleset, held) for held in holdings(state)]
        assert sum(base) + left == total
        return "plain"
    [shooter] = moon
    sun = number(options["sun_points"])
    sun_shot = bool(sun) and state.tricks[shooter] == sum(state.tricks)
    moved = sun if sun_shot else total
    minus = [-moved if seat == shooter else 0 for seat in seats]
    plus = [0 if seat == shooter else moved for seat in seats]
    ones = [
        [moved if seat == one else 0 for seat in seats]
        for one in seats
        if one != shooter
    ]
    assert (
        base
        in {
            "self_minus": [minus],
            "others_plus": [plus],
            "others_plus_unless_losing": [minus, plus],
            "choice_all": [minus, plus],
            "choice_one": [minus, *ones],
        }[str(options["moon"])]
    )
    return "moon"


def check_totals(before: tuple[int, ...], state: State) -> None:
    assert state.score is not None
    options = state.ruleset.options
    for old, added, new in zip(before, state.score, state.totals, strict=True):
        reset = options["exact_limit_becomes"]
        if reset != "none" and old + added == options["limit"]:
            assert new == reset
        else:
            assert new == old + added


def test_every_penalty_point_is_accounted_for() -> None:
    found: dict[str, int] = {}
    for seed in range(700):
        rng = Random(seed)
        fixed: dict[str, Any] = {"revokes": rng.choice(["penalised", "rejected"])}
        if seed % 2:
            fixed["queen_points"] = 13
            fixed["moon"] = rng.choice(["choice_all", "choice_one", "others_plus"])
        elif seed % 4 == 0:
            fixed |= {"revokes": "penalised", "revoke_ends_deal": True}
        state = some_opening(rng, **fixed)
        for moment in moments(state, rng, 120, wild=0.7 if seed % 4 == 0 else 0.3):
            if moment.score is not None:
                kind = check_score(moment)
                check_totals(moment.core.sheet.totals, moment)
                found[kind] = found.get(kind, 0) + 1
    assert found["plain"] > 500
    assert found["moon"] > 40
    assert found["revoke"] > 20


def test_the_shooter_is_asked_only_where_a_choice_is_open() -> None:
    asked = 0
    for seed in range(300):
        rng = Random(seed)
        state = some_opening(rng, moon=rng.choice(["choice_all", "choice_one"]))
        for moment in moments(state, rng, 100, wild=0.0):
            if moment.phase == "moon":
                asked += 1
                assert shooters(moment) == list(moment.turn)
                assert moment.score is None
                assert moment.totals == moment.core.sheet.totals
                assert moment.winners is None
                assert all(isinstance(act, MoonChoice) for act in moment.legal)
    assert asked > 20


# Positions


@MANY
@given(state=states(revokes="rejected"), seed=st.integers(0, 2**16))
def test_a_position_found_plays_on_like_the_game_it_came_from(
    state: State, seed: int
) -> None:
    if not may_be_found(state):
        return
    found = State.open(state.ruleset, Setup.of(state))
    assert found.core.position == state.core.position or found.hands == state.hands
    rng = Random(seed)
    while state.phase == "play":
        assert found.legal.due == state.legal.due
        act = state.random_act(rng)
        state, found = state.apply(act), found.apply(act)
        for name in ("hands", "stock", "kitty", "taken", "tricks", "points", "out"):
            assert getattr(state, name) == getattr(found, name)
        assert state.hearts_broken == found.hearts_broken
    assert found.score == state.score
    assert found.totals == state.totals
    assert found.winners == state.winners or state.phase == "deal"


# Secrets


def known_to(state: State, seat: int) -> set[str]:
    """The cards that a seat has seen: all that it ever held, and all played."""
    seen: set[str] = set()
    moment = State.open(state.ruleset, state.start)
    for act in (None, *state.acts):
        if act is not None:
            moment = moment.apply(act)
        if moment.hands:
            seen |= {card.value for card in moment.hands[seat]}
        if moment.table is not None:
            seen |= {card.value for card in moment.table.cards}
        for trick in moment.history:
            seen |= {card.value for card in trick.cards}
        if isinstance(act, refengine.Cut | Retract):
            seen.add(act.card.value)
    if isinstance(state.start, Setup):
        for pile in state.start.taken or ():
            seen |= {card.value for card in pile}
    return seen


def exchanged(text: str, one: str, other: str) -> str:
    return text.replace(one, "??").replace(other, one).replace("??", other)


def replayed(state: State, one: str, other: str) -> list[State]:
    """The states of the same game with two cards exchanged; empty if refused."""
    try:
        start = evaluated(exchanged(repr(state.start), one, other))
        assert isinstance(start, Setup | refengine.Match)
        found = [State.open(state.ruleset, start)]
        for act in state.acts:
            again = evaluated(exchanged(repr(act), one, other))
            assert isinstance(again, Act)
            found.append(found[-1].apply(again))
    except Refused:
        return []
    return found


def replay(state: State) -> list[State]:
    found = [State.open(state.ruleset, state.start)]
    for act in state.acts:
        found.append(found[-1].apply(act))
    return found


def secret_pairs(state: State, seat: int, rng: Random) -> list[tuple[str, str]]:
    """At most six pairs of cards not seen by this seat; those of one suit first."""
    hidden = [card.value for card in CardSet.of_mask(state.core.pack)]
    hidden = [one for one in hidden if one not in known_to(state, seat)]
    rng.shuffle(hidden)
    pairs = [(a, b) for i, a in enumerate(hidden) for b in hidden[i + 1 :]]
    return sorted(pairs, key=lambda pair: pair[0][1] != pair[1][1])[:6]


def same_for(seat: int, ours: list[State], theirs: list[State]) -> None:
    assert len(ours) == len(theirs)
    for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        assert one.observe(seat) == other.observe(seat)
        if seat in one.turn:
            assert one.legal.due == other.legal.due
            assert one.legal.cards == other.legal.cards
        if place:
            before, then = ours[place - 1], theirs[place - 1]
            event = before.event(one.acts[-1], seat)
            assert event == then.event(other.acts[-1], seat)


def before_the_score(state: State, rng: Random, most: int) -> State:
    """A later state of the same deal, before its score, which may reveal any card."""
    last = state
    for moment in moments(state, rng, most):
        if moment.score is not None or moment.phase in ("moon", "over"):
            break
        last = moment
    return last


def check_secrets(seeds: range, **fixed: object) -> int:
    compared = 0
    for seed in seeds:
        rng = Random(seed)
        state = before_the_score(some_opening(rng, **fixed), rng, rng.randint(1, 40))
        if not state.hands:
            continue
        seat = rng.randrange(state.ruleset.players)
        ours = replay(state)
        for one, other in secret_pairs(state, seat, rng):
            theirs = replayed(state, one, other)
            # whose lead it is tells of the lowest club (5.1): no secret
            if theirs and theirs[-1] != state and theirs[-1].turn == state.turn:
                same_for(seat, ours, theirs)
                compared += 1
    return compared


def test_a_seat_sees_the_same_whatever_it_cannot_know() -> None:
    assert check_secrets(range(80)) > 60


def test_stock_and_kitty_and_drawn_cards_are_secret() -> None:
    assert check_secrets(range(30), undealt="stock", hand_size=4) > 30
    assert check_secrets(range(30), undealt="kitty") > 20


def test_passes_and_mixes_of_others_are_secret() -> None:
    cycle = ["left", "right", "across", "scatter", "mix", "mix"]
    fixed: dict[str, Any] = {
        "pass_cycle": cycle,
        "pass_count": 2,
        "pass_unseen": True,
        "undealt": "kitty",
        "mix_kitty": True,
    }
    assert check_secrets(range(40), **fixed) > 30


def test_whether_a_card_was_a_revoke_is_secret() -> None:
    ruleset = Ruleset("dominorules-tiles", 4)
    hands = ["2C 9D", "3H 6H", "4C 7S", "KC 8S"]
    honest = State.open(ruleset, Setup(dealer=3, deal=4, hands=hands, kitty=""))
    hands = ["2C 9D", "3H 5C", "4C 7S", "KC 8S"]
    false = State.open(ruleset, Setup(dealer=3, deal=4, hands=hands))
    played = (Play(0, "2C"), Play(1, "3H"), Play(2, "4C"))
    assert isinstance(false.play("2C").verdict(Play(1, "3H")), Irregular)
    for seat in (0, 2, 3):
        ours, theirs = honest, false
        for act in played:
            assert ours.event(act, seat) == theirs.event(act, seat)
            ours, theirs = ours.apply(act), theirs.apply(act)
            assert ours.observe(seat) == theirs.observe(seat)
    assert false.after(*played).revokes[0].state == "open"
