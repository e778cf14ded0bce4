"""Maintains the corpus: traces and mini-deals, each kept because it adds something.

The corpus was made once, from games played at random. A game was kept if it killed a
mutant that no other game did, or if two clauses first met in it. The ids of the lines
never change; the code that made the corpus is in the history of this folder. `refengine
conform corpus` maintains it: with `--add`, lines are added from
`conformance/hunted.jsonl`; with `--refresh`, the lines stay, and what each is evidence
for is recorded again.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
from msgspec import DecodeError, json

from refengine_conformance.data import data
from refengine_conformance.jobs.tool_arguments import ToolArguments, positive
from refengine_conformance.mutants import designed, loading, source_edits

SEED: Final = 1  # of the games from which the corpus was made
CORPUS_VERSION: Final = "2026.1"
HUNTED: Final = data("hunted.jsonl")
_INDEX: Final = "index.jsonl"
_SMOKE: Final = "smoke.jsonl"
_BASE_LENGTH: Final = 300  # added to each length, so that short lines do not always win

T = TypeVar("T")


@attrs.frozen
class Kept:
    """A line of the corpus and what it is evidence for, recorded by running it."""

    profile: str
    line: str
    id: str
    needs: tuple[str, ...]
    fires: tuple[str, ...]
    necessary: tuple[str, ...]
    kills: tuple[str, ...]
    verdicts: dict[str, str]

    @property
    def mini(self) -> bool:
        """Whether the line is a mini-deal."""
        return self.id.startswith("m-")


# In a worker


def evaluate_line(line: str) -> Kept:
    """Run a line of the corpus, and return it with everything it is evidence for."""
    from refengine.lawbook.reading import place_in_book  # late: in a worker
    from refengine_conformance.corpus_tools import evidence

    case = evidence.read_case(line.encode())
    fired = evidence.fires(case).fired
    kills = evidence.all_killed(case, fired)
    off = designed.clauses_switched_off(kills)
    return Kept(
        profile=case.ruleset.profile,
        line=line,
        id=case.id,
        needs=evidence.needs(case),
        fires=tuple(sorted({*fired, *off}, key=place_in_book)),
        necessary=tuple(sorted(off, key=place_in_book)),
        kills=kills,
        verdicts=evidence.verdicts(case),
    )


def mutant_signs_on_line(task: tuple[str, tuple[str, ...]]) -> dict[str, Any]:
    """The signs by which each mutant can be recognised on this line, by mutant.

    `task` holds the line and the mutants that it kills. A mutant that shows no sign is
    left out.
    """
    line, kills = task
    from refengine_conformance.corpus_tools import evidence

    case = evidence.read_case(line.encode())
    found: dict[str, Any] = evidence.signs_of_mutants(case, kills)
    return found


def observed_fields_of_line(task: tuple[str, list[str]]) -> dict[str, list[str]]:
    """For each clause, the observed fields that go wrong when it is switched off.

    `task` holds a line of the corpus and the clauses. A clause is left out if switching
    it off makes no field wrong.
    """
    from refengine_conformance.corpus_tools import shown

    return shown.fields_shown(task)


# The choice


def select_smoke_lines(all_kept: Sequence[Kept]) -> list[Kept]:
    """A few short lines that together kill every mutant killed by any line.

    They are chosen one by one. The next is always the line that, relative to its
    length, kills the most of the mutants still alive.
    """
    alive = {name for one in all_kept for name in one.kills}
    by_length = sorted(all_kept, key=lambda one: (len(one.line), one.id))

    def worth(one: Kept) -> float:
        return len(alive & {*one.kills}) / (_BASE_LENGTH + len(one.line))

    found: list[Kept] = []
    while alive:
        best = max(by_length, key=worth)
        found.append(best)
        alive -= {*best.kills}
    return found


# Writing


def _write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write these files of a corpus, each in one step.

    The index comes after the games, so that it lacks lines if the run is cut short, and
    they can be added again. A line that moves to or from `smoke.jsonl` is never missing
    from both files: that one is written first with the lines of then and now, and last
    with those of now.
    """
    from refengine.formats.whole_files import write_file  # late: a worker may load this

    smoke = folder / _SMOKE
    if _SMOKE in files:
        old = smoke.read_bytes() if smoke.is_file() else b""
        write_file(smoke, files[_SMOKE] + old)
    for name in sorted(files, key=lambda name: (name == _SMOKE, name == _INDEX, name)):
        write_file(folder / name, files[name])


