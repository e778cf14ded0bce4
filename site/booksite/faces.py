"""Cards on a page: the faces of `refengine.pictures`, in the colours of the site."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from booksite.elements import element, script
from refengine.game.values.cardset import CARDS, Card, CardSet
from refengine.pictures import HEIGHT, STYLE, WIDTH, cards_in_words, face

FEW: Final = 4
"""A hand of at most this many cards is spread wider."""

_DARK: Final = "@media screen and (prefers-color-scheme:dark){"


def style() -> str:
    """The colours of the cards as a style sheet that follows the theme of the site.

    Dark colours are for screens alone: paper is white.
    """
    light, _, dark = STYLE.partition(_DARK)
    dark = dark.removesuffix("}")
    return (
        f"{light}\n"
        f'@media screen{{body[data-theme="dark"]{{{dark}}}}}\n'
        f'{_DARK}body:not([data-theme="light"]){{{dark}}}}}\n'
    )


def faces_script() -> str:
    """The faces as a script: `REFENGINE_FACES`, shapes and names by card."""
    faces = {card.value: [face(card), cards_in_words([card])] for card in CARDS}
    size = script("FACE_SIZE", [WIDTH, HEIGHT], separators=(",", ":"))
    return size + script("FACES", faces, indent=0, ensure_ascii=True)


def in_suits(text: str) -> str:
    """Cards with the symbols of their suits, such as `4♣ K♣`.

    >>> in_suits("TC QH")
    '10♣ Q♥'
    """
    signs = str.maketrans("CDSHT", "♣♦♠♥\0")
    return text.translate(signs).replace("\0", "10")


def picture(card: Card, style: str = "") -> str:
    """One card, hidden from screen readers; `style` is `lit`, `dim` or empty."""
    return (
        f'<span class="card {f"rf-{style}" if style else ""}">'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false">'
        f"{face(card)}</svg></span>"
    )


def hand(cards: Iterable[Card], lit: CardSet | None = None) -> str:
    """A fan of cards with words for screen readers; cards not in `lit` are dimmed."""
    held = list(cards)
    words = cards_in_words(held)
    drawn = "".join(
        picture(card, "" if lit is None else "lit" if card in lit else "dim")
        for card in held
    )
    fan = element("span", drawn, "fan few" if len(held) <= FEW else "fan")
    return fan + element("span", words, "sr-only")


def moment(table: Iterable[Card], empty: str, label: str, held: str) -> str:
    """The cards on the table, or `empty` if there are none, and the labelled hand."""
    lying = list(table)
    there = hand(lying) if lying else element("span", empty, "empty")
    return _labelled("there", "on the table", there) + _labelled("held", label, held)


def _labelled(css: str, label: str, drawn: str) -> str:
    return element("div", element("span", label, "label") + drawn, css)
