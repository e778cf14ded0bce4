"""Finds, for each group of faults in a run, the smallest game that shows the fault.

For each group, an adapter is started anew, so that the result does not depend on the
number of jobs. If that adapter does not show the fault again, the report says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from time import monotonic

import attrs
import msgspec

from refengine.errors import Malformed
from refengine.formats.fields import act_fields
from refengine.formats.minideals import read_mini
from refengine.formats.openings import opening_of
from refengine.formats.trace import Trace, read_trace, trace_id, write_trace
from refengine.game.acts import Act
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine.jobs.executors import (
    LostWorkerError,
    OtherSourceError,
    open_executor,
    results_in_order,
)
from refengine.lawbook.profiles import profile_names
from refengine_conformance.diagnosis.asker import (
    Asker,
    Sought,
    find_same_fault,
    same_fault_test,
)
from refengine_conformance.diagnosis.bare_games import (
    Wanted,
    game_up_to_fault,
    largest_hand,
    trace_that_asks,
    wanted_of,
)
from refengine_conformance.diagnosis.fitting_rulesets import Heard, misfits
from refengine_conformance.diagnosis.miscounts import find_wrong_line
from refengine_conformance.diagnosis.shrinking import (
    MOST_CARDS,
    MOST_TRIES,
    SECONDS,
    Shrinking,
)
from refengine_conformance.runner.driver import CannotRunError
from refengine_conformance.runner.results import LOST, Case, Fault, Limits
from refengine_conformance.runner.run_time import ENDLESS, RunOverError, RunTime
from refengine_conformance.runner.runs import Example, Group, Run
from refengine_conformance.runner.table import Table
from refengine_conformance.runner.transcripts import Transcript

_NOT_AGAIN = (
    "a fresh adapter that is asked nothing else does not show it: "
    "it depends on what was played before"
)
_NOT_BY_ACTS = "a fresh adapter that plays its games act by act does not show it"
_LATE = "the time for making it smaller was up"
_LAST = 1.0  # extra seconds for a request that is under way when the time is up


@attrs.frozen(kw_only=True)
class Bounds:
    """The limits of the search for one group's example: games tried, and seconds.

    `time` is the time that all groups share.
    """

    tries: int = MOST_TRIES
    seconds: float = SECONDS
    time: RunTime = ENDLESS


@attrs.frozen(kw_only=True)
class _Task:
    """Everything that the search for the example of one group needs to know.

    `lines` maps the ids of games to their lines.
    """

    group: Group
    lines: Mapping[str, str]
    command: tuple[str, ...]
    limits: Limits
    bounds: Bounds
    table: Table | None


@attrs.frozen
class _Result:
    """The example found for the group `key`; `bug` tells of any error in the search."""

    key: str
    example: Example | None
    bug: str = ""


def with_examples(
    run: Run,
    jobs: int = 1,
    bounds: Bounds | None = None,
    advance: Callable[[int], None] | None = None,
) -> Run:
    """Add to a run, for each of its groups, the smallest game found with the fault.

    After each group, `advance` is called with the number of groups done. Once the time
    is up, each remaining group gets one of the run's own games, with a note. A group
    gets none if the run lacks the line of an example, if there is an error of ours in
    the search, or if the worker processes fail before it is done; such an error is
    added to the `bugs` of the run.
    """
    tasks = [
        _Task(
            group=group,
            lines={case.trace: run.lines[case.trace] for case, _ in group.examples},
            command=run.adapter,
            limits=run.limits,
            bounds=bounds or Bounds(),
            table=None if run.at_table is None else run.at_table.table,
        )
        for group in run.groups
        if all(case.trace in run.lines for case, _ in group.examples)
    ]
    found: dict[str, Example] = {}
    bugs = []
    try:
        for done, result in enumerate(_results(tasks, jobs), 1):
            if result.example is not None:
                found[result.key] = result.example
            if result.bug:
                bugs.append(result.bug)
            if advance is not None:
                advance(done)
    except LostWorkerError:
        bugs.append("a worker process ended too early")
    except OtherSourceError as error:
        bugs.append(str(error))
    return attrs.evolve(run, examples=found, bugs=(*run.bugs, *bugs))


def _results(tasks: list[_Task], jobs: int) -> Iterator[_Result]:
    """The results of these searches, in order; at most `jobs` processes make them."""
    # Workers take seconds to start: too long once the time is up.
    if jobs == 1 or len(tasks) < 2 or tasks[0].bounds.time.left <= 0:
        yield from map(_result_of, tasks)
        return
    with open_executor(min(jobs, len(tasks))) as pool:
        assert pool is not None
        yield from results_in_order(tasks, _result_of, pool)


def _result_of(task: _Task) -> _Result:
    """Find the example of one group, or say what went wrong in the search.

    If the search is cut short, the example is one of the run's own games, with a note.
    A game in which nothing is played is used as it is.
    """
    group = task.group
    own = Example(task.lines[group.case.trace], group.fault)
    if all(opening_of(line.encode()) for line in task.lines.values()):
        return _Result(group.key, own)
    try:
        return _Result(group.key, _found_example(task))
    except CannotRunError as error:
        note = f"the adapter could not be started again: {error}"
    except RunOverError:
        note = _LATE  # perhaps only the run's share for smaller games was used up
    except Exception as error:  # the examples of the other groups are worth having
        return _Result(group.key, None, f"shrinking {group.key}: {error!r:.300}")
    return _Result(group.key, attrs.evolve(own, note=note))


def _found_example(task: _Task) -> Example:
    """Look for the example of one group with an adapter started for this purpose.

    Raises CannotRunError if the adapter does not start, and RunOverError once the time
    shared by all groups is up.
    """
    task.bounds.time.check()
    last = task.bounds.time.later(_LAST)
    with Asker(task.command, task.limits, last) as asker:
        if not task.group.cause:
            return _Search(task, asker).example()
        mutant = (f"builtin:mutant:{task.group.cause}",)
        with Asker(mutant, time=last) as twin:
            return _Search(task, asker, twin).example()


@attrs.frozen
class _Small:
    """A small game, the fault that it shows, and the adapter's answers in it."""

    trace: Trace
    fault: Fault
    heard: Transcript | None

    @property
    def largest_hand(self) -> int:
        """The size of the largest hand when the game, or any deal in it, begins."""
        return largest_hand(game_up_to_fault(self.trace, self.fault))

    @property
    def size(self) -> tuple[int, int]:
        """A sort key for games: the largest hand, then the number of steps."""
        return self.largest_hand, len(self.trace.steps)


