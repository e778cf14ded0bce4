"""Tests of mutation scores, of arguments about survivors and of the document."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from refengine_conformance.jobs.journals import Journal
from refengine_conformance.mutants import (
    designed,
    operators,
    source_edits,
)
from refengine_conformance.openspiel import one_deal
from refengine_conformance.strength import (
    arguments,
    changed_evidence,
    matrix,
    measure,
    measured_words,
    measuring,
    recorded,
)
from refengine_conformance.strength.arguments import (
    Argument,
    ArgumentError,
    argument_of_each,
    idle_arguments,
    survivor_arguments,
)
from refengine_conformance.strength.scores import Score, committed_document

TREE = "tree:play.beats:compare:00000000"
OTHER = "tree:play.beats:return:00000001"


def argument(verdict: str = "equivalent", **fields: Any) -> Argument:
    names = {"mutants": (), "functions": ()} | fields
    return Argument(verdict, "because", **names)


def test_the_mutants_of_the_rules_are_the_designed_ones_and_the_trees() -> None:
    found = measure.rule_mutants()
    assert {one.id for one in designed.designed_mutants()} <= found.keys()
    trees = [name for name in found if name.startswith(operators.PREFIX)]
    assert {name.split(":")[1].split(".")[0] for name in trees} <= set(measure.RULES)
    assert len(trees) > 3000
    assert not any(".__eq__:" in name or "._key:" in name for name in trees)


def test_every_module_of_the_rules_is_there() -> None:
    assert set(measure.RULES) <= set(source_edits.module_names())
    assert len(set(measure.RULES)) == len(measure.RULES)


def test_an_argument_by_name_comes_before_one_by_function() -> None:
    known = [argument(functions=("play.beats",)), argument(mutants=(OTHER,))]
    assert argument_of_each([TREE, OTHER, "off:5.3"], known) == {
        TREE: 0,
        OTHER: 1,
        "off:5.3": -1,
    }


def test_an_argument_about_what_does_not_survive_is_named() -> None:
    known = [argument(functions=("play.no",)), argument(mutants=(TREE, OTHER))]
    assert idle_arguments([TREE], known) == [OTHER, "play.no"]
    assert idle_arguments([TREE], [argument(functions=("play.beats",))]) == []


def test_a_missing_openspiel_is_no_opinion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)  # importing it now fails
    anew = one_deal.new_library_game.__wrapped__  # not those already made
    monkeypatch.setattr(one_deal, "new_library_game", anew)
    assert not measure.openspiel_is_there()
    with pytest.raises(one_deal.NotInstalled):
        measure._opinion("off:5.3")


def test_arguments_are_read_and_need_a_verdict_and_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "survivors.toml"
    head = "[[argument]]\nverdict = "
    path.write_text(
        '[[argument]]\nverdict = "accepted"\nwhy = "a\\n b"\nmutants = ["x"]'
    )
    assert survivor_arguments(path)[0] == Argument("accepted", "a b", ("x",), ())
    path.write_text(f'{head}"maybe"\nwhy = "a"')
    with pytest.raises(ValueError, match="no such verdict"):
        survivor_arguments(path)
    path.write_text(f'{head}"gap"')
    with pytest.raises(ValueError, match="no reason"):
        survivor_arguments(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[argument]\nverdict = "accepted"\nwhy = "a"', "found one table"),
        ('argument = ["accepted"]', "'accepted' is no table"),
        ('[[argument]]\nverdict = "accepted"\nwhy = 3', "why is no text"),
        ('[[argument]]\nwhy = "a"\nmutants = [3]', "mutants is no list of names"),
        (
            '[[argument]]\nverdict = "accepted"\nwhy = "a"\nmutants = "off:5.3"',
            "mutants is no list of names",
        ),
    ],
)
def test_arguments_of_another_form_are_refused(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "survivors.toml"
    path.write_text(text)
    with pytest.raises(ArgumentError, match=said):
        survivor_arguments(path)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("_REASONS", "[x", "reasons.toml"),
        ("_REASONS", "x = 1", "x is no table"),
        ("_REASONS", "[x]\nclauses = []", "no reason"),
        ("ARGUMENTS", '[[clause]]\nclauses = ["5.3"]', "no reason"),
        ("ARGUMENTS", None, "reasons.toml"),
        ("_REASONS", '[[x]]\nreason = "a"', "write [x]"),
        ("_REASONS", "[x]\nreason = 3", "reason is no text"),
        ("_REASONS", '[x]\nreason = "a"\nclauses = "5.3"', "clauses is no list of"),
        ("ARGUMENTS", '[clause]\nreason = "a"', "write [[clause]]"),
    ],
)
def test_a_fault_in_a_file_of_reasons_is_reported_before_anything_is_measured(
    name: str,
    text: str | None,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for module, work in ((measure, "measure_stages"), (changed_evidence, "planned")):
        monkeypatch.setattr(module, work, lambda *_: pytest.fail("measured"))
    path = tmp_path / "reasons.toml"
    if text is not None:
        path.write_text(text)
    monkeypatch.setattr(arguments, name, path)
    for command in (measuring.main, changed_evidence.main):
        assert command([]) == 3
        assert said in capsys.readouterr().err


def test_what_the_corpus_gives_reasons_for_is_argued_too() -> None:
    known = survivor_arguments()
    alive = ["off:3.9a", "inverted:3.9a", "swap:undealt=none>stock"]
    place = argument_of_each(alive, known)
    assert [known[place[name]].verdict for name in alive] == [
        "accepted",
        "accepted",
        "equivalent",
    ]


def test_scores_add_up_and_have_two_shares() -> None:
    total = Score(10, 6, 1, 2, 1) + Score(2, 2)
    assert total == Score(12, 8, 1, 2, 1)
    assert total.of_all == pytest.approx(8 / 11)
    assert total.of_asked == pytest.approx(8 / 9)
    assert Score().of_all == 0


def test_known_killers_come_back_from_the_document() -> None:
    kills = {"t-1": {"tree:play.beats": ["compare:00000000"], "off": ["5.3"]}}
    assert recorded.known_killers({"kills": kills}) == {TREE: "t-1", "off:5.3": "t-1"}
    for name in (TREE, "off:5.3", "swap:ties=shared>play_on", "inverted:5.4:play.f"):
        head, tail = recorded.split_mutant_id(name)
        assert f"{head}:{tail}" == name


def small(fates: dict[str, list[str]], **more: Any) -> dict[str, Any]:
    return {
        **measure.mutant_results(fates, {}),
        "theorems": measure.clauses_of_theorems(
            {"a theorem": {"clauses": ["5.3"], "broken": more.get("broken", "")}}
        ),
        "exhaustion": {
            "deals": 1,
            "positions": 2,
            "decisions": 1,
            "faults": more.get("faults", []),
        },
        "opinions": measure.opinions_by_clause(
            {"off:5.3": "legal cards", "off:9.1": ""}
        ),
    }


@pytest.fixture
def fates(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    names = {
        one.id: one
        for one in (
            *designed.designed_mutants()[:2],
            *operators.variants_of_module("play")[:2],
        )
    }
    monkeypatch.setattr(measure, "rule_mutants", lambda: names)
    return {name: ["t-1", "1 legal"] for name in names}


def test_the_document_says_what_was_found(fates: dict[str, list[str]]) -> None:
    found = small(fates)
    assert found["score"] == {
        "mutants": 4,
        "killed": 4,
        "equivalent": 0,
        "accepted": 0,
        "gap": 0,
    }
    assert found["mutants"] == {"designed": 2, "tree": 2}
    assert recorded.known_killers(found).keys() == fates.keys()
    assert found["opinions"] == {"5.3": "legal cards"}
    assert "100.00%" in "\n".join(measured_words.score_lines(found))


def test_a_survivor_without_argument_a_broken_theorem_and_a_fault_are_told(
    fates: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (measure, measured_words):
        monkeypatch.setattr(module, "survivor_arguments", lambda: ())
    alive = list(fates)[2]
    found = small({**fates, alive: ["", ""]}, broken="by KC", faults=["a fault"])
    assert alive in measured_words.gaps_to_close(found)[0]
    wrong = measured_words.faults_found(found)
    assert "a theorem" in wrong[0]
    assert wrong[1:] == ["a fault"]


@pytest.mark.parametrize(("faults", "code"), [([], 0), (["a deal goes wrong"], 1)])
def test_what_was_found_is_recorded_only_if_nothing_has_fallen(
    faults: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = committed_document()
    found["exhaustion"] |= {"faults": faults}
    monkeypatch.setattr(measure, "measure_stages", lambda *_: dict(found))
    for module in (measuring, matrix):
        monkeypatch.setattr(module, "FILE", tmp_path / f"{module.__name__}.json")
    monkeypatch.setattr(matrix, "rows_that_fell", lambda _: [])
    assert measuring.main(["--record"]) == code
    assert len(list(tmp_path.iterdir())) == (0 if faults else 2)
    assert measuring.main(["--write"]) == code
    assert len(list(tmp_path.iterdir())) == 2


def test_a_gap_is_told_and_fails_a_strict_run_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measure, "measure_stages", lambda *_: committed_document())
    monkeypatch.setattr(matrix, "rows_that_fell", lambda _: [])
    monkeypatch.setattr(measured_words, "gaps_to_close", lambda _: ["gap: some"])
    assert measuring.main([]) == 0
    assert capsys.readouterr().out.startswith("gap: some\n")
    assert measuring.main(["--strict"]) == 1
    assert "\ngap: some\n" in capsys.readouterr().out


def test_a_false_record_has_all_mutants_tried_and_fails_the_run(
    fates: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = {"t-1": "a"}
    before = measure.mutant_results(fates, lines)
    tried: list[set[str]] = []

    def gathered(items: dict[str, Any], *_: Any) -> dict[str, Any]:
        tried.append({*items})
        return {name: ["", ""] for name in items}

    monkeypatch.setattr(measure, "gather_results", gathered)
    again = list(fates)[2]
    monkeypatch.setattr(recorded, "tried_again", lambda *_: [again])
    found, false = measure.all_fates(before, False, lines, Journal(None, ""), None)
    assert tried == [{again}, {*fates}]
    assert found == {name: ["", ""] for name in fates}
    assert len(false) == len(fates)


def test_a_folder_for_journals_that_cannot_be_made_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    folder = file / "journals"
    assert measuring.main(["--resume", str(folder)]) == 3
    said = f"{folder}: cannot be written: not a directory\n"
    assert capsys.readouterr() == ("", said)


def test_without_openspiel_one_line_says_that_opinions_stay_as_they_were(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = committed_document()
    monkeypatch.setattr(measure, "openspiel_is_there", lambda: False)
    monkeypatch.setattr(measure, "open_executor", lambda *_: nullcontext())
    monkeypatch.setattr(recorded, "digest_of_work", lambda stage: stage)
    assert measure.measure_stages(1, "", None, ["opinions"], False) == before
    said = "OpenSpiel is not installed here: no second opinion is sought\n"
    assert capsys.readouterr() == ("", said)


def test_the_help_names_a_folder_and_a_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        measuring.main(["--help"])
    assert "--resume FOLDER" in capsys.readouterr().out
    file = tmp_path / "journal"
    file.touch()
    with pytest.raises(SystemExit) as ended:
        measuring.main(["--resume", str(file)])
    assert ended.value.code == 3


@pytest.mark.parametrize("number", [1, 9, 10, 15, 19, 29, 7200])
def test_progress_is_told_at_the_beginning_and_about_ten_times(
    number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    tell = measure._progress("trials", dict.fromkeys(map(str, range(number))))
    for done in range(number + 1):
        tell(done)
    told = capsys.readouterr().err.splitlines()
    assert min(number, 5) < len(told) <= 11
    assert told[-1].startswith(f"trials: {number} of {number},")
