"""The time for a whole run, and the error that is raised when it is up."""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import Final

import attrs

LONGEST: Final = 7 * 24 * 3600
"""The longest limit, in seconds: a week."""
_REPORT: Final = 4.0


class RunOverError(Exception):
    """The time for the run is up; any adapter that was being asked has been ended."""


def is_limit(seconds: float) -> bool:
    """Whether a limit may be this long: more than 0 and at most a week, so not NaN."""
    return 0 < seconds <= LONGEST


@attrs.frozen
class RunTime:
    """How long a run may take: `seconds` in all, until `end`; unlimited by default.

    `end` is read off the monotonic clock, which all processes of a machine share.
    """

    seconds: float = inf
    end: float = inf

    @classmethod
    def from_now(cls, seconds: float | None) -> RunTime:
        """The time for a run that begins now; no limit if `seconds` is None."""
        return cls() if seconds is None else cls(seconds, monotonic() + seconds)

    @property
    def left(self) -> float:
        """The seconds that are left; zero or less if the time is up."""
        return self.end - monotonic()

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return self.end < inf

    def share(self, part: float) -> RunTime:
        """The time, cut to this fraction of what is left; the rest is for later."""
        return attrs.evolve(self, end=monotonic() + part * self.left)

    def later(self, seconds: float) -> RunTime:
        """The same time, with its end put off by this many seconds."""
        return attrs.evolve(self, end=self.end + seconds)

    @property
    def asking(self) -> RunTime:
        """The time for the games, which leaves a little for the report.

        The report also covers the lines that were not reached, and reading a thousand
        of them takes seconds.
        """
        return self.later(-min(_REPORT, self.seconds / 2)) if self.limited else self

    def check(self) -> None:
        """Raise RunOverError if the time is up."""
        if self.left <= 0:
            raise RunOverError(str(self))

    def __str__(self) -> str:
        return f"the time for the run, {self.seconds:g} s, was up"


ENDLESS: Final = RunTime()
"""The time for a run without a limit."""
