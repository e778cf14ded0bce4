"""Finds the games of the corpus whose outcome differs under an older edition.

`refengine conform changed-games 1.0.0 -- COMMAND` asks a build of that edition, over
the adapter protocol, to replay the traces of the corpus that name that edition or an
older one. The current rules are then asked the same. The games whose two answers differ
are written to `spec/editions/changed-games.json`, under the clauses that decide them. A
clause decides a game if the bulletin's data marks its change with `effect` and one of
the answers names the clause, or a part of it, where the two answers differ. `refengine
rule 7.7 --history` shows these games. If the older build is a folder of source, start
it with `python -P -m refengine serve`: without -P, Python would find the source of the
checkout in which this command runs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from refengine.errors import Malformed, counted
from refengine.formats.serve import Session
from refengine.lawbook import book
from refengine.lawbook.bulletin import EFFECT, read_bulletin
from refengine.lawbook.editions import (
    FOLDER,
    Edition,
    edition,
    known_versions,
    version_key,
)
from refengine.lawbook.history import GAMES
from refengine.lawbook.reading import place_in_book
from refengine_conformance.corpus_tools.build import lines_of_corpus
from refengine_conformance.data import data
from refengine_conformance.jobs.tool_arguments import ToolArguments

Json = dict[str, Any]

FILE: Final = book.SPEC / FOLDER / GAMES


def games_up_to_edition(lines: Iterable[str], version: str) -> Iterator[Json]:
    """The traces among these lines that name this edition or an older one."""
    for line in lines:
        read: Json = json.loads(line)
        if "trace" in read and version_key(read["spec"]) <= version_key(version):
            yield read


def answered_by_us(game: Json) -> object:
    """The answer of the current rules when asked to replay this game."""
    answer = Session().handle(_request(game))
    assert answer is not None  # only `bye` has no answer
    return _comparable(answer)


def answered_by_build(command: Sequence[str], games: Sequence[Json]) -> list[object]:
    """The answers of another build when asked to replay these games.

    Raises Malformed if the build does not answer each request with a JSON object, and
    OSError if the command cannot be run.
    """
    asked = b"".join(_request(game) + b"\n" for game in games)
    done = subprocess.run(
        command, input=asked + b'{"seq":2,"op":"bye"}\n', stdout=subprocess.PIPE
    )
    answers = done.stdout.splitlines()
    if len(answers) != len(games):
        found = f"{counted(len(answers), 'answer')} to {counted(len(games), 'game')}"
        raise Malformed(found, "an answer to each", " ".join(command))
    try:
        return [_comparable(line) for line in answers]
    except ValueError:
        found = "a line that is not a JSON object"
        raise Malformed(found, "an answer to each", " ".join(command)) from None


def _request(game: Json) -> bytes:
    """The line by which a build is asked to replay a game."""
    request = {"seq": 1, "op": "replay", "trace": game}
    return json.dumps(request, separators=(",", ":")).encode()


def _comparable(line: bytes) -> Json:
    """An answer without its `seq`, so that it can be compared with another.

    Raises ValueError if the line is not a JSON object.
    """
    answer = json.loads(line)
    if not isinstance(answer, dict):
        raise ValueError("not a JSON object")
    answer.pop("seq", None)
    return answer


def in_names_of(older: Edition, value: Any) -> Any:
    """An answer, or a part of one, with clauses numbered as in an older edition.

    If a part of a clause does not exist in that edition, the whole clause is named.
    """
    if isinstance(value, list):
        return [in_names_of(older, one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: sorted({_number_in(older, number) for number in one})
        if key in ("clauses", "breaks")
        else in_names_of(older, one)
        for key, one in value.items()
    }


def _number_in(older: Edition, number: str) -> str:
    """The number that an older edition gives to a clause of the current book."""
    if older.clause(number) is not None:
        return number
    clause = book.clauses().get(number)
    return clause.part_of if clause is not None and clause.part_of else number


def deciding(then: object, now: object, changed: Iterable[str]) -> tuple[str, ...]:
    """The clauses in `changed` that are named where two answers differ, each once.

    An answer that names a part of a clause counts as naming the clause.
    """
    named = set(_named_where_different(then, now))
    return tuple(
        number
        for number in dict.fromkeys(changed)
        if not named.isdisjoint((number, *book.parts_of(number)))
    )


def _named_where_different(then: Any, now: Any) -> Iterator[str]:
    """The clause numbers that occur where two answers differ.

    The answers are compared part by part, and only the smallest parts that differ
    count.
    """
    if then == now:
        return
    if isinstance(then, dict) and isinstance(now, dict):
        if then.keys() == now.keys() and not {"clauses", "breaks"} & then.keys():
            for key in then:
                yield from _named_where_different(then[key], now[key])
            return
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for one, other in zip(then, now, strict=True):
            yield from _named_where_different(one, other)
        return
    for side in (then, now):
        yield from _numbers(side)


def _numbers(value: Any) -> Iterator[str]:
    """All clause numbers within an answer."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from one if key in ("clauses", "breaks") else _numbers(one)
    elif isinstance(value, list):
        for one in value:
            yield from _numbers(one)


