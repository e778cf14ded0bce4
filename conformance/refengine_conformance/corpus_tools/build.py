"""The corpus: traces and mini-deals, each kept because it adds something.

`refengine conform corpus` makes `conformance/corpus/` anew, the same for the
same seed. Small games are played by `generators.strategies`, shard by shard: a shard
is a profile and a family (its own options, each value of each option, several changed,
matches, positions, revokes, whole packs, rare cases, mini-deals). A trace stays if it
kills a mutant that nothing before it in its shard killed, or if two clauses meet in it
at one decision for the first time; then it is shrunk. Of all shards together a greedy
choice is kept.

A finished shard is kept in the work folder and not made again, so that an interrupted
run goes on from there. `--tier full` writes all shards, ten times as deep and not
shrunk, to `--out`; it is not part of the repository.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
from msgspec import json

from refengine_conformance.data import data
from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.mutants import designed, loading, source_edits

SEED: Final = 1
CORPUS_VERSION: Final = "2026.1"
FAMILIES: Final[dict[str, int]] = {
    "rare": 2,  # for each entry of the list of rare cases
    "base": 25,
    "revokes": 30,
    "match": 25,
    "whole": 2,
    "options": 1,  # for each value of each option
    "mini": 20,
    "position": 12,
    "several": 20,
    "aimed": 4,  # for each entry of the list of cases aimed at
    "written": 1,
    "shapes": 2,  # for each entry of the list of shapes
}
PROFILES: Final = (
    "black-maria",
    "common-hearts",
    "dominorules-tiles",
    "estmesh-hearts",
    "gamerules-domino",
    "heartsgame-tiles",
    "omnibus-hearts",
    "openspiel-hearts",
    "pokerwiner-domino",
    "pokerwiner-hearts",
    "spot-hearts",
)
WITNESSES: Final = 3  # lines for each thing that is covered, where that many exist
PLAIN: Final = {"match", "pass", "stock", "setup.position", "moon.choice", "revokes"}
SMOKE_BYTES: Final = 3000  # longer lines are left to core
HUNTED: Final = data("hunted.jsonl")
_DEEPER: Final = 10

T = TypeVar("T")
Pair = tuple[str, str]
Cell = tuple[str, ...]


@attrs.frozen
class Kept:
    """A line of the corpus and what it is evidence for, recorded by running it.

    Of the mutants that it `kills`, it `flips` those that it would also kill in an
    engine that names no clauses: more is wrong there than the clauses named.
    """

    profile: str
    line: str
    id: str
    needs: tuple[str, ...]
    fires: tuple[str, ...]
    necessary: tuple[str, ...]
    kills: tuple[str, ...]
    flips: tuple[str, ...]
    pairs: tuple[Pair, ...]
    verdicts: dict[str, str]

    @property
    def mini(self) -> bool:
        """Whether the line is a mini-deal."""
        return self.id.startswith("m-")


# In a worker


def build_shard(task: tuple[str, str, int, int, bool]) -> list[Kept]:
    """What a shard keeps: profile, family, seed, depth, whether to shrink."""
    from refengine_conformance.corpus_tools import shards as shards

    return [evaluate_line(line) for line, _, _ in shards.lines_kept_by_shard(*task)]


def evaluate_line(line: str) -> Kept:
    """Everything that a line is evidence for."""
    from refengine.lawbook.reading import place_in_book  # late: in a worker
    from refengine_conformance.corpus_tools import evidence

    case = evidence.case_of(line.encode())
    watch = evidence.fires(case)
    kills = evidence.all_killed(case, watch.fired)
    off = [one.removeprefix("off:") for one in kills if one.startswith("off:")]
    evidence.case_of.cache_clear()
    return Kept(
        profile=case.ruleset.profile,
        line=line,
        id=case.id,
        needs=evidence.needs(case),
        fires=tuple(sorted({*watch.fired, *off}, key=place_in_book)),
        necessary=tuple(sorted(off, key=place_in_book)),
        kills=kills,
        flips=evidence.flipped(case, kills),
        pairs=() if case.id.startswith("m-") else tuple(sorted(watch.pairs)),
        verdicts=evidence.verdicts(case),
    )


def mutant_signs_on_line(task: tuple[str, tuple[str, ...]]) -> dict[str, Any]:
    """The signs that mutants show on a line, for each mutant that shows any."""
    line, kills = task
    from refengine_conformance.corpus_tools import evidence

    case = evidence.case_of(line.encode())
    found: dict[str, Any] = evidence.signs_of_mutants(case, kills)
    evidence.case_of.cache_clear()
    return found


def observed_fields_of_line(task: tuple[str, list[str]]) -> dict[str, list[str]]:
    """The observed fields that are wrong without each of these clauses, on a line."""
    from refengine_conformance.corpus_tools import shown

    return shown.fields_shown(task)


# The choice


def covered_cells(kept: Kept) -> Iterator[Cell]:
    """What a line is worth: mutants killed under its profile, and clauses that meet.

    Mini-deals are chosen separately, so that they make a suite of their own.
    """
    kind = "mini" if kept.mini else "trace"
    for name in kept.kills:
        yield (kind, kept.profile, name)
    for name in kept.flips:
        yield ("flip", *plainness_key(kept), name)
    for one, other in kept.pairs:
        yield ("pair", one, other)


def plainness_key(kept: Kept) -> tuple[str, ...]:
    """`plain` if an engine needs no more than a stock and matches to be asked.

    A rule that shows only in games with a kitty or a mix does not show to engines that
    play without them.
    """
    return () if set(kept.needs) - PLAIN else ("plain",)


def select_covering_lines(all_kept: Sequence[Kept]) -> list[Kept]:
    """A selection of lines that covers every cell, three times where that is possible.

    Penalised revokes are left to the lines for which chapter 7 is necessary.
    """
    fair = [
        one
        for one in all_kept
        if "revokes" not in one.needs or any(n.startswith("7.") for n in one.necessary)
    ]
    return _cover(fair, lambda kept: frozenset(covered_cells(kept)), WITNESSES)


def select_smoke_lines(all_kept: Sequence[Kept]) -> list[Kept]:
    """A few short lines that kill every mutant that the traces kill."""
    short = [one for one in all_kept if len(one.line) <= SMOKE_BYTES and not one.mini]
    short += [one for one in all_kept if one not in short]
    return _cover(short, lambda kept: frozenset((name,) for name in kept.kills), 1)


def _cover(all_kept: Sequence[Kept], cells: Any, times: int) -> list[Kept]:
    """A greedy cover: each cell this many times where possible.

    The line that adds most for its length comes first.
    """
    worth: dict[str, frozenset[Cell]] = {one.id: cells(one) for one in all_kept}
    there = Counter(cell for one in worth.values() for cell in one)
    missing = {cell: min(times, number) for cell, number in there.items()}
    rest = sorted(all_kept, key=lambda one: (len(one.line), one.id))
    gains = {one.id: len(worth[one.id]) for one in rest}
    found: list[Kept] = []
    while missing:
        best = max(rest, key=lambda one: gains[one.id] / (300 + len(one.line)))
        gain = len(worth[best.id] & missing.keys())
        if gain < gains[best.id]:  # the figure is old, but it can only have fallen
            gains[best.id] = gain
            continue
        found.append(best)
        rest.remove(best)
        for cell in worth[best.id] & missing.keys():
            missing[cell] -= 1
            if not missing[cell]:
                del missing[cell]
    return found


# Writing


def write_corpus(
    folder: Path, tier: str, core: Sequence[Kept], small: Sequence[Kept]
) -> None:
    """The files of the corpus: traces, mini-deals, index and manifest."""
    rare = Counter(number for one in core for number in one.necessary)
    ids = {one.id for one in small}
    files: dict[str, list[Kept]] = {}
    for one in sorted(core, key=lambda one: (one.profile, one.id)):
        name = "smoke.jsonl" if one.id in ids else _file_of(one, tier)
        files.setdefault(name, []).append(one)
    for old in folder.glob("*.jsonl"):
        if old.name not in ("errata.jsonl", "dictionary.jsonl"):
            old.unlink()
    index: list[dict[str, Any]] = []
    for name, lines in files.items():
        texts = [_named(one, rare) for one in lines]
        (folder / name).write_bytes(b"".join(text + b"\n" for text in texts))
        for number, one in enumerate(lines, 1):
            level = "smoke" if one.id in ids else tier
            index.append(_index_entry(one, name, number, level))
    entries = b"".join(json.encode(entry) + b"\n" for entry in index)
    (folder / "index.jsonl").write_bytes(entries)


def _file_of(one: Kept, tier: str) -> str:
    return "minis.jsonl" if one.mini else f"{tier}-{one.profile}.jsonl"


def _named(one: Kept, rare: Counter[str]) -> bytes:
    """The line, named after the rare clauses that it needs."""
    from refengine.lawbook.reading import place_in_book  # late: not before a worker

    if one.mini:
        return one.line.encode()
    titles = {
        entry["number"]: entry["title"] for entry in source_edits.clause_entries()
    }
    numbers = sorted(
        one.necessary, key=lambda number: (rare[number], place_in_book(number))
    )
    about = "; ".join(f"{number} {titles[number]}" for number in numbers[:3])
    plain = json.decode(one.line)
    plain.pop("name", None)
    head = {key: plain.pop(key) for key in ("trace", "id", "spec")}
    return json.encode({**head, "name": about or "several clauses at once", **plain})


def _index_entry(one: Kept, name: str, number: int, tier: str) -> dict[str, Any]:
    plain = json.decode(one.line)
    return {
        "id": one.id,
        "file": name,
        "line": number,
        "tier": tier,
        "profile": one.profile,
        "players": plain["ruleset"]["players"],
        "needs": list(one.needs),
        "fires": list(one.fires),
        "necessary": list(one.necessary),
        "verdicts": one.verdicts,
    }


def _lines_of(path: Path) -> list[Any]:
    return [json.decode(line) for line in path.read_bytes().splitlines()]


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest that the files in a folder call for."""
    index = _lines_of(folder / "index.jsonl")
    counts: dict[str, Any] = {}
    for entry in index:
        kind = "minis" if entry["id"].startswith("m-") else "traces"
        tier = counts.setdefault(
            entry["tier"], {"traces": 0, "minis": 0, "profiles": {}}
        )
        tier[kind] += 1
        of_profile = tier["profiles"]
        of_profile[entry["profile"]] = of_profile.get(entry["profile"], 0) + 1
    files = {}
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name not in ("manifest.json", "README.md"):
            data = path.read_bytes()
            files[path.name] = {
                "bytes": len(data),
                "lines": data.count(b"\n"),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
    registry = source_edits.package_folder() / source_edits.REGISTRY
    return {
        "manifest": 1,
        "corpus": CORPUS_VERSION,
        "spec": json.decode(registry.read_bytes())["version"],
        "seed": SEED,
        "counts": counts,
        "mutants": len(designed.designed_mutants()),
        "files": files,
    }


def write_manifest(folder: Path) -> None:
    """The manifest of the files as they are now."""
    text = json.format(json.encode(manifest_of(folder)), indent=2)
    (folder / "manifest.json").write_bytes(text + b"\n")


# The run


def lines_of_all_shards(
    executor: Executor, seed: int, deeper: int, work: Path, families: Sequence[str]
) -> list[Kept]:
    """What all shards keep; those already in the work folder are read from there."""
    work.mkdir(parents=True, exist_ok=True)
    tasks = [
        (name, family, seed, FAMILIES[family] * deeper, deeper == 1)
        for family in families
        for name in PROFILES
    ]
    missing = [task for task in tasks if not _shard_file(work, task).is_file()]
    shards = _shown("shards", executor.map(build_shard, missing), len(missing))
    for task, kept in zip(missing, shards, strict=True):
        path = _shard_file(work, task)
        part = path.with_suffix(".part")
        part.write_bytes(json.encode([attrs.asdict(one) for one in kept]))
        part.rename(path)
    found: dict[str, Kept] = {}
    for task in tasks:
        for fields in json.decode(_shard_file(work, task).read_bytes()):
            pairs = tuple((one, other) for one, other in fields.pop("pairs"))
            kept_fields: dict[str, Any] = {
                key: tuple(value) if isinstance(value, list) else value
                for key, value in fields.items()
            }
            found.setdefault(fields["id"], Kept(pairs=pairs, **kept_fields))
    return list(found.values())


def _shown(what: str, items: Iterable[T], total: int) -> Iterator[T]:
    """The items, with a progress bar on a terminal."""
    from refengine_conformance.jobs.progress import (
        progress_bar,  # late: rich is slow to import
    )

    with progress_bar(what, total) as advance:
        for done, one in enumerate(items, 1):
            advance(done)
            yield one


def write_fault_dictionary(
    folder: Path, core: Sequence[Kept], executor: Executor
) -> None:
    """The fault dictionary: which mutant an engine is like, from its wrong answers."""
    from refengine_conformance.runner import fault_dictionary

    tasks = [(one.line, one.kills) for one in core]
    found = _shown(
        "signs", executor.map(mutant_signs_on_line, tasks, chunksize=8), len(tasks)
    )
    lines = {one.id: signs for one, signs in zip(core, found, strict=True)}
    suspects = [
        fault_dictionary.Suspect(one.id, one.clauses)
        for one in designed.designed_mutants()
    ]
    text = fault_dictionary.dictionary_text(suspects, dict(sorted(lines.items())))
    (folder / fault_dictionary.FILE).write_bytes(text)
    record_observed_fields(folder, executor)


def record_observed_fields(folder: Path, executor: Executor) -> None:
    """Add to the dictionary by which observed fields each line shows its clauses.

    Lines that have them keep them.
    """
    from refengine_conformance.runner import fault_dictionary

    path = folder / fault_dictionary.FILE
    head, *lines = path.read_bytes().splitlines()
    entries = [json.decode(line) for line in lines]
    texts = lines_of_corpus(folder)
    index = _lines_of(folder / "index.jsonl")
    needed = {
        entry["id"]: (text, entry["necessary"])
        for entry, text in zip(index, texts, strict=True)
    }
    new = [entry for entry in entries if "observed" not in entry]
    tasks = [needed[entry["id"]] for entry in new]
    found = executor.map(observed_fields_of_line, tasks, chunksize=8)
    shown = _shown("observed fields", found, len(tasks))
    for entry, fields in zip(new, shown, strict=True):
        entry["observed"] = fields
    written = [head, *(json.encode(entry) for entry in entries)]
    path.write_bytes(b"".join(line + b"\n" for line in written))


def _shard_file(work: Path, task: tuple[str, str, int, int, bool]) -> Path:
    name, family, seed, depth, _ = task
    return work / f"{family}-{name}-{seed}-{depth}.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the corpus and return the exit status."""
    parser = ToolArguments(prog="refengine conform corpus")
    parser.add_argument("--tier", choices=("core", "full"), default="core")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=source_edits.CORPUS)
    parser.add_argument("--work", type=Path, default=Path(".corpus-work"))
    parser.add_argument("--families", nargs="*", default=list(FAMILIES))
    parser.add_argument(
        "--manifest", action="store_true", help="only rewrite the manifest"
    )
    parser.add_argument(
        "--refresh",
        action="store_true",
        help="keep the lines, and record again what they are evidence for",
    )
    parser.add_argument(
        "--observed",
        action="store_true",
        help="only record which observed fields show a clause, where that is missing",
    )
    parser.add_argument(
        "--add", action="store_true", help="only add what survivor-lines has found"
    )
    asked = parser.parse_args(arguments)
    if asked.manifest:
        write_manifest(asked.out)
        return 0
    if asked.observed:
        with loading.mutant_workers(asked.jobs) as executor:
            record_observed_fields(asked.out, executor)
        write_manifest(asked.out)
        return 0
    if asked.add:
        with loading.mutant_workers(asked.jobs) as executor:
            new = add_survivor_lines(asked.out, executor)
        write_manifest(asked.out)
        print(f"{len(new)} lines added")
        return 0
    full = asked.tier == "full"
    if full and asked.out == source_edits.CORPUS:
        parser.error("--tier full needs --out: it does not belong in the repository")
    with loading.mutant_workers(asked.jobs) as executor:
        if asked.refresh:
            lines = lines_of_corpus(asked.out)
            evidence = executor.map(evaluate_line, lines, chunksize=8)
            known = list(_shown("evidence", evidence, len(lines)))
        else:
            deeper = _DEEPER if full else 1
            known = lines_of_all_shards(
                executor, asked.seed, deeper, asked.work, asked.families
            )
        print(f"{len(known)} lines", flush=True)
        core = known if full or asked.refresh else select_covering_lines(known)
        if not full:
            core = with_survivor_lines(core, executor)
        small = () if full else select_smoke_lines(core)
        asked.out.mkdir(parents=True, exist_ok=True)
        write_corpus(asked.out, asked.tier, core, small)
        if not full:
            write_fault_dictionary(asked.out, core, executor)
    write_manifest(asked.out)
    killed = {name for one in core for name in one.kills}
    mutants = designed.designed_mutants()
    alive = [one.id for one in mutants if one.id not in killed]
    print(f"{len(core)} lines kept, {len(small)} of them smoke")
    print(f"{len(killed)} of {len(mutants)} mutants killed; alive: {alive}")
    return 0


