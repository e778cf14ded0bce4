"""What is due now, and the legal acts, for tests with `in` and for iteration."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Final, Protocol, final

import attrs

from refengine.chapters.draw import draw_is_due
from refengine.chapters.passing import cards_needed, may_not_forward
from refengine.chapters.score import MINUS, PLUS, moon_choices
from refengine.chapters.settings import SCATTER
from refengine.chapters.table import (
    CUTTING,
    MOON_DUE,
    OVER,
    PASSING,
    PHASES,
    PLAYING,
)
from refengine.game.acts import (
    Act,
    Cut,
    Draw,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    Scatter,
)
from refengine.game.values.cardset import NO_CARDS, Card, CardSet
from refengine.game.verdicts import Legal, Verdict
from refengine.machine.core import Core
from refengine.machine.due import (
    cards_to_cut,
    left_to_cut,
    position_of,
    seats_due,
    seats_of,
    ways_to_pass,
)
from refengine.machine.position import playable
from refengine.sealing import close, seal


def choice_name(settled: int) -> str | int:
    """The name of this way to settle the moon: a word, or the seat that pays."""
    return {MINUS: "self_minus", PLUS: "others_plus"}.get(settled, settled)


@attrs.frozen
class Due:
    """What is due: the kind of act, the seats that are to act and their choices.

    `kind` is one of `cut deal pass mix draw play moon over`; `turn` holds the seats
    that are to act. `cards` holds the cards that may be played. In the cut, `ways` is
    the number of cards that may be drawn; in the pass, it is the number of ways in
    which a seat can pass cards from its hand, and `forward` says whether a seat may
    pass on, unseen, the cards passed to it (4.9). `choices` holds the ways in which the
    moon may be settled (8.6).
    """

    kind: str
    turn: tuple[int, ...]
    cards: CardSet = NO_CARDS
    ways: int = 0
    forward: bool = False
    choices: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        shown = {
            "cut": "the last card" if self.ways == 1 else f"one of {self.ways} cards",
            "pass": "in one way" if self.ways == 1 else f"in one of {self.ways} ways",
            "play": str(self.cards),
            "moon": " or ".join(map(str, self.choices)),
        }.get(self.kind, "")
        return f"{self.kind} {shown}".strip()


def due_now(core: Core) -> Due:
    """What is due in this state: the kind of act, and who may do what."""
    turn = tuple(seats_of(seats_due(core)))
    kind = PHASES[core.phase]
    if core.phase == CUTTING:
        return Due(kind, turn, ways=int(cards_to_cut(core)))
    if core.phase == PASSING:
        forward = not may_not_forward(core.rules, core.dealt.way)
        return Due(kind, turn, ways=int(ways_to_pass(core)), forward=forward)
    if core.phase == MOON_DUE:
        settled = moon_choices(core.rules, turn[0])
        return Due(kind, turn, choices=tuple(map(choice_name, settled)))
    if core.phase == PLAYING:
        position = position_of(core)
        if draw_is_due(core.rules, position):
            return Due("draw", turn)
        return Due(kind, turn, CardSet.of_mask(playable(core.rules, position)))
    return Due(kind, turn)


class Judge(Protocol):
    """The part of `refengine.State` used here, declared to avoid a circular import."""

    def verdict(self, act: Act) -> Verdict:
        """Whether the act is legal, irregular or refused."""


@final
class LegalActs:
    """The acts that are legal now, to be tested with `in` or iterated over.

    For a card or its notation, `in` says whether that card may be played; it raises
    Malformed for text that is not a card.
    Irregular acts are never included. Retractions, quits and claims are never listed
    (7.2a), though `in` is true for any that no clause forbids. Iteration goes seat by
    seat, and raises TypeError when a deal or a mix is due: there are too many deals and
    mixes to list.
    A LegalActs is false once the game is over. Two are equal if their states are.
    """

    __slots__ = ("__dict__",)  # no weak references, as when compiled

    def __init__(self, core: Core, state: Judge) -> None:
        self._core: Final = core
        self._state: Final = state

    @property
    def due(self) -> Due:
        """What is due now."""
        return due_now(self._core)

    @property
    def cards(self) -> CardSet:
        """The cards that may be played; empty if no play is due."""
        core = self._core
        if core.phase != PLAYING:
            return NO_CARDS
        return CardSet.of_mask(playable(core.rules, position_of(core)))

    def __contains__(self, act: object) -> bool:
        if isinstance(act, Card | str):
            return act in self.cards
        return isinstance(act, Act) and isinstance(self._state.verdict(act), Legal)

    def __bool__(self) -> bool:
        return self._core.phase != OVER

    def __iter__(self) -> Iterator[Act]:
        due = self.due
        for seat in due.turn:
            yield from self._of_seat(due, seat)

    def _of_seat(self, due: Due, seat: int) -> Iterator[Act]:
        core = self._core
        if due.kind == "cut":
            left = CardSet.of_mask(left_to_cut(core))
            yield from (Cut(seat, card) for card in left)
        elif due.kind == "pass":
            yield from self._passes(due, seat)
        elif due.kind == "moon":
            yield from (MoonChoice(seat, choice) for choice in due.choices)
        elif due.kind == "draw":
            yield Draw(seat)
        elif due.kind == "play":
            yield from (Play(seat, card) for card in due.cards)
        else:
            raise TypeError(
                "deals and mixes are not listed; State.random_act makes one"
            )

    def _passes(self, due: Due, seat: int) -> Iterator[Act]:
        core = self._core
        hand = list(CardSet.of_mask(core.dealt.hands[seat]))
        size = int(cards_needed(core.rules, core.dealt.way))
        if core.dealt.way == SCATTER:
            others = [other for other in range(core.rules.players) if other != seat]
            for given in permutations(hand, size):
                yield Scatter(seat, dict(zip(others, given, strict=True)))
            return
        for packet in combinations(hand, size):
            yield Pass(seat, CardSet(packet))
        if due.forward:
            yield PassUnseen(seat)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LegalActs) and self._state == other._state

    def __hash__(self) -> int:
        return hash((LegalActs, self._state))

    def __reduce__(self) -> tuple[object, ...]:
        return LegalActs, (self._core, self._state)

    def __repr__(self) -> str:
        return f"<LegalActs seat {list(self.due.turn)}: {self.due}>"


seal(LegalActs, "_core", "_state")
close(LegalActs)
