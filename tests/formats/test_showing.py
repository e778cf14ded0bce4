"""Games as people write them down: what a sheet says of a score."""

from collections.abc import Iterator

import pytest

from refengine.formats.showing import shown
from refengine.formats.trace import Trace, opened
from refengine.game.acts import Claim
from refengine.game.values.state import State
from refengine_conformance.tables.corpus_lines import corpus_lines

TRACES = {line.id: line.read for line in corpus_lines() if isinstance(line.read, Trace)}


def states(trace: Trace) -> Iterator[State]:
    """What the game comes to, act by act."""
    state = opened(trace.ruleset, trace.start)
    yield state
    for step in trace.steps:
        state = state.apply(step.act)
        yield state


def scores(trace: Trace) -> list[str]:
    """Each score as it comes, and again where it changes."""
    found: list[str] = []
    before = None
    for state in states(trace):
        now = None if state.score is None else (state.score, state.totals)
        if now is not None and now != before:
            found.append(" ".join(map(str, now[0])))
        before = now
    return found


CORRECTED = [
    name
    for name, trace in TRACES.items()
    if len(scores(trace)) > 1 and isinstance(trace.steps[-1].act, Claim)
]


@pytest.mark.parametrize("name", CORRECTED)
def test_a_score_that_a_claim_changes_is_written_again(name: str) -> None:
    trace = TRACES[name]
    lines = shown(
        opened(trace.ruleset, trace.start), (step.act for step in trace.steps)
    )
    printed = [line.split(maxsplit=1) for line in lines if line.startswith("  score ")]
    assert [rest for _, rest in printed] == scores(trace)


def test_there_are_such_games() -> None:
    assert len(CORRECTED) > 1
