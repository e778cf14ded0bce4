"""Tests that harmless habits of adapters pass, but similar faults fail."""

from functools import cache

import attrs
import pytest

from refengine import CardSet, Ruleset, Setup
from refengine.formats.serve import Session
from refengine.formats.trace import Probe, Step, Trace
from refengine.game.acts import Act, Pass, PassUnseen, Play, Scatter
from refengine_conformance.data import data
from refengine_conformance.runner.conversation import (
    Stepwise,
    game_of_late_pass,
    replayed,
)
from refengine_conformance.runner.driver import Adapter, Builtin
from refengine_conformance.runner.results import Limits, Outcome
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.selection import Choice, Selection, of_files
from refengine_conformance.runner.transcripts import Reply
from refengine_conformance.selftest.selftest import bad_adapter_command
from tests.support.adapters import Json, Planted, spoiling

pytestmark = pytest.mark.interpreted("about published sets, which no wheel has")

HARMLESS = (
    "tells_late",
    "tells_once",
    "tells_never",
    "judges_passes_together",
    "judges_passes_together_without_probe",
)


@cache
def games() -> Selection:
    """Games of the commonest table with whole hands, some with refused packets."""
    return of_files([data("tables") / "commonest-4.jsonl"], Choice())


@pytest.mark.unmeasured
@pytest.mark.parametrize("habit", HARMLESS)
def test_a_harmless_habit_is_never_red(habit: str) -> None:
    found = run(games(), Settings(command=bad_adapter_command(habit)))
    assert found.counts[Outcome.PASS] > 100
    assert found.exit_code == 0, found.groups[:1]


def test_a_bad_packet_that_nobody_refuses_later_is_red() -> None:
    found = run(games(), Settings(command=bad_adapter_command("accepts_all")))
    faults = (fault for case in found.cases for fault in case.faults)
    assert any("4.4" in fault.clauses for fault in faults)


RULES = Ruleset("estmesh-hearts", 4)
HANDS = ("2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S", "2H 3H 4H 5H")
PACKETS = tuple(Pass(seat, CardSet(hand[:8])) for seat, hand in enumerate(HANDS))
TRACE = Trace(
    ruleset=RULES,
    start=Setup(dealer=3, deal=1, hands=tuple(map(CardSet, HANDS))),
    steps=(*(Step(act=packet) for packet in PACKETS), Step(act=Play(1, "2C"))),
)


def late(number: int, act: Act) -> tuple[Act, ...]:
    return game_of_late_pass(TRACE, number, Probe(act, ()))


def test_the_packet_refused_is_passed_first_and_the_others_after_it() -> None:
    bad = Pass(2, CardSet("2S 3S"))
    assert late(2, bad) == (bad, PACKETS[0], PACKETS[1], PACKETS[3])


def test_the_last_packet_shares_no_card_with_the_one_refused() -> None:
    bad = Pass(1, CardSet("2H 3D 4D"))
    assert late(2, bad) == (bad, PACKETS[3], PACKETS[0], PACKETS[2])
    assert late(2, Pass(1, CardSet("2C 2S 2H"))) == ()


@pytest.mark.parametrize(
    ("number", "act"),
    [
        (4, Pass(3, CardSet("2H"))),  # the last to pass: judged at once
        (3, Pass(0, CardSet("5C"))),  # has passed
        (5, Pass(0, CardSet("5C"))),  # no pass is due
        (2, Play(1, "2D")),
    ],
)
def test_nothing_is_asked_again_where_nothing_can_be_told(
    number: int, act: Act
) -> None:
    assert late(number, act) == ()


def test_nothing_is_asked_again_in_a_game_that_ends_before_all_have_passed() -> None:
    bad = Probe(Pass(2, CardSet("2S 3S")), ("4.4",))
    cut = attrs.evolve(TRACE, steps=TRACE.steps[:3])
    assert game_of_late_pass(cut, 1, bad) == ()
    whole = attrs.evolve(TRACE, steps=TRACE.steps[:4])
    assert game_of_late_pass(whole, 1, bad)[0] == bad.act


