"""Rows: small questions taken from games, each with its right answer.

A row asks what `refengine explain` can be asked (docs/questions.md), of a trick, a
hand, a pass, a deal that has been played, or the totals after it. It is answered by the
rules alone, from what the row says and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from refengine.chapters.passing import cycle_at_table, pass_of_deal, receiver
from refengine.chapters.settings import HOLD, MIX, SCATTER
from refengine.game.acts import Act, MoonChoice, Pass, Play, Scatter
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import Card, CardSet, Suit
from refengine.game.values.state import State
from refengine.game.verdicts import Legal
from refengine.machine.due import position_of
from refengine.rulings.asking.ends import deal_without_score
from refengine.rulings.asking.passes import act_of_passing, dealt_around
from refengine.rulings.asking.played_deals import (
    PlayedDeal,
    counting_cards,
    pack_of,
    scored_deal,
)
from refengine.rulings.asking.plays import position_asked
from refengine.rulings.asking.questions import Question
from refengine.rulings.asking.turns import seats_to_play, winning_place
from refengine.rulings.typed_position import open_typed_position
from refengine_conformance.tables.layouts import HEARTS
from refengine_conformance.tables.moments import TOTALS, moments_after, moments_before

Fields = dict[str, Any]
"""Part of a row as plain values: what it says, or what is right."""
Step = tuple[State, Act, State]
"""An act, with the states before and after it."""
Found = tuple[tuple[str, ...], Fields]
"""A question, with what makes it worth asking."""


@attrs.frozen
class Kind:
    """A kind of row: its columns, and where its questions come from.

    `given` are the columns of the question, `right` those of the answer. `chapters` of
    the book decide it.
    """

    ask: str
    chapters: tuple[str, ...]
    given: tuple[str, ...]
    right: tuple[str, ...]
    found: Callable[[Step], Iterator[Found]]
    answer: Callable[[Ruleset, Fields], Fields]


# Tricks


def _tricks(step: Step) -> Iterator[Found]:
    before, act, after = step
    if not isinstance(act, Play) or len(after.history) == len(before.history):
        return
    trick = after.history[-1]
    seats = [*before.seats_on_table, act.seat]
    out = [seat for seat in range(len(after.totals)) if seat not in seats]
    asked: Fields = {"leader": trick.leader, "trick": _in_order(trick.cards)}
    if out:
        asked["out"] = out
    led, best = trick.cards[0].suit, seats.index(trick.winner)
    ranks = [card.number % 13 for card in trick.cards]
    others = [
        rank for card, rank in zip(trick.cards, ranks, strict=True) if card.suit != led
    ]
    worth = [f"won by card {best + 1} of {len(seats)}, led by {trick.leader}"]
    worth.append(f"led: {led.name}")
    winner = trick.cards[best]
    worth += [
        f"won by {winner.value[0]} over {card.value[0]}"
        for card in trick.cards  # an engine may have two ranks in the wrong order
        if card.number == winner.number - 1 and card.suit is led
    ]
    if others and max(others) > ranks[best]:
        worth.append(f"a higher card of another suit, {led.name} led")
    if out:
        worth.append(f"out: {out}")
    yield tuple(worth), asked


def _trick_taken(ruleset: Ruleset, asked: Fields) -> Fields:
    """Who plays to this trick, in turn, and who takes it."""
    seats = seats_to_play(Question(ruleset, "turn", asked))
    return {"seats": seats, "winner": seats[winning_place(_cards_in(asked["trick"]))]}


# Hands


def _hands(step: Step) -> Iterator[Found]:
    before, _, _ = step
    if before.phase != "play" or before.table is None or before.out or before.revokes:
        return
    worth = tuple(moments_before(before))
    seat = before.turn[0]
    asked: Fields = {
        "hand": str(before.hands[seat]),
        "trick": _in_order(before.table.cards),
        "leader": before.table.leader,
        "first_trick": bool(position_of(before.core).piles.first),
        "hearts_broken": before.hearts_broken,
    }
    if before.ruleset.options["undealt"] == "stock":
        asked |= {"drew": _in_order(before.drew), "stock": len(before.stock)}
    led = before.table.cards[0].suit.name if before.table.cards else "nothing"
    first = asked["first_trick"]
    sight = _situation(before, first, before.hearts_broken)
    yield (*worth, f"led: {led}", sight), asked
    if first and len(before.table.cards) > 1 and not before.hearts_broken:
        others = CardSet(HEARTS) - before.hands[seat]
        trick = [*before.table.cards[:-1], *others][: len(before.table.cards)]
        broken = {**asked, "trick": _in_order(trick), "hearts_broken": True}
        yield (_situation(before, first, True),), broken


def _situation(before: State, first: bool, broken: bool) -> str:
    """What a player sees at a glance, by which a rule may be got wrong altogether.

    Mutants change what a rule says. That it is applied where it has no business, such
    as to a discard what holds for a lead, is another fault.
    """
    assert before.table is not None
    suits = {card.suit for card in before.hands[before.turn[0]]}
    led = {card.suit for card in before.table.cards[:1]}
    does = "follows" if led & suits else "discards" if led else "leads"
    holds = "no hearts"
    if Suit.HEARTS in suits:
        holds = "hearts alone" if len(suits) == 1 else "hearts and others"
    when = "on the first trick" if first else "later"
    how = "broken" if broken else "not broken"
    return f"{does} {when}, hearts {how}, holds {holds}"


def _may_be_played(ruleset: Ruleset, asked: Fields) -> Fields:
    """The cards of the hand that may be played, or that a card is to be drawn."""
    state = open_typed_position(position_asked(Question(ruleset, "hand", asked)))
    due = state.legal.due
    found: Fields = {"may": str(due.cards)}
    if "stock" in asked:
        found["draw"] = due.kind == "draw"
    return found


# Passes


def _passes(step: Step) -> Iterator[Found]:
    before, act, after = step
    if not before.ruleset.options["pass_cycle"]:
        return
    cycle = len(cycle_at_table(before.ruleset.rules))
    if before.phase == "deal" and after.phase == "play":
        seat = before.deal % before.ruleset.players
        hand = after.hands[seat]
        for deal in (after.deal, after.deal + cycle):
            asked = {"deal": deal, "seat": seat, "hand": str(hand)}
            yield (f"deal {deal}",), {**asked, "cards": _in_order([*hand][:3])}
    if before.phase != "pass" or not isinstance(act, Pass | Scatter):
        return
    hand = before.hands[act.seat]
    asked = {"deal": before.deal, "seat": act.seat, "hand": str(hand)}
    cards = _passed(act, before.ruleset.players)
    rest = [card for card in hand if card not in cards]
    strange = [card for card in pack_of(before.ruleset) if card not in hand]
    ways = {
        "right": cards,
        "one too few": cards[:-1],
        "one too many": [*cards, *rest[:1]],
        "none": [],
        "one that is not held": [*cards[:-1], *strange[-1:]],
    }
    for name, some in ways.items():
        if some == cards and name != "right":
            continue  # the whole hand is passed: there is no card more
        worth = f"deal {before.deal}: {name}", f"seat {act.seat}: {name}"
        yield worth, {**asked, "cards": _in_order(some)}
    later = before.deal + cycle
    yield (f"deal {later}",), {**asked, "deal": later, "cards": _in_order(cards)}


def _passed(act: Pass | Scatter, players: int) -> list[Card]:
    """The cards that are passed; in a scatter from the left neighbour's on."""
    if isinstance(act, Pass):
        return [*act.cards]
    given = dict(act.cards)
    return [given[(act.seat + step) % players] for step in range(1, players)]


