"""Check that `identify` finds out which rulesets engines play.

They are the engines of the bench, two examples, and masked engines. A masked engine
plays one ruleset, whatever ruleset it is sent: a profile with up to five options
changed at random. Its number is the seed of these changes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Final

import attrs
from msgspec import json

from refengine import OPTIONS
from refengine.errors import Malformed
from refengine.exit_codes import ALL_WELL
from refengine.formats.fields import ruleset_fields
from refengine.game.nearby_rulesets import values_to_try
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine.jobs.own_python import own_command
from refengine.lawbook.profiles import profile, profile_names
from refengine_conformance.data import data
from refengine_conformance.identify.identify import Identified, identify
from refengine_conformance.jobs.parallel import results_of
from refengine_conformance.runner.declared import tables_in_hello
from refengine_conformance.runner.results import Limits
from refengine_conformance.runner.table import USUAL_PROFILE
from refengine_conformance.selftest.planted_faults import (
    EXAMPLE,
    Engine,
    engine_with_name,
    written_engine,
)
from refengine_conformance.tables.steady_random import SteadyRandom

_MOST_CHANGED: Final = 5
_PLAIN: Final = "plain_adapter.py"
_MODULE: Final = "refengine_conformance.selftest.masked_engine"


@attrs.frozen(kw_only=True)
class IdentifiedRow:
    """What `identify` found out about an engine, and the ruleset that it plays."""

    engine: str
    own: Ruleset
    found: Identified

    @property
    def right(self) -> bool:
        """Whether the engine's ruleset is among those found, and the exit code is 0.

        The code is not 0 if anything is unexplained, or if the engine fails or answers
        too few games.
        """
        return self.found.exit_code == ALL_WELL and self.found.contains(self.own)

    def __str__(self) -> str:
        """The line that is printed about the engine."""
        mark = "ok " if self.right else "BAD"
        games = f"{self.found.answered} of {self.found.asked} games"
        left = ", ".join(name for name, _ in self.found.undecided)
        return f"{mark} {self.engine:20} {games:18} undecided: {left or 'nothing'}"


def masked_ruleset(number: int) -> Ruleset:
    """The ruleset of the masked engine with this number."""
    rng = SteadyRandom(f"masked {number}")
    name = rng.choice(profile_names())
    own = Ruleset(name, profile(name).usual_players)
    for _ in range(rng.randint(0, _MOST_CHANGED)):
        option = rng.choice(OPTIONS)
        value = rng.choice(values_to_try(option, own.options[option.name]))
        try:
            own = own.having(**{option.name: value})
        except (Refused, Malformed):
            continue
    return own


def masked_command(own: Ruleset) -> tuple[str, ...]:
    """The command of an engine that plays this ruleset, whatever ruleset it is sent."""
    fields = json.encode(ruleset_fields(own, every=True)).decode()
    return own_command("-m", _MODULE, fields)


def _row(task: str) -> IdentifiedRow:
    """Identify one engine: `masked NUMBER`, `example NAME` or `engine NAME`."""
    kind, _, name = task.partition(" ")
    if kind == "masked":
        own = masked_ruleset(int(name))
        found = identify(masked_command(own), players=own.players)
        return IdentifiedRow(engine=task, own=own, found=found)
    if kind == "example":
        return _own_row(name, (sys.executable, str(data("adapters") / name)))
    with written_engine(engine_with_name(name)) as command:
        return _own_row(name, command)


def _own_row(name: str, command: tuple[str, ...]) -> IdentifiedRow:
    """Identify an engine that plays the table it declares.

    An engine that declares no table can play any ruleset; `identify` must then find
    that it plays the usual profile.
    """
    tables = tables_in_hello(command, Limits())
    own = tables[0].ruleset if tables else Ruleset(USUAL_PROFILE)
    return IdentifiedRow(engine=name, own=own, found=identify(command))


def identified_rows(
    engines: Sequence[Engine], masked: int, jobs: int = 1
) -> Iterator[IdentifiedRow]:
    """Identify these engines, the two examples, and `masked` masked engines."""
    tasks = [f"engine {engine.name}" for engine in engines]
    tasks += [f"engine {EXAMPLE}", f"example {_PLAIN}"]
    tasks += [f"masked {number}" for number in range(1, masked + 1)]
    return results_of(tasks, _row, jobs)
