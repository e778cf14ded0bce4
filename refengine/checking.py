"""Traces and logs checked inside the rules: whether all is as they say, not why not.

Only lines in the form of our own writer are judged here (`refengine.scanning`), and of
the acts those of a game without revokes. Everything else, and every line in which
something is not as it says, is for `refengine.trace`, which explains.
"""

import hashlib
from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from refengine.cards import CARD, EMPTY, Mask
from refengine.core import NO_RECORD, Core, Record, Sheet
from refengine.draw import draw_is_due
from refengine.due import (
    cards_to_cut,
    dealer_now,
    number_now,
    position_of,
    seats_due,
    seats_of,
    totals_now,
    ways_to_pass,
)
from refengine.judging import (
    cut_breaks,
    deal_breaks,
    draw_breaks,
    mix_breaks,
    moon_breaks,
    pass_breaks,
)
from refengine.match import lowest_totals
from refengine.notation import CARD_TEXTS
from refengine.opening import match_breaks, open_match, open_setup, setup_breaks
from refengine.passing import Packet, may_not_forward
from refengine.play import Position
from refengine.position import after_draw, after_play, playable
from refengine.rules import Rules
from refengine.scanning import (
    WRONG,
    WRONG_SET,
    Scan,
    number_text,
    numbers_text,
    sequence_text,
    set_text,
    sets_text,
)
from refengine.score import MINUS, PLUS, UNSETTLED, moon_choices
from refengine.seen import hands_now, kitty_now, points_now, stock_now, taken_now
from refengine.stepping import (
    after_card_drawn,
    after_cut,
    after_deal,
    after_last_trick,
    after_mix,
    after_moon_choice,
    after_pass,
)
from refengine.table import (
    CUTTING,
    DEALING,
    MIXING,
    MOON_DUE,
    OVER,
    PASSING,
    PHASES,
    PLAYING,
    SEATS,
)

Written = tuple[Rules, bytes]
Rulesets = Callable[[bytes], Written | None]
"""From a ruleset as our writer writes it to its rules and its RFC 8785 form."""

# How a step begins, up to what was legal, and its parts in the RFC 8785 form, in which
# keys are sorted; of a play for every seat and card.
_STEP: Final = tuple([b'{"seat":%d,"act":' % seat for seat in range(SEATS)])
_CARDS: Final = tuple([text.encode() for text in CARD_TEXTS])
_PLAY: Final = tuple(
    [
        b'{"seat":%d,"act":{"play":"%b"},"legal":' % (seat, card)
        for seat in range(SEATS)
        for card in _CARDS
    ]
)
_DRAW: Final = tuple(
    [b'{"seat":%d,"act":{"draw":1},"legal":{"draw":1}' % seat for seat in range(SEATS)]
)
_ID_PLAY: Final = tuple([b'{"act":{"play":"%b"},"legal":' % card for card in _CARDS])
_ID_DRAW: Final = b'{"act":{"draw":1},"legal":{"draw":1}'
_ID_SEAT: Final = tuple([b',"seat":%d' % seat for seat in range(SEATS)])
_ID_LAST: Final = tuple([b',"seat":%d},' % seat for seat in range(SEATS)])
_TURN_OF: Final = tuple([b"[%d]" % seat for seat in range(SEATS)])
_LEADER: Final = tuple([b'{"leader":%d,"cards":"' % seat for seat in range(SEATS)])
_WINNER: Final = tuple([b'","winner":%d}' % seat for seat in range(SEATS)])
_ID_LEADER: Final = tuple([b'","leader":%d' % seat for seat in range(SEATS)])
_BEFORE_CARD: Final = len(b'{"seat":0,"act":{"play":"')
_AFTER_CARD: Final = len(b'QS"},"legal":')

# Where a run of plays has come to
_FAULT: Final = -1
_BETWEEN: Final = 0
_INSIDE: Final = 1

