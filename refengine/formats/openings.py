"""Trace lines that say that a game cannot begin, and which clauses forbid it."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
from msgspec import UnsetType

from refengine.formats import shapes
from refengine.formats.fields import option_fields, ruleset_of, start_fields, start_of
from refengine.formats.normal_form import Json, call_with_place
from refengine.formats.parsing import parse_line
from refengine.formats.trace import Finding, decode_trace, id_of
from refengine.game.rulesets import values_of
from refengine.game.setups import Setup, Start
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.lawbook.options import Value
from refengine.lawbook.profiles import profile


@attrs.frozen(kw_only=True)
class RefusedOpening:
    """A game that, according to a trace line, cannot begin because clauses forbid it.

    The ruleset is kept as the line gives it. It may be the ruleset itself that the
    clauses forbid, and then no `Ruleset` can be made from it.
    """

    ruleset: shapes.RulesetObject
    start: Start
    clauses: tuple[str, ...]
    name: str = ""
    id: str = ""
    spec: str = ""


def read_opening(line: bytes) -> RefusedOpening | None:
    """The refused opening that a trace line holds, or None if the line holds a game.

    Raises Malformed if the line cannot be read, or if it is for a version of the book
    by which the engine cannot judge.
    """
    read = decode_trace(line)
    if isinstance(read.opening, UnsetType):
        return None
    _values(read.ruleset)  # raises Malformed for what is not in the book
    return RefusedOpening(
        ruleset=read.ruleset,
        start=start_of(read.setup, read.match),
        clauses=shapes.check_clauses(read.opening.clauses, "opening.clauses"),
        name=read.name,
        id=read.id,
        spec=read.spec,
    )


def may_hold_opening(line: bytes) -> bool:
    """Whether a line may hold a refused opening, as a quick look at its bytes tells.

    If the result is False, it holds none. Any letter of the key may be escaped.
    """
    return b'"opening"' in line or b"\\u" in line


def opening_of(line: bytes) -> RefusedOpening | None:
    """The refused opening that a line of any kind holds, or None if it holds none.

    Raises Malformed as `read_opening` does.
    """
    if not may_hold_opening(line):
        return None
    plain = parse_line(line)  # an `x-` key may hold it, and come before the kind
    other = isinstance(plain, dict) and ("log" in plain or "mini" in plain)
    return None if other else read_opening(line)


def _normal_ruleset(read: shapes.RulesetObject) -> Json:
    """The ruleset as an object, with only the options that differ from its profile.

    It may be a ruleset that clauses forbid.
    """
    base = call_with_place("ruleset", profile, read.profile)
    found: Json = {"profile": base.name, "players": read.players}
    changed = {
        name: value
        for name, value in _values(read).items()
        if value != base.options[name]
    }
    if changed:
        found["options"] = option_fields(changed)
    return found


def _values(read: shapes.RulesetObject) -> Mapping[str, Value]:
    """The value of every option; raises Malformed for what is not in the book."""
    base = call_with_place("ruleset", profile, read.profile)
    return call_with_place("ruleset", values_of, base, read.options)


def whole_ruleset(opening: RefusedOpening) -> tuple[Json, Mapping[str, Value]]:
    """The ruleset as a JSON object with all options, and the engine's option values."""
    read, values = opening.ruleset, _values(opening.ruleset)
    found: Json = {"profile": read.profile, "players": read.players}
    return {**found, "options": option_fields(values)}, values


def opening_id(opening: RefusedOpening) -> str:
    """The id of a refused opening, the same for all lines with the same meaning."""
    return id_of("t", _meaning(opening))


def _meaning(opening: RefusedOpening) -> Json:
    found: Json = {"ruleset": _normal_ruleset(opening.ruleset)}
    found |= start_fields(opening.start)
    return {**found, "steps": [], "opening": {"clauses": list(opening.clauses)}}


def replay_opening(opening: RefusedOpening) -> list[Finding]:
    """Findings for a refused opening, if its clauses or its id are wrong.

    The clauses are wrong if other clauses forbid the game, or if it can begin.
    Raises Malformed for a seat or a list that does not fit the table.
    """
    expected = f"refused by {', '.join(opening.clauses)}"
    clauses = _clauses_of_refusal(opening)
    found: list[Finding] = []
    if clauses != opening.clauses:
        said = f"refused by {', '.join(clauses)}" if clauses else "a game that begins"
        found.append(Finding(0, "opening", expected, said))
    if opening.id and opening.id != opening_id(opening):
        found.append(Finding(0, "id", opening_id(opening), opening.id))
    return found


def _clauses_of_refusal(opening: RefusedOpening) -> tuple[str, ...]:
    """The clauses by which the rules forbid the game, or none if it can begin."""
    where = "setup" if isinstance(opening.start, Setup) else "match"
    try:
        ruleset = ruleset_of(opening.ruleset)
        call_with_place(where, State.open, ruleset, opening.start)
    except Refused as refused:
        return refused.clauses
    return ()
