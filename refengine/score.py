"""Chapter 8, Scoring: what one deal costs each seat, given how a moon is settled."""

from typing import Final

from mypy_extensions import i64

from refengine.cards import (
    EMPTY,
    HEARTS,
    QUEEN,
    Mask,
    bonus_in,
    penalty_cards,
    points_of,
)
from refengine.play import Talon
from refengine.rules import CHOICE_ALL, CHOICE_ONE, NO_MOON, Rules

# How a moon is settled; a seat number settles it as plus for that seat alone.
UNSETTLED: Final = -3
MINUS: Final = -2
PLUS: Final = -1


def captured(
    taken: tuple[Mask, ...], talon: Talon, standing: tuple[Mask, ...]
) -> tuple[Mask, ...]:
    """All cards that count for each seat: tricks, kitty, and what stands in hand.

    Clause 8.2.
    """
    cards: list[Mask] = []
    for seat, pile in enumerate(taken):
        kitty = talon.kitty if talon.kitty_to == seat else EMPTY
        cards.append(Mask(pile | kitty | standing[seat]))
    return tuple(cards)


def moon_shooter(
    rules: Rules, in_play: Mask, cards: tuple[Mask, ...], barred: tuple[int, ...]
) -> i64:
    """The seat that has every penalty card in play, -1 if none shot the moon.

    Clauses 8.3, 8.3a, 8.3b.
    """
    if rules.moon == NO_MOON or not in_play & QUEEN or not in_play & HEARTS:
        return -1
    wanted = Mask(in_play & penalty_cards(rules))
    for seat, held in enumerate(cards):
        if not wanted & ~held and seat not in barred:
            return seat
    return -1


def shot_the_sun(rules: Rules, tricks: tuple[int, ...], shooter: i64) -> bool:
    """Whether the shooter took every trick and the ruleset counts that apart.

    Clause 8.4.
    """
    return rules.sun_points != 0 and tricks[shooter] == sum(tricks)


def moon_worth(
    rules: Rules, in_play: Mask, tricks: tuple[int, ...], shooter: i64
) -> i64:
    """The points that the moon, or the sun in its place, moves.

    Clauses 8.4, 8.5.
    """
    if shot_the_sun(rules, tricks, shooter):
        return rules.sun_points
    return points_of(rules, in_play)


def moon_choices(rules: Rules, shooter: i64) -> tuple[int, ...]:
    """The ways to settle the moon open to the shooter; none where it is fixed.

    Clauses 8.5b, 8.5c.
    """
    if rules.moon == CHOICE_ALL:
        return (MINUS, PLUS)
    if rules.moon == CHOICE_ONE:
        others = [seat for seat in range(rules.players) if seat != shooter]
        return (MINUS, *others)
    return ()


def not_a_choice(rules: Rules, shooter: i64, choice: i64) -> bool:
    """Whether this way to settle the moon is not open to the shooter.

    Clause 8.6.
    """
    return choice not in moon_choices(rules, shooter)


def moon_score(players: i64, shooter: i64, worth: i64, settled: i64) -> tuple[int, ...]:
    """What the penalty cards score when the moon is shot and settled this way.

    Clause 8.5.
    """
    score = [0 for _ in range(players)]
    for seat in range(players):
        if settled == MINUS:
            if seat == shooter:
                score[seat] = int(-worth)
        elif seat == settled or (settled == PLUS and seat != shooter):
            score[seat] = int(worth)
    return tuple(score)


def card_score(rules: Rules, cards: tuple[Mask, ...]) -> tuple[int, ...]:
    """What the penalty cards score when nobody shot the moon.

    Clause 8.1.
    """
    return tuple([int(points_of(rules, held)) for held in cards])


def bonus(rules: Rules, cards: tuple[Mask, ...]) -> tuple[int, ...]:
    """What the bonus card scores for each seat, also beside a moon.

    Clause 8.7.
    """
    return tuple(
        [int(rules.bonus_points) if bonus_in(rules, held) else 0 for held in cards]
    )


def trickless(rules: Rules, tricks: tuple[int, ...], shooter: i64) -> tuple[int, ...]:
    """What a seat without a trick scores in a finished deal without a moon.

    Clause 8.8.
    """
    return tuple(
        [
            int(rules.no_trick_points) if shooter < 0 and taken == 0 else 0
            for taken in tricks
        ]
    )


def deal_score(
    rules: Rules,
    in_play: Mask,
    cards: tuple[Mask, ...],
    tricks: tuple[int, ...],
    shooter: i64,
    settled: i64,
    penalties: tuple[int, ...],
) -> tuple[int, ...]:
    """The score of a deal played to its end: cards or moon, bonus, no trick, revokes.

    Clause 8.9.
    """
    if shooter < 0:
        base = card_score(rules, cards)
    else:
        worth = moon_worth(rules, in_play, tricks, shooter)
        base = moon_score(rules.players, shooter, worth, settled)
    extra = bonus(rules, cards)
    none = trickless(rules, tricks, shooter)
    return tuple(
        [base[s] + extra[s] + none[s] + penalties[s] for s in range(rules.players)]
    )


def moon_without_penalties(rules: Rules) -> bool:
    """Whether a moon is wanted although hearts or the queen cost nothing.

    Clause 8.10.
    """
    return rules.moon != NO_MOON and not (rules.heart_points and rules.queen_points)


def sun_without_moon(rules: Rules) -> bool:
    """Whether a sun is wanted where there is no moon.

    Clause 8.10a.
    """
    return rules.sun_points != 0 and rules.moon == NO_MOON
