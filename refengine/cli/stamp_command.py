"""The command `refengine stamp`, which gives edited lines their right ids."""

from __future__ import annotations

import click

from refengine.cli.files import each_line
from refengine.cli.shared import NamedPath
from refengine.cli.streams import print_bytes
from refengine.exit_codes import TOO_FEW, WRONG
from refengine.formats.stamping import stamped
from refengine.formats.whole_files import packed_as_named, write_file
from refengine.jobs.unread_output import finish_unread


@click.command("stamp")
@click.argument("file", type=NamedPath())
@click.option(
    "--output",
    type=NamedPath(),
    metavar="FILE",
    help="Write to this file, which may be FILE itself, all or nothing; packed if its "
    "name ends in .gz; by default print.",
)
@click.option("--check", is_flag=True, help="Write nothing: name the lines to stamp.")
def stamp_command(file: str, output: str | None, check: bool) -> None:
    """Give each trace and mini-deal of a file its right id; `-` is standard input.

    What a line expects stays as it is, right or wrong. If a line cannot be read or
    played, nothing is written.
    """
    if check and output is not None:
        raise click.UsageError("--check writes nothing: leave out --output")
    if check:
        finish_unread()
    lines: list[bytes] = []
    wrong: list[str] = []

    def stamp_line(place: str, line: bytes) -> None:
        found = stamped(line)
        lines.append(found.line + b"\n")
        if found.was != found.id:
            was = repr(found.was)[:40] if found.was else "none"
            wrong.append(f"{place}: id: expected {found.id}, found {was}\n")

    ending = each_line((file,), stamp_line)
    if not lines:
        ending.codes.add(TOO_FEW)
    if check and wrong:
        ending.codes.add(WRONG)
        click.echo("".join(wrong), nl=False)
    ending.leave()
    if check:
        return
    if output is None or output == "-":
        print_bytes(b"".join(lines))
    else:
        write_file(output, packed_as_named(output, b"".join(lines)))
