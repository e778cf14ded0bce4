"""Tests of a release: one version everywhere, tested wheels and a valid workflow."""

import re
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

import refengine
from refengine import public
from refengine.cli import main
from refengine.cli.late_group import LateGroup
from refengine_conformance.data import data
from release import agreed, smoke
from tests.support import places
from tests.support.commands import run_process, run_python

pytestmark = pytest.mark.interpreted("about making wheels, and about the checkout")

PROJECT = tomllib.loads((places.ROOT / "pyproject.toml").read_text("utf-8"))
TESTER_PROJECT = tomllib.loads((places.ROOT / agreed.TESTER).read_text("utf-8"))
MAKEFILE = (places.ROOT / "Makefile").read_text("utf-8")
WORKFLOWS = sorted((places.ROOT / ".github/workflows").glob("*.yml"))
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def workflow(name: str) -> dict[Any, Any]:  # the key `on` is True in YAML
    path = places.ROOT / ".github/workflows" / f"{name}.yml"
    found: dict[Any, Any] = yaml.safe_load(path.read_text("utf-8"))
    return found


RELEASE = workflow("release")
JOBS: dict[str, dict[str, Any]] = RELEASE["jobs"]


def commands(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job.get("steps", ()) if "run" in step]


# One version


def test_the_build_takes_the_version_from_the_package() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"] == {"path": "refengine/__init__.py"}
    assert agreed.version_of(places.ROOT) == refengine.__version__


def test_no_other_file_of_the_package_states_the_version() -> None:
    version = refengine.__version__
    stated = {
        path.relative_to(places.ROOT).as_posix()
        for folder in (
            "refengine",
            "conformance/refengine_conformance",
            "site",
            "bench",
        )
        for path in (places.ROOT / folder).rglob("*.py")
        if re.search(rf"[\"'=]{re.escape(version)}[\"']", path.read_text("utf-8"))
    }
    assert stated == {"refengine/__init__.py"}


def test_changes_and_citation_state_the_version_of_the_package() -> None:
    assert list(agreed.disagreements(places.ROOT)) == []


def test_the_page_about_installing_shows_the_line_that_is_printed() -> None:
    text = (places.DOCS / "installing.md").read_text("utf-8")
    shown = re.findall(r"^(refengine \d.*)$", text, re.MULTILINE)
    modes = {re.sub(r"\(.*?\)", "", one, count=1) for one in shown}
    assert len(shown) == 2
    assert modes == {re.sub(r"\(.*?\)", "", main.version_line(), count=1)}


CHANGES = "# Changelog\n\n## 1.2.3 (2030-01-02)\n\n## 1.2.2 (2029-01-01)\n"
TESTER = 'version = "1.2.3"\ndependencies = [\n    "refengine==1.2.3",\n]\n'
CITATION = 'version: 1.2.3\ndate-released: "2030-01-02"\n'


def project(root: Path, version: str = "1.2.3") -> Path:
    (root / "refengine").mkdir()
    (root / "refengine/__init__.py").write_text(f'__version__ = "{version}"\n')
    (root / "CHANGELOG.md").write_text(CHANGES)
    (root / "CITATION.cff").write_text(CITATION)
    (root / "conformance").mkdir()
    (root / agreed.TESTER).write_text(TESTER)
    return root


