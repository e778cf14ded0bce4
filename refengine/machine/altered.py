"""Copies of positions and cores with parts replaced, to apply the rules to them."""

from refengine.chapters.cards import Mask
from refengine.chapters.layout import Position
from refengine.machine.core import Core


def with_hand(position: Position, hand: Mask, hearts_broken: bool) -> Position:
    """The same position with this hand for the seat to play, and hearts broken or not.

    `hands` stays as it is, so the position can be judged but not played on.
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
