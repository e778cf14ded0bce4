"""After a run: the smallest game of each clause, and which rules explain it."""

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import attrs
import pytest

from refengine.formats.minideals import read_mini
from refengine.formats.trace import read_trace, replay
from refengine_conformance.diagnosis.asker import Asker, Sought
from refengine_conformance.diagnosis.bare_games import (
    BareGame,
    Wanted,
    game_up_to_fault,
    largest_hand,
    trace_that_asks,
)
from refengine_conformance.diagnosis.example_files import write_games
from refengine_conformance.diagnosis.examples import Bounds, with_examples
from refengine_conformance.diagnosis.miscounts import (
    all_games_of_deal,
    find_miscounted_line,
)
from refengine_conformance.diagnosis.run_inference import with_inference
from refengine_conformance.mutants.designed import designed_mutants
from refengine_conformance.report.findings import findings_of_run, inference_sentences
from refengine_conformance.report.reports import FORMATS, text
from refengine_conformance.report.run_in_words import troubles, unscored
from refengine_conformance.runner.results import (
    Case,
    Cause,
    Fault,
    Inferred,
    Limits,
    Outcome,
    Run,
)
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.selection import (
    CORPUS,
    Choice,
    Selection,
    of_corpus,
    of_files,
)
from refengine_conformance.selftest.planted_faults import (
    engine_with_name,
    fault_with_id,
    write_engine,
)
from refengine_conformance.selftest.selftest import (
    LIMITS,
    bad_adapter_command,
    selftest_traces,
)

pytestmark = pytest.mark.unmeasured

QUICK = Bounds(tries=60)
KNOWN = designed_mutants()[0]


def selected(**choice: str) -> Selection:
    return of_corpus(CORPUS, Choice(**choice))  # type: ignore[arg-type]  # all are text


def of_fault(name: str, folder: Path, selection: Selection) -> Run:
    example = engine_with_name("hearts_engine")
    command = write_engine(example, folder, fault_with_id(example, name))
    return run(selection, Settings(command=command))


@pytest.fixture(scope="module")
def smoke() -> Selection:
    return selected(tier="smoke")


def cards_in(line: str, fault: Fault) -> int:
    return largest_hand(game_up_to_fault(read_trace(line.encode()), fault))


def test_each_clause_has_a_small_game_that_shows_the_same_fault(
    tmp_path: Path, smoke: Selection
) -> None:
    found = of_fault("hearts_led_at_any_time", tmp_path, smoke)
    made = write_games(with_examples(found), tmp_path / "games")
    assert made.examples.keys() == {group.key for group in found.groups}
    example = made.examples["5.4"]
    assert "5.4" in example.fault.clauses
    assert cards_in(example.line, example.fault) <= 3
    assert replay(read_trace(example.line.encode())) == []
    assert example.right_under  # there hearts are led at any time
    assert set(example.right_under) <= {"pokerwiner-hearts", "pokerwiner-domino"}
    # the file holds the game, and asking for it shows the fault again
    again = of_files([Path(example.file)], Choice())
    assert not again.unreadable
    shown = run(again, Settings(command=found.adapter))
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
    [
        ("dies_half_way", Outcome.CRASH),
        ("two_keys", Outcome.PROTOCOL),
    ],
)
def test_a_lost_conversation_is_shrunk_too(name: str, outcome: Outcome) -> None:
    found = run(
        selftest_traces(),
        Settings(command=bad_adapter_command(name), limits=LIMITS, ways="step"),
    )
    made = with_examples(found, bounds=Bounds(tries=80))
    group = next(one for one in found.groups if one.outcome is outcome)
    example = made.examples[group.key]
    assert example.note == ""
    assert example.fault.step == len(read_trace(example.line.encode()).steps)
    assert example.fault.expected == "an answer"
    assert len(example.line) < len(found.lines[group.case.trace])


def test_time_is_bounded_where_an_adapter_hangs() -> None:
    limits = attrs.evolve(LIMITS, op=0.2)
    settings = Settings(
        command=bad_adapter_command("hangs"), limits=limits, ways="step"
    )
    found = run(selftest_traces(), settings)
    made = with_examples(found, bounds=Bounds(seconds=0.3))
    notes = {example.note for example in made.examples.values()}
    assert "the time for making it smaller was over" in notes


