"""The play of a deal, as functions from one position to the next (chapters 5 and 6)."""

from collections.abc import Callable
from typing import Final

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, Mask, card_at, number_of
from refengine.chapters.draw import draw_is_due, next_card, next_leader, seats_empty
from refengine.chapters.layout import Hand, Piles, Position, Talon
from refengine.chapters.play import (
    add_trick,
    beats,
    breaks_hearts,
    follow_suit,
    hold_back_hearts,
    hold_back_queen,
    next_to_play,
    no_points_at_first,
    no_points_left,
    opening_card,
    opening_leader,
    play_has_ended,
    play_the_queen,
    suit_led,
    takes_kitty,
)
from refengine.chapters.settings import Rules
from refengine.chapters.table import AT_TABLE, SEAT, next_in_turn

Narrowing = Callable[[Rules, Position, Mask], Mask]

NARROWING: Final[tuple[tuple[str, Narrowing], ...]] = (
    ("5.2", opening_card),
    ("5.3", lambda rules, position, allowed: follow_suit(position, allowed)),
    ("5.4", hold_back_hearts),
    ("5.5", no_points_at_first),
    ("5.5b", hold_back_queen),
    ("5.6", play_the_queen),
)
"""The narrowing clauses in the order in which they are applied (0.7a)."""


def first_position(
    rules: Rules,
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
    kitty: Mask,
    dealer: i64,
) -> Position:
    """The position just before the opening lead of a deal with these cards.

    Nothing is left over in it from earlier deals.

    Clause 3.11.
    """
    leader = opening_leader(rules, hands, dealer)
    return Position(
        hands=tuple(Hand(hand) for hand in hands),
        talon=Talon(stock, 0, kitty, -1),
        piles=Piles((EMPTY,) * len(hands), (0,) * len(hands), 0, True),
        played=EMPTY,
        led=EMPTY,
        table=EMPTY,
        best=EMPTY,
        winner=leader,
        leader=leader,
        turn=leader,
        hand=hands[leader],
        drew=EMPTY,
        out=0,
        hearts_broken=False,
        empty=0,
    )


def playable(rules: Rules, position: Position) -> Mask:
    """The cards that may be played now, or none while a draw is due or play has ended.

    Clauses 0.12, 5.8, 6.4a.
    """
    if draw_is_due(rules, position):
        return EMPTY
    # NARROWING, unrolled: once compiled, each call is direct, and playouts spend most
    # of their time here. A theorem proves that the two agree.
    allowed = opening_card(rules, position, position.hand)
    allowed = follow_suit(position, allowed)
    allowed = hold_back_hearts(rules, position, allowed)
    allowed = no_points_at_first(rules, position, allowed)
    allowed = hold_back_queen(rules, position, allowed)
    return play_the_queen(rules, position, allowed)


def on_table(rules: Rules, position: Position) -> tuple[int, ...]:
    """The numbers of the cards on the table, in the order in which they were played.

    Who played each card is found from `hands`, where played cards stay.
    """
    numbers: list[int] = []
    seat = position.leader
    for _ in range(rules.players):
        card = Mask(position.hands[seat].cards & position.table)
        if card:
            numbers.append(int(number_of(card)))
        seat = next_in_turn(rules, seat)
    return tuple(numbers)


def narrowing_broken(rules: Rules, position: Position, card: Mask) -> tuple[str, ...]:
    """The narrowing clauses that rule out this card of the hand, in the order applied.

    Each clause is given the cards that the clauses before it leave, plus this card, so
    a clause is named even if an earlier one has already ruled the card out.

    Clause 0.7a.
    """
    if playable(rules, position) & card:
        return ()  # a shortcut: every play is judged here, and most are legal
    broken: list[str] = []
    allowed = position.hand
    for number, narrow in NARROWING:
        if not narrow(rules, position, Mask(allowed | card)) & card:
            broken.append(number)
        allowed = narrow(rules, position, allowed)
    return tuple(broken)


def after_draw(position: Position) -> Position:
    """The position once the seat to play has drawn the top card of the stock.

    Clause 6.4.
    """
    talon = position.talon
    seat = position.turn
    card = card_at(next_card(talon))
    hands = position.hands
    held = Hand(Mask(hands[seat].cards | card))
    return position.with_draw(
        hands=tuple(
            held if one == seat else hands[one] for one in AT_TABLE[len(hands)]
        ),
        talon=Talon(talon.stock, talon.drawn + 1, talon.kitty, talon.kitty_to),
        hand=Mask(position.hand | card),
        drew=Mask(position.drew | card),
    )


def after_play(rules: Rules, position: Position, card: Mask) -> Position:
    """The position once the seat to play has played this card from its hand.

    Clauses 5.9, 5.10, 5.12.
    """
    seat = position.turn
    led = suit_led(position, card)
    best = position.best
    winner = position.winner
    if not position.led or beats(led, best, card):
        best = card
        winner = seat
    played = Mask(position.played | card)
    table = Mask(position.table | card)
    broken = position.hearts_broken or breaks_hearts(rules, card)
    empty = seats_empty(position, card)
    turn = next_to_play(rules, seat, position.out)
    if turn == position.leader:
        return _after_trick(
            rules,
            position,
            played=played,
            trick=table,
            best=best,
            winner=winner,
            broken=broken,
            out=empty,
        )
    return position.with_card(
        played=played,
        led=led,
        table=table,
        best=best,
        winner=winner,
        turn=turn,
        hand=Mask(position.hands[turn].cards & ~played),
        hearts_broken=broken,
        empty=empty,
    )


def _after_trick(
    rules: Rules,
    position: Position,
    played: Mask,
    trick: Mask,
    best: Mask,
    winner: i64,
    broken: bool,
    out: i64,
) -> Position:
    """The position once the trick on the table is complete.

    If play has ended, `leader` and `out` stay as they were during this last trick.
    Clauses 5.11, 5.13, 5.14, 5.14a, 6.7.
    """
    hands = position.hands
    talon = position.talon
    empty = out
    everybody = SEAT[rules.players - 1] * 2 - 1
    last = play_has_ended(everybody & ~out) or no_points_left(rules, hands, played)
    if takes_kitty(rules, talon, trick, position.piles.first, last):
        talon = Talon(talon.stock, talon.drawn, talon.kitty, winner)
    leader = position.leader
    turn: i64 = -1
    hand = EMPTY
    if last:
        out = position.out
    else:
        leader = next_leader(winner, out, rules.players)
        turn = leader
        hand = Mask(hands[turn].cards & ~played)
    return position.with_trick(
        talon=talon,
        piles=add_trick(position.piles, trick, winner),
        played=played,
        best=best,
        winner=winner,
        leader=leader,
        turn=turn,
        hand=hand,
        out=out,
        hearts_broken=broken,
        empty=empty,
    )


def taken_back(before: Position, now: Position) -> Position:
    """The position before a play that is taken back, with later draws left standing.

    Clauses 7.5, 7.5a.
    """
    talon = before.talon
    return Position(
        hands=now.hands,
        talon=Talon(talon.stock, now.talon.drawn, talon.kitty, talon.kitty_to),
        piles=before.piles,
        played=before.played,
        led=before.led,
        table=before.table,
        best=before.best,
        winner=before.winner,
        leader=before.leader,
        turn=before.turn,
        hand=Mask(now.hands[before.turn].cards & ~before.played),
        drew=before.drew,
        out=before.out,
        hearts_broken=before.hearts_broken,
        empty=before.empty,
    )
