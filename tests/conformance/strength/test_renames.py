"""Tests that recorded results follow functions that have been renamed."""

import pytest

from refengine_conformance.data import data
from refengine_conformance.mutants import operators, source_edits
from refengine_conformance.mutants.renames import (
    RECORDED,
    first_name,
    main,
    new_names_by_old,
    present_name,
    renew_names_in,
)
from refengine_conformance.strength.measure import is_rule_mutant


@pytest.mark.parametrize("old", new_names_by_old())
def test_a_name_that_changed_is_gone_and_its_new_one_is_there(old: str) -> None:
    module, _, inner = old.partition(".")
    if not inner:
        assert module not in source_edits.module_names()
    elif module in source_edits.module_names():
        with pytest.raises(ValueError, match="there is no class or function"):
            source_edits.definition_tree(old)
    new = present_name(old)
    assert new.partition(".")[0] in source_edits.module_names()
    if "." in new:
        source_edits.definition_tree(new)
    assert first_name(new) == old


def test_a_name_is_followed_by_its_longest_beginning() -> None:
    assert present_name("bulk.perft") == "perft.perft"
    assert present_name("bulk.playouts") == "playouts.playouts"
    assert present_name("acts.Quit.phrase") == "acts.QuitTrick.phrase"
    assert present_name("play.follow_suit") == "play.follow_suit"
    assert first_name("settings.Rules.__init__") == "rules.Rules.__init__"


def test_ids_lists_and_modules_are_renewed_and_nothing_else() -> None:
    old = '  "rules": {\n  "tree:rules:constant:00000000"\n   "seen.hands_now",\n'
    new = old.replace("rules", "settings").replace("seen", "holdings")
    assert renew_names_in(old) == new
    assert renew_names_in(new) == new
    words = '"why": "the rules as seen by bulk"\n'
    assert renew_names_in(words) == words


def test_the_hash_of_a_mutant_is_that_of_its_first_name() -> None:
    names = [one.id for one in operators.variants_of_module("settings")]
    names = [name for name in names if is_rule_mutant(name)]
    recorded = data("strength.json").read_text("utf-8")
    assert names
    for name in names:
        assert name.rpartition(":")[2] in recorded


def test_what_is_recorded_has_the_new_names(capsys: pytest.CaptureFixture[str]) -> None:
    for name in RECORDED:
        text = data(name).read_text("utf-8")
        assert renew_names_in(text) == text
    written = [data(name).stat().st_mtime_ns for name in RECORDED]
    assert main([]) == 0
    assert [data(name).stat().st_mtime_ns for name in RECORDED] == written
    assert capsys.readouterr().out.splitlines() == [
        f"{name}: 0 lines renewed" for name in RECORDED
    ]
