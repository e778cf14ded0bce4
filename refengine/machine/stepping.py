"""The state machine: the match after each kind of act, assuming the act is accepted.

Nothing here checks whether an act is allowed; `refengine.machine.judging` does.
"""

from mypy_extensions import i64

from refengine.chapters.cards import Mask, card_at
from refengine.chapters.deal import lowest_in_cut
from refengine.chapters.layout import Packet, Position
from refengine.chapters.match import limit_is_reached, match_is_over, new_totals
from refengine.chapters.passing import exchange
from refengine.chapters.revoke import (
    MADE,
    Revoke,
    claim_ends_correction,
    draw_ends_correction,
    established,
    restored,
    revoke_at,
    revoke_of,
    score_of_ended_deal,
)
from refengine.chapters.score import UNSETTLED
from refengine.chapters.settings import MIX
from refengine.chapters.table import (
    DEALING,
    MIXING,
    MOON_DUE,
    OVER,
    PLAYING,
    SEAT,
)
from refengine.machine.core import (
    CompletedTrick,
    Core,
    CutRound,
    DealStart,
    Dealt,
    Record,
    Result,
)
from refengine.machine.due import (
    dealer_now,
    number_now,
    position_of,
    seats_of,
    totals_now,
)
from refengine.machine.ending import ending
from refengine.machine.judging import packets_of
from refengine.machine.opening import with_deal
from refengine.machine.position import (
    after_draw,
    after_play,
    first_position,
    taken_back,
)


def _with(
    core: Core,
    phase: i64,
    cut: CutRound,
    sheet: DealStart,
    dealt: Dealt,
    position: Position | None,
    record: Record,
    result: Result | None,
) -> Core:
    """A copy of the match in which these parts are replaced by the ones given."""
    return Core(
        rules=core.rules,
        pack=core.pack,
        named=core.named,
        single=core.single,
        phase=phase,
        cut=cut,
        sheet=sheet,
        dealt=dealt,
        position=position,
        record=record,
        result=result,
    )


def after_cut(core: Core, seat: i64, card: i64) -> Core:
    """The match once this seat has cut.

    When the last seat due has cut, the seat with the lowest card deals or, if several
    tie for the lowest, those seats cut again.

    Clauses 3.1, 3.1b, 3.1c, 3.1d.
    """
    cards = list(core.cut.cards)
    if cards[seat] >= 0:  # the first card after a tie: a new round begins
        cards = [-1 for _ in cards]
    cards[seat] = int(card)
    due = core.cut.due & ~SEAT[seat]
    phase = core.phase
    sheet = core.sheet
    if due == 0:
        lowest = lowest_in_cut(tuple(cards))
        if lowest & (lowest - 1):
            due = lowest
        else:
            phase = DEALING
            dealer = seats_of(lowest)[0]
            sheet = DealStart(dealer, sheet.number, sheet.totals, sheet.reached)
    cut = CutRound(tuple(cards), due)
    return _with(
        core,
        phase=phase,
        cut=cut,
        sheet=sheet,
        dealt=core.dealt,
        position=None,
        record=core.record,
        result=None,
    )


def after_deal(
    core: Core, hands: tuple[Mask, ...], stock: tuple[int, ...], kitty: Mask
) -> Core:
    """The match once the dealer has dealt these cards.

    Clause 3.2.
    """
    reached = core.sheet.reached
    if core.result is not None:
        reached = core.result.reached
    sheet = DealStart(dealer_now(core), number_now(core), totals_now(core), reached)
    return with_deal(core, sheet, hands, stock, kitty)