def test_what_agrees_may_be_released(tmp_path: Path) -> None:
    assert list(agreed.disagreements(project(tmp_path), "v1.2.3")) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("CHANGELOG.md", "1.2.3 (2030-01-02)", "1.2.3 (unreleased)", "which day"),
        ("CHANGELOG.md", "1.2.3", "1.2.4", "CHANGELOG.md has 1.2.4"),
        ("CHANGELOG.md", "01-02", "01-03", "released on 2030-01-03"),
        ("CITATION.cff", "1.2.3", "1.2.2", "CITATION.cff has 1.2.2"),
        ("CITATION.cff", "version", "edition", "CITATION.cff has no version"),
        (agreed.TESTER, '"1.2.3"', '"1.2.2"', "conformance/pyproject.toml has 1.2.2"),
        (agreed.TESTER, "==1.2.3", ">=1.2.3", "what it needs, has no version"),
        ("refengine/__init__.py", "1.2.3", "1.2.4", "should be v1.2.4"),
        ("refengine/__init__.py", "1.2.3", "1.2", "is not a version"),
    ],
)
def test_what_disagrees_is_named(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    path = project(tmp_path) / file
    path.write_text(path.read_text().replace(old, new, 1))
    found = list(agreed.disagreements(tmp_path, "v1.2.3"))
    assert any(said in one for one in found), found


def test_a_tag_that_is_not_the_version_ends_the_release(tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    shutil.copy(places.ROOT / "release/agreed.py", tmp_path / "release")
    command = [sys.executable, str(project(tmp_path) / "release/agreed.py")]
    for tag, code in (("v1.2.3", 0), ("v1.2.4", 1)):
        done = run_process(*command, tag)
        assert (done.returncode, done.stderr) == (code, "")


def test_what_is_deprecated_goes_in_the_version_that_it_names() -> None:
    """This version must be older than the one in which an older name is removed."""
    old = next(iter(public.OLD_NAMES))
    with pytest.warns(DeprecationWarning, match=old) as warned:
        public.deprecated(old, public.OLD_NAMES[old], depth=1)
    goes = re.search(r"removed in version (\d+)\.(\d+)$", str(warned[0].message))
    assert goes is not None
    now = tuple(map(int, refengine.__version__.split(".")[:2]))
    assert now < (int(goes[1]), int(goes[2]))


def test_the_package_that_tests_engines_has_the_same_licence() -> None:
    own = places.ROOT / "conformance/LICENSE"
    assert own.read_bytes() == (places.ROOT / "LICENSE").read_bytes()
    for key in ("license", "requires-python", "authors"):
        assert TESTER_PROJECT["project"][key] == PROJECT["project"][key]


# A wheel is tried


def test_the_smoke_test_plays_its_deal_and_runs_commands() -> None:
    assert smoke.check_deal().over
    assert smoke.check_command("rule", "5.3").startswith("5.3 Follow suit")
    assert smoke.check_replay() == "20 as expected, 0 not\n"


def test_the_smoke_test_finds_a_wrong_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smoke, "SCORE", (0, 0, 13, 5))
    with pytest.raises(smoke.FailedError, match=r"score is \(0, 0, 13, 4\)"):
        smoke.check_deal()


def test_the_smoke_test_refuses_what_is_interpreted() -> None:
    """It is run here on the source in the repository, which is interpreted."""
    done = run_process(sys.executable, places.ROOT / "release/smoke.py")
    assert done.returncode == 1
    assert done.stderr == "smoke: the rules are interpreted, not compiled\n"


def test_a_command_that_fails_is_told_with_what_it_said() -> None:
    with pytest.raises(smoke.FailedError, match=r"rule 99\.99"):
        smoke.check_command("rule", "99.99")


# Which Pythons


def test_the_same_pythons_are_promised_built_and_tested() -> None:
    said = " ".join(PROJECT["project"]["classifiers"])
    assert re.findall(r":: (3\.\d+)", said) == PYTHONS
    assert PROJECT["project"]["requires-python"] == f">={PYTHONS[0]}"
    built = PROJECT["tool"]["cibuildwheel"]["build"]
    assert built == [f"cp{one.replace('.', '')}-*" for one in PYTHONS]
    assert JOBS["sdist"]["strategy"]["matrix"]["python"] == PYTHONS
    checked = workflow("check")["jobs"]["check"]["strategy"]["matrix"]["python"]
    assert checked == PYTHONS


def test_the_page_names_each_python_and_says_which_were_run() -> None:
    page = (places.DOCS / "releases.md").read_text("utf-8")
    table = page.partition("| Python |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (3\.\d+) \|", table, re.MULTILINE) == PYTHONS


# The workflow


def test_a_release_begins_with_a_tag_and_publishes_only_then() -> None:
    assert RELEASE[True] == {"push": {"tags": ["v*"]}, "workflow_dispatch": None}
    only = {name for name, job in JOBS.items() if "tag" in str(job.get("if"))}
    assert only == {"attach", "publish"}


def test_nothing_is_published_before_everything_has_been_tried() -> None:
    assert JOBS["publish"]["needs"] == "attach"
    assert set(JOBS["attach"]["needs"]) == {"check", "sdist", "wheels", "conform"}
    first = {JOBS[name]["needs"] for name in ("sdist", "wheels", "conform")}
    assert first == {"agreed"}


def test_the_index_trusts_the_workflow_and_knows_no_password() -> None:
    assert JOBS["publish"]["permissions"] == {"id-token": "write"}
    text = (places.ROOT / ".github/workflows/release.yml").read_text("utf-8")
    assert not re.search("password|secrets|api-token", text.replace("no password", ""))
    writing = {name for name, job in JOBS.items() if "permissions" in job}
    assert (writing, RELEASE["permissions"]) == (
        {"attach", "publish"},
        {"contents": "read"},
    )


def test_a_wheel_that_is_not_compiled_cannot_be_built_for_a_release() -> None:
    settings = PROJECT["tool"]["cibuildwheel"]
    assert settings["environment"] == {"REFENGINE_COMPILE": "1"}
    (installing,) = (
        step
        for step in JOBS["sdist"]["steps"]
        if "pip install dist" in step.get("run", "")
    )
    assert installing["env"] == {"REFENGINE_COMPILE": "1"}


def test_every_wheel_is_tried_on_each_system() -> None:
    systems = JOBS["wheels"]["strategy"]["matrix"]["os"]
    assert [one.partition("-")[0] for one in systems] == ["ubuntu", "macos", "windows"]
    tried = PROJECT["tool"]["cibuildwheel"]["test-command"]
    assert tried == "python {project}/release/smoke.py"
    assert "python release/smoke.py" in commands(JOBS["sdist"])
    assert "python release/smoke.py conform" in commands(JOBS["conform"])


def test_what_is_packed_with_is_what_the_build_asks_for() -> None:
    (pinned,) = PROJECT["build-system"]["requires"]
    for name in ("sdist", "conform"):
        assert f"python -m pip install {pinned}" in commands(JOBS[name])
    assert TESTER_PROJECT["build-system"]["requires"] == [pinned]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_command_of_a_workflow_exists(path: Path) -> None:
    jobs = workflow(path.stem)["jobs"]
    for job in jobs.values():
        for called in filter(None, [job.get("uses")]):
            assert (places.ROOT / called).is_file()
        for command in commands(job):
            program, *words = command.split()
            if program == "make":
                assert re.search(rf"^{words[0]}:", MAKEFILE, re.MULTILINE), command
            elif program == "python" and words[0] == "-m":
                assert words[1] in ("pip", "hatchling"), command
            elif program == "python":
                assert (places.ROOT / words[0]).is_file(), command
            else:
                assert (program, words[:2]) == ("gh", ["release", "create"]), command
        needed = job.get("needs", [])
        assert {*([needed] if isinstance(needed, str) else needed)} <= jobs.keys()


def test_what_one_job_leaves_another_takes_up() -> None:
    left = [
        step["with"]["name"]
        for job in JOBS.values()
        for step in job.get("steps", ())
        if "upload-artifact" in step.get("uses", "")
    ]
    taken = {
        step["with"]["pattern"]
        for job in JOBS.values()
        for step in job.get("steps", ())
        if "download-artifact" in step.get("uses", "")
    }
    assert taken == {"built-*"}
    assert len(left) == 3
    assert all(name.startswith("built-") for name in left)


# Where the signals of Linux and macOS are missing

ELSEWHERE = """
import os, signal, sys
for name in ("SIGHUP", "pthread_sigmask"):
    delattr(signal, name)
for name in ("killpg", "fork"):
    delattr(os, name)
sys.modules["fcntl"] = None
from refengine.cli.main import main
main.main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    "words",
    [
        *("--version", "--help", "rule 5.3", "conform bundled"),
        f"judge {data('examples', '10-log.jsonl')}",
        f"replay {data('corpus', 'smoke.jsonl')}",
    ],
)
def test_a_command_that_needs_no_signals_runs_without_them(words: str) -> None:
    done = run_python(ELSEWHERE, *words.split())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "words", ["replay --jobs 2 -", "conform run -- x", "conform run --help"]
)
def test_a_command_that_needs_them_says_so(words: str) -> None:
    done = run_python(ELSEWHERE, *words.split())
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.endswith(" needs Linux or macOS\n")


def test_what_cannot_be_imported_is_no_secret_where_signals_are() -> None:
    def load(name: str) -> click.Command | None:
        raise ImportError(name)

    group = LateGroup("tools", sections={"Tools": {"saw": "Cut."}}, load=load)
    with pytest.raises(ImportError, match="saw"):
        group.get_command(click.Context(group), "saw")
