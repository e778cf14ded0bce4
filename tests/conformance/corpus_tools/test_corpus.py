import json
import shutil
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from refengine import OPTIONS, Irregular, Refused, profile_names
from refengine.errors import Malformed
from refengine.formats import whole_files
from refengine.formats.minideals import check_mini, read_mini
from refengine.formats.trace import read_trace, replay
from refengine.formats.whole_files import write_file
from refengine_conformance.corpus_tools import build, bundled
from refengine_conformance.corpus_tools.build import (
    HUNTED,
    Kept,
    add_hunted_lines,
    evaluate_line,
    hunted_lines,
    lines_of_corpus,
    longer_fault_dictionary,
    manifest_of,
    refresh_corpus,
    select_smoke_lines,
    write_manifest,
)
from refengine_conformance.data import data
from refengine_conformance.mutants import designed, source_edits
from refengine_conformance.runner.fault_dictionary import (
    Suspect,
    dictionary_text,
    read_dictionary,
)
from refengine_conformance.tables.mutant_trials import killed_by_lines

CORPUS = source_edits.CORPUS
INDEX: list[dict[str, Any]] = [
    json.loads(line)
    for line in (CORPUS / "index.jsonl").read_text("utf-8").splitlines()
]
TIERS = ("smoke", "core")
LINES: dict[str, bytes] = {
    entry["id"]: (CORPUS / entry["file"]).read_bytes().split(b"\n")[entry["line"] - 1]
    for entry in INDEX
}
REASONS = tomllib.loads((CORPUS / "reasons.toml").read_text("utf-8"))
EXCUSED = {clause for one in REASONS.values() for clause in one.get("clauses", ())}
ALLOWED = {name for one in REASONS.values() for name in one.get("mutants", ())}
ALLOWED |= {f"off:{clause}" for clause in EXCUSED}


def survivors(names: list[str], ids: list[str], worker: Executor) -> set[str]:
    """Those of these mutants that no line with one of these ids kills."""
    lines = tuple(LINES[one].decode() for one in ids)
    killed = worker.submit(killed_by_lines, lines, tuple(names)).result()
    return {*names} - {*killed}


def test_the_manifest_is_that_of_the_files() -> None:
    manifest = json.loads((CORPUS / "manifest.json").read_text("utf-8"))
    assert manifest == manifest_of(CORPUS)


