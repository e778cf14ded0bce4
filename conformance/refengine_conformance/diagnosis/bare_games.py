"""Games that consist only of their acts, and the traces that are made from them.

At each step where such a trace asks something, it expects the answer that the book
gives.
"""

from __future__ import annotations

import attrs

from refengine.comparison.differences import acts_worth_asking
from refengine.errors import EngineBug, Malformed
from refengine.formats.fields import (
    drawn_by,
    legal_fields,
    normal_state_fields,
    view_fields,
)
from refengine.formats.recording import bare_step, probes_of
from refengine.formats.trace import Step, Trace, told_of, trace_id
from refengine.game.acts import Act, Deal
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine_conformance.generators.strategies import Move, Script, moments_of
from refengine_conformance.runner.results import Fault


@attrs.frozen
class BareGame:
    """A game without expectations; its `probes` are tried just before its last act.

    `turned` is the number of seats by which everybody has been moved.
    """

    ruleset: Ruleset
    start: Setup | Match
    acts: tuple[Act, ...]
    probes: tuple[Act, ...] = ()
    turned: int = 0


@attrs.frozen
class Wanted:
    """What a trace is to ask: a question as in a fault and, for a view, the seat.

    The question `all` asks what is due and everything that can be seen.
    """

    question: str
    seat: int = 0

    @property
    def field(self) -> str:
        """The field that the question names after its dot, or "" if it names none."""
        return self.question.partition(".")[2]


def trace_that_asks(
    game: BareGame, wanted: Wanted, everywhere: bool = False
) -> Trace | None:
    """A trace of the game that asks what is wanted.

    It asks at the last step only or, if `everywhere`, at each step. None is returned if
    the book refuses the game, or if the game has no acts.
    """
    wanted = attrs.evolve(wanted, seat=wanted.seat + game.turned)
    try:
        state = State.open(game.ruleset, game.start)
        steps = []
        for place, act in enumerate(game.acts):
            last = place == len(game.acts) - 1
            probes = game.probes if last else ()
            asked = wanted if last or everywhere else None
            step, state = _step(state, act, asked, probes)
            steps.append(step)
    except (Refused, Malformed, EngineBug):
        return None
    if not steps:
        return None
    end = steps[-1].then if wanted.question.startswith("end") else {}
    if end:
        steps[-1] = attrs.evolve(steps[-1], then={})
    trace = Trace(ruleset=game.ruleset, start=game.start, steps=tuple(steps), end=end)
    return attrs.evolve(trace, id=trace_id(trace))


def _step(
    state: State, act: Act, wanted: Wanted | None, probes: tuple[Act, ...]
) -> tuple[Step, State]:
    """A step that makes an act and asks what is wanted, and the state after it.

    If the question is about probes and `probes` is empty, every act worth asking about
    is probed. Raises Refused if the book refuses the act.
    """
    step, after = bare_step(state, act)
    if wanted is None:
        return step, after
    root = wanted.question.partition(".")[0]
    if root in ("legal", "turn", "act", "all"):
        step = attrs.evolve(step, legal=legal_fields(state))
    if root in ("refuse", "irregular", "purity"):
        refuse, irregular = probes_of(state, probes or acts_worth_asking(state))
        step = attrs.evolve(step, refuse=refuse, irregular=irregular)
    if root == "view":
        seat = wanted.seat % state.ruleset.players
        view = view_fields(after.observe(seat))
        step = attrs.evolve(step, then={"view": view})
    if root == "told":
        told = [told_of(state, act, seat) for seat in range(state.ruleset.players)]
        step = attrs.evolve(step, told=tuple(told))
    if root in ("then", "end", "all"):
        fields = normal_state_fields(after, drawn_by(state, act, after))
        if wanted.field:
            fields = {name: fields[name] for name in fields if name == wanted.field}
        step = attrs.evolve(step, then=fields)
    return step, after


def game_up_to_fault(trace: Trace, fault: Fault) -> BareGame:
    """The game of a trace up to the step of a fault, with the acts probed there."""
    steps = trace.steps[: fault.step_in(trace)]
    asked = (*steps[-1].refuse, *steps[-1].irregular) if steps else ()
    probes = tuple(one.act for one in asked)
    return BareGame(
        trace.ruleset, trace.start, tuple(step.act for step in steps), probes
    )


def wanted_of(trace: Trace, fault: Fault) -> Wanted:
    """What to ask in order to see a fault again: its question and the seat of a view.

    A conversation that is lost over the view at the end has the number of the last
    step, so that view is used if the step has none. The seat is 0 if there is no view.
    """
    fields = trace.steps[fault.step - 1].then if fault.step else {}
    view = fields.get("view") or trace.end.get("view") or {}
    seat: int = view.get("seat", 0)
    return Wanted(fault.question, seat)


def largest_hand(game: BareGame) -> int:
    """The number of cards in the largest hand with which the game begins.

    For a match, it is the largest hand of all its deals, and 0 if nothing is dealt.
    """
    if isinstance(game.start, Setup):
        return max(len(hand) for hand in game.start.hands)
    deals = [act for act in game.acts if isinstance(act, Deal)]
    return max((len(hand) for act in deals for hand in act.hands), default=0)


def states_before_acts(game: BareGame) -> list[State]:
    """The state before each act, followed by the state after the last one.

    Raises Malformed or Refused if the game cannot be played.
    """
    moves = tuple(map(Move, game.acts))
    return moments_of(Script(game.ruleset, game.start, moves))
