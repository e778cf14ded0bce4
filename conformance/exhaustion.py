"""Every deal of a few cards from the pack of twelve, and every position in its play.

`python -m conformance.exhaustion [--deep] [--jobs N] [--scheduler ADDRESS]
[--resume FILE]` walks, for every profile, all deals of one card (2 to 4 seats where the
profile allows them, otherwise as many as it does) and of two cards (2 and 3 seats),
with a stock of up to two cards and with a kitty where there is one; and for every pair
of options that one decision reads, with every pair of their values, deals of at most
two cards and three seats.

In each position a card is legal exactly when no clause is named for it, something is
legal or a draw is due until play has ended, and what is legal, due or named is what the
formal lines of the book say. Each play and draw moves one card, keeps all the pack,
goes to the seat and the winner that a plain reading of chapter 5 gives, and comes
closer to the end. Where revokes are penalised, revokes are walked too. Pairs of
clauses that forbid something at one decision are collected; a pair that is not among
them never met.

What is left out by default, and why nothing is lost:

- One dealer. Seats are known to the rules by left and right alone, so a deal with
  another dealer is one of the deals walked, its seats turned.
- Deals that differ only by cards of one suit that rank alike: of clubs, diamonds and
  hearts the lowest are used first; of spades likewise, above and below the queen each
  for itself where she is in play. The rules compare ranks within a suit only, and know
  no card by name but the queen and the two above her.
- What was played before this trick. Legality and what follows do not depend on it, so
  two deals that have come to the same cards go on as one position, met once.
- What a decision does not depend on: its judgement is looked up where hand, suit led,
  the ace or king on the table, the flags and the stock are those of an earlier one.
  That nothing else is read is proved in `conformance.proofs`.

With `--deep` nothing of the first three is left out, the larger stocks and kitties are
walked at every table, and two cards at the tables that have no 2 or 3 seats.

The units of work go through `conformance.executors`: a run goes on from its journal.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import combinations, permutations
from typing import Any, Final, cast

import attrs

from conformance.book import LINES
from conformance.executors import (
    Journal,
    LostWorkerError,
    OtherSourceError,
    add_arguments,
    digest,
    executor,
    gathered,
)
from refengine import book, draw, formal, judging, position
from refengine.cards import (
    CARD,
    EMPTY,
    HEARTS,
    QUEEN,
    Mask,
    cards_in,
    numbers_of,
    points_of,
)
from refengine.core import NO_CUT, NO_RECORD, NOTHING_DEALT, Core, Sheet
from refengine.ending import ending
from refengine.errors import Malformed
from refengine.formal import Context
from refengine.notation import CARD_TEXTS, read_sequence, write_sequence, write_set
from refengine.options import BY_NAME, Value
from refengine.play import Piles, Position, Talon
from refengine.rules import Rules
from refengine.rulesets import Ruleset, profile, profile_names
from refengine.table import PLAYING, SEAT

PACK: Final = read_sequence("2C 3C AC 2D JD 2S QS KS AS 2H 3H AH")
NARROWING: Final = ("5.2", "5.3", "5.4", "5.5", "5.6")
DRAWING: Final = ("6.1", "6.2")
DECIDING: Final = ("1.4", *NARROWING, "5.9a", *DRAWING)
THREE: Final[dict[str, Value]] = {
    "first_trick_points": "barred",
    "queen_duty": "when_safe",
    "queen_points": 0,
}
_ORDERS: Final = tuple(
    read_sequence(text) for text in ("2C 3C AC", "2D JD", "2H 3H AH")
)
_MOST_FAULTS: Final = 5
_PARTS: Final = 5_000  # deals in a unit of work, about

Options = tuple[tuple[str, Value], ...]


@attrs.frozen
class Shape:
    """A ruleset and the sizes of its deals."""

    profile: str
    players: int
    options: Options
    size: int
    stock: int = 0
    kitty: int = 0

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of these deals."""
        return Ruleset(self.profile, self.players, dict(self.options))

    @property
    def cards(self) -> int:
        """The number of cards in play."""
        return self.players * self.size + self.stock + self.kitty

    def __str__(self) -> str:
        changed = " ".join(f"{name}={value}" for name, value in self.options)
        talon = f"+{self.stock}" if self.stock else f"+k{self.kitty}" * bool(self.kitty)
        return f"{self.profile} {self.players}x{self.size}{talon} {changed}".strip()


