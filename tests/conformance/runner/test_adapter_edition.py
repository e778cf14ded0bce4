"""Tests that adapters for 1.0.0 still pass and are not asked about what came later."""

from collections.abc import Iterator
from typing import Any

import pytest

from refengine import Claim, Play, Ruleset, Setup
from refengine.formats.minideals import read_mini
from refengine.formats.openings import RefusedOpening
from refengine.formats.shapes import RulesetObject
from refengine.formats.trace import Probe, Trace, read_trace
from refengine.lawbook.clause_names import gone_back
from refengine.lawbook.editions import edition
from refengine.lawbook.options import OPTIONS
from refengine_conformance.runner import declared
from refengine_conformance.runner.cases import trace_cases
from refengine_conformance.runner.declared import (
    are_clauses_scored,
    ruleset_for,
    why_later,
)
from refengine_conformance.runner.driver import Builtin, WrongEditionError
from refengine_conformance.runner.results import Case, Outcome
from refengine_conformance.runner.runner import Settings, run, run_not_begun
from refengine_conformance.runner.selection import CORPUS, Choice, Selection, of_corpus
from tests.support.adapters import Json, Planted, outcomes, spoiling

OLD = {one.name for one in OPTIONS if one.born == "1.0.0"}
"""The options that 1.0.0 had."""
NEW_NAMES = ("queen_waits", "kitty_to", "deal_ends", "king_points", "ace_points")


def engine(spec: object = None, clauses: dict[str, str] | None = None) -> Planted:
    """Our engine as an adapter that declares an edition and uses its clause numbers."""

    def named(plain: Any) -> Any:
        """The answer with its clauses renamed to those of the declared edition."""
        if isinstance(plain, list):
            return [named(one) for one in plain]
        if not isinstance(plain, dict):
            return plain
        found = {key: named(value) for key, value in plain.items()}
        for key in ("clauses", "breaks"):
            if found.get(key):
                cited = dict.fromkeys(
                    (clauses or {}).get(one, one) for one in found[key]
                )
                found[key] = [*cited] if spec == "1.1.0" else [*gone_back(cited)]
        return found

    @spoiling
    def names_clauses(request: Json, answer: Json) -> Any:
        if "ruleset" in request and spec is None:
            assert request["ruleset"]["options"].keys() == OLD
        return named(answer)

    return Planted(names_clauses, spec=spec)


def corpus_lines() -> Iterator[bytes]:
    """The corpus lines whose refusals may be renamed, and every 40th line."""
    lines = of_corpus(CORPUS, Choice()).lines
    for place, line in enumerate(lines):
        split = (b'"3.', b'"4.6"', b'"4.10a"', b'"7.', b'"8.6"')
        if place % 40 == 0 or any(number in line.data for number in split):
            yield line.data


def all_cases(planted: Planted) -> list[Case]:
    adapter = planted.adapter()
    found: list[Case] = []
    for line in corpus_lines():
        if line.startswith(b'{"mini"'):
            continue
        found += trace_cases(adapter, read_trace(line), ("step", "replay")).cases
    return found


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "spec",
    [
        None,
        pytest.param("1.0.0", marks=pytest.mark.slow),  # what None means, said
        "1.1.0",
    ],
)
def test_no_case_of_an_engine_of_either_edition_is_red_on_the_corpus(
    spec: str | None,
) -> None:
    cases = all_cases(engine(spec))
    assert len(cases) > 500
    wrong = [
        (case.id, case.faults)
        for case in cases
        if case.outcome not in (Outcome.PASS, Outcome.UNSUPPORTED)
    ]
    assert wrong == []
    named = [case for case in cases if case.kind == "clauses"]
    assert sum(case.outcome is Outcome.PASS for case in named) > 50


@pytest.mark.unmeasured
def test_a_wrong_name_is_wrong_in_every_edition() -> None:
    spoiled = dict.fromkeys(("3.8a", "3.8b", "3.8d"), "3.2")
    spoiled |= {"4.6a": "4.4", "7.6b": "7.4"}
    for spec in (None, "1.1.0"):
        cases = all_cases(engine(spec, spoiled))
        kinds = {case.kind for case in cases if case.outcome is Outcome.FAIL}
        assert kinds == {"clause", "clauses"}


# The edition that is declared


def test_the_edition_is_that_of_hello_or_else_the_first() -> None:
    assert engine().adapter().card.spec == "1.0.0"
    assert engine("1.1.0").adapter().card.spec == "1.1.0"
    assert Planted().adapter().card.spec == "1.1.0"


@pytest.mark.parametrize("spec", ["1.7.0", "1.0", "", 1, ["1.0.0"]])
def test_an_edition_that_there_is_not_is_against_the_protocol(spec: object) -> None:
    with pytest.raises(WrongEditionError, match=r"ok\.spec") as caught:
        engine(spec).adapter()
    found = run_not_begun(Selection(()), Settings(command=("x",)), caught.value)
    assert [(case.kind, case.outcome) for case in found.cases] == [
        ("hello", Outcome.PROTOCOL)
    ]
    assert found.exit_code == 2


def test_a_run_of_such_an_adapter_says_so_once(monkeypatch: Any) -> None:
    monkeypatch.setattr(
        "refengine_conformance.runner.runner.transport_of",
        lambda command: Builtin(engine("1.7.0").handle),
    )
    lines = of_corpus(CORPUS, Choice(tier="smoke"))
    found = run(lines, Settings(command=("x",)), {}, (), advance=lambda done: None)
    protocol = [case for case in found.cases if case.outcome is Outcome.PROTOCOL]
    assert [case.kind for case in protocol] == ["hello"]
    assert "1.7.0" in protocol[0].note
    assert found.exit_code == 2


