"""What players argue about: rulings reasoned from the book by one who never ran us."""

import json
from typing import Any

import pytest

from refengine import Legal, State
from refengine.formats import protocol, shapes, wire
from refengine.formats.fields import act_of, ruleset_of, start_of, state_fields
from tests.support import places

DISPUTES: list[dict[str, Any]] = [
    json.loads(line) for line in places.DISPUTES.read_text().splitlines()
]
ANSWERS = [
    pytest.param(dispute, answer, id=f"{dispute['id']}-{number}")
    for dispute in DISPUTES
    for number, answer in enumerate(dispute["answers"])
]


def test_there_are_at_least_thirty_disputes_each_under_three_rulesets() -> None:
    assert len({dispute["id"] for dispute in DISPUTES}) >= 30
    assert all(len(dispute["answers"]) >= 3 for dispute in DISPUTES)


@pytest.mark.parametrize(("dispute", "answer"), ANSWERS)
def test_the_engine_rules_as_the_book_was_read(
    dispute: dict[str, Any], answer: dict[str, Any]
) -> None:
    request: dict[str, Any] = {"seq": 1, "op": "open", "ruleset": answer["ruleset"]}
    request |= {key: dispute[key] for key in ("setup", "match") if key in dispute}
    opened = wire.convert_to_kind(protocol.OpenRequest, request)
    start = start_of(opened.setup, opened.match)
    state = State.open(ruleset_of(opened.ruleset), start)
    for step in dispute["acts"]:
        state = state.apply(
            act_of(step["seat"], wire.convert_to_kind(shapes.Act, step["act"]))
        )
    asked = dispute["ask"]
    act = act_of(asked["seat"], wire.convert_to_kind(shapes.Act, asked["act"]))
    verdict = state.verdict(act)
    assert type(verdict).__name__.lower() == answer["verdict"]
    broken = () if isinstance(verdict, Legal) else verdict.clauses
    assert list(broken) == answer["clauses"]
    if "legal" in answer:
        assert str(state.legal.cards) == answer["legal"]
    if "then" in answer:
        fields = state_fields(state.apply(act))
        assert {key: fields.get(key) for key in answer["then"]} == answer["then"]
