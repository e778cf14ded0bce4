"""The outcomes of cases, the wrong answers in them, and the engine that was tested.

These values are frozen, hold only plain text and numbers, and record no times, so that
two runs can be compared line by line. Text from adapters and files is made harmless
when it enters one of these values, so that no report has to do so.

If the adapter answers with `error`, the adapter itself has failed; its engine has not
broken a rule. The game ends there, and no clause is blamed for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

import attrs

from refengine.errors import all_harmless, harmless, times
from refengine.formats.trace import Trace, spec_version

_LONGEST: Final = 120
VARIES: Final = re.compile(r"0x[0-9a-fA-F]+|\d+")
"""What may differ between messages that count as one: numbers and addresses."""
_WHEN_ASKED: Final = {
    "open": "asked to begin",
    "legal": "asked what is due",
    "probe": "asked about an act",
    "step": "asked to carry out an act",
    "observe": "asked what is to be seen",
    "event": "asked what a seat was told",
    "replay": "asked to replay it",
    "enumerate": "asked to count its games",
}


@attrs.frozen
class Thrown:
    """An `error` given as an answer: the step, the operation and the text of the error.

    `step` counts from 1; it is 0 if the error did not occur at a step.
    """

    step: int
    op: str
    text: str

    @property
    def _line(self) -> str:
        """The first non-blank line of the text, or "no message"."""
        lines = (" ".join(line.split()) for line in self.text.splitlines())
        return next(filter(None, lines), "no message")

    @property
    def message(self) -> str:
        """The first non-blank line of the text, shortened, or "no message"."""
        return harmless(self._line, _LONGEST)

    @property
    def without_numbers(self) -> str:
        """The message with 0 in place of every number, and shortened after that.

        If it were shortened first, a longer number would change where it is cut off.
        """
        return VARIES.sub("0", self._line)[:_LONGEST]

    @property
    def place(self) -> str:
        """Where the error occurred, in words: the step, if any, and what was asked."""
        step = f"step {self.step}, " if self.step else ""
        return f"{step}{_WHEN_ASKED.get(self.op, self.op)}"

    @property
    def note(self) -> str:
        """A note that names the error that ended the game, and where it occurred."""
        return f"the adapter's own error: {self.message} ({self.place})"


@attrs.frozen
class AdapterError:
    """An adapter's own error, how many games it ended, and where it first occurred."""

    message: str
    count: int
    first: str

    @property
    def sentence(self) -> str:
        """One sentence on the error, for a reader."""
        failed = f"your adapter failed {times(self.count)}"
        return f"{failed} with {self.message}, first at {self.first}"


def count_errors(errors: Iterable[tuple[str, Thrown]]) -> tuple[AdapterError, ...]:
    """The adapter's errors, each with its count, the most frequent first.

    `errors` are pairs of a game's id and its error. Messages that differ only in their
    numbers, such as a line number or an address, count as one error, which is shown
    with the first of these messages.
    """
    found: dict[str, AdapterError] = {}
    for name, thrown in errors:
        alike = thrown.without_numbers
        new = AdapterError(thrown.message, 0, f"{name}, {thrown.place}")
        known = found.get(alike, new)
        found[alike] = attrs.evolve(known, count=known.count + 1)
    return tuple(sorted(found.values(), key=lambda one: -one.count))


_LONGEST_NAME: Final = 80
_LONGEST_NOTE: Final = 500


def _name(text: str) -> str:
    """A name made harmless, and shortened if it is too long."""
    return harmless(text, _LONGEST_NAME)


