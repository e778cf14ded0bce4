"""Tests of records of whole matches: each deal is judged by itself and in its place."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import attrs
import pytest

from refengine import Card, Malformed, Ruleset, Setup, State, new_match
from refengine.cli.judge_text import place_words
from refengine.formats.trace import Step, Trace
from refengine.formats.written.completing_written import PartKnown, completed_parts
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.written_match import Laid, WrittenDeal, WrittenTrick
from refengine.rulings.called import called
from refengine.rulings.judge import Judgement
from refengine.rulings.partly_known import JudgedPart
from refengine.rulings.pass_direction import other_pass
from refengine.rulings.records import DealOnRecord, JudgedRecord, judge_record
from refengine.rulings.submitted_game import Moment, read_game
from refengine.rulings.tricks_on_record import other_tricks
from tests.support.commands import Run, Runner, error_of
from tests.support.playing import SMALLEST_AND_LARGEST
from tests.support.records_at_large import begun

# Hands of two cards, without a pass. Trick by trick: 2C 4D 3C 4C to seat 3, then
# 7S 5S 2H 6S to seat 3, who pays for the two of hearts.
HANDS = ["2C 5S", "2H 4D", "3C 6S", "4C 7S"]
RIGHT = "2C 4D 3C 4C 7S 5S 2H 6S"
# The same with the heart on the first trick, where seat 1 could play its diamond.
WRONG = "2C 2H 3C 4C 7S 5S 4D 6S"
RULES: dict[str, Any] = {
    "profile": "common-hearts",
    "players": 4,
    "options": {
        "first_trick_points": "barred",
        "moon": "others_plus",
        "pass_cycle": ["hold"],
        "limit": 3,
    },
}
COMMON = Ruleset("common-hearts", 4)


def deal(dealer: int, plays: str = RIGHT, **more: Any) -> dict[str, Any]:
    """The log of a deal with these values in its setup or at its end."""
    begun: dict[str, Any] = {}
    for name in {"deal", "totals"} & {*more}:
        begun[name] = more.pop(name)
    end = {name.removeprefix("after_"): value for name, value in more.items()}
    setup = {"dealer": dealer, "deal": 1, "hands": HANDS, **begun}
    return {"log": 1, "ruleset": RULES, "setup": setup, "plays": plays, **end}


FIVE_FAULTS = [
    deal(3, WRONG, score=[0, 0, 0, 9]),  # 5.5, and 1 point is right
    deal(2, deal=2, totals=[0, 0, 0, 9], after_totals=[0, 0, 0, 10]),  # seat 0 deals
    deal(3, deal=3, totals=[0, 0, 5, 10]),  # seat 2 has nothing yet
    deal(0, deal=4, totals=[0, 0, 5, 11]),  # seat 3 stood at 3 after the third deal
]


def record_of(*deals: dict[str, Any]) -> JudgedRecord:
    return judge_record(read_game(json.dumps(one).encode()) for one in deals)


def judgement(record: JudgedRecord, place: int) -> Judgement:
    found = record.deals[place].judgement
    assert isinstance(found, Judgement)
    return found


def begins(record: JudgedRecord) -> list[str]:
    """What is wrong with how the deals begin, each after the place of its deal."""
    return [
        f"{number}: {one.text} {' '.join(one.clauses)}"
        for number, judged in enumerate(record.deals, 1)
        for one in judged.begins
    ]


def test_five_faults_of_five_kinds_are_named_and_the_totals_are_right() -> None:
    record = record_of(*FIVE_FAULTS)
    first = judgement(record, 0)
    assert first.clauses == ("5.5",)
    assert [one.what for one in first.wrong] == ["end.score"]
    assert begins(record) == [
        "2: seat 2 deals, but the deal passes to seat 0 3.2",
        "3: seat 2 begins with 5, but 0 is carried over 9.1",
        "4: the match was over before this deal: seat 3 stood at 3 9.3",
    ]
    assert [one.judgement.fits for one in record.deals] == [False, True, True, True]
    assert [one.fits for one in record.deals] == [False] * 4
    assert [one.score for one in record.deals] == [(0, 0, 0, 1)] * 4
    assert [one.totals for one in record.deals] == [
        (0, 0, 0, number) for number in (1, 2, 3, 4)
    ]
    assert (record.totals, record.over) == ((0, 0, 0, 4), True)
    assert record.winners == (0, 1, 2)
    assert not record.fits


def test_after_a_wrong_dealer_the_order_goes_on_in_either_of_two_ways() -> None:
    """If it is noticed, the deal counts as dealt by the right player (10.7)."""
    wrong = "2: seat 2 deals, but the deal passes to seat 0 3.2"
    for third in (3, 1):
        assert begins(record_of(deal(3), deal(2), deal(third))) == [wrong]
    assert begins(record_of(deal(3), deal(2), deal(0))) == [
        wrong,
        "3: seat 0 deals, but the deal passes to seat 3 3.2",
    ]


def test_what_was_told_once_is_not_told_again() -> None:
    """From the first deal on, seat 3's total is 8 too high, and the rest adds up."""
    wrong = deal(3, after_totals=[0, 0, 0, 9])
    told = record_of(wrong, deal(0, totals=[0, 0, 0, 9], after_totals=[0, 0, 0, 10]))
    assert begins(told) == []
    assert [one.fits for one in told.deals] == [False, True]
    silent = record_of(wrong, deal(0, after_totals=[0, 0, 0, 10]))
    assert [one.fits for one in silent.deals] == [False, True]
    assert told.totals == silent.totals == (0, 0, 0, 2)
    again = record_of(wrong, deal(0, totals=[0, 0, 0, 1], after_totals=[0, 0, 0, 2]))
    assert begins(again) == ["2: seat 3 begins with 1, but 9 is carried over 9.1"]


