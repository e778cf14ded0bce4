"""Candidates: the games among which those worth asking are found, by number.

A candidate depends on the table, the seed and its number alone, so that any process can
make it anew. Two of three are as plain as a game can be: a deal as found, with dealer
0, deal 1 and no totals, since many engines can begin in no other way.
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

DEALS_OF_MATCH: Final = 2  # one of three matches goes on through the cycle of passes
_TRIES: Final = 0.12  # the chance, at each act, that acts of every kind are tried
_ATTEMPTS: Final = 6
_MOST_ACTS: Final = 400
WHOLE_MATCHES: Final = 4
_MATCHES_MADE: Final = 9  # the shortest of which is taken
_MOST_OF_A_MATCH: Final = 1000  # acts: a match that goes on for longer is no candidate
_LOADED_DEALS: Final = range(1, 11)  # that bring a match to its end sooner
_SHARES: Final = (0.0, 0.4, 0.5, 0.67)  # of high cards: a moon may take points off
_LAST_DEALS: Final = 30  # that are tried for one in which the lowest total is shared
_BOLD: Final = 0.3  # the chance that what only a hole lets through is tried
_WILD: Final = (0.05, 0.3)
_AFTER: Final = (0.02, 0.1, 0.4)


@attrs.frozen
class Candidate:
    """A game, and the moments it comes to, each with the steps at which it does.

    The steps count from 1; a moment at the end of a deal has the step that ended it.
    """

    number: int
    plain: bool
    script: Script
    moments: dict[str, tuple[int, ...]]


def candidate(
    table: Table, seed: int, number: int, tried: bool = True
) -> Candidate | None:
    """The candidate with this number; None if no game came of it by chance.

    Whether other acts are `tried` on the way does not change the game.
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
    kind = "deal" if plain else rng.choice(table.starts)
    deal = 1 if plain or kind.startswith("match") else rng.randint(1, _cycle(table))
    size, pack = _pack(rng, table, deal)
    pattern = PATTERNS[number // 3 % len(PATTERNS)]
    subject = rng.randrange(table.ruleset.players)
    manner = rng.choice(_manners(table))
    taste = manner(subject)
    if manner is takes_all_but_the_last_trick:
        pattern = highest_and_a_low_one
    most = DEALS_OF_MATCH
    if rng.random() < 1 / 3:
        most = max(most, _cycle(table))
    last = most if kind.startswith("match") else deal
    deals: dict[int, Dealt] = {}
    for one in range(deal, last + 1):
        hand = pattern(rng, size, pack)
        talon = str(table.ruleset.options["undealt"])
        layout = lay_out(rng, hand, subject, table.ruleset.players, size, pack, talon)
        deals[one] = deal_leading_to(rng, table.ruleset.rules, one, layout)
    wild, after = _wildness(rng, table, number % 4 == 3)
    director = Director(table.ruleset, deals, taste, wild, after)
    start = _start(rng, table, kind, deals, deal, plain, pack)
    if kind == "position":
        start = _position(rng, table, start, director)
    played = _played(rng, trying, number, plain, start, director, most)
    if kind == "deal" and not plain and rng.random() < 0.7:
        return _with_totals(rng, table, played)
    return played


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
    """The chances of a revoke and of what follows it, where revokes are accepted."""
    if not (wanted and table.ruleset.rules.revokes_penalised):
        return 0.0, 0.0
    return rng.choice(_WILD), rng.choice(_AFTER)


def _cycle(table: Table) -> int:
    """How many deals go once through the cycle of passes."""
    return max(1, len(cycle_at_table(table.ruleset.rules)))


def _pack(rng: SteadyRandom, table: Table, deal: int) -> tuple[int, list[Card]]:
    """How many cards a seat is dealt, and which cards are in play."""
    rules, players = table.ruleset.rules, table.ruleset.players
    if table.whole:
        return table.full_hand, list(table.whole_pack)
    most = 52 // players
    needed = max(
        int(cards_needed(rules, pass_of_deal(rules, one)))
        for one in range(deal, deal + max(DEALS_OF_MATCH, _cycle(table)) + 1)
    )
    size = table.hand or int(rules.hand_size)
    if not size:
        if needed > most:
            raise Malformed("no such pass", "a pass that hands can make")
        size = rng.randint(max(needed, 2), most)
    number = size * players
    if table.ruleset.options["undealt"] != "none":
        number += rng.randint(0, 52 - number)
    wanted = [card for card in CARDS if card in table.cards]
    others = [card for card in WHOLE_PACK if card not in table.cards]
    return size, wanted + rng.sample(others, max(0, number - len(wanted)))


def _start(
    rng: SteadyRandom,
    table: Table,
    kind: str,
    deals: dict[int, Dealt],
    deal: int,
    plain: bool,
    pack: list[Card],
) -> Start:
    players = table.ruleset.players
    if kind.startswith("match"):
        dealer = rng.randrange(players) if kind == "match-dealer" else None
        named = CardSet() if table.whole else CardSet(pack)
        return Match(dealer, named)
    dealt = deals[deal]
    return Setup(
        dealer=0 if plain else rng.randrange(players),
        deal=deal,
        hands=dealt.hands,
        stock=dealt.stock,
        kitty=dealt.kitty,
    )


def _position(
    rng: SteadyRandom, table: Table, start: Start, director: Director
) -> Setup:
    """A position some cards into the game that begins like this."""
    state = State.open(table.ruleset, start)
    wanted = rng.randint(1, 3 * table.ruleset.players)
    while wanted > 0 or not may_be_found(state):
        wanted -= state.phase == "play"
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
    number: int,
    plain: bool,
    start: Start,
    director: Director,
    most: int,
) -> Candidate:
    """The game played to its end, or to the end of this many deals of a match."""
    state = State.open(director.ruleset, start)
    moves: list[Move] = []
    moments: dict[str, tuple[int, ...]] = {}
    ended = 0
    while ended < most and len(moves) < _MOST_ACTS:
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
        ended += state.phase == "deal" and before.phase != "cut"
    script = Script(director.ruleset, start, tuple(moves))
    return Candidate(number, plain, script, moments)


