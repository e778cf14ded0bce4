"""Rows: small questions taken from games, each with its right answer.

A row asks one of the questions of `refengine explain` (docs/questions.md): about a
trick, a hand, a pass, a deal that has been played, or the totals after it. It is
answered by the rules alone, from what the row says and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import attrs

from refengine.chapters.passing import pass_of_deal, receiver
from refengine.chapters.settings import HOLD, MIX, SCATTER
from refengine.formats.normal_form import sequence_text
from refengine.formats.written.turns_written import winning_place
from refengine.game.acts import Act, MoonChoice, Pass, Play, Scatter
from refengine.game.rulesets import Ruleset
from refengine.game.tricks import Trick
from refengine.game.values.cardset import Card, CardSet, Suit
from refengine.game.values.state import State
from refengine.game.verdicts import Legal
from refengine.machine.due import position_of
from refengine.rulings.asking.ends import deal_without_score
from refengine.rulings.asking.passes import act_of_passing, dealt_around
from refengine.rulings.asking.played_deals import (
    PlayedDeal,
    counting_cards,
    scored_deal,
)
from refengine.rulings.asking.plays import position_asked
from refengine.rulings.asking.questions import Question
from refengine.rulings.asking.turns import seats_to_play
from refengine.rulings.typed_position import open_typed_position
from refengine_conformance.tables.candidates import cycle_length
from refengine_conformance.tables.layouts import HEARTS
from refengine_conformance.tables.likings import penalty_cards_under, rank_of
from refengine_conformance.tables.moments import (
    TOTALS,
    counting_piles,
    deal_has_ended,
    moments_after,
    moments_before,
)

Fields = dict[str, Any]
"""Part of a row as plain values: the question, or the right answer."""
Found = tuple[tuple[str, ...], Fields]
"""The sorts of situation that a question belongs to, and the question."""


class Step(NamedTuple):
    """An act, with the states before and after it."""

    before: State
    act: Act
    after: State


@attrs.frozen(kw_only=True)
class Kind:
    """A kind of row: its columns, and how its questions and answers are found.

    `given` are the columns of the question, `right` those of the answer; `decided_by`
    are the chapters or clauses of the book that decide the answer. `questions` finds
    the questions that a step of a game raises, and `answer` answers one of them. `ask`
    is the name that `refengine explain` has for this kind of question. An answer may
    raise Malformed or Refused if the question does not say all that decides it.
    """

    ask: str
    decided_by: tuple[str, ...]
    given: tuple[str, ...]
    right: tuple[str, ...]
    questions: Callable[[Step], Iterator[Found]]
    answer: Callable[[Ruleset, Fields], Fields]


# Tricks


def _trick_questions(step: Step) -> Iterator[Found]:
    """The question about the trick that a step completes, if it completes one."""
    before, act, after = step
    if not isinstance(act, Play) or len(after.history) == len(before.history):
        return
    trick = after.history[-1]
    seats = [*before.seats_on_table, act.seat]
    out = [seat for seat in range(before.ruleset.players) if seat not in seats]
    sorts = [*_sorts_of_trick(trick, seats.index(trick.winner))]
    asked: Fields = {"leader": trick.leader, "trick": sequence_text(trick.cards)}
    if out:
        sorts.append(f"out: {out}")
        asked["out"] = out
    yield tuple(sorts), asked


def _sorts_of_trick(trick: Trick, place: int) -> Iterator[str]:
    """Names for the situations that occur in a trick won by the card at this index."""
    led, winning = trick.cards[0].suit, trick.cards[place]
    yield f"won by card {place + 1} of {len(trick.cards)}, led by {trick.leader}"
    yield f"led: {led.name}"
    for card in trick.cards:  # an engine may have two ranks in the wrong order
        if card.suit is led and card.number == winning.number - 1:
            yield f"won by {winning.value[0]} over {card.value[0]}"
    if any(
        card.suit is not led and rank_of(card) > rank_of(winning)
        for card in trick.cards
    ):
        yield f"a higher card of another suit, {led.name} led"


def _trick_taken(ruleset: Ruleset, asked: Fields) -> Fields:
    """The seats that play to this trick, in turn, and the seat that takes it."""
    question = Question(ruleset, "turn", asked)
    seats = seats_to_play(question)
    return {"seats": seats, "winner": seats[winning_place(question.sequence("trick"))]}


# Hands


def _hand_questions(step: Step) -> Iterator[Found]:
    """Questions about which cards of a hand may be played.

    There are none if a seat is out or has revoked. There is a second question if hearts
    are unbroken after two or more cards of the first trick, and the last of these cards
    could have been a heart that the hand does not hold. The second question puts that
    heart in place of the last card, with hearts broken.
    """
    before = step.before
    if before.phase != "play" or before.table is None or before.out or before.revokes:
        return
    hand, played = before.hands[before.turn[0]], before.table.cards
    first = bool(position_of(before.core).piles.first)
    asked: Fields = {
        "hand": str(hand),
        "trick": sequence_text(played),
        "leader": before.table.leader,
        "first_trick": first,
        "hearts_broken": before.hearts_broken,
    }
    if before.ruleset.options["undealt"] == "stock":
        asked |= {"drew": sequence_text(before.drew), "stock": len(before.stock)}
    led = played[0].suit.name if played else "nothing"
    situation = _situation(hand, played, first, before.hearts_broken)
    yield (*moments_before(before), f"led: {led}", situation), asked
    if first and len(played) > 1 and not before.hearts_broken:
        for heart in _hearts_that_could_have_been_thrown(before, played)[:1]:
            trick = sequence_text((*played[:-1], heart))
            broken = {**asked, "trick": trick, "hearts_broken": True}
            yield (_situation(hand, played, first, True),), broken


def _hearts_that_could_have_been_thrown(
    state: State, played: Sequence[Card]
) -> list[Card]:
    """The hearts that the last seat to play could have discarded instead of its card.

    They are not in the hand of the seat to play. `played` are the cards on the table;
    only the last is to be replaced. While the stock holds a card, there are none, since
    a seat without the suit led must draw (6.1). Where points are barred on the first
    trick, a heart that costs points can come only from a hand of nothing but penalty
    cards (5.5).
    """
    if state.stock:
        return []
    rules, thrower = state.core.rules, state.seats_on_table[-1]
    others = CardSet.of_mask(state.core.pack) - state.hands[state.turn[0]]
    others = others - CardSet(played[:-1])
    penalty = penalty_cards_under(rules)
    held = len(state.hands[thrower]) + 1  # with the card that it has played
    hearts = others & CardSet(HEARTS)
    if rules.first_trick_barred and len(others & penalty) < held:
        hearts = hearts - penalty
    return [*hearts]


def _situation(
    hand: CardSet, played: Sequence[Card], first_trick: bool, hearts_broken: bool
) -> str:
    """A phrase for what a player whose turn it is sees at a glance.

    Mutants change what a rule says, but an engine may also apply a rule in the wrong
    situation, for example the rule for a lead to a discard. So rows are chosen for each
    situation.
    """
    suits = {card.suit for card in hand}
    if not played:
        does = "leads"
    elif played[0].suit in suits:
        does = "follows"
    else:
        does = "discards"
    holds = "no hearts"
    if Suit.HEARTS in suits:
        holds = "hearts alone" if len(suits) == 1 else "hearts and others"
    when = "on the first trick" if first_trick else "later"
    how = "broken" if hearts_broken else "not broken"
    return f"{does} {when}, hearts {how}, holds {holds}"


def _may_be_played(ruleset: Ruleset, asked: Fields) -> Fields:
    """The cards that may be played and, if there is a stock, whether to draw."""
    state = open_typed_position(position_asked(Question(ruleset, "hand", asked)))
    due = state.legal.due
    right: Fields = {"may": str(due.cards)}
    if "stock" in asked:
        right["draw"] = due.kind == "draw"
    return right


# Passes


def _pass_questions(step: Step) -> Iterator[Found]:
    """Questions about right and wrong passes, if the step raises any."""
    before, act, after = step
    if not before.ruleset.options["pass_cycle"]:
        return
    if before.phase == "deal" and after.phase == "play":
        yield from _passes_in_a_hold(before, after)
    elif before.phase == "pass" and isinstance(act, Pass | Scatter):
        yield from _passes_like(before, act)


def _passes_in_a_hold(before: State, after: State) -> Iterator[Found]:
    """Questions about a pass in a deal without passing and in the deal one cycle on."""
    seat = before.deal % before.ruleset.players  # not always the same one
    hand = after.hands[seat]
    for deal in (after.deal, after.deal + cycle_length(before.ruleset)):
        asked: Fields = {"deal": deal, "seat": seat, "hand": str(hand)}
        yield (f"deal {deal}",), {**asked, "cards": sequence_text(tuple(hand)[:3])}


def _passes_like(before: State, act: Pass | Scatter) -> Iterator[Found]:
    """Questions about the pass that was made, and about variations of it.

    These are wrong passes, such as one card too few, and the same pass one cycle later.
    """
    hand = before.hands[act.seat]
    asked: Fields = {"deal": before.deal, "seat": act.seat, "hand": str(hand)}
    cards = _passed(act, before.ruleset.players)
    rest = [card for card in hand if card not in cards]
    strange = [*(CardSet.of_mask(before.core.pack) - hand)]
    ways: dict[str, tuple[Card, ...]] = {
        "right": cards,
        "one too few": cards[:-1],
        "one too many": (*cards, *rest[:1]),
        "none": (),
        "one that is not held": (*cards[:-1], *strange[-1:]),
    }
    for name, some in ways.items():
        if some == cards and name != "right":
            continue  # the whole hand is passed: no card is left to add
        sorts = f"deal {before.deal}: {name}", f"seat {act.seat}: {name}"
        yield sorts, {**asked, "cards": sequence_text(some)}
    later = before.deal + cycle_length(before.ruleset)
    yield (f"deal {later}",), {**asked, "deal": later, "cards": sequence_text(cards)}


def _passed(act: Pass | Scatter, players: int) -> tuple[Card, ...]:
    """The cards passed; in a scatter, the card for the left neighbour comes first."""
    if isinstance(act, Pass):
        return tuple(act.cards)
    given = dict(act.cards)
    return tuple(given[(act.seat + step) % players] for step in range(1, players))


def _may_be_passed(ruleset: Ruleset, asked: Fields) -> Fields:
    """Whether these cards may be passed, and the seats that get cards in this deal.

    The list of seats is empty in a deal without passing and in a mix.
    """
    rules, seat, players = ruleset.rules, asked["seat"], ruleset.players
    way = int(pass_of_deal(rules, asked["deal"]))
    if way == HOLD:
        return {"allowed": False, "to": []}
    question = Question(ruleset, "pass", asked)
    act = act_of_passing(question, way, seat)
    verdict = dealt_around(question, asked["deal"], seat).verdict(act)
    to: list[int] = []
    if way == SCATTER:
        to = [(seat + step) % players for step in range(1, players)]
    elif way != MIX:
        to = [int(receiver(way, seat, players))]
    return {"allowed": isinstance(verdict, Legal), "to": to}


# Scores and ends


def _ends_deal(step: Step) -> bool:
    """Whether a step ends a deal that is scored and in which no revoke is noted."""
    ended = deal_has_ended(step.before, step.after)
    return ended and step.after.score is not None and not step.after.revokes


def _score_questions(step: Step) -> Iterator[Found]:
    """The question about the score when a deal ends, if the cards taken decide it."""
    before, act, after = step
    if not _ends_deal(step):
        return
    counts = counting_cards(after.ruleset)
    asked: Fields = {
        "taken": [str(pile & counts) for pile in counting_piles(after)],
        "tricks": list(after.tricks),
    }
    if isinstance(act, MoonChoice):
        asked["choice"] = act.choice
    if after.ruleset.options["moon"] == "others_plus_unless_losing":
        asked["totals"] = list(before.totals)
    scores = list(after.score or ())
    if _scored(after.ruleset, asked) != {"scores": scores}:
        return  # the piles do not show all that counted, such as the rest of a stock
    sorts = [
        name for name in moments_after(before, after) if not name.startswith(TOTALS)
    ]
    if "choice" in asked:
        sorts.append(f"choice: {asked['choice']}")
    yield (*sorts, f"scores: {max(scores, default=0)}"), asked


def _scored(ruleset: Ruleset, asked: Fields) -> Fields:
    """Each seat's score for the deal; an empty list if a moon choice is missing."""
    players = ruleset.players
    played = PlayedDeal(
        taken=tuple(map(CardSet, asked["taken"])),
        tricks=tuple(asked["tricks"]),
        totals=tuple(asked.get("totals", (0,) * players)),
    )
    state = scored_deal(ruleset, played)
    if state.phase == "moon":
        choice = asked.get("choice")
        if choice is None:
            return {"scores": []}
        state = state.apply(MoonChoice(state.turn[0], choice))
    return {"scores": list(state.score or ())}


