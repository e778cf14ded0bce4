"""Sentences on faults in recorded tricks: plays before their turn, and wrong points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refengine.chapters.cards import Mask, points_of
from refengine.chapters.score import bonus
from refengine.chapters.settings import STOCK
from refengine.errors import counted
from refengine.formats.written.written_match import WrittenTrick
from refengine.game.rulesets import Ruleset
from refengine.game.seats import round_from
from refengine.game.values.cardset import CardSet
from refengine.rulings.sentences import Said
from refengine.rulings.words import seat_words


def other_tricks(ruleset: Ruleset, tricks: Sequence[WrittenTrick]) -> Iterator[Said]:
    """The sentences on wrong order and wrong points in the tricks of a record.

    First come the sentences on plays made before their turn (2.3), then those on tricks
    whose points are not those of their cards (8.1).
    """
    for number, trick in enumerate(tricks, 1):
        yield from _before_their_turn(ruleset, number, trick)
    for number, trick in enumerate(tricks, 1):
        yield from _other_points(ruleset, number, trick)


def _before_their_turn(
    ruleset: Ruleset, number: int, trick: WrittenTrick
) -> Iterator[Said]:
    """A sentence on each play made too early, if the order of all plays is recorded.

    Since the seat passed over played afterwards, such a play stands, and the trick
    counts as if all had played in turn (10.14a). If there is a stock, a seat without a
    card in the trick is taken to be out (6.6).
    """
    seats = [one.seat for one in trick.cards if one.seat is not None]
    if not (trick.in_order and seats) or len({*seats}) < len(trick.cards):
        return
    if len(seats) < ruleset.players and ruleset.rules.undealt != STOCK:
        return
    waiting = [one for one in round_from(ruleset.rules, seats[0]) if one in seats]
    for seat in seats:
        if seat != waiting[0]:
            who, due = seat_words(seat), seat_words(waiting[0])
            text = f"trick {number}: {who} plays before {due}, whose turn it is"
            stands = "the card stands, as if all had played in turn"
            yield Said(f"{text}; {stands}", ("2.3", "10.14a"))
        waiting.remove(seat)


def _other_points(ruleset: Ruleset, number: int, trick: WrittenTrick) -> Iterator[Said]:
    """A sentence if the points beside a trick are wrong and all its cards are known.

    The points may or may not include a bonus card. If there is a stock, a trick may be
    complete with fewer cards than there are players, since some may be out (6.6). A
    trick in which a card is written down twice is passed over.
    """
    rules = ruleset.rules
    known = [one.card for one in trick.cards if one.card is not None]
    cards = {*known}
    whole = len(trick.cards) if rules.undealt == STOCK else ruleset.players
    if trick.points is None or len(cards) < max(whole, len(known)):
        return
    taken = Mask(CardSet(cards).mask)
    right = int(points_of(rules, taken))
    if trick.points not in (right, right + int(bonus(rules, taken))):
        stated = counted(trick.points, "point")
        text = f"trick {number}: the record gives it {stated}"
        yield Said(f"{text}, but its cards cost {right}", ("8.1",))
