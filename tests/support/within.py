"""Run a command with a time limit, for `make check` and `make quick`.

`python -m tests.support.within [--warm PATH] SECONDS COMMAND...` prints the seconds
that the command took. It exits as the command did, or with 1 if that took too long. If
PATH, a cache that the command fills, does not exist yet, there is no limit.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path


def verdict(seconds: float, limit: float, code: int, warm: bool) -> tuple[str, int]:
    """The message about a command that has ended, and the exit code to use."""
    took = f"{seconds:.1f} s of {limit:g}"
    if code:
        return f"failed after {took}", code
    if seconds <= limit:
        return f"passed in {took}", 0
    if not warm:
        return f"passed in {took}: the caches were empty, the next run is faster", 0
    return f"too slow: {took}. Everything passed; is the machine busy?", 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments give, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.within")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--warm", type=Path, help="a cache that the command fills")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args(arguments)
    warm = asked.warm is None or asked.warm.exists()
    began = time.monotonic()
    code = subprocess.call(asked.command)
    said, status = verdict(time.monotonic() - began, asked.seconds, code, warm)
    print(said)
    return status


if __name__ == "__main__":
    sys.exit(main())
