"""The command line: `refengine COMMAND`, and the exit codes of every command.

0 all well; 1 something judged is wrong; 2 an adapter or a worker could not be run to
the end; 3 usage, format or unreadable input; 4 fewer cases than promised; 70 a fault of
ours; 130 interrupted.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any, Protocol

import attrs
import click

import refengine
from refengine.cli import (
    conform_commands,
    conform_tools,
    judge_commands,
    ruling_commands,
    trace_commands,
)
from refengine.cli.shared import (
    INTERRUPTED,
    NOT_RUN,
    OUR_FAULT,
    UNREADABLE,
    WRONG,
    json_option,
    print_json,
    ruleset_of,
    ruleset_options,
)
from refengine.cli.terminal_match import play_match
from refengine.errors import Malformed
from refengine.game.rulesets import checked_rules, values_of
from refengine.game.verdicts import Refused
from refengine.lawbook import book
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.profiles import Profile, profile, profile_names, profile_of_toml
from refengine_conformance.jobs.progress import progress


class Report(Protocol):
    """What every comparison hands over to be printed."""

    @property
    def disagreements(self) -> tuple[object, ...]:
        """All that was found wrong."""

    def lines(self) -> list[str]:
        """The report for a terminal."""

    def fields(self) -> dict[str, Any]:
        """The report as plain JSON values."""


class Commands(click.Group):
    """A group whose failures end with the exit codes above, never with a traceback."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line and leave with its exit code."""
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
        except click.Abort:
            code = INTERRUPTED
        except click.ClickException as error:
            click.echo(f"refengine: {error.format_message()}", err=True)
            code = UNREADABLE
        except (Malformed, Refused, OSError) as error:
            click.echo(f"refengine: {error}", err=True)
            code = UNREADABLE
        except Exception as error:  # whatever is left is a fault of ours
            click.echo(
                f"refengine: a fault of ours, please report it: {error!r}", err=True
            )
            code = OUR_FAULT
        sys.exit(code if isinstance(code, int) else 0)


def version_line() -> str:
    """Which refengine this is, how it runs, and the edition of the book it follows."""
    version, mode = book.registry()["version"], refengine.__mode__
    if mode == "interpreted":
        mode = f"interpreted: {_why_interpreted()}"
    return f"refengine {refengine.__version__} ({mode}), HFR {version}"


def _why_interpreted() -> str:
    """What the build noted where it did not compile; a checkout has no such note."""
    note = Path(refengine.__file__).with_name("interpreted.txt")
    return note.read_text("utf-8").strip() if note.exists() else "from source"


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(message=version_line(), prog_name="refengine", version="")
def main() -> None:
    """The rules of Hearts and Domino Hearts: look up, play, check."""


@main.command()
@json_option
def profiles(as_json: bool) -> None:
    """List the profiles: the named rulesets of the book."""
    found = [profile(name) for name in profile_names()]
    if as_json:
        print_json([_profile_fields(one) for one in found])
        return
    for one in found:
        players = _span(one.players)
        click.echo(f"{one.name:18} {players:>5} players  {one.title}")


def _span(numbers: tuple[int, ...]) -> str:
    first, last = min(numbers), max(numbers)
    return str(first) if first == last else f"{first}-{last}"


def _profile_fields(one: Profile) -> dict[str, Any]:
    return {**attrs.asdict(one, recurse=False), "options": dict(one.options)}


@main.command("profile")
@click.argument("name")
@click.option("--check", is_flag=True, help="Check it, a name or a file.")
@json_option
def profile_command(name: str, check: bool, as_json: bool) -> None:
    """Show one profile: each option, its value, whether it has an effect, its clauses.

    NAME is the name of a profile, or a file in the form of spec/profiles.
    """
    path = Path(name)
    is_file = path.suffix == ".toml"
    one = profile_of_toml(path.read_text("utf-8")) if is_file else profile(name)
    if check:
        _check_profile(one)
        return
    if as_json:
        print_json(_profile_fields(one))
        return
    idle = {option.name for option in OPTIONS if not option.bites(one.options)}
    click.echo(f"{one.title} ({one.name}), {_span(one.players)} players\n{one.summary}")
    for option in OPTIONS:
        value = json.dumps(one.options[option.name], default=list)
        note = "no effect here" if option.name in idle else ""
        note = "our ruling" if option.name in one.rulings else note
        numbers = " ".join(_clauses_reading(option.name))
        click.echo(f"  {option.name:24} {value:42} {note:15} {numbers}".rstrip())


def _clauses_reading(option: str) -> list[str]:
    return [
        number for number, clause in book.clauses().items() if option in clause.options
    ]


def _check_profile(one: Profile) -> None:
    """Make a ruleset for every number of players; a refusal is raised."""
    for players in one.players:
        checked_rules(one, players, one.options)
    kitty = [number for number in one.players_with_kitty if number not in one.players]
    for players in kitty:
        checked_rules(one, players, values_of(one, {"undealt": "kitty"}))
    click.echo(
        f"{one.name}: {len(OPTIONS)} options, {_span(one.players)} players, well"
    )


