"""Keeps the results recorded for a function when the function is renamed.

`refengine conform renames` replaces old names by the new names, as listed in
`conformance/renames.toml`, in the files in which results are recorded.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Final

from refengine_conformance.data import data
from refengine_conformance.jobs.tool_arguments import ToolArguments

FILE: Final = data("renames.toml")
RECORDED: Final = ("strength.json", "survivors.toml")

_FUNCTION: Final = re.compile(r"(?<=\btree:)[\w.]+")
_MODULE: Final = re.compile(r'^( {2,}")([a-z_]+)(?=": [\[{])', re.MULTILINE)
_LISTED: Final = re.compile(r'(?<=")[a-z_]+(?:\.\w+)+(?=")')


@cache
def new_names_by_old() -> dict[str, str]:
    """A map from old names of renamed modules, classes and functions to new names."""
    found: dict[str, str] = tomllib.loads(FILE.read_text("utf-8"))["renamed"]
    return found


def present_name(name: str) -> str:
    """The current name of a module, class or function, given an earlier one."""
    return _mapped(name, new_names_by_old())


@cache
def first_name(name: str) -> str:
    """The first name of a module, class or function, given its current one."""
    return _mapped(name, {new: old for old, new in new_names_by_old().items()})


def _mapped(name: str, table: dict[str, str]) -> str:
    """Replace the longest prefix of the name that is in the table, if there is one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        head = ".".join(parts[:length])
        if head in table:
            return ".".join([table[head], *parts[length:]])
    return name


def renew_names_in(text: str) -> str:
    """The text of a file of results, with new names in mutant ids, keys and lists."""
    text = _FUNCTION.sub(lambda match: present_name(match[0]), text)
    text = _MODULE.sub(lambda match: match[1] + present_name(match[2]), text)
    return _LISTED.sub(lambda match: present_name(match[0]), text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Replace old names in the files of results, and return the exit status."""
    from refengine.errors import counted  # late: workers load this before the rules

    ToolArguments(prog="refengine conform renames", description=__doc__).parse_args(
        arguments
    )
    for name in RECORDED:
        path = data(name)
        old = path.read_text("utf-8")
        new = renew_names_in(old)
        changed = sum(
            a != b for a, b in zip(old.splitlines(), new.splitlines(), strict=True)
        )
        if changed:  # rewriting a file, even unchanged, would rebuild the wheel
            path.write_text(new, "utf-8")
        print(f"{name}: {counted(changed, 'line')} renewed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
