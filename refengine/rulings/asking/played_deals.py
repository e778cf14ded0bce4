"""Scoring a deal from its outcome: the cards taken, and the revokes claimed.

The machine is given a position in which play has ended, and scores it as usual.
"""

from __future__ import annotations

from typing import Final

import attrs

from refengine.chapters.cards import EMPTY, cards_that_count, penalty_cards
from refengine.chapters.deal import hand_size, kitty_size, match_pack
from refengine.chapters.layout import Hand, Piles, Position, Talon
from refengine.chapters.revoke import ESTABLISHED, MADE, Revoke
from refengine.chapters.score import UNSETTLED
from refengine.chapters.settings import NO_MOON, Rules
from refengine.chapters.table import PLAYING, SEAT
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match
from refengine.game.values.cardset import NO_CARDS, CardSet
from refengine.game.values.state import State
from refengine.lawbook.book import headings
from refengine.machine.core import NO_CUT, NOTHING_DEALT, Core, DealStart, Record
from refengine.machine.stepping import after_claim, after_last_trick
from refengine.rulings.whatif import (
    Elsewhere,
    changed_rulesets,
    ending_of,
    worth_varying,
)

_TRICK: Final = 1
"""The trick given for every revoke: once a revoke counts, its trick does not matter."""


@attrs.frozen(kw_only=True)
class PlayedDeal:
    """The outcome of a deal, and how the match stood before it.

    `taken` holds the cards that count for each seat, `tricks` the number of tricks that
    each seat won, and `revokers` the seats whose revokes have been claimed.
    """

    taken: tuple[CardSet, ...]
    tricks: tuple[int, ...]
    totals: tuple[int, ...]
    reached: bool = False
    number: int = 1
    revokers: tuple[int, ...] = ()


def pack_of(ruleset: Ruleset) -> CardSet:
    """The pack under this ruleset, for a deal that names no pack of its own."""
    return CardSet.of_mask(match_pack(ruleset.rules, EMPTY))


def cards_each(ruleset: Ruleset) -> int:
    """How many cards every seat is dealt under this ruleset."""
    rules = ruleset.rules
    return int(hand_size(rules, match_pack(rules, EMPTY), False))


def cards_in_kitty(ruleset: Ruleset) -> int:
    """How many cards lie in the kitty under this ruleset; 0 in a game without one."""
    pack = match_pack(ruleset.rules, EMPTY)
    return int(kitty_size(ruleset.rules, pack, cards_each(ruleset) * ruleset.players))


def counting_cards(ruleset: Ruleset) -> CardSet:
    """The cards in the pack that change a score under this ruleset.

    They include the bonus card if it is worth something or a moon needs it (8.3c, 8.7).
    """
    rules = ruleset.rules
    needed = rules.moon_needs_bonus and rules.moon != NO_MOON
    by_bonus = needed or rules.bonus_points != 0
    mask = cards_that_count(rules) if by_bonus else penalty_cards(rules)
    return pack_of(ruleset) & CardSet.of_mask(mask)


def all_taken(taken: tuple[CardSet, ...]) -> CardSet:
    """All the cards taken, whichever seat took them."""
    found = NO_CARDS
    for cards in taken:
        found = found | cards
    return found


def scored_deal(ruleset: Ruleset, played: PlayedDeal) -> State:
    """The state after the deal: scored, or waiting for a moon to be settled."""
    rules = ruleset.rules
    position = _ended(rules, played)
    ends = rules.revoke_ends_deal and len(played.revokers) > 0
    fate = MADE if ends else ESTABLISHED
    revokes = tuple(
        [Revoke(seat, _TRICK, 0, position, fate) for seat in played.revokers]
    )
    core = Core(
        rules=rules,
        pack=match_pack(rules, EMPTY),
        named=False,
        single=True,
        phase=PLAYING,
        cut=NO_CUT,
        sheet=DealStart(0, played.number, played.totals, played.reached),
        dealt=NOTHING_DEALT,
        position=position,
        record=Record(None, revokes, True, False),
        result=None,
    )
    if ends:
        after = after_claim(core, played.revokers[0], _TRICK)
    else:
        after = after_last_trick(core, UNSETTLED)
    return State(ruleset, Match(), after)


def _ended(rules: Rules, played: PlayedDeal) -> Position:
    """The position after play, in which the cards lie with the seats that took them."""
    taken = tuple([cards.mask for cards in played.taken])
    return Position(
        hands=tuple([Hand(EMPTY) for _ in played.taken]),
        talon=Talon((), 0, EMPTY, -1),
        piles=Piles(taken, played.tricks, sum(played.tricks), False),
        played=EMPTY,
        led=EMPTY,
        table=EMPTY,
        best=EMPTY,
        winner=-1,
        leader=0,
        turn=-1,
        hand=EMPTY,
        drew=EMPTY,
        out=0,
        hearts_broken=False,
        empty=sum([SEAT[seat] for seat in range(rules.players)]),
    )


def scored_elsewhere(
    ruleset: Ruleset, played: PlayedDeal, chapters: tuple[str, ...]
) -> list[Elsewhere]:
    """The changes to one option of these chapters that make the deal end differently.

    Each comes with the state after the deal. Changes for which `worth_varying` is false
    are left out, and so are those that do not fit this outcome.
    """
    now = ending_of(scored_deal(ruleset, played))
    named = all_taken(played.taken)
    found = []
    for option, value, other in changed_rulesets(ruleset):
        if not worth_varying(ruleset, option, value):
            continue
        if not any(_speaks(number, option, chapters) for number in headings()):
            continue
        if not other.rules.revokes_penalised and played.revokers:
            continue
        if other.rules.revoke_ends_deal and len(played.revokers) > 1:
            continue  # which claim came first is not known (7.7b)
        if played.reached and not other.rules.ties_played_on:
            continue  # the match would have been over before this deal (9.3)
        if counting_cards(other) - counting_cards(ruleset) - named:
            continue
        state = scored_deal(other, played)
        if pack_of(other) == pack_of(ruleset) and ending_of(state) != now:
            found.append(Elsewhere(option, value, state))
    return found


def _speaks(number: str, option: str, chapters: tuple[str, ...]) -> bool:
    chapter = number.split(".")[0]
    return chapter in chapters and option in headings()[number].options
