"""Tests of asking an adapter for the events that seats see and for refused openings."""

import json
import re
from collections import Counter
from copy import deepcopy
from typing import Any

import attrs
import pytest

from refengine.formats.openings import RefusedOpening, read_opening
from refengine.formats.trace import Trace, canonical, read_trace, replay
from refengine.lawbook.book import clauses
from refengine.lawbook.clause_names import gone_back
from refengine_conformance.data import data
from refengine_conformance.diagnosis.asker import Asker
from refengine_conformance.diagnosis.examples import with_examples
from refengine_conformance.diagnosis.run_inference import with_inference
from refengine_conformance.report.html_report import html
from refengine_conformance.report.reports import text
from refengine_conformance.runner import opening_cases, selection
from refengine_conformance.runner.declared import why_table_not_declared
from refengine_conformance.runner.driver import Adapter
from refengine_conformance.runner.results import Case, Limits, Outcome
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import (
    Choice,
    Selected,
    Selection,
    beside_corpus,
)
from refengine_conformance.tables.case_set import CaseSet
from refengine_conformance.tables.table_run import select_games
from tests.support import oracle_openings
from tests.support.adapters import (
    Crashing,
    Json,
    Planted,
    Spoil,
    answering,
    names_also,
    names_none,
    names_one,
    outcomes,
    spoiling,
)
from tests.support.runs import failing, fault_at

FOLDER = data("events-and-openings")
EVENTS = [
    read_trace(one) for one in (FOLDER / "events.jsonl").read_bytes().splitlines()
]
LINES = (FOLDER / "openings.jsonl").read_bytes().splitlines()
OPENINGS = [one for one in map(read_opening, LINES) if one is not None]
PROFILES = json.loads(data("corpus", "profiles.json").read_text("utf-8"))["profiles"]


def asked(
    line: Trace | RefusedOpening,
    spoil: Spoil = lambda request, answer: answer,
    without: tuple[str, ...] = (),
    **hello: Any,
) -> dict[str, Case]:
    """The cases of a line asked by `step` and by `replay`, with answers spoilt."""
    return Planted(spoiling(spoil), without, **hello).cases(line, "step", "replay")


def failed(lines: list[Trace] | list[RefusedOpening], spoil: Spoil) -> int:
    """The number of lines in which a case fails."""
    return sum("fail" in outcomes(asked(one, spoil)).values() for one in lines)


# The published lines


@pytest.mark.parametrize("line", [*EVENTS, *OPENINGS], ids=lambda one: one.id)
def test_the_reference_answers_every_line_rightly(
    line: Trace | RefusedOpening,
) -> None:
    found = outcomes(asked(line))
    assert set(found.values()) == {"pass"}
    kinds = {"step", "replay", "events"} if isinstance(line, Trace) else {"openings"}
    assert kinds <= set(found)


WHOLE = {"cut", "play", "retract", "quit", "claim", "moon"}
"""The acts that clause 2.8 tells to every seat in full."""
WITHOUT_CARDS = {"draw", "forward"}
"""Acts that name no cards, and are therefore told in full as well."""


def test_what_is_told_is_what_clause_2_8_says() -> None:
    number = Counter[str]()
    for trace in EVENTS:
        for step in trace.steps:
            assert [one.seat for one in step.told] == [*range(trace.ruleset.players)]
            for one in step.told:
                kind = "scatter" if "{" in str(step.act) else one.kind
                assert kind == one.kind == step.act.kind
                own = one.kind in ("pass", "scatter") and one.seat == step.act.seat
                whole = own or one.kind in WHOLE | WITHOUT_CARDS
                assert one.act == (step.act if whole else None)
            number[step.act.kind] += 1
    assert number.keys() == WHOLE | WITHOUT_CARDS | {"deal", "pass", "scatter", "mix"}
    assert min(number.values()) >= 2


def test_the_second_engine_refuses_the_openings_by_the_same_clauses() -> None:
    """The second engine was written when clauses did not yet have lettered parts."""
    for line, opening in zip(LINES, OPENINGS, strict=True):
        plain = json.loads(line)
        given = plain["ruleset"]
        profile = PROFILES[given["profile"]]
        options = {**profile["options"], **given.get("options", {})}
        kitty = options["undealt"] == "kitty"
        allowed = profile["players_with_kitty" if kitty else "players"]
        theirs = oracle_openings.ruleset_broken(options, given["players"], allowed)
        if not theirs and "match" in plain:
            pack = plain["match"].get("pack")
            theirs = oracle_openings.match_broken(options, given["players"], pack)
        elif not theirs:
            theirs = oracle_openings.setup_broken(
                options, given["players"], _whole(plain["setup"])
            )
        assert theirs == set(gone_back(opening.clauses)), opening.name


