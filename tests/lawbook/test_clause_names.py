"""Tests that files written for 1.0.x are judged by the clause numbers of that time."""

from pathlib import Path
from typing import Any

import pytest

from refengine.formats.replaying import judge_line, replay_batch
from refengine.formats.trace import read_trace, replay, replay_all, trace_id
from refengine.lawbook import book
from refengine.lawbook.clause_names import (
    changed_clause,
    gone_back,
    named_at,
    names_parts,
)
from refengine.lawbook.editions import edition
from tests.support.commands import Runner
from tests.support.lines import NO_ID, line_of

Json = dict[str, Any]

SCATTER: Json = {
    "ruleset": {"profile": "estmesh-hearts", "players": 4},
    "match": {"dealer": 0, "pack": "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"},
}
DEALT = ["2C 3C 4C", "5C 6C 7C", "8C 9C TC", "JC QC KC"]
UNEVEN = ["2C 3C", "4C 5C 6C 7C", "8C 9C TC", "JC QC"]
EARLY: Json = {
    "ruleset": {"profile": "heartsgame-tiles", "players": 4},
    "setup": {"dealer": 3, "deal": 4, "hands": ["2C", "3C", "4C", "5C"]},
}


def trace(spec: str, game: Json, act: Json, clauses: list[str], *steps: Json) -> bytes:
    """A trace whose first step expects this act to be refused by these clauses."""
    first, *rest = steps
    asked = {**first, "refuse": [{"act": act, "clauses": clauses}]}
    plain = {"trace": 1, "id": NO_ID, "spec": spec, **game}
    plain["steps"] = [asked, *rest]
    made = read_trace(line_of(plain))
    return line_of({**plain, "id": trace_id(made)})


def deal_refused(spec: str, *clauses: str) -> bytes:
    step: Json = {"seat": 0, "act": {"deal": {"hands": DEALT}}}
    wrong = {"deal": {"hands": UNEVEN}}
    return trace(spec, SCATTER, wrong, list(clauses), step)


def claim_refused(spec: str, *clauses: str) -> bytes:
    """A trace that expects a claim about an incomplete trick to be refused."""
    step: Json = {"seat": 0, "act": {"play": "2C"}}
    early = {"claim": {"seat": 1, "trick": 1}}
    return trace(spec, EARLY, early, list(clauses), step)


def test_every_part_goes_back_to_a_clause_that_1_0_0_had() -> None:
    parts = [one for one in book.clauses().values() if one.part_of]
    assert len(parts) >= 38
    first = edition("1.0.0")
    for one in parts:
        assert first.clause(one.part_of) is not None
        assert first.clause(one.number) is None
        assert gone_back([one.number]) == (one.part_of,)
        assert one.number in book.parts_of(one.part_of)
    assert gone_back(["4.6b", "4.5"]) == ("4.5", "4.6")
    assert gone_back(["9.8a", "9.8c", "9.8b"]) == ("9.8", "9.8a")
    assert gone_back(["3.12d", "3.12e"]) == ("3.12",)
    assert gone_back(["9.99", "5.3", "3.12j"]) == ("3.12a", "5.3", "9.99")


@pytest.mark.parametrize("spec", ["1.0.0", "1.0.7"])
def test_an_old_trace_is_judged_by_its_own_names(spec: str) -> None:
    assert not names_parts(spec)
    assert named_at(spec, ("3.8a", "3.8d")) == ("3.8",)
    assert named_at(spec, ()) == ()
    assert replay(read_trace(deal_refused(spec, "3.8"))) == []
    (wrong,) = replay(read_trace(deal_refused(spec, "3.1")))
    assert (wrong.expected, wrong.found) == ("refused by 3.1", "refused by 3.8")
    # 1.0.0 had no such clause
    (wrong,) = replay(read_trace(deal_refused(spec, "3.8a", "3.8d")))
    assert wrong.found == "refused by 3.8"


@pytest.mark.parametrize("spec", ["1.1.0", "1.1.4"])
def test_a_trace_of_today_names_the_parts(spec: str) -> None:
    assert names_parts(spec)
    assert named_at(spec, ("3.8a", "3.8d")) == ("3.8a", "3.8d")
    assert replay(read_trace(deal_refused(spec, "3.8a", "3.8d"))) == []
    (wrong,) = replay(read_trace(deal_refused(spec, "3.8")))
    assert wrong.found == "refused by 3.8a, 3.8d"


def test_a_claim_that_is_refused_otherwise_today_is_neither_right_nor_wrong() -> None:
    line = claim_refused("1.0.0", "7.7a")
    trace = read_trace(line)
    assert replay(trace) == []
    (changed,) = replay_all(trace)
    assert str(changed) == ("step 1, refuse claim 1 1 of seat 0: changed in 1.1.0: 7.7")
    judgement = judge_line(line)
    assert (judgement.outcome, judgement.findings) == ("changed", [])
    told = replay_batch([("one:1", line), ("one:2", line)], as_json=False)
    assert (told.passed, told.failed, told.changed) == (0, 0, 2)
    assert told.said[0].startswith(f"one:1: {trace.id}: step 1, refuse claim")
    (plain,) = replay_batch([("one:1", line)], as_json=True).said
    assert '"outcome": "changed", "findings": []' in plain
    assert '"changed": "7.7"' in plain


@pytest.mark.parametrize(("least", "code"), [(2, 0), (3, 4)])
def test_lines_that_have_only_changed_are_counted_as_read(
    least: int, code: int, tmp_path: Path, run: Runner
) -> None:
    file = tmp_path / "old.jsonl"
    file.write_bytes((claim_refused("1.0.0", "7.7a") + b"\n") * 2)
    ended, out, _ = run("replay", "--at-least", str(least), str(file))
    assert ended == code
    assert out.splitlines()[-1] == "0 as expected, 0 not, 2 changed in 1.1.0"


def test_only_an_old_claim_is_excused_by_what_changed() -> None:
    (today,) = replay(read_trace(claim_refused("1.1.0", "7.7a")))
    assert not today.changed
    (other,) = replay(read_trace(claim_refused("1.0.0", "7.7b")))
    assert not other.changed
    assert changed_clause("1.0.0", "claim", ("7.7", "7.7a"), ("7.7",)) == "7.7"
    assert changed_clause("1.0.0", "claim", ("7.7a", "7.7b"), ("7.7", "7.7b")) == "7.7"
    assert changed_clause("1.0.0", "play", ("7.7", "7.7a"), ("7.7",)) == ""
    assert changed_clause("1.0.0", "claim", (), ("7.7",)) == ""
    assert changed_clause("1.0.0", "claim", ("7.7",), ("7.7a",)) == ""
