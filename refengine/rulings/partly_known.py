"""What is certain about a deal in which not every card is known.

A play is legal if it is legal from every hand that its seat may have held, and against
the rules if it is legal from none; otherwise the record does not say. A seat that
follows is judged as if the seat that led had been entitled to lead. The rules look at
which suits a hand holds and at a few single cards, never at the number of cards, so of
all hands with the same kinds of cards only one is tried.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from typing import Final, Literal

import attrs

from refengine.chapters.cards import (
    ACE_OR_KING_OF_SPADES,
    QUEEN,
    card_at,
    penalty_cards,
)
from refengine.chapters.deal import hand_size, match_pack
from refengine.chapters.passing import pass_of_deal
from refengine.chapters.play import breaks_hearts
from refengine.chapters.settings import HOLD, STOCK
from refengine.chapters.table import left_of, next_in_turn, right_of
from refengine.errors import Malformed
from refengine.formats.written.turns_written import in_turn, winner_of
from refengine.formats.written.written_match import Laid, WrittenDeal
from refengine.game.acts import Play
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.cardset import Card, CardSet, Suit
from refengine.game.values.state import State
from refengine.game.verdicts import Legal, Refused
from refengine.lawbook.reading import place_in_book
from refengine.rulings.asking.played_deals import cards_each
from refengine.rulings.part_scores import JudgedScore, WonTrick, judge_score
from refengine.rulings.submitted_game import Moment

Standing = Literal["legal", "illegal", "unknown"]
"""Legal or against the rules whatever the hands held, or impossible to tell."""

_OF_TURN: Final = ("2.3",)
_OF_HAND: Final = ("5.7",)
_OPENS: Final = "5.1"


@attrs.frozen
class JudgedPlay:
    """A play in a partly known deal: whether it is legal, and clauses it may break.

    `broken` holds every set of clauses that it breaks from some hand. `seat` is None if
    the record does not say who played the card.
    """

    trick: int
    seat: int | None
    card: Card
    standing: Standing
    broken: tuple[tuple[str, ...], ...] = ()

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that the play breaks from some hand, in order."""
        return tuple(sorted({*chain(*self.broken)}, key=place_in_book))


@attrs.frozen
class WrongWinner:
    """A trick for which the record names the wrong winner (5.10)."""

    trick: int
    stated: int
    won: int


@attrs.frozen(kw_only=True)
class JudgedPart(JudgedScore):
    """The findings about a deal in which not every card is known.

    `acts` holds the refused acts that are no plays.
    """

    plays: tuple[JudgedPlay, ...]
    winners: tuple[WrongWinner, ...] = ()
    acts: tuple[Moment, ...] = ()

    @property
    def fits(self) -> bool:
        """Whether nothing about the deal is certain to be wrong."""
        illegal = any(one.standing == "illegal" for one in self.plays) or self.acts
        return super().fits and not (illegal or self.winners)


def judge_part(
    ruleset: Ruleset, deal: WrittenDeal, pack: CardSet | None = None, leader: int = 0
) -> JudgedPart:
    """What is certain about the plays, winners and scores of a deal.

    `leader` leads the first trick if the record does not say who did, and `pack` is the
    pack if it is not the usual one. Raises Malformed if cards are drawn from a stock,
    or if the record has more tricks than the hands have cards.
    """
    if ruleset.rules.undealt == STOCK:
        raise Malformed("no hands, where cards are drawn", "the hands, and the stock")
    tricks = list(_seated(ruleset, deal, leader))
    table = _Deal.of(ruleset, deal, pack or CardSet(), tricks)
    judged = table.judged()
    # The score of a small deal is not judged by its cards.
    small = pack or {*table.sizes} != {cards_each(ruleset)}
    won = None if small else [one.as_won for one in tricks]
    found = judge_score(ruleset, deal, won)
    return attrs.evolve(judged, **attrs.asdict(found, recurse=False))


@attrs.frozen
class _Trick:
    """A trick with its seats, as far as known, and the seat that is due to lead to it.

    Unless it is `ordered`, nobody knows who led, even if every card has a seat.
    `stated` is the winner named in the record, and `won` the winner by the cards; each
    is None if it is not known.
    """

    due: int | None
    seats: tuple[int | None, ...]
    cards: tuple[Card | None, ...]
    stated: int | None
    won: int | None
    ordered: bool

    @property
    def as_won(self) -> WonTrick:
        """The winner, by the cards or else as stated, and the known cards."""
        seat = self.stated if self.won is None else self.won
        return seat, CardSet({one for one in self.cards if one is not None})


