"""Tests of the generic mutation operators: what they change and what they leave."""

import ast
from collections import Counter

import pytest

from refengine_conformance.mutants import catalogue, operators, source_edits
from refengine_conformance.mutants.source_edits import Edit

SOURCE = '''
def narrow(rules: int, hand: int, led: int) -> bool:
    """Whether it is so."""
    assert rules > 0
    if hand and not led:
        return False
    hand &= led
    for card in (1, 2):
        if card == hand:
            break
    raise Malformed("a message", "another")
    return hand - 1 < led
'''


def changed(source: str = SOURCE) -> dict[str, list[str]]:
    """For each operator, the text of every statement that it makes in this function."""
    tree = ast.parse(source).body[0]
    assert isinstance(tree, ast.FunctionDef)
    tree.body = tree.body[1:]
    found: dict[str, list[str]] = {}
    for place in list(operators.changeable_spots(tree)):
        for operator, other in list(operators.changes_at_spot(place, tree)):
            place.put(other)
            whole = other if isinstance(other, ast.stmt) else place.statement
            found.setdefault(operator, []).append(operators.statement_text(whole))
            place.put(place.node)
    return found


def test_each_operator_does_what_it_says() -> None:
    found = changed()
    assert {"if hand or not led:", "if hand:", "if not led:"} <= {
        *found["boolean"],
        *found["operand"],
    }
    assert "if hand and led:" in found["unary"]
    assert "if not (hand and (not led)):" in found["negate"]
    assert {"if False:", "if True:"} <= set(found["branch"])
    assert {"if card != hand:", "return hand - 1 <= led", "return hand - 1 >= led"} == (
        set(found["compare"])
    )
    assert {"hand |= led", "return hand + 1 < led"} == set(found["arithmetic"])
    assert {"return hand - 2 < led", "return hand - 0 < led"} <= set(found["constant"])
    assert {"return hand < led", "return 1 < led"} <= set(found["operand"])
    assert {"for card in ():", "continue"} == set(found["loop"])
    assert found["delete"] == ["pass"] * 3  # the return, what is taken away, the raise
    assert {"return True", "return False"} <= set(found["return"])


CALLS = '''
def calls(a: int, b: int, c: int) -> None:
    """Calls others."""
    f(a, b, left=c, right=d)
    g(a, *b, c)
    h(a, **b, left=c, right=d)
'''


def test_values_given_one_after_the_other_are_swapped() -> None:
    assert changed(CALLS)["swap"] == [
        "f(b, a, left=c, right=d)",
        "f(a, c, left=b, right=d)",  # the last by place, the first by name
        "f(a, b, left=d, right=c)",
        "h(a, **b, left=d, right=c)",  # nothing beside what stands for several
    ]


def test_a_function_becomes_its_twin_and_what_the_rules_read_is_forgotten() -> None:
    """A field and a call of the rules give way to the empty value of their type."""
    call = "lowest_totals(a.hearts_broken)"
    found = changed(f"def f(a: P, b: int) -> int:\n  'x'\n  return min(b, {call})")
    assert found["twin"] == [f"return max(b, {call})"]
    emptied = ["return min(b, 0)", "return min(b, lowest_totals(False))"]
    assert found["forget"] == emptied


def test_messages_assertions_and_annotations_are_left_alone() -> None:
    texts = [text for found in changed().values() for text in found]
    assert not any("message" in text or "assert" in text for text in texts)
    annotated = "def f(a: int) -> int:\n  'x'\n  b: int | None = a\n  return b"
    assert changed(annotated) == {"return": ["return 0"]}


def test_an_assignment_goes_only_where_the_name_has_another_value() -> None:
    found = changed("def f(a: int) -> int:\n  'x'\n  b = 1\n  a = b\n  return a")
    assert found["delete"] == ["pass"]


@pytest.mark.parametrize("module", ["match", "table", "revoke"])
def test_every_variant_is_another_function_that_compiles(module: str) -> None:
    found = operators.variants_of_module(module)
    assert len({one.id for one in found}) == len(found) > 50
    for one in found:
        tree = source_edits.changed_module_tree(module, one.edits)
        assert ast.dump(tree) != ast.dump(source_edits.tree_of_module(module))
    for one in found[::20]:
        compile(source_edits.changed_module_tree(module, one.edits), module, "exec")
        assert catalogue.mutant_with_id(one.id) == one


def test_values_at_the_top_of_a_module_and_a_class_are_changed_too() -> None:
    texts = [one.text for one in operators.variants_of_module("table")]
    assert "SEATS: Final = 13  ->  SEATS: Final = 14" in texts
    kinds = Counter(
        bool(one.edits[0].old) for one in operators.variants_of_module("options")
    )
    assert kinds[True] > 50 < kinds[False]


def test_an_id_names_the_function_and_stays_while_its_statement_does() -> None:
    one = next(
        one
        for one in operators.variants_of_module("match")
        if "lowest_totals" in one.id
    )
    _, function, operator, short = one.id.split(":")
    assert function == "match.lowest_totals"
    assert operator in {"operand", "constant", "compare", "return", "negate"}
    assert len(short) == 8
    assert set(one.clauses) <= {
        entry["number"] for entry in source_edits.clause_entries()
    }


@pytest.mark.parametrize(
    "name", ["tree:match.no_such:return:12345678", "tree:nowhere.f:return:1", "tree:"]
)
def test_a_variant_that_there_is_not_is_named(name: str) -> None:
    with pytest.raises(catalogue.UnknownMutantError, match="no mutant"):
        catalogue.mutant_with_id(name)


@pytest.mark.parametrize("name", ["nowhere", "nowhere.f", "match.no_such"])
def test_a_definition_that_there_is_not_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=r"no_such|nowhere"):
        source_edits.definition_tree(name)


def test_a_statement_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="0 times"):
        source_edits.changed_module_tree(
            "table", [Edit("table", "SEATS = 1", "SEATS = 2")]
        )
