"""Random questions of every kind, answered in Python and in JavaScript.

`python -m tests.javascript.asked_twice RULES.mjs NUMBER` compares NUMBER answers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

from refengine.errors import Malformed
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import CARDS, Card
from refengine.lawbook.at_the_table import table_rulings
from refengine.lawbook.profiles import profile_names
from refengine.rulings.asking.answers import answer_fields
from refengine.rulings.asking.ask import answer
from refengine.rulings.asking.played_deals import cards_each, counting_cards
from refengine.rulings.asking.questions import KINDS, MOMENTS
from refengine_conformance.generators.strategies import some_ruleset
from tests.support.node import node_prints

Json = dict[str, Any]
Asked = tuple[Json, Json]
"""A question, and the answer of Python to it."""

ASKING: Final = """
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const rules = await import(pathToFileURL(process.argv[2]));
for await (const line of createInterface({ input: process.stdin })) {
  let said;
  try {
    said = answered(JSON.parse(line));
  } catch (error) {
    said = { error: error.name, message: error.message, stack: error.stack };
  }
  console.log(JSON.stringify(said));
}
"""
ANSWERED: Final = "function answered(question) { return rules.answer(question); }"


def _text(cards: list[Card]) -> str:
    return " ".join(map(str, cards))


def _in_play(rng: Random, rules: Ruleset) -> Json:
    cards = rng.sample(CARDS, 16)
    hand, trick = cards[: rng.randint(1, 9)], cards[9 : 9 + rng.randrange(4)]
    found: Json = {"hand": _text(hand), "trick": _text(trick)}
    if rng.random() < 0.3:
        found["first_trick"] = rng.random() < 0.5
    if rng.random() < 0.5:
        found["hearts_broken"] = rng.random() < 0.5
    if rng.random() < 0.4:
        found[rng.choice(("leader", "seat"))] = rng.randrange(rules.players)
    if rules.options["undealt"] == "stock" and rng.random() < 0.7:
        found["stock"] = rng.randrange(4)
        found["drew"] = _text(hand[: rng.randrange(2)])
    return found


def _card(rng: Random, rules: Ruleset) -> Json:
    found = _in_play(rng, rules)
    return {**found, "card": rng.choice(found["hand"].split())}


def _pass(rng: Random, rules: Ruleset) -> Json:
    hand = rng.sample(CARDS, rng.randint(3, 13))
    passed = rng.sample(hand, rng.choice((0, 1, 3, 3)))
    found: Json = {"deal": rng.randint(1, 6)}
    if rng.random() < 0.8:
        found["hand"] = _text(hand)
        found["cards"] = _text(passed)
    return found


def _score(rng: Random, rules: Ruleset) -> Json:
    seats = range(rules.players)
    piles: list[list[Card]] = [[] for _ in seats]
    shooter = rng.choice(seats)
    alone = rng.random() < 0.4
    for card in counting_cards(rules):
        piles[shooter if alone else rng.choice(seats)].append(card)
    found: Json = {"taken": list(map(_text, piles))}
    if rng.random() < 0.5:
        number = cards_each(rules) + rng.choice((0, 0, 0, -1, 1))
        winners = [rng.choice(seats) for _ in range(number)]
        found["tricks"] = [winners.count(seat) for seat in seats]
    if rng.random() < 0.6:
        limit = rules.options["limit"]
        below = limit if isinstance(limit, int) else 100
        found["totals"] = [rng.randrange(below) for _ in seats]
    if rng.random() < 0.4:
        found["choice"] = rng.choice(("self_minus", "others_plus", *seats))
    if rng.random() < 0.2:
        found["revokes"] = sorted(rng.sample(seats, rng.randint(1, 2)))
    return found


def _end(rng: Random, rules: Ruleset) -> Json:
    limit = rules.options["limit"]
    near = limit if isinstance(limit, int) else 100
    totals = [rng.choice((0, near - 1, near, near + 1)) for _ in range(rules.players)]
    found: Json = {"totals": totals}
    if rng.random() < 0.3:
        found["deals"] = rng.randint(1, 20)
    if rng.random() < 0.2:
        found["reached"] = True
    return found


def _revoke(rng: Random, rules: Ruleset) -> Json:
    found: Json = {"when": rng.choice(MOMENTS)}
    if rng.random() < 0.5:
        found["seat"] = rng.randrange(rules.players)
    return found


def _turn(rng: Random, rules: Ruleset) -> Json:
    found: Json = {"trick": _text(rng.sample(CARDS, rng.randrange(rules.players)))}
    for key in ("leader", "dealer", "seat"):
        if rng.random() < 0.4:
            found[key] = rng.randrange(rules.players)
    if rng.random() < 0.2:
        found["out"] = [rng.randrange(rules.players)]
    return found


def _opening(rng: Random, rules: Ruleset) -> Json:
    players = rng.randint(2, 10)
    found: Json = {"players": players}
    if rng.random() < 0.3:
        found["hands"] = [rng.choice((12, 13))] * players
    return found


def _table(rng: Random, rules: Ruleset) -> Json:
    ruling = rng.choice(list(table_rulings().values()))
    answers = {
        one.name: rng.choice(list(one.answers))
        for one in ruling.ask
        if rng.random() < 0.6
    }
    return {"number": ruling.number, "answers": answers}


_ASKED: Final[dict[str, Callable[[Random, Ruleset], Json]]] = {
    "card": _card,
    "hand": _in_play,
    "draw": _in_play,
    "pass": _pass,
    "score": _score,
    "end": _end,
    "revoke": _revoke,
    "turn": _turn,
    "opening": _opening,
    "table": _table,
}
assert _ASKED.keys() == KINDS.keys()
_WRONG: Final[tuple[object, ...]] = (True, -1, 99, "QS QS", "tea", [], ["2C", 3], {})


def _spoiled(rng: Random, question: Json) -> Json:
    """The question with the value of one key replaced or added, often wrongly."""
    key = rng.choice([*question, "lead"])
    return {**question, key: rng.choice(_WRONG)}


def questions(rng: Random) -> Iterator[Json]:
    """An endless series of questions of every kind and profile, some of them wrong."""
    while True:
        for name in profile_names():
            for ask, make in _ASKED.items():
                rules = some_ruleset(rng, name, rng.randrange(3))
                changed = {
                    option: list(value) if isinstance(value, tuple) else value
                    for option, value in rules.changed.items()
                }
                said = {"profile": name, "players": rules.players, "options": changed}
                asked = {"rules": said, "ask": ask, **make(rng, rules)}
                yield _spoiled(rng, asked) if rng.random() < 0.15 else asked


def answered(question: Json) -> Json:
    """The answer that Python gives to a question, or its error."""
    try:
        return answer_fields(answer(question))
    except Malformed as error:
        return {"error": "Malformed", "message": str(error)}


def differing(rules: Path, asked: list[Asked], by: str = ANSWERED) -> Iterator[Json]:
    """The questions that JavaScript answers differently, each with both answers.

    `by` is JavaScript source that defines `answered` and may use all of the `rules`.
    """
    script = rules.with_name("asking.mjs")
    script.write_text(ASKING + by, "utf-8")
    given = "\n".join(json.dumps(question) for question, _ in asked)
    said = node_prints(str(script), str(rules), given=given)
    for (question, ours), line in zip(asked, said.splitlines(), strict=True):
        expected, found = json.loads(json.dumps(ours)), json.loads(line)
        if {**found, "stack": ""} != {**expected, "stack": ""}:
            yield {"question": question, "python": expected, "javascript": found}


def asked_of_both(number: int) -> list[Asked]:
    """This many random questions, each with the answer that Python gives."""
    return [(one, answered(one)) for one in islice(questions(Random(18)), number)]


def main(asked: Callable[[int], list[Asked]], by: str = ANSWERED) -> None:
    """Compare as many answers as the command line says, and print the first to differ.

    At most three questions are printed.
    """
    path, number = sys.argv[1:]
    wrong = list(differing(Path(path), asked(int(number)), by))
    for one in wrong[:3]:
        print(json.dumps(one, indent=1))
    print(f"{number} questions, {len(wrong)} answered otherwise")


if __name__ == "__main__":
    main(asked_of_both)
