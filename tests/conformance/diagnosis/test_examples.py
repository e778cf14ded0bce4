"""Tests of the work after a run: the smallest game for each clause with faults.

They also cover the rules under which an engine's answers would be right.
"""

import json
import re
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from time import monotonic
from typing import Any

import attrs
import pytest

from refengine import Draw, Pass, Play, Ruleset, Setup, State
from refengine.formats.minideals import read_mini
from refengine.formats.serve import Session
from refengine.formats.trace import (
    Probe,
    Step,
    Trace,
    read_trace,
    replay,
    trace_id,
    write_trace,
)
from refengine.lawbook.options import Value
from refengine_conformance.diagnosis import (
    bare_games,
    examples,
    miscounts,
    run_inference,
)
from refengine_conformance.diagnosis.asker import Asker, Sought
from refengine_conformance.diagnosis.example_files import write_games
from refengine_conformance.diagnosis.examples import Bounds, with_examples
from refengine_conformance.diagnosis.fitting_rulesets import Heard, record_of
from refengine_conformance.diagnosis.inference import ChangeFit, Inference
from refengine_conformance.diagnosis.run_inference import with_inference
from refengine_conformance.generators.strategies import Move, Script, recorded
from refengine_conformance.mutants.designed import designed_mutants
from refengine_conformance.report.findings import findings_of_run, inference_sentences
from refengine_conformance.report.reports import FORMATS, text
from refengine_conformance.report.run_in_words import troubles, unscored
from refengine_conformance.runner import runs
from refengine_conformance.runner.conversation_log import VARIABLE
from refengine_conformance.runner.driver import BrokenError, Builtin
from refengine_conformance.runner.results import Case, Fault, Outcome
from refengine_conformance.runner.run_time import RunOverError, RunTime
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.runs import Inferred, Run
from refengine_conformance.runner.selection import (
    CORPUS,
    Choice,
    Selection,
    of_corpus,
    of_files,
)
from refengine_conformance.runner.transcripts import (
    Answers,
    Break,
    Reply,
    Transcript,
)
from refengine_conformance.selftest.selftest import (
    LIMITS,
    bad_adapter_command,
    selftest_traces,
)
from tests.support.adapters import capable_engine, faulty_engine
from tests.support.runs import failing, fault_at, run_of

pytestmark = pytest.mark.unmeasured

QUICK = Bounds(tries=60)
KNOWN, OTHER_BUG, *_ = designed_mutants()


SPOILT = """
import json, sys
from refengine.formats.serve import Session
session = Session()
for line in sys.stdin.buffer:
    answer = session.handle(line)
    if answer is None:
        break
    if json.loads(line)["op"] == "observe":
        if LOST:
            sys.exit(3)
        answer = answer.replace(b'"phase":"cut"', b'"phase":"play"')
    sys.stdout.buffer.write(answer.rstrip() + b"\\n")
    sys.stdout.flush()
"""


def spoilt(lost: object) -> tuple[str, ...]:
    """The command of our engine, spoilt so that it reports a wrong phase.

    It exits instead where the Python expression `lost` is true.
    """
    return sys.executable, "-c", SPOILT.replace("LOST", str(lost))


def selected(**choice: Any) -> Selection:
    return of_corpus(CORPUS, Choice(**choice))


def of_fault(name: str, folder: Path, selection: Selection) -> Run:
    return run(selection, Settings(command=faulty_engine(name, folder)))


@pytest.fixture(scope="module")
def smoke() -> Selection:
    return selected(tier="smoke")


@pytest.fixture(scope="module")
def led(tmp_path_factory: pytest.TempPathFactory, smoke: Selection) -> Run:
    """A run of an engine that lets hearts be led at any time."""
    return of_fault("hearts_led_at_any_time", tmp_path_factory.mktemp("engine"), smoke)


def of_bad(name: str, **more: Any) -> Run:
    """A run of the traces of the self-test with this bad adapter."""
    settings = Settings(command=bad_adapter_command(name), **more)
    return run(selftest_traces(), settings)


def cards_in(line: str, fault: Fault) -> int:
    game = bare_games.game_up_to_fault(read_trace(line.encode()), fault)
    return bare_games.largest_hand(game)


