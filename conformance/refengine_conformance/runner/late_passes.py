"""Passes that an engine judges together: a bad packet shows when all have passed.

Many engines take the packets of all seats in one call. An adapter in front of one can
say `ok` to a packet that must be refused, and refuse the pass that completes them. Such
a game is asked once more, to see whether that is so.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TypeGuard

from refengine.formats.trace import Probe, Trace
from refengine.game.acts import Act, Pass, Scatter
from refengine.game.values.cardset import NO_CARDS, CardSet

_Packet = Pass | Scatter


def game_of_late_pass(trace: Trace, number: int, probe: Probe) -> tuple[Act, ...]:
    """The acts of a trace up to its last pass, with one pass that must be refused.

    `probe` is that pass, which the step with this number, from 1, refuses. It is made
    before all other passes, and the last of these shares no card with it, so that a
    refusal of the last is about the first. Empty where nothing can be told: the probe
    is no pass, or its seat has passed already, or is the last to pass, or every other
    packet has one of its cards.
    """
    acts = [step.act for step in trace.steps]
    before, after = acts[: number - 1], acts[number - 1 :]
    passed = [*takewhile(_is_packet, reversed(before))][::-1]
    seat, cards = probe.act.seat, _cards(probe.act)
    has_passed = any(act.seat == seat for act in passed)
    waiting = [act for act in takewhile(_is_packet, after) if act.seat != seat]
    if not _is_packet(probe.act) or has_passed or not waiting:
        return ()
    others = sorted([*passed, *waiting], key=lambda act: not _cards(act) & cards)
    if _cards(others[-1]) & cards:
        return ()
    before_passing = before[: len(before) - len(passed)]
    return (*before_passing, probe.act, *others)


def _is_packet(act: Act) -> TypeGuard[_Packet]:
    """Whether an act passes cards that it names."""
    return isinstance(act, _Packet)


def _cards(act: Act) -> CardSet:
    """The cards that an act passes; none if it names none."""
    if isinstance(act, Scatter):
        return CardSet(card for _, card in act.cards)
    return act.cards if isinstance(act, Pass) else NO_CARDS
