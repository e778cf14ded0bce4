"""Passing in a deal: how many cards, to whom, and whether a given set may be passed."""

from __future__ import annotations

from refengine.chapters.passing import (
    cards_needed,
    cycle_at_table,
    hand_too_small,
    may_not_forward,
    pass_of_deal,
    receiver,
)
from refengine.chapters.settings import ACROSS, HOLD, LEFT, MIX, RIGHT, SCATTER
from refengine.errors import Malformed, counted
from refengine.game.acts import Act, Pass, Scatter
from refengine.game.setups import Setup
from refengine.game.values.cardset import NO_CARDS, CardSet
from refengine.game.values.state import State
from refengine.lawbook.pass_words import passes_at_table
from refengine.rulings.asking.answers import Answer, headline
from refengine.rulings.asking.played_deals import cards_in_kitty, pack_of
from refengine.rulings.asking.questions import Question
from refengine.rulings.explain import explain, verdict_word
from refengine.rulings.relevance import options_that_mattered
from refengine.rulings.sentences import ALLOWED, WORDS, Said, answer_sentence
from refengine.rulings.words import option_meaning, seat_words


def pass_answer(question: Question) -> Answer:
    """How the pass of a deal works and, if cards are given, whether they may be passed.

    Raises Malformed if the deal has a pass and cards are given without a hand, or with
    a hand that is too small to pass from or cannot occur in such a deal.
    """
    rules = question.rules.rules
    deal = question.number("deal", 1)
    seat = question.number("seat", 0)
    way = int(pass_of_deal(rules, deal))
    granted = () if question.has("deal") else (WORDS["first deal"],)
    said = (*_rule(question), *_unseen(question, way))
    if way == HOLD or not question.has("cards"):
        return Answer(
            rules=question.rules,
            headline=_headline(question, way, deal, seat),
            why=(*said, *_goes(question, way)),
            granted=granted,
        )
    state = dealt_around(question, deal, seat)
    act = act_of_passing(question, way, seat)
    ruling = explain(state, act, known=False)
    # Nobody said to whom the cards go; elsewhere they are simply passed.
    plain = Pass(seat, CardSet(question.sequence("cards")))
    mattered = options_that_mattered(state, act, ruling.verdict, None, plain)
    return Answer(
        rules=question.rules,
        headline=ruling.headline,
        verdict=verdict_word(ruling.verdict),
        why=(
            *ruling.why,
            *_low_club(question, way),
            _headline_said(question, way, deal, seat),
            *said,
        ),
        follows=ruling.follows,
        mattered=tuple(mattered),
        granted=granted,
    )


def _headline(question: Question, way: int, deal: int, seat: int) -> str:
    rules = question.rules.rules
    cards = counted(int(cards_needed(rules, way)), "card")
    who = seat_words(seat)
    facts: dict[str, object] = {"who": who, "cards": cards, "deal": deal}
    if way == HOLD:
        ever = len(cycle_at_table(rules)) > 0
        return headline("hold" if ever else "never passed", **facts)
    if way == SCATTER:
        return headline("scatter", **facts)
    if way == MIX:
        mixed = "mix with kitty" if _kitty_is_mixed(question, way) else "mix"
        return headline(mixed, **facts)
    facts["to"] = seat_words(int(receiver(way, seat, rules.players)))
    return headline("passes", side=_side(way), **facts)


def _side(way: int) -> str:
    return WORDS["across" if way == ACROSS else "left" if way == LEFT else "right"]


def _goes(question: Question, way: int) -> list[Said]:
    """The sentence on what happens to the cards in a hold or a pass to one seat.

    Empty for other passes, and for a hold at a table that never passes.
    """
    if way == HOLD:
        ever = len(cycle_at_table(question.rules.rules)) > 0
        return [answer_sentence("held")] if ever else []
    if way in (LEFT, RIGHT, ACROSS):
        return [answer_sentence("goes", side=_side(way))]
    return []


