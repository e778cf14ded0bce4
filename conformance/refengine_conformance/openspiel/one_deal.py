"""Plays one deal in OpenSpiel and in this engine, until it ends or they differ.

Whatever both engines show is compared: the cards that may be passed, hands after the
pass, whose turn it is, the cards that may be played, broken hearts, points after each
trick but the last, and the returns, which alone show who won the last trick. OpenSpiel
numbers cards `4 * rank + suit`, with the suits in the order C D H S.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any, Final, Protocol, cast

import attrs

from refengine.game.acts import Deal, Pass, Play
from refengine.game.values.cardset import CARDS, Card, CardSet, Suit
from refengine.game.values.cardset import cards as cards_of
from refengine.game.values.state import State, new_match
from refengine.game.verdicts import Legal, Refused
from refengine_conformance.openspiel.deals import (
    DIRECTIONS,
    HEARTS,
    JACK,
    PENALTIES,
    QUEEN,
    SEATS,
    SEED,
    TWO,
    Plan,
    combination_of,
    game_parameters,
    pass_directions,
    plan_of_deal,
    ruleset_like_parameters,
)

THEIRS: Final = tuple(
    4 * (number % 13) + (0, 1, 3, 2)[number // 13] for number in range(52)
)
OURS: Final = tuple(THEIRS.index(action) for action in range(52))

_MOST_POINTS: Final = 26  # a return is this minus the points

PENALTIES_ONLY: Final = "first trick, a hand of penalty cards only"
HEARTS_ONLY: Final = "leader with hearts only, unbroken"
HEARTS_AND_QUEEN: Final = "leader with hearts and the queen only, unbroken"
QUEEN_UNBROKEN: Final = "queen of spades played before any heart"
CLUBS_TO_CHOOSE: Final = "opening leader with a choice of clubs"
TWO_PASSED: Final = "two of clubs passed on"
MOON_ALL: Final = "moon with every trick"
MOON_LOST: Final = "moon with a trick lost"
MOON_JACK: Final = "moon with a jack that counts"
NO_TRICK: Final = "seat without a trick, where that counts"
RARE: Final = (
    PENALTIES_ONLY,
    HEARTS_ONLY,
    HEARTS_AND_QUEEN,
    QUEEN_UNBROKEN,
    CLUBS_TO_CHOOSE,
    TWO_PASSED,
    MOON_ALL,
    MOON_LOST,
    MOON_JACK,
    NO_TRICK,
)


class NotInstalled(Exception):
    """Raised if OpenSpiel cannot be imported."""

    def __init__(self) -> None:
        super().__init__(
            "OpenSpiel cannot be imported: pip install 'refengine-conform[openspiel]'"
        )


class Library(Protocol):
    """Those methods of a state of OpenSpiel's `hearts` that are used here."""

    def apply_action(self, action: int) -> None:
        """Apply an action, which is a chance outcome or a player's decision."""

    def legal_actions(self) -> list[int]:
        """The actions that are legal now, in ascending order."""

    def current_player(self) -> int:
        """The seat whose turn it is."""

    def is_terminal(self) -> bool:
        """Whether the deal is over."""

    def hearts_broken(self) -> bool:
        """Whether hearts are broken, or need not be broken before they may be led."""

    def points(self, player: int) -> int:
        """The points that a seat has so far."""

    def returns(self) -> list[float]:
        """For each seat, 26 minus its points; only once the deal is over."""

    def to_struct(self) -> Any:
        """The whole state as a structure, hands included."""


@attrs.frozen
class Disagreement:
    """A difference between the engines in a deal, which is then compared no further.

    `clauses` are those that this engine cites for refusing what is legal in OpenSpiel,
    and those that any other difference calls into question. `state` is Python source
    that evaluates to this engine's state.
    """

    deal: int
    seed: int
    parameters: tuple[tuple[str, bool], ...]
    what: str
    ours: str
    theirs: str
    clauses: tuple[str, ...]
    state: str

    def __str__(self) -> str:
        on = ", ".join(name for name, value in self.parameters if value) or "none"
        return (
            f"deal {self.deal} of seed {self.seed}, {self.what}: here {self.ours}, "
            f"there {self.theirs} ({', '.join(self.clauses)}); parameters: {on}"
        )


@attrs.frozen
class Walked:
    """The result of comparing one deal: what was counted, and any disagreement."""

    combination: int
    plays: int
    passes: int
    tricks: int
    moon: bool
    rare: tuple[str, ...]
    disagreement: Disagreement | None


@cache
def new_library_game(combination: int) -> Any:
    """OpenSpiel's game with this combination of parameters.

    Raises NotInstalled if OpenSpiel is missing.
    """
    try:
        import pyspiel
    except ImportError as error:
        raise NotInstalled from error
    return pyspiel.load_game("hearts", game_parameters(combination))


# The walk of one deal


class _Differs(Exception):
    """Raised when the engines differ.

    Its `args` are what differs, this engine's value, OpenSpiel's value, and the
    clauses.
    """

    def __init__(
        self, what: str, ours: object, theirs: object, clauses: tuple[str, ...]
    ) -> None:
        super().__init__(what, str(ours), str(theirs), clauses)


