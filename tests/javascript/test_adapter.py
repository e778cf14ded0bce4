"""Tests of the adapter for the JavaScript rules, run by our conformance runner."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from refengine.formats import protocol
from tests.support.commands import run_process
from tests.support.node import NODE

pytestmark = pytest.mark.interpreted("about JavaScript")

RULESET = {"profile": "estmesh-hearts", "players": 4}
SETUP = {
    "dealer": 3,
    "deal": 4,
    "hands": ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "KC 7D KH"],
}


def told(adapter: Path, *lines: str) -> list[Any]:
    """The answers of the adapter to these lines."""
    done = run_process(NODE, adapter, input="\n".join(lines))
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def asked(adapter: Path, *requests: dict[str, object]) -> list[Any]:
    return told(adapter, *map(json.dumps, requests))


def test_our_runner_finds_nothing_wrong(adapter: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    command = (sys.executable, "-m", "refengine", "conform", "run", "--tier", "smoke")
    kept = ("--format", "none", "--report", f"jsonl:{report}")
    done = run_process(*command, *kept, "--", NODE, adapter, cwd=tmp_path)
    assert done.returncode == 0
    lines = [json.loads(line) for line in report.read_text("utf-8").splitlines()]
    outcomes = [one["outcome"] for one in lines if "outcome" in one]
    assert outcomes.count("pass") > 300
    # What the Python engine leaves unscored too: there is nothing to ask.
    assert len(outcomes) - outcomes.count("pass") == 2


def test_it_declares_every_capability_of_the_protocol(adapter: Path) -> None:
    (hello,) = asked(adapter, {"seq": 1, "op": "hello", "protocol": 1})
    assert hello["ok"]["capabilities"] == list(protocol.CAPABILITIES)
    assert hello["ok"]["profiles"] == hello["ok"]["players"] == "any"
    assert hello["ok"]["spec"] == "1.1.0"


def test_what_cannot_be_read_is_an_error_and_changes_nothing(adapter: Path) -> None:
    opened = {"seq": 1, "op": "open", "ruleset": RULESET, "setup": SETUP}
    found = told(
        adapter,
        json.dumps(opened),
        "no JSON",
        '{"seq": 3, "op": "fly"}',
        '{"seq": 4, "op": "hello", "protocol": 2}',
        '{"seq": 5, "op": "step", "seat": 0, "act": {"play": "ZZ"}}',
        '{"seq": 6, "op": "step", "seat": 0, "act": {"play": "2C", "draw": 1}}',
        '{"seq": 7, "op": "step", "seat": 0}',
        '{"seq": 8, "op": "step", "seat": 13, "act": {"draw": 1}}',
        '{"seq": 9, "op": "step", "seat": 0, "act": {"draw": 1}, "why": 1}',
        '{"seq": 10, "op": "observe", "seat": 4}',
        '{"seq": 11, "op": "legal", "x-note": {"any": null}}',
        '{"seq": 12, "op": "constructor"}',
    )
    assert found[0] == {"seq": 1, "ok": {}}
    assert "seq" not in found[1]
    assert "error" in found[1]
    assert [list(one) for one in found[2:4]] == [["seq", "unsupported"]] * 2
    assert [list(one) for one in found[4:10]] == [["seq", "error"]] * 6
    said = [one["error"] for one in found[4:10]]
    assert "act.play" in said[0]
    assert "exactly one of" in said[1]
    assert "act" in said[2]
    assert "13" in said[3]
    assert "why" in said[4]
    assert "seat 4" in said[5]
    assert found[10] == {"seq": 11, "ok": {"turn": [0], "play": "2C"}}
    assert [*found[11]] == ["seq", "unsupported"]


def test_without_an_open_game_there_is_nothing_to_ask(adapter: Path) -> None:
    refused = {**RULESET, "options": {"hand_size": 5}}
    found = asked(
        adapter,
        {"seq": 1, "op": "legal"},
        {"seq": 2, "op": "open", "ruleset": RULESET, "setup": SETUP},
        {"seq": 3, "op": "open", "ruleset": refused, "match": {}},
        {"seq": 4, "op": "observe"},
    )
    assert "open" in found[0]["error"]
    assert found[1] == {"seq": 2, "ok": {}}
    assert "refused" in found[2]
    assert "open" in found[3]["error"]


def test_a_seat_is_told_of_the_last_act_what_it_may_know(adapter: Path) -> None:
    passing = {**SETUP, "deal": 1}
    ruleset = {**RULESET, "options": {"pass_count": 1, "pass_cycle": ["left"]}}
    card = "JD"
    found = asked(
        adapter,
        {"seq": 1, "op": "open", "ruleset": ruleset, "setup": passing},
        {"seq": 2, "op": "event", "seat": 0},
        {"seq": 3, "op": "step", "seat": 2, "act": {"pass": card}},
        {"seq": 4, "op": "event", "seat": 2},
        {"seq": 5, "op": "event", "seat": 3},
        {"seq": 6, "op": "step", "seat": 2, "act": {"pass": card}},
        {"seq": 7, "op": "event", "seat": 2},
        {"seq": 8, "op": "event", "seat": 4},
    )
    own = {"kind": "pass", "seat": 2, "act": {"pass": card}}
    assert "no act yet" in found[1]["error"]
    assert found[3] == {"seq": 4, "ok": own}
    assert found[4] == {"seq": 5, "ok": {"kind": "pass", "seat": 2}}
    assert "refused" in found[5]
    assert found[6] == {"seq": 7, "ok": own}
    assert "seat 4" in found[7]["error"]


def test_it_ends_at_bye(adapter: Path) -> None:
    assert asked(adapter, {"op": "bye"}, {"seq": 2, "op": "legal"}) == []


def test_games_are_counted_up_to_a_limit(adapter: Path) -> None:
    found = asked(
        adapter,
        {"seq": 1, "op": "open", "ruleset": RULESET, "setup": SETUP},
        {"seq": 2, "op": "enumerate", "limit": 100},
        {"seq": 3, "op": "enumerate", "limit": 5},
        {"seq": 4, "op": "open", "ruleset": RULESET, "match": {}},
        {"seq": 5, "op": "enumerate", "limit": 5},
    )
    assert found[1]["ok"]["games"] == sum(found[1]["ok"]["divide"].values())
    assert found[1]["ok"]["games"] == found[1]["ok"]["plies"][-1] > 5
    assert found[2] == {"seq": 3, "unsupported": "more than 5 games"}
    assert "match" in found[4]["unsupported"]
