"""All scores that a deal can have, worked out from the rules.

The cards that count are shared out among the seats in every way that may score
differently, and each way is scored by the functions of the rules. All seats are treated
alike, so one score stands for all its rearrangements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Final

import attrs

from refengine.chapters.cards import (
    EMPTY,
    Mask,
    bonus_in,
    cards_that_count,
    count,
    penalty_cards,
    points_of,
)
from refengine.chapters.deal import hand_size, kitty_size, match_pack, stock_size
from refengine.chapters.draw import stock_goes_to
from refengine.chapters.match import settled_by_rule
from refengine.chapters.revoke import penalty, score_of_ended_deal
from refengine.chapters.score import (
    MINUS,
    PLUS,
    UNSETTLED,
    Haul,
    deal_score,
    moon_choices,
    moon_shooter,
    shot_the_sun,
)
from refengine.chapters.settings import (
    FIRST_POINTS,
    OTHERS_PLUS_UNLESS_LOSING,
    STOCK,
    Rules,
)
from refengine.chapters.table import SEAT
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import CARDS, NO_CARDS, CardSet

_Share = tuple[Mask, ...]
_Kind = tuple[int, bool, int]
_Kinds = tuple[_Kind, ...]


@attrs.frozen(kw_only=True)
class DealScore:
    """A score that some deal can have, sorted in ascending order, and how it arises.

    `taken` holds the cards that count for each seat and `tricks` its number of tricks,
    both in the order of `score`. `shooter` is the index in that order of the seat that
    shot the moon or the sun, or -1 if none did; `sun` says whether it was the sun.
    `barred` is the index of the seat that a revoke barred from the moon (8.3b), or -1.
    """

    score: tuple[int, ...]
    taken: tuple[CardSet, ...]
    tricks: tuple[int, ...]
    shooter: int = -1
    sun: bool = False
    barred: int = -1


@lru_cache(maxsize=256)
def deal_scores(
    ruleset: Ruleset, pack: CardSet = NO_CARDS
) -> Mapping[tuple[int, ...], DealScore]:
    """The scores that a deal without revokes can have, each with a way to reach it.

    Each is sorted, and stands for all its rearrangements. `pack` is the pack if the
    match names one. A score arises from some way to share out the cards and tricks;
    whether play can lead to it is not examined. The rules are those of chapter 8.
    """
    ways = deal_ways(ruleset, pack).items()
    return {score: first for score, (first, *_) in ways if first.barred < 0}


@lru_cache(maxsize=256)
def deal_ways(
    ruleset: Ruleset, pack: CardSet = NO_CARDS
) -> Mapping[tuple[int, ...], tuple[DealScore, ...]]:
    """The different ways in which each score can arise, with or without a revoke.

    The keys are sorted scores, as in `deal_scores`. One way stands for all that agree
    in `shooter` and `barred`. The points that a revoke costs are not in the score.
    """
    rules = ruleset.rules
    cards = match_pack(rules, pack.mask)
    size = int(hand_size(rules, cards, bool(pack)))
    kitty = int(kitty_size(rules, cards, size * rules.players))
    found: dict[tuple[int, ...], dict[tuple[int, int], DealScore]] = {}
    for share in _all_shares(rules, cards, kitty, size):
        if rules.undealt == STOCK:
            counts = _tricks_with_stock(share)
        else:
            counts = _trick_counts(_tricks_needed(rules, share, kitty), size)
        for tricks in counts:
            hauls = tuple(map(Haul, share, tricks))
            for one in _scored(rules, cards, hauls):
                found.setdefault(one.score, {}).setdefault(
                    (one.barred, one.shooter), one
                )
    return {
        score: tuple(sorted(ways.values(), key=lambda one: one.barred))
        for score, ways in found.items()
    }


def can_be_scored(
    ruleset: Ruleset, score: Sequence[int], revokers: Sequence[int] = ()
) -> bool:
    """Whether the seats can have these scores after one deal.

    `revokers` holds the seats whose revokes were claimed, once for each revoke.
    """
    rules = ruleset.rules
    if revokers and rules.revoke_ends_deal:
        ended = score_of_ended_deal(rules, match_pack(rules, EMPTY), revokers[0])
        return tuple(score) == ended
    return way_to_score(ruleset, score, revokers) is not None


def way_to_score(
    ruleset: Ruleset, score: Sequence[int], revokers: Sequence[int] = ()
) -> DealScore | None:
    """A way for a deal with these revokes to have this score; None if there is none.

    The deal is taken to go on after the revokes. The result is a way to the score
    without the points for the revokes. In it, no seat that revoked shot the moon, and
    no other seat is barred from it (8.3b).
    """
    rules = ruleset.rules
    cost = int(penalty(rules, match_pack(rules, EMPTY)))
    left = [one - cost * revokers.count(seat) for seat, one in enumerate(score)]
    others = [one for seat, one in enumerate(left) if seat not in revokers]
    for way in deal_ways(ruleset).get(tuple(sorted(left)), ()):
        if way.shooter >= 0 and way.score[way.shooter] not in others:
            continue
        if way.barred < 0 or any(left[at] == way.score[way.barred] for at in revokers):
            return way
    return None


# How the cards are shared out


def _idle_stock(rules: Rules, cards: Mask, size: int) -> int:
    """The largest number of stock cards that may count for nobody after play."""
    survivors = (SEAT[0], 0)  # one seat, or none
    if all(stock_goes_to(rules, seats, 0) >= 0 for seats in survivors):
        return 0
    return int(stock_size(rules, cards, size * rules.players))


def _all_shares(rules: Rules, cards: Mask, kitty: int, size: int) -> Iterator[_Share]:
    """The ways to share out the cards that count, with the kitty won or left alone.

    `size` is the number of cards in each hand.
    """
    yield from _shares(rules, cards, _idle_stock(rules, cards, size), size)
    costly = Mask(cards & penalty_cards(rules))
    number = int(count(costly))
    if rules.kitty_to == FIRST_POINTS and kitty and number <= kitty:
        # If all of them lie in the kitty, no trick has any, so none wins it (8.2a).
        yield from _shares(rules, Mask(cards & ~costly), kitty - number, size)


def _shares(rules: Rules, cards: Mask, idle: int, size: int) -> Iterable[_Share]:
    """The ways to share out the cards that count, one for all those that score alike.

    At most `idle` of these cards, left in a stock or a kitty, go to nobody. `size` is
    the number of tricks in the deal.
    """
    counting = Mask(cards & cards_that_count(rules))
    players = int(rules.players)
    # The most tricks that a share needs: each seat may leave all places but one empty.
    most = (int(count(counting)) + players * (players - 1)) // players
    kind = cache(partial(_haul_kind, rules, most > size))
    nothing = (EMPTY,) * rules.players
    found: dict[_Kinds, _Share] = {tuple(map(kind, nothing)): nothing}
    given = 0
    for card in CARDS:
        mask = CardSet([card]).mask
        if not mask & counting:
            continue
        more: dict[_Kinds, _Share] = {}
        for share in found.values():
            ways = [*_with_card(kind, share, mask)]
            if idle and given - _cards_held(share) < idle:
                ways.append(share)
            for made in ways:
                kinds = tuple(sorted(map(kind, made)))
                other = more.setdefault(kinds, made)
                # Of shares alike in kind, the one with most cards leaves most room.
                if idle and _cards_held(made) > _cards_held(other):
                    more[kinds] = made
        found = more
        given += 1
    return found.values()


def _cards_held(share: _Share) -> int:
    """The number of cards that count and have been given to some seat."""
    return sum(int(count(cards)) for cards in share)


def _with_card(
    kind: Callable[[Mask], _Kind], share: _Share, card: Mask
) -> Iterator[_Share]:
    """The shares that result from giving this card to one of the seats.

    Of several seats whose cards are of the same kind, only one is given the card, since
    the others would lead to the same scores. `kind` must be such that they do so
    whatever cards are given later.
    """
    tried = set()
    for seat, cards in enumerate(share):
        if (one := kind(cards)) not in tried:
            tried.add(one)
            yield (*share[:seat], Mask(cards | card), *share[seat + 1 :])


def _haul_kind(rules: Rules, scarce: bool, cards: Mask) -> _Kind:
    """What in a seat's cards can affect the score: the points, the bonus, the number.

    Unless tricks are `scarce`, it matters only whether the seat has any of these cards,
    so the number is 0 or 1.
    """
    number = int(count(cards))
    held = number if scarce else min(number, 1)
    return int(points_of(rules, cards)), bonus_in(rules, cards), held


# How the tricks are shared out


def _tricks_needed(rules: Rules, share: _Share, kitty: int) -> list[int]:
    """The smallest number of tricks that can hold the cards of each seat.

    The kitty, which may hold `kitty` of the cards, goes to the seat for which it saves
    the most tricks.
    """
    least = [_tricks_to_hold(rules, cards, 0) for cards in share]
    with_kitty = [_tricks_to_hold(rules, cards, kitty) for cards in share]
    saved = [one - fewer for one, fewer in zip(least, with_kitty, strict=True)]
    winner = saved.index(max(saved))
    least[winner] = with_kitty[winner]
    return least


def _tricks_to_hold(rules: Rules, cards: Mask, kitty: int) -> int:
    """The smallest number of tricks that can hold all but `kitty` of these cards."""
    number = int(count(cards)) - kitty
    return max(1, -(-number // rules.players)) if cards else 0


def _tricks_with_stock(share: _Share) -> Iterator[tuple[int, ...]]:
    """The ways in which seats can have taken tricks or none in a deal with a stock.

    Each way has 1 for a seat that has taken at least one trick and 0 for any other. A
    seat with none of the cards in `share` may have taken no trick. So may one seat with
    some of them, if they are the cards left in its hand at the end (6.8).
    """
    seats = range(len(share))
    empty = [seat for seat in seats if not share[seat]]
    for none in range(len(empty) + 1):
        for left in (-1, *(seat for seat in seats if share[seat])):
            without = {*empty[:none], left}
            if len(without - {-1}) < len(share):
                yield tuple(int(seat not in without) for seat in seats)


def _trick_counts(least: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Numbers of tricks by seat, one way for each possible number of seats without any.

    `least` holds the smallest number for each seat, and `size` is the number of tricks
    in the deal.
    """
    empty = [seat for seat, number in enumerate(least) if not number]
    for none in range(len(empty) + 1):
        tricks = list(least)
        for seat in empty[none:]:
            tricks[seat] = 1
        left = size - sum(tricks)
        takers = [seat for seat, number in enumerate(tricks) if number]
        if left >= 0 and takers:
            tricks[takers[0]] += left
            yield tuple(tricks)


