"""Scores small deals by a second program, written straight from chapters 1, 5, 6 and 8.

It works with card numbers and option values, and shares nothing with the functions that
implement those chapters, so that exhaustion can compare the two. Revokes are left out,
and a shooter who has a choice takes the points off (8.5).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import attrs

from refengine.lawbook.options import Value

_DIAMONDS: Final = {"JD": 13 + 9, "TD": 13 + 8}
_QUEEN: Final = 26 + 10
_HIGH: Final = {_QUEEN: "queen_points", 26 + 11: "king_points", 26 + 12: "ace_points"}
_HEARTS: Final = range(39, 52)
_OTHERS_PLUS: Final = ("others_plus", "others_plus_unless_losing")

Options = Mapping[str, Value]
Cards = Collection[int]


def worth_of(options: Options, card: int) -> int:
    """The points that a card costs; most cards cost none (1.4 to 1.5b)."""
    if card in _HEARTS and options["heart_points"] == "face":
        return card - _HEARTS.start + 2
    option = "heart_points" if card in _HEARTS else _HIGH.get(card)
    return 0 if option is None else _number(options, option)


def _number(options: Options, name: str) -> int:
    """The value of this option, which must be a whole number."""
    found = options[name]
    assert isinstance(found, int)
    return found


def bonus_card(options: Options) -> int | None:
    """The bonus card, or None if the ruleset has none (1.7)."""
    return _DIAMONDS.get(str(options["bonus_card"]))


def counts(options: Options, card: int) -> bool:
    """Whether the card counts, so that play goes on while a hand holds it (5.14a)."""
    return worth_of(options, card) > 0 or card == bonus_card(options)


def wins_kitty(options: Options, trick: Cards, first: bool, last: bool) -> bool:
    """Whether a trick wins the kitty, which nobody has taken yet (5.13, 5.13a).

    `first` says whether it is the first trick of the deal, and `last` whether it is the
    last.
    """
    wanted = {
        "first_trick": first,
        "last_trick": last,
        "first_points": any(worth_of(options, card) for card in trick),
    }
    return wanted[str(options["kitty_to"])]


def stock_taker(options: Options, holding: Sequence[int], last: int) -> int:
    """The seat that takes the rest of the stock, or -1 if no seat does (6.8a, 6.8b).

    `holding` are the seats that still hold cards, and `last` is the seat that played
    last.
    """
    if holding:
        return holding[0] if options["survivor_takes_stock"] else -1
    return last if options["no_survivor_stock"] == "last_to_play" else -1


def shooter_of(options: Options, in_play: Cards, hauls: Sequence[Cards]) -> int:
    """The seat that shot the moon, or -1 if none did (8.3, 8.3a, 8.3c).

    `hauls` holds the cards that count for each seat.
    """
    hearts = [card for card in in_play if card in _HEARTS]
    wanted = {card for card in in_play if worth_of(options, card)}
    bonus = bonus_card(options)
    if options["moon"] == "none":
        return -1
    if options["queen_points"] == 0 and len(hearts) < 2:
        return -1
    if options["queen_points"] != 0 and not (hearts and _QUEEN in in_play):
        return -1
    if options["moon_needs_bonus"] and bonus is not None:
        if bonus not in in_play:
            return -1
        wanted.add(bonus)
    return next((seat for seat, own in enumerate(hauls) if wanted <= set(own)), -1)


@attrs.frozen
class PlainScore:
    """The score of each seat, and the seat that shot the moon, or -1 if none did."""

    shooter: int
    score: tuple[int, ...]


def score_of(
    options: Options, in_play: Cards, hauls: Sequence[Cards], tricks: Sequence[int]
) -> PlainScore:
    """The score of a deal, from the cards that count for each seat and its tricks.

    `hauls` are the cards that count for each seat, and `tricks` how many tricks each
    took. After a moon, the points of the cards are replaced (8.5): the shooter gets
    minus what the moon is worth and the others 0 or, if the ruleset says so, each of
    the others gets what it is worth and the shooter 0. Totals are not known here, so
    nobody is spared by `others_plus_unless_losing` (9.7).
    """
    shooter = shooter_of(options, in_play, hauls)
    worth = sum(worth_of(options, card) for card in in_play)
    sun = _number(options, "sun_points")
    if shooter >= 0 and sun and tricks[shooter] == sum(tricks):
        worth = sun  # 8.4
    score: list[int] = []
    for seat, cards in enumerate(hauls):
        points = sum(worth_of(options, card) for card in cards)
        if shooter >= 0 and options["moon"] in _OTHERS_PLUS:
            points = worth if seat != shooter else 0
        elif shooter >= 0:
            points = -worth if seat == shooter else 0
        if bonus_card(options) in cards:
            points += _number(options, "bonus_points")  # 8.7
        if shooter < 0 and not tricks[seat]:
            points += _number(options, "no_trick_points")  # 8.8
        score.append(points)
    return PlainScore(shooter, tuple(score))
