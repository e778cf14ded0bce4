"""Copies of positions and cores with parts replaced, to apply the rules to them."""

from refengine.chapters.cards import Mask
from refengine.chapters.layout import Position
from refengine.machine.core import Core


def with_hand(position: Position, hand: Mask, hearts_broken: bool) -> Position:
    """A copy of the position in which the seat to play has this hand.

    Hearts are broken in it if `hearts_broken` is true. Its `hands` are not changed, so
    it can be used to judge an act but not to go on playing.
    """
    return Position(
        hands=position.hands,
        talon=position.talon,
        piles=position.piles,
        played=position.played,
        led=position.led,
        table=position.table,
        best=position.best,
        winner=position.winner,
        leader=position.leader,
        turn=position.turn,
        hand=hand,
        drew=position.drew,
        out=position.out,
        hearts_broken=hearts_broken,
        empty=position.empty,
    )


def at_position(core: Core, position: Position | None) -> Core:
    """A copy of the core with this position, or None, in place of its own."""
    return Core(
        rules=core.rules,
        pack=core.pack,
        named=core.named,
        single=core.single,
        phase=core.phase,
        cut=core.cut,
        sheet=core.sheet,
        dealt=core.dealt,
        position=position,
        record=core.record,
        result=core.result,
    )
