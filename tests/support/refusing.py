"""What is said where something cannot be read."""

from collections.abc import Callable

import pytest

from refengine import Malformed


def malformed(read: Callable[..., object], *given: object) -> Malformed:
    """The error in which reading this ends."""
    with pytest.raises(Malformed) as raised:
        read(*given)
    return raised.value
