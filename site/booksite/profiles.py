"""The page of all profiles: each by its name, with what differs, and two beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any, Final

import attrs

from booksite.marks import (
    MOST_PLAYED,
    block,
    clause_address,
    clause_link,
    option_said,
    source_link,
)
from booksite.tables import RING, all_profiles, cells
from refengine.lawbook.book import clauses
from refengine.lawbook.main_clauses import main_clauses
from refengine.lawbook.options import OPTIONS, Option
from refengine.lawbook.profiles import Profile, profile
from refengine.lawbook.spoken import option_name, profile_name, value_name
from refengine_conformance.lawbook_checks.profiles_page import players_cell

_PLAYERS: Final = "2.6"
_NONE: Final = '<span class="soft">no effect</span>'


@attrs.frozen
class Rule:
    """A row of the page: an option, or how many may play, and what each profile says.

    `name` is the option, empty for the players; `values` has for each profile what it
    plays, None where that has no effect, and whether it is our ruling.
    """

    name: str
    said: str
    clauses: tuple[str, ...]
    values: dict[str, tuple[str | None, bool]]

    def differs(self, one: str, other: str) -> bool:
        """Whether these two profiles play it differently."""
        return self.values[one][0] != self.values[other][0]


def rules() -> list[Rule]:
    """What profiles can differ in: who may play, then the options in their order."""
    found = all_profiles()
    players = {
        one.name: (players_cell(one).replace("°", ""), "players" in one.rulings)
        for one in found
    }
    return [
        Rule("", "Number of players", (_PLAYERS,), {**players}),
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


def comparing_script() -> str:
    """What the page needs to put two profiles side by side, as a script.

    `games` has the names of the profiles; a rule is its name, what people say for it,
    its clauses with address and title, and for each profile its value and whether that
    is our ruling. `none` and `ring` are what stands for no effect and for our ruling.
    """
    data: dict[str, Any] = {
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
    return f"window.REFENGINE_PROFILES={json.dumps(data, ensure_ascii=False)};\n"


# The page


def profiles_page() -> str:
    """The page of all profiles."""
    others = [one for one in all_profiles() if one.name != MOST_PLAYED]
    parts = [
        "---\nhide-toc: true\n---\n",
        "# Ways to play, side by side",
        block(_opening(others)),
        "## Compare two games",
        block(_form()),
        f"## {profile_name(MOST_PLAYED)}",
        block(_whole(profile(MOST_PLAYED))),
    ]
    for one in others:
        parts += [f"## {profile_name(one.name)}", block(_differing(one))]
    return "\n".join(parts)


def _opening(others: list[Profile]) -> str:
    links = "".join(
        f'<li><a href="#{one}">{escape(profile_name(one))}</a></li>'
        for one in (MOST_PLAYED, *(other.name for other in others))
    )
    return (
        f"<p>This book has {len(others) + 1} games. The first is told in full, and of "
        "the others only what they do differently. Each has a page of its own with "
        "everything that is played there.</p>"
        f'<ul class="jump">{links}</ul>'
        f"<p>{RING} marks a point on which the sources say nothing, so that we had to "
        "rule.</p>"
    )


def _form() -> str:
    """Two games to choose; a script shows what the page cannot show by itself."""
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
        f'<p>{escape(one.summary)} <code class="typed">{one.name}</code></p>'
        f'<p class="soft">{players_cell(one)} players. Sources: {sources}. '
        f'<a class="profile" href="profile-{one.name}.html">All rules and games</a>.'
        "</p>"
    )


def _whole(one: Profile) -> str:
    """A profile with every option that has an effect."""
    rows = [
        [_rule(rule), _cell(rule, one.name), _where(rule)]
        for rule in rules()
        if rule.values[one.name][0] is not None
    ]
    head = ("rule", "played so", "clauses")
    return _about(one) + _table(f"{profile_name(one.name)}, all rules", head, rows)


def _differing(one: Profile) -> str:
    """A profile with what differs from the base, and what has no effect there."""
    found = [rule for rule in rules() if rule.differs(one.name, MOST_PLAYED)]
    here = [rule for rule in found if rule.values[one.name][0] is not None]
    idle = [_rule(rule) for rule in found if rule not in here]
    rows = [
        [_rule(rule), _cell(rule, one.name), _cell(rule, MOST_PLAYED), _where(rule)]
        for rule in here
    ]
    head = ("rule", "here", "as most people play", "clauses")
    name = profile_name(one.name)
    without = f'<p class="soft">No effect here: {", ".join(idle)}.</p>' if idle else ""
    return f"{_about(one)}{_table(f'{name}, what differs', head, rows)}{without}"


def _table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table that a phone shows with the values under the name of the rule."""
    return (
        f'<div class="table-wrapper beside"><table><caption class="sr-only">'
        f"{escape(caption)}</caption>{cells(head, rows)}</table></div>"
    )


def _rule(rule: Rule) -> str:
    return option_said(rule.name) if rule.name else escape(rule.said)


def _cell(rule: Rule, name: str) -> str:
    value, ruled = rule.values[name]
    if value is None:
        return _NONE
    return escape(value) + RING * ruled


def _where(rule: Rule) -> str:
    return " ".join(map(clause_link, rule.clauses))
