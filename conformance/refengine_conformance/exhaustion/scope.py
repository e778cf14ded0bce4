"""Determines what exhaustion walks: rulesets, sizes of deals, and packs of a few cards.

A `DealShape` is a ruleset with the sizes of its deals. Shapes of one size whose plays
and draws have the same effect form a `Family`: they are walked together, and each
position carries the set of rulesets that reach it. Plays, draws and the opening leader
depend only on the options in `TRANSITION`, as `refengine_conformance.proofs` proves,
except in deals in which it matters who wins a kitty or which cards count
(`transition_options`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Final

import attrs

from refengine.chapters.cards import EMPTY, QUEEN, Mask, cards_in
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine.lawbook import book
from refengine.lawbook.options import BY_NAME, Value
from refengine.lawbook.profiles import profile, profile_names
from refengine.machine.notation import (
    CARD_TEXTS,
    read_sequence,
    write_sequence,
    write_set,
)

PACK: Final = read_sequence("2C 3C AC 2D JD 2S QS KS AS 2H 3H AH")
# Not taken from the machine: the walk checks the order of the machine's table.
NARROWING: Final = ("5.2", "5.3", "5.4", "5.5", "5.5b", "5.6")
DRAWING: Final = ("6.1", "6.2")
DECIDING: Final = ("1.4", *NARROWING, "5.9a", *DRAWING)
TRANSITION: Final = (
    "direction",
    "opening_leader",
    "queen_breaks_hearts",
    "deal_ends",
)
PENALTY: Final = ("heart_points", "queen_points", "king_points", "ace_points")
SCORING: Final = (
    *PENALTY,
    "bonus_card",
    "moon",
    "moon_needs_bonus",
    "sun_points",
    "no_trick_points",
    "deal_ends",
)
OPTIONS: Final = "options"  # the label of rulesets made up of option values
_BAR_MEETS_DUTY: Final[dict[str, Value]] = {
    "first_trick_points": "barred",
    "queen_duty": "when_safe",
    "queen_points": 0,
}
_SETTLED: Final = (("opening_leader", "lowest_club"), ("revokes", "rejected"))
_ORDERS: Final = tuple(
    read_sequence(text) for text in ("2C 3C AC", "2D JD", "2H 3H AH")
)
_SPADES: Final = read_sequence("2S KS AS")
_QUEEN: Final = int(QUEEN).bit_length() - 1
_ANY_NUMBER: Final = 7  # of points: all that matters is that it is not 0
_COSTLY: Final[tuple[tuple[str, Value], ...]] = (
    ("heart_points", "face"),
    ("king_points", _ANY_NUMBER),
    ("ace_points", _ANY_NUMBER),
)
_COSTLY_SPADES: Final = tuple(
    zip(("king_points", "ace_points"), read_sequence("KS AS"), strict=True)
)
_JACK: Final = read_sequence("JD")
_FACES: Final = read_sequence("2H 3H AH")
_DEALS_IN_UNIT: Final = 20_000  # roughly

Options = tuple[tuple[str, Value], ...]
Cards = tuple[int, ...]


@attrs.frozen
class DealShape:
    """A ruleset and the sizes of its deals: of each hand, the stock and the kitty."""

    profile: str
    players: int
    options: Options
    size: int
    stock: int = 0
    kitty: int = 0

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of these deals."""
        return Ruleset(self.profile, self.players, dict(self.options))

    @property
    def is_scored(self) -> bool:
        """Whether the past of these deals is always kept, to check their scores."""
        ends_early = self.ruleset.options["deal_ends"] == "no_points_left"
        return self.size == 1 or ends_early

    @property
    def label(self) -> str:
        """The profile's name; `options` if all options read at a decision are given."""
        made = dict(self.options).keys() >= {*deciding_options()}
        return OPTIONS if made else self.profile

    @property
    def sizes(self) -> str:
        """The sizes as one word: players, cards a hand, and a stock or a kitty.

        For example, `3x2+1` has a stock of one card, and `3x2+k1` a kitty of one.
        """
        talon = f"+{self.stock}" if self.stock else f"+k{self.kitty}" * bool(self.kitty)
        return f"{self.players}x{self.size}{talon}"

    @property
    def cards(self) -> int:
        """The number of cards in play."""
        return self.players * self.size + self.stock + self.kitty

    def __str__(self) -> str:
        changed = " ".join(f"{name}={value}" for name, value in self.options)
        return f"{self.profile} {self.sizes} {changed}".strip()


