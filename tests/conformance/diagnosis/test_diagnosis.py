"""Tests of the fault dictionary, which names a fault from the wrong answers."""

import json
import shutil
from concurrent.futures import Executor
from pathlib import Path

import attrs
import pytest

from refengine_conformance.corpus_tools import build
from refengine_conformance.mutants import designed
from refengine_conformance.runner.fault_dictionary import (
    Dictionary,
    Signs,
    Suspect,
    causes_of,
    dictionary_text,
    published_dictionary,
    read_dictionary,
    scored_kinds,
    sign_of,
    signs_of,
)
from refengine_conformance.runner.results import Case, Fault, Outcome
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import CORPUS, Choice, of_corpus
from tests.support.runs import failing

SUSPECTS = (
    Suspect("off:5.3", ("5.3",)),
    Suspect("off:8.7", ("8.7",)),
    Suspect("swap:moon=none>self_minus", ("8.3", "8.5a")),
)


def wrong(trace: str, kind: str, question: str, got: str, *clauses: str) -> Case:
    fault = Fault(1, question, clauses, "a question", "what is right", got)
    return failing(trace, kind, fault)


def right(trace: str, kind: str = "legal") -> Case:
    return Case(trace, kind, Outcome.PASS)


LEGAL = wrong("t-1", "legal", "legal", "5C 3H", "5.4")
SCORE = wrong("t-2", "observe", "then.score", "[0,13]", "8.1")
MOON = wrong("t-3", "observe", "then.score", "[-14,0]", "8.5a")


def signs(case: Case) -> Signs:
    return signs_of([case])[case.trace]


def small() -> Dictionary:
    lines = {
        "t-1": {"off:5.3": signs(LEGAL)},
        "t-2": {"off:8.7": signs(SCORE), "swap:moon=none>self_minus": signs(SCORE)},
        "t-3": {"swap:moon=none>self_minus": signs(MOON)},
    }
    return read_dictionary(dictionary_text(SUSPECTS, lines))


def test_a_dictionary_is_read_as_it_was_written() -> None:
    found = small()
    assert found.suspects == SUSPECTS
    assert found.lines == {"t-1", "t-2", "t-3"}
    assert found.signs[0] == {"t-1": signs(LEGAL)}
    assert found.signs[2].keys() == {"t-2", "t-3"}


def test_the_clause_is_that_of_the_mutant_with_the_same_answers() -> None:
    cases = [LEGAL, right("t-2", "observe"), right("t-3", "observe")]
    found = causes_of(cases, small())
    assert {name: cause.clause for name, cause in found.items()} == {"t-1": "5.3"}


def test_what_explains_more_and_overstates_less_comes_first() -> None:
    both = causes_of([SCORE, MOON], small())
    assert {cause.mutant for cause in both.values()} == {"swap:moon=none>self_minus"}
    one = causes_of([SCORE, right("t-3", "observe")], small())
    assert one["t-2"].mutant == "off:8.7"


def test_of_several_clauses_of_a_mutant_the_answers_choose() -> None:
    assert causes_of([MOON], small())["t-3"].clause == "8.5a"


def test_several_faults_at_once_have_each_their_cause() -> None:
    found = causes_of([LEGAL, SCORE, MOON], small())
    assert {name: cause.clause for name, cause in found.items()} == {
        "t-1": "5.3",
        "t-2": "8.5a",
        "t-3": "8.5a",
    }


def test_a_question_that_changed_the_game_comes_first_however_often_it_did() -> None:
    """Only the first change is compared, since later ones may be consequences of it."""
    impure = [Fault(step, "purity", (), "unchanged?", "yes", "no") for step in (2, 5)]
    spoilt = failing("t-1", "step", *impure)
    lines = {
        "t-1": {name: signs(spoilt) for name in ("off:5.3", SUSPECTS[2].id)},
        "t-2": {SUSPECTS[2].id: signs(SCORE)},
        "t-3": {SUSPECTS[2].id: signs(MOON)},
    }
    known = read_dictionary(dictionary_text(SUSPECTS, lines))
    found = causes_of([spoilt, SCORE, MOON], known)
    assert {name: one.mutant for name, one in found.items()} == {
        "t-1": "off:5.3",
        "t-2": SUSPECTS[2].id,
        "t-3": SUSPECTS[2].id,
    }


def test_a_change_that_no_mutant_makes_leaves_the_other_lines_as_they_are() -> None:
    impure = failing("t-3", "step", Fault(2, "purity", (), "unchanged?", "yes", "no"))
    other = wrong("t-1", "legal", "legal", "9D", "5.4")
    lines = {
        "t-1": {"off:5.3": signs(other), "off:8.7": signs(LEGAL)},
        "t-2": {"off:5.3": signs(SCORE)},
        "t-3": {SUSPECTS[2].id: signs(MOON)},
    }
    known = read_dictionary(dictionary_text(SUSPECTS, lines))
    for more in ((), (impure,)):
        found = causes_of([LEGAL, SCORE, *more], known)
        assert found["t-1"].mutant == "off:8.7"
        assert found["t-2"].mutant == "off:5.3"


def test_a_mutant_explains_no_line_by_what_was_not_scored_there() -> None:
    """On t-2 the mutant would show in the scores alone, which are right."""
    lines = {"t-1": {"off:5.3": signs(LEGAL)}, "t-2": {"off:5.3": signs(SCORE)}}
    known = read_dictionary(dictionary_text(SUSPECTS, lines))
    other = wrong("t-2", "legal", "legal", "9D", "5.4")
    assert causes_of([LEGAL, other], known).keys() == {"t-1"}
    failed = wrong("t-2", "observe", "then.score", "[1,12]", "8.1")
    assert causes_of([LEGAL, other, failed], known).keys() == {"t-1", "t-2"}


