"""Finds totals before a deal that make its end depend on the rules of score and match.

How a deal is played does not depend on the totals before it, and how it ends can be
worked out from those totals and the cards taken. Many totals are therefore tried with
the same deal, and each end is worked out again under every mutant of those rules. If a
mutant ends the deal differently, the deal with those totals is a game that kills the
mutant. The totals are chosen for the ends that are wanted, such as two seats that reach
the limit at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import attrs

from refengine.chapters.cards import cards_that_count, points_of
from refengine.chapters.match import limit_is_reached, lowest_totals, new_totals
from refengine.chapters.score import PLUS, deal_score
from refengine.errors import Malformed
from refengine.formats.trace import canonical
from refengine.game.acts import MoonChoice
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.machine.due import position_of
from refengine.machine.ending import hauls
from refengine.rulings.asking.played_deals import PlayedDeal, scored_deal
from refengine_conformance.generators.strategies import moments_of
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.candidates import (
    Candidate,
    candidate,
    usual_limit,
    with_moments,
)
from refengine_conformance.tables.moments import counting_piles
from refengine_conformance.tables.mutant_trials import trials_changed
from refengine_conformance.tables.steady_random import SteadyRandom

VARIANTS: Final = 16
"""How many variants a deal has.

The first has the deal's own totals before it; the others have other totals.
"""


@attrs.frozen
class _Outcome:
    """How a deal ends; `due` says whether a moon choice had to be made first."""

    due: bool
    score: tuple[int, ...] | None
    totals: tuple[int, ...]
    over: bool
    winners: tuple[int, ...] | None


@attrs.frozen
class _Ending:
    """A deal as it was played, with the choice that settled a moon, or None."""

    played: PlayedDeal
    choice: str | int | None

    def outcome(self, ruleset: Ruleset) -> _Outcome:
        """How the deal ends under this ruleset.

        If a moon choice is due and none was made, the first possible choice is taken.
        Raises Refused if the ruleset does not allow the choice that was made.
        """
        state = scored_deal(ruleset, self.played)
        due = state.phase == "moon"
        if due:
            choice = state.legal.due.choices[0] if self.choice is None else self.choice
            state = state.apply(MoonChoice(state.turn[0], choice))
        result = state.core.result
        assert result is not None
        return _Outcome(due, state.score, state.totals, result.over, state.winners)


@attrs.frozen
class _Variant:
    """A deal with some totals before it, and how it ends by the book."""

    number: int
    ending: _Ending
    outcome: _Outcome


def ends_shown(
    table: Table, seed: int, number: int, mutants: Sequence[str]
) -> list[tuple[int, list[str]]]:
    """The numbers of a candidate's variants, each with the names of what its end shows.

    The names are the mutants under which the variant ends differently and, except for
    the first variant, the notable things about its end. Only a candidate that is a
    single deal as found has variants, and only if its score depends on nothing but its
    cards.
    """
    one = candidate(table, seed, number, tried=False)
    end = None if one is None else _end_told_by_cards(one)
    if one is None or end is None:
        return []
    variants = [*_variants(table, seed, one, end)]
    shown = {
        variant.number: [*_sorts(table, end, variant)] if variant.number else []
        for variant in variants
    }
    trials = [
        (partial(one.ending.outcome, table.ruleset), one.outcome) for one in variants
    ]
    for name in mutants:
        for place in trials_changed(name, trials):
            shown[variants[place].number].append(name)
    return list(shown.items())


def with_variant(
    table: Table, seed: int, number: int, variant: int, tried: bool
) -> Candidate | None:
    """The candidate with the totals of this variant, or None if it cannot be made."""
    one = candidate(table, seed, number, tried)
    if one is None or not isinstance(one.script.start, Setup):
        return None
    with suppress(Malformed, Refused):
        end = moments_of(one.script)[-1]
        start = _start(table, seed, one, end, variant)
        return attrs.evolve(with_moments(one, start), plain=False)
    return None


def _end_told_by_cards(one: Candidate) -> State | None:
    """The last state of a candidate that is a single deal as found, without revokes.

    None for any other candidate, and also if the deal has no score, or a score that
    does not depend on its cards alone.
    """
    start = one.script.start
    if not isinstance(start, Setup) or start.leader is not None:
        return None
    state = moments_of(one.script)[-1]
    if state.score is None or state.revokes:
        return None
    ending = _ending(one, state, (0,) * state.ruleset.players, False)
    try:
        score = ending.outcome(state.ruleset).score
    except Refused:
        return None  # the moon choice depends on the totals
    return state if score == state.score else None


def _sorts(table: Table, end: State, variant: _Variant) -> Iterator[str]:
    """Names for the notable things at the end of a deal with these totals before it.

    They are listed because an engine can go wrong at each of them, while games chosen
    to kill mutants might lack some: for example, a particular way of reaching the
    limit.
    """
    outcome = variant.outcome
    if variant.ending.played.reached and max(outcome.totals) < usual_limit(table):
        yield f"played on: no total at the limit, over: {outcome.over}"
    yield from _sorts_of_moon(table, end, variant)
    if table.ruleset.options["exact_limit_becomes"] != "none":
        yield from _sorts_of_reset(table, end, variant)


def _sorts_of_moon(table: Table, end: State, variant: _Variant) -> Iterator[str]:
    """Names for the notable things at the end of a deal in which the moon was shot."""
    result = end.core.result
    if result is None or result.shooter < 0:
        return
    shooter, rules = int(result.shooter), table.ruleset.rules
    outcome, played = variant.outcome, variant.ending.played
    name = "played on" if played.reached else "not played on"
    won = outcome.winners is not None and shooter in outcome.winners
    yield f"moon: {name}, over: {outcome.over}, won by the shooter: {won}"
    plus = new_totals(rules, played.totals, _score_by_the_plus(end, shooter))
    others = plus[:shooter] + plus[shooter + 1 :]
    if rules.has_limit and not limit_is_reached(rules, others, False):
        yield f"moon: {name}, over: {outcome.over}, the limit not reached by the plus"
    with_points = _added(played.totals, _points(end))
    if outcome.due and limit_is_reached(rules, with_points, False):
        yield "moon: the limit reached by points alone, a choice due"
    if played.reached and _score_if_not_reached(table, variant) != outcome.score:
        yield "moon: settled by a limit that was reached before"


def _added(totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """The sums of totals and points, before clause 9.2 changes any of them."""
    return tuple(total + more for total, more in zip(totals, points, strict=True))


def _points(end: State) -> tuple[int, ...]:
    """The penalty points that each seat has taken, counting those in its hand (8.2)."""
    rules = end.core.rules
    return tuple(int(points_of(rules, pile.mask)) for pile in counting_piles(end))


def _score_by_the_plus(end: State, shooter: int) -> tuple[int, ...]:
    """The score of a deal without revokes if the others get a plus for a moon (8.5)."""
    core, result = end.core, end.core.result
    assert result is not None
    held = hauls(core.rules, position_of(core), result.stock_to)
    return deal_score(core.rules, core.pack, held, shooter, PLUS, ())


def _sorts_of_reset(table: Table, end: State, variant: _Variant) -> Iterator[str]:
    """Names for the notable things when totals exactly at the limit are reset."""
    high, before = usual_limit(table), variant.ending.played.totals
    score, totals = variant.outcome.score, variant.outcome.totals
    assert score is not None
    sums, took = _added(before, score), _took_something(end)
    exact = [seat for seat, total in enumerate(sums) if total == high]
    if len(exact) > 1:
        yield "reset: of two at once"
    if exact and max(sums) > high:
        yield "reset: beside a total beyond the limit"
    if variant.outcome.over and lowest_totals(sums) != lowest_totals(totals):
        yield "reset: for who wins"
    if any(not score[seat] for seat in exact):
        yield "reset: of a seat that scored nothing"
    if any(score[seat] and not took[seat] for seat in exact):
        yield "reset: of a seat that took nothing"
    if any(before[seat] > high for seat in exact):
        yield "reset: from above"
    for seat in exact:
        yield f"reset: of seat {seat}"


def _took_something(end: State) -> tuple[bool, ...]:
    """Whether each seat has taken a penalty card or the bonus card, as 8.2 says."""
    scored = cards_that_count(end.core.rules)
    return tuple(bool(pile.mask & scored) for pile in counting_piles(end))


def _score_if_not_reached(table: Table, variant: _Variant) -> tuple[int, ...] | None:
    """The score of the deal if the limit had not been reached before it."""
    ending = variant.ending
    played = attrs.evolve(ending.played, reached=False)
    return attrs.evolve(ending, played=played).outcome(table.ruleset).score


def _ending(
    one: Candidate, end: State, totals: Sequence[int], reached: bool
) -> _Ending:
    """The deal of a candidate as played, with these totals before it."""
    acts = (move.act for move in reversed(one.script.moves))  # a quit may come last
    choice = next((act.choice for act in acts if isinstance(act, MoonChoice)), None)
    played = PlayedDeal(
        taken=counting_piles(end),
        tricks=end.tricks,
        totals=tuple(totals),
        reached=reached,
        number=end.deal,
    )
    return _Ending(played, choice)


def _variants(
    table: Table, seed: int, one: Candidate, end: State
) -> Iterator[_Variant]:
    """The variants of a deal, except those that the rules do not allow."""
    for number in range(VARIANTS):
        with suppress(Malformed, Refused):
            start = _start(table, seed, one, end, number)
            State.open(table.ruleset, start)
            totals = start.totals or (0,) * table.ruleset.players
            ending = _ending(one, end, totals, start.limit_reached)
            yield _Variant(number, ending, ending.outcome(table.ruleset))


def _start(table: Table, seed: int, one: Candidate, end: State, variant: int) -> Setup:
    """The beginning of the deal in this variant; the first variant is unchanged.

    `end` is the last state of the candidate.
    """
    start = one.script.start
    assert isinstance(start, Setup)
    if variant == 0:
        return start
    key = canonical([table.fields(), seed, one.number, "end", variant]).decode()
    rng = SteadyRandom(key)
    reached = bool(table.ruleset.rules.ties_played_on) and rng.random() < 1 / 2
    totals = _totals(rng, table, end.score or ())
    return attrs.evolve(start, totals=totals, limit_reached=reached)


def _totals(rng: SteadyRandom, table: Table, score: tuple[int, ...]) -> tuple[int, ...]:
    """Random totals before a deal with this score, chosen so that its end matters.

    For each seat a total is chosen that is at or near the limit, low and perhaps
    shared, or the value to which a total exactly at the limit is reset. A seat usually
    reaches the chosen total with this deal; occasionally it has that total before the
    deal.
    """
    high = usual_limit(table)
    low = rng.randrange(max(2, high * 3 // 4))
    becomes = table.ruleset.options["exact_limit_becomes"]
    reset = becomes if isinstance(becomes, int) else low
    telling = (high, high, high - 1, high + 1, high + 9, low, low, low + 1, reset)
    wanted = rng.sample(telling, 4)
    aims = [rng.choice(wanted) for _ in score]
    already_there = [rng.random() < 1 / 6 for _ in score]
    return tuple(
        aim if there else aim - points
        for aim, points, there in zip(aims, score, already_there, strict=True)
    )