def test_a_line_with_a_separator_of_lines_in_a_name_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JSON allows an unescaped U+2028, a line separator, within a string."""
    lines = ['{"name":"two\u2028lines"}', '{"name":"b"}']
    (tmp_path / "a.jsonl").write_text("".join(f"{one}\n" for one in lines), "utf-8")
    index = [json.dumps({"file": "a.jsonl", "line": one}) for one in (1, 2)]
    (tmp_path / "index.jsonl").write_text("".join(f"{one}\n" for one in index), "utf-8")
    monkeypatch.setattr(build, "HUNTED", tmp_path / "a.jsonl")
    assert lines_of_corpus(tmp_path) == hunted_lines() == lines


def test_the_index_names_every_line_once() -> None:
    assert len(LINES) == len(INDEX)
    for entry in INDEX:
        assert json.loads(LINES[entry["id"]])["id"] == entry["id"]
    lines = sum(
        (CORPUS / name).read_bytes().count(b"\n") for name in {e["file"] for e in INDEX}
    )
    assert lines == len(INDEX)


def test_every_profile_is_there() -> None:
    assert {entry["profile"] for entry in INDEX} == {*profile_names()}
    assert {entry["tier"] for entry in INDEX} == set(TIERS)


@pytest.mark.parametrize(("tier", "seconds"), [("smoke", 5), ("core", 60)])
def test_every_line_holds_within_its_time(tier: str, seconds: float) -> None:
    began = time.process_time()
    wrong = []
    for entry in INDEX:
        if entry["tier"] != tier:
            continue
        line = LINES[entry["id"]]
        if entry["id"].startswith("m-"):
            findings = check_mini(read_mini(line))
        else:
            findings = replay(read_trace(line))
        wrong += [f"{entry['id']}: {finding}" for finding in findings]
    assert wrong == []
    assert time.process_time() - began < seconds


def test_every_step_states_what_is_due() -> None:
    for name, line in LINES.items():
        if name.startswith("m-"):
            continue
        for step in read_trace(line).steps:
            assert step.legal is not None


def test_penalised_revokes_stand_only_where_they_are_the_matter() -> None:
    for entry in INDEX:
        if entry["id"].startswith("m-"):
            continue
        trace = read_trace(LINES[entry["id"]])
        if trace.ruleset.rules.revokes_penalised:
            assert any(one.startswith("7.") for one in entry["necessary"])


def test_every_judging_clause_has_a_necessary_trace_or_a_reason() -> None:
    found = {
        number
        for entry in INDEX
        if entry["id"].startswith("t-")
        for number in entry["necessary"]
    }
    judged = {entry["number"] for entry in source_edits.judging_clauses()}
    assert sorted(judged - found) == sorted(EXCUSED)


@pytest.mark.unmeasured
def test_clauses_off_and_known_bugs_are_killed_or_have_a_reason(
    worker: Executor,
) -> None:
    names = [
        one.id
        for one in designed.designed_mutants()
        if one.id.startswith(("off:", "bug:")) and one.id not in ALLOWED
    ]
    tiers = sorted(INDEX, key=lambda entry: str(entry["tier"]), reverse=True)
    assert survivors(names, [entry["id"] for entry in tiers], worker) == set()


def test_few_short_lines_are_smoke_and_kill_all_that_any_line_kills() -> None:
    def kept(name: str, length: int, *kills: str) -> Kept:
        return Kept("", "x" * length, name, (), (), (), kills, {})

    lines = [
        kept("long", 9_000, "a", "b", "c"),
        kept("idle", 10),
        kept("a", 100, "a"),
        kept("a and b", 100, "a", "b"),
        kept("c", 120, "c"),
    ]
    assert [one.id for one in select_smoke_lines(lines)] == ["a and b", "c"]


def test_smoke_alone_kills_the_known_bugs(worker: Executor) -> None:
    names = [one.id for one in designed.designed_mutants() if one.id.startswith("bug:")]
    names = [name for name in names if name not in ALLOWED]
    smoke = [entry["id"] for entry in INDEX if entry["tier"] == "smoke"]
    assert survivors(names, smoke, worker) == set()


@pytest.mark.slow
def test_every_mutant_is_killed_or_has_a_reason(worker: Executor) -> None:
    names = [one.id for one in designed.designed_mutants()]
    tiers = sorted(INDEX, key=lambda entry: str(entry["tier"]), reverse=True)
    assert survivors(names, [entry["id"] for entry in tiers], worker) == ALLOWED


def test_reasons_name_mutants_that_there_are() -> None:
    assert {one.id for one in designed.designed_mutants()} >= ALLOWED


def test_every_value_of_every_option_is_in_the_corpus() -> None:
    """Of a cycle each entry has to be there, and of numbers none in particular."""
    seen: Counter[tuple[str, str]] = Counter()
    for line in LINES.values():
        ruleset = (read_mini if b'"mini"' in line[:10] else read_trace)(line).ruleset
        for name, value in ruleset.options.items():
            values = value if isinstance(value, tuple) else (value,)
            seen.update((name, str(one)) for one in values)
    for option in OPTIONS:
        words = ("False", "True") if isinstance(option.base, bool) else option.words
        for word in words:
            assert seen[option.name, word], f"{option.name} {word}"


def current(entry: dict[str, Any], worker: Executor) -> None:
    kept = worker.submit(evaluate_line, LINES[entry["id"]].decode()).result()
    assert entry["fires"] == list(kept.fires)
    assert entry["necessary"] == list(kept.necessary)
    assert entry["needs"] == list(kept.needs)
    assert entry["verdicts"] == kept.verdicts


@pytest.mark.unmeasured
def test_a_sample_of_the_index_is_what_a_run_records(worker: Executor) -> None:
    for entry in INDEX[:: max(1, len(INDEX) // 5)]:
        current(entry, worker)


@pytest.mark.slow
def test_the_whole_index_is_what_a_run_records(worker: Executor) -> None:
    for entry in INDEX:
        current(entry, worker)


def test_every_line_that_was_hunted_is_there() -> None:
    hunted = {json.loads(line)["id"] for line in HUNTED.read_text("utf-8").splitlines()}
    assert hunted <= set(LINES)


def test_a_hunted_line_that_is_missing_is_added_where_it_was(
    worker: Executor, tmp_path: Path
) -> None:
    folder = tmp_path / "corpus"
    shutil.copytree(CORPUS, folder)
    hunted = [json.loads(one)["id"] for one in HUNTED.read_text("utf-8").splitlines()]
    *_, place = [  # one that no selection of the smoke tier has taken
        entry for entry in INDEX if entry["id"] in hunted and entry["tier"] == "core"
    ]
    gone = place["id"]
    index = [dict(entry) for entry in INDEX if entry["id"] != gone]
    for entry in index:
        if entry["file"] == place["file"] and entry["line"] > place["line"]:
            entry["line"] -= 1
    text = "".join(json.dumps(entry) + "\n" for entry in index)
    (folder / "index.jsonl").write_text(text)
    for name in (place["file"], "dictionary.jsonl"):
        lines = (folder / name).read_text("utf-8").splitlines(keepends=True)
        kept = [line for line in lines if json.loads(line).get("id") != gone]
        assert len(kept) == len(lines) - 1
        (folder / name).write_text("".join(kept), "utf-8")
    assert [one.id for one in add_hunted_lines(folder, worker)] == [gone]
    for name in ("index.jsonl", "dictionary.jsonl", place["file"]):
        assert (folder / name).read_bytes() == (CORPUS / name).read_bytes()


KILLS = {
    "t-004d33182ba73431": (),
    "t-195a30807732aeeb": ("a",),
    "t-9a00821ea99bd9eb": ("a", "b"),
}
EARLIER, *SMALL = KILLS  # three lines of one file, in the order of the index


def entries_in(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(one) for one in (folder / name).read_bytes().splitlines()]


def evaluated(line: str) -> Kept:
    """The line as if only clause 5.3 needed it, with the mutants listed in `KILLS`."""
    name = json.loads(line)["id"]
    profile = json.loads(line)["ruleset"]["profile"]
    return Kept(profile, line, name, (), (), ("5.3",), KILLS[name], {})


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a corpus of two lines, with a third line yet to be added.

    Stand-ins replace the trials of mutants on them, and threads the workers.
    """
    folder = tmp_path / "corpus"
    folder.mkdir()
    monkeypatch.setattr(build, "HUNTED", tmp_path / "hunted.jsonl")
    monkeypatch.setattr(build, "evaluate_line", evaluated)
    monkeypatch.setattr(build, "mutant_signs_on_line", lambda task: {})
    monkeypatch.setattr(build, "observed_fields_of_line", lambda task: {"5.3": ["out"]})
    workers = "refengine_conformance.mutants.loading.mutant_workers"
    monkeypatch.setattr(workers, ThreadPoolExecutor)
    index = [one for one in INDEX if one["id"] in SMALL]
    signs = (CORPUS / "dictionary.jsonl").read_text("utf-8").splitlines()
    texts = {
        build.HUNTED: [LINES[EARLIER].decode()],
        folder / index[0]["file"]: [LINES[one].decode() for one in SMALL],
        folder / "index.jsonl": [
            json.dumps({**one, "line": number}) for number, one in enumerate(index, 1)
        ],
        folder / "dictionary.jsonl": [
            line for line in signs if line is signs[0] or any(map(line.count, SMALL))
        ],
    }
    for path, lines in texts.items():
        path.write_text("".join(f"{one}\n" for one in lines), "utf-8")
    write_manifest(folder)
    return folder