def test_a_profile_that_needs_the_changed_options_at_a_table_is_tried() -> None:
    """Five players can play Estmesh Hearts only if there is a kitty (2.6)."""
    like = Ruleset("pokerwiner-domino", 5, {"undealt": "kitty"})
    assert examples._under_profile("estmesh-hearts", like) == Ruleset(
        "estmesh-hearts", 5, {"undealt": "kitty"}
    )
    bare = Ruleset("pokerwiner-domino", 5)
    assert examples._under_profile("estmesh-hearts", bare) is None


def test_each_clause_has_a_small_game_that_shows_the_same_fault(
    tmp_path: Path, led: Run
) -> None:
    made = write_games(with_examples(led), tmp_path / "games")
    assert made.examples.keys() == {group.key for group in led.groups}
    example = made.examples["5.4"]
    assert "5.4" in example.fault.clauses
    assert cards_in(example.line, example.fault) <= 3
    assert replay(read_trace(example.line.encode())) == []
    assert example.right_under  # there hearts are led at any time
    assert set(example.right_under) <= {"pokerwiner-hearts", "pokerwiner-domino"}
    # the file holds the game, and asking for it shows the fault again
    again = of_files([Path(example.file)], Choice())
    assert not again.unreadable
    shown = run(again, Settings(command=led.adapter))
    assert any("5.4" in group.clause for group in shown.groups)


def test_the_number_of_jobs_makes_no_difference(
    tmp_path: Path, smoke: Selection
) -> None:
    found = of_fault("ace_is_low", tmp_path, smoke)
    assert len(found.groups) >= 2  # else there is nothing to share out
    one, two = (with_examples(found, jobs, QUICK) for jobs in (1, 2))
    assert one.examples == two.examples
    assert text(one) == text(two)


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("dies_half_way", Outcome.CRASH), ("two_keys", Outcome.PROTOCOL)],
)
def test_a_lost_conversation_is_shrunk_too(name: str, outcome: Outcome) -> None:
    found = of_bad(name, limits=LIMITS, ways="step")
    made = with_examples(found, bounds=Bounds(tries=80))
    group = next(one for one in found.groups if one.outcome is outcome)
    example = made.examples[group.key]
    assert example.note == ""
    assert example.fault.step == len(read_trace(example.line.encode()).steps)
    assert example.fault.expected == "an answer"
    assert len(example.line) < len(found.lines[group.case.trace])


def test_a_loss_at_the_view_of_one_seat_is_shrunk_by_asking_for_it() -> None:
    """The trace has eight steps, and asks for the view of seat 2 after the second."""
    command = spoilt('json.loads(line).get("seat") == 2')
    chosen = selected(traces=("t-29b7acdd55fddf5c",))
    found = run(chosen, Settings(command=command, ways="step"))
    (example,) = with_examples(found, bounds=Bounds(tries=80)).examples.values()
    small = read_trace(example.line.encode())
    assert (len(small.steps), example.note) == (1, "")
    assert small.steps[0].then["view"]["seat"] == 2


@pytest.mark.parametrize("lost", [False, True])
def test_a_game_in_which_nothing_is_done_is_its_own_example(lost: bool) -> None:
    """The trace has no acts, and states only what holds at the beginning."""
    chosen = selected(traces=("t-2beb62b885c2143f",))
    found = run(chosen, Settings(command=spoilt(lost), ways="step"))
    made = with_examples(found, bounds=QUICK)
    assert not made.bugs
    assert made.exit_code == (2 if made.stopped else 1)
    assert all(FORMATS[name](made) for name in FORMATS)
    assert len(found.groups) == 1
    (example,) = made.examples.values()
    assert read_trace(example.line.encode()).id == chosen.lines[0].id


def test_time_is_bounded_where_an_adapter_hangs() -> None:
    found = of_bad("hangs", limits=attrs.evolve(LIMITS, op=0.2), ways="step")
    made = with_examples(found, bounds=Bounds(seconds=0.3))
    notes = {example.note for example in made.examples.values()}
    assert "the time for making it smaller was up" in notes


def test_what_depends_on_the_games_before_is_said() -> None:
    made = with_examples(of_bad("forgets_to_open"), bounds=QUICK)
    notes = " ".join(example.note for example in made.examples.values())
    assert "it depends on what was played before" in notes


