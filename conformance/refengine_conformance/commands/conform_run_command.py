"""`refengine conform run`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final

import attrs
import click

from refengine.cli.colours import report_in_colours
from refengine.cli.screen import in_colours
from refengine.cli.shared import NamedPath
from refengine.cli.streams import print_text
from refengine.errors import Malformed, unusable_file
from refengine.exit_codes import first_code
from refengine.formats.files_to_write import check_new, check_written
from refengine.jobs.progress import progress_bar
from refengine.jobs.unread_output import finish_unread
from refengine.rulings.words import list_words
from refengine_conformance.commands.log_option import log_option
from refengine_conformance.commands.seconds import seconds_option
from refengine_conformance.commands.table_flags import table_flags
from refengine_conformance.diagnosis import examples
from refengine_conformance.diagnosis.example_files import (
    check_folder,
    folder_of_table,
    write_games,
)
from refengine_conformance.diagnosis.run_inference import with_inference
from refengine_conformance.diagnosis.shrinking import SECONDS
from refengine_conformance.report.findings import findings_of_run
from refengine_conformance.report.reports import FORMATS, read_target, write_report
from refengine_conformance.runner.conversation_log import log_file
from refengine_conformance.runner.driver import CannotRunError
from refengine_conformance.runner.known_failures import (
    Entry,
    read_known,
    write_known,
)
from refengine_conformance.runner.results import Limits
from refengine_conformance.runner.run_time import RunTime
from refengine_conformance.runner.runner import (
    WAYS,
    Settings,
    run,
    run_not_begun,
    run_stopped_at_hello,
)
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import (
    CORPUS,
    TIERS,
    Choice,
    Selection,
    beside_corpus,
    of_paths,
)
from refengine_conformance.runner.table import Table
from refengine_conformance.runner.table_figures import TableFigures
from refengine_conformance.tables.case_set import CaseSet, case_set
from refengine_conformance.tables.table_run import (
    run_at_table,
    select_games,
    tables_in_hello,
    without_others,
)
from refengine_conformance.tables.typed_table import TableFlags

_LIMITS: Final = Limits()
_FEW: Final = 3  # sentences on standard error where no report is printed
_SHRINKING: Final = 0.6  # of the time that is left, the rest of it for inference


@click.command("run")
@table_flags
@click.option(
    "--tier",
    type=click.Choice(TIERS),
    help="The published corpus, whatever tables the adapter declares: smoke takes "
    "seconds, core includes it and takes a minute.",
)
@click.option("--clause", default="", help="Only traces in which this clause bears.")
@click.option("--trace", "traces", multiple=True, help="Only this id; repeatable.")
@click.option(
    "--corpus",
    "files",
    multiple=True,
    type=NamedPath(path_type=Path),
    help="A file of traces, or the folder of a corpus, instead of the bundled one.",
)
@click.option(
    "--at-least",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Fail if fewer of the clauses that can be asked at the table were asked.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="How many adapters are asked at a time.",
)
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
    type=NamedPath(path_type=Path),
    help="A file of known failures, each with its reason and expiry.",
)
@click.option(
    "--write-known",
    type=NamedPath(path_type=Path),
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
    type=click.Choice(("auto", *FORMATS, "none")),
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
    type=NamedPath(path_type=Path),
    default=Path("counterexamples"),
    show_default=True,
    help="The folder for these games, one file for each clause.",
)
@seconds_option("--limit-op", _LIMITS.op, "Seconds for a request.")
@seconds_option("--limit-batch", _LIMITS.batch, "Seconds for replay and enumerate.")
@seconds_option("--limit-hello", _LIMITS.hello, "Seconds for hello.")
@seconds_option("--limit-shrink", SECONDS, "Seconds to shrink the game of a clause.")
@seconds_option(
    "--limit-run", None, "Seconds for the whole run; by default without end."
)
@log_option
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def conform_run_command(
    flags: TableFlags,
    tier: str | None,
    clause: str,
    traces: tuple[str, ...],
    files: tuple[Path, ...],
    at_least: float | None,
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
    """Test an adapter with the games of a table, or with the published corpus.

    The table is what the table flags say (--profile, --players, --option, --hands,
    --starts, --needs-card, --pack, --seed); without them, each of those that the
    adapter declares. With --tier or --scheduler, or where there is no table, the games
    are those of the published corpus; with --corpus, those of the files named. There,
    --profile only filters (by its base, if it is a club's file).

    COMMAND is the adapter and its arguments, after `--`; or builtin:reference, or
    builtin:mutant:ID, to see what success and failure look like.
    """
    finish_unread()
    time = RunTime.from_now(limit_run)
    targets = [read_target(given) for given in reports]
    new = "" if write_known is None else str(write_known)
    inputs = [str(one) for one in (*files, known, flags.profile) if one]
    written = [("--log", log_file()), ("--write-known", new)]
    written += [("--report", file) for _, file in targets]
    check_written([one for one in written if one[1]], inputs, command)
    check_new(new, "--write-known")
    entries = read_known(known) if known is not None else ()
    published = _published(tier, files, scheduler)
    flags.check_beside(published)
    if shrink:
        check_folder(folder)
    # The cluster alone asks for the corpus; without it, "again" has to say so.
    named = tier or (TIERS[-1] if scheduler and not files else "")
    source = ("--tier", named) if named else ()
    settings = Settings(
        command=command,
        limits=attrs.evolve(_LIMITS, op=limit_op, batch=limit_batch, hello=limit_hello),
        jobs=jobs,
        scheduler=scheduler,
        ways=ways,
        source=(*source, *(word for file in files for word in ("--corpus", str(file)))),
        time=time.asking,
    )
    choice = Choice(tier=tier or TIERS[-1], clause=clause, traces=traces)
    asking = _Asking(settings, choice, entries, at_least)
    found: list[Run] = []
    missing = {*traces}
    unwritten: list[Malformed] = []
    made = asking.corpus(flags, files) if published else asking.tables(flags)
    for place, (one, selection) in enumerate(made):
        missing -= {line.id for line in selection.lines}
        missing -= {case.trace for case in one.cases}  # those beside them, too
        if shrink:
            own = time.share(_SHRINKING) if infer and time.limited else time
            bounds = examples.Bounds(seconds=limit_shrink, time=own)
            with progress_bar("clauses not kept", len(one.groups)) as advance:
                one = examples.with_examples(one, jobs, bounds, advance)
            one = write_games(one, folder_of_table(folder, place))
        if infer:
            one = with_inference(one, selection, time=time)
        for name, file in targets:
            with _told_last(unwritten):
                write_report(one, name, _numbered(file, place), print_text)
        found.append(one)
    if new:
        with _told_last(unwritten):
            _write_known(found, Path(new))
    for one in found:
        _show(one, shown)
    if missing and not any(one.stopped for one in found):
        names = list_words(sorted(missing), "or")
        told = f"refengine: --trace: none of the games asked is {names}"
        click.echo(told, err=True)
    if unwritten:
        raise unwritten[0]
    raise click.exceptions.Exit(first_code({one.exit_code for one in found}))


def _published(tier: str | None, files: tuple[Path, ...], scheduler: str) -> str:
    """The option that asks for the published corpus; empty if none does."""
    given = {"--tier": tier, "--corpus": files, "--scheduler": scheduler}
    return next((name for name, there in given.items() if there), "")


@attrs.frozen
class _Asking:
    """What is asked of an adapter, table by table; yields runs and their games."""

    settings: Settings
    choice: Choice
    known: tuple[Entry, ...]
    at_least: float | None

    def corpus(
        self, flags: TableFlags, files: tuple[Path, ...] = ()
    ) -> Iterator[tuple[Run, Selection]]:
        """The published corpus, or these files."""
        if self.at_least is not None:
            allowed = "a table: table flags, or tables in hello"
            raise Malformed("no table", allowed, "--at-least")
        choice = attrs.evolve(self.choice, profile=flags.base)
        selection, published = _selection(files, choice)
        with progress_bar("traces", len(selection.lines)) as advance:
            chosen = choice.fields(published)
            found = run(selection, self.settings, chosen, self.known, advance=advance)
        yield found, selection

    def tables(self, flags: TableFlags) -> Iterator[tuple[Run, Selection]]:
        """The table of the command line, or those of `hello`, or else the corpus."""
        if flags.names_table:
            tables: tuple[Table, ...] = (flags.table(),)
        else:
            try:
                settings = self.settings
                tables = tables_in_hello(
                    settings.command, settings.limits, settings.time
                )
            except Malformed as wrong:
                yield run_stopped_at_hello(self.settings, wrong), Selection(())
                return
            except CannotRunError as error:
                selection, _ = _selection((), self.choice)
                chosen = self.choice.fields(True)
                yield (
                    run_not_begun(selection, self.settings, error, chosen, self.known),
                    selection,
                )
                return
        if not tables and flags.given:
            tables = (flags.table(),)
        if not tables:
            yield from self.corpus(flags)
            return
        sets = [case_set(table, flags.seed) for table in tables]
        for place, (table, found) in enumerate(zip(tables, sets, strict=True)):
            others = (one for at, one in enumerate(sets) if at != place)
            yield self._table(table, flags.seed, found, others)

    def _table(
        self, table: Table, seed: int, found: CaseSet, others: Iterable[CaseSet]
    ) -> tuple[Run, Selection]:
        selection = select_games(found, self.choice)
        figures = TableFigures(table=table, seed=seed, least=self.at_least)
        with progress_bar("games", len(selection.lines)) as advance:
            made = run_at_table(
                figures,
                found,
                selection,
                self.settings,
                chosen=self.choice.fields(False),
                known=without_others(self.known, found, others),
                advance=advance,
            )
        return made, selection


def _numbered(file: str, place: int) -> str:
    """The file of a report, with the number of the table from the second on."""
    if not place or file == "-":
        return file
    path = Path(file)
    return str(path.with_name(f"{path.stem}-{place + 1}{path.suffix}"))


def _selection(files: tuple[Path, ...], choice: Choice) -> tuple[Selection, bool]:
    """The traces asked for, and whether they are those of a published corpus."""
    found, published = of_paths(files or (CORPUS,), choice)
    beside = {} if files else beside_corpus(choice)
    return attrs.evolve(found, beside=beside), published


@contextmanager
def _told_last(unwritten: list[Malformed]) -> Iterator[None]:
    """Put off an error until the run is shown: what it found must not be lost."""
    try:
        yield
    except Malformed as error:
        unwritten.append(error)


def _write_known(found: list[Run], path: Path) -> None:
    cases = tuple(case for one in found for case in one.cases)
    try:
        path.write_bytes(write_known(cases, date.today()))
    except OSError as error:
        raise unusable_file(error, "written", str(path)) from None


def _show(found: Run, shown: str) -> None:
    if shown == "auto":
        shown = "text" if sys.stdout.isatty() else "jsonl"
    if shown == "none":
        for said in (found.stopped, *found.unreadable[:_FEW], found.unwritten):
            if said:
                click.echo(f"refengine: {said}", err=True)
        return
    printed = FORMATS[shown](found)
    if shown == "text" and in_colours():
        headings = [one.heading for one in findings_of_run(found)]
        printed = report_in_colours(printed, headings, not found.exit_code)
    print_text(printed)
