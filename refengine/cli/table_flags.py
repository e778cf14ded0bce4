"""The flags that name a table, shared by the commands that make games for one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import attrs
import click

from refengine.cli.shared import check_profile_name, ruleset_of
from refengine.errors import Malformed
from refengine.game.values.cardset import CardSet
from refengine_conformance.runner.table import (
    SEED,
    USUAL_PROFILE,
    USUAL_STARTS,
    Table,
    usual_pack,
)


@attrs.frozen(kw_only=True)
class TableFlags:
    """The table flags as they were typed; what was not is None or empty."""

    profile: str | None = None
    players: int | None = None
    options: tuple[str, ...] = ()
    hands: str | None = None
    starts: str | None = None
    cards: tuple[str, ...] = ()
    pack: str | None = None
    seed_given: int | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """The flags that were typed, the profile first."""
        typed = {
            "--profile": self.profile is not None,
            "--players": self.players is not None,
            "--option": bool(self.options),
            "--hands": self.hands is not None,
            "--starts": self.starts is not None,
            "--needs-card": bool(self.cards),
            "--pack": self.pack is not None,
            "--seed": self.seed_given is not None,
        }
        return tuple(flag for flag, there in typed.items() if there)

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
        check_profile_name(self.profile)
        if others := [flag for flag in self.given if flag != "--profile"]:
            allowed = f"no flag of a table but --profile beside {published}"
            raise Malformed(others[0], allowed, published)

    def table(self) -> Table:
        """The table, with what is usual for everything that was not typed.

        Raises Malformed for what the book does not have, or refuses.
        """
        check_profile_name(self.profile)
        ruleset = ruleset_of(self.profile or USUAL_PROFILE, self.players, self.options)
        hands = _hands(self.hands or "any")
        starts: tuple[str, ...] = USUAL_STARTS
        if self.starts is not None:
            starts = tuple(self.starts.replace(",", " ").split())
        return Table(
            ruleset=ruleset,
            hands=hands,
            starts=starts,
            pack=self.pack or usual_pack(hands),
            cards=CardSet(" ".join(self.cards)),
        )


def _hands(given: str) -> int | str:
    if given in ("full", "any"):
        return given
    if given.isascii() and given.isdigit():
        return int(given)
    raise Malformed(f"{given!r:.60}", "full, a number of cards or any", "--hands")


_OPTIONS: Final = (
    click.option("--profile", help="The profile of the table, estmesh-hearts if none."),
    click.option("--players", type=int, help="By default the profile's usual number."),
    click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="Change an option of the table; repeatable.",
    ),
    click.option(
        "--hands",
        metavar="full|N|any",
        help="Cards in a hand; full is what the whole pack deals. By default any.",
    ),
    click.option(
        "--starts",
        metavar="LIST",
        help="How games begin: deal, position, match, match-dealer; "
        "by default deal,position,match.",
    ),
    click.option(
        "--needs-card",
        "cards",
        multiple=True,
        metavar="CARD",
        help="A card that must be in play; repeatable.",
    ),
    click.option(
        "--pack",
        type=click.Choice(("full", "any")),
        help="Whether every game is a whole pack; by default as --hands.",
    ),
    click.option(
        "--seed",
        "seed_given",
        type=int,
        metavar="NUMBER",
        help=f"The seed of the games, {SEED} by default.",
    ),
)


def table_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the table flags, which it receives as one value, `flags`."""
    names = [one.name for one in attrs.fields(TableFlags)]

    @wraps(command)
    def with_flags(*args: Any, **given: Any) -> Any:
        typed = {name: given.pop(name) for name in names}
        return command(*args, flags=TableFlags(**typed), **given)

    found: Callable[..., Any] = with_flags
    for option in reversed(_OPTIONS):
        found = option(found)
    return found
