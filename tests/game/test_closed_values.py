"""Tests that values allow no subclasses, weak references or added attributes."""

import weakref
from typing import Any

import pytest

from refengine import CardSet, LegalActs, Ruleset, State, cards, new_deal
from refengine.machine.perft import Games
from refengine.machine.playouts import Playout, Playouts, playout, playouts

STATE = new_deal(Ruleset("estmesh-hearts"), ["2C", "QS", "2H", "3H"], dealer=3, deal=4)
VALUES: dict[type, Any] = {
    State: STATE,
    LegalActs: STATE.legal,
    CardSet: cards("QS 2C"),
    Playout: playout(STATE.core, 1),
    Playouts: playouts([STATE.core], 1, 1),
    Games: Games(1),
}
every = pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)


@every
def test_no_class_can_be_derived(kind: Any) -> None:
    with pytest.raises(TypeError, match=f"derived from {kind.__name__}"):
        type("Own", (kind,), {})


@every
def test_there_are_no_weak_references(kind: Any) -> None:
    with pytest.raises(TypeError, match=f"weak reference to '{kind.__name__}'"):
        weakref.ref(VALUES[kind])


@every
def test_nothing_of_ones_own_can_be_kept_in_it(kind: Any) -> None:
    with pytest.raises(AttributeError):
        VALUES[kind].note = "mine"
