"""Who deals first in a written match, as its cut or the dealer it names decides.

The cut is made under the rules, card by card. A card that they refuse is put back.
"""

from __future__ import annotations

import attrs

from refengine.chapters.cards import rank_of
from refengine.errors import Malformed
from refengine.formats.written.written_match import WrittenMatch
from refengine.game.acts import Cut
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match
from refengine.game.values.state import State
from refengine.game.verdicts import Refused


@attrs.frozen
class FirstDealer:
    """A match before its first deal, and the acts of its cut that the rules refuse.

    `state` is the state after the cut as far as it is written down, and each act in
    `refused` comes with the state in which it was made.
    """

    state: State
    refused: tuple[tuple[State, Cut], ...] = ()

    @classmethod
    def of(cls, ruleset: Ruleset, begun: WrittenMatch) -> FirstDealer | None:
        """The beginning of a written match; None if such a match cannot begin."""
        try:
            state = State.open(ruleset, Match(begun.dealer, begun.pack))
        except (Malformed, Refused):
            return None
        refused: list[tuple[State, Cut]] = []
        for act in begun.cuts:
            if isinstance(state.verdict(act), Refused):
                refused.append((state, act))
            else:
                state = state.apply(act)
        return cls(state, tuple(refused))

    @property
    def seat(self) -> int | None:
        """The seat that deals first; None while the cut goes on."""
        return self.state.dealer

    def may_be(self, seat: int) -> bool:
        """Whether this seat can still come to deal first.

        If it can at all, it does, or is tied, when it draws low and the others high.
        """
        state = self.state
        for drawing in state.turn if state.phase == "cut" else ():
            legal = [act for act in state.legal if isinstance(act, Cut)]
            cards = [act.card for act in legal if act.seat == drawing]
            if not cards:
                return True
            pick = min if drawing == seat else max
            card = pick(cards, key=lambda one: rank_of(one.number))
            state = state.apply(Cut(drawing, card))
        return seat in state.turn


def with_first_dealers(match: WrittenMatch, ruleset: Ruleset) -> WrittenMatch:
    """The match with each unwritten dealer whom a cut or a named first dealer shows."""
    deals = [*match.deals]
    for place, deal in enumerate(deals):
        begun = match.begun_by(place)
        unsaid = deal.dealer is None and deal.number in (None, 1) and not deal.position
        if begun is not None and unsaid:
            first = FirstDealer.of(ruleset, begun)
            seat = None if first is None else first.seat
            deals[place] = attrs.evolve(deal, dealer=seat)
    return attrs.evolve(match, deals=tuple(deals))