def with_survivor_lines(core: Sequence[Kept], executor: Executor) -> list[Kept]:
    """These lines, and those that `survivor_lines` found for particular mutants."""
    known = {one.id for one in core}
    lines = HUNTED.read_text("utf-8").splitlines()
    missing = [line for line in lines if json.decode(line)["id"] not in known]
    return [*core, *executor.map(evaluate_line, missing, chunksize=8)]


def add_survivor_lines(folder: Path, executor: Executor) -> list[Kept]:
    """Add the lines of `strength.survivor_lines` that a corpus lacks to its files.

    The records of the other lines stay as they are, names and tiers included.
    """
    index = _lines_of(folder / "index.jsonl")
    known = {entry["id"] for entry in index}
    hunted = HUNTED.read_text("utf-8").splitlines()
    missing = [line for line in hunted if json.decode(line)["id"] not in known]
    new = list(executor.map(evaluate_line, missing, chunksize=2))
    rare = Counter(number for one in index for number in one["necessary"])
    rare.update(number for one in new for number in one.necessary)
    texts = dict(
        zip((entry["id"] for entry in index), lines_of_corpus(folder), strict=True)
    )
    for one in new:
        texts[one.id] = _named(one, rare).decode()
        index.append(_index_entry(one, _file_of(one, "core"), 0, "core"))
    files: dict[str, list[dict[str, Any]]] = {}
    for entry in sorted(index, key=lambda entry: (entry["profile"], entry["id"])):
        files.setdefault(entry["file"], []).append(entry)
    for name, entries in files.items():
        for number, entry in enumerate(entries, 1):
            entry["line"] = number
        (folder / name).write_text("".join(texts[e["id"]] + "\n" for e in entries))
    ordered = [entry for entries in files.values() for entry in entries]
    text = b"".join(json.encode(entry) + b"\n" for entry in ordered)
    (folder / "index.jsonl").write_bytes(text)
    add_to_fault_dictionary(folder, new, executor)
    return new


