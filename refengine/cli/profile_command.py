"""`refengine profile`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from refengine.cli.profile_text import number_range, profile_fields
from refengine.cli.shared import json_option, print_json
from refengine.errors import harmless
from refengine.game.rulesets import checked_rules, values_of
from refengine.lawbook import book
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.profiles import Profile, profile, profile_of_toml


@click.command("profile")
@click.argument("name")
@click.option("--check", is_flag=True, help="Check the profile instead.")
@json_option
def profile_command(name: str, check: bool, as_json: bool) -> None:
    """Show a profile: each option, its value, whether it has an effect, its clauses.

    NAME is the name of a profile, or a file like those in spec/profiles.
    """
    path = Path(name)
    is_file = path.suffix == ".toml"
    one = profile_of_toml(path.read_text("utf-8")) if is_file else profile(name)
    if check:
        _check_profile(one)
        return
    if as_json:
        print_json(profile_fields(one))
        return
    idle = {option.name for option in OPTIONS if not option.bites(one.options)}
    head = f"{one.title} ({one.name}), {number_range(one.players)} players"
    click.echo(f"{harmless(head)}\n{harmless(one.summary)}")
    for option in OPTIONS:
        value = json.dumps(one.options[option.name], default=list)
        note = "no effect here" if option.name in idle else ""
        note = "our ruling" if option.name in one.rulings else note
        numbers = " ".join(_clauses_reading(option.name))
        click.echo(f"  {option.name:24} {value:42} {note:15} {numbers}".rstrip())


def _clauses_reading(option: str) -> list[str]:
    return [
        number for number, clause in book.clauses().items() if option in clause.options
    ]


def _check_profile(one: Profile) -> None:
    """Make the ruleset for every number of players; raises Refused if it is refused."""
    for players in one.players:
        checked_rules(one, players, one.options)
    kitty = [number for number in one.players_with_kitty if number not in one.players]
    for players in kitty:
        checked_rules(one, players, values_of(one, {"undealt": "kitty"}))
    players_words = f"{number_range(one.players)} players"
    click.echo(
        f"{harmless(one.name)}: {len(OPTIONS)} options, {players_words}, all well"
    )
