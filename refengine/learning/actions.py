"""The actions of a learner: numbers from 0 to 67 that stand for acts.

| number | act |
| --- | --- |
| 0 to 51 | a card in the order of the book, to be played or to be passed |
| 52 | draw |
| 53 | pass on incoming cards unseen |
| 54, 55 | settle the moon: `self_minus`, `others_plus` |
| 56 to 67 | settle the moon: one seat pays, 56 for the next on the left, and so on |

The cards of a pass are chosen one at a time, and the last one completes the act. In a
scatter, the first goes to the next seat on the left, the second to the seat after it,
and so on. The environments cut, deal and mix; retracting, quitting and claiming are not
offered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from refengine.chapters.cards import Mask, cards_in, numbers_of
from refengine.chapters.layout import Packet
from refengine.chapters.table import PASSING, SEAT, SEATS
from refengine.errors import Malformed, shown, whole_number
from refengine.game.acts import (
    Act,
    Claim,
    Cut,
    Deal,
    Draw,
    Mix,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Retract,
    Scatter,
)
from refengine.game.values.cardset import CARDS
from refengine.game.values.legal import choice_name
from refengine.game.values.masks import number_given, seat_given
from refengine.game.values.state import State
from refengine.learning.fast.choices import (
    DRAW,
    FORWARD,
    NUMBERS,
    ONE,
    OTHERS_PLUS,
    SELF_MINUS,
    addressed,
    cards_to_choose,
    others_to_choose,
    pass_is_whole,
    places_left,
    settled_by,
)
from refengine.machine.due import seats_due
from refengine.worlds.found_deals import act_of

ActionMask = NDArray[np.int8]
"""For each number, 1 if it may be chosen, else 0: a mask for `Discrete.sample`."""


def numbers_for(act: Act, players: SupportsIndex) -> tuple[int, ...]:
    """The numbers that stand for this act at a table of this size, in order.

    There is one number or, for a pass or a scatter, one for each card.
    Raises Malformed if this is not an act that has a number, if no table can have this
    number of players, if a seat scatters a card to itself or names itself to pay for
    the moon, or if a seat in such an act is not at the table.
    """
    size = players_given(players)
    match act:
        case Play(_, card):
            return (card.number,)
        case Draw():
            return (DRAW,)
        case PassUnseen():
            return (FORWARD,)
        case Pass(_, cards):
            return tuple(card.number for card in cards)
        case Scatter(seat, pairs):
            by_place = {_to_another(seat, to, size): card.number for to, card in pairs}
            return tuple(by_place[place] for place in sorted(by_place))
        case MoonChoice(_, "self_minus"):
            return (SELF_MINUS,)
        case MoonChoice(_, "others_plus"):
            return (OTHERS_PLUS,)
        case MoonChoice(seat, int(other)):
            return (ONE - 1 + _to_another(seat, other, size, "one"),)
        case Cut() | Deal() | Mix() | Retract() | QuitTrick() | Claim():
            raise Malformed(act.kind, "play, draw, pass, scatter, forward or moon")
        case _:
            raise Malformed(shown(act)[:40], "an act")


def _to_another(seat: int, other: int, size: int, where: str = "") -> int:
    """The number of places from `seat` to `other`, going left.

    Raises Malformed if they are the same seat, or if either is not at the table.
    """
    if not 0 <= seat < size:
        raise Malformed(f"seat {seat}", f"a seat from 0 to {size - 1}", where)
    if other == seat or not 0 <= other < size:
        raise Malformed(f"seat {other}", "another seat of the table", where)
    return places_left(seat, other, size)


def players_given(players: object) -> int:
    """The number of players, from 2 to 13; raises Malformed for anything else."""
    number = whole_number(players)
    if number is None or not 2 <= number <= SEATS:
        raise Malformed(shown(players)[:40], f"a number from 2 to {SEATS}", "players")
    return number


def choices(
    state: State, seat: SupportsIndex, given: Sequence[SupportsIndex] = ()
) -> list[int]:
    """The numbers that this seat may choose now, in ascending order.

    The list is empty if the seat is not to act, or if a cut, a deal or a mix is due.
    `given` holds the numbers of the cards that the seat has chosen for its pass so far,
    in the order chosen.
    Raises Malformed if there is no such seat, or if a card given is not in the hand.
    """
    core = state.core
    whose = seat_given(seat, state.ruleset.players)
    if not seats_due(core) & SEAT[whose]:
        return []
    chosen = cards_in(tuple(map(number_given, given)))
    if chosen and core.phase == PASSING:
        hand = core.dealt.hands[whose]
        strange = numbers_of(Mask(chosen & ~hand))
        if strange:
            hand_numbers = ", ".join(map(str, numbers_of(hand)))
            raise Malformed(str(strange[0]), hand_numbers, "given")
    cards = cards_to_choose(core, whose, chosen)
    others = others_to_choose(core, cards, whose, chosen)
    more = range(DRAW, NUMBERS)
    return numbers_of(cards) + [one for one in more if others >> one - DRAW & 1]


def action_mask(
    state: State, seat: SupportsIndex, given: Sequence[SupportsIndex] = ()
) -> ActionMask:
    """A mask of all 68 numbers, with 1 for those that `choices` returns."""
    return mask_with(choices(state, seat, given))


def mask_with(numbers: Sequence[int]) -> ActionMask:
    """A mask of all 68 numbers, with 1 for these numbers and 0 for all others."""
    mask = np.zeros(NUMBERS, np.int8)
    mask[list(numbers)] = 1
    return mask


def act_for(
    state: State,
    seat: SupportsIndex,
    number: object,
    given: Sequence[SupportsIndex] = (),
) -> Act | None:
    """The act that is complete once the seat chooses `number`.

    The result is None if the number is a card of a pass that needs more cards.
    Raises Malformed if this seat may not choose the number now, if there is no such
    seat, or if a card given is not in the hand.
    """
    number = checked(number, choices(state, seat, given))
    whose = seat_given(seat, state.ruleset.players)
    core = state.core
    if number == DRAW:
        return Draw(whose)
    if number == FORWARD:
        return PassUnseen(whose)
    if number > FORWARD:
        settled = int(settled_by(whose, number, state.ruleset.players))
        return MoonChoice(whose, choice_name(settled))
    if core.phase != PASSING:
        return Play(whose, CARDS[number])
    numbers = [*map(number_given, given), number]
    cards = cards_in(tuple(numbers))
    if not pass_is_whole(core, cards):
        return None
    return act_of(whose, Packet(cards, addressed(core, whose, numbers), False))


def checked(number: object, allowed: Sequence[int]) -> int:
    """The number as an `int` if it is among those allowed.

    Raises Malformed if it is not, or if it is not a whole number.
    """
    found = whole_number(number)
    if found is None or found not in allowed:
        legal = ", ".join(map(str, allowed)) or "none, out of turn"
        raise Malformed(shown(number)[:40], legal, "action")
    return found
