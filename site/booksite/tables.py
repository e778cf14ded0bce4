"""The pages that are tables: options, each profile, sources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from booksite.chapters import copied
from booksite.games import Game
from booksite.marks import (
    block,
    clause_link,
    inline,
    option_said,
    paragraphs,
    profile_link,
    source_link,
)
from refengine.game.rulesets import Ruleset
from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.options import OPTIONS, Option, Value
from refengine.lawbook.options import value_text as written
from refengine.lawbook.profiles import Profile, profile, profile_names
from refengine.lawbook.spoken import option_name, profile_name, value_name
from refengine.rulings.words import option_meaning
from refengine_conformance.lawbook_checks.profiles_page import option_cell, players_cell

RING: Final = '<abbr title="our ruling: the source is silent">°</abbr>'
_DASH: Final = '<abbr title="no effect in this profile">–</abbr>'


def all_profiles() -> list[Profile]:
    """All profiles, in alphabetical order."""
    return [profile(name) for name in profile_names()]


def readers(option: Option) -> list[str]:
    """The clauses that read an option."""
    return [
        number for number, clause in clauses().items() if option.name in clause.options
    ]


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], style: str, label: str
) -> str:
    """A table whose first column names its rows; it scrolls on its own when wide.

    The label says what it is to those who hear the page.
    """
    return (
        f'<div class="table-wrapper {style}" tabindex="0" role="region" '
        f'aria-label="{escape(label, quote=True)}">'
        f"<table>{cells(head, rows)}</table></div>"
    )


def cells(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The head and the body of a table whose first column names its rows."""
    top = "".join(f'<th scope="col">{one}</th>' for one in head)
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>'
        + "".join(f"<td>{one}</td>" for one in row[1:])
        + "</tr>"
        for row in rows
    )
    return f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody>"


def value_said(one: Profile, option: Option) -> str:
    """The value of an option in a profile, in words, with the marks of a page."""
    shown = option_cell(one, option)
    if shown == "–":
        return _DASH
    ring = RING if shown.endswith("°") else ""
    return f"{escape(value_name(option.name, one.options[option.name]))}{ring}"


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
        parts += [f"## {option_name(option.name)}", block(_option(option))]
    return "\n".join(parts)


def _option(option: Option) -> str:
    rows = "".join(
        f"<li>{clause_link(number)} {escape(clauses()[number].title)}</li>"
        for number in readers(option)
    )
    body = "".join(
        f"<div><dt>{escape(value_name(option.name, value))}"
        f'<br><code class="typed">{escape(written(value) or "nothing")}</code></dt>'
        f"<dd>{escape(in_words(option, value))}{_holders(option, value)}</dd></div>"
        for value in _shown_values(option)
    )
    idle = [one.name for one in all_profiles() if not option.bites(one.options)]
    without = f"<p>Without effect in {_names(idle)}.</p>" if idle else ""
    return (
        f'<div class="option-card"><p class="typed"><code>{option.name}</code></p>'
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
        profile_link(one.name) + RING * (option.name in one.rulings)
        for one in all_profiles()
        if one.options[option.name] == value and option.bites(one.options)
    ]
    return f'<br><span class="soft">In</span> {", ".join(found)}' if found else ""


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(profile_link, names))


# Profiles


def profile_rows(found: Sequence[Profile]) -> list[list[str]]:
    """The rows of a table of profiles: numbers of players, then every option."""
    rows = [["players", *map(players_cell, found), clause_link("2.6")]]
    for option in OPTIONS:
        cells = [value_said(one, option) for one in found]
        where = " ".join(map(clause_link, readers(option)))
        rows.append([option_said(option.name), *cells, where])
    return rows


def profile_page(one: Profile, games: Sequence[Game]) -> str:
    """One profile: who plays it, its options with their clauses, and games of it."""
    rows = [
        [
            f"{option_said(option.name)}<br><b>{value_said(one, option)}</b>",
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
            f"# {profile_name(one.name)}",
            block(
                f'<p class="typed"><code>{one.name}</code></p>'
                f'<p class="lead">{escape(one.summary)}</p>'
                f"<p>For {players_cell(one)} players, usually {count}. "
                f"Sources: {', '.join(map(source_link, one.sources))}.</p>"
                f"<p>Cite as {copied(Ruleset(one.name).citation)}</p>"
            ),
            block(
                f'<p><a href="profiles.html#compare={one.name}">'
                "Compare it with another game</a></p>"
            ),
            "## What holds here",
            block(_held(one, rows)),
            block(
                f"<p>{RING} our ruling: the source is silent.</p>"
                f"<p>Without effect here: {', '.join(map(option_said, idle))}.</p>"
                if idle
                else f"<p>{RING} our ruling: the source is silent.</p>"
            ),
            "## Games to look at",
            block(_games(one, games)),
            "## As a program",
            f"```python\nfrom refengine import Ruleset, new_match\n\nruleset = Ruleset("
            f'"{one.name}", players={count})\nmatch = new_match(ruleset)\n```',
        ]
    )


def _held(one: Profile, rows: Sequence[Sequence[str]]) -> str:
    head = ["option", "at this table", "clauses"]
    return table(head, rows, "stack", f"{profile_name(one.name)}, all rules")


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
    return table([*map(escape, rows[0])], body, "", "Sources")
