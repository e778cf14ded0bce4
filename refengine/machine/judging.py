"""The clauses that an act breaks, for each kind of act, or none if it is allowed.

Turn and phase come first: if either is wrong, no other clause is named (clause 0.7a).
Otherwise exactly the conditions that fail are named. If a play fails none of them, the
narrowing clauses that rule its card out are named.
"""

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, Mask, card_at
from refengine.chapters.deal import (
    drawn_already,
    hand_size,
    not_in_cut_pack,
    not_the_pack,
    wrong_hands,
    wrong_kitty,
    wrong_stock,
)
from refengine.chapters.draw import draw_is_due, must_draw_to_follow, must_draw_to_lead
from refengine.chapters.layout import Packet
from refengine.chapters.passing import (
    addressed_needlessly,
    may_not_forward,
    mix_pile,
    not_dealt,
    not_the_pile,
    wrong_count,
    wrong_hands_back,
    wrong_kitty_back,
    wrong_scatter,
)
from refengine.chapters.play import not_in_hand
from refengine.chapters.revoke import (
    claim_ends_correction,
    led_since,
    no_quitting,
    no_trick_to_quit,
    not_the_winner,
    quit_before,
    revoke_accepted,
    revoke_at,
    revoke_of,
    time_to_correct,
    too_early_to_claim,
)
from refengine.chapters.score import names_itself, not_a_choice
from refengine.chapters.table import (
    CLAIM,
    CUT,
    DEAL,
    DRAW,
    FORWARD,
    MOON,
    PASS,
    PLAY,
    QUIT,
    REDEAL,
    RETRACT,
    out_of_phase,
    out_of_turn,
)
from refengine.machine.core import Core
from refengine.machine.due import cut_pack, drawn_in_round, position_of, seats_due
from refengine.machine.position import narrowing_broken


def due_breaks(core: Core, kind: i64, seat: i64) -> tuple[str, ...]:
    """The clauses on turn and phase that forbid this seat an act of this kind now."""
    broken: list[str] = []
    if out_of_turn(kind, seats_due(core), seat):
        broken.append("2.3")
    if out_of_phase(kind, core.phase):
        broken.append("2.4")
    return tuple(broken)


def cut_breaks(core: Core, seat: i64, card: i64) -> tuple[str, ...]:
    """The clauses that forbid this seat to draw this card in the cut."""
    broken = due_breaks(core, CUT, seat)
    if broken:
        return broken
    failed: list[str] = []
    if not_in_cut_pack(cut_pack(core), card_at(card)):
        failed.append("3.1e")
    if drawn_already(drawn_in_round(core), card_at(card)):
        failed.append("3.1f")
    return tuple(failed)


def deal_breaks(
    core: Core,
    seat: i64,
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
    kitty: Mask,
) -> tuple[str, ...]:
    """The clauses that forbid this seat to deal these cards."""
    broken = due_breaks(core, DEAL, seat)
    if broken:
        return broken
    rules = core.rules
    size = hand_size(rules, core.pack, core.named)
    failed: list[str] = []
    if wrong_hands(rules, size, hands):
        failed.append("3.8a")
    if wrong_stock(rules, core.pack, size, stock):
        failed.append("3.8b")
    if wrong_kitty(rules, core.pack, size, kitty):
        failed.append("3.8c")
    if not_the_pack(core.pack, hands, stock, kitty):
        failed.append("3.8d")
    return tuple(failed)


def pass_breaks(core: Core, seat: i64, packet: Packet) -> tuple[str, ...]:
    """The clauses that forbid this seat to pass this packet."""
    broken = due_breaks(core, FORWARD if packet.unseen else PASS, seat)
    if broken:
        return broken
    way = core.dealt.way
    if packet.unseen:
        return ("4.9",) if may_not_forward(core.rules, way) else ()
    failed: list[str] = []
    if wrong_count(core.rules, way, packet):
        failed.append("4.4")
    if not_dealt(core.dealt.hands[seat], packet):
        failed.append("4.5")
    if wrong_scatter(way, seat, packet):
        failed.append("4.6a")
    if addressed_needlessly(way, packet):
        failed.append("4.6b")
    return tuple(failed)


def packets_of(core: Core) -> tuple[Packet, ...]:
    """The packets of all seats, once every seat has passed."""
    return tuple([packet for packet in core.dealt.packets if packet is not None])