# What came later


def test_an_option_that_came_later_is_left_out_at_its_base_value() -> None:
    ruleset = Ruleset("estmesh-hearts")
    assert ruleset_for(ruleset, "1.0.0")["options"].keys() == OLD
    now = ruleset_for(ruleset, "1.1.0")["options"]
    assert now.keys() == {one.name for one in OPTIONS}
    assert now.keys() >= {*NEW_NAMES, "moon_needs_bonus"}
    assert why_later(ruleset, "1.0.0") == ""


@pytest.mark.parametrize(
    ("profile", "options", "why"),
    [
        ("estmesh-hearts", {"queen_waits": "play"}, "queen_waits=play is not in"),
        ("estmesh-hearts", {"king_points": 10}, "king_points=10 is not in"),
        ("estmesh-hearts", {"heart_points": "face"}, "heart_points=face is not in"),
        ("heartsgame-tiles", {"removal": "lowest_no_hearts"}, "removal="),
        ("estmesh-hearts", {"queen_points": 0}, "edition 1.0.0 refuses this ruleset"),
    ],
)
def test_a_ruleset_that_came_later_is_not_asked(
    profile: str, options: Json, why: str
) -> None:
    ruleset = Ruleset(profile, 4, options)
    assert why_later(ruleset, "1.0.0").startswith(why)
    assert why_later(ruleset, "1.1.0") == ""
    setup = Setup(dealer=3, deal=4, hands=["2C", "3C", "4C", "5C"])
    trace = Trace(ruleset=ruleset, start=setup, steps=(), end={"phase": "play"})
    first = engine()
    cases = first.cases(trace)
    assert first.ops == []
    assert {*outcomes(cases).values()} == {"unsupported"}
    assert not any(case.applicable for case in cases.values())
    assert all(case.note.startswith(why) for case in cases.values())
    assert {*outcomes(engine("1.1.0").cases(trace)).values()} == {"pass"}


def test_a_queen_that_costs_nothing_came_later_only_beside_a_moon() -> None:
    """Clause 8.10 of edition 1.0.0 refused a free queen only if there was a moon."""
    ruleset = Ruleset("estmesh-hearts", 4, {"queen_points": 0, "moon": "none"})
    assert why_later(ruleset, "1.0.0") == ""


def test_a_profile_that_came_later_is_not_asked(monkeypatch: Any) -> None:
    first = edition("1.0.0")
    fewer = {**first.members, "profiles": {}}
    made = type(first)("1.0.0", "", fewer)
    monkeypatch.setattr(declared, "edition", lambda spec: made)
    why = why_later(Ruleset("estmesh-hearts"), "1.0.0")
    assert why == "the profile estmesh-hearts is not in edition 1.0.0"


# Claims, which 1.1.0 refuses otherwise


def claimed(spec: str) -> Trace:
    ruleset = Ruleset("heartsgame-tiles")
    setup = Setup(dealer=3, deal=4, hands=["2C", "3C", "4C", "5C"])
    return Trace(ruleset=ruleset, start=setup, steps=(), spec=spec)


def test_an_early_claim_is_scored_where_both_editions_are_of_today() -> None:
    early = Probe(Claim(0, 1, 1), ("7.7",))
    false = Probe(Claim(0, 1, 1), ("7.7a",))
    assert are_clauses_scored(claimed("1.1.0"), 1, early, "1.1.0")
    assert not are_clauses_scored(claimed("1.1.0"), 1, early, "1.0.0")
    assert are_clauses_scored(claimed("1.1.0"), 1, false, "1.0.0")
    for spec in ("1.0.0", "1.1.0"):
        assert are_clauses_scored(claimed("1.0.0"), 1, early, spec)
        then = Probe(Claim(0, 1, 1), ("7.7", "7.7a"))
        assert not are_clauses_scored(claimed("1.0.0"), 1, then, spec)
        play = Probe(Play(1, "3C"), ("2.3",))
        assert are_clauses_scored(claimed("1.0.0"), 1, play, spec)


def test_a_mini_deal_is_opened_without_what_came_later() -> None:
    (line, *_) = [one.data for one in of_corpus(CORPUS, Choice()).lines if one.mini]
    first = engine()
    assert outcomes(first.cases(read_mini(line))) == {"enumerate": "pass"}
    opened = next(one for one in first.requests if one["op"] == "open")
    assert opened["ruleset"]["options"].keys() == OLD


# Choosing lines by a clause


def test_a_clause_chooses_the_lines_that_name_it_or_its_parts() -> None:
    whole, part = Choice(clause="3.8"), Choice(clause="3.8a")
    for choice, number in ((whole, "3.8b"), (part, "3.8a")):
        assert choice.takes("", "", {"3.8"})
        assert choice.takes("", "", {number})
    assert not part.takes("", "", {"3.8b"})
    assert not whole.takes("", "", {"3.9"})


def test_an_opening_under_rules_that_the_edition_refuses_is_not_asked() -> None:
    """The queen costs nothing although there is a moon, which 8.10 of 1.0.0 refuses."""
    rules = RulesetObject(
        profile="common-hearts", players=4, options={"queen_points": 0}
    )
    setup = Setup(dealer=3, deal=4, hands=["2C QS", "2C AS", "4C KS", "5C 2H"])
    opening = RefusedOpening(ruleset=rules, start=setup, clauses=("3.12f",), id="t-1")
    first = engine("1.0.0")
    cases = first.cases(opening)
    assert first.ops == []
    assert {*outcomes(cases).values()} == {"unsupported"}
    assert not any(case.applicable for case in cases.values())
