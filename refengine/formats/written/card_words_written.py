"""Cards in the words and abbreviations in which people write them, as we write them."""

from __future__ import annotations

import re
from typing import Final

from refengine.machine.cards_typed import cards_typed

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
    **{word: word[0].upper() for word in ("ace", "king", "queen", "jack", "ten")},
    **dict(
        zip(
            ("two", "three", "four", "five", "six", "seven", "eight", "nine"),
            "23456789",
            strict=True,
        )
    ),
}
_IN_WORDS: Final = re.compile(
    rf"(?:the\s+)?\b({'|'.join(_RANKS)})\s+of\s+(clubs|diamonds|hearts|spades)\b",
    re.IGNORECASE,
)
_SHORT: Final = re.compile(
    rf"(?<![^\W_])({RANK})\s+({'|'.join(_SUITS.values())})\b\.?", re.IGNORECASE
)
_CALL: Final = re.compile(
    rf"\bCard\(\s*(?:rank\s*=\s*)?({RANK}|{'|'.join(_RANKS)})\s*,\s*(?:suit\s*=\s*)?"
    rf"({'|'.join(_SUITS.values())}|[cdhs])\s*\)",
    re.IGNORECASE,
)
_GROUPS: Final = re.compile(
    rf"(\W*[^\W\d_][\w' -]*[:=]\s*)((?:(?:{RANK}\s+)+(?:{'|'.join(_SUITS.values())}|"
    rf"[cdhs])\b[\s,;.]*)+)",
    re.IGNORECASE,
)
_STARRED: Final = re.compile(rf"(?:\*{{1,2}}|_)?({CARD})\*{{1,2}}|\*{{1,2}}({CARD})")
_SUIT_FIRST: Final = re.compile(r"(?<!\w)[cdhs](?:10|[2-9])(?!\w)")
_NOTHING: Final = re.compile(r"(?<![^\s/])\?(?=[\s/,;]|$)")
_REMARK: Final = re.compile(r"\s*(?:#(?!\d)|//|%)\s*")


def has_card(text: str) -> bool:
    """Whether a text has a card in it that is no word besides, as `as` is."""
    return any(not _A_WORD.fullmatch(one[0]) for one in _A_CARD.finditer(text))


def count_cards(text: str) -> int:
    """How many cards stand in a text."""
    return len(_A_CARD.findall(text))


def suits_first(text: str) -> bool:
    """Whether suits stand before the ranks, so that `4 ht` has a ten of hearts."""
    return len(_SUIT_FIRST.findall(text)) > 1


def clean_line(text: str, suit_first: bool = False) -> str:
    """A line with its cards as we write them; a remark begins with `#`."""
    remark = _REMARK.match(text)
    if remark:
        return f"# {text[remark.end() :]}"
    text = re.sub(r"^\s*\[(?:\w{3}|\d\d:\d\d)\]\s*", "", text)  # of a log
    text = re.sub(r"^\s*[-*•]\s+", "", text)
    text = _CALL.sub(lambda found: _card(found[1], found[2]), text)
    text = _IN_WORDS.sub(lambda found: cards_typed(found[0]), text)
    groups = _GROUPS.fullmatch(text)
    if groups:
        return f"{groups[1]}{' '.join(_grouped(groups[2]))}"
    if not suit_first:
        text = _SHORT.sub(lambda found: _card(found[1], found[2]), text)
    text = _STARRED.sub(lambda found: f">{found[1] or found[2]}", text)
    return _NOTHING.sub("??", text) if has_card(text) else text


def _card(rank: str, suit: str) -> str:
    return f"{_RANKS.get(rank.lower(), rank.upper())}{suit[0].upper()}"


def _grouped(text: str) -> list[str]:
    """The cards of `2 3 5 h, Q d`."""
    found: list[str] = []
    ranks: list[str] = []
    for word in re.findall(r"[^\s,;.]+", text):
        if re.fullmatch(RANK, word):
            ranks.append(word)
        else:
            found += [_card(rank, word) for rank in ranks]
            ranks = []
    return found
