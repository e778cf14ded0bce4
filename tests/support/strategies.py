"""Rulesets, beginnings, games and acts: more varied than in `generators.strategies`.

Options may have any value, hands any size, and acts may be of any kind, even nonsense.
They are for testing what an engine must withstand; `generators.strategies` is for what
tells two engines apart, and also has what both uses need. Each thing is made in two
ways: `some_x(rng)` takes any `random.Random` and is for loops over seeds, and `xs()` is
a Hypothesis strategy that calls the same function with a generator that can be shrunk.
Long stretches of play take a seed, so that an example stays small.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from hypothesis import strategies as st

from refengine import (
    OPTIONS,
    WHOLE_PACK,
    Act,
    Card,
    CardSet,
    Claim,
    Cut,
    Deal,
    Draw,
    Irregular,
    Legal,
    Match,
    Mix,
    MoonChoice,
    Option,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Refused,
    Retract,
    Ruleset,
    Scatter,
    Setup,
    State,
    profile_names,
)
from refengine_conformance.generators.strategies import (
    TWELVE,
    cards_to_pass,
    from_generator,
    may_be_found,
    mended,
    some_cards,
)

NUMBERS = (0, 1, 2, 3, 4, 5, 13, 26, 30, 50, -5, -10)
TOTALS = (0, 5, 12, 17, 20, 25, 30, 49, 86, 99, 100)

Fields = dict[str, Any]


# Rulesets


def some_value(rng: Random, option: Option) -> object:
    """A value that the option may take."""
    if isinstance(option.base, bool):
        return rng.random() < 0.5
    if isinstance(option.base, tuple):
        return [rng.choice(option.words) for _ in range(rng.randint(0, 4))]
    values: list[object] = list(option.words)
    if option.least is not None:
        values += [one for one in NUMBERS if option.least <= one <= option.most]
    return rng.choice(values)


def some_ruleset(rng: Random, share: float = 0.3, **fixed: Any) -> Ruleset:
    """A ruleset of any profile with about this share of its options changed."""
    options = {
        option.name: some_value(rng, option)
        for option in OPTIONS
        if rng.random() < share
    }
    name, players = rng.choice(profile_names()), rng.randrange(13)
    return mended(name, players, {**options, **fixed}, firm=fixed)


def rulesets(**fixed: Any) -> st.SearchStrategy[Ruleset]:
    """Rulesets of every profile with these options; any other option may be changed."""
    return from_generator(lambda rng: some_ruleset(rng, **fixed))


# Beginnings


def some_setup(rng: Random, ruleset: Ruleset) -> Setup | None:
    """A random deal, often small; None if the pass takes more than a hand can hold."""
    players = ruleset.players
    least = max(1, cards_to_pass(ruleset))
    most = 52 // players
    if least > most:
        return None
    size = rng.randint(least, min(most, least + 3))
    beside = rng.randint(0, min(5, 52 - size * players))
    if ruleset.options["undealt"] == "none":
        beside = 0
    cards = some_cards(rng, size * players + beside)
    rest = cards[size * players :]
    stock = ruleset.options["undealt"] == "stock"
    played_on = ruleset.options["ties"] == "play_on"
    return Setup(
        dealer=rng.randrange(players),
        deal=rng.randint(1, 6),
        totals=tuple(rng.choice(TOTALS) for _ in range(players)),
        hands=[
            CardSet(cards[seat * size : (seat + 1) * size]) for seat in range(players)
        ],
        stock=rest if stock else (),
        kitty=CardSet(() if stock else rest),
        limit_reached=played_on and rng.random() < 0.3,
    )


def some_match(rng: Random, ruleset: Ruleset) -> Match | None:
    """A match, often of a small pack; None if the pass takes more than a hand holds."""
    players = ruleset.players
    dealer = rng.randrange(players) if rng.random() < 0.5 else None
    least = max(1, cards_to_pass(ruleset))
    size = ruleset.options["hand_size"]
    if isinstance(size, int):
        if size < least:
            return None
    elif least * players > 52 or (52 // players < least):
        return None
    if rng.random() < 0.3:
        whole = 52 // players if size == "all" else size
        if size == "all" and ruleset.options["undealt"] == "kitty" and players == 4:
            whole = 12
        assert isinstance(whole, int)
        return Match(dealer) if whole >= least else None
    number = (
        size
        if isinstance(size, int)
        else rng.randint(least, min(52 // players, 4 + least))
    )
    more = 0
    if ruleset.options["undealt"] != "none":
        room = 52 - number * players
        more = rng.randint(0, min(room, 6 if isinstance(size, int) else players - 1))
    return Match(dealer, CardSet(some_cards(rng, number * players + more)))


def some_start(rng: Random, ruleset: Ruleset) -> Match | Setup | None:
    """A random match or deal; None if the pass takes more than a hand can hold."""
    if rng.random() < 0.4:
        return some_match(rng, ruleset) or some_setup(rng, ruleset)
    return some_setup(rng, ruleset) or some_match(rng, ruleset)


def some_opening(rng: Random, **fixed: Any) -> State:
    """The first state of a game under any ruleset with these options."""
    ruleset = some_ruleset(rng, **fixed)
    start = some_start(rng, ruleset)
    if start is None:
        ruleset = ruleset.having(pass_cycle=[])
        start = some_start(rng, ruleset)
    return State.open(ruleset, start)


def openings(**fixed: Any) -> st.SearchStrategy[State]:
    """First states of matches and deals under any ruleset with these options."""
    return from_generator(lambda rng: some_opening(rng, **fixed))


def setups() -> st.SearchStrategy[tuple[Ruleset, Setup]]:
    """Rulesets without a pass, each with a random deal."""

    def make(rng: Random) -> tuple[Ruleset, Setup]:
        ruleset = some_ruleset(rng, pass_cycle=[])
        setup = some_setup(rng, ruleset)
        assert setup is not None
        return ruleset, setup

    return from_generator(make)


def starts() -> st.SearchStrategy[tuple[Ruleset, Match | Setup]]:
    """Rulesets, each with a random match, deal or position."""
    return states().map(
        lambda state: (
            state.ruleset,
            Setup.of(state) if may_be_found(state) else state.start,
        )
    )


# Play


def worth(ruleset: Ruleset, cards: CardSet) -> int:
    """The penalty points of these cards, worked out from the options only."""
    costs: Mapping[str, Any] = ruleset.options
    faces = "23456789TJQKA"
    spades = {"QS": "queen_points", "KS": "king_points", "AS": "ace_points"}
    points = 0
    for one in cards:
        if one.value in spades:
            points += costs[spades[one.value]]
        elif one.value[1] == "H" and costs["heart_points"] == "face":
            points += faces.index(one.value[0]) + 2
        elif one.value[1] == "H":
            points += costs["heart_points"]
    return points


def some_card(rng: Random, state: State, seat: int) -> Card:
    """A card, most often one in the hand of this seat."""
    if state.hands and state.hands[seat] and rng.random() < 0.7:
        return rng.choice(list(state.hands[seat]))
    return rng.choice(list(WHOLE_PACK))


def some_hands(rng: Random, players: int) -> list[CardSet]:
    """Random hands of equal size, which seldom make a correct deal."""
    cards = rng.sample(list(WHOLE_PACK), 52)
    size = rng.randint(0, 52 // players)
    return [CardSet(cards[seat * size : (seat + 1) * size]) for seat in range(players)]


def some_act(rng: Random, state: State) -> Act:
    """A random act by any seat: one that is due, a mistake, or nonsense."""
    players = state.ruleset.players
    seat = rng.randrange(players)
    other = rng.randrange(players)
    kind = rng.randrange(16)
    if state.turn and rng.random() < 0.6:
        seat = rng.choice(state.turn)
    if kind < 5:
        return Play(seat, some_card(rng, state, seat))
    if kind < 7 and not state.over:
        return state.random_act(rng)
    if kind == 7:
        return Draw(seat)
    if kind == 8:
        return _some_retraction(rng, state, seat)
    if kind == 9:
        last = state.history[-1].winner if state.history else seat
        return QuitTrick(rng.choice([seat, last]))
    if kind == 10:
        note = rng.choice([None, *state.revokes])
        if note is None:
            return Claim(seat, other, rng.randint(1, 5))
        return Claim(seat, note.seat, note.trick)
    if kind == 11:
        return MoonChoice(seat, rng.choice(["self_minus", "others_plus", other]))
    if kind == 12:
        return Cut(seat, some_card(rng, state, seat))
    if kind == 13:
        hands = some_hands(rng, players)
        if rng.random() < 0.5:
            return Mix(seat, hands, some_hands(rng, players)[0])
        return Deal(seat, hands, kitty=CardSet("QS"))
    return _some_pass(rng, state, seat)


def _some_retraction(rng: Random, state: State, seat: int) -> Retract:
    on_table = state.table.cards if state.table else ()
    gone = [one for pile in state.taken for one in pile] + list(on_table)
    if state.revokes and rng.random() < 0.7:
        seat = rng.choice(state.revokes).seat
    return Retract(seat, rng.choice(gone) if gone else some_card(rng, state, seat))


def _some_pass(rng: Random, state: State, seat: int) -> Act:
    hand = list(state.hands[seat]) if state.hands else list(TWELVE)
    kind = rng.randrange(4)
    if kind == 0:
        return PassUnseen(seat)
    cards = rng.sample(hand, min(len(hand), rng.randint(0, 4)))
    if kind == 1:
        if rng.random() < 0.3:
            cards = rng.sample(list(WHOLE_PACK), len(cards))
        seats = rng.sample(range(state.ruleset.players), state.ruleset.players)
        return Scatter(seat, dict(zip(seats, cards, strict=False)))
    if kind == 2:
        cards = rng.sample(list(WHOLE_PACK), state.ruleset.rules.pass_count)
    return Pass(seat, CardSet(cards))


def verdict_name(state: State, act: Act) -> str:
    """The verdict on an act as a word: `legal`, `irregular` or `refused`."""
    match state.verdict(act):
        case Legal():
            return "legal"
        case Irregular():
            return "irregular"
        case Refused():
            return "refused"


def broken(state: State, act: Act) -> tuple[str, ...]:
    """The clauses that an act breaks in this state."""
    verdict = state.verdict(act)
    return () if isinstance(verdict, Legal) else verdict.clauses


def moments(state: State, rng: Random, most: int, wild: float = 0.3) -> Iterator[State]:
    """The state and at most `most` later ones, reached by acts that are not refused.

    With the probability `wild`, a step tries a random act of any kind, be it a revoke,
    a retraction, a quit or a claim. If it is refused, a legal act is made instead.
    """
    yield state
    for _ in range(most):
        if rng.random() < wild:
            act = some_act(rng, state)
            if verdict_name(state, act) != "refused":
                state = state.apply(act)
                yield state
                continue
        if state.over:
            return
        state = state.apply(state.random_act(rng))
        yield state


def last_moment(state: State, seed: int, length: int) -> State:
    """The state after up to `length` random acts; a seed always gives the same one."""
    for moment in moments(state, Random(seed), length):
        state = moment
    return state


def states(most: int = 60, **fixed: Any) -> st.SearchStrategy[State]:
    """States of random games, after at most this many acts."""
    return st.builds(
        last_moment,
        openings(**fixed),
        st.integers(0, 2**16),
        st.integers(0, most),
    )


def acts(state: State) -> st.SearchStrategy[Act]:
    """Random acts in this state: legal ones, mistakes and nonsense."""
    return from_generator(lambda rng: some_act(rng, state))


def cards() -> st.SearchStrategy[Card]:
    """Single cards."""
    return st.sampled_from(list(WHOLE_PACK))


def card_sets(**sizes: int) -> st.SearchStrategy[CardSet]:
    """Sets of cards."""
    return st.sets(cards(), **sizes).map(CardSet)


# Two small families of rulesets for examples


def hearts(players: int = 4, **options: object) -> Ruleset:
    """A ruleset of Hearts: the lowest club leads; no pass, no moon, and one deal."""
    base = {
        "opening_leader": "lowest_club",
        "opening_card": "lowest_club",
        "heart_leads": "when_broken",
        "revokes": "rejected",
    }
    return Ruleset("pokerwiner-hearts", players, {**base, **options})


def domino(players: int = 2, **options: object) -> Ruleset:
    """Domino Hearts by the profile gamerules-domino, but one deal without a limit."""
    return Ruleset("gamerules-domino", players, {"limit": "none", **options})
