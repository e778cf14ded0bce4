"""The command `refengine irregularities`, which shows the rules on revokes."""

from __future__ import annotations

import click

from refengine.cli.shared import PROFILE_HELP, json_option, print_json, ruleset_of
from refengine.game.clubs import names_file
from refengine.rulings import irregularities


@click.command("irregularities")
@click.option("--profile", help=f"{PROFILE_HELP} By default all with revokes.")
@click.option("--option", "options", multiple=True, help="With --profile: NAME=VALUE.")
@click.option("--markdown", is_flag=True, help="Print the page of all profiles.")
@json_option
def irregularities_command(
    profile: str | None, options: tuple[str, ...], markdown: bool, as_json: bool
) -> None:
    """Say what a revoke is, how long it can be taken back, and what it costs."""
    if markdown:
        click.echo("\n".join(irregularities.revoke_chapter_markdown()))
        return
    if profile is None and options:
        raise click.UsageError("--option needs --profile")
    found = irregularities.profiles_with_revokes()
    if profile is not None:
        players = None if names_file(profile) else 4
        found = (ruleset_of(profile, players, options),)
    if as_json:
        print_json([irregularities.revoke_rules_fields(one) for one in found])
    else:
        shown = ("\n".join(irregularities.revoke_rules_lines(one)) for one in found)
        click.echo("\n\n".join(shown))
