"""The errors raised where something cannot be read, or where the book refuses it."""

from collections.abc import Callable
from typing import Any

import pytest

from refengine import Malformed, Refused


def malformed(read: Callable[..., object], *given: object, **more: Any) -> Malformed:
    """The error that reading this must raise."""
    with pytest.raises(Malformed) as raised:
        read(*given, **more)
    return raised.value


def refused(do: Callable[..., object], *given: object, **more: Any) -> Refused:
    """The refusal that doing this must raise."""
    with pytest.raises(Refused) as raised:
        do(*given, **more)
    return raised.value
