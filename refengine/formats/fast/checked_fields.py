"""The fields that a line asserts about a moment, each compared with its true value."""

from typing import Final

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, Mask, card_at, lowest, number_of
from refengine.chapters.match import lowest_totals
from refengine.chapters.table import CUTTING, OVER, PHASES, SEATS
from refengine.formats.fast.checked_game import CheckedGame
from refengine.formats.fast.observed import OBSERVED
from refengine.formats.fast.scanning import (
    CARD_BYTES,
    number_text,
    numbers_text,
    sequence_text,
    set_text,
    sets_text,
)
from refengine.machine.core import Core
from refengine.machine.due import (
    dealer_now,
    number_now,
    seats_due,
    seats_of,
    totals_now,
)
from refengine.machine.holdings import (
    hands_now,
    kitty_now,
    points_now,
    stock_now,
    taken_now,
)

_TURN_OF: Final = tuple([b"[%d]" % seat for seat in range(SEATS)])
_LEADER: Final = tuple([b'{"leader":%d,"cards":"' % seat for seat in range(SEATS)])
_WINNER: Final = tuple([b'","winner":%d}' % seat for seat in range(SEATS)])
_ID_LEADER: Final = tuple([b'","leader":%d' % seat for seat in range(SEATS)])
_COMMA: Final = 44

# The index of each field in the list of all fields.
_CUT: Final[i64] = OBSERVED.index("cut")
_DEAL: Final[i64] = OBSERVED.index("deal")
_DEALER: Final[i64] = OBSERVED.index("dealer")
_DREW: Final[i64] = OBSERVED.index("drew")
_HANDS: Final[i64] = OBSERVED.index("hands")
_HEARTS_BROKEN: Final[i64] = OBSERVED.index("hearts_broken")
_KITTY: Final[i64] = OBSERVED.index("kitty")
_MATCH: Final[i64] = OBSERVED.index("match")
_OUT: Final[i64] = OBSERVED.index("out")
_OVER: Final[i64] = OBSERVED.index("over")
_PHASE: Final[i64] = OBSERVED.index("phase")
_POINTS: Final[i64] = OBSERVED.index("points")
_REVOKES: Final[i64] = OBSERVED.index("revokes")
_SCORE: Final[i64] = OBSERVED.index("score")
_STOCK: Final[i64] = OBSERVED.index("stock")
_TABLE: Final[i64] = OBSERVED.index("table")
_TAKEN: Final[i64] = OBSERVED.index("taken")
_TOTALS: Final[i64] = OBSERVED.index("totals")
_TRICK: Final[i64] = OBSERVED.index("trick")
_TRICKS: Final[i64] = OBSERVED.index("tricks")
_TURN: Final[i64] = OBSERVED.index("turn")
# The fields by the sum of the bytes of their names, as `Scan.read_word_sum` returns it.
# Another name with the same sum is caught by the comparison at the end of the line.
_NAMES: Final = tuple([name.encode() for name in OBSERVED])
_BY_SUM: Final = {sum(name) % 256: field for field, name in enumerate(_NAMES)}
_NO_FIELD: Final = 255
_FIELD_OF: Final = bytes([_BY_SUM.get(word, _NO_FIELD) for word in range(256)])

_KEYS: Final = tuple([b'"' + name + b'":' for name in _NAMES])
_FIRST_KEYS: Final = tuple([b"{" + key for key in _KEYS])
_NEXT_KEYS: Final = tuple([b"," + key for key in _KEYS])


def _flag(value: bool) -> bytes:
    return b"true" if value else b"false"


def fields_agree(game: CheckedGame, forms: list[bytes]) -> bool:
    """Move past an object of fields, and return whether each field has a value now.

    The object's values are not compared yet: the true values become part of the
    expected text, which is compared with the line only at the end of the line, and
    their RFC 8785 forms are added to `forms`. The result is also False if a field is
    unknown or occurs twice.
    """
    scan = game.scan
    if not game.skip_if_next(b"{"):
        return False
    values = game.values
    seen = EMPTY
    while True:
        word = scan.read_word_sum()
        if word < 0:
            return False
        field: i64 = _FIELD_OF[word]
        if field == _NO_FIELD or seen & card_at(field):
            return False
        seen = Mask(seen | card_at(field))
        game.texts.append(_KEYS[field])
        scan.at += 1
        if field == _TABLE or field == _TRICK:
            value = _with_cards(game, field == _TRICK)
        else:
            value = _field_text(game, field)
            game.expect_text(value)
        if not value:
            return False
        values[field] = value
        if scan.next_byte() != _COMMA:
            break
        game.expect_text(b",")
    game.expect_text(b"}")
    rest = seen
    while rest:
        field = number_of(lowest(rest))
        forms.append(_FIRST_KEYS[field] if rest == seen else _NEXT_KEYS[field])
        forms.append(values[field])
        rest = Mask(rest & (rest - 1))
    forms.append(b"}")
    return True


def _with_cards(game: CheckedGame, completed: bool) -> bytes:
    """Move past a trick and return its RFC 8785 form, in which its cards come first.

    With `completed`, it is the trick that the last act completed, and otherwise the one
    on the table. The result is empty if there is no such trick.
    """
    if completed:
        if not game.completed or game.moved is None:
            return b""
        leader = game.moved.leader
        cards = b" ".join([CARD_BYTES[card] for card in game.trick])
        winner = _WINNER[game.winner]
        game.expect_text(_LEADER[leader] + cards + winner)
        return b'{"cards":"' + cards + _ID_LEADER[leader] + winner[1:]
    if game.position is None:
        return b""
    leader = game.position.leader
    cards = b" ".join([CARD_BYTES[card] for card in game.table])
    game.expect_text(_LEADER[leader] + cards + b'"}')
    return b'{"cards":"' + cards + _ID_LEADER[leader] + b"}"


def _field_text(game: CheckedGame, field: i64) -> bytes:
    """The value of a field as text, or empty if the field has no value."""
    position = game.position
    if position is not None:
        if field == _TURN:
            return _TURN_OF[position.turn]
        if field == _TRICKS:
            return numbers_text(position.piles.tricks)
    core = game.core_now()
    if field == _TURN:
        return numbers_text(tuple(seats_of(seats_due(core))))
    if field == _PHASE:
        return b'"' + PHASES[core.phase].encode() + b'"'
    if field == _OVER:
        return _flag(core.phase == OVER)
    if field == _TOTALS:
        return numbers_text(totals_now(core))
    if field == _MATCH:
        if core.result is None or not core.result.over:
            return b'{"over":false}'
        seats = seats_of(lowest_totals(core.result.totals))
        winners = numbers_text(tuple(seats))
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


def _dealt_field_text(game: CheckedGame, core: Core, field: i64) -> bytes:
    """The value of a field that exists only once cards are dealt, as text.

    The result is empty if the field has no value.
    """
    if not core.dealt.hands:
        return b""
    position = core.position
    if field == _DREW:
        return sequence_text(game.cards_drawn())
    if field == _HEARTS_BROKEN:
        return _flag(position is not None and position.hearts_broken)
    if field == _OUT:
        hands = hands_now(core)
        out = [seat for seat, hand in enumerate(hands) if not hand]
        return numbers_text(tuple(out))
    if field == _HANDS:
        return sets_text(hands_now(core))
    if field == _TAKEN:
        return sets_text(taken_now(core))
    if field == _TRICKS:
        if position is None:
            return numbers_text(tuple([0 for _ in core.dealt.hands]))
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
    texts = [b'"' + (CARD_BYTES[card] if card >= 0 else b"") + b'"' for card in cards]
    return b"[" + b",".join(texts) + b"]"
