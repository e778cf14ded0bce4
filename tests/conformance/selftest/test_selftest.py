"""Tests of commands that check an engine, and of bad adapters that check the runner."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from refengine.cli.main import main
from refengine.formats.serve import Session
from refengine_conformance.commands import conform_run_command
from refengine_conformance.runner.selection import CORPUS
from refengine_conformance.selftest import selftest
from refengine_conformance.selftest.bad_adapters import HABITS
from refengine_conformance.selftest.selftest import BAD, check_bad_adapter
from tests.support import places

SLOW = ("never_flushes", "answers_late", "hangs")

pytestmark = pytest.mark.usefixtures("folder")  # where counterexamples go


def called(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def conformed(*arguments: str) -> Result:
    return called(
        "conform", "run", "--corpus", str(places.TRACES / "play.jsonl"), *arguments
    )


# The self-test


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in BAD],
)
def test_every_bad_adapter_gets_the_outcome_that_it_must_get(name: str) -> None:
    assert check_bad_adapter(name).wrong == ""


@pytest.mark.parametrize(
    ("said", "spoiled"),
    [([], []), ([1], [0]), ([1, 1], [1, 0]), ([1, 1, 1], [1, 0])],
)
def test_its_own_error_in_a_replay_is_at_the_second_step_or_the_only_one(
    said: list[int], spoiled: list[int]
) -> None:
    answers = {1: {"answer": {"ok": {}}}, 0: {"answer": {"error": "DataCloneError"}}}
    right = {"seq": 1, "ok": {"steps": [answers[one] for one in said], "end": {}}}
    request = {"op": "replay", "seq": 1}
    habit = HABITS["errors_in_replay"]
    found = json.loads(habit(Session(), request, json.dumps(right).encode()))
    assert found["ok"]["steps"] == [answers[one] for one in spoiled]
    assert ("end" in found["ok"]) is not bool(said)


def test_an_adapter_that_gets_another_outcome_fails_the_self_test(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(BAD, "accepts_all", BAD["good"])
    wrong = check_bad_adapter("accepts_all").wrong
    assert "exit 1, must be 0" in wrong
    assert "pass rate 100%" in wrong
    found = called("conform", "selftest", "--only", "accepts_all")
    assert found.exit_code == 1
    assert f"\n       {wrong}\n" in found.output


def test_the_self_test_is_a_command() -> None:
    found = called(
        "conform", "selftest", "--only", "good", "--only", "two_keys", "--json"
    )
    assert found.exit_code == 0
    assert [one["name"] for one in json.loads(found.output)] == ["good", "two_keys"]
    assert called("conform", "selftest", "--only", "nobody").exit_code == 3


# The command `run`


def test_the_reference_passes_and_the_exit_code_is_0() -> None:
    found = conformed("--format", "text", "--", "builtin:reference")
    assert found.exit_code == 0
    assert "pass rate 100%" in found.output


def test_elsewhere_than_on_a_terminal_json_lines_are_printed() -> None:
    lines = conformed("--", "builtin:reference").output.splitlines()
    assert json.loads(lines[0])["report"] == 1
    assert json.loads(lines[-1])["exit"] == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--trace", "t-0", "--", "builtin:reference"), 4),
        (("--profile", "no-such", "--", "builtin:reference"), 3),
        (("--clause", "5.99", "--", "builtin:reference"), 3),
        (("--corpus", "none.jsonl", "--", "builtin:reference"), 3),
        (("--known", "none.jsonl", "--", "builtin:reference"), 3),
        (("--report", "pdf:x", "--", "builtin:reference"), 3),
        (("--jobs", "0", "--", "builtin:reference"), 3),
        (("--", "builtin:nothing"), 3),
        ((), 3),
        (("--", "./no-such-adapter"), 2),
    ],
)
def test_exit_codes_of_wrong_usage(arguments: tuple[str, ...], code: int) -> None:
    assert conformed(*arguments).exit_code == code


def test_the_command_that_a_failure_names_shows_it_again(tmp_path: Path) -> None:
    command = selftest.bad_adapter_command("wrong_legal")
    path = tmp_path / "report.jsonl"
    found = conformed("--report", f"jsonl:{path}", "--format", "text", "--", *command)
    assert found.exit_code == 1
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:-1]]
    failed = next(line for line in lines if line["outcome"] == "fail")
    trace = failed["case"].partition("/")[0]
    again = conformed("--trace", trace, "--", *command)
    cases = [json.loads(line) for line in again.output.splitlines()[1:-1]]
    assert failed in cases


def test_known_failures_are_written_and_read(tmp_path: Path) -> None:
    path = str(tmp_path / "known.jsonl")
    command = selftest.bad_adapter_command("wrong_legal")
    assert conformed("--write-known", path, "--", *command).exit_code == 1
    assert conformed("--known", path, "--", *command).exit_code == 0


def test_an_interrupt_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(conform_run_command, "run", interrupted)
    assert conformed("--", "builtin:reference").exit_code == 130


@pytest.mark.parametrize("corpus", [(), ("--corpus", str(CORPUS))])
def test_the_published_corpus_is_taken_unless_files_are_named(
    corpus: tuple[str, ...],
) -> None:
    first = json.loads((CORPUS / "index.jsonl").read_text("utf-8").partition("\n")[0])
    words = ("--trace", first["id"], "--format", "text", "--", "builtin:reference")
    found = called("conform", "run", *corpus, *words)
    assert found.exit_code == 0
    assert "pass rate 100%" in found.output


def test_what_is_not_wanted_is_not_done(tmp_path: Path) -> None:
    words = ("--format", "none", "--no-shrink", "--no-infer", "--")
    found = conformed(*words, *selftest.bad_adapter_command("wrong_legal"))
    assert (found.exit_code, found.output) == (1, "")
    assert not list(tmp_path.iterdir())


def test_known_failures_that_cannot_be_written_are_exit_code_3(tmp_path: Path) -> None:
    path = str(tmp_path / "nowhere" / "known.jsonl")
    found = conformed("--write-known", path, "--", "builtin:reference")
    assert found.exit_code == 3
    assert found.output.startswith(
        f"refengine: --write-known {path}: cannot be written: there is no folder"
    )


@pytest.mark.parametrize(
    "written",
    [
        ("--write-known", "/dev/full"),
        ("--report", "html:/dev/full"),
        ("--report", "jsonl:/dev/full", "--report", "text:r.txt"),
    ],
)
def test_a_full_disk_is_exit_code_3_and_what_was_found_is_still_told(
    written: tuple[str, ...],
) -> None:
    command = selftest.bad_adapter_command("wrong_legal")
    found = conformed(*written, "--format", "text", "--", *command)
    assert found.exit_code == 3
    *told, last = found.output.splitlines()
    assert last == "refengine: /dev/full: cannot be written: no space left on device"
    assert any("not kept" in line for line in told)
    assert "text:r.txt" not in written or "not kept" in Path("r.txt").read_text("utf-8")


def test_each_report_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    names = ["one.html", "two.jsonl"]
    for name in names:
        (tmp_path / name).symlink_to("/dev/full")
    reports = [f"--report={name.partition('.')[2]}:{tmp_path / name}" for name in names]
    command = selftest.bad_adapter_command("wrong_legal")
    found = conformed(*reports, "--format", "none", "--", *command)
    assert found.exit_code == 3
    assert found.output.splitlines() == [
        f"refengine: {tmp_path / name}: cannot be written: no space left on device"
        for name in names
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("--report", "jsonl:{file}", "--corpus", "{file}"),
        ("--report", "text:{file}", "--known", "{file}"),
        ("--write-known", "{file}"),
        ("--report", "html:new", "--report", "text:new"),
        ("--report", "jsonl:new", "--log", "new"),
    ],
)
def test_what_would_be_lost_is_an_error_before_anything_is_asked(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(b"")
    if "--write-known" in words:
        path.write_bytes(b"mine")
    before = path.read_bytes()
    typed = [word.format(file=path) for word in words]
    found = conformed(*typed, "--", "/no/such/adapter")
    assert found.exit_code == 3
    assert "cannot be started" not in found.output
    assert path.read_bytes() == before


def test_a_folder_with_the_name_of_a_profile_is_not_read(tmp_path: Path) -> None:
    report = tmp_path / "common-hearts" / "report.jsonl"
    report.parent.mkdir()
    report.write_text("{}\n")
    words = ("--profile", "common-hearts", "--report", f"jsonl:{report}")
    found = conformed(*words, "--", "/no/such/adapter")
    assert "that this run reads" not in found.output


def test_the_source_of_an_adapter_is_no_place_for_a_report(tmp_path: Path) -> None:
    path = tmp_path / "engine.py"
    path.write_text("mine")
    found = conformed("--report", f"html:{path}", "--", "python", str(path))
    assert found.exit_code == 3
    assert "engine.py: found a file that this run reads" in found.output
    assert path.read_text() == "mine"


# The tools


def test_a_tool_is_a_process_of_its_own_whose_exit_code_is_ours() -> None:
    assert called("conform", "registry", "--check").exit_code == 0
    assert called("conform", "mutants", "serve", "no-such-mutant").exit_code == 3


def test_a_tool_that_lacks_a_package_says_which(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    found = called("conform", "proofs")
    needed = (
        "refengine: proofs needs z3: pip install --editable 'conformance[proofs]'\n"
    )
    assert (found.exit_code, found.output) == (3, needed)
