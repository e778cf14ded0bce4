"""The plugin: no trace of it without its option, and one test a trace with it."""

import json
import os
import re
import shlex
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from refengine import profile_names
from refengine.formats.trace import read_trace, write_trace
from refengine_conformance.generators.strategies import (
    recorded,
    some_opening,
    some_script,
)
from tests.support import places

pytestmark = pytest.mark.unmeasured

PLAIN = places.ADAPTERS / "plain_adapter.py"
REFERENCE = "builtin:reference"
ACCEPTS_ALL = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye":
        break
    ok = {}
    if request["op"] == "hello":
        ok = {"protocol": 1, "name": "yes", "version": "1", "language": "Python",
              "profiles": "any", "players": "any", "capabilities":
              ["step", "probe", "setup.position", "match", "pass", "stock", "revokes",
               "moon.choice", "scatter", "mix", "forward", "kitty"]}
    print(json.dumps({"seq": request["seq"], "ok": ok}), flush=True)
"""


FAILS_IN_LEGAL = """
import json, sys
sys.path[:0] = sys.argv[1:]
from refengine.formats.serve import Session
session, asked = Session(), 0
for line in sys.stdin.buffer:
    answer = session.handle(line)
    if answer is None:
        break
    request = json.loads(line)
    asked += request["op"] == "legal"
    if request["op"] == "hello":
        answer = answer.replace(b'"replay",', b"")
    if request["op"] == "legal" and asked == 2:
        answer = json.dumps({"seq": request["seq"], "error": "DataCloneError"}).encode()
    sys.stdout.buffer.write(answer + bytes([10]))
    sys.stdout.buffer.flush()
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "traces.jsonl"
    lines = []
    for seed in range(21):
        rng, names = Random(seed), profile_names()
        state = some_opening(rng, names[seed % len(names)], 1)
        lines.append(write_trace(recorded(some_script(rng, state, wild=0.1))) + b"\n")
    path.write_bytes(b"".join(lines))
    return path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    # Where CI is set, pytest repeats whole messages in its summary.
    plain = {name: value for name, value in os.environ.items() if name != "CI"}
    return subprocess.run(
        [*command, "-rA", *arguments],
        cwd=folder,
        env=plain,
        capture_output=True,
        text=True,
        check=False,
    )


def with_adapter(
    folder: Path, adapter: str, corpus: Path, *more: str
) -> subprocess.CompletedProcess[str]:
    given = ["--hearts-adapter", adapter, "--hearts-corpus", str(corpus)]
    return run(folder, *given, *more)


def test_a_right_engine_passes_one_test_for_each_trace(
    tmp_path: Path, corpus: Path
) -> None:
    found = with_adapter(tmp_path, REFERENCE, corpus)
    assert found.returncode == 0, found.stdout
    ids = [read_trace(line).id for line in corpus.read_bytes().splitlines()]
    for name in ids:
        assert f"PASSED hearts::{name}" in found.stdout
    assert f"{len(ids)} passed" in found.stdout


def test_a_wrong_engine_fails_with_clause_and_question(
    tmp_path: Path, corpus: Path
) -> None:
    adapter = tmp_path / "yes.py"
    adapter.write_text(ACCEPTS_ALL, "utf-8")
    found = with_adapter(tmp_path, shlex.join([sys.executable, str(adapter)]), corpus)
    assert found.returncode == 1
    assert "FAILED hearts::t-" in found.stdout
    assert "expected refused by" in found.stdout
    assert "got      ok" in found.stdout
    assert "2.3 Turn" in found.stdout
    assert f"shows it: refengine conform run --corpus {corpus} --trace t-" in (
        found.stdout
    )


def test_what_is_wrong_comes_first_and_the_command_last(
    tmp_path: Path, corpus: Path
) -> None:
    command = python(tmp_path, ACCEPTS_ALL)
    found = with_adapter(tmp_path, command, corpus, "--junit-xml", "all.xml")
    short = re.findall(r"FAILED hearts::t-\w+ - (.*)", found.stdout)
    assert short
    assert not any("smallest" in one for one in short)
    for case in ElementTree.parse(tmp_path / "all.xml").iter("failure"):
        first, *_, last = (case.text or "").splitlines()
        assert re.fullmatch(r".*: expected (.*), got (.*)", first)
        assert last.startswith("the smallest game that shows it: refengine conform")


