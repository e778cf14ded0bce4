"""Named policies, compiled like the rules, and deals played out by them.

`RANDOM` plays any card that may be played and passes any of its cards, each choice
being equally likely.

`LOWEST` plays the lowest-ranking card that may be played and, among equal ranks, the
first in the order of the book; it passes the highest ranks.

`AVOID_POINTS` leads the lowest of its cheapest cards. It follows suit with its highest
card below the best card so far; if it has no such card, it follows with the lowest of
its cheapest cards, or with the highest of them if it plays last. If it cannot follow,
it discards the highest of its dearest cards. It passes the dearest cards and, among
equally dear cards, the highest.

No policy forwards the cards passed to it. A moon is settled at random.
"""

from typing import Final

from mypy_extensions import i64

from refengine.chapters.cards import (
    EMPTY,
    Mask,
    count,
    lowest,
    number_of,
    points_of,
    rank_of,
)
from refengine.chapters.layout import Packet, Position
from refengine.chapters.passing import cards_needed, mix_pile
from refengine.chapters.play import next_to_play
from refengine.chapters.score import UNSETTLED, moon_choices
from refengine.chapters.settings import Rules
from refengine.chapters.table import MIXING, MOON_DUE, PASSING
from refengine.machine.core import Core
from refengine.machine.due import position_of
from refengine.machine.ending import ending
from refengine.machine.judging import packets_of
from refengine.machine.moving import moving_position
from refengine.machine.playouts import playout
from refengine.machine.position import after_draw, after_play, playable
from refengine.machine.random_numbers import Chance, some_of
from refengine.machine.stepping import after_mix, after_moon_choice, after_pass
from refengine.worlds.dealing import packet_of

RANDOM: Final = 0
LOWEST: Final = 1
AVOID_POINTS: Final = 2
POLICIES: Final = ("random", "lowest", "avoid points")


def lowest_rank(cards: Mask) -> Mask:
    """The card of the lowest rank; among equals, the first in the order of the book."""
    best = EMPTY
    least: i64 = 13
    rest = cards
    while rest:
        card = lowest(rest)
        rest = Mask(rest & ~card)
        rank = rank_of(number_of(card))
        if rank < least:
            least = rank
            best = card
    return best


def highest_rank(cards: Mask) -> Mask:
    """The card of the highest rank; among equals, the last in the order of the book."""
    best = EMPTY
    most: i64 = -1
    rest = cards
    while rest:
        card = lowest(rest)
        rest = Mask(rest & ~card)
        rank = rank_of(number_of(card))
        if rank >= most:
            most = rank
            best = card
    return best


def dearest(rules: Rules, cards: Mask, sign: i64) -> Mask:
    """The cards that cost the most points, or the fewest if `sign` is -1."""
    found = EMPTY
    most: i64 = 0
    rest = cards
    while rest:
        card = lowest(rest)
        rest = Mask(rest & ~card)
        points = points_of(rules, card) * sign
        if not found or points > most:
            found = card
            most = points
        elif points == most:
            found = Mask(found | card)
    return found


def card_to_play(
    policy: i64, rules: Rules, position: Position, cards: Mask, chance: Chance
) -> Mask:
    """The card that the seat to play chooses from these cards by this policy."""
    if not cards & (cards - 1):
        return cards
    if policy == RANDOM:
        return some_of(cards, 1, count(cards), chance)
    if policy == LOWEST:
        return lowest_rank(cards)
    return _without_points(rules, position, cards)


def _without_points(rules: Rules, position: Position, cards: Mask) -> Mask:
    """The card that `AVOID_POINTS` chooses from these cards."""
    if not position.led:
        return lowest_rank(dearest(rules, cards, -1))
    if not cards & position.led:
        return highest_rank(dearest(rules, cards, 1))
    below = Mask(cards & (position.best - 1))
    if below:
        return highest_rank(below)
    cheap = dearest(rules, cards, -1)
    if next_to_play(rules, position.turn, position.out) == position.leader:
        return highest_rank(cheap)
    return lowest_rank(cheap)


def cards_to_pass(
    policy: i64, rules: Rules, hand: Mask, size: i64, chance: Chance
) -> Mask:
    """The `size` cards that this policy passes from this hand."""
    if policy == RANDOM:
        return some_of(hand, size, count(hand), chance)
    given = EMPTY
    while size > 0:
        left = Mask(hand & ~given)
        if policy == AVOID_POINTS:
            left = dearest(rules, left, 1)
        given = Mask(given | highest_rank(left))
        size -= 1
    return given


def score_of(core: Core, policies: tuple[int, ...], chance: Chance) -> tuple[int, ...]:
    """The score of the deal in progress when the rest is played by these policies.

    Each seat has its own policy. Only legal acts are chosen; revokes already made stay
    as they are. The cards must have been dealt.
    """
    while core.phase == PASSING or core.phase == MIXING:
        core = _passed(core, policies, chance)
    if core.phase == MOON_DUE:
        assert core.result is not None
        shooter = core.result.shooter
        core = after_moon_choice(core, _choice(core.rules, shooter, chance))
    if core.result is not None:
        return core.result.score
    if not any(policies):
        return playout(core, chance.next() | 1).score
    rules, revokes = core.rules, core.record.revokes
    position: Position = moving_position(position_of(core))
    while position.turn >= 0:
        cards = playable(rules, position)
        if cards:
            policy = policies[position.turn]
            card = card_to_play(policy, rules, position, cards, chance)
            position = after_play(rules, position, card)
        else:
            position = after_draw(position)
    end = ending(rules, core.pack, position, revokes, core.sheet, UNSETTLED)
    if not end.score:
        choice = _choice(rules, end.shooter, chance)
        end = ending(rules, core.pack, position, revokes, core.sheet, choice)
    return end.score


def _choice(rules: Rules, shooter: i64, chance: Chance) -> i64:
    """A way of settling this seat's moon, chosen at random."""
    choices = moon_choices(rules, shooter)
    return choices[chance.below(len(choices))]


def _passed(core: Core, policies: tuple[int, ...], chance: Chance) -> Core:
    """The match after every pass that is due or, if a mix is due, after the mix."""
    if core.phase == MIXING:
        return _mixed(core, chance)
    for seat, packet in enumerate(core.dealt.packets):
        if packet is None:
            core = after_pass(core, seat, packet_by(policies[seat], core, seat, chance))
    return core


def packet_by(policy: i64, core: Core, seat: i64, chance: Chance) -> Packet:
    """The packet a seat passes by this policy, with random receivers in a scatter."""
    rules, way = core.rules, core.dealt.way
    hand = core.dealt.hands[seat]
    size = cards_needed(rules, way)
    given = cards_to_pass(policy, rules, hand, size, chance)
    return packet_of(rules, way, seat, given, chance)


def _mixed(core: Core, chance: Chance) -> Core:
    """The match after the mix, with the pile dealt back at random."""
    packets = packets_of(core)
    pile = mix_pile(core.rules, packets, core.dealt.kitty)
    left = count(pile)
    back: list[Mask] = []
    for packet in packets:
        size = count(packet.cards)
        got = some_of(pile, size, left, chance)
        pile = Mask(pile & ~got)
        left -= size
        back.append(got)
    return after_mix(core, tuple(back), pile)
