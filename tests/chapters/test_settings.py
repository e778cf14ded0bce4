"""Tests of the settings derived from a ruleset: pickling, and use of all options."""

import ast
import pickle

import pytest

from refengine import Ruleset, profile_names
from refengine.lawbook import options
from refengine_conformance.mutants.source_edits import tree_of_module

pytestmark = pytest.mark.interpreted("it reads the source")


@pytest.mark.parametrize("name", profile_names())
def test_a_lowered_ruleset_comes_back_from_a_pickle(name: str) -> None:
    rules = Ruleset(name).rules
    again = pickle.loads(pickle.dumps(rules))
    assert vars(again) == vars(rules)


def test_every_option_is_read_where_options_are_lowered() -> None:
    lowered = next(
        node
        for node in tree_of_module("options").body
        if isinstance(node, ast.FunctionDef) and node.name == "lowered"
    )
    read = {
        node.value
        for node in ast.walk(lowered)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert {option.name for option in options.OPTIONS} <= read
