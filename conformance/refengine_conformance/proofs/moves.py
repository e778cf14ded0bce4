"""Theorems that plays, draws, ends of tricks and corrections keep the invariant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from refengine.chapters import draw, play
from refengine.chapters.cards import (
    CLUBS,
    HEARTS,
    QUEEN,
)
from refengine.chapters.layout import Position
from refengine.machine import position
from refengine_conformance.proofs.deal import (
    FRESH,
    SymbolicDeal,
    cases_about_deals,
    is_first_not_out,
    tables_up_to,
    transition_contracts,
)
from refengine_conformance.proofs.symbolic import (
    Bits,
    Number,
    SymbolicFlag,
    a_flag,
    formula_of,
    is_in_range,
    is_one_card,
    is_partition,
    merge_paths,
    merged_functions,
    ranged_number,
    replace_names,
    set_of_one_card,
    term_of,
    term_of_number,
    union_of_sets,
    z3,
)
from refengine_conformance.proofs.theorem import (
    Theorem,
    all_hold,
    any_holds,
    implies,
    is_subset,
    same_cards,
    whole_suits_of,
    z3_flag,
)


def _parts_are_a_partition(deal: SymbolicDeal) -> Any:
    """Claim that hands, stock, kitty, piles and table hold the pack, each card once."""
    hands = [Bits(hand.term & ~deal.played.term) for hand in deal.hands]
    lying = [
        *hands,
        *deal.cards_left_in_stock(deal.position),
        deal.kitty,
        *deal.taken,
        deal.table,
    ]
    return SymbolicFlag(is_partition(lying, deal.pack.term))


def opening_position(deal: SymbolicDeal) -> Position:
    """The first position with the deal's hands, stock and kitty, led by any seat."""
    leader = ranged_number(f"some leader {next(FRESH)}", 0, deal.seats - 1)
    with replace_names(position, opening_leader=lambda rules, hands, dealer: leader):
        return position.first_position(
            deal.rules,
            cast(Any, tuple(deal.hands)),
            cast(Any, deal.stock),
            cast(Any, deal.kitty),
            0,
        )


def _first_position_keeps(deal: SymbolicDeal) -> Any:
    """Claim that the invariant holds in the first position if the pack was dealt.

    The claim covers only deals in which every seat was dealt a card.
    """
    begun = opening_position(deal)
    parts = [
        *deal.hands,
        *[set_of_one_card(one) for one in deal.stock],
        deal.kitty,
    ]
    dealt = z3_flag(
        *[hand.term != 0 for hand in deal.hands],
        is_partition(parts, deal.pack.term),
    )
    return implies(dealt, SymbolicFlag(deal.invariant_holds(begun)))


def _draw_keeps(deal: SymbolicDeal) -> Any:
    """Claim that a draw keeps the invariant."""
    return SymbolicFlag(deal.invariant_holds(position.after_draw(deal.position)))


def stock_left(deal: SymbolicDeal) -> list[Any]:
    """The assumption that the stock still holds a card, as a list."""
    return [deal.drawn.term < 2]


def play_card(deal: SymbolicDeal, **stand_ins: Any) -> Position | dict[str, Any]:
    """The position after `card` is played or, if it completes a trick, that trick.

    The trick is returned as the keyword arguments that `after_play` passes to
    `_after_trick`. Functions called on the way are replaced by
    `transition_contracts`, or by the stand-ins given.
    """
    completed: list[dict[str, Any]] = []

    def record(rules: Any, before: Any, **trick: Any) -> Any:
        completed.append(trick)
        return before

    contracts = transition_contracts(deal) | stand_ins
    with replace_names(position, _after_trick=record, **contracts):
        after = position.after_play(deal.rules, deal.position, cast(Any, deal.card))
    return completed[0] if completed else after


def _play_keeps(deal: SymbolicDeal) -> Any:
    """Claim that a play keeps the invariant, or passes on the trick that it completes.

    What `after_play` passes to `_after_trick` must be right: the cards played, the
    cards of the trick, the seats without cards, and one of the seats as the winner.
    """
    after = play_card(deal)
    if isinstance(after, Position):
        return SymbolicFlag(deal.invariant_holds(after))
    played = deal.played.term | deal.card.term
    return z3_flag(
        term_of(after["out"]) == deal.empty_hands(played),
        term_of(after["played"]) == played,
        term_of(after["trick"]) == deal.table.term | deal.card.term,
        z3.Or(*[term_of_number(after["winner"]) == seat for seat in deal.places]),
    )


