"""The commands that check an engine: `conform run`, `conform selftest`, `adapter`.

And `matrix`, which says how strong the corpus is that checks it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
import click

from refengine.cli.shared import print_json
from refengine.errors import Malformed
from refengine.lawbook import book
from refengine.lawbook.profiles import profile_names
from refengine_conformance.data import data
from refengine_conformance.diagnosis import examples
from refengine_conformance.diagnosis.run_inference import with_inference
from refengine_conformance.diagnosis.shrinking import SECONDS
from refengine_conformance.jobs.progress import progress
from refengine_conformance.report.reports import jsonl, read_target, text, write_report
from refengine_conformance.runner.known_failures import read_known, write_known
from refengine_conformance.runner.results import Limits, Run
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
SKELETONS: Final = {"js": "skeleton.mjs", "python": "skeleton.py"}
_ADAPTERS: Final = data("adapters")
_LIMITS: Final = Limits()


def register(group: click.Group) -> None:
    """Add `run` and `selftest` to the group `conform`."""
    group.add_command(run_command)
    group.add_command(selftest_command)


def _seconds(name: str, default: float, help: str) -> Callable[[F], F]:
    return click.option(
        name,
        type=click.FloatRange(0, 3600, min_open=True),
        default=default,
        show_default=True,
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
@click.option("--trace", "traces", multiple=True, help="Only this id; again for more.")
@click.option(
    "--corpus",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file of traces, or the folder of a corpus, in place of the bundled one.",
)
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True)
@click.option(
    "--scheduler",
    default="",
    metavar="ADDRESS",
    help="Ask from the workers of a Dask cluster; the adapter has to be there.",
)
@click.option(
    "--ways",
    type=click.Choice(WAYS),
    default="auto",
    show_default=True,
    help="How traces are asked: act by act, replayed, both; auto is both for a few.",
)
@click.option(
    "--known",
    type=click.Path(path_type=Path),
    help="Known failures, with reason and expiry.",
)
@click.option(
    "--write-known",
    type=click.Path(path_type=Path),
    help="Write what fails into such a file.",
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
    help="Look for the smallest game that shows each clause that is not kept.",
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
    help="The folder for these games, one file a clause; made where there are any.",
)
@_seconds("--limit-op", _LIMITS.op, "Seconds for a request.")
@_seconds("--limit-batch", _LIMITS.batch, "Seconds for replay and enumerate.")
@_seconds("--limit-hello", _LIMITS.hello, "Seconds for hello.")
@_seconds("--limit-shrink", SECONDS, "Seconds to shrink the game of a clause.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def run_command(
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
    command: tuple[str, ...],
) -> None:
    """Put the traces of the corpus to an adapter and say which clauses it breaks.

    COMMAND is the adapter and its arguments, after `--`; or builtin:reference, or
    builtin:mutant:ID, to see what success and failure look like.
    """
    if profile_name is not None and profile_name not in profile_names():
        allowed = f"one of {', '.join(profile_names())}"
        raise Malformed(f"{profile_name!r:.60}", allowed, "--profile")
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
    )
    with progress("traces", len(selection.lines)) as advance:
        found = run(
            selection,
            settings,
            chosen=choice.fields(published),
            known=entries,
            advance=advance,
        )
    if shrink:
        bounds = examples.Bounds(seconds=limit_shrink)
        with progress("clauses not kept", len(found.groups)) as advance:
            found = examples.with_examples(found, jobs, bounds, advance)
        found = examples.written(found, folder)
    if infer:
        found = with_inference(found, selection)
    for name, file in targets:
        write_report(found, name, file, _print)
    if write_known is not None:
        _write_known(found, write_known)
    _show(found, shown)
    raise click.exceptions.Exit(found.exit_code)


def _selection(files: tuple[Path, ...], choice: Choice) -> tuple[Selection, bool]:
    """What is asked for, and whether it is of a published corpus."""
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
        _print(text(found) if shown == "text" else jsonl(found))


def _print(made: str) -> None:
    """Print a text; whoever reads it may stop before its end."""
    try:
        sys.stdout.buffer.write(made.encode("utf-8", "replace"))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.command("selftest")
@click.option("--only", multiple=True, help="Only this bad adapter; again for more.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
def selftest_command(only: tuple[str, ...], as_json: bool) -> None:
    """Run bad adapters, each with the outcome that it must get."""
    from refengine_conformance.selftest.selftest import BAD, checked

    names = only or tuple(BAD)
    for name in names:
        if name not in BAD:
            raise Malformed(f"{name!r:.40}", f"one of {', '.join(BAD)}", "--only")
    results = []
    with progress("bad adapters", len(names)) as advance:
        for done, name in enumerate(names, 1):
            results.append(checked(name))
            advance(done)
    wrong = [one for one in results if one.wrong]
    if as_json:
        click.echo(json.dumps([attrs.asdict(one) for one in results]))
    else:
        for one in results:
            click.echo(f"{'wrong' if one.wrong else 'well':6} {one.name:20} {one.said}")
        click.echo(f"{len(results) - len(wrong)} of {len(results)} as they must be")
    raise click.exceptions.Exit(1 if wrong else 0)


@click.command()
@click.option(
    "--language",
    type=click.Choice(tuple(SKELETONS)),
    required=True,
    help="The language of the skeleton.",
)
def adapter(language: str) -> None:
    """Print the skeleton of an adapter, to be filled in."""
    _print((_ADAPTERS / SKELETONS[language]).read_text("utf-8"))


@click.command()
@click.argument("clauses", nargs=-1)
@click.option("--profile", "profile_name", help="Only clauses that fire under it.")
@click.option(
    "--class",
    "level",
    type=click.Choice(("strong", "reasoned", "covered", "weak")),
    help="Only clauses of this class.",
)
@click.option(
    "--format",
    "shown",
    type=click.Choice(("text", "json", "markdown")),
    default="text",
    show_default=True,
)
def matrix(
    clauses: tuple[str, ...], profile_name: str | None, level: str | None, shown: str
) -> None:
    """Show how strong each clause stands: lines, witnesses, mutants, proofs.

    With CLAUSES, such as 5.3, these alone and in full.
    """
    from refengine_conformance.strength.matrix import details, markdown, rows, table
    from refengine_conformance.strength.measure import committed

    if profile_name is not None and profile_name not in profile_names():
        allowed = f"one of {', '.join(profile_names())}"
        raise Malformed(f"{profile_name!r:.60}", allowed, "--profile")
    for number in clauses:
        book.clause(number)
    found = [
        row
        for row in rows(committed())
        if (not clauses or row.number in clauses)
        and (profile_name is None or profile_name in row.profiles)
        and (level is None or row.level == level)
    ]
    if shown == "json":
        print_json([row.fields() for row in found])
    elif shown == "markdown":
        _print(markdown(found))
    elif clauses:
        _print("".join(f"{line}\n" for row in found for line in details(row)))
    else:
        _print("".join(f"{line}\n" for line in table(found)))
