"""Tests of a run: its limits, exit codes and known failures, for any number of jobs."""

import gzip
import hashlib
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import attrs
import msgspec
import pytest

from refengine.errors import EngineBug, Malformed, counted
from refengine.exit_codes import first_code
from refengine_conformance.report.run_in_words import unscored
from refengine_conformance.runner import cases, runner, selection
from refengine_conformance.runner.blame import order_of
from refengine_conformance.runner.driver import Builtin
from refengine_conformance.runner.known_failures import (
    known_failures_text,
    read_known,
    sort_known,
    stale_at_tables,
)
from refengine_conformance.runner.results import Case, Fault, Limits, Outcome
from refengine_conformance.runner.runner import Settings, chunks_of, run
from refengine_conformance.runner.runs import Cause, Run
from refengine_conformance.runner.selection import (
    Choice,
    Selected,
    Selection,
    of_corpus,
    of_files,
)
from refengine_conformance.selftest import selftest
from tests.support import places
from tests.support.adapters import Planted
from tests.support.runs import failing, fault_at, run_of, run_with

pytestmark = pytest.mark.interpreted("test_serve answers compiled")

FILES = sorted(places.TRACES.glob("*.jsonl"))
SPOKEN = Settings(command=("builtin:reference",), ways="replay")
QUICK = Limits(op=2.0, batch=2.0, hello=20.0, bye=2.0)
TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def all_lines() -> Selection:
    return of_files(FILES, Choice())


def few(selection: Selection, number: int) -> Selection:
    return attrs.evolve(selection, lines=selection.lines[:number])


def commanded(name: str, **more: Any) -> Settings:
    return Settings(command=selftest.bad_adapter_command(name), limits=QUICK, **more)


# Jobs


