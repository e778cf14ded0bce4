"""The cases of one trace: what is asked, what is expected, and what was answered.

Each case scores one capability on one line. An adapter is never asked about, or scored
on, what it does not declare. Only an explicit `refused` satisfies an expected refusal.
An `error` is not an answer: it ends the game, and only what came before it is judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from refengine.formats import shapes
from refengine.formats.fields import act_fields
from refengine.formats.normal_form import Json
from refengine.formats.trace import (
    Probe,
    Step,
    Told,
    Trace,
    canonical,
    written_alike,
)
from refengine.rulings.broken_clauses import named_clauses
from refengine_conformance.runner.conversation import Stepwise, replayed
from refengine_conformance.runner.declared import (
    are_clauses_scored,
    compared_clauses,
    is_applicable,
    lacks_events,
    why_not_asked,
)
from refengine_conformance.runner.driver import Adapter
from refengine_conformance.runner.results import (
    KINDS,
    Case,
    EngineCard,
    Fault,
    Outcome,
    Thrown,
    not_declared,
)
from refengine_conformance.runner.transcripts import (
    UNLISTED,
    Answers,
    Break,
    Judged,
    Reply,
    Transcript,
    Unanswered,
    asserts_observation,
    capabilities_for_trace,
    is_accepted,
    probes_of_step,
)

MOST_FAULTS: Final = 12

_MANDATORY_IN_VIEW: Final = {
    field.name for field in msgspec.structs.fields(shapes.WholeView) if field.required
}

_OF_VIEW: Final = {
    "hand": "hands",
    "held": "hands",
    "kitty": "kitty",
    "hearts_broken": "hearts_broken",
    "points": "points",
    "totals": "totals",
    "table": "table",
}
"""The field of the game that each of these keys of a view shows to the seat."""


def wrong_view_keys(view: Json, got: Json) -> list[str]:
    """The keys of a view whose values in an answer are not as expected.

    If the expected view has every key that a view must have, it is complete, and the
    answer must not have any other. A key that is left out counts as empty.
    """
    names = list(view)
    if view.keys() >= _MANDATORY_IN_VIEW:
        names += [name for name in got if name not in view]
    return [
        name
        for name in names
        if not written_alike(view.get(name), got.get(name))
        and (view.get(name) or got.get(name) or name in view.keys() & got.keys())
    ]


def trace_cases(adapter: Adapter, trace: Trace, ways: tuple[str, ...]) -> Judged:
    """Put a trace to the adapter by `step`, by `replay` or both; judge the answers.

    `ways` lists the ways wanted. If the trace cannot be put to the adapter, all its
    cases are unsupported.
    """
    card = adapter.card
    sheet = _Sheet(trace, card)
    if lacks_events(card, trace):
        reason = not_declared("events")
        return Judged(sheet.all_as(Outcome.UNSUPPORTED, reason, applicable=False))
    if reason := why_not_asked(card, trace.ruleset, capabilities_for_trace(trace)):
        applicable = is_applicable(card, trace.ruleset)
        return Judged(sheet.all_as(Outcome.UNSUPPORTED, reason, applicable))
    usable = ways_for(card, trace, ways)
    if not usable:
        return Judged(
            sheet.all_as(Outcome.UNSUPPORTED, "neither step nor replay is declared")
        )
    sheet.ways = usable
    gone = False
    said: dict[str, Transcript] = {}
    for way in usable:
        if way == "step":
            transcript = Stepwise(adapter, trace).transcript()
        else:
            transcript = replayed(adapter, trace)
        said[way] = transcript
        sheet.judge(transcript)
        if transcript.broke is not None:
            gone = transcript.broke.restart
            break
    heard = said.get("step" if _asserts_view(trace) else "replay", transcript)
    return Judged(sheet.cases(), gone, heard)


def ways_for(card: EngineCard, trace: Trace, ways: tuple[str, ...]) -> tuple[str, ...]:
    """The ways in which a trace is put to an adapter: those of `ways` that it declares.

    If it declares none of `ways`, all that it declares are chosen. A trace needs `step`
    if it says what seats are told, or if it asserts a view and `views` is declared: if
    `step` is declared but was not chosen, it then becomes the only way.
    """
    declared = [way for way in ("step", "replay") if card.can(way)]
    chosen = [way for way in declared if way in ways] or declared
    views = _asserts_view(trace) and card.can("views")
    needs_step = views or any(step.told for step in trace.steps)
    if needs_step and "step" in declared and "step" not in chosen:
        return ("step",)
    return tuple(chosen)


def _asserted(trace: Trace) -> Iterator[Json]:
    yield from (step.then for step in trace.steps)
    yield trace.end


def _asserts_view(trace: Trace) -> bool:
    return any("view" in fields for fields in _asserted(trace))


def _kept(faults: Sequence[Fault]) -> Iterator[Fault]:
    """Yield the first few faults, then each fault that names a new set of clauses."""
    named = set()
    for place, fault in enumerate(faults):
        if place < MOST_FAULTS or fault.clauses not in named:
            named.add(fault.clauses)
            yield fault


class _Sheet:
    """All that is learnt about an adapter from one trace, sorted by kind of case."""

    def __init__(self, trace: Trace, card: EngineCard) -> None:
        self.trace = trace
        self.card = card
        self.faults: dict[str, list[Fault]] = {}
        self.notes: dict[str, str] = {}
        self.declined: dict[str, str] = {}  # why a game was declined, by kind
        self.outcomes: dict[str, Outcome] = {}
        self.thrown: dict[str, Thrown] = {}  # the error that ended a game, by kind
        self.broke: dict[str, Break] = {}
        self.seen: set[str] = set()  # kinds for which something was judged
        self.compared_fields: set[str] = set()  # of what was observed
        self.wrong_fields: set[str] = set()  # those of them that were wrong
        self.complete: set[str] = set()  # kinds for which nothing was left unasked
        self.ways: tuple[str, ...] = ()
        self.acts = "step"

    # Which cases there are

    def kinds(self) -> list[str]:
        """The kinds of case that the trace gives rise to, except `step` and `replay`.

        They do not depend on the adapter.
        """
        trace = self.trace
        found = set()
        if any(step.legal is not None for step in trace.steps):
            found.add("legal")
        if any(step.refuse or step.irregular for step in trace.steps):
            found |= {"probe", "clause", "clauses"}
        if any(step.breaks for step in trace.steps):
            found |= {"clause", "clauses"}
        if any(asserts_observation(fields) for fields in _asserted(trace)):
            found.add("observe")
        if _asserts_view(trace):
            found.add("views")
        if any(step.told for step in trace.steps):
            found.add("events")
        return [kind for kind in KINDS if kind in found]

    def all_as(
        self, outcome: Outcome, reason: str, applicable: bool = True
    ) -> tuple[Case, ...]:
        """All cases of the trace, each with this outcome."""
        return tuple(
            self._case(kind, outcome, reason, applicable)
            for kind in ["step", *self.kinds()]
        )

    def cases(self) -> tuple[Case, ...]:
        """All cases of the trace."""
        return tuple(self._judged(kind) for kind in [*self.ways, *self.kinds()])

    def _case(
        self, kind: str, outcome: Outcome, note: str = "", applicable: bool = True
    ) -> Case:
        broke = self.broke.get(kind)
        observed = kind == "observe"
        return Case(
            trace=self.trace.id,
            kind=kind,
            outcome=outcome,
            profile=self.trace.ruleset.profile,
            faults=tuple(_kept(self.faults.get(kind, ()))),
            note=note,
            applicable=applicable,
            thrown=self.thrown.get(kind) if kind in self.ways else None,
            about=self.trace.name,
            step=broke.step if broke else 0,
            request=broke.request if broke else "",
            compared_fields=frozenset(self.compared_fields if observed else ()),
            wrong_fields=frozenset(self.wrong_fields if observed else ()),
        )

    def _judged(self, kind: str) -> Case:
        if kind in self.outcomes:
            return self._case(kind, self.outcomes[kind], self.notes.get(kind, ""))
        if self.faults.get(kind):
            return self._case(kind, Outcome.FAIL)
        if not self.card.can(kind):
            return self._case(kind, Outcome.UNSUPPORTED, not_declared(kind))
        if kind in self.notes:
            return self._case(kind, Outcome.UNSUPPORTED, self.notes[kind])
        thrown = None if kind in self.complete else self.thrown.get(kind)
        if thrown is not None:
            return self._case(kind, Outcome.ERROR, thrown.note)
        if kind in self.declined and kind not in self.complete & self.seen:
            return self._case(kind, Outcome.UNSUPPORTED, self.declined[kind])
        if kind not in self.complete:
            return self._case(kind, Outcome.NOT_RUN, "the game ended too early")
        if kind not in self.seen:
            return self._case(kind, Outcome.UNSUPPORTED, self._why_unasked(kind))
        return self._case(kind, Outcome.PASS)

    def _why_unasked(self, kind: str) -> str:
        compared = "there was no refusal or irregular act whose clauses are compared"
        return {
            "probe": "needs acts that are not declared",
            "clause": compared,
            "clauses": compared,
            "views": "a view can only be asked step by step",
            "events": "what a seat is told can only be asked step by step",
            "observe": "none of the fields that are asserted is observed",
        }.get(kind, "nothing to ask")

    # Judging

    def judge(self, transcript: Transcript) -> None:
        """Judge the answers in a transcript, and record what they show."""
        self.acts = transcript.way
        self._judge_beginning(transcript)
        for number, moment in enumerate(transcript.moments, 1):
            self._judge_moment(number, self.trace.steps[number - 1], moment)
        if transcript.end is not None:
            self._fields(0, "end", self.trace.end, transcript.end)
        if transcript.end_view is not None:
            self._view(0, self.trace.end, transcript.end_view)
        if transcript.broke is not None:
            self._broke(transcript.broke)
        self.seen.add(self.acts)
        kinds = set(self._kinds_asked(transcript.way))
        if self._was_played_out(transcript):
            self.complete |= {self.acts} | kinds
            return
        if transcript.thrown is not None:
            # An error fails no kind: the case of the acts records it in any event.
            ended = dict.fromkeys([self.acts, *kinds], transcript.thrown)
            self.thrown = ended | self.thrown
        # A kind that was wrong before is still wrong, and one with nothing left to ask
        # is judged as usual.
        self.complete |= kinds - self._unasked(transcript)

    def _kinds_asked(self, way: str) -> list[str]:
        """The kinds asked about in this way, without those that are left to `step`."""
        if way != "replay" or "step" not in self.ways:
            return self.kinds()
        # If `probe` is not declared, only `step` tries acts that must be refused.
        named = () if self.card.can("probe") else ("clause", "clauses")
        alone = {"events", "views", *named}
        return [kind for kind in self.kinds() if kind not in alone]

    def _judge_beginning(self, transcript: Transcript) -> None:
        """Judge the adapter's answer to the request to begin the game."""
        opened_as = transcript.opened
        if isinstance(opened_as, Unanswered) and opened_as.key == "unsupported":
            asked = "open" if self.acts == "step" else self.acts
            for kind in (self.acts, *self._kinds_asked(self.acts)):
                self.declined.setdefault(kind, f"{asked}: {opened_as}")
        elif opened_as is not None:
            named = opened_as.clauses if isinstance(opened_as, Reply) else ()
            cited = named_clauses.those_of_the_book(named)
            asked = "a game that the book lets begin"
            self._fault(self.acts, 0, "open", cited, asked, "ok", str(opened_as))

    def _was_played_out(self, transcript: Transcript) -> bool:
        """Whether the game began and was played to its end."""
        if (transcript.opened, transcript.broke, transcript.thrown) != (None,) * 3:
            return False
        if len(transcript.moments) < len(self.trace.steps):
            return False
        last = transcript.moments[-1].answer if transcript.moments else Reply(True)
        return is_accepted(last)

    def _fault(
        self,
        kind: str,
        step: int,
        question: str,
        clauses: tuple[str, ...],
        asked: str,
        expected: str,
        got: str,
    ) -> None:
        fault = Fault(step, question, clauses, asked, expected, got)
        found = self.faults.setdefault(kind, [])
        if fault not in found:
            found.append(fault)

    def _unanswered(self, kind: str, got: object) -> bool:
        """Whether `got` is `unsupported`; if so, note that `kind` was declared."""
        if isinstance(got, Unanswered) and got.key == "unsupported":
            self.notes.setdefault(kind, f"declared, yet answered {got}")
            return True
        return False

    def _judge_moment(self, number: int, step: Step, moment: Answers) -> None:
        if moment.legal is not None:
            self._legal(number, step, moment)
        probes = "probe" if self.card.can("probe") else "step"
        for probe, got in moment.refuse:
            self._probe(probes, number, "refuse", probe, got)
        for probe, got in moment.irregular:
            self._probe(probes, number, "irregular", probe, got)
        if moment.changed is not None:
            self._fault(probes, number, "purity", ("0.10",), _PURITY, *moment.changed)
        # If trying the act is `unsupported`, what the probe showed still counts.
        if moment.tried is not None and isinstance(moment.tried[1], Reply):
            self._probe(self.acts, number, "refuse", *moment.tried)
        if moment.spoilt is not None:
            self._fault(self.acts, number, "purity", ("0.10",), _PURITY, *moment.spoilt)
        if moment.answer is not None:
            self._act(number, step, moment.answer)
        for told, said in moment.told:
            self._told(number, step, told, said)
        if moment.then is not None:
            self._fields(number, "then", step.then, moment.then)
        if moment.view is not None:
            self._view(number, step.then, moment.view)

    def _legal(self, number: int, step: Step, moment: Answers) -> None:
        got = moment.legal
        self.seen.add("legal")
        if self._unanswered("legal", got):
            return
        asked = "what is due?"
        if isinstance(got, Unanswered):
            shown = plain_text(step.legal)
            self._fault("legal", number, "legal", (), asked, shown, str(got))
        elif not written_alike(got, step.legal):
            assert got is not None
            clauses = named_clauses.clauses_of_due_answer(self.trace, number, got)
            shown, told = plain_text(step.legal), plain_text(got)
            self._fault("legal", number, "legal", clauses, asked, shown, told)
        turn = moment.turn
        if (
            turn is not None
            and not isinstance(step.act, UNLISTED)
            and step.act.seat not in turn
        ):
            clauses = named_clauses.clauses_of_turn(self.trace, number)
            expected = f"seat {step.act.seat} among them"
            got_turn = f"the seats {list(turn)}"
            asked = "whose turn is it?"
            self._fault("legal", number, "turn", clauses, asked, expected, got_turn)

    def _probe(
        self, kind: str, number: int, question: str, probe: Probe, got: Any
    ) -> None:
        self.seen.add(kind)
        if self._unanswered(kind, got):
            return
        asked = f"may seat {probe.act.seat} {probe.act.phrase}?"
        word = "refused" if question == "refuse" else "irregular"
        expected = f"{word} by {', '.join(probe.clauses)}"
        said = got.word if isinstance(got, Reply) else ""
        if said != word:
            # 7.2 says whether a card that breaks a rule is refused or accepted.
            mixed_up = {said, word} == {"refused", "irregular"}
            clauses = ("7.2",) if mixed_up else probe.clauses
            self._fault(kind, number, question, clauses, asked, expected, str(got))
            return
        if are_clauses_scored(self.trace, number, probe, self.card.spec):
            self._cited(number, question, probe.clauses, got, asked)

    def _cited(
        self,
        number: int,
        question: str,
        expected: tuple[str, ...],
        got: Reply,
        asked: str,
    ) -> None:
        """Judge the clauses that an answer names for a refused or irregular act."""
        edition = self.card.spec
        wanted = set(compared_clauses(self.trace.spec, edition, expected))
        named = set(compared_clauses(self.trace.spec, edition, got.clauses))
        for kind in ("clause", "clauses"):
            if not self.card.can(kind):
                continue
            self.seen.add(kind)
            if named_clauses.are_right(kind, wanted, named):
                continue
            right = named_clauses.right_answer(kind, expected, wanted)
            clauses = named_clauses.clauses_wrongly_cited(
                self.trace, number, wanted, named
            )
            self._fault(kind, number, question, clauses, asked, right, str(got))

    def _act(self, number: int, step: Step, got: Reply | Unanswered) -> None:
        if self._unanswered(self.acts, got):
            return
        asked = f"seat {step.act.seat}: {step.act}"
        breaks = step.breaks
        expected = f"irregular by {', '.join(breaks)}" if breaks else "ok"
        if not isinstance(got, Reply) or not got.accepted:
            cited = got.clauses if isinstance(got, Reply) else ()
            clauses: tuple[str, ...] = ("7.2",)
            if not breaks:
                clauses = named_clauses.clauses_of_wrong_refusal(
                    self.trace, number, cited
                )
            self._fault(self.acts, number, "act", clauses, asked, expected, str(got))
        elif bool(got.clauses) != bool(breaks):
            cited = named_clauses.those_of_the_book(got.clauses)
            clauses = breaks or cited or ("7.2",)
            self._fault(self.acts, number, "act", clauses, asked, expected, str(got))
        elif breaks:
            self._cited(number, "act", breaks, got, asked)

    def _fields(self, number: int, where: str, expected: Json, got: Any) -> None:
        """Judge an observation; a field that the answer leaves out is not judged."""
        if self._unanswered("observe", got):
            return
        place = f"after step {number}" if number else "at the end"
        if isinstance(got, Unanswered):
            asked = f"what is to be seen {place}?"
            self._fault("observe", number, where, (), asked, "ok", str(got))
            return
        for name, value in expected.items():
            if name == "view" or name not in got:
                continue
            self.seen.add("observe")
            self.compared_fields.add(name)
            if not written_alike(got[name], value):
                self.wrong_fields.add(name)
                clauses = named_clauses.clauses_of_seen(self.trace, number, name, got)
                asked, question = f"{name} {place}?", f"{where}.{name}"
                right, wrong = plain_text(value), plain_text(got[name])
                self._fault("observe", number, question, clauses, asked, right, wrong)

    def _view(self, number: int, expected: Json, got: Any) -> None:
        """Judge an answer about what a seat knows of the game."""
        self.seen.add("views")
        if self._unanswered("views", got):
            return
        view = expected["view"]
        place = f"after step {number}" if number else "at the end"
        whole = f"what does seat {view['seat']} know {place}?"
        if isinstance(got, Unanswered):
            self._fault("views", number, "view", ("2.7",), whole, "ok", str(got))
            return
        for name in wrong_view_keys(view, got):
            value, given = view.get(name), got.get(name)
            clauses = self._clauses_of_view_key(number, name, value, given)
            asked, question = f"{whole} ({name})", f"view.{name}"
            right = "nothing" if value is None else plain_text(value)
            wrong = "left out" if given is None else plain_text(given)
            self._fault("views", number, question, clauses, asked, right, wrong)

    def _clauses_of_view_key(
        self, number: int, name: str, value: object, given: object
    ) -> tuple[str, ...]:
        """The clauses that a wrong key of a view goes against, the likeliest first."""
        if _tells_more(value, given) and _shows_something(given):
            return ("2.7a",)
        if value is None or given is None or name not in _OF_VIEW:
            return ("2.7",)
        named = named_clauses.clauses_of_field(self.trace, number, _OF_VIEW[name])
        # Everyone may see a number: if it is wrong, something was counted wrongly.
        counts = isinstance(value, int) and isinstance(given, int)
        return (*named, "2.7") if counts else ("2.7", *named)

    def _told(
        self, number: int, step: Step, told: Told, got: Json | Unanswered
    ) -> None:
        """Judge what a seat was told: the act's kind, its seat and perhaps the act."""
        self.seen.add("events")
        if self._unanswered("events", got):
            return
        expected: Json = {"kind": told.kind, "seat": step.act.seat}
        if told.act is not None:
            expected["act"] = act_fields(told.act)
        if isinstance(got, Unanswered) or not written_alike(got, expected):
            said = str(got) if isinstance(got, Unanswered) else plain_text(got)
            asked = f"what is seat {told.seat} told of step {number}?"
            shown = plain_text(expected)
            self._fault("events", number, "told", ("2.8",), asked, shown, said)

    def _unasked(self, transcript: Transcript) -> set[str]:
        """The kinds about which some question went unanswered as the game ended early.

        Questions that are never asked in this way do not count.
        """
        steps = self.trace.steps
        by_step = transcript.way == "step"
        probes = by_step or self.card.can("probe")  # a replay tries no refused act
        moments = transcript.moments
        found: set[str] = set()
        for place, step in enumerate(steps):
            moment = moments[place] if place < len(moments) else Answers()
            if step.legal is not None and moment.legal is None:
                found.add("legal")
            probed = len(moment.refuse) + len(moment.irregular)
            wanted = sum(map(len, probes_of_step(self.card, step))) if probes else 0
            if probed < wanted:
                found |= {"probe", "clause", "clauses"}
            if step.breaks and moment.answer is None:
                found |= {"clause", "clauses"}
            if len(moment.told) < len(step.told):
                found.add("events")
            found |= _unseen(step.then, moment.then, moment.view)
        found |= _unseen(self.trace.end, transcript.end, transcript.end_view)
        return found if by_step else found - {"views", "events"}

    def _broke(self, broke: Break) -> None:
        kind = broke.kind if broke.kind in self.kinds() else self.acts
        self.outcomes[kind] = broke.outcome
        self.notes[kind] = broke.sentence
        self.broke[kind] = broke


