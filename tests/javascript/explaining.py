"""Moments of random games, with rulings on them in Python and in JavaScript.

`python -m tests.javascript.explaining RULES.mjs NUMBER` compares NUMBER rulings.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, Final

import attrs

from refengine.errors import Malformed
from refengine.game.acts import Scatter
from refengine.game.values.cardset import Card, CardSet
from refengine.game.verdicts import Refused
from refengine.lawbook.profiles import profile_names
from refengine.rulings.explain import explain, ruling_fields
from refengine_conformance.generators.directed_games import acts_of_every_kind
from refengine_conformance.generators.strategies import (
    some_opening,
    some_script,
    some_try,
)
from tests.javascript.asked_twice import Asked, Json, main

ANSWERED: Final = """
function read(value) {
  if (Array.isArray(value)) return value.map(read);
  if (value === null || typeof value !== "object") return value;
  if ("table" in value) {
    return new Map(value.table.map(([key, one]) => [key, read(one)]));
  }
  return new rules[value.class](...value.fields.map(read));
}

function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, one]) => [key, plain(one)]));
}

function answered({ ruleset, start, acts, act, known }) {
  let state = rules.state$State.open(read(ruleset), read(start));
  for (const one of acts) state = state.apply(read(one));
  const ruling = rules.explain$explain(state, read(act), known);
  return plain(rules.explain$ruling_fields(ruling));
}
"""


def written(value: Any) -> Any:
    """The value as JSON from which JavaScript can make an equal value."""
    if isinstance(value, CardSet | Card):
        return str(value)
    if isinstance(value, Scatter):
        pairs = [[to, str(card)] for to, card in value.cards]
        return {"class": "acts$Scatter", "fields": [value.seat, {"table": pairs}]}
    if isinstance(value, tuple):
        if value and all(isinstance(one, Card) for one in value):
            return " ".join(map(str, value))
        return [written(one) for one in value]
    if attrs.has(type(value)):
        short = type(value).__module__.rpartition(".")[2]
        fields = [
            written(getattr(value, one.name)) for one in attrs.fields(type(value))
        ]
        return {"class": f"{short}${type(value).__name__}", "fields": fields}
    return value


def moments(rng: Random) -> Iterator[Asked]:
    """An endless series of questions on moments of games, with Python's answers."""
    while True:
        for name in profile_names():
            yield from _of_one_game(rng, name)


def _of_one_game(rng: Random, name: str) -> Iterator[Asked]:
    state = some_opening(rng, name, 2)
    ruleset = {
        "class": "rulesets$Ruleset",
        "fields": [name, state.ruleset.players, _table(state.ruleset.changed)],
    }
    script = some_script(rng, state, 0.3, tries=0.0, most=60)
    asked = sorted(rng.sample(range(len(script.moves)), min(3, len(script.moves))))
    for at, move in enumerate(script.moves):
        if at in asked:
            tried = [move.act, some_try(rng, state)]
            for act in (*tried, rng.choice([*acts_of_every_kind(rng, state)])):
                known = rng.random() < 0.7
                question = {
                    "ruleset": ruleset,
                    "start": written(state.start),
                    "acts": [written(one) for one in state.acts],
                    "act": written(act),
                    "known": known,
                }
                try:
                    yield question, ruling_fields(explain(state, act, known))
                except Malformed as error:
                    yield question, {"error": "Malformed", "message": str(error)}
        try:
            state = state.apply(move.act)
        except Refused:
            return


def _table(values: Any) -> Json:
    return {"table": [[name, written(value)] for name, value in values.items()]}


def asked_of_both(number: int) -> list[Asked]:
    """This many random questions, each with the answer that Python gives."""
    return list(islice(moments(Random(18)), number))


if __name__ == "__main__":
    main(asked_of_both, ANSWERED)
