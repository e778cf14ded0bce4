"""Check that a call fails because of unreadable input or a refusal by the book."""

from collections.abc import Callable
from typing import Any

import pytest

from refengine import Malformed, Refused


def malformed(read: Callable[..., object], *given: object, **more: Any) -> Malformed:
    """The `Malformed` error that calling `read` with these arguments must raise."""
    with pytest.raises(Malformed) as raised:
        read(*given, **more)
    return raised.value


def refused(do: Callable[..., object], *given: object, **more: Any) -> Refused:
    """The `Refused` error that calling `do` with these arguments must raise."""
    with pytest.raises(Refused) as raised:
        do(*given, **more)
    return raised.value