def test_other_answers_have_no_cause() -> None:
    other = wrong("t-1", "legal", "legal", "5C", "5.4")
    assert causes_of([other], small()) == {}
    assert causes_of([wrong("t-9", "legal", "legal", "5C 3H")], small()) == {}
    assert causes_of([right("t-1")], small()) == {}
    assert causes_of([LEGAL], Dictionary((), (), frozenset())) == {}


def test_what_was_not_judged_does_not_count_against_a_mutant() -> None:
    cases = [MOON, Case("t-2", "observe", Outcome.UNSUPPORTED)]
    assert scored_kinds(cases) == {"t-3": {"observe"}}
    assert causes_of(cases, small())["t-3"].mutant == "swap:moon=none>self_minus"


def test_a_known_failure_that_passes_counts_as_a_pass() -> None:
    case = Case("t-1", "replay", Outcome.KNOWN_BUT_PASSES)
    assert scored_kinds([case]) == {"t-1": {"step"}}


def test_acts_are_alike_in_both_ways_and_whatever_clauses_are_named() -> None:
    step = wrong("t-1", "step", "act", "refused by 5.3", "5.4")
    replay = wrong("t-1", "replay", "act", "refused", "5.4")
    assert sign_of(step, step.faults[0]) == sign_of(replay, replay.faults[0])
    clause = attrs.evolve(step, kind="clause")
    assert sign_of(clause, clause.faults[0]) != sign_of(step, step.faults[0])


def smoke_with(*command: str) -> Run:
    selection = of_corpus(CORPUS, Choice(tier="smoke"))
    return run(selection, Settings(command=command))


@pytest.mark.parametrize(
    ("mutant", "clause"),
    [("off:6.8", "6.8"), ("bug:first_seat_wins_tie", "9.5")],
    ids=["off:6.8", "bug:first_seat_wins_tie"],
)
def test_a_mutant_of_ours_is_told_by_its_answers(mutant: str, clause: str) -> None:
    found = smoke_with(f"builtin:mutant:{mutant}")
    assert {group.cause for group in found.groups} == {mutant}
    assert {group.clause for group in found.groups} == {clause}


def test_the_dictionary_knows_every_line_and_every_mutant_that_is_killed() -> None:
    found = published_dictionary()
    assert found.lines == {entry["id"] for entry in INDEX}
    assert [one.id for one in found.suspects] == [
        one.id for one in designed.designed_mutants()
    ]
    shown = {
        (name, suspect.id)
        for suspect, lines in zip(found.suspects, found.signs, strict=True)
        for name in lines
    }
    wanted = {
        (entry["id"], f"off:{clause}")
        for entry in INDEX
        for clause in entry["necessary"]
    }
    # where the mutant itself breaks down, as by a draw from nothing, it has no answers
    assert len(wanted - shown) < len(wanted) / 20


def recorded_signs(number: int) -> tuple[str, dict[str, Signs]]:
    line = build.lines_of_corpus(CORPUS)[number]
    kept = build.evaluate_line(line)
    return kept.id, build.mutant_signs_on_line((line, kept.kills))


@pytest.mark.parametrize(
    # not 5: one of its mutants ends just where its patience does, now so, now so
    "number",
    [7, *(pytest.param(number, marks=pytest.mark.slow) for number in (100, 333, 600))],
)
def test_a_sample_of_the_dictionary_is_what_a_run_records(
    number: int, worker: Executor
) -> None:
    name, signs = worker.submit(recorded_signs, number).result()
    found = published_dictionary()
    assert signs == {
        suspect.id: lines[name]
        for suspect, lines in zip(found.suspects, found.signs, strict=True)
        if name in lines
    }


INDEX = [
    json.loads(line) for line in (CORPUS / "index.jsonl").read_bytes().splitlines()
]
MOST_OF_PROFILE = {  # for each profile, the trace in which most clauses decide
    entry["profile"]: entry["id"]
    for entry in sorted(INDEX, key=lambda entry: len(entry["fires"]))
    if entry["id"].startswith("t-")
}


def signs_made_again(name: str) -> tuple[dict[str, Signs], dict[str, Signs]]:
    """The signs of mutants on a line: those recorded, and those that a new trial finds.

    Mutants that have no sign on any line are tried too, since the trial may not have
    been possible before. Mutants with signs on other lines only are not.
    """
    found = published_dictionary()
    recorded, unseen = {}, []
    for suspect, lines in zip(found.suspects, found.signs, strict=True):
        if name in lines:
            recorded[suspect.id] = lines[name]
        elif not lines:
            unseen.append(suspect.id)
    (line,) = (one for one in build.lines_of_corpus(CORPUS) if name in one)
    return recorded, build.mutant_signs_on_line((line, (*recorded, *unseen)))


@pytest.mark.parametrize("profile", sorted(MOST_OF_PROFILE))
def test_the_signs_of_a_line_are_those_that_its_mutants_show(
    profile: str, worker: Executor
) -> None:
    name = MOST_OF_PROFILE[profile]
    recorded, now = worker.submit(signs_made_again, name).result()
    assert now == recorded


def test_a_corpus_without_a_dictionary_has_no_causes(tmp_path: Path) -> None:
    shutil.copy(CORPUS / "index.jsonl", tmp_path)
    assert published_dictionary(tmp_path).suspects == ()