def _harmless_pairs(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Pairs of a name and a note, both made harmless, and shortened if too long."""
    return tuple((_name(name), harmless(note, _LONGEST_NOTE)) for name, note in pairs)


class Outcome(StrEnum):
    """The result of a case."""

    PASS = "pass"
    FAIL = "fail"
    CRASH = "crash"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    ERROR = "error"
    UNSUPPORTED = "unsupported"
    KNOWN = "known"
    KNOWN_BUT_PASSES = "known_but_passes"
    RETIRED = "retired"
    NOT_RUN = "not_run"


LOST: Final = frozenset({Outcome.CRASH, Outcome.TIMEOUT, Outcome.PROTOCOL})
"""The outcomes of a lost conversation."""
NOT_ASKED: Final = frozenset({Outcome.UNSUPPORTED, Outcome.RETIRED, Outcome.NOT_RUN})
"""The outcomes of a case that may never have been put to the adapter."""
WRONG_OUTCOMES: Final = LOST | {Outcome.FAIL, Outcome.KNOWN_BUT_PASSES}
SCORED: Final = WRONG_OUTCOMES | {Outcome.PASS, Outcome.KNOWN}
PASSED: Final = frozenset({Outcome.PASS, Outcome.KNOWN_BUT_PASSES})

LEFT_OUT: Final = "left out"
"""The text shown in place of an answer that an adapter has left out."""

KINDS: Final = (
    "step",
    "replay",
    "legal",
    "probe",
    "clause",
    "clauses",
    "observe",
    "views",
    "events",
    "openings",
    "enumerate",
)
"""The kinds of case, each named after the capability that it scores."""
HELLO: Final = "hello"
"""The kind of the case for a `hello` that declares an invalid table or edition."""


def either_way(kind: str) -> str:
    """The kind, with `step` in place of `replay`, since both are about acts."""
    return "step" if kind == "replay" else kind


@attrs.frozen
class Fault:
    """One answer that disagrees with the book.

    `step` is the number of the step of the trace, from 1, or 0 if the question is about
    the beginning, the end or the whole of a game. `question` names what was asked:
    `act`, `legal`, `turn`, `refuse`, `irregular`, `purity`, `told`, `open`, `games`,
    `then.score`, `view.hand` and the like. `clauses` are those that the answer goes
    against, if they are known. `asked`, `expected` and `got` are words for a reader.
    """

    step: int
    question: str
    clauses: tuple[str, ...]
    asked: str = attrs.field(converter=harmless)
    expected: str = attrs.field(converter=harmless)
    got: str = attrs.field(converter=harmless)

    @property
    def root(self) -> str:
        """The first part of the question, such as `then` in `then.score`."""
        return self.question.partition(".")[0]

    @property
    def field(self) -> str:
        """The field that the question is about; empty if there is none."""
        return self.question.partition(".")[2]

    @property
    def is_after_act(self) -> bool:
        """Whether the question is one that is asked after an act has been made."""
        return self.root in ("then", "end", "view", "told")

    def step_in(self, trace: Trace) -> int:
        """The number of the step that the answer is about, from 1.

        It is the last step for an answer about the whole trace, the first for one about
        the beginning, and 0 if there are no steps.
        """
        if self.question == "open":
            return min(1, len(trace.steps))
        return self.step or len(trace.steps)


@attrs.frozen
class Case:
    """One capability scored on one line: a trace, a mini-deal or a refused opening.

    `trace` is the id of the line, and `kind` is the capability; for the case about a
    wrong `hello`, both are `hello`. `applicable` is false if the line is retired, if
    the adapter does not declare the profile or the number of players, or if the
    adapter's edition lacks the ruleset; for a line on what seats are told or on a game
    that cannot begin, it is also false if the adapter does not declare the capability.
    `note` is one sentence: why the case is unsupported, what the protocol wants, or how
    the adapter ended. `thrown` is the error of the adapter's own that ended the game;
    of the cases of a trace, only those for `step` and `replay` hold it. `about` is what
    the game says it is about. For a lost conversation, `step` is the number of the step
    at which it was lost, from 1, or 0 if that is not known, and `request` is the last
    line that was sent, or empty if the game was not played act by act. For a case on
    what is observed, `told` are the fields that were compared, and `untrue` those of
    them that were wrong.
    """

    trace: str
    kind: str
    outcome: Outcome
    profile: str = ""
    faults: tuple[Fault, ...] = ()
    note: str = attrs.field(default="", converter=harmless)
    applicable: bool = True
    thrown: Thrown | None = None
    about: str = attrs.field(default="", converter=harmless)
    step: int = 0
    request: str = attrs.field(default="", converter=harmless)
    told: frozenset[str] = frozenset()
    untrue: frozenset[str] = frozenset()

    @property
    def id(self) -> str:
        """The id of the case, the same in every run."""
        return f"{self.trace}/{self.kind}"

    @property
    def loss(self) -> Fault:
        """The loss as a fault, with the question that was being asked at the time."""
        question = _ASKED_OF.get(self.kind, "act")
        if self.kind == "step" and self.request and not self.step:
            question = "open"  # played act by act, and lost before the first act
        asked = _IN_WORDS[question]
        expected = "an answer"
        if self.kind == HELLO:  # there was one, but not one that the book allows
            expected = "an answer that the book allows"
        got = self.note.removeprefix("got ")  # a report writes the word itself
        return Fault(self.step, question, (), asked, expected, got)


_ASKED_OF: Final = {
    "legal": "legal",
    "probe": "refuse",
    "clause": "refuse",
    "clauses": "refuse",
    "observe": "then",
    "views": "view",
    "events": "told",
    "openings": "open",
    "enumerate": "enumerate",
    HELLO: "hello",
}
"""The question that each kind of case asks, if it is not `act`."""
_IN_WORDS: Final = {
    "act": "how does the game go?",
    "legal": "what is due?",
    "refuse": "is the act refused?",
    "then": "what is to be seen?",
    "view": "what does a seat know?",
    "told": "what is a seat told?",
    "open": "may the game begin?",
    "enumerate": "how many games are there?",
    "hello": "who are you, and what can you do?",
}
LOSS_QUESTIONS: Final = ("act", *sorted({*_ASKED_OF.values()} - {"hello"}))
"""The questions over which the conversation about a game can be lost."""


def not_declared(capability: str) -> str:
    """The note for a case that needs a capability that is not declared."""
    return f"the capability {capability} is not declared"


@attrs.frozen
class EngineCard:
    """What an adapter says about itself; `("any",)` means all profiles or players."""

    name: str = attrs.field(converter=_name)
    version: str = attrs.field(converter=_name)
    language: str = attrs.field(converter=_name)
    profiles: tuple[str, ...] = attrs.field(converter=all_harmless)
    players: tuple[int | str, ...]
    capabilities: tuple[str, ...]
    deviations: tuple[tuple[str, str], ...] = attrs.field(
        default=(), converter=_harmless_pairs
    )
    spec: str = attrs.field(factory=spec_version)  # the edition that it was written for

    def can(self, capability: str) -> bool:
        """Whether the adapter declares this capability."""
        return capability in self.capabilities

    def knows(self, profile: str) -> bool:
        """Whether the adapter declares this profile, for some number of players."""
        return self.profiles == ("any",) or profile in self.profiles

    def plays(self, profile: str, players: int) -> bool:
        """Whether the adapter declares this profile and number of players."""
        return self.knows(profile) and (
            self.players == ("any",) or players in self.players
        )


@attrs.frozen
class Limits:
    """The limits of a run: seconds for each kind of request, and restarts.

    The adapter may be lost `restarts_in_a_row` times in a row, and `restarts` times in
    all, before the next loss stops the run.
    """

    op: float = 2.0
    batch: float = 10.0
    hello: float = 30.0
    bye: float = 5.0
    restarts_in_a_row: int = 3
    restarts: int = 10

    def of(self, op: str) -> float:
        """The seconds that a request of this op may take."""
        own = {
            "hello": self.hello,
            "bye": self.bye,
            "replay": self.batch,
            "enumerate": self.batch,
        }
        return own.get(op, self.op)


_BEFORE: Final = ("legal", "turn", "refuse", "irregular", "purity")
_END: Final = 1 << 30  # later than any step
FIELDS_FIRST_TO_LAST: Final = (
    "cut",
    "trick",
    "hearts_broken",
    "drew",
    "stock",
    "kitty",
    "hands",
    "taken",
    "tricks",
    "revokes",
    "points",
    "phase",
    "dealer",
    "deal",
    "out",
    "turn",
    "table",
    "score",
    "totals",
    "match",
    "over",
)
"""The fields of an observation, starting with those from which the others follow."""


class Moment(NamedTuple):
    """The moment at which a game meets a question; moments sort in the order of a game.

    At the end of the game, `step` is later than all others. `stage` is 0 before the act
    of the step, 1 for the act itself and 2 after it. `field` is the index in
    `FIELDS_FIRST_TO_LAST` of the field asked about: -1 if it is not one of them, and 0
    before the act, when no field is asked about.
    """

    step: int
    stage: int
    field: int


def moment_of(fault: Fault) -> Moment:
    """The moment of the question that was answered wrongly."""
    if fault.question == "open":
        return Moment(0, 0, 0)
    step = fault.step or _END
    if fault.question in _BEFORE:
        return Moment(step, 0, 0)
    stage = 1 if fault.question == "act" else 2
    name = fault.field
    place = FIELDS_FIRST_TO_LAST.index(name) if name in FIELDS_FIRST_TO_LAST else -1
    return Moment(step, stage, place)