def test_chunks_depend_on_the_number_of_lines_alone() -> None:
    for number in (0, 1, 64, 65, 1000, 5000):
        lines = tuple(Selected(f"t-{place}", b"") for place in range(number))
        chunks = chunks_of(lines)
        assert tuple(line for chunk in chunks for line in chunk) == lines
        assert len(chunks) <= 16
        assert {len(chunk) for chunk in chunks[:-1]} <= {max(64, -(-number // 16))}


@pytest.mark.parametrize("name", ["good", "crashes_on_refusal", "wrong_legal"])
def test_the_result_is_the_same_for_any_number_of_jobs(
    name: str, all_lines: Selection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_SMALLEST", 8)
    limits = attrs.evolve(QUICK, restarts_in_a_row=2, restarts=6)
    settings = attrs.evolve(commanded(name, ways="step"), limits=limits)
    selection = few(all_lines, 12)
    one = run(selection, settings)
    two = run(selection, attrs.evolve(settings, jobs=2))
    assert one == two
    assert len(one.cases) == len(two.cases) > 12


@pytest.mark.parametrize(
    ("ways", "few", "name", "used"),
    [
        ("auto", False, "t-0000000000000001", ("replay",)),
        ("auto", False, "t-1000000000000000", ("step", "replay")),  # one in sixteen
        ("auto", True, "t-0000000000000001", ("step", "replay")),
        ("both", False, "t-0000000000000001", ("step", "replay")),
        ("step", True, "t-1000000000000000", ("step",)),
        ("replay", True, "t-1000000000000000", ("replay",)),
    ],
)
def test_of_many_games_some_are_put_in_both_ways(
    ways: str, few: bool, name: str, used: tuple[str, ...]
) -> None:
    settings = Settings(command=("x",), ways=ways)
    assert runner.ways_of(settings, name, few) == used


# Restarts


def losing(
    ids: frozenset[int], monkeypatch: pytest.MonkeyPatch, limits: Limits
) -> Callable[[Selection], Run]:
    """A function that makes runs that lose the adapter at the lines numbered `ids`."""
    ask = runner._Asking._ask

    def lose(self: Any, adapter: Any, line: Selected) -> Any:
        found = ask(self, adapter, line)
        place = self.task.lines.index(line)
        return attrs.evolve(found, gone=True) if place in ids else found

    monkeypatch.setattr(runner._Asking, "_ask", lose)
    settings = attrs.evolve(SPOKEN, limits=limits)
    return lambda selection: run(selection, settings)


@pytest.mark.parametrize(
    ("lost", "done"),
    [
        ({0, 1, 2}, 30),
        ({0, 1, 2, 3}, 4),
        ({0, 1, 2, 4, 5, 6}, 30),
        ({5, 6, 7, 8}, 9),
        (set(range(0, 20, 2)), 30),
        (set(range(0, 22, 2)), 21),
    ],
)
def test_a_run_stops_after_three_restarts_in_a_row_or_ten_in_all(
    lost: set[int], done: int, all_lines: Selection, monkeypatch: pytest.MonkeyPatch
) -> None:
    selection = few(all_lines, 30)
    found = losing(frozenset(lost), monkeypatch, Limits())(selection)
    left = {case.trace for case in found.cases if case.outcome is Outcome.NOT_RUN}
    assert left == {line.id for line in selection.lines[done:]}
    assert bool(found.stopped) == (done < 30)
    assert found.exit_code == (2 if done < 30 else 0)


def test_after_a_crash_the_next_trace_is_asked(all_lines: Selection) -> None:
    selection = few(all_lines, 12)
    limits = attrs.evolve(QUICK, restarts_in_a_row=12, restarts=12)
    settings = commanded("crashes_on_refusal", ways="step")
    found = run(selection, attrs.evolve(settings, limits=limits))
    crashed = {case.trace for case in found.broken}
    passed = {case.trace for case in found.cases if case.outcome is Outcome.PASS}
    assert crashed
    assert passed - crashed
    assert found.stderr.startswith("IllegalMove")
    assert not found.stopped
    assert found.exit_code == 1


def test_what_an_adapter_of_another_protocol_wrote_is_kept(
    all_lines: Selection, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Builtin(Planted(protocol=2).handle)
    other.stderr = b"start me with --protocol 1"
    monkeypatch.setattr(runner, "transport_of", lambda command: other)
    found = run(few(all_lines, 1), SPOKEN)
    assert found.refused_protocol == found.stopped != ""
    assert found.stderr == "start me with --protocol 1"
    assert found.exit_code == 3


# Selecting


def test_nothing_selected_is_too_few(all_lines: Selection) -> None:
    found = run(of_files(FILES, Choice(traces=("t-0",))), SPOKEN)
    assert (found.cases, found.exit_code) == ((), 4)
    assert of_files(FILES, Choice(clause="3.9")).lines == ()
    assert of_files(FILES, Choice(profile="estmesh-hearts")).lines
    with pytest.raises(Malformed):
        Choice(clause="77.7")


def test_what_cannot_be_read_is_said_and_the_others_are_run(tmp_path: Path) -> None:
    good = FILES[0].read_bytes().splitlines()[0]
    bad = good.replace(b'"steps"', b'"stops"')
    wrong = good.replace(b'"3H"', b'"4H"')
    path = tmp_path / "some.jsonl"
    lines = [b"{", good, bad, b"\xff", wrong, b'{"log":1}']
    path.write_bytes(b"\n".join(lines) + b"\n")
    selection = of_files([path, tmp_path / "none.jsonl"], Choice())
    assert len(selection.lines) == 1
    *unread, missing = [one.split(": ")[0] for one in selection.unreadable]
    assert unread == [f"{path}:{number}" for number in (1, 3, 4, 5, 6)]
    assert missing == str(tmp_path / "none.jsonl")
    found = run(selection, SPOKEN)
    assert found.passed > 0
    assert found.exit_code == 3


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The folder of a small published corpus of six lines."""
    lines = [line for file in FILES for line in file.read_bytes().splitlines()][:6]
    (tmp_path / "smoke.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    index = [
        {
            "id": msgspec.json.decode(line)["id"],
            "file": "smoke.jsonl",
            "line": number,
            "tier": "smoke" if number < 4 else "core",
            "profile": msgspec.json.decode(line)["ruleset"]["profile"],
            "necessary": ["5.3"] if number == 2 else [],
            "kills": 3,
        }
        for number, line in enumerate(lines, 1)
    ]
    write_index(tmp_path, index)
    data = (tmp_path / "smoke.jsonl").read_bytes()
    manifest = {
        "counts": {
            "smoke": {"traces": 3, "minis": 0, "profiles": {}},
            "core": {"traces": 3, "minis": 0},
        },
        "files": {"smoke.jsonl": {"sha256": hashlib.sha256(data).hexdigest()}},
    }
    (tmp_path / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    return tmp_path


def write_index(folder: Path, index: list[dict[str, Any]]) -> None:
    lines = b"".join(msgspec.json.encode(entry) + b"\n" for entry in index)
    (folder / "index.jsonl").write_bytes(lines)


def read_index(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "index.jsonl").read_bytes()
    return [msgspec.json.decode(line) for line in text.splitlines()]


def write_games(folder: Path, data: bytes) -> None:
    """Replace the games of the corpus, and update its manifest."""
    (folder / "smoke.jsonl").write_bytes(data)
    path = folder / "manifest.json"
    manifest = msgspec.json.decode(path.read_bytes())
    manifest["files"]["smoke.jsonl"]["sha256"] = hashlib.sha256(data).hexdigest()
    path.write_bytes(msgspec.json.encode(manifest))


def test_a_corpus_is_chosen_by_tier_clause_and_id(corpus: Path) -> None:
    assert len(of_corpus(corpus, Choice()).lines) == 6
    assert len(of_corpus(corpus, Choice(tier="smoke")).lines) == 3
    assert len(of_corpus(corpus, Choice(clause="5.3")).lines) == 1
    name = read_index(corpus)[4]["id"]
    assert [one.id for one in of_corpus(corpus, Choice(traces=(name,))).lines] == [name]
    assert run(of_corpus(corpus, Choice()), SPOKEN).exit_code == 0


def test_fewer_lines_than_promised_is_too_few(corpus: Path) -> None:
    write_index(corpus, read_index(corpus)[:-1])
    selection = of_corpus(corpus, Choice())
    assert selection.short == ("tier core: 2 lines in the index, 3 promised",)
    assert run(selection, SPOKEN).exit_code == 4
    write_index(corpus, read_index(corpus)[:4])
    (said,) = of_corpus(corpus, Choice()).short
    assert said == "tier core: 1 line in the index, 3 promised"
    index = read_index(corpus)
    for elsewhere in (2, 77):  # where another game is, and where none is
        index[0]["line"] = elsewhere
        write_index(corpus, index)
        (said,) = of_corpus(corpus, Choice(tier="smoke")).short
        assert said == f"{index[0]['id']} is not in smoke.jsonl, line {elsewhere}"


def test_a_profile_with_fewer_lines_than_promised_is_named(corpus: Path) -> None:
    smoke = [one for one in read_index(corpus) if one["tier"] == "smoke"]
    profile = smoke[0]["profile"]
    there = sum(one["profile"] == profile for one in smoke)
    path = corpus / "manifest.json"
    manifest = msgspec.json.decode(path.read_bytes())
    manifest["counts"]["smoke"]["profiles"] = {profile: there + 1}
    path.write_bytes(msgspec.json.encode(manifest))
    lines = f"{counted(there, 'line')} in the index, {there + 1} promised"
    found = of_corpus(corpus, Choice(tier="smoke"))
    assert found.short == (f"tier smoke, profile {profile}: {lines}",)


def test_what_is_wrong_in_an_index_is_said_once(corpus: Path) -> None:
    index = read_index(corpus)
    index[1]["id"] = "nonsense"
    write_index(corpus, index)
    with pytest.raises(Malformed) as caught:
        of_corpus(corpus, Choice())
    said = str(caught.value)
    assert "index.jsonl:2" in said
    assert said.count("found") == said.count("allowed") == 1


@pytest.mark.parametrize("name", ["manifest.json", "index.jsonl"])
def test_a_file_of_a_corpus_that_is_nested_too_deeply_is_refused(
    corpus: Path, name: str
) -> None:
    deep = b'{"files":{"a":{"b":' + b"[" * 100_000 + b"]" * 100_000 + b"}}}"
    (corpus / name).write_bytes(deep)
    with pytest.raises(Malformed, match=name):
        of_corpus(corpus, Choice())


def test_a_file_that_is_not_the_one_of_the_manifest_is_refused(corpus: Path) -> None:
    path = corpus / "smoke.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"name"', b'"name" ', 1))
    assert "SHA-256" in of_corpus(corpus, Choice()).unreadable[0]


def test_a_line_that_the_book_refuses_is_no_fault_of_ours(corpus: Path) -> None:
    first, *others = (corpus / "smoke.jsonl").read_bytes().splitlines()
    refused = msgspec.json.decode(first)
    refused["ruleset"]["players"] = 13
    write_games(corpus, b"\n".join([msgspec.json.encode(refused), *others, b""]))
    found = run(of_corpus(corpus, Choice()), SPOKEN)
    assert len(found.unreadable) == 1
    assert found.bugs == ()


def test_a_line_that_cannot_be_read_is_no_fault_of_ours(corpus: Path) -> None:
    """The file agrees with the manifest, and the other lines are asked."""
    data = (corpus / "smoke.jsonl").read_bytes()
    write_games(corpus, data.replace(b'"steps"', b'"stops"', 1))
    found = run(of_corpus(corpus, Choice()), SPOKEN)
    first, *others = (entry["id"] for entry in read_index(corpus))
    (said,) = found.unreadable
    assert said.startswith(f"{first}: ")
    assert found.bugs == ()
    assert {case.trace for case in found.cases} == {*others}
    assert found.exit_code == 3


def test_a_retired_trace_is_neither_asked_nor_counted(corpus: Path) -> None:
    name = read_index(corpus)[0]["id"]
    erratum = {"id": name, "reason": "the score was wrong", "date": "2026-11-21"}
    (corpus / "errata.jsonl").write_bytes(msgspec.json.encode(erratum) + b"\n")
    found = run(of_corpus(corpus, Choice()), SPOKEN)
    retired = [case for case in found.cases if case.outcome is Outcome.RETIRED]
    assert {case.trace for case in retired} == {name}
    assert {case.note for case in retired} == {"the score was wrong"}
    assert found.applicable == found.scored == len(found.cases) - len(retired)
    assert found.exit_code == 0
    gone = run(of_corpus(corpus, Choice()), Settings(command=("./no-such-adapter",)))
    retired = [case for case in gone.cases if case.trace == name]
    assert {case.outcome for case in retired} == {Outcome.RETIRED}
    assert not any(case.applicable for case in retired)


def test_a_line_that_was_retired_need_not_be_readable_any_more(corpus: Path) -> None:
    name = read_index(corpus)[0]["id"]  # that of the first line
    data = (corpus / "smoke.jsonl").read_bytes()
    write_games(corpus, data.replace(b'"steps":', b'"oldkey":1,"steps":', 1))
    erratum = {"id": name, "reason": "an old key", "date": "2026-11-21"}
    (corpus / "errata.jsonl").write_bytes(msgspec.json.encode(erratum) + b"\n")
    for command in (SPOKEN.command, ("./no-such-adapter",)):
        found = run(of_corpus(corpus, Choice()), Settings(command=command))
        (case,) = (one for one in found.cases if one.trace == name)
        assert (case.outcome, case.applicable) == (Outcome.RETIRED, False)


def test_errata_that_cannot_be_read_are_malformed(corpus: Path) -> None:
    (corpus / "errata.jsonl").mkdir()
    with pytest.raises(Malformed, match="errata"):
        of_corpus(corpus, Choice())


# Known failures


CASES = (
    failing("t-1", "legal", fault_at(1, "legal", "5.3")),
    Case("t-1", "step", Outcome.PASS),
    Case("t-2", "step", Outcome.CRASH, note="ended"),
    Case("t-3", "step", Outcome.PASS),
)


def known(tmp_path: Path, *lines: dict[str, Any]) -> Any:
    path = tmp_path / "known.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return read_known(path)


def entry(**more: Any) -> dict[str, Any]:
    return {"why": "being mended", "until": "2026-12-31", **more}


@pytest.mark.parametrize(
    ("lines", "outcomes", "stale"),
    [
        ([entry(id="t-1")], "known pass crash pass", 0),
        ([entry(clause="5.3")], "known pass crash pass", 0),
        ([entry(clause="5.4")], "fail pass crash pass", 1),
        ([entry(clause="5.3", kind="legal")], "known pass crash pass", 0),
        ([entry(clause="5.3", kind="step")], "fail pass crash pass", 1),
        ([entry(id="t-1", kind="legal")], "known pass crash pass", 0),
        ([entry(id="t-1", kind="step")], "fail known_but_passes crash pass", 0),
        ([entry(id="t-2", kind="replay")], "fail pass known pass", 0),
        ([entry(id="t-2", outcome="crash")], "fail pass known pass", 0),
        ([entry(id="t-2", outcome="fail")], "fail pass crash pass", 0),
        ([entry(id="t-3")], "fail pass crash known_but_passes", 0),
        ([entry(id="t-9")], "fail pass crash pass", 1),
        ([entry(id="t-1", until="2026-11-20")], "known pass crash pass", 1),
        ([entry(id="t-1"), entry(id="t-2")], "known pass known pass", 0),
    ],
)
def test_known_failures_must_fail_as_listed(
    lines: list[dict[str, Any]], outcomes: str, stale: int, tmp_path: Path
) -> None:
    found = sort_known(CASES, known(tmp_path, *lines), TODAY, False)
    assert [str(case.outcome) for case in found.cases] == outcomes.split()
    assert len(found.stale) == stale


def test_an_entry_for_a_clause_covers_its_parts_but_not_the_reverse(
    tmp_path: Path,
) -> None:
    part = failing("t-1", "probe", fault_at(1, "refuse", "3.8b"))
    whole = failing("t-2", "probe", fault_at(1, "refuse", "3.8"))
    for clause, outcomes in (("3.8", "known known"), ("3.8b", "known fail")):
        entries = known(tmp_path, entry(clause=clause))
        found = sort_known((part, whole), entries, TODAY, False).cases
        assert [str(case.outcome) for case in found] == outcomes.split()


def test_a_known_failure_is_written_with_what_was_wrong(tmp_path: Path) -> None:
    entries = known(tmp_path, entry(id="t-1"), entry(id="t-2"))
    marked = sort_known(CASES, entries, TODAY, False).cases
    assert known_failures_text(marked, TODAY) == known_failures_text(CASES, TODAY)


def test_in_a_partial_run_an_entry_may_be_about_something_else(tmp_path: Path) -> None:
    entries = known(tmp_path, entry(id="t-9"))
    assert sort_known(CASES, entries, TODAY, True).stale == ()


def test_a_game_that_ended_early_hides_no_entry_about_a_game_that_is_not_there(
    tmp_path: Path,
) -> None:
    left = Case("t-4", "legal", Outcome.NOT_RUN, note="the game ended too early")
    entries = known(tmp_path, entry(id="t-9"), entry(clause="5.4"), entry(id="t-4"))
    found = sort_known((*CASES, left), entries, TODAY, False)
    assert found.stale == ("t-9: matches nothing; remove the entry",)


@pytest.mark.parametrize(
    ("chosen", "found", "stale"),
    [
        (Selection(()), (), 1),
        (Selection(()), (runner._Found("t-9", (), bug="ours"),), 0),
        (Selection(()), (runner._Found("t-9", (), unreadable="t-9: no steps"),), 0),
        (Selection((), unreadable=("a.jsonl:1: no steps",)), (), 0),
        (Selection((), short=("t-9 is not in a.jsonl, line 1",)), (), 0),
    ],
)
def test_an_entry_may_be_about_a_line_that_could_not_be_judged(
    chosen: Selection, found: tuple[Any, ...], stale: int, tmp_path: Path
) -> None:
    whole = runner._Whole(chosen, SPOKEN)
    whole.add(runner._Results(found=found))
    entries = known(tmp_path, entry(id="t-9"))
    assert len(whole.run({}, entries, TODAY).stale) == stale


def test_an_entry_for_a_clause_is_stale_only_if_it_is_so_at_every_table(
    tmp_path: Path,
) -> None:
    names = {"clause 5.3": {"clause": "5.3"}, "clause 5.4": {"clause": "5.4"}}
    about = [*names.values(), {"id": "t-9"}]
    entries = known(tmp_path, *(entry(**one) for one in about))
    end = ": matches nothing; remove the entry"
    broken, kept, own = (f"{name}{end}" for name in (*names, "t-9"))
    said = [(broken, kept, own), (kept,)]
    assert stale_at_tables(said, entries) == [(kept, own), (kept,)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"id": "t-1", "until": "2026-12-31"}, ": found no why"),
        ({"id": "t-1", "why": "x"}, ": found no until"),
        (entry(id="t-1", why=""), r"\.why: found"),
        (entry(id="t-1", why="  "), r"\.why: found no reason"),
        (entry(id="t-1", until="soon"), r"\.until: found 'soon'"),
        (entry(id="5.3", clause="5.3"), ": found both"),
        (entry(id="", clause=""), ": found both"),
        (entry(clause="5.99"), r"\.clause: found '5\.99'"),
        (entry(clause="five"), r"\.clause: found 'five'"),
        (entry(), ": found neither id nor clause"),
        (entry(id="t-1", kind="legale"), r"\.kind: found 'legale'"),
        (entry(id="t-1", outcome="pass"), r"\.outcome: found 'pass'"),
        (entry(id="t-1", reason="x"), ": found the key 'reason'"),
    ],
)
def test_what_is_wrong_in_an_entry_is_said_with_its_line(
    line: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(Malformed, match=rf"known\.jsonl:1{said}"):
        known(tmp_path, line)


def test_what_is_written_as_known_is_known_the_next_time(
    all_lines: Selection, tmp_path: Path
) -> None:
    selection, settings = few(all_lines, 8), commanded("wrong_legal")
    first = run(selection, settings, today=TODAY)
    assert first.exit_code == 1
    path = tmp_path / "known.jsonl"
    path.write_bytes(known_failures_text(first.cases, TODAY))
    again = run(selection, settings, known=read_known(path), today=TODAY)
    assert again.exit_code == 0
    assert again.counts[Outcome.KNOWN] == first.counts[Outcome.FAIL] > 0
    assert again.passed == first.passed
    mended = run(selection, SPOKEN, known=read_known(path), today=TODAY)
    assert mended.counts[Outcome.KNOWN_BUT_PASSES] == first.counts[Outcome.FAIL]
    assert mended.exit_code == 1
    late = run(selection, settings, known=read_known(path), today=date(2030, 1, 1))
    assert late.exit_code == 1
    assert late.stale


# Exit codes and figures


def test_of_several_exit_codes_the_first_in_the_order_counts() -> None:
    order = [70, 2, 3, 4, 1]
    for place, code in enumerate(order):
        assert first_code(set(order[place:])) == code
    assert first_code(set()) == 0


def test_the_two_figures_count_what_they_say() -> None:
    found = run_with(*Outcome)
    assert found.scored == 7
    assert found.passed == 2
    assert found.applicable == 10
    assert found.coverage == 7 / 10
    assert run_of().pass_rate == run_of().coverage == 0


def test_a_fault_of_ours_is_70_and_takes_no_other_trace_with_it(
    all_lines: Selection, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = cases.trace_cases
    victim = all_lines.lines[2].id

    def fails(adapter: Any, trace: Any, ways: Any) -> Any:
        if trace.id == victim:
            raise ZeroDivisionError("ours")
        return judge(adapter, trace, ways)

    monkeypatch.setattr(runner, "trace_cases", fails)
    found = run(few(all_lines, 5), SPOKEN)
    assert found.exit_code == 70
    assert found.bugs[0].startswith(victim)
    assert len({case.trace for case in found.cases}) == 4


def test_a_game_counts_once_and_the_clause_of_most_games_comes_first() -> None:
    first = (fault_at(9, "refuse", "5.3"), fault_at(2, "refuse", "5.3"))
    found = run_of(
        failing("t-1", "probe", *first),
        failing("t-2", "probe", fault_at(4, "refuse", "5.2", "5.3")),
        failing("t-3", "probe", fault_at(1, "refuse", "4.11")),
        failing("t-4", "probe", fault_at(1, "refuse")),
    )
    assert [(g.clause, g.faults, g.cases, g.fault.step) for g in found.groups] == [
        ("5.3", 2, 2, 2),
        ("4.11", 1, 1, 1),
        ("", 1, 1, 1),
    ]
    assert found.groups[0].title == "Follow suit"


def test_clauses_stand_in_the_order_of_the_book() -> None:
    numbers = ["0.12", "5.3", "5.4", "5.4b", "5.10", "9.1", "10.1", "99.9", "", "x"]
    assert sorted(set(numbers), key=order_of) == numbers


def test_what_follows_from_going_astray_is_not_grouped() -> None:
    found = run_of(
        failing(
            *("t-1", "observe"),
            fault_at(3, "then.trick", "5.10"),
            fault_at(3, "then.turn", "5.11"),
            fault_at(0, "end", "8.1"),
        ),
        failing(
            *("t-1", "legal"),
            fault_at(2, "legal", "5.4"),
            fault_at(3, "legal", "5.3"),
            fault_at(4, "legal", "5.2"),
        ),
        failing("t-2", "legal", fault_at(9, "legal", "5.6")),
    )
    assert [group.clause for group in found.groups] == ["5.4", "5.6"]
    assert sum(len(case.faults) for case in found.cases) == 7


def test_a_cause_without_a_mutant_does_not_hide_one_with_a_mutant() -> None:
    failed = [
        failing(f"t-{number}", "legal", fault_at(1, "legal", "3.11"))
        for number in range(4)
    ]
    causes = {f"t-{number}": Cause("", "3.11") for number in range(3)}
    causes["t-3"] = Cause("off:3.11", "3.11")
    (group,) = run_of(*failed, causes=causes).groups
    assert group.cause == "off:3.11"


def test_a_file_that_breaks_off_blames_none_of_its_lines(tmp_path: Path) -> None:
    failed = failing("t-1", "step", fault_at(1, "act", "5.3"))
    path = tmp_path / "known.jsonl.gz"
    path.write_bytes(gzip.compress(known_failures_text((failed,), TODAY))[:-4])
    with pytest.raises(Malformed) as caught:
        read_known(path)
    assert caught.value.where == str(path)


def test_cases_that_were_not_run_are_said_to_be_unscored() -> None:
    left = Case("t-1", "legal", Outcome.NOT_RUN, note="the game ended too early")
    found = unscored(run_of(Case("t-0", "step", Outcome.PASS), left))
    assert found == ["1 case not scored: the game ended too early"]


def test_every_op_has_its_own_limit() -> None:
    limits = Limits(op=1.0, batch=2.0, hello=3.0, bye=4.0)
    asked = [limits.of(op) for op in ("step", "replay", "hello", "bye")]
    assert asked == [1.0, 2.0, 3.0, 4.0]


LOST = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    said = {"unsupported": "what?"}
    if request["op"] == "hello":
        said = {"ok": {"protocol": 1, "name": "x", "version": "1", "language": "Python",
            "profiles": ["estmesh-hearts"], "players": [4], "capabilities":
            ["step", "pass", "setup.position", "match", "moon.choice", "revokes"]}}
    elif request["op"] == "open":
        sys.exit(1)
    print(json.dumps({"seq": request["seq"], **said}), flush=True)
"""


def test_what_was_not_run_is_applicable_only_if_the_engine_plays_it(
    all_lines: Selection,
) -> None:
    settings = Settings(command=(sys.executable, "-c", LOST), limits=Limits(restarts=0))
    found = run(all_lines, settings)
    assert found.stopped == "the adapter was lost once"
    left = [case for case in found.cases if case.outcome is Outcome.NOT_RUN]
    others = [case for case in left if case.profile != "estmesh-hearts"]
    assert others
    assert not any(case.applicable for case in others)
    assert any(case.applicable for case in left)


def test_a_fault_that_shows_in_the_check_too_stays_with_its_line(
    all_lines: Selection, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, lines = cases.trace_cases, few(all_lines, 5)
    victim = lines.lines[2].id

    def fails(adapter: Any, trace: Any, ways: Any) -> Any:
        if trace.id == victim:
            raise EngineBug("ours")
        return judge(adapter, trace, ways)

    def replay(trace: Any) -> Any:
        raise EngineBug("ours")

    monkeypatch.setattr(runner, "trace_cases", fails)
    monkeypatch.setattr(selection, "replay", replay)
    found = run(lines, SPOKEN)
    assert (found.exit_code, len(found.bugs)) == (70, 1)
    assert len({case.trace for case in found.cases}) == 4


def test_what_a_fault_says_was_asked_is_harmless() -> None:
    """An adapter names the first acts of the games it counts, in any text it likes."""
    fault = Fault(0, "games", (), "begin with \x1b[2J\n::error::x", "1", "2")
    assert fault.asked.isprintable()


def test_a_clause_that_is_known_to_fail_explains_no_crash(tmp_path: Path) -> None:
    wrong = fault_at(1, "legal", "5.3")
    lost = Case("t-1", "legal", Outcome.CRASH, faults=(wrong,), note="it ended")
    for named, outcome in (
        ({"clause": "5.3"}, Outcome.CRASH),
        ({"clause": "5.3", "outcome": "crash"}, Outcome.KNOWN),
        ({"clause": "5.3", "outcome": "timeout"}, Outcome.CRASH),
        ({"id": "t-1"}, Outcome.KNOWN),
    ):
        entries = known(tmp_path, entry(**named))
        (found,) = sort_known((lost,), entries, TODAY, False).cases
        assert found.outcome is outcome


def test_the_reason_of_a_loss_is_the_loss() -> None:
    wrong = fault_at(1, "legal", "5.3")
    lost = Case("t-1", "legal", Outcome.CRASH, faults=(wrong,), note="it ended")
    written = msgspec.json.decode(known_failures_text((lost,), TODAY))
    assert written["why"] == "it ended"


def test_what_follows_from_a_probe_that_changed_the_game_is_not_grouped() -> None:
    refused = fault_at(3, "act", "5.12")
    for kind in ("probe", "step"):
        found = run_of(
            failing("t-1", kind, fault_at(3, "purity", "0.10")),
            failing("t-1", "replay", refused),
        )
        assert [(one.clause, one.faults) for one in found.groups] == [("0.10", 1)]


def test_a_line_that_was_not_asked_does_not_show_that_the_adapter_works() -> None:
    ended = Case("t-1", "step", Outcome.CRASH, note="it ended")
    left = Case("t-2", "step", Outcome.UNSUPPORTED, note="match not declared")
    lost = runner._Found("t-1", (ended,), gone=True)
    whole = runner._Whole(Selection(()), SPOKEN)
    whole.add(runner._Results(found=(lost, runner._Found("t-2", (left,))) * 4))
    assert whole.stopped == "the adapter was lost 4 times in a row"
