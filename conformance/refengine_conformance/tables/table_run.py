"""Runs an adapter on the games of a table, and works out which clauses were tested."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Final

import attrs
import msgspec
from msgspec import UNSET, UnsetType

from refengine.formats.protocol import CAPABILITIES, TableObject
from refengine.formats.trace import Trace, read_trace
from refengine_conformance.runner.declared import why_not_able
from refengine_conformance.runner.driver import CannotRunError
from refengine_conformance.runner.fault_dictionary import OBSERVE, kinds_answered
from refengine_conformance.runner.known_failures import Entry
from refengine_conformance.runner.results import (
    LOST,
    SCORED,
    Case,
    EngineCard,
    Outcome,
    not_declared,
)
from refengine_conformance.runner.runner import Settings, run, tell_nobody
from refengine_conformance.runner.runs import Cause, Run
from refengine_conformance.runner.selection import (
    TOLD,
    Choice,
    Selected,
    Selection,
    clauses_named,
)
from refengine_conformance.runner.table import STARTS, Table, tables_of
from refengine_conformance.runner.table_figures import Offer, TableFigures
from refengine_conformance.tables.askable import (
    Askable,
    Shows,
    askable,
    clauses_asked,
    fields_told,
    observed_fields,
    why_not_asked_about,
)
from refengine_conformance.tables.case_set import MOST_SHAPES, CaseSet, case_set
from refengine_conformance.tables.corpus_lines import corpus_lines
from refengine_conformance.tables.flags import SEED
from refengine_conformance.tables.told_games import told_games

_NEED_OF_START: Final = {
    "position": "setup.position",
    "match": "match",
    "match-dealer": "match",
}
"""The capability that an engine needs for a way to begin a game, if it needs one."""


def select_games(games: CaseSet, choice: Choice) -> Selection:
    """The games of a set that the choice selects.

    The selection's `beside` makes the further games that ask what information each seat
    is given; they are for adapters with the capability `events`.
    """
    return Selection(
        tuple(
            line
            for line in games.lines
            if choice.takes(line.id, "", _clauses_of(line, games.shows, choice))
        ),
        beside={"events": partial(_on_what_is_told, games, choice)},
    )


def _on_what_is_told(games: CaseSet, choice: Choice) -> tuple[Selected, ...]:
    """The games that ask what each seat is told, if the choice takes them."""
    return tuple(
        line for line in told_games(games.lines) if choice.takes(line.id, "", (TOLD,))
    )


def _clauses_of(line: Selected, shows: Shows, choice: Choice) -> set[str]:
    """The clauses that a game tests or names; empty unless the choice is by clause."""
    if not choice.clause:
        return set()
    named = set() if line.mini else clauses_named(read_trace(line.data))
    return named.union(shows.get(line.id, ()))


def without_others(
    known: tuple[Entry, ...], games: CaseSet, others: Iterable[CaseSet]
) -> tuple[Entry, ...]:
    """The known failures, except those in games that only the `others` contain."""
    elsewhere = {line.id for one in others for line in _all_games(one)}
    elsewhere -= {line.id for line in _all_games(games)}
    return tuple(one for one in known if one.id not in elsewhere)


class _Head(msgspec.Struct, frozen=True):
    """The fields that are read here from the head of a report."""

    table: TableObject | UnsetType = UNSET
    seed: int = SEED


@cache
def games_of_report(head: bytes) -> Mapping[str, bytes]:
    """The games of a run at a table, by id, made again from the head of its report.

    The mapping is empty if the run was not at a table or the head cannot be read.
    Raises Malformed for a table that does not exist.
    """
    try:
        read = msgspec.json.decode(head, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    if isinstance(read.table, UnsetType):
        return {}
    return {
        line.id: line.data
        for table in tables_of([read.table])
        for line in _all_games(case_set(table, read.seed))
    }


def _all_games(games: CaseSet) -> tuple[Selected, ...]:
    """The games of a set, and those that ask what information each seat is given."""
    return (*games.lines, *told_games(games.lines))


def run_at_table(
    figures: TableFigures,
    games: CaseSet,
    selection: Selection,
    settings: Settings,
    chosen: dict[str, str] | None = None,
    known: tuple[Entry, ...] = (),
    advance: Callable[[int], None] = tell_nobody,
) -> Run:
    """A run of the selected games of a table, with its figures and the causes found.

    `figures` holds the table, the seed and the percentage wanted; the other figures are
    worked out from the run.
    """
    settings = attrs.evolve(settings, source=figures.flags)
    made = run(selection, settings, chosen, known, advance=advance)
    made = attrs.evolve(made, at_table=_counted(figures, games, made))
    return attrs.evolve(made, causes=_carried_over(made, selection, settings))


_RUN_AGAIN: Final = 3  # games of a group of failures
_BEGINS_ANEW: Final = "3.11"  # the clause by which nothing is carried over


def _carried_over(
    made: Run, selection: Selection, settings: Settings
) -> dict[str, Cause]:
    """The causes of the run's failures, with one more for failures that do not recur.

    At most three games of each group of failures are run again, each with a fresh
    adapter. If all of them come out right, the cause is taken to be something carried
    over from earlier games (3.11).
    """
    causes = dict(made.causes)
    by_id = {line.id: line for line in selection.lines}
    for group in made.groups:
        if group.outcome in LOST or group.clause == _BEGINS_ANEW:
            continue
        names = [name for name in group.lines if name in by_id and name not in causes]
        try:
            again = [
                run(Selection((by_id[name],)), attrs.evolve(settings, jobs=1))
                for name in names[:_RUN_AGAIN]
            ]
        except CannotRunError:
            continue
        if again and all(_is_right(one) for one in again):
            causes |= dict.fromkeys(names, Cause("", _BEGINS_ANEW))
    return causes


def _is_right(made: Run) -> bool:
    """Whether a run has a scored case and no failures."""
    return bool(made.scored) and not made.groups


def _counted(figures: TableFigures, games: CaseSet, made: Run) -> TableFigures:
    """The figures, completed with the clauses that the run tested and those it did not.

    If the adapter never said what it plays, only the funnel of the set is filled in.
    """
    figures = attrs.evolve(figures, funnel=games.funnel)
    if made.card is None:
        return figures
    shows = _shown_by_supported(games.shows, made.cases)
    can = askable(figures.table, made.card, shows)
    asked = clauses_asked(made.cases, games.shows, made.card)
    why_not = partial(
        why_not_asked_about,
        shows=games.shows,
        unreached=games.unreached,
        cases=made.cases,
    )
    offers = _Offers(
        table=figures.table,
        card=made.card,
        can=can,
        shows=games.shows,
        cases=made.cases,
    )
    return attrs.evolve(
        figures,
        alive=_alive(games.shows, made.cases),
        askable=can.clauses,
        asked=tuple(clause for clause in can.clauses if clause in asked),
        not_asked=tuple(
            (clause, why_not(clause)) for clause in can.clauses if clause not in asked
        ),
        left_out=tuple(can.left_out.items()),
        offers=(*offers.starts(), *offers.capabilities()),
        untold=_untold(made.card, can, asked, shows, made.cases),
    )


def _shown_by_supported(
    shows: Shows, cases: tuple[Case, ...], more: Collection[str] = ()
) -> Shows:
    """The entries of `shows` for games that the adapter supports or `more` names."""
    unsupported = _unsupported_games(cases).difference(more)
    return {name: one for name, one in shows.items() if name not in unsupported}


def _unsupported_games(cases: tuple[Case, ...]) -> set[str]:
    """The ids of the games in which the adapter supports no case."""
    unsupported: set[str] = set()
    others: set[str] = set()
    for case in cases:
        games = unsupported if case.outcome is Outcome.UNSUPPORTED else others
        games.add(case.trace)
    return unsupported - others


def _alive(shows: Shows, cases: tuple[Case, ...]) -> tuple[str, ...]:
    """The clauses that the adapter is known to apply.

    Each is tested by some right answer in a game to which it gave no wrong answer.
    """
    failed = LOST | {Outcome.FAIL, Outcome.KNOWN}
    wrong = {case.trace for case in cases if case.outcome in failed}
    right = {
        (case.trace, kind)
        for case in cases
        if case.outcome is Outcome.PASS
        for kind in kinds_answered(case)
    }
    return tuple(
        sorted(
            {
                clause
                for name, by_clause in shows.items()
                for clause, kinds in by_clause.items()
                if name not in wrong and any((name, kind) in right for kind in kinds)
            }
        )
    )


def _untold(
    card: EngineCard,
    can: Askable,
    asked: Collection[str],
    shows: Shows,
    cases: tuple[Case, ...],
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Observed fields that the adapter never returned, each with clauses it would test.

    Only games with a scored `observe` case count. The field that would test the most
    clauses comes first, then the field that would test the most of the remaining
    clauses, and so on; each clause is listed only once.
    """
    if not card.can(OBSERVE):
        return ()
    observed = [
        case for case in cases if case.kind == OBSERVE and case.outcome in SCORED
    ]
    told = fields_told(observed)
    would: dict[str, frozenset[str]] = {}
    for name in {case.trace for case in observed} & shows.keys():
        for clause, kinds in shows[name].items():
            if clause in can.clauses and clause not in asked:
                for field in observed_fields(kinds) - told:
                    would[field] = would.get(field, frozenset()) | {clause}
    return _most_first(would, can.clauses)


