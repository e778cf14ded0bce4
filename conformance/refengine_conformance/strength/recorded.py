"""Records of earlier results, what each result rests on, and which are tried again.

Each result is recorded with digests of everything that decided it; comments, docstrings
and the positions of lines in a file do not count. The fate of a mutant rests on the
functions that it changes and on lines of the corpus: on the line that killed it, or on
all lines if it survived. A line rests on its own text, on every function called while
the engine is loaded or the line replayed, and on the constants and classes that those
functions use. All fates rest on the profiles, and on the code that loads mutants and
replays lines. Theorems, small deals and second opinions rest on all the rules and
formal lines, on the profiles and on the code that tries them.

A result is taken from the records as long as nothing on which it rests has changed; a
survivor is tried only against the lines that have changed since. A sample of the
results that could be taken from the records is tried nevertheless; it is chosen by the
hash of the commit, so that it differs from commit to commit. If a result comes out
differently, its record is false, and the run fails.

Nothing here imports the rules of `refengine`: they are read as text.
"""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs

from refengine.jobs.executors import source_digest
from refengine_conformance.data import data
from refengine_conformance.jobs.reached import (
    ALL,
    code_reached,
    places_named,
    without_docstrings,
)
from refengine_conformance.mutants import operators, source_edits

SHARE: Final = 0.03  # of the fates that could be taken over
_KILLERS: Final = {
    "import": "an error on import",
    "time": "a time limit",
    "crash": "a crash",
}  # what other than a line may kill a mutant, in words
_NO_LINE: Final = frozenset(_KILLERS)
_TRYING: Final = (
    ("refengine_conformance.mutants.loading", "become_mutant"),
    ("refengine_conformance.strength.killed_by_corpus", "fate_of_mutant"),
)  # what loads a mutant, and what replays lines
_WORDS: Final = ("title", "summary", "sources", "rulings")  # of a profile
_CODE_OF: Final = {
    "theorems": ("proofs/*.py", "lawbook_checks/book_check.py"),
    "deals": ("exhaustion/*.py", "lawbook_checks/book_check.py"),
    "opinions": ("openspiel/*.py",),
}
_READ_TOO: Final = ("formal", "options", "profiles")  # besides the rules
_FORMAL: Final = re.compile(r" {4}\S")

Fates = Mapping[str, Sequence[str]]


# What a result rests on


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@cache
def digest_of_definition(name: str) -> str:
    """A digest of a function, class or module of refengine, given by its name.

    A name without a definition of its own, such as that of a lambda, stands for its
    module.
    """
    try:
        tree = source_edits.definition_tree(name)
    except ValueError:
        tree = source_edits.tree_of_module(name.partition(".")[0])
    return _digest(without_docstrings(tree))


@cache
def digest_of_edited(name: str) -> str:
    """A digest of the function, class or module that a mutant edits, given by its name.

    For a class or module, the functions and imports in its body are left out, since an
    edit to the class or module itself does not touch them.
    """
    tree = source_edits.definition_tree(name)
    if isinstance(tree, ast.FunctionDef):
        return digest_of_definition(name)
    apart = ast.FunctionDef | ast.Import | ast.ImportFrom
    tree.body = [one for one in tree.body if not isinstance(one, apart)]
    return _digest(without_docstrings(tree))


def digest_of_line(text: bytes, functions: Iterable[str]) -> str:
    """A digest of a line of the corpus and of everything that decides its replay.

    `functions` are those called when the line is replayed. For a function without a
    name, such as a lambda, no digest of its own is taken: its code lies within another
    function or within a constant.
    """
    called = sorted(functions)
    named = (name for name in called if "<" not in name)
    code = (f"{name} {digest_of_definition(name)}" for name in named)
    rest = sorted({one for name in called for one in _outside_functions(name)})
    return _digest("\n".join([hashlib.sha256(text).hexdigest(), *code, *rest]))


@cache
def _outside_functions(name: str) -> frozenset[str]:
    """Digests of the classes and constants that a function of refengine uses.

    The function's own class is included, and other functions are not. If `name` has no
    definition of its own, everything in its module is considered.
    """
    short, _, inner = name.partition(".")
    module = source_edits.import_name(short)
    try:
        tree = source_edits.definition_tree(name)
    except ValueError:
        starts = [(module, ALL)]
    else:
        starts = [(module, inner.partition(".")[0]), *places_named(module, tree)]
    found = code_reached(starts, source_edits.PACKAGE, functions=False)
    return frozenset(map(_digest, found))


