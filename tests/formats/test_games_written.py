"""Tests that a game that is written down and read back is the same game."""

from random import Random

import attrs
import pytest

from refengine import Malformed, Ruleset, Setup, State, new_match, profile_names
from refengine.formats.trace import Trace
from refengine.formats.written.games_written import written_game, written_trace
from refengine.formats.written.played_written import trace_written
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.writing_written import write_written
from refengine.game.acts import Deal, Play, Retract
from refengine_conformance.tables.corpus_lines import corpus_lines
from tests.support.playing import played

TRACES = [line.read for line in corpus_lines() if isinstance(line.read, Trace)]


def there_and_back(trace: Trace) -> None:
    written = written_trace(trace)
    text = write_written(written)
    read = read_written(text)
    assert read == written
    assert write_written(read) == text
    again = trace_written(read)
    assert State.open(again.ruleset, again.start) == State.open(
        trace.ruleset, trace.start
    )
    assert [(step.act, step.breaks) for step in again.steps] == [
        (step.act, step.breaks) for step in trace.steps
    ]


@pytest.mark.parametrize("part", range(10))
def test_every_game_of_the_corpus_is_the_same_when_it_comes_back(part: int) -> None:
    for trace in TRACES[part::10]:
        there_and_back(trace)


@pytest.mark.parametrize("name", profile_names())
def test_a_whole_match_is_the_same_when_it_comes_back(name: str) -> None:
    state = played(new_match(Ruleset(name), dealer=None), Random(name), most=700)
    written = written_game(State.open(state.ruleset, state.start), state.acts)
    read = read_written(write_written(written))
    assert read == written
    assert [step.act for step in trace_written(read).steps] == list(state.acts)
    assert read.deals[-1].totals in ((), state.totals)


HANDS = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "7D KC KH"]
FOUND = State.open(Ruleset("common-hearts"), Setup(dealer=3, deal=4, hands=HANDS))


def test_an_act_that_is_refused_ends_a_record_and_is_told_in_a_remark() -> None:
    acts = [Play(0, "2C"), Play(1, "QS"), Play(1, "5C")]
    [deal] = written_game(FOUND, acts).deals
    assert [one.card for one in deal.tricks[0].cards] == [acts[0].card]
    assert deal.remarks[0].startswith("refused: seat 1 may not play QS: 5.3 ")
    fresh = new_match(Ruleset("common-hearts"), dealer=0)
    early = written_game(fresh, [Deal(1, HANDS)])
    assert early.deals == ()
    assert early.remarks[0].startswith("refused: seat 1 may not deal ")
    assert read_written(write_written(early)) == early


def test_a_position_is_played_on_from() -> None:
    state = FOUND.play("2C").play("5C")
    start = State.open(state.ruleset, Setup.of(state))
    acts = [Play(2, "JD"), Play(3, "KC"), Play(3, "7D")]
    written = written_game(start, acts)
    read = read_written(write_written(written))
    assert read == written
    assert [step.act for step in trace_written(read).steps] == acts


def test_after_an_act_with_which_the_game_cannot_go_on_none_is_made() -> None:
    text = write_written(written_game(FOUND, [Play(0, "2C"), Play(1, "5C")]))
    more = "2. 3H\nretract seat 1: QS\nscore: 1 1 1 1\n"
    wrong = f"{text.replace('2C 5C', '2C QS')}{more}"
    steps = trace_written(read_written(wrong)).steps
    assert [step.act for step in steps] == [Play(0, "2C"), Play(1, "QS")]
    assert [step.then for step in steps] == [{}, {}]
    deals = "".join(f"deal {one}\ndealer: {one}\n{CARDS}" for one in (1, 2))
    match = read_written(f"{RULES}the match begins, dealer: 0\n{deals}")
    assert [step.act for step in trace_written(match).steps] == [Deal(1, HANDS)]


RULES = "rules: common-hearts, 4 players\n"
CARDS = "".join(f"hand seat {seat}: {hand}\n" for seat, hand in enumerate(HANDS))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"deal 4\ndealer: 3\n{CARDS}2C 5C JD KC\n", "no rules"),
        (f"{RULES}deal 4\n{CARDS}2C 5C JD KC\n", "no dealer"),
        (f"{RULES}deal 4\ndealer: 3\n{CARDS}2C ?? JD KC\n", "that nobody wrote down"),
        (f"{RULES}deal 4\ndealer: 3\n2C 5C JD KC\n", "a hand that nobody wrote down"),
    ],
)
def test_what_is_not_written_down_is_not_played(text: str, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        trace_written(read_written(text))


def test_no_deal_follows_a_position() -> None:
    found = State.open(FOUND.ruleset, Setup.of(FOUND.play("2C")))
    match = written_game(found, [Play(1, "5C")])
    assert len(trace_written(match).steps) == 1
    several = attrs.evolve(match, deals=(*match.deals, match.deals[0]))
    with pytest.raises(Malformed, match=r"deals\[1\]: found another deal"):
        trace_written(several)


def test_where_a_card_stands_says_nothing_if_each_has_its_seat() -> None:
    text = write_written(written_game(FOUND, [Play(0, "2C"), Play(1, "5C")]))
    by_seat = text.replace("seat 0: 2C 5C", "seat 1=5C, seat 0=2C")
    assert by_seat != text
    steps = trace_written(read_written(by_seat)).steps
    assert [step.act for step in steps] == [Play(0, "2C"), Play(1, "5C")]


def test_after_a_mix_the_hands_must_be_known() -> None:
    text = f"{RULES.strip()}, pass_cycle=mix\ndeal 1\ndealer: 3\n{CARDS}"
    passes = "".join(f"passes seat {seat}: {hand}\n" for seat, hand in enumerate(HANDS))
    with pytest.raises(Malformed, match="found no hands after the mix"):
        trace_written(read_written(f"{text}{passes}the mix is given back\n2C 5C\n"))


def test_a_score_that_a_card_taken_back_undoes_is_not_written() -> None:
    """Seat 2 takes back the card that ended the deal, which then goes on (7.4a)."""
    options = {
        "first_trick_points": "allowed",
        "deal_ends": "no_points_left",
        "revokes": "penalised",
        "revoke_until": "next_lead",
    }
    ruleset = Ruleset("common-hearts", 4, options)
    hands = ["2C 3H 9S", "3C 6D 6S", "4C 7D 7S", "5C TD TS"]
    start = Setup(dealer=3, deal=4, hands=hands, leader=0, hearts_broken=True)
    state = State.open(ruleset, start)
    cards = ["2C", "3C", "4C", "5C", "TD", "3H", "6D", "7S"]
    acts: list[Play | Retract] = []
    for card in cards:
        acts.append(Play(state.turn[0], card))
        state = state.apply(acts[-1])
    assert state.score is not None
    (scored,) = written_game(State.open(ruleset, start), acts).deals
    assert scored.score == state.score
    acts.append(Retract(2, "7S"))
    assert state.apply(acts[-1]).score is None
    (deal,) = written_game(State.open(ruleset, start), acts).deals
    assert (deal.score, deal.totals, deal.winners) == ((), (), ())
