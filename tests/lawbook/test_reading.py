"""Tests of chapter 0: clauses, fingerprints, citations and claims."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refengine.errors import Malformed
from refengine.lawbook import reading
from refengine.lawbook.book import SPEC
from refengine.lawbook.reading import BookTable, Citation
from tests.support.refusing import malformed

pytestmark = pytest.mark.interpreted("about the text of the book")

CLAUSE = """# 5 Play

What comes before the first clause binds nobody.

### 5.3 Follow suit

A seat MUST  follow `suit`, see 5.4.
If **it** can, says [the book](x.md).

- Kind: forbid
- Options: revokes, ties
- Sources: none
- Formal: `allowed' = hand`
- Formal: `allowed' = allowed`
- Ruling: as in 5.5. Not taken: 5.6.
- Bites: 7.1, 7.2

| hand | trick | given | may play |
| --- | --- | --- | --- |
| `2C` | | | `2C` |
| `3C` | `2C \\| 3D` | stock | |

| profile | ties |
| --- | --- |
| one | 5.7 |

> **Note.** A first
> line, see 5.8.
>
> And a third.

> **Note.** Another.

#### 5.3a Small

Short.

- Kind: define
- Options: none
- Sources: gamerules
- Bites: 5.3
"""


def changed(old: str, new: str) -> str:
    assert old in CLAUSE
    return CLAUSE.replace(old, new, 1)


def test_a_clause_is_read_with_all_its_parts() -> None:
    clause, small = reading.read_chapter(CLAUSE, "5-play.md")
    assert clause.where == "5-play.md:5"
    assert (clause.number, clause.title, clause.kind) == (
        "5.3",
        "Follow suit",
        "forbid",
    )
    assert clause.options == ("revokes", "ties")
    assert clause.sources == ()
    assert clause.text == (
        "A seat MUST  follow `suit`, see 5.4.\nIf **it** can, says [the book](x.md)."
    )
    assert clause.formal == ("allowed' = hand", "allowed' = allowed")
    assert clause.ruling == "as in 5.5. Not taken: 5.6."
    assert clause.bites == ("7.1", "7.2")
    assert clause.notes == ("A first\nline, see 5.8.\n\nAnd a third.", "Another.")
    assert (small.number, small.title, small.where) == ("5.3a", "Small", "5-play.md:34")
    assert (small.formal, small.ruling, small.tables, small.notes) == ((), "", (), ())


def test_tables_keep_their_cells_without_markup_and_examples_are_told_apart() -> None:
    clause, small = reading.read_chapter(CLAUSE, "5-play.md")
    examples, profiles = clause.tables
    assert examples == BookTable(
        ("hand", "trick", "given", "may play"),
        (("2C", "", "", "2C"), ("3C", "2C | 3D", "stock", "")),
    )
    assert examples.of_examples
    assert not profiles.of_examples
    assert clause.examples == examples.rows
    assert small.examples == ()


def test_every_number_named_anywhere_in_a_clause_is_a_mention() -> None:
    clause, _ = reading.read_chapter(CLAUSE, "5-play.md")
    assert clause.mentions == ("5.4", "5.5", "5.6", "5.7", "5.8", "7.1", "7.2")


def test_versions_and_parts_of_longer_numbers_are_no_mentions() -> None:
    text = "1.0.0 and HFR 5.4b@1.0.0~9f3a21c0, 5.3i, x5.3 and 12.30; at last 6.2."
    assert reading.mentions(text) == ("5.4b", "5.3i", "12.30", "6.2")


def test_the_fingerprint_digests_the_plain_sentences_alone() -> None:
    clause, _ = reading.read_chapter(CLAUSE, "5-play.md")
    plain = "A seat MUST follow suit, see 5.4. If it can, says the book."
    assert clause.fingerprint == hashlib.sha256(plain.encode()).hexdigest()[:8]
    assert reading.plain(clause.text) == plain
    for old, new in [
        ("Follow suit", "Another title"),
        ("Options: revokes, ties", "Options: none"),
        ("allowed' = hand", "allowed' = led"),
        ("> **Note.** Another.", ""),
        ("| one | 5.7 |", "| two | 5.7 |"),
        ("see 5.4.\nIf", "see\u00a05.4. If"),
    ]:
        other, _ = reading.read_chapter(changed(old, new), "5-play.md")
        assert other.fingerprint == clause.fingerprint, old
    other, _ = reading.read_chapter(changed("MUST", "MAY"), "5-play.md")
    assert other.fingerprint != clause.fingerprint


def test_a_fingerprint_does_not_depend_on_how_letters_are_composed() -> None:
    assert reading.fingerprint("caf\u00e9") == reading.fingerprint("cafe\u0301")


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("# 5 Play", "Play", "5.md:1"),
        ("# 5 Play", "# 6 Draw", "5.md:5"),
        ("### 5.3 Follow", "5.3 Follow", "5.md:10"),
        ("### 5.3 Follow", "### 5.3: Follow", "5.md:5"),
        ("### 5.3 Follow", "#### 5.3 Follow", "5.md:5"),
        ("#### 5.3a Small", "### 5.3a Small", "5.md:34"),
        ("#### 5.3a Small", "#### 5.3i Small", "5.md:34"),
        ("- Kind: forbid", "- Kind: forbids", "5.md:5"),
        ("- Kind: forbid\n", "", "5.md:5"),
        ("Short.\n", "", "5.md:34"),
        ("- Kind: forbid", "- Sort: forbid", "5.md:10"),
        ("- Kind: forbid", "- kind forbid", "5.md:10"),
        ("- Kind: forbid", "- Kind: forbid\n- Kind: permit", "5.md:11"),
        ("- Kind: forbid", "- Kind: forbid\nA sentence too late.", "5.md:11"),
        ("- Bites: 5.3\n", "- Part of: 5.3, 5.4\n", "5.md:34 Part of"),
        ("- Bites: 5.3\n", "- Part of: 5.3i\n", "5.md:34 Part of"),
        ("revokes, ties", "revokes ties", "5.md:5 Options"),
        ("revokes, ties", "ties, ties", "5.md:5 Options"),
        ("Formal: `allowed' = hand`", "Formal: allowed' = hand", "5.md:5"),
        ("| `2C` | | | `2C` |", "| `2C` | | `2C` |", "5.md:20"),
        ("| --- | --- |\n| one | 5.7 |", "| --- | --- |", "5.md:23"),
        ("| --- | --- |\n| one | 5.7 |", "| one | 5.7 |\n| a | b |", "5.md:23"),
        ("> **Note.** Another.", "> Another.", "5.md:32"),
    ],
)
def test_what_is_no_clause_is_malformed_with_its_line(
    old: str, new: str, where: str
) -> None:
    assert malformed(reading.read_chapter, changed(old, new), "5.md").where == where


def test_a_clause_may_be_a_part_of_another() -> None:
    whole, part = reading.read_chapter(
        changed("- Bites: 5.3\n", "- Part of: 5.3\n"), "5.md"
    )
    assert (whole.part_of, part.part_of) == ("", "5.3")
    assert part.mentions == ("5.3",)


def test_an_empty_chapter_is_malformed() -> None:
    with pytest.raises(Malformed, match=r"0-x\.md:1"):
        reading.read_chapter("", "0-x.md")


def test_a_number_given_twice_is_malformed(tmp_path: Path) -> None:
    (tmp_path / "5-play.md").write_text(CLAUSE, "utf-8")
    assert len(reading.read_book(tmp_path)) == 2
    (tmp_path / "5-again.md").write_text(CLAUSE, "utf-8")
    with pytest.raises(Malformed, match=r"5-play\.md:5: found 5\.3 again"):
        reading.read_book(tmp_path)


def test_the_book_is_read_in_its_own_order() -> None:
    numbers = [passage.number for passage in reading.read_book(SPEC)]
    assert numbers[0] == "0.1"
    assert {"0.12", "5.4b", "9.9"} <= set(numbers)
    assert numbers == sorted(numbers, key=reading.place_in_book)


def test_the_tenth_chapter_comes_after_the_ninth(tmp_path: Path) -> None:
    for chapter, file in (
        (10, "10-at-the-table.md"),
        (9, "9-match.md"),
        (99, "99-z.md"),
    ):
        text = CLAUSE.replace("# 5 Play", f"# {chapter} Title", 1)
        text = text.replace("### 5.3 ", f"### {chapter}.3 ").replace(
            "#### 5.3a ", f"#### {chapter}.3a "
        )
        (tmp_path / file).write_text(text, "utf-8")
    for other in ("010-x.md", "100-x.md", "profiles.md", "CHANGES.md"):
        (tmp_path / other).write_text("not a chapter", "utf-8")
    assert [path.name for path in reading.chapter_files(tmp_path)] == [
        "9-match.md",
        "10-at-the-table.md",
        "99-z.md",
    ]
    assert [passage.number for passage in reading.read_book(tmp_path)] == [
        "9.3",
        "9.3a",
        "10.3",
        "10.3a",
        "99.3",
        "99.3a",
    ]


def test_a_clause_of_chapter_ten_does_not_belong_to_chapter_one() -> None:
    text = CLAUSE.replace("# 5 Play", "# 1 Cards", 1).replace("### 5.3 ", "### 10.3 ")
    with pytest.raises(Malformed, match=r" 1\.1 Title") as caught:
        reading.read_chapter(text, "1.md")
    assert caught.value.where == "1.md:5"


def test_numbers_are_placed_by_value_and_not_as_text() -> None:
    numbers = [
        "0.12",
        "2.3",
        "5.9",
        "5.10",
        "9.9",
        "10.1",
        "10.1a",
        "10.2",
        "10.10",
        "11.1",
    ]
    assert sorted(set(numbers), key=reading.place_in_book) == numbers
    assert [reading.chapter_of(number) for number in ("0.12", "10.1a")] == ["0", "10"]
    wrong = ("", "10", "10.", "x", "5.0", "05.4", "10.1ab", "10.1@1.0.0")
    for text in (*wrong, "5." + "9" * 5000):
        with pytest.raises(Malformed, match="the number of a clause"):
            reading.place_in_book(text)


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("5.3b", Citation("5.3b")),
        ("HFR 0.12", Citation("0.12")),
        ("10.4a", Citation("10.4a")),
        ("HFR 99.1@1.1.0~9f3a21c0", Citation("99.1", "1.1.0", "9f3a21c0")),
        ("HFR 5.3b@1.0.0", Citation("5.3b", "1.0.0")),
        ("HFR 5.3b@1.10.0~9f3a21c0", Citation("5.3b", "1.10.0", "9f3a21c0")),
    ],
)
def test_a_citation_is_read_as_far_as_it_goes(text: str, citation: Citation) -> None:
    assert Citation.read(text) == citation


@given(
    st.from_regex(r"(0|[1-9][0-9]?)\.[1-9][0-9]{0,2}[a-hjkmnp-z]?", fullmatch=True),
    st.none() | st.from_regex(r"(0|[1-9][0-9]?)(\.(0|[1-9])){2}", fullmatch=True),
    st.none() | st.from_regex("[0-9a-f]{8}", fullmatch=True),
)
def test_reading_a_written_citation_gives_it_back(
    number: str, version: str | None, fingerprint: str | None
) -> None:
    citation = Citation(number, version, fingerprint if version else None)
    assert Citation.read(str(citation)) == citation


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "5",
            "5.",
            "5.0",
            "5.03",
            "100.1",
            "05.3",
            "00.1",
            "5.3i",
            "5.3l",
            "5.3o",
            "5.3B",
            "5.3ab",
        ),
        *("HFR", "HFR5.3", "hfr 5.3", "HFR  5.3", " 5.3", "5.3 ", "5.3\n", "\u0665.3"),
        *("5.3@1.0.0", "HFR 5.3@", "HFR 5.3@1.0", "HFR 5.3@1.0.00", "HFR 5.3~9f3a21c0"),
        *("HFR 5.3@1.0.0~", "HFR 5.3@1.0.0~9F3A21C0", "HFR 5.3@1.0.0~9f3a21c"),
    ],
)
def test_what_is_no_citation_is_malformed(text: str) -> None:
    with pytest.raises(Malformed, match=r"allowed: 5\.3, HFR 5\.3"):
        Citation.read(text)


@pytest.mark.parametrize(
    ("docstring", "claimed"),
    [
        ("Whether it is.\n\n    Clause 5.3.\n    ", ("5.3",)),
        ("What it is.\n\nClauses 5.4, 5.4a, 0.12.", ("5.4", "5.4a", "0.12")),
        ("Clauses forbid the act.", ()),
        ("What it is.\n\nClauses 9.9, 10.1.", ("9.9", "10.1")),
        ("", ()),
    ],
)
def test_the_last_line_of_a_docstring_claims(
    docstring: str, claimed: tuple[str, ...]
) -> None:
    assert reading.claims(docstring) == claimed


@pytest.mark.parametrize(
    "docstring",
    [
        "Clause 5.3",
        "Clause 5.3, 5.4.",
        "Clauses 5.3.",
        "Clauses 5.3 and 5.4.",
        "Clause 5.3i.",
        "Clause 5.3.\n\nMore.",
        "Clause 5.3.\nClause 5.4.",
    ],
)
def test_a_claim_that_is_not_written_as_one_is_malformed(docstring: str) -> None:
    with pytest.raises(Malformed, match="last line"):
        reading.claims(docstring)