@attrs.frozen
class Family:
    """Shapes with the same sizes in which every play and draw has the same effect.

    `named` are the cards that score by name or rank (`named_cards`).
    """

    transition: Options
    named: Cards
    shapes: tuple[DealShape, ...]

    @property
    def one_shape(self) -> DealShape:
        """One of the shapes, from which the sizes of the deals are read."""
        return self.shapes[0]

    def __str__(self) -> str:
        words = [f"{name}={value}" for name, value in self.transition]
        words += [f"named={CARD_TEXTS[card]}" for card in self.named]
        return f"{self.one_shape.sizes} {' '.join(words)} {len(self.shapes)} rulesets"


@attrs.frozen
class SmallDeal:
    """The cards of one deal: the hands, and any stock (top card first) or kitty."""

    hands: tuple[Mask, ...]
    stock: Cards = ()
    kitty: Mask = EMPTY

    def __str__(self) -> str:
        """The deal in the notation of the book."""
        text = f"hands {' | '.join(write_set(hand) for hand in self.hands)}"
        text += f"; stock {write_sequence(self.stock)}" if self.stock else ""
        return text + (f"; kitty {write_set(self.kitty)}" if self.kitty else "")


@attrs.frozen
class Unit:
    """A piece of work: the deals of a family whose packs belong to this part.

    If `whole`, all packs and all dealers are walked, and the past is never forgotten.
    """

    family: Family
    part: int
    parts: int
    whole: bool

    def __str__(self) -> str:
        return f"{self.family} {self.part + 1}/{self.parts}{' whole' * self.whole}"


# Which deals


def lowest_equal_cards(
    cards: Sequence[int], named: Collection[int] = ()
) -> dict[int, int]:
    """For each of these cards, the card that replaces it in plain form.

    `cards` are the cards in play. In each suit, they are replaced by the lowest cards
    of the pack, in the same order; if the queen of spades is in play, this is done
    separately for the spades below and above her. If a suit, or such a part of it,
    contains a card in `named` (`named_cards`), none of its cards is replaced.
    """
    held = set(cards)
    orders = [*_ORDERS, _SPADES]
    if _QUEEN in held:
        orders = [*_ORDERS, _SPADES[:1], _SPADES[1:]]
    forms = {_QUEEN: _QUEEN} if _QUEEN in held else {}
    for order in orders:
        present = [card for card in order if card in held]
        alike = present if any(card in named for card in order) else order
        forms |= dict(zip(present, alike, strict=False))
    assert forms.keys() == held, "cards that are not of the pack of twelve"
    return forms


def is_plain_pack(pack: Sequence[int], named: Collection[int] = ()) -> bool:
    """Whether `lowest_equal_cards` leaves all cards of this pack as they are."""
    forms = lowest_equal_cards(pack, named)
    return all(card == form for card, form in forms.items())


def packs_to_walk(family: Family, whole: bool) -> list[Cards]:
    """The packs to walk for a family: all of its size if `whole`, or the plain ones."""
    chosen = combinations(PACK, family.one_shape.cards)
    return [pack for pack in chosen if whole or is_plain_pack(pack, family.named)]


def deals_of_pack(shape: DealShape, pack: Cards) -> Iterator[SmallDeal]:
    """Every way to deal these cards in the sizes of the shape."""
    for hands, rest in _hands(shape.players, shape.size, pack):
        if shape.stock:
            for stock in permutations(rest):
                yield SmallDeal(hands, stock)
        else:
            yield SmallDeal(hands, kitty=cards_in(rest))


def _hands(
    players: int, size: int, cards: Cards
) -> Iterator[tuple[tuple[Mask, ...], Cards]]:
    """Every way to deal hands of this size, with the cards that are left over."""
    if players == 0:
        yield (), cards
        return
    for hand in combinations(cards, size):
        rest = tuple(card for card in cards if card not in hand)
        for others, left in _hands(players - 1, size, rest):
            yield (cards_in(hand), *others), left


# Which rulesets


def deciding_options() -> tuple[str, ...]:
    """The options that are read by the clauses consulted at a decision."""
    named = [name for number in DECIDING for name in book.clause(number).options]
    return tuple(dict.fromkeys(named))


def values_to_walk(name: str) -> tuple[Value, ...]:
    """The values to walk of an option: every word, both flags, or two numbers.

    One of the numbers is the base value; the other is 0 or, if the base value is 0,
    another number. All that matters about them is whether they are 0. An option with
    numbers may have words, too, which are also walked.
    """
    option = BY_NAME[name]
    if isinstance(option.base, bool):
        return (False, True)
    if option.least is None:
        return option.words
    return (option.base, _ANY_NUMBER if option.base == 0 else 0, *option.words)


