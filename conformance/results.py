"""What a run found: the values that every report is made from.

They are frozen, hold plain text and numbers only, and carry no clock readings, so that
two runs can be compared line by line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

import attrs

from refengine import book

ALL_WELL: Final = 0
WRONG: Final = 1
NOT_TO_THE_END: Final = 2
BAD_INPUT: Final = 3
TOO_FEW: Final = 4
OUR_FAULT: Final = 70
_ORDER: Final = (OUR_FAULT, NOT_TO_THE_END, BAD_INPUT, TOO_FEW, WRONG)


def first_code(codes: set[int]) -> int:
    """The exit code of a command for which several apply."""
    return next((code for code in _ORDER if code in codes), ALL_WELL)


class Outcome(StrEnum):
    """What became of a case."""

    PASS = "pass"
    FAIL = "fail"
    CRASH = "crash"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    UNSUPPORTED = "unsupported"
    KNOWN = "known"
    KNOWN_BUT_PASSES = "known_but_passes"
    RETIRED = "retired"
    NOT_RUN = "not_run"


WRONG_OUTCOMES: Final = frozenset(
    {
        Outcome.FAIL,
        Outcome.CRASH,
        Outcome.TIMEOUT,
        Outcome.PROTOCOL,
        Outcome.KNOWN_BUT_PASSES,
    }
)
SCORED: Final = WRONG_OUTCOMES | {Outcome.PASS, Outcome.KNOWN}
PASSED: Final = frozenset({Outcome.PASS, Outcome.KNOWN_BUT_PASSES})

KINDS: Final = (
    "step",
    "replay",
    "legal",
    "probe",
    "clause",
    "clauses",
    "observe",
    "views",
    "enumerate",
)
"""The kinds of case, each named like the capability that it scores."""


@attrs.frozen
class Fault:
    """One answer that is not as the book has it.

    `step` is the number of the step of the trace, from 1; after the last step, and of
    what is said of the whole, 0. `question` names what was asked: `act`, `legal`,
    `turn`, `refuse`, `irregular`, `purity`, `games`, `then.score`, `view.hand` and the
    like. `clauses` are those that the answer goes against, as far as it can be said.
    `asked`, `expected` and `got` are words for a reader.
    """

    step: int
    question: str
    clauses: tuple[str, ...]
    asked: str
    expected: str
    got: str

    @property
    def root(self) -> str:
        """The question without the field it is about."""
        return self.question.partition(".")[0]


@attrs.frozen
class Case:
    """One capability scored on one trace or mini-deal.

    `id` is stable: the id of the trace, a stroke, the kind. `applicable` is false where
    the adapter does not declare the profile or the number of players. `note` is one
    sentence: why it is unsupported, what the protocol wants, how the adapter ended.
    """

    trace: str
    kind: str
    outcome: Outcome
    profile: str = ""
    faults: tuple[Fault, ...] = ()
    note: str = ""
    applicable: bool = True

    @property
    def id(self) -> str:
        """The id of the case, the same in every run."""
        return f"{self.trace}/{self.kind}"


@attrs.frozen
class Card:
    """What an adapter says of itself; `("any",)` stands for any profile or number."""

    name: str
    version: str
    language: str
    profiles: tuple[str, ...]
    players: tuple[int | str, ...]
    capabilities: tuple[str, ...]
    deviations: tuple[tuple[str, str], ...] = ()

    def can(self, capability: str) -> bool:
        """Whether the adapter declares it."""
        return capability in self.capabilities

    def plays(self, profile: str, players: int) -> bool:
        """Whether the adapter declares this profile and number of players."""
        return (self.profiles == ("any",) or profile in self.profiles) and (
            self.players == ("any",) or players in self.players
        )


@attrs.frozen
class Limits:
    """How long and how often: seconds for a request, restarts of the adapter."""

    op: float = 2.0
    batch: float = 10.0
    hello: float = 30.0
    bye: float = 5.0
    restarts_in_a_row: int = 3
    restarts: int = 10

    def of(self, op: str) -> float:
        """The seconds that a request of this op may take."""
        if op == "hello":
            return self.hello
        return self.batch if op in ("replay", "enumerate") else self.op


@attrs.frozen
class Group:
    """Faults that go against one clause in one way, and the smallest example."""

    clause: str
    question: str
    faults: int
    cases: int
    case: Case
    fault: Fault

    @property
    def title(self) -> str:
        """The title of the clause; nothing where no clause could be named."""
        return book.title(self.clause)


@attrs.frozen(kw_only=True)
class Run:
    """Everything that one run found.

    `faults` are sentences on the conversation as a whole (`bye` was not obeyed),
    `stopped` why the run could not go on, `unreadable` what was wrong with the traces,
    `stale` entries of the known failures that match nothing or are out of date,
    `short` what the corpus promised and did not hold, `bugs` faults of ours. `lines`
    has the line of every trace of which a case is wrong. `stderr` is the end of what
    the adapter wrote there. `source` are the options that name other traces than the
    published ones.
    """

    adapter: tuple[str, ...]
    spec: str
    selection: Mapping[str, str]
    limits: Limits
    card: Card | None = None
    cases: tuple[Case, ...] = ()
    faults: tuple[str, ...] = ()
    stopped: str = ""
    refused_protocol: str = ""
    unreadable: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    bugs: tuple[str, ...] = ()
    lines: Mapping[str, str] = attrs.field(factory=dict)
    stderr: str = ""
    source: tuple[str, ...] = ()

    @property
    def partial(self) -> bool:
        """Whether less than the whole corpus was asked for."""
        return bool(self.selection)

    @property
    def counts(self) -> dict[Outcome, int]:
        """How many cases had each outcome, none left out."""
        counted = Counter(case.outcome for case in self.cases)
        return {outcome: counted[outcome] for outcome in Outcome}

    @property
    def scored(self) -> int:
        """How many cases were scored."""
        return sum(case.outcome in SCORED for case in self.cases)

    @property
    def passed(self) -> int:
        """How many cases passed, known failures not among them."""
        return sum(case.outcome in PASSED for case in self.cases)

    @property
    def applicable(self) -> int:
        """How many cases there are of the profiles and numbers that are declared."""
        return sum(
            case.applicable and case.outcome is not Outcome.RETIRED
            for case in self.cases
        )

    @property
    def pass_rate(self) -> float:
        """Cases passed of those scored; 0 where none was."""
        return self.passed / self.scored if self.scored else 0.0

    @property
    def coverage(self) -> float:
        """Cases scored of those applicable; 0 where none is."""
        return self.scored / self.applicable if self.applicable else 0.0

    @property
    def groups(self) -> tuple[Group, ...]:
        """The faults by clause, in the order of the book, each with one example."""
        return tuple(_groups(self.cases, self.lines))

    @property
    def broken(self) -> tuple[Case, ...]:
        """The cases in which the adapter crashed, was late, or broke the protocol."""
        kinds = (Outcome.CRASH, Outcome.TIMEOUT, Outcome.PROTOCOL)
        return tuple(case for case in self.cases if case.outcome in kinds)

    @property
    def exit_code(self) -> int:
        """The exit code: of several the first in the order 70, 2, 3, 4, 1."""
        codes = set()
        if self.bugs:
            codes.add(OUR_FAULT)
        if self.stopped and not self.refused_protocol:
            codes.add(NOT_TO_THE_END)
        if self.unreadable or self.refused_protocol:
            codes.add(BAD_INPUT)
        if not self.scored or self.short:
            codes.add(TOO_FEW)
        if self.faults or self.stale:
            codes.add(WRONG)
        if any(case.outcome in WRONG_OUTCOMES for case in self.cases):
            codes.add(WRONG)
        return first_code(codes)

    def fields(self) -> dict[str, Any]:
        """The figures of the run as plain values."""
        return {
            "exit": self.exit_code,
            "cases": len(self.cases),
            "applicable": self.applicable,
            "scored": self.scored,
            "passed": self.passed,
            "pass_rate": f"{self.passed}/{self.scored}",
            "coverage": f"{self.scored}/{self.applicable}",
            "outcomes": {str(name): count for name, count in self.counts.items()},
        }


def order_of(number: str) -> tuple[int, int, str]:
    """Where a clause stands in the book; what is no clause stands last."""
    chapter, dot, rest = number.partition(".")
    digits = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
    if not (dot and chapter.isdigit() and digits.isdigit()):
        return 99, 0, number
    return int(chapter), int(digits), rest[len(digits) :]


_BEFORE: Final = ("legal", "turn", "refuse", "irregular", "purity")
_ROOTS: Final = (
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
"""The fields of an observation, first those from which the others follow."""


def _moment(fault: Fault) -> tuple[int, int, int]:
    """When a fault shows: its step; before, by or after the act; the field."""
    if fault.question == "open":
        return 0, 0, 0
    step = fault.step or 1 << 30
    if fault.question in _BEFORE:
        return step, 0, 0
    field = fault.question.partition(".")[2]
    root = _ROOTS.index(field) if field in _ROOTS else -1
    return step, 1 if fault.question == "act" else 2, root


def _first_faults(cases: tuple[Case, ...]) -> Iterator[tuple[Case, Fault]]:
    """Of each trace the faults up to where the engine first goes astray.

    A wrong answer to a question leaves the game as it is; after a wrong act or a wrong
    state all else may be wrong for that reason, and is left out.
    """
    failed = [case for case in cases if case.outcome is Outcome.FAIL]
    astray: dict[str, tuple[int, int, int]] = {}
    for case in failed:
        for fault in case.faults:
            moment = _moment(fault)
            if moment[1] and case.kind in ("step", "replay", "observe"):
                astray[case.trace] = min(moment, astray.get(case.trace, moment))
    for case in failed:
        last = astray.get(case.trace)
        for fault in case.faults:
            if last is None or _moment(fault) <= last:
                yield case, fault


def _groups(cases: tuple[Case, ...], lines: Mapping[str, str]) -> Iterator[Group]:
    """The faults of failed cases, each put to the clause that explains the most."""
    pairs = list(_first_faults(cases))
    often = Counter(clause for _, fault in pairs for clause in fault.clauses)
    found: dict[tuple[str, str], list[tuple[Case, Fault]]] = {}
    for case, fault in pairs:
        ranked = sorted(fault.clauses, key=lambda one: (-often[one], order_of(one)))
        found.setdefault(((*ranked, "")[0], fault.root), []).append((case, fault))
    for clause, question in sorted(found, key=lambda key: (order_of(key[0]), key[1])):
        members = found[clause, question]
        case, fault = min(members, key=lambda member: _size(member, lines))
        count = len({case.id for case, _ in members})
        yield Group(clause, question, len(members), count, case, fault)


def _size(member: tuple[Case, Fault], lines: Mapping[str, str]) -> tuple[int, int, str]:
    case, fault = member
    line = lines.get(case.trace, "")
    return line.count("play") if not fault.step else fault.step, len(line), case.id
