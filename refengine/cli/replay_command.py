"""The command `refengine replay`, which checks games against the rules."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from itertools import chain

import click

from refengine.cli.files import Complaints, ExitCode, files_argument, numbered_lines
from refengine.exit_codes import NOT_TO_THE_END, TOO_FEW, UNREADABLE, WRONG
from refengine.formats.replaying import CLUSTER, replay_lines
from refengine.formats.trace import CHANGED_IN
from refengine.jobs.unread_output import finish_unread


@click.command("replay")
@files_argument
@click.option(
    "--at-least",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Exit with 4 if fewer lines are replayed.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many processes.",
)
@click.option(
    "--scheduler", default="", metavar="ADDRESS", help="Replay on a Dask cluster."
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print a JSON object for each line.",
)
def replay_command(
    files: tuple[str, ...], at_least: int, jobs: int, scheduler: str, as_json: bool
) -> None:
    """Check traces, logs and mini-deals, gzipped or not; `-` is standard input.

    The output is the same for any number of jobs, and on a cluster.
    """
    finish_unread()
    passed = failed = changed = 0
    ending = ExitCode()
    complaints = Complaints(every=as_json)
    lines = chain.from_iterable(map(numbered_lines, files))
    at_work = max(jobs, CLUSTER) if scheduler else jobs
    with _workers(jobs, scheduler) as pool:
        for batch in replay_lines(lines, as_json, pool, at_work):
            passed += batch.passed
            failed += batch.failed
            changed += batch.changed
            if batch.unreadable:
                ending.codes.add(UNREADABLE)
            click.echo("".join(batch.said), nl=False)
            complaints.tell(batch.complaints)
    complaints.end()
    if failed:
        ending.codes.add(WRONG)
    if passed + failed + changed < at_least:
        ending.codes.add(TOO_FEW)
    if not as_json:
        beside = f", {changed} changed in {CHANGED_IN}" if changed else ""
        click.echo(f"{passed} as expected, {failed} not{beside}")
    ending.leave()


@contextmanager
def _workers(jobs: int, scheduler: str) -> Iterator[Executor | None]:
    """The executor for a run, or None for one local job, which any system can run.

    Ends the command if workers end too early or have a different version of the source.
    """
    if jobs == 1 and not scheduler:
        yield None
        return
    if not hasattr(signal, "SIGHUP"):
        raise click.ClickException("replay with workers needs Linux or macOS")
    from refengine.jobs import executors  # late: the system may lack it

    try:
        with executors.open_executor(jobs, scheduler) as pool:
            yield pool
    except executors.LostWorkerError:
        click.echo("refengine: workers ended before their time", err=True)
        raise click.exceptions.Exit(NOT_TO_THE_END) from None
    except executors.OtherSourceError as error:
        click.echo(f"refengine: {error}", err=True)
        raise click.exceptions.Exit(NOT_TO_THE_END) from None
