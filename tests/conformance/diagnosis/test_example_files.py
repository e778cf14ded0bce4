"""Tests of the folder of smallest games: what a run writes, removes and leaves."""

import hashlib
import json
import sys
from pathlib import Path

import attrs
import pytest

from refengine.errors import Malformed
from refengine.formats.trace import spec_version
from refengine_conformance.diagnosis.example_files import (
    LIST,
    check_folder,
    folder_of_table,
    write_games,
)
from refengine_conformance.runner import blame
from refengine_conformance.runner.results import Fault
from refengine_conformance.runner.runs import Example, Run
from tests.support.commands import run_process
from tests.support.runs import failing, run_of

PART = ("--corpus", "some.jsonl")
FAULT = Fault(1, "act", ("5.3",), "may it?", "yes", "no")
BLANK = run_of(spec=spec_version())


def ended_with(*keys: str, line: str = "{}") -> Run:
    """A run with one example for each of these keys, all with the same game."""
    examples = {key: Example(line, FAULT) for key in keys}
    return attrs.evolve(BLANK, examples=examples)


def games_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.name != LIST}


def test_files_are_named_after_clauses_and_losses(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "games"
    made = write_games(ended_with("5.3", "8.3a", "crash act", "unnamed"), folder)
    names = {"5.3.jsonl", "8.3a.jsonl", "crash-act.jsonl", "unnamed.jsonl"}
    assert games_in(folder) == names
    assert {Path(one.file) for one in made.examples.values()} == {
        folder / name for name in names
    }
    digest = hashlib.sha256(b"{}\n").hexdigest()
    listed = (folder / LIST).read_text("utf-8").splitlines()
    assert sorted(listed) == [f"{digest}  {name}" for name in sorted(names)]
    write_games(made, folder)
    assert (folder / LIST).read_text("utf-8").splitlines() == listed


def test_what_another_run_wrote_meanwhile_is_not_the_users(tmp_path: Path) -> None:
    write_games(ended_with("5.3"), tmp_path)
    for key, line in (("5.4", "{}"), ("5.5", "{}"), ("5.3", "[]")):
        write_games(attrs.evolve(ended_with(key, line=line), source=PART), tmp_path)
    check_folder(tmp_path)
    write_games(ended_with(), tmp_path)
    assert games_in(tmp_path) == set()


def test_the_next_run_removes_what_is_not_due_any_more(tmp_path: Path) -> None:
    first = ended_with("5.3", "5.4", "crash act", "timeout refuse", "protocol then")
    write_games(first, tmp_path)
    write_games(ended_with("5.4", line='{"other": 1}'), tmp_path)
    assert games_in(tmp_path) == {"5.4.jsonl"}
    assert (tmp_path / "5.4.jsonl").read_text("utf-8") == '{"other": 1}\n'
    write_games(ended_with(), tmp_path)
    assert games_in(tmp_path) == set()


@pytest.mark.parametrize(
    "partial",
    [
        attrs.evolve(BLANK, selection={"trace": "t-1"}),
        attrs.evolve(BLANK, source=PART),
        attrs.evolve(BLANK, stopped="hello: the adapter ended with exit code 1"),
    ],
)
def test_a_run_that_does_not_ask_everything_removes_nothing(
    tmp_path: Path, partial: Run
) -> None:
    write_games(ended_with("5.3", "crash act"), tmp_path)
    write_games(partial, tmp_path)
    assert games_in(tmp_path) == {"5.3.jsonl", "crash-act.jsonl"}


def test_a_game_says_what_it_shows_and_is_headed_so_when_it_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = '{"trace":1,"id":"t-1","steps":[]}'
    run = ended_with("5.9a", "crash act", line=line)
    files = {key: one.file for key, one in write_games(run, tmp_path).examples.items()}
    noted, lost = (Path(files[key]).read_text("utf-8") for key in run.examples)
    assert json.loads(noted) == {**json.loads(line), "x-shows": "5.9a"}
    assert lost == f"{line}\n"
    monkeypatch.setattr(blame, "suspects", lambda *_, **__: ("5.4", "5.9a"))
    case = failing("t-1", "legal", FAULT)
    for text, clause in (
        (line, "5.4"),
        (noted, "5.9a"),
        (json.dumps(json.loads(noted)), "5.9a"),  # as other programs write it
        (noted.replace("9a", "1"), "5.4"),
    ):
        pairs = [(case, FAULT)]
        found = blame.by_heading(pairs, {}, {"t-1": text}, frozenset())
        assert [one for one, _ in found] == [clause]


@pytest.mark.parametrize("corpus", ["5.3.jsonl", "."])
def test_the_games_that_a_run_was_made_of_stay(tmp_path: Path, corpus: str) -> None:
    write_games(ended_with("5.3"), tmp_path)
    source = ("--corpus", str(tmp_path / corpus))
    again = attrs.evolve(ended_with("5.3", "5.4", line="[]"), source=source)
    made = write_games(again, tmp_path)
    assert (tmp_path / "5.3.jsonl").read_text("utf-8") == "{}\n"
    assert [one.file for one in made.examples.values()] == [
        "",
        str(tmp_path / "5.4.jsonl"),
    ]


USERS = (
    "5.3.jsonl",
    "crash-act.jsonl",
    "notes.txt",
    "mine.jsonl",
    "5.3.json",
    "table-2",
)


@pytest.mark.parametrize("name", USERS)
def test_what_the_user_put_there_stays_as_it_is(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", "utf-8")
    for one in (ended_with("5.4"), ended_with()):
        write_games(one, tmp_path)
        assert (tmp_path / name).read_text("utf-8") == "mine"
    due = name.removesuffix(".jsonl").replace("-", " ")
    made = write_games(ended_with(due), tmp_path)
    assert (tmp_path / name).read_text("utf-8") == "mine"
    assert (made.unwritten != "") is name.endswith(
        ("5.3.jsonl", "act.jsonl", "mine.jsonl")
    )


def test_games_written_before_one_that_cannot_be_are_named(tmp_path: Path) -> None:
    (tmp_path / "5.4.jsonl").write_text("mine", "utf-8")
    made = write_games(ended_with("5.3", "5.4"), tmp_path)
    assert "5.4.jsonl: not written" in made.unwritten
    assert made.examples["5.3"].file == str(tmp_path / "5.3.jsonl")
    assert made.examples["5.4"].file == ""


def test_a_game_that_the_user_has_changed_is_the_users(tmp_path: Path) -> None:
    write_games(ended_with("5.3", "5.4"), tmp_path)
    (tmp_path / "5.3.jsonl").write_text("{}\n{}\n", "utf-8")
    write_games(ended_with(), tmp_path)
    assert games_in(tmp_path) == {"5.3.jsonl"}
    with pytest.raises(Malformed, match=r"5\.3\.jsonl"):
        check_folder(tmp_path)


def test_what_a_run_wrote_itself_is_never_in_the_way(tmp_path: Path) -> None:
    write_games(ended_with("5.3", "crash act"), tmp_path)
    write_games(ended_with("5.4"), folder_of_table(tmp_path, 1))
    check_folder(tmp_path)
    (tmp_path / "5.3.jsonl").unlink()
    check_folder(tmp_path)
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    (tmp_path / "mine.jsonl").write_text("mine", "utf-8")
    (tmp_path / "crash-mine.jsonl").write_text("mine", "utf-8")
    check_folder(tmp_path)
    check_folder(tmp_path / "not there yet")


@pytest.mark.parametrize(
    "name", ["5.3.jsonl", "8.3a.jsonl", "unnamed.jsonl", "timeout-act.jsonl"]
)
@pytest.mark.parametrize("place", [0, 1])
def test_a_file_in_the_way_is_named_before_anything_is_asked(
    tmp_path: Path, name: str, place: int
) -> None:
    folder = tmp_path / "games"
    path = folder_of_table(folder, place) / name
    path.parent.mkdir(parents=True)
    path.write_text("mine", "utf-8")
    adapter = tmp_path / "adapter.py"
    adapter.write_text("open('asked', 'w')", "utf-8")
    words = ("conform", "run", "--counterexamples", str(folder), "--tier", "smoke")
    asked = ("refengine", *words, "--", sys.executable, str(adapter))
    found = run_process(sys.executable, "-m", *asked, cwd=tmp_path)
    assert (found.returncode, found.stdout) == (3, "")
    assert found.stderr.startswith(
        f"refengine: --counterexamples {path}: found a file of yours"
    )
    assert found.stderr.count("\n") == 1
    assert not (tmp_path / "asked").exists()
    assert path.read_text("utf-8") == "mine"


def test_a_file_in_place_of_the_folder_of_a_table_is_in_the_way(tmp_path: Path) -> None:
    folder_of_table(tmp_path, 1).write_text("", "utf-8")
    (tmp_path / "table-mine").write_text("", "utf-8")
    with pytest.raises(Malformed, match="table-2, a file"):
        check_folder(tmp_path)


def test_a_file_in_place_of_the_folder_is_in_the_way_too(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    for folder in (tmp_path / "file", tmp_path / "file" / "games"):
        with pytest.raises(Malformed, match="a folder"):
            check_folder(folder)


def test_a_whole_run_removes_the_games_of_tables_that_it_does_not_have(
    tmp_path: Path,
) -> None:
    other = folder_of_table(tmp_path, 1)
    write_games(ended_with("5.3"), tmp_path)
    write_games(ended_with("5.4"), other)
    (other / "mine.jsonl").write_text("mine", "utf-8")
    write_games(attrs.evolve(ended_with("5.9"), source=PART), tmp_path)
    assert games_in(other) == {"5.4.jsonl", "mine.jsonl"}
    write_games(ended_with("5.9"), tmp_path)
    assert (games_in(tmp_path), games_in(other)) == (
        {"5.9.jsonl", "table-2"},
        {"mine.jsonl"},
    )


def test_a_list_whose_last_line_was_cut_is_gone_on_with(tmp_path: Path) -> None:
    write_games(ended_with("5.3"), tmp_path)
    path = tmp_path / LIST
    path.write_text(path.read_text("utf-8").rstrip("\n"), "utf-8")
    write_games(attrs.evolve(ended_with("5.10"), source=PART), tmp_path)
    assert [line.split()[1] for line in path.read_text("utf-8").splitlines()] == [
        "5.3.jsonl",
        "5.10.jsonl",
    ]
    check_folder(tmp_path)
