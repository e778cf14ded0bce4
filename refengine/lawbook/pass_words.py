"""What people write for a pass."""

from typing import Final

PASS_WORDS: Final = {
    **dict.fromkeys(
        ("left", "l", "to the left", "←", "<", "<-", "links", "gauche", "izquierda"),
        "left",
    ),
    **dict.fromkeys(
        ("right", "r", "to the right", "→", ">", "->", "rechts", "droite", "derecha"),
        "right",
    ),
    **dict.fromkeys(
        ("across", "a", "opposite", "o", "↑", "^", "gegenüber", "en face", "enfrente"),
        "across",
    ),
    **dict.fromkeys(
        ("hold", "h", "keep", "none", "no pass", "stay", "no", "keine", "behalten"),
        "hold",
    ),
    "scatter": "scatter",
    "mix": "mix",
}
"""What people write for a pass, in four languages, and its entry of the cycle."""
