"""Tests of what each entry of the bulletin must contain."""

from pathlib import Path

import pytest

from refengine.lawbook.bulletin import (
    BulletinEntry,
    bulletin_entries,
    bulletin_versions,
    read_bulletin,
)
from tests.support.refusing import malformed

pytestmark = pytest.mark.interpreted("about the text of the book")

TEXT = """
[[change]]
version = "1.1.0"
clauses = ["5.3", "5.4"]
of = "words"
why = '''Plain
law English.'''

[[change]]
version = "1.1.0"
profiles = ["estmesh-hearts"]
part = "limit"
old = 100
new = 50
of = "effect"
why = "Shorter."
"""


def test_entries_are_read_with_their_reasons_on_one_line() -> None:
    assert bulletin_entries(TEXT) == (
        BulletinEntry(
            "1.1.0",
            "clauses",
            ("5.3", "5.4"),
            "text",
            None,
            None,
            "words",
            "Plain law English.",
        ),
        BulletinEntry(
            "1.1.0",
            "profiles",
            ("estmesh-hearts",),
            "limit",
            100,
            50,
            "effect",
            "Shorter.",
        ),
    )
    assert bulletin_entries("") == ()


@pytest.mark.parametrize(
    ("old", "new", "where", "said"),
    [
        ('why = "Shorter."', "", "change[1]", "found no why"),
        ('why = "Shorter."', 'why = " "', "change[1]", "found no why"),
        ('why = "Shorter."', "why = 5", "change[1]", "found no why"),
        ('version = "1.1.0"', "", "change[0]", "found no version"),
        ('of = "words"', 'of = "taste"', "change[0]", "allowed: of: effect or words"),
        ('of = "words"', "", "change[0]", "found None"),
        ("old = 100", "", "change[1]", "found part 'limit'"),
        ('part = "limit"', "", "change[1]", "found part ''"),
        ('of = "words"', 'of = "words"\nold = "x"', "change[0]", "found part 'text'"),
        ('"5.3", "5.4"', "", "change[0]", "a list of names"),
        ('"5.3", "5.4"', '"5.3", "5.3"', "change[0]", "each once"),
        ('["5.3", "5.4"]', '"5.3"', "change[0]", "a list of names"),
        ('["5.3", "5.4"]', "[5.10]", "change[0]", "a list of names"),
        ("clauses =", "sentences =", "change[0]", "the key 'sentences'"),
        ('profiles = ["estmesh-hearts"]', "", "change[1]", "found none of them"),
        (
            "profiles =",
            'options = ["ties"]\nprofiles =',
            "change[1]",
            "found options, profiles",
        ),
        ("[[change]]", "[change", ":2", "the bulletin in TOML"),
        ("[[change]]", "more = 1\n[[change]]", "", "the key 'more'"),
    ],
)
def test_an_entry_that_lacks_something_is_malformed(
    old: str, new: str, where: str, said: str
) -> None:
    assert old in TEXT
    error = malformed(bulletin_entries, TEXT.replace(old, new, 1))
    assert said in str(error)
    entry = ": " if where.startswith("change") else ""
    assert error.where == f"changes.toml{entry}{where}"


def test_data_that_are_nested_too_deeply_are_malformed() -> None:
    error = malformed(bulletin_entries, "change = " + "[" * 5000)
    assert "nested too deeply" in str(error)
    assert error.where == "changes.toml"


def test_the_versions_of_the_prose_are_its_headings() -> None:
    prose = (
        "# Bulletin\n\n## 1.1.0 (2026-11-22)\n\n### 1.0.5\n\n## 1.0.0 (2026-11-21)\n"
    )
    assert bulletin_versions(prose) == ("1.1.0", "1.0.0")
    assert bulletin_versions("# Bulletin\n") == ()


def test_the_data_are_read_from_the_folder_of_the_book(tmp_path: Path) -> None:
    assert read_bulletin(tmp_path) == ()
    (tmp_path / "changes.toml").write_text(TEXT, "utf-8")
    assert len(read_bulletin(tmp_path)) == 2
