import json
from concurrent.futures import Executor
from typing import Any

import attrs

from refengine import Card, Match, Pass, Play, Ruleset, Setup, State
from refengine.formats.fields import FIELDS
from refengine.formats.minideals import Mini, write_mini
from refengine.formats.trace import Probe, Step, Trace, read_trace, write_trace
from refengine.game.acts import Draw
from refengine.game.verdicts import Refused
from refengine_conformance.corpus_tools import evidence
from refengine_conformance.data import data
from refengine_conformance.generators.strategies import Move, Script, recorded
from refengine_conformance.mutants import designed, loading
from refengine_conformance.selftest.selftest import TRACES

SETUP = Setup(dealer=3, deal=4, hands=["2C 9D", "5C 3H", "4C 7S", "KC 8S"])


def evidence_of(line: bytes) -> dict[str, Any]:
    case = evidence.case_of(line)
    watch = evidence.fires(case)
    return {
        "fires": watch.fired,
        "pairs": watch.pairs,
        "necessary": evidence.necessary(case, watch.fired),
        "needs": evidence.needs(case),
        "verdicts": evidence.verdicts(case),
        "divergence": evidence.first_divergence(case),
    }


def line_of(ruleset: Ruleset, setup: Setup, plays: str) -> bytes:
    state = State.open(ruleset, setup)
    moves = []
    for card in plays.split():
        while state.legal.due.kind == "draw":
            moves.append(Move(Draw(state.turn[0])))
            state = state.draw()
        moves.append(Move(Play(state.turn[0], Card(card))))
        state = state.play(card)
    return write_trace(recorded(Script(ruleset, setup, tuple(moves))))


def test_a_clause_fires_where_it_decides_and_is_necessary_where_it_matters(
    worker: Executor,
) -> None:
    line = line_of(Ruleset("estmesh-hearts"), SETUP, "2C 5C 4C KC 8S 9D 3H 7S")
    found = worker.submit(evidence_of, line).result()
    assert found["divergence"] == ""
    assert {"5.2", "5.3", "5.9", "5.10"} <= found["fires"]
    assert {"5.2", "5.3", "5.9"} <= set(found["necessary"])
    assert not {"6.1", "7.4a", "8.3", "5.5"} & found["fires"]
    assert set(found["necessary"]) <= found["fires"]
    assert found["needs"] == ()
    # The last card of a trick wins it, and its winner leads.
    assert ("5.10", "5.11") in found["pairs"]
    assert all(one < other for one, other in found["pairs"])


def test_a_clause_that_does_not_decide_meets_no_other(worker: Executor) -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"first_trick_points": "barred"})
    found = worker.submit(evidence_of, line_of(ruleset, SETUP, "2C 5C")).result()
    assert ("5.3", "5.7") not in found["pairs"]
    assert found["verdicts"]["openspiel-hearts"] == "pass"


def test_draws_and_the_stock_are_evidence_of_chapter_6(worker: Executor) -> None:
    setup = Setup(dealer=1, deal=1, hands=["5C 6D", "2D 3H"], stock="4H 7C KS")
    line = line_of(Ruleset("gamerules-domino", 2), setup, "5C 7C 2D 6D")
    found = worker.submit(evidence_of, line).result()
    assert {"6.1", "6.4", "6.8"} <= set(found["necessary"])
    assert found["needs"] == ("stock",)
    assert found["verdicts"]["estmesh-hearts"] == "no such table: 2.6"


def test_a_mini_deal_is_evidence_too(worker: Executor) -> None:
    setup = Setup(dealer=1, deal=1, hands=["2C 3H", "5C 2H"])
    line = write_mini(Mini(ruleset=Ruleset("pokerwiner-hearts", 2), setup=setup))
    found = worker.submit(evidence_of, line).result()
    assert found["divergence"] == ""
    assert "5.3" in found["necessary"]
    assert "enumerate" in found["needs"]


def test_swaps_are_tried_only_where_the_value_is_there(worker: Executor) -> None:
    setup = Setup(dealer=3, deal=4, hands=["2C", "5C", "4C", "KC"])
    line = line_of(Ruleset("estmesh-hearts"), setup, "2C 5C 4C KC")
    tried = worker.submit(swaps_tried, line).result()
    assert "swap:ties=shared>play_on" in tried
    assert "swap:ties=play_on>shared" not in tried
    assert "swap:limit=number>none" in tried
    assert "swap:pass_cycle=mix>left" not in tried


def swaps_tried(line: bytes) -> list[str]:
    case = evidence.case_of(line)
    return [
        one.id
        for one in designed.designed_mutants()
        if evidence.may_matter(one.id, case)
    ]


def test_a_match_needs_what_it_does() -> None:
    steps = (Step(Pass(0, "QS KH AH")),)
    match = Trace(ruleset=Ruleset("estmesh-hearts"), start=Match(), steps=steps)
    assert evidence.needs(match) == ("match", "pass")


