"""A ruling on one act: what it is, why, which options mattered, and what follows.

`explain(state, act)` asks the engine and puts its answers into words; nothing here
decides what is legal. The sentences are in `refengine.rulings.sentences`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import attrs

from refengine.chapters.deal import hand_size
from refengine.chapters.passing import cards_needed, may_not_forward
from refengine.chapters.settings import SCATTER
from refengine.formats.fields import act_fields
from refengine.game.acts import Act, Claim, Draw, Play, Retract
from refengine.game.values.cardset import Card, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Refused, Verdict
from refengine.rulings import sentences
from refengine.rulings.consequences import (
    choices_words,
    consequences,
    revoke_window_words,
    turn_words,
)
from refengine.rulings.reasons import narrowed_with_card, why_a_card
from refengine.rulings.relevance import Mattered, options_that_mattered
from refengine.rulings.sentences import (
    WHY,
    Said,
    consequence_sentence,
    sentence_of,
    why_allowed,
    why_forbidden,
)
from refengine.rulings.whatif import clauses_of, what_ifs
from refengine.rulings.words import (
    PHASES,
    card_of_suit_words,
    card_words,
    cards_words,
    count_words,
    hand_words,
    option_meaning,
    seat_words,
    suit_words,
)


@attrs.frozen
class CardRuling:
    """One card of the hand: the verdict on it, why, and the options that mattered."""

    card: Card
    verdict: Verdict
    why: tuple[Said, ...]
    mattered: tuple[str, ...]

    @property
    def word(self) -> str:
        """`yes`, `no`, or `revoke` for a card that is accepted as irregular."""
        return _WORDS[type(self.verdict)]


@attrs.frozen
class Ruling:
    """What the book says of one act at one moment.

    `headline` is the ruling in one sentence, and `why` has a sentence for each clause.
    `mattered` holds the option values on which the ruling depends. `cards` has every
    card of the hand if the act is one of the seat in turn. `follows` says what follows
    from the act; `after` is the state after it, None if it is refused.
    """

    before: State
    act: Act
    verdict: Verdict
    headline: str
    why: tuple[Said, ...]
    mattered: tuple[Mattered, ...]
    cards: tuple[CardRuling, ...]
    follows: tuple[Said, ...]
    after: State | None

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that the act breaks, in the order of the book."""
        return clauses_of(self.verdict)

    @property
    def cited(self) -> tuple[str, ...]:
        """Every clause that a sentence of the ruling cites, each once."""
        told = [*self.why, *(one.sentence for one in self.mattered), *self.follows]
        told += [sentence for card in self.cards for sentence in card.why]
        return clauses_cited_by(told)


def clauses_cited_by(sentences: Iterable[Said]) -> tuple[str, ...]:
    """The clauses that these sentences cite, each once, in the order of the book."""
    numbers = {number for sentence in sentences for number in sentence.clauses}
    return tuple(sorted(numbers, key=_place))


def _place(number: str) -> tuple[int, int, str]:
    chapter, _, rest = number.partition(".")
    digits = rest.rstrip("abcdefghjkmnpqrstuvwxyz")
    return int(chapter), int(digits), rest[len(digits) :]


_WORDS: Final = {Legal: "yes", Refused: "no", Irregular: "revoke"}


def explain(state: State, act: Act, known: bool = True) -> Ruling:
    """The ruling on an act at this moment.

    Pass `known=False` if the other hands are made up: then nothing is said that depends
    on them. Raises Malformed if the act names a seat that is not at the table.
    """
    verdict = state.verdict(act)
    after = None if isinstance(verdict, Refused) else state.apply(act)
    if after is None:
        told = tuple(_refused(state, act))
    else:
        told = tuple(consequences(state, act, after, known))
    return Ruling(
        before=state,
        act=act,
        verdict=verdict,
        headline=_headline(act, verdict),
        why=tuple(_why(state, act, verdict)),
        mattered=tuple(
            options_that_mattered(state, act, verdict, after if known else None)
        ),
        cards=tuple(_cards(state, act)),
        follows=told,
        after=after,
    )


def _refused(state: State, act: Act) -> Iterator[Said]:
    """What follows from a refusal: nothing, which is a surprise at some tables."""
    yield sentence_of(sentences.UNCHANGED, "0.10", turn=turn_words(state))
    penalised = state.ruleset.options["revokes"] == "penalised"
    broken = clauses_of(state.verdict(act))
    if penalised and isinstance(act, Play | Draw) and "5.3" not in broken:
        yield consequence_sentence("no revoke")


def _headline(act: Act, verdict: Verdict) -> str:
    if isinstance(verdict, Refused):
        text = str(verdict)
    else:
        irregular = isinstance(verdict, Irregular)
        template = sentences.RULED_IRREGULAR if irregular else sentences.RULED_LEGAL
        text = template.format(who=seat_words(act.seat), act=act.phrase)
    return text[:1].upper() + text[1:]


def _why(state: State, act: Act, verdict: Verdict) -> Iterator[Said]:
    if not isinstance(verdict, Legal):
        for number in verdict.clauses:
            yield why_forbidden(number, **_facts(state, act, number))
    elif isinstance(act, Play):
        yield from why_a_card(state, act.card)
    elif isinstance(act, Draw):
        yield _draw_due(state)
    else:
        number, _ = WHY[act.kind]
        yield why_allowed(act.kind, **_facts(state, act, number))


