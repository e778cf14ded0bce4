"""Plays games in which the engine's own answers decide what is done next.

The engine says what is due, and one such act is done, so that nothing is assumed about
its rules. The deals are made beforehand. The acts are chosen in ways that bring about
situations in which rules differ: one seat takes all tricks, hearts are played early or
late, or the queen of spades is thrown at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from math import comb, perm
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.normal_form import Json
from refengine.formats.trace import Probe, Step, Trace
from refengine.game.acts import (
    Act,
    Draw,
    Mix,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    Scatter,
)
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.cardset import CardSet
from refengine_conformance.diagnosis.fitting_rulesets import Heard
from refengine_conformance.runner.conversation import Conversation
from refengine_conformance.runner.driver import Adapter
from refengine_conformance.runner.transcripts import (
    Answers,
    Reply,
    normal_form_or_error,
    probes_asked,
)
from refengine_conformance.tables.likings import Liking
from refengine_conformance.tables.steady_random import SteadyRandom

_MOST_ACTS: Final = 400
_PROBED: Final = 0.15  # the chance that a card which is not due is asked about
_UNSEEN: Final = 0.4  # the chance of a pass unseen, if one is due
_MOST_TRIED: Final = 8


@attrs.frozen
class LedDeal:
    """A deal to play with an engine, and which cards each seat prefers to play.

    `seed` is that of the random numbers by which the other choices are made.
    """

    setup: Setup
    liking: Liking
    seed: str


def lead(adapter: Adapter, sent: Ruleset, deal: LedDeal) -> Heard:
    """Play a deal with an adapter, begun with this ruleset, and return the record."""
    return _Leading(adapter, sent, deal).record()


class _Leading(Conversation):
    """The play of one deal, in which the adapter's answers decide what is done."""

    def __init__(self, adapter: Adapter, sent: Ruleset, deal: LedDeal) -> None:
        super().__init__(adapter)
        self.deal: Final = deal
        self.start: Final = Trace(ruleset=sent, start=deal.setup, steps=())
        self.rng: Final = SteadyRandom(deal.seed)
        self.steps: list[Step] = []
        self.hands = list(deal.setup.hands)
        self.passed: dict[int, CardSet] = {}

    def record(self) -> Heard:
        """Play the deal, and return its acts, each with the adapter's answer."""
        transcript = self.held(self._lead)
        return Heard(attrs.evolve(self.start, steps=tuple(self.steps)), transcript)

    def _lead(self) -> None:
        """Open the deal, and try acts until none is accepted."""
        opened = self.open(self.start)
        if opened is not None:
            self.add(opened=opened)
            return
        for _ in range(_MOST_ACTS):
            if not self._make_one():
                return

    def _make_one(self) -> bool:
        """Try a few acts that are due until one is accepted; return whether one was.

        A refused act changes nothing, so the next one is tried in its place. If all are
        refused, the last one stays in the record.
        """
        legal, turn = self.ask_legal()
        due = legal if isinstance(legal, dict | str) else {}
        if isinstance(due, str):  # a game cannot be led on by a card that is due twice
            normal_form_or_error("the answer to legal", CardSet, due)
        refused: tuple[tuple[Probe, Reply], ...] = ()
        for act in islice(self._acts(due, turn or ()), _MOST_TRIED):
            if refused:
                self.steps.pop()
                self.moments.pop()
            probes = self._probes(act, due)
            asked = (*(probe for probe, _ in refused), *probes)
            self.steps.append(Step(act=act, legal=due, refuse=asked))
            self.moments.append(Answers(legal=due))
            if probes:
                self.probe_all("refuse", probes)
            self.note(refuse=(*refused, *self.moments[-1].refuse))
            answer = self.make(act)
            if not isinstance(answer, Reply):
                return False
            if answer.accepted:
                self._follow(act)
                return True
            refused = (*refused, (Probe(act, ()), answer))
        return False

    def _probes(self, act: Act, due: Json | str) -> tuple[Probe, ...]:
        """Now and then, a probe of a card in hand that is not due."""
        if not isinstance(due, str) or self.rng.random() > _PROBED:
            return ()
        others = [*(self.hands[act.seat] - CardSet(due))]
        probes = (Probe(Play(act.seat, self.rng.choice(others)), ()),) if others else ()
        return probes_asked(self.card, probes) if self.card.can("probe") else ()

    def _follow(self, act: Act) -> None:
        """Record what is seen after an act, and keep track of the hands."""
        if isinstance(act, Play):
            self.hands[act.seat] -= CardSet([act.card])
        elif isinstance(act, Pass):
            self.passed[act.seat] = act.cards
            self.hands[act.seat] -= act.cards
        elif isinstance(act, Scatter):
            self.hands[act.seat] -= CardSet([card for _, card in act.cards])
        if not self.card.can("observe"):
            return
        seen = self.observe()
        self.note(then=seen)
        if isinstance(seen, dict) and "hands" in seen:
            with suppress(Malformed):  # a card twice: found when the answer is judged
                hands = [CardSet(hand) for hand in seen["hands"]]
                if len(hands) == len(self.hands):
                    self.hands = hands

    # Acts to try

    def _acts(self, due: Json | str, turn: Sequence[int]) -> Iterator[Act]:
        """The acts to try, in order, when the adapter gives `due` as what is due."""
        seats = [seat for seat in turn if seat < len(self.hands)]
        if not seats:
            return
        seat = self.rng.choice(seats)
        if isinstance(due, str):
            cards = [*CardSet(due)]
            self.rng.shuffle(cards)  # so that chance decides between equals
            if cards:
                liked = max(cards, key=lambda card: self.deal.liking(seat, card))
                yield Play(seat, liked)
        elif "draw" in due:
            yield Draw(seat)
        elif due.get("moon"):
            choice = self.rng.choice(due["moon"])
            chosen = choice["one"] if isinstance(choice, dict) else choice
            yield MoonChoice(seat, chosen)
        elif "pass" in due:
            yield from self._passes(seat, due)
        elif "mix" in due:
            yield from self._mixes(seat)

    def _passes(self, seat: int, due: Json) -> Iterator[Act]:
        """The passes to try; packets of the size that seems to be due come first.

        If two sizes are possible, that of the sent ruleset comes first: an adapter that
        passes on the packets of all seats at once may refuse a wrong one only when it
        is too late.
        """
        if "forward" in due and self.rng.random() < _UNSEEN:
            yield PassUnseen(seat)
        held = [*self.hands[seat]]
        others = [other for other in range(len(self.hands)) if other != seat]
        usual = self.start.ruleset.options["pass_count"]
        numbers = [*range(1, len(held) + 1)]
        numbers.sort(
            key=lambda one: (comb(len(held), one) != due["pass"], one != usual, one)
        )
        fits = len(others) <= len(held) and perm(len(held), len(others)) == due["pass"]
        if fits and self.card.can("scatter"):
            cards = self.rng.sample(held, len(others))
            yield Scatter(seat, dict(zip(others, cards, strict=True)))
        for number in numbers:
            yield Pass(seat, CardSet(self.rng.sample(held, number)))

    def _mixes(self, dealer: int) -> Iterator[Act]:
        """Mixes that deal the passed cards back, without the kitty and then with it."""
        kitty = self.deal.setup.kitty
        for mixed_in in [CardSet(), kitty] if kitty else [CardSet()]:
            pile = [card for cards in self.passed.values() for card in cards]
            pile += list(mixed_in)
            self.rng.shuffle(pile)
            back = []
            for seat in range(len(self.hands)):
                number = len(self.passed.get(seat, ()))
                back.append(CardSet(pile[:number]))
                pile = pile[number:]
            yield Mix(dealer, tuple(back), CardSet(pile))
