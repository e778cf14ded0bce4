"""Reading a game that somebody wrote down: loosely, line by line, and never by guess.

A line says one thing: who plays, the rules, a hand, a trick. What it can be is tried in
turn, by its words, and what is none of it is an error that names the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final

import attrs

from refengine.errors import Malformed, harmless
from refengine.formats.written.card_words_written import clean_line, has_card
from refengine.formats.written.cards_written import hand_written, laid_cards
from refengine.formats.written.columns_written import (
    Columns,
    Row,
    cards_of_row,
    columns_headed,
    drawn_only,
    row_of,
    seats_over,
)
from refengine.formats.written.loosening_written import loosened
from refengine.formats.written.names_written import labels, seat_given, seat_named
from refengine.formats.written.rules_written import is_rules, rules_written
from refengine.formats.written.tables_written import rows_as_tricks
from refengine.formats.written.written_match import (
    Happened,
    Laid,
    PassAct,
    WrittenDeal,
    WrittenMatch,
    WrittenTrick,
)
from refengine.game.acts import (
    MOST,
    Claim,
    Cut,
    Draw,
    MoonChoice,
    Pass,
    PassUnseen,
    QuitTrick,
    Retract,
    Scatter,
)
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import Card, CardSet, card
from refengine.lawbook.pass_words import PASS_WORDS
from refengine.machine.cards_typed import cards_typed

MOST_TEXT: Final = 4 * 1024 * 1024  # characters of a text
MOST_LINE: Final = 2000  # characters of a line
_HINT: Final = (
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
_REMARK: Final = re.compile(r"(?:^|\s)(?:#(?!\d)|//|%)\s*(.*)$")
_POSITION: Final = re.compile(r"position\s*[:=]\s*(.+)", re.IGNORECASE)
_TITLE: Final = re.compile(r"\s*(?:match|title|event)\s*[:=]", re.IGNORECASE)
_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_ROW_BEGINS: Final = frozenset("0123456789>+-:")
_BETWEEN_TRICKS: Final = re.compile(r"\s*[|;/]\s*")


@attrs.define
class _Deal:
    """A deal on its way; the same parts as a WrittenDeal."""

    number: int | None = None
    dealer: int | None = None
    direction: str = ""
    before: tuple[int, ...] = ()
    reached: bool = False
    position: str = ""
    dealt: dict[int, CardSet] = attrs.field(factory=dict)
    stock: tuple[Card, ...] = ()
    kitty: CardSet | None = None
    passes: list[PassAct] = attrs.field(factory=list)
    mixed: bool = False
    held: dict[int, CardSet] = attrs.field(factory=dict)
    course: list[WrittenTrick | Happened] = attrs.field(factory=list)
    score: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    remarks: list[str] = attrs.field(factory=list)
    tricks: int = 0  # begun so far
    listed_in_turn: list[int] = attrs.field(
        factory=list
    )  # of the course, as if in turn
    listed: bool = False  # whether hands stand as a list, without a word before them
    after: bool = False  # whether what is listed are the hands after the pass


class _Reader:
    """What the lines so far have said."""

    def __init__(self) -> None:
        self.name = ""
        self.names: tuple[str, ...] = ()
        self.ruleset: Ruleset | None = None
        self.players: int | None = None
        self.begins = False
        self.dealer: int | None = None
        self.pack = CardSet()
        self.cuts: list[Cut] = []
        self.deals: list[_Deal] = []
        self.remarks: list[str] = []
        self.columns: Columns | None = None

    # The deal at hand

    def deal(self) -> _Deal:
        """The deal that is being written down."""
        if not self.deals:
            self.deals.append(_Deal())
        return self.deals[-1]

    def fresh(self) -> _Deal:
        """The same for what comes before a score: after one a new deal has begun."""
        if self.deal().score or self.deal().totals:
            self.deals.append(_Deal())
        return self.deal()

    def seat(self, text: str) -> int:
        """The seat that must be named here."""
        seat = seat_given(text, self.names)
        if self.players is not None and seat >= self.players:
            raise Malformed(f"seat {seat}", f"a seat from 0 to {self.players - 1}")
        return seat

    def remark(self, text: str) -> None:
        """Keep a remark, if there is anything in it."""
        plain = " ".join(harmless(" ".join(text.split())).split())
        if plain:
            (self.deals[-1].remarks if self.deals else self.remarks).append(plain)

    def at_table(self, number: int) -> None:
        """Note how many play; raises Malformed if it was another number before."""
        if self.players not in (None, number):
            raise Malformed(f"{number} players", f"{self.players}, as written before")
        self.players = number

    # Lines

    def line(self, text: str) -> None:
        """Take in a line; raises Malformed if it is nothing that a game has."""
        position = _POSITION.fullmatch(text.strip())
        if position:  # in which // is no remark
            self.fresh().position = " ".join(position[1].split())
            return
        whole = _REMARK.match(text.lstrip())
        if whole:
            self.remark(whole[1])
            return
        plain = text
        for said in _BRACES.findall(plain):
            self.remark(said)
        plain = _BRACES.sub(" ", plain)
        behind = _REMARK.search(plain)
        if behind:
            plain = plain[: behind.start()]
        if plain.strip() and not self.table(plain):
            self.content(plain.strip().strip("|").strip())
        if behind:
            self.remark(behind[1])

    def content(self, text: str) -> None:
        """Take in a line without its remarks."""
        for pattern, take in _LINES:
            found = pattern.fullmatch(text)
            if found:
                take(self, found)
                return
        if is_rules(text):
            self.rules(text)
        elif not self.seat_says(text):
            self.tricks(text)

    def table(self, line: str) -> bool:
        """Take in a line of a table of tricks, if it is one."""
        headed = columns_headed(line)
        if headed is not None:
            self.columns = headed
            self.headed(headed)
            return True
        if self.columns is None:
            return False
        under = self.columns.places and not line[: self.columns.places[0]].strip()
        if not under and line.strip(" |")[:1] not in _ROW_BEGINS:
            return False
        row = row_of(self.columns, line)
        if row is not None:
            self.row(row)
        return True

    def headed(self, columns: Columns) -> None:
        """The players over the columns; names are taken over where there are none."""
        if seats_over(columns):
            self.at_table(len(columns.labels))
        elif not self.names:
            self.at_table(len(columns.labels))
            self.names = columns.labels
        elif [self.seat(one) for one in columns.labels] != list(range(len(self.names))):
            raise Malformed("columns in another order", ", ".join(self.names))

    def row(self, row: Row) -> None:
        """A row of the table: a trick, or the rest of one after a card taken back."""
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
        if row.number and int(row.number) != due:
            raise Malformed(f"trick {row.number[:9]}", f"trick {due}")
        winner = self.seat(row.winner) if row.winner else None
        if cards:
            deal.course.append(
                WrittenTrick(cards=cards, leader=leader, winner=winner, goes_on=goes_on)
            )
            deal.tricks += not goes_on
        for seat, number in drawn.items():
            deal.course += [Draw(seat)] * number

    def rules(self, text: str) -> None:
        """The rules; they stand before the first deal."""
        if self.deals or self.ruleset is not None:
            raise Malformed("rules", "rules once, before the first deal")
        self.ruleset = rules_written(text, self.players)
        self.at_table(self.ruleset.players)

    def seats(self, text: str) -> None:
        """The players, or only how many they are."""
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

    def begin(self, number: int, rest: str) -> None:
        """A deal with its number; what else stands on the line is as on its own."""
        parts = [one.strip() for one in rest.split(",")]
        listed = any(one.lower().endswith(" deals") for one in parts)
        before = self.deals[-1] if self.deals else None
        again = before is not None and before.number == number and not before.tricks
        if before is not None and again and listed and (before.passes or before.mixed):
            before.listed = before.after = True
            return
        self.deals.append(_Deal())
        self.deal().number = _number(number)
        for part in parts:
            if part:
                self.content(part)
        self.deal().listed = listed

    def begin_unnumbered(self) -> None:
        """A deal whose number nobody wrote down."""
        self.deals.append(_Deal())

    def hand(self, text: str, cards: str, after: bool) -> None:
        """A hand; each seat has one before the pass, and one after it."""
        seat = self.seat(text)
        deal = self.fresh()
        hands = deal.held if after else deal.dealt
        if seat in hands:
            raise Malformed(f"a second hand of {text.strip()!r:.40}", "one for a seat")
        hands[seat] = hand_written(cards)

    def passed(self, act: PassAct) -> None:
        """What a seat passes."""
        deal = self.fresh()
        if deal.tricks:
            raise Malformed("a pass", "passes before the first trick")
        deal.passes.append(act)

    def seat_says(self, text: str) -> bool:
        """Take in a line that begins with a seat and goes on with words, if it does."""
        for pattern, take in _BY_SEAT:
            found = pattern.fullmatch(text)
            seat = seat_named(found[1], self.names) if found else None
            if found and seat is not None:
                take(self, self.seat(found[1]), found)
                return True
        deal = self.deals[-1] if self.deals else None
        label = labels(self.names).match(text)
        if deal is not None and deal.listed and not deal.tricks and label:
            self.hand(label[1], text[label.end() :], deal.after)
            return True
        return False

    def numbers(self, text: str) -> tuple[int, ...]:
        """A number for each seat, by seat or with their names."""
        words = re.sub(r"[,;|=:]", " ", text).split()
        if all(re.fullmatch(r"[+-]?\d{1,9}", word) for word in words):
            found = tuple(int(word) for word in words)
        else:
            found = self._named_numbers(text)
        if len(found) != (self.players or len(found)):
            raise Malformed(f"{len(found)} numbers", f"{self.players}, one for a seat")
        if not 2 <= len(found) <= 13:
            raise Malformed(f"{len(found)} numbers", "one for each seat")
        return found

    def _named_numbers(self, text: str) -> tuple[int, ...]:
        found: dict[int, int] = {}
        for part in re.split(r"[,;|]", text):
            read = re.fullmatch(r"\s*(.+?)[\s:=]+([+-]?\d{1,9})\s*", part)
            seat = self.seat(read[1]) if read else None
            if read is None or seat is None or seat in found:
                raise Malformed(f"{text.strip()!r:.60}", "a number for each seat")
            found[seat] = int(read[2])
        if sorted(found) != list(range(len(found))):
            raise Malformed(f"{text.strip()!r:.60}", "a number for each seat")
        return tuple(found[seat] for seat in range(len(found)))

    # Tricks

    def tricks(self, text: str) -> None:
        """A line of tricks, one or several."""
        parts = [part for part in _BETWEEN_TRICKS.split(text) if part]
        if not parts:
            raise Malformed(f"{text!r:.60}", _HINT)
        first = labels(self.names).sub(" ", _NUMBERED.sub(r"\2", parts[0]))
        if len(parts) > 1 and all(map(_is_one_card, [first, *parts[1:]])):
            parts = [" ".join(parts)]
        for part in parts:
            self.trick(part)

    def trick(self, text: str) -> None:
        """One trick, with or without number, leader, seats and winner."""
        deal = self.fresh()
        due = deal.tricks + 1
        numbered = _NUMBERED.fullmatch(text)
        counted = None if numbered else _COUNTED.fullmatch(text)
        if counted and int(counted[1]) == due and not _is_cards(text):
            numbered = counted
        goes_on = False
        if numbered:
            goes_on = numbered[2].startswith("..")
            begun = max(1, deal.tricks) if deal.position else deal.tricks
            if int(numbered[1]) != (begun if goes_on else due):
                allowed = f"trick {due}, which comes next in its deal"
                raise Malformed(f"trick {numbered[1]}", allowed)
            text = numbered[2].lstrip(". ") if goes_on else numbered[2]
        winner = _WINNER.search(text)
        won = self.seat(winner[1]) if winner else None
        leader, cards = self.laid(text[: winner.start()] if winner else text)
        if not cards:
            raise Malformed(f"{text!r:.60}", _HINT)
        if self.players is not None and len(cards) > self.players:
            allowed = f"at most {self.players} in a trick; | stands between tricks"
            raise Malformed(f"{len(cards)} cards", allowed)
        deal.course.append(
            WrittenTrick(cards=cards, leader=leader, winner=won, goes_on=goes_on)
        )
        deal.tricks = due if not goes_on else max(1, deal.tricks)

    def laid(self, text: str) -> tuple[int | None, tuple[Laid, ...]]:
        """The leader of a trick, if it is written, and the cards."""
        found = list(labels(self.names).finditer(text))
        if not found:
            return None, laid_cards(text)
        if text[: found[0].start()].strip():
            raise Malformed(f"{text!r:.60}", _HINT)
        ends = [*[one.start() for one in found[1:]], len(text)]
        parts = [
            text[one.end() : end].strip(" ,;")
            for one, end in zip(found, ends, strict=True)
        ]
        first = self.seat(found[0][1])
        if len(found) == 1 and found[0][2] != "=":
            return first, laid_cards(parts[0])
        leads = (found[0][2] or "").lower() in ("leads", "led")
        leader = first if leads or not parts[0] else None
        cards = [
            laid_cards(part, self.seat(one[1]))
            for one, part in list(zip(found, parts, strict=True))[not parts[0] :]
        ]
        seats = [one[0].seat for one in cards if len(one) == 1]
        if len(seats) < len(cards) or len({*seats}) < len(seats):
            raise Malformed(f"{text!r:.60}", "one card behind each player")
        if parts[0] and "=" not in [one[2] for one in found]:
            self.deal().listed_in_turn.append(len(self.deal().course))
        return leader, tuple(one[0] for one in cards)

    def led_by_first(self, deal: _Deal) -> None:
        """Take the first of each trick for its leader, if it is not always the same.

        Then the players stand in the order played; else it may be a table, in which
        their order says nothing.
        """
        tricks: dict[int, WrittenTrick] = {}
        for at in deal.listed_in_turn:
            one = deal.course[at]
            assert isinstance(one, WrittenTrick)
            tricks[at] = one
        if len({one.cards[0].seat for one in tricks.values()}) > 1:
            for at, one in tricks.items():
                leader = one.cards[0].seat if one.leader is None else one.leader
                deal.course[at] = attrs.evolve(one, leader=leader)
        deal.listed_in_turn = []

    # The end

    def match(self) -> WrittenMatch:
        """All that was read; raises Malformed if it does not fit one table."""
        return WrittenMatch(
            name=self.name,
            names=self.names,
            ruleset=self.ruleset,
            players=self.players,
            begins=self.begins or bool(self.cuts),
            dealer=self.dealer,
            pack=self.pack,
            cuts=tuple(self.cuts),
            deals=tuple(self.written(deal) for deal in self.deals),
            remarks=tuple(self.remarks),
        )

    def written(self, deal: _Deal) -> WrittenDeal:
        """A deal as a value."""
        self.led_by_first(deal)
        return WrittenDeal(
            number=deal.number,
            dealer=deal.dealer,
            direction=deal.direction,
            before=deal.before,
            reached=deal.reached,
            position=deal.position,
            dealt=self.hands(deal.dealt),
            stock=deal.stock,
            kitty=deal.kitty,
            passes=tuple(deal.passes),
            mixed=deal.mixed,
            held=self.hands(deal.held),
            course=tuple(deal.course),
            score=deal.score,
            totals=deal.totals,
            winners=deal.winners,
            remarks=tuple(deal.remarks),
        )

    def hands(self, hands: dict[int, CardSet]) -> tuple[CardSet | None, ...]:
        """The hands by seat, None for one that nobody wrote down."""
        number = max([self.players or 0, *[seat + 1 for seat in hands]])
        return tuple(hands.get(seat) for seat in range(number)) if hands else ()


def _is_cards(text: str) -> bool:
    try:
        return bool(cards_typed(text))
    except Malformed:
        return False


def _is_one_card(text: str) -> bool:
    try:
        return len(laid_cards(text)) == 1
    except Malformed:
        return False


def _number(text: object) -> int:
    """The number of a deal or a trick."""
    number = int(str(text)[:10])
    if not 1 <= number <= MOST:
        raise Malformed(f"number {number}", f"a number from 1 to {MOST}")
    return number


# What a line can say: by its words, and then by a seat and words behind it

_Found = re.Match[str]


def _take_name(reader: _Reader, found: _Found) -> None:
    if reader.name:
        raise Malformed("a second title", "one for a match")
    reader.name = harmless(" ".join(found[1].split()))


def _take_dealer(reader: _Reader, found: _Found) -> None:
    deal = reader.fresh()
    if deal.dealer is not None:
        raise Malformed("a second dealer", "one for a deal")
    deal.dealer = reader.seat(found[1])


def _take_direction(reader: _Reader, found: _Found) -> None:
    deal = reader.fresh()
    if deal.direction:
        raise Malformed("a second direction", "one for a deal")
    deal.direction = PASS_WORDS[" ".join(found[1].split()).casefold()]


def _take_stock(reader: _Reader, found: _Found) -> None:
    if reader.deal().after:
        return  # it lies there as before the pass
    cards = cards_typed(found[1]).split()
    reader.fresh().stock = tuple(card(one) for one in cards)


def _take_kitty(reader: _Reader, found: _Found) -> None:
    if not reader.deal().after:
        reader.fresh().kitty = hand_written(found[1])


def _take_mixed(reader: _Reader, found: _Found) -> None:
    reader.fresh().mixed = True


def _take_beginning(reader: _Reader, found: _Found) -> None:
    reader.begins = True
    if found[1]:
        reader.dealer = reader.seat(found[1])


def _take_pack(reader: _Reader, found: _Found) -> None:
    reader.pack = hand_written(found[1])


def _take_reached(reader: _Reader, found: _Found) -> None:
    reader.fresh().reached = True


def _take_scatter(reader: _Reader, seat: int, text: str) -> None:
    pairs = re.findall(r"\s*(.+?)\s*[:=]\s*([^,:=]+?)(?:,|\s(?=\S+\s*[:=])|$)", text)
    cards = {reader.seat(to): card(cards_typed(one)) for to, one in pairs}
    if len(cards) != len(pairs) or not pairs:
        raise Malformed(f"{text!r:.60}", "a card for each other seat, 1:QS 2:KH 3:AH")
    reader.passed(Scatter(seat, cards))


def _winners(reader: _Reader, found: _Found) -> None:
    seats = [reader.seat(one) for one in re.split(r",|;|\band\b|&", found[1])]
    reader.deal().winners = tuple(sorted({*seats}))


def _happened(reader: _Reader, act: Happened) -> None:
    reader.deal().course.append(act)


def _set_numbers(name: str) -> Callable[[_Reader, _Found], None]:
    def take(reader: _Reader, found: _Found) -> None:
        setattr(reader.deal(), name, reader.numbers(found[1]))

    return take


def _moon(reader: _Reader, seat: int, text: str) -> None:
    word = text.strip().lower()
    one = re.fullmatch(r"one\s+(.+)", text.strip(), re.IGNORECASE)
    choice = reader.seat(one[1]) if one else word
    _happened(reader, MoonChoice(seat, choice))


def _lines(
    *rows: tuple[str, Callable[[_Reader, _Found], None]],
) -> tuple[tuple[re.Pattern[str], Callable[[_Reader, _Found], None]], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), take) for pattern, take in rows)


_LINES: Final = _lines(
    (r"(?:match|title|event)\s*[:=]\s*(.+)", _take_name),
    (r"(?:rules|ruleset|profile)\s*[:=]\s*(.+)", lambda r, m: r.rules(m[1])),
    (r"(?:players|names|seats)\s*[:=]\s*(.+)", lambda r, m: r.seats(m[1])),
    (r"(\d+) players", lambda r, m: r.seats(m[1])),
    (r"(?:remarks?|notes?|comments?)\s*:\s*(.+)", lambda r, m: r.remark(m[1])),
    (r"(refused:\s.+)", lambda r, m: r.remark(m[1])),
    (r"deal\s*#?(\d{1,9})\s*[:.]?(.*)", lambda r, m: r.begin(int(m[1]), m[2])),
    (r"(?:a |next |new )?deal\s*(?:-|:)?", lambda r, m: r.begin_unnumbered()),
    (r"deal(?:er|t by)\s*[:=]?\s*(.+)", _take_dealer),
    (
        r"(?:pass(?:es|ed|ing)?|direction)\s*[:=]?\s*(?:to the )?"
        r"(left|right|across|opposite|hold|none|no|scatter|mix|keep|[lraho])",
        _take_direction,
    ),
    (r"(no pass|hold)(?:ing)?", _take_direction),
    (r"hands?\s+([^:]+?)\s*:(.*)", lambda r, m: r.hand(m[1], m[2], False)),
    (r"(?:held|after|then)\s+([^:]+?)\s*:(.*)", lambda r, m: r.hand(m[1], m[2], True)),
    (r"stock\s*[:=]?\s+(.+)", _take_stock),
    (r"kitty\s*[:=]?\s+(.+)", _take_kitty),
    (r"(the mix is given back)", _take_mixed),
    (
        r"passe[sd]\s+([^:]+?)\s*:(.*)",
        lambda r, m: r.passed(Pass(r.seat(m[1]), hand_written(m[2]))),
    ),
    (r"scatter\s+([^:]+?)\s*:(.*)", lambda r, m: _take_scatter(r, r.seat(m[1]), m[2])),
    (r"forward\s+(.+)", lambda r, m: r.passed(PassUnseen(r.seat(m[1])))),
    (
        r"cut\s+([^:]+?)\s*:(.*)",
        lambda r, m: r.cuts.append(Cut(r.seat(m[1]), card(cards_typed(m[2])))),
    ),
    (
        r"retract\s+([^:]+?)\s*:(.*)",
        lambda r, m: _happened(r, Retract(r.seat(m[1]), card(cards_typed(m[2])))),
    ),
    (r"quit\s+(.+)", lambda r, m: _happened(r, QuitTrick(r.seat(m[1])))),
    (r"draw\s+(.+)", lambda r, m: _happened(r, Draw(r.seat(m[1])))),
    (
        r"claim\s+([^:]+?)\s*:\s*(.+?)\s+(?:in trick\s+)?(\d{1,3})",
        lambda r, m: _happened(r, Claim(r.seat(m[1]), r.seat(m[2]), int(m[3]))),
    ),
    (r"moon\s+([^:]+?)\s*:(.*)", lambda r, m: _moon(r, r.seat(m[1]), m[2])),
    (r"scored?s?\s*[:=]?\s+(.+)", _set_numbers("score")),
    (r"totals?\s*[:=]?\s+(.+)", _set_numbers("totals")),
    (r"(?:totals )?before\s*[:=]?\s+(.+)", _set_numbers("before")),
    (r"(the limit has been reached)", _take_reached),
    (r"the match begins(?:\s*,\s*dealer\s*[:=]?\s*(.+))?", _take_beginning),
    (r"pack\s*[:=]\s*(.+)", _take_pack),
    (r"(?:won by|winners?)\s*[:=]?\s+(.+)", _winners),
)


_Take = Callable[[_Reader, int, _Found], None]


def _by_seat(*rows: tuple[str, _Take]) -> tuple[tuple[re.Pattern[str], _Take], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), take) for pattern, take in rows)


def _take_deals(reader: _Reader, seat: int, found: _Found) -> None:
    _take_dealer(reader, found)


_BY_SEAT: Final = _by_seat(
    (r"(.+?)\s+(?:deals|dealt|is dealer)", _take_deals),
    (
        r"(.+?)(?:'s hand|\s+h(?:olds|eld|as|ad))\s*:?\s+(.+)",
        lambda r, s, m: r.hand(m[1], m[2], False),
    ),
    (
        r"(.+?)\s*:?\s+pass(?:es|ed)?\s*:?\s+(.+)",
        lambda r, s, m: r.passed(Pass(s, hand_written(m[2]))),
    ),
    (r"(.+?)\s*:?\s+scatter\s+(.+)", lambda r, s, m: _take_scatter(r, s, m[2])),
    (r"(.+?)\s*:?\s+forward", lambda r, s, m: r.passed(PassUnseen(s))),
    (
        r"(.+?)\s+cuts\s+(.+)",
        lambda r, s, m: r.cuts.append(Cut(s, card(cards_typed(m[2])))),
    ),
    (
        r"(.+?)\s+(?:takes back|retracts)\s+(.+)",
        lambda r, s, m: _happened(r, Retract(s, card(cards_typed(m[2])))),
    ),
    (r"(.+?)\s*:?\s+quit", lambda r, s, m: _happened(r, QuitTrick(s))),
    (r"(.+?)\s*:?\s+draws?", lambda r, s, m: _happened(r, Draw(s))),
    (r"(.+?)\s*:?\s+moon\s+(.+)", lambda r, s, m: _moon(r, s, m[2])),
    (
        r"(.+?)(?:\s+says:)?\s+claims? a revoke (?:of|by) (.+?) in trick (\d{1,3})",
        lambda r, s, m: _happened(r, Claim(s, r.seat(m[2]), int(m[3]))),
    ),
)


def read_written(text: str) -> WrittenMatch:
    """The match, deal or part of one that a text writes down.

    Raises Malformed if a line is nothing that a game has; the error names the line,
    what was found, and what would be right.
    """
    if len(text) > MOST_TEXT:
        raise Malformed(f"{len(text)} characters", f"at most {MOST_TEXT}")
    lines = list(_numbered(text))
    if len(lines) > 1 and is_rules(lines[1][1].strip()):
        return _read(lines[1:], lines[0][1])
    errors = []
    try:
        return _read(lines)
    except Malformed as error:
        errors.append(error)
    if _may_be_titled(lines, errors[0]):
        try:
            return _read(lines[1:], lines[0][1])
        except Malformed as error:
            errors.append(error)
    if is_partly_written(text):
        try:
            plain = loosened(lines)
            return attrs.evolve(_read(plain.lines), granted=plain.granted)
        except Malformed as error:
            errors.append(error)
    raise max(errors, key=_place)


def _may_be_titled(lines: Sequence[tuple[int, str]], error: Malformed) -> bool:
    """Whether the first line, at which the reader stopped, may be a title."""
    return (
        len(lines) > 1
        and _place(error) == lines[0][0]
        and not re.search(r"[:=]", lines[0][1])
        and not has_card(lines[0][1])
        and rows_as_tricks(lines) is None
    )


def _place(error: Malformed) -> int:
    """The number of the line that an error names; 0 if it names none."""
    number = error.where.removeprefix("line ")
    return int(number) if number.isdecimal() else 0


def read_lines(lines: Sequence[tuple[int, str]]) -> WrittenMatch:
    """The match in these numbered lines; raises Malformed as `read_written` does."""
    return _read(lines)


def is_partly_written(text: str) -> bool:
    """Whether a text has cards, or a line that is one of a written game by itself."""
    for _, line in _numbered(text):
        if has_card(clean_line(line)):
            return True
        with suppress(Malformed):
            _Reader().content(line.strip())
            return True
    return False


def _read(lines: Sequence[tuple[int, str]], title: str = "") -> WrittenMatch:
    """The match in these numbered lines, below a title."""
    reader = _Reader()
    signs = "".join(" " if one in "{}#%" else one for one in harmless(title))
    reader.name = " ".join(signs.replace("//", "/").split())
    for number, line in lines:
        try:
            reader.line(line)
        except Malformed as error:
            raise Malformed(error.found, error.allowed, f"line {number}") from None
    if not (reader.deals or reader.cuts or reader.ruleset):
        raise Malformed("no deal", _HINT)
    return reader.match()


def matches_written(text: str) -> Iterator[tuple[int, WrittenMatch]]:
    """The matches in a text, each with the number of its first line.

    A title begins another one. Raises Malformed as `read_written` does.
    """
    lines = text.splitlines()
    begins = [at for at, line in enumerate(lines) if _TITLE.match(line)]
    if not begins or any(line.strip() for line in lines[: begins[0]]):
        begins = [0, *[at for at in begins if at]]
    for first, last in pairwise([*begins, len(lines)]):
        try:
            yield first + 1, read_written("\n".join(lines[first:last]))
        except Malformed as error:
            at = _place(error)
            where = f"line {first + at}" if at else error.where
            raise Malformed(error.found, error.allowed, where) from None


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    """The lines with anything in them, with their numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > MOST_LINE:
            found = f"{len(line)} characters"
            raise Malformed(found, f"at most {MOST_LINE} in a line", f"line {number}")
        if line.strip():
            yield number, line
