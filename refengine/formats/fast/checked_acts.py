"""Reads and applies the acts of a line, except plays and draws that state `legal`."""

from typing import Final

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, Mask, card_at
from refengine.chapters.layout import Packet
from refengine.chapters.passing import may_not_forward
from refengine.chapters.score import MINUS, PLUS, UNSETTLED, moon_choices
from refengine.chapters.table import (
    CUTTING,
    DEALING,
    MIXING,
    MOON_DUE,
    PASSING,
    PLAYING,
    SEATS,
)
from refengine.formats.fast.checked_game import CheckedGame
from refengine.formats.fast.scanning import WRONG_SET, Scan, number_text
from refengine.machine.core import Core
from refengine.machine.due import (
    cards_to_cut,
    position_of,
    seats_due,
    seats_of,
    ways_to_pass,
)
from refengine.machine.judging import (
    cut_breaks,
    deal_breaks,
    draw_breaks,
    mix_breaks,
    moon_breaks,
    pass_breaks,
)
from refengine.machine.position import playable
from refengine.machine.stepping import (
    after_card_drawn,
    after_cut,
    after_deal,
    after_mix,
    after_moon_choice,
    after_pass,
)

_STEP: Final = tuple([b'{"seat":%d,"act":' % seat for seat in range(SEATS)])
ID_SEAT: Final = tuple([b',"seat":%d' % seat for seat in range(SEATS)])


def act_agrees(game: CheckedGame) -> bool:
    """Apply the next act if it is legal, and return whether it agrees with the rules.

    It agrees if it is legal and its `legal`, if given, is true. For a play or a draw
    with `legal`, which is checked elsewhere, the result is False.
    """
    scan = game.scan
    core = game.core_now()
    seat: i64 = 0
    while seat < core.rules.players and not scan.skip_if_next(_STEP[seat]):
        seat += 1
    if seat == core.rules.players:
        return False
    forms = game.forms
    forms.append(b'{"act":')
    form = _done(game, seat)
    if not form:
        return False
    forms.append(form)
    if scan.skip_if_next(b',"legal":'):
        text = _due_text(core)
        if not text or not scan.skip_if_next(text):
            return False
        forms.append(b',"legal":')
        forms.append(_due_form(core, text))
    forms.append(ID_SEAT[seat])
    return True


def _done(game: CheckedGame, seat: i64) -> bytes:
    """Apply the next act and return its RFC 8785 form.

    The result is empty if the act is not legal or cannot be read here.
    """
    scan = game.scan
    core = game.core
    start = scan.at
    if scan.skip_if_next(b'{"play":"'):
        card = scan.read_card()
        if core.phase != PLAYING or card < 0 or not scan.skip_if_next(b'"}'):
            return b""
        position = position_of(core)
        if seat != position.turn or not playable(core.rules, position) & card_at(card):
            return b""
        game.play(position, card)
        return scan.text_since(start)
    if scan.skip_if_next(b'{"draw":1}'):
        if draw_breaks(core, seat):
            return b""
        game.move_to(after_card_drawn(core))
        return scan.text_since(start)
    if scan.skip_if_next(b'{"cut":"'):
        card = scan.read_card()
        if card < 0 or not scan.skip_if_next(b'"}') or cut_breaks(core, seat, card):
            return b""
        game.move_to(after_cut(core, seat, card))
        return scan.text_since(start)
    if scan.skip_if_next(b'{"deal":{"hands":'):
        return _deal_done(game, seat)
    if scan.skip_if_next(b'{"mix":{"hands":'):
        hands = scan.read_sets_of_cards()
        kitty = _kitty(scan)
        if hands is None or kitty < 0 or not scan.skip_if_next(b"}}"):
            return b""
        if mix_breaks(core, seat, hands, kitty):
            return b""
        game.move_to(after_mix(core, hands, kitty))
        return scan.text_since(start)
    if scan.skip_if_next(b'{"moon":'):
        return _moon_done(game, seat)
    packet = _packet(scan, core.rules.players)
    if packet is None or pass_breaks(core, seat, packet):
        return b""
    game.move_to(after_pass(core, seat, packet))
    return scan.text_since(start)


def _kitty(scan: Scan) -> Mask:
    """Read a kitty: EMPTY if none is given, and WRONG_SET if it cannot be read."""
    if not scan.skip_if_next(b',"kitty":'):
        return EMPTY
    return scan.read_set_of_cards() or WRONG_SET


