"""What an adapter declares, which determines what it is asked and how it is scored.

An adapter says in `hello` what it can do, and for which edition of the book it was
written; if it names no edition, the first is assumed. It is never asked about anything
that a later edition added, and the clauses that it names are compared by numbers that
its own edition has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from refengine.formats.fields import ruleset_fields
from refengine.formats.normal_form import Json
from refengine.formats.trace import Probe, Trace, state_at
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine.lawbook.clause_names import changed_clause, gone_back, names_parts
from refengine.lawbook.editions import EDITIONS, edition, version_key
from refengine.lawbook.options import BY_NAME, Value, value_text
from refengine_conformance.runner.driver import Adapter, CannotRunError, transport_of
from refengine_conformance.runner.results import EngineCard, Limits
from refengine_conformance.runner.run_time import ENDLESS, RunOverError, RunTime
from refengine_conformance.runner.table import Table, tables_of

_EARLY_CLAIM: Final = "7.7"
_BUILT_IN: Final = "builtin:"


def _has(spec: str, born: str) -> bool:
    """Whether edition `spec` has what came into the book with edition `born`."""
    return version_key(born) <= version_key(spec)


def ruleset_for(ruleset: Ruleset, spec: str) -> Json:
    """The ruleset as it is sent to an adapter: every option that its edition has."""
    return known_options(ruleset_fields(ruleset, every=True), spec)


def known_options(ruleset: Json, spec: str) -> Json:
    """A ruleset as an object, without the options that are not in this edition."""
    options = {
        name: value
        for name, value in ruleset["options"].items()
        if _has(spec, BY_NAME[name].born)
    }
    return {**ruleset, "options": options}


def why_later(ruleset: Ruleset, spec: str) -> str:
    """Why this ruleset does not exist in edition `spec`; empty if it does."""
    return why_not_in(ruleset.profile, ruleset.options, spec)


def why_not_in(profile: str, options: Mapping[str, Value], spec: str) -> str:
    """Why edition `spec` has no such ruleset; empty if it has one."""
    return why_unknown(profile, options, spec) or _why_refused_then(options, spec)


def _why_refused_then(options: Mapping[str, Value], spec: str) -> str:
    """Why edition `spec` refuses options allowed today; empty if it allows them.

    Before 1.1.0, a moon required both hearts and the queen to cost points (8.10); since
    then, only hearts must.
    """
    free = options["queen_points"] == 0 != options["heart_points"]
    if not _has(spec, "1.1.0") and options["moon"] != "none" and free:
        return f"edition {spec} refuses this ruleset (8.10)"
    return ""


def why_unknown(profile: str, options: Mapping[str, Value], spec: str) -> str:
    """Which profile or value edition `spec` lacks, in words; empty if it has all."""
    if spec in EDITIONS and profile not in edition(spec).members["profiles"]:
        return f"the profile {profile} is not in edition {spec}"
    for name, value in options.items():
        option = BY_NAME[name]
        if value != option.base and not _has(spec, option.born_with(value)):
            return f"{name}={value_text(value)} is not in edition {spec}"
    return ""


def compared_clauses(
    line_spec: str, adapter_spec: str, clauses: tuple[str, ...]
) -> tuple[str, ...]:
    """The clauses under names that exist in the editions of both line and adapter.

    These are the editions for which the line and the adapter were written. If either
    has no names for parts of clauses, each part is replaced by the clause to which it
    belongs.
    """
    both = names_parts(adapter_spec) and names_parts(line_spec)
    return clauses if both else gone_back(clauses)


def are_clauses_scored(trace: Trace, step: int, probe: Probe, spec: str) -> bool:
    """Whether the clauses that an adapter names for a refused act are judged.

    They are not if the act is a claim made too early, and the line or the adapter was
    written for an edition that refuses it by other clauses than today's: 1.1.0 changed
    7.7. In all other cases they are.
    """
    if probe.act.kind != "claim":
        return True
    if names_parts(trace.spec):
        return names_parts(spec) or _EARLY_CLAIM not in probe.clauses
    verdict = state_at(trace, step - 1).verdict(probe.act)
    today = verdict.clauses if isinstance(verdict, Refused) else ()
    return not changed_clause(trace.spec, "claim", probe.clauses, today)


def tables_in_hello(
    command: tuple[str, ...], limits: Limits, time: RunTime = ENDLESS
) -> tuple[Table, ...]:
    """The tables that an adapter declares; it is started only for this, and killed.

    How the adapter ends is judged only later, when it is asked about games. A built-in
    adapter declares no tables. Raises CannotRunError if the adapter cannot be started,
    does not answer `hello` as it should, or does so only after the time for the run is
    up, and Malformed if it declares a table that does not exist or that the book
    refuses.
    """
    if command[0].startswith(_BUILT_IN):
        return ()  # a built-in engine, which plays everything
    try:
        adapter = Adapter(transport_of(command), limits, time)
    except RunOverError as error:
        raise CannotRunError(str(error)) from None
    adapter.kill()
    return tables_of(adapter.tables)


def is_applicable(card: EngineCard, ruleset: Ruleset) -> bool:
    """Whether an adapter's declaration and its edition both include this ruleset."""
    declared = card.plays(ruleset.profile, ruleset.players)
    return declared and not why_later(ruleset, card.spec)


def lacks_events(card: EngineCard, trace: Trace) -> bool:
    """Whether the trace needs the capability `events`, and it is not declared."""
    return not card.can("events") and any(step.told for step in trace.steps)


def why_not_asked(card: EngineCard, ruleset: Ruleset, needs: tuple[str, ...]) -> str:
    """Why an adapter cannot be given a game under this ruleset; empty if it can.

    `needs` are the capabilities that the game needs.
    """
    return (
        why_table_not_declared(card, ruleset.profile, ruleset.players)
        or why_later(ruleset, card.spec)
        or why_not_able(card, needs)
    )


def why_not_able(card: EngineCard, needs: Iterable[str]) -> str:
    """Which of these capabilities are not declared, in words; empty if all are."""
    missing = [need for need in needs if not card.can(need)]
    return f"{', '.join(missing)} not declared" if missing else ""


def why_table_not_declared(card: EngineCard, profile: str, players: int) -> str:
    """Which part of this table an adapter does not declare, in words; empty if none."""
    if not card.knows(profile):
        return f"the profile {profile} is not declared"
    if not card.plays(profile, players):
        return f"{players} players are not declared"
    return ""
