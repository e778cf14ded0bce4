"""Tests that all full citations in our files are true, and CITATION.cff is right."""

import re
from collections.abc import Iterator

import pytest

import refengine
from refengine.cli.cite_command import look_up
from refengine.lawbook.book import SPEC
from refengine.lawbook.bulletin import bulletin_versions
from tests.support import places

pytestmark = pytest.mark.interpreted("about the text of book, guides and source")

CLAUSE = r"HFR [0-9]+\.[0-9]+[a-z]?@[0-9.]*[0-9](?:~[0-9a-f]{8})?"
OPTION = r" [a-z_]+=[a-z0-9_-]*(?:,[a-z0-9_-]+)*"
RULESET = rf"[a-z]+(?:-[a-z]+)+/[0-9]+@[0-9.]*[0-9]~[0-9a-f]{{8}}(?:{OPTION})*"
PRINTED = re.compile(f"{CLAUSE}|{RULESET}")
FOLDERS = {
    "spec": "**/*.md",
    "docs": "**/*.md",
    "bench": "**/*.md",
    "refengine": "**/*.py",
    "conformance": "**/*.py",
    "site": "**/*.py",
}
FILES = ("README.md", "CONTRIBUTING.md", "CITATION.cff")


def printed() -> Iterator[tuple[str, str]]:
    """Each citation in the files that we publish, preceded by the path of its file."""
    paths = [places.ROOT / name for name in FILES]
    for folder, pattern in FOLDERS.items():
        paths.extend((places.ROOT / folder).glob(pattern))
    for path in paths:
        # A comment or a message may be broken into lines, a citation is not.
        for text in PRINTED.findall(path.read_text("utf-8")):
            yield path.relative_to(places.ROOT).as_posix(), text


FOUND = sorted(set(printed()))


def test_citations_are_found_where_they_are_printed() -> None:
    files = {file for file, _ in FOUND}
    wanted = {"README.md", "CITATION.cff", "docs/formats.md", "spec/0-reading.md"}
    assert wanted <= files
    assert {"refengine/lawbook/reading.py", "refengine/cli/cite_command.py"} <= files
    assert sum("/" in text for _, text in FOUND) >= 3


@pytest.mark.parametrize(("file", "text"), FOUND)
def test_a_printed_citation_is_true(file: str, text: str) -> None:
    found = look_up(text)
    assert found.true, f"{file}: {text}: {found.wording}"


# CITATION.cff, by the keys of the Citation File Format 1.2.0


def cff(text: str) -> dict[str, str]:
    """The values of all keys in a CITATION.cff, with `parent.key` for indented keys."""
    found: dict[str, str] = {}
    above = ""
    for line in text.splitlines():
        key = re.fullmatch(r"( *)([a-z-]+):(?: (.*))?", line)
        if key is None:
            continue
        if not key[1]:
            above = key[2]
        name = f"{above}.{key[2]}" if key[1] else key[2]
        found[name] = (key[3] or "").strip('"')
    return found


def test_citation_cff_names_the_software_and_the_book() -> None:
    found = cff((places.ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= found.keys()  # required
    assert (found["cff-version"], found["type"]) == ("1.2.0", "software")
    assert found["version"] == refengine.__version__
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", found["date-released"])
    book = "preferred-citation"
    assert {f"{book}.{key}" for key in ("type", "title", "authors")} <= found.keys()
    assert found[f"{book}.type"] == "book"
    changes = (SPEC / "CHANGES.md").read_text("utf-8")
    edition = found[f"{book}.edition"]
    assert edition == bulletin_versions(changes)[0]
    assert f"## {edition} ({found[f'{book}.date-released']})\n" in changes
    assert found[f"{book}.date-released"].startswith(f"{found[f'{book}.year']}-")