HOOK = """
def pytest_collection_modifyitems(items):
    ours = [one for one in items if one.get_closest_marker("hearts")]
    print("seen", len(ours))
    items[:] = [one for one in items if one not in ours[1:]]
"""


def test_hooks_of_ones_own_see_the_tests_of_the_suite(
    tmp_path: Path, corpus: Path
) -> None:
    (tmp_path / "conftest.py").write_text(HOOK, "utf-8")
    (tmp_path / "test_mine.py").write_text("def test_mine(): pass\n", "utf-8")
    strict = ("-s", "--strict-markers")
    found = with_adapter(tmp_path, REFERENCE, corpus, *strict)
    assert f"seen {len(corpus.read_bytes().splitlines())}\n" in found.stdout
    assert "2 passed" in found.stdout
    others = with_adapter(tmp_path, REFERENCE, corpus, "-m", "not hearts", *strict)
    assert "1 passed" in others.stdout


@pytest.mark.parametrize("how", [(), ("-n", "2"), ("--hearts-by", "clause")])
def test_the_id_of_a_test_can_be_typed(
    tmp_path: Path, corpus: Path, how: tuple[str, ...]
) -> None:
    (tmp_path / "test_mine.py").write_text("def test_mine(): pass\n", "utf-8")
    name = read_trace(corpus.read_bytes().splitlines()[3]).id
    typed = "hearts::2.3" if "clause" in how else f"hearts::{name}"
    found = with_adapter(tmp_path, REFERENCE, corpus, *how, typed)
    assert found.returncode == 0, found.stdout
    assert f"PASSED {typed}\n" in found.stdout
    assert "1 passed" in found.stdout
    both = with_adapter(tmp_path, REFERENCE, corpus, *how, typed, "test_mine.py")
    assert "2 passed" in both.stdout
    wrong = with_adapter(tmp_path, REFERENCE, corpus, *how, "hearts::t-zz")
    assert wrong.returncode == 4
    assert "ERROR: hearts::t-zz: the suite has no such test" in wrong.stderr


@pytest.mark.parametrize(
    ("given", "flag"),
    [
        (("--hearts-hands", "some"), "--hearts-hands"),
        (("--hearts-hands", "60"), "--hearts-hands"),
        (("--hearts-starts", "late"), "--hearts-starts"),
        (("--hearts-needs-card", "2Z"), "--hearts-needs-card"),
        (("--hearts-needs-card", ""), "--hearts-needs-card"),
        (("--hearts-players", "60"), "--hearts-players"),
        (("--hearts-option", "limits=3"), "--hearts-option"),
        (("--hearts-option", "limit"), "--hearts-option"),
        (("--hearts-profile", "whist"), "--hearts-profile"),
        (("--hearts-pack", "some"), "--hearts-pack"),
    ],
)
def test_an_error_names_the_flag_that_was_typed(
    tmp_path: Path, given: tuple[str, ...], flag: str
) -> None:
    found = run(tmp_path, "--hearts-adapter", REFERENCE, *given)
    assert found.returncode == 4
    assert f"ERROR: {flag}: found " in found.stderr


def test_reports_are_those_of_the_runner(tmp_path: Path, corpus: Path) -> None:
    adapter, page = tmp_path / "yes.py", tmp_path / "report.html"
    adapter.write_text(ACCEPTS_ALL, "utf-8")
    command = shlex.join([sys.executable, str(adapter)])
    reports = ("--hearts-report", f"html:{page}", "--hearts-report", "jsonl:all.jsonl")
    found = with_adapter(tmp_path, command, corpus, *reports)
    assert found.returncode == 1
    text = page.read_text("utf-8")
    assert "yes 1 against the Hearts Family Rules" in text
    assert re.search(r"\d+ clauses? not kept: <a href=\"#clause-", text)
    assert "refengine conform run --trace t-" not in text
    assert f"--corpus {corpus} --trace t-" in text
    lines = (tmp_path / "all.jsonl").read_text("utf-8").splitlines()
    cases = [line for line in map(json.loads, lines) if "case" in line]
    failed = {one["case"].split("/")[0] for one in cases if one["outcome"] == "fail"}
    assert failed == set(re.findall(r"FAILED hearts::(\S+)", found.stdout))


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (("--hearts-report", "pdf:x"), 4, "FORMAT:FILE"),
        (("--hearts-report", "html:no/page"), 4, "there is no folder no"),
        (("--hearts-report", "html:/dev/full"), 3, "cannot be written: no space"),
        (("--hearts-report", "html:x", "-n", "2"), 4, "one process must run all tests"),
    ],
)
def test_a_report_that_cannot_be_made_says_why(
    tmp_path: Path, corpus: Path, given: tuple[str, ...], code: int, said: str
) -> None:
    found = with_adapter(tmp_path, REFERENCE, corpus, *given)
    assert found.returncode == code
    assert said in found.stdout + found.stderr
    assert code != 3 or " passed" in found.stdout


