"""The disputes of the project as values, for tests of rulings on them."""

import json
from typing import Any

import attrs

from refengine.formats import protocol, shapes, wire
from refengine.formats.fields import act_of, ruleset_of, start_of
from refengine.game.acts import Act
from refengine.game.values.state import State
from tests.support import places


@attrs.frozen
class Dispute:
    """One answer to a dispute: the state, the disputed act, and the expected ruling."""

    id: str
    state: State
    act: Act
    verdict: str
    clauses: tuple[str, ...]
    answer: dict[str, Any]


def disputes() -> list[Dispute]:
    """Every answer in the table of disputes."""
    lines = places.DISPUTES.read_text().splitlines()
    return [
        _dispute(dispute, answer, number)
        for dispute in map(json.loads, lines)
        for number, answer in enumerate(dispute["answers"])
    ]


def _dispute(dispute: dict[str, Any], answer: dict[str, Any], number: int) -> Dispute:
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
    name = f"{dispute['id']}-{number}"
    clauses = tuple(answer["clauses"])
    return Dispute(name, state, act, answer["verdict"], clauses, answer)
