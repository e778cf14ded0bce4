"""The command `refengine profiles`, which lists the profiles."""

from __future__ import annotations

import click

from refengine.cli.profile_text import number_range, profile_fields
from refengine.cli.shared import json_option, print_json
from refengine.lawbook.profiles import profile, profile_names
from refengine.lawbook.spoken import profile_name


@click.command("profiles")
@json_option
def profiles_command(as_json: bool) -> None:
    """List the profiles: what people call each game, and the name to type.

    Either can be given wherever a profile is expected.
    """
    found = [profile(name) for name in profile_names()]
    if as_json:
        print_json([profile_fields(one) for one in found])
        return
    for one in found:
        players = number_range(one.players)
        said = profile_name(one.name)
        click.echo(f"{said:38} {players:>5} players  {one.name}")
