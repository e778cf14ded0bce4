"""How a match begins, and how a deal or a position as found does."""

from mypy_extensions import i64

from refengine.chapters.cards import (
    EMPTY,
    HEARTS,
    Mask,
    all_of,
    card_at,
    cards_in,
    count,
)
from refengine.chapters.deal import (
    hand_size,
    impossible_setup,
    match_pack,
    misfit_pack,
)
from refengine.chapters.layout import Hand, Piles, Position, Talon
from refengine.chapters.passing import cycle_at_table, hand_too_small, pass_of_deal
from refengine.chapters.play import next_to_play, opening_leader
from refengine.chapters.settings import HOLD, STOCK, Rules
from refengine.chapters.table import CUTTING, DEALING, PASSING, PLAYING, SEAT
from refengine.machine.core import (
    NO_CUT,
    NO_RECORD,
    NOTHING_DEALT,
    Core,
    CutRound,
    DealStart,
    Dealt,
    Record,
)
from refengine.machine.position import after_play, first_position


def match_breaks(rules: Rules, named: Mask) -> tuple[str, ...]:
    """The clauses that keep a match with this pack from being opened.

    `named` is the pack; if it is empty, the match uses the 52 cards.

    Clauses 3.9d, 4.11.
    """
    if named and misfit_pack(rules, named):
        return ("3.9d",)
    size = hand_size(rules, match_pack(rules, named), named != EMPTY)
    for number in range(1, len(cycle_at_table(rules)) + 1):
        if hand_too_small(rules, number, size):
            return ("4.11",)
    return ()


def open_match(rules: Rules, named: Mask, dealer: i64) -> Core:
    """A match before the cut or, with a dealer (not -1), before the first deal.

    Clause 3.1.
    """
    nobody = (0,) * rules.players
    none = (-1,) * rules.players
    everybody = SEAT[rules.players - 1] * 2 - 1
    return Core(
        rules=rules,
        pack=match_pack(rules, named),
        named=named != EMPTY,
        single=False,
        phase=CUTTING if dealer < 0 else DEALING,
        cut=CutRound(none, everybody) if dealer < 0 else NO_CUT,
        sheet=DealStart(max(dealer, 0), 1, nobody, False),
        dealt=NOTHING_DEALT,
        position=None,
        record=NO_RECORD,
        result=None,
    )


def setup_breaks(
    rules: Rules,
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
    kitty: Mask,
    number: i64,
) -> tuple[str, ...]:
    """The clauses that keep a deal as found from being opened.

    Clauses 3.12, 4.11.
    """
    if impossible_setup(rules, hands, stock, kitty):
        return ("3.12",)
    if hand_too_small(rules, number, count(hands[0])):
        return ("4.11",)
    return ()


def with_deal(
    core: Core,
    sheet: DealStart,
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
    kitty: Mask,
) -> Core:
    """The match once these cards are dealt: now the pass or the opening lead is due.

    Clauses 3.11, 4.3.
    """
    rules = core.rules
    way = pass_of_deal(rules, sheet.number)
    packets = (None,) * len(hands)
    return Core(
        rules=rules,
        pack=core.pack,
        named=core.named,
        single=core.single,
        phase=PLAYING if way == HOLD else PASSING,
        cut=core.cut,
        sheet=sheet,
        dealt=Dealt(hands, stock, kitty, way, packets, ()),
        position=first_position(rules, hands, stock, kitty, sheet.dealer)
        if way == HOLD
        else None,
        record=NO_RECORD,
        result=None,
    )


def open_setup(
    rules: Rules,
    sheet: DealStart,
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
    kitty: Mask,
) -> Core:
    """A deal as found, with nothing passed or played yet.

    Clause 3.12.
    """
    pack = Mask(all_of(hands) | kitty | cards_in(stock))
    blank = Core(
        rules=rules,
        pack=pack,
        named=True,
        single=True,
        phase=DEALING,
        cut=NO_CUT,
        sheet=sheet,
        dealt=NOTHING_DEALT,
        position=None,
        record=NO_RECORD,
        result=None,
    )
    return with_deal(blank, sheet, hands, stock, kitty)


def impossible_position(
    rules: Rules,
    dealer: i64,
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
    kitty: Mask,
    leader: i64,
    table: tuple[int, ...],
    out: i64,
    piles: Piles,
    hearts_broken: bool,
) -> bool:
    """Whether play cannot have led to this position; the clause lists the conditions.

    Clause 3.12a.
    """
    total = len(stock) + count(kitty) + len(table)
    for seat, hand in enumerate(hands):
        total += count(hand) + count(piles.taken[seat])
    seen = Mask(all_of(hands) | all_of(piles.taken) | kitty)
    seen = Mask(seen | cards_in(stock) | cards_in(table))
    if count(seen) != total:
        return True
    if not hearts_broken and cards_in(table) & HEARTS:
        return True
    if all_of(piles.taken) and piles.done == 0:
        return True
    if piles.first and piles.done > 0:
        return True
    players = rules.players
    if out & SEAT[leader] or count(Mask(out)) > players - 2:
        return True
    before = hands_before(rules, hands, leader, table, out)
    if not before:
        return True
    if without_cards(before) != out:
        return True
    if rules.undealt == STOCK:
        return False
    size = count(before[0])
    for hand in before:
        if count(hand) != size:
            return True
    return piles.first and opening_leader(rules, before, dealer) != leader


def without_cards(hands: tuple[Mask, ...]) -> i64:
    """The set of seats whose hand is empty.

    Clause 6.6.
    """
    seats: i64 = 0
    for seat, hand in enumerate(hands):
        if not hand:
            seats |= SEAT[seat]
    return seats


def hands_before(
    rules: Rules,
    hands: tuple[Mask, ...],
    leader: i64,
    table: tuple[int, ...],
    out: i64,
) -> tuple[Mask, ...]:
    """The hands when the trick began: with the cards on the table put back into them.

    Returns an empty tuple if the trick is already complete.

    Clause 3.12a.
    """
    before = list(hands)
    seat = leader
    for card in table:
        before[seat] = Mask(before[seat] | card_at(card))
        seat = next_to_play(rules, seat, out)
        if seat == leader:
            return ()
    return tuple(before)


def open_position(
    rules: Rules,
    sheet: DealStart,
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
    kitty: Mask,
    leader: i64,
    table: tuple[int, ...],
    out: i64,
    piles: Piles,
    hearts_broken: bool,
) -> Core:
    """A match opened at a position as found, without a past.

    Clause 3.12a.
    """
    before = hands_before(rules, hands, leader, table, out)
    position = Position(
        hands=tuple([Hand(hand) for hand in before]),
        talon=Talon(stock, 0, kitty, -1),
        piles=piles,
        played=EMPTY,
        led=EMPTY,
        table=EMPTY,
        best=EMPTY,
        winner=leader,
        leader=leader,
        turn=leader,
        hand=before[leader],
        drew=EMPTY,
        out=out,
        hearts_broken=hearts_broken,
        empty=out,
    )
    for card in table:
        position = after_play(rules, position, card_at(card))
    pack = Mask(all_of(before) | all_of(piles.taken) | kitty | cards_in(stock))
    packets = (None,) * len(hands)
    return Core(
        rules=rules,
        pack=pack,
        named=True,
        single=True,
        phase=PLAYING,
        cut=NO_CUT,
        sheet=sheet,
        dealt=Dealt(hands, stock, kitty, HOLD, packets, ()),
        position=position,
        record=Record(None, (), True, False),
        result=None,
    )
