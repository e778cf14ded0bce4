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
    """The acts up to the pass that completes all, one that must be refused among them.

    It is one that the step with this number, from 1, refuses. It is passed first, and
    the last packet shares no card with it, so that a refusal of the last is about the
    first. Empty where nothing can be told: it is no pass, or the seat has passed
    already, or is the last to pass.
    """
    acts = [step.act for step in trace.steps]
    after = [*takewhile(_is_packet, acts[number - 1 :])]
    passed = [*takewhile(_is_packet, reversed(acts[: number - 1]))]
    seat, cards = probe.act.seat, _cards(probe.act)
    waiting = [act for act in after if act.seat != seat]
    if not _is_packet(probe.act) or not waiting or seat in {one.seat for one in passed}:
        return ()
    others = [*reversed(passed), *waiting]
    others.sort(key=lambda act: not _cards(act) & cards)
    if _cards(others[-1]) & cards:
        return ()
    return (*acts[: number - 1 - len(passed)], probe.act, *others)


def _is_packet(act: Act) -> TypeGuard[_Packet]:
    return isinstance(act, _Packet)


def _cards(act: Act) -> CardSet:
    if isinstance(act, Scatter):
        return CardSet(card for _, card in act.cards)
    return act.cards if isinstance(act, Pass) else NO_CARDS
