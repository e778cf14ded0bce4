"""The flags by which a table is named, for both the command line and pytest.

Nothing else from the project is imported here, since pytest reads the flags in every
run, with or without an adapter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

SEED: Final = 2026
"""The usual seed of the games for a table."""


class Flag(NamedTuple):
    """A flag: its name without the dashes, and its `metavar` and `help` in a help text.

    `kind` converts the text typed to a value, which must be one of the `choices`, if
    there are any. If `many` is true, the flag may be repeated. `field` is the attribute
    of `TableFlags` that keeps the value; it is empty for a flag not among
    `TABLE_FLAGS`.
    """

    name: str
    metavar: str
    help: str
    field: str = ""
    kind: Callable[[str], Any] = str
    many: bool = False
    choices: tuple[str, ...] = ()

    def reading(self) -> dict[str, Any]:
        """How argparse reads the flag: the arguments that its `add_argument` takes.

        A flag that was not given is None, or an empty list if it may be repeated.
        """
        return {
            "type": self.kind,
            "choices": self.choices or None,
            "action": "append" if self.many else "store",
            "default": [] if self.many else None,
        }


TABLE_FLAGS: Final = (
    Flag(
        "profile",
        "TEXT",
        "The profile of the table, or the file of a club; by default estmesh-hearts.",
        "profile",
    ),
    Flag(
        "players", "INTEGER", "By default the profile's usual number.", "players", int
    ),
    Flag(
        "option",
        "NAME=VALUE",
        "Change an option of the table; repeatable.",
        "options",
        many=True,
    ),
    Flag(
        "hands",
        "full|N|any",
        "Cards in a hand; full is what the whole pack deals. By default any.",
        "hands",
    ),
    Flag(
        "starts",
        "LIST",
        "How games begin: deal, position, match, match-dealer; "
        "by default deal,position,match.",
        "starts",
    ),
    Flag(
        "needs-card",
        "CARD",
        "A card that must be in play, such as QS or 10h; repeatable.",
        "cards",
        many=True,
    ),
    Flag(
        "pack",
        "[full|any]",
        "Whether every game is a whole pack; by default as --hands.",
        "pack",
        choices=("full", "any"),
    ),
    Flag(
        "seed",
        "NUMBER",
        f"The seed of the games, {SEED} by default.",
        "seed_given",
        int,
    ),
)
