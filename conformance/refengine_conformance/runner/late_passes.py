"""Passes that an engine judges together, refusing a bad one only with the last.

Many engines take the packets of all seats in one call. The adapter of such an engine
may say `ok` to a packet that must be refused, and refuse the pass that completes the
call. If a bad packet is accepted, one more game is asked to see whether that is so.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TypeGuard

from refengine.formats.trace import Probe, Trace
from refengine.game.acts import Act, Pass, Scatter
from refengine.game.values.cardset import NO_CARDS, CardSet

_Packet = Pass | Scatter


def game_of_late_pass(trace: Trace, number: int, probe: Probe) -> tuple[Act, ...]:
    """The acts of a trace to the end of its passing, with `probe` as the first pass.

    The probe is a pass that the step with this number, from 1, refuses. The last of the
    other passes shares no card with it, so that a refusal of that pass is about the
    probe. Empty if such a game would show nothing: the probe is not a pass, or its seat
    has passed already, or is the last to pass, or every other packet has one of its
    cards.
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
