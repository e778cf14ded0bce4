"""Tests that compare both engines under each newer option, alone and in pairs."""

from collections import Counter
from random import Random
from typing import Any

import attrs
import pytest

from refengine import (
    CardSet,
    Malformed,
    Match,
    Refused,
    Ruleset,
    Setup,
    State,
    card,
    profile,
    profile_names,
)
from refengine.lawbook.clause_names import gone_back
from tests.support import second_opinion
from tests.support.lockstep import opened_by_both, play_in_lockstep, position_out_of
from tests.support.oracle import PACK, RANKS, Board, Illegal, Oracle, of_suit
from tests.support.oracle_openings import matter, ruleset_broken
from tests.support.paired_options import (
    NEW,
    Change,
    pairs,
    some_options,
    some_pair,
    some_small_deal,
    some_small_match,
)
from tests.support.second_opinion import options_of
from tests.support.strategies import moments

pytestmark = pytest.mark.unmeasured

PAIRS = list(pairs())
BLOCKS = 12


def some_game(rng: Random, *firm: Change) -> State | None:
    """The first state of a game with these changes; None if no ruleset was found."""
    ruleset = some_pair(rng, *firm)
    if ruleset is None:
        return None
    whole = "removal" in dict(firm) and rng.random() < 0.6
    while True:
        kind = rng.random()
        start: Match | Setup
        if whole:
            start = Match(rng.randrange(ruleset.players))
        elif kind < 0.3:
            start = some_small_match(rng, ruleset)
        else:
            start = some_small_deal(rng, ruleset)
        state = opened_by_both(ruleset, start)
        if state is not None:
            return position_out_of(state, rng) if kind > 0.85 else state
        if whole:
            whole = False
        ruleset = ruleset.having(pass_cycle=[])


def compare(seed: int, pair: tuple[Change, Change]) -> int:
    """Compare both engines in a game with these changes; return its number of acts.

    It is 0 if no ruleset with the changes was found that the book allows.
    """
    rng = Random(f"{seed} {pair}")
    state = some_game(rng, *pair)
    if state is None:
        return 0
    return play_in_lockstep(state, rng, rng.choice([0.1, 0.3, 0.5]))


@pytest.mark.parametrize("block", range(BLOCKS))
def test_both_engines_agree_under_every_pair_of_options(block: int) -> None:
    acts = [compare(0, pair) for pair in PAIRS[block::BLOCKS]]
    assert sum(acts) > 10 * len(acts)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 31))
def test_both_engines_agree_in_many_more_games_of_every_pair(seed: int) -> None:
    assert sum(compare(seed, pair) for pair in PAIRS) > 10 * len(PAIRS)


def test_the_book_allows_every_pair_but_those_it_names() -> None:
    refused = {
        (new, other)
        for new, other in PAIRS
        if all(
            some_pair(Random(f"{k} {new} {other}"), new, other) is None for k in "123"
        )
    }

    early, spared = ("deal_ends", "no_points_left"), ("removal", "lowest_no_hearts")
    odd = [("hand_size", size) for size in (1, 2, 3)]  # no pack is dealt out so
    beside = [("undealt", "stock"), ("undealt", "kitty")]
    all_tricks = [("sun_points", 52), ("sun_points", 7)]
    all_tricks += [("no_trick_points", -5), ("no_trick_points", 3)]
    assert refused == {
        *[(spared, other) for other in odd + beside],
        *[(early, other) for other in odd + beside + all_tricks],
    }


def test_both_engines_refuse_the_same_rulesets() -> None:
    rng = Random(1)
    found: Counter[str] = Counter()
    for _ in range(3_000):
        players, name = rng.randint(1, 14), rng.choice(profile_names())
        options = some_options(rng, *rng.choice(PAIRS), share=0.1)
        kitty = options["undealt"] == "kitty"
        base = profile(name)
        allowed = list(base.players_with_kitty if kitty else base.players)
        try:
            ours = set[str]()
            Ruleset(name, players, options)
        except Refused as error:
            ours = set(gone_back(error.clauses))
        assert ours == ruleset_broken(options, players, allowed), options
        found.update(ours or ["none"])
    wanted = {"2.6", "3.9", "3.9a", "3.9b", "3.9c", "5.2a", "8.10", "8.10a", "9.8"}
    assert set(found) == wanted | {"none", "5.14b", "5.14c", "5.14d", "9.8a"}