def _whole(setup: Json) -> Json:
    """The setup with every default written out."""
    none = [""] * len(setup["hands"])
    return {
        "stock": "",
        "kitty": "",
        "trick": "",
        "out": [],
        "taken": none,
        "tricks": [0] * len(none),
        "hearts_broken": False,
        "first_trick": False,
        **setup,
    }


def test_every_clause_that_can_refuse_an_opening_does_so_twice() -> None:
    said = clauses()["0.7a"].text
    _, _, rest = said.partition("A ruleset is refused")
    judged, _, _ = rest.partition("Nothing else refuses")
    named = {*re.findall(r"\b\d+\.\d+[a-z]?", judged)}
    assert len(named) == 37
    number = Counter(clause for one in OPENINGS for clause in one.clauses)
    alone = {one.clauses[0] for one in OPENINGS if len(one.clauses) == 1}
    assert number.keys() == named == alone
    assert min(number.values()) >= 2


# Faults


def telling_all() -> Spoil:
    """A fault: every seat is told the last act in full."""
    made: Json = {}

    def spoil(request: Json, answer: Json) -> None:
        if request["op"] == "step":
            made["act"] = request["act"]
        if request["op"] == "event" and "ok" in answer:
            answer["ok"] |= made

    return spoil


def of_kind(spoil: Spoil, *kinds: str) -> Spoil:
    """The same fault, but only in events about these kinds of act."""

    def only(request: Json, answer: Json) -> Json | None:
        told = answer["ok"]["kind"] if request["op"] == "event" else None
        spoilt = deepcopy(answer)
        other = spoil(request, spoilt)
        return (spoilt if other is None else other) if told in kinds else None

    return only


def telling(told: Json) -> Spoil:
    """A fault: these fields are added to every event, or replace its own."""

    def spoil(request: Json, answer: Json) -> None:
        if request["op"] == "event":
            answer["ok"] |= told

    return spoil


def silent(request: Json, answer: Json) -> None:
    if request["op"] == "event":
        answer["ok"].pop("act", None)


def another_seat(request: Json, answer: Json) -> None:
    if request["op"] == "event":
        answer["ok"]["seat"] = request["seat"]


def another_kind(request: Json, answer: Json) -> None:
    named = {"scatter": "pass", "retract": "play", "forward": "pass"}
    if request["op"] == "event":
        answer["ok"]["kind"] = named.get(answer["ok"]["kind"], answer["ok"]["kind"])


@pytest.mark.parametrize(
    ("spoil", "least"),
    [
        *((of_kind(telling_all(), kind), 2) for kind in ("deal", "mix", "scatter")),
        (of_kind(telling_all(), "pass"), 9),
        *((of_kind(silent, kind), 2) for kind in sorted(WHOLE | WITHOUT_CARDS)),
        (of_kind(silent, "scatter"), 2),
        (of_kind(silent, "pass"), 9),
        (another_seat, len(EVENTS)),
        (of_kind(another_seat, "deal", "mix"), 7),
        (of_kind(another_kind, "scatter"), 3),
        (of_kind(another_kind, "retract"), 2),
        (of_kind(another_kind, "forward"), 3),
    ],
)
def test_a_seat_told_too_much_too_little_or_wrong_is_found(
    spoil: Spoil, least: int
) -> None:
    wrong = [one for one in EVENTS if "fail" in outcomes(asked(one, spoil)).values()]
    assert len(wrong) >= least
    for one in wrong:
        found = asked(one, spoil)
        rest = outcomes(found)
        assert rest.pop("events") == "fail"
        assert set(rest.values()) == {"pass"}
        assert {fault.clauses for fault in found["events"].faults} == {("2.8",)}


accepts = answering("open", ok={})


SEVERAL = sum(len(one.clauses) > 1 for one in OPENINGS)


def test_an_opening_that_begins_is_wrong_by_the_clauses_that_refuse_it() -> None:
    assert failed(OPENINGS, accepts) == len(OPENINGS)
    for one in OPENINGS[:3]:
        found = asked(one, accepts)
        said = {"openings": "fail", "clause": "unsupported", "clauses": "unsupported"}
        assert outcomes(found) == said
        (fault,) = found["openings"].faults
        assert (fault.question, fault.clauses, fault.got) == ("open", one.clauses, "ok")


