"""Prints whole deals of 52 cards as traces, for engines that cannot play smaller ones.

`refengine conform full-deals NUMBER` prints the given number of deals, the same every
time. The play is random but legal; the deals go through the combinations of OpenSpiel's
parameters and the directions of the pass. The traces record the legal sets, acts that
must be refused, and what can be seen after every act.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random

import attrs

from refengine.formats.trace import Trace, trace_id, write_trace
from refengine.game.setups import Setup
from refengine.game.values.cardset import CARDS, CardSet
from refengine.game.values.state import State
from refengine_conformance.generators.strategies import recorded, some_script
from refengine_conformance.jobs.tool_arguments import ToolArguments, positive
from refengine_conformance.openspiel.deals import (
    COMBINATIONS,
    SEED,
    game_parameters,
    pass_directions,
    ruleset_like_parameters,
)


def full_deals(number: int) -> Iterator[Trace]:
    """The given number of deals, with different parameters and pass directions.

    Among the first 1024, all combinations of parameters occur with each direction that
    they allow.
    """
    for place in range(number):
        rng = Random(SEED + place)
        # An odd factor reaches every combination, starting with some far apart.
        combination = place * 101 % COMBINATIONS
        ways = pass_directions(game_parameters(combination))
        way = ways[(place // COMBINATIONS + place) % len(ways)]
        cards = list(CARDS)
        rng.shuffle(cards)
        hands = tuple(CardSet(cards[seat::4]) for seat in range(4))
        setup = Setup(dealer=rng.randrange(4), deal=1, hands=hands)
        state = State.open(ruleset_like_parameters(combination, way), setup)
        trace = recorded(some_script(rng, state))
        yield attrs.evolve(trace, id=trace_id(trace))


def main(arguments: list[str] | None = None) -> int:
    """Print the given number of deals, and return the exit status."""
    parser = ToolArguments(prog="refengine conform full-deals", description=__doc__)
    parser.add_argument("number", type=positive, metavar="NUMBER")
    for trace in full_deals(parser.parse_args(arguments).number):
        sys.stdout.buffer.write(write_trace(trace) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
