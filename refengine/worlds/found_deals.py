"""The setup with which a random deal began, built only when a field is first read."""

from __future__ import annotations

from typing import Any

import attrs

from refengine.chapters.layout import Packet
from refengine.game.acts import Pass, PassUnseen, Scatter
from refengine.game.setups import Setup
from refengine.game.values.cardset import CARDS, CardSet
from refengine.machine.core import Core


class FoundDeal(Setup):
    """The setup of a random deal, equal to an ordinary `Setup` with the same fields.

    `attrs.evolve` does not accept it, since its `__init__` differs.

    Making a setup takes longer than dealing the cards and playing them out, and the
    setup is hardly ever read. So its fields are made from the deal when one is first
    read.
    """

    __slots__ = ("_core",)

    _core: Core

    def __init__(self, core: Core) -> None:
        object.__setattr__(self, "_core", core)

    def __getattr__(self, name: str) -> Any:
        """The value of a field read for the first time; then all fields are made."""
        if name.startswith("_"):
            raise AttributeError(name)
        whole = setup_of_core(self._core)
        for field in attrs.fields(Setup):
            object.__setattr__(self, field.name, getattr(whole, field.name))
        return object.__getattribute__(self, name)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FoundDeal):
            other = setup_of_core(other._core)
        return setup_of_core(self._core) == other

    def __hash__(self) -> int:
        return hash(setup_of_core(self._core))

    def __repr__(self) -> str:
        return repr(setup_of_core(self._core))

    def __reduce__(self) -> tuple[object, ...]:
        return FoundDeal, (self._core,)


def setup_of_core(core: Core) -> Setup:
    """The setup with which the deal in progress began."""
    dealt, sheet = core.dealt, core.sheet
    return Setup(
        dealer=int(sheet.dealer),
        hands=tuple(map(CardSet.of_mask, dealt.hands)),
        deal=int(sheet.number),
        totals=sheet.totals,
        stock=tuple(CARDS[number] for number in dealt.stock),
        kitty=CardSet.of_mask(dealt.kitty),
        limit_reached=sheet.reached,
    )


def act_of(seat: int, packet: Packet) -> Pass | Scatter | PassUnseen:
    """The act by which a seat passes this packet."""
    if packet.unseen:
        return PassUnseen(seat)
    if packet.addressed:
        pairs = enumerate(packet.addressed)
        return Scatter(seat, {to: CARDS[card] for to, card in pairs if card >= 0})
    return Pass(seat, CardSet.of_mask(packet.cards))
