"""Tests that the registry is up to date, and that contradictions are found."""

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from refengine.errors import Malformed
from refengine.lawbook import book, reading
from refengine_conformance.lawbook_checks import registry
from refengine_conformance.lawbook_checks.registry import (
    ClauseClaim,
    Evidence,
    find_disagreements,
)

EVIDENCE = registry.gather_evidence(book.SPEC, registry.PACKAGE)
COMMITTED = book.REGISTRY.read_text("utf-8")
SOURCE = '''"""A module.

Clause 5.1.
"""


class Trick:
    """A trick.

    Clause 5.2.
    """

    def winner(self) -> int:
        """The winner.

        Clauses 5.3, 5.4.
        """


if True:
    def late() -> None:
        """Something late.

        Clause 5.5.
        """

        def inner() -> None:
            """Something inner.

            Clause 5.6.
            """


def silent() -> None:
    """Nothing claimed."""


def bare() -> None:
    pass
'''


def changed(number: str, **fields: Any) -> Evidence:
    """The evidence with these fields of this clause replaced."""
    assert any(passage.number == number for passage in EVIDENCE.passages)
    passages = tuple(
        attrs.evolve(passage, **fields) if passage.number == number else passage
        for passage in EVIDENCE.passages
    )
    return attrs.evolve(EVIDENCE, passages=passages)


def found_new(evidence: Evidence) -> list[str]:
    """The problems found in this evidence that are not in the real evidence.

    Problems of editions are left out, since they have tests of their own.
    """
    return [
        line
        for line in find_disagreements(evidence)
        if line not in find_disagreements(EVIDENCE)
        and not line.startswith(("clause ", "spec/changes.toml: clause "))
    ]


def test_the_registry_is_what_book_and_source_give() -> None:
    assert registry.outdated_lines(EVIDENCE, COMMITTED) == []


def test_book_and_source_agree_both_ways() -> None:
    assert find_disagreements(EVIDENCE) == []


def test_every_entry_of_the_registry_is_a_clause_with_all_its_fields() -> None:
    names = [field.name for field in attrs.fields(book.Clause)]
    entries = json.loads(COMMITTED)["clauses"]
    assert all(list(entry) == names for entry in entries)
    assert [clause.number for clause in book.clauses().values()] == [
        entry["number"] for entry in entries
    ]


def test_a_clause_is_found_by_its_number() -> None:
    clause = book.clause("5.3")
    passage = next(one for one in EVIDENCE.passages if one.number == "5.3")
    assert (clause.title, clause.kind, clause.text) == (
        passage.title,
        passage.kind,
        passage.text,
    )
    assert clause.fingerprint == reading.fingerprint(clause.text)
    assert "play.follow_suit" in clause.functions
    assert clause.examples == len(passage.examples)
    assert book.title("5.3") == "Follow suit"
    assert book.registry()["version"] == EVIDENCE.version


def test_a_number_that_the_book_does_not_have_is_malformed_and_without_title() -> None:
    with pytest.raises(Malformed, match=r"'5\.99'"):
        book.clause("5.99")
    assert book.title("5.99") == ""


def test_claims_are_found_in_modules_classes_methods_and_functions(
    tmp_path: Path,
) -> None:
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "play.py").write_text(SOURCE, "utf-8")
    assert registry.gather_evidence(book.SPEC, tmp_path).claims == (
        ClauseClaim("play", ("5.1",)),
        ClauseClaim("play.Trick", ("5.2",)),
        ClauseClaim("play.Trick.winner", ("5.3", "5.4")),
        ClauseClaim("play.late", ("5.5",)),
        ClauseClaim("play.late.inner", ("5.6",)),
    )


def test_where_the_package_lies_does_not_matter(package: Path) -> None:
    assert registry.gather_evidence(book.SPEC, package) == EVIDENCE


def test_the_version_is_that_of_the_newest_entry() -> None:
    headings = registry.versions_of("# B\n\n## 1.2.0 (x)\n\n## 1.1.0 (y)\n")
    assert headings == ("1.2.0", "1.1.0")
    assert attrs.evolve(EVIDENCE, headings=headings).version == "1.2.0"
    with pytest.raises(Malformed, match=r"CHANGES\.md"):
        registry.versions_of("# B\n")


