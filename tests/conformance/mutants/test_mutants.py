import json
import os
import subprocess
import sys
import time
from concurrent.futures import Executor
from pathlib import Path
from types import FunctionType

import pytest

import refengine
from refengine import OPTIONS, Ruleset, Setup
from refengine.formats.minideals import Mini, read_mini, write_mini
from refengine.lawbook.options import option_named
from refengine_conformance.mutants import catalogue, designed, loading, source_edits
from refengine_conformance.tables.mutant_trials import killed_by_lines
from tests.support.commands import run_process, run_python

COMMAND = (sys.executable, "-m", "refengine_conformance.mutants.loading")
RULESET = {
    "profile": "estmesh-hearts",
    "players": 4,
    "options": {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in Ruleset("estmesh-hearts").options.items()
    },
}
SETUP = {"dealer": 3, "deal": 4, "hands": ["2C 9D", "5C 3H", "4C 7S", "KC 8S"]}


def test_every_judging_clause_can_be_switched_off() -> None:
    judged = {f"off:{entry['number']}" for entry in source_edits.judging_clauses()}
    assert {
        one.id for one in designed.designed_mutants() if one.id.startswith("off:")
    } == judged


def test_ids_are_unique_and_clauses_are_in_the_book() -> None:
    ids = [one.id for one in designed.designed_mutants()]
    numbers = {entry["number"] for entry in source_edits.clause_entries()}
    assert len(set(ids)) == len(ids)
    assert all(set(one.clauses) <= numbers for one in designed.designed_mutants())
    assert all(one.clauses and one.text for one in designed.designed_mutants())


def test_every_change_fits_the_source(worker: Executor) -> None:
    ids = [one.id for one in designed.designed_mutants()]
    assert worker.submit(loading.find_unusable_mutants, ids).result() == {}


def test_every_value_of_every_option_is_swapped_for_every_other() -> None:
    ids = {one.id for one in designed.designed_mutants() if one.id.startswith("swap:")}
    for option in OPTIONS:
        if isinstance(option.base, bool):
            words: tuple[str, ...] = ("false", "true")
        else:
            words = option.words
        if option.least is not None:
            assert any(one.startswith(f"swap:{option.name}=number>") for one in ids)
            continue
        for old in words:
            for new in words:
                assert (old == new) != (f"swap:{option.name}={old}>{new}" in ids)


def test_swaps_name_options_that_there_are() -> None:
    for one in designed.designed_mutants():
        if one.id.startswith("swap:"):
            option_named(one.id.removeprefix("swap:").partition("=")[0])


def test_a_mutant_that_there_is_not_is_named() -> None:
    with pytest.raises(catalogue.UnknownMutantError, match="off:99"):
        catalogue.mutant_with_id("off:99")
    assert catalogue.mutant_with_id("none").edits == ()


def test_a_mutant_is_not_loaded_over_the_engine() -> None:
    assert refengine.__name__ in sys.modules
    with pytest.raises(RuntimeError, match="a process of its own"):
        loading.become_mutant("off:5.3")


def test_an_edit_that_no_longer_fits_is_refused() -> None:
    with pytest.raises(ValueError, match="0 times"):
        source_edits.edited_function(
            source_edits.Edit("play.follow_suit", "no such text", "")
        )


def asked(name: str, *requests: dict[str, object]) -> list[dict[str, object]]:
    lines = [json.dumps({"seq": seq, **one}) for seq, one in enumerate(requests)]
    given = "\n".join(lines) + "\n"
    done = run_process(*COMMAND, "serve", name, input=given, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("none", {"refused": {"clauses": ["5.3"]}}),
        ("off:5.3", {"ok": {}}),
        ("inverted:5.7", {"refused": {"clauses": ["5.7"]}}),
    ],
)
def test_a_mutant_speaks_the_protocol(name: str, answer: dict[str, object]) -> None:
    answers = asked(
        name,
        {"op": "hello", "protocol": 1},
        {"op": "open", "ruleset": RULESET, "setup": SETUP},
        {"op": "step", "seat": 0, "act": {"play": "2C"}},
        {"op": "probe", "seat": 1, "act": {"play": "3H"}},
    )
    if name != "inverted:5.7":  # there the first step is refused already
        assert answers[2] == {"seq": 2, "ok": {}}
    else:
        answers[3] = {"seq": 3, "refused": answers[2]["refused"]}
    assert answers[3] == {"seq": 3, **answer}


