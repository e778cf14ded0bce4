"""Tests of syntax mutants tried on a published set: the figures and table names."""

from pathlib import Path

import pytest

from refengine_conformance.mutants import operators
from refengine_conformance.mutants.loading import mutant_workers
from refengine_conformance.strength import at_a_table
from refengine_conformance.tables.publish import FOLDER, named_tables

pytestmark = [
    pytest.mark.unmeasured,
    pytest.mark.interpreted("about published sets, which no wheel has"),
]


def test_every_mutant_tried_is_killed_by_the_lines_or_by_games_or_by_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    some = {one.id: one for one in operators.variants_of_module("score")[::18]}
    monkeypatch.setattr(at_a_table, "rule_mutants", lambda: some)
    lines = (FOLDER / "commonest-4.jsonl").read_bytes().splitlines()
    table = dict(named_tables())["commonest-4"]
    with mutant_workers(1) as pool:
        found = at_a_table.syntactic_figures(pool, table, lines, 2)
        without = at_a_table.syntactic_figures(pool, table, (), 2)
    assert found.by_lines > 1
    assert found.tried == found.by_lines + len(found.by_games) + len(found.alive)
    assert without.tried <= found.tried  # the lines show more functions
    assert without.by_lines == 0
    assert without.by_games
    assert {*without.by_games} - {*found.by_games} <= {*some} - {*found.alive}


def test_a_table_that_there_is_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert at_a_table.main(["no-such-table"]) == 3
    assert "no table 'no-such-table'; there are commonest-4" in capsys.readouterr().err


def test_a_set_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert at_a_table.main(["commonest-4", "--folder", str(tmp_path)]) == 3
    path = tmp_path / "commonest-4.jsonl"
    assert capsys.readouterr().err == f"{path}: No such file or directory\n"
    path.write_bytes(b"{\xff}\n")
    assert at_a_table.main(["commonest-4", "--folder", str(tmp_path)]) == 3
    assert capsys.readouterr().err == f"{path}: not text in UTF-8\n"


@pytest.mark.parametrize("words", [["--jobs", "0"], ["--games", "-1"]])
def test_no_workers_and_a_number_below_nothing_are_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        at_a_table.main(["commonest-4", *words])
    assert ended.value.code == 3
