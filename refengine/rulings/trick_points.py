"""What is said of tricks whose points in a record are not those of their cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refengine.chapters.cards import Mask, points_of
from refengine.chapters.score import bonus
from refengine.chapters.settings import STOCK
from refengine.errors import counted
from refengine.formats.written.written_match import WrittenTrick
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import CardSet
from refengine.rulings.sentences import Said


def other_points(ruleset: Ruleset, tricks: Sequence[WrittenTrick]) -> Iterator[Said]:
    """A sentence on each trick of a deal whose points are not those of its cards (8.1).

    The points may or may not include a bonus card. Tricks with an unknown card are left
    out. If there is a stock, a trick may be complete with fewer cards than there are
    players, since some of them may be out (6.7).
    """
    rules = ruleset.rules
    for number, trick in enumerate(tricks, 1):
        cards = [one.card for one in trick.cards if one.card is not None]
        whole = len(trick.cards) if rules.undealt == STOCK else ruleset.players
        if trick.points is None or len(cards) < whole:
            continue
        taken = Mask(CardSet(cards).mask)
        right = int(points_of(rules, taken))
        if trick.points not in (right, right + int(bonus(rules, taken))):
            stated = counted(trick.points, "point")
            text = f"trick {number}: the record has {stated} beside it"
            yield Said(f"{text}, and its cards cost {right}", ("8.1",))
