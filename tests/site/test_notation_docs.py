"""Tests that the examples on the page about written games are as it says."""

from __future__ import annotations

import json
import re

import pytest

from refengine import Ruleset
from refengine.formats.trace import replay
from refengine.formats.written.completing_written import completed
from refengine.formats.written.played_written import trace_written
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.writing_written import write_written
from refengine.rulings.partly_known import judge_part
from tests.support import places
from tests.support.commands import Runner

pytestmark = pytest.mark.interpreted("about a page of the checkout")

PAGE = (places.DOCS / "notation.md").read_text("utf-8")
DEAL, NOTE, DEALS = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
[PROGRAM] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_deal_of_the_page_is_in_the_one_form_and_right() -> None:
    match = read_written(DEAL)
    assert write_written(match) == DEAL
    assert replay(trace_written(match)) == []


def test_its_hands_follow_from_the_plays() -> None:
    hands = re.findall(r"^hand \w+: (.*)\n", DEAL, re.MULTILINE)
    bare = re.sub(r"^hand .*\n", "", DEAL, flags=re.MULTILINE)
    pack = f"pack: {' '.join(hands)}\n\ndeal 4"
    found = completed(read_written(bare.replace("\ndeal 4", pack)))
    assert found.match.deals[0].dealt == read_written(DEAL).deals[0].dealt
    assert found.granted == ()


def test_what_the_page_says_of_a_note_of_two_tricks() -> None:
    def jack(text: str) -> str:
        deal = read_written(text).deals[0]
        return judge_part(Ruleset("common-hearts"), deal).plays[2].standing

    assert jack(NOTE) == "unknown"
    assert jack(f"{NOTE}3. N: 4C 6C 7C 8C\n") == "illegal"


def test_what_the_page_says_of_two_deals(judge: Runner) -> None:
    _, out, _ = judge(DEALS, "--json")
    first, second, match = map(json.loads, out.splitlines())
    assert (first["begins"], first["outcome"]) == ([], "pass")
    assert second["begins"] == [
        {"text": "Ben deals, but the deal passes to Ann", "clauses": ["3.2"]},
        {"text": "passed left, where right comes after left", "clauses": ["4.1"]},
    ]
    assert match["match"]["outcome"] == "fail"


def test_two_lines_that_say_the_same() -> None:
    [line] = [one for one in PAGE.splitlines() if one.endswith(" say the same.")]
    names = "players: Ann, Ben, Carl, Dora\n"
    first, second = (
        read_written(names + text).deals[0].tricks[0]
        for text in re.findall("`([^`]+)`", line)
    )
    assert [one.card for one in first.cards] == [one.card for one in second.cards]
    assert first.leader == second.leader == 0


def test_the_program_of_the_page_runs() -> None:
    assert len(PROGRAM.splitlines()) <= 12
    exec(compile(PROGRAM, "notation.md", "exec"), {})


ROWS = re.findall(r"^\| (`.*?) \| ", PAGE, re.MULTILINE)
LINES = [line for row in ROWS for line in re.findall("`([^`]+)`", row)]
SAID = {
    "moon NAME: WORD": "moon NAME: self_minus",
    "+CARD": "+2C 3C",
    "CARD!": "2C! 3C",
    "rules: PROFILE, N players, OPTION=VALUE": "rules: spot-hearts, 4 players, limit=9",
    "players: N": "deal 1",
    "players: NAME, NAME": "deal 1",
    "position: LINE": "position: spot-hearts/4@1.1.0~0 0 1 - 2C/3C/4C/5C - 0 - - -",
    "1... CARDS": "1. CARDS",
    "# TEXT": "# a remark",
}
FOR = {"NAME": "Ann", "OTHER": "Ben", "CARDS": "2C 3C", "CARD": "2C", "TITLE": "Friday"}


@pytest.mark.parametrize("line", LINES)
def test_every_line_of_the_table_is_read(line: str) -> None:
    text = SAID.get(line, line).replace("WORD", "left")
    for word, value in FOR.items():
        text = re.sub(rf"\b{word}\b", value, text)
    text = re.sub(r"\bN\b", "1", text)
    found = read_written(f"players: Ann, Ben, Carl, Dora\n{text}\n2C 3C 4C 5C\n")
    assert found.granted == ()  # no line is left unread, as talk is


def test_there_are_such_lines() -> None:
    assert len(LINES) > 25
    assert {*SAID} <= {*LINES}
