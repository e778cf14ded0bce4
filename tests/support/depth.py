"""How many examples of a property a run tries.

What both modes run is tried in full where it is compiled, which is faster, and to a
third where it is interpreted and the compiled run follows.
"""

import os
from typing import Final

FOLLOWED: Final = "REFENGINE_COMPILED_RUN_FOLLOWS"
"""The variable by which tests/conftest.py says so, to its workers too."""


def depth(number: int) -> int:
    """This many examples, or a third where a run follows that tries all of them."""
    return -(-number // 3) if FOLLOWED in os.environ else number
