"""Tests that the comparison of rulesets can be imported under its older names."""

import importlib
import sys
from types import ModuleType

import pytest


@pytest.mark.parametrize("name", ["differences", "option_differences"])
def test_an_older_module_of_conformance_still_works(name: str) -> None:
    old = f"refengine_conformance.comparison.{name}"
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match="is refengine.comparison now"):
        module = importlib.import_module(old)
    new = importlib.import_module(f"refengine.comparison.{name}")
    own = [one for one, value in vars(new).items() if is_defined_in(new, value)]
    assert own
    assert all(vars(module)[one] is vars(new)[one] for one in own if one[0] != "_")


def is_defined_in(module: ModuleType, value: object) -> bool:
    return getattr(value, "__module__", "") == module.__name__
