"""Tests that `make deep` resumes after an interruption and reports each stage."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.support import deep_run, places
from tests.support.commands import run_process

pytestmark = pytest.mark.interpreted("about the tools of a checkout")


class Made:
    """A stand-in for make, in which the stages named fail."""

    def __init__(self, *red: str, stops_at: str = "") -> None:
        self.red, self.stops_at = red, stops_at
        self.stages: list[str] = []

    def __call__(self, stage: str, log: Path) -> int:
        if stage == self.stops_at:
            raise KeyboardInterrupt
        self.stages.append(stage)
        log.write_text(f"what {stage} said\n")
        return int(stage in self.red)


def files(*stages: str) -> dict[str, str]:
    """A mapping from each of these stages to the same digest of files."""
    return dict.fromkeys(stages, "1")


def test_each_stage_is_a_target_of_make() -> None:
    makefile = (places.ROOT / "Makefile").read_text("utf-8")
    for stage in deep_run.STAGES:
        assert re.search(rf"^{stage}:", makefile, re.MULTILINE), stage


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        deep_run.run_stages(files("a", "b", "c"), tmp_path, Made(stops_at="b"))
    then = Made()
    found = deep_run.run_stages(files("a", "b", "c"), tmp_path, then)
    assert then.stages == ["b", "c"]
    assert [one["exit"] for one in found.values()] == [0, 0, 0]


def test_a_red_stage_is_shown_and_made_again_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = Made("a")
    found = deep_run.run_stages(files("a", "b"), tmp_path, first)
    assert first.stages == ["a", "b"]
    assert found["a"]["exit"] == 1
    assert "what a said" in capsys.readouterr().out
    again = Made()
    deep_run.run_stages(files("a", "b"), tmp_path, again)
    assert again.stages == ["a"]


def test_other_files_have_the_stages_made_that_read_them(tmp_path: Path) -> None:
    deep_run.run_stages(files("a", "b"), tmp_path, Made())
    then = Made()
    deep_run.run_stages(files("a") | {"b": "2"}, tmp_path, then)
    assert then.stages == ["b"]


def test_what_asks_the_rules_alone_reads_neither_tests_nor_guides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, ...]] = []

    def git(*words: str) -> str:
        asked.append(words)
        return ""

    monkeypatch.setattr(deep_run, "git", git)
    deep_run.digest_of_files("engines")
    assert all(":(exclude)tests" in words for words in asked)
    assert all(":(exclude)conformance/deep.json" in words for words in asked)
    asked.clear()
    deep_run.digest_of_files("all-tests")
    assert not any(":(exclude)tests" in words for words in asked)
    assert {*deep_run.ASKING} < {*deep_run.STAGES}
    assert all((places.ROOT / name).exists() for name in deep_run.UNREAD)


@pytest.mark.parametrize("name", ["conformance", "refengine", "spec", "bench"])
def test_the_digest_is_another_once_something_it_reads_has_changed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "a"]):
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True)
    monkeypatch.setattr(places, "ROOT", tmp_path)
    before = deep_run.digest_of_files("engines")
    for folder in (name, "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "tests" / "a.py").write_text("1")
    assert deep_run.digest_of_files("engines") == before
    (tmp_path / name / "a.py").write_text("1")
    assert deep_run.digest_of_files("engines") != before


def test_the_file_has_the_day_the_commit_and_the_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deep_run, "FILE", tmp_path / "deep.json")
    monkeypatch.setattr(deep_run, "KEPT", tmp_path / "kept")
    stages = {one: {"exit": 0, "seconds": 5} for one in deep_run.STAGES}
    monkeypatch.setattr(deep_run, "run_stages", lambda *_: stages)
    monkeypatch.setattr(deep_run, "digest_of_files", lambda _: "1")
    monkeypatch.setattr(deep_run, "git", lambda *_: "0123abcd\n")
    assert deep_run.main([]) == 0
    found = json.loads((tmp_path / "deep.json").read_text())
    assert found["commit"] == "0123abcd"
    assert found["seconds"] == dict.fromkeys(deep_run.STAGES, 5)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", found["date"])


def test_nothing_is_written_while_a_stage_is_red_or_only_some_were_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deep_run, "FILE", tmp_path / "deep.json")
    monkeypatch.setattr(deep_run, "digest_of_files", lambda _: "1")
    for words, code in (((), 2), (("bench",), 0)):
        found = {"bench": {"exit": code, "seconds": 1}}
        monkeypatch.setattr(deep_run, "run_stages", lambda *_, found=found: found)
        assert deep_run.main(words) == bool(code)
    assert not (tmp_path / "deep.json").exists()


def test_new_files_are_told_apart_whatever_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_process("git", "init", "-q", cwd=tmp_path, check=True)
    monkeypatch.setattr(places, "ROOT", tmp_path)
    folder = tmp_path / "bench"
    folder.mkdir()
    found = set()
    for first, second in (("one\ntwo\n", "three\n"), ("one\n", "two\nthree\n")):
        (folder / "a.py").write_text(first, "utf-8")
        (folder / "b.py").write_text(second, "utf-8")
        found.add(deep_run.digest_of_files("bench"))
    assert len(found) == 2
    (folder / "gr\u00fcn.py").write_text("1", "utf-8")
    assert deep_run.digest_of_files("bench") not in found
