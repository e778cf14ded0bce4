"""`answer(question)`: every kind of question a table asks, answered in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from refengine.rulings.asking.answers import Answer
from refengine.rulings.asking.ends import end_answer
from refengine.rulings.asking.passes import pass_answer
from refengine.rulings.asking.player_numbers import opening_answer
from refengine.rulings.asking.plays import card_answer, draw_answer, hand_answer
from refengine.rulings.asking.quarrels import table_answer
from refengine.rulings.asking.questions import Question, read_question
from refengine.rulings.asking.revokes import revoke_answer
from refengine.rulings.asking.scores import score_answer
from refengine.rulings.asking.turns import turn_answer

_ANSWERED_BY: Final[dict[str, Callable[[Question], Answer]]] = {
    "card": card_answer,
    "hand": hand_answer,
    "draw": draw_answer,
    "pass": pass_answer,
    "score": score_answer,
    "end": end_answer,
    "revoke": revoke_answer,
    "turn": turn_answer,
    "opening": opening_answer,
    "table": table_answer,
}


def answer(question: object) -> Answer:
    """The answer to a question, given as a `Question` or as its JSON value.

    >>> answer({"ask": "turn", "leader": 2, "trick": "5C 9C"}).headline
    'It is the turn of seat 0.'
    >>> totals = {"ask": "end", "totals": [104, 57, 88, 57]}
    >>> answer(totals).headline
    'The match is over: seats 1 and 3 share the win with 57.'

    Raises Malformed if the question cannot be read or describes something impossible.
    """
    asked = question if isinstance(question, Question) else read_question(question)
    return _ANSWERED_BY[asked.ask](asked)
