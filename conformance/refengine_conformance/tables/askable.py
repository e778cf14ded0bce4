"""Decides which clauses a run at a table can test, and which of these it has tested.

Most of this is worked out from the corpus: from the lines that fail without a clause,
their options, how they begin, and the capabilities that an adapter needs for them. Only
what neither the corpus nor the options of a clause show is written down here.
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
from refengine_conformance.runner.fault_dictionary import OBSERVE, kinds_answered
from refengine_conformance.runner.results import (
    PASSED,
    SCORED,
    Case,
    EngineCard,
    Outcome,
)
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
"""The reasons why a clause can be left out of those that can be asked about."""

Shows = Mapping[str, Mapping[str, frozenset[str]]]
"""For a line and a clause, the kinds of case that go wrong without the clause.

For an observed field, the kind is `observe.` and its name: for example `observe.score`.
"""

_ACTS: Final = frozenset({"step", "replay"})
_WITHOUT_ACTS: Final = frozenset({"enumerate", "openings"})
_BY_STEP_ALONE: Final = frozenset({"views", "events"})
_CITING: Final = frozenset({"clause", "clauses"})

_READ_TOO: Final = {
    "5.4a": ("heart_leads",),
    "5.4b": ("heart_leads",),
    "8.3a": ("moon",),
    "8.3b": ("revoke_ends_deal",),
    "8.9": ("exact_limit_becomes",),
    "9.7a": ("moon",),
}
"""For a clause, further options that can leave nothing of it.

They are not among its options in the book, but can leave nothing of another clause that
it qualifies.
"""
_EMPTY_WITH: Final = {"8.3b": "8.3", "8.3c": "8.3"}
"""For a clause, another that it qualifies: if the other is empty, so is the clause.

