"""Judging a score sheet by the rules: its rows, the totals, the passes and the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Final

import attrs

from refengine.chapters.cards import EMPTY, Mask, points_of
from refengine.chapters.deal import match_pack
from refengine.chapters.match import (
    limit_is_reached,
    lowest_totals,
    match_is_over,
    new_totals,
    plus_loses_match,
)
from refengine.chapters.revoke import penalty
from refengine.chapters.score import PLUS, Haul, deal_score, moon_worth
from refengine.chapters.settings import OTHERS_PLUS_UNLESS_LOSING
from refengine.errors import counted
from refengine.game.rulesets import Ruleset
from refengine.machine.due import seats_of
from refengine.rulings.match_end import past_the_end
from refengine.rulings.pass_direction import other_pass
from refengine.rulings.sentences import Said
from refengine.rulings.sheets.deal_scores import (
    DealScore,
    can_be_scored,
    deal_scores,
    deal_ways,
    way_to_score,
)
from refengine.rulings.sheets.reading_sheets import Sheet, SheetRow
from refengine.rulings.words import list_words

_MOST_REVOKES: Final = 2  # in one deal, to explain a score
Score = tuple[int, ...]


@attrs.frozen
class SheetRemark(Said):
    """A remark on a row or on the whole sheet, with the clauses that decide it.

    A remark that is not `wrong` points out something worth knowing, such as a moon.
    """

    wrong: bool = False


@attrs.frozen(kw_only=True)
class JudgedRow:
    """A deal on a sheet: its score, the totals after it, and the remarks on it."""

    row: SheetRow
    score: Score
    totals: Score
    remarks: tuple[SheetRemark, ...] = ()

    @property
    def wrong(self) -> bool:
        """Whether anything in this row cannot be right."""
        return any(one.wrong for one in self.remarks)


@attrs.frozen(kw_only=True)
class SheetJudgement:
    """The findings about a sheet under a ruleset, row by row.

    `running` says whether the numbers are totals. `over` says whether the match has
    ended by the rules, and `ended` is the number, from 1, of the row that ended it, or
    0 if none did; `winners` holds the columns of those who won it, whatever was played
    afterwards. `remarks` holds the remarks on the whole sheet. `reached` says whether
    the match goes on past the limit because two or more are tied (9.6). `totals_known`
    says whether the totals are known when the match ends or, if it does not, at the
    last row. They are not if deals are missing from a sheet of points alone; then there
    are no `winners`, and `over` and `ended` rest on the deals on the sheet alone.
    """

    ruleset: Ruleset
    sheet: Sheet
    running: bool
    rows: tuple[JudgedRow, ...]
    over: bool
    winners: tuple[int, ...]
    remarks: tuple[SheetRemark, ...] = ()
    ended: int = 0
    reached: bool = False
    totals_known: bool = True

    @property
    def wrong(self) -> tuple[int, ...]:
        """The numbers, from 1, of the rows in which something cannot be right."""
        return tuple(at for at, one in enumerate(self.rows, 1) if one.wrong)

    @property
    def faults(self) -> int:
        """How many remarks, on the rows and on the sheet as a whole, are `wrong`."""
        told = [one for judged in self.rows for one in judged.remarks]
        return sum(one.wrong for one in (*told, *self.remarks))

    @property
    def possible(self) -> bool:
        """Whether the whole sheet is possible under these rules."""
        return self.faults == 0


def judge_sheet(
    sheet: Sheet, ruleset: Ruleset, running: bool | None = None
) -> SheetJudgement:
    """The sheet judged under the ruleset, which must have a player for each column.

    `running` says whether the numbers are totals, not the points of each deal; if it is
    None, the reading with fewer faults is taken. A sheet that has both is judged
    by the points, and its totals are checked against them. The rules are those of
    clauses 4.1, 7.9 and 7.10 and of chapters 8 and 9.
    """
    if sheet.has_both:
        return _judged(sheet, ruleset, False)
    if running is None:
        points, totals = (_judged(sheet, ruleset, way) for way in (False, True))
        return totals if totals.faults < points.faults else points
    return _judged(sheet, ruleset, running)


def _judged(sheet: Sheet, ruleset: Ruleset, running: bool) -> SheetJudgement:
    rules = ruleset.rules
    nothing: Score = (0,) * len(sheet.names)
    totals = slip = nothing
    reached, played_on, ended, told = False, False, 0, False
    known = known_at_end = True  # the totals, unless deals are missing
    rows: list[JudgedRow] = []
    scores = [*_scores(sheet, ruleset)] if running else [r.numbers for r in sheet.rows]
    gaps = _gaps(sheet.rows)
    deal = 0
    for at, row in enumerate(sheet.rows):
        # A slip in the total above makes the points too many or too few here.
        score = tuple(a + b for a, b in zip(scores[at], slip, strict=True))
        remarks = [*_of_number(deal, row.deal)]
        deal = row.deal or deal + 1
        if ended and not told:
            told = True
            said = past_the_end(ruleset, totals, sheet.names, "row", played_on)
            remarks.append(SheetRemark(said.text, said.clauses, wrong=True))
        for said in other_pass(ruleset, deal, row.passed):
            remarks.append(SheetRemark(said.text, said.clauses, wrong=True))
        slip = nothing
        if gaps[at] and row.totals:  # the totals go on from those written down
            totals, known = _without(row.totals, score), True
        elif gaps[at] and not running:
            known = False
        if not (running and gaps[at]):
            following = scores[at + 1] if running and at + 1 < len(scores) else None
            found, alone = _of_score(sheet, ruleset, score, running, following)
            slip = alone or nothing
            score = _without(score, slip)
            remarks += found
            if known:
                remarks += _other_settlement(
                    sheet, ruleset, score, totals, reached, deal
                )
        if running:
            remarks += _not_set_back(sheet, ruleset, row)
            right = _without(row.numbers, slip)
            totals = new_totals(rules, right, nothing)  # sets back exactly the limit
        else:
            totals = new_totals(rules, totals, score)
        before, reached = reached, limit_is_reached(rules, totals, reached)
        if not ended and match_is_over(rules, totals, reached, deal):
            ended, played_on, known_at_end = at + 1, before, known
        rows.append(
            JudgedRow(row=row, score=score, totals=totals, remarks=tuple(remarks))
        )
    totals_known = known_at_end if ended else known
    won = ended > 0 and totals_known
    winners = seats_of(lowest_totals(rows[ended - 1].totals)) if won else []
    return SheetJudgement(
        ruleset=ruleset,
        sheet=sheet,
        running=running,
        rows=tuple(_with_slips(sheet, rows, gaps)),
        over=ended > 0,
        ended=ended,
        reached=bool(reached) and not ended,
        winners=tuple(int(seat) for seat in winners),
        totals_known=totals_known,
        remarks=tuple(_of_sums(sheet, totals)) if known else (),
    )


def _without(score: Score, other: Score) -> Score:
    """The first score minus the other, seat by seat."""
    return tuple(one - less for one, less in zip(score, other, strict=True))


def _gaps(rows: Sequence[SheetRow]) -> list[bool]:
    """For each row, whether its deal number shows that deals are missing before it."""
    found, deal = [], 0
    for row in rows:
        found.append(row.deal > deal + 1)
        deal = row.deal or deal + 1
    return found


def _not_set_back(
    sheet: Sheet, ruleset: Ruleset, row: SheetRow
) -> Iterator[SheetRemark]:
    """A remark on each running total that should have been set back by 9.2."""
    rules = ruleset.rules
    for name, total in zip(sheet.names, row.numbers, strict=True):
        if rules.has_reset and total == rules.limit:
            becomes = f"exactly {total}, becomes {rules.reset_to}"
            text = f"the running total of {name}, {becomes}"
            yield SheetRemark(text, ("9.2",), wrong=True)


def _other_settlement(
    sheet: Sheet,
    ruleset: Ruleset,
    score: Score,
    totals: Score,
    reached: bool,
    deal: int,
) -> Iterator[SheetRemark]:
    """A remark if this moon was settled in a way that 9.7 does not allow here.

    `totals` holds the totals before the deal, `reached` says whether the limit had been
    reached by then, and `deal` is the number of the deal.
    """
    rules = ruleset.rules
    found = _way_to(ruleset, score)
    if rules.moon != OTHERS_PLUS_UNLESS_LOSING or found is None:
        return
    way, revokers = found
    if way is None or way.shooter < 0 or revokers:
        return
    ways = _ways_without_revoke(ruleset, way)
    if any(one.shooter != way.shooter for one in ways):
        return  # it may have been no moon
    seats = [seat for seat, one in enumerate(score) if one == way.score[way.shooter]]
    if len(seats) != 1:
        return
    [shooter] = seats
    pack = match_pack(rules, EMPTY)
    hauls = tuple(
        Haul(Mask(one.mask), number)
        for one, number in zip(way.taken, way.tricks, strict=True)
    )
    by_plus = deal_score(rules, pack, hauls, way.shooter, PLUS, ()) == way.score
    worth = 0 if by_plus else int(moon_worth(rules, pack, hauls, way.shooter))
    plus = tuple(one + worth for one in score)
    loses = plus_loses_match(rules, totals, plus, shooter, reached, deal)
    if bool(loses) == by_plus:
        due = "takes points off the shooter" if loses else "gives the others points"
        text = f"the moon of {sheet.names[shooter]} {due}"
        yield SheetRemark(text, ("9.7",), wrong=True)


# Scores


def _scores(sheet: Sheet, ruleset: Ruleset) -> Iterator[Score]:
    """The score of each deal, as implied by the running totals.

    Where a total may have been set back (9.2), that is taken into account.
    """
    rules = ruleset.rules
    before: Score = (0,) * len(sheet.names)
    for row in sheet.rows:
        ways = []
        for old, new in zip(before, row.numbers, strict=True):
            set_back = rules.has_reset and new == rules.reset_to
            ways.append(
                (new - old, int(rules.limit) - old) if set_back else (new - old,)
            )
        found = [*product(*ways)]
        right = (one for one in found if _way_to(ruleset, one) is not None)
        yield next(right, found[0])
        before = row.numbers


@lru_cache(maxsize=4096)
def _way_to(
    ruleset: Ruleset, score: Score
) -> tuple[DealScore | None, tuple[tuple[int, ...], ...]] | None:
    """A way in which a deal can have this score, and who may have revoked in it.

    The first part is None if a revoke ended the deal (7.9). The second holds the
    revokers of each possible way, and is empty if no revoke is needed. The result is
    None if no deal gives the score.
    """
    found = deal_scores(ruleset).get(tuple(sorted(score)))
    if found is not None:
        return found, ()
    rules = ruleset.rules
    if not rules.revokes_penalised:
        return None
    seats = range(len(score))
    if rules.revoke_ends_deal:  # one revoker, as no claim follows (7.7b)
        ends = [(at,) for at in seats if can_be_scored(ruleset, score, (at,))]
        return (None, (*ends,)) if ends else None
    for number in range(1, _MOST_REVOKES + 1):
        ways: dict[tuple[int, ...], DealScore] = {}
        for revokers in combinations_with_replacement(seats, number):
            found = way_to_score(ruleset, score, revokers)
            if found is not None:
                ways[revokers] = found
        if ways:
            return next(iter(ways.values())), (*ways,)
    return None


def _of_score(
    sheet: Sheet,
    ruleset: Ruleset,
    score: Score,
    running: bool,
    following: Score | None,
) -> tuple[list[SheetRemark], Score]:
    """The remarks on a score, and the error that each running total has in this row.

    The second part is empty unless an error in this row alone explains the next row as
    well.
    """
    way = _way_to(ruleset, score)
    if way is not None:
        return [*_worth_telling(sheet, ruleset, score, *way)], ()
    off = _off_by(ruleset, score)
    if running and off:
        return _slip_in_totals(sheet, ruleset, score, off, following)
    return [_impossible(sheet, ruleset, score, off)], ()


def _off_by(ruleset: Ruleset, score: Score) -> int:
    """How far the sum of a score is from the nearest sum possible without a revoke.

    The result is positive if the score has too many points, and negative if too few.
    """
    total = sum(score)
    sums = {sum(one) for one in deal_scores(ruleset)}
    return total - min(sums, key=lambda one: (abs(one - total), -one))


def _impossible(sheet: Sheet, ruleset: Ruleset, score: Score, off: int) -> SheetRemark:
    total = sum(score)
    if off:
        more = f"{abs(off)} too {'many' if off > 0 else 'few'}"
        why = ": no deal gives that"
        if _has_sum_with_revokes(ruleset, total):
            why = " without a revoke, and no revoke explains them"
        text = f"{counted(total, 'point')}, {more}{why}"
        return SheetRemark(text, ("8.1", "8.9"), wrong=True)
    alone = [seat for seat, one in enumerate(score) if one]
    rules = ruleset.rules
    all_points = int(points_of(rules, match_pack(rules, EMPTY)))
    if len(alone) == 1 and total == all_points and ruleset.options["moon"] != "none":
        text = (
            f"{sheet.names[alone[0]]} has all {total} points, which is a moon, and is "
            "settled otherwise"
        )
        return SheetRemark(text, ("8.3", "8.5"), wrong=True)
    text = f"no deal gives these scores together: {_why_not(sheet, ruleset, score)}"
    return SheetRemark(text, ("8.1", "8.9"), wrong=True)


def _has_sum_with_revokes(ruleset: Ruleset, total: int) -> bool:
    """Whether a deal with claimed revokes can give scores of this sum (7.9, 7.10)."""
    rules = ruleset.rules
    if not rules.revokes_penalised:
        return False
    cost = int(penalty(rules, match_pack(rules, EMPTY)))
    if rules.revoke_ends_deal:
        return total == cost
    before = {total - number * cost for number in range(1, _MOST_REVOKES + 1)}
    return any(sum(score) in before for score in deal_ways(ruleset))


def _why_not(sheet: Sheet, ruleset: Ruleset, score: Score) -> str:
    """Words on why the score is impossible although its sum is not.

    They say what every possible score has and this one lacks, or give the nearest
    possible score.
    """
    right = deal_scores(ruleset)
    least = min(max(one) for one in right)
    if max(score) < least:
        return f"in each somebody has {least} points or more"
    seats = sorted(range(len(score)), key=score.__getitem__)
    own = sorted(score)
    near = min(
        right,
        key=lambda one: (sum(abs(a - b) for a, b in zip(one, own, strict=True)), one),
    )
    nearest = dict(zip(seats, near, strict=True))
    told = (f"{name} {nearest[seat]}" for seat, name in enumerate(sheet.names))
    return f"the nearest is {list_words(told)}"


def _slip_in_totals(
    sheet: Sheet, ruleset: Ruleset, score: Score, off: int, following: Score | None
) -> tuple[list[SheetRemark], Score]:
    """A remark on the likeliest slip in a running total.

    The remark says whether the total is wrong only here or from here on, or that the
    score is impossible if no slip explains it. If several totals may be the wrong one,
    it names them all. The second part of the result, for the first of them, is as in
    `_of_score`.
    """
    seats = [
        seat
        for seat in range(len(score))
        if _way_to(ruleset, _with(score, seat, -off)) is not None
    ]
    if not seats:
        return [_impossible(sheet, ruleset, score, off)], ()
    alone = [
        seat
        for seat in seats
        if following is not None
        and _way_to(ruleset, following) is None
        and _way_to(ruleset, _with(following, seat, off)) is not None
    ]
    slip: Score = _with((0,) * len(score), alone[0], off) if alone else ()
    names = [sheet.names[seat] for seat in alone or seats]
    if len(names) == 1:
        return [_slip(names[0], off, alone=bool(alone))], slip
    high = f"{abs(off)} too {'high' if off > 0 else 'low'}"
    since = "in this row" if alone else "from here on"
    text = f"a running total is {high} {since}, that of {list_words(names, 'or')}"
    return [SheetRemark(text, ("9.1",), wrong=True)], slip


def _with(score: Score, seat: int, more: int) -> Score:
    return (*score[:seat], score[seat] + more, *score[seat + 1 :])


def _worth_telling(
    sheet: Sheet,
    ruleset: Ruleset,
    score: Score,
    way: DealScore | None,
    revokers: tuple[tuple[int, ...], ...],
) -> Iterator[SheetRemark]:
    """A remark on a moon, a sun or revokes that a possible score shows.

    A moon is mentioned only if the score cannot come about without one. A bonus card is
    not mentioned, since it is common.
    """
    if revokers:
        who = "somebody"
        if len(revokers) == 1:
            who = list_words(sheet.names[seat] for seat in sorted({*revokers[0]}))
        what = "a revoke" if len(revokers[0]) == 1 else "two revokes"
        clause = "7.9" if way is None else "7.10"
        yield SheetRemark(f"{who} paid for {what}", (clause,))
    elif way is not None:
        ways = _ways_without_revoke(ruleset, way)
        if any(one.shooter < 0 for one in ways):
            return
        values = {one.score[one.shooter] for one in ways}
        seats = [seat for seat, one in enumerate(score) if one in values]
        sun = all(one.sun for one in ways)
        what, clause = ("sun", "8.4") if sun else ("moon", "8.3")
        who = sheet.names[seats[0]] if len(seats) == 1 else "somebody"
        yield SheetRemark(f"{who} shot the {what}", (clause,))


def _ways_without_revoke(ruleset: Ruleset, way: DealScore) -> list[DealScore]:
    """The ways to reach the score of `way` without a moon barred by a revoke (8.3b)."""
    return [one for one in deal_ways(ruleset)[way.score] if one.barred < 0]


def _with_slips(
    sheet: Sheet, rows: Sequence[JudgedRow], gaps: Sequence[bool]
) -> Iterator[JudgedRow]:
    """The rows with remarks added on wrong running totals that stand beside points.

    A total that is too high or too low by the same amount as before is not a new slip.
    Where deals are missing, the totals are taken as they are written.
    """
    off = [
        tuple(
            said - right for said, right in zip(one.row.totals, one.totals, strict=True)
        )
        if one.row.totals
        else (0,) * len(one.totals)
        for one in rows
    ]
    carried = [0] * len(sheet.names)
    for at, one in enumerate(rows):
        if gaps[at]:
            carried = [*off[at]]
        slips = []
        for seat, name in enumerate(sheet.names):
            more = off[at][seat] - carried[seat]
            if not more:
                continue
            back = at + 1 < len(off) and off[at + 1][seat] == carried[seat]
            if not back:
                carried[seat] = off[at][seat]
            if off[at][seat]:
                slips.append(_slip(name, more, alone=back))
        yield attrs.evolve(one, remarks=(*one.remarks, *slips))


def _slip(name: str, more: int, alone: bool) -> SheetRemark:
    """The remark that a running total is too high or too low by `more`.

    `more` is negative for a total that is too low; `alone` says whether it is wrong in
    this row alone, or from here on.
    """
    high = f"{abs(more)} too {'high' if more > 0 else 'low'}"
    since = "in this row" if alone else "from here on"
    text = f"the running total of {name} is {high} {since}"
    return SheetRemark(text, ("9.1",), wrong=True)


# The numbers of the deals, and the sums


def _of_number(before: int, deal: int) -> Iterator[SheetRemark]:
    """The remarks on the number of a deal, if one is written down."""
    if not deal or deal == before + 1:
        return
    if deal <= before:
        text = f"deal {deal} comes after deal {before}"
        if deal == before:
            text = f"deal {deal} a second time"
        yield SheetRemark(text, ("4.1",), wrong=True)
        return
    first, last = before + 1, deal - 1
    lacking = f"deal {first} is" if first == last else f"deals {first} to {last} are"
    yield SheetRemark(f"{lacking} not on the sheet", ())


def _of_sums(sheet: Sheet, totals: Score) -> Iterator[SheetRemark]:
    for name, total, said in zip(sheet.names, totals, sheet.sums, strict=False):
        if said not in (None, total):
            text = f"the total of {name} is {total}, not {said}"
            yield SheetRemark(text, ("9.1",), wrong=True)
