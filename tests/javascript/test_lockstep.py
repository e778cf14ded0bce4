"""Tests of the rules in both languages, compared call by call in random games."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from carrying.calls import Recorder

from refengine import Malformed, Refused, State, profile_names
from refengine_conformance.generators.strategies import some_opening, some_script
from tests.support.node import node_prints
from tests.support.places import ROOT

pytestmark = pytest.mark.interpreted("calls inside compiled code cannot be recorded")
LOCKSTEP = ROOT / "js" / "lockstep.mjs"


def recorded(seed: int, name: str, games: int) -> list[str]:
    """The calls recorded in this many random games, which may contain revokes."""
    rng = Random(seed)
    recorder = Recorder()
    with recorder.listening():
        for _ in range(games):
            begun = some_opening(rng, name, 3)
            script = some_script(rng, begun, 0.3, tries=0.5, most=60)
            state = State.open(script.ruleset, script.start)
            for move in script.moves:
                for act in move.tries:
                    try:
                        state.apply(act)
                    except (Refused, Malformed):
                        continue
                state = state.apply(move.act)
                state.observe(move.act.seat)
    return recorder.lines


def repeated(lines: list[str], rules: Path) -> Any:
    given = "\n".join(lines)
    return json.loads(node_prints(str(LOCKSTEP), str(rules), given=given))


@pytest.mark.parametrize("name", profile_names())
def test_every_call_is_answered_alike(name: str, rules: Path) -> None:
    lines = recorded(17, name, 8)
    found = repeated(lines, rules)
    assert found["wrong"] == []
    assert found["calls"] == len(lines) > 1000


def test_a_rule_that_is_changed_in_one_language_shows(
    changed: Callable[[str, str], Path],
) -> None:
    other = changed(r"(function play\$beats\([^)]*\) \{\nreturn )", r"\1!")
    found = repeated(recorded(17, "common-hearts", 3), other)
    assert len(found["wrong"]) == 5
