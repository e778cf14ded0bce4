"""The command `refengine irregularities`, which shows the rules on revokes."""

from __future__ import annotations

import click

from refengine.cli.shared import (
    PROFILE_HELP,
    check_profile_named,
    json_option,
    print_json,
    ruleset_of,
)
from refengine.game.clubs import names_file
from refengine.rulings import irregularities


@click.command("irregularities")
@click.option("--profile", help=f"{PROFILE_HELP} By default all with revokes.")
@click.option(
    "--players",
    type=int,
    help="With --profile: by default 4, or the usual number of the club.",
)
@click.option("--option", "options", multiple=True, help="With --profile: NAME=VALUE.")
@click.option("--markdown", is_flag=True, help="Print the page of all profiles.")
@json_option
def irregularities_command(
    profile: str | None,
    players: int | None,
    options: tuple[str, ...],
    markdown: bool,
    as_json: bool,
) -> None:
    """Say what a revoke is, how long it can be taken back, and what it costs."""
    if markdown:
        if as_json or (profile, players, options) != (None, None, ()):
            raise click.UsageError("--markdown takes no other flags")
        click.echo("\n".join(irregularities.revoke_chapter_markdown()))
        return
    check_profile_named(profile, players, options)
    found = irregularities.profiles_with_revokes()
    if profile is not None:
        if players is None and not names_file(profile):
            players = 4
        found = (ruleset_of(profile, players, options),)
    if as_json:
        print_json([irregularities.revoke_rules_fields(one) for one in found])
    else:
        shown = ("\n".join(irregularities.revoke_rules_lines(one)) for one in found)
        click.echo("\n\n".join(shown))
