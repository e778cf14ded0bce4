"""Cards on a page: the faces of `refengine.pictures`, in the colours of the site."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from refengine.game.values.cardset import CARDS, Card, CardSet
from refengine.pictures import HEIGHT, STYLE, WIDTH, cards_in_words, face

FEW: Final = 4
"""A hand of up to this many cards is spread wider."""

_DARK: Final = "@media (prefers-color-scheme:dark){"


def style() -> str:
    """The colours of the cards as a style sheet that follows the theme of the site."""
    light, _, dark = STYLE.partition(_DARK)
    dark = dark.removesuffix("}")
    return (
        f"{light}\n"
        f'body[data-theme="dark"]{{{dark}}}\n'
        f'{_DARK}body:not([data-theme="light"]){{{dark}}}}}\n'
    )


def script() -> str:
    """The faces as a script: `REFENGINE_FACES`, shapes and names by card."""
    faces = {card.value: [face(card), cards_in_words([card])] for card in CARDS}
    sizes = f"window.REFENGINE_FACE_SIZE=[{WIDTH},{HEIGHT}];"
    return f"{sizes}\nwindow.REFENGINE_FACES={json.dumps(faces, indent=0)};\n"


def picture(card: Card, style: str = "") -> str:
    """One card, for the eye only; `style` is `lit` or `dim`."""
    return (
        f'<span class="card {f"rf-{style}" if style else ""}">'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false">'
        f"{face(card)}</svg></span>"
    )


def hand(cards: Iterable[Card], lit: CardSet | None = None) -> str:
    """A fan of cards with its words for screen readers; those not in `lit` dimmed."""
    held = list(cards)
    words = cards_in_words(held)
    drawn = "".join(
        picture(card, "" if lit is None else "lit" if card in lit else "dim")
        for card in held
    )
    return (
        f'<span class="fan{" few" if len(held) <= FEW else ""}">{drawn}</span>'
        f'<span class="sr-only">{words}</span>'
    )
