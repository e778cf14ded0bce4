"""Random rulesets, starts of games, and games, for Hypothesis and for loops with seeds.

Each of them is made in two ways: by `some_x(rng, …)` from any `random.Random`, and by
`xs()`, a Hypothesis strategy that calls the same function with a generator it can
shrink. Both favour what is rare in real games: hands of one to three cards from the
pack of twelve (1.8), totals just below the limit, two seats tied, a stock that runs
out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs

from refengine.chapters.passing import cards_needed, cycle_at_table, pass_of_deal
from refengine.errors import Malformed
from refengine.formats.fields import normal_state_fields, view_fields
from refengine.formats.recording import played_lately, recorded_step
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
_VALUES: Final[dict[str, tuple[object, ...]]] = {
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
    """A strategy whose values are what `make` returns for a random number generator."""
    from hypothesis import strategies as st  # late: seeded loops run without it

    return st.randoms(use_true_random=False).map(make)


# Rulesets


def values_worth_trying(option: Option) -> tuple[object, ...]:
    """The values of an option that small games can tell apart."""
    if isinstance(option.base, bool):
        return (False, True)
    if isinstance(option.base, tuple):
        return _CYCLES
    return _VALUES.get(option.name) or option.words


def mended(
    name: str,
    place: int,
    options: Mapping[str, Any],
    firm: Mapping[str, Any] | None = None,
) -> Ruleset:
    """The ruleset with these options, adjusted if they exclude each other.

    `place` is an index into the numbers of players that the profile allows; past the
    end, it starts again. An option in `firm` is usually kept, and another option is
    changed instead; by default, all of `options` are firm.
    """
    base = profile(name)
    firm = options if firm is None else firm
    values: dict[str, Any] = {**base.options, **options}
    kitty = values["undealt"] == "kitty"
    allowed = base.players_with_kitty if kitty else base.players
    number = allowed[place % len(allowed)]
    _adjust_hands(values, number)
    _adjust_opening(values, firm)
    _adjust_limit(values, firm)
    _adjust_moon(values, firm)
    _adjust_end_of_deal(values, firm)
    return Ruleset(name, number, values)


def _adjust_hands(values: dict[str, Any], players: int) -> None:
    """Make the size of the hands and the removal suit what happens to undealt cards."""
    if values["undealt"] == "none":
        if values["hand_size"] != 52 // players:  # the same as `all`
            values["hand_size"] = "all"
        if 52 % players and values["removal"] == "none":
            values["removal"] = "lowest"
        return
    values["removal"] = "none"
    if values["undealt"] == "stock" and values["hand_size"] == "all":
        values["hand_size"] = 3
    if values["hand_size"] != "all":
        values["hand_size"] = min(values["hand_size"], 52 // players)


def _adjust_opening(values: dict[str, Any], firm: Mapping[str, Any]) -> None:
    """If the seat left of the dealer leads, allow any card as the opening lead.

    If `firm` names another opening card, the holder of the lowest club leads instead.
    """
    if values["opening_leader"] == "left_of_dealer":
        if firm.get("opening_card", "any") != "any":
            values["opening_leader"] = "lowest_club"
        else:
            values["opening_card"] = "any"


def _adjust_limit(values: dict[str, Any], firm: Mapping[str, Any]) -> None:
    """Give the match a limit, or reset the options that need one.

    If `exact_limit_becomes` is a number, it is made less than the limit.
    """
    if values["limit"] == "none":
        losing = values["moon"] == "others_plus_unless_losing"
        needed = (
            values["exact_limit_becomes"] != "none"
            or values["ties"] == "play_on"
            or losing
        )
        if needed and firm.get("limit") != "none":
            values["limit"] = 14
        else:
            values.update(exact_limit_becomes="none", ties="shared")
            if losing:
                values["moon"] = "others_plus"
    limit, reset = values["limit"], values["exact_limit_becomes"]
    if limit != "none" and reset != "none" and reset >= limit:
        values["exact_limit_becomes"] = limit // 2


def _adjust_moon(values: dict[str, Any], firm: Mapping[str, Any]) -> None:
    """Make the options for the moon, the sun and the cost of hearts consistent.

    A moon or a sun needs hearts that cost points, and a sun needs a moon.
    """
    if firm.get("moon") == "none":
        values["sun_points"] = 0  # first, so that no heart has to cost points for a sun
    if not values["heart_points"]:
        sun = values["sun_points"] and firm.get("sun_points")
        if firm.get("moon", "none") != "none" or sun:
            values["heart_points"] = 1
        else:
            values.update(moon="none", sun_points=0)
    if values["moon"] == "none" and values["sun_points"]:
        values["moon"] = "self_minus"


def _adjust_end_of_deal(values: dict[str, Any], firm: Mapping[str, Any]) -> None:
    """Make an early end legal (5.14b to 5.14d): drop it, or what it does not allow."""
    if values["deal_ends"] != "no_points_left":
        return
    tricks_count = values["sun_points"] or values["no_trick_points"]
    if values["undealt"] != "none" or (tricks_count and "deal_ends" not in firm):
        values["deal_ends"] = "all_played"
    else:
        values.update(sun_points=0, no_trick_points=0)


def some_ruleset(rng: Random, name: str = "", changes: int = 2) -> Ruleset:
    """A ruleset of this profile, or of any, with `changes` options set at random."""
    options = {
        option.name: rng.choice(values_worth_trying(option))
        for option in rng.sample(OPTIONS, changes)
    }
    of_profile = name or rng.choice(profile_names())
    return mended(of_profile, rng.choice((0, 0, 1, 1, 2, 5)), options)


def rulesets(name: str = "") -> st.SearchStrategy[Ruleset]:
    """Rulesets of this profile, or of any, with up to four options set at random."""
    return from_generator(lambda rng: some_ruleset(rng, name, rng.randrange(5)))


# Beginnings


def some_cards(rng: Random, number: int) -> list[Card]:
    """`number` different cards in random order, mostly from a small pack."""
    for pack in (TWELVE, _MORE):
        if number <= len(pack) and rng.random() < 0.7:
            return rng.sample(list(pack), number)
    return rng.sample(list(WHOLE_PACK), number)


def cards_to_pass(ruleset: Ruleset, deal: int | None = None) -> int:
    """How many cards each seat passes in a deal; if `deal` is None, the most in any."""
    rules = ruleset.rules
    if deal is not None:
        return int(cards_needed(rules, pass_of_deal(rules, deal)))
    return max([0, *[int(cards_needed(rules, way)) for way in cycle_at_table(rules)]])


def some_totals(rng: Random, ruleset: Ruleset) -> tuple[int, ...]:
    """Totals with which a deal might begin, at times just below the limit or tied."""
    limit = ruleset.options["limit"]
    near = [0, 0, 3, 10]
    if isinstance(limit, int):
        near += [limit - 1, limit - 2, limit - 3, limit - 13, limit - 14, limit - 16]
    return tuple(rng.choice(near) for _ in range(ruleset.players))


def some_setup(rng: Random, ruleset: Ruleset, most: int = 3) -> Setup:
    """The start of a deal with small hands that are large enough for its pass.

    Hands have at most `most` cards, unless the pass needs more. Raises Malformed if the
    hands cannot be large enough for the pass.
    """
    players = ruleset.players
    deal = rng.randint(1, 5)
    passed = cards_to_pass(ruleset, deal)
    size = min(max(1, passed, rng.randint(1, most)), 52 // players)
    if size < passed:
        raise Malformed("no such pass", "a pass that hands can make")
    dealt = size * players
    undealt = ruleset.options["undealt"]
    beside = 0 if undealt == "none" else min(rng.randint(0, 4), 52 - dealt)
    cards = some_cards(rng, dealt + beside)
    rest = cards[dealt:]
    return Setup(
        dealer=rng.randrange(players),
        deal=deal,
        totals=some_totals(rng, ruleset),
        hands=[CardSet(cards[at : at + size]) for at in range(0, dealt, size)],
        stock=rest if undealt == "stock" else (),
        kitty=CardSet(rest if undealt == "kitty" else ()),
        limit_reached=ruleset.options["ties"] == "play_on" and rng.random() < 0.3,
    )


def some_match(rng: Random, ruleset: Ruleset, whole: bool = False) -> Match:
    """The start of a match with a small pack or, if `whole`, with the whole pack."""
    players = ruleset.players
    dealer = rng.randrange(players) if rng.random() < 0.6 else None
    if whole:
        return Match(dealer)
    size, most_left_over = ruleset.options["hand_size"], 3
    if not isinstance(size, int):
        size = max(cards_to_pass(ruleset), rng.randint(1, 2))
        most_left_over = players - 1
    number = size * players
    if ruleset.options["undealt"] != "none":
        number += rng.randint(0, most_left_over)
    return Match(dealer, CardSet(some_cards(rng, min(number, 52))))


def may_be_found(state: State) -> bool:
    """Whether a game may begin in this position, without what came before it.

    It may do so during play if no card was drawn in this turn and nobody has revoked.
    """
    return state.phase == "play" and not state.drew and not state.revokes


def some_position(rng: Random, ruleset: Ruleset) -> Setup:
    """A position after some acts in a small deal; raises Malformed if none fits."""
    state = State.open(ruleset, some_setup(rng, ruleset, 4))
    for _ in range(rng.randint(1, 9)):
        after = state.apply(state.random_act(rng))
        if after.over:
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
    """The start of a deal, a position in mid-play, or a match with a small pack."""
    kind = rng.randrange(10)
    if kind < 6:
        return some_setup(rng, ruleset)
    return some_match(rng, ruleset) if kind < 9 else some_position(rng, ruleset)


def some_opening(rng: Random, name: str = "", changes: int = 2) -> State:
    """The first state of a small game, under a ruleset made by `some_ruleset`."""
    while True:
        ruleset = some_ruleset(rng, name, changes)
        try:
            return State.open(ruleset, some_start(rng, ruleset))
        except (Malformed, Refused):
            continue


def openings(name: str = "") -> st.SearchStrategy[State]:
    """The first states of small games of this profile, or of any if none is named."""
    return from_generator(lambda rng: some_opening(rng, name, rng.randrange(4)))


# Games: what is done, and what is tried before


@attrs.frozen
class Move:
    """An act with the acts tried before it, and the seat whose view follows, if any."""

    act: Act
    tries: tuple[Act, ...] = ()
    watcher: int | None = None


@attrs.frozen
class Script:
    """A game: a ruleset, a start and moves. `recorded` makes a trace of it."""

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
    """A game that leads to this state and continues at random from there.

    The later acts are legal, except that `wild` is the chance, at each play, of a
    revoke if one would be accepted. If `wild` is not 0, a retraction, claim or quit
    that is legal is chosen half the time. `tries` is the chance that other acts are
    tried before an act, and `unseen` is the chance that a seat that may pass unseen
    does so. If `bold`, all `bold_tries` are tried, too. At most `most` acts follow this
    state.
    """
    moves = [Move(act) for act in state.acts]
    for _ in range(most):
        act = _next_act(rng, state, wild, unseen)
        if act is None:
            break
        # drawn even if not kept, so that `tries` changes no act
        tried = [some_try(rng, state) for _ in range(rng.randint(1, 3))]
        watcher = rng.randrange(state.ruleset.players) if rng.random() < 0.1 else None
        kept = tuple(tried) if rng.random() < tries else ()
        kept += tuple(bold_tries(rng, state)) if bold else ()
        moves.append(Move(act, kept, watcher))
        state = state.apply(act)
    return Script(state.ruleset, state.start, tuple(moves))


def _next_act(rng: Random, state: State, wild: float, unseen: float) -> Act | None:
    """The next act of a game; None if the game is over and no act is added."""
    act = something_wild(rng, state, wild)
    if act is not None or state.over:
        return act
    seat = rng.choice(state.turn)
    if state.phase == "pass":
        due = state.legal.due
        if due.forward and rng.random() < unseen:
            return PassUnseen(seat)
        return random_pass(state.core, seat, attrs.evolve(due, forward=False), rng)
    act = state.random_act(rng)
    return Cut(seat, act.card) if isinstance(act, Cut) else act


def something_wild(
    rng: Random, state: State, wild: float, after: float = 0.5
) -> Act | None:
    """At random, a revoke, an act that may follow a revoke, or None.

    `wild` is the chance of a revoke if one would be accepted. Unless it is 0, `after`
    is the chance of a retraction, a claim or a quit if one is legal.
    """
    if wild and rng.random() < after:
        acts = _acts_beside_play(rng, state)
        legal = [act for act in acts if state.verdict(act) == Legal()]
        if legal:
            return rng.choice(legal)
    if state.phase == "play" and rng.random() < wild:
        revokes = accepted_revokes(state, state.turn[0])
        if revokes:
            return rng.choice(revokes)
    return None


def accepted_revokes(state: State, seat: int) -> list[Play]:
    """All plays from a seat's hand that are revokes and would be accepted."""
    plays = [Play(seat, card) for card in state.hands[seat]]
    return [play for play in plays if isinstance(state.verdict(play), Irregular)]


