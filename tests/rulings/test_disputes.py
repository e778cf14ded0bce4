"""Tests of rulings on disputes, which somebody reasoned from the book alone."""

from collections import Counter

import pytest

from refengine import Legal
from refengine.formats.fields import state_fields
from tests.support.disputed import Dispute, disputes

DISPUTES = disputes()


def test_there_are_at_least_thirty_disputes_each_under_three_rulesets() -> None:
    answers = Counter(one.id.rpartition("-")[0] for one in DISPUTES)
    assert len(answers) >= 30
    assert min(answers.values()) >= 3


@pytest.mark.parametrize("dispute", DISPUTES, ids=lambda one: one.id)
def test_the_engine_rules_as_the_book_was_read(dispute: Dispute) -> None:
    state, act, answer = dispute.state, dispute.act, dispute.answer
    verdict = state.verdict(act)
    assert type(verdict).__name__.lower() == dispute.verdict
    assert (() if isinstance(verdict, Legal) else verdict.clauses) == dispute.clauses
    if "legal" in answer:
        assert str(state.legal.cards) == answer["legal"]
    if "then" in answer:
        fields = state_fields(state.apply(act))
        assert {key: fields.get(key) for key in answer["then"]} == answer["then"]