def test_a_missing_claim_in_a_docstring_is_caught(package: Path) -> None:
    path = package / "chapters" / "play.py"
    source = path.read_text("utf-8")
    assert source.count("Clause 5.7.") == 1
    path.write_text(source.replace("    Clause 5.7.\n", ""), "utf-8")
    evidence = registry.gather_evidence(book.SPEC, package)
    assert found_new(evidence) == [
        "5.7 A card of the hand (forbid): no function claims it"
    ]
    assert registry.outdated_lines(evidence, COMMITTED) == [
        "registry.json: 5.7 differs from the book or the source"
    ]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ('"""X.\n\nClause 5.99.\n"""', "odd claims 5.99, which the book does not have"),
        ('"""X.\n\nClauses 5.3.\n"""', "odd: found 'Clauses 5.3.'; allowed: "),
        ("def odd(:\n", "odd: line 1 is not Python"),
    ],
)
def test_a_wrong_claim_is_caught(package: Path, source: str, line: str) -> None:
    (package / "odd.py").write_text(source, "utf-8")
    (found,) = found_new(registry.gather_evidence(book.SPEC, package))
    assert found.startswith(line)


def test_a_changed_formal_line_is_caught(spec: Path) -> None:
    path = spec / "5-play.md"
    text = path.read_text("utf-8")
    line = "when not leading: allowed' = nonempty(allowed & suit(led), allowed)"
    assert text.count(line) == 1
    path.write_text(text.replace(line, line.replace("allowed &", "hand &")), "utf-8")
    evidence = registry.gather_evidence(spec, registry.PACKAGE)
    assert registry.outdated_lines(evidence, COMMITTED) == [
        "registry.json: 5.3 differs from the book or the source"
    ]
    path.write_text(
        text.replace(line, line.replace("suit(led)", "suit(lead)")), "utf-8"
    )
    (found,) = found_new(registry.gather_evidence(spec, registry.PACKAGE))
    assert found.startswith("5.3 has a formal line that cannot be read: column 54: ")


@pytest.mark.parametrize(
    ("number", "fields", "lines"),
    [
        ("5.3", {"text": "See 5.99."}, ["5.3 refers to 5.99, which does not exist"]),
        (
            "5.3",
            {"ruling": "See 5.99a."},
            ["5.3 refers to 5.99a, which does not exist"],
        ),
        (
            "5.3",
            {"notes": ("See 5.3i.",)},
            ["5.3 refers to 5.3i, which does not exist"],
        ),
        ("0.5", {"bites": ("5.99",)}, ["0.5 refers to 5.99, which does not exist"]),
        (
            "0.5",
            {"bites": ()},
            ["0.5 Citations (define): it does not say where it bites"],
        ),
        (
            "5.3",
            {"bites": ("5.4",)},
            [
                "5.3 Follow suit (forbid): it says where it bites, "
                "as only a definition or what is left open does"
            ],
        ),
        (
            "5.3",
            {"options": ("rain",)},
            ["5.3 names the option rain, which does not exist"],
        ),
        (
            "5.6",
            {"options": ()},
            [
                "option queen_duty: no clause reads it",
                "5.6 reads queen_duty in a formal line, not in its list",
                "0.4 says that 5.6 reads queen_duty, its list does not",
            ],
        ),
        (
            "5.3",
            {"sources": ("hoyle",)},
            ["5.3 names the source hoyle, not in sources.md"],
        ),
    ],
)
def test_a_fault_in_a_clause_is_caught(
    number: str, fields: dict[str, Any], lines: list[str]
) -> None:
    assert sorted(found_new(changed(number, **fields))) == sorted(lines)


def test_a_source_that_no_clause_names_is_caught() -> None:
    evidence = attrs.evolve(EVIDENCE, sources=(*EVIDENCE.sources, "hoyle"))
    assert found_new(evidence) == ["source hoyle: no clause names it"]