def test_what_depends_on_the_games_before_is_said() -> None:
    found = run(
        selftest_traces(), Settings(command=bad_adapter_command("forgets_to_open"))
    )
    made = with_examples(found, bounds=QUICK)
    notes = " ".join(example.note for example in made.examples.values())
    assert "it depends on what was played before" in notes


def test_an_adapter_that_cannot_be_started_again_is_no_fault_of_ours(
    tmp_path: Path, smoke: Selection
) -> None:
    found = of_fault("hearts_led_at_any_time", tmp_path, smoke)
    gone = attrs.evolve(found, adapter=("./no-such-adapter",))
    made = with_examples(gone)
    assert not made.bugs
    assert "could not be started again" in made.examples["5.4"].note
    assert with_inference(gone, smoke).inferred is None


def test_a_fault_of_ours_is_told_and_the_other_games_stay(
    tmp_path: Path, smoke: Selection
) -> None:
    found = of_fault("hearts_led_at_any_time", tmp_path, smoke)
    lines = dict.fromkeys(found.lines, "{}")
    made = with_examples(attrs.evolve(found, lines=lines))
    assert made.exit_code == 70
    assert "shrinking 5.4" in made.bugs[0]


def test_games_that_cannot_be_written_are_an_error(
    tmp_path: Path, smoke: Selection
) -> None:
    found = of_fault("hearts_led_at_any_time", tmp_path, smoke)
    (tmp_path / "file").write_text("", "utf-8")
    made = write_games(with_examples(found, bounds=QUICK), tmp_path / "file" / "games")
    assert made.exit_code == 3
    assert "not written" in text(made)
    assert write_games(found, tmp_path / "file" / "games") is found


def plain(report: str) -> str:
    """A report without what its format adds to the words."""
    words = unescape(re.sub("<[^>]+>", "", report)).replace("\\n", " ")
    return " ".join(re.sub(r"[\\`]|\| ", "", words).split())


def test_all_reports_tell_the_same(tmp_path: Path, smoke: Selection) -> None:
    found = of_fault("hearts_led_at_any_time", tmp_path, smoke)
    assert found.card is not None
    card = attrs.evolve(found.card, deviations=(("5.4", "hearts at any time"),))
    made = attrs.evolve(with_examples(found, bounds=QUICK), card=card, stopped="late")
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
        games = list(all_games_of_deal(mini))
        assert len(games) == len(set(games)) == mini.counted["games"]


def test_a_mini_deal_is_descended_to_the_shortest_line_that_differs() -> None:
    line = next(one for one in minis() if b'"games":12' in one)
    mini = read_mini(line)
    with Asker(("builtin:mutant:off:5.3",)) as asker:
        found = find_miscounted_line(asker, mini, 30)
        assert found is not None
        for acts in {acts[: found.fault.step - 1] for acts in all_games_of_deal(mini)}:
            game = BareGame(mini.ruleset, mini.setup, acts)
            shorter = trace_that_asks(game, Wanted("all"), everywhere=True)
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
    case = Case(name, "enumerate", Outcome.FAIL, "dominorules-tiles", (fault,))
    command = bad_adapter_command("good")
    found = Run(
        adapter=command,
        spec="1.0.0",
        selection={},
        limits=Limits(),
        cases=(case,),
        lines={name: line},
    )
    made = with_examples(found)
    assert made.examples["unnamed"].line == line
    assert "does not show it" in made.examples["unnamed"].note


# Which rules explain it


def test_options_that_explain_everything_may_be_a_house_rule(tmp_path: Path) -> None:
    selection = selected(profile="gamerules-domino")
    found = of_fault("queen_always_thirteen", tmp_path, selection)
    assert found.groups
    made = with_inference(found, selection)
    assert made.inferred is not None
    assert {"queen_points": 13} in made.inferred.changes
    told = " ".join(inference_sentences(made))
    assert "(`queen_points=13`)" in told
    assert "a house rule if you play by it, else a bug that acts like one" in told
    for report in FORMATS.values():
        assert "queen_points=13" in report(made).replace("\\", "")


