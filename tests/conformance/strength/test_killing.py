"""Tests of trying mutants on the corpus: killed, alive, endless or unloadable."""

import os
import pickle
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

import pytest

from refengine.jobs.executors import open_executor
from refengine_conformance.mutants import loading, operators
from refengine_conformance.strength import killed_by_corpus
from refengine_conformance.strength.killed_by_corpus import (
    ForkEndedError,
    Trial,
    can_exchange_code,
    fate_of_mutant,
    run_in_fork,
)

LINE = next(iter(killed_by_corpus.lines_cheapest_first()))


@pytest.fixture(scope="module")
def worker() -> Iterator[Executor]:
    with open_executor(1, first=loading.become_mutant, arguments=("none",)) as pool:
        assert pool is not None
        yield pool


def named(module: str, function: str, text: str) -> str:
    found = [
        one.id
        for one in operators.variants_of_module(module)
        if one.edits[0].function == function and one.text.endswith(text)
    ]
    assert len(found) == 1, found
    return found[0]


def test_mutants_of_functions_and_of_values_meet_their_end(worker: Executor) -> None:
    function = named("play", "play.beats", "return card & led <= best")
    value = named("table", "table", "OVER: Final = 5")
    assert (
        worker.submit(fate_of_mutant, Trial(function)).result()[0]
        in killed_by_corpus.lines_cheapest_first()
    )
    assert (
        worker.submit(fate_of_mutant, Trial(value)).result()[0]
        in killed_by_corpus.lines_cheapest_first()
    )


def test_the_engine_as_it_is_survives_and_so_does_what_changes_nothing(
    worker: Executor,
) -> None:
    same = named("table", "table", "SEATS: Final = 14")
    assert worker.submit(fate_of_mutant, Trial("none")).result() == ["", ""]
    assert worker.submit(fate_of_mutant, Trial(same)).result() == ["", ""]


def test_a_mutant_without_end_is_stopped_and_so_killed(worker: Executor) -> None:
    step = "leader = left_of(leader, players)"
    endless = named("draw", "draw.next_leader", f"{step}  ->  pass")
    line, place = worker.submit(fate_of_mutant, Trial(endless)).result()
    assert line in killed_by_corpus.lines_cheapest_first()
    assert place == "hangs"


def test_a_mutant_that_cannot_be_loaded_is_killed(worker: Executor) -> None:
    none = named("cards", "cards", "RANKS: Final = '23456789TJQKAx'")
    assert worker.submit(fate_of_mutant, Trial(none)).result()[0] == "import"


def test_the_line_that_killed_last_time_comes_first(worker: Executor) -> None:
    function = named("play", "play.beats", "return card & led <= best")
    *_, dearest = killed_by_corpus.lines_cheapest_first()
    order = worker.submit(
        killed_by_corpus.tried_in_order, Trial(function, dearest)
    ).result()
    assert order[0] == dearest
    assert sorted(order) == sorted(killed_by_corpus.lines_cheapest_first())


def test_lines_in_which_the_clause_fires_come_before_the_others() -> None:
    function = named("play", "play.follow_suit", "if True:")
    lines = killed_by_corpus.lines_cheapest_first()
    firing = killed_by_corpus.lines_by_clause()
    order = killed_by_corpus.tried_in_order(Trial(function))
    assert order[: len(firing["5.3"])] == list(firing["5.3"])
    assert len(order) == len(lines)
    few = (*firing["5.3"][:2], order[-1])
    assert killed_by_corpus.tried_in_order(Trial(function, LINE, few)) == list(few)


def _sleep(_: object) -> list[str]:
    time.sleep(60)
    return []


def _die(_: object) -> list[str]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


def _fail(_: object) -> list[str]:
    raise ValueError("a fault of ours")


def _answer(item: Any) -> list[str]:
    return [str(item), ""]


def test_a_fork_answers_or_its_end_is_told() -> None:
    assert run_in_fork(_answer, 7) == ["7", ""]
    with pytest.raises(ForkEndedError, match="crash: SIGKILL"):
        run_in_fork(_die, 0)
    with pytest.raises(ForkEndedError, match="time: ended after 0 seconds"):
        run_in_fork(_sleep, 0, 0.2)
    with pytest.raises(RuntimeError, match="a fault of ours with 0: ValueError"):
        run_in_fork(_fail, 0)


def test_a_worker_can_tell_its_parent_how_a_fork_ended() -> None:
    ended = pickle.loads(pickle.dumps(ForkEndedError("time", "ended after 9 seconds")))
    assert (ended.how, ended.detail) == ("time", "ended after 9 seconds")
    assert str(ended) == "time: ended after 9 seconds"


def _unfit(module: str) -> list[str]:
    return [
        one.id
        for one in operators.variants_of_module(module)
        if can_exchange_code(one.id, frozenset()) and not _compiles(one.id)
    ]


def _compiles(name: str) -> bool:
    try:
        loading.codes_of(name)
    except NameError:
        return False
    return True


def test_a_name_set_in_a_condition_is_set_in_its_mutants(worker: Executor) -> None:
    for module in ("terminal_match", "seat_record", "cited_rulesets"):
        assert worker.submit(_unfit, module).result() == []


def test_what_runs_when_the_engine_is_read_is_not_exchanged(worker: Executor) -> None:
    listed = worker.submit(
        run_in_fork, killed_by_corpus.functions_run_at_import, None
    ).result()
    once = frozenset(listed)
    assert len(listed) == len(once)  # though some have functions within them
    assert {"sealing.seal", "profiles.fields_in_file"} <= once
    assert once.isdisjoint({"play.beats", "position.playable"})
    assert can_exchange_code(operators.variants_of_module("match")[0].id, once)
    verdicts = [one.id for one in operators.variants_of_module("verdicts")]
    calling_super = [one for one in verdicts if "Refused.__init__" in one]
    assert calling_super
    assert not any(can_exchange_code(one, once) for one in calling_super)
    assert not can_exchange_code(named("table", "table", "OVER: Final = 5"), once)
