"""help() shows what a name is for and examples of it, also where it is compiled."""

import doctest
import inspect
import subprocess
import sys

import pytest

import refengine
from refengine import Card, CardSet, Rank, State

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
    command = "import refengine; help(refengine.CardSet)"
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    )
    assert '>>> hand = CardSet("QS 2C AH")' in done.stdout


FUNCTIONS = [
    name
    for name in refengine.__all__
    if callable(getattr(refengine, name)) and name not in CLASSES
]
STATE = [
    name
    for name in dir(State)
    if not name.startswith("_") and name not in inspect.signature(State).parameters
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_says_what_it_returns(name: str) -> None:
    if not str(getattr(refengine, name)).startswith("typing."):  # `Act`, a union
        assert inspect.getdoc(getattr(refengine, name))


@pytest.mark.parametrize("name", STATE)
def test_every_method_and_property_of_a_state_says_what_it_gives(name: str) -> None:
    assert inspect.getdoc(getattr(State, name))