Too few lines need the clause itself to show every value of the other clause's options.
"""
_BONUS_CARDS: Final = ("JD", "TD")

_TO_ONE: Final = frozenset({LEFT, RIGHT, ACROSS})
_NOT_TO_ONE: Final = frozenset({SCATTER, MIX})
_GIVEN: Final = _TO_ONE | _NOT_TO_ONE
_PASSES: Final = {
    "4.1": _GIVEN | {HOLD},
    "4.2": _TO_ONE,
    "4.3": frozenset({HOLD}),
    "4.4": _TO_ONE | {MIX},
    "4.9a": _TO_ONE,
    "4.9b": _TO_ONE,
    "4.9c": _TO_ONE,
    "4.10": frozenset({MIX}),
    "4.10a": frozenset({MIX}),
    "4.10b": frozenset({MIX}),
    "4.10c": frozenset({MIX}),
    "4.10d": frozenset({MIX}),
    "4.10e": frozenset({MIX}),
}
"""For a clause of chapter 4, the kinds of pass that it is about."""
_FORWARDED: Final = ("4.9a", "4.9b")


@cache
def clauses_needed_by_corpus() -> tuple[str, ...]:
    """The clauses without which some line of the corpus fails, in book order."""
    needed = {clause for line in corpus_lines() for clause in line.necessary}
    return tuple(number for number in book.clauses() if number in needed)


# Empty clauses


def is_empty(clause: str, ruleset: Ruleset) -> bool:
    """Whether a clause has no effect under the options of a ruleset, as far as known.

    This is so if one of the clause's options has a value under which no line of the
    corpus fails without the clause. All numbers but 0 count as the same value, and so
    do both bonus cards. For a clause of chapter 4, all that matters of the pass cycle
    is whether it has a pass of a kind that the clause is about.
    """
    if clause in _EMPTY_WITH and is_empty(_EMPTY_WITH[clause], ruleset):
        return True
    read = {*book.clause(clause).options, *_READ_TOO.get(clause, ())}
    if clause.startswith("4."):
        if _no_such_pass(clause, ruleset):
            return True
        read.discard("pass_cycle")
    return any(not _is_shown(clause, name, ruleset.options[name]) for name in read)


def _no_such_pass(clause: str, ruleset: Ruleset) -> bool:
    """Whether a ruleset has none of the passes that a clause of chapter 4 is about."""
    rules = ruleset.rules
    if clause == "4.1a":
        return not (rules.players % 2 and ACROSS in rules.pass_cycle)
    if clause in _FORWARDED and not rules.pass_unseen:
        return True
    about = _PASSES.get(clause, _GIVEN)
    if clause == "4.9" and rules.pass_unseen:
        about = _NOT_TO_ONE  # the passes in which a seat still may not forward
    return about.isdisjoint(cycle_at_table(rules))


def _is_shown(clause: str, option: str, value: Value) -> bool:
    return _as_shown(value) in _values_shown(clause, option)


@cache
def _values_shown(clause: str, option: str) -> frozenset[str]:
    """The values of an option in the corpus lines that fail without this clause.

    Values that count as the same, such as all numbers but 0, have the same text.
    """
    lines = lines_that_need(clause)
    return frozenset(_as_shown(line.ruleset.options[option]) for line in lines)


def _as_shown(value: Value) -> str:
    """The value as text: one text for all numbers but 0, one for both bonus cards."""
    if value in _BONUS_CARDS:
        return "a card"
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return "a number" if is_number and value else str(value)


# Clauses that can be asked about


@attrs.frozen
class Askable:
    """The clauses that can be tested, in book order, and why some others cannot be."""

    clauses: tuple[str, ...]
    left_out: Mapping[str, str]


def askable(table: Table, card: EngineCard, shows: Shows | None = None) -> Askable:
    """The clauses that an adapter with this card can be tested on at a table.

    A clause that a line of `shows` can test with this adapter is always among them.
    """
    shown = {
        clause
        for of_line in (shows or {}).values()
        for clause, kinds in of_line.items()
        if can_show(card, kinds)
    }
    found: list[str] = []
    left_out: dict[str, str] = {}
    for clause in clauses_needed_by_corpus():
        if clause in shown:
            found.append(clause)
        elif why := why_left_out(clause, table, card):
            left_out[clause] = why
        elif not is_empty(clause, table.ruleset):
            found.append(clause)
    return Askable(tuple(found), left_out)


def clauses_of_table(table: Table) -> tuple[str, ...]:
    """The clauses, in book order, for which games of a table are to be found.

    They are those on which an engine that can do everything can be tested.
    """
    return askable(table, ABLE).clauses


ABLE: Final = EngineCard("", "", "", ("any",), ("any",), CAPABILITIES)
"""The card of an engine that can do everything."""


def why_left_out(clause: str, table: Table, card: EngineCard) -> str:
    """The reason in `REASONS` why a clause cannot be tested by this adapter at a table.

    The result is empty if there is no such reason, or if the clause has no effect (see
    `is_empty`) although the ruleset lacks nothing that it needs.
    """
    if why := what_ruleset_lacks(clause, table.ruleset):
        return why
    if is_empty(clause, table.ruleset):
        return ""
    if clause.startswith("7.") and not card.can("revokes"):
        return REVOKES
    if _needs_small_pack(clause, table):
        return SMALL_PACK
    lines = [
        line
        for line in lines_that_need(clause)
        if _fits(line, table) and line.begins in table.starts
    ]
    if not lines:
        return START
    if not card.can(GIVEN_DEALS) and only_wrong_deals_show(clause):
        return CAPABILITY
    if not any(_can_be_led(card, line, clause) for line in lines):
        return CAPABILITY
    return NO_SUCH_GAME if has_no_such_game(clause, table) else ""


def what_ruleset_lacks(clause: str, ruleset: Ruleset) -> str:
    """What a ruleset lacks although a clause needs it, as one of `REASONS`.

    It may lack a stock, a kitty or penalised revokes. The result is empty if it lacks
    none of them.
    """
    lines = lines_that_need(clause)
    undealt = ruleset.options["undealt"]
    piles = {line.ruleset.options["undealt"] for line in lines}
    of_stock = clause.startswith("6.") or piles == {"stock"}
    if undealt != "stock" and of_stock:
        return STOCK
    if undealt != "kitty" and piles == {"kitty"}:
        return KITTY
    revokes = {line.ruleset.options["revokes"] for line in lines}
    if ruleset.options["revokes"] == "rejected" and (
        clause.startswith("7.") or revokes == {"penalised"}
    ):
        return REVOKES
    return ""


def _needs_small_pack(clause: str, table: Table) -> bool:
    """Whether no game of a table can test a clause because the pack is whole.

    With a whole pack, a match names no pack (3.10), and the queen of spades, several
    hearts and any bonus card are in play, if only in a stock or a kitty (0.9). Some
    hand has a club, unless at least as many cards are left over as there are clubs.
    """
    if not table.whole:
        return False
    pack = table.whole_pack
    if clause == "5.1a":
        left_over = len(pack) - table.ruleset.players * table.full_hand
        return left_over < len(pack.of_suit("C"))
    return clause in ("3.10", "8.3a", "8.3c")


def _fits(line: CorpusLine, table: Table) -> bool:
    """Whether the table has the stock or kitty of a line, if the line has one."""
    undealt = line.ruleset.options["undealt"]
    return undealt in ("none", table.ruleset.options["undealt"])


def _can_be_led(card: EngineCard, line: CorpusLine, clause: str) -> bool:
    """Whether an adapter can run a line, and the line can then test the clause."""
    can_play = all(map(card.can, line.needs))
    return can_play and can_show(card, kinds_that_show(clause, line.id))


def can_show(card: EngineCard, kinds: Iterable[str]) -> bool:
    """Whether cases of any of these kinds are put to an adapter."""
    return any(_is_asked(card, _without_field(kind)) for kind in kinds)


def _is_asked(card: EngineCard, kind: str) -> bool:
    """Whether cases of this kind are put to an adapter.

    Counts and openings need no acts; all other cases need acts, sent as steps or as one
    replay. An adapter without `probe` is sent acts that must be refused as steps, but
    never in a replay, so the only clauses compared in its replays are those that it
    names for a revoke.
    """
    if kind in _WITHOUT_ACTS:
        return card.can(kind)
    if card.can("step"):
        return kind in _ACTS or kind == "probe" or card.can(kind)
    if kind in _BY_STEP_ALONE or not card.can("replay"):
        return False
    if kind in _CITING and not card.can("probe"):
        return card.can(kind) and card.can("revokes")
    return kind in _ACTS or card.can(kind)


def _without_field(kind: str) -> str:
    """The kind of case without its field: `observe` for `observe.score`."""
    return kind.partition(".")[0]


def observed_fields(kinds: Iterable[str]) -> frozenset[str]:
    """The observed fields that these kinds name, such as `score` in `observe.score`."""
    start = f"{OBSERVE}."
    return frozenset(
        kind.removeprefix(start) for kind in kinds if kind.startswith(start)
    )


# Clauses that were asked about


def clauses_asked(
    cases: Iterable[Case], shows: Shows, card: EngineCard
) -> frozenset[str]:
    """The clauses tested: those without which some scored case would fail."""
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
    """The kinds of case that this case counts as once it has been answered."""
    if case.kind == "step" and not card.can("probe"):
        return _ACTS | {"probe"}
    return _ACTS if case.kind in _ACTS else kinds_answered(case)


def fields_told(cases: Iterable[Case]) -> frozenset[str]:
    """The fields of `observe` that the adapter returned in any of these cases."""
    return frozenset[str]().union(*(case.told for case in cases))


def why_not_asked_about(
    clause: str,
    shows: Shows,
    unreached: Mapping[str, str],
    cases: Sequence[Case],
) -> str:
    """A phrase that says why no scored case tests a clause.

    `unreached` maps each clause for which no game was found to the reason.
    """
    lines = {name for name, of_line in shows.items() if clause in of_line}
    if not lines:
        return unreached.get(clause, "no game in the set shows it")
    shown = frozenset[str]().union(*(shows[name][clause] for name in lines))
    fields = observed_fields(shown)
    untold = ""
    if fields and all(_without_field(kind) == OBSERVE for kind in shown):
        names = " or ".join(sorted(fields))
        here = [case for case in cases if case.trace in lines and case.kind == OBSERVE]
        whole = [case for case in here if case.outcome in PASSED]
        if whole and fields.isdisjoint(fields_told(whole)):
            never = f"your adapter does not tell {names}"
            is_told = not fields.isdisjoint(fields_told(cases))
            return f"{never} in the games that show it" if is_told else never
        if any(case.outcome in SCORED for case in here):
            untold = f"your adapter did not tell {names} in the games that show it"
    kinds = {_without_field(kind) for kind in shown} | _ACTS
    related = [case for case in cases if case.trace in lines and case.kind in kinds]
    notes = [case.note for case in related if case.note]
    if notes:
        return max(sorted(set(notes)), key=notes.count)
    if any(case.outcome is Outcome.NOT_RUN for case in related):
        return "the games that show it were not played to the end"
    return untold or "the games that show it were not chosen"
