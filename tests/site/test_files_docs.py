"""docs/files.md names the keys that the files really have."""

import json

import attrs
import pytest

from refengine.lawbook import book
from refengine.lawbook.profiles import Profile
from refengine_conformance.corpus_tools.bundled import BundledReport
from refengine_conformance.lawbook_checks.book_check import BookReport
from refengine_conformance.runner.known_failures import Entry
from refengine_conformance.runner.results import Outcome
from tests.support import places

TEXT = (places.DOCS / "files.md").read_text("utf-8")


@pytest.mark.parametrize("kind", [BookReport, BundledReport, book.Clause, Profile])
def test_the_keys_of_the_json_output_are_documented(kind: type) -> None:
    for field in attrs.fields(kind):
        assert f"`{field.name}`" in TEXT


def test_the_keys_of_known_failures_and_every_outcome_are_documented() -> None:
    for key in [*Entry.__struct_fields__, *(str(one) for one in Outcome)]:
        assert f"`{key}`" in TEXT


def test_the_keys_of_the_index_are_documented() -> None:
    corpus = places.ROOT / "conformance" / "corpus"
    readme = (corpus / "README.md").read_text("utf-8")
    with (corpus / "index.jsonl").open(encoding="utf-8") as index:
        for key in json.loads(index.readline()):
            assert f"`{key}`" in readme
