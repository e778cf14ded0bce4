"""The facts that decide what the right answer to a question is.

They are cards that are missing or too many, the cards taken, the limit, and the passes.
They show a reader why the book expects an answer, without playing the game again.
"""

from __future__ import annotations

from typing import Final

from refengine.chapters.cards import cards_that_count
from refengine.errors import Malformed
from refengine.formats.trace import Trace, state_at
from refengine.game.acts import Deal, Pass, PassUnseen, Scatter
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.machine.judging import ended_by_claim
from refengine_conformance.runner.results import Fault

_POINTS: Final = ("points", "score", "totals")
_ENDS: Final = ("match", "over", "phase")
_SOON: Final = 3  # for this many acts after the last pass, it matters who passed what


def state_after(trace: Trace, acts: int) -> State | None:
    """The state after the first `acts` acts; None if the game does not get that far."""
    try:
        return state_at(trace, acts)
    except (Malformed, Refused):
        return None


def what_decides(trace: Trace, fault: Fault) -> dict[str, str]:
    """The facts that decide the right answer to a question, by label."""
    found = _card_differences(fault)
    number = fault.step_in(trace)
    field = fault.field
    if fault.root in ("then", "end") and field in (*_POINTS, *_ENDS):
        after = state_after(trace, number)
        if after is not None and (field in _POINTS or after.score is not None):
            found |= _of_scores(trace, after)
    return found | _passes(trace, fault)


def _card_differences(fault: Fault) -> dict[str, str]:
    """The cards that an answer on legal cards lacks, and those too many, by label."""
    if fault.root != "legal":
        return {}
    try:
        expected, got = CardSet(fault.expected), CardSet(fault.got)
    except Malformed:
        return {}
    differences = {"missing": expected - got, "too much": got - expected}
    return {label: str(cards) for label, cards in differences.items() if cards}


def _of_scores(trace: Trace, after: State) -> dict[str, str]:
    """The scoring cards of each seat, the limit, and earlier totals, by label.

    `after` is the state after the act that is asked about. Once the deal has been
    scored, the cards left in a hand count as well (8.2), unless a claim has ended it
    (7.9) or it ends as soon as no points are left (5.14a).
    """
    options = trace.ruleset.options
    worth = CardSet.of_mask(cards_that_count(trace.ruleset.rules))
    taken = [
        f"seat {seat} {cards & worth or 'none'}"
        for seat, cards in enumerate(after.taken)
        if cards
    ]
    found = {"taken": ", ".join(taken)} if taken else {}
    held = [
        f"seat {seat} {cards & worth}"
        for seat, cards in enumerate(after.hands)
        if cards & worth
    ]
    left_out = ended_by_claim(after.core) or after.core.rules.ends_without_points
    if held and after.score is not None and not left_out:
        found["in hand"] = ", ".join(held)
    sheet = after.core.sheet  # as it was before the deal, even if that is scored
    if options["limit"] != "none":
        reached = ", reached in an earlier deal" if sheet.reached else ""
        found["limit"] = f"{options['limit']}{reached}"
    if any(sheet.totals):
        found["totals"] = " ".join(map(str, sheet.totals))
    return found


def _passes(trace: Trace, fault: Fault) -> dict[str, str]:
    """Who had passed what in this deal when a question was asked.

    Empty if nobody had, or if more than a few acts came after the last pass.
    """
    number = fault.step_in(trace)
    acts = [step.act for step in trace.steps[:number]]
    dealt = [at for at, act in enumerate(acts) if isinstance(act, Deal)]
    acts = acts[dealt[-1] :] if dealt else acts
    at_passes = [
        at
        for at, act in enumerate(acts)
        if isinstance(act, Pass | PassUnseen | Scatter)
    ]
    if not fault.is_after_act and at_passes[-1:] == [len(acts) - 1]:
        at_passes.pop()  # asked before this pass was made
    if not at_passes or len(acts) - 1 - at_passes[-1] > _SOON:
        return {}
    passes = [acts[at] for at in at_passes]
    told = [f"seat {act.seat}: {str(act).removeprefix('pass ')}" for act in passes]
    return {"passed": ", ".join(told)}