def corpus_files(kept: Sequence[Kept], smoke: Sequence[Kept]) -> dict[str, bytes]:
    """The files with the traces, the mini-deals and the index of a corpus, by name.

    Of the lines `kept`, those in `smoke` are in the tier of that name.
    """
    needing = Counter(number for one in kept for number in one.necessary)
    index = [_index_entry(one, "smoke" if one in smoke else "core") for one in kept]
    return _numbered_files(index, {one.id: _named(one, needing) for one in kept})


def _numbered_files(
    index: Iterable[dict[str, Any]], texts: Mapping[str, str]
) -> dict[str, bytes]:
    """The files of a corpus, by name; the entries of `index` are given line numbers."""
    files: dict[str, list[dict[str, Any]]] = {}
    for entry in sorted(index, key=lambda entry: (entry["profile"], entry["id"])):
        files.setdefault(entry["file"], []).append(entry)
    made = {}
    for name, entries in files.items():
        for number, entry in enumerate(entries, 1):
            entry["line"] = number
        made[name] = _text_of(texts[entry["id"]].encode() for entry in entries)
    ordered = [entry for entries in files.values() for entry in entries]
    return {**made, _INDEX: _text_of(map(json.encode, ordered))}


def _text_of(lines: Iterable[bytes]) -> bytes:
    """The text of a file with these lines."""
    return b"".join(line + b"\n" for line in lines)


def _named(one: Kept, needing: Counter[str]) -> str:
    """The line, named after the three rarest clauses that it needs.

    `needing` counts, for each clause, the lines that need it. A mini-deal is returned
    as it is, without a name.
    """
    from refengine.lawbook.reading import place_in_book  # late: a worker may load this

    if one.mini:
        return one.line
    titles = {
        entry["number"]: entry["title"] for entry in source_edits.clause_entries()
    }
    numbers = sorted(
        one.necessary, key=lambda number: (needing[number], place_in_book(number))
    )
    about = "; ".join(f"{number} {titles[number]}" for number in numbers[:3])
    plain = json.decode(one.line)
    plain.pop("name", None)
    head = {key: plain.pop(key) for key in ("trace", "id", "spec")}
    name = about or "several clauses at once"
    return json.encode({**head, "name": name, **plain}).decode()


def _index_entry(one: Kept, tier: str) -> dict[str, Any]:
    """The index entry for a line of the corpus; its line number, 0, is set later."""
    plain = json.decode(one.line)
    core = "minis.jsonl" if one.mini else f"core-{one.profile}.jsonl"
    return {
        "id": one.id,
        "file": _SMOKE if tier == "smoke" else core,
        "line": 0,
        "tier": tier,
        "profile": one.profile,
        "players": plain["ruleset"]["players"],
        "needs": list(one.needs),
        "fires": list(one.fires),
        "necessary": list(one.necessary),
        "verdicts": one.verdicts,
    }


def _texts_in(path: Path) -> list[str]:
    """The lines of a JSON Lines file; a U+2028 within a string does not end a line."""
    return [line.decode() for line in path.read_bytes().splitlines()]


def _value_of(line: str, where: str) -> Any:
    """The value in a line of a JSON Lines file; `where` is the place of the line.

    Raises Malformed if it is not JSON.
    """
    try:
        return json.decode(line)
    except DecodeError as error:
        from refengine.errors import Malformed  # late: a worker may load this

        raise Malformed(str(error), "a line of JSON", where) from None


def _by_id(lines: Iterable[str], name: str) -> dict[str, str]:
    """A map from ids to lines, for the lines of the file with this name.

    Raises Malformed if a line is not JSON or has no id.
    """
    numbered = enumerate(lines, 1)
    return {_id_of(one, f"{name}:{number}"): one for number, one in numbered}