def test_cards_scattered_are_passed_too() -> None:
    bad = Scatter(1, {0: "2D", 2: "3D"})
    assert late(1, bad)[0] == bad


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_seat_that_passes_on_unseen_has_passed(seat: int) -> None:
    acts: list[Act] = [*PACKETS]
    acts[seat] = PassUnseen(seat)
    trace = attrs.evolve(
        TRACE,
        ruleset=Ruleset("estmesh-hearts", 4, {"pass_unseen": True}),
        steps=tuple(Step(act=act) for act in (*acts, Play(1, "2C"))),
    )
    bad = Pass(0, CardSet("2C 3C"))
    game = game_of_late_pass(trace, 1, Probe(bad, ("4.4",)))
    rest = [act for act in acts[1:] if act != acts[seat]]
    assert game == (bad, acts[seat], *rest)


@pytest.mark.parametrize(("refused", "outcome"), [(True, "pass"), (False, "fail")])
def test_a_packet_that_is_refused_late_in_a_replay_is_refused(
    refused: bool, outcome: str
) -> None:
    """In a replay, this adapter judges all packets of a pass together."""
    bad = Probe(Pass(2, CardSet("2S 3S")), ("4.4",))
    first, *others = TRACE.steps
    trace = attrs.evolve(
        TRACE, steps=(attrs.evolve(first, refuse=(bad,)), *others), end={}
    )

    @spoiling
    def together(request: Json, answer: Json) -> None:
        if request["op"] != "replay":
            return
        steps, asked = answer["ok"]["steps"], request["trace"]["steps"]
        if "refuse" in steps[0]:
            steps[0]["refuse"] = [{"ok": {}}]
        if "refused" in steps[-1]["answer"]:
            last = steps[-1] if refused else {"answer": {"ok": {}}}
            accepted: list[Json] = [{"answer": {"ok": {}}} for _ in asked[:-1]]
            answer["ok"]["steps"] = [*accepted, last]

    found = Planted(together).cases(trace, "replay")
    assert str(found["probe"].outcome) == outcome


def test_a_late_refusal_counts_though_the_next_game_is_lost() -> None:
    """Two packets are accepted that it refuses late; asked again, it dies over one."""
    bad = [Probe(Pass(2, CardSet(cards)), ("4.4",)) for cards in ("2S 3S", "3S 4S")]
    first, *others = TRACE.steps
    steps = (attrs.evolve(first, refuse=tuple(bad)), *others)
    trace = attrs.evolve(TRACE, steps=steps, end={})

    @spoiling
    def together(request: Json, answer: Json) -> None:
        steps = answer["ok"]["steps"] if request["op"] == "replay" else [{}]
        if "refuse" in steps[0]:
            steps[0]["refuse"] = [{"ok": {}}, {"ok": {}}]
        elif "answer" in steps[0]:
            accepted: list[Json] = [{"answer": {"ok": {}}}] * 3
            answer["ok"]["steps"] = [*accepted, steps[-1]]

    planted, replays = Planted(together), 0

    def handle(line: bytes) -> bytes | None:
        nonlocal replays
        replays += b'"op":"replay"' in line
        return None if replays == 3 else planted.handle(line)

    found = replayed(Adapter(Builtin(handle), Limits()), trace)
    assert found.broke is not None
    late, lost = (answer for _, answer in found.moments[0].refuse)
    assert isinstance(late, Reply)
    assert isinstance(lost, Reply)
    assert (late.accepted, lost.accepted) == (False, True)


def test_an_adapter_lost_when_a_game_begins_anew_is_lost_where_the_pass_was() -> None:
    begun = 0

    def accepts_passes(session: Session, request: Json, answer: bytes) -> bytes:
        passes = request["op"] == "probe" and "pass" in request["act"]
        return b'{"seq":%d,"ok":{}}' % request["seq"] if passes else answer

    planted = Planted(accepts_passes)

    def handle(line: bytes) -> bytes | None:
        nonlocal begun
        begun += b'"op":"open"' in line
        return None if begun == 2 else planted.handle(line)

    first, second, *others = TRACE.steps
    bad = Probe(Pass(2, CardSet("2S 3S")), ("4.4",))
    steps = (first, attrs.evolve(second, refuse=(bad,)), *others)
    trace = attrs.evolve(TRACE, steps=steps)
    broke = Stepwise(Adapter(Builtin(handle), Limits()), trace).transcript().broke
    assert broke is not None
    assert (broke.kind, broke.step) == ("step", 2)
