"""A group of commands that are imported only when they are called."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click


class LateGroup(click.Group):
    """A group that knows the names of its commands, and gets each one by `load`.

    So a command pays for its own imports only, not for those of the others.
    """

    def __init__(
        self,
        *arguments: Any,
        names: Iterable[str],
        load: Callable[[str], click.Command | None],
        **more: Any,
    ) -> None:
        super().__init__(*arguments, **more)
        # click lists these names, and suggests one of them if a name is mistyped
        self.commands = {name: click.Command(name) for name in names}
        self._load = load

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, imported now; None if there is none."""
        return self._load(cmd_name)
