"""Tests that the pages about file formats name the keys that the files have."""

import json
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

import attrs
import msgspec
import pytest

from refengine import Ruleset, SeatRecord, new_deal
from refengine.chapters.table import PHASES
from refengine.formats import normal_form, protocol, record_shapes, shapes
from refengine.formats.fields import FIELDS
from refengine.formats.logs import read_log, replay_log
from refengine.formats.minideals import check_mini, read_mini
from refengine.formats.protocol import CAPABILITIES
from refengine.lawbook.book import Clause, clause
from refengine.lawbook.profiles import Profile
from refengine.worlds.record_lines import read_record
from refengine_conformance.corpus_tools.bundled import BundledReport
from refengine_conformance.lawbook_checks.book_check import BookReport
from refengine_conformance.runner.known_failures import Entry
from refengine_conformance.runner.results import Outcome
from tests.support import places
from tests.support.commands import Runner

FILES = (places.DOCS / "files.md").read_text("utf-8")
FORMATS = (places.DOCS / "formats.md").read_text("utf-8")
ADAPTERS = (places.DOCS / "adapters.md").read_text("utf-8")
COMMANDS = ["generate", "replay", "show", "annotate", "convert"]
COMMANDS += ["serve", "schema", "enumerate", "stamp"]
CORPUS = places.ROOT / "conformance" / "corpus"
INDEX = (CORPUS / "index.jsonl").read_text("utf-8").partition("\n")[0]
# Keys and words, each of which stands on its page as code.
DOCUMENTED = {
    **{
        kind.__name__: (FILES, [field.name for field in attrs.fields(kind)])
        for kind in (BookReport, BundledReport, Clause, Profile)
    },
    "known failures": (FILES, Entry.__struct_fields__),
    "outcomes": (FILES, Outcome),
    "index": ((CORPUS / "README.md").read_text("utf-8"), json.loads(INDEX)),
    "capabilities": (ADAPTERS, CAPABILITIES),
    "phases": (FORMATS, PHASES),
}
BLOCKS = re.findall(r"```json\n(.*?)\n```", FORMATS, re.DOTALL)
LINES = [
    kind
    for kind in (vars(shapes) | vars(protocol) | vars(record_shapes)).values()
    if isinstance(kind, type) and issubclass(kind, shapes.Line)
]


@pytest.mark.parametrize(("page", "names"), DOCUMENTED.values(), ids=DOCUMENTED)
def test_every_name_is_documented(page: str, names: Iterable[str]) -> None:
    for name in names:
        assert f"`{name}`" in page


@pytest.mark.parametrize("kind", LINES, ids=lambda kind: kind.__name__)
def test_every_key_is_documented(kind: type[shapes.Line]) -> None:
    page = FORMATS + ADAPTERS
    for field in msgspec.structs.fields(kind):
        name = field.encode_name
        assert f"`{name}`" in page or f'"{name}"' in page, name


def test_every_example_on_the_page_is_json_and_the_whole_lines_are_right() -> None:
    whole: list[str] = []
    for block in BLOCKS:
        plain = json.loads(block)
        whole += {"log", "mini", "record"} & {*plain}
        if "log" in plain:
            assert replay_log(read_log(block.encode()))[0] == []
        if "mini" in plain:
            assert check_mini(read_mini(block.encode())) == []
        if "record" in plain:
            rules, hands = Ruleset("gamerules-domino", 2), ["5C 6D", "2D 3H"]
            begun = new_deal(rules, hands, dealer=1, stock="4H 7C KS")
            assert read_record(block) == SeatRecord.of(begun.play("5C").draw(), 0)
    assert sorted(whole) == ["log", "mini", "record"]


def test_every_command_and_op_is_documented() -> None:
    for command in COMMANDS:
        assert f"`refengine {command}" in FORMATS
    for op in protocol.OPS:
        assert f'"op":"{op}"' in ADAPTERS


def test_the_definition_of_clause_sets_names_the_clauses_of_the_book() -> None:
    book = set(re.findall(r"\b\d+\.\d+[a-z]?\b", clause("0.7a").text))
    page = set(re.findall(r"\b\d+\.\d+[a-z]?\b", ADAPTERS))
    opening = {
        number for number in book if number.startswith(("2.6", "3.9", "3.12", "4.11"))
    }
    opening |= {"5.2a", "5.14b", "5.14c", "5.14d", "8.10", "8.10a"}
    opening |= {"9.8a", "9.8b", "9.8c", "9.8d"}

    assert book - opening <= page


@pytest.mark.usefixtures("folder")
def test_the_example_of_a_club_is_what_happens(run: Runner) -> None:
    (toml,) = re.findall(r"```toml\n(.*?)```", FORMATS, re.DOTALL)
    Path("friday.toml").write_text(toml, "utf-8")
    _, _, session = FORMATS.partition("$ refengine profile friday.toml\n")
    shown, *others = session.partition("```")[0].split("$ refengine ")
    assert run("profile", "friday.toml")[1] == shown
    assert [command.split()[0] for command in others] == ["play", "conform"]
    Path("friday.toml").write_text(toml.replace("common-hearts", "whist"), "utf-8")
    code, _, err = run(*shlex.split(others[0]))
    wrong = 'friday.toml.base: found "whist"; allowed: one of '
    assert err.startswith(f"refengine: {wrong}")
    assert wrong in FORMATS
    assert code == 3


def test_the_page_and_the_reader_in_the_browser_know_the_observed_fields() -> None:
    _, _, section = FORMATS.partition("### Fields of `then`, `end` and an observation")
    table, _, _ = section.partition("\n\nA field that")
    heads = [line.split("|")[1] for line in table.splitlines() if line[:3] == "| `"]
    named = [name for head in heads for name in re.findall("`(.+?)`", head)]
    assert named == [*FIELDS, "view"]
    reader = (places.ROOT / "site/static/trace-reader.js").read_text("utf-8")
    stated = re.search(r"const STATED = \[(.*?)\]", reader, re.DOTALL)
    assert stated is not None
    assert {*re.findall('"(.+?)"', stated[1])} <= {*FIELDS}
    assert {*normal_form._NORMAL} <= {*FIELDS, "view"}
