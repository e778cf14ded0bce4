"""Run everything, stage by stage: `make deep`.

`python -m tests.support.deep_run [STAGE...]` makes each stage and keeps the results in
`build/deep`. An interrupted run can therefore be resumed, and a stage that failed can
be made again once it is mended. A stage that passed is not made again while the files
that it may read are unchanged; what the stages themselves write does not count.

When all stages have passed, the date, the commit and the seconds of each stage are
written to `conformance/deep.json`, which is committed.
"""

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tests.support import places

STAGES: Final = (
    "checks",
    "all-tests",
    "coverage",
    "conform",
    "engines",
    "strength",
    "js-test",
    "site-test",
    "fuzz",
    "bench",
)
"""The targets in order; those that turn red soonest come first."""

FILE: Final = places.ROOT / "conformance" / "deep.json"
KEPT: Final = places.ROOT / "build" / "deep"
WRITTEN: Final = (
    "conformance/deep.json",
    "conformance/matrix.json",
    "conformance/strength.json",
    "bench/results.json",
    "tests/heavy.txt",
)
"""The results that the stages write; they do not cause a stage to be made again."""

UNREAD: Final = (
    *("tests", "docs", "site", "js", "examples", "release", ".ci", ".github"),
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "bench/README.md"),
)
"""Files that are not read by the stages in `ASKING`."""
ASKING: Final = ("conform", "engines", "strength", "fuzz", "bench")
"""The stages that depend on the rules and the evidence alone."""

_LAST: Final = 12  # lines of its output that a red stage shows

Make = Callable[[str, Path], int]


def git(*words: str) -> str:
    """The output of a git command in the checkout."""
    done = subprocess.run(
        ["git", *words], cwd=places.ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def digest_of_files(stage: str) -> str:
    """A digest of all files that a stage may read, except those written by stages."""
    left_out = (*WRITTEN, *(UNREAD if stage in ASKING else ()))
    where = ("--", ".", *(f":(exclude){path}" for path in left_out))
    parts = [
        git("ls-files", "--stage", *where).encode(),
        git("diff", "--binary", *where).encode(),
    ]
    new = git("ls-files", "-z", "--others", "--exclude-standard", *where)
    for name in filter(None, new.split("\0")):
        path = places.ROOT / name  # a folder, if it is a checkout of its own
        parts += [name.encode(), path.read_bytes() if path.is_file() else b""]
    found = hashlib.sha256()
    for part in parts:  # with its length, so that no other parts look the same
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return found.hexdigest()[:16]


def make(stage: str, log: Path) -> int:
    """Make a stage, write its output to a file, and return the exit code."""
    with log.open("wb") as out:
        return subprocess.run(
            ["make", "--no-print-directory", stage],
            cwd=places.ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            check=False,
        ).returncode


def run_stages(
    stages: Mapping[str, str], kept: Path, make: Make = make
) -> dict[str, dict[str, Any]]:
    """The result of each stage, made now or kept if it passed on the same files before.

    `stages` maps each stage to a digest of the files that it may read.
    """
    kept.mkdir(parents=True, exist_ok=True)
    found: dict[str, dict[str, Any]] = {}
    for stage, files in stages.items():
        note = kept / f"{stage}.json"
        before = json.loads(note.read_text("utf-8")) if note.is_file() else {}
        if before.get("files") == files and before["exit"] == 0:
            print(f"{stage}: green in an earlier run", flush=True)
            found[stage] = before
            continue
        print(f"{stage} ...", flush=True)
        log = kept / f"{stage}.log"
        began = time.monotonic()
        code = make(stage, log)
        seconds = round(time.monotonic() - began)
        found[stage] = {"files": files, "exit": code, "seconds": seconds}
        note.write_text(json.dumps(found[stage]), "utf-8")
        print(f"{stage}: {'green' if code == 0 else f'exit {code}'}, {seconds} s")
        if code:
            lines = log.read_text("utf-8", "replace").splitlines()
            print("\n".join(lines[-_LAST:]), flush=True)
    return found


def record(found: Mapping[str, Mapping[str, Any]], commit: str) -> dict[str, Any]:
    """The contents of `conformance/deep.json` after a run that passed all stages."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit,
        "seconds": {stage: one["seconds"] for stage, one in found.items()},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Make these stages, or all if none is named; return the exit code."""
    named = sys.argv[1:] if arguments is None else arguments
    stages = {stage: digest_of_files(stage) for stage in named or STAGES}
    found = run_stages(stages, KEPT)
    red = [stage for stage, one in found.items() if one["exit"]]
    if red:
        print(f"red: {', '.join(red)}; the logs are in {KEPT}")
        return 1
    if not named:
        written = record(found, git("rev-parse", "HEAD").strip())
        FILE.write_text(json.dumps(written, indent=1) + "\n", "utf-8")
        print(f"all green: {FILE} says so")
    return 0


if __name__ == "__main__":
    sys.exit(main())
