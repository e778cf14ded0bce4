"""Tests of reading cards as people type them."""

import unicodedata

import pytest

from refengine import Malformed
from refengine.chapters.cards import RANKS, SUITS
from refengine.machine.cards_typed import as_written, cards_typed

SAID = {
    "QS 2H": "QS 2H",
    "qs": "QS",
    "10h": "TH",
    "10♥": "TH",
    "Th": "TH",
    "Q♠": "QS",
    "♠q": "QS",
    "A♣\ufe0f K♢": "AC KD",
    "queen of spades": "QS",
    "The Ten of Hearts and a heart seven": None,
    "ace of clubs, knave of diamonds": "AC JD",
    "hearts 2; spades king": "2H KS",
    "4c tc 4d": "4C TC 4D",
    "4cTC4d": "4C TC 4D",
    "ah-kh": "AH KH",
    "[QS, 3H]": "QS 3H",
    "QS|3H": "QS 3H",
    "{'QS', \"3H\"}": "QS 3H",
    "": "",
    " ": "",
    "deuce of clubs": "2C",
    "\uff31\uff33": "QS",  # full-width, as Chinese keyboards type it
    "\uff11\uff10\uff48\uff0c\uff51\uff53、2C": "TH QS 2C",
    "♠\uff31": "QS",
    "🂭🂱 🃑": "QS AH AC",
    "🂬": None,  # a knight, which no pack of the book has
    "queen": None,
    "qq": None,
    "ss": None,
    "s": None,
    "1h": None,
    "QS of": "QS",
    "the lady": None,
    "QS q♠": None,
    "2z": None,
}


@pytest.mark.parametrize("text", SAID)
def test_what_people_type(text: str) -> None:
    meant = SAID[text]
    if meant is None:
        with pytest.raises(Malformed):
            cards_typed(text)
    else:
        assert cards_typed(text) == meant


def test_every_card_is_read_as_the_book_writes_it() -> None:
    cards = " ".join(rank + suit for suit in SUITS for rank in RANKS)
    assert cards_typed(cards) == cards_typed(cards.lower()) == cards


def test_the_picture_of_every_card_is_read() -> None:
    names = {
        "spades": 0x1F0A0,
        "hearts": 0x1F0B0,
        "diamonds": 0x1F0C0,
        "clubs": 0x1F0D0,
    }
    for suit, first in names.items():
        for rank in range(1, 15):
            name = unicodedata.name(chr(first + rank)).removeprefix("PLAYING CARD ")
            if not name.startswith("KNIGHT"):
                assert cards_typed(chr(first + rank)) == cards_typed(name), (suit, name)


def test_a_card_twice_says_so() -> None:
    with pytest.raises(Malformed, match="QS twice"):
        cards_typed("QS, queen of spades")


def test_cards_are_not_read_out_of_the_beginning_of_a_long_text() -> None:
    assert as_written("QS".ljust(1000)) == "QS"
    assert as_written("QS".ljust(1000) + "lady") == ""
