"""`--output` of the commands that write games and rows."""

from __future__ import annotations

import os
from typing import Final

import click

from refengine.cli.shared import NamedPath
from refengine.cli.streams import print_bytes
from refengine.errors import Malformed, unusable_file
from refengine.formats.whole_files import write_file
from refengine.game.clubs import names_file

output_option: Final = click.option(
    "--output", type=NamedPath(), metavar="FILE", help="Write there; by default print."
)


def check_output(output: str | None, profile: str | None) -> None:
    """Raise Malformed if the output would overwrite the club's file in `profile`."""
    if not (output and profile and names_file(profile)):
        return
    if os.path.realpath(output) == os.path.realpath(profile):
        raise Malformed("a file that is read", "another file", f"--output {output}")


def print_or_write(output: str | None, text: bytes) -> None:
    """Write the text to this file, or print it if no file is given.

    Raises Malformed if the file cannot be written.
    """
    if output is None:
        print_bytes(text)
        return
    try:
        write_file(output, text)
    except OSError as error:
        raise unusable_file(error, "written", output) from None