def test_a_refresh_records_all_anew_and_leaves_no_other_file(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (small / "core-older.jsonl").touch()
    with ThreadPoolExecutor(1) as executor:
        refresh_corpus(small, executor)
    assert capsys.readouterr().out.startswith("3 lines kept, 1 of them smoke\n2 of ")
    files = {"core-openspiel-hearts.jsonl": [EARLIER, SMALL[0]]}
    files["smoke.jsonl"] = [SMALL[1]]  # it kills all that any line kills
    for name, ids in files.items():
        assert [one["id"] for one in entries_in(small, name)] == ids
    assert [
        (one["id"], one["file"], one["line"], one["necessary"])
        for one in entries_in(small, "index.jsonl")
    ] == [
        (one, name, number, ["5.3"])
        for name, ids in files.items()
        for number, one in enumerate(ids, 1)
    ]
    observed = entries_in(small, "dictionary.jsonl")[1:]
    assert [one["id"] for one in observed] == [*KILLS]
    assert all(one["observed"] == {"5.3": ["out"]} for one in observed)
    beside = {"index.jsonl", "dictionary.jsonl"}
    assert {path.name for path in small.glob("*.jsonl")} == {*files, *beside}


class Stopped(Exception):
    """An exception that stands for an interruption of the program."""


def stopping_after(files: int) -> Callable[[Path, bytes], None]:
    """A function that writes this many files, and is then interrupted."""
    left = iter(range(files))

    def write(path: Path, content: bytes) -> None:
        if next(left, None) is None:
            raise Stopped
        write_file(path, content)

    return write


@pytest.mark.parametrize("written", [None, 0, 1, 2])
def test_lines_that_were_being_added_are_added_again(
    small: Path, monkeypatch: pytest.MonkeyPatch, written: int | None
) -> None:
    """The run ends while signs are worked out, or after `written` files."""

    def signs(task: object) -> dict[str, Any]:
        if written is None:
            raise Stopped
        return {}

    with ThreadPoolExecutor(1) as executor:
        with monkeypatch.context() as stopping:
            stopping.setattr(build, "mutant_signs_on_line", signs)
            stopping.setattr(whole_files, "write_file", stopping_after(written or 0))
            with pytest.raises(Stopped):
                add_hunted_lines(small, executor)
        assert [one.id for one in add_hunted_lines(small, executor)] == [EARLIER]
    found = entries_in(small, "index.jsonl")
    assert [(one["id"], one["line"]) for one in found] == [
        *((EARLIER, 1), (SMALL[0], 2), (SMALL[1], 3))
    ]
    assert len({one["file"] for one in found}) == 1
    observed = {one["id"]: one for one in entries_in(small, "dictionary.jsonl")[1:]}
    assert observed.keys() == KILLS.keys()
    assert observed[EARLIER]["observed"] == {"5.3": ["out"]}


@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize("written", range(5))
def test_a_line_that_moves_is_in_one_of_its_files_at_every_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int, is_new: bool
) -> None:
    """Two lines change places, or all are moved to a file that is new.

    The run ends after `written` files.
    """
    before = {"core-x.jsonl": b"a\n", "smoke.jsonl": b"b\n", "index.jsonl": b"1\n"}
    after = {"core-x.jsonl": b"b\n", "smoke.jsonl": b"a\n", "index.jsonl": b"2\n"}
    if is_new:
        before = {"core-x.jsonl": b"a\nb\n", "index.jsonl": b"1\n"}
    for name, content in before.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.setattr(whole_files, "write_file", stopping_after(written))
    with nullcontext() if written == 4 else pytest.raises(Stopped):
        build._write_files(tmp_path, after)
    now = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    games = now["core-x.jsonl"] + now.get("smoke.jsonl", b"")
    assert {*games.splitlines()} == {b"a", b"b"}
    assert now == after or written < 4


