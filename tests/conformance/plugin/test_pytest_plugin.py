"""Tests of the pytest plugin, which makes each trace a test if its option is given."""

import json
import re
import shlex
import sys
from datetime import date, timedelta
from functools import cache
from itertools import chain
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

pytest_plugins = ("pytester",)
pytestmark = pytest.mark.unmeasured

REFERENCE = "builtin:reference"
PLAIN = shlex.join([sys.executable, str(places.ADAPTERS / "plain_adapter.py")])
ACCEPTS_ALL = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye":
        break
    ok = {"protocol": 1, "name": "yes", "version": "1", "language": "Python",
          "profiles": "any", "players": "any", "capabilities":
          ["step", "probe", "setup.position", "match", "pass", "stock", "revokes",
           "moon.choice", "scatter", "mix", "forward", "kitty"]}
    if request["op"] != "hello":
        ok = {}
    print(json.dumps({"seq": request["seq"], "ok": ok}), flush=True)
"""
DIES_WHEN_ASKED = ACCEPTS_ALL.replace(
    "ok = {}",
    'sys.exit(print("asked to", request["op"], file=sys.stderr) or "nobody wrote it")',
)
WAITS_WHEN_ASKED = ACCEPTS_ALL.replace("ok = {}", "sys.stdin.read()")
STARTS_TWICE = f"""
import pathlib
mark = pathlib.Path("started")
if len(mark.read_text() if mark.exists() else "") == 2:
    raise ImportError("the second time round")
mark.write_text((mark.read_text() if mark.exists() else "") + "x")
{DIES_WHEN_ASKED}"""
NEVER_ANSWERS = """
import sys
print("waiting for a licence server", file=sys.stderr, flush=True)
sys.stdin.read()
"""


def declaring(tables: str, keep: str) -> str:
    """The command of an adapter that declares these tables and capabilities."""
    script = places.ROOT / "tests" / "support" / "tables_adapter.py"
    return shlex.join([sys.executable, str(script), tables, keep])


FAILS_IN_LEGAL = declaring("[]", "step legal probe pass setup.position match fails")
ONLY_LEGAL = declaring("[]", "legal")
# the table that the plain engine declares too, so that its games are found once
OPTIONS = {"first_trick_points": "barred", "moon": "others_plus", "bonus_card": "JD"}
TABLE = {"profile": "estmesh-hearts", "options": OPTIONS, "hands": "full"}
WRONG_AT_TABLE = declaring(
    json.dumps([{**TABLE, "starts": ["deal"]}]),
    "step legal probe pass moon.choice wrong",
)
# What is typed
FILE = "--hearts-corpus traces.jsonl"
BY = "--hearts-by clause"
CLAUSE = f"{FILE} {BY}"
FULL = "--hearts-report html:/dev/full"
LIMIT = "--hearts-limit-op 0.25"
MINE = "test_mine.py"
MODULE = "refengine_conformance.plugin.pytest_plugin"
NAMED = " ".join(f"--hearts-option {name}={one}" for name, one in OPTIONS.items())
NO_GAME = "--hearts-corpus=/dev/null"  # apart, pytest would take it for its root
TIER = "--hearts-tier smoke"
USUAL = "--hearts-profile estmesh-hearts"
WHOLE = "--hearts-hands full --hearts-starts deal"
# What is said
SHOWN = "shows it: refengine conform run"
AT_TABLE = (
    f"{SHOWN} --profile estmesh-hearts --players 4 .*--option bonus_card=JD "
    ".*--hands full --starts deal --seed 2026 --trace t-"
)
BY_CLAUSE = (
    r"PASSED hearts::2\.3\n",
    r"PASSED hearts::5\.3\n(?!(.|\n)*hearts::5\.3\n)",  # and once only
)
GONE = (
    r"    \| nobody wrote it\n(.|\n)*the adapter could not be started again: hello: "
    r"the adapter ended(.|\n)*    \| ImportError: the second time round\n",
    r"ERROR: \d+ tests of hearts not run: the adapter could not be started again",
)
LATE = (r"no answer within 0\.25 s", rf"{SHOWN} .*--limit-op 0\.25")
NOTHING = "FAILED hearts::nothing was scored"
ONCE_DASHED = rf"{SHOWN} --tier core --trace t-\w+ -- (?!--)"
OWN_ERROR = (
    r"the adapter's own error: DataCloneError \(step ",
    "no rule is at fault for it",
    r"\A(?!(.|\n)*expected)",
)


@cache
def games() -> bytes:
    """Twenty-one random games, one trace a line."""
    lines = []
    for seed in range(21):
        rng, names = Random(seed), profile_names()
        state = some_opening(rng, names[seed % len(names)], 1)
        lines.append(write_trace(recorded(some_script(rng, state, wild=0.1))) + b"\n")
    return b"".join(lines)


def ask(
    pytester: pytest.Pytester, adapter: str | None, flags: str = ""
) -> pytest.RunResult:
    """Run pytest with these flags and an adapter, given as its command or its source.

    The folder holds a file of games and one test of the user's own.
    """
    (pytester.path / "traces.jsonl").write_bytes(games())
    (pytester.path / "test_mine.py").write_text("def test_mine(): pass\n")
    if adapter and "\n" in adapter:
        (pytester.path / "my_adapter.py").write_text(adapter)
        adapter = f"{shlex.quote(sys.executable)} my_adapter.py"
    words = [] if adapter is None else [f"--hearts-adapter={adapter}"]
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("CI", raising=False)  # there whole messages are repeated
        return pytester.runpytest_subprocess("-rA", *words, *shlex.split(flags))


def ids_of(found: pytest.RunResult, outcome: str) -> list[str]:
    """The names, without `hearts::`, of the suite's tests that had this outcome."""
    return re.findall(rf"(?m)^{outcome} hearts::(.+?)(?: - .*)?$", found.stdout.str())


