"""The command `refengine serve`, which speaks the adapter protocol."""

from __future__ import annotations

import sys

import click

from refengine.cli.streams import check_input
from refengine.formats.serve import serve


@click.command("serve")
def serve_command() -> None:
    """Speak the adapter protocol over standard input and output."""
    check_input()
    serve(sys.stdin.buffer, sys.stdout.buffer)