def test_a_deal_need_not_state_its_number_or_its_totals() -> None:
    record = record_of(deal(3), deal(0), deal(1))
    assert record.fits
    assert (record.totals, record.over) == ((0, 0, 0, 3), True)
    assert begins(record_of(deal(3), deal(0, deal=3))) == [
        "2: it is called deal 3 but is deal 2 4.1"
    ]


def test_where_nobody_says_who_deals_a_gap_has_no_dealer_either() -> None:
    text = "1. 2C 4D 3C 4C\nscore: 0 0 0 26"
    [record] = [
        judge_record(
            DealOnRecord.of_written(part, part.match.deals[0])
            for part in completed_parts(
                read_written(f"players: 4\ndeal 1\n{text}\ndeal 3\n{text}"), COMMON
            )
            if isinstance(part, PartKnown)
        )
    ]
    assert len(record.deals) == 2
    assert begins(record) == []
    assert record.totals is None


def test_a_match_is_no_deal_of_one() -> None:
    state = new_match(COMMON, dealer=0)
    whole = Trace(ruleset=COMMON, start=state.start, steps=())
    with pytest.raises(Malformed, match="a match"):
        DealOnRecord.of_written(whole, WrittenDeal())


def test_behind_a_deal_that_breaks_off_the_totals_are_those_stated() -> None:
    broken = deal(3, "2C 4D 3C")
    record = record_of(broken, deal(0, totals=[0, 0, 0, 1]))
    assert begins(record) == []
    assert record.deals[0].totals is None
    assert record.totals == (0, 0, 0, 2)
    assert record_of(broken).totals is None
    assert not record_of(broken).over


def test_a_match_without_a_limit_ends_with_its_last_deal() -> None:
    rules = {**RULES, "options": {**RULES["options"], "limit": "none", "deals": 1}}
    lines = [{**one, "ruleset": rules} for one in (deal(3), deal(0))]
    assert begins(record_of(*lines)) == ["2: the match was over before this deal 9.4"]


def test_deals_that_are_missing_may_end_a_match_without_a_limit() -> None:
    """With two deals to a match, a third is too late, whatever the second scored."""
    rules = {**RULES, "options": {**RULES["options"], "limit": "none", "deals": 2}}
    lines = [{**one, "ruleset": rules} for one in (deal(3), deal(1, deal=3))]
    assert begins(record_of(*lines)) == ["2: the match was over before this deal 9.4"]
    rules["options"]["deals"] = 3
    assert begins(record_of(*lines)) == []


def test_a_deal_that_cannot_begin_leaves_the_totals_unknown() -> None:
    bad = deal(0)
    bad["setup"] = {**bad["setup"], "hands": ["2C 5S", "2H", "3C 6S", "4C 7S"]}
    record = record_of(deal(3), bad)
    assert judgement(record, 1).cannot_begin
    assert record.totals is None


