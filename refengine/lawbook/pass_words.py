"""The words that people use for passes, and the pass cycle of a table."""

from typing import Final

from refengine.lawbook.options import Value

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
"""The words and signs for a pass, in four languages, with the entry each one means."""


def passes_at_table(cycle: Value, players: int) -> tuple[str, ...]:
    """The entries of a pass cycle at a table, without `across` if `players` is odd.

    Clause 4.1a.
    """
    assert isinstance(cycle, tuple)
    odd = players % 2 == 1
    return tuple([entry for entry in cycle if not (odd and entry == "across")])
