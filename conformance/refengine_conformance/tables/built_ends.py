"""Ends built backwards: totals before a deal at which its end decides something.

How a deal is played does not depend on the totals before it, and what it comes to can
be worked out from the cards taken alone. So the same deal is given many totals, and the
rules of the score and of the match are misread in every way that the mutants know.
Totals at which such a misreading comes to another end make a game that shows it. None
is waited for: where two seats are to stand at the limit at once, they do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.trace import canonical
from refengine.game.acts import MoonChoice
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.rulings.asking.played_deals import PlayedDeal, scored_deal
from refengine_conformance.generators.strategies import moments_of
from refengine_conformance.mutants import loading
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.candidates import (
    Candidate,
    candidate,
    played_again,
    usual_limit,
)
from refengine_conformance.tables.steady_random import SteadyRandom

VARIANTS: Final = 16
"""Totals that are tried before each deal; the first are those that it has anyway."""

_SECONDS: Final = 0.2  # for an end as a mutant has it, which takes thousandths
_Outcome = tuple[object, ...]


@attrs.frozen
class _Ending:
    """A deal that has been played, with some totals before it."""

    played: PlayedDeal
    choice: str | int | None

    def outcome(self, ruleset: Ruleset) -> _Outcome:
        """What it comes to: the score, the totals, whether it is over, who has won."""
        state = scored_deal(ruleset, self.played)
        due = state.phase == "moon"
        if due:
            choice = state.legal.due.choices[0] if self.choice is None else self.choice
            state = state.apply(MoonChoice(state.turn[0], choice))
        result = state.core.result
        assert result is not None
        return due, state.score, state.totals, result.over, state.winners


def ends_shown(
    table: Table, seed: int, number: int, mutants: Sequence[str]
) -> list[tuple[int, list[str]]]:
    """For each variant of a candidate, the mutants that come to another end with it.

    With them stand the sorts of things that happen in it, by name. Only a deal as found
    is varied, and only if its cards alone tell what it comes to.
    """
    one = candidate(table, seed, number, tried=False)
    deal = None if one is None else _deal_of(one)
    if one is None or deal is None:
        return []
    endings = [*_endings(table, seed, one, deal)]
    right = [ending.outcome(table.ruleset) for _, ending in endings]
    shown = [
        (variant, [*_sorts(table, deal, ending)] if variant else [])
        for variant, ending in endings
    ]
    for name in mutants:
        with loading.run_as_mutant(name):
            for place, (_, ending) in enumerate(endings):
                try:
                    with loading.time_limit(_SECONDS):
                        otherwise = ending.outcome(table.ruleset) != right[place]
                except loading.HangsError:
                    shown[place][1].append(name)
                    break  # it would hang at the others, each for as long
                except Exception:  # a mutant may fail in any way that there is
                    otherwise = True
                if otherwise:
                    shown[place][1].append(name)
    return shown


def with_variant(
    table: Table, seed: int, number: int, variant: int, tried: bool
) -> Candidate | None:
    """The candidate with other totals before it; None if it cannot have them."""
    one = candidate(table, seed, number, tried)
    if one is None or not isinstance(one.script.start, Setup):
        return None
    with suppress(Malformed, Refused):
        start = _start(table, seed, one, variant)
        return attrs.evolve(played_again(table, one, start), plain=False)
    return None


def _deal_of(one: Candidate) -> State | None:
    """The end of a candidate that is one deal, if the cards alone tell its score."""
    start = one.script.start
    if not isinstance(start, Setup) or start.leader is not None:
        return None
    state = moments_of(one.script)[-1]
    if state.score is None or state.revokes:
        return None
    ending = _ending(one, state, state.ruleset.players * (0,), False)
    try:
        score = ending.outcome(state.ruleset)[1]
    except Refused:
        return None  # the choice of the moon hangs on the totals
    return state if score == state.score else None


def _sorts(table: Table, deal: State, ending: _Ending) -> Iterator[str]:
    """What happens as a deal ends that no misreading of the rules is sure to show.

    An engine may ask of a total at the limit how it came there.
    """
    high, before = usual_limit(table), ending.played.totals
    due, score, totals, over, winners = ending.outcome(table.ruleset)
    assert isinstance(score, tuple)
    assert isinstance(totals, tuple)
    result = deal.core.result
    if ending.played.reached and max(totals) < high:
        yield f"played on: no total at the limit, over: {over}"
    if result is not None and result.shooter >= 0:
        name = "played on" if ending.played.reached else "not played on"
        won = isinstance(winners, tuple) and result.shooter in winners
        yield f"moon: {name}, over: {over}, won by the shooter: {won}"
        others = [one for seat, one in enumerate(before) if seat != result.shooter]
        if max(others) + sum(deal.points) < high:
            yield f"moon: {name}, over: {over}, the limit not reached by the plus"
        taken = [one + two for one, two in zip(before, deal.points, strict=True)]
        if due and max(taken) >= high:
            yield "moon: the limit reached by points alone, a choice due"
        if ending.played.reached and _score_otherwise(table, ending) != score:
            yield "moon: settled by a limit that was reached before"
    if table.ruleset.options["exact_limit_becomes"] == "none":
        return
    sums = [total + points for total, points in zip(before, score, strict=True)]
    exact = [seat for seat, total in enumerate(sums) if total == high]
    if len(exact) > 1:
        yield "reset: of two at once"
    if exact and max(sums) > high:
        yield "reset: beside a total beyond the limit"
    if over and sums.index(min(sums)) != totals.index(min(totals)):
        yield "reset: for who wins"
    for seat in exact:
        if not score[seat]:
            yield "reset: of a seat that scored nothing"
        elif not deal.points[seat]:
            yield "reset: of a seat that took nothing"
        if before[seat] > high:
            yield "reset: from above"
        yield f"reset: of seat {seat}"


def _score_otherwise(table: Table, ending: _Ending) -> object:
    """The score of a deal if the limit had not been reached before it."""
    played = attrs.evolve(ending.played, reached=False)
    return attrs.evolve(ending, played=played).outcome(table.ruleset)[1]


def _ending(
    one: Candidate, end: State, totals: Sequence[int], reached: bool
) -> _Ending:
    last = one.script.moves[-1].act
    played = PlayedDeal(
        taken=tuple(
            taken | hand for taken, hand in zip(end.taken, end.hands, strict=True)
        ),
        tricks=end.tricks,
        totals=tuple(totals),
        reached=reached,
        number=end.deal,
    )
    return _Ending(played, last.choice if isinstance(last, MoonChoice) else None)


def _endings(
    table: Table, seed: int, one: Candidate, end: State
) -> Iterator[tuple[int, _Ending]]:
    """The deal with its variants of the totals, as far as there can be such a deal."""
    for variant in range(VARIANTS):
        with suppress(Malformed, Refused):
            start = _start(table, seed, one, variant)
            State.open(table.ruleset, start)
            totals = start.totals or (0,) * table.ruleset.players
            ending = _ending(one, end, totals, start.limit_reached)
            ending.outcome(table.ruleset)
            yield variant, ending


def _start(table: Table, seed: int, one: Candidate, variant: int) -> Setup:
    """How the deal begins in this variant; in the first, as ever."""
    start = one.script.start
    assert isinstance(start, Setup)
    if variant == 0:
        return start
    key = canonical([table.fields(), seed, one.number, "end", variant]).decode()
    rng = SteadyRandom(key)
    state = moments_of(one.script)[-1]
    reached = bool(table.ruleset.rules.ties_played_on) and rng.random() < 1 / 2
    totals = _totals(rng, table, state.score or ())
    return attrs.evolve(start, totals=totals, limit_reached=reached)


def _totals(rng: SteadyRandom, table: Table, score: tuple[int, ...]) -> tuple[int, ...]:
    """Totals before a deal with this score, for each seat one with a meaning after it.

    At the limit or beside it, at what a total at the limit becomes, or at a lowest
    total that may be shared; some seats stood there before the deal and not after it.
    """
    high = usual_limit(table)
    low = rng.randrange(max(2, high * 3 // 4))
    becomes = table.ruleset.options["exact_limit_becomes"]
    reset = becomes if isinstance(becomes, int) else low
    meant = (high, high, high - 1, high + 1, high + 9, low, low, low + 1, reset)
    wanted = rng.sample(meant, min(len(meant), 4))
    after = [rng.choice(wanted) for _ in score]
    stays = [rng.random() < 1 / 6 for _ in score]
    return tuple(
        total if stood else total - points
        for total, points, stood in zip(after, score, stays, strict=True)
    )