def changed_games(
    games: Sequence[Json],
    then: Sequence[object],
    changed: Sequence[str],
    older: Edition,
) -> tuple[dict[str, list[str]], list[str]]:
    """The ids of games whose answers differ: by clause, and those that none explains.

    `then` holds the answers of the `older` edition, and `changed` the clauses whose
    effect has changed since.
    """
    found: dict[str, list[str]] = {}
    unexplained: list[str] = []
    for game, answer in zip(games, then, strict=True):
        before = in_names_of(older, answer)
        now = in_names_of(older, answered_by_us(game))
        if before == now:
            continue
        numbers = deciding(before, now, changed)
        for number in numbers:
            found.setdefault(number, []).append(game["id"])
        if not numbers:
            unexplained.append(game["id"])
    ordered = sorted(found, key=place_in_book)
    return {number: sorted(found[number]) for number in ordered}, unexplained


def file_text(known: Mapping[str, Any]) -> str:
    """The text to write to `changed-games.json`, with its versions in order."""
    ordered = {key: known[key] for key in sorted(known, key=version_key)}
    return json.dumps(ordered, indent=1) + "\n"


def _clauses_changed_since(version: str) -> list[str]:
    """The clauses whose effect has changed since an edition, once for each change."""
    return [
        number
        for entry in read_bulletin(book.SPEC)
        if entry.kind == "clauses" and entry.of == EFFECT
        if version_key(entry.version) > version_key(version)
        for number in entry.names
    ]


def _edition(typed: str) -> str:
    """Check that this is the version of the edition before the current book; return it.

    Raises ArgumentTypeError for anything else.
    """
    today = version_key(book.version())
    older = [one for one in known_versions() if version_key(one) < today]
    before = max(older, key=version_key, default="none")
    if older and typed == before:
        return typed
    raise argparse.ArgumentTypeError(f"found {typed!r:.60}; allowed: {before}")


def main(arguments: Sequence[str] | None = None, path: Path = FILE) -> int:
    """Find and record the games that changed, and return the exit status."""
    parser = ToolArguments(prog="refengine conform changed-games")
    parser.add_argument("edition", type=_edition, help="the older one, such as 1.0.0")
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, help="a build of it: … serve"
    )
    chosen = parser.parse_args(arguments)
    if not chosen.command:
        parser.error("the command of a build of that edition is missing")
    today = book.version()
    games = list(games_up_to_edition(lines_of_corpus(data("corpus")), chosen.edition))
    try:
        then = answered_by_build(chosen.command, games)
    except (Malformed, OSError) as fault:
        print(fault, file=sys.stderr)
        return 2
    older = edition(chosen.edition)
    changed = _clauses_changed_since(chosen.edition)
    found, unexplained = changed_games(games, then, changed, older)
    for name in unexplained:
        print(f"{name} comes out differently, and no clause of the bulletin decides it")
    known = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    known[today] = {"since": chosen.edition, "clauses": found}
    path.write_text(file_text(known), "utf-8")
    counts = ", ".join(f"{number}: {len(ids)}" for number, ids in found.items())
    print(f"{len(games)} games asked; different since {today}: {counts or 'none'}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
