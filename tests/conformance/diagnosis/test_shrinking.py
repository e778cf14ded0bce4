"""Tests of shrinking, which finds the smallest trace that shows the same fault."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import attrs
import pytest

from refengine import (
    Card,
    CardSet,
    Deal,
    Draw,
    Match,
    Mix,
    Pass,
    Play,
    Ruleset,
    Setup,
    State,
    profile_names,
)
from refengine.comparison.differences import acts_worth_asking
from refengine.formats.trace import Trace, read_trace, replay, trace_id, write_trace
from refengine.game.acts import Act
from refengine_conformance.diagnosis import smaller_games
from refengine_conformance.diagnosis.asker import (
    Asker,
    Sought,
    find_same_fault,
    same_fault_test,
)
from refengine_conformance.diagnosis.bare_games import (
    BareGame,
    Wanted,
    game_up_to_fault,
    largest_hand,
    states_before_acts,
    trace_that_asks,
)
from refengine_conformance.diagnosis.shrinking import MOST_CARDS, MOST_TRIES, shrink
from refengine_conformance.diagnosis.smaller_games import WAYS
from refengine_conformance.diagnosis.symmetries import (
    with_cards_exchanged,
    with_seats_rotated,
)
from refengine_conformance.generators.strategies import (
    recorded,
    some_opening,
    some_script,
)
from refengine_conformance.runner.driver import CannotRunError
from refengine_conformance.runner.results import Case, Fault, Outcome
from refengine_conformance.runner.table import Table
from tests.support.adapters import faulty_engine
from tests.support.runs import fault_at


def some_traces(
    number: int, names: tuple[str, ...] = profile_names()
) -> Iterator[Trace]:
    for seed in range(number):
        rng = Random(seed)
        name = names[seed % len(names)]
        state = some_opening(rng, name, rng.randrange(4))
        trace = recorded(some_script(rng, state, wild=0.15))
        yield attrs.evolve(trace, id=trace_id(trace))


def first_fault(
    asker: Asker, clause: str, names: tuple[str, ...] = profile_names()
) -> tuple[Trace, Case, Fault]:
    """The first random trace with a fault against this clause, its case and fault."""
    for trace in some_traces(400, names):
        for case in asker.cases(trace):
            for fault in case.faults if case.outcome is Outcome.FAIL else ():
                if clause in fault.clauses:
                    return trace, case, fault
    raise AssertionError(f"nothing went against {clause}")


@pytest.mark.parametrize(
    ("name", "clause", "profile"),
    [
        ("hearts_led_at_any_time", "5.4", "estmesh-hearts"),
        ("turn_not_checked", "2.3", "dominorules-tiles"),
        ("survivor_not_charged", "6.8", "gamerules-domino"),
        ("drawing_at_will", "6.3", "pokerwiner-domino"),
        ("points_on_the_first_trick", "5.5", "openspiel-hearts"),
        ("refused_try_breaks_hearts", "0.10", "estmesh-hearts"),
        ("any_number_passed", "4.4", "heartsgame-tiles"),
    ],
)
def test_a_planted_fault_shrinks_to_three_cards_a_seat(
    tmp_path: Path, name: str, clause: str, profile: str
) -> None:
    with Asker(faulty_engine(name, tmp_path)) as asker:
        trace, case, fault = first_fault(asker, clause, (profile,))
        sought = Sought(clause, fault.question, case.kind)
        small = shrink(trace, fault, same_fault_test(asker, sought), tries=300)
        again = find_same_fault(asker, small, sought)
    assert again is not None
    assert again.root == fault.root
    assert clause in again.clauses
    assert largest_hand(game_up_to_fault(small, again)) <= MOST_CARDS
    assert len(small.steps) <= len(trace.steps)
    assert replay(small) == []  # what it expects is what the book says
    line = write_trace(small)
    assert read_trace(line).id == small.id
    assert write_trace(read_trace(line)) == line


def game() -> BareGame:
    """A game with three cards a seat, of which the tests' made-up fault needs one."""
    ruleset = Ruleset("estmesh-hearts", 4, {"bonus_card": "JD", "pass_cycle": []})
    setup = Setup(
        dealer=2,
        deal=3,
        totals=[10, 20, 30, 40],
        hands=["9C KD 5S", "TC 3D 2H", "AC JD 4H", "4C QD 9S"],
    )
    acts = (Play(3, "4C"), Play(0, "9C"), Play(1, "TC"), Play(2, "AC"), Play(2, "JD"))
    return BareGame(ruleset, setup, acts)


