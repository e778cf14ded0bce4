"""The page of all options, and their values in words."""

from __future__ import annotations

from html import escape
from typing import Final

from booksite.elements import described, listed, section, soft
from booksite.marks import (
    all_profiles,
    clause_link,
    clause_links,
    clause_titled,
    profile_link,
    profile_links,
    typed,
)
from refengine.lawbook.book import clauses
from refengine.lawbook.options import OPTIONS, Option, Value, value_text
from refengine.lawbook.profiles import Profile
from refengine.lawbook.spoken import option_name, value_name
from refengine.rulings.words import option_meaning

RING: Final = '<abbr title="our ruling: the source is silent">°</abbr>'
_DASH: Final = '<abbr title="no effect in this profile">–</abbr>'


def readers(option: Option) -> list[str]:
    """The clauses whose effect depends on an option."""
    return [
        number for number, clause in clauses().items() if option.name in clause.options
    ]


def readers_linked(option: Option) -> str:
    """Links to the clauses whose effect depends on an option."""
    return clause_links(readers(option), " ")


def value_said(one: Profile, option: Option) -> str:
    """The value that a profile gives an option, in words; a dash if it has no effect.

    A ring marks a value that is the book's own ruling.
    """
    if not option.bites(one.options):
        return _DASH
    said = escape(value_name(option.name, one.options[option.name]))
    return said + RING * (option.name in one.rulings)


def known_values(option: Option) -> list[Value]:
    """The values of an option that have a name, and those that some profile has."""
    words: list[Value] = [*option.words]
    if isinstance(option.base, bool):
        words = [False, True]
    elif isinstance(option.base, tuple):
        words = []
    played = [one.options[option.name] for one in all_profiles()]
    return list(dict.fromkeys([*words, *played]))


def options_page() -> str:
    """The page of all options: values, profiles, and the clauses that use each."""
    words = (
        "<p>Tables play differently, and every point on which they differ is an option "
        "with a name. A profile fixes all of them; a house rule changes one. The "
        f"clause that says so is {clause_link('0.4')}.</p>"
    )
    cards = (section(option_name(one.name), _option(one)) for one in OPTIONS)
    return "\n".join([section("Options", words, level=1), *cards])


def _option(option: Option) -> str:
    body = described(
        (
            f"{escape(value_name(option.name, value))}"
            f"<br>{typed(escape(value_text(value) or 'nothing'))}",
            f"{escape(in_words(option, value))}{_holders(option, value)}",
        )
        for value in known_values(option)
    )
    idle = [one.name for one in all_profiles() if not option.bites(one.options)]
    without = f"<p>Without effect in {profile_links(idle)}.</p>" if idle else ""
    return (
        f'<div class="option-card"><p class="typed"><code>{option.name}</code></p>'
        f'{body}<p class="soft">Values: {escape(option.allowed)}. Base value: '
        f"{escape(value_text(option.base) or 'an empty list')}.</p>{without}"
        '<p class="soft">Read by</p>'
        f"{listed(map(clause_titled, readers(option)), 'plain')}</div>"
    )


def in_words(option: Option, value: Value) -> str:
    """What a value means, as a sentence."""
    words = option_meaning(option.name, value)
    return f"{words[:1].upper()}{words[1:]}."


def _holders(option: Option, value: Value) -> str:
    """The profiles with this value, marked if the value is the book's own ruling."""
    found = [
        profile_link(one.name) + RING * (option.name in one.rulings)
        for one in all_profiles()
        if one.options[option.name] == value and option.bites(one.options)
    ]
    return f"<br>{soft('In')} {', '.join(found)}" if found else ""