def spoilt(rng: Random, setup: Setup) -> Setup:
    """The position with one random change, which does not always make it impossible."""
    seats = range(len(setup.hands))
    hands, taken = list(setup.hands), list(setup.taken or ())
    tricks = list(setup.tricks or ())
    seat, other = rng.choice(seats), rng.choice(seats)
    spare = [card(one) for one in PACK if card(one) not in hands[seat]]
    match rng.randrange(12):
        case 0:
            return attrs.evolve(setup, first_trick=not setup.first_trick)
        case 1:
            return attrs.evolve(setup, hearts_broken=not setup.hearts_broken)
        case 2:
            return attrs.evolve(setup, leader=seat)
        case 3:
            return attrs.evolve(setup, out=rng.sample(list(seats), rng.randint(0, 2)))
        case 4:
            return attrs.evolve(setup, kitty=CardSet(rng.sample(spare, 2)))
        case 5:
            return attrs.evolve(setup, stock=rng.sample(spare, 2))
        case 6:
            tricks[seat] += 1
            return attrs.evolve(setup, tricks=tricks, first_trick=False)
        case 7:
            return attrs.evolve(setup, tricks=[0 for _ in seats])
        case 8:
            return attrs.evolve(setup, trick=rng.sample(spare, rng.randint(0, 2)))
        case 9:
            hands[seat] = CardSet(rng.sample(spare, len(hands[seat])))
        case 10:
            hands[seat], hands[other] = hands[other], hands[seat]
        case _:
            hands[seat] |= CardSet([rng.choice(spare)])
    return attrs.evolve(setup, hands=hands, taken=taken)


def without_points(setup: Setup, ruleset: Ruleset) -> Setup:
    """The position with the cards in hands that count replaced by cards that do not.

    It is returned unchanged if there are too few cards to replace them.
    """
    dear = matter(options_of(ruleset))
    held = {one.value for hand in setup.hands for one in hand}
    lying = {one.value for pile in setup.taken or () for one in pile}
    lying |= {one.value for one in [*setup.trick, *setup.stock, *setup.kitty]}
    cheap = [one for one in PACK if one not in dear | held | lying]
    if sum(one in dear for one in held) > len(cheap):
        return setup
    hands = [
        CardSet([card(cheap.pop()) if one.value in dear else one for one in hand])
        for hand in setup.hands
    ]
    return attrs.evolve(setup, hands=hands)


def test_both_engines_refuse_the_same_positions() -> None:
    rng = Random(2)
    found: Counter[str] = Counter()
    for number in range(1_000):
        pair = rng.choice(NEW), rng.choice(NEW)
        state = some_game(rng, *(pair if pair[0][0] != pair[1][0] else pair[:1]))
        if state is None or state.phase != "play":
            continue
        for moment in moments(state, rng, 12, wild=0.0):
            if moment.phase != "play" or sum(map(len, moment.hands)) > 30:
                break
            setup = Setup.of(moment)
            for one in [
                setup,
                spoilt(rng, setup),
                spoilt(rng, spoilt(rng, setup)),
                without_points(setup, moment.ruleset),
            ]:
                try:
                    opened = opened_by_both(moment.ruleset, one)
                except Malformed:
                    continue
                found["accepted" if opened else "refused"] += 1
                if opened is not None and number % 20 == 0:
                    play_in_lockstep(opened, rng, 0.1)
    assert found["accepted"] > 5_000
    assert found["refused"] > 5_000


class LeadsOnly(Oracle):
    """A fault: treats the value `play` of the option queen_waits as `lead`."""

    def _queen_waits(self, seat: int, allowed: set[str]) -> set[str]:
        return allowed if self._board.table else super()._queen_waits(seat, allowed)