def test_known_failures_are_expected_and_the_others_shown_again(
    tmp_path: Path, corpus: Path
) -> None:
    adapter = tmp_path / "yes.py"
    adapter.write_text(ACCEPTS_ALL, "utf-8")
    command = shlex.join([sys.executable, str(adapter)])
    failed = with_adapter(tmp_path, command, corpus)
    first, second, *others = re.findall(r"FAILED hearts::(t-\w+)", failed.stdout)
    until = (date.today() + timedelta(days=1)).isoformat()
    entries = [{"id": one, "why": "later", "until": until} for one in (first, *others)]
    known = tmp_path / "known.jsonl"
    known.write_text("".join(json.dumps(one) + "\n" for one in entries), "utf-8")
    found = with_adapter(tmp_path, command, corpus, "--hearts-known", str(known))
    assert found.returncode == 1
    assert f"XFAIL hearts::{first}" in found.stdout
    assert re.findall(r"FAILED hearts::(t-\w+)", found.stdout) == [second]
    again = re.search(r"shows it: refengine (.*)", found.stdout)
    assert again is not None
    assert f"--known {known}" in again[1]
    shown = subprocess.run(
        [sys.executable, "-m", "refengine", *shlex.split(again[1])],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 1, shown.stderr
    assert f"--trace {second}" in again[1]
    entries.append({"id": second, "why": "later", "until": until})
    known.write_text("".join(json.dumps(one) + "\n" for one in entries), "utf-8")
    all_known = with_adapter(tmp_path, command, corpus, "--hearts-known", str(known))
    assert all_known.returncode == 0, all_known.stdout


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('{"id": "t-1", "why": "w", "until": "2026-01-01"}', "should have been fixed"),
        ("{}", "known.jsonl:1"),
    ],
)
def test_a_list_of_known_failures_that_does_not_hold_is_an_error_of_usage(
    tmp_path: Path, corpus: Path, entry: str, said: str
) -> None:
    known = tmp_path / "known.jsonl"
    known.write_text(entry, "utf-8")
    found = with_adapter(tmp_path, REFERENCE, corpus, "--hearts-known", str(known))
    assert found.returncode == 4
    assert said in found.stderr


@pytest.mark.parametrize("by", ["trace", "clause"])
def test_an_error_of_the_adapters_own_fails_the_test_and_says_so(
    tmp_path: Path, corpus: Path, by: str
) -> None:
    adapter = tmp_path / "fails.py"
    adapter.write_text(FAILS_IN_LEGAL, "utf-8")
    command = shlex.join([sys.executable, str(adapter), *sys.path])
    found = with_adapter(tmp_path, command, corpus, "--hearts-by", by)
    assert found.returncode == 1, found.stdout
    said = "the adapter's own error: DataCloneError (step "
    assert said in found.stdout
    assert "no rule is at fault for it" in found.stdout
    assert "expected" not in found.stdout
    assert "passed" in found.stdout  # the games in which it did not fail
    if by == "trace":
        assert "1 failed" in found.stdout


def test_by_clause_there_is_a_test_for_each_clause(
    tmp_path: Path, corpus: Path
) -> None:
    found = with_adapter(tmp_path, REFERENCE, corpus, "--hearts-by", "clause")
    assert found.returncode == 0, found.stdout
    assert "PASSED hearts::2.3" in found.stdout
    assert "PASSED hearts::5.3" in found.stdout


def test_what_an_engine_does_not_declare_is_skipped(
    tmp_path: Path, corpus: Path
) -> None:
    adapter = shlex.join([sys.executable, str(PLAIN)])
    found = with_adapter(tmp_path, adapter, corpus)
    assert found.returncode == 0, found.stdout
    assert "skipped" in found.stdout
    assert "passed" in found.stdout


def test_a_profile_can_be_chosen(tmp_path: Path, corpus: Path) -> None:
    chosen = with_adapter(
        tmp_path, REFERENCE, corpus, "--hearts-profile", "estmesh-hearts"
    )
    assert "2 passed" in chosen.stdout


