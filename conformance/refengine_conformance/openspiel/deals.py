"""Makes deals to be played in OpenSpiel and in this engine, some for rare cases.

The parameters of OpenSpiel's game `hearts` become options of rulesets. In OpenSpiel,
the pass direction is a chance event; here, the pass cycle determines it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Final

import attrs

from refengine.game.rulesets import Ruleset
from refengine.game.shuffling import chosen, shuffled
from refengine.game.values.cardset import CARDS, Card, CardSet
from refengine.game.values.cardset import cards as cards_of

PROFILE: Final = "openspiel-hearts"
PARAMETERS: Final = (
    "pass_cards",
    "no_pts_on_first_trick",
    "can_lead_any_club",
    "jd_bonus",
    "avoid_all_tricks_bonus",
    "must_break_hearts",
    "qs_breaks_hearts",
    "can_lead_hearts_instead_of_qs",
)
COMBINATIONS: Final[int] = 2 ** len(PARAMETERS)
DIRECTIONS: Final = ("hold", "left", "across", "right")  # 0 to 3 seats to the left
SEATS: Final = range(4)
SEED: Final = 2026  # of the deals, unless another is asked for

HEARTS: Final = cards_of("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH")
QUEEN: Final = Card("QS")
JACK: Final = Card("JD")
PENALTIES: Final = HEARTS | CardSet([QUEEN])
TWO: Final = Card("2C")


# Parameters


def game_parameters(combination: int) -> dict[str, bool]:
    """The values of OpenSpiel's parameters, which are the bits of this number."""
    return {
        name: bool(combination >> place & 1) for place, name in enumerate(PARAMETERS)
    }


@cache
def ruleset_like_parameters(combination: int, direction: str) -> Ruleset:
    """The ruleset with the same effect as these parameters of OpenSpiel.

    `direction` is that of the pass. Raises ValueError for a direction that these
    parameters do not allow.
    """
    given = game_parameters(combination)
    if direction not in pass_directions(given):
        raise ValueError(f"no pass {direction} under these parameters")
    options = {
        "pass_cycle": [direction],
        "first_trick_points": "barred" if given["no_pts_on_first_trick"] else "allowed",
        "opening_card": "any_club" if given["can_lead_any_club"] else "lowest_club",
        "bonus_card": "JD" if given["jd_bonus"] else "none",
        "no_trick_points": -5 if given["avoid_all_tricks_bonus"] else 0,
        "heart_leads": "when_broken" if given["must_break_hearts"] else "free",
        "queen_breaks_hearts": given["qs_breaks_hearts"],
        "hearts_or_queen_leader": (
            "any" if given["can_lead_hearts_instead_of_qs"] else "queen"
        ),
    }
    return Ruleset(PROFILE, 4, options)


def pass_directions(given: dict[str, bool]) -> tuple[str, ...]:
    """The directions of a pass that are possible with these parameters."""
    return DIRECTIONS if given["pass_cards"] else DIRECTIONS[:1]


# Deals

Policy = Callable[[list[int], bool, Random], int]


def _any_card(legal: list[int], leading: bool, rng: Random) -> int:
    """A legal card at random."""
    return chosen(legal, rng)


def _dodging(legal: list[int], leading: bool, rng: Random) -> int:
    """A random card that costs no points, or any card if all of them cost points."""
    return chosen([card for card in legal if not _costs(card)] or legal, rng)


def _collecting(legal: list[int], leading: bool, rng: Random) -> int:
    """The highest card, to win the trick."""
    return max(legal, key=_rank)


def _shooting(legal: list[int], leading: bool, rng: Random) -> int:
    """The lowest card when leading, to get rid of a loser early; else the highest."""
    return min(legal, key=_rank) if leading else max(legal, key=_rank)


def _rank(number: int) -> int:
    return number % 13


def _costs(number: int) -> bool:
    return CARDS[number] in PENALTIES


@attrs.frozen
class Plan:
    """A deal to play: the hands as dealt, what each seat passes, and how it plays."""

    direction: int
    hands: tuple[tuple[int, ...], ...]
    packets: tuple[tuple[int, ...], ...]
    policies: tuple[Policy, ...]


