"""Rulings on a single act: the verdict, the reasons for it and its consequences.

`explain(state, act)` puts what the engine answers into words, and adds which options
mattered; nothing here decides what is legal. The sentences are in
`refengine.rulings.sentences`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import attrs

from refengine.chapters.cards import EMPTY
from refengine.chapters.deal import hand_size, kitty_size, stock_size
from refengine.chapters.passing import cards_needed, may_not_forward
from refengine.chapters.revoke import revoke_of, time_to_correct
from refengine.errors import Malformed, counted
from refengine.formats.fields import act_fields
from refengine.game.acts import Act, Claim, Cut, Deal, Draw, Play, Retract
from refengine.game.values.cardset import NO_CARDS, Card, CardSet, Printer
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Refused, Verdict
from refengine.lawbook.book import title
from refengine.lawbook.reading import place_in_book
from refengine.machine.due import position_of
from refengine.machine.judging import ended_by_claim
from refengine.rulings.consequences import (
    choices_words,
    consequences,
    is_last_trick,
    revoke_window_words,
    turn_words,
)
from refengine.rulings.reasons import narrowed_with_card, why_a_card
from refengine.rulings.relevance import Mattered, bears_on, options_that_mattered
from refengine.rulings.sentences import (
    ALLOWED,
    FACTS,
    RULED_IRREGULAR,
    RULED_LEGAL,
    UNCHANGED,
    WHY,
    Said,
    consequence_sentence,
    sentence_of,
    why_allowed,
    why_forbidden,
)
from refengine.rulings.whatif import clauses_of, moment_otherwise, what_ifs
from refengine.rulings.words import (
    PHASES,
    act_words,
    capital,
    card_of_suit_words,
    card_words,
    cards_words,
    hand_words,
    option_meaning,
    seat_words,
    suit_words,
)


@attrs.frozen
class CardRuling:
    """The ruling on a card of the hand: verdict, reasons and options that mattered."""

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
    """What the book says about one act at one moment.

    `headline` is the ruling in one sentence, and `why` holds a sentence for each
    clause. `mattered` holds the option values on which the ruling depends. `cards`
    holds a ruling on every card of the hand if the act is a play or a draw by the seat
    to play. `follows` says what follows from the act; `after` is the state after the
    act, or None if it is refused. Unless all hands are `known`, nothing is said that
    depends on the other hands. As text, the ruling is what `refengine explain` prints.
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
    known: bool = True

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

    @property
    def titles(self) -> dict[str, str]:
        """The titles of the clauses that the ruling cites, by number."""
        return {number: title(number) for number in self.cited}

    @property
    def text(self) -> str:
        """The whole ruling in lines of at most `WIDTH` characters, usually 88."""
        from refengine.rulings.ruling_text import ruling_lines  # it imports this

        return "\n".join(ruling_lines(self))

    def __str__(self) -> str:
        return self.text

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text(self.text)


def clauses_cited_by(sentences: Iterable[Said]) -> tuple[str, ...]:
    """The clauses that these sentences cite, each once, in the order of the book."""
    numbers = {number for sentence in sentences for number in sentence.clauses}
    return tuple(sorted(numbers, key=place_in_book))


# The clauses that refuse a claim without looking at what was played.
_TOO_SOON: Final = frozenset({"2.3", "2.4", "7.7"})
_WORDS: Final = {Legal: "yes", Refused: "no", Irregular: "revoke"}


def explain(state: State, act: Act, known: bool = True) -> Ruling:
    """The ruling on an act at this moment.

    >>> from refengine import Play, Ruleset, new_deal
    >>> hands = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "7D KC KH"]
    >>> state = new_deal(Ruleset("estmesh-hearts"), hands, dealer=3, deal=4).play("2C")
    >>> ruling = explain(state, Play(1, "QS"))
    >>> ruling.headline
    'Seat 1 may not play QS: 5.3 Follow suit'
    >>> ruling.clauses, ruling.titles["0.10"]
    (('5.3',), 'A refused act changes nothing')
    >>> ruling.follows[0].text
    'A refused act changes nothing; seat 1 is to act.'

    Pass `known=False` if the other hands are made up, or hidden from whoever asks: then
    nothing is said that depends on them. A claim is then explained only if it is too
    early, since any other answer would reveal whether there was a revoke (7.7).
    Raises Malformed for any other claim if `known` is false, and if the act names a
    seat that is not at the table.
    """
    verdict = state.verdict(act)
    hidden = not known and isinstance(act, Claim)
    if hidden and not _TOO_SOON & {*clauses_of(verdict)}:
        raise Malformed("a claim", ALLOWED["telling"])
    after = None if isinstance(verdict, Refused) else state.apply(act)
    if after is None:
        told = tuple(_refused(state, act))
    else:
        told = tuple(consequences(state, act, after, known))
    # What other tables would say about a claim also reveals whether there was a revoke.
    mattered: tuple[Mattered, ...] = ()
    if not hidden:
        ends = after if known else None
        mattered = tuple(options_that_mattered(state, act, verdict, ends))
    return Ruling(
        before=state,
        act=act,
        verdict=verdict,
        headline=_headline(act, verdict),
        why=tuple(_why(state, act, verdict)),
        mattered=mattered,
        cards=tuple(_cards(state, act)),
        follows=told,
        after=after,
        known=known,
    )


