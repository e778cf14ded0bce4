"""`refengine conform run`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date
from math import isnan
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
import click

from refengine.cli.shared import check_profile_name
from refengine.cli.streams import print_text
from refengine.errors import Malformed
from refengine_conformance.diagnosis import examples
from refengine_conformance.diagnosis.run_inference import with_inference
from refengine_conformance.diagnosis.shrinking import SECONDS
from refengine_conformance.jobs.progress import progress_bar
from refengine_conformance.report.reports import jsonl, read_target, text, write_report
from refengine_conformance.runner.known_failures import read_known, write_known
from refengine_conformance.runner.results import Limits, Run
from refengine_conformance.runner.run_time import RunTime
from refengine_conformance.runner.runner import WAYS, Settings, run
from refengine_conformance.runner.selection import (
    CORPUS,
    TIERS,
    Choice,
    Selection,
    of_corpus,
    of_files,
)

F = TypeVar("F", bound=Callable[..., Any])
_LIMITS: Final = Limits()
_SHRINKING: Final = 0.6  # of the time that is left, the rest of it for inference


class _Seconds(click.FloatRange):
    """A number of seconds, above zero and at most a week."""

    def __init__(self) -> None:
        super().__init__(0, 7 * 24 * 3600, min_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number; fails for anything else, `nan` included."""
        found = float(super().convert(value, param, ctx))
        if isnan(found):
            self.fail(f"{value!r} is no number of seconds.", param, ctx)
        return found


def _seconds(name: str, default: float | None, help: str) -> Callable[[F], F]:
    return click.option(
        name,
        type=_Seconds(),
        default=default,
        show_default=default is not None,
        help=help,
    )


@click.command("run")
@click.option("--profile", "profile_name", help="Only traces of this profile.")
@click.option(
    "--tier",
    type=click.Choice(TIERS),
    default=TIERS[-1],
    show_default=True,
    help="smoke takes seconds, core includes it and takes a minute.",
)
@click.option("--clause", default="", help="Only traces in which this clause bears.")
@click.option("--trace", "traces", multiple=True, help="Only this id; repeatable.")
@click.option(
    "--corpus",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file of traces, or the folder of a corpus, instead of the bundled one.",
)
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True)
@click.option(
    "--scheduler",
    default="",
    metavar="ADDRESS",
    help="Run on the workers of a Dask cluster, which must have the adapter.",
)
@click.option(
    "--ways",
    type=click.Choice(WAYS),
    default="auto",
    show_default=True,
    help="How traces are asked: act by act, replayed or both; auto is both for a few.",
)
@click.option(
    "--known",
    type=click.Path(path_type=Path),
    help="A file of known failures, each with its reason and expiry.",
)
@click.option(
    "--write-known",
    type=click.Path(path_type=Path),
    help="Write the failures to a new file of this kind.",
)
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT:FILE",
    help="Also write a report: text, jsonl, junit, markdown or html.",
)
@click.option(
    "--format",
    "shown",
    type=click.Choice(("auto", "text", "jsonl", "none")),
    default="auto",
    show_default=True,
    help="What is printed; auto is text on a terminal, JSON lines elsewhere.",
)
@click.option(
    "--shrink/--no-shrink",
    default=True,
    help="Look for the smallest game that shows each broken clause.",
)
@click.option(
    "--infer/--no-infer",
    default=True,
    help="Say which rules would explain what went wrong.",
)
@click.option(
    "--counterexamples",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("counterexamples"),
    show_default=True,
    help="The folder for these games, one file for each clause.",
)
@_seconds("--limit-op", _LIMITS.op, "Seconds for a request.")
@_seconds("--limit-batch", _LIMITS.batch, "Seconds for replay and enumerate.")
@_seconds("--limit-hello", _LIMITS.hello, "Seconds for hello.")
@_seconds("--limit-shrink", SECONDS, "Seconds to shrink the game of a clause.")
@_seconds("--limit-run", None, "Seconds for the whole run; by default without end.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def conform_run_command(
    profile_name: str | None,
    tier: str,
    clause: str,
    traces: tuple[str, ...],
    files: tuple[Path, ...],
    jobs: int,
    scheduler: str,
    ways: str,
    known: Path | None,
    write_known: Path | None,
    reports: tuple[str, ...],
    shown: str,
    shrink: bool,
    infer: bool,
    folder: Path,
    limit_op: float,
    limit_batch: float,
    limit_hello: float,
    limit_shrink: float,
    limit_run: float | None,
    command: tuple[str, ...],
) -> None:
    """Test an adapter with the traces of the corpus and say which clauses it breaks.

    COMMAND is the adapter and its arguments, after `--`; or builtin:reference, or
    builtin:mutant:ID, to see what success and failure look like.
    """
    time = RunTime.from_now(limit_run)
    check_profile_name(profile_name)
    targets = [read_target(given) for given in reports]
    entries = read_known(known) if known is not None else ()
    choice = Choice(profile=profile_name or "", tier=tier, clause=clause, traces=traces)
    selection, published = _selection(files, choice)
    settings = Settings(
        command=command,
        limits=attrs.evolve(_LIMITS, op=limit_op, batch=limit_batch, hello=limit_hello),
        jobs=jobs,
        scheduler=scheduler,
        ways=ways,
        source=tuple(word for file in files for word in ("--corpus", str(file))),
        time=time.asking,
    )
    with progress_bar("traces", len(selection.lines)) as advance:
        found = run(
            selection,
            settings,
            chosen=choice.fields(published),
            known=entries,
            advance=advance,
        )
    if shrink:
        own = time.share(_SHRINKING) if infer and time.limited else time
        bounds = examples.Bounds(seconds=limit_shrink, time=own)
        with progress_bar("clauses not kept", len(found.groups)) as advance:
            found = examples.with_examples(found, jobs, bounds, advance)
        found = examples.write_games(found, folder)
    if infer:
        found = with_inference(found, selection, time=time)
    for name, file in targets:
        write_report(found, name, file, print_text)
    if write_known is not None:
        _write_known(found, write_known)
    _show(found, shown)
    raise click.exceptions.Exit(found.exit_code)


def _selection(files: tuple[Path, ...], choice: Choice) -> tuple[Selection, bool]:
    """The traces asked for, and whether they are those of a published corpus."""
    if not files:
        return of_corpus(CORPUS, choice), True
    if len(files) == 1 and (files[0] / "index.jsonl").exists():
        return of_corpus(files[0], choice), True
    paths: list[Path] = []
    for file in files:
        paths += sorted(file.glob("*.jsonl")) if file.is_dir() else [file]
    return of_files(paths, choice), False


def _write_known(found: Run, path: Path) -> None:
    try:
        path.write_bytes(write_known(found.cases, date.today()))
    except OSError as error:
        raise Malformed(f"{error.strerror}", "a file to write", str(path)) from None


def _show(found: Run, shown: str) -> None:
    if shown == "auto":
        shown = "text" if sys.stdout.isatty() else "jsonl"
    if shown != "none":
        print_text(text(found) if shown == "text" else jsonl(found))
