"""A match in the terminal: random players, and human ones who type their acts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from refengine.errors import Malformed
from refengine.game.acts import (
    Act,
)
from refengine.game.rulesets import Ruleset
from refengine.game.typed import HELP, read_act
from refengine.game.values.state import State, new_match
from refengine.game.verdicts import Refused
from refengine.lawbook.book import clause


def play_match(
    ruleset: Ruleset,
    rng: Random,
    humans: frozenset[int],
    deals: int | None,
    say: Callable[[str], None],
    ask: Callable[[str], str],
) -> State:
    """The state at the end of a match, or once the given number of deals is over.

    Human seats play, pass and settle moons; cutting, dealing and mixing are left to
    chance. What is typed comes from `ask`; everything worth telling goes to `say`.
    """
    state = new_match(ruleset)
    say(f"{ruleset!r}, seats 0 to {ruleset.players - 1}")
    while not state.over:
        if state.phase == "deal" and deals is not None and state.deal > deals:
            break
        human = humans.intersection(state.turn)
        if human and state.phase in ("pass", "play", "moon"):
            act = ask_for_act(state, min(human), say, ask)
        else:
            act = state.random_act(rng)
        state = state_after_telling(state, act, humans, say)
    return state


def ask_for_act(
    state: State, seat: int, say: Callable[[str], None], ask: Callable[[str], str]
) -> Act:
    """The first typed act that no clause refuses; each refusal is explained."""
    view = state.observe(seat)
    say(f"seat {seat} holds {view.hand}")
    while True:
        text = ask(f"seat {seat}, {state.legal.due.kind}:")
        try:
            if text.strip() == "?":
                say(HELP)
            elif text.startswith("rule "):
                say(clause(text.removeprefix("rule ").strip()).text)
            else:
                act = read_act(seat, text)
                verdict = state.verdict(act)
                if not isinstance(verdict, Refused):
                    return act
                say(str(verdict))
                for number in verdict.clauses:
                    say(f"  {number}: {clause(number).text}")
        except Malformed as error:
            say(str(error))


def state_after_telling(
    state: State, act: Act, humans: frozenset[int], say: Callable[[str], None]
) -> State:
    """The state after the act, once the table has been told what it may know of it."""
    watcher = min(humans, default=act.seat)
    event = state.event(act, watcher)
    after = state.apply(act)
    known = str(event.act) if event.act is not None else event.kind
    say(f"seat {act.seat}: {known}")
    if after.completed is not None:
        say(f"  seat {after.completed.winner} takes the trick")
    if after.score is not None and state.score is None:
        say(f"deal {state.deal}: {list(after.score)}, totals {list(after.totals)}")
    if after.winners is not None and state.winners is None:
        say(f"the match is over; lowest: seat {', '.join(map(str, after.winners))}")
    return after
