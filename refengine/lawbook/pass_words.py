"""What people write for a pass."""

from typing import Final

PASS_WORDS: Final = {
    **dict.fromkeys(("left", "l", "to the left", "←", "<", "<-"), "left"),
    **dict.fromkeys(("right", "r", "to the right", "→", ">", "->"), "right"),
    **dict.fromkeys(("across", "a", "opposite", "o", "↑", "^"), "across"),
    **dict.fromkeys(("hold", "h", "keep", "none", "no pass", "stay", "no"), "hold"),
    "scatter": "scatter",
    "mix": "mix",
}
"""What people write for a pass, and the entry of the cycle that it is."""
