"""Refused acts that are made as well as probed, since an engine may tell them apart.

A probe is often not answered by the function that plays. So in every game one refused
act is also sent as a `step`, and so is a heart that is refused before any heart was
played: this shows if a refused play breaks hearts all the same.
"""

from __future__ import annotations

from collections.abc import Callable

from refengine.formats.trace import Probe, Trace
from refengine.game.acts import Act, Play
from refengine.rulings.broken_clauses.applied import HEARTS

Asked = Callable[[tuple[Probe, ...]], tuple[Probe, ...]]
"""Which of some probes an adapter can be asked about."""


def last_refusal(trace: Trace, asked: Asked) -> tuple[int, Probe] | None:
    """The step, from 1, at which a refused act is also made, and the act; else None.

    It is the first act that can be asked about, at the last step that has one, so that
    little is lost if it spoils the game.
    """
    for number in range(len(trace.steps), 0, -1):
        if found := asked(trace.steps[number - 1].refuse):
            return number, found[0]
    return None


def refused_heart(trace: Trace, asked: Asked, but: int = 0) -> tuple[int, Probe] | None:
    """The last step, from 1, at which a heart is refused before any has been played.

    The act is returned with it; None if there is no such step. Step `but` does not
    count. The trace alone decides, not the rules, which may be those of a mutant.
    """
    found = None
    for number, step in enumerate(trace.steps, 1):
        hearts = [one for one in asked(step.refuse) if _is_heart(one.act)]
        if hearts and number != but:
            found = number, hearts[0]
        if _is_heart(step.act):
            break
    return found


def _is_heart(act: Act) -> bool:
    """Whether an act is the play of a heart."""
    return isinstance(act, Play) and act.card in HEARTS