def _seated(ruleset: Ruleset, deal: WrittenDeal, first: int) -> Iterator[_Trick]:
    """The tricks of a deal with their seats, as far as these are known.

    If the winner of a trick is unknown, so is the next leader, unless it is stated.
    """
    rules = ruleset.rules
    due: int | None = None
    if rules.left_of_dealer_leads and deal.dealer is not None:
        due = int(left_of(deal.dealer, rules.players))
    leads: int | None = first
    for trick in deal.tricks:
        if trick.leader is not None:
            leads = trick.leader
        laid: Sequence[tuple[int | None, Laid]] = [
            (one.seat, one) for one in trick.cards
        ]
        if leads is not None:
            laid = in_turn(ruleset, trick, leads)
        seats = tuple(seat for seat, _ in laid)
        cards = tuple(one.card for _, one in laid)
        played = [
            (seat, card)
            for seat, card in zip(seats, cards, strict=True)
            if seat is not None and card is not None and leads is not None
        ]
        won = winner_of(played) if len(played) == ruleset.players else None
        yield _Trick(due, seats, cards, trick.winner, won, leads is not None)
        due = leads = trick.winner if won is None else won


@attrs.define
class _Deal:
    """A deal judged trick by trick, with the cards that each hand may still hold."""

    ruleset: Ruleset
    tricks: list[_Trick]
    sizes: tuple[int, ...]
    own: tuple[CardSet, ...]  # what each hand may hold besides its known cards
    left: list[list[Card]]  # the known cards that each seat has yet to play
    strange: set[tuple[int, int]]  # trick and seat of a card that was not in the hand
    played: list[int]  # how many cards each seat has played so far
    broken: set[bool] = attrs.field(factory=lambda: {False})

    @classmethod
    def of(
        cls,
        ruleset: Ruleset,
        deal: WrittenDeal,
        named: CardSet,
        tricks: list[_Trick],
    ) -> _Deal:
        """The deal before its first trick; `named` is its own pack, if it has one."""
        rules, players = ruleset.rules, ruleset.players
        hands = _hands_written(ruleset, deal)
        pack = match_pack(rules, named.mask)
        known = [len(hand) for hand in hands if hand is not None]
        size = known[0] if known else int(hand_size(rules, pack, bool(named)))
        free = CardSet.of_mask(pack)
        for hand in hands:
            free -= hand or CardSet()
        left: list[list[Card]] = [[] for _ in range(players)]
        strange: set[tuple[int, int]] = set()
        for number, trick in enumerate(tricks, 1):
            for seat, card in zip(trick.seats, trick.cards, strict=True):
                if seat is None or card is None:
                    continue
                hand = hands[seat]
                if card in (free if hand is None else hand - CardSet(left[seat])):
                    left[seat].append(card)
                    free -= CardSet([card])
                else:
                    strange.add((number, seat))
        own = tuple(
            free if hand is None else hand - CardSet(cards)
            for hand, cards in zip(hands, left, strict=True)
        )
        sizes = tuple(size if hand is None else len(hand) for hand in hands)
        return cls(ruleset, tricks, sizes, own, left, strange, [0] * players)

    def judged(self) -> JudgedPart:
        """The findings on plays and winners, trick by trick."""
        plays: list[JudgedPlay] = []
        winners: list[WrongWinner] = []
        for number, trick in enumerate(self.tricks, 1):
            plays += self.trick(number, trick)
            if trick.won is not None and trick.stated not in (None, trick.won):
                assert trick.stated is not None
                winners.append(WrongWinner(number, trick.stated, trick.won))
        return JudgedPart(plays=tuple(plays), winners=tuple(winners))

    def trick(self, number: int, trick: _Trick) -> Iterator[JudgedPlay]:
        """The judgements of the plays of a trick, whose cards then leave the hands."""
        due = trick.due
        for place, (seat, card) in enumerate(
            zip(trick.seats, trick.cards, strict=True)
        ):
            if card is not None:
                yield self.judgement(number, trick, place, due)
            if seat is not None:
                known = None if (number, seat) in self.strange else card
                self.laid(seat, known)
                after = int(next_in_turn(self.ruleset.rules, seat))
                due = after if trick.ordered else None
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            self.breaks(seat, card)
        if None in trick.seats:
            self.laid_by_somebody(trick)

    def judgement(
        self, number: int, trick: _Trick, place: int, due: int | None
    ) -> JudgedPlay:
        """The judgement of a known card, where `due` is to play, or None if unknown."""
        seat, card = trick.seats[place], trick.cards[place]
        assert card is not None
        if due is not None and seat not in (None, due):
            return JudgedPlay(number, seat, card, "illegal", (_OF_TURN,))
        if seat is not None and (number, seat) in self.strange:
            return JudgedPlay(number, seat, card, "illegal", (_OF_HAND,))
        if seat is not None and trick.ordered:
            return self.play(number, trick, place)
        return JudgedPlay(number, seat, card, "unknown")

    def laid_by_somebody(self, trick: _Trick) -> None:
        """Update the hands after a trick in which some card has no known player."""
        gone = CardSet({one for one in trick.cards if one is not None})
        self.own = tuple(cards - gone for cards in self.own)
        for seat in range(len(self.played)):
            self.played[seat] += seat not in trick.seats

    def laid(self, seat: int, card: Card | None) -> None:
        """Note that a seat has played a card.

        Raises Malformed if the record has more cards of the seat than its hand had.
        """
        self.played[seat] += 1
        if card is not None:
            self.left[seat].remove(card)
        if self.played[seat] + len(self.left[seat]) > self.sizes[seat]:
            found = f"more cards of seat {seat} than the {self.sizes[seat]} of its hand"
            raise Malformed(found, "as many tricks as a hand has cards")

    def breaks(self, seat: int | None, card: Card | None) -> None:
        """Update, after a play, whether hearts may be broken and may be unbroken."""
        cards = self.may_hold(seat) if card is None else [card]
        does = {self.any_breaks([one]) for one in cards}
        self.broken = {one or other for one in self.broken for other in does}

    def may_hold(self, seat: int | None) -> CardSet:
        """The cards that a hidden card of this seat, or of any seat if None, may be."""
        if seat is not None:
            return self.own[seat]
        found = CardSet()
        for cards in self.own:
            found |= cards
        return found

    def play(self, number: int, trick: _Trick, place: int) -> JudgedPlay:
        """The judgement of a play, with the clauses it breaks from possible hands."""
        card = trick.cards[place]
        assert card is not None
        found = {
            _broken_in(self.ruleset, one, card)
            for one in self.positions(number, trick, place)
        } - {None}
        standing: Standing = "unknown" if () in found or not found else "illegal"
        if found == {()}:
            standing = "legal"
        broken = sorted(
            filter(None, found),
            key=lambda some: (len(some), [*map(place_in_book, some)]),
        )
        return JudgedPlay(number, trick.seats[place], card, standing, tuple(broken))

    def positions(self, number: int, trick: _Trick, place: int) -> Iterator[Setup]:
        """The possible positions before the card was played, one of each kind."""
        seat, card = trick.seats[place], trick.cards[place]
        assert seat is not None
        assert card is not None
        known = CardSet(self.left[seat])
        more = self.sizes[seat] - self.played[seat] - len(known)
        for table in self.tables(trick, place):
            free = self.own[seat] - CardSet(table)
            # Whoever opens a deal has the lowest club, unless it is in the kitty.
            ways = {False, number == 1 and not place}
            for lowest, low in product(ways, ways):
                kind = self.kind_beside(card)
                for others in _of_each_kind(free, more, kind, lowest):
                    hands = self.hands(trick, place, table, known | others, low)
                    for broken in sorted(self.broken):
                        yield Setup(
                            dealer=int(right_of(trick.seats[0] or 0, len(hands))),
                            hands=hands,
                            leader=trick.seats[0],
                            trick=table,
                            hearts_broken=broken or self.any_breaks(table),
                            first_trick=number == 1,
                        )

    def hands(
        self,
        trick: _Trick,
        place: int,
        table: tuple[Card, ...],
        asked: CardSet,
        low: bool,
    ) -> tuple[CardSet, ...]:
        """Possible hands for all seats, in which the seat to play holds `asked`.

        The seat that led gets the lowest clubs that it may hold, as an opening leader
        would. If `low` is set, so do all the others; if not, they get as few clubs as
        possible, and the highest ones.
        """
        players = len(self.sizes)
        found = [CardSet(cards) for cards in self.left]
        seat, leader = trick.seats[place], trick.seats[0]
        assert seat is not None
        found[seat] = asked
        used = asked | CardSet(table)
        for cards in found:
            used |= cards
        order = sorted({*range(players)} - {seat}, key=lambda one: one != leader)
        for one in order:
            more = self.sizes[one] - self.played[one] - len(found[one])
            clubs_first = low or one == leader
            free = sorted(
                self.own[one] - used, key=_club_order, reverse=not clubs_first
            )
            some = CardSet(free[:more])
            found[one] |= some
            used |= some
        return tuple(found)

    def any_breaks(self, cards: Iterable[Card]) -> bool:
        """Whether one of these cards breaks hearts (5.9)."""
        rules = self.ruleset.rules
        return any(breaks_hearts(rules, card_at(one.number)) for one in cards)

    def tables(self, trick: _Trick, place: int) -> Iterator[tuple[Card, ...]]:
        """The possible cards on the table before a play, one set of each kind."""
        found: list[tuple[Card, ...]] = [()]
        for at, (seat, card) in enumerate(
            zip(trick.seats[:place], trick.cards[:place], strict=True)
        ):
            if card is not None:
                found = [(*table, card) for table in found if card not in table]
                continue
            free = self.may_hold(seat)
            found = [
                (*table, *one)
                for table in found
                for one in _of_each_kind(
                    free - CardSet(table), 1, _kind_on_table, lowest=at == 0
                )
            ]
        yield from found

    def kind_beside(self, card: Card) -> Callable[[Card], Hashable]:
        """A key function with equal keys for cards that are alike beside `card`."""
        costly = penalty_cards(self.ruleset.rules)

        def kind(other: Card) -> Hashable:
            mask = card_at(other.number)
            lower = other.suit is card.suit and other.number < card.number
            return other.suit, lower, bool(mask & costly), mask == QUEEN

        return kind


