"""Cards, hands, tricks and tables as SVG pictures that need no other files.

Suits can be told apart without colour: hearts and spades are filled, clubs and diamonds
are outlines. Every picture has a title and a description for screen readers, and is
legible on light and on dark backgrounds.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

import attrs

from refengine.game.tricks import Table, Trick
from refengine.game.values.cardset import NO_CARDS, Card, CardSet, Rank, Suit
from refengine.game.values.state import State

WIDTH: Final = 46
HEIGHT: Final = 64
STEP: Final = 25
RAISE: Final = 9
_GAP: Final = 10
_LABEL: Final = 96
_ROW: Final = HEIGHT + RAISE + 15

_SHAPES: Final = {
    Suit.HEARTS: "M12 21.5C6 16.5 2 12.4 2 8A5.2 5.2 0 0 1 12 6.3 "
    "5.2 5.2 0 0 1 22 8C22 12.4 18 16.5 12 21.5Z",
    Suit.DIAMONDS: "M12 1.5 20.5 12 12 22.5 3.5 12Z",
    Suit.SPADES: "M12 1.5C15 6 22 10 22 14.6A4.7 4.7 0 0 1 13.3 17L15.5 22.5H8.5"
    "L10.7 17A4.7 4.7 0 0 1 2 14.6C2 10 9 6 12 1.5Z",
    Suit.CLUBS: "M12 2A4.7 4.7 0 0 1 15.6 9.8 4.7 4.7 0 1 1 13.2 16.6L15.5 22H8.5"
    "L10.8 16.6A4.7 4.7 0 1 1 8.4 9.8 4.7 4.7 0 0 1 12 2Z",
}
_OUTLINED: Final = (Suit.CLUBS, Suit.DIAMONDS)
_SUIT_CLASS: Final = {suit: f"rf-{suit.value.lower()}" for suit in Suit}
_HEADWEAR: Final = {
    Rank.JACK: "M1 11H15V9C13 9 14 4 9 2 4 1 2 5 3 9H1ZM12 4 17 0 14 6Z",
    Rank.QUEEN: "M2 11 1 3 5 7 8 1 11 7 15 3 14 11Z",
    Rank.KING: "M1 12V2L4.5 5 8 0 11.5 5 15 2V12ZM7 14H9V12H7Z",
}
_RANK_NAMES: Final = {
    Rank.TEN: "ten",
    Rank.JACK: "jack",
    Rank.QUEEN: "queen",
    Rank.KING: "king",
    Rank.ACE: "ace",
}
STYLE: Final = """
.rf-face{fill:#fffefa;stroke:#5b5b66}
.rf-c{color:#00653a}.rf-d{color:#0a57b0}.rf-s{color:#17171c}.rf-h{color:#c00d1e}
.rf-ink{fill:currentColor}.rf-hole{fill:#fffefa}
.rf-line{fill:currentColor;stroke:currentColor;stroke-width:3.6;stroke-linejoin:round}
.rf-rank{fill:currentColor;font:700 21px "DejaVu Sans","Segoe UI",Helvetica,sans-serif}
.rf-dim .rf-face{fill:#d9d9de}.rf-dim .rf-hole{fill:#d9d9de}
.rf-dim .rf-c,.rf-dim .rf-d,.rf-dim .rf-s,.rf-dim .rf-h{color:#62626c}
.rf-lit .rf-face{stroke:#17171c;stroke-width:2.4}
.rf-none{fill:none;stroke:#77777f;stroke-dasharray:4 4}
.rf-felt{fill:#f1f4ee;stroke:#8d958a}
.rf-turn{fill:#d7e8c8}
.rf-text{fill:#1d2420;font:14px "DejaVu Sans","Segoe UI",Helvetica,sans-serif}
.rf-bold{font-weight:700}
.rf-small{fill:#414a43;font:12px "DejaVu Sans","Segoe UI",Helvetica,sans-serif}
.rf-mark{fill:#1d2420}
.rf-back{fill:#7d8ca3;stroke:#3d4756}
@media screen and (prefers-color-scheme:dark){
.rf-face{stroke:#0c0c0f}.rf-felt{fill:#1d2721;stroke:#56615a}
.rf-dim .rf-face,.rf-dim .rf-hole{fill:#8f9196}
.rf-dim .rf-c,.rf-dim .rf-d,.rf-dim .rf-s,.rf-dim .rf-h{color:#2b2b31}
.rf-lit .rf-face{stroke:#f6d365}.rf-turn{fill:#35492f}
.rf-text,.rf-mark{fill:#edf1ec}.rf-small{fill:#c3ccc5}
.rf-none{stroke:#9a9aa3}}
""".replace("\n", "")


@attrs.frozen
class _Drawing:
    """The shapes that make up a picture, and their size."""

    body: str
    width: float
    height: float


def card_name(card: Card) -> str:
    """The card in words, such as `queen of spades`."""
    rank = _RANK_NAMES.get(card.rank, card.rank.value)
    return f"{rank} of {card.suit.name.lower()}"


def cards_in_words(cards: Iterable[Card]) -> str:
    """The cards in words, separated by commas; `no cards` if there are none."""
    return ", ".join(card_name(card) for card in cards) or "no cards"


def _picture(drawing: _Drawing, title: str, text: str) -> str:
    """The drawing as a complete SVG, with a title and a description."""
    width, height = round(drawing.width, 1), round(drawing.height, 1)
    key = f"rf{zlib.crc32(f'{title}|{text}|{width}'.encode()):08x}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" style="max-width:100%" '
        f'aria-labelledby="{key}t {key}d">'
        f'<title id="{key}t">{escape(title)}</title>'
        f'<desc id="{key}d">{escape(text)}</desc>'
        f"<style>{STYLE}</style>{drawing.body}</svg>"
    )


def _moved(body: str, x: float, y: float, style: str = "") -> str:
    group = f' class="{style}"' if style else ""
    return f'<g transform="translate({x:g} {y:g})"{group}>{body}</g>'


def _text(
    x: float, y: float, words: str, style: str = "rf-text", more: str = ""
) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{style}"{more}>{escape(words)}</text>'


def _pip(suit: Suit, x: float, y: float, size: float) -> str:
    """The symbol of a suit, filled or as an outline."""
    shape = _SHAPES[suit]
    if suit in _OUTLINED:
        paths = (
            f'<path class="rf-line" d="{shape}"/><path class="rf-hole" d="{shape}"/>'
        )
        inner = f'<g transform="translate(2 2) scale(.83)">{paths}</g>'
    else:
        inner = f'<path class="rf-ink" d="{shape}"/>'
    scale = size / 24
    return f'<g transform="translate({x:g} {y:g}) scale({scale:.3g})">{inner}</g>'


def face(card: Card) -> str:
    """The shapes that draw one card, with its top left corner at 0, 0.

    The card is `WIDTH` by `HEIGHT`, and its colours come from `STYLE`.
    """
    rank = "10" if card.rank is Rank.TEN else card.rank.value
    narrow = ' textLength="21" lengthAdjust="spacingAndGlyphs"'
    squeeze = narrow if card.rank is Rank.TEN else ""
    head = _HEADWEAR.get(card.rank)
    crown = (
        f'<path class="rf-ink" transform="translate(26 6)" d="{head}"/>' if head else ""
    )
    return (
        f'<rect class="rf-face" x=".75" y=".75" width="{WIDTH - 1.5}" '
        f'height="{HEIGHT - 1.5}" rx="5"/>'
        f'<g class="{_SUIT_CLASS[card.suit]}">'
        f"{_text(3, 20, rank, 'rf-rank', squeeze)}"
        f"{_pip(card.suit, 3, 24, 16)}{crown}{_pip(card.suit, 17, 34, 26)}</g>"
    )


def _place() -> str:
    """The outline of a missing card; its top left corner is at 0, 0."""
    return (
        f'<rect class="rf-none" x="1" y="1" width="{WIDTH - 2}" '
        f'height="{HEIGHT - 2}" rx="5"/>'
    )


def _nothing(words: str) -> _Drawing:
    """The drawing of an empty place, with these words beside it."""
    width = WIDTH + 3.0 * _GAP + 8 * len(words)
    body = _moved(_place(), _GAP, _GAP)
    body += _text(WIDTH + 2 * _GAP, HEIGHT / 2 + _GAP + 5, words)
    return _Drawing(_felt(width, HEIGHT + 2 * _GAP) + body, width, HEIGHT + 2 * _GAP)


def _fan(cards: Sequence[Card], legal: CardSet | None) -> _Drawing:
    """Overlapping cards; if `legal` is given, its cards are raised, others dimmed."""
    body = ""
    for place, card in enumerate(cards):
        lit = legal is not None and card in legal
        style = "" if legal is None else "rf-lit" if lit else "rf-dim"
        body += _moved(face(card), place * STEP, 0 if lit else RAISE, style)
    width = STEP * (len(cards) - 1) + WIDTH if cards else 0
    return _Drawing(body, width, HEIGHT + RAISE)


def card_svg(card: Card) -> str:
    """The picture of one card."""
    name = card_name(card)
    return _picture(_Drawing(face(card), WIDTH, HEIGHT), str(card), f"The {name}.")


def cards_svg(cards: Iterable[Card], legal: CardSet | None = None) -> str:
    """The picture of these cards in the order given.

    If `legal` is given, the cards in it are raised and the others are dimmed.
    """
    listed = list(cards)
    if not listed:
        return _picture(_nothing("no cards"), "no cards", "A set without cards.")
    text = f"{cards_in_words(listed)}."
    if legal is not None:
        text += (
            f" May be played: {cards_in_words(one for one in listed if one in legal)}."
        )
    title = " ".join(card.value for card in listed)
    return _picture(_fan(listed, legal), title, text)


def trick_svg(trick: Trick | Table) -> str:
    """The picture of a trick, with its cards from left to right in the order played."""
    leader, cards = trick.leader, trick.cards
    winner = trick.winner if isinstance(trick, Trick) else None
    if not cards:
        text = f"Seat {leader} is to lead."
        return _picture(_nothing(f"seat {leader} to lead"), "no trick yet", text)
    best = _highest(cards)
    body = ""
    for place, card in enumerate(cards):
        x = _GAP + place * (WIDTH + _GAP)
        wins = winner is not None and card is best
        body += _moved(face(card), x, _GAP, "rf-lit" if wins else "")
        if wins:
            body += _star(x + WIDTH - 4, _GAP + 2)
    words = f"seat {leader} leads"
    text = f"Seat {leader} leads; in order: {cards_in_words(cards)}."
    if winner is not None:
        words += f", seat {winner} wins"
        text += f" Seat {winner} wins with the {card_name(best)}."
    width = max(_GAP + len(cards) * (WIDTH + _GAP), 12 + 8 * len(words))
    height = HEIGHT + 2 * _GAP + 20
    body = _felt(width, height) + body + _text(_GAP, HEIGHT + _GAP + 20, words)
    title = f"trick {' '.join(card.value for card in cards)}"
    return _picture(_Drawing(body, width, height), title, text)


def _highest(cards: Sequence[Card]) -> Card:
    """The highest card of the suit led."""
    followed = [card for card in cards if card.suit is cards[0].suit]
    return max(followed, key=lambda card: card.number)


def _star(x: float, y: float) -> str:
    """The mark on the winning card, with its centre at `x`, `y`."""
    points = "0,-9 2.6,-3 9,-2.6 4.2,1.8 5.6,8 0,4.6 -5.6,8 -4.2,1.8 -9,-2.6 -2.6,-3"
    return _moved(
        f'<polygon class="rf-mark" stroke="#fffefa" points="{points}"/>', x, y
    )


def _felt(width: float, height: float) -> str:
    return (
        f'<rect class="rf-felt" x=".5" y=".5" width="{width - 1:g}" '
        f'height="{height - 1:g}" rx="8"/>'
    )


def state_svg(state: State) -> str:
    """The picture of a state: a row for each seat, the trick, points and totals.

    Seats that are to act are marked, and the cards that may be played are raised.
    """
    rows = [_row(state, seat) for seat in range(state.ruleset.players)]
    width = max([row.width for row in rows] + [430.0])
    body = ""
    top = 36.0
    for seat, row in enumerate(rows):
        if seat in state.turn:
            body += (
                f'<rect class="rf-turn" x="4" y="{top:g}" width="{width - 8:g}" '
                f'height="{_ROW - 4}" rx="6"/>'
            )
        body += _moved(row.body, 0, top)
        top += _ROW
    head = f"{state.ruleset.profile}, deal {state.deal}"
    body += _text(_GAP, 24, head, "rf-text rf-bold")
    body += _text(width - _GAP, 24, _due(state), "rf-small", ' text-anchor="end"')
    foot = _foot(state)
    if foot:
        body += _text(_GAP, top + 14, foot, "rf-small")
        top += 22
    drawing = _Drawing(_felt(width, top + 6) + body, width, top + 6)
    return _picture(drawing, head, _in_words(state))


_DUE: Final = {
    "cut": "cut for the deal",
    "deal": "to be dealt",
    "pass": "cards to be passed",
    "mix": "to be mixed",
    "draw": "a card to be drawn",
    "play": "a card to be played",
    "moon": "the moon to be settled",
    "over": "over",
}


def _due(state: State) -> str:
    """What is due or, if the match has been won, who has won it."""
    if not state.winners:
        return _DUE[state.legal.due.kind]
    return f"over, won by {_seats(state.winners)}"


def _seats(numbers: Iterable[int]) -> str:
    *others, last = map(str, numbers)
    return f"seats {', '.join(others)} and {last}" if others else f"seat {last}"


def _row(state: State, seat: int) -> _Drawing:
    """The row for a seat: its number, points, total, hand and card on the table."""
    middle = _ROW / 2 + 3
    name = f"seat {seat}"
    body = _text(30, middle - 12, name, "rf-text rf-bold")
    points = f"points {state.points[seat]}" if state.hands else ""
    body += _text(30, middle + 6, points, "rf-small")
    body += _text(30, middle + 23, f"total {state.totals[seat]}", "rf-small")
    if seat in state.turn:
        body += _moved('<path class="rf-mark" d="M0 0 12 7 0 14Z"/>', 11, middle - 24)
    x = float(_LABEL + _GAP)
    if state.table is not None:
        played = _on_table(state).get(seat)
        shown = face(played) if played else _place()
        body += _moved(shown, x, RAISE + 4)
        x += WIDTH + 2 * _GAP
    if not state.hands:
        return _Drawing(body, x, _ROW)
    hand = state.hands[seat]
    lit = state.legal.cards if seat in state.turn and state.legal.cards else None
    fan = _fan(list(hand), lit)
    body += _moved(fan.body, x, 4) if hand else _text(x, middle, "no cards", "rf-small")
    return _Drawing(body, x + fan.width + _GAP, _ROW)


def _on_table(state: State) -> dict[int, Card]:
    """The card that each seat has played to the trick in progress, by seat."""
    if state.table is None or not state.table.cards:
        return {}
    return dict(zip(state.seats_on_table, state.table.cards, strict=True))


def _foot(state: State) -> str:
    """The line below the hands; empty before the deal."""
    parts = []
    if state.stock:
        parts.append(f"stock {len(state.stock)}")
    if state.kitty:
        parts.append(f"kitty {len(state.kitty)}")
    if state.hands:
        parts.append("hearts broken" if state.hearts_broken else "hearts not broken")
    return " · ".join(parts)


def _in_words(state: State) -> str:
    """The state in words, for readers who cannot see the picture."""
    sentences = []
    for seat in range(state.ruleset.players):
        held = cards_in_words(state.hands[seat]) if state.hands else "no cards"
        words = f"Seat {seat} holds {held}"
        played = _on_table(state).get(seat)
        if played:
            words += f" and has played the {card_name(played)}"
        sentences.append(f"{words}; total {state.totals[seat]}.")
    if state.turn:
        sentences.append(f"To act: {_seats(state.turn)}; {_due(state)}.")
    if state.over:
        sentences.append(f"{_due(state)}.".capitalize())
    legal = state.legal.cards
    if legal != NO_CARDS:
        sentences.append(f"May be played: {cards_in_words(legal)}.")
    if state.hands:
        sentences.append(f"{_foot(state)}.".capitalize())
    return " ".join(sentences)
