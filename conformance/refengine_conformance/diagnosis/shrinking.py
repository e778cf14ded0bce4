"""Makes a failing trace as small as possible while it still shows the same fault.

The game is cut after the fault, begun in the middle or with a smaller deal, stripped of
tricks and cards, given lower ranks, and turned so that seat 0 acts first. The result is
an ordinary trace, and everything that it expects is what the book says.

The work is limited in two ways: by the number of games put to the adapter, which does
not depend on the machine, and by time, for adapters that are slow or hang.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from time import monotonic
from typing import Final

import attrs

from refengine.comparison.differences import acts_worth_asking
from refengine.errors import Malformed
from refengine.formats.trace import Trace
from refengine.game.acts import Act
from refengine.game.setups import Setup
from refengine.game.values.cardset import CARDS, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine_conformance.diagnosis.asker import Shows
from refengine_conformance.diagnosis.bare_games import (
    BareGame,
    Wanted,
    game_up_to_fault,
    largest_hand,
    trace_that_asks,
    wanted_of,
)
from refengine_conformance.diagnosis.smaller_games import WAYS
from refengine_conformance.generators.strategies import TWELVE
from refengine_conformance.runner.results import Fault
from refengine_conformance.runner.run_time import RunOverError

MOST_CARDS: Final = 3
MOST_TRIES: Final = 1_000
LOSS: Final = 20
SECONDS: Final = 30.0
_SMALL_DEALS: Final = 400


def shrink(
    trace: Trace,
    fault: Fault,
    shows: Shows,
    *,
    tries: int = MOST_TRIES,
    seconds: float = SECONDS,
) -> Trace:
    """The smallest trace found that shows the same fault; at worst the given one.

    `tries` and `seconds` are those of `Shrinking`.
    """
    wanted = wanted_of(trace, fault)
    return Shrinking(trace, fault, wanted, shows, tries, seconds).smallest()


class Shrinking:
    """A trace that is being made smaller; `late` is true if the time ran out first.

    `wanted` is what each game asks, usually the question of the fault. At most `tries`
    games are put to the adapter. If the hands are still large after that, up to `tries`
    more are used to look for the fault in small deals. No game is begun once the
    `seconds` are up. `losses` is a function that returns how often the adapter has been
    lost; each loss counts as twenty additional games.
    """

    def __init__(
        self,
        trace: Trace,
        fault: Fault,
        wanted: Wanted,
        shows: Shows,
        tries: int = MOST_TRIES,
        seconds: float = SECONDS,
        losses: Callable[[], int] = lambda: 0,
    ) -> None:
        self.losses = losses
        self.shows = shows
        self.tries = tries
        self.tries_of_small_deals = tries
        self.end = monotonic() + seconds
        self.late = False
        self.everywhere = False
        self.wanted = wanted
        self.game = game_up_to_fault(trace, fault)
        self.best = trace
        self.answers: dict[str, bool] = {}

    def smallest(self) -> Trace:
        """The smallest trace found; the given one if the fault does not show again."""
        if not self._try(self.game):
            self.everywhere = True  # questions at earlier steps may play a part
            if not self._try(self.game):
                return self.best
        self._shrink_all()
        if largest_hand(self.game) > MOST_CARDS:
            self._try_small_deals()
        return self.best

    def _shrink_all(self) -> None:
        """Apply all methods of shrinking in turn until none makes the game smaller."""
        before = None
        while before != self.game and self._goes_on():
            before = self.game
            for smaller in WAYS:
                self._repeat(smaller)

    def _repeat(self, smaller: Callable[[BareGame], Iterator[BareGame]]) -> None:
        """Apply one method of shrinking for as long as it makes the game smaller."""
        again = True
        while again and self._goes_on():
            again = any(self._try(game) for game in smaller(self.game))

    def _goes_on(self) -> bool:
        """Whether there are tries and time left; sets `late` if the time is up."""
        self.late = self.late or monotonic() > self.end
        return self.tries > 0 and not self.late

    def _try(self, game: BareGame) -> bool:
        """Keep this game if the fault shows in it; return whether it was kept.

        A game whose trace is the same as the best so far is not kept. Such games occur:
        two may differ only in their probes, for example, when the fault is not about
        probes.
        """
        if not self._goes_on():
            return False
        trace = trace_that_asks(game, self.wanted, self.everywhere)
        if trace is None or (trace.id == self.best.id and trace.id in self.answers):
            return False
        if not self._shows(trace):
            return False
        self.game, self.best = game, trace
        return True

    def _shows(self, trace: Trace) -> bool:
        """Whether the fault shows in this trace.

        Each trace is put to the adapter only once, which counts as a try. If the time
        of the run is up before the answer is known, the result is False, and `late` is
        set.
        """
        if trace.id in self.answers:
            return self.answers[trace.id]
        lost = self.losses()
        try:
            shows = self.shows(trace)
        except RunOverError:
            self.late = True
            return False
        self.tries -= 1 + LOSS * (self.losses() - lost)
        self.answers[trace.id] = shows
        return shows

    def _try_small_deals(self) -> None:
        """Look for the same fault in small deals under the same rules."""
        self.tries += self.tries_of_small_deals
        for seed in range(_SMALL_DEALS):
            if not self._goes_on():
                return
            rng = Random(seed)
            game = some_small_game(rng, self.game)
            if game is None:
                continue
            wanted = attrs.evolve(self.wanted, seat=rng.randrange(13))
            trace = trace_that_asks(game, wanted, everywhere=True)
            if trace is None or not self._shows(trace):
                continue
            self.wanted = wanted
            for length in range(1, len(game.acts) + 1):
                if self._try(attrs.evolve(game, acts=game.acts[:length])):
                    self._shrink_all()
                    return


def some_small_game(rng: Random, like: BareGame) -> BareGame | None:
    """A random game of a small deal, with the rules and the totals of another game.

    It is None if the book refuses the deal, or if nobody acts in it.
    """
    setup = _small_deal(rng, like)
    try:
        state = State.open(like.ruleset, setup)
        for _ in range(8 * sum(map(len, setup.hands))):
            act = _some_act(rng, state)
            if act is None:
                break
            state = state.apply(act)
    except (Refused, Malformed):
        return None
    return BareGame(like.ruleset, setup, state.acts) if state.acts else None


def _small_deal(rng: Random, like: BareGame) -> Setup:
    """A random deal of one to three cards for each seat, under another game's rules.

    It has the deal number and the totals of the game `like` if that began with a setup.
    About seven deals in ten use the pack of twelve (1.8), and other cards when these
    run out; the rest use the whole pack. If the ruleset has a stock or a kitty, it gets
    up to four more cards.
    """
    ruleset, start = like.ruleset, like.start
    players, undealt = ruleset.players, ruleset.options["undealt"]
    size = rng.randint(1, MOST_CARDS)
    left_over = rng.randint(0, 4) if undealt != "none" else 0
    cards = [*TWELVE]
    if rng.random() < 0.3:
        cards = list(CARDS)
    more = [card for card in CARDS if card not in cards]
    rng.shuffle(cards)
    dealt = size * players
    cards += rng.sample(more, max(0, dealt + left_over - len(cards)))
    talon = cards[dealt : dealt + left_over]
    return Setup(
        dealer=rng.randrange(players),
        deal=start.deal if isinstance(start, Setup) else rng.randint(1, 4),
        totals=start.totals if isinstance(start, Setup) else None,
        hands=[CardSet(cards[at : at + size]) for at in range(0, dealt, size)],
        stock=talon if undealt == "stock" else (),
        kitty=CardSet(talon) if undealt == "kitty" else CardSet(),
    )


def _some_act(rng: Random, state: State) -> Act | None:
    """A random act that is not refused; usually None once the game is over.

    About three times in ten, it is one of `acts_worth_asking`, if any of them is not
    refused. Such an act may be irregular, or a claim after the end.
    """
    if rng.random() < 0.3:
        telling = [
            act
            for act in acts_worth_asking(state)
            if not isinstance(state.verdict(act), Refused)
        ]
        if telling:
            return rng.choice(telling)
    return None if state.over else state.random_act(rng)
