"""The text of a ruling for a terminal, with the clauses that each sentence cites."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from refengine.game.rulesets import Ruleset
from refengine.game.values.state import State
from refengine.lawbook import book
from refengine.lawbook.book import clause
from refengine.lawbook.reading import Citation
from refengine.lawbook.spoken import profile_said, rule_said, table_said
from refengine.rulings.called import by_name
from refengine.rulings.consequences import whose_turn
from refengine.rulings.explain import CardRuling, Ruling
from refengine.rulings.page_width import WIDTH
from refengine.rulings.sentences import HOW_TO_READ, SECTIONS, Said
from refengine.rulings.words import capital, hand_words, list_words, seat_words


def wrapped_lines(text: str, indent: str = "  ", hang: str | None = None) -> list[str]:
    """The lines of a sentence, of at most `WIDTH` characters each including the indent.

    In a written game, seats are called by the names of their players.
    """
    return textwrap.wrap(
        by_name(text),
        WIDTH.get(),
        initial_indent=indent,
        subsequent_indent=indent if hang is None else hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def ruling_lines(ruling: Ruling, assumptions: Sequence[str] = ()) -> Iterator[str]:
    """The whole ruling in lines.

    `assumptions` holds sentences about what was assumed; if there are none, the ruling
    says whose turn it is instead.
    """
    yield from wrapped_lines(ruling.headline, "")
    yield ""
    yield from situation_lines(
        ruling.before, ruling.act.seat, assumptions, ruling.known
    )
    yield from section_lines(SECTIONS["why"], ruling.why)
    yield from hand_lines(ruling.cards)
    yield from section_lines(SECTIONS["follows"], ruling.follows)
    yield from section_lines(
        SECTIONS["mattered"], (one.sentence for one in ruling.mattered)
    )
    yield from citation_lines(ruling.cited)


def citation_lines(numbers: Iterable[str]) -> Iterator[str]:
    """The last lines of a ruling: how to read it, and the clauses that it cites."""
    yield from section_lines(SECTIONS["reading"], [HOW_TO_READ])
    yield ""
    yield SECTIONS["cited"]
    version = book.version()
    for number in numbers:
        found = clause(number)
        yield f"  {Citation(number, version, found.fingerprint)}  {found.title}"


def section_lines(title: str, sentences: Iterable[Said]) -> Iterator[str]:
    """The lines of a section, with its heading; none if there are no sentences."""
    told = list(sentences)
    if told:
        yield ""
        yield title
        for one in told:
            yield from wrapped_lines(str(one))


def ruleset_words(ruleset: Ruleset) -> str:
    """The profile, the number of players and the changed options, in words."""
    return table_said(ruleset.profile, ruleset.players, ruleset.changed)


def under_lines(ruleset: Ruleset) -> list[str]:
    """The lines above a judgement that name the ruleset under which it was made."""
    return wrapped_lines(f"Under {ruleset_words(ruleset)}", "", "  ")


def short_ruleset(ruleset: Ruleset) -> str:
    """The profile, and the options in which the ruleset differs from it, in words."""
    changes = [rule_said(name, value) for name, value in ruleset.changed.items()]
    said = profile_said(ruleset.profile)
    return f"{said} with {list_words(changes)}" if changes else said


def situation_lines(
    state: State, seat: int, assumptions: Sequence[str], known: bool = True
) -> Iterator[str]:
    """The lines on the situation: the rules, the trick, the hand and assumptions.

    If nothing is assumed, the lines say whose turn it is instead. Unless all hands are
    `known`, nothing is said that depends on the other hands.
    """
    yield from wrapped_lines(f"{SECTIONS['rules']}: {ruleset_words(state.ruleset)}.")
    table = state.table
    if table is not None and table.cards:
        seats = state.seats_on_table
        cards = [
            f"{card} by {seat_words(seat)}"
            for seat, card in zip(seats, table.cards, strict=True)
        ]
        yield from wrapped_lines(f"{SECTIONS['table']}: {', '.join(cards)}.")
    if state.hands:
        cards_held = hand_words(state.hands[seat])
        yield from wrapped_lines(f"{capital(seat_words(seat))} holds {cards_held}.")
    if assumptions:
        yield from granted_lines(assumptions)
        return
    for one in whose_turn(state, known):
        yield from wrapped_lines(str(one))


def granted_lines(granted: Sequence[str]) -> list[str]:
    """The lines of a sentence that lists what is assumed."""
    return wrapped_lines(f"{SECTIONS['granted']}: {'; '.join(granted)}.")


def hand_lines(cards: Sequence[CardRuling]) -> Iterator[str]:
    """The lines for the cards of a hand, each with its ruling and the reasons for it.

    There are none if there are no cards.
    """
    if not cards:
        return
    yield ""
    yield SECTIONS["hand"]
    for one in cards:
        head = f"  {one.card}  {one.word:6}  "
        options = f" (depends on {', '.join(one.mattered)})" if one.mattered else ""
        for place, sentence in enumerate(one.why):
            last = options if place == len(one.why) - 1 else ""
            lead = head if place == 0 else " " * len(head)
            yield from wrapped_lines(f"{sentence}{last}", lead, " " * len(head))


def short_lines(ruling: Ruling) -> Iterator[str]:
    """The lines of a short form of the ruling: the headline and the reasons for it."""
    yield from wrapped_lines(ruling.headline, "  ")
    yield from why_lines(ruling)


def why_lines(ruling: Ruling) -> Iterator[str]:
    """The lines of the reasons for the ruling, which are a sentence for each clause."""
    for one in ruling.why:
        yield from wrapped_lines(str(one), "    ")
