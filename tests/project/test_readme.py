"""Tests that the README and its first pages show what really happens."""

import doctest
import json
import re
import shlex
from datetime import date
from pathlib import Path

import pytest

from refengine_conformance.openspiel import lockstep
from refengine_conformance.openspiel.one_deal import NotInstalled
from tests.support import places
from tests.support.commands import run_command

README = places.ROOT / "README.md"
RULINGS = places.DOCS / "rulings.md"
MOST_LINES = 150
QUESTION = (
    'explain --profile common-hearts --hand "QS JD 2H" --trick 5C --first-trick '
    "--card QS"
)


def shown(command: str, page: Path = README) -> str:
    """The output that a page shows for this command."""
    _, _, rest = page.read_text("utf-8").partition(f"$ {command}\n")
    return rest.partition("```")[0].strip()


def evidence() -> dict[str, int]:
    """The figures of the evidence that was last recorded, by name."""
    folder = places.ROOT / "conformance"
    found = json.loads((folder / "strength.json").read_text("utf-8"))
    index = (folder / "corpus" / "index.jsonl").read_text("utf-8")
    return {
        "mutants": found["score"]["mutants"],
        "killed": found["score"]["killed"],
        "theorems": sum(bool(one) for one in found["theorems"].values()),
        "millions": found["exhaustion"]["deals"] // 1_000_000,
        "lines": len(index.splitlines()),
    }


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The output that a command really gives."""
    return run_command(capsys, *words)[1].strip()


def without_time(text: str) -> str:
    """The text without the version line and the seconds, which vary."""
    text = re.sub(r"^refengine .*$", "", text, flags=re.MULTILINE)
    return re.sub(r"^ +seconds +[\d.]+$", "", text, flags=re.MULTILINE).strip()


@pytest.mark.usefixtures("folder")
def test_the_session_of_the_readme_is_what_happens() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert (failed, tried > 5) == (0, True)


def test_the_output_of_make_conform_is_the_real_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    try:
        lockstep.lockstep(1)
    except NotInstalled as missing:
        pytest.skip(str(missing))  # the README shows it installed
    installing = places.DOCS / "installing.md"
    made, building, rest = shown("make conform", installing).split("\n", 2)
    assert made == "making the environment in .venv"
    assert building == "building refengine (half a minute where there is a C compiler)"
    assert without_time(printed(capsys, "conform", "all")) == without_time(rest)


@pytest.mark.parametrize(
    ("command", "page"),
    [("rule 5.5", RULINGS), ("profiles", README), (QUESTION, RULINGS)],
)
def test_other_output_is_the_real_one(
    capsys: pytest.CaptureFixture[str], command: str, page: Path
) -> None:
    printed_here = printed(capsys, *shlex.split(command))
    assert printed_here == shown(f"refengine {command}", page)


def test_a_ruling_begins_as_the_readme_shows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, _, rest = shown(f"refengine {QUESTION}").rpartition("\n...")
    assert rest == ""
    assert len(first.splitlines()) in range(9, 15)
    assert printed(capsys, *shlex.split(QUESTION)).startswith(first + "\n")


@pytest.mark.usefixtures("folder")
def test_the_red_lines_are_lines_of_the_report_in_this_order(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = "conform run --tier smoke --format text -- builtin:mutant:off:5.3"
    before, *red = shown(f"refengine {command}").splitlines()
    assert before == "..."
    assert len(red) == 8
    lines = iter(printed(capsys, *shlex.split(command)).splitlines())
    assert all(line in lines for line in red)  # each is looked for behind the last


@pytest.mark.interpreted("about a file of the checkout")
def test_the_figures_of_the_evidence_are_those_recorded_last() -> None:
    text = README.read_text("utf-8")
    found = evidence()
    assert "- {killed:,} of {mutants:,} errors planted".format(**found) in text
    assert "the {lines} lines of the published corpus".format(**found) in text
    assert "- {theorems} theorems".format(**found) in text
    assert "- {millions} million small deals".format(**found) in text
    page = (places.DOCS / "evidence.md").read_text("utf-8")
    assert "| {killed:,} of {mutants:,}: ".format(**found) in page
    assert "| {theorems} proved |".format(**found) in page
    assert "| {millions} million deals".format(**found) in page


@pytest.mark.interpreted("about files of the checkout")
def test_when_everything_was_tried_is_what_was_written_then() -> None:
    found = json.loads((places.ROOT / "conformance/deep.json").read_text("utf-8"))
    day = date.fromisoformat(found["date"])
    minutes = round(sum(found["seconds"].values()) / 60)
    assert (
        f"was last run on {day.day} {day:%B %Y}, at commit {found['commit'][:7]}, "
        f"and passed (`make deep`, {minutes} minutes)."
    ) in README.read_text("utf-8")


def figure(ratio: float) -> str:
    """A ratio of the benchmark in the form that the pages use."""
    return f"{ratio:.0f}" if ratio > 100 else f"{ratio:.2f}"


@pytest.mark.interpreted("about files of the checkout")
def test_the_figures_of_the_bench_are_those_measured_last() -> None:
    bench = places.ROOT / "bench"
    found = json.loads((bench / "results.json").read_text("utf-8"))
    page = (bench / "README.md").read_text("utf-8")
    cells = [row.split(" | ") for row in page.splitlines() if row.startswith("| ")]
    assert [(one[0], one[1]) for one in cells[2:]] == [
        (f"| {row['name']}", figure(row["ratio"])) for row in found["rows"]
    ]
    fastest = found["rows"][0]
    assert (
        f"Random playouts take {fastest['ours'] * 1e9:.0f} ns a play, "
        f"{figure(fastest['ratio'])} times as fast as OpenSpiel's C++"
    ) in README.read_text("utf-8")
    day = date.fromisoformat(found["date"])
    assert f"by `make bench` on {day.day} {day:%B %Y} and written into" in page


@pytest.mark.interpreted("about a file of the checkout")
def test_the_first_screen_is_short() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= MOST_LINES


@pytest.mark.interpreted("about files of the checkout")
def test_every_place_that_the_readme_leads_to_is_there() -> None:
    for page in (README, *places.DOCS.glob("*.md"), places.ROOT / "bench/README.md"):
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
            if "://" not in link and not link.startswith("data:"):
                assert (page.parent / link).exists(), f"{page.name}: {link}"
