"""A table: the ruleset that an engine plays, and what it requires of a game.

A table is declared in the answer to `hello` or on the command line. The suite adapts to
it: only games that can be played at this table are used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import attrs
from msgspec import UnsetType

from refengine.chapters.deal import hand_size, match_pack
from refengine.errors import Malformed, counted, shown, whole_number
from refengine.formats.fields import ruleset_fields
from refengine.formats.normal_form import call_with_place
from refengine.formats.protocol import TableObject
from refengine.formats.trace import Trace
from refengine.game.acts import to_set
from refengine.game.openings_in_words import malformed_opening
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup, Start
from refengine.game.typed import ruleset_flags
from refengine.game.values.cardset import CardSet
from refengine.game.verdicts import Refused
from refengine.lawbook.options import value_text
from refengine.lawbook.spoken import table_said
from refengine.rulings.asking.played_deals import cards_each, pack_of

STARTS: Final = ("deal", "position", "match", "match-dealer")
"""The ways in which a game can begin.

They are a deal as found, a position in play, a match from the cut, and a match whose
first dealer is known.
"""
USUAL_STARTS: Final = ("deal", "position", "match")
USUAL_PROFILE: Final = "estmesh-hearts"
COMMON_PROFILE: Final = "common-hearts"
"""The profile for numbers of players that the usual one does not allow."""


def start_kind(start: Start) -> str:
    """How a game begins, as one of the words in `STARTS`."""
    if isinstance(start, Match):
        return "match" if start.dealer is None else "match-dealer"
    return "deal" if start.leader is None else "position"


def _to_hands(given: object) -> int | str:
    """The `hands` of a table: a whole number, `full` or `any`.

    Raises Malformed for any other value.
    """
    number = whole_number(given)
    if number is not None:
        return number
    if given in ("full", "any"):
        return str(given)
    raise Malformed(shown(given)[:60], "full, a number or any", "hands")


def _to_cards(given: object) -> CardSet:
    """The `cards` of a table; raises Malformed for anything but a set of cards."""
    return call_with_place("cards", to_set, given)


def _to_starts(given: Iterable[str]) -> tuple[str, ...]:
    """The `starts` of a table, each once, in the order of `STARTS`.

    Raises Malformed for a name that is not one of them, and if none is given.
    """
    named, allowed = tuple(given), f"some of {', '.join(STARTS)}"
    for one in named:
        if one not in STARTS:
            raise Malformed(f"{one!r:.60}", allowed, "starts")
    if not named:
        raise Malformed("none", allowed, "starts")
    return tuple(one for one in STARTS if one in named)


@attrs.frozen(kw_only=True)
class Table:
    """A ruleset, and what an engine requires of a game under it.

    `hands` is the number of cards dealt to each seat, `full` for the number dealt from
    the whole pack, or `any`. `starts` are the ways in which a game may begin. `pack` is
    `full` if every game uses the whole pack, or `any`. `cards` are those that must be
    in play. Raises Malformed for any other value, and for hands that no pack can deal.
    """

    ruleset: Ruleset
    hands: int | str = attrs.field(default="any", converter=_to_hands)
    starts: tuple[str, ...] = attrs.field(default=USUAL_STARTS, converter=_to_starts)
    pack: str = attrs.field(
        default=attrs.Factory(lambda self: usual_pack(self.hands), takes_self=True)
    )
    cards: CardSet = attrs.field(factory=CardSet, converter=_to_cards)

    def __attrs_post_init__(self) -> None:
        """Raise Malformed for hands that cannot be dealt, or a wrong pack or cards."""
        if isinstance(self.hands, int):
            self._check_hand(self.hands)
        if self.pack not in ("full", "any"):
            raise Malformed(f"{self.pack!r:.60}", "full or any", "pack")
        missing = self.cards - self.whole_pack
        if self.whole and missing:
            allowed = "cards that are in the whole pack of this ruleset"
            word = "card" if len(missing) == 1 else "cards"
            raise Malformed(f"the {word} {missing}", allowed, "cards")

    def _check_hand(self, hand: int) -> None:
        """Raise Malformed if hands of this size cannot be dealt from the pack."""
        full = self.full_hand
        most = 52 // self.ruleset.players
        if not 1 <= hand <= most:
            allowed = f"a hand of 1 to {most} cards"
            raise Malformed(_a_hand(hand), allowed, "hands")
        if self.pack == "full" and hand != full:
            allowed = f"the {counted(full, 'card')} that the whole pack deals to each"
            raise Malformed(_a_hand(hand), allowed, "hands")

    @property
    def whole(self) -> bool:
        """Whether every game is played with the whole pack."""
        return "full" in (self.hands, self.pack)

    @property
    def whole_pack(self) -> CardSet:
        """The whole pack of this ruleset: the 52 cards without those removed (3.3)."""
        return pack_of(self.ruleset)

    @property
    def full_hand(self) -> int:
        """How many cards a seat is dealt from the whole pack."""
        return cards_each(self.ruleset)

    @property
    def hand(self) -> int | None:
        """How many cards each seat is dealt, or None if it can be any number."""
        if self.whole:
            return self.full_hand
        return self.hands if isinstance(self.hands, int) else None

    @property
    def possible_starts(self) -> tuple[str, ...]:
        """The starts from which a game can have hands of the size that the table needs.

        If the ruleset requires another size, hands of that size are dealt in every
        match (3.4), and a position counts as dealt in that way. Then only a deal with
        given hands, which may be of any size (3.12), is possible.
        """
        named = int(self.ruleset.rules.hand_size)
        if named and self.hand not in (None, named):
            return tuple(kind for kind in self.starts if kind == "deal")
        return self.starts

    def fields(self) -> dict[str, Any]:
        """The table as `hello` declares it in JSON, with every key.

        The options are those that differ from the profile's.
        """
        ruleset = ruleset_fields(self.ruleset)
        return {
            "profile": ruleset["profile"],
            "players": [self.ruleset.players],
            "options": ruleset.get("options", {}),
            "hands": self.hands,
            "starts": list(self.starts),
            "pack": self.pack,
            "cards": str(self.cards),
        }

    def flags(self) -> tuple[str, ...]:
        """The flags that name this table on the command line."""
        found = [*ruleset_flags(self.ruleset)]
        found += ["--hands", str(self.hands), "--starts", ",".join(self.starts)]
        for card in self.cards:
            found += ["--needs-card", str(card)]
        if self.pack != usual_pack(self.hands):
            found += ["--pack", self.pack]
        return tuple(found)

    @property
    def said(self) -> str:
        """The table in everyday words, with the identifiers in brackets."""
        ruleset = self.ruleset
        table = table_said(ruleset.profile, ruleset.players, ruleset.changed)
        return f"{table}; {self._hands_said}"

    @property
    def _hands_said(self) -> str:
        """The size of the hands, in words; with the whole pack, hands are whole too."""
        hands: int | str = "full" if self.whole and self.hands == "any" else self.hands
        return _HANDS[hands] if isinstance(hands, str) else _a_hand(hands)

    def __str__(self) -> str:
        """The table in words: `estmesh-hearts, 4 players, whole hands`."""
        changed = self.ruleset.changed.items()
        options = [f"{name}={value_text(value)}" for name, value in changed]
        return ", ".join(
            [
                self.ruleset.profile,
                f"{self.ruleset.players} players",
                *options,
                self._hands_said,
            ]
        )

    def admits(self, ruleset: Ruleset, start: Start) -> bool:
        """Whether a game of this ruleset that begins like this can be played here."""
        return ruleset == self.ruleset and not self.why_not(start)

    def why_not(self, start: Start) -> str:
        """Why a game that begins like this cannot be played at the table.

        The reason is `start`, `hand`, `pack` or `cards`, or empty if the game can be
        played.
        """
        if start_kind(start) not in self.starts:
            return "start"
        hands, pack = hands_and_pack(self.ruleset, start)
        if self.hand is not None and hands != self.hand:
            return "hand"
        if self.whole and pack != self.whole_pack:
            return "pack"
        return "cards" if self.cards - pack else ""


_HANDS: Final[dict[str, str]] = {
    "full": "whole hands",
    "any": "hands of any size",
}


def _a_hand(cards: int) -> str:
    """The number of cards in a hand, in words."""
    return f"{counted(cards, 'card')} a hand"


def usual_pack(hands: int | str) -> str:
    """The `pack` that a table with these `hands` has by default."""
    return "full" if hands == "full" else "any"


def hands_and_pack(ruleset: Ruleset, start: Start) -> tuple[int, CardSet]:
    """How many cards a seat was dealt in a game that begins like this, and the pack.

    For a position, the number is taken from the ruleset if that requires a size.
    """
    rules = ruleset.rules
    if isinstance(start, Match):
        pack = match_pack(rules, start.pack.mask)
        return int(hand_size(rules, pack, bool(start.pack))), CardSet.of_mask(pack)
    cards = cards_of_setup(start)
    if start.leader is None:
        return max(map(len, start.hands)), cards
    if rules.hand_size:
        return int(rules.hand_size), cards
    return _hand_as_dealt(start), cards


def cards_of_setup(setup: Setup) -> CardSet:
    """All cards of a deal: in hand, on the table, taken, in the stock or the kitty."""
    cards = CardSet(setup.stock) | CardSet(setup.trick) | setup.kitty
    for pile in (*setup.hands, *(setup.taken or ())):
        cards |= pile
    return cards


def cards_in_play(trace: Trace) -> int:
    """How many cards are in a game, including those of the stock and the kitty."""
    return len(hands_and_pack(trace.ruleset, trace.start)[1])


def has_whole_pack(trace: Trace) -> bool:
    """Whether a game uses all the cards of its ruleset's whole pack (3.3)."""
    return not pack_of(trace.ruleset) - hands_and_pack(trace.ruleset, trace.start)[1]


