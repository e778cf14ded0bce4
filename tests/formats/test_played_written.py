"""Tests of replaying a written deal whose play stops before the last card."""

import attrs
import pytest

from refengine.formats.trace import Trace
from refengine.formats.written.completing_written import PartKnown, completed
from refengine.formats.written.played_written import part_of, trace_written
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.written_match import WrittenMatch
from refengine.game.setups import Setup

DEAL = """\
rules: common-hearts, 4 players
deal 4
dealer: seat 3
hand seat 0: 2C 9D
hand seat 1: 5C QS
hand seat 2: JD 4S
hand seat 3: KC 7D
1. seat 0: 2C 5C JD KC
2. seat 3: 7D 9D QS 4S
"""


@pytest.fixture
def match() -> WrittenMatch:
    return completed(read_written(DEAL)).match


def stopped_at(match: WrittenMatch, plays: int) -> Trace:
    """The trace of the written game, cut off after this many acts."""
    trace = trace_written(match)
    return attrs.evolve(trace, steps=trace.steps[:plays])


@pytest.mark.parametrize("plays", [0, 1, 7])
def test_a_deal_that_stops_before_its_last_card_is_known_in_part(
    match: WrittenMatch, plays: int
) -> None:
    part = part_of(match, stopped_at(match, plays))
    assert isinstance(part, PartKnown)
    assert part.leader == 0
    [deal] = part.match.deals
    assert [str(hand) for hand in deal.held] == ["2C 9D", "5C QS", "JD 4S", "KC 7D"]


def test_a_whole_deal_or_one_of_several_is_not(match: WrittenMatch) -> None:
    assert part_of(match, stopped_at(match, 8)) is None
    several = attrs.evolve(match, deals=match.deals * 2)
    assert part_of(several, stopped_at(match, 7)) is None


@pytest.mark.parametrize(
    ("totals", "before"), [("63 40 30 20", (50, 40, 30, 20)), ("100 40 30 20", None)]
)
def test_totals_before_a_deal_follow_only_from_those_it_can_come_to(
    totals: str, before: tuple[int, ...] | None
) -> None:
    """A total of exactly 100 is set back to 50 here (9.2)."""
    text = DEAL.replace("4 players", "4 players, exact_limit_becomes=50")
    text = f"{text}totals: {totals}\n"
    start = trace_written(completed(read_written(text)).match).start
    assert isinstance(start, Setup)
    assert start.totals == before


def test_a_deal_after_the_end_is_refused_whoever_deals() -> None:
    hands = (
        "hand Ann: 2C 9D QH\nhand Ben: 5C QS 3H\n"
        "hand Carl: JD 4S 2H\nhand Dora: KC 7D KH\n"
    )
    text = (
        "rules: common-hearts, 4 players, limit=none, deals=1, pass_cycle=hold\n"
        "players: Ann, Ben, Carl, Dora\npack: 2C 9D QH 5C QS 3H JD 4S 2H KC 7D KH\n"
        f"the match begins, dealer: Dora\ndeal 1\n{hands}1. Ann: 2C 5C JD KC\n"
        f"2. Dora: 7D 9D QS 2H\n3. Ann: QH 3H 4S KH\ndeal 2\n{hands}"
    )
    assert trace_written(read_written(text)).steps[-1].act.kind == "deal"


def test_a_card_taken_back_is_one_more_play() -> None:
    """The last card is missing, but the retracted play makes up the number of plays."""
    text = (
        "rules: common-hearts, 4 players, revokes=penalised\ndeal 4\ndealer: seat 3\n"
        "hand seat 0: 2C 9D\nhand seat 1: 5C TD\n"
        "hand seat 2: JD 4S\nhand seat 3: KC 7D\n"
        "1. seat 0: 2C TD!\nretract seat 1: TD\n1... 5C JD KC -> seat 3\n"
        "2. seat 3: 7D 9D TD 4S\n"
    )
    match = completed(read_written(text)).match
    assert isinstance(part_of(match, stopped_at(match, 9)), PartKnown)
    assert part_of(match, stopped_at(match, 10)) is None
