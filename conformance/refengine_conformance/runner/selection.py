"""Which traces a run uses: those in the published corpus, or in given files."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import attrs
import msgspec

from refengine.errors import Malformed, all_harmless, counted, unusable_file
from refengine.formats import file_lines, parsing
from refengine.formats.minideals import check_mini, read_mini
from refengine.formats.openings import RefusedOpening, opening_of, replay_opening
from refengine.formats.shapes import (
    ClauseNumber,
    Line,
    Natural,
    Positive,
    check_clauses,
)
from refengine.formats.trace import Trace, check_id, read_trace, replay
from refengine.lawbook import book
from refengine.lawbook.clause_names import gone_back
from refengine_conformance.data import data

T = TypeVar("T")
CORPUS: Final = data("corpus")
BESIDE: Final = data("events-and-openings")
TOLD: Final = "2.8"  # the clause on what a seat is told
TIERS: Final = ("smoke", "core")
_HEAD: Final = 200  # bytes at the beginning of a line that contain its id


class Indexed(msgspec.Struct, frozen=True, kw_only=True):
    """What the index of a corpus says about one line; other keys are skipped."""

    id: str
    file: str
    line: Positive
    tier: str
    profile: str
    fires: list[ClauseNumber] = []
    necessary: list[ClauseNumber] = []

    def __post_init__(self) -> None:
        """Raise Malformed for an ill-formed id or clause number."""
        check_id(self.id, "m" if self.id.startswith("m") else "t")
        for name, clauses in (("fires", self.fires), ("necessary", self.necessary)):
            if clauses:
                check_clauses(clauses, name)


class Erratum(Line, frozen=True, kw_only=True):
    """A trace that is retired, and why."""

    id: str
    reason: str
    date: str = ""
    replacement: str = ""


class _Tier(msgspec.Struct, frozen=True):
    """What the manifest promises for a tier."""

    traces: Natural = 0
    minis: Natural = 0
    profiles: dict[str, Natural] = {}


class _Manifest(msgspec.Struct, frozen=True):
    """What the manifest promises for a corpus; other keys are skipped."""

    counts: dict[str, _Tier] = {}
    files: dict[str, dict[str, Any]] = {}


@attrs.frozen
class Selected:
    """One line to be used: its id, its text and, if it is retired, the reason for that.

    `necessary` holds the clauses without which a line of a corpus would fail.
    """

    id: str
    data: bytes
    retired: str = ""
    necessary: tuple[str, ...] = ()

    @property
    def mini(self) -> bool:
        """Whether the line is a mini-deal."""
        return self.id.startswith("m-")

    @property
    def opening(self) -> RefusedOpening | None:
        """The game that cannot begin, if the line is about one; else None."""
        return None if self.mini else opening_of(self.data)


@attrs.frozen(kw_only=True)
class Choice:
    """The lines requested, by profile, tier, clause or id; by default, all lines."""

    profile: str = ""
    tier: str = "core"
    clause: str = ""
    traces: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        """Raise Malformed for a clause that is not in the book."""
        if self.clause:
            book.clause(self.clause)

    def fields(self, published: bool) -> dict[str, str]:
        """The options that restrict the choice, for the head of a report.

        Only lines of a `published` corpus have a tier.
        """
        found = {
            "profile": self.profile,
            "tier": self.tier if published and self.tier != TIERS[-1] else "",
            "clause": self.clause,
            "trace": " ".join(self.traces),
        }
        return {name: value for name, value in found.items() if value}

    @property
    def _named(self) -> set[str]:
        """The clause requested, its parts, and the clause of which it is a part."""
        return {
            self.clause,
            *gone_back([self.clause]),
            *book.parts_of(self.clause),
        }

    def takes(self, name: str, profile: str, clauses: Iterable[str]) -> bool:
        """Whether a line with this id, this profile and these clauses is requested."""
        return (
            (not self.profile or self.profile == profile)
            and (not self.clause or not self._named.isdisjoint(clauses))
            and (not self.traces or name in self.traces)
        )


@attrs.frozen
class Selection:
    """The requested lines, in order, and what was wrong with the files.

    `unreadable` says what cannot be read, and `short` what a corpus promises but lacks.
    `beside` maps a capability to a function that returns more lines, which are only for
    an adapter that declares the capability.
    """

    lines: tuple[Selected, ...]
    unreadable: tuple[str, ...] = attrs.field(default=(), converter=all_harmless)
    short: tuple[str, ...] = attrs.field(default=(), converter=all_harmless)
    beside: Mapping[str, Callable[[], tuple[Selected, ...]]] = attrs.field(factory=dict)

    def with_beside(self, capabilities: Collection[str]) -> Selection:
        """The selection, followed by the lines of `beside` for these capabilities.

        Its own `beside` is empty: lines for other capabilities are dropped.
        """
        more = [
            line
            for capability, lines_beside in self.beside.items()
            if capability in capabilities
            for line in lines_beside()
        ]
        return attrs.evolve(self, lines=(*self.lines, *more), beside={})


# Files


def of_files(paths: Iterable[Path], choice: Choice) -> Selection:
    """The requested lines of files; every line is first checked against the book.

    If several lines have the same id, only the first is taken.
    """
    found: list[Selected] = []
    wrong: list[str] = []
    seen: set[str] = set()
    for path in paths:
        for number, line in _lines(path, wrong):
            try:
                checked = _checked(line)
            except Malformed as error:
                wrong.append(f"{path}:{number}: {error}")
                continue
            name = checked.line.id
            if name in seen:
                continue
            seen.add(name)
            if choice.takes(name, checked.profile, checked.clauses):
                found.append(checked.line)
    return Selection(tuple(found), tuple(wrong))


def _lines(path: Path, wrong: list[str]) -> Iterator[tuple[int, bytes]]:
    """The number and content of each non-blank line of a file.

    A sentence about anything that cannot be read is added to `wrong`.
    """
    try:
        with path.open("rb") as stream:
            for number, line in file_lines.numbered_lines_of(stream):
                if isinstance(line, Malformed):
                    wrong.append(f"{path}:{number}: {line}")
                elif line.strip():
                    yield number, line.rstrip(b"\r\n")
    except OSError as error:
        wrong.append(str(unusable_file(error, "read", str(path))))
    except Malformed as error:
        wrong.append(f"{path}: {error}")


class _Checked(NamedTuple):
    """A line that agrees with the book, its profile, and the clauses that it names."""

    line: Selected
    profile: str
    clauses: set[str]


def _checked(line: bytes) -> _Checked:
    """The line, checked against the book, with its profile and clauses.

    Raises Malformed if it disagrees with the book, or cannot be read.
    """
    plain = parsing.parse_line(line)
    if not isinstance(plain, dict):
        raise Malformed("not an object", "a trace or a mini-deal")
    if "mini" in plain:
        mini = read_mini(line)
        if findings := check_mini(mini):
            raise Malformed(str(findings[0]), "a mini-deal as in the book")
        return _Checked(Selected(mini.id, line), mini.ruleset.profile, set())
    if "log" in plain:
        raise Malformed("a log", "a trace or a mini-deal")
    if opening := opening_of(line):
        if findings := replay_opening(opening):
            allowed = "a game that the book refuses by exactly these clauses"
            raise Malformed(str(findings[0]), allowed)
        profile = opening.ruleset.profile
        return _Checked(Selected(opening.id, line), profile, {*opening.clauses})
    trace = read_trace(line)
    if findings := replay(trace):
        raise Malformed(str(findings[0]), "a trace as in the book")
    selected, profile = Selected(trace.id, line), trace.ruleset.profile
    return _Checked(selected, profile, clauses_named(trace))


def why_unasked(line: bytes) -> str:
    """Why a line cannot be used: it cannot be read, or it disagrees with the book.

    The text is empty if the line can be used.
    """
    try:
        _checked(line)
    except Malformed as error:
        return str(error)
    return ""


def clauses_named(trace: Trace) -> set[str]:
    """The clauses that a trace is about.

    They are those by which acts and probes are refused or irregular and, if the trace
    says what seats are told, the clause on that.
    """
    clauses: set[str] = set()
    for step in trace.steps:
        clauses.update(step.breaks)
        for probe in (*step.refuse, *step.irregular):
            clauses.update(probe.clauses)
        if step.told:
            clauses.add(TOLD)
    return clauses


# The published corpus


def of_corpus(folder: Path, choice: Choice) -> Selection:
    """The requested lines of a corpus, checked against its manifest.

    Raises Malformed if the index, the manifest, the errata or a file that the index
    names cannot be read.
    """
    index = list(_records(folder / "index.jsonl", Indexed))
    path = folder / "manifest.json"
    manifest = _decoded(_read(path), _Manifest, str(path))
    tiers = TIERS[: TIERS.index(choice.tier) + 1]
    wanted = [
        entry
        for entry in index
        if entry.tier in tiers
        and choice.takes(entry.id, entry.profile, {*entry.fires, *entry.necessary})
    ]
    retired = _errata(folder)
    files = {name: _read(folder / name) for name in {entry.file for entry in wanted}}
    lines = {name: content.split(b"\n") for name, content in files.items()}
    found = []
    short = list(_lacking(manifest, index, tiers))
    for entry in wanted:
        line = _line_of(entry, lines[entry.file])
        if line is None:
            short.append(f"{entry.id} is not in {entry.file}, line {entry.line}")
            continue
        reason = retired.get(entry.id, "")
        found.append(Selected(entry.id, line, reason, tuple(entry.necessary)))
    wrong = tuple(_unlike_manifest(folder, files, manifest))
    return Selection(tuple(found), wrong, tuple(short))


def _line_of(entry: Indexed, lines: Sequence[bytes]) -> bytes | None:
    """Find the line to which an entry of the index refers among the lines of its file.

    Returns None if the file is too short, or if the line does not contain the id of the
    entry near its beginning.
    """
    line = lines[entry.line - 1] if entry.line <= len(lines) else b""
    return line if f'"{entry.id}"'.encode() in line[:_HEAD] else None


def _unlike_manifest(
    folder: Path, files: Mapping[str, bytes], manifest: _Manifest
) -> Iterator[str]:
    """A sentence on each file of a corpus whose digest differs from the manifest's."""
    for name, content in sorted(files.items()):
        promised = manifest.files.get(name, {}).get("sha256")
        if hashlib.sha256(content).hexdigest() != promised:
            yield f"{folder / name}: not the file of the manifest: its SHA-256 differs"


