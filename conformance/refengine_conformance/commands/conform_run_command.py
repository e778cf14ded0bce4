"""`refengine conform run`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import attrs
import click

from refengine.cli.colours import report_in_colours
from refengine.cli.screen import in_colours
from refengine.cli.shared import NamedPath
from refengine.cli.streams import print_text
from refengine.errors import Malformed, harmless
from refengine.exit_codes import UNREADABLE, first_code
from refengine.formats.files_to_write import check_new, check_written
from refengine.game.clubs import names_file
from refengine.jobs.progress import progress_bar
from refengine.jobs.unread_output import finish_unread
from refengine.rulings.words import list_words
from refengine_conformance.commands.shared_options import (
    begin_log_of_command,
    log_option,
    print_or_write,
    seconds_option,
    table_flags,
)
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
from refengine_conformance.report.run_in_words import troubles
from refengine_conformance.runner.declared import tables_in_hello
from refengine_conformance.runner.driver import CannotRunError
from refengine_conformance.runner.known_failures import (
    Entry,
    known_failures_text,
    read_known,
    stale_at_tables,
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
    without_others,
)
from refengine_conformance.tables.typed_table import TableFlags

_LIMITS: Final = Limits()
_SHRINKING: Final = 0.6  # share of the time left; the rest is for inference


@click.command("run")
@table_flags
@click.option(
    "--tier",
    type=click.Choice(TIERS),
    help="The published corpus, whatever tables the adapter declares: smoke takes "
    "seconds, core includes it and takes a minute.",
)
@click.option("--clause", default="", help="Only traces that this clause bears on.")
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
    help="Fail if less than this share of the table's clauses was asked about.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="How many adapters run at the same time.",
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
    help="How traces are put to the adapter: act by act, replayed or both; auto is "
    "both for a few.",
)
@click.option(
    "--known",
    type=NamedPath(path_type=Path),
    help="A file of known failures, each with its reason and expiry.",
)
@click.option(
    "--write-known",
    "new_known",
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
@seconds_option("--limit-run", None, "Seconds for the whole run; no limit by default.")
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
    new_known: Path | None,
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
    log: Path | None,
    command: tuple[str, ...],
) -> None:
    """Test an adapter with the games of a table, or with the published corpus.

    The table is the one that the table flags describe (--profile, --players, --option,
    --hands, --starts, --needs-card, --pack, --seed); without them, each table that the
    adapter declares is tested. With --tier or --scheduler, or without any table, the
    games are those of the published corpus; with --corpus, those of the files named.
    With any of these, --profile only filters (by its base, if it is a club's file).

    COMMAND is the adapter and its arguments, after `--`; or builtin:reference, or
    builtin:mutant:ID, to see what success and failure look like.
    """
    finish_unread()
    time = RunTime.from_now(limit_run)
    output = _Output(
        log=log,
        new_known=new_known,
        reports=[read_target(given) for given in reports],
        inputs=_files_read(files, known, flags.profile),
        command=command,
    )
    output.check()
    entries = read_known(known) if known is not None else ()
    corpus_flag = _flag_of_corpus(tier, files, scheduler)
    flags.check_beside(corpus_flag)
    if shrink:
        check_folder(folder)
    settings = Settings(
        command=command,
        limits=attrs.evolve(_LIMITS, op=limit_op, batch=limit_batch, hello=limit_hello),
        jobs=jobs,
        scheduler=scheduler,
        ways=ways,
        source=_source(tier, files, scheduler),
        time=time.asking,
    )
    choice = Choice(tier=tier or TIERS[-1], clause=clause, traces=traces)
    asking = _Asking(settings, choice, entries, at_least, log)
    diagnosis = _Diagnosis(
        folder=folder if shrink else None,
        seconds=limit_shrink,
        jobs=jobs,
        infer=infer,
        time=time,
    )
    # Every table is tested before any time goes into the diagnosis of the first.
    made = [*(asking.corpus(flags, files) if corpus_flag else asking.tables(flags))]
    found: list[Run] = []
    for place, (asked, selection) in enumerate(made):
        found.append(diagnosis.of_run(asked, selection, place))
        output.write_reports(found[-1], place)
    output.write_known(found)
    for one in found:
        _show(one, shown)
    _warn_of_unasked(traces, made)
    for error in output.unwritten:
        click.echo(f"refengine: {harmless(str(error))}", err=True)
    codes = {one.exit_code for one in found}
    if output.unwritten:
        codes.add(UNREADABLE)
    raise click.exceptions.Exit(first_code(codes))


@attrs.frozen(kw_only=True)
class _Output:
    """The files that a run writes, none of which it may read.

    It reads `inputs`, and any files that the words of `command` name.
    `reports` pairs the format of each report with its file. `unwritten` collects the
    errors about files that could not be written: the command shows the run first and
    reports these errors afterwards, so that no result is lost.
    """

    log: Path | None
    new_known: Path | None
    reports: list[tuple[str, str]]
    inputs: list[str]
    command: tuple[str, ...]
    unwritten: list[Malformed] = attrs.field(factory=list, init=False)

    def check(self) -> None:
        """Raise Malformed if one of the files cannot be written, or must not be."""
        check_written(self._written(), self.inputs, self.command)
        if self.new_known is not None:
            check_new(str(self.new_known), "--write-known")

    def _written(self) -> list[tuple[str, str]]:
        """The files to write, with their flags; not the reports on further tables."""
        files = {"--log": self.log, "--write-known": self.new_known}
        return [
            *((flag, str(path)) for flag, path in files.items() if path is not None),
            *(("--report", file) for _, file in self.reports),
        ]

    def write_reports(self, found: Run, place: int) -> None:
        """Write all reports on a run, whose table has this number, counted from 0."""
        for name, file in self.reports:
            own = _numbered(file, place)
            try:
                if own != file:
                    written = [*self._written(), ("--report", own)]
                    check_written(written, self.inputs, self.command)
                write_report(found, name, own, print_text)
            except Malformed as error:
                self.unwritten.append(error)

    def write_known(self, found: Iterable[Run]) -> None:
        """Write the failures of these runs as known ones, if a file is given."""
        if self.new_known is None:
            return
        cases = tuple(case for one in found for case in one.cases)
        try:
            known = known_failures_text(cases, date.today())
            print_or_write(str(self.new_known), known)
        except Malformed as error:
            self.unwritten.append(error)


def _files_read(
    files: Iterable[Path], known: Path | None, profile: str | None
) -> list[str]:
    """The names of the files and folders that this run is told to read.

    They include the file of a club's profile if `profile` names one.
    """
    club = profile if profile and names_file(profile) else None
    return [str(one) for one in (*files, known, club) if one]


def _flag_of_corpus(tier: str | None, files: tuple[Path, ...], scheduler: str) -> str:
    """The first of these options that was given; the empty string if none was.

    Each of them selects games from a corpus rather than those of a table.
    """
    values = {"--tier": tier, "--corpus": files, "--scheduler": scheduler}
    return next((name for name, value in values.items() if value), "")


def _source(
    tier: str | None, files: tuple[Path, ...], scheduler: str
) -> tuple[str, ...]:
    """The options with which a report says how to select the games of this run again.

    `--scheduler` alone selects the corpus; the report leaves it out and names the tier.
    """
    named = tier or (TIERS[-1] if scheduler and not files else "")
    of_files = (word for file in files for word in ("--corpus", str(file)))
    return (*(("--tier", named) if named else ()), *of_files)


def _warn_of_unasked(
    traces: Iterable[str], made: Iterable[tuple[Run, Selection]]
) -> None:
    """Say which of the traces asked for are not among the games of these runs.

    If a run was stopped, nothing is said, since it may not have come to them.
    """
    missing = {*traces}
    for asked, selection in made:
        if asked.stopped:
            return
        missing -= {line.id for line in selection.lines}
        missing -= {case.trace for case in asked.cases}  # including the lines `beside`
    if missing:
        names = list_words(sorted(missing), "or")
        told = f"refengine: --trace: none of the games asked is {names}"
        click.echo(harmless(told), err=True)


@attrs.frozen
class _Asking:
    """How to test an adapter; `corpus` and `tables` yield runs with their games.

    `known` are the known failures, `at_least` is the percentage of the clauses of a
    table that must be asked about, and the conversations are written to the file `log`.
    """

    settings: Settings
    choice: Choice
    known: tuple[Entry, ...]
    at_least: float | None
    log: Path | None

    def corpus(
        self, flags: TableFlags, files: tuple[Path, ...] = ()
    ) -> Iterator[tuple[Run, Selection]]:
        """Run the adapter on the published corpus, or on `files`, and yield the run.

        Raises Malformed if `at_least` is given: it is the share of a table's clauses
        that must be tested, and without a table, there is no such share.
        """
        if self.at_least is not None:
            allowed = "a table: table flags, or tables in hello"
            raise Malformed("no table", allowed, "--at-least")
        choice = attrs.evolve(self.choice, profile=flags.base)
        selection, published = _selection(files, choice)
        begin_log_of_command(self.log)
        with progress_bar("traces", len(selection.lines)) as advance:
            chosen = choice.fields(published)
            found = run(selection, self.settings, chosen, self.known, advance=advance)
        yield found, selection

    def tables(self, flags: TableFlags) -> Iterator[tuple[Run, Selection]]:
        """Run the adapter at its tables, and yield each run.

        The table is the one described on the command line; if there is none, the tables
        are those that the adapter declares in its answer to `hello`. If it declares
        none, there is a single run, on the published corpus. If the adapter cannot be
        asked for its tables, or declares one that cannot exist, there is a single run
        that says why.
        """
        settings = self.settings
        if flags.names_table:
            tables: tuple[Table, ...] = (flags.table(),)
            begin_log_of_command(self.log)
        else:
            begin_log_of_command(self.log)
            try:
                tables = tables_in_hello(
                    settings.command, settings.limits, settings.time
                )
            except Malformed as wrong:
                yield run_stopped_at_hello(settings, wrong), Selection(())
                return
            except CannotRunError as error:
                selection, _ = _selection((), self.choice)
                chosen = self.choice.fields(True)
                made = run_not_begun(selection, settings, error, chosen, self.known)
                yield made, selection
                return
        if not tables and flags.given:
            tables = (flags.table(),)
        if not tables:
            yield from self.corpus(flags)
            return
        yield from self._at_tables(tables, flags.seed)

    def _at_tables(
        self, tables: Sequence[Table], seed: int
    ) -> Iterator[tuple[Run, Selection]]:
        """Run the adapter at each of these tables, and yield the runs.

        A known failure of a clause is reported as stale only if it is so at all tables.
        """
        sets = [case_set(table, seed) for table in tables]
        found = []
        for place, (table, games) in enumerate(zip(tables, sets, strict=True)):
            others = (*sets[:place], *sets[place + 1 :])
            found.append(self._table(table, seed, games, others))
        stale = stale_at_tables([one.stale for one, _ in found], self.known)
        for (one, selection), said in zip(found, stale, strict=True):
            yield attrs.evolve(one, stale=said), selection

    def _table(
        self, table: Table, seed: int, games: CaseSet, others: Iterable[CaseSet]
    ) -> tuple[Run, Selection]:
        """Run the adapter at one table, and return the run and the games chosen for it.

        `others` are the games of the other tables.
        """
        selection = select_games(games, self.choice)
        figures = TableFigures(table=table, seed=seed, least=self.at_least)
        with progress_bar("games", len(selection.lines)) as advance:
            made = run_at_table(
                figures,
                games,
                selection,
                self.settings,
                chosen=self.choice.fields(False),
                known=without_others(self.known, games, others),
                advance=advance,
            )
        return made, selection


@attrs.frozen(kw_only=True)
class _Diagnosis:
    """How to look for the causes of the wrong answers in a run.

    The smallest games are written to `folder`, unless it is None; the search for each
    game takes at most `seconds`. If `infer` is true, rules that explain the run are
    sought.
    """

    folder: Path | None
    seconds: float
    jobs: int
    infer: bool
    time: RunTime

    def of_run(self, found: Run, selection: Selection, place: int) -> Run:
        """Return the run with the smallest games found and the rules that explain it.

        `place` is the number of the run's table, counted from 0.
        """
        if self.folder is not None:
            shared = self.infer and self.time.limited
            own = self.time.share(_SHRINKING) if shared else self.time
            bounds = examples.Bounds(seconds=self.seconds, time=own)
            with progress_bar("clauses not kept", len(found.groups)) as advance:
                found = examples.with_examples(found, self.jobs, bounds, advance)
            folder = folder_of_table(self.folder, place)
            found = write_games(found, folder, is_first=not place)
        if self.infer:
            found = with_inference(found, selection, time=self.time)
        return found


def _numbered(file: str, place: int) -> str:
    """The name of the file for the report on table number `place`, counted from 0.

    From the second table on, a number is added to the name. It is not added to the name
    of a pipe or a device, such as `/dev/stdout`, which takes all reports.
    """
    path = Path(file)
    if not place or file == "-" or (path.exists() and not path.is_file()):
        return file
    return str(path.with_name(f"{path.stem}-{place + 1}{path.suffix}"))


def _selection(files: tuple[Path, ...], choice: Choice) -> tuple[Selection, bool]:
    """The games chosen by the user, and whether their corpus has an index."""
    found, published = of_paths(files or (CORPUS,), choice)
    beside = {} if files else beside_corpus(choice)
    return attrs.evolve(found, beside=beside), published


def _show(found: Run, shown: str) -> None:
    """Print a run in the format named by `shown`.

    `auto` means text on a terminal and JSON lines elsewhere; text has colours if the
    terminal has them. `none` prints nothing about the cases; anything else that went
    wrong is printed on standard error.
    """
    if shown == "auto":
        shown = "text" if sys.stdout.isatty() else "jsonl"
    if shown == "none":
        for one in troubles(found):
            click.echo(f"refengine: {one}", err=True)
        return
    printed = FORMATS[shown](found)
    if shown == "text" and in_colours():
        headings = [one.heading for one in findings_of_run(found)]
        printed = report_in_colours(printed, headings, not found.exit_code)
    print_text(printed)
