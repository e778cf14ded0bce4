"""Judging the deals of one match, each by itself and as a sequel to those before it.

`judge_record(deals)` goes through all the deals, even after one in which something is
wrong, and judges who deals, the number and the pass of each deal, the totals carried
forward, and the end of the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from refengine.chapters.match import match_is_over, new_totals
from refengine.errors import Malformed
from refengine.formats.logs import Log
from refengine.formats.written.completing_written import PartKnown
from refengine.formats.written.written_match import (
    WrittenDeal,
    WrittenMatch,
    WrittenTrick,
)
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup
from refengine.rulings.first_dealer import dealer_after, dealer_of, other_dealer
from refengine.rulings.judge import Judgement, judge_game, judge_part_known
from refengine.rulings.match_end import MatchStands, past_the_end
from refengine.rulings.partly_known import JudgedPart
from refengine.rulings.pass_direction import other_pass, pass_of_no_deal
from refengine.rulings.seat_numbers import minus, plus
from refengine.rulings.sentences import Said
from refengine.rulings.standing import stood
from refengine.rulings.submitted_game import Game, end_of_game, start_of_game
from refengine.rulings.tricks_on_record import other_tricks
from refengine.rulings.words import seat_words

Numbers = tuple[int, ...]


@attrs.frozen(kw_only=True)
class DealOnRecord:
    """A deal as somebody recorded it: the play, and the statements about it.

    `before` holds the totals before the deal, `direction` is the word for its pass, and
    `tricks` holds its tricks as they were written down, perhaps with points beside
    them. `begun` is the match that begins with this deal, with the cut for it. What the
    record does not state is None or empty.
    """

    game: Game | PartKnown
    begun: WrittenMatch | None = None
    dealer: int | None = None
    number: int | None = None
    before: Numbers | None = None
    direction: str = ""
    tricks: tuple[WrittenTrick, ...] = ()
    score: Numbers | None = None
    totals: Numbers | None = None

    @classmethod
    def of_game(cls, game: Game) -> DealOnRecord:
        """The deal in a trace or a log.

        A deal numbered 1 counts as one whose number is not stated. Raises Malformed if
        the game is not a whole deal.
        """
        setup = start_of_game(game)
        if not isinstance(setup, Setup) or setup.leader is not None:
            raise Malformed("no whole deal", "a deal with a setup")
        score, totals = game.end.get("score"), game.end.get("totals")
        return cls(
            game=game,
            dealer=setup.dealer,
            number=None if setup.deal == 1 else setup.deal,
            before=setup.totals,
            score=None if score is None else tuple(score),
            totals=None if totals is None else tuple(totals),
        )

    @classmethod
    def of_written(
        cls,
        game: Game | PartKnown,
        deal: WrittenDeal,
        begun: WrittenMatch | None = None,
    ) -> DealOnRecord:
        """A deal as it was played, and as somebody wrote it down.

        `begun` is the match that begins with it, if one does. Raises Malformed if
        `game` is a match.
        """
        start = None if isinstance(game, PartKnown) else start_of_game(game)
        if isinstance(start, Match):
            raise Malformed("a match", "a deal")
        return cls(
            game=game,
            begun=begun,
            dealer=deal.dealer,
            number=deal.number,
            before=deal.before or None,
            direction=deal.direction,
            tricks=deal.tricks,
            score=deal.score or None,
            totals=deal.totals or None,
        )

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that the deal names, or the one assumed for it."""
        if isinstance(self.game, PartKnown):
            assert self.game.match.ruleset is not None
            return self.game.match.ruleset
        return self.game.ruleset


@attrs.frozen(kw_only=True)
class JudgedDeal:
    """A deal of a match, and everything that is wrong in it or with how it begins.

    `game` is the deal as it was judged, with the totals that it states or, if it states
    none, those that follow from the deals before it. `begins` says what is wrong with
    the dealer, number, totals or pass of the deal, or that the match was already over;
    `beside` says what is wrong with the points beside its tricks or with the order of
    their cards. `judgement` is a JudgedPart if not every card is known. `score` is what
    the deal really scores, and `totals` holds the right totals after it, whatever the
    record says; either is None if it cannot be known or if the deal does not end. But
    where the cards do not tell the score, the totals rest on the stated score or, if
    there is none, are those that are stated.
    """

    game: Game | PartKnown
    judgement: Judgement | JudgedPart
    begins: tuple[Said, ...] = ()
    beside: tuple[Said, ...] = ()
    score: Numbers | None = None
    totals: Numbers | None = None

    @property
    def fits(self) -> bool:
        """Whether nothing in the deal contradicts the rules or the deals before it."""
        return self.judgement.fits and not (self.begins or self.beside)


