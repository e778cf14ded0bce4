"""Shell completion of profiles, options with their values, and clauses."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from refengine.lawbook.book import clauses
from refengine.lawbook.options import BY_NAME, OPTIONS
from refengine.lawbook.profiles import profile_names
from refengine.lawbook.spoken import option_name, profile_name, spoken_options


def profiles(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """The profiles that begin with `typed`, each with its spoken name.

    If there are none, the shell is asked to complete file names.
    """
    found = [
        CompletionItem(name, help=profile_name(name))
        for name in profile_names()
        if name.startswith(typed)
    ]
    return found or [CompletionItem(typed, type="file")]


def options(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """The options that begin with `typed`; after `=`, the values of the option."""
    name, equals, begun = typed.partition("=")
    if not equals:
        return [
            CompletionItem(f"{one.name}=", help=option_name(one.name))
            for one in OPTIONS
            if one.name.startswith(typed)
        ]
    if name not in BY_NAME:
        return []
    flags = ("true", "false") if isinstance(BY_NAME[name].base, bool) else ()
    said = spoken_options()[name].values
    return [
        CompletionItem(f"{name}={value}", help=said[value])
        for value in (*flags, *BY_NAME[name].words)
        if value.startswith(begun)
    ]


def clause_numbers(
    _: click.Context, __: click.Parameter, typed: str
) -> list[CompletionItem]:
    """The clauses whose numbers begin with `typed`, each with its title."""
    return [
        CompletionItem(number, help=one.title)
        for number, one in clauses().items()
        if number.startswith(typed)
    ]