def test_the_clauses_named_for_an_opening_are_scored_by_themselves() -> None:
    assert SEVERAL > 5
    assert failed(OPENINGS, names_one) == SEVERAL
    several = next(one for one in OPENINGS if len(one.clauses) > 1)
    right = {"openings": "pass", "clause": "pass"}
    assert outcomes(asked(several, names_one)) == {**right, "clauses": "fail"}
    (fault,) = asked(several, names_one)["clauses"].faults
    assert fault.clauses == several.clauses[1:]
    for spoil in (names_none, names_also("5.3")):
        wrong = {"openings": "pass", "clause": "fail", "clauses": "fail"}
        assert outcomes(asked(several, spoil)) == wrong
    (fault,) = asked(several, names_also("5.3"))["clause"].faults
    assert fault.clauses == ("5.3",)
    assert fault.expected == f"one of {', '.join(several.clauses)}"
    (fault,) = asked(several, names_also("99.9"))["clause"].faults
    assert fault.clauses == several.clauses
    found = outcomes(asked(several, names_none, ("clause", "clauses")))
    assert found == {**dict.fromkeys(found, "unsupported"), "openings": "pass"}


def test_an_engine_of_the_first_edition_names_clauses_that_have_no_parts() -> None:
    def first(request: Json, answer: Json) -> None:
        if request["op"] == "open":
            assert "king_points" not in request["ruleset"]["options"]
        if "refused" in answer:
            whole = gone_back(answer["refused"]["clauses"])
            answer["refused"]["clauses"] = list(whole)

    found = [asked(one, first, spec="1.0.0") for one in OPENINGS]
    said = [set(outcomes(one).values()) for one in found]
    assert said.count({"pass"}) > 80
    for one in found:
        if not one["openings"].applicable:
            assert "1.0.0" in one["openings"].note
        else:
            assert set(outcomes(one).values()) == {"pass"}


# Not answered


@pytest.mark.parametrize("line", [EVENTS[4], OPENINGS[0]], ids=["events", "openings"])
def test_without_the_capability_a_line_is_not_applicable(
    line: Trace | RefusedOpening,
) -> None:
    capability = "events" if isinstance(line, Trace) else "openings"
    planted = Planted(without=(capability,))
    found = planted.cases(line, "step", "replay")
    assert planted.ops == []
    assert set(outcomes(found).values()) == {"unsupported"}
    assert not any(case.applicable for case in found.values())
    assert found[capability].note == f"the capability {capability} is not declared"


def test_an_opening_needs_what_it_states() -> None:
    by_name = {one.name: one for one in OPENINGS}
    kitty = by_name["a kitty where the ruleset has none"]
    assert opening_cases.opening_needs(kitty) == ("kitty",)
    stock = by_name["a position with a stock where the ruleset has none"]
    assert opening_cases.opening_needs(stock) == ("setup.position", "stock")
    found = asked(stock, without=("stock",))
    assert found["openings"].note == "stock not declared"
    assert found["openings"].applicable
    beside = by_name["a deal that may end early beside a stock"]
    assert opening_cases.opening_needs(beside) == ("match", "stock")


def test_an_opening_for_players_that_are_not_declared_is_not_applicable() -> None:
    told = [
        asked(one, players=[4], profiles=["estmesh-hearts"])["openings"]
        for one in OPENINGS
    ]
    notes = Counter(one.note for one in told)
    given = [json.loads(line)["ruleset"] for line in LINES]
    there = Counter((one["profile"], one["players"]) for one in given)
    maria = sum(one["profile"] == "black-maria" for one in given)
    assert notes["5 players are not declared"] == there["estmesh-hearts", 5] > 0
    assert notes["the profile black-maria is not declared"] == maria > 0
    assert notes[""] > 40


def test_any_is_a_name_like_others_beside_another_profile() -> None:
    card = Planted(profiles=["any", "common-hearts"]).adapter().card
    why = "the profile black-maria is not declared"
    assert why_table_not_declared(card, "black-maria", 4) == why
    assert why_table_not_declared(card, "common-hearts", 4) == ""


def test_an_error_is_no_answer_to_an_opening_and_ends_a_game() -> None:
    opening = asked(OPENINGS[0], answering("open", error="no"))
    assert set(outcomes(opening).values()) == {"unsupported"}
    assert opening["openings"].note == "open: error: no"
    assert opening["openings"].applicable
    events = outcomes(asked(EVENTS[0], answering("event", error="no")))
    assert events == {"step": "error", "replay": "pass", "events": "error"}


