"""Tests of engines that play one ruleset with whole hands, each with one bug.

The bugs are those seen in engines that others wrote, planted into the plain example
engine. Each engine is run from the command line at the table that it plays, and its bug
must be reported under the clause that it breaks.
"""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from refengine_conformance.runner.selection import CORPUS
from tests.support import places
from tests.support.adapters import Json
from tests.support.commands import run_command
from tests.support.node import NODE

pytestmark = pytest.mark.unmeasured

PLAIN = (sys.executable, str(places.ADAPTERS / "plain_adapter.py"))
JAVASCRIPT = (NODE, str(places.ADAPTERS / "hearts_adapter.mjs"))
OPENSPIEL = (sys.executable, str(places.ADAPTERS / "openspiel_adapter.py"))
TABLE: Json = {
    "profile": "estmesh-hearts",
    "options": {
        "first_trick_points": "barred",
        "moon": "others_plus",
        "bonus_card": "JD",
    },
    "hands": "full",
    "starts": ["deal"],
}
FLAGS = ["--hands", "full", "--starts", "deal"]
for name, value in TABLE["options"].items():
    FLAGS += ["--option", f"{name}={value}"]
FAULTS = {
    "5.5": [("keep(card for card in hand if not deal.worth([card]))", "pass")],
    "5.5a": [
        (
            "keep(card for card in hand if not deal.worth([card]))",
            "allowed = {card for card in allowed if not deal.worth([card])}",
        )
    ],
    "5.4a": [("            keep(others)", "            allowed &= others")],
    "5.1": [
        (
            '    if way != "hold":',
            '    early = [seat for seat in SEATS if "2C" in deal.hands[seat]]\n'
            '    if way != "hold":',
        ),
        ("if clubs and clubs[0] in deal.hands[seat]:", "if seat in early:"),
    ],
    "8.3": [
        (
            '    if moon != "none" and possible',
            "    bonus = deal.options['bonus_card']\n"
            "    counted = [\n"
            "        points + (deal.options['bonus_points'] if bonus in pile else 0)\n"
            "        for points, pile in zip(score, deal.taken, strict=True)\n"
            "    ]\n"
            "    takers = {seat for seat in SEATS if counted[seat] == 26}\n"
            '    if moon != "none" and possible',
        )
    ],
    "9.5": [
        (
            "[seat for seat in SEATS if deal.totals[seat] == lowest]",
            "[deal.totals.index(lowest)]",
        )
    ],
}
Ended = tuple[int, list[Json]]
Asked = Callable[..., Ended]


@pytest.fixture
def ask(folder: Path, capsys: pytest.CaptureFixture[str]) -> Asked:
    def run(*words: str) -> Ended:
        given = ("conform", "run", "--no-shrink", "--no-infer", *words)
        code, out, _ = run_command(capsys, *given)
        return code, [json.loads(line) for line in out.splitlines()]

    return run


def faulty(folder: Path, clause: str) -> tuple[str, ...]:
    """The command of a copy of the plain engine with the bug for this clause."""
    (folder / "corpus").symlink_to(CORPUS)
    copy = folder / "adapters"
    copy.mkdir()
    shutil.copy(PLAIN[-1], copy)
    text = (places.ADAPTERS / "plain_engine.py").read_text("utf-8")
    for right, wrong in FAULTS[clause]:
        assert text.count(right) == 1, right
        text = text.replace(right, wrong)
    (copy / "plain_engine.py").write_text(text, "utf-8")
    return sys.executable, str(copy / "plain_adapter.py")


def findings(lines: list[Json]) -> list[str]:
    return [line["finding"].split()[0] for line in lines if "finding" in line]


def share_asked(lines: list[Json]) -> list[float]:
    """For each table, the fraction of the clauses askable there that was asked."""
    counts = [line["clauses"] for line in lines if "end" in line]
    assert all(one["askable"] > 20 for one in counts)
    return [one["asked"] / one["askable"] for one in counts]


@pytest.mark.parametrize("clause", FAULTS)
def test_an_engine_with_this_bug_is_red_at_its_clause(
    ask: Asked, tmp_path: Path, clause: str
) -> None:
    code, lines = ask(*FLAGS, "--", *faulty(tmp_path, clause))
    assert code == 1
    assert findings(lines) == [clause]


@pytest.mark.parametrize("adapter", [PLAIN, JAVASCRIPT], ids=["Python", "JavaScript"])
def test_an_engine_without_a_bug_is_green(ask: Asked, adapter: tuple[str, ...]) -> None:
    code, lines = ask(*FLAGS, "--", *adapter)
    assert (code, findings(lines)) == (0, [])
    assert min(share_asked(lines)) >= 0.9


@pytest.mark.parametrize(
    "adapter",
    [PLAIN, (*JAVASCRIPT, json.dumps([TABLE]))],
    ids=["Python", "JavaScript"],
)
def test_hello_alone_is_enough(ask: Asked, adapter: tuple[str, ...]) -> None:
    code, lines = ask("--", *adapter)
    assert (code, findings(lines)) == (0, [])
    assert lines[0]["table"]["hands"] == "full"
    assert min(share_asked(lines)) >= 0.9


def test_openspiel_is_right_but_for_its_deviation(ask: Asked) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this platform")
    code, lines = ask("--", *OPENSPIEL)
    assert code == 1
    [begun, never] = [at for at, line in enumerate(lines) if "report" in line]
    assert findings(lines[begun:never]) == []
    end = lines[never - 1]
    unasked = {one["clause"] for one in end["clauses"]["not_asked"]}
    # It names no clauses, and knows no match: 4.5, and the totals and the end.
    assert unasked == {"4.5", "9.1", "9.4", "9.5"}
    assert {"field": "match", "clauses": ["9.1", "9.4", "9.5"]} in end["untold"]
    assert lines[never]["table"]["options"] == {"pass_cycle": []}
    assert findings(lines[never:])[0] == "4.1"
    assert [clause for clause, _ in lines[never]["card"]["deviations"]] == ["4.1"]