def _note(moments: dict[str, tuple[int, ...]], met: Iterable[str], step: int) -> None:
    for name in met:
        moments[name] = (*moments.get(name, ()), step)


def _tries(rng: SteadyRandom, state: State) -> tuple[Act, ...]:
    """Acts of every kind, now and then, and always where no card is played.

    After a revoke, also what only an engine with a hole would accept.
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
    """The same deal, with totals before it that bring about something at its end.

    The highest total comes to lie at the limit or beside it; at times the lowest is
    shared.
    """
    script = played.script
    assert isinstance(script.start, Setup)
    score = moments_of(script)[-1].score
    if score is None:
        return played
    totals = _aimed_totals(rng, table, score)
    start = attrs.evolve(script.start, totals=totals)
    return played_again(table, played, start)


def usual_limit(table: Table) -> int:
    """The limit of the match; 60 where it ends after a number of deals."""
    limit = table.ruleset.options["limit"]
    return limit if isinstance(limit, int) else 60


def _aimed_totals(
    rng: SteadyRandom, table: Table, score: tuple[int, ...]
) -> tuple[int, ...]:
    high = usual_limit(table)
    highest = rng.choice([s for s, points in enumerate(score) if points == max(score)])
    after = [high // 2 + rng.randrange(1 + high // 3) for _ in score]
    # it must not have been there before the deal: the match would have been over
    beyond = [one for one in (-1, 0, 1, 0, 9) if one < max(score)]
    after[highest] = high + rng.choice(beyond or [-1])
    if len(score) == 2 and rng.random() < 0.3:
        after[1 - highest] = after[highest]
    elif rng.random() < 0.5:
        others = [seat for seat in range(len(score)) if seat != highest]
        tied = rng.sample(others, 2) if len(others) > 1 else others
        for seat in tied:
            after[seat] = min(after) - 1 if seat == tied[0] else after[tied[0]]
    return tuple(now - points for now, points in zip(after, score, strict=True))


def played_again(table: Table, played: Candidate, start: Start) -> Candidate:
    """The same acts from another beginning, and the moments they now come to."""
    state = State.open(table.ruleset, start)
    moments: dict[str, tuple[int, ...]] = {}
    for step, move in enumerate(played.script.moves, 1):
        _note(moments, moments_before(state), step)
        before, state = state, state.apply(move.act)
        _note(moments, moments_after(before, state), step)
    script = attrs.evolve(played.script, start=start)
    return attrs.evolve(played, script=script, moments=moments)


# Whole matches


def whole_match(table: Table, seed: int, number: int) -> Candidate | None:
    """A match from its first deal to its end, by its number; None if none came about.

    It is the shortest of a few. With an odd number it comes to a lowest total that is
    shared, if chance gives one. Where a table begins no match there is none.
    """
    starts = [kind for kind in table.starts if kind.startswith("match")]
    key = canonical([table.fields(), seed, "match", number]).decode()
    rng = SteadyRandom(key)
    made: list[Candidate] = []
    for _ in range(_MATCHES_MADE if starts else 0):
        with suppress(Malformed, Refused):
            made.append(_whole_match(rng, table, rng.choice(starts), number))
    return min(made, key=_worth, default=None)


def _worth(match: Candidate) -> tuple[bool, int]:
    """What is better comes first: a tie or none, as is wanted; then fewer acts."""
    wanted = match.number % 2 == 1
    return (TIED in match.moments) != wanted, len(match.script.moves)


def _whole_match(rng: SteadyRandom, table: Table, kind: str, number: int) -> Candidate:
    size, pack = _pack(rng, table, 1)
    start = _start(rng, table, kind, {}, 1, False, pack)
    subject, share = rng.randrange(table.ruleset.players), rng.choice(_SHARES)
    highest = sorted(pack, key=rank_of)[-size:]
    deals = {
        one: _loaded(rng, table, one, subject, highest, int(share * size), pack)
        for one in _LOADED_DEALS
    }
    director = Director(table.ruleset, deals, loaded_on(subject))
    acts = _to_the_end(rng, director, start, tied=number % 2 == 1)
    script = Script(table.ruleset, start, tuple(map(Move, acts)))
    heard = played_again(table, Candidate(number, False, script, {}), start)
    name = WHOLE_TIED if TIED in heard.moments else WHOLE
    totals = {one: at for one, at in heard.moments.items() if one.startswith(TOTALS)}
    return attrs.evolve(heard, moments={name: (len(acts),), **totals})


def _loaded(
    rng: SteadyRandom,
    table: Table,
    deal: int,
    subject: int,
    highest: list[Card],
    number: int,
    pack: list[Card],
) -> Dealt:
    """A deal in which this many of the cards of a seat are among the highest."""
    size, talon = len(highest), str(table.ruleset.options["undealt"])
    hand = rng.sample(highest, number)
    layout = lay_out(rng, hand, subject, table.ruleset.players, size, pack, talon)
    return deal_leading_to(rng, table.ruleset.rules, deal, layout)


def _to_the_end(
    rng: SteadyRandom, director: Director, start: Start, tied: bool
) -> list[Act]:
    """The acts of a match; the last deal is dealt again where a tie is wanted.

    Raises Malformed if it goes on for too long.
    """
    state = State.open(director.ruleset, start)
    acts: list[Act] = []
    last, kept, left = state, 0, _LAST_DEALS if tied else 0
    while not state.over:
        if len(acts) == _MOST_OF_A_MATCH:
            raise Malformed("a match without an end", "a match that ends", "the table")
        if state.phase == "deal":
            last, kept = state, len(acts)
        act = director.next_act(rng, state)
        assert act is not None
        acts.append(act)
        before, state = state, state.apply(act)
        if TIED in moments_after(before, state):
            left = 0
        if state.over and left:
            left -= 1
            state = last
            director = attrs.evolve(director, deals={})
            del acts[kept:]
    return acts


# Random games


def random_game(table: Table, seed: int, number: int) -> Script:
    """A random game for the table, nothing tried in it, by its number.

    Raises Malformed if chance makes no game for the table.
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
    players = table.ruleset.players
    kind = "deal" if plain else rng.choice(table.starts)
    deal = 1 if plain or kind.startswith("match") else rng.randint(1, _cycle(table))
    size, pack = _pack(rng, table, deal)
    talon = str(table.ruleset.options["undealt"])
    layout = lay_out(rng, [], 0, players, size, pack, talon)
    dealt = Dealt(layout.hands, layout.stock, layout.kitty, {})
    wild, after = _wildness(rng, table, rng.random() < 0.5)
    director = Director(table.ruleset, {}, MANNERS[0](0), wild, after)
    start = _start(rng, table, kind, {deal: dealt}, deal, plain, pack)
    if kind == "position":
        start = _position(rng, table, start, director)
    state, moves, ended = State.open(table.ruleset, start), list[Move](), 0
    while ended < DEALS_OF_MATCH and len(moves) < _MOST_ACTS:
        act = director.next_act(rng, state)
        if act is None:
            break
        moves.append(Move(act))
        before, state = state, state.apply(act)
        ended += state.phase == "deal" and before.phase != "cut"
    return Script(table.ruleset, start, tuple(moves))