def test_unsupported_and_nothing_known_of_events() -> None:
    found = asked(EVENTS[0], answering("event", unsupported="no events"))
    assert outcomes(found)["events"] == "unsupported"
    assert found["events"].note == "declared, yet answered unsupported: no events"
    found = asked(EVENTS[0], without=("step",))
    assert outcomes(found) == {"replay": "pass", "events": "unsupported"}
    assert found["events"].note == "what a seat is told can only be asked step by step"


def test_an_answer_that_breaks_the_protocol() -> None:
    def names_no_key(request: Json, answer: Json) -> None:
        if "refused" in answer:
            answer["refused"] = {"clause": "2.6"}

    for told in ({"hand": "2C"}, {"act": {"cut": "1C"}}):
        found = outcomes(asked(EVENTS[0], telling(told)))
        assert found["events"] == "protocol"
    found = outcomes(asked(OPENINGS[0], names_no_key))
    assert found == {"openings": "protocol", "clause": "not_run", "clauses": "not_run"}


def test_a_game_that_ends_early_leaves_what_was_not_asked() -> None:
    def refuses(request: Json, answer: Json) -> Json | None:
        played = request["op"] == "step" and "play" in request["act"]
        return {"seq": answer["seq"], "refused": {}} if played else None

    (trace,) = [one for one in EVENTS if one.name.startswith("passes to the left")]
    found = outcomes(asked(trace, refuses))
    assert found == {"step": "fail", "replay": "pass", "events": "not_run"}
    short = attrs.evolve(trace, steps=trace.steps[:4])
    assert outcomes(asked(short, refuses))["events"] == "pass"


def test_an_adapter_that_dies_over_an_opening_is_gone() -> None:
    adapter = Adapter(Crashing(b'"open"'), Limits())
    judged = opening_cases.opening_cases(adapter, OPENINGS[0])
    assert judged.gone
    said = [str(case.outcome) for case in judged.cases]
    assert said == ["crash", "not_run", "not_run"]


def test_a_replay_that_is_refused_at_once_is_a_wrong_answer() -> None:
    found = asked(EVENTS[0], answering("replay", refused={"clauses": ["3.12d"]}))
    assert outcomes(found)["replay"] == "fail"
    (fault,) = found["replay"].faults
    assert (fault.question, fault.clauses) == ("open", ("3.12d",))


# Runs


@pytest.mark.interpreted("reads a published set, which no wheel has")
def test_at_a_table_some_games_ask_what_was_told_of_each_kind_of_act() -> None:
    published = data("tables", "gamerules-domino-2.jsonl").read_bytes().splitlines()
    lines = tuple(Selected(read_trace(one).id, one) for one in published)
    found = CaseSet(lines=lines, shows={}, unreached={}, funnel=())
    games = select_games(found, Choice()).beside["events"]()
    assert not {line.id for line in games} & {line.id for line in found.lines}
    asked_of = Counter[str]()
    for line in games:
        trace = read_trace(line.data)
        assert trace.id == line.id
        assert trace.steps[-1].told
        assert not any(step.legal or step.then for step in trace.steps)
        assert replay(trace) == []
        asked_of.update({step.act.kind for step in trace.steps if step.told})
        told = [step.told for step in trace.steps if step.told]
        assert {len(one) for one in told} == {trace.ruleset.players}
    played = {
        step.act.kind
        for line in found.lines
        if not line.mini
        for step in read_trace(line.data).steps
    }
    assert {"deal", "play", "draw"} <= played == asked_of.keys()
    assert min(asked_of.values()) >= 2
    assert select_games(found, Choice(clause="5.3")).beside["events"]() == ()
    (one,) = select_games(found, Choice(traces=(games[0].id,))).beside["events"]()
    assert one == games[0]


def _run(chosen: Selection, adapter: str = "reference") -> Run:
    return run(chosen, Settings(command=(f"builtin:{adapter}",)))


def test_lines_beside_the_corpus_are_asked_only_of_those_that_declare_them() -> None:
    beside = beside_corpus(Choice())
    assert {name: len(lines()) for name, lines in beside.items()} == {
        "events": len(EVENTS),
        "openings": len(OPENINGS),
    }
    assert beside_corpus(Choice(tier="smoke")) == {}
    choice = Choice(tier="smoke", profile="spot-hearts")
    some = selection.of_corpus(selection.CORPUS, choice).lines
    plain = _run(Selection(some))
    whole = _run(Selection(some, beside=beside))
    assert whole.cases[: len(plain.cases)] == plain.cases
    kinds = Counter(case.kind for case in whole.cases[len(plain.cases) :])
    assert kinds["events"] == len(EVENTS)
    assert kinds["openings"] == len(OPENINGS)
    assert whole.passed == whole.scored


