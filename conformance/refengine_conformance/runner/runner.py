"""Put many traces to an adapter, with the same result for any number of processes.

The traces are cut into chunks that depend on the selection alone, and each chunk gets a
fresh adapter. The results are put together in the order of the selection, and restarts
are counted against their limits in that order, so that the timing of the workers does
not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import date
from math import ceil, inf
from typing import Final

import attrs

from refengine.errors import Malformed, times
from refengine.formats.minideals import read_mini
from refengine.formats.trace import read_trace, spec_version
from refengine.jobs.executors import (
    LostWorkerError,
    OtherSourceError,
    open_executor,
    results_in_order,
)
from refengine_conformance.runner.answers import form_sentence
from refengine_conformance.runner.cases import trace_cases, unasked_cases
from refengine_conformance.runner.driver import (
    Adapter,
    BrokenError,
    CannotRunError,
    WrongEditionError,
    WrongProtocolError,
    transport_of,
)
from refengine_conformance.runner.fault_dictionary import causes_of
from refengine_conformance.runner.known_failures import Entry, sort_known
from refengine_conformance.runner.mini_cases import mini_cases, unasked_mini
from refengine_conformance.runner.opening_cases import opening_cases, unasked_opening
from refengine_conformance.runner.results import (
    HELLO,
    NOT_ASKED,
    WRONG_OUTCOMES,
    Case,
    EngineCard,
    Limits,
    Outcome,
)
from refengine_conformance.runner.run_time import ENDLESS, RunOverError, RunTime
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import Selected, Selection, why_unasked
from refengine_conformance.runner.spread import first_and_spread
from refengine_conformance.runner.transcripts import Judged, Transcript

WAYS: Final = ("auto", "step", "replay", "both")
_CHUNKS: Final = 16
_SMALLEST: Final = 64
_FEW: Final = 256


@attrs.frozen(kw_only=True)
class Settings:
    """How a run is carried out.

    `ways` is `auto`, `step`, `replay` or `both`. The traces are put to adapters by
    `jobs` processes, or by the workers of the cluster with this `scheduler`, until the
    `time` is up. `source` holds the options that name the traces, so that a report can
    repeat them.
    """

    command: tuple[str, ...]
    limits: Limits = attrs.field(factory=Limits)
    jobs: int = 1
    scheduler: str = ""
    ways: str = "auto"
    source: tuple[str, ...] = ()
    time: RunTime = ENDLESS


@attrs.frozen
class _Found:
    """The result for one line: its cases, and whether the adapter is gone.

    `bug` says what went wrong in the suite itself, and `unreadable` what is wrong with
    the line. `heard` is what the adapter said about a trace; it is None if the answers
    are not kept, if the game ended in the adapter's own error, or if the trace asks
    what seats are told. `length` is the length of the line.
    """

    id: str
    cases: tuple[Case, ...]
    gone: bool = False
    bug: str = ""
    unreadable: str = ""
    heard: Transcript | None = None
    length: int = 0

    def has(self, outcome: Outcome) -> bool:
        """Whether one of its cases has this outcome."""
        return any(case.outcome is outcome for case in self.cases)


@attrs.frozen(kw_only=True)
class _Results:
    """The results of one chunk; if they are incomplete, `stopped` says why."""

    found: tuple[_Found, ...] = ()
    left_out: tuple[Selected, ...] = ()  # its last lines, if the time was up
    card: EngineCard | None = None
    faults: tuple[str, ...] = ()
    stopped: str = ""
    refused_protocol: str = ""
    wrong_edition: bool = False
    stderr: str = ""


@attrs.frozen(kw_only=True)
class _Task:
    """A chunk of lines for an adapter; `few` is true if there are few lines in all."""

    lines: tuple[Selected, ...]
    settings: Settings
    few: bool


def ways_of(settings: Settings, name: str, few: bool) -> tuple[str, ...]:
    """The ways in which a trace is put to an adapter that declares `step` and `replay`.

    With `auto`, each trace is replayed, which is faster. So that `step` is tried too,
    about one trace in sixteen, chosen by its id, is also put to the adapter step by
    step; if there are few traces, all of them are.
    """
    if settings.ways in ("step", "replay"):
        return (settings.ways,)
    if settings.ways == "both" or few or name.endswith("0"):
        return ("step", "replay")
    return ("replay",)


class Restarts:
    """A count of how often an adapter was lost, both in a row and in total."""

    def __init__(self, limits: Limits) -> None:
        self.limits: Final = limits
        self.row = 0
        self.all = 0

    def count(self, gone: bool, cases: Iterable[Case]) -> str:
        """Count one line and return why the run has to stop, or an empty string.

        A line about which nothing was asked does not show that the adapter works.
        """
        if gone or any(case.outcome not in NOT_ASKED for case in cases):
            self.row = self.row + 1 if gone else 0
        self.all += gone
        if self.row > self.limits.restarts_in_a_row:
            row = " in a row" if self.row > 1 else ""
            return f"the adapter was lost {times(self.row)}{row}"
        if self.all > self.limits.restarts:
            return f"the adapter was lost {times(self.all)}"
        return ""


def judge_line(adapter: Adapter, line: Selected, ways: tuple[str, ...]) -> Judged:
    """Put a line to an adapter, in these `ways` if a trace, and judge the answers."""
    if line.mini:
        return mini_cases(adapter, read_mini(line.data))
    if opening := line.opening:
        return opening_cases(adapter, opening)
    return trace_cases(adapter, read_trace(line.data), ways)


def tell_nobody(done: int) -> None:
    """Ignore the number of lines that are done, so that no progress is shown."""


def _ask_chunk(task: _Task, advance: Callable[[int], None] = tell_nobody) -> _Results:
    """Put the lines of one chunk to an adapter, restarting it when it is lost.

    After each line, `advance` is called with the number of lines done so far.
    """
    asking = _Asking(task)
    try:
        asking.ask_all(advance)
    finally:
        asking.close()
    return asking.results()


class _Asking:
    """The work of putting one chunk to an adapter, and its results so far."""

    def __init__(self, task: _Task) -> None:
        self.task = task
        self.settings = task.settings
        self.adapter: Adapter | None = None
        self.card: EngineCard | None = None
        self.found: list[_Found] = []
        self.left_out: tuple[Selected, ...] = ()
        self.faults: list[str] = []
        self.stopped = ""
        self.refused_protocol = ""
        self.wrong_edition = False
        self.stderr = ""

    def results(self) -> _Results:
        """The results of the chunk, including the adapter's answers in some games."""
        kept = {one.id for one in _to_keep(self.found)}
        return _Results(
            found=tuple(
                one if one.id in kept else attrs.evolve(one, heard=None)
                for one in self.found
            ),
            left_out=self.left_out,
            card=self.card,
            faults=tuple(self.faults),
            stopped=self.stopped,
            refused_protocol=self.refused_protocol,
            wrong_edition=self.wrong_edition,
            stderr=self.stderr,
        )

    def close(self) -> None:
        """Kill the adapter, if one is running."""
        if self.adapter is not None:
            self.adapter.kill()

    def ask_all(self, advance: Callable[[int], None]) -> None:
        """Put the lines to the adapter one by one, until all are done or the run stops.

        If there are no lines, the adapter is still started, for its `hello`.
        """
        try:
            if self._ask_lines(advance):
                self._say_goodbye()
        except RunOverError as error:
            if not self.task.lines:
                self.stopped = str(error)
            self.left_out = self.task.lines[len(self.found) :]

    def _ask_lines(self, advance: Callable[[int], None]) -> bool:
        """Put the lines to the adapter one by one, and return whether all were done."""
        if not self.task.lines:
            self._adapter()
        restarts = Restarts(self.settings.limits)
        for done, line in enumerate(self.task.lines, 1):
            self.settings.time.check()
            adapter = self._adapter()
            if adapter is None:
                return False
            found = self._ask(adapter, line)
            self.found.append(found)
            if found.gone:
                self.stderr = self.stderr or adapter.stderr
                self.adapter = None
            if restarts.count(found.gone, found.cases):
                return False
            advance(done)
        return True

    def _say_goodbye(self) -> None:
        """Say `bye` to the adapter, if one is running, and collect its faults."""
        if self.adapter is not None:
            self.adapter.end()
            self.faults += self.adapter.faults
            self.adapter = None

    def _adapter(self) -> Adapter | None:
        """The adapter, started if none is running.

        Returns None if it cannot be started, or if the first adapter does not survive
        an unknown op.
        """
        if self.adapter is None:
            adapter = self._started()
            if adapter is None:
                return None
            is_first = self.card is None
            if is_first and not self._survives_unknown_op(adapter):
                return None
            self.adapter = adapter
        return self.adapter

    def _started(self) -> Adapter | None:
        """A new adapter; None if it cannot be started, with the reason noted."""
        try:
            transport = transport_of(self.settings.command)
            return Adapter(transport, self.settings.limits, self.settings.time)
        except CannotRunError as error:
            self.stopped = str(error)
            if isinstance(error, WrongProtocolError):
                self.refused_protocol = self.stopped
            self.wrong_edition = isinstance(error, WrongEditionError)
            self.stderr = self.stderr or error.stderr
        return None

    def _survives_unknown_op(self, adapter: Adapter) -> bool:
        """Send the first adapter an unknown op and return whether it is still there.

        What the adapter declares is kept in `card`. If its answer is wrong, a fault is
        noted; if it is gone, the reason why the run must stop is noted instead.
        """
        self.card = adapter.card
        try:
            adapter.check_unknown_op()
        except BrokenError as error:
            self.stopped = f"an unknown op, wanted unsupported: {error}"
            self.stderr = adapter.stderr
            return False
        self.faults += adapter.faults
        adapter.faults.clear()
        return True

    def _ask(self, adapter: Adapter, line: Selected) -> _Found:
        """Put one line to the adapter; an unexpected error is noted in the result."""
        if line.retired:
            return _Found(line.id, _unasked(line, Outcome.RETIRED, line.retired))
        ways = ways_of(self.settings, line.id, self.task.few)
        try:
            judged = judge_line(adapter, line, ways)
        except RunOverError:
            raise
        except Exception as error:  # one trace must not take the others down with it
            why = ""
            with suppress(Exception):  # the same fault may show there, too
                why = why_unasked(line.data)
            if why:
                return _Found(line.id, (), unreadable=f"{line.id}: {why}")
            return _Found(line.id, (), bug=f"{line.id}: {error!r:.300}")
        heard = judged.heard
        if any(case.thrown or case.kind == "events" for case in judged.cases):
            heard = None
        return _Found(
            line.id, judged.cases, judged.gone, heard=heard, length=len(line.data)
        )


