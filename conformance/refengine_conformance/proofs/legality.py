"""What one decision allows: chapters 5 and 6 for every hand and trick."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, cast

from refengine.chapters import draw, play
from refengine.chapters.cards import (
    ACE_OR_KING_OF_SPADES,
    CLUBS,
    HEARTS,
    QUEEN,
    SPADES,
    penalty_cards,
)
from refengine.chapters.layout import Position
from refengine.chapters.settings import Rules
from refengine.chapters.table import PLAYING
from refengine.machine import judging, position
from refengine.machine.core import Core
from refengine_conformance.proofs.decision import (
    Decision,
    decision_theorem,
    penalty_contract,
)
from refengine_conformance.proofs.lines import answer_of_function
from refengine_conformance.proofs.symbolic import (
    Bits,
    Number,
    SymbolicFlag,
    a_number,
    formula_of,
    is_in_range,
    is_one_card,
    merge_clause_functions,
    merge_paths,
    replace_names,
    set_of_one_card,
    term_of,
    z3,
)
from refengine_conformance.proofs.theorem import (
    Theorem,
    TheoremCase,
    Unread,
    all_hold,
    any_holds,
    cards_in_model,
    implies,
    is_subset,
    same_cards,
    unread_fields,
    z3_flag,
)

_CONDITIONS: Final = {"5.7", "6.1", "6.2"}  # judged before any narrowing clause


def _something_legal(it: Decision) -> Any:
    """Claim that a card is legal or a draw is due."""
    return any_holds(~same_cards(it.legal, 0), it.draws)


def _draw_or_play(it: Decision) -> Any:
    """Claim that no card is legal if and only if a draw is due."""
    return same_cards(it.legal, 0) == it.draws


def _in_hand(it: Decision) -> Any:
    """Claim that every legal card is in the hand."""
    return is_subset(it.legal, it.hand)


def queen_is_owed(it: Decision) -> SymbolicFlag:
    """Whether clause 5.6 obliges the seat to play the queen."""
    outranked = all_hold(
        same_cards(it.led, SPADES),
        SymbolicFlag((it.trick & ACE_OR_KING_OF_SPADES).term != 0),
    )
    return all_hold(
        it.is_("queen_duty", "when_safe"),
        ~it.leading,
        it.hand & QUEEN,
        any_holds(same_cards(it.hand & it.led, 0), outranked),
    )


def points_are_barred(it: Decision) -> SymbolicFlag:
    """Whether clause 5.5 bars points from this trick."""
    return all_hold(it.first, it.is_("first_trick_points", "barred"))


def queen_has_to_wait(it: Decision) -> SymbolicFlag:
    """Whether clause 5.5b forbids playing the queen while other cards are left."""
    led = all_hold(it.leading, it.is_("queen_waits", "lead"))
    return all_hold(~it.broken, any_holds(led, it.is_("queen_waits", "play")))


def without_waiting_queen(it: Decision, cards: Any) -> Bits:
    """The `cards`, without the queen if she has to wait and is not the only card."""
    others = term_of(cards) & ~term_of(QUEEN)
    waits = z3.And(queen_has_to_wait(it).formula, others != 0)
    return Bits(z3.If(waits, others, term_of(cards)))


def _queen_or(it: Decision, cards: Any) -> Bits:
    """The `cards` without a queen who has to wait, or the queen alone if she is owed.

    The duty has no effect if she is not among the cards that are left.
    """
    left = without_waiting_queen(it, cards)
    goes = all_hold(queen_is_owed(it), left & QUEEN)
    return Bits(z3.If(goes.formula, term_of(QUEEN), left.term))


def _follows(it: Decision) -> Any:
    """Claim that a seat able to follow suit must do so, with any card of the suit.

    Only 5.5, 5.5b and 5.6 may restrict its choice.
    """
    followers = it.hand & it.led
    legal = it.legal
    return implies(
        followers,
        all_hold(
            is_subset(legal, followers),
            any_holds(
                same_cards(legal, _queen_or(it, followers)), points_are_barred(it)
            ),
        ),
    )


def _cannot_follow(it: Decision) -> Any:
    """Claim that a seat unable to follow or draw may play any card.

    Only 5.5, 5.5b and 5.6 may restrict its choice.
    """
    free = all_hold(~it.leading, same_cards(it.hand & it.led, 0), ~it.stock)
    return implies(
        all_hold(free, ~points_are_barred(it)),
        same_cards(it.legal, _queen_or(it, it.hand)),
    )


def hearts_are_held_back(it: Decision) -> SymbolicFlag:
    """Whether clause 5.4 forbids leading hearts while another card is left."""
    return all_hold(it.leading, it.is_("heart_leads", "when_broken"), ~it.broken)


def _heart_leads(it: Decision) -> Any:
    """Claim that hearts held back may be led only by a seat with nothing but hearts.

    There is one exception, under 5.4b.
    """
    escape = all_hold(
        it.is_("hearts_or_queen_leader", "any"),
        ~it.drew,
        is_subset(it.hand, HEARTS | QUEEN),
    )
    led = all_hold(
        hearts_are_held_back(it),
        SymbolicFlag((Bits(term_of(it.legal)) & HEARTS).term != 0),
    )
    return implies(led, any_holds(is_subset(it.hand, HEARTS), escape))


def _only_hearts(it: Decision) -> Any:
    """Claim that a leader with only hearts, who need not draw, may lead any of them."""
    lead = any_holds(it.is_("all_hearts_leader", "lead"), ~it.stock)
    hearts = all_hold(hearts_are_held_back(it), is_subset(it.hand, HEARTS), lead)
    return implies(hearts, same_cards(it.legal, it.hand))


def _hearts_and_queen(it: Decision) -> Any:
    """Claim which leads are legal for a leader who holds only hearts and the queen.

    If hearts are held back, such a leader must lead the queen or may lead any card, as
    5.4b says. The claim that any card may be led covers only tricks in which 5.5 bars
    no points, and excepts a queen who has to wait (5.5b).
    """
    held = all_hold(
        hearts_are_held_back(it), is_subset(it.hand, HEARTS | QUEEN), it.hand & QUEEN
    )
    choice = all_hold(it.is_("hearts_or_queen_leader", "any"), ~it.drew)
    legal = it.legal
    return all_hold(
        implies(all_hold(held, ~choice), same_cards(legal, QUEEN)),
        implies(
            all_hold(held, choice, ~points_are_barred(it)),
            same_cards(legal, without_waiting_queen(it, it.hand)),
        ),
    )


def _free_leads(it: Decision) -> Any:
    """Claim that a leader not bound by 5.4 may lead any card after the first trick.

    Only 5.5b may still hold the queen back.
    """
    free = all_hold(it.leading, ~it.first, ~hearts_are_held_back(it))
    return implies(free, same_cards(it.legal, without_waiting_queen(it, it.hand)))


def _openings(it: Decision) -> Any:
    """Claim that an opening leader with clubs must lead the lowest, or may lead any.

    Which of the two depends on `opening_card`. A leader who has drawn is not covered.
    """
    clubs = it.hand & CLUBS
    opening = all_hold(it.leading, it.first, ~it.drew, clubs)
    legal = it.legal
    return all_hold(
        implies(
            all_hold(opening, it.is_("opening_card", "lowest_club")),
            same_cards(legal, clubs & -clubs),
        ),
        implies(
            all_hold(opening, it.is_("opening_card", "any_club")),
            same_cards(legal, clubs),
        ),
    )


def _no_points(it: Decision) -> Any:
    """Claim that barred points are legal only if 5.2 to 5.4 leave nothing but points.

    If a barred card is legal, every legal card is a penalty card.
    """
    legal = Bits(term_of(it.legal))
    left = _left_by(it, ("5.2", "5.3", "5.4"))
    penalty = Bits(it.options.penalty)
    return implies(
        all_hold(points_are_barred(it), legal & penalty),
        all_hold(is_subset(left, penalty), is_subset(legal, penalty)),
    )


def _queen_duty(it: Decision) -> Any:
    """Claim that an owed queen, neither barred nor waiting, is the only legal card."""
    bar = all_hold(points_are_barred(it), is_subset(QUEEN, Bits(it.options.penalty)))
    owed = all_hold(queen_is_owed(it), ~it.draws, ~bar, ~queen_has_to_wait(it))
    return implies(owed, same_cards(it.legal, QUEEN))


_COSTS_OF_SPADES: Final = ("queen_points", "king_points", "ace_points")
_BEFORE_5_5B: Final = ("5.2", "5.3", "5.4", "5.5")


def _queen_waits(it: Decision) -> Any:
    """Claim that a queen who must wait is legal only if 5.2 to 5.5 leave nothing else.

    If they leave other cards, all of these are legal, even if the queen is owed.
    """
    left = _left_by(it, _BEFORE_5_5B)
    waits = all_hold(queen_has_to_wait(it), ~it.draws)
    return implies(waits, same_cards(it.legal, without_waiting_queen(it, left)))


def _queen_need_not_wait(it: Decision) -> Any:
    """Claim that 5.5b matters only if a queen has to wait, and never affects draws."""
    freed = it.options.rules(4, queen_waits="no")
    draws = merge_paths(draw.draw_is_due)(freed, it.position)
    waits = all_hold(queen_has_to_wait(it), it.hand & QUEEN)
    return all_hold(
        it.draws == SymbolicFlag(formula_of(draws)),
        any_holds(waits, same_cards(it.legal, position.playable(freed, it.position))),
    )


def _draws_due(it: Decision) -> Any:
    """Claim that a draw is due exactly when 6.1 or 6.2 calls for one."""
    follower = all_hold(~it.leading, same_cards(it.hand & it.led, 0))
    leader = all_hold(
        hearts_are_held_back(it),
        is_subset(it.hand, HEARTS),
        it.is_("all_hearts_leader", "draw"),
    )
    return it.draws == all_hold(it.stock, any_holds(follower, leader))


def _card_that_comes(it: Decision) -> Any:
    """Claim that a drawn card that ends the drawing is the only legal card.

    `card` is drawn into a hand that could not follow suit before, or that had nothing
    but hearts to lead while hearts were held back.
    """
    drawn = it.card
    after = it.at(it.hand | drawn, SymbolicFlag(z3.BoolVal(True)))
    follows = all_hold(~it.leading, same_cards(it.hand & it.led, 0), drawn & it.led)
    leads = all_hold(
        hearts_are_held_back(it),
        is_subset(it.hand, HEARTS),
        same_cards(drawn & HEARTS, 0),
    )
    ends = all_hold(SymbolicFlag(is_one_card(drawn)), any_holds(follows, leads))
    return implies(ends, same_cards(position.playable(it.rules, after), drawn))


def _clauses_ruling_out(it: Decision, card: Any) -> dict[str, SymbolicFlag]:
    """For each narrowing clause, whether it rules `card` out (0.7a)."""
    ruled_out: dict[str, SymbolicFlag] = {}
    allowed: Any = it.hand
    for number, narrow in position.NARROWING:
        asked: Any = Bits(term_of(allowed) | card.term)
        kept = narrow(it.rules, it.position, asked)
        ruled_out[number] = same_cards(Bits(term_of(kept)) & card, 0)
        allowed = narrow(it.rules, it.position, allowed)
    return ruled_out


def _named_rule_card_out(it: Decision) -> Any:
    """Claim that `narrowing_broken` names the narrowing clauses that rule `card` out.

    It names them in their order. Unless a draw is due, it names none if and only if the
    card is legal.
    """
    named = position.narrowing_broken(it.rules, it.position, cast(Any, it.card))
    ruled_out = _clauses_ruling_out(it, it.card)
    in_order = [number for number in ruled_out if number in named]
    return all_hold(
        any_holds(
            it.draws,
            SymbolicFlag(z3.BoolVal(not named)) == is_subset(it.card, it.legal),
        ),
        *[
            SymbolicFlag(z3.BoolVal(number in named)) == flag
            for number, flag in ruled_out.items()
        ],
        z3_flag(z3.BoolVal(list(named) == in_order)),
    )


def _merged_clause(number: str, it: Decision) -> Callable[[Any], Any]:
    """The function of a clause at this decision, with its paths merged.

    It takes the allowed cards and returns those that the clause leaves.
    """
    return merge_paths(lambda allowed: answer_of_function(number, it, allowed))


def _left_by(it: Decision, numbers: Sequence[str]) -> Any:
    """The cards of the hand that these clauses leave, applied one after another."""
    left: Any = it.hand
    for number in numbers:
        left = _merged_clause(number, it)(left)
    return left


def _leaves_some(number: str) -> Callable[[Decision], Any]:
    """The claim that a narrowing clause leaves some allowed cards and adds none."""

    def claim(it: Decision) -> Any:
        left = answer_of_function(number, it, it.allowed)
        return all_hold(SymbolicFlag(term_of(left) != 0), is_subset(left, it.allowed))

    return claim


def _table_is_followed(it: Decision) -> Any:
    """Claim that the legal cards are those left by all of `NARROWING` in its order.

    Each entry must leave what the function of its clause leaves. If a draw is due,
    nothing is claimed about which cards are legal.
    """
    left: Any = it.hand
    claims = []
    for number, narrow in position.NARROWING:
        before = left
        left = narrow(it.rules, it.position, before)
        claims.append(same_cards(left, _merged_clause(number, it)(before)))
    return all_hold(*claims, any_holds(it.draws, same_cards(it.legal, left)))


def _costs_hidden(rules: Rules) -> Rules:
    """The `rules`, with `Unread` in each field that says what a card costs."""
    costs = ("heart_points", "hearts_cost_face", *_COSTS_OF_SPADES)
    fields: dict[str, Any] = vars(rules) | {name: Unread(name) for name in costs}
    return Rules(**fields)


def _costs_unread(it: Decision) -> Any:
    """Claim that, if the first trick may have points, no narrowing clause reads costs.

    A cost is how many points a card costs. The clauses about draws read none, whatever
    the ruleset.
    """
    rules = it.options.rules(4, first_trick_points="allowed")
    without_costs = _costs_hidden(rules)
    allowed = cast(Any, it.allowed)
    due = merge_paths(draw.draw_is_due)(_costs_hidden(it.rules), it.position)
    with replace_names(play, penalty_cards=penalty_cards):  # the real one reads costs
        return all_hold(
            SymbolicFlag(formula_of(due)) == it.draws,
            *[
                same_cards(
                    narrow(without_costs, it.position, allowed),
                    narrow(rules, it.position, allowed),
                )
                for _, narrow in position.NARROWING
            ],
        )


def _named_by_judge(it: Decision, number: Number) -> Any:
    """Claim that the judge names exactly those of 5.7, 6.1 and 6.2 that a play breaks.

    If it breaks none of them, the judge names only narrowing clauses, and none if and
    only if the play is legal. Seat 0, whose turn it is, plays the card of this number,
    which need not be in the hand. If seat 1 plays it instead, only 2.3 is broken.
    """
    core = _core_of(it)
    card = set_of_one_card(number)
    held = is_subset(card, it.hand)
    follower = all_hold(it.draws, ~it.leading)
    leader = all_hold(it.draws, it.leading)
    in_turn = set(judging.play_breaks(core, 0, cast(Any, number)))
    claims = [
        SymbolicFlag(z3.BoolVal("5.7" in in_turn)) == ~held,
        SymbolicFlag(z3.BoolVal("6.1" in in_turn)) == follower,
        SymbolicFlag(z3.BoolVal("6.2" in in_turn)) == leader,
        SymbolicFlag(z3.BoolVal(not in_turn)) == is_subset(card, it.legal),
    ]
    narrowing = {clause for clause, _ in position.NARROWING}
    may_be_named = _CONDITIONS if in_turn & _CONDITIONS else narrowing
    claims.append(SymbolicFlag(z3.BoolVal(in_turn <= may_be_named)))
    if judging.play_breaks(core, 1, cast(Any, number)) != ("2.3",):
        return False
    return all_hold(*claims)


def _core_of(it: Decision) -> Core:
    """A match in which seat 0 faces this decision; nothing else about it is known."""
    moment = Position(**(vars(it.position) | {"turn": 0}))
    known = {"rules": it.rules, "phase": PLAYING, "position": moment}
    return Core(**(unread_fields(Core, "core") | known))


def _named_by_judge_cases(seats: Sequence[int]) -> Iterator[TheoremCase]:
    """Yield the one case of `_named_by_judge`: any card, and any hand with a card."""
    it = Decision()
    number = a_number("number", 0, 51)

    def run() -> Any:
        with merge_clause_functions(), penalty_contract(it.options):
            return _named_by_judge(it, number)

    def shown(model: Any) -> str:
        card = cards_in_model(model, set_of_one_card(number))
        return f"{it.shown(model)}; asked about {card}"

    assuming = [*it.assumptions, it.hand.term != 0, is_in_range(number, 0, 51)]
    yield TheoremCase(run, assuming, shown, it.masks, it.wishes)


NEVER_MEET: Final = (
    ("5.2", "5.3"),
    ("5.2", "5.6"),
    ("5.3", "5.4"),
    ("5.4", "5.6"),
    ("5.5b", "5.6"),
)


def _never_meet(it: Decision) -> Any:
    """Claim that two clauses paired in `NEVER_MEET` do not both rule out cards.

    Within one decision, this holds for two different cards as well as for a single
    card. Which clauses rule a card out is taken from 0.7a; that the judge names them is
    proved by `_named_rule_card_out`.
    """
    by_clause, by_other_clause = (
        _clauses_ruling_out(it, it.card),
        _clauses_ruling_out(it, it.other),
    )
    return all_hold(
        *[
            ~all_hold(by_clause[first], by_other_clause[second])
            for first, second in NEVER_MEET
        ]
    )


def theorems() -> list[Theorem]:
    """The theorems about what every decision allows."""
    return [
        decision_theorem(
            "something legal remains, or a draw is due",
            "0.12 5.2 5.3 5.4 5.5 5.5b 5.6 6.1 6.2",
            _something_legal,
        ),
        decision_theorem(
            "no card may be played if and only if a draw is due",
            "6.1 6.2",
            _draw_or_play,
        ),
        decision_theorem("legal cards are cards of the hand", "5.7 5.8", _in_hand),
        *[
            decision_theorem(
                f"{number} leaves some of the cards allowed",
                number,
                _leaves_some(number),
            )
            for number, _ in position.NARROWING
        ],
        decision_theorem(
            "whoever can follow must, with any card of the suit but for 5.5, 5.5b, 5.6",
            "5.3 5.5 5.5b 5.6",
            _follows,
        ),
        decision_theorem(
            "whoever cannot follow may play any card, but for 5.5, 5.5b, 5.6, 6.1",
            "5.5b 5.8 6.5",
            _cannot_follow,
        ),
        decision_theorem(
            "unbroken hearts are led only from hearts alone, or with the queen (5.4b)",
            "5.4 5.4b",
            _heart_leads,
        ),
        decision_theorem(
            "a leader with hearts alone may lead any, unless a card is to be drawn",
            "5.4a 6.5",
            _only_hearts,
        ),
        decision_theorem(
            "a leader with hearts and the queen leads her, or any but for 5.5, 5.5b",
            "5.4b 5.5 5.5b",
            _hearts_and_queen,
        ),
        decision_theorem(
            "free or broken hearts leave every later lead but that of a waiting queen",
            "5.4 5.5b 5.8",
            _free_leads,
        ),
        decision_theorem("a club opens, the lowest or any", "5.2", _openings),
        decision_theorem(
            "points at a barred first trick only from nothing but points",
            "5.5 5.5a",
            _no_points,
        ),
        decision_theorem(
            "the queen waits: she is played only where nothing else is left",
            "5.5b 5.6",
            _queen_waits,
        ),
        decision_theorem(
            "a queen who need not wait is free to go, and nobody draws for her",
            "5.5b 6.3",
            _queen_need_not_wait,
        ),
        decision_theorem(
            "the queen goes where she is owed, unless she is barred or has to wait",
            "5.5b 5.6",
            _queen_duty,
        ),
        decision_theorem(
            "a draw is due by 6.1 and 6.2 alone", "6.1 6.2 6.3", _draws_due
        ),
        decision_theorem(
            "the card that ends a draw is the only one that may be played",
            "6.4a",
            _card_that_comes,
            usual=False,
        ),
        decision_theorem(
            "the narrowing clauses named rule the card out; none if it is legal",
            "0.7a",
            _named_rule_card_out,
        ),
        decision_theorem(
            "what may be played is what the table of narrowing clauses leaves",
            "0.7a 5.2 5.3 5.4 5.5 5.5b 5.6",
            _table_is_followed,
        ),
        decision_theorem(
            "where points are allowed on the first trick, costs decide nothing",
            "1.4 5.5",
            _costs_unread,
        ),
        Theorem(
            "the judge of a play: turn, conditions, then legality",
            ("0.7a", "2.3", "5.7", "6.1", "6.2"),
            _named_by_judge_cases,
        ),
        decision_theorem(
            "5.2 and 5.4 never meet 5.3 or 5.6, nor does 5.5b meet 5.6",
            "5.2 5.3 5.4 5.5b 5.6",
            _never_meet,
        ),
    ]
