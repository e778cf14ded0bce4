"""Chapter 5, Play: leading, following, breaking hearts and winning tricks.

A narrowing clause takes the cards still allowed and returns those that remain, never
none of them: `narrowed or allowed`. `refengine.machine.position` puts them together.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from refengine.chapters.cards import (
    ACE_OR_KING_OF_SPADES,
    CLUBS,
    EMPTY,
    HEARTS,
    QUEEN,
    SPADES,
    Mask,
    lowest,
    penalty_cards,
    suit_of,
)
from refengine.chapters.settings import ANY, ANY_CLUB, LOWEST_CLUB, Rules
from refengine.chapters.table import SEAT, left_of, next_in_turn
from refengine.sealing import seal


@final
@mypyc_attr(free_list_len=1)
class Hand:
    """The cards of one seat; a tuple of these is read faster than one of masks."""

    def __init__(self, cards: Mask) -> None:
        self.cards: Final = cards

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self.cards == other.cards

    def __hash__(self) -> int:
        return hash(self.cards)

    def __reduce__(self) -> tuple[object, ...]:
        return Hand, (self.cards,)


seal(Hand)


@final
@mypyc_attr(free_list_len=1)
class Talon:
    """The cards beside the hands: the stock as dealt, top first, and the kitty.

    `drawn` counts the cards drawn from the stock; `kitty_to` is the seat that took the
    kitty, -1 while it lies.
    """

    def __init__(
        self, stock: tuple[int, ...], drawn: i64, kitty: Mask, kitty_to: i64
    ) -> None:
        self.stock: Final = stock
        self.drawn: Final = drawn
        self.kitty: Final = kitty
        self.kitty_to: Final = kitty_to

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Talon)
            and self.drawn == other.drawn
            and self.kitty_to == other.kitty_to
            and self.kitty == other.kitty
            and self.stock == other.stock
        )

    def __hash__(self) -> int:
        return hash((self.stock, self.drawn, self.kitty, self.kitty_to))

    def __reduce__(self) -> tuple[object, ...]:
        return Talon, (self.stock, self.drawn, self.kitty, self.kitty_to)


seal(Talon)


@final
@mypyc_attr(free_list_len=1)
class Piles:
    """What the completed tricks brought: cards and number of tricks for each seat.

    A trick is added in front of the piles before it, so that winning one costs no copy;
    `taken` and `tricks` are added up when asked for. A kitty that a seat took is not
    among its `taken` here. `done` counts the tricks of the deal completed so far;
    `first` is whether the next one is the first. The newest trick is `trick`, won by
    `winner`, on top of `before`; without `before` the piles are as found.
    """

    def __init__(
        self,
        found_taken: tuple[Mask, ...],
        found_tricks: tuple[int, ...],
        done: i64,
        first: bool,
        before: "Piles | None" = None,
        trick: Mask = EMPTY,
        winner: i64 = -1,
    ) -> None:
        self.found_taken: Final = found_taken
        self.found_tricks: Final = found_tricks
        self.done: Final = done
        self.first: Final = first
        self.before: Final = before
        self.trick: Final = trick
        self.winner: Final = winner

    @property
    def taken(self) -> tuple[Mask, ...]:
        """The cards each seat took in tricks."""
        taken = list(self.found_taken)
        piles: Piles | None = self
        while piles is not None and piles.winner >= 0:
            taken[piles.winner] = Mask(taken[piles.winner] | piles.trick)
            piles = piles.before
        return tuple(taken)

    @property
    def tricks(self) -> tuple[int, ...]:
        """The number of tricks each seat won."""
        tricks = list(self.found_tricks)
        piles: Piles | None = self
        while piles is not None and piles.winner >= 0:
            tricks[piles.winner] = tricks[piles.winner] + 1
            piles = piles.before
        return tuple(tricks)

    def won_by(self, seat: i64) -> tuple[Mask, i64]:
        """The cards that this seat took in tricks, and the number of its tricks."""
        taken = self.found_taken[seat]
        tricks: i64 = self.found_tricks[seat]
        piles: Piles | None = self
        while piles is not None:
            if piles.winner == seat:
                taken = Mask(taken | piles.trick)
                tricks += 1
            piles = piles.before
        return taken, tricks

    def _key(self) -> tuple[object, ...]:
        return (self.taken, self.tricks, self.done, self.first)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Piles) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return Piles, self._key()


seal(Piles)


@final
@mypyc_attr(free_list_len=1)
class Position:
    """The play of one deal at one moment: everything that legality depends on.

    `hands` are the hands as they were when play began together with cards drawn since;
    what was played is in `played`. `hand` is that of the seat in `turn`; when the play
    is over `turn` is -1 and `hand` is empty. `led` is the whole suit led, empty before
    the lead; `table` the cards of the trick, `best` and `winner` the highest of the
    suit led and who played it. `drew` are the cards drawn in the present turn; `out`
    the seats that held no card when the trick began, `empty` those that hold none now.
    """

    def __init__(
        self,
        hands: tuple[Hand, ...],
        talon: Talon,
        piles: Piles,
        played: Mask,
        led: Mask,
        table: Mask,
        best: Mask,
        winner: i64,
        leader: i64,
        turn: i64,
        hand: Mask,
        drew: Mask,
        out: i64,
        hearts_broken: bool,
        empty: i64,
    ) -> None:
        self.hands: Final = hands
        self.talon: Final = talon
        self.piles: Final = piles
        self.played: Final = played
        self.led: Final = led
        self.table: Final = table
        self.best: Final = best
        self.winner: Final = winner
        self.leader: Final = leader
        self.turn: Final = turn
        self.hand: Final = hand
        self.drew: Final = drew
        self.out: Final = out
        self.hearts_broken: Final = hearts_broken
        self.empty: Final = empty

    def _key(self) -> tuple[object, ...]:
        return (
            self.hands,
            self.talon,
            self.piles,
            self.played,
            self.led,
            self.table,
            self.best,
            self.winner,
            self.leader,
            self.turn,
            self.hand,
            self.drew,
            self.out,
            self.hearts_broken,
            self.empty,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return Position, self._key()


seal(Position)


def opening_leader(rules: Rules, hands: tuple[Mask, ...], dealer: i64) -> i64:
    """The seat that leads to the first trick, found from the hands after the pass.

    Clauses 5.1, 5.1a.
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
    """Of the cards allowed, those that may open the first trick.

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
    """Whether the seat left of the dealer should lead a club it may not hold.

    Clause 5.2a.
    """
    return rules.left_of_dealer_leads and rules.opening_card != ANY


def follow_suit(position: Position, allowed: Mask) -> Mask:
    """Of the cards allowed, those of the suit led, if there are any.

    Clause 5.3.
    """
    if not position.led:
        return allowed
    return Mask(allowed & position.led) or allowed


def hearts_or_queen(rules: Rules, position: Position) -> bool:
    """Whether a leader of hearts and the queen of spades only may choose among them.

    Clause 5.4b.
    """
    if not rules.hearts_or_queen_any or position.drew:
        return False
    return not position.hand & ~(HEARTS | QUEEN)


def hold_back_hearts(rules: Rules, position: Position, allowed: Mask) -> Mask:
    """Of the cards allowed, those that a leader may lead before hearts are broken.

    Clauses 5.4, 5.4a.
    """
    if position.led or rules.hearts_free or position.hearts_broken:
        return allowed
    if hearts_or_queen(rules, position):
        return allowed
    return Mask(allowed & ~HEARTS) or allowed


def no_points_at_first(rules: Rules, position: Position, allowed: Mask) -> Mask:
    """Of the cards allowed, those that cost nothing, on a first trick barred to points.

    Clauses 5.5, 5.5a.
    """
    if not position.piles.first or not rules.first_trick_barred:
        return allowed
    return Mask(allowed & ~penalty_cards(rules)) or allowed


def play_the_queen(rules: Rules, position: Position, allowed: Mask) -> Mask:
    """Of the cards allowed, the queen of spades alone where it is safe to play her.

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
    """Whether this card wins over the best so far: higher and of the suit led.

    Clause 5.10.
    """
    return (card & led) > best


def suit_led(position: Position, card: Mask) -> Mask:
    """The suit that the trick asks for once this card is on the table.

    Clause 5.3.
    """
    return position.led or suit_of(card)


def next_to_play(rules: Rules, seat: i64, out: i64) -> i64:
    """The seat that plays after this one; those out at the lead are passed over.

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
    return Piles(
        piles.found_taken,
        piles.found_tricks,
        piles.done + 1,
        False,
        piles,
        trick,
        winner,
    )


def takes_kitty(rules: Rules, talon: Talon, trick: Mask) -> bool:
    """Whether this trick brings the kitty: the first that holds a penalty card.

    Clause 5.13.
    """
    if not talon.kitty or talon.kitty_to >= 0:
        return False
    return (trick & penalty_cards(rules)) != 0


def play_has_ended(holding: i64) -> bool:
    """Whether, after a completed trick, at most one seat of this set holds cards.

    Clause 5.14.
    """
    return (holding & (holding - 1)) == 0