def asking(bare: BareGame, wanted: Wanted, everywhere: bool = False) -> Trace:
    """A trace of this game that asks the questions `wanted`; fails if there is none."""
    trace = trace_that_asks(bare, wanted, everywhere=everywhere)
    assert trace is not None
    return trace


def test_each_earlier_deal_is_tried_once() -> None:
    before = game()
    tried = [
        one.start.deal
        for way in WAYS
        for one in way(before)
        if isinstance(one.start, Setup)
        and attrs.evolve(one, start=attrs.evolve(one.start, deal=3)) == before
    ]
    assert sorted(tried) == [1, 2]


def shows_a_jack_led(trace: Trace) -> bool:
    """Whether the trace leads a diamond, which is the made-up fault in these tests."""
    state = State.open(trace.ruleset, trace.start)
    for step in trace.steps:
        led = isinstance(step.act, Play) and state.table is not None
        if led and not state.table.cards and step.act.card.value[1] == "D":  # type: ignore[union-attr]
            return True
        state = state.apply(step.act)
    return False


def test_everything_that_the_fault_does_not_need_is_left_out() -> None:
    trace = asking(game(), Wanted("legal"))
    small = shrink(trace, fault_at(5, "legal", "5.4"), shows_a_jack_led)
    assert isinstance(small.start, Setup)
    assert len(small.steps) == 1
    assert small.ruleset.changed == {}
    assert small.start.totals in (None, (0, 0, 0, 0))
    assert small.steps[0].act.seat == 0
    assert str(small.steps[0].act) == "2D"
    assert max(len(hand) for hand in small.start.hands) == 1


def test_a_game_that_does_not_fit_the_table_is_not_put_to_the_adapter() -> None:
    trace = asking(game(), Wanted("legal"))
    nobody, sought = Asker(("./no-such-adapter",)), Sought("5.4", "legal", "legal")
    four, three = (
        same_fault_test(nobody, sought, table=Table(ruleset=trace.ruleset, hands=hands))
        for hands in (4, 3)
    )
    assert not four(trace)
    with pytest.raises(CannotRunError):
        three(trace)


def test_a_fault_that_does_not_show_again_leaves_the_trace_alone() -> None:
    trace = asking(game(), Wanted("legal"))
    fault = fault_at(5, "legal", "5.4")
    assert shrink(trace, fault, lambda one: False) is trace


def with_four_cards() -> BareGame:
    """The game of `game`, with one more card for every seat."""
    hands = ["9C KD 5S 6S", "TC 3D 2H 3H", "AC JD 4H 5H", "4C QD 9S TS"]
    start = game().start
    assert isinstance(start, Setup)
    return attrs.evolve(game(), start=attrs.evolve(start, hands=hands))


def test_no_more_games_are_asked_about_than_twice_the_tries() -> None:
    trace = asking(with_four_cards(), Wanted("legal"))
    asked = 0

    def shows_once(one: Trace) -> bool:
        nonlocal asked
        asked += 1
        return asked == 1

    shrink(trace, fault_at(5, "legal", "5.4"), shows_once, tries=60)
    assert asked == 120


def test_a_game_that_the_book_refuses_is_no_trace() -> None:
    broken = attrs.evolve(game(), acts=(Play(0, "9C"),))
    assert trace_that_asks(broken, Wanted("legal")) is None
    assert trace_that_asks(attrs.evolve(game(), acts=()), Wanted("legal")) is None


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("legal", "legal"),
        ("refuse", "refuse"),
        ("then.trick", "then"),
        ("view.hand", "then"),
    ],
)
def test_what_is_wanted_is_asked_at_the_last_step_only(
    question: str, asked: str
) -> None:
    short = attrs.evolve(game(), acts=game().acts[:4])
    trace = asking(short, Wanted(question, 1))
    assert getattr(trace.steps[-1], asked)
    assert not any(step.legal or step.refuse or step.then for step in trace.steps[:-1])
    everywhere = asking(short, Wanted(question, 1), everywhere=True)
    assert replay(everywhere) == []


def test_probes_of_the_trace_are_asked_again() -> None:
    probed = attrs.evolve(game(), probes=(Draw(2),))
    trace = asking(probed, Wanted("refuse"))
    assert [probe.act for probe in trace.steps[-1].refuse] == [Draw(2)]


def test_a_draw_is_worth_asking_about_where_there_is_no_stock() -> None:
    setup = Setup(dealer=3, deal=4, hands=["2C", "3C", "4C", "5C"])
    state = State.open(Ruleset("openspiel-hearts"), setup)
    assert Draw(0) in acts_worth_asking(state)


PASSING = Ruleset("estmesh-hearts", 4, {"pass_count": 1, "pass_cycle": ["left"]})


