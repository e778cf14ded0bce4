"""Tests that all cards are given places whenever that is possible."""

from itertools import permutations
from random import Random
from types import SimpleNamespace

import pytest

from refengine import ImpossibleRecord
from refengine.worlds.dealing import HAND, Place
from refengine.worlds.stand_in import placed


def there_is_a_way(sizes: list[int], lies: dict[int, int]) -> bool:
    """Whether all cards can have places open to them, found by trying all orders."""
    slots = [at for at, size in enumerate(sizes) for _ in range(size)]
    return any(
        all(lies[card] >> at & 1 for card, at in zip(order, slots, strict=True))
        for order in permutations(lies)
    )


@pytest.mark.parametrize("seed", range(60))
def test_cards_are_moved_along_until_each_has_a_place(seed: int) -> None:
    rng = Random(seed)
    sizes = [rng.randint(1, 2) for _ in range(rng.randint(2, 4))]
    bits = 2 ** len(sizes)
    lies = {card: rng.randrange(1, bits) for card in range(sum(sizes))}
    if rng.random() < 0.1:
        del lies[0]
    places = tuple(Place(HAND, 0, size, -1, -1) for size in sizes)
    deal = SimpleNamespace(scheme=SimpleNamespace(places=places), lies=lies)
    if len(lies) == sum(sizes) and there_is_a_way(sizes, lies):
        found = placed(deal)  # type: ignore[arg-type]  # what it looks at
        assert [int(one).bit_count() for one in found] == sizes
        for at, cards in enumerate(found):
            assert all(lies[card] >> at & 1 for card in lies if cards >> card & 1)
    else:
        with pytest.raises(ImpossibleRecord):
            placed(deal)  # type: ignore[arg-type]  # what it looks at
