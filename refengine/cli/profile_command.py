"""The command `refengine profile`, which shows or checks a profile or a club."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import click

from refengine.cli.profile_text import club_fields, number_range, profile_fields
from refengine.cli.shared import json_option, print_json
from refengine.errors import Malformed, counted, harmless
from refengine.game.clubs import ClubRules, club_rules_of_toml, names_file
from refengine.game.rulesets import checked_rules, values_of
from refengine.game.typed import ruleset_flags
from refengine.lawbook import book
from refengine.lawbook.options import OPTIONS, Value
from refengine.lawbook.profile_files import is_profile_file
from refengine.lawbook.profiles import Profile, profile, profile_of_toml
from refengine.lawbook.ruleset_citation import citation_of
from refengine.lawbook.spoken import (
    profile_meant,
    profile_name,
    profile_said,
    rule_words,
)
from refengine.lawbook.text_files import text_of_file
from refengine.rulings.words import option_meaning, sentence

_LINE: Final = "      {name:24} {value:42} {note:15} {numbers}"


@click.command("profile")
@click.argument("name")
@click.option("--check", is_flag=True, help="Check the profile instead.")
@json_option
def profile_command(name: str, check: bool, as_json: bool) -> None:
    """Show a profile: each option by its name and meaning, then as it is typed.

    NAME is a profile of the book, as people call it or as it is typed, or a file:
    either that of a club (what differs from its base is shown) or one like those in
    spec/profiles.
    """
    if check and as_json:
        raise click.UsageError("--check prints no JSON: leave --json out")
    in_file = names_file(name)
    one = _in_file(name) if in_file else profile(profile_meant(name))
    if isinstance(one, ClubRules):
        if as_json:
            print_json(club_fields(one))
        else:
            click.echo("\n".join(_check_lines(one) if check else _club_lines(one)))
    elif check:
        _check_profile(one)
    elif as_json:
        print_json(profile_fields(one) | ({} if in_file else _cited(one)))
    else:
        click.echo("\n".join(_profile_lines(one)))
        if not in_file:
            click.echo(f"cite as: {citation_of(one.name, one.usual_players, {})}")


def _in_file(name: str) -> ClubRules | Profile:
    """The club or profile in a file.

    Raises Malformed, naming the file, if the file holds neither.
    """
    try:
        text = text_of_file(name)
        return (
            profile_of_toml(text) if is_profile_file(text) else club_rules_of_toml(text)
        )
    except Malformed as error:
        raise error.in_file(name) from None


def _profile_lines(one: Profile) -> Iterator[str]:
    idle = {option.name for option in OPTIONS if not option.bites(one.options)}
    yield harmless(f"{_title(one)}, {number_range(one.players)} players")
    yield harmless(one.summary)
    for option in OPTIONS:
        note = "no effect here" if option.name in idle else ""
        note = "our ruling" if option.name in one.rulings else note
        yield _said(option.name, one.options[option.name])
        yield _option_line(option.name, one.options[option.name], note)


def _cited(one: Profile) -> dict[str, str]:
    """The fingerprint and the citation, which only a profile of the book has."""
    found = citation_of(one.name, one.usual_players, {})
    return {"fingerprint": found.fingerprint, "citation": str(found)}


def _club_lines(one: ClubRules) -> Iterator[str]:
    """The lines on a club: how it differs from its base, its flags, its citation."""
    ruleset, base = one.ruleset(), profile(one.base)
    yield f"{one.title} ({one.name}), {number_range(one.players)} players"
    yield f"{profile_said(base.name)}, and what differs from it"
    for name, value in one.options.items():
        note = "no effect here" if name in ruleset.without_effect else ""
        yield _said(name, value)
        yield _option_line(name, value, note)
        yield _option_line("  instead of", base.options[name], "")
    if not one.options:
        yield "  nothing"
    yield f"written as: {' '.join(ruleset_flags(ruleset))}"
    yield f"cite as: {ruleset.citation}"


def _check_lines(one: ClubRules) -> Iterator[str]:
    differ = "differs" if len(one.options) == 1 else "differ"
    options = f"{counted(len(one.options), 'option')} that {differ} from {one.base}"
    yield f"{one.name}: {options}, {number_range(one.players)} players, all well"


def _title(one: Profile) -> str:
    """What people call the profile or, if it is not in the book, its own title."""
    said = profile_name(one.name)
    return f"{one.title if said == one.name else said} ({one.name})"


def _said(name: str, value: Value) -> str:
    said, meant = rule_words(name, value), option_meaning(name, value)
    return f"  {said}. {sentence(meant)}"


def _option_line(name: str, value: Value, note: str) -> str:
    numbers = [
        number for number, clause in book.clauses().items() if name in clause.options
    ]
    return _LINE.format(
        name=name,
        value=json.dumps(value, default=list),
        note=note,
        numbers=" ".join(numbers),
    ).rstrip()


def _check_profile(one: Profile) -> None:
    """Check the rules for each number of players, and say that all is well.

    Raises Refused if a clause forbids them.
    """
    for players in one.players:
        checked_rules(one, players, one.options)
    kitty = [number for number in one.players_with_kitty if number not in one.players]
    for players in kitty:
        checked_rules(one, players, values_of(one, {"undealt": "kitty"}))
    players_words = f"{number_range(one.players)} players"
    click.echo(
        f"{harmless(one.name)}: {len(OPTIONS)} options, {players_words}, all well"
    )