def test_what_people_do_needs_no_function_and_no_function_claims_it() -> None:
    def freed(**fields: Any) -> Evidence:
        fields = {"kind": "procedure", **fields}
        return changed("5.7", **fields)

    claiming = [one.function for one in EVIDENCE.claims if "5.7" in one.clauses]
    claims = tuple(one for one in EVIDENCE.claims if "5.7" not in one.clauses)
    assert claiming
    assert found_new(freed()) == [
        f"{name} claims 5.7, which people follow" for name in claiming
    ]
    assert found_new(attrs.evolve(freed(), claims=claims)) == []
    assert found_new(attrs.evolve(freed(bites=("5.3",)), claims=claims)) == [
        "5.7 A card of the hand (procedure): it says where it bites, "
        "as only a definition or what is left open does"
    ]


@pytest.mark.parametrize(
    ("number", "fields", "line"),
    [
        (
            "8.6",
            {"kind": "forbid", "bites": ()},
            "8.6a is a part of 8.6, which is of kind forbid and can be named itself",
        ),
        (
            "8.6",
            {"kind": "withdrawn", "bites": (), "text": "Withdrawn in 1.1.0."},
            "8.6a refers to 8.6, which is withdrawn",
        ),
        (
            "8.6",
            {"text": "The choice is judged by 8.6a."},
            "8.6b is a part of 8.6, which does not name it",
        ),
        (
            "8.6",
            {"part_of": "8.5"},
            "8.6b is a part of 8.6, which is itself a part of 8.5",
        ),
        ("8.6b", {"part_of": "8.99"}, "8.6b refers to 8.99, which does not exist"),
    ],
)
def test_a_fault_between_a_clause_and_its_parts_is_caught(
    number: str, fields: dict[str, Any], line: str
) -> None:
    assert line in found_new(changed(number, **fields))


def test_of_a_withdrawn_clause_it_is_not_said_that_it_can_be_named() -> None:
    gone = changed("8.6", kind="withdrawn", bites=(), text="Withdrawn in 1.1.0.")
    assert [line for line in found_new(gone) if "can be named" in line] == []


def test_a_clause_with_parts_is_named_by_them_alone(package: Path) -> None:
    judging = package / "machine" / "judging.py"
    text = judging.read_text("utf-8")
    assert 'failed.append("8.6a")' in text
    judging.write_text(text.replace('append("8.6a")', 'append("8.6")'), "utf-8")
    found = find_disagreements(registry.gather_evidence(book.SPEC, package))
    assert "judging names 8.6, which is named by its parts alone" in found
    # Sentences may cite it, as they do not refuse anything.
    words = package / "rulings" / "words.py"
    words.write_text(words.read_text("utf-8") + '\n_OLD = "8.6"\n', "utf-8")
    again = find_disagreements(registry.gather_evidence(book.SPEC, package))
    assert not [line for line in again if line.startswith("words names")]


def test_a_refusal_names_only_clauses_of_the_book() -> None:
    evidence = attrs.evolve(EVIDENCE, named=(*EVIDENCE.named, ("judging", "5.99")))
    assert found_new(evidence) == ["judging names 5.99, which the book does not have"]
    gone = attrs.evolve(
        changed("8.6a", kind="withdrawn", text="Withdrawn in 1.1.0."),
        named=(("judging", "8.6a"),),
    )
    assert "judging names 8.6a, which is withdrawn" in found_new(gone)


def test_an_option_that_is_not_in_the_table_of_options_is_caught() -> None:
    (table,) = next(one for one in EVIDENCE.passages if one.number == "0.4").tables
    short = attrs.evolve(table, rows=table.rows[1:])
    assert found_new(changed("0.4", tables=(short,))) == [
        "option direction: not both in the table of 0.4 and in the engine"
    ]


def test_an_option_with_two_rows_in_the_table_of_options_is_caught() -> None:
    (table,) = next(one for one in EVIDENCE.passages if one.number == "0.4").tables
    twice = attrs.evolve(table, rows=(*table.rows, table.rows[0]))
    assert found_new(changed("0.4", tables=(twice,))) == [
        f"option {table.rows[0][0]}: 2 rows in the table of 0.4"
    ]


