"""Chapter 5, Play: leading, following, breaking hearts and winning tricks.

A narrowing clause takes the cards still allowed and returns those that remain allowed.
It never returns the empty set: if it would leave nothing, it does not apply
(`narrowed or allowed`). `refengine.machine.position` puts these clauses together.
"""

from mypy_extensions import i64

from refengine.chapters.cards import (
    ACE_OR_KING_OF_SPADES,
    CLUBS,
    EMPTY,
    HEARTS,
    QUEEN,
    SPADES,
    Mask,
    cards_that_count,
    lowest,
    penalty_cards,
    suit_of,
)
from refengine.chapters.layout import Hand, Piles, Position, Talon
from refengine.chapters.settings import (
    ANY,
    ANY_CLUB,
    FIRST_POINTS,
    FIRST_TRICK,
    LOWEST_CLUB,
    NO_WAIT,
    NONE,
    WAITS_TO_LEAD,
    Rules,
)
from refengine.chapters.table import SEAT, left_of, next_in_turn


def opening_leader(rules: Rules, hands: tuple[Mask, ...], dealer: i64) -> i64:
    """The seat that leads to the first trick, given the hands after the pass.

    Clauses 5.1, 5.1a, 5.1b.
    """
    leader = left_of(dealer, rules.players)
    if rules.left_of_dealer_leads:
        return leader
    first = EMPTY
    for seat, hand in enumerate(hands):
        club = lowest(Mask(hand & CLUBS))
        if club and (not first or club < first):
            first = club
            leader = seat
    return leader


def opening_card(rules: Rules, position: Position, allowed: Mask) -> Mask:
    """The allowed cards or, on the lead to the first trick, those that may open it.

    Clause 5.2.
    """
    if position.led or not position.piles.first or position.drew:
        return allowed
    if rules.opening_card == LOWEST_CLUB:
        return lowest(Mask(allowed & CLUBS)) or allowed
    if rules.opening_card == ANY_CLUB:
        return Mask(allowed & CLUBS) or allowed
    return allowed


def opening_card_beside_left(rules: Rules) -> bool:
    """Whether the seat left of the dealer would have to lead a club it might not hold.

    Clause 5.2a.
    """
    return rules.left_of_dealer_leads and rules.opening_card != ANY


def follow_suit(position: Position, allowed: Mask) -> Mask:
    """The allowed cards of the suit led, or every allowed card if there are none.

    Clause 5.3.
    """
    if not position.led:
        return allowed
    return Mask(allowed & position.led) or allowed


def hearts_or_queen(rules: Rules, position: Position) -> bool:
    """Whether a leader with only hearts and the queen of spades may lead any of them.

    Clause 5.4b.
    """
    if not rules.hearts_or_queen_any or position.drew:
        return False
    return not position.hand & ~(HEARTS | QUEEN)


def hold_back_hearts(rules: Rules, position: Position, allowed: Mask) -> Mask:
    """The allowed cards, less any hearts that may not be led before hearts are broken.

    Clauses 5.4, 5.4a.
    """
    if position.led or rules.hearts_free or position.hearts_broken:
        return allowed
    if hearts_or_queen(rules, position):
        return allowed
    return Mask(allowed & ~HEARTS) or allowed


def no_points_at_first(rules: Rules, position: Position, allowed: Mask) -> Mask:
    """The allowed cards, without penalty cards in a first trick that bars them.

    Clauses 5.5, 5.5a.
    """
    if not position.piles.first or not rules.first_trick_barred:
        return allowed
    return Mask(allowed & ~penalty_cards(rules)) or allowed


def hold_back_queen(rules: Rules, position: Position, allowed: Mask) -> Mask:
    """The allowed cards, without the queen of spades if she may not be played yet.

    If the ruleset so provides, she may not be led, or not even be played, before hearts
    are broken, unless no other card is allowed.

    Clause 5.5b.
    """
    if rules.queen_waits == NO_WAIT or position.hearts_broken:
        return allowed
    if rules.queen_waits == WAITS_TO_LEAD and position.led:
        return allowed
    return Mask(allowed & ~QUEEN) or allowed