def mix_breaks(
    core: Core, seat: i64, back: tuple[Mask, ...], kitty: Mask
) -> tuple[str, ...]:
    """The clauses that forbid this seat to deal these cards back from the mix."""
    broken = due_breaks(core, REDEAL, seat)
    if broken:
        return broken
    packets = packets_of(core)
    failed: list[str] = []
    if wrong_hands_back(packets, back):
        failed.append("4.10c")
    if wrong_kitty_back(core.rules, core.dealt.kitty, kitty):
        failed.append("4.10d")
    if not_the_pile(mix_pile(core.rules, packets, core.dealt.kitty), back, kitty):
        failed.append("4.10e")
    return tuple(failed)


def draw_breaks(core: Core, seat: i64) -> tuple[str, ...]:
    """The clauses that forbid this seat to draw."""
    broken = due_breaks(core, DRAW, seat)
    if broken:
        return broken
    if not draw_is_due(core.rules, position_of(core)):
        return ("6.3",)
    return ()


def play_breaks(core: Core, seat: i64, card: i64) -> tuple[str, ...]:
    """The clauses that forbid this seat to play this card.

    A play that breaks any clause is irregular if 7.2 accepts it as a revoke; otherwise
    it is refused.
    """
    broken = due_breaks(core, PLAY, seat)
    if broken:
        return broken
    position = position_of(core)
    failed: list[str] = []
    if not_in_hand(position, card_at(card)):
        failed.append("5.7")
    if must_draw_to_follow(position):
        failed.append("6.1")
    if must_draw_to_lead(core.rules, position):
        failed.append("6.2")
    if failed:
        return tuple(failed)
    return narrowing_broken(core.rules, position, card_at(card))


def is_irregular(core: Core, broken: tuple[str, ...]) -> bool:
    """Whether a play that breaks these clauses is accepted as irregular."""
    return revoke_accepted(core.rules, broken)


def ended_by_claim(core: Core) -> bool:
    """Whether a claim has ended the deal, so that no other claim can be made about it.

    Clause 7.7b.
    """
    return core.result is not None and core.result.by_claim


def correctable(core: Core, trick: i64) -> bool:
    """Whether a revoke in this trick of the deal can still be corrected."""
    if core.position is None or ended_by_claim(core):
        return False
    return time_to_correct(
        core.rules,
        trick,
        core.position.piles.done,
        core.position.table == EMPTY,
        core.record.closed,
    )


def retract_breaks(core: Core, seat: i64, card: i64) -> tuple[str, ...]:
    """The clauses that forbid this seat to take this card back."""
    broken = due_breaks(core, RETRACT, seat)
    if broken:
        return broken
    revoke = revoke_of(core.record.revokes, seat, card)
    if revoke is None:
        return ("7.3",)
    return () if correctable(core, revoke.trick) else ("7.4",)


def quit_breaks(core: Core, seat: i64) -> tuple[str, ...]:
    """The clauses that forbid this seat to turn the last trick face down."""
    broken = due_breaks(core, QUIT, seat)
    if broken:
        return broken
    if no_quitting(core.rules):
        return ("7.6a",)
    record = core.record
    winner = record.last.winner if record.last is not None else -1
    table_empty = core.position is None or core.position.table == EMPTY
    failed: list[str] = []
    if not_the_winner(seat, winner):
        failed.append("7.6b")
    if led_since(winner, table_empty):
        failed.append("7.6c")
    if quit_before(winner, table_empty, record.quitted):
        failed.append("7.6d")
    if no_trick_to_quit(ended_by_claim(core)):
        failed.append("7.6e")
    return tuple(failed)


def claim_breaks(core: Core, seat: i64, against: i64, trick: i64) -> tuple[str, ...]:
    """The clauses that forbid this claim of a revoke by `against` in this trick."""
    broken = due_breaks(core, CLAIM, seat)
    if broken:
        return broken
    position = core.position
    done = position.piles.done if position is not None else 0
    ended = position is not None and position.turn < 0
    failed: list[str] = []
    last = claim_ends_correction(trick, done, ended)
    if too_early_to_claim(core.rules, trick, done, correctable(core, trick), last):
        failed.append("7.7")
    elif revoke_at(core.record.revokes, against, trick) is None:
        failed.append("7.7a")
    if ended_by_claim(core):
        failed.append("7.7b")
    return tuple(failed)


def moon_breaks(core: Core, seat: i64, choice: i64) -> tuple[str, ...]:
    """The clauses that forbid this seat to settle the moon this way."""
    broken = due_breaks(core, MOON, seat)
    if broken:
        return broken
    failed: list[str] = []
    if not_a_choice(core.rules, choice):
        failed.append("8.6a")
    if names_itself(seat, choice):
        failed.append("8.6b")
    return tuple(failed)