def trick_end(deal: SymbolicDeal, *real: str) -> Position:
    """The position that the real `_after_trick` returns once `card` completes a trick.

    The functions that it calls are replaced by their contracts, except for those of
    `play` that are named in `real`.
    """
    stand_ins = transition_contracts(deal)
    stand_ins |= merged_functions(play, real)
    with replace_names(position, **stand_ins):
        trick: dict[str, Any] = {
            "played": deal.played | deal.card,
            "trick": deal.table | deal.card,
            "best": deal.best,
            "winner": deal.winner,
            "broken": deal.broken,
            "out": Bits(deal.empty_hands(deal.played.term | deal.card.term)),
        }
        return position._after_trick(deal.rules, deal.position, **trick)


def _trick_end_keeps(deal: SymbolicDeal) -> Any:
    """Claim that the end of a trick keeps the invariant."""
    return SymbolicFlag(deal.invariant_holds(trick_end(deal)))


def _sets_are(sets: Iterable[Any], wanted: Iterable[Any]) -> list[Any]:
    """For each of these sets, the formula that it is the one wanted in its place."""
    pairs = zip(sets, wanted, strict=True)
    return [term_of(found) == term_of(right) for found, right in pairs]


def _numbers_are(numbers: Iterable[Any], wanted: Iterable[Any]) -> list[Any]:
    """For each of these numbers, the formula that it is the one wanted in its place."""
    pairs = zip(numbers, wanted, strict=True)
    return [term_of_number(found) == term_of_number(right) for found, right in pairs]


def _only_card_is_played(deal: SymbolicDeal, after: Position) -> list[Any]:
    """The formulas that `card` has been played, and hands and stock are as before.

    A card played stays in its hand, which holds every card that the seat ever held. The
    position no longer shows which cards the seat drew in this turn.
    """
    return [
        term_of(after.played) == deal.played.term | deal.card.term,
        *_sets_are([hand.cards for hand in after.hands], deal.hands),
        *_numbers_are(after.talon.stock, deal.stock),
        term_of_number(after.talon.drawn) == deal.drawn.term,
        term_of(after.drew) == 0,
    ]


def _trick_is_taken(deal: SymbolicDeal) -> Any:
    """Claim that a completed trick goes to its winner's pile.

    The hands and the stock do not change. The winner has one more trick, the next
    trick does not count as the first, and the position shows no card as just drawn.
    `_kitty_arrives` says who gets a kitty.
    """
    after = trick_end(deal)
    trick = deal.table.term | deal.card.term
    piles = [
        Bits(z3.If(deal.winner.term == seat, pile.term | trick, pile.term))
        for seat, pile in enumerate(deal.taken)
    ]
    tricks = [
        Number(z3.If(deal.winner.term == seat, number.term + 1, number.term))
        for seat, number in enumerate(deal.tricks)
    ]
    return z3_flag(
        *_only_card_is_played(deal, after),
        term_of(after.table) == 0,
        *_sets_are(after.piles.taken, piles),
        *_numbers_are(after.piles.tricks, tricks),
        term_of_number(after.piles.done) == deal.done.term + 1,
        z3.Not(formula_of(after.piles.first)),
    )


def _one_card_moves(deal: SymbolicDeal) -> Any:
    """Claim that a play within a trick puts `card` on the table and moves nothing else.

    The position no longer shows which cards the seat drew in this turn.
    """
    after = play_card(deal)
    if not isinstance(after, Position):
        return True
    return z3_flag(
        *_only_card_is_played(deal, after),
        term_of(after.table) == deal.table.term | deal.card.term,
        *_sets_are(after.piles.taken, deal.taken),
        *_numbers_are(after.piles.tricks, deal.tricks),
        term_of_number(after.piles.done) == deal.done.term,
        formula_of(after.piles.first) == deal.first.formula,
        term_of(after.talon.kitty) == deal.kitty.term,
        term_of_number(after.talon.kitty_to) == deal.kitty_to.term,
    )


