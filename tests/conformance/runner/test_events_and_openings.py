"""What seats are told, and games that cannot begin, asked of an adapter."""

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import attrs
import msgspec
import pytest

from refengine.formats.openings import RefusedOpening, read_opening
from refengine.formats.protocol import CAPABILITIES
from refengine.formats.serve import Session
from refengine.formats.trace import Trace, canonical, read_trace, replay
from refengine.lawbook.book import clauses
from refengine.lawbook.clause_names import gone_back
from refengine_conformance.data import data
from refengine_conformance.diagnosis.asker import Asker
from refengine_conformance.diagnosis.examples import with_examples
from refengine_conformance.diagnosis.run_inference import with_inference
from refengine_conformance.report.html_report import html
from refengine_conformance.report.reports import text
from refengine_conformance.runner.cases import trace_cases
from refengine_conformance.runner.driver import Adapter, BrokenError, Builtin
from refengine_conformance.runner.opening_cases import (
    opening_cases,
    opening_needs,
    unasked_opening,
)
from refengine_conformance.runner.results import Case, Limits, Outcome, Run
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.selection import (
    CORPUS,
    Choice,
    Selected,
    Selection,
    beside_corpus,
    of_corpus,
    of_files,
)
from refengine_conformance.tables.case_set import CaseSet
from refengine_conformance.tables.table_run import select_games
from tests.support.oracle_openings import match_broken, ruleset_broken, setup_broken

Json = dict[str, Any]
Spoil = Callable[[Json, Json], Json]
FOLDER = data("events-and-openings")
EVENTS = [
    read_trace(one) for one in (FOLDER / "events.jsonl").read_bytes().splitlines()
]
LINES = (FOLDER / "openings.jsonl").read_bytes().splitlines()
OPENINGS = [one for one in map(read_opening, LINES) if one is not None]
PROFILES = json.loads(data("corpus", "profiles.json").read_text("utf-8"))["profiles"]


def adapter(
    spoil: Spoil = lambda request, answer: answer, without: tuple[str, ...] = ()
) -> Adapter:
    """The reference behind the protocol, its answers spoilt, with less declared."""
    session = Session()

    def handle(line: bytes) -> bytes | None:
        answer = session.handle(line)
        if answer is None:
            return None
        request, plain = msgspec.json.decode(line), msgspec.json.decode(answer)
        if request["op"] == "hello":
            plain["ok"]["capabilities"] = [
                one for one in CAPABILITIES if one not in without
            ]
        return msgspec.json.encode(spoil(request, plain))

    return Adapter(Builtin(handle), Limits())


def asked(
    line: Trace | RefusedOpening,
    spoil: Spoil = lambda request, answer: answer,
    without: tuple[str, ...] = (),
) -> dict[str, Case]:
    found = adapter(spoil, without)
    judged = (
        trace_cases(found, line, ("step", "replay"))
        if isinstance(line, Trace)
        else opening_cases(found, line)
    )
    return {case.kind: case for case in judged.cases}


def outcomes(cases: dict[str, Case]) -> dict[str, str]:
    return {kind: str(case.outcome) for kind, case in cases.items()}


def failed(lines: list[Trace] | list[RefusedOpening], spoil: Spoil) -> int:
    """In how many lines something is wrong."""
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
"""The acts that clause 2.8 has told to every seat in full."""
WITHOUT_CARDS = {"draw", "forward"}
"""Acts that say no more than that they happened, and of how many cards."""


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
    """It was written from the rules alone, when clauses had no parts yet."""
    for line, opening in zip(LINES, OPENINGS, strict=True):
        plain = json.loads(line)
        given = plain["ruleset"]
        profile = PROFILES[given["profile"]]
        options = {**profile["options"], **given.get("options", {})}
        kitty = options["undealt"] == "kitty"
        allowed = profile["players_with_kitty" if kitty else "players"]
        theirs = ruleset_broken(options, given["players"], allowed)
        if not theirs and "match" in plain:
            pack = plain["match"].get("pack")
            theirs = match_broken(options, given["players"], pack)
        elif not theirs:
            theirs = setup_broken(options, given["players"], _whole(plain["setup"]))
        assert theirs == set(gone_back(opening.clauses)), opening.name


def _whole(setup: Json) -> Json:
    """A setup in which nothing is left to a default."""
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


class ToldToAll:
    """The last act in full, whoever asks."""

    act: Json

    def __call__(self, request: Json, answer: Json) -> Json:
        if request["op"] == "step":
            self.act = request["act"]
        if request["op"] == "event" and "ok" in answer:
            answer["ok"]["act"] = self.act
        return answer


told_to_all = ToldToAll()


def of_kind(spoil: Spoil, *kinds: str) -> Spoil:
    """A fault in what is told of acts of these kinds alone."""

    def only(request: Json, answer: Json) -> Json:
        told = answer["ok"]["kind"] if request["op"] == "event" else None
        spoilt = spoil(request, json.loads(json.dumps(answer)))
        return spoilt if told in kinds else answer

    return only


