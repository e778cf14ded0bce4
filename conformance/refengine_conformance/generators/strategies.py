"""Rulesets, beginnings and games by legal play: for Hypothesis, and for seeded loops.

Each thing is made twice: `some_x(rng, …)` from any `random.Random`, and `xs()` as a
Hypothesis strategy that hands the same function a generator it can shrink. They lean
towards what is rare at a table: hands of one to three cards from the pack of twelve
(1.8), totals just below the limit, two seats tied, a stock that runs out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs

from refengine.errors import Malformed
from refengine.formats.fields import (
    normal_state_fields,
    view_fields,
)
from refengine.formats.recording import recorded_step
from refengine.formats.trace import Step, Trace
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
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup, Start
from refengine.game.shuffling import random_pass
from refengine.game.values.cardset import WHOLE_PACK, Card, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Refused
from refengine.lawbook.options import OPTIONS, Option
from refengine.lawbook.profiles import profile, profile_names

if TYPE_CHECKING:
    from hypothesis import strategies as st

T = TypeVar("T")

TWELVE: Final = CardSet("2C 3C AC 2D JD 2S QS KS AS 2H 3H AH")
_MORE: Final = CardSet("2C 3C 4C 2D TD JD 5S QS KS AS 2H 3H 4H 5H AH 6D 7C 8S")
_NUMBERS: Final[dict[str, tuple[object, ...]]] = {
    "hand_size": ("all", 1, 2, 3),
    "pass_count": (1, 2, 3),
    "heart_points": (0, 1, 2, "face"),
    "queen_points": (0, 5, 13),
    "king_points": (0, 10),
    "ace_points": (0, 7),
    "bonus_points": (-10, 5, -1),
    "sun_points": (0, 52, 7),
    "no_trick_points": (0, -5, 3),
    "revoke_points": (13, "all", 5),
    "limit": ("none", 5, 13, 14, 30),
    "exact_limit_becomes": ("none", 0, 2, -20),
    "deals": (1, 2),
}
_CYCLES: Final = (
    (),
    ("left", "right", "across", "hold"),
    ("left", "right", "across"),
    ("left", "right", "across", "scatter"),
    ("scatter", "hold"),
    ("mix",),
    ("right", "mix", "left"),
    ("across", "hold", "left"),
)


def from_generator(make: Callable[[Random], T]) -> st.SearchStrategy[T]:
    """What this function makes with a generator that Hypothesis controls."""
    from hypothesis import strategies as st  # late: seeded loops run without it

    return st.randoms(use_true_random=False).map(make)


# Rulesets


def values_worth_trying(option: Option) -> tuple[object, ...]:
    """The values of an option that small games can tell apart."""
    if isinstance(option.base, bool):
        return (False, True)
    if isinstance(option.base, tuple):
        return _CYCLES
    return _NUMBERS.get(option.name) or option.words


def mended(
    name: str,
    players: int,
    options: Mapping[str, Any],
    firm: Mapping[str, Any] | None = None,
) -> Ruleset:
    """The ruleset with these options, adjusted where they exclude each other.

    `players` picks one of the numbers that the profile allows. Options that are `firm`
    (by default all of these) are changed last.
    """
    base = profile(name)
    firm = options if firm is None else firm
    found: dict[str, Any] = {**base.options, **options}
    kitty = found["undealt"] == "kitty"
    allowed = base.players_with_kitty if kitty else base.players
    players = allowed[players % len(allowed)]
    if found["undealt"] == "none":
        found["hand_size"] = "all"
        if 52 % players and found["removal"] == "none":
            found["removal"] = "lowest"
    else:
        found["removal"] = "none"
        if found["undealt"] == "stock" and found["hand_size"] == "all":
            found["hand_size"] = 3
        if found["hand_size"] != "all":
            found["hand_size"] = min(found["hand_size"], 52 // players)
    if found["opening_leader"] == "left_of_dealer":
        if firm.get("opening_card", "any") != "any":
            found["opening_leader"] = "lowest_club"
        else:
            found["opening_card"] = "any"
    if found["limit"] == "none":
        losing = found["moon"] == "others_plus_unless_losing"
        if firm.get("limit") != "none" and (
            found["exact_limit_becomes"] != "none"
            or found["ties"] == "play_on"
            or losing
        ):
            found["limit"] = 14
        else:
            found |= {"exact_limit_becomes": "none", "ties": "shared"}
            found["moon"] = "others_plus" if losing else found["moon"]
    reset = found["exact_limit_becomes"]
    if reset != "none" and found["limit"] != "none" and reset >= found["limit"]:
        found["exact_limit_becomes"] = found["limit"] // 2
    if not found["heart_points"]:
        if firm.get("moon", "none") != "none" or firm.get("sun_points"):
            found["heart_points"] = 1
        else:
            found |= {"moon": "none", "sun_points": 0}
    if found["moon"] == "none" and found["sun_points"]:
        plain = firm.get("moon") == "none"
        found |= {"sun_points": 0} if plain else {"moon": "self_minus"}
    if found["deal_ends"] == "no_points_left":
        whole = found["sun_points"] or found["no_trick_points"]
        if found["undealt"] != "none" or (whole and "deal_ends" not in firm):
            found["deal_ends"] = "all_played"
        else:
            found |= {"sun_points": 0, "no_trick_points": 0}
    return Ruleset(name, players, found)


def some_ruleset(rng: Random, name: str = "", changes: int = 2) -> Ruleset:
    """A ruleset of this profile, or of any, with this many options changed."""
    options = {
        option.name: rng.choice(values_worth_trying(option))
        for option in rng.sample(OPTIONS, changes)
    }
    return mended(
        name or rng.choice(profile_names()), rng.choice((0, 0, 1, 1, 2, 5)), options
    )


def rulesets(name: str = "") -> st.SearchStrategy[Ruleset]:
    """Rulesets of this profile, or of all, with up to four options changed."""
    return from_generator(lambda rng: some_ruleset(rng, name, rng.randrange(5)))


# Beginnings


def some_cards(rng: Random, number: int) -> list[Card]:
    """The given number of different cards, in any order, mostly from a small pack."""
    for pack in (TWELVE, _MORE):
        if number <= len(pack) and rng.random() < 0.7:
            return rng.sample(list(pack), number)
    return rng.sample(list(WHOLE_PACK), number)


def cards_to_pass(ruleset: Ruleset, deal: int | None = None) -> int:
    """The cards that a pass takes from a hand: in this deal, or the most in any."""
    cycle = ruleset.options["pass_cycle"]
    assert isinstance(cycle, tuple)
    cycle = tuple(one for one in cycle if one != "across" or ruleset.players % 2 == 0)
    if deal is not None and cycle:
        cycle = (cycle[(deal - 1) % len(cycle)],)
    needed = {"hold": 0, "scatter": ruleset.players - 1}
    return max([0, *[needed.get(one, ruleset.rules.pass_count) for one in cycle]])


def some_totals(rng: Random, ruleset: Ruleset) -> tuple[int, ...]:
    """Totals before a deal, at times just below the limit or tied."""
    limit = ruleset.options["limit"]
    near = [0, 0, 3, 10]
    if isinstance(limit, int):
        near += [limit - 1, limit - 2, limit - 3, limit - 13, limit - 14, limit - 16]
    return tuple(rng.choice(near) for _ in range(ruleset.players))


def some_setup(rng: Random, ruleset: Ruleset, most: int = 3) -> Setup:
    """A deal as found, with small hands, and a deal number whose pass they can make."""
    players = ruleset.players
    deal = rng.randint(1, 5)
    size = max(1, cards_to_pass(ruleset, deal), rng.randint(1, most))
    size = min(size, 52 // players)
    if size < cards_to_pass(ruleset, deal):
        raise Malformed("no such pass", "a pass that hands can make")
    undealt = ruleset.options["undealt"]
    beside = 0 if undealt == "none" else min(rng.randint(0, 4), 52 - size * players)
    cards = some_cards(rng, size * players + beside)
    rest = cards[size * players :]
    return Setup(
        dealer=rng.randrange(players),
        deal=deal,
        totals=some_totals(rng, ruleset),
        hands=[
            CardSet(cards[seat * size : (seat + 1) * size]) for seat in range(players)
        ],
        stock=rest if undealt == "stock" else (),
        kitty=CardSet(rest if undealt == "kitty" else ()),
        limit_reached=ruleset.options["ties"] == "play_on" and rng.random() < 0.3,
    )


def some_match(rng: Random, ruleset: Ruleset, whole: bool = False) -> Match:
    """A match with a small pack, or with the whole one."""
    players = ruleset.players
    dealer = rng.randrange(players) if rng.random() < 0.6 else None
    if whole:
        return Match(dealer)
    size = ruleset.options["hand_size"]
    if not isinstance(size, int):
        size = max(cards_to_pass(ruleset), rng.randint(1, 2), 1)
    number = size * players
    if ruleset.options["undealt"] != "none":
        number += rng.randint(
            0, 3 if ruleset.options["hand_size"] != "all" else players - 1
        )
    return Match(dealer, CardSet(some_cards(rng, min(number, 52))))


def may_be_found(state: State) -> bool:
    """Whether a position says all that bears on what follows: no past is needed."""
    return state.phase == "play" and not state.drew and not state.revokes


def some_position(rng: Random, ruleset: Ruleset) -> Setup:
    """A position some cards into a small deal."""
    state = State.open(ruleset, some_setup(rng, ruleset, 4))
    for _ in range(rng.randint(1, 9)):
        if state.phase == "over":
            break
        after = state.apply(state.random_act(rng))
        if after.phase == "over":
            break
        state = after
    while not may_be_found(state) and not state.over:
        state = state.apply(state.random_act(rng))
    if not may_be_found(state) or state.core.position is None:
        raise Malformed("no such moment", "a position without a past")
    if state.core.position.talon.kitty_to >= 0:
        raise Malformed("a kitty taken", "a position with its kitty")
    return Setup.of(state)


def some_start(rng: Random, ruleset: Ruleset) -> Start:
    """A deal as found, a position, or a match with a small pack."""
    kind = rng.randrange(10)
    if kind < 6:
        return some_setup(rng, ruleset)
    return some_match(rng, ruleset) if kind < 9 else some_position(rng, ruleset)


def some_opening(rng: Random, name: str = "", changes: int = 2) -> State:
    """The first moment of a small game."""
    while True:
        ruleset = some_ruleset(rng, name, changes)
        try:
            return State.open(ruleset, some_start(rng, ruleset))
        except (Malformed, Refused):
            continue


def openings(name: str = "") -> st.SearchStrategy[State]:
    """First moments of small games of this profile, or of all."""
    return from_generator(lambda rng: some_opening(rng, name, rng.randrange(4)))


# Games: what is done, and what is tried before


@attrs.frozen
class Move:
    """An act, the acts tried before it, and a seat that looks afterwards."""

    act: Act
    tries: tuple[Act, ...] = ()
    watcher: int | None = None


@attrs.frozen
class Script:
    """A game as somebody would direct it; `recorded` makes a trace of it."""

    ruleset: Ruleset
    start: Start
    moves: tuple[Move, ...]


def some_script(
    rng: Random,
    state: State,
    wild: float = 0.0,
    tries: float = 0.4,
    most: int = 80,
    unseen: float = 0.2,
    bold: bool = False,
) -> Script:
    """A game from here on by legal play, with other acts tried on the way.

    `wild` is the chance, at each play, of a revoke where one is accepted; unless it is
    zero, what may follow from one comes half the time. `tries` is how often other acts
    are tried; `unseen` how often a seat that may forward does so; `bold` makes all
    `bold_tries` as well.
    """
    moves: list[Move] = []
    first = state
    while len(moves) < most:
        act = _next_act(rng, state, wild, unseen)
        if act is None:
            break
        tried = [some_try(rng, state) for _ in range(rng.randint(1, 3))]
        watcher = rng.randrange(state.ruleset.players) if rng.random() < 0.1 else None
        kept = tuple(tried) if rng.random() < tries else ()
        kept += tuple(bold_tries(rng, state)) if bold else ()
        moves.append(Move(act, kept, watcher))
        state = state.apply(act)
    return Script(first.ruleset, first.start, tuple(moves))


def _next_act(rng: Random, state: State, wild: float, unseen: float) -> Act | None:
    act = something_wild(rng, state, wild)
    if act is not None or state.over:
        return act
    seat = rng.choice(state.turn)
    if state.phase == "pass":
        if state.legal.due.forward and rng.random() < unseen:
            return PassUnseen(seat)
        return random_pass(state.core, seat, state.legal.due, rng)
    act = state.random_act(rng)
    return Cut(seat, act.card) if isinstance(act, Cut) else act


def something_wild(
    rng: Random, state: State, wild: float, after: float = 0.5
) -> Act | None:
    """A revoke, or what can follow from one, if chance wants it now.

    `wild` is the chance of a revoke where one is accepted, `after` that of a
    retraction, a claim or a quit where they are. Otherwise None.
    """
    if wild and rng.random() < after:
        beside = [act for act in _beside(rng, state) if state.verdict(act) == Legal()]
        if beside:
            return rng.choice(beside)
    if state.phase == "play" and rng.random() < wild:
        seat = state.turn[0]
        plays = [Play(seat, card) for card in state.hands[seat]]
        revokes = [act for act in plays if isinstance(state.verdict(act), Irregular)]
        if revokes:
            return rng.choice(revokes)
    return None


def _beside(rng: Random, state: State) -> list[Act]:
    """Retractions, claims and quits that may be accepted now."""
    acts: list[Act] = []
    for note in state.revokes:
        acts += [Retract(note.seat, card) for card in _lately(state)]
        claimant = rng.randrange(state.ruleset.players)
        acts.append(Claim(claimant, note.seat, note.trick))
    if state.history:
        acts.append(QuitTrick(state.history[-1].winner))
    return acts


def _lately(state: State) -> list[Card]:
    found = list(state.table.cards) if state.table else []
    return found + (list(state.history[-1].cards) if state.history else [])


def some_try(rng: Random, state: State) -> Act:
    """An act by any seat that is likely to be refused."""
    players = state.ruleset.players
    seat = rng.randrange(players)
    if state.turn and rng.random() < 0.6:
        seat = rng.choice(state.turn)
    hand = list(state.hands[seat]) if state.hands else []
    if state.revokes and rng.random() < 0.5:
        one = rng.choice(state.revokes)
        if rng.random() < 0.5:
            return Claim(seat, one.seat, one.trick)
        return Retract(one.seat, rng.choice([*_lately(state), *TWELVE]))
    kind = rng.randrange(12)
    if kind < 2 and hand:
        return Play(seat, rng.choice(hand))
    if state.phase == "pass" and kind < 8:
        return _try_pass(rng, state, seat, hand)
    if state.phase in ("deal", "mix") and kind < 8:
        return _try_dealing(rng, state)
    if state.phase == "cut" and kind < 8:
        return Cut(seat, rng.choice([*[one for one in state.cut if one], *TWELVE]))
    if state.phase == "moon" and kind < 8:
        return MoonChoice(
            seat, rng.choice(["self_minus", "others_plus", *range(players)])
        )
    acts: list[Act] = [
        Draw(seat),
        Play(seat, rng.choice(list(TWELVE))),
        QuitTrick(rng.choice([seat, *[one.winner for one in state.history[-1:]]])),
        Claim(seat, rng.randrange(players), rng.randint(1, len(state.history) + 1)),
        Retract(seat, rng.choice([*_lately(state), *TWELVE])),
        MoonChoice(seat, rng.choice(["self_minus", "others_plus", 0])),
        PassUnseen(seat),
        Cut(seat, rng.choice(list(TWELVE))),
        Pass(seat, CardSet(hand[:1])),
    ]
    return rng.choice(acts)


def bold_tries(rng: Random, state: State) -> list[Act]:
    """Acts that an engine with a hole may judge wrongly, and that chance seldom finds.

    Deals of the right cards in hands of different sizes; for each revoke, the cards
    played lately taken back by every seat but the revoker, and a claim. Most are to be
    refused; a claim, or a correction of another revoke, may be legal.
    """
    found: list[Act] = []
    if state.phase == "deal":
        found += _uneven_deals(state.random_act(rng))
    players = range(state.ruleset.players)
    for note in state.revokes:
        others = [seat for seat in players if seat != note.seat]
        found += [Retract(seat, card) for seat in others for card in _lately(state)]
        found.append(Claim(rng.choice(others), note.seat, note.trick))
    return found


def _uneven_deals(act: Act) -> Iterator[Act]:
    """The deal with a card moved from one hand to the next, or to the stock."""
    assert isinstance(act, Deal)
    first, second, *rest = act.hands
    if first:
        card = CardSet(list(first)[:1])
        yield attrs.evolve(act, hands=(first - card, second | card, *rest))
        if act.stock:
            stock = (*act.stock, *card)
            yield attrs.evolve(act, hands=(first - card, second, *rest), stock=stock)


def _try_pass(rng: Random, state: State, seat: int, hand: list[Card]) -> Act:
    kind = rng.randrange(4)
    needed = state.ruleset.rules.pass_count
    cards = rng.sample(hand, min(len(hand), rng.randint(0, needed + 1)))
    if kind == 0:
        return PassUnseen(seat)
    if kind == 1:
        cards = rng.sample(list(TWELVE), min(needed, 12))
    if kind == 2:
        others = rng.sample(range(state.ruleset.players), state.ruleset.players)
        return Scatter(seat, dict(zip(others, cards, strict=False)))
    return Pass(seat, CardSet(cards))


def _try_dealing(rng: Random, state: State) -> Act:
    """The deal or the mix that is due, spoiled."""
    act = state.random_act(rng)
    assert isinstance(act, Deal | Mix)
    hands = list(act.hands)
    kind = rng.randrange(4)
    if kind == 0:
        hands[0] = CardSet(list(hands[0])[1:])
    elif kind == 1:
        hands = hands[1:]
    elif kind == 2 and hands[0]:
        hands[1] = CardSet([*list(hands[0])[:1], *list(hands[1])[1:]])
    kitty = CardSet("7H") if kind == 3 else act.kitty
    if isinstance(act, Mix):
        return Mix(act.seat, hands, kitty)
    return Deal(act.seat, hands, act.stock, kitty)


def moments_of(script: Script) -> list[State]:
    """The states of a game, including the first.

    Raises Malformed or Refused if it cannot be played.
    """
    found = [State.open(script.ruleset, script.start)]
    for move in script.moves:
        found.append(found[-1].apply(move.act))
    return found


# Recording


def recorded(script: Script, name: str = "") -> Trace:
    """The trace of a script: legal sets, refusals with their clauses, what follows.

    Besides the tries of the script, every card that is not legal in the hand to play is
    tried. Raises Malformed or Refused if the script cannot be played.
    """
    state = State.open(script.ruleset, script.start)
    fields = normal_state_fields(state)
    steps: list[Step] = []
    for move in script.moves:
        tries = [*_cards_held_back(state), *move.tries]
        others = [act for act in tries if act != move.act]
        step, state, fields = recorded_step(state, move.act, others, fields)
        if move.watcher is not None:
            view = view_fields(state.observe(move.watcher))
            step = attrs.evolve(step, then={**step.then, "view": view})
        steps.append(step)
    return Trace(
        ruleset=script.ruleset,
        start=script.start,
        steps=tuple(steps),
        end=fields,
        name=name,
    )


def _cards_held_back(state: State) -> list[Act]:
    """Plays of those cards in the hand to play that may not be played now."""
    if state.phase != "play":
        return []
    seat = state.turn[0]
    legal = state.legal.cards
    return [Play(seat, card) for card in state.hands[seat] if card not in legal]


def traces(name: str = "") -> st.SearchStrategy[Trace]:
    """Traces of small games of this profile, or of all."""

    def make(rng: Random) -> Trace:
        state = some_opening(rng, name, rng.randrange(4))
        return recorded(some_script(rng, state, rng.choice((0.0, 0.3))))

    return from_generator(make)