@pytest.mark.parametrize("what", ["--refresh", "--add", "--observed"])
def test_a_line_that_its_file_lacks_is_told_and_not_dropped(
    what: str, small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A refresh of an older version left this behind if it was interrupted."""
    (name,) = {one["file"] for one in entries_in(small, "index.jsonl")}
    _, kept = (small / name).read_bytes().splitlines(keepends=True)
    (small / name).write_bytes(kept)
    before = {path: path.read_bytes() for path in small.iterdir()}
    assert build.main([what, "--out", str(small)]) == 3
    assert capsys.readouterr().err.startswith(f"{name}: found no {SMALL[0]}; allowed: ")
    assert {path: path.read_bytes() for path in small.iterdir()} == before


@pytest.mark.parametrize("what", ["--refresh", "--add", "--observed", "--manifest"])
def test_what_a_corpus_has_that_is_not_json_or_lacks_is_told(
    what: str, small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A blank line is not JSON, and a folder that is not there has no index."""
    is_hunted = what in ("--refresh", "--add")
    path = build.HUNTED if is_hunted else small / "index.jsonl"
    number = len(path.read_bytes().splitlines()) + 1
    path.write_bytes(path.read_bytes() + b"\n")
    before = {one: one.read_bytes() for one in small.iterdir()}
    assert build.main([what, "--out", str(small)]) == 3
    assert capsys.readouterr().err.startswith(f"{path.name}:{number}: found ")
    assert {one: one.read_bytes() for one in small.iterdir()} == before
    path.write_bytes(b"")
    gone = small / "gone"
    assert build.main([what, "--out", str(gone)]) == 3
    assert capsys.readouterr().err.startswith(f"{gone / 'index.jsonl'}: No such file")


def test_a_hunted_line_without_an_id_is_told(small: Path) -> None:
    build.HUNTED.write_bytes(b"{}\n")
    said = r"hunted\.jsonl:1: found a line without an id"
    with ThreadPoolExecutor(1) as executor, pytest.raises(Malformed, match=said):
        add_hunted_lines(small, executor)


def test_a_line_that_is_hunted_twice_is_added_once(small: Path) -> None:
    build.HUNTED.write_bytes(2 * (LINES[EARLIER] + b"\n"))
    with ThreadPoolExecutor(1) as executor:
        assert [one.id for one in add_hunted_lines(small, executor)] == [EARLIER]
    index = entries_in(small, "index.jsonl")
    assert [one["id"] for one in index] == [EARLIER, *SMALL]


def test_a_bundled_corpus_that_is_not_that_of_its_manifest_is_named(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed byte in the name of a game shows only in the checksum of its file."""
    monkeypatch.setattr(bundled, "_EVIDENCE", small.parent)
    report = bundled.bundled_report(lambda done: None)
    assert (report.kinds, report.disagreements) == ({"trace": 2}, ())
    (name,) = {one["file"] for one in entries_in(small, "index.jsonl")}
    text = (small / name).read_bytes()
    (small / name).write_bytes(text.replace(b'"name":"', b'"name":"~', 1))
    (said,) = bundled.bundled_report(lambda done: None).disagreements
    assert said.endswith(f"{name}: not the file of the manifest: its SHA-256 differs")


def test_events_and_openings_are_bundled_as_well() -> None:
    number = Counter(place.partition(":")[0] for place, _ in bundled.bundled_lines())
    for name in ("events", "openings"):
        lines = data("events-and-openings", f"{name}.jsonl").read_bytes().splitlines()
        assert number[f"events-and-openings/{name}.jsonl"] == len(lines) > 0


def test_lines_are_added_to_a_dictionary_of_other_mutants() -> None:
    """The dictionary lacks a new mutant, and has one that no longer exists."""
    today = read_dictionary((CORPUS / "dictionary.jsonl").read_bytes())
    ids = [one.id for one in today.suspects]
    signs = dict(zip(ids, today.signs, strict=True))
    new = ids[0]
    gone = Suspect("off:0.99", ("0.99",))
    older = [*reversed(today.suspects[1:]), gone]
    shown = {**signs, gone.id: signs[new]}
    text = dictionary_text(
        older,
        {
            line: {
                one.id: shown[one.id][line] for one in older if line in shown[one.id]
            }
            for line in sorted(today.lines)
        },
    )
    head, *lines = text.splitlines()
    entries = [json.loads(line) for line in lines]
    for entry in entries:
        observed = today.observed[entry["id"]]
        entry["observed"] = {clause: sorted(some) for clause, some in observed.items()}
    written = "\n".join([head.decode(), *map(json.dumps, entries)]).encode()
    with ThreadPoolExecutor(1) as executor:
        found = read_dictionary(longer_fault_dictionary(written, [], executor))
    assert found.suspects == today.suspects
    assert (found.lines, found.observed) == (today.lines, today.observed)
    assert signs[new]
    expected = {**signs, new: {}}
    assert dict(zip(ids, found.signs, strict=True)) == expected


def test_both_refusals_and_irregular_acts_are_asked_for() -> None:
    kinds: Counter[type] = Counter()
    for name, line in LINES.items():
        if name.startswith("t-"):
            for step in read_trace(line).steps:
                kinds[Refused] += len(step.refuse)
                kinds[Irregular] += len(step.irregular) + bool(step.breaks)
    assert kinds[Refused] > kinds[Irregular] > 0
