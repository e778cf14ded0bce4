"""How many examples of a property a run tries.

A property tested in both modes gets all its examples in the compiled run, which is
faster. The interpreted run tries a third of them if the compiled run follows.
"""

import os
from typing import Final

FOLLOWED: Final = "REFENGINE_COMPILED_RUN_FOLLOWS"
"""Set by tests/conftest.py, for its workers as well, when a compiled run follows."""


def depth(number: int) -> int:
    """This many examples, or a third if a run follows that tries all of them."""
    return -(-number // 3) if FOLLOWED in os.environ else number
