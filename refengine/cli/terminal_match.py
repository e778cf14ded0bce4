"""A match in the terminal: random seats, and human ones who type what they do."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from refengine.errors import Malformed
from refengine.game.acts import (
    Act,
    Claim,
    Draw,
    Forward,
    Moon,
    Pass,
    Play,
    Quit,
    Retract,
    Scatter,
)
from refengine.game.rulesets import Ruleset
from refengine.game.values.state import State, new_match
from refengine.game.verdicts import Refused
from refengine.lawbook.book import clause

HELP = (
    "a card such as QS; draw; pass QS KH AH; scatter 1:QS 2:KH 3:AH; forward; "
    "moon self_minus, moon others_plus or moon one 2; retract QS; quit; "
    "claim SEAT TRICK; rule NUMBER; ? for this help"
)


def read_act(seat: int, text: str) -> Act:
    """The act that somebody typed for this seat.

    Raises Malformed if it is not one of the forms of HELP.
    """
    words = text.split()
    match words:
        case ["draw"]:
            return Draw(seat)
        case ["forward"]:
            return Forward(seat)
        case ["quit"]:
            return Quit(seat)
        case ["pass", *cards]:
            return Pass(seat, " ".join(cards))
        case ["scatter", *pairs]:
            return Scatter(seat, dict(_pair(pair) for pair in pairs))
        case ["retract", card]:
            return Retract(seat, card)
        case ["claim", against, trick]:
            return Claim(seat, _number(against), _number(trick))
        case ["moon", "one", other]:
            return Moon(seat, _number(other))
        case ["moon", choice]:
            return Moon(seat, choice)
        case [card]:
            return Play(seat, card)
    raise Malformed(f"{text[:60]!r}", HELP)


def _pair(text: str) -> tuple[int, str]:
    seat, _, card = text.partition(":")
    return _number(seat), card


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 3:
        raise Malformed(f"{text[:60]!r}", "a small whole number")
    return int(text)


def play_match(
    ruleset: Ruleset,
    rng: Random,
    humans: frozenset[int],
    deals: int | None,
    say: Callable[[str], None],
    ask: Callable[[str], str],
) -> State:
    """The state at the end of a match, or before the deal after so many.

    Human seats play, pass and settle moons; cutting, dealing and mixing is left to
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
        state = told(state, act, humans, say)
    return state


def ask_for_act(
    state: State, seat: int, say: Callable[[str], None], ask: Callable[[str], str]
) -> Act:
    """The first act typed that no clause refuses; each refusal is explained."""
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


def told(
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