def test_what_no_option_explains_is_a_bug_or_an_unknown_rule(
    tmp_path: Path,
) -> None:
    selection = selected(tier="smoke", profile="estmesh-hearts")
    found = of_fault("ace_is_low", tmp_path, selection)
    told = inference_sentences(with_inference(found, selection))
    assert "a bug, or a rule that the book does not have" in told[0]


def test_without_wrong_answers_there_is_nothing_to_explain(smoke: Selection) -> None:
    found = run(smoke, Settings(command=("builtin:reference",)))
    assert with_inference(found, smoke) is found
    assert inference_sentences(found) == []


@pytest.mark.parametrize(
    ("inferred", "said"),
    [
        (Inferred(5, 2, ({},)), "about other things"),
        (Inferred(5, 2), "a bug, or a rule that the book does not have"),
        (
            Inferred(9, 8, partly={"moon": "none"}, explained=6, spoilt=1),
            "Shooting the moon: no (`moon=none`) explains 6 of the 8 games that went "
            "wrong, but not 1",
        ),
        (Inferred(9, 8, ({"deals": 2},), capped=True), "All disagreements heard again"),
        (Inferred(9, 8, ({"deals": 2},)), "a house rule if you play by it"),
        (Inferred(9, 2, ({"deals": 2},)), "a house rule or a bug"),
        (Inferred(9, 8, ({"deals": 2},), small=True), "a house rule if you play by it"),
        (
            Inferred(9, 8, ({"moon": "none"},), small=True),
            "or a moon that assumes the 26 points of the whole pack",
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
    fault = Fault(1, "legal", ("5.3",), "", "", "")
    case = Case("t-1", "legal", Outcome.FAIL, faults=(fault,))
    found = Run(
        adapter=("x",),
        spec="1.0.0",
        selection={},
        limits=Limits(),
        cases=(case,),
        inferred=inferred,
    )
    assert said in " ".join(inference_sentences(found))


def test_a_known_bug_is_named_before_several_options() -> None:
    fault = Fault(1, "legal", ("5.3",), "", "", "")
    found = Run(
        adapter=("x",),
        spec="1.0.0",
        selection={},
        limits=Limits(),
        cases=(Case("t-1", "legal", Outcome.FAIL, faults=(fault,)),),
        causes={"t-1": Cause(KNOWN.id, "5.3")},
        inferred=Inferred(9, 8, ({"deals": 2, "limit": 26},)),
    )
    first, second, *_ = inference_sentences(found)
    assert first == f"A known bug answers the same: {KNOWN.text}."
    assert "(`deals=2`)" in second
    one = attrs.evolve(found, inferred=Inferred(9, 8, ({"deals": 2},)))
    assert not inference_sentences(one)[0].startswith("A known bug")
    unknown = attrs.evolve(found, causes={})
    assert not inference_sentences(unknown)[0].startswith("A known bug")


# The same fault


def test_the_same_fault_is_the_same_question_and_clause() -> None:
    def case(kind: str, *faults: Fault) -> Case:
        return Case("t-1", kind, Outcome.FAIL, faults=faults)

    legal = Fault(3, "legal", ("5.3",), "", "", "")
    sought = Sought("5.3", "legal", "legal")
    assert sought.found_in([case("legal", legal)]) is legal
    assert (
        sought.found_in([case("legal", attrs.evolve(legal, clauses=("5.4",)))]) is None
    )
    assert sought.found_in([case("step", attrs.evolve(legal, question="act"))]) is None
    # a wrong verdict is another fault than a wrong clause for a right one
    refuse = Fault(3, "refuse", ("5.3",), "", "", "")
    cited = Sought("5.3", "refuse", "clauses")
    assert cited.found_in([case("probe", refuse)]) is None
    assert cited.found_in([case("clause", refuse)]) is refuse
    # of a view the field too, of an observation not
    view = Fault(3, "view.hand", ("2.7",), "", "", "")
    assert Sought("2.7", "view.legal", "views").found_in([case("views", view)]) is None
    then = Fault(3, "then.score", ("8.1",), "", "", "")
    seen = Sought("8.1", "then.points", "observe")
    assert seen.found_in([case("observe", then)]) is then