def _same(what: str, ours: object, theirs: object, *clauses: str) -> None:
    """Raise _Differs, with these clauses, unless the two values are equal."""
    if ours != theirs:
        raise _Differs(what, ours, theirs, clauses)


@attrs.define
class _Walk:
    """A deal in progress in both engines, and what has been counted so far."""

    plan: Plan
    given: dict[str, bool]
    rng: Random
    ours: State
    theirs: Library
    plays: int = 0
    passes: int = 0
    tricks: int = 0
    moon: bool = False
    rare: list[str] = attrs.Factory(list)

    def play_and_compare(self) -> None:
        """Play the whole deal in both engines; raises _Differs where they differ."""
        self._deal_cards()
        self._pass_cards()
        self._compare_hands()
        self._play_cards()
        self._compare_scores()

    def _deal_cards(self) -> None:
        """Set the pass direction in OpenSpiel, and deal the plan's hands in both."""
        ways = list(range(len(pass_directions(self.given))))
        _same("pass directions", ways, self.theirs.legal_actions(), "4.1")
        self.theirs.apply_action(self.plan.direction)
        for place in range(13):
            for seat in SEATS:
                self.theirs.apply_action(THEIRS[self.plan.hands[seat][place]])
        hands = [_set(hand) for hand in self.plan.hands]
        self._apply(Deal(self.ours.turn[0], hands))

    def _apply(self, act: Deal | Pass) -> None:
        """Apply an act in this engine, after it has been applied in OpenSpiel.

        Raises _Differs if the act is refused.
        """
        verdict = self.ours.verdict(act)
        if isinstance(verdict, Refused):
            raise _Differs(str(act), verdict, "legal", verdict.clauses)
        self.ours = self.ours.apply(act)

    def _pass_cards(self) -> None:
        """Pass the cards: one by one in OpenSpiel, in packets in this engine."""
        way = "pass" if self.plan.packets else "play"
        _same("phase", self.ours.phase, way, "4.1")
        for seat, packet in enumerate(self.plan.packets):
            left = _set(self.plan.hands[seat])
            for number in packet:
                _same("turn to pass", seat, self.theirs.current_player(), "4.4")
                _same("cards to pass", left, _legal(self.theirs), "4.4")
                self.theirs.apply_action(THEIRS[number])
                left = left - _set([number])
            self._apply(Pass(seat, _set(packet)))
            self.passes += 1
        self._note(TWO_PASSED, any(TWO.number in one for one in self.plan.packets))

    def _compare_hands(self) -> None:
        """Compare the hands after the pass, and the seat that leads first."""
        theirs = [cards_of(" ".join(hand)) for hand in self.theirs.to_struct().hands]
        for seat in SEATS:
            _same(f"hand of seat {seat}", self.ours.hands[seat], theirs[seat], "4.8")
        _same("opening leader", self.ours.turn, _turn(self.theirs), "5.1")

    def _play_cards(self) -> None:
        """Play to the end, comparing before every card and after every trick."""
        while not self.theirs.is_terminal():
            self._compare_position()
            self._note_decision()
            self._play_one()
            if self.plays % 4 == 0:
                self._compare_trick()
        _same("end of play", self.ours.over, True, "5.14")

    def _compare_position(self) -> None:
        """Compare the seat to play, whether hearts are broken, and the legal cards."""
        in_trick = self.plays % 4 > 0
        what, clause = ("turn", "5.12") if in_trick else ("leader", "5.11")
        _same(what, self.ours.turn, _turn(self.theirs), clause)
        if self.given["must_break_hearts"]:
            broken = self.theirs.hearts_broken()
            _same("hearts broken", self.ours.hearts_broken, broken, "5.9")
        ours = self.ours.legal_numbers()
        theirs = self.theirs.legal_actions()
        if ours != sorted([OURS[action] for action in theirs]):
            raise self._legal_differs(_set(ours), _legal(self.theirs))

    def _legal_differs(self, ours: CardSet, theirs: CardSet) -> _Differs:
        """The error for legal cards that differ, with the clauses that decide."""
        seat = self.ours.turn[0]
        clauses: list[str] = []
        for card in theirs - ours:
            verdict = self.ours.verdict(Play(seat, card))
            clauses.extend(() if isinstance(verdict, Legal) else verdict.clauses)
        clauses.extend(clause_in_question(self.ours, card) for card in ours - theirs)
        return _Differs("legal cards", ours, theirs, _once(clauses))

    def _note_decision(self) -> None:
        """Record this decision if it is one of the rare cases."""
        if self.plays == 0:
            clubs = len(self.ours.legal_numbers())
            self._note(CLUBS_TO_CHOOSE, clubs > 1)
        elif self.plays < 4:
            barred = self.given["no_pts_on_first_trick"]
            self._note(PENALTIES_ONLY, barred and self._hand() <= PENALTIES)
        elif self.plays % 4 == 0 and self._hearts_barred():
            hand = self._hand()
            self._note(HEARTS_ONLY, hand <= HEARTS)
            mixed = QUEEN in hand and bool(hand & HEARTS)
            self._note(HEARTS_AND_QUEEN, mixed and hand <= PENALTIES)

    def _hearts_barred(self) -> bool:
        """Whether hearts have to be broken and are not."""
        return self.given["must_break_hearts"] and not self.ours.hearts_broken

    def _hand(self) -> CardSet:
        return self.ours.hands[self.ours.turn[0]]

    def _note(self, kind: str, met: bool) -> None:
        """Record the rare case `kind` if it has occurred."""
        if met:
            self.rare.append(kind)

    def _play_one(self) -> None:
        """Play a card, chosen by the policy of the seat to play, in both engines."""
        seat = self.theirs.current_player()
        legal = self.ours.legal_numbers()
        leading = self.plays % 4 == 0
        number = self.plan.policies[seat](legal, leading, self.rng)
        if number == QUEEN.number:
            self._note(QUEEN_UNBROKEN, self._hearts_barred())
        self.ours = self.ours.play_number(number)
        self.theirs.apply_action(THEIRS[number])
        self.plays += 1

    def _compare_trick(self) -> None:
        """Compare the winner of the trick, and each seat's points.

        After the last trick, nothing is compared, since OpenSpiel then shows only the
        returns.
        """
        if self.theirs.is_terminal():
            self.tricks += 1
            return
        winner = (self.ours.history[-1].winner,)
        _same("trick winner", winner, _turn(self.theirs), "5.10")
        self.tricks += 1
        for seat in SEATS:
            points = self.ours.points[seat]
            if self.given["jd_bonus"] and JACK in self.ours.taken[seat]:
                points -= 10
            theirs = self.theirs.points(seat)
            _same(f"points of seat {seat}", points, theirs, "8.1")

    def _compare_scores(self) -> None:
        """Compare the score of the deal with the one that OpenSpiel's returns imply."""
        self._note_end()
        ours = self.ours.score or ()
        theirs = tuple(_MOST_POINTS - int(one) for one in self.theirs.returns())
        pairs = zip(ours, theirs, strict=False)
        apart = {abs(here - there) for here, there in pairs} - {0}
        known = {26: "8.5", 10: "8.7", 5: "8.8"}
        clauses = [known.get(points, "8.9") for points in sorted(apart, reverse=True)]
        _same("score", ours, theirs, *_once(clauses))

    def _note_end(self) -> None:
        """Record a moon, and the rare cases that occur at the end of a deal."""
        tricks = self.ours.tricks
        jack = self.given["jd_bonus"]
        for seat, taken in enumerate(self.ours.taken):
            if not PENALTIES - taken:
                self.moon = True
                self.rare.append(MOON_LOST if tricks[seat] < 13 else MOON_ALL)
                self._note(MOON_JACK, jack)
        counts = self.given["avoid_all_tricks_bonus"] and not self.moon
        self._note(NO_TRICK, counts and 0 in tricks)


