"""Tests of random numbers and of counts of deals against independent calculations."""

from collections import Counter
from itertools import permutations
from math import comb, factorial
from random import Random

import pytest

from refengine.chapters.cards import Mask
from refengine.machine.random_numbers import Chance, mixed, shuffled_numbers, some_of
from refengine.worlds.deal_counts import Counting, Split, in_good_order
from tests.support.every_deal import too_uneven

WORD = 2**32 - 1


def stepped(state: int) -> int:
    """The next state of the generator in Marsaglia's paper, two words in one number."""
    older, newer = state >> 32, state & WORD
    older ^= older << 10 & WORD
    return newer << 32 | (newer ^ newer >> 10 ^ older ^ older >> 13)


def applied(matrix: list[int], vector: int) -> int:
    """A matrix over the field of two elements, given by columns, times a vector."""
    found = 0
    for at, column in enumerate(matrix):
        if vector >> at & 1:
            found ^= column
    return found


def power(matrix: list[int], exponent: int) -> list[int]:
    found = [1 << at for at in range(64)]
    while exponent:
        if exponent & 1:
            found = [applied(matrix, column) for column in found]
        matrix = [applied(matrix, column) for column in matrix]
        exponent >>= 1
    return found


def test_the_sequence_comes_round_after_all_words_but_nought() -> None:
    step = [stepped(1 << at) for at in range(64)]
    unchanged = [1 << at for at in range(64)]
    whole = 2**64 - 1
    assert power(step, whole) == unchanged
    for prime in (3, 5, 17, 257, 641, 65537, 6700417):
        assert power(step, whole // prime) != unchanged


def test_the_numbers_are_those_of_the_recipe() -> None:
    chance = Chance(7)
    state = mixed(7)
    for _ in range(100):
        before = state & WORD
        state = stepped(state)
        assert chance.next() == (state & WORD) + before & WORD


def test_a_seed_of_any_size_is_a_seed() -> None:
    # SplitMix64 from the state 0: its first numbers, as published with the algorithm.
    assert mixed(0) == 0xE220A8397B1DCDAF
    assert len({mixed(seed) for seed in range(1000)}) == 1000
    assert 0 <= Chance(10**40).fraction() < 2**53


def test_every_choice_of_cards_is_equally_likely() -> None:
    chance = Chance(1)
    cards = Mask(0b1011011)
    for size in range(6):
        drawn = Counter(
            (int(some_of(cards, size, 5, chance)),) for _ in range(50 * comb(5, size))
        )
        assert len(drawn) == comb(5, size)
        assert all(one & ~cards == 0 and one.bit_count() == size for (one,) in drawn)
        assert too_uneven(drawn, set(drawn)) <= 1


def test_every_order_of_cards_is_equally_likely() -> None:
    chance = Chance(2)
    drawn = Counter(
        tuple(shuffled_numbers(Mask(0b1111), chance)) for _ in range(24 * 50)
    )
    assert set(drawn) == set(permutations(range(4)))
    assert too_uneven(drawn, set(drawn)) <= 1


def deals(counting: Counting) -> Counter[tuple[tuple[int, ...], ...]]:
    """The number of deals for each table of counts, found by trying all card orders."""
    cards = [at for at, size in enumerate(counting.sizes) for _ in range(size)]
    found: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for order in permutations(range(len(cards))):
        table = []
        first = 0
        for room, may in zip(counting.rooms, counting.open_to, strict=True):
            row = [0] * len(counting.sizes)
            for one in order[first : first + room]:
                row[cards[one]] += 1
            if any(had and not can for had, can in zip(row, may, strict=True)):
                break
            table.append(tuple(row))
            first += room
        else:
            found[tuple(table)] += 1
    return found


def some_counting(rng: Random) -> Counting:
    sizes: tuple[int, ...] = (9,)
    while sum(sizes) > 7:  # `deals` tries every order of the cards
        sizes = tuple(rng.randint(1, 3) for _ in range(rng.randint(1, 3)))
    rooms = [1]
    while sum(rooms) < sum(sizes):
        rooms.append(rng.randint(1, sum(sizes) - sum(rooms)))
    rooms[0] += sum(sizes) - sum(rooms)
    groups = [tuple(rng.random() < 0.7 for _ in sizes) for _ in rooms]
    return Counting(sizes, tuple(rooms), tuple(groups))


@pytest.mark.parametrize("seed", range(25))
def test_tables_are_counted_and_drawn_as_the_deals_they_stand_for(seed: int) -> None:
    counting = some_counting(Random(seed))
    every = deals(counting)
    orders = 1
    for room in counting.rooms:
        orders *= factorial(room)
    assert counting.deals * orders == every.total()
    if not every:
        assert counting.first is None
        return
    chance = Chance(seed)
    drawn: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for _ in range(300):
        split: Split | None = counting.first
        table = []
        while split is not None:
            row = split.chosen(chance)
            table.append(split.counts[row])
            split = split.then[row]
        drawn[tuple(table)] += 1
    assert set(drawn) <= set(every)
    limit = 4 * (300 * 0.25) ** 0.5
    for table_of, number in every.items():
        assert abs(drawn[table_of] - 300 * number / every.total()) < limit


def test_nothing_to_deal_is_one_deal() -> None:
    nothing = Counting((), (), ())
    assert (nothing.deals, nothing.first) == (1, None)
    room = Counting((), (1,), ((),))
    assert (room.deals, room.first) == (0, None)


def test_groups_come_in_an_order_that_leaves_little_open() -> None:
    own = [(True, False, True), (True, False, False)]
    other = [(False, True, True), (False, True, False)]
    order = in_good_order([9, 9, 1], [own[0], other[0], own[1], other[1]])
    assert set(order[:2]) in (set(own), set(other))
    assert len(order) == 4
