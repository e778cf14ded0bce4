"""The cases of one trace: what is asked, what is expected, and what was answered.

Each case scores one capability on one line. An adapter is never asked about, or scored
on, what it does not declare. Only an explicit `refused` satisfies an expected refusal.
An `error` is not an answer: it ends the game, and only what came before it is judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

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
    LEFT_OUT,
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
from refengine_conformance.runner.wrong_views import (
    clauses_of_view_key,
    wrong_view_keys,
)

MOST_FAULTS: Final = 12


def trace_cases(adapter: Adapter, trace: Trace, ways: tuple[str, ...]) -> Judged:
    """Put a trace to the adapter by `step`, by `replay` or both; judge the answers.

    `ways` lists the ways wanted. If the trace cannot be put to the adapter, all its
    cases are unsupported. If the adapter is lost in one way, the other is not tried.
    """
    card = adapter.card
    sheet = _Sheet(trace, card)
    if reason := _why_not_put(card, trace):
        applicable = _is_trace_applicable(card, trace)
        return Judged(sheet.all_as(Outcome.UNSUPPORTED, reason, applicable))
    sheet.ways = ways_for(card, trace, ways)
    said: dict[str, Transcript] = {}
    for way in sheet.ways:
        if way == "step":
            transcript = Stepwise(adapter, trace).transcript()
        else:
            transcript = replayed(adapter, trace)
        said[way] = transcript
        sheet.judge(transcript)
        if transcript.broke is not None:
            break
    gone = transcript.broke is not None and transcript.broke.restart
    heard = said.get("step" if _asserts_view(trace) else "replay", transcript)
    return Judged(sheet.cases(), gone, heard)


def _why_not_put(card: EngineCard, trace: Trace) -> str:
    """Why a trace cannot be put to an adapter, in words; empty if it can."""
    if lacks_events(card, trace):
        return not_declared("events")
    if reason := why_not_asked(card, trace.ruleset, capabilities_for_trace(trace)):
        return reason
    if not card.can("step") and not card.can("replay"):
        return "neither step nor replay is declared"
    return ""


def _is_trace_applicable(card: EngineCard, trace: Trace) -> bool:
    """Whether what an adapter declares includes the ruleset and events of a trace."""
    return is_applicable(card, trace.ruleset) and not lacks_events(card, trace)


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
    """Yield what is asserted after each step of a trace, and at its end."""
    yield from (step.then for step in trace.steps)
    yield trace.end


def _asserts_view(trace: Trace) -> bool:
    """Whether a trace asserts what a seat sees, at any step or at its end."""
    return any("view" in fields for fields in _asserted(trace))


def _kept(faults: Sequence[Fault]) -> Iterator[Fault]:
    """Yield the first few faults, then each fault that names a new set of clauses."""
    named = set()
    for place, fault in enumerate(faults):
        if place < MOST_FAULTS or fault.clauses not in named:
            named.add(fault.clauses)
            yield fault


class _Sheet:
    """All that is learnt about an adapter from one trace, sorted by kind of case.

    `ways` are the ways in which the trace is put to the adapter, and `acts` is the one
    whose transcript is being judged: `step` or `replay`, which is also the kind of case
    that scores the acts.
    """

    def __init__(self, trace: Trace, card: EngineCard) -> None:
        self.trace = trace
        self.card = card
        self.faults: dict[str, list[Fault]] = {}
        self.notes: dict[str, str] = {}  # of kinds that were lost, or were unsupported
        self.declined: dict[str, str] = {}  # why a game was declined, by kind
        self.outcomes: dict[str, Outcome] = {}  # of kinds over which it was lost
        self.thrown: dict[str, Thrown] = {}  # the error that ended a game, by kind
        self.broke: dict[str, Break] = {}
        self.seen: set[str] = set()  # kinds for which something was judged
        self.told: set[str] = set()  # observed fields that were compared
        self.untrue: set[str] = set()  # those of them that were wrong
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
        """All cases of the trace, with the outcomes that the answers led to."""
        return tuple(self._case_of(kind) for kind in [*self.ways, *self.kinds()])

    def _case(
        self, kind: str, outcome: Outcome, note: str = "", applicable: bool = True
    ) -> Case:
        """The case of this kind with this outcome, and all that is known of it."""
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
            told=frozenset(self.told if observed else ()),
            untrue=frozenset(self.untrue if observed else ()),
        )

    def _case_of(self, kind: str) -> Case:
        """The case of this kind, with the outcome that the answers led to."""
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
        """Why nothing of this kind was judged, although the game was not cut short."""
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
            self._judge_observed(0, "end", self.trace.end, transcript.end)
        if transcript.end_view is not None:
            self._judge_view(0, self.trace.end, transcript.end_view)
        if transcript.broke is not None:
            self._record_break(transcript.broke)
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
            fault = Fault(0, "open", cited, asked, "ok", str(opened_as))
            self._record(self.acts, fault)

    def _was_played_out(self, transcript: Transcript) -> bool:
        """Whether the game began and was played to its end."""
        if (transcript.opened, transcript.broke, transcript.thrown) != (None,) * 3:
            return False
        if len(transcript.moments) < len(self.trace.steps):
            return False
        last = transcript.moments[-1].answer if transcript.moments else Reply(True)
        return is_accepted(last)

    def _record(self, kind: str, fault: Fault) -> None:
        """Add a wrong answer to those of this kind, unless it is among them already."""
        found = self.faults.setdefault(kind, [])
        if fault not in found:
            found.append(fault)

    def _was_unsupported(self, kind: str, got: object) -> bool:
        """Whether `got` is `unsupported`; if so, note it, since `kind` is declared."""
        if isinstance(got, Unanswered) and got.key == "unsupported":
            self.notes.setdefault(kind, f"declared, yet answered {got}")
            return True
        return False

    def _judge_moment(self, number: int, step: Step, moment: Answers) -> None:
        """Judge the answers at a step, in the order of the questions."""
        if moment.legal is not None:
            self._judge_due(number, step, moment.legal)
        if moment.turn is not None:
            self._judge_turn(number, step, moment.turn)
        probes = "probe" if self.card.can("probe") else "step"
        for probe, got in moment.refuse:
            self._judge_probe(probes, number, "refuse", probe, got)
        for probe, got in moment.irregular:
            self._judge_probe(probes, number, "irregular", probe, got)
        if moment.changed is not None:
            self._record(probes, _impure(number, *moment.changed))
        # If trying the act is `unsupported`, what the probe showed still counts.
        if moment.tried is not None and isinstance(moment.tried[1], Reply):
            self._judge_probe(self.acts, number, "refuse", *moment.tried)
        if moment.spoilt is not None:
            self._record(self.acts, _impure(number, *moment.spoilt))
        if moment.answer is not None:
            self._judge_act(number, step, moment.answer)
        for told, said in moment.told:
            self._judge_told(number, step, told, said)
        if moment.then is not None:
            self._judge_observed(number, "then", step.then, moment.then)
        if moment.view is not None:
            self._judge_view(number, step.then, moment.view)

    def _judge_due(self, number: int, step: Step, got: Json | str | Unanswered) -> None:
        """Judge what the adapter says is due."""
        self.seen.add("legal")
        if self._was_unsupported("legal", got) or written_alike(got, step.legal):
            return
        clauses: tuple[str, ...] = ()
        if not isinstance(got, Unanswered):
            clauses = named_clauses.clauses_of_due_answer(self.trace, number, got)
        right, said = plain_text(step.legal), _answer_text(got)
        fault = Fault(number, "legal", clauses, "what is due?", right, said)
        self._record("legal", fault)

    def _judge_turn(self, number: int, step: Step, turn: tuple[int, ...]) -> None:
        """Judge which seats are to act: that of the next act must be among them."""
        seat = step.act.seat
        if seat in turn or isinstance(step.act, UNLISTED):
            return
        clauses = named_clauses.clauses_of_turn(self.trace, number)
        right, said = f"seat {seat} among them", f"the seats {list(turn)}"
        fault = Fault(number, "turn", clauses, "whose turn is it?", right, said)
        self._record("legal", fault)

    def _judge_probe(
        self,
        kind: str,
        number: int,
        question: str,
        probe: Probe,
        got: Reply | Unanswered,
    ) -> None:
        """Judge the answer to an act that must be refused, or called irregular."""
        self.seen.add(kind)
        if self._was_unsupported(kind, got):
            return
        asked = f"may seat {probe.act.seat} {probe.act.phrase}?"
        word = "refused" if question == "refuse" else "irregular"
        if not isinstance(got, Reply) or got.word != word:
            # 7.2 says whether a card that breaks a rule is refused or accepted.
            mixed_up = isinstance(got, Reply) and got.word != "ok"
            clauses = ("7.2",) if mixed_up else probe.clauses
            right = f"{word} by {', '.join(probe.clauses)}"
            self._record(kind, Fault(number, question, clauses, asked, right, str(got)))
        elif are_clauses_scored(self.trace, number, probe, self.card.spec):
            self._judge_clauses(number, question, probe.clauses, got, asked)

    def _judge_clauses(
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
            self._record(kind, Fault(number, question, clauses, asked, right, str(got)))

    def _judge_act(self, number: int, step: Step, got: Reply | Unanswered) -> None:
        """Judge the answer to the act of a step."""
        if self._was_unsupported(self.acts, got):
            return
        asked = f"seat {step.act.seat}: {step.act}"
        breaks = step.breaks
        right = f"irregular by {', '.join(breaks)}" if breaks else "ok"
        clauses: tuple[str, ...] = ("7.2",)
        if not isinstance(got, Reply) or not got.accepted:
            cited = got.clauses if isinstance(got, Reply) else ()
            if not breaks:
                clauses = named_clauses.clauses_of_wrong_refusal(
                    self.trace, number, cited
                )
        elif bool(got.clauses) != bool(breaks):
            clauses = breaks or named_clauses.those_of_the_book(got.clauses) or clauses
        else:
            if breaks:
                self._judge_clauses(number, "act", breaks, got, asked)
            return
        self._record(self.acts, Fault(number, "act", clauses, asked, right, str(got)))

    def _judge_observed(
        self, number: int, where: str, expected: Json, got: Json | Unanswered
    ) -> None:
        """Judge an observation; a field that the answer leaves out is not judged."""
        if self._was_unsupported("observe", got):
            return
        place = _place(number)
        if isinstance(got, Unanswered):
            asked = f"what is to be seen {place}?"
            self._record("observe", Fault(number, where, (), asked, "ok", str(got)))
            return
        for name, value in expected.items():
            if name == "view" or name not in got:
                continue
            self.seen.add("observe")
            self.told.add(name)
            if not written_alike(got[name], value):
                self.untrue.add(name)
                clauses = named_clauses.clauses_of_seen(self.trace, number, name, got)
                asked, question = f"{name} {place}?", f"{where}.{name}"
                right, said = plain_text(value), plain_text(got[name])
                fault = Fault(number, question, clauses, asked, right, said)
                self._record("observe", fault)

    def _judge_view(self, number: int, expected: Json, got: Json | Unanswered) -> None:
        """Judge an answer about what a seat knows of the game."""
        self.seen.add("views")
        if self._was_unsupported("views", got):
            return
        view = expected["view"]
        whole = f"what does seat {view['seat']} know {_place(number)}?"
        if isinstance(got, Unanswered):
            fault = Fault(number, "view", ("2.7",), whole, "ok", str(got))
            self._record("views", fault)
            return
        for name in wrong_view_keys(view, got):
            value, given = view.get(name), got.get(name)
            clauses = clauses_of_view_key(self.trace, number, name, value, given)
            right = "nothing" if value is None else plain_text(value)
            said = LEFT_OUT if given is None else plain_text(given)
            asked = f"{whole} ({name})"
            fault = Fault(number, f"view.{name}", clauses, asked, right, said)
            self._record("views", fault)

    def _judge_told(
        self, number: int, step: Step, told: Told, got: Json | Unanswered
    ) -> None:
        """Judge what a seat was told: the act's kind, its seat and perhaps the act."""
        self.seen.add("events")
        if self._was_unsupported("events", got):
            return
        expected: Json = {"kind": told.kind, "seat": step.act.seat}
        if told.act is not None:
            expected["act"] = act_fields(told.act)
        if not written_alike(got, expected):
            asked = f"what is seat {told.seat} told of step {number}?"
            right, said = plain_text(expected), _answer_text(got)
            self._record("events", Fault(number, "told", ("2.8",), asked, right, said))

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

    def _record_break(self, broke: Break) -> None:
        """Give the kind that was being asked about the outcome of a break."""
        kind = broke.kind if broke.kind in self.kinds() else self.acts
        self.outcomes[kind] = broke.outcome
        self.notes[kind] = broke.sentence
        self.broke[kind] = broke


def _impure(step: int, before: str, after: str) -> Fault:
    """The fault of a probe or a refused act that changed the state."""
    asked = "whether a probe or a refused act changes the state"
    return Fault(step, "purity", ("0.10",), asked, before, after)


def _place(step: int) -> str:
    """The moment after this step in words; 0 is the end of the trace."""
    return f"after step {step}" if step else "at the end"


def _unseen(fields: Json, then: object, view: object) -> set[str]:
    """Which of the kinds `observe` and `views` are asserted here but unanswered."""
    found = {"observe"} if asserts_observation(fields) and then is None else set()
    return found | ({"views"} if "view" in fields and view is None else set())


def _answer_text(got: Json | str | Unanswered) -> str:
    """An answer in words, even if it is left out."""
    return str(got) if isinstance(got, Unanswered) else plain_text(got)


def plain_text(value: object) -> str:
    """A value of an answer as text that is easy to read.

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
    declared = card is None or _is_trace_applicable(card, trace)
    applicable = declared and outcome is not Outcome.RETIRED
    return _Sheet(trace, _NOBODY).all_as(outcome, reason, applicable)


_NOBODY: Final = EngineCard("", "", "", (), (), ())
