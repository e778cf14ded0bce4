"""Choose the games that the pytest tests play.

They are either the games of one or more tables or those of the published corpus. This
module is imported only if an adapter is given.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Final

import attrs

from refengine.errors import Malformed, harmless, more_unreadable
from refengine.formats.protocol import TableObject
from refengine.formats.trace import read_trace
from refengine_conformance.runner.blame import order_of
from refengine_conformance.runner.runs import UNNAMED
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
    """The games that each test plays, and the options that select each game again.

    `tests` maps the name of each test to its lines, each of which is a game. `source`
    maps the id of a line to the options with which `conform run` selects the table or
    the corpus of that line.
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
    """Choose the games that these options select; `tier` and `corpus` may be empty.

    If no options are given, they are the games of the tables `declared` in `hello` or,
    if there are none, of the published corpus. In every case, the games that need one
    of these `capabilities` are added. If `by_clause` is true, the games that concern no
    clause form one test, which is called `unnamed` and comes last. Raises Malformed for
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
    """The table that the flags describe, or else the tables that are declared.

    A seed alone does not describe a table. If only a seed is given and no table is
    declared, the result is the default table.
    """
    if flags.names_table or (flags.given and not declared):
        return (flags.table(),)
    return tables_of(declared)


def _at_table(table: Table, seed: int) -> _Games:
    """The games of a table, each with the clauses whose omission it would reveal."""
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

    An empty `profile`, `tier` or `corpus` counts as not given. Raises Malformed if a
    file or a line cannot be read, or if the corpus lacks games that it promises.
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
    """The clauses that need this line, or else all clauses that the line names.

    A mini-deal names no clauses, so only those that need it are returned.
    """
    if line.necessary or line.mini:
        return line.necessary
    if opening := line.opening:
        return opening.clauses
    return clauses_named(read_trace(line.data))