def error_of_usage(
    pytester: pytest.Pytester, adapter: str | None, flags: str
) -> list[str]:
    """The error output of a wrong use of the plugin, with standard output empty."""
    found = ask(pytester, adapter, flags)
    assert (found.ret, found.outlines) == (4, [])
    return [line for line in found.errlines if line]


NO_SUCH = "ERROR: hearts::t-zz: the suite has no such test$"
EMPTY = "--hearts-adapter is empty: give it the command of your adapter, such as"


@pytest.mark.parametrize(
    ("adapter", "flags", "said"),
    [
        *(
            (REFERENCE, f"--hearts-{flag} {value}", f"ERROR: --hearts-{flag}.*: found ")
            for flag, value in (
                *(("hands", "some"), ("hands", "60"), ("starts", "late")),
                *(("needs-card", "2Z"), ("needs-card", "''"), ("players", "60")),
                *(("option", "limits=3"), ("option", "limit"), ("pack", "some")),
                *(("profile", "whist"), ("report", "pdf:x"), ("log", "mine.txt")),
                ("report", "html:mine.txt --hearts-known mine.txt"),
                ("tier", f"smoke {WHOLE}"),
            )
        ),
        *(
            (
                REFERENCE,
                f"--hearts-{flag}=",
                f"--hearts-{flag} is empty: give it a value",
            )
            for flag in ("corpus", "known", "log", "profile")
        ),
        *(
            (REFERENCE, f"--hearts-limit-op={value}", "-op: .*wanted a number of sec")
            for value in ("0", "-1", "nan", "inf", "604801", "soon")
        ),
        *(
            (None, f"--hearts-{flag}={value}", f"--hearts-{flag} needs --hearts-adapt")
            for flag, value in (
                *(("profile", "spot-hearts"), ("limit-op", 3), ("by", "clause")),
                *(("option", "limit=50"), ("report", "html:x"), ("seed", 0)),
                *(("tier", "smoke"), ("corpus", "x"), ("known", "x"), ("pack", "any")),
                ("corpus", "trace"),
            )
        ),
        (REFERENCE, "--hearts-players 5", r"ERROR: .*2\.6"),
        (REFERENCE, "--hearts-report html:no/page", "there is no folder no$"),
        (REFERENCE, "--hearts-report html:x -n 2", "one process must run all tests"),
        (REFERENCE, "--hearts-known late.jsonl", "should have been fixed"),
        (REFERENCE, "--hearts-known mine.txt", "ERROR: mine.txt:1"),
        (REFERENCE, "--hearts-corpus nowhere.jsonl", "nowhere.jsonl"),
        *((REFERENCE, f"{how} hearts::t-zz", NO_SUCH) for how in (FILE, CLAUSE)),
        (REFERENCE, f"{FILE} -n 2 hearts::t-zz", NO_SUCH),
        (REFERENCE, "-p no:hearts", "unrecognized arguments: --hearts-adapter"),
        *((adapter, "", EMPTY) for adapter in (" ", "''", "")),
        ("no-such-program", "", "no-such-program cannot be started: "),
        ("-- no-such-program", "", "no-such-program cannot be started: "),
        ("builtin:mutant:no-such", "", "the mutant: found 'no-such'"),
        ("python 'my", "", '--hearts-adapter "python \'my": no closing quotation'),
        pytest.param(  # pytest's own id would hang on the length of the checkout's path
            declaring('[{"profile": "whist"}]', "step"), "", "whist", id="whist"
        ),
    ],
)
def test_what_cannot_be_meant_is_one_error_of_usage(
    pytester: pytest.Pytester, adapter: str | None, flags: str, said: str
) -> None:
    mine = pytester.path / "mine.txt"
    mine.write_text("{}")
    late = {"id": "t-1", "why": "w", "until": "2026-01-01"}
    (pytester.path / "late.jsonl").write_text(json.dumps(late))
    first, *others = error_of_usage(pytester, adapter, flags)
    assert first.startswith("ERROR: ")
    assert bool(others) is ("usage:" in first)  # that is how pytest itself says it
    assert re.search(said, "\n".join((first, *others)))
    assert mine.read_text() == "{}"


