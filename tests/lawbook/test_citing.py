"""Citations are resolved, and what was cited is compared with the wording of today."""

import json
from pathlib import Path

import attrs
import pytest

from refengine.cli.main import main
from refengine.errors import Malformed
from refengine.lawbook import book, citing
from refengine.lawbook.citing import look_up_citation
from refengine.lawbook.reading import fingerprint

pytestmark = pytest.mark.interpreted("about the text of the book")

NUMBERS = list(book.clauses())


@pytest.mark.parametrize("number", NUMBERS)
def test_every_clause_is_found_by_every_form_of_its_citation(number: str) -> None:
    clause = book.clause(number)
    full = f"HFR {number}@1.0.0~{clause.fingerprint}"
    assert str(look_up_citation(number).in_full) == full
    for text in (number, f"HFR {number}", f"HFR {number}@1.0.0", full):
        found = look_up_citation(text)
        assert found.same
        assert found.clause == clause
        assert fingerprint(found.passage.text) == clause.fingerprint


def test_the_wording_is_compared_with_the_edition_cited() -> None:
    assert (
        look_up_citation("5.3").wording
        == "no edition is cited; this is the wording of 1.0.0"
    )
    same = look_up_citation("HFR 5.3@1.0.0~ed7a0920")
    assert same.wording == "the wording of 1.0.0 is still that of 1.0.0"
    assert look_up_citation("HFR 5.3@1.7.0~ed7a0920").same
    other = look_up_citation("HFR 5.3@1.7.0~00000000")
    assert not other.same
    assert other.wording == (
        "the wording has changed since 1.7.0: it was ~00000000 and is now ~ed7a0920"
    )
    never = look_up_citation("HFR 5.3@1.0.0~00000000")
    assert not never.same
    assert never.wording == "edition 1.0.0 has no such wording: there it is ~ed7a0920"


@pytest.mark.parametrize(
    "text", ["", "5", "5.99", "HFR 5.3@1.7.0", "5.3@1.0.0", "HFR 5.3@1.0.0~xyz", "5.3i"]
)
def test_what_is_no_citation_ends_in_one_message(text: str) -> None:
    with pytest.raises(Malformed):
        look_up_citation(text)


def test_a_clause_that_has_changed_or_is_withdrawn_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = attrs.evolve(book.clause("5.3"), fingerprint="11111111", kind="withdrawn")
    monkeypatch.setattr(citing, "clause", lambda number: now)
    found = look_up_citation("HFR 5.3@1.0.0")
    assert not found.same
    assert found.wording == (
        "the clause is withdrawn; the wording has changed since 1.0.0: it was "
        "~ed7a0920 and is now ~11111111"
    )


def test_the_reading_not_taken_stands_apart() -> None:
    found = look_up_citation("5.4a")
    assert found.reason.startswith("gamerules lets a heart be played only when")
    assert found.not_taken.startswith("the leader leads a heart at once")
    assert (look_up_citation("5.3").reason, look_up_citation("5.3").not_taken) == (
        "",
        "",
    )
    assert len(look_up_citation("5.3").examples[0].rows) == book.clause("5.3").examples


def test_the_command_prints_and_judges(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main.main(["cite", *words])
        shown = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, shown.out, shown.err

    code, out, _ = run("5.4a", "HFR 5.3@1.0.0")
    assert code == 0
    for part in ("HFR 5.4a@1.0.0~", "Not taken: ", "Sources: ", "4C KC QS  2C"):
        assert part in out
    code, out, _ = run("HFR 5.3@1.0.0~00000000")
    assert (code, "Edition 1.0.0 has no such wording" in out) == (1, True)
    assert "Sources" not in run("0.12")[1]
    code, out, _ = run("0.12", "--json")
    assert json.loads(out)[0]["title"] == "What nothing forbids"
    code, out, err = run("5.99")
    assert (code, out, err.count("\n")) == (3, "", 1)
