"""Measure how many deals tried for a seat's record turn out to fit all of it.

`python -m tests.support.acceptance RECORDS` prints the worst records, the number
of records for which no deal was rejected, and the time.
"""

import sys
from collections.abc import Iterator
from random import Random
from time import process_time

import attrs

from refengine import Malformed, Match, Refused, Ruleset, State, profile_names
from refengine.lawbook.profiles import profile
from refengine.worlds.sampling import Worlds
from refengine.worlds.seat_record import SeatRecord
from refengine_conformance.generators.strategies import some_ruleset, something_wild

WORLDS = 20


@attrs.frozen
class Acceptance:
    """The fraction of deals tried that fitted a record, with the seed of the record."""

    share: float
    seed: int
    ruleset: Ruleset
    seconds: float


def some_moment(rng: Random) -> State:
    """A random state of a match with the whole pack, in which some seat holds cards.

    Half of the rulesets are profiles of the book, and half have options changed. In a
    third of the games that accept revokes, some are made, corrected and claimed.
    """
    while True:
        name = rng.choice(profile_names())
        changed = rng.random() < 0.5
        try:
            if changed:
                ruleset = some_ruleset(rng, name, rng.randint(1, 4))
            else:
                ruleset = Ruleset(name, rng.choice(profile(name).players))
            state = State.open(ruleset, Match(dealer=0))
        except (Malformed, Refused):
            continue
        wild = rng.choice((0.0, 0.0, 0.1))
        for _ in range(rng.randint(1, 90)):
            act = something_wild(rng, state, wild) or state.random_act(rng)
            after = state.apply(act)
            if after.over:
                break
            state = after
        if state.core.dealt.hands:
            return state


def acceptances(number: int) -> Iterator[Acceptance]:
    """The results for this many random records, whose seeds are 0, 1, 2 and so on."""
    for seed in range(number):
        rng = Random(seed)
        state = some_moment(rng)
        record = SeatRecord.of(state, rng.randrange(state.ruleset.players))
        begun = process_time()
        worlds = Worlds(record)
        worlds.draw(WORLDS, seed)
        drawing = worlds.drawing
        share = int(drawing.fitting) / int(drawing.tried)
        yield Acceptance(share, seed, state.ruleset, process_time() - begun)


def main(number: int) -> None:
    """Print the worst and the slowest of this many records, and the total time."""
    found = sorted(acceptances(number), key=lambda one: one.share)
    whole = sum(one.share == 1 for one in found)
    print(f"{number} records, {WORLDS} worlds each")
    print(
        f"no deal in vain in {whole}; seconds {sum(one.seconds for one in found):.1f}"
    )
    for one in found[:5]:
        print(f"{one.share:.4f} seed {one.seed} {one.ruleset!r}")
    slowest = max(found, key=lambda one: one.seconds)
    print(f"slowest: {slowest.seconds:.3f} s, seed {slowest.seed} {slowest.ruleset!r}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
