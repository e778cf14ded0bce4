"""The deals of one match, each judged, and held against those before it.

`judge_record(games)` goes through all of them, whatever is wrong in one: who deals, the
number of the deal and so its pass, the totals carried on, and the end of the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from refengine.chapters.deal import next_dealer
from refengine.chapters.match import (
    limit_is_reached,
    lowest_totals,
    match_is_over,
    new_totals,
)
from refengine.errors import Malformed
from refengine.formats.logs import Log
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.machine.due import seats_of
from refengine.rulings.judge import Judgement, judge_game
from refengine.rulings.match_end import past_the_end
from refengine.rulings.sentences import Said
from refengine.rulings.standing import stood
from refengine.rulings.submitted_game import Game, end_of_game
from refengine.rulings.words import seat_words

Numbers = tuple[int, ...]


@attrs.frozen(kw_only=True)
class JudgedDeal:
    """A deal of a match: how it begins, and what is wrong in it.

    `game` is the deal as it was judged: with the dealer, the number and the totals that
    it states, or else those that follow from the deals before. `begins` is what is
    wrong with them. `score` is what the deal really scores, and `totals` are the right
    totals after it, whatever the record says; both are None if its play does not come
    to an end.
    """

    game: Game
    judgement: Judgement
    begins: tuple[Said, ...] = ()
    score: Numbers | None = None
    totals: Numbers | None = None

    @property
    def fits(self) -> bool:
        """Whether nothing in the deal contradicts the rules or the deals before it."""
        return self.judgement.fits and not self.begins


@attrs.frozen(kw_only=True)
class JudgedRecord:
    """A record of a match, deal by deal.

    `totals` are the right totals after the last deal, None if they cannot be known.
    `over` is whether the match has ended by the rules, and `winners` are the seats that
    have won it then.
    """

    ruleset: Ruleset
    deals: tuple[JudgedDeal, ...]
    totals: Numbers | None
    over: bool
    winners: Numbers

    @property
    def fits(self) -> bool:
        """Whether nothing in the whole record contradicts the rules."""
        return all(one.fits for one in self.deals)


@attrs.define
class _Match:
    """A match on its way: what the next deal begins with by the rules.

    `totals` are the right ones, None after a deal that does not come to an end. `off`
    is by how much the record has differed from them so far, which was told.
    """

    ruleset: Ruleset
    dealer: int
    number: int
    totals: Numbers | None
    off: Numbers
    reached: bool = False
    over: bool = False
    told_over: bool = False


def judge_record(games: Iterable[Game], ruleset: Ruleset | None = None) -> JudgedRecord:
    """The deals of a match in order under one ruleset, by default that of the first.

    The first deal may begin anywhere in a match. After it a deal need not state its
    number or its totals. Raises Malformed if there is no deal, if one is a match of
    its own, or names other rules than the first.
    """
    match: _Match | None = None
    deals: list[JudgedDeal] = []
    for place, game in enumerate(games, 1):
        setup = game.setup if isinstance(game, Log) else game.start
        where = f"deal {place}"
        if not isinstance(setup, Setup) or setup.leader is not None:
            raise Malformed("no whole deal", "a deal with a setup", where)
        if match is None:
            match = _begun(ruleset or game.ruleset, setup)
        elif ruleset is None and game.ruleset != match.ruleset:
            raise Malformed("other rules", "those of the first deal", where)
        deals.append(_judged(match, game, setup, first=place == 1))
    if match is None:
        raise Malformed("no deal", "the deals of a match")
    over, totals = match.over, match.totals
    winners = seats_of(lowest_totals(totals)) if over and totals is not None else ()
    return JudgedRecord(
        ruleset=match.ruleset,
        deals=tuple(deals),
        totals=totals,
        over=over,
        winners=tuple(int(seat) for seat in winners),
    )


def _begun(ruleset: Ruleset, setup: Setup) -> _Match:
    nothing = (0,) * ruleset.players
    return _Match(
        ruleset=ruleset,
        dealer=setup.dealer,
        number=setup.deal,
        totals=setup.totals or nothing,
        off=nothing,
        reached=setup.limit_reached,
    )


def _judged(match: _Match, game: Game, setup: Setup, first: bool) -> JudgedDeal:
    """A deal as the match has come to it; the match goes on behind it."""
    begins = () if first else tuple(_begins(match, setup))
    if not first:
        setup = _as_due(match, setup)
    game = _with_setup(game, setup)
    judgement = judge_game(game, match.ruleset)
    score = _score(match, game, setup)
    _carry_on(match, game, setup, score)
    return JudgedDeal(
        game=game,
        judgement=judgement,
        begins=begins,
        score=score,
        totals=match.totals,
    )


def _begins(match: _Match, setup: Setup) -> Iterator[Said]:
    """What is wrong in how a deal begins after those before it."""
    if match.over and not match.told_over and match.totals is not None:
        match.told_over = True
        names = [seat_words(seat) for seat in range(match.ruleset.players)]
        yield past_the_end(match.ruleset, match.totals, names, "deal")
    if setup.dealer != match.dealer:
        due, found = seat_words(match.dealer), seat_words(setup.dealer)
        yield Said(f"{found} deals, where the deal passes to {due}", ("3.2",))
    if setup.deal not in (1, match.number):
        text = f"it is called deal {setup.deal}, and is deal {match.number}"
        yield Said(text, ("4.1",))
    if setup.totals is None or match.totals is None:
        return
    for seat, right in enumerate(match.totals):
        carried = right + match.off[seat]
        if setup.totals[seat] != carried:
            text = f"{seat_words(seat)} begins with {setup.totals[seat]}"
            yield Said(f"{text}, where {carried} is carried on", ("9.1",))


def _as_due(match: _Match, setup: Setup) -> Setup:
    """The beginning with what it does not state, and with the number that is right."""
    totals = setup.totals
    if totals is None and match.totals is not None:
        totals = _sum(match.totals, match.off)
    reached = match.reached and bool(match.ruleset.rules.ties_played_on)
    return attrs.evolve(setup, deal=match.number, totals=totals, limit_reached=reached)


def _score(match: _Match, game: Game, setup: Setup) -> Numbers | None:
    """What the deal scores at the right totals; None if it does not come to an end."""
    if match.totals is not None:
        game = _with_setup(game, attrs.evolve(setup, totals=match.totals))
    try:
        end = end_of_game(game, match.ruleset, stood)
    except Malformed:  # it cannot begin
        return None
    return None if end is None else end.score


def _carry_on(match: _Match, game: Game, setup: Setup, score: Numbers | None) -> None:
    """Take the match behind a deal."""
    rules = match.ruleset.rules
    begun = setup.totals or (0,) * match.ruleset.players
    right = begun if match.totals is None else match.totals
    stated = game.end.get("totals")
    if score is None:
        match.totals = None
    else:
        match.totals = new_totals(rules, right, score)
        if stated is None:
            won = game.end.get("score", score)
            stated = new_totals(rules, begun, tuple(won))
        match.off = _sum(tuple(stated), match.totals, -1)
        match.reached = limit_is_reached(rules, match.totals, match.reached)
        over = match_is_over(rules, match.totals, match.reached, match.number)
        match.over = match.over or over
    match.dealer = int(next_dealer(setup.dealer, rules.players))
    match.number += 1


def _sum(one: Numbers, other: Numbers, sign: int = 1) -> Numbers:
    return tuple([a + sign * b for a, b in zip(one, other, strict=True)])


def _with_setup(game: Game, setup: Setup) -> Game:
    if isinstance(game, Log):
        return attrs.evolve(game, setup=setup)
    return attrs.evolve(game, start=setup)