def _id_of(line: str, where: str) -> str:
    """The id of a trace or mini-deal; raises Malformed if the line has none."""
    value = _value_of(line, where)
    found = value.get("id") if isinstance(value, dict) else None
    if not isinstance(found, str):
        from refengine.errors import Malformed  # late: a worker may load this

        raise Malformed("a line without an id", "a trace or a mini-deal", where)
    return found


def hunted_lines() -> list[str]:
    """The lines of `conformance/hunted.jsonl`, each written to kill certain mutants."""
    return _texts_in(HUNTED)


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest for the corpus in this folder."""
    return {
        "manifest": 1,
        "corpus": CORPUS_VERSION,
        "spec": source_edits.version_of_book(),
        "seed": SEED,
        "counts": _counts_by_tier(corpus_index(folder)),
        "mutants": len(designed.designed_mutants()),
        "files": {
            path.name: _size_and_digest(path.read_bytes())
            for path in sorted(folder.iterdir())
            if path.is_file() and path.name not in ("manifest.json", "README.md")
        },
    }


def _counts_by_tier(index: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """How many traces and mini-deals each tier has, and how many lines by profile."""
    counts: dict[str, Any] = {}
    for entry in index:
        kind = "minis" if entry["id"].startswith("m-") else "traces"
        tier = counts.setdefault(
            entry["tier"], {"traces": 0, "minis": 0, "profiles": {}}
        )
        tier[kind] += 1
        of_profile = tier["profiles"]
        of_profile[entry["profile"]] = of_profile.get(entry["profile"], 0) + 1
    return counts


def _size_and_digest(content: bytes) -> dict[str, Any]:
    """What the manifest says of a file with this content."""
    return {
        "bytes": len(content),
        "lines": content.count(b"\n"),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def write_manifest(folder: Path) -> None:
    """Write the manifest that describes the files in this folder as they are now."""
    text = json.format(json.encode(manifest_of(folder)), indent=2)
    _write_files(folder, {"manifest.json": text + b"\n"})


# The run


def _with_progress(what: str, items: Iterable[T], total: int) -> Iterator[T]:
    """Yield the items unchanged, with a progress bar on a terminal."""
    from refengine.jobs.progress import progress_bar  # late: rich is slow to import

    with progress_bar(what, total) as advance:
        for done, one in enumerate(items, 1):
            advance(done)
            yield one


def fault_dictionary_of(kept: Sequence[Kept], executor: Executor) -> bytes:
    """The text of the fault dictionary: what each mutant shows on each line.

    With this dictionary, an engine's wrong answers can be matched with the mutant whose
    answers they resemble. For each line, it also lists the observed fields that go
    wrong when a clause is switched off.
    """
    tasks = [(one.line, one.kills) for one in kept]
    found = _with_progress(
        "signs", executor.map(mutant_signs_on_line, tasks, chunksize=8), len(tasks)
    )
    lines = {one.id: signs for one, signs in zip(kept, found, strict=True)}
    text = _dictionary_text(dict(sorted(lines.items())))
    needed = {one.id: (one.line, list(one.necessary)) for one in kept}
    return with_observed_fields(text, needed, executor)


def _dictionary_text(signs_of_lines: dict[str, dict[str, Any]]) -> bytes:
    """The text of a fault dictionary for these lines and all current mutants.

    `signs_of_lines` maps the id of each line to its signs, keyed by mutant id.
    """
    from refengine_conformance.runner import fault_dictionary

    suspects = [
        fault_dictionary.Suspect(one.id, one.clauses)
        for one in designed.designed_mutants()
    ]
    return fault_dictionary.dictionary_text(suspects, signs_of_lines)


def with_observed_fields(
    dictionary: bytes, needed: Mapping[str, tuple[str, list[str]]], executor: Executor
) -> bytes:
    """Add to each entry which observed fields are wrong if a clause is switched off.

    `needed` maps the id of each line of the corpus to the line itself and the clauses
    that it needs. Entries that have observed fields already stay as they are.
    """
    head, *lines = dictionary.splitlines()
    entries = [json.decode(line) for line in lines]
    new = [entry for entry in entries if "observed" not in entry]
    tasks = [needed[entry["id"]] for entry in new]
    found = executor.map(observed_fields_of_line, tasks, chunksize=8)
    shown = _with_progress("observed fields", found, len(tasks))
    for entry, fields in zip(new, shown, strict=True):
        entry["observed"] = fields
    return _text_of([head, *map(json.encode, entries)])


def record_observed_fields(folder: Path, executor: Executor) -> None:
    """Complete a corpus's fault dictionary: add the observed fields that it lacks."""
    from refengine_conformance.runner import fault_dictionary

    index = corpus_index(folder)
    needed = _needed(index, _texts_by_id(folder, index))
    text = (folder / fault_dictionary.FILE).read_bytes()
    text = with_observed_fields(text, needed, executor)
    _write_files(folder, {fault_dictionary.FILE: text})