def _acts_beside_play(rng: Random, state: State) -> list[Act]:
    """Acts that may be legal in addition to a play: retractions, claims and quits."""
    acts: list[Act] = []
    for note in state.revokes:
        acts += [Retract(note.seat, card) for card in played_lately(state)]
        claimant = rng.randrange(state.ruleset.players)
        acts.append(Claim(claimant, note.seat, note.trick))
    if state.history:
        acts.append(QuitTrick(state.history[-1].winner))
    return acts


def some_try(rng: Random, state: State) -> Act:
    """An act, by any seat, that is likely to be refused."""
    seat = rng.randrange(state.ruleset.players)
    if state.turn and rng.random() < 0.6:
        seat = rng.choice(state.turn)
    hand = list(state.hands[seat]) if state.hands else []
    if state.revokes and rng.random() < 0.5:
        return _try_after_revoke(rng, state, seat)
    kind = rng.randrange(12)
    if kind < 2 and hand:
        return Play(seat, rng.choice(hand))
    if kind < 8:
        act = _try_in_phase(rng, state, seat, hand)
        if act is not None:
            return act
    return _try_anything(rng, state, seat, hand)


def _try_after_revoke(rng: Random, state: State, seat: int) -> Act:
    """A claim by this seat of a revoke, or a retraction by the seat that revoked."""
    revoke = rng.choice(state.revokes)
    if rng.random() < 0.5:
        return Claim(seat, revoke.seat, revoke.trick)
    card = rng.choice([*played_lately(state), *TWELVE])
    return Retract(revoke.seat, card)