def places_of(line: bytes, *names: str) -> list[str]:
    """For each of these mutants, the first place where it answers the line wrongly."""
    found = []
    for name in names:
        case = evidence.case_of(line)
        with loading.run_as_mutant(name):
            found.append(evidence.first_divergence(case))
    return found


def place_with_numbers_for_flags(line: bytes) -> str:
    """Where the line is first answered wrongly if `hearts_broken` is 1 or 0."""
    shown = FIELDS["hearts_broken"]
    FIELDS["hearts_broken"] = lambda state: int(shown(state))
    try:
        return evidence.first_divergence(evidence.case_of(line))
    finally:
        FIELDS["hearts_broken"] = shown


def refusals_made(line: bytes) -> list[str]:
    """The acts that a replay of the line tries because it expects their refusal."""
    case = evidence.case_of(line)
    assert not isinstance(case, Mini)
    made: list[str] = []
    real = evidence._refuses

    def noting(state: Any, act: Any) -> bool:
        made.append(str(act))
        return real(state, act)

    vars(evidence)["_refuses"] = noting
    try:
        assert evidence.first_divergence(case) == ""
    finally:
        vars(evidence)["_refuses"] = real
    return made


def refused_in_the_middle(line: bytes) -> str:
    """Where the line first goes wrong if an act that is judged legal is refused."""

    def refusing(*_: Any) -> Any:
        raise Refused(("5.3",), "a play")

    real = vars(evidence)["applied"]
    vars(evidence)["applied"] = refusing
    try:
        return evidence.first_divergence(evidence.case_of(line))
    finally:
        vars(evidence)["applied"] = real


def test_the_refused_acts_that_a_run_makes_are_made(worker: Executor) -> None:
    trace = read_trace(line_of(Ruleset("estmesh-hearts"), SETUP, "2C 5C 4C KC 8S"))
    heart, late = Play(1, Card("3H")), Play(0, Card("5C"))
    steps = [*trace.steps]
    steps[1] = attrs.evolve(steps[1], refuse=(Probe(heart, ("5.3",)),))
    steps[4] = attrs.evolve(steps[4], refuse=(Probe(late, ("2.3",)),))
    line = write_trace(attrs.evolve(trace, steps=tuple(steps)))
    made = worker.submit(refusals_made, line).result()
    assert made == [str(heart), str(late)]  # the last, and a heart refused before any


def test_a_refusal_in_the_middle_of_a_game_is_no_refused_opening(
    worker: Executor,
) -> None:
    line = line_of(Ruleset("estmesh-hearts"), SETUP, "2C 5C 4C KC")
    found = worker.submit(refused_in_the_middle, line).result()
    assert found == "crash: Refused"


def test_a_refused_act_is_made_and_not_only_judged(worker: Executor) -> None:
    *_, seen = TRACES.read_bytes().splitlines()
    never_raises = (
        "tree:state.State.apply:branch:ab43bc20",
        "tree:state.State.apply:delete:e4d85bcb",
    )
    line = line_of(Ruleset("estmesh-hearts"), SETUP, "2C 5C 4C KC")
    for place in worker.submit(places_of, line, *never_raises).result():
        assert place.endswith("when it is made")
    assert worker.submit(places_of, seen, *never_raises).result() == ["", ""]


def test_1_for_true_differs_as_it_does_for_the_runner(worker: Executor) -> None:
    _, corrected, seen = TRACES.read_bytes().splitlines()
    asked = worker.submit(place_with_numbers_for_flags, corrected)
    assert asked.result() == "2 then hearts_broken"
    assert worker.submit(place_with_numbers_for_flags, seen).result() == ""


def test_a_view_at_the_end_is_watched_too(worker: Executor) -> None:
    lines = data("corpus", "core-black-maria.jsonl").read_text("utf-8").splitlines()
    (line,) = (one for one in lines if "t-52e2eac626e1828a" in one)
    fields = json.loads(line)
    seen = next(
        number
        for number, step in enumerate(fields["steps"])
        if "view" in step.get("then", {})
    )
    fields["steps"] = fields["steps"][: seen + 1]
    view = fields["steps"][-1]["then"].pop("view")
    fields["end"] = {}
    bare = worker.submit(evidence_of, json.dumps(fields).encode()).result()
    fields["end"] = {"view": view}
    found = worker.submit(evidence_of, json.dumps(fields).encode()).result()
    assert not {"2.7", "2.7a"} & {*bare["fires"]}
    assert {"2.7", "2.7a"} <= {*found["fires"]}
    assert {"2.7", "2.7a"} <= {*found["necessary"]}


def test_a_trace_that_says_what_seats_are_told_needs_events(worker: Executor) -> None:
    line = data("events-and-openings", "events.jsonl").read_bytes().splitlines()[0]
    assert "events" in worker.submit(evidence_of, line).result()["needs"]