@attrs.frozen
class Unit:
    """A piece of work: of the deals of a shape every one whose pack is of this part.

    `whole` walks all packs and all dealers and forgets nothing.
    """

    shape: Shape
    part: int
    parts: int
    whole: bool

    def __str__(self) -> str:
        return f"{self.shape} {self.part + 1}/{self.parts}{' whole' * self.whole}"


@attrs.frozen
class Tally:
    """What was walked: deals, positions, ends of play, pairs met, and faults found."""

    deals: int = 0
    positions: int = 0
    ends: int = 0
    pairs: frozenset[str] = frozenset()
    faults: tuple[str, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.deals + other.deals,
            self.positions + other.positions,
            self.ends + other.ends,
            self.pairs | other.pairs,
            self.faults + other.faults,
        )

    def fields(self) -> dict[str, Any]:
        """The tally as plain JSON values."""
        return attrs.asdict(self) | {"pairs": sorted(self.pairs)}

    @classmethod
    def of_fields(cls, fields: Mapping[str, Any]) -> Tally:
        """The tally written so."""
        lists = {
            "pairs": frozenset(fields["pairs"]),
            "faults": tuple(fields["faults"]),
        }
        return cls(**{**fields, **lists})


# Which deals


def is_plain(pack: Sequence[int]) -> bool:
    """Whether no other choice of cards ranks as this one does."""
    cards = set(pack)
    spades = read_sequence("2S KS AS")
    orders = [*_ORDERS, spades]
    if int(QUEEN).bit_length() - 1 in cards:
        orders = [*_ORDERS, spades[1:]]
    return all(
        set(order[: len(cards.intersection(order))]) <= cards for order in orders
    )


def packs(shape: Shape, whole: bool) -> list[tuple[int, ...]]:
    """The cards in play of the deals to be walked."""
    chosen = combinations(PACK, shape.cards)
    return [pack for pack in chosen if whole or is_plain(pack)]


Cards = tuple[int, ...]


def deals(shape: Shape, pack: Cards) -> Iterator[tuple[tuple[Mask, ...], Cards, Mask]]:
    """Every deal of these cards: hands, stock and kitty."""
    for hands, rest in _hands(shape.players, shape.size, pack):
        if shape.stock:
            for stock in permutations(rest):
                yield hands, stock, EMPTY
        else:
            yield hands, (), cards_in(rest)


def _hands(
    players: int, size: int, cards: Cards
) -> Iterator[tuple[tuple[Mask, ...], Cards]]:
    if players == 0:
        yield (), cards
        return
    for hand in combinations(cards, size):
        rest = tuple(card for card in cards if card not in hand)
        for others, left in _hands(players - 1, size, rest):
            yield (cards_in(hand), *others), left


def deciding_options() -> tuple[str, ...]:
    """The options that the clauses of one decision read."""
    named = [name for number in DECIDING for name in book.clause(number).options]
    return tuple(dict.fromkeys(named))


def _values(name: str) -> tuple[Value, ...]:
    option = BY_NAME[name]
    if isinstance(option.base, bool):
        return (False, True)
    return option.words or (option.base, 0)


def pair_options() -> list[Options]:
    """Every pair of values of two options that one decision reads, the others base.

    And the three options without which 5.5 and 5.6 never meet.
    """
    bases: dict[str, Value] = {name: BY_NAME[name].base for name in deciding_options()}
    found: dict[Options, None] = {}
    for first, second in combinations(bases, 2):
        for one in _values(first):
            for other in _values(second):
                values = bases | {first: one, second: other}
                found[tuple(values.items())] = None
    found[tuple((bases | THREE).items())] = None
    return list(found)


def shapes(deep: bool) -> list[Shape]:
    """The scope: for each profile and each pair of options, the sizes of its deals."""
    found: list[Shape] = []
    for name in profile_names():
        found += _of_profile(name, deep)
    for options in pair_options():
        found += _of_pair(options, deep)
    return found


