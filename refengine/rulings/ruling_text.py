"""A ruling for a terminal: its sentences, each with its citation."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from refengine.game.rulesets import Ruleset
from refengine.lawbook.book import clause, registry
from refengine.lawbook.reading import Citation
from refengine.rulings.consequences import whose_turn
from refengine.rulings.explain import CardRuling, Ruling, clauses_cited_by
from refengine.rulings.sentences import HOW_TO_READ, Said
from refengine.rulings.words import hand_words, list_words, seat_words, value_text

_WIDTH: Final = 88


def wrapped_lines(text: str, indent: str = "  ", hang: str | None = None) -> list[str]:
    """A sentence in lines of at most 88 characters, the indent included."""
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if hang is None else hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def ruling_lines(ruling: Ruling, assumptions: Sequence[str] = ()) -> Iterator[str]:
    """The ruling with everything that belongs to it.

    `assumptions` holds sentences about what was assumed; if there are none, the whole
    position is known and is shown.
    """
    yield from wrapped_lines(ruling.headline, "")
    yield ""
    yield from _situation(ruling, assumptions)
    yield from _section("Why", ruling.why)
    yield from _hand(ruling.cards)
    yield from _section("What follows", ruling.follows)
    yield from _section(
        "Where tables differ", (one.sentence for one in ruling.mattered)
    )
    yield from _citations(ruling.cited)


def hand_lines(ruling: Ruling, assumptions: Sequence[str]) -> Iterator[str]:
    """What may be done with a hand, if the question is about no card in particular."""
    due = ruling.before.legal.due
    may = f"may play {due.cards}" if due.cards else "must draw from the stock"
    yield f"{_capital(seat_words(ruling.act.seat))} {may}"
    yield ""
    yield from _situation(ruling, assumptions)
    yield from _hand(ruling.cards)
    yield from _citations(
        clauses_cited_by(one for card in ruling.cards for one in card.why)
    )


def _citations(numbers: Iterable[str]) -> Iterator[str]:
    yield from _section("How to read this", [HOW_TO_READ])
    yield ""
    yield "Cited"
    version = str(registry()["version"])
    for number in numbers:
        found = clause(number)
        yield f"  {Citation(number, version, found.fingerprint)}  {found.title}"


def _section(title: str, sentences: Iterable[Said]) -> Iterator[str]:
    told = list(sentences)
    if told:
        yield ""
        yield title
        for one in told:
            yield from wrapped_lines(str(one))


def ruleset_words(ruleset: Ruleset) -> str:
    """The ruleset with its changed options."""
    changed = "".join(
        f", {name}={value_text(value)}" for name, value in ruleset.changed.items()
    )
    return f"{ruleset.profile}, {ruleset.players} players{changed}"


def short_ruleset(ruleset: Ruleset) -> str:
    """The profile, and the options in which the ruleset differs from it."""
    changes = [f"{name}={value_text(value)}" for name, value in ruleset.changed.items()]
    return (
        f"{ruleset.profile} with {list_words(changes)}" if changes else ruleset.profile
    )


def _situation(ruling: Ruling, assumptions: Sequence[str]) -> Iterator[str]:
    state = ruling.before
    yield from wrapped_lines(f"The rules: {ruleset_words(state.ruleset)}.")
    table = state.table
    if table is not None and table.cards:
        seats = state.seats_on_table
        cards = [
            f"{card} by {seat_words(seat)}"
            for seat, card in zip(seats, table.cards, strict=True)
        ]
        yield from wrapped_lines(f"On the table: {', '.join(cards)}.")
    if state.hands:
        cards_held = hand_words(state.hands[ruling.act.seat])
        yield from wrapped_lines(
            f"{_capital(seat_words(ruling.act.seat))} holds {cards_held}."
        )
    if assumptions:
        yield from wrapped_lines(f"Taken for granted: {'; '.join(assumptions)}.")
        return
    for one in whose_turn(state):
        yield from wrapped_lines(str(one))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _hand(cards: Sequence[CardRuling]) -> Iterator[str]:
    if not cards:
        return
    yield ""
    yield "The hand, card by card"
    for one in cards:
        head = f"  {one.card}  {one.word:6}  "
        options = f" (depends on {', '.join(one.mattered)})" if one.mattered else ""
        for place, sentence in enumerate(one.why):
            last = options if place == len(one.why) - 1 else ""
            lead = head if place == 0 else " " * len(head)
            yield from wrapped_lines(f"{sentence}{last}", lead, " " * len(head))


def short_lines(ruling: Ruling) -> Iterator[str]:
    """The ruling without the hand and the consequences."""
    yield from wrapped_lines(ruling.headline, "  ")
    yield from why_lines(ruling)


def why_lines(ruling: Ruling) -> Iterator[str]:
    """The reasons for the ruling, a sentence for each clause."""
    for one in ruling.why:
        yield from wrapped_lines(str(one), "    ")
