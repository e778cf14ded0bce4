"""Some of many items, so that the beginning and the rest are both represented."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def first_and_spread(items: Sequence[T], most: int) -> list[T]:
    """At most `most` items: half of them the first, the others spread over the rest.

    Their order is kept.
    """
    first, rest = items[: most // 2], items[most // 2 :]
    more = min(len(rest), most - len(first))
    return [*first, *(rest[place * len(rest) // more] for place in range(more))]