def _end_questions(step: Step) -> Iterator[Found]:
    """The question about the totals after a step that ends a deal.

    It is asked only if the totals alone tell how the match stands.
    """
    before, _, after = step
    if not _ends_deal(step):
        return
    totals = [
        total + points
        for total, points in zip(before.totals, after.score or (), strict=True)
    ]
    asked: Fields = {"totals": totals}
    if before.ruleset.options["limit"] == "none":
        asked["deals"] = before.deal
    if before.ruleset.options["ties"] == "play_on":
        asked["reached"] = bool(before.core.sheet.reached)
    if _ended(after.ruleset, asked) != _how_it_stands(after):
        return  # what the deal itself did to the totals cannot be seen in them
    sorts = [name for name in moments_after(before, after) if name.startswith(TOTALS)]
    yield (*sorts, f"winners: {after.winners}"), asked


def _ended(ruleset: Ruleset, asked: Fields) -> Fields:
    """How the match stands after the deal described; see `_how_it_stands`."""
    state = scored_deal(ruleset, deal_without_score(Question(ruleset, "end", asked)))
    return _how_it_stands(state)


def _how_it_stands(state: State) -> Fields:
    """Whether the match is over, and which seats have won it.

    If the ruleset resets a total that is exactly the limit, the totals are included.
    """
    result = state.core.result
    standing: Fields = {
        "over": result is not None and result.over,
        "winners": list(state.winners or ()),
    }
    if state.ruleset.options["exact_limit_becomes"] != "none":
        standing["totals_after"] = list(state.totals)
    return standing