@attrs.frozen(kw_only=True)
class JudgedRecord:
    """A match with every deal of its record judged.

    `totals` holds the right totals after the last deal, or None if they cannot be
    known. `over` says whether the match has ended by the rules; if it has, `winners`
    holds the seats that won it, whatever was played afterwards. `names` holds the names
    of the seats: `seat 0` and so on if no others were given. `reached` says whether the
    match goes on past the limit because two or more seats are tied (9.6).
    """

    ruleset: Ruleset
    deals: tuple[JudgedDeal, ...]
    totals: Numbers | None
    over: bool
    winners: Numbers
    names: tuple[str, ...]
    reached: bool = False

    @property
    def fits(self) -> bool:
        """Whether nothing in the whole record contradicts the rules."""
        return all(one.fits for one in self.deals)


@attrs.define
class _Match:
    """The state of a match between two deals of its record.

    `dealer`, `number` and `totals` are those with which the next deal should begin;
    `totals` and `dealer` are None if they are unknown. `final` holds the totals with
    which the match ended, and `winners` the seats that won it. `off` holds the amounts
    by which the totals in the record differ from the right ones so far, all of which
    have been reported. `dealer_if_noticed` is the dealer due if it was noticed that a
    wrong player had dealt (10.7), or None if none had. `played_on` says whether a tie
    was played off before the end (9.6), and `told_over` whether it has been reported
    that the match was over.
    """

    ruleset: Ruleset
    names: tuple[str, ...]
    dealer: int | None
    number: int
    totals: Numbers | None
    off: Numbers
    dealer_if_noticed: int | None = None
    reached: bool = False
    played_on: bool = False
    final: Numbers | None = None
    winners: Numbers = ()
    told_over: bool = False


def judge_record(
    games: Iterable[Game | DealOnRecord],
    ruleset: Ruleset | None = None,
    names: Sequence[str] = (),
) -> JudgedRecord:
    """The deals of a match, judged in order under one ruleset.

    The default is the ruleset of the first deal, which may come from anywhere in a
    match. After it, a deal need not state its number or its totals, and deals may be
    missing before one that states its number. `names` holds the names of the seats.
    Raises Malformed as `judge_game` and `judge_part` do, and also if there is no deal,
    if one is a match or a position, if one has a different number of players from the
    ruleset, or if no ruleset is given and one names other rules than the first.
    """
    match: _Match | None = None
    deals: list[JudgedDeal] = []
    for place, game in enumerate(games, 1):
        where = f"deal {place}"
        deal = _on_record(game, where)
        rules = deal.ruleset
        under = ruleset or (rules if match is None else match.ruleset)
        if ruleset is None and rules != under:
            raise Malformed("other rules", "those of the first deal", where)
        if rules.players != under.players:
            allowed = f"{under.players}, as in the rules"
            raise Malformed(f"{rules.players} players", allowed, where)
        if match is None:
            match = _begun(under, deal, tuple(names))
        deals.append(_judged(match, deal, first=place == 1))
    if match is None:
        raise Malformed("no deal", "the deals of a match")
    return JudgedRecord(
        ruleset=match.ruleset,
        deals=tuple(deals),
        totals=match.totals,
        over=match.final is not None,
        winners=match.winners,
        names=match.names,
        reached=match.reached and match.final is None,
    )


def _on_record(game: Game | DealOnRecord, where: str) -> DealOnRecord:
    """The deal, as it was recorded.

    Raises Malformed, naming the place, if a game is not a whole deal.
    """
    if isinstance(game, DealOnRecord):
        return game
    try:
        return DealOnRecord.of_game(game)
    except Malformed as error:
        raise error.within(where) from None


def _setup(game: Game) -> Setup:
    start = start_of_game(game)
    assert isinstance(start, Setup)  # a DealOnRecord is never made of a match
    return start


def _begun(ruleset: Ruleset, deal: DealOnRecord, names: tuple[str, ...]) -> _Match:
    """The match before the first deal on record, which need not be its first deal."""
    nothing = (0,) * ruleset.players
    totals: Numbers | None
    if isinstance(deal.game, PartKnown):
        [written] = deal.game.match.deals
        number, reached = deal.number or written.number or 1, written.reached
        totals = deal.before or written.before or (nothing if number == 1 else None)
    else:
        setup = _setup(deal.game)
        number, reached = deal.number or setup.deal, setup.limit_reached
        totals = deal.before or setup.totals or nothing
    return _Match(
        ruleset=ruleset,
        names=names or tuple(map(seat_words, range(ruleset.players))),
        dealer=dealer_of(ruleset, deal.begun, number),
        number=number,
        totals=totals,
        off=nothing,
        reached=reached and bool(ruleset.rules.ties_played_on),
    )


