"""Make random traces of short games under any ruleset."""

from random import Random

from refengine.formats.generate import Manner, random_trace
from refengine.formats.trace import Trace
from tests.support.strategies import some_opening


def some_trace(rng: Random, longest: int = 60, irregular: float = 0.15) -> Trace:
    """A random trace of a short game, which may have revokes and refused acts."""
    state = some_opening(
        rng, **({"revokes": "penalised"} if rng.random() < 0.5 else {})
    )
    manner = Manner(irregular=irregular, refusals=3, most_acts=longest)
    return random_trace(state.ruleset, state.start, rng, manner)
