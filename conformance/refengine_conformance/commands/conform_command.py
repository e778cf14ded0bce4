"""`refengine conform`: the group of commands that check engines.

The commands that produce and measure the evidence for the rules are modules, and each
is run as a process of its own, whose exit code becomes that of the command. This is
because some of them load refengine afresh from its source, which works only in a
process that has not imported it yet.
"""

from __future__ import annotations

import importlib.util
import subprocess
from typing import Final

import attrs
import click

from refengine.cli.late_group import LateGroup
from refengine.exit_codes import UNREADABLE
from refengine.jobs.own_python import own_command, own_environment
from refengine_conformance.data import IN_CHECKOUT
from refengine_conformance.jobs import tool_process
from refengine_conformance.jobs.tool_process import GO_ON, STOP


@attrs.frozen
class Tool:
    """A command that is run as a module of `refengine_conformance`, and what it needs.

    `needs` is a package that only the extra `extra` of refengine-conform installs. If a
    tool is `interpreted`, the rules are loaded from their source, which a wheel also
    contains. A tool that `only_prints` stops as soon as nobody reads its output. A tool
    that is `packed` is also in the wheel; the others need a checkout.
    """

    module: str
    summary: str
    needs: str = ""
    extra: str = ""
    interpreted: bool = False
    only_prints: bool = False
    packed: bool = False


TOOLS: Final = {
    "registry": Tool(
        "lawbook_checks.registry", "Derive the registry of clauses, or --check it."
    ),
    "edition": Tool(
        "lawbook_checks.publishing", "Write an edition of the book, to be published."
    ),
    "profiles-page": Tool(
        "lawbook_checks.profiles_page", "Write the page of profiles side by side."
    ),
    "mutants": Tool(
        "mutants.loading",
        "List the designed mutants, or serve one.",
        only_prints=True,
        packed=True,
    ),
    "renames": Tool("mutants.renames", "Update changed names in the recorded results."),
    "proofs": Tool(
        "proofs",
        "Prove the theorems about the rules.",
        "z3",
        "proofs",
        interpreted=True,
    ),
    "exhaustion": Tool(
        "exhaustion.small_deals", "Walk every small deal, position by position."
    ),
    "full-deals": Tool(
        "openspiel.full_deals",
        "Write whole deals as traces, for OpenSpiel's rules.",
        only_prints=True,
        packed=True,
    ),
    "faults": Tool(
        "selftest.javascript_faults", "List the faults of an engine, or plant one."
    ),
    "fresh-faults": Tool(
        "selftest.fresh_faults_found",
        "Plant faults devised from the book alone.",
    ),
    "engines": Tool(
        "selftest.engine_bench",
        "Test six engines written by others, with faults planted.",
    ),
    "fuzz": Tool(
        "fuzz.fuzz_all", "Give every reader broken input.", "hypothesis", "fuzz"
    ),
    "corpus": Tool("corpus_tools.build", "Rebuild the published corpus, or add to it."),
    "changed-games": Tool(
        "corpus_tools.changed_games",
        "Find games that an older edition decides differently.",
    ),
    "tables": Tool(
        "tables.publish", "Make the published sets of games for tables again."
    ),
    "at-a-table": Tool(
        "strength.at_a_table",
        "Try syntactic mutants against a published set.",
        "z3",
        "proofs",
    ),
    "changed-evidence": Tool(
        "strength.changed_evidence",
        "Try again what rests on something that has changed.",
        "z3",
        "proofs",
    ),
    "strength": Tool(
        "strength.measuring", "Measure how strong the evidence is.", "z3", "proofs"
    ),
}


def tool_command(name: str) -> click.Command:
    """A click command that passes its arguments on to the tool with this name."""

    @click.command(
        name,
        help=TOOLS[name].summary,
        add_help_option=False,  # --help is answered by the module
        context_settings={"ignore_unknown_options": True},
    )
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def run(arguments: tuple[str, ...]) -> None:
        raise click.exceptions.Exit(run_tool(name, arguments))

    return run


def run_tool(name: str, arguments: tuple[str, ...]) -> int:
    """Run the tool with this name, and return its exit code.

    If a package that the tool needs is missing, a message says which, and the tool is
    not run.
    """
    tool = TOOLS[name]
    if tool.needs and importlib.util.find_spec(tool.needs) is None:
        click.echo(
            f"refengine: {name} needs {tool.needs}: "
            f"pip install --editable 'conformance[{tool.extra}]'",
            err=True,
        )
        return UNREADABLE
    modules = [f"refengine_conformance.{tool.module}"]
    if tool.interpreted:
        modules.insert(0, "refengine_conformance.mutants.from_source")
    unread = STOP if tool.only_prints else GO_ON
    return subprocess.call(
        own_command("-m", tool_process.__name__, unread, *modules, *arguments),
        env=own_environment(),
    )


SECTIONS: Final = {
    "Your engine": {
        "run": "Test an adapter with the games of its table.",
        "identify": "Find out which rules an engine plays.",
        "deals": "Write games of a table, for tests of your own.",
        "rows": "Write questions with their answers, for a first test.",
    },
    "Our rules": {
        "all": "Everything that `make conform` runs, with one verdict.",
        "book": "The formal lines and example tables of the book.",
        "bundled": "Replay every bundled trace, log and mini-deal.",
        "openspiel": "Our engine and OpenSpiel's Hearts side by side.",
        **{name: tool.summary for name, tool in TOOLS.items() if tool.packed},
    },
}
MAINTAINERS: Final = {
    "For those who maintain the evidence": {
        "selftest": "Bad adapters, and whether each gets its right outcome.",
        **{name: tool.summary for name, tool in TOOLS.items() if not tool.packed},
    },
}
"""The commands that need a checkout, since what they import is not in a wheel."""


def _command(name: str) -> click.Command | None:
    """The command with this name, imported on demand, or None if there is none.

    Raises ClickException for a command in MAINTAINERS outside a checkout.
    """
    if not IN_CHECKOUT and any(name in rows for rows in MAINTAINERS.values()):
        raise click.ClickException(
            f"{name} is not installed here: it belongs to the checkout of refengine"
        )
    match name:
        case "all":
            from refengine_conformance.commands.conform_all_command import (
                conform_all_command as found,
            )
        case "book":
            from refengine_conformance.commands.conform_book_command import (
                conform_book_command as found,
            )
        case "bundled":
            from refengine_conformance.commands.conform_bundled_command import (
                conform_bundled_command as found,
            )
        case "deals":
            from refengine_conformance.commands.conform_deals_command import (
                conform_deals_command as found,
            )
        case "identify":
            from refengine_conformance.commands.conform_identify_command import (
                conform_identify_command as found,
            )
        case "openspiel":
            from refengine_conformance.commands.conform_openspiel_command import (
                conform_openspiel_command as found,
            )
        case "rows":
            from refengine_conformance.commands.conform_rows_command import (
                conform_rows_command as found,
            )
        case "run":
            from refengine_conformance.commands.conform_run_command import (
                conform_run_command as found,
            )
        case "selftest":
            from refengine_conformance.commands.conform_selftest_command import (
                conform_selftest_command as found,
            )
        case _:
            return tool_command(name) if name in TOOLS else None
    return found


@click.group(
    "conform",
    cls=LateGroup,
    sections=SECTIONS | (MAINTAINERS if IN_CHECKOUT else {}),
    load=_command,
)
def conform_command() -> None:
    """Check engines against the book."""