def _unasked(
    line: Selected, outcome: Outcome, reason: str, card: EngineCard | None = None
) -> tuple[Case, ...]:
    """The cases of a line that is retired, or that the run did not get to.

    A line that cannot be read, such as an old one that is retired, has one case. `card`
    is what the adapter declares, or None if it has declared nothing yet.
    """
    if line.retired:
        outcome, reason = Outcome.RETIRED, line.retired
    with suppress(Malformed):
        if line.mini:
            return unasked_mini(read_mini(line.data), outcome, reason, card)
        if opening := line.opening:
            return unasked_opening(opening, outcome, reason, card)
        return unasked_cases(read_trace(line.data), outcome, reason, card)
    kind = "enumerate" if line.mini else "step"
    applicable = outcome is not Outcome.RETIRED
    return (Case(line.id, kind, outcome, note=reason, applicable=applicable),)


# Which answers of the adapter are kept


_MOST_WRONG: Final = 60
"""At most this many games with a wrong answer have their answers kept."""
_MOST_RIGHT: Final = 80
_LONG: Final = 2_500  # bytes in the line of a game


def _to_keep(found: Iterable[_Found]) -> list[_Found]:
    """Choose right and wrong games, whose answers are kept so as to infer the rules."""
    told = [one for one in found if one.heard is not None]
    wrong = [one for one in told if one.has(Outcome.FAIL)]
    right = [one for one in told if one.has(Outcome.PASS) and not one.has(Outcome.FAIL)]
    return _spread(wrong, _MOST_WRONG) + _spread(right, _MOST_RIGHT)