# How they score


def _scored(rules: Rules, cards: Mask, hauls: tuple[Haul, ...]) -> Iterator[DealScore]:
    """The scores of a deal in which these cards and tricks count for the seats.

    There are several if a moon can be settled in several ways. With every moon comes
    one more: the score if a revoke bars the shooter from it (8.3b).
    """
    able = int(moon_shooter(rules, cards, hauls, ()))
    ways = [(able, settled) for settled in _ways_to_settle(rules, able)]
    if able >= 0:
        ways.append((-1, UNSETTLED))
    for shooter, settled in ways:
        score = deal_score(rules, cards, hauls, shooter, settled, ())
        order = sorted(range(len(score)), key=score.__getitem__)
        yield DealScore(
            score=tuple(score[seat] for seat in order),
            taken=tuple(CardSet.of_mask(hauls[seat].cards) for seat in order),
            tricks=tuple(int(hauls[seat].tricks) for seat in order),
            shooter=order.index(shooter) if shooter >= 0 else -1,
            sun=shooter >= 0 and shot_the_sun(rules, hauls, shooter),
            barred=order.index(able) if shooter != able else -1,
        )


_NO_TOTALS: Final[tuple[int, ...]] = ()


def _ways_to_settle(rules: Rules, shooter: int) -> tuple[int, ...]:
    """The ways in which a moon may be settled, whatever the totals."""
    if shooter < 0:
        return (UNSETTLED,)
    if rules.moon == OTHERS_PLUS_UNLESS_LOSING:
        return (MINUS, PLUS)
    by_rule = settled_by_rule(rules, _NO_TOTALS, _NO_TOTALS, shooter, False, 1)
    return moon_choices(rules, shooter) if by_rule == UNSETTLED else (int(by_rule),)
