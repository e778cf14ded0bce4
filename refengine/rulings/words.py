"""The nouns of a ruling: cards, seats, numbers and option values in plain words.

They are for readers who have played Hearts on a phone and know none of our terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from refengine.game.values.cardset import Card, CardSet, Suit
from refengine.lawbook.options import Option, Value

_RANKS: Final = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}
_SUITS: Final = {
    Suit.CLUBS: "club",
    Suit.DIAMONDS: "diamond",
    Suit.SPADES: "spade",
    Suit.HEARTS: "heart",
}
PHASES: Final = {
    "cut": "the draw for the first dealer is going on",
    "deal": "the next thing to do is to deal",
    "pass": "cards are being passed",
    "mix": "the cards given away are to be mixed",
    "play": "the deal is being played",
    "moon": "whoever shot the moon has a choice to make",
    "over": "everything is over",
}


def card_words(card: Card) -> str:
    """The card in words, `the queen of spades`."""
    return f"the {_RANKS[card.value[0]]} of {suit_words(card)}"


def suit_words(card: Card) -> str:
    """The suit of the card in words, `spades`."""
    return f"{_SUITS[card.suit]}s"


def card_of_suit_words(card: Card) -> str:
    """One card of the suit of this card, `a spade`."""
    return f"a {_SUITS[card.suit]}"


def list_words(words: Iterable[str], last: str = "and") -> str:
    """The words as a list, `one, two and three`."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def cards_words(cards: Iterable[Card], last: str = "and") -> str:
    """The cards: one in words, several in notation; `no card` for none."""
    several = list(cards)
    if len(several) == 1:
        return card_words(several[0])
    return list_words((str(card) for card in several), last) if several else "no card"


def seat_words(seat: int) -> str:
    """The seat, `seat 2`."""
    return f"seat {seat}"


def seats_words(seats: Sequence[int]) -> str:
    """One or more seats, `seat 1` or `seats 0 and 2`."""
    several = "seats" if len(seats) > 1 else "seat"
    return f"{several} {list_words(map(str, seats))}"


def count_words(number: int, noun: str) -> str:
    """A number of things, `1 card` or `3 cards`."""
    return f"{number} {noun}" if abs(number) == 1 else f"{number} {noun}s"


def each_words(numbers: Iterable[int]) -> str:
    """A number for each seat that has one other than 0, `seat 0: 4, seat 2: 13`."""
    told = [f"seat {seat}: {number}" for seat, number in enumerate(numbers) if number]
    return ", ".join(told) or "nothing for anybody"


def all_words(numbers: Iterable[int]) -> str:
    """A number for each seat, `seat 0: 4, seat 1: 0`."""
    return ", ".join(f"seat {seat}: {number}" for seat, number in enumerate(numbers))


def hand_words(cards: CardSet) -> str:
    """A hand in notation; `no cards` if it is empty."""
    return str(cards) or "no cards"