def passing() -> BareGame:
    """A game in which one card has been passed, and nobody has played yet."""
    hands = ["5C QS", "6C KH", "7C 2H", "8C 3H"]
    setup = Setup(dealer=3, deal=1, hands=hands)
    return BareGame(PASSING, setup, (Pass(0, "5C"),))


def dealt() -> BareGame:
    """A match with a named pack, in which only the first deal has been made."""
    start = Match(dealer=0, pack="2C 3C 5C 6C 2D 3D 2H 3H")
    deal = State.open(PASSING, start).random_act(Random(0))
    return BareGame(PASSING, start, (deal,))


@pytest.mark.parametrize("made", [game, passing, dealt])
def test_no_way_to_make_a_game_smaller_yields_the_game_itself(
    made: Callable[[], BareGame],
) -> None:
    """An unchanged game would show the fault again, and so use up all tries."""
    before = made()
    for way in WAYS:
        assert before not in [*way(before)]


def test_a_fault_in_a_pass_does_not_use_up_all_tries() -> None:
    trace = asking(passing(), Wanted("legal"))
    asked = 0

    def shows(one: Trace) -> bool:
        nonlocal asked
        asked += 1
        return True

    shrink(trace, fault_at(1, "legal", "4.4"), shows)
    assert asked < MOST_TRIES


@pytest.mark.parametrize("made", [game, with_four_cards])
@pytest.mark.parametrize("question", ["legal", "refuse", "then"])
@pytest.mark.parametrize("chance", [0, 0.02, 0.3, 1])
@pytest.mark.parametrize("first", [1, 2], ids=["last-step", "every-step"])
def test_no_trace_is_asked_twice(
    made: Callable[[], BareGame], question: str, chance: float, first: int
) -> None:
    """`first` is 2 if the fault shows only in a trace that asks about every step."""
    trace = asking(made(), Wanted(question))
    asked: list[Trace] = []
    rng = Random(5)

    def shows(one: Trace) -> bool:
        asked.append(one)
        number = len(asked)
        return number == first or (number > first and rng.random() < chance)

    shrink(trace, fault_at(5, question, "5.4"), shows)
    assert len(asked) == len({one.id for one in asked}) > 10


def test_a_deal_of_a_match_played_on_states_that_the_limit_was_reached() -> None:
    """Seat 2 takes the only heart, and the three other seats tie (9.6)."""
    options: dict[str, object] = {"pass_cycle": [], "limit": 1, "ties": "play_on"}
    ruleset = Ruleset("estmesh-hearts", 4, options)
    hands = ["2C", "3C", "4C", "2H"]
    plays = [Play(seat, card) for seat, card in enumerate(hands)]
    acts: tuple[Act, ...] = (Deal(0, hands), *plays, Deal(1, hands))
    match = BareGame(ruleset, Match(dealer=0, pack="2C 3C 4C 2H"), acts)
    states = states_before_acts(match)
    starts = [one.start for one in smaller_games._begun_with_deals(match, states)]
    reached = [one.limit_reached for one in starts if isinstance(one, Setup)]
    assert reached == [False, True]


def test_a_probe_may_name_cards_that_are_not_in_the_deal() -> None:
    probed = attrs.evolve(passing(), probes=(Pass(0, "2C 5C"),))
    lower = next(smaller_games._lower(probed))
    assert isinstance(lower.start, Setup)
    assert lower.start.hands[0] == CardSet("2C QS")
    assert lower.acts == (Pass(0, "2C"),)
    assert lower.probes == probed.probes


def test_a_mix_goes_with_the_seats_and_with_the_cards() -> None:
    start = Setup(dealer=3, hands=["2C 3C", "4C 5C", "6C 7C", "8C 9C"])
    mixed = BareGame(PASSING, start, (Mix(3, ["4C", "6C", "8C", "2C"]),))
    turned = with_seats_rotated(mixed, 1)
    assert turned.acts == (Mix(0, ["2C", "4C", "6C", "8C"]),)
    to = {Card("2C"): Card("3C"), Card("3C"): Card("2C")}
    exchanged = with_cards_exchanged(mixed, to)
    assert exchanged.acts == (Mix(3, ["4C", "6C", "8C", "3C"]),)


def test_the_seat_of_a_view_goes_with_the_seats() -> None:
    turned = with_seats_rotated(with_seats_rotated(game(), 1), 1)
    trace = asking(turned, Wanted("view.hand", 3))
    seat = trace.steps[-1].then["view"]["seat"]
    assert seat == 1, "seat 3 moved along by two of four"