def of_paths(paths: Sequence[Path], choice: Choice) -> tuple[Selection, bool]:
    """The requested lines of a corpus, or else of files and folders of files.

    The second value says whether the paths are a corpus: one folder with an index.
    Raises Malformed for a corpus among other paths, and in the same cases as
    `of_corpus`.
    """
    if len(paths) == 1 and _is_corpus(paths[0]):
        return of_corpus(paths[0], choice), True
    files: list[Path] = []
    for path in paths:
        if _is_corpus(path):
            allowed = "a corpus alone, or files and folders of traces"
            raise Malformed(f"the corpus {path} among others", allowed, "--corpus")
        # Path.is_dir may raise, too: what cannot be reached is tried as a file, and
        # then reported.
        files += sorted(path.glob("*.jsonl")) if os.path.isdir(path) else [path]
    return of_files(files, choice), False


def _is_corpus(path: Path) -> bool:
    """Whether a path is a folder that contains an index which can be reached."""
    return os.path.exists(path / "index.jsonl")  # Path.exists may raise


def beside_corpus(choice: Choice) -> Mapping[str, Callable[[], tuple[Selected, ...]]]:
    """Functions that read further requested lines, by the capability that they need.

    These lines are kept outside the corpus. There are none for the smoke tier.
    """
    if choice.tier != TIERS[-1]:
        return {}
    return {name: partial(_beside, name, choice) for name in ("events", "openings")}


