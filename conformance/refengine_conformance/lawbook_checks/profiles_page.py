"""The page of profiles side by side: `refengine conform profiles-page` writes it."""

from __future__ import annotations

import json
import sys

from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.options import OPTIONS, Option
from refengine.lawbook.profiles import Profile, profile, profile_names

PAGE = SPEC / "profiles.md"
_INTRODUCTION = """# The profiles side by side

Made from the files in `profiles/`; change those, then run `make registry`.
° marks a value on which the source is silent, so that it is our ruling.
– marks an option that has no effect beside the others of that profile.
"""


def option_cell(one: Profile, option: Option) -> str:
    """The value of an option in a profile, with the marks of the page."""
    if not option.bites(one.options):
        return "–"
    value = one.options[option.name]
    if isinstance(value, tuple):
        text = " ".join(value) or "[]"
    elif isinstance(value, bool):
        text = json.dumps(value)
    else:
        text = str(value)
    return text + "°" * (option.name in one.rulings)


def players_cell(one: Profile) -> str:
    """The numbers of players of a profile, as a range, and those with a kitty."""
    span = "–".join(map(str, sorted({min(one.players), max(one.players)})))
    if one.players_with_kitty == one.players:
        return span
    kitty = one.players_with_kitty
    return f"{span} (with a kitty {min(kitty)}–{max(kitty)})"


def page_markdown() -> str:
    """The whole page, as Markdown."""
    found = [profile(name) for name in profile_names()]
    readers = {
        option.name: [
            number
            for number, clause in clauses().items()
            if option.name in clause.options
        ]
        for option in OPTIONS
    }
    rows = [
        ["option", *(one.name for one in found), "clauses"],
        ["---"] * (len(found) + 2),
        ["players", *map(players_cell, found), "2.6"],
    ]
    for option in OPTIONS:
        cells = [option_cell(one, option) for one in found]
        rows.append([option.name, *cells, ", ".join(readers[option.name])])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    about = "\n".join(
        f"- **{one.name}**: {one.summary} Sources: {', '.join(one.sources)}."
        for one in found
    )
    return f"{_INTRODUCTION}\n{about}\n\n{table}\n"


def main() -> None:
    """Write the page, or with `--check` only say whether the one on disk is current."""
    if "--check" not in sys.argv:
        PAGE.write_text(page_markdown(), "utf-8")
    elif PAGE.read_text("utf-8") != page_markdown():
        sys.exit(f"{PAGE.name} is not what the profiles say: run `make registry`")


if __name__ == "__main__":
    main()
