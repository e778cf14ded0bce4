"""Whose turn it is, and what follows if a seat acts out of turn."""

from __future__ import annotations

from collections.abc import Sequence

from refengine.chapters.draw import next_leader
from refengine.chapters.play import next_to_play
from refengine.chapters.table import SEAT, left_of
from refengine.errors import Malformed, counted
from refengine.formats.written.turns_written import winning_place
from refengine.game.values.cardset import Card
from refengine.rulings.asking.answers import Answer, headline
from refengine.rulings.asking.questions import Question
from refengine.rulings.sentences import (
    ALLOWED,
    FACTS,
    WORDS,
    Said,
    answer_sentence,
    consequence_sentence,
    why_forbidden,
)
from refengine.rulings.words import (
    card_words,
    list_words,
    option_meaning,
    seat_words,
    seats_words,
    suit_words,
)


def turn_answer(question: Question) -> Answer:
    """Whose turn it is: to open the deal, to lead, or to play to a trick.

    If a `seat` is given, the answer also says whether it is that seat's turn and, if
    not, what follows if the seat has acted anyway.
    Raises Malformed if the trick has more cards than there are seats to play to it, if
    the seat that led is out, or if fewer than two seats have cards.
    """
    cards = question.sequence("trick")
    if not cards and not question.has("leader"):
        return _opening(question)
    seats = seats_to_play(question)
    if len(cards) > len(seats):
        allowed = ALLOWED["of trick"].format(players=len(seats))
        raise Malformed(counted(len(cards), "card"), allowed, "trick")
    if cards and len(cards) == len(seats):
        return _complete(question, cards, seats)
    if cards:
        return _to_play(question, seats, len(cards))
    return _to_lead(question, seats[0])


def _out(question: Question) -> tuple[int, ...]:
    """The seats that had no card when the trick began, without repetition."""
    said = question.numbers("out", ())
    return tuple([seat for seat in range(question.rules.players) if seat in said])


def seats_to_play(question: Question) -> list[int]:
    """The seats that play to the trick, in order of play, starting with the leader.

    Raises Malformed if fewer than two seats have cards, or if the seat that led is out.
    """
    rules, out = question.rules.rules, _out(question)
    gone = sum([SEAT[seat] for seat in out])
    if len(out) > rules.players - 2:
        every = "every seat" if len(out) == rules.players else "every seat but one"
        raise Malformed(every, ALLOWED["some with cards"], "out")
    leader = question.number("leader", 0)
    if question.sequence("trick") and leader in out:
        allowed = ALLOWED["leader with cards"]
        raise Malformed(seat_words(leader), allowed, "leader")
    seats = [int(next_leader(leader, gone, rules.players))]
    while len(seats) < rules.players - len(out):
        seats.append(int(next_to_play(rules, seats[-1], gone)))
    return seats


def _opening(question: Question) -> Answer:
    """Who leads to the first trick of a deal."""
    rules = question.rules
    leader = rules.options["opening_leader"]
    meant = option_meaning("opening_leader", leader)
    why = [answer_sentence("opens", meant=meant)]
    if leader == "lowest_club":
        why.append(answer_sentence("opens by default"))
        return _answer(question, headline("lowest club opens"), why, -1)
    if not question.has("dealer"):
        return _answer(question, headline("left of dealer opens"), why, -1)
    dealer = question.number("dealer", 0)
    seat = int(left_of(dealer, rules.players))
    facts = {"who": seat_words(seat), "dealer": seat_words(dealer)}
    return _answer(question, headline("opens deal", **facts), why, seat)


def _to_lead(question: Question, seat: int) -> Answer:
    leader = question.number("leader", 0)
    facts = {"who": seat_words(seat), "winner": seat_words(leader)}
    event = "leads" if seat == leader else "leads for winner"
    why = [consequence_sentence(event, **facts)]
    return _answer(question, headline("to lead", **facts), why, seat)


def _to_play(question: Question, seats: list[int], played: int) -> Answer:
    rules = question.rules
    who = seat_words(seats[played])
    direction = rules.options["direction"]
    facts = {
        "who": who,
        "leader": seat_words(seats[0]),
        "meant": option_meaning("direction", direction),
        "cards": list_words([str(card) for card in question.sequence("trick")]),
    }
    why = [answer_sentence("round the table", **facts)]
    out = _out(question)
    if out:
        why.append(answer_sentence("passed over", who=seats_words(out)))
    said = headline("to play", **facts)
    return _answer(question, said, why, seats[played], seats[:played])


def _complete(question: Question, cards: tuple[Card, ...], seats: list[int]) -> Answer:
    """The answer on a complete trick: who has won it and therefore leads next."""
    best = winning_place(cards)
    seat = seats[best]
    facts = {
        "who": seat_words(seat),
        "card": card_words(cards[best]),
        "suit": suit_words(cards[0]),
    }
    why = [consequence_sentence("won", **facts), consequence_sentence("leads", **facts)]
    if question.rules.options["undealt"] == "stock":
        why.append(answer_sentence("out leads not"))
    return _answer(question, headline("trick complete", **facts), why, seat)


def _answer(
    question: Question,
    said: str,
    why: list[Said],
    turn: int,
    played: Sequence[int] = (),
) -> Answer:
    """The answer with this headline and these reasons.

    If a seat is asked about, it also says whether it is that seat's turn. `turn` is the
    seat to act, or -1 if that is not known; `played` holds the seats that have played
    to a trick still in progress.
    """
    rules = question.rules
    granted = _granted(question, turn)
    if not question.has("seat") or turn < 0:
        return Answer(rules=rules, headline=said, why=tuple(why), granted=granted)
    seat = question.number("seat", 0)
    if seat == turn:
        return Answer(
            rules=rules,
            headline=said,
            verdict="legal",
            why=tuple(why),
            granted=granted,
        )
    facts = {
        "who": seat_words(seat),
        "turn": FACTS["acts"].format(seats=seat_words(turn)),
    }
    event = "play out of turn" if played else "lead out of turn"
    if seat in played:
        event = "second card"
    return Answer(
        rules=rules,
        headline=headline("not in turn", turn=seat_words(turn), who=seat_words(seat)),
        verdict="refused",
        why=(why_forbidden("2.3", **facts), *why),
        follows=(answer_sentence(event), answer_sentence("no revoke out of turn")),
        granted=granted,
    )


def _granted(question: Question, turn: int) -> tuple[str, ...]:
    """What the answer takes for granted about the cards on the table, in words.

    Seat 0 is assumed to have led unless the question says who did. A complete trick is
    assumed not to be the last of the deal. If there is a stock, its winner, `turn`, is
    assumed to have cards left, since otherwise another seat would lead (6.7).
    """
    cards = question.sequence("trick")
    if not cards:
        return ()
    granted: list[str] = []
    if not question.has("leader"):
        granted.append(WORDS["seat 0 led"])
    if len(cards) == question.rules.players - len(_out(question)):
        granted.append(WORDS["a trick follows"])
        if question.rules.options["undealt"] == "stock":
            granted.append(WORDS["has cards left"].format(who=seat_words(turn)))
    return tuple(granted)