def after_pass(core: Core, seat: i64, packet: Packet) -> Core:
    """The match once this seat has handed in its packet.

    No hand changes until the last packet is in.
    Clauses 4.7, 4.8, 4.10.
    """
    dealt = core.dealt
    packets = list(dealt.packets)
    packets[seat] = packet
    waiting = None in packets
    phase = core.phase
    if not waiting and dealt.way == MIX:
        phase = MIXING
    after = _with(
        core,
        phase=phase,
        cut=core.cut,
        sheet=core.sheet,
        dealt=Dealt(
            dealt.hands,
            dealt.stock,
            dealt.kitty,
            dealt.way,
            tuple(packets),
            dealt.received,
        ),
        position=None,
        record=core.record,
        result=None,
    )
    if waiting or phase == MIXING:
        return after
    return _with_received(after, exchange(dealt.way, packets_of(after)), dealt.kitty)


def after_mix(core: Core, back: tuple[Mask, ...], kitty: Mask) -> Core:
    """The match once the dealer has dealt back the cards of the mix.

    Clauses 4.10, 4.10b.
    """
    if not core.rules.mix_kitty:
        kitty = core.dealt.kitty
    return _with_received(core, back, kitty)


def _with_received(core: Core, received: tuple[Mask, ...], kitty: Mask) -> Core:
    """The match once every seat has picked up the cards that it received.

    Clause 4.8.
    """
    dealt = core.dealt
    hands: list[Mask] = []
    for seat, packet in enumerate(packets_of(core)):
        hands.append(Mask(dealt.hands[seat] & ~packet.cards | received[seat]))
    position = first_position(
        core.rules, tuple(hands), dealt.stock, kitty, core.sheet.dealer
    )
    return _with(
        core,
        phase=PLAYING,
        cut=core.cut,
        sheet=core.sheet,
        dealt=Dealt(
            dealt.hands, dealt.stock, dealt.kitty, dealt.way, dealt.packets, received
        ),
        position=position,
        record=core.record,
        result=None,
    )


def after_card_drawn(core: Core) -> Core:
    """The match once the seat to play has drawn.

    Clauses 6.4, 7.4.
    """
    position = position_of(core)
    record = core.record
    if not position.led and draw_ends_correction(core.rules):
        record = Record(record.last, record.revokes, True, record.quitted)
    return _with(
        core,
        phase=PLAYING,
        cut=core.cut,
        sheet=core.sheet,
        dealt=core.dealt,
        position=after_draw(position),
        record=record,
        result=None,
    )


def after_card_played(core: Core, card: i64, irregular: bool) -> Core:
    """The match once the seat to play has played this card, which may end the deal.

    Clauses 7.2, 7.6, 7.8a.
    """
    before = position_of(core)
    position = after_play(core.rules, before, card_at(card))
    record = core.record
    revokes = record.revokes
    if irregular:
        trick = before.piles.done + 1
        revokes = (*revokes, Revoke(before.turn, trick, card, before, MADE))
    if not position.table:
        trick_done = CompletedTrick(record.last, before, card_at(card), position.winner)
        record = Record(trick_done, revokes, False, False)
    elif irregular or not (record.closed and record.quitted):
        record = Record(record.last, revokes, True, True)
    after = _with(
        core,
        phase=PLAYING,
        cut=core.cut,
        sheet=core.sheet,
        dealt=core.dealt,
        position=position,
        record=record,
        result=None,
    )
    return after if position.turn >= 0 else after_last_trick(after, UNSETTLED)


def after_last_trick(core: Core, chosen: i64) -> Core:
    """The match once play has ended: scored, or waiting for the shooter to choose.

    Clause 9.7a.
    """
    position = position_of(core)
    revokes = core.record.revokes
    end = ending(core.rules, core.pack, position, revokes, core.sheet, chosen)
    if not end.score:
        due = Result(
            shooter=end.shooter,
            settled=UNSETTLED,
            score=(),
            totals=(),
            reached=False,
            over=False,
            stock_to=end.stock_to,
            by_claim=False,
        )
        return _ended(core, MOON_DUE, core.record, due)
    return _scored(
        core,
        record=core.record,
        score=end.score,
        shooter=end.shooter,
        settled=end.settled,
        stock_to=end.stock_to,
        by_claim=False,
    )


