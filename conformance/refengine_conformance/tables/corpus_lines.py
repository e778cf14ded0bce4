"""Reads the lines of the published corpus, with the clauses that each line tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import attrs
import msgspec

from refengine.formats.minideals import Mini, read_mini
from refengine.formats.trace import Trace, read_trace
from refengine.game.acts import Deal
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Start
from refengine_conformance.mutants.designed import OFF
from refengine_conformance.runner.fault_dictionary import OBSERVE, published_dictionary
from refengine_conformance.runner.selection import CORPUS, Choice, of_corpus
from refengine_conformance.runner.table import start_kind


class _Indexed(msgspec.Struct, frozen=True):
    """The keys of an index entry that are read here; any others are skipped."""

    id: str
    needs: frozenset[str]
    necessary: frozenset[str]


@attrs.frozen
class CorpusLine:
    """One line of the published corpus that is not retired.

    `needs` holds the capabilities that an adapter must have for the line to be run, and
    `necessary` the clauses without which the line fails.
    """

    read: Trace | Mini
    needs: frozenset[str]
    necessary: frozenset[str]

    @property
    def id(self) -> str:
        """The id of the trace or mini-deal."""
        return self.read.id

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the line."""
        return self.read.ruleset

    @property
    def start(self) -> Start:
        """What the line begins with: its setup, with the cards, or its match."""
        return self.read.setup if isinstance(self.read, Mini) else self.read.start

    @property
    def begins(self) -> str:
        """How the line begins, as one of the names in `STARTS`."""
        return start_kind(self.start)


@cache
def corpus_lines() -> tuple[CorpusLine, ...]:
    """The lines of the published corpus that are not retired, in the index's order."""
    entries = [
        msgspec.json.decode(line, type=_Indexed)
        for line in (CORPUS / "index.jsonl").read_bytes().splitlines()
    ]
    index = {entry.id: entry for entry in entries}
    return tuple(
        CorpusLine(
            read_mini(line.data) if line.mini else read_trace(line.data),
            index[line.id].needs,
            index[line.id].necessary,
        )
        for line in of_corpus(CORPUS, Choice()).lines
        if not line.retired
    )


@cache
def lines_that_need(clause: str) -> tuple[CorpusLine, ...]:
    """The lines in which an expectation fails if this clause is switched off."""
    return tuple(line for line in corpus_lines() if clause in line.necessary)


@cache
def only_wrong_deals_show(clause: str) -> bool:
    """Whether deals are the only acts that corpus lines expect this clause to refuse.

    Only the lines that fail without the clause are considered. False if no act is
    refused under the clause in them.
    """
    refused = [
        probe.act
        for line in lines_that_need(clause)
        if isinstance(line.read, Trace)
        for step in line.read.steps
        for probe in step.refuse
        if clause in probe.clauses
    ]
    return bool(refused) and all(isinstance(act, Deal) for act in refused)


@cache
def _kinds_by_clause_and_line() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """The kinds of case that go wrong without a clause, by clause and by line id."""
    known = published_dictionary()
    found: dict[str, Mapping[str, frozenset[str]]] = {}
    for suspect, signs in zip(known.suspects, known.signs, strict=True):
        if suspect.id.startswith(OFF):
            clause = suspect.id.removeprefix(OFF)
            found[clause] = {
                line: _with_fields(kinds, known.observed.get(line, {}).get(clause, ()))
                for line, kinds in signs.items()
            }
    return found


def _with_fields(kinds: Iterable[str], fields: Iterable[str]) -> frozenset[str]:
    """The kinds, with `observe` replaced by such kinds as `observe.score`."""
    observed = frozenset(f"{OBSERVE}.{field}" for field in fields)
    return frozenset(kinds) - {OBSERVE} | observed


def kinds_that_show(clause: str, line: str) -> frozenset[str]:
    """The kinds of case that fail in a line when this clause is switched off.

    The set is empty if only the reference engine itself can tell the difference. If no
    line can be played at all without the clause, the fault dictionary does not list it;
    any act then shows that it is off, so the only kind is `step`.
    """
    shown = _kinds_by_clause_and_line().get(clause)
    return shown.get(line, frozenset()) if shown else frozenset({"step"})
