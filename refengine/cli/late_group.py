"""A group of commands that are imported only when they are called."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Sections = Mapping[str, Mapping[str, str]]
"""The commands of a group by heading: the name of each, and a line on what it does."""


class LateGroup(click.Group):
    """A group of commands that imports each command, by `load`, only when it is needed.

    Running a command thus imports no other command, and showing the help of the group
    imports none at all.
    """

    def __init__(
        self,
        *arguments: Any,
        sections: Sections,
        load: Callable[[str], click.Command | None],
        **more: Any,
    ) -> None:
        super().__init__(*arguments, **more)
        # click lists these names, and suggests one of them if a name is mistyped
        self.commands = {
            name: click.Command(name, short_help=summary)
            for rows in sections.values()
            for name, summary in rows.items()
        }
        self._sections = sections
        self._load = load

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the commands under their headings, one on each line."""
        widest = max(map(len, self.commands))
        for heading, rows in self._sections.items():
            with formatter.section(heading):
                formatter.write_dl(
                    [(name.ljust(widest), summary) for name, summary in rows.items()]
                )

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, imported now; None if there is none.

        If the system lacks the signals of Linux and macOS, a command that cannot be
        imported without them says so when it is called.
        """
        try:
            return self._load(cmd_name)
        except (ImportError, AttributeError):
            if hasattr(signal, "SIGHUP"):
                raise
            return _command_elsewhere(cmd_name)

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[CompletionItem]:
        """The commands and the flags that begin with `incomplete`.

        No command is imported, as help may list one whose package is missing.
        """
        from click.shell_completion import CompletionItem  # late: for shells alone

        named = [
            CompletionItem(name, help=self.commands[name].get_short_help_str())
            for name in self.list_commands(ctx)
            if name.startswith(incomplete)
        ]
        return named + click.Command.shell_complete(self, ctx, incomplete)


def _command_elsewhere(name: str) -> click.Command:
    """A stand-in for a command that this system cannot run, which fails and says so.

    It has no help option, so that asking for its help gives the same message.
    """

    def say(**_: object) -> None:
        raise click.ClickException(f"{name} needs Linux or macOS")

    return click.Command(
        name,
        callback=say,
        params=[click.Argument(["rest"], nargs=-1, type=click.UNPROCESSED)],
        context_settings={"ignore_unknown_options": True},
        short_help="Needs Linux or macOS.",
        add_help_option=False,
    )
