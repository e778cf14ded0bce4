"""Reading a game that somebody wrote down, line by line and without guessing.

A line says one thing, such as who plays, the rules, a hand or a trick. Its words are
compared with each kind of line in turn. If no kind fits, the error names the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final, TypeVar
from unicodedata import normalize

import attrs

from refengine.errors import Malformed
from refengine.formats.written.card_words_written import (
    clean_line,
    count_cards,
    has_card,
)
from refengine.formats.written.cards_written import hand_written, laid_cards
from refengine.formats.written.loosening_written import loosened
from refengine.formats.written.names_written import SIDES, labels, seat_named
from refengine.formats.written.record_written import HINT, Record
from refengine.formats.written.rules_written import is_rules
from refengine.formats.written.sentences_written import NotTold
from refengine.formats.written.tables_written import rows_as_tricks
from refengine.formats.written.written_match import (
    Happened,
    WrittenMatch,
    WrittenTrick,
    as_title,
)
from refengine.game.acts import (
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
from refengine.game.values.cardset import card
from refengine.lawbook.pass_words import PASS_WORDS
from refengine.machine.cards_typed import cards_typed

MOST_TEXT: Final = 4 * 1024 * 1024  # the most characters in total
MOST_LINE: Final = 2000  # the most characters in a line
_REMARK: Final = re.compile(r"(?:^|\s)(?:#(?!\d)|//|%)\s*(.*)$")
_POSITION: Final = re.compile(r"position\s*[:=]\s*(.+)", re.IGNORECASE)
_TITLE: Final = re.compile(r"\s*(?:match|title|event)\s*[:=]", re.IGNORECASE)
_HEAD: Final = re.compile(
    r"\s*(?:rules|ruleset|profile|players|names|seats|pack)\s*[:=]", re.IGNORECASE
)
_NUMBERED: Final = re.compile(r"\s*(?:trick\s*#?)?\d{1,3}\s*[.):]", re.IGNORECASE)
_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_GIVEN: Final = re.compile(r"\s*(.+?)\s*[:=]\s*([^,:=]+?)(?:,|\s(?=\S+\s*[:=])|$)")


# What a line can say: by its words, and then by a seat and the words after it

T = TypeVar("T")
_Found = re.Match[str]
_Table = tuple[tuple[re.Pattern[str], T], ...]


def _take_name(reader: Record, found: _Found) -> None:
    if reader.name:
        raise Malformed("a second title", "one for a match")
    reader.name = as_title(found[1])


def _take_deal(reader: Record, found: _Found) -> None:
    """Read a line that begins a deal: its number, and then any other parts of the line.

    The parts are separated by commas. If a part contains a card, it extends to the end
    of the line, in spite of any commas.
    """
    parts = found[2].split(",")
    whole = next((at for at, one in enumerate(parts) if has_card(one)), len(parts))
    said = [*parts[:whole], ",".join(parts[whole:])]
    listed = any(one.strip().lower().endswith(" deals") for one in said)
    if reader.begin(int(found[1]), listed):
        for part in filter(None, map(str.strip, said)):
            _take_content(reader, part)


def _take_dealer(reader: Record, found: _Found) -> None:
    deal = reader.fresh()
    deal.dealer = _once(deal.dealer, reader.seat(found[1]), "dealer")


def _once(before: T | None, now: T, what: str) -> T:
    """Return `now`; raises Malformed if an earlier line gave a different value.

    `before` is the value of the earlier line, or None if there was no such line.
    """
    if before is not None and before != now:
        raise Malformed(f"a second {what}", "one")
    return now


def _take_direction(reader: Record, found: _Found) -> None:
    deal = reader.fresh()
    if deal.direction:
        raise Malformed("a second direction", "one for a deal")
    # If case is ignored, an i in a pattern matches these two as well
    said = re.sub("[\u0131\u0130]", "i", " ".join(found[1].split())).casefold()
    deal.direction = PASS_WORDS[said]


def _take_stock(reader: Record, found: _Found) -> None:
    deal = reader.fresh()
    cards = tuple(card(one) for one in cards_typed(found[1]).split())
    deal.stock = _once(deal.stock or None, cards, "stock")


def _take_kitty(reader: Record, found: _Found) -> None:
    deal = reader.fresh()
    if not deal.after:  # a mix may have changed it since
        deal.kitty = _once(deal.kitty, hand_written(found[1]), "kitty")


def _take_mixed(reader: Record, found: _Found) -> None:
    reader.fresh().mixed = True


def _take_beginning(reader: Record, found: _Found) -> None:
    if reader.has_played():  # the first dealer of a later match is not kept
        return
    reader.begins = True
    if found[1]:
        reader.dealer = _once(reader.dealer, reader.seat(found[1]), "first dealer")


def _take_pack(reader: Record, found: _Found) -> None:
    reader.pack = _once(reader.pack or None, hand_written(found[1]), "pack")


def _take_reached(reader: Record, found: _Found) -> None:
    reader.fresh().reached = True


def _take_scatter(reader: Record, seat: int, text: str) -> None:
    pairs = _GIVEN.findall(text)
    cards = {reader.seat(to): card(cards_typed(one)) for to, one in pairs}
    rest = _GIVEN.sub("", text).strip(" ,")
    if len(cards) != len(pairs) or not pairs or rest:
        allowed = "a card for each of the other seats, 1:QS 2:KH 3:AH"
        raise Malformed(f"{text!r:.60}", allowed)
    reader.passed(Scatter(seat, cards))


def _winners(reader: Record, found: _Found) -> None:
    seats: list[int] = []
    for part in re.split(r"[,;&]", found[1]):
        one = re.sub(r"^\s*and\s+", "", part, flags=re.IGNORECASE)
        several = [one]
        if seat_named(one, reader.names, bare=True) is None:  # not `Tom and Jo`
            several = re.split(r"\band\b", one, flags=re.IGNORECASE)
        seats += map(reader.seat, several)
    deal = reader.deal()
    winners = tuple(sorted({*seats}))
    deal.winners = _once(deal.winners or None, winners, "line of winners")


def _won_by(reader: Record, found: _Found) -> None:
    """Record who won the match or, directly below a trick, who won the trick."""
    deal = reader.deals[-1] if reader.deals else None
    last = deal.course[-1] if deal is not None and deal.course else None
    scored = deal is not None and bool(deal.score or deal.totals)
    several = seat_named(found[1], reader.names, bare=True) is None
    if deal is None or not isinstance(last, WrittenTrick) or scored or several:
        _winners(reader, found)
    else:
        winner = _once(last.winner, reader.seat(found[1]), "winner of the trick")
        deal.course[-1] = attrs.evolve(last, winner=winner)


def _happened(reader: Record, act: Happened) -> None:
    reader.deal().course.append(act)


def _set_numbers(name: str) -> Callable[[Record, _Found], None]:
    def take(reader: Record, found: _Found) -> None:
        deal = reader.fresh() if name == "before" else reader.deal()
        numbers = reader.numbers(found[1])
        before = getattr(deal, name) or None
        setattr(deal, name, _once(before, numbers, f"line {name!r}"))

    return take


def _moon(reader: Record, seat: int, text: str) -> None:
    word = text.strip().lower()
    one = re.fullmatch(r"one\s+(.+)", text.strip(), re.IGNORECASE)
    choice = reader.seat(one[1]) if one else word
    _happened(reader, MoonChoice(seat, choice))


def _compiled(*rows: tuple[str, T]) -> _Table[T]:
    return tuple((re.compile(pattern, re.IGNORECASE), take) for pattern, take in rows)


_LINES: Final[_Table[Callable[[Record, _Found], None]]] = _compiled(
    (r"(?:match|title|event)\s*[:=]\s*(.+)", _take_name),
    (r"(?:rules|ruleset|profile)\s*[:=]\s*(.+)", lambda r, m: r.rules(m[1])),
    (r"(?:players|names|seats)\s*[:=]\s*(.+)", lambda r, m: r.seats(m[1])),
    (r"(\d+) players", lambda r, m: r.seats(m[1])),
    (r"(?:remarks?|notes?|comments?)\s*:\s*(.+)", lambda r, m: r.remark(m[1])),
    (r"(refused:\s.+)", lambda r, m: r.remark(m[1])),
    (r"deal\s*#?(\d{1,10})(?!\d)\s*[:.]?(.*)", _take_deal),
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
        lambda r, m: r.cut(Cut(r.seat(m[1]), card(cards_typed(m[2])))),
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
    (r"winners?\s*[:=]?\s+(.+)", _winners),
    (r"won by\s*[:=]?\s+(.+)", _won_by),
)


_BY_SEAT: Final[_Table[Callable[[Record, int, _Found], None]]] = _compiled(
    (r"(.+?)\s+(?:deals|dealt|is dealer)", lambda r, s, m: _take_dealer(r, m)),
    (
        r"(.+?)(?:['\u2019]s hand|\s+h(?:olds|eld|as|ad))\s*:?\s+(.+)",
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
        lambda r, s, m: r.cut(Cut(s, card(cards_typed(m[2])))),
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


def _take_line(reader: Record, text: str) -> None:
    """Read a line; raises Malformed if it cannot occur in a written game."""
    position = _POSITION.fullmatch(text.strip())
    if position:  # in which // does not begin a remark
        deal, said = reader.fresh(), " ".join(position[1].split())
        deal.position = _once(deal.position or None, said, "position")
        return
    whole = _REMARK.match(text.lstrip())
    if whole:
        reader.remark(whole[1])
        return
    plain = _BRACES.sub(lambda found: " " * len(found[0]), text)
    behind = _REMARK.search(plain)
    end = len(text)
    if behind:
        end = behind.start() + plain[behind.start()].isspace()
    content = plain[:end]
    if content.strip() and not reader.table(content):
        bare = content.strip()
        if not _TITLE.match(bare):  # it may end with a bar
            bare = bare.strip("|").strip()
        _take_content(reader, bare)
    for said in _BRACES.findall(text[:end]):
        reader.remark(said)
    after = _REMARK.match(text[end:])
    if after:
        reader.remark(after[1])


def _take_content(reader: Record, text: str) -> None:
    """Read a line without its remarks; runs of blanks count as a single blank."""
    text = " ".join(text.split())
    for pattern, take in _LINES:
        found = pattern.fullmatch(text)
        if found:
            take(reader, found)
            return
    if is_rules(text):
        reader.rules(text)
    elif not _take_by_seat(reader, text):
        reader.tricks(text)


def _take_by_seat(reader: Record, text: str) -> bool:
    """Read a line that begins with a seat, unless it is a trick.

    Returns whether the line was read.
    """
    for pattern, take in _BY_SEAT:
        found = pattern.fullmatch(text)
        seat = seat_named(found[1], reader.names) if found else None
        if found and seat is not None:
            take(reader, reader.seat(found[1]), found)
            return True
    deal = reader.deals[-1] if reader.deals else None
    label = labels(reader.names).match(text)
    if deal is None or not deal.listed or deal.tricks or label is None:
        return False
    cards = text[label.end() :]
    if label[2] and count_cards(cards) == reader.players:
        return False  # `Ann: 2C 5C JD KC` is a trick
    reader.hand(label[1], cards, deal.after)
    return True


def read_written(text: str) -> WrittenMatch:
    """The match, deal or part of a deal that is written down in the text.

    Raises Malformed if a line cannot occur in a written game; the error names the line,
    what was found, and what would be right.
    """
    return _read(text, 0)


def _read(text: str, above: int) -> WrittenMatch:
    """The match in the text, which is part of a file and has `above` lines above it.

    Raises Malformed as `read_written` does.
    """
    if len(text) > MOST_TEXT:
        raise Malformed(f"{len(text)} characters", f"at most {MOST_TEXT}")
    lines = [(above + number, line) for number, line in _numbered(text)]
    _check_lengths(lines)
    rules_second = len(lines) > 1 and is_rules(lines[1][1].strip())
    titled = rules_second and not _is_said(lines[0][1])
    errors = []
    match = None
    try:
        match = read_lines(lines[1:], lines[0][1]) if titled else read_lines(lines)
    except Malformed as error:
        errors.append(error)
    if match is not None and not _may_be_plays(match, lines):
        return match
    if errors and not titled and _may_be_titled(lines, errors[0]):
        try:
            return read_lines(lines[1:], lines[0][1])
        except Malformed as error:
            errors.append(error)
    if is_partly_written(text):
        try:
            # Few patterns for words find an accent apart from its letter
            plain = loosened([(at, normalize("NFC", line)) for at, line in lines])
            return attrs.evolve(read_lines(plain.lines), granted=plain.granted)
        except NotTold as error:
            errors.insert(0, error)  # of two errors in one line, this one says more
        except Malformed as error:
            errors.append(error)
    if match is not None:
        return match
    raise max(errors, key=_place)


def _may_be_plays(match: WrittenMatch, lines: Sequence[tuple[int, str]]) -> bool:
    """Whether lines read as tricks may be single plays, or hands.

    That may be if a trick that is not whole comes before another, both with only their
    leaders named, and no line has a number.
    """
    if any(map(_NUMBERED.match, (text for _, text in lines))):
        return False
    players = match.players or len(SIDES)
    return any(
        isinstance(one, WrittenTrick)
        and isinstance(after, WrittenTrick)
        and len(one.cards) < players
        and None not in (one.leader, after.leader)
        for deal in match.deals
        for one, after in pairwise(deal.course)
    )


def _is_said(text: str) -> bool:
    """Whether a line is a remark, a trick, or a keyword with a colon and its content.

    A single card does not make a line a trick, since a title may contain one.
    """
    plain = text.strip()
    if _REMARK.match(plain):
        return True
    with suppress(Malformed):
        if len(laid_cards(plain.rpartition(":")[2])) > 1:
            return True
    marked = re.match(r"[^:=]{1,60}[:=]", plain) is not None
    plain = " ".join(plain.split())
    return marked and any(pattern.fullmatch(plain) for pattern, _ in _LINES)


def _may_be_titled(lines: Sequence[tuple[int, str]], error: Malformed) -> bool:
    """Whether reading failed at the first line and that line may be a title."""
    return (
        len(lines) > 1
        and _place(error) == lines[0][0]
        and not re.search(r"[:=]", lines[0][1])
        and not re.fullmatch(r"\s*deal\s*#?\d+\s*", lines[0][1], re.IGNORECASE)
        and not has_card(lines[0][1])
        and not rows_as_tricks(lines).tricks
    )


def _place(error: Malformed) -> int:
    """The number of the line that an error names, or 0 if it names none."""
    number = error.where.removeprefix("line ")
    return int(number) if number.isdecimal() else 0


def is_partly_written(text: str) -> bool:
    """Whether the text contains cards, or a line that can occur in a written game.

    If a line is too long to be read, its beginning decides.
    """
    for _, line in _numbered(text):
        begun = line[:MOST_LINE]
        if has_card(clean_line(begun)):
            return True
        with suppress(Malformed):
            _take_content(Record(), begun.strip())
            return True
    return False


def read_lines(lines: Sequence[tuple[int, str]], title: str = "") -> WrittenMatch:
    """The match in these numbered lines, with this title.

    Raises Malformed as `read_written` does.
    """
    reader = Record()
    reader.name = as_title(title)
    for number, line in lines:
        try:
            _take_line(reader, line)
        except Malformed as error:
            raise Malformed(error.found, error.allowed, f"line {number}") from None
    if not (reader.deals or reader.cuts or reader.ruleset):
        raise Malformed("no deal", HINT)
    return reader.match()


def matches_written(text: str) -> Iterator[tuple[int, WrittenMatch]]:
    """The matches in the text, each with the number of its first line.

    Each title begins another match, except the first one if there is no card above it.
    Raises Malformed as `read_written` does.
    """
    lines = text.splitlines()
    titles = [at for at, line in enumerate(lines) if _TITLE.match(line)]
    above = lines[: titles[0]] if titles else []
    played = any(map(_shows_play, above))
    begins = [0, *(titles if played else titles[1:])]
    for first, last in pairwise([*begins, len(lines)]):
        yield first + 1, _read("\n".join(lines[first:last]), first)


def _shows_play(line: str) -> bool:
    """Whether a line has a card, and not only in a remark, the rules or the players."""
    plain = line.strip()
    beside = _REMARK.match(plain) or _HEAD.match(plain) or is_rules(plain)
    return has_card(line) and not beside


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, line


def _check_lengths(lines: Sequence[tuple[int, str]]) -> None:
    """Raise Malformed, naming the line, if a line is too long to be read."""
    for number, line in lines:
        if len(line) > MOST_LINE:
            found = f"{len(line)} characters"
            raise Malformed(found, f"at most {MOST_LINE} in a line", f"line {number}")