Hands = list[list[int]]
Wanted = tuple[Hands, list[Policy]]  # the hands after the pass


def _numbers(notation: str) -> list[int]:
    return [card.number for card in cards_of(notation)]


def _around(
    own: list[int], rng: Random, policy: Policy = _any_card, others: Policy = _any_card
) -> Wanted:
    """Hands and policies: one seat, chosen at random, has `own` and plays by `policy`.

    The other cards are dealt at random to the other seats, which play by `others`.
    """
    rest = shuffled([number for number in range(52) if number not in own], rng)
    hands = [own, rest[:13], rest[13:26], rest[26:]]
    policies = [policy, others, others, others]
    turn = int(rng.random() * 4)
    return hands[turn:] + hands[:turn], policies[turn:] + policies[:turn]


def _at_random(rng: Random) -> Wanted:
    return _around(shuffled(range(52), rng)[:13], rng)


def _all_dodging(rng: Random) -> Wanted:
    return _around(shuffled(range(52), rng)[:13], rng, _dodging, _dodging)


def _one_collecting(rng: Random) -> Wanted:
    return _around(shuffled(range(52), rng)[:13], rng, _collecting)


def _penalties_only(rng: Random) -> Wanted:
    penalties = [card.number for card in PENALTIES]
    return _around(shuffled(penalties, rng)[:13], rng)


def _winners_and(more: list[int], rng: Random) -> Wanted:
    """A deal in which one seat has sure winners, the cards `more`, and hearts.

    There are one to three sure winners.
    """
    winners = [*_numbers("AC"), *shuffled(_numbers("AD KC"), rng)]
    own = [*winners[: 1 + int(rng.random() * 3)], *more]
    hearts = shuffled(_numbers(str(HEARTS)), rng)
    return _around([*own, *hearts[: 13 - len(own)]], rng, _dodging, _dodging)


def _winners_and_hearts(rng: Random) -> Wanted:
    return _winners_and([], rng)


def _winners_hearts_queen(rng: Random) -> Wanted:
    return _winners_and([QUEEN.number], rng)


def _masters(size: int, rng: Random) -> list[int]:
    """A random hand of this size that no other card can beat, with the ace of clubs.

    Its cards in each suit are the highest, without a gap.
    """
    tops = [12, 25, 38, 51]
    found = [12]
    tops[0] -= 1
    while len(found) < size:
        suit = int(rng.random() * 4)
        found.append(tops[suit])
        tops[suit] -= 1
    return found


def _winning_all(rng: Random) -> Wanted:
    return _around(_masters(13, rng), rng)


def _losing_one(rng: Random) -> Wanted:
    """A deal in which a seat can shoot the moon even though it loses a trick first."""
    own = _masters(12, rng)
    low = chosen([number for number in range(13, 18) if number not in own], rng)
    return _around([*own, low], rng, _shooting, _dodging)


# An odd number of kinds, so that each meets every combination sooner or later.
_KINDS: Final = (
    _at_random,
    _all_dodging,
    _penalties_only,
    _at_random,
    _winners_and_hearts,
    _one_collecting,
    _winners_hearts_queen,
    _winning_all,
    _at_random,
    _losing_one,
    _all_dodging,
)


def plan_of_deal(deal: int, seed: int) -> Plan:
    """The deal with this number, from 0 on; it is the same on every platform."""
    rng = Random(f"{seed} {deal}")
    ways = pass_directions(game_parameters(combination_of(deal)))
    direction = int(rng.random() * len(ways))
    wanted, policies = _KINDS[deal % len(_KINDS)](rng)
    if direction == 0:
        return Plan(0, tuple(map(tuple, wanted)), (), tuple(policies))
    received = [shuffled(hand, rng)[:3] for hand in wanted]
    passed = [received[(seat + direction) % 4] for seat in SEATS]
    hands = tuple(
        (*(card for card in wanted[seat] if card not in received[seat]), *passed[seat])
        for seat in SEATS
    )
    return Plan(direction, hands, tuple(map(tuple, passed)), tuple(policies))


def combination_of(deal: int) -> int:
    """The combination of parameters for a deal; successive deals use all in turn."""
    return deal % COMBINATIONS
