"""Which games the tests of pytest ask, and the options that find one of them again."""

import shutil
from pathlib import Path

from refengine_conformance.plugin.chosen_games import Chosen, chosen_games
from refengine_conformance.runner.selection import CORPUS, TIERS
from refengine_conformance.tables.typed_table import TableFlags


def chosen(tier: str = "", corpus: Path | str = "") -> Chosen:
    flags = TableFlags(prefix="hearts-")
    return chosen_games((), flags, tier, str(corpus), by_clause=False)


def test_a_line_is_asked_again_where_it_was_found() -> None:
    at = str(CORPUS)
    for options, source in (
        ({}, ()),
        ({"tier": "smoke"}, ("--tier", TIERS[-1])),
        ({"corpus": at}, ("--corpus", at)),
        ({"tier": "smoke", "corpus": at}, ("--tier", TIERS[-1], "--corpus", at)),
    ):
        found = chosen(**options)
        assert {*found.source.values()} == {source}
        assert found.source.keys() == found.tests.keys()


def test_a_folder_without_an_index_is_all_its_files(tmp_path: Path) -> None:
    for name in ("core-estmesh-hearts.jsonl", "core-spot-hearts.jsonl"):
        shutil.copy(CORPUS / name, tmp_path)
    both = chosen(corpus=tmp_path).tests
    one = chosen(corpus=tmp_path / "core-spot-hearts.jsonl").tests
    assert 0 < len(one) < len(both)
    assert one.keys() < both.keys()