def test_lines_beside_the_corpus_are_chosen_by_clause_profile_and_id() -> None:
    told = beside_corpus(Choice(clause="2.8"))
    assert (len(told["events"]()), told["openings"]()) == (len(EVENTS), ())
    one = beside_corpus(Choice(clause="3.12j"))
    assert one["events"]() == ()
    assert {line.opening.clauses for line in one["openings"]() if line.opening} == {
        ("3.12j",),
        ("3.12j", "3.12n", "3.12p"),
    }
    chosen = beside_corpus(Choice(traces=(OPENINGS[7].id,)))["openings"]
    assert len(chosen()) == 1
    found = _run(Selection((), beside={"openings": chosen}))
    assert [str(case.outcome) for case in found.cases] == ["pass"] * 3
    assert _run(Selection((), beside={"any": chosen})).cases == ()


def test_wrong_answers_are_reported_with_the_game_that_shows_them() -> None:
    lines = beside_corpus(Choice(clause="3.12j"))["openings"]
    chosen = Selection((), beside={"openings": lines})
    found = _run(chosen, "mutant:off:3.12j")
    found = with_inference(with_examples(found), chosen)
    assert found.inferred is None
    assert found.exit_code == 1
    said = text(found)
    assert "3.12j No card twice in a position" in said
    assert "how a game begins" in said
    page = html(found)
    assert "Refuses games that cannot begin" in page
    assert "Tells each seat" not in page
    shown = found.examples["3.12j"]
    assert shown.line.encode() in [line.data for line in lines()]
    assert shown.note == ""


def test_a_refused_game_is_no_game_that_went_wrong_and_was_not_looked_at() -> None:
    """An engine may refuse it by the wrong clauses, but no rules would explain that."""
    choice = Choice(tier="smoke", profile="spot-hearts")
    chosen = selection.of_corpus(selection.CORPUS, choice)
    found = _run(chosen)
    name, said = next(iter(found.heard.items()))
    opening = OPENINGS[0].id
    cases = (
        failing(name, "legal", fault_at(1, "legal", "5.3")),
        Case(opening, "openings", Outcome.PASS),
        failing(opening, "clauses", fault_at(0, "open", "2.6")),
    )
    wrong = attrs.evolve(found, cases=cases, heard={name: said})
    inferred = with_inference(wrong, chosen).inferred
    assert inferred is not None
    assert inferred.games == 1
    assert not inferred.capped


def test_files_with_such_lines_are_read_and_a_wrong_one_is_not_asked(
    tmp_path: Any,
) -> None:
    path = tmp_path / "mine.jsonl"
    wrong = LINES[0].replace(b'"2.6"', b'"2.7"')
    path.write_bytes(b"\n".join([wrong, LINES[1], canonical(json.loads(LINES[2]))]))
    found = selection.of_files([path], Choice())
    assert [line.id for line in found.lines] == [OPENINGS[1].id, OPENINGS[2].id]
    (complaint,) = found.unreadable
    assert "a game that the book refuses by exactly" in complaint
    chosen = selection.of_files([path], Choice(clause="3.9"))
    assert chosen.lines == ()


def test_what_a_run_does_not_get_to() -> None:
    for outcome, applicable in ((Outcome.NOT_RUN, True), (Outcome.RETIRED, False)):
        cases = opening_cases.unasked_opening(OPENINGS[0], outcome, "why")
        assert [case.kind for case in cases] == ["openings", "clause", "clauses"]
        assert {(case.outcome, case.applicable) for case in cases} == {
            (outcome, applicable)
        }
    retired = Selected(OPENINGS[0].id, LINES[0], "wrong")
    found = _run(Selection((retired,)))
    assert {case.outcome for case in found.cases} == {Outcome.RETIRED}


def test_an_opening_can_be_asked_by_itself() -> None:
    with Asker(("builtin:reference",)) as asker:
        cases = asker.cases_of_line(Selected(OPENINGS[0].id, LINES[0]))
    assert [str(case.outcome) for case in cases] == ["pass"] * 3


def test_a_mini_deal_with_a_note_is_no_opening() -> None:
    """Keys may come in any order, and those that begin with `x-` may hold anything."""
    noted = Selected("m-0123456789abcdef", b'{"x-about":"opening","mini":1}')
    assert noted.opening is None