def may_interact(first: tuple[str, Value], second: tuple[str, Value]) -> bool:
    """Whether two values together may change a decision as neither does alone.

    At a decision, only 5.5 reads what a card costs, and only if it bars points, as
    `refengine_conformance.proofs` proves, so a value in `_COSTLY` has to be combined
    only with barred points. Even so, every pair of values of heart_points and
    queen_points is walked, except for hearts that cost their face.
    """
    return all(
        one not in _COSTLY
        or other == ("first_trick_points", "barred")
        or other[1] == BY_NAME[other[0]].base
        for one, other in ((first, second), (second, first))
    )


def option_pairs_to_walk() -> list[Options]:
    """All pairs of values of two options read at a decision, the others at their base.

    Pairs that cannot interact are left out (`may_interact`). The three values without
    which 5.5 and 5.6 never meet are also walked together.
    """
    bases = _bases()
    found: dict[Options, None] = {}
    for first, second in combinations(bases, 2):
        for one in values_to_walk(first):
            for other in values_to_walk(second):
                if may_interact((first, one), (second, other)):
                    values = bases | {first: one, second: other}
                    found[tuple(values.items())] = None
    found[tuple((bases | _BAR_MEETS_DUTY).items())] = None
    return list(found)


def _bases() -> dict[str, Value]:
    """The options that are read at a decision, each with its base value."""
    return {name: BY_NAME[name].base for name in deciding_options()}


def early_ends_to_walk() -> list[Options]:
    """Rulesets whose deals may end early, with at most one other option changed.

    That option is the direction, the bonus card (which affects when the deal ends) or
    an option that is read at a decision (which affects what is played).
    """
    names = (*deciding_options(), "bonus_card", "direction")
    early = _bases() | {"deal_ends": "no_points_left"}
    return _each_change(early, names)


def kitties_to_walk() -> list[Options]:
    """Rulesets with a kitty, for each value of `kitty_to`.

    In each of them, at most one option that is read at a decision is changed.
    """
    found: list[Options] = []
    for to in values_to_walk("kitty_to"):
        context = _bases() | {"kitty_to": to, "undealt": "kitty", "moon": "none"}
        found += _each_change(context, deciding_options())
    return found


def scores_to_walk() -> list[Options]:
    """A ruleset with a moon and a bonus card, and others made from it.

    In each of the others, one or two scoring options are changed, which may be the moon
    and the bonus card themselves. Rulesets that the book refuses are left out.
    """
    context = _bases() | {"moon": "self_minus", "bonus_card": "JD"}
    changes = _changes(context, SCORING)
    found = [tuple(context.items())]
    for number in (1, 2):
        for some in combinations(changes, number):
            if len(dict(some)) == number:
                found.append(tuple((context | dict(some)).items()))
    return [options for options in found if not _is_refused(options)]


def _changes(
    context: Mapping[str, Value], names: Iterable[str]
) -> list[tuple[str, Value]]:
    """Each of these options, paired with each value to walk but that of the context."""
    return [
        (name, value)
        for name in names
        for value in values_to_walk(name)
        if value != context.get(name, BY_NAME[name].base)
    ]


def _each_change(context: Mapping[str, Value], names: Iterable[str]) -> list[Options]:
    """The context unchanged, and then with each single change of these options."""
    return [
        tuple(context.items()),
        *[
            tuple((dict(context) | {name: value}).items())
            for name, value in _changes(context, names)
        ],
    ]


def _plays_as_usual(options: Options) -> bool:
    """Whether the options for card costs and for breaking hearts have base values."""
    return all(
        BY_NAME[name].base == value or name not in (*PENALTY, "queen_breaks_hearts")
        for name, value in options
    )


def _is_refused(options: Options) -> bool:
    """Whether the book refuses these options, as it does a moon without penalties."""
    try:
        Ruleset("pokerwiner-hearts", 2, dict((*options, *_SETTLED)))
    except Refused:
        return True
    return False


def deal_shapes(deep: bool) -> list[DealShape]:
    """All shapes to walk: rulesets of every kind, each with the sizes of its deals.

    If `deep`, profiles are also walked with two cards a hand at four seats.
    """
    found: list[DealShape] = []
    for name in profile_names():
        found += _of_profile(name, deep)
    for options in option_pairs_to_walk():
        found += _of_pair(options)
    for options in early_ends_to_walk():
        found += _with_deals(options, "pokerwiner-hearts", ((2, 2), (2, 3)))
    for options in kitties_to_walk():
        sizes = ((1, 3), (2, 3)) if _plays_as_usual(options) else ((1, 3),)
        found += _with_deals(options, "estmesh-hearts", sizes, kitty=1)
    for options in scores_to_walk():
        found += _with_deals(options, "pokerwiner-hearts", ((1, 2), (1, 3), (1, 4)))
    return found