@pytest.mark.parametrize(
    "how", ["", "-n 2", "--collect-only", "--hearts-tier smoke", WHOLE]
)
@pytest.mark.parametrize(
    ("source", "sentence", "stderr"),
    [
        (
            "\nimport no_such_module",
            "hello: the adapter ended with exit code 1",
            "ModuleNotFoundError: No module named 'no_such_module'",
        ),
        (
            NEVER_ANSWERS,
            "hello: no answer within 2 s, the time limit",
            "waiting for a licence server",
        ),
        (
            ACCEPTS_ALL.replace('"protocol": 1', '"protocol": 2'),
            "hello: the adapter speaks protocol 2; wanted 1",
            "",
        ),
    ],
    ids=["imports-what-is-not-there", "never-answers", "speaks-another"],
)
def test_an_adapter_that_cannot_be_run_is_one_error_of_usage(
    pytester: pytest.Pytester, how: str, source: str, sentence: str, stderr: str
) -> None:
    limit = "--hearts-limit-hello 2" if source is NEVER_ANSWERS else ""
    first, *others = error_of_usage(pytester, source, f"{limit} {how}")
    assert first.startswith(f"ERROR: {sentence}")
    assert not stderr or others[0] == "the end of the adapter's standard error:"
    assert all(line.startswith("    | ") for line in others[1:])
    assert stderr in "\n".join(others)


UNMARKED = "-m 'not hearts'"
ID = f"hearts::{read_trace(games().splitlines()[0]).id}"
PASSED = f"PASSED {ID}\n"


def claim(name: str, *row: object) -> object:
    """A row of the next test: adapter, flags, exit code and the texts to be printed."""
    adapter, flags, code, *said = row
    return pytest.param(adapter, flags, code, said, id=name)


@pytest.mark.parametrize(
    ("adapter", "flags", "code", "said"),
    [
        claim("a test a trace", REFERENCE, FILE, 0, "= 22 passed in", PASSED),
        claim("a test a clause", REFERENCE, CLAUSE, 0, *BY_CLAUSE),
        claim("once", REFERENCE, f"{FILE} -p hearts", 0, "= 22 passed in"),
        claim("once, by module", REFERENCE, f"{CLAUSE} -p {MODULE}", 0, *BY_CLAUSE),
        claim("undeclared is skipped", PLAIN, FILE, 0, r"= \d+ passed, \d+ skipped in"),
        claim("a profile", REFERENCE, f"{FILE} {USUAL}", 0, "= 3 passed in"),
        claim("an id", REFERENCE, f"{FILE} {ID}", 0, PASSED, "= 1 passed in"),
        claim("an id and a file", REFERENCE, f"{FILE} {MINE} {ID}", 0, "= 2 passed in"),
        claim("spread", REFERENCE, f"{FILE} -n 2 {MINE} {ID}", 0, PASSED, "= 2 passed"),
        claim("a clause", REFERENCE, f"{CLAUSE} hearts::2.3", 0, "= 1 passed in"),
        claim("a mark", REFERENCE, f"{FILE} {UNMARKED}", 0, "1 passed, 21 desel"),
        claim("a mark, spread", REFERENCE, f"{FILE} -n 2 {UNMARKED}", 0, "= 1 passed"),
        claim("counted", REFERENCE, f"{FILE} --co -q", 0, f"\n{ID}\n", "\n22 tests "),
        claim("full disk", REFERENCE, f"{FILE} {FULL}", 3, "no space", "22 passed in"),
        claim("fails itself", FAILS_IN_LEGAL, FILE, 1, *OWN_ERROR, "= 1 failed, 1"),
        claim("fails, by clause", FAILS_IN_LEGAL, CLAUSE, 1, *OWN_ERROR, "passed"),
        claim("a table named", PLAIN, f"{WHOLE} {NAMED}", 0, "PASSED hearts::t-"),
        claim("a table declared", PLAIN, BY, 0, r"PASSED hearts::\d"),
        claim("a table by clause", WRONG_AT_TABLE, BY, 1, r"PASSED hearts::8\.1\n"),
        claim("a table asked again", WRONG_AT_TABLE, "", 1, AT_TABLE),
        claim("a table, spread", WRONG_AT_TABLE, "-n 2", 1, AT_TABLE),
        claim("a tier", WRONG_AT_TABLE, TIER, 1, f"{SHOWN} --tier core --trace t-"),
        claim("dashes before it", f"-- {WRONG_AT_TABLE}", TIER, 1, ONCE_DASHED),
        claim("a limit", WAITS_WHEN_ASKED, f"{FILE} {LIMIT}", 1, *LATE),
        claim("no second start", STARTS_TWICE, FILE, 1, *GONE, "= 2 failed, 1 passed"),
        claim("no second start, by clause", STARTS_TWICE, CLAUSE, 1, *GONE),
        claim("nothing scored", ONLY_LEGAL, FILE, 1, NOTHING, "1 failed, 1 passed"),
        claim("none, spread", ONLY_LEGAL, f"{FILE} -n 2", 1, NOTHING, "1 failed, 1 p"),
        claim("no clause scored", ONLY_LEGAL, CLAUSE, 1, NOTHING, "1 failed, 1 passed"),
        claim("no game", REFERENCE, NO_GAME, 1, NOTHING, "1 failed, 1 passed in"),
    ],
)
def test_what_comes_of_a_run(
    pytester: pytest.Pytester, adapter: str, flags: str, code: int, said: list[str]
) -> None:
    found = ask(pytester, adapter, flags)
    assert found.ret == code
    for one in said:
        assert re.search(one, found.stdout.str())


