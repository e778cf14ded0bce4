"""Cards as people type them."""

import pytest

from refengine import Malformed
from refengine.chapters.cards import RANKS, SUITS
from refengine.machine.cards_typed import cards_typed

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


def test_a_card_twice_says_so() -> None:
    with pytest.raises(Malformed, match="QS twice"):
        cards_typed("QS, queen of spades")
