"""Walks one unit of exhaustion: every position that its deals can reach."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import attrs

from refengine.chapters import draw
from refengine.chapters.cards import (
    ACE_OR_KING_OF_SPADES,
    EMPTY,
    HEARTS,
    QUEEN,
    Mask,
    all_of,
    card_at,
    cards_in,
    numbers_of,
    suit_of,
)
from refengine.chapters.layout import Piles, Position, Talon
from refengine.chapters.score import MINUS
from refengine.chapters.settings import Rules
from refengine.chapters.table import SEAT
from refengine.lawbook.options import Value
from refengine.machine import position
from refengine.machine.core import DealStart
from refengine.machine.ending import ending
from refengine.machine.notation import write_sequence
from refengine_conformance.exhaustion.decisions import Verdict, WrongError, verdict_on
from refengine_conformance.exhaustion.plain_forms import (
    PlainForm,
    plain_form_of,
    position_in_plain_form,
)
from refengine_conformance.exhaustion.plain_scores import (
    Options,
    counts,
    score_of,
    stock_taker,
    wins_kitty,
)
from refengine_conformance.exhaustion.scope import (
    PENALTY,
    Cards,
    DealShape,
    SmallDeal,
    Unit,
    deals_of_pack,
    deciding_options,
    packs_to_walk,
)

_MOST_FAULTS: Final = 5


@attrs.frozen
class Tally:
    """The results of a walk: what was counted, which clauses met, and the faults found.

    `games` counts a deal once for each ruleset, `decisions` counts the judgements, and
    `ends` the ends of play. A pair is written as its clauses and where they met, as in
    `5.2+5.4 estmesh-hearts`.
    """

    deals: int = 0
    games: int = 0
    positions: int = 0
    decisions: int = 0
    ends: int = 0
    pairs: frozenset[str] = frozenset()
    faults: tuple[str, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.deals + other.deals,
            self.games + other.games,
            self.positions + other.positions,
            self.decisions + other.decisions,
            self.ends + other.ends,
            self.pairs | other.pairs,
            self.faults + other.faults,
        )

    def fields(self) -> dict[str, Any]:
        """The tally as plain JSON values."""
        return attrs.asdict(self) | {"pairs": sorted(self.pairs)}

    @classmethod
    def of_fields(cls, fields: Mapping[str, Any]) -> Tally:
        """The tally with these fields, which are plain JSON values."""
        lists = {
            "pairs": frozenset(fields["pairs"]),
            "faults": tuple(fields["faults"]),
        }
        return cls(**{**fields, **lists})


def _wrong_after(played: Cards, what: str) -> WrongError:
    """An error that tells what is wrong after these cards were played to a trick."""
    return WrongError(f"after {write_sequence(played)}: {what}")


class Moment(NamedTuple):
    """All that a verdict depends on in a position, besides the ruleset.

    `high_spades` are the ace and king of spades on the table, if a suit is led.
    """

    hand: Mask
    led: Mask
    high_spades: Mask
    first_trick: bool
    drew: bool
    stock: bool
    hearts_broken: bool


Values = tuple[tuple[str, Value], ...]
Verdicts = dict[Values, dict[Moment, Verdict]]


class _MergedVerdicts:
    """The verdicts at one moment under each ruleset that has reached it.

    Each set of rulesets is a number with one bit for each. `seen` are those under which
    there is a verdict, and `draws` those under which a draw is due. `cards`
    holds, for each card, those under which playing it is accepted, and `pairs`, for
    each pair of clauses, those under which the two meet.
    """

    __slots__ = ("cards", "draws", "pairs", "seen")

    def __init__(self) -> None:
        self.seen = 0
        self.draws = 0
        self.cards: dict[Mask, int] = {}
        self.pairs: dict[str, int] = {}

    def add(self, verdict: Verdict, rulesets: int) -> None:
        """Note the verdict on the decision under these rulesets."""
        if verdict.draws:
            self.draws |= rulesets
        for card in verdict.cards:
            self.cards[card] = self.cards.get(card, 0) | rulesets
        for pair in verdict.pairs:
            self.pairs[pair] = self.pairs.get(pair, 0) | rulesets


@attrs.frozen
class _Alike:
    """Rulesets that have the same values of the options on which a question depends.

    `rules` are those of one of them, and `rulesets` has one bit for each of them.
    `verdicts` holds what may be done at each moment for which that is known.
    """

    values: Values
    rules: Rules
    rulesets: int
    verdicts: dict[Moment, Verdict] = attrs.field(factory=dict)


class _Pending(NamedTuple):
    """A position from which the walk has still to go on.

    `trick` holds the cards played to the current trick, and `order` the seats that play
    to it, beginning with the leader. `pack` is the mask of all cards in play, and
    `rulesets` has one bit for each ruleset that reaches the position.
    """

    now: Position
    trick: Cards
    order: tuple[int, ...]
    pack: int
    rulesets: int


class Walk:
    """The walk of one unit: its rules, the positions met so far, and what was counted.

    `verdicts` holds the verdicts of earlier walks of the same engine, and receives
    those of this walk.
    """

    def __init__(self, unit: Unit, verdicts: Verdicts | None = None) -> None:
        self.unit = unit
        self.verdicts: Verdicts = {} if verdicts is None else verdicts
        shapes = unit.family.shapes
        self.shape = unit.family.one_shape
        self.rules: Rules = shapes[0].ruleset.rules
        self.options = self.shape.ruleset.options
        self.step = -1 if self.rules.counterclockwise else 1
        self.rulesets = (1 << len(shapes)) - 1
        deciding = {*deciding_options(), "revokes", *PENALTY}
        self.deciding = [
            attrs.evolve(one, verdicts=self.verdicts.setdefault(one.values, {}))
            for one in _classes(shapes, deciding)
        ]
        scoring = {*PENALTY, *set(self.options) - deciding}
        self.scoring = _classes(shapes, scoring)
        self.merged: dict[Moment, _MergedVerdicts] = {}
        self.met: dict[PlainForm, int] = {}
        self.pairs: dict[str, int] = {}
        self.positions = 0
        self.decisions = 0
        self.ends = 0
        self.ends_early = self.options["deal_ends"] == "no_points_left"
        self.forgets = not (unit.whole or self.shape.is_scored)

    def tally(self) -> Tally:
        """Walk all deals of the unit, and return what was found.

        Of the faults, at most `_MOST_FAULTS` are kept.
        """
        number = 0
        faults: list[str] = []
        for deal, dealer in self.deals():
            number += 1
            try:
                self.walk_deal(deal, dealer)
            except WrongError as fault:
                if len(faults) < _MOST_FAULTS:
                    where = f"{self.unit.family}; {deal}; dealer {dealer}"
                    faults.append(f"{where}; {fault}")
        labels = [shape.label for shape in self.unit.family.shapes]
        return Tally(
            number,
            number * len(labels),
            self.positions,
            self.decisions,
            self.ends,
            frozenset(
                f"{pair} {label}"
                for pair, where in self.pairs.items()
                for place, label in enumerate(labels)
                if where >> place & 1
            ),
            tuple(faults),
        )

    def deals(self) -> Iterator[tuple[SmallDeal, int]]:
        """The deals of the unit, each with the number of its dealer."""
        family, whole = self.unit.family, self.unit.whole
        players = self.shape.players
        dealers = range(players) if whole else (players - 1,)
        for pack in packs_to_walk(family, whole)[self.unit.part :: self.unit.parts]:
            for deal in deals_of_pack(self.shape, pack):
                for dealer in dealers:
                    yield deal, dealer

    def walk_deal(self, deal: SmallDeal, dealer: int) -> None:
        """Walk every position that this deal can reach.

        Raises WrongError if something that must hold in every position fails in one.
        """
        hands, stock, kitty = deal.hands, deal.stock, deal.kitty
        begun = position.first_position(self.rules, hands, stock, kitty, dealer)
        pack = sum(hands) + sum([card_at(card) for card in stock]) + kitty
        waiting = [self.at_lead(begun, pack, self.rulesets)]
        while waiting:
            here = waiting.pop()
            self.positions += 1
            merged = self.verdicts_at(here)
            draws = merged.draws & here.rulesets
            if draws:
                after = position.after_draw(here.now)
                _check_draw(here.now, after, here.pack)
                waiting.append(here._replace(now=after, rulesets=draws))
            for card, accepting in merged.cards.items():
                rulesets = accepting & here.rulesets
                if rulesets:
                    waiting += self.after_play(here, card, rulesets)

    def after_play(self, here: _Pending, card: Mask, rulesets: int) -> list[_Pending]:
        """Play this card, check the play, and return the position to go on from.

        The list is empty if play has ended, or if the past is forgotten and the plain
        form is new to none of `rulesets`. Raises WrongError if the engine and the book
        disagree.
        """
        after = position.after_play(self.rules, here.now, card)
        played = (*here.trick, int(card).bit_length() - 1)
        if len(played) < len(here.order):
            self.check_play(here, card, played, after)
            return [_Pending(after, played, here.order, here.pack, rulesets)]
        self.check_trick(here, card, played, after)
        if after.turn < 0:
            self.positions += 1
            self.check_end_of_deal(after, here.order[-1], here.pack, rulesets)
            return []
        if self.forgets:
            return self.without_past(after, rulesets)
        return [self.at_lead(after, here.pack, rulesets)]

    def at_lead(self, now: Position, pack: int, rulesets: int) -> _Pending:
        """A position before a lead, to go on from under these rulesets."""
        return _Pending(now, (), self.seats_from(now), pack, rulesets)

    def without_past(self, now: Position, rulesets: int) -> list[_Pending]:
        """The plain form of a position between two tricks, to go on from.

        It goes on under those of `rulesets` to which it is new; if it is new to none,
        the list is empty.
        """
        form = plain_form_of(now, self.unit.family.named)
        met = self.met.get(form, 0)
        new = rulesets & ~met
        if not new:
            return []
        self.met[form] = met | new
        plain = position_in_plain_form(form)
        return [self.at_lead(plain, sum_of_all_cards(plain), new)]

    def verdicts_at(self, here: _Pending) -> _MergedVerdicts:
        """The verdicts in a position; in positions that look alike they are the same.

        Raises WrongError as `verdict_on` does.
        """
        now = here.now
        led = now.led
        moment = Moment(
            now.hand,
            led,
            Mask(now.table & ACE_OR_KING_OF_SPADES) if led else EMPTY,
            now.piles.first,
            bool(now.drew),
            draw.stock_holds_cards(now.talon),
            now.hearts_broken,
        )
        merged = self.merged.get(moment)
        if merged is None:
            merged = self.merged[moment] = _MergedVerdicts()
        new = here.rulesets & ~merged.seen
        if new:
            merged.seen |= new
            for alike in self.deciding:
                if alike.rulesets & new:
                    verdict = self.verdict(alike, moment, now, here.trick)
                    merged.add(verdict, alike.rulesets & new)
            for pair, met in merged.pairs.items():
                self.pairs[pair] = self.pairs.get(pair, 0) | met & new
        return merged

    def verdict(
        self, alike: _Alike, moment: Moment, now: Position, trick: Cards
    ) -> Verdict:
        """What may be done at a moment under rulesets that decide alike.

        Raises WrongError as `verdict_on` does.
        """
        self.decisions += 1
        verdict = alike.verdicts.get(moment)
        if verdict is None:
            verdict = verdict_on(alike.rules, dict(alike.values), now, trick)
            alike.verdicts[moment] = verdict
        return verdict

    def check_play(
        self, here: _Pending, card: Mask, played: Cards, after: Position
    ) -> None:
        """Check a play within a trick against chapter 5.

        Raises WrongError if the engine and the book disagree.
        """
        self.check_card(here, card, played, after)
        now = here.now
        turn = here.order[len(played)]
        hand = now.hands[turn].cards & ~after.played
        if after.turn != turn:
            raise _wrong_after(played, f"seat {after.turn} is to play, not {turn}")
        if after.led != suit_of(card_at(played[0])):
            raise _wrong_after(played, "another suit is led")
        if (after.table, after.hand) != (now.table | card, hand):
            raise _wrong_after(played, f"the table or the hand of seat {turn} is wrong")
        if after.piles != now.piles:
            raise _wrong_after(played, "the piles have changed in mid-trick")
        if after.talon != now.talon:
            raise _wrong_after(played, "the stock or kitty has changed in mid-trick")

    def check_card(
        self, here: _Pending, card: Mask, played: Cards, after: Position
    ) -> None:
        """Check the card that moves, and who plays it, against chapter 5.

        Raises WrongError if the engine and the book disagree.
        """
        now = here.now
        if (
            now.hand & card != card
            or after.played != now.played | card
            or after.hands != now.hands
        ):
            raise _wrong_after(played, "not exactly one card of the hand has moved")
        if after.drew:
            raise _wrong_after(played, "the cards drawn are still on record")
        breaks = now.hearts_broken or bool(card & HEARTS)
        if card == QUEEN and self.rules.queen_breaks_hearts:
            breaks = True
        if bool(after.hearts_broken) != breaks:
            raise _wrong_after(played, f"hearts broken {after.hearts_broken}")
        if here.order[len(played) - 1] != now.turn:
            raise _wrong_after(played, f"seat {now.turn} played out of its turn")

    def check_trick(
        self, here: _Pending, card: Mask, played: Cards, after: Position
    ) -> None:
        """Check the last play of a trick and what follows it against chapters 5 and 6.

        Raises WrongError if the engine and the book disagree.
        """
        self.check_card(here, card, played, after)
        if after.led:
            raise _wrong_after(played, "a suit is still led")
        if after.table or sum_of_all_cards(after) != here.pack:
            raise _wrong_after(played, "the pack is not complete")
        winner = self._check_winner(here, played, after)
        self._check_next_leader(played, winner, after)
        self._check_talon(here.now, played, winner, after)

    def _check_winner(self, here: _Pending, played: Cards, after: Position) -> int:
        """Check who wins a trick and gets its cards; return the winner (5.10, 5.11).

        Raises WrongError if the engine and the book disagree.
        """
        now = here.now
        suit = played[0] // 13
        best = max([number for number in played if number // 13 == suit])
        winner = here.order[played.index(best)]
        if after.winner != winner:
            raise _wrong_after(played, f"seat {after.winner} wins, not {winner}")
        taken, tricks = [*now.piles.taken], [*now.piles.tricks]
        taken[winner] = Mask(taken[winner] | cards_in(played))
        tricks[winner] += 1
        piles = Piles(tuple(taken), tuple(tricks), now.piles.done + 1, False)
        if (after.piles.taken, after.piles.tricks) != (piles.taken, piles.tricks):
            raise _wrong_after(played, f"the trick does not lie before seat {winner}")
        if after.piles != piles:
            raise _wrong_after(played, "the trick is not counted, or the next is first")
        return winner

    def _check_next_leader(self, played: Cards, winner: int, after: Position) -> None:
        """Check which seat, if any, leads after a trick, and which seats are out.

        The clauses are 5.11, 5.14, 6.6 and 6.7. Raises WrongError if the engine and the
        book disagree.
        """
        players = self.rules.players
        seats = range(players)
        holding = _seats_with_cards(after)
        turn = -1
        if len(holding) > 1 and self.goes_on(after):
            # To the left, whatever the direction of play (6.7).
            to_the_left = [(winner + place) % players for place in seats]
            turn = next(seat for seat in to_the_left if seat in holding)
        if after.turn != turn:
            raise _wrong_after(played, f"seat {after.turn} leads, not {turn}")
        if turn >= 0:
            out = sum([SEAT[seat] for seat in seats if seat not in holding])
            if (after.leader, after.out) != (turn, out):
                raise _wrong_after(played, "another leader or other seats out")
            if after.hand != after.hands[turn].cards & ~after.played:
                raise _wrong_after(played, f"another hand than that of seat {turn}")

    def _check_talon(
        self, now: Position, played: Cards, winner: int, after: Position
    ) -> None:
        """Check the stock after a trick, and which seat, if any, has the kitty (5.13).

        Raises WrongError if the engine and the book disagree.
        """
        talon = now.talon
        to = talon.kitty_to
        if talon.kitty and to < 0:
            first, last = bool(now.piles.first), after.turn < 0
            if wins_kitty(self.options, played, first, last):
                to = winner
        if after.talon.kitty_to != to:
            raise _wrong_after(played, f"the kitty to {after.talon.kitty_to}, not {to}")
        if after.talon != Talon(talon.stock, talon.drawn, talon.kitty, to):
            raise _wrong_after(played, "the stock or kitty has changed")

    def goes_on(self, now: Position) -> bool:
        """Whether play can go on after a trick, judging by the cards that count.

        If deals may end early, a card that counts must still be in a hand (5.14a).
        """
        if not self.ends_early:
            return True
        held = all_of(tuple([hand.cards for hand in now.hands])) & ~now.played
        return any(counts(self.options, card) for card in numbers_of(Mask(held)))

    def seats_from(self, now: Position) -> tuple[int, ...]:
        """The seats that play to the next trick, in order, starting with the leader."""
        players = self.rules.players
        seats = [(now.leader + self.step * place) % players for place in range(players)]
        holding = _seats_with_cards(now)
        return tuple([seat for seat in seats if seat in holding])

    def check_end_of_deal(
        self, now: Position, last: int, pack: int, rulesets: int
    ) -> None:
        """Count a finished deal, and check its score and who takes its stock.

        `last` is the seat that played last. The book is asked under each of these
        rulesets; if the past of the deal was forgotten, neither is checked.
        Raises WrongError if the engine and the book disagree, or if the deal is not
        finished.
        """
        self.ends += 1
        if now.table or now.hand:
            raise WrongError("play has ended in mid-trick, or with a hand to play")
        if self.forgets:
            return
        seats = range(len(now.hands))
        sheet = DealStart(0, 1, tuple([0 for _ in seats]), False)
        for alike in self.scoring:
            if not alike.rulesets & rulesets:
                continue
            end = ending(alike.rules, Mask(pack), now, (), sheet, MINUS)
            options = dict(alike.values)
            to = _taker_of_stock(options, now, last)
            if end.stock_to != to:
                raise WrongError(f"the stock to seat {end.stock_to}, not {to}")
            hauls = [numbers_of(self.counted(now, seat, to)) for seat in seats]
            plain = score_of(options, numbers_of(Mask(pack)), hauls, now.piles.tricks)
            if (end.shooter, end.score) != (plain.shooter, plain.score):
                raise WrongError(
                    f"seat {end.shooter} shoots, scores {list(end.score)}; by the book "
                    f"seat {plain.shooter}, scores {list(plain.score)}"
                )

    def counted(self, now: Position, seat: int, stock_to: int) -> Mask:
        """The cards that count for a seat: those it took, and those left in its hand.

        The kitty and the rest of the stock count for a seat only if they went to it.
        """
        cards = now.piles.taken[seat] | (now.hands[seat].cards & ~now.played)
        if now.talon.kitty_to == seat:
            cards |= now.talon.kitty
        if stock_to == seat:
            cards |= cards_in(draw.rest_of_stock(now.talon))
        return Mask(cards)


def _taker_of_stock(options: Options, now: Position, last: int) -> int:
    """The seat that the rest of the stock goes to by 6.8a and 6.8b; -1 if none."""
    if not draw.stock_holds_cards(now.talon):
        return -1
    return stock_taker(options, _seats_with_cards(now), last)


def _classes(shapes: Sequence[DealShape], names: Collection[str]) -> list[_Alike]:
    """The rulesets of these shapes, divided by the values of the options named."""
    found: dict[Values, tuple[Rules, int]] = {}
    for place, shape in enumerate(shapes):
        ruleset = shape.ruleset
        options = ruleset.options.items()
        values = tuple([(name, value) for name, value in options if name in names])
        rules, own = found.get(values, (ruleset.rules, 0))
        found[values] = rules, own | 1 << place
    return [_Alike(values, rules, own) for values, (rules, own) in found.items()]


# Where the cards lie


def _seats_with_cards(now: Position) -> list[int]:
    """The seats that hold a card."""
    hands = enumerate(now.hands)
    return [seat for seat, hand in hands if hand.cards & ~now.played]


def sum_of_all_cards(now: Position) -> int:
    """The sum of the masks of all places where cards lie.

    It equals the mask of the pack if every card is in exactly one place.
    """
    played = now.played
    return (
        sum([hand.cards & ~played for hand in now.hands])
        + sum([card_at(card) for card in draw.rest_of_stock(now.talon)])
        + sum(now.piles.taken)
        + now.table
        + now.talon.kitty
    )


_AS_BEFORE: Final = (
    "piles",
    "played",
    "led",
    "table",
    "best",
    "winner",
    "leader",
    "turn",
    "out",
    "hearts_broken",
    "empty",
)
"""The parts of a position that a draw leaves as they are."""


def _check_draw(now: Position, after: Position, pack: int) -> None:
    """Check a draw against clause 6.4.

    Raises WrongError if the engine and the book disagree.
    """
    card = card_at(now.talon.stock[now.talon.drawn])
    hands = [hand.cards for hand in now.hands]
    hands[now.turn] = Mask(hands[now.turn] | card)
    for name in _AS_BEFORE:
        if getattr(after, name) != getattr(now, name):
            raise WrongError(f"seat {now.turn} drew, and `{name}` has changed")
    drawn = now.hand | card
    if after.hand != drawn or [hand.cards for hand in after.hands] != hands:
        raise WrongError(f"seat {now.turn} drew another card than the top of the stock")
    if after.drew != now.drew | card:
        raise WrongError(f"seat {now.turn} drew, and the draw is not recorded")
    if after.talon.drawn != now.talon.drawn + 1 or sum_of_all_cards(after) != pack:
        raise WrongError(f"seat {now.turn} drew and the pack is not complete")