def _spread(found: list[_Found], most: int) -> list[_Found]:
    """Choose at most `most` games: the shortest, and an even spread of the rest.

    The shortest make up half of them. If the games no longer than `_LONG` fill that
    half, all longer games are left out, since they take long and add little.
    """
    by_length = sorted(found, key=lambda one: one.length)
    short = [one for one in by_length if one.length <= _LONG]
    if len(short) >= most // 2:
        by_length = short
    return first_and_spread(by_length, most)


# The whole run


def chunks_of(lines: tuple[Selected, ...]) -> list[tuple[Selected, ...]]:
    """The lines, cut into chunks whose size depends only on the number of lines."""
    size = max(_SMALLEST, ceil(len(lines) / _CHUNKS))
    return [lines[start : start + size] for start in range(0, len(lines), size)]


def run(
    selection: Selection,
    settings: Settings,
    chosen: dict[str, str] | None = None,
    known: tuple[Entry, ...] = (),
    today: date | None = None,
    advance: Callable[[int], None] = tell_nobody,
) -> Run:
    """Run an adapter on the selected lines, and return what the run found.

    The lines of `selection.beside` come last, if the adapter declares their capability.
    `chosen` says what narrows the selection, for the head of the report. `known` are
    the known failures as of `today`, which is the day of the run by default. `advance`
    is called with the number of selected lines done so far.
    """
    whole = _Whole(selection, settings)
    only_beside = not selection.lines and any(
        lines_beside() for lines_beside in selection.beside.values()
    )
    _ask_all(selection.lines, whole, advance, hello=only_beside)
    beside = whole.take_in_beside()
    if beside and not (whole.stopped or whole.late):
        _ask_all(beside, whole, tell_nobody)
    return whole.run(chosen or {}, known, today or date.today())


