"""Scoring a deal when its play has ended, by the rules of chapters 6 to 9."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from refengine.chapters.cards import Mask
from refengine.chapters.draw import (
    last_to_play,
    standing_hand,
    stock_goes_to,
    stock_holds_cards,
)
from refengine.chapters.layout import Position
from refengine.chapters.match import settled_by_rule
from refengine.chapters.revoke import Revoke, revoke_penalties, revokers
from refengine.chapters.score import (
    PLUS,
    UNSETTLED,
    Haul,
    captured,
    deal_score,
    moon_shooter,
)
from refengine.chapters.settings import Rules
from refengine.chapters.table import AT_TABLE, SEAT
from refengine.machine.core import DealStart
from refengine.sealing import seal


@final
@mypyc_attr(free_list_len=1)
class Ending:
    """The end of play: who shot the moon, how it is settled, and the score.

    While the shooter still has to choose, `settled` is UNSETTLED and `score` is empty.
    `stock_to` is the seat that took the rest of the stock into its hand, or -1 if none
    did.
    """

    def __init__(
        self, shooter: i64, settled: i64, score: tuple[int, ...], stock_to: i64
    ) -> None:
        self.shooter: Final = shooter
        self.settled: Final = settled
        self.score: Final = score
        self.stock_to: Final = stock_to


seal(Ending)


def standing_hands(position: Position, stock_to: i64) -> tuple[Mask, ...]:
    """The cards in each hand, with the rest of the stock in the hand of `stock_to`."""
    return tuple(
        standing_hand(position, seat, stock_to)
        for seat in AT_TABLE[len(position.hands)]
    )


def hauls(rules: Rules, position: Position, stock_to: i64) -> tuple[Haul, ...]:
    """The cards that count for each seat when the deal is scored, and its tricks.

    `stock_to` is the seat that has taken the rest of the stock into its hand, or -1.
    """
    piles = position.piles
    talon = position.talon
    return tuple(
        captured(piles, talon, seat, standing_hand(position, seat, stock_to))
        for seat in AT_TABLE[rules.players]
    )


def ending(
    rules: Rules,
    pack: Mask,
    position: Position,
    revokes: tuple[Revoke, ...],
    sheet: DealStart,
    chosen: i64,
) -> Ending:
    """The end of a deal whose play is over.

    `chosen` is the shooter's choice, or UNSETTLED if none has been made yet.
    Clauses 6.8a, 6.8b, 8.9, 9.7a.
    """
    stock_to: i64 = -1
    if stock_holds_cards(position.talon):
        everybody = SEAT[rules.players - 1] * 2 - 1
        last = last_to_play(rules, position)
        stock_to = stock_goes_to(rules, everybody & ~position.empty, last)
    held = hauls(rules, position, stock_to)
    shooter = moon_shooter(rules, pack, held, revokers(revokes))
    penalties = revoke_penalties(rules, pack, revokes)
    settled: i64 = UNSETTLED
    if shooter >= 0:
        plus = deal_score(rules, pack, held, shooter, PLUS, penalties)
        settled = settled_by_rule(
            rules, sheet.totals, plus, shooter, sheet.reached, sheet.number
        )
        if settled == UNSETTLED:
            settled = chosen
        if settled == UNSETTLED:
            return Ending(shooter, settled, (), stock_to)
    score = deal_score(rules, pack, held, shooter, settled, penalties)
    return Ending(shooter, settled, score, stock_to)