def play_the_queen(rules: Rules, position: Position, allowed: Mask) -> Mask:
    """The queen of spades alone if she must be played, otherwise the allowed cards.

    If the ruleset so provides, a seat that does not lead must play her once she is sure
    not to win.

    Clause 5.6.
    """
    if not rules.queen_duty or not position.led or not allowed & QUEEN:
        return allowed
    if not position.hand & position.led:
        return QUEEN
    if position.led == SPADES and position.table & ACE_OR_KING_OF_SPADES:
        return QUEEN
    return allowed


def not_in_hand(position: Position, card: Mask) -> bool:
    """Whether the seat to play does not hold this card.

    Clause 5.7.
    """
    return (position.hand & card) == 0


def breaks_hearts(rules: Rules, card: Mask) -> bool:
    """Whether playing this card, led or discarded, breaks hearts.

    Clauses 5.9, 5.9a.
    """
    if card & HEARTS:
        return True
    return rules.queen_breaks_hearts and card == QUEEN


def beats(led: Mask, best: Mask, card: Mask) -> bool:
    """Whether this card beats the best so far: it is higher and of the suit led.

    Clause 5.10.
    """
    return (card & led) > best


def suit_led(position: Position, card: Mask) -> Mask:
    """The suit that must be followed once this card is on the table.

    Clause 5.3.
    """
    return position.led or suit_of(card)


def next_to_play(rules: Rules, seat: i64, out: i64) -> i64:
    """The next seat to play, passing over seats that were out when the trick began.

    Clause 5.12.
    """
    after = next_in_turn(rules, seat)
    if out:
        while out & SEAT[after]:
            after = next_in_turn(rules, after)
    return after


def add_trick(piles: Piles, trick: Mask, winner: i64) -> Piles:
    """The piles once this seat has taken this trick.

    Clause 5.11.
    """
    return piles.with_won_trick(
        done=piles.done + 1, first=False, trick=trick, winner=winner
    )


def takes_kitty(
    rules: Rules, talon: Talon, trick: Mask, first: bool, last: bool
) -> bool:
    """Whether this trick wins the kitty, if there is one that no seat has taken yet.

    `first` and `last` say whether the trick is the first or the last of the deal.

    Clause 5.13.
    """
    if not talon.kitty or talon.kitty_to >= 0:
        return False
    if rules.kitty_to != FIRST_POINTS:
        return takes_kitty_by_place(rules, first, last)
    return (trick & penalty_cards(rules)) != 0


def takes_kitty_by_place(rules: Rules, first: bool, last: bool) -> bool:
    """Whether a trick wins the kitty for being first or last, whatever cards it holds.

    Clause 5.13a.
    """
    return first if rules.kitty_to == FIRST_TRICK else last


def kitty_is_overdue(rules: Rules, kitty: Mask, first: bool) -> bool:
    """Whether a kitty is left even though the first trick, which wins it, is over.

    Clause 3.12c.
    """
    return kitty != EMPTY and rules.kitty_to == FIRST_TRICK and not first


def play_has_ended(holding: i64) -> bool:
    """Whether play ends after a trick, because at most one seat still holds cards.

    `holding` is the set of seats that still hold cards.

    Clause 5.14.
    """
    return (holding & (holding - 1)) == 0


def no_points_left(rules: Rules, hands: tuple[Hand, ...], played: Mask) -> bool:
    """Whether the ruleset ends play now, because no hand holds a card that counts.

    Clause 5.14a.
    """
    if not rules.ends_without_points:
        return False
    counting = Mask(cards_that_count(rules) & ~played)
    held = EMPTY
    for hand in hands:
        held = Mask(held | hand.cards)
    return (held & counting) == 0


def ended_before(rules: Rules, held: Mask, table: Mask, first: bool) -> bool:
    """Whether play would have ended with the previous trick, as no card held counts.

    Clause 3.12b.
    """
    if not rules.ends_without_points or first or table:
        return False
    return (held & cards_that_count(rules)) == 0


def ends_early_beside_talon(rules: Rules) -> bool:
    """Whether a deal may end early even though there is a stock or a kitty.

    Clause 5.14b.
    """
    return rules.ends_without_points and rules.undealt != NONE


def ends_early_beside_sun(rules: Rules) -> bool:
    """Whether a deal may end early even though a sun, which needs every trick, counts.

    Clause 5.14c.
    """
    return rules.ends_without_points and rules.sun_points != 0


def ends_early_beside_no_trick(rules: Rules) -> bool:
    """Whether a deal may end early even though taking no trick changes the score.

    Clause 5.14d.
    """
    return rules.ends_without_points and rules.no_trick_points != 0
