"""Tests of the matrix of evidence: its rows and classes, and that a fall is noticed."""

import json
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner

from refengine.cli.main import main
from refengine.formats.trace import Step, read_trace
from refengine.game.acts import Play
from refengine.lawbook import book
from refengine_conformance.mutants import source_edits
from refengine_conformance.runner.selection import Choice, of_corpus
from refengine_conformance.strength import matrix
from refengine_conformance.strength.matrix import Row
from refengine_conformance.strength.scores import Score, committed_document

ROWS = matrix.matrix_rows(committed_document())
BY_NUMBER = {row.number: row for row in ROWS}


def found(**more: Any) -> dict[str, Any]:
    whole = attrs.asdict(Score(2, 2))
    clauses = {"5.3": whole, "5.4": {**whole, "killed": 1, "gap": 1}}
    return (
        committed_document()
        | {
            "clauses": clauses,
            "meetings": [["5.3", "5.5"]],
            "theorems": {"who can follow does": ["5.3"], "broken": []},
            "opinions": {"5.3": "legal cards"},
            "exhaustion": {"meet": {"5.2+5.4": []}, "never": {"5.2+5.3": "a theorem"}},
        }
        | more
    )


def test_there_is_a_row_for_each_clause_with_its_code() -> None:
    assert list(BY_NUMBER) == list(book.clauses())
    for row in ROWS:
        assert row.fingerprint == book.clause(row.number).fingerprint
        for code in row.code:
            name, place = code.split(" ")
            file, _, line = place.partition(":")
            source = (source_edits.package_folder() / file).read_text("utf-8")
            if line:
                kind = source.splitlines()[int(line) - 1].split()[0]
                assert kind in ("def", "class")
            assert name in book.clause(row.number).functions


def steps_of(name: str) -> tuple[Step, ...]:
    """The steps of the corpus line with this id."""
    (line,) = of_corpus(source_edits.CORPUS, Choice(traces=(name,))).lines
    return read_trace(line.data).steps


def test_witnesses_are_lines_that_name_the_clause_and_accept_such_an_act() -> None:
    row = BY_NUMBER["5.3"]
    refused, accepted = steps_of(row.refused), steps_of(row.accepted)
    for steps in (refused, accepted):
        named = [
            probe.clauses for step in steps for probe in (*step.refuse, *step.irregular)
        ]
        assert any("5.3" in one for one in (*named, *(step.breaks for step in steps)))
    assert any(isinstance(one.act, Play) for one in accepted if not one.breaks)
    assert len(row.necessary) == sum(one.necessary for one in row.profiles.values())


def test_a_class_needs_lines_witnesses_and_dead_mutants() -> None:
    rows = {row.number: row for row in matrix.matrix_rows(found())}
    assert rows["5.3"].level == "strong"
    assert rows["5.4"].level == "weak"  # a gap
    assert rows["5.5"].level == "covered"  # its mutants were not measured
    assert rows["0.1"].level == "reasoned"
    assert "decides through" in rows["0.1"].reason
    assert rows["3.9a"].level == "reasoned"
    assert rows["5.3"].meets == ("5.5",)
    assert rows["5.3"].never == ("5.2",)
    assert rows["5.3"].theorems == ("who can follow does",)
    assert rows["5.3"].opinion == "OpenSpiel"


@pytest.mark.parametrize(
    ("kind", "seen", "level"),
    [
        ("forbid", {"refused": "t-1", "accepted": "t-2"}, "strong"),
        ("forbid", {"refused": "t-1"}, "covered"),
        ("forbid", {"accepted": "t-2"}, "covered"),
        ("permit", {}, "strong"),
        ("permit", {"necessary": ["t-1", "t-2"]}, "covered"),
        ("permit", {"necessary": []}, "weak"),
    ],
)
def test_a_clause_that_forbids_needs_both_witnesses_and_every_clause_three_lines(
    kind: str, seen: dict[str, Any], level: str
) -> None:
    clause = attrs.evolve(book.clause("5.3"), kind=kind)
    three: dict[str, Any] = {"necessary": ["t-1", "t-2", "t-3"]}
    assert matrix._level(clause, matrix.Seen(**three | seen), Score(2, 2), "") == level


def test_clauses_of_procedure_are_counted_apart_and_nothing_is_asked_of_them() -> None:
    some = [BY_NUMBER["5.3"], BY_NUMBER["5.4"]]
    people = attrs.evolve(BY_NUMBER["5.7"], kind="procedure", level="procedure")
    clause = attrs.evolve(book.clause("5.7"), kind="procedure")
    assert matrix._level(clause, matrix.Seen(), Score(), "a reason") == "procedure"
    alone = matrix.class_counts_line(some)
    both = matrix.class_counts_line([*some, people])
    assert alone.startswith("2 clauses: ")
    assert both == f"{alone}; and 1 of procedure, for people to follow"
    assert matrix.rows_without_reason([people]) == []
    assert matrix.baseline_of_rows([people]) == {}
    page = matrix.matrix_markdown([*some, people])
    assert "| 5.7 ~" not in page
    assert "## Procedure\n" in page
    assert "\n- 5.7 A card of the hand\n" in page
    assert "## Procedure" not in matrix.matrix_markdown(some)


