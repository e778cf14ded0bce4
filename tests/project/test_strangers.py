"""Tests that text from hostile adapters and files does no harm in any output."""

import hashlib
import json
import shlex
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refengine.cli.main import main
from refengine.errors import Malformed, harmless, harmless_json, harmless_lines
from refengine.formats import protocol
from refengine.formats.trace import read_trace, write_trace
from refengine.formats.written.games_written import title_of
from refengine_conformance.report.reports import FORMATS
from refengine_conformance.runner import runner
from refengine_conformance.runner.results import Limits
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import CORPUS, Choice, of_corpus, of_files
from tests.support import places
from tests.support.commands import run_process
from tests.support.hostile_adapter import CAPABILITIES, FAKED, HARM

pytestmark = pytest.mark.interpreted("about text that is shown")

HOSTILE = str(places.SUPPORT / "hostile_adapter.py")
MODES = (
    *("plays", "faked", "dies", "late", "chatty"),
    *("silent", "wrong", "error", "unsupported"),
)
EXAMPLES = sorted((CORPUS.parent / "examples").glob("*.jsonl"))
QUICK = Limits(op=0.3, batch=0.3, hello=5.0, bye=0.3)


def harm_in(text: str) -> list[str]:
    """The parts of this text that a terminal, a CI job or a reader would misread."""
    found = [
        f"{sign!r} in {text[max(0, place - 40) : place + 20]!r}"
        for place, sign in enumerate(text)
        if sign not in "\n\t"
        and unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    ]
    for line in text.splitlines():
        said = line.strip()
        if said.startswith("::") or "##[" in said or "##vso[" in said or said == FAKED:
            found.append(line)
    return found


# The functions


def test_what_is_looked_for_is_found() -> None:
    assert len(harm_in(HARM)) > 15
    assert harm_in(f"ok\n  ::error::x\nok\n{FAKED}") == ["  ::error::x", FAKED]


@given(st.text(st.characters(), max_size=60), st.integers(1, 50))
@example(HARM, 1000)
@example("::error::x", 4)
@example("\n" * 9, 3)
@example("###[x] :: ::", 40)
def test_a_harmless_text_is_one_line_without_harm(text: str, most: int) -> None:
    shown = harmless(text, most)
    assert harm_in(shown) == []
    assert len(shown.splitlines()) <= 1
    assert len(shown) <= most
    assert harmless(shown, most) == shown
    assert harm_in("".join(f"\n| {line}" for line in harmless_lines(text))) == []
    shown.encode("utf-8")


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60))
def test_a_plain_text_stays_as_it_is(text: str) -> None:
    if "::" not in text and "##" not in text:
        assert harmless(text) == text
        assert harmless_json(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Herz König 心", "Herz König 心"),
        ("a\x1b[2J\n\u202eb\U000e0041", r"a\x1b[2J\n\u202eb\U000e0041"),
        ("::error::x, std::move ::y", r"\x3a:error::x, std::move \x3a:y"),
        ("##[group]", r"#\x23[group]"),
        ("x" * 12, "x" * 9 + "…"),
    ],
)
def test_what_is_changed_can_be_seen(text: str, shown: str) -> None:
    assert harmless(text, 10 if "xx" in text else 100) == shown


