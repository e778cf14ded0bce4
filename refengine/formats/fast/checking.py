"""Fast checks that say whether a trace or a log is true, but not what is wrong with it.

Only lines in the form of the engine's own writer, which the module `scanning` reads,
are judged here, and only games without revokes; in a log, sets of cards may be in any
order. All other lines, and all lines that say something untrue, are left to the modules
`trace` and `logs`, which explain what is wrong.
"""

import hashlib
from typing import Final

from mypy_extensions import i64

from refengine.chapters.cards import card_at
from refengine.chapters.draw import draw_is_due
from refengine.chapters.layout import Position
from refengine.chapters.score import UNSETTLED
from refengine.chapters.table import PLAYING, SEATS
from refengine.formats.fast.checked_acts import (
    ID_SEAT,
    act_agrees,
    read_choice,
    read_packet,
)
from refengine.formats.fast.checked_fields import fields_agree
from refengine.formats.fast.checked_game import CheckedGame, in_play
from refengine.formats.fast.checked_start import Rulesets, read_opening
from refengine.formats.fast.scanning import CARD_BYTES, Scan
from refengine.machine.core import NO_RECORD, Core
from refengine.machine.due import position_of, seats_due, seats_of, totals_now
from refengine.machine.judging import moon_breaks, pass_breaks
from refengine.machine.moving import MovingPiles, moving_position
from refengine.machine.position import after_draw, after_play, playable
from refengine.machine.stepping import after_last_trick, after_moon_choice, after_pass

# How a step begins, up to what was legal, and its parts in RFC 8785 form, in which keys
# are sorted; for plays, one text for each seat and card.
_PLAY: Final = tuple(
    [
        b'{"seat":%d,"act":{"play":"%b"},"legal":' % (seat, card)
        for seat in range(SEATS)
        for card in CARD_BYTES
    ]
)
_DRAW: Final = tuple(
    [b'{"seat":%d,"act":{"draw":1},"legal":{"draw":1}' % seat for seat in range(SEATS)]
)
_ID_PLAY: Final = tuple(
    [b'{"act":{"play":"%b"},"legal":' % card for card in CARD_BYTES]
)
_ID_DRAW: Final = b'{"act":{"draw":1},"legal":{"draw":1}'
_ID_LAST: Final = tuple([b',"seat":%d},' % seat for seat in range(SEATS)])
_BEFORE_CARD: Final = len(b'{"seat":0,"act":{"play":"')
_AFTER_CARD: Final = len(b'QS"},"legal":')


def agreed_id(line: bytes, rulesets: Rulesets, specs: tuple[bytes, ...]) -> str:
    """Return the id of a trace, if this fast check finds that all of it is true.

    Otherwise the result is empty, but the trace need not be wrong. `specs` holds the
    editions of the book that the trace may name, each in quotation marks.
    """
    scan = Scan(line)
    if not scan.skip_if_next(b'{"trace":1,"id":'):
        return ""
    said = scan.read_text()
    if said is None or not scan.skip_if_next(b',"spec":'):
        return ""
    for spec in specs:
        if scan.skip_if_next(spec):
            break
    else:
        return ""
    if scan.skip_if_next(b',"name":') and not scan.read_text():
        return ""
    if not scan.skip_if_next(b',"ruleset":'):
        return ""
    core, beginning = read_opening(scan, rulesets, True)
    if core is None or not scan.skip_if_next(b',"steps":['):
        return ""
    game = CheckedGame(scan, core)
    game.forms.append(beginning)
    begun = scan.at
    if scan.is_next(b"]") or not _steps_agree(game):
        return ""
    end = b"{"
    if game.skip_if_next(b',"end":'):
        fields: list[bytes] = []
        if not fields_agree(game, fields):
            return ""
        end = b'{"end":' + b"".join(fields) + b","
    game.expect_text(b"}")
    if scan.at != scan.size or scan.text_since(begun) != b"".join(game.texts):
        return ""
    game.forms[0] = end + beginning
    game.forms.append(b"]}")
    text = b"".join(game.forms)
    found = "t-" + hashlib.sha256(text).hexdigest()[:16]
    return found if found.encode() == said else ""


def _steps_agree(game: CheckedGame) -> bool:
    """Move past the list of steps, and return whether the rules agree with each act.

    Most of what the steps say under `then` is not compared here: the caller compares
    the text of all the steps with the text that the game collects.
    """
    scan = game.scan
    forms = game.forms
    while True:
        if not _in_last_play(game):
            begun = scan.at
            if not act_agrees(game):
                return False
            game.texts.append(scan.text_since(begun))
        if game.skip_if_next(b',"then":'):
            forms.append(b',"then":')
            if not fields_agree(game, forms):
                return False
        if game.skip_if_next(b"},"):
            forms.append(b"},")
        else:
            forms.append(b"}")
            return game.skip_if_next(b"}]")