def test_a_module_of_the_users_may_be_skipped_as_a_whole(
    pytester: pytest.Pytester,
) -> None:
    skipped = "import pytest\npytest.skip('not here', allow_module_level=True)\n"
    (pytester.path / "test_elsewhere.py").write_text(skipped)
    found = ask(pytester, REFERENCE, FILE)
    assert found.ret == 0
    assert "Traceback" not in found.stderr.str()
    assert "1 skipped" in found.stdout.str()


def test_a_wrong_engine_fails_with_clause_and_question(
    pytester: pytest.Pytester,
) -> None:
    reports = "--hearts-report html:page.html --hearts-report jsonl:all.jsonl"
    found = ask(pytester, ACCEPTS_ALL, f"{FILE} --junit-xml all.xml {reports}")
    assert found.ret == 1
    found.stdout.re_match_lines_random(
        [".*expected refused by", ".*got      ok$", ".*2.3 Turn"]
    )
    failed = ids_of(found, "FAILED")
    short = re.findall(r"FAILED hearts::t-\w+ - (.*)", found.stdout.str())
    assert len(short) == len(failed) > 0
    assert not any("smallest" in one for one in short)
    for case in ElementTree.parse(pytester.path / "all.xml").iter("failure"):
        first, *_, last = (case.text or "").splitlines()
        assert re.fullmatch(r".*: expected (.*), got (.*)", first)
        again = f"the smallest game that {SHOWN} --corpus traces.jsonl --trace t-"
        assert last.startswith(again)
    # The reports are those of the runner.
    page = (pytester.path / "page.html").read_text("utf-8")
    assert "yes 1 against the Hearts Family Rules" in page
    assert re.search(r"\d+ clauses? not kept: <a href=\"#clause-", page)
    assert "refengine conform run --trace t-" not in page
    assert "--corpus traces.jsonl --trace t-" in page
    lines = (pytester.path / "all.jsonl").read_text("utf-8").splitlines()
    cases = [line for line in map(json.loads, lines) if "case" in line]
    wrong = {one["case"].split("/")[0] for one in cases if one["outcome"] == "fail"}
    assert wrong == {*failed}


def test_spread_over_processes_the_tests_are_the_same(
    pytester: pytest.Pytester,
) -> None:
    alone = ask(pytester, ACCEPTS_ALL, FILE)
    spread = ask(pytester, ACCEPTS_ALL, f"{FILE} -n 2")
    assert spread.ret == alone.ret == 1
    assert spread.parseoutcomes() == alone.parseoutcomes()
    assert sorted(ids_of(spread, "FAILED")) == sorted(ids_of(alone, "FAILED"))