def test_a_condition_with_allowed_numbers_answers_the_opposite() -> None:
    answers = asked(
        "inverted:2.6",
        {"op": "hello", "protocol": 1},
        {"op": "open", "ruleset": RULESET, "setup": SETUP},
    )
    assert answers[1] == {"seq": 1, "refused": {"clauses": ["2.6"]}}


def test_what_code_within_code_reads_is_known_too() -> None:
    def reads() -> list[object]:
        return list(written for _ in range(1))  # type: ignore[name-defined]  # noqa: C400, F821  # a name that is nowhere, in a generator

    assert "written" in set(loading.globals_read(reads.__code__))


def added(one: int, two: int) -> int:
    return one + two


def taken_off(one: int, two: int) -> int:
    return one - two


def test_calls_go_to_a_hook_until_the_block_ends() -> None:
    def called(key: str, *values: int, **named: int) -> object:
        return key, values, named

    assert isinstance(added, FunctionType)
    assert isinstance(taken_off, FunctionType)
    keys: dict[FunctionType, object] = {added: "sum", taken_off: "difference"}
    with (  # noqa: PT012  # how the block is left is what is tested
        pytest.raises(ZeroDivisionError),
        loading.calls_hooked("_hook", called, keys),
    ):
        assert added(1, two=2) == ("sum", (1,), {"two": 2})
        with loading.calls_hooked("_hook", lambda *_: "inner", keys):
            assert added(1, 2) == "inner"
        assert taken_off(2, 1) == ("difference", (2, 1), {})
        assert 1 / 0
    assert (added(1, two=2), taken_off(2, 1)) == (3, 1)
    assert "_hook" not in globals()


def test_an_id_of_no_mutant_is_unusable_and_ends_no_report() -> None:
    found = loading.find_unusable_mutants(["off:99"])
    assert list(found) == ["off:99"]
    assert "`list` shows the designed ones" in found["off:99"]


def test_serving_what_there_is_not_ends_with_3() -> None:
    done = run_process(*COMMAND, "serve", "off:99")
    assert done.returncode == 3
    assert "off:99" in done.stderr


@pytest.mark.parametrize("tool", ["changed_evidence", "measuring"])
def test_a_tool_whose_workers_become_mutants_loads_no_rules(tool: str) -> None:
    """A worker imports the main module before it becomes a mutant."""
    module = f"refengine_conformance.strength.{tool}"
    script = f"import {module}, sys; print(*sys.modules)"
    loaded = run_python(script).stdout.split()
    assert module in loaded
    assert [one for one in loaded if loading._is_of_the_rules(one)] == []


def test_all_mutants_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert loading.main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[0] for line in lines] == [
        one.id for one in designed.designed_mutants()
    ]


def test_a_worker_kills_what_a_line_tells_apart(worker: Executor) -> None:
    setup = Setup(dealer=3, deal=4, hands=["2C 3H", "5C 2H", "4C QS", "KC 8S"])
    line = write_mini(Mini(ruleset=Ruleset("estmesh-hearts"), setup=setup))
    names = ("off:5.3", "off:6.4", "inverted:5.10")
    found = worker.submit(killed_by_lines, (line.decode(),), names).result()
    assert found == dict.fromkeys(("off:5.3", "inverted:5.10"), read_mini(line).id)


def test_what_runs_for_too_long_ends() -> None:
    def forever() -> None:
        while True:
            pass

    with pytest.raises(loading.HangsError), loading.time_limit(0.05):
        forever()


_PARENT = """
import os
from refengine_conformance.mutants import loading

if __name__ == "__main__":
    executor = loading.mutant_workers(1)
    print(executor.submit(os.getpid).result(), flush=True)
    input()
"""


def test_workers_end_with_the_process_that_made_them(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT)
    parent = subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    os.kill(worker, 0)
    parent.kill()
    parent.communicate(timeout=30)  # the worker has the other end of the pipe
    ends = time.monotonic() + 20
    while _alive(worker) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not _alive(worker)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