def _highest(cards: Bits, best: Bits) -> Any:
    """Whether `best` is one card, and the highest of `cards`."""
    others = cards.term & ~best.term
    is_among = is_subset(best, cards).formula
    return z3.And(is_one_card(best), is_among, z3.ULT(others, best.term))


def _wins(deal: SymbolicDeal) -> Any:
    """Claim that `best` is the highest card of the suit led, and `winner` played it."""
    after = play_card(deal)
    if isinstance(after, Position):
        best: Any = after.best
        winner: Any = after.winner
    else:
        best, winner = after["best"], after["winner"]
    leads = deal.led.term == 0
    led = z3.If(leads, whole_suits_of(deal.card), deal.led.term)
    takes = z3.Or(leads, term_of(best) == deal.card.term)
    claims = [
        _highest((deal.table | deal.card) & Bits(led), Bits(term_of(best))),
        term_of_number(winner) == z3.If(takes, deal.turn.term, deal.winner.term),
    ]
    if isinstance(after, Position):
        claims.append(term_of(after.led) == led)
    return z3_flag(*claims)


def _best_so_far(deal: SymbolicDeal) -> list[Any]:
    """The assumptions of `in_hand`, and that `best` is the best card of the trick.

    That is the highest card of the suit led. If no card has been led, nothing is
    assumed about `best`.
    """
    highest = _highest(deal.table & deal.led, deal.best)
    return [*deal.in_hand(), z3.Implies(deal.led.term != 0, highest)]


def _breaks(deal: SymbolicDeal) -> Any:
    """Claim that a play breaks hearts if it is a heart or, by an option, the queen.

    The option is queen_breaks_hearts. No other card breaks hearts, and hearts once
    broken stay broken.
    """
    after = play_card(deal, **merged_functions(position, ["breaks_hearts"]))
    broken: Any = (
        after.hearts_broken if isinstance(after, Position) else after["broken"]
    )
    queen = all_hold(
        SymbolicFlag(deal.options.has_value("queen_breaks_hearts", True)),
        same_cards(deal.card, QUEEN),
    )
    return SymbolicFlag(formula_of(broken)) == any_holds(
        deal.broken, is_subset(deal.card, HEARTS), queen
    )


def _taking_back_keeps(deal: SymbolicDeal) -> Any:
    """Claim that taking a card back keeps the invariant.

    A hand that held a card before the play may since have grown by cards drawn.
    """
    now = SymbolicDeal(deal.seats, "now ")
    back = position.taken_back(deal.position, now.position)
    drawn = _drawn_since(deal, now)
    grown = [
        z3.And(
            is_subset(old, new).formula,
            (new.term & ~old.term) & ~drawn == 0,
            z3.Implies(old.term & ~deal.played.term == 0, old.term == new.term),
        )
        for old, new in zip(deal.hands, now.hands, strict=True)
    ]
    since = z3_flag(
        now.invariant_holds(now.position),
        *grown,
        *[old.term == new.term for old, new in zip(deal.stock, now.stock, strict=True)],
        now.kitty.term == deal.kitty.term,
        now.drawn.term >= deal.drawn.term,
        is_in_range(now.drawn, 0, 2),
    )
    return implies(since, SymbolicFlag(deal.invariant_holds(back)))


def _drawn_since(deal: SymbolicDeal, now: SymbolicDeal) -> Any:
    """The cards drawn from the stock after `deal` and before `now`, as a term."""
    none = term_of(0)
    cards = none
    for place, number in enumerate(deal.stock):
        drawn = z3.And(deal.drawn.term <= place, now.drawn.term > place)
        cards = cards | z3.If(drawn, set_of_one_card(number).term, none)
    return cards


def _opens(deal: SymbolicDeal) -> Any:
    """Claim that the opening leader is the seat that holds the lowest club of all.

    If opening_leader is `left_of_dealer`, or nobody holds a club, it is instead the
    dealer's left neighbour.
    """
    dealer = int(deal.winner)  # any seat
    neighbour = (dealer + 1) % deal.seats
    hands = cast(Any, tuple(deal.hands))
    leader = int(play.opening_leader(deal.rules, hands, dealer))
    clubs = union_of_sets(deal.hands) & CLUBS
    lowest = clubs & -clubs
    left_leads = deal.options.has_value("opening_leader", "left_of_dealer")
    holds_lowest = deal.hands[leader].term & lowest != 0
    return z3_flag(
        z3.If(
            z3.Or(left_leads, clubs == 0),
            z3.BoolVal(leader == neighbour),
            holds_lowest,
        )
    )


