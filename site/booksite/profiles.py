"""The pages on the profiles: one that compares them all, and one for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

import attrs

from booksite.elements import (
    WIDE,
    copied,
    element,
    link,
    listed,
    named_rows,
    section,
    soft,
    table,
)
from booksite.games import Game
from booksite.marks import (
    MOST_PLAYED,
    all_profiles,
    clause_address,
    clause_link,
    clause_links,
    option_said,
    profile_link,
    source_link,
    typed,
)
from booksite.options import RING, in_words, readers_linked, value_said
from refengine.errors import counted
from refengine.game.rulesets import Ruleset
from refengine.lawbook.book import clauses
from refengine.lawbook.main_clauses import main_clauses
from refengine.lawbook.options import OPTIONS, Option
from refengine.lawbook.profiles import Profile, profile
from refengine.lawbook.spoken import option_name, profile_name, value_name
from refengine_conformance.lawbook_checks.profiles_page import players_cell

_PLAYERS: Final = "2.6"
_NONE: Final = soft("no effect")


@attrs.frozen
class Rule:
    """A row on the page: an option, or how many may play, with each profile's value.

    `name` is the option, or empty for the number of players. For each profile, `values`
    holds its value in words, or None if the option has no effect, and whether the value
    is the book's own ruling.
    """

    name: str
    said: str
    clauses: tuple[str, ...]
    values: dict[str, tuple[str | None, bool]]

    def differs(self, one: str, other: str) -> bool:
        """Whether these two profiles play this rule differently."""
        return self.values[one][0] != self.values[other][0]


def rules() -> list[Rule]:
    """What profiles can differ in: how many may play, then the options in order."""
    found = all_profiles()
    players: dict[str, tuple[str | None, bool]] = {
        one.name: (players_cell(one).replace("°", ""), "players" in one.rulings)
        for one in found
    }
    return [
        Rule("", "Number of players", (_PLAYERS,), players),
        *(
            Rule(
                option.name,
                option_name(option.name),
                main_clauses()[option.name],
                {one.name: _value(one, option) for one in found},
            )
            for option in OPTIONS
        ),
    ]


def _value(one: Profile, option: Option) -> tuple[str | None, bool]:
    if not option.bites(one.options):
        return None, False
    value = one.options[option.name]
    return value_name(option.name, value), option.name in one.rulings


def compared() -> dict[str, Any]:
    """The data that a script needs to compare two profiles on the page.

    `games` holds the everyday name of each profile. `rules` holds, for each rule, its
    identifier, its everyday name, its clauses (number, address and title), and for each
    profile the value and whether that value is the book's own ruling. `none` stands for
    a rule without effect in a profile, and `ring` marks a ruling of the book.
    """
    return {
        "none": _NONE,
        "ring": RING,
        "games": {one.name: profile_name(one.name) for one in all_profiles()},
        "rules": [
            [
                rule.name,
                rule.said,
                [[n, clause_address(n), clauses()[n].title] for n in rule.clauses],
                rule.values,
            ]
            for rule in rules()
        ],
    }


# The page of all


def profiles_page() -> str:
    """The page of all profiles."""
    others = [one for one in all_profiles() if one.name != MOST_PLAYED]
    return "\n".join(
        [
            WIDE,
            section("Ways to play, side by side", _opening(others), level=1),
            section("Compare two games", _form()),
            section(profile_name(MOST_PLAYED), _whole(profile(MOST_PLAYED))),
            *(section(profile_name(one.name), _differing(one)) for one in others),
        ]
    )


def _opening(others: list[Profile]) -> str:
    names = [MOST_PLAYED, *(other.name for other in others)]
    links = (link(f"#{one}", escape(profile_name(one))) for one in names)
    return (
        f"<p>This book has {len(names)} games. The first is described in "
        "full, the others only where they differ from it. Each has a page of its own "
        f"with everything that is played there.</p>{listed(links, 'jump')}"
        f"<p>{RING} marks a point on which the sources say nothing, so that we had to "
        "rule.</p>"
    )


def _form() -> str:
    """A form for choosing two games, which a script then compares."""
    return (
        "<noscript><p>Two games of your choice can be compared here where scripts "
        "may run. What follows needs none.</p></noscript>"
        '<form class="compare" id="compare" hidden>'
        f"{_choice('compare', 'One game')}{_choice('with', 'The other')}</form>"
        '<p class="compare-count" role="status"></p><div id="compared"></div>'
        '<script defer src="_static/profile-values.js"></script>'
        '<script defer src="_static/profiles.js"></script>'
    )


def _choice(name: str, label: str) -> str:
    entries = "".join(
        f'<option value="{one.name}">{escape(profile_name(one.name))}</option>'
        for one in all_profiles()
    )
    return (
        f'<label class="field"><span>{label}</span><select name="{name}" '
        f'autocomplete="off"><option value="">choose a game</option>{entries}'
        "</select></label>"
    )


def _about(one: Profile) -> str:
    """What a profile is, who may play it, and where it comes from."""
    sources = ", ".join(map(source_link, one.sources))
    return (
        f"<p>{escape(one.summary)} {typed(one.name)}</p>"
        f'<p class="soft">Players: {players_cell(one)}. Sources: {sources}. '
        f"{profile_link(one.name, 'All rules and games')}.</p>"
    )


def _whole(one: Profile) -> str:
    """A profile with the value of every rule that has an effect in it."""
    found = [rule for rule in rules() if rule.values[one.name][0] is not None]
    return _about(one) + _table(one, "all rules", {"played so": one.name}, found)


def _differing(one: Profile) -> str:
    """A profile, and how it differs from the most played one.

    Rules that differ but have no effect in this profile are listed below the table.
    """
    found = [rule for rule in rules() if rule.differs(one.name, MOST_PLAYED)]
    here = [rule for rule in found if rule.values[one.name][0] is not None]
    idle = ", ".join(_rule(rule) for rule in found if rule not in here)
    columns = {"here": one.name, "as most people play": MOST_PLAYED}
    without = element("p", f"No effect here: {idle}.", "soft") if idle else ""
    return _about(one) + _table(one, "what differs", columns, here) + without


def _table(
    one: Profile, what: str, columns: dict[str, str], found: Iterable[Rule]
) -> str:
    """A table of rules; on a phone, the values are under the name of each rule.

    `columns` maps the heading of each column of values to the name of the profile.
    """
    rows = [
        [
            _rule(rule),
            *(_cell(rule, name) for name in columns.values()),
            clause_links(rule.clauses, " "),
        ]
        for rule in found
    ]
    caption = element("caption", f"{escape(profile_name(one.name))}, {what}", "sr-only")
    inside = named_rows(["rule", *columns, "clauses"], rows)
    return element("div", f"<table>{caption}{inside}</table>", "table-wrapper beside")


def _rule(rule: Rule) -> str:
    return option_said(rule.name) if rule.name else escape(rule.said)


def _cell(rule: Rule, name: str) -> str:
    value, ruled = rule.values[name]
    return _NONE if value is None else escape(value) + RING * ruled


# Each alone


def profile_rows(found: Sequence[Profile]) -> list[list[str]]:
    """The rows of a table of profiles: numbers of players, then every option."""
    rows = [["players", *map(players_cell, found), clause_link(_PLAYERS)]]
    for option in OPTIONS:
        values = [value_said(one, option) for one in found]
        rows.append([option_said(option.name), *values, readers_linked(option)])
    return rows


def profile_page(one: Profile, games: Sequence[Game]) -> str:
    """One profile: how many play it, its options with their clauses, and some games."""
    several = len({*one.players, *one.players_with_kitty}) > 1
    usually = f"; usually for {one.usual_players}" if several else ""
    rows = [
        [
            f"{option_said(option.name)}<br><b>{value_said(one, option)}</b>",
            escape(in_words(option, one.options[option.name])),
            readers_linked(option),
        ]
        for option in OPTIONS
        if option.bites(one.options)
    ]
    name = profile_name(one.name)
    head = ["option", "at this table", "clauses"]
    idle = Ruleset(one.name).without_effect
    marks = f"<p>{RING} our ruling: the source is silent.</p>"
    if idle:
        without = ", ".join(map(option_said, idle))
        marks += f"<p>Without effect here: {without}.</p>"
    compare = f"profiles.html#compare={one.name}"
    return "\n".join(
        [
            section(
                name,
                f'<p class="typed"><code>{one.name}</code></p>'
                f'<p class="lead">{escape(one.summary)}</p>'
                f"<p>Number of players: {players_cell(one)}{usually}. "
                f"Sources: {', '.join(map(source_link, one.sources))}.</p>"
                f"<p>Cite as {copied(Ruleset(one.name).citation)}</p>",
                f"<p>{link(compare, 'Compare it with another game')}</p>",
                level=1,
            ),
            section(
                "What applies here",
                table(head, rows, "stack", f"{name}, all rules"),
                marks,
            ),
            section("Games to look at", _games(one, games)),
            "## As a program",
            "```python\nfrom refengine import Ruleset, new_match\n\n"
            f'ruleset = Ruleset("{one.name}", players={one.usual_players})\n'
            "match = new_match(ruleset)\n```",
        ]
    )


def _games(one: Profile, games: Sequence[Game]) -> str:
    there = [game for game in games if game.profile == one.name]
    whole = [game for game in there if game.steps and game.group != "disputes"]
    plain = [game for game in whole if "options" not in game.line["ruleset"]]
    chosen = sorted(plain or whole, key=lambda game: -len(game.steps))[:4]
    every = f"All {len(there)} bundled games of this profile"
    return listed(
        [
            *(
                f"{link(game.address(), escape(game.name))} "
                f"{soft(counted(len(game.steps), 'step'))}"
                for game in chosen
            ),
            link(f"viewer.html#profile={one.name}", every),
        ],
        "plain",
    )