def _ask_all(
    lines: tuple[Selected, ...],
    whole: _Whole,
    advance: Callable[[int], None],
    hello: bool = False,
) -> None:
    """Put these lines to adapters, chunk by chunk, until the run is stopped.

    If there are no lines, an adapter is started only if its `hello` is wanted.
    """
    settings, few = whole.settings, len(lines) <= _FEW
    chunks = chunks_of(lines)
    if hello and not chunks:
        chunks = [()]
    tasks = [_Task(lines=some, settings=settings, few=few) for some in chunks]
    if settings.scheduler or (settings.jobs > 1 and len(tasks) > 1):
        _ask_in_workers(tasks, whole, advance)
        return
    for task in tasks:
        # `whole.done` counts the lines of earlier chunks.
        whole.add(_ask_chunk(task, lambda done: advance(whole.done + done)))
        if whole.stopped:
            return


def run_not_begun(
    selection: Selection,
    settings: Settings,
    error: CannotRunError,
    chosen: dict[str, str] | None = None,
    known: tuple[Entry, ...] = (),
) -> Run:
    """The result of a run whose adapter cannot start or answers `hello` wrongly."""
    whole = _Whole(selection, settings)
    whole.stopped, whole.stderr = str(error), error.stderr
    if isinstance(error, WrongProtocolError):
        whole.refused_protocol = str(error)
    if isinstance(error, WrongEditionError):
        whole.cases = [_wrong_hello(str(error))]
    return whole.run(chosen or {}, known, date.today())


def run_stopped_at_hello(settings: Settings, wrong: Malformed) -> Run:
    """The result of a run whose adapter declares an unknown or refused table."""
    said = form_sentence("hello", wrong)
    whole = _Whole(Selection(()), settings)
    whole.cases = [_wrong_hello(said)]
    whole.stopped = said
    return whole.run({}, (), date.today())


def _wrong_hello(said: str) -> Case:
    """The case for an invalid table or edition in the answer to `hello`."""
    return Case(HELLO, HELLO, Outcome.PROTOCOL, note=said)


def _ask_in_workers(
    tasks: list[_Task], whole: _Whole, advance: Callable[[int], None]
) -> None:
    """Put these chunks to adapters in other processes until the run is stopped.

    The workers of a cluster have other clocks, so for them this process keeps the time.
    """
    settings, end = whole.settings, inf
    if settings.scheduler:
        end = settings.time.end
        own = attrs.evolve(settings, time=ENDLESS)
        tasks = [attrs.evolve(task, settings=own) for task in tasks]
    try:
        with open_executor(settings.jobs, settings.scheduler) as pool:
            assert pool is not None
            for results in results_in_order(tasks, _ask_chunk, pool, end):
                whole.add(results)
                advance(whole.done)
                if whole.stopped:
                    break
    except TimeoutError:
        whole.late = True
    except LostWorkerError:
        whole.stopped = "a worker process ended too early"
    except OtherSourceError as error:
        whole.stopped = str(error)


