"""Make rulesets in which options are changed, at least one of them new in edition 1.1.

The second engine alone decides whether the book allows them.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from refengine import OPTIONS, Card, Match, Option, Ruleset, Setup, card, profile
from refengine.game.values.cardset import CardSet
from tests.support.oracle import PACK
from tests.support.oracle_openings import matter, needed_to_pass, ruleset_broken
from tests.support.second_opinion import options_of

HOST = "pokerwiner-hearts"  # it allows every number of players from 2 to 13
Change = tuple[str, Any]
Options = dict[str, Any]

NEW: tuple[Change, ...] = (
    ("removal", "lowest_no_hearts"),
    ("queen_waits", "lead"),
    ("queen_waits", "play"),
    ("kitty_to", "first_trick"),
    ("kitty_to", "last_trick"),
    ("deal_ends", "no_points_left"),
    ("heart_points", "face"),
    ("king_points", 10),
    ("ace_points", 7),
    ("moon_needs_bonus", True),
    ("queen_points", 0),  # with ruling 40 a moon of hearts only
)
NUMBERS: dict[str, tuple[object, ...]] = {
    "hand_size": (1, 2, 3, 13, 17, 26),
    "pass_count": (1, 2),
    "heart_points": (0, 2),
    "queen_points": (0, 5),
    "king_points": (10, 1),
    "ace_points": (7, 1),
    "bonus_points": (0, 5, -1),
    "sun_points": (52, 7),
    "no_trick_points": (-5, 3),
    "revoke_points": (5,),
    "limit": (5, 14, 30),
    "exact_limit_becomes": (0, 13, -20),
    "deals": (2,),
}
CYCLES = (["left", "across"], ["right"], ["scatter", "hold"], ["mix"], ["mix", "left"])
MOONS = ("choice_all", "choice_one", "self_minus", "others_plus")
UNSEEN = ["left", "right"]
NEEDS: dict[str, Options] = {
    "kitty_to": {"undealt": "kitty"},
    "mix_kitty": {"undealt": "kitty", "pass_cycle": ["mix"]},
    "pass_count": {"pass_cycle": UNSEEN},
    "pass_unseen": {"pass_cycle": UNSEEN},
    "moon_needs_bonus": {"bonus_card": "JD", "moon": "others_plus"},
    "bonus_points": {"bonus_card": "TD"},
    "sun_points": {"moon": "others_plus"},
    "survivor_takes_stock": {"undealt": "stock", "hand_size": 2},
    "no_survivor_stock": {"undealt": "stock", "hand_size": 2},
    "all_hearts_leader": {"undealt": "stock", "hand_size": 2},
    "revoke_until": {"revokes": "penalised"},
    "revoke_points": {"revokes": "penalised"},
    "revoke_ends_deal": {"revokes": "penalised"},
    "limit_rule": {"limit": 14},
    "exact_limit_becomes": {"limit": 14},
    "ties": {"limit": 5},
    "opening_leader": {"opening_card": "any"},
    "deal_ends": {"undealt": "none"},
    "removal": {"undealt": "none"},
}
TRIES = 60


def values_of(option: Option) -> list[Any]:
    """The values of an option, except its base value."""
    if isinstance(option.base, bool):
        return [not option.base]
    if isinstance(option.base, tuple):
        return list(CYCLES)
    values = [*option.words, *NUMBERS.get(option.name, ())]
    return [value for value in values if value != option.base]


def pairs() -> Iterator[tuple[Change, Change]]:
    """Every new change with itself, and with every change of any other option."""
    for number, new in enumerate(NEW):
        yield new, new
        for option in OPTIONS:
            for value in values_of(option):
                other = (option.name, value)
                if option.name != new[0] and other not in NEW[:number]:
                    yield new, other


def some_options(rng: Random, *firm: Change, share: float = 0.15) -> Options:
    """Options with the changes `firm`, mostly with what they need, and random changes.

    Any option may be changed with the probability `share`; the moon and the revokes
    vary in any case.
    """
    options: Options = {
        option.name: list(option.base)
        if isinstance(option.base, tuple)
        else option.base
        for option in OPTIONS
    }
    options["revokes"] = rng.choice(["rejected", "penalised", "penalised"])
    options["revoke_until"] = rng.choice(
        ["trick_complete", "trick_quitted", "next_lead"]
    )
    options["moon"] = rng.choice(["none", *MOONS])
    for option in OPTIONS:
        if rng.random() < share:
            options[option.name] = rng.choice(values_of(option))
    for name, _ in firm:
        options |= NEEDS.get(name, {}) if rng.random() < 0.9 else {}
    return options | dict(firm)


def some_players(rng: Random) -> int:
    """A number of players, mostly small."""
    return rng.choice([2, 2, 3, 3, 4, 4, 4, 5, 6, 7, 9, 13])


def some_pair(rng: Random, *firm: Change) -> Ruleset | None:
    """A ruleset with these changes that the book allows; None if none was found."""
    allowed = list(profile(HOST).players)
    for _ in range(TRIES):
        options = some_options(rng, *firm)
        players = some_players(rng)
        odd = 52 % players and options["undealt"] == "none"
        if odd and "removal" not in dict(firm):
            options["removal"] = rng.choice(["lowest", "lowest_no_hearts"])
        if not ruleset_broken(options, players, allowed):
            return Ruleset(HOST, players, options)
    return None


def small_pack(rng: Random, options: Options, size: int) -> list[Card]:
    """This many cards in random order, with a varying proportion that count."""
    dear = sorted(matter(options))
    cheap = [one for one in PACK if one not in dear]
    if rng.random() < 0.5:  # two suits, and what costs something
        suits = rng.sample("CDS", 2)
        cheap.sort(key=lambda one: one[1] not in suits)
        cheap = cheap[: max(13, size)]
    share = rng.choice([0.05, 0.2, 0.5, 0.9])
    chosen = ["QS"] if rng.random() < 0.4 else []
    chosen += rng.sample(["2H", "9H", "AH"], rng.randint(0, 2))
    if rng.random() < 0.4:  # few points, and so a moon now and then
        chosen = ["2H", "QS", *rng.sample(dear, min(len(dear), rng.randint(0, 1)))]
        chosen += [one for one in ("KS", "AS") if one in dear and rng.random() < 0.5]
        share = 0
    if options["bonus_card"] != "none" and rng.random() < 0.7:
        chosen.append(options["bonus_card"])
    chosen = list(dict.fromkeys(chosen))[:size]
    while len(chosen) < size:
        pile = dear if rng.random() < share else cheap
        left = [one for one in pile if one not in chosen]
        chosen.append(rng.choice(left or [o for o in PACK if o not in chosen]))
    return [card(one) for one in rng.sample(chosen, size)]


def some_small_deal(rng: Random, ruleset: Ruleset) -> Setup:
    """A random deal of few cards, which may still be too few for the pass."""
    options, players = options_of(ruleset), ruleset.players
    size = max(rng.randint(1, 5), needed_to_pass(options, players))
    size = min(size, 52 // players)
    room = 52 - size * players
    beside = 0 if options["undealt"] == "none" else min(room, rng.randint(0, 4))
    cards = small_pack(rng, options, size * players + beside)
    rest = cards[size * players :]
    return Setup(
        dealer=rng.randrange(players),
        deal=rng.randint(1, 4),
        totals=[rng.choice([0, 0, 1, 4, 12, 13, 29]) for _ in range(players)],
        hands=[CardSet(cards[size * s : size * s + size]) for s in range(players)],
        stock=rest if options["undealt"] == "stock" else (),
        kitty=CardSet(rest if options["undealt"] == "kitty" else ()),
        limit_reached=options["ties"] == "play_on" and rng.random() < 0.2,
    )


def some_small_match(rng: Random, ruleset: Ruleset) -> Match:
    """A match with a small pack, which may not fit the hand size or the passes."""
    options, players = options_of(ruleset), ruleset.players
    stated = options["hand_size"]
    size = max(rng.randint(1, 3), needed_to_pass(options, players))
    if isinstance(stated, int):
        size = stated
    more = 0 if options["undealt"] == "none" else rng.randint(0, 4)
    more += rng.random() < 0.03
    pack = small_pack(rng, options, min(52, size * players + more))
    return Match(rng.choice([None, rng.randrange(players)]), CardSet(pack))