@given(
    st.recursive(
        st.text(st.characters()) | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
@example(HARM)
def test_json_keeps_its_meaning(value: object) -> None:
    for indent in (None, "\t"):
        line = json.dumps(value, ensure_ascii=False, indent=indent)
        shown = harmless_json(line)
        assert json.loads(shown) == value
        assert harm_in(shown) == []


def test_a_message_quotes_nothing_that_harms() -> None:
    error = Malformed(HARM, "a card", HARM).within(HARM)
    assert harm_in(str(error)) == []
    assert error.found == HARM


# An adapter


def test_the_hostile_adapter_can_be_asked_everything() -> None:
    assert sorted(CAPABILITIES) == sorted(protocol.CAPABILITIES)


@pytest.fixture(scope="module", params=MODES)
def hostile_run(request: pytest.FixtureRequest) -> Run:
    """The result of a run with a hostile adapter."""
    selection = of_files(EXAMPLES, Choice())
    settings = runner.Settings(
        command=(sys.executable, "-S", HOSTILE, request.param), limits=QUICK
    )
    return runner.run(selection, settings)


@pytest.mark.parametrize("name", FORMATS)
def test_no_report_passes_on_what_an_adapter_says(name: str, hostile_run: Run) -> None:
    said = FORMATS[name](hostile_run)
    assert "owned" in said or FAKED in said.replace("\\", "")
    assert harm_in(said) == []
    if name == "junit":
        texts = [*Xml.fromstring(said).itertext()]
        assert [one for text in texts for one in harm_in(text)] == []
    if name == "jsonl" and "faked" not in hostile_run.adapter:
        for line in said.splitlines():
            assert [*values_that_harm(json.loads(line))] == []


def values_that_harm(value: object) -> list[str]:
    """The parts of this JSON value that would do harm if its texts were printed."""
    if isinstance(value, str):
        return harm_in(value)
    if isinstance(value, dict):
        return values_that_harm([*value, *value.values()])
    if isinstance(value, list):
        return [one for inner in value for one in values_that_harm(inner)]
    return []


@pytest.mark.parametrize("shown", ["text", "jsonl"])
def test_the_command_passes_nothing_on(shown: str, tmp_path: Path) -> None:
    adapter = (sys.executable, "-S", HOSTILE, "plays")
    known = tmp_path / "known.jsonl"
    entry = {"clause": "5.3", "why": HARM, "until": "2020-01-01", "issue": HARM}
    known.write_text(json.dumps(entry, ensure_ascii=False), "utf-8")
    command = ("conform", "run", "--corpus", str(EXAMPLES[0]), "--format", shown)
    more = ("--known", str(known), "--counterexamples", str(tmp_path / "games"))
    limits = ("--limit-op", "0.3", "--limit-shrink", "2")
    done = by_module("refengine", *command, *more, *limits, "--", *adapter)
    assert done.returncode in (1, 2)
    assert harm_in(done.stdout) == harm_in(done.stderr) == []


@pytest.mark.parametrize("mode", ["plays", "faked", "dies", "error"])
def test_the_plugin_passes_nothing_on(mode: str, tmp_path: Path) -> None:
    adapter = shlex.join([sys.executable, "-S", HOSTILE, mode])
    corpus = tmp_path / "few.jsonl"
    corpus.write_bytes(b"".join(path.read_bytes() for path in EXAMPLES[:3]))
    done = by_module(
        "pytest",
        *("-p", "no:cacheprovider", "-rA", "--color", "no"),
        *("--hearts-adapter", adapter, "--hearts-corpus", str(corpus)),
        cwd=tmp_path,
    )
    said = done.stderr if mode == "error" else done.stdout  # it does not get past hello
    assert "owned" in said or FAKED in said
    assert harm_in(done.stdout) == harm_in(done.stderr) == []


# Files


def by_module(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """The finished process of a module run with `-m`, whose output may be any bytes."""
    read: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogateescape"}
    return run_process(sys.executable, "-m", *words, **read, **more)


Printed = Callable[..., str]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    """A function that runs a command in this process and returns all its output."""

    def call(*words: str) -> str:
        with pytest.raises(SystemExit):
            main.main(list(words))
        shown = capsys.readouterr()
        return shown.out + shown.err

    return call


def hostile_values(value: object) -> list[object]:
    """Harmful text, and copies of a JSON value with it as one value or key."""
    found: list[object] = [HARM]
    if isinstance(value, dict):
        found += [{**value, HARM: 1}]
        for key, inner in value.items():
            found += [{**value, key: one} for one in hostile_values(inner)[:4]]
    elif isinstance(value, list):
        for place, inner in enumerate(value[:1]):
            rest = value[place + 1 :]
            found += [[one, *rest] for one in hostile_values(inner)[:4]]
    return found


READERS = (
    ("show",),
    ("replay",),
    ("replay", "--json"),
    ("judge",),
    ("judge", "--json"),
    ("explain",),
    ("explain", "--json"),
    ("annotate",),
    ("convert",),
)


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a harmful name, whose games have harmful text in one place each."""
    name = HARM.replace("\0", "").replace("/", "")[:90] + "\udcff.jsonl"
    path = tmp_path_factory.mktemp("files") / name
    lines = [HARM]
    for file in (EXAMPLES[0], EXAMPLES[9], EXAMPLES[10]):
        value = json.loads(file.read_text("utf-8").splitlines()[0])
        named = {**value, "name": HARM} if "trace" in value else value
        lines += [json.dumps(one) for one in (named, *hostile_values(value)[:40])]
    raw = {**json.loads(EXAMPLES[0].read_text("utf-8").splitlines()[0]), "name": HARM}
    lines.append(json.dumps(raw, ensure_ascii=False))
    path.write_bytes("\n".join(lines).encode())
    return path


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_no_command_passes_on_what_a_file_says(
    words: tuple[str, ...], hostile_file: Path, printed: Printed
) -> None:
    numbers = range(1, 60) if words[0] == "explain" else [0]
    for number in numbers:
        line = ("--line", str(number)) if number else ()
        said = printed(*words, *line, str(hostile_file))
        assert said
        assert harm_in(said) == []


def test_the_reference_answers_requests_without_harm() -> None:
    requests = [{"op": HARM, "seq": 1}, {"op": "open", "seq": 2, HARM: HARM}, [HARM]]
    given = "\n".join(map(json.dumps, requests)) + f"\n{HARM}\n"
    said = by_module("refengine", "serve", input=given)
    assert len(said.stdout.splitlines()) >= len(requests)
    assert harm_in(said.stdout + said.stderr) == []


def test_a_name_is_shown_without_its_harm_and_written_as_it_is(
    hostile_file: Path, printed: Printed
) -> None:
    first = hostile_file.read_bytes().splitlines()[-1]
    trace = read_trace(first)
    assert trace.name == HARM
    assert read_trace(write_trace(trace)) == trace
    path = hostile_file.with_name("one.jsonl")
    path.write_bytes(first)
    assert printed("show", str(path)).splitlines()[0] == f"match: {title_of(HARM)}"
    assert harm_in(title_of(HARM)) == []
    assert read_trace(printed("annotate", str(path)).encode()).name == HARM


def test_a_report_by_somebody_else_is_explained_without_harm(
    tmp_path: Path, printed: Printed
) -> None:
    fault = {"step": 0, "question": HARM, "asked": HARM, "expected": HARM, "got": HARM}
    cases = [
        {"case": f"m-{HARM}/enumerate", "faults": [fault]},
        {"case": f"t-{HARM}/step", "faults": [fault]},
    ]
    for number, case in enumerate(cases):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(json.dumps(case, ensure_ascii=False), "utf-8")
        for words in ((), ("--json",)):
            said = printed("explain", str(path), *words)
            assert "owned" in said
            assert harm_in(said) == []


def test_profiles_and_arguments_are_shown_without_harm(
    tmp_path: Path, printed: Printed
) -> None:
    text = (places.ROOT / "spec/profiles/estmesh-hearts.toml").read_text("utf-8")
    quoted = json.dumps(HARM, ensure_ascii=False).replace("\x7f", "\\u007f")
    own = tmp_path / "own.toml"
    lines = [
        f"{key} = {quoted}" if key in ("title", "summary", "name") else line
        for line in text.splitlines()
        for key in [line.partition(" = ")[0]]
    ]
    own.write_text("\n".join(lines), "utf-8")
    broken = tmp_path / "broken.toml"
    broken.write_text(f"{text}\n[odd]\n{quoted} = 1\n", "utf-8")
    for words in ((), ("--check",), ("--json",)):
        assert "owned" in (said := printed("profile", str(own), *words))
        assert harm_in(said) == []
    for command in (
        ("profile", str(broken)),
        ("profile", HARM),
        ("rule", HARM),
        (HARM,),
        ("show", f"--{HARM}"),
        ("diff", HARM, HARM),
        ("play", "--option", HARM),
        ("cite", HARM),
        ("generate", "--profile", HARM),
        ("matrix", HARM),
        ("conform", "run", "--report", HARM, "--", "builtin:reference"),
        ("conform", "run", "--", f"builtin:{HARM}"),
        ("conform", "run", "--corpus", HARM[:40].replace("\0", ""), "--", "true"),
        ("conform", "run", "--trace", HARM, "--format", "text", "--", HARM),
    ):
        said = printed(*command)
        assert said
        assert harm_in(said) == []


def test_a_corpus_by_somebody_else_is_told_without_harm(
    tmp_path: Path, printed: Printed
) -> None:
    for file in ("index.jsonl", "manifest.json", "errata.jsonl", "smoke.jsonl"):
        (tmp_path / file).write_bytes((CORPUS / file).read_bytes())
    first, *others = (CORPUS / "index.jsonl").read_text("utf-8").splitlines()
    name = json.loads(first)["id"]
    erratum = {"id": name, "reason": HARM, "date": HARM}
    (tmp_path / "errata.jsonl").write_text(json.dumps(erratum), "utf-8")
    smoke = ("--tier", "smoke", "--corpus", str(tmp_path))
    command = ("conform", "run", *smoke, "--format", "text", "builtin:reference")
    manifest = json.loads((CORPUS / "manifest.json").read_text("utf-8"))
    manifest["counts"]["smoke"]["profiles"] = {HARM: 7}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    said = printed(*command)
    assert "owned" in said
    assert harm_in(said) == []
    for key, value in (("id", HARM), ("fires", [HARM]), ("file", HARM[8:20])):
        entry = {**json.loads(others[-1]), "tier": "smoke", key: value}
        (tmp_path / "index.jsonl").write_text(json.dumps(entry), "utf-8")
        said = printed(*command)
        assert "found" in said or "cannot be read" in said
        assert harm_in(said) == []


def test_errata_do_not_reach_a_report(tmp_path: Path) -> None:
    for file in CORPUS.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    name = of_corpus(CORPUS, Choice(tier="smoke")).lines[0].id
    erratum = {"id": name, "reason": HARM}
    (tmp_path / "errata.jsonl").write_text(json.dumps(erratum), "utf-8")
    selection = of_corpus(tmp_path, Choice(traces=(name,)))
    found = runner.run(selection, runner.Settings(command=("builtin:reference",)))
    assert any("owned" in case.note for case in found.cases)
    for write in FORMATS.values():
        assert harm_in(write(found)) == []


def test_a_test_is_not_named_by_what_a_corpus_says(tmp_path: Path) -> None:
    for file in CORPUS.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    index = (CORPUS / "index.jsonl").read_text("utf-8").splitlines()
    entry = next(one for one in map(json.loads, index) if one["tier"] == "smoke")
    lines = (CORPUS / entry["file"]).read_text("utf-8").splitlines()
    line = json.loads(lines[entry["line"] - 1])
    (tmp_path / "one.jsonl").write_text(json.dumps(line), "utf-8")
    entry = {**entry, "file": "one.jsonl", "line": 1, "necessary": [HARM]}
    (tmp_path / "index.jsonl").write_text(json.dumps(entry), "utf-8")
    digest = hashlib.sha256((tmp_path / "one.jsonl").read_bytes()).hexdigest()
    manifest = {"counts": {}, "files": {"one.jsonl": {"sha256": digest}}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    done = by_module(
        "pytest",
        *("-p", "no:cacheprovider", "-rA", "--color", "no", "--hearts-by", "clause"),
        *("--hearts-adapter", "builtin:reference", "--hearts-corpus", str(tmp_path)),
        cwd=tmp_path,
    )
    assert "owned" in done.stderr  # the index may name clauses of the book alone
    assert harm_in(done.stdout) == harm_in(done.stderr) == []