# The fields of an observation in the order of RFC 8785
_CUT: Final = 0
_DEAL: Final = 1
_DEALER: Final = 2
_DREW: Final = 3
_HANDS: Final = 4
_HEARTS_BROKEN: Final = 5
_KITTY: Final = 6
_MATCH: Final = 7
_OUT: Final = 8
_OVER: Final = 9
_PHASE: Final = 10
_POINTS: Final = 11
_REVOKES: Final = 12
_SCORE: Final = 13
_STOCK: Final = 14
_TABLE: Final = 15
_TAKEN: Final = 16
_TOTALS: Final = 17
_TRICK: Final = 18
_TRICKS: Final = 19
_TURN: Final = 20
_FIELDS: Final[dict[bytes, int]] = {
    b"cut": _CUT,
    b"deal": _DEAL,
    b"dealer": _DEALER,
    b"drew": _DREW,
    b"hands": _HANDS,
    b"hearts_broken": _HEARTS_BROKEN,
    b"kitty": _KITTY,
    b"match": _MATCH,
    b"out": _OUT,
    b"over": _OVER,
    b"phase": _PHASE,
    b"points": _POINTS,
    b"revokes": _REVOKES,
    b"score": _SCORE,
    b"stock": _STOCK,
    b"table": _TABLE,
    b"taken": _TAKEN,
    b"totals": _TOTALS,
    b"trick": _TRICK,
    b"tricks": _TRICKS,
    b"turn": _TURN,
}


def _flag(value: bool) -> bytes:
    return b"true" if value else b"false"


@final
class _Game:
    """A game while its line is read: the match as it stands after the acts so far.

    While cards are played `position` is ahead of `core`, which has the rest; `table`
    and `trick` are the cards on the table and of the trick completed last, in order.
    `completed` is whether the last act completed it, `moved` the position in which the
    last act was a play, `forms` the RFC 8785 form of what was read.
    """

    def __init__(self, scan: Scan, core: Core) -> None:
        self.scan: Final = scan
        self.core: Core = core
        self.position: Position | None = core.position
        self.moved: Position | None = None
        self.table: list[int] = []
        self.trick: list[int] = []
        self.completed: bool = False
        self.forms: Final[list[bytes]] = []

    def here(self) -> Core:
        """The match as it stands, but for the tricks completed before."""
        position = self.position
        if position is None or position is self.core.position:
            return self.core
        core = self.core
        record = Record(tuple(self.table), (), (), True, True)
        self.core = Core(
            core.rules,
            core.pack,
            core.named,
            core.single,
            PLAYING,
            core.cut,
            core.sheet,
            core.dealt,
            position,
            record,
            None,
        )
        return self.core

    def go_on(self, core: Core) -> None:
        """Stand at this match, to which another act than a play has led."""
        self.core = core
        self.position = core.position if core.phase == PLAYING else None
        self.moved = None
        self.completed = False

    def play(self, before: Position, card: i64) -> None:
        """Let the seat in turn play; after the last card the deal is scored."""
        position = after_play(self.core.rules, before, CARD[card])
        self.moved = before
        self.position = position
        self.table.append(int(card))
        self.completed = not position.table
        if self.completed:
            self.trick = self.table
            self.table = []
            if position.turn < 0:
                self.core = after_last_trick(self.here(), UNSETTLED)
                self.position = None

    def drew(self) -> tuple[int, ...]:
        """The cards drawn in the turn of the seat that acted."""
        if self.moved is not None:
            return self.moved.drew
        return self.position.drew if self.position is not None else ()


