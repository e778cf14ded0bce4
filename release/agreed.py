"""Check that all files that state the version agree with each other and with a tag.

    python release/agreed.py v0.2.0

`__version__` in `refengine/__init__.py` is the only source: the build reads it there,
and everything at run time asks for it. CHANGELOG.md and CITATION.cff repeat it for
people. conformance/pyproject.toml repeats it for the package that tests engines, which
has the same version and requires exactly that version of the rules. Without a tag, only
the versions are compared; with one, the changes must be dated, and CITATION.cff must
name that day.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
TESTER: Final = "conformance/pyproject.toml"
FORM: Final = re.compile(r"\d+\.\d+\.\d+")
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


def found(path: Path, pattern: str) -> str:
    """The text that matches the first group of a pattern in a file.

    Empty if nothing matches.
    """
    one = re.search(pattern, path.read_text("utf-8"), re.MULTILINE)
    return one[1] if one else ""


def version_of(root: Path) -> str:
    """The version stated in the package `refengine` in this folder."""
    return found(root / "refengine" / "__init__.py", r'^__version__ = "(.*)"$')


def disagreements(root: Path, tag: str = "") -> Iterator[str]:
    """A sentence on each version, tag or date that is missing or wrong."""
    version = version_of(root)
    if not FORM.fullmatch(version):
        yield f"refengine/__init__.py: {version!r} is not a version such as 0.2.0"
    changes, citation = root / "CHANGELOG.md", root / "CITATION.cff"
    newest = found(changes, r"^## (\S+)")
    cited = found(citation, r"^version: (\S+)$")
    tester = root / TESTER
    stated = {
        changes.name: newest,
        citation.name: cited,
        TESTER: found(tester, r'^version = "(.*?)"'),
        f"{TESTER}, among what it needs,": found(tester, r'^ *"refengine==(.*?)"'),
    }
    for name, one in stated.items():
        if one != version:
            yield f"{name} has {one or 'no version'}, the package {version}"
    if not tag:
        return
    if tag != f"v{version}":
        yield f"the tag is {tag}, and should be v{version}"
    day = found(changes, r"^## \S+ \((.*)\)$")
    if not DAY.fullmatch(day):
        yield f"{changes.name} does not say on which day {newest} is released"
    elif found(citation, r'^date-released: "(.*)"$') != day:
        yield f"{citation.name} does not say that {version} is released on {day}"


def main(tag: str = "") -> None:
    """Print every disagreement, and exit with status 1 if there is any."""
    wrong = [*disagreements(ROOT, tag)]
    for one in wrong:
        print(one)
    if wrong:
        sys.exit(1)
    print(f"{version_of(ROOT)}: all agree")


if __name__ == "__main__":
    main(*sys.argv[1:2])
