"""The settings that a ruleset is lowered to: each stands in every place, once."""

import ast
import pickle

import pytest

from refengine import Ruleset, profile_names
from refengine.chapters import settings
from refengine.lawbook import options
from refengine_conformance.mutants.source_edits import tree_of_module

pytestmark = pytest.mark.interpreted("it reads the source")


def rules_class() -> ast.ClassDef:
    """The class whose fields the settings are."""
    found = [
        node
        for node in tree_of_module("settings").body
        if isinstance(node, ast.ClassDef) and node.name == settings.Rules.__name__
    ]
    return found[0]


def method(name: str) -> ast.FunctionDef:
    """A method of that class."""
    found = [
        node
        for node in rules_class().body
        if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    return found[0]


def names_of_self(node: ast.AST, kind: type[ast.expr_context]) -> list[str]:
    """The fields of `self` that are set or read there, in their order."""
    return [
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, kind)
    ]


def lowered_names() -> list[str]:
    """The settings that an options table is lowered to, in their order."""
    calls = [
        node
        for node in ast.walk(tree_of_module("options"))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Rules"
    ]
    return [str(one.arg) for one in calls[0].keywords]


def test_every_setting_is_given_kept_pickled_and_lowered_in_one_order() -> None:
    given = [one.arg for one in method("__init__").args.args[1:]]
    assert names_of_self(method("__init__"), ast.Store) == given
    assert names_of_self(method("__reduce__"), ast.Load) == given
    assert lowered_names() == given
    assert len(given) == len({*given})


@pytest.mark.parametrize("name", profile_names())
def test_a_lowered_ruleset_comes_back_from_a_pickle(name: str) -> None:
    rules = Ruleset(name).rules
    again = pickle.loads(pickle.dumps(rules))
    given = [one.arg for one in method("__init__").args.args[1:]]
    assert [getattr(again, one) for one in given] == [
        getattr(rules, one) for one in given
    ]


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