def test_an_adapter_that_cannot_be_started_again_is_no_fault_of_ours(
    led: Run, smoke: Selection
) -> None:
    gone = attrs.evolve(led, adapter=("./no-such-adapter",))
    made = with_examples(gone)
    assert not made.bugs
    assert "could not be started again" in made.examples["5.4"].note
    assert with_inference(gone, smoke).inferred == with_inference(led, smoke).inferred


def test_a_fault_of_ours_is_told_and_the_other_games_stay(led: Run) -> None:
    lines = dict.fromkeys(led.lines, "{}")
    made = with_examples(attrs.evolve(led, lines=lines))
    assert made.exit_code == 70
    assert "shrinking 5.4" in made.bugs[0]


def test_games_that_cannot_be_written_are_an_error(tmp_path: Path, led: Run) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    made = write_games(with_examples(led, bounds=QUICK), tmp_path / "file" / "games")
    assert made.exit_code == 3
    assert "not written" in text(made)
    assert write_games(led, tmp_path / "file" / "games") == led


def plain(report: str) -> str:
    """The words of a report, without the markup of its format."""
    words = unescape(re.sub("<[^>]+>", "", report)).replace("\\n", " ")
    return " ".join(re.sub(r"[\\`]|\| ", "", words).split())


def test_all_reports_tell_the_same(tmp_path: Path, led: Run, smoke: Selection) -> None:
    assert led.card is not None
    card = attrs.evolve(led.card, deviations=(("5.4", "hearts at any time"),))
    made = attrs.evolve(with_examples(led, bounds=QUICK), card=card, stopped="late")
    made = with_inference(write_games(made, tmp_path / "games"), smoke)
    [sentence] = inference_sentences(made)
    words = [sentence, *unscored(made), *troubles(made), "hearts at any time"]
    for finding in findings_of_run(made):
        words += [finding.heading, finding.counts]
        words += [said for _, _, said in finding.clauses]
        words += [value for _, value in finding.facts]
    assert len(words) > 15
    for name, report in FORMATS.items():
        told = plain(report(made))
        for word in words:
            assert plain(word) in told, (name, word)


# Mini-deals


def minis() -> Iterator[bytes]:
    yield from (CORPUS / "minis.jsonl").read_bytes().splitlines()


def test_all_games_of_a_mini_deal_are_there() -> None:
    for line in minis():
        mini = read_mini(line)
        assert mini.counted is not None
        games = list(miscounts.all_games_of_deal(mini))
        assert len(games) == len(set(games)) == mini.counted["games"]


def test_a_mini_deal_is_descended_to_the_shortest_line_that_differs() -> None:
    line = next(one for one in minis() if b'"games":12' in one)
    mini = read_mini(line)
    with Asker(("builtin:mutant:off:5.3",)) as asker:
        found = miscounts.find_wrong_line(asker, mini, 30)
        assert found is not None
        for acts in {
            acts[: found.fault.step - 1] for acts in miscounts.all_games_of_deal(mini)
        }:
            game = bare_games.BareGame(mini.ruleset, mini.setup, acts)
            wanted = bare_games.Wanted("all")
            shorter = bare_games.trace_that_asks(game, wanted, everywhere=True)
            cases = asker.cases(shorter) if shorter is not None else ()
            assert all(case.outcome is not Outcome.FAIL for case in cases)
    assert "5.3" in found.fault.clauses


def test_a_count_that_is_wrong_names_a_clause_in_the_end(tmp_path: Path) -> None:
    lines = [line for line in minis() if len(line) < 700][:3]
    path = tmp_path / "minis.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    selection = of_files([path], Choice())
    found = run(selection, Settings(command=("builtin:mutant:off:5.3",)))
    made = with_examples(found)
    assert {case.kind for case in found.cases} == {"enumerate"}
    finding = findings_of_run(made)[0]
    assert finding.heading.startswith("5.3 ")
    assert finding.trace is not None
    assert cards_in(finding.line, finding.fault) <= 3


