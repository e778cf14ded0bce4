"""Reducing logs, tags and notes to lines of a game in words that the reader knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from refengine.formats.written.card_words_written import CARD, count_cards, has_card
from refengine.formats.written.names_written import MARKS, SIDES

Lines = Sequence[tuple[int, str]]

_STAMP: Final = re.compile(
    r"\s*\[?(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?Z?\]?\s+"
    r"(?:\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR)\]?:?\s+)?"
    r"(?:\[[^\]\"]*\]:?\s+)?"
)
_OF_A_POST: Final = re.compile(
    rf"\[/?(?:quote|code|b|i|u)(?:=[^\]]*)?\]|^\s*(?:>\s+)+(?!(?:\w+[\s:=]+)?{CARD})"
)
_NEXT_TRICK: Final = re.compile(r"\s{2,}(?=\d{1,2}[.)]\s)")
_NEXT_SUM: Final = re.compile(r"(?<=\d)[.;]\s+(?=(?:before|after)\b)", re.IGNORECASE)
_SEAT: Final = r"seat\s*[=#]?\s*(\d{1,2})"
_WHO: Final = rf"([^\W\d][\w{MARKS}]*)(?!\w)"
# Of the patterns that fit a line, the first counts: `won by seat 1` names no Seat
_WORDS: Final = (
    (r"hand\s+([^\W\d]\w*)\s+(?=[\w♣♦♥♠])(?!.*:)", r"hand \1: "),
    (r"pass\s+([^\W\d]\w*)\s*(?:->|to)\s*(\w+):?\s+(?=\S)", r"\1 passes to \2: "),
    (r"play\s+(?=[^\W\d]\w*\s)", ""),
    (rf"{_SEAT}\s+(?:is\s+|was\s+)?dealt:?\s+(?=\S)", r"hand seat \1: "),
    (
        rf"{_SEAT}\s+pass(?:es|ed)\s+((?:{CARD}[\s,]+)+)to\s+{_SEAT}\s*",
        r"seat \1 passes to seat \3: \2",
    ),
    (rf"trick\s+(\d{{1,2}})\s+(?:starts|begins),?\s+leader\s+{_SEAT}", r"trick \1"),
    (
        rf"(?:trick\s+\d{{1,2}}\s+)?(?:is\s+)?(?:won|taken)\s+by\s+{_SEAT}"
        r"\W+(?:points?|pts)\s*[=:]?\s*(\d{1,3})\b.*",
        r"-> seat \1 (\2)",
    ),
    (
        rf"(?:trick\s+\d{{1,2}}\s+)?(?:is\s+)?(?:won|taken)\s+by\s+{_SEAT}\b.*",
        r"-> seat \1",
    ),
    (
        r"deal\s+\d{1,3}\s+(?:ends|ended),?\s+(?:points|scores?)\s+(?=\S+\s*[=:])",
        "score: ",
    ),
    (
        rf"(?:trick\s+\d{{1,2}}\s+)?(?:is\s+)?(?:won|taken)\s+by\s+{_WHO}"
        r"\W*(?:points?|pts)\s*[=:]?\s*(\d{1,3})\b.*",
        r"-> \1 (\2)",
    ),
    (
        rf"(?:trick\s+\d{{1,2}}\s+)?(?:is\s+)?(?:won|taken)\s+by\s+{_WHO}.*",
        r"-> \1",
    ),
    (r"(?:score|points)\s+(?:of\s+(?:the\s+)?)?deal\s+(?=\S+\s*[=:])", "score: "),
    (
        r"(?:(?:score|grand)\s+)?(?:total|after)s?\s*:?\s+(?=\S+\s*[=: ]\s*[+-]?\d)",
        "totals: ",
    ),
    (r"before\s*:?\s+(?=\S+\s*[=: ]\s*[+-]?\d)", "before: "),
)
_IN_OUR_WORDS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), ours) for pattern, ours in _WORDS
)
_PAIRS: Final = re.compile(r"((?:score|totals|before): )([^\W\d]\S*[ =:]+[+-]?\d+\b.*)")
_TAG_OF_SUMS: Final = re.compile(
    r'\[(points|score|before|after|totals?)\s+"([^"]*)"\]', re.IGNORECASE
)
_TAG_OF_DEAL: Final = re.compile(r'\[(?:deal|round)\s+"\d+"\]', re.IGNORECASE)
_TAG_OF_HAND: Final = re.compile(
    rf"(hand|passed|passes)_?({'|'.join(SIDES)}|[NESW])", re.IGNORECASE
)
_IN_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_TAG: Final = re.compile(r'\[(\w+)\s+"([^"]*)"\]')
_OWN_LINES: Final = ("event", "title", "rules", "players")
_SIDE: Final = re.compile(
    rf"(?<![\w♣♦♥♠])({'|'.join(SIDES)}|[nesw])(?=\s*[:=+,]|\s+[+-]?\d+\b|\s*$)",
    re.IGNORECASE,
)
_POINTS: Final = re.compile(
    r"\(([+-]?\d{1,3})\)|[+]\s*(\d{1,3})\b(?!\s*(?:so|in)\b)"
    r"|\b(\d{1,3})\s*(?:points?|pts)\b(?!\s+so)|\b(?:points?|pts)\s*[=:]\s*(\d{1,3})\b"
    r"|\b(no)\s+(?:points?|pts)\b",
    re.IGNORECASE,
)
_SUMS: Final = {"before": "before", "after": "totals", "total": "totals"}
_BY_SEAT: Final = re.compile(
    r"\W*scores?\W+((?:\d\s*:\s*[+-]?\d+[\s,]*)+)\W*", re.IGNORECASE
)
_IN_ORDER: Final = re.compile(
    r"\W*(?:points?|scores?|sums?|totals?)\b[^\d+-]*((?:[+-]?\d+[\s,;/]+)+[+-]?\d+)\W*",
    re.IGNORECASE,
)
_SEATED: Final = re.compile(
    rf"(?<![\w.])(?<!r\s)(?<!eat\s)(\d)(?:\s*[:=]\s*|\s+)(?={CARD})"
)


def plain_lines(lines: Lines) -> list[tuple[int, str]]:
    """Remove time stamps, and put each trick and each list of numbers on its own line.

    Tags that give a score or totals move to the end of their deal, except those for the
    totals before the deal. If there are tags, text in braces becomes a remark of its
    own.
    """
    found: list[tuple[int, str]] = []
    below: list[tuple[int, str]] = []
    tagged = any(_TAG.fullmatch(text.strip()) for _, text in lines)
    for number, text in lines:
        tag = _TAG_OF_SUMS.fullmatch(text.strip())
        if _TAG_OF_DEAL.fullmatch(text.strip()):
            found, below = [*found, *below], []
        if tag is None:
            bare = _IN_BRACES.sub(" ", text) if tagged else text
            found += ((number, one) for one in _parts(bare))
            said = _IN_BRACES.findall(text) if tagged else ()
            found += ((number, f"# {one.strip()}") for one in said if one.strip())
            continue
        word = _SUMS.get(tag[1].lower().removesuffix("s"), "score")
        told = number, _with_commas(f"{word}: {tag[2]}")
        (found if word == "before" else below).append(told)
    return [*found, *below]


def tags_apart(lines: Lines) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Separate the tags, such as those of PGN, from the other lines, and rewrite both.

    If the tags say who sits North, East, South and West, the other lines get those
    names; if one of the four is missing, these tags become remarks. Tags for hands and
    passes, and other tags of a later deal, stay among the other lines.
    """
    head: list[tuple[int, str]] = []
    rest: list[tuple[int, str]] = []
    sides: dict[str, str] = {}
    told: list[tuple[int, str]] = []  # the same, as remarks
    for number, text in lines:
        tag = _TAG.fullmatch(text.strip())
        own = _TAG_OF_HAND.fullmatch(tag[1]) if tag else None
        if tag is None:
            rest.append((number, text))
        elif own:
            what = "hand" if own[1].lower() == "hand" else "passes"
            rest.append((number, f"{what} {own[2]}: {tag[2]}"))
        elif line := _tag_of_a_deal(tag):
            later = any(has_card(one) for _, one in rest)
            (rest if later else head).append((number, line))
        elif tag[1].lower() in SIDES:
            last, _, first = tag[2].partition(",")  # Rao, D.
            sides[tag[1].lower()] = f"{first.strip()} {last.strip()}".strip()
            told.append((number, f"# {tag[1]}: {tag[2]}"))
        elif tag[1].lower() in _OWN_LINES:
            head.append((number, f"{tag[1].lower()}: {tag[2]}"))
        else:
            head.append((number, f"# {tag[1]}: {tag[2]}"))
    if len(sides) < len(SIDES):
        return [*head, *told], rest
    round_from = [[*SIDES[at:], *SIDES[:at]] for at in range(len(SIDES))]
    order = [*sides] if [*sides] in round_from else SIDES
    head.insert(0, (lines[0][0], f"players: {', '.join(sides[one] for one in order)}"))
    named = {one[:size]: sides[one] for one in SIDES for size in (1, len(one))}
    return head, [
        (number, _SIDE.sub(lambda found: named[found[1].casefold()], text))
        for number, text in rest
    ]


