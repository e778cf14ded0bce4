"""From a failing trace to the smallest game that shows the same fault.

`shrink` makes a trace smaller as long as a question says that the same fault still
shows: it cuts after the divergence, begins in a position or with a smaller deal, drops
tricks and cards, lowers ranks, and turns the table until seat 0 is meant. What comes
out is an ordinary trace, and everything it expects is what the book says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any, Final

import attrs

from conformance.cases import Judged, trace_cases
from conformance.compare import acts_worth_asking
from conformance.driver import Adapter, transport_of
from conformance.mini_cases import mini_cases
from conformance.results import Case, Fault, Limits, Outcome, Run
from refengine.acts import (
    Act,
    Claim,
    Cut,
    Deal,
    Moon,
    Pass,
    Play,
    Retract,
    Scatter,
)
from refengine.cardset import CARDS, Card, CardSet, Suit
from refengine.due import position_of, seats_of
from refengine.errors import EngineBug, Malformed
from refengine.fields import (
    drawn_by,
    legal_fields,
    normal_state_fields,
    view_fields,
)
from refengine.minideals import read_mini
from refengine.rulesets import Ruleset
from refengine.setups import Match, Setup
from refengine.state import State
from refengine.trace import Probe, Step, Trace, read_trace, trace_id, write_trace
from refengine.verdicts import Irregular, Refused

MOST_CARDS: Final = 3
MOST_TRIES: Final = 1_500
_SMALL_DEALS: Final = 400
_TWELVE: Final = (
    "2C",
    "3C",
    "AC",
    "2D",
    "JD",
    "2S",
    "QS",
    "KS",
    "AS",
    "2H",
    "3H",
    "AH",
)

Shows = Callable[[Trace], bool]
"""Whether the same fault, in question and clause, shows in a trace."""


@attrs.frozen
class Game:
    """A game without expectations; `probes` are asked before its last act."""

    ruleset: Ruleset
    start: Setup | Match
    acts: tuple[Act, ...]
    probes: tuple[Act, ...] = ()


@attrs.frozen
class Wanted:
    """What to ask at the last step: the question of a fault, and of which seat."""

    question: str
    seat: int = 0

    @property
    def field(self) -> str:
        """The field of an observation or a view, nothing where it is another kind."""
        return self.question.partition(".")[2]


# ---- The same fault


class Asker:
    """An adapter kept ready for many traces, started anew where it was lost.

    Usable as a context, at the end of which the adapter is ended.
    """

    def __init__(self, command: tuple[str, ...], limits: Limits | None = None) -> None:
        self.command: Final = command
        self.limits: Final = limits or Limits()
        self._adapter: Adapter | None = None

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._adapter is not None:
            self._adapter.kill()
            self._adapter = None

    def cases(
        self, trace: Trace, ways: tuple[str, ...] = ("step",)
    ) -> tuple[Case, ...]:
        """The cases of a trace; raises CannotRunError if there is no adapter."""
        return self._kept(trace_cases(self._ready(), trace, ways))

    def cases_of_line(self, data: bytes, mini: bool) -> tuple[Case, ...]:
        """The cases of the line of a trace, asked in both ways, or of a mini-deal."""
        if mini:
            return self._kept(mini_cases(self._ready(), read_mini(data)))
        return self.cases(read_trace(data), ("step", "replay"))

    def _ready(self) -> Adapter:
        if self._adapter is None:
            self._adapter = Adapter(transport_of(self.command), self.limits)
        return self._adapter

    def _kept(self, judged: Judged) -> tuple[Case, ...]:
        """The cases; an adapter that was lost is forgotten."""
        if judged.gone:
            self._adapter = None
        return judged.cases


def same_fault(asker: Asker, fault: Fault, clause: str) -> Shows:
    """Whether an adapter shows this kind of question wrong, by this clause."""
    return lambda trace: fault_in(asker, trace, fault, clause) is not None


def fault_in(asker: Asker, trace: Trace, fault: Fault, clause: str) -> Fault | None:
    """The fault of the same kind that shows in a trace; None where none does."""
    for case in asker.cases(trace, ("step", "replay")):
        for one in case.faults if case.outcome is Outcome.FAIL else ():
            named = clause in one.clauses or (not clause and not one.clauses)
            same = one.question == fault.question or one.root != "view"
            if one.root == fault.root and named and same:
                return one
    return None


@attrs.frozen
class Shrunk:
    """The smallest game found for a group of faults: its line, and the fault in it."""

    line: str
    fault: Fault


def shrunk(
    run: Run, asker: Asker, *, tries: int = MOST_TRIES
) -> dict[tuple[str, str], Shrunk]:
    """For clause and question of each group of a run the smallest game found."""
    found = {}
    for group in run.groups:
        line = run.lines.get(group.case.trace, "")
        if not line or group.case.trace.startswith("m-") or group.question == "open":
            continue
        shows = same_fault(asker, group.fault, group.clause)
        small = shrink(read_trace(line.encode()), group.fault, shows, tries=tries)
        fault = fault_in(asker, small, group.fault, group.clause)
        if fault is not None:
            text = write_trace(small).decode()
            found[group.clause, group.question] = Shrunk(text, fault)
    return found


# ---- From games to traces and back


def traced(game: Game, wanted: Wanted, everywhere: bool = False) -> Trace | None:
    """The game as a trace that asks what is wanted; None where the book refuses it.

    It is asked at the last step only, or `everywhere`.
    """
    try:
        state = State.open(game.ruleset, game.start)
        steps = []
        for place, act in enumerate(game.acts):
            last = place == len(game.acts) - 1
            probes = game.probes if last else ()
            step, state = _step(
                state, act, wanted if last or everywhere else None, probes
            )
            steps.append(step)
    except (Refused, Malformed, EngineBug):
        return None
    if not steps:
        return None
    end = steps[-1].then if wanted.question.startswith("end") else {}
    if end:
        steps[-1] = attrs.evolve(steps[-1], then={})
    trace = Trace(ruleset=game.ruleset, start=game.start, steps=tuple(steps), end=end)
    return attrs.evolve(trace, id=trace_id(trace))


def _step(
    state: State, act: Act, wanted: Wanted | None, probes: tuple[Act, ...]
) -> tuple[Step, State]:
    verdict = state.verdict(act)
    if isinstance(verdict, Refused):
        raise verdict
    after = state.apply(act)
    breaks = verdict.clauses if isinstance(verdict, Irregular) else ()
    step = Step(act=act, breaks=breaks)
    if wanted is None:
        return step, after
    root = wanted.question.partition(".")[0]
    if root in ("legal", "turn", "act"):
        step = attrs.evolve(step, legal=legal_fields(state))
    if root in ("refuse", "irregular", "purity"):
        step = _probed(step, state, probes)
    if root == "view":
        seat = wanted.seat % state.ruleset.players
        view = view_fields(after.observe(seat))
        step = attrs.evolve(step, then={"view": view})
    if root in ("then", "end"):
        fields = normal_state_fields(after, drawn_by(state, act, after))
        name = wanted.field
        chosen = {name: fields[name]} if name in fields else {}
        step = attrs.evolve(step, then=chosen if name else fields)
    return step, after


def _probed(step: Step, state: State, probes: tuple[Act, ...]) -> Step:
    """The step with probes asked before it."""
    refuse: list[Probe] = []
    irregular: list[Probe] = []
    for act in probes or acts_worth_asking(state):
        verdict = state.verdict(act)
        if isinstance(verdict, Refused):
            refuse.append(Probe(act, verdict.clauses))
        elif isinstance(verdict, Irregular):
            irregular.append(Probe(act, verdict.clauses))
    return attrs.evolve(step, refuse=tuple(refuse), irregular=tuple(irregular))


def game_at(trace: Trace, fault: Fault) -> Game:
    """The game of a trace, cut after the step at which a fault showed."""
    number = fault.step or len(trace.steps)
    steps = trace.steps[:number]
    last = steps[-1]
    probes = tuple(one.act for one in (*last.refuse, *last.irregular))
    return Game(trace.ruleset, trace.start, tuple(step.act for step in steps), probes)


def _seat_of(trace: Trace, fault: Fault) -> int:
    """The seat whose view was asked."""
    fields = trace.steps[fault.step - 1].then if fault.step else trace.end
    seat: int = fields.get("view", {}).get("seat", 0)
    return seat


# ---- Shrinking


def shrink(
    trace: Trace, fault: Fault, shows: Shows, *, tries: int = MOST_TRIES
) -> Trace:
    """The smallest trace found that shows the same fault; at worst the given one."""
    return _Shrinking(trace, fault, shows, tries).smallest()


class _Shrinking:
    """One trace being made smaller."""

    def __init__(self, trace: Trace, fault: Fault, shows: Shows, tries: int) -> None:
        self.trace = trace
        self.shows = shows
        self.tries = tries
        self.wanted = Wanted(fault.question, _seat_of(trace, fault))
        self.game = game_at(trace, fault)
        self.best = trace

    def smallest(self) -> Trace:
        """The smallest trace found."""
        if not self._try(self.game):
            return self.best
        self._shrink_all()
        if largest_hand(self.game) > MOST_CARDS:
            self._try_small_deals()
        return self.best

    def _shrink_all(self) -> None:
        """Take every way in turn, until none makes the game smaller."""
        before = None
        while before != self.game and self.tries > 0:
            before = self.game
            for smaller in _WAYS:
                self._repeat(smaller)

    def _repeat(self, smaller: Callable[[Game], Iterator[Game]]) -> None:
        """Take one way as long as it makes the game smaller."""
        again = True
        while again and self.tries > 0:
            again = any(self._try(game) for game in smaller(self.game))

    def _try(self, game: Game) -> bool:
        """Whether the fault shows in this game, which is then kept."""
        if self.tries <= 0:
            return False
        trace = traced(game, self.wanted)
        if trace is None:
            return False
        self.tries -= 1
        if not self.shows(trace):
            return False
        self.game, self.best = game, trace
        return True

    def _try_small_deals(self) -> None:
        """Look for the same fault in small deals of the same rules."""
        self.tries += _SMALL_DEALS + MOST_TRIES
        for seed in range(_SMALL_DEALS):
            rng = Random(seed)
            game = some_small_game(rng, self.game)
            wanted = attrs.evolve(self.wanted, seat=rng.randrange(13))
            trace = traced(game, wanted, everywhere=True) if game else None
            if game is None or trace is None or not self.shows(trace):
                continue
            self.wanted = wanted
            for length in range(1, len(game.acts) + 1):
                if self._try(attrs.evolve(game, acts=game.acts[:length])):
                    self._shrink_all()
                    return


def largest_hand(game: Game) -> int:
    """The most cards that a seat holds in a game; of a match, in its first deal."""
    if isinstance(game.start, Setup):
        return max(len(hand) for hand in game.start.hands)
    deals = [act for act in game.acts if isinstance(act, Deal)]
    return max((len(hand) for act in deals for hand in act.hands), default=0)


# Each way yields games that are smaller than the one given, the boldest first.


def _fewer_options(game: Game) -> Iterator[Game]:
    """Options put back to what the profile has."""
    for name in game.ruleset.changed:
        options = {key: one for key, one in game.ruleset.changed.items() if key != name}
        try:
            ruleset = Ruleset(game.ruleset.profile, game.ruleset.players, options)
        except Refused:
            continue
        yield attrs.evolve(game, ruleset=ruleset)


def _begun_later(game: Game) -> Iterator[Game]:
    """The same game begun at a deal, or in a position of it, the latest first."""
    moments = _moments(game)
    for place in range(len(game.acts) - 1, 0, -1):
        state = moments[place]
        rest = attrs.evolve(game, acts=game.acts[place:])
        if state.phase == "play" and not state.drew and not state.revokes:
            for start in _positions(state):
                yield attrs.evolve(rest, start=start)
    for place, act in enumerate(game.acts):
        if isinstance(act, Deal):
            state = moments[place]
            setup = Setup(
                dealer=act.seat,
                deal=state.deal,
                totals=state.totals,
                hands=act.hands,
                stock=act.stock,
                kitty=act.kitty,
            )
            yield attrs.evolve(game, start=setup, acts=game.acts[place + 1 :])
    if isinstance(game.start, Match):
        dealt = [place for place, act in enumerate(game.acts) if isinstance(act, Deal)]
        for place in reversed(dealt):
            dealer = game.acts[place].seat
            acts = game.acts[place:]
            yield attrs.evolve(game, start=Match(dealer, game.start.pack), acts=acts)


def _moments(game: Game) -> list[State]:
    """The state before each act."""
    states = [State.open(game.ruleset, game.start)]
    for act in game.acts:
        states.append(states[-1].apply(act))
    return states


def _positions(state: State) -> Iterator[Setup]:
    """The moment as a position: without a past, and with what was taken."""
    position = position_of(state.core)
    assert state.table is not None
    plain = Setup(
        dealer=state.dealer or 0,
        deal=state.deal,
        totals=state.totals,
        hands=state.hands,
        stock=state.stock,
        kitty=state.kitty,
        limit_reached=state.core.sheet.reached,
        leader=state.table.leader,
        trick=state.table.cards,
        out=tuple(seats_of(position.out)),
        hearts_broken=state.hearts_broken,
        first_trick=not state.history and not any(state.tricks),
    )
    yield plain
    yield attrs.evolve(plain, taken=state.taken, tricks=state.tricks)


def _plainer(game: Game) -> Iterator[Game]:
    """Totals, the number of the deal, the dealer and what was taken made plain."""
    start = game.start
    if not isinstance(start, Setup):
        return
    none = (0,) * game.ruleset.players
    plain: dict[str, Any] = {"totals": none, "deal": 1, "dealer": 0, "kitty": CardSet()}
    plain |= {"limit_reached": False, "stock": ()}
    if start.leader is not None:
        plain |= {"hearts_broken": False, "first_trick": False, "trick": ()}
    for name, value in plain.items():
        if getattr(start, name) not in (value, None):
            yield attrs.evolve(game, start=attrs.evolve(start, **{name: value}))
    for number in range(1, start.deal):
        yield attrs.evolve(game, start=attrs.evolve(start, deal=number))
    if start.taken is not None and start.tricks is not None:
        bare = attrs.evolve(start, taken=None, tricks=None)
        yield attrs.evolve(game, start=bare)
        for card in CardSet([card for pile in start.taken for card in pile]):
            piles = tuple(pile - CardSet([card]) for pile in start.taken)
            yield attrs.evolve(game, start=attrs.evolve(start, taken=piles))


def _without_tricks(game: Game) -> Iterator[Game]:
    """Whole tricks left out, the cards with them."""
    if not isinstance(game.start, Setup):
        return
    states = _moments(game)
    for trick in states[-1].history:
        cards = set(trick.cards)
        acts = tuple(
            act
            for act in game.acts
            if not (isinstance(act, Play) and act.card in cards)
        )
        if acts and len(acts) < len(game.acts):
            yield _without(attrs.evolve(game, acts=acts), cards)


def _without_acts(game: Game) -> Iterator[Game]:
    """Single acts left out, where the rest can be done without them."""
    for place in range(len(game.acts) - 1):
        acts = game.acts[:place] + game.acts[place + 1 :]
        yield attrs.evolve(game, acts=acts)


def _without_cards(game: Game) -> Iterator[Game]:
    """A card of every hand left out, or one of the stock."""
    start = game.start
    if not isinstance(start, Setup):
        return
    for place in range(len(start.stock)):
        stock = start.stock[:place] + start.stock[place + 1 :]
        yield attrs.evolve(game, start=attrs.evolve(start, stock=stock))
    played = {act.card for act in game.acts if isinstance(act, Play | Retract)}
    for act in game.acts:
        played |= set(act.cards) if isinstance(act, Pass) else set()
    spare = [[card for card in hand if card not in played] for hand in start.hands]
    if game.ruleset.options["undealt"] == "stock":
        yield from (_without(game, {card}) for hand in spare for card in hand)
    if not all(spare):
        return
    rng = Random(len(played))
    yield _without(game, {hand[0] for hand in spare})
    yield _without(game, {hand[-1] for hand in spare})
    for _ in range(40):
        yield _without(game, {rng.choice(hand) for hand in spare})


def _without(game: Game, cards: set[Card]) -> Game:
    """The game without these cards in its hands, and without probes of them."""
    start = game.start
    assert isinstance(start, Setup)
    gone = CardSet(cards)
    probes = tuple(
        act for act in game.probes if not (isinstance(act, Play) and act.card in gone)
    )
    hands = tuple(hand - gone for hand in start.hands)
    return attrs.evolve(game, start=attrs.evolve(start, hands=hands), probes=probes)


def _fewer_probes(game: Game) -> Iterator[Game]:
    """Half of what is asked, then each question alone."""
    probes = game.probes
    if not probes:
        asked = acts_worth_asking(_moments(game)[-2])
        yield attrs.evolve(game, probes=tuple(asked))
        return
    if len(probes) > 1:
        yield from (attrs.evolve(game, probes=(one,)) for one in probes)


def _lower(game: Game) -> Iterator[Game]:
    """A card changed for a lower one of its suit that is not in the game."""
    there = _cards_of(game)
    for card in sorted(there, key=lambda one: one.number):
        for number in range(card.number - card.number % 13, card.number):
            if CARDS[number] not in there:
                yield _mapped(game, {card: CARDS[number]})
                break


def _other_suits(game: Game) -> Iterator[Game]:
    """Suits changed so that clubs come before diamonds and diamonds before spades."""
    there = _cards_of(game)
    weight = _weight(there)
    for order in permutations((Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES)):
        to = dict(zip((Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES), order, strict=True))
        found = {
            card: Card(f"{card.rank}{to[card.suit]}")
            for card in there
            if card.suit in to
        }
        mapped = [found.get(card, card) for card in there]
        if _weight(mapped) < weight:
            yield _mapped(game, found)


def _weight(cards: Sequence[Card] | set[Card]) -> int:
    return sum(card.number for card in cards)


def _turned(game: Game) -> Iterator[Game]:
    """The table turned so that the first to act is seat 0."""
    first = game.acts[0].seat
    if first and isinstance(game.start, Setup):
        yield _seated(game, -first)


_WAYS: Final = (
    _begun_later,
    _without_tricks,
    _without_cards,
    _without_acts,
    _plainer,
    _fewer_options,
    _fewer_probes,
    _turned,
    _other_suits,
    _lower,
)


# ---- Cards and seats exchanged


def _cards_of(game: Game) -> set[Card]:
    start = game.start
    if isinstance(start, Match):
        return set(start.pack)
    found: set[Card] = {card for hand in start.hands for card in hand}
    found |= {*start.stock, *start.kitty, *start.trick}
    for pile in start.taken or ():
        found |= set(pile)
    return found


def _mapped(game: Game, to: dict[Card, Card]) -> Game:
    """The game with cards exchanged; those they replace must not be in it."""

    def one(card: Card) -> Card:
        return to.get(card, card)

    def some(cards: CardSet) -> CardSet:
        return CardSet([one(card) for card in cards])

    start = game.start
    if isinstance(start, Match):
        return game
    taken = None if start.taken is None else tuple(map(some, start.taken))
    start = attrs.evolve(
        start,
        hands=tuple(map(some, start.hands)),
        stock=tuple(map(one, start.stock)),
        kitty=some(start.kitty),
        trick=tuple(map(one, start.trick)),
        taken=taken,
    )
    acts = tuple(_act_mapped(act, one, some) for act in game.acts)
    probes = tuple(_act_mapped(act, one, some) for act in game.probes)
    return attrs.evolve(game, start=start, acts=acts, probes=probes)


def _act_mapped(
    act: Act, one: Callable[[Card], Card], some: Callable[[CardSet], CardSet]
) -> Act:
    match act:
        case Play(seat, card):
            return Play(seat, one(card))
        case Retract(seat, card):
            return Retract(seat, one(card))
        case Cut(seat, card):
            return Cut(seat, one(card))
        case Pass(seat, cards):
            return Pass(seat, some(cards))
        case Scatter(seat, pairs):
            return Scatter(seat, {to: one(card) for to, card in pairs})
        case _:
            return act


def _seated(game: Game, by: int) -> Game:
    """The game with everybody moved on by so many seats."""
    players = game.ruleset.players
    start = game.start
    assert isinstance(start, Setup)

    def seat(old: int) -> int:
        return (old + by) % players

    def row(values: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        if values is None:
            return None
        return tuple(values[(new - by) % players] for new in range(players))

    start = attrs.evolve(
        start,
        dealer=seat(start.dealer),
        hands=row(start.hands) or (),
        totals=row(start.totals),
        taken=row(start.taken),
        tricks=row(start.tricks),
        leader=None if start.leader is None else seat(start.leader),
        out=tuple(seat(one) for one in start.out),
    )
    acts = tuple(_act_seated(act, seat) for act in game.acts)
    probes = tuple(_act_seated(act, seat) for act in game.probes)
    return attrs.evolve(game, start=start, acts=acts, probes=probes)


def _act_seated(act: Act, seat: Callable[[int], int]) -> Act:
    moved = (
        attrs.evolve(act, seat=seat(act.seat)) if not isinstance(act, Scatter) else act
    )
    match moved:
        case Scatter(old, pairs):
            return Scatter(seat(old), {seat(to): card for to, card in pairs})
        case Claim(_, against, _):
            return attrs.evolve(moved, against=seat(against))
        case Moon(_, choice) if isinstance(choice, int):
            return attrs.evolve(moved, choice=seat(choice))
        case _:
            return moved


# ---- Small deals


def some_small_game(rng: Random, like: Game) -> Game | None:
    """A random game of a small deal, under the rules and totals of another game."""
    ruleset = like.ruleset
    size = rng.randint(1, MOST_CARDS)
    undealt = ruleset.options["undealt"]
    rest = rng.randint(0, 4) if undealt != "none" else 0
    cards = [Card(text) for text in _TWELVE]
    if rng.random() < 0.3:
        cards = list(CARDS)
    more = [card for card in CARDS if card not in cards]
    rng.shuffle(cards)
    number = size * ruleset.players + rest
    cards += rng.sample(more, max(0, number - len(cards)))
    start = like.start
    hands = tuple(
        CardSet(cards[seat * size : (seat + 1) * size])
        for seat in range(ruleset.players)
    )
    beside = cards[number - rest : number]
    setup = Setup(
        dealer=rng.randrange(ruleset.players),
        deal=start.deal if isinstance(start, Setup) else rng.randint(1, 4),
        totals=start.totals if isinstance(start, Setup) else None,
        hands=hands,
        stock=tuple(beside) if undealt == "stock" else (),
        kitty=CardSet(beside if undealt == "kitty" else ()),
    )
    try:
        state = State.open(ruleset, setup)
        for _ in range(8 * size * ruleset.players):
            act = _some_act(rng, state)
            if act is None:
                break
            state = state.apply(act)
    except (Refused, Malformed):
        return None
    return Game(ruleset, setup, state.acts) if state.acts else None


def _some_act(rng: Random, state: State) -> Act | None:
    if rng.random() < 0.3:
        beside = [
            act
            for act in acts_worth_asking(state)
            if not isinstance(state.verdict(act), Refused)
        ]
        if beside:
            return rng.choice(beside)
    return None if state.over else state.random_act(rng)


__all__ = [
    "Asker",
    "Game",
    "Shows",
    "Shrunk",
    "Wanted",
    "same_fault",
    "shrink",
    "shrunk",
    "traced",
]