def test_an_engine_that_only_counts_keeps_its_mini_deal() -> None:
    line = next(minis()).decode()
    name = json.loads(line)["id"]
    fault = Fault(0, "games", (), "games", "16", "17")
    case = failing(name, "enumerate", fault)
    found = run_of(case, adapter=bad_adapter_command("good"), lines={name: line})
    made = with_examples(found)
    assert made.examples["unnamed"].line == line
    assert "does not show it" in made.examples["unnamed"].note


def test_of_a_count_that_was_not_asked_again_nothing_is_said(tmp_path: Path) -> None:
    """The engine can only count games, so it cannot be asked about any one of them."""
    line = next(minis()).decode()
    name = json.loads(line)["id"]
    case = failing(name, "enumerate", Fault(0, "games", (), "games", "16", "17"))
    command = capable_engine(tmp_path, ["enumerate"])
    made = with_examples(run_of(case, adapter=command, lines={name: line}))
    assert not made.bugs
    assert made.examples["unnamed"].line == line
    assert made.examples["unnamed"].note == ""


def test_a_loss_while_games_are_counted_is_not_shown_by_a_wrong_answer() -> None:
    """The adapter also gives a wrong answer in one of the games of this mini-deal."""
    line = next(one for one in minis() if b'"games":12' in one).decode()
    name = json.loads(line)["id"]
    lost = Case(name, "enumerate", Outcome.CRASH, note="it ended")
    wrong = ("builtin:mutant:off:5.3",)
    made = with_examples(run_of(lost, adapter=wrong, lines={name: line}))
    (example,) = made.examples.values()
    assert example.line == line
    assert example.fault == lost.loss
    assert example.note == ""


ONE_PLAY = Trace(
    ruleset=Ruleset("estmesh-hearts", 4),
    start=Setup(dealer=3, deal=4, hands=["2C", "3C", "4C", "5C"]),
    steps=(Step(act=Play(0, "2C")),),
)
"""A game whose only act is a lead."""


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("legal", "what is due?"),
        ("observe", "what is to be seen after step 1?"),
        ("events", "what is told of step 1?"),
        ("step", "seat 0: 2C"),
    ],
)
def test_a_loss_names_the_question_that_brought_it_about(kind: str, asked: str) -> None:
    lost = Case("t-1", kind, Outcome.CRASH, note="it ended").loss
    found = examples._with_last_question(ONE_PLAY, lost)
    assert (found.step, found.asked) == (1, asked)


def test_of_several_acts_that_are_probed_the_last_one_sent_is_named() -> None:
    refuse = (Probe(Play(0, "3D"), ("5.2",)), Probe(Draw(0), ("6.1",)))
    trace = Trace(
        ruleset=Ruleset("estmesh-hearts", 4),
        start=Setup(dealer=3, deal=4, hands=["2C 3D", "3C 4D", "4C 5D", "5C 6D"]),
        steps=(Step(act=Play(0, "2C"), refuse=refuse),),
    )
    for kind, act, asked in (
        ("probe", {"play": "3D"}, "may seat 0 play 3D?"),
        ("probe", {"draw": 1}, "may seat 0 draw?"),
        ("step", {"draw": 1}, "seat 0: draw"),
        ("step", {"play": "2C"}, "seat 0: 2C"),
    ):
        request = json.dumps({"op": kind, "seq": 7, "seat": 0, "act": act})
        lost = Case("t-1", kind, Outcome.CRASH, note="it ended", step=1).loss
        broke = Break(Outcome.CRASH, kind, "it ended", True, 1, request)
        found = examples._with_last_question(
            trace, lost, Transcript("step", broke=broke)
        )
        assert found.asked == asked


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        (None, "what is to be seen before step 1?"),
        (Reply(True), "what is to be seen after step 1?"),
    ],
)
def test_a_loss_over_what_is_to_be_seen_says_when(
    answer: Reply | None, asked: str
) -> None:
    """An observation is also requested before an act: did a refusal change it?"""
    lost = Case("t-1", "observe", Outcome.CRASH, note="it ended", step=1).loss
    said = Transcript("step", (Answers(answer=answer),))
    assert examples._with_last_question(ONE_PLAY, lost, said).asked == asked


class DiesOfRefusals(Builtin):
    """Our engine as an adapter that crashes when `step` has to refuse an act."""

    def __init__(self) -> None:
        super().__init__(Session().handle)

    def exchange(self, line: bytes, limit: float) -> bytes:
        answer = super().exchange(line, limit)
        if b'"op":"step"' in line and b'"refused"' in answer:
            raise BrokenError(Outcome.CRASH, "illegal move")
        return answer