class _Search:
    """The search for the smallest example of one group.

    `twin` is a mutant that answers as the adapter does, if there is one.
    """

    def __init__(self, task: _Task, asker: Asker, twin: Asker | None = None) -> None:
        self.group = task.group
        self.lines = task.lines
        self.asker = asker
        self.twin = twin
        self.table = task.table
        self.tries = task.bounds.tries
        self.end = min(monotonic() + task.bounds.seconds, task.bounds.time.end)
        self.late = False

    def example(self) -> Example:
        """The smallest game found that shows the fault, or else a game of the run."""
        best: _Small | None = None
        made_from = ""
        for case, fault in self.group.examples:
            try:
                small = self._smallest(case, fault)
            except RunOverError:
                if best is None:
                    raise
                self.late = True
                break
            if small is not None and (best is None or small.size < best.size):
                best, made_from = small, case.trace
            if best is not None and best.largest_hand <= MOST_CARDS:
                break
            if monotonic() > self.end:
                self.late = True
                break
        if best is None:
            line = self.lines[self.group.case.trace]
            return Example(line, self.group.fault, note=self._why_not_smaller(line))
        return Example(
            write_trace(best.trace).decode().rstrip("\n"),
            best.fault,
            right_under=self._right_under(best),
            note=_LATE if self.late else "",
            heard=best.heard,
            made_from=made_from,
        )

    def _why_not_smaller(self, line: str) -> str:
        """A note on why one of the run's own games is the example; "" if none fits."""
        if self.late:
            return _LATE
        if self.group.case.kind == "enumerate":
            return _NOT_BY_ACTS if self._can_descend() else ""
        return "" if opening_of(line.encode()) else _NOT_AGAIN

    def _smallest(self, case: Case, fault: Fault) -> _Small | None:
        """The smallest game found that shows this fault, or None if there is none."""
        line = self.lines[case.trace].encode()
        if case.kind == "enumerate":
            return self._descended(line) if self._can_descend() else None
        if opening_of(line):
            return None  # nothing is played in it
        outcome = self.group.outcome
        sought = Sought(self._clause_in(fault), fault.question, case.kind, outcome)
        trace = read_trace(line)
        wanted = wanted_of(trace, fault)
        if outcome in LOST:
            if _probed_act(trace, fault.step, case.request) is not None:
                wanted = attrs.evolve(wanted, question="refuse")
            # The question that brings about a loss may come at any step before it.
            fault = attrs.evolve(fault, step=0)
            trace = self._cut(trace, fault, wanted, sought)
        return self._shrunk(trace, fault, wanted, sought)

    def _can_descend(self) -> bool:
        """Whether a wrong count may be traced to a wrong answer in one of the games.

        For this, the adapter must be able to play games. If a conversation was lost
        while games were being counted, it need not be lost in any of the games.
        """
        if self.group.outcome in LOST:
            return False
        return self.asker.can("step") or self.asker.can("replay")

    def _descended(self, line: bytes) -> _Small | None:
        """The smallest form of a game that explains a wrong count; None if none does.

        `line` is the mini-deal whose games were counted wrongly. The game is the one in
        which a wrong answer comes earliest.
        """
        mini, named = read_mini(line), self.group.clause
        found = find_wrong_line(self.asker, mini, self.end - monotonic(), named)
        if found is None:
            return None
        fault = found.fault
        sought = Sought(self._clause_in(fault), fault.question, found.case.kind)
        wanted = wanted_of(found.trace, fault)
        return self._shrunk(found.trace, fault, wanted, sought)

    def _clause_in(self, fault: Fault) -> str:
        """The clause to look for: the group's if this fault names it, else its first.

        A breach of the group's clause may show up as a fault against another clause.
        The result is "" if the fault names no clause.
        """
        if self.group.clause in fault.clauses:
            return self.group.clause
        return fault.clauses[0] if fault.clauses else ""

    def _shrunk(
        self, trace: Trace, fault: Fault, wanted: Wanted, sought: Sought
    ) -> _Small | None:
        """Make a trace as small as possible; None if the fault does not show again.

        If the twin does not share the fault in this trace, it is no longer used. If the
        time of the run is up before the fault can be shown again, the smallest game in
        which it has been seen is returned.
        """
        shows = same_fault_test(self.asker, sought, self.twin, self.table)
        if self.twin is not None and not shows(trace):
            shows = same_fault_test(self.asker, sought, table=self.table)
        seen: list[_Small] = []

        def noted(game: Trace) -> bool:
            """Whether the fault shows in this game; if so, it is kept in `seen`."""
            if not shows(game):
                return False
            found = sought.found_in(self.asker.last_cases)
            assert found is not None
            seen.append(self._small(game, found, sought))
            return True

        shrinking = Shrinking(
            trace,
            fault,
            wanted,
            noted,
            tries=self.tries,
            seconds=self.end - monotonic(),
            losses=lambda: self.asker.losses,
        )
        small = shrinking.smallest()
        self.late = self.late or shrinking.late
        if small is trace:
            small = _cut_after(trace, fault)
        try:
            return self._shown_again((small, trace), sought)
        except RunOverError:
            if not seen:
                raise
            self.late = True
            return min(seen, key=lambda small: small.size)

    def _shown_again(self, games: Iterable[Trace], sought: Sought) -> _Small | None:
        """The first of these games in which the fault shows if it is asked again."""
        for game in games:
            found = find_same_fault(self.asker, game, sought)
            if found is not None:
                return self._small(game, found, sought)
        return None

    def _small(self, trace: Trace, fault: Fault, sought: Sought) -> _Small:
        """A game that has just shown this fault, with the answers given in it."""
        heard = self.asker.heard
        if sought.outcome in LOST:
            fault = _with_last_question(trace, fault, heard)
        return _Small(trace, fault, heard)

    def _cut(self, trace: Trace, fault: Fault, wanted: Wanted, sought: Sought) -> Trace:
        """The shortest beginning found of a trace in which the conversation is lost.

        Less is cut off if shorter games do not lose the conversation, or if the time is
        up.
        """
        game = game_up_to_fault(trace, fault)
        shows = same_fault_test(self.asker, sought, table=self.table)
        low, high = 1, len(game.acts)
        while low < high and monotonic() < self.end:
            middle = (low + high) // 2
            first = attrs.evolve(game, acts=game.acts[:middle])
            shorter = trace_that_asks(first, wanted, everywhere=True)
            if shorter is not None and shows(shorter):
                high = middle
            else:
                low = middle + 1
        return _cut_after(trace, attrs.evolve(fault, step=high))

    def _right_under(self, small: _Small) -> tuple[str, ...]:
        """The names of the other profiles under which all answers to a game are right.

        There are none if the fault is a loss, if the answers tell nothing, or if the
        answers are right under the game's own profile and only the clauses named with
        them are wrong.
        """
        if self.group.outcome in LOST or small.heard is None:
            return ()
        record = Heard(small.trace, small.heard)
        own = small.trace.ruleset
        if not record.tells or not misfits(record, own):
            return ()
        return tuple(
            name
            for name in profile_names()
            if name != own.profile
            and (other := _under_profile(name, own)) is not None
            and not misfits(record, other)
        )


