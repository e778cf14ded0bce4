"""Tests that every command that takes cards reads them in the forms people write."""

from functools import partial

import pytest

from refengine.game.typed import read_act, read_option
from refengine_conformance.tables.typed_table import TableFlags
from tests.support.commands import Runner

WRITTEN = ["10D Qs,3h", "10♦ Q♠ ♥3", "ten of diamonds, queen of spades, 3h", "tdqs3h"]
CARDS = {
    "hand": ["--hand", "{}"],
    "card": ["--hand", "{} 2C", "--card", "2c"],
    "trick": ["--hand", "2C", "--trick", "{}"],
    "drew": [
        *("--hand", "{} 2D", "--trick", "5C", "--drew", "{}"),
        *("--profile", "gamerules-domino"),
    ],
    "cards": ["--pass", "--hand", "{} 2C", "--cards", "{}", "--deal", "1"],
}


@pytest.fixture
def explain(run: Runner) -> Runner:
    return partial(run, "explain")


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("question", CARDS.values(), ids=CARDS)
def test_a_question_has_cards_as_people_write_them(
    explain: Runner, question: list[str], written: str
) -> None:
    said = explain(*[word.format(written) for word in question])
    assert said == explain(*[word.format("TD QS 3H") for word in question])
    assert said[0] == 0


def test_a_score_has_cards_as_people_write_them(explain: Runner) -> None:
    hearts = "2 3 4 5 6 7 8 9 T J K A"
    rest = " ".join(f"{rank}H" for rank in hearts.split())
    said = explain("--score", f"queen of spades / Q♥ / / {rest}")
    assert said == explain("--score", f"QS / QH / / {rest}")
    assert said[0] == 0


@pytest.mark.parametrize("written", ["jd", "J♦", "jack of diamonds", "JD"])
def test_an_option_may_be_a_card(explain: Runner, written: str) -> None:
    assert read_option(f"bonus_card={written}") == ("bonus_card", "JD")
    code, said, _ = explain("--hand", "QS", "--option", f"bonus_card={written}")
    assert (code, "the jack of diamonds (bonus_card=JD)" in said) == (0, True)


def test_a_question_takes_rules_in_the_words_of_people(explain: Runner) -> None:
    code, said, _ = explain("--hand", "QS", "--profile", "Black Maria")
    assert (code, "Black Maria (black-maria)" in said) == (0, True)


@pytest.mark.parametrize("written", WRITTEN)
def test_play_and_tables_have_cards_as_people_write_them(written: str) -> None:
    assert str(read_act(0, written)) == "pass TD QS 3H"
    assert str(TableFlags(cards=(written,)).table().cards) == "TD QS 3H"


@pytest.mark.parametrize("flag", ["--hand", "--score"])
def test_what_is_no_card_is_answered_with_how_cards_are_written(
    explain: Runner, flag: str
) -> None:
    code, _, said = explain(flag, "the lady")
    assert code == 3
    assert f"{flag}: found 'lady'; allowed: cards such as QS, 10h, Q♠" in said


def test_a_question_in_json_is_answered_with_the_right_spelling(
    explain: Runner,
) -> None:
    code, _, said = explain("--question", '{"ask": "hand", "hand": "10D Qs,3h"}')
    assert code == 3
    assert "found '10D'" in said
    assert "did you mean TD QS 3H?" in said
