"""Tests of how the test of one clause ends when another clause is answered wrongly."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from refengine.errors import Malformed
from refengine_conformance.plugin.asked_adapter import AskedAdapter
from refengine_conformance.plugin.suite_items import ClauseItem, WrongError
from refengine_conformance.plugin.suite_run import SuiteRun
from refengine_conformance.runner import fault_dictionary
from refengine_conformance.runner.driver import CannotRunError
from refengine_conformance.runner.fault_dictionary import (
    Suspect,
    dictionary_text,
    read_dictionary,
    signs_of,
)
from refengine_conformance.runner.results import Case, Fault, Limits, Outcome, Thrown
from refengine_conformance.runner.selection import Selected

AGAINST_5_3 = Case(
    "t-1", "step", Outcome.FAIL, faults=(Fault(1, "act", ("5.3",), "?", "ok", "no"),)
)
KNOWN = Case("t-1", "legal", Outcome.KNOWN)
RIGHT = Case("t-1", "legal", Outcome.PASS)


@attrs.frozen
class Chosen:
    """A stand-in for the chosen games, with only the fields that a test item reads."""

    tests: dict[str, tuple[str, ...]]
    source: dict[str, list[str]]


@attrs.frozen(slots=False)
class Asked:
    """A stand-in for a tested adapter, with the cases of each line.

    They are None if the line was not asked because the adapter was lost.
    """

    answers: dict[str, tuple[Case, ...] | None]
    chosen: Chosen
    asking: tuple[str, ...]
    stopped: str = "the adapter was lost too often"

    def tests_of(self, line: str) -> tuple[str, ...]:
        """The tests that ask a game; here they are the same for every game."""
        return self.asking

    def cases(self, line: str) -> tuple[Case, ...] | None:
        """The cases of a line; None if it was not asked."""
        return self.answers[line]

    def stderr_of(self, wrong: list[Case]) -> list[str]:
        """An empty list, since no process ran."""
        return []


class Config:
    """A pytest configuration in which only the flag for the adapter was given."""

    def getoption(self, name: str) -> str:
        """The value of a flag, or an empty string if the flag was not given."""
        return "mine" if name == "--hearts-adapter" else ""


def clause_item(
    clause: str, *answers: tuple[Case, ...] | None, others: tuple[str, ...] = ("5.3",)
) -> ClauseItem:
    """The test of a clause whose lines have these cases.

    The tests of the clauses `others`, which come later, ask the same games.
    """
    lines = dict(zip("abc", answers, strict=False))
    chosen = Chosen({clause: tuple(lines)}, {"t-1": ["--tier", "smoke"]})
    asked = Asked(lines, chosen, (clause, *others))
    item: Any = object.__new__(ClauseItem)
    item.name, item.clause, item.asked = clause, clause, asked
    item.user_properties = []
    item.config = Config()
    made: ClauseItem = item
    return made


def test_an_answer_against_the_clause_fails_its_test_whatever_else_there_is() -> None:
    for more in ((), (KNOWN,), (RIGHT,)):
        with pytest.raises(WrongError, match="expected ok, got no"):
            clause_item("5.3", (AGAINST_5_3, *more), None).runtest()


def test_an_answer_against_another_clause_hides_no_game_that_was_not_run() -> None:
    with pytest.raises(pytest.skip.Exception, match="not run: the adapter was lost"):
        clause_item("5.4", (AGAINST_5_3, RIGHT), None).runtest()


def test_an_answer_against_another_clause_hides_no_known_failure() -> None:
    with pytest.raises(pytest.xfail.Exception):  # known: expected, not passed over
        clause_item("5.4", (AGAINST_5_3, KNOWN)).runtest()


def test_an_answer_against_another_clause_alone_is_no_failure() -> None:
    clause_item("5.4", (AGAINST_5_3, RIGHT)).runtest()


def test_a_known_failure_of_another_clause_is_none_of_this_one() -> None:
    known = attrs.evolve(AGAINST_5_3, outcome=Outcome.KNOWN)
    clause_item("5.4", (known, RIGHT)).runtest()
    with pytest.raises(pytest.xfail.Exception):  # known: expected, not passed over
        clause_item("5.3", (known, RIGHT)).runtest()


def test_beside_an_error_only_answers_against_the_clause_are_told() -> None:
    error = Case("t-1", "step", Outcome.ERROR, thrown=Thrown(1, "step", "it ended"))
    for clause, told in (("5.3", True), ("5.4", False)):
        with pytest.raises(WrongError, match="no rule is at fault") as raised:
            clause_item(clause, (error, AGAINST_5_3)).runtest()
        assert ("expected ok, got no" in str(raised.value)) is told


def test_what_was_wrong_before_the_adapter_was_gone_is_told() -> None:
    def cases(line: str) -> tuple[Case, ...]:
        if line == "b":
            raise CannotRunError("hello: no such file", "")
        return (AGAINST_5_3,)

    item = clause_item("5.3", (), ())
    object.__setattr__(item.asked, "cases", cases)
    with pytest.raises(WrongError) as caught:
        item.runtest()
    first, *others = str(caught.value).splitlines()
    assert "expected ok, got no" in first
    assert others[-1].startswith("the adapter could not be started again")


def test_a_known_failure_that_passes_says_what_to_do() -> None:
    passes = Case("t-1", "legal", Outcome.KNOWN_BUT_PASSES)
    with pytest.raises(WrongError) as caught:
        clause_item("5.3", (passes,)).runtest()
    first, *rest = str(caught.value).splitlines()
    entry = "passes, but is listed as a known failure: remove the entry"
    assert first == f"t-1/legal {entry}"
    assert not any("smallest game" in line for line in rest)


def test_a_clause_is_not_named_by_a_longer_number() -> None:
    """The fault is against 4.10, but its expected answer names only 4.10c."""
    fault = Fault(1, "refuse", ("4.10",), "may it?", "refused by 4.10c", "ok")
    wrong = Case("t-1", "probe", Outcome.FAIL, faults=(fault,))
    with pytest.raises(WrongError) as caught:
        clause_item("4.10", (wrong,)).runtest()
    assert str(caught.value).splitlines()[0].endswith("got ok [4.10]")


def test_an_adapter_lost_after_an_answer_against_another_clause_fails_the_test() -> (
    None
):
    lost = attrs.evolve(
        AGAINST_5_3, kind="legal", outcome=Outcome.TIMEOUT, note="no answer within 2 s"
    )
    with pytest.raises(WrongError, match=r"^timeout: no answer within 2 s"):
        clause_item("5.4", (lost,)).runtest()


def test_a_known_loss_after_an_answer_against_another_clause_is_expected() -> None:
    known = attrs.evolve(AGAINST_5_3, outcome=Outcome.KNOWN, note="no answer in 2 s")
    with pytest.raises(pytest.xfail.Exception):  # known: expected, not passed over
        clause_item("5.4", (known, RIGHT)).runtest()


def test_a_loss_is_told_before_what_was_wrong_before_it() -> None:
    lost = attrs.evolve(AGAINST_5_3, outcome=Outcome.CRASH, note="it ended")
    with pytest.raises(WrongError, match=r"^crash: it ended"):
        clause_item("5.3", (lost,)).runtest()


def test_an_answer_against_no_clause_that_is_named_fails_every_test_of_its_game() -> (
    None
):
    fault = Fault(0, "divide", (), "games that begin with QS", "2", "3")
    counted = Case("t-1", "enumerate", Outcome.FAIL, faults=(fault,))
    for clause in ("6.6a", "8.3"):
        with pytest.raises(WrongError, match="games that begin with QS: expected 2"):
            clause_item(clause, (counted, RIGHT)).runtest()
    known = attrs.evolve(counted, outcome=Outcome.KNOWN)
    with pytest.raises(pytest.xfail.Exception):  # known: expected, not passed over
        clause_item("8.3", (known, RIGHT)).runtest()


def test_an_answer_that_no_other_test_tells_fails_the_first_that_asks_the_game() -> (
    None
):
    score = Fault(0, "end.score", ("8.1",), "score at the end?", "[0,0]", "[1,0]")
    wrong = Case("t-1", "observe", Outcome.FAIL, faults=(score,))
    with pytest.raises(WrongError, match="score at the end"):
        clause_item("5.3", (wrong, RIGHT), others=("5.4",)).runtest()
    clause_item("5.3", (wrong, RIGHT), others=("8.1",)).runtest()
    later = clause_item("5.4", (wrong, RIGHT))
    object.__setattr__(later.asked, "asking", ("5.3", "5.4"))
    later.runtest()


def test_a_folder_that_is_called_like_a_profile_is_not_read(folder: Path) -> None:
    """The folder holds a report of an earlier run, which is to be replaced."""
    earlier = folder / "estmesh-hearts" / "report.jsonl"
    earlier.parent.mkdir()
    earlier.touch()
    typed = {"--hearts-profile": "estmesh-hearts"}
    suite: Any = object.__new__(SuiteRun)
    suite.config = SimpleNamespace(getoption=typed.get, option=SimpleNamespace())
    suite.targets = [("jsonl", "estmesh-hearts/report.jsonl")]
    suite._check_written(("node", "my.js"))
    typed["--hearts-corpus"] = "estmesh-hearts"
    with pytest.raises(Malformed, match="a file that this run reads"):
        suite._check_written(("node", "my.js"))


def test_a_test_that_is_cut_short_leaves_no_answer_to_the_next() -> None:
    ended: list[bool] = []

    def cut(line: Selected) -> None:
        raise pytest.fail.Exception("Timeout >5.0s")

    asked: Any = object.__new__(AskedAdapter)
    asked._asker = SimpleNamespace(
        losses=0, cases_of_line=cut, close=lambda: ended.append(True)
    )
    with pytest.raises(pytest.fail.Exception):
        asked._asked(Selected("t-1", b""))
    assert ended == [True]


def test_a_report_blames_the_clause_of_the_known_fault_that_answers_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the runner does (`causes_of`), although the answer goes against another."""
    suspect = Suspect("off:5.4", ("5.4",))
    lines = {"t-1": {suspect.id: signs_of([AGAINST_5_3])["t-1"]}}
    known = read_dictionary(dictionary_text((suspect,), lines))
    monkeypatch.setattr(fault_dictionary, "published_dictionary", lambda: known)
    asked: Any = object.__new__(AskedAdapter)
    asked.chosen = SimpleNamespace(source={})
    asked.stopped = ""
    asked._asker = SimpleNamespace(command=("mine",), limits=Limits(), card=None)
    asked._cases = {"t-1": (AGAINST_5_3, RIGHT)}
    asked._lines = {"t-1": ""}
    asked._stderr = {}
    assert [group.clause for group in asked.as_run().groups] == ["5.4"]
