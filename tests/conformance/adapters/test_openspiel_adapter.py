"""Tests that the OpenSpiel adapter follows the book, and that a fault would show."""

import sys
from pathlib import Path
from random import Random

import pytest

from refengine.formats.trace import replay
from refengine.game.setups import Setup
from refengine.game.values.state import State
from refengine_conformance.generators.strategies import Script
from refengine_conformance.openspiel import full_deals as making
from refengine_conformance.openspiel.deals import COMBINATIONS
from refengine_conformance.openspiel.full_deals import full_deals, main
from refengine_conformance.runner.results import Outcome
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import CORPUS, Choice, of_corpus
from tests.support import places
from tests.support.adapters import asked

ADAPTER = places.ADAPTERS / "openspiel_adapter.py"
DEALS = 12
NEVER = {"clause", "clauses", "views"}


def played(adapter: Path = ADAPTER) -> Run:
    """The result of whole deals that OpenSpiel plays through this adapter."""
    pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this platform")
    return asked(full_deals(DEALS), (sys.executable, str(adapter)))


def test_whole_deals_are_deals_of_the_book_and_always_the_same() -> None:
    some = list(full_deals(4))
    for trace in some:
        assert isinstance(trace.start, Setup)
        assert [len(hand) for hand in trace.start.hands] == [13] * 4
        assert replay(trace) == []
    assert some == list(full_deals(4))


def test_a_thousand_deals_cover_each_combination_with_each_way_to_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half of the combinations pass nothing, which is one of the four ways to pass."""

    def unplayed(rng: Random, state: State) -> Script:
        return Script(state.ruleset, state.start, ())

    monkeypatch.setattr(making, "some_script", unplayed)
    rulesets = {trace.ruleset for trace in full_deals(4 * COMBINATIONS)}
    assert len(rulesets) == 4 * COMBINATIONS // 2


def test_every_answer_of_openspiel_is_as_the_book_has_it() -> None:
    found = played()
    assert found.exit_code == 0
    for case in found.cases:
        wanted = Outcome.UNSUPPORTED if case.kind in NEVER else Outcome.PASS
        assert case.outcome is wanted, case.note
    kinds = {case.kind for case in found.cases}
    assert kinds == {"step", "legal", "probe", "observe", *NEVER}


def test_an_error_in_the_adapter_is_found(tmp_path: Path) -> None:
    text = ADAPTER.read_text("utf-8")
    right = 'options["first_trick_points"] == "barred"'
    assert text.count(right) == 1
    (tmp_path / "corpus").symlink_to(CORPUS)
    spoilt = tmp_path / "adapters" / "spoilt.py"
    spoilt.parent.mkdir()
    spoilt.write_text(text.replace(right, f"not ({right})"), "utf-8")
    found = played(spoilt)
    assert found.exit_code == 1
    assert "5.5" in {group.clause for group in found.groups}


def test_small_deals_and_matches_are_not_scored() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this platform")
    selection = of_corpus(CORPUS, Choice(profile="openspiel-hearts", tier="smoke"))
    found = run(selection, Settings(command=(sys.executable, str(ADAPTER))))
    assert found.exit_code == 4
    assert {case.outcome for case in found.cases} == {Outcome.UNSUPPORTED}


def test_the_deals_are_printed(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["2"]) == 0
    assert len(capfd.readouterr().out.splitlines()) == 2
    for wrong in (["many"], ["0"], ["9" * 5000], []):
        with pytest.raises(SystemExit) as ended:
            main(wrong)
        assert ended.value.code == 3
        assert capfd.readouterr().err.startswith("refengine conform full-deals: ")
