"""`make deep` goes on after an interruption, and says what came of it."""

import json
import re
from pathlib import Path

import pytest

from tests.support import deep_run, places

pytestmark = pytest.mark.interpreted("about the tools of a checkout")


class Made:
    """Makes stages without make: those named are red."""

    def __init__(self, *red: str, stops_at: str = "") -> None:
        self.red, self.stops_at = red, stops_at
        self.stages: list[str] = []

    def __call__(self, stage: str, log: Path) -> int:
        if stage == self.stops_at:
            raise KeyboardInterrupt
        self.stages.append(stage)
        log.write_text(f"what {stage} said\n")
        return int(stage in self.red)


def test_each_stage_is_a_target_of_make() -> None:
    makefile = (places.ROOT / "Makefile").read_text("utf-8")
    for stage in deep_run.STAGES:
        assert re.search(rf"^{stage}:", makefile, re.MULTILINE), stage


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        deep_run.run_stages(["a", "b", "c"], "1", tmp_path, Made(stops_at="b"))
    then = Made()
    found = deep_run.run_stages(["a", "b", "c"], "1", tmp_path, then)
    assert then.stages == ["b", "c"]
    assert [one["exit"] for one in found.values()] == [0, 0, 0]


def test_a_red_stage_is_shown_and_made_again_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = Made("a")
    found = deep_run.run_stages(["a", "b"], "1", tmp_path, first)
    assert first.stages == ["a", "b"]
    assert found["a"]["exit"] == 1
    assert "what a said" in capsys.readouterr().out
    again = Made()
    deep_run.run_stages(["a", "b"], "1", tmp_path, again)
    assert again.stages == ["a"]


def test_other_files_have_every_stage_made(tmp_path: Path) -> None:
    deep_run.run_stages(["a"], "1", tmp_path, Made())
    then = Made()
    deep_run.run_stages(["a"], "2", tmp_path, then)
    assert then.stages == ["a"]


def test_the_file_has_the_day_the_commit_and_the_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deep_run, "FILE", tmp_path / "deep.json")
    monkeypatch.setattr(deep_run, "KEPT", tmp_path / "kept")
    stages = {one: {"exit": 0, "seconds": 5} for one in deep_run.STAGES}
    monkeypatch.setattr(deep_run, "run_stages", lambda *_: stages)
    monkeypatch.setattr(deep_run, "digest_of_files", lambda: "1")
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
    monkeypatch.setattr(deep_run, "digest_of_files", lambda: "1")
    monkeypatch.setattr(
        deep_run, "run_stages", lambda *_: {"bench": {"exit": 2, "seconds": 1}}
    )
    assert deep_run.main([]) == 1
    monkeypatch.setattr(
        deep_run, "run_stages", lambda *_: {"bench": {"exit": 0, "seconds": 1}}
    )
    assert deep_run.main(["bench"]) == 0
    assert not (tmp_path / "deep.json").exists()