def test_what_is_no_match_is_malformed() -> None:
    other = {**deal(0), "ruleset": {"profile": "common-hearts", "players": 4}}
    with pytest.raises(Malformed, match="deal 2: found other rules"):
        record_of(deal(3), other)
    games = [read_game(json.dumps(one).encode()) for one in (deal(3), other)]
    assert judgement(judge_record(games, games[0].ruleset), 1).legal
    with pytest.raises(Malformed, match="found no deal"):
        judge_record([])
    whole = Trace(
        ruleset=games[0].ruleset, start=new_match(games[0].ruleset).start, steps=()
    )
    with pytest.raises(Malformed, match="deal 1: found no whole deal"):
        judge_record([whole])


# Matches that were played


def deals_of(ruleset: Ruleset, seed: int) -> Iterator[tuple[Trace, State]]:
    """The recorded deals of a random match, each with the state at its end."""
    chance, state = Random(seed), new_match(ruleset)
    start: Setup | None = None
    steps: list[Step] = []
    while not state.over:
        before, act = state, state.random_act(chance)
        state = state.apply(act)
        if before.phase == "deal":
            start, steps = begun(before, state), []
        elif start is not None:
            steps.append(Step(act))
            if state.score is not None and before.score is None:
                end = {"score": list(state.score), "totals": list(state.totals)}
                yield (
                    Trace(ruleset=ruleset, start=start, steps=tuple(steps), end=end),
                    state,
                )


@pytest.mark.parametrize(("name", "players"), SMALLEST_AND_LARGEST)
def test_a_match_that_was_played_fits_whatever_it_leaves_out(
    name: str, players: int
) -> None:
    ruleset = Ruleset(name, players, {"revokes": "rejected"})
    played = [*deals_of(ruleset, 5)]
    games, end = [game for game, _ in played], played[-1][1]
    for record in (judge_record(games), judge_record(map(without_numbers, games))):
        assert record.fits, [one.begins or one.judgement for one in record.deals]
        assert record.totals == end.totals
        assert (record.over, record.winners) == (True, end.winners)
        assert [one.score for one in record.deals] == [
            state.score for _, state in played
        ]


def test_deals_after_the_end_do_not_change_who_won() -> None:
    """In the deals after the end, the winner takes most points and loses the lead."""
    ruleset = Ruleset("common-hearts", 4, {"pass_cycle": []})
    played = [*deals_of(ruleset, 5)]
    games, end = [game for game, _ in played], played[-1][1]
    assert end.winners is not None
    (winner,) = end.winners
    more = [
        game
        for seed in range(9)
        for game, state in deals_of(ruleset, seed)
        if state.score is not None and state.score[winner] >= 20
    ]
    record = judge_record([*games, *map(without_numbers, more[:3])])
    assert record.totals is not None
    assert min(record.totals) < record.totals[winner]
    assert (record.over, record.winners) == (True, end.winners)


def without_numbers(game: Trace) -> Trace:
    """The deal with the default number and without any totals."""
    assert isinstance(game.start, Setup)
    start = attrs.evolve(game.start, deal=1, totals=None)
    return attrs.evolve(game, start=start, end={"score": game.end["score"]})


# The command


@pytest.fixture
def judge_match(judge: Runner) -> Callable[..., Run]:
    def call(*deals: dict[str, Any], words: tuple[str, ...] = ()) -> Run:
        return judge(
            "".join(f"{json.dumps(one)}\n" for one in deals), "--match", *words
        )

    return call


