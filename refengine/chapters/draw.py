"""Chapter 6, Drawing and dropping out: games with a stock."""

from mypy_extensions import i64

from refengine.chapters.cards import HEARTS, Mask, card_at, cards_in
from refengine.chapters.layout import Position, Talon
from refengine.chapters.play import next_to_play
from refengine.chapters.settings import Rules
from refengine.chapters.table import SEAT, left_of


def stock_holds_cards(talon: Talon) -> bool:
    """Whether the stock still holds a card; if not, a seat plays without drawing.

    Clause 6.5.
    """
    return talon.drawn < len(talon.stock)


def must_draw_to_follow(position: Position) -> bool:
    """Whether the seat to play holds no card of the suit led and can still draw.

    Clause 6.1.
    """
    if not position.led or position.hand & position.led:
        return False
    return stock_holds_cards(position.talon)


def must_draw_to_lead(rules: Rules, position: Position) -> bool:
    """Whether a leader with only hearts must draw because hearts are not yet broken.

    Clause 6.2.
    """
    if not rules.all_hearts_leader_draws or position.led:
        return False
    if rules.hearts_free or position.hearts_broken or position.hand & ~HEARTS:
        return False
    return stock_holds_cards(position.talon)


def draw_is_due(rules: Rules, position: Position) -> bool:
    """Whether the seat to play must draw; otherwise it may not draw.

    Clause 6.3.
    """
    return must_draw_to_follow(position) or must_draw_to_lead(rules, position)


def drawn_now(position: Position) -> tuple[int, ...]:
    """The numbers of the cards drawn in the current turn, in the order drawn."""
    stock = position.talon.stock
    return tuple([card for card in stock if card_at(card) & position.drew])


def next_card(talon: Talon) -> i64:
    """The number of the top card of the stock, which is drawn next.

    Clause 6.4.
    """
    return talon.stock[talon.drawn]


def seats_empty(position: Position, card: Mask) -> i64:
    """The set of seats that hold no card once the seat to play has played `card`.

    They drop out, and are passed over, only when the next trick begins.
    Clauses 6.6, 6.6a.
    """
    if position.hand & ~card:
        return position.empty
    return position.empty | SEAT[position.turn]


def next_leader(winner: i64, out: i64, players: i64) -> i64:
    """The winner or, if it is out, the next seat on its left that holds cards.

    Clauses 5.11, 6.7.
    """
    leader = winner
    while out & SEAT[leader]:
        leader = left_of(leader, players)
    return leader


def stock_goes_to(rules: Rules, holding: i64, last: i64) -> i64:
    """The seat that takes the rest of the stock into its hand, or -1 if no seat does.

    `holding` is the set of seats, at most one, that still hold cards when play has
    ended; `last` is the seat that played last.
    Clauses 6.8a, 6.8b.
    """
    if not holding:
        return last if rules.last_to_play_takes_stock else -1
    if not rules.survivor_takes_stock:
        return -1
    survivor: i64 = 0
    while not holding & SEAT[survivor]:
        survivor += 1
    return survivor


def rest_of_stock(talon: Talon) -> tuple[int, ...]:
    """The numbers of the cards not yet drawn, top card first.

    Clause 3.6.
    """
    return talon.stock[talon.drawn :]


def last_to_play(rules: Rules, position: Position) -> i64:
    """The seat that plays last to the trick that this position's leader leads.

    Clause 6.8b.
    """
    seat = position.leader
    after = next_to_play(rules, seat, position.out)
    while after != position.leader:
        seat = after
        after = next_to_play(rules, seat, position.out)
    return seat


def standing_hand(position: Position, seat: i64, stock_to: i64) -> Mask:
    """The seat's remaining hand, with the rest of the stock if the seat is `stock_to`.

    Clause 6.8.
    """
    cards = Mask(position.hands[seat].cards & ~position.played)
    if seat == stock_to:
        cards = Mask(cards | cards_in(rest_of_stock(position.talon)))
    return cards
