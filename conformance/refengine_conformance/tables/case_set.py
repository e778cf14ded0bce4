"""The games put to an engine at a table: aimed games, and games of the corpus.

A game of the corpus that the table admits is used under the table's ruleset if the
options that differ do not matter in it; some of the other games are dealt anew. The
games depend on the table, the seed and the corpus alone, and are the same on every
machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
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
    what_ruleset_lacks,
)
from refengine_conformance.tables.corpus_lines import (
    CorpusLine,
    corpus_lines,
    kinds_that_show,
)
from refengine_conformance.tables.no_such_game import has_no_such_game
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

_Shows = dict[str, dict[str, frozenset[str]]]
"""`Shows`, while they are being collected."""


@attrs.frozen(kw_only=True)
class CaseSet:
    """The lines to put to an engine, in order, and the clauses that each can test.

    `shows` gives, for a line and a clause, the kinds of case that fail without the
    clause; `unreached` maps each clause for which no game was found to the reason in
    words. `funnel` lists how many games there are in the corpus, how many of them
    cannot be used as they are, for each reason, and how many games are put to an
    engine, for each source.
    """

    lines: tuple[Selected, ...]
    shows: Shows
    unreached: Mapping[str, str]
    funnel: tuple[tuple[str, int], ...]


@attrs.frozen
class _Part:
    """The lines from one source, with the clauses that each can test."""

    lines: tuple[Selected, ...]
    shows: Shows = attrs.field(factory=dict)
    unreached: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class _OfCorpus:
    """The games of the corpus, sorted by whether they can be used at a table.

    The `fitting` games can be used as they are, and the `shapes` can be dealt anew.
    `away` maps each reason why games cannot be used as they are to the number of such
    games.
    """

    fitting: _Part
    shapes: list[CorpusLine]
    away: Mapping[str, int]


def case_set(table: Table, seed: int) -> CaseSet:
    """The games for a table, in a fixed order, and the clauses that each can test."""
    aimed = _aimed(table, seed)
    of_corpus = _of_corpus(table)
    fitting = of_corpus.fitting
    anew = _anew(table, of_corpus.shapes, seed)
    parts = (aimed, fitting, anew)
    lines = {line.id: line for part in parts for line in part.lines}
    shows: _Shows = {}
    for part in parts:
        for line, shown in part.shows.items():
            _add_shown(shows, line, shown.items())
    funnel = {GAMES: len(corpus_lines())}
    funnel |= {_AWAY[why]: number for why, number in of_corpus.away.items()}
    funnel |= {FIT: len(fitting.lines), ANEW: len(anew.lines), AIMED: len(aimed.lines)}
    return CaseSet(
        lines=tuple(lines.values()),
        shows=shows,
        unreached=aimed.unreached,
        funnel=tuple(funnel.items()),
    )


def _add_shown(
    shows: _Shows, line: str, shown: Iterable[tuple[str, frozenset[str]]]
) -> None:
    """Add to `shows` the clauses that a line shows, with the kinds of case.

    Clauses and kinds already there are kept: two sources may yield the same line, but
    show different clauses.
    """
    of_line = shows.setdefault(line, {})
    for clause, kinds in shown:
        of_line[clause] = of_line.get(clause, frozenset()) | kinds


def _aimed(table: Table, seed: int) -> _Part:
    """The games built for the table so that some clause makes a difference in each."""
    aimed = aimed_set(table, clauses_of_table(table), seed)
    return _Part(
        tuple(Selected(game.id, game.line) for game in aimed.lines),
        {game.id: game.shows for game in aimed.lines},
        aimed.unreached,
    )


# Games of the corpus as they are


def _of_corpus(table: Table) -> _OfCorpus:
    """The games of the corpus that fit the table, and what keeps the others away."""
    away = Counter(dict.fromkeys(_AWAY, 0))
    lines: dict[str, Selected] = {}
    shows: _Shows = {}
    shapes: list[CorpusLine] = []
    for line in corpus_lines():
        why = _why_away(table, line)
        written = None if why else _rewritten(table, line)
        if written is not None:
            lines[written.id] = written
            _add_shown(shows, written.id, _shown(table, line))
            continue
        away[why or "options"] += 1
        if line.begins in table.starts and not isinstance(line.read, Mini):
            shapes.append(line)
    return _OfCorpus(_Part(tuple(lines.values()), shows), shapes, away)


def _why_away(table: Table, line: CorpusLine) -> str:
    """The reason, apart from options, that keeps a game from the table, or ""."""
    if line.ruleset.players != table.ruleset.players:
        return "players"
    if isinstance(line.read, Mini) and table.whole:
        return "pack"
    return table.why_not(line.start)


def _rewritten(table: Table, line: CorpusLine) -> Selected | None:
    """The line under the table's ruleset, or None if the line does not hold there."""
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
    """The line of a mini-deal under its new ruleset, or None if its counts change.

    Raises Malformed if the mini-deal cannot begin or be counted, or has more games now.
    """
    assert mini.counted is not None
    written = write_mini(mini, max([1, *mini.counted["plies"]]))
    made = read_mini(written)
    return Selected(made.id, written) if made.counted == mini.counted else None


def _shown(table: Table, line: CorpusLine) -> Iterator[tuple[str, frozenset[str]]]:
    """The clauses that a corpus line shows at the table, with the kinds of case."""
    for clause in line.necessary:
        kinds = kinds_that_show(clause, line.id)
        nothing = (
            is_empty(clause, table.ruleset)
            or what_ruleset_lacks(clause, table.ruleset)
            or has_no_such_game(clause, table)
        )
        if kinds and not nothing:
            yield clause, kinds


# Games of the corpus dealt anew


def _anew(table: Table, shapes: list[CorpusLine], seed: int) -> _Part:
    """At most `MOST_SHAPES` games, each dealt anew in one of these shapes."""
    games: list[Trace] = []
    for shape in mixed(shapes, seed):
        if len(games) == MOST_SHAPES:
            break
        game = dealt_anew(table, shape, seed)
        if game is not None and game.steps:
            games.append(game)
    return _Part(tuple(Selected(trace_id(game), write_trace(game)) for game in games))
