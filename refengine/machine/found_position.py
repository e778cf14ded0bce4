"""Conditions without which play cannot have led to a stated position (3.12a).

They are judged in three groups: a group is judged only if no condition in an earlier
one fails, and each condition in a group is judged on its own. The first group is about
what is stated, and can be judged for any statement. The second says whether the cards
of the trick in progress can be returned to the hands one by one, and the third is about
the hands as they were when the trick began.
"""

from mypy_extensions import i64

from refengine.chapters.cards import (
    EMPTY,
    HEARTS,
    Mask,
    all_of,
    card_at,
    cards_in,
    count,
)
from refengine.chapters.deal import unequal_hands
from refengine.chapters.layout import Piles
from refengine.chapters.play import (
    ended_before,
    kitty_is_overdue,
    next_to_play,
    opening_leader,
)
from refengine.chapters.settings import STOCK, Rules
from refengine.chapters.table import SEAT


def position_breaks(
    rules: Rules,
    dealer: i64,
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
    kitty: Mask,
    leader: i64,
    table: tuple[int, ...],
    out: i64,
    piles: Piles,
    hearts_broken: bool,
) -> tuple[str, ...]:
    """The clauses that forbid this position, which is stated rather than played.

    Whether a stock or a kitty is misplaced (3.12g, 3.12h) is not judged here.

    Clause 3.12a.
    """
    failed: list[str] = []
    if ended_before(rules, all_of(hands), cards_in(table), piles.first):
        failed.append("3.12b")
    if kitty_is_overdue(rules, kitty, piles.first):
        failed.append("3.12c")
    if stated_twice(hands, stock, kitty, table, piles):
        failed.append("3.12j")
    if cards_when_out(hands, out):
        failed.append("3.12k")
    if leader_is_out(leader, out):
        failed.append("3.12m")
    if unbroken_heart(table, hearts_broken):
        failed.append("3.12n")
    if taken_without_trick(piles):
        failed.append("3.12p")
    if first_after_another(piles):
        failed.append("3.12q")
    if failed:
        return tuple(failed)
    before = hands_before(rules, hands, leader, table, out)
    if not before:
        return ("3.12r",)
    if too_few_in_play(before):
        failed.append("3.12s")
    if out_unstated(before, out):
        failed.append("3.12t")
    if sizes_differ(rules, before):
        failed.append("3.12u")
    if other_leader(rules, before, dealer, leader, piles.first):
        failed.append("3.12v")
    return tuple(failed)


def stated_twice(
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
    kitty: Mask,
    table: tuple[int, ...],
    piles: Piles,
) -> bool:
    """Whether any card appears more than once in the position.

    Clause 3.12j.
    """
    total = len(stock) + count(kitty) + len(table)
    for seat, hand in enumerate(hands):
        total += count(hand) + count(piles.taken[seat])
    seen = Mask(all_of(hands) | all_of(piles.taken) | kitty)
    return count(Mask(seen | cards_in(stock) | cards_in(table))) != total


def cards_when_out(hands: tuple[Mask, ...], out: i64) -> bool:
    """Whether a seat that is stated to be out holds a card.

    Clause 3.12k.
    """
    return (out & ~without_cards(hands)) != 0


def leader_is_out(leader: i64, out: i64) -> bool:
    """Whether the seat that leads is stated to be out.

    Clause 3.12m.
    """
    return (out & SEAT[leader]) != 0


def unbroken_heart(table: tuple[int, ...], hearts_broken: bool) -> bool:
    """Whether a heart lies on the table although hearts are stated to be unbroken.

    Clause 3.12n.
    """
    return not hearts_broken and (cards_in(table) & HEARTS) != 0


def taken_without_trick(piles: Piles) -> bool:
    """Whether cards are stated to have been taken although no trick has been won.

    Clause 3.12p.
    """
    return piles.done == 0 and all_of(piles.taken) != EMPTY


def first_after_another(piles: Piles) -> bool:
    """Whether the trick is stated to be the first although a trick has been won.

    Clause 3.12q.
    """
    return piles.first and piles.done > 0


def too_few_in_play(before: tuple[Mask, ...]) -> bool:
    """Whether fewer than two seats held cards when the trick began.

    Clause 3.12s.
    """
    holding = 0
    for hand in before:
        if hand:
            holding += 1
    return holding < 2


def out_unstated(before: tuple[Mask, ...], out: i64) -> bool:
    """Whether a seat held no card when the trick began but is not stated to be out.

    Clause 3.12t.
    """
    return (without_cards(before) & ~out) != 0


def other_leader(
    rules: Rules, before: tuple[Mask, ...], dealer: i64, leader: i64, first: bool
) -> bool:
    """Whether this is the first trick of the deal and `leader` is not the right leader.

    The leader is not judged if the ruleset has a stock.

    Clause 3.12v.
    """
    if not first or rules.undealt == STOCK:
        return False
    return opening_leader(rules, before, dealer) != leader


def sizes_differ(rules: Rules, before: tuple[Mask, ...]) -> bool:
    """Whether the hands were not all of one size when the trick began.

    Their sizes are not judged if the ruleset has a stock.
    Clause 3.12u.
    """
    return rules.undealt != STOCK and unequal_hands(before)


def without_cards(hands: tuple[Mask, ...]) -> i64:
    """The set of seats whose hand is empty.

    Clause 6.6.
    """
    seats: i64 = 0
    for seat, hand in enumerate(hands):
        if not hand:
            seats |= SEAT[seat]
    return seats


def hands_before(
    rules: Rules,
    hands: tuple[Mask, ...],
    leader: i64,
    table: tuple[int, ...],
    out: i64,
) -> tuple[Mask, ...]:
    """The hands when the trick began, with the cards on the table put back into them.

    Returns an empty tuple if the trick is already complete. The leader must not be out.

    Clauses 3.12a, 3.12r.
    """
    before = list(hands)
    seat = leader
    for card in table:
        before[seat] = Mask(before[seat] | card_at(card))
        seat = next_to_play(rules, seat, out)
        if seat == leader:
            return ()
    return tuple(before)
