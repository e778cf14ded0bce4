"""The law of irregularities: what a revoke is, and what follows from one.

The sentences follow the options of the ruleset. The table of moments is not written by
hand: a deal is played, and at each moment the engine is asked whether the card can be
taken back and whether the revoke can be claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

from refengine.chapters.cards import EMPTY, cards_that_count
from refengine.chapters.deal import match_pack, removed_cards
from refengine.chapters.play import next_to_play
from refengine.chapters.revoke import penalty
from refengine.errors import counted
from refengine.formats.fields import ruleset_fields
from refengine.game.acts import Claim, Play, QuitTrick, Retract
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup
from refengine.game.values.cardset import CARDS, Card, CardSet, Suit
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal
from refengine.lawbook.profiles import profile_names
from refengine.lawbook.spoken import profile_said
from refengine.rulings.explain import said_fields
from refengine.rulings.irregularity_words import irregularity_sentence
from refengine.rulings.ruling_text import short_ruleset, wrapped_lines
from refengine.rulings.sentences import WORDS, Said
from refengine.rulings.whatif import clauses_of
from refengine.rulings.words import list_words

_CLUBS: Final = tuple([card for card in CARDS if card.suit is Suit.CLUBS])
_DIAMONDS: Final = tuple([card for card in CARDS if card.suit is Suit.DIAMONDS])


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

    If everybody plays their last card to that trick, nobody can, since nobody holds
    another card of the suit led. But cards may be drawn from a stock (6.1), or the deal
    may end while seats still hold cards (5.14a).
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
    """Every profile in which a revoke can happen, as a ruleset for four players."""
    found = [Ruleset(name, 4) for name in profile_names()]
    return tuple(one for one in found if knows_revokes(one))


def cost_words(ruleset: Ruleset) -> str:
    """What one established revoke costs, in words.

    If it costs all the points, these are the points in the pack of this ruleset, which
    lacks the cards taken out (3.3).
    """
    rules = ruleset.rules
    points = int(penalty(rules, match_pack(rules, EMPTY)))
    if ruleset.options["revoke_points"] == "all":
        pack = "this pack" if removed_cards(rules) else "the full pack"
        return f"all the points there are, {points} with {pack}"
    return counted(points, "point")


def revoke_sections(ruleset: Ruleset) -> tuple[Section, ...]:
    """What the book says about revokes under this ruleset, as four sections.

    If no revoke can happen, there is only the first section.
    """
    definition = ("definition", "no revoke")
    if not knows_revokes(ruleset):
        return (_section("What a revoke is", *definition, "rejected"),)
    quitted = ruleset.options["revoke_until"] == "trick_quitted"
    at_once = ["claim at once"] if last_revoke_lasts(ruleset) else []
    return (
        _section(
            "What a revoke is",
            *definition,
            *("second fault", "stands", "never listed"),
        ),
        _section(
            "How long it can be taken back",
            *_on_correction(ruleset),
            quit=WORDS["or turned down"] if quitted else "",
        ),
        _section(
            "When it counts",
            *("claim", "claim from", *at_once, "claim until", "false claim"),
            *("unclaimed", "suit in hand"),
        ),
        _section("What it costs", *_on_cost(ruleset), points=cost_words(ruleset)),
    )


def _section(title: str, *names: str, **facts: object) -> Section:
    """A section with the sentences of these names, filled in from `facts`."""
    said = tuple(irregularity_sentence(name, **facts) for name in names)
    return Section(title, said)


def _on_correction(ruleset: Ruleset) -> list[str]:
    """The names of the sentences on who corrects a revoke, until when, and how."""
    until = str(ruleset.options["revoke_until"])
    names = ["who corrects", until]
    if last_revoke_lasts(ruleset):
        names.append("last trick")
    if until == "trick_quitted":
        names.append("quit")
    names.append("restored")
    if ruleset.options["undealt"] == "stock":
        names.append("drawn")
    return [*names, "taken with it"]


def _on_cost(ruleset: Ruleset) -> list[str]:
    """The names of the sentences on what an established revoke costs."""
    if ruleset.options["revoke_ends_deal"] is True:
        return ["ends", "counts as deal", "scored anew"]
    moon = ["no moon"] if ruleset.options["moon"] != "none" else []
    return ["goes on", *moon, "scored anew"]


# The moments, played


def moments_after(ruleset: Ruleset) -> tuple[Situation, ...]:
    """Moments after a revoke, each with what forbids correcting or claiming it then.

    The answers come from the engine. A moment after the last trick is added only if
    somebody can revoke in that trick.
    """
    found = list(_in_the_first_trick(ruleset))
    if can_revoke_in_last_trick(ruleset):
        found.append(_in_the_last_trick(ruleset))
    return tuple(found)


def _in_the_first_trick(ruleset: Ruleset) -> Iterator[Situation]:
    state = _plays(_two_cards_each(ruleset, 0))
    seat = state.turn[0]
    state, card = _revoked(state)
    yield _moment("the card has just been played", state, seat, card)
    while not state.history:
        state = _plays(state)
    yield _moment("the trick is complete", state, seat, card)
    quitting = QuitTrick(state.history[-1].winner)
    if isinstance(state.verdict(quitting), Legal):
        turned = state.apply(quitting)
        yield _moment("the trick is turned face down", turned, seat, card)
    if state.phase == "play":  # it may be over where no card counts (5.14a)
        state = _plays(state)
        yield _moment("the next trick is led", state, seat, card)
    while state.phase == "play":
        state = _plays(state)
    yield _moment("the last card of the deal is played", state, seat, card)


def _in_the_last_trick(ruleset: Ruleset) -> Situation:
    """The moment after a revoke with the last card of the last trick of a deal.

    With a stock, the seat that plays last has drawn a card of the suit led and keeps
    it. Otherwise it plays the last card that counts, which ends the deal.
    """
    seats = range(ruleset.players)
    last = next(seat for seat in seats if not next_to_play(ruleset.rules, seat, 0))
    if ruleset.options["undealt"] == "stock":
        hands = [str(_DIAMONDS[0] if seat == last else _CLUBS[seat]) for seat in seats]
        stock = str(_CLUBS[last])
        setup = Setup(dealer=seats[-1], hands=hands, leader=0, stock=stock)
        state = State.open(ruleset, setup)
    else:
        state = _two_cards_each(ruleset, last)
    while state.turn != (last,) or state.legal.due.kind == "draw":
        state = _plays(state)
    state, card = _revoked(state)
    return _moment("it was in the last trick of the deal", state, last, card)


def _two_cards_each(ruleset: Ruleset, holder: int) -> State:
    """A deal in which seat 0 leads and every seat holds a club and a diamond.

    In place of the diamond, `holder` has a card that counts, if there is one.
    """
    counting = CardSet.of_mask(cards_that_count(ruleset.rules))
    others = [card for card in _DIAMONDS if card not in counting]
    others[holder:holder] = list(counting)[:1]
    seats = range(ruleset.players)
    setup = Setup(
        dealer=seats[-1],
        hands=[f"{_CLUBS[seat]} {others[seat]}" for seat in seats],
        leader=0,
        hearts_broken=True,
        first_trick=not counting,
    )
    return State.open(ruleset, setup)


def _moment(name: str, state: State, seat: int, card: Card) -> Situation:
    """Whether the revoke of this seat in trick 1 may be corrected or claimed now."""
    retract = state.verdict(Retract(seat, card))
    claim = state.verdict(Claim(0, seat, 1))
    return Situation(name, clauses_of(retract), clauses_of(claim))


def _revoked(state: State) -> tuple[State, Card]:
    """The state after the seat to play has revoked, and the card that it played."""
    seat = state.turn[0]
    card = next(
        card
        for card in state.hands[seat]
        if isinstance(state.verdict(Play(seat, card)), Irregular)
    )
    return state.play(card), card


def _plays(state: State) -> State:
    """The state after the seat to play has drawn or played its lowest legal card."""
    due = state.legal.due
    return state.draw() if due.kind == "draw" else state.play(next(iter(due.cards)))


# The chapter


def revoke_chapter_markdown() -> Iterator[str]:
    """The lines of a Markdown page on revokes in every profile.

    Profiles in which revokes can happen come first, and the others share a section.
    """
    yield "# Irregularities"
    yield ""
    yield INTRODUCTION
    found = profiles_with_revokes()
    for ruleset in found:
        yield ""
        yield f"## {profile_said(ruleset.profile)}"
        yield from _markdown(ruleset)
    names = {one.profile for one in found}
    others = [name for name in profile_names() if name not in names]
    yield ""
    yield f"## The other games ({list_words(others)})"
    yield from _markdown(Ruleset(others[0]))


INTRODUCTION = """\
What happens when a card wrongly fails to follow suit, in each game in which it can:
when it may be taken back, when it counts as a revoke, what it costs.
The numbers after the sentences are clauses of the book; `refengine cite 7.4` shows one.
These tables were not written by hand: the engine was asked at each moment.
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
    """`yes` if there are no clauses, or `no` with the clauses in brackets."""
    return f"no [{', '.join(clauses)}]" if clauses else "yes"


def revoke_rules_lines(ruleset: Ruleset) -> Iterator[str]:
    """The rules on revokes under one ruleset, in lines for a terminal."""
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
    """The rules on revokes under one ruleset, as plain values."""
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
