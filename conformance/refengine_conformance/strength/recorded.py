"""What earlier runs found of the mutants, and what of that is tried again.

A recorded fate is taken over where the modules that the mutant changes are as they were
(comments and docstrings apart) and where what decided it is still there: for a mutant
that was killed, the line that killed it; for a survivor, the lines that it survived, so
that only new lines are left to try. Everything else is tried. A share of what could be
taken over is tried all the same and against all lines, drawn by the commit, so that
each commit tries others. A fate that comes out otherwise than recorded is a false
record, and fails the run.

A change in one module may change the fate of a mutant of another. The share that is
tried tells where this happens often, and `--afresh`, which takes nothing over, where it
happens at all.
"""

from __future__ import annotations

import ast
import hashlib
import subprocess
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from refengine_conformance.data import data
from refengine_conformance.jobs.executors import source_digest
from refengine_conformance.mutants import operators, source_edits

SHARE: Final = 0.03  # of the fates that could be taken over
_NO_LINE: Final = ("import", "time", "crash")  # what kills a mutant beside a line
_MANIFEST: Final = "manifest.json"
_WITH_DOCSTRING: Final = (ast.Module, ast.ClassDef, ast.FunctionDef)

Fates = Mapping[str, Sequence[str]]


# What a fate depends on


@cache
def digest_of_module(module: str) -> str:
    """A digest of what a module of refengine says, comments and docstrings apart."""
    path = source_edits.package_folder() / source_edits.file_of_module(module)
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node) is not None:
            del node.body[0]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:16]


def corpus_digest() -> str:
    """A digest of the published corpus, by its manifest."""
    manifest = (source_edits.CORPUS / _MANIFEST).read_bytes()
    return hashlib.sha256(manifest).hexdigest()[:16]


def modules_changed(one: source_edits.Mutant) -> frozenset[str]:
    """The modules that a mutant changes; `options` for a misread option."""
    if one.id.partition(":")[0] == "swap":
        return frozenset({"options"})
    return frozenset(edit.function.partition(".")[0] for edit in one.edits)


def basis_of_fates(
    mutants: Iterable[source_edits.Mutant], lines: Iterable[str]
) -> dict[str, Any]:
    """What the fates of these mutants depend on, as `strength.json` keeps it.

    `lines` are the ids of the lines of the corpus.
    """
    modules = {name for one in mutants for name in modules_changed(one)}
    return {
        "lines": " ".join(sorted(map(_short, lines))),
        "modules": {name: digest_of_module(name) for name in sorted(modules)},
    }


def _short(line: str) -> str:
    """Enough of the id of a line to know it by: the id is a digest of the line."""
    return line[-8:]


def new_lines(document: Mapping[str, Any], lines: Iterable[str]) -> tuple[str, ...]:
    """Those of these lines that were not in the corpus of the document."""
    known = set(document.get("basis", {}).get("lines", "").split())
    return tuple(one for one in lines if _short(one) not in known)


# What is recorded


def split_mutant_id(name: str) -> tuple[str, str]:
    """The id of a mutant in two parts, of which the first is often the same."""
    if name.startswith(operators.PREFIX):
        _, function, rest = name.split(":", 2)
        return f"{operators.PREFIX}{function}", rest
    head, _, tail = name.partition(":")
    return head, tail


def known_killers(document: Mapping[str, Any]) -> dict[str, str]:
    """For each mutant that was killed, the line that did it, from a document."""
    return {
        f"{head}:{tail}": line
        for line, heads in document.get("kills", {}).items()
        for head, tails in heads.items()
        for tail in tails
    }


def fates_taken_over(
    document: Mapping[str, Any],
    mutants: Mapping[str, source_edits.Mutant],
    lines: Collection[str],
) -> dict[str, list[str]]:
    """The recorded fates of those mutants for which nothing that they hang on changed.

    `lines` are the ids of the lines of today's corpus. A survivor has survived all
    but the `new_lines`.
    """
    before = document.get("basis", {}).get("modules", {})
    fates = known_killers(document)
    fates |= {one["id"]: "" for one in document.get("survivors", ())}
    return {
        name: [fates[name], ""]
        for name, one in mutants.items()
        if name in fates
        and fates[name] in {"", *_NO_LINE, *lines}
        and all(
            before.get(module) == digest_of_module(module)
            for module in modules_changed(one)
        )
    }


def still_alive(
    tested: Mapping[str, Any], names: Iterable[str], seconds: float
) -> set[str]:
    """Those of the names that outlasted the tests, whose modules have not changed.

    `tested` is what the last run found out; that of other seconds counts for nothing.
    """
    if tested.get("seconds") != seconds:
        return set()
    basis = tested.get("basis", {})

    def is_same(name: str) -> bool:
        module = name.split(":")[1].partition(".")[0]
        return bool(basis.get(module) == digest_of_module(module))

    return {name for name in set(names) & set(tested["alive"]) if is_same(name)}


# What is tried all the same


def tried_again(names: Iterable[str], seed: str, share: float = SHARE) -> list[str]:
    """A share of these names, the same for the same seed."""
    bound = int(share * 2**64)

    def number(name: str) -> int:
        digest = hashlib.sha256(f"{seed} {name}".encode()).digest()
        return int.from_bytes(digest[:8], "big")

    return [name for name in names if number(name) < bound]


def seed_of_commit(folder: Path | None = None) -> str:
    """The hash of the commit that is checked out; else a digest of the source."""
    try:
        asked = subprocess.run(
            ["git", "rev-parse", "HEAD"],
            cwd=folder or data(),
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return source_digest()
    return asked.stdout.strip()


def false_records(recorded: Fates, found: Fates, new: Collection[str]) -> list[str]:
    """What came out otherwise than recorded, one sentence each.

    Which of several accidents ended a mutant without a line is no difference, nor is a
    survivor that one of the new lines kills.
    """
    wrong = []
    for name, (line, *_) in recorded.items():
        now = found[name][0]
        if not line and now in new:
            continue
        if now != line and not {now, line} <= set(_NO_LINE):
            wrong.append(f"false: {name} is recorded as {_said(line)}, is {_said(now)}")
    return wrong


def _said(line: str) -> str:
    return f"killed by {line}" if line else "a survivor"
