"""Filling in what the record of a deal leaves out, if it follows from what it says.

If a whole deal is written down trick by trick, the hands follow from the plays, and
what was passed follows from the hands before and after. Who led a trick follows from
the trick before it. Nothing is made up, and every assumption is reported.
"""

from __future__ import annotations

from collections import Counter

import attrs

from refengine.chapters.deal import hand_size, kitty_size, match_pack, next_dealer
from refengine.chapters.match import new_totals
from refengine.chapters.passing import cards_needed, cycle_at_table, pass_of_deal
from refengine.chapters.play import opening_leader
from refengine.chapters.settings import HOLD, STOCK
from refengine.chapters.table import right_of
from refengine.errors import Malformed
from refengine.formats.positions import write_position
from refengine.formats.trace import opened
from refengine.formats.written.first_dealer_written import with_first_dealers
from refengine.formats.written.first_lead_written import (
    TO_A_SIDE,
    FirstLead,
    first_lead,
)
from refengine.formats.written.names_written import listed
from refengine.formats.written.turns_written import (
    Played,
    cards_in_turn,
    given_to,
    led_by,
    out_of_turn,
    passed_by_seat,
    played_by,
    whole,
)
from refengine.formats.written.written_match import WrittenDeal, WrittenMatch
from refengine.game.acts import Pass
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.cardset import Card, CardSet
from refengine.game.values.masks import masks_of
from refengine.lawbook.options import PASSES


@attrs.frozen
class Completed:
    """A match with all that follows from its record, and the assumptions made."""

    match: WrittenMatch
    granted: tuple[str, ...] = ()


@attrs.frozen
class PartKnown:
    """A match with a single deal, which cannot be replayed to its last card.

    `leader` led to the first trick, and `missing` says why the deal cannot be replayed.
    If every card is known, but an act against the rules stops the play, `line` is the
    trace up to that act. `is_first` says whether the deal is called a first deal.
    """

    match: WrittenMatch
    leader: int
    missing: Malformed
    granted: tuple[str, ...] = ()
    line: bytes = b""
    is_first: bool = False


def completed(match: WrittenMatch, ruleset: Ruleset | None = None) -> Completed:
    """The match with all hands, passes, dealers and deal numbers that can be inferred.

    `ruleset` is used if no rules are written down. Raises Malformed if there are no
    rules at all, or if a card, a pass or the hands of a deal are missing and cannot be
    worked out.
    """
    found = completed_parts(match, ruleset)
    for one in found:
        if isinstance(one, PartKnown):
            raise one.missing
    [only] = found
    assert isinstance(only, Completed)
    return only


def completed_parts(
    match: WrittenMatch, ruleset: Ruleset | None = None, apart: bool = False
) -> tuple[Completed | PartKnown, ...]:
    """Return the completed match, or a match for each deal if one cannot be completed.

    If `apart` is true, each deal becomes a match of its own in any case. Such a match
    begins with the totals after the deal before it, if the deal numbers are consecutive
    and the record gives no others. Raises Malformed if there are no rules, or if
    something is missing from a deal that has no tricks or that begins with a position.
    """
    rules = match.ruleset or ruleset
    if rules is None:
        raise Malformed("no rules", "rules: a profile, and how many players")
    granted = [*match.granted]
    if match.ruleset is None:
        granted.append(f"{rules.profile} is played")
    first = len(granted)
    match = attrs.evolve(
        match, deals=tuple(_at_table(one, rules.players) for one in match.deals)
    )
    base = attrs.evolve(match, ruleset=rules, players=rules.players)
    match = with_first_dealers(match, rules)
    deals: list[WrittenDeal] = []
    parts: list[Completed | PartKnown] = []
    last_number: int | None = None
    for place, deal in enumerate(match.deals):
        before = deals[-1] if deals else None
        where = f"deals[{place}]"
        one = _Deal(rules, match, deal, before, last_number, where, granted)
        told = len(granted)
        missing = one.missing()
        if missing is not None and (deal.position or not deal.tricks):
            raise missing
        if missing is None:
            deals.append(one.completed())
            one.grant_hands(deals[-1])
        else:
            one.grant_lead()
            deals.append(one.in_part())
        one.grant_order()
        last = attrs.evolve(deals[-1], cuts=())
        number = one.number()
        if before is not None and number == one.next_number() and not last.before:
            last = attrs.evolve(last, before=before.totals)
        last_number = number
        alone = attrs.evolve(base, begins=False, dealer=None, cuts=(), deals=(last,))
        if missing is None:
            parts.append(Completed(alone, (*granted[:first], *granted[told:])))
        else:
            leader = one.leader()
            said = (*granted[:first], *granted[told:])
            is_first = deal.number == 1 or match.begun_by(place) is not None
            parts.append(PartKnown(alone, leader, missing, said, is_first=is_first))
    if apart or any(isinstance(one, PartKnown) for one in parts):
        return tuple(parts)
    return (Completed(attrs.evolve(base, deals=tuple(deals)), tuple(granted)),)


