"""Finds the aimed games and the rows for tests at a table, and keeps them in a cache.

They depend on the table, the seed, the book, the corpus and the source of the search.
As long as none of these changes, they are read from a file in the user's cache.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
from msgspec import DecodeError, json

from refengine.formats.trace import canonical, spec_version
from refengine.formats.whole_files import write_file
from refengine.jobs.own_python import own_command, own_environment
from refengine.lawbook.book import SPEC
from refengine_conformance.data import data
from refengine_conformance.jobs.imported import digest_of_imported
from refengine_conformance.mutants import source_edits
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.flags import SEED

WORKERS: Final = 2
"""How many processes a search uses, whatever the run uses: it takes only seconds."""
_Read = TypeVar("_Read")
_PROCESS: Final = "refengine_conformance.tables.search_process"
_HUSHED: Final = "ignore:resource_tracker"  # it cleans up after an interrupted search


@attrs.frozen(kw_only=True)
class AimedLine:
    """A game built to test clauses at a table, as a trace line, with what it can test.

    `shows` maps each clause that the game tests to the kinds of case that fail without
    the clause; the line lists these clauses under `x-aim`. `moments` names the
    situations that occur in the game. A `plain` game has dealer 0, deal 1 and no
    totals.
    """

    id: str
    line: bytes
    shows: Mapping[str, frozenset[str]]
    moments: tuple[str, ...]
    plain: bool


@attrs.frozen
class AimedSet:
    """The aimed games of a table, in a fixed order.

    `unreached` maps each clause for which no game was found to the reason; `unseen`
    holds the moments that no game reached.
    """

    lines: tuple[AimedLine, ...]
    unreached: Mapping[str, str]
    unseen: tuple[str, ...]


def aimed_set(
    table: Table, clauses: Iterable[str], seed: int = SEED, jobs: int = WORKERS
) -> AimedSet:
    """The aimed games of a table for these clauses, the same on every machine.

    The number of jobs changes only how fast they are found.
    """
    asked = {"table": table.fields(), "clauses": list(clauses), "seed": seed}
    return searched_once(asked, jobs, _aimed)


def searched_once(
    asked: Mapping[str, Any], jobs: int, read: Callable[[Any], _Read]
) -> _Read:
    """The result of a search, from the cache or, failing that, from a new search.

    `asked` holds the arguments of the search, and `read` turns the plain values of its
    answer into the result. If there is no answer in the cache, or `read` cannot use it,
    the search is run in a process of its own. Raises RuntimeError if that process
    fails.
    """
    file = _cache_file(asked)
    if file is not None:
        # For bytes that are not UTF-8, msgspec raises Python's own error.
        with suppress(
            *(OSError, DecodeError, UnicodeDecodeError),
            *(AttributeError, KeyError, TypeError),
        ):
            return read(json.decode(file.read_bytes()))
    answer = _searched(asked, jobs)
    if file is not None:
        _keep(file, json.encode(answer))
    return read(answer)


def _aimed(answer: Mapping[str, Any]) -> AimedSet:
    """Turn the answer of the search process into a set of aimed games."""
    lines = [
        AimedLine(
            id=one["id"],
            line=_with_aim(one["line"], one["shows"]),
            shows={name: frozenset(kinds) for name, kinds in one["shows"].items()},
            moments=tuple(one["moments"]),
            plain=one["plain"],
        )
        for one in answer["lines"]
    ]
    return AimedSet(tuple(lines), answer["unreached"], tuple(answer["unseen"]))


def _with_aim(line: str, shows: Mapping[str, Sequence[str]]) -> bytes:
    """The line with the clauses that it can test as `x-aim`, and its id unchanged."""
    plain = json.decode(line)
    head = {key: plain.pop(key) for key in ("trace", "id", "spec")}
    return json.encode({**head, "x-aim": list(shows), **plain})


def _searched(asked: Mapping[str, Any], jobs: int) -> Any:
    """Run the search in a process of its own, and return its answer.

    Raises RuntimeError if that process fails.
    """
    done = subprocess.run(
        own_command("-W", _HUSHED, "-m", _PROCESS),
        input=json.encode({**asked, "jobs": jobs}) + b"\n",
        stdout=subprocess.PIPE,
        env=own_environment(),
        check=False,
    )
    if done.returncode:
        raise RuntimeError("the search for games of this table failed: see above")
    return json.decode(done.stdout)


# The cache


def _cache_file(asked: Mapping[str, Any]) -> Path | None:
    """The file in which the answer is kept; None if there is no folder for a cache.

    That is so if XDG_CACHE_HOME is no absolute path, and no home folder is known.
    """
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():  # by the XDG specification, a relative path is ignored
        try:
            base = Path.home() / ".cache"
        except RuntimeError:  # neither HOME nor an entry for the user, as in containers
            return None
    key = {**asked, "spec": spec_version(), "source": _source_digest()}
    name = hashlib.sha256(canonical(key)).hexdigest()[:32]
    return base / "refengine" / "tables" / f"{name}.json"


@cache
def _source_digest() -> str:
    """A digest of the search's source code, the book's data and the corpus.

    The book's data are the profiles and the registry of clauses.
    """
    digest = hashlib.sha256(digest_of_imported(_PROCESS).encode())
    profiles = sorted((SPEC / "profiles").glob("*.toml"))
    corpus = (data("corpus", name) for name in ("manifest.json", "mutants.toml"))
    registry = source_edits.package_folder() / source_edits.REGISTRY
    for path in (*corpus, *profiles, registry):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _keep(file: Path, answer: bytes) -> None:
    """Write the answer to the file, or nothing if the file cannot be written."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, answer)
