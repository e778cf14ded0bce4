"""Tests that citations are resolved, and that changes of wording since are noticed."""

import json

import attrs
import pytest

from refengine.errors import Malformed
from refengine.lawbook import book, citing
from refengine.lawbook.citing import look_up_citation, version_in_words
from refengine.lawbook.editions import UnknownEdition, is_draft
from refengine.lawbook.reading import fingerprint
from tests.support.commands import Runner, error_of

pytestmark = pytest.mark.interpreted("about the text of the book")

NUMBERS = list(book.clauses())
TODAY = book.version()
FOLLOW = "A seat that does not lead and holds a card of the suit led MUST play"


@pytest.mark.parametrize("number", NUMBERS)
def test_every_clause_is_found_by_every_form_of_its_citation(number: str) -> None:
    clause = book.clause(number)
    full = f"HFR {number}@{TODAY}~{clause.fingerprint}"
    assert str(look_up_citation(number).in_full) == full
    for text in (number, f"HFR {number}", f"HFR {number}@{TODAY}", full):
        found = look_up_citation(text)
        assert found.true
        assert found.same
        assert found.then is None
        assert found.clause == clause
        assert fingerprint(found.passage.text) == clause.fingerprint


@pytest.fixture
def draft(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the present book a draft of edition 1.9.0."""
    monkeypatch.setattr(book, "version", lambda: "1.9.0")


@pytest.fixture
def reworded(draft: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the present book a draft of edition 1.9.0 with another wording of 5.3."""
    now = attrs.evolve(book.clause("5.3"), text="Any card.", fingerprint="11111111")
    monkeypatch.setattr(citing, "clause", lambda number: now)


@pytest.mark.usefixtures("draft")
@pytest.mark.parametrize(
    ("text", "true", "wording"),
    [
        ("5.3", True, "no edition is cited; this is the wording of 1.9.0, a draft"),
        ("HFR 5.3@1.9.0", True, "this is the wording of 1.9.0, a draft"),
        (
            "HFR 5.3@1.0.0~ed7a0920",
            True,
            "the wording of 1.0.0 is still that of 1.9.0, a draft",
        ),
        (
            "HFR 5.3@1.0.0~00000000",
            False,
            "edition 1.0.0 has another wording: ~ed7a0920",
        ),
        (
            "HFR 5.3@1.9.0~00000000",
            False,
            "the draft 1.9.0 has another wording: ~ed7a0920",
        ),
    ],
)
def test_the_wording_is_compared_with_the_version_cited(
    text: str, true: bool, wording: str
) -> None:
    found = look_up_citation(text)
    assert (found.true, found.same, found.wording) == (true, true, wording)


@pytest.mark.usefixtures("reworded")
def test_a_citation_of_an_old_wording_is_true_and_shows_it() -> None:
    for text in ("HFR 5.3@1.0.0", "HFR 5.3@1.0.0~ed7a0920"):
        found = look_up_citation(text)
        assert (found.true, found.same) == (True, False)
        assert found.wording == (
            "the wording has changed since 1.0.0: it was ~ed7a0920 and is now "
            "~11111111 in 1.9.0, a draft"
        )
        assert found.then is not None
        assert found.then.text.startswith(FOLLOW)
        assert found.fields()["then"]["digest"] == "ed7a0920"
    assert not look_up_citation("HFR 5.3@1.0.0~11111111").true
    assert look_up_citation("HFR 5.3@1.9.0~11111111").true


@pytest.mark.usefixtures("draft")
def test_a_clause_younger_than_the_edition_cited_is_no_true_citation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = attrs.evolve(book.clause("5.3"), number="5.99")
    monkeypatch.setattr(citing, "clause", lambda number: now)
    monkeypatch.setattr(citing, "_passages", lambda: {"5.99": None})
    found = look_up_citation("HFR 5.99@1.0.0")
    assert (found.true, found.same) == (False, False)
    assert found.wording == "edition 1.0.0 has no clause 5.99: it was added later"


def test_an_edition_that_does_not_exist_is_refused() -> None:
    for text in ("HFR 5.3@1.7.0", "HFR 5.3@1.7.0~ed7a0920"):
        with pytest.raises(UnknownEdition, match=r"^there is no edition 1\.7\.0; publ"):
            look_up_citation(text)


def test_a_draft_is_named_as_one() -> None:
    assert version_in_words("1.0.0") == "1.0.0"
    assert version_in_words("1.9.0") == "1.9.0, a draft"
    draft = is_draft(TODAY)
    assert look_up_citation("5.3").wording.endswith(", a draft") == draft


@pytest.mark.parametrize(
    "text", ["", "5", "5.99", "5.3@1.0.0", "HFR 5.3@1.0.0~xyz", "5.3i"]
)
def test_what_is_no_citation_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        look_up_citation(text)


def test_a_withdrawn_clause_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    now = attrs.evolve(book.clause("5.3"), kind="withdrawn")
    monkeypatch.setattr(citing, "clause", lambda number: now)
    found = look_up_citation("5.3")
    assert found.wording.startswith("the clause is withdrawn; no edition is cited")


def test_the_reading_not_taken_stands_apart() -> None:
    found = look_up_citation("5.4a")
    assert found.reason.startswith("gamerules lets a heart be played only when")
    assert found.not_taken.startswith("the leader leads a heart at once")
    assert (look_up_citation("5.3").reason, look_up_citation("5.3").not_taken) == (
        "",
        "",
    )
    assert len(look_up_citation("5.3").examples[0].rows) == book.clause("5.3").examples


def test_the_command_prints_and_judges(run: Runner) -> None:
    code, out, _ = run("cite", "5.4a", "HFR 5.3@1.0.0")
    assert code == 0
    for part in (f"HFR 5.4a@{TODAY}~", "Not taken: ", "Sources: ", "4C KC QS  2C"):
        assert part in out
    code, out, _ = run("cite", "HFR 5.3@1.0.0~00000000")
    assert (code, "Edition 1.0.0 has another wording" in out) == (1, True)
    assert "Sources" not in run("cite", "0.12")[1]
    code, out, _ = run("cite", "0.12", "--json")
    assert json.loads(out)[0]["title"] == "What nothing forbids"
    error_of(run, "cite", "5.99")
    code, out, err = run("cite", "HFR 5.3@1.7.0~ed7a0920")
    assert (code, out) == (3, "")
    assert err.startswith("refengine: there is no edition 1.7.0; published: 1.0.0")


@pytest.mark.usefixtures("reworded")
def test_the_command_shows_the_old_wording_and_the_new(run: Runner) -> None:
    code, out, _ = run("cite", "HFR 5.3@1.0.0~ed7a0920")
    assert code == 1
    before, _, after = out.partition("As it reads today:\n")
    assert "As edition 1.0.0 has it, Follow suit:\n" in before
    assert FOLLOW in before
    assert after.startswith("  Any card.\n")
    assert "\n\n\n" not in out
