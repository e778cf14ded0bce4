"""Tests of what the lines of a written game may say together."""

import pytest

from refengine.errors import Malformed
from refengine.formats.written.reading_written import read_written

TABLE = "players: Ann, Ben, Carl, Dora\n"


@pytest.mark.parametrize("cards", ["Ann leads 2C, Ben leads 3C", "Ann: Ben leads 2C"])
def test_a_trick_has_one_leader(cards: str) -> None:
    with pytest.raises(Malformed, match=r"line 2: .*one leader of a trick"):
        read_written(f"{TABLE}{cards}, Carl 4C, Dora 5C\n")


def test_who_leads_need_not_be_named_first() -> None:
    first = "Ben: 5C, Carl: JC, Dora: KC, Ann leads 2C\n"
    second = "Carl: 7D, Dora: 8D, Ann leads 9D, Ben: TD\n"
    [deal] = read_written(f"{TABLE}{first}{second}").deals
    assert [one.leader for one in deal.tricks] == [0, 0]


@pytest.mark.parametrize("number", [0, 1, 14])
def test_a_number_that_no_table_has_is_an_error_on_its_line(number: int) -> None:
    with pytest.raises(Malformed, match=f"line 1: found {number} players"):
        read_written(f"players: {number}\n2C 3C\n")


@pytest.mark.parametrize(
    "said", ["\u221210 2 3 4", "Ann \u221210, Ben 2, Carl 3, Dora 4"]
)
def test_a_score_may_have_a_minus_sign(said: str) -> None:
    [deal] = read_written(f"{TABLE}score: {said}\n").deals
    assert deal.score == (-10, 2, 3, 4)
