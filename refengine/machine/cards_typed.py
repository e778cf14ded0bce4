"""Cards as people type them: `10h`, `Q♠`, `qs`, `🂭`, `the queen of spades`."""

from __future__ import annotations

from typing import Final

from refengine.chapters.cards import RANKS, SUITS
from refengine.errors import Malformed
from refengine.machine.notation import read_sequence, write_sequence

_RANK_WORDS: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
_SUIT_WORDS: Final = ("club", "diamond", "spade", "heart")
_SUIT_SIGNS: Final = ("♣♧", "♦♢", "♠♤", "♥♡")
_MEANT: Final[dict[str, str]] = {
    **{word: RANKS[place] for place, word in enumerate(_RANK_WORDS)},
    **{word: SUITS[place] for place, word in enumerate(_SUIT_WORDS)},
    **{f"{word}s": SUITS[place] for place, word in enumerate(_SUIT_WORDS)},
    **{rank.lower(): rank for rank in RANKS},
    **{suit.lower(): suit for suit in SUITS},
    **{sign: SUITS[at] for at, signs in enumerate(_SUIT_SIGNS) for sign in signs},
    "10": "T",
    "knave": "J",
    "deuce": "2",
}
_LONGEST_WORD: Final = max([len(word) for word in _MEANT])
_PASSED_OVER: Final = ("of", "the", "and")
_BETWEEN: Final = ",;.+/-&|[](){}'\"\ufe0e\ufe0f\t\n\r、"
# Full-width characters, as Chinese and Japanese keyboards type them, and what they
# mean; made from code points, since many editors replace them with narrow ones.
_NARROW: Final = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789,;.+/-&|"
)
_WIDE: Final = {chr(ord(sign) + 0xFEE0): sign for sign in _NARROW}
# The characters that picture a card, leaving out the knights between jack and queen.
_PICTURED: Final = ("🃒🃓🃔🃕🃖🃗🃘🃙🃚🃛🃝🃞🃑", "🃂🃃🃄🃅🃆🃇🃈🃉🃊🃋🃍🃎🃁", "🂢🂣🂤🂥🂦🂧🂨🂩🂪🂫🂭🂮🂡", "🂲🂳🂴🂵🂶🂷🂸🂹🂺🂻🂽🂾🂱")
_PICTURES: Final = {
    picture: f" {rank}{suit} "
    for suit, pictures in zip(SUITS, _PICTURED, strict=True)
    for rank, picture in zip(RANKS, pictures, strict=True)
}
_LONGEST: Final = 1000  # the most characters that `as_written` reads
_CARDS: Final = "cards such as QS, 10h, Q♠ or queen of spades"


def cards_typed(text: str) -> str:
    """The cards that this text names, as the book writes them, in the order typed.

    >>> cards_typed("10h, Q♠ and the ace of clubs")
    'TH QS AC'

    A suit may come before its rank; an empty text names no cards. Raises Malformed if
    any part of the text is not a card, or if a card appears twice.
    """
    plain = text
    for wide, sign in _WIDE.items():
        plain = plain.replace(wide, sign)
    for picture, card in _PICTURES.items():
        plain = plain.replace(picture, card)
    for sign in _BETWEEN:
        plain = plain.replace(sign, " ")
    parts: list[str] = []
    for word in plain.split():
        if word.lower() not in _PASSED_OVER:
            parts += _parts(word)
    cards: list[str] = []
    while parts:
        one = parts.pop()
        other = parts.pop() if parts else ""
        if not other or (one in SUITS) == (other in SUITS):
            raise Malformed(f"{text[:60]!r}", _CARDS)
        cards.append(other + one if one in SUITS else one + other)
    cards.reverse()
    return write_sequence(read_sequence(" ".join(cards)))


def as_written(text: str) -> str:
    """The cards that this text names, as the book writes them; '' if it is unreadable.

    Text of more than 1000 characters counts as unreadable.

    >>> as_written("10h"), as_written("lady")
    ('TH', '')
    """
    if len(text) > _LONGEST:
        return ""
    try:
        return cards_typed(text)
    except Malformed:
        return ""


def _parts(word: str) -> list[str]:
    """The ranks and suits in a word, as signs; raises Malformed for anything else."""
    rest = word.lower()
    if rest in _MEANT:
        return [_MEANT[rest]]
    found: list[str] = []
    while rest:
        length = _LONGEST_WORD
        while length > 1 and rest[:length] not in _MEANT:
            length -= 1
        if rest[:length] not in _MEANT:
            raise Malformed(f"{word[:60]!r}", _CARDS)
        found.append(_MEANT[rest[:length]])
        rest = rest[length:]
    return found