def trace_agrees(line: bytes, rulesets: Rulesets, spec: bytes) -> str:
    """The id of the trace in which everything is as it says, its id too; else nothing.

    `spec` is the version of the book between quotes.
    """
    scan = Scan(line.rstrip(b"\r\n"))
    if not scan.takes(b'{"trace":1,"id":'):
        return ""
    name = scan.text()
    if name is None or not scan.takes(b',"spec":') or not scan.takes(spec):
        return ""
    if scan.takes(b',"name":') and not scan.text():
        return ""
    core, opening = _opened(scan, rulesets)
    if core is None or not scan.takes(b',"steps":['):
        return ""
    game = _Game(scan, core)
    game.forms.append(opening)
    if scan.before(b"]") or not _steps_agree(game):
        return ""
    end = b"{"
    if scan.takes(b',"end":'):
        fields = _fields_agree(game)
        if fields is None:
            return ""
        end = b'{"end":' + fields + b","
    if not scan.takes(b"}") or scan.at != scan.size:
        return ""
    text = end + b"".join(game.forms) + b"]}"
    found = "t-" + hashlib.sha256(text).hexdigest()[:16]
    return found if found.encode() == name else ""


# How a game begins


def _opened(scan: Scan, rulesets: Rulesets) -> tuple[Core | None, bytes]:
    """The first moment of the game, and how it begins in RFC 8785 form."""
    if not scan.takes(b',"ruleset":'):
        return None, b""
    start = scan.at
    end = scan.line.find(b'},"', start)
    text = scan.line[start : end + 1]
    written = rulesets(text)
    if written is None:
        return None, b""
    rules, ruleset = written
    scan.at = end + 1
    if scan.takes(b',"setup":'):
        core, setup = _setup(scan, rules)
        return core, b'"ruleset":' + ruleset + b',"setup":' + setup + b',"steps":['
    if scan.takes(b',"match":'):
        start = scan.at
        core = _match(scan, rules)
        match = scan.since(start)
        return core, b'"match":' + match + b',"ruleset":' + ruleset + b',"steps":['
    return None, b""


def _match(scan: Scan, rules: Rules) -> Core | None:
    """A match from the cut or with a dealer, of 52 cards or a named pack."""
    dealer: i64 = -1
    pack = EMPTY
    if not scan.takes(b"{"):
        return None
    if scan.takes(b'"dealer":'):
        dealer = scan.natural()
        if dealer < 0 or dealer >= rules.players:
            return None
        if scan.takes(b',"pack":'):
            pack = scan.set_of_cards()
            if pack <= 0:
                return None
    elif scan.takes(b'"pack":'):
        pack = scan.set_of_cards()
        if pack <= 0:
            return None
    if not scan.takes(b"}") or match_breaks(rules, pack):
        return None
    return open_match(rules, pack, dealer)


def _setup(scan: Scan, rules: Rules) -> tuple[Core | None, bytes]:
    """A deal as found, and its RFC 8785 form; positions are not read here."""
    if not scan.takes(b'{"dealer":'):
        return None, b""
    dealer = scan.natural()
    if not scan.takes(b',"deal":') or dealer < 0 or dealer >= rules.players:
        return None, b""
    deal = scan.natural()
    if deal < 1:
        return None, b""
    form = b'{"deal":' + number_text(deal) + b',"dealer":' + number_text(dealer)
    totals: tuple[int, ...] = tuple([0 for _ in range(rules.players)])
    rest = b""
    if scan.takes(b',"totals":'):
        start = scan.at
        given = scan.numbers()
        if given is None or given == totals or len(given) != rules.players:
            return None, b""
        totals = given
        rest = b',"totals":' + scan.since(start)
    if not scan.takes(b',"hands":'):
        return None, b""
    start = scan.at
    hands = scan.sets_of_cards()
    if hands is None or len(hands) != rules.players:
        return None, b""
    form += b',"hands":' + scan.since(start)
    stock: tuple[int, ...] = ()
    if scan.takes(b',"stock":'):
        start = scan.at
        cards = scan.sequence()
        if not cards:
            return None, b""
        stock = cards
        rest = b',"stock":' + scan.since(start) + rest
    kitty = EMPTY
    if scan.takes(b',"kitty":'):
        start = scan.at
        kitty = scan.set_of_cards()
        if kitty <= 0:
            return None, b""
        form += b',"kitty":' + scan.since(start)
    reached = scan.takes(b',"limit_reached":true')
    if reached:
        form += b',"limit_reached":true'
    if not scan.takes(b"}") or (reached and not rules.ties_played_on):
        return None, b""
    if setup_breaks(rules, hands, stock, kitty, deal):
        return None, b""
    sheet = Sheet(dealer, deal, totals, reached)
    return open_setup(rules, sheet, hands, stock, kitty), form + rest + b"}"