def _kitty_is_mixed(question: Question, way: int) -> bool:
    """Whether the kitty joins the pile of a mix in this deal (4.10b)."""
    rules = question.rules
    return way == MIX and rules.rules.mix_kitty and cards_in_kitty(rules) > 0


def _low_club(question: Question, way: int) -> list[Said]:
    """The sentence that even the lowest club may be passed, or an empty list.

    It is given only if whoever holds the lowest club leads to the first trick under
    these rules, and that club is among the cards that the question is about.
    """
    lowest = next(iter(pack_of(question.rules)))
    if question.rules.options["opening_leader"] != "lowest_club":
        return []
    if lowest not in question.sequence("cards"):
        return []
    mixed = _kitty_is_mixed(question, way)
    return [answer_sentence("low club or kitty" if mixed else "low club")]


def _headline_said(question: Question, way: int, deal: int, seat: int) -> Said:
    """How the pass of this deal works, as a sentence with the clauses that say so."""
    clause = "4.6" if way == SCATTER else "4.10" if way == MIX else "4.2"
    kitty = ("4.10b",) if _kitty_is_mixed(question, way) else ()
    return Said(_headline(question, way, deal, seat), (clause, *kitty))


def _rule(question: Question) -> list[Said]:
    """The sentences on the order of passes from deal to deal at this table.

    If the number of players is odd and the cycle has a pass across, a further sentence
    says that this pass is left out.
    """
    cycle = question.rules.options["pass_cycle"]
    passes = passes_at_table(cycle, question.rules.players)
    meant = option_meaning("pass_cycle", passes)
    event = "passes" if len(passes) > 1 else "same pass"
    odd = [answer_sentence("without across")] if passes != cycle else []
    return [answer_sentence(event, meant=meant), *odd]


def _unseen(question: Question, way: int) -> list[Said]:
    """Whether cards may be passed on unseen; empty if they never may, or in a hold."""
    if not question.rules.options["pass_unseen"] or way == HOLD:
        return []
    if may_not_forward(question.rules.rules, way):
        return [answer_sentence("not unseen")]
    return [answer_sentence("unseen")]


def act_of_passing(question: Question, way: int, seat: int) -> Act:
    """The act by which this seat passes the cards asked about.

    In a scatter, the first card goes to the next seat on the left, and so on; if there
    are too many cards to scatter, the act is an ordinary pass.
    """
    cards = question.sequence("cards")
    players = question.rules.players
    if way != SCATTER or len(cards) >= players:
        return Pass(seat, CardSet(cards))
    others = [(seat + step) % players for step in range(1, players)]
    return Scatter(seat, dict(zip(others, cards, strict=False)))


def dealt_around(question: Question, deal: int, seat: int) -> State:
    """A deal in which the seat holds the hand asked about.

    The other hands come from the rest of the pack. Raises Malformed if the hand is too
    small to pass from or cannot occur in such a deal.
    """
    rules = question.rules
    hand = question.cards("hand")
    players = rules.players
    if hand_too_small(rules.rules, deal, len(hand)):
        needed = int(cards_needed(rules.rules, pass_of_deal(rules.rules, deal)))
        found = counted(len(hand), "card")
        allowed = ALLOWED["passed"].format(number=needed)
        raise Malformed(found, allowed, "hand")
    rest = [card for card in pack_of(rules) if card not in hand]
    size = len(hand)
    if hand - pack_of(rules) or size * (players - 1) > len(rest):
        found = f"{counted(size, 'card')}: {hand}"
        raise Malformed(found, ALLOWED["hand"], "hand")
    hands = [NO_CARDS for _ in range(players)]
    hands[seat] = hand
    others = [other for other in range(players) if other != seat]
    for place, other in enumerate(others):
        hands[other] = CardSet(rest[place * size : (place + 1) * size])
    return State.open(rules, Setup(dealer=0, hands=hands, deal=deal))
