"""The tests worth running after each change: `make quick`.

`python -m tests.support.quick [--base BRANCH] [PYTEST OPTION...]` asks git what has
changed since the branch left BRANCH, including uncommitted changes, and runs the tests
of the folders concerned. If there are none, it runs a set of tests from every folder.

The tests of a folder of the package are in a folder of the same name. A test file that
has changed, or is named after a module that has, always runs; the other files run as
long as time allows, short ones first. `make test` runs all.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

from tests.support import places

FAST: Final = (
    "tests/chapters/test_play.py",
    "tests/chapters/test_score.py",
    "tests/machine/test_notation.py",
    "tests/game/test_acts.py",
    "tests/lawbook/test_reading.py",
    "tests/formats/test_wire.py",
    "tests/rulings/test_disputes.py",
    "tests/project/test_package.py",
    "tests/conformance/runner/test_exit_codes.py",
)
"""A few tests of every room, for a change that concerns no room."""

COST: Final = {
    "tests/project/test_differential.py": 60,
    "tests/project/test_differential_options.py": 30,
    "tests/project/test_properties.py": 40,
    "tests/conformance/diagnosis/test_compare.py": 30,
    "tests/comparison/test_differences.py": 20,
    "tests/conformance/proofs/test_proofs.py": 80,
    "tests/conformance/corpus_tools/test_corpus.py": 40,
    "tests/conformance/diagnosis/test_diagnosis.py": 30,
    "tests/conformance/diagnosis/test_examples.py": 30,
    "tests/conformance/diagnosis/test_shrinking.py": 20,
    "tests/conformance/exhaustion/test_exhaustion.py": 25,
    "tests/lawbook/test_formal.py": 30,
    "tests/machine/test_bulk.py": 25,
    "tests/formats/test_wire.py": 20,
    "tests/formats/test_trace.py": 15,
    "tests/formats/test_generate.py": 15,
    "tests/cli/test_cli.py": 15,
    "tests/conformance/adapters/test_adapters.py": 15,
}
"""About how many seconds of one core the longest files take; others take `LITTLE`."""
LITTLE: Final = 4
BUDGET: Final = 100  # two cores, a minute, and some of it to collect the tests

ELSEWHERE: Final = (
    ("conformance/adapters/", "tests/conformance/adapters"),
    ("conformance/corpus/", "tests/conformance/corpus_tools"),
    ("conformance/events-and-openings/", "tests/conformance/runner"),
    ("conformance/examples/", "tests/formats"),
    ("refengine/json.py", "tests/formats/test_json.py"),
    (".github/", "tests/project/test_release.py"),
    ("docs/bots.md", "tests/worlds/test_bots_page.py"),
    ("docs/irregularities.md", "tests/rulings/test_irregularities.py"),
    ("docs/javascript.md", "tests/javascript"),
    ("docs/learning.md", "tests/learning/test_learning_guide.py"),
    ("docs/published-sets.md", "tests/conformance/tables/test_published_sets.py"),
    ("docs/rows.md", "tests/conformance/tables/test_rows.py"),
    ("docs/server.md", "tests/project/test_server_guide.py"),
    ("docs/releases.md", "tests/project/test_release.py"),
    ("docs/cookbook.md", "tests/project/test_cookbook.py"),
    ("docs/", "tests/site"),
    ("examples/cookbook/", "tests/project/test_cookbook.py"),
    ("examples/learn_hearts.py", "tests/learning/test_learn_hearts.py"),
    ("hatch_build.py", "tests/project/test_build.py"),
    ("js/", "tests/javascript"),
    ("CITATION.cff", "tests/project/test_citations.py"),
    ("CONTRIBUTING.md", "tests/project/test_contributing.py"),
    ("release/", "tests/project/test_release.py"),
    ("site/", "tests/site"),
    ("spec/", "tests/lawbook"),
    ("README.md", "tests/project/test_readme.py"),
    ("bench/", "tests/project/test_bench.py"),
)
"""The tests of files that belong to no room, or whose tests are elsewhere."""
_COMMANDS: Final = "conformance/refengine_conformance/commands/"


def tests_of(path: str) -> str:
    """The test file, or folder of tests, for this path; empty if there is none."""
    room = PurePosixPath(path)
    if path.startswith("tests/"):
        return path if room.name.startswith("test_") else ""
    for start, to in ELSEWHERE:
        if path.startswith(start):
            return to
    if path.startswith("refengine/"):
        return f"tests/{room.parts[1]}" if room.parts[2:] else "tests/project"
    if path.startswith(_COMMANDS):
        return "tests/cli"
    if path.startswith("conformance/refengine_conformance/"):
        return f"tests/conformance/{room.parts[2]}" if room.parts[3:] else ""
    return ""


def chosen(changed: Iterable[str]) -> list[str]:
    """The test files to run for these changed files, the most relevant ones first."""
    paths = [*changed]
    named = {f"test_{PurePosixPath(path).stem}" for path in paths}
    near: dict[str, bool] = {}
    for folder in filter(None, map(tests_of, paths)):
        place = places.ROOT / folder
        for file in [place] if place.is_file() else place.glob("**/test_*.py"):
            name = file.relative_to(places.ROOT).as_posix()
            near[name] = name in paths or file.stem in named
    found, spent = [], 0
    for name in sorted(near, key=lambda one: (not near[one], _cost(one), one)):
        spent += _cost(name)
        if near[name] or spent <= BUDGET:
            found.append(name)
    return found or list(FAST)


def _cost(name: str) -> int:
    return COST.get(name, LITTLE)


def changed_since(base: str) -> list[str]:
    """The files changed since this branch left `base`, and untracked files."""
    fork = _git("merge-base", "HEAD", base) or ["HEAD"]
    return [
        *_git("diff", "--name-only", "--relative", fork[0]),
        *_git("ls-files", "--others", "--exclude-standard"),
    ]


def _git(*words: str) -> list[str]:
    done = subprocess.run(
        ["git", *words], cwd=places.ROOT, capture_output=True, text=True
    )
    return done.stdout.splitlines() if done.returncode == 0 else []


def main(arguments: Sequence[str]) -> int:
    """Run the tests for what has changed, and return the exit code of pytest."""
    options, base = list(arguments), "main"
    if options[:1] == ["--base"]:
        base, options = options[1], options[2:]
    files = chosen(changed_since(base))
    print(f"{len(files)} test files:", *files)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-m",
        "not slow and not heavy and not deep",
    ]
    derandomized = {**os.environ, "HYPOTHESIS_PROFILE": "ci"}
    return subprocess.call([*command, *options, *files], env=derandomized)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
