"""The time limit of a whole run, and the error raised when it has passed."""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import Final

import attrs

LONGEST: Final = 7 * 24 * 3600
"""The longest limit, in seconds: a week."""
_REPORT: Final = 4.0  # seconds, kept back from the games for the report


class RunOverError(Exception):
    """Raised when the time for the run is up; any adapter in use has been ended."""


def is_limit(seconds: float) -> bool:
    """Whether a limit may be this long: more than 0 and at most a week, so not NaN."""
    return 0 < seconds <= LONGEST


@attrs.frozen
class RunTime:
    """How long a run may take, which is without limit by default.

    The run may take `seconds` in all, and ends at `end` on the monotonic clock, which
    all processes of a machine share.
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
        """The run time if it ends after only this fraction of what is left."""
        return attrs.evolve(self, end=monotonic() + part * self.left)

    def later(self, seconds: float) -> RunTime:
        """The run time if it ends this many seconds later."""
        return attrs.evolve(self, end=self.end + seconds)

    @property
    def asking(self) -> RunTime:
        """The run time for playing games, which ends early to leave time for a report.

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
