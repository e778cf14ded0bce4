"""Which clauses can be asked at a table, and which of them a run did ask.

Nearly everything here is read off the corpus: for each clause it has the games that
need it, the options they are played under, how they begin, and what an engine must be
able to do to be led through them. Only what the options of a clause cannot say stands
in tables of our own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

import attrs

from refengine.chapters.passing import cycle_at_table
from refengine.chapters.settings import ACROSS, HOLD, LEFT, MIX, RIGHT, SCATTER
from refengine.formats.protocol import CAPABILITIES
from refengine.game.rulesets import Ruleset
from refengine.lawbook import book
from refengine.lawbook.options import Value
from refengine_conformance.runner.results import SCORED, Case, EngineCard, Outcome
from refengine_conformance.runner.signatures import OBSERVE, kinds_answered
from refengine_conformance.runner.table import Table
from refengine_conformance.runner.transcripts import GIVEN_DEALS
from refengine_conformance.tables.corpus_lines import (
    CorpusLine,
    corpus_lines,
    kinds_that_show,
    lines_that_need,
    only_wrong_deals_show,
)
from refengine_conformance.tables.no_such_game import has_no_such_game

STOCK: Final = "stock"
KITTY: Final = "kitty"
SMALL_PACK: Final = "small pack"
REVOKES: Final = "revokes"
START: Final = "start not declared"
CAPABILITY: Final = "capability not declared"
NO_SUCH_GAME: Final = "no such game"
REASONS: Final = (STOCK, KITTY, SMALL_PACK, REVOKES, START, CAPABILITY, NO_SUCH_GAME)
"""Why a clause of the corpus is left out of those that can be asked."""

_ALSO_WITHOUT_STOCK: Final = ("7.4a",)
"""Clauses that only lines with a stock need, although they are not about it."""

Shows = Mapping[str, Mapping[str, frozenset[str]]]
"""For a line and a clause, what goes wrong without the clause: kinds of case, and
`observe.score` for a field that is observed."""

_ACTS: Final = frozenset({"step", "replay"})

_READ_TOO: Final = {
    "5.4a": ("heart_leads",),
    "5.4b": ("heart_leads",),
    "8.3a": ("moon",),
    "8.3b": ("moon",),
    "8.9": ("exact_limit_becomes",),
    "9.7a": ("moon",),
}
"""Options that empty a clause through the clause that it qualifies."""

_TO_ONE: Final = frozenset({LEFT, RIGHT, ACROSS})
_GIVEN: Final = _TO_ONE | {SCATTER, MIX}
_PASSES: Final = {
    "4.1": _GIVEN | {HOLD},
    "4.2": _TO_ONE,
    "4.3": frozenset({HOLD}),
    "4.4": _TO_ONE | {MIX},
    "4.9a": _TO_ONE,
    "4.9b": _TO_ONE,
    "4.10": frozenset({MIX}),
    "4.10a": frozenset({MIX}),
    "4.10c": frozenset({MIX}),
    "4.10d": frozenset({MIX}),
    "4.10e": frozenset({MIX}),
    "4.10b": frozenset({MIX}),
}
"""The entries of the cycle, one of which a clause of chapter 4 is about."""
_FORWARDED: Final = ("4.9a", "4.9b")


@cache
def asked_of_anybody() -> tuple[str, ...]:
    """The clauses for which some line of the corpus is necessary, in book order."""
    needed = {clause for line in corpus_lines() for clause in line.necessary}
    return tuple(number for number in book.clauses() if number in needed)


# Empty clauses


def is_empty(clause: str, ruleset: Ruleset) -> bool:
    """Whether the options of a ruleset leave nothing of a clause, as far as is known.

    It is empty where one of its options has a value under which no line of the corpus
    needs it; numbers count as one value, except 0. Of the cycle of passes, a clause of
    chapter 4 needs only a pass of its own kind.
    """
    read = {*book.clause(clause).options, *_READ_TOO.get(clause, ())}
    if clause.startswith("4."):
        if _no_such_pass(clause, ruleset):
            return True
        read.discard("pass_cycle")
    return any(not _is_shown(clause, name, ruleset.options[name]) for name in read)


def _no_such_pass(clause: str, ruleset: Ruleset) -> bool:
    rules = ruleset.rules
    if clause == "4.1a":
        return not (rules.players % 2 and ACROSS in rules.pass_cycle)
    if clause in _FORWARDED and not ruleset.options["pass_unseen"]:
        return True
    return _PASSES.get(clause, _GIVEN).isdisjoint(cycle_at_table(rules))


def _is_shown(clause: str, option: str, value: Value) -> bool:
    return _as_shown(value) in _values_shown(clause, option)


@cache
def _values_shown(clause: str, option: str) -> frozenset[str]:
    """The values of an option under which some line needs the clause."""
    lines = lines_that_need(clause)
    return frozenset(_as_shown(line.ruleset.options[option]) for line in lines)


def _as_shown(value: Value) -> str:
    number = isinstance(value, int) and not isinstance(value, bool)
    return "a number" if number and value else str(value)


# Clauses that can be asked


@attrs.frozen
class Askable:
    """The clauses that can be asked, in book order, and why others are left out."""

    clauses: tuple[str, ...]
    left_out: Mapping[str, str]


def askable(table: Table, card: EngineCard, shows: Shows | None = None) -> Askable:
    """The clauses that an adapter which says this of itself can be asked at a table.

    A clause that a line of `shows` shows to this adapter can be asked in any case.
    """
    shown = {
        clause
        for of_line in (shows or {}).values()
        for clause, kinds in of_line.items()
        if can_show(card, kinds)
    }
    found: list[str] = []
    left_out: dict[str, str] = {}
    for clause in asked_of_anybody():
        if clause in shown:
            found.append(clause)
        elif why := why_left_out(clause, table, card):
            left_out[clause] = why
        elif is_empty(clause, table.ruleset):
            continue
        elif has_no_such_game(clause, table):
            left_out[clause] = NO_SUCH_GAME
        else:
            found.append(clause)
    return Askable(tuple(found), left_out)


def clauses_of_table(table: Table) -> tuple[str, ...]:
    """The clauses that are looked for at a table, for an engine that can do everything.

    Those that no game can ask are looked for in vain, because which games are found,
    and so the published sets, hang on what is looked for.
    """
    can = askable(table, ABLE)
    vain = {clause for clause, why in can.left_out.items() if why == NO_SUCH_GAME}
    return tuple(one for one in asked_of_anybody() if one in {*can.clauses, *vain})


ABLE: Final = EngineCard("", "", "", ("any",), ("any",), CAPABILITIES)
"""What an engine that can do everything says of itself."""


def why_left_out(clause: str, table: Table, card: EngineCard) -> str:
    """Why a clause is left out of those that can be asked.

    Empty if there is none, or if the clause itself is empty for another reason.
    """
    if why := why_without(clause, table.ruleset):
        return why
    if is_empty(clause, table.ruleset):
        return ""
    if clause.startswith("7.") and not card.can("revokes"):
        return REVOKES
    if _needs_small_pack(clause, table):
        return SMALL_PACK
    lines = [line for line in lines_that_need(clause) if _fits(line, table)]
    lines = [line for line in lines if line.begins in table.starts]
    if not lines:
        return START
    if not card.can(GIVEN_DEALS) and only_wrong_deals_show(clause):
        return CAPABILITY
    return "" if any(_can_be_led(card, line, clause) for line in lines) else CAPABILITY


def why_without(clause: str, ruleset: Ruleset) -> str:
    """Which of stock, kitty and revokes a clause needs and a ruleset lacks."""
    lines = lines_that_need(clause)
    undealt = ruleset.options["undealt"]
    piles = {line.ruleset.options["undealt"] for line in lines}
    of_stock = clause.startswith("6.") or piles == {STOCK}
    if undealt != STOCK and of_stock and clause not in _ALSO_WITHOUT_STOCK:
        return STOCK
    if undealt != KITTY and piles == {KITTY}:
        return KITTY
    revokes = {line.ruleset.options["revokes"] for line in lines}
    if ruleset.options["revokes"] == "rejected" and (
        clause.startswith("7.") or revokes == {"penalised"}
    ):
        return REVOKES
    return ""


def _needs_small_pack(clause: str, table: Table) -> bool:
    """Whether a clause decides only where cards of the pack are not in play.

    A whole pack that is dealt out has clubs, the queen of spades and hearts in hands.
    """
    if not table.whole:
        return False
    dealt_out = table.ruleset.options["undealt"] == "none"
    return clause == "3.10" or (dealt_out and clause in ("5.1a", "8.3a"))


def _fits(line: CorpusLine, table: Table) -> bool:
    """Whether a line has no stock or kitty that the table lacks."""
    undealt = line.ruleset.options["undealt"]
    return undealt in ("none", table.ruleset.options["undealt"])


def _can_be_led(card: EngineCard, line: CorpusLine, clause: str) -> bool:
    return all(map(card.can, line.needs)) and can_show(
        card, kinds_that_show(clause, line.id)
    )


def can_show(card: EngineCard, kinds: Iterable[str]) -> bool:
    """Whether an adapter is asked in one of these kinds of case.

    One that plays shows what it does with acts, asked in either way; without `probe`,
    refused acts are tried themselves.
    """
    return any(
        kind in _ACTS
        or (kind == "probe" and card.can("step"))
        or (card.can(kind) and (kind != "views" or card.can("step")))
        for kind in (name.partition(".")[0] for name in kinds)
    )


def observed_fields(kinds: Iterable[str]) -> frozenset[str]:
    """The fields among these kinds that are observed."""
    return frozenset(
        field
        for head, _, field in (kind.partition(".") for kind in kinds)
        if head == OBSERVE and field
    )


# Clauses that were asked


def clauses_asked(
    cases: Iterable[Case], shows: Shows, card: EngineCard
) -> frozenset[str]:
    """The clauses that some scored case would have shown to be broken."""
    scored: dict[str, set[str]] = {}
    for case in cases:
        if case.outcome in SCORED:
            scored.setdefault(case.trace, set()).update(_kinds_of(case, card))
    return frozenset(
        clause
        for line, kinds_scored in scored.items()
        for clause, kinds in shows.get(line, {}).items()
        if not kinds_scored.isdisjoint(kinds)
    )


def _kinds_of(case: Case, card: EngineCard) -> frozenset[str]:
    """The kinds of case that this one stands for."""
    if case.kind == "step" and not card.can("probe"):
        return _ACTS | {"probe"}
    return _ACTS if case.kind in _ACTS else kinds_answered(case)


def why_not_asked_about(
    clause: str,
    shows: Shows,
    unreached: Mapping[str, str],
    cases: Sequence[Case],
) -> str:
    """Why no scored case asks about a clause, in words."""
    lines = {name for name, of_line in shows.items() if clause in of_line}
    if not lines:
        return unreached.get(clause, "no game in the set shows it")
    shown = frozenset[str]().union(*(shows[name][clause] for name in lines))
    told = frozenset[str]().union(*(case.told for case in cases))
    fields = observed_fields(shown)
    if told and fields and fields.isdisjoint(told):
        return f"your adapter does not tell {' or '.join(sorted(fields))}"
    kinds = {kind.partition(".")[0] for kind in shown}
    said = [
        case
        for case in cases
        if case.trace in lines and (case.kind in kinds or case.kind in _ACTS)
    ]
    notes = [case.note for case in said if case.note]
    if notes:
        return max(sorted(set(notes)), key=notes.count)
    if any(case.outcome is Outcome.NOT_RUN for case in said):
        return "the games that show it were not asked to their end"
    return "the games that show it were not chosen"
