"""Replaying the acts of a deal in one possible deal after another.

The engine judges each act. An act that was announced in full is a `Retold`, in the
numbers that the rules use.
"""

from typing import Final, final

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, PACK, Mask, card_at, lowest
from refengine.chapters.table import CLAIM, DRAW, PLAY, QUIT, RETRACT
from refengine.machine.altered import at_position, with_hand
from refengine.machine.core import Core, Result
from refengine.machine.due import position_of
from refengine.machine.judging import (
    claim_breaks,
    draw_breaks,
    is_irregular,
    moon_breaks,
    play_breaks,
    quit_breaks,
    retract_breaks,
)
from refengine.machine.notation import read_set
from refengine.machine.stepping import (
    after_card_drawn,
    after_card_played,
    after_claim,
    after_moon_choice,
    after_quit,
    after_retract,
)
from refengine.sealing import seal

# These include a card for every part that a card can play in a clause (1.8).
TWELVE: Final = read_set("2C 3C AC 2D JD 2S QS KS AS 2H 3H AH")


@final
class Retold:
    """An act of play that was announced in full to every seat.

    `card` is the card of a play or a retraction. For a claim, `card` is the seat
    accused, and `trick` is the trick; for a moon choice, `card` is the way of settling
    the moon. `revoked` says whether a retraction or a claim has shown a play to be a
    revoke. `totals` holds the totals announced with the act, or is empty if none were.
    """

    def __init__(
        self,
        kind: i64,
        seat: i64,
        card: i64,
        trick: i64,
        revoked: bool,
        totals: tuple[int, ...],
    ) -> None:
        self.kind: Final = kind
        self.seat: Final = seat
        self.card: Final = card
        self.trick: Final = trick
        self.revoked: Final = revoked
        self.totals: Final = totals


seal(Retold)


def revoke(act: Retold) -> Retold:
    """The same play marked as one that has been shown to be a revoke."""
    return Retold(act.kind, act.seat, act.card, act.trick, True, act.totals)


def breaks(core: Core, act: Retold) -> tuple[str, ...]:
    """The clauses that forbid the act at this moment."""
    kind = act.kind
    if kind == PLAY:
        return play_breaks(core, act.seat, act.card)
    if kind == DRAW:
        return draw_breaks(core, act.seat)
    if kind == RETRACT:
        return retract_breaks(core, act.seat, act.card)
    if kind == QUIT:
        return quit_breaks(core, act.seat)
    if kind == CLAIM:
        return claim_breaks(core, act.seat, act.card, act.trick)
    return moon_breaks(core, act.seat, act.card)


def after_act(core: Core, act: Retold, irregular: bool) -> Core:
    """The match after the act, whether or not the act is allowed."""
    kind = act.kind
    if kind == PLAY:
        return after_card_played(core, act.card, irregular)
    if kind == DRAW:
        return after_card_drawn(core)
    if kind == RETRACT:
        return after_retract(core, act.seat, act.card)
    if kind == QUIT:
        return after_quit(core)
    if kind == CLAIM:
        return after_claim(core, act.card, act.trick)
    return after_moon_choice(core, act.card)


def accepted(core: Core, act: Retold) -> bool:
    """Whether the act would have the same verdict here as the one announced.

    It would not if the act is refused here, or if the act was shown to be a revoke and
    is not a revoke here. The act may be a revoke here even if nobody was told so.
    """
    broken = breaks(core, act)
    if not broken:
        return not act.revoked
    return act.kind == PLAY and is_irregular(core, broken)


def retold(core: Core, acts: list[Retold]) -> Core | None:
    """The match after these acts, or None if they do not fit what was announced.

    They do not fit if an act is refused, if an announced revoke is no revoke, or if the
    deal does not have the announced totals.
    """
    for act in acts:
        broken = breaks(core, act)
        if broken:
            if act.kind != PLAY or not is_irregular(core, broken):
                return None
        elif act.revoked:
            return None
        core = after_act(core, act, len(broken) > 0)
        if act.totals and not scored_so(core, act.totals):
            return None
    return core


def barring(core: Core, act: Retold) -> Mask:
    """The cards that the seat to act cannot have held, given that its act was accepted.

    The engine is given hands of two and three cards that include the card played or,
    for a draw, hands of one and two cards. A card is barred only if no other card of
    `TWELVE`, held with it, lets the act through: 5.4b looks at the whole hand, and if
    revokes are accepted, what remains forbidden depends on the suit led. So no hand
    that the engine accepts is ruled out, but some that it refuses may be left.
    """
    own = card_at(act.card) if act.kind == PLAY else EMPTY
    barred = EMPTY
    rest = Mask(PACK & ~own)
    while rest:
        card = lowest(rest)
        rest = Mask(rest & ~card)
        if not _let_through(core, act, Mask(own | card)):
            barred = Mask(barred | card)
    return barred


def _let_through(core: Core, act: Retold, hand: Mask) -> bool:
    """Whether the act is accepted with this hand, or with one more card of TWELVE."""
    if accepted(holding(core, hand), act):
        return True
    rest = Mask(TWELVE & ~hand)
    while rest:
        card = lowest(rest)
        rest = Mask(rest & ~card)
        if accepted(holding(core, Mask(hand | card)), act):
            return True
    return False


def scored_so(core: Core, totals: tuple[int, ...]) -> bool:
    """Whether the deal has been scored and has resulted in these totals."""
    result = core.result
    return result is not None and len(result.score) > 0 and result.totals == totals


def holding(core: Core, cards: Mask) -> Core:
    """The same moment of play, but with these cards in the hand of the seat to play."""
    before = position_of(core)
    return at_position(core, with_hand(before, cards, before.hearts_broken))


def ended(core: Core, phase: i64, result: Result) -> Core:
    """A copy of the match in this phase, with this result for the deal."""
    return Core(
        rules=core.rules,
        pack=core.pack,
        named=core.named,
        single=core.single,
        phase=phase,
        cut=core.cut,
        sheet=core.sheet,
        dealt=core.dealt,
        position=core.position,
        record=core.record,
        result=result,
    )
