"""The shortest game that two rulesets judge differently, found among small deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, cycle, islice
from math import comb
from random import Random
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.normal_form import Json
from refengine.formats.trace import verdict_text
from refengine.game.acts import Act, Claim, Draw, PassUnseen, Play, QuitTrick, Retract
from refengine.game.nearby_rulesets import Change as Change
from refengine.game.nearby_rulesets import changed as changed
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup
from refengine.game.values.cardset import CARDS, Card, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.lawbook.pass_words import passes_at_table

# The cards of the smallest deals, then those of the pack of twelve (1.8) and more.
_EIGHT: Final = "2C AC JD QS KS 2H 3H AH"
_TWENTY: Final = "3C 2D 2S AS TD 3D 3S 4H 4C 4D 4S 5H"
# If one of these options differs, the smallest deals are made up of its cards.
_TURNING: Final = {
    "ace_points": "AS 2C AC JD QS KS 2H 3H",
    "queen_waits": "QS JD KS 2D 2S 2H AS TD",
    "deal_ends": "2C AC JD 2H 2D 3C 2S KS",
}
BUDGET: Final = 1_700
_LOOK_ON: Final = 150
_MOST_ACTS: Final = 16
_MATCH_OPTIONS: Final = ("limit", "limit_rule", "exact_limit_becomes", "ties", "deals")
_DEAL_OPTIONS: Final = ("removal", "hand_size", "undealt")


@attrs.frozen
class Difference:
    """One game that two rulesets judge differently.

    Naming different clauses for the same refusal is not a difference. Both rulesets
    accept `acts`. `what` is `act` if they differ on the act `asked`, which comes next,
    `legal` if they differ in what is due, `open` if only one allows the start, and
    otherwise the name of an observed field. `answers` holds what each ruleset says.
    """

    start: Setup | Match
    acts: tuple[Act, ...]
    what: str
    answers: tuple[str, str]
    asked: Act | None = None

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that only one of the rulesets names in its answer."""
        sets = [set(_cited(answer)) for answer in self.answers]
        return tuple(sorted(sets[0] ^ sets[1]))


def _cited(answer: str) -> list[str]:
    clauses = answer.partition(" by ")[2]
    return clauses.split(", ") if clauses else []


@attrs.frozen
class Comparison:
    """The shortest difference found, if any, and the sizes of deals that were tried.

    Every deal of up to `complete_to` cards a seat from a pack of eight was tried (2C AC
    JD QS KS 2H 3H AH, or others that bring out the options that differ). So was a fixed
    sample of larger deals, of up to `tried_to` cards a seat. Not every way of playing a
    deal was followed.
    """

    difference: Difference | None
    complete_to: int
    tried_to: int