def _code_in(*places: str) -> str:
    """The code of the modules of conformance that match these patterns, as one text."""
    return "\n".join(
        without_docstrings(ast.parse(path.read_text("utf-8")))
        for path in _files_of(*places)
    )


def _name_of(path: Path) -> str:
    """The name by which the module of conformance in this file is imported."""
    package = Path(source_edits.__file__).parents[1]
    return ".".join(path.relative_to(package.parent).with_suffix("").parts)


def _files_of(*places: str) -> list[Path]:
    """The files of the modules of conformance that match these patterns, sorted.

    Raises ValueError for a pattern that matches none, perhaps because a module has
    moved: otherwise, results that rest on its code would never be measured again.
    """
    package = Path(source_edits.__file__).parents[1]
    found: set[Path] = set()
    for place in places:
        files = [*package.glob(place)]
        if not files:
            raise ValueError(f"no module of conformance matches {place}")
        found.update(files)
    return sorted(found)


@cache
def digest_of_base() -> str:
    """A digest of the profiles and of the code that loads mutants and replays lines.

    The fate of every mutant depends on these, whichever functions a replay calls.
    """
    package = __name__.partition(".")[0]
    return _digest("\n".join([*_profiles(), *sorted(code_reached(_TRYING, package))]))


def _profiles() -> list[str]:
    """The contents of each profile as text, without the keys meant only for people.

    These are the title, the summary, the sources and the rulings.
    """
    paths = sorted((source_edits.spec_folder() / "profiles").glob("*.toml"))
    read = [tomllib.loads(path.read_text("utf-8")) for path in paths]
    return [repr({key: one[key] for key in one if key not in _WORDS}) for one in read]


@cache
def digest_of_work(stage: str) -> str:
    """A digest of the rules, their formal lines, the profiles and the code of a stage.

    The digest also covers the definitions that this code uses from the modules in
    `_READ_TOO`, but not the rest of those modules.
    """
    lines = [
        line
        for path in sorted(source_edits.spec_folder().glob("[0-9]*.md"))
        for line in path.read_text("utf-8").splitlines()
        if _FORMAL.match(line)
    ]
    rules = map(digest_of_definition, source_edits.modules_of_rules())
    read = {source_edits.import_name(one) for one in _READ_TOO}
    starts = {
        place
        for path in _files_of(*_CODE_OF[stage])
        for place in places_named(_name_of(path), ast.parse(path.read_text("utf-8")))
        if place[0] in read
    }
    used = sorted(code_reached(starts, source_edits.PACKAGE))
    parts = [*rules, *used, *lines, *_profiles(), _code_in(*_CODE_OF[stage])]
    return _digest("\n".join(parts))


def corpus_digest() -> str:
    """A digest of the published corpus, taken from its manifest."""
    return _digest((source_edits.CORPUS / "manifest.json").read_text("utf-8"))


def definitions_changed(one: source_edits.Mutant) -> frozenset[str]:
    """The names of the functions, classes or modules that a mutant changes.

    A mutant that misreads an option counts as a change to `options` and to
    `options.lowered`.
    """
    if one.id.partition(":")[0] == "swap":
        return frozenset({"options", "options.lowered"})
    return frozenset(edit.function for edit in one.edits)


def digest_of_edits(one: source_edits.Mutant) -> str:
    """A digest of the edits of a designed mutant.

    The id of any other mutant already contains such a digest.
    """
    return _digest(repr([attrs.astuple(edit) for edit in one.edits]))


def _is_designed(name: str) -> bool:
    return not name.startswith(operators.PREFIX)


def basis_of_fates(
    mutants: Iterable[source_edits.Mutant], lines: Mapping[str, str]
) -> dict[str, Any]:
    """Digests of what the fates of these mutants rest on, as `strength.json` has them.

    `lines` maps the id of each line of the corpus to its digest.
    """
    table = {one.id: one for one in mutants}
    names = {name for one in table.values() for name in definitions_changed(one)}
    designed = filter(_is_designed, table)
    return {
        "base": digest_of_base(),
        "edits": {name: digest_of_edits(table[name]) for name in designed},
        "functions": {name: digest_of_edited(name) for name in sorted(names)},
        "lines": " ".join(sorted(f"{_short(one)}:{lines[one]}" for one in lines)),
    }


