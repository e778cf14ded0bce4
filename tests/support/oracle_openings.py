"""What the second engine refuses before a game begins, from the rules alone.

Like `oracle`, it shares no code with the package under test. A ruleset is judged by its
options. A match, a deal or a position is judged by the JSON fields that describe it.
"""

from __future__ import annotations

from typing import Any

from tests.support.oracle import PACK, cycle_of, of_suit, rank, read

Options = dict[str, Any]


def ruleset_broken(options: Options, players: int, allowed: list[int]) -> set[str]:
    """Collect the clauses that a ruleset breaks; `allowed` are numbers of players."""
    if players not in allowed:
        return {"2.6"}
    return _deal_broken(options, players) | _score_broken(options)


def _deal_broken(options: Options, players: int) -> set[str]:
    """Collect the clauses broken by what is dealt, or by how play begins or ends."""
    wrong = set()
    removed = 52 % players if options["removal"] != "none" else 0
    needed = hand_size(options, players, 52 - removed, named=False) * players
    beside = options["undealt"] != "none"
    if not beside and needed < 52 - removed:
        wrong.add("3.9")
    if options["undealt"] == "stock" and options["hand_size"] == "all":
        wrong.add("3.9a")
    if beside and options["removal"] != "none":
        wrong.add("3.9b")
    if needed > 52 - removed:
        wrong.add("3.9c")
    left = options["opening_leader"] == "left_of_dealer"
    if left and options["opening_card"] != "any":
        wrong.add("5.2a")
    if options["deal_ends"] == "no_points_left":
        if beside:
            wrong.add("5.14b")
        if options["sun_points"] != 0:
            wrong.add("5.14c")
        if options["no_trick_points"] != 0:
            wrong.add("5.14d")
    return wrong


def _score_broken(options: Options) -> set[str]:
    """Collect the clauses broken by options on scoring, and on how a match ends."""
    wrong = set()
    moon, limit = options["moon"], options["limit"]
    becomes = options["exact_limit_becomes"]
    if moon != "none" and options["heart_points"] == 0:
        wrong.add("8.10")
    if moon == "none" and options["sun_points"] != 0:
        wrong.add("8.10a")
    if limit == "none":
        unless = moon == "others_plus_unless_losing"
        if becomes != "none" or options["ties"] == "play_on" or unless:
            wrong.add("9.8")
    elif becomes != "none" and becomes >= limit:
        wrong.add("9.8a")
    return wrong


def hand_size(options: Options, players: int, pack: int, *, named: bool) -> int:
    """Return the number of cards in each hand, from a pack of this size."""
    if options["hand_size"] != "all":
        return int(options["hand_size"])
    if options["undealt"] == "kitty" and not named:
        return 12 if players == 4 else 52 // players
    return pack // players


def _passed(kind: str, options: Options, players: int) -> int:
    """Return the number of cards that each hand gives away in this kind of pass."""
    if kind == "hold":
        return 0
    return players - 1 if kind == "scatter" else int(options["pass_count"])


def needed_to_pass(options: Options, players: int) -> int:
    """Return the number of cards that the cycle's largest pass takes from a hand."""
    kinds = cycle_of(options, players)
    return max([_passed(kind, options, players) for kind in kinds], default=0)


def match_broken(options: Options, players: int, pack: str | None) -> set[str]:
    """Collect the clauses that a match breaks, with a named pack or without."""
    removed = 52 % players if options["removal"] != "none" else 0
    cards = 52 - removed if pack is None else len(read(pack))
    size = hand_size(options, players, cards, named=pack is not None)
    if pack is not None:
        beside = options["undealt"] != "none"
        used = size * players
        if size < 1 or used > cards or (used < cards and not beside):
            return {"3.9d"}
    return {"4.11"} if size < needed_to_pass(options, players) else set()


def setup_broken(options: Options, players: int, setup: dict[str, Any]) -> set[str]:
    """Collect the clauses broken by a setup, which is a whole deal or a position."""
    undealt = options["undealt"]
    if (setup["stock"] and undealt != "stock") or (
        setup["kitty"] and undealt != "kitty"
    ):
        return {"3.12"}
    if setup.get("phase") == "play":
        return {"3.12a"} if _impossible(options, players, setup) else set()
    piles = [*setup["hands"], setup["stock"], setup["kitty"]]
    sizes = {len(hand.split()) for hand in setup["hands"]}
    if _twice(piles) or len(sizes) != 1 or 0 in sizes:
        return {"3.12"}
    kinds = cycle_of(options, players) or ["hold"]
    kind = kinds[(setup["deal"] - 1) % len(kinds)]
    return {"4.11"} if min(sizes) < _passed(kind, options, players) else set()


def _twice(piles: list[str]) -> bool:
    """Tell whether a card occurs twice in these piles."""
    cards = " ".join(piles).split()
    return len(set(cards)) < len(cards)


def _impossible(options: Options, players: int, setup: dict[str, Any]) -> bool:
    """Tell whether no play can lead to this position."""
    hands = [set(text.split()) for text in setup["hands"]]
    table = setup["trick"].split()
    out = set(setup["out"])
    piles = [*setup["hands"], setup["stock"], setup["kitty"], setup["trick"]]
    if _twice([*piles, *setup["taken"]]):
        return True
    step = 1 if options["direction"] == "clockwise" else -1
    turns = [(setup["leader"] + step * k) % players for k in range(players)]
    order = [seat for seat in turns if seat not in out]
    if setup["leader"] in out or len(order) < 2 or len(table) >= len(order):
        return True
    held = [set(hand) for hand in hands]
    for seat, card in zip(order, table, strict=False):
        held[seat].add(card)
    if not hands[order[len(table)]] or {s for s in turns if not held[s]} != out:
        return True
    if options["undealt"] != "stock" and len({len(hand) for hand in held}) > 1:
        return True
    if any(card[1] == "H" for card in table) and not setup["hearts_broken"]:
        return True
    return _wrong_story(options, setup, held) or _over(options, setup, hands)


def _wrong_story(options: Options, setup: dict[str, Any], held: list[set[str]]) -> bool:
    """Tell whether the tricks won or the leader contradicts the rest of the setup."""
    won = sum(setup["tricks"])
    if any(setup["taken"]) and not won:
        return True
    if not setup["first_trick"]:
        return False
    if won:
        return True
    leader = (setup["dealer"] + 1) % len(held)
    clubs = of_suit(set().union(*held), "C")
    if options["opening_leader"] == "lowest_club" and clubs:
        lowest = min(clubs, key=rank)
        [leader] = [seat for seat, hand in enumerate(held) if lowest in hand]
    return options["undealt"] != "stock" and bool(setup["leader"] != leader)


def _over(options: Options, setup: dict[str, Any], hands: list[set[str]]) -> bool:
    """Tell whether the deal would already be over, or its kitty already won."""
    if setup["first_trick"]:
        return False
    if options["kitty_to"] == "first_trick" and setup["kitty"]:
        return True
    if options["deal_ends"] == "all_played" or setup["trick"]:
        return False
    left: set[str] = set().union(*hands)
    return not matter(options) & left


def matter(options: Options) -> set[str]:
    """Collect the penalty cards and the bonus card of these options."""
    costs = {"QS": "queen_points", "KS": "king_points", "AS": "ace_points"}
    cards = {card for card, name in costs.items() if options[name] != 0}
    if options["heart_points"] != 0:
        cards |= of_suit(set(PACK), "H")
    return (cards | {options["bonus_card"]}) - {"none"}
