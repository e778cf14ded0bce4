"""Reading game files of other programs, with a map that says where to find what.

A map is a TOML file. What its JMESPath expressions find is turned into the lines of a
written game, so cards, players and passes may be written in as many ways as there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

import attrs

from refengine.errors import Malformed
from refengine.formats.written.card_words_written import has_card
from refengine.formats.written.file_parts_written import parts_of_file
from refengine.formats.written.maps_written import (
    Entry,
    FilePart,
    GameMap,
    Place,
    is_nothing,
)
from refengine.formats.written.names_written import in_this_order, seat_named
from refengine.formats.written.reading_written import read_lines
from refengine.formats.written.rules_written import rules_written
from refengine.formats.written.unread_written import unread_said
from refengine.formats.written.written_match import WrittenMatch
from refengine.lawbook.pass_words import PASS_WORDS
from refengine.machine.cards_typed import as_written

_MOST: Final = 16 * 1024 * 1024  # the most characters in a file
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_NUMBERS: Final = re.compile(r"[\s,;|/=:]*[+-]?\d+(?:[\s,;|/=:]+[+-]?\d+)+[\s,;|/=:]*")
_ONE_NUMBER: Final = re.compile(r"[+-]?\d+")
_LONG_PASS_WORDS: Final = {one for one in PASS_WORDS if len(one) > 1}
"""The words for a pass that are no initials of players."""
_APART: Final = re.compile(r"[,;|/{}]")  # what no name contains
Line = tuple[Place, str]
T = TypeVar("T")


def mapped_games(text: str, found: GameMap) -> Iterator[tuple[Place, WrittenMatch]]:
    """The matches in the text of a file, each with the place of its first item.

    The text is JSON, JSON lines, or rows of cells separated by commas, semicolons, tabs
    or `|`, below their headings. Raises Malformed if it is none of these, or if what
    the map finds cannot occur in a written game.
    """
    if len(text) > _MOST:
        raise Malformed(f"{len(text)} characters", f"at most {_MOST}")
    parts = parts_of_file(text, found)
    if not any(part.items(part.rows) for part in parts):
        raise Malformed("no item", f"a {found.item}", "items")
    for part in parts:
        for place, item in part.items(part.rows):
            if not found.finds_something(item):
                allowed = f"a {found.item} with something at a place that the map names"
                raise Malformed(f"{json.dumps(item)!s:.60}", allowed, place)
        for rows in found.together("by_match", part.rows, part):
            if items := part.items(rows):
                yield items[0][0], _match(_Writer(found, part, rows, items))


def _match(writer: _Writer) -> WrittenMatch:
    """Read the match whose lines this writer makes."""
    found, items = writer.map, writer.items
    try:
        lines, order = writer.lines()
    except Malformed as error:
        where = error.where or writer.place or items[0][0]
        raise Malformed(error.found, error.allowed, where) from None
    try:
        match = read_lines([(at, line) for at, (_, line) in enumerate(lines, 1)])
    except Malformed as error:
        number = error.where.removeprefix("line ")
        where = lines[int(number) - 1][0] if number.isdecimal() else items[0][0]
        raise Malformed(error.found, error.allowed, where) from None
    expressions = [one.expression for one in found.paths.values()]
    unread = unread_said((item for _, item in items), expressions)
    said = (in_this_order(match.names) if order else "", unread)
    return attrs.evolve(match, granted=tuple(filter(None, said)))


# The lines of a game


@attrs.define
class _Writer:
    """A writer that turns the items of one match into the lines of a written game.

    They are in this part of the file, and `rows` are all rows of the match there.
    `met` collects the names of players in the order in which they are listed or play,
    and `asked` collects all names that are used anywhere, each with the place of its
    first use. In both, the keys are the names in lower case. `place` is the place of
    what is being read.
    """

    map: GameMap
    part: FilePart
    rows: Sequence[Entry]
    items: Sequence[Entry]
    met: dict[str, str] = attrs.field(factory=dict)
    asked: dict[str, tuple[str, Place]] = attrs.field(factory=dict)
    place: Place = ""

    def lines(self) -> tuple[list[Line], bool]:
        """Return all lines with their places, and whether the seating is assumed.

        If the map does not say who plays, the players are taken to sit in the order of
        first mention.
        """
        first = self.items[0][0]
        names = self.names()
        body = list(self.deals())
        found = not names and len(self.met) > 1
        players = names or [*self.met.values()]
        known = {*(one.casefold() for one in names), *self.met}
        for plain in sorted(self.asked.keys() - known):
            said, place = self.asked[plain]
            allowed = "a seat, or a player whom the map names (players = [...])"
            if players:
                allowed = f"a player: {', '.join(players)}"
            raise Malformed(f"{said!r:.60}", allowed, place or first)
        head = [(first, f"rules: {self.map.rules}")] if self.map.rules else []
        if names or found:
            head.append((first, f"players: {', '.join(players)}"))
        return [*head, *body], found

    def deals(self) -> Iterator[Line]:
        """Yield the lines of all deals.

        Raises Malformed if the items are plays and nothing groups them into tricks.
        """
        if self.map.item == "deal":
            for place, deal in self.items:
                yield from self.deal(place, deal)
                for at, trick in enumerate(self.listed("deal.tricks", deal), 1):
                    where = f"{place}, trick {at}"
                    self.check_found(where, trick)
                    yield from self.trick(where, trick)
                yield from self.end([(place, deal)])
            return
        if self.map.item == "play" and "by_trick" not in self.map.paths:
            allowed = "an expression for what is the same in all plays of a trick"
            raise Malformed("nothing", allowed, "by_trick")
        for rows in self.map.together("by_deal", self.rows, self.part):
            deals = self.part.items(rows)
            if not deals:
                continue
            place, deal = deals[0]
            yield from self.deal(place, deal)
            for tricks in self.map.together("by_trick", deals):
                if self.map.item == "trick":
                    for where, trick in tricks:
                        yield from self.trick(where, trick)
                else:
                    yield from self.plays(tricks)
            yield from self.end(deals, alone=len(deals) == len(self.items))

    def names(self) -> list[str]:
        """The names of the players, from seat 0 to the left; empty if there are none.

        The file may give them as a list, or as text with separators between the names.
        Raises Malformed if the map leads to something other than names.
        """
        found = [*self.map.players] or self.map.find("players", self.part.root)
        if found is None:
            found = self.map.find("players", self.items[0][1])
        if found is None:
            return []
        told = _APART.split(found) if isinstance(found, str) else found
        listed = told if isinstance(told, list) else ()
        plain = [one for one in listed if not isinstance(one, dict | list)]
        names = [" ".join(self.word(one).split()) for one in plain]
        if not names or plain != told or any(map(_APART.search, names)):
            allowed = "the names of the players, none with , ; | / { } in it"
            raise Malformed(f"{json.dumps(found):.60}", allowed, "players")
        return self.to_the_left(names)

    def to_the_left(self, by_seat: Sequence[T]) -> list[T]:
        """These values, which are in the order of the file's seats, going to the left.

        The first one remains the first.
        """
        way = 1 if self.map.to_left else -1
        return [*by_seat[:1], *by_seat[1:][::way]]

    def deal(self, place: Place, deal: Any) -> Iterator[Line]:
        """Yield the lines of a deal that come before its tricks."""
        self.place = place
        number = self.map.find("deal.number", deal)
        named = self.word(number)
        stated = named if _ONE_NUMBER.fullmatch(named) else self.number(number)
        yield place, "deal -" if number is None else f"deal {stated}"
        texts = {"dealer": self.seat, "pass": self.word, "before": self.numbers}
        for word, text_of in texts.items():
            value = self.map.find(f"deal.{word}", deal)
            if value is not None:
                yield place, f"{word}: {text_of(value)}"
        for word, path in (("hand", "hands"), ("passes", "passed"), ("held", "held")):
            told = self.map.find(f"deal.{path}", deal)
            for seat, cards in self.hands(told):
                yield place, f"{word} {seat}: {self.cards(cards)}"

    def hands(self, value: Any) -> Iterator[tuple[str, Any]]:
        """Yield each seat or player in `value` with the cards given for it.

        `value` may be an object keyed by player, a list with an entry for each seat, or
        a list of objects in which the expressions under [pass] in the map find the
        player and the cards. An entry that is None or an empty string is left out.
        """
        listed = value if isinstance(value, list) else ()
        objects = any(isinstance(one, dict) for one in listed)
        known = self.by_seat(value)
        if objects and "pass.player" in self.map.paths:
            find = self.map.find
            known = (
                (self.listed_seat(find("pass.player", one)), find("pass.cards", one))
                for one in value
                if one not in (None, "")
            )
        yield from (pair for pair in known if pair[1] not in (None, ""))

    def end(self, items: Sequence[Entry], alone: bool = False) -> Iterator[Line]:
        """Yield the lines that come after the tricks of the deal with these items.

        `alone` says whether the match has no other items.
        """
        place = self.place = items[-1][0]
        for word in ("score", "totals"):
            path = f"deal.{word}"
            numbers = self.last(path, items)
            if numbers is None and isinstance(self.part.root, list) and alone:
                numbers = self.map.find(path, self.all_rows())  # in a row of its own
            if numbers is not None:
                yield place, f"{word}: {self.numbers(numbers)}"
        winners = self.last("deal.winners", items)
        if isinstance(winners, str) and winners not in self.map.words:
            winners = [one for one in _APART.split(winners) if one.strip()]
        if winners is not None:
            several = winners if isinstance(winners, list) else [winners]
            if several:
                yield place, f"winners: {', '.join(map(self.seat, several))}"

    def all_rows(self) -> list[Any]:
        """All rows of the match in a file of rows or a list, items or not."""
        if "by_match" not in self.map.paths:
            return [*self.part.root]
        rows = self.rows
        if self.part.places is None:  # JSON, whose items may be some of a list
            listed = [("", one) for one in self.part.root]
            rows = self.map.together("by_match", [self.items[0], *listed])[0][1:]
        return [row for _, row in rows]

    def check_found(self, place: Place, trick: Any) -> None:
        """Raise Malformed if the map finds nothing in a trick that is not empty.

        An object without a card, such as the number of a trick to which nobody has
        played, drops none and is no error.
        """
        known = "trick.cards" not in self.map.paths or is_nothing(trick)
        known = known or self.map.finds_in(trick, ["trick"])
        shown = json.dumps(trick, ensure_ascii=False)
        if not known and (not isinstance(trick, dict) or has_card(shown)):
            allowed = "a trick with something at a place that the map names"
            raise Malformed(f"{json.dumps(trick):.60}", allowed, place)

    def trick(self, place: Place, trick: Any) -> Iterator[Line]:
        """Yield the line of a trick that the file gives as a single value."""
        self.place = place
        leader = self.map.find("trick.leader", trick)
        winner = self.map.find("trick.winner", trick)
        cards = trick
        if "trick.cards" in self.map.paths:
            cards = self.map.find("trick.cards", trick)
        if isinstance(cards, list) and any(isinstance(one, dict) for one in cards):
            pairs = [(self.player(one), self.card(one)) for one in cards]
            text = ", ".join(f"{seat}={one}" for seat, one in pairs)
        elif isinstance(cards, dict):
            text = ", ".join(
                f"{seat}={self.cards(one)}" for seat, one in self.by_seat(cards)
            )
        else:
            text = self.cards(cards)
        points = self.map.find("trick.points", trick)
        yield place, self.told(text, leader, winner, points)

    def plays(self, rows: Sequence[Entry]) -> Iterator[Line]:
        """Yield the line of a trick whose plays are the items `rows`, in this order."""
        place, first = rows[0]
        pairs = []
        for where, row in rows:
            self.place = where
            pairs.append((self.player(row), self.card(row)))
        self.place = place
        leader = self.map.find("trick.leader", first)
        if leader is None:
            leader = self.map.find("play.player", first)
        winner = self.last("trick.winner", rows)
        points = self.last("trick.points", rows)
        text = ", then ".join(f"{seat}: {one}" for seat, one in pairs)
        yield place, self.told(text, leader, winner, points)

    def told(self, cards: str, leader: Any, winner: Any, points: Any) -> str:
        """Put the text of a trick's line together: leader, cards, winner and points."""
        cost = "" if points in (None, "") else f" ({self.number(points)})"
        led = "" if leader in (None, "") else f"{self.seat(leader)}: "
        won = "" if winner in (None, "") else f" -> {self.seat(winner)}"
        return f"{led}{cards}{won}{cost}"

    # Values

    def last(self, path: str, items: Sequence[Entry]) -> Any:
        """The value that `path` leads to in the last item in which it is not empty.

        It need not be the very last item: in a spreadsheet, a cell that spans several
        rows belongs to the first of them.
        """
        found = (self.map.find(path, item) for _, item in reversed(items))
        return next((one for one in found if not is_nothing(one)), None)

    def listed(self, path: str, value: Any) -> list[Any]:
        """The list to which `path` leads, or an empty list if it leads to nothing.

        Raises Malformed if `path` leads to anything that is not a list.
        """
        found = self.map.find(path, value)
        if found is None:
            return []
        if not isinstance(found, list):
            raise Malformed(f"{json.dumps(found):.60}", f"a list of {path}", "")
        return found

    def player(self, play: Any) -> str:
        """Who played the card, according to an object that describes one play."""
        return self.listed_seat(self.map.find("play.player", play))

    def card(self, play: Any) -> str:
        """The card that was played, according to an object that describes one play."""
        return self.cards(self.map.find("play.card", play))

    def by_seat(self, value: Any) -> Iterator[tuple[str, Any]]:
        """Yield the values in an object by player, or those in a list by seat.

        Yields nothing for None. Raises Malformed for any other value.
        """
        if isinstance(value, dict):
            for name, part in value.items():
                yield self.listed_seat(name), part
        elif isinstance(value, list):
            for at in self.to_the_left(range(len(value))):
                yield self.seat_in_list(at), value[at]
        elif value is not None:
            allowed = "a list by seat, or an object by player"
            raise Malformed(f"{json.dumps(value):.60}", allowed, "")

    def seat_in_list(self, place: int) -> str:
        """The seat at a place in a list, from 0; if a word names it, by that name."""
        if self.is_named(place):
            return self.listed_seat(place + self.map.first_seat)
        return self.nth_seat(place)

    def is_named(self, place: int) -> bool:
        """Whether a word of the map names the seat at a place in a list, from 0.

        A word for a pass, a card or another number is no name.
        """
        word, names = self.word(place + self.map.first_seat), tuple(self.names())
        if names:
            return seat_named(word, names) is not None
        other = word.casefold() in PASS_WORDS or _ONE_NUMBER.fullmatch(word)
        return not (other or word == "??" or as_written(word))

    def listed_seat(self, value: Any) -> str:
        """Do as `seat` does, and add the name of a player to `met` if it is new.

        Also raises Malformed if the file does not say who it is.
        """
        if value in (None, ""):
            raise Malformed("nothing", "a seat, or the name of a player", "")
        text = self.seat(value)
        if seat_named(text, ()) is None:
            self.met.setdefault(text.casefold(), text)
        return text

    def seat(self, value: Any) -> str:
        """The text for a seat that a value names or numbers, as used in a written game.

        The name of a player is returned and added to `asked`. Raises Malformed for a
        number below that of the first seat, and as `nth_seat` does.
        """
        text = " ".join(self.named(value).split())
        if not _NUMBER.fullmatch(text):
            if seat_named(text, ()) is None:
                self.asked.setdefault(text.casefold(), (text, self.place))
            return text
        number = int(text) - self.map.first_seat
        if number < 0:
            allowed = f"a seat from {self.map.first_seat} on"
            raise Malformed(f"seat {text}", allowed, "")
        return self.nth_seat(number)

    def nth_seat(self, place: int) -> str:
        """The text for the seat at this place, from 0, in the order of the file.

        Raises Malformed if the seats are numbered to the right and have no such place.
        """
        if self.map.to_left:
            return f"seat {place}"
        first, players = self.map.first_seat, self.players()
        if place >= players:
            allowed = f"a seat from {first} to {players - 1 + first}"
            raise Malformed(f"seat {place + first}", allowed, "")
        return f"seat {-place % players}"

    def players(self) -> int:
        """The number of players, from the names or the rules; 4 if neither gives it."""
        names = self.names()
        if names or not self.map.rules:
            return len(names) or 4
        return rules_written(self.map.rules, None).players

    def cards(self, value: Any) -> str:
        """The text of one or more cards; a number is a card of the map's deck."""
        if isinstance(value, list):
            return " ".join(map(self.cards, value)) or "-"
        if isinstance(value, dict):
            raise Malformed(f"{json.dumps(value):.60}", "cards", "")
        text = self.named(value)
        at = int(text) - self.map.first_card if _NUMBER.fullmatch(text) else -1
        return self.map.deck[at] if 0 <= at < len(self.map.deck) else text

    def numbers(self, value: Any) -> str:
        """The text of a score or totals, with a number for each seat.

        The value may be an object keyed by player, a list in the order of the seats, or
        text with separators between the numbers.
        """
        if isinstance(value, str) and _NUMBERS.fullmatch(value):
            value = _ONE_NUMBER.findall(value)
        parts = value if isinstance(value, list) else [value]
        named = parts is value and all(map(self.is_named, range(len(parts))))
        if named or isinstance(value, dict):
            pairs = self.by_seat(value)
            return ", ".join(f"{seat} {self.number(one)}" for seat, one in pairs)
        return " ".join(map(self.number, self.to_the_left(parts)))

    def number(self, value: Any) -> str:
        """The text of a number as it is; for any other value as `word` gives it.

        The digits of a score may be those of a word, such as the number of a pass.
        """
        text = _text(value)
        return text if _ONE_NUMBER.fullmatch(text) else self.word(value)

    def named(self, value: Any) -> str:
        """Do as `word` does, except for a number whose word is a pass.

        Such a number is returned as it is, since no pass is a seat or a card.
        """
        word = self.word(value)
        return self.number(value) if word.casefold() in _LONG_PASS_WORDS else word

    def word(self, value: Any) -> str:
        """The word that the map gives for a value, or its text; `??` for no value."""
        text = _text(value)
        return self.map.words.get(text, text)


def _text(value: Any) -> str:
    """The text of a value, with a whole number written as one; `??` for no value.

    The text of true and false is that of JSON.
    """
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "??" if value is None or value == "" else str(value)