# Steps


def _steps_agree(game: _Game) -> bool:
    """Whether every step is as it says; the scan is then behind the list."""
    scan = game.scan
    forms = game.forms
    while True:
        place = _plays_agree(game)
        if place == _FAULT or (place == _BETWEEN and not _act_agrees(game)):
            return False
        if scan.takes(b',"then":'):
            fields = _fields_agree(game)
            if fields is None:
                return False
            forms.append(b',"then":')
            forms.append(fields)
        if scan.takes(b"},"):
            forms.append(b"},")
        elif scan.takes(b"}]"):
            forms.append(b"}")
            return True
        else:
            return False


def _plays_agree(game: _Game) -> i64:
    """Go on over the plays and draws that stand here, each with what was legal.

    Returns _BETWEEN before a step that is something else, _INSIDE within the last one,
    where more is said of it, _FAULT where something is not as it says. The text between
    the cards is looked at once, when all of them have been played.
    """
    scan = game.scan
    forms = game.forms
    texts: list[bytes] = []
    rules = game.core.rules
    begun = scan.at
    place = _BETWEEN
    while game.position is not None:
        position = game.position
        seat = position.turn
        start = scan.at
        before = start + _BEFORE_CARD + (1 if seat > 9 else 0)
        scan.at = before
        card = scan.card()
        if card >= 0:
            scan.at = before + _AFTER_CARD
            legal = scan.set_of_cards()
            if legal != playable(rules, position) or not legal & CARD[card]:
                scan.at = start
                break
            said = scan.since(before + _AFTER_CARD)
            texts.append(_PLAY[seat * 52 + card])
            texts.append(said)
            forms.append(_ID_PLAY[card])
            forms.append(said)
            game.play(position, card)
        else:
            scan.at = start
            if not draw_is_due(rules, position) or not scan.takes(_DRAW[seat]):
                break
            texts.append(_DRAW[seat])
            forms.append(_ID_DRAW)
            game.position = after_draw(position)
            game.moved = None
            game.completed = False
        if not scan.before(b"},"):
            forms.append(_ID_SEAT[seat])
            place = _INSIDE
            break
        scan.at += 2
        texts.append(b"},")
        forms.append(_ID_LAST[seat])
    return place if scan.since(begun) == b"".join(texts) else _FAULT


def _act_agrees(game: _Game) -> bool:
    """Whether any other act stands here that is legal, and was due as it says."""
    scan = game.scan
    core = game.here()
    seat: i64 = 0
    while seat < core.rules.players and not scan.takes(_STEP[seat]):
        seat += 1
    if seat == core.rules.players:
        return False
    forms = game.forms
    forms.append(b'{"act":')
    form = _done(game, seat)
    if not form:
        return False
    forms.append(form)
    if scan.takes(b',"legal":'):
        text = _due_text(core)
        if not text or not scan.takes(text):
            return False
        forms.append(b',"legal":')
        forms.append(_due_form(core, text))
    forms.append(_ID_SEAT[seat])
    return True