KINDS: Final[Mapping[str, Kind]] = {
    "tricks": Kind(
        ask="turn",
        decided_by=("2", "5", "6"),
        given=("leader", "trick", "out"),
        right=("seats", "winner"),
        questions=_trick_questions,
        answer=_trick_taken,
    ),
    "legal": Kind(
        ask="hand",
        decided_by=("5", "6"),
        given=(
            *("hand", "trick", "leader", "first_trick", "hearts_broken"),
            *("drew", "stock"),
        ),
        right=("may", "draw"),
        questions=_hand_questions,
        answer=_may_be_played,
    ),
    "scores": Kind(
        ask="score",
        decided_by=("1", "7", "8", "9.7"),  # 9.7: the totals can settle a moon
        given=("taken", "tricks", "totals", "choice"),
        right=("scores",),
        questions=_score_questions,
        answer=_scored,
    ),
    "passes": Kind(
        ask="pass",
        decided_by=("4",),
        given=("deal", "seat", "hand", "cards"),
        right=("allowed", "to"),
        questions=_pass_questions,
        answer=_may_be_passed,
    ),
    "ends": Kind(
        ask="end",
        # 8.9: a total is set back before the limit is tested
        decided_by=("8.9", "9"),
        given=("totals", "reached", "deals"),
        right=("over", "winners", "totals_after"),
        questions=_end_questions,
        answer=_ended,
    ),
}
"""The kinds of row, by what they are about."""