def differences(
    first: Ruleset,
    second: Ruleset,
    *,
    most_cards: int = 3,
    budget: int = BUDGET,
) -> Comparison:
    """The shortest game on which two rulesets differ: smallest hands, then fewest acts.

    Hands have up to `most_cards` cards, or more if the passes need them, but never more
    than the pack has for each player. At most `budget` deals of each size are tried.
    Raises Malformed if the rulesets are for different numbers of players.
    """
    check_same_players(first, second)
    if at_once := _differ_in_the_deal(first, second):
        return Comparison(at_once, 0, 0)
    complete = 0
    most_cards = max(most_cards, _cards_to_pass(first, second))
    most_cards = min(most_cards, len(CARDS) // first.players)
    for size in range(1, most_cards + 1):
        setups, whole = _setups(first, second, size, budget)
        best: Difference | None = None
        left = budget * 100
        for setup in setups:
            most = _MOST_ACTS * size if best is None else len(best.acts) - 1
            if shorter := _in_one_deal(first, second, setup, most):
                best, left = shorter, min(left, _LOOK_ON)
            left -= 1
            if left == 0 or (best is not None and not best.acts):
                break
        if best is not None:
            return Comparison(best, complete, size)
        complete = size if whole and complete == size - 1 else complete
    return Comparison(None, complete, most_cards)


def check_same_players(first: Ruleset, second: Ruleset) -> None:
    """Raise Malformed if the rulesets are for different numbers of players."""
    if first.players != second.players:
        found = f"rulesets for {first.players} and {second.players} players"
        raise Malformed(found, "the same number of players")


def _cards_to_pass(first: Ruleset, second: Ruleset) -> int:
    """The number of cards that a hand must have for the passes, at most 8.

    It is 0 if both rulesets pass alike and there is a deal without a pass.
    """
    names = ("pass_cycle", "pass_count", "pass_unseen", "mix_kitty")
    alike = all(first.options[name] == second.options[name] for name in names)
    if alike and "hold" in _entries(first):
        return 0
    scatter = "scatter" in _entries(first) + _entries(second)
    counts = [int(str(one.options["pass_count"])) for one in (first, second)]
    return min(8, max(*counts, first.players - 1 if scatter else 0))


def _differ_in_the_deal(first: Ruleset, second: Ruleset) -> Difference | None:
    """A difference in what the dealer has to deal, or None if there is none."""
    if all(first.options[name] == second.options[name] for name in _DEAL_OPTIONS):
        return None
    start = Match(dealer=0)
    one, other = opened_as(first, start), opened_as(second, start)
    if isinstance(one, State) and isinstance(other, State):
        deal = one.random_act(Random(0))
        said = verdict_text(one.verdict(deal)), verdict_text(other.verdict(deal))
        return None if said[0] == said[1] else Difference(start, (), "act", said, deal)
    if isinstance(one, State) or isinstance(other, State):
        return Difference(start, (), "open", (_word(one), _word(other)))
    return None


def opened_as(ruleset: Ruleset, start: Setup | Match) -> State | Refused | Malformed:
    """The first moment of a game under a ruleset, or the error that prevents it."""
    try:
        return State.open(ruleset, start)
    except (Refused, Malformed) as error:
        return error


def _word(opened: State | Refused | Malformed) -> str:
    if isinstance(opened, Refused):
        return verdict_text(opened)
    return "legal" if isinstance(opened, State) else "malformed"


def _setups(
    first: Ruleset, second: Ruleset, size: int, budget: int
) -> tuple[Iterator[Setup], bool]:
    """The deals of one size to try, and whether they are complete.

    They are complete if they are all the deals from a pack of eight cards.
    """
    beside = _cards_beside(first, second)
    pack = _pack(first, second, max(8, first.players * size + max(beside)))
    frames = list(_frames(first, second))
    ways = 1
    for place in range(first.players):
        ways *= comb(len(pack) - place * size, size)
    if ways * len(frames) <= budget and max(beside) == 0:
        deals: Iterable[tuple[list[CardSet], list[Card]]] = (
            (hands, []) for hands in _all_hands(pack, first.players, size)
        )
        return _framed(deals, frames, first), len(pack) == 8
    sampled = _sampled_hands(pack, first.players, size, beside)
    return islice(_framed(sampled, frames, first), budget), False


def _pack(first: Ruleset, second: Ruleset, number: int) -> list[Card]:
    """A pack of `number` cards, with those most likely to show a difference first.

    There are 12 cards if `number` is 9 to 11.
    """
    eight = next(
        (
            cards
            for name, cards in _TURNING.items()
            if first.options[name] != second.options[name]
        ),
        _EIGHT,
    )
    cards = list(dict.fromkeys(f"{eight} {_EIGHT} {_TWENTY}".split()))
    if "TD" in (first.options["bonus_card"], second.options["bonus_card"]):
        cards = ["TD", *(card for card in cards if card != "TD")]
    cards += [str(card) for card in CARDS if str(card) not in cards]
    return [Card(text) for text in cards[: number if number == 8 else max(12, number)]]


def _cards_beside(first: Ruleset, second: Ruleset) -> tuple[int, ...]:
    """How many cards to leave over in the deals to try, for a stock or a kitty."""
    both = {first.options["undealt"], second.options["undealt"]}
    return (0,) if both == {"none"} or len(both) > 1 else (0, 1, 2, 3)


def _all_hands(
    pack: Sequence[Card], players: int, size: int
) -> Iterator[list[CardSet]]:
    if players == 0:
        yield []
        return
    for hand in combinations(pack, size):
        rest = [card for card in pack if card not in hand]
        for others in _all_hands(rest, players - 1, size):
            yield [CardSet(hand), *others]


def _sampled_hands(
    pack: Sequence[Card], players: int, size: int, beside: tuple[int, ...]
) -> Iterator[tuple[list[CardSet], list[Card]]]:
    """An endless stream of random deals: the hands, and the cards left over.

    The number of cards left over goes through those in `beside` in rotation.
    """
    rng = Random(size)
    beside_next = cycle(beside)
    while True:
        rest = next(beside_next)
        cards = rng.sample(pack, min(len(pack), players * size + rest))
        hands = [
            CardSet(cards[seat * size : (seat + 1) * size]) for seat in range(players)
        ]
        yield hands, cards[players * size :]


def _framed(
    deals: Iterable[tuple[list[CardSet], list[Card]]],
    frames: Sequence[Json],
    ruleset: Ruleset,
) -> Iterator[Setup]:
    """Each of these deals in every frame; the cards left over are stock or kitty."""
    kitty = ruleset.options["undealt"] == "kitty"
    for hands, rest in deals:
        more: Json = {"kitty": CardSet(rest)} if kitty else {"stock": rest}
        for frame in frames:
            yield Setup(dealer=0, hands=tuple(hands), **frame, **more)


def _frames(first: Ruleset, second: Ruleset) -> Iterator[Json]:
    """The deal numbers to try and, where they may matter, the totals before the deal.

    Deal numbers without totals come first, so that totals appear only if a difference
    needs them.
    """
    players = first.players
    deals = sorted(_deals(first, second))
    for deal in deals:
        yield {"deal": deal}
    same = all(first.options[name] == second.options[name] for name in _MATCH_OPTIONS)
    losing = "others_plus_unless_losing"
    if same and losing not in (first.options["moon"], second.options["moon"]):
        return
    for ruleset in (first, second):
        limit = ruleset.options["limit"]
        if not isinstance(limit, int):
            continue
        for below in (1, 2, 13, 26):
            yield {"deal": deals[0], "totals": (limit - below,) * players}
            yield {"deal": deals[0], "totals": (limit - below, *[0] * (players - 1))}
            yield {"deal": deals[0], "totals": (0, *[limit - below] * (players - 1))}


def _deals(first: Ruleset, second: Ruleset) -> set[int]:
    """The deal numbers to try.

    If the options for passing differ, these are the numbers from 1 up, at most 12 of
    them. Otherwise, it is only the number of the first hold, or 1 if there is no hold.
    If there is no limit, the number of the last deal is added.
    """
    cycles = [_entries(first), _entries(second)]
    found = set()
    names = ("pass_cycle", "pass_count", "pass_unseen", "mix_kitty")
    if any(first.options[name] != second.options[name] for name in names):
        found = set(range(1, min(12, len(cycles[0]) * len(cycles[1])) + 1))
    else:
        holds = [place for place, way in enumerate(cycles[0], 1) if way == "hold"]
        found = {holds[0] if holds else 1}
    for ruleset in (first, second):
        if ruleset.options["limit"] == "none":
            found.add(int(str(ruleset.options["deals"])))
    return found


def _entries(ruleset: Ruleset) -> tuple[str, ...]:
    """The passes of the cycle at the table, in turn; a hold if there are none."""
    cycle = ruleset.options["pass_cycle"]
    return passes_at_table(cycle, ruleset.players) or ("hold",)


def _in_one_deal(
    first: Ruleset, second: Ruleset, setup: Setup, most: int
) -> Difference | None:
    """The shortest difference in one deal, found after at most `most` acts, or None."""
    opened = opened_as(first, setup), opened_as(second, setup)
    if not (isinstance(opened[0], State) and isinstance(opened[1], State)):
        return None  # hands too small for a pass say nothing about the game
    layer = [(opened[0], opened[1])]
    for _ in range(most + 1):
        after: list[tuple[State, State]] = []
        for one, other in layer:
            if found := _at_one_moment(setup, one, other):
                return found
            after += _followers(one, other)
        layer = after[: 64 if len(setup.hands[0]) == 1 else 8]
        if not layer:
            break
    return None


def _at_one_moment(setup: Setup, one: State, other: State) -> Difference | None:
    """A difference after the acts that led to both of these states, or None.

    What is due and other fields are compared first, then the verdicts on acts.
    """
    for name, ask in _SEEN.items():
        said = str(ask(one)), str(ask(other))
        if said[0] != said[1]:
            return Difference(setup, one.acts, name, said)
    for act in (*_kinds_of_pass(one), *_kinds_of_pass(other), *acts_worth_asking(one)):
        verdicts = one.verdict(act), other.verdict(act)
        if type(verdicts[0]) is not type(verdicts[1]):
            said = verdict_text(verdicts[0]), verdict_text(verdicts[1])
            return Difference(setup, one.acts, "act", said, act)
    return None


def _kinds_of_pass(state: State) -> Iterator[Act]:
    """One ordinary pass and, if allowed, one pass unseen; or one mix.

    There are none in other phases. Such acts are not listed in what is due, so one of
    each kind has to be tried.
    """
    if state.phase == "pass":
        yield from islice(state.legal, 1)
        if state.legal.due.forward:
            yield PassUnseen(state.turn[0])
    elif state.phase == "mix":
        yield state.random_act(Random(0))


_SEEN: Final[dict[str, Callable[[State], object]]] = {
    "legal": lambda state: state.legal.due,
    "points": lambda state: state.points,
    "hearts_broken": lambda state: state.hearts_broken,
    "revokes": lambda state: state.revokes,
    "score": lambda state: state.score,
    "totals": lambda state: state.totals,
    "match": lambda state: state.winners,
    "taken": lambda state: list(map(str, state.taken)),
}


def acts_worth_asking(state: State) -> list[Act]:
    """Acts on which rulesets may differ: plays, draws, quits, retractions, claims."""
    found: list[Act] = []
    if state.phase == "play":
        seat = state.turn[0]
        found += [Play(seat, card) for card in state.hands[seat]]
        found.append(Draw(seat))
    if state.history:
        found.append(QuitTrick(state.history[-1].winner))
    for note in state.revokes:
        trick = note.trick - 1
        cards = state.history[trick].cards if trick < len(state.history) else ()
        table = state.table.cards if state.table is not None else ()
        found += [Retract(note.seat, card) for card in (*cards, *table)]
        found.append(
            Claim((note.seat + 1) % state.ruleset.players, note.seat, note.trick)
        )
    return found


def _followers(one: State, other: State) -> Iterator[tuple[State, State]]:
    """Both states after each act to be followed that the first ruleset accepts."""
    acts: list[Act] = []
    if one.phase == "mix":
        acts += _kinds_of_pass(one)  # the mix that both have been asked about
    elif one.legal.due.kind not in ("deal", "over"):
        acts += islice(one.legal, 3 if one.phase == "pass" else 20)
    acts += [act for act in acts_worth_asking(one) if act not in acts]
    for act in acts:
        verdict = one.verdict(act)
        if not isinstance(verdict, Refused):
            yield one.apply(act), other.apply(act)