def _hands_written(ruleset: Ruleset, deal: WrittenDeal) -> tuple[CardSet | None, ...]:
    """The hands with which play began; None for each that is not written down."""
    holds = int(pass_of_deal(ruleset.rules, deal.number or 1)) == HOLD
    if deal.direction:
        holds = deal.direction == "hold"
    written = deal.held or (deal.dealt if holds else ())
    return (*written, *(None,) * ruleset.players)[: ruleset.players]


def _club_order(card: Card) -> tuple[bool, int]:
    """A sort key: clubs first, from the lowest up."""
    return card.suit is not Suit.CLUBS, card.number


def _kind_on_table(card: Card) -> Hashable:
    """A key that is equal for two cards on the table if the rules treat them alike."""
    mask = card_at(card.number)
    return card.suit, bool(mask & ACE_OR_KING_OF_SPADES), mask == QUEEN


def _of_each_kind(
    cards: Iterable[Card],
    number: int,
    kind: Callable[[Card], Hashable],
    lowest: bool = False,
) -> Iterator[CardSet]:
    """Sets of `number` cards, one for each combination of kinds that they can have.

    The highest cards of each kind are taken or, if `lowest` is set, the lowest, since
    whoever has the lowest club may have to lead.
    """
    kinds: dict[Hashable, list[Card]] = defaultdict(list)
    for card in sorted(cards, key=lambda one: one.number, reverse=not lowest):
        kinds[kind(card)].append(card)
    for some in range(min(number, len(kinds)) + 1):
        for chosen in combinations(kinds.values(), some):
            found = _filled(chosen, number)
            if found is not None:
                yield found


def _filled(chosen: Sequence[Sequence[Card]], number: int) -> CardSet | None:
    """`number` cards from these lists, at least one from each; None if impossible."""
    first = [cards[0] for cards in chosen]
    rest = [card for cards in chosen for card in cards[1:]]
    more = number - len(first)
    return CardSet([*first, *rest[:more]]) if more <= len(rest) else None


def _broken_in(ruleset: Ruleset, setup: Setup, card: Card) -> tuple[str, ...] | None:
    """The clauses that a card breaks in a position; empty if it may be played.

    If another seat should have led, a lead breaks 5.1. If the position is impossible
    for another reason, nothing is known, and the result is None.
    """
    try:
        state = State.open(ruleset, setup)
    except Refused as refused:
        other_leader = not setup.trick and refused.clauses == ("3.12v",)
        return (_OPENS,) if other_leader else None
    verdict = state.verdict(Play(state.turn[0], card))
    return () if isinstance(verdict, Legal) else verdict.clauses
