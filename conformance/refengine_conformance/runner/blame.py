"""One bug, one heading: the clause under which each failed game is reported.

A game goes astray at one moment, and what is wrong later is wrong for that reason. Of
what is wrong at that moment, the most basic counts: another phase, then another turn,
then the rest. Each game so has a few suspects, the likeliest first; of all suspects the
clause that accounts for the most games is named, and of several that account for as
many the one that is at work in no game that was right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import json

from refengine.errors import Malformed
from refengine.formats.trace import Probe, Trace, read_trace, state_at
from refengine.game.acts import Deal, Draw, Mix, MoonChoice, Pass, Play
from refengine.game.values.cardset import NO_CARDS, Card, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.rulings.broken_clauses.applied import HEARTS, QUEEN, excluding
from refengine.rulings.broken_clauses.named_clauses import (
    clauses_of_phase,
    clauses_of_turn,
    queen_breaks_hearts,
    reaches_limit_by_cards,
)

if TYPE_CHECKING:
    from refengine_conformance.runner.results import Case, Fault

_NOTE: Final = "x-shows"
_CLAUSE: Final = re.compile(r"[0-9]+\.[0-9]+[a-z]?")
_NOTED: Final = re.compile(rf'"{_NOTE}":"({_CLAUSE.pattern})"')
_CITED: Final = re.compile(r"refused by ([0-9.a-z, ]+)$")
_BASIC: Final = {"phase": 0, "over": 0, "turn": 1, "table": 1, "legal": 2, "taken": 2}
_LATER: Final = 3
_COUNTED: Final = frozenset({"points", "score", "totals", "match"})
_END: Final = 1_000_000
_STAGES: Final = {"then": 1, "view": 1, "end": 1}


def how_basic(fault: Fault) -> int:
    """How basic an answer is: 0 for the phase, up to 3 for what follows from others."""
    field = fault.field or fault.root
    if field == "turn" and fault.got in ("[]", "the seats []"):
        field = "phase"
    cited = _CITED.match(fault.got)
    if cited and fault.root == "act":
        named = cited[1].split(", ")
        fields = {"2.4": "phase", "2.3": "turn", "5.7": "turn"}.items()
        field = next((what for clause, what in fields if clause in named), field)
    if fault.root == "legal":
        field = "legal" if _kind(fault.got) == _kind(fault.expected) else "phase"
    return _BASIC.get(field, _LATER)


def _kind(due: str) -> str:
    """What is due, as shown in a fault; a draw and a play are alike."""
    for kind in ("over", "pass", "deal", "mix", "moon", "cut"):
        if f'"{kind}"' in due:
            return kind
    return "play"


def at_first_moment(faults: Iterable[Fault]) -> list[Fault]:
    """Of the wrong answers of one game, those at the moment when it goes astray.

    Where all of them are about points, so are cards that a seat has not taken, of which
    a game may tell only at its end.
    """
    found = sorted(faults, key=_moment)
    first = [one for one in found if _moment(one) == _moment(found[0])]
    if all(one.field in _COUNTED for one in first):
        first += [one for one in found if one.question == "end.taken"]
    return first


def suspects(line: str, faults: Iterable[Fault]) -> tuple[str, ...]:
    """The clauses that can be at fault in a game, the likeliest first.

    `faults` are the wrong answers at the moment when it goes astray.
    """
    found = [*faults]
    basic = min(map(how_basic, found))
    decisive = [one for one in found if how_basic(one) == basic]
    named = [clause for one in decisive for clause in one.clauses]
    try:
        trace = read_trace(line.encode())
    except Malformed:
        return tuple(dict.fromkeys(named))
    if basic == 0:
        named = [clause for one in decisive for clause in _of_phase(trace, one)]
    more = [clause for one in decisive for clause in _more(trace, one)]
    return tuple(dict.fromkeys([*named, *more]))


def noted_line(line: str, clause: str) -> str:
    """The line of a smaller game, with the clause that a run made it to show.

    By itself such a game has several suspects, of which only the others cleared some.
    """
    fields = json.decode(line)
    whole = isinstance(fields, dict) and "trace" in fields
    if not whole or not _CLAUSE.fullmatch(clause):
        return line
    return json.encode({**fields, _NOTE: clause}).decode()


def clause_noted(line: str) -> str:
    """The clause that a run noted beside a game; empty if none did."""
    found = _NOTED.search(line)
    return found[1] if found else ""


def _of_phase(trace: Trace, one: Fault) -> tuple[str, ...]:
    """The clauses on the phase before an answer, or after it."""
    step = one.step_in(trace) + (one.root in _STAGES)
    try:
        found = clauses_of_phase(trace, step)
        state = state_at(trace, step - 1)
        ended = state.phase == "moon" and "over" in one.got
        return ("9.7a", *found) if ended and reaches_limit_by_cards(state) else found
    except (Malformed, Refused):
        return one.clauses


def _moment(fault: Fault) -> tuple[int, int]:
    return fault.step or _END, _STAGES.get(fault.root, 0)


def _more(trace: Trace, one: Fault) -> Iterator[str]:
    """Clauses that can be at fault besides those named for an answer."""
    named = one.clauses
    step = one.step or len(trace.steps) + 1
    try:
        state = state_at(trace, step - 1)
    except (Malformed, Refused):
        return
    basic = how_basic(one)
    if {"4.1a", "4.2", "4.3"} & {*named}:
        yield "4.1"
    narrow = not held(state) - HEARTS - QUEEN
    if "5.4" in named and not state.hearts_broken and not narrow:
        yield from _unbroken(trace, step, state)
    if isinstance(_act(trace, one), Pass) and one.root == "act":
        yield from clauses_of_phase(trace, step)
        yield "4.1"
    if {"5.4", "5.9", "5.9a"} & {*named} and _broken_before(trace, step, state):
        yield "3.11"
    acts = [step.act for step in trace.steps]
    opens = basic == 1 and not state.history
    if opens and any(isinstance(act, Mix) for act in acts):
        yield "4.10"
    elif opens and any(isinstance(act, Pass) for act in acts):
        yield from ("4.2", "4.1")
    if one.root == "act" and one.got == "refused" and state.phase == "play":
        yield from _of_refusal(trace, one, state)
    if "5.11" in named and basic == 1:
        yield "5.10"
    if _DRAWING & {*named} and any(
        isinstance(step.act, Draw) for step in trace.steps[: step - 1]
    ):
        yield "6.4"
    if "5.12" in named and _is_left_dry(_after(trace, one, state)):
        yield "6.5"
    chosen_before = any(isinstance(act, MoonChoice) for act in acts[: step - 1])
    if basic == 0 and chosen_before and _after(trace, one, state).phase == "moon":
        yield "3.11"
    if basic == 0 and "5.14" in named and _one_had_to_finish(trace, step):
        yield "6.6a"
    if "8.9" in named:
        yield "9.3"
    if "8.5a" in named and sum(map(bool, _after(trace, one, state).tricks)) == 1:
        yield "8.4"
    if _WORTH & {*named}:
        yield from ("8.1", "1.5", "1.4")
    if state.ruleset.options["mix_kitty"] and _OF_KITTY & {*named}:
        yield "4.10b"
    if {"5.3", "6.5"} & {*named} and one.got.count(" ") == len(held(state)) - 1:
        yield "5.12"
    stocked = state.ruleset.options["undealt"] == "stock"
    counted = one.field in _COUNTED
    if counted and {"6.8a", "6.8b"} & {*named}:
        yield "6.8"
    about = _DOMINO - _LEFT_OVER if counted else _DOMINO
    if stocked and about & {*named} and any(not hand for hand in state.hands):
        yield "6.6"


_WORTH: Final = {"1.4", "1.5", "8.1"}
_OF_KITTY: Final = {"5.13", "5.13a", "8.1", "8.3", "9.7a"}
_DRAWING: Final = {"6.1", "6.3", "5.7"}
_DOMINO: Final = {"5.10", "5.11", "5.12", "6.7", "6.8", "6.8b", "5.14"}
_LEFT_OVER: Final = {"6.8", "6.8b"}
"""Clauses on cards left over: who is out says nothing about what these cost."""


def _broken_before(trace: Trace, step: int, state: State) -> bool:
    """Whether hearts are not broken now, but were in an earlier deal of the match."""
    acts = [one.act for one in trace.steps[: step - 1]]
    deals = [place for place, act in enumerate(acts) if isinstance(act, Deal)]
    if state.hearts_broken or not deals:
        return False
    breaking = HEARTS | QUEEN if queen_breaks_hearts(state) else HEARTS
    earlier = acts[: deals[-1]]
    return any(isinstance(act, Play) and act.card in breaking for act in earlier)


def _after(trace: Trace, one: Fault, state: State) -> State:
    """The state that an answer is about; the one given is that before the step."""
    if one.root in _STAGES and 0 < one.step <= len(trace.steps):
        return state_at(trace, one.step)
    return state


def _is_left_dry(state: State) -> bool:
    """Whether the seat in turn cannot follow suit, not even with all of the stock."""
    if state.ruleset.options["undealt"] != "stock" or state.table is None:
        return False
    suit = {card.value[1] for card in state.table.cards[:1]}
    left = {card.value[1] for card in (*held(state), *state.stock)}
    return bool(suit) and not suit & left


def _one_had_to_finish(trace: Trace, end: int) -> bool:
    """Whether a seat alone still held cards in a trick, before a step or at it.

    Without a stock that is so at the last card of every deal, and says nothing.
    """
    state = state_at(trace, 0)
    if state.ruleset.options["undealt"] != "stock":
        return False
    for step in trace.steps[:end]:
        begun = state.table is not None and state.table.cards
        if begun and sum(map(bool, state.hands)) == 1:
            return True
        state = state.apply(step.act)
    return False


def held(state: State) -> CardSet:
    """The hand of the seat in turn; no cards if no seat is, or before the deal."""
    return state.hands[state.turn[0]] if state.turn and state.hands else NO_CARDS


def _of_refusal(trace: Trace, one: Fault, state: State) -> Iterator[str]:
    """What a refusal without a reason may rest on."""
    turn = clauses_of_turn(trace, one.step)
    yield from turn
    if state.history:
        yield from clauses_of_phase(trace, one.step)
    if "5.11" in turn:
        yield "5.10"
    act = _act(trace, one)
    if isinstance(act, Play):
        yield from excluding(state, act.card)


def _unbroken(trace: Trace, step: int, state: State) -> Iterator[str]:
    """What can be wrong where a heart is led that nothing has broken."""
    played = [card for trick in state.history for card in trick.cards]
    if Card("QS") in played:
        yield "5.9a" if queen_breaks_hearts(state) else "5.9"
    if _forbade_a_heart(trace, step):
        yield "5.9"


def _forbade_a_heart(trace: Trace, end: int) -> bool:
    """Whether, before a step, it was asked and rightly said that no heart may lead."""
    state = state_at(trace, 0)
    for step in trace.steps[: end - 1]:
        if _bars_hearts(state) and (
            step.legal is not None or any(map(_is_heart, step.refuse))
        ):
            return True
        state = state.apply(step.act)
    return False


def _bars_hearts(state: State) -> bool:
    """Whether a seat is to lead, and hearts unbroken keep it from leading one."""
    leads = state.table is not None and not state.table.cards
    hand = held(state)
    return leads and not state.hearts_broken and bool(hand & HEARTS and hand - HEARTS)


def _is_heart(probe: Probe) -> bool:
    return isinstance(probe.act, Play) and probe.act.card in HEARTS


def _act(trace: Trace, one: Fault) -> Pass | Play | None:
    if not 0 < one.step <= len(trace.steps):
        return None
    act = trace.steps[one.step - 1].act
    return act if isinstance(act, Pass | Play) else None


_SPECIAL: Final = {"3.11", "5.9a", "5.9", "6.5", "6.6a"}
"""Clauses that account for what another does, and only where something came before."""
_ENOUGH: Final = 3


def headings(
    suspected: Mapping[str, tuple[str, ...]], alive: frozenset[str]
) -> dict[str, str]:
    """The clause named for each game, from the suspects of each.

    `alive` are clauses that were needed in games in which everything was right.
    """
    left = dict(suspected)
    found: dict[str, str] = {}
    while left:
        covered = Counter(clause for some in left.values() for clause in some)
        if not covered:
            found |= dict.fromkeys(left, "")
            break
        first = Counter(some[0] for some in left.values() if some)
        ranks = {
            clause: sum(some.index(clause) for some in left.values() if clause in some)
            for clause in covered
        }
        best = max(
            covered,
            key=lambda one: (
                covered[one],
                one in _SPECIAL and covered[one] >= _ENOUGH,
                one not in alive,
                first[one],
                -ranks[one],
            ),
        )
        for name in [name for name, some in left.items() if best in some]:
            found[name] = best
            del left[name]
    return found


def by_heading(
    pairs: Iterable[tuple[Case, Fault]],
    known: Mapping[str, str],
    lines: Mapping[str, str],
    alive: frozenset[str],
    order: Callable[[str], tuple[int, int, str]],
) -> Iterator[tuple[str, list[tuple[Case, Fault]]]]:
    """The wrong answers under each clause, that of the most games first.

    `known` has the clause at fault in a game where that is known otherwise; there all
    its answers count, else those at the moment when the game goes astray.
    """
    by_line: dict[str, list[tuple[Case, Fault]]] = {}
    for case, fault in pairs:
        by_line.setdefault(case.trace, []).append((case, fault))
    suspected: dict[str, tuple[str, ...]] = {}
    for name, some in by_line.items():
        if name in known:
            suspected[name] = (known[name],)
            continue
        moment = at_first_moment(fault for _, fault in some)
        by_line[name] = [pair for pair in some if pair[1] in moment]
        line = lines.get(name, "")
        suspected[name] = suspects(line, moment)
        if (noted := clause_noted(line)) in suspected[name]:
            suspected[name] = (noted,)
    found: dict[str, list[str]] = {}
    named = headings(suspected, alive)
    for name in by_line:
        found.setdefault(named[name], []).append(name)
    for clause in sorted(found, key=lambda one: (-len(found[one]), order(one))):
        yield clause, [pair for name in found[clause] for pair in by_line[name]]
