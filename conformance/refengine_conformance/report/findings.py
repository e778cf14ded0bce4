"""What a run found, in words: the same for every report.

A finding is a clause that is not kept, or a way in which conversations are lost: how
often it happens, what the clause says, one small game with the table at the moment of
the question, what was asked, expected and got, and the command that shows it again.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final

import attrs

from refengine.errors import Malformed, harmless, harmless_json
from refengine.exit_codes import NOT_TO_THE_END, OUR_FAULT, TOO_FEW, UNREADABLE
from refengine.formats.openings import opening_of
from refengine.formats.trace import Trace, read_trace
from refengine.game.values.state import State
from refengine.lawbook import book
from refengine.lawbook.options import Value, value_text
from refengine.lawbook.spoken import option_name, profile_said, rule_said, table_said
from refengine_conformance.mutants import catalogue
from refengine_conformance.report.what_decides import state_after, what_decides
from refengine_conformance.runner.results import (
    LOST,
    SCORED,
    WRONG_OUTCOMES,
    Case,
    Fault,
    Limits,
    Outcome,
)
from refengine_conformance.runner.runs import UNNAMED, Example, Group, Inferred, Run
from refengine_conformance.runner.table import cards_in_play, has_whole_pack

_MOST_ACTS: Final = 24
_ALSO: Final = ("also wrong", "and", "besides")
_PLAIN: Final = Limits()
_LIMIT_OPTIONS: Final = {
    "op": "--limit-op",
    "batch": "--limit-batch",
    "hello": "--limit-hello",
}


@attrs.frozen(kw_only=True)
class Heading:
    """One group of a run in words, with the game that shows it.

    `clauses` has number, title and text of each clause that the answer goes against,
    starting with the one that names the group. `facts` are pairs of a label and a text.
    `trace` is None if the line is not a readable trace. `cases` are all that failed so.
    """

    heading: str
    counts: str
    clauses: tuple[tuple[str, str, str], ...]
    facts: tuple[tuple[str, str], ...]
    line: str
    trace: Trace | None
    fault: Fault
    cases: tuple[Case, ...] = ()
    has_place: bool = True

    @property
    def table(self) -> str:
        """The table before the question, one row a seat; empty if there is none.

        There is none where a conversation was lost nobody knows when.
        """
        state = (
            state_before_fault(self.trace, self.fault)
            if self.trace is not None and self.has_place
            else None
        )
        return "" if state is None else str(state)


def findings_of_run(run: Run) -> list[Heading]:
    """All findings of a run: lost conversations, then clauses, in most games first.

    Miscounted games are reported together with a clause that is broken elsewhere too.
    """
    groups = {group.key: group for group in run.groups}
    counted = groups.get(UNNAMED)
    clause = _clause_of(run, counted) if counted is not None else ""
    told = counted if clause in groups else None
    return [
        _finding(run, group, told if group.key == clause else None)
        for group in groups.values()
        if group is not told
    ]


def _clause_of(run: Run, group: Group) -> str:
    """The clause of a group, or else the one that its example names."""
    example = run.examples.get(group.key)
    named = example.fault.clauses if example is not None else ()
    return group.clause or (*named, "")[0]


def _finding(run: Run, group: Group, counted: Group | None) -> Heading:
    example = run.examples.get(group.key) or _of_the_run(run, group)
    fault = example.fault
    trace = _trace(example.line)
    numbers = dict.fromkeys(filter(None, (group.clause, *fault.clauses)))
    clauses = tuple((one, book.title(one), _text_of(one)) for one in numbers)
    case = group.case
    has_place = group.outcome not in LOST or fault.step > 0
    placed = trace if has_place else None
    facts = {
        "acts before": _acts(placed, fault) if placed is not None else "",
        "then": _act(placed, fault) if placed is not None else "",
        "asked": fault.asked,
        "sent": _sent(case, trace),
        "expected": fault.expected,
        "got": fault.got,
        **(what_decides(trace, fault) if trace is not None else {}),
        **_also(group, fault),
        "pack": _only_small(run, group),
        "clauses": ", ".join(fault.clauses) if len(fault.clauses) > 1 else "",
        "rules": _rules(trace) if trace is not None else profile_said(case.profile),
        "right under": _right_under(example, _clause_of(run, group)),
        "seen too": wrong_answer_counts(counted) if counted is not None else "",
        "note": example.note,
        "game": _place(example, trace, case, fault),
        "trace file": example.file,
        "show": _shown_by(example),
        "again": command_to_repeat(run, group, example),
    }
    return Heading(
        heading=group_title(group, _clause_of(run, group)),
        counts=wrong_answer_counts(group, games_scored(run)),
        clauses=clauses,
        facts=tuple((name, harmless(value)) for name, value in facts.items() if value),
        line=harmless_json(example.line),
        trace=trace,
        fault=fault,
        cases=tuple(_cases_of(run, group)),
        has_place=has_place,
    )


def _right_under(example: Example, clause: str) -> str:
    """The profiles under which the answers would be right.

    Empty where the clause is one of those on how the book is read (chapter 0): it holds
    in all of them, and other rules would explain the answer by accident.
    """
    if clause.startswith("0."):
        return ""
    return ", ".join(map(profile_said, example.right_under))


def _sent(case: Case, trace: Trace | None) -> str:
    """The request that a loss was about, unless it is shown by a smaller game."""
    is_same = trace is not None and trace.id == case.trace
    return f"{case.request:.{_LONGEST_SENT}}" if is_same else ""


def _shown_by(example: Example) -> str:
    """The command that shows the game; empty for one that cannot begin."""
    if not example.file or opening_of(example.line.encode()):
        return ""
    return shlex.join(["refengine", "show", example.file])


def _cases_of(run: Run, group: Group) -> Iterator[Case]:
    """The cases that failed in the way of a group, game by game in its order."""
    if group.outcome in LOST:
        found = (one for one in run.broken if one.outcome is group.outcome)
        yield from (one for one in found if one.loss.question == group.question)
        return
    places = {trace: place for place, trace in enumerate(group.lines)}
    failed = (one for one in run.cases if one.outcome is Outcome.FAIL)
    found = (one for one in failed if one.trace in places)
    yield from sorted(found, key=lambda one: places[one.trace])


def _also(group: Group, shown: Fault) -> dict[str, str]:
    """Other ways in which answers of the group are wrong, with a game for each."""
    others: dict[str, str] = {}
    for case, fault in group.examples:
        if fault.root != shown.root:
            what = _WORDS.get(fault.root, fault.root)
            answers = f"expected {fault.expected}, got {fault.got}"
            told = f"{what}: {answers} ({case.trace}{_at_step(fault)})"
            others.setdefault(fault.root, told)
    return dict(zip(_ALSO, others.values(), strict=False))


def _at_step(fault: Fault) -> str:
    return f", step {fault.step}" if fault.step else ""


def _only_small(run: Run, group: Group) -> str:
    """A remark on what shows in no game with the whole pack; else empty."""
    read = [_trace(run.lines.get(name, "")) for name in group.lines]
    traces = [trace for trace in read if trace is not None]
    if not traces or any(map(has_whole_pack, traces)):
        return ""
    most = max(map(cards_in_play, traces))
    return f"seen only in games of at most {most} cards, never with the whole pack"


def _of_the_run(run: Run, group: Group) -> Example:
    return Example(run.lines.get(group.case.trace, ""), group.fault)


def group_title(group: Group, clause: str) -> str:
    """What a group is about, in one line."""
    if group.outcome in LOST:
        over = group.fault.asked.removesuffix("?")
        return f"{group.outcome}, asked for {over}"
    return f"{clause} {book.title(clause)}".strip() or "no clause could be named"


def games_scored(run: Run) -> int:
    """How many games were scored, in one of their cases at least."""
    return len({case.trace for case in run.cases if case.outcome in SCORED})


def verdict(run: Run) -> str:
    """What came of a run, in one line: what is wrong, or that all is right."""
    games = games_scored(run)
    code = run.exit_code
    if code == 0:
        return f"all right in {games} {'game' if games == 1 else 'games'}"
    ended = "nothing was asked" if run.refused_protocol else _ENDS.get(code, "")
    parts = (ended, *_not_kept(run))
    return "; ".join(filter(None, parts)) or "not right"


def _not_kept(run: Run) -> Iterator[str]:
    """Which clauses are not kept, and what else went wrong in the cases."""
    lost = [group for group in run.groups if group.outcome in LOST]
    wrong = [group for group in run.groups if group.outcome not in LOST]
    named = [*dict.fromkeys(filter(None, (_clause_of(run, one) for one in wrong)))]
    if named:
        clauses = "1 clause" if len(named) == 1 else f"{len(named)} clauses"
        titles = (f"{one} {book.title(one)}" for one in named[:_FEW])
        told = ", ".join([*titles, *named[_FEW:]])
        yield f"{clauses} not kept: {told}"
    if unnamed := sum(one.faults for one in wrong if not _clause_of(run, one)):
        answers = "1 wrong answer" if unnamed == 1 else f"{unnamed} wrong answers"
        yield f"{answers} for which no clause could be named"
    for one in lost:
        yield f"conversation lost: {group_title(one, '')}"


_FEW: Final = 5
_LONGEST_SENT: Final = 300


def other_failed_cases(run: Run, found: Iterable[Heading]) -> list[Case]:
    """The cases that failed, or ended in an error, and are told under no finding."""
    told = {case.id for one in found for case in one.cases}
    failed = {*WRONG_OUTCOMES, Outcome.ERROR}
    return [one for one in run.cases if one.outcome in failed and one.id not in told]


_ENDS: Final = {
    NOT_TO_THE_END: "the run did not come to its end, or the adapter failed by itself",
    UNREADABLE: "something could not be read or written",
    TOO_FEW: "too little was asked to tell",
    OUR_FAULT: "a fault of ours",
}


def wrong_answer_counts(group: Group, games: int = 0) -> str:
    """How many answers are wrong, by what was asked, and in how many of the games."""
    word = "lost conversation" if group.outcome in LOST else "wrong answer"
    answers = word if group.faults == 1 else f"{word}s"
    wrong = len(group.lines)
    of = f"{wrong} game" if wrong == 1 else f"{wrong} games"
    if games > 1:
        of = f"{wrong} of {games} games"
    by_question = ", ".join(
        f"{_WORDS.get(one.question, one.question)} {one.faults}" for one in group.asked
    )
    return f"{group.faults} {answers} in {of} ({by_question})"


_WORDS: Final = {
    "legal": "what is due",
    "turn": "whose turn it is",
    "refuse": "acts to refuse",
    "irregular": "acts that are irregular",
    "purity": "refused acts that change something",
    "act": "acts played",
    "then": "what is seen",
    "end": "what is seen at the end",
    "view": "what a seat knows",
    "told": "what a seat is told",
    "open": "how a game begins",
    "enumerate": "games counted",
}


def _text_of(number: str) -> str:
    known = book.clauses().get(number)
    return "" if known is None else known.text


def _trace(line: str) -> Trace | None:
    """The trace of a line; None for a mini-deal and for what cannot be read."""
    try:
        return read_trace(line.encode())
    except Malformed:
        return None


def _place(example: Example, trace: Trace | None, case: Case, fault: Fault) -> str:
    name = case.trace if trace is None else trace.id
    made = f", made from {case.trace}" if name != case.trace else ""
    return f"{name}{_at_step(fault)}{made}"


def _rules(trace: Trace) -> str:
    ruleset = trace.ruleset
    return table_said(ruleset.profile, ruleset.players, ruleset.changed)


def _acts(trace: Trace, fault: Fault) -> str:
    """The acts before the one asked about, in words; only the last of many."""
    number = fault.step_in(trace)
    acts = (f"seat {one.act.seat}: {one.act}" for one in trace.steps[: number - 1])
    told = []
    for act, same in groupby(acts):
        times = len([*same])
        told.append(act if times == 1 else f"{act}, {times} times")
    left_out = ["…"] if len(told) > _MOST_ACTS else []
    return ", ".join([*left_out, *told[-_MOST_ACTS:]])


def _act(trace: Trace, fault: Fault) -> str:
    """The act after which something was asked; empty if it was asked before."""
    if not (fault.is_after_act and trace.steps):
        return ""
    act = trace.steps[fault.step_in(trace) - 1].act
    return f"seat {act.seat}: {act}"


def state_before_fault(trace: Trace, fault: Fault) -> State | None:
    """The state before the step of a fault; None if the book does not get there."""
    return state_after(trace, fault.step_in(trace) - 1)


# Commands


def command_to_repeat(run: Run, group: Group, example: Example) -> str:
    """The command that shows a finding again."""
    asked = (*run.source, "--trace", group.case.trace)
    if example.file:
        asked = ("--corpus", example.file)
    limits = [
        word
        for name, option in _LIMIT_OPTIONS.items()
        if getattr(run.limits, name) != getattr(_PLAIN, name)
        for word in (option, f"{getattr(run.limits, name):g}")
    ]
    words = ["refengine", "conform", "run", *asked, *limits]
    return shlex.join([*words, "--", *run.adapter])


# Which rules explain it


def inference_sentences(run: Run) -> list[str]:
    """Which rules explain the disagreements, in sentences; none if there are none."""
    found = run.inferred
    if found is None:
        return []
    if found.left_out:
        return [found.left_out]
    smaller = ["the shortened ones included"] if run.examples else []
    part = ["a part of all there are"] if found.capped else []
    games = "one game" if found.games == 1 else f"{found.games} games"
    heard = ", ".join([f"judged from {games}", *smaller, *part])
    if found.changes == ({},):
        return [
            "No option explains the disagreements: what is legal, seen and scored is "
            "right under the options given; they are about other things, such as the "
            f"clauses named ({heard})."
        ]
    if found.changes:
        bugs = _known_bugs(run) if len(found.changes[0]) > 1 else []
        return [*bugs, *_explained(run, heard), *_open_to(found.open_to)]
    bug = "No option, and no combination of a few, explains all disagreements"
    if found.explained > found.wrong // 4:
        spoilt = f", but not {found.spoilt} that went right" if found.spoilt else ""
        return [
            f"{bug}. {_change(found.partly)} explains {found.explained} of the "
            f"{found.wrong} games that went wrong{spoilt}: you may play that, beside "
            f"something else that is wrong, or a bug may look like it ({heard})."
        ]
    return [f"{bug}: a bug, or a rule that the book does not have ({heard})."]


def _known_bugs(run: Run) -> list[str]:
    """The known bug that answers as the engine does, if there is one for each finding.

    It is likelier than several options that happen to differ together.
    """
    causes = {group.cause for group in run.groups if group.outcome not in LOST}
    if not causes or "" in causes:
        return []
    bugs = [catalogue.mutant_with_id(one).text for one in sorted(causes)]
    return [f"A known bug answers the same: {'; '.join(bugs)}."]


def _explained(run: Run, heard: str) -> Iterator[str]:
    assert run.inferred is not None
    number = sum(group.faults for group in run.groups if group.outcome not in LOST)
    first, *others = run.inferred.changes
    every = f"All {number} disagreements vanish"
    if run.inferred.capped:
        every = "All disagreements looked at vanish"
    elif number == 1:
        every = "The disagreement vanishes"
    yield f"{every} with {_change(first)}: {_kind_of(run.inferred)} ({heard})."
    for other in others:
        yield f"The same holds with {_change(other)}: the games cannot tell them apart."


def _kind_of(inferred: Inferred) -> str:
    """What it can mean that this explains everything; the answers alone do not tell."""
    first = inferred.changes[0]
    if inferred.wrong < _ENOUGH:
        return "a house rule or a bug, since too few games show it to tell"
    fixed = [_FIXED[name] for name in first if name in _FIXED]
    if inferred.small and fixed:
        return (
            f"a house rule, or {fixed[0]}, since every game that shows it is played "
            "with fewer cards"
        )
    return "a house rule if you play by it, else a bug that acts like one"


_ENOUGH: Final = 3
_MOON: Final = "a moon that assumes the 26 points of the whole pack"
_FIRST: Final = "a rule for the first trick that assumes the whole pack"
_FIXED: Final = {
    "moon": _MOON,
    "sun_points": _MOON,
    "opening_card": _FIRST,
    "opening_leader": _FIRST,
    "first_trick_points": _FIRST,
}
"""What is right for 52 cards and taken for granted, by the option it looks like."""


def _change(change: Mapping[str, Value]) -> str:
    return " and ".join(rule_said(name, value, "`") for name, value in change.items())


def _open_to(open_to: Mapping[str, tuple[Value, ...]]) -> Iterator[str]:
    """Which other values these games would fit as well, in one line."""
    if open_to:
        told = "; ".join(_fitting(name, values) for name, values in open_to.items())
        yield f"These games would fit as well: {told}."


def _fitting(name: str, values: tuple[Value, ...]) -> str:
    """An option, and some of the values that fit."""
    typed = [f"`{name}={value_text(one)}`" for one in values[:_FEW]]
    more = len(values) - _FEW
    some = [*typed, f"{more} more"] if more > 0 else typed
    return f"{option_name(name)} ({', '.join(some)})"