@main.command()
@click.argument("number")
@json_option
def rule(number: str, as_json: bool) -> None:
    """Show a clause of the book by its number, such as 5.3."""
    clause = book.clause(number)
    if as_json:
        print_json(attrs.asdict(clause))
        return
    click.echo(f"{clause.number} {clause.title}  [{clause.kind}]\n\n{clause.text}")
    for line in clause.formal:
        click.echo(f"\n    {line}")
    if clause.ruling:
        click.echo(f"\nRuling: {clause.ruling}")
    rows = (
        ("options", clause.options),
        ("sources", clause.sources),
        ("bites in", clause.bites),
        ("code", clause.functions),
    )
    click.echo()
    for name, values in rows:
        if values:
            click.echo(f"{name}: {', '.join(values)}")
    version = book.registry()["version"]
    click.echo(f"cite as: HFR {clause.number}@{version}~{clause.fingerprint}")


@main.command()
@ruleset_options
@click.option("--seed", type=int, default=1, show_default=True, help="For the cards.")
@click.option("--human", "humans", type=int, multiple=True, help="A seat you play.")
@click.option("--deals", type=int, help="Stop after this many deals.")
@json_option
def play(
    profile: str,
    players: int | None,
    options: tuple[str, ...],
    seed: int,
    humans: tuple[int, ...],
    deals: int | None,
    as_json: bool,
) -> None:
    """Play a match of random or human seats, every refusal explained by its clause."""
    ruleset = ruleset_of(profile, players, options)
    for seat in humans:
        if not 0 <= seat < ruleset.players:
            raise Malformed(f"seat {seat}", f"0 to {ruleset.players - 1}", "--human")
    say = (lambda line: None) if as_json else click.echo
    state = play_match(ruleset, Random(seed), frozenset(humans), deals, say, _ask)
    if as_json:
        print_json(
            {
                "ruleset": {
                    "profile": ruleset.profile,
                    "players": ruleset.players,
                    "options": ruleset.changed,
                },
                "deals": state.deal if state.over else state.deal - 1,
                "totals": state.totals,
                "winners": state.winners or (),
            }
        )


def _ask(question: str) -> str:
    answer: str = click.prompt(question, prompt_suffix=" ")
    return answer


@main.group(cls=click.Group)
def conform() -> None:
    """Check engines against the book."""


def report_out(report: Report, as_json: bool) -> int:
    """The exit code for a report, which is printed."""
    if as_json:
        print_json(report.fields())
    else:
        click.echo("\n".join(report.lines()))
    return WRONG if report.disagreements else 0


def book_report_out(hands: int, as_json: bool) -> int:
    """The exit code of the book's own check."""
    from refengine_conformance.lawbook_checks.book_check import book_report

    return report_out(book_report(hands), as_json)


def bundled_report_out(as_json: bool) -> int:
    """The exit code of replaying the bundled traces."""
    from refengine_conformance.corpus_tools.bundled import bundled_lines, bundled_report

    with progress("traces", sum(1 for _ in bundled_lines())) as moved:
        report = bundled_report(moved)
    return report_out(report, as_json)


def openspiel_report_out(deals: int, seed: int, jobs: int, as_json: bool) -> int:
    """The exit code of the comparison with OpenSpiel, 2 where it is not installed."""
    from refengine_conformance.openspiel.lockstep import lockstep
    from refengine_conformance.openspiel.one_deal import NotInstalled

    try:
        with progress("deals", deals) as moved:
            report = lockstep(deals, seed, moved, jobs)
    except NotInstalled as missing:
        click.echo(f"refengine: {missing}", err=True)
        return NOT_RUN
    return report_out(report, as_json)


@conform.command("book")
@click.option("--hands", type=click.IntRange(1), default=5000, show_default=True)
@json_option
def book_command(hands: int, as_json: bool) -> None:
    """Run the book's formal lines and example tables against the engine."""
    raise click.exceptions.Exit(book_report_out(hands, as_json))


@conform.command()
@json_option
def bundled(as_json: bool) -> None:
    """Replay every bundled trace, log and mini-deal."""
    raise click.exceptions.Exit(bundled_report_out(as_json))


def deals_options(command: Any) -> Any:
    """The command with the options of the comparison with OpenSpiel."""
    number = click.IntRange(1)
    for decorator in (
        click.option("--jobs", type=number, default=1, show_default=True),
        click.option("--seed", type=int, default=2026, show_default=True),
        click.option("--deals", type=number, default=1000, show_default=True),
    ):
        command = decorator(command)
    return command


@conform.command()
@deals_options
@json_option
def openspiel(deals: int, seed: int, jobs: int, as_json: bool) -> None:
    """Run our engine and OpenSpiel's Hearts side by side, deal after deal."""
    raise click.exceptions.Exit(openspiel_report_out(deals, seed, jobs, as_json))


@conform.command("all")
@deals_options
def conform_all(deals: int, seed: int, jobs: int) -> None:
    """Do everything that `make conform` does, with a summary to read.

    Where OpenSpiel is not installed the rest still counts.
    """
    click.echo(version_line())
    codes = [book_report_out(5000, False)]
    click.echo()
    codes.append(bundled_report_out(False))
    click.echo()
    codes.append(openspiel_report_out(deals, seed, jobs, False))
    codes = [code for code in codes if code != NOT_RUN]
    click.echo("\nall well" if not any(codes) else "\nnot all is well, see above")
    raise click.exceptions.Exit(max(codes))


trace_commands.register(main)
ruling_commands.register(main)
judge_commands.register(main)
conform_commands.register(conform)
conform_tools.register(conform)
main.add_command(conform_commands.adapter)
main.add_command(conform_commands.matrix)
