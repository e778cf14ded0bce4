"""How people write a game down besides: turned into the lines that the reader knows.

It is for a text that the reader does not take as it stands. What a line says is never
changed: names are found, words and signs that say nothing are left out, and tricks that
stand over several lines are put on one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from refengine.formats.written.columns_written import columns_headed
from refengine.machine.cards_typed import cards_typed

Lines = Sequence[tuple[int, str]]

_SUIT: Final = "[cdhsCDHS♣♧♦♢♥♡♠♤]\ufe0e?\ufe0f?"
_RANK: Final = "(?:10|[2-9tjqkaTJQKA])"
CARD: Final = rf"(?:{_RANK}{_SUIT}|{_SUIT}{_RANK}|\?\?)(?![^\W_])"
_A_CARD: Final = re.compile(rf"(?<![^\W_]){CARD}")
_VERB: Final = (
    r"(?:leads|led|plays|played|follows(?: with)?|discards|throws|puts|"
    r"(?:takes|wins)(?: it)? with)"
)
_NAME: Final = r"[^\W\d_](?:[\w-]|'(?!s\b))*(?:\s?\d{1,2})?"
_NAMED: Final = re.compile(
    rf"(?<![\w.'♣♦♥♠-])({_NAME})(?:'s hand)?"
    rf"(?:\s*[:=]\s*(?={CARD}|[♣♧♦♢♥♡♠♤])|\s+(?:{_VERB}\s+)?(?={CARD}))"
)
_IN_WORDS: Final = re.compile(
    r"(?:the\s+)?\b(?:ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two)"
    r"\s+of\s+(?:clubs|diamonds|hearts|spades)\b",
    re.IGNORECASE,
)
_AND: Final = re.compile(rf"((?<![^\W_]){CARD})\s*,?\s+and\s+")
_NUMBERS: Final = re.compile(r"\s*(?:points|scores?)\s*:\s*(.*)", re.IGNORECASE)
_DEAL: Final = re.compile(r"(\s*deal\s*#?\d+)\s*\((.*)\)\s*", re.IGNORECASE)
_NO_NAME: Final = re.compile(
    r"and|then|with|the|of|to|seat|position|tricks?|hands?|held|holds?|has|had|cards?|"
    r"pass(?:es|ed)?|deals?|dealt|dealer|stock|kitty|pack|rules|scores?|points|totals?|"
    r"winners?|won|wins|takes?|took|leads?|led|plays?|played|follows|discards|throws|puts|"
    r"left|right|across|scatter|cuts?|draws?|retract|claim|forward|moon|"
    rf"north|east|south|west|[nesw]|{CARD}",
    re.IGNORECASE,
)
_REMARK: Final = re.compile(r"\s*(?:#(?!\d)|//|%)")
_TAG: Final = re.compile(r'\[(\w+)\s+"([^"]*)"\]')
_SIDES: Final = ("north", "east", "south", "west")
_HEADING: Final = re.compile(
    r"(?:the\s+)?(hands?|cards|dealt|tricks?|play|plays)\s*:?", re.IGNORECASE
)
_NUMBER: Final = re.compile(
    r"\s*(?:(?:trick|t|#)\s*#?\s*(\d{1,2})|(\d{1,2})(?:st|nd|rd|th)(?:\s+trick)?)"
    r"(?!\w)\s*[:.)-]*\s*(.*)",
    re.IGNORECASE,
)
_DASHED: Final = re.compile(
    rf"((?<![^\W_]){CARD})(?:\s*[-–—/]\s*(?={CARD})|\.\s+(?=\S))"
)
_INDEXED: Final = re.compile(rf"(?<![\w.])(?<!r\s)(?<!eat\s)(\d)\s*[:=]\s*(?={CARD})")
_SIDED: Final = re.compile(rf"(?<!\S)([NESW])\s+(?={CARD})")
_SAID: Final = re.compile(rf"\s{_VERB}\s+(?={CARD})", re.IGNORECASE)
_STARRED: Final = re.compile(rf"(?:\*{{1,2}}|_)?({CARD})\*{{1,2}}|\*{{1,2}}({CARD})")
_BESIDE_NAME: Final = re.compile(r"\s*\([NESWnesw]\)")
_TAKES: Final = (
    r"\s+(?:wins?|won|takes?|took|gets?|got)(?:\s+(?:it|this|that|the\s+trick|trick))?"
    r"\s*[.!]?\s*"
)
_LIST: Final = re.compile(rf"\s*{_NAME}(?:\s*[,;|/]\s*{_NAME}){{1,12}}\s*")


def loosened(lines: Lines) -> tuple[list[tuple[int, str]], bool]:
    """The lines as the reader knows them, and whether players were found in them."""
    plain = [(number, one) for number, line in lines for one in _plain(line)]
    head, plain = _tags(plain)
    plain = _table(plain)
    said = [text for _, text in (*head, *plain)]
    names = next((_names_in(one) for one in said if _declares(one)), [])
    found = None
    if not names and not any(map(columns_headed, said)):
        found = _names_listed(plain) or _names_met(plain)
        if found is not None:
            names, plain = found
    known = names or [*_SIDES, *"NESW"]
    return [*head, *_on_one_line(plain, known)], found is not None


def _names_in(text: str) -> list[str]:
    """The names in a list of them."""
    _, _, rest = text.rpartition(":") if ":" in text else ("", "", text)
    return [one.strip() for one in re.split(r"[,;|/]", rest) if one.strip()]


def _declares(text: str) -> bool:
    return bool(re.match(r"\s*(?:players|names|seats)\s*[:=]", text, re.IGNORECASE))


def has_cards(text: str) -> bool:
    """Whether a text has two cards in it, so that it may be a game."""
    found = _A_CARD.finditer(text)
    return next(found, None) is not None and next(found, None) is not None


def _plain(line: str) -> Iterator[str]:
    """A line without the words and signs that say nothing; a heading is none."""
    if _REMARK.match(line):
        yield line
        return
    text = _BESIDE_NAME.sub("", line) if _declares(line) else line
    text = _STARRED.sub(lambda found: f">{found[1] or found[2]}", text)
    text = _IN_WORDS.sub(lambda found: cards_typed(found[0]), text)
    text = _AND.sub(r"\1, ", text)
    text = _SAID.sub(lambda found: _led(found[0]), text)
    if len(_INDEXED.findall(text)) > 1:
        text = _INDEXED.sub(r" seat \1: ", text)
    if len(_SIDED.findall(text)) > 1:
        text = _SIDED.sub(r"\1: ", text)
    text = _DASHED.sub(r"\1, ", text)
    if len(_NAMED.findall(text)) > 1:
        text = text.replace(";", ",")
    numbers = _NUMBERS.fullmatch(text)
    if numbers:
        apart = re.sub(r"(\d)\s+(?=[^\W\d_])", r"\1, ", numbers[1])
        yield f"score: {apart}"
        return
    deal = _DEAL.fullmatch(text)
    if deal:
        yield f"{deal[1]}, {deal[2]}"
        return
    number = _NUMBER.fullmatch(text)
    if number and not re.match(r"\s*trick\s+[^\W\d_]", text, re.IGNORECASE):
        yield from _numbered(number[1] or number[2], number[3])
        return
    yield text


def _led(verb: str) -> str:
    return " leads " if "led" in verb.lower() or "lead" in verb.lower() else " "


def _numbered(number: str, rest: str) -> Iterator[str]:
    yield f"{number}. {rest}" if rest.strip() else f"{number}."


def _tags(lines: Lines) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """The lines for what stands in tags, as in PGN, and the others."""
    head: list[tuple[int, str]] = []
    rest: list[tuple[int, str]] = []
    sides: dict[str, str] = {}
    first = 0
    for number, text in lines:
        tag = _TAG.fullmatch(text.strip())
        if tag is None:
            rest.append((number, text))
        elif tag[1].lower() in _SIDES:
            sides[tag[1].lower()] = tag[2]
            first = first or number
        elif tag[1].lower() in ("event", "title", "rules", "dealer", "players"):
            head.append((number, f"{tag[1]}: {tag[2]}"))
        else:
            head.append((number, f"# {tag[1]}: {tag[2]}"))
    if len(sides) == len(_SIDES):
        names = ", ".join(sides[one] for one in _SIDES)
        head.insert(0, (first, f"players: {names}"))
    return head, rest


_Found = tuple[list[str], list[tuple[int, str]]]


def _names_listed(lines: Lines) -> _Found | None:
    """The players if a line before the first card is a list of them.

    With the lines, in which that is said.
    """
    above = takewhile(lambda line: not _A_CARD.search(line[1]), lines)
    for at, (number, text) in enumerate(above):
        if _LIST.fullmatch(text) and not _title(text, lines[at + 1 :]):
            names = _names_in(text)
            return names, _with_players(lines[:at], number, names, lines[at + 1 :])
    return None


def _with_players(
    before: Lines, number: int, names: Sequence[str], after: Lines
) -> list[tuple[int, str]]:
    return [*before, (number, f"players: {', '.join(names)}"), *after]


def _title(text: str, lines: Lines) -> bool:
    """Whether none of the words of a list is met again, so that it is no players."""
    rest = " ".join(line for _, line in lines).casefold()
    return not any(one.casefold() in rest for one in _names_in(text))


def _names_met(lines: Lines) -> _Found | None:
    """The players if cards have names beside them, in the order in which they come.

    With the lines, in which that is said before anybody is named.
    """
    found: dict[str, str] = {}
    for _, text in lines:
        for one in _NAMED.finditer("" if _REMARK.match(text) else text):
            name = " ".join(one[1].split())
            plain = name.casefold()
            if _NO_NAME.fullmatch(plain):
                continue
            if not re.match(r"seat\s*\d", plain):
                found.setdefault(plain, name)
    if len(found) < 2:
        return None
    named = [any(name in text.casefold() for name in found) for _, text in lines]
    at = named.index(True)
    if at and re.fullmatch(r"\d+\.", lines[at - 1][1]):  # the number of its trick
        at -= 1
    names = [*found.values()]
    return names, _with_players(lines[:at], lines[at][0], names, lines[at:])


def _table(lines: Lines) -> list[tuple[int, str]]:
    """The lines, with a number before each row of a table that has none."""
    found: list[tuple[int, str]] = []
    columns, row = 0, 0
    for at, (number, text) in enumerate(lines):
        words = text.replace("|", " ").split()
        cards = len(_A_CARD.findall(text))
        after = _A_CARD.findall(lines[at + 1][1]) if at + 1 < len(lines) else []
        if not cards and 2 < len(words) == len(after) and _are_names(words):
            columns, row = len(words), 0
            found.append((number, f"trick {' '.join(words)}"))
        elif columns and cards == columns == len(words):
            row += 1
            found.append((number, f"{row} {' '.join(words)}"))
        else:
            columns = 0
            found.append((number, text))
    return found


def _are_names(words: Sequence[str]) -> bool:
    sides = {*_SIDES, *"nesw"}
    return all(
        one.casefold() in sides
        or (re.fullmatch(_NAME, one) and not _NO_NAME.fullmatch(one))
        for one in words
    )


def _on_one_line(lines: Lines, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines, each trick on one, with its winner, and each hand said to be one."""
    known = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    won = re.compile(
        rf"(?:^|[\s,.;:–—-]+)({known}){_TAKES}"
        rf"|\s+\(({known})\)\s*|\s+[-–—]\s+({known})\s*",
        re.IGNORECASE,
    )
    alone = re.compile(rf"\s*({known})\s*(?:[:=]|\s)\s*(leads\s+)?({CARD})\s*[,.;!]?")
    hand = re.compile(rf"\s*({known})\s*[:=](.*)", re.IGNORECASE)
    dealt = _hands_in(lines, hand)
    trick: list[tuple[int, str]] = []
    told: list[str] = []  # who has a card in it
    hands = False

    def whole() -> Iterator[tuple[int, str]]:
        if trick:
            bare = [text.strip(" ,.;") for _, text in trick]
            number = f"{bare.pop(0)}. " if bare[0].isdecimal() else ""
            yield trick[0][0], number + ", ".join(bare)
        trick.clear()
        told.clear()

    for number, text in lines:
        heading = _HEADING.fullmatch(text.strip())
        said = next((w for w in won.finditer(text) if w.end() == len(text)), None)
        if said:
            who = said[1] or said[2] or said[3]
            text = f"{text[: said.start()]} -> {who}"
        one = alone.fullmatch(text)
        if heading:
            yield from whole()
            hands = heading[1].lower().startswith(("hand", "card", "dealt"))
        elif re.fullmatch(r"\d{1,2}\.", text.strip()):
            yield from whole()
            hands = False
            trick.append((number, text))
        elif one:
            if one[1].casefold() in told:
                yield from whole()
            told.append(one[1].casefold())
            verb = " leads " if one[2] else ": "
            trick.append((number, f"{one[1]}{verb}{one[3]}"))
        elif trick and text.strip().startswith("->"):
            trick[-1] = trick[-1][0], f"{trick[-1][1].strip(' ,.;')} {text.strip()}"
            yield from whole()
        else:
            yield from whole()
            is_hand = number in dealt or (hands and hand.fullmatch(text))
            yield number, f"hand {text.strip()}" if is_hand else text
    yield from whole()


def _hands_in(lines: Lines, hand: re.Pattern[str]) -> set[int]:
    """The numbers of lines that stand together and give each of several seats a hand.

    They have as many cards each, but not as many as there are seats: those are tricks.
    """
    found: set[int] = set()
    block: dict[str, tuple[int, int]] = {}
    for number, text in [*lines, (0, "")]:
        one = hand.fullmatch(text)
        cards = len(_A_CARD.findall(one[2])) if one else 0
        if one and cards and one[1].casefold() not in block:
            block[one[1].casefold()] = number, cards
            continue
        sizes = {size for _, size in block.values()}
        if len(block) > 2 and len(sizes) == 1 and not sizes & {1, len(block)}:
            found |= {number for number, _ in block.values()}
        block = {}
    return found
