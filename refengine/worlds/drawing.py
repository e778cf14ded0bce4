"""Drawing random deals that fit what a seat knows: first the cards, then the acts.

The cards are put in places where they may lie. Then the acts are replayed, and the deal
is kept if both its beginning and the acts agree with what was announced.
"""

from typing import Final, final

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, Mask
from refengine.chapters.table import MOON_DUE
from refengine.machine.core import Core
from refengine.machine.random_numbers import Chance, some_of
from refengine.worlds.deal_counts import Split
from refengine.worlds.dealing import Scheme
from refengine.worlds.retelling import Retold, retold


@final
class Group:
    """Places of a scheme in which the same cards may lie, and the sizes of these."""

    def __init__(self, places: list[int], sizes: list[int]) -> None:
        self.places: Final = places
        self.sizes: Final = sizes


@final
class Drawing:
    """A source of random deals that fit what one seat knows.

    `classes` holds the cards of each class, and `first` is the split of the first of
    the `groups`; see `Counting`. `leader` is the seat that leads first, or -1 before
    play and in a position as found. `acts` are the acts of play; `moon_due` says
    whether a shooter has to choose after them. `tried` counts the deals dealt so far,
    and `fitting` counts those that agree with everything that was announced.
    """

    def __init__(
        self,
        scheme: Scheme,
        classes: list[Mask],
        sizes: list[int],
        groups: list[Group],
        first: Split | None,
        leader: i64,
        acts: list[Retold],
        moon_due: bool,
    ) -> None:
        self.scheme: Final = scheme
        self.classes: Final = classes
        self.sizes: Final = sizes
        self.groups: Final = groups
        self.first: Final = first
        self.leader: Final = leader
        self.acts: Final = acts
        self.moon_due: Final = moon_due
        self.tried: i64 = 0
        self.fitting: i64 = 0

    def draw(self, chance: Chance, tries: i64) -> Core | None:
        """The match in a random deal that fits, every such deal being equally likely.

        Returns None if `tries` deals in a row do not fit.
        """
        while tries > 0:
            tries -= 1
            self.tried += 1
            core = self._tried(chance)
            if core is not None:
                self.fitting += 1
                return core
        return None

    def _tried(self, chance: Chance) -> Core | None:
        """The match in one random deal, or None if the deal does not fit."""
        lies = self.lies(chance)
        scheme = self.scheme
        if scheme.found is not None and scheme.position_broken(lies):
            return None
        core = scheme.begun(lies, chance)
        position = core.position
        leads = self.leader
        if leads >= 0 and position is not None and position.leader != leads:
            return None
        if not self.acts:
            return core
        now = retold(core, self.acts)
        if now is None or (now.phase == MOON_DUE) != self.moon_due:
            return None
        return now

    def lies(self, chance: Chance) -> list[Mask]:
        """Random cards for each place of the scheme, all of which may lie there."""
        lies = [EMPTY for _ in self.scheme.places]
        left = self.classes[:]
        sizes = self.sizes[:]
        split = self.first
        for group in self.groups:
            assert split is not None
            row = split.chosen(chance)
            pool = EMPTY
            among: i64 = 0
            for at, number in enumerate(split.counts[row]):
                given: i64 = number
                if given == 0:
                    continue
                size: i64 = sizes[at]
                among += given
                if given == size:
                    pool = Mask(pool | left[at])
                    left[at] = EMPTY
                else:
                    some = some_of(left[at], given, size, chance)
                    pool = Mask(pool | some)
                    left[at] = Mask(left[at] & ~some)
                sizes[at] = int(size - given)
            for at in range(len(group.places) - 1):
                room: i64 = group.sizes[at]
                some = some_of(pool, room, among, chance)
                lies[group.places[at]] = some
                pool = Mask(pool & ~some)
                among -= room
            lies[group.places[-1]] = pool
            split = split.then[row]
        return lies
