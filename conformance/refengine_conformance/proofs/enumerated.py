"""Theorems proved by trying every case: every set of hearts, and every table.

Other theorems replace `cards.count` and `cards.faces_of` with sums over the cards of a
set (`scoring.cards_counted`, `scoring.faces_added`); here the two functions are tried
on all sets of hearts. `count` is assumed to be right for other cards. The cards removed
from the pack are compared, for every table, with those that come first in the book's
order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from refengine.chapters import cards, deal
from refengine.chapters.cards import Mask
from refengine.lawbook.options import lowered
from refengine.machine.notation import write_set
from refengine_conformance.proofs.settings import BASES
from refengine_conformance.proofs.theorem import ALL_SEATS, Theorem, TheoremCase

_FACES: Final = {text: int(text) for text in "23456789"} | {
    "T": 10,
    "J": 11,
    "Q": 12,
    "K": 13,
    "A": 14,
}
_REMOVED: Final = {"none": "", "lowest": "CDSH", "lowest_no_hearts": "DCS"}


def _wrong_hearts() -> Iterator[str]:
    """The sets of hearts, out of all 8,192, that the engine counts or adds up wrongly.

    Each is yielded as the word `hearts` followed by its cards.
    """
    for number in range(2**13):
        hearts = Mask(number << 39)
        held = write_set(hearts).split()
        faces = sum(_FACES[text[0]] for text in held)
        if cards.count(hearts) != len(held) or cards.faces_of(hearts) != faces:
            yield f"hearts {' '.join(held)}"


def _wrong_removals() -> Iterator[str]:
    """The tables at which the wrong cards are removed, each with its `removal`.

    The cards removed must be the first in the book's order and, unless `removal` is
    `none`, must leave the same number of cards for each player.
    """
    for players in ALL_SEATS:
        for removal, suits in _REMOVED.items():
            order = [rank + suit for rank in _FACES for suit in suits]
            wanted = set(order[: 52 % players])
            rules = lowered(players, BASES | {"removal": removal})
            removed = set(write_set(deal.removed_cards(rules)).split())
            left = 52 - len(removed)
            if removed != wanted or (removal != "none" and left % players):
                yield f"{players} players, removal={removal}"


def _in_every_case(
    title: str, clauses: str, wrong: Callable[[], Iterator[str]]
) -> Theorem:
    """A theorem that holds if `wrong` yields nothing.

    Otherwise its counterexample is the first case yielded.
    """

    def cases(seats: Sequence[int]) -> Iterator[TheoremCase]:
        first_wrong = next(wrong(), "")
        yield TheoremCase(lambda: not first_wrong, (), lambda model: first_wrong)

    return Theorem(title, tuple(clauses.split()), cases)


def theorems() -> list[Theorem]:
    """The theorems about every set of hearts, and about every table."""
    return [
        _in_every_case(
            "hearts are counted, and their faces added up, in every set of them",
            "1.5 1.5a",
            _wrong_hearts,
        ),
        _in_every_case(
            "the lowest cards are removed, hearts among them or spared",
            "3.3 3.3a",
            _wrong_removals,
        ),
    ]