def _refused(state: State, act: Act) -> Iterator[Said]:
    """The consequences of a refusal: nothing changes, and no revoke has been committed.

    The latter is said only if revokes are penalised and the act is a draw, or a play
    that does not fail to follow suit.
    """
    yield sentence_of(UNCHANGED, "0.10", turn=turn_words(state))
    penalised = state.ruleset.options["revokes"] == "penalised"
    broken = clauses_of(state.verdict(act))
    if penalised and isinstance(act, Play | Draw) and "5.3" not in broken:
        yield consequence_sentence("no revoke")


def _headline(act: Act, verdict: Verdict) -> str:
    if isinstance(verdict, Refused):
        text = str(verdict).replace(act.phrase, act_words(act))
    else:
        irregular = isinstance(verdict, Irregular)
        template = RULED_IRREGULAR if irregular else RULED_LEGAL
        text = template.format(who=seat_words(act.seat), act=act_words(act))
    return capital(text)


def _why(state: State, act: Act, verdict: Verdict) -> Iterator[Said]:
    if not isinstance(verdict, Legal):
        for number in verdict.clauses:
            yield why_forbidden(number, **_facts(state, act, number))
    elif isinstance(act, Play):
        yield from why_a_card(state, act.card)
    elif isinstance(act, Draw):
        yield _draw_due(state)
    else:
        yield why_allowed(act.kind, **_facts(state, act, WHY[act.kind][1]))


def _draw_due(state: State) -> Said:
    """The sentence on why the seat to play must draw, with the clause that says so."""
    seat = state.turn[0]
    play = Play(seat, next(iter(state.hands[seat])))
    number = clauses_of(state.verdict(play))[0]
    return why_forbidden(number, **_facts(state, play, number))


# The facts to fill in a sentence


def _facts(state: State, act: Act, number: str) -> dict[str, object]:
    """The facts that fill in the sentence on what this clause says about an act."""
    facts: dict[str, object] = {"who": seat_words(act.seat)}
    if number in _FACTS:
        facts |= _FACTS[number](state, act)
    if isinstance(act, Cut | Play | Retract):
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
    each = hand_size(core.rules, core.pack, core.named)
    size = counted(int(each), "card")
    rest = option_meaning("undealt", state.ruleset.options["undealt"])
    pack = counted(len(CardSet.of_mask(core.pack)), "card")
    in_hands = each * core.rules.players
    stock = stock_size(core.rules, core.pack, in_hands)
    kitty = kitty_size(core.rules, core.pack, in_hands)
    return {
        "dealt": FACTS["dealt"].format(size=size, pack=pack, rest=rest),
        "stock": counted(int(stock), "card"),
        "kitty": counted(int(kitty), "card"),
        "amiss": _amiss(state, act),
    }


def _amiss(state: State, act: Act) -> str:
    """Words for what is wrong with the cards of a deal.

    They name the cards that are missing, dealt twice, or not in the pack.
    """
    assert isinstance(act, Deal)
    pack = CardSet.of_mask(state.core.pack)
    dealt = twice = NO_CARDS
    for pile in (*act.hands, CardSet(act.stock), act.kitty):
        twice |= dealt & pile
        dealt |= pile
    amiss = (
        ("missing", pack - dealt),
        ("dealt twice", twice),
        ("not in the pack", dealt - pack),
    )
    said = [
        FACTS[what].format(cards=cards_words(cards)) for what, cards in amiss if cards
    ]
    return "; ".join(said) or FACTS["nothing amiss"]


def _pass_facts(state: State, act: Act) -> dict[str, object]:
    core = state.core
    options = state.ruleset.options
    return {
        "passed": counted(int(cards_needed(core.rules, core.dealt.way)), "card"),
        "hand": hand_words(CardSet.of_mask(core.dealt.hands[act.seat])),
        "unseen": (
            FACTS["not to one"]
            if may_not_forward(core.rules, core.dealt.way) and options["pass_unseen"]
            else option_meaning("pass_unseen", options["pass_unseen"])
        ),
    }


def _mix_facts(state: State, act: Act) -> dict[str, object]:
    if not state.ruleset.options["mix_kitty"]:
        return {"kitty": FACTS["no kitty"]}
    size = counted(len(CardSet.of_mask(state.core.dealt.kitty)), "card")
    return {"kitty": FACTS["kitty"].format(size=size)}