def test_a_withdrawn_clause_keeps_its_number_and_nobody_names_it() -> None:
    gone = changed(
        "5.7",
        kind="withdrawn",
        text="Withdrawn in 1.1.0.",
        options=(),
        sources=(),
    )
    found = found_new(gone)
    assert all("5.7, which is withdrawn" in line for line in found)
    assert "play.not_in_hand claims 5.7, which is withdrawn" in found
    assert "0.7a refers to 5.7, which is withdrawn" in found
    said = 'its text must say since when, as "Withdrawn in 1.1.0."'
    assert f"5.7 is withdrawn: {said}" in found_new(changed("5.7", kind="withdrawn"))


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (("ties", "shared", "shared", "9.5, 9.6"), "the values shared"),
        (("ties", "shared, play_on", "play_on", "9.5, 9.6"), "the base value play_on"),
        (("pass_count", "1 to 27", "3", "4.4"), "the values 1 to 27"),
        (("bonus_points", "−1000 to 1000", "10", "1.7"), "the base value 10"),
        (("deals", "1 to 1000000", "true", "9.4"), "the base value true"),
        (("pass_unseen", "true, false", "0", "4.9"), "the base value 0"),
    ],
)
def test_the_table_of_options_says_what_the_engine_takes(
    row: tuple[str, ...], found: str
) -> None:
    passage = next(one for one in EVIDENCE.passages if one.number == "0.4")
    table = passage.tables[0]
    rows = tuple(row if one[0] == row[0] else one for one in table.rows)
    changed = attrs.evolve(passage, tables=(attrs.evolve(table, rows=rows),))
    passages = tuple(
        changed if one.number == "0.4" else one for one in EVIDENCE.passages
    )
    wrong = found_new(attrs.evolve(EVIDENCE, passages=passages))
    assert [line for line in wrong if found in line]


@pytest.mark.parametrize(
    ("committed", "line"),
    [
        ("", "registry.json cannot be read"),
        ("[]", "registry.json cannot be read"),
        ("{}", "registry.json cannot be read"),
        (COMMITTED + "\n", "registry.json: differs in version, order or layout"),
    ],
)
def test_a_registry_that_is_not_the_derived_one_is_stale(
    committed: str, line: str
) -> None:
    assert registry.outdated_lines(EVIDENCE, committed) == [line]


def test_the_command_writes_the_registry_and_its_check_then_finds_it_current(
    spec: Path, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = package / "lawbook" / registry.JSON
    path.unlink()
    assert registry.main(["--check"], spec, package) == 1
    assert "registry.json cannot be read" in capsys.readouterr().out
    assert not path.exists()
    assert registry.main([], spec, package) == 0
    assert path.read_text("utf-8") == COMMITTED
    capsys.readouterr()
    assert registry.main(["--check"], spec, package) == 0
    count = f"{len(EVIDENCE.passages)} clauses, 0 problems\n"
    assert capsys.readouterr().out == count


def test_the_command_writes_a_row_that_the_table_of_options_lacks(
    spec: Path, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chapter = spec / "0-reading.md"
    whole = chapter.read_text("utf-8")
    row = next(line for line in whole.splitlines(True) if line.startswith("| ties |"))
    chapter.write_text(whole.replace(row, ""), "utf-8")
    said = "option ties: not both in the table of 0.4 and in the engine"
    assert registry.main(["--check"], spec, package) == 1
    assert said in capsys.readouterr().out
    assert registry.main([], spec, package) == 0
    assert said not in capsys.readouterr().out
    again = chapter.read_text("utf-8").replace("9.5, 9.6, 9.8c |", "9.5, 9.6 |")
    assert again == whole  # which of its clauses are the main ones, people say


def test_the_check_fails_with_a_line_where_the_book_cannot_be_read(
    spec: Path, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (spec / "5-play.md").open("a", encoding="utf-8") as chapter:
        chapter.write("\n### 5.3 Again\n\nAgain.\n\n- Kind: forbid\n")
        chapter.write("- Options: none\n- Sources: none\n")
    assert registry.main(["--check"], spec, package) == 1
    assert "found 5.3 again" in capsys.readouterr().err


def test_a_profile_that_cannot_be_read_is_named_with_its_file(
    spec: Path, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = spec / "profiles" / "estmesh-hearts.toml"
    text = path.read_text("utf-8")
    assert "\nlimit = 100\n" in text
    path.write_text(text.replace("\nlimit = 100\n", "\nlimit = 0\n"), "utf-8")
    assert registry.main(["--check"], spec, package) == 1
    said = capsys.readouterr().err
    assert said.startswith("estmesh-hearts.toml.options.limit: found 0; allowed: ")