def _tag_of_a_deal(tag: re.Match[str]) -> str:
    """The line for a tag with a deal's number, dealer or pass; empty for other tags."""
    name, said = tag[1].lower(), tag[2].strip()
    if name in ("deal", "round") and said.isdecimal():
        return f"deal {said}"
    return f"{name}: {said}" if name in ("pass", "dealer") else ""


def _parts(text: str) -> Iterator[str]:
    """Split a line into tricks and lists of numbers, in words that the reader knows."""
    text = _OF_A_POST.sub("", text)
    plain = _STAMP.sub("", text, count=1) if _STAMP.match(text) else text
    for trick in _NEXT_TRICK.split(plain):
        for part in _NEXT_SUM.split(trick):
            yield _in_our_words(part)


def _in_our_words(text: str) -> str:
    """The line in words that the reader knows; unchanged if it is of no known kind."""
    for pattern, ours in _IN_OUR_WORDS:
        found = pattern.match(text.lstrip())
        if found:
            return _with_commas(f"{found.expand(ours)}{text.lstrip()[found.end() :]}")
    return text


def _with_commas(text: str) -> str:
    """Put commas between the numbers if each has a name, as in `score: N 0, E 21`."""
    found = _PAIRS.fullmatch(text)
    if not found:
        return text
    part = rf"\w{MARKS}.'\u2019"
    name = rf"(?<![{part}-])([^\W\d_](?:[{part} -]*?[{part}])??)"
    numbers = re.findall(rf"{name}[ =:]+([+-]?\d+)\b", found[2])
    return f"{found[1]}{', '.join(f'{name} {number}' for name, number in numbers)}"


