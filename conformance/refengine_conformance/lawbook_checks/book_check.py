"""Compares the book with the engine: formal lines, example rows and functions.

For each clause with formal lines, `refengine conform book` checks that the formal lines
give the answers of the example rows, that the function that claims the clause does so,
too, and that the two agree on random hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final

import attrs

from refengine.chapters import draw
from refengine.chapters.cards import Mask, card_at, cards_in, numbers_of, suit_of
from refengine.chapters.layout import Hand, Piles, Position, Talon
from refengine.chapters.settings import Rules
from refengine.lawbook import book, formal, reading
from refengine.lawbook.formal import Context, Formal
from refengine.lawbook.options import BY_NAME, Value, lowered
from refengine.machine.notation import read_sequence
from refengine.machine.position import NARROWING as TABLE
from refengine.machine.position import Narrowing

PASSAGES = {passage.number: passage for passage in reading.read_book(book.SPEC)}
LINES = {
    number: tuple(formal.parse_formal_line(line) for line in passage.formal)
    for number, passage in PASSAGES.items()
    if passage.formal
}
NARROWING: dict[str, Narrowing] = dict(TABLE)
DRAWING: dict[str, Callable[[Rules, Position], bool]] = {
    "6.1": lambda rules, position: draw.must_draw_to_follow(position),
    "6.2": draw.must_draw_to_lead,
}
TWELVE = read_sequence("2C 3C AC 2D JD 2S QS KS AS 2H 3H AH")
HEARTS = tuple(range(39, 52))
_SEED: Final = 5  # for the random hands
BITING = {
    "opening_card": "lowest_club",
    "heart_leads": "when_broken",
    "hearts_or_queen_leader": "queen",
    "queen_duty": "when_safe",
    "first_trick_points": "barred",
    "queen_waits": "play",
    "all_hearts_leader": "draw",
}
"""Options that decide whether a clause applies, each with a value for which it does."""
COSTS: dict[str, tuple[Value, ...]] = {
    "heart_points": (0, 1, 13, "face"),
    "queen_points": (0, 1, 13),
    "king_points": (0, 10),
    "ace_points": (0, 7),
}
"""Values of the options that decide which cards cost points."""
HEARTS_AND_QUEEN = read_sequence("QS 2H 3H 4H 9H KH AH")  # some hearts


def mask_of(cards: Iterable[int]) -> Mask:
    """The set of the cards with these numbers."""
    return cards_in(tuple(cards))


def rules_of(context: Context) -> Rules:
    """The rules for four players with the option values of this context."""
    return lowered(4, context.options)


def position_of(context: Context) -> Position:
    """A position in which the seat to play has this context's hand and trick."""
    hand = mask_of(context.hand)
    seat = len(context.trick) % 4
    unseen = next(
        card for card in range(52) if card not in {*context.hand, *context.trick}
    )
    drew = card_at(min(context.hand)) if "drew" in context.flags else Mask(0)
    first = "first_trick" in context.flags
    nobody = tuple(Mask(0) for _ in range(4))
    return Position(
        hands=tuple(Hand(hand if at == seat else Mask(0)) for at in range(4)),
        talon=Talon((unseen,), 0 if "stock" in context.flags else 1, Mask(0), -1),
        piles=Piles(nobody, (0, 0, 0, 0), 0 if first else 1, first),
        played=mask_of(context.trick),
        led=Mask(0) if context.led is None else suit_of(card_at(context.led)),
        table=mask_of(context.trick),
        best=Mask(0),
        winner=0,
        leader=0,
        turn=seat,
        hand=hand,
        drew=drew,
        out=0,
        hearts_broken="hearts_broken" in context.flags,
        empty=0,
    )


def answer_by_function(number: str, context: Context) -> frozenset[int] | bool:
    """The answer of the function that claims a clause, in this context.

    The answer is the set of allowed cards that the clause leaves or, for a clause about
    drawing, whether the seat must draw.
    """
    rules, position = rules_of(context), position_of(context)
    if number in DRAWING:
        return DRAWING[number](rules, position)
    allowed = mask_of(context.allowed)
    return frozenset(numbers_of(NARROWING[number](rules, position, allowed)))


def answer_by_formal_lines(
    lines: Sequence[Formal], context: Context
) -> frozenset[int] | bool:
    """The answer of a clause's formal lines, in the form of `answer_by_function`."""
    if lines[0].must_draw:
        return any(formal.must_draw(line, context) for line in lines)
    return formal.cards_left_by(lines, context)


def answer_by_example_row(row: Sequence[str]) -> frozenset[int] | bool:
    """The answer in an example row, in the same form as `answer_by_function`."""
    answer = row[3]
    if answer in ("yes", "no"):
        return answer == "yes"
    return frozenset(read_sequence(answer))


def random_context(random: Random) -> Context:
    """A random context, chosen so that the clauses usually rule something out."""
    pool = random.choice([tuple(range(52)), TWELVE, HEARTS_AND_QUEEN, HEARTS])
    cards = random.sample(pool, random.randint(4, 7))
    cut = random.choice([0, 0, 1, 2, 3])
    hand = cards[cut:]
    some = random.sample(hand, random.randint(1, len(hand)))
    allowed = random.choice([hand, hand, some])
    flags = [flag for flag in formal.FLAGS if random.random() < 0.4]
    options: dict[str, Value] = {
        name: random.choice(BY_NAME[name].words) for name in BITING
    }
    for name, value in BITING.items():
        if random.random() < 0.4:
            options[name] = value
    for name, costs in COSTS.items():
        options[name] = random.choice(costs)
    return Context(hand, allowed, tuple(cards[:cut]), flags, options)


@attrs.frozen
class BookReport:
    """How many clauses, example rows and hands were compared, and all disagreements."""

    clauses: int
    rows: int
    hands: int
    disagreements: tuple[str, ...]

    def lines(self) -> list[str]:
        """The report for a terminal."""
        return [
            f"the book: {self.clauses} clauses with formal lines, {self.rows} example "
            f"rows, {self.hands} random hands",
            *self.disagreements,
            f"disagreements: {len(self.disagreements)}",
        ]

    def fields(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return attrs.asdict(self)


def book_report(hands: int) -> BookReport:
    """Compare the functions and the formal lines with the book's example rows.

    They are also compared with each other, on `hands` random hands.
    """
    wrong: list[str] = []
    rows = 0
    for number, lines in LINES.items():
        for row in PASSAGES[number].examples:
            rows += 1
            context = Context.of_example(*row[:3])
            said = (
                answer_by_function(number, context),
                answer_by_formal_lines(lines, context),
            )
            right = answer_by_example_row(row)
            if said != (right, right):
                wrong.append(f"{number}: example row {' | '.join(row)}")
    rng = Random(_SEED)
    for _ in range(hands):
        context = random_context(rng)
        wrong += [
            f"{number}: function and formal line differ on {context}"
            for number, lines in LINES.items()
            if answer_by_function(number, context)
            != answer_by_formal_lines(lines, context)
        ]
    return BookReport(len(LINES), rows, hands, tuple(wrong))
