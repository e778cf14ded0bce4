"""The law of irregularities: what a revoke is, and what becomes of it.

The sentences follow the options of the ruleset. The table of moments is not written by
hand but played: at each moment the engine is asked whether the card can be taken back
or the revoke claimed.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from refengine.chapters.cards import EMPTY
from refengine.chapters.deal import match_pack, removed_cards
from refengine.chapters.revoke import penalty
from refengine.errors import counted
from refengine.formats.fields import ruleset_fields
from refengine.game.acts import Claim, Play, QuitTrick, Retract
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.cardset import Card
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal
from refengine.lawbook.profiles import profile, profile_names
from refengine.rulings.explain import said_fields
from refengine.rulings.irregularity_words import irregularity_sentence
from refengine.rulings.ruling_text import short_ruleset, wrapped_lines
from refengine.rulings.sentences import Said
from refengine.rulings.whatif import clauses_of
from refengine.rulings.words import list_words

_HANDS = ("2C 6C 6H", "3C 4C 9D", "5C 7C 8D", "TC JC TD")
"""Three cards for each of four seats; every seat can follow clubs twice."""
_CLUBS = ("2C", "3C", "4C", "5C")
_DRAWN = "7C"
_LAST_TRICK = "it was in the last trick of the deal"
_ONE_HEART = ("2C 3H 9S", "3C 6D 6S", "4C 7D 7S", "5C TD TS")
"""Hands with only one heart, discarded on a diamond in the second of three tricks."""
_SECOND_TRICK = ("3H", "6D", "7S", "TD")


@attrs.frozen
class Section:
    """A heading and the sentences under it."""

    title: str
    sentences: tuple[Said, ...]


@attrs.frozen
class Situation:
    """One moment after a revoke, and what may be done about the revoke then.

    `correct` and `claim` hold the clauses that forbid a correction and a claim at this
    moment; each is empty if no clause does.
    """

    name: str
    correct: tuple[str, ...]
    claim: tuple[str, ...]


def knows_revokes(ruleset: Ruleset) -> bool:
    """Whether a revoke can happen under this ruleset."""
    return ruleset.options["revokes"] == "penalised"


def can_revoke_in_last_trick(ruleset: Ruleset) -> bool:
    """Whether somebody can revoke in the last trick of a deal.

    Everybody plays a last card to it, so nobody can hold another card of the suit led,
    unless cards are drawn from a stock (6.1) or the deal ends while cards are held
    (5.14a).
    """
    has_stock = ruleset.options["undealt"] == "stock"
    return has_stock or ruleset.rules.ends_without_points


def last_revoke_lasts(ruleset: Ruleset) -> bool:
    """Whether a revoke in the last trick can be taken back after that trick (7.4a).

    It cannot if the time for correction ends with the trick (7.4).
    """
    ends_with_trick = ruleset.options["revoke_until"] == "trick_complete"
    return can_revoke_in_last_trick(ruleset) and not ends_with_trick


def profiles_with_revokes() -> tuple[Ruleset, ...]:
    """The profiles under which revokes can happen, each for four players."""
    found = [Ruleset(name, 4) for name in profile_names()]
    return tuple(one for one in found if knows_revokes(one))


def cost_words(ruleset: Ruleset) -> str:
    """What one established revoke costs, in words.

    If it costs all the points, these are the points in the ruleset's pack, without the
    cards that are taken out (3.3).
    """
    rules = ruleset.rules
    points = int(penalty(rules, match_pack(rules, EMPTY)))
    if ruleset.options["revoke_points"] == "all":
        pack = "this pack" if removed_cards(rules) else "the full pack"
        return f"all the points there are, {points} with {pack}"
    return counted(points, "point")


def revoke_sections(ruleset: Ruleset) -> tuple[Section, ...]:
    """What the book says about revokes under this ruleset, in four sections.

    If no revoke can happen, there is only the first section.
    """

    def told(title: str, *names: str, **facts: object) -> Section:
        said = tuple(irregularity_sentence(name, **facts) for name in names)
        return Section(title, said)

    definition = ("definition", "no revoke")
    if not knows_revokes(ruleset):
        return (told("What a revoke is", *definition, "rejected"),)
    until = str(ruleset.options["revoke_until"])
    quitted = until == "trick_quitted"
    window = [until]
    lasts = last_revoke_lasts(ruleset)
    if lasts:
        window.append("last trick")
    if quitted:
        window.append("quit")
    stock = ["drawn"] if ruleset.options["undealt"] == "stock" else []
    at_once = ["claim at once"] if lasts else []
    ends = ruleset.options["revoke_ends_deal"] is True
    cost = ["ends", "counts as deal"] if ends else ["goes on"]
    if ruleset.options["moon"] != "none" and not ends:
        cost.append("no moon")
    return (
        told("What a revoke is", *definition, "second fault", "stands", "never listed"),
        told(
            "How long it can be taken back",
            "who corrects",
            *window,
            "restored",
            *stock,
            "taken with it",
            quit=", or when the winner turns it face down" if quitted else "",
        ),
        told(
            "When it counts",
            *("claim", "claim from", *at_once, "claim until", "false claim"),
            *("unclaimed", "suit in hand"),
        ),
        told("What it costs", *cost, "scored anew", points=cost_words(ruleset)),
    )


# The moments, played


def moments_after(ruleset: Ruleset) -> tuple[Situation, ...]:
    """What may be done about a revoke at each moment after it, as the engine says.

    A moment after the last trick is added only if somebody can revoke in that trick.
    """
    found = list(_in_the_first_trick(ruleset))
    if ruleset.options["undealt"] == "stock":
        found.append(_with_the_last_card(ruleset))
    elif can_revoke_in_last_trick(ruleset):
        found.append(_with_the_last_heart(ruleset))
    return tuple(found)


def _in_the_first_trick(ruleset: Ruleset) -> Iterator[Situation]:
    state = _plays(State.open(ruleset, Setup(dealer=3, hands=_HANDS, leader=0)))
    seat = state.turn[0]
    card = next(card for card in state.hands[seat] if _revokes(state, card))
    state = state.play(card)
    yield _moment("the card has just been played", state, seat, card)
    while not state.history:
        state = _plays(state)
    yield _moment("the trick is complete", state, seat, card)
    quitting = QuitTrick(state.history[-1].winner)
    if isinstance(state.verdict(quitting), Legal):
        turned = state.apply(quitting)
        yield _moment("the trick is turned face down", turned, seat, card)
    state = _plays(state)
    yield _moment("the next trick is led", state, seat, card)
    while state.phase == "play":
        state = _plays(state)
    yield _moment("the last card of the deal is played", state, seat, card)


def _with_the_last_card(ruleset: Ruleset) -> Situation:
    """The moment after a revoke with the last card of a deal.

    The seat that plays last draws a card of the suit led and does not play it.
    """
    state = State.open(ruleset, Setup(dealer=3, hands=_CLUBS, leader=0))
    while state.table is not None and len(state.table.cards) < 3:
        state = _plays(state)
    seat = state.turn[0]
    hands = ["6D" if place == seat else hand for place, hand in enumerate(_CLUBS)]
    state = State.open(ruleset, Setup(dealer=3, hands=hands, leader=0, stock=_DRAWN))
    while state.turn != (seat,) or state.legal.due.kind == "draw":
        state = _plays(state)
    state = state.play("6D")
    return _moment(_LAST_TRICK, state, seat, Card("6D"))


def _with_the_last_heart(ruleset: Ruleset) -> Situation:
    """The moment after a revoke in the trick with the last card that counts."""
    state = State.open(ruleset, Setup(dealer=3, hands=_ONE_HEART, leader=0))
    while not state.history:
        state = _plays(state)
    for _ in _ONE_HEART:
        state = state.play(_SECOND_TRICK[state.turn[0]])
    return _moment(_LAST_TRICK, state, 2, Card("7S"), trick=2)


def _moment(
    name: str, state: State, seat: int, card: Card, trick: int = 1
) -> Situation:
    """What may be done at this moment about the revoke in this trick."""
    retract = state.verdict(Retract(seat, card))
    claim = state.verdict(Claim(0, seat, trick))
    return Situation(name, clauses_of(retract), clauses_of(claim))


def _revokes(state: State, card: Card) -> bool:
    return isinstance(state.verdict(Play(state.turn[0], card)), Irregular)


def _plays(state: State) -> State:
    """The state after the seat in turn plays its lowest legal card, or draws."""
    due = state.legal.due
    return state.draw() if due.kind == "draw" else state.play(next(iter(due.cards)))


# The chapter


def revoke_chapter_markdown() -> Iterator[str]:
    """The lines of the page in Markdown: each profile with revokes, then the others."""
    yield "# Irregularities"
    yield ""
    yield INTRODUCTION
    found = profiles_with_revokes()
    for ruleset in found:
        yield ""
        yield f"## {profile(ruleset.profile).title} ({ruleset.profile})"
        yield from _markdown(ruleset)
    names = {one.profile for one in found}
    others = [name for name in profile_names() if name not in names]
    yield ""
    yield f"## The other games ({list_words(others)})"
    yield from _markdown(Ruleset(others[0]))


INTRODUCTION = """\
What becomes of a card that wrongly fails to follow suit, in each game that lets it
happen: when it can be taken back, when it counts, what it costs.
The numbers beside the sentences are the clauses of the book; `refengine cite 7.4` shows
one.
Nobody wrote these tables: the engine was asked at each moment.
Made by `refengine irregularities --markdown`."""


def _markdown(ruleset: Ruleset) -> Iterator[str]:
    for section in revoke_sections(ruleset):
        yield ""
        yield f"### {section.title}"
        yield ""
        yield from (f"- {one}" for one in section.sentences)
    if not knows_revokes(ruleset):
        return
    yield ""
    yield "### Moment by moment"
    yield ""
    yield "| when | may it be taken back? | may it be claimed? |"
    yield "| --- | --- | --- |"
    for one in moments_after(ruleset):
        cells = (one.name, allowed_words(one.correct), allowed_words(one.claim))
        yield f"| {' | '.join(cells)} |"


def allowed_words(clauses: tuple[str, ...]) -> str:
    """`yes`, or `no` with the clauses that forbid it."""
    return f"no [{', '.join(clauses)}]" if clauses else "yes"


def revoke_rules_lines(ruleset: Ruleset) -> Iterator[str]:
    """What becomes of revokes under one ruleset, in lines for a terminal."""
    yield f"Revokes under {short_ruleset(ruleset)}"
    for section in revoke_sections(ruleset):
        yield ""
        yield section.title
        for one in section.sentences:
            yield from wrapped_lines(str(one))
    if not knows_revokes(ruleset):
        return
    yield ""
    yield "Moment by moment"
    for moment in moments_after(ruleset):
        back, claim = allowed_words(moment.correct), allowed_words(moment.claim)
        yield f"  {moment.name:40} taken back: {back:10}  claimed: {claim}"


def revoke_rules_fields(ruleset: Ruleset) -> dict[str, object]:
    """What becomes of revokes under one ruleset, as plain values."""
    moments = moments_after(ruleset) if knows_revokes(ruleset) else ()
    return {
        "ruleset": ruleset_fields(ruleset),
        "revokes": knows_revokes(ruleset),
        "sections": [
            {"title": one.title, "sentences": said_fields(one.sentences)}
            for one in revoke_sections(ruleset)
        ],
        "moments": [
            {"when": one.name, "correct": list(one.correct), "claim": list(one.claim)}
            for one in moments
        ],
    }