def _try_in_phase(rng: Random, state: State, seat: int, hand: list[Card]) -> Act | None:
    """An act of the kind that suits the phase; None during play and after the end."""
    if state.phase == "pass":
        return _try_pass(rng, state, seat, hand)
    if state.phase in ("deal", "mix"):
        return _try_dealing(rng, state)
    if state.phase == "cut":
        return Cut(seat, rng.choice([*[card for card in state.cut if card], *TWELVE]))
    if state.phase == "moon":
        players = range(state.ruleset.players)
        return MoonChoice(seat, rng.choice(["self_minus", "others_plus", *players]))
    return None


def _try_anything(rng: Random, state: State, seat: int, hand: list[Card]) -> Act:
    """An act of any kind but a deal, scatter or mix, nearly always by this seat."""
    players = state.ruleset.players
    winners = [trick.winner for trick in state.history[-1:]]
    acts: list[Act] = [
        Draw(seat),
        Play(seat, rng.choice(list(TWELVE))),
        QuitTrick(rng.choice([seat, *winners])),
        Claim(seat, rng.randrange(players), rng.randint(1, len(state.history) + 1)),
        Retract(seat, rng.choice([*played_lately(state), *TWELVE])),
        MoonChoice(seat, rng.choice(["self_minus", "others_plus", 0])),
        PassUnseen(seat),
        Cut(seat, rng.choice(list(TWELVE))),
        Pass(seat, CardSet(hand[:1])),
    ]
    return rng.choice(acts)


