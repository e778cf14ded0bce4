"""Opening a match, a deal with given cards, or a position in the middle of a deal."""

from mypy_extensions import i64

from refengine.chapters.cards import (
    EMPTY,
    Mask,
    all_of,
    card_at,
    cards_in,
    count,
)
from refengine.chapters.deal import (
    cards_twice,
    empty_hand,
    hand_size,
    hands_without_card,
    match_pack,
    misplaced_kitty,
    misplaced_stock,
    pack_leaves_cards_over,
    pack_too_small,
    unequal_hands,
)
from refengine.chapters.layout import Hand, Piles, Position, Talon
from refengine.chapters.passing import cycle_at_table, hand_too_small, pass_of_deal
from refengine.chapters.settings import HOLD, Rules
from refengine.chapters.table import CUTTING, DEALING, PASSING, PLAYING, SEAT
from refengine.machine.core import (
    NO_CUT,
    NO_RECORD,
    NOTHING_DEALT,
    Core,
    CutRound,
    DealStart,
    Dealt,
)
from refengine.machine.found_position import hands_before
from refengine.machine.position import after_play, first_position


def match_breaks(rules: Rules, named: Mask) -> tuple[str, ...]:
    """The clauses that forbid a match with this pack.

    `named` is the pack; if empty, the match uses the 52 cards less those removed.

    Clauses 3.9d, 4.11.
    """
    failed: list[str] = []
    if named:
        if hands_without_card(rules, named):
            failed.append("3.9e")
        if pack_too_small(rules, named):
            failed.append("3.9f")
        if pack_leaves_cards_over(rules, named):
            failed.append("3.9g")
    if failed:
        return tuple(failed)
    size = hand_size(rules, match_pack(rules, named), named != EMPTY)
    for number in range(1, len(cycle_at_table(rules)) + 1):
        if hand_too_small(rules, number, size):
            return ("4.11",)
    return ()


def open_match(rules: Rules, named: Mask, dealer: i64) -> Core:
    """A match before the cut or, if `dealer` is not -1, before the first deal.

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
    """The clauses that forbid a deal with these cards, which are stated and not dealt.

    Clauses 3.12, 4.11.
    """
    failed: list[str] = []
    if unequal_hands(hands):
        failed.append("3.12d")
    if empty_hand(hands):
        failed.append("3.12e")
    if cards_twice(hands, stock, kitty):
        failed.append("3.12f")
    failed.extend(misplaced_talon(rules, stock, kitty))
    if failed:
        return tuple(failed)
    if hand_too_small(rules, number, count(hands[0])):
        return ("4.11",)
    return ()


def misplaced_talon(
    rules: Rules, stock: tuple[int, ...], kitty: Mask
) -> tuple[str, ...]:
    """The clauses that forbid this stock and this kitty under the ruleset."""
    failed: list[str] = []
    if misplaced_stock(rules, stock):
        failed.append("3.12g")
    if misplaced_kitty(rules, kitty):
        failed.append("3.12h")
    return tuple(failed)


def with_deal(
    core: Core,
    sheet: DealStart,
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
    kitty: Mask,
) -> Core:
    """The match once these cards are dealt, with the pass or the opening lead due.

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
    """A deal that begins with these cards, with nothing passed or played yet.

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
    """A deal that begins at this position, without any record of how it was reached.

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
        record=NO_RECORD,
        result=None,
    )
