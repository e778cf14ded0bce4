"""The pages that are tables: options, profiles side by side, each profile, sources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from booksite.chapters import value_text
from booksite.games import Game
from booksite.marks import (
    block,
    clause_link,
    inline,
    option_link,
    paragraphs,
    profile_link,
    source_link,
)
from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.options import OPTIONS, Option, Value
from refengine.lawbook.options import value_text as written
from refengine.lawbook.profiles import Profile, profile, profile_names
from refengine.rulings.words import option_meaning
from refengine_conformance.lawbook_checks.profiles_page import option_cell, players_cell

_RING: Final = '<abbr title="our ruling: the source is silent">°</abbr>'
_DASH: Final = '<abbr title="no effect in this profile">–</abbr>'


def all_profiles() -> list[Profile]:
    """All profiles, in alphabetical order."""
    return [profile(name) for name in profile_names()]


def readers(option: Option) -> list[str]:
    """The clauses that read an option."""
    return [
        number for number, clause in clauses().items() if option.name in clause.options
    ]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], style: str = "") -> str:
    """A table whose first column names its rows; it scrolls on its own when wide."""
    top = "".join(f'<th scope="col">{one}</th>' for one in head)
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>'
        + "".join(f"<td>{one}</td>" for one in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="table-wrapper {style}" tabindex="0" role="region" '
        f'aria-label="{escape(re.sub("<[^>]+>", "", head[0]))} table">'
        f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _value(one: Profile, option: Option) -> str:
    """The value of an option in a profile, with the marks of the page."""
    shown = option_cell(one, option)
    if shown == "–":
        return _DASH
    ring = _RING if shown.endswith("°") else ""
    return f"{escape(value_text(one.options[option.name]))}{ring}"


# Options


def options_page() -> str:
    """The page of all options: what each takes, who reads it, what each profile has."""
    parts = [
        "# Options",
        block(
            "<p>Tables play differently, and every point on which they differ is an "
            "option with a name. A profile fixes all of them; a house rule changes "
            f"one. The clause that says so is {clause_link('0.4')}.</p>"
        ),
    ]
    for option in OPTIONS:
        parts += [f"## {option.name}", block(_option(option))]
    return "\n".join(parts)


def _option(option: Option) -> str:
    rows = "".join(
        f"<li>{clause_link(number)} {escape(clauses()[number].title)}</li>"
        for number in readers(option)
    )
    body = "".join(
        f"<div><dt>{escape(value_text(value))}</dt>"
        f"<dd>{escape(in_words(option, value))}{_holders(option, value)}</dd></div>"
        for value in _shown_values(option)
    )
    idle = [one.name for one in all_profiles() if not option.bites(one.options)]
    without = f"<p>Without effect in {_names(idle)}.</p>" if idle else ""
    return (
        '<div class="option-card">'
        f'<dl class="facts">{body}</dl><p class="soft">Values: '
        f"{escape(option.allowed)}. Base value: "
        f"{escape(written(option.base) or 'an empty list')}.</p>{without}"
        f'<p class="soft">Read by</p><ul class="plain">{rows}</ul></div>'
    )


def _shown_values(option: Option) -> list[Value]:
    """The values worth showing: all words, and those of the profiles."""
    words: list[Value] = [*option.words]
    if isinstance(option.base, bool):
        words = [False, True]
    elif isinstance(option.base, tuple):
        words = []
    played = [one.options[option.name] for one in all_profiles()]
    return list(dict.fromkeys([*words, *played]))


def in_words(option: Option, value: Value) -> str:
    """What a value means, as a sentence."""
    words = option_meaning(option.name, value)
    return f"{words[:1].upper()}{words[1:]}."


def _holders(option: Option, value: Value) -> str:
    """The profiles with this value, marked if it is our ruling."""
    found = [
        profile_link(one.name) + _RING * (option.name in one.rulings)
        for one in all_profiles()
        if one.options[option.name] == value and option.bites(one.options)
    ]
    return f'<br><span class="soft">In</span> {", ".join(found)}' if found else ""


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(profile_link, names))


# Profiles


def profiles_page() -> str:
    """All profiles side by side."""
    found = all_profiles()
    about = "".join(
        f"<li>{profile_link(one.name)}<br><b>{escape(one.title)}</b>, "
        f"{players_cell(one)} players. {escape(one.summary)}</li>"
        for one in found
    )
    rows = [["players", *map(players_cell, found), clause_link("2.6")]]
    for option in OPTIONS:
        cells = [_value(one, option) for one in found]
        where = " ".join(map(clause_link, readers(option)))
        rows.append([option_link(option.name), *cells, where])
    head = ["option", *[profile_link(one.name) for one in found], "clauses"]
    return "\n".join(
        [
            "# The profiles side by side",
            block(
                f"<p>{len(found)} ways to play, each with one value for every option. "
                f"{_RING} marks a point on which the source is silent, so that the "
                f"value is our ruling. {_DASH} marks an option without effect.</p>"
                f'<ul class="profiles">{about}</ul>'
            ),
            "## Every option",
            block(table(head, rows, "wide")),
        ]
    )


def profile_page(one: Profile, games: Sequence[Game]) -> str:
    """One profile: who plays it, its options with their clauses, and games of it."""
    rows = [
        [
            f'{option_link(option.name)}<br><span class="soft">'
            f"{_value(one, option)}</span>",
            escape(in_words(option, one.options[option.name])),
            " ".join(map(clause_link, readers(option))),
        ]
        for option in OPTIONS
        if option.bites(one.options)
    ]
    idle = [option.name for option in OPTIONS if not option.bites(one.options)]
    count = min(one.usual_players, max(one.players))
    return "\n".join(
        [
            f"# {one.name}",
            block(
                f'<p class="lead"><b>{escape(one.title)}.</b> '
                f"{escape(one.summary)}</p>"
                f"<p>For {players_cell(one)} players, usually {count}. "
                f"Sources: {', '.join(map(source_link, one.sources))}.</p>"
            ),
            "## What holds here",
            block(table(["option", "at this table", "clauses"], rows, "stack")),
            block(
                f"<p>{_RING} our ruling: the source is silent.</p>"
                f"<p>Without effect here: {', '.join(map(option_link, idle))}.</p>"
                if idle
                else f"<p>{_RING} our ruling: the source is silent.</p>"
            ),
            "## Games to look at",
            block(_games(one, games)),
            "## As a program",
            f"```python\nfrom refengine import Ruleset, new_match\n\nruleset = Ruleset("
            f'"{one.name}", players={count})\nmatch = new_match(ruleset)\n```',
        ]
    )


def _games(one: Profile, games: Sequence[Game]) -> str:
    there = [game for game in games if game.profile == one.name and game.steps]
    plain = [game for game in there if "options" not in game.line["ruleset"]]
    chosen = sorted(plain or there, key=lambda game: -len(game.steps))[:4]
    shown = "".join(
        f'<li><a href="{escape(game.address(), quote=True)}">{escape(game.name)}</a> '
        f'<span class="soft">{len(game.steps)} steps</span></li>'
        for game in chosen
    )
    return (
        f'<ul class="plain">{shown}<li><a href="viewer.html#profile={one.name}">'
        f"All {len(there)} bundled games of this profile</a></li></ul>"
    )


# Sources


def sources_page() -> str:
    """The sources, with an anchor for each."""
    text = (SPEC / "sources.md").read_text("utf-8")
    parts: list[str] = []
    rows: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
            continue
        if rows:
            parts.append(block(_source_table(rows)))
            rows = []
        named = re.match(r"\*\*([a-z][a-z0-9-]*)\*\*", line)
        if named:
            html = paragraphs(line).replace("<p>", f'<p id="{named[1]}">', 1)
            parts.append(block(html))
        elif line.startswith("#"):
            parts.append(line)
        elif line:
            parts.append(block(paragraphs(line)))
    return "\n".join(parts)


def _source_table(rows: Sequence[Sequence[str]]) -> str:
    body = [[source_link(row[0]), *map(inline, row[1:])] for row in rows[2:]]
    return table([*map(escape, rows[0])], body)