def _plays_next(deal: SymbolicDeal) -> Any:
    """Claim that `next_to_play` returns the next seat that is not out."""
    rules = deal.rules
    seat = int(deal.turn)
    after = int(play.next_to_play(rules, seat, cast(Any, deal.out)))
    step = -1 if rules.counterclockwise else 1
    places = (after - seat) * step % deal.seats
    if places == 0:  # the turn went all round
        places = deal.seats
    skipped = [(seat + step * place) % deal.seats for place in range(1, places)]
    return SymbolicFlag(is_first_not_out(deal.out, skipped, after))


def _leads_next(deal: SymbolicDeal) -> Any:
    """Claim that `next_leader` returns the first seat not out, beginning at the winner.

    From the winner, the seats are tried in turn to the left.
    """
    winner = int(deal.winner)
    leader = int(draw.next_leader(winner, cast(Any, deal.out), deal.seats))
    places = (leader - winner) % deal.seats
    skipped = [(winner + place) % deal.seats for place in range(places)]
    return SymbolicFlag(is_first_not_out(deal.out, skipped, leader))


def _wins_kitty(deal: SymbolicDeal, trick: Any, first: Any, last: Any) -> Any:
    """Whether this trick wins a kitty not yet taken, under clauses 5.13 and 5.13a."""
    has = deal.options.has_value
    return z3.And(
        deal.kitty.term != 0,
        deal.kitty_to.term < 0,
        z3.Or(
            z3.And(has("kitty_to", "first_points"), trick & deal.options.penalty != 0),
            z3.And(has("kitty_to", "first_trick"), first),
            z3.And(has("kitty_to", "last_trick"), last),
        ),
    )


def _kitty_goes(deal: SymbolicDeal) -> Any:
    """Claim that `takes_kitty` is true exactly when this trick wins a kitty."""
    last = a_flag("last trick")
    took = play.takes_kitty(
        deal.rules,
        deal.position.talon,
        cast(Any, deal.table),
        cast(Any, deal.first),
        cast(Any, last),
    )
    wins = _wins_kitty(deal, deal.table.term, deal.first.formula, last.formula)
    return SymbolicFlag(formula_of(took) == wins)


def counting_in_hands(deal: SymbolicDeal, played: Any) -> Any:
    """The penalty and bonus cards in the hands, less those in `played`, as a term."""
    counting = deal.options.penalty | deal.options.bonus
    return union_of_sets(deal.hands) & counting & ~term_of(played)


def _points_left(deal: SymbolicDeal) -> Any:
    """Claim that `no_points_left` holds exactly when clause 5.14a ends play."""
    hands = deal.position.hands
    ends = play.no_points_left(deal.rules, hands, cast(Any, deal.played))
    early = deal.options.has_value("deal_ends", "no_points_left")
    none = counting_in_hands(deal, deal.played) == 0
    return SymbolicFlag(formula_of(ends) == z3.And(early, none))


def _kitty_arrives(deal: SymbolicDeal) -> Any:
    """Claim that the kitty goes to the winner of the trick if the trick wins it.

    Otherwise the kitty stays where it is.
    """
    after = trick_end(deal, "takes_kitty", "no_points_left")
    last = term_of_number(after.turn) < 0
    trick = deal.table.term | deal.card.term
    wins = _wins_kitty(deal, trick, deal.first.formula, last)
    to = z3.If(wins, deal.winner.term, deal.kitty_to.term)
    return z3_flag(
        term_of_number(after.talon.kitty_to) == to,
        term_of(after.talon.kitty) == deal.kitty.term,
    )