def clause_in_question(state: State, card: Card) -> str:
    """The clause that would forbid this card if OpenSpiel were right to refuse it.

    It is found without calling the functions of the rules, as one of them may be wrong.
    """
    on_table = state.table.cards if state.table is not None else ()
    hand = state.hands[state.turn[0]]
    if not on_table and not state.history:
        return "5.2"
    if (
        on_table
        and card.suit is not on_table[0].suit
        and hand.of_suit(on_table[0].suit)
    ):
        return "5.3"
    if not on_table and card.suit is Suit.HEARTS:
        return "5.4"
    if not state.history and card in PENALTIES:
        return "5.5"
    return "5.8"


def _once(clauses: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clauses))


def _set(numbers: Iterable[int]) -> CardSet:
    return CardSet(CARDS[number] for number in numbers)


def _legal(theirs: Library) -> CardSet:
    return _set([OURS[action] for action in theirs.legal_actions()])


def _turn(theirs: Library) -> tuple[int, ...]:
    return () if theirs.is_terminal() else (theirs.current_player(),)


def play_in_both_engines(deal: int, seed: int = SEED) -> Walked:
    """Play the deal with this number in both engines, and stop if they differ.

    Returns what was counted, and any disagreement. Raises NotInstalled if OpenSpiel is
    missing.
    """
    combination = combination_of(deal)
    planned = plan_of_deal(deal, seed)
    rules = ruleset_like_parameters(combination, DIRECTIONS[planned.direction])
    walking = _Walk(
        planned,
        game_parameters(combination),
        Random(f"{seed} {deal} play"),
        new_match(rules, dealer=deal % 4),
        cast(Library, new_library_game(combination).new_initial_state()),
    )
    found = None
    try:
        walking.play_and_compare()
    except _Differs as differs:
        what, ours, theirs, clauses = differs.args
        given = tuple(game_parameters(combination).items())
        state = repr(walking.ours)
        found = Disagreement(deal, seed, given, what, ours, theirs, clauses, state)
    return Walked(
        combination,
        walking.plays,
        walking.passes,
        walking.tricks,
        walking.moon,
        tuple(walking.rare),
        found,
    )