def _hand_as_dealt(position: Setup) -> int:
    """How many cards a seat was dealt, worked out from a position without a stock.

    Each completed trick took one card from every hand.
    """
    played = sum(position.tricks or ())
    return max(map(len, position.hands)) + played


def table_of(read: TableObject, players: int | None = None) -> Table:
    """The table that an entry of `hello` declares for this number of players.

    Raises Malformed for anything that is not in the book, or that the book refuses.
    """
    try:
        ruleset = Ruleset(read.profile, players, read.options)
    except Refused as refused:
        raise malformed_opening(refused, "ruleset") from None
    pack = usual_pack(read.hands) if isinstance(read.pack, UnsetType) else read.pack
    return Table(
        ruleset=ruleset,
        hands=read.hands,
        starts=tuple(read.starts) or USUAL_STARTS,
        pack=pack,
        cards=read.cards,
    )


def tables_of(declared: Iterable[TableObject]) -> tuple[Table, ...]:
    """The tables that `hello` declares, one for each number of players in each entry.

    A number that an entry repeats counts once. Raises Malformed for anything that is
    not in the book, or that the book refuses.
    """
    return tuple(
        call_with_place(f"tables[{place}]", table_of, one, players)
        for place, one in enumerate(declared)
        for players in dict.fromkeys(one.players or (None,))
    )
