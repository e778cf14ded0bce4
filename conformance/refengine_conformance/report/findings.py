"""What a run found, in words that are the same in every report.

A finding is a clause that is not kept, or a way in which conversations are lost. It
says how often this happens, quotes the clause, and shows one small game: the table when
the question was asked, the question, the expected answer, the answer given, and the
command that repeats the game.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple

import attrs

from refengine.errors import Malformed, counted, harmless, harmless_json
from refengine.exit_codes import (
    ALL_WELL,
    NOT_TO_THE_END,
    OUR_FAULT,
    TOO_FEW,
    UNREADABLE,
)
from refengine.formats.trace import Trace, read_trace
from refengine.game.values.state import State
from refengine.lawbook import book
from refengine.lawbook.options import Value, value_text
from refengine.lawbook.spoken import option_name, profile_said, rule_said, table_said
from refengine_conformance.mutants import catalogue
from refengine_conformance.report.run_in_words import games_said
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
_FEW: Final = 5  # the most clauses named with titles, or values of an option
_LONGEST_SENT: Final = 300
_ALSO: Final = ("also wrong", "and", "besides")
_PLAIN: Final = Limits()
_LIMIT_OPTIONS: Final = {
    "op": "--limit-op",
    "batch": "--limit-batch",
    "hello": "--limit-hello",
}


class QuotedClause(NamedTuple):
    """A clause as a finding quotes it; title and text are empty if it is not known."""

    number: str
    title: str
    text: str


@attrs.frozen(kw_only=True)
class Finding:
    """What is wrong in one group of a run, and a game that shows it.

    `clauses` are those that the answer goes against, starting with the one that names
    the group. `facts` are pairs of a label and a text. `line` is the game, empty if the
    run lacks it, and `trace` the same, or None if the line is not a readable trace.
    `cases` are all the cases in the group, and those of the answers without a clause
    that are counted with it. `has_place` is False if it is not known at which step a
    conversation was lost.
    """

    heading: str
    counts: str
    clauses: tuple[QuotedClause, ...]
    facts: tuple[tuple[str, str], ...]
    line: str
    trace: Trace | None
    fault: Fault
    cases: tuple[Case, ...]
    has_place: bool

    @property
    def state(self) -> State | None:
        """The state before the question; None if it is not known."""
        if self.trace is None or not self.has_place:
            return None
        return state_after(self.trace, self.fault.step_in(self.trace) - 1)

    @property
    def table(self) -> str:
        """The table before the question, one row per seat; empty if it is not known."""
        state = self.state
        return "" if state is None else str(state)


def findings_of_run(run: Run) -> list[Finding]:
    """All findings of a run, those about lost conversations first.

    Those about clauses follow, the clause that is broken in the most games first. Wrong
    answers for which no clause could be named are counted in the finding for the clause
    that their example names first, if there is such a finding; otherwise they are a
    finding of their own.
    """
    groups = {group.key: group for group in run.groups}
    unnamed = groups.get(UNNAMED)
    clause = _clause_of(run, unnamed) if unnamed is not None else ""
    added = unnamed if clause in groups else None
    return [
        _finding(run, group, added if group.key == clause else None)
        for group in groups.values()
        if group is not added
    ]


def _clause_of(run: Run, group: Group) -> str:
    """The clause of a group or, without one, the first clause that its example names.

    The result is empty if the example names none either, or if there is no example.
    """
    example = run.examples.get(group.key)
    if group.clause or example is None:
        return group.clause
    clauses = example.fault.clauses
    return clauses[0] if clauses else ""


def _finding(run: Run, group: Group, added: Group | None) -> Finding:
    """The finding for a group, with the counts and cases of `added` if it is given."""
    own = Example(run.lines.get(group.case.trace, ""), group.fault)
    example = run.examples.get(group.key, own)
    fault = example.fault
    numbers = dict.fromkeys(filter(None, (group.clause, *fault.clauses)))
    facts = _facts(run, group, added, example)
    return Finding(
        heading=group_title(group, _clause_of(run, group)),
        counts=wrong_answer_counts(group, games_scored(run)),
        clauses=tuple(
            QuotedClause(one, book.title(one), _text_of(one)) for one in numbers
        ),
        facts=tuple((name, harmless(value)) for name, value in facts.items() if value),
        line=harmless_json(example.line),
        trace=_trace(example.line),
        fault=fault,
        cases=tuple(_cases_of(run, group, added)),
        has_place=_has_place(group, fault),
    )


def _has_place(group: Group, fault: Fault) -> bool:
    """Whether it is known at which step this fault of a group occurred."""
    return group.outcome not in LOST or fault.step > 0


def _facts(
    run: Run, group: Group, added: Group | None, example: Example
) -> dict[str, str]:
    """The facts of a finding by label, in order; empty texts are not to be shown."""
    case, fault = group.case, example.fault
    trace = _trace(example.line)
    placed = trace if _has_place(group, fault) else None
    return {
        "acts before": _acts(placed, fault) if placed is not None else "",
        "then": _act(placed, fault) if placed is not None else "",
        "asked": fault.asked,
        "sent": _sent(case, trace),
        "expected": fault.expected,
        "got": fault.got,
        **(what_decides(placed, fault) if placed is not None else {}),
        **_also(group, fault),
        "pack": _only_small(run, group),
        "clauses": ", ".join(fault.clauses) if len(fault.clauses) > 1 else "",
        "rules": _rules(trace) if trace is not None else profile_said(case.profile),
        "right under": _right_under(example, _clause_of(run, group)),
        "seen too": wrong_answer_counts(added) if added is not None else "",
        "note": example.note,
        "game": _place(example, trace, case),
        "trace file": example.file,
        "show": _shown_by(example, trace),
        "again": command_to_repeat(run, group, example),
    }


def _right_under(example: Example, clause: str) -> str:
    """The other profiles under which the answer would be right, in everyday words.

    The text is empty for a clause of chapter 0, which says how the book is read. Such
    a clause holds in every profile, so another profile could make the answer right only
    by accident.
    """
    if clause.startswith("0."):
        return ""
    return ", ".join(map(profile_said, example.right_under))


def _sent(case: Case, trace: Trace | None) -> str:
    """The last request before the conversation of a case was lost, perhaps shortened.

    It is empty if the trace shown is not that of the case, if the conversation was not
    lost, or if the request is not known.
    """
    is_same = trace is not None and trace.id == case.trace
    return f"{case.request:.{_LONGEST_SENT}}" if is_same else ""


def _shown_by(example: Example, trace: Trace | None) -> str:
    """The command that shows the game of an example.

    It is empty if the game has no file, or is not a trace: a mini-deal has no acts, and
    neither has a game that must be refused at its opening.
    """
    if not example.file or trace is None:
        return ""
    return shlex.join(["refengine", "show", example.file])


def _cases_of(run: Run, group: Group, added: Group | None) -> Iterator[Case]:
    """The cases of a group: the conversations lost, or else the failures in its games.

    Failed cases come game by game, in the order of the games in the group; those of the
    group `added` to it, if there is one, come last, unless another group has them.
    """
    if group.outcome in LOST:
        for case in run.broken:
            if (case.outcome, case.loss.question) == (group.outcome, group.question):
                yield case
        return
    told = {name for one in run.groups if one is not added for name in one.lines}
    more = () if added is None else (one for one in added.lines if one not in told)
    traces = dict.fromkeys([*group.lines, *more])
    places = {trace: place for place, trace in enumerate(traces)}
    failed = [
        case
        for case in run.cases
        if case.outcome is Outcome.FAIL and case.trace in places
    ]
    yield from sorted(failed, key=lambda case: places[case.trace])


def _also(group: Group, shown: Fault) -> dict[str, str]:
    """Other kinds of question answered wrongly in the group, with an example of each.

    The keys are the three labels in `_ALSO`, so at most three kinds are given.
    """
    others: dict[str, str] = {}
    for case, fault in group.examples:
        if fault.root != shown.root:
            what = _WORDS.get(fault.root, fault.root)
            answers = f"expected {fault.expected}, got {fault.got}"
            told = f"{what}: {answers} ({case.trace}{_at_step(fault)})"
            others.setdefault(fault.root, told)
    return dict(zip(_ALSO, others.values(), strict=False))


def _at_step(fault: Fault) -> str:
    """A suffix that gives the step of a fault; empty if the fault has no step."""
    return f", step {fault.step}" if fault.step else ""


def _only_small(run: Run, group: Group) -> str:
    """A remark that no game of a group is played with the whole pack, if that is so.

    Otherwise, the text is empty; so it is if any line of the group is not a trace but,
    say, a mini-deal.
    """
    traces = []
    for name in group.lines:
        trace = _trace(run.lines.get(name, ""))
        if trace is None or has_whole_pack(trace):
            return ""
        traces.append(trace)
    if not traces:
        return ""
    most = max(map(cards_in_play, traces))
    return f"seen only in games of at most {most} cards, never with the whole pack"


_LOST_BY: Final = {
    Outcome.CRASH: "crash",
    Outcome.TIMEOUT: "timeout",
    Outcome.PROTOCOL: "breach of the protocol",
}


def group_title(group: Group, clause: str) -> str:
    """What a group is about, in one line."""
    if group.outcome in LOST:
        return f'{_LOST_BY[group.outcome]} when asked "{group.fault.asked}"'
    return f"{clause} {book.title(clause)}".strip() or "no clause could be named"


def games_scored(run: Run) -> int:
    """How many games have at least one case that was scored."""
    return len({case.trace for case in run.cases if case.outcome in SCORED})


def verdict(run: Run) -> str:
    """The result of a run in one line: what is wrong, or that all is right."""
    games = games_scored(run)
    code = run.exit_code
    if code == ALL_WELL:
        said = f"in {counted(games, 'game')}"
        known = run.counts[Outcome.KNOWN]
        if not known:
            return f"all right {said}"
        cases = "1 case fails" if known == 1 else f"{known} cases fail"
        return f"nothing new is wrong {said}; {cases} as listed"
    ended = "nothing was asked" if run.refused_protocol else _ENDS.get(code, "")
    parts = (ended, *_not_kept(run))
    return "; ".join(filter(None, parts)) or "not right"


def _not_kept(run: Run) -> Iterator[str]:
    """Phrases on the clauses that are not kept and on other problems in the cases."""
    wrong = [group for group in run.groups if group.outcome not in LOST]
    named = [*dict.fromkeys(filter(None, (_clause_of(run, one) for one in wrong)))]
    if named:
        titles = (f"{one} {book.title(one)}" for one in named[:_FEW])
        told = ", ".join([*titles, *named[_FEW:]])
        yield f"{counted(len(named), 'clause')} not kept: {told}"
    if unnamed := sum(one.faults for one in wrong if not _clause_of(run, one)):
        answers = counted(unnamed, "wrong answer")
        yield f"{answers} for which no clause could be named"
    for one in run.groups:
        if one.outcome in LOST:
            yield f"conversation lost: {group_title(one, '')}"
    if mended := run.counts[Outcome.KNOWN_BUT_PASSES]:
        several = f"{mended} known failures pass"
        yield "1 known failure passes" if mended == 1 else several
    if old := len(run.stale):
        several = f"{old} entries of the known failures do not apply"
        yield "1 entry of the known failures does not apply" if old == 1 else several


def other_failed_cases(run: Run, found: Iterable[Finding]) -> list[Case]:
    """The cases that failed or ended in an error, but belong to no finding."""
    told = {case.id for one in found for case in one.cases}
    failed = {*WRONG_OUTCOMES, Outcome.ERROR}
    return [one for one in run.cases if one.outcome in failed and one.id not in told]


_ENDS: Final = {
    NOT_TO_THE_END: "the run did not finish, or the adapter itself failed",
    UNREADABLE: "something could not be read or written",
    TOO_FEW: "too little was asked to tell",
    OUR_FAULT: "an internal error",
}


def wrong_answer_counts(group: Group, games: int = 0) -> str:
    """How many answers are wrong, in how many games, and to which questions.

    `games` is the number of games in all, or 0 if that is not known.
    """
    word = "lost conversation" if group.outcome in LOST else "wrong answer"
    answers = counted(group.faults, word)
    wrong = len(group.lines)
    where = f"{wrong} of {games} games" if games > 1 else counted(wrong, "game")
    by_question = ", ".join(
        f"{_WORDS.get(one.question, one.question)} {one.faults}" for one in group.asked
    )
    return f"{answers} in {where} ({by_question})"


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
    """The text of a clause; empty if the book has no clause with this number."""
    known = book.clauses().get(number)
    return "" if known is None else known.text


def _trace(line: str) -> Trace | None:
    """The trace in a line; None if the line is anything else or cannot be read."""
    try:
        return read_trace(line.encode())
    except Malformed:
        return None


def _place(example: Example, trace: Trace | None, case: Case) -> str:
    """The game and step at which a fault shows.

    If that game is not one of the run's own, the text also says which game it was made
    from.
    """
    source = example.made_from or case.trace
    name = source if trace is None else trace.id
    made = f", made from {source}" if name != source else ""
    return f"{name}{_at_step(example.fault)}{made}"


def _rules(trace: Trace) -> str:
    """The rules of a trace, in everyday words."""
    ruleset = trace.ruleset
    return table_said(ruleset.profile, ruleset.players, ruleset.changed)


def _acts(trace: Trace, fault: Fault) -> str:
    """The acts before the step of a fault, in words; if many, only the last few."""
    number = fault.step_in(trace)
    acts = (f"seat {one.act.seat}: {one.act}" for one in trace.steps[: number - 1])
    told = []
    for act, same in groupby(acts):
        times = len([*same])
        told.append(act if times == 1 else f"{act}, {times} times")
    left_out = ["…"] if len(told) > _MOST_ACTS else []
    return ", ".join([*left_out, *told[-_MOST_ACTS:]])


def _act(trace: Trace, fault: Fault) -> str:
    """The act after which the question was asked.

    It is empty if the question was asked before an act, or if the trace has no acts.
    """
    if not (fault.is_after_act and trace.steps):
        return ""
    act = trace.steps[fault.step_in(trace) - 1].act
    return f"seat {act.seat}: {act}"


# Commands


def command_to_repeat(run: Run, group: Group, example: Example) -> str:
    """The command that repeats a finding."""
    asked = (*run.source, "--trace", example.made_from or group.case.trace)
    if example.file:
        asked = ("--corpus", example.file)
    limits: list[str] = []
    for name, option in _LIMIT_OPTIONS.items():
        seconds = getattr(run.limits, name)
        if seconds != getattr(_PLAIN, name):
            limits += [option, f"{seconds:g}"]
    words = ["refengine", "conform", "run", *asked, *limits]
    return shlex.join([*words, "--", *run.adapter])


# Which rules explain it


def inference_sentences(run: Run) -> list[str]:
    """Sentences that say which rules, if any, explain the disagreements.

    The list is empty if no such rules were sought.
    """
    found = run.inferred
    if found is None:
        return []
    if found.left_out:
        return [found.left_out]
    judged_from = _judged_from(run, found)
    if found.changes == ({},):
        return [
            "No option explains the disagreements: what is legal, seen and scored is "
            "right under the options given; they are about other things, such as the "
            f"clauses named ({judged_from})."
        ]
    if not found.changes:
        return [_unexplained(found, judged_from)]
    bugs = _known_bugs(run) if len(found.changes[0]) > 1 else []
    explained = _explained(found, judged_from)
    return [*bugs, *explained, *_open_to(found.open_to)]


def _judged_from(run: Run, inferred: Inferred) -> str:
    """The games on which the explanation rests, in words."""
    shortened = any(one.heard is not None for one in run.examples.values())
    smaller = ["the shortened ones included"] if shortened else []
    part = ["a part of all there are"] if inferred.capped else []
    return ", ".join([f"judged from {games_said(inferred.games)}", *smaller, *part])


def _unexplained(inferred: Inferred, judged_from: str) -> str:
    """A sentence saying that no change to the rules explains all disagreements.

    It names the change of one option that comes closest, if this explains more than a
    quarter of the games that went wrong.
    """
    nothing = "No option, and no combination of a few, explains all disagreements"
    if inferred.explained <= inferred.wrong // 4:
        return (
            f"{nothing}: a bug, or a rule that the book does not have ({judged_from})."
        )
    spoilt = f", but not {inferred.spoilt} that went right" if inferred.spoilt else ""
    return (
        f"{nothing}. {_change(inferred.partly)} explains {inferred.explained} of the "
        f"{inferred.wrong} games that went wrong{spoilt}: you may play that, along "
        f"with something else that is wrong, or a bug may look like it ({judged_from})."
    )


def _known_bugs(run: Run) -> list[str]:
    """A sentence on the known bugs that, alone or together, give the same answers.

    Such bugs are likelier than several options that happen to differ at once. The list
    is empty if any finding about wrong answers has no known bug as its cause, or if
    there is no such finding.
    """
    causes = {group.cause for group in run.groups if group.outcome not in LOST}
    if not causes or "" in causes:
        return []
    bugs = [catalogue.mutant_with_id(one).text for one in sorted(causes)]
    if len(bugs) == 1:
        return [f"A known bug answers the same: {bugs[0]}."]
    return [f"Known bugs that together answer the same: {'; '.join(bugs)}."]


def _explained(inferred: Inferred, judged_from: str) -> Iterator[str]:
    """Yield a sentence on each change to the rules that makes the games right.

    Only what is legal, seen and scored is considered; the clauses named, for example,
    may still be wrong.
    """
    first, *others = inferred.changes
    looked_at = " looked at" if inferred.capped else ""
    yield (
        f"What is legal, seen and scored is right in every game{looked_at} with "
        f"{_change(first)}: {_kind_of(inferred)} ({judged_from})."
    )
    for other in others:
        yield f"The same holds with {_change(other)}: the games cannot tell them apart."


def _kind_of(inferred: Inferred) -> str:
    """A phrase that says whether the first change is a house rule or a bug.

    If too few games show the change, it says that they cannot tell. It names what an
    engine for 52 cards may take for granted only if that explains the whole change.
    """
    first = inferred.changes[0]
    if inferred.wrong < _ENOUGH:
        return "a house rule or a bug, since too few games show it to tell"
    if inferred.small and first.keys() <= _FIXED.keys():
        fixed = " and ".join(dict.fromkeys(_FIXED[name] for name in first))
        return (
            f"a house rule, or {fixed}, since every game that shows it is played with "
            "fewer cards"
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
"""What an engine for 52 cards may take for granted, by the option affected."""


def _change(change: Mapping[str, Value]) -> str:
    """A change to the rules in words."""
    return " and ".join(rule_said(name, value, "`") for name, value in change.items())


def _open_to(open_to: Mapping[str, tuple[Value, ...]]) -> Iterator[str]:
    """A sentence on the other values that fit these games, if there are any."""
    if open_to:
        told = "; ".join(_fitting(name, values) for name, values in open_to.items())
        yield f"These games would fit as well: {told}."


def _fitting(name: str, values: tuple[Value, ...]) -> str:
    """An option in words, with some of the values that fit."""
    typed = [f"`{name}={value_text(one)}`" for one in values[:_FEW]]
    more = len(values) - _FEW
    some = [*typed, f"{more} more"] if more > 0 else typed
    return f"{option_name(name)} ({', '.join(some)})"