def test_a_corpus_that_cannot_be_read_is_an_error_of_usage(tmp_path: Path) -> None:
    found = with_adapter(tmp_path, REFERENCE, tmp_path / "nowhere.jsonl")
    assert found.returncode == 4
    assert "nowhere.jsonl" in found.stderr + found.stdout


def declaring(tables: str, keep: str) -> str:
    script = places.ROOT / "tests" / "support" / "tables_adapter.py"
    return shlex.join([sys.executable, str(script), tables, keep])


# the table that the plain engine declares too, so that its games are found once
OPTIONS = {
    "first_trick_points": "barred",
    "moon": "others_plus",
    "bonus_card": "JD",
}
WHOLE = ("--hearts-hands", "full", "--hearts-starts", "deal")


@pytest.mark.parametrize("by", ["trace", "clause"])
def test_the_games_of_a_table_are_asked(tmp_path: Path, by: str) -> None:
    adapter = shlex.join([sys.executable, str(PLAIN)])
    flags = [*WHOLE] if by == "trace" else []
    for name, value in OPTIONS.items() if flags else ():
        flags += ["--hearts-option", f"{name}={value}"]
    found = run(tmp_path, "--hearts-adapter", adapter, *flags, "--hearts-by", by)
    assert found.returncode == 0, found.stdout
    assert "nothing was scored" not in found.stdout
    assert "PASSED hearts::" in found.stdout


def test_tables_in_hello_are_asked_and_a_case_is_shown_again(tmp_path: Path) -> None:
    table = {"profile": "estmesh-hearts", "options": OPTIONS, "hands": "full"}
    declared = json.dumps([{**table, "starts": ["deal"]}])
    adapter = declaring(declared, "step legal probe pass moon.choice wrong")
    found = run(tmp_path, "--hearts-adapter", adapter)
    assert found.returncode == 1
    again = (
        r"shows it: refengine conform run --profile estmesh-hearts --players 4 .*"
        r"--option bonus_card=JD .*--hands full --starts deal --seed 2026 --trace t-"
    )
    assert re.search(again, found.stdout)
    tier = run(tmp_path, "--hearts-adapter", adapter, "--hearts-tier", "smoke")
    assert "refengine conform run --tier core --trace t-" in tier.stdout


# An adapter that does not start, and one that is lost

DIES_WHEN_ASKED = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye":
        break
    if request["op"] != "hello":
        print("asked to", request["op"], file=sys.stderr)
        raise KeyError("nobody wrote this")
    ok = {"protocol": 1, "name": "dies", "version": "1", "language": "Python",
          "profiles": "any", "players": "any", "capabilities":
          ["step", "probe", "setup.position", "match", "pass", "stock", "revokes",
           "moon.choice", "scatter", "mix", "forward", "kitty"]}
    print(json.dumps({"seq": request["seq"], "ok": ok}), flush=True)
"""
STARTS_ONCE = """
import pathlib
mark = pathlib.Path("started")
if len(mark.read_text() if mark.exists() else "") == 2:
    raise ImportError("the second time round")
mark.write_text((mark.read_text() if mark.exists() else "") + "x")
"""
NEVER_ANSWERS = """
import sys
print("waiting for a licence server", file=sys.stderr, flush=True)
for line in sys.stdin:
    pass
"""
SPEAKS_ANOTHER = """
import json, sys
seq = json.loads(sys.stdin.readline())["seq"]
ok = {"protocol": 2, "name": "n", "version": "1", "language": "Python",
      "profiles": "any", "players": "any", "capabilities": ["step"]}