def _judged(match: _Match, deal: DealOnRecord, first: bool) -> JudgedDeal:
    """Judge a deal at this point in the match, and bring the match up to date."""
    _pass_over(match, _missing(match, deal))
    passed = other_pass(match.ruleset, match.number, deal.direction)
    begins = (*(_first(match, deal) if first else _begins(match, deal)), *passed)
    game = deal.game if first else _as_due(match, deal)
    ruleset = match.ruleset
    judgement: Judgement | JudgedPart
    if isinstance(game, PartKnown):
        judgement = judge_part_known(game, ruleset)
        score = judgement.score
        counts = deal.score if score is None else score  # as stated, for want of cards
    else:
        judgement = judge_game(game, ruleset)
        if match.number > 1 and _before(game) is None:
            judgement = _without_end(judgement)
        counts = score = _score(match, game)
    _carry_on(match, deal, game, counts)
    return JudgedDeal(
        game=game,
        judgement=judgement,
        begins=begins,
        beside=tuple(other_tricks(ruleset, deal.tricks)),
        score=score,
        totals=match.totals,
    )


def _without_end(judgement: Judgement) -> Judgement:
    """The judgement without what it says of the end, for want of the totals before."""
    wrong = [one for one in judgement.wrong if one.what.rpartition(".")[2] != "match"]
    return attrs.evolve(judgement, wrong=tuple(wrong))


def _missing(match: _Match, deal: DealOnRecord) -> int:
    """The number of deals that are missing before this one, inferred from its number.

    The result is 0 if this deal's dealer is the one due now, and not the one due after
    the missing deals: then only the number is wrong.
    """
    more = 0 if deal.number is None else deal.number - match.number
    if more <= 0:
        return 0
    later = dealer_after(match.dealer, more, match.ruleset.players)
    return 0 if deal.dealer == match.dealer != later else more


def _pass_the_deal(match: _Match, deals: int) -> None:
    """Update the dealers of `match` to those due after `deals` more deals."""
    players, other = match.ruleset.players, match.dealer_if_noticed
    match.dealer = dealer_after(match.dealer, deals, players)
    match.dealer_if_noticed = dealer_after(other, deals, players)


def _pass_over(match: _Match, deals: int) -> None:
    """Update `match` to the moment after `deals` deals of which nothing is known.

    If the match was over before them, it stays over.
    """
    if deals:
        _pass_the_deal(match, deals)
        match.number += deals
        match.totals = None


def _first(match: _Match, deal: DealOnRecord) -> Iterator[Said]:
    """What is wrong with the cut before the first deal on record, and its dealer."""
    if deal.begun is not None:
        whole = not isinstance(deal.game, PartKnown) or bool(deal.game.line)
        number, dealer = match.number, deal.dealer
        yield from other_dealer(match.ruleset, deal.begun, number, dealer, whole)


def _begins(match: _Match, deal: DealOnRecord) -> Iterator[Said]:
    """What is wrong with how a deal begins, given the deals before it."""
    # Without a limit the number alone decides, even if deals are missing (9.4)
    past = match_is_over(match.ruleset.rules, (), False, match.number - 1)
    if (past or match.final is not None) and not match.told_over:
        match.told_over = True
        at, names = match.final or (), match.names
        yield past_the_end(match.ruleset, at, names, "deal", match.played_on)
    if deal.begun is not None and deal.begun.cuts:
        yield Said("there is a second cut in the match", ("3.1d",))
    if match.dealer is not None and _is_wrong_dealer(match, deal):
        assert deal.dealer is not None
        due, found = match.names[match.dealer], match.names[deal.dealer]
        yield Said(f"{found} deals, but the deal passes to {due}", ("3.2",))
    if deal.number not in (None, match.number):
        text = f"it is called deal {deal.number} but is deal {match.number}"
        yield Said(text, ("4.1",))
    if deal.before is None or match.totals is None:
        return
    for seat, right in enumerate(match.totals):
        carried = right + match.off[seat]
        if deal.before[seat] != carried:
            text = f"{match.names[seat]} begins with {deal.before[seat]}"
            yield Said(f"{text}, but {carried} is carried over", ("9.1",))


def _is_wrong_dealer(match: _Match, deal: DealOnRecord) -> bool:
    """Whether a deal is recorded as dealt by a player who was not to deal.

    After a deal by the wrong player, the deal passes to the left of that player (3.2)
    or, if the error was noticed, of the player whose turn it was (10.7).
    """
    if match.dealer is None:
        return False
    return deal.dealer not in (None, match.dealer, match.dealer_if_noticed)