def _at_table(deal: WrittenDeal, players: int) -> WrittenDeal:
    """The deal with None for each missing hand, unless all hands are missing."""
    missing = (None,) * players
    dealt, held = (
        (*hands, *missing[len(hands) :]) if hands else ()
        for hands in (deal.dealt, deal.held)
    )
    return attrs.evolve(deal, dealt=dealt, held=held)


@attrs.frozen
class _HandsPlayed:
    """The hands that the tricks of a deal show, and its kitty if that is known.

    If the tricks do not show the hands, there are none, and `missing` says why.
    """

    hands: tuple[CardSet, ...] = ()
    kitty: CardSet | None = None
    missing: Malformed | None = None


@attrs.frozen
class _Deal:
    """A deal to be completed, the deal before it, and the assumptions made so far.

    `last_number` is the number of the deal before it, and None if there is none.
    """

    ruleset: Ruleset
    match: WrittenMatch
    deal: WrittenDeal
    before: WrittenDeal | None
    last_number: int | None
    where: str
    granted: list[str]

    def missing(self) -> Malformed | None:
        """The error that says why the deal cannot be replayed, or None if it can."""
        deal = self.deal
        for number, trick in enumerate(deal.tricks, 1):
            if None in [one.card for one in trick.cards]:
                found = f"a card of trick {number} that nobody wrote down"
                return Malformed(found, "every card", self.where)
        if self.passes_in_part():
            found = "a pass that nobody wrote down"
            return Malformed(found, "what each seat passed, or nothing", self.where)
        if deal.position or whole(deal.dealt) or whole(deal.held):
            return None
        return self.hands_played().missing

    def passes_in_part(self) -> bool:
        """Whether some passes are written down, but others are missing and needed."""
        deal, players = self.deal, self.ruleset.players
        return (
            0 < len({one.seat for one in deal.passes}) < players
            and bool(deal.tricks)
            and not whole(deal.held)
            and self.way() in TO_A_SIDE
            and self.hands_played().missing is not None
        )

    def in_part(self) -> WrittenDeal:
        """The incomplete deal with its number and any `held` hands that it implies."""
        deal, players = self.deal, self.ruleset.players
        deal = attrs.evolve(deal, number=self.number())
        if not self.passes_in_part() or deal.held:
            return deal
        way = self.way()
        given = passed_by_seat(self.deal)
        held: list[CardSet | None] = [None] * players
        for giver, came in given.items():
            seat = given_to(deal, way, giver, players)
            hand = deal.dealt[seat] if deal.dealt else None
            if hand is not None and seat in given:
                held[seat] = (hand - given[seat]) | came
        return attrs.evolve(deal, held=tuple(held))

    def completed(self) -> WrittenDeal:
        """Return the deal with all that follows from it; nothing may be `missing`."""
        rules = self.ruleset.rules
        if self.deal.position:
            return self.deal
        dealt, held = whole(self.deal.dealt), whole(self.deal.held)
        deal = self.with_kitty(dealt or held)
        number, way = self.played_as(self.number()), self.way()
        if number != self.number():
            self.grant(
                f"deal {self.number()} is played like deal {number}, since its cards "
                "went that way"
            )
        enough = way == HOLD or len({one.seat for one in deal.passes}) == rules.players
        if dealt and (enough or not deal.tricks):
            return attrs.evolve(deal, number=number, dealer=self.dealer())
        if not held:
            self.grant_lead()
            shown = self.hands_played()
            held = shown.hands
            if deal.kitty is None:
                deal = attrs.evolve(deal, kitty=shown.kitty)
        if way == HOLD:
            hands = dealt or held
            return attrs.evolve(deal, number=number, dealer=self.dealer(), dealt=hands)
        if enough and (dealt := self.before_pass(way, held)):
            return attrs.evolve(deal, number=number, dealer=self.dealer(), dealt=dealt)
        given = self.passes(way, dealt, held)
        if given:
            return attrs.evolve(deal, number=number, dealer=self.dealer(), passes=given)
        return self.after_pass(deal, number, held or dealt)

    def with_kitty(self, hands: tuple[CardSet, ...]) -> WrittenDeal:
        """Return the deal, with the kitty added if the hands show what it was (3.7).

        If the kitty is part of a mix, hands after the pass do not show what it was.
        """
        rules, named = self.ruleset.rules, self.match.pack.mask
        mask = match_pack(rules, named)
        size = int(hand_size(rules, mask, bool(named)))
        over = CardSet.of_mask(mask)
        for hand in hands:
            over -= hand
        right = [len(hand) for hand in hands] == [size] * rules.players
        told = not rules.mix_kitty or hands == whole(self.deal.dealt)
        wanted = int(kitty_size(rules, mask, size * rules.players))
        if self.deal.kitty is None and right and told and 0 < wanted == len(over):
            return attrs.evolve(self.deal, kitty=over)
        return self.deal

    def grant_hands(self, found: WrittenDeal) -> None:
        """Report the written hands and passes that do not agree with those in `found`.

        Those hands are the ones that the plays show, and the written ones are then
        ignored.
        """
        deal = self.deal
        used = bool(deal.dealt) and found.dealt == deal.dealt
        if deal.position or used or whole(deal.held):
            return
        held = whole(found.held) or self.hands_played().hands
        if not held:
            return
        given, way = passed_by_seat(self.deal), self.way()
        name, none = self.match.seat_text, CardSet()
        told: list[tuple[int, str, CardSet, int]] = []
        for seat, dealt in enumerate(deal.dealt):
            if dealt is not None and (seat in given or way == HOLD):
                kept = dealt - given.get(seat, none)
                told.append((seat, "was not dealt", kept, seat))
        for seat, cards in given.items() if way in TO_A_SIDE else ():
            to = given_to(deal, way, seat, self.ruleset.players)
            told.append((seat, "did not pass", cards, to))
        for seat, said in enumerate(deal.held):
            told.append((seat, "did not hold", said or none, seat))
        for seat, what, cards, now in told:
            for card in cards - held[now]:
                self.grant(f"{name(seat)} {what} {card}, {played_by(card, held, name)}")

    def grant_order(self) -> None:
        """Report the tricks that list their cards `out_of_turn`.

        It is assumed that the cards were played in turn.
        """
        mixed = [*map(str, out_of_turn(self.ruleset, self.deal.tricks))]
        if mixed:
            one = "trick" if len(mixed) == 1 else "tricks"
            self.grant(f"the cards of {one} {listed(mixed)} were played in turn")

    def grant(self, what: str) -> None:
        """Add an assumption to those that are reported, unless it is already there."""
        if what not in self.granted:
            self.granted.append(what)

    def number(self) -> int:
        """The deal's number: as written, or inferred from the last deal or the pass."""
        if self.deal.number is not None:
            return self.deal.number
        after = self.next_number()
        return self.unnumbered() if after is None else after

    def unnumbered(self) -> int:
        """The number to assume for a deal if no earlier deal is known: 1 if possible.

        If the pass fits deal 1, but the totals are neither 0 before the deal nor those
        that its score alone would give after it, it is the number of the next deal with
        the same pass, if there is one.
        """
        deal, rules = self.deal, self.ruleset.rules
        # Between two players, the cards do not tell left from right
        first = self.passed_as_written(1) if rules.players == 2 else self.played_as(1)
        begins = self.match.begins or deal.before == (0,) * rules.players
        if first > 1 or begins or not (deal.score and deal.totals):
            return first
        if deal.totals == new_totals(rules, (0,) * rules.players, deal.score):
            return 1
        number = 1 + max(1, len(cycle_at_table(rules)))  # without a pass, any will do
        if not rules.has_limit and number > rules.deals:
            return 1
        self.grant(f"it is deal {number}, since its totals are not its score")
        return number

    def way(self) -> int:
        """The direction in which cards were passed, as an entry in the pass cycle."""
        return int(pass_of_deal(self.ruleset.rules, self.played_as(self.number())))

    def next_number(self) -> int | None:
        """The number after the previous deal's, or None if no deal came before."""
        return None if self.last_number is None else self.last_number + 1

    def played_as(self, number: int) -> int:
        """Return `number`, or the number of a later deal if the pass went another way.

        That is the next deal whose pass is the one that is written down. If the cards
        were passed as deal `number` requires, a written direction that says otherwise
        is ignored. Between two players, left, right and across are the same.
        """
        rules, word = self.ruleset.rules, self.deal.direction
        due = int(pass_of_deal(rules, number))
        if not word or self.went(due):
            return number
        if rules.players == 2 and {due, PASSES[word]} <= {*TO_A_SIDE}:
            return number
        return self.passed_as_written(number)

    def passed_as_written(self, number: int) -> int:
        """The number of the next deal, from `number` on, with the pass written down.

        If there is none, or no pass is written down, the result is `number`.
        """
        rules, word = self.ruleset.rules, self.deal.direction
        for other in range(number, number + len(cycle_at_table(rules))):
            if word and int(pass_of_deal(rules, other)) == PASSES[word]:
                return other
        return number

    def went(self, way: int) -> bool:
        """Whether the hands or the plays show that the cards were passed this way."""
        dealt, given = whole(self.deal.dealt), passed_by_seat(self.deal)
        held = whole(self.deal.held) or self.hands_played().hands
        if not dealt or way not in TO_A_SIDE:
            return False
        if held and not given:
            return bool(self.passes(way, dealt, held))
        if len(given) < len(dealt):
            return False
        hands = [hand - given[seat] for seat, hand in enumerate(dealt)]
        for seat, cards in given.items():
            hands[given_to(self.deal, way, seat, len(dealt))] |= cards
        if held:
            return tuple(hands) == held
        played = self.played()
        came = any(card not in dealt[seat] for seat, card in played)
        return came and all(card in hands[seat] for seat, card in played)

    def dealer(self) -> int:
        """The dealer: as the record tells, or else whoever sits right of the leader."""
        dealer = self.told_dealer()
        if dealer is None:
            self.grant_lead()
            dealer = int(right_of(self.leader(), self.ruleset.players))
            self.grant(f"{self.match.seat_text(dealer)} dealt")
        return dealer

    def told_dealer(self) -> int | None:
        """The dealer, as written or as it follows from the previous deal, or None.

        Deal 1 begins another match, so its dealer does not follow from a previous deal.
        """
        if self.deal.dealer is not None:
            return self.deal.dealer
        if self.before is None or self.before.dealer is None or self.number() == 1:
            return None
        dealer, players = self.before.dealer, self.ruleset.players
        later = max(1, self.number() - (self.last_number or 0))
        for _ in range(later % players):
            dealer = int(next_dealer(dealer, players))
        return dealer

    def leader(self) -> int:
        """Who led to the first trick, as `first_lead` finds it."""
        return self.first_lead().seat

    def first_lead(self) -> FirstLead:
        """Who led to the first trick, and whether that is assumed."""
        number = self.deal.number or self.next_number() or 1
        return first_lead(self.ruleset, self.deal, number, self.told_dealer())

    def grant_lead(self) -> None:
        """Report who is assumed to have led first, unless the record shows it."""
        lead = self.first_lead()
        if lead.assumed:
            self.grant(f"{self.match.seat_text(lead.seat)} led first")

    def played(self) -> Played:
        """The seats and cards of the first whole tricks; empty if there is a stock."""
        if self.ruleset.rules.undealt == STOCK or not self.deal.tricks:
            return []
        return cards_in_turn(self.ruleset, self.deal.tricks, self.leader())

    def hands_played(self) -> _HandsPlayed:
        """The hands from which the cards were played.

        They follow if every card of the pack was played or lies in the kitty. Otherwise
        each of them may have held other cards too.
        """
        rules, deal, named = self.ruleset.rules, self.deal, self.match.pack.mask
        if rules.undealt == STOCK:  # as cards are drawn, the tricks do not show them
            why = Malformed("no hands", "the hands and stock", self.where)
            return _HandsPlayed((), deal.kitty, why)
        played, kitty = self.played(), deal.kitty
        numbers = Counter(card for _, card in played)
        mask = match_pack(rules, named)
        pack = CardSet.of_mask(mask)
        dealt = hand_size(rules, mask, bool(named)) * rules.players
        over = pack - CardSet(numbers)
        if over and kitty is None and len(over) == kitty_size(rules, mask, dealt):
            kitty = over
        if len(numbers) == len(played) == dealt and over == (kitty or CardSet()):
            hands: list[list[Card]] = [[] for _ in range(rules.players)]
            for seat, card in played:
                hands[seat].append(card)
            return _HandsPlayed(tuple(map(CardSet, hands)), kitty)
        found = f"{sum(len(one.cards) for one in deal.tricks)} of {dealt} cards"
        twice = [str(card) for card, number in numbers.items() if number > 1]
        strange = [str(card) for card in numbers if card not in pack]
        if twice:
            found = f"{', '.join(twice)} played twice"
        elif strange:
            found = f"{', '.join(strange)}, not in the pack"
        elif len(played) == dealt and kitty is None:
            found = f"{over} left over"
        elif len(played) == dealt:
            found = f"a kitty of {kitty or 'no card'}, with {over or 'no card'} left"
        allowed = "the hands, or every trick of the deal; pack: names a smaller pack"
        missing = Malformed(f"{found}, and no hands", allowed, self.where)
        return _HandsPlayed((), kitty, missing)

    def before_pass(self, way: int, held: tuple[CardSet, ...]) -> tuple[CardSet, ...]:
        """The hands before the pass, or empty unless all passes are known and fit."""
        players, told = self.ruleset.players, whole(self.deal.held)
        given = passed_by_seat(self.deal)
        if way not in TO_A_SIDE or len(given) < players:
            return ()
        came = {given_to(self.deal, way, seat, players): given[seat] for seat in given}
        if not told and any(came[to] - hand for to, hand in enumerate(held)):
            return ()
        return tuple((hand - came[to]) | given[to] for to, hand in enumerate(held))

    def passes(
        self, way: int, dealt: tuple[CardSet, ...], held: tuple[CardSet, ...]
    ) -> tuple[Pass, ...]:
        """The passes, inferred from the hands before and after; empty if unclear."""
        rules = self.ruleset.rules
        if not (dealt and held) or dealt == held or way not in TO_A_SIDE:
            return ()
        seats = range(rules.players)
        given = [dealt[seat] - held[seat] for seat in seats]
        came = [held[seat] - dealt[seat] for seat in seats]
        needed = int(cards_needed(rules, way))
        right = all(
            len(given[seat]) == needed
            and came[given_to(self.deal, way, seat, rules.players)] == given[seat]
            for seat in seats
        )
        return tuple(Pass(seat, given[seat]) for seat in seats) if right else ()

    def after_pass(
        self, deal: WrittenDeal, number: int, hands: tuple[CardSet, ...]
    ) -> WrittenDeal:
        """The deal from its first trick on, for when nothing says what was passed.

        The opening leader is the one that the rules name, whoever is said to have led:
        a position with any other leader is refused (3.12v).
        """
        self.grant("the cards are those held after the pass")
        dealer = self.dealer()
        opens = int(opening_leader(self.ruleset.rules, masks_of(hands), dealer))
        self.grant_lead()
        led = self.leader() if deal.tricks else opens
        if led != opens:  # it is for the judge to say so
            deal = attrs.evolve(deal, course=led_by(led, deal.course))
        setup = Setup(
            dealer=dealer,
            deal=number,
            hands=hands,
            stock=deal.stock,
            kitty=deal.kitty or CardSet(),
            totals=deal.before or None,
            limit_reached=deal.reached,
            leader=opens,
            first_trick=True,
        )
        position = write_position(opened(self.ruleset, setup))
        bare = attrs.evolve(deal, dealt=(), passes=(), mixed=False, held=hands)
        return attrs.evolve(bare, number=number, dealer=setup.dealer, position=position)
