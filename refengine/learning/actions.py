"""Acts as numbers: what a learner chooses is one of 68.

| number | act |
| --- | --- |
| 0 to 51 | a card in the order of the book, to be played or to be passed |
| 52 | draw |
| 53 | pass on unseen what comes |
| 54, 55 | settle the moon: `self_minus`, `others_plus` |
| 56 to 67 | settle the moon: one seat pays, 56 for the next on the left, and so on |

Cards are passed one at a time, and the act is made with the last of them; in a scatter
the first goes to the next seat on the left, the second to the one after it, and so on.
Cut, deal and mix are made by the environments; retracting, quitting and claiming are
not offered.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refengine.chapters.cards import cards_in, numbers_of
from refengine.chapters.table import PASSING, SEAT
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
from refengine.game.values.cardset import CARDS, CardSet
from refengine.game.values.legal import choice_name
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

ActionMask = NDArray[np.int8]
"""1 for each number that may be chosen, else 0: what `Discrete.sample` takes."""


def numbers_for(act: Act, players: int) -> tuple[int, ...]:
    """The numbers that make this act at a table of this size, in their order.

    There is one, but for a pass or a scatter: one for each card.
    Raises Malformed for a kind of act that has no number, and for a moon that is put on
    the shooter, or on a seat that is not at the table.
    """
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
            by_place = {
                places_left(seat, to, players): card.number for to, card in pairs
            }
            return tuple(by_place[place] for place in sorted(by_place))
        case MoonChoice(_, "self_minus"):
            return (SELF_MINUS,)
        case MoonChoice(_, "others_plus"):
            return (OTHERS_PLUS,)
        case MoonChoice(seat, int(other)):
            if other == seat or not 0 <= other < players:
                raise Malformed(f"seat {other}", "another seat of the table", "one")
            return (ONE - 1 + places_left(seat, other, players),)
        case Cut() | Deal() | Mix() | Retract() | QuitTrick() | Claim():
            raise Malformed(act.kind, "play, draw, pass, scatter, forward or moon")
        case _:
            raise Malformed(shown(act)[:40], "an act")


def choices(state: State, seat: int, given: Sequence[int] = ()) -> list[int]:
    """The numbers that this seat may choose now, ascending; none out of turn.

    `given` are the cards that it has chosen for its pass so far, in that order.
    """
    core = state.core
    if not seats_due(core) & SEAT[seat]:
        return []
    chosen = cards_in(tuple(given))
    cards = cards_to_choose(core, seat, chosen)
    others = others_to_choose(core, cards, seat, chosen)
    more = range(DRAW, NUMBERS)
    return numbers_of(cards) + [one for one in more if others >> one - DRAW & 1]


def action_mask(state: State, seat: int, given: Sequence[int] = ()) -> ActionMask:
    """The same as a mask of the 68 numbers."""
    return mask_with(choices(state, seat, given))


def mask_with(numbers: Sequence[int]) -> ActionMask:
    """The mask with these numbers."""
    mask = np.zeros(NUMBERS, np.int8)
    mask[list(numbers)] = 1
    return mask


def act_for(
    state: State, seat: int, number: object, given: Sequence[int] = ()
) -> Act | None:
    """The act that this number makes; None if the pass needs more cards after it.

    Raises Malformed if the number is none that this seat may choose now.
    """
    number = checked(number, choices(state, seat, given))
    core = state.core
    if number == DRAW:
        return Draw(seat)
    if number == FORWARD:
        return PassUnseen(seat)
    if number > FORWARD:
        settled = int(settled_by(seat, number, state.ruleset.players))
        return MoonChoice(seat, choice_name(settled))
    if core.phase != PASSING:
        return Play(seat, CARDS[number])
    numbers = [*given, number]
    cards = cards_in(tuple(numbers))
    if not pass_is_whole(core, cards):
        return None
    to = addressed(core, seat, numbers)
    if to:
        return Scatter(
            seat, {other: CARDS[card] for other, card in enumerate(to) if card >= 0}
        )
    return Pass(seat, CardSet.of_mask(cards))


def checked(number: object, allowed: Sequence[int]) -> int:
    """The number as an `int` if it is among those allowed.

    Raises Malformed if it is not, or is no whole number.
    """
    found = whole_number(number)
    if found is None or found not in allowed:
        legal = ", ".join(map(str, allowed)) or "none, out of turn"
        raise Malformed(shown(number)[:40], legal, "action")
    return found