def test_a_loss_over_a_refused_act_is_shrunk_by_probing_and_names_that_act(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The engine crashes at the fourth of five steps, where two cards are refused."""
    opening = "refengine_conformance.diagnosis.asker.transport_of"
    monkeypatch.setattr(opening, lambda command: DiesOfRefusals())
    hands = ["2C 2D 2S", "3C 3D 3S", "4C 4D 4S", "5C 5D 5S"]
    setup = Setup(dealer=3, deal=4, hands=hands)
    plays = ((0, "2C"), (1, "3C"), (2, "4C"), (3, "5C"), (3, "5D"))
    moves = tuple(Move(Play(seat, card)) for seat, card in plays)
    trace = recorded(Script(Ruleset("estmesh-hearts"), setup, moves))
    trace = attrs.evolve(trace, id=trace_id(trace))
    with Asker(("it",)) as asker:
        cases = asker.cases(trace)
    (lost,) = (case for case in cases if case.outcome is Outcome.CRASH)
    assert (lost.kind, lost.step) == ("step", 4)
    lines = {trace.id: write_trace(trace).decode().rstrip()}
    made = with_examples(run_of(lost, adapter=("it",), lines=lines), bounds=QUICK)
    (example,) = made.examples.values()
    (step,) = read_trace(example.line.encode()).steps
    probed = step.refuse[0].act
    assert example.fault.asked == f"seat {probed.seat}: {probed}"
    assert example.note == ""


# Which rules explain it


@pytest.fixture(scope="module")
def dominoes() -> Selection:
    return selected(profile="gamerules-domino")


@pytest.fixture(scope="module")
def queen_of_thirteen(
    dominoes: Selection, tmp_path_factory: pytest.TempPathFactory
) -> Run:
    """A run of an engine that always charges 13 for the queen, whatever the ruleset."""
    return of_fault("queen_always_thirteen", tmp_path_factory.mktemp("q"), dominoes)


def test_options_that_explain_everything_may_be_a_house_rule(
    dominoes: Selection, queen_of_thirteen: Run
) -> None:
    assert queen_of_thirteen.groups
    made = with_inference(queen_of_thirteen, dominoes)
    assert made.inferred is not None
    assert {"queen_points": 13} in made.inferred.changes
    told = " ".join(inference_sentences(made))
    assert "(`queen_points=13`)" in told
    assert "a house rule if you play by it, else a bug that acts like one" in told
    for report in FORMATS.values():
        assert "queen_points=13" in report(made).replace("\\", "")


def test_a_game_that_was_not_begun_is_none_of_those_looked_at(
    dominoes: Selection, queen_of_thirteen: Run
) -> None:
    """The rules found are then marked as explaining only some of the wrong games."""
    found = queen_of_thirteen
    failed = {case.trace for case in found.cases if case.outcome is Outcome.FAIL}
    first, second = [name for name in found.heard if name in failed][:2]
    cases = tuple(case for case in found.cases if case.trace in (first, second))
    heard = {first: found.heard[first], second: found.heard[second]}
    refused = Transcript("step", opened=Reply(False))
    for said, games in ((heard, 2), (heard | {second: refused}, 1)):
        few = attrs.evolve(found, cases=cases, heard=said)
        inferred = with_inference(few, dominoes).inferred
        assert inferred is not None
        assert (inferred.games, inferred.capped) == (games, games == 1)


def test_what_was_found_stays_if_the_time_is_up_over_another_question(
    led: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    [group] = [one for one in led.groups if one.clause == "5.4"]
    case, fault = group.examples[0]
    other = attrs.evolve(case, trace="t-other")  # in which the fault does not recur
    large = examples._Small(read_trace(led.lines[case.trace].encode()), fault, None)
    games = iter([large])

    def smallest(asked: Case, *given: object) -> object:
        if asked.trace != case.trace:
            return None
        if (found := next(games, None)) is None:
            raise RunOverError("the time was up")
        return found

    search = examples._Search.__new__(examples._Search)
    three = tuple((one, fault) for one in (other, case, case))
    search.group = attrs.evolve(group, examples=three)
    search.end, search.late = monotonic() + 3600, False
    monkeypatch.setattr(examples, "MOST_CARDS", 0)  # so that the next one is tried
    monkeypatch.setattr(search, "_smallest", smallest)
    monkeypatch.setattr(search, "_right_under", lambda small: ())
    found = search.example()
    assert read_trace(found.line.encode()) == large.trace
    assert found.made_from == case.trace
    assert search.late


def test_a_small_game_stays_though_the_time_is_up_before_it_is_asked_again(
    led: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def over(*_: object) -> None:
        raise RunOverError("the time was up")

    monkeypatch.setattr(examples, "find_same_fault", over)
    example = with_examples(led, bounds=QUICK).examples["5.4"]
    assert cards_in(example.line, example.fault) <= 3
    assert example.note == "the time for making it smaller was up"


def _right_and_wrong() -> list[Heard]:
    """A game played right, then a game of another profile played wrong.

    In the second the queen counted 13 points, contrary to the ruleset sent.
    """
    everything = bare_games.Wanted("all")
    told = Ruleset("gamerules-domino", 2)
    setup = Setup(dealer=1, hands=["QS", "2C"])
    plays = (Play(0, "QS"), Play(1, "2C"))
    dear = bare_games.BareGame(told.having(queen_points=13), setup, plays)
    four = Setup(dealer=3, deal=4, hands=["2C", "3C", "4C", "5C"])
    plain = bare_games.BareGame(Ruleset("estmesh-hearts"), four, (Play(0, "2C"),))
    wrong, right = (
        bare_games.trace_that_asks(game, everything, everywhere=True)
        for game in (dear, plain)
    )
    assert wrong is not None
    assert right is not None
    return [record_of(right), record_of(attrs.evolve(wrong, ruleset=told))]


def test_the_first_change_found_explains_every_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A change is dropped if it does not explain a game that is examined later."""
    records = _right_and_wrong()
    too_far: dict[str, Value] = {"queen_points": 13, "heart_points": 2}
    explains: dict[str, Value] = {"queen_points": 13}
    looked_at = []

    def infer(few: list[Heard], *, most: int, time: RunTime) -> Inference:
        looked_at.append(len(few))
        changes = (explains,) if len(few) > 1 else (too_far, explains)
        return Inference((*few,), changes, open_to={})

    monkeypatch.setattr(run_inference, "infer", infer)
    fit = ChangeFit(records)
    monkeypatch.setattr(fit, "explained", lambda _, change: change is explains)
    found = run_inference._explaining(records[1:], [], fit)
    assert found is not None
    assert found.changes == (explains,)
    assert looked_at == [1, 3]


def test_other_values_are_other_than_in_the_game_that_went_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of the values belongs to the profile of the game that was played right."""
    records = _right_and_wrong()
    found = Inference(
        (*records,),
        changes=({"queen_points": 13},),
        open_to={"all_hearts_leader": ("draw", "lead")},
    )
    monkeypatch.setattr(run_inference, "_explaining", lambda *given: found)
    inferred = run_inference._inferred(ChangeFit(records), False)
    assert inferred is not None
    assert inferred.open_to == {"all_hearts_leader": ("lead",)}


def test_a_conversation_lost_over_the_last_view_is_asked_for_that_view() -> None:
    """It has the number of the last step, which asserts no view of its own."""
    setup = Setup(dealer=1, hands=["QS", "2C"])
    steps = tuple(Step(act=Play(seat, one)) for seat, one in ((0, "QS"), (1, "2C")))
    end = {"view": {"seat": 1}}
    rules = Ruleset("gamerules-domino", 2)
    trace = Trace(ruleset=rules, start=setup, steps=steps, end=end)
    for step in (0, 2):
        lost = Fault(step, "view", (), "asked", "an answer", "it ended")
        assert bare_games.wanted_of(trace, lost) == bare_games.Wanted("view", 1)
    own = attrs.evolve(steps[1], then={"view": {"seat": 0}})
    trace = attrs.evolve(trace, steps=(steps[0], own))
    lost = Fault(2, "view", (), "asked", "an answer", "it ended")
    assert bare_games.wanted_of(trace, lost).seat == 0


def _passed_the_other_way(deal: int) -> Heard:
    """A deal passed as if across and right had changed places in the cycle."""
    everything = bare_games.Wanted("all")
    told = Ruleset("common-hearts", 4, {"pass_count": 1})
    played = told.having(pass_cycle=("left", "across", "right", "hold"))
    hands = ["2C 3H", "3C 2D", "4C 3D", "5C QS"]
    setup = Setup(dealer=3, deal=deal, hands=hands)
    state = State.open(played, setup)
    while state.phase == "pass":
        [seat, *_] = state.turn
        [card, _] = state.hands[seat]
        state = state.apply(Pass(seat, [card]))
    game = bare_games.BareGame(played, setup, state.acts)
    found = bare_games.trace_that_asks(game, everything, everywhere=True)
    assert found is not None
    return record_of(attrs.evolve(found, ruleset=told))


def test_two_passes_that_have_changed_places_explain_more_than_one() -> None:
    wrong = [_passed_the_other_way(deal) for deal in (3, 2, 3)]
    right = [_passed_the_other_way(1)]  # to the left in both
    found = run_inference._most_useful(wrong, right, ChangeFit([*wrong, *right]))
    assert found.change == {"pass_cycle": ("left", "across", "right", "hold")}
    assert (found.explained, found.spoilt) == (3, 0)


def test_what_no_option_explains_is_a_bug_or_an_unknown_rule(
    tmp_path: Path,
) -> None:
    selection = selected(tier="smoke", profile="estmesh-hearts")
    found = of_fault("ace_is_low", tmp_path, selection)
    told = inference_sentences(with_inference(found, selection))
    assert "a bug, or a rule that the book does not have" in told[0]


def test_what_was_said_is_kept_of_some_games_alone(
    dominoes: Selection, queen_of_thirteen: Run
) -> None:
    found = queen_of_thirteen
    length = {line.id: len(line.data) for line in dominoes.lines}
    failed = {case.trace for case in found.cases if case.outcome is Outcome.FAIL}
    wrong = sorted(length[name] for name in found.heard if name in failed)
    right = [name for name in found.heard if name not in failed]
    assert len(wrong) == min(len(failed), 60)
    assert 0 < len(right) <= 80
    assert wrong[:30] == sorted(length[name] for name in failed)[:30]


def test_no_game_is_asked_twice_in_the_same_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.jsonl"
    selection = selected(tier="smoke", profile="gamerules-domino")
    with monkeypatch.context() as patched:
        patched.setenv(VARIABLE, str(log))
        found = of_fault("queen_always_thirteen", tmp_path, selection)
        assert with_inference(found, selection).inferred is not None
    noted = map(json.loads, log.read_text("utf-8").splitlines())
    sent = [json.loads(one["sent"]) for one in noted if "sent" in one]
    games = [one["trace"] for one in sent if one["op"] == "replay"]
    assert len(games) == sum(not (one.mini or one.opening) for one in selection.lines)
    assert all(games.count(one) == 1 for one in games)


def test_without_wrong_answers_there_is_nothing_to_explain(smoke: Selection) -> None:
    found = run(smoke, Settings(command=("builtin:reference",)))
    assert with_inference(found, smoke) is found
    assert inference_sentences(found) == []


WRONG = failing("t-1", "legal", fault_at(1, "legal", "5.3"))


@pytest.mark.parametrize(
    ("inferred", "said"),
    [
        (Inferred(5, 2, ({},)), "about other things"),
        (Inferred(5, 2), "a bug, or a rule that the book does not have"),
        (  # no more than a quarter of what is wrong
            Inferred(9, 8, partly={"moon": "none"}, explained=2),
            "a bug, or a rule that the book does not have",
        ),
        (
            Inferred(9, 8, partly={"moon": "none"}, explained=6, spoilt=1),
            "Shooting the moon: no (`moon=none`) explains 6 of the 8 games that went "
            "wrong, but not 1",
        ),
        (
            Inferred(9, 8, ({"deals": 2},), capped=True),
            "is right in every game looked at",
        ),
        (Inferred(9, 8, ({"deals": 2},)), "a house rule if you play by it"),
        (Inferred(9, 2, ({"deals": 2},)), "a house rule or a bug"),
        (Inferred(9, 8, ({"deals": 2},), small=True), "a house rule if you play by it"),
        (
            Inferred(9, 8, ({"moon": "none"},), small=True),
            "or a moon that assumes the 26 points of the whole pack",
        ),
        (
            Inferred(9, 8, ({"opening_card": "any"},), small=True),
            "or a rule for the first trick that assumes the whole pack",
        ),
        (
            Inferred(9, 8, ({"moon": "none", "opening_card": "any"},), small=True),
            "26 points of the whole pack and a rule for the first trick that assumes "
            "the whole pack, since",
        ),
        (  # a moon does not account for the number of deals
            Inferred(9, 8, ({"moon": "none", "deals": 2},), small=True),
            "a house rule if you play by it",
        ),
        (Inferred(9, 8, ({"moon": "none"},)), "a house rule if you play by it"),
        (
            Inferred(9, 8, ({"deals": 2}, {"limit": 26})),
            "The same holds with Points to which a match is played: 26 (`limit=26`)",
        ),
        (
            Inferred(9, 8, ({"deals": 2},), {"mix_kitty": (True,)}),
            "fit as well: Kitty shuffled into a mix (`mix_kitty=true`).",
        ),
        (
            Inferred(9, 8, ({"deals": 2},), {"deals": (3, 4, 5, 6, 7, 8, 9)}),
            "(`deals=3`, `deals=4`, `deals=5`, `deals=6`, `deals=7`, 2 more).",
        ),
    ],
)
def test_what_is_inferred_is_told_in_sentences(inferred: Inferred, said: str) -> None:
    found = run_of(WRONG, inferred=inferred)
    assert said in " ".join(inference_sentences(found))


def test_a_known_bug_is_named_before_several_options() -> None:
    known = {"t-1": runs.Cause(KNOWN.id, "5.3")}
    several = Inferred(9, 8, ({"deals": 2, "limit": 26},))
    found = run_of(WRONG, causes=known, inferred=several)
    first, second, *_ = inference_sentences(found)
    assert first == f"A known bug answers the same: {KNOWN.text}."
    assert "(`deals=2`)" in second
    two = attrs.evolve(
        run_of(WRONG, failing("t-2", "legal", fault_at(1, "legal", "5.4"))),
        causes=known | {"t-2": runs.Cause(OTHER_BUG.id, "5.4")},
        inferred=several,
    )
    together, *_ = inference_sentences(two)
    said, texts = together.split(": ")
    assert said == "Known bugs that together answer the same"
    assert {*texts.removesuffix(".").split("; ")} == {KNOWN.text, OTHER_BUG.text}
    one = attrs.evolve(found, inferred=Inferred(9, 8, ({"deals": 2},)))
    assert not inference_sentences(one)[0].startswith("A known bug")
    unknown = attrs.evolve(found, causes={})
    assert not inference_sentences(unknown)[0].startswith("A known bug")


# The same fault


# a wrong verdict is another fault than a wrong clause for a right one; of a view the
# field counts too, of an observation not
@pytest.mark.parametrize(
    ("sought", "kind", "question", "clause", "same"),
    [
        (Sought("5.3", "legal", "legal"), "legal", "legal", "5.3", True),
        (Sought("5.3", "legal", "legal"), "legal", "legal", "5.4", False),
        (Sought("5.3", "legal", "legal"), "step", "act", "5.3", False),
        (Sought("5.3", "refuse", "clauses"), "probe", "refuse", "5.3", False),
        (Sought("5.3", "refuse", "clauses"), "clause", "refuse", "5.3", True),
        (Sought("2.7", "view.legal", "views"), "views", "view.hand", "2.7", False),
        (Sought("8.1", "then.points", "observe"), "observe", "then.score", "8.1", True),
    ],
    ids=[
        "the same",
        "another clause",
        "another question",
        "a verdict for a clause",
        "any kind of clause",
        "another field of a view",
        "another field of an observation",
    ],
)
def test_the_same_fault_is_the_same_question_and_clause(
    sought: Sought, kind: str, question: str, clause: str, same: bool
) -> None:
    fault = fault_at(3, question, clause)
    found = sought.found_in([failing("t-1", kind, fault)])
    assert found is (fault if same else None)
