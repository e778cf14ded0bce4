"""Seeded random cuts, deals and mixes, and the games that begin with them."""

from hashlib import sha256
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from refengine.chapters.cards import (
    EMPTY,
    Mask,
    card_at,
    count,
    lowest,
    number_of,
)
from refengine.chapters.deal import hand_size, kitty_size, match_pack, stock_size
from refengine.chapters.passing import cycle_at_table, mix_pile
from refengine.chapters.settings import Rules
from refengine.chapters.table import CUTTING, DEALING, MIXING
from refengine.learning.fast.choices import seat_to_choose
from refengine.machine.core import Core, DealStart
from refengine.machine.due import left_to_cut
from refengine.machine.judging import packets_of
from refengine.machine.opening import open_match, open_setup
from refengine.machine.playouts import nth
from refengine.machine.random_numbers import Chance
from refengine.machine.stepping import after_cut, after_deal, after_mix

ANY_DEAL: Final = 0  # in place of the number of a deal, which counts from 1
_WRITTEN: Final = 2048  # seeds of more bits than this are written in hexadecimal


def chance_of(seed: int, table: int) -> Chance:
    """The source of chance for this seed at this table, both numbers being 0 or more.

    Each table has its own source, so what happens at one table does not affect another.
    """
    # Python may refuse to write a number of more than 640 decimal digits.
    written = hex(seed) if seed >> _WRITTEN else str(seed)
    digest = sha256(f"{written} {table}".encode()).digest()
    return Chance(int.from_bytes(digest[:8], "little"))


@final
class Dealing:
    """Cards as the dealer gives them: hands by seat, stock (top first) and kitty."""

    def __init__(
        self, hands: tuple[Mask, ...], stock: tuple[int, ...], kitty: Mask
    ) -> None:
        self.hands: Final = hands
        self.stock: Final = stock
        self.kitty: Final = kitty


def shuffled(cards: Mask, chance: Chance) -> vec[i64]:
    """The numbers of these cards in the order of `shuffled_numbers`, as a vector.

    A vector halves the time to deal.
    """
    size = count(cards)
    order = vec[i64]([0] * int(size))
    place: i64 = 0
    rest = cards
    while rest:
        order[place] = number_of(lowest(rest))
        rest = Mask(rest & (rest - 1))
        place += 1
    last = size - 1
    while last > 0:
        place = chance.below(last + 1)
        number = order[last]
        order[last] = order[place]
        order[place] = number
        last -= 1
    return order


def _some(order: vec[i64], begin: i64, end: i64) -> Mask:
    """The cards of a shuffled pack from index `begin` to just before index `end`."""
    cards = EMPTY
    while begin < end:
        cards = Mask(cards | card_at(order[begin]))
        begin += 1
    return cards


def dealing(rules: Rules, pack: Mask, named: bool, chance: Chance) -> Dealing:
    """A random deal of this pack, with hands, stock and kitty sized as in chapter 3."""
    size = hand_size(rules, pack, named)
    dealt = size * rules.players
    order = shuffled(pack, chance)
    hands: list[Mask] = []
    for seat in range(rules.players):
        hands.append(_some(order, size * seat, size * (seat + 1)))
    stocked = dealt + stock_size(rules, pack, dealt)
    stock = tuple([int(order[place]) for place in range(dealt, stocked)])
    left = stocked + kitty_size(rules, pack, dealt)
    return Dealing(tuple(hands), stock, _some(order, stocked, left))


def card_cut(core: Core, chance: Chance) -> int:
    """The number of a card drawn at random by the next seat in the cut."""
    left = left_to_cut(core)
    return number_of(nth(left, chance.below(count(left))))


def mixing(core: Core, chance: Chance) -> Dealing:
    """The cards of the mix, shuffled and dealt back.

    They go to the hands and, if it was mixed in, to the kitty. The stock of the result
    is empty, since a mix gives nothing to the stock.
    """
    packets = packets_of(core)
    pile = mix_pile(core.rules, packets, core.dealt.kitty)
    order = shuffled(pile, chance)
    hands: list[Mask] = []
    given: i64 = 0
    for packet in packets:
        end = given + count(packet.cards)
        hands.append(_some(order, given, end))
        given = end
    return Dealing(tuple(hands), (), _some(order, given, count(pile)))


@final
class SingleDeal:
    """A single deal: its dealer, its number in a match, and its cards."""

    def __init__(self, dealer: i64, number: i64, cards: Dealing) -> None:
        self.dealer: Final = dealer
        self.number: Final = number
        self.cards: Final = cards


def single_deal(rules: Rules, number: i64, chance: Chance) -> SingleDeal:
    """A single deal with a random dealer and random cards.

    Its number is `number`; if that is ANY_DEAL, the number is chosen at random among
    those of the first pass cycle.
    """
    dealer = chance.below(rules.players)
    if number == ANY_DEAL:
        number = 1 + chance.below(max(1, len(cycle_at_table(rules))))
    pack = match_pack(rules, EMPTY)
    return SingleDeal(dealer, number, dealing(rules, pack, False, chance))


def begun(rules: Rules, is_match: bool, number: i64, chance: Chance) -> Core:
    """A new match or single deal, advanced to the first decision that a player makes.

    Any cut and deal that come before this decision are made at random.
    """
    if is_match:
        return after_chance(open_match(rules, EMPTY, -1), chance)
    single = single_deal(rules, number, chance)
    cards = single.cards
    sheet = DealStart(single.dealer, single.number, (0,) * rules.players, False)
    return open_setup(rules, sheet, cards.hands, cards.stock, cards.kitty)


def after_chance(core: Core, chance: Chance) -> Core:
    """The match after every cut, deal and mix that is due has been made at random.

    It goes on until a player has a decision to make or the match is over.
    """
    while True:
        if core.phase == CUTTING:
            core = after_cut(core, seat_to_choose(core), card_cut(core, chance))
        elif core.phase == DEALING:
            cards = dealing(core.rules, core.pack, core.named, chance)
            core = after_deal(core, cards.hands, cards.stock, cards.kitty)
        elif core.phase == MIXING:
            cards = mixing(core, chance)
            core = after_mix(core, cards.hands, cards.kitty)
        else:
            return core