def _done(game: _Game, seat: i64) -> bytes:
    """The RFC 8785 form of the legal act that stands here, which is done."""
    scan = game.scan
    core = game.core
    start = scan.at
    if scan.takes(b'{"play":"'):
        card = scan.card()
        if core.phase != PLAYING or card < 0 or not scan.takes(b'"}'):
            return b""
        position = position_of(core)
        if seat != position.turn or not playable(core.rules, position) & CARD[card]:
            return b""
        game.play(position, card)
        return scan.since(start)
    if scan.takes(b'{"draw":1}'):
        if draw_breaks(core, seat):
            return b""
        game.go_on(after_card_drawn(core))
        return scan.since(start)
    if scan.takes(b'{"cut":"'):
        card = scan.card()
        if card < 0 or not scan.takes(b'"}') or cut_breaks(core, seat, card):
            return b""
        game.go_on(after_cut(core, seat, card))
        return scan.since(start)
    if scan.takes(b'{"deal":{"hands":'):
        return _deal_done(game, seat)
    if scan.takes(b'{"mix":{"hands":'):
        hands = scan.sets_of_cards()
        kitty = _kitty(scan)
        if hands is None or kitty < 0 or not scan.takes(b"}}"):
            return b""
        if mix_breaks(core, seat, hands, kitty):
            return b""
        game.go_on(after_mix(core, hands, kitty))
        return scan.since(start)
    if scan.takes(b'{"moon":'):
        return _moon_done(game, seat)
    packet = _packet(scan, core.rules.players)
    if packet is None or pass_breaks(core, seat, packet):
        return b""
    game.go_on(after_pass(core, seat, packet))
    return scan.since(start)


def _kitty(scan: Scan) -> Mask:
    """The kitty that stands here, which may be left out."""
    if not scan.takes(b',"kitty":'):
        return EMPTY
    return scan.set_of_cards() or WRONG_SET


def _deal_done(game: _Game, seat: i64) -> bytes:
    scan = game.scan
    start = scan.at
    hands = scan.sets_of_cards()
    form = b'{"deal":{"hands":' + scan.since(start)
    stock: tuple[int, ...] = ()
    rest = b"}}"
    if scan.takes(b',"stock":'):
        start = scan.at
        cards = scan.sequence()
        if not cards:
            return b""
        stock = cards
        rest = b',"stock":' + scan.since(start) + rest
    start = scan.at
    kitty = _kitty(scan)
    form += scan.since(start)
    if hands is None or kitty < 0 or not scan.takes(b"}}"):
        return b""
    if deal_breaks(game.core, seat, hands, stock, kitty):
        return b""
    game.go_on(after_deal(game.core, hands, stock, kitty))
    return form + rest


def _moon_done(game: _Game, seat: i64) -> bytes:
    scan = game.scan
    start = scan.at
    choice = _choice(scan, game.core.rules.players)
    form = scan.since(start)
    if choice == UNSETTLED or not scan.takes(b"}"):
        return b""
    if moon_breaks(game.core, seat, choice):
        return b""
    game.go_on(after_moon_choice(game.core, choice))
    return b'{"moon":' + form + b"}"


def _choice(scan: Scan, players: i64) -> i64:
    """The choice for a moon that stands here, UNSETTLED if there is none."""
    if scan.takes(b'"self_minus"'):
        return MINUS
    if scan.takes(b'"others_plus"'):
        return PLUS
    if not scan.takes(b'{"one":'):
        return UNSETTLED
    other = scan.natural()
    if other < 0 or other >= players or not scan.takes(b"}"):
        return UNSETTLED
    return other


def _packet(scan: Scan, players: i64) -> Packet | None:
    """What a seat hands in, as the act that stands here."""
    if scan.takes(b'{"forward":1}'):
        return Packet(EMPTY, (), True)
    if not scan.takes(b'{"pass":'):
        return None
    packet = _passed(scan, players)
    return packet if packet is not None and scan.takes(b"}") else None


