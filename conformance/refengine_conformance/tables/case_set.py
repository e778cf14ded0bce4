"""The games that a table is asked: aimed, fitting in effect, and dealt anew.

They depend on the table, the seed and the corpus alone, and are the same on every
machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.minideals import Mini, read_mini, write_mini
from refengine.formats.trace import Trace, replay, trace_id, write_trace
from refengine_conformance.runner.selection import Selected
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.aimed_games import aimed_set
from refengine_conformance.tables.askable import (
    Shows,
    clauses_of_table,
    is_empty,
    why_without,
)
from refengine_conformance.tables.corpus_lines import (
    CorpusLine,
    corpus_lines,
    kinds_that_show,
)
from refengine_conformance.tables.shapes_dealt_anew import dealt_anew, mixed

MOST_SHAPES: Final = 40
GAMES: Final = "games of the corpus"
_AWAY: Final = {
    "players": "with another number of players",
    "start": "that begin in another way",
    "hand": "with other hands",
    "pack": "with another pack",
    "cards": "without a card that is needed",
    "options": "in which other options matter",
}
FIT: Final = "that fit as they are"
ANEW: Final = "dealt anew"
AIMED: Final = "aimed at a clause"


@attrs.frozen(kw_only=True)
class CaseSet:
    """The lines to be asked, in order, and what they are evidence for.

    `shows` has, for a line and a clause, what goes wrong without the clause;
    `unreached` the clauses for which no game was found, with the reason in words;
    `funnel` how many games there are, what keeps some away, and what was added.
    """

    lines: tuple[Selected, ...]
    shows: Shows
    unreached: Mapping[str, str]
    funnel: tuple[tuple[str, int], ...]


@attrs.frozen
class _Part:
    """One source of lines, with what these show."""

    lines: tuple[Selected, ...]
    shows: Shows = attrs.field(factory=dict)
    unreached: Mapping[str, str] = attrs.field(factory=dict)


def case_set(table: Table, seed: int) -> CaseSet:
    """The games for a table, in a fixed order, and what each of them shows."""
    aimed = _aimed(table, seed)
    away = Counter(dict.fromkeys(_AWAY, 0))
    fitting, shapes = _of_corpus(table, away)
    anew = _anew(table, shapes, seed)
    parts = (aimed, fitting, anew)
    lines = {line.id: line for part in parts for line in part.lines}
    shows: dict[str, Mapping[str, frozenset[str]]] = {}
    for part in reversed(parts):
        shows.update(part.shows)
    funnel = {GAMES: len(corpus_lines())}
    funnel |= {_AWAY[why]: number for why, number in away.items()}
    funnel |= {FIT: len(fitting.lines), ANEW: len(anew.lines), AIMED: len(aimed.lines)}
    return CaseSet(
        lines=tuple(lines.values()),
        shows=shows,
        unreached=aimed.unreached,
        funnel=tuple(funnel.items()),
    )


def _aimed(table: Table, seed: int) -> _Part:
    """Games built so that a clause decides in them."""
    found = aimed_set(table, clauses_of_table(table), seed)
    return _Part(
        tuple(Selected(one.id, one.line) for one in found.lines),
        {one.id: one.shows for one in found.lines},
        found.unreached,
    )


# Games of the corpus as they are


def _of_corpus(table: Table, away: Counter[str]) -> tuple[_Part, list[CorpusLine]]:
    """The games that fit in effect, and those whose shape can be used.

    `away` counts what keeps the others away, by the first thing that does.
    """
    lines: dict[str, Selected] = {}
    shows: dict[str, Mapping[str, frozenset[str]]] = {}
    shapes: list[CorpusLine] = []
    for line in corpus_lines():
        why = _why_away(table, line)
        written = None if why else _rewritten(table, line)
        if written is not None:
            lines[written.id] = written
            shows[written.id] = dict(_shown(table, line))
            continue
        away[why or "options"] += 1
        if line.begins in table.starts and not isinstance(line.read, Mini):
            shapes.append(line)
    return _Part(tuple(lines.values()), shows), shapes


def _why_away(table: Table, line: CorpusLine) -> str:
    """What keeps a game away, whatever the options do; else empty."""
    if line.ruleset.players != table.ruleset.players:
        return "players"
    if isinstance(line.read, Mini) and table.whole:
        return "pack"
    return table.why_not(line.start)


def _rewritten(table: Table, line: CorpusLine) -> Selected | None:
    """The line under the ruleset of the table; None if its options matter in it."""
    read = attrs.evolve(line.read, ruleset=table.ruleset, id="")
    try:
        if isinstance(read, Mini):
            return _counted_again(read)
        if replay(read):
            return None
        return Selected(trace_id(read), write_trace(read))
    except Malformed:
        return None


def _counted_again(mini: Mini) -> Selected | None:
    """The mini-deal under its new ruleset; None if its games are others.

    Raises Malformed if there are more of them.
    """
    assert mini.counted is not None
    written = write_mini(mini, max([1, *mini.counted["plies"]]))
    made = read_mini(written)
    return Selected(made.id, written) if made.counted == mini.counted else None


def _shown(table: Table, line: CorpusLine) -> Iterator[tuple[str, frozenset[str]]]:
    """The clauses that a line shows at the table as it does in the corpus."""
    for clause in line.necessary:
        kinds = kinds_that_show(clause, line.id)
        empty = is_empty(clause, table.ruleset) or why_without(clause, table.ruleset)
        if kinds and not empty:
            yield clause, kinds


# Games of the corpus dealt anew


def _anew(table: Table, shapes: list[CorpusLine], seed: int) -> _Part:
    found: list[Trace] = []
    for shape in mixed(shapes, seed):
        if len(found) == MOST_SHAPES:
            break
        made = dealt_anew(table, shape, seed)
        if made is not None and made.steps:
            found.append(made)
    return _Part(tuple(Selected(trace_id(one), write_trace(one)) for one in found))