class FreeQueen(Oracle):
    """A fault: does not hold the queen back if heart_leads is `free`."""

    def _queen_waits(self, seat: int, allowed: set[str]) -> set[str]:
        free = self.options["heart_leads"] == "free"
        return allowed if free else super()._queen_waits(seat, allowed)


class QueenBeforeFirstTrick(Oracle):
    """A fault: makes the queen wait before it applies the first trick's bar."""

    def _narrowings(self) -> list[tuple[str, Any]]:
        rules = super()._narrowings()
        return [*rules[:3], rules[4], rules[3], rules[5]]


class QueenAfterDuty(Oracle):
    """A fault: applies the queen's duty (5.6) before the rule that she waits (5.5b)."""

    def _narrowings(self) -> list[tuple[str, Any]]:
        rules = super()._narrowings()
        return [*rules[:4], rules[5], rules[4]]


class BonusForgotten(Oracle):
    """A fault: ends the deal while the bonus card is still in a hand."""

    def _matters(self, card: str) -> bool:
        return self._is_penalty(card)


class BonusOfNothing(Oracle):
    """A fault: ends the deal while a bonus card worth 0 points is still in a hand."""

    def _matters(self, card: str) -> bool:
        return super()._matters(card) and (
            self._is_penalty(card) or self.options["bonus_points"] != 0
        )


class FirstTrickNeverLast(Oracle):
    """A fault: never ends a deal with its first trick if two seats hold cards."""

    def _play_ends(self) -> bool:
        more = sum(self._board.tricks) == 1 and len(self._board.holders()) > 1
        return not more and super()._play_ends()


class KittyWithPoints(Oracle):
    """A fault: the first trick with points wins the kitty, whatever kitty_to says."""

    def _kitty_falls(self) -> bool:
        return any(self._is_penalty(card) for card in self._board.table)


class KittyByBonus(Oracle):
    """A fault: a trick with the bonus card wins the kitty, too."""

    def _kitty_falls(self) -> bool:
        return super()._kitty_falls() or self.options["bonus_card"] in self._board.table


class AceOfHeartsLow(Oracle):
    """A fault: the ace of hearts costs one point if hearts cost their face value."""

    def _points_of(self, card: str) -> int:
        face = self.options["heart_points"] == "face"
        return 1 if face and card == "AH" else super()._points_of(card)


class MoonWithoutKing(Oracle):
    """A fault: allows a moon without the king and the ace of spades."""

    def shooter(self) -> int | None:
        saved = self.in_play
        self.in_play = saved - {"KS", "AS"}
        try:
            return super().shooter()
        finally:
            self.in_play = saved


class MoonOfOneHeart(Oracle):
    """A fault: counts one heart as a moon if the queen costs nothing."""

    def _moon_exists(self) -> bool:
        one = of_suit(self.in_play, "H") and not self._is_penalty("QS")
        return super()._moon_exists() or (self.options["moon"] != "none" and bool(one))


class QueenForMoon(Oracle):
    """A fault: never allows a moon if the queen costs nothing."""

    def _moon_exists(self) -> bool:
        return self._is_penalty("QS") and super()._moon_exists()


class BonusOptional(Oracle):
    """A fault: allows a moon without the bonus card."""

    def _bonus_needed(self) -> bool:
        return False


class MoonOfDealsWithoutBonus(Oracle):
    """A fault: requires the bonus card for a moon only if the card is in play."""

    def _bonus_needed(self) -> bool:
        return super()._bonus_needed() and self.options["bonus_card"] in self.in_play


class ToldEarly(Oracle):
    """A fault: refuses a false claim about a complete trick by 7.7a, never by 7.7."""

    def _wrong_claim(self, seat: int, claim: dict[str, int]) -> set[str]:
        wrong = super()._wrong_claim(seat, claim)
        complete = self.board is not None and claim["trick"] <= sum(self.board.tricks)
        none = complete and self._find_claimed(claim) is None
        return (wrong - {"7.7"}) | {"7.7a"} if none else wrong


