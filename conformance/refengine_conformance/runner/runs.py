"""A whole run: the outcome of every case, and the wrong answers grouped by clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

import attrs
import msgspec

from refengine.errors import all_harmless, harmless
from refengine.exit_codes import (
    NOT_TO_THE_END,
    OUR_FAULT,
    TOO_FEW,
    UNREADABLE,
    WRONG,
    first_code,
)
from refengine.lawbook import book
from refengine.lawbook.options import Value
from refengine_conformance.runner import blame
from refengine_conformance.runner.results import (
    HELLO,
    LOST,
    PASSED,
    SCORED,
    WRONG_OUTCOMES,
    AdapterError,
    Case,
    EngineCard,
    Fault,
    Limits,
    Moment,
    Outcome,
    count_errors,
    moment_of,
)
from refengine_conformance.runner.table_figures import TableFigures
from refengine_conformance.runner.transcripts import Transcript

UNNAMED: Final = "unnamed"
"""The key of a group for which no clause could be named."""


@attrs.frozen
class Cause:
    """What explains the wrong answers on a line.

    `clause` is the clause that is broken. `mutant` is a mutant that behaves as the
    engine does, or empty if the cause was found without a mutant.
    """

    mutant: str
    clause: str


@attrs.frozen
class QuestionCount:
    """How many answers to one question were wrong, and in how many cases."""

    question: str
    faults: int
    cases: int


@attrs.frozen
class Group:
    """The answers that go against one clause, or the conversations lost in one way.

    `asked` counts them by question. `examples` holds the smallest example of each
    question, smallest first. `outcome` is `fail`, or how the conversations were lost.
    `clause` is empty if they were lost, or if no clause could be named. `cause` is the
    mutant that explains the most answers, or empty if none explains any. `lines` are
    the ids of all lines that are reported in the group.
    """

    clause: str
    asked: tuple[QuestionCount, ...]
    examples: tuple[tuple[Case, Fault], ...]
    outcome: Outcome = Outcome.FAIL
    cause: str = ""
    lines: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The key that distinguishes this group from the other groups of a run."""
        if self.outcome in LOST:
            return f"{self.outcome} {self.question}"
        return self.clause or UNNAMED

    @property
    def title(self) -> str:
        """The title of the clause; empty if no clause could be named."""
        return book.title(self.clause)

    @property
    def case(self) -> Case:
        """The case from which the smallest example is taken."""
        return self.examples[0][0]

    @property
    def fault(self) -> Fault:
        """The wrong answer, or the loss, in the smallest example."""
        return self.examples[0][1]

    @property
    def question(self) -> str:
        """The question of the smallest example, without its field."""
        return self.fault.root

    @property
    def faults(self) -> int:
        """How many answers are wrong."""
        return sum(one.faults for one in self.asked)

    @property
    def cases(self) -> int:
        """How many cases have a wrong answer, each counted once for each question."""
        return sum(one.cases for one in self.asked)


@attrs.frozen
class Example:
    """The smallest game found for a group, and the wrong answer or loss that it shows.

    `line` is the game as the line of a trace. `right_under` are the other profiles
    under which the answer would be right. `note` says why the game is not smaller, if
    there is a reason. `file` is where the line was written. `heard` is what the adapter
    said about the game, or None if the game is one of the run's own. `made_from` is the
    id of the game of the run from which it was made; if that is empty, it was made from
    the game of the group's `case`.
    """

    line: str
    fault: Fault
    right_under: tuple[str, ...] = ()
    note: str = attrs.field(default="", converter=harmless)
    file: str = ""
    heard: Transcript | None = None
    made_from: str = ""


