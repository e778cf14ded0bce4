"""`--log`: the whole conversation with an adapter, written down as it goes."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from refengine.cli.shared import NamedPath
from refengine_conformance.runner.conversation_log import begin_log, end_log

log_option = click.option(
    "--log",
    type=NamedPath(path_type=Path),
    help="Write the whole conversation with the adapter to this file, as it goes.",
)


def begin_log_of_command(path: Path | None) -> None:
    """Log all conversations of the command that runs now, if a file is named.

    A command calls it before it starts an adapter, and not earlier, since an older log
    is replaced; a second call changes nothing. Raises Malformed as `begin_log` does.
    """
    context = click.get_current_context()
    if path is not None and not context.meta.get(__name__):
        context.meta[__name__] = True
        begin_log(path, sys.argv)
        context.call_on_close(end_log)
