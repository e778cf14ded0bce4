"""The games that the tests of pytest ask: those of a table, or of the published corpus.

It is imported only where an adapter is given.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs

from refengine.errors import Malformed, harmless
from refengine.formats.protocol import TableObject
from refengine_conformance.runner.results import order_of
from refengine_conformance.runner.selection import (
    CORPUS,
    TIERS,
    Choice,
    Selected,
    Selection,
    of_corpus,
    of_files,
)
from refengine_conformance.runner.table import Table, tables_of
from refengine_conformance.runner.table_figures import TableFigures
from refengine_conformance.tables.case_set import case_set
from refengine_conformance.tables.typed_table import TableFlags


@attrs.frozen
class Chosen:
    """The lines to ask, the lines about each clause, and how to ask a line again.

    `source` has, for the id of a line, the options of `conform run` that choose among
    the games of which it is one.
    """

    lines: list[Selected]
    clauses: dict[str, list[Selected]]
    source: dict[str, tuple[str, ...]]


def chosen_games(
    declared: tuple[TableObject, ...], flags: TableFlags, tier: str, corpus: str
) -> Chosen:
    """The games for the options that were given; `tier` and `corpus` may be empty.

    Without options they are those of the tables `declared` in `hello`, if any. Raises
    Malformed for a table that does not exist, and a corpus that cannot be read.
    """
    published = "--hearts-tier" if tier else "--hearts-corpus" if corpus else ""
    flags.check_beside(published)
    if not published and (tables := _tables(declared, flags)):
        return _at_tables(tables, flags.seed)
    choice = Choice(profile=flags.base, tier=tier or TIERS[0])
    path = Path(corpus or CORPUS)
    found = of_corpus(path, choice) if path.is_dir() else of_files([path], choice)
    if wrong := (*found.unreadable, *found.short):
        raise Malformed("; ".join(wrong[:3]), "")
    source = ("--tier", TIERS[-1]) if tier else ("--corpus", corpus) if corpus else ()
    return _of_selection(found, _necessary(path), source)


def _tables(declared: tuple[TableObject, ...], flags: TableFlags) -> tuple[Table, ...]:
    """The tables that are named, or else declared; a seed alone is that of either."""
    if not flags.names_table and declared:
        return tables_of(declared)
    return (flags.table(),) if flags.given else ()


def _at_tables(tables: Iterable[Table], seed: int) -> Chosen:
    whole = Chosen([], {}, {})
    for table in tables:
        found = case_set(table, seed)
        source = TableFigures(table=table, seed=seed).flags
        about = {name: [*clauses] for name, clauses in found.shows.items()}
        chosen = _of_selection(Selection(found.lines), about, source)
        whole.lines.extend(line for line in chosen.lines if line.id not in whole.source)
        for clause, lines in chosen.clauses.items():
            whole.clauses.setdefault(clause, []).extend(lines)
        whole.source.update(chosen.source)
    return whole


def _of_selection(
    found: Selection, about: dict[str, list[str]], source: tuple[str, ...]
) -> Chosen:
    lines = [line for line in found.lines if not line.retired]
    clauses: dict[str, list[Selected]] = {}
    for line in lines:
        for clause in about.get(line.id) or _clauses_in(json.loads(line.data)):
            clauses.setdefault(harmless(clause), []).append(line)
    in_order = sorted(clauses.items(), key=lambda pair: order_of(pair[0]))
    return Chosen(
        lines, dict(in_order), dict.fromkeys((one.id for one in lines), source)
    )


def _necessary(path: Path) -> dict[str, list[str]]:
    """For each trace of a corpus, the clauses for which it is necessary."""
    index = path / "index.jsonl"
    if not index.exists():
        return {}
    entries = [json.loads(line) for line in index.read_text("utf-8").splitlines()]
    return {entry["id"]: entry.get("necessary", []) for entry in entries}


def _clauses_in(value: Any) -> set[str]:
    """The clauses that the refusals of a trace name."""
    if isinstance(value, list):
        return {clause for one in value for clause in _clauses_in(one)}
    if not isinstance(value, dict):
        return set()
    found = {*value.get("clauses", ()), *value.get("breaks", ())}
    return found.union(*(_clauses_in(one) for one in value.values()))