def _of_profile(name: str, deep: bool) -> Iterator[Shape]:
    base = profile(name)
    stock = base.options["undealt"] == "stock"
    for size, wanted in ((1, (2, 3, 4)), (2, (2, 3))):
        tables = [seats for seats in wanted if seats in base.players]
        if not tables and (size == 1 or deep):
            tables = [min(base.players)]
        for seats in tables:
            most = 2 if deep or size == 1 or seats == 2 else 1
            for left in range(most + 1 if stock else 1):
                yield Shape(name, seats, (), size, stock=left)
    if base.players_with_kitty != base.players:
        kitty: Options = (("undealt", "kitty"),)
        for size, most in ((1, 2), (2, 2 if deep else 1)):
            for left in range(most + 1):
                yield Shape(name, 3, kitty, size, kitty=left)


def _of_pair(options: Options, deep: bool) -> Iterator[Shape]:
    plain: Options = (
        *options,
        ("opening_leader", "lowest_club"),
        ("revokes", "rejected"),
    )
    stocked: Options = (
        *plain,
        ("undealt", "stock"),
        ("hand_size", 6),
        ("removal", "none"),
    )
    for size, seats in ((1, 2), (1, 3), (2, 2), (2, 3)):
        yield Shape("pokerwiner-hearts", seats, plain, size)
        small = size == 1 or seats == 2
        for stock in range(1, 3 if deep else 2 if small else 1):
            yield Shape("pokerwiner-hearts", seats, stocked, size, stock=stock)


def units(chosen: Iterable[Shape], whole: bool) -> list[Unit]:
    """The work of these shapes, in pieces of a few thousand deals."""
    found: list[Unit] = []
    for shape in chosen:
        all_packs = packs(shape, whole)
        number = len(all_packs) * sum(1 for _ in deals(shape, all_packs[0]))
        parts = max(1, min(len(all_packs), round(number / _PARTS)))
        found += [Unit(shape, part, parts, whole) for part in range(parts)]
    return found


# Walking one deal


class _Fault(Exception):
    """Something that must hold in every position does not."""


@attrs.frozen
class _Judged:
    """A decision once judged: whether a draw is due, else the cards to walk."""

    draws: bool
    cards: tuple[Mask, ...]
    pairs: frozenset[str]