def _not_overdue(deal: SymbolicDeal) -> Any:
    """Claim that, unless a kitty is overdue before a trick, none is after the trick.

    Whether it is overdue is decided by `play.kitty_is_overdue`.
    """
    after = trick_end(deal, "takes_kitty", "no_points_left")

    def overdue(where: Position) -> Any:
        to = term_of_number(where.talon.kitty_to)
        lies = z3.If(to < 0, term_of(where.talon.kitty), term_of(0))
        is_overdue = merge_paths(play.kitty_is_overdue)
        return formula_of(is_overdue(deal.rules, Bits(lies), where.piles.first))

    before = SymbolicFlag(z3.Not(overdue(deal.position)))
    return implies(before, SymbolicFlag(z3.Not(overdue(after))))


def _not_over(deal: SymbolicDeal) -> Any:
    """Claim that no trick is led in a deal that should have ended before it."""
    after = trick_end(deal, "takes_kitty", "no_points_left")
    held = Bits(union_of_sets(deal.hands) & ~term_of(after.played))
    over = merge_paths(play.ended_before)(
        deal.rules, held, after.table, after.piles.first
    )
    leads = SymbolicFlag(term_of_number(after.turn) >= 0)
    return implies(leads, SymbolicFlag(z3.Not(formula_of(over))))


def theorems() -> list[Theorem]:
    """The theorems about the invariant that transitions keep and about what they do."""
    in_hand = SymbolicDeal.in_hand
    return [
        Theorem(
            "hands, stock, kitty, table and cards taken make up the pack",
            ("0.9", "5.11", "5.13"),
            cases_about_deals(_parts_are_a_partition),
        ),
        Theorem(
            "the first position has all the pack",
            ("3.11",),
            cases_about_deals(_first_position_keeps),
        ),
        Theorem(
            "a draw keeps all the pack",
            ("6.4",),
            cases_about_deals(_draw_keeps, stock_left),
        ),
        Theorem(
            "a play keeps all the pack",
            ("5.12",),
            cases_about_deals(_play_keeps, in_hand),
        ),
        Theorem(
            "the end of a trick keeps all the pack",
            ("5.11", "5.13", "5.14"),
            cases_about_deals(_trick_end_keeps, in_hand),
        ),
        Theorem(
            "taking a card back keeps all the pack",
            ("7.5", "7.5a"),
            cases_about_deals(_taking_back_keeps),
        ),
        Theorem(
            "a play moves exactly one card",
            ("5.12",),
            cases_about_deals(_one_card_moves, in_hand),
        ),
        Theorem(
            "the winner takes the trick, and nothing else is taken",
            ("5.11",),
            cases_about_deals(_trick_is_taken, in_hand),
        ),
        Theorem(
            "the highest card of the suit led wins",
            ("5.10", "5.3"),
            cases_about_deals(_wins, _best_so_far),
        ),
        Theorem(
            "hearts are broken by a heart, or by the queen where the rules say so",
            ("5.9", "5.9a"),
            cases_about_deals(_breaks, in_hand),
        ),
        Theorem(
            "the lowest club opens, or without one the seat left of the dealer",
            ("5.1", "5.1a"),
            tables_up_to(4, cases_about_deals(_opens)),
        ),
        Theorem(
            "the turn goes to the next seat that is not out",
            ("2.2", "5.12"),
            cases_about_deals(_plays_next),
        ),
        Theorem(
            "the winner leads, or the nearest seat to the left",
            ("5.11", "6.7"),
            cases_about_deals(_leads_next),
        ),
        Theorem(
            "the kitty goes with the first trick with a penalty card, or by place",
            ("5.13", "5.13a", "1.4"),
            cases_about_deals(_kitty_goes),
        ),
        Theorem(
            "whoever wins the trick that wins the kitty has it, and nobody else",
            ("5.13", "5.13a"),
            cases_about_deals(_kitty_arrives, in_hand),
        ),
        Theorem(
            "play never leaves a kitty lying that the first trick wins",
            ("3.12c", "5.13a"),
            cases_about_deals(_not_overdue, in_hand),
        ),
        Theorem(
            "play may end early exactly where no hand holds a card that counts",
            ("5.14a", "1.4", "1.7"),
            cases_about_deals(_points_left),
        ),
        Theorem(
            "play never goes on to a lead in a deal that would be over",
            ("3.12b", "5.14a"),
            cases_about_deals(_not_over, in_hand),
        ),
    ]
