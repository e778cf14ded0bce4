"""Tests that the guide to learning shows the output that its code really gives."""

import doctest
import re

import pytest

from refengine.learning.spiel_state import SpielGame, SpielState
from tests.support import places


def test_the_sessions_of_the_guide_are_what_happens() -> None:
    guide = places.DOCS / "learning.md"
    failed, tried = doctest.testfile(str(guide), module_relative=False)
    assert (failed, tried > 30) == (0, True)


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_all_that_openspiel_has_is_there_or_said_to_be_left_out() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="no wheel for this platform")
    text = (places.DOCS / "learning.md").read_text("utf-8")
    section = text.partition("## Code written for OpenSpiel")[2].partition("\n## ")[0]
    has, _, lacks = section.partition("is left out:")
    named, left_out = (set(re.findall(r"`([a-z_]+)`", part)) for part in (has, lacks))
    ours = public(SpielState) | public(SpielGame)
    theirs = public(pyspiel.State) | public(pyspiel.Game)
    assert (ours & theirs) - {"episode"} == named
    assert theirs - ours <= left_out
    for kind, other in (
        (SpielState, pyspiel.State),
        (SpielGame, pyspiel.Game),
    ):
        assert public(other) - public(kind) <= left_out