def _in_last_play(game: CheckedGame) -> bool:
    """Move past the steps that hold a play or draw and `legal`, and nothing more.

    Return True if the scan stops inside a step with a play or draw, because more
    follows its `legal` or because it is the last step. Return False if the scan stops
    before a step that must be read in another way.
    """
    scan = game.scan
    texts = game.texts
    forms = game.forms
    rules = game.core.rules
    while game.position is not None:
        position = game.position
        seat = position.turn
        start = scan.at
        before = start + _BEFORE_CARD + (1 if seat > 9 else 0)
        scan.at = before
        card = scan.read_card()
        if card >= 0:
            scan.at = before + _AFTER_CARD
            legal = scan.read_set_of_cards()
            if legal != playable(rules, position) or not legal & card_at(card):
                scan.at = start
                return False
            said = scan.text_since(before + _AFTER_CARD)
            texts.append(_PLAY[seat * 52 + card])
            texts.append(said)
            forms.append(_ID_PLAY[card])
            forms.append(said)
            game.play(position, card)
        else:
            scan.at = start
            if not draw_is_due(rules, position) or not game.skip_if_next(_DRAW[seat]):
                return False
            forms.append(_ID_DRAW)
            game.position = after_draw(position)
            game.moved = None
            game.completed = False
        if not scan.is_next(b"},"):
            forms.append(ID_SEAT[seat])
            return True
        game.expect_text(b"},")
        forms.append(_ID_LAST[seat])
    return False


# Logs


def log_agrees(line: bytes, rulesets: Rulesets) -> bool:
    """Whether everything that a log says is true, and every act in it is legal."""
    scan = Scan(line, any_order=True)
    if not scan.skip_if_next(b'{"log":1,"ruleset":'):
        return False
    core, _ = read_opening(scan, rulesets, False)
    if core is not None and scan.skip_if_next(b',"pass":'):
        core = _after_passes(scan, core)
    if core is None or core.phase != PLAYING or not scan.skip_if_next(b',"plays":"'):
        return False
    piles = rulesets.piles_to_use_again(position_of(core))
    core = _after_plays(scan, core, piles)
    if core is None:
        return False
    if scan.skip_if_next(b',"moon":'):
        due = seats_of(seats_due(core))
        shooter = due[0] if due else 0
        choice = read_choice(scan, core.rules.players)
        if choice == UNSETTLED or moon_breaks(core, shooter, choice):
            return False
        core = after_moon_choice(core, choice)
    if scan.skip_if_next(b',"score":'):
        result = core.result
        if result is None or not scan.skip_if_numbers(result.score):
            return False
    if scan.skip_if_next(b',"totals":') and not scan.skip_if_numbers(totals_now(core)):
        return False
    rulesets.piles = piles
    return scan.skip_if_next(b"}") and scan.at == scan.size


def _after_passes(scan: Scan, core: Core) -> Core | None:
    """Apply the passes, one by each seat, and return the deal; None if one is wrong."""
    seat: i64 = 0
    while seat < core.rules.players and scan.skip_if_next(b"," if seat else b"["):
        packet = read_packet(scan, core.rules.players)
        if packet is None or pass_breaks(core, seat, packet):
            return None
        core = after_pass(core, seat, packet)
        seat += 1
    return core if seat == core.rules.players and scan.skip_if_next(b"]") else None


def _after_plays(scan: Scan, core: Core, piles: MovingPiles) -> Core | None:
    """Apply the plays of a log and any draws due, and return the state after them.

    The result is None if a play, or the seat that the line gives for it, is wrong. If
    the line lists the seats that played, the scan moves past that list too. The
    positions in between are not kept: a single object, whose won cards are in `piles`,
    is changed by each play.
    """
    rules = core.rules
    begun = position_of(core)
    moving = moving_position(begun)
    moving.go_back(begun, piles)
    position: Position = moving
    seats = _seats_of_plays(scan)
    scan.row_goes_on = True
    while scan.row_goes_on:
        card = scan.read_card_of_row()
        if card < 0:
            return None
        cards = playable(rules, position)
        while not cards and position.turn >= 0:
            position = after_draw(position)
            cards = playable(rules, position)
        one = card_at(card)
        if not cards & one:
            return None
        if seats is not None and not (
            seats.row_goes_on and seats.skip_if_listed(position.turn)
        ):
            return None
        position = after_play(rules, position, one)
    if seats is not None:
        if seats.row_goes_on:
            return None
        scan.at = seats.at
    after = in_play(core, position, NO_RECORD)
    return after if position.turn >= 0 else after_last_trick(after, UNSETTLED)


def _seats_of_plays(scan: Scan) -> Scan | None:
    """Return a new scan inside the list `seats` that follows the plays of a log.

    The result is None if no such list follows. The scan given does not move.
    """
    begun = scan.at
    scan.at = scan.end_of_row()
    seats: Scan | None = None
    if scan.skip_if_next(b'","seats":['):
        seats = Scan(scan.line)
        seats.at = scan.at
        seats.row_goes_on = True
    scan.at = begun
    return seats