def value_text(value: Value) -> str:
    """The value of an option as it is written on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value)


def value_words(field: str, value: Any) -> str:
    """The value of an observed field, given as in a trace, in words."""
    if value is None:
        return "none yet"
    if field == "match":
        return (
            f"over, won by {seats_words(value['winners'])}"
            if value["over"]
            else ("not over")
        )
    if field == "revokes":
        return (
            ", ".join(
                f"{seat_words(one['seat'])} in trick {one['trick']}: {one['state']}"
                for one in value
            )
            or "none"
        )
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(one) or "-" for one in value)


WINDOWS: Final[dict[Value, str]] = {
    "trick_complete": "until the trick is complete",
    "trick_quitted": "until the trick is turned face down or the next one is led",
    "next_lead": "until the next lead, or a draw for it",
}
"""Until when a revoke can be corrected, by the value of revoke_until."""

# What each value of an option means at the table, after "at this table".
_MEANT: Final[dict[str, dict[Value, str]]] = {
    "direction": {
        "clockwise": "play goes round to the left",
        "counterclockwise": "play goes round to the right",
    },
    "removal": {
        "none": "no card is taken out of the pack",
        "lowest": "low cards are taken out until the hands come out even",
    },
    "undealt": {
        "none": "all cards are dealt",
        "stock": "the cards not dealt are a stock to draw from",
        "kitty": "the cards not dealt are a kitty, won with the first trick that costs",
    },
    "mix_kitty": {
        True: "the kitty is shuffled into a mix",
        False: "the kitty stays out of a mix",
    },
    "pass_unseen": {
        True: "you may push on unseen what is passed to you",
        False: "you must pass cards of your own",
    },
    "opening_leader": {
        "lowest_club": "whoever holds the lowest club leads first",
        "left_of_dealer": "the player on the dealer's left leads first",
    },
    "opening_card": {
        "lowest_club": "the first lead must be the leader's lowest club",
        "any_club": "the first lead must be a club",
        "any": "the first lead need not be a club",
    },
    "heart_leads": {
        "when_broken": "hearts are not led before one has been played",
        "free": "hearts may be led at any time",
    },
    "queen_breaks_hearts": {
        True: "the queen of spades breaks hearts too",
        False: "only a heart breaks hearts",
    },
    "all_hearts_leader": {
        "lead": "a leader with nothing but hearts leads one",
        "draw": "a leader with nothing but unbroken hearts draws from the stock",
    },
    "hearts_or_queen_leader": {
        "queen": "a leader with nothing but hearts and the queen of spades leads her",
        "any": "a leader with nothing but hearts and the queen of spades may choose",
    },
    "first_trick_points": {
        "allowed": "cards that cost points may be played to the first trick",
        "barred": "cards that cost points are kept out of the first trick",
    },
    "queen_duty": {
        "no": "nobody has to part with the queen of spades",
        "when_safe": "the queen of spades must be played as soon as it is safe",
    },
    "survivor_takes_stock": {
        True: "the last player with cards takes the rest of the stock",
        False: "the rest of the stock counts for nobody when one player is left",
    },
    "no_survivor_stock": {
        "nobody": "the rest of the stock counts for nobody when all go out together",
        "last_to_play": "when all go out together, who played last takes the stock",
    },
    "bonus_card": {
        "none": "no card is a bonus",
        "JD": "the jack of diamonds is a bonus",
        "TD": "the ten of diamonds is a bonus",
    },
    "moon": {
        "none": "taking everything is worth nothing special (no moon)",
        "choice_all": "who shoots the moon chooses: minus for oneself, or plus for all",
        "choice_one": "who shoots the moon chooses: minus for oneself, or plus for one",
        "self_minus": "who shoots the moon takes the points off",
        "others_plus": "who shoots the moon gives the points to everybody else",
        "others_plus_unless_losing": "who shoots the moon gives the points to all "
        "others, unless that would lose the match",
    },
    "revokes": {
        "rejected": "a card that fails to follow suit is simply not accepted",
        "penalised": "a card that fails to follow suit stands until somebody notices",
    },
    "revoke_until": {
        value: f"a failure to follow suit can be taken back {until}"
        for value, until in WINDOWS.items()
    },
    "revoke_points": {"all": "a failure to follow suit costs all the points there are"},
    "revoke_ends_deal": {
        True: "a failure to follow suit, once claimed, ends the deal",
        False: "the deal goes on after a failure to follow suit has been claimed",
    },
    "limit": {"none": "the match has no limit but a number of deals"},
    "limit_rule": {
        "reach": "it is enough to reach the limit",
        "exceed": "the limit must be exceeded",
    },
    "exact_limit_becomes": {"none": "a total of exactly the limit stays as it is"},
    "ties": {
        "shared": "a tie for the lowest total is a shared win",
        "play_on": "a tie for the lowest total is played on",
    },
    "hand_size": {"all": "the hands are as large as the pack allows"},
}
_NUMBERED: Final = {
    "hand_size": "each hand has {} cards",
    "pass_count": "{} cards are passed",
    "pass_cycle": "the passes are, in turn: {}",
    "heart_points": "a heart costs {}",
    "queen_points": "the queen of spades costs {}",
    "bonus_points": "the bonus card counts {}",
    "sun_points": "taking every trick as well moves {} points",
    "no_trick_points": "taking no trick counts {}",
    "revoke_points": "a failure to follow suit costs {} points",
    "limit": "the match goes to {}",
    "exact_limit_becomes": "a total of exactly the limit becomes {}",
    "deals": "without a limit the match has {} deals",
}


def option_meaning(option: str, value: Value) -> str:
    """What the value of an option means, after `at this table`."""
    words = _MEANT.get(option, {})
    if value == ():
        return "no cards are passed"
    if isinstance(value, bool | str) and value in words:
        return words[value]
    return _NUMBERED[option].format(value_text(value).replace(",", ", "))


def other_values(option: Option, now: Value) -> list[Value]:
    """The other values of an option worth considering: words, flags, 0 and none."""
    tried: list[Value] = [*option.words]
    if isinstance(option.base, bool):
        tried = [False, True]
    elif isinstance(option.base, tuple):
        tried = [(), ("left",)]
    elif option.least is not None and option.least <= 0:
        tried.append(0)
    return [value for value in tried if value != now]