def _draw_due(state: State) -> Said:
    """Why the seat in turn must draw: the clause that makes the draw due."""
    card = next(iter(state.hands[state.turn[0]]))
    number = clauses_of(state.verdict(Play(state.turn[0], card)))[0]
    return why_forbidden(number, **_facts(state, Play(state.turn[0], card), number))


# The facts that fill a sentence


def _facts(state: State, act: Act, number: str) -> dict[str, object]:
    """The facts that fill the sentence about one clause and one act."""
    facts: dict[str, object] = {"who": seat_words(act.seat)}
    if number in _FACTS:
        facts |= _FACTS[number](state, act)
    if isinstance(act, Play | Retract):
        facts["card"] = card_words(act.card)
    table = state.table
    if table is not None and table.cards:
        facts["suit"] = suit_words(table.cards[0])
        facts["a_suit"] = card_of_suit_words(table.cards[0])
    if isinstance(act, Play):
        left = narrowed_with_card(state, act.card).get(number)
        if left is not None:
            facts["cards"] = cards_words(left, "or")
    return facts


def _deal_facts(state: State, act: Act) -> dict[str, object]:
    core = state.core
    size = count_words(int(hand_size(core.rules, core.pack, core.named)), "card")
    rest = option_meaning("undealt", state.ruleset.options["undealt"])
    return {"dealt": f"{size} for each player of a pack of {_pack(state)}; {rest}"}


def _pack(state: State) -> str:
    return count_words(len(CardSet.of_mask(state.core.pack)), "card")


def _pass_facts(state: State, act: Act) -> dict[str, object]:
    core = state.core
    one_to_each = (
        "in this deal every player gives one card to each of the others, each with "
        "its own address."
    )
    to_one = (
        "in this deal the cards of a player all go to one place; they are not spread "
        "over the others."
    )
    options = state.ruleset.options
    return {
        "passed": count_words(int(cards_needed(core.rules, core.dealt.way)), "card"),
        "hand": hand_words(CardSet.of_mask(core.dealt.hands[act.seat])),
        "scatter": one_to_each if core.dealt.way == SCATTER else to_one,
        "unseen": (
            "in this deal the cards do not go to one neighbour"
            if may_not_forward(core.rules, core.dealt.way) and options["pass_unseen"]
            else option_meaning("pass_unseen", options["pass_unseen"])
        ),
    }


def _draw_facts(state: State, act: Act) -> dict[str, object]:
    cards = cards_words(state.legal.cards, "or")
    return {"draw": f"{seat_words(act.seat)} may play {cards}"}


def _claim_facts(state: State, act: Act) -> dict[str, object]:
    assert isinstance(act, Claim)
    notes = [(note.seat, note.trick, note.state) for note in state.revokes]
    early = f"trick {act.trick} is not complete yet"
    if (act.against, act.trick, "open") in notes:
        early = f"it can still be taken back, {revoke_window_words(state)}"
    against = seat_words(act.against)
    return {"early": early, "against": against, "trick": act.trick}


def _moon_facts(state: State, act: Act) -> dict[str, object]:
    return {"choices": choices_words(state)}


_FACTS: Final[dict[str, Callable[[State, Act], dict[str, object]]]] = {
    "2.3": lambda state, act: {"turn": turn_words(state)},
    "2.4": lambda state, act: {"phase": PHASES[state.phase]},
    "3.8": _deal_facts,
    "4.4": _pass_facts,
    "4.5": _pass_facts,
    "4.6": _pass_facts,
    "4.9": _pass_facts,
    "6.3": _draw_facts,
    "7.4": lambda state, act: {"window": revoke_window_words(state)},
    "7.7": _claim_facts,
    "7.7a": _claim_facts,
    "8.6": _moon_facts,
}


# The cards of the hand


def _cards(state: State, act: Act) -> Iterator[CardRuling]:
    """Every card of the hand if the act is a play or a draw by the seat in turn."""
    if state.phase != "play" or not isinstance(act, Play | Draw):
        return
    if state.turn != (act.seat,):
        return
    for card in state.hands[act.seat]:
        play = Play(act.seat, card)
        verdict = state.verdict(play)
        options = dict.fromkeys(one.option for one in what_ifs(state, play))
        yield CardRuling(card, verdict, tuple(_why(state, play, verdict)), (*options,))


# As JSON


def said_fields(sentences: tuple[Said, ...]) -> list[dict[str, object]]:
    """Sentences as plain values."""
    return [{"text": one.text, "clauses": list(one.clauses)} for one in sentences]


def verdict_fields(verdict: Verdict) -> dict[str, object]:
    """A verdict as plain values."""
    word = type(verdict).__name__.lower()
    return {"verdict": word, "clauses": list(clauses_of(verdict))}


def ruling_fields(ruling: Ruling) -> dict[str, object]:
    """A ruling as plain values."""
    return {
        "seat": ruling.act.seat,
        "act": act_fields(ruling.act),
        **verdict_fields(ruling.verdict),
        "headline": ruling.headline,
        "why": said_fields(ruling.why),
        "mattered": [
            {
                "option": one.option,
                "value": one.value,
                "text": one.sentence.text,
                "clauses": list(one.sentence.clauses),
            }
            for one in ruling.mattered
        ],
        "cards": [
            {
                "card": str(one.card),
                **verdict_fields(one.verdict),
                "why": said_fields(one.why),
                "options": list(one.mattered),
            }
            for one in ruling.cards
        ],
        "follows": said_fields(ruling.follows),
    }
