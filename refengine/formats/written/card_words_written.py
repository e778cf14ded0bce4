"""Cards that people write in words and abbreviations, put into the usual notation."""

from __future__ import annotations

import re
from typing import Final

SUIT: Final = "[cdhsCDHS♣♧♦♢♥♡♠♤]\ufe0e?\ufe0f?"
RANK: Final = "(?:10|[2-9tjqkaTJQKA])"
CARD: Final = rf"(?:{RANK}{SUIT}|{SUIT}{RANK}|\?\?)(?![^\W_])"
_A_CARD: Final = re.compile(rf"(?<![^\W_]){CARD}")
_A_WORD: Final = re.compile(r"[cdhsjqkat]{2}")
_SUITS: Final = {
    "c": r"cl(?:ubs?)?",
    "d": r"di(?:a(?:monds?)?)?",
    "h": r"h(?:ear)?ts?|hrts?|hearts?",
    "s": r"sp(?:ades?)?",
}
_RANKS: Final = {
    "deuce": "2",
    "trey": "3",
    **{word: word[0].upper() for word in ("ace", "king", "queen", "jack", "ten")},
    **dict(
        zip(
            ("two", "three", "four", "five", "six", "seven", "eight", "nine"),
            "23456789",
            strict=True,
        )
    ),
}
_SUIT_IN_WORDS: Final = "clubs|diamonds|hearts|spades"
_IN_WORDS: Final = re.compile(
    rf"(?:the\s+)?\b({'|'.join(_RANKS)})\s+of\s+({_SUIT_IN_WORDS})\b", re.IGNORECASE
)
_SEVERAL: Final = re.compile(
    rf"(?:the\s+)?\b((?:(?:{'|'.join(_RANKS)})(?:\s*,\s*(?:and\s+)?|\s+and\s+)"
    rf"(?:the\s+)?){{1,12}}(?:{'|'.join(_RANKS)}))\s+of\s+({_SUIT_IN_WORDS})\b",
    re.IGNORECASE,
)
_A_SUIT: Final = r"(?!(?-i:a)\s+(?:club|diamond|heart|spade)\b)"  # not `a club`
_SHORT: Final = re.compile(
    rf"(?<![^\W_]){_A_SUIT}({RANK})\s+({'|'.join(_SUITS.values())})\b\.?",
    re.IGNORECASE,
)
RANK_IN_WORDS: Final = "|".join(_RANKS)
_CALL: Final = re.compile(
    rf"\bCard\(\s*(?:rank\s*=\s*)?({RANK}|{'|'.join(_RANKS)})\s*,\s*(?:suit\s*=\s*)?"
    rf"({'|'.join(_SUITS.values())}|[cdhs])\s*\)",
    re.IGNORECASE,
)
_GROUPS: Final = re.compile(
    r"(\W*[^\W\d_][\w'\u2019 -]*[:=]\s*)"
    rf"((?:(?:{RANK}\s+)+(?:{'|'.join(_SUITS.values())}|"
    rf"[cdhs])\b[\s,;.]*)+)",
    re.IGNORECASE,
)
_STARRED: Final = re.compile(rf"(?:\*{{1,2}}|_)?({CARD})\*{{1,2}}|\*{{1,2}}({CARD})")
_SUIT_FIRST: Final = re.compile(r"(?<!\w)[cdhs](?:10|[2-9])(?!\w)", re.IGNORECASE)
_NOTHING: Final = re.compile(r"(?<![^\s/])\?(?=[\s/,;]|$)")
_REMARK: Final = re.compile(r"\s*(?:#(?!\d)|//|%)\s*")


def has_card(text: str) -> bool:
    """Whether the text contains a card.

    Two lower-case letters, such as `as`, do not count as one.
    """
    return any(not _A_WORD.fullmatch(one[0]) for one in _A_CARD.finditer(text))


def count_cards(text: str) -> int:
    """The number of cards in the text, unknown ones included."""
    return len(_A_CARD.findall(text))


def suits_first(text: str) -> bool:
    """Whether at least two cards in the text have the suit first, as in `h4`.

    In such text, `4 ht` contains the ten of hearts, not the four.
    """
    return len(_SUIT_FIRST.findall(text)) > 1


def clean_line(text: str, suit_first: bool = False) -> str:
    """Return the line with its cards in the usual notation.

    A time stamp or a bullet before it is left out, and `>` replaces the stars beside a
    card. With `suit_first`, a rank and a word after it are no card: see `suits_first`.
    If the line is a remark in another style, it is returned with `#` before it.
    """
    remark = _REMARK.match(text)
    if remark:
        return f"# {text[remark.end() :]}"
    text = re.sub(r"^\s*\[(?:\w{3}|\d\d:\d\d)\]\s*", "", text)  # a stamp in a log
    text = re.sub(r"^\s*[-*•]\s+", "", text)
    text = _CALL.sub(lambda found: card_in_words(found[1], found[2]), text)
    text = _SEVERAL.sub(lambda found: _several(found[1], found[2]), text)
    text = _IN_WORDS.sub(lambda found: card_in_words(found[1], found[2]), text)
    groups = _GROUPS.fullmatch(text)
    if groups:
        return f"{groups[1]}{' '.join(_grouped(groups[2]))}"
    if not suit_first:
        text = _SHORT.sub(lambda found: card_in_words(found[1], found[2]), text)
    text = _STARRED.sub(lambda found: f">{found[1] or found[2]}", text)
    return _NOTHING.sub("??", text) if has_card(text) else text


def _several(ranks: str, suit: str) -> str:
    """The cards of one suit with ranks such as `ace, ten and seven`."""
    return " ".join(
        card_in_words(one, suit)
        for one in re.findall(r"\w+", ranks)
        if one.lower() not in ("and", "the")
    )


def card_in_words(rank: str, suit: str) -> str:
    """The card with a rank such as `king`, `deuce` or `4` and a suit such as `hts`."""
    return f"{_RANKS.get(rank.lower(), rank.upper())}{suit[0].upper()}"


def _grouped(text: str) -> list[str]:
    """The cards in text such as `2 3 5 h, Q d`, where a suit follows all its ranks."""
    found: list[str] = []
    ranks: list[str] = []
    for word in re.findall(r"[^\s,;.]+", text):
        if re.fullmatch(RANK, word):
            ranks.append(word)
        else:
            found += [card_in_words(rank, word) for rank in ranks]
            ranks = []
    return found