def _may_be_passed(ruleset: Ruleset, asked: Fields) -> Fields:
    """Whether these cards may be passed, and to whom the pass of the deal goes."""
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
    before, _, after = step
    ended = before.phase in ("play", "moon") and after.phase in ("deal", "over")
    return ended and after.score is not None and not after.revokes


def _scores(step: Step) -> Iterator[Found]:
    before, act, after = step
    if not _ends_deal(step):
        return
    counts = counting_cards(after.ruleset)
    asked: Fields = {
        "taken": [
            str((taken | hand) & counts)
            for taken, hand in zip(after.taken, after.hands, strict=True)
        ],
        "tricks": list(after.tricks),
    }
    if isinstance(act, MoonChoice):
        asked["choice"] = act.choice
    if "losing" in str(after.ruleset.options["moon"]):
        asked["totals"] = list(before.totals)
    if _scored(after.ruleset, asked) != {"scores": list(after.score or ())}:
        return  # something that no pile of cards shows, such as the rest of a stock
    worth = [
        name for name in moments_after(before, after) if not name.startswith(TOTALS)
    ]
    if "choice" in asked:
        worth.append(f"choice: {asked['choice']}")
    high = max(after.score or (0,))
    yield (*worth, f"scores: {high}"), asked


def _scored(ruleset: Ruleset, asked: Fields) -> Fields:
    """What each seat scores for the deal."""
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


def _ends(step: Step) -> Iterator[Found]:
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
    worth = [name for name in moments_after(before, after) if name.startswith(TOTALS)]
    yield (*worth, f"winners: {after.winners}"), asked


def _ended(ruleset: Ruleset, asked: Fields) -> Fields:
    """Whether the match is over, who has won, and what the totals are now."""
    state = scored_deal(ruleset, deal_without_score(Question(ruleset, "end", asked)))
    return _how_it_stands(state)


def _how_it_stands(state: State) -> Fields:
    """Whether the match is over; a single deal is, whatever its totals."""
    result = state.core.result
    found: Fields = {
        "over": result is not None and result.over,
        "winners": list(state.winners or ()),
    }
    if state.ruleset.options["exact_limit_becomes"] != "none":
        found["totals_after"] = list(state.totals)
    return found


# Cards as text


def _in_order(cards: Sequence[Card]) -> str:
    return " ".join(str(card) for card in cards)


def _cards_in(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


KINDS: Final[Mapping[str, Kind]] = {
    "tricks": Kind(
        "turn",
        ("2", "5", "6"),
        ("leader", "trick", "out"),
        ("seats", "winner"),
        _tricks,
        _trick_taken,
    ),
    "legal": Kind(
        "hand",
        ("5", "6"),
        ("hand", "trick", "leader", "first_trick", "hearts_broken", "drew", "stock"),
        ("may", "draw"),
        _hands,
        _may_be_played,
    ),
    "scores": Kind(
        "score",
        ("1", "7", "8"),
        ("taken", "tricks", "totals", "choice"),
        ("scores",),
        _scores,
        _scored,
    ),
    "passes": Kind(
        "pass",
        ("4",),
        ("deal", "seat", "hand", "cards"),
        ("allowed", "to"),
        _passes,
        _may_be_passed,
    ),
    "ends": Kind(
        "end",
        ("9",),
        ("totals", "reached", "deals"),
        ("over", "winners", "totals_after"),
        _ends,
        _ended,
    ),
}
"""The kinds of row, by what they are about."""