def _passed(scan: Scan, players: i64) -> Packet | None:
    """The cards passed that stand here, together or one to each of some seats."""
    if not scan.before(b"{"):
        cards = scan.set_of_cards()
        return None if cards < 0 else Packet(cards, (), False)
    if players > 10:  # the keys of RFC 8785 are sorted as text
        return None
    scan.at += 1
    addressed = [-1 for _ in range(players)]
    given = EMPTY
    before: i64 = -1
    while scan.takes(b'"'):
        to = scan.natural()
        if to <= before or to >= players or not scan.takes(b'":"'):
            return None
        card = scan.card()
        if card < 0 or given & CARD[card] or not scan.takes(b'"'):
            return None
        addressed[to] = int(card)
        given = Mask(given | CARD[card])
        before = to
        if scan.takes(b"}"):
            return Packet(given, tuple(addressed), False)
        if not scan.takes(b","):
            return None
    return None


# What was due


def _due_text(core: Core) -> bytes:
    """What was due, as a step says it; nothing in the play, where it was looked at."""
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
    """The same in RFC 8785 form, in which `forward` comes before `pass`."""
    if core.phase != PASSING or not text.endswith(b',"forward":1}'):
        return text
    return b'{"forward":1,' + text[1 : -len(b',"forward":1}')] + b"}"


# What is asserted of a moment


def _fields_agree(game: _Game) -> bytes | None:
    """The RFC 8785 form of the fields that stand here, if every one is as it says."""
    scan = game.scan
    core = game.here()
    if not scan.takes(b"{"):
        return None
    fields: list[int] = []
    forms: list[bytes] = []
    while True:
        start = scan.at
        name = scan.text()
        if name is None:
            return None
        field = _FIELDS.get(name, WRONG)
        if field < 0 or field in fields or not scan.takes(b":"):
            return None
        if field == _TABLE or field == _TRICK:
            form = _cards_agree(game, core, field == _TRICK)
            if not form:
                return None
        else:
            text = _field_text(game, core, field)
            if not text or not scan.takes(text):
                return None
            form = scan.since(start)
        place = len(fields)
        while place > 0 and fields[place - 1] > field:
            place -= 1
        fields.insert(place, field)
        forms.insert(place, form)
        if scan.takes(b"}"):
            return b"{" + b",".join(forms) + b"}"
        if not scan.takes(b","):
            return None


def _field_text(game: _Game, core: Core, field: i64) -> bytes:
    """The value of a field of an observation as it is written, if there is one."""
    if field == _TURN:
        if core.phase == PLAYING:
            return _TURN_OF[position_of(core).turn]
        return numbers_text(seats_of(seats_due(core)))
    if field == _PHASE:
        return b'"' + PHASES[core.phase].encode() + b'"'
    if field == _OVER:
        return _flag(core.phase == OVER)
    if field == _TOTALS:
        return numbers_text(totals_now(core))
    if field == _MATCH:
        if core.result is None or not core.result.over:
            return b'{"over":false}'
        winners = numbers_text(seats_of(lowest_totals(core.result.totals)))
        return b'{"over":true,"winners":' + winners + b"}"
    if field == _SCORE:
        if core.result is None or not core.result.score:
            return b""
        return numbers_text(core.result.score)
    if field == _CUT:
        return _cut_text(core.cut.cards)
    if field == _DEALER or field == _DEAL:
        if core.phase == CUTTING:
            return b""
        return number_text(dealer_now(core) if field == _DEALER else number_now(core))
    return _dealt_field_text(game, core, field)


def _dealt_field_text(game: _Game, core: Core, field: i64) -> bytes:
    """The value of a field that there is once cards are dealt."""
    if not core.dealt.hands:
        return b""
    position = core.position
    if field == _DREW:
        return sequence_text(game.drew())
    if field == _HEARTS_BROKEN:
        return _flag(position is not None and position.hearts_broken)
    if field == _OUT:
        hands = hands_now(core)
        return numbers_text([seat for seat, hand in enumerate(hands) if not hand])
    if field == _HANDS:
        return sets_text(hands_now(core))
    if field == _TAKEN:
        return sets_text(taken_now(core))
    if field == _TRICKS:
        if position is None:
            return numbers_text([0 for _ in core.dealt.hands])
        return numbers_text(position.piles.tricks)
    if field == _STOCK:
        return sequence_text(stock_now(core))
    if field == _KITTY:
        return set_text(kitty_now(core))
    if field == _POINTS:
        return numbers_text(points_now(core))
    return b"[]" if not core.record.revokes else b""


