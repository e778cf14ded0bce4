"""The score, the totals and the winners on record for a deal that is known in part.

If the cards do not tell the score, it is taken as it is stated, and the totals and the
winners are compared with that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Final

import attrs

from refengine.chapters.match import new_totals
from refengine.chapters.settings import KITTY
from refengine.formats.written.written_match import WrittenDeal
from refengine.game.acts import Claim, MoonChoice
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State
from refengine.rulings.asking.played_deals import (
    PlayedDeal,
    all_taken,
    cards_each,
    counting_cards,
    scored_deal,
)
from refengine.rulings.match_end import MatchStands, clause_of_the_end
from refengine.rulings.sheets.deal_scores import can_be_scored

WonTrick = tuple[int | None, CardSet]
"""A trick: the seat that won it, or None if nothing tells, and its known cards."""

_MOST_WAYS: Final = 256  # with more, claims of revokes are not looked at one by one


@attrs.frozen
class WrongScore:
    """The scores or totals in the record, and the right ones."""

    stated: tuple[int, ...]
    right: tuple[int, ...]


@attrs.frozen
class WrongEnd:
    """The winners in the record, how the match stands by the totals, and the clause."""

    stated: tuple[int, ...]
    right: MatchStands
    clause: str


@attrs.frozen(kw_only=True)
class JudgedScore:
    """What is wrong with the score, the totals and the winners of a deal on record.

    `impossible_score` is the score in the record if no deal can give it, and is empty
    otherwise. `score` is the score that follows from the cards taken, or None if too
    little is known.
    """

    impossible_score: tuple[int, ...] = ()
    wrong_score: WrongScore | None = None
    wrong_totals: WrongScore | None = None
    wrong_end: WrongEnd | None = None
    score: tuple[int, ...] | None = None

    @property
    def fits(self) -> bool:
        """Whether nothing on record about the score or the match is certainly wrong."""
        wrong = self.wrong_score or self.wrong_totals or self.wrong_end
        return not (self.impossible_score or wrong)


def judge_score(
    ruleset: Ruleset, deal: WrittenDeal, tricks: Sequence[WonTrick] | None
) -> JudgedScore:
    """What is wrong with the score, the totals and the winners of a deal.

    `tricks` holds its tricks, or is None if the cards are not to be compared with the
    score. Totals that cannot be worked out are taken as they are stated.
    """
    found = JudgedScore() if tricks is None else _by_cards(ruleset, deal, tricks)
    score = deal.score if found.score is None else found.score
    totals = deal.totals
    if deal.before and score:
        totals = new_totals(ruleset.rules, deal.before, score)
    return attrs.evolve(
        found,
        wrong_totals=_unlike(deal.totals, totals),
        wrong_end=_wrong_end(ruleset, deal, totals),
    )


def _wrong_end(
    ruleset: Ruleset, deal: WrittenDeal, totals: tuple[int, ...]
) -> WrongEnd | None:
    """What is wrong with the winners; None if nothing is, or too little is known."""
    if not (totals and deal.winners):
        return None
    if deal.number is None and ruleset.options["limit"] == "none":
        return None  # only the number would tell whether it was the last deal
    right = MatchStands.after(ruleset.rules, totals, deal.reached, deal.number or 1)
    if right.winners == deal.winners:
        return None
    ends = "9.5" if right.over else clause_of_the_end(ruleset, right.reached)
    return WrongEnd(deal.winners, right, ends)


def _by_cards(
    ruleset: Ruleset, deal: WrittenDeal, tricks: Sequence[WonTrick]
) -> JudgedScore:
    """The score by the cards, and what is wrong with the stated one."""
    ways = _ways_to_revoke(ruleset, deal)
    found = [_settled(_scored(ruleset, deal, tricks, one), deal) for one in ways]
    ends = [end for some in found for end in some]
    right = next((one for one in ends if _is_stated(deal, one)), None)
    if right is None and len(found[0]) == 1:
        [right] = found[0]
    if right is None:
        possible = not deal.score or (
            not found[0]
            and any(can_be_scored(ruleset, deal.score, one) for one in ways)
        )
        return JudgedScore(impossible_score=() if possible else deal.score)
    return JudgedScore(wrong_score=_unlike(deal.score, right.score), score=right.score)


def _ways_to_revoke(ruleset: Ruleset, deal: WrittenDeal) -> list[tuple[int, ...]]:
    """The seats whose revokes may have counted, one tuple for each possibility.

    A seat is listed once for each revoke. The first tuple assumes that all claims were
    right, the others that some were false, which costs nothing (7.7a). If that
    makes very many tuples, there are only two: for all claims, and for none.
    """
    if not ruleset.rules.revokes_penalised:
        return [()]
    claims = {
        (one.against, one.trick): None for one in deal.course if isinstance(one, Claim)
    }
    number = Counter(seat for seat, _ in claims if seat < ruleset.players)
    if prod(most + 1 for most in number.values()) > _MOST_WAYS:
        return [tuple(number.elements()), ()]
    return [
        tuple(Counter(dict(zip(number, some, strict=True))).elements())
        for some in product(*(range(most, -1, -1) for most in number.values()))
    ]


def _settled(state: State | None, deal: WrittenDeal) -> list[State]:
    """The possible final states of a deal, one for each way to settle a moon.

    There are several only if the choice is unknown, and none if too little is known.
    """
    if state is None or state.phase != "moon":
        return [] if state is None else [state]
    written = [one for one in deal.course if isinstance(one, MoonChoice)]
    open_ones = [one for one in written if one in state.legal]
    return [state.apply(one) for one in open_ones or state.legal]


def _is_stated(deal: WrittenDeal, end: State) -> bool:
    """Whether this end has the stated score or, if there is none, the stated totals."""
    if deal.score or not deal.before:
        return end.score == deal.score
    return end.totals == deal.totals


def _unlike(
    stated: tuple[int, ...], right: tuple[int, ...] | None
) -> WrongScore | None:
    """The stated and the right numbers; None if either is missing or they agree."""
    if not stated or right is None or stated == right:
        return None
    return WrongScore(stated, right)


def _scored(
    ruleset: Ruleset,
    deal: WrittenDeal,
    tricks: Sequence[WonTrick],
    revokers: tuple[int, ...],
) -> State | None:
    """The state after the deal, scored by its cards; None if too little is known."""
    if ruleset.rules.undealt == KITTY:
        return None
    taken = [CardSet() for _ in range(ruleset.players)]
    won = [0] * ruleset.players
    for seat, cards in tricks:
        if seat is None:
            return None
        taken[seat] |= cards
        won[seat] += 1
    missing = counting_cards(ruleset) - all_taken(tuple(taken))
    if sum(won) < cards_each(ruleset) or missing:
        return None
    played = PlayedDeal(
        taken=tuple(taken),
        tricks=tuple(won),
        totals=deal.before or (0,) * ruleset.players,
        reached=deal.reached,
        revokers=revokers,
    )
    return scored_deal(ruleset, played)
