"""What is said where something cannot be read, or where the book refuses it."""

from collections.abc import Callable
from typing import Any

import pytest

from refengine import Malformed, Refused


def malformed(read: Callable[..., object], *given: object, **more: Any) -> Malformed:
    """The error in which reading this ends."""
    with pytest.raises(Malformed) as raised:
        read(*given, **more)
    return raised.value


def refused(do: Callable[..., object], *given: object, **more: Any) -> Refused:
    """The refusal in which doing this ends."""
    with pytest.raises(Refused) as raised:
        do(*given, **more)
    return raised.value
