"""Judging a score sheet by the rules: its rows, the totals, the passes and the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

import attrs

from refengine.chapters.cards import EMPTY, Mask, points_of
from refengine.chapters.deal import match_pack
from refengine.chapters.match import new_totals, plus_loses_match
from refengine.chapters.score import PLUS, Haul, deal_score, moon_worth
from refengine.chapters.settings import OTHERS_PLUS_UNLESS_LOSING
from refengine.errors import counted
from refengine.game.rulesets import Ruleset
from refengine.rulings.match_end import MatchStands, past_the_end
from refengine.rulings.pass_direction import other_pass
from refengine.rulings.seat_numbers import minus, plus
from refengine.rulings.sentences import Said
from refengine.rulings.sheets.deal_scores import DealScore, deal_scores
from refengine.rulings.sheets.how_scored import (
    HowScored,
    has_sum_with_revokes,
    how_scored,
    most_in_a_deal,
    points_too_many,
    ways_without_revoke,
)
from refengine.rulings.sheets.reading_sheets import Sheet, SheetRow
from refengine.rulings.words import list_words

Score = tuple[int, ...]


@attrs.frozen
class SheetRemark(Said):
    """A remark on a row or on the whole sheet, with the clauses that decide it.

    A remark that is not `wrong` points out something worth knowing, such as a moon.
    """

    wrong: bool = False


@attrs.frozen(kw_only=True)
class JudgedRow:
    """A deal on a sheet: its score, the totals after it, and the remarks on it.

    A slip in a running total is put right in them, unless several totals may hold it.
    """

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
    last row. They are not if deals are missing and no totals are written down after
    them; then there are no `winners`, and the match is `over` only if it is so whatever
    was scored in those deals. Nor are there any winners if they depend on which of
    several totals holds a slip.
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
    """The sheet judged with its numbers taken as totals (`running`) or as points."""
    rows = sheet.rows
    match = _Match(
        sheet=sheet,
        ruleset=ruleset,
        running=running,
        scores=[*_scores(sheet, ruleset)] if running else [one.numbers for one in rows],
        gaps=_gaps(rows),
        totals=(0,) * len(sheet.names),
    )
    judged = [match.row(at) for at in range(len(rows))]
    return SheetJudgement(
        ruleset=ruleset,
        sheet=sheet,
        running=running,
        rows=tuple(_with_slips(sheet, judged, match)),
        over=match.ended > 0,
        ended=match.ended,
        reached=match.reached and not match.ended,
        winners=match.winners,
        totals_known=match.known_at_end if match.ended else match.known,
        remarks=tuple(_of_sums(sheet, match.totals)) if match.known else (),
    )


@attrs.define(kw_only=True)
class _Match:
    """The match on a sheet, brought up to date row by row.

    `scores` holds the score of each row as it was written, and `gaps` says before which
    rows deals are missing. `totals` holds the totals after the row judged last, and
    `known` says whether they are known. `slips` holds the errors in its running totals,
    of which any one explains this row and the next. `ended` is the number of the row
    that ended the match, or 0; `known_at_end`, `played_on` and `winners` are about that
    moment. `told_over` says whether a remark has said that the match was over. For each
    row, `off` says how much too high the totals beside its points are, and `taken`
    whether the totals were taken from those written down.
    """

    sheet: Sheet
    ruleset: Ruleset
    running: bool
    scores: Sequence[Score]
    gaps: Sequence[bool]
    totals: Score
    known: bool = True
    deal: int = 0
    slips: tuple[Score, ...] = ()
    reached: bool = False
    ended: int = 0
    known_at_end: bool = True
    played_on: bool = False
    winners: tuple[int, ...] = ()
    told_over: bool = False
    off: list[tuple[int | None, ...]] = attrs.field(factory=list)
    taken: list[bool] = attrs.field(factory=list)

    def row(self, at: int) -> JudgedRow:
        """Judge the row at this index, and bring the match up to date.

        A score with a slip in one total is put right. If several totals may hold the
        slip, the scores of both rows stay as they were written.
        """
        row, gap, above = self.sheet.rows[at], self.gaps[at], self.slips
        remarks = [*_of_number(self.deal, row.deal)]
        self.deal = row.deal or self.deal + 1
        remarks += self._over_and_pass(row)
        # A slip in the total above makes the points too many or too few here.
        score = plus(self.scores[at], self._certain_slip())
        self.slips = ()
        written = _all_written(row.numbers if self.running else row.written_totals)
        self.known = self.known and (self.running or not gap)
        taken = bool(written) and (gap or not self.known)
        if taken:  # the totals go on from those written down
            self.totals, self.known = minus(written, score), True
        if not (self.running and gap) and len(above) < 2:
            more, score, self.slips = self._of_score(at, score)
            remarks += more
            if self.known:
                remarks += self._other_settlement(score)
        if self.running or taken:
            remarks += _not_set_back(self.sheet, self.ruleset, written)
        before = self.totals
        self.totals = new_totals(self.ruleset.rules, before, score)
        self.off.append(_off(row.written_totals, self.totals, self.known))
        self.taken.append(taken)
        self._look_for_the_end(at, before, score)
        return JudgedRow(
            row=row, score=score, totals=self.totals, remarks=tuple(remarks)
        )

    def _certain_slip(self) -> Score:
        """The error in the running totals of a row, if it is certain; else noughts."""
        return self.slips[0] if len(self.slips) == 1 else (0,) * len(self.totals)

    def _over_and_pass(self, row: SheetRow) -> Iterator[SheetRemark]:
        """The remarks that the match was over before a row, and on its pass."""
        if self.ended and not self.told_over:
            self.told_over = True
            names = self.sheet.names
            said = past_the_end(self.ruleset, self.totals, names, "row", self.played_on)
            yield SheetRemark(said.text, said.clauses, wrong=True)
        for said in other_pass(self.ruleset, self.deal, row.passed):
            yield SheetRemark(said.text, said.clauses, wrong=True)

    def _of_score(
        self, at: int, score: Score
    ) -> tuple[list[SheetRemark], Score, tuple[Score, ...]]:
        """The remarks on the score of a row, the right score, and slips in the row.

        A score is put right if only one running total can be wrong. The last part is
        empty unless an error in a running total of this row alone explains the next row
        as well; it holds each such error, by seat.
        """
        sheet, ruleset = self.sheet, self.ruleset
        found = how_scored(ruleset, score)
        if found is not None:
            return [*_worth_telling(sheet, ruleset, score, found)], score, ()
        off = points_too_many(ruleset, score)
        if not (self.running and off):
            return [_impossible(sheet, ruleset, score, off)], score, ()
        # Before a gap, the next row adds up several deals and shows nothing.
        last = at + 1 == len(self.scores) or self.gaps[at + 1]
        following = None if last else self.scores[at + 1]
        return _slip_in_totals(sheet, ruleset, score, off, following)

    def _other_settlement(self, score: Score) -> Iterator[SheetRemark]:
        """A remark if a moon was settled in a way that 9.7 does not allow here."""
        rules = self.ruleset.rules
        if rules.moon != OTHERS_PLUS_UNLESS_LOSING:
            return
        moon = _certain_moon(self.ruleset, score)
        if moon is None:
            return
        way, shooter = moon
        pack = match_pack(rules, EMPTY)
        hauls = tuple(
            Haul(Mask(one.mask), number)
            for one, number in zip(way.taken, way.tricks, strict=True)
        )
        by_plus = deal_score(rules, pack, hauls, way.shooter, PLUS, ()) == way.score
        worth = 0 if by_plus else int(moon_worth(rules, pack, hauls, way.shooter))
        with_plus = tuple(one + worth for one in score)
        loses = plus_loses_match(
            rules, self.totals, with_plus, shooter, self.reached, self.deal
        )
        if bool(loses) == by_plus:
            due = "takes points off the shooter" if loses else "gives the others points"
            text = f"the moon of {self.sheet.names[shooter]} {due}"
            yield SheetRemark(text, ("9.7",), wrong=True)

    def _look_for_the_end(self, at: int, before: Score, score: Score) -> None:
        """Note whether the limit is reached and the match over after this row.

        `before` holds the totals before it. If several totals may hold a slip, and that
        depends on which, nothing is noted.
        """
        rules, possible = self.ruleset.rules, [self.totals]
        if len(self.slips) > 1:
            scores = [minus(score, slip) for slip in self.slips]
            possible = [new_totals(rules, before, one) for one in scores]
        stands, *others = [
            MatchStands.after(rules, totals, self.reached, self.deal)
            for totals in possible
        ]
        if any(
            (one.reached, one.over) != (stands.reached, stands.over) for one in others
        ):
            return
        # Deals that are missing may have lowered a total, or brought about a tie.
        certain = self.known or _totals_only_rise(self.ruleset)
        by_limit = certain and not rules.ties_played_on
        decided = self.known or by_limit or not rules.has_limit
        if stands.over and decided and not self.ended:
            self.ended, self.known_at_end = at + 1, self.known
            self.played_on = self.reached
            agreed = all(one.winners == stands.winners for one in others)
            self.winners = stands.winners if self.known and agreed else ()
        if certain:
            self.reached = stands.reached


@lru_cache(maxsize=64)
def _totals_only_rise(ruleset: Ruleset) -> bool:
    """Whether no deal takes points off a total, and 9.2 sets none back."""
    return not ruleset.rules.has_reset and min(map(min, deal_scores(ruleset))) >= 0


def _gaps(rows: Sequence[SheetRow]) -> list[bool]:
    """For each row, whether its deal number shows that deals are missing before it."""
    found, deal = [], 0
    for row in rows:
        found.append(row.deal > deal + 1)
        deal = row.deal or deal + 1
    return found


def _all_written(totals: Sequence[int | None]) -> Score:
    """The totals of a row; empty if nobody wrote down one of them."""
    written = tuple([one for one in totals if one is not None])
    return written if len(written) == len(totals) else ()


def _off(
    written: Sequence[int | None], right: Score, known: bool
) -> tuple[int | None, ...]:
    """How much too high each written total is, or None if that cannot be known."""
    if not (written and known):
        return (None,) * len(right)
    return tuple(
        None if one is None else one - total
        for one, total in zip(written, right, strict=True)
    )


def _not_set_back(
    sheet: Sheet, ruleset: Ruleset, totals: Score
) -> Iterator[SheetRemark]:
    """A remark on each running total that should have been set back by 9.2."""
    rules = ruleset.rules
    for name, total in zip(sheet.names, totals, strict=True):
        if rules.has_reset and total == rules.limit:
            becomes = f"exactly {total}, becomes {rules.reset_to}"
            text = f"the running total of {name}, {becomes}"
            yield SheetRemark(text, ("9.2",), wrong=True)


def _certain_moon(ruleset: Ruleset, score: Score) -> tuple[DealScore, int] | None:
    """The way to a score that no deal without a moon gives, and the seat that shot it.

    None if there is no such way, or if several seats may have shot the moon.
    """
    found = how_scored(ruleset, score)
    if found is None or found.way is None or found.way.shooter < 0 or found.revokers:
        return None
    way = found.way
    if any(one.shooter != way.shooter for one in ways_without_revoke(ruleset, way)):
        return None  # it may have been no moon
    seats = [seat for seat, one in enumerate(score) if one == way.score[way.shooter]]
    return (way, seats[0]) if len(seats) == 1 else None


# Scores


def _scores(sheet: Sheet, ruleset: Ruleset) -> Iterator[Score]:
    """The score of each deal, as implied by the running totals.

    Where a total may have been set back (9.2), that is taken into account.
    """
    rules = ruleset.rules
    most = most_in_a_deal(ruleset) if rules.has_reset else 0
    before: Score = (0,) * len(sheet.names)
    for row in sheet.rows:
        ways = []
        for old, new in zip(before, row.numbers, strict=True):
            to_limit = int(rules.limit) - old
            # With 13 players at 0, trying what nobody can score would take seconds.
            set_back = rules.has_reset and new == rules.reset_to and to_limit <= most
            ways.append((new - old, to_limit) if set_back else (new - old,))
        found = [*product(*ways)]
        right = (one for one in found if how_scored(ruleset, one) is not None)
        yield next(right, found[0])
        before = row.numbers


def _impossible(sheet: Sheet, ruleset: Ruleset, score: Score, off: int) -> SheetRemark:
    total = sum(score)
    if off:
        more = f"{abs(off)} too {'many' if off > 0 else 'few'}"
        why = ": no deal gives that"
        if has_sum_with_revokes(ruleset, total):
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
) -> tuple[list[SheetRemark], Score, tuple[Score, ...]]:
    """A remark on the likeliest slip in a running total; the rest as in `_of_score`.

    The remark says whether the total is wrong only here or from here on, or that the
    score is impossible if no slip explains it. If several totals may be the wrong one,
    it names them all.
    """
    seats = [
        seat
        for seat in range(len(score))
        if how_scored(ruleset, _with(score, seat, -off)) is not None
    ]
    if not seats:
        return [_impossible(sheet, ruleset, score, off)], score, ()
    alone = [
        seat
        for seat in seats
        if following is not None
        and how_scored(ruleset, following) is None
        and how_scored(ruleset, _with(following, seat, off)) is not None
    ]
    likely = alone or seats
    names = [sheet.names[seat] for seat in likely]
    right = _with(score, likely[0], -off) if len(likely) == 1 else score
    nothing = (0,) * len(score)
    slips = tuple(_with(nothing, seat, off) for seat in alone)
    return [_slip(names, off, alone=bool(alone))], right, slips


def _with(score: Score, seat: int, more: int) -> Score:
    return (*score[:seat], score[seat] + more, *score[seat + 1 :])


def _worth_telling(
    sheet: Sheet, ruleset: Ruleset, score: Score, found: HowScored
) -> Iterator[SheetRemark]:
    """A remark on a moon, a sun or revokes that a possible score shows.

    A moon is mentioned only if the score cannot come about without one. A bonus card is
    not mentioned, since it is common.
    """
    way, revokers = found.way, found.revokers
    if revokers:
        who = "somebody"
        if len(revokers) == 1:
            who = list_words(sheet.names[seat] for seat in sorted({*revokers[0]}))
        what = "a revoke" if len(revokers[0]) == 1 else "two revokes"
        clause = "7.9" if way is None else "7.10"
        yield SheetRemark(f"{who} paid for {what}", (clause,))
    elif way is not None:
        ways = ways_without_revoke(ruleset, way)
        if any(one.shooter < 0 for one in ways):
            return
        values = {one.score[one.shooter] for one in ways}
        seats = [seat for seat, one in enumerate(score) if one in values]
        sun = all(one.sun for one in ways)
        what, clause = ("sun", "8.4") if sun else ("moon", "8.3")
        who = sheet.names[seats[0]] if len(seats) == 1 else "somebody"
        yield SheetRemark(f"{who} shot the {what}", (clause,))


def _with_slips(
    sheet: Sheet, rows: Sequence[JudgedRow], match: _Match
) -> Iterator[JudgedRow]:
    """The rows with remarks added on wrong running totals that stand beside points.

    A total that is too high or too low by the same amount as before is not a new slip.
    Where deals are missing, the totals are taken as they are written.
    """
    off = match.off
    carried: list[int | None] = [0] * len(sheet.names)
    for at, one in enumerate(rows):
        if match.taken[at]:
            carried = [*off[at]]
        slips = []
        for seat, name in enumerate(sheet.names):
            more, before = off[at][seat], carried[seat]
            if more is None or before is None or more == before:
                continue
            later = (then[seat] for then in off[at + 1 :])
            back = next((one for one in later if one is not None), None) == before
            if not back:
                carried[seat] = more
            if more:
                slips.append(_slip([name], more - before, alone=back))
        yield attrs.evolve(one, remarks=(*one.remarks, *slips))


def _slip(names: Sequence[str], more: int, alone: bool) -> SheetRemark:
    """The remark that a running total, of one of these players, is off by `more`.

    `more` is negative for a total that is too low; `alone` says whether it is wrong in
    this row alone, or from here on.
    """
    high = f"{abs(more)} too {'high' if more > 0 else 'low'}"
    since = "in this row" if alone else "from here on"
    text = f"a running total is {high} {since}, that of {list_words(names, 'or')}"
    if len(names) == 1:
        text = f"the running total of {names[0]} is {high} {since}"
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
