"""For engines in Python: a state machine and properties to run in your own pytest.

```python
from refengine_conformance.generators.statemachine import machine_for, properties_for

TestGames = machine_for(MyEngine, "estmesh-hearts").TestCase
TestProperties = properties_for(MyEngine, "estmesh-hearts")
```

`MyEngine` is any class with the methods of `Engine`; its arguments and results are
plain JSON values, as in the adapter protocol. Hypothesis plays games that the book
allows, tries acts that it forbids, compares the engine with the book after every act,
and shrinks what it finds.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any, Protocol

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec import UNSET

from refengine.formats.fields import (
    act_fields,
    act_of,
    drawn_by,
    due_fields,
    normal_state_fields,
    ruleset_fields,
    ruleset_of,
    start_fields,
    start_of,
    state_fields,
)
from refengine.formats.normal_form import Json, normal_fields
from refengine.formats.shapes import Act as ActLine
from refengine.formats.shapes import Fields, MatchObject, RulesetObject, SetupObject
from refengine.formats.trace import Trace, written_alike
from refengine.formats.wire import convert_to_kind
from refengine.game.acts import Act
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Verdict
from refengine_conformance.generators.strategies import openings, some_try, traces


class Engine(Protocol):
    """The methods that an engine needs to be tested; each game gets a new engine."""

    def open(self, ruleset: Json, start: Json) -> bool:
        """Begin a game from a `setup` or a `match`; the ruleset names every option.

        Returns False if the engine does not support the game.
        """

    def legal(self) -> Json:
        """What is due and whose turn it is; see "What is due" in docs/formats.md."""

    def judge(self, seat: int, act: Json) -> str:
        """Whether an act is `legal`, `irregular` or `refused`, without applying it."""

    def act(self, seat: int, act: Json) -> None:
        """Apply an act, which is always legal or irregular."""

    def observe(self) -> Json:
        """What can be seen: those fields of an observation that the engine knows."""


class Reference:
    """The reference engine in the form of an `Engine`, as an example and for checks."""

    state: State
    drew: Any = None

    def open(self, ruleset: Json, start: Json) -> bool:
        """Begin the game and return True, since every game is supported."""
        setup, match = start.get("setup"), start.get("match")
        self.state = State.open(
            ruleset_of(convert_to_kind(RulesetObject, ruleset)),
            start_of(
                UNSET if setup is None else convert_to_kind(SetupObject, setup),
                UNSET if match is None else convert_to_kind(MatchObject, match),
            ),
        )
        self.drew = None
        return True

    def legal(self) -> Json:
        """What is due and whose turn it is."""
        return due_fields(self.state.legal.due)

    def judge(self, seat: int, act: Json) -> str:
        """Whether an act is `legal`, `irregular` or `refused`, without applying it."""
        return word_of(self.state.verdict(act_of(seat, convert_to_kind(ActLine, act))))

    def act(self, seat: int, act: Json) -> None:
        """Apply an act, which is always legal or irregular."""
        done = act_of(seat, convert_to_kind(ActLine, act))
        before, self.state = self.state, self.state.apply(done)
        self.drew = drawn_by(before, done, self.state)

    def observe(self) -> Json:
        """What can be seen: every field of an observation."""
        return state_fields(self.state, self.drew)


def word_of(verdict: Verdict) -> str:
    """The word for a verdict: `legal`, `irregular` or `refused`."""
    if isinstance(verdict, Legal):
        return "legal"
    return "irregular" if isinstance(verdict, Irregular) else "refused"


def opened(engine: Engine, state: State) -> bool:
    """Have the engine begin the game of this state, and return whether it can."""
    return engine.open(
        ruleset_fields(state.ruleset, every=True), start_fields(state.start)
    )


def same_legal(engine: Engine, state: State) -> None:
    """Assert that the engine and the book agree on what is due, in any order."""
    expected, found = _in_order(due_fields(state.legal.due)), _in_order(engine.legal())
    assert written_alike(found, expected), (
        f"due is {expected}, the engine says {found}, in\n{state}"
    )


def _in_order(due: Json) -> Json:
    """What is due, with cards, seats and choices sorted so that it can be compared."""
    found = dict(due)
    if isinstance(found.get("play"), str):
        found["play"] = " ".join(sorted(found["play"].split()))
    for name in ("turn", "moon"):
        if isinstance(found.get(name), list):
            found[name] = sorted(found[name], key=str)
    return found


def same_fields(engine: Engine, state: State, drew: Any) -> None:
    """Assert that every field that the engine reports agrees with the book.

    As in the runner, a field for which the book has no value is not compared.
    """
    said = _seen(engine)
    for name, value in normal_state_fields(state, drew).items():
        found = said.get(name, value)
        assert found == value, (
            f"{name} is {value!r}, the engine says {found!r}, in\n{state}"
        )


def _seen(engine: Engine) -> Json:
    """Every field that the engine reports, in normal form."""
    return normal_fields(convert_to_kind(Fields, engine.observe()))


def same_verdict(engine: Engine, state: State, act: Act) -> str:
    """Assert that engine and book agree on an act, and return the verdict as a word."""
    verdict = state.verdict(act)
    expected, found = word_of(verdict), engine.judge(act.seat, act_fields(act))
    clauses = getattr(verdict, "clauses", ())
    assert found == expected, (
        f"{act!r} is {expected} {clauses}, the engine says {found}, in\n{state}"
    )
    return found


class HeartsMachine(RuleBasedStateMachine):
    """A Hypothesis state machine that compares an engine with the book.

    `machine_for` makes a subclass for an engine.
    """

    make: Callable[[], Engine]
    profile = ""
    engine: Engine
    state: State
    drew: Any = None

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """Begin a small game of the profile, or of any if none is named."""
        state = data.draw(openings(self.profile), label="game")
        engine = type(self).make()
        assume(opened(engine, state))
        self.engine, self.state = engine, state

    @rule(rng=st.randoms(use_true_random=False))
    def something_legal(self, rng: Random) -> None:
        """Apply a legal act in the engine and in the book."""
        if self.state.over:
            return
        act = self.state.random_act(rng)
        assert same_verdict(self.engine, self.state, act) == "legal"
        self._do(act)

    @rule(rng=st.randoms(use_true_random=False))
    def something_tried(self, rng: Random) -> None:
        """Ask about an act that is likely to be refused, without applying it."""
        same_verdict(self.engine, self.state, some_try(rng, self.state))

    @rule(rng=st.randoms(use_true_random=False))
    def something_accepted(self, rng: Random) -> None:
        """Try an act, and apply it if it is accepted, whether legal or irregular."""
        act = some_try(rng, self.state)
        if same_verdict(self.engine, self.state, act) != "refused":
            self._do(act)

    def _do(self, act: Act) -> None:
        """Apply an act in the engine and in the book."""
        before, self.state = self.state, self.state.apply(act)
        self.engine.act(act.seat, act_fields(act))
        self.drew = drawn_by(before, act, self.state)

    @invariant()
    def the_same_is_due(self) -> None:
        """The engine and the book agree on what is due."""
        same_legal(self.engine, self.state)

    @invariant()
    def the_same_is_seen(self) -> None:
        """Every field that the engine knows agrees with the book."""
        same_fields(self.engine, self.state, self.drew)


def machine_for(make: Callable[[], Engine], profile: str = "") -> type[HeartsMachine]:
    """A state machine for an engine, under one profile or, by default, under all."""
    names = {"make": staticmethod(make), "profile": profile}
    return type(f"Games_{profile.replace('-', '_')}", (HeartsMachine,), names)


def check_replay(engine: Engine, trace: Trace) -> bool:
    """Replay a trace on the engine, and assert that it agrees at every step.

    Returns whether the engine supports the game; if not, nothing is replayed.
    """
    state = State.open(trace.ruleset, trace.start)
    if not opened(engine, state):
        return False
    same_fields(engine, state, None)
    for step in trace.steps:
        same_legal(engine, state)
        for probe in (*step.refuse, *step.irregular):
            same_verdict(engine, state, probe.act)
        same_verdict(engine, state, step.act)
        before, state = state, state.apply(step.act)
        engine.act(step.act.seat, act_fields(step.act))
        same_fields(engine, state, drawn_by(before, step.act, state))
    same_legal(engine, state)
    return True


def properties_for(make: Callable[[], Engine], profile: str = "") -> type:
    """A class of tests for an engine, under one profile or, by default, under all."""
    # An engine may be slow: only its answers are judged here.
    relaxed = settings(suppress_health_check=list(HealthCheck), deadline=None)

    class TestProperties:
        @relaxed
        @given(trace=traces(profile))
        def test_games_replay(self, trace: Trace) -> None:
            """Games, and verdicts on acts that are only tried, agree with the book."""
            assume(check_replay(make(), trace))

        @relaxed
        @given(state=openings(profile), rng=st.randoms(use_true_random=False))
        def test_a_try_changes_nothing(self, state: State, rng: Random) -> None:
            """A question about an act changes neither what is due nor what is seen."""
            engine = make()
            assume(opened(engine, state))
            # An engine may answer with its own state, which a question can change.
            before = deepcopy((_in_order(engine.legal()), _seen(engine)))
            act = some_try(rng, state)
            engine.judge(act.seat, act_fields(act))
            assert (_in_order(engine.legal()), _seen(engine)) == before

        @relaxed
        @given(state=openings(profile))
        def test_legal_cards_are_those_judged_legal(self, state: State) -> None:
            """The cards listed as legal are those cards in hand that are judged legal.

            If the game does not begin with the play, random acts lead up to it first.
            """
            engine, rng = make(), Random(0)
            assume(opened(engine, state))
            while state.phase != "play" and not state.over:
                act = state.random_act(rng)
                engine.act(act.seat, act_fields(act))
                state = state.apply(act)
            assume(state.phase == "play")
            seat = state.turn[0]
            listed = set(str(engine.legal().get("play", "")).split())
            judged = {
                card.value
                for card in state.hands[seat]
                if engine.judge(seat, {"play": card.value}) == "legal"
            }
            assert judged == listed

    return TestProperties
