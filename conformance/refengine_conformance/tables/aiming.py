"""The search for aimed games: games at a table in which its clauses make a difference.

Hundreds of candidates are made, and the moments that each reaches are noted; some
candidates are then chosen so that every moment found is covered, plain games included
where there are any. Next, each clause is switched off in turn: if an expectation of a
game then fails, the game can test that clause. If too few games can test a clause, more
candidates are made, with acts of every kind tried in them. The search is limited by the
number of candidates, never by the clock, and gives the same lines on every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import repeat
from typing import Any, Final, NamedTuple, TypeVar

import attrs

from refengine.formats.trace import Trace, read_trace, write_trace
from refengine_conformance.corpus_tools import evidence
from refengine_conformance.corpus_tools.shown import kinds_shown
from refengine_conformance.generators.strategies import recorded
from refengine_conformance.mutants import loading
from refengine_conformance.mutants.designed import OFF, designed_mutants
from refengine_conformance.mutants.operators import variants_of_module
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.built_ends import VARIANTS, ends_shown, with_variant
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

LOOKED_THROUGH: Final = 252  # candidates searched for the moments they reach
LOOKED_FOR: Final = 80  # further candidates, for mutants that lack witnesses
_CHUNK: Final = 15  # candidates searched by one task; the last may search fewer
CHUNKS: Final = tuple(
    range(one, min(one + _CHUNK, LOOKED_THROUGH))
    for one in range(0, LOOKED_THROUGH, _CHUNK)
)
_SOME: Final = 40  # further candidates tried in one round
_WITNESSES: Final = 2  # games to show each clause, if there are enough
_WHEN_ASKED: Final = ("9.5",)  # worked out only on request
_OCCURRENCES: Final = 3  # games to reach each moment, if there are enough
_WHOLE: Final = 1_000_000  # from here on, the numbers of whole matches
SPARING: Final = 1_500_000  # from here on, of deals with sparing draws
_BUILT: Final = 2_000_000  # from here on, of deals with other totals
_DISPUTED: Final = 1_000_000_000  # from here on, of games with a correction or claim
_OF_REVOKES: Final = ("7.", "8.3b")
_VARIED: Final = range(0, LOOKED_THROUGH, 4)  # candidates given other totals
_OF_SCORES: Final = ("score", "match")  # the modules that decide how a deal ends

_Found = TypeVar("_Found")


@attrs.frozen(kw_only=True)
class _Sort:
    """A group of additional candidates, given by their numbers, and how they are used.

    `occurrences` is the number of games to choose for each moment that only these
    candidates reach. The games chosen are used to test the clauses of `chapter`.
    """

    numbers: range
    occurrences: int
    chapter: str


_OTHER_SORTS: Final = (
    _Sort(
        numbers=range(_WHOLE, _WHOLE + WHOLE_MATCHES),
        occurrences=1,  # a match is long
        chapter="9.",
    ),
    _Sort(
        numbers=range(SPARING, SPARING + LOOKED_THROUGH), occurrences=2, chapter="6."
    ),
)


# In a worker: everything goes in and out as plain values, some of them named tuples


class Sight(NamedTuple):
    """The number of a candidate, whether it is plain, and the moments it reaches.

    For a deal with other totals, `moments` holds the names of what its end shows.
    """

    number: int
    plain: bool
    moments: tuple[str, ...]


class Place(NamedTuple):
    """Where a mutant first goes wrong in a game, as `first_divergence` writes it.

    `by_more` is true if the mutant goes wrong even when the clauses that it cites are
    not compared, so that an engine with the same fault can be caught without citing
    clauses.
    """

    where: str
    by_more: bool


class Kills(NamedTuple):
    """The mutants that a candidate kills, and the place where each goes wrong."""

    number: int
    plain: bool
    places: dict[str, Place]


class SlimGame(NamedTuple):
    """A candidate as a slim line, with the kinds of case in which each mutant fails."""

    id: str
    line: str
    shows: dict[str, tuple[str, ...]]
    moments: tuple[str, ...]
    plain: bool


def _candidate_of_any_sort(
    table: Table, seed: int, number: int, tried: bool = True
) -> Candidate | None:
    """The candidate with this number among all kinds, or None if there is none.

    `tried` says whether acts other than those played are tried as well. The game is the
    same either way, and some kinds of candidate never have acts tried in them.
    """
    if number < _WHOLE:
        return candidate(table, seed, number, tried)
    if number < SPARING:
        return whole_match(table, seed, number - _WHOLE)
    if number < _BUILT:
        return with_sparing_draws(table, seed, number - SPARING)
    if number < _DISPUTED:
        dealt, variant = divmod(number - _BUILT, VARIANTS)
        return with_variant(table, seed, dealt, variant, tried)
    game, dispute = divmod(number - _DISPUTED, DISPUTES)
    return disputed(table, seed, game, dispute)


def sights(fields: dict[str, Any], seed: int, numbers: Iterable[int]) -> list[Sight]:
    """These candidates, each with the moments that it reaches.

    Numbers for which there is no candidate are left out.
    """
    table = table_with_fields(fields)
    found = []
    for number in numbers:
        one = _candidate_of_any_sort(table, seed, number, tried=False)
        if one is not None:
            found.append(Sight(number, one.plain, tuple(one.moments)))
    return found


def kills(
    fields: dict[str, Any], seed: int, number: int, names: Iterable[str]
) -> Kills:
    """Which of these mutants a candidate kills, and where each of them goes wrong.

    Each of the mutants switches a clause off.
    """
    one = _candidate_of_any_sort(table_with_fields(fields), seed, number)
    if one is None:
        return Kills(number, False, {})
    trace = recorded(one.script)
    fired = evidence.fires(trace).fired
    return Kills(number, one.plain, _places(trace, _worth_trying(names, fired)))


def _worth_trying(names: Iterable[str], fired: set[str]) -> list[str]:
    """Those of the mutants that are worth trying, given the clauses that have fired.

    They are the mutants that switch off one of these clauses, or one of the clauses
    that apply only on request.
    """
    worth = {f"{OFF}{clause}" for clause in (*fired, *_WHEN_ASKED)}
    return [name for name in names if name in worth]


def _places(trace: Trace, names: Iterable[str]) -> dict[str, Place]:
    """The place where each mutant first goes wrong, leaving out those that never do."""
    found = {}
    for name in names:
        if not evidence.may_matter(name, trace):
            continue
        with loading.run_as_mutant(name):
            cited = evidence.first_divergence(trace)
            uncited = evidence.first_divergence(trace, cited=False) if cited else ""
        if uncited:
            found[name] = Place(uncited, by_more=True)
        elif cited:
            found[name] = Place(cited, by_more=False)
    return found


def ends(
    fields: dict[str, Any], seed: int, number: int, mutants: Sequence[str]
) -> list[Sight]:
    """The variants of a candidate, each with what its end shows (see `ends_shown`)."""
    shown = ends_shown(table_with_fields(fields), seed, number, mutants)
    return [
        Sight(number_of_variant(number, variant), False, tuple(names))
        for variant, names in shown
    ]


def disputes(fields: dict[str, Any], seed: int, number: int) -> list[Sight]:
    """The candidates made by adding a dispute to a game, with the difficulties in each.

    Disputes without a difficulty are left out.
    """
    table = table_with_fields(fields)
    found = []
    for dispute, met in disputes_of(table, seed, number):
        plain = is_plain_dispute(table, number, dispute)
        found.append(Sight(number_of_dispute(number, dispute), plain, met))
    return found


def number_of_variant(number: int, variant: int) -> int:
    """The number that a variant with other totals has among all kinds of candidates."""
    return _BUILT + number * VARIANTS + variant


def number_of_dispute(number: int, dispute: int) -> int:
    """The number that a game with a dispute has among all kinds of candidates."""
    return _DISPUTED + number * DISPUTES + dispute


def aimed_line(
    fields: dict[str, Any],
    seed: int,
    number: int,
    places: Mapping[str, str],
    checked: Iterable[str],
) -> SlimGame:
    """A candidate as a slim line, with the kinds of case in which each mutant fails.

    `places` maps mutants to the places where they go wrong in the candidate; `checked`
    are the mutants that are tried on the line.
    """
    one = _candidate_of_any_sort(table_with_fields(fields), seed, number)
    assert one is not None
    moments = one.moments
    told = places_told(one.script) if number >= _DISPUTED else ()
    slim = slim_line(recorded(one.script), (*places.values(), *told), moments)
    slim = attrs.evolve(slim, name="; ".join(list(moments)[:3]))
    line = write_trace(slim)
    trace = read_trace(line)
    shows = {name: kinds for name in checked if (kinds := kinds_shown(trace, name))}
    return SlimGame(trace.id, line.decode(), shows, tuple(moments), one.plain)


# The choice


class _Wanted(NamedTuple):
    """A moment to be covered by one of the games or, if `plain`, by a plain game."""

    moment: str
    plain: bool


def covering_candidates(
    seen: Sequence[Sight], occurrences: int = _OCCURRENCES, kept: Sequence[int] = ()
) -> list[int]:
    """The numbers of candidates that together reach every moment of those in `seen`.

    Each moment occurs in a plain game if a plain game reaches it, and in at least
    `occurrences` games, or in all that reach it if there are fewer. Games whose numbers
    are in `kept` count as chosen already, and are not returned.
    """
    worth = {one.number: _wanted_in(one) for one in seen}
    times = Counter(wanted for some in worth.values() for wanted in some)
    missing = {
        wanted: min(count, 1 if wanted.plain else occurrences)
        for wanted, count in times.items()
    }

    def take(candidate_number: int) -> None:
        for wanted in worth.pop(candidate_number):
            if wanted in missing:
                missing[wanted] -= 1
                if not missing[wanted]:
                    del missing[wanted]

    def rank(candidate_number: int) -> tuple[int, int]:
        supplied = sum(wanted in missing for wanted in worth[candidate_number])
        return supplied, -candidate_number

    for number in kept:
        take(number)
    chosen: list[int] = []
    while missing:
        best = max(worth, key=rank)
        chosen.append(best)
        take(best)
    return sorted(chosen)


def _wanted_in(sight: Sight) -> list[_Wanted]:
    """The moments that a candidate would cover if it were chosen.

    If it is a plain game, each moment is listed twice, the second time as `plain`.
    """
    wanted = [_Wanted(name, plain=False) for name in sight.moments]
    if sight.plain:
        wanted += [_Wanted(name, plain=True) for name in sight.moments]
    return wanted


@attrs.define
class _Witnesses:
    """The candidates that kill mutants, and where the mutants go wrong in them."""

    plain: dict[int, bool] = attrs.field(factory=dict)
    places: dict[int, dict[str, Place]] = attrs.field(factory=dict)

    def add(self, found: Kills) -> None:
        """Add newly found kills of a candidate to those already known."""
        self.plain[found.number] = found.plain
        self.places[found.number] = {
            **self.places.get(found.number, {}),
            **found.places,
        }

    def of(self, name: str) -> list[int]:
        """The numbers of the candidates that kill a mutant, the best first.

        The best are those in which the mutant goes wrong even if the clauses cited are
        not compared; among equals, plain games come first, and then low numbers.
        """
        killers = [one for one, places in self.places.items() if name in places]
        return sorted(
            killers,
            key=lambda one: (
                not self.places[one][name].by_more,
                not self.plain[one],
                one,
            ),
        )

    def lacks(self, name: str, best: bool) -> bool:
        """Whether there are too few candidates that kill this mutant.

        If `best` is true, only those count in which the mutant goes wrong even if the
        clauses cited are not compared, and at least one of these must be a plain game.
        """
        killers = self.of(name)
        if not best:
            return len(killers) < _WITNESSES
        good = [one for one in killers if self.places[one][name].by_more]
        return len(good) < _WITNESSES or not any(self.plain[one] for one in good)

    def enough(self, name: str) -> list[int]:
        """The two best candidates that kill a mutant, and the best that is not plain.

        There may be fewer, and none is listed twice.
        """
        killers = self.of(name)
        not_plain = [one for one in killers if not self.plain[one]]
        return list(dict.fromkeys([*killers[:_WITNESSES], *not_plain[:1]]))


# The search


def search(
    pool: Executor, fields: dict[str, Any], clauses: Sequence[str], seed: int
) -> dict[str, Any]:
    """The aimed games of the table with these fields, as plain values.

    The search looks for games that test `clauses`. The workers of the pool load the
    engine from source, and their number does not change the result.
    """
    names = [f"{OFF}{clause}" for clause in clauses]
    work = _Search(pool, fields, seed)
    seen = work.sights_of(CHUNKS)
    chosen = covering_candidates(seen)
    work.witness(chosen, names)
    for sort in _OTHER_SORTS:
        others = work.new_sights(sort.numbers, seen)
        more = covering_candidates(others, sort.occurrences)
        work.witness(more, _of_clauses(names, sort.chapter))
        chosen += more
        seen += others
    built = work.built_ends(clauses, chosen)
    work.witness(built, names)
    in_dispute = work.in_dispute()
    work.witness(in_dispute, _of_clauses(names, *_OF_REVOKES))
    chosen += built + in_dispute
    work.look_further(names)
    return work.result(names, chosen, seen)


def _of_clauses(names: Iterable[str], *begun: str) -> list[str]:
    """The mutants that switch off a clause whose number begins with one of `begun`."""
    return [
        name for name in names if name.startswith(tuple(OFF + one for one in begun))
    ]


@attrs.frozen
class _Search:
    """A search: its workers, the fields of the table, the seed and the witnesses.

    The witnesses are the candidates known to kill a mutant.
    """

    pool: Executor
    fields: dict[str, Any]
    seed: int
    witnesses: _Witnesses = attrs.field(factory=_Witnesses)

    def _each(
        self, work: Callable[..., _Found], *arguments: Iterable[Any]
    ) -> Iterator[_Found]:
        """What `work` returns for this table and seed with each of the `arguments`."""
        return self.pool.map(work, repeat(self.fields), repeat(self.seed), *arguments)

    def sights_of(self, ranges: Iterable[range]) -> list[Sight]:
        """The candidates in these ranges, with the moments that each reaches.

        There is one task for each range.
        """
        return [sight for some in self._each(sights, ranges) for sight in some]

    def new_sights(self, numbers: range, seen: Iterable[Sight]) -> list[Sight]:
        """These candidates, each with those of its moments that are not in `seen`."""
        met = {name for sight in seen for name in sight.moments}
        return [
            sight._replace(
                moments=tuple(name for name in sight.moments if name not in met)
            )
            for sight in self.sights_of([range(one, one + 1) for one in numbers])
        ]

    def witness(self, numbers: Iterable[int], names: Iterable[str]) -> None:
        """Record which of these mutants each of these candidates kills."""
        for found in self._each(kills, numbers, repeat(tuple(names))):
            self.witnesses.add(found)

    def built_ends(self, clauses: Sequence[str], chosen: Iterable[int]) -> list[int]:
        """Choose deals with other totals whose ends add to what `chosen` shows.

        They are returned by their numbers.
        """
        names = _mutants_of_ends(clauses)
        deals = {number for number in chosen if number < _WHOLE}
        numbers = sorted({*_VARIED, *deals})
        shown = self._each(ends, numbers, repeat(names))
        # In its first variant a deal keeps its own totals, so it is not a built one.
        kept = {number_of_variant(number, 0) for number in deals}
        left_out = {number_of_variant(number, 0) for number in numbers} - kept
        seen = [one for some in shown for one in some if one.number not in left_out]
        return covering_candidates(
            seen, 1, [one.number for one in seen if one.number in kept]
        )

    def in_dispute(self) -> list[int]:
        """The numbers of games with disputes that together cover each difficulty found.

        The list is empty if revokes are not penalised at the table.
        """
        if not table_with_fields(self.fields).ruleset.rules.revokes_penalised:
            return []
        found = self._each(disputes, range(LOOKED_THROUGH))
        return covering_candidates([sight for some in found for sight in some], 1)

    def look_further(self, names: Sequence[str]) -> None:
        """Try more candidates, in rounds, on the mutants that too few candidates kill.

        The last round uses the candidates that have only been searched for moments so
        far, and tries them only on mutants that no candidate kills.
        """
        numbers = range(LOOKED_THROUGH, LOOKED_THROUGH + LOOKED_FOR)
        for start in range(0, len(numbers), _SOME):
            # What no plain game shows in the first round, for example a limit, none
            # will show later.
            best = start == 0
            missing = [name for name in names if self.witnesses.lacks(name, best)]
            if not missing:
                return
            self.witness(numbers[start : start + _SOME], missing)
        known = self.witnesses.plain
        untried = [one for one in range(LOOKED_THROUGH) if one not in known]
        missing = [name for name in names if not self.witnesses.of(name)]
        if missing:
            self.witness(untried, missing)

    def result(
        self, names: Sequence[str], chosen: Iterable[int], seen: Sequence[Sight]
    ) -> dict[str, Any]:
        """The lines of the chosen candidates and of the witnesses, as plain values.

        The result also lists the clauses that no line can test, and the moments that
        occur neither in a line nor in a candidate in `seen`.
        """
        games = _merged(self._slim_games(names, chosen))
        lines = [
            {
                **game._asdict(),
                "shows": {
                    name.removeprefix(OFF): kinds for name, kinds in game.shows.items()
                },
            }
            for game in games.values()
        ]
        shown = {name for game in games.values() for name in game.shows}
        met = {name for sight in seen for name in sight.moments}
        met.update(name for game in games.values() for name in game.moments)
        why = "no game can be built for this table"
        if seen or games:
            number = LOOKED_THROUGH + LOOKED_FOR
            why = f"none of {number} games built for this table needs it"
        return {
            "lines": lines,
            "unreached": {
                name.removeprefix(OFF): why for name in names if name not in shown
            },
            "unseen": [name for name in _all_moments(self.fields) if name not in met],
        }

    def _slim_games(
        self, names: Sequence[str], chosen: Iterable[int]
    ) -> Iterator[SlimGame]:
        """The chosen candidates and the witnesses, in the order of their numbers.

        Each witness is checked against the mutants for which it is kept.
        """
        checked: dict[int, list[str]] = {number: [] for number in chosen}
        for name in names:
            for number in self.witnesses.enough(name):
                checked.setdefault(number, []).append(name)
        numbers = sorted(checked)
        places = [
            {name: place.where for name, place in self.witnesses.places[number].items()}
            for number in numbers
        ]
        mutants = [tuple(checked[number]) for number in numbers]
        yield from self._each(aimed_line, numbers, places, mutants)


def _merged(found: Iterable[SlimGame]) -> dict[str, SlimGame]:
    """These games by id; candidates that yield the same line are made one game."""
    games: dict[str, SlimGame] = {}
    for game in found:
        first = games.get(game.id, game)
        games[game.id] = first._replace(
            shows={**first.shows, **game.shows},
            moments=tuple(dict.fromkeys((*first.moments, *game.moments))),
            plain=first.plain or game.plain,
        )
    return games


def _mutants_of_ends(clauses: Sequence[str]) -> tuple[str, ...]:
    """The ids of the mutants of these clauses that change how a deal is scored or ends.

    They edit only the modules `score` and `match`.
    """
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


def _all_moments(fields: dict[str, Any]) -> tuple[str, ...]:
    """The moments that are looked for at the table with these fields.

    Some of them may be impossible there: a draw, for example, if there is no stock.
    """
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
