"""Moments: named situations in which a rule of the game makes a difference.

Each is a question about the state before an act, or about the state at the end of a
deal. They are situations in which engines have gone wrong or about which players ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Final

import attrs

from refengine.chapters.cards import (
    ACE_OR_KING_OF_SPADES,
    CLUBS,
    DIAMONDS,
    HEARTS,
    QUEEN,
    SPADES,
    Mask,
    all_of,
    bonus_in,
    cards_in,
    count,
    lowest,
    penalty_cards,
)
from refengine.chapters.draw import draw_is_due, last_to_play, rest_of_stock
from refengine.chapters.score import moon_is_in_play
from refengine.chapters.table import PLAYING, SEAT, next_in_turn
from refengine.game.values.cardset import NO_CARDS, CardSet
from refengine.game.values.state import State
from refengine.machine.due import position_of
from refengine.machine.holdings import hands_now, taken_now
from refengine.machine.judging import ended_by_claim
from refengine.machine.position import on_table

_SUITS: Final = (CLUBS, DIAMONDS, SPADES, HEARTS)
_NAMES: Final = ("clubs", "diamonds", "spades", "hearts")
_SPADES_LED: Final = _SUITS.index(SPADES)
_HEARTS_LED: Final = _SUITS.index(HEARTS)


@attrs.frozen
class Turn:
    """The turn of a seat: its hand, and what bears on its play.

    `led` is the index of the suit led among the suits, or -1 if the seat is to lead.
    `first` says whether the trick is the first, and `broken` whether hearts are broken.
    `draws` says whether a draw is due, and `drew` whether the seat has drawn in this
    turn. `penalty` holds the penalty cards of the ruleset (1.4).
    """

    state: State
    seat: int
    hand: int
    led: int
    first: bool
    broken: bool
    draws: bool
    drew: bool
    penalty: int

    @classmethod
    def of(cls, state: State) -> Turn | None:
        """The turn that is due, or None if no card is to be played or drawn."""
        if state.core.phase != PLAYING:
            return None
        seat = state.turn[0]
        rules, position = state.core.rules, position_of(state.core)
        table = on_table(rules, position)
        return cls(
            state=state,
            seat=seat,
            hand=int(hands_now(state.core)[seat]),
            led=table[0] // 13 if table else -1,
            first=bool(position.piles.first),
            broken=bool(position.hearts_broken),
            draws=bool(draw_is_due(rules, position)),
            drew=bool(position.drew),
            penalty=int(penalty_cards(rules)),
        )

    @property
    def leads(self) -> bool:
        """Whether the seat is to lead."""
        return self.led < 0

    @property
    def void(self) -> bool:
        """Whether the seat follows, holds no card of the suit led and may discard.

        A seat that has to draw first (6.1) may not.
        """
        return self.led >= 0 and not self.draws and not self.hand & _SUITS[self.led]

    @property
    def drew_in_vain(self) -> bool:
        """Whether the seat drew the rest of the stock and got no suitable card (6.5).

        A leader with nothing but hearts in hand draws for a card of another suit (6.2).
        """
        lacks_it = self.void or (self.leads and self.non_hearts == 0)
        return self.drew and not self.draws and lacks_it

    @property
    def others_out(self) -> bool:
        """Whether some seat was out when the trick began and is passed over (5.12)."""
        return bool(position_of(self.state.core).out)

    @property
    def safe(self) -> int:
        """How many cards in the hand are not penalty cards."""
        return _count(self.hand & ~self.penalty)

    @property
    def penalties(self) -> int:
        """How many cards in the hand are penalty cards."""
        return _count(self.hand & self.penalty)

    @property
    def hearts(self) -> int:
        """How many cards in the hand are hearts."""
        return _count(self.hand & HEARTS)

    @property
    def non_hearts(self) -> int:
        """How many cards in the hand are not hearts."""
        return _count(self.hand & ~HEARTS)

    @property
    def queen(self) -> bool:
        """Whether the queen of spades is in the hand."""
        return bool(self.hand & QUEEN)

    @property
    def bonus(self) -> bool:
        """Whether the bonus card is in the hand."""
        return bool(self.hand & self.state.core.rules.bonus_card)


def _count(cards: int) -> int:
    return int(count(Mask(cards)))


def _leads_hearts_only(turn: Turn) -> bool:
    """Whether a seat has nothing but hearts to lead, and no draw is due (6.2)."""
    return turn.leads and turn.non_hearts == 0 and not turn.draws


def _leads_hearts_and_queen(turn: Turn) -> bool:
    return turn.leads and turn.non_hearts == 1 and turn.queen and turn.hearts > 0


def _leads_hearts_and_one(turn: Turn) -> bool:
    return turn.leads and turn.non_hearts == 1 and not turn.queen and turn.hearts > 0


def _queen_gone_without_hearts(turn: Turn) -> bool:
    """Whether a seat leads after the queen has been taken, but no heart yet."""
    taken = int(all_of(taken_now(turn.state.core)))
    return bool(taken & QUEEN) and not taken & HEARTS and turn.leads


def _received_the_opening(turn: Turn) -> bool:
    """Whether a seat makes the opening lead and was passed its lowest club."""
    dealt = turn.state.core.dealt
    if not (turn.leads and turn.first and dealt.received):
        return False
    passed = int(dealt.received[turn.seat]) & ~int(dealt.hands[turn.seat])
    return bool(lowest(Mask(turn.hand & CLUBS)) & passed)


def _queen_could_go(turn: Turn) -> bool:
    """Whether spades are led, the king or ace is played, and the seat has the queen."""
    table = turn.state.table
    played = int(CardSet(table.cards).mask) if table is not None else 0
    higher = bool(played & ACE_OR_KING_OF_SPADES)
    return turn.queen and turn.led == _SPADES_LED and higher


def _void_in(suit: int) -> Callable[[Turn], bool]:
    """A test of whether a seat is void when this suit is led after the first trick.

    The seat must have a choice: it must hold both penalty cards and other cards or, if
    hearts are led, at least one card that is not a penalty card.
    """

    def holds(turn: Turn) -> bool:
        choice = turn.safe > 0 and (turn.penalties > 0 or suit == _HEARTS_LED)
        return turn.led == suit and turn.void and not turn.first and choice

    return holds


def _last_to_the_first_trick(turn: Turn) -> bool:
    """Whether a seat plays last to the first trick, is void, and has a choice.

    The choice is between a penalty card and another card.
    """
    core = turn.state.core
    last = bool(last_to_play(core.rules, position_of(core)) == turn.seat)
    return turn.first and turn.void and last and turn.penalties > 0 and turn.safe > 0


def _one_of(suit: int) -> Callable[[Turn], bool]:
    """A test of whether this suit is led and the seat holds just one card of it."""
    return lambda turn: turn.led == suit and _count(turn.hand & _SUITS[suit]) == 1


_LEADING: Final[Mapping[str, Callable[[Turn], bool]]] = {
    "opening: several clubs": lambda turn: (
        turn.first and turn.leads and _count(turn.hand & CLUBS) > 1
    ),
    "opening: a hand of hearts": lambda turn: turn.first and _leads_hearts_only(turn),
    "opening: a card that was passed": _received_the_opening,
    "lead: nothing but hearts, unbroken": lambda turn: (
        not turn.broken and not turn.first and _leads_hearts_only(turn)
    ),
    "lead: nothing but hearts, broken": lambda turn: (
        turn.broken and not turn.first and _leads_hearts_only(turn)
    ),
    "lead: hearts and the queen, unbroken": lambda turn: (
        not turn.broken and _leads_hearts_and_queen(turn)
    ),
    "lead: hearts and the queen, broken": lambda turn: (
        turn.broken and _leads_hearts_and_queen(turn)
    ),
    "lead: hearts and one other, unbroken": lambda turn: (
        not turn.broken and not turn.first and _leads_hearts_and_one(turn)
    ),
    "lead: hearts and one other, broken": lambda turn: (
        turn.broken and _leads_hearts_and_one(turn)
    ),
    "lead: second trick, hearts in hand": lambda turn: (
        turn.leads and sum(turn.state.tricks) == 1 and turn.hearts > 0
    ),
    "lead: the queen gone, no heart yet": _queen_gone_without_hearts,
    "lead: the stock has run out": lambda turn: turn.leads and turn.drew_in_vain,
}
_FOLLOWING: Final[Mapping[str, Callable[[Turn], bool]]] = {
    "first trick: nothing but penalty cards": lambda turn: (
        turn.first and turn.void and turn.safe == 0
    ),
    "first trick: nothing but hearts": lambda turn: (
        turn.first and turn.void and turn.non_hearts == 0
    ),
    "first trick: hearts and the queen": lambda turn: (
        turn.first
        and turn.void
        and turn.non_hearts == 1
        and turn.queen
        and turn.hearts > 0
    ),
    "first trick: penalty cards and one other": lambda turn: (
        turn.first and turn.void and turn.safe == 1 and turn.penalties > 0
    ),
    "first trick: void, the queen in hand": lambda turn: (
        turn.first and turn.void and turn.queen and turn.safe > 1
    ),
    "first trick: void, hearts in hand": lambda turn: (
        turn.first and turn.void and turn.hearts > 0 and turn.safe > 1
    ),
    "first trick: void, the last to play": _last_to_the_first_trick,
    **{f"void: {name} led": _void_in(suit) for suit, name in enumerate(_NAMES)},
    **{
        f"one card to follow: {name}": _one_of(suit) for suit, name in enumerate(_NAMES)
    },
    "follow: spades under the king or ace, the queen in hand": _queen_could_go,
    "void: the queen in hand": lambda turn: (
        turn.void and turn.queen and not turn.first and turn.hearts > 0
    ),
    "void: the stock has run out": lambda turn: turn.void and turn.drew_in_vain,
}
_EITHER: Final[Mapping[str, Callable[[Turn], bool]]] = {
    "draw: to follow": lambda turn: turn.draws and not turn.leads,
    "draw: to lead": lambda turn: turn.draws and turn.leads,
    "draw: once more in the same turn": lambda turn: turn.draws and turn.drew,
    "draw: the last of the stock": lambda turn: (
        turn.draws and len(turn.state.stock) == 1
    ),
    "after a draw: the card that came": lambda turn: (
        turn.drew and not turn.draws and not turn.drew_in_vain
    ),
    "out: others play on": lambda turn: turn.others_out and turn.leads,
    "out: in the middle of a trick": lambda turn: turn.others_out and not turn.leads,
}
TURNS: Final = {**_LEADING, **_FOLLOWING, **_EITHER}
"""Moments before an act, by name."""


def _bonus_alone_counts(turn: Turn) -> bool:
    """Whether a seat leads while the hands hold the bonus card but no penalty card.

    Clause 5.14a.
    """
    bonus = int(turn.state.core.rules.bonus_card)
    if not (turn.leads and bonus):
        return False
    held = int(all_of(hands_now(turn.state.core)))
    return bool(held & bonus) and not held & turn.penalty


BONUS_TURNS: Final[Mapping[str, Callable[[Turn], bool]]] = {
    "first trick: void, the bonus card in hand": lambda turn: (
        turn.first and turn.void and turn.bonus and turn.safe > 1
    ),
    "lead: the bonus card alone counts": _bonus_alone_counts,
}
"""More moments before an act, under rules with a bonus card.

