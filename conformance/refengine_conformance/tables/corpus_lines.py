"""The lines of the published corpus, and what each of them is evidence for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

import attrs
import msgspec

from refengine.formats.minideals import Mini, read_mini
from refengine.formats.trace import Trace, read_trace
from refengine.game.acts import Deal
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Start
from refengine_conformance.runner.fault_dictionary import published_dictionary
from refengine_conformance.runner.selection import CORPUS, Choice, of_corpus
from refengine_conformance.runner.signatures import OBSERVE
from refengine_conformance.runner.table import start_kind

_SWITCHED_OFF: Final = "off:"


class _Indexed(msgspec.Struct, frozen=True):
    """What the index says that is of use here; its other keys are skipped."""

    id: str
    needs: frozenset[str]
    necessary: frozenset[str]


@attrs.frozen
class CorpusLine:
    """One line of the published corpus that is not retired.

    `needs` are the capabilities that an engine needs to be led through it, `necessary`
    the clauses without which it fails.
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
        """The ruleset that it was made for."""
        return self.read.ruleset

    @property
    def start(self) -> Start:
        """How it begins."""
        return self.read.setup if isinstance(self.read, Mini) else self.read.start

    @property
    def begins(self) -> str:
        """How it begins, as a table declares it."""
        return start_kind(self.start)


@cache
def corpus_lines() -> tuple[CorpusLine, ...]:
    """The lines of the published corpus, in the order of its index."""
    index = {
        one.id: one
        for line in (CORPUS / "index.jsonl").read_bytes().splitlines()
        for one in [msgspec.json.decode(line, type=_Indexed)]
    }
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
    """The lines of which an expectation fails with this clause switched off."""
    return tuple(line for line in corpus_lines() if clause in line.necessary)


@cache
def only_wrong_deals_show(clause: str) -> bool:
    """Whether this clause is named for nothing but deals that are refused."""
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
def _switched_off() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """For a clause and a line, what goes wrong without the clause."""
    known = published_dictionary()
    found: dict[str, Mapping[str, frozenset[str]]] = {}
    for suspect, signs in zip(known.suspects, known.signs, strict=True):
        if suspect.id.startswith(_SWITCHED_OFF):
            clause = suspect.id.removeprefix(_SWITCHED_OFF)
            found[clause] = {
                name: frozenset(kinds).difference({OBSERVE})
                | _observed(known.observed.get(name, {}).get(clause, ()))
                for name, kinds in signs.items()
            }
    return found


def _observed(fields: Iterable[str]) -> frozenset[str]:
    return frozenset(f"{OBSERVE}.{name}" for name in fields)


def kinds_that_show(clause: str, line: str) -> frozenset[str]:
    """What goes wrong in a line with this clause switched off, as `Shows` has it.

    Nothing if that shows only inside our own engine. An engine that is lost without the
    clause, whatever the line, shows that by playing.
    """
    shown = _switched_off().get(clause)
    return shown.get(line, frozenset()) if shown else frozenset({"step"})