def points_beside(text: str) -> str:
    """The points told beside a trick; empty if none, or different ones, are told."""
    told = {next(filter(None, one)) for one in _POINTS.findall(text)}
    points = told.pop() if len(told) == 1 else ""
    return "0" if points.lower() == "no" else points


def numbers_by_seat(text: str, players: int) -> str:
    """The numbers in a line such as `Points: 3, 0, 0, 10` or `Scores: 0: 3, 1: 10`.

    They are in the order of the seats, without their sum, if that comes last. The
    result is empty for any other line.
    """
    if each := _BY_SEAT.fullmatch(text):
        said = re.findall(r"(\d+)\s*:\s*([+-]?\d+)", each[1])
        by_seat = {int(seat): number for seat, number in said}
        first = min(by_seat)  # people count from 0 or from 1
        if sorted(by_seat) != [*range(first, first + players)]:
            return ""
        return " ".join(by_seat[seat] for seat in sorted(by_seat))
    if not (listed := _IN_ORDER.fullmatch(text)):
        return ""
    numbers = [int(one) for one in re.findall(r"[+-]?\d+", listed[1])]
    if len(numbers) == players + 1 and sum(numbers[:-1]) == numbers[-1]:
        numbers.pop()  # the sum of the others
    return " ".join(map(str, numbers))


def without_points(text: str) -> str:
    """The text without the points that `points_beside` looks for."""
    return _POINTS.sub(" ", text)


def seats_by_number(lines: Lines) -> list[tuple[int, str]]:
    """Put `seat` or `Player` before the numbers in lines that have one for each card.

    The numbers are those of seats if one of them is 0, and otherwise those of players.
    """
    told = [len(_SEATED.findall(text)) == count_cards(text) > 1 for _, text in lines]
    several = [text for (_, text), seats in zip(lines, told, strict=True) if seats]
    word = "seat" if any("0" in _SEATED.findall(text) for text in several) else "Player"
    found: list[tuple[int, str]] = []
    for (number, text), seats in zip(lines, told, strict=True):
        if seats:
            text = _SEATED.sub(rf"{word} \1: ", text)
            text = re.sub(r"\W+(\d)\s*$", rf" -> {word} \1", text)
        found.append((number, text))
    return found
