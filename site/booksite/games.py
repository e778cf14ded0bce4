"""The games in the viewer: bundled examples, the corpus and the disputes, annotated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs

from refengine.formats.annotate import annotated
from refengine.formats.trace import Trace, read_trace, trace_fields
from refengine.lawbook.options import option_named
from refengine.lawbook.reading import place_in_book
from refengine.lawbook.spoken import profile_name, rule_words

ROOT: Final = Path(__file__).resolve().parents[2]
CORPUS: Final = ROOT / "conformance" / "corpus"
EXAMPLES: Final = ROOT / "conformance" / "examples"
WHOLE_DEAL: Final = ROOT / "site" / "games" / "whole-deal.jsonl"
"""The game with which the viewer begins: Hearts as most people know it."""
COUNTED: Final = "a mini-deal, counted"
PEOPLE: Final = ("Anna", "Ben", "Clara", "David")
"""The players in the whole deal; the viewer shows their names in place of seats."""
Json = dict[str, Any]


@attrs.frozen(kw_only=True)
class Game:
    """A game that the viewer can load by its id.

    `group` is `examples`, `corpus` or `disputes`. `fires` and `necessary` hold the
    clauses listed under these names in the index of the corpus, and are empty for other
    games. `shows` maps each clause that makes some act of the game refused or irregular
    to the first step at which it does so.
    """

    id: str
    name: str
    group: str
    line: Json
    fires: tuple[str, ...] = ()
    necessary: tuple[str, ...] = ()

    @property
    def profile(self) -> str:
        """The profile of the ruleset."""
        return str(self.line["ruleset"]["profile"])

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.line["ruleset"]["players"])

    @property
    def steps(self) -> list[Json]:
        """The steps; empty for a mini-deal and for a log."""
        found: list[Json] = self.line.get("steps", [])
        return found

    @property
    def shows(self) -> dict[str, int]:
        """For each clause that forbids an act, the first step at which it does so.

        Steps are numbered from 1.
        """
        found: dict[str, int] = {}
        for number, step in enumerate(self.steps, 1):
            probes = [*step.get("refuse", ()), *step.get("irregular", ())]
            for clause in [
                *step.get("breaks", ()),
                *(clause for probe in probes for clause in probe["clauses"]),
            ]:
                found.setdefault(clause, number)
        return found

    def address(self, step: int = 1) -> str:
        """The permanent link to a step of the game in the viewer."""
        return f"viewer.html#trace={self.id}&step={step}"

    @property
    def _number_of_steps(self) -> int:
        """How many steps the viewer shows; 0 for a mini-deal, which has none."""
        acts = len(self.line.get("pass", ())) + len(self.line.get("plays", "").split())
        return len(self.steps) or acts

    def entry(self) -> list[Any]:
        """The entry for the game in the viewer's list of games."""
        return [
            self.id,
            self.name,
            self.group,
            self.profile,
            self.players,
            self._number_of_steps,
            sorted({*self.fires, *self.shows}, key=place_in_book),
        ]


def of_trace(trace: Trace) -> Json:
    """The trace as JSON for the viewer, with all that can be seen at each step."""
    return trace_fields(annotated(trace, states=True))


def full(line: bytes) -> Json:
    """The trace on this line, in the form that the viewer needs, under its own id."""
    trace = read_trace(line)
    return of_trace(trace) | {"id": trace.id}


def examples() -> Iterator[Game]:
    """The bundled examples: a whole deal, then one game for each example file."""
    yield _example(full(WHOLE_DEAL.read_bytes()) | {"x-names": list(PEOPLE)})
    for path in sorted(EXAMPLES.glob("*.jsonl")):
        text = path.read_bytes().strip()
        line = json.loads(text)
        if "trace" in line:
            yield _example(full(text))
        else:
            name = "a compact log" if "log" in line else COUNTED
            yield Game(id=path.stem, name=name, group="examples", line=line)


def _example(line: Json) -> Game:
    return Game(id=line["id"], name=line["name"], group="examples", line=line)


def corpus() -> Iterator[Game]:
    """The games of the published corpus, with the clauses that each is evidence for."""
    lines: dict[str, list[bytes]] = {}
    for row in (CORPUS / "index.jsonl").read_bytes().splitlines():
        entry = json.loads(row)
        file = entry["file"]
        if file not in lines:
            lines[file] = (CORPUS / file).read_bytes().splitlines()
        text = lines[file][entry["line"] - 1]
        mini = entry["id"].startswith("m-")
        line = json.loads(text) if mini else full(text)
        yield Game(
            id=entry["id"],
            name=line.get("name") or (COUNTED if mini else "a game"),
            group="corpus",
            line=line,
            fires=tuple(entry["fires"]),
            necessary=tuple(entry["necessary"]),
        )


def loaded(game: Game) -> str:
    """The script for one game, which passes it to the viewer when loaded."""
    return f"refengineGame({json.dumps(game.line, separators=(',', ':'))});\n"


def ruleset_words(fields: Json) -> str:
    """The profile, number of players and changed options, as people say them."""
    words = [f"{profile_name(fields['profile'])}, {fields['players']} players"]
    for name, value in fields.get("options", {}).items():
        words.append(rule_words(name, option_named(name).read(value)))
    return "; ".join(words)
