"""`--log`: the whole conversation with an adapter, written down as it goes."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from refengine.cli.shared import NamedPath
from refengine_conformance.runner.conversation_log import begin_log, end_log


def _begin_log(
    context: click.Context, parameter: click.Parameter, path: Path | None
) -> None:
    if path is not None:
        begin_log(path, sys.argv)
        context.call_on_close(end_log)


log_option = click.option(
    "--log",
    type=NamedPath(path_type=Path),
    callback=_begin_log,
    expose_value=False,
    help="Write the whole conversation with the adapter to this file, as it goes.",
)