Many engines count the bonus card among the penalty cards.
"""


def counting_piles(state: State) -> tuple[CardSet, ...]:
    """What each seat has taken at the end of a deal: its pile, and its hand (8.2).

    In a deal ended by a claim nothing counts (7.9). Where play ends as soon as no
    points are left, the cards in the hands belong to nobody (5.14a).
    """
    if ended_by_claim(state.core):
        return (NO_CARDS,) * len(state.hands)
    if state.core.rules.ends_without_points:
        return state.taken
    piles = zip(state.taken, state.hands, strict=True)
    return tuple(taken | hand for taken, hand in piles)


@attrs.frozen
class End:
    """The end of a deal, with its last state."""

    state: State

    @cached_property
    def penalty(self) -> int:
        """The penalty cards of the ruleset, as a mask (1.4)."""
        return int(penalty_cards(self.state.core.rules))

    @cached_property
    def piles(self) -> tuple[int, ...]:
        """What counts as taken by each seat, as masks (see `counting_piles`)."""
        return tuple(int(cards.mask) for cards in counting_piles(self.state))

    @property
    def penalties_taken(self) -> list[int]:
        """The penalty cards that each seat has taken, as masks."""
        return [cards & self.penalty for cards in self.piles]

    @cached_property
    def taker_of_all(self) -> int:
        """The seat that has taken every penalty card that anybody has, or -1 for none.

        These cards have to be enough for a moon (8.3a). The result of the deal has its
        shooter only where there is a moon. Here there may be none: penalty cards may be
        left in a stock or a kitty, a revoke of the seat may be established (8.3b), and
        the options may require more or allow no moon.
        """
        takers = [seat for seat, cards in enumerate(self.penalties_taken) if cards]
        if len(takers) != 1:
            return -1
        cards = Mask(self.penalties_taken[takers[0]])
        return takers[0] if moon_is_in_play(self.state.core.rules, cards) else -1

    @property
    def all_out(self) -> bool:
        """Whether all seats have played their last card, so that none survives (6.8b).

        The rest of the stock may then be in a hand.
        """
        everybody = 2**self.state.ruleset.players - 1
        return bool(position_of(self.state.core).empty == everybody)

    @property
    def limit(self) -> int | None:
        """The limit of the match, or None if it has no limit."""
        limit = self.state.ruleset.options["limit"]
        return limit if isinstance(limit, int) else None

    def holds_bonus(self, seat: int) -> bool:
        """Whether a seat has taken the bonus card."""
        return bool(bonus_in(self.state.core.rules, Mask(self.piles[seat])))


def _all_tricks(end: End) -> bool:
    """Whether one seat has all the penalty cards taken, and every trick (8.4)."""
    tricks = end.state.tricks
    return end.taker_of_all >= 0 and tricks[end.taker_of_all] == sum(tricks)


def _all_but_a_trick(end: End) -> bool:
    """Whether one seat has all the penalty cards taken, but not every trick."""
    return end.taker_of_all >= 0 and not _all_tricks(end)


def _one_card_short(end: End) -> bool:
    """Whether all but one of the penalty cards taken went to one seat."""
    numbers = [_count(cards) for cards in end.penalties_taken]
    return sum(numbers) - max(numbers) == 1


def _queen_short(end: End) -> bool:
    """Whether one seat has all the penalty cards taken but the queen of spades."""
    return _one_card_short(end) and QUEEN in end.penalties_taken


def _by_last_trick(end: End) -> bool:
    """Whether one seat has all the penalty cards taken, some in the last trick."""
    if end.taker_of_all < 0 or not end.state.history:
        return False
    return bool(int(CardSet(end.state.history[-1].cards).mask) & end.penalty)


def _with_bonus(end: End) -> bool:
    """Whether one seat has all the penalty cards taken, and the bonus card."""
    return end.taker_of_all >= 0 and end.holds_bonus(end.taker_of_all)


def _bonus_elsewhere(end: End) -> bool:
    """Whether one seat has all the penalty cards taken, and another the bonus card."""
    taker = end.taker_of_all
    others = [seat for seat in range(len(end.piles)) if seat != taker]
    return taker >= 0 and any(map(end.holds_bonus, others))


def _all_but_the_kitty(end: End) -> bool:
    """Whether one seat has every penalty card but those in a kitty taken by another."""
    position = end.state.core.position
    talon = None if position is None else position.talon
    if talon is None or not talon.kitty & end.penalty or talon.kitty_to < 0:
        return False
    without_kitty = [*end.penalties_taken]
    without_kitty[talon.kitty_to] &= ~int(talon.kitty)
    takers = [seat for seat, cards in enumerate(without_kitty) if cards]
    return len(takers) == 1 and takers[0] != talon.kitty_to


def _winner_is_out(end: End) -> bool:
    """Whether the winner of the last trick is out, and another seat is not (6.7)."""
    position = position_of(end.state.core)
    return not end.all_out and bool(position.empty & SEAT[position.winner])


def _highest_is_at(end: End, offset: int) -> bool:
    """Whether the highest total is the limit plus `offset`."""
    return end.limit is not None and max(end.state.totals) == end.limit + offset


def _tied(end: End, reached: bool) -> bool:
    """Whether the lowest total is shared, before or after the limit has been reached.

    `reached` says which of the two is meant. After a tie that was played on, the limit
    counts as reached (9.6); in a match without a limit, the end of the match counts as
    reaching it.
    """
    result, totals = end.state.core.result, end.state.totals
    if result is None:
        return False
    now = bool(result.over if end.limit is None else result.reached)
    return now == reached and totals.count(min(totals)) > 1


def _stock_to_last_of_a_short_trick(end: End) -> bool:
    """Whether stock points go to whoever played last to a trick that some seat missed.

    By the end every hand is empty. The seat just before the leader was already out, so
    another seat played last.
    """
    core, history = end.state.core, end.state.history
    if core.result is None or core.position is None or not history:
        return False
    taker = core.result.stock_to
    stock = cards_in(rest_of_stock(core.position.talon))
    if taker < 0 or not end.all_out or not stock & end.penalty:
        return False
    seat_before_leader_was_out = next_in_turn(core.rules, taker) != history[-1].leader
    return bool(seat_before_leader_was_out)


TOTALS: Final = "totals: "
"""The prefix of the names of moments that concern the totals of a match."""
TIED: Final = "totals: the lowest tied at the end"
WHOLE: Final = "match: from the first deal to the end"
WHOLE_TIED: Final = "match: from the first deal to a tie"

ENDS: Final[Mapping[str, Callable[[End], bool]]] = {
    "moon: with every trick": _all_tricks,
    "moon: with a trick lost": _all_but_a_trick,
    "moon: one card short": _one_card_short,
    "moon: the queen of spades short": _queen_short,
    "moon: complete with the last trick": _by_last_trick,
    "moon: beside the bonus card": _with_bonus,
    "moon: the bonus card elsewhere": _bonus_elsewhere,
    "moon: but for the kitty": _all_but_the_kitty,
    "score: no trick taken": lambda end: 0 in end.state.tricks and end.taker_of_all < 0,
    "score: a trick without points": lambda end: any(
        tricks and not int(pile.mask) & end.penalty
        for tricks, pile in zip(end.state.tricks, end.state.taken, strict=True)
    ),
    "score: the bonus card": lambda end: any(
        map(end.holds_bonus, range(len(end.piles)))
    ),
    "totals: at the limit": lambda end: _highest_is_at(end, 0),
    "totals: one below the limit": lambda end: _highest_is_at(end, -1),
    "totals: one beyond the limit": lambda end: _highest_is_at(end, 1),
    "totals: far beyond the limit": lambda end: (
        end.limit is not None and max(end.state.totals) > end.limit + 5
    ),
    TIED: lambda end: _tied(end, True),
    "totals: the lowest tied before the end": lambda end: (
        _tied(end, False) and any(end.state.totals)
    ),
    "totals: negative": lambda end: min(end.state.totals) < 0,
    "out: the winner of the last trick leads no more": _winner_is_out,
    "stock: cards left at the end": lambda end: bool(end.state.stock),
    "stock: to who played last, others out before": _stock_to_last_of_a_short_trick,
}
"""Moments at the end of a deal, by name."""

REVOKES: Final[Mapping[str, str]] = {
    "open": "revoke: played",
    "corrected": "revoke: taken back",
    "standing": "revoke: the time for correction is up",
    "established": "revoke: claimed",
}
"""The moments at which a revoke enters a state, by that state."""
UNCLAIMED: Final = "revoke: unclaimed at the end of the deal"
GONE: Final = "revoke: gone with an earlier one"


def moments_before(state: State) -> Iterator[str]:
    """The names of the moments that hold in a state, before an act."""
    turn = Turn.of(state)
    if turn is not None:
        side = _LEADING if turn.leads else _FOLLOWING
        for name, holds in (*side.items(), *_EITHER.items(), *BONUS_TURNS.items()):
            if holds(turn):
                yield name


def moments_after(before: State, after: State) -> Iterator[str]:
    """The names of the moments that an act has brought about.

    They concern changes to revokes, and the end of a deal. A deal ends when its score
    appears, which is after the moon choice if there is one. Of a deal ended by a claim,
    only the totals are looked at, since nothing else counts in it (7.9).
    """
    if after.core.rules.revokes_penalised:
        yield from _of_revokes(before, after)
    if not deal_has_ended(before, after):
        return
    end, by_claim = End(after), ended_by_claim(after.core)
    for name, holds in ENDS.items():
        if (not by_claim or name.startswith(TOTALS)) and holds(end):
            yield name


def deal_has_ended(before: State, after: State) -> bool:
    """Whether the act between these two states has ended a deal."""
    return before.phase in ("play", "moon") and after.phase in ("deal", "over")


def _of_revokes(before: State, after: State) -> Iterator[str]:
    """The names of the changes that an act makes to the revokes of the deal."""
    known, now = before.revokes, after.revokes
    if deal_has_ended(before, after):
        if any(note.state == "standing" for note in now):
            yield UNCLAIMED
    elif 0 < len(now) < len(known):  # with the next deal, those of this one all go
        yield GONE
    # Two corrections by one seat in one trick leave notes that are alike.
    unchanged = [*known]
    for note in now:
        if note in unchanged:
            unchanged.remove(note)
        else:
            yield REVOKES[note.state]
