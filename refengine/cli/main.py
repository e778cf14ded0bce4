"""The command line: `refengine COMMAND`, which ends with a code from `exit_codes`."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

import click

import refengine
from refengine.cli.late_group import LateGroup
from refengine.cli.screen import fit_to_window, has_colours
from refengine.cli.streams import check_output, discard_output, is_out_of_room
from refengine.cli.usage_examples import said_of_missing
from refengine.errors import Malformed, harmless
from refengine.exit_codes import INTERRUPTED, OUR_FAULT, UNREADABLE
from refengine.game.verdicts import Refused
from refengine.jobs.unread_output import unread_output
from refengine.lawbook import book

_NO_COLOR: Final = "--no-color"


class Commands(LateGroup):
    """A group whose failures end with a code from `exit_codes`, never a traceback."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line and leave with its exit code."""
        with unread_output():
            code = self._code(*args, **extra)
        sys.exit(code)

    def _code(self, *args: Any, **extra: Any) -> int:
        """Run the command line, and return its exit code."""
        extra["standalone_mode"] = False
        try:
            check_output()
            fit_to_window()
            given, extra["color"] = _without_colour(
                args[0] if args else extra.pop("args", None)
            )
            if given[:1] == ["help"]:
                given = [*given[1:], "--help"]
            _check_help(given)
            with _unwinding():
                code = super().main(given, *args[1:], **extra)
                sys.stdout.flush()  # here, where a full disk gets its own message
        except click.Abort:
            return INTERRUPTED
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            return UNREADABLE
        except click.ClickException as error:
            return _failed(_said_by_click(error))
        except (Malformed, Refused) as error:
            return _failed(str(error))
        except OSError as error:
            if is_out_of_room(error):
                discard_output()
                return _failed(f"output is lost: {error.strerror}")
            return _failed(_said_of_file(error))
        except Exception as error:  # anything else is a bug in refengine
            return _failed(f"an internal error, please report it: {error!r}", OUR_FAULT)
        return code if isinstance(code, int) else 0


def _failed(said: str, code: int = UNREADABLE) -> int:
    """Print this error message, and return the exit code."""
    click.echo(f"refengine: {harmless(said)}", err=True)
    return code


def _said_by_click(error: click.ClickException) -> str:
    """The message of an error in usage, on one line, with a hint if there is one."""
    told = error.format_message()
    if isinstance(error, click.MissingParameter):
        told = said_of_missing(error)
    # click lists the choices on lines of their own
    return f"{' '.join(told.split())}{_before_adapter(error)}"


def _said_of_file(error: OSError) -> str:
    """What the system says about a file, without the error number that Python shows."""
    place = "" if error.filename is None else f"{error.filename}: "
    why = error.strerror or str(error)
    return f"{place}{why[:1].lower()}{why[1:]}"


def _check_help(given: Sequence[str]) -> None:
    """Raise Malformed if help is to be shown but Python has dropped the docstrings."""
    own = [*takewhile(lambda word: word != "--", given)]
    wanted = not {"-h", "--help"}.isdisjoint(own) or own in ([], ["conform"])
    if wanted and sys.flags.optimize > 1:
        why = "Python leaves out the text of the help under -OO or PYTHONOPTIMIZE=2"
        raise Malformed(f"{why}: run it without", "")


def _before_adapter(error: click.ClickException) -> str:
    """A hint to add to an error if an option may have been meant for an adapter.

    Empty for any error but an unknown option.
    """
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return ""
    if not any(one.name == "command" for one in error.ctx.command.params):
        return ""
    return f" The adapter's own come after --: {error.ctx.command_path} -- COMMAND"


def _without_colour(given: Sequence[str] | None) -> tuple[list[str], bool]:
    """The words of a command line without --no-color, and whether colours are wanted.

    The flag may be anywhere before `--`; what follows `--` is another command.
    """
    words = [*(sys.argv[1:] if given is None else given)]
    own = words.index("--") if "--" in words else len(words)
    if _NO_COLOR not in words[:own]:
        return words, has_colours()
    return [one for one in words[:own] if one != _NO_COLOR] + words[own:], False


def _unwinding() -> AbstractContextManager[None]:
    """A context in which a signal that ends a run lets the program clean up first.

    It does nothing on a system without these signals.
    """
    if not hasattr(signal, "SIGHUP"):  # Windows, where Python's own handling has to do
        return nullcontext()
    from refengine.jobs.signals import unwinding

    return unwinding()


def version_line() -> str:
    """The version of refengine, how it runs, and which editions of the book it holds.

    An example is `refengine 0.2.0 (compiled), HFR 1.1.0 (editions 1.0.0, 1.1.0)`. The
    version after `HFR` is that of the current book, which is a draft until it is
    published, and the editions are those that have been published.
    """
    # Imported only now: most commands need no edition.
    from refengine.lawbook.editions import EDITIONS, is_draft

    version, mode = book.version(), refengine.__mode__
    how = f"interpreted: {_why_interpreted()}" if mode == "interpreted" else mode
    held = f"editions {', '.join(EDITIONS)}"
    if is_draft(version):
        held = f"draft; {held}"
    return f"refengine {refengine.__version__} ({how}), HFR {version} ({held})"