def _of_profile(name: str, deep: bool) -> Iterator[DealShape]:
    """The shapes of a profile, with hands of one and of two cards.

    If the profile can have a stock or a kitty, there are shapes with one. If `deep`,
    hands of two cards are also dealt at four seats.
    """
    base = profile(name)
    stock = base.options["undealt"] == "stock"
    for size, wanted in ((1, (2, 3, 4)), (2, (2, 3, 4) if deep else (2, 3))):
        tables = [seats for seats in wanted if seats in base.players]
        for seats in tables or [min(base.players)]:
            for left in range(3 if stock else 1):
                yield DealShape(name, seats, (), size, stock=left)
    if base.players_with_kitty != base.players:
        kitty: Options = (("undealt", "kitty"),)
        for size in (1, 2):
            for left in range(3):
                yield DealShape(name, 3, kitty, size, kitty=left)


def _with_deals(
    options: Options, name: str, sizes: Iterable[tuple[int, int]], kitty: int = 0
) -> Iterator[DealShape]:
    """A shape with these options for each pair in `sizes`: cards a hand, and seats."""
    for size, seats in sizes:
        yield DealShape(name, seats, (*options, *_SETTLED), size, kitty=kitty)


def _of_pair(options: Options) -> Iterator[DealShape]:
    """The shapes for walking a pair of option values, with and without a stock."""
    plain: Options = (*options, *_SETTLED)
    stocked: Options = (
        *plain,
        ("undealt", "stock"),
        ("hand_size", 6),
        ("removal", "none"),
    )
    for size, seats in ((1, 2), (1, 3), (2, 2), (2, 3)):
        yield DealShape("pokerwiner-hearts", seats, plain, size)
        for stock in (1, 2):
            yield DealShape("pokerwiner-hearts", seats, stocked, size, stock=stock)


# Work


def transition_options(shape: DealShape) -> Options:
    """The values of the options that determine the effect of plays and draws.

    For an option in `PENALTY`, only whether its value differs from 0 is returned.
    """
    options = shape.ruleset.options
    names: tuple[str, ...] = TRANSITION
    if shape.kitty:
        names += ("kitty_to",)
        names += PENALTY if options["kitty_to"] == "first_points" else ()
    if options["deal_ends"] == "no_points_left":
        names += ("bonus_card", *PENALTY)
    return tuple(
        (name, options[name] != 0 if name in PENALTY else options[name])
        for name in names
    )


def named_cards(shape: DealShape) -> Cards:
    """The cards that score by name or rank, so that lower cards cannot replace them.

    They are the king and the ace of spades if they cost points and, in deals that are
    scored, the jack of diamonds if it is the bonus card, and hearts if they cost their
    face.
    """
    options = shape.ruleset.options
    named = [card for name, card in _COSTLY_SPADES if options[name]]
    if shape.is_scored:
        named += _JACK if options["bonus_card"] == "JD" else ()
        named += _FACES if options["heart_points"] == "face" else ()
    return tuple(named)


def group_into_families(chosen: Iterable[DealShape]) -> list[Family]:
    """Group shapes into families, each of which can be walked as one."""
    found: dict[tuple[str, Options, Cards], list[DealShape]] = {}
    for shape in chosen:
        alike = (shape.sizes, transition_options(shape), named_cards(shape))
        found.setdefault(alike, []).append(shape)
    return [
        Family(transition, named, tuple(own))
        for (_, transition, named), own in found.items()
    ]


def split_into_units(chosen: Iterable[DealShape], whole: bool) -> list[Unit]:
    """Divide the walks into units of roughly 20,000 deals, the largest first."""
    found: list[tuple[int, Unit]] = []
    for family in group_into_families(chosen):
        all_packs = packs_to_walk(family, whole)
        number = len(all_packs) * sum(
            1 for _ in deals_of_pack(family.one_shape, all_packs[0])
        )
        parts = max(1, min(len(all_packs), round(number / _DEALS_IN_UNIT)))
        for part in range(parts):
            found.append((number // parts, Unit(family, part, parts, whole)))
    found.sort(key=lambda one: -one[0])
    return [unit for _, unit in found]