def _deal_done(game: CheckedGame, seat: i64) -> bytes:
    """Apply a deal whose hands come next; the result is as that of `_done`."""
    scan = game.scan
    start = scan.at
    hands = scan.read_sets_of_cards()
    form = b'{"deal":{"hands":' + scan.text_since(start)
    stock: tuple[int, ...] = ()
    rest = b"}}"
    if scan.skip_if_next(b',"stock":'):
        start = scan.at
        cards = scan.read_sequence()
        if not cards:
            return b""
        stock = cards
        rest = b',"stock":' + scan.text_since(start) + rest
    start = scan.at
    kitty = _kitty(scan)
    form += scan.text_since(start)
    if hands is None or kitty < 0 or not scan.skip_if_next(b"}}"):
        return b""
    if deal_breaks(game.core, seat, hands, stock, kitty):
        return b""
    game.move_to(after_deal(game.core, hands, stock, kitty))
    return form + rest


def _moon_done(game: CheckedGame, seat: i64) -> bytes:
    """Apply a moon choice that comes next; the result is as that of `_done`."""
    scan = game.scan
    start = scan.at
    choice = read_choice(scan, game.core.rules.players)
    form = scan.text_since(start)
    if choice == UNSETTLED or not scan.skip_if_next(b"}"):
        return b""
    if moon_breaks(game.core, seat, choice):
        return b""
    game.move_to(after_moon_choice(game.core, choice))
    return b'{"moon":' + form + b"}"


def read_choice(scan: Scan, players: i64) -> i64:
    """Read a choice that settles a moon; UNSETTLED if no choice can be read."""
    if scan.skip_if_next(b'"self_minus"'):
        return MINUS
    if scan.skip_if_next(b'"others_plus"'):
        return PLUS
    if not scan.skip_if_next(b'{"one":'):
        return UNSETTLED
    other = scan.read_natural()
    if other < 0 or other >= players or not scan.skip_if_next(b"}"):
        return UNSETTLED
    return other


def _packet(scan: Scan, players: i64) -> Packet | None:
    """Read a pass, seen or unseen, and return its packet; None if it cannot be read."""
    if scan.skip_if_next(b'{"forward":1}'):
        return Packet(EMPTY, (), True)
    if not scan.skip_if_next(b'{"pass":'):
        return None
    packet = read_packet(scan, players)
    return packet if packet is not None and scan.skip_if_next(b"}") else None


def read_packet(scan: Scan, players: i64) -> Packet | None:
    """Read the cards of a pass, as a set or by seat; None if they cannot be read."""
    if not scan.is_next(b"{"):
        cards = scan.read_set_of_cards()
        return None if cards < 0 else Packet(cards, (), False)
    if players > 10:  # RFC 8785 sorts keys as text, "10" before "2"
        return None
    scan.at += 1
    addressed = [-1 for _ in range(players)]
    given = EMPTY
    before: i64 = -1
    while scan.skip_if_next(b'"'):
        to = scan.read_natural()
        if to <= before or to >= players or not scan.skip_if_next(b'":"'):
            return None
        card = scan.read_card()
        if card < 0 or given & card_at(card) or not scan.skip_if_next(b'"'):
            return None
        addressed[to] = int(card)
        given = Mask(given | card_at(card))
        before = to
        if scan.skip_if_next(b"}"):
            return Packet(given, tuple(addressed), False)
        if not scan.skip_if_next(b","):
            return None
    return None


def _due_text(core: Core) -> bytes:
    """What is due, as `legal` should state it.

    Empty during play, where `legal` is checked elsewhere.
    """
    if core.phase == CUTTING:
        return b'{"cut":%d}' % int(cards_to_cut(core))
    if core.phase == DEALING:
        return b'{"deal":1}'
    if core.phase == PASSING:
        ways = int(ways_to_pass(core))
        if may_not_forward(core.rules, core.dealt.way):
            return b'{"pass":%d}' % ways
        return b'{"pass":%d,"forward":1}' % ways
    if core.phase == MIXING:
        return b'{"mix":1}'
    if core.phase == MOON_DUE:
        shooter = seats_of(seats_due(core))[0]
        choices = [_choice_text(one) for one in moon_choices(core.rules, shooter)]
        return b'{"moon":[' + b",".join(choices) + b"]}"
    return b""


def _choice_text(choice: i64) -> bytes:
    if choice == MINUS:
        return b'"self_minus"'
    if choice == PLUS:
        return b'"others_plus"'
    return b'{"one":' + number_text(choice) + b"}"


def _due_form(core: Core, text: bytes) -> bytes:
    """The text of what is due in RFC 8785 form, in which `forward` precedes `pass`."""
    if core.phase != PASSING or not text.endswith(b',"forward":1}'):
        return text
    return b'{"forward":1,' + text[1 : -len(b',"forward":1}')] + b"}"