def _short(line: str) -> str:
    """The last eight characters of a line's id, which suffice to identify it."""
    return line[-8:]


def changed_lines(
    document: Mapping[str, Any], lines: Mapping[str, str]
) -> tuple[str, ...]:
    """The ids of lines that are new since the document, or whose digest has changed.

    `lines` maps the id of each line of the current corpus to its digest.
    """
    known = set(document.get("basis", {}).get("lines", "").split())
    return tuple(one for one in lines if f"{_short(one)}:{lines[one]}" not in known)


# What is recorded


def split_mutant_id(name: str) -> tuple[str, str]:
    """Split a mutant's id in two; many ids have the same first part."""
    if name.startswith(operators.PREFIX):
        _, function, rest = name.split(":", 2)
        return f"{operators.PREFIX}{function}", rest
    head, _, tail = name.partition(":")
    return head, tail


def known_killers(document: Mapping[str, Any]) -> dict[str, str]:
    """A mapping from the id of each mutant killed in a document to what killed it.

    That is the id of a line or, if no line killed the mutant, `import`, `time` or
    `crash`.
    """
    return {
        f"{head}:{tail}": line
        for line, heads in document.get("kills", {}).items()
        for head, tails in heads.items()
        for tail in tails
    }


def fates_taken_over(
    document: Mapping[str, Any],
    mutants: Mapping[str, source_edits.Mutant],
    lines: Mapping[str, str],
) -> dict[str, list[str]]:
    """The recorded fates that still hold, since nothing on which they rest has changed.

    `lines` maps the id of each line of the current corpus to its digest. A survivor is
    included, but must still be tried against the `changed_lines`. A mutant killed by
    something other than a line, for example on import, is not included, since its fate
    rests on everything that is loaded.
    """
    basis = document.get("basis", {})
    if basis.get("base") != digest_of_base():
        return {}
    changed = {*changed_lines(document, lines)}
    standing = {"", *(line for line in lines if line not in changed)}
    edits = basis.get("edits", {})
    fates = recorded_fates(document)
    return {
        name: [fates[name], ""]
        for name, one in mutants.items()
        if name in fates
        and fates[name] in standing
        and (not _is_designed(name) or edits.get(name) == digest_of_edits(one))
        and all(
            basis["functions"].get(function) == digest_of_edited(function)
            for function in definitions_changed(one)
        )
    }


def recorded_fates(document: Mapping[str, Any]) -> dict[str, str]:
    """A mapping from each mutant in a document to its killer, or "" if it survived.

    For the other values, see `known_killers`.
    """
    alive = {one["id"]: "" for one in document.get("survivors", ())}
    return known_killers(document) | alive


# What is tried all the same


def tried_again(names: Iterable[str], seed: str, share: float = SHARE) -> list[str]:
    """A random sample of about this share of the names, in their order.

    The sample depends only on the names, the seed and the share.
    """
    bound = int(share * 2**64)

    def number(name: str) -> int:
        digest = hashlib.sha256(f"{seed} {name}".encode()).digest()
        return int.from_bytes(digest[:8], "big")

    return [name for name in names if number(name) < bound]


def seed_of_commit(folder: Path | None = None) -> str:
    """The hash of the commit checked out; if Git gives none, a digest of the source."""
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
    """A sentence for each result that came out differently from its record.

    A difference does not count if a mutant killed by something other than a line is
    now killed in another such way, or if one of the `new` lines kills a survivor.
    """
    wrong = []
    for name, (line, *_) in recorded.items():
        now = found[name][0]
        if not line and now in new:
            continue
        if now != line and not {now, line} <= _NO_LINE:
            was, is_now = _said(line), _said(now)
            wrong.append(f"false: {name} is recorded as {was}, but is {is_now}")
    return wrong


def _said(line: str) -> str:
    """A phrase for a value of `recorded_fates`, such as `killed by a crash`."""
    return f"killed by {_KILLERS.get(line, line)}" if line else "a survivor"