def add_to_fault_dictionary(
    folder: Path, new: Sequence[Kept], executor: Executor
) -> None:
    """Add these lines to the fault dictionary."""
    from refengine_conformance.runner import fault_dictionary

    path = folder / fault_dictionary.FILE
    head, *lines = path.read_bytes().splitlines()
    found = executor.map(
        mutant_signs_on_line, [(one.line, one.kills) for one in new], chunksize=2
    )
    signs = {one.id: shown for one, shown in zip(new, found, strict=True)}
    suspects = [
        fault_dictionary.Suspect(one.id, one.clauses)
        for one in designed.designed_mutants()
    ]
    lines += fault_dictionary.dictionary_text(suspects, signs).splitlines()[1:]
    lines.sort(key=lambda line: str(json.decode(line)["id"]))
    path.write_bytes(b"".join(line + b"\n" for line in [head, *lines]))
    record_observed_fields(folder, executor)


def lines_of_corpus(folder: Path) -> list[str]:
    """The lines of a corpus, in the order of its index."""
    index = _lines_of(folder / "index.jsonl")
    files = {
        name: (folder / name).read_text("utf-8").splitlines()
        for name in {entry["file"] for entry in index}
    }
    return [files[entry["file"]][entry["line"] - 1] for entry in index]


if __name__ == "__main__":
    sys.exit(main())
