"""The package itself: quick to import, and every public name where it belongs."""

import subprocess
import sys

import pytest

import refengine

FRESH = """
import sys
import refengine
loaded = [name for name in sys.modules if name.startswith("refengine.")]
assert loaded == [], loaded
import refengine.chapters.cards
assert refengine.cards("2C QS") == refengine.CardSet("2C QS")
"""


def test_importing_the_package_imports_nothing_of_it() -> None:
    subprocess.run([sys.executable, "-c", FRESH], check=True)


def test_every_public_name_has_a_home() -> None:
    assert sorted(refengine._HOME) == sorted(refengine.__all__)
    for name, home in refengine._HOME.items():
        value = getattr(refengine, name)
        assert getattr(sys.modules[f"refengine.{home}"], name) is value


def test_dir_shows_the_public_names() -> None:
    assert {*refengine.__all__, "__mode__", "__version__"} <= set(dir(refengine))


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'another'"):
        getattr(refengine, "another")  # noqa: B009  # no type checker lets it pass
