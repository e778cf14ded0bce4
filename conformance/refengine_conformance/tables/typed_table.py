"""A table as somebody typed it, on the command line or for pytest."""

from __future__ import annotations

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


@attrs.frozen(kw_only=True)
class TableFlags:
    """The table flags as they were typed; what was not is None or empty.

    `prefix` stands before the name of each flag, as in `--hearts-hands`.
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
        """The flag of this name, as it is typed."""
        return f"--{self.prefix}{name}"

    @property
    def given(self) -> tuple[str, ...]:
        """The flags that were typed, the profile first."""
        return tuple(
            self.flag(one.name)
            for one in TABLE_FLAGS
            if getattr(self, one.field) not in (None, ())
        )

    @property
    def names_table(self) -> bool:
        """Whether a table was typed; a seed alone names none."""
        return self.given not in ((), (self.flag("seed"),))

    @property
    def base(self) -> str:
        """The profile of the book that was typed, or of a club's file; empty if none.

        Raises Malformed if it is neither.
        """
        if self.profile is None:
            return ""
        with naming_flags(self._flags()):
            return base_of(self.profile)

    @property
    def seed(self) -> int:
        """The seed of the games."""
        return SEED if self.seed_given is None else self.seed_given

    def check_beside(self, published: str) -> None:
        """Check the flags beside an option that asks for the published corpus, if any.

        Raises Malformed for another flag than the profile, which filters it.
        """
        if not published:
            return
        _ = self.base  # raises Malformed for a profile that there is not
        profile = self.flag("profile")
        if others := [flag for flag in self.given if flag != profile]:
            allowed = f"no flag of a table but {profile} beside {published}"
            raise Malformed(others[0], allowed, published)

    def table(self) -> Table:
        """The table, with what is usual for everything that was not typed.

        Raises Malformed, with the flag, for what the book does not have, or refuses.
        """
        with naming_flags(self._flags()):
            return self._table()

    def _table(self) -> Table:
        ruleset = read_ruleset(
            self.profile or USUAL_PROFILE, self.players, self.options
        )
        hands = read_hands(self.hands or "any")
        starts: tuple[str, ...] = USUAL_STARTS
        if self.starts is not None:
            starts = tuple(self.starts.replace(",", " ").split())
        return Table(
            ruleset=ruleset,
            hands=hands,
            starts=starts,
            pack=self.pack or usual_pack(hands),
            cards=_read_cards(self.cards),
        )

    def _flags(self) -> dict[str, str]:
        """All flags, as they are typed, by the places of errors in a table."""
        typed = {one.name: self.flag(one.name) for one in TABLE_FLAGS}
        return {**typed, "options": self.flag("option")}


def _read_cards(given: tuple[str, ...]) -> CardSet:
    """The cards that must be in play; raises Malformed where one is none."""
    found = CardSet()
    for one in given:
        found |= call_with_place("needs-card", _read_card, one)
    return found


def _read_card(given: str) -> CardSet:
    """The card that is typed; raises Malformed if it is none."""
    if card := cards_typed(given):
        return CardSet(card)
    raise Malformed(f"{given!r:.60}", "a card such as QS")


def read_hands(given: str) -> int | str:
    """How many cards a hand has, as typed; raises Malformed for anything else."""
    if given in ("full", "any"):
        return given
    if given.isascii() and given.isdigit():
        return int(given)
    raise Malformed(f"{given!r:.60}", "full, a number of cards or any", "hands")
