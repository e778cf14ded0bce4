"""Reading cards as people write them: in any style, with marks, or as unknown."""

from __future__ import annotations

import re
from typing import Final

from refengine.errors import Malformed
from refengine.formats.written.card_words_written import SUIT
from refengine.formats.written.written_match import Laid
from refengine.game.values.cardset import CARDS, Card, CardSet
from refengine.machine.cards_typed import cards_typed
from refengine.machine.notation import read_sequence

UNKNOWN: Final = "??"
_UNKNOWN: Final = frozenset({UNKNOWN, "?", "_", "__"})
_WORD: Final = re.compile(r"(\+*)([^\s,;+!]*)(!?)[,;]*")
_RANKS: Final = r"(?:10|[2-9tjqka]|\s|,|[-–—])+"
# A blank after a suit counts as one of the ranks unless a colon or a full stop follows,
# so that there is only one way to match it.
_BY_SUIT: Final = re.compile(rf"(?:{SUIT}(?:\s*[:.])?{_RANKS})+", re.IGNORECASE)
_ONE_SUIT: Final = re.compile(rf"({SUIT})(?:\s*[:.])?({_RANKS})", re.IGNORECASE)
_RANK: Final = re.compile(r"10|[2-9tjqka]", re.IGNORECASE)
_NOTHING: Final = frozenset({"", "-", "--", "–", "—", "none", "nothing", "void"})
_MOST_WORDS: Final = 60  # tried as one card; each is tried with those before it
_A_CARD: Final = "cards such as QS, 10h or Q♠, or ?? for one that is not known"


def laid_cards(text: str, seat: int | None = None) -> tuple[Laid, ...]:
    """The cards of a trick or of a part of it, in the order written.

    `??` is a card that nobody wrote down; each `+` before a card stands for a card
    drawn, and `!` after it marks a revoke. `seat` becomes the seat of every card.
    Raises Malformed for anything that is not a card.
    """
    found: list[Laid] = []
    begun: list[str] = []
    drew = 0
    for plus, word, mark in _WORD.findall(text):
        if plus and begun:
            raise _no_card(begun)
        drew += len(plus)
        if not word and not mark:
            continue
        cards = _cards_so_far(begun, word)
        if cards is None:
            begun.append(word)
            if mark or len(begun) == _MOST_WORDS:
                raise _no_card(begun)
            continue
        if mark and not cards:
            raise Malformed("'!' without a card", _A_CARD)
        for place, one in enumerate(cards):
            last = place == len(cards) - 1
            found.append(
                Laid(card=one, seat=seat, drew=drew, revoke=bool(mark) and last)
            )
            drew = 0
        begun = []
    if begun:
        raise _no_card(begun)
    if drew:
        raise Malformed("'+' without a card", "'+' before the card that was drawn for")
    return tuple(found)


def _no_card(words: list[str]) -> Malformed:
    """The error that says that these words name no card."""
    return Malformed(f"{' '.join(words)!r:.60}", _A_CARD)


def _cards_so_far(begun: list[str], word: str) -> tuple[Card | None, ...] | None:
    """Return the cards that the words in `begun` and `word` name together.

    The result is None if they do not name a card, as when a card takes more words. An
    unknown card is returned as None in the tuple.
    """
    if word in _UNKNOWN and not begun:
        return (None,)
    try:
        typed = cards_typed(" ".join([*begun, word]))
    except Malformed:
        return None
    return tuple(CARDS[number] for number in read_sequence(typed))


def hand_written(text: str) -> CardSet:
    """Read a hand, with its cards in any order and style, or grouped by suit.

    `♠ AQ2 ♥ K` and `♠ AQ ♥ - ♦ 5` are grouped by suit. Raises Malformed if something in
    the text is not a card, or if a card appears twice.
    """
    plain = text.strip()
    if plain.lower() in _NOTHING:
        return CardSet()
    if not _BY_SUIT.fullmatch(plain):  # else a void's suit would join a rank before it
        return CardSet(cards_typed(text))
    cards = [
        rank + suit
        for suit, ranks in _ONE_SUIT.findall(plain)
        for rank in _RANK.findall(ranks)
    ]
    return CardSet(cards_typed(" ".join(cards)))


def laid_text(laid: Laid) -> str:
    """The text of a card of a trick as `laid_cards` reads it, without its seat."""
    card = UNKNOWN if laid.card is None else laid.card.value
    return f"{'+' * laid.drew}{card}{'!' if laid.revoke else ''}"
