"""Makes games in which acts of every kind are tried at every new moment.

Random play rarely leads to such acts. `game_trying_everything` plays a game. Whenever
something new is due, it tries acts of all kinds, both by a seat that is due to act and
by the next seat. Among them are deals and mixes that are wrong in many ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any, Final

from refengine.errors import Malformed
from refengine.game.acts import (
    Act,
    Claim,
    Cut,
    Deal,
    Draw,
    Mix,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Retract,
    Scatter,
)
from refengine.game.setups import Match
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine_conformance.generators.strategies import (
    TWELVE,
    Move,
    Script,
    accepted_revokes,
    mended,
    some_match,
)

MOST: Final = 40  # the most acts in a game

_PLAIN: Final[dict[str, Any]] = {"revokes": "rejected", "limit": "none", "deals": 2}
_ONE_PASSED: Final = {**_PLAIN, "pass_count": 1}
_ONE_MIXED: Final = {**_ONE_PASSED, "pass_cycle": ("mix",)}
RULESETS: Final[tuple[tuple[str, int, dict[str, Any]], ...]] = (
    ("estmesh-hearts", 0, {**_ONE_PASSED, "pass_cycle": ("left",)}),
    ("estmesh-hearts", 0, _ONE_MIXED),
    ("estmesh-hearts", 0, {**_PLAIN, "pass_cycle": ("scatter",)}),
    ("estmesh-hearts", 0, {**_PLAIN, "pass_cycle": ("mix", "hold"), "pass_count": 2}),
    ("estmesh-hearts", 1, {**_ONE_MIXED, "undealt": "kitty", "mix_kitty": True}),
    ("estmesh-hearts", 1, {**_ONE_MIXED, "undealt": "kitty"}),
    (
        "estmesh-hearts",
        0,
        {**_ONE_PASSED, "pass_cycle": ("left", "right"), "pass_unseen": True},
    ),
    ("heartsgame-tiles", 0, {**_PLAIN, "pass_cycle": (), "moon": "choice_one"}),
    ("dominorules-tiles", 1, {**_PLAIN, "pass_cycle": (), "moon": "choice_all"}),
    ("gamerules-domino", 0, {**_PLAIN, "hand_size": 2}),
    ("gamerules-domino", 1, {**_PLAIN, "hand_size": 2}),
    ("gamerules-domino", 2, {**_PLAIN, "hand_size": 1}),
    ("pokerwiner-domino", 1, {"hand_size": 2, "deals": 2}),
    ("pokerwiner-hearts", 1, {"deals": 2}),
    ("dominorules-tiles", 0, {"pass_cycle": (), "limit": "none", "deals": 2}),
    ("heartsgame-tiles", 0, {"pass_cycle": (), "limit": "none", "deals": 2}),
    ("openspiel-hearts", 0, {"pass_cycle": ("left",), "pass_count": 1}),
)
"""The first arguments of `mended`: a profile, an index, and options."""


def play_directed_games(seed: int) -> Iterator[Script]:
    """Games that try acts of every kind, at most one for each item of `RULESETS`.

    The same seed always gives the same games.
    """
    for number, (name, place, options) in enumerate(RULESETS):
        rng = Random(f"{seed}/games/{number}")
        ruleset = mended(name, place, options)
        with suppress(Malformed, Refused):
            match = some_match(rng, ruleset)
            if rng.random() < 0.5:
                match = Match(None, match.pack)  # from the cut
            yield game_trying_everything(rng, State.open(ruleset, match))


def game_trying_everything(rng: Random, state: State) -> Script:
    """A game from this state on, of at most `MOST` acts.

    At each moment unlike those before, acts of every kind are tried.
    """
    ruleset, start = state.ruleset, state.start
    moves: list[Move] = []
    seen: set[object] = set()
    while not state.over and len(moves) < MOST:
        act = _next(rng, state)
        moment = _moment(state)
        tries = () if moment in seen else tuple(acts_of_every_kind(rng, state))
        seen.add(moment)
        watcher = rng.choice((None, rng.randrange(ruleset.players)))
        moves.append(Move(act, tries, watcher))
        state = state.apply(act)
    return Script(ruleset, start, tuple(moves))


def _moment(state: State) -> object:
    """The features by which moments of a game are compared.

    They are the phase, how many seats may act, what is due, and whether a trick has
    begun.
    """
    trick = state.table.cards if state.table else ()
    return state.phase, len(state.turn), state.legal.due.kind, bool(trick)


def _next(rng: Random, state: State) -> Act:
    """A legal act or, now and then, a revoke that would be accepted."""
    seat = rng.choice(state.turn)
    if state.phase == "play" and rng.random() < 0.3:
        revokes = accepted_revokes(state, seat)
        if revokes:
            return rng.choice(revokes)
    return state.random_act(rng)


def acts_of_every_kind(rng: Random, state: State) -> Iterator[Act]:
    """Acts of every kind, by a seat that is due to act and by the next seat.

    The winner of the last trick also quits it.
    """
    players = state.ruleset.players
    due = state.turn[0]
    done = sum(state.tricks)  # counted through the deal (3.12a)
    for seat in (due, (due + 1) % players):
        hand = list(state.hands[seat]) if state.hands else []
        some = rng.choice(hand) if hand else rng.choice(list(TWELVE))
        won = state.history[-1].winner if state.history else seat
        yield Cut(seat, rng.choice(list(TWELVE)))
        yield from _dealings(rng, state, seat)
        for number in {1, state.ruleset.rules.pass_count, 2}:
            yield Pass(seat, CardSet(hand[:number]))
        yield Pass(seat, CardSet(rng.sample(list(TWELVE), 1)))
        others = [other for other in range(players) if other != seat]
        yield Scatter(seat, dict(zip(others, hand, strict=False)))
        yield Scatter(seat, dict(zip([*others[1:], seat], hand, strict=False)))
        yield Scatter(seat, dict(zip(others[1:], hand, strict=False)))
        yield PassUnseen(seat)
        yield Draw(seat)
        yield Play(seat, some)
        yield Play(seat, rng.choice(list(TWELVE)))
        yield Retract(seat, some)
        yield Retract(seat, rng.choice(list(TWELVE)))
        yield QuitTrick(seat)
        yield QuitTrick(won)
        for trick in dict.fromkeys((1, max(done, 1), done + 1)):
            yield Claim(seat, due, trick)
        yield MoonChoice(seat, "self_minus")
        yield MoonChoice(seat, "others_plus")
        yield MoonChoice(seat, others[0])
        yield MoonChoice(seat, seat)


def _dealings(rng: Random, state: State, seat: int) -> Iterator[Act]:
    """Deals and mixes by this seat: a complete one of each, then changed ones.

    In these, cards or whole hands are missing, moved, added or exchanged.
    """
    whole = _whole_deal(rng, state, seat)
    hands, stock, kitty = list(whole.hands), whole.stock, whole.kitty
    yield whole
    yield Mix(seat, hands, kitty)
    for spoiled in _spoiled(hands):
        yield Deal(seat, spoiled, stock, kitty)
        yield Mix(seat, spoiled, kitty)
    if hands[0] and hands[1]:
        exchanged = _with_two_exchanged(hands)
        yield Deal(seat, exchanged, stock, kitty)
        yield Mix(seat, exchanged, kitty)
    if stock:
        yield Deal(seat, [hands[0] | CardSet(stock[:1]), *hands[1:]], stock[1:], kitty)
        yield Deal(seat, hands, stock[1:], kitty)
        yield Deal(seat, hands, (), kitty | CardSet(stock))
    if kitty:
        first = next(iter(kitty))
        yield Deal(seat, hands, (first, *stock), kitty - CardSet([first]))
        yield Deal(seat, hands, stock, kitty - CardSet([first]))
        yield Mix(seat, hands, kitty - CardSet([first]))
    elif hands[0]:
        first = next(iter(hands[0]))
        rest = [hands[0] - CardSet([first]), *hands[1:]]
        yield Deal(seat, rest, stock, CardSet([first]))
        yield Deal(seat, rest, (*stock, first), kitty)
        yield Mix(seat, rest, CardSet([first]))


def _whole_deal(rng: Random, state: State, seat: int) -> Deal:
    """A deal by this seat of the cards that are due to be dealt or mixed.

    If no cards are due, it deals the cards as they lie at this moment or, if there are
    none yet, cards of the small pack.
    """
    act = state.random_act(rng)
    if isinstance(act, Deal):
        return Deal(seat, act.hands, act.stock, act.kitty)
    if isinstance(act, Mix):
        return Deal(seat, act.hands, (), act.kitty)
    hands = list(state.hands)
    if not hands:
        players = state.ruleset.players
        size = max(1, len(_pack(state)) // players)
        cards = list(TWELVE)
        hands = [CardSet(cards[at * size : (at + 1) * size]) for at in range(players)]
    return Deal(seat, hands, state.stock, state.kitty)


def _spoiled(hands: list[CardSet]) -> Iterator[list[CardSet]]:
    """Copies of these hands, each with one mistake.

    A hand is missing, or there is one too many; a card is moved to the next hand, is
    missing, occurs twice, or replaces another.
    """
    yield hands[1:]
    yield [*hands, CardSet()]
    if not hands[0]:
        return
    first = CardSet(list(hands[0])[:1])
    yield [hands[0] - first, hands[1] | first, *hands[2:]]
    yield [hands[0] - first, *hands[1:]]
    yield [*hands[:-1], hands[-1] | first]
    if hands[1]:
        second = CardSet(list(hands[1])[:1])
        yield [hands[0], (hands[1] - second) | first, *hands[2:]]


def _with_two_exchanged(hands: list[CardSet]) -> list[CardSet]:
    """The hands after the first two have exchanged a card."""
    first, second = (CardSet(list(hand)[:1]) for hand in hands[:2])
    return [(hands[0] - first) | second, (hands[1] - second) | first, *hands[2:]]


def _pack(state: State) -> CardSet:
    """The cards with which a match was opened; empty for the whole pack or no match."""
    return state.start.pack if isinstance(state.start, Match) else CardSet()
