"""Games that were played, written down and played again: nothing is lost on the way."""

from __future__ import annotations

from random import Random

import pytest

from refengine import Ruleset, State, new_match, profile_names
from refengine.formats.trace import Trace
from refengine.formats.written.games_written import (
    written_game,
    written_trace,
)
from refengine.formats.written.played_written import trace_written
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.writing_written import write_written
from refengine_conformance.tables.corpus_lines import corpus_lines

TRACES = [line.read for line in corpus_lines() if isinstance(line.read, Trace)]


def there_and_back(trace: Trace) -> None:
    written = written_trace(trace)
    text = write_written(written)
    read = read_written(text)
    assert read == written
    assert write_written(read) == text
    again = trace_written(read)
    assert State.open(again.ruleset, again.start) == State.open(
        trace.ruleset, trace.start
    )
    assert [(step.act, step.breaks) for step in again.steps] == [
        (step.act, step.breaks) for step in trace.steps
    ]


@pytest.mark.parametrize("part", range(10))
def test_every_game_of_the_corpus_is_the_same_when_it_comes_back(part: int) -> None:
    for trace in TRACES[part::10]:
        there_and_back(trace)


@pytest.mark.parametrize("name", profile_names())
def test_a_whole_match_is_the_same_when_it_comes_back(name: str) -> None:
    rng = Random(name)
    state = new_match(Ruleset(name), dealer=None)
    while not state.over and len(state.acts) < 700:
        state = state.apply(state.random_act(rng))
    written = written_game(State.open(state.ruleset, state.start), state.acts)
    read = read_written(write_written(written))
    assert read == written
    assert [step.act for step in trace_written(read).steps] == list(state.acts)
    assert read.deals[-1].totals in ((), state.totals)
