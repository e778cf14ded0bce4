"""Turning games that are written in other ways into lines that the reader knows.

This is for text that the reader does not accept as it stands. Each line is searched
for its cards, for the players named with them, and for who took the trick. What a line
says is never changed; a line about anything else is kept and reported as a remark.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.written.card_words_written import (
    CARD,
    clean_line,
    count_cards,
    has_card,
    suits_first,
)
from refengine.formats.written.columns_written import columns_headed
from refengine.formats.written.names_written import (
    A_NAME,
    PLAYERS,
    SIDES,
    in_this_order,
    players_declared,
    remarks_said,
)
from refengine.formats.written.plain_lines_written import (
    Lines,
    numbers_by_seat,
    plain_lines,
    points_beside,
    seats_by_number,
    tags_apart,
)
from refengine.formats.written.receivers_written import Receivers
from refengine.formats.written.rules_written import is_rules
from refengine.formats.written.sentences_written import tricks_told
from refengine.formats.written.tables_written import rows_as_tricks
from refengine.formats.written.trick_written import TrickBegun, from_the_first_trick

_VERB: Final = (
    r"(?:leads|led|plays|played|follows(?:\s+with)?|discards|throws|puts|"
    r"(?:takes|wins)(?:\s+it)?\s+with)"
)
_BESIDE: Final = re.compile(
    rf"(?<![\w.'\u2019♣♦♥♠-])({A_NAME})(?:['\u2019]s(?:\s+hand)?)?"
    rf"(?:\s*[:=]\s*(?=>?\s*{CARD}|[♣♦♥♠])|\s+(?:{_VERB}\s+)?(?=>?\s*{CARD}))",
    re.IGNORECASE,
)
_RECEIVER: Final = re.compile(rf"\s+(?:passes|passed)\s+to\s+{A_NAME}(?=\s*:)")
_NO_NAME: Final = re.compile(
    r"he|she|they|we|you|it|and|then|with|the|of|to|a|on|by|in|position|tricks?|"
    r"hands?|held|holds?|has|had|cards?|pass(?:es|ed)?|deals?|dealt|dealer|stock|"
    r"kitty|pack|rules|scores?|points|totals?|winners?|won|wins|takes?|took|leads?|"
    r"led|plays?|played|follows|discards|throws|puts|gives|gave|left|right|across|"
    rf"scatter|cuts?|draws?|retract|claim|forward|moon|{CARD}",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"\s*(?:(?:trick|t|#)\s*[#=]?\s*(\d{1,2})(?!\w)"
    r"|(\d{1,2})(?:st|nd|rd|th)\b(?:\s+trick)?"
    r"|(\d{1,2})(?=\s*[.):]|\s+[^\d\s]))\s*[:.)-]*\s*",
    re.IGNORECASE,
)
_FILLING: Final = re.compile(rf"and|then|the|with|it|{_VERB}", re.IGNORECASE)
_CARDLIKE: Final = re.compile(r"^[!+{}]|\b\d+[^\W\d]{1,2}\b|\b[^\W\d]\d+\b")
_SET_OFF: Final = re.compile(r"\s*$|\s*[—–(.,;:=-]|\s{2,}")
_TAKES: Final = re.compile(
    r"(?:(?:is\s+)?(?:won|taken)\s+by|winner\s*[:=]?|wins?|won|takes?|took|gets?"
    r"|got)\b",
    re.IGNORECASE,
)
_PASS: Final = re.compile(r"\s*pass\s*[:=]", re.IGNORECASE)
_ROW: Final = re.compile(r"[\s|]*[\d>+:-]")
_WON_BY: Final = re.compile(
    r"\W*(?:trick\s+)?winner\s*[=:]?\s*(\d{1,2})\b", re.IGNORECASE
)
_DEAL: Final = re.compile(
    r"\b(?:deal|round)\s*[#:]?\s*(\d{1,3})\b"
    r"|\b(\d{1,3})(?:st|nd|rd|th)\s+(?:deal|round|hand)\b",
    re.IGNORECASE,
)
_SO_FAR: Final = re.compile(
    r"\b(?:so\s+far|until|after\s+(?:th(?:is|at)\s+)?trick)\b", re.IGNORECASE
)
_OF_MATCH: Final = re.compile(
    r"\W*(?:(before)|after|(?:(?:the|new|final|running|overall|match)\s+)*totals?"
    r"(?!.*(?<!after\s)\b(?:this|the)\s+(?:deal|hand|round)\b))\b",
    re.IGNORECASE,
)
_WAY: Final = re.compile(
    r"\b(no pass)|\b(hold)\b"
    r"|pass\w*\W{1,3}(?:(?:is|to|the)\s+)*(left|right|across|hold)\b"
    r"|\((left|right|across|hold)\)",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(r"\s*[^#%{}:=]*(?<!/)\s*")
_HEADING: Final = re.compile(
    r"\W*(?:the\s+)?(hands?|cards|dealt|passe[ds]|tricks?|plays?)\s*:?\W*",
    re.IGNORECASE,
)
_KNOWN: Final = re.compile(
    r"\s*(?:(?:match|title|event|rules|ruleset|profile|dealer|pass|stock|kitty|pack|"
    r"before|totals?|winners?)\s*[:=].*|the match begins(?:\s*,\s*dealer\b.*)?"
    r"|the limit has been reached|the mix is given back)\s*",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(r"(?i:\W*(?:next|new) (?:deal|hand|round)\W*|deal ?-)")


@attrs.frozen
class Loosened:
    """Lines in the form that the reader knows, and the assumptions made."""

    lines: tuple[tuple[int, str], ...]
    granted: tuple[str, ...] = ()


def loosened(lines: Lines) -> Loosened:
    """Rewrite the lines, as far as possible, in the form that the reader knows.

    Raises Malformed, with the number of the line, if the meaning of a line is unclear.
    """
    plain = plain_lines(lines)
    suit_first = suits_first("\n".join(text for _, text in plain))
    plain = [(number, clean_line(text, suit_first)) for number, text in plain]
    told = tricks_told(plain)
    head, plain = tags_apart(seats_by_number(told.lines))
    table = rows_as_tricks(plain)
    if not table.tricks and _has_rows(lines):
        return Loosened(tuple(lines))
    names, number = players_declared([*head, *plain])
    order = () if names or table.tricks else _names_beside(plain)
    names = names or table.players or order
    players = len(names) or number or len(SIDES)
    receivers = Receivers(names, len(names) or number)
    record = _Record(names or (*SIDES, *"nesw"), players, receivers, table.tricks)
    body, skipped = tuple(record.lines(table.lines)), ""
    if record.first != "":
        body, skipped = from_the_first_trick(body, players)
    granted = (
        in_this_order(order) if order else "",
        *told.granted,
        skipped,
        *[f"the column {one!r} is not read" for one in table.unread],
        remarks_said(sorted({*told.remarks, *record.remarks})),
    )
    if names and not any(PLAYERS.match(text) for _, text in (*head, *body)):
        head.append((body[0][0] if body else 1, f"players: {', '.join(names)}"))
    # The names come first, since any other line may use them
    body = tuple(sorted(body, key=lambda line: not PLAYERS.match(line[1])))
    return Loosened((*head, *body), tuple(filter(None, granted)))


def _has_rows(lines: Lines) -> bool:
    """Whether the lines contain a table of tricks as `formats.showing` prints it."""
    return any(
        columns_headed(text) and not _WON_BY.match(text) and _ROW.match(below)
        for (_, text), (_, below) in pairwise(lines)
    )


def _names_beside(lines: Lines) -> tuple[str, ...]:
    """The names that are next to cards, in the order in which the players seem to sit.

    They are ordered by numbers in the names, by a list of them, or by first mention.
    """
    met: dict[str, str] = {}
    times: Counter[str] = Counter()
    for _, text in lines:
        text = _RECEIVER.sub("", text)
        for one in _BESIDE.finditer("" if text.startswith("#") else text):
            name = re.sub(r"\s*[=#]\s*", " ", " ".join(one[1].split()))
            plain = name.casefold()
            if not _NO_NAME.fullmatch(plain) and not plain.startswith("seat"):
                met.setdefault(plain, name)
                times[plain] += 2 if re.search(r"[:=]|\sleads\b", one[0]) else 1
    if len(met) > 2:  # a word found once, with no colon, is not a player
        often = {plain: name for plain, name in met.items() if times[plain] > 1}
        met = often if len(often) > 1 else met
    names = [plain for plain in met if plain not in (*SIDES, *"nesw")]
    if len(names) < 2:
        return ()
    numbered = [re.fullmatch(r"(\D*)(\d+)", plain) for plain in names]
    if all(numbered) and len({one[1] for one in numbered if one}) == 1:
        by_number = sorted(names, key=lambda one: int(re.sub(r"\D", "", one)))
        return tuple(met[one] for one in by_number)
    word = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    in_a_row = re.compile(
        rf"\b(?:{word})(?:\W+(?:and\s+)?(?:{word})(?!\w)){{{len(names) - 1}}}"
    )
    for _, text in lines:
        for one in in_a_row.finditer(text.casefold()):
            order = re.findall(word, one[0])
            if not has_card(text) and sorted(order) == sorted(names):
                return tuple(met[plain] for plain in order)
    return tuple(met[plain] for plain in names)


class _Record:
    """A record that is rewritten line by line, with what its lines have said so far."""

    def __init__(
        self,
        names: Sequence[str],
        players: int,
        receivers: Receivers,
        rows: frozenset[int],
    ) -> None:
        self.rows = rows
        self.players = players
        self.listed = f"players: {', '.join(names)}"
        some = "|".join(map(re.escape, names))
        self.listing = re.compile(
            rf"\W*(?:{some})(?:\W+(?:{some})){{{len(names) - 1}}}\W*", re.IGNORECASE
        )
        words = [re.escape(one).replace(r"\ ", r"\s*[=#]?\s*") for one in names]
        self.named = bool(receivers.players)
        if not self.named:
            words.append(r"seat\s*[=#]?\s*\d{1,2}")
        self.word = word = "|".join(sorted(words, key=len, reverse=True))
        self.label = re.compile(
            rf"(>?)(?<![^\W_])({self.word})(?![^\W_])(?:['\u2019]s(?:\s+hand)?)?"
            rf"\s*[:=]?\s*({_VERB})?\s*(>?)\s*(?={CARD})",
            re.IGNORECASE,
        )
        self.known = re.compile(
            rf"{_KNOWN.pattern}|{PLAYERS.pattern}|\s*(?:claim|retract|quit|draw|moon|"
            rf"cut|scatter|forward|passes|held|hand)\s+(?:{self.word})(?!\w).*",
            re.IGNORECASE,
        )
        self.possessed = re.compile(
            rf"(?i)\W*({word})(?:(?:['\u2019]s(?:\s+hand)?)?\s*[:=]|['\u2019]s hand\s)"
        )
        self.own = re.compile(rf"(?i)\W*(?:{word})['\u2019]s hand\b")
        self.dealing = re.compile(
            rf"\W*(?:({word})\s+(?:deals|dealt|is dealer)|dealer\W+({word}))(?!\w)",
            re.IGNORECASE,
        )
        self.giving = re.compile(
            rf"\W*({self.word})(?!\w)\W*(?:gives|gave|pass(?:es|ed)?)\b"
            rf"(?:\s+(?:to\s+)?({self.word})(?!\w))?\W*(.*)",
            re.IGNORECASE,
        )
        self.taken = re.compile(
            rf"(?:->|→|=>|>)\s*(?:{self.word})(?!\w|\s*[:=])(.*)", re.IGNORECASE
        )
        self.names = {one.casefold(): one for one in names}
        self.remarks: list[int] = []
        self.trick: TrickBegun | None = None
        self.waiting: list[tuple[int, str]] = []  # remarks, until the trick is whole
        self.from_nought = False  # whether tricks are numbered from 0 on
        self.first: str | None = None  # the number of the first trick, as it is written
        self.begins = 0  # the number of the first line
        self.under = ""  # the heading above these lines
        self.tricks = 0
        self.receivers = receivers

    def seat(self, text: str) -> str:
        """The player or seat that the text names, in the form that the reader knows."""
        plain = re.sub(r"\s*[=#]\s*", " ", " ".join(text.split()))
        return self.names.get(plain.casefold(), plain) if self.named else plain

    def by_number(self, number: str) -> str:
        """The name that ends in this number or, without names, the seat; else empty."""
        if not self.named:
            return f"seat {number}"
        numbered = re.compile(rf"\D+0*{number}")
        return next(filter(numbered.fullmatch, self.names.values()), "")

    def lines(self, lines: Lines) -> Iterator[tuple[int, str]]:
        """Yield the lines rewritten in the form that the reader knows."""
        hands = self.hands_in(lines)
        self.begins = lines[0][0] if lines else 0
        for number, text in lines:
            if not text.strip():
                continue
            if number in self.rows:
                yield from self.whole()
                self.tricks += 1
                yield number, text
            elif self.trick and self.trick.cards and _WON_BY.match(text):
                # Not the winner of the match, whom a known line may name
                yield from self.words(number, text)
            elif text.startswith("#"):
                yield from self.aside(number, text)
            elif self.known.fullmatch(text) or is_rules(text):
                yield from self.whole()
                self.receivers.told |= bool(_PASS.match(text))
                yield (
                    number,
                    self.listed if self.named and PLAYERS.match(text) else text,
                )
            elif self.listing.fullmatch(text):
                yield from self.whole()
            elif number in hands or self.is_hand(text):
                yield from self.whole()
                passed = self.under == "passed" and not self.own.match(text)
                yield number, f"{'passes' if passed else 'hand'} {self.hand(text)}"
            elif self.has_cards(text):
                yield from self.cards(number, text)
            else:
                yield from self.words(number, text)
        yield from self.whole()

    def whole(self) -> Iterator[tuple[int, str]]:
        """Yield the line for the trick that was begun, if any, and forget it."""
        if self.trick is not None and self.trick.cards:
            number = self.trick.number
            if self.first is None:
                self.first = number
            if not self.tricks and number and not number.strip("0"):
                self.from_nought = True
            self._end_of_passes()
            self.tricks += 1
            if number and self.from_nought:
                self.trick.number = str(int(number) + 1)
            yield from self.receivers.way()
            yield self.trick.at, self.trick.line()
        self.trick = None
        yield from self.waiting
        self.waiting = []

    def aside(self, number: int, text: str) -> Iterator[tuple[int, str]]:
        """Yield a remark, unless it has to wait until a trick is whole."""
        if self.trick is None:
            yield number, text
        else:
            self.waiting.append((number, text))

    def _end_of_passes(self) -> None:
        """Forget a heading over passes: what follows is no pass of this deal."""
        if self.under == "passed":
            self.under = ""

    # Hands

    def is_hand(self, text: str) -> bool:
        """Whether a line is a hand or a pass, by the heading above it or its suits."""
        if not (found := self.possessed.match(text)):
            return False
        suits = len(re.findall(r"[♣♦♥♠]\s", text)) > 1
        owned = re.search(r"['\u2019]s(?![^\W_])", found[0], re.IGNORECASE) is not None
        said = owned or self.under in ("hand", "card")
        if self.under in ("dealt", "passed"):  # tricks may follow without a heading
            said = said or count_cards(text) not in (1, self.players)
        # The ace in `♣A ♣K` is no player called A
        labels = [one.start() for one in self.label.finditer(text)]
        beside = [at for at in labels if not at or text[at - 1] not in "♣♧♦♢♥♡♠♤"]
        return suits or (said and has_card(text) and len(beside) < 2)

    def hand(self, text: str) -> str:
        """The seat and the cards of a line that is a hand or a pass."""
        found = self.possessed.match(text)
        assert found is not None  # else the line is neither
        return f"{self.seat(found[1])}: {text[found.end() :].strip()}"

    def hands_in(self, lines: Lines) -> set[int]:
        """The numbers of the lines that, as a group, show hands or passes."""
        found: set[int] = set()
        block: dict[str, tuple[int, int]] = {}
        start = re.compile(rf"\W*({self.word})\s*[:=](.*)", re.IGNORECASE)
        for number, text in [*lines, (0, "")]:
            one = start.fullmatch(text)
            cards = count_cards(one[2]) if one else 0
            if one and cards and one[1].casefold() not in block:
                block[one[1].casefold()] = number, cards
                continue
            sizes = {size for _, size in block.values()}
            of_tricks = {1, len(block), max(len(block), self.players)}
            if len(block) > 2 and len(sizes) == 1 and not sizes & of_tricks:
                found |= {number for number, _ in block.values()}
            block = {}
        return found

    # Lines with cards

    def has_cards(self, text: str) -> bool:
        """Whether a line says which cards were played or passed."""
        said = has_card(text) or len(self.label.findall(text)) > 1
        return said and not self.score_in(text) and not self.prose(text)

    def prose(self, text: str) -> bool:
        """Whether a line has far more words than cards, so that it is not a trick."""
        names = rf"(?<![^\W_])(?:{self.word})(?![^\W_])|"  # of any number of words
        plays = (self.label.search, self.giving.match, self.taken.search)
        if not any(one(text) for one in plays):
            names = ""  # the names in a remark are words of it
        bare = re.sub(rf"{names}\b(?:{_VERB})\b", " ", text, flags=re.IGNORECASE)
        words = re.findall(r"[^\W\d_]{2,}", bare)
        known = re.compile(rf"(?:{self.word}|{CARD}|{_NO_NAME.pattern})", re.IGNORECASE)
        others = [one for one in words if not known.fullmatch(one)]
        return len(others) > 2 * count_cards(text)

    def cards(self, number: int, text: str) -> Iterator[tuple[int, str]]:
        """Read a line with cards, and yield the lines that are then complete."""
        if gives := self.giving.match(text):
            yield from self.whole()
            giver = self.seat(gives[1])
            if gives[2]:
                self.receivers.add(number, giver, self.seat(gives[2]))
            yield number, f"passes {giver}: {gives[3]}"
            return
        counted = _NUMBER.match(text)
        label = self.label.search(text)
        if counted and label and label.start() < counted.end():
            counted = None
        trick = self.read_trick(number, text, counted)
        alone = len(trick.cards) == 1 and trick.cards[0][0]
        if not alone:
            yield from self.whole()
            self.trick = trick
            yield from self.whole()
            return
        [(who, card)] = trick.cards
        before = self.trick
        fresh = before is None or before.has_card_of(who)
        if before is None or fresh or trick.number not in ("", before.number):
            yield from self.whole()
            self.trick = before = trick
        else:
            before.cards.append((who, card))
            before.apart = True
            if trick.leader:
                before.led_by(trick.leader, number)
        before.winner, before.points = trick.winner, trick.points

    def read_trick(
        self, number: int, text: str, counted: re.Match[str] | None
    ) -> TrickBegun:
        """Read the trick in a line, or the part of a trick that the line holds."""
        found = TrickBegun(number)
        if counted:
            found.number = next(one for one in counted.groups() if one)
            text = text[counted.end() :]
        # After the name of the winner, `ha` is not the ace of hearts
        taken = self.taken.search(text)
        rest = text[taken.start() :] if taken and not has_card(taken[1]) else ""
        text = text.removesuffix(rest) if rest else text
        last = 0
        for one in re.finditer(rf"(?<![^\W_]){CARD}", text, re.IGNORECASE):
            self.add_card(found, text[last : one.start()], one[0], number)
            last = one.end()
        if 1 < len(found.cards) < self.players:
            found.winner = ""  # so far only, as a line with one more card may follow
        rest = text[last:] + rest
        found.winner = self.winner_in(rest) or found.winner
        found.points = points_beside(rest) if found.winner else ""
        if _CARDLIKE.search(rest) or not (found.winner or _SET_OFF.match(rest)):
            self.nothing_else(rest, number)
        return found

    def add_card(self, trick: TrickBegun, before: str, card: str, number: int) -> None:
        """Add a card to a trick, with the player whom the text before it names, if any.

        Raises Malformed, with the line, if that text says anything else.
        """
        label = self.label.search(before + card)
        self.nothing_else(before[: label.start()] if label else before, number)
        who = trick.winner = ""
        if label:
            marked, name, verb, mark = label.groups("")
            who = self.seat(name)
            if marked or mark or verb.lower() in ("leads", "led"):
                trick.led_by(who, number)
            if re.match("takes|wins", verb, re.IGNORECASE):
                trick.winner = who  # unless another card comes after it
        trick.cards.append((who, card))

    def nothing_else(self, text: str, number: int) -> None:
        """Raise Malformed if the text contains anything other than filler words."""
        for one in re.findall(r"[\w!+?'{}]+", text):
            if not _FILLING.fullmatch(one):
                allowed = "cards, and the players beside them"
                raise Malformed(f"{one!r:.60}", allowed, f"line {number}")

    def winner_in(self, text: str) -> str:
        """Who took the trick, if a name after its last card says so; else empty."""
        if numbered := _WON_BY.match(text):
            return self.by_number(numbered[1])
        # `(Ben void)` and `- Ann was late` are remarks
        ends = rf"(?=\W*(?:$|[+-]?\d|{_TAKES.pattern}))"
        who = rf"({self.word})(?!\w)"
        led = rf"^\W*(?:->|→|=>|[>=])\W*{who}"
        beside = rf"^\W*[—–(-]\W*{who}{ends}"
        said = rf"^\W*(?:{_TAKES.pattern}\W*){who}"
        first = r"(?:and|by|for|so|then|to|trick)\W+"
        takes = rf"^\W*(?:{first})??{who}\W*(?:{_TAKES.pattern}|[+-]?\d|\(|$)"
        for pattern in (led, beside, said, takes):
            found = re.search(pattern, text, re.IGNORECASE)
            if found:
                return self.seat(found[1])
        return ""

    # Lines without cards

    def words(self, number: int, text: str) -> Iterator[tuple[int, str]]:
        """Read a line without cards, and yield the lines that are then complete."""
        heading = _HEADING.fullmatch(text)
        counted = _NUMBER.fullmatch(f"{text.strip()} ")
        winner = self.winner_in(text) if self.trick and self.trick.cards else ""
        if winner and self.trick is not None:
            self.trick.winner, self.trick.points = winner, points_beside(text)
            yield from self.whole()
            return
        facts = [] if heading or counted else [*self.facts(text)]
        title = number == self.begins and _TITLE.fullmatch(text)
        if not (heading or counted or facts or title):  # it may come within a trick
            self.remarks.append(number)
            yield from self.aside(number, f"# {text.strip()}")
            return
        yield from self.whole()
        if heading:
            word = heading[1].lower()
            self.under = "passed" if word == "passes" else word.rstrip("s")
        elif counted:
            self.under = ""
            self.trick = TrickBegun(
                number, next(one for one in counted.groups() if one)
            )
        elif not facts:
            yield number, f"match: {' '.join(text.split())}"
        for fact in facts:
            if fact.startswith("#"):
                self.remarks.append(number)
            yield number, fact

    def facts(self, text: str) -> Iterator[str]:
        """Yield the lines for a deal's score, or for its number, dealer and pass."""
        score = "" if _SO_FAR.search(text) else self.score_in(text)
        if score:
            match = _OF_MATCH.match(text)
            word = "score" if match is None else "before" if match[1] else "totals"
            yield f"{word}: {score}"
            if has_card(text):
                yield f"# {text.strip()}"
            return
        deal = _DEAL.search(text)
        if deal or _NEXT.fullmatch(text.strip()):
            self._end_of_passes()
            self.tricks = 0
            self.receivers.begin()
            yield f"deal {deal[1] or deal[2]}" if deal else "deal -"
        parts = [text, *re.split(r"[,;(]", text[deal.end() :])] if deal else [text]
        if deals := next(filter(None, map(self.dealing.match, parts)), None):
            yield f"dealer: {self.seat(deals[1] or deals[2])}"
        way = _WAY.search(text) if deal or not (self.tricks or self.trick) else None
        if way:
            word = next(one for one in way.groups() if one).lower()
            self.receivers.told = True
            yield f"pass: {'hold' if word == 'no pass' else word}"

    def score_in(self, text: str) -> str:
        """The score in a line with a number for each player; empty if there is none."""
        if (self.tricks or self.trick) and (
            score := numbers_by_seat(text, self.players)
        ):
            return score
        pairs = re.findall(
            rf"\b({self.word})[\s:=,]{{1,3}}([+-]?\d+)\b(?!\s?[♣♦♥♠])",
            text,
            re.IGNORECASE,
        )
        seats = {self.seat(who): number for who, number in pairs}
        wanted = len(self.names) if self.named else 3
        if len(seats) < len(pairs) or len(seats) < max(2, wanted):
            return ""
        return ", ".join(f"{who} {number}" for who, number in seats.items())