class Walk:
    """The walk of one unit: its rules, what it has met, and its running tally."""

    def __init__(self, unit: Unit) -> None:
        ruleset = unit.shape.ruleset
        self.unit = unit
        self.rules: Rules = ruleset.rules
        self.options = {name: ruleset.options[name] for name in deciding_options()}
        self.judged: dict[tuple[object, ...], _Judged] = {}
        self.met: set[Position] = set()
        self.pairs: set[str] = set()
        self.positions = 0
        self.ends = 0

    def tally(self) -> Tally:
        """All deals of the unit walked."""
        shape = self.unit.shape
        number = 0
        faults: list[str] = []
        dealers = range(shape.players) if self.unit.whole else (shape.players - 1,)
        for pack in packs(shape, self.unit.whole)[self.unit.part :: self.unit.parts]:
            for hands, stock, kitty in deals(shape, pack):
                for dealer in dealers:
                    number += 1
                    try:
                        self.deal(hands, stock, kitty, dealer)
                    except _Fault as fault:
                        found = f"{shape}; {_shown(hands, stock, kitty)}; {fault}"
                        faults += [found] if len(faults) < _MOST_FAULTS else []
        return Tally(
            number, self.positions, self.ends, frozenset(self.pairs), tuple(faults)
        )

    def deal(
        self, hands: tuple[Mask, ...], stock: Cards, kitty: Mask, dealer: int
    ) -> None:
        """Walk every position that this deal can come to."""
        begun = position.first_position(self.rules, hands, stock, kitty, dealer)
        pack = sum(hands) + sum(CARD[card] for card in stock) + kitty
        waiting: list[tuple[Position, Cards, int]] = [(begun, (), pack)]
        while waiting:
            now, trick, pack = waiting.pop()
            self.positions += 1
            if now.turn < 0:
                self.end(now, pack)
                continue
            judged = self.judgement(now, trick)
            if judged.draws:
                after = position.after_draw(now)
                _check_draw(now, after, pack)
                waiting.append((after, trick, pack))
            for card in judged.cards:
                after = position.after_play(self.rules, now, card)
                played = (*trick, int(card).bit_length() - 1)
                self.check_play(now, played, after, pack)
                if after.table:
                    waiting.append((after, played, pack))
                elif after.turn < 0 or self.unit.whole or self.unit.shape.size == 1:
                    waiting.append((after, (), pack))
                else:
                    found, left = as_found(after)
                    if found not in self.met:
                        self.met.add(found)
                        waiting.append((found, (), left))

    def judgement(self, now: Position, trick: Cards) -> _Judged:
        """What may be done in a position, judged once for all that are alike to it."""
        key = (
            now.hand,
            now.led,
            now.table & cards_in(read_sequence("KS AS")) if now.led else 0,
            now.piles.first,
            bool(now.drew),
            draw.stock_holds_cards(now.talon),
            now.hearts_broken,
        )
        judged = self.judged.get(key)
        if judged is None:
            judged = self.judged[key] = self.judge(now, trick)
            self.pairs |= judged.pairs
        return judged

    def judge(self, now: Position, trick: Cards) -> _Judged:
        """What may be done in a position; raises _Fault for what must not be."""
        rules = self.rules
        held = numbers_of(now.hand)
        flags = {
            "first_trick": now.piles.first,
            "hearts_broken": now.hearts_broken,
            "stock": draw.stock_holds_cards(now.talon),
            "drew": bool(now.drew),
        }
        given = [flag for flag, holds in flags.items() if holds]
        where = f"hand {write_set(now.hand)}, trick {write_sequence(trick) or '-'}, "
        where += ", ".join(given) or "nothing given"
        context = Context(held, held, trick, given, self.options)
        drawn = [
            number
            for number in DRAWING
            if any(formal.must_draw(line, context) for line in LINES[number])
        ]
        legal = position.playable(rules, now)
        draws = bool(draw.draw_is_due(rules, now))
        if draws != bool(drawn):
            raise _Fault(f"{where}: a draw is due by {drawn}, the engine says {draws}")
        if not draws and not legal:
            raise _Fault(f"{where}: deadlock")
        core = _core(rules, now)
        revokes: list[Mask] = []
        named: set[str] = set(drawn)
        for number in range(52):
            broken = judging.play_breaks(core, now.turn, number)
            expected = _by_the_book(context, number, drawn)
            if broken != expected:
                raise _Fault(
                    f"{where}: {CARD_TEXTS[number]} breaks {list(broken)}, "
                    f"by the book {list(expected)}"
                )
            if (not broken) != bool(legal & CARD[number]):
                raise _Fault(
                    f"{where}: {CARD_TEXTS[number]} legal beside {list(broken)}"
                )
            if number in held:
                named |= set(broken)
                if judging.is_irregular(core, broken):
                    revokes.append(CARD[number])
        pairs = {"+".join(pair) for pair in combinations(sorted(named), 2)}
        cards = [CARD[number] for number in numbers_of(legal)]
        return _Judged(draws, (*cards, *revokes), frozenset(pairs))

    def check_play(
        self, now: Position, played: Cards, after: Position, pack: int
    ) -> None:
        """Hold a play against a plain reading of chapter 5; raises _Fault."""
        card = CARD[played[-1]]
        said = f"after {write_sequence(played)}"
        if now.hand & card != card or after.played != now.played | card:
            raise _Fault(f"{said}: not exactly one card of the hand has moved")
        if _lying(after) != pack:
            raise _Fault(f"{said}: the pack is not all there")
        queen = bool(card == QUEEN) and self.rules.queen_breaks_hearts
        breaks = now.hearts_broken or queen or bool(card & HEARTS)
        if bool(after.hearts_broken) != breaks:
            raise _Fault(f"{said}: hearts broken {after.hearts_broken}")
        order = self.seats_from(now.leader, now.out)
        if order[len(played) - 1] != now.turn:
            raise _Fault(f"{said}: seat {now.turn} played out of its turn")
        if len(played) < len(order):
            turn = order[len(played)]
            if (after.turn, after.table) != (turn, cards_in(played)):
                raise _Fault(f"{said}: seat {after.turn} is to play, not {turn}")
            return
        suit = played[0] // 13
        best = max(number for number in played if number // 13 == suit)
        winner = order[played.index(best)]
        took = after.piles.taken[winner]
        if after.winner != winner or took & cards_in(played) != cards_in(played):
            raise _Fault(f"{said}: seat {after.winner} wins, not {winner}")
        seats = range(self.rules.players)
        holding = [seat for seat in seats if after.hands[seat] & ~after.played]
        turn = -1
        if len(holding) > 1:
            left = [(winner + step) % self.rules.players for step in seats]
            turn = next(seat for seat in left if seat in holding)
        if after.turn != turn:
            raise _Fault(f"{said}: seat {after.turn} leads, not {turn}")
        if turn >= 0 and after.hand != after.hands[turn] & ~after.played:
            raise _Fault(f"{said}: another hand than that of seat {turn}")

    def seats_from(self, leader: int, out: int) -> list[int]:
        """The seats that play to a trick, in their order."""
        players = self.rules.players
        step = -1 if self.rules.counterclockwise else 1
        seats = [(leader + step * place) % players for place in range(players)]
        return [seat for seat in seats if not out & SEAT[seat]]

    def end(self, now: Position, pack: int) -> None:
        """Score a deal played to its end; raises _Fault where points are lost."""
        self.ends += 1
        if now.table or now.hand:
            raise _Fault("play has ended with cards on the table")
        if self.unit.shape.size > 1 and not self.unit.whole:
            return
        nobody = tuple(0 for _ in now.hands)
        sheet = Sheet(0, 1, nobody, False)
        end = ending(self.rules, Mask(pack), now, (), sheet, -2)
        if end.shooter >= 0:
            return
        left = EMPTY if end.stock_to >= 0 else cards_in(draw.rest_of_stock(now.talon))
        left = Mask(left | (now.talon.kitty if now.talon.kitty_to < 0 else EMPTY))
        worth = points_of(self.rules, Mask(pack & ~left))
        if sum(end.score) != worth:
            raise _Fault(f"scores {list(end.score)}, points in play {worth}")


@attrs.frozen
class _Reached:
    """A context with other cards allowed, its options not read and checked again."""

    hand: formal.Cards
    allowed: formal.Cards
    trick: Cards
    flags: frozenset[str]
    options: Mapping[str, Value]
    penalty: formal.Cards

    @classmethod
    def of(cls, context: Context, allowed: formal.Cards) -> Context:
        """The context with these cards allowed."""
        reached = cls(
            context.hand,
            allowed,
            context.trick,
            context.flags,
            context.options,
            context.penalty,
        )
        return cast(Context, reached)


def _by_the_book(context: Context, number: int, drawn: list[str]) -> tuple[str, ...]:
    """The clauses that a play of this card breaks, from the formal lines (0.7a)."""
    conditions = (["5.7"] if number not in context.hand else []) + drawn
    if conditions:
        return tuple(conditions)
    named: list[str] = []
    allowed = context.allowed
    for clause in NARROWING:
        reached = _Reached.of(context, allowed | {number})
        if number not in formal.narrowed(LINES[clause], reached):
            named.append(clause)
        allowed = formal.narrowed(LINES[clause], _Reached.of(context, allowed))
    return tuple(named)


def _core(rules: Rules, now: Position) -> Core:
    """A match that stands at this position of a deal as found."""
    nobody = tuple(0 for _ in now.hands)
    return Core(
        rules,
        EMPTY,
        True,
        True,
        PLAYING,
        NO_CUT,
        Sheet(0, 1, nobody, False),
        NOTHING_DEALT,
        now,
        NO_RECORD,
        None,
    )


def _lying(now: Position) -> int:
    """The sum of the cards wherever they lie: the pack, if each lies in one place."""
    return (
        sum(hand & ~now.played for hand in now.hands)
        + sum(CARD[card] for card in draw.rest_of_stock(now.talon))
        + sum(now.piles.taken)
        + now.table
        + now.talon.kitty
    )


def _check_draw(now: Position, after: Position, pack: int) -> None:
    """Hold a draw against clause 6.4; raises _Fault."""
    card = CARD[now.talon.stock[now.talon.drawn]]
    if after.hand != now.hand | card or after.turn != now.turn:
        raise _Fault(f"seat {now.turn} drew another card than the top of the stock")
    if after.talon.drawn != now.talon.drawn + 1 or _lying(after) != pack:
        raise _Fault(f"seat {now.turn} drew and the pack is not all there")


def as_found(now: Position) -> tuple[Position, int]:
    """The same position without its past, and the pack that is left in it.

    It is between two tricks; what was taken has left the pack, and a kitty with it.
    """
    talon = now.talon
    stock = draw.rest_of_stock(talon)
    kitty = talon.kitty if talon.kitty_to < 0 else EMPTY
    hands = tuple([Mask(hand & ~now.played) for hand in now.hands])
    nobody = tuple([EMPTY for _ in hands])
    fields = vars(now) | {
        "hands": hands,
        "talon": Talon(stock, 0, kitty, -1),
        "piles": Piles(nobody, tuple([0 for _ in hands]), 1, False),
        "played": EMPTY,
        "best": EMPTY,
        "winner": now.leader,
    }
    found = Position(**fields)
    return found, _lying(found)


def _shown(hands: tuple[Mask, ...], stock: Cards, kitty: Mask) -> str:
    shown = f"hands {' | '.join(write_set(hand) for hand in hands)}"
    shown += f"; stock {write_sequence(stock)}" if stock else ""
    return shown + (f"; kitty {write_set(kitty)}" if kitty else "")


def walked(unit: Unit) -> dict[str, Any]:
    """The fields of the tally of one unit, worked out anew."""
    return Walk(unit).tally().fields()


# Many units, and the report


def exhausted(
    work: Sequence[Unit], journal: Journal, executor: Executor | None = None
) -> Tally:
    """The tally of all this work: what the journal has, and the rest done now."""
    items = {str(unit): unit for unit in work}
    total = Tally()
    for fields in gathered(items, walked, journal, executor).values():
        total += Tally.of_fields(fields)
    return total


def report(work: Sequence[Unit], total: Tally, seconds: float) -> list[str]:
    """The result for a terminal."""
    all_pairs = ["+".join(pair) for pair in combinations((*NARROWING, *DRAWING), 2)]
    never = [pair for pair in all_pairs if pair not in total.pairs]
    scopes = {unit.shape for unit in work}
    return [
        *total.faults,
        f"pairs of clauses that meet at one decision: {' '.join(sorted(total.pairs))}",
        f"pairs that never meet: {' '.join(never)}",
        f"{len(scopes)} shapes, {total.deals} deals, {total.positions} positions, "
        f"{total.ends} ends, {seconds:.0f} s, faults: {len(total.faults)}",
    ]


def main(arguments: list[str] | None = None) -> int:
    """Walk everything and print the report; the exit status, 1 for faults."""
    parser = argparse.ArgumentParser(prog="python -m conformance.exhaustion")
    parser.add_argument("--deep", action="store_true", help="without any reduction")
    add_arguments(parser)
    parser.add_argument("--only", default="", help="shapes whose name has this")
    given = parser.parse_args(arguments)
    start = time.perf_counter()
    chosen = [shape for shape in shapes(given.deep) if given.only in str(shape)]
    work = units(chosen, given.deep)
    lines = [line.line for clause in LINES.values() for line in clause]
    try:
        with (
            Journal(given.resume, digest("exhaustion", *lines)) as journal,
            executor(given.jobs, given.scheduler) as pool,
        ):
            total = exhausted(work, journal, pool)
    except (Malformed, LostWorkerError, OtherSourceError) as fault:
        print(fault, file=sys.stderr)
        return 3 if isinstance(fault, Malformed) else 2
    print("\n".join(report(work, total, time.perf_counter() - start)))
    return 1 if total.faults else 0


if __name__ == "__main__":
    # by its own name: a worker elsewhere cannot import what is in __main__
    from conformance.exhaustion import main as run

    sys.exit(run())
