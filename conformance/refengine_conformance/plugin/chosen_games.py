"""The games of the pytest tests: those of tables, or of the published corpus.

This module is imported only if an adapter is given.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Final

import attrs

from refengine.errors import Malformed, harmless, more_unreadable
from refengine.formats.protocol import TableObject
from refengine.formats.trace import read_trace
from refengine_conformance.runner.runs import UNNAMED, order_of
from refengine_conformance.runner.selection import (
    CORPUS,
    TIERS,
    Choice,
    Selected,
    Selection,
    beside_corpus,
    clauses_named,
    of_paths,
)
from refengine_conformance.runner.table import Table, tables_of
from refengine_conformance.runner.table_figures import TableFigures
from refengine_conformance.tables.case_set import case_set
from refengine_conformance.tables.table_run import select_games
from refengine_conformance.tables.typed_table import TableFlags

_TOLD: Final = 3  # how many unreadable lines are reported one by one


@attrs.frozen
class Chosen:
    """The lines of each test, by the test's name, and how to choose a line again.

    `source` maps the id of each line to the options of `conform run` that select the
    games to which the line belongs.
    """

    tests: dict[str, list[Selected]]
    source: dict[str, tuple[str, ...]]


_Games = tuple[Selection, tuple[str, ...]]
"""Lines, and the options of `conform run` that select them."""


def chosen_games(
    declared: tuple[TableObject, ...],
    capabilities: Collection[str],
    flags: TableFlags,
    tier: str,
    corpus: str,
    by_clause: bool,
) -> Chosen:
    """The games for the options that were given; `tier` and `corpus` may be empty.

    If no options are given, they are the games of the tables `declared` in `hello` or,
    if there are none, of the published corpus. In every case, the games that need one
    of these `capabilities` are added. If `by_clause` is true, the games about no clause
    are in one test, which is called `unnamed` and comes last. Raises Malformed for
    options that do not go together, for a table or a profile that does not exist, and
    for a corpus that cannot be read.
    """
    published = ""
    if tier or corpus:
        published = "--hearts-tier" if tier else "--hearts-corpus"
    flags.check_beside(published)
    if not published and (tables := _tables(declared, flags)):
        games = [_at_table(table, flags.seed) for table in tables]
    else:
        games = [_published(flags.base, tier, corpus)]
    tests: dict[str, dict[str, Selected]] = {}
    source: dict[str, tuple[str, ...]] = {}
    for selection, options in games:
        for line in selection.with_beside(capabilities).lines:
            if line.retired:
                continue
            source[line.id] = options
            for name in (_clauses(line) or (UNNAMED,)) if by_clause else (line.id,):
                tests.setdefault(harmless(name), {})[line.id] = line
    names = sorted(tests, key=order_of) if by_clause else tests
    return Chosen({name: [*tests[name].values()] for name in names}, source)


def _tables(declared: tuple[TableObject, ...], flags: TableFlags) -> tuple[Table, ...]:
    """The table that the flags name, or else the tables declared.

    A seed alone does not name a table; if no table is declared either, the seed goes
    with the usual table.
    """
    if flags.names_table or (flags.given and not declared):
        return (flags.table(),)
    return tables_of(declared)


def _at_table(table: Table, seed: int) -> _Games:
    """The games of a table, each with the clauses whose absence it would reveal."""
    found = case_set(table, seed)
    chosen = select_games(found, Choice())
    lines = tuple(
        attrs.evolve(line, necessary=tuple(found.shows.get(line.id, ())))
        for line in chosen.lines
    )
    flags = TableFigures(table=table, seed=seed).flags
    return attrs.evolve(chosen, lines=lines), flags


def _published(profile: str, tier: str, corpus: str) -> _Games:
    """The games of the published corpus, or of the folder or file `corpus`.

    An empty `profile`, `tier` or `corpus` counts as not given. Raises Malformed if
    anything cannot be read, or is missing from a corpus.
    """
    choice = Choice(profile=profile, tier=tier or TIERS[0])
    found, _ = of_paths([Path(corpus or CORPUS)], choice)
    wrong = [*found.unreadable[:_TOLD]]
    if len(found.unreadable) > _TOLD:
        wrong.append(more_unreadable(len(found.unreadable) - _TOLD))
    wrong += [f"promised but missing: {one}" for one in found.short]
    if wrong:
        raise Malformed("; ".join(wrong), "")
    options: list[str] = []
    if tier:
        options += ["--tier", TIERS[-1]]  # it includes the games of every tier
    if corpus:
        options += ["--corpus", corpus]
    beside = {} if corpus else beside_corpus(choice)
    return attrs.evolve(found, beside=beside), tuple(options)


def _clauses(line: Selected) -> Collection[str]:
    """The clauses for which a line is necessary, or else all that it names.

    A mini-deal names none.
    """
    if line.necessary or line.mini:
        return line.necessary
    if opening := line.opening:
        return opening.clauses
    return clauses_named(read_trace(line.data))