@attrs.frozen
class Inferred:
    """Which rules explain what an adapter said.

    `games` is the number of games looked at, and `wrong` the number of these in which
    something disagreed with the book. Each of the `changes` is a set of option values
    that make all games right; the likeliest comes first. If what is legal, seen and
    scored is right already, the only change is `{}`; if no such values were found,
    there are none. `open_to` gives, for some options, other values with which the first
    change also explains all games: the games cannot tell these apart. If nothing
    explains all games, `partly` is the change of one option that does the most good: it
    explains `explained` of the wrong games and makes `spoilt` of the right ones wrong.
    `small` is true if all games that went wrong have fewer cards than the whole pack,
    and `capped` if more games went wrong than were looked at. `left_out` says why there
    is no result, and is empty otherwise.
    """

    games: int
    wrong: int
    changes: tuple[Mapping[str, Value], ...] = ()
    open_to: Mapping[str, tuple[Value, ...]] = attrs.field(factory=dict)
    partly: Mapping[str, Value] = attrs.field(factory=dict)
    explained: int = 0
    spoilt: int = 0
    small: bool = False
    capped: bool = False
    left_out: str = ""


@attrs.frozen(kw_only=True)
class Run:
    """Everything that one run found.

    `faults` are sentences on the conversation as a whole (for example, that `bye` was
    not obeyed), `stopped` says why the run could not go on, `unreadable` what was wrong
    with the traces, `stale` which known failures match nothing or are out of date,
    `short` what the corpus promised but did not hold, and `bugs` what went wrong in the
    suite. `causes` holds what explains a failed line, if it is known, by the line's id.
    `lines` holds the line of every trace with a wrong case, and `heard` what the
    adapter said about some of them and about some that are right. `stderr` is the end
    of what the adapter wrote to its standard error. `source` holds the options that
    select the traces or the table; `at_table` says what was asked at that table, if
    there was one. `examples` holds the smallest game of each group by its key, and
    `inferred` the rules that explain the answers; `unwritten` says what could not be
    written.
    """

    adapter: tuple[str, ...]
    spec: str
    selection: Mapping[str, str]
    limits: Limits
    card: EngineCard | None = None
    cases: tuple[Case, ...] = ()
    faults: tuple[str, ...] = attrs.field(default=(), converter=all_harmless)
    stopped: str = attrs.field(default="", converter=harmless)
    refused_protocol: str = attrs.field(default="", converter=harmless)
    unreadable: tuple[str, ...] = attrs.field(default=(), converter=all_harmless)
    stale: tuple[str, ...] = attrs.field(default=(), converter=all_harmless)
    short: tuple[str, ...] = attrs.field(default=(), converter=all_harmless)
    bugs: tuple[str, ...] = attrs.field(default=(), converter=all_harmless)
    causes: Mapping[str, Cause] = attrs.field(factory=dict)
    lines: Mapping[str, str] = attrs.field(factory=dict)
    heard: Mapping[str, Transcript] = attrs.field(factory=dict)
    stderr: str = ""
    source: tuple[str, ...] = ()
    at_table: TableFigures | None = None
    examples: Mapping[str, Example] = attrs.field(factory=dict)
    inferred: Inferred | None = None
    unwritten: str = attrs.field(default="", converter=harmless)

    @property
    def partial(self) -> bool:
        """Whether the run was restricted to some of the games."""
        return bool(self.selection)

    @property
    def counts(self) -> dict[Outcome, int]:
        """How many cases had each outcome, zeros included."""
        counted = Counter(case.outcome for case in self.cases)
        return {outcome: counted[outcome] for outcome in Outcome}

    @property
    def scored(self) -> int:
        """How many cases were scored."""
        return sum(case.outcome in SCORED for case in self.cases)

    @property
    def passed(self) -> int:
        """How many cases passed, including any that are listed as known failures."""
        return sum(case.outcome in PASSED for case in self.cases)

    @property
    def applicable(self) -> int:
        """How many cases are about what is declared, without the retired ones."""
        return sum(
            case.applicable and case.outcome is not Outcome.RETIRED
            for case in self.cases
        )

    @property
    def pass_rate(self) -> float:
        """The share of scored cases that passed; 0 if none was scored."""
        return self.passed / self.scored if self.scored else 0.0

    @property
    def coverage(self) -> float:
        """The share of applicable cases that were scored; 0 if none is applicable."""
        return self.scored / self.applicable if self.applicable else 0.0

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The wrong answers and lost conversations of the run, in groups.

        The lost conversations come first. Then come the wrong answers, which are
        grouped by clause; the clause that is broken in the most games comes first.
        """
        alive = frozenset(self.at_table.alive if self.at_table else ())
        named = _groups(self.cases, self.causes, self.lines, alive)
        return (*_losses(self.broken, self.lines), *named)

    @property
    def broken(self) -> tuple[Case, ...]:
        """The cases in which the adapter crashed, was late, or broke the protocol.

        The case for a `hello` that declares an invalid table or edition is not among
        them, since it stops the run.
        """
        return tuple(
            case for case in self.cases if case.outcome in LOST and case.kind != HELLO
        )

    @property
    def adapter_errors(self) -> tuple[AdapterError, ...]:
        """The different errors that the adapter itself reported, with their counts.

        Each occurrence ended a game. Messages that differ only in numbers count as one.
        """
        return count_errors(
            (case.trace, case.thrown) for case in self.cases if case.thrown is not None
        )

    @property
    def exit_code(self) -> int:
        """The exit code: the first of 70, 2, 3, 4 and 1 that applies, or else 0."""
        codes = set()
        if self.bugs:
            codes.add(OUR_FAULT)
        failed = any(
            case.outcome is Outcome.ERROR or case.thrown for case in self.cases
        )
        if failed or (self.stopped and not self.refused_protocol):
            codes.add(NOT_TO_THE_END)
        if self.unreadable or self.refused_protocol or self.unwritten:
            codes.add(UNREADABLE)
        if not self.scored or self.short or (self.at_table and self.at_table.too_few):
            codes.add(TOO_FEW)
        wrong = any(case.outcome in WRONG_OUTCOMES for case in self.cases)
        if wrong or self.faults or self.stale:
            codes.add(WRONG)
        return first_code(codes)

    def fields(self) -> dict[str, Any]:
        """The figures of the run as a dictionary that can be written as JSON."""
        return {
            "exit": self.exit_code,
            "cases": len(self.cases),
            "applicable": self.applicable,
            "scored": self.scored,
            "passed": self.passed,
            "pass_rate": f"{self.passed}/{self.scored}",
            "coverage": f"{self.scored}/{self.applicable}",
            "outcomes": {str(name): count for name, count in self.counts.items()},
            "adapter_errors": [attrs.asdict(one) for one in self.adapter_errors],
        }


def first_faults(
    cases: tuple[Case, ...], reported: bool = False
) -> Iterator[tuple[Case, Fault]]:
    """The faults of each trace, up to the point where the engine goes astray.

    If an engine answers a question wrongly, the game itself is not affected. But after
    a wrong act, a wrong state or a refused act that changed something, everything later
    may be wrong for that reason, and is left out. If `reported` is true, the same
    applies after a probe that changed something; it must be false when signs are made,
    since those of the mutants were recorded without this rule. If it is true, wrong
    answers at the end about the cards taken are also kept in any case: they may be why
    points are wrong, and may show only at the end.
    """
    failed = [case for case in cases if case.outcome is Outcome.FAIL]
    astray: dict[str, Moment] = {}
    for case in failed:
        for fault in case.faults:
            moment = moment_of(fault)
            is_impure = fault.question == "purity"
            is_of_game = case.kind in ("step", "replay", "observe")
            strays = is_of_game and (is_impure or moment.stage > 0)
            if strays or (is_impure and reported):
                astray[case.trace] = min(moment, astray.get(case.trace, moment))
    for case in failed:
        last = astray.get(case.trace)
        for fault in case.faults:
            taken = reported and fault.question == "end.taken"
            if last is None or moment_of(fault) <= last or taken:
                yield case, fault


def _groups(
    cases: tuple[Case, ...],
    causes: Mapping[str, Cause],
    lines: Mapping[str, str],
    alive: frozenset[str],
) -> Iterator[Group]:
    """Group the wrong answers by clause; the clause with the most games comes first.

    A line is in the group of the clause of its cause, if the cause is known, or else in
    that of the clause that accounts for what is wrong when the game goes astray, and
    perhaps in another for wrong counting. A cause without a mutant does not count
    towards the `cause` of its group.
    """
    known = {name: cause.clause for name, cause in causes.items()}
    mutant_of = {name: cause.mutant for name, cause in causes.items() if cause.mutant}
    pairs = first_faults(cases, reported=True)
    unasked = frozenset(  # the games in which it was not asked what is due
        case.trace
        for case in cases
        if case.kind == "legal" and case.outcome is Outcome.UNSUPPORTED
    )
    named = blame.by_heading(pairs, known, lines, alive, unasked)
    for clause, members in named:
        mutants = Counter(
            mutant_of[case.trace] for case, _ in members if case.trace in mutant_of
        )
        commonest = mutants.most_common(1)[0][0] if mutants else ""
        yield attrs.evolve(_group(clause, members, lines), cause=commonest)


def _losses(cases: tuple[Case, ...], lines: Mapping[str, str]) -> Iterator[Group]:
    """Group the lost conversations by how they were lost and at which question."""
    found: dict[tuple[Outcome, str], list[tuple[Case, Fault]]] = {}
    for case in cases:
        key = case.outcome, case.loss.question
        found.setdefault(key, []).append((case, case.loss))
    for outcome, question in sorted(found):
        yield _group("", found[outcome, question], lines, outcome)


def _group(
    clause: str,
    members: list[tuple[Case, Fault]],
    lines: Mapping[str, str],
    outcome: Outcome = Outcome.FAIL,
) -> Group:
    """The group of these faults, with a count and the smallest example per question."""
    by_question: dict[str, list[tuple[Case, Fault]]] = {}
    for case, fault in members:
        root = "enumerate" if case.kind == "enumerate" else fault.root
        by_question.setdefault(root, []).append((case, fault))
    asked = tuple(
        QuestionCount(question, len(some), len({case.id for case, _ in some}))
        for question, some in sorted(by_question.items())
    )
    smallest = [
        min(some, key=lambda one: _size(one, lines)) for some in by_question.values()
    ]
    smallest.sort(key=lambda one: _size(one, lines))
    names = tuple(dict.fromkeys(case.trace for case, _ in members))
    return Group(clause, asked, tuple(smallest), outcome, lines=names)


_ACTS_OF_MINI: Final = 100  # a count over all games is not a plain example


def _size(
    member: tuple[Case, Fault], lines: Mapping[str, str]
) -> tuple[int, int, int, str]:
    """A sort key that puts the shortest and plainest examples first.

    It compares the number of acts, then how plain the question is, then the length of
    the line, and last the id of the case.
    """
    case, fault = member
    line = lines.get(case.trace, "")
    acts = fault.step
    if case.kind == "enumerate":
        acts = _ACTS_OF_MINI
    elif line and not acts and fault.question != "open":
        acts = len(msgspec.json.decode(line, type=_Steps).steps)
    return acts, _PLAIN.get(fault.root, _LEAST_PLAIN), len(line), case.id


class _Steps(msgspec.Struct):
    """The steps of a line in a corpus, not yet decoded."""

    steps: tuple[msgspec.Raw, ...] = ()


_PLAIN: Final = {
    "legal": 0,
    "refuse": 1,
    "act": 2,
    "irregular": 3,
    "turn": 4,
    "then": 5,
}
_LEAST_PLAIN: Final = 9
