"""Finds out, by running the engine, which clauses a trace is evidence for.

A clause *fires* in a trace when it decides something there: some function that
implements the clause would have returned a different result if the clause had been
switched off. A clause is *necessary* for a trace when the trace fails under the `off:`
mutant of that clause: a verdict, a legal set or a result is then different.

All of this runs in a worker (`mutants.loading`), in which the engine is interpreted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from itertools import combinations
from types import FunctionType
from typing import Any, Final

import attrs

from refengine.formats.fields import (
    FIELDS,
    asserted_field,
    drawn_by,
    due_fields,
    legal_fields,
    state_fields,
    view_fields,
)
from refengine.formats.minideals import (
    Mini,
    NotEnumerableError,
    enumerate_games,
    read_mini,
)
from refengine.formats.protocol import CAPABILITIES
from refengine.formats.serve import Session
from refengine.formats.trace import (
    Probe,
    Step,
    Trace,
    applied,
    read_trace,
    written_alike,
)
from refengine.game.acts import Act
from refengine.game.rulesets import Ruleset
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Refused, Verdict
from refengine.lawbook.clause_names import changed_clause, named_at
from refengine.lawbook.profiles import profile_names
from refengine.machine.perft import TooManyError
from refengine_conformance.corpus_tools.shown import judged_as_mutant
from refengine_conformance.mutants import designed, loading, source_edits
from refengine_conformance.runner.driver import Adapter, Builtin
from refengine_conformance.runner.fault_dictionary import Signs, signs_of
from refengine_conformance.runner.mini_cases import mini_needs
from refengine_conformance.runner.results import EngineCard, Limits
from refengine_conformance.runner.transcripts import (
    capabilities_for_trace,
    refusals_to_try,
)
from refengine_conformance.runner.wrong_views import wrong_view_keys

OFF: Final = designed.OFF
PATIENCE: Final = 2.0  # seconds of processor time that the engine may take for a trace
_MINI_PATIENCE: Final = 5.0
_TIMES_THE_PLIES: Final = 5  # a count is given up at this multiple of the expected acts
_EVERYBODY: Final = EngineCard("", "", "", ("any",), ("any",), CAPABILITIES)

Case = Trace | Mini
Pair = tuple[str, str]


def read_case(line: bytes) -> Case:
    """Read a line as a trace or a mini-deal, with the engine in its present state.

    Raises Malformed if it cannot be read.
    """
    return read_mini(line) if line.startswith(b'{"mini"') else read_trace(line)


@cache
def case_of(line: bytes) -> Case:
    """Do as `read_case` does, and keep the case for all mutants tried on the line."""
    return read_case(line)


# Divergence


def first_divergence(
    case: Case, ruleset: Ruleset | None = None, *, cited: bool = True
) -> str:
    """The first place where the engine differs from what a case expects; "" if nowhere.

    If a `ruleset` is given, the case is judged under it and not under its own. If
    `cited` is false, it does not matter which clauses are named for a refusal or a
    revoke. A crash counts as a difference, and so does a run that takes too long.
    """
    try:
        with loading.time_limit(_MINI_PATIENCE if isinstance(case, Mini) else PATIENCE):
            try:
                state = _opened(case, ruleset)
            except Refused as refused:
                return f"open: refused by {', '.join(refused.clauses)}"
            if isinstance(case, Mini):
                return _mini_divergence(case, state)
            return _trace_divergence(case, state, cited)
    except loading.HangsError:
        return "hangs"
    except Exception as error:  # a mutant may fail in any way
        return f"crash: {type(error).__name__}"


def _opened(case: Case, ruleset: Ruleset | None) -> State:
    """The state with which a case begins, under `ruleset` or else the case's own.

    The case's own ruleset is built again, since a mutant may have replaced parts of the
    engine after the case was read. Raises Refused if the case cannot begin.
    """
    own = case.ruleset
    if ruleset is None:
        ruleset = Ruleset(own.profile, own.players, own.changed)
    return State.open(ruleset, case.setup if isinstance(case, Mini) else case.start)


def _mini_divergence(mini: Mini, state: State) -> str:
    """The name of the first wrong count for a mini-deal, or "" if all counts are right.

    `state` is the first state. If counting is given up after too many acts, the name is
    `games`. Under rules with a mix, it is `not counted: the rules have a mix`.
    """
    expected = mini.counted
    assert expected is not None  # `read_mini` reads no mini-deal without its counts
    limit = _TIMES_THE_PLIES * max([1, *expected["plies"]])
    try:
        found = enumerate_games(state, limit).fields()
    except TooManyError:
        return "games"
    except NotEnumerableError:
        return "not counted: the rules have a mix"
    for name, value in expected.items():
        if not written_alike(found[name], value):
            return name
    return ""


def _trace_divergence(trace: Trace, state: State, cited: bool) -> str:
    """Where the engine first differs from a trace, and in what; "" if nowhere.

    The place is the number of a step, or `end`. `state` is the first state of the
    trace.
    """
    drew: Any = None
    trials = refusals_to_try(trace, _EVERYBODY)
    for number, step in enumerate(trace.steps, 1):
        wrong = _wrong_before_act(state, step, trace.spec, cited)
        if wrong:
            return f"{number} {wrong}"
        trial = trials.get(number)
        if trial is not None and not _refuses(state, trial.act):
            return f"{number} refuse {trial.act} when it is made"
        verdict = state.verdict(step.act)
        expected: Verdict = Irregular(step.breaks) if step.breaks else Legal()
        if not _same(verdict, expected, cited):
            return f"{number} act {step.act}"
        before, state = state, applied(state, step.act, verdict)
        drew = drawn_by(before, step.act, state)
        other = _different_field(state, step.then, drew)
        if other:
            return f"{number} then {other}"
    other = _different_field(state, trace.end, drew)
    return f"end {other}" if other else ""


def _wrong_before_act(state: State, step: Step, spec: str, cited: bool) -> str:
    """What the engine first answers otherwise than a step expects before its act.

    It is `legal` for the legal set, or names an act on which the verdict is another; it
    is "" if all is as expected. `spec` is the edition by which the trace names clauses.
    """
    due = step.legal
    if due is not None and not written_alike(legal_fields(state), due):
        return "legal"
    for probe in step.refuse:
        found = state.verdict(probe.act)
        if not isinstance(found, Refused) or (
            cited and not _named_as_expected(spec, probe, found.clauses)
        ):
            return f"refuse {probe.act}"
    for probe in step.irregular:
        if not _same(state.verdict(probe.act), Irregular(probe.clauses), cited):
            return f"irregular {probe.act}"
    return ""


def _named_as_expected(spec: str, probe: Probe, named: tuple[str, ...]) -> bool:
    """Whether the clauses `named` are those that a probe expects.

    They are compared by the numbers of the edition `spec`. A difference that a later
    change of the book explains is accepted.
    """
    if named_at(spec, named) == probe.clauses:
        return True
    return bool(changed_clause(spec, probe.act.kind, probe.clauses, named))


def _refuses(state: State, act: Act) -> bool:
    """Whether an act, applied and not just judged, is refused and changes nothing.

    The runner tries this with some acts that must be refused (see `refusals_to_try`).
    """
    before = _not_to_change(state)
    try:
        state.apply(act)
    except Refused:
        return written_alike(before, _not_to_change(state))
    return False


def _not_to_change(state: State) -> dict[str, Any]:
    """Everything that a refused act must not change."""
    return {"seen": state_fields(state), "due": due_fields(state.legal.due)}


def _same(verdict: Verdict, expected: Verdict, cited: bool) -> bool:
    """Whether a verdict is as expected; the clauses are compared only if `cited`."""
    return verdict == expected if cited else type(verdict) is type(expected)


def _different_field(state: State, expected: dict[str, Any], drew: Any) -> str:
    """The name of the first field that is not as expected, or "" if all of them are.

    As in the runner, a field that has no value in this state is not compared.
    """
    for name, value in expected.items():
        if name == "view":
            view = view_fields(state.observe(value["seat"]))
            if wrong_view_keys(value, view):
                return "view"
        elif (
            not written_alike(asserted_field(state, name, drew), value)
            and FIELDS[name](state) is not None
        ):
            return name
    return ""


def diverges(name: str, case: Case) -> bool:
    """Whether the case fails under this mutant."""
    with loading.run_as_mutant(name):
        return bool(first_divergence(case))


def killed_by(case: Case, names: Iterable[str]) -> tuple[str, ...]:
    """The mutants among `names` that the case kills."""
    return tuple(
        name for name in names if may_matter(name, case) and diverges(name, case)
    )


def may_matter(name: str, case: Case) -> bool:
    """Whether this mutant could make a difference to a case.

    A mutant that reads one value of an option as another makes none if the case does
    not have that value; any other mutant might.
    """
    kind, _, rest = name.partition(":")
    if kind != "swap":
        return True
    option, _, values = rest.partition("=")
    old = values.partition(">")[0]
    value = case.ruleset.options[option]
    if isinstance(value, tuple):
        return old in value
    if isinstance(value, int) and not isinstance(value, bool):
        return old == "number"
    return old == designed.word_in_id(value)


# What fires


@attrs.define
class Watch:
    """Which clauses have fired while the engine was watched, and which pairs together.

    `now` holds the clauses that have fired in the current decision. While `shadow` is
    true, a copy of a function with a clause switched off is being called, and nothing
    is recorded.
    """

    fired: set[str] = attrs.field(factory=set)
    pairs: set[Pair] = attrs.field(factory=set)
    now: set[str] = attrs.field(factory=set)
    shadow: bool = False

    def decided(self) -> None:
        """End a decision: record the clauses that fired in it and each pair of them."""
        self.fired |= self.now
        self.pairs.update(combinations(sorted(self.now), 2))
        self.now.clear()


_HOOK: Final = "_evidence_hook"


@attrs.frozen
class _Hooked:
    """A function to be watched, with the copies of it that are called instead.

    `original` is an unchanged copy; each item of `without` is a clause and a copy with
    that clause switched off.
    """

    function: FunctionType
    original: Callable[..., Any]
    without: tuple[tuple[str, Callable[..., Any]], ...]


@cache
def _hooked() -> dict[str, _Hooked]:
    """The functions in which a clause can be switched off, by name."""
    edits: dict[str, list[tuple[str, source_edits.Edit]]] = {}
    for one in designed.designed_mutants():
        if one.id.startswith(designed.OFF):
            for edit in one.edits:
                edits.setdefault(edit.function, []).append((one.clauses[0], edit))
    found: dict[str, _Hooked] = {}
    for name, changes in edits.items():
        function = loading.function_named(name)
        original = loading.function_with_code(function, function.__code__)
        without = tuple(
            (clause, loading.function_with_code(function, loading.compile_edit(edit)))
            for clause, edit in changes
        )
        found[name] = _Hooked(function, original, without)
    return found


def _observed(watch: Watch, name: str, /, *values: Any, **named: Any) -> Any:
    """Call a watched function, and note in `watch` which clauses decide the result."""
    hooked = _hooked()[name]
    result = hooked.original(*values, **named)
    if watch.shadow:
        return result
    watch.shadow = True
    for clause, without in hooked.without:
        if clause not in watch.now and _otherwise(without, values, named, result):
            watch.now.add(clause)
    watch.shadow = False
    return result


def _otherwise(
    without: Callable[..., Any], values: Any, named: dict[str, Any], result: Any
) -> bool:
    """Whether a function would return something else with a clause switched off.

    `without` is the function with the clause off, and `result` what it really returned.
    """
    if isinstance(result, Legal | Irregular | Refused):
        return isinstance(result, Refused)  # the effect of 0.10 is not in the answer
    try:
        return bool(without(*values, **named) != result)
    except Exception:  # a mutant may fail in any way
        return True


@contextmanager
def watching() -> Iterator[Watch]:
    """A context that records which clauses decide what the engine does.

    It replaces the code of functions, so it may be used only in a worker.
    """
    watch = Watch()
    names: dict[Any, str] = {one.function: name for name, one in _hooked().items()}
    with loading.calls_hooked(_HOOK, partial(_observed, watch), names):
        yield watch
        watch.decided()


def fires(case: Case) -> Watch:
    """Replay a case, and return which clauses fired and which of them fired together.

    Clauses fire together if they do so in one decision: the opening, a legal set, a
    verdict, the effect of an act, or a view. All games of a mini-deal are counted as
    one decision, so the pairs of a mini-deal mean nothing.
    """
    with watching() as watch:
        if isinstance(case, Mini):
            enumerate_games(_opened(case, None))
            watch.decided()
        else:
            _replay_watched(case, watch)
    return watch


def _replay_watched(trace: Trace, watch: Watch) -> None:
    """Replay a trace; each question put to the engine is watched as one decision."""
    state = _opened(trace, None)
    watch.decided()
    for step in trace.steps:
        legal_fields(state)
        watch.decided()
        probes: tuple[Probe, ...] = (*step.refuse, *step.irregular)
        for probe in probes:
            state.verdict(probe.act)
            watch.decided()
        verdict = state.verdict(step.act)
        watch.decided()
        state = applied(state, step.act, verdict)
        watch.decided()
        _watch_view(state, step.then, watch)
    _watch_view(state, trace.end, watch)


def _watch_view(state: State, expected: Mapping[str, Any], watch: Watch) -> None:
    """Observe the view that a trace asserts, if it does, as a decision of its own."""
    if "view" in expected:
        state.observe(expected["view"]["seat"])
        watch.decided()


def necessary(case: Case, fired: Iterable[str]) -> tuple[str, ...]:
    """The clauses whose `off:` mutants the case kills, in the order of the book.

    Only clauses in `fired` are tried.
    """
    return tuple(designed.clauses_switched_off(all_killed(case, fired)))


def all_killed(case: Case, fired: Iterable[str]) -> tuple[str, ...]:
    """The designed mutants that the case kills.

    The `off:` mutants of clauses that are not in `fired` are not tried.
    """
    off = {f"{designed.OFF}{number}" for number in fired}
    return killed_by(
        case,
        [
            one.id
            for one in designed.designed_mutants()
            if one.id in off or not one.id.startswith(designed.OFF)
        ],
    )


# Signs


def signs_of_mutants(case: Case, killed: Iterable[str]) -> dict[str, Signs]:
    """The signs by which each of these mutants can be recognised in this case.

    Each mutant is asked the same questions as any engine. Since the judge runs under
    the mutant's rules too, it may fail. Mutants with which it fails are left out, and
    so are those that show no signs.
    """
    found: dict[str, Signs] = {}
    adapter = Adapter(Builtin(Session().handle), Limits())
    for name in killed:
        judged = judged_as_mutant(adapter, case, name)
        if judged is None:
            adapter = Adapter(Builtin(Session().handle), Limits())
            continue
        signs = signs_of(judged.cases).get(case.id)
        if signs:
            found[name] = signs
    return found


# Other profiles


def verdicts(case: Case) -> dict[str, str]:
    """The result of the case under each other profile, with the same options changed.

    It is `pass`, the first difference as returned by `first_divergence`, or `no such
    table` with the clauses that forbid the ruleset.
    """
    found: dict[str, str] = {}
    for name in profile_names():
        if name == case.ruleset.profile:
            continue
        try:
            other = Ruleset(name, case.ruleset.players, case.ruleset.changed)
        except Refused as refused:
            found[name] = f"no such table: {', '.join(refused.clauses)}"
            continue
        found[name] = first_divergence(case, other) or "pass"
    return found


# What an engine must be able to do


def needs(case: Case) -> tuple[str, ...]:
    """The capabilities that an engine must declare to be tested with this case."""
    if isinstance(case, Mini):
        return tuple(sorted({"enumerate", *mini_needs(case)}))
    told = {"events"} if any(step.told for step in case.steps) else set()
    return tuple(sorted({*capabilities_for_trace(case), *told}))
