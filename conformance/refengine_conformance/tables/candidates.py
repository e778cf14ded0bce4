"""Candidates: numbered games, some of which are chosen to be put to an engine.

A candidate depends on the table, the seed and its number alone, so that any process can
make it anew. If a game at the table may begin with a deal as found, two candidates in
three are such deals, and as plain as possible, with dealer 0, deal 1 and no totals,
since many engines can begin a game in no other way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

import attrs

from refengine.chapters.passing import cards_needed, cycle_at_table, pass_of_deal
from refengine.errors import Malformed
from refengine.formats.trace import canonical
from refengine.game.acts import Act
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup, Start
from refengine.game.values.cardset import CARDS, WHOLE_PACK, Card, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine_conformance.generators.directed_games import acts_of_every_kind
from refengine_conformance.generators.strategies import (
    Move,
    Script,
    bold_tries,
    may_be_found,
    moments_of,
)
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.direction import (
    MANNERS,
    Dealt,
    Director,
    Taste,
    deal_leading_to,
    loaded_on,
    takes_all_but,
    takes_all_but_the_last_trick,
)
from refengine_conformance.tables.layouts import (
    PATTERNS,
    Layout,
    highest_and_a_low_one,
    lay_out,
)
from refengine_conformance.tables.likings import rank_of
from refengine_conformance.tables.moments import (
    TIED,
    TOTALS,
    WHOLE,
    WHOLE_TIED,
    moments_after,
    moments_before,
)
from refengine_conformance.tables.steady_random import SteadyRandom

DEALS_OF_MATCH: Final = 2  # at least; one match in three has a whole cycle of passes
_TRIES: Final = 0.12  # the chance, at each act, that acts of every kind are tried
_ATTEMPTS: Final = 6
_MOST_ACTS: Final = 400
WHOLE_MATCHES: Final = 4
_MATCHES_MADE: Final = 9  # matches, of which one is taken
_MOST_OF_A_MATCH: Final = 1000  # acts; a longer match is not a candidate
_LOADED_DEALS: Final = range(1, 11)  # these bring a match to its end sooner
_SHARES: Final = (0.0, 0.4, 0.5, 0.67)  # of high cards; a moon may take points off
_LAST_DEALS: Final = 30  # tries at a last deal that leaves the lowest total shared
_BOLD: Final = 0.3  # the chance of `bold_tries` in a deal with a revoke
_WILD: Final = (0.05, 0.3)  # chances of a revoke at a play
_AFTER: Final = (0.02, 0.1, 0.4)  # chances of what may follow a revoke
Moments = dict[str, tuple[int, ...]]
"""The moments that a game reaches, each with the steps at which it occurs."""


@attrs.frozen
class Candidate:
    """A game, and the moments that it reaches.

    Steps are numbered from 1; a moment at the end of a deal belongs to the step that
    ended it.
    """

    number: int
    plain: bool
    script: Script
    moments: Moments


@attrs.frozen
class _Pack:
    """The cards in play, and how many of them each seat is dealt."""

    cards: list[Card]
    size: int


def candidate(
    table: Table, seed: int, number: int, tried: bool = True
) -> Candidate | None:
    """The candidate with this number, or None if its random choices do not make a game.

    `tried` says whether acts other than those played are tried as well; the game is the
    same either way.
    """
    key = canonical([table.fields(), seed, number]).decode()
    rng = SteadyRandom(key)
    trying = SteadyRandom(f"{key} tries") if tried else None
    plain = is_plain(table, number)
    for _ in range(_ATTEMPTS):
        try:
            return _made(rng, trying, table, number, plain)
        except (Malformed, Refused):
            continue
    return None


def is_plain(table: Table, number: int) -> bool:
    """Whether the candidate with this number is as plain as a game can be."""
    return "deal" in table.starts and number % 3 != 2


def _made(
    rng: SteadyRandom,
    trying: SteadyRandom | None,
    table: Table,
    number: int,
    plain: bool,
) -> Candidate:
    """A random game built around the hand and the play of one seat, its subject.

    Raises Malformed or Refused if the random choices make no game.
    """
    kind = "deal" if plain else _some_kind(rng, table)
    is_match = kind.startswith("match")
    first = 1 if plain or is_match else rng.randint(1, cycle_length(table.ruleset))
    pack = _pack(rng, table, first, is_match)
    pattern = PATTERNS[number // 3 % len(PATTERNS)]
    subject = rng.randrange(table.ruleset.players)
    manner = rng.choice(_manners(table))
    taste = manner(subject)
    if manner is takes_all_but_the_last_trick:
        pattern = highest_and_a_low_one
    most = DEALS_OF_MATCH
    if rng.random() < 1 / 3:
        most = max(most, cycle_length(table.ruleset))
    deals: dict[int, Dealt] = {}
    for deal in range(first, (most if is_match else first) + 1):
        hand = pattern(rng, pack.size, pack.cards)
        deals[deal] = _dealt_around(rng, table, deal, subject, hand, pack)
    wild, after = _wildness(rng, table, number % 4 == 3)
    director = Director(table.ruleset, deals, taste, wild, after)
    start = _start(rng, table, kind, pack, first, deals[first], plain, director)
    script, moments = _played(rng, trying, start, director, most)
    played = Candidate(number, plain, script, moments)
    if kind == "deal" and not plain and rng.random() < 0.7:
        return _with_totals(rng, table, played)
    return played


def _some_kind(rng: SteadyRandom, table: Table) -> str:
    """A way in which a game at the table can begin, chosen at random.

    Raises Malformed if there is none.
    """
    kinds = table.possible_starts
    if not kinds:
        raise Malformed("hands of another size", "those that the ruleset names")
    return rng.choice(kinds)


def _check_admitted(table: Table, start: Start) -> None:
    """Raise Malformed if the table admits no game that begins like this."""
    if why := table.why_not(start):
        raise Malformed(why, "a game that the table admits", "the table")


def _dealt_around(
    rng: SteadyRandom,
    table: Table,
    deal: int,
    subject: int,
    hand: list[Card],
    pack: _Pack,
) -> Dealt:
    """A deal in which the subject holds `hand` after the pass; the rest is random."""
    layout = _layout(rng, table, subject, hand, pack)
    return deal_leading_to(rng, table.ruleset.rules, deal, layout)


def _layout(
    rng: SteadyRandom, table: Table, subject: int, hand: list[Card], pack: _Pack
) -> Layout:
    """A layout with `hand` for the subject, and the other cards dealt at random."""
    players, talon = table.ruleset.players, str(table.ruleset.options["undealt"])
    return lay_out(rng, hand, subject, players, pack.size, pack.cards, talon)


def _manners(table: Table) -> tuple[Callable[[int], Taste], ...]:
    """The manners of play that suit a table."""
    options = table.ruleset.options
    manners = list(MANNERS)
    if "none" not in (options["bonus_card"], options["moon"]):
        manners.append(takes_all_but(Card(str(options["bonus_card"]))))
    if (options["undealt"], options["kitty_to"]) == ("kitty", "last_trick"):
        manners.append(takes_all_but_the_last_trick)
    return tuple(manners)


def _wildness(rng: SteadyRandom, table: Table, wanted: bool) -> tuple[float, float]:
    """The chance of a revoke at a play, and that of an act that may follow a revoke.

    Both are 0 if no revoke is wanted, or if the table accepts none.
    """
    if not (wanted and table.ruleset.rules.revokes_penalised):
        return 0.0, 0.0
    return rng.choice(_WILD), rng.choice(_AFTER)


def cycle_length(ruleset: Ruleset) -> int:
    """How many deals the cycle of passes takes (4.1, 4.1a); 1 if the cycle is empty."""
    return max(1, len(cycle_at_table(ruleset.rules)))


def _pack(rng: SteadyRandom, table: Table, first: int, is_match: bool) -> _Pack:
    """A random pack and hand size for a game that begins with deal `first`.

    The pack includes the cards that the table needs. If the table and the ruleset leave
    the size open, the hands are large enough for the pass of a single deal, or for
    every pass of a match. Raises Malformed if no hands can be that large, or if no card
    may be left over and the table needs more cards than the hands hold.
    """
    rules, players = table.ruleset.rules, table.ruleset.players
    if table.whole:
        return _Pack(list(table.whole_pack), table.full_hand)
    most = 52 // players
    cycle = cycle_length(table.ruleset)
    last = first + max(DEALS_OF_MATCH, cycle) if is_match else first
    needed = max(
        int(cards_needed(rules, pass_of_deal(rules, deal)))
        for deal in range(first, last + 1)
    )
    size = table.hand or int(rules.hand_size)
    if not size:
        if needed > most:
            raise Malformed("no such pass", "a pass that hands can make")
        size = rng.randint(max(needed, 2), most)
    number = size * players
    wanted = [card for card in CARDS if card in table.cards]
    if table.ruleset.options["undealt"] != "none":
        beside = 52 - number
        if is_match and not rules.hand_size:
            # Of a pack that a match names, as many cards as possible are dealt (3.10).
            beside = min(beside, players - 1)
        number += rng.randint(0, beside)
    elif number < len(wanted):
        allowed = f"the {len(wanted)} cards that the table needs"
        raise Malformed(f"{number} cards in play", allowed)
    others = [card for card in WHOLE_PACK if card not in table.cards]
    return _Pack(wanted + rng.sample(others, max(0, number - len(wanted))), size)


def _start(
    rng: SteadyRandom,
    table: Table,
    kind: str,
    pack: _Pack,
    deal: int,
    dealt: Dealt,
    plain: bool,
    director: Director,
) -> Start:
    """The beginning of a game of this kind at the table.

    A deal as found is `dealt`, and its number is `deal`; the director plays it on to a
    position. Raises Malformed or Refused if there is no such position, or if the table
    admits no game that begins like this.
    """
    if kind.startswith("match"):
        start: Start = _match(rng, table, kind, pack)
    else:
        start = _setup(rng, deal, dealt, plain)
    if kind == "position":
        start = _position(rng, table, start, director)
    _check_admitted(table, start)
    return start


def _match(rng: SteadyRandom, table: Table, kind: str, pack: _Pack) -> Match:
    """The beginning of a match; only a `match-dealer` names the first dealer."""
    dealer = None
    if kind == "match-dealer":
        dealer = rng.randrange(table.ruleset.players)
    return Match(dealer, CardSet() if table.whole else CardSet(pack.cards))


def _setup(rng: SteadyRandom, deal: int, dealt: Dealt, plain: bool) -> Setup:
    """A deal as found, with this number; if it is `plain`, seat 0 is the dealer."""
    return Setup(
        dealer=0 if plain else rng.randrange(len(dealt.hands)),
        deal=deal,
        hands=dealt.hands,
        stock=dealt.stock,
        kitty=dealt.kitty,
    )


def _position(
    rng: SteadyRandom, table: Table, start: Start, director: Director
) -> Setup:
    """A position some way into the game that begins with `start`.

    Raises Malformed if the game ends too soon, or if the kitty has been taken by then.
    """
    state = State.open(table.ruleset, start)
    still_to_play = rng.randint(1, 3 * table.ruleset.players)
    while still_to_play > 0 or not may_be_found(state):
        if state.phase == "play":
            still_to_play -= 1
        act = director.next_act(rng, state)
        if act is None:
            break
        state = state.apply(act)
    if state.over or state.core.position is None:
        raise Malformed("the end", "a moment in play")
    if state.core.position.talon.kitty_to >= 0:
        raise Malformed("a kitty taken", "a position with its kitty")
    return Setup.of(state)


def _played(
    rng: SteadyRandom,
    trying: SteadyRandom | None,
    start: Start,
    director: Director,
    most: int,
) -> tuple[Script, Moments]:
    """A game and its moments; it ends by itself, after `most` deals or after 400 acts.

    A deal whose end is taken back (7.5) counts once.
    """
    state = State.open(director.ruleset, start)
    first = state.deal
    moves: list[Move] = []
    moments: Moments = {}
    while state.deal - first < most and len(moves) < _MOST_ACTS:
        step = len(moves) + 1
        _note(moments, moments_before(state), step)
        tries = () if trying is None else _tries(trying, state)
        act = director.next_act(rng, state)
        if act is None:
            break
        watcher = rng.randrange(len(state.totals)) if rng.random() < 0.05 else None
        moves.append(Move(act, tries, watcher))
        before, state = state, state.apply(act)
        _note(moments, moments_after(before, state), step)
    return Script(director.ruleset, start, tuple(moves)), moments


def _note(moments: Moments, met: Iterable[str], step: int) -> None:
    """Record the moments that a game reaches at a step."""
    for name in met:
        moments[name] = (*moments.get(name, ()), step)


def _tries(rng: SteadyRandom, state: State) -> tuple[Act, ...]:
    """The acts that are tried in a state, if any.

    Acts of every kind are tried whenever a pass, mix, deal or moon choice is due, and
    occasionally at other times. In a deal with a revoke, `bold_tries` are occasionally
    added.
    """
    found: list[Act] = []
    if state.turn and (
        rng.random() < _TRIES or state.phase in ("pass", "mix", "deal", "moon")
    ):
        found += acts_of_every_kind(rng, state)
    if state.revokes and rng.random() < _BOLD:
        found += bold_tries(rng, state)
    return tuple(found)


def _with_totals(rng: SteadyRandom, table: Table, played: Candidate) -> Candidate:
    """The same deal, with totals before it that make the end of the match depend on it.

    A deal that ends without a score stays as it is.
    """
    script = played.script
    assert isinstance(script.start, Setup)
    score = moments_of(script)[-1].score
    if score is None:
        return played
    totals = _aimed_totals(rng, table, score)
    start = attrs.evolve(script.start, totals=totals)
    return with_moments(played, start)


def usual_limit(table: Table) -> int:
    """The limit of the match, or 60 if it ends after a number of deals."""
    limit = table.ruleset.options["limit"]
    return limit if isinstance(limit, int) else 60


def _aimed_totals(
    rng: SteadyRandom, table: Table, score: tuple[int, ...]
) -> tuple[int, ...]:
    """Random totals before a deal with this score that make the match depend on it.

    After the deal, the highest total is normally at or near the limit, and sometimes
    the lowest total is shared.
    """
    high, most = usual_limit(table), max(score)
    highest = rng.choice([seat for seat, points in enumerate(score) if points == most])
    after = [high // 2 + rng.randrange(1 + high // 3) for _ in score]
    beyond = [one for one in (-1, 0, 1, 0, 9) if one < most]
    after[highest] = high + rng.choice(beyond or [-1])
    if len(score) == 2 and rng.random() < 0.3:
        after[1 - highest] = after[highest]
    elif rng.random() < 0.5:
        others = [seat for seat in range(len(score)) if seat != highest]
        lowest = min(after) - 1
        for seat in rng.sample(others, 2):
            after[seat] = lowest
    # Before the deal no total may be at the limit: the match would be over.
    before = [total - points for total, points in zip(after, score, strict=True)]
    return tuple(min(total, high - 1) for total in before)


def with_moments(played: Candidate, start: Start | None = None) -> Candidate:
    """The same acts with the moments that occur, from another start if one is given.

    Raises Malformed or Refused if the acts are not possible from there.
    """
    start = played.script.start if start is None else start
    state = State.open(played.script.ruleset, start)
    moments: Moments = {}
    for step, move in enumerate(played.script.moves, 1):
        _note(moments, moments_before(state), step)
        before, state = state, state.apply(move.act)
        _note(moments, moments_after(before, state), step)
    script = attrs.evolve(played.script, start=start)
    return attrs.evolve(played, script=script, moments=moments)


# Whole matches


def whole_match(table: Table, seed: int, number: int) -> Candidate | None:
    """The match with this number, played from its first deal to its end.

    Several matches are made at random, and one is chosen: for an odd number one with a
    tie for the lowest total, and for an even number one without, if there is any; among
    equals, the shortest. None if no game at the table begins as a match, or if the
    random choices do not make a match.
    """
    starts = [kind for kind in table.possible_starts if kind.startswith("match")]
    key = canonical([table.fields(), seed, "match", number]).decode()
    rng = SteadyRandom(key)
    made: list[Candidate] = []
    for _ in range(_MATCHES_MADE if starts else 0):
        with suppress(Malformed, Refused):
            made.append(_whole_match(rng, table, rng.choice(starts), number))
    return min(made, key=_drawbacks, default=None)


def _drawbacks(match: Candidate) -> tuple[bool, int]:
    """A sort key: matches that have a tie if and only if one is wanted come first.

    Otherwise, shorter matches come first.
    """
    as_wanted = (TIED in match.moments) == _wants_tie(match.number)
    return not as_wanted, len(match.script.moves)


def _wants_tie(number: int) -> bool:
    """Whether the match with this number should have a tie for the lowest total."""
    return number % 2 == 1


def _whole_match(rng: SteadyRandom, table: Table, kind: str, number: int) -> Candidate:
    """A random match; one seat may be dealt many high cards in its first ten deals.

    Raises Malformed or Refused if the random choices make no match.
    """
    pack = _pack(rng, table, 1, is_match=True)
    start = _match(rng, table, kind, pack)
    _check_admitted(table, start)
    subject, share = rng.randrange(table.ruleset.players), rng.choice(_SHARES)
    highest = sorted(pack.cards, key=rank_of)[-pack.size :]
    loaded = int(share * pack.size)
    deals: dict[int, Dealt] = {}
    for deal in _LOADED_DEALS:
        hand = rng.sample(highest, loaded)
        deals[deal] = _dealt_around(rng, table, deal, subject, hand, pack)
    director = Director(table.ruleset, deals, loaded_on(subject))
    acts = _to_the_end(rng, director, start, tied=_wants_tie(number))
    script = Script(table.ruleset, start, tuple(map(Move, acts)))
    heard = with_moments(Candidate(number, False, script, {}))
    name = WHOLE_TIED if TIED in heard.moments else WHOLE
    totals = {one: at for one, at in heard.moments.items() if one.startswith(TOTALS)}
    return attrs.evolve(heard, moments={name: (len(acts),), **totals})


def _to_the_end(
    rng: SteadyRandom, director: Director, start: Start, tied: bool
) -> list[Act]:
    """The acts of a whole match that begins like this.

    If the match is to be `tied`, its last deal is dealt again until there is a tie for
    the lowest total, or until all tries are used up. Raises Malformed if the match goes
    on too long.
    """
    state = State.open(director.ruleset, start)
    acts: list[Act] = []
    before_deal, acts_before_deal = state, 0
    tries = _LAST_DEALS if tied else 0
    while not state.over:
        if len(acts) == _MOST_OF_A_MATCH:
            raise Malformed("a match without an end", "a match that ends", "the table")
        if state.phase == "deal":
            before_deal, acts_before_deal = state, len(acts)
        act = director.next_act(rng, state)
        assert act is not None
        acts.append(act)
        before, state = state, state.apply(act)
        if TIED in moments_after(before, state):
            tries = 0
        if state.over and tries:
            tries -= 1
            state = before_deal
            director = attrs.evolve(director, deals={})
            del acts[acts_before_deal:]
    return acts


# Random games


def random_game(table: Table, seed: int, number: int) -> Script:
    """The random game with this number for the table, in which no other acts are tried.

    Raises Malformed if the random choices do not make a game for the table.
    """
    rng = SteadyRandom(canonical([table.fields(), seed, "random", number]).decode())
    plain = "deal" in table.starts and number % 2 == 0
    for _ in range(_ATTEMPTS):
        try:
            return _random_script(rng, table, plain)
        except (Malformed, Refused):
            continue
    raise Malformed(str(table), "a table at which a game can be dealt", "the table")


def _random_script(rng: SteadyRandom, table: Table, plain: bool) -> Script:
    """A game in which the cards and every act are random.

    Raises Malformed or Refused if the random choices make no game.
    """
    kind = "deal" if plain else _some_kind(rng, table)
    is_match = kind.startswith("match")
    deal = 1 if plain or is_match else rng.randint(1, cycle_length(table.ruleset))
    pack = _pack(rng, table, deal, is_match)
    layout = _layout(rng, table, 0, [], pack)
    dealt = Dealt(layout.hands, layout.stock, layout.kitty, {})
    wild, after = _wildness(rng, table, rng.random() < 0.5)
    director = Director(table.ruleset, {}, MANNERS[0](0), wild, after)
    start = _start(rng, table, kind, pack, deal, dealt, plain, director)
    state, moves = State.open(table.ruleset, start), list[Move]()
    first = state.deal
    while state.deal - first < DEALS_OF_MATCH and len(moves) < _MOST_ACTS:
        act = director.next_act(rng, state)
        if act is None:
            break
        moves.append(Move(act))
        state = state.apply(act)
    return Script(table.ruleset, start, tuple(moves))
