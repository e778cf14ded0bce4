"""Puts the games of the pytest tests to an adapter, and keeps its answers.

This module is imported only if an adapter is given.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from refengine.formats.trace import spec_version
from refengine_conformance.diagnosis.asker import Asker
from refengine_conformance.plugin.chosen_games import Chosen
from refengine_conformance.runner.driver import CannotRunError, stderr_paragraph
from refengine_conformance.runner.fault_dictionary import causes_of
from refengine_conformance.runner.known_failures import Entry, sort_known
from refengine_conformance.runner.results import LOST, Case, Limits
from refengine_conformance.runner.runner import Restarts
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import Selected


class AskedAdapter:
    """The adapter under test, and the results of the `chosen` games with it.

    Each game is put to the adapter at most once. `stopped` says why no more games are
    put to the adapter; it is empty until then.
    """

    def __init__(
        self,
        command: tuple[str, ...],
        limits: Limits,
        chosen: Chosen,
        known: tuple[Entry, ...],
    ) -> None:
        self.chosen: Final = chosen
        self.known: Final = known
        self.stopped = ""
        self._asker: Final = Asker(command, limits)
        self._restarts: Final = Restarts(limits)
        self._cases: dict[str, tuple[Case, ...]] = {}
        self._lines: dict[str, str] = {}
        self._stderr: dict[str, str] = {}
        self._tests: Final = _tests_by_line(chosen)

    def tests_of(self, line: str) -> tuple[str, ...]:
        """The names of the tests that use the game with this id, in their order."""
        return self._tests.get(line, ())

    def cases(self, line: Selected) -> tuple[Case, ...] | None:
        """The cases of a trace, a mini-deal or an opening, with known failures marked.

        Returns None for a game that was not put to the adapter before it was stopped.
        Raises CannotRunError if the adapter cannot be started again for this game.
        """
        if line.id not in self._cases:
            if self.stopped:
                return None
            cases = self._asked(line)
            marked = sort_known(cases, self.known, date.today(), partial=True)
            self._cases[line.id] = marked.cases
            self._lines[line.id] = line.data.decode()
        return self._cases[line.id]

    def _asked(self, line: Selected) -> tuple[Case, ...]:
        """Put a game to the adapter now and return its cases; may set `stopped`.

        Raises CannotRunError if the adapter cannot be started again.
        """
        losses = self._asker.losses
        try:
            cases = self._asker.cases_of_line(line)
        except CannotRunError as error:
            self.stopped = f"the adapter could not be started again: {error}"
            self._stderr[line.id] = error.stderr
            raise
        except BaseException:  # a test was cut short, as by pytest-timeout
            self._asker.close()  # a late answer would be taken for one to the next
            raise
        lost = self._asker.losses > losses
        if lost:
            self._stderr[line.id] = self._asker.stderr
        self.stopped = self._restarts.count(lost, cases)
        return cases

    def stderr_of(self, cases: Iterable[Case]) -> list[str]:
        """Quote the adapter's stderr from the first of these cases that was lost.

        Lost cases for which it wrote nothing to stderr are passed over. The list is
        empty if no other lost case is among them.
        """
        for case in cases:
            if case.outcome in LOST and self._stderr.get(case.trace):
                return stderr_paragraph(self._stderr[case.trace])
        return []

    def as_run(self) -> Run:
        """Everything that was asked, as the Run from which a report can be made."""
        sources = {*self.chosen.source.values()}
        all_cases = tuple(case for cases in self._cases.values() for case in cases)
        return Run(
            adapter=self._asker.command,
            spec=spec_version(),
            selection={"tests": "that ran"},
            limits=self._asker.limits,
            card=self._asker.card,
            cases=all_cases,
            stopped=self.stopped,
            stderr=next(filter(None, self._stderr.values()), ""),
            causes=causes_of(all_cases),
            lines=self._lines,
            # If there are several tables, the runner itself finds them in `hello`.
            source=sources.pop() if len(sources) == 1 else (),
        )

    def close(self) -> None:
        """End the adapter."""
        self._asker.close()


def _tests_by_line(chosen: Chosen) -> dict[str, tuple[str, ...]]:
    """A map from the id of each game to the names of the tests that use it.

    The names are in the order of the tests.
    """
    found: dict[str, list[str]] = {}
    for name, lines in chosen.tests.items():
        for line in lines:
            found.setdefault(line.id, []).append(name)
    return {line: tuple(names) for line, names in found.items()}