def test_a_fall_is_seen_and_a_rise_is_not() -> None:
    rows = matrix.matrix_rows(found())
    before = matrix.baseline_of_rows(rows)
    assert matrix.rows_that_fell(rows, before) == []
    worse = matrix.matrix_rows(found(clauses={}))
    assert "5.3 has fallen from strong to covered" in matrix.rows_that_fell(
        worse, before
    )
    fewer = found()
    fewer["clauses"]["5.3"] = attrs.asdict(Score(2, 1, 0, 1))
    assert matrix.rows_that_fell(matrix.matrix_rows(fewer), before) == [
        "5.3: 0.500 of its mutants killed, not 1.000"
    ]
    same = [row for row in rows if row.number != "5.4"]
    assert matrix.rows_that_fell(same, matrix.baseline_of_rows(worse)) == []


def test_nothing_has_fallen_since_the_last_run() -> None:
    assert len(json.loads(matrix.FILE.read_text("utf-8"))) > 200
    assert matrix.rows_that_fell(ROWS) == []


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["matrix", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_shows_a_table_a_clause_json_and_a_page() -> None:
    judged = [row.number for row in matrix.non_procedure_rows(ROWS)]
    people = [row.number for row in ROWS if row.number not in judged]
    assert f"{len(judged)} clauses: " in shown()
    assert f"; and {len(people)} of procedure" in shown()
    assert "play.follow_suit chapters/play.py:" in shown("5.3")
    rows = json.loads(shown("--format", "json"))
    assert [row["number"] for row in rows] == list(BY_NUMBER)
    assert set(rows[0]) == {field.name for field in attrs.fields(Row)}
    page = shown("--format", "markdown")
    assert page.startswith("# How strong the evidence for each clause is")
    assert all(f"| {number} ~" in page for number in judged)
    assert all(f"\n- {number} " in page for number in people)
    few = json.loads(shown("--format", "json", "--profile", "gamerules-domino"))
    assert 0 < len(few) < len(rows)
    strong = json.loads(shown("--format", "json", "--class", "strong"))
    assert [row["number"] for row in strong] == [
        row.number for row in ROWS if row.level == "strong"
    ]


@pytest.mark.parametrize("arguments", [["99.9"], ["--profile", "nobody"]])
def test_what_there_is_not_is_refused_in_words(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, ["matrix", *arguments])
    assert result.exit_code == 3
    assert "Traceback" not in result.output


def test_places_are_found_for_methods_too() -> None:
    assert matrix.source_places()["state.State.apply"].startswith(
        "game/values/state.py:"
    )


def test_the_last_run_of_everything_is_told_if_there_was_one(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    assert matrix.last_whole_run(path) == []
    seconds = {"checks": 4, "strength": 1400}
    path.write_text(
        json.dumps({"date": "2026-11-25", "commit": "5c9afbd" * 4, "seconds": seconds})
    )
    said = "everything was tried on 2026-11-25, at commit 5c9afbd, in 23 minutes"
    assert matrix.last_whole_run(path) == [f"{said}: all green"]


def test_the_table_and_the_page_end_their_counts_with_it() -> None:
    (line,) = matrix.last_whole_run()
    assert matrix.table_lines(ROWS)[-1] == line
    assert f"\n{line.capitalize()}.\n" in matrix.matrix_markdown(ROWS)


def test_one_clause_and_none_are_counted_too() -> None:
    people = attrs.evolve(BY_NUMBER["5.7"], kind="procedure", level="procedure")
    assert matrix.class_counts_line([]) == "0 clauses"
    said = matrix.class_counts_line([people])
    assert said == "0 clauses; and 1 of procedure, for people to follow"
    assert matrix.class_counts_line([BY_NUMBER["5.3"]]).startswith("1 clause: ")


def test_one_line_and_one_gap_are_counted_in_the_details_too() -> None:
    row = attrs.evolve(
        BY_NUMBER["5.3"], fires=1, necessary=("t-1",), mutants=Score(2, 1, gap=1)
    )
    one = "\n".join(matrix.row_details(row))
    assert "  fires in     1 line\n  needed by    1 line: t-1\n" in one
    assert "1 killed, 0 equivalent, 0 accepted, 1 gap\n" in one
    none = matrix.row_details(attrs.evolve(row, necessary=()))
    assert "  needed by    0 lines" in none


def test_a_page_has_no_empty_table_and_no_empty_list() -> None:
    row = attrs.evolve(BY_NUMBER["5.3"], level="weak", profiles={}, reason="")
    for rows in ([], [row]):
        page = matrix.matrix_markdown(rows)
        assert "## By profile" not in page
        assert "## Reasons" not in page
    page = matrix.matrix_markdown([attrs.evolve(row, level="reasoned", reason="So.")])
    assert page.endswith("\n## Reasons\n\n- 5.3 " + row.title + ": So.\n")


def test_a_clause_that_leaves_something_open_is_not_said_to_decide() -> None:
    reasons = matrix.reasons_not_strong()
    open_ones = [one for one in book.clauses().values() if one.kind == "unspecified"]
    assert open_ones
    for clause in open_ones:
        assert reasons[clause.number].startswith("It leaves something to the table")