def _quit_facts(state: State, act: Act) -> dict[str, object]:
    if not state.history:
        return {"winner": FACTS["no trick"]}
    who = seat_words(state.history[-1].winner)
    return {"winner": FACTS["winner"].format(who=who)}


def _draw_facts(state: State, act: Act) -> dict[str, object]:
    cards = cards_words(state.legal.cards, "or")
    return {"draw": FACTS["draw"].format(who=seat_words(act.seat), cards=cards)}


def _claim_facts(state: State, act: Act) -> dict[str, object]:
    assert isinstance(act, Claim)
    # Only what everybody can see decides, never whether there was a revoke (7.7).
    early = FACTS["incomplete"].format(trick=act.trick)
    since = "since the end" if is_last_trick(state, act.trick) else "since too late"
    # A deal opened from a position has had tricks that its history does not show.
    position = state.core.position
    if position is not None and act.trick <= position.piles.done:
        early = FACTS["in time"].format(until=revoke_window_words(state))
    against = seat_words(act.against)
    return {
        "early": early,
        "against": against,
        "trick": act.trick,
        "since": FACTS[since],
    }


def _retract_facts(state: State, act: Act) -> dict[str, object]:
    assert isinstance(act, Retract)
    core, position = state.core, position_of(state.core)
    revoke = revoke_of(core.record.revokes, act.seat, act.card.number)
    assert revoke is not None  # or 7.3 would be named instead
    done, empty = position.piles.done, position.table == EMPTY
    # A claim that ends the deal may end the time before anything else does (7.4).
    if ended_by_claim(core) and time_to_correct(
        core.rules, revoke.trick, done, empty, core.record.closed
    ):
        return {"window": FACTS["until the claim"]}
    last = is_last_trick(state, int(revoke.trick))
    return {"window": revoke_window_words(state, last)}


_FACTS: Final[dict[str, Callable[[State, Act], dict[str, object]]]] = {
    "2.3": lambda state, act: {"turn": turn_words(state)},
    "2.4": lambda state, act: {"phase": PHASES[state.phase]},
    "3.8a": _deal_facts,
    "3.8b": _deal_facts,
    "3.8c": _deal_facts,
    "3.8d": _deal_facts,
    "4.4": _pass_facts,
    "4.5": _pass_facts,
    "4.9": _pass_facts,
    "4.10d": _mix_facts,
    "6.3": _draw_facts,
    "7.4": _retract_facts,
    "7.6b": _quit_facts,
    "7.7": _claim_facts,
    "7.7a": _claim_facts,
    "7.7c": _claim_facts,
    "8.6a": lambda state, act: {"choices": choices_words(state)},
}


# The cards of the hand


def _cards(state: State, act: Act) -> Iterator[CardRuling]:
    """A ruling on each card of the hand if the seat whose turn it is plays or draws."""
    if state.phase != "play" or not isinstance(act, Play | Draw):
        return
    if state.turn != (act.seat,):
        return
    otherwise = moment_otherwise(state)
    for card in state.hands[act.seat]:
        play = Play(act.seat, card)
        verdict = state.verdict(play)
        options = dict.fromkeys(
            one.option
            for one in what_ifs(state, play, otherwise)
            if bears_on(verdict, one.verdict)
        )
        yield CardRuling(card, verdict, tuple(_why(state, play, verdict)), (*options,))


# As JSON


def said_fields(sentences: Iterable[Said]) -> list[dict[str, object]]:
    """Sentences as plain values: the text and the clauses of each."""
    return [{"text": one.text, "clauses": list(one.clauses)} for one in sentences]


def verdict_word(verdict: Verdict) -> str:
    """The name of a verdict in lower case: `legal`, `irregular` or `refused`."""
    return type(verdict).__name__.lower()


def verdict_fields(verdict: Verdict) -> dict[str, object]:
    """A verdict as plain values: its name in lower case, and the clauses broken."""
    return {"verdict": verdict_word(verdict), "clauses": list(clauses_of(verdict))}


def mattered_fields(mattered: Iterable[Mattered]) -> list[dict[str, object]]:
    """The options that mattered, as plain values."""
    return [
        {
            "option": one.option,
            "value": one.value,
            "text": one.sentence.text,
            "clauses": list(one.sentence.clauses),
        }
        for one in mattered
    ]


def ruling_fields(ruling: Ruling) -> dict[str, object]:
    """A ruling as plain values."""
    return {
        "seat": ruling.act.seat,
        "act": act_fields(ruling.act),
        **verdict_fields(ruling.verdict),
        "headline": ruling.headline,
        "why": said_fields(ruling.why),
        "mattered": mattered_fields(ruling.mattered),
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