def test_the_command_says_what_is_wrong_deal_by_deal(
    judge_match: Callable[..., Run],
) -> None:
    code, out, err = judge_match(*FIVE_FAULTS)
    assert (code, err) == (1, "")
    places = [
        out.index(part)
        for part in (
            "FILE:1\n",
            "Seat 1 may not play 2H: 5.5",
            "it states the score of the deal as seat 0: 0, seat 1: 0, seat 2: 0, ",
            "FILE:2\n  Seat 2 deals, but the deal passes to seat 0. [3.2]\n",
            "FILE:3\n  Seat 2 begins with 5, but 0 is carried over. [9.1]\n",
            "FILE:4\n  The match was over before this deal: seat 3 stood at 3. [9.3]",
            "4 of 4 deals are wrong.",
            "The right totals are seat 0: 0, seat 1: 0, seat 2: 0, seat 3: 4. [9.1]",
            "The match is over, and seats 0, 1 and 2 share the win. [9.5]",
        )
    ]
    assert places == sorted(places)
    code, out, _ = judge_match(deal(3), deal(0))
    assert code == 0
    assert "The match goes on. [9.3]" in out
    assert "of 2 deals" not in out
    tied = deal(3)
    played_on = {**RULES["options"], "limit": 1, "ties": "play_on"}
    tied["ruleset"] = {**RULES, "options": played_on}
    assert "The match goes on. [9.6]" in judge_match(tied)[1]  # three have 0
    assert "1 of 2 deals is wrong." in judge_match(deal(3), deal(2))[1]
    assert "the totals are not known" in judge_match(deal(3, "2C"))[1]
    out = judge_match(deal(3, totals=[0, 1, 2, 2]))[1]
    assert "The match is over, and seat 0 wins. [9.5]" in out


def test_as_json_each_deal_is_a_line_and_the_match_the_last(
    judge_match: Callable[..., Run],
) -> None:
    code, out, _ = judge_match(*FIVE_FAULTS, words=("--json",))
    *deals, last = map(json.loads, out.splitlines())
    assert code == 1
    assert [one["totals"][3] for one in deals] == [1, 2, 3, 4]
    assert [one["outcome"] for one in deals] == ["fail"] * 4
    assert deals[1]["begins"][0]["clauses"] == ["3.2"]
    assert last == {
        "match": {
            "deals": 4,
            "over": True,
            "outcome": "fail",
            "totals": [0, 0, 0, 4],
            "winners": [0, 1, 2],
        }
    }
    deals = [
        json.loads(one)
        for one in judge_match(deal(3, "2C"), words=("--json",))[1].splitlines()
    ]
    assert "totals" not in deals[0]
    assert deals[-1]["match"]["outcome"] == "pass"


def test_nothing_to_judge_and_nothing_to_read_are_told(
    judge_match: Callable[..., Run],
) -> None:
    assert judge_match()[0] == 4
    assert "FILE" in error_of(judge_match, {"log": 1})


def test_a_play_before_its_turn_is_told_if_a_seat_is_out() -> None:
    plays = ((0, "2C"), (2, "5C"), (1, "4C"))
    laid = tuple(Laid(card=Card(one), seat=seat) for seat, one in plays)
    trick = WrittenTrick(cards=laid, in_order=True)
    (said,) = other_tricks(Ruleset("gamerules-domino", 4), [trick])
    assert said.text.startswith("trick 1: seat 2 plays before seat 1")


def test_a_play_of_a_written_match_is_placed_in_its_deal() -> None:
    rng, state = Random(1), new_match(Ruleset("common-hearts"), dealer=0)
    while state.deal < 2 or state.phase != "play":
        state = state.apply(state.random_act(rng))
    act = state.random_act(rng)
    steps = tuple(Step(one) for one in (*state.acts, act))
    trace = Trace(ruleset=state.ruleset, start=state.start, steps=steps)
    with called(()):
        said = place_words(trace, Moment(state, act, len(steps)))
    assert said == "deal 2, trick 1"


def test_a_trick_whose_cards_were_all_taken_back_is_no_error() -> None:
    trick = WrittenTrick(cards=(), in_order=True)
    assert [*other_tricks(Ruleset("gamerules-domino", 3), [trick])] == []


def test_for_two_players_left_and_right_are_the_same_pass() -> None:
    """The seat on the left is also the seat on the right (4.2)."""
    ruleset = Ruleset("gamerules-domino", 2, {"pass_cycle": ["left"]})
    assert [*other_pass(ruleset, 1, "right")] == []
    assert [*other_pass(ruleset, 1, "hold")] != []


def test_a_match_that_was_over_stays_over_behind_a_gap() -> None:
    late = deal(3, "2C 4D 3C", deal=5, totals=[0, 0, 0, 4])
    record = record_of(deal(3), deal(0), deal(1), late)
    assert begins(record) == [
        "4: the match was over before this deal: seat 3 stood at 3 9.3"
    ]
    assert (record.over, record.winners) == (True, (0, 1, 2))


