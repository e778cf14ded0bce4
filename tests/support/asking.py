"""Ask questions in tests, and check what every answer must have."""

import json
from typing import Any

from refengine.rulings.asking.answer_text import answer_lines
from refengine.rulings.asking.answers import Answer, answer_fields
from refengine.rulings.asking.ask import answer
from refengine.rulings.asking.questions import (
    question_fields,
    read_question,
)
from tests.support.refusing import malformed

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
ALL = f"QS {HEARTS}"
TOOK_ALL = [ALL, "", "", ""]
COMMON = {"profile": "common-hearts"}
ESTMESH = {"profile": "estmesh-hearts"}


def rules(profile_name: str, players: int | None = None, **options: Any) -> Any:
    found: dict[str, Any] = {"profile": profile_name, "options": options}
    return found if players is None else {**found, "players": players}


def ask(kind: str, said: Any = ESTMESH, **more: Any) -> Answer:
    """The answer, checked to cite the book and to have forms in JSON and in text."""
    question = {"ask": kind, **more}
    if said is not None:
        question["rules"] = said
    found = answer(question)
    fields = json.loads(json.dumps(answer_fields(found)))
    assert fields["headline"] == found.headline
    assert "\n" not in found.headline
    assert not found.headline[0].islower()
    cited = [one["clause"] for one in fields["cited"]]
    assert cited == list(found.clauses)
    assert cited
    assert all(one["citation"].startswith("HFR ") for one in fields["cited"])
    for one in [*fields["why"], *fields["follows"], *fields["mattered"]]:
        assert one["clauses"], one
        assert set(one["clauses"]) <= set(cited)
        assert not one["text"][0].islower()
        assert one["text"].endswith(".")
        assert "{" not in one["text"]
        assert "None" not in one["text"]
    lines = list(answer_lines(found))
    assert all(len(line) <= 88 for line in lines)
    assert sum(line.startswith("  HFR ") for line in lines) >= 1
    asked = read_question(question)
    again = read_question(json.loads(json.dumps(question_fields(asked))))
    assert answer(again) == found
    return found


def words_of(found: Answer) -> str:
    return " ".join(str(one) for one in (*found.why, *found.follows))


def column(found: Answer, head: str) -> list[Any]:
    at = found.columns.index(head)
    return [row[at] for row in found.rows]


def wrong(**question: Any) -> str:
    return str(malformed(answer, question))
