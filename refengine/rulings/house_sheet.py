"""The rules played at one table, as a sheet of sentences with their clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import attrs

from refengine.chapters.cards import EMPTY, count, points_of
from refengine.chapters.deal import hand_size, match_pack, removed_cards
from refengine.chapters.settings import KITTY, STOCK
from refengine.errors import counted
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import CardSet
from refengine.lawbook.main_clauses import clauses_of_value, main_clauses
from refengine.lawbook.options import BY_NAME, OPTIONS, Option, Value
from refengine.lawbook.pass_words import passes_at_table
from refengine.lawbook.profiles import profile
from refengine.rulings.words import cards_words, option_meaning, sentence

_HEADINGS: Final = {
    "The deal": (2, 3),
    "The pass": (4,),
    "The play": (5,),
    "Drawing": (6,),
    "What cards cost": (1,),
    "Moon and score": (8,),
    "The end": (9,),
    "Failing to follow suit": (7,),
}
"""The sections of a sheet, and the chapters to which their options belong."""

# Covered by the numbers of cards in `size_lines`.
_COUNTED: Final = ("removal", "hand_size", "undealt")
_TOLD: Final = (
    "moon",
    "queen_breaks_hearts",
    "survivor_takes_stock",
    "revoke_ends_deal",
)
"""Options worth a sentence even if their value is none or no."""
_QUIET: Final = (False, 0, "none", "no", "all_played")


@attrs.frozen
class SheetLine:
    """A sentence and the clauses on which it is based.

    `instead` says what holds in the profile; it is empty if the same holds there, or if
    the option has no effect in the profile.
    """

    text: str
    clauses: tuple[str, ...]
    instead: str = ""


@attrs.frozen
class SheetSection:
    """A section of the sheet: its title, and its lines.

    `changed` says whether it is the section on what differs from the profile.
    """

    title: str
    lines: tuple[SheetLine, ...]
    changed: bool = False


@attrs.frozen
class HouseSheet:
    """The sheet of a table: title, a line about the game, sections, and a citation."""

    title: str
    about: str
    sections: tuple[SheetSection, ...]
    foot: str


def house_sheet(ruleset: Ruleset) -> HouseSheet:
    """The sheet of rules for a table, beginning with what differs from its profile.

    Options that have no effect are left out, and so are nearly all options whose value
    only says that nothing special is done.
    """
    base = profile(ruleset.profile)
    sections = [
        SheetSection(
            f"What differs from {base.name}", tuple(_differences(ruleset)), True
        ),
        *(
            SheetSection(title, tuple(_lines(ruleset, chapters)))
            for title, chapters in _HEADINGS.items()
        ),
    ]
    based = f"Based on {base.name}; what differs from it comes first."
    return HouseSheet(
        f"House rules: {base.title}, {ruleset.players} players",
        based if sections[0].lines else base.summary,
        tuple(one for one in sections if one.lines),
        ruleset.citation,
    )


def _differences(ruleset: Ruleset) -> Iterator[SheetLine]:
    """A line on each option that differs from the profile, unless it has no effect."""
    base = _at_table(ruleset, profile(ruleset.profile).options)
    for name in _changed(ruleset):
        option = BY_NAME[name]
        if option.bites(_at_table(ruleset, ruleset.options)):
            instead = option_meaning(name, base[name]) if option.bites(base) else ""
            yield SheetLine(*_told(ruleset, name), instead)


def _changed(ruleset: Ruleset) -> list[str]:
    """The options whose values here differ from those of the profile at this table."""
    base = _at_table(ruleset, profile(ruleset.profile).options)
    own = _at_table(ruleset, ruleset.options)
    return [name for name in ruleset.changed if own[name] != base[name]]


def _lines(ruleset: Ruleset, chapters: tuple[int, ...]) -> Iterator[SheetLine]:
    """The lines of a section, leaving out options that differ from the profile."""
    if 3 in chapters:
        yield from size_lines(ruleset)
    for option in OPTIONS:
        number = main_clauses()[option.name][0]
        if int(number.partition(".")[0]) in chapters and _worth_telling(
            ruleset, option
        ):
            yield SheetLine(*_told(ruleset, option.name))
    if 1 in chapters:
        yield _all_points(ruleset)


def _told(ruleset: Ruleset, name: str) -> tuple[str, tuple[str, ...]]:
    """A sentence on what this option means at the table, and the clauses behind it."""
    value = _at_table(ruleset, ruleset.options)[name]
    numbers = clauses_of_value(name, ruleset.options[name])
    if value != ruleset.options[name]:
        numbers = (*numbers, "4.1a")
    return sentence(option_meaning(name, value)), numbers


def _at_table(ruleset: Ruleset, options: Mapping[str, Value]) -> Mapping[str, Value]:
    """These options with the pass cycle reduced to the passes possible at this table.

    With an odd number of players, no cards can be passed across.
    """
    passes = passes_at_table(options["pass_cycle"], ruleset.players)
    return {**options, "pass_cycle": passes}


def _worth_telling(ruleset: Ruleset, option: Option) -> bool:
    value = ruleset.options[option.name]
    if option.name in (*_COUNTED, *_changed(ruleset)):
        return False
    if not option.bites(_at_table(ruleset, ruleset.options)):
        return False
    quiet = value == option.base and value in _QUIET
    return not quiet or option.name in _TOLD


def size_lines(ruleset: Ruleset) -> Iterator[SheetLine]:
    """The lines on the size of the hands, the cards removed, and the stock or kitty."""
    rules = ruleset.rules
    pack = match_pack(rules, EMPTY)
    size = int(hand_size(rules, pack, False))
    over = int(count(pack)) - size * ruleset.players
    removed = CardSet.of_mask(removed_cards(rules))
    hands = counted(size, "card")
    as_many = rules.undealt == KITTY and not rules.hand_size
    yield SheetLine(
        f"{ruleset.players} players are dealt {hands} each.",
        ("2.6", "3.4a" if as_many else "3.4"),
    )
    if removed:
        taken = cards_words(removed)
        spared = ruleset.options["removal"] == "lowest_no_hearts"
        numbers = ("3.3", "3.3a") if spared else ("3.3",)
        yield SheetLine(f"Taken out of the pack: {taken}.", numbers)
    if rules.undealt in (STOCK, KITTY):
        name = ruleset.options["undealt"]
        words = f"left for the {name}"
        if "undealt" not in ruleset.changed:
            words = option_meaning("undealt", name)
        number = "3.6" if rules.undealt == STOCK else "3.7"
        yield SheetLine(sentence(f"{words}: {counted(over, 'card')}"), (number,))


def _all_points(ruleset: Ruleset) -> SheetLine:
    rules = ruleset.rules
    points = int(points_of(rules, match_pack(rules, EMPTY)))
    return SheetLine(f"A deal has {counted(points, 'point')} in all.", ("1.6",))
