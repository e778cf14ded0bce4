"""Chapter 8, Scoring: what one deal costs each seat, given how a moon is settled."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from refengine.chapters.cards import (
    HEARTS,
    QUEEN,
    Mask,
    bonus_in,
    count,
    hearts_cost,
    penalty_cards,
    points_of,
)
from refengine.chapters.layout import Piles, Talon
from refengine.chapters.settings import CHOICE_ALL, CHOICE_ONE, NO_MOON, Rules
from refengine.sealing import seal

# How a moon is settled; a seat number means plus points for that seat alone.
UNSETTLED: Final = -3
MINUS: Final = -2
PLUS: Final = -1


@final
@mypyc_attr(free_list_len=1)
class Haul:
    """What counts for one seat when play has ended: its cards and number of tricks."""

    def __init__(self, cards: Mask, tricks: i64) -> None:
        self.cards: Final = cards
        self.tricks: Final = tricks

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Haul)
            and self.cards == other.cards
            and self.tricks == other.tricks
        )

    def __hash__(self) -> int:
        return hash((self.cards, self.tricks))

    def __reduce__(self) -> tuple[object, ...]:
        return Haul, (self.cards, self.tricks)


seal(Haul)


def captured(piles: Piles, talon: Talon, seat: i64, hand: Mask) -> Haul:
    """What counts for a seat: its tricks, the kitty if the seat took it, and its hand.

    Clause 8.2.
    """
    cards, tricks = piles.won_by(seat)
    if talon.kitty_to == seat:
        cards = Mask(cards | talon.kitty)
    return Haul(Mask(cards | hand), tricks)


def moon_is_in_play(rules: Rules, in_play: Mask) -> bool:
    """Whether the cards in play that cost points are enough for a moon.

    Clause 8.3a.
    """
    hearts = Mask(in_play & HEARTS)
    if rules.queen_points:
        return hearts != 0 and (in_play & QUEEN) != 0
    return count(hearts) > 1


def moon_lacks_bonus(rules: Rules, in_play: Mask) -> bool:
    """Whether a moon needs the bonus card but the card is not in play.

    Clause 8.3c.
    """
    return rules.moon_needs_bonus and (rules.bonus_card & ~in_play) != 0


def moon_shooter(
    rules: Rules, in_play: Mask, hauls: tuple[Haul, ...], barred: tuple[int, ...]
) -> i64:
    """The seat that shot the moon with every penalty card in play, or -1 if none did.

    `barred` holds the seats that cannot shoot it because of a revoke.

    Clauses 8.3, 8.3b, 8.3c.
    """
    if rules.moon == NO_MOON or not moon_is_in_play(rules, in_play):
        return -1
    if moon_lacks_bonus(rules, in_play):
        return -1
    wanted = Mask(in_play & penalty_cards(rules))
    if rules.moon_needs_bonus:
        wanted = Mask(wanted | in_play & rules.bonus_card)
    for seat, haul in enumerate(hauls):
        held = haul.cards
        if not wanted & ~held and seat not in barred:
            return seat
    return -1


def shot_the_sun(rules: Rules, hauls: tuple[Haul, ...], shooter: i64) -> bool:
    """Whether the shooter took every trick and the ruleset scores that separately.

    Clause 8.4.
    """
    if rules.sun_points == 0:
        return False
    return hauls[shooter].tricks == sum([haul.tricks for haul in hauls])


def moon_worth(
    rules: Rules, in_play: Mask, hauls: tuple[Haul, ...], shooter: i64
) -> i64:
    """The points that the moon, or the sun in its place, is worth.

    Clauses 8.4, 8.5.
    """
    if shot_the_sun(rules, hauls, shooter):
        return rules.sun_points
    return points_of(rules, in_play)


def moon_choices(rules: Rules, shooter: i64) -> tuple[int, ...]:
    """The ways in which the shooter may settle the moon, or () if there is no choice.

    Clauses 8.5b, 8.5c.
    """
    if rules.moon == CHOICE_ALL:
        return (MINUS, PLUS)
    if rules.moon == CHOICE_ONE:
        others = [seat for seat in range(rules.players) if seat != shooter]
        return (MINUS, *others)
    return ()


def not_a_choice(rules: Rules, choice: i64) -> bool:
    """Whether the ruleset does not offer this way of settling the moon.

    Clause 8.6a.
    """
    if choice == MINUS:
        return rules.moon != CHOICE_ALL and rules.moon != CHOICE_ONE
    return rules.moon != (CHOICE_ALL if choice == PLUS else CHOICE_ONE)


def names_itself(shooter: i64, choice: i64) -> bool:
    """Whether the shooter would charge itself with the points of the moon.

    Clause 8.6b.
    """
    return choice == shooter


def moon_score(seat: i64, shooter: i64, worth: i64, settled: i64) -> i64:
    """What a seat scores for penalty cards if a moon is settled this way.

    `worth` is what the moon, or the sun, is worth.

    Clause 8.5.
    """
    if settled == MINUS:
        return -worth if seat == shooter else 0
    if settled == PLUS:
        return worth if seat != shooter else 0
    return worth if seat == settled else 0


def card_score(rules: Rules, cards: Mask) -> i64:
    """What a seat's cards score if nobody shot the moon.

    Clause 8.1.
    """
    return points_of(rules, cards)


def bonus(rules: Rules, cards: Mask) -> i64:
    """What the bonus card scores for the seat with these cards, moon or no moon.

    Clause 8.7.
    """
    return rules.bonus_points if bonus_in(rules, cards) else 0


def trickless(rules: Rules, tricks: i64, shooter: i64) -> i64:
    """What a seat scores for having taken no trick in a finished deal without a moon.

    Clause 8.8.
    """
    return rules.no_trick_points if tricks == 0 and shooter < 0 else 0


def deal_score(
    rules: Rules,
    in_play: Mask,
    hauls: tuple[Haul, ...],
    shooter: i64,
    settled: i64,
    penalties: tuple[int, ...],
) -> tuple[int, ...]:
    """The score of a deal played to its end, by seat.

    It adds up the cards or the moon, the bonus, the points for taking no trick, and
    `penalties`, the cost of established revokes by seat, which may be empty.
    Clause 8.9.
    """
    worth: i64 = 0
    if shooter >= 0:
        worth = moon_worth(rules, in_play, hauls, shooter)
    score: list[int] = []
    for seat, haul in enumerate(hauls):
        held = haul.cards
        if shooter < 0:
            points = card_score(rules, held)
        else:
            points = moon_score(seat, shooter, worth, settled)
        points += bonus(rules, held) + trickless(rules, haul.tricks, shooter)
        if penalties:
            points += penalties[seat]
        score.append(int(points))
    return tuple(score)


def moon_without_penalties(rules: Rules) -> bool:
    """Whether the ruleset has a moon even though hearts cost nothing.

    Clause 8.10.
    """
    return rules.moon != NO_MOON and not hearts_cost(rules)


def sun_without_moon(rules: Rules) -> bool:
    """Whether the ruleset has a sun but no moon.

    Clause 8.10a.
    """
    return rules.sun_points != 0 and rules.moon == NO_MOON