@attrs.frozen
class Beside:
    """Faults in the record of a match other than faults of play.

    `begins` is about the first dealer and the passes, `beside` about the points beside
    tricks and the order in which their cards are written down.
    """

    begins: tuple[Said, ...] = ()
    beside: tuple[Said, ...] = ()

    @classmethod
    def of(
        cls,
        ruleset: Ruleset,
        deals: Sequence[WrittenDeal],
        begun: WrittenMatch | None = None,
        whole: bool = False,
    ) -> Beside:
        """The faults in the deals of a match, or in a single deal.

        A single deal without a number may have the pass of any deal. If `begun` is
        given, it is the match that begins with the first deal, and its cut is judged;
        `whole` says whether all cards of that deal are known.
        """
        begins: list[Said] = []
        beside: list[Said] = []
        if begun is not None and deals:
            number, dealer = deals[0].number, deals[0].dealer
            begins += other_dealer(ruleset, begun, number, dealer, whole)
        for place, deal in enumerate(deals, 1):
            number = deal.number or place
            if deal.number or begun or len(deals) > 1:
                for said in other_pass(ruleset, number, deal.direction):
                    begins.append(_in_deal(number, said))
            else:
                begins += pass_of_no_deal(ruleset, deal.direction)
            for said in other_tricks(ruleset, deal.tricks):
                beside.append(said if len(deals) == 1 else _in_deal(number, said))
        return cls(tuple(begins), tuple(beside))

    @property
    def all(self) -> tuple[Said, ...]:
        """Both kinds of faults: first those in `begins`, then those in `beside`."""
        return (*self.begins, *self.beside)


def _in_deal(number: int, said: Said) -> Said:
    return attrs.evolve(said, text=f"deal {number}: {said.text}")


def _as_due(match: _Match, deal: DealOnRecord) -> Game | PartKnown:
    """The deal with what it does not state filled in, and with its right number.

    If its cards were not passed as they should have been, it keeps its own number.
    """
    game, before = deal.game, deal.before
    if before is None and match.totals is not None:
        before = plus(match.totals, match.off)
    reached = match.reached and bool(match.ruleset.rules.ties_played_on)
    passed = any(other_pass(match.ruleset, match.number, deal.direction))
    if isinstance(game, PartKnown):
        [written] = game.match.deals
        # The passes noted are those of its own number, whatever was due.
        own = passed or written.passes
        written = attrs.evolve(
            written,
            number=written.number if own else match.number,
            before=before or (),
            reached=reached,
        )
        return attrs.evolve(game, match=attrs.evolve(game.match, deals=(written,)))
    setup = _setup(game)
    if before is None:
        before = setup.totals  # as inferred from the totals after the deal
    number = setup.deal if passed else match.number
    return _with_setup(
        game, attrs.evolve(setup, deal=number, totals=before, limit_reached=reached)
    )


def _score(match: _Match, game: Game) -> Numbers | None:
    """The score of the deal, given the right totals; None if the deal does not end."""
    if match.totals is not None:
        game = _with_setup(game, attrs.evolve(_setup(game), totals=match.totals))
    try:
        end = end_of_game(game, match.ruleset, stood)
    except Malformed:  # it cannot begin
        return None
    return None if end is None else end.score


def _carry_on(
    match: _Match, deal: DealOnRecord, game: Game | PartKnown, score: Numbers | None
) -> None:
    """Update `match` to the moment after this deal.

    `score` is None if it is neither known nor stated; totals stated for a deal that is
    known in part are then taken as they are.
    """
    rules = match.ruleset.rules
    begun = _before(game)
    right = begun if match.totals is None else match.totals
    off, stated = (0,) * rules.players, deal.totals
    if begun is not None and right is not None:
        off = minus(begun, right)
    match.totals = None
    if score is not None and right is not None:
        match.totals = new_totals(rules, right, score)
        if stated is None:
            stated = new_totals(rules, begun or right, deal.score or score)
        match.off = minus(stated, match.totals)
    elif stated is not None and isinstance(game, PartKnown):
        match.totals, match.off = minus(stated, off), off
    if match.totals is not None:
        before = match.reached
        stands = MatchStands.after(rules, match.totals, before, match.number)
        match.reached = stands.reached
        if stands.over and match.final is None:
            match.final, match.winners = match.totals, stands.winners
            match.played_on = before
    if deal.dealer is not None:
        wrong = _is_wrong_dealer(match, deal)
        match.dealer_if_noticed = match.dealer if wrong else None
        match.dealer = deal.dealer
    _pass_the_deal(match, 1)
    match.number += 1


def _before(game: Game | PartKnown) -> Numbers | None:
    """The totals with which a deal is judged; None if they are unknown."""
    if isinstance(game, PartKnown):
        return game.match.deals[0].before or None
    return _setup(game).totals


def _with_setup(game: Game, setup: Setup) -> Game:
    if isinstance(game, Log):
        return attrs.evolve(game, setup=setup)
    return attrs.evolve(game, start=setup)