def _ended(core: Core, phase: i64, record: Record, result: Result) -> Core:
    """The match with the result of its deal recorded."""
    return _with(
        core,
        phase=phase,
        cut=core.cut,
        sheet=core.sheet,
        dealt=core.dealt,
        position=core.position,
        record=record,
        result=result,
    )


def _scored(
    core: Core,
    record: Record,
    score: tuple[int, ...],
    shooter: i64,
    settled: i64,
    stock_to: i64,
    by_claim: bool,
) -> Core:
    """The match once the deal has been scored: either over or ready for the next deal.

    Clauses 9.1, 9.3, 9.4.
    """
    rules = core.rules
    sheet = core.sheet
    totals = new_totals(rules, sheet.totals, score)
    reached = limit_is_reached(rules, totals, sheet.reached)
    over = match_is_over(rules, totals, reached, sheet.number)
    result = Result(
        shooter=shooter,
        settled=settled,
        score=score,
        totals=totals,
        reached=reached,
        over=over,
        stock_to=stock_to,
        by_claim=by_claim,
    )
    phase = OVER if over or core.single else DEALING
    return _ended(core, phase, record, result)


def after_retract(core: Core, seat: i64, card: i64) -> Core:
    """The match once this seat has taken its revoke card back.

    If the card had ended the deal, that end and all that followed from it are undone.
    Clauses 7.5, 7.5a, 7.5b, 9.9.
    """
    now = position_of(core)
    record = core.record
    revoke = revoke_of(record.revokes, seat, card)
    assert revoke is not None
    last = record.last
    if last is not None and now.piles.done > revoke.before.piles.done:
        last = last.before
    return _with(
        core,
        phase=PLAYING,
        cut=core.cut,
        sheet=core.sheet,
        dealt=core.dealt,
        position=taken_back(revoke.before, now),
        record=Record(last, restored(record.revokes, revoke), True, True),
        result=None,
    )


def after_quit(core: Core) -> Core:
    """The match once the winner has turned the last trick face down.

    Clause 7.6.
    """
    record = core.record
    return _with(
        core,
        phase=core.phase,
        cut=core.cut,
        sheet=core.sheet,
        dealt=core.dealt,
        position=core.position,
        record=Record(record.last, record.revokes, True, True),
        result=core.result,
    )


def after_claim(core: Core, against: i64, trick: i64) -> Core:
    """The match once the revoke by `against` in this trick is established.

    If the deal is already scored, its score and the end of the match are worked out
    anew. A moon choice by the revoker lapses; another shooter's choice stands unless
    the revoke ends the deal.
    Clauses 7.4a, 7.7c, 7.8, 7.9, 9.9.
    """
    record = core.record
    position = position_of(core)
    revoke = revoke_at(record.revokes, against, trick)
    assert revoke is not None
    ended = position.turn < 0
    closed = claim_ends_correction(trick, position.piles.done, ended)
    record = Record(
        record.last,
        established(record.revokes, revoke),
        record.closed or closed,
        record.quitted,
    )
    chosen: i64 = UNSETTLED
    stock_to: i64 = -1
    if core.result is not None:
        chosen = core.result.settled
        stock_to = core.result.stock_to
    if core.rules.revoke_ends_deal:
        score = score_of_ended_deal(core.rules, core.pack, against)
        return _scored(
            core,
            record=record,
            score=score,
            shooter=-1,
            settled=UNSETTLED,
            stock_to=stock_to,
            by_claim=True,
        )
    after = _with(
        core,
        phase=PLAYING,
        cut=core.cut,
        sheet=core.sheet,
        dealt=core.dealt,
        position=position,
        record=record,
        result=None,
    )
    return after_last_trick(after, chosen) if ended else after


def after_moon_choice(core: Core, choice: i64) -> Core:
    """The match once the shooter has settled the moon this way.

    Clauses 8.6, 9.7a.
    """
    return after_last_trick(core, choice)
