"""The case of a mini-deal: all its games, counted by the adapter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import to_builtins

from refengine.formats import protocol
from refengine.formats.minideals import Mini
from refengine.formats.normal_form import Json
from refengine.formats.trace import opened, written_alike
from refengine_conformance.runner.adapter_errors import Thrown
from refengine_conformance.runner.answers import FormError
from refengine_conformance.runner.cases import plain_text
from refengine_conformance.runner.declared import is_applicable, why_not_asked
from refengine_conformance.runner.driver import Adapter, BrokenError
from refengine_conformance.runner.results import Case, Fault, Outcome, not_declared
from refengine_conformance.runner.transcripts import (
    Judged,
    Reply,
    Unanswered,
    capabilities_for_start,
    capabilities_for_undealt,
    opening_fields,
    reply_in_answer,
    why_unanswered,
)

LIMIT: Final = 100_000


def mini_needs(mini: Mini) -> tuple[str, ...]:
    """The capabilities needed to count the games of a small deal."""
    found = capabilities_for_start(mini.setup)
    options = mini.ruleset.options
    found |= capabilities_for_undealt(options)
    due = opened(mini.ruleset, mini.setup).legal.due
    if due.kind == "pass":
        counted = (mini.counted or {}).get("divide", {})
        found.add("scatter" if any("scatter" in key for key in counted) else "pass")
        if due.forward:
            found.add("forward")
    if str(options["moon"]).startswith("choice"):
        found.add("moon.choice")
    return tuple(sorted(found))


def mini_cases(adapter: Adapter, mini: Mini) -> Judged:
    """The one case of a mini-deal: all its games, counted by the adapter."""
    card = adapter.card

    def case(outcome: Outcome, note: str = "", *faults: Fault, **more: Any) -> Case:
        profile = mini.ruleset.profile
        return Case(mini.id, "enumerate", outcome, profile, faults, note, **more)

    if reason := why_not_asked(card, mini.ruleset, mini_needs(mini)):
        applicable = is_applicable(card, mini.ruleset)
        return Judged((case(Outcome.UNSUPPORTED, reason, applicable=applicable),))
    if not card.can("enumerate"):
        return Judged((case(Outcome.UNSUPPORTED, not_declared("enumerate")),))
    try:
        counted = _count(adapter, mini)
    except BrokenError as error:
        return Judged((case(error.outcome, str(error)),), True)
    except FormError as error:
        return Judged((case(Outcome.PROTOCOL, str(error)),))
    if isinstance(counted, Reply):
        fault = Fault(0, "open", counted.clauses, "the deal", "ok", str(counted))
        return Judged((case(Outcome.FAIL, "", fault),))
    if isinstance(counted, Thrown):
        return Judged((case(Outcome.ERROR, counted.note, thrown=counted),))
    if isinstance(counted, Unanswered):
        return Judged((case(Outcome.UNSUPPORTED, str(counted)),))
    faults = tuple(_count_faults(mini.counted or {}, counted))
    return Judged((case(Outcome.FAIL if faults else Outcome.PASS, "", *faults),))


def _count(adapter: Adapter, mini: Mini) -> Json | Reply | Unanswered | Thrown:
    fields = opening_fields(mini.ruleset, mini.setup, adapter.card)
    answer = adapter.ask("open", **fields)
    if isinstance(answer.error, str):
        return Thrown(0, "open", answer.error)
    if not isinstance(answer.ok, protocol.Empty):
        return reply_in_answer(answer)
    most = max([LIMIT, *(mini.counted or {}).get("plies", [])])
    answer = adapter.ask("enumerate", limit=most)
    if isinstance(answer.error, str):
        return Thrown(0, "enumerate", answer.error)
    if not isinstance(answer.ok, protocol.EnumerateOk):
        return why_unanswered(answer)
    counted: Json = to_builtins(answer.ok)
    counted["divide"] = dict(sorted(counted["divide"].items()))
    counted["scores"] = sorted(counted["scores"], key=lambda one: one["score"])
    return counted


def _count_faults(expected: Json, got: Json) -> Iterator[Fault]:
    """Where two counts differ: first the acts at the beginning, then the rest."""
    for act in sorted({*expected["divide"], *got["divide"]}):
        one, other = expected["divide"].get(act, 0), got["divide"].get(act, 0)
        if one != other:
            asked = f"games that begin with {act}"
            yield Fault(0, "divide", (), asked, str(one), str(other))
    for name in ("games", "plies", "scores"):
        if not written_alike(expected[name], got[name]):
            clauses = (
                ("8.1",)
                if name == "scores"
                and expected["games"] == got["games"]
                and expected["plies"] == got["plies"]
                else ()
            )
            yield Fault(
                0,
                name,
                clauses,
                name,
                plain_text(expected[name]),
                plain_text(got[name]),
            )