class EarlyToTheEnd(Oracle):
    """A fault: calls claims on the last trick early while a revoke can be corrected."""

    def _is_early(self, trick: int) -> bool:
        last = self.board is not None and trick == sum(self.board.tricks)
        waits = last and self.board is not None and self._time_runs(self.board)
        return super()._is_early(trick) or waits


class DrawIsNoLead(Oracle):
    """A fault: does not end the time for correction when a seat draws for the lead."""

    def _time_runs(self, board: Board) -> bool:
        by_lead = self.options["revoke_until"] == "next_lead"
        open_still = by_lead and not board.table and board.winner is not None
        accepted = self.options["revokes"] == "penalised"
        return (open_still and accepted) or super()._time_runs(board)


class ClubsFirst(Oracle):
    """A fault: removes cards from the pack in another order, and never hearts."""

    def _after_removal(self) -> set[str]:
        low = [rank + suit for rank in RANKS for suit in "CDS"]
        return set(PACK) - set(low[: 52 % self.players])


PENALISED = ("revokes", "penalised")
WRONG: list[tuple[type[Oracle], list[Change]]] = [
    (LeadsOnly, [("queen_waits", "play")]),
    (FreeQueen, [("queen_waits", "play"), ("heart_leads", "free")]),
    (
        QueenBeforeFirstTrick,
        [
            ("queen_waits", "play"),
            ("first_trick_points", "barred"),
            ("queen_points", 0),
        ],
    ),
    (QueenAfterDuty, [("queen_waits", "play"), ("queen_duty", "when_safe")]),
    (BonusForgotten, [("deal_ends", "no_points_left"), ("bonus_card", "JD")]),
    (
        BonusOfNothing,
        [
            ("deal_ends", "no_points_left"),
            ("bonus_card", "TD"),
            ("bonus_points", 0),
        ],
    ),
    (FirstTrickNeverLast, [("deal_ends", "no_points_left")]),
    (KittyWithPoints, [("kitty_to", "first_trick")]),
    (KittyWithPoints, [("kitty_to", "last_trick")]),
    (KittyByBonus, [("undealt", "kitty"), ("bonus_card", "JD")]),
    (AceOfHeartsLow, [("heart_points", "face")]),
    (MoonWithoutKing, [("king_points", 10), ("moon", "self_minus")]),
    (MoonWithoutKing, [("ace_points", 7), ("moon", "others_plus")]),
    (MoonOfOneHeart, [("queen_points", 0), ("moon", "self_minus")]),
    (QueenForMoon, [("queen_points", 0), ("moon", "self_minus")]),
    (BonusOptional, [("moon_needs_bonus", True)]),
    (MoonOfDealsWithoutBonus, [("moon_needs_bonus", True)]),
    (ToldEarly, [PENALISED, ("revoke_until", "trick_quitted")]),
    (ToldEarly, [PENALISED, ("revoke_until", "next_lead")]),
    (EarlyToTheEnd, [PENALISED, ("revoke_until", "next_lead")]),
    (
        DrawIsNoLead,
        [PENALISED, ("revoke_until", "next_lead"), ("all_hearts_leader", "draw")],
    ),
    (ClubsFirst, [("removal", "lowest_no_hearts")]),
]


@pytest.mark.parametrize(
    ("wrong", "firm"),
    WRONG,
    ids=[f"{k}-{one.__name__}" for k, (one, _) in enumerate(WRONG)],
)
def test_a_wrong_reading_of_a_new_rule_is_noticed(
    wrong: type[Oracle], firm: list[Change], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_opinion, "Oracle", wrong)
    for seed in range(400):
        rng = Random(seed)
        state = some_game(rng, *firm)
        assert state is not None
        try:
            play_in_lockstep(state, rng)
        except (AssertionError, Illegal):
            return
    pytest.fail("400 games, and nobody noticed")
