"""A table as described by flags, on the command line or for pytest."""

from __future__ import annotations

from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.normal_form import call_with_place
from refengine.game.clubs import base_of
from refengine.game.typed import naming_flags, read_ruleset
from refengine.game.values.cardset import CardSet
from refengine.machine.cards_typed import cards_typed
from refengine_conformance.runner.table import (
    USUAL_PROFILE,
    USUAL_STARTS,
    Table,
    usual_pack,
)
from refengine_conformance.tables.flags import SEED, TABLE_FLAGS

_MOST_DIGITS: Final = 12  # in a typed number; `int` fails at a few thousand


@attrs.frozen(kw_only=True)
class TableFlags:
    """The table flags as they were typed.

    A flag that was not typed is None, or an empty tuple if it may be repeated.
    `prefix` comes before the name of each flag, as in `--hearts-hands`.
    """

    profile: str | None = None
    players: int | None = None
    options: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    hands: str | None = None
    starts: str | None = None
    cards: tuple[str, ...] = attrs.field(default=(), converter=tuple[str, ...])
    pack: str | None = None
    seed_given: int | None = None
    prefix: str = ""

    def flag(self, name: str) -> str:
        """The flag with this name as it is typed: `--`, the prefix and the name."""
        return f"--{self.prefix}{name}"

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the flags that were typed, with the profile first."""
        return tuple(
            self.flag(one.name)
            for one in TABLE_FLAGS
            if getattr(self, one.field) not in (None, ())
        )

    @property
    def names_table(self) -> bool:
        """Whether any flag that describes a table was typed; a seed alone does not."""
        return any(flag != self.flag("seed") for flag in self.given)

    @property
    def base(self) -> str:
        """The profile of the book that was typed, or that the club's file is based on.

        Empty if no profile was typed. Raises Malformed if what was typed is neither a
        profile of the book nor the file of a club.
        """
        if self.profile is None:
            return ""
        with naming_flags(self._flags()):
            return base_of(self.profile)

    @property
    def seed(self) -> int:
        """The seed of the games: the one that was typed, or else the usual one."""
        return SEED if self.seed_given is None else self.seed_given

    def check_beside(self, published: str) -> None:
        """Check that the flags may be used with an option for the published corpus.

        `published` is that option, or empty if there is none. Only the profile may be
        used with it, to choose among the lines. Raises Malformed for any other flag,
        and for a profile that does not exist.
        """
        if not published:
            return
        _ = self.base  # raises Malformed for a profile that does not exist
        profile = self.flag("profile")
        if others := [flag for flag in self.given if flag != profile]:
            allowed = f"with {published}, no flag of a table but {profile}"
            raise Malformed(others[0], allowed, published)

    def table(self) -> Table:
        """The table, with the usual value for everything that was not typed.

        Raises Malformed, which names the flag, for anything that the book does not
        contain or that it refuses.
        """
        profile = USUAL_PROFILE if self.profile is None else self.profile
        starts: tuple[str, ...] = USUAL_STARTS
        if self.starts is not None:
            starts = tuple(self.starts.replace(",", " ").split())
        with naming_flags(self._flags()):
            ruleset = read_ruleset(profile, self.players, self.options)
            hands = read_hands("any" if self.hands is None else self.hands)
            return Table(
                ruleset=ruleset,
                hands=hands,
                starts=starts,
                pack=usual_pack(hands) if self.pack is None else self.pack,
                cards=_read_cards(self.cards),
            )

    def _flags(self) -> dict[str, str]:
        """A mapping from the place that an error names to the flag as it is typed."""
        typed = {one.name: self.flag(one.name) for one in TABLE_FLAGS}
        in_table = {"options": self.flag("option"), "cards": self.flag("needs-card")}
        return {**typed, **in_table}


def _read_cards(given: tuple[str, ...]) -> CardSet:
    """The cards that must be in play; raises Malformed for text that names none."""
    cards = CardSet()
    for text in given:
        cards |= call_with_place("needs-card", _cards_in, text)
    return cards


def _cards_in(text: str) -> CardSet:
    """The cards that the text names, usually one; raises Malformed if it names none."""
    if cards := cards_typed(text):
        return CardSet(cards)
    raise Malformed(f"{text!r:.60}", "a card such as QS")


def read_hands(given: str) -> int | str:
    """How many cards a hand has: a number, `full` or `any`.

    Raises Malformed for any other text, and for a number of more than twelve digits.
    """
    if given in ("full", "any"):
        return given
    if given.isascii() and given.isdigit() and len(given) <= _MOST_DIGITS:
        return int(given)
    raise Malformed(f"{given!r:.60}", "full, a number of cards or any", "hands")
