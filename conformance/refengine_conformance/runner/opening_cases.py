"""Judge how an adapter answers if it is asked to begin a game that cannot begin.

It must refuse, and may be scored on the clauses that it names. Only an explicit
`refused` is right. An `error` counts as `unsupported` here: an engine may have no other
answer for a game that cannot begin.
"""

from __future__ import annotations

from typing import Any, Final

from refengine.formats import protocol
from refengine.formats.fields import start_fields
from refengine.formats.openings import RefusedOpening, whole_ruleset
from refengine.game.setups import Setup
from refengine.rulings.broken_clauses.named_clauses import (
    are_right,
    cited_for,
    right_answer,
)
from refengine_conformance.runner.answers import FormError
from refengine_conformance.runner.declared import (
    compared_clauses,
    known_options,
    why_not_able,
    why_not_in,
    why_table_not_declared,
)
from refengine_conformance.runner.driver import Adapter, BrokenError
from refengine_conformance.runner.results import (
    Case,
    EngineCard,
    Fault,
    Outcome,
    not_declared,
)
from refengine_conformance.runner.transcripts import (
    Judged,
    Reply,
    capabilities_for_start,
    capabilities_for_undealt,
    reply_in_answer,
)

OPENINGS: Final = "openings"
_KINDS: Final = (OPENINGS, "clause", "clauses")


def opening_needs(opening: RefusedOpening) -> tuple[str, ...]:
    """The capabilities that an adapter needs to be asked about an opening."""
    _, values = whole_ruleset(opening)
    found = capabilities_for_start(opening.start) | capabilities_for_undealt(values)
    return tuple(sorted(found))


def opening_cases(adapter: Adapter, opening: RefusedOpening) -> Judged:
    """Ask the adapter to begin a game that must be refused, and judge its answer."""
    card = adapter.card
    if reason := _why_not_applicable(opening, card):
        return Judged(_all(opening, Outcome.UNSUPPORTED, reason, applicable=False))
    if note := why_not_able(card, opening_needs(opening)):
        return Judged(_all(opening, Outcome.UNSUPPORTED, note))
    ruleset, _ = whole_ruleset(opening)
    start = start_fields(opening.start)
    try:
        answer = adapter.ask("open", ruleset=known_options(ruleset, card.spec), **start)
    except BrokenError as error:
        return Judged(_lost(opening, error.outcome, str(error)), gone=True)
    except FormError as error:
        return Judged(_lost(opening, Outcome.PROTOCOL, str(error)))
    if isinstance(answer.ok, protocol.Empty):
        return Judged(_accepted(opening))
    got = reply_in_answer(answer)
    if not isinstance(got, Reply):
        return Judged(_all(opening, Outcome.UNSUPPORTED, f"open: {got}"))
    return Judged(_refused(opening, got, card))


def unasked_opening(
    opening: RefusedOpening,
    outcome: Outcome,
    reason: str,
    card: EngineCard | None = None,
) -> tuple[Case, ...]:
    """The cases of an opening that is retired, or that the run could not ask about.

    `card` is what the adapter declares, or None if it has declared nothing yet.
    """
    declared = card is None or not _why_not_applicable(opening, card)
    return _all(opening, outcome, reason, declared and outcome is not Outcome.RETIRED)


def _why_not_applicable(opening: RefusedOpening, card: EngineCard) -> str:
    """Why an opening is not applicable to an adapter; empty if it is.

    It is not if the adapter does not declare the capability, the profile or the number
    of players, or if its edition lacks the ruleset or refuses it for another reason.
    """
    if not card.can(OPENINGS):
        return not_declared(OPENINGS)
    ruleset, values = whole_ruleset(opening)
    profile, players = ruleset["profile"], ruleset["players"]
    undeclared = why_table_not_declared(card, profile, players)
    return undeclared or why_not_in(profile, values, card.spec)


def _case(
    opening: RefusedOpening, kind: str, outcome: Outcome, note: str = "", **more: Any
) -> Case:
    profile, about = opening.ruleset.profile, opening.name
    return Case(opening.id, kind, outcome, profile, note=note, about=about, **more)


def _all(
    opening: RefusedOpening, outcome: Outcome, note: str, applicable: bool = True
) -> tuple[Case, ...]:
    """All cases of an opening, with the same outcome."""
    return tuple(
        _case(opening, kind, outcome, note, applicable=applicable) for kind in _KINDS
    )


def _lost(opening: RefusedOpening, outcome: Outcome, note: str) -> tuple[Case, ...]:
    """The cases of an opening at which the conversation was lost."""
    others = _all(opening, Outcome.NOT_RUN, "the game ended too early")[1:]
    return _case(opening, OPENINGS, outcome, note), *others


def _fault(
    opening: RefusedOpening, cited: tuple[str, ...], expected: str, got: str
) -> Fault:
    what = "deal" if isinstance(opening.start, Setup) else "match"
    return Fault(0, "open", cited, f"may this {what} begin?", expected, got)


def _accepted(opening: RefusedOpening) -> tuple[Case, ...]:
    """The cases of an opening that the adapter accepted instead of refusing it."""
    expected = f"refused by {', '.join(opening.clauses)}"
    fault = _fault(opening, opening.clauses, expected, "ok")
    nothing = "nothing to ask: the game was begun"
    others = _all(opening, Outcome.UNSUPPORTED, nothing)[1:]
    return _case(opening, OPENINGS, Outcome.FAIL, faults=(fault,)), *others


def _refused(opening: RefusedOpening, got: Reply, card: EngineCard) -> tuple[Case, ...]:
    """The cases of an opening that was rightly refused, perhaps by wrong clauses."""
    wanted = {*compared_clauses(opening.spec, card.spec, opening.clauses)}
    named = {*compared_clauses(opening.spec, card.spec, got.clauses)}
    found = [_case(opening, OPENINGS, Outcome.PASS)]
    for kind in _KINDS[1:]:
        if not card.can(kind):
            note = not_declared(kind)
            found.append(_case(opening, kind, Outcome.UNSUPPORTED, note))
        elif are_right(kind, wanted, named):
            found.append(_case(opening, kind, Outcome.PASS))
        else:
            right = right_answer(kind, opening.clauses, wanted)
            fault = _fault(opening, cited_for(wanted, named), right, str(got))
            found.append(_case(opening, kind, Outcome.FAIL, faults=(fault,)))
    return tuple(found)