def _why_interpreted() -> str:
    """Why the build did not compile, or `from source` for a checkout."""
    note = Path(refengine.__file__).with_name("interpreted.txt")
    return note.read_text("utf-8").strip() if note.exists() else "from source"


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version and end the command, unless a shell is only completing it."""
    if wanted and not context.resilient_parsing:
        click.echo(version_line())
        context.exit()


# All commands, by who wants them, in the order in which help shows them; `_command`
# finds each of them.
SECTIONS: Final = {
    "At the table": {
        "rule": "A clause of the book, by its number or in your own words.",
        "search": "Find the clause for what happened, in your own words.",
        "explain": "A ruling: may this be played, who pays, is it over?",
        "judge": "The first illegal act and the wrong scores of a game.",
        "scores": "Whether a score sheet can be right, row by row.",
        "irregularities": "What happens when somebody fails to follow suit.",
        "profiles": "The games, and what people call them.",
        "profile": "One game: each house rule, its value and its clauses.",
        "diff": "Two games side by side, each difference in a short deal.",
        "house-rules": "The house rules of a table on one page.",
        "cite": "What a citation refers to, and whether it still holds.",
        "play": "A match in the terminal.",
    },
    "An engine of your own": {
        "adapter": "Write the skeleton of an adapter for your engine.",
        "conform": "Test an engine against the book: `conform run` and others.",
        "matrix": "How strong the evidence for each clause is.",
    },
    "Games in files": {
        "generate": "Write games of random legal play as traces.",
        "replay": "Check traces, logs and mini-deals against the rules.",
        "show": "Print games as people write them down.",
        "annotate": "Add the verdict on every card of the hand to every play.",
        "stamp": "Give each line that was edited its right id.",
        "enumerate": "Count all games of small deals.",
        "convert": "Turn other programs' games into traces or written games.",
        "schema": "Print the JSON Schema of a format.",
        "serve": "Speak the adapter protocol on standard input and output.",
    },
}


def _command(name: str) -> click.Command | None:
    """The command with this name, imported now; None if there is none."""
    match name:
        case "annotate":
            from refengine.cli.annotate_command import annotate_command as found
        case "cite":
            from refengine.cli.cite_command import cite_command as found
        case "convert":
            from refengine.cli.convert_command import convert_command as found
        case "diff":
            from refengine.cli.diff_command import diff_command as found
        case "enumerate":
            from refengine.cli.enumerate_command import enumerate_command as found
        case "explain":
            from refengine.cli.explain_command import explain_command as found
        case "generate":
            from refengine.cli.generate_command import generate_command as found
        case "house-rules":
            from refengine.cli.house_rules_command import house_rules_command as found
        case "irregularities":
            from refengine.cli.irregularities_command import (
                irregularities_command as found,
            )
        case "judge":
            from refengine.cli.judge_command import judge_command as found
        case "play":
            from refengine.cli.play_command import play_command as found
        case "profile":
            from refengine.cli.profile_command import profile_command as found
        case "profiles":
            from refengine.cli.profiles_command import profiles_command as found
        case "replay":
            from refengine.cli.replay_command import replay_command as found
        case "rule":
            from refengine.cli.rule_command import rule_command as found
        case "schema":
            from refengine.cli.schema_command import schema_command as found
        case "scores":
            from refengine.cli.scores_command import scores_command as found
        case "search":
            from refengine.cli.search_command import search_command as found
        case "serve":
            from refengine.cli.serve_command import serve_command as found
        case "sheet":
            from refengine.cli.house_rules_command import sheet_command as found
        case "show":
            from refengine.cli.show_command import show_command as found
        case "stamp":
            from refengine.cli.stamp_command import stamp_command as found
        case _:
            return _command_of_package(name)
    return found


def _command_of_package(name: str) -> click.Command | None:
    """The command that an installed package adds under this name; None if none does.

    Raises ClickException for a command in SECTIONS whose package is not installed.
    """
    from importlib.metadata import entry_points  # late: slow, and seldom needed

    for entry in entry_points(group="refengine.commands", name=name):
        found = entry.load()
        assert isinstance(found, click.Command)
        return found
    if any(name in rows for rows in SECTIONS.values()):
        raise click.ClickException(
            f"{name} is not installed here: pip install refengine-conform"
        )
    return None


@click.group(
    cls=Commands,
    sections=SECTIONS,
    load=_command,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    "-V",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, the mode and the editions, and exit.",
)
@click.option(
    _NO_COLOR, is_flag=True, expose_value=False, help="Print without colours."
)
def main() -> None:
    """The rules of Hearts and Domino Hearts: look them up, play, check engines."""