def _under_profile(profile: str, like: Ruleset) -> Ruleset | None:
    """The ruleset of this profile with the players and changed options of `like`.

    It is None if the book forbids it.
    """
    try:
        return Ruleset(profile, like.players, like.changed)
    except (Refused, Malformed):
        return None


def _cut_after(trace: Trace, fault: Fault) -> Trace:
    """The trace up to the step of a fault; all of it if the fault is at the end."""
    if not 0 < fault.step < len(trace.steps):
        return trace
    short = attrs.evolve(trace, steps=trace.steps[: fault.step], end={})
    return attrs.evolve(short, id=trace_id(short))


def _probed_act(trace: Trace, step: int, request: str) -> Act | None:
    """The act named in a request, if this step of the trace probes it; otherwise None.

    The request may also carry out the act, since an act that must be refused is also
    tried in that way (see `transcripts`). The result is also None if the step or the
    request is not known.
    """
    if not request or not 0 < step <= len(trace.steps):
        return None
    try:
        sent = msgspec.json.decode(request)
    except msgspec.DecodeError:  # a request so long that it was shortened
        return None
    asked = trace.steps[step - 1]
    for one in (*asked.refuse, *asked.irregular):
        act = one.act
        if (act.seat, act_fields(act)) == (sent.get("seat"), sent.get("act")):
            return act
    return None