def bold_tries(rng: Random, state: State) -> list[Act]:
    """Acts that a faulty engine may judge wrongly and that random choice seldom finds.

    They are deals of the right cards in hands of different sizes and, for each revoke,
    acts by the other seats: a claim, and retractions of the cards just played. Most
    must be refused; a claim, or the correction of another revoke, may be legal.
    """
    found: list[Act] = []
    if state.phase == "deal":
        found += _uneven_deals(state.random_act(rng))
    players = range(state.ruleset.players)
    for note in state.revokes:
        others = [seat for seat in players if seat != note.seat]
        lately = played_lately(state)
        found += [Retract(seat, card) for seat in others for card in lately]
        found.append(Claim(rng.choice(others), note.seat, note.trick))
    return found


def _uneven_deals(act: Act) -> Iterator[Act]:
    """The deal with a card of the first hand moved to the second, or to the stock."""
    assert isinstance(act, Deal)
    first, second, *rest = act.hands
    if first:
        card = CardSet(list(first)[:1])
        yield attrs.evolve(act, hands=(first - card, second | card, *rest))
        if act.stock:
            stock = (*act.stock, *card)
            yield attrs.evolve(act, hands=(first - card, second, *rest), stock=stock)


def _try_pass(rng: Random, state: State, seat: int, hand: list[Card]) -> Act:
    """A pass, a pass unseen or a scatter, with cards that are often wrong."""
    kind = rng.randrange(4)
    needed = state.ruleset.rules.pass_count
    cards = rng.sample(hand, min(len(hand), rng.randint(0, needed + 1)))
    if kind == 0:
        return PassUnseen(seat)
    if kind == 1:
        cards = rng.sample(list(TWELVE), min(needed, 12))
    if kind == 2:
        seats = rng.sample(range(state.ruleset.players), state.ruleset.players)
        return Scatter(seat, dict(zip(seats, cards, strict=False)))
    return Pass(seat, CardSet(cards))


def _try_dealing(rng: Random, state: State) -> Act:
    """The deal or mix that is due, with a card or a hand missing, or a wrong card."""
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
    """The states of a game, from the first to the last.

    Raises Malformed or Refused if the game cannot be played.
    """
    states = [State.open(script.ruleset, script.start)]
    for move in script.moves:
        states.append(states[-1].apply(move.act))
    return states


# Recording


def recorded(script: Script, name: str = "") -> Trace:
    """The trace of a script: what is legal, what is refused and why, and what follows.

    Besides the acts that the script tries, every card is tried that the seat to play
    holds but may not play. Raises Malformed or Refused if the script cannot be played.
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
    """Plays of those cards that the seat to play holds but may not play now."""
    if state.phase != "play":
        return []
    seat = state.turn[0]
    legal = state.legal.cards
    return [Play(seat, card) for card in state.hands[seat] if card not in legal]


def traces(name: str = "") -> st.SearchStrategy[Trace]:
    """Traces of small games of this profile, or of any."""

    def make(rng: Random) -> Trace:
        state = some_opening(rng, name, rng.randrange(4))
        return recorded(some_script(rng, state, rng.choice((0.0, 0.3))))

    return from_generator(make)
