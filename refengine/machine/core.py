"""The complete state of a match at one moment, with every set of cards as a bit mask.

`refengine.State` wraps this state.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from refengine.chapters.cards import EMPTY, Mask
from refengine.chapters.layout import Packet, Position
from refengine.chapters.revoke import Revoke
from refengine.chapters.settings import Rules
from refengine.sealing import Value, seal


@final
class CutRound(Value):
    """The latest round of the cut.

    `cards` holds a card number for each seat, or -1 if the seat has drawn none; `due`
    is the set of seats that still have to draw. After a tie, these are the seats that
    cut again, and `cards` stays as it is until the first of them draws.
    """

    def __init__(self, cards: tuple[int, ...], due: i64) -> None:
        self.cards: Final = cards
        self.due: Final = due

    def _key(self) -> tuple[object, ...]:
        return (self.cards, self.due)


seal(CutRound)


@final
class DealStart(Value):
    """How a deal begins: its dealer, its number, and the totals before it.

    `reached` says whether the limit had been reached by then.
    """

    def __init__(
        self, dealer: i64, number: i64, totals: tuple[int, ...], reached: bool
    ) -> None:
        self.dealer: Final = dealer
        self.number: Final = number
        self.totals: Final = totals
        self.reached: Final = reached

    def _key(self) -> tuple[object, ...]:
        return (self.dealer, self.number, self.totals, self.reached)


seal(DealStart)


@final
class Dealt(Value):
    """The cards as they were dealt, and what has been passed since.

    `way` is the kind of pass, or HOLD if nothing is passed. `packets` has one entry for
    each seat, which is None until that seat has passed; `received` is empty until the
    pass is complete.
    """

    def __init__(
        self,
        hands: tuple[Mask, ...],
        stock: tuple[int, ...],
        kitty: Mask,
        way: i64,
        packets: tuple[Packet | None, ...],
        received: tuple[Mask, ...],
    ) -> None:
        self.hands: Final = hands
        self.stock: Final = stock
        self.kitty: Final = kitty
        self.way: Final = way
        self.packets: Final = packets
        self.received: Final = received

    def _key(self) -> tuple[object, ...]:
        return (
            self.hands,
            self.stock,
            self.kitty,
            self.way,
            self.packets,
            self.received,
        )


seal(Dealt)


@final
@mypyc_attr(free_list_len=1)
class CompletedTrick(Value):
    """A completed trick, linked to the one completed before it in the deal.

    `position` is the position before `card`, the last card of the trick, was played;
    `winner` took the trick.
    """

    def __init__(
        self,
        before: "CompletedTrick | None",
        position: Position,
        card: Mask,
        winner: i64,
    ) -> None:
        self.before: Final = before
        self.position: Final = position
        self.card: Final = card
        self.winner: Final = winner

    def all(self) -> "tuple[CompletedTrick, ...]":
        """The tricks of the deal up to this one, in the order played."""
        tricks: list[CompletedTrick] = []
        trick: CompletedTrick | None = self
        while trick is not None:
            tricks.append(trick)
            trick = trick.before
        tricks.reverse()
        return tuple(tricks)

    def _seen(self) -> tuple[object, ...]:
        """What everybody saw of the trick, whatever cards were still in the hands."""
        position = self.position
        played = [Mask(hand.cards & position.table) for hand in position.hands]
        return (position.leader, position.out, self.card, self.winner, *played)

    def _key(self) -> tuple[object, ...]:
        return tuple([trick._seen() for trick in self.all()])

    def __reduce__(self) -> tuple[object, ...]:
        return CompletedTrick, (self.before, self.position, self.card, self.winner)


seal(CompletedTrick)


@final
@mypyc_attr(free_list_len=1)
class Record(Value):
    """What is known about the play of a deal beyond the present position.

    It holds the last completed trick, the revokes, whether that trick is closed to
    correction, and whether it has been quit, by its winner or by the next lead.
    """

    def __init__(
        self,
        last: CompletedTrick | None,
        revokes: tuple[Revoke, ...],
        closed: bool,
        quitted: bool,
    ) -> None:
        self.last: Final = last
        self.revokes: Final = revokes
        self.closed: Final = closed
        self.quitted: Final = quitted

    def _key(self) -> tuple[object, ...]:
        return (self.last, self.revokes, self.closed, self.quitted)


seal(Record)


@final
class Result(Value):
    """How a deal ended.

    While a moon choice is due, `score` is empty and `settled` is UNSETTLED. `stock_to`
    is the seat that took the rest of the stock into its hand, or -1 if none did. `over`
    says whether the match is over, at these `totals`, and `by_claim` whether an
    established revoke ended the deal.
    """

    def __init__(
        self,
        shooter: i64,
        settled: i64,
        score: tuple[int, ...],
        totals: tuple[int, ...],
        reached: bool,
        over: bool,
        stock_to: i64,
        by_claim: bool,
    ) -> None:
        self.shooter: Final = shooter
        self.settled: Final = settled
        self.score: Final = score
        self.totals: Final = totals
        self.reached: Final = reached
        self.over: Final = over
        self.stock_to: Final = stock_to
        self.by_claim: Final = by_claim

    def _key(self) -> tuple[object, ...]:
        return (
            self.shooter,
            self.settled,
            self.score,
            self.totals,
            self.reached,
            self.over,
            self.stock_to,
            self.by_claim,
        )


seal(Result)


@final
@mypyc_attr(free_list_len=1)
class Core:
    """The state of a match, or of a single deal that did not begin as part of a match.

    `pack` is the set of cards used in every deal. `sheet` is the start of the deal in
    progress. In the dealing phase, it is still the start of the previous deal, whose
    end is in `result`; before the first deal, it is the start of the first. `result` is
    None before the first deal, and then from the time cards are dealt until play ends.
    Two cores are equal if all fields but `rules` are; a State compares its ruleset.
    """

    def __init__(
        self,
        rules: Rules,
        pack: Mask,
        named: bool,
        single: bool,
        phase: i64,
        cut: CutRound,
        sheet: DealStart,
        dealt: Dealt,
        position: Position | None,
        record: Record,
        result: Result | None,
    ) -> None:
        self.rules: Final = rules
        self.pack: Final = pack
        self.named: Final = named
        self.single: Final = single
        self.phase: Final = phase
        self.cut: Final = cut
        self.sheet: Final = sheet
        self.dealt: Final = dealt
        self.position: Final = position
        self.record: Final = record
        self.result: Final = result

    def fields(self) -> tuple[object, ...]:
        """The values of all fields except `rules`, in the order of the parameters."""
        return (
            self.pack,
            self.named,
            self.single,
            self.phase,
            self.cut,
            self.sheet,
            self.dealt,
            self.position,
            self.record,
            self.result,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Core) and self.fields() == other.fields()

    def __hash__(self) -> int:
        return hash(self.fields())

    def __reduce__(self) -> tuple[object, ...]:
        return Core, (self.rules, *self.fields())


seal(Core)


@final
class Past:
    """The acts that led to this moment, as a linked list with the last act first.

    A play by card number is stored in `played` as 52 * seat + card number, since most
    acts are such plays and a number is cheaper than an object. An act given as an
    object, even a `Play`, is stored in `act`, and `played` is then -1.
    """

    def __init__(self, before: "Past | None", act: object, played: i64) -> None:
        self.before: Final = before
        self.act: Final = act
        self.played: Final = played


seal(Past)

NO_CUT: Final = CutRound((), 0)
NOTHING_DEALT: Final = Dealt((), (), EMPTY, 0, (), ())
NO_RECORD: Final = Record(None, (), True, False)