def _with_last_question(
    trace: Trace, loss: Fault, said: Transcript | None = None
) -> Fault:
    """Add to a loss the question that the adapter was asked last before it was lost.

    If the step of the loss is not known, it is taken to be the last of the trace.
    `said`, if given, tells which of several probed acts came last, and whether the act
    of the step had been carried out; otherwise, the first probed act is taken, and the
    act of the step counts as carried out. A game that never began has no such question,
    so its loss is returned as it is.
    """
    if not trace.steps or loss.root == "open":
        return loss
    number = loss.step or len(trace.steps)
    last = trace.steps[number - 1]
    probes = (*last.refuse, *last.irregular)
    broke = None if said is None else said.broke
    probed = None if broke is None else _probed_act(trace, number, broke.request)
    moments = () if said is None else said.moments
    is_made = len(moments) < number or moments[number - 1].answer is not None
    if loss.root == "legal":
        asked = "what is due?"
    elif loss.root == "refuse" and probes:
        act = probed or probes[0].act
        asked = f"may seat {act.seat} {act.phrase}?"
    elif loss.root in ("then", "view"):
        when = "after" if is_made else "before"
        asked = f"what is to be seen {when} step {number}?"
    elif loss.root == "told":
        asked = f"what is told of step {number}?"
    else:
        act = probed or last.act
        asked = f"seat {act.seat}: {act}"
    return attrs.evolve(loss, step=number, asked=asked)
