"""Tests of which games the pytest plugin asks, and of the options that choose them."""

import json
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

import attrs
import pytest

from refengine import Ruleset, Setup
from refengine.errors import Malformed
from refengine.formats.trace import Trace, write_trace
from refengine_conformance.plugin import chosen_games as chosen_games_module
from refengine_conformance.plugin.chosen_games import Chosen, chosen_games
from refengine_conformance.runner.selection import (
    BESIDE,
    CORPUS,
    TIERS,
    Choice,
    of_paths,
)
from refengine_conformance.tables.typed_table import TableFlags


def chosen(
    tier: str = "",
    corpus: Path | str = "",
    by_clause: bool = False,
    capabilities: Collection[str] = (),
    **flags: Any,
) -> Chosen:
    typed = TableFlags(prefix="hearts-", **flags)
    return chosen_games((), capabilities, typed, tier, str(corpus), by_clause=by_clause)


def test_a_line_is_asked_again_where_it_was_found() -> None:
    at = str(CORPUS)
    for tier, corpus, source in (
        ("", "", ()),
        ("smoke", "", ("--tier", TIERS[-1])),
        ("", at, ("--corpus", at)),
        ("smoke", at, ("--tier", TIERS[-1], "--corpus", at)),
    ):
        found = chosen(tier, corpus)
        assert {*found.source.values()} == {source}
        assert found.source.keys() == found.tests.keys()


def test_a_folder_without_an_index_is_all_its_files(tmp_path: Path) -> None:
    ids: list[set[str]] = []
    for name in ("core-estmesh-hearts.jsonl", "core-spot-hearts.jsonl"):
        path = Path(shutil.copy(CORPUS / name, tmp_path))
        lines = path.read_bytes().splitlines()
        ids.append({json.loads(line)["id"] for line in lines})
    one = tmp_path / "core-spot-hearts.jsonl"
    assert {*chosen(corpus=one).tests} == ids[1]
    assert {*chosen(corpus=tmp_path).tests} == ids[0] | ids[1]


def test_what_others_write_beside_a_game_names_no_clause(tmp_path: Path) -> None:
    """A key that begins with `x-` may hold anything."""
    lines = (CORPUS / "core-spot-hearts.jsonl").read_bytes().splitlines()[:6]
    file = tmp_path / "mine.jsonl"
    file.write_bytes(b"\n".join(lines))
    plain = chosen(corpus=file, by_clause=True).tests
    for beside in (b'{"clauses":null}', b'{"breaks":true}', b'{"clauses":"all"}'):
        noted = [line[:-1] + b',"x-mine":' + beside + b"}" for line in lines]
        file.write_bytes(b"\n".join(noted))
        assert chosen(corpus=file, by_clause=True).tests.keys() == plain.keys()


def test_unreadable_lines_are_counted_where_there_are_many(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_bytes(b"{}\n" * 5)
    with pytest.raises(Malformed, match="; 2 more lines that cannot be read"):
        chosen(corpus=file)


def test_what_a_corpus_promises_and_lacks_is_not_called_unreadable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, _ = of_paths([CORPUS], Choice(tier=TIERS[0]))
    short = attrs.evolve(found, unreadable=("a:1: x",), short=("b", "c", "d", "e"))
    monkeypatch.setattr(chosen_games_module, "of_paths", lambda *given: (short, True))
    missing = "; ".join(f"promised but missing: {one}" for one in "bcde")
    with pytest.raises(Malformed) as error:
        chosen("smoke")
    assert error.value.found == f"a:1: x; {missing}"


def test_what_few_engines_answer_is_asked_of_those_that_declare_it() -> None:
    """This holds as in `conform run`: for the whole corpus and for a table."""
    both = ("events", "openings")
    assert chosen("smoke", capabilities=both) == chosen("smoke")
    plain = chosen("core").tests.keys()
    for one in both:
        lines = (BESIDE / f"{one}.jsonl").read_bytes().splitlines()
        more = {json.loads(line)["id"] for line in lines}
        assert chosen("core", capabilities=[one]).tests.keys() == plain | more
    assert "2.8" in chosen("core", by_clause=True, capabilities=both).tests
    table: dict[str, Any] = {"players": 4, "hands": "2", "starts": "deal"}
    plain = chosen(**table).tests.keys()
    assert chosen(capabilities=both, **table).tests.keys() > plain


def test_a_game_about_no_clause_is_asked_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    setup = Setup(dealer=3, deal=4, hands=["2C", "3C", "4C", "5C"])
    rules = Ruleset("estmesh-hearts", 4)
    trace = Trace(ruleset=rules, start=setup, steps=(), end={"phase": "play"})
    file.write_bytes(write_trace(trace) + b"\n")
    assert [*chosen(corpus=file, by_clause=True).tests] == ["unnamed"]


def test_a_path_that_the_system_cannot_look_up_is_said_to_be_unreadable() -> None:
    with pytest.raises(Malformed, match="cannot be read: file name too long"):
        chosen(corpus="x" * 300)