print(json.dumps({"seq": seq, "ok": ok}), flush=True)
sys.stdin.read()
"""


def python(folder: Path, source: str) -> str:
    """The command of an adapter with this source."""
    adapter = folder / "my_adapter.py"
    adapter.write_text(source, "utf-8")
    return shlex.join([sys.executable, str(adapter)])


@pytest.mark.parametrize(
    "how", [(), ("-n", "2"), ("--collect-only",), ("--hearts-tier", "smoke"), WHOLE]
)
@pytest.mark.parametrize(
    ("source", "sentence", "stderr"),
    [
        (
            "import no_such_module",
            "hello: the adapter ended with exit code 1",
            "ModuleNotFoundError: No module named 'no_such_module'",
        ),
        (
            NEVER_ANSWERS,
            "hello: no answer within 2 s, the time limit",
            "waiting for a licence server",
        ),
        (SPEAKS_ANOTHER, "hello: the adapter speaks protocol 2; wanted 1", ""),
    ],
)
def test_an_adapter_that_cannot_be_run_is_one_error_of_usage(
    tmp_path: Path, how: tuple[str, ...], source: str, sentence: str, stderr: str
) -> None:
    given = ("--hearts-adapter", python(tmp_path, source))
    limit = ("--hearts-limit-hello", "2") if source is NEVER_ANSWERS else ()
    found = run(tmp_path, *given, *limit, *how)
    assert found.returncode == 4
    first, *others = filter(None, found.stderr.splitlines())
    assert first.startswith(f"ERROR: {sentence}")
    assert not stderr or others[0] == "the end of its standard error:"
    assert all(line.startswith("    | ") for line in others[1:])
    assert stderr in found.stderr
    assert "hearts::" not in found.stdout


@pytest.mark.parametrize(
    ("adapter", "said"),
    [
        ("no-such-program", "no-such-program cannot be started: "),
        ("builtin:mutant:no-such", "the mutant: found 'no-such'"),
        ("-- no-such-program", "no-such-program cannot be started: "),
        ("python 'my", '--hearts-adapter "python \'my": no closing quotation'),
        (
            " ",
            "--hearts-adapter is empty: give it the command of your adapter, such as",
        ),
        (
            "''",
            "--hearts-adapter is empty: give it the command of your adapter, such as",
        ),
        ("", "--hearts-adapter is empty: give it the command of your adapter, such as"),
    ],
)
def test_a_command_that_names_no_adapter_is_one_error_of_usage(
    tmp_path: Path, adapter: str, said: str
) -> None:
    found = run(tmp_path, "--hearts-adapter", adapter)
    assert found.returncode == 4
    assert [line for line in found.stderr.splitlines() if line] == [
        line for line in found.stderr.splitlines() if said in line
    ]


@pytest.mark.parametrize("flag", ["corpus", "known", "log", "profile"])
def test_an_empty_path_is_one_error_of_usage(tmp_path: Path, flag: str) -> None:
    found = run(tmp_path, "--hearts-adapter", "builtin:reference", f"--hearts-{flag}=")
    assert found.returncode == 4
    assert f"--hearts-{flag} is empty: give it a path, or leave it out" in found.stderr


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "604801", "soon"])
def test_a_limit_is_a_number_of_seconds_as_on_the_command_line(
    tmp_path: Path, value: str
) -> None:
    given = ["--hearts-adapter", REFERENCE, f"--hearts-limit-op={value}"]
    found = run(tmp_path, *given)
    assert found.returncode == 4
    assert "--hearts-limit-op" in found.stderr
    assert "wanted a number of seconds" in found.stderr


def test_the_limit_of_a_request_is_that_of_the_tests(
    tmp_path: Path, corpus: Path
) -> None:
    waits = DIES_WHEN_ASKED.replace(
        'raise KeyError("nobody wrote this")', "sys.stdin.read()"
    )
    limit = ("--hearts-limit-op", "0.25")
    found = with_adapter(tmp_path, python(tmp_path, waits), corpus, *limit)
    assert found.returncode == 1
    assert "no answer within 0.25 s" in found.stdout
    assert "--limit-op 0.25" in found.stdout  # in the command that asks again


@pytest.mark.parametrize("how", [(), ("--hearts-by", "clause")])
def test_after_four_losses_in_a_row_the_rest_is_not_run(
    tmp_path: Path, corpus: Path, how: tuple[str, ...]
) -> None:
    found = with_adapter(tmp_path, python(tmp_path, DIES_WHEN_ASKED), corpus, *how)
    assert found.returncode == 1
    why = "the adapter was lost 4 times in a row"
    failed = found.stdout.count("FAILED hearts::")
    assert failed == 4 if not how else failed > 0
    [said] = re.findall(r"ERROR: (\d+) tests of hearts not run: (.*)", found.stdout)
    assert said[1] == why
    counted = re.search(r"(\d+) failed, (\d+) skipped in", found.stdout)
    assert counted is not None
    assert int(counted[1]) == failed
    # The others were skipped before that, because nothing of them is declared.
    assert 0 < int(said[0]) <= int(counted[2])
    assert "passed" not in found.stdout


def test_how_an_adapter_was_lost_is_told_where_it_does_not_start_again(
    tmp_path: Path, corpus: Path
) -> None:
    adapter = python(tmp_path, STARTS_ONCE + DIES_WHEN_ASKED)
    found = with_adapter(tmp_path, adapter, corpus, "--hearts-by", "clause")
    first, second = "KeyError: 'nobody wrote this'", "ImportError: the second time"
    assert re.search(f"{first}(.|\n)*{second}", found.stdout)


def test_the_tests_of_the_suite_are_counted_where_they_are_only_collected(
    tmp_path: Path, corpus: Path
) -> None:
    (tmp_path / "test_mine.py").write_text("def test_mine(): pass\n", "utf-8")
    found = with_adapter(tmp_path, REFERENCE, corpus, "--collect-only", "-q")
    assert found.returncode == 0
    listed = len(re.findall("^hearts::", found.stdout, re.MULTILINE))
    assert listed > 5
    assert f"\n{listed + 1} tests collected in " in found.stdout


@pytest.mark.parametrize(
    "flag",
    [
        *("profile=spot-hearts", "limit-op=3", "by=clause", "option=limit=50"),
        *("report=html:x", "seed=0", "tier=smoke", "corpus=x", "known=x", "pack=any"),
    ],
)
def test_an_option_of_the_suite_without_an_adapter_is_an_error_of_usage(
    tmp_path: Path, flag: str
) -> None:
    found = run(tmp_path, f"--hearts-{flag}")
    assert found.returncode == 4
    name = flag.partition("=")[0]
    assert f"ERROR: --hearts-{name} needs --hearts-adapter" in found.stderr


@pytest.mark.parametrize(("how", "processes"), [((), 1), (("-n", "2"), 2)])
def test_the_whole_conversation_is_written_down(
    tmp_path: Path, corpus: Path, how: tuple[str, ...], processes: int
) -> None:
    log = ("--hearts-log", "talk.jsonl")
    found = with_adapter(
        tmp_path, python(tmp_path, DIES_WHEN_ASKED), corpus, *log, *how
    )
    assert found.returncode == 1
    head, *lines = (tmp_path / "talk.jsonl").read_text("utf-8").splitlines()
    assert "--hearts-log" in json.loads(head)["command"]
    kinds = {kind for line in lines for kind in json.loads(line)}
    assert {"started", "sent", "got", "stderr"} <= kinds
    asked = [json.loads(line).get("sent", "") for line in lines]
    # each process gives up after four losses in a row; a slow one may get fewer tests
    assert 4 <= sum("open" in one for one in asked) <= 4 * processes
    assert sum("started" in json.loads(line) for line in lines) > processes


def test_a_log_is_not_written_over_a_file_of_anothers(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    given = ("--hearts-adapter", REFERENCE, "--hearts-log", "mine.txt")
    found = run(tmp_path, *given)
    assert found.returncode == 4
    assert "--hearts-log: found a file that is no log" in found.stderr
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_test_whose_adapter_is_lost_quotes_its_stderr(
    tmp_path: Path, corpus: Path
) -> None:
    found = with_adapter(tmp_path, python(tmp_path, DIES_WHEN_ASKED), corpus)
    quoted = found.stdout.count("the end of its standard error:")
    assert quoted == 4
    assert found.stdout.count("    | asked to open\n") == 4
    assert found.stdout.count("    | KeyError: 'nobody wrote this'\n") == 4


def test_an_adapter_that_does_not_start_again_is_not_asked_further(
    tmp_path: Path, corpus: Path
) -> None:
    adapter = python(tmp_path, STARTS_ONCE + DIES_WHEN_ASKED)
    found = with_adapter(tmp_path, adapter, corpus)
    assert found.returncode == 1
    assert found.stdout.count("FAILED hearts::") == 2
    again = "the adapter could not be started again: hello: the adapter ended"
    assert again in found.stdout
    assert "    | ImportError: the second time round\n" in found.stdout
    said = r"ERROR: \d+ tests of hearts not run: the adapter could not be started again"
    assert re.search(said, found.stdout)


def test_spread_over_processes_the_tests_are_the_same(
    tmp_path: Path, corpus: Path
) -> None:
    alone = with_adapter(tmp_path, python(tmp_path, ACCEPTS_ALL), corpus)
    spread = with_adapter(tmp_path, python(tmp_path, ACCEPTS_ALL), corpus, "-n", "2")
    assert spread.returncode == alone.returncode == 1
    for outcome in ("PASSED", "FAILED", "SKIPPED"):
        pattern = rf"^{outcome} (hearts::\S+)"
        one, other = (
            sorted(re.findall(pattern, done.stdout, re.MULTILINE))
            for done in (alone, spread)
        )
        assert one == other
    assert alone.stdout.count("FAILED hearts::") > 0


def test_the_tables_in_hello_are_sent_to_the_processes(tmp_path: Path) -> None:
    table = {"profile": "estmesh-hearts", "options": OPTIONS, "hands": "full"}
    declared = json.dumps([{**table, "starts": ["deal"]}])
    adapter = declaring(declared, "step legal probe pass moon.choice wrong")
    found = run(tmp_path, "--hearts-adapter", adapter, "-n", "2", "-k", "not nothing")
    assert found.returncode == 1
    assert "shows it: refengine conform run --profile estmesh-hearts" in found.stdout


@pytest.mark.parametrize("by", ["trace", "clause"])
def test_nothing_scored_is_a_test_that_fails(
    tmp_path: Path, corpus: Path, by: str
) -> None:
    adapter = declaring("[]", "legal")
    found = with_adapter(tmp_path, adapter, corpus, "--hearts-by", by)
    assert found.returncode == 1, found.stdout
    assert "FAILED hearts::nothing was scored" in found.stdout
    assert "skipped" in found.stdout
    assert "1 failed" in found.stdout


def test_no_game_at_all_is_a_test_that_fails(tmp_path: Path) -> None:
    corpus = tmp_path / "none.jsonl"
    corpus.write_bytes(b"")
    found = with_adapter(tmp_path, REFERENCE, corpus)
    assert found.returncode == 1, found.stdout
    assert "FAILED hearts::nothing was scored" in found.stdout


def test_tests_of_ones_own_do_not_hide_that_nothing_was_scored(
    tmp_path: Path, corpus: Path
) -> None:
    (tmp_path / "test_mine.py").write_text("def test_mine(): pass\n", "utf-8")
    found = with_adapter(tmp_path, declaring("[]", "legal"), corpus)
    assert found.returncode == 1
    assert "1 failed, 1 passed" in found.stdout


def test_a_wrong_table_is_an_error_of_usage(tmp_path: Path) -> None:
    given = ["--hearts-adapter", REFERENCE]
    found = run(tmp_path, *given, "--hearts-players", "5")
    assert found.returncode == 4
    assert "2.6" in found.stderr + found.stdout
    both = run(tmp_path, *given, *WHOLE, "--hearts-tier", "smoke")
    assert both.returncode == 4
    declared = declaring('[{"profile": "whist"}]', "step")
    found = run(tmp_path, "--hearts-adapter", declared)
    assert found.returncode == 4
    assert "whist" in found.stderr + found.stdout


def test_without_the_option_nothing_of_ours_is_imported(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(
        "import sys\n\n\ndef test_mine():\n"
        "    of = {name.partition('.')[0] for name in sys.modules}\n"
        "    loaded = [name for name in sys.modules if 'conformance.' in name]\n"
        "    assert 'refengine' not in of\n"
        "    parts = [name.partition('.')[2] for name in loaded]\n"
        "    plugin = ['plugin', 'plugin.pytest_entry', 'plugin.pytest_plugin']\n"
        "    assert parts == plugin\n",
        "utf-8",
    )
    found = run(tmp_path)
    assert found.returncode == 0, found.stdout
    assert "1 passed" in found.stdout


@pytest.mark.parametrize(
    "name", ["hearts", "refengine_conformance.plugin.pytest_plugin"]
)
def test_the_plugin_is_there_once_even_where_it_is_asked_for(
    tmp_path: Path, corpus: Path, name: str
) -> None:
    given = ["-p", name, "--hearts-by", "clause"]
    found = with_adapter(tmp_path, REFERENCE, corpus, *given)
    assert found.returncode == 0, found.stdout + found.stderr
    assert found.stdout.count("PASSED hearts::5.3\n") == 1


def test_the_plugin_can_be_switched_off(tmp_path: Path, corpus: Path) -> None:
    found = with_adapter(tmp_path, REFERENCE, corpus, "-p", "no:hearts")
    assert found.returncode == 4
    assert "unrecognized arguments: --hearts-adapter" in found.stderr
