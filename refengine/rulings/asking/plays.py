"""Questions about one hand in play: a card, the whole hand or a draw."""

from __future__ import annotations

from refengine.chapters.play import next_to_play
from refengine.errors import Malformed
from refengine.game.acts import Act, Draw, Play
from refengine.game.values.cardset import Card
from refengine.game.values.state import State
from refengine.rulings.asking.answers import Answer, headline
from refengine.rulings.asking.questions import Question
from refengine.rulings.explain import explain, verdict_word
from refengine.rulings.sentences import ALLOWED
from refengine.rulings.typed_position import ByHand, open_typed_position
from refengine.rulings.words import seat_words


def card_answer(question: Question) -> Answer:
    """Whether this card may be played."""
    typed = position_asked(question)
    state = open_typed_position(typed)
    card = Card(question.text("card").strip())
    return _judged(typed, state, Play(state.turn[0], card))


def draw_answer(question: Question) -> Answer:
    """Whether a card may, or must, be drawn."""
    typed = position_asked(question)
    state = open_typed_position(typed)
    return _judged(typed, state, Draw(state.turn[0]))


def hand_answer(question: Question) -> Answer:
    """All that may be done with this hand, with a ruling on each of its cards."""
    typed = position_asked(question)
    state = open_typed_position(typed)
    seat = state.turn[0]
    cards = list(state.legal.cards)
    act: Act = Play(seat, cards[0]) if cards else Draw(seat)
    return _judged(typed, state, act, of_hand=True)


def hand_headline(state: State) -> str:
    """The headline: what the seat whose turn it is may play, or that it must draw."""
    due = state.legal.due
    who = seat_words(state.turn[0])
    if due.cards:
        return headline("may play", who=who, cards=str(due.cards))
    return headline("must draw", who=who)


def _judged(typed: ByHand, state: State, act: Act, of_hand: bool = False) -> Answer:
    ruling = explain(state, act, known=False)
    return Answer(
        rules=typed.ruleset,
        headline=hand_headline(state) if of_hand else ruling.headline,
        verdict=verdict_word(ruling.verdict),
        why=ruling.why,
        follows=ruling.follows,
        mattered=ruling.mattered,
        granted=typed.assumptions,
        ruling=ruling,
        of_hand=of_hand,
    )


def position_asked(question: Question) -> ByHand:
    """The position that a question about a hand describes.

    Raises Malformed if both leader and seat are given and it is another seat's turn.
    """
    stock = question.number("stock", 0) if question.has("stock") else None
    return ByHand(
        ruleset=question.rules,
        hand=question.cards("hand"),
        trick=question.sequence("trick"),
        leader=_leader(question),
        first_trick=question.flag("first_trick"),
        hearts_broken=question.flag("hearts_broken"),
        drew=question.sequence("drew"),
        stock=stock,
    )


def _leader(question: Question) -> int:
    """The leader that the question gives, or that `seat` implies; seat 0 by default.

    Raises Malformed if both leader and seat are given and it is another seat's turn.
    """
    leader = question.number("leader", 0)
    if not question.has("seat"):
        return leader
    seat = question.number("seat", 0)
    played = len(question.sequence("trick"))
    due = _to_play(question, leader, played)
    if question.has("leader") and due != seat:
        raise Malformed(f"{seat}", ALLOWED["turn"].format(seat=due), "seat")
    for other in range(question.rules.players):
        if _to_play(question, other, played) == seat:
            leader = other
    return leader


def _to_play(question: Question, leader: int, played: int) -> int:
    """The seat to play after `played` cards, of which the leader played the first."""
    seat = leader
    for _ in range(played):
        seat = int(next_to_play(question.rules.rules, seat, 0))
    return seat