def silent(request: Json, answer: Json) -> Json:
    if request["op"] == "event":
        answer["ok"].pop("act", None)
    return answer


def another_seat(request: Json, answer: Json) -> Json:
    if request["op"] == "event":
        answer["ok"]["seat"] = request["seat"]
    return answer


def another_kind(request: Json, answer: Json) -> Json:
    named = {"scatter": "pass", "retract": "play", "forward": "pass"}
    if request["op"] == "event":
        answer["ok"]["kind"] = named.get(answer["ok"]["kind"], answer["ok"]["kind"])
    return answer


@pytest.mark.parametrize(
    ("spoil", "least"),
    [
        *((of_kind(told_to_all, kind), 2) for kind in ("deal", "mix", "scatter")),
        (of_kind(told_to_all, "pass"), 9),
        *((of_kind(silent, kind), 2) for kind in (*WHOLE, *WITHOUT_CARDS, "scatter")),
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


def accepts(request: Json, answer: Json) -> Json:
    return {"seq": answer["seq"], "ok": {}} if request["op"] == "open" else answer


def names_one(request: Json, answer: Json) -> Json:
    if "refused" in answer:
        answer["refused"]["clauses"] = answer["refused"]["clauses"][:1]
    return answer


def names_none(request: Json, answer: Json) -> Json:
    return {**answer, "refused": {}} if "refused" in answer else answer


def names_all(request: Json, answer: Json) -> Json:
    if "refused" in answer:
        answer["refused"]["clauses"].append("5.3")
    return answer


def names_unknown(request: Json, answer: Json) -> Json:
    if "refused" in answer:
        answer["refused"]["clauses"].append("99.9")
    return answer


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
    for spoil in (names_none, names_all):
        wrong = {"openings": "pass", "clause": "fail", "clauses": "fail"}
        assert outcomes(asked(several, spoil)) == wrong
    (fault,) = asked(several, names_all)["clause"].faults
    assert fault.clauses == ("5.3",)
    assert fault.expected == f"one of {', '.join(several.clauses)}"
    (fault,) = asked(several, names_unknown)["clause"].faults
    assert fault.clauses == several.clauses
    found = outcomes(asked(several, names_none, ("clause", "clauses")))
    assert found == {**dict.fromkeys(found, "unsupported"), "openings": "pass"}


def test_an_engine_of_the_first_edition_names_clauses_that_have_no_parts() -> None:
    def first(request: Json, answer: Json) -> Json:
        if request["op"] == "hello":
            answer["ok"]["spec"] = "1.0.0"
        if request["op"] == "open":
            assert "king_points" not in request["ruleset"]["options"]
        if "refused" in answer:
            whole = gone_back(answer["refused"]["clauses"])
            answer["refused"]["clauses"] = list(whole)
        return answer

    found = [asked(one, first) for one in OPENINGS]
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

    def unasked(request: Json, answer: Json) -> Json:
        assert request["op"] == "hello"
        return answer

    found = asked(line, unasked, (capability,))
    assert set(outcomes(found).values()) == {"unsupported"}
    assert not any(case.applicable for case in found.values())
    assert found[capability].note == f"the capability {capability} is not declared"


def test_an_opening_needs_what_it_states() -> None:
    by_name = {one.name: one for one in OPENINGS}
    kitty = by_name["a kitty where the ruleset has none"]
    assert opening_needs(kitty) == ("kitty",)
    stock = by_name["a position with a stock where the ruleset has none"]
    assert opening_needs(stock) == ("setup.position", "stock")
    found = asked(stock, without=("stock",))
    assert found["openings"].note == "stock not declared"
    assert found["openings"].applicable
    beside = by_name["a deal that may end early beside a stock"]
    assert opening_needs(beside) == ("match", "stock")


def test_an_opening_for_players_that_are_not_declared_is_not_applicable() -> None:
    def only_four(request: Json, answer: Json) -> Json:
        if request["op"] == "hello":
            answer["ok"] |= {"players": [4], "profiles": ["estmesh-hearts"]}
        return answer

    notes = Counter(asked(one, only_four)["openings"].note for one in OPENINGS)
    assert notes["5 players are not declared"] == 3
    assert notes["the profile black-maria is not declared"] == 2
    assert notes[""] > 40


def test_an_error_is_no_answer_to_an_opening_and_ends_a_game() -> None:
    def fails(request: Json, answer: Json) -> Json:
        if request["op"] in ("open", "event"):
            refused = "refused" in answer or request["op"] == "event"
            return {"seq": answer["seq"], "error": "no"} if refused else answer
        return answer

    opening = asked(OPENINGS[0], fails)
    assert set(outcomes(opening).values()) == {"unsupported"}
    assert opening["openings"].note == "open: error: no"
    assert opening["openings"].applicable
    events = outcomes(asked(EVENTS[0], fails))
    assert events == {"step": "error", "replay": "pass", "events": "error"}


def test_unsupported_and_nothing_known_of_events() -> None:
    def knows_nothing(request: Json, answer: Json) -> Json:
        if request["op"] == "event":
            return {"seq": answer["seq"], "unsupported": "no events"}
        return answer

    found = asked(EVENTS[0], knows_nothing)
    assert outcomes(found)["events"] == "unsupported"
    assert found["events"].note == "declared, yet answered unsupported: no events"
    found = asked(EVENTS[0], without=("step",))
    assert outcomes(found) == {"replay": "pass", "events": "unsupported"}
    assert found["events"].note == "what a seat is told can only be asked step by step"


def test_an_answer_that_breaks_the_protocol() -> None:
    def breaks(request: Json, answer: Json) -> Json:
        if request["op"] == "event":
            answer["ok"]["hand"] = "2C"
        if request["op"] == "open" and "refused" in answer:
            answer["refused"] = {"clause": "2.6"}
        return answer

    assert outcomes(asked(EVENTS[0], breaks))["events"] == "protocol"
    found = outcomes(asked(OPENINGS[0], breaks))
    assert found == {"openings": "protocol", "clause": "not_run", "clauses": "not_run"}

    def no_card(request: Json, answer: Json) -> Json:
        if request["op"] == "event":
            answer["ok"]["act"] = {"cut": "1C"}
        return answer

    found = outcomes(asked(EVENTS[0], no_card))
    assert found["events"] == "protocol"


def test_a_game_that_ends_early_leaves_what_was_not_asked() -> None:
    def refuses(request: Json, answer: Json) -> Json:
        if request["op"] == "step" and "play" in request["act"]:
            return {"seq": answer["seq"], "refused": {}}
        return answer

    (trace,) = [one for one in EVENTS if one.name.startswith("passes to the left")]
    found = outcomes(asked(trace, refuses))
    assert found == {"step": "fail", "replay": "pass", "events": "not_run"}
    short = attrs.evolve(trace, steps=trace.steps[:4])
    assert outcomes(asked(short, refuses))["events"] == "pass"


def test_an_adapter_that_dies_over_an_opening_is_gone() -> None:
    session = Session()

    def handle(line: bytes) -> bytes | None:
        if b'"open"' in line:
            raise BrokenError(Outcome.CRASH, "too many cards")
        return session.handle(line)

    class Dying(Builtin):
        def exchange(self, line: bytes, limit: float) -> bytes:
            return handle(line) or b""

    judged = opening_cases(Adapter(Dying(handle), Limits()), OPENINGS[0])
    assert judged.gone
    assert [case.outcome for case in judged.cases] == [
        Outcome.CRASH,
        Outcome.NOT_RUN,
        Outcome.NOT_RUN,
    ]


def test_a_replay_that_is_refused_at_once_is_a_wrong_answer() -> None:
    def refuses(request: Json, answer: Json) -> Json:
        if request["op"] == "replay":
            return {"seq": answer["seq"], "refused": {"clauses": ["3.12d"]}}
        return answer

    found = asked(EVENTS[0], refuses)
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


def _run(selection: Selection, adapter: str = "reference") -> Run:
    return run(selection, Settings(command=(f"builtin:{adapter}",)))


def test_lines_beside_the_corpus_are_asked_only_of_those_that_declare_them() -> None:
    beside = beside_corpus(Choice())
    assert {name: len(lines()) for name, lines in beside.items()} == {
        "events": len(EVENTS),
        "openings": len(OPENINGS),
    }
    assert beside_corpus(Choice(tier="smoke")) == {}
    some = of_corpus(CORPUS, Choice(tier="smoke", profile="spot-hearts")).lines
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
    selection = Selection((), beside={"openings": lines})
    found = _run(selection, "mutant:off:3.12j")
    found = with_inference(with_examples(found), selection)
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


def test_files_with_such_lines_are_read_and_a_wrong_one_is_not_asked(
    tmp_path: Any,
) -> None:
    path = tmp_path / "mine.jsonl"
    wrong = LINES[0].replace(b'"2.6"', b'"2.7"')
    path.write_bytes(b"\n".join([wrong, LINES[1], canonical(json.loads(LINES[2]))]))
    found = of_files([path], Choice())
    assert [line.id for line in found.lines] == [OPENINGS[1].id, OPENINGS[2].id]
    (complaint,) = found.unreadable
    assert "a game that the book refuses by exactly" in complaint
    chosen = of_files([path], Choice(clause="3.9"))
    assert chosen.lines == ()


def test_what_a_run_does_not_get_to() -> None:
    for outcome, applicable in ((Outcome.NOT_RUN, True), (Outcome.RETIRED, False)):
        cases = unasked_opening(OPENINGS[0], outcome, "why")
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