_PURITY: Final = "whether a probe or a refused act changes the state"


def _unseen(fields: Json, then: object, view: object) -> set[str]:
    """Which of the kinds `observe` and `views` are asserted here but unanswered."""
    found = {"observe"} if asserts_observation(fields) and then is None else set()
    return found | ({"views"} if "view" in fields and view is None else set())


def _tells_more(expected: object, got: object) -> bool:
    """Whether a value in a view gives more away than the expected value does."""
    if isinstance(expected, int):
        return False  # a flag or a count, which reveals no card
    if not expected:
        return bool(got)
    if isinstance(expected, str) and isinstance(got, str):
        return bool(set(got.split()) - set(expected.split()))
    return False


def _shows_something(value: object) -> bool:
    """Whether there is any text, such as that of a card, in a value of a view."""
    if isinstance(value, dict):
        return any(map(_shows_something, value.values()))
    if isinstance(value, list):
        return any(map(_shows_something, value))
    return isinstance(value, str) and bool(value)


def plain_text(value: object) -> str:
    """Write a value of an answer in a form that is easy to read.

    Text is shown as it is, or as `nothing` if it is empty; anything else as JSON.
    """
    if isinstance(value, str):
        return value or "nothing"
    return canonical(value).decode()


# Traces that are not put to the adapter


def unasked_cases(
    trace: Trace, outcome: Outcome, reason: str, card: EngineCard | None = None
) -> tuple[Case, ...]:
    """The cases of a trace that is retired or that the run had no chance to play.

    `card` is what the adapter declares, or None if it has declared nothing yet: then
    every trace that is not retired counts as applicable.
    """
    declared = card is None or (
        is_applicable(card, trace.ruleset) and not lacks_events(card, trace)
    )
    applicable = declared and outcome is not Outcome.RETIRED
    return _Sheet(trace, _NOBODY).all_as(outcome, reason, applicable)


_NOBODY: Final = EngineCard("", "", "", (), (), ())