class _Whole:
    """The results of the whole run, built up from those of its chunks in order."""

    def __init__(self, selection: Selection, settings: Settings) -> None:
        self.selection = selection
        self.settings = settings
        self.restarts = Restarts(settings.limits)
        self.cases: list[Case] = []
        self.left_out: list[tuple[int, Selected]] = []  # with the place of their cases
        self.kept: list[_Found] = []
        self.faults: list[str] = []
        self.bugs: list[str] = []
        self.unreadable: list[str] = [*selection.unreadable]
        self.card: EngineCard | None = None
        self.done = 0
        self.asked = 0
        self.late = False
        self.stopped = ""
        self.refused_protocol = ""
        self.stderr = ""

    def add(self, results: _Results) -> None:
        """Add the results of the next chunk, up to the line where the run must stop."""
        self.card = self.card or results.card
        self.faults += [one for one in results.faults if one not in self.faults]
        self.stderr = self.stderr or results.stderr
        for found in results.found:
            self.cases += found.cases
            self.done += 1
            if found.heard is not None:
                self.kept.append(found)
            if found.bug:
                self.bugs.append(found.bug)
            if found.unreadable:
                self.unreadable.append(found.unreadable)
            self.asked += 1
            self.stopped = self.restarts.count(found.gone, found.cases)
            if self.stopped:
                return
        for line in results.left_out:
            self.left_out.append((len(self.cases), line))
            self.done += 1
            self.asked += bool(line.retired)
            self.late = self.late or not line.retired
        self.stopped = results.stopped
        if results.wrong_edition:
            self.cases.append(_wrong_hello(results.stopped))
        self.refused_protocol = results.refused_protocol

    def take_in_beside(self) -> tuple[Selected, ...]:
        """Add the lines of `beside` that need this adapter's capabilities; return them.

        No line is added for an adapter that never answered `hello`.
        """
        if self.card is None:
            return ()
        before = len(self.selection.lines)
        self.selection = self.selection.with_beside(self.card.capabilities)
        return self.selection.lines[before:]

    def _add_what_was_left(self) -> None:
        """Add the cases of the lines that the run did not get to.

        If the time was up, `stopped` is set to say so.
        """
        time = str(self.settings.time)
        for place, line in reversed(self.left_out):  # now that the card is known
            self.cases[place:place] = _unasked(line, Outcome.NOT_RUN, time, self.card)
        if self.late and not self.stopped:
            number = len(self.selection.lines)
            self.stopped = f"{time} after {self.asked} of {number} traces"
        for line in self.selection.lines[self.done :]:
            stopped = "the run was stopped"
            self.cases += _unasked(line, Outcome.NOT_RUN, stopped, self.card)

    def run(self, chosen: dict[str, str], known: tuple[Entry, ...], today: date) -> Run:
        """The result, including the cases of lines that the run did not get to."""
        self._add_what_was_left()
        unasked = self.bugs or self.unreadable or self.selection.short
        partial = bool(chosen or self.stopped or unasked)
        marked = sort_known(tuple(self.cases), known, today, partial)
        wrong = {
            case.trace
            for case in marked.cases
            if case.outcome in WRONG_OUTCOMES or case.outcome is Outcome.KNOWN
        }
        return Run(
            adapter=self.settings.command,
            spec=spec_version(),
            selection=chosen,
            limits=self.settings.limits,
            card=self.card,
            cases=marked.cases,
            heard={one.id: one.heard for one in _to_keep(self.kept) if one.heard},
            faults=tuple(self.faults),
            stopped=self.stopped,
            refused_protocol=self.refused_protocol,
            unreadable=tuple(self.unreadable),
            stale=marked.stale,
            short=self.selection.short,
            bugs=tuple(self.bugs),
            causes=causes_of(marked.cases),
            lines={
                line.id: line.data.decode("utf-8")
                for line in self.selection.lines
                if line.id in wrong
            },
            stderr=self.stderr,
            source=self.settings.source,
        )
