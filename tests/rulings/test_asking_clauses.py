"""That answers cite the clauses that decide them, and ask for what they still need."""

import pytest

from refengine.rulings.asking.answers import answer_fields
from refengine.rulings.asking.ask import answer

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


@pytest.mark.parametrize(
    ("deal", "clause"), [(1, "4.2"), (2, "4.2"), (3, "4.2"), (4, "4.3")]
)
def test_where_the_cards_go_is_cited(deal: int, clause: str) -> None:
    rules = {"profile": "common-hearts", "players": 4}

    found = answer({"ask": "pass", "rules": rules, "deal": deal})

    assert clause in found.clauses


def test_cards_for_everybody_or_for_a_pile_go_to_no_side() -> None:
    for way in ("scatter", "mix"):
        rules = {"profile": "estmesh-hearts", "options": {"pass_cycle": [way]}}
        found = answer({"ask": "pass", "rules": rules, "deal": 1})
        assert not {"4.2", "4.3"} & set(found.clauses)


@pytest.mark.parametrize(
    ("profile", "cards", "said"),
    [
        ("common-hearts", "2C KS AS", True),
        ("common-hearts", "3C KS AS", False),
        ("black-maria", "3C KS AS", False),
    ],
)
def test_the_lowest_club_may_be_passed(profile: str, cards: str, said: bool) -> None:
    rules = {"profile": profile, "players": 4}
    hand = f"{cards} 4D 5D"

    found = answer({"ask": "pass", "rules": rules, "hand": hand, "cards": cards})

    assert found.verdict == "legal"
    assert ("5.1b" in found.clauses) is said


@pytest.mark.parametrize(
    ("profile", "said"), [("black-maria", True), ("pokerwiner-hearts", False)]
)
def test_what_the_high_spades_cost_is_said_where_they_cost(
    profile: str, said: bool
) -> None:
    rules = {"profile": profile, "players": 3}
    taken = ["QS KS AS 2H 3H", "", "4H 5H 6H 7H 8H 9H TH JH QH KH AH"]

    found = answer({"ask": "score", "rules": rules, "taken": taken})

    assert ("1.5b" in found.clauses) is said


def test_a_shooter_with_a_choice_is_asked_for_it() -> None:
    rules = {"profile": "heartsgame-tiles", "players": 4}
    ask = {"ask": "score", "rules": rules, "taken": ["", f"QS {HEARTS}", "", ""]}

    (asked,) = answer_fields(answer(ask))["asks"]

    assert asked["name"] == "choice"
    assert set(asked["answers"]) == {"self_minus", "0", "2", "3"}
    chosen = answer_fields(answer({**ask, "choice": 3}))
    assert [row[-1] for row in chosen["rows"]] == [0, 0, 0, 26]
    assert "asks" not in chosen
