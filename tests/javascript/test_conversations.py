"""Tests that the rules, and faulty versions of them, answer alike in both languages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from carrying import mutants
from carrying.differential import (
    conversation,
    differences,
    nameable_clauses,
    worthwhile_values,
)

from tests.support.node import NODE
from tests.support.places import ROOT

pytestmark = pytest.mark.interpreted("about the source, which is carried over")
SEED = 7


def test_every_answer_is_the_same(adapter: Path) -> None:
    talk = conversation("sample")
    assert list(differences(talk, [NODE, str(adapter)])) == []
    assert talk.scores > 20
    assert len(nameable_clauses() & talk.named.keys()) > 55
    assert len(talk.values.keys() & worthwhile_values()) > 90


def test_a_rule_that_is_changed_in_one_language_shows(
    adapter: Path, changed: Callable[[str, str], Path]
) -> None:
    other = changed(r'push\("2\.4"\)', 'push("2.6")').with_name("adapter.mjs")
    other.write_bytes(adapter.read_bytes())
    talk = conversation("sample", ["common-hearts"])
    found = list(differences(talk, [NODE, str(other)]))
    assert found
    assert all("2.4" in right["refused"]["clauses"] for _, right, _ in found)


def test_a_refusal_can_name_every_clause_that_the_protocol_lists() -> None:
    page = (ROOT / "docs" / "adapters.md").read_text("utf-8")
    table = page.partition("| act | conditions |")[2].partition("\n\n")[0]
    listed = {word.strip(",|") for word in table.split() if word[0].isdigit()}
    assert len(listed) > 25
    assert listed | {"2.3", "2.4", "5.3", "5.5b", "2.6", "3.12b"} <= nameable_clauses()


@pytest.fixture(scope="module")
def compared() -> list[mutants.Compared]:
    """Some mutants, each compared with the same mutant in the other language."""
    return list(mutants.all_compared(SEED, 5, [NODE]))


def test_mutants_give_the_same_wrong_answers(compared: list[Any]) -> None:
    assert [one for one in compared if one.differing or one.hangs] == []
    assert [one.mutant for one in compared if not one.wrong] == []