def _beside(capability: str, choice: Choice) -> tuple[Selected, ...]:
    """The requested lines outside the corpus that need this capability."""
    retired = _errata(CORPUS)
    found = []
    for line in _read(BESIDE / f"{capability}.jsonl").splitlines():
        opening = opening_of(line)
        read = opening or read_trace(line)
        clauses = opening.clauses if opening else (TOLD,)
        if choice.takes(read.id, read.ruleset.profile, clauses):
            found.append(Selected(read.id, line, retired.get(read.id, "")))
    return tuple(found)


def _lacking(
    manifest: _Manifest, index: list[Indexed], tiers: tuple[str, ...]
) -> Iterator[str]:
    """Yield a sentence for each tier or profile with fewer lines than promised."""
    for tier in tiers:
        promised = manifest.counts.get(tier, _Tier())
        there = Counter(entry.profile for entry in index if entry.tier == tier)
        total = promised.traces + promised.minis
        if there.total() < total:
            lines = counted(there.total(), "line")
            yield f"tier {tier}: {lines} in the index, {total} promised"
        for profile, number in promised.profiles.items():
            if there[profile] < number:
                lines = counted(there[profile], "line")
                place = f"tier {tier}, profile {profile}"
                yield f"{place}: {lines} in the index, {number} promised"


def _errata(folder: Path) -> dict[str, str]:
    """Why each retired line of a corpus was retired, by the line's id."""
    path = folder / "errata.jsonl"
    if not path.exists():
        return {}
    return {one.id: one.reason for one in _records(path, Erratum, blank=True)}


def _records(path: Path, kind: type[T], blank: bool = False) -> Iterator[T]:
    """Yield each line of a file, decoded as this kind; with `blank`, no blank lines.

    Raises Malformed if the file or a line cannot be read; the error names the line.
    """
    for number, line in enumerate(_read(path).splitlines(), 1):
        if line.strip() or not blank:
            yield _decoded(line, kind, f"{path}:{number}")


def _read(path: Path) -> bytes:
    """The contents of a file; raises Malformed if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unusable_file(error, "read", str(path)) from None


def _decoded(line: bytes, kind: type[T], where: str) -> T:
    """Decode a line as this kind; raise Malformed, with the place, if that fails."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        if isinstance(error.__cause__, Malformed):
            raise error.__cause__.within(where) from None
        raise Malformed(str(error), "what the formats say", where) from None
