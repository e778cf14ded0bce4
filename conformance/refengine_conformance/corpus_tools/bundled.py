"""Replays all bundled traces, logs and mini-deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import attrs

from refengine.errors import Malformed, counted
from refengine.formats.replaying import judge_line
from refengine_conformance.data import data
from refengine_conformance.runner.selection import Choice, of_corpus

_EVIDENCE: Final = data()
BESIDE: Final = ("dictionary.jsonl", "errata.jsonl", "index.jsonl")
"""The files of the corpus whose lines describe traces and are not replayed."""


@attrs.frozen
class BundledReport:
    """How many lines of each kind were replayed, and every disagreement found."""

    kinds: dict[str, int]
    disagreements: tuple[str, ...]

    def lines(self) -> list[str]:
        """The lines of the report for a terminal."""
        replayed = [counted(number, kind) for kind, number in self.kinds.items()]
        return [
            f"bundled and replayed: {', '.join(replayed)}",
            *self.disagreements,
            f"disagreements: {len(self.disagreements)}",
        ]

    def fields(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return attrs.asdict(self)


def bundled_lines() -> Iterator[tuple[str, bytes]]:
    """Every bundled line, preceded by its place, such as `corpus/smoke.jsonl:3`.

    The worked examples come first, then the corpus, and last the events and openings.
    """
    for folder in ("examples", "corpus", "events-and-openings"):
        for path in sorted((_EVIDENCE / folder).glob("*.jsonl")):
            if path.name in BESIDE:
                continue
            for number, line in enumerate(path.read_bytes().splitlines(), 1):
                yield f"{folder}/{path.name}:{number}", line


def bundled_report(moved: Callable[[int], None]) -> BundledReport:
    """Replay every bundled line and report the result.

    `moved` is called with the number of lines done. Files of the corpus that differ
    from its manifest are also reported, and so are lines that its manifest or its index
    promises but that are missing.
    """
    kinds: Counter[str] = Counter()
    corpus = of_corpus(_EVIDENCE / "corpus", Choice())
    wrong = [*corpus.unreadable, *corpus.short]
    for done, (place, line) in enumerate(bundled_lines(), 1):
        try:
            judgement = judge_line(line)
            kinds[judgement.kind] += 1
            wrong += [f"{place}: {finding}" for finding in judgement.findings]
        except Malformed as error:
            wrong.append(f"{place}: {error}")
        moved(done)
    return BundledReport(dict(sorted(kinds.items())), tuple(wrong))