def _most_first(
    would: Mapping[str, frozenset[str]], clauses: Iterable[str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The fields, each with those of its clauses that no field before it has.

    The field with the most of them comes next. The clauses of a field are in the order
    of `clauses`.
    """
    untold = []
    left = dict(would)
    while any(left.values()):
        field = max(sorted(left), key=lambda name: len(left[name]))
        shown = left.pop(field)
        untold.append((field, tuple(one for one in clauses if one in shown)))
        left = {name: others - shown for name, others in left.items()}
    return tuple(untold)


# What could also be declared


@attrs.frozen(kw_only=True)
class _Offers:
    """What an adapter could also declare so that a run would test more clauses.

    `can` are the clauses that can be tested with what the `card` declares. `shows` says
    what every game of the set can test, and `cases` are those of the run.
    """

    table: Table
    card: EngineCard
    can: Askable
    shows: Shows
    cases: tuple[Case, ...]

    def starts(self) -> Iterator[Offer]:
        """The starts that would allow more clauses to be tested, with what they need.

        Games that begin in such a way would be dealt anew for the table, at most
        `MOST_SHAPES`. A start is not offered if no game that begins that way can have
        hands of the table's size.
        """
        for start in STARTS:
            wider = attrs.evolve(self.table, starts=(*self.table.starts, start))
            if start in self.table.starts or start not in wider.possible_starts:
                continue
            need = _NEED_OF_START.get(start, "")
            lacking = "" if self.card.can(need) else need
            also = f", capability {lacking}" if lacking else ""
            clauses = self._added_clauses(wider, lacking)
            games = sum(
                line.begins == start and isinstance(line.read, Trace)
                for line in corpus_lines()
            )
            if clauses and games:
                yield Offer(f"starts {start}{also}", min(games, MOST_SHAPES), clauses)

    def capabilities(self) -> Iterator[Offer]:
        """The undeclared capabilities that would allow more clauses to be tested."""
        for capability in CAPABILITIES:
            if self.card.can(capability):
                continue
            games = self._games_lacking(capability)
            if games and (clauses := self._added_clauses(self.table, capability)):
                yield Offer(capability, len(games), clauses)

    def _added_clauses(self, table: Table, capability: str) -> tuple[str, ...]:
        """The clauses that could be tested, besides `can`, with this declared as well.

        `table` is the table that the adapter would declare, and `capability` the
        capability, or empty for none.
        """
        card, games = self.card, frozenset[str]()
        if capability:
            able = (*card.capabilities, capability)
            card = attrs.evolve(card, capabilities=able)
            games = self._games_lacking(capability)
        shown = _shown_by_supported(self.shows, self.cases, games)
        could = askable(table, card, shown).clauses
        return tuple(clause for clause in could if clause not in self.can.clauses)

    def _games_lacking(self, capability: str) -> frozenset[str]:
        """The ids of games with a case left out only for lack of this capability."""
        notes = (why_not_able(self.card, (capability,)), not_declared(capability))
        return frozenset(
            case.trace
            for case in self.cases
            if case.outcome is Outcome.UNSUPPORTED and case.note in notes
        )
