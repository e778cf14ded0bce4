"""What the lines of a written game have said so far about the match and its deals.

Each method records one fact, and raises Malformed if it contradicts an earlier one.
Which kind of line states which fact is decided in `reading_written`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import attrs

from refengine.chapters.table import SEATS
from refengine.errors import Malformed, harmless
from refengine.formats.written.cards_written import hand_written, laid_cards
from refengine.formats.written.columns_written import (
    Columns,
    Row,
    cards_of_row,
    columns_headed,
    drawn_only,
    keeps_to,
    row_of,
    seats_over,
)
from refengine.formats.written.names_written import labels, seat_given
from refengine.formats.written.rules_written import rules_written
from refengine.formats.written.written_match import (
    LONGEST_TEXT,
    DealSoFar,
    Laid,
    PassAct,
    WrittenDeal,
    WrittenMatch,
    WrittenTrick,
)
from refengine.game.acts import MOST, Cut, Draw, Retract
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import CardSet
from refengine.machine.cards_typed import cards_typed

HINT: Final = (
    "a trick (Ann: 2C 3C 4C 5C), a hand (hand Ann: 2C ...), deal, dealer, pass, score, "
    "totals, players, rules, or a remark after #"
)
_NUMBERED: Final = re.compile(
    r"(?:trick\s*#?)?(\d{1,3})\s*[.):](?!\d)\s*(.*)", re.IGNORECASE
)
_COUNTED: Final = re.compile(r"(?:trick\s+)?(\d{1,3})\s+(.*)", re.IGNORECASE)
_WINNER: Final = re.compile(
    r"\s*(?:->|→|=>|,?\s*(?:won by|winner:?|taken by)\s)\s*([^>→]+)$", re.IGNORECASE
)
_POINTS: Final = re.compile(r"\s*\(([+-]?\d{1,3})\)\s*$")
_ROW_BEGINS: Final = frozenset("0123456789>+-:")
_WHOLE: Final = r"[+-]?\d{1,10}"
_THEN: Final = re.compile(r"\s*,\s*then\s+", re.IGNORECASE)
_BETWEEN_TRICKS: Final = re.compile(r"\s*[|;/]\s*")


@attrs.define
class DealRead(DealSoFar):
    """A deal as far as it has been read."""

    tricks: int = 0  # begun so far
    # The indices in `course` of the tricks that seem to name the players in turn:
    listed_in_turn: list[int] = attrs.field(factory=list)
    listed: bool = False  # whether hands are listed without a keyword before them
    after: bool = False  # whether the hands listed are those after the pass


class Record:
    """What the lines read so far have said about the match and its deals."""

    def __init__(self) -> None:
        self.name = ""
        self.names: tuple[str, ...] = ()
        self.ruleset: Ruleset | None = None
        self.players: int | None = None
        self.begins = False
        self.dealer: int | None = None
        self.pack = CardSet()
        self.cuts: list[tuple[int, Cut]] = []  # the index of its deal, and the cut
        self.deals: list[DealRead] = []
        self.remarks: list[str] = []
        self.columns: Columns | None = None
        self.rows_of: DealRead | None = None  # the deal of the last row

    # The deal at hand

    def deal(self) -> DealRead:
        """Return the deal that is being read, or a new one if there is none yet."""
        if not self.deals:
            self.deals.append(DealRead())
        return self.deals[-1]

    def fresh(self) -> DealRead:
        """Return the deal for a line that must come before any score of its deal.

        If the last deal already has a score or totals, this is a new deal.
        """
        if self.deal().score or self.deal().totals:
            self.deals.append(DealRead())
        return self.deal()

    def seat(self, text: str) -> int:
        """The seat that the text names; raises Malformed unless it names one."""
        seat = seat_given(text, self.names)
        if self.players is not None and seat >= self.players:
            raise Malformed(f"seat {seat}", f"a seat from 0 to {self.players - 1}")
        return seat

    def remark(self, text: str) -> None:
        """Record a remark, unless it is empty."""
        plain = " ".join(harmless(" ".join(text.split()), LONGEST_TEXT).split())
        if plain:
            (self.deals[-1].remarks if self.deals else self.remarks).append(plain)

    def at_table(self, number: int) -> None:
        """Record the number of players.

        Raises Malformed if it was different before, or if no table has so many.
        """
        if not 2 <= number <= SEATS:
            raise Malformed(f"{number} players", f"2 to {SEATS}")
        if self.players not in (None, number):
            raise Malformed(f"{number} players", f"{self.players}, as written before")
        self.players = number

    # What a line says

    def table(self, line: str) -> bool:
        """Read a line if it is part of a table of tricks, and return whether it is.

        Once a deal has begun below the table, only a line that fits the columns counts
        as part of it.
        """
        headed = columns_headed(line)
        if headed is not None:
            self.columns, self.rows_of = headed, None
            self.headed(headed)
            return True
        if self.columns is None:
            return False
        under = self.columns.places and not line[: self.columns.places[0]].strip()
        if not under and line.strip(" |")[:1] not in _ROW_BEGINS:
            return False
        later = self.rows_of is not None and self.rows_of is not self.deals[-1]
        if later and not keeps_to(self.columns, line):
            return False
        row = row_of(self.columns, line)
        if row is not None:
            self.row(row)
            self.rows_of = self.deals[-1]
        return True

    def headed(self, columns: Columns) -> None:
        """Record the number of players, and their names if they have none yet.

        Raises Malformed if the names above the columns do not agree with earlier lines.
        """
        if seats_over(columns, self.names):
            self.at_table(len(columns.labels))
        elif not self.names:
            self.at_table(len(columns.labels))
            self.names = columns.labels
        elif [self.seat(one) for one in columns.labels] != list(range(len(self.names))):
            raise Malformed("columns in another order", ", ".join(self.names))

    def row(self, row: Row) -> None:
        """Record a row of a table as a trick.

        If a card has just been taken back, the row is the rest of the last trick.
        """
        deal = self.fresh()
        last = deal.course[-1] if deal.course else None
        goes_on = isinstance(last, Retract)
        drawn = {seat: drawn_only(cell) for seat, cell in enumerate(row.cells)}
        cells = tuple(
            "" if drawn[seat] else cell for seat, cell in enumerate(row.cells)
        )
        leader, cards = cards_of_row(cells)
        if goes_on:
            whole = self.written(deal).tricks
            lie = {(one.seat, one.card) for one in whole[-1].cards} if whole else set()
            cards = tuple(one for one in cards if (one.seat, one.card) not in lie)
        due = deal.tricks + (not goes_on)
        stated = row.number.rstrip(".")
        if stated and stated.lstrip("0") != str(due):
            raise Malformed(f"trick {stated[:9]}", f"trick {due}")
        winner = self.seat(row.winner) if row.winner.strip("-–—") else None
        if cards:
            deal.course.append(
                WrittenTrick(cards=cards, leader=leader, winner=winner, goes_on=goes_on)
            )
            deal.tricks += not goes_on
        for seat, number in drawn.items():
            deal.course += [Draw(seat)] * number

    def rules(self, text: str) -> None:
        """Record the rules, which may be given only once, before the first deal."""
        if self.deals or self.ruleset is not None:
            raise Malformed("rules", "rules once, before the first deal")
        self.ruleset = rules_written(text, self.players)
        self.at_table(self.ruleset.players)

    def seats(self, text: str) -> None:
        """Record the names of the players, or their number if the text is a number."""
        if text.isdecimal() and len(text) <= 2:
            self.at_table(int(text))
            return
        if self.names:
            raise Malformed("players", "players once")
        names = tuple(" ".join(one.split()) for one in re.split(r"[,;|/]", text))
        if len(names) < 2:
            raise Malformed(f"{text!r:.60}", "names with commas between them")
        self.at_table(len(names))
        self.names = names

    def begin(self, number: int, listed: bool) -> bool:
        """Record the number of a deal, and return whether another deal begins with it.

        `listed` says whether hands follow, each on its own line without a keyword.
        """
        before = self.deals[-1] if self.deals else None
        again = before is not None and before.number == number and not before.tricks
        if before is not None and again and listed and (before.passes or before.mixed):
            before.listed = before.after = True
            return False
        self.begin_unnumbered()
        if not 1 <= number <= MOST:
            raise Malformed(f"number {number}", f"a number from 1 to {MOST}")
        self.deal().number = number
        self.deal().listed = listed
        return True

    def begin_unnumbered(self) -> None:
        """Begin a deal whose number nobody wrote down."""
        self.deals.append(DealRead())

    def hand(self, text: str, cards: str, after: bool) -> None:
        """Record a hand of a seat, which may have one before and one after the pass."""
        seat = self.seat(text)
        deal = self.fresh()
        hands = deal.held if after else deal.dealt
        if seat in hands:
            raise Malformed(f"a second hand of {text.strip()!r:.40}", "one for a seat")
        hands[seat] = hand_written(cards)

    def cut(self, act: Cut) -> None:
        """Record a card of a cut, for the next deal if the last one has been played."""
        place = max(0, len(self.deals) - (not self.has_played()))
        self.cuts.append((place, act))

    def has_played(self) -> bool:
        """Whether something is recorded of the play or the score of the last deal."""
        last = self.deals[-1] if self.deals else None
        return last is not None and bool(last.course or last.score or last.totals)

    def passed(self, act: PassAct) -> None:
        """Record what a seat passes."""
        deal = self.fresh()
        if deal.tricks:
            raise Malformed("a pass", "passes before the first trick")
        deal.passes.append(act)

    def numbers(self, text: str) -> tuple[int, ...]:
        """Read a number for each seat, given in the order of seats or with names."""
        text = text.replace("\u2212", "-")  # the minus sign
        words = re.sub(r"[,;|=:]", " ", text).split()
        if all(re.fullmatch(_WHOLE, word) for word in words):
            found = tuple(int(word) for word in words)
        else:
            found = self._named_numbers(text)
        if len(found) != (self.players or len(found)):
            raise Malformed(f"{len(found)} numbers", f"{self.players}, one for a seat")
        if not 2 <= len(found) <= SEATS:
            raise Malformed(f"{len(found)} numbers", "one for each seat")
        for one in found:
            if not -MOST - 1 <= one <= MOST:
                raise Malformed(f"{one}", f"a number from {-MOST - 1} to {MOST}")
        return found

    def _named_numbers(self, text: str) -> tuple[int, ...]:
        """Read a number after the name of each seat, and return them by seat."""
        found: dict[int, int] = {}
        for part in re.split(r"[,;|]", text):
            read = re.fullmatch(rf"\s*(.+?)[\s:=]+({_WHOLE})\s*", part)
            seat = self.seat(read[1]) if read else None
            if read is None or seat is None or seat in found:
                raise Malformed(f"{text.strip()!r:.60}", "a number for each seat")
            found[seat] = int(read[2])
        if sorted(found) != list(range(len(found))):
            raise Malformed(f"{text.strip()!r:.60}", "a number for each seat")
        return tuple(found[seat] for seat in range(len(found)))

    # Tricks

    def tricks(self, text: str) -> None:
        """Read a line of one or more tricks."""
        parts = [part for part in _BETWEEN_TRICKS.split(text) if part]
        if not parts:
            raise Malformed(f"{text!r:.60}", HINT)
        if len(parts) > 1 and self.is_one_trick(parts, "|" in text):
            parts = [" ".join(parts)]
        for part in parts:
            self.trick(part)

    def is_one_trick(self, parts: Sequence[str], bars: bool) -> bool:
        """Whether the parts are cards of a single trick, one card each.

        The first card may come after the name of the leader. Unless there are `bars`
        between the parts, each card may come after the name of its player, provided
        that no other player is said to lead.
        """
        seat = labels(self.names)
        begun = _numbered(parts[0], self.fresh().tricks + 1)
        told = [begun[2] if begun else parts[0], *parts[1:]]
        told[-1] = _WINNER.sub("", _POINTS.sub("", told[-1]))
        if not all(_is_one_card(seat.sub(" ", one)) for one in told):
            return False
        named = [[*seat.finditer(one)] for one in told]
        others = [one for some in named[1:] for one in some]
        if not others:
            return True
        seats = [self.seat(one[1]) for some in named for one in some]
        leads = any((one[2] or "").lower() in ("leads", "led") for one in others)
        return not (bars or leads) and len(seats) == len({*seats}) == len(told)

    def trick(self, text: str) -> None:
        """Read a trick, with or without its number, leader, seats and winner."""
        deal = self.fresh()
        due = deal.tricks + 1
        numbered = _numbered(text, due)
        goes_on = False
        if numbered:
            goes_on = numbered[2].startswith("..")
            begun = max(1, deal.tricks) if deal.position else deal.tricks
            if int(numbered[1]) != (begun if goes_on else due):
                allowed = f"trick {due}, which comes next in its deal"
                raise Malformed(f"trick {numbered[1]}", allowed)
            text = numbered[2].lstrip(". ") if goes_on else numbered[2]
        points = _POINTS.search(text)
        text = text[: points.start()] if points else text
        winner = _WINNER.search(text)
        won = self.seat(winner[1]) if winner else None
        text = text[: winner.start()] if winner else text
        plain, thens = _THEN.subn(", ", text)
        leader, cards = self.laid(plain)
        if not cards:
            raise Malformed(f"{text!r:.60}", HINT)
        if self.players is not None and len(cards) > self.players:
            allowed = f"at most {self.players} in a trick; | goes between tricks"
            raise Malformed(f"{len(cards)} cards", allowed)
        deal.course.append(
            WrittenTrick(
                cards=cards,
                leader=leader,
                winner=won,
                goes_on=goes_on,
                points=int(points[1]) if points else None,
                in_order=0 < thens == len(cards) - 1 and cards[0].seat is not None,
            )
        )
        deal.tricks = due if not goes_on else max(1, deal.tricks)

    def laid(self, text: str) -> tuple[int | None, tuple[Laid, ...]]:
        """The leader of a trick, if the text names one, and the cards."""
        found = list(labels(self.names).finditer(text))
        if not found:
            return None, laid_cards(text)
        if text[: found[0].start()].strip():
            raise Malformed(f"{text!r:.60}", HINT)
        ends = [*[one.start() for one in found[1:]], len(text)]
        parts = [
            text[one.end() : end].strip(" ,;")
            for one, end in zip(found, ends, strict=True)
        ]
        first = self.seat(found[0][1])
        if len(found) == 1 and found[0][2] != "=":
            return first, laid_cards(parts[0])
        leads = {
            self.seat(one[1])
            for one in found
            if (one[2] or "").lower() in ("leads", "led")
        }
        leads |= set() if parts[0] else {first}
        if len(leads) > 1:
            raise Malformed(f"{text!r:.60}", "one leader of a trick")
        cards = [
            laid_cards(part, self.seat(one[1]))
            for one, part in list(zip(found, parts, strict=True))[not parts[0] :]
        ]
        seats = [one[0].seat for one in cards if len(one) == 1]
        if len(seats) < len(cards) or len({*seats}) < len(seats):
            raise Malformed(f"{text!r:.60}", "one card after each player")
        if "=" not in [one[2] for one in found]:
            self.deal().listed_in_turn.append(len(self.deal().course))
        return next(iter(leads), None), tuple(one[0] for one in cards)

    def led_by_first(self, deal: DealRead) -> None:
        """Infer the leaders of tricks that name a seat for each card.

        If the first seat is not always the same, the seats are in the order of play,
        and the first one led. Otherwise they may be the columns of a table, whose order
        says nothing. If most of these tricks go round the table the same way, any other
        of them that is told play by play shows that somebody played out of turn.
        """
        tricks: dict[int, WrittenTrick] = {}
        for at in deal.listed_in_turn:
            one = deal.course[at]
            assert isinstance(one, WrittenTrick)
            tricks[at] = one
        table = len({one.cards[0].seat for one in tricks.values()}) == 1
        mixed = set() if table else self.mixed(tricks)
        for at, one in tricks.items():
            first = None if table else one.cards[0].seat
            deal.course[at] = attrs.evolve(
                one,
                leader=first if one.leader is None else one.leader,
                in_order=one.in_order and at in mixed,
            )
        deal.listed_in_turn = []

    def mixed(self, tricks: dict[int, WrittenTrick]) -> set[int]:
        """The indices of the tricks that do not go round the table as most of them do.

        Only tricks with a card from every player count. If at least half of them do not
        go round the way that is more common, the players do not sit as assumed, and the
        result is empty.
        """
        met = {one.seat for trick in tricks.values() for one in trick.cards}
        players = self.players or len(met)
        whole = {at for at, one in tricks.items() if len(one.cards) == players}
        left, right = (
            {at for at in whole if _goes_round(tricks[at], way, players)}
            for way in (1, -1)
        )
        found = whole - (right if len(right) > len(left) else left)
        return found if 2 * len(found) < len(whole) else set()

    # The end

    def match(self) -> WrittenMatch:
        """The match that was read.

        Raises Malformed if it does not fit one table, or if a cut comes after the last
        deal.
        """
        for place, act in self.cuts:
            if place and place == len(self.deals):
                raise Malformed("a cut behind the last deal", "a deal after a cut")
            if place:
                self.deals[place].cuts.append(act)
        cuts = tuple(act for place, act in self.cuts if not place)
        return WrittenMatch(
            name=self.name,
            names=self.names,
            ruleset=self.ruleset,
            players=self.players,
            begins=self.begins or bool(cuts),
            dealer=self.dealer,
            pack=self.pack,
            cuts=cuts,
            deals=tuple(self.written(deal) for deal in self.deals),
            remarks=tuple(self.remarks),
        )

    def written(self, deal: DealRead) -> WrittenDeal:
        """A deal as a `WrittenDeal`."""
        self.led_by_first(deal)
        return deal.written(self.players or 0)


def _goes_round(trick: WrittenTrick, way: int, players: int) -> bool:
    """Whether each card is from the seat next to that of the card before it.

    `way` is 1 if the next seat is that to the left, and -1 if it is that to the right.
    """
    seats = [-1 if one.seat is None else one.seat for one in trick.cards]
    return all((a + way) % players == b for a, b in pairwise(seats))


def _numbered(text: str, due: int) -> re.Match[str] | None:
    """Split the text of a trick into its number and the rest; None without a number.

    A number without a full stop or similar mark after it counts only if it is `due`.
    """
    found = _NUMBERED.fullmatch(text)
    counted = None if found else _COUNTED.fullmatch(text)
    if counted and int(counted[1]) == due and not _is_cards(text):
        return counted
    return found


def _is_cards(text: str) -> bool:
    """Whether the text is nothing but cards."""
    try:
        return bool(cards_typed(text))
    except Malformed:
        return False


def _is_one_card(text: str) -> bool:
    """Whether the text is one card, as `laid_cards` reads it."""
    try:
        return len(laid_cards(text)) == 1
    except Malformed:
        return False