def _needed(
    index: Iterable[dict[str, Any]], texts: Mapping[str, str]
) -> dict[str, tuple[str, list[str]]]:
    """Map the id of each line in the index to the line and the clauses it needs."""
    return {one["id"]: (texts[one["id"]], one["necessary"]) for one in index}


def main(arguments: Sequence[str] | None = None) -> int:
    """Maintain the corpus and return the exit status."""
    parser = ToolArguments(prog="refengine conform corpus")
    parser.add_argument("--jobs", type=positive, default=2)
    parser.add_argument("--out", type=Path, default=source_edits.CORPUS)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--manifest", action="store_true", help="only rewrite the manifest"
    )
    what.add_argument(
        "--refresh",
        action="store_true",
        help="keep the lines, and record again what they are evidence for",
    )
    what.add_argument(
        "--observed",
        action="store_true",
        help="only record which observed fields show a clause, where that is missing",
    )
    what.add_argument(
        "--add", action="store_true", help="add the lines of hunted.jsonl that it lacks"
    )
    asked = parser.parse_args(arguments)
    from refengine.errors import Malformed  # late: a worker may load this

    try:
        if not asked.manifest:
            _maintain(asked)
        write_manifest(asked.out)
    except Malformed as fault:
        print(fault, file=sys.stderr)
        return 3
    except OSError as error:
        if error.filename is None:  # nobody reads the output
            raise
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 3
    return 0


def _maintain(asked: argparse.Namespace) -> None:
    """Do what these arguments ask for, except for writing the manifest.

    Raises Malformed if a line is not JSON, or if the index names a line that is in none
    of the files.
    """
    from refengine.errors import counted  # late: a worker may load this

    with loading.mutant_workers(asked.jobs) as executor:
        if asked.observed:
            record_observed_fields(asked.out, executor)
        elif asked.add:
            new = add_hunted_lines(asked.out, executor)
            print(f"{counted(len(new), 'line')} added")
        else:
            refresh_corpus(asked.out, executor)


def refresh_corpus(folder: Path, executor: Executor) -> None:
    """Record again what each line is evidence for, and print which mutants survive.

    Lines of `hunted.jsonl` that the corpus lacks are added.
    """
    from refengine_conformance.runner import fault_dictionary

    # The corpus comes second: it has the hunted lines under their current names.
    hunted = _by_id(hunted_lines(), HUNTED.name)
    lines = hunted | _texts_by_id(folder, corpus_index(folder))
    evidence = executor.map(evaluate_line, lines.values(), chunksize=8)
    kept = [*_with_progress("evidence", evidence, len(lines))]
    smoke = select_smoke_lines(kept)
    files = corpus_files(kept, smoke)
    files[fault_dictionary.FILE] = fault_dictionary_of(kept, executor)
    _write_files(folder, files)
    for old in folder.glob("*.jsonl"):
        if old.name not in (*files, "errata.jsonl"):
            old.unlink()
    killed = {name for one in kept for name in one.kills}
    mutants = designed.designed_mutants()
    alive = [one.id for one in mutants if one.id not in killed]
    print(f"{len(kept)} lines kept, {len(smoke)} of them smoke")
    print(f"{len(killed)} of {len(mutants)} mutants killed; alive: {alive}")


