"""A second example engine: it plays single deals of plain Hearts for four players.

Each deal runs in a generator. It yields the decision that it is waiting for, and is
sent the decision made, so that the code follows the order of play. If an act is
refused, the engine does not say which clause forbids it.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from math import comb
from pathlib import Path
from typing import Any

ORDER = [rank + suit for suit in "CDSH" for rank in "23456789TJQKA"]
STEPS = {"left": 1, "across": 2, "right": 3}
SEATS = range(4)
PLAYS: dict[str, tuple[object, ...]] = {
    "direction": ("clockwise",),
    "undealt": ("none",),
    "pass_unseen": (False,),
    "opening_leader": ("lowest_club",),
    "opening_card": ("lowest_club", "any_club", "any"),
    "heart_leads": ("when_broken", "free"),
    "queen_breaks_hearts": (False, True),
    "hearts_or_queen_leader": ("queen", "any"),
    "first_trick_points": ("allowed", "barred"),
    "queen_duty": ("no",),
    "bonus_card": ("none", "JD", "TD"),
    "moon": ("none", "choice_all", "choice_one", "self_minus", "others_plus"),
    "sun_points": (0,),
    "no_trick_points": (0,),
    "revokes": ("rejected",),
    "exact_limit_becomes": ("none",),
    "ties": ("shared",),
}
# Options that have no effect given what is played, or are played at any value.
AT_ANY_VALUE = {
    "mix_kitty",
    "all_hearts_leader",
    "survivor_takes_stock",
    "no_survivor_stock",
    "revoke_until",
    "revoke_points",
    "revoke_ends_deal",
    "removal",
    "hand_size",
    "pass_count",
    "pass_cycle",
    "heart_points",
    "queen_points",
    "bonus_points",
    "limit",
    "limit_rule",
    "deals",
}
PROFILES = Path(__file__).parent / "../corpus/profiles.json"
BASE = json.loads(PROFILES.read_text("utf-8"))["base"] if PROFILES.is_file() else {}


@dataclass
class Wish:
    """The decision that a deal waits for: its kind, the seats, and their choices."""

    kind: str
    seats: list[int]
    choices: list[Any] = field(default_factory=list)


@dataclass
class Deal:
    """The state of a deal in progress: its options, cards, tricks and totals."""

    options: dict[str, Any]
    dealer: int
    number: int
    totals: list[int]
    hands: list[set[str]]
    taken: list[list[str]] = field(default_factory=lambda: [[] for _ in SEATS])
    tricks: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    broken: bool = False
    leader: int = 0
    table: list[str] = field(default_factory=list)
    completed: dict[str, Any] | None = None
    score: list[int] | None = None

    def worth(self, cards: Iterable[str]) -> int:
        """The penalty points of these cards."""
        hearts, queen = self.options["heart_points"], self.options["queen_points"]
        return sum(
            hearts if card[1] == "H" else queen if card == "QS" else 0 for card in cards
        )

    def over(self) -> bool:
        """Whether the match ends with this deal, given its options and the totals."""
        limit = self.options["limit"]
        if limit == "none":
            return bool(self.number >= self.options["deals"])
        highest = max(self.totals)
        exceed = self.options["limit_rule"] == "exceed"
        return bool(highest > limit if exceed else highest >= limit)


def missing(players: int, options: dict[str, Any]) -> str | None:
    """The first of these rules that this engine does not play, in words, or None."""
    if players != 4:
        return f"{players} players"
    if {"scatter", "mix"} & set(options["pass_cycle"]):
        return "scatter and mix"
    if not isinstance(options["heart_points"], int):
        return f"heart_points {options['heart_points']!r}"
    for name, value in options.items():
        if name not in AT_ANY_VALUE and value not in PLAYS.get(name, base_of(name)):
            return f"{name} {value!r}"
    return None


def base_of(name: str) -> list[object]:
    """The base value of an option that this engine does not know, in a list.

    The list is empty if `BASE` does not contain the option.
    """
    return [BASE[name]] if name in BASE else []


def story(deal: Deal) -> Generator[Wish, tuple[int, Any], None]:
    """Run a deal from the pass to the score, yielding each decision it waits for."""
    cycle = deal.options["pass_cycle"] or ["hold"]
    way = cycle[(deal.number - 1) % len(cycle)]
    if way != "hold":
        yield from passing(deal, STEPS[way])
    tricks = len(deal.hands[0])
    clubs = [
        card for card in ORDER if card[1] == "C" and card in set().union(*deal.hands)
    ]
    deal.leader = (deal.dealer + 1) % 4
    for seat in SEATS:
        if clubs and clubs[0] in deal.hands[seat]:
            deal.leader = seat
    for number in range(tricks):
        yield from trick(deal, first=number == 0)
    yield from scoring(deal)


def passing(deal: Deal, steps: int) -> Generator[Wish, tuple[int, Any], None]:
    """Let every seat choose its cards, in any order, and then exchange them all."""
    given: dict[int, set[str]] = {}
    while len(given) < 4:
        seat, cards = yield Wish("pass", [seat for seat in SEATS if seat not in given])
        given[seat] = set(cards)
    for seat, cards in given.items():
        deal.hands[seat] -= cards
    for seat, cards in given.items():
        deal.hands[(seat + steps) % 4] |= cards


def trick(deal: Deal, first: bool) -> Generator[Wish, tuple[int, Any], None]:
    """Play one trick; the highest card of the suit led takes it."""
    deal.table = []
    for turn in range(4):
        seat = (deal.leader + turn) % 4
        _, card = yield Wish("play", [seat], choices(deal, deal.hands[seat], first))
        deal.completed = None
        deal.hands[seat].remove(card)
        deal.table.append(card)
        queen_breaks = deal.options["queen_breaks_hearts"] and card == "QS"
        deal.broken = deal.broken or card[1] == "H" or queen_breaks
    followed = [card for card in deal.table if card[1] == deal.table[0][1]]
    best = deal.table.index(max(followed, key=ORDER.index))
    winner = (deal.leader + best) % 4
    deal.completed = {
        "leader": deal.leader,
        "cards": " ".join(deal.table),
        "winner": winner,
    }
    deal.taken[winner] += deal.table
    deal.tricks[winner] += 1
    deal.leader, deal.table = winner, []


def choices(deal: Deal, hand: set[str], first: bool) -> list[str]:
    """The cards of this hand that may be played now, in the order of `ORDER`."""
    allowed = set(hand)

    def keep(some: Iterable[str]) -> None:
        nonlocal allowed
        allowed = set(some) & allowed or allowed

    if not deal.table and first:
        clubs = [card for card in ORDER if card in hand and card[1] == "C"]
        rule = deal.options["opening_card"]
        keep({"lowest_club": clubs[:1], "any_club": clubs, "any": []}[rule])
    if deal.table:
        keep(card for card in hand if card[1] == deal.table[0][1])
    elif deal.options["heart_leads"] == "when_broken" and not deal.broken:
        others = {card for card in hand if card[1] != "H"}
        if not (others <= {"QS"} and deal.options["hearts_or_queen_leader"] == "any"):
            keep(others)
    if first and deal.options["first_trick_points"] == "barred":
        keep(card for card in hand if not deal.worth([card]))
    return sorted(allowed, key=ORDER.index)


def scoring(deal: Deal) -> Generator[Wish, tuple[int, Any], None]:
    """Score the deal, asking for a moon choice if one is due, and update the totals."""
    score = [deal.worth(cards) for cards in deal.taken]
    cards = [card for pile in deal.taken for card in pile]
    everything = deal.worth(cards)
    takers = {seat for seat in SEATS if deal.worth(deal.taken[seat])}
    moon = deal.options["moon"]
    hearts = sum(card[1] == "H" for card in cards)
    queen_counts = bool(deal.options["queen_points"])
    possible = hearts > 0 and "QS" in cards if queen_counts else hearts > 1
    if moon != "none" and possible and len(takers) == 1:
        (shooter,) = takers
        others = [seat for seat in SEATS if seat != shooter]
        choice: Any = moon
        if moon in ("choice_all", "choice_one"):
            pays = [{"one": seat} for seat in others]
            open_to = pays if moon == "choice_one" else ["others_plus"]
            _, choice = yield Wish("moon", [shooter], ["self_minus", *open_to])
            deal.completed = None
        plus = others if choice == "others_plus" else []
        plus = [choice["one"]] if isinstance(choice, dict) else plus
        score = [everything if seat in plus else 0 for seat in SEATS]
        if choice == "self_minus":
            score[shooter] = -everything
    for seat in SEATS:
        if deal.options["bonus_card"] in deal.taken[seat]:
            score[seat] += deal.options["bonus_points"]
    deal.score = score
    deal.totals = [a + b for a, b in zip(deal.totals, score, strict=True)]


class Game:
    """A deal together with its generator and the decision that it is waiting for."""

    def __init__(self, options: dict[str, Any], setup: dict[str, Any]) -> None:
        self.deal = Deal(
            options,
            setup["dealer"],
            setup["deal"],
            list(setup.get("totals", [0, 0, 0, 0])),
            [set(hand.split()) for hand in setup["hands"]],
        )
        self.story = story(self.deal)
        self.wish = next(self.story)

    def accepts(self, seat: int, act: dict[str, Any]) -> bool:
        """Whether this act is legal now."""
        ((kind, value),) = act.items()
        if kind != self.wish.kind or seat not in self.wish.seats:
            return False
        if kind != "pass":
            return value in self.wish.choices
        given = value.split() if isinstance(value, str) else []
        different = {*given} & self.deal.hands[seat]
        return len(given) == len(different) == self.deal.options["pass_count"]

    def do(self, seat: int, act: dict[str, Any]) -> None:
        """Apply a legal act."""
        ((kind, value),) = act.items()
        chosen = value.split() if kind == "pass" else value
        self.wish = next_wish(self.story, (seat, chosen))

    def legal(self) -> dict[str, Any]:
        """The answer to `legal`: the seats that have to act, and what they may do.

        For a pass, the answer gives only the number of possible choices of cards.
        """
        kind, hands = self.wish.kind, self.deal.hands
        shown: Any = self.wish.choices
        if kind == "play":
            shown = " ".join(shown)
        elif kind == "pass":
            shown = comb(len(hands[0]), self.deal.options["pass_count"])
        elif kind == "over":
            shown = True
        return {"turn": self.wish.seats, kind: shown}

    def observe(self) -> dict[str, Any]:
        """The answer to `observe`: the whole deal, with the cards of all four seats."""
        deal = self.deal
        found: dict[str, Any] = {
            "phase": self.wish.kind,
            "turn": self.wish.seats,
            "dealer": deal.dealer,
            "deal": deal.number,
            "hearts_broken": deal.broken,
            "hands": [show(hand) for hand in deal.hands],
            "taken": [show(pile) for pile in deal.taken],
            "tricks": deal.tricks,
            "points": [deal.worth(pile) for pile in deal.taken],
            "totals": deal.totals,
            "over": self.wish.kind == "over",
            "match": {"over": False},
        }
        if self.wish.kind == "play":
            table = " ".join(deal.table)
            found["table"] = {"leader": deal.leader, "cards": table}
        if deal.completed and self.wish.kind in ("play", "moon", "over"):
            found["trick"] = deal.completed
        if deal.score is not None:
            found["score"] = deal.score
            if deal.over():
                lowest = min(deal.totals)
                winners = [seat for seat in SEATS if deal.totals[seat] == lowest]
                found["match"] = {"over": True, "winners": winners}
        return found


def next_wish(
    tale: Generator[Wish, tuple[int, Any], None], done: tuple[int, Any]
) -> Wish:
    """Send an act to a deal, and return the next decision that it waits for.

    Once the deal has ended, the kind of that decision is `over`.
    """
    try:
        return tale.send(done)
    except StopIteration:
        return Wish("over", [])


def show(cards: Iterable[str]) -> str:
    """These cards as a string, in the order that the protocol requires of a set."""
    return " ".join(sorted(cards, key=ORDER.index))
