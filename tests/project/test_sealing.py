"""Tests that values cannot be changed even in ways that Python would allow."""

from random import Random

import pytest

import refengine
from refengine import new_deal
from refengine.sealing import COMPILED, Value, seal
from tests.support.strategies import hearts


def native_values() -> list[tuple[object, str]]:
    playing = new_deal(hearts(3, revokes="penalised"), ["2C 9D", "5C 3H", "KC 8S"])
    playing = playing.play("2C").play("3H").play("KC")
    passing = new_deal(hearts(2, pass_cycle=["left"], pass_count=1), ["2C 3C", "4C 5C"])
    passing = passing.apply(passing.random_act(Random(0)))
    ended = new_deal(hearts(2), ["2C", "3C"]).play("2C").play("3C")
    core, position = playing.core, playing.core.position
    assert position is not None
    return [
        (playing, "core"),
        (core, "phase"),
        (core.rules, "players"),
        (core.cut, "cards"),
        (core.sheet, "totals"),
        (core.dealt, "hands"),
        (core.record, "last"),
        (core.record.last, "winner"),
        (core.record.revokes[0], "fate"),
        (position, "hand"),
        (position.talon, "stock"),
        (position.piles, "tricks"),
        (ended.core.result, "score"),
        (passing.core.dealt.packets[0], "cards"),
    ]


@pytest.mark.parametrize(
    ("value", "name"), native_values(), ids=lambda value: type(value).__name__
)
def test_no_field_of_a_native_value_is_set_or_deleted(value: object, name: str) -> None:
    before = getattr(value, name)
    with pytest.raises(AttributeError):
        setattr(value, name, None)
    with pytest.raises(AttributeError):
        delattr(value, name)
    with pytest.raises(AttributeError):
        setattr(value, "another_name", 1)  # noqa: B010
    assert getattr(value, name) == before


@pytest.mark.skipif(not COMPILED, reason="only native code withstands this")
@pytest.mark.parametrize(
    ("value", "name"), native_values(), ids=lambda value: type(value).__name__
)
def test_compiled_not_even_object_sets_or_deletes(value: object, name: str) -> None:
    before = getattr(value, name)
    with pytest.raises(AttributeError):
        object.__setattr__(value, name, None)
    with pytest.raises(AttributeError):
        object.__delattr__(value, name)
    assert getattr(value, name) is before or getattr(value, name) == before


def test_the_source_runs_in_the_mode_it_says() -> None:
    assert refengine.__mode__ == ("compiled" if COMPILED else "interpreted")


def test_a_sealed_class_sets_each_parameter_once() -> None:
    class Pair:
        def __init__(self, left: int, right: int) -> None:
            self.left = left
            self.right = right

    seal(Pair)
    pair = Pair(1, 2)
    assert (pair.left, pair.right) == (1, 2)
    with pytest.raises(AttributeError, match=r"Pair\.left cannot be set"):
        pair.left = 3
    with pytest.raises(AttributeError, match=r"Pair\.right cannot be deleted"):
        del pair.right
    with pytest.raises(AttributeError, match=r"Pair\.third cannot be set"):
        setattr(pair, "third", 3)  # noqa: B010


def test_a_compiled_class_needs_no_seal() -> None:
    native = type("Native", (), {"__init__": len})  # compiled: it has no source code
    seal(native)
    assert "__setattr__" not in vars(native)


def test_states_cannot_be_changed() -> None:
    state = new_deal(hearts(), ["2C", "3C", "4C", "5C"])
    for name in ("core", "ruleset", "start", "log", "hands", "turn", "fresh"):
        with pytest.raises(AttributeError):
            setattr(state, name, None)


def test_a_value_has_to_say_its_key() -> None:
    with pytest.raises(NotImplementedError):
        hash(Value())
