"""The number of examples that a test of a property tries.

A property tested in both modes gets all its examples in the compiled run, which is
faster. The interpreted run tries a third of them if the compiled run follows.
"""

import os
from typing import Final

FOLLOWED: Final = "REFENGINE_COMPILED_RUN_FOLLOWS"
"""Set by tests/conftest.py, for its workers as well, when a compiled run follows."""


def depth(number: int) -> int:
    """How many examples to try: `number`, or a third if a compiled run follows."""
    return -(-number // 3) if FOLLOWED in os.environ else number