def test_a_record_that_begins_later_goes_on_from_its_totals() -> None:
    line = json.dumps(deal(3, deal=5, totals=[0, 0, 0, 2])).encode()
    stated = WrittenDeal(number=5, score=(0, 0, 0, 1), totals=(0, 0, 0, 3))
    record = judge_record([DealOnRecord.of_written(read_game(line), stated)])
    assert record.totals == (0, 0, 0, 3)
    assert (record.over, record.winners) == (True, (0, 1, 2))


def test_a_deal_of_five_is_none_of_a_match_of_four() -> None:
    five = deal(4)
    five["ruleset"] = {**RULES, "players": 5}
    five["setup"] = {**five["setup"], "hands": [*HANDS, "8C 8S"]}
    games = [read_game(json.dumps(one).encode()) for one in (deal(3), five)]
    with pytest.raises(Malformed, match="5 players"):
        judge_record(games, games[0].ruleset)


def test_a_deal_known_in_part_begins_with_a_limit_that_was_reached() -> None:
    """Seat 0 then wins with the lowest total, although none is at the limit (9.6)."""
    options = {"limit": 50, "ties": "play_on", "moon": "self_minus"}
    rules = Ruleset("common-hearts", 4, options)
    tricks = [f"seat 0: {r}C {r}D {r}S {r}H -> seat 0" for r in "23456789TJQKA"]
    tricks[0] = tricks[0].replace("2D", "??")
    written = read_written("\n".join(["deal 4", *tricks]))
    for reached in (True, False):
        part = attrs.evolve(written.deals[0], before=(10, 20, 30, 40), reached=reached)
        match = attrs.evolve(written, ruleset=rules, players=4, deals=(part,))
        known = PartKnown(match=match, leader=0, missing=Malformed("??", "a card"))
        record = judge_record([DealOnRecord.of_written(known, part)])
        assert record.totals == (-16, 20, 30, 40)
        assert record.over is reached


def test_totals_before_a_later_deal_known_in_part_are_unknown() -> None:
    rules = Ruleset("common-hearts", 4, {"moon": "self_minus"})
    tricks = [f"seat 0: {r}C {r}D {r}S {r}H -> seat 0" for r in "23456789TJQKA"]
    tricks[0] = tricks[0].replace("2D", "??")
    for number, totals in ((1, (-26, 0, 0, 0)), (4, None)):
        written = read_written("\n".join([f"deal {number}", *tricks]))
        match = attrs.evolve(written, ruleset=rules, players=4)
        known = PartKnown(match=match, leader=0, missing=Malformed("??", "a card"))
        record = judge_record([DealOnRecord.of_written(known, match.deals[0])])
        assert record.totals == totals


def test_a_deal_known_in_part_is_judged_by_its_place_in_the_match() -> None:
    """The second deal has no pass, so seat 1 held the clubs dealt to it (4.1, 4.3)."""
    rules = Ruleset("common-hearts", 4, {"pass_cycle": ["left", "hold"]})
    hands = "hand E: 5C 6C 7D\nhand S: 5D 6D 7S"
    deals = []
    for text in ("2C ?? 4C 5C", f"{hands}\n2C 7D 7S ??"):
        written = read_written(f"rules: common-hearts, 4 players\ndeal 1\n{text}")
        match = attrs.evolve(written, ruleset=rules)
        known = PartKnown(match=match, leader=0, missing=Malformed("??", "a card"))
        unnumbered = attrs.evolve(written.deals[0], number=None)
        deals.append(DealOnRecord.of_written(known, unnumbered))
    judged = judge_record(deals).deals[1].judgement
    assert isinstance(judged, JudgedPart)
    assert (judged.plays[1].standing, judged.plays[1].clauses) == ("illegal", ("5.3",))


def test_rules_for_another_number_of_players_judge_no_match() -> None:
    games = [read_game(json.dumps(deal(dealer)).encode()) for dealer in (2, 3)]
    with pytest.raises(Malformed, match="4 players"):
        judge_record(games, Ruleset("common-hearts", 3))


def test_no_tie_is_played_on_under_rules_that_share_it() -> None:
    """If a tie is shared, no limit counts as reached before the deal (9.5, 3.12)."""
    start = Setup(dealer=3, hands=HANDS, deal=4, limit_reached=True)
    game = Trace(ruleset=COMMON.having(ties="play_on"), start=start, steps=())
    assert judge_record([game]).reached
    assert not judge_record([game], COMMON).reached
