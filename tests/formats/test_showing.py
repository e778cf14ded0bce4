"""Tests of games as people write them down, and of how a sheet gives scores."""

from collections.abc import Iterator

import attrs
import pytest

from refengine import Act, Claim, Mix, Play, Retract, Ruleset, Setup, State
from refengine.formats.showing import shown, shown_trace
from refengine.formats.trace import Trace, opened
from refengine_conformance.tables.corpus_lines import corpus_lines

TRACES = {line.id: line.read for line in corpus_lines() if isinstance(line.read, Trace)}


def states(trace: Trace) -> Iterator[State]:
    """The first state of the game, and the state after each act."""
    state = opened(trace.ruleset, trace.start)
    yield state
    for step in trace.steps:
        state = state.apply(step.act)
        yield state


def scores(trace: Trace) -> list[str]:
    """The score of each deal in turn, and again whenever a score or total changes."""
    found: list[str] = []
    before = None
    for state in states(trace):
        now = None if state.score is None else (state.score, state.totals)
        if now is not None and now != before:
            found.append(" ".join(map(str, now[0])))
        before = now
    return found


CORRECTED = [
    name
    for name, trace in TRACES.items()
    if len(scores(trace)) > 1 and isinstance(trace.steps[-1].act, Claim)
]


def lines_of(trace: Trace) -> list[str]:
    acts = (step.act for step in trace.steps)
    return [*shown(opened(trace.ruleset, trace.start), acts)]


@pytest.mark.parametrize("name", CORRECTED)
def test_a_score_that_a_claim_changes_is_written_again(name: str) -> None:
    lines = lines_of(TRACES[name])
    printed = [line.split(maxsplit=1) for line in lines if line.startswith("  score ")]
    assert [rest for _, rest in printed] == scores(TRACES[name])


def test_there_are_such_games() -> None:
    assert len(CORRECTED) > 1


# What only some games have


MIXED = [
    trace
    for trace in TRACES.values()
    if any(isinstance(step.act, Mix) for step in trace.steps)
]


def test_a_mix_that_is_given_back_is_written_with_the_hands_after_it() -> None:
    assert len(MIXED) > 10
    kitties = 0
    for trace in MIXED:
        lines = lines_of(trace)
        places = [at for at, line in enumerate(lines) if "mix is given back" in line]
        after = [
            state
            for state, step in zip([*states(trace)][1:], trace.steps, strict=True)
            if isinstance(step.act, Mix)
        ]
        assert len(places) == len(after) > 0
        for place, state in zip(places, after, strict=True):
            hands = [f"  seat {seat}  {one}" for seat, one in enumerate(state.hands)]
            assert lines[place + 3 : place + 3 + len(hands)] == hands
            if state.kitty:
                kitties += 1
                assert lines[place + 3 + len(hands)] == f"  kitty   {state.kitty}"
    assert kitties > 0


def test_a_game_ends_with_the_first_act_that_is_refused() -> None:
    rules = Ruleset("common-hearts", 4, {"pass_cycle": ["hold"]})
    hands = ["2C 9D", "5C QS", "JD 4S", "KC 7D"]
    state = State.open(rules, Setup(dealer=3, hands=hands))
    wrong = [*shown(state, [Play(0, "2C"), Play(1, "QS"), Play(2, "JD")])]
    assert wrong[-2].split() == [">2C"]
    assert wrong[-1].startswith("  refused: ")
    assert "5.3" in wrong[-1]
    right = [*shown(state, [Play(0, "2C"), Play(1, "5C")])]
    assert right[-1].split() == [">2C", "5C"]
    assert right[:-1] == wrong[:-2]


def test_a_trace_is_written_below_its_name_or_its_id() -> None:
    trace = MIXED[0]
    named = attrs.evolve(trace, name="Friday\n\x1b[31m")
    first, *rest = shown_trace(named)
    assert first.startswith("Friday")
    assert not {"\n", "\x1b"} & {*first}
    assert rest == lines_of(trace)
    assert next(shown_trace(attrs.evolve(trace, name=""))) == trace.id


def test_a_claim_that_ends_the_deal_ends_the_trick_too() -> None:
    rules = Ruleset("pokerwiner-hearts", 2, {"deals": 2})
    state = State.open(rules, Setup(dealer=1, hands=["2C 3D 5S", "3C 4D 6S"]))
    acts: list[Act] = [Play(0, "2C"), Play(1, "4D"), Play(0, "3D"), Claim(0, 1, 1)]
    lines = [line.split() for line in shown(state, acts)]
    assert lines[-5] == ["1", ">2C", "4D!", "seat", "0"]
    assert lines[-4] == [">3D"]
    assert lines[-3][:3] == ["seat", "0", "says:"]
    assert [line[0] for line in lines[-2:]] == ["score", "totals"]


def test_a_game_that_begins_within_a_trick_shows_its_cards() -> None:
    rules = Ruleset("common-hearts", 4, {"pass_cycle": ["hold"]})
    hands = ["9D", "QS", "JD 4S", "KC 7D"]
    setup = Setup(dealer=3, hands=hands, leader=0, trick="2C 5C", first_trick=True)
    lines = [*shown(State.open(rules, setup), [Play(2, "4S"), Play(3, "KC")])]
    assert lines[-1].split() == ["1", ">2C", "5C", "4S", "KC", "seat", "3"]


def test_what_stays_on_the_table_after_a_retraction_keeps_its_marks() -> None:
    rules = Ruleset("dominorules-tiles", 4)
    hands = ["2C 3D", "6D 4C", "8C 7D", "9C 9D"]
    state = State.open(rules, Setup(dealer=3, hands=hands, leader=0, first_trick=True))
    acts: list[Act] = [Play(0, "2C"), Play(1, "6D"), Play(2, "7D"), Retract(2, "7D")]
    lines = [*shown(state, [*acts, Play(2, "8C"), Play(3, "9C")])]
    assert lines[-1].split()[:5] == ["1", ">2C", "6D!", "8C", "9C"]


def test_a_trick_that_a_retraction_opens_again_keeps_its_marks() -> None:
    """Only the revoke of seat 2 is corrected (7.5); that of seat 1 stands."""
    rules = Ruleset("dominorules-tiles", 4)
    hands = ["2C 3D", "6D 4C", "8C 7D", "9C 9D"]
    state = State.open(rules, Setup(dealer=3, hands=hands, leader=0, first_trick=True))
    acts: list[Act] = [Play(0, "2C"), Play(1, "6D"), Play(2, "7D"), Play(3, "9C")]
    acts += [Retract(2, "7D"), Play(2, "8C"), Play(3, "9C")]
    whole, _, last = [*shown(state, acts)][-3:]
    assert whole.split() == ["1", ">2C", "6D!", "7D!", "9C", "seat", "3"]
    assert last.split() == ["1", ">2C", "6D!", "8C", "9C", "seat", "3"]
