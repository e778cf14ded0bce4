"""Makes a page that compares the profiles, and a file of profiles for programs.

`refengine conform profiles-page` writes both.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection

from refengine.lawbook.book import SPEC, clauses, registry
from refengine.lawbook.options import OPTIONS, Option, value_text
from refengine.lawbook.profiles import Profile, profile, profile_names
from refengine_conformance.data import data
from refengine_conformance.jobs.tool_arguments import ToolArguments

PAGE = SPEC / "profiles.md"
FILE = data("corpus", "profiles.json")
_INTRODUCTION = """# The profiles side by side

Made from the files in `profiles/`; change those, then run `make registry`.
° marks a value on which the source is silent, so that it is our ruling.
– marks an option that has no effect given the profile's other options.
"""


def option_cell(one: Profile, option: Option) -> str:
    """The text of the cell for an option of a profile: the value, with any marks."""
    if not option.bites(one.options):
        return "–"
    value = one.options[option.name]
    text = value_text(value).replace(",", " ") or "[]"
    return f"{text}{_ruling_mark(one, option.name)}"


def players_cell(one: Profile) -> str:
    """The text of the cell for the numbers of players of a profile.

    If the numbers with a kitty differ, they are added.
    """
    cell = f"{_range_text(one.players)}{_ruling_mark(one, 'players')}"
    if one.players_with_kitty == one.players:
        return cell
    return f"{cell} (with a kitty {_range_text(one.players_with_kitty)})"


def _ruling_mark(one: Profile, name: str) -> str:
    """The mark `°` if a ruling decided this value of the profile, otherwise ""."""
    return "°" if name in one.rulings else ""


def _range_text(numbers: Collection[int]) -> str:
    """These numbers as a range, or as a list if there is a gap."""
    least, greatest = min(numbers), max(numbers)
    if len(numbers) != greatest - least + 1:
        return ", ".join(map(str, numbers))
    return str(least) if least == greatest else f"{least}–{greatest}"


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


def profiles_json() -> str:
    """The profiles as JSON for adapters to read, each with the values of all options.

    The base value of each option is included, too.
    """
    shown = {
        "spec": registry()["version"],
        "base": {option.name: option.base for option in OPTIONS},
        "profiles": {
            one.name: {
                "title": one.title,
                "players": one.players,
                "players_with_kitty": one.players_with_kitty,
                "usual_players": one.usual_players,
                "options": dict(one.options),
            }
            for one in map(profile, profile_names())
        },
    }
    return json.dumps(shown, indent=1, ensure_ascii=False) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Write both files, or check them; return 1 if a check fails and 0 otherwise."""
    parser = ToolArguments(prog="refengine conform profiles-page")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args(arguments).check
    code = 0
    for path, text in ((PAGE, page_markdown()), (FILE, profiles_json())):
        if not check:
            path.write_text(text, "utf-8")
        elif not path.is_file() or path.read_text("utf-8") != text:
            print(f"{path.name} is not what the profiles say: run `make registry`")
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
