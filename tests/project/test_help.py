"""Tests that help() explains each name and gives examples, in both modes."""

import doctest
import inspect

import pytest

import refengine
from refengine import Card, CardSet, Rank, State
from tests.support.commands import run_python

CLASSES = [
    name for name in refengine.__all__ if isinstance(getattr(refengine, name), type)
]


@pytest.mark.parametrize("name", CLASSES)
def test_every_public_class_says_what_it_is(name: str) -> None:
    said = inspect.getdoc(getattr(refengine, name))
    assert said
    assert not said.startswith(f"{name}(")


@pytest.mark.parametrize("kind", [Card, Rank, CardSet])
def test_the_examples_of_a_class_are_right(kind: type) -> None:
    names = {"Card": Card, "CardSet": CardSet, "Rank": Rank}
    text = inspect.getdoc(kind) or ""
    example = doctest.DocTestParser().get_doctest(text, names, kind.__name__, None, 0)
    assert example.examples
    runner = doctest.DocTestRunner()
    assert runner.run(example).failed == 0


def test_help_prints_them() -> None:
    done = run_python("import refengine; help(refengine.CardSet)")
    assert '>>> hand = CardSet("QS 2C AH")' in done.stdout


FUNCTIONS = {name for name in refengine.__all__ if callable(getattr(refengine, name))}
FUNCTIONS -= {"Act", *CLASSES}  # Act is a union
STATE = {name for name in dir(State) if not name.startswith("_")}
STATE -= inspect.signature(State).parameters.keys()
SAID: list[tuple[object, str]] = [(refengine, name) for name in sorted(FUNCTIONS)]
SAID += [(State, name) for name in sorted(STATE)]


@pytest.mark.parametrize(("home", "name"), SAID)
def test_a_public_function_or_member_of_a_state_says_what_it_gives(
    home: object, name: str
) -> None:
    assert inspect.getdoc(getattr(home, name))