def add_hunted_lines(folder: Path, executor: Executor) -> list[Kept]:
    """Add to a corpus the lines of `hunted.jsonl` that it lacks, and return them.

    The records of the other lines stay as they are, including names and tiers, except
    that their line numbers may change.
    """
    from refengine_conformance.runner import fault_dictionary

    index = corpus_index(folder)
    texts = _texts_by_id(folder, index)
    known = {entry["id"] for entry in index}
    hunted = _by_id(hunted_lines(), HUNTED.name)
    missing = [line for name, line in hunted.items() if name not in known]
    new = list(executor.map(evaluate_line, missing, chunksize=2))
    needing = Counter(number for one in index for number in one["necessary"])
    needing.update(number for one in new for number in one.necessary)
    for one in new:
        texts[one.id] = _named(one, needing)
        index.append(_index_entry(one, "core"))
    made = _numbered_files(index, texts)
    before = (folder / fault_dictionary.FILE).read_bytes()
    longer = longer_fault_dictionary(before, new, executor)
    made[fault_dictionary.FILE] = with_observed_fields(
        longer, _needed(index, texts), executor
    )
    _write_files(folder, made)
    return new


def longer_fault_dictionary(
    text: bytes, new: Sequence[Kept], executor: Executor
) -> bytes:
    """The text of a fault dictionary after the lines `new` have been added to it.

    No observed fields are recorded for the new lines. The suspects are the current
    mutants: one that no longer exists is left out, and one that is new has no signs on
    the older lines until `--refresh` is run.
    """
    from refengine_conformance.runner import fault_dictionary

    before = fault_dictionary.read_dictionary(text)
    today = {one.id for one in designed.designed_mutants()}
    signs: dict[str, dict[str, Any]] = {name: {} for name in before.lines}
    for suspect, shown in zip(before.suspects, before.signs, strict=True):
        if suspect.id in today:
            for name, of_line in shown.items():
                signs[name][suspect.id] = of_line
    found = executor.map(
        mutant_signs_on_line, [(one.line, one.kills) for one in new], chunksize=2
    )
    signs |= {one.id: shown for one, shown in zip(new, found, strict=True)}
    entries = {entry["id"]: entry for entry in map(json.decode, text.splitlines()[1:])}
    head, *lines = _dictionary_text(dict(sorted(signs.items()))).splitlines()
    written = [head]
    for entry in map(json.decode, lines):
        recorded = entries.get(entry["id"], {})
        if "observed" in recorded:
            entry["observed"] = recorded["observed"]
        written.append(json.encode(entry))
    return _text_of(written)


def corpus_index(folder: Path) -> list[dict[str, Any]]:
    """The entries of the index of a corpus, in the order of its lines.

    Raises Malformed if a line is not JSON.
    """
    lines = enumerate(_texts_in(folder / _INDEX), 1)
    return [_value_of(line, f"{_INDEX}:{number}") for number, line in lines]


def lines_of_corpus(folder: Path) -> list[str]:
    """The lines of a corpus, in the order of its index."""
    index = corpus_index(folder)
    files = {
        name: _texts_in(folder / name) for name in {entry["file"] for entry in index}
    }
    return [files[entry["file"]][entry["line"] - 1] for entry in index]


def _texts_by_id(folder: Path, index: Sequence[dict[str, Any]]) -> dict[str, str]:
    """A map from ids to lines, for all lines of the files that an index names.

    Lines are found by their ids, since the line numbers in the index may be wrong after
    an interrupted run. Raises Malformed if a line of the index is in none of the files.
    """
    from refengine.errors import Malformed  # late: a worker may load this

    found: dict[str, str] = {}
    for name in {entry["file"] for entry in index}:
        found |= _by_id(_texts_in(folder / name), name)
    for entry in index:
        if entry["id"] not in found:
            allowed = "every line that the index names"
            raise Malformed(f"no {entry['id']}", allowed, entry["file"])
    return found


if __name__ == "__main__":
    sys.exit(main())
