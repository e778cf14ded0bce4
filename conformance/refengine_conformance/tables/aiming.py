"""Aimed games: for a table, the games in which its clauses decide something.

Candidates are made by the hundred and looked through for the moments they come to; a
choice of them covers every moment, a plain game before any other. Then each clause is
switched off in turn: a game in which an expectation then fails needs the clause. What
still lacks such a game is looked for among more candidates, with acts of every kind
tried. The search is bounded by the number of candidates, never by the clock, and gives
the same lines everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any, Final

import attrs

from refengine.formats.trace import Trace, read_trace, write_trace
from refengine_conformance.corpus_tools import evidence
from refengine_conformance.corpus_tools.evidence import OFF
from refengine_conformance.corpus_tools.shown import kinds_shown
from refengine_conformance.generators.strategies import recorded
from refengine_conformance.mutants import loading
from refengine_conformance.mutants.designed import designed_mutants
from refengine_conformance.mutants.operators import variants_of_module
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.built_ends import (
    VARIANTS,
    ends_shown,
    with_variant,
)
from refengine_conformance.tables.candidates import (
    WHOLE_MATCHES,
    Candidate,
    candidate,
    whole_match,
)
from refengine_conformance.tables.disputes import (
    DISPUTES,
    disputed,
    disputes_of,
    is_plain_dispute,
    places_told,
)
from refengine_conformance.tables.moments import (
    BONUS_TURNS,
    ENDS,
    GONE,
    REVOKES,
    TURNS,
    UNCLAIMED,
    WHOLE,
    WHOLE_TIED,
)
from refengine_conformance.tables.mutant_trials import table_with_fields
from refengine_conformance.tables.slim_lines import slim_line
from refengine_conformance.tables.sparing_draws import with_sparing_draws

LOOKED_THROUGH: Final = 252
LOOKED_FOR: Final = 80
_CHUNK: Final = 15
_SOME: Final = 40
_WITNESSES: Final = 2
_WHEN_ASKED: Final = ("9.5",)  # worked out for who looks, so that it does not fire
_OCCURRENCES: Final = 3  # games with each moment, where there are that many
_WHOLE: Final = 1_000_000  # from here on the numbers are those of whole matches
SPARING: Final = 1_500_000  # those of deals with sparing draws
_BUILT: Final = 2_000_000  # and from here on those of deals with other totals
_DISPUTED: Final = 1_000_000_000  # and of those with a correction or a claim more
_OF_REVOKES: Final = "7."
_VARIED: Final = range(0, LOOKED_THROUGH, 4)  # candidates that are given other totals
_OF_SCORES: Final = ("score", "match")  # the modules that decide how a deal ends

_OTHERS: Final = (
    (range(_WHOLE, _WHOLE + WHOLE_MATCHES), 1, "9."),
    (range(SPARING, SPARING + LOOKED_THROUGH), 2, "6."),
)
"""Candidates of other sorts: which, how many with each moment that no other game comes
to (a match is long), and the chapter whose clauses they may need."""


# In a worker: everything goes in and out as plain values

_Sight = tuple[int, bool, tuple[str, ...]]


def _candidate(
    table: Table, seed: int, number: int, tried: bool = True
) -> Candidate | None:
    if number < _WHOLE:
        return candidate(table, seed, number, tried)
    if number < SPARING:
        return whole_match(table, seed, number - _WHOLE)
    if number < _BUILT:
        return with_sparing_draws(table, seed, number - SPARING)
    if number < _DISPUTED:
        found, variant = divmod(number - _BUILT, VARIANTS)
        return with_variant(table, seed, found, variant, tried)
    return disputed(table, seed, *divmod(number - _DISPUTED, DISPUTES))


def sights(task: tuple[dict[str, Any], int, int, int]) -> list[_Sight]:
    """The moments that these candidates come to: number, whether plain, moments."""
    fields, seed, start, stop = task
    table = table_with_fields(fields)
    found = []
    for number in range(start, stop):
        one = _candidate(table, seed, number, tried=False)
        if one is not None:
            found.append((number, one.plain, tuple(one.moments)))
    return found


def kills(
    task: tuple[dict[str, Any], int, int, tuple[str, ...]],
) -> tuple[int, bool, dict[str, tuple[str, bool]]]:
    """What a candidate kills of these mutants, at which place, and whether by more.

    By more than the clauses that are named, that is: an engine that names none shows it
    too.
    """
    fields, seed, number, names = task
    one = _candidate(table_with_fields(fields), seed, number)
    if one is None:
        return number, False, {}
    trace = recorded(one.script)
    fired = evidence.fires(trace).fired
    return number, one.plain, _places(trace, _worth_trying(names, fired))


def _worth_trying(names: Iterable[str], fired: set[str]) -> list[str]:
    """Of the mutants that switch a clause off, those whose clause is asked for."""
    worth = {f"{OFF}{clause}" for clause in (*fired, *_WHEN_ASKED)}
    return [name for name in names if name in worth]


def _places(trace: Trace, names: Iterable[str]) -> dict[str, tuple[str, bool]]:
    """Where each of these mutants first goes wrong, if it does, and whether by more."""
    found = {}
    for name in names:
        if not evidence.may_matter(name, trace):
            continue
        with loading.run_as_mutant(name):
            cited = evidence.first_divergence(trace)
            place = cited and evidence.first_divergence(trace, cited=False)
        if cited:
            found[name] = (place or cited, bool(place))
    return found


def ends(
    task: tuple[dict[str, Any], int, int, tuple[str, ...]],
) -> list[tuple[int, list[str]]]:
    """The mutants that come to another end, by the number of a game that shows it.

    The games are those of a candidate with other totals before it.
    """
    fields, seed, number, names = task
    shown = ends_shown(table_with_fields(fields), seed, number, names)
    return [(number_of_variant(number, one), mutants) for one, mutants in shown]


def disputes(task: tuple[dict[str, Any], int, int]) -> list[_Sight]:
    """The corrections and claims that this candidate could have, as sights."""
    fields, seed, number = task
    table = table_with_fields(fields)
    found = []
    for dispute, met in disputes_of(table, seed, number):
        plain = is_plain_dispute(table, number, dispute)
        found.append((number_of_dispute(number, dispute), plain, met))
    return found


def number_of_variant(number: int, variant: int) -> int:
    """The number among all candidates of one of them with other totals before it."""
    return _BUILT + number * VARIANTS + variant


def number_of_dispute(number: int, dispute: int) -> int:
    """The number among all candidates of a dispute of one of them."""
    return _DISPUTED + number * DISPUTES + dispute


def aimed_line(
    task: tuple[dict[str, Any], int, int, dict[str, str], tuple[str, ...]],
) -> tuple[str, str, dict[str, tuple[str, ...]], tuple[str, ...], bool]:
    """A candidate as a slim line: id, line, what shows each mutant, moments, plain.

    The task ends with the place at which each mutant goes wrong, and with the mutants
    that are put to the judge of the runner.
    """
    fields, seed, number, places, checked = task
    one = _candidate(table_with_fields(fields), seed, number)
    assert one is not None
    moments = one.moments
    told = places_told(one.script) if number >= _DISPUTED else ()
    slim = slim_line(recorded(one.script), (*places.values(), *told), moments)
    slim = attrs.evolve(slim, name="; ".join(list(moments)[:3]))
    line = write_trace(slim)
    trace = read_trace(line)
    shows = {name: kinds for name in checked if (kinds := kinds_shown(trace, name))}
    return trace.id, line.decode(), shows, tuple(moments), one.plain


# The choice


def covering_candidates(
    seen: Sequence[_Sight], occurrences: int = _OCCURRENCES, kept: Sequence[int] = ()
) -> list[int]:
    """A choice of candidates in which every moment occurs, where there are any.

    Each moment occurs in a plain game if it does in any, and in several if it can. What
    occurs in the candidates that are `kept` need not occur again; they are no part of
    the choice.
    """
    missing: dict[tuple[str, str], int] = {}
    worth: dict[int, list[tuple[str, str]]] = {}
    for number, plain, moments in seen:
        cells = [(name, "any") for name in moments]
        cells += [(name, "plain") for name in moments if plain]
        worth[number] = cells
        for cell in cells:
            most = occurrences if cell[1] == "any" else 1
            missing[cell] = min(missing.get(cell, 0) + 1, most)
    chosen: list[int] = []

    def take(one: int) -> None:
        for cell in worth.pop(one):
            if cell in missing:
                missing[cell] -= 1
                if not missing[cell]:
                    del missing[cell]

    for one in kept:
        take(one)
    while missing:
        best = max(
            worth, key=lambda one: (sum(cell in missing for cell in worth[one]), -one)
        )
        chosen.append(best)
        take(best)
    return sorted(chosen)


@attrs.define
class _Witnesses:
    """Which candidates kill which mutants, and where."""

    plain: dict[int, bool] = attrs.field(factory=dict)
    places: dict[int, dict[str, tuple[str, bool]]] = attrs.field(factory=dict)

    def add(self, found: tuple[int, bool, dict[str, tuple[str, bool]]]) -> None:
        """Add what was found out about a candidate."""
        number, plain, places = found
        self.plain[number] = plain
        self.places[number] = places

    def of(self, name: str) -> list[int]:
        """The candidates that kill a mutant, the best of them first.

        First come those that kill by more than the clauses named, then plain games,
        then early ones.
        """
        killers = [one for one, places in self.places.items() if name in places]
        return sorted(
            killers,
            key=lambda one: (not self.places[one][name][1], not self.plain[one], one),
        )

    def lacks(self, name: str, best: bool) -> bool:
        """Whether a mutant needs more witnesses; the best kind of them, if asked."""
        killers = self.of(name)
        if not best:
            return len(killers) < _WITNESSES
        good = [one for one in killers if self.places[one][name][1]]
        return len(good) < _WITNESSES or not any(self.plain[one] for one in good)


def search(
    pool: Executor, fields: dict[str, Any], clauses: Sequence[str], seed: int
) -> dict[str, Any]:
    """The aimed games of the table with these fields, as plain values.

    `clauses` are those looked for; the workers of the pool have the engine from source.
    How many there are does not change the result.
    """
    names = [f"{OFF}{clause}" for clause in clauses]
    chunks = [
        (fields, seed, start, start + _CHUNK)
        for start in range(0, LOOKED_THROUGH, _CHUNK)
    ]
    seen = [one for some in pool.map(sights, chunks) for one in some]
    chosen = covering_candidates(seen)
    witnesses = _Witnesses()

    def ask(numbers: Iterable[int], mutants: Iterable[str]) -> None:
        some = tuple(mutants)
        for found in pool.map(kills, [(fields, seed, one, some) for one in numbers]):
            witnesses.add(found)

    def of_chapter(chapter: str) -> list[str]:
        return [name for name in names if name.startswith(OFF + chapter)]

    ask(chosen, names)
    for numbers, occurrences, chapter in _OTHERS:
        others = _others(pool, fields, seed, seen, numbers)
        more = covering_candidates(others, occurrences)
        ask(more, of_chapter(chapter))
        chosen += more
        seen += others
    built = _built_ends(pool, fields, clauses, seed, chosen)
    ask(built, names)
    in_dispute = _disputed(pool, fields, seed)
    ask(in_dispute, of_chapter(_OF_REVOKES))
    chosen += built + in_dispute
    for found in _looked_for(pool, fields, seed, names, witnesses):
        witnesses.add(found)
    return _lines(pool, fields, seed, names, chosen, witnesses, seen)


def _others(
    pool: Executor,
    fields: dict[str, Any],
    seed: int,
    seen: Sequence[_Sight],
    numbers: Sequence[int],
) -> list[_Sight]:
    """The candidates with these numbers, with the moments new to those `seen`."""
    tasks = [(fields, seed, number, number + 1) for number in numbers]
    met = {name for _, _, moments in seen for name in moments}
    return [
        (number, plain, tuple(name for name in moments if name not in met))
        for some in pool.map(sights, tasks)
        for number, plain, moments in some
    ]


def _built_ends(
    pool: Executor,
    fields: dict[str, Any],
    clauses: Sequence[str],
    seed: int,
    chosen: Sequence[int],
) -> list[int]:
    """Deals whose totals show what no game chosen so far does."""
    names = _mutants_of_ends(clauses)
    numbers = sorted({*_VARIED, *(one for one in chosen if one < _WHOLE)})
    tasks = [(fields, seed, number, names) for number in numbers]
    shown = [one for some in pool.map(ends, tasks) for one in some]
    cells = [(number, False, tuple(mutants)) for number, mutants in shown]
    as_they_are = {number_of_variant(one, 0) for one in chosen if one < _WHOLE}
    kept = [number for number, _ in shown if number in as_they_are]
    rest = [one for one in cells if one[0] % VARIANTS or one[0] in kept]
    return covering_candidates(rest, 1, kept)


def _disputed(pool: Executor, fields: dict[str, Any], seed: int) -> list[int]:
    """Games that between them meet everything a correction or a claim can meet."""
    if not table_with_fields(fields).ruleset.rules.revokes_penalised:
        return []
    tasks = [(fields, seed, number) for number in range(LOOKED_THROUGH)]
    found = [one for some in pool.map(disputes, tasks) for one in some]
    return covering_candidates(found, 1)


def _mutants_of_ends(clauses: Sequence[str]) -> tuple[str, ...]:
    """The mutants of what decides the score and the match, for these clauses."""
    here = {*clauses}
    designed = [
        one
        for one in designed_mutants()
        if {*one.clauses} & here
        and all(edit.function.split(".")[0] in _OF_SCORES for edit in one.edits)
    ]
    misread = [
        one
        for module in _OF_SCORES
        for one in variants_of_module(module)
        if {*one.clauses} & here
    ]
    return tuple(one.id for one in (*designed, *misread))


def _looked_for(
    pool: Executor,
    fields: dict[str, Any],
    seed: int,
    names: Sequence[str],
    witnesses: _Witnesses,
) -> Iterator[tuple[int, bool, dict[str, tuple[str, bool]]]]:
    """More candidates, for the mutants that no game so far is enough for."""
    numbers = range(LOOKED_THROUGH, LOOKED_THROUGH + LOOKED_FOR)
    for start in range(0, len(numbers), _SOME):
        # What no plain game has shown by then, such as a limit, none will show.
        best = start < _SOME
        missing = tuple(name for name in names if witnesses.lacks(name, best))
        if not missing:
            return
        some = numbers[start : start + _SOME]
        yield from pool.map(kills, [(fields, seed, one, missing) for one in some])


def _lines(
    pool: Executor,
    fields: dict[str, Any],
    seed: int,
    names: Sequence[str],
    chosen: Sequence[int],
    witnesses: _Witnesses,
    seen: Sequence[_Sight],
) -> dict[str, Any]:
    checked: dict[int, list[str]] = {number: [] for number in chosen}
    for name in names:
        for number in _enough(witnesses, name):
            checked.setdefault(number, []).append(name)
    tasks = []
    for number in sorted(checked):
        places = {name: place for name, (place, _) in witnesses.places[number].items()}
        tasks.append((fields, seed, number, places, tuple(checked[number])))
    lines: dict[str, dict[str, Any]] = {}
    for name, line, shows, moments, plain in pool.map(aimed_line, tasks):
        lines[name] = {
            "line": line,
            "shows": {
                mutant.removeprefix(OFF): kinds for mutant, kinds in shows.items()
            },
            "moments": moments,
            "plain": plain,
        }
    shown = {clause for one in lines.values() for clause in one["shows"]}
    clauses = [name.removeprefix(OFF) for name in names]
    met = {name for _, _, moments in seen for name in moments}
    return {
        "lines": [{"id": name, **one} for name, one in lines.items()],
        "unreached": {
            clause: f"none of {LOOKED_THROUGH + LOOKED_FOR} games built for this table "
            "needs it"
            for clause in clauses
            if clause not in shown
        },
        "unseen": [name for name in _all_moments(fields) if name not in met],
    }


def _all_moments(fields: dict[str, Any]) -> tuple[str, ...]:
    table = table_with_fields(fields)
    rules = table.ruleset.rules
    found = (*TURNS, *ENDS)
    if rules.bonus_card:
        found += (*BONUS_TURNS,)
    if any(kind.startswith("match") for kind in table.starts):
        found += (WHOLE, WHOLE_TIED)
    if rules.revokes_penalised:
        found += (*REVOKES.values(), UNCLAIMED, GONE)
    return found


def _enough(witnesses: _Witnesses, name: str) -> list[int]:
    """Witnesses for a mutant: the best, and one of another sort if there is one."""
    found = witnesses.of(name)
    first = found[:_WITNESSES]
    others = [one for one in found if not witnesses.plain[one]]
    return list(dict.fromkeys([*first, *others[:1]]))