def test_tests_of_clauses_end_alone_as_in_the_whole_suite(
    pytester: pytest.Pytester,
) -> None:
    """A wrong answer against another clause fails only the test of that clause."""
    passed = ids_of(ask(pytester, WRONG_AT_TABLE, BY), "PASSED")
    assert passed
    typed = [f"hearts::{one}" for one in passed]
    found = ask(pytester, WRONG_AT_TABLE, " ".join([BY, *typed]))
    assert (found.ret, ids_of(found, "PASSED")) == (0, passed)


HOOK = """
def pytest_collection_modifyitems(items):
    ours = [one for one in items if one.get_closest_marker("hearts")]
    print("seen", len(ours))
    items[:] = [one for one in items if one not in ours[1:]]
"""


def test_hooks_of_ones_own_see_the_tests_of_the_suite(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeconftest(HOOK)
    found = ask(pytester, REFERENCE, f"{FILE} -s --strict-markers")
    assert "seen 21\n" in found.stdout.str()
    found.assert_outcomes(passed=2)


def test_known_failures_are_expected_and_the_others_shown_again(
    pytester: pytest.Pytester,
) -> None:
    first, second, *others = ids_of(ask(pytester, ACCEPTS_ALL, FILE), "FAILED")
    until = (date.today() + timedelta(days=1)).isoformat()

    def with_known(*names: str) -> pytest.RunResult:
        entries = [{"id": one, "why": "later", "until": until} for one in names]
        lines = "".join(json.dumps(one) + "\n" for one in entries)
        (pytester.path / "known.jsonl").write_text(lines, "utf-8")
        return ask(pytester, ACCEPTS_ALL, f"{FILE} --hearts-known known.jsonl")

    found = with_known(first, *others)
    assert found.ret == 1
    assert first in ids_of(found, "XFAIL")
    assert ids_of(found, "FAILED") == [second]
    again = re.search(r"shows it: refengine (.*)", found.stdout.str())
    assert again is not None
    assert f"--trace {second} --known known.jsonl" in again[1]
    shown = pytester.run(sys.executable, "-m", "refengine", *shlex.split(again[1]))
    assert shown.ret == 1
    assert with_known(first, second, *others).ret == 0


@pytest.mark.parametrize("how", [FILE, CLAUSE])
def test_after_four_losses_in_a_row_the_rest_is_not_run(
    pytester: pytest.Pytester, how: str
) -> None:
    found = ask(pytester, DIES_WHEN_ASKED, how)
    assert found.ret == 1
    said, counted = found.stdout.str(), found.parseoutcomes()
    [(number, why)] = re.findall(r"ERROR: (\d+) tests of hearts not run: (.*)", said)
    assert why == "the adapter was lost 4 times in a row"
    # The others were skipped before that, because nothing of them is declared.
    assert 0 < int(number) <= counted["skipped"]
    assert counted["passed"] == 1  # the test of one's own
    if how == FILE:
        assert counted["failed"] == 4
        quoted = ["the end of the adapter's standard error:", "    | asked to open\n"]
        for line in (*quoted, "    | nobody wrote it\n"):
            assert said.count(line) == 4


@pytest.mark.parametrize(("how", "processes"), [("", 1), ("-n 2", 2)])
def test_the_whole_conversation_is_written_down(
    pytester: pytest.Pytester, how: str, processes: int
) -> None:
    log = "--hearts-log talk.jsonl"
    assert ask(pytester, DIES_WHEN_ASKED, f"{FILE} {log} {how}").ret == 1
    talk = (pytester.path / "talk.jsonl").read_text("utf-8").splitlines()
    head, *lines = map(json.loads, talk)
    assert "--hearts-log" in head["command"]
    assert {"started", "sent", "got", "stderr"} <= {*chain.from_iterable(lines)}
    # each process gives up after four losses in a row; a slow one may get fewer tests
    opened = sum("open" in one.get("sent", "") for one in lines)
    assert 4 <= opened <= 4 * processes
    assert sum("started" in one for one in lines) > processes


def test_without_the_option_nothing_of_ours_is_imported(
    pytester: pytest.Pytester,
) -> None:
    """Only the plugin itself and the names of its flags are imported."""
    pytester.makepyfile("import sys\ndef test_mine():\n    print(*sys.modules)\n")
    found = pytester.runpytest_subprocess("-q", "-rA")
    found.assert_outcomes(passed=1)
    loaded = found.stdout.str().split()
    parts = ("", *(".plugin" + one for one in ("", ".pytest_entry", ".pytest_plugin")))
    parts += (".tables", ".tables.flags")
    ours = {f"refengine_conformance{one}" for one in parts}
    assert {name for name in loaded if name.startswith("refengine")} == ours