def _cut_text(cards: tuple[int, ...]) -> bytes:
    if not cards:
        return b""
    texts = [b'"' + (_CARDS[card] if card >= 0 else b"") + b'"' for card in cards]
    return b"[" + b",".join(texts) + b"]"


def _cards_agree(game: _Game, core: Core, completed: bool) -> bytes:
    """The RFC 8785 form of a trick or a table that stands here, if it is as it says.

    In that form the cards come before the leader.
    """
    scan = game.scan
    if completed:
        if not game.completed or game.moved is None:
            return b""
        leader = game.moved.leader
        cards = b" ".join([_CARDS[card] for card in game.trick])
        winner = _WINNER[position_of(core).winner]
        if not scan.takes(_LEADER[leader] + cards + winner):
            return b""
        return b'"trick":{"cards":"' + cards + _ID_LEADER[leader] + winner[1:]
    if core.phase != PLAYING:
        return b""
    leader = position_of(core).leader
    cards = b" ".join([_CARDS[card] for card in core.record.table])
    if not scan.takes(_LEADER[leader] + cards + b'"}'):
        return b""
    return b'"table":{"cards":"' + cards + _ID_LEADER[leader] + b"}"


# Logs


def log_agrees(line: bytes, rulesets: Rulesets) -> bool:
    """Whether everything in a log is as it says, and every card of it legal."""
    scan = Scan(line.rstrip(b"\r\n"))
    if not scan.takes(b'{"log":1'):
        return False
    core, _ = _opened(scan, rulesets)
    if core is None or not scan.before(b',"p'):
        return False
    if scan.takes(b',"pass":'):
        core = _after_passes(scan, core)
    if core is None or core.phase != PLAYING or not scan.takes(b',"plays":"'):
        return False
    core = _after_plays(scan, core)
    if core is None:
        return False
    if scan.takes(b',"moon":'):
        shooter = seats_of(seats_due(core))[:1]
        choice = _choice(scan, core.rules.players)
        if choice == UNSETTLED or moon_breaks(core, (*shooter, 0)[0], choice):
            return False
        core = after_moon_choice(core, choice)
    if scan.takes(b',"score":'):
        result = core.result
        if result is None or scan.numbers() != result.score:
            return False
    if scan.takes(b',"totals":') and scan.numbers() != totals_now(core):
        return False
    return scan.takes(b"}") and scan.at == scan.size


def _after_passes(scan: Scan, core: Core) -> Core | None:
    """The deal once the passes that stand here are handed in, one a seat."""
    seat: i64 = 0
    while scan.takes(b"," if seat else b"["):
        packet = _passed(scan, core.rules.players)
        if packet is None or pass_breaks(core, seat, packet):
            return None
        core = after_pass(core, seat, packet)
        seat += 1
    return core if seat == core.rules.players and scan.takes(b"]") else None


def _after_plays(scan: Scan, core: Core) -> Core | None:
    """The deal once the cards that stand here are played, with the draws between."""
    rules = core.rules
    position = position_of(core)
    scan.row_goes_on = True
    while scan.row_goes_on:
        card = scan.card_of_row()
        if card < 0:
            return None
        cards = playable(rules, position)
        while not cards and position.turn >= 0:
            position = after_draw(position)
            cards = playable(rules, position)
        if not cards & CARD[card]:
            return None
        position = after_play(rules, position, CARD[card])
    after = Core(
        rules,
        core.pack,
        core.named,
        core.single,
        PLAYING,
        core.cut,
        core.sheet,
        core.dealt,
        position,
        NO_RECORD,
        None,
    )
    return after if position.turn >= 0 else after_last_trick(after, UNSETTLED)
